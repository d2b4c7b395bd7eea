/* derive.c - from the reference and the assignment to the program: buffers of the units, then routine by routine. */
#include "derive/derive.h"
#include "base/change.h"
#include "derive/internal.h"

#include <string.h>

/* ---- Roles of the reference's buffers ----------------------------------------------------------------------- */

static bool in_some_unit(const Decls *decls, int tensor)
{
    for (int i = 0; tensor >= 0 && i < decls->units.count; i++)
        if (unit_offset(&decls->units.data[i], tensor) >= 0)
            return true;
    return false;
}

/* Its index among the states that the program declares; -1 none. */
static int declared_index(const Assignment *assignment, const State *state)
{
    for (int i = 0; i < assignment->declared_states.count; i++)
        if (strcmp(assignment->declared_states.data[i], state->name) == 0)
            return i;
    return -1;
}

static RefBuffer classify(const Derive *d, const Buffer *buffer)
{
    static const Role roles[] = {[STATE_PARAMETERS] = ROLE_PARAMETER,
                                 [STATE_GRADIENTS] = ROLE_GRADIENT,
                                 [STATE_OPTIMIZER] = ROLE_STATE,
                                 [STATE_STATISTICS] = ROLE_PLAIN};
    RefBuffer info = {.role = ROLE_PLAIN, .tensor = -1, .updates = -1, .sum = -1};
    if (buffer->state >= 0 && in_some_unit(d->decls, buffer->tensor)) {
        info.role = roles[d->decls->states.data[buffer->state].kind];
        info.tensor = buffer->tensor;
        info.each = d->decls->states.data[buffer->state].each;
        if (declared_index(d->assignment, &d->decls->states.data[buffer->state]) >= 0)
            info.updates = buffer->state;
    }
    return info;
}

/* ---- Units -------------------------------------------------------------------------------------------------- */

static const Sync *find_sync(const Derive *d, SyncTarget target)
{
    for (int i = 0; i < d->assignment->syncs.count; i++)
        if (d->assignment->syncs.data[i].target == target)
            return &d->assignment->syncs.data[i];
    return NULL;
}

/* An explicit sync that does what a gradient stored in shards needs: it reduces each microbatch into the shards, before
 * anything else. It then applies to that microbatch's gradient; any other sync applies to the accumulator. */
static const Sync *find_microbatch_sync(const Derive *d, int unit)
{
    const UnitInfo *u = &d->units[unit];
    const Sync *found = NULL;
    for (int i = 0; i < d->assignment->syncs.count; i++) {
        const Sync *sync = &d->assignment->syncs.data[i];
        if (!derive_sync_names(sync, SYNC_GRADIENTS, unit) || sync->operation == SYNC_NONE)
            continue;
        if (sync->into_shards ? found != NULL : found == NULL)
            return NULL;
        found = sync->into_shards ? sync : found;
    }
    if (found == NULL || u->gradients.count == 0 ||
        !axes_equal(axes_larger_than_one(d->decls, found->axes), u->gradients))
        return NULL;
    bool each = found->moment == SYNC_EACH_MICROBATCH || d->decls->micro == 1;
    return each && !found->waits && !found->has_dtype ? found : NULL;
}

/* Can a gradient stored in shards be accumulated in them despite its syncs? Yes if these leave the axes that shard it
 * alone, and do the same on shards as on the whole. */
static bool leaves_pieces(const Derive *d, int unit)
{
    const UnitInfo *u = &d->units[unit];
    for (int i = 0; i < d->assignment->syncs.count; i++) {
        const Sync *sync = &d->assignment->syncs.data[i];
        if (!derive_sync_names(sync, SYNC_GRADIENTS, unit) || sync->operation == SYNC_NONE)
            continue;
        if (sync->into_shards || sync->segments != 0 || axes_common(u->gradients, sync->axes).count > 0)
            return false;
    }
    return true;
}

