/* Contractions against plain loops: every order of strides, padded rows, batches, sums over batch dims, empty sizes; in
 * bf16 as the processor multiplies, if it does, and by conversion. */
#include "base/random.h"
#include "runtime/bf16.h"
#include "runtime/device.h"
#include "runtime/onednn.h"
#include "runtime/workspace.h"
#include "tests/sanitized.h"

#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 6000 };
static int64_t room = ROOM; /* elements of every array */
static bool can_multiply_bf16;

static double value(int64_t i, uint32_t which)
{
    return 2 * random_uniform(5, which, 0, (uint64_t)i) - 1;
}

static void put(prt_dtype dtype, void *array, int64_t i, double number)
{
    if (dtype == PRT_F64)
        ((double *)array)[i] = number;
    else if (dtype == PRT_BF16)
        ((uint16_t *)array)[i] = prt_bf16_round((float)number);
    else
        ((float *)array)[i] = (float)number;
}

static double get(prt_dtype dtype, const void *array, int64_t i)
{
    if (dtype == PRT_BF16)
        return prt_bf16_value(((const uint16_t *)array)[i]);
    return dtype == PRT_F64 ? ((const double *)array)[i] : ((const float *)array)[i];
}

/* C by the definition, in double. */
static void plain(const prt_gemm_shape *s, prt_dtype dtype, const void *a, const void *b, int beta, double *c)
{
    int64_t batch[PRT_MAX_BATCH] = {1, 1, 1, 1};
    double *sum = calloc((size_t)room, sizeof *sum);
    char *touched = calloc((size_t)room, 1);
    memcpy(batch, s->batch, (size_t)s->batch_dims * sizeof batch[0]);
    for (int64_t w = 0; w < batch[0]; w++)
        for (int64_t x = 0; x < batch[1]; x++)
            for (int64_t i = 0; i < s->m; i++)
                for (int64_t j = 0; j < s->n; j++) {
                    int64_t target = w * s->c_batch[0] + x * s->c_batch[1] + i * s->c_row + j * s->c_column;
                    touched[target] = 1;
                    for (int64_t p = 0; p < s->k; p++)
                        sum[target] +=
                            get(dtype, a, w * s->a_batch[0] + x * s->a_batch[1] + i * s->a_row + p * s->a_column) *
                            get(dtype, b, w * s->b_batch[0] + x * s->b_batch[1] + p * s->b_row + j * s->b_column);
                }
    for (int64_t i = 0; i < room; i++)
        if (touched[i])
            c[i] = sum[i] + (beta ? c[i] : 0);
    free(touched);
    free(sum);
}

/* `wide`: operands in bf16, the result in f32. */
static void check_as(const prt_gemm_shape *shape, prt_dtype dtype, bool wide, int beta)
{
    prt_dtype result = wide ? PRT_F32 : dtype;
    int64_t bytes = 8; /* of the longest */
    void *a = malloc((size_t)(room * bytes)), *b = malloc((size_t)(room * bytes)), *c = malloc((size_t)(room * bytes));
    double *expected = malloc((size_t)room * sizeof *expected), bound = (dtype == PRT_F64 ? 1e-14 : 1e-6) * 40;
    for (int64_t i = 0; i < room; i++) {
        put(dtype, a, i, value(i, 1));
        put(dtype, b, i, value(i, 2));
        put(result, c, i, value(i, 3));
        expected[i] = get(result, c, i);
    }
    double rounding = result == PRT_BF16 ? 0x1.02p-8 : 0; /* of a sum in f32, once */
    plain(shape, dtype, a, b, beta, expected);
    prt_device_cpu()->gemm(dtype, wide, shape, a, b, beta, c, 0);
    for (int64_t i = 0; i < room; i++)
        if (!(fabs(get(result, c, i) - expected[i]) <= bound + rounding * fabs(expected[i])))
            fail_msg("%lld x %lld x %lld, a %lld %lld, b %lld %lld, c %lld %lld, beta %d: c[%lld] is %.9g, not %.9g",
                     (long long)shape->m, (long long)shape->n, (long long)shape->k, (long long)shape->a_row,
                     (long long)shape->a_column, (long long)shape->b_row, (long long)shape->b_column,
                     (long long)shape->c_row, (long long)shape->c_column, beta, (long long)i, get(result, c, i),
                     expected[i]);
    free(a), free(b), free(c), free(expected);
}

