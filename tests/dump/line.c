/* line, trained on a mesh { data: 2 }: the program of every rank. Written by placec from tests/dump/line.place; the
 * comments name its lines, and what one execution of a statement costs the rank with the largest pieces. */
#include "place_rt.h"

/* Kernels (kernels.o). The result comes first, then operands, extents, numbers. */
void kernel_fill_f32_to_s(float *y, double value);
void kernel_fill_f32(float *y, int64_t ni, double value);
void kernel_add_f32_ij_j(float *y, const float *a, const float *b, int64_t ni, int64_t nj);
void kernel_squared_error_f32(float *y, const float *a, const float *b, int64_t ni);
void kernel_reduce_f32_i_to_s(float *y, const float *a, int64_t ni);
void kernel_scale_f32_s_in_place_a(float *y, double scale);
void kernel_squared_error_bwd_f32(float *y, const float *a, const float *b, const float *c, int64_t ni);
void kernel_reduce_f32_ij_to_j_accumulate(float *y, const float *a, int64_t ni, int64_t nj);
void kernel_copy_f32_s_accumulate(float *y, const float *a);
void kernel_rate_f32_s(float *y, const float *a, double rate, double warmup, double total, double last);
void kernel_increment_f32_s_in_place_a(float *y);
void kernel_sgd_f32_i_i_s_in_place_a(float *y, const float *b, const float *c, int64_t ni);

/* Axes of the mesh, the first outermost. */
enum { AXIS_data };

/* Where a parameter lies in its unit, in elements. */
#define OFFSET_layer_weight 0
#define OFFSET_layer_bias 9

/* ---- Buffers in the arena ---- */

/* parameters.outside: f32 unit outside, 48 B */
static inline float *at_parameters_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 0);
}

/* gradients.outside: f32 unit outside, 48 B */
static inline float *at_gradients_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 128);
}

/* step: f32 [], 4 B */
static inline float *at_step(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 64);
}

/* loss.sum: f32 [], 4 B */
static inline float *at_loss_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 192);
}

/* features: f32 [5 / micro / data, 3], 36 B */
static inline float *at_features(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 256);
}

/* targets: f32 [5 / micro / data, 3], 36 B */
static inline float *at_targets(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 320);
}

/* layer.product: f32 [5 / micro / data, 3], 36 B */
static inline float *at_layer_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 384);
}

/* layer: f32 [5 / micro / data, 3], 36 B */
static inline float *at_layer(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 448);
}

/* loss.terms: f32 [5 / micro / data, 3], 36 B */
static inline float *at_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 384);
}

/* loss: f32 [], 4 B */
static inline float *at_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 512);
}

/* d_loss.terms: f32 [5 / micro / data, 3], 36 B */
static inline float *at_d_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 384);
}

/* d_layer: f32 [5 / micro / data, 3], 36 B */
static inline float *at_d_layer(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 576);
}

/* rate: f32 [], 4 B */
static inline float *at_rate(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 192);
}

/* parameter_shard.outside: f32 unit outside / data, 24 B */
static inline float *at_parameter_shard_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 256);
}

/* gradient_shard.outside: f32 unit outside / data, 24 B */
static inline float *at_gradient_shard_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 320);
}

/* eval.loss.sum: f32 [], 4 B */
static inline float *at_eval_loss_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 128);
}

/* eval.features: f32 [5 / micro / data, 3], 36 B */
static inline float *at_eval_features(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 192);
}

/* eval.targets: f32 [5 / micro / data, 3], 36 B */
static inline float *at_eval_targets(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 256);
}

/* eval.layer.product: f32 [5 / micro / data, 3], 36 B */
static inline float *at_eval_layer_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 320);
}

/* eval.layer: f32 [5 / micro / data, 3], 36 B */
static inline float *at_eval_layer(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 192);
}

/* eval.loss.terms: f32 [5 / micro / data, 3], 36 B */
static inline float *at_eval_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 320);
}

/* eval.loss: f32 [], 4 B */
static inline float *at_eval_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 192);
}

/* predict.features: f32 [1, 3], 12 B */
static inline float *at_predict_features(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 128);
}

/* predict.layer.product: f32 [1, 3], 12 B */
static inline float *at_predict_layer_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 192);
}

/* predict.layer: f32 [1, 3], 12 B */
static inline float *at_predict_layer(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, 128);
}

/* ---- Routines ---- */