static void read_placement(Derive *d, int unit, const UnitPlacement *placement)
{
    UnitInfo *u = &d->units[unit];
    u->placement = placement;
    u->parameters = axes_larger_than_one(d->decls, placement->parameters.rest);
    u->gradients = axes_larger_than_one(d->decls, placement->gradients.rest);
    u->optimizer = axes_larger_than_one(d->decls, placement->optimizer.rest);
    u->gathered = axes_larger_than_one(d->decls, placement->parameters.use).count == 0;
    for (int i = 0; i < d->assignment->syncs.count; i++)
        u->explicit_gradients |= derive_sync_names(&d->assignment->syncs.data[i], SYNC_GRADIENTS, unit);
    if (u->explicit_gradients)
        u->microbatch_sync = find_microbatch_sync(d, unit);
    u->pieces =
        u->gradients.count > 0 && (!u->explicit_gradients || u->microbatch_sync != NULL || leaves_pieces(d, unit));
}

/* Why a sync is not a reduction into shards as find_microbatch_sync accepts it: what it says too much, or too
 * little. */
static const char *why_no_reduction(Derive *d, const UnitInfo *u, const Sync *sync)
{
    bool into = sync->into_shards && axes_equal(axes_larger_than_one(d->decls, sync->axes), u->gradients);
    if (into && (sync->moment == SYNC_EACH_MICROBATCH || d->decls->micro == 1) && sync->has_dtype)
        return arena_printf(d->ctx->arena, "with `in %s` it is done on copies of the whole", dtype_name(sync->dtype));
    if (into && (sync->moment == SYNC_EACH_MICROBATCH || d->decls->micro == 1) && sync->waits)
        return "with `wait` it is only started";
    return "this one is no such reduction";
}

/* Gradients stored in shards are reduced into them, microbatch by microbatch: with a sync over the same axes that is
 * not such a reduction, the placement would have no effect. */
static void check_cut_gradients(Derive *d, int unit)
{
    const UnitInfo *u = &d->units[unit];
    if (u->gradients.count == 0 || u->pieces || d->failed)
        return;
    const char *axes = axes_words(d, u->gradients);
    const Sync *sync = NULL;
    for (int i = d->assignment->syncs.count - 1; i >= 0; i--)
        if (derive_sync_names(&d->assignment->syncs.data[i], SYNC_GRADIENTS, unit) &&
            d->assignment->syncs.data[i].operation != SYNC_NONE)
            sync = &d->assignment->syncs.data[i];
    Diagnostic *report = diag_report(d->ctx->diag, P0210, u->placement->gradients.span,
                                     "gradients cut over '%s', which a sync leaves whole", axes);
    diag_label(report, sync->span, "done on the whole gradient, where it was added up");
    diag_why(
        report,
        "What is stored sharded is reduced into its shards, each microbatch; a sync is done as it is written, and %s: "
        "nothing would be stored sharded.",
        why_no_reduction(d, u, sync));
    diag_repair(report, (Repair){.kind = REPAIR_INTO_PIECES, .span = sync->span, .axes = axes});
    diag_repair(report, (Repair){.kind = REPAIR_WHOLE_GRADIENTS,
                                 .span = u->placement->gradients.span,
                                 .otherwise = "Leave the cut of the gradients out, or the sync."});
    d->failed = true;
}

static int add_state(Derive *d, int unit, int state_index, AxisSet cut, Span span)
{
    static const Category categories[] = {[STATE_PARAMETERS] = CATEGORY_PARAMETERS,
                                          [STATE_GRADIENTS] = CATEGORY_GRADIENTS,
                                          [STATE_OPTIMIZER] = CATEGORY_OPTIMIZER};
    const State *state = &d->decls->states.data[state_index];
    int index = derive_add_unit_buffer(d, unit, state->name, state->dtype, categories[state->kind], cut, span);
    Buffer *buffer = &d->program->buffers.data[index];
    buffer->state = state_index;
    buffer->each = state->each;
    buffer->persistent = state->kind != STATE_GRADIENTS;
    return index;
}

static void add_gradients(Derive *d, int unit, int state)
{
    UnitInfo *u = &d->units[unit];
    Span span = derive_gradient_span(d, unit);
    u->accumulator = add_state(d, unit, state, u->pieces ? u->gradients : (AxisSet){0}, span);
    u->contribution = u->accumulator;
    d->program->buffers.data[u->accumulator].rest_tier = u->placement->gradients.tier;
    if (u->pieces) {
        u->contribution = derive_add_temporary(d, unit, "contribution", u->accumulator, (AxisSet){0}, span);
        d->program->buffers.data[u->contribution].slots = 1;
    }
}