/* Without conversion, if the processor can. */
static void multiply_bf16(bool as_such)
{
    prt_onednn_library()->multiplies_bf16 = as_such && can_multiply_bf16;
}

static void check(const prt_gemm_shape *shape, prt_dtype dtype, int beta)
{
    if (dtype != PRT_BF16) {
        check_as(shape, dtype, false, beta);
        return;
    }
    for (int as_such = 0; as_such < 2; as_such++) {
        multiply_bf16(as_such);
        check_as(shape, dtype, false, beta);
        check_as(shape, dtype, true, beta);
    }
}

/* Strides of a matrix of rows x columns: row-major, transposed, padded, or of neither kind. */
enum { ORDERS = 4 };
static void strides(int order, int64_t rows, int64_t columns, int64_t *row, int64_t *column)
{
    static const int64_t padding[ORDERS] = {0, 0, 3, 1};
    *row = order == 1 ? 1 : (columns + padding[order]) * (order == 3 ? 2 : 1);
    *column = order == 1 ? rows : order == 3 ? 2 : 1;
}

static const prt_dtype dtypes[] = {PRT_F32, PRT_F64, PRT_BF16};
static const int64_t sizes[][3] = {{5, 7, 3},    {1, 6, 4}, {6, 1, 4}, {4, 6, 1}, {1, 1, 1},
                                   {17, 16, 33}, {0, 4, 4}, {4, 0, 4}, {4, 4, 0}};
/* One in every so many orders is tried, of the large size and of the others. */
enum { SIZES = sizeof sizes / sizeof sizes[0], LARGE_ORDERS = SANITIZED ? 15 : 1, SMALL_ORDERS = SANITIZED ? 5 : 1 };

static void test_every_order_of_strides(void **state)
{
    (void)state;
    for (int size = 0; size < SIZES; size++) {
        const int every = sizes[size][2] > 30 ? LARGE_ORDERS : SMALL_ORDERS;
        for (int orders = 0; orders < ORDERS * ORDERS * ORDERS; orders += every) {
            prt_gemm_shape s = {.m = sizes[size][0], .n = sizes[size][1], .k = sizes[size][2]};
            strides(orders % ORDERS, s.m, s.k, &s.a_row, &s.a_column);
            strides(orders / ORDERS % ORDERS, s.k, s.n, &s.b_row, &s.b_column);
            strides(orders / ORDERS / ORDERS, s.m, s.n, &s.c_row, &s.c_column);
            for (int d = 0; d < 3; d++) {
                check(&s, dtypes[d], 0);
                check(&s, dtypes[d], 1);
            }
        }
    }
}

/* Attention's shape: batch over examples and heads, rows of one head strided by all heads. */
static void test_batches(void **state)
{
    (void)state;
    prt_gemm_shape s = {.m = 5,
                        .n = 5,
                        .k = 4,
                        .a_row = 12,
                        .a_column = 1,
                        .b_row = 1,
                        .b_column = 12,
                        .c_row = 5,
                        .c_column = 1,
                        .batch_dims = 2,
                        .batch = {2, 3},
                        .a_batch = {60, 4},
                        .b_batch = {60, 4},
                        .c_batch = {75, 25}};
    for (int d = 0; d < 3; d++)
        for (int beta = 0; beta < 2; beta++)
            check(&s, dtypes[d], beta);
}

static void test_sums_over_batch_dims(void **state)
{
    (void)state;
    prt_gemm_shape s = {.m = 5,
                        .n = 6,
                        .k = 4,
                        .a_row = 4,
                        .a_column = 1,
                        .b_row = 6,
                        .b_column = 1,
                        .c_row = 6,
                        .c_column = 1,
                        .batch_dims = 2,
                        .batch = {3, 2},
                        .a_batch = {20, 60},
                        .b_batch = {24, 72},
                        .c_batch = {0, 30}};
    for (int d = 0; d < 3; d++)
        for (int beta = 0; beta < 2; beta++)
            check(&s, dtypes[d], beta);
    s.c_batch[1] = 0;
    check(&s, PRT_F64, 0);
}

