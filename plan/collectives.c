/* collectives.c - how long collectives take, by algorithm (base/algorithm.def). */
#include "plan/cost.h"

#include <math.h>
#include <string.h>

/* ---- Groups ------------------------------------------------------------------------------------------------- */

/* Ranks of a node; 0: there is only one. */
static int64_t node_ranks(const Cluster *cluster)
{
    return cluster->node_devices > 0 ? cluster->node_devices : cluster->device.node_devices;
}

/* Ranks are numbered with the last axis fastest, node after node. */
int64_t cost_node(const Cluster *cluster, int64_t rank)
{
    int64_t node = node_ranks(cluster);
    return node > 0 ? rank / node : 0;
}

/* An axis of a group: its ranks are `stride` apart. */
typedef struct Steps {
    int64_t size, stride;
} Steps;

/* Nodes of the group of the first rank where each axis is within a node, or leads from node to node, or fills nodes:
 * then the product of what each leads to. 0: some axis does none of it. */
static int64_t count_aligned(int64_t node, const Steps *steps, int count)
{
    int64_t nodes = 1;
    for (int i = 0; i < count; i++) {
        int64_t extent = steps[i].size * steps[i].stride;
        if (steps[i].size == 1 || node % extent == 0)
            continue;
        if (steps[i].stride % node == 0)
            nodes *= steps[i].size;
        else if (node % steps[i].stride == 0 && extent % node == 0)
            nodes *= extent / node;
        else
            return 0;
    }
    return nodes;
}

/* Rank by rank. */
static int64_t count_apart(int64_t node, const Steps *steps, int count, int64_t ranks)
{
    int64_t nodes = 1, last = 0;
    for (int64_t member = 1; member < ranks; member++) {
        int64_t rank = 0, left = member;
        for (int i = count - 1; i >= 0; i--) {
            rank += left % steps[i].size * steps[i].stride;
            left /= steps[i].size;
        }
        nodes += rank / node != last;
        last = rank / node;
    }
    return nodes < ranks ? nodes : ranks;
}

/* Of the group of the first rank: the others lie alike, if nodes have as many ranks as inner axes. */
CostGroup cost_group(const Cluster *cluster, const Decls *decls, const AxisSet *axes)
{
    CostGroup group = {.ranks = 1, .nodes = 1, .inside = &cluster->within, .outside = &cluster->between};
    int64_t stride[STEP_MAX_AXES] = {0}, inner = 1, node = node_ranks(cluster);
    Steps steps[STEP_MAX_AXES];
    for (int a = decls->axes.count - 1; a >= 0; a--) {
        stride[a] = inner;
        inner *= decls->axes.data[a].size;
    }
    for (int i = 0; i < axes->count; i++) {
        steps[i] = (Steps){decls->axes.data[axes->axis[i]].size, stride[axes->axis[i]]};
        group.ranks *= steps[i].size;
    }
    if (node > 0)
        group.nodes = count_aligned(node, steps, axes->count);
    if (group.nodes == 0)
        group.nodes = count_apart(node, steps, axes->count, group.ranks);
    group.within = (group.ranks + group.nodes - 1) / group.nodes;
    return group;
}

/* ---- Algorithms --------------------------------------------------------------------------------------------- */

typedef struct Spending {
    double latency, link; /* seconds */
} Spending;

typedef Spending Algorithm(const CostGroup *g, double bytes);

/* Where a link's speed is not known, and nothing is predicted, algorithms are chosen as for this one. */
static const double assumed_bytes_per_second = 1e9;

static double crossing(const Link *link, double bytes)
{
    double speed = link->bytes_per_second > 0 ? link->bytes_per_second : assumed_bytes_per_second;
    return bytes / (speed * link->reached);
}

static double inside(const CostGroup *g, double bytes)
{
    return g->within > 1 ? crossing(g->inside, bytes) : 0;
}

static double outside(const CostGroup *g, double bytes)
{
    return g->nodes > 1 ? crossing(g->outside, bytes) : 0;
}

static double rounds(int64_t ranks)
{
    return ceil(log2((double)ranks));
}

/* So many messages after one another, of which these cross nodes. */
static double messages(const CostGroup *g, double within, double between)
{
    return within * g->inside->latency_seconds + between * g->outside->latency_seconds;
}

static double others(int64_t ranks)
{
    return (double)(ranks - 1) / (double)ranks;
}

/* n - 1 messages of one piece each; between nodes every piece goes over the link of one rank of the node, and the
 * pieces over all of them. */
static Spending ring(const CostGroup *g, double bytes)
{
    double crossings = (double)(g->nodes > 1 ? g->nodes - 1 : 0), steps = (double)(g->ranks - 1) - crossings;
    double moved = others(g->ranks) * bytes;
    return (Spending){messages(g, steps, crossings), fmax(inside(g, moved), outside(g, moved / (double)g->within))};
}

