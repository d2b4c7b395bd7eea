/* cause_code.c - the cause of a fault: the finding says how a value differs, the chain of operators that leads to it
 * which line the user would edit, and which of several codes with the same numbers it is.
 */
#include "verify/cause.h"

static AxisMask reduced_large_axes(const Diagnose *d, const Cause *cause)
{
    return large_axes(d->program->decls, chain_axes(&cause->chain));
}

static DiagCode code_of_weight(Diagnose *d, Cause *cause)
{
    AxisMask axes = reduced_large_axes(d, cause);
    cause->culprit = chain_reductions(&cause->chain, axes).last;
    cause->finding.axes = axes;
    for (int a = 0; a < d->program->decls->axes.count; a++) {
        AxisMask bit = axes & (AxisMask)1 << a;
        Reductions found = chain_reductions(&cause->chain, bit);
        if (found.count > 1 && is_power_of_size(d->program->decls, bit, cause->finding.ratio)) {
            cause->culprit = found.last;
            cause->finding.axes = bit;
            return P0302;
        }
    }
    return P0303;
}

static DiagCode code_of_partial(Diagnose *d, Cause *cause)
{
    AxisMask others = reduced_large_axes(d, cause) & ~cause->finding.axes;
    const Op *other = chain_reductions(&cause->chain, others).last;
    if (other != NULL && is_power_of_size(d->program->decls, others, cause->finding.ratio)) {
        cause->culprit = other;
        return P0314;
    }
    return P0301;
}

/* Some microbatches are missing, or count differently. */
static DiagCode code_of_time(Diagnose *d, Cause *cause)
{
    Finding *finding = &cause->finding;
    finding->axes = reduced_large_axes(d, cause);
    Reductions found = chain_reductions(&cause->chain, finding->axes);
    bool in_micro = found.in_micro != NULL;
    cause->culprit = in_micro && finding->covered ? found.in_micro : found.last;
    if (finding->covered && !in_micro)
        finding->axes = TIME_MASK;
    if (finding->in_norm)
        return P0309;
    if (finding->covered)
        return in_micro ? P0305 : P0312;
    return in_micro ? P0304 : P0301;
}

/* Does another buffer hold, at the routine's end, what this one should? */
static bool is_held_elsewhere(const Diagnose *d, const Combo *expected)
{
    for (int p = 0; p < d->program->class_count; p++)
        for (int i = 0; i < d->program->cell_count; i++) {
            Cell cell = d->program->classes[p].cell[i];
            if (cell.combo != NULL && combo_equal(cell_contents(d->program, cell), expected))
                return true;
        }
    return false;
}

/* The code for a gradient with this finding; the caller replaces it for other kinds of value. */
static DiagCode code_of_finding(Diagnose *d, Cause *cause)
{
    Finding *finding = &cause->finding;
    if (is_squared_early(d, cause)) {
        finding->in_norm = true;
        finding->kind = FINDING_PARTIAL;
    }
    switch (finding->kind) {
    case FINDING_PARTIAL:
        return finding->in_norm ? P0309 : code_of_partial(d, cause);
    case FINDING_LATE:
        cause->culprit = chain_reductions(&cause->chain, finding->axes).last;
        return finding->in_norm ? P0309 : P0304;
    case FINDING_TIME:
        return code_of_time(d, cause);
    case FINDING_WEIGHT:
        return finding->in_norm ? P0310 : code_of_weight(d, cause);
    case FINDING_COUNTS:
        cause->culprit = chain_reductions(&cause->chain, finding->axes).last;
        return P0312;
    case FINDING_REPEATED:
        return P0311;
    case FINDING_SEED:
        return P0313;
    case FINDING_JOINED:
        cause->culprit = chain_reductions(&cause->chain, finding->axes).last;
        return P0360;
    case FINDING_APART:
        return P0361;
    case FINDING_STALE:
        return is_held_elsewhere(d, cause->fault->expected) ? P0306 : P0316;
    case FINDING_PLACE:
        return P0306;
    case FINDING_GUARDED:
    case FINDING_OTHER:
        return finding->in_norm ? P0309 : cause->fault->kind == FAULT_GRADIENT ? P0320 : P0316;
    case FINDING_POISON:
        /* A reduced piece was put back among parts that are not reduced. */
        if (cause->fault->kind == FAULT_GRADIENT && finding->poison->kind == POISON_PARTIAL_CUT &&
            finding->poison->op->kind == OP_PLACE_SHARD)
            return P0308;
        cause->culprit = chain_reductions(&cause->chain, ~TIME_MASK).last;
        return P0320;
    }
    BUG("finding %d", finding->kind);
}

/* Axes over which the pieces are summed after slicing are not where a reduction is missing. */
static void leave_summed_later(const Chain *chain, Finding *finding)
{
    AxisMask later = 0;
    for (int i = 0; i < chain->count && chain->link[i].op->kind != OP_SLICE; i++)
        if (op_reduces(chain->link[i].op->kind))
            later |= reduced_axes(chain->link[i].op);
    if ((finding->axes & MESH_MASK & ~later) != 0)
        finding->axes &= ~later;
}

Cause cause_of(Diagnose *d, const Faults *faults, const Fault *fault)
{
    Cause cause = {.fault = fault, .count = 1};
    int gradient = 0, state;
    if (fault->kind == FAULT_MISSING) {
        cause.code = fault->state >= 0 ? P0316 : P0315;
        cause.finding.kind = FINDING_OTHER;
        return cause;
    }
    if (fault->kind == FAULT_GRADIENT)
        op_is_update(fault->op->kind, &gradient, &state);
    cause.finding = finding_of(d->program->table, faults, fault, is_norm(fault));
    ChainPart part = {fault->tensor, cause.finding.part_first, cause.finding.part_end};
    if (fault->op != NULL)
        cause.chain = chain_of(d->file->program, d->routine, fault->op, gradient, part);
    if (cause.finding.sliced)
        leave_summed_later(&cause.chain, &cause.finding);
    cause.code = code_of_finding(d, &cause);
    if (fault->found->poison != NULL && fault->found->poison->kind == POISON_UNWRITTEN)
        cause.code = P0316;
    if (fault->kind == FAULT_OUTPUT && cause_row(cause.code)->of_gradients)
        cause.code = P0315;
    bool parameters = fault->state >= 0 && d->program->decls->states.data[fault->state].kind == STATE_PARAMETERS;
    if (fault->kind == FAULT_STATE && cause_row(cause.code)->of_gradients && (cause.code != P0306 || !parameters))
        cause.code = P0316;
    if (fault->kind == FAULT_GRADIENT && cause.code == P0306)
        cause.code = P0316;
    if (cause.code == P0309 || cause.code == P0310)
        set_norm(d, &cause);
    if (cause.code == P0306)
        cause.culprit = find_placing(&d->ops, fault->buffer);
    if (cause.code == P0316 && fault->kind == FAULT_STATE)
        cause.culprit = weighing_sum(d, &cause);
    return cause;
}
