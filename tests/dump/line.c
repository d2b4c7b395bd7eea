/* line, trained on a mesh { data: 2 }: the program of every rank. Written by placec from tests/dump/line.place; the
 * comments name its lines, and what one execution of a statement costs the rank with the largest pieces. */
#include "place_rt.h"

/* Kernels (kernels.o). */
prt_host_kernel kernel_fill_f32_to_s;
prt_host_kernel kernel_fill_f32;
prt_host_kernel kernel_add_f32_ij_j;
prt_host_kernel kernel_squared_error_f32;
prt_host_kernel kernel_reduce_f32_i_to_s;
prt_host_kernel kernel_scale_f32_s_in_place_a;
prt_host_kernel kernel_squared_error_bwd_f32;
prt_host_kernel kernel_reduce_f32_ij_to_j_accumulate;
prt_host_kernel kernel_copy_f32_s_accumulate;
prt_host_kernel kernel_rate_f32_s;
prt_host_kernel kernel_increment_f32_s_in_place_a;
prt_host_kernel kernel_sgd_f32_i_i_s_in_place_a;

/* Axes of the mesh, the first outermost. */
enum { AXIS_data };

/* Parameters, rows of tensors[]. */
enum { TENSOR_layer_weight, TENSOR_layer_bias };

/* Inputs, rows of inputs[]. */
enum { INPUT_features, INPUT_targets };

/* Units of parameters that lie together, rows of units[]. */
enum { UNIT_outside };

/* Where elements are, rows of layouts[]. */
enum { LAYOUT_outside, LAYOUT_5_over_micro_data_by_3, LAYOUT_scalar, LAYOUT_outside_over_data, LAYOUT_1_by_3 };

/* Gradients that updates use, rows of gradients[]. */
enum { GRADIENT_outside };

/* Ranks that communicate, rows of groups[]. */
enum { GROUP_data };

/* Communications, rows of calls[]. */
enum {
    CALL_all_reduce_loss_sum,
    CALL_reduce_scatter_gradients_outside,
    CALL_all_gather_parameter_shard_outside,
    CALL_eval_all_reduce_loss_sum,
};

/* Kernels, rows of kernels[]. */
enum {
    KERNEL_fill_f32_to_s,
    KERNEL_fill_f32,
    KERNEL_add_f32_ij_j,
    KERNEL_squared_error_f32,
    KERNEL_reduce_f32_i_to_s,
    KERNEL_scale_f32_s_in_place_a,
    KERNEL_squared_error_bwd_f32,
    KERNEL_reduce_f32_ij_to_j_accumulate,
    KERNEL_copy_f32_s_accumulate,
    KERNEL_rate_f32_s,
    KERNEL_increment_f32_s_in_place_a,
    KERNEL_sgd_f32_i_i_s_in_place_a,
};

/* What messages say is being done, rows of sources[]. */
enum {
    NO_LINE_line,
    LINE_15_computing_in_init,
    LINE_6_init,
    LINE_14_computing_in_step,
    LINE_7_computing_in_step,
    LINE_4_read_features,
    LINE_4_read_targets,
    LINE_6_computing_in_step,
    LINE_14_all_reduce_loss_sum_over_data,
    LINE_7_output_loss,
    LINE_15_computing_in_step,
    LINE_15_output_learning_rate,
    LINE_14_slice_parameters_outside_over_data,
    LINE_14_reduce_scatter_gradients_outside_over_data,
    LINE_14_all_gather_parameter_shard_outside_over_data,
    LINE_7_computing_in_eval,
    LINE_6_computing_in_eval,
    LINE_14_all_reduce_eval_loss_sum_over_data,
    LINE_6_computing_in_predict,
    LINE_7_output_prediction,
};

/* Where a parameter is in its unit, in elements. */
#define OFFSET_layer_weight 0
#define OFFSET_layer_bias 64

