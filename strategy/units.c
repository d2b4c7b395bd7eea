/* units.c - requests to units: parameters of one group and layer range whose placements and syncs are the same are in
 * one unit.
 *
 * The layers of a group are first divided wherever a request begins or ends, then adjacent ranges that do not differ
 * are joined again. The work depends only on the number of these boundaries, not on the number of layers.
 */
#include "base/change.h"
#include "strategy/internal.h"
#include "strategy/staging.h"

#include <stdlib.h>
#include <string.h>

/* What determines the unit of a parameter. */
typedef struct Key {
    AxisSet cuts;              /* the axes over which its dims are sharded */
    Request const **cut_by;    /* per axis, the request for that; NULL: none */
    StatePlacement *placement; /* by Subject; unused for activations */
    int update_rule;
    bool *synced; /* per sync request */
    bool frozen;
    StageSet stages; /* of a pipeline: the sections that use it */
    int64_t chunk;   /* and the chunk of layers that has it, where chunks may be of several blocks */
} Key;

/* ---- Which request applies ---------------------------------------------------------------------------------- */

const Request *strategy_winner(const Evaluation *e, Subject subject, int axis, int tensor, int64_t layer)
{
    const Request *winner = NULL;
    int best = -1;
    for (int i = 0; i < e->requests.count; i++) {
        const Request *request = &e->requests.data[i];
        if (request->subject != subject || request->axis != axis)
            continue;
        int specificity = selection_specificity(&request->selection, tensor, layer);
        bool named_alone = winner != NULL && specificity == best && request->together && !winner->together &&
                           request->factor != winner->factor;
        if (specificity >= 0 && specificity >= best && !named_alone) {
            winner = request;
            best = specificity;
        }
    }
    return winner;
}

/* A copy that is gathered over two axes is one copy. */
static void check_kept(const Evaluation *e, const Request *gathered, const Request *request)
{
    if (e->contested || gathered == NULL || gathered->kept_for_step == request->kept_for_step)
        return;
    Diagnostic *d = diag_report(e->ctx->diag, P0209, request->span,
                                "one copy gathered over two axes is kept until two different moments");
    diag_label(d, gathered->span, "gathered over '%s' here", e->decls->axes.data[gathered->axis].name);
}

static const char *const tier_words[] = {
    [TIER_DEVICE] = "on the device", [TIER_HOST] = "on the host", [TIER_FILE] = "in a file"};

/* A state is stored in one place, over however many axes it is sharded. */
static void check_tiers(const Evaluation *e, const Request *tiered, const Request *request)
{
    if (e->contested || tiered == NULL || !request->tier_given || request->tier == tiered->tier)
        return;
    Diagnostic *d = diag_report(e->ctx->diag, P0209, request->span, "one state is stored %s and %s",
                                tier_words[tiered->tier], tier_words[request->tier]);
    diag_label(d, tiered->span, "placed over '%s' here", e->decls->axes.data[tiered->axis].name);
}

/* The request that applies over an axis. Where another request shards a dim of the parameter over it, all states of the
 * parameter are sharded over it: a statement that names several axes together then means the others, and one of
 * another strategy about all parameters nothing more. */
static const Request *find_winner(const Evaluation *e, const Key *key, Subject subject, int axis, int tensor,
                                  int64_t layer)
{
    const Request *request = strategy_winner(e, subject, axis, tensor, layer);
    if (request == NULL || key->cut_by[axis] == NULL || request == key->cut_by[axis])
        return request;
    bool about_all = request->rest && !request->tier_given && request->factor != key->cut_by[axis]->factor &&
                     selection_specificity(&request->selection, tensor, layer) == 0;
    return request->together || about_all ? NULL : request;
}

/* The tier on which a state is stored, if a statement gives the tier alone; it overrides a tier inherited from another
 * state. */
static void find_tier(const Evaluation *e, Subject subject, int tensor, int64_t layer, bool inherits,
                      StatePlacement *placement)
{
    const Request *request = strategy_winner(e, subject, NO_AXIS, tensor, layer);
    if (request == NULL)
        return;
    if (!e->contested && !inherits && placement->tier != TIER_DEVICE && placement->tier != request->tier) {
        Diagnostic *d = diag_report(e->ctx->diag, P0209, request->span, "'%s' is stored on two tiers",
                                    strategy_subject_name(e, subject));
        diag_label(d, placement->span, "stored on the other by this statement");
    }
    placement->tier = request->tier;
    if (!span_known(placement->span))
        placement->span = request->span;
}

