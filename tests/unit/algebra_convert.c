/* Conversions: the bounds of one axis and its prices, the table of forward and backward costs, lower bounds and
 * feasibility by counting elements on every rank, the planner against the search and the search against all paths, and
 * what operands need for a matmul.
 */
#include "algebra/signature.h"
#include "tests/unit/convert_search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_RANKS = 64, MAX_ELEMENTS = 512 };

static Arena *arena;

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

static Mesh mesh_with(int count, const int64_t *sizes)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    Mesh mesh = {.axis_count = count};
    for (int i = 0; i < count; i++)
        mesh.axis[i] = (MeshAxis){names[i], sizes[i]};
    return mesh;
}

/* The planner, with all kinds of steps. */
static bool planned(const Mesh *mesh, const int64_t *sizes, const Placement *from, const Placement *to, Conversion *c)
{
    return convert(mesh, sizes, from, to, &convert_unlimited, c);
}

static Placement placed(const Mesh *mesh, const char *text, int dim_count)
{
    Placement p;
    const char *fault = placement_read(arena, mesh, text, NULL, dim_count, &p);
    if (fault != NULL)
        fail_msg("%s: %s", text, fault);
    return p;
}

/* ---- One axis ----------------------------------------------------------------------------------------------- */

/* Elements of the busiest rank, of T = n * n * 12 elements: coefficients of T (n-1)/n, T (n-1)/n^2 and T. */
typedef struct Bound {
    const char *from, *to, *step;
    int per_n, per_n2, whole;
} Bound;

static const Bound bounds[] = {
    {"a: sharded(0)", "a: sharded(1)", "all_to_all", 0, 1, 0},
    {"a: sharded(0)", "replicated", "all_gather", 1, 0, 0},
    {"a: sharded(0)", "a: partial(sum)", "pad", 0, 0, 0},
    {"a: sharded(1)", "a: partial(max)", "pad", 0, 0, 0},
    {"replicated", "a: sharded(1)", "slice", 0, 0, 0},
    {"replicated", "a: partial(sum)", "mask", 0, 0, 0},
    {"replicated", "a: partial(avg)", "retag", 0, 0, 0},
    {"replicated", "a: partial(max)", "retag", 0, 0, 0},
    {"a: partial(sum)", "a: sharded(0)", "reduce_scatter", 1, 0, 0},
    {"a: partial(max)", "a: sharded(1)", "reduce_scatter", 1, 0, 0},
    {"a: partial(sum)", "replicated", "all_reduce", 2, 0, 0},
    {"a: partial(avg)", "replicated", "all_reduce", 2, 0, 0},
    {"a: partial(min)", "replicated", "all_reduce", 2, 0, 0},
    {"a: partial(sum)", "a: partial(avg)", "scale", 0, 0, 0},
    {"a: partial(sum)", "a: partial(max)", "reduce_scatter pad", 1, 0, 0},
    {"a: sharded(0)", "a: partial(avg)", "pad scale", 0, 0, 0},
    {"a: at(1)", "a: sharded(0)", "scatter", 1, 0, 0},
    {"a: at(1)", "replicated", "broadcast", 0, 0, 1},
    {"a: at(1)", "a: partial(sum)", "pad", 0, 0, 0},
    {"a: sharded(0)", "a: at(0)", "gather", 1, 0, 0},
    {"replicated", "a: at(1)", "drop", 0, 0, 0},
    {"a: partial(sum)", "a: at(1)", "reduce", 0, 0, 1},
    {"a: at(0)", "a: at(1)", "send", 0, 0, 1},
};

static void meets_the_bounds_of_one_axis(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 8; n++) {
        Mesh mesh = mesh_with(1, &n);
        int64_t sizes[2] = {3 * n, 4 * n}, whole = sizes[0] * sizes[1];
        for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
            const Bound *bound = &bounds[i];
            Placement from = placed(&mesh, bound->from, 2), to = placed(&mesh, bound->to, 2);
            Conversion c;
            assert_true(planned(&mesh, sizes, &from, &to, &c));
            const char *steps = "";
            for (int k = 0; k < c.count; k++)
                steps = arena_printf(arena, "%s%s%s", steps, k > 0 ? " " : "", convert_kind_name(c.step[k].kind));
            assert_string_equal(steps, bound->step);
            int64_t expected =
                bound->per_n * (n - 1) * whole / n + bound->per_n2 * (n - 1) * whole / (n * n) + bound->whole * whole;
            if (c.elements != expected)
                fail_msg("%s -> %s on %d: %d elements, not %d", bound->from, bound->to, (int)n, (int)c.elements,
                         (int)expected);
        }
    }
}

