/* convert.c - the planner of conversions: tries a few routes, and takes the one that sends least.
 *
 * A route goes through fixed phases: what shrinks the value (slices, reductions into shards), what reduces the rest,
 * what moves shards from dim to dim, what gathers, and what is local at the end. Gathers and reductions into shards
 * cost as much as the value grows or shrinks, in whatever order; an all_reduce and an all_to_all cost least where the
 * value is smallest, which is between them. Routes differ in manner only where cuts are in each other's way.
 */
#include "algebra/convert.h"

#include <string.h>

const ConvertLimits convert_unlimited = {.kinds = CONVERT_ALL};

/* How a route goes about its phases. */
typedef struct Manner {
    bool eager;    /* cuts wherever the order of cuts allows it, also inside cuts that are to leave; then these take it
                      with them. Otherwise only what stays is cut further, and what is gathered is cut again at once */
    bool patient;  /* what can be reduced into shards only after a gather waits for that, and is not all_reduced */
    int park;      /* a dim that axes shard meanwhile, if */
    bool hops;     /* they would be gathered, though they are not to be whole in the end: they move there instead; */
    bool hops_all; /* or are, and are in the way of others; */
    bool parks_parts;  /* they have parts, or one has it all, and their shards have no place yet, or never will; */
    bool parks_copies; /* they have copies, and in the end something else */
} Manner;

typedef struct Route {
    const Mesh *mesh;
    const int64_t *sizes;
    const Placement *to;
    const ConvertLimits *limits;
    Manner manner;
    Placement at;
    bool blocked; /* a step was not possible */
    Conversion *steps;
} Route;

static bool is_allowed(const Route *r, ConvertKind kind)
{
    return r->limits->kinds >> kind & 1;
}

static unsigned mask_of(AxisSet axes)
{
    unsigned mask = 0;
    for (int i = 0; i < axes.count; i++)
        mask |= 1U << axes.axis[i];
    return mask;
}

/* Do the axes of every dim nest in the order of the mesh, if they have to? */
static bool is_ordered(const Route *r, const Placement *p)
{
    for (int dim = 0; dim < p->dim_count && r->limits->in_order; dim++)
        for (int i = 1; i < p->cut_count[dim]; i++)
            if (p->cut[dim][i - 1] > p->cut[dim][i])
                return false;
    return true;
}

static void go(Route *r, ConvertKind kind, AxisSet axes, const Placement *after)
{
    Conversion *c = r->steps;
    if (axes.count == 0 || r->blocked)
        return;
    r->blocked = c->count == CONVERT_MAX_STEPS || !is_allowed(r, kind) ||
                 (kind != CONVERT_SLICE && (mask_of(axes) & r->limits->slices_only) != 0) || !is_ordered(r, after) ||
                 placement_fault(r->mesh, after) != NULL || !convert_flat_nests(r->mesh, r->sizes, &r->at, after);
    if (r->blocked)
        return;
    ConvertStep *step = &c->step[c->count++];
    *step = convert_step(r->mesh, r->sizes, kind, axes, &r->at, after);
    c->elements += step->elements;
    c->collectives += step->collective;
    r->at = *after;
}

static void add(AxisSet *set, int axis)
{
    set->axis[set->count++] = (int8_t)axis;
}

/* All these axes to where `on` says. */
static void move(Route *r, ConvertKind kind, AxisSet axes, OnAxis on)
{
    Placement after = r->at;
    for (int i = 0; i < axes.count; i++)
        placement_set(&after, axes.axis[i], on_replicated());
    for (int i = 0; i < axes.count; i++)
        placement_set(&after, axes.axis[i], on);
    go(r, kind, axes, &after);
}

/* Those of the axes that can cut the dim inside its cuts. */
static AxisSet fitting(const Route *r, AxisSet axes, int dim)
{
    AxisSet fit = {0};
    Placement next = r->at;
    for (int i = 0; i < axes.count; i++) {
        Placement before = next;
        placement_set(&next, axes.axis[i], on_replicated());
        placement_set(&next, axes.axis[i], on_sharded(dim));
        if (is_ordered(r, &next))
            add(&fit, axes.axis[i]);
        else
            next = before;
    }
    return fit;
}

static void park(Route *r, ConvertKind kind, AxisSet axes)
{
    move(r, kind, fitting(r, axes, r->manner.park), on_sharded(r->manner.park));
}

