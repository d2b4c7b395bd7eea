/* units.c - how units of parameters are stored and used; splits those whose members need different conversions. */
#include "derive/units.h"
#include "base/change.h"
#include "derive/place.h"

#include <string.h>

/* ---- Members that need different conversions ---------------------------------------------------------------- */

static bool counts_rows(const Decls *decls)
{
    for (int i = 0; i < decls->states.count; i++)
        if (decls->states.data[i].each == EACH_ROW || decls->states.data[i].each == EACH_COLUMN)
            return true;
    return false;
}

/* The axes that shard a member's last dim: its columns, and not its rows. */
static AxisSet column_cuts(const Facts *f, const Unit *unit, int position)
{
    AxisSet axes = {0};
    Dim dims[STEP_MAX_DIMS];
    int last = f->decls->tensors.data[unit->members[position]].dim_count - 1;
    unit_member_dims(f->decls, unit, position, dims);
    for (int c = 0; last >= 0 && c < dims[last].cut_count; c++)
        axes.axis[axes.count++] = dims[last].cut[c];
    return axes_larger_than_one(f->decls, axes);
}

/* A unit that is to be split, and per member the axes over which its gradient is summed, and, if there are per-row or
 * per-column states, those that shard its columns. */
typedef struct Whole {
    const Facts *f;
    const Unit *unit;
    AxisSet *sums, *columns;
    int64_t parts; /* that slots of it are cut into, at most */
} Whole;

/* Can two members share a unit? */
static bool same_part(const Whole *w, int x, int y)
{
    return axes_equal(w->sums[x], w->sums[y]) && axes_equal(w->columns[x], w->columns[y]);
}

static const char *part_name(const Whole *w, int first)
{
    const Facts *f = w->f;
    AxisSet axes = w->sums[first], cuts = w->columns[first];
    AxisSet more = axes_without(axes, f->batch), less = axes_without(f->batch, axes);
    bool differ = false, columns = false;
    for (int i = 0; i < w->unit->member_count; i++) {
        differ |= !axes_equal(axes, w->sums[i]);
        columns |= !axes_equal(cuts, w->columns[i]);
    }
    const char *name = w->unit->name;
    if (differ && axes.count == 0)
        name = arena_printf(f->ctx->arena, "%s.whole", name);
    else if (differ && less.count > 0)
        name = arena_printf(f->ctx->arena, "%s.only_%s_sums", name, axes_name(f->ctx->arena, f->decls, axes));
    else if (differ && more.count > 0)
        name = arena_printf(f->ctx->arena, "%s.%s_sums", name, axes_name(f->ctx->arena, f->decls, more));
    if (columns && cuts.count > 0)
        name = arena_printf(f->ctx->arena, "%s.%s_columns", name, axes_name(f->ctx->arena, f->decls, cuts));
    return name;
}

/* The axes that cut the unit's slots of anything. */
static AxisSet all_cuts(const Facts *f, const UnitPlacement *placement)
{
    AxisSet axes = axes_union(f->decls, placement->parameters.rest, placement->parameters.use);
    axes = axes_union(f->decls, axes, placement->gradients.rest);
    axes = axes_union(f->decls, axes, placement->optimizer.rest);
    for (int i = 0; i < f->assignment->declared_states.count; i++)
        axes = axes_union(f->decls, axes, placement->declared[i].rest);
    return axes;
}

/* Elements; the smallest have 2 bytes. Members begin at multiples of 128 bytes, as libraries of a GPU want matrices to;
 * pieces are equal, and multiples of 16 bytes, which it loads at a time. */
enum { MEMBER_MULTIPLE = 64, PIECE_MULTIPLE = 8 };

