/* plain.c - prints an assignment as plain statements (strategy/plain.h).
 *
 * Units that are placed alike share a statement. No two statements about one state and axis name the same parameter in
 * the same layer, so that nothing depends on their order, or on which is more specific.
 */
#include "strategy/plain.h"

#include "base/str.h"
#include "strategy/internal.h"

#include <string.h>

typedef struct Plain {
    Arena *arena;
    const Decls *decls;
    const Assignment *assignment;
    Text text;
} Plain;

/* What a statement is about: "a, b", or nothing yet. */
typedef Text List;

static void list_add(List *list, const char *item)
{
    text_add(list, "%s%s", list->length > 0 ? ", " : "", item);
}

static const char *axis_name(const Plain *p, int axis)
{
    return p->decls->axes.data[axis].name;
}

static void print_over(Plain *p, AxisSet axes)
{
    for (int i = 0; i < axes.count; i++)
        text_add(&p->text, "%s%s", i > 0 ? ", " : " over ", axis_name(p, axes.axis[i]));
}

/* ---- Selectors ---------------------------------------------------------------------------------------------- */

/* The layers of each parameter that a statement is about; none: not the parameter. Outside groups it is layer 0. */
typedef struct Named {
    LayerRanges *layers; /* in order, not adjacent */
} Named;

static Named named_nothing(const Plain *p)
{
    return (Named){arena_array(p->arena, LayerRanges, p->decls->tensors.count + 1)};
}

static void name_member(const Plain *p, Named *named, const Unit *unit, int member)
{
    LayerRanges *layers = &named->layers[unit->members[member]];
    if (layers->count > 0 && layers->data[layers->count - 1].last == unit->first_layer - 1)
        layers->data[layers->count - 1].last = unit->last_layer;
    else
        vec_push(p->arena, layers, (Pick){.first = unit->first_layer, .last = unit->last_layer});
}

static void name_unit(const Plain *p, Named *named, const Unit *unit)
{
    for (int m = 0; m < unit->member_count; m++)
        name_member(p, named, unit, m);
}

static bool are_all_layers(const Plain *p, int group, const LayerRanges *layers)
{
    int64_t count = group >= 0 ? p->decls->groups.data[group].layers : 1;
    return layers->count == 1 && layers->data[0].first == 0 && layers->data[0].last >= count - 1;
}

/* "block[0..3, 5].mlp"; of all layers just "block.mlp". */
static const char *in_layers(const Plain *p, int group, const char *label, const LayerRanges *layers)
{
    if (are_all_layers(p, group, layers))
        return label;
    const char *name = p->decls->groups.data[group].name;
    List list = {.arena = p->arena};
    for (int i = 0; i < layers->count; i++) {
        long long first = layers->data[i].first, last = layers->data[i].last;
        list_add(&list, first == last ? arena_printf(p->arena, "%lld", first)
                                      : arena_printf(p->arena, "%lld..%lld", first, last));
    }
    return arena_printf(p->arena, "%s[%s]%s", name, list.data, label + strlen(name));
}

/* The same of one range; of no group the label. */
static const char *in_range(const Plain *p, int group, const char *label, int64_t first, int64_t last)
{
    LayerRanges layers = {0};
    vec_push(p->arena, &layers, (Pick){.first = first, .last = last});
    return group >= 0 ? in_layers(p, group, label, &layers) : label;
}

static bool same_layers(const LayerRanges *x, const LayerRanges *y)
{
    bool same = x->count == y->count;
    for (int i = 0; same && i < x->count; i++)
        same = x->data[i].first == y->data[i].first && x->data[i].last == y->data[i].last;
    return same;
}

/* Are all parameters below the label named in the layers that this one is? */
static bool are_named_alike(const Plain *p, const Named *named, const char *label, int parameter)
{
    bool alike = true;
    for (int t = 0; t < p->decls->tensors.count && alike; t++) {
        const Tensor *tensor = &p->decls->tensors.data[t];
        if (tensor->kind == TENSOR_PARAMETER && label_matches(label, tensor->name))
            alike = same_layers(&named->layers[t], &named->layers[parameter]);
    }
    return alike;
}

