/* implementations.c - how conversions are done (base/algorithm.def): which algorithm is the fastest for which size and
 * how many devices, and what that leaves of the ratios of primitives that DistPar measured. */
#include "bench/distpar/tables.h"

#include "plan/cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Conversions and clusters -------------------------------------------------------------------------------- */

/* missing: the algorithm that is not available there; NULL: all are. parts: the payload is one device's part. */
static const struct Implemented {
    const char *name;
    Collective op;
    const char *missing;
    bool parts;
} implemented[] = {
    {"S2B", COLLECTIVE_ALL_GATHER, NULL, false},
    {"S2B without doubling", COLLECTIVE_ALL_GATHER, "doubling", false},
    {"P2S", COLLECTIVE_REDUCE_SCATTER, NULL, false},
    {"P2B", COLLECTIVE_ALL_REDUCE, NULL, false},
    {"S(i)2S(j)", COLLECTIVE_ALL_TO_ALL, NULL, true},
};
enum { IMPLEMENTED_COUNT = sizeof implemented / sizeof *implemented };

static const struct Wiring {
    const char *name;
    int64_t node; /* devices in one */
} wirings[] = {{"1", 1}, {"8", 8}};
enum { WIRING_COUNT = sizeof wirings / sizeof *wirings };

/* 25 GB/s and 5 us between nodes, 200 GB/s and 4 us within. */
static CostGroup group_of(int64_t devices, int64_t node)
{
    static const Link within = {"within", 200e9, 1, 4e-6, false}, between = {"between", 25e9, 1, 5e-6, false};
    int64_t near = devices < node ? devices : node;
    return (CostGroup){devices, near, devices / near, &within, &between};
}

/* bytes: of the whole tensor. */
static OpCost cost_of(const struct Implemented *conversion, int64_t devices, int64_t node, double bytes)
{
    CostGroup group = group_of(devices, node);
    double payload = conversion->parts ? bytes / (double)devices : bytes;
    return cost_collective_without(conversion->op, payload, &group, conversion->missing);
}

/* ---- Which algorithm ----------------------------------------------------------------------------------------- */

static void print_bytes(double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    int unit = 0;
    for (; bytes >= 999.5 && unit < 4; unit++)
        bytes /= 1000;
    printf("%.3g %s", bytes, units[unit]);
}

/* The least size for which the algorithm is no longer that of `low`, which differs from that of `high`. */
static double switch_bytes(const struct Implemented *conversion, int64_t devices, int64_t node, double low, double high)
{
    const char *algorithm = cost_of(conversion, devices, node, low).algorithm;
    while (high / low > 1 + 1e-9) {
        double middle = sqrt(low * high);
        if (strcmp(cost_of(conversion, devices, node, middle).algorithm, algorithm) == 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Up to a terabyte; sizes are tried in steps of a tenth, and each switch is then found. */
static void print_algorithms(const struct Implemented *conversion, int64_t devices, int64_t node)
{
    const char *algorithm = cost_of(conversion, devices, node, 1).algorithm;
    printf(" %s", algorithm);
    for (double bytes = 1; bytes < 1e12; bytes *= 1.1) {
        const char *next = cost_of(conversion, devices, node, 1.1 * bytes).algorithm;
        if (strcmp(next, algorithm) == 0)
            continue;
        printf(", from ");
        print_bytes(switch_bytes(conversion, devices, node, bytes, 1.1 * bytes));
        printf(" %s", next);
        algorithm = next;
    }
    fputs(" |", stdout);
}

void print_implementations(void)
{
    static const int64_t devices[] = {2, 8, 64, 320, 1024};
    puts("| conversion | in a node | 2 devices | 8 | 64 | 320 | 1024 |\n|---|---|---|---|---|---|---|");
    for (int i = 0; i < IMPLEMENTED_COUNT; i++)
        for (int w = 0; w < WIRING_COUNT; w++) {
            printf("| %s | %s |", implemented[i].name, wirings[w].name);
            for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
                print_algorithms(&implemented[i], devices[d], wirings[w].node);
            puts("");
        }
}

void print_map(void)
{
    for (int i = 0; i < IMPLEMENTED_COUNT; i++)
        for (int w = 0; w < WIRING_COUNT; w++)
            for (int64_t devices = 2; devices <= 1024; devices *= 2)
                for (int power = 10; power <= 36; power++)
                    printf("%s|%s|%lld|%d|%s\n", implemented[i].name, wirings[w].name, (long long)devices, power,
                           cost_of(&implemented[i], devices, wirings[w].node, ldexp(1, power)).algorithm);
}

/* ---- Primitives by group size -------------------------------------------------------------------------------- */

/* Of the bandwidth of an all-gather, what a reduce-scatter and an all-reduce reach of theirs: as DistPar measured them
 * on so many devices. */
static const struct Reached {
    double devices, scatter, reduce;
} few = {8, 1 / 10.36, 1 / 12.40}, many = {320, 1 / 1.03, 1 / 1.0};

/* Between the two on a line, both axes logarithmic. */
static double interpolate(double devices, double at_few, double at_many)
{
    double part = log(devices / few.devices) / log(many.devices / few.devices);
    return exp(log(at_few) + part * log(at_many / at_few));
}

/* How many times an all-gather's time, from `small` to `large` payloads. */
static void print_ratio(Collective op, int64_t devices)
{
    double least = INFINITY, most = 0;
    for (double bytes = 1e3; bytes <= 1e10; bytes *= 1.1) {
        CostGroup group = group_of(devices, 1);
        double gather = cost_collective(COLLECTIVE_ALL_GATHER, bytes, &group).seconds;
        double ratio = cost_collective(op, bytes, &group).seconds / gather;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    if (most - least < 0.005)
        printf(" %.2f |", most);
    else
        printf(" %.2f to %.2f |", least, most);
}

/* The algorithms' ratios of times first; then the measured ones, and with them the all-reduce, which sends twice as
 * much, and a reduce-scatter with an all-gather that do the same. */
void print_primitives(void)
{
    static const int64_t devices[] = {8, 16, 32, 64, 128, 256, 320};
    puts("| devices | reduce-scatter | all-reduce | reduce-scatter, measured | all-reduce, measured | the two, "
         "measured | "
         "P2B by |\n|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        double n = (double)devices[i], scatter = 1 / interpolate(n, few.scatter, many.scatter);
        double reduce = 2 / interpolate(n, few.reduce, many.reduce), both = scatter + 1;
        printf("| %.0f |", n);
        print_ratio(COLLECTIVE_REDUCE_SCATTER, devices[i]);
        print_ratio(COLLECTIVE_ALL_REDUCE, devices[i]);
        printf(" %.2f | %.2f | %.2f | %s |\n", scatter, reduce, both, both < reduce ? "the two" : "all-reduce");
    }
}
