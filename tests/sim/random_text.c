/* random_text.c - writes random .place programs. */
#include "tests/sim/random_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_AXES = 4, MAX_LABELS = 8, MOST_SYNCS = 4 };

/* What is done over an axis: a strategy of the prelude, with arguments, or one by hand. */
typedef struct Over {
    const char *strategy, *arguments;
    bool by_hand, gathers; /* parameters are stored sharded */
    bool has_syncs;        /* by_hand: synchronisations are written, not derived */
} Over;

typedef struct Writer {
    Chance chance;
    char *text;
    size_t size, used;
    RandomProgram *what;
    bool small; /* a program that is built and run: few ranks, and one seed and reader for all */
    int axis_count, axis_sizes[MAX_AXES], micro, batch, layers;
    enum { IMAGES, SEQUENCES, VECTORS } kind;
    /* Chosen before the model, which must be one that they apply to. */
    Over over[MAX_AXES + 1]; /* the last: over all axes together */
    bool together;           /* a strategy is over all axes */
    int stages;              /* of a pipeline; 1: there is none, 0: not yet */
    bool piped;              /* there is a pipeline, of one stage maybe */
    int chunks;              /* of layers that each stage has, or 0 */
    bool cuts_context, attends, experts;
    bool statistics; /* there are running ones */
    bool normalised; /* over the batch */
    int copies;      /* 1 + the axis along which ranks are copies, or 0 */
    int pieces;      /* how many ranks rows of images are cut over, or 0 */
    int column_pieces;
    bool pixels; /* each has a target: windows leave the rows and columns of images what they are */
    int channels, rows, columns;
    bool written_block; /* the block's first part has a norm and a value of its own */
    bool counted;       /* the loss is a mean over what a mask leaves */
    bool synced[4];     /* which numbers have a sync: one can */
    int context;
    int label_count;
    char labels[MAX_LABELS][32]; /* of parts of the model */
    int hand_count;
    char fused[32];   /* a layer whose weight is fused; "": there is none */
    const char *kept; /* until when gathered copies are */
    const char *optimizer, *tier;
    bool is_away;    /* something is stored there */
    bool average;    /* there is a declared state */
    char router[16]; /* the label of a mixture of experts; "": there is none */
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
    static const char *const kinds[] = {"", "", ", weights = fused", ", weights = interleaved",
                                        ", adapter = lora(rank = 2, scale = 2)"};
    static const char *const biases[] = {"", "", ", bias = none", ", bias = none", ", bias = qkv"};
    bool rope = once_in(w, 2), shared = once_in(w, 3);
    const char *kind = PICK(w, kinds);
    if (strstr(kind, "weights"))
        snprintf(w->fused, sizeof w->fused, "block.f%d.qkv", index);
    put(w, "        x = x + attention(%s(x) as norm%d, heads%s%s%s%s%s%s%s) as f%d\n", PICK(w, norms), index,
        once_in(w, 3) ? "" : ", causal", rope ? ", rope = 100" : "", shared ? ", kv_heads = 1" : "",
        once_in(w, 5) ? ", head_dim = 2" : "", PICK(w, biases), once_in(w, 6) ? ", dropout = 0.25" : "", kind, index);
}

static void feed_forward(Writer *w, int index)
{
    static const char *const kinds[] = {"gelu", "relu", "silu", "swiglu", "swiglu, weights = fused", "tanh"};
    const char *kind = PICK(w, kinds);
    if (strstr(kind, "weights"))
        snprintf(w->fused, sizeof w->fused, "block.f%d.gate_up", index);
    put(w, "        x = x + mlp(%s(x) as norm%d, %d, %s%s) as f%d\n", PICK(w, norms), index, between(w, 1, 5), kind,
        once_in(w, 2) ? ", bias = none" : "", index);
}

static void experts(Writer *w, int index)
{
    snprintf(w->router, sizeof w->router, "block.f%d", index);
    int count = between(w, 2, 3), top = between(w, 1, count - 1), limit = below(w, w->small ? 2 : 3);
    put(w, "        x = x + moe(%s(x) as norm%d, %d, %d, %d, %s", PICK(w, norms), index, count, top, between(w, 1, 3),
        PICK(w, activations));
    if (limit == 1)
        put(w, ", capacity = 1");
    if (limit == 2) { /* One place less than there are rows, if there are several. It is rounded up to whole places. */
        int places = w->context > 1 ? w->context - 1 : 1, thousandths = 1000 * places * count / (top * w->context);
        put(w, ", room = %d.%03d", thousandths / 1000, thousandths % 1000);
    }
    put(w, ") as f%d\n", index);
}

static void dense(Writer *w, int index)
{
    bool normalised = w->normalised && (w->stages == 1 || (w->micro == 1 && !w->chunks)) && once_in(w, 2);
    w->statistics |= normalised;
    bool frozen = once_in(w, 4), adapted = frozen && once_in(w, 2);
    put(w, "        x = x %s %s%s(linear(%s, hidden%s%s%s) as f%d)%s\n", once_in(w, 4) ? "-" : "+",
        PICK(w, activations), normalised ? "(batchnorm" : "", once_in(w, 6) ? "dropout(x, 0.5)" : "x",
        once_in(w, 3) ? ", bias = none" : "", frozen && !adapted ? ", parameters = frozen" : "",
        adapted ? ", adapter = lora(rank = 2, scale = 2)" : "", index,
        !normalised  ? ""
        : index == 1 ? " as normal1)"
                     : " as normal2)");
}

