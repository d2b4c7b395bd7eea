/* place_unit_syncs.c - the explicit syncs of a unit's gradient, parameters and states: what each is done on, what it
 * leaves where, and the sums that they leave out. They are chosen as written, right or wrong: check_syncs.c reports
 * those without a lowering, the proof those that are wrong.
 */
#include "algebra/convert.h"
#include "derive/place.h"

/* The syncs of a gradient, in the order of the step. */
typedef struct Gradient {
    const Facts *f;
    int unit;
    const UnitInfo *u;
    UnitChoice *choice;
    DType dtype;
    AxisSet left; /* earlier ones left it in shards over these, if choice->left_in_shards */
} Gradient;

/* ---- One sync ----------------------------------------------------------------------------------------------- */

/* How a sync without shards or segments is done. */
static SyncForm form_of(const Sync *sync, AxisSet axes)
{
    switch (sync->operation) {
    case SYNC_NONE:
        return FORM_NOTHING;
    case SYNC_GATHER:
        return FORM_GATHER;
    case SYNC_BROADCAST:
        return FORM_BROADCAST;
    case SYNC_SUM:
    case SYNC_MEAN:
    case SYNC_MAX:
        return axes.count > 0 ? FORM_ALL_REDUCE : FORM_SCALE;
    case SYNC_EXCHANGE:
        BUG("an exchange of what belongs to a unit");
    }
    BUG("an operation of no kind");
}

static UnitSync written(const Facts *f, const Sync *sync)
{
    AxisSet axes = axes_larger_than_one(f->decls, sync->axes);
    int64_t ranks = sync->operation == SYNC_MEAN ? axes_size(f->decls, axes) : 1;
    return (UnitSync){.sync = sync,
                      .span = sync->span,
                      .form = form_of(sync, axes),
                      .axes = axes,
                      .reduce = sync->operation == SYNC_MAX ? REDUCE_MAX : REDUCE_SUM,
                      .numerator = sync->scale_numerator,
                      .denominator = sync->scale_denominator * ranks};
}

/* What a rank sends of `whole` elements. */
static double elements_sent(const Facts *f, const UnitSync *sync, double whole)
{
    double sent = 0;
    switch (sync->form) {
    case FORM_NOTHING:
    case FORM_GATHER: /* the steps of `stored` do */
    case FORM_SCALE:
        return 0;
    case FORM_ALL_REDUCE:
    case FORM_SEGMENTS:
        return convert_price(CONVERT_ALL_REDUCE, axes_size(f->decls, sync->axes), whole);
    case FORM_INTO_SHARDS:
        return convert_price(CONVERT_REDUCE_SCATTER, axes_size(f->decls, sync->axes), whole);
    case FORM_BROADCAST:
        for (int a = 0; a < sync->axes.count; a++)
            sent += convert_price(CONVERT_BROADCAST, f->decls->axes.data[sync->axes.axis[a]].size, whole);
        return sent;
    }
    BUG("a sync of no form");
}

static double elements_in(const Facts *f, int unit, AxisSet cut)
{
    return (double)f->decls->units.data[unit].elements / (double)axes_size(f->decls, cut);
}

/* ---- Gradients ---------------------------------------------------------------------------------------------- */

/* The elements of some segments of a unit's members. */
static double elements_of_segments(const Facts *f, int unit, unsigned which)
{
    const Unit *u = &f->decls->units.data[unit];
    double elements = 0;
    for (int position = 0; position < u->member_count; position++) {
        const Tensor *tensor = &f->decls->tensors.data[u->members[position]];
        const Segments *segments = tensor_segments(tensor);
        Dim dims[STEP_MAX_DIMS];
        unit_member_dims(f->decls, u, position, dims);
        double others = 1, ours = 0;
        for (int i = 0; i < tensor->dim_count; i++)
            if (tensor->segments[i] != segments)
                others *= (double)dims[i].size;
        for (int i = 0; segments != NULL && i < segments->count; i++)
            if (which >> i & 1)
                ours += (double)segments->size[i];
        elements += others * ours;
    }
    return elements;
}

static void add_to(Gradient *g, UnitSyncs *list, UnitSync sync)
{
    AxisSet cut = sync.from_shard ? sync.found : g->choice->accumulated;
    double whole = sync.form == FORM_SEGMENTS ? elements_of_segments(g->f, g->unit, sync.segments)
                                              : elements_in(g->f, g->unit, cut);
    sync.elements = elements_sent(g->f, &sync, whole);
    vec_push(g->f->ctx->arena, list, sync);
}

