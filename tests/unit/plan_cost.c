/* What communications cost: which ranks of a mesh share a node, which algorithm is the cheapest, and how long it takes.
 */
#include "plan/cost.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Groups ------------------------------------------------------------------------------------------------- */

static const Link fast = {"nvlink", 200e9, 1, 4e-6, false}, slow = {"infiniband", 25e9, 1, 5e-6, false};

static Cluster cluster_of(int64_t node)
{
    return (Cluster){.node_devices = node, .within = fast, .between = slow};
}

static Decls mesh_of(Axis *axes, int count)
{
    Decls decls = {0};
    decls.axes.data = axes;
    decls.axes.count = count;
    return decls;
}

static void check_group(const Cluster *cluster, const Decls *decls, AxisSet axes, int64_t within, int64_t nodes)
{
    CostGroup group = cost_group(cluster, decls, &axes);
    assert_int_equal(group.within, within);
    assert_int_equal(group.nodes, nodes);
}

/* Inner axes are within nodes, outer ones between them, and an axis may be both. */
static void places_groups(void **state)
{
    (void)state;
    Axis axes[] = {{.name = "p", .size = 4}, {.name = "d", .size = 4}, {.name = "t", .size = 4}};
    Decls decls = mesh_of(axes, 3);
    Cluster cluster = cluster_of(8);
    check_group(&cluster, &decls, (AxisSet){1, {2}}, 4, 1);
    check_group(&cluster, &decls, (AxisSet){1, {1}}, 2, 2);
    check_group(&cluster, &decls, (AxisSet){1, {0}}, 1, 4);
    check_group(&cluster, &decls, (AxisSet){2, {1, 2}}, 8, 2);
    check_group(&cluster, &decls, (AxisSet){2, {0, 2}}, 4, 4);
    check_group(&cluster, &decls, (AxisSet){3, {0, 1, 2}}, 8, 8);
    cluster.node_devices = 0; /* one node */
    check_group(&cluster, &decls, (AxisSet){3, {0, 1, 2}}, 64, 1);
    cluster.device.node_devices = 16; /* as such devices usually are */
    check_group(&cluster, &decls, (AxisSet){3, {0, 1, 2}}, 16, 4);
}

/* The nodes of every rank of the group, each counted once. */
static int64_t count_nodes(const Cluster *cluster, const Decls *decls, const AxisSet *axes)
{
    bool seen[1024] = {false};
    int64_t ranks = 1, nodes = 0;
    for (int a = 0; a < decls->axes.count; a++)
        ranks *= decls->axes.data[a].size;
    for (int64_t rank = 0; rank < ranks; rank++) {
        int64_t left = rank;
        bool member = true;
        for (int a = decls->axes.count - 1; a >= 0; a--) {
            member = member && (axes_contain(*axes, a) || left % decls->axes.data[a].size == 0);
            left /= decls->axes.data[a].size;
        }
        int64_t node = cost_node(cluster, rank);
        nodes += member && !seen[node];
        seen[node] = seen[node] || member;
    }
    return nodes;
}

/* Every group on meshes of three axes, and nodes of which axes are multiples, parts or neither. */
static void counts_nodes(void **state)
{
    (void)state;
    for (int sizes = 0; sizes < 6 * 6 * 6; sizes++)
        for (int node = 1; node <= 12; node++)
            for (int mask = 1; mask < 8; mask++) {
                Axis axes[] = {{.name = "p", .size = 1 + sizes % 6},
                               {.name = "d", .size = 1 + sizes / 6 % 6},
                               {.name = "t", .size = 1 + sizes / 36}};
                Decls decls = mesh_of(axes, 3);
                Cluster cluster = cluster_of(node);
                AxisSet group = {0};
                for (int a = 0; a < 3; a++)
                    if (mask >> a & 1)
                        group.axis[group.count++] = (int8_t)a;
                assert_int_equal(cost_group(&cluster, &decls, &group).nodes, count_nodes(&cluster, &decls, &group));
            }
}

