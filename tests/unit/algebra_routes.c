/* The routes of the planner of conversions: the plain one, in which the phases follow each other, or one that sends
 * less; for every pair of placements of a value of up to three dims over three axes.
 */
#include "tests/unit/convert_plain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static bool next_on(PlainOn *on, int axes, int dims)
{
    for (int a = 0; a < axes; a++) {
        if (++on->on[a] < dims)
            return true;
        on->on[a] = PLAIN_PARTIAL;
    }
    return false;
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

/* Only by way of shards, which a scalar has not. */
static bool makes_parts_of_copies(const Plain *plain)
{
    for (int a = 0; a < plain->axes; a++)
        if (plain->at.on[a] == PLAIN_REPLICATED && plain->to.on[a] == PLAIN_PARTIAL)
            return true;
    return false;
}

static void compare(const Mesh *mesh, const int64_t *sizes, const Plain *asked, PartialOp op)
{
    Plain plain = *asked;
    Placement from = plain_placement(mesh, plain.dims, &plain.at, op);
    Placement to = plain_placement(mesh, plain.dims, &plain.to, op);
    ConvertLimits limits = {.kinds = CONVERT_EMITTED & ~(plain.scatters ? 0U : 1U << CONVERT_REDUCE_SCATTER)};
    Conversion c;
    bool leads = plain_route(&plain), found = convert(mesh, sizes, &from, &to, &limits, &c);
    if (found == (plain.dims == 0 && makes_parts_of_copies(asked)))
        fail_msg("%s a conversion of %d dims", found ? "found" : "did not find", plain.dims);
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

static void compare_all(const int64_t *axes, int dims, const int64_t *sizes, bool scatters)
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
    } while (next_on(&from, 3, dims));
}

static void takes_the_plain_route_or_a_cheaper_one(void **state)
{
    (void)state;
    static const int64_t meshes[][3] = {{2, 2, 2}, {2, 3, 4}, {4, 2, 3}, {8, 2, 2}};
    static const int64_t sizes[][3] = {{48, 96, 48}, {5, 7, 3}};
    for (size_t m = 0; m < sizeof meshes / sizeof *meshes; m++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int dims = 0; dims <= 3; dims++)
                for (int scatters = 0; scatters < 2; scatters++)
                    compare_all(meshes[m], dims, sizes[s], scatters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_plain_route_or_a_cheaper_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