/* "block.mlp" for "block.mlp.up.weight", if all that is below it is named, too. */
static const char *shortest_label(const Plain *p, const Named *named, int parameter)
{
    const char *name = p->decls->tensors.data[parameter].name;
    for (const char *dot = strchr(name, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        const char *label = arena_copy(p->arena, name, (size_t)(dot - name));
        if (are_named_alike(p, named, label, parameter))
            return label;
    }
    return name;
}

/* " of wte, block[0..3].mlp"; nothing for all parameters. */
static const char *of_named(const Plain *p, const Named *named)
{
    List list = {.arena = p->arena};
    const char *label = NULL;
    bool all = true;
    for (int t = 0; t < p->decls->tensors.count; t++) {
        const Tensor *tensor = &p->decls->tensors.data[t];
        const LayerRanges *layers = &named->layers[t];
        if (tensor->kind != TENSOR_PARAMETER)
            continue;
        all = all && are_all_layers(p, tensor->group, layers);
        bool below = label != NULL && label_matches(label, tensor->name);
        if (layers->count == 0 || below)
            continue;
        label = shortest_label(p, named, t);
        list_add(&list, in_layers(p, tensor->group, label, layers));
    }
    return all ? "" : arena_printf(p->arena, " of %s", list.data);
}

/* ---- States that are sharded by dims -------------------------------------------------------------------------- */

typedef struct DimCut {
    int axis;
    const char *dim;
    bool joined;
    Named named;
} DimCut;

typedef Vec(DimCut) DimCuts;

static DimCut *find_cut(const Plain *p, DimCuts *cuts, int axis, const char *dim, bool joined)
{
    for (int i = 0; i < cuts->count; i++) {
        DimCut *cut = &cuts->data[i];
        if (cut->axis == axis && cut->joined == joined && strcmp(cut->dim, dim) == 0)
            return cut;
    }
    vec_push(p->arena, cuts, ((DimCut){axis, dim, joined, named_nothing(p)}));
    return &cuts->data[cuts->count - 1];
}

static void add_member_cuts(const Plain *p, DimCuts *cuts, const UnitPlacement *placed, int member)
{
    const Unit *unit = &placed->unit;
    const Tensor *tensor = &p->decls->tensors.data[unit->members[member]];
    for (int d = 0; d < tensor->dim_count; d++) {
        const Dim *dim = &unit->member_dims[member * STEP_MAX_DIMS + d];
        for (int c = 0; c < dim->cut_count; c++) {
            bool joined = axes_contain(placed->parameters.joined, dim->cut[c]);
            name_member(p, &find_cut(p, cuts, dim->cut[c], tensor->dim_names[d], joined)->named, unit, member);
        }
    }
}

static void print_dims(Plain *p)
{
    DimCuts cuts = {0};
    for (int u = 0; u < p->assignment->units.count; u++) {
        const UnitPlacement *placed = &p->assignment->units.data[u];
        for (int m = 0; placed->unit.member_dims != NULL && m < placed->unit.member_count; m++)
            add_member_cuts(p, &cuts, placed, m);
    }
    for (int i = 0; i < cuts.count; i++) {
        const DimCut *cut = &cuts.data[i];
        text_add(&p->text, "    parameters%s %s over %s by %s\n", of_named(p, &cut->named),
                 cut->joined ? "gathered" : "sharded", axis_name(p, cut->axis), cut->dim);
    }
}

/* ---- States of units ------------------------------------------------------------------------------------------ */

/* The states in the order of their statements; those that the program declares come last. */
typedef enum UnitState { UNIT_PARAMETERS, UNIT_GRADIENTS, UNIT_OPTIMIZER, UNIT_DECLARED } UnitState;

static const char *state_name(const Plain *p, int state)
{
    static const char *const names[] = {
        [UNIT_PARAMETERS] = "parameters", [UNIT_GRADIENTS] = "gradients", [UNIT_OPTIMIZER] = "optimizer"};
    return state < UNIT_DECLARED ? names[state] : p->assignment->declared_states.data[state - UNIT_DECLARED];
}

static const StatePlacement *placement_of(const UnitPlacement *placed, int state)
{
    const StatePlacement *const own[] = {[UNIT_PARAMETERS] = &placed->parameters,
                                         [UNIT_GRADIENTS] = &placed->gradients,
                                         [UNIT_OPTIMIZER] = &placed->optimizer};
    return state < UNIT_DECLARED ? own[state] : &placed->declared[state - UNIT_DECLARED];
}

static bool same_placement(const StatePlacement *x, const StatePlacement *y)
{
    return axes_same(x->rest, y->rest) && axes_same(x->use, y->use) && x->keep == y->keep && x->tier == y->tier;
}

/* What holds without a statement: replicated, on the device; of a declared state what holds of the optimizer's. */
static bool is_implied(const UnitPlacement *placed, int state)
{
    static const StatePlacement replicated = {.keep = KEEP_PASS, .tier = TIER_DEVICE};
    return same_placement(placement_of(placed, state), state < UNIT_DECLARED ? &replicated : &placed->optimizer);
}

/* A declared state that is placed otherwise than the optimizer's is so even where it is replicated. */
static void print_placement(Plain *p, const char *subject, bool declared, const StatePlacement *placement)
{
    AxisSet sharded = {0}, gathered = {0};
    for (int i = 0; i < placement->rest.count; i++) {
        int axis = placement->rest.axis[i];
        AxisSet *axes = axes_contain(placement->use, axis) ? &sharded : &gathered;
        axes->axis[axes->count++] = (int8_t)axis;
    }
    if (declared && placement->rest.count == 0)
        text_add(&p->text, "    %s replicated\n", subject);
    if (sharded.count > 0) {
        text_add(&p->text, "    %s sharded", subject);
        print_over(p, sharded);
        text_add(&p->text, "\n");
    }
    if (gathered.count > 0) {
        text_add(&p->text, "    %s gathered", subject);
        print_over(p, gathered);
        text_add(&p->text, "%s\n", placement->keep == KEEP_STEP ? " kept until step" : "");
    }
    if (placement->tier != TIER_DEVICE)
        text_add(&p->text, "    %s offloaded to %s\n", subject, mode_tier_name(placement->tier));
}

static void print_state(Plain *p, int state)
{
    const Assignment *a = p->assignment;
    bool *printed = arena_array(p->arena, bool, a->units.count + 1);
    for (int u = 0; u < a->units.count; u++) {
        const StatePlacement *placement = placement_of(&a->units.data[u], state);
        if (printed[u] || is_implied(&a->units.data[u], state))
            continue;
        Named named = named_nothing(p);
        for (int v = u; v < a->units.count; v++) {
            const UnitPlacement *other = &a->units.data[v];
            if (is_implied(other, state) || !same_placement(placement, placement_of(other, state)))
                continue;
            printed[v] = true;
            name_unit(p, &named, &other->unit);
        }
        print_placement(p, arena_printf(p->arena, "%s%s", state_name(p, state), of_named(p, &named)),
                        state >= UNIT_DECLARED, placement);
    }
}

/* ---- Values ------------------------------------------------------------------------------------------------- */

/* Axes of copies are those of a contract. */
static void print_batch(Plain *p)
{
    AxisSet axes = {0};
    for (int axis = 0; axis < p->decls->axes.count; axis++)
        if (axes_contain(p->assignment->batch_axes, axis) || axes_contain(p->assignment->copy_axes, axis))
            axes.axis[axes.count++] = (int8_t)axis;
    if (axes.count == 0)
        return;
    text_add(&p->text, "    activations sharded");
    print_over(p, axes);
    text_add(&p->text, " by batch\n");
}

static const char *where(bool optional)
{
    return optional ? " where present" : "";
}

static void print_cut(Plain *p, const ActivationCut *cut)
{
    text_add(&p->text, "    activations");
    for (int i = 0; i < cut->label_count; i++)
        text_add(&p->text, "%s%s", i == 0 ? " of " : ", ", cut->labels[i]);
    text_add(&p->text, " %s over %s by %s%s\n", cut->travels ? "travelling" : "sharded", axis_name(p, cut->axis),
             cut->dim, where(cut->optional));
}

static void print_values(Plain *p)
{
    const Assignment *a = p->assignment;
    for (int i = 0; i < a->activations.count; i++)
        print_cut(p, &a->activations.data[i]);
    for (int i = 0; i < a->recomputed.count; i++) {
        const Recomputed *again = &a->recomputed.data[i];
        text_add(&p->text, "    activations of %s materialized%s\n",
                 in_range(p, again->group, again->label, again->first, again->last), where(again->optional));
    }
    for (int i = 0; i < a->offloaded.count; i++) {
        const Offloaded *off = &a->offloaded.data[i];
        text_add(&p->text, "    activations%s%s offloaded to %s%s\n", off->label != NULL ? " of " : "",
                 off->label != NULL ? in_range(p, off->group, off->label, off->first, off->last) : "",
                 mode_tier_name(off->tier), where(off->optional));
    }
}

/* "block[0..3].mlp"; of all layers, or outside blocks, the label. */
static const char *in_pinned(const Plain *p, const Pin *pin, const char *label)
{
    const char *block = pin->group >= 0 ? p->decls->groups.data[pin->group].name : NULL;
    bool named = block != NULL && label_matches(block, label);
    return named ? in_range(p, pin->group, label, pin->first, pin->last) : label;
}

/* The layers of a pin are named once: where the value is named, or else what it is computed from. */
static void print_pin(Plain *p, const Pin *pin)
{
    const char *label = in_pinned(p, pin, pin->label);
    bool named = pin->group < 0 || label != pin->label;
    text_add(&p->text, "    %s of %s %s over %s %s", strategy_pin_subject(pin->subject), label,
             pin->again ? "recomputed" : "computed", axis_name(p, pin->axis), pin_form_print(p->arena, pin));
    for (int i = 0; i < pin->from.count; i++) {
        const char *from = named ? pin->from.data[i] : in_pinned(p, pin, pin->from.data[i]);
        named |= from != pin->from.data[i];
        text_add(&p->text, "%s%s", i == 0 ? " from " : ", ", from);
    }
    text_add(&p->text, "%s\n", where(pin->optional));
}

static void print_converted(Plain *p, const Converted *request)
{
    const char *label = in_range(p, request->group, request->label, request->first, request->last);
    text_add(&p->text, "    %s of %s converted over %s %s%s\n", strategy_pin_subject(request->subject), label,
             axis_name(p, request->axis), converted_print(p->arena, request), where(request->optional));
}

static void print_schedule(Plain *p)
{
    const Staging *staging = &p->assignment->pipeline;
    if (!staging->requested)
        return;
    text_add(&p->text, "    schedule %s over %s", strategy_schedule_name(staging->schedule),
             axis_name(p, staging->axis));
    for (int64_t s = 0; staging->layers != NULL && s < p->decls->axes.data[staging->axis].size; s++)
        text_add(&p->text, "%s%lld", s == 0 ? " layers " : ", ", (long long)staging->layers[s]);
    if (staging->chunks > 1)
        text_add(&p->text, " chunks %lld", (long long)staging->chunks);
    text_add(&p->text, "\n");
}

/* ---- Syncs ---------------------------------------------------------------------------------------------------- */

static void print_sync_subject(Plain *p, const Sync *sync)
{
    text_add(&p->text, "    sync %s", strategy_sync_target(p->assignment, sync));
    if (sync->unit_count > 0) {
        Named named = named_nothing(p);
        for (int u = 0; u < sync->unit_count; u++)
            name_unit(p, &named, &p->assignment->units.data[sync->units[u]].unit);
        text_add(&p->text, "%s", of_named(p, &named));
    } else if (sync->label != NULL && !sync->number) {
        text_add(&p->text, " of %s", sync->label);
    }
    for (int segment = 0, count = 0; segment < STEP_MAX_SEGMENTS; segment++)
        if (sync->segments >> segment & 1)
            text_add(&p->text, "%s%d", count++ == 0 ? " segment " : ", ", segment);
}

static void print_moment(Plain *p, const Sync *sync)
{
    switch (sync->moment) {
    case SYNC_AT_STEP:
        return; /* of values it is another, which a statement never names */
    case SYNC_EACH_MICROBATCH:
        text_add(&p->text, " each microbatch");
        return;
    case SYNC_AFTER_MICROBATCH:
        text_add(&p->text, " after microbatch %lld", (long long)sync->microbatch);
        return;
    case SYNC_AT_START:
        text_add(&p->text, " at start");
        return;
    case SYNC_AT_USE:
        break;
    }
    BUG("a sync at the use of what it synchronises");
}

static void print_sync(Plain *p, const Sync *sync)
{
    print_sync_subject(p, sync);
    text_add(&p->text, " : %s", strategy_operation_name(sync->operation));
    print_over(p, sync->axes);
    text_add(&p->text, "%s", sync->into_shards ? " into shards" : "");
    if (sync->dim != NULL)
        text_add(&p->text, " by %s", sync->dim);
    if (sync->has_dtype)
        text_add(&p->text, " in %s", dtype_name(sync->dtype));
    print_moment(p, sync);
    if (sync->scale_numerator != sync->scale_denominator)
        text_add(&p->text, " scale %lld", (long long)sync->scale_numerator);
    if (sync->scale_denominator != 1)
        text_add(&p->text, " / %lld", (long long)sync->scale_denominator);
    if (sync->waits)
        text_add(&p->text, " wait at %s", strategy_sync_wait(sync->target));
    text_add(&p->text, "%s\n", sync->derive_rest ? " derive the rest" : "");
}

/* ---- The strategy ------------------------------------------------------------------------------------------- */

static const char *parameters(Arena *arena, const Decls *decls, const char *after)
{
    List list = {.arena = arena};
    for (int a = 0; a < decls->axes.count; a++)
        list_add(&list, arena_printf(arena, "%s%s", decls->axes.data[a].name, after));
    return list.data != NULL ? list.data : "";
}

const char *plain_strategy(Arena *arena, const Decls *decls, const Assignment *assignment, const char *name)
{
    Plain p = {.arena = arena, .decls = decls, .assignment = assignment, .text = {.arena = arena}};
    text_add(&p.text, "strategy %s(%s) {\n", name, parameters(arena, decls, ": axis"));
    print_dims(&p);
    for (int state = 0; state < UNIT_DECLARED + assignment->declared_states.count; state++)
        print_state(&p, state);
    print_batch(&p);
    print_values(&p);
    for (int i = 0; i < assignment->pins.count; i++)
        print_pin(&p, &assignment->pins.data[i]);
    for (int i = 0; i < assignment->converted.count; i++)
        print_converted(&p, &assignment->converted.data[i]);
    print_schedule(&p);
    for (int i = 0; i < assignment->syncs.count; i++)
        print_sync(&p, &assignment->syncs.data[i]);
    text_add(&p.text, "}\n");
    return p.text.data;
}

const char *plain_pin(Arena *arena, const Decls *decls, const Pin *pin)
{
    Plain p = {.arena = arena, .decls = decls, .text = {.arena = arena}};
    print_pin(&p, pin);
    return p.text.data;
}

const char *plain_converted(Arena *arena, const Decls *decls, const Converted *request)
{
    Plain p = {.arena = arena, .decls = decls, .text = {.arena = arena}};
    print_converted(&p, request);
    return p.text.data;
}

const char *plain_label(Arena *arena, const Decls *decls, int group, const char *label, int64_t first, int64_t last)
{
    const Plain p = {.arena = arena, .decls = decls};
    return in_range(&p, group, label, first, last);
}

const char *plain_call(Arena *arena, const Decls *decls, const char *name)
{
    return arena_printf(arena, "%s(%s)", name, parameters(arena, decls, ""));
}