/* Of images: as many rows and columns as before. */
static void convolved(Writer *w, int index)
{
    bool normalised = w->normalised && (w->stages == 1 || (w->micro == 1 && !w->chunks)) && once_in(w, 2);
    w->statistics |= normalised;
    put(w, "        x = x %s %s%s(convolution(%s, %d, 3, pad = 1, groups = %d%s%s) as f%d)%s\n",
        once_in(w, 4) ? "-" : "+", PICK(w, activations), normalised ? "(batchnorm" : "",
        once_in(w, 6) ? "dropout(x, 0.5)" : "x", w->channels, once_in(w, 3) ? w->channels : 1,
        once_in(w, 3) ? ", bias = none" : "", once_in(w, 6) ? ", parameters = frozen" : "", index,
        !normalised  ? ""
        : index == 1 ? " as normal1)"
                     : " as normal2)");
}

typedef enum Part { ATTENTION, FEED_FORWARD, EXPERTS, DENSE, CONVOLVED } Part;

/* What the strategies must find in the block comes first. */
static Part choose_part(Writer *w, int index)
{
    static const Part parts[] = {ATTENTION, ATTENTION, ATTENTION, FEED_FORWARD, FEED_FORWARD, EXPERTS, DENSE, DENSE};
    if (w->kind != SEQUENCES)
        return w->kind == IMAGES ? CONVOLVED : DENSE;
    if (w->attends && index == 1)
        return ATTENTION;
    return w->experts && index == (w->attends ? 2 : 1) ? EXPERTS : PICK(w, parts);
}

static void block(Writer *w)
{
    static void (*const write[])(Writer *, int) = {[ATTENTION] = attention,
                                                   [FEED_FORWARD] = feed_forward,
                                                   [EXPERTS] = experts,
                                                   [DENSE] = dense,
                                                   [CONVOLVED] = convolved};
    put(w, "    repeat block[%d] {\n", w->layers);
    label(w, "block");
    for (int index = 1, count = w->attends && w->experts ? 2 : between(w, 1, 2); index <= count; index++) {
        Part part = choose_part(w, index);
        write[part](w, index);
        w->written_block = w->written_block || (index == 1 && part == FEED_FORWARD);
        char name[32];
        snprintf(name, sizeof name, "block.f%d", index);
        label(w, name);
    }
    put(w, "    }\n");
}

/* Terms of a loss: its own, then what is added to it. `dims` are those of the terms, `hidden_dims` those of x, where
 * they have names. A mask may not depend on a sum over the batch. */
static void loss(Writer *w, const char *term, const char *dims, const char *masked, const char *hidden_dims)
{
    static const char *const relations[] = {"<", "<=", ">", ">=", "==", "!="};
    bool sum = once_in(w, 4);
    put(w, "    loss = %s over %s of %s", sum ? "sum" : "mean", dims, term);
    bool counts = strcmp(masked, "y") != 0 || w->micro == 1; /* else the count needs all microbatches' forward pass */
    if (!w->normalised && (sum || counts) && once_in(w, sum ? 2 : 5)) {
        w->counted = !sum;
        put(w, " where targets %s %s", PICK(w, relations), masked);
    }
    if (!w->normalised && counts && once_in(w, w->small ? 3 : 12)) {
        bool mean = !once_in(w, 3);
        w->counted = w->counted || mean;
        put(w, " - 0.25 * %s over %s of %s where targets %s %s", mean ? "mean" : "sum", dims, term, PICK(w, relations),
            masked);
    }
    if (hidden_dims && once_in(w, 4))
        put(w, " + 0.5 * mean over %s of x * x", hidden_dims);
    if (*w->router && once_in(w, 2))
        put(w, " + 0.25 * %s over batch of %s(%s)", once_in(w, 4) ? "sum" : "mean",
            once_in(w, 2) ? "router_z" : "load_balance", w->router);
    put(w, "\n}\n");
}

static void sequence_model(Writer *w)
{
    int heads = once_in(w, 6) ? 3 : between(w, 1, 2), hidden = heads * 2 * (heads == 1 && once_in(w, 3) ? 2 : 1);
    w->context = once_in(w, 8) ? 5 : between(w, 1, 3);
    put(w, "model m(hidden = %d, heads = %d, context = %d, vocab = %d) {\n", hidden, heads, w->context,
        between(w, 3, 6));
    put(w, "    input tokens, targets : int[batch, context]\n");
    put(w, "    x = embedding(tokens, vocab, hidden) as wte%s\n",
        once_in(w, 2) ? " + positions(context, hidden) as wpe" : "");
    label(w, "wte");
    block(w);
    put(w, "    logits = linear(%s(x) as norm, vocab", PICK(w, norms));
    label(w, "norm");
    if (once_in(w, 2)) {
        put(w, ", weight = wte.table, bias = none)\n");
    } else {
        put(w, ") as head\n");
        label(w, "head");
    }
    loss(w, "cross_entropy(logits, targets)", "batch, context", "1", "batch, context, hidden");
}