static void add_written(Gradient *g, UnitSyncs *list, const Sync *written_sync)
{
    UnitChoice *choice = g->choice;
    UnitSync sync = written(g->f, written_sync);
    bool left = choice->left_in_shards;
    sync.waits = written_sync->waits;
    sync.converted = written_sync->has_dtype && written_sync->dtype != g->dtype;
    sync.dtype = written_sync->dtype;
    sync.guarded = written_sync->moment == SYNC_AFTER_MICROBATCH;
    sync.microbatch = written_sync->microbatch;
    sync.found = g->left;
    sync.from_shard = left;
    if (written_sync->segments != 0) {
        sync.form = FORM_SEGMENTS;
        sync.segments = written_sync->segments;
    } else if (written_sync->into_shards && sync.axes.count > 0) {
        sync.form = FORM_INTO_SHARDS;
        sync.from_shard = false;
        sync.put_back_before = left;
        choice->left_in_shards = axes_equal(sync.axes, g->u->optimizer);
        sync.put_back_after = !choice->left_in_shards;
        g->left = sync.axes;
    }
    add_to(g, list, sync);
}

/* What follows a microbatch's reduction into shards, in that microbatch, is done on its shards: done on the
 * accumulator, it would reduce what earlier microbatches left there once more. What is only started (of a single
 * microbatch) works on the accumulator, which is there until the step. */
static bool is_of_shard(const UnitInfo *u, const Sync *sync)
{
    return u->microbatch_sync != NULL && !sync->waits && sync->segments == 0;
}

static UnitSyncs *list_at(const Gradient *g, const Sync *sync)
{
    UnitChoice *choice = g->choice;
    switch (sync->moment) {
    case SYNC_EACH_MICROBATCH:
        return is_of_shard(g->u, sync) ? &choice->each_shard : &choice->each_microbatch;
    case SYNC_AFTER_MICROBATCH:
        return &choice->after_microbatch;
    case SYNC_AT_STEP:
        return &choice->at_step;
    case SYNC_AT_START:
    case SYNC_AT_USE:
        break;
    }
    BUG("gradients are not synchronised then");
}

static void add_at(Gradient *g, SyncMoment moment)
{
    const Facts *f = g->f;
    for (int i = 0; i < f->assignment->syncs.count; i++) {
        const Sync *sync = &f->assignment->syncs.data[i];
        if (sync->moment != moment || sync == g->u->microbatch_sync ||
            !derive_sync_names(sync, SYNC_GRADIENTS, g->unit))
            continue;
        if (sync->operation == SYNC_NONE)
            add_to(g, &g->choice->at_step, written(f, sync)); /* at no moment */
        else
            add_written(g, list_at(g, sync), sync);
    }
}

/* If syncs name some segments of a gradient but not all of it: the others. */
static unsigned other_segments(const Facts *f, int unit)
{
    unsigned named = 0;
    for (int i = 0; i < f->assignment->syncs.count; i++) {
        const Sync *sync = &f->assignment->syncs.data[i];
        if (!derive_sync_names(sync, SYNC_GRADIENTS, unit))
            continue;
        if (sync->segments == 0)
            return 0;
        named |= sync->segments;
    }
    if (named == 0)
        return 0;
    const Segments *segments = tensor_segments(&f->decls->tensors.data[f->decls->units.data[unit].members[0]]);
    return segments != NULL ? ~named & ((1u << segments->count) - 1) : 0;
}

/* The sum over `axes` of what no sync names. */
static void add_derived(Gradient *g, SyncForm form, AxisSet axes, unsigned segments)
{
    if (axes.count == 0 || (form == FORM_SEGMENTS && segments == 0))
        return;
    add_to(g, &g->choice->completed,
           (UnitSync){.span = g->u->gradient_span,
                      .form = form,
                      .axes = axes,
                      .segments = segments,
                      .from_shard = g->choice->left_in_shards,
                      .found = g->left,
                      .numerator = 1,
                      .denominator = 1});
}

void place_gradient_syncs(const Facts *f, int unit, const UnitInfo *u, AxisSet rest, UnitChoice *choice)
{
    Gradient g = {.f = f, .unit = unit, .u = u, .choice = choice};
    if (!u->explicit_gradients)
        return;
    for (int i = 0; i < f->decls->states.count; i++)
        if (u->has_state[i] && f->decls->states.data[i].kind == STATE_GRADIENTS)
            g.dtype = f->decls->states.data[i].dtype;
    add_at(&g, SYNC_EACH_MICROBATCH);
    add_at(&g, SYNC_AFTER_MICROBATCH);
    add_at(&g, SYNC_AT_STEP);
    add_derived(&g, FORM_SEGMENTS, axes_larger_than_one(f->decls, u->partial), other_segments(f, unit));
    add_derived(&g, FORM_ALL_REDUCE, rest, 0);
}

