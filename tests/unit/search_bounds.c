/* What a strategy costs, without its program: exactly where no rank waits (search/exact.h), from below otherwise
 * (search/bound.h). BOUNDS_INSTANCES=N BOUNDS_SEED=N BOUNDS_DRAWN=N: so many random programs, from this one on, and
 * about so many strategies of each. */
#include "search/exact.h"

#include "tests/unit/search_programs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

/* How far bounds are below what they bound, in tenths of it. */
enum { TENTHS = 10 };

/* Strategies per second on one core. */
static const double LEAST_RATE = 1e5;

typedef struct Compared {
    Arena *arena;
    const Answer *answer;
    Bounds *bounds;
    Draw draw;
    int64_t every, exact;
    bool mixes;                   /* the model has statistics of the batch */
    int64_t below[2][TENTHS + 1]; /* of one stage, of several */
} Compared;

static void fail_at(const Compared *c, const char *what, const Choice *choice, double found, double play)
{
    fprintf(stderr, "%s of %s, %s, %d microbatches: %.12g, but it costs %.12g\n", what, space_mesh(c->arena, choice),
            space_strategy(c->arena, &c->answer->space, choice), choice->micro, found, play);
    fail();
}

static char *text_of(const Costed *costed)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    step_print(costed->file, NULL, out);
    fclose(out);
    return text;
}

/* A version that shares what was read with others is the program that it is if it is read as a whole. */
static void compare_readings(const Compared *c, const Choice *choice)
{
    Pattern whole = c->answer->pattern;
    whole.readings = NULL;
    Costed shared, alone;
    const Version version = best_version(c->arena, &c->answer->space, choice);
    pattern_cost_step(&c->answer->pattern, &version, &shared);
    pattern_cost_step(&whole, &version, &alone);
    assert_true((shared.error == NULL) == (alone.error == NULL));
    if (shared.error != NULL) {
        assert_string_equal(shared.error, alone.error);
    } else {
        char *one = text_of(&shared), *other = text_of(&alone);
        assert_string_equal(one, other);
        assert_true(shared.plan->time.step == alone.plan->time.step);
        free(one);
        free(other);
    }
    costed_close(&shared);
    costed_close(&alone);
}

static void compare(void *data, const Choice *choice)
{
    Compared *c = data;
    if (draw(&c->draw, (int)c->every) != 0)
        return;
    const Space *space = &c->answer->space;
    const Found found = best_cost(&c->answer->pattern, space, choice, c->arena);
    if (found.error != NULL)
        return;
    if (draw(&c->draw, 5) == 0)
        compare_readings(c, choice);
    double play = found.seconds, bound = bound_choice(c->bounds, choice).seconds, exact;
    bool one_stage = choice->degree[DEGREE_PIPELINE] == 1;
    if (bound > play * (1 + 1e-9))
        fail_at(c, "the bound", choice, bound, play);
    c->below[one_stage ? 0 : 1][(int)(TENTHS * fmax(0, 1 - bound / play))]++;
    if (exact_seconds(&c->bounds->inners, choice, &exact)) {
        c->exact++;
        if (fabs(exact - play) > 1e-9 * play)
            fail_at(c, "the time", choice, exact, play);
    } else if (one_stage && !c->mixes && !space->train->serves && found.spent[FOUND_WAITING] == 0) {
        fail_at(c, "no time", choice, 0, play);
    }
}

static void count_choice(void *data, const Choice *choice)
{
    int64_t *count = data;
    *count += choice->micro > 0;
}

/* Every fourth has chunks of layers. */
static void compare_instance(uint64_t seed, Compared *compared)
{
    Ctx ctx = {.arena = arena_new()};
    Draw d = {seed * 2654435761u + 1};
    const char *program = seed % 4 == 0 ? random_chunks(ctx.arena, &d) : random_program(ctx.arena, &d), *error;
    ctx.strings = str_table_new(ctx.arena);
    ctx.sources = sources_new(ctx.arena);
    ctx.diag = diag_new(ctx.arena, ctx.sources);
    int source = source_add(ctx.sources, "test.place", program, strlen(program));
    Answer answer;
    Bounds bounds;
    assert_true(search_open(&ctx, source, &answer));
    host_few(&answer.space);
    assert_true(bounds_open(&bounds, ctx.arena, &answer.pattern, &answer.space, &error));
    compared->arena = ctx.arena;
    compared->answer = &answer;
    compared->bounds = &bounds;
    compared->draw = d;
    compared->mixes = strstr(program, "batchnorm") != NULL;
    int64_t strategies = 0;
    const Walk count = {&answer.space, count_choice, &strategies}, walk = {&answer.space, compare, compared};
    each_choice(&count);
    compared->every = strategies / number_of("BOUNDS_DRAWN", 25) + 1;
    each_choice(&walk);
    search_close(&answer);
    arena_free(ctx.arena);
}

