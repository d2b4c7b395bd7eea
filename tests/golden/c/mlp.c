/* mlp, trained on a mesh { data: 2 }: the program of every rank. Written by placec from examples/mlp.place; the
 * comments name its lines, and what one execution of a statement costs the rank with the largest pieces. */
#include "place_rt.h"

/* Kernels (kernels.o). */
prt_host_kernel kernel_fill_f32_to_s;
prt_host_kernel kernel_fill_f32;
prt_host_kernel kernel_add_f32_ij_j;
prt_host_kernel kernel_relu_f32;
prt_host_kernel kernel_gelu_f32;
prt_host_kernel kernel_iota_i32;
prt_host_kernel kernel_row_max_f32_ij_to_i;
prt_host_kernel kernel_exp_sum_f32_ij_i_to_i;
prt_host_kernel kernel_pick_f32_ij_i32i_i32j_to_i;
prt_host_kernel kernel_log_loss_f32;
prt_host_kernel kernel_reduce_f32_i_to_s;
prt_host_kernel kernel_scale_f32_s_in_place_a;
prt_host_kernel kernel_log_loss_bwd_f32_ij_i_i_i32i_i32j_i;
prt_host_kernel kernel_reduce_f32_ij_to_j_accumulate;
prt_host_kernel kernel_gelu_bwd_f32;
prt_host_kernel kernel_relu_bwd_f32;
prt_host_kernel kernel_copy_f32_s_accumulate;
prt_host_kernel kernel_rate_f32_s;
prt_host_kernel kernel_increment_f32_s_in_place_a;
prt_host_kernel kernel_sgd_f32_i_i_s_in_place_a;

/* Axes of the mesh, the first outermost. */
enum { AXIS_data };

/* Parameters, rows of tensors[]. */
enum {
    TENSOR_first_weight,
    TENSOR_first_bias,
    TENSOR_second_weight,
    TENSOR_second_bias,
    TENSOR_head_weight,
    TENSOR_head_bias,
};

/* Inputs, rows of inputs[]. */
enum { INPUT_features, INPUT_labels };

/* Units of parameters that lie together, rows of units[]. */
enum { UNIT_outside };

/* Where elements are, rows of layouts[]. */
enum { LAYOUT_outside, LAYOUT_24_over_micro_data_by_16, LAYOUT_24_over_micro_data, LAYOUT_scalar, LAYOUT_1_by_16 };

/* Gradients that updates use, rows of gradients[]. */
enum { GRADIENT_outside };

/* Ranks that communicate, rows of groups[]. */
enum { GROUP_data };

/* Communications, rows of calls[]. */
enum { CALL_all_reduce_loss_sum, CALL_all_reduce_gradients_outside, CALL_eval_all_reduce_loss_sum };

/* Kernels, rows of kernels[]. */
enum {
    KERNEL_fill_f32_to_s,
    KERNEL_fill_f32,
    KERNEL_add_f32_ij_j,
    KERNEL_relu_f32,
    KERNEL_gelu_f32,
    KERNEL_iota_i32,
    KERNEL_row_max_f32_ij_to_i,
    KERNEL_exp_sum_f32_ij_i_to_i,
    KERNEL_pick_f32_ij_i32i_i32j_to_i,
    KERNEL_log_loss_f32,
    KERNEL_reduce_f32_i_to_s,
    KERNEL_scale_f32_s_in_place_a,
    KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i,
    KERNEL_reduce_f32_ij_to_j_accumulate,
    KERNEL_gelu_bwd_f32,
    KERNEL_relu_bwd_f32,
    KERNEL_copy_f32_s_accumulate,
    KERNEL_rate_f32_s,
    KERNEL_increment_f32_s_in_place_a,
    KERNEL_sgd_f32_i_i_s_in_place_a,
};

/* What messages say is being done, rows of sources[]. */
enum {
    NO_LINE_mlp,
    LINE_19_computing_in_init,
    LINE_8_init,
    LINE_18_computing_in_step,
    LINE_11_computing_in_step,
    LINE_5_read_features,
    LINE_6_read_labels,
    LINE_8_computing_in_step,
    LINE_9_computing_in_step,
    LINE_10_computing_in_step,
    LINE_18_all_reduce_loss_sum_over_data,
    LINE_11_output_loss,
    LINE_19_computing_in_step,
    LINE_19_output_learning_rate,
    LINE_18_all_reduce_gradients_outside_over_data,
    LINE_11_computing_in_eval,
    LINE_8_computing_in_eval,
    LINE_9_computing_in_eval,
    LINE_10_computing_in_eval,
    LINE_18_all_reduce_eval_loss_sum_over_data,
    LINE_8_computing_in_predict,
    LINE_9_computing_in_predict,
    LINE_10_computing_in_predict,
    LINE_11_output_logits,
};

/* Where a parameter is in its unit, in elements. */
#define OFFSET_first_weight 0
#define OFFSET_first_bias 1024
#define OFFSET_second_weight 1088
#define OFFSET_second_bias 5184
#define OFFSET_head_weight 5248
#define OFFSET_head_bias 5888

