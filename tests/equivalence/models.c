/* models.c - the models of the matrix, and the batches that the runtime reads for them. */
#include "tests/equivalence/models.h"

#include "runtime/data.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Model {
    const char *name, *text, *data;
} Model;

static const Model models[] = {
    {"gpt",
     "model net(layers = 3, hidden = 8, heads = 2, context = 4, vocab = 256) {\n"
     "    input tokens, targets : int[batch, context]\n"
     "    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe\n"
     "    repeat block[layers] {\n"
     "        x = x + attention(layernorm(x) as norm1, heads, causal) as attn\n"
     "        x = x + mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp\n"
     "    }\n"
     "    logits = linear(layernorm(x) as norm, vocab, weight = wte.table, bias = none)\n"
     "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
     "}\n",
     "bytes"},
    {"mlp",
     "model net(layers = 3, width = 7) {\n"
     "    input features : f32[batch, 6]\n"
     "    input labels : int[batch]\n"
     "    x = relu(linear(features, width) as first)\n"
     "    repeat block[layers] {\n"
     "        x = x + tanh(linear(x, width) as fc)\n"
     "    }\n"
     "    logits = linear(x, 5) as last\n"
     "    loss = mean over batch of cross_entropy(logits, labels)\n"
     "}\n",
     "synthetic"},
    {"llama",
     "model net(layers = 3, hidden = 8, heads = 4, context = 4, vocab = 256) {\n"
     "    input tokens, targets : int[batch, context]\n"
     "    x = embedding(tokens, vocab, hidden) as wte\n"
     "    repeat block[layers] {\n"
     "        x = x + attention(rmsnorm(x) as norm1, heads, causal, bias = none, rope = 100, kv_heads = 2) as attn\n"
     "        x = x + mlp(rmsnorm(x) as norm2, 12, swiglu, bias = none) as mlp\n"
     "    }\n"
     "    logits = linear(rmsnorm(x) as norm, vocab, bias = none) as head\n"
     "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
     "}\n",
     "bytes"},
    /* layers by names that no strategy of the prelude has */
    {"names",
     "model net(layers = 3, hidden = 8, heads = 2, context = 4, vocab = 256) {\n"
     "    input tokens, targets : int[batch, context]\n"
     "    x = embedding(tokens, vocab, hidden) as words\n"
     "    repeat block[layers] {\n"
     "        x = x + attention(layernorm(x) as before, heads, causal) as mixing\n"
     "        x = x + linear(gelu(linear(layernorm(x) as between, 4 * hidden) as wide), hidden) as narrow\n"
     "    }\n"
     "    loss = mean over batch, context of cross_entropy(linear(x, vocab) as classes, targets)\n"
     "}\n",
     "bytes"},
    {"fused",
     "model net(layers = 3, hidden = 8, heads = 4, context = 4, vocab = 256) {\n"
     "    input tokens, targets : int[batch, context]\n"
     "    x = embedding(tokens, vocab, hidden) as wte\n"
     "    repeat block[layers] {\n"
     "        x = x + attention(rmsnorm(x) as norm1, heads, causal, kv_heads = 2, head_dim = 3, bias = qkv,\n"
     "                          weights = fused) as attn\n"
     "        x = x + mlp(rmsnorm(x) as norm2, 12, swiglu, weights = fused) as mlp\n"
     "    }\n"
     "    logits = linear(rmsnorm(x) as norm, vocab, bias = none) as head\n"
     "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
     "}\n",
     "bytes"},
    {"encoder",
     "model net(layers = 3, hidden = 8, heads = 2, context = 4, vocab = 256) {\n"
     "    input tokens, targets : int[batch, context]\n"
     "    x = layernorm(embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe) as start\n"
     "    repeat block[layers] {\n"
     "        x = layernorm(x + attention(x, heads, bias = none, dropout = 0.2) as attn) as norm1\n"
     "        x = layernorm(x + dropout(mlp(x, 12, silu) as mlp, 0.1)) as norm2\n"
     "    }\n"
     "    logits = linear(x, vocab, weight = wte.table) as head\n"
     "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
     "}\n",
     "bytes"},
    {"batchnorm",
     "model net(layers = 3, width = 7) {\n"
     "    input features : f32[batch, 6]\n"
     "    input labels : int[batch]\n"
     "    x = gelu(batchnorm(linear(features, width, bias = none) as first) as norm)\n"
     "    repeat block[layers] {\n"
     "        x = x + tanh(batchnorm(linear(x, width, bias = none) as fc) as norm)\n"
     "    }\n"
     "    logits = linear(x, 5) as last\n"
     "    loss = mean over batch of cross_entropy(logits, labels)\n"
     "}\n",
     "synthetic"},
    {"moe",
     "model net(layers = 3, hidden = 8, heads = 2, context = 4, vocab = 256) {\n"
     "    input tokens, targets : int[batch, context]\n"
     "    x = embedding(tokens, vocab, hidden) as wte\n"
     "    repeat block[layers] {\n"
     "        x = x + attention(layernorm(x) as norm1, heads, causal) as attn\n"
     "        x = x + moe(layernorm(x) as norm2, experts = 4, top = 2, 16, gelu, capacity = 0.8) as moe\n"
     "    }\n"
     "    logits = linear(layernorm(x) as norm, vocab) as head\n"
     "    loss = mean over batch, context of cross_entropy(logits, targets) +\n"
     "        0.1 * mean over batch of load_balance(block.moe) + 0.05 * mean over batch of router_z(block.moe)\n"
     "}\n",
     "bytes"},
    {"roomy", /* experts with room for all rows, most of which stays empty */
     "model net(layers = 3, hidden = 8, heads = 2, context = 4, vocab = 256) {\n"
     "    input tokens, targets : int[batch, context]\n"
     "    x = embedding(tokens, vocab, hidden) as wte\n"
     "    repeat block[layers] {\n"
     "        x = x + attention(layernorm(x) as norm1, heads, causal) as attn\n"
     "        x = x + moe(layernorm(x) as norm2, experts = 4, top = 2, 16, gelu) as moe\n"
     "        x = x + moe(layernorm(x) as norm3, experts = 8, top = 1, 6, swiglu) as more\n"
     "    }\n"
     "    logits = linear(layernorm(x) as norm, vocab) as head\n"
     "    loss = mean over batch, context of cross_entropy(logits, targets) +\n"
     "        0.1 * mean over batch of load_balance(block.moe) + 0.05 * mean over batch of router_z(block.more)\n"
     "}\n",
     "bytes"},
    {"cnn",
     "model net(layers = 3, height = 8, width = 8) {\n"
     "    input features : f32[batch, 2, height, width]\n"
     "    input labels : int[batch]\n"
     "    x = relu(convolution(features, 4, window = 3, pad = 1) as c1)\n"
     "    x = relu(convolution(max_pool(x, 2), 6, window = 3, pad = 1) as c2)\n"
     "    repeat block[layers] {\n"
     "        x = x + tanh(convolution(x, 6, window = 3, pad = 1) as conv)\n"
     "    }\n"
     "    x = tanh(linear(flatten(mean_pool(x, 2)), 7) as fc)\n"
     "    loss = mean over batch of cross_entropy(linear(x, 5) as last, labels)\n"
     "}\n",
     "synthetic"},
    {"lenet", /* smooth, as bounds by the first order want it where numbers are as coarse as bf16 */
     "model net(layers = 3, height = 8, width = 8) {\n"
     "    input features : f32[batch, 2, height, width]\n"
     "    input labels : int[batch]\n"
     "    x = tanh(convolution(features, 4, window = 3, pad = 1) as c1)\n"
     "    x = tanh(convolution(mean_pool(x, 2), 6, window = 3, pad = 1) as c2)\n"
     "    repeat block[layers] {\n"
     "        x = x + tanh(convolution(x, 6, window = 3, pad = 1, groups = 2) as conv)\n"
     "    }\n"
     "    x = tanh(linear(flatten(mean_pool(x, 2)), 7) as fc)\n"
     "    loss = mean over batch of cross_entropy(linear(x, 5) as last, labels)\n"
     "}\n",
     "synthetic"},
    {"resnet",
     "model net(layers = 3, height = 8, width = 8) {\n"
     "    input features : f32[batch, 2, height, width]\n"
     "    input labels : int[batch]\n"
     "    x = relu(convolution(features, 4, window = 3, pad = 1) as c1)\n"
     "    repeat early[2] {\n"
     "        x = x + tanh(convolution(x, 4, window = 3, pad = 1) as conv)\n"
     "    }\n"
     "    x = tanh(convolution(max_pool(x, 2), 6, window = 3, pad = 1) as c2)\n"
     "    repeat block[layers] {\n"
     "        x = x + tanh(convolution(x, 6, window = 3, pad = 1) as conv)\n"
     "    }\n"
     "    loss = mean over batch of cross_entropy(linear(global_mean(x), 5) as last, labels)\n"
     "}\n",
     "synthetic"},
    {"mixed",
     "model net(layers = 3, hidden = 8, heads = 2, context = 4, vocab = 256) {\n"
     "    input tokens, targets : int[batch, context]\n"
     "    x = embedding(tokens, vocab, hidden) as wte\n"
     "    repeat dense[2] {\n"
     "        x = x + mlp(layernorm(x) as norm, 12, gelu) as mlp\n"
     "    }\n"
     "    repeat block[layers] {\n"
     "        x = x + attention(layernorm(x) as norm1, heads, causal) as attn\n"
     "        x = x + moe(layernorm(x) as norm2, experts = 4, top = 2, 16, gelu, capacity = 0.8) as moe\n"
     "    }\n"
     "    logits = linear(layernorm(x) as norm, vocab, weight = wte.table, bias = none)\n"
     "    loss = mean over batch, context of cross_entropy(logits, targets) +\n"
     "        0.1 * mean over batch of load_balance(block.moe)\n"
     "}\n",
     "bytes"},
    {"over", /* values that pass over blocks, or that all layers of one read; a weight in three sections */
     "model net(layers = 3, hidden = 8, context = 4, vocab = 256) {\n"
     "    input tokens, targets : int[batch, context]\n"
     "    first = tanh(linear(embedding(tokens, vocab, hidden) as wte, hidden) as begin)\n"
     "    x = first\n"
     "    repeat early[2] {\n"
     "        x = x + mlp(layernorm(x + first) as norm, 12, gelu) as mlp\n"
     "    }\n"
     "    middle = x\n"
     "    memory = tanh(linear(x, hidden, weight = begin.weight, bias = none))\n"
     "    repeat block[layers] {\n"
     "        x = x + memory * (mlp(layernorm(x) as norm, 12, gelu) as mlp)\n"
     "    }\n"
     "    repeat late[2] {\n"
     "        x = x + linear(x, hidden) as fc\n"
     "    }\n"
     "    x = layernorm(linear(x + middle * first, hidden, weight = begin.weight, bias = none)) as norm\n"
     "    logits = linear(x, vocab) as head\n"
     "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
     "}\n",
     "bytes"},
    {"vit",
     "model net(layers = 3, hidden = 8, heads = 2, height = 8, width = 8) {\n"
     "    input features : f32[batch, 2, height, width]\n"
     "    input labels : int[batch]\n"
     "    x = sequence(convolution(features, hidden, window = 4, stride = 4) as patches)\n"
     "    x = class_token(x) as cls + positions(5, hidden) as wpe\n"
     "    repeat block[layers] {\n"
     "        x = x + attention(layernorm(x) as norm1, heads) as attn\n"
     "        x = x + mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp\n"
     "    }\n"
     "    logits = linear(row(layernorm(x) as norm, 0), 5) as head\n"
     "    loss = mean over batch of cross_entropy(logits, labels)\n"
     "}\n",
     "synthetic"},
    {"mobile",
     "model net(layers = 3, height = 9, width = 11) {\n"
     "    input features : f32[batch, 2, height, width]\n"
     "    input labels : int[batch]\n"
     "    x = tanh(batchnorm(convolution(features, 6, window = 3, stride = 2, pad = 1, bias = none) as c1) as n1)\n"
     "    repeat block[layers] {\n"
     "        y = tanh(batchnorm(convolution(x, 12, window = 1, bias = none) as wide) as wide_norm)\n"
     "        y = tanh(batchnorm(convolution(y, 12, window = 3, pad = 1, groups = 12, bias = none) as deep) as "
     "deep_norm)\n"
     "        x = x + batchnorm(convolution(y, 6, window = 1, groups = 2, bias = none) as out) as out_norm\n"
     "    }\n"
     "    y = mean_pool(convolution(x, 6, window = 3, stride = 2, pad = 2, groups = 6) as deep, 3, stride = 2, pad = "
     "1)\n"
     "    x = convolution(max_pool(x, 3, stride = 2, pad = 1), 8, window = 1, stride = 2, groups = 2) as short\n"
     "    logits = linear(tanh(global_mean(x)), 5) as last + linear(flatten(y), 5, bias = none) as other\n"
     "    loss = mean over batch of cross_entropy(logits, labels)\n"
     "}\n",
     "synthetic"},
};