/* ---- Algorithms --------------------------------------------------------------------------------------------- */

static CostGroup flat(int64_t ranks)
{
    static const Link link = {"ethernet", 25e9, 1, 5e-6, false}; /* 125 kB in the time of a message */
    return (CostGroup){ranks, 1, ranks, &link, &link};
}

static void check_choice(Collective op, int64_t ranks, double bytes, const char *algorithm)
{
    CostGroup group = flat(ranks);
    OpCost cost = cost_collective(op, bytes, &group);
    if (strcmp(cost.algorithm, algorithm) != 0)
        fail_msg("%g bytes among %lld: %s, not %s", bytes, (long long)ranks, cost.algorithm, algorithm);
}

/* Sizes at which the cheapest algorithm changes, from the equations of latencies and bandwidths: of an all-reduce
 * (a/b) log n / (log n - 2 (n-1)/n), of an exchange (a/b) (n - 1 - log n) / (log n / 2 - (n-1)/n). */
static void chooses_algorithms(void **state)
{
    (void)state;
    for (int64_t ranks = 8; ranks <= 1024; ranks *= 8) {
        double n = (double)ranks, rounds = log2(n), unit = 125e3;
        double reduced = unit * rounds / (rounds - 2 * (n - 1) / n);
        check_choice(COLLECTIVE_ALL_REDUCE, ranks, 0.99 * reduced, "doubling");
        check_choice(COLLECTIVE_ALL_REDUCE, ranks, 1.01 * reduced, "rabenseifner");
        double exchanged = unit * (n - 1 - rounds) / (rounds / 2 - (n - 1) / n);
        check_choice(COLLECTIVE_ALL_TO_ALL, ranks, 0.99 * exchanged, "bruck");
        check_choice(COLLECTIVE_ALL_TO_ALL, ranks, 1.01 * exchanged, "pairwise");
    }
}

/* An all-gather (DistPar's S2B) by a gather and a broadcast takes as long as a ring at (a/b) (n - 1 - 2 log n) / log n,
 * never where n is 4; by doubling it is always faster than both. */
static void gathers_and_broadcasts(void **state)
{
    (void)state;
    for (int64_t ranks = 4; ranks <= 1024; ranks *= 2) {
        double n = (double)ranks, rounds = log2(n), equal = 125e3 * (n - 1 - 2 * rounds) / rounds;
        CostGroup group = flat(ranks);
        for (double bytes = 1; bytes < 1e11; bytes *= 10) {
            OpCost cost = cost_collective_without(COLLECTIVE_ALL_GATHER, bytes, &group, "doubling");
            assert_string_equal(cost.algorithm, bytes < equal ? "gather" : "ring");
            check_choice(COLLECTIVE_ALL_GATHER, ranks, bytes, "doubling");
        }
    }
}

/* 64 ranks in nodes of 8. Small payloads take the fewest messages; large ones keep both links busy (ring), or send
 * least between nodes. */
static void chooses_between_nodes(void **state)
{
    (void)state;
    static const struct {
        Collective op;
        double bytes;
        const char *algorithm;
    } chosen[] = {
        {COLLECTIVE_ALL_GATHER, 1e4, "doubling"},    {COLLECTIVE_ALL_GATHER, 1e9, "ring"},
        {COLLECTIVE_REDUCE_SCATTER, 1e4, "halving"}, {COLLECTIVE_REDUCE_SCATTER, 1e9, "ring"},
        {COLLECTIVE_ALL_REDUCE, 1e4, "doubling"},    {COLLECTIVE_ALL_REDUCE, 2e6, "rabenseifner"},
        {COLLECTIVE_ALL_REDUCE, 1e9, "ring"},        {COLLECTIVE_ALL_TO_ALL, 1e4, "bruck"},
        {COLLECTIVE_ALL_TO_ALL, 1e9, "pairwise"},
    };
    const CostGroup group = {64, 8, 8, &fast, &slow};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
        assert_string_equal(cost_collective(chosen[i].op, chosen[i].bytes, &group).algorithm, chosen[i].algorithm);
}