static Spending ring_twice(const CostGroup *g, double bytes)
{
    Spending once = ring(g, bytes);
    return (Spending){2 * once.latency, 2 * once.link};
}

/* Pieces of ranks of other nodes first, then of those of the own node: as many bytes as the ring, in log n messages. */
static Spending doubling(const CostGroup *g, double bytes)
{
    return (Spending){messages(g, rounds(g->within), rounds(g->nodes)),
                      outside(g, others(g->nodes) * bytes / (double)g->within) + inside(g, others(g->within) * bytes)};
}

static Spending doubling_twice(const CostGroup *g, double bytes)
{
    Spending once = doubling(g, bytes);
    return (Spending){2 * once.latency, 2 * once.link};
}

/* Messages after one another until all have the sum of all: those beyond a power of two are added to others before, and
 * get it from these after. */
static double whole_rounds(int64_t ranks)
{
    double power = floor(log2((double)ranks));
    return exp2(power) < (double)ranks ? power + 2 : power;
}

/* The whole in every message. */
static Spending whole_doubling(const CostGroup *g, double bytes)
{
    double near = whole_rounds(g->within), far = whole_rounds(g->nodes);
    return (Spending){messages(g, near, far), inside(g, near * bytes) + outside(g, far * bytes)};
}

/* Rings within nodes, one between the nodes for each of a node's ranks, and rings within nodes again. */
static Spending hierarchical(const CostGroup *g, double bytes)
{
    double within = 2 * (double)(g->within - 1), between = 2 * (double)(g->nodes - 1);
    return (Spending){messages(g, within, between), inside(g, 2 * others(g->within) * bytes) +
                                                        outside(g, 2 * others(g->nodes) * bytes / (double)g->within)};
}

/* A message to each of the others; those to ranks of the own node and of other nodes at a time. */
static Spending pairwise(const CostGroup *g, double bytes)
{
    double piece = bytes / (double)g->ranks, near = (double)(g->within - 1), far = (double)(g->ranks - g->within);
    return (Spending){messages(g, near, far), fmax(inside(g, near * piece), outside(g, far * piece))};
}

/* How often the pieces for all ranks are sent on, per piece: one goes a distance in as many messages as it has bits. */
static double passed_on(int64_t ranks)
{
    int64_t times = 0;
    for (int64_t distance = 1; distance < ranks; distance++)
        times += __builtin_popcountll((unsigned long long)distance);
    return (double)times / (double)ranks;
}

/* Half of everything, or a little less, in each of log n messages. */
static Spending bruck(const CostGroup *g, double bytes)
{
    return (Spending){messages(g, rounds(g->within), rounds(g->nodes)),
                      inside(g, passed_on(g->within) * bytes) + outside(g, passed_on(g->nodes) * bytes)};
}

static Spending tree(const CostGroup *g, double bytes)
{
    return (Spending){messages(g, rounds(g->within), rounds(g->nodes)),
                      inside(g, rounds(g->within) * bytes) + outside(g, rounds(g->nodes) * bytes)};
}

static Spending scatter_gather(const CostGroup *g, double bytes)
{
    Spending scatter = doubling(g, bytes), gather = ring(g, bytes);
    return (Spending){scatter.latency + gather.latency, scatter.link + gather.link};
}

/* Everything to one rank, and from there to all. */
static Spending gather_broadcast(const CostGroup *g, double bytes)
{
    Spending gather = doubling(g, bytes), broadcast = tree(g, bytes);
    return (Spending){gather.latency + broadcast.latency, gather.link + broadcast.link};
}

/* Where ranks share memory, a rank reads what it needs from the others' and writes what they need there: operands and
 * results of so many bytes, a copy of a byte being one of each. All meet before and after. */
static Spending direct(const CostGroup *g, double read, double written)
{
    return (Spending){messages(g, 1, 0), inside(g, (read + written) / 2)};
}

static Spending direct_copy(const CostGroup *g, double bytes)
{
    return direct(g, bytes, bytes);
}

static Spending direct_scatter(const CostGroup *g, double bytes)
{
    return direct(g, bytes, bytes / (double)g->ranks);
}

/* Where ranks share memory within nodes, they read what their node has there and write what they get, and each sends
 * its part between nodes: `part` of the bytes, in so many messages. */
static Spending hosts(const CostGroup *g, double memory_bytes, double between, double part)
{
    return (Spending){messages(g, g->within > 1 ? 1 : 0, between),
                      inside(g, memory_bytes) + outside(g, part / (double)g->within)};
}

/* Messages that are started at once: each after the first adds so much of a message's latency. */
static const double started_at_once = 0.25;

static double at_once(int64_t others)
{
    return others > 0 ? 1 + started_at_once * (double)(others - 1) : 0;
}

static Spending hosts_pairs(const CostGroup *g, double bytes)
{
    return hosts(g, bytes, at_once(g->nodes - 1), others(g->nodes) * bytes);
}

