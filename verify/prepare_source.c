/* prepare_source.c - operators without operands, or without a result: what is read, drawn, filled, given. */
#include "verify/prepare_internal.h"

#include <string.h>

/* ---- Readers ------------------------------------------------------------------------------------------------ */

/* Axes of copies that the reader does not name: each copy then reads what the first copy along them reads. */
static AxisMask copies_not_read(const Prepare *p, const Op *op)
{
    AxisMask left = 0;
    for (int a = 0; a < p->program->decls->axes.count; a++)
        left |= p->program->decls->axes.data[a].size > 1 ? p->table->copies & (AxisMask)1 << a : 0;
    for (int i = 0; i < op->axes.count; i++)
        left &= ~((AxisMask)1 << op->axes.axis[i]);
    return left;
}

/* What is not read in pieces has index 0, and what has no batch is the same on all ranks. */
static bool check_index(Prepare *p, Prepared *prepared, const Tensor *tensor, bool in_pieces)
{
    const Op *op = prepared->op;
    bool first = op->microbatch.term_count == 0 && op->microbatch.constant == 0;
    if (!in_pieces && !first)
        fault_shape(p, prepared,
                    arena_printf(p->ctx->arena, "'%s' is read here in one piece, whose index is 0", tensor->name));
    for (int i = 0; i < op->axes.count && tensor->batch_dim < 0; i++)
        if (!p->program->decls->axes.data[op->axes.axis[i]].copies)
            fault_shape(p, prepared,
                        arena_printf(p->ctx->arena, "'%s' has no batch that ranks could share", tensor->name));
    return !prepared->bad;
}

static void prepare_read(Prepare *p, Prepared *prepared, const View *out)
{
    const Op *op = prepared->op;
    const Decls *decls = p->program->decls;
    Reading *reading = prepared->read = arena_make(p->table->arena, Reading);
    const Tensor *tensor = &decls->tensors.data[op->tensor];
    bool fits = !out->flat && out->dim_count == tensor->dim_count;
    for (int d = 0; d < tensor->dim_count && fits; d++)
        fits = d == tensor->batch_dim ||
               (out->size[d] == tensor->dims[d] && (cuts_mask(&out->dim_cuts[d]) & TIME_MASK) == 0);
    if (!fits) {
        fault_shape(p, prepared,
                    arena_printf(p->ctx->arena, "the result does not have the dims of '%s'", tensor->name));
        return;
    }
    const Cuts *cuts = tensor->batch_dim >= 0 ? &out->dim_cuts[tensor->batch_dim] : &(Cuts){0};
    /* A batch of another size than the training batch (predict) is read in one piece. */
    reading->batch = tensor->batch_dim >= 0 ? out->size[tensor->batch_dim] : 0;
    bool in_pieces = tensor->batch_dim >= 0 && reading->batch == tensor->dims[tensor->batch_dim];
    if (!check_index(p, prepared, tensor, in_pieces))
        return;
    Cuts read = {0};
    if (in_pieces && !p->reference && decls->micro > 1)
        read.axis[read.count++] = TIME_BIT;
    for (int i = 0; i < op->axes.count && tensor->batch_dim >= 0; i++)
        if (!decls->axes.data[op->axes.axis[i]].copies)
            cuts_add(decls, p->reference, &read, op->axes.axis[i]);
    /* The axes that the reader does not name are those whose ranks read the same examples. */
    int at = 0;
    for (int i = 0; i < cuts->count; i++)
        if (at < read.count && cuts->axis[i] == read.axis[at])
            at++;
        else if (cuts->axis[i] != TIME_BIT)
            reading->repeated |= (AxisMask)1 << cuts->axis[i];
        else
            at = read.count + 1;
    if (at != read.count) {
        fault_shape(p, prepared, "the result is not cut as the batch is read");
        return;
    }
    if (reading->repeated != 0) /* with repeats, the order of the cuts would change which batch is meant */
        reading->reading = decomp_intern(p->table, &(DecompPart){.cuts = *cuts}, 1);
    reading->repeated |= copies_not_read(p, op);
    int64_t parts = p->reference ? 1 : decls->micro;
    for (int i = 0; i < cuts->count; i++)
        parts *= cuts->axis[i] == TIME_BIT ? 1 : decls->axes.data[cuts->axis[i]].size;
    if ((reading->repeated & ~p->table->copies) != 0 && reading->batch % parts != 0)
        fault_shape(p, prepared, "ranks that read the same examples need parts of equal size");
}

