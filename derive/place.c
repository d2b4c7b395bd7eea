/* place.c - walks the routines of the reference in order, and chooses the placements of their values: those of what a
 * microbatch computes operator by operator, and what each unit needs around them.
 *
 * Layer loops are split where the units of their parameters end, and interleaved chunks that are apart. A gathered
 * parameter is made whole before its first use of a pass: at the start of the body of its layer loop, or before the
 * first operator or loop that needs it. A gradient that is stored in shards is collected in a full-size buffer and
 * reduced after its last contribution of the pass; one that is stored whole is accumulated in its own buffer.
 */
#include "derive/place.h"
#include "strategy/staging.h"

#include <string.h>

/* ---- What a part of the reference touches ------------------------------------------------------------------- */

static bool is_micro(const Placer *p, const Op *op)
{
    const RefOp *info = &p->facts->ops[op->id];
    return p->early ? info->early : info->phase == PHASE_MICRO;
}

static bool any_micro(const Placer *p, const Node *node)
{
    if (node->kind == NODE_OP)
        return is_micro(p, node->op);
    for (int i = 0; i < node->body.count; i++)
        if (any_micro(p, node->body.data[i]))
            return true;
    return false;
}

/* Does the reference name a member of the unit, in the given role? */
static bool is_member(const Placer *p, Ref ref, Role role, int unit)
{
    const RefBuffer *buffer = &p->facts->buffers[ref.buffer];
    return buffer->role == role && unit_offset(&p->facts->decls->units.data[unit], buffer->tensor) >= 0;
}

static bool reads_unit(const Placer *p, const Node *node, int unit, bool backward)
{
    for (int i = 0; i < node->body.count; i++)
        if (reads_unit(p, node->body.data[i], unit, backward))
            return true;
    if (node->kind != NODE_OP || !is_micro(p, node->op) || p->facts->ops[node->op->id].backward != backward)
        return false;
    for (int i = 0; i < node->op->operand_count; i++)
        if (is_member(p, node->op->operand[i], ROLE_PARAMETER, unit))
            return true;
    return false;
}

static bool contributes(const Placer *p, const Node *node, int unit)
{
    for (int i = 0; i < node->body.count; i++)
        if (contributes(p, node->body.data[i], unit))
            return true;
    return node->kind == NODE_OP && is_micro(p, node->op) && node->op->kind != OP_OUTPUT &&
           is_member(p, node->op->out, ROLE_GRADIENT, unit);
}

static bool touches_unit(const Placer *p, const Node *node, int unit)
{
    return contributes(p, node, unit) || reads_unit(p, node, unit, false) || reads_unit(p, node, unit, true);
}

/* ---- Gathered parameters and reduced gradients -------------------------------------------------------------- */

/* Do a unit's conversions belong to the current list: the routine's own, or the body of its layer loop? */
static bool at_this_level(const Placer *p, int unit)
{
    const Unit *u = &p->facts->decls->units.data[unit];
    return u->group == p->group &&
           (u->group < 0 || (u->first_layer <= p->first_layer && p->last_layer <= u->last_layer));
}

static bool is_gathered(const Placer *p, int unit, int keep)
{
    const UnitInfo *u = &p->units[unit];
    return u->gathered && u->parameters.count > 0 && (int)u->placement->parameters.keep == keep;
}

static void push_unit(Placer *p, ChosenList *list, ChosenKind kind, int unit)
{
    vec_push(p->ctx.arena, list, (Chosen){.kind = kind, .unit = unit});
}

static void gather_before(Placer *p, ChosenList *list, const Node *node)
{
    for (int i = 0; i < p->facts->decls->units.count; i++) {
        if (!at_this_level(p, i) || !is_gathered(p, i, KEEP_PASS))
            continue;
        for (int backward = 0; backward < 2; backward++) {
            if (p->gathered[backward][i] || !reads_unit(p, node, i, backward))
                continue;
            bool is_here = p->gathered[!backward][i] && p->group >= 0; /* for operators that are recomputed */
            p->gathered[backward][i] = true;
            if (!is_here)
                push_unit(p, list, CHOSEN_GATHER, i);
        }
    }
}

