/* convert_step.c - the steps of conversions, and their costs. */
#include "algebra/convert.h"

#include <string.h>

static const struct {
    const char *name;
    bool collective;
} kinds[] = {
    [CONVERT_SLICE] = {"slice", false},
    [CONVERT_MASK] = {"mask", false},
    [CONVERT_PAD] = {"pad", false},
    [CONVERT_RETAG] = {"retag", false},
    [CONVERT_SCALE] = {"scale", false},
    [CONVERT_DROP] = {"drop", false},
    [CONVERT_ALL_GATHER] = {"all_gather", true},
    [CONVERT_REDUCE_SCATTER] = {"reduce_scatter", true},
    [CONVERT_ALL_REDUCE] = {"all_reduce", true},
    [CONVERT_ALL_TO_ALL] = {"all_to_all", true},
    [CONVERT_REORDER] = {"reorder", true},
    [CONVERT_SCATTER] = {"scatter", true},
    [CONVERT_GATHER] = {"gather", true},
    [CONVERT_BROADCAST] = {"broadcast", true},
    [CONVERT_REDUCE] = {"reduce", true},
    [CONVERT_SEND] = {"send", true},
};

const char *convert_kind_name(ConvertKind kind)
{
    return kinds[kind].name;
}

/* A move of a group of axes: what the search tries. */
typedef struct Move {
    Arena *arena;
    const Mesh *mesh;
    const int64_t *sizes;
    const Placement *from, *to;
    unsigned axes; /* the axes that may move */
    ConvertSteps *steps;
} Move;

/* ---- Costs -------------------------------------------------------------------------------------------------- */

static int64_t group_size(const Mesh *mesh, const ConvertStep *step)
{
    int64_t size = 1;
    for (int i = 0; i < step->axis_count; i++)
        size *= mesh->axis[step->axis[i]].size;
    return size;
}

/* The part of a shard that goes to one other rank: cut along both dims. */
static int64_t exchanged(const Move *m, const ConvertStep *step)
{
    int64_t coordinates[STEP_MAX_AXES] = {0}, elements = 1;
    for (int i = 0; i < step->before.axis_count; i++)
        if (step->before.axis[i].kind == PLACED_AT)
            coordinates[i] = step->before.axis[i].coordinate;
    for (int dim = 0; dim < step->before.dim_count; dim++) {
        bool inner = step->after.cut_count[dim] > step->before.cut_count[dim];
        elements *=
            placement_extent(m->mesh, inner ? &step->after : &step->before, dim, m->sizes[dim], coordinates, NULL);
    }
    return elements;
}

static int64_t cost_of(const Move *m, const ConvertStep *step)
{
    int64_t n = group_size(m->mesh, step);
    int64_t before = placement_elements(m->mesh, &step->before, m->sizes);
    int64_t after = placement_elements(m->mesh, &step->after, m->sizes);
    if (n == 1)
        return 0;
    switch (step->kind) {
    case CONVERT_ALL_GATHER:
    case CONVERT_GATHER:
        return (n - 1) * before;
    case CONVERT_REDUCE_SCATTER:
    case CONVERT_SCATTER:
        return (n - 1) * after;
    case CONVERT_ALL_REDUCE:
        return 2 * (n - 1) * ((before + n - 1) / n);
    case CONVERT_ALL_TO_ALL:
        return (n - 1) * exchanged(m, step);
    case CONVERT_REORDER:
    case CONVERT_BROADCAST:
    case CONVERT_REDUCE:
    case CONVERT_SEND:
        return before;
    case CONVERT_SLICE: /* local to each rank */
    case CONVERT_MASK:
    case CONVERT_PAD:
    case CONVERT_RETAG:
    case CONVERT_SCALE:
    case CONVERT_DROP:
        return 0;
    }
    BUG("a conversion that is none");
}

/* ---- Moves -------------------------------------------------------------------------------------------------- */

