/* convert_plain.h - the plain order of a conversion's steps, for tests of the planner: what shrinks a value, what moves
 * it, what enlarges it, each phase once, over all axes that it concerns. Values are replicated, sharded in the order of
 * the mesh, or partial by one op. The planner must take this route or a cheaper one.
 */
#ifndef TESTS_UNIT_CONVERT_PLAIN_H
#define TESTS_UNIT_CONVERT_PLAIN_H

#include "algebra/convert.h"

enum { PLAIN_REPLICATED = -1, PLAIN_PARTIAL = -2, PLAIN_MAX_STEPS = 24 };

/* Per axis: the dim that it shards, or one of these. */
typedef struct PlainOn {
    int on[STEP_MAX_AXES];
} PlainOn;

typedef struct PlainStep {
    ConvertKind kind;
    unsigned axes;
    PlainOn after;
} PlainStep;

typedef struct Plain {
    int axes, dims;
    bool scatters; /* reductions into shards are allowed */
    PlainOn at, to;
    int count;
    PlainStep step[PLAIN_MAX_STEPS];
    bool torn; /* parts of a sum whose shards are not in one piece: no operator does this */
} Plain;

static void plain_step(Plain *p, ConvertKind kind, unsigned axes, const PlainOn *after)
{
    if (axes == 0)
        return;
    p->step[p->count++] = (PlainStep){kind, axes, *after};
    p->at = *after;
}

static unsigned plain_cuts(const PlainOn *p, int axes, int dim)
{
    unsigned cuts = 0;
    for (int a = 0; a < axes; a++)
        if (p->on[a] == dim)
            cuts |= 1U << a;
    return cuts;
}

static void plain_cut(Plain *p, int from, ConvertKind kind)
{
    for (int dim = 0; dim < p->dims; dim++) {
        PlainOn next = p->at;
        unsigned added = 0;
        for (int a = 0; a < p->axes; a++)
            if (p->at.on[a] == from && p->to.on[a] == dim && plain_cuts(&next, p->axes, dim) >> a == 0) {
                next.on[a] = dim;
                added |= 1U << a;
            }
        plain_step(p, kind, added, &next);
    }
}

static void plain_all_reduce(Plain *p)
{
    PlainOn next = p->at;
    unsigned axes = 0;
    for (int a = 0; a < p->axes; a++)
        if (p->at.on[a] == PLAIN_PARTIAL && p->to.on[a] != PLAIN_PARTIAL) {
            next.on[a] = PLAIN_REPLICATED;
            axes |= 1U << a;
        }
    plain_step(p, CONVERT_ALL_REDUCE, axes, &next);
}

static void plain_exchange(Plain *p)
{
    for (int a = 0; a < p->axes; a++) {
        int from = p->at.on[a], to = p->to.on[a];
        if (from < 0 || to < 0 || from == to)
            continue;
        if (plain_cuts(&p->at, p->axes, from) >> a != 1 || plain_cuts(&p->at, p->axes, to) >> a != 0)
            continue;
        PlainOn next = p->at;
        next.on[a] = to;
        plain_step(p, CONVERT_ALL_TO_ALL, 1U << a, &next);
    }
}

static unsigned plain_leaving(const Plain *p, int dim)
{
    unsigned have = plain_cuts(&p->at, p->axes, dim), want = plain_cuts(&p->to, p->axes, dim);
    for (int a = 0; a < p->axes; a++) {
        if (!(have >> a & 1))
            continue;
        bool stays = want != 0 && (want & -want) == 1U << a;
        if (!stays && p->to.on[a] != PLAIN_PARTIAL)
            return have;
        want &= stays ? ~(1U << a) : ~0U;
        have &= ~(1U << a);
    }
    return 0;
}

static void plain_gather(Plain *p)
{
    for (int dim = 0; dim < p->dims; dim++) {
        unsigned leaving = plain_leaving(p, dim);
        PlainOn next = p->at;
        for (int a = 0; a < p->axes; a++)
            if (leaving >> a & 1)
                next.on[a] = PLAIN_REPLICATED;
        plain_step(p, CONVERT_ALL_GATHER, leaving, &next);
    }
}

static void plain_pad(Plain *p)
{
    PlainOn next = p->at;
    unsigned axes = 0;
    for (int a = 0; a < p->axes; a++)
        if (p->at.on[a] >= 0 && p->to.on[a] == PLAIN_PARTIAL) {
            unsigned inside = plain_cuts(&p->at, p->axes, p->at.on[a]) >> a >> 1;
            for (int b = a + 1; inside != 0 && b < p->axes; b++)
                p->torn = p->torn || (p->at.on[b] == p->at.on[a] && p->to.on[b] != PLAIN_PARTIAL);
            next.on[a] = PLAIN_PARTIAL;
            axes |= 1U << a;
        }
    plain_step(p, CONVERT_PAD, axes, &next);
}

/* False if it does not lead there. */
static bool plain_route(Plain *p)
{
    p->count = 0;
    p->torn = false;
    plain_cut(p, PLAIN_REPLICATED, CONVERT_SLICE);
    if (p->scatters)
        plain_cut(p, PLAIN_PARTIAL, CONVERT_REDUCE_SCATTER);
    plain_all_reduce(p);
    plain_exchange(p);
    plain_gather(p);
    plain_cut(p, PLAIN_REPLICATED, CONVERT_SLICE);
    plain_pad(p);
    for (int a = 0; a < p->axes; a++)
        if (p->at.on[a] != p->to.on[a])
            return false;
    return !p->torn;
}

static Placement plain_placement(const Mesh *mesh, int dims, const PlainOn *on, PartialOp op)
{
    Placement p = placement_replicated(mesh, dims);
    for (int a = 0; a < mesh->axis_count; a++)
        if (on->on[a] >= 0)
            placement_set(&p, a, on_sharded(on->on[a]));
        else if (on->on[a] == PLAIN_PARTIAL)
            placement_set(&p, a, on_partial(op));
    return p;
}

#endif