static void clear_before(Placer *p, ChosenList *list, const Node *node)
{
    for (int i = 0; i < p->facts->decls->units.count; i++) {
        if (p->filled[i] || !p->units[i].pieces || !at_this_level(p, i) || !contributes(p, node, i))
            continue;
        p->filled[i] = true;
        push_unit(p, list, CHOSEN_CLEAR, i);
    }
}

/* A single contribution is the gradient itself. Stages of a pipeline accumulate, whatever their number. */
static bool is_direct(const Placer *p, int unit)
{
    return p->facts->decls->micro == 1 && p->sites[unit] == 1 && !p->facts->assignment->pipeline.requested;
}

/* After the list's node `index`: reduces units whose last contribution it was. */
static void reduce_after(Placer *p, ChosenList *list, const NodeList *nodes, int index)
{
    for (int i = 0; i < p->facts->decls->units.count; i++) {
        if (!p->filled[i] || !at_this_level(p, i))
            continue;
        bool last = true;
        for (int j = index + 1; j < nodes->count; j++)
            last &= !contributes(p, nodes->data[j], i);
        if (!last)
            continue;
        vec_push(p->ctx.arena, list, (Chosen){.kind = CHOSEN_REDUCE, .unit = i, .direct = is_direct(p, i)});
        p->filled[i] = false;
    }
}

/* ---- Lists and loops ---------------------------------------------------------------------------------------- */

static void place_list(Placer *p, const NodeList *nodes, ChosenList *list);

/* The part of a layer loop that runs over these layers, which use the same units. */
static void place_layers(Placer *p, const Node *loop, ChosenList *list, int64_t first, int64_t last)
{
    LayersChoice *layers = arena_make(p->ctx.arena, LayersChoice);
    *layers = (LayersChoice){.loop = loop, .first = first, .last = last};
    vec_push(p->ctx.arena, list, (Chosen){.kind = CHOSEN_LAYERS, .layers = layers});
    p->group = loop->loop.group;
    p->first_layer = first;
    p->last_layer = last;
    for (int i = 0; p->units != NULL && i < p->facts->decls->units.count; i++)
        if (at_this_level(p, i))
            p->gathered[0][i] = p->gathered[1][i] = false;
    derive_enter_loop(p, loop, layers);
    layers->backward = p->backward;
    if (p->units != NULL)
        gather_before(p, &layers->body, loop);
    place_list(p, &loop->body, &layers->body);
    derive_leave_loop(p, loop);
    p->group = -1;
    p->first_layer = p->last_layer = 0;
}

/* The first layer after `layer` at which a unit that the loop touches begins, the set of recomputed values, of those
 * on other tiers, pins or statements of copies changes, or another chunk begins, where chunks are apart; or the one
 * after `last`. */