/* Each of these axes to its coordinate in the end. */
static void move_to_coordinates(Route *r, ConvertKind kind, AxisSet axes)
{
    Placement after = r->at;
    for (int i = 0; i < axes.count; i++)
        placement_set(&after, axes.axis[i], r->to->axis[axes.axis[i]]);
    go(r, kind, axes, &after);
}

/* ---- Which cuts ------------------------------------------------------------------------------------------------ */

static int depth_of(const Placement *p, int dim, int axis)
{
    for (int i = 0; i < p->cut_count[dim]; i++)
        if (p->cut[dim][i] == axis)
            return i;
    return -1;
}

/* Is x outside y where both cut the dim: as in the end, or in the order of the mesh? */
static bool precedes(const Route *r, int dim, int x, int y)
{
    int depth_x = depth_of(r->to, dim, x), depth_y = depth_of(r->to, dim, y);
    return depth_x >= 0 && depth_y >= 0 ? depth_x < depth_y : x < y;
}

/* Can the axis cut the dim now, inside its other cuts? A cut whose shards become parts of a sum stays innermost. */
static bool may_cut(const Route *r, const Placement *now, int dim, int axis)
{
    int count = now->cut_count[dim];
    const int8_t *cut = now->cut[dim];
    if (r->manner.eager) {
        for (int i = 0; i < count; i++)
            if (r->to->axis[cut[i]].kind == PLACED_PARTIAL)
                return false;
        return count == 0 || precedes(r, dim, cut[count - 1], axis);
    }
    return count < r->to->cut_count[dim] && memcmp(cut, r->to->cut[dim], (size_t)count) == 0 &&
           r->to->cut[dim][count] == axis;
}

/* Flat ranges that do not nest are made all at once. */
static bool is_made_whole(const Route *r, const Placement *next)
{
    return convert_flat_nests(r->mesh, r->sizes, &r->at, next) && convert_flat_nests(r->mesh, r->sizes, next, r->to);
}

/* Axes of the kind `source` that can cut the dim, all partial by one op if they are partial. */
static AxisSet cutting(const Route *r, int dim, PlacedKind source, Placement *next)
{
    AxisSet axes = {0};
    *next = r->at;
    for (int i = 0; i < r->to->cut_count[dim]; i++) {
        int axis = r->to->cut[dim][i];
        OnAxis now = r->at.axis[axis];
        if (now.kind != (int8_t)source || (axes.count > 0 && now.op != r->at.axis[axes.axis[0]].op) ||
            !may_cut(r, next, dim, axis))
            continue;
        placement_set(next, axis, on_sharded(dim));
        add(&axes, axis);
    }
    return axes;
}

static void cut(Route *r, PlacedKind source, ConvertKind kind)
{
    Placement next;
    for (int dim = 0; dim < r->at.dim_count && is_allowed(r, kind); dim++)
        for (AxisSet axes = cutting(r, dim, source, &next); axes.count > 0 && is_made_whole(r, &next) && !r->blocked;
             axes = cutting(r, dim, source, &next))
            go(r, kind, axes, &next);
}

/* Copies that in the end are not copies; those that are to be shards come innermost, so that they can leave first. */
static void park_copies(Route *r)
{
    AxisSet axes = {0};
    for (int inner = 0; inner < 2; inner++)
        for (int a = 0; a < r->at.axis_count; a++) {
            int then = r->to->axis[a].kind;
            if (r->at.axis[a].kind == PLACED_REPLICATED && then != PLACED_REPLICATED &&
                (then == PLACED_SHARDED) == inner)
                add(&axes, a);
        }
    park(r, CONVERT_SLICE, axes);
}

static void shrink(Route *r)
{
    cut(r, PLACED_REPLICATED, CONVERT_SLICE);
    if (r->manner.parks_copies)
        park_copies(r);
    cut(r, PLACED_PARTIAL, CONVERT_REDUCE_SCATTER);
    cut(r, PLACED_AT, CONVERT_SCATTER);
}

/* ---- What is partial, or at a coordinate ----------------------------------------------------------------------- */

/* Is it partial over the axis, and has to be reduced now? */
static bool is_reduced(const Route *r, int axis)
{
    OnAxis now = r->at.axis[axis], then = r->to->axis[axis];
    if (now.kind != PLACED_PARTIAL)
        return false;
    switch ((PlacedKind)then.kind) {
    case PLACED_REPLICATED:
        return true;
    case PLACED_SHARDED:
        return !r->manner.patient || r->manner.parks_parts;
    case PLACED_PARTIAL: {
        int kind = convert_kind_on(now, then);
        return !on_axis_equal(now, then) && (kind < 0 || !is_allowed(r, (ConvertKind)kind));
    }
    case PLACED_AT:
        return r->manner.parks_parts;
    case PLACED_VARYING:
        return false;
    }
    BUG("a placement that is none");
}

