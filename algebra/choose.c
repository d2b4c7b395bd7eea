/* choose.c - combines signatures with the conversions they need. */
#include "algebra/choose.h"

#include <stdlib.h>
#include <string.h>

/* The cost of operand i at a placement; computed once. */
typedef struct Known {
    Placement placement;
    Conversion conversion;
    bool reachable;
} Known;

typedef struct Chooser {
    Arena *arena;
    const Mesh *mesh;
    const OpShape *shape;
    const ChooseOperand *operands;
    SignatureVec on_axis[STEP_MAX_AXES]; /* the candidates */
    Signature chosen[STEP_MAX_AXES];
    Vec(Known) known[STEP_MAX_OPERANDS];
    Choices choices;
} Chooser;

/* ---- Candidates of one axis --------------------------------------------------------------------------------- */

static bool is_as_is(const Chooser *c, const Signature *signature, int axis)
{
    for (int i = 0; i < c->shape->operand_count; i++)
        if (!on_axis_equal(signature->operand[i], c->operands[i].placement.axis[axis]))
            return false;
    return true;
}

static void set_coordinate(OnAxis *on, int64_t coordinate)
{
    if (on->kind == PLACED_AT)
        on->coordinate = coordinate;
}

/* A signature for values at any one coordinate becomes one for each coordinate that an operand is at. */
static void add_candidate(Chooser *c, const Signature *signature, int axis)
{
    if (signature->result.kind != PLACED_AT) {
        vec_push(c->arena, &c->on_axis[axis], *signature);
        return;
    }
    for (int i = 0; i < c->shape->operand_count; i++) {
        OnAxis now = c->operands[i].placement.axis[axis];
        bool seen = now.kind != PLACED_AT;
        for (int k = 0; k < i; k++)
            seen = seen || on_axis_equal(now, c->operands[k].placement.axis[axis]);
        if (seen)
            continue;
        Signature there = *signature;
        for (int k = 0; k < c->shape->operand_count; k++)
            set_coordinate(&there.operand[k], now.coordinate);
        set_coordinate(&there.result, now.coordinate);
        vec_push(c->arena, &c->on_axis[axis], there);
    }
}

static void collect(Chooser *c, const SignatureVec *all, int axis, bool keep)
{
    for (int i = 0; i < all->count; i++)
        add_candidate(c, &all->data[i], axis);
    for (int i = 0; i < c->on_axis[axis].count && keep; i++)
        if (is_as_is(c, &c->on_axis[axis].data[i], axis)) {
            c->on_axis[axis].data[0] = c->on_axis[axis].data[i];
            c->on_axis[axis].count = 1;
        }
}

/* ---- Tuples ------------------------------------------------------------------------------------------------- */

/* All axes, in the order in which they cut an operand; -1: in mesh order. */
static void order_of(const Chooser *c, int operand, int8_t *order)
{
    int count = 0;
    if (operand >= 0) {
        const Placement *p = &c->operands[operand].placement;
        for (int dim = 0; dim < p->dim_count; dim++)
            for (int i = 0; i < p->cut_count[dim]; i++)
                order[count++] = p->cut[dim][i];
    }
    for (int axis = 0; axis < c->mesh->axis_count; axis++)
        if (memchr(order, axis, (size_t)count) == NULL)
            order[count++] = (int8_t)axis;
}

static Placement assemble(const Chooser *c, const int8_t *order, int operand)
{
    bool is_result = operand < 0;
    const char *letters = is_result ? c->shape->result : c->shape->letter[operand];
    Placement p = placement_replicated(c->mesh, (int)strlen(letters));
    for (int i = 0; i < c->mesh->axis_count; i++) {
        const Signature *signature = &c->chosen[order[i]];
        placement_set(&p, order[i], is_result ? signature->result : signature->operand[operand]);
    }
    for (int i = 0; i < c->shape->operand_count; i++)
        p.flat = p.flat || c->operands[i].placement.flat;
    p.flat = p.flat && p.dim_count == 1;
    return p;
}

static const Known *find_known(Chooser *c, int operand, const Placement *placement)
{
    for (int i = 0; i < c->known[operand].count; i++)
        if (placement_equal(&c->known[operand].data[i].placement, placement))
            return &c->known[operand].data[i];
    const ChooseOperand *in = &c->operands[operand];
    Known known = {.placement = *placement};
    if (placement_is(&in->placement, placement))
        known.reachable = true;
    else
        known.reachable = convert(c->arena, c->mesh, in->sizes, &in->placement, placement, &known.conversion);
    vec_push(c->arena, &c->known[operand], known);
    return &c->known[operand].data[c->known[operand].count - 1];
}