/* Before the first step: every state gets its initial value. */
static void init(prt_context *ctx)
{
    /* tests/dump/line.place:15: fill: 4 B */
    ctx->at = 1;
    kernel_fill_f32_to_s(at_step(ctx), 0);
    /* tests/dump/line.place:6: init: 48 B */
    ctx->at = 2;
    prt_init_unit(ctx, 0, 0, 1, PRT_F32, at_parameters_outside(ctx), 1, 0);
}

/* One training step. */
static void step(prt_context *ctx)
{
    /* tests/dump/line.place:14: fill: 48 B */
    ctx->at = 3;
    kernel_fill_f32(at_gradients_outside(ctx), 12, 0);
    /* tests/dump/line.place:7: fill: 4 B */
    ctx->at = 4;
    kernel_fill_f32_to_s(at_loss_sum(ctx), 0);
    for (int64_t micro = 0; micro < 1; micro++) {
        /* 5 cut over micro, data: the part of this rank */
        const prt_range examples = prt_cut_again(prt_cut(5, 1, micro), 2, ctx->coordinate[AXIS_data]);
        /* tests/dump/line.place:4: read features: 36 B */
        ctx->at = 5;
        prt_read(ctx, 0, examples, at_features(ctx));
        /* tests/dump/line.place:4: read targets: 36 B */
        ctx->at = 6;
        prt_read(ctx, 1, examples, at_targets(ctx));
        /* tests/dump/line.place:6: einsum "bh,oh->bo": 108 B, 54 flop */
        ctx->at = 7;
        const prt_gemm_shape gemm1 = {
            .m = examples.extent, .n = 3, .k = 3,
            .a_row = 3, .a_column = 1,
            .b_row = 1, .b_column = 3,
            .c_row = 3, .c_column = 1,
        };
        prt_gemm(ctx, PRT_F32, &gemm1, at_features(ctx), at_parameters_outside(ctx) + OFFSET_layer_weight, 0,
                 at_layer_product(ctx));
        /* tests/dump/line.place:6: add "bo,o->bo": 84 B, 9 flop */
        kernel_add_f32_ij_j(at_layer(ctx), at_layer_product(ctx), at_parameters_outside(ctx) + OFFSET_layer_bias,
                            examples.extent, 3);
        /* tests/dump/line.place:7: squared_error "ab,ab->ab": 108 B, 18 flop */
        ctx->at = 4;
        kernel_squared_error_f32(at_loss_terms(ctx), at_layer(ctx), at_targets(ctx), examples.extent * 3);
        /* tests/dump/line.place:7: reduce "ab->": 40 B, 9 flop */
        kernel_reduce_f32_i_to_s(at_loss(ctx), at_loss_terms(ctx), examples.extent * 3);
        /* tests/dump/line.place:7: scale "->": 8 B, 1 flop */
        kernel_scale_f32_s_in_place_a(at_loss(ctx), 1.0 / 15);
        /* tests/dump/line.place:7: fill "ab": 36 B */
        kernel_fill_f32(at_d_loss_terms(ctx), examples.extent * 3, 0.06666666666666667);
        /* tests/dump/line.place:7: squared_error_bwd "ab,ab,ab->ab": 144 B, 27 flop */
        kernel_squared_error_bwd_f32(at_d_layer(ctx), at_layer(ctx), at_targets(ctx), at_d_loss_terms(ctx),
                                     examples.extent * 3);
        /* tests/dump/line.place:6: reduce "bo->o": 60 B, 9 flop */
        ctx->at = 7;
        kernel_reduce_f32_ij_to_j_accumulate(at_gradients_outside(ctx) + OFFSET_layer_bias, at_d_layer(ctx),
                                             examples.extent, 3);
        /* tests/dump/line.place:6: einsum "bo,bh->oh": 144 B, 54 flop */
        const prt_gemm_shape gemm2 = {
            .m = 3, .n = 3, .k = examples.extent,
            .a_row = 1, .a_column = 3,
            .b_row = 3, .b_column = 1,
            .c_row = 3, .c_column = 1,
        };
        prt_gemm(ctx, PRT_F32, &gemm2, at_d_layer(ctx), at_features(ctx), 1,
                 at_gradients_outside(ctx) + OFFSET_layer_weight);
        /* tests/dump/line.place:7: copy "->": 12 B */
        ctx->at = 4;
        kernel_copy_f32_s_accumulate(at_loss_sum(ctx), at_loss(ctx));
    }
    /* tests/dump/line.place:14: all_reduce loss.sum over data: payload 4 B */
    ctx->at = 8;
    prt_all_reduce(ctx, 0, at_loss_sum(ctx), at_loss_sum(ctx), 1);
    /* tests/dump/line.place:7: output loss: 4 B */
    ctx->at = 9;
    prt_output(ctx, "loss", PRT_F32, at_loss_sum(ctx), 1);
    /* tests/dump/line.place:15: rate "->": 8 B, 8 flop */
    ctx->at = 10;
    kernel_rate_f32_s(at_rate(ctx), at_step(ctx), 0.1, 0, 0, 1);
    /* tests/dump/line.place:15: output learning_rate: 4 B */
    ctx->at = 11;
    prt_output(ctx, "learning_rate", PRT_F32, at_rate(ctx), 1);
    /* tests/dump/line.place:15: increment "->": 8 B, 1 flop */
    ctx->at = 10;
    kernel_increment_f32_s_in_place_a(at_step(ctx));
    /* tests/dump/line.place:14: slice parameters.outside over data: 72 B */
    ctx->at = 12;
    prt_slice_flat(ctx, PRT_F32, at_parameter_shard_outside(ctx), at_parameters_outside(ctx), 12, 2,
                   ctx->coordinate[AXIS_data]);
    /* tests/dump/line.place:14: reduce_scatter gradients.outside over data: payload 48 B */
    ctx->at = 13;
    prt_reduce_scatter(ctx, 1, at_gradient_shard_outside(ctx), at_gradients_outside(ctx), prt_flat(12));
    /* tests/dump/line.place:15: sgd: 76 B, 12 flop */
    ctx->at = 10;
    if (ctx->saving_gradients)
        prt_save_gradient(ctx, 0, 0, at_gradient_shard_outside(ctx));
    kernel_sgd_f32_i_i_s_in_place_a(at_parameter_shard_outside(ctx), at_gradient_shard_outside(ctx), at_rate(ctx), 6);
    /* tests/dump/line.place:14: all_gather parameter_shard.outside over data: payload 48 B */
    ctx->at = 14;
    prt_all_gather(ctx, 2, at_parameters_outside(ctx), at_parameter_shard_outside(ctx), prt_flat(12));
}

