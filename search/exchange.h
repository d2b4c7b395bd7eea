/* exchange.h - what is sent of a parameter and its gradient in a step, at least: on an axis on which it is whole or
 * sharded, and over `data` and `replica`, where a stage of ZeRO shards what is copied, and copies of that.
 *
 *     Exchange exchange = exchange_open(cluster, decls, micro);
 *     exchange.zero = 1;
 *     exchange_seconds(&exchange, stored, summed, &copied)  // each ON_WHOLE, ON_PARTIAL, or a dim
 */
#ifndef PLACE_SEARCH_EXCHANGE_H
#define PLACE_SEARCH_EXCHANGE_H

#include "plan/cost.h"

typedef struct Exchange {
    double launch_seconds, micro;
    int axis;              /* on which parameters are placed: `tensor`, or where the mesh has none, `data` */
    AxisSet outer;         /* what else cuts the batch: over these axes all parameters are copied */
    CostGroup inner;       /* along the axis; */
    CostGroup data;        /* along `data`, over which a stage of ZeRO shards, */
    CostGroup copies;      /* along `replica`, which has copies of that, */
    CostGroup both, every; /* along these two, and along all axes */
    double outer_ranks;
    int zero;
} Exchange;

/* What a rank would have if nothing were sharded. A layer's calls are of at most all that it has: `share`, of which
 * this is a part. */
typedef struct Copied {
    double gradient_bytes, parameter_bytes; /* of all layers */
    double layers, share;
    int passes; /* in which it is read */
} Copied;

Exchange exchange_open(const Cluster *cluster, const Decls *decls, double micro);

/* INFINITY: a parameter that is stored so has no gradient that is summed so. */
double exchange_seconds(const Exchange *exchange, int stored, int summed, const Copied *copied);

/* Ranks that have a part each of what a stage of ZeRO, this one or a higher one, shards. */
double exchange_parts(const Exchange *exchange, int zero, bool sharded);

#endif
