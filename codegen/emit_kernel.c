/* emit_kernel.c - kernels in emitted programs: their prototypes, their launches, and the table that describes them to
 * the runtime. */
#include "codegen/emit.h"

#include <inttypes.h>
#include <string.h>

/* ---- Launches ----------------------------------------------------------------------------------------------- */

static const char *scale_text(Emit *e, const Op *op, const Shape *shape)
{
    const Scale *scale = &op->scale;
    Text text = {.arena = e->arena};
    text_add(&text, "%" PRId64 ".0", scale->numerator);
    if (scale->denominator != 1)
        text_add(&text, " / %" PRId64, scale->denominator);
    for (const char *letter = scale->local_extents; letter != NULL && *letter != '\0'; letter++) {
        Extent extent = emit_letter_extent(e, op, shape, *letter);
        text_add(&text, extent.count > 1 ? " / (%s)" : " / %s", extent_text(e, &extent));
    }
    return text.data;
}

/* The number of the first element: the beginning of this rank's piece of the dim, plus the index. */
static const char *first_number(Emit *e, const Op *op)
{
    const Buffer *out = ref_buffer(e->program, &op->out);
    const char *index = emit_affine(e, &op->first);
    if (out->dim_count == 0 || out->dims[0].cut_count == 0)
        return index;
    return arena_printf(e->arena, "%s + %s.start", index, emit_range(e, &out->dims[0]));
}

/* How far an array goes in one of a kernel's dims. */
static const char *room_text(Emit *e, const Ref *ref, const Letters *own, const Letters *dim)
{
    Extent room = extent_constant(1);
    for (int i = 0; i < dim->count; i++)
        room = extent_times(room, emit_array_extent(e, ref, letters_index(own, dim->letter[i])));
    return extent_text(e, &room);
}

static int add_rooms(Emit *e, const Op *op, const KernelUse *use, const Shape *shape, const char **arguments)
{
    const KernelSpec *spec = &e->kernels.specs.data[use->kernel];
    KernelRoom rooms[KERNEL_MAX_ROOMS];
    int count = kernel_rooms(spec, rooms);
    for (int i = 0; i < count; i++) {
        int operand = rooms[i].operand, position = rooms[i].position;
        if (operand < 0)
            arguments[i] = room_text(e, &op->out, &shape->out, &use->dims[spec->out.dims[position]]);
        else
            arguments[i] = room_text(e, &op->operand[operand], &shape->operand[operand],
                                     &use->dims[spec->operand[operand].dims[position]]);
    }
    return count;
}

static int arrays_of(Emit *e, const Op *op, const KernelSpec *spec, Addresses at, const char **arrays)
{
    int count = 0;
    arrays[count++] = at.out != NULL ? at.out : emit_ref(e, &op->out);
    for (int i = 0; i < op->operand_count; i++)
        if (!spec->operand[i].in_place)
            arrays[count++] = at.operand[i] != NULL ? at.operand[i] : emit_ref(e, &op->operand[i]);
    return count;
}

static int extents_of(Emit *e, const Op *op, const KernelUse *use, const Shape *shape, const char **extents)
{
    const KernelSpec *spec = &e->kernels.specs.data[use->kernel];
    int count = 0;
    for (; count < spec->dim_count; count++) {
        Extent extent = emit_letters_extent(e, op, shape, &use->dims[count]);
        extents[count] = extent_text(e, &extent);
    }
    count += add_rooms(e, op, use, shape, &extents[count]);
    Dim rows;
    if (kernels_some_rows(e->program, op, &rows)) {
        extents[count++] = arena_printf(e->arena, "%s.start", emit_range(e, &rows));
        extents[count++] = arena_printf(e->arena, "%" PRId64, rows.size);
    }
    return count;
}

static int numbers_of(Emit *e, const Op *op, const KernelSpec *spec, const Shape *shape, const char **numbers)
{
    int count = 0;
    for (; count < spec->immediate_count; count++)
        numbers[count] = op->kind == OP_IOTA ? first_number(e, op) : c_number(e->arena, op->immediate[count]);
    if (spec->has_scale)
        numbers[count++] = scale_text(e, op, shape);
    return count;
}

/* "KERNEL_add_f32" */
static const char *row_name(Emit *e, const KernelSpec *spec)
{
    return arena_printf(e->arena, "KERNEL_%s", spec->name + strlen("kernel_"));
}

/* A field of the launch's arguments. */
typedef struct Field {
    const char *name;
    int count;
    const char **values;
} Field;

/* ".arrays = {at_y(ctx), at_a(ctx)}, .extents = {n}" */
static const char *fields_text(Emit *e, const Field *fields, int count)
{
    Text text = {.arena = e->arena};
    for (int f = 0; f < count; f++)
        for (int i = 0; i < fields[f].count; i++)
            text_add(&text, "%s%s%s%s", i > 0 || text.length > 0 ? ", " : "", i == 0 ? fields[f].name : "",
                     fields[f].values[i], i == fields[f].count - 1 ? "}" : "");
    return text.data;
}

/* On one line, or a line for each field. */
static void emit_launch(Emit *e, const char *head, const Field *fields, int count)
{
    enum { COLUMNS = 120, INDENT = 4 };
    const char *text = fields_text(e, fields, count);
    if (INDENT * (size_t)e->out->indent + strlen(head) + strlen(text) + strlen("});") <= COLUMNS) {
        cw_line(e->out, "%s%s});", head, text);
        return;
    }
    cw_line(e->out, "%s", head);
    e->out->indent++;
    for (int f = 0; f < count; f++)
        if (fields[f].count > 0)
            cw_list(e->out, fields[f].name, fields[f].values, fields[f].count, "},");
    e->out->indent--;
    cw_line(e->out, "});");
}

