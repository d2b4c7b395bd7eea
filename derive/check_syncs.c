/* check_syncs.c - reports explicit syncs of units that have no lowering, and what those in a narrow dtype lose. It
 * walks them in the order of the step: those of microbatches, then level by level what updates read and write. Where
 * several are not supported yet, only the first is reported.
 */
#include "base/change.h"
#include "derive/place.h"

typedef struct Check {
    const Facts *f;
    const UnitInfo *units;
    const UnitChoice *choices;
    const RoutineChoices *step;
    bool failed;
} Check;

/* ---- Reports ------------------------------------------------------------------------------------------------ */

/* Each layer has a slot of the event. */
static void check_started(Check *c, int unit, const UnitSync *sync)
{
    const Unit *u = &c->f->decls->units.data[unit];
    SyncTarget target = sync->sync->target;
    if (c->failed || !sync->waits || u->group < 0 || u->last_layer - u->first_layer < STEP_MOST_EVENT_SLOTS)
        return;
    const char *group = c->f->decls->groups.data[u->group].name;
    Diagnostic *diagnostic = diag_report(c->step->reports, P0290, sync->span,
                                         "one started sync of more than 64 layers of '%s' is not supported yet", group);
    diag_help(diagnostic, "Give every layer a sync of its own: 'sync %s of %s[%lld] : ...'.",
              target == SYNC_GRADIENTS    ? "gradients"
              : target == SYNC_PARAMETERS ? "parameters"
                                          : "optimizer",
              group, (long long)u->first_layer);
    c->failed = true;
}

/* The proof is about exact numbers: the author is responsible for what a narrower dtype loses, and the report says
 * so. */
static void report_narrow(const Check *c, int unit, const UnitSync *sync)
{
    DType dtype = sync->dtype;
    for (int i = 0; i < c->f->decls->states.count; i++)
        if (c->units[unit].has_state[i] && c->f->decls->states.data[i].kind == STATE_GRADIENTS)
            dtype = c->f->decls->states.data[i].dtype;
    if (!sync->converted || sync->axes.count == 0 || dtype_bytes(sync->dtype) >= dtype_bytes(dtype))
        return;
    Diagnostic *diagnostic = diag_report(c->step->reports, P0362, sync->span,
                                         "gradients in %s are rounded to %s before "
                                         "they are summed",
                                         dtype_name(dtype), dtype_name(sync->dtype));
    diag_why(
        diagnostic,
        "The proof is of numbers without rounding and does not see what is lost. It sends %lld bytes an element in "
        "the place of %lld.",
        (long long)dtype_bytes(sync->dtype), (long long)dtype_bytes(dtype));
}

/* The stages of a pipeline run different microbatches, and none of their operators comes after a certain one. */
static void refuse_in_pipeline(Check *c, Span span)
{
    if (!c->failed) {
        Diagnostic *diagnostic = diag_report(c->step->reports, P0290, span,
                                             "a sync after a microbatch, in a pipeline, is not supported yet");
        diag_label(diagnostic, c->f->assignment->pipeline.span, "the pipeline is asked for here");
        diag_repair(diagnostic, (Repair){.kind = REPAIR_LATER, .span = span});
    }
    c->failed = true;
}

static void refuse_gather(Check *c, int unit, const UnitSync *sync, AxisSet needed)
{
    Arena *arena = c->f->ctx->arena;
    const Decls *decls = c->f->decls;
    const UnitInfo *u = &c->units[unit];
    Diagnostic *diagnostic =
        diag_report(c->step->reports, P0306, sync->span, "parameters are gathered over the wrong axes");
    diag_primary_label(diagnostic, "gathers over '%s'", axes_words(arena, decls, sync->sync->axes));
    if (span_known(u->placement->optimizer.span))
        diag_label(diagnostic, u->placement->optimizer.span, "says which piece each rank updates");
    if (needed.count > 0)
        diag_why(diagnostic,
                 "The pieces that the ranks along '%s' updated are put together only by a gather over '%s'.",
                 axes_words(arena, decls, needed), axes_words(arena, decls, needed));
    else
        diag_why(diagnostic, "Every rank updates all that it keeps of these parameters: there is nothing to gather.");
    bool named = needed.count > 0 && !sync->sync->derive_rest;
    diag_repair(diagnostic, (Repair){.kind = named ? REPAIR_AXES : REPAIR_LEAVE_OUT,
                                     .span = sync->span,
                                     .axes = axes_words(arena, decls, needed)});
    c->failed = true;
}

/* ---- Gradients ---------------------------------------------------------------------------------------------- */

static void check_gradient(Check *c, int unit, const UnitSync *sync)
{
    check_started(c, unit, sync);
    bool segments = sync->form == FORM_SEGMENTS;
    if (segments && sync->from_shard) {
        if (!c->failed)
            diag_report(c->step->reports, P0290, sync->span,
                        "a sync of segments after one into shards is not supported "
                        "yet");
        c->failed = true;
    }
    if (!segments || !c->failed)
        report_narrow(c, unit, sync);
}

