/* emit_extent.c - extents, positions and slots as C expressions.
 *
 * An extent that is the same on every rank and in every microbatch is a number. Any other is that of a range, which is
 * a variable at the beginning of the routine, or of the microbatch loop if it depends on the microbatch.
 */
#include "codegen/emit.h"

#include <inttypes.h>
#include <string.h>

/* ---- Products ----------------------------------------------------------------------------------------------- */

Extent extent_constant(int64_t number)
{
    return (Extent){.factor = number};
}

Extent extent_times(Extent a, Extent b)
{
    a.factor *= b.factor;
    for (int i = 0; i < b.count; i++)
        a.name[a.count++] = b.name[i];
    return a;
}

const char *extent_text(Emit *e, const Extent *extent)
{
    Text text = {.arena = e->arena};
    for (int i = 0; i < extent->count && extent->factor != 0; i++)
        text_add(&text, "%s%s", i > 0 ? " * " : "", extent->name[i]);
    if (text.length == 0)
        text_add(&text, "%" PRId64, extent->factor);
    else if (extent->factor != 1)
        text_add(&text, " * %" PRId64, extent->factor);
    return text.data;
}

/* ---- Dims --------------------------------------------------------------------------------------------------- */

static int64_t cut_size(const Emit *e, int cut)
{
    return cut == CUT_MICRO ? e->decls->micro : e->decls->axes.data[cut].size;
}

static const char *cut_place(Emit *e, int cut, const char *micro)
{
    if (cut == CUT_MICRO)
        return micro;
    return arena_printf(e->arena, "ctx->coordinate[%s]", e->axis[cut]);
}

static const char *range_value(Emit *e, const Dim *dim, const char *micro);

/* Of a fused dim: from the start of its first segment's part on, as many as in the parts of all. */
static const char *segments_value(Emit *e, const Dim *dim)
{
    const char *first = NULL;
    Text extent = {.arena = e->arena};
    for (int i = 0; i < dim->segments->count; i++) {
        Dim segment = {.size = dim->segments->size[i], .cut_count = dim->cut_count};
        memcpy(segment.cut, dim->cut, sizeof dim->cut);
        const char *range = emit_range(e, &segment);
        first = i == 0 ? range : first;
        text_add(&extent, "%s%s.extent", i > 0 ? " + " : "", range);
    }
    return arena_printf(e->arena, "prt_span(%s.start, %s)", first, extent.data);
}

static const char *range_value(Emit *e, const Dim *dim, const char *micro)
{
    const char *range = NULL;
    if (dim->segments != NULL)
        return segments_value(e, dim);
    for (int i = 0; i < dim->cut_count; i++) {
        const char *place = cut_place(e, dim->cut[i], micro);
        int64_t count = cut_size(e, dim->cut[i]);
        if (i == 0)
            range = arena_printf(e->arena, "prt_cut(%" PRId64 ", %" PRId64 ", %s)", dim->size, count, place);
        else
            range = arena_printf(e->arena, "prt_cut_again(%s, %" PRId64 ", %s)", range, count, place);
    }
    return range;
}

static bool cuts_micro(const Dim *dim)
{
    return memchr(dim->cut, CUT_MICRO, (size_t)dim->cut_count) != NULL;
}

static const char *cut_words(Emit *e, const Dim *dim, const char *separator)
{
    Text text = {.arena = e->arena};
    for (int i = 0; i < dim->cut_count; i++)
        text_add(&text, "%s%s", i > 0 ? separator : "",
                 dim->cut[i] == CUT_MICRO ? "micro" : e->decls->axes.data[dim->cut[i]].name);
    return text.data;
}

static const EmitLocal *find_local(const EmitScope *scope, const char *name)
{
    for (; scope != NULL; scope = scope->outer) {
        for (int i = 0; i < scope->locals.count; i++) {
            if (strcmp(scope->locals.data[i].name, name) == 0)
                return &scope->locals.data[i];
        }
    }
    return NULL;
}

/* Parts of the batch are called "examples", others by what they are parts of. */
static const char *local_name(Emit *e, const Dim *dim)
{
    if (dim->size == e->train->batch && cuts_micro(dim))
        return "examples";
    Names fresh = {.arena = e->arena};
    return names_unique(&fresh, "part_",
                        arena_printf(e->arena, "%" PRId64 "_over_%s", dim->size, cut_words(e, dim, "_")));
}

static const char *whole_range(Emit *e, const Dim *dim)
{
    return arena_printf(e->arena, "(prt_range){0, %" PRId64 "}", dim->size);
}

