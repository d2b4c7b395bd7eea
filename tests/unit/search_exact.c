/* Searches against brute force: every strategy of a small space is derived, planned and played. No bound is above what
 * its strategy costs, and the search finds the least of those that fit. SEARCH_INSTANCES=N SEARCH_SEED=N: as many
 * random programs, from this one on. */
#include "tests/unit/search_programs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Brute force -------------------------------------------------------------------------------------------- */

typedef struct Brute {
    Arena *arena;
    Answer *answer;
    Bounds *bounds;
    Vec(Found) all;
} Brute;

/* A bound may be rounded otherwise than what it bounds. */
static void check_below(const Brute *brute, const char *what, const Choice *choice, double bound, double cost)
{
    if (bound <= cost * (1 + 1e-9))
        return;
    fprintf(stderr, "%s of %s, %s, %d microbatches: %.9g, but it costs %.9g\n", what, space_mesh(brute->arena, choice),
            space_strategy(brute->arena, &brute->answer->space, choice), choice->micro, bound, cost);
    fail();
}

static void cost_it(void *data, const Choice *choice)
{
    Brute *brute = data;
    Bounds *bounds = brute->bounds;
    const Space *space = &brute->answer->space;
    const Found found = best_cost(&brute->answer->pattern, space, choice, brute->arena);
    const Bound layers = bound_layers(bounds, choice), roughly = bound_roughly(bounds, choice);
    const Bound exactly = bound_choice(bounds, choice);
    if (found.error != NULL)
        return;
    assert_null(layers.error);
    assert_null(roughly.error);
    assert_null(exactly.error);
    check_below(brute, "the shape's time", choice, bound_shape(bounds, choice).seconds, found.seconds);
    check_below(brute, "the layers' time", choice, layers.seconds, found.seconds);
    check_below(brute, "the rough time", choice, roughly.seconds, found.seconds);
    check_below(brute, "the rough memory", choice, roughly.bytes, found.bytes);
    check_below(brute, "the time", choice, exactly.seconds, found.seconds);
    check_below(brute, "the memory", choice, exactly.bytes, found.bytes);
    vec_push(brute->arena, &brute->all, found);
}

/* The least of those that fit; INFINITY: none does. */
static double least_of(const Brute *brute)
{
    const Space *space = &brute->answer->space;
    double least = INFINITY;
    for (int i = 0; i < brute->all.count; i++) {
        const Found *found = &brute->all.data[i];
        if (found->bytes <= (double)space->memory_bytes && !space_too_slow(space, found->seconds))
            least = fmin(least, best_value(space, found));
    }
    return least;
}

/* ---- Tests -------------------------------------------------------------------------------------------------- */

static void search_once(const Brute *brute)
{
    Searched searched;
    const SearchWatch nobody = {0};
    const Space *space = &brute->answer->space;
    best_find(brute->arena, &brute->answer->pattern, space, brute->bounds, &nobody, &searched);
    double least = least_of(brute);
    assert_true(searched.exact);
    assert_int_equal(searched.any, isfinite(least));
    if (!searched.any)
        return;
    /* Of those that cost the same the one with less memory is found. */
    bool equal = fabs(best_value(space, &searched.best) - least) <= 1e-9 * least;
    if (!equal)
        fprintf(stderr, "found %.9g, but %.9g is the least of %d\n", best_value(space, &searched.best), least,
                brute->all.count);
    assert_true(equal);
    costed_close(&searched.program);
}

/* Within the time of one of them, or within its price. With that limit the least memory is searched for in what saves
 * memory partly, too, as is the least price with a limit of memory. */
static void search_limited(Brute *brute, Draw *d)
{
    Space *space = &brute->answer->space;
    const Found within = brute->all.data[draw(d, brute->all.count)];
    const Objective objectives[] = {LEAST_PRICE, LEAST_MEMORY};
    const bool partly = space_saves_partly(space);
    space->objective = objectives[draw(d, 2)];
    if (draw(d, 2) == 0)
        space->most_price = space_price(space, within.seconds);
    else
        space->most_seconds = within.seconds;
    if (space_saves_partly(space) != partly) {
        brute->all.count = 0;
        const Walk walk = {space, cost_it, brute};
        each_choice(&walk);
    }
    search_once(brute);
}

