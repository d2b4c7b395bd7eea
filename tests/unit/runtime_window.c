/* Convolutions and pooling against their definition, in double: strides, empty borders, groups, depthwise, arrays with
 * room to spare, pieces of images with halos, adding, sizes 0. Each case is drawn at random and run in f64, f32 or
 * bf16. */
#include "base/random.h"
#include "runtime/bf16.h"
#include "runtime/comm.h"
#include "runtime/device.h"
#include "runtime/onednn.h"
#include "runtime/workspace.h"
#include "tests/sanitized.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = SANITIZED ? 15 : 240, ROOM = 40000 };

static uint64_t drawn;

static int64_t draw(int64_t most)
{
    return (int64_t)(random_uniform(7, 1, 0, drawn++) * (double)(most + 1));
}

static double number(void)
{
    return 2 * random_uniform(7, 2, 0, drawn++) - 1;
}

static void put(prt_dtype dtype, void *array, int64_t i, double value)
{
    if (dtype == PRT_F64)
        ((double *)array)[i] = value;
    else if (dtype == PRT_BF16)
        ((uint16_t *)array)[i] = prt_bf16_round((float)value);
    else
        ((float *)array)[i] = (float)value;
}

static double get(prt_dtype dtype, const void *array, int64_t i)
{
    if (dtype == PRT_BF16)
        return prt_bf16_value(((const uint16_t *)array)[i]);
    return dtype == PRT_F64 ? ((const double *)array)[i] : ((const float *)array)[i];
}

/* ---- The definition ----------------------------------------------------------------------------------------- */

typedef struct Arrays {
    prt_dtype dtype;
    const prt_window_shape *shape;
    const void *x, *w, *y;
    double *expected; /* the result, to which values are added */
} Arrays;

/* Output p sees row p * stride - pad + i of the image, here as one of the rank's rows; -1 if there is none. */
static int64_t seen(const prt_grid *grid, int64_t p, int64_t i)
{
    int64_t of_image = (grid->start / grid->stride + p) * grid->stride - grid->pad + i;
    int64_t own = of_image - (grid->start - grid->before);
    return of_image < 0 || of_image >= grid->size || own < 0 || own >= grid->input ? -1 : own;
}

/* Adds up what one element of the output has to do with one group's channels. */
static void define(Arrays *a, prt_window_op op, int64_t n, int64_t g, int64_t o, int64_t p, int64_t q)
{
    const prt_window_shape *s = a->shape;
    int64_t y = n * s->y_batch + g * s->y_group + o * s->y_out + p * s->y_row + q, most = -1;
    double elements = (double)(s->rows.window * s->columns.window);
    for (int64_t c = 0; c < s->in; c++)
        for (int64_t i = 0; i < s->rows.window; i++)
            for (int64_t j = 0; j < s->columns.window; j++) {
                int64_t row = seen(&s->rows, p, i), column = seen(&s->columns, q, j);
                if (row < 0 || column < 0)
                    continue;
                int64_t x = n * s->x_batch + g * s->x_group + c * s->x_in + row * s->x_row + column;
                int64_t w = g * s->w_group + o * s->w_out + (c * s->rows.window + i) * s->columns.window + j;
                if (op == PRT_CONV)
                    a->expected[y] += get(a->dtype, a->x, x) * get(a->dtype, a->w, w);
                if (op == PRT_CONV_INPUT_BWD)
                    a->expected[x] += get(a->dtype, a->y, y) * get(a->dtype, a->w, w);
                if (op == PRT_CONV_WEIGHT_BWD)
                    a->expected[w] += get(a->dtype, a->x, x) * get(a->dtype, a->y, y);
                if (op == PRT_MEAN_POOL)
                    a->expected[y] += get(a->dtype, a->x, x) / elements;
                if (op == PRT_MEAN_POOL_BWD)
                    a->expected[x] += get(a->dtype, a->y, y) / elements;
                if (most < 0 || get(a->dtype, a->x, x) > get(a->dtype, a->x, most))
                    most = x;
            }
    if (op == PRT_MAX_POOL)
        a->expected[y] += most < 0 ? -INFINITY : get(a->dtype, a->x, most);
    if (op == PRT_MAX_POOL_BWD && most >= 0)
        a->expected[most] += get(a->dtype, a->y, y);
}

/* ---- Cases -------------------------------------------------------------------------------------------------- */

