/* place_op.c - places one operator: converts its operands from the placements they are available in, and its result to
 * the one it is kept in. */
#include "base/change.h"
#include "derive/place.h"

int derive_unit_of(const Facts *f, int tensor, int64_t layer)
{
    for (int i = f->first_unit[tensor]; i >= 0 && i < f->decls->units.count; i++) {
        const Unit *unit = &f->decls->units.data[i];
        bool has_layer = unit->group < 0 || (unit->first_layer <= layer && layer <= unit->last_layer);
        if (has_layer && (i == f->first_unit[tensor] || unit_offset(unit, tensor) >= 0))
            return i;
    }
    BUG("no unit has layer %lld of '%s'", (long long)layer, f->decls->tensors.data[tensor].name);
}

/* ---- Parameters --------------------------------------------------------------------------------------------- */

/* Notes what each of two ranks would have of the tensor. */
static void add_pieces(const Placer *p, Diagnostic *diagnostic, const Unit *unit, int tensor, int axis)
{
    const Decls *decls = p->facts->decls;
    const char *first = arena_printf(p->ctx.arena, "%s 0", decls->axes.data[axis].name);
    const char *second = arena_printf(p->ctx.arena, "%s 1", decls->axes.data[axis].name);
    int64_t size = tensor_elements(&decls->tensors.data[tensor]);
    int64_t middle = (unit->elements + 1) / 2 - unit_offset(unit, tensor);
    middle = middle < 0 ? 0 : middle > size ? size : middle;
    diag_counter_example(diagnostic,
                         "2 ranks; '%s' has %lld elements\n%-12s has %lld\n%-12s has %lld\n"
                         "1 device     has %lld",
                         decls->tensors.data[tensor].name, (long long)size, first, (long long)middle, second,
                         (long long)(size - middle), (long long)size);
}

/* Reported once per unit: one line of the strategy causes them all. */
static void refuse_sharded_use(Placer *p, const Op *op, int unit, int tensor)
{
    const Decls *decls = p->facts->decls;
    p->failed = true;
    if (p->refused[unit])
        return;
    p->refused[unit] = true;
    const StatePlacement *placement = &p->units[unit].placement->parameters;
    const char *name = decls->tensors.data[tensor].name;
    const char *axes = axes_name(p->ctx.arena, decls, placement->use);
    Diagnostic *diagnostic =
        diag_report(p->ctx.diag, P0307, op->span, "a piece of '%s' used as if it were whole", name);
    diag_primary_label(diagnostic, "needs every element of '%s'", name);
    if (span_known(placement->span))
        diag_label(diagnostic, placement->span, "every rank along '%s' has a piece of it and gathers nothing", axes);
    diag_why(diagnostic,
             "'sharded' gives a rank its flat shard both stored and in use; only elementwise updates can work "
             "on a flat shard.");
    add_pieces(p, diagnostic, &decls->units.data[unit], tensor, placement->use.axis[0]);
    diag_repair(diagnostic, (Repair){.kind = REPAIR_GATHERED, .span = placement->span});
}

/* A parameter as its unit has it, or a part of that. */
static void read_parameter(Placer *p, const Op *op, Ref ref, const Placement *to, Route *route)
{
    int tensor = p->facts->buffers[ref.buffer].tensor;
    Placement place = derive_parameter_place(p->facts, tensor, p->first_layer);
    *route = (Route){.from = UNIT_BUFFER, .why = WHY_READER};
    if (p->units == NULL)
        return;
    int unit = derive_unit_of(p->facts, tensor, p->first_layer);
    if (p->units[unit].parameters.count > 0 && !p->units[unit].gathered)
        refuse_sharded_use(p, op, unit, tensor);
    if (placement_equal(&place, to))
        return;
    const HeldList *held = &p->values[ref.buffer].held;
    for (int i = 0; i < held->count; i++)
        if (placement_equal(&held->data[i].place, to)) {
            route->from = held->data[i].variant;
            return;
        }
    int out = derive_route(p, ref.buffer, UNIT_BUFFER, &place, to, false, op->span, route);
    derive_hold(p, ref, to, out);
}