/* Where a buffer is in the arena of its tier, in bytes. Buffers that are not in use at the same time share memory. */
#define ARENA_parameters_outside 0
#define ARENA_gradients_outside 23680
#define ARENA_step 23616
#define ARENA_loss_sum 55616
#define ARENA_features 54976
#define ARENA_labels 53952
#define ARENA_first_product 47296
#define ARENA_first 48832
#define ARENA_x 47296
#define ARENA_second_product 50368
#define ARENA_second 51904
#define ARENA_x_2 50368
#define ARENA_head_product 53440
#define ARENA_head 53696
#define ARENA_class_positions 53440
#define ARENA_loss_terms_largest 53504
#define ARENA_loss_terms_exp_sum 53568
#define ARENA_loss_terms_target_logit 53632
#define ARENA_loss_terms 54016
#define ARENA_loss 55680
#define ARENA_d_loss_terms 53632
#define ARENA_d_head 55360
#define ARENA_d_x_2 53440
#define ARENA_d_second 50368
#define ARENA_d_x 51904
#define ARENA_d_first 47296
#define ARENA_rate 47296
#define ARENA_eval_loss_sum 26752
#define ARENA_eval_features 25216
#define ARENA_eval_labels 26816
#define ARENA_eval_first_product 23680
#define ARENA_eval_first 25216
#define ARENA_eval_x 23680
#define ARENA_eval_second_product 25216
#define ARENA_eval_second 23680
#define ARENA_eval_x_2 25216
#define ARENA_eval_head_product 23680
#define ARENA_eval_head 23936
#define ARENA_eval_class_positions 23680
#define ARENA_eval_loss_terms_largest 23744
#define ARENA_eval_loss_terms_exp_sum 23808
#define ARENA_eval_loss_terms_target_logit 23872
#define ARENA_eval_loss_terms 23680
#define ARENA_eval_loss 23744
#define ARENA_predict_features 23936
#define ARENA_predict_first_product 23680
#define ARENA_predict_first 23936
#define ARENA_predict_x 23680
#define ARENA_predict_second_product 23936
#define ARENA_predict_second 23680
#define ARENA_predict_x_2 23936
#define ARENA_predict_head_product 23680
#define ARENA_predict_head 23744

/* ---- Buffers in the arena ---- */

/* parameters.outside: f32 unit outside, 23.1 KiB */
static inline float *at_parameters_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameters_outside);
}

/* gradients.outside: f32 unit outside, 23.1 KiB */
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

/* features: f32 [24 / micro / data, 16], 384 B */
static inline float *at_features(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_features);
}

/* labels: i32 [24 / micro / data], 24 B */
static inline int32_t *at_labels(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_labels);
}

/* first.product: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_first_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_first_product);
}

/* first: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_first(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_first);
}

/* x: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_x);
}

/* second.product: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_second_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_second_product);
}

/* second: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_second(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_second);
}

/* x.2: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_x_2);
}

/* head.product: f32 [24 / micro / data, 10], 240 B */
static inline float *at_head_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_head_product);
}

/* head: f32 [24 / micro / data, 10], 240 B */
static inline float *at_head(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_head);
}

/* class_positions: i32 [10], 40 B */
static inline int32_t *at_class_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_class_positions);
}

/* loss.terms.largest: f32 [24 / micro / data], 24 B */
static inline float *at_loss_terms_largest(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_largest);
}

/* loss.terms.exp_sum: f32 [24 / micro / data], 24 B */
static inline float *at_loss_terms_exp_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_exp_sum);
}

/* loss.terms.target_logit: f32 [24 / micro / data], 24 B */
static inline float *at_loss_terms_target_logit(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_target_logit);
}

/* loss.terms: f32 [24 / micro / data], 24 B */
static inline float *at_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms);
}

/* loss: f32 [], 4 B */
static inline float *at_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss);
}

/* d_loss.terms: f32 [24 / micro / data], 24 B */
static inline float *at_d_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_loss_terms);
}

/* d_head: f32 [24 / micro / data, 10], 240 B */
static inline float *at_d_head(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_head);
}

/* d_x.2: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_d_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x_2);
}

/* d_second: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_d_second(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_second);
}

/* d_x: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_d_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x);
}

/* d_first: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_d_first(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_first);
}

/* rate: f32 [], 4 B */
static inline float *at_rate(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_rate);
}

/* eval.loss.sum: f32 [], 4 B */
static inline float *at_eval_loss_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_sum);
}

/* eval.features: f32 [24 / micro / data, 16], 384 B */
static inline float *at_eval_features(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_features);
}

/* eval.labels: i32 [24 / micro / data], 24 B */
static inline int32_t *at_eval_labels(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_labels);
}

/* eval.first.product: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_eval_first_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_first_product);
}

/* eval.first: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_eval_first(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_first);
}

/* eval.x: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_eval_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_x);
}

/* eval.second.product: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_eval_second_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_second_product);
}

/* eval.second: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_eval_second(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_second);
}

/* eval.x.2: f32 [24 / micro / data, 64], 1.50 KiB */
static inline float *at_eval_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_x_2);
}

/* eval.head.product: f32 [24 / micro / data, 10], 240 B */
static inline float *at_eval_head_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_head_product);
}

/* eval.head: f32 [24 / micro / data, 10], 240 B */
static inline float *at_eval_head(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_head);
}

/* eval.class_positions: i32 [10], 40 B */
static inline int32_t *at_eval_class_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_class_positions);
}

/* eval.loss.terms.largest: f32 [24 / micro / data], 24 B */
static inline float *at_eval_loss_terms_largest(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_largest);
}

/* eval.loss.terms.exp_sum: f32 [24 / micro / data], 24 B */
static inline float *at_eval_loss_terms_exp_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_exp_sum);
}

/* eval.loss.terms.target_logit: f32 [24 / micro / data], 24 B */
static inline float *at_eval_loss_terms_target_logit(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_target_logit);
}

/* eval.loss.terms: f32 [24 / micro / data], 24 B */
static inline float *at_eval_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms);
}

/* eval.loss: f32 [], 4 B */
static inline float *at_eval_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss);
}

/* predict.features: f32 [1, 16], 64 B */
static inline float *at_predict_features(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_features);
}

/* predict.first.product: f32 [1, 64], 256 B */
static inline float *at_predict_first_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_first_product);
}

/* predict.first: f32 [1, 64], 256 B */
static inline float *at_predict_first(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_first);
}

/* predict.x: f32 [1, 64], 256 B */
static inline float *at_predict_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_x);
}

/* predict.second.product: f32 [1, 64], 256 B */
static inline float *at_predict_second_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_second_product);
}

/* predict.second: f32 [1, 64], 256 B */
static inline float *at_predict_second(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_second);
}

