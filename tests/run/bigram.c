/* bigram.c - a program as code generation would write it, by hand: the next byte from the last one by a table of
 * logits, f32, on the bytes of a file, over RANKS ranks; parameters whole everywhere, gradients reduced by an
 * all_reduce. It has what mlp.c has not: a group of layers (whose sum the logits are), eval, predict, text; and it
 * computes by kernels only, so that it runs on a device whose memory it cannot see. */
#include "runtime/place_rt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef RANKS
#define RANKS 1
#endif

enum { PAGE = 4096, BATCH = 8, CONTEXT = 16, VALUES = 256, LAYERS = 2, TABLE = VALUES * VALUES };
enum { PART = (BATCH + RANKS - 1) / RANKS, ROWS = PART * CONTEXT };
enum {
    AT_TABLES = 0,
    AT_GRADIENT = AT_TABLES + LAYERS * TABLE * 4,
    AT_LOGITS = AT_GRADIENT + TABLE * 4,
    AT_TOKENS = AT_LOGITS + ROWS * VALUES * 4,
    AT_TARGETS = AT_TOKENS + ROWS * 4,
    AT_LOSS = AT_TARGETS + ROWS * 4,
    AT_END = AT_LOSS + 4
};
enum { CALL_LOSS, CALL_GRADIENTS, CALL_COUNT };
enum { LAYOUT_TABLE, LAYOUT_PART, LAYOUT_COUNT };
enum { KERNEL_LOGITS, KERNEL_LOSS, KERNEL_FILL, KERNEL_ADD_ROWS, KERNEL_UPDATE, KERNEL_COUNT };

static float *at(const prt_context *ctx, int64_t offset)
{
    return prt_at(ctx, PRT_DEVICE, offset);
}

static void init(prt_context *ctx)
{
    for (int layer = 0; layer < LAYERS; layer++)
        prt_init(ctx, 0, LAYOUT_TABLE, layer, 1, PRT_F32, at(ctx, AT_TABLES + layer * TABLE * 4));
}

/* ---- Kernels: rows i, values j, all tables k ------------------------------------------------------------------- */

static void logits_of_rows(const prt_arguments *arguments, int64_t first, int64_t last)
{
    float *logits = arguments->arrays[0];
    const int32_t *tokens = arguments->arrays[1];
    const float *tables = arguments->arrays[2];
    for (int64_t i = first; i < last; i++)
        for (int64_t j = 0; j < VALUES; j++)
            logits[i * VALUES + j] = tables[tokens[i] * VALUES + j] + tables[TABLE + tokens[i] * VALUES + j];
}

/* Logits become their derivative. */
static void loss_of_rows(const prt_arguments *arguments, int64_t first, int64_t last)
{
    float *loss = arguments->arrays[0], *logits = arguments->arrays[1];
    const int32_t *targets = arguments->arrays[2];
    double sum = 0;
    for (int64_t i = 0; i < arguments->extents[0]; i++) {
        float *row = logits + i * VALUES;
        double total = 0;
        for (int v = 0; v < VALUES; v++)
            total += exp(row[v]);
        sum += log(total) - row[targets[i]];
        for (int v = 0; v < VALUES; v++)
            row[v] = (float)((exp(row[v]) / total - (v == targets[i])) / (BATCH * CONTEXT));
    }
    *loss = (float)(sum / (BATCH * CONTEXT));
    (void)first, (void)last;
}

static void fill(const prt_arguments *arguments, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i++)
        ((float *)arguments->arrays[0])[i] = (float)arguments->numbers[0];
}

static void add_rows(const prt_arguments *arguments, int64_t first, int64_t last)
{
    float *table = arguments->arrays[0];
    const int32_t *tokens = arguments->arrays[1];
    const float *rows = arguments->arrays[2];
    for (int64_t i = 0; i < arguments->extents[0]; i++)
        for (int64_t j = first; j < last; j++)
            table[tokens[i] * VALUES + j] += rows[i * VALUES + j];
}

static void update(const prt_arguments *arguments, int64_t first, int64_t last)
{
    float *table = arguments->arrays[0];
    const float *gradient = arguments->arrays[1];
    for (int64_t i = first; i < last; i++)
        table[i] -= (float)arguments->numbers[0] * gradient[i];
}

static const prt_kernel kernels[KERNEL_COUNT] = {
    [KERNEL_LOGITS] = {.entry = "logits",
                       .host = logits_of_rows,
                       .arrays = {{PRT_F32, "ij"}, {PRT_I32, "i"}, {PRT_F32, "k"}},
                       .array_count = 3,
                       .extent_count = 3,
                       .split = "i"},
    [KERNEL_LOSS] = {.entry = "loss",
                     .host = loss_of_rows,
                     .arrays = {{PRT_F32, ""}, {PRT_F32, "ij"}, {PRT_I32, "i"}},
                     .array_count = 3,
                     .extent_count = 2,
                     .split = ""},
    [KERNEL_FILL] = {.entry = "fill", .host = fill, .arrays = {{PRT_F32, "i"}}, .array_count = 1, .split = "i"},
    [KERNEL_ADD_ROWS] = {.entry = "add_rows",
                         .host = add_rows,
                         .arrays = {{PRT_F32, "k"}, {PRT_I32, "i"}, {PRT_F32, "ij"}},
                         .array_count = 3,
                         .extent_count = 3,
                         .split = "j"},
    [KERNEL_UPDATE] = {.entry = "update",
                       .host = update,
                       .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
                       .array_count = 2,
                       .extent_count = 1,
                       .split = "i"},
};

