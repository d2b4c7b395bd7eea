/* bigram.c - a program as code generation would write it, by hand: the next byte from the last one by a table of
 * logits, f32, on the bytes of a file, over RANKS ranks; parameters whole everywhere, gradients reduced by an
 * all_reduce. It has what mlp.c has not: a group of layers (whose sum the logits are), eval, predict, text. */
#include "tests/run/by_hand.h"

#include <math.h>

#ifndef RANKS
#define RANKS 1
#endif

enum { BATCH = 8, CONTEXT = 16, VALUES = 256, LAYERS = 2, TABLE = VALUES * VALUES };
enum { PART = (BATCH + RANKS - 1) / RANKS, ROWS = PART * CONTEXT };
enum {
    AT_TABLES = 0,
    AT_GRADIENT = AT_TABLES + LAYERS * TABLE * 4,
    AT_LOGITS = AT_GRADIENT + TABLE * 4,
    AT_ROWS = AT_LOGITS + ROWS * VALUES * 4,
    AT_TOKENS = AT_ROWS + ROWS * VALUES * 4,
    AT_TARGETS = AT_TOKENS + ROWS * 4,
    AT_LOSS = AT_TARGETS + ROWS * 4,
    AT_END = AT_LOSS + 4
};
enum { CALL_LOSS, CALL_GRADIENTS, CALL_COUNT };
enum { LAYOUT_TABLE, LAYOUT_PART, LAYOUT_COUNT };

static float *at(const prt_context *ctx, int64_t offset)
{
    return prt_at(ctx, PRT_DEVICE, offset);
}

static void init(prt_context *ctx)
{
    for (int layer = 0; layer < LAYERS; layer++)
        prt_init(ctx, 0, LAYOUT_TABLE, layer, 1, PRT_F32, at(ctx, AT_TABLES + layer * TABLE * 4));
}

/* Logits of this rank's rows. */
static prt_range forward(prt_context *ctx)
{
    prt_range part = prt_cut(BATCH, RANKS, ctx->coordinate[0]);
    int64_t rows = part.extent * CONTEXT;
    int32_t *tokens = prt_at(ctx, PRT_DEVICE, AT_TOKENS);
    prt_read(ctx, 0, LAYOUT_PART, 0, tokens);
    hand_embed(at(ctx, AT_LOGITS), tokens, rows, at(ctx, AT_TABLES), VALUES);
    hand_embed(at(ctx, AT_ROWS), tokens, rows, at(ctx, AT_TABLES + TABLE * 4), VALUES);
    for (int64_t i = 0; i < rows * VALUES; i++)
        at(ctx, AT_LOGITS)[i] += at(ctx, AT_ROWS)[i];
    return part;
}

static void eval(prt_context *ctx)
{
    prt_range part = forward(ctx);
    int32_t *targets = prt_at(ctx, PRT_DEVICE, AT_TARGETS);
    float *loss = at(ctx, AT_LOSS);
    double sum = 0;
    prt_read(ctx, 1, LAYOUT_PART, 0, targets);
    for (int64_t i = 0; i < part.extent * CONTEXT; i++) {
        float *row = at(ctx, AT_LOGITS) + i * VALUES;
        double total = 0;
        for (int v = 0; v < VALUES; v++)
            total += exp(row[v]);
        sum += log(total) - row[targets[i]];
        for (int v = 0; v < VALUES; v++)
            row[v] = (float)((exp(row[v]) / total - (v == targets[i])) / (BATCH * CONTEXT));
    }
    *loss = (float)(sum / (BATCH * CONTEXT));
    prt_all_reduce(ctx, CALL_LOSS, loss, loss, 1);
    prt_output(ctx, "loss", PRT_F32, loss, 1);
}

static void step(prt_context *ctx)
{
    int64_t rows = prt_cut(BATCH, RANKS, ctx->coordinate[0]).extent * CONTEXT;
    float *g = at(ctx, AT_GRADIENT);
    eval(ctx);
    hand_fill(PRT_F32, g, TABLE, 0);
    hand_embed_add(g, prt_at(ctx, PRT_DEVICE, AT_TOKENS), rows, at(ctx, AT_LOGITS), VALUES);
    prt_all_reduce(ctx, CALL_GRADIENTS, g, g, TABLE);
    prt_wait(ctx, 0, 0);
    for (int layer = 0; layer < LAYERS; layer++) {
        float *table = at(ctx, AT_TABLES + layer * TABLE * 4);
        if (ctx->saving_gradients)
            prt_save_gradient(ctx, 0, layer, g);
        for (int i = 0; i < TABLE; i++)
            table[i] -= 20 * g[i];
    }
}

