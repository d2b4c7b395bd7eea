/* The routes of the planner of conversions, pair by pair of placements: every step is one that there is; it takes the
 * plain route, in which the phases follow each other, or one that sends less; how much more it sends than the cheapest
 * route that a search finds; and that it keeps to its limits.
 */
#include "tests/sanitized.h"
#include "tests/unit/convert_plain.h"
#include "tests/unit/convert_search.h"
#include "tests/unit/placement_list.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* ---- Steps -------------------------------------------------------------------------------------------------- */

/* Are the axes of the step the innermost cuts of every dim that they cut, and are its other cuts those of `others`? */
static bool are_innermost(const Placement *p, const ConvertStep *step, const Placement *others)
{
    for (int dim = 0; dim < p->dim_count; dim++) {
        int kept = 0;
        for (int i = 0; i < p->cut_count[dim]; i++) {
            int axis = p->cut[dim][i];
            if (axes_contain(step->axes, axis))
                continue;
            if (kept != i || placement_dim_on(others, axis) != dim || others->cut[dim][kept++] != axis)
                return false;
        }
    }
    return true;
}

static void assert_possible(const Mesh *mesh, const Placement *before, const ConvertStep *step)
{
    assert_null(placement_fault(mesh, &step->after));
    assert_true(step->axes.count > 0);
    for (int a = 0; a < mesh->axis_count; a++) {
        if (!axes_contain(step->axes, a))
            assert_true(on_axis_equal(before->axis[a], step->after.axis[a]));
        else if (step->kind != CONVERT_REORDER)
            assert_int_equal(convert_kind_on(before->axis[a], step->after.axis[a]), step->kind);
    }
    for (int i = 1; i < step->axes.count && step->kind != CONVERT_SCALE; i++)
        assert_int_equal(before->axis[step->axes.axis[i]].op, before->axis[step->axes.axis[0]].op);
    assert_true(are_innermost(before, step, &step->after));
    assert_true(are_innermost(&step->after, step, before));
}

/* From one placement to the other, by steps of these kinds. */
static void assert_leads(const Mesh *mesh, const int64_t *sizes, const Placement *from, const Placement *to,
                         unsigned kinds, const Conversion *c)
{
    Placement at = *from;
    int64_t elements = 0;
    for (int i = 0; i < c->count; i++) {
        const ConvertStep *step = &c->step[i];
        assert_true(kinds >> step->kind & 1);
        assert_possible(mesh, &at, step);
        ConvertStep same = convert_step(mesh, sizes, step->kind, step->axes, &at, &step->after);
        assert_int_equal(step->elements, same.elements);
        assert_int_equal(step->collective, same.collective);
        elements += step->elements;
        at = step->after;
    }
    assert_true(placement_equal(&at, to));
    assert_int_equal(elements, c->elements);
}

/* ---- The plain route ---------------------------------------------------------------------------------------- */

static bool next_on(PlainOn *on, int axes, int dims)
{
    for (int a = 0; a < axes; a++) {
        if (++on->on[a] < dims)
            return true;
        on->on[a] = PLAIN_PARTIAL;
    }
    return false;
}

/* Every seventh, which has each placement on each axis, but on the first mesh, where there is time for all. */
static bool next_from(PlainOn *from, int axes, int dims, int every)
{
    for (int i = 0; i < every; i++)
        if (!next_on(from, axes, dims))
            return false;
    return true;
}

static PlainOn first_on(void)
{
    PlainOn on;
    for (int a = 0; a < STEP_MAX_AXES; a++)
        on.on[a] = PLAIN_PARTIAL;
    return on;
}

static unsigned mask_of(AxisSet axes)
{
    unsigned mask = 0;
    for (int i = 0; i < axes.count; i++)
        mask |= 1U << axes.axis[i];
    return mask;
}

static bool is_same(const Mesh *mesh, const Plain *plain, PartialOp op, const Conversion *c)
{
    if (plain->count != c->count)
        return false;
    for (int i = 0; i < c->count; i++) {
        Placement after = plain_placement(mesh, plain->dims, &plain->step[i].after, op);
        if (plain->step[i].kind != c->step[i].kind || plain->step[i].axes != mask_of(c->step[i].axes) ||
            !placement_equal(&after, &c->step[i].after))
            return false;
    }
    return true;
}