/* A grid that is whole, or a piece with a halo on either side. */
static prt_grid draw_grid(bool pools)
{
    prt_grid grid = {.window = 1 + draw(3), .stride = 1 + draw(2)};
    grid.pad = pools ? draw(grid.window / 2) : draw(2);
    int64_t pieces = draw(3), places = 1 + draw(5);
    if (pieces == 0) { /* whole, of any size */
        grid.size = grid.input = grid.window + draw(7);
        grid.output = (grid.size + 2 * grid.pad - grid.window) / grid.stride + 1;
        return grid;
    }
    grid.output = places;
    grid.size = places * pieces * grid.stride;
    grid.start = draw(pieces - 1) * places * grid.stride;
    grid.before = grid.pad + draw(1);
    int64_t after = grid.window - grid.stride - grid.pad;
    grid.input = places * grid.stride + grid.before + (after > 0 ? after : 0);
    return grid;
}

static prt_window_shape draw_shape(bool pools)
{
    prt_window_shape s = {.batch = draw(2), .groups = 1 + draw(2), .in = 1, .out = 1};
    if (!pools && draw(3) > 0)
        s.in = draw(4), s.out = draw(5);
    s.rows = draw_grid(pools);
    s.columns = draw_grid(pools);
    s.x_row = s.columns.input + draw(1);
    s.x_in = s.x_row * (s.rows.input + draw(1));
    s.x_group = s.x_in * s.in + draw(1);
    s.x_batch = s.x_group * s.groups;
    s.w_out = s.in * s.rows.window * s.columns.window + draw(1);
    s.w_group = s.w_out * s.out;
    s.y_row = s.columns.output + draw(1);
    s.y_out = s.y_row * s.rows.output;
    s.y_group = s.y_out * (s.out + draw(1));
    s.y_batch = s.y_group * s.groups;
    return s;
}

/* Of one result. */
static double rounding(prt_dtype dtype)
{
    return dtype == PRT_BF16 ? ldexp(1, -8) : 0;
}

/* Windows may end before the image does; the definition reads no row that the rank lacks. */
static void check(const prt_window_shape *s, prt_window_op op, prt_dtype dtype, int beta)
{
    size_t bytes = (size_t)prt_dtype_bytes(dtype);
    void *a = malloc(ROOM * bytes), *b = malloc(ROOM * bytes), *c = malloc(ROOM * bytes);
    double *expected = malloc(ROOM * sizeof *expected), bound = dtype == PRT_F64 ? 1e-12 : 1e-4;
    for (int64_t i = 0; i < ROOM; i++) {
        put(dtype, a, i, number());
        put(dtype, b, i, number());
        put(dtype, c, i, number());
        expected[i] = get(dtype, c, i);
    }
    bool on_x = op == PRT_CONV_INPUT_BWD || op == PRT_MAX_POOL_BWD || op == PRT_MEAN_POOL_BWD;
    bool on_w = op == PRT_CONV_WEIGHT_BWD;
    for (int64_t n = 0; n < s->batch && !beta && !on_w; n++)
        for (int64_t g = 0; g < s->groups; g++)
            for (int64_t k = 0; k < (on_x ? s->in : s->out); k++)
                for (int64_t r = 0; r < (on_x ? s->rows.input : s->rows.output); r++)
                    for (int64_t i = 0; i < (on_x ? s->columns.input : s->columns.output); i++)
                        expected[on_x ? n * s->x_batch + g * s->x_group + k * s->x_in + r * s->x_row + i
                                      : n * s->y_batch + g * s->y_group + k * s->y_out + r * s->y_row + i] = 0;
    for (int64_t g = 0; g < s->groups && !beta && on_w; g++)
        for (int64_t o = 0; o < s->out; o++)
            for (int64_t i = 0; i < s->in * s->rows.window * s->columns.window; i++)
                expected[g * s->w_group + o * s->w_out + i] = 0;
    bool x_first = op == PRT_CONV || on_w || op == PRT_MAX_POOL || op == PRT_MAX_POOL_BWD || op == PRT_MEAN_POOL;
    bool y_second = on_w || op == PRT_MAX_POOL_BWD;
    Arrays arrays = {dtype, s, x_first ? a : c, on_w ? c : b, y_second ? b : x_first ? c : a, expected};
    for (int64_t n = 0; n < s->batch; n++)
        for (int64_t g = 0; g < s->groups; g++)
            for (int64_t o = 0; o < s->out; o++)
                for (int64_t p = 0; p < s->rows.output; p++)
                    for (int64_t q = 0; q < s->columns.output; q++)
                        define(&arrays, op, n, g, o, p, q);
    assert_true(prt_device_cpu()->window(dtype, false, op, s, a, b, beta, c, 0));
    for (int64_t i = 0; i < ROOM; i++)
        if (!(fabs(get(dtype, c, i) - expected[i]) <= bound + rounding(dtype) * fabs(expected[i])) &&
            get(dtype, c, i) != expected[i])
            fail_msg("operator %d, batch %lld, groups %lld, in %lld, out %lld, window %lld x %lld, beta %d: element "
                     "%lld is %.9g, not %.9g",
                     (int)op, (long long)s->batch, (long long)s->groups, (long long)s->in, (long long)s->out,
                     (long long)s->rows.window, (long long)s->columns.window, beta, (long long)i, get(dtype, c, i),
                     expected[i]);
    free(a), free(b), free(c), free(expected);
}

