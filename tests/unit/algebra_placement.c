/* Placements: text, faults, derived axes; balanced, nested and flat cuts; nested cuts against flat ones. */
#include "algebra/placement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static Arena *arena;
static const char *const dims[] = {"batch", "hidden"};
static const char *const flat[] = {"flat"};

static int start_arena(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int end_arena(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

/* data = expert_data x expert. */
static const Mesh mesh = {3, 1, {{"expert_data", 2}, {"expert", 3}, {"tensor", 2}}, {{"data", 2, {0, 1}}}};

static const char *printed(const char *text)
{
    Placement p;
    const char *fault = placement_read(arena, &mesh, text, dims, 2, &p);
    return fault != NULL ? fault : placement_print(arena, &mesh, &p, dims);
}

static void reads_what_it_prints(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "replicated",
        "expert: sharded(batch), tensor: partial(sum)",
        "tensor: sharded(batch), expert: sharded(batch)",
        "expert_data: sharded(hidden), expert: at(2), tensor: partial(max)",
        "expert: varying",
        "expert_data: partial(avg), tensor: partial(sum)",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(printed(texts[i]), texts[i]);
    assert_string_equal(printed(" tensor : partial( min ),expert:replicated"), "tensor: partial(min)");
}

static void refuses_what_is_no_placement(void **state)
{
    (void)state;
    assert_string_equal(printed("node: replicated"), "unknown axis");
    assert_string_equal(printed("tensor: sharded(heads)"), "unknown dim");
    assert_string_equal(printed("tensor: sharded"), "unknown placement");
    assert_string_equal(printed("tensor: partial(mul)"), "unknown partial op");
    assert_string_equal(printed("tensor: at(x)"), "a coordinate is a number");
    assert_string_equal(printed("tensor: at(2)"), "it is at a coordinate beyond its axis");
    assert_string_equal(printed("tensor replicated"), "':' is missing");
    assert_string_equal(printed("tensor: sharded(batch"), "')' is missing");
    assert_string_equal(printed("tensor: sharded(batch) expert"), "text after the end");
    assert_string_equal(printed("tensor: replicated, tensor: replicated"), "an axis is named twice");
    assert_string_equal(printed("data: replicated, expert: partial(sum)"), "an axis is named twice");
    assert_string_equal(printed("expert: partial(max), tensor: partial(sum)"),
                        "it is partial by ops whose order matters");
}

static void knows_the_finest_axes_of_derived_ones(void **state)
{
    (void)state;
    assert_string_equal(printed("data: sharded(batch), tensor: sharded(batch)"),
                        "expert_data: sharded(batch), expert: sharded(batch), tensor: sharded(batch)");
    assert_string_equal(printed("tensor: sharded(batch), data: sharded(batch)"),
                        "tensor: sharded(batch), expert_data: sharded(batch), expert: sharded(batch)");
    assert_string_equal(printed("data: partial(sum)"), "expert_data: partial(sum), expert: partial(sum)");
    assert_string_equal(printed("data: at(4)"), "expert_data: at(1), expert: at(1)");
    assert_string_equal(printed("data: at(6)"), "it is at a coordinate beyond its axis");
    assert_string_equal(printed("data: at(4294967296)"), "it is at a coordinate beyond its axis");
}

/* ---- Extents ------------------------------------------------------------------------------------------------ */

/* a, then b, cut a dim. */
static Placement nested(Mesh *two, int64_t a, int64_t b)
{
    *two = (Mesh){.axis_count = 2, .axis = {{"a", a}, {"b", b}}};
    Placement p = placement_replicated(two, 1);
    placement_set(&p, 0, on_sharded(0));
    placement_set(&p, 1, on_sharded(0));
    return p;
}

/* The parts follow each other and cover the dim; the first is the longest: ceil(L / ab). Nested and flat cuts agree
 * just where L mod ab is 0, 1 or ab - 1. */
static void nests_balanced_cuts(void **state)
{
    (void)state;
    int cases = 0;
    for (int64_t a = 2; a <= 5; a++)
        for (int64_t b = 2; b <= 5; b++)
            for (int64_t length = 1; length <= 62; length++) {
                Mesh two;
                Placement p = nested(&two, a, b);
                int64_t end = 0, parts = a * b, rest = length % parts;
                bool same = true;
                for (int64_t i = 0; i < parts; i++) {
                    int64_t coordinates[2] = {i / b, i % b}, start, flat_start, flat_extent;
                    int64_t extent = placement_extent(&two, &p, 0, length, coordinates, &start);
                    cut_balanced(length, parts, i, &flat_start, &flat_extent);
                    assert_int_equal(start, end);
                    end += extent;
                    same = same && start == flat_start && extent == flat_extent;
                }
                assert_int_equal(end, length);
                assert_int_equal(same, rest == 0 || rest == 1 || rest == parts - 1);
                assert_int_equal(placement_elements(&two, &p, &length), (length + parts - 1) / parts);
                assert_int_equal(placement_even(&two, &p, 0, length), rest == 0);
                cases++;
            }
    assert_int_equal(cases, 992);
}

static int64_t gcd(int64_t x, int64_t y)
{
    return y == 0 ? x : gcd(y, x % y);
}

/* Of the orders (a, b) and (b, a), gcd(a-1, b-1) + 1 ranks hold the same part; each other one nothing in common. */
static void keeps_few_parts_in_another_order(void **state)
{
    (void)state;
    for (int64_t a = 2; a <= 9; a++)
        for (int64_t b = 2; b <= 9; b++) {
            Mesh two;
            Placement p = nested(&two, a, b), q = placement_replicated(&two, 1);
            placement_set(&q, 1, on_sharded(0));
            placement_set(&q, 0, on_sharded(0));
            assert_false(placement_equal(&p, &q));
            int64_t length = a * b, same = 0;
            for (int64_t i = 0; i < length; i++) {
                int64_t coordinates[2] = {i / b, i % b}, x, y;
                placement_extent(&two, &p, 0, length, coordinates, &x);
                placement_extent(&two, &q, 0, length, coordinates, &y);
                same += x == y;
            }
            assert_int_equal(same, gcd(a - 1, b - 1) + 1);
        }
}

static void cuts_units_flat(void **state)
{
    (void)state;
    Placement p;
    assert_null(placement_read(arena, &mesh, "tensor: sharded(flat), expert: sharded(flat)", flat, 1, &p));
    assert_true(p.flat);
    assert_string_equal(placement_print(arena, &mesh, &p, flat), "tensor: sharded(flat), expert: sharded(flat)");
    int64_t length = 16, start, coordinates[3] = {0, 1, 1};
    assert_int_equal(placement_extent(&mesh, &p, 0, length, coordinates, &start), 3); /* 16 over 6, padded */
    assert_int_equal(start, 12);                                                      /* the fifth */
}

static void leaves_shards_empty(void **state)
{
    (void)state;
    Mesh two;
    Placement p = nested(&two, 2, 3);
    int64_t length = 2, start, last[2] = {1, 2};
    assert_int_equal(placement_extent(&two, &p, 0, length, last, &start), 0);
    assert_int_equal(start, 2);
    Placement at = placement_replicated(&two, 0);
    placement_set(&at, 0, on_coordinate(1));
    int64_t here[2] = {1, 0}, there[2] = {0, 0};
    assert_int_equal(placement_elements_at(&two, &at, NULL, here), 1);
    assert_int_equal(placement_elements_at(&two, &at, NULL, there), 0);
    assert_int_equal(placement_elements(&two, &at, NULL), 1);
}

/* The nest of a dim's cuts is the order in which they were set, or that of the mesh, whichever was asked for. */
static void answers_by_axis_and_by_dim(void **state)
{
    (void)state;
    Placement p = placement_replicated(&mesh, 2), q = p, layout;
    placement_set(&p, 2, on_sharded(1));
    placement_set(&p, 0, on_sharded(1));
    placement_set(&p, 1, on_partial(PARTIAL_MAX));
    placement_set_in_order(&q, 2, on_sharded(1));
    placement_set_in_order(&q, 0, on_sharded(1));
    placement_set_in_order(&q, 1, on_partial(PARTIAL_MAX));
    AxisSet given = placement_cuts(&p, 1), ordered = placement_cuts(&q, 1), none = placement_cuts(&p, 0);
    assert_true(given.count == 2 && given.axis[0] == 2 && given.axis[1] == 0);
    assert_true(ordered.count == 2 && ordered.axis[0] == 0 && ordered.axis[1] == 2);
    assert_int_equal(none.count, 0);
    assert_false(placement_equal(&p, &q));
    assert_int_equal(placement_dim_on(&p, 0), 1);
    assert_int_equal(placement_dim_on(&p, 1), -1);
    assert_int_equal(placement_axes_of(&p, PLACED_PARTIAL).axis[0], 1);
    assert_int_equal(placement_axes_of(&p, PLACED_AT).count, 0);
    assert_int_equal(placement_axes_of(&p, PLACED_PARTIAL).count, 1);
    assert_int_equal(placement_axes_of(&p, PLACED_SHARDED).axis[0], 0); /* in the order of the mesh */
    layout = placement_layout(p);
    assert_string_equal(placement_print(arena, &mesh, &layout, dims),
                        "tensor: sharded(hidden), expert_data: sharded(hidden)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_prints),
        cmocka_unit_test(refuses_what_is_no_placement),
        cmocka_unit_test(knows_the_finest_axes_of_derived_ones),
        cmocka_unit_test(nests_balanced_cuts),
        cmocka_unit_test(keeps_few_parts_in_another_order),
        cmocka_unit_test(cuts_units_flat),
        cmocka_unit_test(leaves_shards_empty),
        cmocka_unit_test(answers_by_axis_and_by_dim),
    };
    return cmocka_run_group_tests(tests, start_arena, end_arena);
}
