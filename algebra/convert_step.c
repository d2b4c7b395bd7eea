/* convert_step.c - the steps of conversions, and their prices. */
#include "algebra/convert.h"

#include <math.h>

/* How much of the value the busiest of n ranks sends or receives: nothing; all ranks' shards but its own; twice that;
 * all parts of its shard but its own; its shard; the whole. */
typedef enum Moves { MOVES_NOTHING, MOVES_OTHERS, MOVES_TWICE, MOVES_PARTS, MOVES_SHARD, MOVES_ALL } Moves;

static const struct {
    const char *name;
    Moves moves;
} kinds[] = {
    [CONVERT_SLICE] = {"slice", MOVES_NOTHING},
    [CONVERT_MASK] = {"mask", MOVES_NOTHING},
    [CONVERT_PAD] = {"pad", MOVES_NOTHING},
    [CONVERT_RETAG] = {"retag", MOVES_NOTHING},
    [CONVERT_SCALE] = {"scale", MOVES_NOTHING},
    [CONVERT_DROP] = {"drop", MOVES_NOTHING},
    [CONVERT_ALL_GATHER] = {"all_gather", MOVES_OTHERS},
    [CONVERT_REDUCE_SCATTER] = {"reduce_scatter", MOVES_OTHERS},
    [CONVERT_ALL_REDUCE] = {"all_reduce", MOVES_TWICE},
    [CONVERT_ALL_TO_ALL] = {"all_to_all", MOVES_PARTS},
    [CONVERT_REORDER] = {"reorder", MOVES_SHARD},
    [CONVERT_SCATTER] = {"scatter", MOVES_OTHERS},
    [CONVERT_GATHER] = {"gather", MOVES_OTHERS},
    [CONVERT_BROADCAST] = {"broadcast", MOVES_ALL},
    [CONVERT_REDUCE] = {"reduce", MOVES_ALL},
    [CONVERT_SEND] = {"send", MOVES_ALL},
};

const char *convert_kind_name(ConvertKind kind)
{
    return kinds[kind].name;
}

double convert_price(ConvertKind kind, int64_t ranks, double whole)
{
    double n = (double)ranks;
    if (ranks == 1)
        return 0;
    switch (kinds[kind].moves) {
    case MOVES_NOTHING:
        return 0;
    case MOVES_OTHERS:
        return whole * (n - 1) / n;
    case MOVES_TWICE:
        return 2 * (whole * (n - 1) / n);
    case MOVES_PARTS:
        return whole * (n - 1) / n / n;
    case MOVES_SHARD:
        return whole / n;
    case MOVES_ALL:
        return whole;
    }
    BUG("a conversion that is none");
}

/* ---- One axis ----------------------------------------------------------------------------------------------- */

static int from_replicated(OnAxis to)
{
    switch ((PlacedKind)to.kind) {
    case PLACED_SHARDED:
        return CONVERT_SLICE;
    case PLACED_PARTIAL:
        return to.op == PARTIAL_SUM ? CONVERT_MASK : CONVERT_RETAG;
    case PLACED_AT:
        return CONVERT_DROP;
    case PLACED_REPLICATED:
    case PLACED_VARYING:
        return -1;
    }
    BUG("a placement that is none");
}

static int from_sharded(OnAxis to)
{
    switch ((PlacedKind)to.kind) {
    case PLACED_REPLICATED:
        return CONVERT_ALL_GATHER;
    case PLACED_SHARDED:
        return CONVERT_ALL_TO_ALL;
    case PLACED_PARTIAL:
        return to.op == PARTIAL_AVG ? -1 : CONVERT_PAD;
    case PLACED_AT:
        return CONVERT_GATHER;
    case PLACED_VARYING:
        return -1;
    }
    BUG("a placement that is none");
}

static int from_partial(OnAxis from, OnAxis to)
{
    switch ((PlacedKind)to.kind) {
    case PLACED_REPLICATED:
        return CONVERT_ALL_REDUCE;
    case PLACED_SHARDED:
        return CONVERT_REDUCE_SCATTER;
    case PLACED_PARTIAL:
        return partial_op_is_linear(from.op) && partial_op_is_linear(to.op) ? CONVERT_SCALE : -1;
    case PLACED_AT:
        return CONVERT_REDUCE;
    case PLACED_VARYING:
        return -1;
    }
    BUG("a placement that is none");
}

static int from_coordinate(OnAxis to)
{
    switch ((PlacedKind)to.kind) {
    case PLACED_REPLICATED:
        return CONVERT_BROADCAST;
    case PLACED_SHARDED:
        return CONVERT_SCATTER;
    case PLACED_PARTIAL:
        return to.op == PARTIAL_AVG ? -1 : CONVERT_PAD;
    case PLACED_AT:
        return CONVERT_SEND;
    case PLACED_VARYING:
        return -1;
    }
    BUG("a placement that is none");
}