/* Do the unit's parameters have the state? Its rule may declare it for others only. */
static bool has_state(const Derive *d, int unit, int state)
{
    for (int i = 0; i < d->reference->buffers.count; i++) {
        const Buffer *buffer = &d->reference->buffers.data[i];
        if (buffer->state == state && buffer->tensor == d->decls->units.data[unit].members[0])
            return true;
    }
    return false;
}

/* Where the strategy stores it: like the optimizer's states, unless the program declares it. */
static const StatePlacement *state_placement(const Derive *d, int unit, const State *state)
{
    int declared = declared_index(d->assignment, state);
    const UnitPlacement *placement = d->units[unit].placement;
    return declared >= 0 ? &placement->declared[declared] : &placement->optimizer;
}

static AxisSet state_cut(const Derive *d, int unit, const State *state, Span *span)
{
    const StatePlacement *placement = state_placement(d, unit, state);
    *span = span_known(placement->span) ? placement->span : derive_optimizer_span(d, unit);
    return state->each == EACH_ELEMENT ? axes_larger_than_one(d->decls, placement->rest) : (AxisSet){0};
}

static void add_unit(Derive *d, int unit)
{
    UnitInfo *u = &d->units[unit];
    Span span;
    u->full_buffer = u->local_shard = u->parameter_buffer = u->accumulator = u->contribution = -1;
    u->state_buffer = arena_array(d->ctx->arena, int, d->decls->states.count + 1);
    u->state_cut = arena_array(d->ctx->arena, AxisSet, d->decls->states.count + 1);
    for (int i = 0; i < d->decls->states.count; i++) {
        const State *state = &d->decls->states.data[i];
        u->state_buffer[i] = -1;
        if (!state->per_parameter || !has_state(d, unit, i))
            continue;
        switch (state->kind) {
        case STATE_PARAMETERS:
            u->parameter_buffer = add_state(d, unit, i, u->parameters, derive_parameter_span(d, unit));
            d->program->buffers.data[u->parameter_buffer].rest_tier = u->placement->parameters.tier;
            break;
        case STATE_GRADIENTS:
            add_gradients(d, unit, i);
            break;
        case STATE_STATISTICS: /* in no unit */
            break;
        case STATE_OPTIMIZER:
            u->state_cut[i] = state_cut(d, unit, state, &span);
            u->state_buffer[i] = add_state(d, unit, i, u->state_cut[i], span);
            d->program->buffers.data[u->state_buffer[i]].rest_tier = state_placement(d, unit, state)->tier;
            break;
        }
    }
}

/* ---- Members that need different conversions ---------------------------------------------------------------- */

static bool counts_rows(const Decls *decls)
{
    for (int i = 0; i < decls->states.count; i++)
        if (decls->states.data[i].each == EACH_ROW || decls->states.data[i].each == EACH_COLUMN)
            return true;
    return false;
}

/* The axes that shard a member's last dim: its columns, and not its rows. */
static AxisSet column_cuts(const Derive *d, const Unit *unit, int position)
{
    AxisSet axes = {0};
    Dim dims[STEP_MAX_DIMS];
    int last = d->decls->tensors.data[unit->members[position]].dim_count - 1;
    unit_member_dims(d->decls, unit, position, dims);
    for (int c = 0; last >= 0 && c < dims[last].cut_count; c++)
        axes.axis[axes.count++] = dims[last].cut[c];
    return axes_larger_than_one(d->decls, axes);
}

/* Can two members share a unit? Their gradients must be summed over the same axes and, if there are per-row or
 * per-column states, the same axes must shard their columns. */
static bool same_part(const Derive *d, const Unit *unit, int x, int y)
{
    AxisSet sums_x = derive_gradient_axes(d, unit->members[x], unit->first_layer),
            sums_y = derive_gradient_axes(d, unit->members[y], unit->first_layer);
    if (!axes_equal(sums_x, sums_y))
        return false;
    return !counts_rows(d->decls) || axes_equal(column_cuts(d, unit, x), column_cuts(d, unit, y));
}