/* A sum over a batch dim of extent 0 is zero, as of a rank that has no examples. */
static void test_empty_batch_dims(void **state)
{
    (void)state;
    prt_gemm_shape s = {.m = 2,
                        .n = 2,
                        .k = 2,
                        .a_row = 2,
                        .a_column = 1,
                        .b_row = 2,
                        .b_column = 1,
                        .c_row = 2,
                        .c_column = 1,
                        .batch_dims = 2,
                        .batch = {0, 2},
                        .a_batch = {4, 0},
                        .b_batch = {4, 0},
                        .c_batch = {0, 4}};
    double a[4] = {1, 2, 3, 4}, c[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    prt_device_cpu()->gemm(PRT_F64, false, &s, a, a, 1, c, 0);
    for (int i = 0; i < 9; i++)
        assert_true(c[i] == i + 1);
    prt_device_cpu()->gemm(PRT_F64, false, &s, a, a, 0, c, 0);
    for (int i = 0; i < 9; i++)
        assert_true(c[i] == (i < 8 ? 0 : 9));
    s.batch[0] = 1, s.batch[1] = 0; /* nothing to write */
    c[0] = 7;
    prt_device_cpu()->gemm(PRT_F64, false, &s, a, a, 0, c, 0);
    assert_true(c[0] == 7);
}

static void test_beta_zero_does_not_read(void **state)
{
    (void)state;
    float a[4] = {1, 2, 3, 4}, b[4] = {1, 0, 0, 1}, c[4] = {NAN, NAN, NAN, NAN};
    prt_device_cpu()->gemm(
        PRT_F32, false,
        &(prt_gemm_shape){
            .m = 2, .n = 2, .k = 2, .a_row = 2, .a_column = 1, .b_row = 2, .b_column = 1, .c_row = 2, .c_column = 1},
        a, b, 0, c, 0);
    for (int i = 0; i < 4; i++)
        assert_true(c[i] == a[i]);
}

/* ---- bf16 --------------------------------------------------------------------------------------------------- */

/* `apart`: room after each row. */
static prt_gemm_shape large(int64_t m, int64_t n, int64_t k, int64_t apart)
{
    return (prt_gemm_shape){.m = m,
                            .n = n,
                            .k = k,
                            .a_row = k + apart,
                            .a_column = 1,
                            .b_row = n + apart,
                            .b_column = 1,
                            .c_row = n + apart,
                            .c_column = 1};
}

/* Several tiles, the last in parts, and C by rows and by columns; then one that would need much memory. */
static void test_large_bf16(void **state)
{
    (void)state;
    prt_gemm_shape shapes[] = {large(300, 290, 9, 0), large(260, 20, 520, 3)};
    room = 290 * 530;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int beta = SANITIZED; beta < 2; beta++) {
            prt_gemm_shape s = shapes[i];
            check(&s, PRT_BF16, beta);
            s.c_row = 1, s.c_column = s.m;
            check(&s, PRT_BF16, beta);
        }
    prt_gemm_shape wide = large(1100, 1030, 3, 1);
    room = 1100 * 1031;
    check(&wide, PRT_BF16, 1);
    room = ROOM;
}

/* Several tiles, each of which is a sum over batches. */
static void test_large_sums_of_bf16(void **state)
{
    (void)state;
    prt_gemm_shape s = large(300, 290, 9, 2);
    s.batch_dims = 2, s.batch[0] = 3, s.batch[1] = 2;
    s.a_batch[0] = 300 * 11, s.a_batch[1] = 900 * 11;
    s.b_batch[0] = 9 * 292, s.b_batch[1] = 27 * 292;
    s.c_batch[1] = 300 * 292;
    room = 2 * 300 * 292;
    for (int beta = SANITIZED; beta < 2; beta++)
        check(&s, PRT_BF16, beta);
    room = ROOM;
}

/* A GPT's products: of a layer, forward and backward, and of attention's heads, whose rows are apart; a vector; and a
 * result by columns. */
enum { OF_GPT = 7, LONGEST = 512 * 448 };
static prt_gemm_shape of_gpt(int which)
{
    static const int64_t numbers[OF_GPT][4] = {{512, 384, 384, 0},  {512, 384, 384, 0},  {384, 384, 512, 0},
                                               {256, 256, 64, 320}, {256, 64, 256, 320}, {256, 1, 384, 0},
                                               {384, 256, 128, 0}};
    const int64_t *of = numbers[which];
    prt_gemm_shape s = large(of[0], of[1], of[2], of[3]);
    if (which == 1 || which == 3)
        s.b_row = 1, s.b_column = s.k + of[3];
    if (which == 2)
        s.a_row = 1, s.a_column = s.m;
    if (which == 6)
        s.c_row = 1, s.c_column = s.m;
    return s;
}

