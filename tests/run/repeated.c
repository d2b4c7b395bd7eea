/* repeated.c - a program of RANKS ranks whose step is one collective, by the algorithm that is asked for: ALONE, for
 * what it sends (tests/hosts/sent.c), or TIMES times, for how long it takes (bench/algorithms.sh). Then rank 0 prints
 * the median, from when all have met until all have the result.
 *
 *     CALL=all_reduce ALGORITHM=ring COUNT=1048576 TIMES=20 repeated
 *
 * COUNT: elements of f32, of what all ranks have together; of an all_to_all on each rank. */
#include "runtime/comm.h"
#include "runtime/place_rt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef MOST
#define MOST (1 << 22)
#endif

enum { MOST_TIMES = 1000, AT_OUT = MOST * 4 + 4096, AT_END = 2 * AT_OUT };
enum { LAYOUT_SCALAR, LAYOUT_WHOLE, LAYOUT_PIECE, LAYOUT_ROWS, LAYOUT_COLUMNS, LAYOUTS };

static const prt_group groups[] = {{1, {0}}};
static prt_tensor tensor = {.name = "x", .layers = 1, .dim_count = 1};
static const prt_member member = {0};
static prt_unit unit = {.name = "x", .member_count = 1, .members = &member};
static prt_layout layouts[LAYOUTS] = {
    [LAYOUT_SCALAR] = {.unit = -1},
    [LAYOUT_WHOLE] = {.unit = 0},
    [LAYOUT_PIECE] = {.unit = 0, .cut_count = 1, .cut = {0}},
    [LAYOUT_ROWS] = {.unit = -1, .dim_count = 2, .dims = {{.size = RANKS, .cut_count = 1, .cut = {0}}, {0}}},
    [LAYOUT_COLUMNS] = {.unit = -1, .dim_count = 2, .dims = {{.size = RANKS}, {.cut_count = 1, .cut = {0}}}}};
static prt_call calls[2] = {
    {.state = "x", .event = -1, .source = 1},
    {.op = PRT_ALL_REDUCE, .state = "meet", .algorithm = "doubling", .dtype = PRT_I32, .event = -1, .source = 1}};
static const prt_source sources[] = {{"repeated.place", 1, "all"}, {"repeated.place", 2, "the collective"}};
static int64_t count, times;

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void call(prt_context *ctx, void *out, const void *in)
{
    switch (calls[0].op) {
    case PRT_ALL_REDUCE:
        prt_all_reduce(ctx, 0, out, in, count);
        return;
    case PRT_BROADCAST:
        prt_broadcast(ctx, 0, 0, out, in, count);
        return;
    case PRT_ALL_GATHER:
        prt_all_gather(ctx, 0, 0, out, in);
        return;
    case PRT_REDUCE_SCATTER:
        prt_reduce_scatter(ctx, 0, 0, out, in);
        return;
    default:
        prt_all_to_all(ctx, 0, 0, out, in);
    }
}

static void meet(prt_context *ctx)
{
    void *one = (char *)prt_at(ctx, PRT_DEVICE, 0) + AT_OUT - 64;
    prt_all_reduce(ctx, 1, one, one, 1);
}

/* Of a meeting, and the call before it unless `out` is NULL: until all have the result. */
static double median_of(prt_context *ctx, void *out, const void *in)
{
    static double seconds[MOST_TIMES];
    for (int64_t i = 0; i < times; i++) {
        meet(ctx);
        double began = now();
        if (out != NULL)
            call(ctx, out, in);
        meet(ctx);
        seconds[i] = now() - began;
    }
    qsort(seconds, (size_t)times, sizeof *seconds, by_size);
    return seconds[times / 2];
}

static void step(prt_context *ctx)
{
    char *in = prt_at(ctx, PRT_DEVICE, 0), *out = prt_at(ctx, PRT_DEVICE, AT_OUT);
    /* An all_gather as of parameters: the piece is where it belongs. */
    int64_t piece = (count + RANKS - 1) / RANKS;
    const char *from = calls[0].op == PRT_ALL_GATHER ? out + piece * ctx->rank * 4 : in;
    if (getenv("ALONE") != NULL) {
        call(ctx, out, from);
        return;
    }
    double meeting = median_of(ctx, NULL, NULL), both = median_of(ctx, out, from);
    if (ctx->rank == 0)
        printf("%.9f\n", both - meeting);
}

static void init(prt_context *ctx)
{
    memset(prt_at(ctx, PRT_DEVICE, 0), 0, AT_END);
}

static prt_program program = {
    .format = PRT_FORMAT,
    .name = "repeated",
    .file = "repeated.place",
    .plan_hash = "by hand",
    .version = "test",
    .axis_count = 1,
    .axes = {{"d", RANKS}},
#ifdef NODE
    .node_ranks = NODE,
#endif
    .compute_dtype = PRT_F32,
    .arena_bytes = {AT_END},
    .batch = 1,
    .micro = 1,
    .steps = 1,
    .items_per_step = 1,
    .item = "steps",
    .data = PRT_SYNTHETIC,
    .tensor_count = 1,
    .unit_count = 1,
    .layout_count = LAYOUTS,
    .group_count = 1,
    .call_count = 2,
    .source_count = 2,
    .tensors = &tensor,
    .units = &unit,
    .groups = groups,
    .layouts = layouts,
    .calls = calls,
    .sources = sources,
    .init = init,
    .step = step,
};

static const char *asked(const char *name, const char *otherwise)
{
    return getenv(name) != NULL ? getenv(name) : otherwise;
}

int main(int argc, char **argv)
{
    static const prt_collective known[] = {PRT_ALL_REDUCE, PRT_REDUCE_SCATTER, PRT_ALL_GATHER, PRT_ALL_TO_ALL,
                                           PRT_BROADCAST};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(asked("CALL", "all_reduce"), prt_collective_name(known[i])) == 0)
            calls[0].op = known[i];
    calls[0].algorithm = asked("ALGORITHM", "direct");
    count = atoll(asked("COUNT", "1024"));
    times = atoll(asked("TIMES", "1"));
    tensor.dims[0] = unit.elements = count;
    layouts[LAYOUT_ROWS].dims[1].size = layouts[LAYOUT_COLUMNS].dims[1].size = count;
    calls[0].from = calls[0].op == PRT_ALL_GATHER   ? LAYOUT_PIECE
                    : calls[0].op == PRT_ALL_TO_ALL ? LAYOUT_ROWS
                                                    : LAYOUT_WHOLE;
    calls[0].into = calls[0].op == PRT_REDUCE_SCATTER ? LAYOUT_PIECE
                    : calls[0].op == PRT_ALL_TO_ALL   ? LAYOUT_COLUMNS
                                                      : LAYOUT_WHOLE;
    if (count < 1 || count > MOST || times < 1 || times > MOST_TIMES)
        return 64;
    return prt_main(argc, argv, &program);
}