/* The price of one axis by itself is that of the step. */
static void prices_an_axis_like_its_step(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 8; n++) {
        Mesh mesh = mesh_with(1, &n);
        int64_t sizes[2] = {3 * n, 4 * n}, whole = sizes[0] * sizes[1];
        for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
            Placement from = placed(&mesh, bounds[i].from, 2), to = placed(&mesh, bounds[i].to, 2);
            Conversion c;
            assert_true(planned(&mesh, sizes, &from, &to, &c));
            double price = convert_price_on(n, from.axis[0], to.axis[0], CONVERT_ALL, (double)whole);
            assert_true(c.count == 1 ? price == (double)c.elements : isinf(price));
            assert_true(isinf(convert_price_on(n, from.axis[0], to.axis[0], 0, (double)whole)));
            assert_true(convert_price_on(n, to.axis[0], to.axis[0], 0, (double)whole) == 0);
        }
    }
}

static void does_not_convert_what_varies(void **state)
{
    (void)state;
    int64_t n = 2, size = 8;
    Mesh mesh = mesh_with(1, &n);
    Placement varying = placed(&mesh, "a: varying", 1), replicated = placed(&mesh, "replicated", 1);
    Conversion c;
    assert_false(planned(&mesh, &size, &varying, &replicated, &c));
    assert_false(planned(&mesh, &size, &replicated, &varying, &c));
    assert_true(planned(&mesh, &size, &varying, &varying, &c));
}

/* ---- Forward and backward ----------------------------------------------------------------------------------- */

/* R: copies that are used differently, I: copies that are used alike; both are replicated. The dual of R is P, that of
 * I is I. Costs in units of T (n-1)/n; "t" marks all_to_all: T (n-1)/n^2. */
typedef struct Edge {
    const char *from, *to;
    int forward, backward, exchanges;
} Edge;

static const Edge edges[] = {
    {"R", "S", 0, 0, 0}, {"I", "S", 0, 1, 0}, {"I", "R", 0, 2, 0}, {"R", "I", 0, 0, 0}, {"S", "R", 1, 1, 0},
    {"S", "I", 1, 0, 0}, {"S", "T", 0, 0, 1}, {"S", "P", 0, 0, 0}, {"P", "S", 1, 1, 0}, {"P", "R", 2, 2, 0},
    {"P", "I", 2, 0, 0}, {"R", "P", 0, 0, 0}, {"I", "P", 0, 0, 0},
};

static char dual_letter(char letter)
{
    return letter == 'R' ? 'P' : letter == 'P' ? 'R' : letter;
}

static int64_t letter_cost(char from, char to)
{
    const int64_t n = 4, sizes[2] = {8, 8};
    Mesh mesh = mesh_with(1, &n);
    OnAxis on[128] = {['R'] = on_replicated(),
                      ['I'] = on_replicated(),
                      ['S'] = on_sharded(0),
                      ['T'] = on_sharded(1),
                      ['P'] = on_partial(PARTIAL_SUM)};
    Placement x = placement_replicated(&mesh, 2), y = x;
    placement_set(&x, 0, on[(int)from]);
    placement_set(&y, 0, on[(int)to]);
    Conversion c;
    assert_true(planned(&mesh, sizes, &x, &y, &c));
    return c.elements;
}

/* The dual of P is what the next operator makes of the value: R where it was to be used differently, else I. */
static void induces_the_backward_conversion(void **state)
{
    (void)state;
    const int64_t unit = 48, exchange = 12; /* of 64 elements on 4 */
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        const Edge *e = &edges[i];
        char from = e->from[0], to = e->to[0];
        assert_int_equal(letter_cost(from, to), e->forward * unit + e->exchanges * exchange);
        assert_int_equal(letter_cost(dual_letter(to), dual_letter(from)), e->backward * unit + e->exchanges * exchange);
        /* What is induced by the induced one is the one we started with. */
        assert_int_equal(letter_cost(dual_letter(dual_letter(from)), dual_letter(dual_letter(to))),
                         letter_cost(from, to));
    }
}