static void vector_model(Writer *w)
{
    bool classes = once_in(w, 2);
    put(w, "model m(inputs = %d, hidden = %d, outputs = %d) {\n", between(w, 1, 5), between(w, 1, 5), between(w, 2, 4));
    put(w, "    input features : f32[batch, inputs]\n");
    put(w, classes ? "    input targets : int[batch]\n" : "    input targets : f32[batch, outputs]\n");
    bool normalised = w->normalised && once_in(w, 3);
    w->statistics |= normalised;
    put(w, "    x = %s(%slinear(features, hidden) as first)%s\n", PICK(w, activations), normalised ? "batchnorm(" : "",
        normalised ? " as normal)" : "");
    label(w, "first");
    block(w);
    put(w, "    y = linear(x, outputs) as head\n");
    label(w, "head");
    if (classes)
        loss(w, "cross_entropy(y, targets)", "batch", "1", "batch, hidden");
    else
        loss(w, "squared_error(y, targets)", "batch, outputs", "y", "batch, hidden");
}

/* A window and how it moves. Padded by half of it, pieces of rows fit. */
static void window(Writer *w, char *arguments, size_t size, bool moves)
{
    int odd = 2 * between(w, 0, w->pieces ? 1 : 2) + 1,
        stride = moves && !w->pixels && w->rows > 3 && w->rows % 2 == 0 ? 2 : 1;
    bool padded = w->pixels || odd > w->rows || odd > w->columns || !once_in(w, w->pieces ? 8 : 3);
    int wide = padded || w->rows == 1 || w->columns == 1 || !once_in(w, 2) ? odd : 2, pad = padded ? odd / 2 : 0;
    snprintf(arguments, size, "%d, stride = %d, pad = %d", wide, stride, pad);
    w->rows = (w->rows + 2 * pad - wide) / stride + 1;
    w->columns = (w->columns + 2 * pad - wide) / stride + 1;
}

static void pool(Writer *w)
{
    char arguments[48];
    window(w, arguments, sizeof arguments, once_in(w, 2));
    put(w, "    x = %s(x, %s)\n", once_in(w, 2) ? "max_pool" : "mean_pool", arguments);
}

static void image_head(Writer *w)
{
    label(w, "head");
    if (!w->pixels) {
        put(w, "    y = linear(%s(x), outputs) as head\n", once_in(w, 2) ? "flatten" : "global_mean");
        loss(w, "cross_entropy(y, targets)", "batch", "1", NULL);
        return;
    }
    put(w, "    y = convolution(x, outputs, %s) as head\n", once_in(w, 2) ? "3, pad = 1" : "1");
    loss(w, "squared_error(y, targets)", "batch, outputs, height, width", "y", NULL);
}

static void image_model(Writer *w)
{
    char arguments[48];
    w->pixels = once_in(w, 3);
    w->rows = !w->pieces || once_in(w, 5) ? between(w, 3, 6) : w->pieces * between(w, 1, w->pieces > 3 ? 1 : 2);
    w->columns = w->column_pieces && !once_in(w, 5) ? w->column_pieces : between(w, 2, 4);
    w->channels = between(w, 1, 2);
    put(w, "model m(height = %d, width = %d, outputs = %d) {\n", w->rows, w->columns, between(w, 2, 3));
    put(w, "    input images : f32[batch, 2, height, width]\n    input targets : %s\n",
        w->pixels ? "f32[batch, outputs, height, width]" : "int[batch]");
    window(w, arguments, sizeof arguments, once_in(w, 3));
    bool normalised = w->normalised && once_in(w, 3);
    w->statistics |= normalised;
    put(w, "    x = %s(%sconvolution(images, %d, %s%s) as first)%s\n", PICK(w, activations),
        normalised ? "batchnorm(" : "", w->channels, arguments, once_in(w, 2) ? ", bias = none" : "",
        normalised ? " as normal)" : "");
    label(w, "first");
    if (once_in(w, 2))
        pool(w);
    block(w);
    if (once_in(w, 3))
        pool(w);
    image_head(w);
}

/* ---- Strategies --------------------------------------------------------------------------------------------- */

static const char *const optimizers[] = {
    "sgd(rate = 0.01)",
    "sgd(rate = 0.01, warmup = 2)",
    "momentum(rate = 0.01, momentum = 0.5)",
    "adam(rate = 0.01, decay = 0.1)",
    "adamw(rate = 0.01, warmup = 2, decay = 0.1)",
    "adamw(rate = 0.01, warmup = 1, total = 9, decay = 0.1, beta2 = 0.75)",
    "lamb(rate = 0.01, decay = 0.1)",
    "lars(rate = 0.1, momentum = 0.5, decay = 0.1)",
    "adafactor(rate = 0.01)",
    "muon(rate = 0.01, decay = 0.1)",
};