/* Where a buffer is in the arena of its tier, in bytes. Buffers that are not in use at the same time share memory. */
#define ARENA_parameters_outside 0
#define ARENA_gradients_outside 384
#define ARENA_step 320
#define ARENA_loss_sum 704
#define ARENA_features 768
#define ARENA_targets 832
#define ARENA_layer_product 896
#define ARENA_layer 960
#define ARENA_loss_terms 896
#define ARENA_loss 1024
#define ARENA_d_loss_terms 896
#define ARENA_d_layer 1088
#define ARENA_rate 1088
#define ARENA_parameter_shard_outside 704
#define ARENA_gradient_shard_outside 896
#define ARENA_eval_loss_sum 384
#define ARENA_eval_features 448
#define ARENA_eval_targets 512
#define ARENA_eval_layer_product 576
#define ARENA_eval_layer 448
#define ARENA_eval_loss_terms 576
#define ARENA_eval_loss 448
#define ARENA_predict_features 384
#define ARENA_predict_layer_product 448
#define ARENA_predict_layer 384

/* ---- Buffers in the arena ---- */

/* parameters.outside: f32 unit outside, 320 B */
static inline float *at_parameters_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameters_outside);
}

/* gradients.outside: f32 unit outside, 320 B */
static inline float *at_gradients_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_gradients_outside);
}

/* step: f32 [], 4 B */
static inline float *at_step(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_step);
}

/* loss.sum: f32 [], 4 B */
static inline float *at_loss_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_sum);
}

/* features: f32 [5 / micro / data, 3], 36 B */
static inline float *at_features(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_features);
}

/* targets: f32 [5 / micro / data, 3], 36 B */
static inline float *at_targets(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_targets);
}

/* layer.product: f32 [5 / micro / data, 3], 36 B */
static inline float *at_layer_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_layer_product);
}

/* layer: f32 [5 / micro / data, 3], 36 B */
static inline float *at_layer(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_layer);
}

/* loss.terms: f32 [5 / micro / data, 3], 36 B */
static inline float *at_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms);
}

/* loss: f32 [], 4 B */
static inline float *at_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss);
}

/* d_loss.terms: f32 [5 / micro / data, 3], 36 B */
static inline float *at_d_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_loss_terms);
}

/* d_layer: f32 [5 / micro / data, 3], 36 B */
static inline float *at_d_layer(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_layer);
}

/* rate: f32 [], 4 B */
static inline float *at_rate(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_rate);
}

/* parameter_shard.outside: f32 unit outside / data, 160 B */
static inline float *at_parameter_shard_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameter_shard_outside);
}

/* gradient_shard.outside: f32 unit outside / data, 160 B */
static inline float *at_gradient_shard_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_gradient_shard_outside);
}

/* eval.loss.sum: f32 [], 4 B */
static inline float *at_eval_loss_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_sum);
}

/* eval.features: f32 [5 / micro / data, 3], 36 B */
static inline float *at_eval_features(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_features);
}

/* eval.targets: f32 [5 / micro / data, 3], 36 B */
static inline float *at_eval_targets(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_targets);
}

/* eval.layer.product: f32 [5 / micro / data, 3], 36 B */
static inline float *at_eval_layer_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_layer_product);
}

/* eval.layer: f32 [5 / micro / data, 3], 36 B */
static inline float *at_eval_layer(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_layer);
}

/* eval.loss.terms: f32 [5 / micro / data, 3], 36 B */
static inline float *at_eval_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms);
}

/* eval.loss: f32 [], 4 B */
static inline float *at_eval_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss);
}

/* predict.features: f32 [1, 3], 12 B */
static inline float *at_predict_features(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_features);
}

/* predict.layer.product: f32 [1, 3], 12 B */
static inline float *at_predict_layer_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_layer_product);
}

/* predict.layer: f32 [1, 3], 12 B */
static inline float *at_predict_layer(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_layer);
}

/* ---- Routines ---- */

/* Before the first step: every state gets its initial value. */
static void init(prt_context *ctx)
{
    /* tests/dump/line.place:15: fill: 4 B */
    ctx->at = LINE_15_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_step(ctx)}, .numbers = {0}});
    /* tests/dump/line.place:6: init: 320 B */
    ctx->at = LINE_6_init;
    prt_init(ctx, -1, LAYOUT_outside, 0, 1, PRT_F32, at_parameters_outside(ctx));
}