static StatePlacement find_placement(const Evaluation *e, const Key *key, Subject subject, int tensor, int64_t layer)
{
    StatePlacement placement = {.keep = KEEP_PASS};
    const Request *gathered = NULL, *tiered = NULL;
    for (int axis = 0; axis < e->decls->axes.count; axis++) {
        const Request *request = find_winner(e, key, subject, axis, tensor, layer);
        if (request == NULL)
            continue;
        if (request->dim != NULL) {
            if (!span_known(placement.span))
                placement.span = request->span;
            if (request->rest && !request->use)
                placement.joined.axis[placement.joined.count++] = (int8_t)axis;
            continue;
        }
        check_tiers(e, tiered, request);
        if (request->tier != TIER_DEVICE)
            placement.tier = request->tier;
        if (request->tier_given)
            tiered = request;
        if (!span_known(placement.span) || (request->rest && placement.rest.count == 0))
            placement.span = request->span;
        if (request->rest)
            placement.rest.axis[placement.rest.count++] = (int8_t)axis;
        if (request->use)
            placement.use.axis[placement.use.count++] = (int8_t)axis;
        if (request->rest && !request->use) {
            check_kept(e, gathered, request);
            gathered = request;
            placement.keep = request->kept_for_step ? KEEP_STEP : KEEP_PASS;
        }
    }
    return placement;
}

static int subject_count(const Evaluation *e)
{
    return SUBJECT_COUNT + e->assignment->declared_states.count;
}

/* Frozen parameters have no gradient, no optimizer state, and no states that the program declares. */
static bool has_subject(const Key *key, Subject subject)
{
    return subject == SUBJECT_PARAMETERS || (!key->frozen && subject != SUBJECT_ACTIVATIONS);
}

/* A rank's piece of a parameter may be sharded once more, over other axes. */
static void check_cut_twice(const Evaluation *e, const Key *key, int tensor, int64_t layer)
{
    for (int i = 0; i < subject_count(e); i++)
        for (int axis = 0; has_subject(key, (Subject)i) && axis < e->decls->axes.count; axis++) {
            const Request *cut = key->cut_by[axis], *request = find_winner(e, key, (Subject)i, axis, tensor, layer);
            if (e->contested || cut == NULL || request == NULL || request == cut || !request->rest)
                continue;
            Diagnostic *d = diag_report(e->ctx->diag, P0209, request->span, "'%s' is sharded twice over '%s'",
                                        e->decls->tensors.data[tensor].name, e->decls->axes.data[axis].name);
            diag_label(d, cut->span, "shards its dim '%s'", cut->dim);
            diag_why(d, "All states of a parameter are sharded like its dims, and an axis shards it only once.");
            diag_help(d, "Leave it out for this parameter: all its states are already sharded by '%s'.", cut->dim);
            diag_help(d, "Or shard one of the two over an axis other than '%s'.", e->decls->axes.data[axis].name);
        }
}

/* Of frozen parameters only the initial values can ever be synchronised. */
static bool names_parameter(const Evaluation *e, const SyncRequest *request, int tensor, int64_t layer)
{
    return (e->decls->tensors.data[tensor].trainable || request->sync.moment == SYNC_AT_START) &&
           selection_specificity(&request->selection, tensor, layer) >= 0;
}

/* The chunk of an interleaved pipeline that has the layer: chunks of several blocks run layers of one in some turns
 * only, so that each has units of its own. */
static int64_t chunk_of(const Evaluation *e, int group, int64_t layer)
{
    int64_t every = staging_apart(e->decls, &e->assignment->pipeline);
    return every > 0 && group >= 0 ? (staging_before(e->decls, group) + layer) / every : 0;
}