static int64_t next_boundary(const Placer *p, const Node *node, int64_t layer, int64_t last)
{
    const Decls *decls = p->facts->decls;
    int64_t next = last + 1, every = staging_apart(decls, &p->facts->assignment->pipeline);
    if (every > 0) {
        int64_t before = staging_before(decls, node->loop.group), chunk = (before + layer) / every;
        facts_bound_layers(&next, layer, 0, (chunk + 1) * every - 1 - before);
    }
    for (int i = 0; i < p->facts->decls->units.count; i++) {
        const Unit *unit = &p->facts->decls->units.data[i];
        if (unit->group == node->loop.group && touches_unit(p, node, i))
            facts_bound_layers(&next, layer, unit->first_layer, unit->last_layer);
    }
    for (int i = 0; i < p->facts->assignment->recomputed.count; i++) {
        const Recomputed *request = &p->facts->assignment->recomputed.data[i];
        if (request->group == node->loop.group)
            facts_bound_layers(&next, layer, request->first, request->last);
    }
    for (int i = 0; i < p->facts->assignment->offloaded.count; i++) {
        const Offloaded *request = &p->facts->assignment->offloaded.data[i];
        if (request->group == node->loop.group)
            facts_bound_layers(&next, layer, request->first, request->last);
    }
    for (int i = 0; i < p->facts->assignment->pins.count; i++) {
        const Pin *pin = &p->facts->assignment->pins.data[i];
        if (pin->group == node->loop.group) /* in the backward pass, too: it reads what layers have kept */
            facts_bound_layers(&next, layer, pin->first, pin->last);
    }
    for (int i = 0; i < p->facts->assignment->converted.count; i++) {
        const Converted *request = &p->facts->assignment->converted.data[i];
        if (request->group == node->loop.group)
            facts_bound_layers(&next, layer, request->first, request->last);
    }
    return next;
}

/* Layers of a loop that are placed together. */
typedef struct Run {
    const Node *node;
    int64_t first, last;
} Run;

static void place_loop(Placer *p, const Node *node, ChosenList *list)
{
    bool down = node->loop.step < 0;
    int64_t first = down ? node->loop.last.constant : node->loop.first.constant;
    int64_t last = down ? node->loop.first.constant : node->loop.last.constant;
    Vec(Run) runs = {0};
    for (int64_t layer = first; layer <= last; layer = runs.data[runs.count - 1].last + 1) {
        const Node *with = derive_with_recomputed(p->facts, p->routine->routine, node, layer, p->choices->recomputed);
        Run run = {with, layer, next_boundary(p, with, layer, last) - 1};
        vec_push(p->ctx.arena, &runs, run);
    }
    for (int i = 0; i < runs.count; i++) {
        const Run *run = &runs.data[down ? runs.count - 1 - i : i];
        place_layers(p, run->node, list, run->first, run->last);
    }
}

/* An operator, after what is drawn again for it (in layers, their loop has it). */
static void place_with_drawn(Placer *p, const Op *op, ChosenList *list)
{
    OpList drawn = p->group < 0 ? derive_drawn_before(p->facts, op) : (OpList){0};
    p->again = true;
    for (int i = 0; i < drawn.count; i++)
        place_op(p, drawn.data[i], list);
    p->again = op != p->facts->ops[op->id].op;
    place_op(p, op, list);
}

static void place_list(Placer *p, const NodeList *nodes, ChosenList *list)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (!any_micro(p, node))
            continue;
        if (node->kind != NODE_OP && node->kind != NODE_LOOP)
            BUG("the reference has a guard or a wait");
        if (p->units != NULL) {
            gather_before(p, list, node);
            clear_before(p, list, node);
        }
        if (node->kind == NODE_OP)
            place_with_drawn(p, node->op, list);
        else
            place_loop(p, node, list);
        if (p->units != NULL)
            reduce_after(p, list, nodes, i);
    }
}

/* ---- Around the loop ---------------------------------------------------------------------------------------- */

static void gather_for_step(Placer *p, RoutineChoices *r)
{
    const Node whole = {.kind = NODE_GUARD, .body = r->facts->routine->body};
    for (int i = 0; i < p->facts->decls->units.count; i++)
        if (is_gathered(p, i, KEEP_STEP) && (reads_unit(p, &whole, i, false) || reads_unit(p, &whole, i, true)))
            vec_push(p->ctx.arena, &r->gathered, i);
}

static bool mentions_gradient(const Facts *f, const NodeList *list)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        if (mentions_gradient(f, &node->body))
            return true;
        if (node->kind == NODE_OP && node->op->kind != OP_OUTPUT &&
            f->buffers[node->op->out.buffer].role == ROLE_GRADIENT)
            return true;
    }
    return false;
}