/* What they divide by is never small: a gradient that is zero but for rounding stays so. */
static const char *const steady_optimizers[] = {
    "sgd(rate = 0.01)",
    "sgd(rate = 0.01, warmup = 2)",
    "momentum(rate = 0.01, momentum = 0.5)",
    "adam(rate = 0.01, decay = 0.1, epsilon = 1e-3)",
    "adam(rate = 0.01, epsilon = 1e-3)",
    "adamw(rate = 0.01, warmup = 2, decay = 0.1, epsilon = 1e-3)",
    "adamw(rate = 0.01, warmup = 1, total = 9, decay = 0.1, beta2 = 0.75, epsilon = 1e-3)",
    "lamb(rate = 0.01, decay = 0.1, epsilon = 1e-3)",
    "lars(rate = 0.1, momentum = 0.5, decay = 0.1)",
    "adafactor(rate = 0.01, epsilon = 1e-3)",
    "muon(rate = 0.01, decay = 0.1, epsilon = 1e-3)",
};

/* A part of the model, or one of its layers; "" for everything. */
static void selector(Writer *w, char *part, size_t size)
{
    *part = '\0';
    if (w->label_count == 0 || once_in(w, 2))
        return;
    const char *name = w->labels[below(w, w->label_count)];
    if (!strcmp(name, "block") && once_in(w, 2))
        snprintf(part, size, " of block[%d]", below(w, w->layers));
    else
        snprintf(part, size, " of %s", name);
}

/* Where a state rests, maybe. */
static const char *away(Writer *w)
{
    if (!once_in(w, 6))
        return "";
    w->is_away = true;
    return w->tier;
}

/* What is not placed is replicated. */
static void place(Writer *w, const char *state, const char *part, bool cut)
{
    bool gathered = !strcmp(state, "parameters");
    if (cut)
        put(w, "    %s%s %s over d%s%s\n", state, part, gathered ? "gathered" : "sharded", gathered ? w->kept : "",
            away(w));
    else if (*part)
        put(w, "    %s%s replicated over d\n", state, part);
}

static void placements(Writer *w, const Over *over)
{
    static const char *const states[] = {"gradients", "optimizer"};
    char part[64];
    put(w, "    activations sharded over d by batch\n");
    place(w, "parameters", "", over->gathers);
    for (int s = 0; s < 2; s++)
        place(w, states[s], "", once_in(w, 2));
    if (w->average && once_in(w, 2))
        place(w, "average", "", true);
    selector(w, part, sizeof part);
    if (!*part)
        return;
    if (over->gathers)
        place(w, "parameters", part, false);
    for (int s = 0; s < 2; s++)
        if (!once_in(w, 4))
            place(w, states[s], part, once_in(w, 2));
}

/* What is in one place: no block, whose layers each want a started sync of their own. */
static bool is_alone(const char *part)
{
    return *part && strncmp(part, " of block", strlen(" of block")) != 0;
}

static void sync_clause(Writer *w, const char *part, bool joined)
{
    static const char *const operations[] = {"sum over d", "sum over d", "sum over d", "mean over d", "none"};
    static const char *const moments[] = {"", " at step", " at step", " each microbatch", " after microbatch 0"};
    static const char *const scales[] = {"", "", "", "", " scale 1 / d", " scale d", " scale 1 / microbatches"};
    const char *operation = operations[below(w, joined ? 4 : 5)]; /* nothing stands alone */
    put(w, "%s", operation);
    if (!strcmp(operation, "none"))
        return;
    const char *moment = moments[below(w, w->piped ? 3 : 5)];
    bool rest = once_in(w, 8), guarded = once_in(w, 12);
    bool waits = is_alone(part) && !strcmp(moment, " after microbatch 0") && once_in(w, 2);
    put(w, "%s%s%s%s%s%s", once_in(w, 4) ? " into shards" : "", moment, PICK(w, scales), waits ? " wait at step" : "",
        guarded ? " when d > 2" : "", rest ? " derive the rest" : "");
}

/* Of those that are neither parameters nor gradients; "" where there are none: sgd has nothing. */
static const char *any_state(Writer *w)
{
    if (w->statistics)
        return "statistics";
    if (w->average)
        return "average";
    return strncmp(w->optimizer, "sgd", 3) != 0 ? "optimizer" : "";
}

/* Synchronisations that are written replace what was derived: some are right, most are one of the usual mistakes. Only
 * gradients have several. */