static Key find_key(const Evaluation *e, int tensor, int64_t layer)
{
    Key key = {.placement = arena_array(e->ctx->arena, StatePlacement, subject_count(e)),
               .update_rule = e->decls->tensors.data[tensor].update_rule,
               .frozen = !e->decls->tensors.data[tensor].trainable,
               .synced = arena_array(e->ctx->arena, bool, e->syncs.count + 1)};
    key.cut_by = arena_array(e->ctx->arena, const Request *, e->decls->axes.count + 1);
    for (int axis = 0; axis < e->decls->axes.count; axis++) {
        const Request *request = strategy_winner(e, SUBJECT_PARAMETERS, axis, tensor, layer);
        if (request == NULL || request->dim == NULL || !request->rest)
            continue;
        key.cut_by[axis] = request;
        key.cuts.axis[key.cuts.count++] = (int8_t)axis;
    }
    for (int i = 0; i < subject_count(e); i++) {
        if (!has_subject(&key, (Subject)i))
            continue;
        key.placement[i] = find_placement(e, &key, (Subject)i, tensor, layer);
        bool inherits = i >= SUBJECT_COUNT && !span_known(key.placement[i].span);
        if (inherits)
            key.placement[i] = key.placement[SUBJECT_OPTIMIZER];
        find_tier(e, (Subject)i, tensor, layer, inherits, &key.placement[i]);
    }
    check_cut_twice(e, &key, tensor, layer);
    if (e->assignment->pipeline.requested && e->train->reference != NULL)
        key.stages = staging_sections_of(e->train->reference, tensor);
    key.chunk = chunk_of(e, e->decls->tensors.data[tensor].group, layer);
    for (int i = 0; i < e->syncs.count; i++)
        key.synced[i] = names_parameter(e, &e->syncs.data[i], tensor, layer);
    return key;
}

static bool axis_sets_equal(const AxisSet *x, const AxisSet *y)
{
    return x->count == y->count && memcmp(x->axis, y->axis, (size_t)x->count) == 0;
}

static bool keys_equal(const Evaluation *e, const Key *x, const Key *y)
{
    if (!axis_sets_equal(&x->cuts, &y->cuts))
        return false;
    for (int i = 0; i < subject_count(e); i++) {
        const StatePlacement *a = &x->placement[i], *b = &y->placement[i];
        if (!axis_sets_equal(&a->rest, &b->rest) || !axis_sets_equal(&a->use, &b->use) || a->keep != b->keep ||
            !axis_sets_equal(&a->joined, &b->joined) || a->tier != b->tier)
            return false;
    }
    return x->update_rule == y->update_rule && x->stages == y->stages && x->chunk == y->chunk &&
           x->frozen == y->frozen && memcmp(x->synced, y->synced, sizeof(bool) * (size_t)e->syncs.count) == 0;
}

/* ---- Names -------------------------------------------------------------------------------------------------- */

/* The labels that all members share, below the group's own: "mlp"; "" where there are none. */
static const char *common_label(const Evaluation *e, const Unit *unit)
{
    const Tensor *tensors = e->decls->tensors.data;
    const char *first = tensors[unit->members[0]].name;
    size_t length = strlen(first);
    for (int i = 1; i < unit->member_count; i++) {
        const char *name = tensors[unit->members[i]].name;
        size_t common = 0;
        while (common < length && name[common] == first[common])
            common++;
        bool whole = common == length && (name[common] == '.' || name[common] == '\0');
        while (!whole && common > 0 && first[common] != '.')
            common--;
        length = common;
    }
    size_t start = unit->group >= 0 ? strlen(e->decls->groups.data[unit->group].name) + 1 : 0;
    return length > start ? arena_copy(e->ctx->arena, first + start, length - start) : "";
}

static bool name_is_taken(const Evaluation *e, const char *name)
{
    for (int i = 0; i < e->assignment->units.count; i++)
        if (strcmp(e->assignment->units.data[i].unit.name, name) == 0)
            return true;
    return false;
}