static Spending hosts_pairs_twice(const CostGroup *g, double bytes)
{
    return hosts(g, 2 * bytes, 2 * at_once(g->nodes - 1), 2 * others(g->nodes) * bytes);
}

static Spending hosts_ring(const CostGroup *g, double bytes)
{
    return hosts(g, bytes, (double)(g->nodes - 1), others(g->nodes) * bytes);
}

static Spending hosts_doubling(const CostGroup *g, double bytes)
{
    return hosts(g, bytes, rounds(g->nodes), others(g->nodes) * bytes);
}

/* All pieces to one node, and from there to all. */
static Spending hosts_gather(const CostGroup *g, double bytes)
{
    return hosts(g, bytes, 2 * rounds(g->nodes), (others(g->nodes) + rounds(g->nodes)) * bytes);
}

static Spending hosts_ring_twice(const CostGroup *g, double bytes)
{
    return hosts(g, 2 * bytes, 2 * (double)(g->nodes - 1), 2 * others(g->nodes) * bytes);
}

static Spending hosts_twice(const CostGroup *g, double bytes)
{
    return hosts(g, 2 * bytes, 2 * rounds(g->nodes), 2 * others(g->nodes) * bytes);
}

static Spending hosts_whole(const CostGroup *g, double bytes)
{
    return hosts(g, 2 * bytes, whole_rounds(g->nodes), whole_rounds(g->nodes) * bytes);
}

/* To each rank of other nodes a message. */
static Spending hosts_pairwise(const CostGroup *g, double bytes)
{
    double far = (double)(g->ranks - g->within);
    return hosts(g, bytes, at_once(g->ranks - g->within), far * bytes * (double)g->within / (double)g->ranks);
}

/* What all ranks of a node have for one of another goes together; not where nodes have unequal numbers of ranks. */
static Spending hosts_bruck(const CostGroup *g, double bytes)
{
    if (g->within * g->nodes != g->ranks)
        return (Spending){INFINITY, 0};
    return hosts(g, bytes, rounds(g->nodes), passed_on(g->nodes) * bytes * (double)g->within);
}

static Spending hosts_tree(const CostGroup *g, double bytes)
{
    return hosts(g, bytes, rounds(g->nodes), rounds(g->nodes) * bytes);
}

static Spending hosts_scatter(const CostGroup *g, double bytes)
{
    return hosts(g, bytes, rounds(g->nodes) + (double)(g->nodes - 1), 2 * others(g->nodes) * bytes);
}

/* To a rank of another node, if there is one. */
static Spending message(const CostGroup *g, double bytes)
{
    if (g->nodes > 1)
        return (Spending){messages(g, 0, 1), outside(g, bytes)};
    return (Spending){messages(g, 1, 0), inside(g, bytes)};
}

/* How ranks reach each other. */
typedef enum Way { BY_LINKS, BY_HOSTS, BY_MEMORY } Way;

static Way way_of(const CostGroup *group)
{
    if (!group->inside->shared)
        return BY_LINKS;
    return group->nodes > 1 ? BY_HOSTS : BY_MEMORY;
}

/* The cheapest, of all or of one (`only`), without one (`missing`). */
static OpCost choose(Collective op, double payload_bytes, const CostGroup *group, const char *only, const char *missing)
{
    static const struct {
        Collective collective;
        Way way;
        const char *name;
        Algorithm *spending;
    } algorithms[] = {
#define ALGORITHM(id, way, name, cost, run) {COLLECTIVE_##id, BY_##way, name, cost},
#include "base/algorithm.def"
#undef ALGORITHM
    };
    OpCost cost = {.bytes = payload_bytes};
    Way way = way_of(group);
    if (group->ranks == 1)
        return (OpCost){0};
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        const char *name = algorithms[i].name;
        if (algorithms[i].collective != op || algorithms[i].way != way)
            continue;
        if ((only && strcmp(name, only) != 0) || (missing && strcmp(name, missing) == 0))
            continue;
        Spending spending = algorithms[i].spending(group, payload_bytes);
        if (cost.algorithm != NULL && spending.latency + spending.link >= cost.seconds)
            continue;
        cost.seconds = spending.latency + spending.link;
        cost.spent[SPENT_LATENCY] = spending.latency;
        cost.spent[SPENT_LINK] = spending.link;
        cost.algorithm = name;
    }
    if (cost.algorithm == NULL)
        BUG("no algorithm for '%s'", op_info[op].name);
    return cost;
}

OpCost cost_collective(Collective op, double payload_bytes, const CostGroup *group)
{
    return choose(op, payload_bytes, group, NULL, NULL);
}

OpCost cost_collective_by(Collective op, double payload_bytes, const CostGroup *group, const char *algorithm)
{
    return choose(op, payload_bytes, group, algorithm, NULL);
}

OpCost cost_collective_without(Collective op, double payload_bytes, const CostGroup *group, const char *missing)
{
    return choose(op, payload_bytes, group, NULL, missing);
}