/* If sums and averages are reduced, they are made sums: an average of sums is a sum of smaller ones. */
static void make_sums(Route *r)
{
    AxisSet averages = {0};
    bool sums = false;
    for (int a = 0; a < r->at.axis_count; a++) {
        if (!is_reduced(r, a))
            continue;
        sums = sums || r->at.axis[a].op == PARTIAL_SUM;
        if (r->at.axis[a].op == PARTIAL_AVG)
            add(&averages, a);
    }
    if (sums && is_allowed(r, CONVERT_SCALE))
        move(r, CONVERT_SCALE, averages, on_partial(PARTIAL_SUM));
}

static void reduce(Route *r)
{
    make_sums(r);
    for (int op = 0; op < PARTIAL_COUNT; op++) {
        AxisSet axes = {0}, to_one = {0};
        for (int a = 0; a < r->at.axis_count; a++) {
            if (!on_axis_equal(r->at.axis[a], on_partial((PartialOp)op)))
                continue;
            if (is_reduced(r, a))
                add(&axes, a);
            else if (r->to->axis[a].kind == PLACED_AT)
                add(&to_one, a);
        }
        if (r->manner.parks_parts)
            park(r, CONVERT_REDUCE_SCATTER, axes);
        else
            move(r, CONVERT_ALL_REDUCE, axes, on_replicated());
        move_to_coordinates(r, CONVERT_REDUCE, to_one);
    }
}

/* What is at a coordinate, and cannot be scattered yet, goes to all ranks, or to another coordinate. */
static void spread_out(Route *r)
{
    AxisSet to_all = {0}, to_other = {0}, parked = {0};
    for (int a = 0; a < r->at.axis_count; a++) {
        OnAxis now = r->at.axis[a], then = r->to->axis[a];
        if (now.kind != PLACED_AT || then.kind == PLACED_PARTIAL || on_axis_equal(now, then))
            continue;
        if (r->manner.parks_parts)
            add(&parked, a);
        else if (then.kind == PLACED_AT)
            add(&to_other, a);
        else if (then.kind == PLACED_REPLICATED || (then.kind == PLACED_SHARDED && !r->manner.patient))
            add(&to_all, a);
    }
    park(r, CONVERT_SCATTER, parked);
    move(r, CONVERT_BROADCAST, to_all, on_replicated());
    move_to_coordinates(r, CONVERT_SEND, to_other);
}

/* ---- From dim to dim ------------------------------------------------------------------------------------------- */

/* Can the innermost `count` axes of a dim cut another one, in this order? The first ones do so in the end; others,
 * which shard no dim in the end, may go with them. */
static bool may_exchange(const Route *r, int dim, int count, Placement *next)
{
    const int8_t *axes = r->at.cut[dim] + r->at.cut_count[dim] - count;
    OnAxis first = r->to->axis[axes[0]];
    bool along = false;
    if (first.kind != PLACED_SHARDED || first.dim == dim)
        return false;
    *next = r->at;
    for (int i = count - 1; i >= 0; i--)
        placement_set(next, axes[i], on_replicated());
    for (int i = 0; i < count; i++) {
        OnAxis then = r->to->axis[axes[i]];
        bool stays = then.kind == PLACED_SHARDED && then.dim == first.dim;
        along = along || (!stays && !r->manner.eager);
        if (along ? stays : !stays || !may_cut(r, next, first.dim, axes[i]))
            return false;
        placement_set(next, axes[i], first);
    }
    return is_ordered(r, next);
}

static AxisSet innermost(const Placement *p, int dim, int count)
{
    return placement_cuts_inside(p, dim, p->cut_count[dim] - count);
}

/* Each axis by itself, in the order of the mesh. */
static void exchange_each(Route *r)
{
    Placement next;
    for (int a = 0; a < r->at.axis_count; a++) {
        int dim = placement_dim_on(&r->at, a);
        if (dim >= 0 && r->at.cut[dim][r->at.cut_count[dim] - 1] == a && may_exchange(r, dim, 1, &next))
            go(r, CONVERT_ALL_TO_ALL, innermost(&r->at, dim, 1), &next);
    }
}