static void syncs(Writer *w)
{
    static const char *const of_parameters[] = {
        "gather over d at step", "gather over d",        "none",       "mean over d at step",
        "broadcast over d",      "sum over d scale 1/d", "sum over d", "broadcast over d at start"};
    static const char *const of_states[] = {"mean over d", "sum over d scale 1/d", "broadcast over d", "sum over d"};
    char part[64];
    for (int count = between(w, 1, once_in(w, 3) ? MOST_SYNCS : 2); count > 0; count--) {
        int target = below(w, 6);
        if (target < 4 && w->synced[target])
            continue;
        if (target < 4)
            w->synced[target] = true;
        switch (target) {
        case 0:
            put(w, "    sync loss : %s\n", once_in(w, 2) ? "sum over d" : once_in(w, 2) ? "mean over d" : "none");
            break;
        case 1:
            selector(w, part, sizeof part);
            if (is_alone(part))
                put(w, "    sync parameters%s : gather over d wait at step\n", part);
            else
                put(w, "    sync parameters : %s\n", PICK(w, of_parameters));
            break;
        case 2:
            if (once_in(w, 2) && *any_state(w)) {
                put(w, "    sync %s : %s\n", any_state(w), PICK(w, of_states));
                break;
            }
            put(w, "    sync norm : %s\n",
                once_in(w, 2)   ? "sum over d"
                : once_in(w, 2) ? "mean over d scale d"
                                : "none");
            break;
        case 3:
            if (w->synced[0] || (w->counted && w->micro > 1))
                break;
            w->synced[0] = true;
            put(w, "    sync count : none\n    sync loss : mean over d\n    sync gradients : %s over d\n",
                once_in(w, 3) ? "sum" : "mean");
            return;
        default:
            if (*w->fused && once_in(w, 2)) {
                put(w, "    sync gradients of %s segment %d : %s over d%s\n", w->fused, below(w, 2),
                    once_in(w, 4) ? "mean" : "sum", once_in(w, 4) ? " at step" : "");
                break;
            }
            selector(w, part, sizeof part);
            put(w, "    sync gradients%s : ", part);
            bool joined = once_in(w, 6);
            sync_clause(w, part, joined);
            if (joined) {
                put(w, " then ");
                sync_clause(w, part, joined);
            }
            put(w, "\n");
        }
    }
}

/* Each part of the model has a sync of its own, at its own moment: right ones, but for one of them sometimes. */
static void syncs_by_part(Writer *w)
{
    static const char *const moments[] = {"", " at step", " at step", " each microbatch"};
    int wrong = once_in(w, 2) ? below(w, w->label_count) : -1;
    for (int l = 0; l < w->label_count; l++) {
        char part[64];
        const char *moment = moments[below(w, w->piped ? 3 : 4)];
        if (once_in(w, 5) || !strcmp(w->labels[l], "block"))
            continue;
        snprintf(part, sizeof part, " of %s", w->labels[l]);
        put(w, "    sync gradients%s : ", part);
        if (l == wrong)
            sync_clause(w, part, false);
        else
            put(w, "sum over d%s%s", once_in(w, 4) ? " into shards" : "", moment);
        put(w, "\n");
    }
    if (!w->synced[0] && once_in(w, 3)) {
        w->synced[0] = true;
        put(w, "    sync loss : %s over d\n", once_in(w, 6) ? "mean" : "sum");
    }
}

static void by_hand(Writer *w, const Over *over, char *name, size_t size)
{
    snprintf(name, size, "hand%d", w->hand_count++);
    put(w, "strategy %s(d: axis) {\n", name);
    placements(w, over);
    if (over->has_syncs && w->label_count > 1 && once_in(w, 3))
        syncs_by_part(w);
    else if (over->has_syncs)
        syncs(w);
    put(w, "}\n");
}

/* Layers chosen stage by stage; some have none. */
static void chosen_stages(Writer *w, char *name, size_t size)
{
    int chunks = w->chunks ? w->chunks : 1, left = w->layers / chunks;
    snprintf(name, size, "chosen");
    put(w, "strategy chosen(d: axis) { schedule %s over d",
        w->chunks       ? "interleaved"
        : once_in(w, 2) ? "gpipe"
                        : "one_f_one_b");
    if (w->chunks)
        put(w, " chunks %d", w->chunks);
    for (int s = 0; s < w->stages; s++) {
        int more = s == w->stages - 1 ? left : below(w, left + 1);
        put(w, "%s %d", s ? "," : " layers", more);
        left -= more;
    }
    put(w, " }\n");
}

/* Parameters are put together one by one; of tables none, which stages may share. */
static void gathered_by_dim(Writer *w, char *name, size_t size)
{
    snprintf(name, size, "apart%d", w->hand_count++);
    put(w,
        "strategy %s(d: axis) {\n    parameters gathered over d by %s where present\n"
        "    activations sharded over d by batch\n}\n",
        name, once_in(w, 2) ? "in" : "out");
}

/* What passes between ranks that have parts of the model, in words; not all of it is right. `whole`: values are not cut
 * over the axis. */
static void written(Writer *w, bool whole, char *name, size_t size)
{
    static const char *const values[] = {"activations of wte", "cotangents of norm",      "cotangents of norm",
                                         "cotangents of norm", "activations of block.f1", "cotangents of *.norm1"};
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
    const char *value = values[below(w, w->written_block ? 6 : 4)], *clause = clauses[below(w, whole ? 10 : 8)];
    bool waits = strcmp(clause, "none") != 0 && once_in(w, 4);
    put(w, "strategy %s(d: axis) {\n    sync %s : %s%s%s\n}\n", name, value, clause, waits ? " wait at use" : "",
        once_in(w, 8) ? " when d > 2" : "");
    w->what->by_hand = true;
}