/* The loss on examples that are held out. */
static void eval(prt_context *ctx)
{
    /* tests/dump/line.place:7: fill: 4 B */
    ctx->at = 15;
    kernel_fill_f32_to_s(at_eval_loss_sum(ctx), 0);
    for (int64_t micro = 0; micro < 1; micro++) {
        /* 5 cut over micro, data: the part of this rank */
        const prt_range examples = prt_cut_again(prt_cut(5, 1, micro), 2, ctx->coordinate[AXIS_data]);
        /* tests/dump/line.place:4: read features: 36 B */
        ctx->at = 5;
        prt_read(ctx, 0, examples, at_eval_features(ctx));
        /* tests/dump/line.place:4: read targets: 36 B */
        ctx->at = 6;
        prt_read(ctx, 1, examples, at_eval_targets(ctx));
        /* tests/dump/line.place:6: einsum "bh,oh->bo": 108 B, 54 flop */
        ctx->at = 16;
        const prt_gemm_shape gemm3 = {
            .m = examples.extent, .n = 3, .k = 3,
            .a_row = 3, .a_column = 1,
            .b_row = 1, .b_column = 3,
            .c_row = 3, .c_column = 1,
        };
        prt_gemm(ctx, PRT_F32, &gemm3, at_eval_features(ctx), at_parameters_outside(ctx) + OFFSET_layer_weight, 0,
                 at_eval_layer_product(ctx));
        /* tests/dump/line.place:6: add "bo,o->bo": 84 B, 9 flop */
        kernel_add_f32_ij_j(at_eval_layer(ctx), at_eval_layer_product(ctx),
                            at_parameters_outside(ctx) + OFFSET_layer_bias, examples.extent, 3);
        /* tests/dump/line.place:7: squared_error "ab,ab->ab": 108 B, 18 flop */
        ctx->at = 15;
        kernel_squared_error_f32(at_eval_loss_terms(ctx), at_eval_layer(ctx), at_eval_targets(ctx),
                                 examples.extent * 3);
        /* tests/dump/line.place:7: reduce "ab->": 40 B, 9 flop */
        kernel_reduce_f32_i_to_s(at_eval_loss(ctx), at_eval_loss_terms(ctx), examples.extent * 3);
        /* tests/dump/line.place:7: scale "->": 8 B, 1 flop */
        kernel_scale_f32_s_in_place_a(at_eval_loss(ctx), 1.0 / 15);
        /* tests/dump/line.place:7: copy "->": 12 B */
        kernel_copy_f32_s_accumulate(at_eval_loss_sum(ctx), at_eval_loss(ctx));
    }
    /* tests/dump/line.place:14: all_reduce eval.loss.sum over data: payload 4 B */
    ctx->at = 17;
    prt_all_reduce(ctx, 3, at_eval_loss_sum(ctx), at_eval_loss_sum(ctx), 1);
    /* tests/dump/line.place:7: output loss: 4 B */
    ctx->at = 9;
    prt_output(ctx, "loss", PRT_F32, at_eval_loss_sum(ctx), 1);
}