void emit_kernel_of(Emit *e, const Op *op, const Shape *shape, Addresses at)
{
    KernelUse use = kernels_use(&e->kernels, e->program, op, shape);
    const KernelSpec *spec = &e->kernels.specs.data[use.kernel];
    const char *arrays[KERNEL_MOST_ARRAYS], *extents[KERNEL_MOST_EXTENTS], *numbers[KERNEL_MOST_NUMBERS];
    const Field fields[] = {{".arrays = {", arrays_of(e, op, spec, at, arrays), arrays},
                            {".extents = {", extents_of(e, op, &use, shape, extents), extents},
                            {".numbers = {", numbers_of(e, op, spec, shape, numbers), numbers}};
    const char *head =
        arena_printf(e->arena, "prt_launch(ctx, %s, %d, &(prt_arguments){", row_name(e, spec), op->stream);
    emit_launch(e, head, fields, 3);
}

/* ---- Declarations ------------------------------------------------------------------------------------------- */

void emit_kernel_prototypes(Emit *e, CWriter *out)
{
    if (e->kernels.specs.count == 0)
        return;
    cw_comment(out, "Kernels (kernels.o).");
    for (int i = 0; i < e->kernels.specs.count; i++)
        cw_line(out, "prt_host_kernel %s;", e->kernels.specs.data[i].name);
    cw_blank(out);
}

int emit_kernel_names(Emit *e, const char **names)
{
    for (int i = 0; i < e->kernels.specs.count; i++)
        names[i] = row_name(e, &e->kernels.specs.data[i]);
    return e->kernels.specs.count;
}

/* ---- The table ---------------------------------------------------------------------------------------------- */

static const char *letters_of(Emit *e, const int8_t *dims, int count)
{
    Text text = {.arena = e->arena};
    text_add(&text, "\"");
    for (int i = 0; i < count; i++)
        text_add(&text, "%c", 'i' + dims[i]);
    text_add(&text, "\"");
    return text.data;
}

static void add_array(Emit *e, Text *text, const KernelArray *array)
{
    text_add(text, "%s{%s, %s}", text->length > 0 ? ", " : "", emit_dtype(array->dtype),
             letters_of(e, array->dims, array->dim_count));
}

/* Of an array with room, the index of each room's extent: "[1] = {[2] = 3}". */
static void list_rooms(Text *text, const KernelSpec *spec, int operand, int array)
{
    KernelRoom rooms[KERNEL_MAX_ROOMS];
    int count = kernel_rooms(spec, rooms), found = 0;
    for (int i = 0; i < count; i++) {
        if (rooms[i].operand != operand)
            continue;
        if (found++ == 0)
            text_add(text, "%s[%d] = {", text->length > 0 ? ", " : "", array);
        text_add(text, "%s[%d] = %d", found > 1 ? ", " : "", rooms[i].position, spec->dim_count + i);
    }
    if (found > 0)
        text_add(text, "}");
}

static bool reads_result(const KernelSpec *spec)
{
    bool reads = spec->accumulate;
    for (int i = 0; i < spec->operand_count; i++)
        reads = reads || spec->operand[i].in_place;
    return reads;
}

/* What operations are counted over: all dims, but not the rows of a table that are looked up. */
static const char *space_of(Emit *e, const KernelSpec *spec)
{
    int8_t dims[KERNEL_MAX_DIMS];
    int count = 0;
    bool looks_up = spec->op_class == CLASS_GATHER || spec->op_class == CLASS_SCATTER;
    for (int d = 0; d < spec->dim_count; d++)
        if (!looks_up || d != kernel_table_rows(spec))
            dims[count++] = (int8_t)d;
    return letters_of(e, dims, count);
}

static void emit_kernel_row(Emit *e, CWriter *out, const KernelSpec *spec)
{
    Text arrays = {.arena = e->arena}, rooms = {.arena = e->arena};
    for (int i = -1, count = 0; i < spec->operand_count; i++) {
        const KernelArray *array = i < 0 ? &spec->out : &spec->operand[i];
        if (i >= 0 && array->in_place)
            continue;
        add_array(e, &arrays, array);
        list_rooms(&rooms, spec, i, count++);
    }
    const KernelWork work = kernel_work(spec);
    const int8_t split = (int8_t)kernel_split(spec);
    cw_open(out, "[%s] =", row_name(e, spec));
    cw_line(out, ".entry = \"%s\",", spec->name);
    cw_line(out, ".host = %s,", spec->name);
    cw_line(out, ".arrays = {%s},", arrays.data);
    if (rooms.length > 0)
        cw_line(out, ".rooms = {%s},", rooms.data);
    cw_line(out, ".array_count = %d, .extent_count = %d, .number_count = %d,", kernel_array_count(spec),
            kernel_extent_count(spec), kernel_number_count(spec));
    cw_line(out, ".reads_result = %s,", reads_result(spec) ? "true" : "false");
    cw_line(out, ".split = %s, .work = %s, .per_thread = %s,", letters_of(e, &split, split >= 0),
            letters_of(e, work.dims, work.dim_count), work.per_thread ? "true" : "false");
    cw_line(out, ".space = %s, .operations = %d,", space_of(e, spec), op_info[spec->op].flops);
    cw_close(out, ",");
}

void emit_kernel_table(Emit *e, CWriter *out)
{
    if (e->kernels.specs.count == 0)
        return;
    cw_open(out, "static const prt_kernel kernels[] =");
    for (int i = 0; i < e->kernels.specs.count; i++)
        emit_kernel_row(e, out, &e->kernels.specs.data[i]);
    cw_close(out, ";");
    cw_blank(out);
}
