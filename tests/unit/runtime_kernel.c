/* What a launch is and costs, from a kernel's row: ranges, blocks, bytes, operations. */
#include "runtime/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* A norm over rows i and columns j, and a sum of its columns into what is there. */
static const prt_kernel norm = {.arrays = {{PRT_F32, "ij"}, {PRT_F32, "ij"}, {PRT_F32, "i"}, {PRT_F32, "j"}},
                                .array_count = 4,
                                .extent_count = 2,
                                .split = "i",
                                .work = "i",
                                .space = "ij",
                                .operations = 4};
static const prt_kernel sum = {.arrays = {{PRT_F64, "j"}, {PRT_F64, "ij"}},
                               .array_count = 2,
                               .extent_count = 2,
                               .reads_result = true,
                               .split = "j",
                               .work = "j",
                               .per_thread = true,
                               .space = "ij",
                               .operations = 1};
static const prt_kernel scalar = {
    .arrays = {{PRT_F32, ""}}, .array_count = 1, .split = "", .work = "", .per_thread = true, .space = ""};

static void launches(void **state)
{
    (void)state;
    const prt_arguments arguments = {.extents = {5, 700}};
    assert_int_equal(prt_kernel_extent(norm.split, &arguments), 5);
    assert_int_equal(prt_kernel_extent(sum.split, &arguments), 700);
    assert_int_equal(prt_kernel_extent(scalar.split, &arguments), 1);
    assert_int_equal(prt_kernel_blocks(&norm, &arguments, 256), 5);
    assert_int_equal(prt_kernel_blocks(&sum, &arguments, 256), 3);
    assert_int_equal(prt_kernel_blocks(&scalar, &arguments, 256), 1);
    assert_int_equal(prt_kernel_bytes(&norm, &arguments), 4 * (2 * 3500 + 5 + 700));
    assert_int_equal(prt_kernel_bytes(&sum, &arguments), 8 * (2 * 700 + 3500));
    assert_true(prt_kernel_operations(&norm, &arguments) == 4 * 3500);
    assert_true(prt_kernel_operations(&scalar, &arguments) == 0);
}

/* The second dim of the result has room for 1000, of the operand for 800: the last element is further away. */
static void rooms(void **state)
{
    (void)state;
    const prt_kernel copy = {.arrays = {{PRT_F64, "ij"}, {PRT_F32, "ji"}, {PRT_F32, "ij"}},
                             .rooms = {{0, 2}, {0, 3}},
                             .array_count = 3,
                             .extent_count = 4};
    const prt_arguments some = {.extents = {5, 700, 1000, 800}}, none = {.extents = {5, 0, 1000, 800}};
    assert_int_equal(prt_kernel_array_span(&copy, &some, 0), 8 * (4 * 1000 + 700));
    assert_int_equal(prt_kernel_array_span(&copy, &some, 1), 4 * (699 * 800 + 5));
    assert_int_equal(prt_kernel_array_span(&copy, &some, 2), 4 * 3500);
    assert_int_equal(prt_kernel_array_bytes(&copy, &some, 0), 8 * 3500);
    assert_int_equal(prt_kernel_array_span(&copy, &none, 0), 0);
    assert_int_equal(prt_kernel_array_span(&scalar, &some, 0), 4);
}

/* Nothing is launched for an empty array. */
static void empty(void **state)
{
    (void)state;
    const prt_arguments arguments = {.extents = {0, 700}};
    assert_int_equal(prt_kernel_blocks(&norm, &arguments, 256), 0);
    assert_int_equal(prt_kernel_bytes(&norm, &arguments), 4 * 700);
    assert_true(prt_kernel_operations(&norm, &arguments) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(launches), cmocka_unit_test(rooms), cmocka_unit_test(empty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