/* ---- Ranks, element by element ------------------------------------------------------------------------------ */

typedef struct Ranks {
    int count;
    int64_t coordinates[MAX_RANKS][STEP_MAX_AXES];
} Ranks;

static Ranks ranks_of(const Mesh *mesh)
{
    Ranks ranks = {.count = (int)mesh_ranks(mesh)};
    assert_true(ranks.count <= MAX_RANKS);
    for (int r = 0; r < ranks.count; r++) {
        int64_t rest = r;
        for (int i = mesh->axis_count - 1; i >= 0; i--) {
            ranks.coordinates[r][i] = rest % mesh->axis[i].size;
            rest /= mesh->axis[i].size;
        }
    }
    return ranks;
}

/* Which elements a rank holds. */
static void held_by(const Mesh *mesh, const Placement *p, const int64_t *sizes, const int64_t *coordinates, bool *held)
{
    int64_t start[2], extent[2];
    for (int dim = 0; dim < 2; dim++)
        extent[dim] = placement_extent(mesh, p, dim, sizes[dim], coordinates, &start[dim]);
    memset(held, 0, MAX_ELEMENTS);
    for (int64_t i = start[0]; i < start[0] + extent[0]; i++)
        for (int64_t j = start[1]; j < start[1] + extent[1]; j++)
            held[i * sizes[1] + j] = true;
}

static bool is_partial(const Placement *p)
{
    for (int i = 0; i < p->axis_count; i++)
        if (p->axis[i].kind == PLACED_PARTIAL)
            return true;
    return false;
}

/* The most elements that a rank must receive: those it has in the end but not at first. */
static int64_t must_receive(const Mesh *mesh, const Placement *from, const Placement *to, const int64_t *sizes)
{
    Ranks ranks = ranks_of(mesh);
    int64_t most = 0;
    for (int r = 0; r < ranks.count; r++) {
        bool before[MAX_ELEMENTS], after[MAX_ELEMENTS];
        int64_t missing = 0;
        held_by(mesh, from, sizes, ranks.coordinates[r], before);
        held_by(mesh, to, sizes, ranks.coordinates[r], after);
        for (int64_t i = 0; i < sizes[0] * sizes[1]; i++)
            missing += after[i] && !before[i];
        most = missing > most ? missing : most;
    }
    return most;
}

static bool in_group(const ConvertStep *step, const int64_t *x, const int64_t *y)
{
    for (int i = 0; i < step->after.axis_count; i++)
        if (x[i] != y[i] && !axes_contain(step->axes, i))
            return false;
    return true;
}

/* Everything that a rank holds after a step was held within its group before it; what it did not hold itself it
 * receives, at most as many elements as the step says. */
static void check_step(const Mesh *mesh, const Placement *before, const ConvertStep *step, const int64_t *sizes)
{
    Ranks ranks = ranks_of(mesh);
    for (int r = 0; r < ranks.count; r++) {
        bool available[MAX_ELEMENTS] = {false}, own[MAX_ELEMENTS], after[MAX_ELEMENTS];
        for (int other = 0; other < ranks.count; other++) {
            bool theirs[MAX_ELEMENTS];
            if (!in_group(step, ranks.coordinates[r], ranks.coordinates[other]))
                continue;
            held_by(mesh, before, sizes, ranks.coordinates[other], theirs);
            for (int i = 0; i < MAX_ELEMENTS; i++)
                available[i] = available[i] || theirs[i];
        }
        held_by(mesh, before, sizes, ranks.coordinates[r], own);
        held_by(mesh, &step->after, sizes, ranks.coordinates[r], after);
        int64_t received = 0;
        bool pads = step->kind == CONVERT_PAD;
        for (int64_t i = 0; i < sizes[0] * sizes[1] && !pads; i++) {
            assert_true(!after[i] || available[i]);
            received += after[i] && !own[i];
        }
        if (received > step->elements)
            fail_msg("%s: a rank receives %d elements, not %d", convert_step_print(arena, mesh, step, NULL),
                     (int)received, (int)step->elements);
    }
}

/* ---- Random instances --------------------------------------------------------------------------------------- */

static uint64_t draw_state;

static int draw(int count)
{
    draw_state = draw_state * 6364136223846793005U + 1442695040888963407U;
    return (int)((draw_state >> 33) % (uint64_t)count);
}