/* The optimizers that a model's name may end in; the first one is that of models which name none. */
typedef struct Rule {
    const char *name, *text, *scale; /* `scale`: what follows the precision */
} Rule;

#define ADAMW "adamw(rate = 1e-2, warmup = 2, decay = 0.1, epsilon = 1e-3)"

static const Rule rules[] = {
    {"adamw", ADAMW, ""},
    {"momentum", "momentum(rate = 0.1)", ""},
    {"scaled", ADAMW, ", loss_scale dynamic"},
    {"steep", "sgd(rate = 1e150)", ", loss_scale dynamic"}, /* after the first step the scaled gradient is not finite */
    {"lamb", "lamb(rate = 1e-2, decay = 0.1, epsilon = 1e-3)", ""},
    {"lars", "lars(rate = 1, trust = 0.01, decay = 0.1)", ""},
    {"adafactor", "adafactor(rate = 1e-2, epsilon = 1e-6)", ""},
    {"muon", "muon(rate = 1e-2, decay = 0.1, epsilon = 1e-3)", ""},
};

/* What strategies of the matrix are not in the prelude. */
static const char strategies_text[] = "state average { one per parameter; start parameters; dtype f64\n"
                                      "    update after optimizer : 0.75 * average + 0.25 * parameters }\n"
                                      "state slow { one per parameter; dtype f64\n"
                                      "    update before optimizer : slow / 2 + gradients * gradients / (1 + step) }\n"
                                      "state doubled { one; dtype f64; update after optimizer : 2 * doubled + 1 }\n"
                                      "strategy columns(d: axis) {\n"
                                      "    parameters of first, last, fc, *.fc, *.conv, c1, c2 sharded over d by out "
                                      "where present\n"
                                      "}\n"
                                      "strategy rows(d: axis) {\n"
                                      "    parameters of first.weight, last.weight, fc.weight, *.fc.weight, "
                                      "*.conv.weight, c2.weight sharded over d by in where present\n"
                                      "}\n"
                                      "strategy turns(d: axis) {\n"
                                      "    parameters of first, fc, c1 sharded over d by out where present\n"
                                      "    parameters of *.fc.weight, c2.weight, last.weight sharded over d by in "
                                      "where present\n"
                                      "}\n"
                                      "strategy mixture(d: axis) {\n"
                                      "    average of block[1..2] sharded over d\n"
                                      "    slow replicated\n"
                                      "    parameters of block[0] gathered over d\n"
                                      "    gradients of block[0..1] sharded over d\n"
                                      "    optimizer of block[0..1] sharded over d\n"
                                      "    activations sharded over d by batch\n"
                                      "}\n"
                                      /* as `placec search` finds one, and one among which it does */
                                      "strategy found(t: axis) {\n"
                                      "    parameters of block.wide, classes sharded over t by out "
                                      "where present\n"
                                      "    parameters of block.narrow.weight sharded over t by in "
                                      "where present\n"
                                      "    parameters of words sharded over t by vocab "
                                      "where present\n"
                                      "    parameters of block.mixing.query, block.mixing.key, block.mixing.value, "
                                      "block.mixing.out.weight sharded over t by heads "
                                      "where present\n"
                                      "}\n"
                                      "strategy found_among(t: axis) {\n"
                                      "    parameters of block.wide sharded over t by out "
                                      "where present\n"
                                      "    parameters of block.narrow.weight, classes.weight sharded over t by in "
                                      "where present\n"
                                      "    parameters of words sharded over t by hidden "
                                      "where present\n"
                                      "    parameters of block.mixing.query, block.mixing.key sharded over t by heads "
                                      "where present\n"
                                      "    parameters of block.mixing.value, block.mixing.out.weight sharded over t by "
                                      "head where present\n"
                                      "}\n"
                                      "strategy pinned_gpt(t: axis) {\n"
                                      "    activations of block.norm1 computed over t by context\n"
                                      "    activations of *.query.product, *.key.product computed over t by heads\n"
                                      "    activations of *.mixed computed over t by context of block.attn.value\n"
                                      "    activations of block.mlp.up.product computed over t by hidden\n"
                                      "    activations of block[1].mlp.up.product computed over t by out\n"
                                      "    activations of loss.terms.exp_sum computed over t by vocab\n"
                                      "    cotangents of block.norm1 computed over t by heads from block.attn.query\n"
                                      "    cotangents of block.mlp.active computed over t by out\n"
                                      "    gradients of block.mlp.up.weight computed over t by in\n"
                                      "    gradients of wpe.table computed over t by context\n"
                                      "}\n"
                                      "strategy found_pins(t: axis) {\n"
                                      "    activations of block.attn computed over t by batch\n"
                                      "    activations of block.norm2 computed over t whole\n"
                                      "    activations of block.mlp computed over t by batch\n"
                                      "}\n"
                                      "strategy pinned_mlp(t: axis) {\n"
                                      "    activations of *.product computed over t by in\n"
                                      "    activations of block[1..2].fc.product computed over t by out\n"
                                      "    cotangents of x computed over t by out\n"
                                      "    gradients of block[0].fc.weight computed over t by out\n"
                                      "    gradients of first.weight computed over t by batch\n"
                                      "}\n"
                                      "strategy copied(a: axis) {\n"
                                      "    activations of *.key converted over a by ring for cotangents where present\n"
                                      "    activations of *.value converted over a by ring where present\n"
                                      "    activations of block[0].attn.value converted over a by collective "
                                      "for activations of *.mixed where present\n"
                                      "    cotangents of *.key converted over a by ring from block.attn.query "
                                      "where present\n"
                                      "    activations of *.key converted over a at once where present\n"
                                      "    activations of *.norm1 converted over a by ring for gradients "
                                      "where present\n"
                                      "    cotangents of x converted over a at once where present\n"
                                      "}\n"
                                      "strategy started(d: axis) {\n"
                                      "    slow replicated\n"
                                      "    optimizer sharded over d\n"
                                      "    activations sharded over d by batch\n"
                                      "    sync gradients of block[*] : sum over d into shards at step wait at step\n"
                                      "    sync parameters of block[*] : gather over d wait at step\n"
                                      "    sync slow : mean over d wait at step\n"
                                      "}\n";