const char *emit_micro(Emit *e)
{
    if (e->scope->micro == NULL && e->decls->micro > 1)
        BUG("routine '%s' needs the current microbatch where there is none", routine_name(e->routine));
    e->scope->uses_micro = true;
    return e->scope->micro != NULL ? e->scope->micro : "0";
}

const char *emit_range(Emit *e, const Dim *dim)
{
    if (dim->cut_count == 0)
        return whole_range(e, dim);
    EmitScope *scope = e->scope;
    bool micro = cuts_micro(dim);
    while (scope->outer != NULL && !(micro && scope->micro != NULL))
        scope = scope->outer;
    const char *value = range_value(e, dim, micro ? emit_micro(e) : NULL);
    const char *plain = local_name(e, dim), *name = plain;
    const EmitLocal *known;
    for (int i = 2; (known = find_local(scope, name)) != NULL; i++) {
        if (strcmp(known->value, value) == 0)
            return known->name;
        name = arena_printf(e->arena, "%s_%d", plain, i);
    }
    const char *why =
        arena_printf(e->arena, "%" PRId64 " cut over %s: the part of this rank", dim->size, cut_words(e, dim, ", "));
    vec_push(e->arena, &scope->locals, (EmitLocal){name, value, why});
    return name;
}

Extent emit_dim_extent(Emit *e, const Dim *dim)
{
    int64_t extent, halo = dim->halo_before + dim->halo_after;
    if (dim_is_even(e->decls, dim, &extent))
        return extent_constant(extent);
    const char *name = arena_printf(e->arena, "%s.extent", emit_range(e, dim));
    if (halo > 0)
        name = arena_printf(e->arena, "(%s + %" PRId64 ")", name, halo);
    return (Extent){.factor = 1, .count = 1, .name = {name}};
}

Extent emit_array_extent(Emit *e, const Ref *ref, int position)
{
    Dim dims[STEP_MAX_DIMS];
    int count;
    if (!ref_dims(e->program, ref, &count, dims) || position >= count)
        BUG("'%s' has no dim %d", ref_buffer(e->program, ref)->name, position);
    return emit_dim_extent(e, &dims[position]);
}

Extent emit_ref_elements(Emit *e, const Ref *ref)
{
    Dim dims[STEP_MAX_DIMS];
    int count;
    if (!ref_dims(e->program, ref, &count, dims))
        return extent_constant(buffer_slot_elements(e->decls, ref_buffer(e->program, ref)));
    Extent elements = extent_constant(1);
    for (int i = 0; i < count; i++)
        elements = extent_times(elements, emit_dim_extent(e, &dims[i]));
    return elements;
}

/* For an operator on flat ranges: its first array that is not a scalar gives the length. */
static Extent flat_extent(Emit *e, const Op *op, const Shape *shape)
{
    for (int i = 0; i < op->operand_count; i++) {
        if (letters_have(&shape->operand[i], LETTER_FLAT))
            return emit_ref_elements(e, &op->operand[i]);
    }
    return emit_ref_elements(e, &op->out);
}

Extent emit_letter_extent(Emit *e, const Op *op, const Shape *shape, char letter)
{
    Dim dim;
    if (letter == LETTER_FLAT)
        return flat_extent(e, op, shape);
    if (letter == LETTER_PATCH_ROW || letter == LETTER_PATCH_COLUMN)
        return (Extent){1, 1, {letter == LETTER_PATCH_ROW ? "patch.rows" : "patch.columns"}};
    if (letter == shape->piece && shape->piece_extent != NULL)
        return (Extent){.factor = 1, .count = 1, .name = {shape->piece_extent}};
    return emit_dim_extent(e, shape_dim(e->program, op, shape, letter, &dim));
}

Extent emit_letters_extent(Emit *e, const Op *op, const Shape *shape, const Letters *letters)
{
    Extent extent = extent_constant(1);
    for (int i = 0; i < letters->count; i++)
        extent = extent_times(extent, emit_letter_extent(e, op, shape, letters->letter[i]));
    return extent;
}

/* ---- Places ------------------------------------------------------------------------------------------------- */

int64_t axes_total(const Decls *decls, const int8_t *axis, int axis_count)
{
    int64_t total = 1;
    for (int i = 0; i < axis_count; i++)
        total *= decls->axes.data[axis[i]].size;
    return total;
}

const char *emit_place(Emit *e, const int8_t *axis, int axis_count)
{
    const char *place = "0";
    for (int i = 0; i < axis_count; i++) {
        const char *coordinate = cut_place(e, axis[i], NULL);
        if (i == 0)
            place = coordinate;
        else
            place = arena_printf(e->arena, i == 1 ? "%s * %" PRId64 " + %s" : "(%s) * %" PRId64 " + %s", place,
                                 e->decls->axes.data[axis[i]].size, coordinate);
    }
    return place;
}

