/* mlp.c - a program as code generation would write it, by hand: a perceptron of two layers on synthetic data, f64,
 * trained by gradient descent with momentum on RANKS ranks. STAGE 1: parameters and gradients whole on every rank,
 * momentum cut; STAGE 3: all cut flat over the ranks, parameters gathered for use. 103 parameters divide by no number
 * of ranks tried, and 10 examples not by 3 or 4. */
#include "tests/run/by_hand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef RANKS
#define RANKS 1
#endif
#ifndef STAGE
#define STAGE 1
#endif

enum { BATCH = 10, FEATURES = 6, HIDDEN = 10, CLASSES = 3 };
enum { W1 = 0, B1 = W1 + FEATURES * HIDDEN, W2 = B1 + HIDDEN, B2 = W2 + HIDDEN * CLASSES, ELEMENTS = B2 + CLASSES };
enum { PIECE = (ELEMENTS + RANKS - 1) / RANKS, PART = (BATCH + RANKS - 1) / RANKS };

/* The arena, in elements of 8 bytes. */
enum {
    AT_PARAMETERS = 0,
    AT_MOMENTUM = AT_PARAMETERS + (STAGE == 3 ? PIECE : ELEMENTS),
    AT_FULL = AT_MOMENTUM + PIECE,
    AT_GRADIENT = AT_FULL + (STAGE == 3 ? ELEMENTS : 0),
    AT_PIECE = AT_GRADIENT + ELEMENTS,
    AT_SLICE = AT_PIECE + PIECE,
    AT_X = AT_SLICE + (STAGE == 3 ? 0 : PIECE),
    AT_HIDDEN = AT_X + PART * FEATURES,
    AT_LOGITS = AT_HIDDEN + PART * HIDDEN,
    AT_DHIDDEN = AT_LOGITS + PART * CLASSES,
    AT_LOSS = AT_DHIDDEN + PART * HIDDEN,
    AT_NORM = AT_LOSS + 1,
    AT_RATE = AT_NORM + 1,
    AT_LABELS = AT_RATE + 1,
    AT_END = AT_LABELS + (PART + 1) / 2
};

enum { CALL_LOSS, CALL_NORM, CALL_GRADIENTS, CALL_PARAMETERS, CALL_COUNT };
enum { LAYOUT_PARAMETERS, LAYOUT_PIECE, LAYOUT_SCALAR, LAYOUT_X, LAYOUT_LABELS, LAYOUT_WHOLE, LAYOUT_COUNT };

static double *at(const prt_context *ctx, int64_t element)
{
    return prt_at(ctx, PRT_DEVICE, element * 8);
}

static void init(prt_context *ctx)
{
    prt_init(ctx, -1, LAYOUT_PARAMETERS, 0, 7, PRT_F64, at(ctx, AT_PARAMETERS));
    hand_fill(PRT_F64, at(ctx, AT_MOMENTUM), PIECE, 0);
    hand_fill(PRT_F64, at(ctx, AT_RATE), 1, 0.2);
}

static double *use_parameters(prt_context *ctx)
{
    if (STAGE != 3)
        return at(ctx, AT_PARAMETERS);
    prt_all_gather(ctx, CALL_PARAMETERS, 0, at(ctx, AT_FULL), at(ctx, AT_PARAMETERS));
    return at(ctx, AT_FULL);
}

