/* cost.h - how long operators and communications take on the devices of a cluster (docs/cost.md).
 *
 * An operator takes as long as its arithmetic or its memory, whichever is slower, and the time to start it (the
 * roofline of Williams et al. 2009); a communication what the cheapest algorithm for its size and group takes
 * (base/algorithm.def). Everything is of the rank with the largest pieces.
 */
#ifndef PLACE_PLAN_COST_H
#define PLACE_PLAN_COST_H

#include "reference/train.h"
#include "step/step.h"

/* Which part of the machine time is spent with. */
typedef enum Spent {
    SPENT_PRODUCTS, /* arithmetic of matrix products and convolutions, */
    SPENT_VECTOR,   /* and of everything else */
    SPENT_MEMORY,
    SPENT_LAUNCH,
    SPENT_LINK,   /* bytes over links, */
    SPENT_LATENCY /* and messages of whatever size */
} Spent;
enum { SPENT_COUNT = SPENT_LATENCY + 1 };

/* Of the bytes that one run of an operator reads and writes, how many each cache of the device has, from the smallest
 * on, how many only its memory, and how many it writes that another rank has in its cache. */
enum { TRAFFIC_MEMORY = DEVICE_CACHES, TRAFFIC_SHARED, TRAFFIC_COUNT };
typedef struct OpTraffic {
    double bytes[TRAFFIC_COUNT];
} OpTraffic;

/* What a kernel computes for an element. */
typedef struct BodyWork {
    int operations, functions; /* additions and the like; exp, log, tanh and the like */
} BodyWork;

BodyWork cost_work(OpKind op);

typedef struct OpCost {
    double flops, bytes;
    double seconds; /* the sum of the following */
    double spent[SPENT_COUNT];
    const char *algorithm; /* of a collective; NULL for everything else */
} OpCost;

/* The shape of one product: `batch` products of [m, k] and [k, n]. */
typedef struct ProductShape {
    double batch, m, n, k;
} ProductShape;

ProductShape cost_product_shape(const Program *program, const Op *op);

/* Bytes that the operator reads and writes in the device's memory. */
double cost_memory_bytes(const Program *program, const Op *op);

/* Ranks that communicate: `within` of them in a node, in `nodes` nodes. */
typedef struct CostGroup {
    int64_t ranks, within, nodes;
    const Link *inside, *outside;
} CostGroup;

/* The node of a rank of the mesh. */
int64_t cost_node(const Cluster *cluster, int64_t rank);

/* The ranks along the axes, as the mesh's order places them in nodes. */
CostGroup cost_group(const Cluster *cluster, const Decls *decls, const AxisSet *axes);

/* The cheapest algorithm for a payload (PlanCall.payload_bytes). */
OpCost cost_collective(Collective op, double payload_bytes, const CostGroup *group);
/* By one algorithm, which must be one for such a group; NULL: the cheapest. */
OpCost cost_collective_by(Collective op, double payload_bytes, const CostGroup *group, const char *algorithm);
/* The cheapest where the algorithm `missing` is not available (NULL: all are). */
OpCost cost_collective_without(Collective op, double payload_bytes, const CostGroup *group, const char *missing);

/* One run of any operator. A message stays in the node if neighbours along its axis are in one. `traffic` NULL:
 * nothing is in a cache. */
OpCost cost_op(const Cluster *cluster, const Program *program, const Op *op, const OpTraffic *traffic);
/* By which algorithm a communication is done. */
const char *cost_algorithm(const Cluster *cluster, const Program *program, const Op *op);
/* A message between nodes. */
OpCost cost_far(const Cluster *cluster, const Program *program, const Op *op);

/* What must be known of the devices and links to predict how long the operator takes, and is not; NULL: nothing. */
const char *cost_unknown(const Cluster *cluster, const Program *program, const Op *op);

#endif