static Mesh draw_mesh(int most_axes)
{
    int64_t sizes[4];
    int count = 1 + draw(most_axes);
    for (int i = 0; i < count; i++)
        sizes[i] = 2 + draw(3);
    return mesh_with(count, sizes);
}

static Placement draw_placement(const Mesh *mesh, bool complete)
{
    Placement p = placement_replicated(mesh, 2);
    int first = draw(mesh->axis_count);
    for (int i = 0; i < mesh->axis_count; i++) {
        int axis = (i + first) % mesh->axis_count;
        int kind = draw(complete ? 5 : 7);
        if (kind >= 1 && kind <= 3)
            placement_set(&p, axis, on_sharded(draw(2)));
        if (kind == 4)
            placement_set(&p, axis, on_coordinate(draw((int)mesh->axis[axis].size)));
        if (kind > 4)
            placement_set(&p, axis, on_partial(PARTIAL_SUM));
    }
    return p;
}

static void moves_no_less_than_what_is_missing(void **state)
{
    (void)state;
    draw_state = 1;
    for (int i = 0; i < 3000; i++) {
        Arena *outer = arena;
        arena = arena_new();
        Mesh mesh = draw_mesh(3);
        int64_t sizes[2] = {1 + draw(20), 1 + draw(20)};
        Placement from = draw_placement(&mesh, true), to = draw_placement(&mesh, true);
        Conversion c;
        assert_true(planned(&mesh, sizes, &from, &to, &c));
        assert_true(c.elements >= must_receive(&mesh, &from, &to, sizes));
        for (int k = 0; k < c.count; k++)
            check_step(&mesh, k > 0 ? &c.step[k - 1].after : &from, &c.step[k], sizes);
        arena_free(arena);
        arena = outer;
    }
}

static void chains_its_steps(void **state)
{
    (void)state;
    draw_state = 2;
    for (int i = 0; i < 2000; i++) {
        Mesh mesh = draw_mesh(3);
        int64_t sizes[2] = {1 + draw(20), 1 + draw(20)}, elements = 0;
        Placement from = draw_placement(&mesh, false), to = draw_placement(&mesh, false), at = from;
        Conversion c;
        assert_true(planned(&mesh, sizes, &from, &to, &c));
        for (int k = 0; k < c.count; k++) {
            const ConvertStep *step = &c.step[k];
            for (int a = 0; a < mesh.axis_count; a++)
                assert_true(axes_contain(step->axes, a) || on_axis_equal(at.axis[a], step->after.axis[a]));
            elements += step->elements;
            if (!is_partial(&at) && !is_partial(&step->after))
                check_step(&mesh, &at, step, sizes);
            at = step->after;
        }
        assert_true(placement_equal(&at, &to));
        assert_int_equal(elements, c.elements);
    }
}

/* ---- All paths ---------------------------------------------------------------------------------------------- */

enum { MAX_PLACES = 4096 };

typedef struct AllPaths {
    Placement place[MAX_PLACES];
    int64_t elements[MAX_PLACES];
    int count;
} AllPaths;

static int place_index(AllPaths *all, const Placement *p)
{
    for (int i = 0; i < all->count; i++)
        if (placement_equal(&all->place[i], p))
            return i;
    assert_true(all->count < MAX_PLACES);
    all->place[all->count] = *p;
    all->elements[all->count] = INT64_MAX;
    return all->count++;
}

/* The fewest elements over all paths, by relaxing every edge until nothing changes. */
static int64_t fewest_elements(const Mesh *mesh, const int64_t *sizes, const Placement *from, const Placement *to,
                               unsigned axes)
{
    static AllPaths all;
    Arena *scratch = arena_new();
    all.count = 0;
    all.elements[place_index(&all, from)] = 0;
    bool changed = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < all.count; i++) {
            SearchSteps steps = search_steps(scratch, mesh, sizes, &all.place[i], to, axes, &convert_unlimited);
            for (int k = 0; k < steps.count; k++) {
                int next = place_index(&all, &steps.data[k].step.after);
                int64_t elements = all.elements[i] + steps.data[k].step.elements;
                if (elements >= all.elements[next])
                    continue;
                all.elements[next] = elements;
                changed = true;
            }
        }
    }
    int64_t elements = all.elements[place_index(&all, to)];
    arena_free(scratch);
    return elements;
}