static bool can_multiply_bf16;

static void check_random(prt_window_op op, bool pools)
{
    static const prt_dtype dtypes[] = {PRT_F64, PRT_F32, PRT_BF16};
    for (int i = 0; i < CASES; i++) {
        prt_window_shape s = draw_shape(pools);
        prt_onednn_library()->multiplies_bf16 = can_multiply_bf16 && i % 2 == 0;
        check(&s, op, dtypes[i % 3], (int)draw(1));
    }
}

static void test_convolutions(void **state)
{
    (void)state;
    check_random(PRT_CONV, false);
    check_random(PRT_CONV_INPUT_BWD, false);
    check_random(PRT_CONV_WEIGHT_BWD, false);
}

static void test_pooling(void **state)
{
    (void)state;
    check_random(PRT_MAX_POOL, true);
    check_random(PRT_MAX_POOL_BWD, true);
    check_random(PRT_MEAN_POOL, true);
    check_random(PRT_MEAN_POOL_BWD, true);
}

/* A product in several blocks of channels and positions; a window that is larger than a block. */
static void test_large(void **state)
{
    (void)state;
    prt_window_shape channels = {.batch = 1,
                                 .groups = 1,
                                 .in = 300,
                                 .out = 2,
                                 .x_batch = 300 * 49,
                                 .x_in = 49,
                                 .x_row = 7,
                                 .w_out = 2700,
                                 .y_batch = 98,
                                 .y_out = 49,
                                 .y_row = 7,
                                 .rows = {7, 0, 0, 7, 7, 3, 1, 1},
                                 .columns = {7, 0, 0, 7, 7, 3, 1, 1}};
    prt_window_shape positions = {.batch = 1,
                                  .groups = 1,
                                  .in = 2,
                                  .out = 1,
                                  .x_batch = 19208,
                                  .x_in = 9604,
                                  .x_row = 98,
                                  .w_out = 1250,
                                  .y_batch = 5476,
                                  .y_out = 5476,
                                  .y_row = 74,
                                  .rows = {98, 0, 0, 98, 74, 25, 1, 0},
                                  .columns = {98, 0, 0, 98, 74, 25, 1, 0}};
    prt_window_shape wide = {.batch = 1,
                             .groups = 1,
                             .in = 2,
                             .out = 1,
                             .x_in = 8,
                             .x_row = 4,
                             .w_out = 1200,
                             .y_row = 1,
                             .rows = {2, 0, 0, 2, 1, 20, 1, 9},
                             .columns = {4, 0, 0, 4, 1, 30, 1, 13}};
    const prt_window_op ops[] = {PRT_CONV, PRT_CONV_INPUT_BWD, PRT_CONV_WEIGHT_BWD};
    for (int i = 0; i < 3; i++)
        for (int beta = 0; beta < 2; beta++) {
            check(&channels, ops[i], PRT_F64, beta);
            check(&positions, ops[i], PRT_F64, beta);
            check(&wide, ops[i], PRT_F32, beta);
            check(&wide, ops[i], PRT_BF16, beta);
        }
}

/* ---- oneDNN ------------------------------------------------------------------------------------------------- */

enum { IMAGES = 11, IN = 20, OUT = 24, SIDE = 32, ELEMENTS = IMAGES * OUT * SIDE * SIDE };

static const prt_window_shape batch_shape = {.batch = IMAGES,
                                             .groups = 1,
                                             .in = IN,
                                             .out = OUT,
                                             .x_batch = IN * SIDE * SIDE,
                                             .x_in = SIDE * SIDE,
                                             .x_row = SIDE,
                                             .w_out = IN * 9,
                                             .y_batch = OUT * SIDE * SIDE,
                                             .y_out = SIDE * SIDE,
                                             .y_row = SIDE,
                                             .rows = {SIDE, 0, 0, SIDE, SIDE, 3, 1, 1},
                                             .columns = {SIDE, 0, 0, SIDE, SIDE, 3, 1, 1}};

