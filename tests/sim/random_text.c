/* random_text.c - writes random .place programs. */
#include "tests/sim/random_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_AXES = 3, MAX_LABELS = 8 };

typedef struct Writer {
    Chance chance;
    char *text;
    size_t size, used;
    RandomProgram *what;
    int axis_count, axis_sizes[MAX_AXES], micro, batch, layers;
    bool sequence;
    int label_count;
    char labels[MAX_LABELS][32]; /* of parts of the model */
    int hand_count;
    const char *kept; /* until when gathered copies are */
} Writer;

static void put(Writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(Writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = w->used < w->size ? vsnprintf(w->text + w->used, w->size - w->used, format, args) : 0;
    va_end(args);
    w->used += length > 0 ? (size_t)length : 0;
}

static int below(Writer *w, int count)
{
    return chance_below(&w->chance, count);
}

static bool once_in(Writer *w, int times)
{
    return chance_once_in(&w->chance, times);
}

static int between(Writer *w, int low, int high)
{
    return low + below(w, high - low + 1);
}

#define PICK(w, words) ((words)[below((w), (int)(sizeof(words) / sizeof((words)[0])))])

static void label(Writer *w, const char *name)
{
    if (w->label_count < MAX_LABELS)
        snprintf(w->labels[w->label_count++], sizeof w->labels[0], "%s", name);
}

/* ---- Models ------------------------------------------------------------------------------------------------- */

static const char *const norms[] = {"layernorm", "rmsnorm"};
static const char *const activations[] = {"gelu", "relu", "relu6", "silu", "tanh"};

static void attention(Writer *w, int index)
{
    bool rope = once_in(w, 2), shared = once_in(w, 3);
    put(w, "        x = x + attention(%s(x) as norm%d, heads%s%s%s%s%s%s) as f%d\n", PICK(w, norms), index,
        once_in(w, 3) ? "" : ", causal", rope ? ", rope = 100" : "", shared ? ", kv_heads = 1" : "",
        once_in(w, 2) ? ", bias = none" : "", once_in(w, 6) ? ", dropout = 0.25" : "",
        once_in(w, 8) ? ", adapter = lora(rank = 2, scale = 2)" : "", index);
}

static void feed_forward(Writer *w, int index)
{
    static const char *const kinds[] = {"gelu", "relu", "silu", "swiglu", "tanh"};
    put(w, "        x = x + mlp(%s(x) as norm%d, %d, %s%s) as f%d\n", PICK(w, norms), index, between(w, 1, 5),
        PICK(w, kinds), once_in(w, 2) ? ", bias = none" : "", index);
}

static void experts(Writer *w, int index)
{
    int count = between(w, 2, 3);
    put(w, "        x = x + moe(%s(x) as norm%d, %d, %d, %d, %s", PICK(w, norms), index, count,
        between(w, 1, count - 1), between(w, 1, 3), PICK(w, activations));
    if (once_in(w, 2))
        put(w, ", capacity = 1");
    put(w, ") as f%d\n", index);
}

static void dense(Writer *w, int index)
{
    bool normalised = w->micro == 1 && once_in(w, 3);
    put(w, "        x = x %s %s%s(linear(%s, hidden%s%s%s) as f%d)%s\n", once_in(w, 4) ? "-" : "+",
        PICK(w, activations), normalised && !w->sequence ? "(batchnorm" : "", once_in(w, 6) ? "dropout(x, 0.5)" : "x",
        once_in(w, 3) ? ", bias = none" : "", once_in(w, 8) ? ", parameters = frozen" : "",
        once_in(w, 8) ? ", adapter = lora(rank = 2, scale = 2)" : "", index,
        normalised && !w->sequence ? (index == 1 ? " as normal1)" : " as normal2)") : "");
}

static void block(Writer *w, bool sequence)
{
    put(w, "    repeat block[%d] {\n", w->layers);
    label(w, "block");
    for (int index = 1, count = between(w, 1, 2); index <= count; index++) {
        int kind = sequence ? below(w, 8) : 7;
        if (kind < 3)
            attention(w, index);
        else if (kind < 5)
            feed_forward(w, index);
        else if (kind < 6)
            experts(w, index);
        else
            dense(w, index);
        char name[32];
        snprintf(name, sizeof name, "block.f%d", index);
        label(w, name);
    }
    put(w, "    }\n");
}

/* Terms of a loss: its own, then what is added to it. `dims` are those of the terms. */
static void loss(Writer *w, const char *term, const char *dims, const char *mask, const char *hidden_dims)
{
    bool sum = once_in(w, 4);
    put(w, "    loss = %s over %s of %s", sum ? "sum" : "mean", dims, term);
    if (once_in(w, sum ? 2 : 16))
        put(w, " where %s", mask);
    if (once_in(w, 4))
        put(w, " + 0.5 * mean over %s of x * x", hidden_dims);
    put(w, "\n}\n");
}

static void sequence_model(Writer *w)
{
    int heads = between(w, 1, 4), hidden = heads * 2 * between(w, 1, 2);
    w->sequence = true;
    put(w, "model m(hidden = %d, heads = %d, context = %d, vocab = %d) {\n", hidden, heads, between(w, 1, 5),
        between(w, 3, 5));
    put(w, "    input tokens, targets : int[batch, context]\n");
    put(w, "    x = embedding(tokens, vocab, hidden) as wte%s\n",
        once_in(w, 2) ? " + positions(context, hidden) as wpe" : "");
    label(w, "wte");
    block(w, true);
    put(w, "    logits = linear(%s(x) as norm, vocab", PICK(w, norms));
    label(w, "norm");
    if (once_in(w, 2)) {
        put(w, ", weight = wte.table, bias = none)\n");
    } else {
        put(w, ") as head\n");
        label(w, "head");
    }
    loss(w, "cross_entropy(logits, targets)", "batch, context", "targets != 0", "batch, context, hidden");
}

static void vector_model(Writer *w)
{
    bool classes = once_in(w, 2);
    put(w, "model m(inputs = %d, hidden = %d, outputs = %d) {\n", between(w, 1, 5), between(w, 1, 5), between(w, 2, 4));
    put(w, "    input features : f32[batch, inputs]\n");
    put(w, classes ? "    input targets : int[batch]\n" : "    input targets : f32[batch, outputs]\n");
    put(w, "    x = %s(linear(features, hidden) as first)\n", PICK(w, activations));
    label(w, "first");
    block(w, false);
    put(w, "    y = linear(x, outputs) as head\n");
    label(w, "head");
    if (classes)
        loss(w, "cross_entropy(y, targets)", "batch", "targets != 1", "batch, hidden");
    else
        loss(w, "squared_error(y, targets)", "batch, outputs", "targets < y", "batch, hidden");
}

static void image_model(Writer *w)
{
    int groups = between(w, 1, 2);
    put(w, "model m(size = %d, classes = %d) {\n    input images : f32[batch, 2, size, size]\n", between(w, 4, 5),
        between(w, 2, 3));
    put(w, "    input targets : int[batch]\n");
    put(w, "    x = %s(convolution(images, %d, %d, pad = 1%s) as first)\n", PICK(w, activations), 2 * groups,
        between(w, 2, 3), once_in(w, 2) ? ", bias = none" : "");
    label(w, "first");
    put(w, "    x = %s(x, 2, stride = %d)\n", once_in(w, 2) ? "max_pool" : "mean_pool", between(w, 1, 2));
    put(w, "    x = %s(convolution(x, %d, 2, groups = %d) as second)\n", PICK(w, activations), groups, groups);
    label(w, "second");
    put(w, "    y = linear(%s(x), classes) as head\n", once_in(w, 2) ? "flatten" : "global_mean");
    label(w, "head");
    put(w, "    loss = %s over batch of cross_entropy(y, targets)\n}\n", once_in(w, 4) ? "sum" : "mean");
}

/* ---- Strategies --------------------------------------------------------------------------------------------- */

static void used(Writer *w, const char *strategy)
{
    RandomProgram *what = w->what;
    if (what->strategy_count < 4)
        snprintf(what->strategies[what->strategy_count++], sizeof what->strategies[0], "%s", strategy);
}

/* A part of the model, or one of its layers; "" for everything. */
static void selector(Writer *w)
{
    if (w->label_count == 0 || once_in(w, 2))
        return;
    const char *name = w->labels[below(w, w->label_count)];
    if (!strcmp(name, "block") && once_in(w, 2))
        put(w, " of block[%d]", below(w, w->layers));
    else
        put(w, " of %s", name);
}

/* What is not placed is replicated. */
static void place(Writer *w, const char *state, const char *part, bool cut)
{
    bool gathered = !strcmp(state, "parameters");
    if (cut)
        put(w, "    %s%s %s over d%s\n", state, part, gathered ? "gathered" : "sharded", gathered ? w->kept : "");
    else if (*part)
        put(w, "    %s%s replicated over d\n", state, part);
}

static void placements(Writer *w)
{
    static const char *const states[] = {"parameters", "gradients", "optimizer"};
    put(w, "    activations sharded over d by batch\n");
    for (int s = 0; s < 3; s++)
        place(w, states[s], "", once_in(w, 2));
    if (w->label_count == 0 || once_in(w, 2))
        return;
    char part[64];
    const char *name = w->labels[below(w, w->label_count)];
    if (!strcmp(name, "block") && once_in(w, 2))
        snprintf(part, sizeof part, " of block[%d]", below(w, w->layers));
    else
        snprintf(part, sizeof part, " of %s", name);
    for (int s = 0; s < 3; s++)
        if (!once_in(w, 4))
            place(w, states[s], part, once_in(w, 2));
}

static void sync_clause(Writer *w)
{
    static const char *const operations[] = {"sum over d", "sum over d", "sum over d", "mean over d", "none"};
    static const char *const moments[] = {"", " at step", " at step", " each microbatch", " after microbatch 0"};
    static const char *const scales[] = {"", "", "", "", " scale 1 / d", " scale d", " scale 1 / microbatches"};
    const char *operation = PICK(w, operations);
    put(w, "%s", operation);
    if (!strcmp(operation, "none"))
        return;
    put(w, "%s%s%s%s", once_in(w, 4) ? " into shards" : "", PICK(w, moments), PICK(w, scales),
        once_in(w, 6) ? " wait at step" : "");
}

static void syncs(Writer *w)
{
    static const char *const of_parameters[] = {
        "gather over d at step", "gather over d",        "none",       "mean over d at step",
        "broadcast over d",      "sum over d scale 1/d", "sum over d", "broadcast over d at start"};
    static const char *const of_states[] = {"mean over d", "sum over d scale 1/d", "broadcast over d", "sum over d"};
    for (int count = between(w, 1, 2); count > 0; count--) {
        switch (below(w, 6)) {
        case 0:
            put(w, "    sync loss : %s\n", once_in(w, 2) ? "sum over d" : once_in(w, 2) ? "mean over d" : "none");
            break;
        case 1:
            put(w, "    sync parameters : %s\n", PICK(w, of_parameters));
            break;
        case 2:
            if (once_in(w, 3)) {
                put(w, "    sync optimizer : %s\n", PICK(w, of_states));
                break;
            }
            put(w, "    sync norm : %s\n",
                once_in(w, 2)   ? "sum over d"
                : once_in(w, 2) ? "mean over d scale d"
                                : "none");
            break;
        case 3:
            put(w, "    sync count : none\n    sync loss : mean over d\n    sync gradients : %s over d\n",
                once_in(w, 3) ? "sum" : "mean");
            return;
        default:
            put(w, "    sync gradients");
            selector(w);
            put(w, " : ");
            sync_clause(w);
            if (once_in(w, 6)) {
                put(w, " then ");
                sync_clause(w);
            }
            put(w, "\n");
        }
    }
}

/* A strategy of one axis; its name. */
static void by_hand(Writer *w, char *name, size_t size)
{
    snprintf(name, size, "hand%d", w->hand_count++);
    put(w, "strategy %s(d: axis) {\n", name);
    placements(w);
    if (once_in(w, 2)) {
        w->what->by_hand = true;
        syncs(w);
        used(w, "sync");
    } else {
        used(w, "placements");
    }
    put(w, "}\n");
}

/* Syncs of values, beside a strategy that cuts parameters by dims over the same axis; some name nothing. */
static void written(Writer *w, char *name, size_t size)
{
    static const char *const values[] = {
        "activations of block.f1.product", "activations of block.f2.product", "activations of wte",
        "activations of block.f1",         "activations of logits",           "cotangents of *.norm1",
        "cotangents of *.norm1",           "cotangents of *.norm2",           "cotangents of norm"};
    static const char *const clauses[] = {
        "sum over d",
        "sum over d",
        "sum over d",
        "none",
        "mean over d",
        "max over d",
        "broadcast over d",
        "sum over d scale 1/d",
        "sum over d into shards by context then gather over d",
        "sum over d into shards by context derive the rest",
    };
    snprintf(name, size, "written%d", w->hand_count++);
    put(w, "strategy %s(d: axis) {\n", name);
    for (int count = between(w, 1, 2); count > 0; count--)
        put(w, "    sync %s : %s%s\n", PICK(w, values), PICK(w, clauses), once_in(w, 8) ? " when d > 2" : "");
    put(w, "}\n");
    w->what->by_hand = true;
    used(w, "sync of values");
}

static const char *const prelude[] = {"data_parallel", "zero1", "zero2", "zero3", "fsdp"};
/* Of models of sequences only. */
static const char *const others[] = {"tensor_parallel", "megatron", "context_parallel",
                                     "ulysses",         "ring",     "expert_parallel"};

/* Declares what is by hand; writes the expression that composes one strategy per axis. */
static void strategies(Writer *w, char *expression, size_t size)
{
    size_t length = 0;
    bool piped = false;
    for (int a = 0; a < w->axis_count; a++) {
        char name[32];
        const char *more = "";
        if (!piped && once_in(w, 5)) {
            snprintf(name, sizeof name, "pipeline");
            more = once_in(w, 3) ? ", schedule = gpipe" : "";
            used(w, name);
            piped = true;
        } else if (w->sequence && once_in(w, 3)) {
            snprintf(name, sizeof name, "%s", PICK(w, others));
            bool tensor = !strcmp(name, "tensor_parallel") || !strcmp(name, "megatron");
            more = !tensor || once_in(w, 2) ? "" : once_in(w, 2) ? ", sequence_parallel = true" : ", vocab = true";
            used(w, name);
        } else if (once_in(w, 2)) {
            by_hand(w, name, sizeof name);
        } else {
            snprintf(name, sizeof name, "%s", PICK(w, prelude));
            used(w, name);
        }
        length += (size_t)snprintf(expression + length, size - length, "%s%s(d%d%s)", a ? " * " : "", name, a, more);
        if (w->sequence && !piped && once_in(w, 6)) {
            written(w, name, sizeof name);
            length += (size_t)snprintf(expression + length, size - length, " * %s(d%d)", name, a);
        }
    }
    if (once_in(w, 4)) {
        snprintf(expression + length, size - length, " * recompute(%s)", once_in(w, 2) ? "block[*]" : "block[*].f1");
        used(w, "recompute");
    }
}

/* ---- The rest ----------------------------------------------------------------------------------------------- */

/* Axis sizes and the number of microbatches, pairwise different where not 1. */
static void choose_sizes(Writer *w)
{
    int sizes[] = {2, 3, 5}, left = 3;
    w->axis_count = once_in(w, 12) ? 3 : between(w, 1, 2);
    for (int a = 0; a <= w->axis_count; a++) {
        int at = left > 0 ? below(w, left) : -1;
        int size = at < 0 || once_in(w, 6) ? 1 : sizes[at];
        if (at >= 0 && size > 1)
            sizes[at] = sizes[--left];
        if (a < w->axis_count)
            w->axis_sizes[a] = size;
        else
            w->micro = size;
    }
    w->batch = w->micro * between(w, 1, 7);
    w->layers = between(w, 1, 5);
}

static void mesh(Writer *w)
{
    int devices = 1;
    for (int a = 0; a < w->axis_count; a++)
        devices *= w->axis_sizes[a];
    put(w, "cluster here { %d devices of cpu }\nmesh local on here {", devices);
    for (int a = 0; a < w->axis_count; a++)
        put(w, "%s d%d: %d", a ? "," : "", a, w->axis_sizes[a]);
    put(w, " }\n");
}

static void train(Writer *w, const char *strategy)
{
    static const char *const optimizers[] = {
        "sgd(rate = 0.1)",
        "sgd(rate = 0.1, warmup = 2)",
        "momentum(rate = 0.1, momentum = 0.5)",
        "adam(rate = 0.01, decay = 0.1)",
        "adamw(rate = 0.01, warmup = 2, decay = 0.1)",
        "adamw(rate = 0.01, warmup = 1, total = 9, decay = 0.1, beta2 = 0.75)",
        "lamb(rate = 0.01, decay = 0.1)",
        "lars(rate = 0.1, momentum = 0.5, decay = 0.1)",
        "adafactor(rate = 0.01)",
        "muon(rate = 0.01, decay = 0.1)",
    };
    put(w, "train m on local {\n    strategy %s\n    optimizer %s\n", strategy, PICK(w, optimizers));
    if (once_in(w, 2))
        put(w, "    clip norm 0.25\n");
    put(w, "    precision f64%s\n    data synthetic", once_in(w, 10) ? ", loss_scale dynamic" : "");
    if (once_in(w, 16)) {
        put(w, " read by none");
        w->what->by_hand = true;
    }
    put(w, "\n");
    if (once_in(w, 16)) {
        put(w, "    seed 1 + coordinate(d0)\n");
        w->what->by_hand = true;
    }
    put(w, "    batch %d in %d microbatches\n    steps 3\n}\n", w->batch, w->micro);
}

void random_text(uint64_t seed, uint64_t index, char *text, size_t size, RandomProgram *what)
{
    Writer w = {.chance = chance_new(seed, index), .text = text, .size = size, .what = what};
    char expression[256];
    *what = (RandomProgram){0};
    choose_sizes(&w);
    w.kept = once_in(&w, 3) ? " kept until step" : "";
    put(&w, "place 1\n");
    int kind = below(&w, 8);
    if (kind == 0)
        image_model(&w);
    else if (kind < 5)
        sequence_model(&w);
    else
        vector_model(&w);
    mesh(&w);
    if (once_in(&w, 6))
        put(&w, "state average { one per parameter; lives run; start parameters; "
                "update after optimizer : 0.75 * average + 0.25 * parameters }\n");
    strategies(&w, expression, sizeof expression);
    train(&w, expression);
}