/* predict.x.2: f32 [1, 64], 256 B */
static inline float *at_predict_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_x_2);
}

/* predict.head.product: f32 [1, 10], 40 B */
static inline float *at_predict_head_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_head_product);
}

/* predict.head: f32 [1, 10], 40 B */
static inline float *at_predict_head(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_head);
}

/* ---- Routines ---- */

/* Before the first step: every state gets its initial value. */
static void init(prt_context *ctx)
{
    /* examples/mlp.place:19: fill: 4 B */
    ctx->at = LINE_19_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_step(ctx)}, .numbers = {0}});
    /* examples/mlp.place:8: init: 23.1 KiB */
    ctx->at = LINE_8_init;
    prt_init(ctx, -1, LAYOUT_outside, 0, 1, PRT_F32, at_parameters_outside(ctx));
}

/* One training step. */
static void step(prt_context *ctx)
{
    /* examples/mlp.place:18: fill: 23.1 KiB */
    ctx->at = LINE_18_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_gradients_outside(ctx)},
        .extents = {5904},
        .numbers = {0},
    });
    /* examples/mlp.place:11: fill: 4 B */
    ctx->at = LINE_11_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 2; micro++) {
        /* examples/mlp.place:5: read features: 384 B */
        ctx->at = LINE_5_read_features;
        prt_read(ctx, INPUT_features, LAYOUT_24_over_micro_data_by_16, micro, at_features(ctx));
        /* examples/mlp.place:6: read labels: 24 B */
        ctx->at = LINE_6_read_labels;
        prt_read(ctx, INPUT_labels, LAYOUT_24_over_micro_data, micro, at_labels(ctx));
        /* examples/mlp.place:8: einsum "bh,oh->bo": 5.88 KiB, 12.3 kflop */
        ctx->at = LINE_8_computing_in_step;
        const prt_gemm_shape gemm1 = {
            .m = 6, .n = 64, .k = 16,
            .a_row = 16, .a_column = 1,
            .b_row = 1, .b_column = 16,
            .c_row = 64, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm1, at_features(ctx), at_parameters_outside(ctx) + OFFSET_first_weight, 0,
                 at_first_product(ctx));
        /* examples/mlp.place:8: add "bo,o->bo": 3.25 KiB, 384 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_first(ctx), at_first_product(ctx), at_parameters_outside(ctx) + OFFSET_first_bias},
            .extents = {6, 64},
        });
        /* examples/mlp.place:8: relu "ab->ab": 3.00 KiB, 384 flop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){.arrays = {at_x(ctx), at_first(ctx)}, .extents = {384}});
        /* examples/mlp.place:9: einsum "bh,oh->bo": 19.0 KiB, 49.2 kflop */
        ctx->at = LINE_9_computing_in_step;
        const prt_gemm_shape gemm2 = {
            .m = 6, .n = 64, .k = 64,
            .a_row = 64, .a_column = 1,
            .b_row = 1, .b_column = 64,
            .c_row = 64, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm2, at_x(ctx), at_parameters_outside(ctx) + OFFSET_second_weight, 0,
                 at_second_product(ctx));
        /* examples/mlp.place:9: add "bo,o->bo": 3.25 KiB, 384 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_second(ctx), at_second_product(ctx), at_parameters_outside(ctx) + OFFSET_second_bias},
            .extents = {6, 64},
        });
        /* examples/mlp.place:9: gelu "ab->ab": 3.00 KiB, 5.38 kflop */
        prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
            .arrays = {at_x_2(ctx), at_second(ctx)},
            .extents = {384},
        });
        /* examples/mlp.place:10: einsum "bh,oh->bo": 4.23 KiB, 7.68 kflop */
        ctx->at = LINE_10_computing_in_step;
        const prt_gemm_shape gemm3 = {
            .m = 6, .n = 10, .k = 64,
            .a_row = 64, .a_column = 1,
            .b_row = 1, .b_column = 64,
            .c_row = 10, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm3, at_x_2(ctx), at_parameters_outside(ctx) + OFFSET_head_weight, 0,
                 at_head_product(ctx));
        /* examples/mlp.place:10: add "bo,o->bo": 520 B, 60 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_head(ctx), at_head_product(ctx), at_parameters_outside(ctx) + OFFSET_head_bias},
            .extents = {6, 10},
        });
        /* examples/mlp.place:11: iota: 40 B */
        ctx->at = LINE_11_computing_in_step;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_class_positions(ctx)},
            .extents = {10},
            .numbers = {0},
        });
        /* examples/mlp.place:11: row_max "bv->b": 264 B, 60 flop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_largest(ctx), at_head(ctx)},
            .extents = {6, 10},
        });
        /* examples/mlp.place:11: exp_sum "bv,b->b": 288 B, 240 flop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_exp_sum(ctx), at_head(ctx), at_loss_terms_largest(ctx)},
            .extents = {6, 10},
        });
        /* examples/mlp.place:11: pick "bv,b,v->b": 328 B, 60 flop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_target_logit(ctx), at_head(ctx), at_labels(ctx), at_class_positions(ctx)},
            .extents = {6, 10},
        });
        /* examples/mlp.place:11: log_loss "b,b,b->b": 96 B, 36 flop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_loss_terms(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_loss_terms_target_logit(ctx)},
            .extents = {6},
        });
        /* examples/mlp.place:11: reduce "a->": 28 B, 6 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_loss(ctx), at_loss_terms(ctx)},
            .extents = {6},
        });
        /* examples/mlp.place:11: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_loss(ctx)},
            .numbers = {1.0 / 24},
        });
        /* examples/mlp.place:11: fill "a": 24 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_d_loss_terms(ctx)},
            .extents = {6},
            .numbers = {0.041666666666666664},
        });
        /* examples/mlp.place:11: log_loss_bwd "bv,b,b,b,v,b->bv": 616 B, 420 flop */
        prt_launch(ctx, KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i, 0, &(prt_arguments){
            .arrays = {at_d_head(ctx), at_head(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_labels(ctx), at_class_positions(ctx), at_d_loss_terms(ctx)},
            .extents = {6, 10},
        });
        /* examples/mlp.place:10: reduce "bo->o": 320 B, 60 flop */
        ctx->at = LINE_10_computing_in_step;
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_head_bias, at_d_head(ctx)},
            .extents = {6, 10},
        });
        /* examples/mlp.place:10: einsum "bo,oh->bh": 4.23 KiB, 7.68 kflop */
        const prt_gemm_shape gemm4 = {
            .m = 6, .n = 64, .k = 10,
            .a_row = 10, .a_column = 1,
            .b_row = 64, .b_column = 1,
            .c_row = 64, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm4, at_d_head(ctx), at_parameters_outside(ctx) + OFFSET_head_weight, 0,
                 at_d_x_2(ctx));
        /* examples/mlp.place:10: einsum "bo,bh->oh": 6.73 KiB, 7.68 kflop */
        const prt_gemm_shape gemm5 = {
            .m = 10, .n = 64, .k = 6,
            .a_row = 1, .a_column = 10,
            .b_row = 64, .b_column = 1,
            .c_row = 64, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm5, at_d_head(ctx), at_x_2(ctx), 1,
                 at_gradients_outside(ctx) + OFFSET_head_weight);
        /* examples/mlp.place:9: gelu_bwd "ab,ab->ab": 4.50 KiB, 9.22 kflop */
        ctx->at = LINE_9_computing_in_step;
        prt_launch(ctx, KERNEL_gelu_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_second(ctx), at_second(ctx), at_d_x_2(ctx)},
            .extents = {384},
        });
        /* examples/mlp.place:9: reduce "bo->o": 2.00 KiB, 384 flop */
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_second_bias, at_d_second(ctx)},
            .extents = {6, 64},
        });
        /* examples/mlp.place:9: einsum "bo,oh->bh": 19.0 KiB, 49.2 kflop */
        const prt_gemm_shape gemm6 = {
            .m = 6, .n = 64, .k = 64,
            .a_row = 64, .a_column = 1,
            .b_row = 64, .b_column = 1,
            .c_row = 64, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm6, at_d_second(ctx), at_parameters_outside(ctx) + OFFSET_second_weight, 0,
                 at_d_x(ctx));
        /* examples/mlp.place:9: einsum "bo,bh->oh": 35.0 KiB, 49.2 kflop */
        const prt_gemm_shape gemm7 = {
            .m = 64, .n = 64, .k = 6,
            .a_row = 1, .a_column = 64,
            .b_row = 64, .b_column = 1,
            .c_row = 64, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm7, at_d_second(ctx), at_x(ctx), 1,
                 at_gradients_outside(ctx) + OFFSET_second_weight);
        /* examples/mlp.place:8: relu_bwd "ab,ab->ab": 4.50 KiB, 384 flop */
        ctx->at = LINE_8_computing_in_step;
        prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_first(ctx), at_first(ctx), at_d_x(ctx)},
            .extents = {384},
        });
        /* examples/mlp.place:8: reduce "bo->o": 2.00 KiB, 384 flop */
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_first_bias, at_d_first(ctx)},
            .extents = {6, 64},
        });
        /* examples/mlp.place:8: einsum "bo,bh->oh": 9.88 KiB, 12.3 kflop */
        const prt_gemm_shape gemm8 = {
            .m = 64, .n = 16, .k = 6,
            .a_row = 1, .a_column = 64,
            .b_row = 16, .b_column = 1,
            .c_row = 16, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm8, at_d_first(ctx), at_features(ctx), 1,
                 at_gradients_outside(ctx) + OFFSET_first_weight);
        /* examples/mlp.place:11: add to loss.sum "->": 12 B */
        ctx->at = LINE_11_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx), at_loss(ctx)}});
    }
    /* examples/mlp.place:18: all_reduce loss.sum over data: payload 4 B */
    ctx->at = LINE_18_all_reduce_loss_sum_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_loss_sum, at_loss_sum(ctx), at_loss_sum(ctx), 1);
    /* examples/mlp.place:11: output loss: 4 B */
    ctx->at = LINE_11_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_loss_sum(ctx), 1);
    /* examples/mlp.place:19: rate "->": 8 B, 8 flop */
    ctx->at = LINE_19_computing_in_step;
    prt_launch(ctx, KERNEL_rate_f32_s, 0, &(prt_arguments){
        .arrays = {at_rate(ctx), at_step(ctx)},
        .numbers = {0.1, 0, 0, 1},
    });
    /* examples/mlp.place:19: output learning_rate: 4 B */
    ctx->at = LINE_19_output_learning_rate;
    prt_output(ctx, "learning_rate", PRT_F32, at_rate(ctx), 1);
    /* examples/mlp.place:19: increment "->": 8 B, 1 flop */
    ctx->at = LINE_19_computing_in_step;
    prt_launch(ctx, KERNEL_increment_f32_s_in_place_a, 0, &(prt_arguments){.arrays = {at_step(ctx)}});
    /* examples/mlp.place:18: all_reduce gradients.outside over data: payload 23.1 KiB */
    ctx->at = LINE_18_all_reduce_gradients_outside_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_gradients_outside, at_gradients_outside(ctx), at_gradients_outside(ctx), 5904);
    /* examples/mlp.place:19: sgd: 69.2 KiB, 11.8 kflop */
    ctx->at = LINE_19_computing_in_step;
    if (ctx->saving_gradients)
        prt_save_gradient(ctx, GRADIENT_outside, 0, at_gradients_outside(ctx));
    prt_launch(ctx, KERNEL_sgd_f32_i_i_s_in_place_a, 0, &(prt_arguments){
        .arrays = {at_parameters_outside(ctx), at_gradients_outside(ctx), at_rate(ctx)},
        .extents = {5904},
    });
}