static int64_t plain_elements(const Mesh *mesh, const int64_t *sizes, const Plain *plain, PartialOp op,
                              const Placement *from)
{
    int64_t elements = 0;
    Placement at = *from;
    for (int i = 0; i < plain->count; i++) {
        Placement after = plain_placement(mesh, plain->dims, &plain->step[i].after, op);
        AxisSet axes = {0};
        for (int a = 0; a < mesh->axis_count; a++)
            if (plain->step[i].axes >> a & 1)
                axes.axis[axes.count++] = (int8_t)a;
        elements += convert_step(mesh, sizes, plain->step[i].kind, axes, &at, &after).elements;
        at = after;
    }
    return elements;
}

static bool makes_parts_of_copies(const Placement *from, const Placement *to)
{
    for (int a = 0; a < from->axis_count; a++)
        if (from->axis[a].kind == PLACED_REPLICATED && to->axis[a].kind == PLACED_PARTIAL)
            return true;
    return false;
}

/* The same, if all cuts must nest in the order of the mesh after every step: the plain route does, too. */
static void compare_in_order(const Mesh *mesh, const int64_t *sizes, const Plain *plain, PartialOp op,
                             const Placement *from, const Placement *to, ConvertLimits limits)
{
    Conversion c;
    limits.in_order = true;
    assert_true(convert(mesh, sizes, from, to, &limits, &c));
    assert_true(c.elements <= plain_elements(mesh, sizes, plain, op, from));
    for (int i = 0; i < c.count; i++)
        for (int dim = 0; dim < plain->dims; dim++)
            for (int cut = 1; cut < c.step[i].after.cut_count[dim]; cut++)
                assert_true(c.step[i].after.cut[dim][cut - 1] < c.step[i].after.cut[dim][cut]);
}

static void compare(const Mesh *mesh, const int64_t *sizes, const Plain *asked, PartialOp op)
{
    Plain plain = *asked;
    Placement from = plain_placement(mesh, plain.dims, &plain.at, op);
    Placement to = plain_placement(mesh, plain.dims, &plain.to, op);
    ConvertLimits limits = {.kinds = CONVERT_EMITTED & ~(plain.scatters ? 0U : 1U << CONVERT_REDUCE_SCATTER)};
    Conversion c;
    bool leads = plain_route(&plain), found = convert(mesh, sizes, &from, &to, &limits, &c);
    /* Parts of copies are made by way of shards, which a scalar has not. */
    if (found == (plain.dims == 0 && makes_parts_of_copies(&from, &to)))
        fail_msg("%s a conversion of %d dims", found ? "found" : "did not find", plain.dims);
    if (found)
        assert_leads(mesh, sizes, &from, &to, limits.kinds, &c);
    if (leads)
        compare_in_order(mesh, sizes, &plain, op, &from, &to, limits);
    if (!leads || is_same(mesh, &plain, op, &c))
        return;
    if (c.elements >= plain_elements(mesh, sizes, &plain, op, &from)) {
        Arena *arena = arena_new();
        printf("%s -> %s:\n", placement_print(arena, mesh, &from, NULL), placement_print(arena, mesh, &to, NULL));
        for (int i = 0; i < c.count; i++)
            printf("    %s\n", convert_step_print(arena, mesh, &c.step[i], NULL));
        fail_msg("%d elements, not %d", (int)c.elements, (int)plain_elements(mesh, sizes, &plain, op, &from));
    }
}

static void compare_all(const int64_t *axes, int dims, const int64_t *sizes, bool scatters, int every)
{
    Mesh mesh = {.axis_count = 3, .axis = {{"a", axes[0]}, {"b", axes[1]}, {"c", axes[2]}}};
    Plain plain = {.axes = 3, .dims = dims, .scatters = scatters};
    PlainOn from = first_on();
    do {
        PlainOn to = first_on();
        do {
            plain.at = from, plain.to = to;
            compare(&mesh, sizes, &plain, scatters ? PARTIAL_SUM : PARTIAL_MAX);
        } while (next_on(&to, 3, dims));
    } while (next_from(&from, 3, dims, every));
}

enum { MOST_MESHES = SANITIZED ? 1 : INT_MAX, MOST_PAIRS = SANITIZED ? 200 : INT_MAX };