/* Splits off the members of a unit that belong with the one at `first`: a unit of their own if those are not all. */
static void add_part(const Whole *w, int first, DeclUnits *units)
{
    const Facts *f = w->f;
    const Unit *whole = w->unit;
    Unit part = *whole;
    bool cut = whole->member_dims != NULL;
    part.member_count = 0;
    part.members = arena_array(f->ctx->arena, int, whole->member_count);
    part.offsets = arena_array(f->ctx->arena, int64_t, whole->member_count);
    part.member_dims = cut ? arena_array(f->ctx->arena, Dim, whole->member_count * STEP_MAX_DIMS) : NULL;
    for (int i = 0; i < whole->member_count; i++) {
        if (!same_part(w, first, i))
            continue;
        if (cut)
            memcpy(&part.member_dims[part.member_count * STEP_MAX_DIMS], &whole->member_dims[i * STEP_MAX_DIMS],
                   sizeof(Dim) * STEP_MAX_DIMS);
        part.members[part.member_count++] = whole->members[i];
    }
    part.name = part_name(w, first);
    part.aligned = MEMBER_MULTIPLE;
    part.multiple = PIECE_MULTIPLE * w->parts;
    unit_lay_out(f->decls, &part);
    vec_push(f->ctx->arena, units, part);
}

static bool is_first_of_part(const Whole *w, int member)
{
    for (int i = 0; i < member; i++)
        if (same_part(w, i, member))
            return false;
    return true;
}

static void split_unit(const Facts *f, const Sums *sums, const UnitPlacement *placement, DeclUnits *units)
{
    const Unit *unit = &placement->unit;
    Whole w = {f, unit, arena_array(f->ctx->arena, AxisSet, unit->member_count),
               arena_array(f->ctx->arena, AxisSet, unit->member_count), axes_size(f->decls, all_cuts(f, placement))};
    bool rows = counts_rows(f->decls);
    for (int i = 0; i < unit->member_count; i++) {
        w.sums[i] = sums_of_gradient(sums, unit->members[i], unit->first_layer);
        if (rows)
            w.columns[i] = column_cuts(f, unit, i);
    }
    for (int i = 0; i < unit->member_count; i++)
        if (is_first_of_part(&w, i))
            add_part(&w, i, units);
}

static void split_sync(const Facts *f, Sync *sync, const int *first)
{
    const int *units = sync->units;
    int count = sync->unit_count;
    sync->unit_count = 0;
    sync->units = arena_array(f->ctx->arena, int, first[f->assignment->units.count] + 1);
    for (int i = 0; i < count; i++)
        for (int unit = first[units[i]]; unit < first[units[i] + 1]; unit++)
            sync->units[sync->unit_count++] = unit;
}

static void split_units(Facts *f, const Sums *sums)
{
    Assignment *split = arena_make(f->ctx->arena, Assignment);
    const Decls *decls = f->decls;
    DeclUnits units = {0};
    int count = f->assignment->units.count, *first = arena_array(f->ctx->arena, int, count + 1);
    *split = *f->assignment;
    memset(&split->units, 0, sizeof(split->units));
    for (int i = 0; i < count; i++) {
        split_unit(f, sums, &f->assignment->units.data[i], &units);
        first[i + 1] = units.count;
        for (int unit = first[i]; unit < units.count; unit++) {
            UnitPlacement placement = f->assignment->units.data[i];
            placement.unit = units.data[unit];
            vec_push(f->ctx->arena, &split->units, placement);
        }
    }
    memset(&split->syncs, 0, sizeof(split->syncs));
    for (int i = 0; i < f->assignment->syncs.count; i++) {
        Sync sync = f->assignment->syncs.data[i];
        split_sync(f, &sync, first);
        vec_push(f->ctx->arena, &split->syncs, sync);
    }
    f->decls = arena_make(f->ctx->arena, Decls);
    *f->decls = *decls;
    f->decls->units = units;
    f->assignment = split;
    f->first_unit = derive_first_units(f->ctx->arena, f->decls);
}

Facts *units_split(const Facts *f, const Sums *sums)
{
    Facts *split = arena_make(f->ctx->arena, Facts);
    *split = *f;
    split_units(split, sums);
    return split;
}

/* ---- Which line caused it ----------------------------------------------------------------------------------- */