static void finds_the_cheapest_path(void **state)
{
    (void)state;
    draw_state = 3;
    for (int i = 0; i < 400; i++) {
        Mesh mesh = draw_mesh(3);
        int64_t sizes[2] = {24 * (1 + draw(2)), 24 * (1 + draw(2))};
        Placement from = draw_placement(&mesh, false), to = draw_placement(&mesh, false);
        Searched path;
        assert_true(search(arena, &mesh, sizes, &from, &to, &convert_unlimited, &path));
        assert_int_equal(path.elements, fewest_elements(&mesh, sizes, &from, &to, search_axes(&from, &to)));
    }
}

/* ---- Several axes ------------------------------------------------------------------------------------------- */

typedef struct Plan {
    const char *from, *to;
    const char *steps; /* kind and axes */
    int64_t elements;
} Plan;

/* 48 x 48 elements on a: 2, b: 3. */
static const Plan plans[] = {
    {"a: partial(sum), b: partial(sum)", "replicated", "all_reduce ab", 3840},
    {"a: partial(sum), b: sharded(0)", "a: sharded(0)", "reduce_scatter a, reorder ab, all_gather b", 1536},
    {"a: partial(sum), b: sharded(1)", "a: sharded(0)", "reduce_scatter a, all_gather b", 1152},
    {"b: partial(sum)", "a: sharded(0)", "slice a, all_reduce b", 1536},
    {"a: sharded(0), b: sharded(0)", "b: sharded(0), a: sharded(0)", "reorder ba", 384},
    {"a: sharded(0), b: sharded(0)", "b: sharded(0)", "reorder ba, all_gather a", 768},
    {"a: sharded(0), b: sharded(0)", "a: sharded(0), b: sharded(1)", "all_to_all b", 256},
    {"a: sharded(0), b: sharded(0)", "a: sharded(1), b: sharded(1)", "all_to_all ab", 320},
    {"a: sharded(0), b: sharded(0)", "replicated", "all_gather ab", 1920},
};

static void plans_over_several_axes(void **state)
{
    (void)state;
    const int64_t axes[2] = {2, 3}, sizes[2] = {48, 48};
    Mesh mesh = mesh_with(2, axes);
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        Placement from = placed(&mesh, plans[i].from, 2), to = placed(&mesh, plans[i].to, 2);
        Conversion c;
        assert_true(planned(&mesh, sizes, &from, &to, &c));
        const char *steps = "";
        for (int k = 0; k < c.count; k++) {
            steps = arena_printf(arena, "%s%s%s ", steps, k > 0 ? ", " : "", convert_kind_name(c.step[k].kind));
            for (int axis = 0; axis < c.step[k].axes.count; axis++)
                steps = arena_printf(arena, "%s%s", steps, mesh.axis[c.step[k].axes.axis[axis]].name);
        }
        assert_string_equal(steps, plans[i].steps);
        assert_int_equal(c.elements, plans[i].elements);
    }
}

/* A unit of 100 elements on 2 x 3: the ranges of 17 are in no range of 50, so that both axes move at once. */
static void keeps_flat_ranges_whole(void **state)
{
    (void)state;
    static const char *const flat[] = {"flat"};
    const int64_t axes[2] = {2, 3}, uneven = 100, even = 120;
    Mesh mesh = mesh_with(2, axes);
    Placement both, one, none;
    assert_null(placement_read(arena, &mesh, "a: sharded(flat), b: sharded(flat)", flat, 1, &both));
    assert_null(placement_read(arena, &mesh, "a: sharded(flat)", flat, 1, &one));
    assert_null(placement_read(arena, &mesh, "a: partial(sum), b: partial(sum)", flat, 1, &none));
    Conversion c;
    assert_true(planned(&mesh, &uneven, &both, &one, &c));
    assert_int_equal(c.count, 2); /* all_gather over both, slice */
    assert_int_equal(c.elements, 5 * 17);
    assert_true(planned(&mesh, &even, &both, &one, &c));
    assert_int_equal(c.count, 1);
    assert_int_equal(c.elements, 2 * 20);
    assert_true(planned(&mesh, &uneven, &none, &both, &c));
    assert_int_equal(c.count, 1);
    assert_int_equal(c.elements, 5 * 17);
}