static bool exchange_one(Route *r)
{
    Placement next;
    for (int dim = 0; dim < r->at.dim_count; dim++)
        for (int count = 1; count <= r->at.cut_count[dim]; count++)
            if (may_exchange(r, dim, count, &next)) {
                go(r, CONVERT_ALL_TO_ALL, innermost(&r->at, dim, count), &next);
                return !r->blocked;
            }
    return false;
}

static void exchange(Route *r)
{
    if (!is_allowed(r, CONVERT_ALL_TO_ALL))
        return;
    if (r->manner.eager)
        exchange_each(r);
    else
        while (exchange_one(r))
            ;
}

/* ---- Gathers --------------------------------------------------------------------------------------------------- */

/* How many of a dim's outer cuts are those that it has in the end. */
static int common_cuts(const Route *r, int dim)
{
    int count = 0;
    while (count < r->at.cut_count[dim] && count < r->to->cut_count[dim] &&
           r->at.cut[dim][count] == r->to->cut[dim][count])
        count++;
    return count;
}

/* Is some axis to cut the dim that is not replicated now? */
static bool is_awaited(const Route *r, int dim)
{
    for (int i = common_cuts(r, dim); i < r->to->cut_count[dim]; i++)
        if (r->at.axis[r->to->cut[dim][i]].kind != PLACED_REPLICATED)
            return true;
    return false;
}

/* Can this many outer cuts be left for the next step, and of these so many in the end? Flat ranges need not nest. */
static bool leaves_ranges(const Route *r, int in_the_end, int next)
{
    if (!r->at.flat)
        return true;
    bool divided = placement_even(r->mesh, &r->at, 0, r->sizes[0]);
    return (next == 0 || next == r->at.cut_count[0] || divided) &&
           (in_the_end == 0 || in_the_end == r->at.cut_count[0] || divided) &&
           (in_the_end == 0 || in_the_end == r->to->cut_count[0] || placement_even(r->mesh, r->to, 0, r->sizes[0]));
}

/* How many stay: these, and inside them those whose shards become parts of a sum, if they are in nobody's way. */
static int staying(const Route *r, int dim)
{
    int kept = common_cuts(r, dim), count = kept;
    bool parts = r->manner.eager || !is_awaited(r, dim);
    while (parts && count < r->at.cut_count[dim] && r->to->axis[r->at.cut[dim][count]].kind == PLACED_PARTIAL)
        count++;
    return leaves_ranges(r, kept, count) ? count : 0;
}

/* Brings the cuts that stay outside those that leave, where they are the next ones; false if they are not. */
static bool reorder(Route *r, int dim)
{
    int first = common_cuts(r, dim), count = r->at.cut_count[dim], kept = first;
    Placement next = r->at;
    AxisSet axes = {0};
    for (; kept < r->to->cut_count[dim] && depth_of(&r->at, dim, r->to->cut[dim][kept]) >= first; kept++)
        add(&axes, r->to->cut[dim][kept]);
    if (axes.count == 0 || !is_allowed(r, CONVERT_REORDER))
        return false;
    for (int i = first; i < count; i++)
        if (!axes_contain(axes, r->at.cut[dim][i]))
            add(&axes, r->at.cut[dim][i]);
    memcpy(next.cut[dim] + first, axes.axis, (size_t)axes.count);
    go(r, CONVERT_REORDER, axes, &next);
    return !r->blocked;
}

/* Shards that in the end are whole, or at a coordinate. */
static bool is_gathered(const Route *r, int axis)
{
    OnAxis then = r->to->axis[axis];
    return then.kind != PLACED_SHARDED && then.kind != PLACED_PARTIAL;
}

/* How many of a dim's innermost cuts hop: those that need not be gathered, or all that have to leave. */
static int hopping(const Route *r, int dim)
{
    int count = 0;
    for (int i = r->at.cut_count[dim] - 1; i >= staying(r, dim); i--, count++)
        if (is_gathered(r, r->at.cut[dim][i]) && !r->manner.hops_all)
            break;
    return count;
}

static bool can_hop(const Route *r, int dim)
{
    if (!r->manner.hops || dim == r->manner.park || !is_allowed(r, CONVERT_ALL_TO_ALL))
        return false;
    AxisSet axes = innermost(&r->at, dim, hopping(r, dim));
    return axes.count > 0 && fitting(r, axes, r->manner.park).count == axes.count;
}

/* Moves shards out of the way, to the dim where they are parked. */
static bool hop(Route *r, int dim)
{
    if (!can_hop(r, dim))
        return false;
    park(r, CONVERT_ALL_TO_ALL, innermost(&r->at, dim, hopping(r, dim)));
    return !r->blocked;
}