/* ---- Operands ----------------------------------------------------------------------------------------------- */

static void read_operand(Placer *p, const Op *op, int operand, const Placement *to, Route *route)
{
    Ref ref = op->operand[operand];
    switch (p->facts->buffers[ref.buffer].role) {
    case ROLE_PLAIN:
        derive_value(p, ref, to, op->span, WHY_READER, route);
        return;
    case ROLE_PARAMETER:
        read_parameter(p, op, ref, to, route);
        return;
    case ROLE_GRADIENT:
    case ROLE_STATE:
    case ROLE_UPDATE:
    case ROLE_MATRIX:
        break;
    }
    BUG("'%s' reads the state of an update", op_info[op->kind].name);
}

static void read_operands(Placer *p, OpChoice *o)
{
    const Op *op = o->op;
    Choice *choice = &o->choice;
    o->reads = arena_array(p->ctx.arena, Route, op->operand_count);
    for (int i = 0; i < op->operand_count; i++)
        read_operand(p, op, i, &choice->operand[i], &o->reads[i]);
    if (choice->halos.count == 0)
        return;
    o->halos = arena_array(p->ctx.arena, Route, op->operand_count);
    for (int i = 0; i < op->operand_count; i++)
        if (derive_reads_halo(op, i))
            derive_halo_value(p, op->operand[i], route_end(&o->reads[i]), &choice->operand[i], choice->halos,
                              &o->halos[i]);
        else
            o->halos[i] = (Route){.from = NO_VARIANT};
}

/* ---- Results ------------------------------------------------------------------------------------------------ */

/* The operator writes `computed`; in shards with a halo it does so by adding the halos to their shards. */
static void compute(Placer *p, OpChoice *o, int computed, bool accumulate)
{
    o->computed = computed;
    o->accumulate = accumulate;
    if (o->choice.halos.count > 0 && derive_gives_halo(o->op) && !o->choice.ring.turns)
        derive_halo_result(p, o->op->out, &o->choice, computed, accumulate, &o->halo);
}

/* Computes the result apart, converts it to the placement of the target, and adds it. */
static void compute_apart(Placer *p, OpChoice *o)
{
    int ref = o->op->out.buffer;
    Choice *choice = &o->choice;
    o->added = true;
    compute(p, o, derive_variant(p, ref, &choice->result, FOR_PART, "part"), false);
    derive_route(p, ref, o->computed, &choice->result, &choice->kept, true, o->op->span, &o->result);
}

static void place_contribution(Placer *p, OpChoice *o)
{
    o->into = UNIT_BUFFER;
    o->result.why = WHY_GRADIENT;
    if (p->units == NULL || placement_equal(&o->choice.result, &o->choice.kept))
        compute(p, o, UNIT_BUFFER, true);
    else
        compute_apart(p, o);
}

/* Why its result is kept in another placement than it was computed in. */
static Why why_kept(const Placer *p, const Op *op)
{
    const Wish *wish = &p->routine->wish[op->out.buffer];
    if (p->facts->buffers[op->out.buffer].partial)
        return WHY_GRADIENT;
    if (op->accumulate || p->values[op->out.buffer].has_home)
        return WHY_WRITERS;
    return wish->named.count > 0 ? WHY_NAMED : WHY_REST;
}

/* The value as it is kept is available from here on. */
static void keep_result(Placer *p, OpChoice *o)
{
    Ref out = o->op->out;
    Placed *value = &p->values[out.buffer];
    const RefBuffer *info = &p->facts->buffers[out.buffer];
    Placement place = o->choice.kept;
    int at = o->into;
    o->synced.from = o->after.from = NO_VARIANT;
    if (p->facts->ops[o->op->id].completes && !info->partial)
        at = derive_sync_value(p, out.buffer, at, &place, &o->synced);
    derive_forget(p, out);
    derive_hold(p, out, &place, at);
    if (p->routine->wish[out.buffer].fixed && !value->has_home) {
        value->has_home = true;
        value->home = place;
        p->cached[out.buffer] = true;
        p->choices->home[out.buffer] = place;
    }
    if (info->read_flat) {
        Placement whole = facts_whole(p->facts, out.buffer);
        derive_value(p, out, &whole, o->op->span, WHY_AFTER, &o->after);
        derive_end_use(p, out);
    }
}