/* ---- Programs ----------------------------------------------------------------------------------------------- */

static const Model *find_model(const char *name)
{
    size_t length = strcspn(name, "(+");
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (strncmp(models[i].name, name, length) == 0 && models[i].name[length] == '\0')
            return &models[i];
    return NULL;
}

/* The model's text with another value for a parameter, "layers=4"; NULL where it has none of this name. */
static const char *with_parameter(Arena *arena, const char *text, const char *parameter)
{
    size_t length = strcspn(parameter, "=");
    const char *equals = arena_printf(arena, "%.*s = ", (int)length, parameter);
    const char *at = strstr(text, equals);
    if (at == NULL || at > strchr(text, ')') || parameter[length] != '=')
        return NULL;
    const char *value = parameter + length + 1, *rest = at + strlen(equals);
    return arena_printf(arena, "%.*s%s%.*s%s", (int)(at - text), text, equals, (int)strcspn(value, ",)"), value,
                        rest + strcspn(rest, ",)"));
}

static const Rule *find_rule(const char *model)
{
    const char *name = strchr(model, '+');
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (name == NULL || strcmp(rules[i].name, name + 1) == 0)
            return &rules[i];
    return NULL;
}

const char *model_training(Arena *arena, const char *model, const char *precision)
{
    const Rule *rule = find_rule(model);
    const char *master = strcmp(precision, "bf16") == 0 ? ", master f32" : "";
    return arena_printf(arena, "    optimizer %s\n    precision %s%s%s\n", rule->text, precision, master, rule->scale);
}

