/* Searches against brute force: every strategy of a small space is derived, planned and played. No bound is above what
 * its strategy costs, and the search finds the least of those that fit. SEARCH_INSTANCES=N SEARCH_CHUNKS=N
 * SEARCH_PARTS=N SEARCH_SEED=N SEARCH_MOST=N SEARCH_LIMITS=N: as many random programs, of all mechanisms, of
 * interleaved stages, and on parts of a cluster, from this one on, without those that have more strategies than that,
 * each with so many limits of memory. */
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

/* Strategies with interleaved stages, of which some layers recompute more, or have states on the host. */
typedef struct Chunks {
    int64_t any, recompute, offload;
} Chunks;

static Chunks chunks;

static void count_chunks(const Choice *choice)
{
    chunks.any += choice->chunks > 1;
    chunks.recompute += choice->chunks > 1 && choice->layers > 0;
    chunks.offload += choice->chunks > 1 && choice->offloaded > 0;
}

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
    count_chunks(choice);
    assert_null(layers.error);
    assert_null(roughly.error);
    assert_null(exactly.error);
    check_below(brute, "the shape's time", choice, bound_states(bounds, choice).seconds, found.seconds);
    check_below(brute, "the layers' time", choice, layers.seconds, found.seconds);
    check_below(brute, "the rough time", choice, roughly.seconds, found.seconds);
    check_below(brute, "the rough memory", choice, roughly.bytes, found.bytes);
    check_below(brute, "the time", choice, exactly.seconds, found.seconds);
    check_below(brute, "the memory", choice, exactly.bytes, found.bytes);
    vec_push(brute->arena, &brute->all, found);
}

/* The least of those that fit; NULL: none does. */
static const Found *find_least(const Brute *brute)
{
    const Space *space = &brute->answer->space;
    const Found *least = NULL;
    for (int i = 0; i < brute->all.count; i++) {
        const Found *found = &brute->all.data[i];
        bool fits = found->bytes <= (double)space->memory_bytes && !space_too_slow(space, found->seconds);
        if (fits && (least == NULL || best_value(space, found) < best_value(space, least)))
            least = found;
    }
    return least;
}

/* INFINITY: none fits. */
static double least_of(const Brute *brute)
{
    const Found *least = find_least(brute);
    return least != NULL ? best_value(&brute->answer->space, least) : INFINITY;
}

static void print_found(const Brute *brute, const char *what, const Found *found)
{
    const Space *space = &brute->answer->space;
    fprintf(stderr, "%s: %.9g, %.12g s, %.0f bytes: %s, %s, %d microbatches\n", what, best_value(space, found),
            found->seconds, found->bytes, space_mesh(brute->arena, &found->choice),
            space_strategy(brute->arena, space, &found->choice), found->choice.micro);
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
    if (!equal) {
        fprintf(stderr, "at most %lld bytes, of %d strategies\n", (long long)space->memory_bytes, brute->all.count);
        print_found(brute, "found", &searched.best);
        print_found(brute, "the least", find_least(brute));
    }
    assert_true(equal);
    costed_close(&searched.program);
}

static void count_it(void *data, const Choice *choice)
{
    (void)choice;
    ++*(int64_t *)data;
}

static bool is_small(const Space *space)
{
    int64_t strategies = 0;
    const Walk walk = {space, count_it, &strategies};
    each_choice(&walk);
    return strategies <= number_of("SEARCH_MOST", INT64_MAX);
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
        if (!is_small(space))
            return;
        brute->all.count = 0;
        const Walk walk = {space, cost_it, brute};
        each_choice(&walk);
    }
    search_once(brute);
}

static Ctx ctx_of(Arena *arena)
{
    Ctx ctx = {.arena = arena};
    ctx.strings = str_table_new(ctx.arena);
    ctx.sources = sources_new(ctx.arena);
    ctx.diag = diag_new(ctx.arena, ctx.sources);
    return ctx;
}

static void open_program(Ctx *ctx, const char *program, Answer *answer)
{
    bool good = search_open(ctx, source_add(ctx->sources, "test.place", program, strlen(program)), answer);
    if (!good) {
        diag_print_text(ctx->diag, stderr, false, 20);
        fprintf(stderr, "%s", program);
    }
    assert_true(good);
}

/* How many strategies it has; -1: too many. */
static int check_program(Arena *arena, const char *program, Draw *d)
{
    Ctx ctx = ctx_of(arena);
    const char *error;
    Answer answer;
    Bounds bounds;
    open_program(&ctx, program, &answer);
    host_few(&answer.space);
    assert_true(bounds_open(&bounds, ctx.arena, &answer.pattern, &answer.space, &error));
    if (!is_small(&answer.space)) {
        search_close(&answer);
        return -1;
    }
    Brute brute = {.arena = ctx.arena, .answer = &answer, .bounds = &bounds};
    const Walk walk = {&answer.space, cost_it, &brute};
    each_choice(&walk);
    search_once(&brute);
    /* Limits that some are just within. */
    for (int64_t i = 0; brute.all.count > 0 && i < number_of("SEARCH_LIMITS", 1); i++) {
        answer.space.memory_bytes = (int64_t)brute.all.data[draw(d, brute.all.count)].bytes;
        search_once(&brute);
    }
    if (brute.all.count > 0)
        search_limited(&brute, d);
    search_close(&answer);
    return brute.all.count;
}