/* Loss of this rank's examples; logits become their derivative. */
static void forward(prt_context *ctx, const double *p, prt_range part)
{
    double *x = at(ctx, AT_X), *hidden = at(ctx, AT_HIDDEN), *logits = at(ctx, AT_LOGITS), *loss = at(ctx, AT_LOSS);
    int32_t *labels = prt_at(ctx, PRT_DEVICE, AT_LABELS * 8);
    prt_read(ctx, 0, LAYOUT_X, 0, x);
    prt_read(ctx, 1, LAYOUT_LABELS, 0, labels);
    prt_gemm(ctx, 0, PRT_F64, &(prt_gemm_shape){part.extent, HIDDEN, FEATURES, FEATURES, 1, 1, FEATURES, HIDDEN, 1}, x,
             p + W1, 0, hidden);
    for (int64_t i = 0; i < part.extent * HIDDEN; i++)
        hidden[i] = tanh(hidden[i] + p[B1 + i % HIDDEN]);
    prt_gemm(ctx, 0, PRT_F64, &(prt_gemm_shape){part.extent, CLASSES, HIDDEN, HIDDEN, 1, 1, HIDDEN, CLASSES, 1}, hidden,
             p + W2, 0, logits);
    *loss = 0;
    for (int64_t e = 0; e < part.extent; e++) {
        double sum = 0, *row = logits + e * CLASSES;
        for (int c = 0; c < CLASSES; c++)
            sum += exp(row[c] += p[B2 + c]);
        *loss += (log(sum) - row[labels[e]]) / BATCH;
        for (int c = 0; c < CLASSES; c++)
            row[c] = (exp(row[c]) / sum - (c == labels[e])) / BATCH;
    }
    prt_all_reduce(ctx, CALL_LOSS, loss, loss, 1);
    prt_output(ctx, "loss", PRT_F64, loss, 1);
}

static void backward(prt_context *ctx, const double *p, double *g, int64_t extent)
{
    double *x = at(ctx, AT_X), *hidden = at(ctx, AT_HIDDEN), *logits = at(ctx, AT_LOGITS), *back = at(ctx, AT_DHIDDEN);
    hand_fill(PRT_F64, g, ELEMENTS, 0);
    prt_gemm(ctx, 0, PRT_F64, &(prt_gemm_shape){CLASSES, HIDDEN, extent, 1, CLASSES, HIDDEN, 1, HIDDEN, 1}, logits,
             hidden, 0, g + W2);
    prt_gemm(ctx, 0, PRT_F64, &(prt_gemm_shape){extent, HIDDEN, CLASSES, CLASSES, 1, HIDDEN, 1, HIDDEN, 1}, logits,
             p + W2, 0, back);
    for (int64_t i = 0; i < extent * CLASSES; i++)
        g[B2 + i % CLASSES] += logits[i];
    for (int64_t i = 0; i < extent * HIDDEN; i++)
        g[B1 + i % HIDDEN] += back[i] *= 1 - hidden[i] * hidden[i];
    prt_gemm(ctx, 0, PRT_F64, &(prt_gemm_shape){HIDDEN, FEATURES, extent, 1, HIDDEN, FEATURES, 1, FEATURES, 1}, back, x,
             0, g + W1);
}

static void update(prt_context *ctx)
{
    double *piece = at(ctx, AT_PIECE), *momentum = at(ctx, AT_MOMENTUM), *norm = at(ctx, AT_NORM);
    double *p = at(ctx, STAGE == 3 ? AT_PARAMETERS : AT_SLICE), rate = *at(ctx, AT_RATE);
    *norm = 0;
    for (int i = 0; i < PIECE; i++)
        *norm += piece[i] * piece[i];
    prt_all_reduce(ctx, CALL_NORM, norm, norm, 1);
    *norm = sqrt(*norm);
    prt_output(ctx, "gradient_norm", PRT_F64, norm, 1);
    prt_output(ctx, "learning_rate", PRT_F64, &rate, 1);
    if (ctx->saving_gradients)
        prt_save_gradient(ctx, 0, 0, piece);
    if (STAGE != 3)
        prt_slice(ctx, PRT_F64, LAYOUT_WHOLE, LAYOUT_PIECE, 0, p, at(ctx, AT_PARAMETERS));
    for (int i = 0; i < PIECE; i++)
        p[i] -= rate * (momentum[i] = 0.9 * momentum[i] + piece[i]);
    if (STAGE != 3)
        prt_all_gather(ctx, CALL_PARAMETERS, 0, at(ctx, AT_PARAMETERS), p);
}