static void predict(prt_context *ctx)
{
    prt_range part = forward(ctx);
    prt_output(ctx, "logits", PRT_F32, at(ctx, AT_LOGITS), part.extent * CONTEXT * VALUES);
}

static const prt_tensor tensors[] = {{"block.table", "block", LAYERS, PRT_F32, 2, {VALUES, VALUES}, PRT_NORMAL, 0.02}};
static const prt_input inputs[] = {
    {"tokens", PRT_I32, PRT_TOKENS, VALUES, 2, {BATCH, CONTEXT}},
    {"targets", PRT_I32, PRT_TARGETS, VALUES, 2, {BATCH, CONTEXT}},
};
static const prt_layout layouts[LAYOUT_COUNT] = {
    [LAYOUT_TABLE] = {.unit = -1, .dim_count = 2, .dims = {{.size = VALUES}, {.size = VALUES}}},
    [LAYOUT_PART] = {.unit = -1, .dim_count = 2, .dims = {{.size = BATCH, .cut_count = 1}, {.size = CONTEXT}}},
};
static const prt_state states[] = {{.state = "parameters",
                                    .offset = AT_TABLES,
                                    .slots = LAYERS,
                                    .slot_bytes = TABLE * 4,
                                    .layout = LAYOUT_TABLE,
                                    .layers = {.last = {.constant = LAYERS - 1}}}};
static const prt_state gradients[] = {{.state = "gradients",
                                       .slots = LAYERS,
                                       .slot_bytes = TABLE * 4,
                                       .layout = LAYOUT_TABLE,
                                       .layers = {.last = {.constant = LAYERS - 1}}}};
static const prt_group groups[] = {{1, {0}}};
static const prt_source sources[] = {{"bigram.place", 1, "bigram"}, {"bigram.place", 7, "all_reduce"}};
static const prt_call calls[CALL_COUNT] = {
    [CALL_LOSS] = {PRT_ALL_REDUCE, "loss", 0, PRT_F32, PRT_SUM, 0, 0, 0, -1, 0, 1, 1, 4, 8 * (RANKS - 1) / RANKS},
    [CALL_GRADIENTS] = {PRT_ALL_REDUCE, "gradients", 0, PRT_F32, PRT_SUM, 0, 0, 0, 0, 1, 1, 1, TABLE * 4,
                        2 * TABLE * 4 / RANKS *(RANKS - 1)},
};
static const prt_memory memory[] = {{"all", AT_END}};
static const prt_buffer buffers[] = {{.name = "all", .bytes = AT_END}};

static const prt_program program = {
    .format = PRT_FORMAT,
    .name = "bigram",
    .file = "bigram.place",
    .plan_hash = "by hand",
    .version = "test",
    .axis_count = 1,
    .axes = {{"data", RANKS}},
    .compute_dtype = PRT_F32,
    .arena_bytes = {AT_END},
    .batch = BATCH,
    .micro = 1,
    .steps = 60,
    .items_per_step = BATCH * CONTEXT,
    .item = "tokens",
    .data = PRT_BYTES,
    .seed = 1,
    .tensor_count = 1,
    .input_count = 2,
    .layout_count = LAYOUT_COUNT,
    .state_count = 1,
    .gradient_count = 1,
    .group_count = 1,
    .call_count = CALL_COUNT,
    .memory_count = 1,
    .buffer_count = 1,
    .source_count = 2,
    .event_count = 1,
    .stream_count = 2,
    .tensors = tensors,
    .inputs = inputs,
    .layouts = layouts,
    .states = states,
    .gradients = gradients,
    .groups = groups,
    .calls = calls,
    .memory = memory,
    .buffers = buffers,
    .sources = sources,
    .init = init,
    .step = step,
    .eval = eval,
    .predict = predict,
};

int main(int argc, char **argv)
{
    return prt_main(argc, argv, &program);
}