static Span first_known(Span first, Span second, Span third)
{
    if (span_known(first))
        return first;
    return span_known(second) ? second : third;
}

/* A `sync` with `none` has no operator of its own to point at. */
static Span none_span(const Facts *f, int unit)
{
    for (int i = 0; i < f->assignment->syncs.count; i++) {
        const Sync *sync = &f->assignment->syncs.data[i];
        if (sync->operation == SYNC_NONE && derive_sync_names(sync, SYNC_GRADIENTS, unit))
            return sync->span;
    }
    return (Span){0};
}

static void find_spans(const Facts *f, int unit, UnitInfo *u)
{
    const UnitPlacement *p = u->placement;
    Span train = f->assignment->train_span;
    u->gradient_span =
        first_known(none_span(f, unit), first_known(p->gradients.span, f->assignment->batch_span, train), train);
    u->optimizer_span = first_known(p->optimizer.span, p->parameters.span, train);
    u->parameter_span = first_known(p->parameters.span, p->optimizer.span, train);
}

/* ---- Gradients ---------------------------------------------------------------------------------------------- */

/* An explicit sync that does what a gradient stored in shards needs: it reduces each microbatch into the shards, before
 * anything else. It then applies to that microbatch's gradient; any other sync applies to the accumulator. */
static const Sync *find_microbatch_sync(const Facts *f, int unit, const UnitInfo *u)
{
    const Sync *found = NULL;
    for (int i = 0; i < f->assignment->syncs.count; i++) {
        const Sync *sync = &f->assignment->syncs.data[i];
        if (!derive_sync_names(sync, SYNC_GRADIENTS, unit) || sync->operation == SYNC_NONE)
            continue;
        if (sync->into_shards ? found != NULL : found == NULL)
            return NULL;
        found = sync->into_shards ? sync : found;
    }
    if (found == NULL || u->gradients.count == 0 ||
        !axes_equal(axes_larger_than_one(f->decls, found->axes), u->gradients))
        return NULL;
    bool each = found->moment == SYNC_EACH_MICROBATCH || f->decls->micro == 1;
    return each && !found->waits && !found->has_dtype ? found : NULL;
}

/* Can a gradient stored in shards be accumulated in them despite its syncs? Yes if these leave the axes that shard it
 * alone, and do the same on shards as on the whole. */
static bool leaves_pieces(const Facts *f, int unit, const UnitInfo *u)
{
    for (int i = 0; i < f->assignment->syncs.count; i++) {
        const Sync *sync = &f->assignment->syncs.data[i];
        if (!derive_sync_names(sync, SYNC_GRADIENTS, unit) || sync->operation == SYNC_NONE)
            continue;
        if (sync->into_shards || sync->segments != 0 || axes_common(u->gradients, sync->axes).count > 0)
            return false;
    }
    return true;
}

/* Why a sync is not a reduction into shards as find_microbatch_sync accepts it: what it says too much, or too
 * little. */
static const char *why_no_reduction(const Facts *f, const UnitInfo *u, const Sync *sync)
{
    bool into = sync->into_shards && axes_equal(axes_larger_than_one(f->decls, sync->axes), u->gradients);
    if (into && (sync->moment == SYNC_EACH_MICROBATCH || f->decls->micro == 1) && sync->has_dtype)
        return arena_printf(f->ctx->arena, "with `in %s` it is done on copies of the whole", dtype_name(sync->dtype));
    if (into && (sync->moment == SYNC_EACH_MICROBATCH || f->decls->micro == 1) && sync->waits)
        return "with `wait` it is only started";
    return "this one is no such reduction";
}

/* Gradients stored in shards are reduced into them, microbatch by microbatch: with a sync over the same axes that is
 * not such a reduction, the placement would have no effect. */