/* "outside", "block", "block.0-3", "block.0-3.mlp"; "block.part2" if two would have the same name. */
static const char *unit_name(const Evaluation *e, const Unit *unit, bool whole_group, bool alone)
{
    Arena *arena = e->ctx->arena;
    const char *base = unit->group >= 0 ? e->decls->groups.data[unit->group].name : "outside";
    if (!whole_group && unit->first_layer == unit->last_layer)
        base = arena_printf(arena, "%s.%lld", base, (long long)unit->first_layer);
    else if (!whole_group)
        base = arena_printf(arena, "%s.%lld-%lld", base, (long long)unit->first_layer, (long long)unit->last_layer);
    const char *label = alone ? "" : common_label(e, unit);
    if (label[0] != '\0')
        base = arena_printf(arena, "%s.%s", base, label);
    const char *name = base;
    for (int number = 2; name_is_taken(e, name); number++)
        name = arena_printf(arena, "%s.part%d", base, number);
    return name;
}

/* ---- Units of one layer range ------------------------------------------------------------------------------- */

typedef struct Range {
    int group; /* -1: outside */
    int64_t first, last;
    int *tensors; /* the parameters that are in units, with their keys */
    Key *keys;
    int count;
} Range;

static void add_member(const Evaluation *e, Unit *unit, int tensor, const Key *key)
{
    const Tensor *t = &e->decls->tensors.data[tensor];
    Dim *dims = unit->member_dims != NULL ? &unit->member_dims[unit->member_count * STEP_MAX_DIMS] : NULL;
    for (int i = 0; dims != NULL && i < t->dim_count; i++)
        dims[i] = (Dim){.size = t->dims[i], .segments = t->segments[i]};
    for (int axis = 0; dims != NULL && axis < e->decls->axes.count; axis++) {
        const Request *request = key->cut_by[axis];
        if (request == NULL)
            continue;
        Dim *dim = &dims[strategy_dim_of(e, tensor, request->dim)];
        if (dim->cut_count < STEP_MAX_CUTS)
            dim->cut[dim->cut_count++] = (int8_t)axis;
        else
            diag_report(e->ctx->diag, P0290, request->span, "a dim sharded over more than %d axes is not supported yet",
                        STEP_MAX_CUTS);
    }
    unit->members[unit->member_count++] = tensor;
}

static void add_unit(Evaluation *e, const Range *range, int first, bool *taken, bool whole_group)
{
    Arena *arena = e->ctx->arena;
    Unit unit = {.group = range->group, .first_layer = range->first, .last_layer = range->last};
    unit.members = arena_array(arena, int, range->count);
    unit.offsets = arena_array(arena, int64_t, range->count);
    if (range->keys[first].cuts.count > 0)
        unit.member_dims = arena_array(arena, Dim, range->count * STEP_MAX_DIMS);
    for (int i = first; i < range->count; i++) {
        if (taken[i] || !keys_equal(e, &range->keys[first], &range->keys[i]))
            continue;
        taken[i] = true;
        add_member(e, &unit, range->tensors[i], &range->keys[i]);
    }
    unit_lay_out(e->decls, &unit);
    unit.name = str_intern_z(e->ctx->strings, unit_name(e, &unit, whole_group, unit.member_count == range->count));
    const StatePlacement *placement = range->keys[first].placement;
    UnitPlacement unit_placement = {.unit = unit,
                                    .parameters = placement[SUBJECT_PARAMETERS],
                                    .gradients = placement[SUBJECT_GRADIENTS],
                                    .optimizer = placement[SUBJECT_OPTIMIZER],
                                    .declared = range->keys[first].placement + SUBJECT_COUNT};
    vec_push(arena, &e->assignment->units, unit_placement);
}

static void add_units(Evaluation *e, const Range *range, bool whole_group)
{
    bool *taken = arena_array(e->ctx->arena, bool, range->count + 1);
    for (int i = 0; i < range->count; i++)
        if (!taken[i])
            add_unit(e, range, i, taken, whole_group);
}

/* ---- Layer ranges of one group ------------------------------------------------------------------------------ */

typedef Vec(int64_t) LayerVec;

