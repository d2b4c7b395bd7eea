/* convert_search.h - the cheapest conversion, by search: Dijkstra over placements, whose edges are all steps there are.
 * An oracle for the planner. One or two axes that differ take microseconds, five take a second.
 */
#ifndef TESTS_UNIT_CONVERT_SEARCH_H
#define TESTS_UNIT_CONVERT_SEARCH_H

#include "algebra/convert.h"

#include <string.h>

/* ---- Edges -------------------------------------------------------------------------------------------------- */

typedef struct SearchStep {
    Placement before;
    ConvertStep step;
} SearchStep;

typedef Vec(SearchStep) SearchSteps;

/* A move of a group of axes: what the search tries. */
typedef struct Move {
    Arena *arena;
    const Mesh *mesh;
    const int64_t *sizes;
    const Placement *from, *to;
    unsigned axes; /* that may move */
    const ConvertLimits *limits;
    SearchSteps *steps;
} Move;

static bool keeps_order(const Move *m, const Placement *p)
{
    for (int dim = 0; dim < p->dim_count && m->limits->in_order; dim++)
        for (int i = 1; i < p->cut_count[dim]; i++)
            if (p->cut[dim][i - 1] > p->cut[dim][i])
                return false;
    return true;
}

static void add_step(const Move *m, ConvertKind kind, const int8_t *axes, int count, const Placement *after)
{
    if (!(m->limits->kinds >> kind & 1) || !keeps_order(m, after) || placement_fault(m->mesh, after) != NULL ||
        !convert_flat_nests(m->mesh, m->sizes, m->from, after))
        return;
    AxisSet set = {.count = count};
    memcpy(set.axis, axes, (size_t)count);
    SearchStep step = {*m->from, convert_step(m->mesh, m->sizes, kind, set, m->from, after)};
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
static void try_groups(const Move *m, PlacedKind kind, MoveGroup *move, int8_t *axes, int count)
{
    for (int axis = 0; axis < m->from->axis_count; axis++) {
        if (!(m->axes >> axis & 1) || m->from->axis[axis].kind != (int8_t)kind ||
            memchr(axes, axis, (size_t)count) != NULL)
            continue;
        axes[count] = (int8_t)axis;
        move(m, axes, count + 1);
        try_groups(m, kind, move, axes, count + 1);
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

/* Every step that starts at `from` and moves only these axes (as bits), with coordinates and partial ops as in `to`. */
static SearchSteps search_steps(Arena *arena, const Mesh *mesh, const int64_t *sizes, const Placement *from,
                                const Placement *to, unsigned axes, const ConvertLimits *limits)
{
    SearchSteps steps = {0};
    Move m = {arena, mesh, sizes, from, to, axes, limits, &steps};
    int8_t group[STEP_MAX_AXES];
    try_groups(&m, PLACED_REPLICATED, move_replicated, group, 0);
    try_groups(&m, PLACED_PARTIAL, move_partial, group, 0);
    try_groups(&m, PLACED_AT, move_at, group, 0);
    for (int dim = 0; dim < from->dim_count; dim++)
        move_cuts(&m, dim);
    return steps;
}

/* ---- Which axes may move ------------------------------------------------------------------------------------ */

static bool same_cuts(const Placement *x, const Placement *y, int dim, int count)
{
    for (int i = 0; i < count; i++)
        if (x->cut[dim][i] != y->cut[dim][i])
            return false;
    return true;
}

/* The axes of a dim's cuts from the first on at whose depth the other placement has another axis. */
static unsigned moved_cuts(const Placement *x, const Placement *y, int dim)
{
    unsigned moved = 0;
    for (int i = 0; i < x->cut_count[dim]; i++)
        if (i >= y->cut_count[dim] || !same_cuts(x, y, dim, i + 1))
            moved |= 1U << x->cut[dim][i];
    return moved;
}

static unsigned search_axes(const Placement *from, const Placement *to)
{
    unsigned axes = 0;
    for (int i = 0; i < from->axis_count; i++)
        if (!on_axis_equal(from->axis[i], to->axis[i]))
            axes |= 1U << i;
    for (int dim = 0; dim < from->dim_count; dim++)
        axes |= moved_cuts(from, to, dim) | moved_cuts(to, from, dim);
    /* Flat ranges need not nest: all their cuts may have to move. */
    for (int i = 0; i < from->axis_count && from->flat && axes != 0; i++)
        if (from->axis[i].kind == PLACED_SHARDED || to->axis[i].kind == PLACED_SHARDED)
            axes |= 1U << i;
    return axes;
}

/* ---- The search --------------------------------------------------------------------------------------------- */

typedef struct Work {
    int64_t elements;
    int collectives, steps;
} Work;

static bool work_less(Work x, Work y)
{
    if (x.elements != y.elements)
        return x.elements < y.elements;
    if (x.collectives != y.collectives)
        return x.collectives < y.collectives;
    return x.steps < y.steps;
}

/* A placement that was reached. */
typedef struct Reached {
    Placement placement;
    Work work;
    bool done;
    int previous;    /* -1: the starting point */
    SearchStep step; /* the step that leads here */
} Reached;

typedef struct Search {
    Arena *arena;
    const Mesh *mesh;
    const int64_t *sizes;
    const Placement *to;
    unsigned axes;
    const ConvertLimits *limits;
    Vec(Reached) places;
    int *slots; /* hash table of index + 1 */
    int slot_count;
} Search;

static uint32_t hash_of(const Placement *p)
{
    uint32_t h = 2166136261U;
    for (int i = 0; i < p->axis_count; i++)
        h = (h ^ (uint32_t)(p->axis[i].kind + 8 * p->axis[i].op + 32 * p->axis[i].dim)) * 16777619U;
    for (int dim = 0; dim < p->dim_count; dim++)
        for (int i = 0; i < p->cut_count[dim]; i++)
            h = (h ^ (uint32_t)p->cut[dim][i]) * 16777619U;
    return h;
}

static int *find_slot(Search *s, const Placement *p)
{
    int i = (int)(hash_of(p) % (uint32_t)s->slot_count);
    while (s->slots[i] != 0 && !placement_equal(&s->places.data[s->slots[i] - 1].placement, p))
        i = (i + 1) % s->slot_count;
    return &s->slots[i];
}

static void grow_slots(Search *s)
{
    s->slot_count = s->slot_count == 0 ? 256 : 4 * s->slot_count;
    s->slots = arena_array(s->arena, int, s->slot_count);
    for (int i = 0; i < s->places.count; i++)
        *find_slot(s, &s->places.data[i].placement) = i + 1;
}

static int place_of(Search *s, const Placement *p)
{
    if (2 * s->places.count >= s->slot_count)
        grow_slots(s);
    int *slot = find_slot(s, p);
    if (*slot == 0) {
        vec_push(s->arena, &s->places, (Reached){.placement = *p, .work = {INT64_MAX, 0, 0}, .previous = -1});
        *slot = s->places.count;
    }
    return *slot - 1;
}

static int cheapest_open(const Search *s)
{
    int best = -1;
    for (int i = 0; i < s->places.count; i++)
        if (!s->places.data[i].done && (best < 0 || work_less(s->places.data[i].work, s->places.data[best].work)))
            best = i;
    return best;
}

static void leave(Search *s, int from)
{
    Placement placement = s->places.data[from].placement;
    Work work = s->places.data[from].work;
    SearchSteps steps = search_steps(s->arena, s->mesh, s->sizes, &placement, s->to, s->axes, s->limits);
    for (int i = 0; i < steps.count; i++) {
        const ConvertStep *step = &steps.data[i].step;
        Work next = {work.elements + step->elements, work.collectives + step->collective, work.steps + 1};
        int to = place_of(s, &step->after);
        Reached *place = &s->places.data[to];
        if (place->done || !work_less(next, place->work))
            continue;
        place->work = next;
        place->previous = from;
        place->step = steps.data[i];
    }
}

typedef struct Searched {
    SearchSteps steps;
    int64_t elements;
    int collectives;
} Searched;

static Searched path_to(Arena *arena, const Search *s, int end)
{
    Searched path = {.elements = s->places.data[end].work.elements,
                     .collectives = s->places.data[end].work.collectives};
    int count = s->places.data[end].work.steps;
    for (int i = 0; i < count; i++)
        vec_push(arena, &path.steps, (SearchStep){0});
    for (int i = end; s->places.data[i].previous >= 0; i = s->places.data[i].previous)
        path.steps.data[--count] = s->places.data[i].step;
    return path;
}

/* False if there is no path within the limits. */
static bool search(Arena *arena, const Mesh *mesh, const int64_t *sizes, const Placement *from, const Placement *to,
                   const ConvertLimits *limits, Searched *path)
{
    *path = (Searched){0};
    if (placement_equal(from, to))
        return true;
    Arena *scratch = arena_new();
    Search s = {
        .arena = scratch, .mesh = mesh, .sizes = sizes, .to = to, .axes = search_axes(from, to), .limits = limits};
    int at = place_of(&s, from);
    s.places.data[at].work = (Work){0, 0, 0};
    while (at >= 0 && !placement_equal(&s.places.data[at].placement, to)) {
        s.places.data[at].done = true;
        leave(&s, at);
        at = cheapest_open(&s);
    }
    if (at >= 0)
        *path = path_to(arena, &s, at);
    arena_free(scratch);
    return at >= 0;
}

#endif
