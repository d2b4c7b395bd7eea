/* cause_state.c - parameters whose copies do not see the update, and other states: P0306, P0316. */
#include "verify/cause.h"

const Op *find_placing(const Ops *ops, int buffer)
{
    for (int i = 0; i < ops->count; i++)
        if (ops->link[i].op->kind == OP_PLACE_SHARD && ops->link[i].op->out.buffer == buffer)
            return ops->link[i].op;
    return NULL;
}

/* ---- Numbers that a state is computed from ------------------------------------------------------------------ */

/* Marks the buffers from which the marked ones are computed; true if there was a new one. */
static bool mark_sources(const Ops *ops, bool *marked)
{
    bool more = false;
    for (int i = 0; i < ops->count; i++) {
        const Op *op = ops->link[i].op;
        if (!op_has_result(op->kind) || !marked[op->out.buffer])
            continue;
        for (int j = 0; j < op->operand_count; j++) {
            more |= !marked[op->operand[j].buffer];
            marked[op->operand[j].buffer] = true;
        }
    }
    return more;
}

/* Is it the sum of a single number, into a marked buffer, that counts it `ratio` times? */
static bool sums_number(const Diagnose *d, const Op *op, const bool *marked, Rational ratio)
{
    if (op->kind != OP_ALL_REDUCE || op->reduce != REDUCE_SUM || !marked[op->out.buffer])
        return false;
    const Buffer *buffer = &d->program->program->buffers.data[op->out.buffer];
    return buffer->layout == LAYOUT_DENSE && buffer->dim_count == 0 &&
           is_power_of_size(d->program->decls, reduced_axes(op), ratio);
}

const Op *weighing_sum(const Diagnose *d, const Cause *cause)
{
    if (cause->fault->buffer < 0 || cause->finding.kind != FINDING_WEIGHT)
        return NULL;
    bool *marked = arena_array(d->ctx->arena, bool, d->program->program->buffers.count + 1);
    marked[cause->fault->buffer] = true;
    while (mark_sources(&d->ops, marked))
        ;
    const Op *sum = NULL;
    for (int i = 0; i < d->ops.count; i++) {
        if (!sums_number(d, d->ops.link[i].op, marked, cause->finding.ratio))
            continue;
        if (sum != NULL)
            return NULL;
        sum = d->ops.link[i].op;
    }
    return sum;
}

/* ---- Reports ------------------------------------------------------------------------------------------------ */

Diagnostic *report_unseen(Diagnose *d, const Cause *cause, Span primary)
{
    Diagnostic *r = diag_report(d->ctx->diag, P0306, primary, "copies of parameter '%s'%s do not see the update",
                                tensor_name(d, cause->fault), others_text(d, cause));
    diag_why(r, "Every rank updates only its own part; the others keep the values from before the step, "
                "because the new parts are never gathered.");
    return r;
}

/* Is the value itself weighted wrongly, or something it is computed from? */
static bool is_weighed_itself(const Cause *cause)
{
    const Combo *found = cause->fault->found;
    for (int i = 0; i < found->count; i++)
        if (found->term[i].value == cause->finding.found)
            return true;
    return false;
}

static void explain_state(Diagnose *d, const Cause *cause, Diagnostic *r)
{
    const Finding *finding = &cause->finding;
    const Poison *poison = finding->poison;
    const char *routine = routine_name(cause->fault->routine);
    if (poison != NULL && poison->op != NULL && poison->kind == POISON_PARTIAL_OPERAND)
        diag_why(r,
                 "'%s' reads a part of a sum over '%s' that is not taken yet, so every rank writes a value of its own "
                 "(rule 'values of the rank').",
                 op_info[poison->op->kind].name, axes_text(d->ctx->arena, d->program->decls, poison->axes & MESH_MASK));
    else if (poison != NULL)
        diag_why(r, "'%s' does not write it%s.", routine,
                 poison->op != NULL ? " on every rank (rule 'values of the rank')" : "");
    else if (finding->kind == FINDING_STALE)
        diag_why(r, "It is still what the step found, and is never updated.");
    else if (finding->kind == FINDING_WEIGHT)
        diag_why(r, "%s is %s one device's.", is_weighed_itself(cause) ? "It" : "A value that it is computed from",
                 ratio_text(d, finding->ratio));
}

Diagnostic *report_state(Diagnose *d, const Cause *cause, Span primary)
{
    const Fault *fault = cause->fault;
    const char *name = tensor_name(d, fault), *more = others_text(d, cause);
    const char *state = fault->state >= 0 ? d->program->decls->states.data[fault->state].name : "";
    Diagnostic *r;
    if (fault->kind == FAULT_MISSING) {
        r = diag_report(d->ctx->diag, P0316, primary, "no buffer stores state '%s' of '%s'%s", state, name, more);
        diag_why(r, "Every element of every state needs a place in which it lives from step to step.");
        return r;
    }
    r = diag_report(d->ctx->diag, P0316, primary, "state '%s' of '%s'%s differs from one device's after '%s'", state,
                    name, more, routine_name(fault->routine));
    explain_state(d, cause, r);
    return r;
}
