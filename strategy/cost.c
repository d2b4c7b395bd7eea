/* cost.c - what a correct strategy wastes: ranks that repeat work, ranks that have none. */
#include "base/change.h"
#include "strategy/internal.h"

/* The number of ranks that the batch is divided among. */
static int64_t batch_ranks(const Evaluation *e)
{
    const AxisSet *axes = &e->assignment->batch_axes;
    int64_t ranks = 1;
    for (int i = 0; i < axes->count; i++)
        ranks *= e->decls->axes.data[axes->axis[i]].size;
    return ranks;
}

bool strategy_cuts_batch(const Assignment *assignment, int axis)
{
    return axes_contain(assignment->batch_axes, axis) || axes_contain(assignment->copy_axes, axis);
}

/* Do ranks along the axis have different parts of something to compute with? */
static bool divides_work(const Evaluation *e, int axis)
{
    for (int i = 0; i < e->requests.count; i++)
        if (e->requests.data[i].axis == axis && e->requests.data[i].dim != NULL && e->requests.data[i].rest &&
            e->requests.data[i].selection.picks.count > 0)
            return true;
    for (int i = 0; i < e->assignment->activations.count; i++)
        if (e->assignment->activations.data[i].axis == axis)
            return true;
    for (int i = 0; i < e->assignment->pins.count; i++)
        if (e->assignment->pins.data[i].axis == axis && e->assignment->pins.data[i].form == PIN_BY)
            return true;
    return strategy_cuts_batch(e->assignment, axis);
}

static void report_repeated(const Evaluation *e, int index, int64_t ranks)
{
    const Axis *axis = &e->decls->axes.data[index];
    const AstNode *strategy = strategy_setting(e, "strategy");
    int64_t size = axis->size, microbatch = e->train->batch / e->decls->micro;
    Diagnostic *d =
        diag_report(e->ctx->diag, P0350, axis->span, "every rank along '%s' computes the same examples", axis->name);
    if (strategy != NULL)
        diag_label(d, strategy->span, "shards no activations over '%s'", axis->name);
    diag_why(d, "All %lld ranks along '%s' do the work of one: without the axis, 1/%lld of the ranks do the same step.",
             (long long)size, axis->name, (long long)size);
    if (microbatch >= ranks * size)
        diag_note(d,
                  "With the batch sharded over it, each rank computes %s%lld of the %lld examples of a microbatch "
                  "instead of %s%lld.",
                  microbatch % (ranks * size) ? "about " : "", (long long)(microbatch / (ranks * size)),
                  (long long)microbatch, microbatch % ranks ? "about " : "", (long long)(microbatch / ranks));
    else
        diag_help(
            d, "Leave the axis out; or shard the batch over it, with at least %lld examples per microbatch, here %lld.",
            (long long)(ranks * size), (long long)microbatch);
    if (microbatch >= ranks * size)
        diag_repair(d, (Repair){.kind = REPAIR_CUT_BATCH, .axes = axis->name});
}

/* Cuts are balanced, so no rank has two examples before every rank has one. */
static void report_idle(const Evaluation *e, int64_t ranks)
{
    int64_t microbatch = e->train->batch / e->decls->micro;
    Diagnostic *d =
        diag_report(e->ctx->diag, P0351, e->train->batch_span, "%lld of %lld ranks %s no example in a microbatch",
                    (long long)(ranks - microbatch), (long long)ranks, ranks - microbatch == 1 ? "has" : "have");
    diag_label(d, e->assignment->batch_span, "the batch is sharded here");
    diag_why(d, "A microbatch has %lld example%s for %lld ranks; the others wait for those that have one.",
             (long long)microbatch, microbatch == 1 ? "" : "s", (long long)ranks);
    int64_t most = e->train->batch / ranks;
    while (most > 1 && e->train->batch % most != 0)
        most--;
    if (most > 0)
        diag_repair(d, (Repair){.kind = REPAIR_MICROBATCHES, .numerator = most});
    diag_repair(d, (Repair){.kind = REPAIR_BATCH, .numerator = ranks * e->decls->micro});
}

static bool is_staged(const Evaluation *e, int axis)
{
    return e->assignment->pipeline.requested && e->assignment->pipeline.axis == axis;
}

void strategy_report_costs(const Evaluation *e)
{
    int64_t ranks = batch_ranks(e);
    if (e->train->batch <= 0)
        return;
    for (int axis = 0; axis < e->decls->axes.count; axis++)
        if (e->decls->axes.data[axis].size > 1 && !divides_work(e, axis) && !is_staged(e, axis))
            report_repeated(e, axis, ranks);
    if (e->train->batch / e->decls->micro < ranks)
        report_idle(e, ranks);
}