static int check_instance(const char *(*random)(Arena *arena, Draw *d), uint64_t seed)
{
    Arena *arena = arena_new();
    Draw d = {seed * 2654435761u + 1};
    int count = check_program(arena, random(arena, &d), &d);
    arena_free(arena);
    return count;
}

static void check_instances(const char *(*random)(Arena *arena, Draw *d), int64_t first, int64_t count)
{
    int64_t strategies = 0;
    for (int64_t i = first; i < first + count; i++) {
        const int more = check_instance(random, (uint64_t)i);
        strategies += more > 0 ? more : 0;
        if (count > 6)
            fprintf(stderr, "program %lld%s: %lld strategies so far\n", (long long)i, more < 0 ? " has too many" : "",
                    (long long)strategies);
    }
}

static void equals_brute_force(void **state)
{
    (void)state;
    check_instances(random_program, number_of("SEARCH_SEED", 1), number_of("SEARCH_INSTANCES", 4));
}

/* Interleaved stages, some layers of which recompute more. */
static void equals_it_where_chunks_differ(void **state)
{
    (void)state;
    const int64_t count = number_of("SEARCH_CHUNKS", 2);
    chunks = (Chunks){0};
    check_instances(random_chunks, number_of("SEARCH_SEED", 9), count);
    assert_true(count < 2 || chunks.recompute > 0);
    fprintf(
        stderr,
        "%lld strategies with chunks, of which %lld recompute in some layers, %lld have states of some on the host\n",
        (long long)chunks.any, (long long)chunks.recompute, (long long)chunks.offload);
}

/* ---- Parts of the cluster ----------------------------------------------------------------------------------- */

/* The text with the first `what` of it replaced; the text itself, if it has none. */
static const char *replaced(Arena *arena, const char *text, const char *what, const char *with)
{
    const char *at = strstr(text, what);
    if (at == NULL)
        return text;
    return arena_printf(arena, "%.*s%s%s", (int)(at - text), text, with, at + strlen(what));
}

/* Of a program of few strategies, as there are several clusters to look at. */
static const char *program_on(Arena *arena, uint64_t seed, const char *nodes, const char *lines)
{
    static const char cluster[] = "cluster pod { ";
    Draw d = {seed * 2654435761u + 1};
    const char *text = random_program(arena, &d);
    text = replaced(arena, text, "        without values_on_device\n", "");
    text = replaced(arena, text, "        without values_on_host\n", "");
    text = replaced(arena, text, "        without by_value\n", "");
    text = replaced(arena, text, "search over pod {\n",
                    arena_printf(arena, "search over pod {\n        without by_value, values_on_host\n%s", lines));
    const char *given = strstr(text, cluster) + strlen(cluster);
    size_t length = (size_t)(strchr(strstr(given, " of ") + strlen(" of "), ' ') - given);
    return replaced(arena, text, arena_copy(arena, given, length), nodes);
}

static void check_part(const char *program, const Part *part)
{
    Arena *arena = arena_new();
    Ctx ctx = ctx_of(arena);
    Answer answer;
    Bounds bounds;
    const char *error;
    open_program(&ctx, program, &answer);
    assert_true(bounds_open(&bounds, arena, &answer.pattern, &answer.space, &error));
    Brute brute = {.arena = arena, .answer = &answer, .bounds = &bounds};
    const Walk walk = {&answer.space, cost_it, &brute};
    each_choice(&walk);
    double least = least_of(&brute);
    assert_int_equal(answer.space.devices, part->devices);
    assert_int_equal(part->error == NULL, isfinite(least));
    if (part->error == NULL)
        assert_true(fabs(best_value(&answer.space, &part->found) - least) <= 1e-9 * least);
    search_close(&answer);
    arena_free(arena);
}

/* A row for each size is what brute force finds on a cluster of that size, and the answer is the best of them. */
static void check_parts(uint64_t seed)
{
    static const char *const sizes[] = {"2 nodes of 2", "1 nodes of 2", "1 nodes of 1"};
    Arena *arena = arena_new();
    Ctx ctx = ctx_of(arena);
    Draw d = {seed + 77};
    Answer answer;
    const char *limit = ONE_OF(&d, "", "        time at most 1 s\n", "        memory at most 100 MiB\n");
    const char *lines = arena_printf(arena, "        devices at least 1\n%s", limit);
    const char *whole = program_on(arena, seed, sizes[0], lines);
    bool any = search_run(&ctx, source_add(ctx.sources, "test.place", whole, strlen(whole)), NULL, NULL, &answer);
    double best = INFINITY;
    assert_int_equal(answer.parts.count, sizeof sizes / sizeof *sizes);
    for (int i = 0; i < answer.parts.count; i++) {
        const Part *part = &answer.parts.data[i];
        check_part(program_on(arena, seed, sizes[i], limit), part);
        best = part->error == NULL ? fmin(best, best_value(&answer.space, &part->found)) : best;
    }
    assert_int_equal(any, isfinite(best));
    if (any)
        assert_true(best_value(&answer.space, &answer.searched.best) <= best * (1 + 1e-9));
    search_close(&answer);
    arena_free(arena);
}

