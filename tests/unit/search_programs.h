/* search_programs.h - random programs with a search, and every strategy of a space. */
#ifndef PLACE_TESTS_UNIT_SEARCH_PROGRAMS_H
#define PLACE_TESTS_UNIT_SEARCH_PROGRAMS_H

#include "search/search.h"

#include "tests/unit/compile.h"
#include "tests/unit/random_search.h"

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

/* Not from `d`, so that what was drawn from it before stays what it was. */
static Draw drawn_apart(const Draw *d)
{
    return (Draw){d->state ^ 0x9e3779b97f4a7c15u};
}

static void add_space(Text *text, Draw *d)
{
    Draw apart = drawn_apart(d);
    text_add(text, "    search over pod {\n        least %s\n%s%s%s%s%s    }\n",
             ONE_OF(d, "time", "time", "time", "memory"), ONE_OF(d, "", "        without gpipe, zero2\n"),
             ONE_OF(d, "", "        without selective, offload, vocab\n", "        context 1\n"),
             ONE_OF(d, "", "        without by_value\n"),
             ONE_OF(d, "        microbatches at most 4\n", "        microbatches at most 2\n"),
             ONE_OF(&apart, "", "", "", "        without values_on_host\n", "        without values_on_device\n"));
}

/* Some have hosts to which copies are as fast as recomputing. */
static void add_cluster(Text *text, Draw *d)
{
    const char *device =
        ONE_OF(d, "a100 within nvlink between infiniband 10 Gbit/s", "h100 within nvlink between infiniband",
               "b200 within nvlink between infiniband 10 Gbit/s", measured);
    const char *nodes =
        ONE_OF(d, "1 nodes of 2", "2 nodes of 2", "1 nodes of 4", "2 nodes of 3", "2 nodes of 4", "3 nodes of 1");
    Draw apart = drawn_apart(d);
    const char *host = ONE_OF(&apart, "", "; host at 400 GB/s", "; host at 4000 GB/s");
    text_add(text, "cluster pod { %s %s; price 2 per hour%s }\n", nodes, device, device == measured ? "" : host);
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
    add_cluster(&text, d);
    text_add(&text, "%s m on pod {\n", serves ? "serve" : "train");
    add_space(&text, d);
    if (!serves)
        text_add(&text, "    optimizer %s(rate = 0.1)\n%s    data synthetic\n",
                 ONE_OF(d, "adam", "muon", "adafactor", "sgd"), ONE_OF(d, "", "    clip norm 1.0\n"));
    if (model == MODEL_STATISTICS)
        text_add(&text, "%s", ONE_OF(d, "", "    contract statistics per microbatch\n"));
    text_add(&text, "    precision %s\n    batch %s\n    steps 2\n}\n",
             serves ? ONE_OF(d, "f32", "bf16") : ONE_OF(d, "f32", "bf16, master f32"), ONE_OF(d, "4", "6", "8", "12"));
    return text.data;
}

/* Pipelines of stages that may be interleaved, of which some layers save memory: with as many layers in every chunk as
 * it takes, microbatches for less than one turn of all stages and for several, and little else in the space. */
static const char *random_chunks(Arena *arena, Draw *d)
{
    static const struct {
        const char *nodes, *layers, *stages;
    } rows[] = {{"1 nodes of 2", "4", "2"}, {"1 nodes of 2", "6", "2"}, {"2 nodes of 1", "8", "2"},
                {"3 nodes of 1", "6", "3"}, {"1 nodes of 4", "8", "4"}, {"1 nodes of 3", "9", "3"},
                {"2 nodes of 2", "8", "2"}, {"1 nodes of 2", "12", "2"}};
    const int row = draw(d, sizeof rows / sizeof *rows), model = draw(d, 2);
    const char *device = ONE_OF(d, "a100 within nvlink between infiniband 10 Gbit/s", "h100 within nvlink", measured);
    const char *host = device == measured ? "" : ONE_OF(d, "", "; host at 400 GB/s", "; host at 4000 GB/s");
    Text text = {.arena = arena};
    text_add(&text, "place 1\nmodel m(layers = %s, hidden = %s, heads = 2, context = %s, vocab = 12) {\n%s}\n",
             rows[row].layers, ONE_OF(d, "8", "64", "1024"), ONE_OF(d, "4", "64"), models[model]);
    text_add(&text, "cluster pod { %s %s; price 2 per hour%s }\n", rows[row].nodes, device, host);
    text_add(&text,
             "train m on pod {\n    search over pod {\n        least %s\n        pipeline %s\n        context 1\n"
             "        microbatches %s\n        without %s\n%s    }\n",
             ONE_OF(d, "time", "time", "memory"), rows[row].stages,
             ONE_OF(d, "1", "2", "3", "4", "5", "6", "8", "10", "12"), ONE_OF(d, "gpipe", "gpipe, one_f_one_b, zero2"),
             ONE_OF(d, "        without by_value\n", "        without values_on_host\n", "        without offload\n",
                    "        without selective, values_on_host, offload\n", ""));
    text_add(&text,
             "    optimizer %s(rate = 0.1)\n    data synthetic\n    precision %s\n    batch 120\n    steps 2\n}\n",
             ONE_OF(d, "adam", "muon", "sgd"), ONE_OF(d, "f32", "bf16, master f32"));
    return text.data;
}