static const char *const data_strategies[] = {"data_parallel", "zero1", "zero2", "zero3", "fsdp"};
/* Of models of sequences only. */
static const char *const others[] = {"tensor_parallel", "megatron", "context_parallel",
                                     "ulysses",         "ring",     "expert_parallel"};

static Over choose_data_strategy(Writer *w)
{
    if (once_in(w, 2)) {
        Over over = {.strategy = "placements", .by_hand = true, .gathers = once_in(w, 2), .has_syncs = once_in(w, 2)};
        w->what->by_hand = w->what->by_hand || over.has_syncs;
        over.strategy = over.has_syncs ? "sync" : over.strategy;
        return over;
    }
    if (once_in(w, 6))
        return (Over){.strategy = "gathered by dim"};
    const char *name = PICK(w, data_strategies);
    return (Over){.strategy = name, .gathers = !strcmp(name, "zero3") || !strcmp(name, "fsdp")};
}

/* Each of the others once at most: two would cut the same dims. */
static Over choose_other(Writer *w, bool *taken)
{
    int which = below(w, 6), group = which < 2 ? 0 : which < 5 ? 1 : 2; /* tensor, context, experts */
    if (taken[group])
        return choose_data_strategy(w);
    taken[group] = true;
    w->attends = w->attends || which == 3 || which == 4;
    w->experts = w->experts || which == 5;
    const char *arguments = "";
    if (group == 0 && once_in(w, 2))
        arguments = once_in(w, 2) ? ", vocab = true" : ", sequence_parallel = true";
    if (group == 0 && !strcmp(arguments, ", sequence_parallel = true")) {
        arguments = taken[1] ? "" : arguments;
        taken[1] = true;
    }
    return (Over){.strategy = others[which], .arguments = arguments};
}

static Over choose_pipeline(Writer *w, int axis)
{
    w->stages = w->axis_sizes[axis];
    w->piped = true;
    if (w->stages <= 3 && once_in(w, 4)) {
        w->chunks = 2;
        if (once_in(w, 2)) { /* as many microbatches as stages */
            w->batch = w->batch / w->micro * w->stages;
            w->micro = w->stages;
        }
    }
    if (w->chunks && !once_in(w, 3))
        return (Over){.strategy = "pipeline", .arguments = ", schedule = interleaved, chunks = 2"};
    if (w->chunks || once_in(w, 3))
        return (Over){.strategy = "chosen stages"};
    return (Over){.strategy = "pipeline", .arguments = once_in(w, 3) ? ", schedule = gpipe" : ""};
}

/* Rows of images; where they are cut already, columns. */
static Over choose_pieces(Writer *w, int axis)
{
    bool columns = w->pieces > 0;
    if (w->column_pieces)
        return choose_data_strategy(w);
    *(columns ? &w->column_pieces : &w->pieces) = w->axis_sizes[axis];
    return (Over){.strategy = columns ? "spatial_columns" : "spatial_parallel"};
}

/* Each copy has a batch of its own. */
static Over choose_copies(Writer *w, int axis)
{
    w->copies = axis + 1;
    w->batch -= w->batch % w->micro; /* those of copies are equal */
    w->batch *= w->axis_sizes[axis];
    return (Over){.strategy = "data_parallel"};
}

static Over choose_over(Writer *w, int axis, bool *taken)
{
    if (w->copies == 0 && once_in(w, 12))
        return choose_copies(w, axis);
    if (w->stages == 0 && once_in(w, 5))
        return choose_pipeline(w, axis);
    if (w->kind == IMAGES && once_in(w, 2))
        return choose_pieces(w, axis);
    return w->kind == SEQUENCES && once_in(w, 3) ? choose_other(w, taken) : choose_data_strategy(w);
}

/* One strategy per axis, or one over all of them together. */
static void choose_strategies(Writer *w)
{
    bool taken[3] = {false}, named = false;
    w->together = w->axis_count > 1 && once_in(w, 5);
    if (w->together)
        w->over[w->axis_count] = choose_data_strategy(w);
    if (w->together && w->kind == SEQUENCES && once_in(w, 2)) {
        w->over[w->axis_count - 1] = (Over){.strategy = "expert_parallel"};
        w->experts = true;
    }
    for (int a = 0; a < w->axis_count && !w->together; a++)
        w->over[a] = choose_over(w, a, taken);
    for (int a = 0; a <= w->axis_count; a++)
        named = named || (w->over[a].gathers && !w->over[a].by_hand);
    w->cuts_context = taken[1];
    w->stages = w->stages > 0 ? w->stages : 1;
    w->kept = !named && once_in(w, 3) ? " kept until step" : ""; /* one copy is kept until one moment */
}

static void use(Writer *w, const char *strategy)
{
    RandomProgram *what = w->what;
    if (what->strategy_count < RANDOM_STRATEGIES)
        snprintf(what->strategies[what->strategy_count++], sizeof what->strategies[0], "%s", strategy);
}