static void says_what_programs_cost(void **state)
{
    (void)state;
    int64_t first = number_of("BOUNDS_SEED", 1), count = number_of("BOUNDS_INSTANCES", 8);
    Compared compared = {0};
    for (int64_t i = first; i < first + count; i++)
        compare_instance((uint64_t)i, &compared);
    assert_true(count < 8 || compared.exact > 10);
    fprintf(stderr, "%lld strategies exactly; bounds below, by tenths:", (long long)compared.exact);
    for (int tenth = 0; tenth <= TENTHS; tenth++)
        fprintf(stderr, " %lld+%lld", (long long)compared.below[0][tenth], (long long)compared.below[1][tenth]);
    fprintf(stderr, "\n");
}

/* ---- How fast ----------------------------------------------------------------------------------------------- */

typedef struct Timed {
    Bounds *bounds;
    int64_t count;
    double seconds; /* the sum of what strategies cost */
} Timed;

static void bound_it(void *data, const Choice *choice)
{
    Timed *timed = data;
    timed->count++;
    timed->seconds += bound_choice(timed->bounds, choice).seconds;
}

static void time_it(void *data, const Choice *choice)
{
    Timed *timed = data;
    double seconds;
    if (!exact_seconds(&timed->bounds->inners, choice, &seconds))
        return;
    timed->count++;
    timed->seconds += seconds;
}

/* Strategies per second of this process, of programs that were derived already. */
static double rate_of(const Answer *answer, Bounds *bounds, void (*visit)(void *data, const Choice *choice))
{
    Timed timed = {.bounds = bounds};
    const Walk walk = {&answer->space, visit, &timed};
    each_choice(&walk);
    clock_t begin = clock(), end = begin;
    timed.count = 0;
    while (end - begin < CLOCKS_PER_SEC / 5) {
        each_choice(&walk);
        end = clock();
    }
    assert_true(timed.seconds > 0);
    return (double)timed.count * CLOCKS_PER_SEC / (double)(end - begin);
}

static void says_it_fast(void **state)
{
    (void)state;
    static const char program[] = "place 1\n" GPT_MODEL(
        "m", "layers = 4, hidden = 1024, heads = 8, context = 64, vocab = 1000",
        "4 * hidden") "cluster pod { 1 nodes of 4 h100 }\n"
                      "train m on pod {\n"
                      "    search over pod { pipeline 1; without by_value, offload; microbatches at most 4 }\n"
                      "    optimizer adam(rate = 0.1)\n    data synthetic\n    precision bf16, master f32\n    batch "
                      "16\n"
                      "    steps 2\n}\n";
    Ctx ctx = {.arena = arena_new()};
    const char *error;
    ctx.strings = str_table_new(ctx.arena);
    ctx.sources = sources_new(ctx.arena);
    ctx.diag = diag_new(ctx.arena, ctx.sources);
    Answer answer;
    Bounds bounds;
    assert_true(search_open(&ctx, source_add(ctx.sources, "test.place", program, strlen(program)), &answer));
    assert_true(bounds_open(&bounds, ctx.arena, &answer.pattern, &answer.space, &error));
    double bounded = rate_of(&answer, &bounds, bound_it), exact = rate_of(&answer, &bounds, time_it);
    fprintf(stderr, "bounds of %.3g strategies a second, times of %.3g\n", bounded, exact);
    assert_true(bounded > LEAST_RATE && exact > LEAST_RATE);
    search_close(&answer);
    arena_free(ctx.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_programs_cost),
        cmocka_unit_test(says_it_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
