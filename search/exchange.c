/* exchange.c - sums of gradients and gathers of parameters (search/exchange.h). */
#include "search/exchange.h"

#include "derive/places.h"
#include "search/space.h"

#include <math.h>
#include <string.h>

static int find_axis(const Decls *decls, const char *name)
{
    for (int a = 0; a < decls->axes.count; a++)
        if (strcmp(decls->axes.data[a].name, name) == 0)
            return a;
    return -1;
}

Exchange exchange_open(const Cluster *cluster, const Decls *decls, double micro)
{
    const int data = find_axis(decls, degree_names[DEGREE_DATA]),
              tensor = find_axis(decls, degree_names[DEGREE_TENSOR]);
    const int copies = find_axis(decls, degree_names[DEGREE_REPLICA]);
    const AxisSet none = {0}, of_data = data >= 0 ? axes_one(data) : none;
    const AxisSet of_copies = copies >= 0 ? axes_one(copies) : none, both = axes_union(decls, of_copies, of_data);
    const AxisSet inner = tensor >= 0 ? axes_one(tensor) : of_data, every = axes_union(decls, both, inner);
    Exchange exchange = {.launch_seconds = cluster->device.launch_seconds,
                         .micro = micro,
                         .axis = tensor >= 0 ? tensor : data,
                         .outer = tensor >= 0 ? both : of_copies,
                         .inner = cost_group(cluster, decls, &inner),
                         .data = cost_group(cluster, decls, &of_data),
                         .copies = cost_group(cluster, decls, &of_copies),
                         .both = cost_group(cluster, decls, &both),
                         .every = cost_group(cluster, decls, &every)};
    exchange.outer_ranks = (double)(tensor >= 0 ? exchange.both.ranks : exchange.copies.ranks);
    return exchange;
}

/* Is the axis not that of the copies, which a stage of ZeRO shards? */
static bool is_apart(const Exchange *x)
{
    return x->every.ranks > x->both.ranks;
}

/* Its part of calls that are as large as can be: these take the least time for each byte. */
static double part_of_calls(const Exchange *x, const CostGroup *group, Collective collective, double bytes,
                            const Copied *copied)
{
    if (group->ranks == 1)
        return 0;
    double call = bytes / copied->layers / copied->share;
    return copied->layers * copied->share * (cost_collective(collective, call, group).seconds + x->launch_seconds);
}

/* The copies sum shards. */
static double copies_seconds(const Exchange *x, const Copied *c)
{
    return part_of_calls(x, &x->copies, COLLECTIVE_ALL_REDUCE, c->gradient_bytes / (double)x->data.ranks, c);
}

static double scatter_seconds(const Exchange *x, const Copied *c)
{
    return part_of_calls(x, &x->data, COLLECTIVE_REDUCE_SCATTER, c->gradient_bytes, c);
}

/* Summed over `data` in shards, which the copies then sum; or over all of them at once. */
static double sum_seconds(const Exchange *x, const Copied *c)
{
    double gather = part_of_calls(x, &x->data, COLLECTIVE_ALL_GATHER, c->gradient_bytes, c);
    double once = part_of_calls(x, &x->both, COLLECTIVE_ALL_REDUCE, c->gradient_bytes, c);
    return fmin(scatter_seconds(x, c) + copies_seconds(x, c) + gather, once);
}

/* What a stage of ZeRO gathers of a copied parameter in a step. */
static double gather_seconds(const Exchange *x, const Copied *c)
{
    double gather = part_of_calls(x, &x->data, COLLECTIVE_ALL_GATHER, c->parameter_bytes, c);
    switch (x->zero) {
    case 0:
        return 0;
    case 1:
    case 2:
        return gather;
    case 3:
        return x->micro * c->passes * gather;
    }
    BUG("ZeRO has no stage %d", x->zero);
}

/* Its gradient is a sum over `data`, after the microbatches or in each. */
static double summed_seconds(const Exchange *x, const Copied *c)
{
    if (x->zero == 0)
        return sum_seconds(x, c);
    double scatters = x->zero >= 2 ? x->micro : 1;
    return scatters * scatter_seconds(x, c) + copies_seconds(x, c) + gather_seconds(x, c);
}

/* Every rank of `data` has all of its gradient; the copies do not. */
static double whole_seconds(const Exchange *x, const Copied *c)
{
    if (x->zero == 0)
        return part_of_calls(x, &x->copies, COLLECTIVE_ALL_REDUCE, c->gradient_bytes, c);
    return copies_seconds(x, c) + gather_seconds(x, c);
}

/* On `data` itself. A copied parameter's gradient stays in parts, or is whole; a sharded one's is sharded alike, and
 * summed by the copies. */
static double alike_seconds(const Exchange *x, int stored, int summed, const Copied *c)
{
    if (stored != ON_WHOLE)
        return summed == stored ? copies_seconds(x, c) : INFINITY;
    if (summed == ON_PARTIAL)
        return summed_seconds(x, c);
    return summed == ON_WHOLE ? whole_seconds(x, c) : INFINITY;
}

/* Copied over `data` in any case: what is in parts on the axis, too, is summed there before, after, or at once. */
static double apart_seconds(const Exchange *x, int stored, int summed, const Copied *c)
{
    Copied shard = *c;
    shard.gradient_bytes /= (double)x->inner.ranks;
    shard.parameter_bytes /= (double)x->inner.ranks;
    if (stored != ON_WHOLE)
        return summed == stored ? summed_seconds(x, &shard) : INFINITY;
    if (summed == ON_WHOLE)
        return summed_seconds(x, c);
    if (summed != ON_PARTIAL)
        return INFINITY;
    double data = (double)x->data.ranks;
    double before =
        part_of_calls(x, &x->inner, COLLECTIVE_ALL_REDUCE, c->gradient_bytes, c) + summed_seconds(x, &shard);
    double after =
        summed_seconds(x, c) + part_of_calls(x, &x->inner, COLLECTIVE_ALL_REDUCE, c->gradient_bytes / data, c);
    double once = x->zero == 0 ? part_of_calls(x, &x->every, COLLECTIVE_ALL_REDUCE, c->gradient_bytes, c) : INFINITY;
    return fmin(once, fmin(before, after));
}

double exchange_seconds(const Exchange *x, int stored, int summed, const Copied *copied)
{
    return is_apart(x) ? apart_seconds(x, stored, summed, copied) : alike_seconds(x, stored, summed, copied);
}

double exchange_parts(const Exchange *x, int zero, bool sharded)
{
    double inner = sharded ? (double)x->inner.ranks : 1, data = x->zero >= zero ? (double)x->data.ranks : 1;
    return is_apart(x) ? inner * data : fmax(inner, data);
}