/* The loss on examples that are held out. */
static void eval(prt_context *ctx)
{
    /* examples/mlp.place:11: fill: 4 B */
    ctx->at = LINE_11_computing_in_eval;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_eval_loss_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 2; micro++) {
        /* examples/mlp.place:5: read features: 384 B */
        ctx->at = LINE_5_read_features;
        prt_read(ctx, INPUT_features, LAYOUT_24_over_micro_data_by_16, micro, at_eval_features(ctx));
        /* examples/mlp.place:6: read labels: 24 B */
        ctx->at = LINE_6_read_labels;
        prt_read(ctx, INPUT_labels, LAYOUT_24_over_micro_data, micro, at_eval_labels(ctx));
        /* examples/mlp.place:8: einsum "bh,oh->bo": 5.88 KiB, 12.3 kflop */
        ctx->at = LINE_8_computing_in_eval;
        const prt_gemm_shape gemm9 = {
            .m = 6, .n = 64, .k = 16,
            .a_row = 16, .a_column = 1,
            .b_row = 1, .b_column = 16,
            .c_row = 64, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm9, at_eval_features(ctx), at_parameters_outside(ctx) + OFFSET_first_weight, 0,
                 at_eval_first_product(ctx));
        /* examples/mlp.place:8: add "bo,o->bo": 3.25 KiB, 384 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_eval_first(ctx), at_eval_first_product(ctx), at_parameters_outside(ctx) + OFFSET_first_bias},
            .extents = {6, 64},
        });
        /* examples/mlp.place:8: relu "ab->ab": 3.00 KiB, 384 flop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_eval_x(ctx), at_eval_first(ctx)},
            .extents = {384},
        });
        /* examples/mlp.place:9: einsum "bh,oh->bo": 19.0 KiB, 49.2 kflop */
        ctx->at = LINE_9_computing_in_eval;
        const prt_gemm_shape gemm10 = {
            .m = 6, .n = 64, .k = 64,
            .a_row = 64, .a_column = 1,
            .b_row = 1, .b_column = 64,
            .c_row = 64, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm10, at_eval_x(ctx), at_parameters_outside(ctx) + OFFSET_second_weight, 0,
                 at_eval_second_product(ctx));
        /* examples/mlp.place:9: add "bo,o->bo": 3.25 KiB, 384 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_eval_second(ctx), at_eval_second_product(ctx),
                       at_parameters_outside(ctx) + OFFSET_second_bias},
            .extents = {6, 64},
        });
        /* examples/mlp.place:9: gelu "ab->ab": 3.00 KiB, 5.38 kflop */
        prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
            .arrays = {at_eval_x_2(ctx), at_eval_second(ctx)},
            .extents = {384},
        });
        /* examples/mlp.place:10: einsum "bh,oh->bo": 4.23 KiB, 7.68 kflop */
        ctx->at = LINE_10_computing_in_eval;
        const prt_gemm_shape gemm11 = {
            .m = 6, .n = 10, .k = 64,
            .a_row = 64, .a_column = 1,
            .b_row = 1, .b_column = 64,
            .c_row = 10, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm11, at_eval_x_2(ctx), at_parameters_outside(ctx) + OFFSET_head_weight, 0,
                 at_eval_head_product(ctx));
        /* examples/mlp.place:10: add "bo,o->bo": 520 B, 60 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_eval_head(ctx), at_eval_head_product(ctx), at_parameters_outside(ctx) + OFFSET_head_bias},
            .extents = {6, 10},
        });
        /* examples/mlp.place:11: iota: 40 B */
        ctx->at = LINE_11_computing_in_eval;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_class_positions(ctx)},
            .extents = {10},
            .numbers = {0},
        });
        /* examples/mlp.place:11: row_max "bv->b": 264 B, 60 flop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_largest(ctx), at_eval_head(ctx)},
            .extents = {6, 10},
        });
        /* examples/mlp.place:11: exp_sum "bv,b->b": 288 B, 240 flop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_exp_sum(ctx), at_eval_head(ctx), at_eval_loss_terms_largest(ctx)},
            .extents = {6, 10},
        });
        /* examples/mlp.place:11: pick "bv,b,v->b": 328 B, 60 flop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_target_logit(ctx), at_eval_head(ctx), at_eval_labels(ctx),
                       at_eval_class_positions(ctx)},
            .extents = {6, 10},
        });
        /* examples/mlp.place:11: log_loss "b,b,b->b": 96 B, 36 flop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms(ctx), at_eval_loss_terms_largest(ctx), at_eval_loss_terms_exp_sum(ctx),
                       at_eval_loss_terms_target_logit(ctx)},
            .extents = {6},
        });
        /* examples/mlp.place:11: reduce "a->": 28 B, 6 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx), at_eval_loss_terms(ctx)},
            .extents = {6},
        });
        /* examples/mlp.place:11: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx)},
            .numbers = {1.0 / 24},
        });
        /* examples/mlp.place:11: add to eval.loss.sum "->": 12 B */
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_eval_loss_sum(ctx), at_eval_loss(ctx)},
        });
    }
    /* examples/mlp.place:18: all_reduce eval.loss.sum over data: payload 4 B */
    ctx->at = LINE_18_all_reduce_eval_loss_sum_over_data;
    prt_all_reduce(ctx, CALL_eval_all_reduce_loss_sum, at_eval_loss_sum(ctx), at_eval_loss_sum(ctx), 1);
    /* examples/mlp.place:11: output loss: 4 B */
    ctx->at = LINE_11_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_eval_loss_sum(ctx), 1);
}