/* Of a batch that goes through the workspace in three passes: oneDNN's result and that of panels in f32. */
static void check_passes(prt_window_op op, prt_dtype dtype, bool wide_result, int beta)
{
    prt_dtype of_result = wide_result ? PRT_F32 : dtype;
    static float expected[ELEMENTS], wide[3][ELEMENTS];
    static uint16_t arrays[3][2 * ELEMENTS];
    enum { X, W, Y };
    int result = op == PRT_CONV             ? Y
                 : op == PRT_CONV_INPUT_BWD ? X
                                            : W,
        first = op == PRT_CONV_INPUT_BWD ? Y : X, second = op == PRT_CONV_WEIGHT_BWD ? Y : W;
    for (int a = 0; a < 3; a++)
        for (int64_t i = 0; i < ELEMENTS; i++) {
            put(a == result ? of_result : dtype, arrays[a], i, number());
            wide[a][i] = (float)get(a == result ? of_result : dtype, arrays[a], i);
        }
    memcpy(expected, wide[result], sizeof expected);
    prt_cpu_window_panels(PRT_F32, op, &batch_shape, wide[first], wide[second], beta, expected);
    assert_true(prt_onednn_convolve(dtype, wide_result, op, &batch_shape, (char *)arrays[X], (char *)arrays[W],
                                    (char *)arrays[Y], beta));
    double most = 0, error = 0;
    for (int64_t i = 0; i < ELEMENTS; i++) {
        double got = get(of_result, arrays[result], i);
        most = fmax(most, fabs(expected[i]));
        error = fmax(error, fabs(got - expected[i]) - rounding(of_result) * fabs(expected[i]));
    }
    if (error > 1e-5 * most) /* sums of 11,264 terms */
        fail_msg("operator %d, dtype %d, beta %d: %g of %g", (int)op, (int)dtype, beta, error, most);
}

static void test_passes(void **state)
{
    (void)state;
    prt_onednn_library()->multiplies_bf16 = can_multiply_bf16;
    for (int beta = 0; beta < 2; beta++)
        for (int op = PRT_CONV; op <= PRT_CONV_WEIGHT_BWD; op++) {
            check_passes((prt_window_op)op, PRT_F32, false, beta);
            check_passes((prt_window_op)op, PRT_BF16, false, beta);
            check_passes((prt_window_op)op, PRT_BF16, true, beta);
        }
    assert_in_range(prt_workspace_bytes(), 1, 3 << 20);
}

/* Without oneDNN: image by image in f32. */
static void test_wide_panels(void **state)
{
    (void)state;
    enum { COUNT = 8 };
    prt_window_shape s = {
        .batch = 2, .groups = 1, .in = 1, .out = 1, .x_batch = 4, .x_row = 2, .y_batch = 1, .y_row = 1};
    s.rows = s.columns = (prt_grid){2, 0, 0, 2, 1, 2, 2, 0};
    uint16_t x[COUNT], y[2] = {prt_bf16_round(1), prt_bf16_round(0.0078125f)};
    float w[4] = {1, 1, 1, 1};
    for (int i = 0; i < COUNT; i++)
        x[i] = prt_bf16_round((float)(i + 1));
    assert_true(prt_cpu_window_bf16(PRT_CONV_WEIGHT_BWD, &s, x, y, 1, w, true));
    for (int i = 0; i < 4; i++)
        assert_true(w[i] == 1 + (float)(i + 1) + (float)(i + 5) * 0.0078125f); /* of more digits than bf16 has */
}

/* A value that is not a number stays one. */
static void test_not_a_number(void **state)
{
    (void)state;
    double x[] = {1, NAN, 3, 2}, y[1];
    prt_window_shape s = {.batch = 1,
                          .groups = 1,
                          .in = 1,
                          .out = 1,
                          .x_row = 2,
                          .y_row = 1,
                          .rows = {2, 0, 0, 2, 1, 2, 2, 0},
                          .columns = {2, 0, 0, 2, 1, 2, 2, 0}};
    prt_device_cpu()->window(PRT_F64, false, PRT_MAX_POOL, &s, x, NULL, 0, y, 0);
    assert_true(isnan(y[0]));
    prt_device_cpu()->window(PRT_F64, false, PRT_MEAN_POOL, &s, x, NULL, 0, y, 0);
    assert_true(isnan(y[0]));
}

static int prepare(void **state)
{
    (void)state;
    char message[500];
    can_multiply_bf16 = __builtin_cpu_supports("avx512bf16");
    if (prt_device_cpu()->prepare(PRT_F32, 1, message, sizeof message) &&
        prt_device_cpu()->prepare(PRT_F64, 1, message, sizeof message))
        return 0;
    fprintf(stderr, "%s\n", message);
    return 1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_convolutions), cmocka_unit_test(test_pooling), cmocka_unit_test(test_large),
        cmocka_unit_test(test_wide_panels),  cmocka_unit_test(test_passes),  cmocka_unit_test(test_not_a_number),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