static void plans_over_five_axes(void **state)
{
    (void)state;
    const int64_t axes[5] = {2, 3, 2, 2, 3}, sizes[3] = {720, 720, 720};
    Mesh mesh = mesh_with(5, axes);
    Placement from = placed(&mesh, "a: sharded(0), b: sharded(0), c: sharded(1), d: partial(sum), e: partial(sum)", 3);
    Placement to = placed(&mesh, "e: sharded(1), c: sharded(2), a: sharded(1), b: sharded(0)", 3);
    Conversion c;
    assert_true(planned(&mesh, sizes, &from, &to, &c));
    assert_int_equal(c.count, 6);
    assert_int_equal(c.elements, 46224000);
    Searched path; /* it shards by dim 1 over e at once, which leaves more of dim 0 to gather, and less to exchange */
    assert_true(search(arena, &mesh, sizes, &from, &to, &convert_unlimited, &path));
    assert_int_equal(path.steps.count, 5);
    assert_int_equal(path.elements, 43200000);
}

/* ---- What a matmul's operands need -------------------------------------------------------------------------- */

/* Table of A[m,k] B[k,n]: where A and B are, and the best conversions of each kind: what A and B become, the result,
 * the cost in all ranks' elements: coefficients of (n-1)/n |A|, (n-1)|A|, (n-1)/n |B|, (n-1)|B|. */
typedef struct Option {
    const char *a, *b, *result;
    int exchange_a, gather_a, exchange_b, gather_b;
} Option;

typedef struct Inference {
    const char *a, *b;
    Option option[3]; /* where a is NULL there are no more */
} Inference;

static const Inference inferences[] = {
    {"S0", "R", {{"S0", "R", "S0", 0, 0, 0, 0}}},
    {"R", "S1", {{"R", "S1", "S1", 0, 0, 0, 0}}},
    {"S1", "S0", {{"S1", "S0", "P", 0, 0, 0, 0}}},
    {"P", "R", {{"P", "R", "P", 0, 0, 0, 0}}},
    {"R", "P", {{"R", "P", "P", 0, 0, 0, 0}}},
    {"R", "R", {{"R", "R", "R", 0, 0, 0, 0}, {"S0", "R", "S0", 0, 0, 0, 0}, {"R", "S1", "S1", 0, 0, 0, 0}}},
    {"R", "S0", {{"S1", "S0", "P", 0, 0, 0, 0}}},
    {"S1", "R", {{"S1", "S0", "P", 0, 0, 0, 0}}},
    {"S0", "S0", {{"S1", "S0", "P", 1, 0, 0, 0}, {"S0", "R", "S0", 0, 0, 0, 1}}},
    {"S1", "S1", {{"S1", "S0", "P", 0, 0, 1, 0}, {"R", "S1", "S1", 0, 1, 0, 0}}},
    {"S0", "S1", {{"S1", "S0", "P", 1, 0, 1, 0}, {"S0", "R", "S0", 0, 0, 0, 1}, {"R", "S1", "S1", 0, 1, 0, 0}}},
    {"S0", "P", {{"R", "P", "P", 0, 1, 0, 0}, {"S0", "R", "S0", 0, 0, 0, 2}, {"S1", "S0", "P", 1, 0, 0, 1}}},
    {"S1", "P", {{"S1", "S0", "P", 0, 0, 0, 1}, {"R", "P", "P", 0, 1, 0, 0}}},
    {"P", "S0", {{"S1", "S0", "P", 0, 1, 0, 0}, {"P", "R", "P", 0, 0, 0, 1}}},
    {"P", "S1", {{"P", "R", "P", 0, 0, 0, 1}, {"S1", "S0", "P", 0, 1, 1, 0}, {"R", "S1", "S1", 0, 2, 0, 0}}},
    {"P", "P", {{"R", "P", "P", 0, 2, 0, 0}, {"P", "R", "P", 0, 0, 0, 2}, {"S1", "S0", "P", 0, 1, 0, 1}}},
};

static OnAxis on_axis(const char *mark)
{
    if (mark[0] == 'S')
        return on_sharded(mark[1] - '0');
    return mark[0] == 'P' ? on_partial(PARTIAL_SUM) : on_replicated();
}

/* A signature of the matmul, and what it takes to bring each operand there. */
typedef struct Way {
    Signature signature;
    Conversion conversion[2];
} Way;

enum { WAYS = 6 };