static void check_seconds(Collective op, CostGroup group, double bytes, double expected)
{
    double seconds = cost_collective(op, bytes, &group).seconds;
    if (fabs(seconds / expected - 1) > 1e-9)
        fail_msg("%s among %lld: %g seconds, expected %g", op_info[op].name, (long long)group.ranks, seconds, expected);
}

/* Large payloads take as long as their bytes: of a gather (n-1)/n of them over the links of a node, and between nodes
 * that part over the links of all its ranks at a time; of an all-reduce twice that. */
static void counts_bytes(void **state)
{
    (void)state;
    const Link inner = {"nvlink", 200e9, 1, 0, false}, outer = {"infiniband", 25e9, 1, 0, false};
    CostGroup node = {8, 8, 1, &inner, &outer}, nodes = {4, 1, 4, &inner, &outer}, both = {32, 8, 4, &inner, &outer};
    const double bytes = 32e9;
    check_seconds(COLLECTIVE_ALL_GATHER, node, bytes, 7 / 8.0 * bytes / 200e9);
    check_seconds(COLLECTIVE_ALL_GATHER, nodes, bytes, 3 / 4.0 * bytes / 25e9);
    check_seconds(COLLECTIVE_ALL_GATHER, both, bytes, 31 / 32.0 * bytes / 200e9);
    check_seconds(COLLECTIVE_REDUCE_SCATTER, both, bytes, 31 / 32.0 * bytes / 200e9);
    check_seconds(COLLECTIVE_ALL_REDUCE, node, bytes, 2 * 7 / 8.0 * bytes / 200e9);
    check_seconds(COLLECTIVE_ALL_REDUCE, both, bytes, 2 * 31 / 32.0 * bytes / 200e9);
    check_seconds(COLLECTIVE_ALL_TO_ALL, both, bytes, 24 / 32.0 * bytes / 25e9);
    check_seconds(COLLECTIVE_BROADCAST, node, bytes, 2 * 7 / 8.0 * bytes / 200e9);
    check_seconds(COLLECTIVE_SEND, nodes, bytes, bytes / 25e9);
    check_seconds(COLLECTIVE_PERMUTE, node, bytes, bytes / 200e9);
}

/* Of a frame of 1,514 bytes on Ethernet 1,448 are payload. */
static void leaves_headers_room(void **state)
{
    (void)state;
    Device processor;
    Link wire;
    assert_true(hardware_device("cpu", &processor));
    assert_true(hardware_link(&processor, "ethernet", &wire));
    wire.bytes_per_second = 250e6 / 8;
    wire.latency_seconds = 0;
    const double bytes = 4 << 20, frames = bytes / 1448 * 1514 / (250e6 / 8);
    for (int64_t hosts = 2; hosts <= 4; hosts++) {
        CostGroup group = {hosts, 1, hosts, &wire, &wire};
        double others = (double)(hosts - 1) / (double)hosts;
        check_seconds(COLLECTIVE_ALL_GATHER, group, bytes, others * frames);
        check_seconds(COLLECTIVE_REDUCE_SCATTER, group, bytes, others * frames);
        check_seconds(COLLECTIVE_ALL_REDUCE, group, bytes, 2 * others * frames);
        check_seconds(COLLECTIVE_SEND, group, bytes, frames);
    }
}

/* Ranks that share memory read and write each other's: a copy of all bytes, of sums scattered what is read and 1/n.
 * What is between nodes need not be known. */
static void copies_where_memory_is_shared(void **state)
{
    (void)state;
    const Link memory = {
        .name = "memory", .bytes_per_second = 10e9, .reached = 1, .latency_seconds = 2e-6, .shared = true};
    const Link unknown = {.name = "infiniband", .reached = 1};
    CostGroup group = {4, 4, 1, &memory, &unknown};
    const double bytes = 1e9, copied = 2e-6 + bytes / 10e9;
    for (int op = 0; op < OP_COUNT; op++) {
        if (op_info[op].op_class != CLASS_COMM)
            continue;
        bool scatters = op == OP_REDUCE_SCATTER;
        check_seconds((Collective)op, group, bytes, scatters ? 2e-6 + 5 / 8.0 * bytes / 10e9 : copied);
    }
}

