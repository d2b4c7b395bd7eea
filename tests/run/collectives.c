/* collectives.c - a program whose step is nothing but collectives, each checked against what it must give: on the axes
 * of a mesh of A by B ranks alone, together and in the other order, of every dtype, from one element to a million, in
 * place and not, cut flat and balanced, over one axis and over one after the other. Numbers are small integers, so sums
 * are exact; sums of fractions must have the same bits on all ranks. */
#include "tests/run/by_hand.h"

#include <string.h>

#ifndef A
#define A 1
#endif
#ifndef B
#define B 1
#endif

enum { LARGEST = 1 << 20, GROUPS = 4, OPS = 4, DTYPES = 3, CALL_COUNT = GROUPS * OPS * DTYPES };
enum { AT_IN = 0, AT_OUT = LARGEST * 8, AT_END = 2 * LARGEST * 8 };

static const prt_group groups[GROUPS] = {{1, {0}}, {1, {1}}, {2, {0, 1}}, {2, {1, 0}}};
static const prt_dtype dtypes[DTYPES] = {PRT_F32, PRT_F64, PRT_I32};
static const int64_t counts[] = {1, 3, 56, 57, 112, 113, 1000, 16387, LARGEST};

static void put(prt_dtype dtype, void *array, int64_t i, double value)
{
    if (dtype == PRT_F64)
        ((double *)array)[i] = value;
    else if (dtype == PRT_F32)
        ((float *)array)[i] = (float)value;
    else
        ((int32_t *)array)[i] = (int32_t)value;
}

static double get(prt_dtype dtype, const void *array, int64_t i)
{
    return dtype == PRT_F64   ? ((const double *)array)[i]
           : dtype == PRT_F32 ? (double)((const float *)array)[i]
                              : ((const int32_t *)array)[i];
}

/* What the rank at this place of its group holds at i. */
static double held(int64_t place, int64_t i)
{
    return (double)((place + 1) * (i % 97 + 1));
}

static double expected(prt_reduction reduction, int64_t size, int64_t i)
{
    double sum = 0;
    for (int64_t place = 0; place < size; place++)
        sum += held(place, i);
    return reduction == PRT_SUM ? sum : held(size - 1, i);
}

static void demand(prt_context *ctx, bool good, const char *what, int64_t count, int64_t i)
{
    if (!good)
        prt_fail(ctx, "%s of %lld is wrong at %lld", what, (long long)count, (long long)i);
}

static void reduce(prt_context *ctx, int call, prt_dtype dtype, prt_reduction reduction, int64_t size, int64_t place,
                   int64_t count, bool in_place)
{
    void *in = prt_at(ctx, PRT_DEVICE, AT_IN), *out = in_place ? in : prt_at(ctx, PRT_DEVICE, AT_OUT);
    for (int64_t i = 0; i < count; i++)
        put(dtype, in, i, held(place, i));
    prt_all_reduce(ctx, call, out, in, count);
    for (int64_t i = 0; i < count; i++)
        demand(ctx, get(dtype, out, i) == expected(reduction, size, i), "all_reduce", count, i);
}

/* Where a piece is, counted by itself: the longer parts of every cut come first. */
static prt_range piece_of(prt_pieces pieces, int64_t size, int64_t place)
{
    if (pieces.flat)
        return prt_cut_flat(pieces.length, size, place);
    prt_range piece = {0, pieces.length};
    for (int cut = 0; pieces.parts[cut] > 0; cut++) {
        int64_t count = pieces.parts[cut], part = place / (size / count), extent = piece.extent;
        place %= size /= count;
        piece.extent = extent / count;
        piece.start += part * piece.extent;
        for (int64_t longer = 0; longer < extent % count; longer++) {
            piece.start += longer < part;
            piece.extent += longer == part;
        }
    }
    return piece;
}

static void scatter(prt_context *ctx, int call, prt_dtype dtype, int64_t size, int64_t place, prt_pieces pieces)
{
    void *in = prt_at(ctx, PRT_DEVICE, AT_IN), *out = prt_at(ctx, PRT_DEVICE, AT_OUT);
    int64_t whole = pieces.length * pieces.inner, room = (pieces.length + size - 1) / size;
    prt_range piece = piece_of(pieces, size, place);
    for (int64_t i = 0; i < whole; i++)
        put(dtype, in, i, held(place, i));
    hand_fill(dtype, out, room, 7);
    prt_reduce_scatter(ctx, call, out, in, pieces);
    for (int64_t i = 0; i < piece.extent * pieces.inner; i++)
        demand(ctx, get(dtype, out, i) == expected(PRT_SUM, size, piece.start * pieces.inner + i), "reduce_scatter",
               whole, i);
    for (int64_t i = piece.extent; pieces.flat && i < room; i++)
        demand(ctx, get(dtype, out, i) == 0, "padding of a reduce_scatter", whole, i);
}