/* The model's output on the text so far. */
static void predict(prt_context *ctx)
{
    /* tests/dump/line.place:4: read features: 12 B */
    ctx->at = 5;
    prt_read(ctx, 0, (prt_range){0, 1}, at_predict_features(ctx));
    /* tests/dump/line.place:6: einsum "bh,oh->bo": 60 B, 18 flop */
    ctx->at = 18;
    const prt_gemm_shape gemm4 = {
        .m = 1, .n = 3, .k = 3,
        .a_row = 3, .a_column = 1,
        .b_row = 1, .b_column = 3,
        .c_row = 3, .c_column = 1,
    };
    prt_gemm(ctx, PRT_F32, &gemm4, at_predict_features(ctx), at_parameters_outside(ctx) + OFFSET_layer_weight, 0,
             at_predict_layer_product(ctx));
    /* tests/dump/line.place:6: add "bo,o->bo": 36 B, 3 flop */
    kernel_add_f32_ij_j(at_predict_layer(ctx), at_predict_layer_product(ctx),
                        at_parameters_outside(ctx) + OFFSET_layer_bias, 1, 3);
    /* tests/dump/line.place:7: output prediction: 12 B */
    ctx->at = 19;
    prt_output(ctx, "prediction", PRT_F32, at_predict_layer(ctx), 3);
}

/* ---- The plan, for the runtime ---- */

static const prt_tensor tensors[] = {
    {"layer.weight", NULL, 1, PRT_F32, 2, {3, 3}, PRT_NORMAL, 0.5773502691896258},
    {"layer.bias", NULL, 1, PRT_F32, 1, {3}, PRT_ZEROS, 0},
};

static const prt_input inputs[] = {
    {"features", PRT_F32, PRT_FEATURES, 0, 2, {5, 3}},
    {"targets", PRT_F32, PRT_LABELS, 0, 2, {5, 3}},
};

static const prt_member members0[] = {
    {0, 0},
    {1, 9},
};

static const prt_unit units[] = {
    {"outside", 0, 0, 2, members0, 12},
};

static const prt_state states[] = {
    {
        .state = "parameters",
        .dtype = PRT_F32,
        .tier = PRT_DEVICE,
        .offset = 0,
        .slots = 1,
        .slot_bytes = 48,
        .unit = 0,
        .tensor = -1,
    },
    {
        .state = "step",
        .dtype = PRT_F32,
        .tier = PRT_DEVICE,
        .offset = 64,
        .slots = 1,
        .slot_bytes = 4,
        .unit = -1,
        .tensor = -1,
    },
};

static const prt_state gradients[] = {
    {
        .state = "gradients",
        .dtype = PRT_F32,
        .tier = PRT_DEVICE,
        .offset = 0,
        .slots = 1,
        .slot_bytes = 24,
        .unit = 0,
        .tensor = -1,
        .cut_count = 1,
        .cut = {AXIS_data},
    },
};

static const prt_group groups[] = {
    {1, {AXIS_data}},
};

static const prt_call calls[] = {
    {
        .op = PRT_ALL_REDUCE,
        .state = "loss.sum",
        .group = 0,
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .event = -1,
        .stream = 0,
        .source = 8,
        .calls_per_step = 1,
        .payload_bytes = 4,
        .bytes_per_device = 4,
    },
    {
        .op = PRT_REDUCE_SCATTER,
        .state = "gradients",
        .group = 0,
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .event = -1,
        .stream = 0,
        .source = 13,
        .calls_per_step = 1,
        .payload_bytes = 48,
        .bytes_per_device = 24,
    },
    {
        .op = PRT_ALL_GATHER,
        .state = "parameters",
        .group = 0,
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .event = -1,
        .stream = 0,
        .source = 14,
        .calls_per_step = 1,
        .payload_bytes = 48,
        .bytes_per_device = 24,
    },
    {
        .op = PRT_ALL_REDUCE,
        .state = "eval.loss.sum",
        .group = 0,
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .event = -1,
        .stream = 0,
        .source = 17,
        .calls_per_step = 0,
        .payload_bytes = 4,
        .bytes_per_device = 0,
    },
};