/* One training step. */
static void step(prt_context *ctx)
{
    /* tests/dump/line.place:14: fill: 320 B */
    ctx->at = LINE_14_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_gradients_outside(ctx)},
        .extents = {80},
        .numbers = {0},
    });
    /* tests/dump/line.place:7: fill: 4 B */
    ctx->at = LINE_7_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 1; micro++) {
        /* 5 cut over micro, data: the part of this rank */
        const prt_range examples = prt_cut_again(prt_cut(5, 1, micro), 2, ctx->coordinate[AXIS_data]);
        /* tests/dump/line.place:4: read features: 36 B */
        ctx->at = LINE_4_read_features;
        prt_read(ctx, INPUT_features, LAYOUT_5_over_micro_data_by_3, micro, at_features(ctx));
        /* tests/dump/line.place:4: read targets: 36 B */
        ctx->at = LINE_4_read_targets;
        prt_read(ctx, INPUT_targets, LAYOUT_5_over_micro_data_by_3, micro, at_targets(ctx));
        /* tests/dump/line.place:6: einsum "bh,oh->bo": 108 B, 54 flop */
        ctx->at = LINE_6_computing_in_step;
        const prt_gemm_shape gemm1 = {
            .m = examples.extent, .n = 3, .k = 3,
            .a_row = 3, .a_column = 1,
            .b_row = 1, .b_column = 3,
            .c_row = 3, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm1, at_features(ctx), at_parameters_outside(ctx) + OFFSET_layer_weight, 0,
                 at_layer_product(ctx));
        /* tests/dump/line.place:6: add "bo,o->bo": 84 B, 9 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_layer(ctx), at_layer_product(ctx), at_parameters_outside(ctx) + OFFSET_layer_bias},
            .extents = {examples.extent, 3},
        });
        /* tests/dump/line.place:7: squared_error "ab,ab->ab": 108 B, 18 flop */
        ctx->at = LINE_7_computing_in_step;
        prt_launch(ctx, KERNEL_squared_error_f32, 0, &(prt_arguments){
            .arrays = {at_loss_terms(ctx), at_layer(ctx), at_targets(ctx)},
            .extents = {examples.extent * 3},
        });
        /* tests/dump/line.place:7: reduce "ab->": 40 B, 9 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_loss(ctx), at_loss_terms(ctx)},
            .extents = {examples.extent * 3},
        });
        /* tests/dump/line.place:7: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_loss(ctx)},
            .numbers = {1.0 / 15},
        });
        /* tests/dump/line.place:7: fill "ab": 36 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_d_loss_terms(ctx)},
            .extents = {examples.extent * 3},
            .numbers = {0.06666666666666667},
        });
        /* tests/dump/line.place:7: squared_error_bwd "ab,ab,ab->ab": 144 B, 27 flop */
        prt_launch(ctx, KERNEL_squared_error_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_layer(ctx), at_layer(ctx), at_targets(ctx), at_d_loss_terms(ctx)},
            .extents = {examples.extent * 3},
        });
        /* tests/dump/line.place:6: reduce "bo->o": 60 B, 9 flop */
        ctx->at = LINE_6_computing_in_step;
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_layer_bias, at_d_layer(ctx)},
            .extents = {examples.extent, 3},
        });
        /* tests/dump/line.place:6: einsum "bo,bh->oh": 144 B, 54 flop */
        const prt_gemm_shape gemm2 = {
            .m = 3, .n = 3, .k = examples.extent,
            .a_row = 1, .a_column = 3,
            .b_row = 3, .b_column = 1,
            .c_row = 3, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm2, at_d_layer(ctx), at_features(ctx), 1,
                 at_gradients_outside(ctx) + OFFSET_layer_weight);
        /* tests/dump/line.place:7: add to loss.sum "->": 12 B */
        ctx->at = LINE_7_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx), at_loss(ctx)}});
    }
    /* tests/dump/line.place:14: all_reduce loss.sum over data: payload 4 B */
    ctx->at = LINE_14_all_reduce_loss_sum_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_loss_sum, at_loss_sum(ctx), at_loss_sum(ctx), 1);
    /* tests/dump/line.place:7: output loss: 4 B */
    ctx->at = LINE_7_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_loss_sum(ctx), 1);
    /* tests/dump/line.place:15: rate "->": 8 B, 8 flop */
    ctx->at = LINE_15_computing_in_step;
    prt_launch(ctx, KERNEL_rate_f32_s, 0, &(prt_arguments){
        .arrays = {at_rate(ctx), at_step(ctx)},
        .numbers = {0.1, 0, 0, 1},
    });
    /* tests/dump/line.place:15: output learning_rate: 4 B */
    ctx->at = LINE_15_output_learning_rate;
    prt_output(ctx, "learning_rate", PRT_F32, at_rate(ctx), 1);
    /* tests/dump/line.place:15: increment "->": 8 B, 1 flop */
    ctx->at = LINE_15_computing_in_step;
    prt_launch(ctx, KERNEL_increment_f32_s_in_place_a, 0, &(prt_arguments){.arrays = {at_step(ctx)}});
    /* tests/dump/line.place:14: slice parameters.outside over data: 480 B */
    ctx->at = LINE_14_slice_parameters_outside_over_data;
    prt_slice(ctx, PRT_F32, LAYOUT_outside, LAYOUT_outside_over_data, 0, at_parameter_shard_outside(ctx),
              at_parameters_outside(ctx));
    /* tests/dump/line.place:14: reduce_scatter gradients.outside over data: payload 320 B */
    ctx->at = LINE_14_reduce_scatter_gradients_outside_over_data;
    prt_reduce_scatter(ctx, CALL_reduce_scatter_gradients_outside, 0, at_gradient_shard_outside(ctx),
                       at_gradients_outside(ctx));
    /* tests/dump/line.place:15: sgd: 484 B, 80 flop */
    ctx->at = LINE_15_computing_in_step;
    if (ctx->saving_gradients)
        prt_save_gradient(ctx, GRADIENT_outside, 0, at_gradient_shard_outside(ctx));
    prt_launch(ctx, KERNEL_sgd_f32_i_i_s_in_place_a, 0, &(prt_arguments){
        .arrays = {at_parameter_shard_outside(ctx), at_gradient_shard_outside(ctx), at_rate(ctx)},
        .extents = {40},
    });
    /* tests/dump/line.place:14: all_gather parameter_shard.outside over data: payload 320 B */
    ctx->at = LINE_14_all_gather_parameter_shard_outside_over_data;
    prt_all_gather(ctx, CALL_all_gather_parameter_shard_outside, 0, at_parameters_outside(ctx),
                   at_parameter_shard_outside(ctx));
}