static int compare_layers(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

static void add_starts(const Evaluation *e, const Selection *selection, int group, LayerVec *starts)
{
    for (int i = 0; i < selection->picks.count; i++) {
        const Pick *pick = &selection->picks.data[i];
        if (pick->tensor < 0 || e->decls->tensors.data[pick->tensor].group != group)
            continue;
        vec_push(e->ctx->arena, starts, pick->first);
        vec_push(e->ctx->arena, starts, pick->last + 1);
    }
}

/* The layers at which some request begins or has ended, in order, each once; the first is 0. */
static LayerVec find_starts(const Evaluation *e, int group, int64_t layers)
{
    LayerVec all = {0}, starts = {0};
    vec_push(e->ctx->arena, &all, 0);
    for (int i = 0; group >= 0 && i < e->requests.count; i++)
        add_starts(e, &e->requests.data[i].selection, group, &all);
    for (int i = 0; group >= 0 && i < e->syncs.count; i++)
        add_starts(e, &e->syncs.data[i].selection, group, &all);
    int64_t every = group >= 0 ? staging_apart(e->decls, &e->assignment->pipeline) : 0;
    for (int64_t layer = 1; every > 0 && layer < layers; layer++)
        if (chunk_of(e, group, layer) != chunk_of(e, group, layer - 1))
            vec_push(e->ctx->arena, &all, layer);
    qsort(all.data, (size_t)all.count, sizeof(int64_t), compare_layers);
    for (int i = 0; i < all.count; i++)
        if (all.data[i] < layers && (starts.count == 0 || all.data[i] > starts.data[starts.count - 1]))
            vec_push(e->ctx->arena, &starts, all.data[i]);
    return starts;
}

static bool picks(const Selection *selection, int tensor)
{
    for (int p = 0; p < selection->picks.count; p++)
        if (selection->picks.data[p].tensor == tensor)
            return true;
    return false;
}

/* Does a rank have only a shard of it, or have it on another tier? */
static bool is_moved(const Evaluation *e, int tensor, int64_t layer)
{
    bool moved = false;
    for (int axis = NO_AXIS; axis < e->decls->axes.count && !moved; axis++) {
        const Request *request = strategy_winner(e, SUBJECT_PARAMETERS, axis, tensor, layer);
        moved = request != NULL && (request->rest || request->tier != TIER_DEVICE);
    }
    return moved;
}

/* A frozen parameter that every rank has on its device and initialises by itself, in all layers, is in no unit; but
 * where chunks have units of their own. */
static bool is_in_units(const Evaluation *e, int tensor, const LayerVec *starts)
{
    const Tensor *t = &e->decls->tensors.data[tensor];
    bool included = t->trainable || (t->group >= 0 && staging_apart(e->decls, &e->assignment->pipeline) > 0);
    for (int i = 0; i < starts->count && !included; i++)
        included = is_moved(e, tensor, starts->data[i]);
    for (int i = 0; i < e->syncs.count && !included; i++)
        included = e->syncs.data[i].sync.moment == SYNC_AT_START && picks(&e->syncs.data[i].selection, tensor);
    return included;
}

static Range find_range(const Evaluation *e, int group, const LayerVec *starts, int64_t first, int64_t last)
{
    Range range = {.group = group, .first = first, .last = last};
    range.tensors = arena_array(e->ctx->arena, int, e->decls->tensors.count + 1);
    range.keys = arena_array(e->ctx->arena, Key, e->decls->tensors.count + 1);
    for (int i = 0; i < e->decls->tensors.count; i++) {
        const Tensor *tensor = &e->decls->tensors.data[i];
        if (tensor->kind != TENSOR_PARAMETER || tensor->group != group || !is_in_units(e, i, starts))
            continue;
        range.tensors[range.count] = i;
        range.keys[range.count++] = find_key(e, i, first);
    }
    return range;
}

static bool ranges_equal(const Evaluation *e, const Range *x, const Range *y)
{
    for (int i = 0; i < x->count; i++)
        if (!keys_equal(e, &x->keys[i], &y->keys[i]))
            return false;
    return true;
}

static void add_group_units(Evaluation *e, int group)
{
    int64_t layers = group >= 0 ? e->decls->groups.data[group].layers : 1;
    LayerVec starts = find_starts(e, group, layers);
    Vec(Range) ranges = {0};
    for (int i = 0; i < starts.count; i++) {
        int64_t last = i + 1 < starts.count ? starts.data[i + 1] - 1 : layers - 1;
        Range range = find_range(e, group, &starts, starts.data[i], last);
        if (ranges.count > 0 && ranges_equal(e, &ranges.data[ranges.count - 1], &range))
            ranges.data[ranges.count - 1].last = last;
        else
            vec_push(e->ctx->arena, &ranges, range);
    }
    for (int i = 0; i < ranges.count; i++)
        add_units(e, &ranges.data[i], ranges.count == 1);
}

/* ---- All ---------------------------------------------------------------------------------------------------- */

/* Frozen parameters are never updated: after the update there is nothing to synchronise. */
static void check_frozen(const Evaluation *e, const Sync *sync)
{
    if (sync->target != SYNC_PARAMETERS || sync->unit_count > 0)
        return;
    Diagnostic *d = diag_report(e->ctx->diag, P0201, sync->span, "these parameters are frozen: no update changes them");
    diag_note(d, "Initial values are synchronised by a 'broadcast ... at start'.");
    diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = sync->span});
}