/* ---- Routines ------------------------------------------------------------------------------------------------- */

/* Logits of this rank's rows; returns their number. */
static int64_t forward(prt_context *ctx)
{
    int64_t rows = prt_cut(BATCH, RANKS, ctx->coordinate[0]).extent * CONTEXT;
    prt_read(ctx, 0, LAYOUT_PART, 0, at(ctx, AT_TOKENS));
    prt_launch(ctx, KERNEL_LOGITS, 0,
               &(prt_arguments){
                   .arrays = {at(ctx, AT_LOGITS), at(ctx, AT_TOKENS), at(ctx, AT_TABLES)},
                   .extents = {rows, VALUES, LAYERS * TABLE},
               });
    return rows;
}

static void eval(prt_context *ctx)
{
    int64_t rows = forward(ctx);
    prt_read(ctx, 1, LAYOUT_PART, 0, at(ctx, AT_TARGETS));
    prt_launch(ctx, KERNEL_LOSS, 0,
               &(prt_arguments){
                   .arrays = {at(ctx, AT_LOSS), at(ctx, AT_LOGITS), at(ctx, AT_TARGETS)},
                   .extents = {rows, VALUES},
               });
    prt_all_reduce(ctx, CALL_LOSS, at(ctx, AT_LOSS), at(ctx, AT_LOSS), 1);
    prt_output(ctx, "loss", PRT_F32, at(ctx, AT_LOSS), 1);
}

/* Faults, by request of a test: memory of the device touched directly, and a kernel on more than there is. */
static void misbehave(prt_context *ctx)
{
    const char *fault = getenv("FAULT");
    ctx->at = 1;
    if (fault != NULL && strcmp(fault, "touch") == 0)
        at(ctx, AT_GRADIENT)[3] = 1;
    if (fault != NULL && strcmp(fault, "beyond") == 0)
        prt_launch(ctx, KERNEL_FILL, 0, &(prt_arguments){.arrays = {at(ctx, AT_LOSS)}, .extents = {PAGE / 4 + 1}});
}

static void step(prt_context *ctx)
{
    int64_t rows = prt_cut(BATCH, RANKS, ctx->coordinate[0]).extent * CONTEXT;
    float *g = at(ctx, AT_GRADIENT);
    misbehave(ctx);
    eval(ctx);
    prt_launch(ctx, KERNEL_FILL, 0, &(prt_arguments){.arrays = {g}, .extents = {TABLE}});
    prt_launch(ctx, KERNEL_ADD_ROWS, 0,
               &(prt_arguments){
                   .arrays = {g, at(ctx, AT_TOKENS), at(ctx, AT_LOGITS)},
                   .extents = {rows, VALUES, TABLE},
               });
    prt_all_reduce(ctx, CALL_GRADIENTS, g, g, TABLE);
    prt_wait(ctx, 0, 0);
    for (int layer = 0; layer < LAYERS; layer++) {
        float *table = at(ctx, AT_TABLES + layer * TABLE * 4);
        if (ctx->saving_gradients)
            prt_save_gradient(ctx, 0, layer, g);
        prt_launch(ctx, KERNEL_UPDATE, 0, &(prt_arguments){.arrays = {table, g}, .extents = {TABLE}, .numbers = {20}});
    }
}

static void predict(prt_context *ctx)
{
    int64_t rows = forward(ctx);
    prt_output(ctx, "logits", PRT_F32, at(ctx, AT_LOGITS), rows * VALUES);
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
static const int64_t once[] = {1};
static const prt_call calls[CALL_COUNT] = {
    [CALL_LOSS] = {.op = PRT_ALL_REDUCE,
                   .state = "loss",
                   .algorithm = "direct",
                   .event = -1,
                   .source = 1,
                   .calls_per_step = once,
                   .payload_bytes = 4},
    [CALL_GRADIENTS] = {.op = PRT_ALL_REDUCE,
                        .state = "gradients",
                        .algorithm = "direct",
                        .stream = 1,
                        .source = 1,
                        .calls_per_step = once,
                        .payload_bytes = TABLE * 4},
};
static const prt_class classes[] = {{.memory = {AT_END}}};
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
    .kernel_count = KERNEL_COUNT,
    .class_count = 1,
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
    .kernels = kernels,
    .classes = classes,
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