static void takes_the_plain_route_or_a_cheaper_one(void **state)
{
    (void)state;
    static const int64_t meshes[][3] = {{2, 3, 4}, {4, 2, 3}, {8, 2, 2}};
    static const int64_t sizes[][3] = {{48, 96, 48}, {5, 7, 3}};
    for (size_t m = 0; m < sizeof meshes / sizeof *meshes && m < MOST_MESHES; m++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int dims = 0; dims <= 3; dims++)
                for (int scatters = 0; scatters < 2; scatters++)
                    compare_all(meshes[m], dims, sizes[s], scatters, m > 0 || SANITIZED ? 7 : 1);
}

/* ---- The search --------------------------------------------------------------------------------------------- */

/* Of every Nth pair: how many there are, how many of them send more than the cheapest route, the most that one sends in
 * percent of that, and what all send together in percent of what their cheapest routes do. */
typedef struct Gap {
    int axes, dims;
    const char *letters;
    unsigned kinds;
    bool uneven, flat, in_order; /* in_order: cuts nest in the order of the mesh */
    int every, pairs, dearer, worst, mean;
} Gap;

static const Gap gaps[] = {
    /* axes, dims, placements, steps, uneven, flat, in_order, every; pairs, dearer, worst, mean */
    {1, 1, "RSPVXA", CONVERT_ALL, false, false, false, 1, 36, 0, 100, 100},
    {1, 2, "RSPVXA", CONVERT_ALL, false, false, false, 1, 49, 0, 100, 100},
    {1, 2, "RSPVXA", CONVERT_ALL, true, false, false, 1, 49, 0, 100, 100},
    {1, 2, "RSPVXA", CONVERT_EMITTED, false, false, false, 1, 34, 0, 100, 100},
    {2, 1, "RSP", CONVERT_EMITTED, false, false, false, 1, 100, 0, 100, 100},
    {2, 2, "RSP", CONVERT_EMITTED, false, false, false, 1, 324, 0, 100, 100},
    {2, 2, "RSP", CONVERT_EMITTED, true, false, false, 1, 324, 9, 125, 102},
    {2, 3, "RSP", CONVERT_EMITTED, false, false, false, 1, 784, 27, 115, 101},
    {2, 2, "RSX", CONVERT_EMITTED, false, false, false, 1, 324, 0, 100, 100},
    {2, 2, "RSPVX", CONVERT_EMITTED, false, false, false, 1, 891, 8, 134, 101},
    {2, 2, "RSPVXA", CONVERT_ALL, false, false, false, 1, 2209, 75, 134, 102},
    {2, 2, "RSPVXA", CONVERT_ALL, true, false, false, 1, 2209, 146, 164, 102},
    {2, 1, "RSPVXA", CONVERT_ALL, false, true, false, 1, 1089, 91, 150, 104},
    {2, 1, "RSPVXA", CONVERT_ALL, true, true, false, 1, 1089, 103, 212, 106},
    {3, 1, "RSP", CONVERT_ALL, true, true, false, 1, 1444, 43, 200, 98},
    {2, 2, "RSP", CONVERT_EMITTED, false, false, true, 1, 225, 0, 100, 100},
    {2, 3, "RSP", CONVERT_EMITTED, false, false, true, 1, 576, 27, 115, 101},
    {3, 1, "RSP", CONVERT_EMITTED, false, false, true, 1, 512, 15, 158, 102},
    {3, 2, "RSP", CONVERT_EMITTED, false, false, true, 5, 678, 84, 287, 106},
    {3, 3, "RSP", CONVERT_EMITTED, false, false, true, 61, 225, 27, 164, 103},
    {3, 1, "RSP", CONVERT_EMITTED, false, false, false, 7, 207, 4, 158, 101},
    {3, 2, "RSP", CONVERT_EMITTED, false, false, false, 19, 446, 70, 424, 107},
    {3, 2, "RSP", CONVERT_ALL, false, false, false, 19, 446, 31, 287, 102},
    {3, 2, "RSPVXA", CONVERT_ALL, false, false, false, 211, 495, 60, 167, 104},
    {3, 3, "RSP", CONVERT_EMITTED, false, false, false, 211, 147, 23, 189, 104},
};