/* Flat ranges nest only if they are equally long without padding. */
static bool flat_nests(const Move *m, const Placement *x, const Placement *y)
{
    if (!x->flat || x->cut_count[0] == 0 || y->cut_count[0] == 0 || x->cut_count[0] == y->cut_count[0])
        return true;
    int64_t parts = 1;
    const Placement *longer = x->cut_count[0] > y->cut_count[0] ? x : y;
    for (int i = 0; i < longer->cut_count[0]; i++)
        parts *= m->mesh->axis[longer->cut[0][i]].size;
    return m->sizes[0] % parts == 0;
}

static void add_step(const Move *m, ConvertKind kind, const int8_t *axes, int count, const Placement *after)
{
    if (placement_fault(m->mesh, after) != NULL || !flat_nests(m, m->from, after))
        return;
    ConvertStep step = {.kind = kind, .axis_count = count, .before = *m->from, .after = *after};
    memcpy(step.axis, axes, (size_t)count);
    step.elements = cost_of(m, &step);
    step.collective = kinds[kind].collective && group_size(m->mesh, &step) > 1;
    vec_push(m->arena, m->steps, step);
}

/* Gives all axes of the group the same placement, cutting in the order of the group. */
static void move_group(const Move *m, ConvertKind kind, const int8_t *axes, int count, OnAxis on)
{
    Placement after = *m->from;
    for (int i = count - 1; i >= 0; i--) /* innermost cuts are removed first */
        placement_set(&after, axes[i], on_replicated());
    for (int i = 0; i < count; i++)
        placement_set(&after, axes[i], on);
    add_step(m, kind, axes, count, &after);
}

/* Each axis to the coordinate in `to`; no step if one has none. */
static void move_to_coordinates(const Move *m, ConvertKind kind, const int8_t *axes, int count)
{
    Placement after = *m->from;
    for (int i = count - 1; i >= 0; i--) {
        if (m->to->axis[axes[i]].kind != PLACED_AT)
            return;
        placement_set(&after, axes[i], m->to->axis[axes[i]]);
    }
    add_step(m, kind, axes, count, &after);
}

static void cut_group(const Move *m, ConvertKind kind, const int8_t *axes, int count, int except)
{
    for (int dim = 0; dim < m->from->dim_count; dim++)
        if (dim != except)
            move_group(m, kind, axes, count, on_sharded(dim));
}

static bool wants_partial(const Move *m, int axis, PartialOp *op)
{
    *op = m->to->axis[axis].op;
    return m->to->axis[axis].kind == PLACED_PARTIAL;
}

/* The other ranks get the neutral element of the op; an avg is made as a sum first. */
static void pad(const Move *m, const int8_t *axes)
{
    PartialOp op;
    if (wants_partial(m, axes[0], &op))
        move_group(m, CONVERT_PAD, axes, 1, on_partial(op == PARTIAL_AVG ? PARTIAL_SUM : op));
}

static void move_replicated(const Move *m, const int8_t *axes, int count)
{
    PartialOp op;
    if (count == 1 || m->from->flat)
        cut_group(m, CONVERT_SLICE, axes, count, -1);
    if (count > 1)
        return;
    if (wants_partial(m, axes[0], &op))
        move_group(m, op == PARTIAL_SUM ? CONVERT_MASK : CONVERT_RETAG, axes, 1, on_partial(op));
    move_to_coordinates(m, CONVERT_DROP, axes, 1);
}

static void move_partial(const Move *m, const int8_t *axes, int count)
{
    for (int i = 1; i < count; i++)
        if (m->from->axis[axes[i]].op != m->from->axis[axes[0]].op)
            return;
    cut_group(m, CONVERT_REDUCE_SCATTER, axes, count, -1);
    bool ascending = true;
    for (int i = 1; i < count; i++)
        ascending = ascending && axes[i - 1] < axes[i];
    if (!ascending)
        return;
    move_group(m, CONVERT_ALL_REDUCE, axes, count, on_replicated());
    move_to_coordinates(m, CONVERT_REDUCE, axes, count);
    PartialOp has = m->from->axis[axes[0]].op, op;
    if (count == 1 && wants_partial(m, axes[0], &op) && has != op && has <= PARTIAL_AVG && op <= PARTIAL_AVG)
        move_group(m, CONVERT_SCALE, axes, 1, on_partial(op));
}