const char *model_text(Arena *arena, const char *model)
{
    const Model *row = find_model(model);
    const char *text = row != NULL ? row->text : NULL, *at = model + strcspn(model, "(");
    if (find_rule(model) == NULL)
        return NULL;
    while (text != NULL && (*at == '(' || *at == ',')) {
        text = with_parameter(arena, text, at + 1);
        at += 1 + strcspn(at + 1, ",)");
    }
    return text == NULL ? NULL : arena_printf(arena, "%s%s", text, strategies_text);
}

const char *model_data(Arena *arena, const char *model, const Texts *texts)
{
    const Model *row = find_model(model);
    return strcmp(row->data, "bytes") == 0 ? arena_printf(arena, "bytes \"%s\"", texts->path) : row->data;
}

/* ---- Batches ------------------------------------------------------------------------------------------------ */

static const Tensor *find_input(const Decls *decls, const char *name)
{
    for (int i = 0; i < decls->tensors.count; i++)
        if (strcmp(decls->tensors.data[i].name, name) == 0)
            return &decls->tensors.data[i];
    return NULL;
}

static void feed_bytes(Arena *arena, const Tensor *input, const Texts *texts, Interp *interp, int64_t first,
                       int examples)
{
    int64_t training = TEXT_BYTES - TEXT_BYTES / PRT_HELD_OUT_PART, context = input->dims[1];
    double *tokens = arena_array(arena, double, examples *context);
    double *targets = arena_array(arena, double, examples *context);
    for (int e = 0; e < examples; e++) {
        int64_t window = prt_data_window(DATA_SEED, first + e, training - context);
        for (int64_t t = 0; t < context; t++) {
            tokens[e * context + t] = texts->bytes[window + t];
            targets[e * context + t] = texts->bytes[window + t + 1];
        }
    }
    interp_input(interp, "tokens", tokens, examples * context);
    interp_input(interp, "targets", targets, examples * context);
}

