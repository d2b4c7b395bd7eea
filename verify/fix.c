/* fix.c - derives the repairs of a cause (verify/fix.h).
 *
 * The diagnosis knows the statement at fault and what its value lacks, but not the program's text. So it describes the
 * repair as data; whoever has the text turns that into a change and proves the result.
 */
#include "verify/fix.h"

#include "verify/changed.h"

#include <string.h>

/* ---- Without the weights by each rank's own count ----------------------------------------------------------- */

static bool same_line(const Op *a, const Op *b)
{
    return a->kind == b->kind && a->span.source == b->span.source && a->span.start == b->span.start;
}

/* 1 for the weight and for every other weight from its line. */
static bool leave_unweighed(void *context, Op *op)
{
    if (same_line(op, context))
        op->scale = (Scale){1, 1, ""};
    return true;
}

/* Is the routine right without the weight? */
static bool right_unweighed(Arena *arena, const StepFile *file, const Routine *routine, Op weight)
{
    Rerun run;
    StepFile changed = *file;
    changed.program = program_changed(arena, file->program, routine->kind, leave_unweighed, &weight);
    return demand_again(arena, &changed, routine->kind, &run) && run.faults.list.count == 0;
}

const Op *fix_local_weight(const Ops *ops)
{
    for (int i = 0; i < ops->count; i++)
        if (ops->link[i].op->kind == OP_SCALE && ops->link[i].op->scale.local_extents[0] != 0)
            return ops->link[i].op;
    return NULL;
}

const Op *fix_find_counts(const StepFile *file, const Routine *routine, const Ops *ops)
{
    const Op *weight = fix_local_weight(ops);
    if (weight == NULL || !span_known(weight->span))
        return NULL;
    Arena *arena = arena_new();
    bool right = right_unweighed(arena, file, routine, *weight);
    arena_free(arena);
    return right ? weight : NULL;
}

/* The weight that belongs to a reduction: that of a mean or of a statement. */
static const Op *scale_of(const Cause *cause)
{
    for (int i = 0; i < cause->chain.count; i++) {
        const Op *op = cause->chain.link[i].op;
        if (op->kind == OP_SCALE && cause->culprit != NULL && span_known(op->span) &&
            op->span.source == cause->culprit->span.source && op->span.start == cause->culprit->span.start)
            return op;
    }
    return NULL;
}

/* ---- What would repair it ----------------------------------------------------------------------------------- */

/* "data, node" */
static const char *axes_list(Arena *arena, const Decls *decls, AxisMask axes)
{
    Text text = {.arena = arena};
    text_add_bytes(&text, "", 0);
    for (int a = 0; a < decls->axes.count; a++)
        if (axes >> a & 1)
            text_add(&text, "%s%s", text.length > 0 ? ", " : "", decls->axes.data[a].name);
    return text.data;
}

/* The fraction with which the reduction at fault should enter the sum: its present weight divided by the excess. */
static Repair repair_of_weight(const Cause *cause)
{
    const Op *scale = scale_of(cause);
    Rational now =
        scale != NULL ? rational_make(scale->scale.numerator, scale->scale.denominator) : rational_make(1, 1);
    Rational wanted = rational_divide(now, cause->finding.ratio);
    return (Repair){.kind = REPAIR_WEIGH, .numerator = wanted.numerator, .denominator = wanted.denominator};
}

/* Of an output: true if it is a loss or metric that is partial, or weighted. */
static bool repair_output(Arena *arena, const Decls *decls, const Cause *cause, Repair *repair)
{
    if (cause->finding.kind == FINDING_PARTIAL)
        *repair = (Repair){.kind = REPAIR_SUM, .target = "loss"};
    else if (cause->derived_loss && cause->culprit != NULL)
        *repair =
            (Repair){.kind = REPAIR_MEAN_OF_LOSSES, .axes = axes_list(arena, decls, reduced_axes(cause->culprit))};
    else
        *repair = repair_of_weight(cause);
    return cause->fault->kind == FAULT_OUTPUT &&
           (cause->finding.kind == FINDING_PARTIAL || cause->finding.kind == FINDING_WEIGHT);
}

/* The repair that the error code suggests; false if what it needs is not known. */
static bool repair_of_cause(Arena *arena, const Decls *decls, const Cause *cause, Repair *repair)
{
    const Finding *finding = &cause->finding;
    const CauseRow *row = cause_row(cause->code);
    *repair = (Repair){.kind = cause->counts != NULL ? REPAIR_COUNTS : row->repair, .target = row->target};
    if (cause->counts != NULL)
        return true;
    switch (row->needs) {
    case NEEDS_NOTHING:
        return true;
    case NEEDS_AXES:
        return finding->axes != 0;
    case NEEDS_RANK_AXES:
        return (finding->axes & ~TIME_MASK) != 0;
    case NEEDS_CULPRIT:
        return cause->culprit != NULL;
    case NEEDS_PARTIAL:
        return finding->kind == FINDING_PARTIAL;
    case NEEDS_WEIGHT:
        *repair = repair_of_weight(cause);
        return cause->culprit != NULL && finding->ratio.numerator != 0;
    case NEEDS_LOSS:
        return repair_output(arena, decls, cause, repair);
    case NEEDS_NEVER:
        return false;
    }
    BUG("a repair that needs what is none");
}

void fix_suggest(Ctx *ctx, const StepFile *file, const Cause *cause, Span primary, Diagnostic *diagnostic)
{
    const Decls *decls = file->program->decls;
    Repair repair;
    if (!repair_of_cause(ctx->arena, decls, cause, &repair))
        return;
    repair.span = cause->culprit != NULL ? cause->culprit->span : primary;
    if (repair.axes == NULL)
        repair.axes = axes_list(ctx->arena, decls, cause->finding.axes & ~TIME_MASK);
    diag_repair(diagnostic, repair);
    if (cause->code != P0308)
        return;
    repair.kind = REPAIR_SHARD_OPTIMIZER;
    diag_repair(diagnostic, repair);
}
