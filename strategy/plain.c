/* plain.c - prints an assignment as plain statements (strategy/plain.h). */
#include "strategy/plain.h"

#include "base/str.h"

#include <string.h>

typedef struct Plain {
    Arena *arena;
    const Decls *decls;
    const Assignment *assignment;
    Text text;
    const char *refused; /* the first decision that no statement says */
} Plain;

static const char *const tier_names[] = {[TIER_DEVICE] = "device", [TIER_HOST] = "host", [TIER_FILE] = "file"};
static const char *const schedule_names[] = {
    [SCHEDULE_1F1B] = "one_f_one_b", [SCHEDULE_GPIPE] = "gpipe", [SCHEDULE_INTERLEAVED] = "interleaved"};

static void refuse(Plain *p, const char *what)
{
    if (p->refused == NULL)
        p->refused = what;
}

static const char *axis_name(const Plain *p, int axis)
{
    return p->decls->axes.data[axis].name;
}

static const char *axis_list(const Plain *p, AxisSet axes)
{
    Text list = {.arena = p->arena};
    for (int i = 0; i < axes.count; i++)
        text_add(&list, "%s%s", i > 0 ? ", " : "", axis_name(p, axes.axis[i]));
    return list.data != NULL ? list.data : "";
}

/* "block[0..3].mlp.up.weight": of all layers of the unit. */
static const char *selector(const Plain *p, const Unit *unit, int member)
{
    const char *name = p->decls->tensors.data[unit->members[member]].name;
    if (unit->group < 0)
        return name;
    const Group *group = &p->decls->groups.data[unit->group];
    if (unit->first_layer == 0 && unit->last_layer == group->layers - 1)
        return name;
    return arena_printf(p->arena, "%s[%lld..%lld]%s", group->name, (long long)unit->first_layer,
                        (long long)unit->last_layer, name + strlen(group->name));
}

static const char *all_members(const Plain *p, const Unit *unit)
{
    Text list = {.arena = p->arena};
    for (int m = 0; m < unit->member_count; m++)
        text_add(&list, "%s%s", m > 0 ? ", " : "", selector(p, unit, m));
    return list.data;
}

/* ---- Values ------------------------------------------------------------------------------------------------- */

static void print_batch(Plain *p)
{
    const Assignment *a = p->assignment;
    if (a->copy_axes.count > 0)
        refuse(p, "copies with a batch of their own");
    if (a->batch_axes.count > 0)
        text_add(&p->text, "    activations sharded over %s by batch\n", axis_list(p, a->batch_axes));
}

static void print_cut(Plain *p, const ActivationCut *cut)
{
    text_add(&p->text, "    activations");
    for (int i = 0; i < cut->label_count; i++)
        text_add(&p->text, "%s%s", i == 0 ? " of " : ", ", cut->labels[i]);
    text_add(&p->text, " %s over %s by %s%s\n", cut->travels ? "travelling" : "sharded", axis_name(p, cut->axis),
             cut->dim, cut->optional ? " where present" : "");
}

static void print_values(Plain *p)
{
    const Assignment *a = p->assignment;
    for (int i = 0; i < a->activations.count; i++)
        print_cut(p, &a->activations.data[i]);
    for (int i = 0; i < a->recomputed.count; i++) {
        const Recomputed *again = &a->recomputed.data[i];
        if (again->group >= 0)
            refuse(p, "recomputation in some layers only");
        text_add(&p->text, "    activations of %s materialized%s\n", again->label,
                 again->optional ? " where present" : "");
    }
    for (int i = 0; i < a->offloaded.count; i++) {
        const Offloaded *off = &a->offloaded.data[i];
        text_add(&p->text, "    activations%s%s offloaded to %s%s\n", off->label != NULL ? " of " : "",
                 off->label != NULL ? off->label : "", tier_names[off->tier], off->optional ? " where present" : "");
    }
}

/* ---- States ------------------------------------------------------------------------------------------------- */

