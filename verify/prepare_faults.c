/* prepare_faults.c - reports shapes that do not fit: an operator is reported once, and is bad from then on. */
#include "verify/prepare_internal.h"

const char *op_name(const Op *op)
{
    return op_info[op->kind].name;
}

const char *ref_name(const Prepare *p, const Ref *ref)
{
    const Buffer *buffer = &p->program->buffers.data[ref->buffer];
    if (ref->member < 0)
        return buffer->name;
    return arena_printf(p->ctx->arena, "%s:%s", buffer->name, p->program->decls->tensors.data[ref->member].name);
}

void fault_shape(Prepare *p, Prepared *prepared, const char *what)
{
    if (!prepared->bad)
        diag_report(p->ctx->diag, P0334, prepared->op->span, "the shapes of '%s' do not fit: %s", op_name(prepared->op),
                    what);
    prepared->bad = true;
}

void add_pieces(const Prepare *p, Diagnostic *d, const Ref *ref, AxisMask axes)
{
    const Decls *decls = p->program->decls;
    View view;
    view_make(p->program, ref, p->reference, &view);
    int axis = 0, dim = 0;
    while (!(axes >> axis & 1))
        axis++;
    if (axis >= decls->axes.count)
        return;
    while (dim < view.dim_count && !(cuts_mask(&view.dim_cuts[dim]) >> axis & 1))
        dim++;
    if (dim < view.dim_count && view.dim_cuts[dim].segments != NULL)
        return;
    int64_t size = dim < view.dim_count ? view.size[dim] : view.flat ? decls->units.data[view.unit].elements : 0;
    const char *what = dim < view.dim_count ? arena_printf(p->ctx->arena, "dim %d", dim) : "the unit";
    const char *first = arena_printf(p->ctx->arena, "%s 0", decls->axes.data[axis].name);
    const char *second = arena_printf(p->ctx->arena, "%s 1", decls->axes.data[axis].name);
    if (size < 2)
        return;
    diag_counter_example(d,
                         "2 ranks; %s has %lld elements\n%-12s has 0 to %lld\n%-12s has %lld to %lld\n"
                         "1 device     has 0 to %lld",
                         what, (long long)size, first, (long long)((size + 1) / 2 - 1), second,
                         (long long)((size + 1) / 2), (long long)(size - 1), (long long)(size - 1));
}

void fault_cut(Prepare *p, Prepared *prepared, int operand, AxisMask axes)
{
    const Op *op = prepared->op;
    int gradient, state;
    if (prepared->bad)
        return;
    prepared->bad = true;
    const Buffer *buffer = &p->program->buffers.data[op->operand[operand].buffer];
    const char *name = ref_name(p, &op->operand[operand]), *over = axes_text(p->ctx->arena, p->program->decls, axes);
    bool is_gradient =
        (op_is_update(op->kind, &gradient, &state) && operand == gradient) || buffer->category == CATEGORY_GRADIENTS;
    Diagnostic *d;
    if (is_gradient) {
        d = diag_report(p->ctx->diag, P0308, op->span,
                        "gradient '%s' is left sharded over '%s' where '%s' reads it whole", name, over, op_name(op));
        diag_why(d, "'%s' writes the whole '%s', but a rank has only its own part of the gradient.", op_name(op),
                 ref_name(p, &op->out));
        diag_help(d, "reduce the gradient without `into shards`, or shard the optimizer over '%s' as well", over);
    } else {
        d = diag_report(p->ctx->diag, P0307, op->span, "'%s' is sharded over '%s' but used as if it were whole", name,
                        over);
        diag_why(d, "A rank holds only its own part of '%s'; '%s' here needs all of it.", name, op_name(op));
        diag_help(d, "gather it over '%s' before (`gathered` instead of `sharded`)", over);
    }
    diag_primary_label(d, "reads '%s' whole", name);
    diag_label(d, buffer->span, "sharded over '%s' here", over);
    add_pieces(p, d, &op->operand[operand], axes);
}

void fault_letter(Prepare *p, Prepared *prepared, const Letter *letter, const Cuts *cuts, int operand)
{
    AxisMask here = cuts_mask(cuts), before = cuts_mask(&letter->cuts);
    if (operand >= 0 && (here & ~before) != 0)
        fault_cut(p, prepared, operand, here & ~before);
    else if ((before & ~here) != 0 && letter->operand >= 0)
        fault_cut(p, prepared, letter->operand, before & ~here);
    fault_shape(p, prepared, arena_printf(p->ctx->arena, "'%c' is cut in different ways", letter->name));
}

void fault_cut_letter(Prepare *p, Prepared *prepared, const Letter *letter)
{
    if (letter->operand >= 0)
        fault_cut(p, prepared, letter->operand, cuts_mask(&letter->cuts));
    fault_shape(p, prepared, arena_printf(p->ctx->arena, "'%c' is cut, and works as a whole", letter->name));
}

void check_uncut(Prepare *p, Prepared *prepared, const Letter *letter)
{
    if (letter->cuts.count > 0)
        fault_cut_letter(p, prepared, letter);
}
