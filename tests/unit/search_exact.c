/* Searches against brute force: every strategy of a small space is derived, planned and played. No bound is above what
 * its strategy costs, and the search finds the least of those that fit. SEARCH_INSTANCES=N SEARCH_SEED=N: as many
 * random programs, from this one on. */
#include "search/search.h"

#include "tests/unit/compile.h"
#include "tests/unit/random_search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Random programs ---------------------------------------------------------------------------------------- */

static const char *const models[] = {
    /* a GPT, with a tied head */
    "    input tokens, targets : int[batch, context]\n"
    "    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe\n"
    "    repeat block[layers] {\n"
    "        x = x + attention(layernorm(x) as norm1, heads, causal) as attn\n"
    "        x = x + mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp\n"
    "    }\n"
    "    logits = linear(layernorm(x) as norm, vocab, weight = wte.table, bias = none)\n"
    "    loss = mean over batch, context of cross_entropy(logits, targets)\n",
    /* a head of its own, and experts */
    "    input tokens, targets : int[batch, context]\n"
    "    x = embedding(tokens, vocab, hidden) as wte\n"
    "    repeat block[layers] {\n"
    "        x = x + attention(rmsnorm(x) as norm1, heads, causal, rope = 10000) as attn\n"
    "        x = x + moe(rmsnorm(x) as norm2, 4, top = 2, 2 * hidden, gelu, capacity = 2) as moe\n"
    "    }\n"
    "    logits = linear(rmsnorm(x) as norm, vocab, bias = none) as head\n"
    "    loss = mean over batch, context of cross_entropy(logits, targets)\n",
    /* two repeated blocks */
    "    input x, y : f32[batch, hidden]\n"
    "    repeat first[layers] {\n"
    "        x = x + relu(linear(x, hidden) as up)\n"
    "    }\n"
    "    repeat second[layers] {\n"
    "        x = x + gelu(linear(layernorm(x) as norm, hidden) as up)\n"
    "    }\n"
    "    loss = mean over batch, hidden of squared_error(x, y)\n",
    /* no block */
    "    input x, y : f32[batch, hidden]\n"
    "    loss = mean over batch, hidden of squared_error(linear(relu(linear(x, 4 * hidden) as up), hidden) as down, "
    "y)\n",
    /* statistics of the batch, which one example has not */
    "    input x, y : f32[batch, hidden]\n"
    "    repeat block[layers] {\n"
    "        x = x + linear(relu(batchnorm(linear(x, 2 * hidden) as up) as norm), hidden) as down\n"
    "    }\n"
    "    loss = mean over batch, hidden of squared_error(x, y)\n",
};

enum { MODELS = sizeof models / sizeof *models, MODEL_STATISTICS = MODELS - 1 };

static void add_space(Text *text, Draw *d)
{
    text_add(text, "    search over pod {\n        least %s\n%s%s%s%s    }\n",
             ONE_OF(d, "time", "time", "time", "memory"), ONE_OF(d, "", "        without gpipe, zero2\n"),
             ONE_OF(d, "", "        without selective, offload, vocab\n", "        context 1\n"),
             ONE_OF(d, "", "        without by_value\n"),
             ONE_OF(d, "        microbatches at most 4\n", "        microbatches at most 2\n"));
}

/* Every fifth serves its model, which then is a GPT. */
static const char *random_program(Arena *arena, Draw *d)
{
    Text text = {.arena = arena};
    bool serves = draw(d, 5) == 0;
    int model = serves ? 0 : draw(d, MODELS);
    text_add(&text, "place 1\nmodel m(layers = %s, hidden = %s, heads = %s, context = %s, vocab = %s) {\n%s}\n",
             ONE_OF(d, "1", "2", "3", "4", "5"), ONE_OF(d, "8", "256", "1024"), ONE_OF(d, "2", "4"),
             ONE_OF(d, "4", "64"), ONE_OF(d, "12", "1000"), models[model]);
    text_add(&text, "cluster pod { %s %s }\n",
             ONE_OF(d, "1 nodes of 2", "2 nodes of 2", "1 nodes of 4", "2 nodes of 3", "2 nodes of 4", "3 nodes of 1"),
             ONE_OF(d, "a100 within nvlink between infiniband 10 Gbit/s", "h100 within nvlink between infiniband",
                    "b200 within nvlink between infiniband 10 Gbit/s", measured));
    text_add(&text, "%s m on pod {\n", serves ? "serve" : "train");
    add_space(&text, d);
    if (!serves)
        text_add(&text, "    optimizer %s(rate = 0.1)\n%s    data synthetic\n", ONE_OF(d, "adam", "sgd"),
                 ONE_OF(d, "", "    clip norm 1.0\n"));
    if (model == MODEL_STATISTICS)
        text_add(&text, "%s", ONE_OF(d, "", "    contract statistics per microbatch\n"));
    text_add(&text, "    precision %s\n    batch %s\n    steps 2\n}\n",
             serves ? ONE_OF(d, "f32", "bf16") : ONE_OF(d, "f32", "bf16, master f32"), ONE_OF(d, "4", "6", "8", "12"));
    return text.data;
}

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