/* ---- Kernels ------------------------------------------------------------------------------------------------- */

static void check_work(OpKind op, int operations, int functions)
{
    BodyWork work = cost_work(op);
    if (work.operations != operations || work.functions != functions)
        fail_msg("%s: %d operations and %d functions", op_info[op].name, work.operations, work.functions);
}

/* Of every element: what does not depend on it is no work, and a row is passed over for each of its sums. */
static void counts_work(void **state)
{
    (void)state;
    check_work(OP_COPY, 0, 0);
    check_work(OP_ADD, 1, 0);
    check_work(OP_TANH, 0, 1);
    check_work(OP_EXP_SUM, 1, 1);
    check_work(OP_GELU, 8, 1);
    check_work(OP_ROW_MEAN, 1, 0); /* the division is the row's */
    check_work(OP_SOFTMAX, 8, 2);  /* max: a product; sum: it, a difference, the function; again and a division */
    check_work(OP_EINSUM, 1, 0);
    check_work(OP_EMBED, 0, 0); /* it has no body */
}

/* Rows of `n` = 3 numbers, at `b` = 2 times `s` = 100 places. */
static Buffer some_rows(int dim_count, int64_t second, int64_t third)
{
    return (Buffer){.name = "x",
                    .dtype = DTYPE_F32,
                    .slots = 1,
                    .dim_count = dim_count,
                    .dims = {{.size = 2}, {.size = second}, {.size = third}}};
}

/* `select` of row (or, `whole`, of all rows) or cache, into the cache or elsewhere. */
static double selected_bytes(bool in_place, bool whole)
{
    enum { HERE, ROW, CACHE, OTHER };
    Buffer buffers[] = {some_rows(2, 100, 1), some_rows(2, 3, 1), some_rows(3, 100, 3), some_rows(3, 100, 3)};
    Decls decls = {0};
    Program program = {.decls = &decls, .buffers = {.data = buffers, .count = 4}};
    const Ref here = {.buffer = HERE, .member = -1}, row = {.buffer = whole ? OTHER : ROW, .member = -1};
    const Ref cache = {.buffer = CACHE, .member = -1}, other = {.buffer = OTHER, .member = -1};
    Op op = {.kind = OP_SELECT,
             .spec = whole ? "bs,bsn,bsn->bsn" : "bs,bn,bsn->bsn",
             .operand_count = 3,
             .operand = {here, row, cache},
             .out = in_place ? cache : other};
    return cost_memory_bytes(&program, &op);
}

/* In a cache a step writes its own row, wherever that is, and leaves the others. */
static void writes_only_what_is_put(void **state)
{
    (void)state;
    const double here = 2 * 100 * 4, row = 2 * 3 * 4, cache = 2 * 100 * 3 * 4;
    assert_true(selected_bytes(true, false) == here + 2 * row);
    assert_true(selected_bytes(false, false) == here + row + 2 * cache);
    assert_true(selected_bytes(true, true) == here + 3 * cache);
}

/* Nothing is sent among one rank. */
static void costs_nothing_alone(void **state)
{
    (void)state;
    CostGroup alone = {1, 1, 1, &fast, &slow};
    assert_true(cost_collective(COLLECTIVE_ALL_REDUCE, 1e9, &alone).seconds == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_groups),
        cmocka_unit_test(counts_nodes),
        cmocka_unit_test(chooses_algorithms),
        cmocka_unit_test(gathers_and_broadcasts),
        cmocka_unit_test(chooses_between_nodes),
        cmocka_unit_test(counts_bytes),
        cmocka_unit_test(leaves_headers_room),
        cmocka_unit_test(copies_where_memory_is_shared),
        cmocka_unit_test(counts_work),
        cmocka_unit_test(costs_nothing_alone),
        cmocka_unit_test(writes_only_what_is_put),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
