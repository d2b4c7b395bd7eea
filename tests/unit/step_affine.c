/* Affine expressions: their values on every rank and in many iterations, before and after they are combined. */
#include "base/arena.h"
#include "step/step.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { AXIS_D, AXIS_T, SIZE_D = 3, SIZE_T = 2, LOOPS = 4 };

static int64_t table_values[SIZE_D] = {5, -1, 7};
static Axis axes[] = {{.name = "d", .size = SIZE_D}, {.name = "t", .size = SIZE_T}};
static IndexTable tables[] = {{.name = "first", .axis = AXIS_D, .values = table_values}};
static const Decls decls = {.axes = {axes, 2, 2}, .tables = {tables, 1, 1}};

static Affine with(Affine affine, int variable, int64_t coefficient)
{
    affine_add_term(&affine, variable, coefficient);
    return affine;
}

/* 4 + 2*l1 - 3*@d + $first - @t */
static Affine example(void)
{
    Affine affine = affine_loop(1, 2, 4);
    affine = with(affine, affine_coordinate(AXIS_D), -3);
    affine = with(affine, affine_table(0), 1);
    return with(affine, affine_coordinate(AXIS_T), -1);
}

static const char *text_of(Affine affine)
{
    static char text[100];
    FILE *out = fmemopen(text, sizeof text, "w");
    affine_print(&decls, &affine, out);
    fclose(out);
    return text;
}

static void test_values(void **state)
{
    (void)state;
    Affine affine = example();
    int64_t loops[LOOPS] = {0};
    for (int64_t d = 0; d < SIZE_D; d++)
        for (int64_t t = 0; t < SIZE_T; t++)
            for (loops[1] = -3; loops[1] <= 3; loops[1]++) {
                int64_t value = 4 + 2 * loops[1] - 3 * d + table_values[d] - t;
                affine.modulus = 0;
                assert_int_equal(affine_at(&decls, &affine, (int64_t[]){d, t}, loops), value);
                for (affine.modulus = 1; affine.modulus <= 5; affine.modulus++) {
                    int64_t wrapped = affine_at(&decls, &affine, (int64_t[]){d, t}, loops);
                    assert_in_range(wrapped, 0, affine.modulus - 1);
                    assert_int_equal((value - wrapped) % affine.modulus, 0);
                }
            }
}

static void test_no_variables(void **state)
{
    (void)state;
    Affine affine = affine_constant(-7);
    assert_int_equal(affine_at(&decls, &affine, NULL, NULL), -7);
    affine.modulus = 5;
    assert_int_equal(affine_at(&decls, &affine, NULL, NULL), 3);
    assert_int_equal(affine_wrap(-7, 0), -7);
    assert_int_equal(affine_wrap(-5, 5), 0);
}

static void test_dependence(void **state)
{
    (void)state;
    Affine affine = example(), plus = affine_loop(2, 1, 5), twice = affine_loop(2, 2, 5);
    assert_true(affine_uses(&affine, 1));
    assert_false(affine_uses(&affine, 2));
    assert_int_equal(affine_coefficient(&affine, affine_coordinate(AXIS_D)), -3);
    assert_int_equal(affine_coefficient(&affine, 3), 0);
    assert_int_equal(affine_axes(&decls, &affine), 1 << AXIS_D | 1 << AXIS_T);
    assert_int_equal(affine_axes(&decls, &plus), 0);
    assert_int_equal(affine_axis(&decls, affine_table(0)), AXIS_D);
    assert_true(affine_is_loop_plus(&plus, 2));
    assert_false(affine_is_loop_plus(&plus, 1));
    assert_false(affine_is_loop_plus(&twice, 2));
    plus.modulus = 3;
    assert_false(affine_is_loop_plus(&plus, 2));
    Affine number = affine_constant(3);
    assert_true(affine_is_constant(&number));
    number.modulus = 2;
    assert_false(affine_is_constant(&number));
}

static void test_equal(void **state)
{
    (void)state;
    Affine affine = example();
    for (int change = 0; change < 5; change++) {
        Affine other = affine;
        assert_true(affine_equal(&affine, &other));
        other.constant += change == 0;
        other.modulus += change == 1;
        other.term_count -= change == 2;
        other.term[1].variable -= change == 3;
        other.term[1].coefficient += change == 4;
        assert_false(affine_equal(&affine, &other));
    }
}

/* The value of what is put in follows from those of its parts. */
static void test_combined(void **state)
{
    (void)state;
    Affine affine = example(), by = with(affine_loop(3, 5, -2), affine_coordinate(AXIS_D), 1);
    Affine sum = affine, replaced = affine, renamed = affine, gone = affine;
    affine_add(&sum, &by, -3);
    affine_replace(&replaced, 1, &by);
    affine_rename(&renamed, 1, 2);
    affine_add_term(&gone, 1, -2);
    assert_false(affine_uses(&gone, 1));
    assert_false(affine_uses(&replaced, 1));
    int64_t loops[LOOPS] = {0, 6, 6, -4};
    for (int64_t d = 0; d < SIZE_D; d++) {
        int64_t rank[] = {d, 1}, own = affine_at(&decls, &affine, rank, loops),
                put = affine_at(&decls, &by, rank, loops);
        assert_int_equal(affine_at(&decls, &sum, rank, loops), own - 3 * put);
        assert_int_equal(affine_at(&decls, &replaced, rank, loops), own + 2 * (put - loops[1]));
        assert_int_equal(affine_at(&decls, &renamed, rank, loops), own);
        assert_int_equal(affine_at(&decls, &gone, rank, loops), own - 2 * loops[1]);
    }
    Affine same = affine;
    affine_replace(&same, 2, &by); /* it has no such variable */
    assert_true(affine_equal(&same, &affine));
}

static void test_text(void **state)
{
    (void)state;
    Affine wrapped = affine_loop(0, 1, 1);
    wrapped.modulus = 4;
    assert_string_equal(text_of(affine_constant(-3)), "-3");
    assert_string_equal(text_of(affine_loop(0, 1, 1)), "l0+1");
    assert_string_equal(text_of(affine_loop(0, -1, 5)), "5-l0");
    assert_string_equal(text_of(affine_loop(0, 2, -1)), "2*l0-1");
    assert_string_equal(text_of(affine_loop(0, 0, 7)), "7");
    assert_string_equal(text_of(wrapped), "l0+1 % 4");
    assert_string_equal(text_of(example()), "2*l1-3*@d+$first-@t+4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_no_variables), cmocka_unit_test(test_dependence),
        cmocka_unit_test(test_equal),  cmocka_unit_test(test_combined),     cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