/* The number of layer loops of the reference (the routine itself counts as one) that add to the unit's gradient. */
static int count_sites(const Placer *p, const NodeList *list, int unit)
{
    const Node whole = {.kind = NODE_GUARD, .body = *list};
    if (p->facts->decls->units.data[unit].group < 0)
        return contributes(p, &whole, unit);
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += contributes(p, list->data[i], unit);
    return count;
}

static void clear_accumulators(Placer *p, RoutineChoices *r)
{
    for (int i = 0; i < p->facts->decls->units.count; i++) {
        p->sites[i] = count_sites(p, &r->facts->routine->body, i);
        if (!p->units[i].has_gradient || (p->units[i].pieces && is_direct(p, i)))
            continue;
        vec_push(p->ctx.arena, &r->cleared, i);
    }
}

/* ---- Sums that single examples depend on -------------------------------------------------------------------- */

static void find_early(const Facts *f, const NodeList *list, SumList *sums)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        find_early(f, &node->body, sums);
        if (node->kind == NODE_OP && f->ops[node->op->id].phase == PHASE_EARLY && !node->op->accumulate)
            vec_push(f->ctx->arena, sums, (SumChoice){.ref = node->op->out.buffer, .group = -1});
    }
}

/* One pass over the microbatches for these sums alone, which needs only inputs; then what is computed from them. */
static void place_early(Placer *p, RoutineChoices *r)
{
    const NodeList *nodes = &r->facts->routine->body;
    find_early(p->facts, nodes, &r->early);
    if (r->early.count == 0)
        return;
    p->early = true;
    place_list(p, nodes, &r->early_body);
    p->early = false;
    derive_start_routine(p);
    for (int i = 0; i < r->early.count; i++) {
        int ref = r->early.data[i].ref;
        Placement whole = facts_whole(p->facts, ref);
        if (p->sums->known)
            derive_reduce_sum(p, &r->early.data[i]);
        derive_hold(p, (Ref){.buffer = ref, .slot = affine_constant(0), .member = -1}, &whole,
                    derive_variant(p, ref, &whole, FOR_TOTAL, "sum"));
    }
    for (int i = 0; i < nodes->count; i++)
        if (nodes->data[i]->kind == NODE_OP && p->facts->ops[nodes->data[i]->op->id].phase == PHASE_BETWEEN)
            place_op(p, nodes->data[i]->op, &r->between);
}

/* ---- Syncs of numbers --------------------------------------------------------------------------------------- */

/* Those of an operator of the flat phase: of a scalar, when it is complete, or of a sum over parameters. */
static void place_number(Placer *p, RoutineChoices *r, const Op *op)
{
    const RefOp *info = &p->facts->ops[op->id];
    if (!op_has_result(op->kind) || p->facts->buffers[op->out.buffer].syncs.count == 0)
        return;
    bool starts = placer_buffer(p, op->out.buffer)->persistent && r->facts->routine->kind != ROUTINE_STEP;
    if (info->tensor >= 0 ? !derive_sums_parameters(p->facts, op) : starts || !info->completes)
        return;
    for (int i = 0; i < r->numbers.count; i++)
        if (r->numbers.data[i].ref == op->out.buffer)
            return;
    Placement whole = facts_whole(p->facts, op->out.buffer);
    NumberSync number = {.ref = op->out.buffer};
    derive_sync_value(p, number.ref, derive_variant(p, number.ref, &whole, FOR_VALUE, ""), &whole, &number.done);
    vec_push(p->ctx.arena, &r->numbers, number);
}

/* ---- Routines ----------------------------------------------------------------------------------------------- */