static bool check_cut_gradients(const Facts *f, int unit, const UnitInfo *u)
{
    if (u->gradients.count == 0 || u->pieces)
        return true;
    const char *axes = axes_words(f->ctx->arena, f->decls, u->gradients);
    const Sync *sync = NULL;
    for (int i = f->assignment->syncs.count - 1; i >= 0; i--)
        if (derive_sync_names(&f->assignment->syncs.data[i], SYNC_GRADIENTS, unit) &&
            f->assignment->syncs.data[i].operation != SYNC_NONE)
            sync = &f->assignment->syncs.data[i];
    Diagnostic *report = diag_report(f->ctx->diag, P0210, u->placement->gradients.span,
                                     "gradients cut over '%s', which a sync leaves whole", axes);
    diag_label(report, sync->span, "done on the whole gradient, where it was added up");
    diag_why(
        report,
        "What is stored sharded is reduced into its shards, each microbatch; a sync is done as it is written, and %s: "
        "nothing would be stored sharded.",
        why_no_reduction(f, u, sync));
    diag_repair(report, (Repair){.kind = REPAIR_INTO_PIECES, .span = sync->span, .axes = axes});
    diag_repair(report, (Repair){.kind = REPAIR_WHOLE_GRADIENTS,
                                 .span = u->placement->gradients.span,
                                 .otherwise = "Leave the cut of the gradients out, or the sync."});
    return false;
}

/* ---- States ------------------------------------------------------------------------------------------------- */

/* Do the unit's parameters have the state? Its rule may declare it for others only. */
static bool has_state(const Facts *f, int unit, int state)
{
    for (int i = 0; i < f->reference->buffers.count; i++) {
        const Buffer *buffer = &f->reference->buffers.data[i];
        if (buffer->state == state && buffer->tensor == f->decls->units.data[unit].members[0])
            return true;
    }
    return false;
}

bool units_names_state(const Facts *f, const Sync *sync, int unit, int state)
{
    const State *s = &f->decls->states.data[state];
    int declared = -1;
    for (int i = 0; i < f->assignment->declared_states.count; i++)
        if (strcmp(f->assignment->declared_states.data[i], s->name) == 0)
            declared = i;
    bool named = sync->state == NULL || strcmp(s->name, sync->state) == 0;
    return s->kind == STATE_OPTIMIZER && s->per_parameter && declared == sync->declared && named &&
           derive_sync_names(sync, SYNC_STATE, unit);
}

/* Does it select a state of this unit? */
static bool selects_state(const Facts *f, const Sync *sync, int unit, const UnitInfo *u)
{
    for (int state = 0; state < f->decls->states.count; state++)
        if (u->has_state[state] && units_names_state(f, sync, unit, state))
            return true;
    return false;
}

/* A state that none of the selected parameters has cannot be synchronised. */
static bool check_state_syncs(const Facts *f, const UnitInfo *units)
{
    bool all = true;
    for (int i = 0; i < f->assignment->syncs.count; i++) {
        const Sync *sync = &f->assignment->syncs.data[i];
        bool found = sync->target != SYNC_STATE;
        for (int unit = 0; unit < f->decls->units.count; unit++)
            found |= selects_state(f, sync, unit, &units[unit]);
        if (found)
            continue;
        const char *name = sync->declared >= 0 ? f->assignment->declared_states.data[sync->declared] : "optimizer";
        name = sync->state != NULL ? sync->state : name;
        diag_report(f->ctx->diag, P0201, sync->span, "these parameters have no state of '%s'", name);
        all = false;
    }
    return all;
}

/* Reports a tier for the states of an optimizer that has none. */
static bool check_optimizer_tier(const Facts *f, const UnitInfo *units)
{
    const UnitPlacement *tiered = NULL;
    for (int unit = 0; unit < f->decls->units.count; unit++) {
        tiered = units[unit].placement->optimizer.tier != TIER_DEVICE ? units[unit].placement : tiered;
        for (int state = 0; state < f->decls->states.count; state++)
            if (units[unit].has_state[state] && f->decls->states.data[state].kind == STATE_OPTIMIZER)
                return true;
    }
    if (tiered == NULL)
        return true;
    Diagnostic *report = diag_report(f->ctx->diag, P0210, tiered->optimizer.span, "this optimizer has no states");
    diag_why(report, "It has nothing to store on another tier.");
    diag_help(report, "Leave the statement out.");
    return false;
}