/* The model's output on the text so far. */
static void predict(prt_context *ctx)
{
    /* examples/mlp.place:5: read features: 64 B */
    ctx->at = LINE_5_read_features;
    prt_read(ctx, INPUT_features, LAYOUT_1_by_16, 0, at_predict_features(ctx));
    /* examples/mlp.place:8: einsum "bh,oh->bo": 4.31 KiB, 2.05 kflop */
    ctx->at = LINE_8_computing_in_predict;
    const prt_gemm_shape gemm12 = {
        .m = 1, .n = 64, .k = 16,
        .a_row = 16, .a_column = 1,
        .b_row = 1, .b_column = 16,
        .c_row = 64, .c_column = 1,
    };
    prt_gemm(ctx, 0, PRT_F32, &gemm12, at_predict_features(ctx), at_parameters_outside(ctx) + OFFSET_first_weight, 0,
             at_predict_first_product(ctx));
    /* examples/mlp.place:8: add "bo,o->bo": 768 B, 64 flop */
    prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
        .arrays = {at_predict_first(ctx), at_predict_first_product(ctx),
                   at_parameters_outside(ctx) + OFFSET_first_bias},
        .extents = {1, 64},
    });
    /* examples/mlp.place:8: relu "ab->ab": 512 B, 64 flop */
    prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
        .arrays = {at_predict_x(ctx), at_predict_first(ctx)},
        .extents = {64},
    });
    /* examples/mlp.place:9: einsum "bh,oh->bo": 16.5 KiB, 8.19 kflop */
    ctx->at = LINE_9_computing_in_predict;
    const prt_gemm_shape gemm13 = {
        .m = 1, .n = 64, .k = 64,
        .a_row = 64, .a_column = 1,
        .b_row = 1, .b_column = 64,
        .c_row = 64, .c_column = 1,
    };
    prt_gemm(ctx, 0, PRT_F32, &gemm13, at_predict_x(ctx), at_parameters_outside(ctx) + OFFSET_second_weight, 0,
             at_predict_second_product(ctx));
    /* examples/mlp.place:9: add "bo,o->bo": 768 B, 64 flop */
    prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
        .arrays = {at_predict_second(ctx), at_predict_second_product(ctx),
                   at_parameters_outside(ctx) + OFFSET_second_bias},
        .extents = {1, 64},
    });
    /* examples/mlp.place:9: gelu "ab->ab": 512 B, 896 flop */
    prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
        .arrays = {at_predict_x_2(ctx), at_predict_second(ctx)},
        .extents = {64},
    });
    /* examples/mlp.place:10: einsum "bh,oh->bo": 2.79 KiB, 1.28 kflop */
    ctx->at = LINE_10_computing_in_predict;
    const prt_gemm_shape gemm14 = {
        .m = 1, .n = 10, .k = 64,
        .a_row = 64, .a_column = 1,
        .b_row = 1, .b_column = 64,
        .c_row = 10, .c_column = 1,
    };
    prt_gemm(ctx, 0, PRT_F32, &gemm14, at_predict_x_2(ctx), at_parameters_outside(ctx) + OFFSET_head_weight, 0,
             at_predict_head_product(ctx));
    /* examples/mlp.place:10: add "bo,o->bo": 120 B, 10 flop */
    prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
        .arrays = {at_predict_head(ctx), at_predict_head_product(ctx), at_parameters_outside(ctx) + OFFSET_head_bias},
        .extents = {1, 10},
    });
    /* examples/mlp.place:11: output logits: 40 B */
    ctx->at = LINE_11_output_logits;
    prt_output(ctx, "logits", PRT_F32, at_predict_head(ctx), 10);
}