/* The class of an example: the direction that its features point in most. */
static int label_of(const double *features, int64_t count, int classes)
{
    int best = 0;
    double most = -INFINITY;
    for (int output = 0; output < classes; output++) {
        double product = 0;
        for (int64_t j = 0; j < count; j++)
            product += prt_data_direction(output, j) * features[j];
        double score = tanh(product / sqrt((double)count));
        best = score > most ? output : best;
        most = fmax(score, most);
    }
    return best;
}

/* The input is declared f32: the program sees the features rounded, labels are made from what they were before. */
static void feed_features(Arena *arena, const Tensor *input, Interp *interp, int64_t first, int examples)
{
    enum { CLASSES = 5 };
    int64_t count = 1;
    for (int i = 1; i < input->dim_count; i++)
        count *= input->dims[i];
    double *features = arena_array(arena, double, examples *count);
    double *labels = arena_array(arena, double, examples);
    for (int e = 0; e < examples; e++) {
        double *own = &features[e * count];
        for (int64_t j = 0; j < count; j++)
            own[j] = prt_data_feature(DATA_SEED, "features", first + e, count, j);
        labels[e] = label_of(own, count, CLASSES);
        for (int64_t j = 0; j < count; j++)
            own[j] = (float)own[j];
    }
    interp_input(interp, "features", features, examples * count);
    interp_input(interp, "labels", labels, examples);
}

void model_feed(Arena *arena, const Decls *decls, const Texts *texts, Interp *interp, int step, int batch, int examples)
{
    const Tensor *tokens = find_input(decls, "tokens");
    if (tokens != NULL)
        feed_bytes(arena, tokens, texts, interp, (int64_t)step * batch, examples);
    else
        feed_features(arena, find_input(decls, "features"), interp, (int64_t)step * batch, examples);
}