/* ---- Slots and addresses ------------------------------------------------------------------------------------ */

const char *emit_index_table(Emit *e, int variable)
{
    if (variable > affine_table(0))
        return "NULL";
    int index = affine_table(variable);
    if (e->table[index] == NULL)
        e->table[index] = names_unique(&e->names, "TABLE_", e->decls->tables.data[index].name);
    return e->table[index];
}

static const char *variable_name(Emit *e, int variable)
{
    if (variable >= 0)
        return e->variable[variable];
    const char *coordinate = cut_place(e, affine_axis(e->decls, variable), NULL);
    if (variable > affine_table(0))
        return coordinate;
    return arena_printf(e->arena, "%s[%s]", emit_index_table(e, variable), coordinate);
}

const char *emit_affine(Emit *e, const Affine *affine)
{
    Text text = {.arena = e->arena};
    for (int i = 0; i < affine->term_count; i++) {
        int64_t coefficient = affine->term[i].coefficient;
        const char *sign = coefficient < 0 ? (text.length > 0 ? " - " : "-") : text.length > 0 ? " + " : "";
        int64_t size = coefficient < 0 ? -coefficient : coefficient;
        const char *variable = variable_name(e, affine->term[i].variable);
        if (size == 1)
            text_add(&text, "%s%s", sign, variable);
        else
            text_add(&text, "%s%" PRId64 " * %s", sign, size, variable);
    }
    if (text.length == 0)
        text_add(&text, "%" PRId64, affine->constant);
    else if (affine->constant != 0)
        text_add(&text, affine->constant < 0 ? " - %" PRId64 : " + %" PRId64,
                 affine->constant < 0 ? -affine->constant : affine->constant);
    if (affine->modulus == 0)
        return text.data;
    e->uses_modulo = true;
    return arena_printf(e->arena, "modulo(%s, %" PRId64 ")", text.data, affine->modulus);
}

static const char *accessor_of(Emit *e, int buffer)
{
    if (e->accessor[buffer] == NULL)
        e->accessor[buffer] = names_unique(&e->names, "at_", e->program->buffers.data[buffer].name);
    return e->accessor[buffer];
}

const char *emit_member_offset(Emit *e, int unit, int tensor)
{
    const char **name = &e->member[unit * e->decls->tensors.count + tensor];
    const char *tensor_name = e->decls->tensors.data[tensor].name;
    if (*name == NULL)
        *name = names_unique(&e->names, "OFFSET_", tensor_name);
    return *name;
}

/* Where a slot that has other numbers than one per element has those of a tensor. */
static int64_t each_offset(const Emit *e, const Buffer *buffer, int tensor)
{
    const Unit *unit = &e->decls->units.data[buffer->unit];
    for (int i = 0; i < unit->member_count; i++)
        if (unit->members[i] == tensor)
            return unit_each_offset(e->decls, unit, buffer->each, i);
    BUG("'%s' is no member of unit '%s'", e->decls->tensors.data[tensor].name, unit->name);
}

const char *emit_ref(Emit *e, const Ref *ref)
{
    const Buffer *buffer = ref_buffer(e->program, ref);
    const char *accessor = accessor_of(e, ref->buffer);
    const char *address = buffer->slots > 1
                              ? arena_printf(e->arena, "%s(ctx, %s)", accessor, emit_affine(e, &ref->slot))
                              : arena_printf(e->arena, "%s(ctx)", accessor);
    if (buffer->layout != LAYOUT_UNIT || ref->member < 0)
        return address;
    if (buffer->each == EACH_ELEMENT)
        return arena_printf(e->arena, "%s + %s", address, emit_member_offset(e, buffer->unit, ref->member));
    return arena_printf(e->arena, "%s + %" PRId64, address, each_offset(e, buffer, ref->member));
}

/* ---- Types -------------------------------------------------------------------------------------------------- */

const char *emit_dtype(DType dtype)
{
    static const char *const names[] = {
        [DTYPE_F32] = "PRT_F32", [DTYPE_F64] = "PRT_F64", [DTYPE_BF16] = "PRT_BF16", [DTYPE_I32] = "PRT_I32"};
    return names[dtype];
}

const char *emit_c_type(DType dtype)
{
    static const char *const names[] = {
        [DTYPE_F32] = "float", [DTYPE_F64] = "double", [DTYPE_BF16] = "uint16_t", [DTYPE_I32] = "int32_t"};
    return names[dtype];
}

const char *emit_tier(Tier tier)
{
    static const char *const names[] = {
        [TIER_DEVICE] = "PRT_DEVICE", [TIER_HOST] = "PRT_HOST", [TIER_FILE] = "PRT_FILE"};
    return names[tier];
}