static void gather(prt_context *ctx, int call, prt_dtype dtype, int64_t size, int64_t place, prt_pieces pieces,
                   bool in_place)
{
    char *in = prt_at(ctx, PRT_DEVICE, AT_IN), *out = prt_at(ctx, PRT_DEVICE, AT_OUT);
    int64_t whole = pieces.length * pieces.inner;
    prt_range piece = piece_of(pieces, size, place);
    if (in_place)
        in = out + piece.start * pieces.inner * (dtype == PRT_F64 ? 8 : 4);
    hand_fill(dtype, out, whole, 7);
    for (int64_t i = 0; i < piece.extent * pieces.inner; i++)
        put(dtype, in, i, held(0, piece.start * pieces.inner + i));
    prt_all_gather(ctx, call, out, in, pieces);
    for (int64_t i = 0; i < whole; i++)
        demand(ctx, get(dtype, out, i) == held(0, i), "all_gather", whole, i);
}

/* Fractions: the order of a sum shows in its last bits. */
static void same_bits(prt_context *ctx, int call, int64_t place, int64_t count)
{
    float *in = prt_at(ctx, PRT_DEVICE, AT_IN), *out = prt_at(ctx, PRT_DEVICE, AT_OUT);
    for (int64_t i = 0; i < count; i++)
        in[i] = 1.0f / (float)(i * 7 + place * place + 3);
    prt_all_reduce(ctx, call, out, in, count);
    memcpy(in, out, (size_t)count * 4);
    prt_all_reduce(ctx, call + 3 * DTYPES, out, in, count); /* the maximum over the ranks, which is everybody's */
    for (int64_t i = 0; i < count; i++)
        demand(ctx, memcmp(&in[i], &out[i], 4) == 0, "the same bits of an all_reduce", count, i);
}

static void step(prt_context *ctx)
{
    for (int g = 0; g < GROUPS; g++) {
        int64_t size = 1, place = 0;
        for (int i = 0; i < groups[g].axis_count; i++) {
            place = place * ctx->axis_size[groups[g].axis[i]] + ctx->coordinate[groups[g].axis[i]];
            size *= ctx->axis_size[groups[g].axis[i]];
        }
        for (int d = 0; d < DTYPES; d++)
            for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
                int call = g * OPS * DTYPES + d;
                for (int in_place = 0; in_place < 2; in_place++) {
                    reduce(ctx, call, dtypes[d], PRT_SUM, size, place, counts[c], in_place);
                    reduce(ctx, call + 3 * DTYPES, dtypes[d], PRT_MAX, size, place, counts[c], in_place);
                    gather(ctx, call + 2 * DTYPES, dtypes[d], size, place, prt_flat(counts[c]), in_place);
                }
                scatter(ctx, call + DTYPES, dtypes[d], size, place, prt_flat(counts[c]));
                int64_t first = ctx->axis_size[groups[g].axis[0]];
                prt_pieces nested = prt_balanced(counts[c] / 2, 2, first, size / first);
                scatter(ctx, call + DTYPES, dtypes[d], size, place, nested);
                gather(ctx, call + 2 * DTYPES, dtypes[d], size, place, nested, false);
                if (d == 0)
                    same_bits(ctx, call, place, counts[c]);
            }
    }
}

static void init(prt_context *ctx)
{
    hand_fill(PRT_F32, prt_at(ctx, PRT_DEVICE, 0), AT_END / 4, 1);
}

#define CALLS_OF(group)                                                                                                \
    ROW(group, PRT_ALL_REDUCE, PRT_SUM), ROW(group, PRT_REDUCE_SCATTER, PRT_SUM), ROW(group, PRT_ALL_GATHER, PRT_SUM), \
        ROW(group, PRT_ALL_REDUCE, PRT_MAX)
#define ROW(group, op, reduction)                                                                                      \
    CALL(group, op, reduction, PRT_F32), CALL(group, op, reduction, PRT_F64), CALL(group, op, reduction, PRT_I32)
#define CALL(group, op, reduction, dtype)                                                                              \
    {                                                                                                                  \
        op, "test", group, dtype, reduction, 0, 0, -1, 0, 1, 0, 0, 0                                                         \
    }

static const prt_call calls[CALL_COUNT] = {CALLS_OF(0), CALLS_OF(1), CALLS_OF(2), CALLS_OF(3)};
static const prt_source sources[] = {{"collectives.place", 1, "all"}, {"collectives.place", 2, "a collective"}};

static const prt_program program = {
    .format = PRT_FORMAT,
    .name = "collectives",
    .file = "collectives.place",
    .plan_hash = "by hand",
    .version = "test",
    .axis_count = 2,
    .axes = {{"a", A}, {"b", B}},
    .compute_dtype = PRT_F64,
    .arena_bytes = {AT_END},
    .batch = 1,
    .micro = 1,
    .steps = 1,
    .items_per_step = 1,
    .item = "steps",
    .data = PRT_SYNTHETIC,
    .group_count = GROUPS,
    .call_count = CALL_COUNT,
    .source_count = 2,
    .groups = groups,
    .calls = calls,
    .sources = sources,
    .init = init,
    .step = step,
};

int main(int argc, char **argv)
{
    return prt_main(argc, argv, &program);
}