/* ---- Parameters --------------------------------------------------------------------------------------------- */

UnitSync *place_parameter_sync(const Facts *f, int unit)
{
    for (int i = 0; i < f->assignment->syncs.count; i++) {
        const Sync *sync = &f->assignment->syncs.data[i];
        if (!derive_sync_names(sync, SYNC_PARAMETERS, unit) || sync->moment != SYNC_AT_STEP)
            continue;
        UnitSync *found = arena_make(f->ctx->arena, UnitSync);
        *found = written(f, sync);
        return found;
    }
    return NULL;
}

static bool communicates(const UnitSync *sync)
{
    return (sync->form == FORM_ALL_REDUCE || sync->form == FORM_BROADCAST) && sync->axes.count > 0;
}

static bool steps_communicate(const UnitSteps *steps)
{
    bool any = false;
    for (int i = 0; i < steps->count; i++)
        any |= op_info[steps->data[i].kind].op_class == CLASS_COMM;
    return any;
}

static void add_start(const Facts *f, int unit, AxisSet cut, UnitChoice *choice)
{
    for (int i = 0; i < f->assignment->syncs.count; i++) {
        const Sync *sync = &f->assignment->syncs.data[i];
        if (sync->moment != SYNC_AT_START || !derive_sync_names(sync, SYNC_PARAMETERS, unit))
            continue;
        UnitSync start = written(f, sync);
        start.elements = elements_sent(f, &start, elements_in(f, unit, cut));
        vec_push(f->ctx->arena, &choice->at_start, start);
    }
}

/* ---- States ------------------------------------------------------------------------------------------------- */

static const RoutineFacts *step_of(const Facts *f)
{
    for (int i = 0; i < f->reference->routines.count; i++)
        if (f->routines[i].routine->kind == ROUTINE_STEP)
            return &f->routines[i];
    BUG("a program without a step");
}

/* Does an operator of the level write this state of the tensor? */
static bool writes_state(const Facts *f, const RoutineFacts *step, int level, int tensor, int state)
{
    for (int i = 0; i < step->flat.count; i++) {
        const Op *op = step->flat.data[i].op;
        const RefOp *info = &f->ops[op->id];
        if (info->level == level && info->tensor == tensor && op_has_result(op->kind) &&
            f->buffers[op->out.buffer].role == ROLE_STATE && f->reference->buffers.data[op->out.buffer].state == state)
            return true;
    }
    return false;
}

/* The last level that writes it; -1 none. */
static int last_write(const Facts *f, const RoutineFacts *step, int tensor, int state)
{
    int level = step->level_count - 1;
    while (level >= 0 && !writes_state(f, step, level, tensor, state))
        level--;
    return level;
}

/* In the order written. */
static void add_states(const Facts *f, int unit, const UnitInfo *u, UnitChoice *choice)
{
    const RoutineFacts *step = step_of(f);
    int tensor = f->decls->units.data[unit].members[0];
    for (int i = 0; i < f->assignment->syncs.count; i++)
        for (int state = 0; state < f->decls->states.count; state++) {
            const Sync *sync = &f->assignment->syncs.data[i];
            if (!units_names_state(f, sync, unit, state))
                continue;
            int level = last_write(f, step, tensor, state);
            if (level < 0)
                continue;
            StateSync found = {level, state, written(f, sync)};
            found.sync.elements = elements_sent(f, &found.sync, elements_in(f, unit, u->state_cut[state]));
            found.sync.waits = sync->waits && communicates(&found.sync);
            vec_push(f->ctx->arena, &choice->states, found);
        }
}

void place_stored_syncs(const Facts *f, int unit, const UnitInfo *u, UnitChoice *choice)
{
    UnitSync *sync = choice->parameter;
    if (sync != NULL) {
        sync->elements = elements_sent(f, sync, elements_in(f, unit, u->parameters));
        sync->waits = sync->sync->waits && (communicates(sync) || steps_communicate(&choice->stored));
    }
    add_start(f, unit, u->parameters, choice);
    add_states(f, unit, u, choice);
}