/* Does the signature need equal shards where they are not equal? */
static bool is_uneven(const Chooser *c, const Choice *choice)
{
    for (int axis = 0; axis < c->mesh->axis_count; axis++)
        for (int i = 0; i < c->shape->operand_count && c->chosen[axis].even; i++) {
            OnAxis on = c->chosen[axis].operand[i];
            if (on.kind == PLACED_SHARDED &&
                !placement_even(c->mesh, &choice->operand[i], on.dim, c->operands[i].sizes[on.dim]))
                return true;
        }
    return false;
}

static bool is_listed(const Chooser *c, const Choice *choice)
{
    for (int i = 0; i < c->choices.count; i++) {
        const Choice *other = &c->choices.data[i];
        bool same = placement_equal(&other->result, &choice->result);
        for (int k = 0; k < c->shape->operand_count; k++)
            same = same && placement_equal(&other->operand[k], &choice->operand[k]);
        if (same)
            return true;
    }
    return false;
}

static void add_choice(Chooser *c, const int8_t *order)
{
    Choice choice = {.share = 1, .index = c->choices.count, .result = assemble(c, order, -1)};
    memcpy(choice.signature, c->chosen, sizeof choice.signature);
    for (int axis = 0; axis < c->mesh->axis_count; axis++)
        choice.share *= c->chosen[axis].letter != 0 ? c->mesh->axis[axis].size : 1;
    if (placement_fault(c->mesh, &choice.result) != NULL)
        return;
    for (int i = 0; i < c->shape->operand_count; i++) {
        choice.operand[i] = assemble(c, order, i);
        if (placement_fault(c->mesh, &choice.operand[i]) != NULL)
            return;
        const Known *known = find_known(c, i, &choice.operand[i]);
        if (!known->reachable)
            return;
        choice.conversion[i] = known->conversion;
        choice.bytes += known->conversion.elements * c->operands[i].element_bytes;
        choice.collectives += known->conversion.collectives;
        choice.steps += known->conversion.steps.count;
    }
    if (!is_uneven(c, &choice) && !is_listed(c, &choice))
        vec_push(c->arena, &c->choices, choice);
}

static void choose_axes(Chooser *c, int axis)
{
    if (axis == c->mesh->axis_count) {
        for (int i = -1; i < c->shape->operand_count; i++) {
            int8_t order[STEP_MAX_AXES];
            order_of(c, i, order);
            add_choice(c, order);
        }
        return;
    }
    for (int i = 0; i < c->on_axis[axis].count; i++) {
        c->chosen[axis] = c->on_axis[axis].data[i];
        choose_axes(c, axis + 1);
    }
}

static int compare_choices(const void *a, const void *b)
{
    const Choice *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    if (x->collectives != y->collectives)
        return x->collectives - y->collectives;
    if (x->steps != y->steps)
        return x->steps - y->steps;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return x->index - y->index;
}

static Choices sorted_choices(Chooser *c)
{
    choose_axes(c, 0);
    if (c->choices.count > 0)
        qsort(c->choices.data, (size_t)c->choices.count, sizeof *c->choices.data, compare_choices);
    return c->choices;
}

Choices choose(Arena *arena, const Mesh *mesh, const OpShape *shape, const ChooseOperand *operands, unsigned wanted)
{
    Chooser c = {.arena = arena, .mesh = mesh, .shape = shape, .operands = operands};
    SignatureVec all = signatures_of(arena, shape, wanted);
    for (int axis = 0; axis < mesh->axis_count; axis++)
        collect(&c, &all, axis, wanted & CHOOSE_KEEP);
    return sorted_choices(&c);
}

bool choose_as_is(Arena *arena, const Mesh *mesh, const OpShape *shape, const ChooseOperand *operands,
                  Placement *result)
{
    Chooser c = {.arena = arena, .mesh = mesh, .shape = shape, .operands = operands};
    SignatureVec all = signatures_of(arena, shape, SIGNATURE_ALL | SIGNATURE_EVEN);
    for (int axis = 0; axis < mesh->axis_count; axis++) {
        collect(&c, &all, axis, true);
        if (c.on_axis[axis].count == 0 || !is_as_is(&c, &c.on_axis[axis].data[0], axis))
            return false;
    }
    Choices choices = sorted_choices(&c);
    if (choices.count == 0 || choices.data[0].steps > 0)
        return false;
    *result = choices.data[0].result;
    return true;
}
