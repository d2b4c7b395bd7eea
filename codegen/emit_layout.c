/* emit_layout.c - the rows of prt_program.layouts: where the elements of a buffer, or of one member of a unit, are on
 * each rank. Buffers with the same layout share a row, which is named after what it says. */
#include "codegen/emit.h"

#include <inttypes.h>
#include <string.h>

/* ---- Rows --------------------------------------------------------------------------------------------------- */

static EmitLayout layout_of(Emit *e, const Ref *ref)
{
    const Buffer *buffer = ref_buffer(e->program, ref);
    EmitLayout row = {.unit = -1, .each = EACH_ELEMENT};
    if (buffer->layout == LAYOUT_DENSE) {
        row.dim_count = buffer->dim_count;
        memcpy(row.dims, buffer->dims, sizeof row.dims);
        return row;
    }
    if (ref->member < 0) {
        row.unit = buffer->unit;
        row.each = buffer->each;
        row.cut_count = buffer->cut_count;
        memcpy(row.cut, buffer->cut, sizeof row.cut);
        return row;
    }
    const Unit *unit = &e->decls->units.data[buffer->unit];
    for (int position = 0; position < unit->member_count; position++) {
        if (unit->members[position] != ref->member)
            continue;
        Dim dims[STEP_MAX_DIMS];
        int first;
        unit_member_dims(e->decls, unit, position, dims);
        row.dim_count = each_dims(buffer->each, e->decls->tensors.data[ref->member].dim_count, &first);
        memcpy(row.dims, dims + first, sizeof *dims * (size_t)row.dim_count);
    }
    return row;
}

static bool same_cuts(const int8_t *x, int x_count, const int8_t *y, int y_count)
{
    return x_count == y_count && memcmp(x, y, (size_t)x_count) == 0;
}

static bool same_layout(const EmitLayout *x, const EmitLayout *y)
{
    bool same = x->unit == y->unit && x->each == y->each && same_cuts(x->cut, x->cut_count, y->cut, y->cut_count) &&
                x->dim_count == y->dim_count;
    for (int i = 0; same && i < x->dim_count; i++)
        same = dim_equal(&x->dims[i], &y->dims[i]);
    return same;
}

/* ---- Names -------------------------------------------------------------------------------------------------- */

static const char *cut_word(const Emit *e, int cut)
{
    return cut == CUT_MICRO ? "micro" : e->decls->axes.data[cut].name;
}

static void add_cuts(const Emit *e, Text *text, const int8_t *cut, int cut_count)
{
    for (int i = 0; i < cut_count; i++)
        text_add(text, "%s%s", i == 0 ? "_over_" : "_", cut_word(e, cut[i]));
}

/* "block_over_data", "8_over_micro_data_by_256_by_384": the sizes of dims, and what cuts them. */
static const char *layout_words(const Emit *e, const EmitLayout *row)
{
    static const char *const eaches[] = {
        [EACH_ELEMENT] = "", [EACH_ROW] = "_rows", [EACH_COLUMN] = "_columns", [EACH_TENSOR] = "_tensors"};
    Text text = {.arena = e->arena};
    if (row->unit >= 0) {
        text_add(&text, "%s%s", e->decls->units.data[row->unit].name, eaches[row->each]);
        add_cuts(e, &text, row->cut, row->cut_count);
        return text.data;
    }
    for (int i = 0; i < row->dim_count; i++) {
        const Dim *dim = &row->dims[i];
        text_add(&text, "%s%" PRId64, i > 0 ? "_by_" : "", dim->size);
        add_cuts(e, &text, dim->cut, dim->cut_count);
        if (dim->halo_before + dim->halo_after > 0)
            text_add(&text, "_halo_%" PRId64 "_%" PRId64, dim->halo_before, dim->halo_after);
        if (dim->padded)
            text_add(&text, "_padded");
    }
    return row->dim_count > 0 ? text.data : "scalar";
}

const char *emit_layout(Emit *e, const Ref *ref)
{
    EmitLayout row = layout_of(e, ref);
    for (int i = 0; i < e->layouts.count; i++)
        if (same_layout(&e->layouts.data[i], &row))
            return e->layouts.data[i].name;
    row.name = names_unique(&e->names, "LAYOUT_", layout_words(e, &row));
    vec_push(e->arena, &e->layouts, row);
    return row.name;
}

/* ---- Tables ------------------------------------------------------------------------------------------------- */

static const char *cuts_text(Emit *e, const int8_t *cut, int count)
{
    Text text = {.arena = e->arena};
    for (int i = 0; i < count; i++)
        text_add(&text, "%s%s", i > 0 ? ", " : "", cut[i] == CUT_MICRO ? "PRT_MICRO" : e->axis[cut[i]]);
    return text.data;
}

static void add_segments(Text *text, const Segments *segments)
{
    text_add(text, ", .segment_count = %d, .segments = (const int64_t[]){", segments->count);
    for (int i = 0; i < segments->count; i++)
        text_add(text, "%s%" PRId64, i > 0 ? ", " : "", segments->size[i]);
    text_add(text, "}");
}

static void add_dim(Emit *e, Text *text, const Dim *dim)
{
    text_add(text, "{.size = %" PRId64, dim->size);
    if (dim->cut_count > 0)
        text_add(text, ", .cut_count = %d, .cut = {%s}", dim->cut_count, cuts_text(e, dim->cut, dim->cut_count));
    if (dim->cut_count > 0 && dim->segments != NULL)
        add_segments(text, dim->segments);
    if (dim->halo_before + dim->halo_after > 0)
        text_add(text, ", .halo_before = %" PRId64 ", .halo_after = %" PRId64, dim->halo_before, dim->halo_after);
    text_add(text, dim->padded ? ", .padded = true}" : "}");
}

const char *emit_dims_text(Emit *e, const Dim *dims, int count)
{
    Text text = {.arena = e->arena};
    for (int i = 0; i < count; i++) {
        text_add(&text, i > 0 ? ", " : "");
        add_dim(e, &text, &dims[i]);
    }
    return text.data;
}

const char *emit_layout_row(Emit *e, const EmitLayout *row)
{
    static const char *const eaches[] = {[EACH_ELEMENT] = "PRT_ELEMENTS",
                                         [EACH_ROW] = "PRT_ROWS",
                                         [EACH_COLUMN] = "PRT_COLUMNS",
                                         [EACH_TENSOR] = "PRT_TENSORS"};
    Text text = {.arena = e->arena};
    if (row->unit < 0) {
        text_add(&text, ".unit = -1");
        if (row->dim_count > 0)
            text_add(&text, ", .dim_count = %d, .dims = {%s}", row->dim_count,
                     emit_dims_text(e, row->dims, row->dim_count));
        return text.data;
    }
    text_add(&text, ".unit = %s", e->unit[row->unit]);
    if (row->each != EACH_ELEMENT)
        text_add(&text, ", .each = %s", eaches[row->each]);
    if (row->cut_count > 0)
        text_add(&text, ", .cut_count = %d, .cut = {%s}", row->cut_count, cuts_text(e, row->cut, row->cut_count));
    return text.data;
}