static bool names_unit(const Sync *sync, int unit)
{
    for (int i = 0; i < sync->unit_count; i++)
        if (sync->units[i] == unit)
            return true;
    return false;
}

/* Does it apply to everything that the other applies to: the same segments, or the whole? */
static bool covers_segments(const Sync *sync, const Sync *other)
{
    return sync->segments == 0 || (other->segments != 0 && (other->segments & ~sync->segments) == 0);
}

/* A `none` for something that another sync names as well has no effect. */
static void check_none(const Evaluation *e, int index)
{
    const Sync *syncs = e->assignment->syncs.data, *none = &syncs[index], *other = NULL;
    bool alone = none->operation != SYNC_NONE || none->derive_rest || none->unit_count == 0;
    for (int u = 0; u < none->unit_count && !alone; u++) {
        bool named = false;
        for (int i = 0; i < e->assignment->syncs.count && !named; i++) {
            named = i != index && syncs[i].target == none->target && syncs[i].declared == none->declared &&
                    syncs[i].moment != SYNC_AT_START && covers_segments(&syncs[i], none) &&
                    names_unit(&syncs[i], none->units[u]);
            other = named ? &syncs[i] : other;
        }
        alone = !named;
    }
    if (alone)
        return;
    Diagnostic *d = diag_report(e->ctx->diag, P0210, none->span, "'none' for something that another sync names");
    diag_label(d, other->span, "this one is done anyway");
    diag_why(d, "Several syncs of one thing are all done, in the order written; `none` adds nothing to them.");
    diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = none->span});
}

/* The microbatch after which a sync of gradients is first done, and last; the end of the step comes after all of
 * them. */
static int64_t first_done(const Sync *sync)
{
    switch (sync->moment) {
    case SYNC_EACH_MICROBATCH:
        return 0;
    case SYNC_AFTER_MICROBATCH:
        return sync->microbatch;
    case SYNC_AT_STEP:
        return INT64_MAX;
    case SYNC_AT_START:
    case SYNC_AT_USE:
        break;
    }
    BUG("a sync of gradients at no moment of theirs");
}
static int64_t last_done(const Evaluation *e, const Sync *sync)
{
    return sync->moment == SYNC_EACH_MICROBATCH ? e->decls->micro - 1 : first_done(sync);
}

static bool share_gradients(const Sync *sync, const Sync *other)
{
    if (sync->segments != 0 && other->segments != 0 && (sync->segments & other->segments) == 0)
        return false;
    for (int u = 0; u < sync->unit_count; u++)
        if (names_unit(other, sync->units[u]))
            return true;
    return false;
}

/* Syncs of one gradient are done in the order written: none is written after another whose moment comes later. */
static void check_order(const Evaluation *e, int index)
{
    const Sync *sync = &e->assignment->syncs.data[index];
    if (sync->target != SYNC_GRADIENTS || sync->operation == SYNC_NONE || !e->known.settings)
        return;
    for (int i = 0; i < index; i++) {
        const Sync *other = &e->assignment->syncs.data[i];
        if (other->target != SYNC_GRADIENTS || other->operation == SYNC_NONE || !share_gradients(sync, other) ||
            last_done(e, sync) >= first_done(other))
            continue;
        Diagnostic *d =
            diag_report(e->ctx->diag, P0206, sync->span, "its moment comes before that of the previous sync");
        diag_label(d, other->span, "written before it, and done later");
        diag_why(d, "Syncs of one gradient are done in the order written, each at its moment.");
        diag_help(d, "Write it first, or give both the same moment.");
        return;
    }
}