const StatePlacement *units_state_placement(const Facts *f, const UnitInfo *unit, const State *state)
{
    int declared = derive_declared_index(f->assignment, state);
    return declared >= 0 ? &unit->placement->declared[declared] : &unit->placement->optimizer;
}

static void find_states(const Facts *f, int unit, UnitInfo *u)
{
    int count = f->decls->states.count + 1;
    u->has_state = arena_array(f->ctx->arena, bool, count);
    u->state_cut = arena_array(f->ctx->arena, AxisSet, count);
    u->state_span = arena_array(f->ctx->arena, Span, count);
    for (int i = 0; i < f->decls->states.count; i++) {
        const State *state = &f->decls->states.data[i];
        u->has_state[i] = state->per_parameter && state->kind != STATE_STATISTICS && has_state(f, unit, i);
        u->has_gradient |= u->has_state[i] && state->kind == STATE_GRADIENTS;
        if (!u->has_state[i] || state->kind != STATE_OPTIMIZER)
            continue;
        const StatePlacement *placement = units_state_placement(f, u, state);
        u->state_span[i] = span_known(placement->span) ? placement->span : u->optimizer_span;
        if (state->each == EACH_ELEMENT)
            u->state_cut[i] = axes_larger_than_one(f->decls, placement->rest);
    }
}

/* ---- Units -------------------------------------------------------------------------------------------------- */

static AxisSet member_cuts(const Facts *f, int unit)
{
    const Unit *u = &f->decls->units.data[unit];
    AxisSet axes = {0};
    for (int i = 0; u->member_dims != NULL && i < u->member_count * STEP_MAX_DIMS; i++) {
        AxisSet cut = {.count = u->member_dims[i].cut_count};
        memcpy(cut.axis, u->member_dims[i].cut, sizeof u->member_dims[i].cut);
        axes = axes_union(f->decls, axes, cut);
    }
    return axes_larger_than_one(f->decls, axes);
}

static void find_unit(const Facts *f, const Sums *sums, int unit, UnitInfo *u)
{
    const Unit *members = &f->decls->units.data[unit];
    u->placement = &f->assignment->units.data[unit];
    u->parameters = axes_larger_than_one(f->decls, u->placement->parameters.rest);
    u->gradients = axes_larger_than_one(f->decls, u->placement->gradients.rest);
    u->optimizer = axes_larger_than_one(f->decls, u->placement->optimizer.rest);
    u->gathered = axes_larger_than_one(f->decls, u->placement->parameters.use).count == 0;
    for (int i = 0; i < f->assignment->syncs.count; i++)
        u->explicit_gradients |= derive_sync_names(&f->assignment->syncs.data[i], SYNC_GRADIENTS, unit);
    if (u->explicit_gradients)
        u->microbatch_sync = find_microbatch_sync(f, unit, u);
    u->pieces =
        u->gradients.count > 0 && (!u->explicit_gradients || u->microbatch_sync != NULL || leaves_pieces(f, unit, u));
    u->partial = sums_of_gradient(sums, members->members[0], members->first_layer);
    u->member_cuts = member_cuts(f, unit);
    find_spans(f, unit, u);
    find_states(f, unit, u);
}

const UnitInfo *units_find(const Facts *f, const Sums *sums)
{
    UnitInfo *units = arena_array(f->ctx->arena, UnitInfo, f->decls->units.count + 1);
    bool good = true;
    for (int i = 0; i < f->decls->units.count; i++) {
        find_unit(f, sums, i, &units[i]);
        good = good && check_cut_gradients(f, i, &units[i]);
    }
    good = check_state_syncs(f, units) && good;
    good = check_optimizer_tier(f, units) && good;
    return good ? units : NULL;
}