static const char *part_name(const Derive *d, const Unit *whole, int first)
{
    AxisSet axes = derive_gradient_axes(d, whole->members[first], whole->first_layer);
    AxisSet more = axes_without(axes, d->batch), less = axes_without(d->batch, axes);
    bool sums = false, columns = false;
    for (int i = 0; i < whole->member_count; i++) {
        sums |= !axes_equal(axes, derive_gradient_axes(d, whole->members[i], whole->first_layer));
        columns |= !axes_equal(column_cuts(d, whole, first), column_cuts(d, whole, i));
    }
    const char *name = whole->name;
    if (sums && axes.count == 0)
        name = arena_printf(d->ctx->arena, "%s.whole", name);
    else if (sums && less.count > 0)
        name = arena_printf(d->ctx->arena, "%s.only_%s_sums", name, axes_name(d, axes));
    else if (sums && more.count > 0)
        name = arena_printf(d->ctx->arena, "%s.%s_sums", name, axes_name(d, more));
    if (columns && counts_rows(d->decls) && column_cuts(d, whole, first).count > 0)
        name = arena_printf(d->ctx->arena, "%s.%s_columns", name, axes_name(d, column_cuts(d, whole, first)));
    return name;
}

/* Splits off the members of a unit that belong with the one at `first`: a unit of their own if those are not all. */
static void add_part(Derive *d, const Unit *whole, int first, DeclUnits *units)
{
    Unit part = *whole;
    bool cut = whole->member_dims != NULL;
    part.member_count = 0;
    part.members = arena_array(d->ctx->arena, int, whole->member_count);
    part.offsets = arena_array(d->ctx->arena, int64_t, whole->member_count);
    part.member_dims = cut ? arena_array(d->ctx->arena, Dim, whole->member_count * STEP_MAX_DIMS) : NULL;
    for (int i = 0; i < whole->member_count; i++) {
        if (!same_part(d, whole, first, i))
            continue;
        if (cut)
            memcpy(&part.member_dims[part.member_count * STEP_MAX_DIMS], &whole->member_dims[i * STEP_MAX_DIMS],
                   sizeof(Dim) * STEP_MAX_DIMS);
        part.members[part.member_count++] = whole->members[i];
    }
    part.name = part_name(d, whole, first);
    unit_lay_out(d->decls, &part);
    vec_push(d->ctx->arena, units, part);
}

static void split_unit(Derive *d, const Unit *whole, DeclUnits *units)
{
    for (int i = 0; i < whole->member_count; i++) {
        bool done = false;
        for (int j = 0; j < i; j++)
            done |= same_part(d, whole, i, j);
        if (!done)
            add_part(d, whole, i, units);
    }
}

static void split_sync(const Derive *d, Sync *sync, const int *first)
{
    const int *units = sync->units;
    int count = sync->unit_count;
    sync->unit_count = 0;
    sync->units = arena_array(d->ctx->arena, int, first[d->assignment->units.count] + 1);
    for (int i = 0; i < count; i++)
        for (int unit = first[units[i]]; unit < first[units[i] + 1]; unit++)
            sync->units[sync->unit_count++] = unit;
}

static void split_units(Derive *d)
{
    Assignment *split = arena_make(d->ctx->arena, Assignment);
    DeclUnits units = {0};
    int count = d->assignment->units.count, *first = arena_array(d->ctx->arena, int, count + 1);
    *split = *d->assignment;
    memset(&split->units, 0, sizeof(split->units));
    for (int i = 0; i < count; i++) {
        split_unit(d, &d->assignment->units.data[i].unit, &units);
        first[i + 1] = units.count;
        for (int unit = first[i]; unit < units.count; unit++) {
            UnitPlacement placement = d->assignment->units.data[i];
            placement.unit = units.data[unit];
            vec_push(d->ctx->arena, &split->units, placement);
        }
    }
    memset(&split->syncs, 0, sizeof(split->syncs));
    for (int i = 0; i < d->assignment->syncs.count; i++) {
        Sync sync = d->assignment->syncs.data[i];
        split_sync(d, &sync, first);
        vec_push(d->ctx->arena, &split->syncs, sync);
    }
    d->decls->units = units;
    d->assignment = split;
}