/* Declares what is by hand; writes the expression that composes the strategies. */
static void strategies(Writer *w, char *expression, size_t size)
{
    size_t length = 0;
    for (int a = 0; a <= w->axis_count; a++) {
        const Over *over = &w->over[a];
        char name[32], axis[8];
        if (!over->strategy)
            continue;
        snprintf(name, sizeof name, "%s", over->strategy);
        if (over->by_hand)
            by_hand(w, over, name, sizeof name);
        else if (!strcmp(over->strategy, "chosen stages"))
            chosen_stages(w, name, sizeof name);
        else if (!strcmp(over->strategy, "gathered by dim"))
            gathered_by_dim(w, name, sizeof name);
        snprintf(axis, sizeof axis, a < w->axis_count ? "d%d" : "all", a);
        length += (size_t)snprintf(expression + length, size - length, "%s%s(%s%s)", length ? " * " : "", name, axis,
                                   over->arguments ? over->arguments : "");
        use(w, over->strategy);
        if (w->kind == SEQUENCES && w->stages == 1 && a < w->axis_count && once_in(w, 6)) {
            bool tensor = !strcmp(over->strategy, "tensor_parallel") || !strcmp(over->strategy, "megatron");
            written(w, tensor && !w->cuts_context, name, sizeof name);
            length += (size_t)snprintf(expression + length, size - length, " * %s(d%d)", name, a);
            use(w, "sync of values");
        }
    }
    if (once_in(w, 4)) {
        static const char *const parts[] = {"block[*]", "block[*].f1", "block[0]"};
        length += (size_t)snprintf(expression + length, size - length, " * recompute(%s)", parts[below(w, 3)]);
        use(w, "recompute");
    } else if (once_in(w, 5)) {
        char block[16] = "x";
        if (!once_in(w, 4))
            snprintf(block, sizeof block, once_in(w, 2) ? "block" : "block[%d]", below(w, w->layers));
        length += (size_t)snprintf(expression + length, size - length, " * offload_activations(%s)", block);
        use(w, "offload_activations");
    }
    if (!w->is_away && once_in(w, 8)) {
        static const char *const states[] = {"parameters", "gradients", "optimizer", "optimizer, tier = file"};
        snprintf(expression + length, size - length, " * offload(%s)", states[below(w, 4)]);
        use(w, "offload");
    }
}

/* ---- The rest ----------------------------------------------------------------------------------------------- */

/* Of four axes, of which some have a size in common, or one rank. */
static void choose_four(Writer *w)
{
    static const int sizes[][MAX_AXES] = {{2, 3, 1, 2}, {3, 1, 2, 2}, {2, 2, 2, 1}, {1, 2, 1, 3},
                                          {2, 1, 5, 1}, {2, 2, 2, 2}, {1, 3, 2, 1}, {1, 1, 1, 2}};
    const int *chosen = PICK(w, sizes);
    int turn = below(w, MAX_AXES);
    w->axis_count = MAX_AXES;
    for (int a = 0; a < MAX_AXES; a++)
        w->axis_sizes[a] = chosen[(a + turn) % MAX_AXES];
    w->micro = between(w, 1, 3);
}

/* Axis sizes and the number of microbatches, pairwise different where not 1. */
static void choose_sizes(Writer *w)
{
    int sizes[] = {2, 3, 5}, left = 3;
    if (once_in(w, 12)) {
        choose_four(w);
        return;
    }
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
}

/* Up to eight ranks: each factor of their number goes to one of up to four axes, and some get none. */
static void choose_few_ranks(Writer *w)
{
    static const int factors[][3] = {{1, 1, 1}, {2, 1, 1}, {2, 1, 1}, {3, 1, 1}, {4, 1, 1},
                                     {2, 2, 1}, {2, 2, 1}, {2, 2, 1}, {3, 2, 1}, {2, 2, 2}};
    static const int micros[] = {1, 1, 2, 3};
    const int *chosen = PICK(w, factors);
    w->axis_count = between(w, 1, MAX_AXES);
    for (int a = 0; a < w->axis_count; a++)
        w->axis_sizes[a] = 1;
    for (int f = 0; f < 3; f++)
        w->axis_sizes[below(w, w->axis_count)] *= chosen[f];
    w->micro = PICK(w, micros);
}

static void mesh(Writer *w)
{
    int devices = 1;
    for (int a = 0; a < w->axis_count; a++)
        devices *= w->axis_sizes[a];
    put(w, "cluster here { %d devices of cpu }\nmesh local on here {", devices);
    for (int a = 0; a < w->axis_count; a++)
        put(w, "%s d%d: %d", a ? "," : "", a, w->axis_sizes[a]);
    for (int a = 0; a < w->axis_count && w->together; a++)
        put(w, "%sd%d", a ? " * " : ", all = ", a);
    put(w, " }\n");
}

/* What one device does instead of what the model says. Groups are equally long, and a mean is of more than one number.
 */