static const prt_memory memory[] = {
    {"parameters", 48},
    {"gradients", 48},
    {"optimizer", 4},
    {"activations", 188},
    {"buffers", 0},
    {"padding", 352},
};

static const prt_buffer buffers[] = {
    {"parameters.outside", PRT_DEVICE, 0, 48},
    {"gradients.outside", PRT_DEVICE, 128, 48},
    {"step", PRT_DEVICE, 64, 4},
    {"loss.sum", PRT_DEVICE, 192, 4},
    {"features", PRT_DEVICE, 256, 36},
    {"targets", PRT_DEVICE, 320, 36},
    {"layer.product", PRT_DEVICE, 384, 36},
    {"layer", PRT_DEVICE, 448, 36},
    {"loss.terms", PRT_DEVICE, 384, 36},
    {"loss", PRT_DEVICE, 512, 4},
    {"d_loss.terms", PRT_DEVICE, 384, 36},
    {"d_layer", PRT_DEVICE, 576, 36},
    {"rate", PRT_DEVICE, 192, 4},
    {"parameter_shard.outside", PRT_DEVICE, 256, 24},
    {"gradient_shard.outside", PRT_DEVICE, 320, 24},
    {"eval.loss.sum", PRT_DEVICE, 128, 4},
    {"eval.features", PRT_DEVICE, 192, 36},
    {"eval.targets", PRT_DEVICE, 256, 36},
    {"eval.layer.product", PRT_DEVICE, 320, 36},
    {"eval.layer", PRT_DEVICE, 192, 36},
    {"eval.loss.terms", PRT_DEVICE, 320, 36},
    {"eval.loss", PRT_DEVICE, 192, 4},
    {"predict.features", PRT_DEVICE, 128, 12},
    {"predict.layer.product", PRT_DEVICE, 192, 12},
    {"predict.layer", PRT_DEVICE, 128, 12},
};

static const prt_source sources[] = {
    {"", 0, "line"},
    {"tests/dump/line.place", 15, "computing in init"},
    {"tests/dump/line.place", 6, "init"},
    {"tests/dump/line.place", 14, "computing in step"},
    {"tests/dump/line.place", 7, "computing in step"},
    {"tests/dump/line.place", 4, "read features"},
    {"tests/dump/line.place", 4, "read targets"},
    {"tests/dump/line.place", 6, "computing in step"},
    {"tests/dump/line.place", 14, "all_reduce loss.sum over data"},
    {"tests/dump/line.place", 7, "output loss"},
    {"tests/dump/line.place", 15, "computing in step"},
    {"tests/dump/line.place", 15, "output learning_rate"},
    {"tests/dump/line.place", 14, "slice parameters.outside over data"},
    {"tests/dump/line.place", 14, "reduce_scatter gradients.outside over data"},
    {"tests/dump/line.place", 14, "all_gather parameter_shard.outside over data"},
    {"tests/dump/line.place", 7, "computing in eval"},
    {"tests/dump/line.place", 6, "computing in eval"},
    {"tests/dump/line.place", 14, "all_reduce eval.loss.sum over data"},
    {"tests/dump/line.place", 6, "computing in predict"},
    {"tests/dump/line.place", 7, "output prediction"},
};

static const prt_program program = {
    .format = PRT_FORMAT,
    .name = "line",
    .file = "tests/dump/line.place",
    .plan_hash = "a75484d2b4b2f8c4",
    .version = "0.1.0",
    .axis_count = 1,
    .axes = {[AXIS_data] = {"data", 2}},
    .compute_dtype = PRT_F32,
    .arena_bytes = {640, 0, 0},
    .batch = 5,
    .micro = 1,
    .steps = 3,
    .items_per_step = 5,
    .item = "examples",
    .data = PRT_SYNTHETIC,
    .data_path = NULL,
    .seed = 1,
    .checkpoint_path = NULL,
    .checkpoint_every = 0,
    .tensor_count = 2,
    .tensors = tensors,
    .input_count = 2,
    .inputs = inputs,
    .unit_count = 1,
    .units = units,
    .state_count = 2,
    .states = states,
    .gradient_count = 1,
    .gradients = gradients,
    .group_count = 1,
    .groups = groups,
    .call_count = 4,
    .calls = calls,
    .memory_count = 6,
    .memory = memory,
    .buffer_count = 25,
    .buffers = buffers,
    .source_count = 20,
    .sources = sources,
    .event_count = 0,
    .stream_count = 1,
    .init = init,
    .step = step,
    .eval = eval,
    .predict = predict,
};

int main(int argc, char **argv)
{
    return prt_main(argc, argv, &program);
}