static void check_gradients(Check *c, int unit, const UnitSyncs *syncs)
{
    for (int i = 0; i < syncs->count; i++)
        check_gradient(c, unit, &syncs->data[i]);
}

/* A microbatch's shards are there wherever they were reduced, in a pipeline, too. */
static void check_shards(const Check *c, int unit, const UnitSyncs *syncs)
{
    for (int i = 0; i < syncs->count; i++)
        report_narrow(c, unit, &syncs->data[i]);
}

static void check_microbatch(Check *c, int unit, const UnitSyncs *syncs)
{
    if (syncs->count > 0 && c->f->assignment->pipeline.requested)
        refuse_in_pipeline(c, syncs->data[syncs->count - 1].span);
    else
        check_gradients(c, unit, syncs);
}

/* ---- Updates ------------------------------------------------------------------------------------------------ */

/* Does an operator of the level, on a member of the unit, read (or write) something of this role? */
static bool touches(const Check *c, int level, int unit, Role role, bool write)
{
    const RoutineFacts *step = c->step->facts;
    bool any = false;
    for (int i = 0; i < step->flat.count; i++) {
        const Op *op = step->flat.data[i].op;
        const RefOp *info = &c->f->ops[op->id];
        if (info->level != level || info->tensor != c->f->decls->units.data[unit].members[0])
            continue;
        for (int o = 0; !write && o < op->operand_count; o++)
            any |= c->f->buffers[op->operand[o].buffer].role == role;
        any |= write && op_has_result(op->kind) && c->f->buffers[op->out.buffer].role == role;
    }
    return any;
}

/* Where the shards that the sync leaves are pieces of those that are gathered, no form has what a rank would then have:
 * some pieces of each. No operation over the axes that are left puts them together either. */
static void refuse_inner(Check *c, const UnitInfo *u, const UnitSync *sync, AxisSet left)
{
    const char *axes = axes_words(c->f->ctx->arena, c->f->decls, left);
    Diagnostic *diagnostic = diag_report(c->step->reports, P0306, sync->span,
                                         "updated pieces of parameters are left ungathered over '%s'", axes);
    if (span_known(u->placement->optimizer.span))
        diag_label(diagnostic, u->placement->optimizer.span, "says which piece each rank updates");
    diag_why(diagnostic,
             "Only a gather puts together what the ranks along '%s' updated: the copies of the others would "
             "not see it.",
             axes);
    diag_repair(diagnostic, (Repair){.kind = REPAIR_LEAVE_OUT, .span = sync->span});
    c->failed = true;
}

static void check_parameter(Check *c, int unit)
{
    const UnitChoice *choice = &c->choices[unit];
    const UnitSync *sync = choice->parameter;
    if (sync == NULL)
        return;
    AxisSet left = choice->ungathered, gathered = choice->gathered_after;
    bool rests = sync->sync->derive_rest;
    bool good = axes_equal(rests ? axes_common(gathered, sync->axes) : gathered, sync->axes);
    if (sync->form == FORM_GATHER && !good)
        refuse_gather(c, unit, sync, gathered);
    else if (rests && left.count > 0 && !axes_equal(left, gathered) &&
             !place_gathers_inner(c->f, &c->units[unit], choice))
        refuse_inner(c, &c->units[unit], sync, left);
    else
        check_started(c, unit, sync);
}

static void check_update(Check *c, int level, int unit)
{
    const UnitChoice *choice = &c->choices[unit];
    if (touches(c, level, unit, ROLE_GRADIENT, false))
        check_gradients(c, unit, &choice->at_step);
    if (touches(c, level, unit, ROLE_PARAMETER, true))
        check_parameter(c, unit);
    for (int i = 0; i < choice->states.count; i++)
        if (choice->states.data[i].level == level)
            check_started(c, unit, &choice->states.data[i].sync);
}

bool place_check_syncs(const Facts *f, const UnitInfo *units, const UnitChoice *choices, const RoutineChoices *step)
{
    Check c = {f, units, choices, step, false};
    bool microbatches = step->facts->cut && step->micro && step->gradients;
    for (int unit = 0; microbatches && unit < f->decls->units.count; unit++)
        check_shards(&c, unit, &choices[unit].each_shard);
    for (int unit = 0; microbatches && unit < f->decls->units.count; unit++)
        check_microbatch(&c, unit, &choices[unit].each_microbatch);
    for (int unit = 0; microbatches && unit < f->decls->units.count; unit++)
        check_microbatch(&c, unit, &choices[unit].after_microbatch);
    for (int level = 1; level < step->facts->level_count; level += 2)
        for (int unit = 0; unit < f->decls->units.count; unit++)
            check_update(&c, level, unit);
    return !c.failed;
}