static AxisSet member_cuts(const Derive *d, int unit)
{
    const Unit *u = &d->decls->units.data[unit];
    Place place = place_whole();
    AxisSet axes = {0};
    for (int i = 0; u->member_dims != NULL && i < u->member_count * STEP_MAX_DIMS; i++)
        for (int c = 0; c < u->member_dims[i].cut_count; c++)
            place.on[u->member_dims[i].cut[c]] = 0;
    for (int a = 0; a < d->decls->axes.count; a++)
        if (place.on[a] == 0 && d->decls->axes.data[a].size > 1)
            axes.axis[axes.count++] = (int8_t)a;
    return axes;
}

/* A state that none of the selected parameters has cannot be synchronised. */
static void check_state_syncs(Derive *d)
{
    for (int i = 0; i < d->assignment->syncs.count; i++) {
        const Sync *sync = &d->assignment->syncs.data[i];
        bool found = sync->target != SYNC_STATE;
        for (int unit = 0; unit < d->decls->units.count; unit++)
            for (int state = 0; state < d->decls->states.count; state++)
                found |= d->units[unit].state_buffer[state] >= 0 && derive_names_state(d, sync, unit, state);
        if (found)
            continue;
        const char *name = sync->declared >= 0 ? d->assignment->declared_states.data[sync->declared] : "optimizer";
        name = sync->state != NULL ? sync->state : name;
        diag_report(d->ctx->diag, P0201, sync->span, "these parameters have no state of '%s'", name);
        d->failed = true;
    }
}

static void find_sums(Derive *d)
{
    d->gradient_sums.count = 0;
    for (int i = 0; !d->failed && i < d->reference->routines.count; i++) {
        const Routine *routine = &d->reference->routines.data[i];
        d->cut = routine->kind != ROUTINE_PREDICT;
        if (routine->kind != ROUTINE_INIT)
            derive_find_sums(d, routine);
    }
}

/* Reports a tier for the states of an optimizer that has none. */
static void check_optimizer_tier(Derive *d)
{
    const UnitPlacement *tiered = NULL;
    for (int unit = 0; unit < d->decls->units.count; unit++) {
        tiered = d->units[unit].placement->optimizer.tier != TIER_DEVICE ? d->units[unit].placement : tiered;
        for (int state = 0; state < d->decls->states.count; state++)
            if (d->units[unit].state_buffer[state] >= 0 && d->decls->states.data[state].kind == STATE_OPTIMIZER)
                return;
    }
    if (tiered == NULL)
        return;
    Diagnostic *report = diag_report(d->ctx->diag, P0210, tiered->optimizer.span, "this optimizer has no states");
    diag_why(report, "There is nothing of it that could rest on another tier.");
    diag_help(report, "Leave the statement out.");
    d->failed = true;
}

static void make_units(Derive *d)
{
    find_sums(d);
    if (!d->failed && derive_find_parted(d))
        find_sums(d);
    if (d->failed)
        return;
    split_units(d);
    d->units = arena_array(d->ctx->arena, UnitInfo, d->decls->units.count + 1);
    for (int i = 0; i < d->decls->units.count; i++) {
        read_placement(d, i, &d->assignment->units.data[i]);
        check_cut_gradients(d, i);
        d->units[i].partial =
            derive_gradient_axes(d, d->decls->units.data[i].members[0], d->decls->units.data[i].first_layer);
        d->units[i].member_cuts = member_cuts(d, i);
        add_unit(d, i);
    }
    check_state_syncs(d);
    check_optimizer_tier(d);
}

/* ---- Routines ----------------------------------------------------------------------------------------------- */

static void reset_units(Derive *d)
{
    for (int i = 0; i < d->decls->units.count; i++) {
        UnitInfo *u = &d->units[i];
        memset(u->gathered_pass, 0, sizeof(u->gathered_pass));
        u->filled = false;
        u->started.count = 0;
        u->left_shard = u->gradient_seen = u->parameter_seen = -1;
    }
}

static void derive_routine(Derive *d, const Routine *routine)
{
    Routine derived = {.kind = routine->kind, .every = routine->every, .span = routine->span};
    reset_units(d);
    d->cut = routine->kind != ROUTINE_PREDICT;
    derive_micro(d, routine, &derived.body);
    derive_flat(d, routine, &derived.body);
    if (routine->kind == ROUTINE_STEP)
        derive_check_travelled(d);
    derive_float_waits(d, &derived.body);
    vec_push(d->ctx->arena, &d->program->routines, derived);
}