/* Where the result is kept. What is added to is where it is: a sum that was completed next to its parts is not where
 * they are. */
static int variant_kept(Placer *p, const OpChoice *o)
{
    const Held *held = o->op->accumulate ? derive_held(p, o->op->out) : NULL;
    if (held != NULL && placement_equal(&held->place, &o->choice.kept))
        return held->variant;
    return derive_variant(p, o->op->out.buffer, &o->choice.kept, FOR_VALUE, "");
}

static void place_result(Placer *p, OpChoice *o)
{
    int ref = o->op->out.buffer;
    Choice *choice = &o->choice;
    o->result.why = why_kept(p, o->op);
    o->into = variant_kept(p, o);
    if (placement_equal(&choice->result, &choice->kept)) {
        compute(p, o, o->into, o->op->accumulate);
    } else if (o->op->accumulate) {
        compute_apart(p, o);
    } else {
        o->plain = derive_variant(p, ref, &choice->result, FOR_VALUE, "");
        bool same = o->plain == o->into;
        compute(p, o, same ? o->into : derive_variant(p, ref, &choice->result, FOR_PART, "part"), false);
        derive_route(p, ref, o->computed, &choice->result, &choice->kept, false, o->op->span, &o->result);
    }
    keep_result(p, o);
}

/* ---- The operator ------------------------------------------------------------------------------------------- */

/* Completes the target if the contribution cannot be added to parts of a sum, only to the sum. */
static void complete_target(Placer *p, const Op *op, Route *route)
{
    Ref out = op->out;
    const RefBuffer *info = &p->facts->buffers[out.buffer];
    if (info->role != ROLE_PLAIN || info->partial || !derive_complete(p, out, op->span, WHY_ADDED, route))
        return;
    const HeldList *held = &p->values[out.buffer].held;
    Held complete = held->data[held->count - 1];
    for (int i = 0; i < held->count; i++)
        if (derive_is_held(p, &held->data[i], out) && place_axes(&held->data[i].place, ON_PARTIAL).count == 0)
            complete = held->data[i];
    derive_forget(p, out);
    derive_hold(p, out, &complete.place, complete.variant);
}

/* False if no signature can be reached. */
static bool choose(Placer *p, OpChoice *o)
{
    const Op *op = o->op;
    if (derive_choose(p, op, !op->accumulate, &o->choice))
        return true;
    if (!op->accumulate)
        return false;
    complete_target(p, op, &o->target);
    return derive_choose(p, op, true, &o->choice);
}

void place_op(Placer *p, const Op *op, ChosenList *list)
{
    OpChoice *o = arena_make(p->ctx.arena, OpChoice);
    if (p->group < 0) /* loops are of one pass, with what is recomputed in it */
        p->backward = p->facts->ops[op->id].backward;
    o->op = op;
    o->backward = p->backward;
    o->target.from = o->halo.from = o->result.from = o->synced.from = o->after.from = NO_VARIANT;
    o->computed = o->into = o->plain = NO_VARIANT;
    if (!choose(p, o) || !derive_find_ring(p, op, &o->choice))
        return;
    derive_report_whole_windows(p, op, &o->choice);
    read_operands(p, o);
    for (int i = 0; i < op->operand_count; i++)
        derive_end_use(p, op->operand[i]);
    if (op->kind != OP_OUTPUT && p->facts->buffers[op->out.buffer].role == ROLE_GRADIENT)
        place_contribution(p, o);
    else if (op->kind != OP_OUTPUT)
        place_result(p, o);
    vec_push(p->ctx.arena, list, (Chosen){.kind = CHOSEN_OP, .op = o});
}