static void cost_it(Brute *brute, const Choice *choice)
{
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

static void each_number_offloaded(Brute *brute, Choice choice)
{
    const int64_t most =
        choice.option[GROUP_OFFLOADED] == OPTION_OFFLOAD ? space_offloaded(&brute->answer->space, &choice) : 0;
    for (choice.offloaded = 0; choice.offloaded <= most; choice.offloaded++)
        cost_it(brute, &choice);
}

static void each_number_of_layers(Brute *brute, Choice choice)
{
    for (int layers = 1; layers <= space_partly(&brute->answer->space, &choice); layers++) {
        choice.layers = layers;
        cost_it(brute, &choice);
    }
}

/* With all values the layers that recompute the last of them recompute everything: not all, which is an option. */
static void each_value(Brute *brute, Choice choice)
{
    int64_t values = space_values(&brute->answer->space);
    for (int v = 1; values > 0 && v <= values + 1; v++) {
        choice.values = v;
        each_number_of_layers(brute, choice);
        choice.layers = 0;
        if (v <= values)
            each_number_offloaded(brute, choice);
    }
}

static void each_recomputed(Brute *brute, Choice choice)
{
    if (choice.option[GROUP_RECOMPUTED] == OPTION_BY_VALUE) {
        each_value(brute, choice);
        return;
    }
    each_number_offloaded(brute, choice);
    if (choice.option[GROUP_RECOMPUTED] == OPTION_RECOMPUTE)
        each_number_of_layers(brute, choice);
}

static void each_option(Brute *brute, Choice choice, int group)
{
    if (group == GROUP_PLACED) { /* tests/unit/search_placed.c */
        each_recomputed(brute, choice);
        return;
    }
    const Options *options = &brute->answer->space.options[group];
    bool used = options->degree == ALWAYS || choice.degree[options->degree] > 1;
    for (int o = 0; o < (used ? options->count : 1); o++) {
        if (used && options->option[o].excluded != NULL)
            continue;
        bool whole = group == GROUP_STATES && (!used || o == OPTION_DATA_PARALLEL);
        if (whole && choice.degree[DEGREE_REPLICA] > 1)
            continue;
        choice.option[group] = (int8_t)o;
        int64_t layers = brute->answer->space.layers, stages = choice.degree[DEGREE_PIPELINE];
        bool interleaved = group == GROUP_SCHEDULE && used && o == OPTION_INTERLEAVED;
        for (int chunks = interleaved ? 2 : 1; chunks <= (interleaved ? layers : 1); chunks++) {
            if (interleaved && layers % (chunks * stages) != 0)
                continue;
            if (group == GROUP_SCHEDULE)
                choice.chunks = chunks;
            each_option(brute, choice, group + 1);
        }
    }
}

static void each_shape(Brute *brute)
{
    const Space *space = &brute->answer->space;
    int n = (int)space->devices, batch = (int)space->train->batch;
    for (int code = 0; code < n * n * n * n * n * n; code++) {
        Choice choice = {.chunks = 1};
        int product = 1, rest = code;
        bool allowed = true;
        for (int degree = 0; degree < DEGREE_COUNT; degree++, rest /= n) {
            choice.degree[degree] = rest % n + 1;
            product *= choice.degree[degree];
            allowed = allowed && choice.degree[degree] >= space->degree[degree].low &&
                      choice.degree[degree] <= space->degree[degree].high;
        }
        for (int micro = 1; micro <= batch && allowed && product == n; micro++) {
            choice.micro = micro;
            int parts = choice.degree[DEGREE_REPLICA] * choice.degree[DEGREE_DATA] * choice.degree[DEGREE_EXPERT];
            if (micro >= space->micro.low && micro <= space->micro.high && batch % (parts * micro) == 0)
                each_option(brute, choice, 0);
        }
    }
}

/* The least of those that fit; INFINITY: none does. */
static double least_of(const Brute *brute)
{
    const Space *space = &brute->answer->space;
    double least = INFINITY;
    for (int i = 0; i < brute->all.count; i++) {
        const Found *found = &brute->all.data[i];
        if (found->bytes <= (double)space->memory_bytes)
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
    if (best_value(space, &searched.best) != least)
        fprintf(stderr, "found %.9g, but %.9g is the least of %d\n", best_value(space, &searched.best), least,
                brute->all.count);
    assert_true(best_value(space, &searched.best) == least);
    costed_close(&searched.program);
}

static int check_instance(uint64_t seed)
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
    bool good = search_open(&ctx, source, &answer);
    if (!good) {
        diag_print_text(ctx.diag, stderr, false, 20);
        fprintf(stderr, "%s", program);
    }
    assert_true(good);
    assert_true(bounds_open(&bounds, ctx.arena, &answer.pattern, &answer.space, &error));
    Brute brute = {.arena = ctx.arena, .answer = &answer, .bounds = &bounds};
    each_shape(&brute);
    search_once(&brute);
    /* A limit that some are just within. */
    if (brute.all.count > 0) {
        answer.space.memory_bytes = (int64_t)brute.all.data[draw(&d, brute.all.count)].bytes;
        search_once(&brute);
    }
    search_close(&answer);
    int count = brute.all.count;
    arena_free(ctx.arena);
    return count;
}

static void equals_brute_force(void **state)
{
    (void)state;
    int64_t first = number_of("SEARCH_SEED", 1), count = number_of("SEARCH_INSTANCES", 6), strategies = 0;
    for (int64_t i = first; i < first + count; i++) {
        strategies += check_instance((uint64_t)i);
        if (count > 6)
            fprintf(stderr, "program %lld: %lld strategies so far\n", (long long)i, (long long)strategies);
    }
}

/* Programs whose bounds were too high: stages of a served model. */
static void equals_it_again(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {3011, 3264};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
        check_instance(seeds[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_brute_force),
        cmocka_unit_test(equals_it_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