static int most_loop_id(const NodeList *list)
{
    int most = -1;
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        int inner = most_loop_id(&node->body);
        most = inner > most ? inner : most;
        if (node->kind == NODE_LOOP && node->loop.id > most)
            most = node->loop.id;
    }
    return most;
}

/* The program's own declarations: derivation splits units, and passes add tables. */
static Decls *start_decls(Ctx *ctx, const Train *train, const Assignment *assignment)
{
    Decls *decls = arena_make(ctx->arena, Decls);
    *decls = train->decls;
    decls->maps = assignment->maps;
    memset(&decls->tables, 0, sizeof decls->tables);
    for (int i = 0; i < train->decls.tables.count; i++)
        vec_push(ctx->arena, &decls->tables, train->decls.tables.data[i]);
    memset(&decls->units, 0, sizeof decls->units);
    for (int i = 0; i < assignment->units.count; i++)
        vec_push(ctx->arena, &decls->units, assignment->units.data[i].unit);
    return decls;
}

static Derive *start(Ctx *ctx, const Train *train, const Assignment *assignment)
{
    Derive *d = arena_make(ctx->arena, Derive);
    *d = (Derive){.ctx = ctx,
                  .train = train,
                  .assignment = assignment,
                  .decls = start_decls(ctx, train, assignment),
                  .reference = train->reference,
                  .program = arena_make(ctx->arena, Program),
                  .buffer_names = str_table_new(ctx->arena),
                  .batch = axes_larger_than_one(&train->decls, assignment->batch_axes),
                  .readers = axes_larger_than_one(&train->decls, assignment->reader_axes),
                  .micro_loop = -1,
                  .ref_loop = -1,
                  .group = -1};
    d->program->decls = d->decls;
    d->local_count = find_sync(d, SYNC_COUNT) != NULL;
    d->norm_sync = find_sync(d, SYNC_NORM);
    d->loss_sync = find_sync(d, SYNC_LOSS);
    d->buffers = arena_array(ctx->arena, RefBuffer, train->reference->buffers.count + 1);
    for (int i = 0; i < train->reference->buffers.count; i++)
        d->buffers[i] = classify(d, &train->reference->buffers.data[i]);
    d->recomputed = arena_array(ctx->arena, bool, assignment->recomputed.count + 1);
    int loops = 0;
    for (int i = 0; i < train->reference->routines.count; i++) {
        int most = most_loop_id(&train->reference->routines.data[i].body);
        loops = most >= loops ? most + 1 : loops;
    }
    d->loop_map = arena_array(ctx->arena, int, loops + 1);
    return d;
}

static bool check_request(Derive *d)
{
    if (d->batch.count < STEP_MAX_CUTS)
        return true;
    diag_report(d->ctx->diag, P0290, d->assignment->batch_span,
                "a batch cut over more than %d axes is not supported yet", STEP_MAX_CUTS - 1);
    return false;
}

StepFile *derive_program(Ctx *ctx, const Train *train, const Assignment *assignment)
{
    Derive *d = start(ctx, train, assignment);
    if (!check_request(d))
        return NULL;
    derive_flow(d);
    derive_find_recomputed(d);
    derive_find_kept(d);
    derive_find_synced(d);
    if (!d->failed)
        make_units(d);
    for (int i = 0; !d->failed && i < train->reference->routines.count; i++)
        derive_routine(d, &train->reference->routines.data[i]);
    if (!d->failed)
        derive_check_done(d);
    derive_check_recomputed(d);
    if (!d->failed)
        derive_keep_on_tiers(d);
    if (d->failed)
        return NULL;
    derive_split_recomputed(d);
    StepFile *file = arena_make(ctx->arena, StepFile);
    *file = (StepFile){.decls = d->decls, .reference = train->reference, .program = d->program};
    return file;
}

StepFile *derive_step(Ctx *ctx, const Train *train, const Assignment *assignment)
{
    StepFile *file = derive_program(ctx, train, assignment);
    return file != NULL && derive_report_idle(ctx, train, assignment, file) ? NULL : file;
}