/* Shards, or what is at a coordinate, in their places among zeros: a sum. An average is made from that. */
static void pad_axes(Route *r, AxisSet axes)
{
    OnAxis then = axes.count > 0 ? r->to->axis[axes.axis[0]] : on_replicated();
    move(r, CONVERT_PAD, axes, partial_op_is_linear(then.op) ? on_partial(PARTIAL_SUM) : then);
}

/* Nothing needs to be gathered to make parts of a sum. */
static bool pad_innermost(Route *r, int dim)
{
    int count = 0;
    while (count < r->at.cut_count[dim] - staying(r, dim) &&
           r->to->axis[r->at.cut[dim][r->at.cut_count[dim] - 1 - count]].kind == PLACED_PARTIAL)
        count++;
    pad_axes(r, innermost(&r->at, dim, count));
    return count > 0 && !r->blocked;
}

/* Can this cut go to another dim, or become parts of a sum, once what is inside it is gathered? */
static bool needs_no_gather(const Route *r, int dim, int axis)
{
    OnAxis then = r->to->axis[axis];
    if (then.kind == PLACED_SHARDED)
        return then.dim != dim && may_cut(r, &r->at, then.dim, axis);
    return then.kind == PLACED_PARTIAL;
}

/* Gathers the dim down to the outer cuts that stay, and those that need no gather themselves. False if there is nothing
 * to gather. */
static bool gather_dim(Route *r, int dim)
{
    int first = staying(r, dim), count = r->at.cut_count[dim];
    if (first == count)
        return false;
    if (!r->manner.eager && (reorder(r, dim) || hop(r, dim) || pad_innermost(r, dim)))
        return true;
    while (!r->manner.eager && first + 1 < count && needs_no_gather(r, dim, r->at.cut[dim][first]))
        first++;
    AxisSet axes = innermost(&r->at, dim, count - first);
    bool to_one = is_allowed(r, CONVERT_GATHER);
    for (int i = 0; i < axes.count; i++)
        to_one = to_one && r->to->axis[axes.axis[i]].kind == PLACED_AT;
    if (to_one)
        move_to_coordinates(r, CONVERT_GATHER, axes);
    else
        move(r, CONVERT_ALL_GATHER, axes, on_replicated());
    return !r->blocked;
}

/* By how much it enlarges the value to gather the dim; more than that, if what is gathered is then sharded again; not
 * at all if something goes to another dim. */
static double enlargement(const Route *r, int dim)
{
    double ranks = 1;
    bool again = false;
    for (int i = staying(r, dim); i < r->at.cut_count[dim]; i++) {
        int axis = r->at.cut[dim][i];
        ranks *= (double)r->mesh->axis[axis].size;
        again = again || r->to->axis[axis].kind == PLACED_SHARDED;
    }
    if (can_hop(r, dim))
        return 1;
    return again ? ranks * (double)mesh_ranks(r->mesh) : ranks;
}

static int smallest_gather(const Route *r)
{
    int best = -1;
    for (int dim = 0; dim < r->at.dim_count; dim++)
        if (staying(r, dim) < r->at.cut_count[dim] && (best < 0 || enlargement(r, dim) < enlargement(r, best)))
            best = dim;
    return best;
}

static void gather(Route *r)
{
    if (r->manner.eager) {
        for (int dim = 0; dim < r->at.dim_count; dim++)
            gather_dim(r, dim);
        return;
    }
    for (int dim = smallest_gather(r); dim >= 0 && gather_dim(r, dim); dim = smallest_gather(r)) {
        shrink(r);
        exchange(r);
    }
}

/* ---- At the end ------------------------------------------------------------------------------------------------ */

/* Copies become parts by way of shards, if they cannot be masked. False if there are none. */
static bool slice_for_parts(Route *r)
{
    bool any = false;
    for (int dim = 0; dim < r->at.dim_count; dim++) {
        AxisSet axes = {0};
        for (int a = 0; a < r->at.axis_count; a++) {
            int kind = convert_kind_on(r->at.axis[a], r->to->axis[a]);
            if ((kind == CONVERT_MASK || kind == CONVERT_RETAG) && !is_allowed(r, (ConvertKind)kind))
                add(&axes, a);
        }
        move(r, CONVERT_SLICE, fitting(r, axes, dim), on_sharded(dim));
        any = any || axes.count > 0;
    }
    return any;
}