/* ---- The plan, for the runtime ---- */

/* Rows of a table. */
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static const prt_tensor tensors[] = {
    [TENSOR_first_weight] = {"first.weight", NULL, 1, PRT_F32, 2, {64, 16}, PRT_NORMAL, 0.25},
    [TENSOR_first_bias] = {"first.bias", NULL, 1, PRT_F32, 1, {64}, PRT_ZEROS, 0},
    [TENSOR_second_weight] = {"second.weight", NULL, 1, PRT_F32, 2, {64, 64}, PRT_NORMAL, 0.125},
    [TENSOR_second_bias] = {"second.bias", NULL, 1, PRT_F32, 1, {64}, PRT_ZEROS, 0},
    [TENSOR_head_weight] = {"head.weight", NULL, 1, PRT_F32, 2, {10, 64}, PRT_NORMAL, 0.125},
    [TENSOR_head_bias] = {"head.bias", NULL, 1, PRT_F32, 1, {10}, PRT_ZEROS, 0},
};

static const prt_input inputs[] = {
    [INPUT_features] = {"features", PRT_F32, PRT_FEATURES, 0, 2, {24, 16}},
    [INPUT_labels] = {"labels", PRT_I32, PRT_LABELS, 10, 1, {24}},
};

static const prt_member members_outside[] = {
    {TENSOR_first_weight, OFFSET_first_weight, NULL},
    {TENSOR_first_bias, OFFSET_first_bias, NULL},
    {TENSOR_second_weight, OFFSET_second_weight, NULL},
    {TENSOR_second_bias, OFFSET_second_bias, NULL},
    {TENSOR_head_weight, OFFSET_head_weight, NULL},
    {TENSOR_head_bias, OFFSET_head_bias, NULL},
};

static const prt_unit units[] = {
    [UNIT_outside] = {"outside", 0, 0, COUNT(members_outside), members_outside, 5904},
};