static int percent(int64_t of, int64_t whole)
{
    return (int)((100 * of + whole - 1) / whole);
}

static void measure(const Gap *asked, Gap *gap)
{
    static PlacementList list;
    const int64_t even[3] = {48, 48, 48}, odd[3] = {7, 5, 3}, *sizes = asked->uneven ? odd : even;
    Mesh mesh = {.axis_count = asked->axes, .axis = {{"a", 2}, {"b", 3}, {"c", 2}}};
    Placement none = placement_replicated(&mesh, asked->dims);
    none.flat = asked->flat;
    ConvertLimits limits = {.kinds = asked->kinds, .in_order = asked->in_order};
    int64_t sent = 0, least = 0;
    Arena *arena = arena_new();
    *gap = (Gap){.worst = 100};
    placement_list(&mesh, asked->letters, asked->in_order, &none, &list);
    for (int i = 0; i < list.count * list.count; i += asked->every) {
        const Placement *from = &list.data[i / list.count], *to = &list.data[i % list.count];
        Conversion c;
        Searched path;
        if (asked->in_order && makes_parts_of_copies(from, to))
            continue; /* the deriver never asks for these */
        bool found = convert(&mesh, sizes, from, to, &limits, &c);
        assert_int_equal(found, search(arena, &mesh, sizes, from, to, &limits, &path));
        if (!found)
            continue;
        assert_leads(&mesh, sizes, from, to, asked->kinds, &c);
        gap->pairs++;
        gap->dearer += c.elements > path.elements;
        sent += c.elements, least += path.elements;
        if (path.elements == 0)
            assert_int_equal(c.elements, 0);
        else if (percent(c.elements, path.elements) > gap->worst)
            gap->worst = percent(c.elements, path.elements);
    }
    gap->mean = percent(sent, least);
    arena_free(arena);
}

/* docs/algebra.md says where the gaps come from. */
static void sends_little_more_than_the_cheapest_route(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        if (gaps[i].pairs > MOST_PAIRS)
            continue;
        Gap gap;
        measure(&gaps[i], &gap);
        if (gap.pairs != gaps[i].pairs || gap.dearer != gaps[i].dearer || gap.worst != gaps[i].worst ||
            gap.mean != gaps[i].mean)
            fail_msg("row %zu: %d pairs, %d dearer, the worst %d%%, together %d%%", i, gap.pairs, gap.dearer, gap.worst,
                     gap.mean);
    }
}

/* ---- Limits ------------------------------------------------------------------------------------------------- */

static void keeps_to_its_limits(void **state)
{
    (void)state;
    const int64_t sizes[2] = {48, 48};
    Mesh mesh = {.axis_count = 2, .axis = {{"a", 2}, {"b", 4}}};
    Placement sum = placement_replicated(&mesh, 2), shards = sum, both = sum, whole = sum;
    placement_set(&sum, 0, on_partial(PARTIAL_SUM));
    placement_set(&shards, 0, on_sharded(1));
    both = shards;
    placement_set(&both, 1, on_sharded(0));
    ConvertLimits limits = {.kinds = CONVERT_EMITTED};
    Conversion c;
    assert_true(convert(&mesh, sizes, &sum, &shards, &limits, &c));
    assert_true(c.count == 1 && c.step[0].kind == CONVERT_REDUCE_SCATTER);
    limits.kinds &= ~(1U << CONVERT_REDUCE_SCATTER); /* a maximum of parts */
    assert_true(convert(&mesh, sizes, &sum, &shards, &limits, &c));
    assert_true(c.count == 2 && c.step[0].kind == CONVERT_ALL_REDUCE && c.step[1].kind == CONVERT_SLICE);
    limits.slices_only = 1; /* axis a: its syncs replace all conversions */
    assert_false(convert(&mesh, sizes, &sum, &shards, &limits, &c));
    assert_false(convert(&mesh, sizes, &shards, &whole, &limits, &c));
    assert_true(convert(&mesh, sizes, &whole, &shards, &limits, &c));
    assert_true(convert(&mesh, sizes, &both, &shards, &limits, &c));
    assert_int_equal(c.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_plain_route_or_a_cheaper_one),
        cmocka_unit_test(sends_little_more_than_the_cheapest_route),
        cmocka_unit_test(keeps_to_its_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