static const Way *find_way(const Way *ways, const Option *option)
{
    for (int i = 0; i < WAYS; i++) {
        const Signature *signature = &ways[i].signature;
        if (on_axis_equal(signature->operand[0], on_axis(option->a)) &&
            on_axis_equal(signature->operand[1], on_axis(option->b)) &&
            on_axis_equal(signature->result, on_axis(option->result)))
            return &ways[i];
    }
    return NULL;
}

static int64_t elements_of(const Way *way)
{
    return way->conversion[0].elements + way->conversion[1].elements;
}

/* Whether one costs no more than the other whatever the sizes of A and B: then the other is no option. */
static bool is_dominated(const Way *way, const Way *all)
{
    for (int i = 0; i < WAYS; i++) {
        const Conversion *a = &all[i].conversion[0], *b = &all[i].conversion[1];
        bool no_more = a->elements <= way->conversion[0].elements && b->elements <= way->conversion[1].elements;
        bool less = a->elements < way->conversion[0].elements || b->elements < way->conversion[1].elements;
        if (no_more && less)
            return true;
    }
    return false;
}

static void find_ways(const Inference *row, const Mesh *mesh, int64_t sizes[2][2], Way *ways)
{
    OpShape matmul = op_shape(arena, OP_EINSUM, "mk,kn->mn");
    SignatureVec signatures = signatures_of(arena, &matmul, SIGNATURE_SHARDED | SIGNATURE_SUM);
    assert_int_equal(signatures.count, WAYS);
    for (int i = 0; i < WAYS; i++) {
        ways[i].signature = signatures.data[i];
        for (int k = 0; k < 2; k++) {
            Placement from = placement_replicated(mesh, 2), to = from;
            placement_set(&from, 0, on_axis(k == 0 ? row->a : row->b));
            placement_set(&to, 0, ways[i].signature.operand[k]);
            assert_true(planned(mesh, sizes[k], &from, &to, &ways[i].conversion[k]));
        }
    }
}

static void infers_a_matmul(const Inference *row, int64_t n)
{
    int64_t sizes[2][2] = {{2 * n, 3 * n}, {3 * n, 5 * n}}, a = 6 * n * n, b = 15 * n * n;
    Mesh mesh = mesh_with(1, &n);
    Way ways[WAYS];
    find_ways(row, &mesh, sizes, ways);
    int options = 0, as_is = 0;
    int64_t least = INT64_MAX;
    for (int i = 0; i < WAYS; i++) {
        least = elements_of(&ways[i]) < least ? elements_of(&ways[i]) : least;
        as_is += ways[i].conversion[0].count + ways[i].conversion[1].count == 0;
    }
    for (int i = 0; i < 3 && row->option[i].a != NULL; i++) {
        const Option *option = &row->option[i];
        const Way *way = find_way(ways, option);
        assert_non_null(way);
        int64_t whole_a = (option->exchange_a * a / n + option->gather_a * a) * (n - 1);
        int64_t whole_b = (option->exchange_b * b / n + option->gather_b * b) * (n - 1);
        assert_int_equal(elements_of(way) * n, whole_a + whole_b);
        assert_false(is_dominated(way, ways));
        options++;
    }
    assert_true(as_is == 1 || (as_is == 0 && (options > 1 || least == 0)));
    if (as_is == 1) {
        const Way *first = find_way(ways, &row->option[0]);
        assert_int_equal(first->conversion[0].count + first->conversion[1].count, 0);
    }
}

static void infers_every_matmul(void **state)
{
    (void)state;
    assert_int_equal(sizeof inferences / sizeof *inferences, 16);
    for (int64_t n = 2; n <= 4; n++)
        for (size_t i = 0; i < sizeof inferences / sizeof *inferences; i++)
            infers_a_matmul(&inferences[i], n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meets_the_bounds_of_one_axis),
        cmocka_unit_test(prices_an_axis_like_its_step),
        cmocka_unit_test(does_not_convert_what_varies),
        cmocka_unit_test(induces_the_backward_conversion),
        cmocka_unit_test(moves_no_less_than_what_is_missing),
        cmocka_unit_test(chains_its_steps),
        cmocka_unit_test(finds_the_cheapest_path),
        cmocka_unit_test(plans_over_several_axes),
        cmocka_unit_test(keeps_flat_ranges_whole),
        cmocka_unit_test(plans_over_five_axes),
        cmocka_unit_test(infers_every_matmul),
    };
    return cmocka_run_group_tests(tests, start_arena, end_arena);
}
