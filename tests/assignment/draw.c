/* draw.c - writes random strategies (tests/assignment/draw.h). */
#include "tests/assignment/draw.h"

#include "tests/sim/chance.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_AXES = 3 };

/* What strategies can name in a model; lists end in NULL. */
typedef struct Model {
    const char *text; /* with a number of layers, and a variant */
    const char *variants[4];
    const char *const *parameters, *const *values, *const *dims;
    bool images;
} Model;

static const char *const gpt_parameters[] = {
    "wte",    "wpe",   "norm",     "head",   "block",     "block.attn",  "block.mlp",   "block.norm1", "*.up",
    "*.down", "*.out", "*.weight", "*.bias", "wte.table", "head.weight", "block.norm2", "*.qkv",       NULL};
static const char *const gpt_values[] = {"block",     "block.attn", "block.mlp", "block.norm1", "*.norm2", "*.scores",
                                         "*.weights", "*.product",  "*.mixed",   "x",           "wte",     NULL};
static const char *const gpt_dims[] = {"out", "in", "heads", "hidden", "vocab", "context", NULL};
static const char *const two_parameters[] = {"first", "block", "late",     "block.f1", "late.f2", "late.f3",
                                             "head",  "*.f2",  "*.weight", "*.bias",   NULL};
static const char *const two_values[] = {"first", "block", "late", "late.f2", "*.f3", "block.f1", "x", NULL};
static const char *const two_dims[] = {"out", "in", "hidden", NULL};
static const char *const image_parameters[] = {"first",        "normal", "block",    "block.conv",
                                               "block.normed", "head",   "*.weight", NULL};
static const char *const image_values[] = {"first", "block", "block.conv", "block.normed", "x", NULL};
static const char *const image_dims[] = {"out", "in", "height", "width", "channels", NULL};

static const Model models[] = {
    {"model m(layers = %d, hidden = 8, heads = 4, context = 4, vocab = 8) {\n"
     "    input tokens, targets : int[batch, context]\n"
     "    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe\n"
     "    repeat block[layers] {\n"
     "        x = x + attention(layernorm(x) as norm1, heads, causal%s) as attn\n"
     "        x = x + mlp(rmsnorm(x) as norm2, 12, swiglu) as mlp\n"
     "    }\n"
     "    loss = mean over batch, context of cross_entropy(linear(layernorm(x) as norm, vocab) as head, targets)\n}\n",
     {"", ", weights = fused", ", adapter = lora(rank = 2, scale = 2)", ", kv_heads = 2"},
     gpt_parameters,
     gpt_values,
     gpt_dims,
     false},
    {"model m(layers = %d, hidden = 8) {\n"
     "    input a, b : f64[batch, hidden]\n"
     "    x = linear(a, hidden) as first\n"
     "    repeat block[layers] { x = x + relu(linear(x, hidden) as f1) }\n"
     "    repeat late[layers + 1] {\n"
     "        x = x + tanh(linear(x, hidden, bias = none) as f2)\n"
     "        x = x + linear(x, hidden%s) as f3\n"
     "    }\n"
     "    loss = mean over batch, hidden of squared_error(linear(x, hidden) as head, b)\n}\n",
     {"", "", ", parameters = frozen", ", bias = none"},
     two_parameters,
     two_values,
     two_dims,
     false},
    {"model m(layers = %d, height = 4, width = 4) {\n"
     "    input pixels : f64[batch, 2, height, width]\n"
     "    input labels : int[batch]\n"
     "    x = relu(batchnorm(convolution(pixels, 4, 3, pad = 1) as first) as normal)\n"
     "    repeat block[layers] { x = x + relu(batchnorm(convolution(x, 4, 3, pad = 1%s) as conv) as normed) }\n"
     "    loss = mean over batch of cross_entropy(linear(flatten(x), 4) as head, labels)\n}\n",
     {"", "", ", parameters = frozen", ", bias = none"},
     image_parameters,
     image_values,
     image_dims,
     true},
};

typedef struct Writer {
    Chance chance;
    Draw *draw;
    const Model *model;
    int layers, micro;
    bool state; /* there is a declared one */
    char *to;   /* the statement that is written */
} Writer;