static void move_at(const Move *m, const int8_t *axes, int count)
{
    cut_group(m, CONVERT_SCATTER, axes, count, -1);
    move_group(m, CONVERT_BROADCAST, axes, count, on_replicated());
    move_to_coordinates(m, CONVERT_SEND, axes, count);
    if (count == 1)
        pad(m, axes);
}

typedef void MoveGroup(const Move *m, const int8_t *axes, int count);

/* Every ordered selection of the movable axes of one kind. */
static void choose(const Move *m, PlacedKind kind, MoveGroup *move, int8_t *axes, int count)
{
    for (int axis = 0; axis < m->from->axis_count; axis++) {
        if (!(m->axes >> axis & 1) || m->from->axis[axis].kind != (int8_t)kind || memchr(axes, axis, (size_t)count) != NULL)
            continue;
        axes[count] = (int8_t)axis;
        move(m, axes, count + 1);
        choose(m, kind, move, axes, count + 1);
    }
}

/* The last `count` cuts of a dim, in every other order. */
static void reorder(const Move *m, int dim, int count, int8_t *order, int chosen)
{
    const int8_t *last = m->from->cut[dim] + m->from->cut_count[dim] - count;
    if (chosen == count) {
        if (order[0] == last[0])
            return; /* fewer axes would do */
        Placement after = *m->from;
        memcpy(after.cut[dim] + after.cut_count[dim] - count, order, (size_t)count);
        add_step(m, CONVERT_REORDER, order, count, &after);
        return;
    }
    for (int i = 0; i < count; i++)
        if (memchr(order, last[i], (size_t)chosen) == NULL) {
            order[chosen] = last[i];
            reorder(m, dim, count, order, chosen + 1);
        }
}

static void move_cuts(const Move *m, int dim)
{
    int cuts = m->from->cut_count[dim];
    for (int count = 1; count <= cuts && m->axes >> m->from->cut[dim][cuts - count] & 1; count++) {
        const int8_t *axes = m->from->cut[dim] + cuts - count;
        int8_t order[STEP_MAX_AXES];
        move_group(m, CONVERT_ALL_GATHER, axes, count, on_replicated());
        move_to_coordinates(m, CONVERT_GATHER, axes, count);
        cut_group(m, CONVERT_ALL_TO_ALL, axes, count, dim);
        if (count > 1)
            reorder(m, dim, count, order, 0);
        if (count == 1)
            pad(m, axes);
    }
}

ConvertSteps convert_steps(Arena *arena, const Mesh *mesh, const int64_t *sizes, const Placement *from,
                           const Placement *to, unsigned axes)
{
    ConvertSteps steps = {0};
    Move m = {arena, mesh, sizes, from, to, axes, &steps};
    int8_t group[STEP_MAX_AXES];
    choose(&m, PLACED_REPLICATED, move_replicated, group, 0);
    choose(&m, PLACED_PARTIAL, move_partial, group, 0);
    choose(&m, PLACED_AT, move_at, group, 0);
    for (int dim = 0; dim < from->dim_count; dim++)
        move_cuts(&m, dim);
    return steps;
}

const char *convert_step_print(Arena *arena, const Mesh *mesh, const ConvertStep *step, const char *const *dim_names)
{
    const char *axes = "";
    for (int i = 0; i < step->axis_count; i++)
        axes = arena_printf(arena, "%s%s%s", axes, i > 0 ? ", " : "", mesh->axis[step->axis[i]].name);
    return arena_printf(arena, "%s over %s -> %s", kinds[step->kind].name, axes,
                        placement_print(arena, mesh, &step->after, dim_names));
}