static int check_program(Arena *arena, const char *program, Draw *d)
{
    Ctx ctx = {.arena = arena};
    const char *error;
    ctx.strings = str_table_new(ctx.arena);
    ctx.sources = sources_new(ctx.arena);
    ctx.diag = diag_new(ctx.arena, ctx.sources);
    int source = source_add(ctx.sources, "test.place", program, strlen(program));
    Answer answer;
    Bounds bounds;
    bool good = search_open(&ctx, source, &answer);
    if (!good) {
        diag_print_text(ctx.diag, stderr, false, 20);
        fprintf(stderr, "%s", program);
    }
    assert_true(good);
    host_few(&answer.space);
    assert_true(bounds_open(&bounds, ctx.arena, &answer.pattern, &answer.space, &error));
    Brute brute = {.arena = ctx.arena, .answer = &answer, .bounds = &bounds};
    const Walk walk = {&answer.space, cost_it, &brute};
    each_choice(&walk);
    search_once(&brute);
    /* A limit that some are just within. */
    if (brute.all.count > 0) {
        answer.space.memory_bytes = (int64_t)brute.all.data[draw(d, brute.all.count)].bytes;
        search_once(&brute);
        search_limited(&brute, d);
    }
    search_close(&answer);
    return brute.all.count;
}

static int check_instance(uint64_t seed)
{
    Arena *arena = arena_new();
    Draw d = {seed * 2654435761u + 1};
    int count = check_program(arena, random_program(arena, &d), &d);
    arena_free(arena);
    return count;
}

static void equals_brute_force(void **state)
{
    (void)state;
    int64_t first = number_of("SEARCH_SEED", 1), count = number_of("SEARCH_INSTANCES", 4), strategies = 0;
    for (int64_t i = first; i < first + count; i++) {
        strategies += check_instance((uint64_t)i);
        if (count > 6)
            fprintf(stderr, "program %lld: %lld strategies so far\n", (long long)i, (long long)strategies);
    }
}

/* Programs whose bounds were too high: stages of a served model. */
/* Of cases that are given: no more than random ones were asked for. */
static size_t at_most(size_t cases)
{
    size_t asked = (size_t)number_of("SEARCH_INSTANCES", (int64_t)cases);
    return asked < cases ? asked : cases;
}

static void equals_it_again(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {3011, 3264, 7105};
    for (size_t i = 0; i < at_most(sizeof seeds / sizeof *seeds); i++)
        check_instance(seeds[i]);
}

/* A head that is larger than the layers, or a table in front of them, or frozen ones: for these optimizers have more
 * states than for layers, or fewer, or none. */
static void equals_it_where_states_differ(void **state)
{
    (void)state;
    static const char program[] =
        "place 1\n"
        "model m(layers = 4, hidden = 256, vocab = 4000, width = 4) {\n"
        "    input tokens, targets : int[batch, width]\n"
        "    x = embedding(tokens, vocab, hidden%s) as wte\n"
        "    repeat block[layers] {\n"
        "        x = x + relu(linear(x, hidden%s) as up)\n"
        "    }\n"
        "    logits = linear(x, vocab) as head\n"
        "    loss = mean over batch, width of cross_entropy(logits, targets)\n"
        "}\n"
        "cluster pod { 4 devices of a100; price 2 per hour }\n"
        "train m on pod {\n"
        "    search over pod { context 1; tensor 1; microbatches 2; without by_value, gpipe }\n"
        "    optimizer %s(rate = 0.1)\n"
        "    data synthetic\n"
        "    batch 8\n"
        "    steps 2\n"
        "}\n";
    static const char frozen[] = ", parameters = frozen";
    static const struct {
        const char *table, *layers, *optimizer;
    } rows[] = {
        {"", "", "muon"}, {frozen, "", "muon"}, {"", "", "adafactor"}, {frozen, "", "adam"}, {"", frozen, "adam"}};
    for (size_t i = 0; i < at_most(sizeof rows / sizeof *rows); i++) {
        Arena *arena = arena_new();
        Draw d = {i + 1};
        const char *text = arena_printf(arena, program, rows[i].table, rows[i].layers, rows[i].optimizer);
        assert_true(check_program(arena, text, &d) > 0);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_brute_force),
        cmocka_unit_test(equals_it_again),
        cmocka_unit_test(equals_it_where_states_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
