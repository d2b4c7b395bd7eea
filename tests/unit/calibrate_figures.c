/* Figures from calls that take exactly as long as known figures say: these must be found again. */
#include "calibrate/figures.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Profile profiles[PROBE_COUNT];
static double arena_bytes[MEMORY_SIZES];

static ProfileRow *add(Probe probe, const char *call, const char *name, double bytes, double seconds)
{
    ProfileRow *row = &profiles[probe].rows[profiles[probe].count++];
    *row = (ProfileRow){.bytes = bytes, .seconds = seconds, .shape = {bytes}};
    snprintf(row->call, sizeof row->call, "%s", call);
    snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}

/* 100 GFLOP/s; half of it at a depth of 8 and at an edge of 5; 200 ns per product. */
static void add_products(void)
{
    static const double sizes[] = {8, 20, 64, 300};
    for (int at = 0; at < 4 * 4 * 4; at++) {
        double m = sizes[at % 4], n = sizes[at / 4 % 4], k = sizes[at / 16], batch = at % 3 == 0 ? 6 : 1;
        double operations = 2 * batch * m * n * k;
        ProfileRow *row = add(at % 2 ? PROBE_PRODUCTS : PROBE_ROWS, "product", "f32", 0,
                              operations * (1 + 8 / k) * (1 + 5 / m) * (1 + 5 / n) / 100e9 + batch * 200e-9);
        row->operations = operations;
        memcpy(row->shape, (double[]){batch, m, n, k}, 4 * sizeof *row->shape);
    }
}

/* 50 G operations, 2 G functions a second; 100 ns to start. */
static void add_kernels(void)
{
    const double elements = 1e5;
    add(PROBE_PRODUCTS, "kernel", "kernel_tanh_f32", 8 * elements, elements * (0 / 50e9 + 1 / 2e9));
    add(PROBE_PRODUCTS, "kernel", "kernel_gelu_f32", 8 * elements, elements * (8 / 50e9 + 1 / 2e9));
    add(PROBE_PRODUCTS, "kernel", "kernel_silu_f32", 8 * elements, elements * (3 / 50e9 + 1 / 2e9));
    add(PROBE_PRODUCTS, "kernel", "kernel_scale_f32_s_in_place_a", 8, 100e-9);
}

/* 90, 40, 20 and 5 GB/s, up to arenas of 1, 4 and 32 MiB. */
static void add_memory(void)
{
    for (int i = 0; i < MEMORY_SIZES; i++) {
        double speed = i <= 1 ? 90e9 : i <= 3 ? 40e9 : i <= 6 ? 20e9 : 5e9;
        arena_bytes[i] = (double)(1 << 19) * pow(2, i);
        add(PROBE_MEMORY + i, "kernel", "kernel_relu_f32", 1e5, 1e5 / speed);
        add(PROBE_MEMORY + i, "kernel", "kernel_add_f32_overlap", 3e5, 3e5 / speed);
        add(PROBE_MEMORY + i, "kernel", "kernel_norm_f32", 1e5, 1); /* counts for nothing */
    }
}

/* Copies at 10 GB/s, reductions of a number in 3 us, fills at 4 GB/s, the host at 7 GB/s. */
static void add_ranks(void)
{
    add(PROBE_LINKS, "communication", "all_reduce", 4, 3e-6);
    add(PROBE_LINKS, "communication", "all_gather", 2e6, 2e6 / 10e9);
    add(PROBE_LINKS, "communication", "reduce_scatter", 2e6, 1.5e6 / 10e9);
    add(PROBE_LINKS, "communication", "wait", 0, 1);
    add(PROBE_LINKS, "kernel", "kernel_fill_f32", 2e6, 2e6 / 4e9);
    add(PROBE_TIERS, "other", "host copy", 1e6, 1e6 / 7e9);
}

static void assert_near(const char *what, double actual, double expected)
{
    if (!(fabs(actual / expected - 1) < 1e-6))
        fail_msg("%s: %g, not %g", what, actual, expected);
}

static void finds_them_again(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        Figure figure;
        double value;
    } known[] = {
        {"products", FIGURE_PRODUCTS, 100e9},
        {"depth", FIGURE_DEPTH, 8},
        {"edge", FIGURE_EDGE, 5},
        {"product launch", FIGURE_PRODUCT_LAUNCH, 200e-9},
        {"arithmetic", FIGURE_ARITHMETIC, 50e9},
        {"functions", FIGURE_FUNCTIONS, 2e9},
        {"launch", FIGURE_LAUNCH, 100e-9},
        {"memory", FIGURE_MEMORY, 5e9},
        {"shared", FIGURE_SHARED, 4e9},
        {"host", FIGURE_HOST, 7e9},
        {"link", FIGURE_LINK, 10e9},
        {"latency", FIGURE_LATENCY, 3e-6},
    };
    Figures found, again;
    add_products();
    add_kernels();
    add_memory();
    add_ranks();
    figures_find(profiles, arena_bytes, 2, NULL, &found);
    figures_find(profiles, arena_bytes, 2, &found, &again);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_near(known[i].name, found.of[known[i].figure], known[i].value);
        assert_near(known[i].name, again.of[known[i].figure], known[i].value);
    }
    const double ends[] = {1 << 20, 4 << 20, 32 << 20}, speeds[] = {90e9, 40e9, 20e9};
    for (int c = 0; c < FIGURE_CACHES; c++) {
        assert_near("the size of a cache", found.of[FIGURE_CACHE_BYTES + c], ends[c]);
        assert_near("the speed of a cache", again.of[FIGURE_CACHE_SPEED + c], speeds[c]);
    }
}

/* What was not measured is 0, which the file then lacks. */
static void says_nothing_of_nothing(void **state)
{
    (void)state;
    static const Profile none[PROBE_COUNT];
    Figures found;
    figures_find(none, (double[MEMORY_SIZES]){0}, 1, NULL, &found);
    for (int figure = 0; figure < FIGURE_COUNT; figure++)
        assert_true(found.of[figure] == 0);
}

/* Of the same call the faster one is kept. */
static void merges(void **state)
{
    (void)state;
    static Profile into, other;
    into.count = other.count = 2;
    into.rows[0] = (ProfileRow){.call = "kernel", .name = "a", .seconds = 3};
    into.rows[1] = (ProfileRow){.call = "kernel", .name = "b", .seconds = 1};
    other.rows[0] = (ProfileRow){.call = "kernel", .name = "b", .seconds = 2};
    other.rows[1] = (ProfileRow){.call = "kernel", .name = "b", .shape = {1}, .seconds = 5};
    profile_merge(&into, &other);
    assert_int_equal(into.count, 3);
    assert_true(into.rows[0].seconds == 3 && into.rows[1].seconds == 1 && into.rows[2].seconds == 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_them_again),
        cmocka_unit_test(says_nothing_of_nothing),
        cmocka_unit_test(merges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
