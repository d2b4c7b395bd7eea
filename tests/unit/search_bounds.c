/* What a strategy costs, without its program: exactly where no rank waits (search/exact.h), from below otherwise
 * (search/bound.h). BOUNDS_INSTANCES=N BOUNDS_SEED=N BOUNDS_DRAWN=N: so many random programs, from this one on, and
 * about so many strategies of each. */
#include "search/exact.h"

#include "tests/unit/search_programs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* How far bounds are below what they bound, in tenths of it. */
enum { TENTHS = 10 };

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

static void compare(void *data, const Choice *choice)
{
    Compared *c = data;
    if (draw(&c->draw, (int)c->every) != 0)
        return;
    const Space *space = &c->answer->space;
    const Found found = best_cost(&c->answer->pattern, space, choice, c->arena);
    if (found.error != NULL)
        return;
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

static void compare_instance(uint64_t seed, Compared *compared)
{
    Ctx ctx = {.arena = arena_new()};
    Draw d = {seed * 2654435761u + 1};
    const char *program = random_program(ctx.arena, &d), *error;
    ctx.strings = str_table_new(ctx.arena);
    ctx.sources = sources_new(ctx.arena);
    ctx.diag = diag_new(ctx.arena, ctx.sources);
    int source = source_add(ctx.sources, "test.place", program, strlen(program));
    Answer answer;
    Bounds bounds;
    assert_true(search_open(&ctx, source, &answer));
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
    int64_t first = number_of("BOUNDS_SEED", 1), count = number_of("BOUNDS_INSTANCES", 12);
    Compared compared = {0};
    for (int64_t i = first; i < first + count; i++)
        compare_instance((uint64_t)i, &compared);
    assert_true(compared.exact > 10);
    fprintf(stderr, "%lld strategies exactly; bounds below, by tenths:", (long long)compared.exact);
    for (int tenth = 0; tenth <= TENTHS; tenth++)
        fprintf(stderr, " %lld+%lld", (long long)compared.below[0][tenth], (long long)compared.below[1][tenth]);
    fprintf(stderr, "\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(says_what_programs_cost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