/* ---- Sources ------------------------------------------------------------------------------------------------ */

/* The spec of an operator without operands names the result's dims. */
static void check_source_spec(Prepare *p, Prepared *prepared, const View *out)
{
    Letters letters = {0};
    if (spec_is_empty(prepared->op))
        return;
    letters.group[0] = spec_letters(prepared->op->spec, SPEC_RESULT);
    letters_enter(p, prepared, &letters, 0, out);
}

static void prepare_init(Prepare *p, Prepared *prepared, const View *out)
{
    const Op *op = prepared->op;
    const Decls *decls = p->program->decls;
    if ((prepared->passed & TIME_MASK) != 0)
        fault_shape(p, prepared, "the microbatches do not cut parameters");
    else if (out->flat && out->each != EACH_ELEMENT)
        fault_shape(p, prepared, "numbers of rows, columns and tensors have no initial values of their own");
    else if (out->flat && op->tensor >= 0 && unit_offset(&decls->units.data[out->unit], op->tensor) < 0)
        fault_shape(p, prepared, "the tensor is no member of the unit");
    else if (op->out.member >= 0 && op->out.member != op->tensor)
        fault_shape(p, prepared, "a member is drawn with the values of another");
    else if (!out->flat) {
        const Tensor *tensor = &decls->tensors.data[op->tensor];
        bool fits = out->dim_count == tensor->dim_count;
        for (int d = 0; d < tensor->dim_count && fits; d++)
            fits = out->size[d] == tensor->dims[d];
        if (!fits)
            fault_shape(p, prepared,
                        arena_printf(p->ctx->arena, "the result does not have the dims of '%s'", tensor->name));
    }
}

/* For results that hold positions along a dim. */
static bool check_ranges(Prepare *p, Prepared *prepared, const View *out)
{
    if (view_has_segments(out))
        fault_shape(p, prepared, "the pieces of a fused dim are no ranges");
    return !view_has_segments(out);
}

void prepare_source(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    const View *out = &views[op->operand_count];
    check_source_spec(p, prepared, out);
    prepared->flat = out->flat;
    prepared->unit = out->unit;
    prepared->member_count = out->flat ? p->program->decls->units.data[out->unit].member_count : 0;
    prepared->passed = view_mask(out);
    switch (op_source(op->kind)) {
    case SOURCE_FILL:
        return;
    case SOURCE_IOTA:
        if (check_ranges(p, prepared, out) && (out->flat || out->dim_count > 1))
            fault_shape(p, prepared, "positions are an array of one dim, or one number");
        return;
    case SOURCE_READ:
        if (check_ranges(p, prepared, out))
            prepare_read(p, prepared, out);
        return;
    case SOURCE_INIT:
        prepare_init(p, prepared, out);
        return;
    }
    BUG("'%s' has no shape rule", op_name(op));
}

/* ---- Sinks -------------------------------------------------------------------------------------------------- */

void prepare_sink(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    switch (op_sink(op->kind)) {
    case SINK_OUTPUT:
        if (views[0].flat)
            fault_shape(p, prepared, "an output is an array: of a unit's slot, a member");
        else if (view_mask(&views[0]) != 0)
            fault_shape(p, prepared,
                        arena_printf(p->ctx->arena, "'%s' is cut over '%s', an output is whole",
                                     ref_name(p, &op->operand[0]),
                                     axes_text(p->ctx->arena, p->program->decls, view_mask(&views[0]))));
        return;
    }
    BUG("'%s' has no shape rule", op_name(op));
}