static void place_micro(Placer *p, RoutineChoices *r)
{
    const Routine *routine = r->facts->routine;
    const Node whole = {.kind = NODE_GUARD, .body = routine->body};
    if (p->units != NULL)
        gather_for_step(p, r);
    if (!r->facts->divided) {
        place_list(p, &routine->body, &r->body);
        return;
    }
    r->gradients = mentions_gradient(p->facts, &routine->body);
    if (p->units != NULL && r->gradients)
        clear_accumulators(p, r);
    sums_list(p->facts, &routine->body, -1, &r->sums);
    if (!any_micro(p, &whole))
        return;
    r->micro = true;
    place_early(p, r);
    place_list(p, &routine->body, &r->body);
    for (int i = 0; p->sums->known && i < r->sums.count; i++)
        derive_reduce_sum(p, &r->sums.data[i]);
}

static void reset_units(Placer *p)
{
    int count = p->facts->decls->units.count + 1;
    for (int backward = 0; backward < 2; backward++)
        p->gathered[backward] = arena_array(p->ctx.arena, bool, count);
    p->filled = arena_array(p->ctx.arena, bool, count);
    p->refused = arena_array(p->ctx.arena, bool, count);
    p->sites = arena_array(p->ctx.arena, int, count);
}

static void place_routine(Placer *p, RoutineChoices *r)
{
    p->routine = r->facts;
    r->reports = p->ctx.diag = diag_new(p->ctx.arena, p->ctx.sources);
    p->failed = p->sums->known && r->facts->failed;
    reset_units(p);
    p->again = false;
    derive_start_routine(p);
    if (!p->failed && !derive_check_synced(p->facts, r->facts, p->ctx.diag))
        p->failed = true;
    place_micro(p, r);
    for (int i = 0; p->sums->known && i < r->facts->flat.count; i++)
        place_number(p, r, r->facts->flat.data[i].op);
    if (p->units != NULL && !p->failed)
        derive_place_ahead(p, r);
    r->failed = p->failed;
}

Placer *placer_new(const Facts *f)
{
    Placer *p = arena_make(f->ctx->arena, Placer);
    *p = (Placer){.ctx = *f->ctx, .group = -1};
    p->values = arena_array(f->ctx->arena, Placed, f->reference->buffers.count + 1);
    return p;
}

Choices *place_program(Placer *p, const Facts *f, const Sums *sums, const UnitInfo *units, Arena *arena)
{
    int buffers = f->reference->buffers.count, routines = f->reference->routines.count;
    Choices *choices = arena_make(arena, Choices);
    *choices = (Choices){.facts = f,
                         .units = units,
                         .unit_choices = units != NULL ? place_units(f, units) : NULL,
                         .routines = arena_array(arena, RoutineChoices, routines + 1),
                         .home = arena_array(arena, Placement, buffers + 1),
                         .travelled = arena_array(arena, unsigned, buffers + 1),
                         .synced = arena_array(arena, bool, f->value_syncs + 1),
                         .recomputed = arena_array(arena, bool, f->assignment->recomputed.count + 1),
                         .pinned = arena_array(arena, bool, f->assignment->pins.count + 1),
                         .converted = arena_array(arena, bool, f->assignment->converted.count + 1)};
    p->facts = f;
    p->sums = sums;
    p->units = units;
    p->choices = choices;
    p->ctx.arena = arena;
    p->cached = arena_array(arena, bool, buffers + 1);
    for (int i = 0; i < buffers; i++)
        choices->home[i] = facts_whole(f, i);
    memset(p->values, 0, sizeof *p->values * (size_t)buffers);
    for (int i = 0; i < routines; i++) {
        RoutineChoices *r = &choices->routines[i];
        r->facts = &f->routines[i];
        if (!sums->known && r->facts->routine->kind == ROUTINE_INIT)
            continue;
        place_routine(p, r);
        if (units != NULL && !r->failed && r->facts->routine->kind == ROUTINE_STEP)
            r->failed = !place_check_syncs(f, units, choices->unit_choices, r);
        choices->failed |= r->failed;
        if (choices->failed && !sums->known)
            break;
    }
    return choices;
}