static void put(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Appends. */
static void put(char *to, size_t size, const char *format, ...)
{
    va_list args;
    size_t used = strlen(to);
    va_start(args, format);
    vsnprintf(to + used, size - used, format, args);
    va_end(args);
}

#define SAY(w, ...) put((w)->to, DRAW_LONGEST, __VA_ARGS__)
#define COUNT(words) ((int)(sizeof(words) / sizeof((words)[0])))
#define PICK(w, ...) pick(w, (const char *const[]){__VA_ARGS__}, COUNT(((const char *const[]){__VA_ARGS__})))

static int below(Writer *w, int count)
{
    return chance_below(&w->chance, count);
}

static bool once_in(Writer *w, int times)
{
    return chance_once_in(&w->chance, times);
}

static const char *pick(Writer *w, const char *const *words, int count)
{
    return words[below(w, count)];
}

/* Says one of the words. */
#define SAY_ONE(w, ...) SAY(w, "%s", PICK(w, __VA_ARGS__))

static const char *pick_of(Writer *w, const char *const *words)
{
    int count = 0;
    while (words[count] != NULL)
        count++;
    return words[below(w, count)];
}

/* ---- Parts of statements -------------------------------------------------------------------------------------- */

static const char axis_names[] = "pqs"; /* of a strategy's parameters */

static void over(Writer *w)
{
    int first = below(w, w->draw->axes), second = below(w, w->draw->axes);
    SAY(w, " over %c", axis_names[first]);
    if (second != first && once_in(w, 2))
        SAY(w, ", %c", axis_names[second]);
}

/* A label, of some layers maybe. */
static void label(Writer *w, const char *name, bool in_layers)
{
    bool block = strncmp(name, "block", 5) == 0, late = strncmp(name, "late", 4) == 0;
    if (!in_layers || !(block || late) || once_in(w, 2)) {
        SAY(w, "%s", name);
        return;
    }
    int first = below(w, w->layers + late), last = first + below(w, w->layers + late - first), named = block ? 5 : 4;
    SAY(w, "%.*s[%d", named, name, first);
    if (last > first)
        SAY(w, "%s%d", once_in(w, 2) ? ".." : ", ", last);
    SAY(w, "]%s", name + named);
}

static void selectors(Writer *w, const char *const *names, bool in_layers)
{
    SAY(w, " of ");
    label(w, pick_of(w, names), in_layers);
    if (once_in(w, 2))
        return;
    SAY(w, ", ");
    label(w, pick_of(w, names), in_layers);
}

static void maybe_parameters(Writer *w)
{
    if (!once_in(w, 3))
        selectors(w, w->model->parameters, true);
}

static const char *state_name(Writer *w)
{
    return w->state && once_in(w, 4) ? "average" : PICK(w, "parameters", "gradients", "optimizer", "optimizer");
}

/* ---- Placements ----------------------------------------------------------------------------------------------- */

static void place_state(Writer *w)
{
    const char *state = state_name(w);
    bool gathers = strcmp(state, "parameters") == 0, kept = gathers && once_in(w, 4);
    SAY(w, "%s", state);
    maybe_parameters(w);
    SAY(w, " %s", once_in(w, 5) ? "replicated" : gathers ? "gathered" : "sharded");
    over(w);
    if (once_in(w, 6))
        SAY_ONE(w, " offloaded to host", " to file");
    if (kept)
        SAY(w, " kept until step");
    if (once_in(w, 8))
        SAY_ONE(w, " when p > 1", " when always");
}

static void offload_state(Writer *w)
{
    SAY(w, "%s", state_name(w));
    maybe_parameters(w);
    SAY_ONE(w, " offloaded", " offloaded to host", " offloaded to file");
}

static void shard_by_dim(Writer *w)
{
    SAY(w, "parameters");
    selectors(w, w->model->parameters, true);
    SAY_ONE(w, " sharded", " gathered");
    SAY(w, " over %c", axis_names[below(w, w->draw->axes)]);
    SAY(w, " by %s where present", pick_of(w, w->model->dims));
}

static void shard_values(Writer *w)
{
    SAY(w, "activations");
    if (once_in(w, 2))
        selectors(w, w->model->values, false);
    SAY(w, " sharded");
    over(w);
    SAY(w, " by %s", pick_of(w, w->model->dims));
    SAY_ONE(w, "", "", " where present");
}

static void recompute_values(Writer *w)
{
    SAY(w, "activations");
    selectors(w, w->model->values, true);
    SAY_ONE(w, " materialized", " materialized", " materialized where present");
}

static void offload_values(Writer *w)
{
    SAY(w, "activations");
    if (!once_in(w, 8))
        selectors(w, w->model->values, true);
    SAY_ONE(w, " offloaded", " offloaded to file");
}

/* Of a name that nothing reads, or without the dim, nothing is left. */
static void pin_values(Writer *w)
{
    bool parameters = once_in(w, 4);
    SAY(w, "%s", parameters ? "gradients" : PICK(w, "activations", "activations", "cotangents"));
    selectors(w, parameters ? w->model->parameters : w->model->values, true);
    SAY_ONE(w, " computed", " computed", " computed", " computed", " recomputed");
    over(w);
    if (once_in(w, 2))
        SAY(w, " by %s", pick_of(w, w->model->dims));
    else
        SAY_ONE(w, " whole", " whole", " by 0", " by 1", " by 2", " by batch", " in parts");
    if (once_in(w, 4))
        SAY(w, " from %s", pick_of(w, w->model->values));
    SAY(w, " where present");
}

static void keep_copies(Writer *w)
{
    SAY_ONE(w, "activations", "activations", "cotangents");
    selectors(w, w->model->values, true);
    SAY(w, " converted");
    over(w);
    SAY_ONE(w, " kept until use", " kept until pass", " kept until step", " kept until pass at once", " at once",
            " at use", " by ring", " by collective");
    if (once_in(w, 4))
        SAY_ONE(w, " for activations", " for cotangents", " for gradients");
    if (once_in(w, 8))
        SAY(w, " from %s", pick_of(w, w->model->values));
    SAY(w, " where present");
}

static void stages(Writer *w)
{
    bool chunks = once_in(w, 3);
    SAY(w, "schedule %s", chunks ? "interleaved" : PICK(w, "one_f_one_b", "gpipe"));
    SAY(w, " over %c%s", axis_names[below(w, w->draw->axes)], chunks ? " chunks 2" : "");
}

/* ---- Syncs ------------------------------------------------------------------------------------------------------ */

static void gradient_clause(Writer *w)
{
    SAY_ONE(w, "sum", "sum", "mean");
    over(w);
    SAY_ONE(w, "", "", "", " into shards");
    SAY_ONE(w, "", " at step", " each microbatch", " after microbatch 0");
    if (once_in(w, 4))
        SAY_ONE(w, " scale 1/p", " scale -2 * p", " scale microbatches");
    if (once_in(w, 6))
        SAY_ONE(w, " in f32", " in bf16");
    SAY_ONE(w, "", "", "", "", " wait at step");
    SAY_ONE(w, "", "", "", " derive the rest");
}

static void sync_gradients(Writer *w)
{
    SAY(w, "sync gradients");
    if (once_in(w, 5))
        SAY_ONE(w, " of *.qkv segment 0", " of *.qkv segment 1", " of *.qkv segment 0, 2");
    else
        maybe_parameters(w);
    SAY(w, " : ");
    if (once_in(w, 8)) {
        SAY(w, "none");
        return;
    }
    gradient_clause(w);
    if (once_in(w, 3)) {
        SAY(w, " then ");
        gradient_clause(w);
    }
}

static void sync_parameters(Writer *w)
{
    SAY(w, "sync parameters");
    maybe_parameters(w);
    if (once_in(w, 6)) {
        SAY(w, " : none");
        return;
    }
    bool starts = once_in(w, 3);
    SAY(w, " : %s", starts ? "broadcast" : PICK(w, "gather", "sum", "mean", "broadcast"));
    over(w);
    if (starts)
        SAY(w, " at start");
    else
        SAY_ONE(w, "", " wait at step", " derive the rest");
}

static void sync_states(Writer *w)
{
    SAY(w, "sync %s", w->state && once_in(w, 2) ? "average" : PICK(w, "optimizer", "adam_m", "adam_v"));
    maybe_parameters(w);
    SAY_ONE(w, " : sum", " : mean", " : max", " : broadcast");
    over(w);
    SAY_ONE(w, "", " wait at step");
}

static void sync_values(Writer *w)
{
    const char *operation = PICK(w, "sum", "mean", "max", "broadcast", "gather", "exchange", "none");
    SAY_ONE(w, "sync activations", "sync cotangents");
    selectors(w, w->model->values, false);
    SAY(w, " : %s", operation);
    if (strcmp(operation, "none") == 0)
        return;
    over(w);
    if (strcmp(operation, "exchange") == 0 || (strcmp(operation, "sum") == 0 && once_in(w, 3)))
        SAY(w, "%s by %s", *operation == 's' ? " into shards" : "", pick_of(w, w->model->dims));
    SAY_ONE(w, "", "", " wait at use", " scale 3", " derive the rest");
}

static void sync_numbers(Writer *w)
{
    SAY_ONE(w, "sync loss", "sync norm", "sync clip_factor", "sync step", "sync rate");
    SAY_ONE(w, " : sum", " : mean", " : max");
    over(w);
}

static void sync_statistics(Writer *w)
{
    SAY_ONE(w, "sync statistics", "sync statistics of normal", "sync statistics of block.normed");
    SAY_ONE(w, " : sum", " : mean", " : max");
    over(w);
}

/* Half of the strategies have no syncs. */
static void statement(Writer *w, bool syncs)
{
    static void (*const placements[])(Writer *) = {
        place_state,    place_state, place_state, offload_state, shard_by_dim, shard_values, recompute_values,
        offload_values, stages,      pin_values,  pin_values,    pin_values,   keep_copies,  keep_copies};
    static void (*const explicit[])(Writer *) = {sync_gradients, sync_gradients, sync_parameters,
                                                 sync_states,    sync_values,    sync_numbers};
    if (!syncs || once_in(w, 2))
        placements[below(w, COUNT(placements))](w);
    else if (w->model->images && once_in(w, 4))
        sync_statistics(w);
    else
        explicit[below(w, COUNT(explicit))](w);
}

/* ---- Programs --------------------------------------------------------------------------------------------------- */

static void write_head(Writer *w)
{
    static const int sizes[] = {2, 2, 3, 4, 1};
    Draw *draw = w->draw;
    int devices = 1, of[MOST_AXES];
    for (int a = 0; a < draw->axes; a++)
        devices *= of[a] = sizes[below(w, COUNT(sizes))];
    put(draw->head, sizeof draw->head, "place 1\n");
    char model[1024];
    snprintf(model, sizeof model, w->model->text, w->layers, w->model->variants[below(w, COUNT(w->model->variants))]);
    put(draw->head, sizeof draw->head, "%scluster here { %d devices of cpu }\nmesh grid on here {", model, devices);
    for (int a = 0; a < draw->axes; a++)
        put(draw->head, sizeof draw->head, "%s d%d: %d", a > 0 ? "," : "", a, of[a]);
    put(draw->head, sizeof draw->head, " }\n%s",
        w->state ? "state average { one per parameter; lives run; "
                   "update after optimizer : 0.5 * average + 0.5 * parameters }\n"
                 : "");
}

static void write_train(Writer *w)
{
    Draw *draw = w->draw;
    const char *call = PICK(w, "data_parallel", "zero1", "zero2", "zero3", "tensor_parallel", "ring", "ulysses");
    const char *optimizer = PICK(w, "adam", "adamw", "momentum"),
               *precision = PICK(w, "f32", "f64", "bf16, master f32");
    if (once_in(w, 2))
        put(draw->call, sizeof draw->call, " * %s(d%d)", call, below(w, draw->axes));
    put(draw->rest, sizeof draw->rest,
        "    optimizer %s(rate = 0.1)\n    precision %s\n    batch %d in %d microbatches\n    steps 2\n", optimizer,
        precision, 24 * w->micro, w->micro);
    if (once_in(w, 2))
        put(draw->rest, sizeof draw->rest, "    clip norm 1.0\n");
    if (w->model->images && w->micro > 1)
        put(draw->rest, sizeof draw->rest, "    contract statistics per microbatch\n");
}

void draw_program(Draw *draw, uint64_t seed, uint64_t index)
{
    Writer w = {.chance = chance_new(seed, index), .draw = draw};
    *draw = (Draw){0};
    w.model = &models[once_in(&w, 2) ? 0 : 1 + below(&w, 2)];
    w.layers = 1 + below(&w, 5);
    w.micro = 1 + below(&w, 3);
    w.state = once_in(&w, 3);
    draw->axes = 1 + below(&w, MOST_AXES);
    draw->strategies = 1 + below(&w, 2);
    write_head(&w);
    write_train(&w);
    bool syncs = once_in(&w, 2);
    draw->count = DRAW_STATEMENTS / 2 + below(&w, DRAW_STATEMENTS / 2 + 1);
    for (int i = 0; i < draw->count; i++) {
        w.to = draw->statements[i];
        draw->strategy_of[i] = below(&w, draw->strategies);
        statement(&w, syncs);
    }
}

/* "p: axis, q: axis", or "d0, d1". */
static void put_axes(const Draw *draw, char *text, size_t size, bool declared)
{
    for (int a = 0; a < draw->axes; a++)
        declared ? put(text, size, "%c: axis, ", axis_names[a]) : put(text, size, "%sd%d", a > 0 ? ", " : "", a);
}

const char *draw_text(const Draw *draw, char *text, size_t size)
{
    *text = '\0';
    put(text, size, "%s", draw->head);
    for (int s = 0; s < draw->strategies; s++) {
        put(text, size, "strategy s%d(", s);
        put_axes(draw, text, size, true);
        put(text, size, "always = true) {\n");
        for (int i = 0; i < draw->count; i++)
            if (draw->chosen[i] && draw->strategy_of[i] == s)
                put(text, size, "    %s\n", draw->statements[i]);
        put(text, size, "}\n");
    }
    put(text, size, "train m on grid {\n    strategy ");
    for (int s = 0; s < draw->strategies; s++) {
        put(text, size, "%ss%d(", s > 0 ? " * " : "", s);
        put_axes(draw, text, size, false);
        put(text, size, ")");
    }
    put(text, size, "%s\n%s}\n", draw->call, draw->rest);
    return text;
}