static void contracts(Writer *w)
{
    int axis = below(w, w->axis_count), copies = w->copies > 0 ? w->axis_sizes[w->copies - 1] : 1;
    int ranks = w->axis_sizes[axis], examples = w->batch / copies / w->micro;
    if (w->copies > 0)
        put(w, "    contract local(%d) over d%d%s\n", between(w, 1, 4), w->copies - 1,
            once_in(w, 2) ? " outer nesterov(rate = 0.5, momentum = 0.75)" : "");
    if (axis == w->copies - 1) { /* what is parted further is one copy's */
        if (w->normalised && w->micro > 1)
            put(w, "    contract statistics per microbatch\n");
        return;
    }
    bool groups = examples % ranks == 0 && w->batch % w->micro == 0;
    if (w->normalised && groups && examples > ranks && once_in(w, 3))
        put(w, "    contract statistics per replica over d%d\n", axis);
    else if (w->normalised && (w->micro > 1 || once_in(w, 3)))
        put(w, "    contract statistics per microbatch\n");
    if (*w->router && w->context % ranks == 0 && once_in(w, 3))
        put(w, "    contract routing per group over d%d\n", axis);
    if (groups && once_in(w, 6))
        put(w, "    contract masks in distribution over d%d\n", axis);
    if (w->kind == SEQUENCES && w->context % ranks == 0 && once_in(w, 6))
        put(w, "    contract masks in distribution over d%d by context\n", axis);
    if (once_in(w, 12))
        put(w, "    contract stale(%d)\n", between(w, 1, 2));
}

static void train(Writer *w, const char *strategy)
{
    put(w, "train m on local {\n    strategy %s\n    optimizer %s\n", strategy, w->optimizer);
    if (once_in(w, 2) || w->synced[2]) /* what is synchronised is used */
        put(w, "    clip norm 0.25\n");
    put(w, "    precision f64%s\n    data synthetic", once_in(w, 10) ? ", loss_scale dynamic" : "");
    if (!w->small && w->batch > w->micro && once_in(w, 16)) { /* of one example the others have nothing */
        put(w, " read by none");
        w->what->by_hand = true;
    }
    put(w, "\n");
    if (!w->small && once_in(w, 16)) {
        put(w, "    seed 1 + coordinate(d0)\n");
        w->what->by_hand = true;
    }
    contracts(w);
    put(w, "    batch %d in %d microbatches\n    steps 3\n}\n", w->batch, w->micro);
}

/* Many of those that are run have fewer examples than ranks. */
static void choose_kind(Writer *w)
{
    int kind = below(w, 9);
    w->kind = kind < 2 ? IMAGES : kind < 6 ? SEQUENCES : VECTORS;
    if (w->small)
        w->batch = w->micro * between(w, 1, once_in(w, 3) ? 2 : 12 / w->micro);
    else
        w->batch = w->micro * between(w, 1, w->micro == 1 ? 7 : (w->kind == SEQUENCES ? 8 : 12) / w->micro);
    if (w->micro > 1 && once_in(w, 4)) /* some microbatches have one more than others */
        w->batch += between(w, 1, w->micro - 1);
}

static void write_text(Writer *writer)
{
    Writer w = *writer;
    char expression[1024];
    if (w.small)
        choose_few_ranks(&w);
    else
        choose_sizes(&w);
    choose_kind(&w);
    choose_strategies(&w);
    if (w.stages == 1)
        w.layers = between(&w, 1, once_in(&w, 4) ? 3 : 2);
    else if (once_in(&w, 4)) /* some stages have none */
        w.layers = between(&w, 1, w.stages - 1);
    else
        w.layers = w.stages + below(&w, once_in(&w, 3) ? 3 : 2);
    w.layers *= w.chunks ? w.chunks : 1;
    int copies = w.copies > 0 ? w.axis_sizes[w.copies - 1] : 1;
    w.normalised = w.kind != SEQUENCES && w.batch > w.micro * copies && w.batch % w.micro == 0 && once_in(&w, 2);
    put(&w, "place 1\n");
    if (w.kind == IMAGES)
        image_model(&w);
    else if (w.kind == SEQUENCES)
        sequence_model(&w);
    else
        vector_model(&w);
    mesh(&w);
    w.optimizer = w.small ? PICK(&w, steady_optimizers) : PICK(&w, optimizers);
    w.tier = once_in(&w, 3) ? " offloaded to file" : " offloaded to host"; /* a state is stored on one */
    w.average = once_in(&w, 6);
    if (w.average)
        put(&w,
            "state average { one per parameter; lives run; start %s; update %s optimizer : 0.75 * average + 0.25 * %s "
            "}\n",
            once_in(&w, 2) ? "parameters" : "0", once_in(&w, 2) ? "after" : "before",
            once_in(&w, 3) ? "gradients" : "parameters");
    strategies(&w, expression, sizeof expression);
    train(&w, expression);
}

void random_text(uint64_t seed, uint64_t index, char *text, size_t size, RandomProgram *what)
{
    Writer w = {.chance = chance_new(seed, index), .text = text, .size = size, .what = what};
    *what = (RandomProgram){0};
    write_text(&w);
}

void random_small_text(uint64_t seed, uint64_t index, char *text, size_t size, RandomProgram *what)
{
    Writer w = {.chance = chance_new(seed, index), .text = text, .size = size, .what = what, .small = true};
    *what = (RandomProgram){0};
    write_text(&w);
}