/* Are all parameters named by a sync of segments fused, with that many segments? */
static void check_segments(const Evaluation *e, const Sync *sync)
{
    for (int u = 0; u < sync->unit_count && sync->segments != 0; u++) {
        const Unit *unit = &e->assignment->units.data[sync->units[u]].unit;
        for (int m = 0; m < unit->member_count; m++) {
            const Tensor *tensor = &e->decls->tensors.data[unit->members[m]];
            const Segments *segments = tensor_segments(tensor);
            int count = segments != NULL ? segments->count : 0;
            if (sync->segments >> count == 0)
                continue;
            Diagnostic *d = count == 0 ? diag_report(e->ctx->diag, P0206, sync->span,
                                                     "'%s' has no segments: no dim of it is fused", tensor->name)
                                       : diag_report(e->ctx->diag, P0206, sync->span, "'%s' has segments 0 to %d only",
                                                     tensor->name, count - 1);
            diag_label(d, tensor->span, "declared here");
            return;
        }
    }
}

static void resolve_syncs(Evaluation *e)
{
    for (int i = 0; i < e->syncs.count; i++) {
        Sync sync = e->syncs.data[i].sync;
        sync.units = arena_array(e->ctx->arena, int, e->assignment->units.count + 1);
        for (int u = 0; u < e->assignment->units.count; u++) {
            const Unit *unit = &e->assignment->units.data[u].unit;
            if (names_parameter(e, &e->syncs.data[i], unit->members[0], unit->first_layer))
                sync.units[sync.unit_count++] = u;
        }
        check_frozen(e, &sync);
        check_segments(e, &sync);
        vec_push(e->ctx->arena, &e->assignment->syncs, sync);
    }
    for (int i = 0; i < e->assignment->syncs.count; i++) {
        check_none(e, i);
        check_order(e, i);
    }
}

static void add_all_units(Evaluation *e)
{
    for (int group = -1; group < e->decls->groups.count; group++)
        add_group_units(e, group);
}

/* Does a statement about these layers leave others of their block as they are? */
static bool names_some_layers(const Evaluation *e, int group, int64_t first, int64_t last)
{
    return group >= 0 && (first > 0 || last < e->decls->groups.data[group].layers - 1);
}

static bool layers_differ(const Evaluation *e)
{
    const Assignment *a = e->assignment;
    bool differ = false;
    for (int i = 0; i < a->units.count; i++) {
        const Unit *unit = &a->units.data[i].unit;
        differ |= names_some_layers(e, unit->group, unit->first_layer, unit->last_layer);
    }
    for (int i = 0; i < a->recomputed.count; i++)
        differ |=
            names_some_layers(e, a->recomputed.data[i].group, a->recomputed.data[i].first, a->recomputed.data[i].last);
    for (int i = 0; i < a->offloaded.count; i++)
        differ |=
            names_some_layers(e, a->offloaded.data[i].group, a->offloaded.data[i].first, a->offloaded.data[i].last);
    for (int i = 0; i < a->pins.count; i++)
        differ |= names_some_layers(e, a->pins.data[i].group, a->pins.data[i].first, a->pins.data[i].last);
    for (int i = 0; i < a->converted.count; i++)
        differ |=
            names_some_layers(e, a->converted.data[i].group, a->converted.data[i].first, a->converted.data[i].last);
    return differ;
}

/* Interleaved chunks of layers that differ have units of their own, as those of several blocks have. */
static void divide_chunks(Evaluation *e)
{
    if (staging_apart(e->decls, &e->assignment->pipeline) > 0 || !layers_differ(e))
        return;
    e->assignment->pipeline.layers_differ = true;
    if (staging_apart(e->decls, &e->assignment->pipeline) == 0)
        return;
    e->assignment->units.count = 0;
    add_all_units(e);
}

void strategy_make_units(Evaluation *e)
{
    add_all_units(e);
    divide_chunks(e);
    resolve_syncs(e);
}