/* The loss on examples that are held out. */
static void eval(prt_context *ctx)
{
    /* tests/dump/line.place:7: fill: 4 B */
    ctx->at = LINE_7_computing_in_eval;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_eval_loss_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 1; micro++) {
        /* 5 cut over micro, data: the part of this rank */
        const prt_range examples = prt_cut_again(prt_cut(5, 1, micro), 2, ctx->coordinate[AXIS_data]);
        /* tests/dump/line.place:4: read features: 36 B */
        ctx->at = LINE_4_read_features;
        prt_read(ctx, INPUT_features, LAYOUT_5_over_micro_data_by_3, micro, at_eval_features(ctx));
        /* tests/dump/line.place:4: read targets: 36 B */
        ctx->at = LINE_4_read_targets;
        prt_read(ctx, INPUT_targets, LAYOUT_5_over_micro_data_by_3, micro, at_eval_targets(ctx));
        /* tests/dump/line.place:6: einsum "bh,oh->bo": 108 B, 54 flop */
        ctx->at = LINE_6_computing_in_eval;
        const prt_gemm_shape gemm3 = {
            .m = examples.extent, .n = 3, .k = 3,
            .a_row = 3, .a_column = 1,
            .b_row = 1, .b_column = 3,
            .c_row = 3, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm3, at_eval_features(ctx), at_parameters_outside(ctx) + OFFSET_layer_weight, 0,
                 at_eval_layer_product(ctx));
        /* tests/dump/line.place:6: add "bo,o->bo": 84 B, 9 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_eval_layer(ctx), at_eval_layer_product(ctx), at_parameters_outside(ctx) + OFFSET_layer_bias},
            .extents = {examples.extent, 3},
        });
        /* tests/dump/line.place:7: squared_error "ab,ab->ab": 108 B, 18 flop */
        ctx->at = LINE_7_computing_in_eval;
        prt_launch(ctx, KERNEL_squared_error_f32, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms(ctx), at_eval_layer(ctx), at_eval_targets(ctx)},
            .extents = {examples.extent * 3},
        });
        /* tests/dump/line.place:7: reduce "ab->": 40 B, 9 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx), at_eval_loss_terms(ctx)},
            .extents = {examples.extent * 3},
        });
        /* tests/dump/line.place:7: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx)},
            .numbers = {1.0 / 15},
        });
        /* tests/dump/line.place:7: add to eval.loss.sum "->": 12 B */
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_eval_loss_sum(ctx), at_eval_loss(ctx)},
        });
    }
    /* tests/dump/line.place:14: all_reduce eval.loss.sum over data: payload 4 B */
    ctx->at = LINE_14_all_reduce_eval_loss_sum_over_data;
    prt_all_reduce(ctx, CALL_eval_all_reduce_loss_sum, at_eval_loss_sum(ctx), at_eval_loss_sum(ctx), 1);
    /* tests/dump/line.place:7: output loss: 4 B */
    ctx->at = LINE_7_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_eval_loss_sum(ctx), 1);
}