static void test_which_way(void **state)
{
    (void)state;
    for (int i = 0; i < OF_GPT; i++)
        for (int wide = 0; wide < 2; wide++)
            for (int adds = 0; adds < 2; adds++) {
                const prt_gemm_shape s = of_gpt(i);
                multiply_bf16(true);
                bool has_way = prt_onednn_product(&s, wide, adds) != NULL;
                assert_int_equal(has_way, can_multiply_bf16);
                multiply_bf16(false);
                assert_null(prt_onednn_product(&s, wide, adds));
            }
}

/* Once they were made, products allocate nothing and take the workspace that is there, and that is small. */
static void test_products_are_made_once(void **state)
{
    (void)state;
    static uint16_t a[LONGEST], b[LONGEST], c[LONGEST];
    size_t before = 0, mapped = 0;
    multiply_bf16(true);
    for (int round = 0; round < 4; round++) {
        if (round == 1)
            before = mallinfo2().uordblks, mapped = mallinfo2().hblkhd;
        for (int i = 0; i < OF_GPT; i++) {
            const prt_gemm_shape s = of_gpt(i);
            prt_device_cpu()->gemm(PRT_BF16, false, &s, a, b, 0, c, 0);
        }
    }
    assert_int_equal(mallinfo2().uordblks, before);
    assert_int_equal(mallinfo2().hblkhd, mapped);
    assert_in_range(prt_workspace_bytes(), can_multiply_bf16, 4 << 20);
}

/* More shapes than are kept, twice. */
static void test_many_shapes(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < PRT_MANY_PRODUCTS + 20; i++) {
            prt_gemm_shape s = large(1 + i % 13, 1 + i / 13, 1 + i % 5, i % 2);
            check(&s, PRT_BF16, i % 3 == 0);
        }
}

/* Through a row that gives out addresses of its own. */
static void test_guarded_bf16(void **state)
{
    (void)state;
    const prt_device *row = prt_device_guarded();
    prt_gemm_shape s = large(17, 16, 33, 2);
    enum { OPERAND = 40 * 40, BYTES = 3 * OPERAND * 2 };
    uint16_t numbers[3 * OPERAND], ways[2][OPERAND];
    uint16_t *arena = row->reserve(PRT_DEVICE, BYTES);
    assert_non_null(arena);
    for (int64_t i = 0; i < 3 * OPERAND; i++)
        numbers[i] = prt_bf16_round((float)value(i, 4));
    for (int as_such = 0; as_such < 2; as_such++) {
        multiply_bf16(as_such);
        row->copy(arena, numbers, BYTES, 0);
        row->gemm(PRT_BF16, false, &s, arena, arena + OPERAND, 1, arena + 2 * OPERAND, 0);
        row->copy(ways[as_such], arena + 2 * OPERAND, sizeof ways[as_such], 0);
        prt_device_cpu()->gemm(PRT_BF16, false, &s, numbers, numbers + OPERAND, 1, numbers + 2 * OPERAND, 0);
        assert_memory_equal(ways[as_such], numbers + 2 * OPERAND, sizeof ways[as_such]);
    }
    row->release(PRT_DEVICE, arena, BYTES);
}

static int prepare(void **state)
{
    (void)state;
    char message[256] = "";
    for (int d = 0; d < 3; d++)
        if (!prt_device_cpu()->prepare(dtypes[d], 1, message, sizeof message)) {
            fprintf(stderr, "%s\n", message);
            return 1;
        }
    can_multiply_bf16 = prt_onednn_library()->multiplies_bf16;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_order_of_strides),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_sums_over_batch_dims),
        cmocka_unit_test(test_empty_batch_dims),
        cmocka_unit_test(test_beta_zero_does_not_read),
        cmocka_unit_test(test_large_bf16),
        cmocka_unit_test(test_large_sums_of_bf16),
        cmocka_unit_test(test_which_way),
        cmocka_unit_test(test_products_are_made_once),
        cmocka_unit_test(test_many_shapes),
        cmocka_unit_test(test_guarded_bf16),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