static void pad(Route *r)
{
    AxisSet axes = {0};
    for (int a = 0; a < r->at.axis_count; a++) {
        int kind = r->at.axis[a].kind;
        if (r->to->axis[a].kind == PLACED_PARTIAL && (kind == PLACED_SHARDED || kind == PLACED_AT))
            add(&axes, a);
    }
    pad_axes(r, axes);
}

/* What is replicated, or partial by a related op, is taken for what it is to be. */
static void become(Route *r, ConvertKind kind)
{
    AxisSet axes = {0};
    for (int a = 0; a < r->at.axis_count; a++)
        if (!on_axis_equal(r->at.axis[a], r->to->axis[a]) &&
            convert_kind_on(r->at.axis[a], r->to->axis[a]) == (int)kind)
            add(&axes, a);
    move_to_coordinates(r, kind, axes);
}

/* Follows the manner to the end; false if it does not lead there. */
static bool travel(Route *r)
{
    shrink(r);
    r->manner.parks_copies = false;
    reduce(r);
    spread_out(r);
    exchange(r);
    if (!r->manner.eager)
        shrink(r);
    gather(r);
    r->manner.patient = false;
    reduce(r);
    spread_out(r);
    if (slice_for_parts(r))
        pad(r);
    cut(r, PLACED_REPLICATED, CONVERT_SLICE);
    pad(r);
    become(r, CONVERT_SCALE);
    become(r, CONVERT_MASK);
    become(r, CONVERT_RETAG);
    become(r, CONVERT_DROP);
    cut(r, PLACED_REPLICATED, CONVERT_SLICE);
    return !r->blocked && placement_equal(&r->at, r->to);
}

static bool try_manner(const Route *start, Manner manner, Conversion *c)
{
    Route r = *start;
    r.manner = manner;
    r.steps = c;
    c->count = c->collectives = 0;
    c->elements = 0;
    return travel(&r);
}

/* Tries another manner; takes it if it sends less than the best so far. */
static void improve(const Route *start, Manner manner, bool *found, Conversion *best)
{
    Conversion c;
    if (!try_manner(start, manner, &c) || (*found && c.elements >= best->elements))
        return;
    *found = true;
    best->count = c.count, best->elements = c.elements, best->collectives = c.collectives;
    memcpy(best->step, c.step, sizeof *c.step * (size_t)c.count);
}

/* Those that can differ from the eager one: nothing waits, or is parked, that is not there. */
static bool try_others(const Route *start, bool found, Conversion *best)
{
    const Placement *from = &start->at;
    bool parts = placement_axes_of(from, PLACED_PARTIAL).count + placement_axes_of(from, PLACED_AT).count > 0;
    bool copies = placement_axes_of(from, PLACED_REPLICATED).count > 0;
    bool several = placement_axes_of(from, PLACED_SHARDED).count + parts + copies > 1;
    for (int patient = 0; patient <= parts; patient++) {
        improve(start, (Manner){.patient = patient}, &found, best);
        for (int what = 0; what < 8 * from->dim_count; what++) {
            Manner manner = {.patient = patient,
                             .park = what / 8,
                             .hops = true,
                             .hops_all = what & 1,
                             .parks_parts = what & 2,
                             .parks_copies = what & 4};
            if (manner.hops_all <= several && manner.parks_parts <= parts && manner.parks_copies <= copies)
                improve(start, manner, &found, best);
        }
    }
    return found;
}

static bool is_within_limits(const Placement *from, const Placement *to, const ConvertLimits *limits)
{
    for (int a = 0; a < from->axis_count; a++) {
        if (on_axis_equal(from->axis[a], to->axis[a]))
            continue;
        if (from->axis[a].kind == PLACED_VARYING || to->axis[a].kind == PLACED_VARYING)
            return false;
        if (limits->slices_only >> a & 1 && convert_kind_on(from->axis[a], to->axis[a]) != CONVERT_SLICE)
            return false;
    }
    return true;
}

bool convert(const Mesh *mesh, const int64_t *sizes, const Placement *from, const Placement *to,
             const ConvertLimits *limits, Conversion *conversion)
{
    Route start = {.mesh = mesh, .sizes = sizes, .to = to, .limits = limits, .at = *from};
    if (!is_within_limits(from, to, limits)) {
        conversion->count = 0;
        return false;
    }
    bool found = try_manner(&start, (Manner){.eager = true}, conversion);
    if (found && (conversion->count <= 1 || conversion->elements == 0))
        return true;
    return try_others(&start, found, conversion);
}