static void equals_it_on_each_part(void **state)
{
    (void)state;
    int64_t first = number_of("SEARCH_SEED", 1), count = number_of("SEARCH_PARTS", 2);
    for (int64_t i = first; i < first + count; i++)
        check_parts((uint64_t)i);
}

/* ---- Cases that are given ----------------------------------------------------------------------------------- */

/* Of cases that are given: no more than random ones were asked for. */
static size_t at_most(size_t cases)
{
    size_t asked = (size_t)number_of("SEARCH_INSTANCES", (int64_t)cases);
    return asked < cases ? asked : cases;
}

/* Programs whose bounds were too high, or that had none: stages of a served model, in time and in memory; layers that
 * recompute less than others, which alone are no program; shards of gradients that are no sums. */
static void equals_it_again(void **state)
{
    (void)state;
    static const struct {
        const char *sizes;
        int model;
        const char *cluster, *what, *search, *rest;
    } rows[] = {
        {"layers = 3, hidden = 1024, heads = 2", 0, "2 nodes of 4 a100 within nvlink between infiniband 10 Gbit/s",
         "serve", "least time; microbatches at most 2", "precision bf16\n    batch 12"},
        {"layers = 3, hidden = 1024, heads = 4", 0, NULL, "serve",
         "least memory; without gpipe, zero2; microbatches at most 2", "precision bf16\n    batch 8"},
        {"layers = 4, hidden = 8, heads = 2", 4, "4 devices of a100 within nvlink", "train",
         "least time; without gpipe, zero2; without selective, offload, vocab; microbatches at most 4",
         "optimizer muon(rate = 0.1)\n    data synthetic\n    contract statistics per microbatch\n    batch 6"},
        {"layers = 1, hidden = 256, heads = 4", 1, "2 nodes of 2 a100 within nvlink between infiniband 10 Gbit/s",
         "train", "least time; context 1; microbatches 1; without gpipe, offload, by_value, values_on_host",
         "optimizer adafactor(rate = 0.1)\n    clip norm 1.0\n    data synthetic\n    batch 8"},
    };
    for (size_t i = 0; i < at_most(sizeof rows / sizeof *rows); i++) {
        Arena *arena = arena_new();
        Draw d = {i + 1};
        const char *cluster =
            rows[i].cluster != NULL ? rows[i].cluster : arena_printf(arena, "2 nodes of 2 %s", measured);
        const char *text =
            arena_printf(arena,
                         "place 1\nmodel m(%s, context = %d, vocab = 12) {\n%s}\ncluster pod { %s; price 2 per hour }\n"
                         "%s m on pod {\n    search over pod { %s }\n    %s\n    steps 2\n}\n",
                         rows[i].sizes, rows[i].model == 1 ? 64 : 4, models[rows[i].model], cluster, rows[i].what,
                         rows[i].search, rows[i].rest);
        assert_true(check_program(arena, text, &d) > 0);
        arena_free(arena);
    }
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

/* Where something has to be on the host, what recomputes has another value there, which takes less time here than
 * keeping everything with the last value there. */
static void equals_it_where_values_are_on_the_host(void **state)
{
    (void)state;
    static const char program[] =
        "place 1\n"
        "model m(layers = 2, hidden = 1024, heads = 4, context = 64, vocab = 1000) {\n"
        "    input tokens, targets : int[batch, context]\n"
        "    x = embedding(tokens, vocab, hidden) as wte\n"
        "    repeat block[layers] {\n"
        "        x = x + attention(rmsnorm(x) as norm1, heads, causal, rope = 10000) as attn\n"
        "        x = x + moe(rmsnorm(x) as norm2, 4, top = 2, 2 * hidden, gelu, capacity = 2) as moe\n"
        "    }\n"
        "    logits = linear(rmsnorm(x) as norm, vocab, bias = none) as head\n"
        "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
        "}\n"
        "cluster pod { 2 nodes of 2 %s; price 2 per hour }\n"
        "train m on pod {\n"
        "    search over pod { expert 2; tensor 2; microbatches 1; without by_value, values_on_device, offload }\n"
        "    optimizer sgd(rate = 0.1)\n"
        "    data synthetic\n"
        "    batch 4\n"
        "    steps 2\n"
        "}\n";
    Arena *arena = arena_new();
    Draw d = {1};
    assert_true(check_program(arena, arena_printf(arena, program, measured), &d) > 0);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_brute_force),
        cmocka_unit_test(equals_it_where_chunks_differ),
        cmocka_unit_test(equals_it_on_each_part),
        cmocka_unit_test(equals_it_again),
        cmocka_unit_test(equals_it_where_states_differ),
        cmocka_unit_test(equals_it_where_values_are_on_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