/* Faults, by request of a test: NaN, a crash, a rank that never enters a communication, and one that ends by
 * itself. */
static void misbehave(prt_context *ctx)
{
    const char *fault = getenv("FAULT");
    if (fault == NULL || ctx->step != 2 || ctx->rank != RANKS - 1)
        return;
    ctx->at = 1;
    if (strcmp(fault, "nan") == 0)
        *at(ctx, AT_PARAMETERS) = NAN;
    else if (strcmp(fault, "crash") == 0)
        *(volatile double *)((char *)at(ctx, 0) - 8) = 1;
    else if (strcmp(fault, "exit") == 0)
        _Exit(3);
    while (strcmp(fault, "hang") == 0)
        ;
}

static void step(prt_context *ctx)
{
    prt_range part = prt_cut(BATCH, RANKS, ctx->coordinate[0]);
    double *g = at(ctx, AT_GRADIENT);
    misbehave(ctx);
    forward(ctx, use_parameters(ctx), part);
    backward(ctx, use_parameters(ctx), g, part.extent);
    prt_reduce_scatter(ctx, CALL_GRADIENTS, 0, at(ctx, AT_PIECE), g);
    update(ctx);
}

static void eval(prt_context *ctx)
{
    forward(ctx, use_parameters(ctx), prt_cut(BATCH, RANKS, ctx->coordinate[0]));
}