static void print_state(Plain *p, const Unit *unit, const char *state, const StatePlacement *placement)
{
    if (placement->rest.count == 0 && placement->use.count == 0) {
        if (placement->tier != TIER_DEVICE)
            text_add(&p->text, "    %s of %s offloaded to %s\n", state, all_members(p, unit),
                     tier_names[placement->tier]);
        return;
    }
    if (placement->use.count > 0 && !axes_same(placement->rest, placement->use))
        refuse(p, "a state that is gathered over some of its axes only");
    bool gathered = placement->use.count == 0 && strcmp(state, "parameters") == 0;
    text_add(&p->text, "    %s of %s %s over %s", state, all_members(p, unit), gathered ? "gathered" : "sharded",
             axis_list(p, placement->rest));
    if (gathered && placement->keep == KEEP_STEP)
        refuse(p, "gathered copies that are kept for the step");
    if (placement->tier != TIER_DEVICE)
        text_add(&p->text, " offloaded to %s", tier_names[placement->tier]);
    text_add(&p->text, "\n");
}

static void print_dims(Plain *p, const UnitPlacement *placed, int member)
{
    const Unit *unit = &placed->unit;
    const Tensor *tensor = &p->decls->tensors.data[unit->members[member]];
    for (int d = 0; unit->member_dims != NULL && d < tensor->dim_count; d++) {
        const Dim *dim = &unit->member_dims[member * STEP_MAX_DIMS + d];
        for (int c = 0; c < dim->cut_count; c++)
            text_add(&p->text, "    parameters of %s %s over %s by %s\n", selector(p, unit, member),
                     axes_contain(placed->parameters.joined, dim->cut[c]) ? "gathered" : "sharded",
                     axis_name(p, dim->cut[c]), tensor->dim_names[d]);
    }
}

static void print_unit(Plain *p, const UnitPlacement *placed)
{
    for (int m = 0; m < placed->unit.member_count; m++)
        print_dims(p, placed, m);
    print_state(p, &placed->unit, "parameters", &placed->parameters);
    print_state(p, &placed->unit, "gradients", &placed->gradients);
    print_state(p, &placed->unit, "optimizer", &placed->optimizer);
    for (int s = 0; s < p->assignment->declared_states.count; s++)
        print_state(p, &placed->unit, p->assignment->declared_states.data[s], &placed->declared[s]);
}

static void print_schedule(Plain *p)
{
    const Staging *staging = &p->assignment->pipeline;
    if (!staging->requested)
        return;
    text_add(&p->text, "    schedule %s over %s", schedule_names[staging->schedule], axis_name(p, staging->axis));
    for (int64_t s = 0; staging->layers != NULL && s < p->decls->axes.data[staging->axis].size; s++)
        text_add(&p->text, "%s%lld", s == 0 ? " layers " : ", ", (long long)staging->layers[s]);
    if (staging->chunks > 1)
        text_add(&p->text, " chunks %lld", (long long)staging->chunks);
    text_add(&p->text, "\n");
}

/* ---- The strategy ------------------------------------------------------------------------------------------- */

static const char *parameters(Arena *arena, const Decls *decls, const char *after)
{
    Text list = {.arena = arena};
    for (int a = 0; a < decls->axes.count; a++)
        text_add(&list, "%s%s%s", a > 0 ? ", " : "", decls->axes.data[a].name, after);
    return list.data != NULL ? list.data : "";
}

const char *plain_strategy(Arena *arena, const Decls *decls, const Assignment *assignment, const char *name,
                           const char **refused)
{
    Plain p = {.arena = arena, .decls = decls, .assignment = assignment, .text = {.arena = arena}};
    text_add(&p.text, "strategy %s(%s) {\n", name, parameters(arena, decls, ": axis"));
    if (assignment->syncs.count > 0)
        refuse(&p, "explicit syncs");
    for (int u = 0; u < assignment->units.count; u++)
        print_unit(&p, &assignment->units.data[u]);
    print_batch(&p);
    print_values(&p);
    print_schedule(&p);
    text_add(&p.text, "}\n");
    *refused = p.refused;
    return p.refused == NULL ? p.text.data : NULL;
}

const char *plain_call(Arena *arena, const Decls *decls, const char *name)
{
    return arena_printf(arena, "%s(%s)", name, parameters(arena, decls, ""));
}