static const prt_state states[] = {
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 23616,
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
        .slot_bytes = 23616,
        .layout = LAYOUT_outside,
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
        .source = LINE_18_all_reduce_loss_sum_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 4,
    },
    [CALL_all_reduce_gradients_outside] = {
        .op = PRT_ALL_REDUCE,
        .state = "gradients",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_outside,
        .into = LAYOUT_outside,
        .event = -1,
        .stream = 0,
        .source = LINE_18_all_reduce_gradients_outside_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 23616,
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
        .source = LINE_18_all_reduce_eval_loss_sum_over_data,
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
    [KERNEL_relu_f32] = {
        .entry = "kernel_relu_f32",
        .host = kernel_relu_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 1,
    },
    [KERNEL_gelu_f32] = {
        .entry = "kernel_gelu_f32",
        .host = kernel_gelu_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 14,
    },
    [KERNEL_iota_i32] = {
        .entry = "kernel_iota_i32",
        .host = kernel_iota_i32,
        .arrays = {{PRT_I32, "i"}},
        .array_count = 1, .extent_count = 1, .number_count = 1,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 0,
    },
    [KERNEL_row_max_f32_ij_to_i] = {
        .entry = "kernel_row_max_f32_ij_to_i",
        .host = kernel_row_max_f32_ij_to_i,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "ij"}},
        .array_count = 2, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 1,
    },
    [KERNEL_exp_sum_f32_ij_i_to_i] = {
        .entry = "kernel_exp_sum_f32_ij_i_to_i",
        .host = kernel_exp_sum_f32_ij_i_to_i,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "ij"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 4,
    },
    [KERNEL_pick_f32_ij_i32i_i32j_to_i] = {
        .entry = "kernel_pick_f32_ij_i32i_i32j_to_i",
        .host = kernel_pick_f32_ij_i32i_i32j_to_i,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "ij"}, {PRT_I32, "i"}, {PRT_I32, "j"}},
        .array_count = 4, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 1,
    },
    [KERNEL_log_loss_f32] = {
        .entry = "kernel_log_loss_f32",
        .host = kernel_log_loss_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 4, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 6,
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
    [KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i] = {
        .entry = "kernel_log_loss_bwd_f32_ij_i_i_i32i_i32j_i",
        .host = kernel_log_loss_bwd_f32_ij_i_i_i32i_i32j_i,
        .arrays = {{PRT_F32, "ij"}, {PRT_F32, "ij"}, {PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_I32, "i"}, {PRT_I32, "j"}, {PRT_F32, "i"}},
        .array_count = 7, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ij", .per_thread = true,
        .space = "ij", .operations = 7,
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
    [KERNEL_gelu_bwd_f32] = {
        .entry = "kernel_gelu_bwd_f32",
        .host = kernel_gelu_bwd_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 24,
    },
    [KERNEL_relu_bwd_f32] = {
        .entry = "kernel_relu_bwd_f32",
        .host = kernel_relu_bwd_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 1,
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
    [LAYOUT_24_over_micro_data_by_16] =
        {.unit = -1, .dim_count = 2, .dims = {{.size = 24, .cut_count = 2, .cut = {PRT_MICRO, AXIS_data}}, {.size = 16}}},
    [LAYOUT_24_over_micro_data] =
        {.unit = -1, .dim_count = 1, .dims = {{.size = 24, .cut_count = 2, .cut = {PRT_MICRO, AXIS_data}}}},
    [LAYOUT_scalar] = {.unit = -1},
    [LAYOUT_1_by_16] = {.unit = -1, .dim_count = 2, .dims = {{.size = 1}, {.size = 16}}},
};

static const prt_class classes[] = {
    {
        .memory = {23592, 23592, 4, 8200, 0, 0, 356},
    },
};

static const prt_buffer buffers[] = {
    {.name = "parameters.outside", .tier = PRT_DEVICE, .offset = ARENA_parameters_outside, .bytes = 23616},
    {.name = "gradients.outside", .tier = PRT_DEVICE, .offset = ARENA_gradients_outside, .bytes = 23616},
    {.name = "step", .tier = PRT_DEVICE, .offset = ARENA_step, .bytes = 4},
    {.name = "loss.sum", .tier = PRT_DEVICE, .offset = ARENA_loss_sum, .bytes = 4},
    {.name = "features", .tier = PRT_DEVICE, .offset = ARENA_features, .bytes = 384},
    {.name = "labels", .tier = PRT_DEVICE, .offset = ARENA_labels, .bytes = 24},
    {.name = "first.product", .tier = PRT_DEVICE, .offset = ARENA_first_product, .bytes = 1536},
    {.name = "first", .tier = PRT_DEVICE, .offset = ARENA_first, .bytes = 1536},
    {.name = "x", .tier = PRT_DEVICE, .offset = ARENA_x, .bytes = 1536},
    {.name = "second.product", .tier = PRT_DEVICE, .offset = ARENA_second_product, .bytes = 1536},
    {.name = "second", .tier = PRT_DEVICE, .offset = ARENA_second, .bytes = 1536},
    {.name = "x.2", .tier = PRT_DEVICE, .offset = ARENA_x_2, .bytes = 1536},
    {.name = "head.product", .tier = PRT_DEVICE, .offset = ARENA_head_product, .bytes = 240},
    {.name = "head", .tier = PRT_DEVICE, .offset = ARENA_head, .bytes = 240},
    {.name = "class_positions", .tier = PRT_DEVICE, .offset = ARENA_class_positions, .bytes = 40},
    {.name = "loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_largest, .bytes = 24},
    {.name = "loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_exp_sum, .bytes = 24},
    {.name = "loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_target_logit, .bytes = 24},
    {.name = "loss.terms", .tier = PRT_DEVICE, .offset = ARENA_loss_terms, .bytes = 24},
    {.name = "loss", .tier = PRT_DEVICE, .offset = ARENA_loss, .bytes = 4},
    {.name = "d_loss.terms", .tier = PRT_DEVICE, .offset = ARENA_d_loss_terms, .bytes = 24},
    {.name = "d_head", .tier = PRT_DEVICE, .offset = ARENA_d_head, .bytes = 240},
    {.name = "d_x.2", .tier = PRT_DEVICE, .offset = ARENA_d_x_2, .bytes = 1536},
    {.name = "d_second", .tier = PRT_DEVICE, .offset = ARENA_d_second, .bytes = 1536},
    {.name = "d_x", .tier = PRT_DEVICE, .offset = ARENA_d_x, .bytes = 1536},
    {.name = "d_first", .tier = PRT_DEVICE, .offset = ARENA_d_first, .bytes = 1536},
    {.name = "rate", .tier = PRT_DEVICE, .offset = ARENA_rate, .bytes = 4},
    {.name = "eval.loss.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_sum, .bytes = 4},
    {.name = "eval.features", .tier = PRT_DEVICE, .offset = ARENA_eval_features, .bytes = 384},
    {.name = "eval.labels", .tier = PRT_DEVICE, .offset = ARENA_eval_labels, .bytes = 24},
    {.name = "eval.first.product", .tier = PRT_DEVICE, .offset = ARENA_eval_first_product, .bytes = 1536},
    {.name = "eval.first", .tier = PRT_DEVICE, .offset = ARENA_eval_first, .bytes = 1536},
    {.name = "eval.x", .tier = PRT_DEVICE, .offset = ARENA_eval_x, .bytes = 1536},
    {.name = "eval.second.product", .tier = PRT_DEVICE, .offset = ARENA_eval_second_product, .bytes = 1536},
    {.name = "eval.second", .tier = PRT_DEVICE, .offset = ARENA_eval_second, .bytes = 1536},
    {.name = "eval.x.2", .tier = PRT_DEVICE, .offset = ARENA_eval_x_2, .bytes = 1536},
    {.name = "eval.head.product", .tier = PRT_DEVICE, .offset = ARENA_eval_head_product, .bytes = 240},
    {.name = "eval.head", .tier = PRT_DEVICE, .offset = ARENA_eval_head, .bytes = 240},
    {.name = "eval.class_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_class_positions, .bytes = 40},
    {.name = "eval.loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_largest, .bytes = 24},
    {.name = "eval.loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_exp_sum, .bytes = 24},
    {.name = "eval.loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_target_logit, .bytes = 24},
    {.name = "eval.loss.terms", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms, .bytes = 24},
    {.name = "eval.loss", .tier = PRT_DEVICE, .offset = ARENA_eval_loss, .bytes = 4},
    {.name = "predict.features", .tier = PRT_DEVICE, .offset = ARENA_predict_features, .bytes = 64},
    {.name = "predict.first.product", .tier = PRT_DEVICE, .offset = ARENA_predict_first_product, .bytes = 256},
    {.name = "predict.first", .tier = PRT_DEVICE, .offset = ARENA_predict_first, .bytes = 256},
    {.name = "predict.x", .tier = PRT_DEVICE, .offset = ARENA_predict_x, .bytes = 256},
    {.name = "predict.second.product", .tier = PRT_DEVICE, .offset = ARENA_predict_second_product, .bytes = 256},
    {.name = "predict.second", .tier = PRT_DEVICE, .offset = ARENA_predict_second, .bytes = 256},
    {.name = "predict.x.2", .tier = PRT_DEVICE, .offset = ARENA_predict_x_2, .bytes = 256},
    {.name = "predict.head.product", .tier = PRT_DEVICE, .offset = ARENA_predict_head_product, .bytes = 40},
    {.name = "predict.head", .tier = PRT_DEVICE, .offset = ARENA_predict_head, .bytes = 40},
};

static const prt_source sources[] = {
    [NO_LINE_mlp] = {"", 0, "mlp"},
    [LINE_19_computing_in_init] = {"examples/mlp.place", 19, "computing in init"},
    [LINE_8_init] = {"examples/mlp.place", 8, "init"},
    [LINE_18_computing_in_step] = {"examples/mlp.place", 18, "computing in step"},
    [LINE_11_computing_in_step] = {"examples/mlp.place", 11, "computing in step"},
    [LINE_5_read_features] = {"examples/mlp.place", 5, "read features"},
    [LINE_6_read_labels] = {"examples/mlp.place", 6, "read labels"},
    [LINE_8_computing_in_step] = {"examples/mlp.place", 8, "computing in step"},
    [LINE_9_computing_in_step] = {"examples/mlp.place", 9, "computing in step"},
    [LINE_10_computing_in_step] = {"examples/mlp.place", 10, "computing in step"},
    [LINE_18_all_reduce_loss_sum_over_data] = {"examples/mlp.place", 18, "all_reduce loss.sum over data"},
    [LINE_11_output_loss] = {"examples/mlp.place", 11, "output loss"},
    [LINE_19_computing_in_step] = {"examples/mlp.place", 19, "computing in step"},
    [LINE_19_output_learning_rate] = {"examples/mlp.place", 19, "output learning_rate"},
    [LINE_18_all_reduce_gradients_outside_over_data] =
        {"examples/mlp.place", 18, "all_reduce gradients.outside over data"},
    [LINE_11_computing_in_eval] = {"examples/mlp.place", 11, "computing in eval"},
    [LINE_8_computing_in_eval] = {"examples/mlp.place", 8, "computing in eval"},
    [LINE_9_computing_in_eval] = {"examples/mlp.place", 9, "computing in eval"},
    [LINE_10_computing_in_eval] = {"examples/mlp.place", 10, "computing in eval"},
    [LINE_18_all_reduce_eval_loss_sum_over_data] = {"examples/mlp.place", 18, "all_reduce eval.loss.sum over data"},
    [LINE_8_computing_in_predict] = {"examples/mlp.place", 8, "computing in predict"},
    [LINE_9_computing_in_predict] = {"examples/mlp.place", 9, "computing in predict"},
    [LINE_10_computing_in_predict] = {"examples/mlp.place", 10, "computing in predict"},
    [LINE_11_output_logits] = {"examples/mlp.place", 11, "output logits"},
};

static const prt_program program = {
    .format = PRT_FORMAT,
    .name = "mlp",
    .file = "examples/mlp.place",
    .plan_hash = "c01d03442f591306",
    .version = "0.1.0",
    .axis_count = 1,
    .axes = {[AXIS_data] = {"data", 2}},
    .compute_dtype = PRT_F32,
    .arena_bytes = {55744, 0, 0},
    .batch = 24,
    .micro = 2,
    .steps = 100,
    .items_per_step = 24,
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