/* ---- Strategies --------------------------------------------------------------------------------------------- */

/* Of the values that may be on the host the first ones, which multiply all strategies. */
static void host_few(Space *space)
{
    enum { FEW = 3 };
    space->hosted = space->hosted < FEW ? space->hosted : FEW;
}

typedef struct Walk {
    const Space *space;
    void (*visit)(void *data, const Choice *choice);
    void *data;
} Walk;

static void each_number_offloaded(const Walk *walk, Choice choice)
{
    const int64_t most = choice.option[GROUP_OFFLOADED] == OPTION_OFFLOAD ? space_offloaded(walk->space, &choice) : 0;
    for (choice.offloaded = 0; choice.offloaded <= most; choice.offloaded++)
        walk->visit(walk->data, &choice);
}

static void each_number_of_layers(const Walk *walk, Choice choice)
{
    for (int layers = 1; layers <= space_partly(walk->space, &choice); layers++) {
        choice.layers = layers;
        each_number_offloaded(walk, choice);
    }
}

/* With all values the layers that recompute the last of them recompute everything: not all, which is an option, and
 * with no value on the host. What is there is not recomputed. */
static void each_value(const Walk *walk, Choice choice)
{
    const Space *space = walk->space;
    for (int v = 1; space_values(space) > 0 && v <= space->values.count + (choice.hosted == 0); v++) {
        if (choice.hosted > 0 && space->kept.data[space->kept.count - choice.hosted].values < v)
            return;
        choice.values = v;
        choice.layers = 0;
        each_number_of_layers(walk, choice);
        if (v <= space->values.count)
            each_number_offloaded(walk, choice);
    }
}

/* What is recomputed are the first values, what is on the host the last ones; or what layers begin with. */
static void each_recomputed(const Walk *walk, Choice choice)
{
    const Space *space = walk->space;
    int recomputed = choice.option[GROUP_RECOMPUTED];
    bool values = recomputed == OPTION_KEEP || recomputed == OPTION_BY_VALUE;
    if (choice.hosted > (values ? space->hosted : space->begin_hosted))
        return;
    if (recomputed == OPTION_BY_VALUE) {
        each_value(walk, choice);
        return;
    }
    each_number_offloaded(walk, choice);
    if (recomputed == OPTION_RECOMPUTE && choice.hosted == 0)
        each_number_of_layers(walk, choice);
}

/* Without a limit there are all of them, or of what recomputes everything what layers begin with, or none. */
static void each_most_hosted(const Walk *walk, Choice choice)
{
    const Space *space = walk->space;
    int recomputed = choice.option[GROUP_RECOMPUTED];
    int values = space->hosted > 0 ? space->kept.data[space->kept.count - space->hosted].values : 0;
    if (space->objective != LEAST_MEMORY)
        return;
    choice.hosted = recomputed == OPTION_RECOMPUTE ? space->begin_hosted : (int32_t)space->hosted;
    choice.values = recomputed == OPTION_BY_VALUE ? values : 0;
    bool most = recomputed == OPTION_RECOMPUTE || recomputed == (values > 0 ? OPTION_BY_VALUE : OPTION_KEEP);
    if (most && choice.hosted > 0)
        each_number_offloaded(walk, choice);
}

static void each_hosted(const Walk *walk, Choice choice)
{
    const Space *space = walk->space;
    bool some = choice.option[GROUP_HOSTED] == OPTION_VALUES_ON_HOST;
    if (some && !space_saves_partly(space)) {
        each_most_hosted(walk, choice);
        return;
    }
    for (int w = some ? 1 : 0; w <= (some ? space->hosted + space->begin_hosted : 0); w++) {
        choice.hosted = w;
        each_recomputed(walk, choice);
    }
}

static void each_option(const Walk *walk, Choice choice, int group)
{
    if (group == GROUP_PLACED) { /* tests/unit/search_placed.c */
        each_hosted(walk, choice);
        return;
    }
    const Options *options = &walk->space->options[group];
    bool used = options->degree == ALWAYS || choice.degree[options->degree] > 1;
    for (int o = 0; o < (used ? options->count : 1); o++) {
        if (used && options->option[o].excluded != NULL)
            continue;
        bool whole = group == GROUP_STATES && (!used || o == OPTION_DATA_PARALLEL);
        if (whole && choice.degree[DEGREE_REPLICA] > 1)
            continue;
        choice.option[group] = (int8_t)o;
        int64_t layers = walk->space->layers, stages = choice.degree[DEGREE_PIPELINE];
        bool interleaved = group == GROUP_SCHEDULE && used && o == OPTION_INTERLEAVED;
        for (int chunks = interleaved ? 2 : 1; chunks <= (interleaved ? layers : 1); chunks++) {
            if (interleaved && layers % (chunks * stages) != 0)
                continue;
            if (group == GROUP_SCHEDULE)
                choice.chunks = chunks;
            each_option(walk, choice, group + 1);
        }
    }
}

/* Every strategy of the space, each once. */
static void each_choice(const Walk *walk)
{
    const Space *space = walk->space;
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
                each_option(walk, choice, 0);
        }
    }
}

#endif