int convert_kind_on(OnAxis from, OnAxis to)
{
    switch ((PlacedKind)from.kind) {
    case PLACED_REPLICATED:
        return from_replicated(to);
    case PLACED_SHARDED:
        return from_sharded(to);
    case PLACED_PARTIAL:
        return from_partial(from, to);
    case PLACED_AT:
        return from_coordinate(to);
    case PLACED_VARYING:
        return -1;
    }
    BUG("a placement that is none");
}

double convert_price_on(int64_t ranks, OnAxis from, OnAxis to, unsigned kinds_allowed, double whole)
{
    if (on_axis_equal(from, to))
        return 0;
    int kind = convert_kind_on(from, to);
    if (kind < 0 || !(kinds_allowed >> kind & 1))
        return INFINITY;
    return convert_price((ConvertKind)kind, ranks, whole);
}

/* ---- Whole steps -------------------------------------------------------------------------------------------- */

static int64_t group_size(const Mesh *mesh, AxisSet axes)
{
    int64_t size = 1;
    for (int i = 0; i < axes.count; i++)
        size *= mesh->axis[axes.axis[i]].size;
    return size;
}

/* The part of a shard that goes to one other rank: cut along both dims. */
static int64_t exchanged(const Mesh *mesh, const int64_t *sizes, const Placement *before, const Placement *after)
{
    int64_t coordinates[STEP_MAX_AXES] = {0}, elements = 1;
    for (int i = 0; i < before->axis_count; i++)
        if (before->axis[i].kind == PLACED_AT)
            coordinates[i] = before->axis[i].coordinate;
    for (int dim = 0; dim < before->dim_count; dim++) {
        bool inner = after->cut_count[dim] > before->cut_count[dim];
        elements *= placement_extent(mesh, inner ? after : before, dim, sizes[dim], coordinates, NULL);
    }
    return elements;
}

/* The whole, if all ranks' shards, and what they send each other, are as large as the largest. */
static int64_t padded_whole(const Mesh *mesh, const int64_t *sizes, ConvertKind kind, int64_t n,
                            const Placement *before, const Placement *after)
{
    switch (kind) {
    case CONVERT_ALL_GATHER:
    case CONVERT_GATHER:
    case CONVERT_REORDER:
        return n * placement_elements(mesh, before, sizes);
    case CONVERT_REDUCE_SCATTER:
    case CONVERT_SCATTER:
        return n * placement_elements(mesh, after, sizes);
    case CONVERT_ALL_REDUCE:
        return (placement_elements(mesh, before, sizes) + n - 1) / n * n;
    case CONVERT_ALL_TO_ALL:
        return n * n * exchanged(mesh, sizes, before, after);
    case CONVERT_BROADCAST:
    case CONVERT_REDUCE:
    case CONVERT_SEND:
        return placement_elements(mesh, before, sizes);
    case CONVERT_SLICE: /* nothing moves */
    case CONVERT_MASK:
    case CONVERT_PAD:
    case CONVERT_RETAG:
    case CONVERT_SCALE:
    case CONVERT_DROP:
        return 0;
    }
    BUG("a conversion that is none");
}

ConvertStep convert_step(const Mesh *mesh, const int64_t *sizes, ConvertKind kind, AxisSet axes,
                         const Placement *before, const Placement *after)
{
    int64_t n = group_size(mesh, axes), whole = padded_whole(mesh, sizes, kind, n, before, after);
    return (ConvertStep){.kind = kind,
                         .collective = kinds[kind].moves != MOVES_NOTHING && n > 1,
                         .axes = axes,
                         .after = *after,
                         .elements = (int64_t)convert_price(kind, n, (double)whole)};
}

bool convert_flat_nests(const Mesh *mesh, const int64_t *sizes, const Placement *x, const Placement *y)
{
    if (!x->flat || x->cut_count[0] == 0 || y->cut_count[0] == 0 || x->cut_count[0] == y->cut_count[0])
        return true;
    const Placement *longer = x->cut_count[0] > y->cut_count[0] ? x : y;
    return placement_even(mesh, longer, 0, sizes[0]);
}

const char *convert_step_print(Arena *arena, const Mesh *mesh, const ConvertStep *step, const char *const *dim_names)
{
    const char *axes = "";
    for (int i = 0; i < step->axes.count; i++)
        axes = arena_printf(arena, "%s%s%s", axes, i > 0 ? ", " : "", mesh->axis[step->axes.axis[i]].name);
    return arena_printf(arena, "%s over %s -> %s", kinds[step->kind].name, axes,
                        placement_print(arena, mesh, &step->after, dim_names));
}