/* The model's output on the text so far. */
static void predict(prt_context *ctx)
{
    /* tests/dump/line.place:4: read features: 12 B */
    ctx->at = LINE_4_read_features;
    prt_read(ctx, INPUT_features, LAYOUT_1_by_3, 0, at_predict_features(ctx));
    /* tests/dump/line.place:6: einsum "bh,oh->bo": 60 B, 18 flop */
    ctx->at = LINE_6_computing_in_predict;
    const prt_gemm_shape gemm4 = {
        .m = 1, .n = 3, .k = 3,
        .a_row = 3, .a_column = 1,
        .b_row = 1, .b_column = 3,
        .c_row = 3, .c_column = 1,
    };
    prt_gemm(ctx, 0, PRT_F32, &gemm4, at_predict_features(ctx), at_parameters_outside(ctx) + OFFSET_layer_weight, 0,
             at_predict_layer_product(ctx));
    /* tests/dump/line.place:6: add "bo,o->bo": 36 B, 3 flop */
    prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
        .arrays = {at_predict_layer(ctx), at_predict_layer_product(ctx),
                   at_parameters_outside(ctx) + OFFSET_layer_bias},
        .extents = {1, 3},
    });
    /* tests/dump/line.place:7: output prediction: 12 B */
    ctx->at = LINE_7_output_prediction;
    prt_output(ctx, "prediction", PRT_F32, at_predict_layer(ctx), 3);
}

/* ---- The plan, for the runtime ---- */

/* Rows of a table. */
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static const prt_tensor tensors[] = {
    [TENSOR_layer_weight] = {"layer.weight", NULL, 1, PRT_F32, 2, {3, 3}, PRT_NORMAL, 0.5773502691896258},
    [TENSOR_layer_bias] = {"layer.bias", NULL, 1, PRT_F32, 1, {3}, PRT_ZEROS, 0},
};

static const prt_input inputs[] = {
    [INPUT_features] = {"features", PRT_F32, PRT_FEATURES, 0, 2, {5, 3}},
    [INPUT_targets] = {"targets", PRT_F32, PRT_LABELS, 0, 2, {5, 3}},
};

static const prt_member members_outside[] = {
    {TENSOR_layer_weight, OFFSET_layer_weight, NULL},
    {TENSOR_layer_bias, OFFSET_layer_bias, NULL},
};

static const prt_unit units[] = {
    [UNIT_outside] = {"outside", 0, 0, COUNT(members_outside), members_outside, 80},
};

static const prt_state states[] = {
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 320,
        .layout = LAYOUT_outside,
        .tensor = -1,
    },
    {
        .state = "step",
        .tier = PRT_DEVICE,
        .offset = ARENA_step,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 4,
        .layout = LAYOUT_scalar,
        .tensor = -1,
    },
};