static const prt_tensor tensors[] = {
    {"layer1.weight", NULL, 1, PRT_F64, 2, {HIDDEN, FEATURES}, PRT_NORMAL, 0.4},
    {"layer1.bias", NULL, 1, PRT_F64, 1, {HIDDEN}, PRT_ZEROS, 0},
    {"layer2.weight", NULL, 1, PRT_F64, 2, {CLASSES, HIDDEN}, PRT_UNIFORM, 0.5},
    {"layer2.bias", NULL, 1, PRT_F64, 1, {CLASSES}, PRT_ZEROS, 0},
};
static const prt_member members[] = {{0, W1}, {1, B1}, {2, W2}, {3, B2}};
static const prt_unit units[] = {{"outside", 0, 0, 4, members, ELEMENTS}};
static const prt_input inputs[] = {
    {"x", PRT_F64, PRT_FEATURES, 0, 2, {BATCH, FEATURES}},
    {"label", PRT_I32, PRT_LABELS, CLASSES, 1, {BATCH}},
};
static const prt_layout layouts[LAYOUT_COUNT] = {
    [LAYOUT_PARAMETERS] = {.cut_count = STAGE == 3},
    [LAYOUT_PIECE] = {.cut_count = 1},
    [LAYOUT_SCALAR] = {.unit = -1},
    [LAYOUT_WHOLE] = {.unit = 0},
    [LAYOUT_X] = {.unit = -1, .dim_count = 2, .dims = {{.size = BATCH, .cut_count = 1}, {.size = FEATURES}}},
    [LAYOUT_LABELS] = {.unit = -1, .dim_count = 1, .dims = {{.size = BATCH, .cut_count = 1}}},
};
static const prt_state states[] = {
    {.state = "parameters",
     .dtype = PRT_F64,
     .offset = AT_PARAMETERS * 8,
     .slots = 1,
     .slot_bytes = PIECE * 8,
     .layout = LAYOUT_PARAMETERS},
    {.state = "momentum",
     .dtype = PRT_F64,
     .offset = AT_MOMENTUM * 8,
     .slots = 1,
     .slot_bytes = PIECE * 8,
     .layout = LAYOUT_PIECE},
    {.state = "rate",
     .dtype = PRT_F64,
     .offset = AT_RATE * 8,
     .slots = 1,
     .slot_bytes = 8,
     .layout = LAYOUT_SCALAR,
     .tensor = -1},
};
static const prt_state gradients[] = {
    {.state = "gradients", .dtype = PRT_F64, .slots = 1, .slot_bytes = PIECE * 8, .layout = LAYOUT_PIECE},
};
static const prt_group groups[] = {{1, {0}}};
static const prt_source sources[] = {
    {"mlp.place", 1, "mlp"},
    {"mlp.place", 4, "linear 'layer1'"},
    {"mlp.place", 9, "all_reduce loss"},
    {"mlp.place", 10, "reduce_scatter gradients"},
    {"mlp.place", 11, "all_gather parameters"},
};
static const int64_t once[] = {1}, gathers[] = {STAGE == 3 ? 2 : 1};
static const prt_call calls[CALL_COUNT] = {
    [CALL_LOSS] = {.op = PRT_ALL_REDUCE,
                   .state = "loss",
                   .algorithm = "direct",
                   .dtype = PRT_F64,
                   .event = -1,
                   .source = 2,
                   .calls_per_step = once,
                   .payload_bytes = 8},
    [CALL_NORM] = {.op = PRT_ALL_REDUCE,
                   .state = "norm",
                   .algorithm = "direct",
                   .dtype = PRT_F64,
                   .event = -1,
                   .source = 2,
                   .calls_per_step = once,
                   .payload_bytes = 8},
    [CALL_GRADIENTS] = {.op = PRT_REDUCE_SCATTER,
                        .state = "gradients",
                        .algorithm = "direct",
                        .dtype = PRT_F64,
                        .from = LAYOUT_WHOLE,
                        .into = LAYOUT_PIECE,
                        .event = -1,
                        .source = 3,
                        .calls_per_step = once,
                        .payload_bytes = ELEMENTS * 8},
    [CALL_PARAMETERS] = {.op = PRT_ALL_GATHER,
                         .state = "parameters",
                         .algorithm = "direct",
                         .dtype = PRT_F64,
                         .from = LAYOUT_PIECE,
                         .into = LAYOUT_WHOLE,
                         .event = -1,
                         .source = 4,
                         .calls_per_step = gathers,
                         .payload_bytes = ELEMENTS * 8},
};
static const prt_class classes[] = {{.memory = {AT_END * 8}}};
static const prt_buffer buffers[] = {
    {.name = "states", .bytes = AT_FULL * 8},
    {.name = "gradients", .offset = AT_FULL * 8, .bytes = (AT_X - AT_FULL) * 8},
    {.name = "activations", .offset = AT_X * 8, .bytes = (AT_RATE - AT_X) * 8},
    {.name = "labels", .offset = AT_RATE * 8, .bytes = 8 + PART * 4},
};

static const prt_program program = {
    .format = PRT_FORMAT,
    .name = "mlp",
    .file = "mlp.place",
    .plan_hash = "by hand",
    .version = "test",
    .axis_count = 1,
    .axes = {{"data", RANKS}},
    .compute_dtype = PRT_F64,
    .arena_bytes = {AT_END * 8},
    .batch = BATCH,
    .micro = 1,
    .steps = 8,
    .items_per_step = BATCH,
    .item = "examples",
    .data = PRT_SYNTHETIC,
    .seed = 3,
    .tensor_count = 4,
    .input_count = 2,
    .unit_count = 1,
    .layout_count = LAYOUT_COUNT,
    .state_count = 3,
    .gradient_count = 1,
    .group_count = 1,
    .call_count = CALL_COUNT,
    .class_count = 1,
    .buffer_count = 4,
    .source_count = 5,
    .stream_count = 1,
    .tensors = tensors,
    .inputs = inputs,
    .units = units,
    .layouts = layouts,
    .states = states,
    .gradients = gradients,
    .groups = groups,
    .calls = calls,
    .classes = classes,
    .buffers = buffers,
    .sources = sources,
    .init = init,
    .step = step,
    .eval = eval,
};

int main(int argc, char **argv)
{
    return prt_main(argc, argv, &program);
}