static const prt_state gradients[] = {
    [GRADIENT_outside] = {
        .state = "gradients",
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 160,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
};

static const prt_group groups[] = {
    [GROUP_data] = {1, {AXIS_data}},
};

static const prt_call calls[] = {
    [CALL_all_reduce_loss_sum] = {
        .op = PRT_ALL_REDUCE,
        .state = "loss.sum",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_scalar,
        .into = LAYOUT_scalar,
        .event = -1,
        .stream = 0,
        .source = LINE_14_all_reduce_loss_sum_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 4,
    },
    [CALL_reduce_scatter_gradients_outside] = {
        .op = PRT_REDUCE_SCATTER,
        .state = "gradients",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_outside,
        .into = LAYOUT_outside_over_data,
        .event = -1,
        .stream = 0,
        .source = LINE_14_reduce_scatter_gradients_outside_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 320,
    },
    [CALL_all_gather_parameter_shard_outside] = {
        .op = PRT_ALL_GATHER,
        .state = "parameters",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_outside_over_data,
        .into = LAYOUT_outside,
        .event = -1,
        .stream = 0,
        .source = LINE_14_all_gather_parameter_shard_outside_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 320,
    },
    [CALL_eval_all_reduce_loss_sum] = {
        .op = PRT_ALL_REDUCE,
        .state = "eval.loss.sum",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_scalar,
        .into = LAYOUT_scalar,
        .event = -1,
        .stream = 0,
        .source = LINE_14_all_reduce_eval_loss_sum_over_data,
        .calls_per_step = (const int64_t[]){0},
        .payload_bytes = 4,
    },
};

static const prt_kernel kernels[] = {
    [KERNEL_fill_f32_to_s] = {
        .entry = "kernel_fill_f32_to_s",
        .host = kernel_fill_f32_to_s,
        .arrays = {{PRT_F32, ""}},
        .array_count = 1, .extent_count = 0, .number_count = 1,
        .reads_result = false,
        .split = "", .work = "", .per_thread = true,
        .space = "", .operations = 0,
    },
    [KERNEL_fill_f32] = {
        .entry = "kernel_fill_f32",
        .host = kernel_fill_f32,
        .arrays = {{PRT_F32, "i"}},
        .array_count = 1, .extent_count = 1, .number_count = 1,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 0,
    },
    [KERNEL_add_f32_ij_j] = {
        .entry = "kernel_add_f32_ij_j",
        .host = kernel_add_f32_ij_j,
        .arrays = {{PRT_F32, "ij"}, {PRT_F32, "ij"}, {PRT_F32, "j"}},
        .array_count = 3, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ij", .per_thread = true,
        .space = "ij", .operations = 1,
    },
    [KERNEL_squared_error_f32] = {
        .entry = "kernel_squared_error_f32",
        .host = kernel_squared_error_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 2,
    },
    [KERNEL_reduce_f32_i_to_s] = {
        .entry = "kernel_reduce_f32_i_to_s",
        .host = kernel_reduce_f32_i_to_s,
        .arrays = {{PRT_F32, ""}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "", .work = "", .per_thread = false,
        .space = "i", .operations = 1,
    },
    [KERNEL_scale_f32_s_in_place_a] = {
        .entry = "kernel_scale_f32_s_in_place_a",
        .host = kernel_scale_f32_s_in_place_a,
        .arrays = {{PRT_F32, ""}},
        .array_count = 1, .extent_count = 0, .number_count = 1,
        .reads_result = true,
        .split = "", .work = "", .per_thread = true,
        .space = "", .operations = 1,
    },
    [KERNEL_squared_error_bwd_f32] = {
        .entry = "kernel_squared_error_bwd_f32",
        .host = kernel_squared_error_bwd_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 4, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 3,
    },
    [KERNEL_reduce_f32_ij_to_j_accumulate] = {
        .entry = "kernel_reduce_f32_ij_to_j_accumulate",
        .host = kernel_reduce_f32_ij_to_j_accumulate,
        .arrays = {{PRT_F32, "j"}, {PRT_F32, "ij"}},
        .array_count = 2, .extent_count = 2, .number_count = 0,
        .reads_result = true,
        .split = "j", .work = "j", .per_thread = true,
        .space = "ij", .operations = 1,
    },
    [KERNEL_copy_f32_s_accumulate] = {
        .entry = "kernel_copy_f32_s_accumulate",
        .host = kernel_copy_f32_s_accumulate,
        .arrays = {{PRT_F32, ""}, {PRT_F32, ""}},
        .array_count = 2, .extent_count = 0, .number_count = 0,
        .reads_result = true,
        .split = "", .work = "", .per_thread = true,
        .space = "", .operations = 0,
    },
    [KERNEL_rate_f32_s] = {
        .entry = "kernel_rate_f32_s",
        .host = kernel_rate_f32_s,
        .arrays = {{PRT_F32, ""}, {PRT_F32, ""}},
        .array_count = 2, .extent_count = 0, .number_count = 4,
        .reads_result = false,
        .split = "", .work = "", .per_thread = true,
        .space = "", .operations = 8,
    },
    [KERNEL_increment_f32_s_in_place_a] = {
        .entry = "kernel_increment_f32_s_in_place_a",
        .host = kernel_increment_f32_s_in_place_a,
        .arrays = {{PRT_F32, ""}},
        .array_count = 1, .extent_count = 0, .number_count = 0,
        .reads_result = true,
        .split = "", .work = "", .per_thread = true,
        .space = "", .operations = 1,
    },
    [KERNEL_sgd_f32_i_i_s_in_place_a] = {
        .entry = "kernel_sgd_f32_i_i_s_in_place_a",
        .host = kernel_sgd_f32_i_i_s_in_place_a,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, ""}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = true,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 2,
    },
};

static const prt_layout layouts[] = {
    [LAYOUT_outside] = {.unit = UNIT_outside},
    [LAYOUT_5_over_micro_data_by_3] =
        {.unit = -1, .dim_count = 2, .dims = {{.size = 5, .cut_count = 2, .cut = {PRT_MICRO, AXIS_data}}, {.size = 3}}},
    [LAYOUT_scalar] = {.unit = -1},
    [LAYOUT_outside_over_data] = {.unit = UNIT_outside, .cut_count = 1, .cut = {AXIS_data}},
    [LAYOUT_1_by_3] = {.unit = -1, .dim_count = 2, .dims = {{.size = 1}, {.size = 3}}},
};

static const prt_class classes[] = {
    {
        .memory = {48, 48, 4, 188, 0, 0, 864},
    },
};

static const prt_buffer buffers[] = {
    {.name = "parameters.outside", .tier = PRT_DEVICE, .offset = ARENA_parameters_outside, .bytes = 320},
    {.name = "gradients.outside", .tier = PRT_DEVICE, .offset = ARENA_gradients_outside, .bytes = 320},
    {.name = "step", .tier = PRT_DEVICE, .offset = ARENA_step, .bytes = 4},
    {.name = "loss.sum", .tier = PRT_DEVICE, .offset = ARENA_loss_sum, .bytes = 4},
    {.name = "features", .tier = PRT_DEVICE, .offset = ARENA_features, .bytes = 36},
    {.name = "targets", .tier = PRT_DEVICE, .offset = ARENA_targets, .bytes = 36},
    {.name = "layer.product", .tier = PRT_DEVICE, .offset = ARENA_layer_product, .bytes = 36},
    {.name = "layer", .tier = PRT_DEVICE, .offset = ARENA_layer, .bytes = 36},
    {.name = "loss.terms", .tier = PRT_DEVICE, .offset = ARENA_loss_terms, .bytes = 36},
    {.name = "loss", .tier = PRT_DEVICE, .offset = ARENA_loss, .bytes = 4},
    {.name = "d_loss.terms", .tier = PRT_DEVICE, .offset = ARENA_d_loss_terms, .bytes = 36},
    {.name = "d_layer", .tier = PRT_DEVICE, .offset = ARENA_d_layer, .bytes = 36},
    {.name = "rate", .tier = PRT_DEVICE, .offset = ARENA_rate, .bytes = 4},
    {.name = "parameter_shard.outside", .tier = PRT_DEVICE, .offset = ARENA_parameter_shard_outside, .bytes = 160},
    {.name = "gradient_shard.outside", .tier = PRT_DEVICE, .offset = ARENA_gradient_shard_outside, .bytes = 160},
    {.name = "eval.loss.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_sum, .bytes = 4},
    {.name = "eval.features", .tier = PRT_DEVICE, .offset = ARENA_eval_features, .bytes = 36},
    {.name = "eval.targets", .tier = PRT_DEVICE, .offset = ARENA_eval_targets, .bytes = 36},
    {.name = "eval.layer.product", .tier = PRT_DEVICE, .offset = ARENA_eval_layer_product, .bytes = 36},
    {.name = "eval.layer", .tier = PRT_DEVICE, .offset = ARENA_eval_layer, .bytes = 36},
    {.name = "eval.loss.terms", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms, .bytes = 36},
    {.name = "eval.loss", .tier = PRT_DEVICE, .offset = ARENA_eval_loss, .bytes = 4},
    {.name = "predict.features", .tier = PRT_DEVICE, .offset = ARENA_predict_features, .bytes = 12},
    {.name = "predict.layer.product", .tier = PRT_DEVICE, .offset = ARENA_predict_layer_product, .bytes = 12},
    {.name = "predict.layer", .tier = PRT_DEVICE, .offset = ARENA_predict_layer, .bytes = 12},
};

static const prt_source sources[] = {
    [NO_LINE_line] = {"", 0, "line"},
    [LINE_15_computing_in_init] = {"tests/dump/line.place", 15, "computing in init"},
    [LINE_6_init] = {"tests/dump/line.place", 6, "init"},
    [LINE_14_computing_in_step] = {"tests/dump/line.place", 14, "computing in step"},
    [LINE_7_computing_in_step] = {"tests/dump/line.place", 7, "computing in step"},
    [LINE_4_read_features] = {"tests/dump/line.place", 4, "read features"},
    [LINE_4_read_targets] = {"tests/dump/line.place", 4, "read targets"},
    [LINE_6_computing_in_step] = {"tests/dump/line.place", 6, "computing in step"},
    [LINE_14_all_reduce_loss_sum_over_data] = {"tests/dump/line.place", 14, "all_reduce loss.sum over data"},
    [LINE_7_output_loss] = {"tests/dump/line.place", 7, "output loss"},
    [LINE_15_computing_in_step] = {"tests/dump/line.place", 15, "computing in step"},
    [LINE_15_output_learning_rate] = {"tests/dump/line.place", 15, "output learning_rate"},
    [LINE_14_slice_parameters_outside_over_data] = {"tests/dump/line.place", 14, "slice parameters.outside over data"},
    [LINE_14_reduce_scatter_gradients_outside_over_data] =
        {"tests/dump/line.place", 14, "reduce_scatter gradients.outside over data"},
    [LINE_14_all_gather_parameter_shard_outside_over_data] =
        {"tests/dump/line.place", 14, "all_gather parameter_shard.outside over data"},
    [LINE_7_computing_in_eval] = {"tests/dump/line.place", 7, "computing in eval"},
    [LINE_6_computing_in_eval] = {"tests/dump/line.place", 6, "computing in eval"},
    [LINE_14_all_reduce_eval_loss_sum_over_data] = {"tests/dump/line.place", 14, "all_reduce eval.loss.sum over data"},
    [LINE_6_computing_in_predict] = {"tests/dump/line.place", 6, "computing in predict"},
    [LINE_7_output_prediction] = {"tests/dump/line.place", 7, "output prediction"},
};

static const prt_program program = {
    .format = PRT_FORMAT,
    .name = "line",
    .file = "tests/dump/line.place",
    .plan_hash = "862ffadd6a1ab4fa",
    .version = "0.1.0",
    .axis_count = 1,
    .axes = {[AXIS_data] = {"data", 2}},
    .compute_dtype = PRT_F32,
    .arena_bytes = {1152, 0, 0},
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
    .tensor_count = COUNT(tensors),
    .tensors = tensors,
    .input_count = COUNT(inputs),
    .inputs = inputs,
    .unit_count = COUNT(units),
    .units = units,
    .layout_count = COUNT(layouts),
    .layouts = layouts,
    .state_count = COUNT(states),
    .states = states,
    .gradient_count = COUNT(gradients),
    .gradients = gradients,
    .group_count = COUNT(groups),
    .groups = groups,
    .call_count = COUNT(calls),
    .calls = calls,
    .kernel_count = COUNT(kernels),
    .kernels = kernels,
    .class_count = COUNT(classes),
    .classes = classes,
    .buffer_count = COUNT(buffers),
    .buffers = buffers,
    .source_count = COUNT(sources),
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
