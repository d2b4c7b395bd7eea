/* images, trained on a mesh { data: 8 }: the program of every rank. Written by placec from examples/images.place;
 * the comments name its lines, and what one execution of a statement costs the rank with the largest pieces. */
#include "place_rt.h"

/* Kernels (kernels.o). */
prt_host_kernel kernel_fill_f32_to_s;
prt_host_kernel kernel_fill_f32;
prt_host_kernel kernel_add_f32_ij_j;
prt_host_kernel kernel_relu_f32;
prt_host_kernel kernel_add_f32_overlap;
prt_host_kernel kernel_iota_i32;
prt_host_kernel kernel_row_max_f32_ij_to_i;
prt_host_kernel kernel_exp_sum_f32_ij_i_to_i;
prt_host_kernel kernel_pick_f32_ij_i32i_i32j_to_i;
prt_host_kernel kernel_log_loss_f32;
prt_host_kernel kernel_reduce_f32_i_to_s;
prt_host_kernel kernel_scale_f32_s_in_place_a;
prt_host_kernel kernel_log_loss_bwd_f32_ij_i_i_i32i_i32j_i;
prt_host_kernel kernel_reduce_f32_ij_to_j_accumulate;
prt_host_kernel kernel_relu_bwd_f32;
prt_host_kernel kernel_copy_f32_accumulate;
prt_host_kernel kernel_copy_f32_s_accumulate;
prt_host_kernel kernel_rate_f32_s;
prt_host_kernel kernel_correction_f32_s;
prt_host_kernel kernel_increment_f32_s_in_place_a;
prt_host_kernel kernel_ema_f32_in_place_a;
prt_host_kernel kernel_ema_square_f32_in_place_a;
prt_host_kernel kernel_adamw_f32_i_i_i_s_s_s_in_place_a;

/* Axes of the mesh, the first outermost. */
enum { AXIS_data };

/* Parameters, rows of tensors[]. */
enum {
    TENSOR_first_weight,
    TENSOR_first_bias,
    TENSOR_block_fc_weight,
    TENSOR_block_fc_bias,
    TENSOR_last_weight,
    TENSOR_last_bias,
};

/* Inputs, rows of inputs[]. */
enum { INPUT_pixels, INPUT_classes };

/* Units of parameters that lie together, rows of units[]. */
enum { UNIT_outside, UNIT_block };

/* Where elements are, rows of layouts[]. */
enum {
    LAYOUT_outside,
    LAYOUT_block,
    LAYOUT_512_over_micro_data_by_784,
    LAYOUT_512_over_micro_data,
    LAYOUT_block_over_data,
    LAYOUT_outside_over_data,
    LAYOUT_scalar,
    LAYOUT_1_by_784,
};

/* Gradients that updates use, rows of gradients[]. */
enum { GRADIENT_outside, GRADIENT_block };

/* Ranks that communicate, rows of groups[]. */
enum { GROUP_data };

/* Communications, rows of calls[]. */
enum {
    CALL_reduce_scatter_contribution_block,
    CALL_reduce_scatter_contribution_outside,
    CALL_all_reduce_loss_sum,
    CALL_all_gather_parameter_shard_outside,
    CALL_all_gather_parameter_shard_block,
    CALL_eval_all_reduce_loss_sum,
};

/* Kernels, rows of kernels[]. */
enum {
    KERNEL_fill_f32_to_s,
    KERNEL_fill_f32,
    KERNEL_add_f32_ij_j,
    KERNEL_relu_f32,
    KERNEL_add_f32_overlap,
    KERNEL_iota_i32,
    KERNEL_row_max_f32_ij_to_i,
    KERNEL_exp_sum_f32_ij_i_to_i,
    KERNEL_pick_f32_ij_i32i_i32j_to_i,
    KERNEL_log_loss_f32,
    KERNEL_reduce_f32_i_to_s,
    KERNEL_scale_f32_s_in_place_a,
    KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i,
    KERNEL_reduce_f32_ij_to_j_accumulate,
    KERNEL_relu_bwd_f32,
    KERNEL_copy_f32_accumulate,
    KERNEL_copy_f32_s_accumulate,
    KERNEL_rate_f32_s,
    KERNEL_correction_f32_s,
    KERNEL_increment_f32_s_in_place_a,
    KERNEL_ema_f32_in_place_a,
    KERNEL_ema_square_f32_in_place_a,
    KERNEL_adamw_f32_i_i_i_s_s_s_in_place_a,
};

/* What messages say is being done, rows of sources[]. */
enum {
    NO_LINE_images,
    LINE_21_computing_in_init,
    LINE_8_init,
    LINE_10_init,
    LINE_20_computing_in_step,
    LINE_13_computing_in_step,
    LINE_5_read_pixels,
    LINE_6_read_classes,
    LINE_8_computing_in_step,
    LINE_10_computing_in_step,
    LINE_12_computing_in_step,
    LINE_20_reduce_scatter_contribution_block_over_data,
    LINE_20_reduce_scatter_contribution_outside_over_data,
    LINE_20_all_reduce_loss_sum_over_data,
    LINE_13_output_loss,
    LINE_21_computing_in_step,
    LINE_21_output_learning_rate,
    LINE_20_slice_parameters_outside_over_data,
    LINE_20_all_gather_parameter_shard_outside_over_data,
    LINE_20_slice_parameters_block_over_data,
    LINE_20_all_gather_parameter_shard_block_over_data,
    LINE_13_computing_in_eval,
    LINE_8_computing_in_eval,
    LINE_10_computing_in_eval,
    LINE_12_computing_in_eval,
    LINE_20_all_reduce_eval_loss_sum_over_data,
    LINE_8_computing_in_predict,
    LINE_10_computing_in_predict,
    LINE_12_computing_in_predict,
    LINE_13_output_logits,
};

/* Where a parameter is in its unit, in elements. */
#define OFFSET_first_weight 0
#define OFFSET_first_bias 802816
#define OFFSET_last_weight 803840
#define OFFSET_last_bias 814080
#define OFFSET_block_fc_weight 0
#define OFFSET_block_fc_bias 1048576

/* Where a buffer is in the arena of its tier, in bytes. Buffers that are not in use at the same time share memory. */
#define ARENA_parameters_outside 0
#define ARENA_gradients_outside 59347136
#define ARENA_contribution_outside 54451648
#define ARENA_adam_m_outside 3256576
#define ARENA_adam_v_outside 3663680
#define ARENA_parameters_block 4070784
#define ARENA_gradients_block 46054848
#define ARENA_contribution_block 50253248
#define ARENA_adam_m_block 37657984
#define ARENA_adam_v_block 41856384
#define ARENA_step 46054784
#define ARENA_loss_sum 59935488
#define ARENA_pixels 59885312
#define ARENA_classes 50318784
#define ARENA_first_product 50253248
#define ARENA_first 59754240
#define ARENA_x 57708224
#define ARENA_block_fc_product 50253248
#define ARENA_block_fc 58822848
#define ARENA_block_x 50253248
#define ARENA_last_product 50253248
#define ARENA_last 50253888
#define ARENA_class_positions 50254528
#define ARENA_loss_terms_largest 50254592
#define ARENA_loss_terms_exp_sum 50254656
#define ARENA_loss_terms_target_logit 50253248
#define ARENA_loss_terms 50253312
#define ARENA_loss 59935552
#define ARENA_d_loss_terms 50254720
#define ARENA_d_last 50253248
#define ARENA_d_x 59819776
#define ARENA_d_block_fc 58298048
#define ARENA_contribution_shard_block 58298048
#define ARENA_d_first 50253248
#define ARENA_contribution_shard_outside 50253248
#define ARENA_rate 50778048
#define ARENA_correction1 50778112
#define ARENA_correction2 50778176
#define ARENA_parameter_shard_outside 50253248
#define ARENA_parameter_shard_block 50253248
#define ARENA_eval_loss_sum 46775744
#define ARENA_eval_pixels 46120384
#define ARENA_eval_classes 46775808
#define ARENA_eval_first_product 46054848
#define ARENA_eval_first 46644672
#define ARENA_eval_x 46054848
#define ARENA_eval_block_fc_product 46644672
#define ARENA_eval_block_fc 46710208
#define ARENA_eval_block_x 46644672
#define ARENA_eval_last_product 46644672
#define ARENA_eval_last 46054848
#define ARENA_eval_class_positions 46055488
#define ARENA_eval_loss_terms_largest 46055552
#define ARENA_eval_loss_terms_exp_sum 46055616
#define ARENA_eval_loss_terms_target_logit 46055680
#define ARENA_eval_loss_terms 46054848
#define ARENA_eval_loss 46054912
#define ARENA_predict_pixels 46058944
#define ARENA_predict_first_product 46054848
#define ARENA_predict_first 46091712
#define ARENA_predict_x 46054848
#define ARENA_predict_block_fc_product 46091712
#define ARENA_predict_block_fc 46095808
#define ARENA_predict_block_x 46091712
#define ARENA_predict_last_product 46091712
#define ARENA_predict_last 46054848

/* ---- Buffers in the arena ---- */

/* parameters.outside: f32 unit outside, 3.11 MiB */
static inline float *at_parameters_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameters_outside);
}

/* gradients.outside: f32 unit outside / data, 398 KiB */
static inline float *at_gradients_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_gradients_outside);
}

/* contribution.outside: f32 unit outside, 3.11 MiB */
static inline float *at_contribution_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_contribution_outside);
}

/* adam_m.outside: f32 unit outside / data, 398 KiB */
static inline float *at_adam_m_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_adam_m_outside);
}

/* adam_v.outside: f32 unit outside / data, 398 KiB */
static inline float *at_adam_v_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_adam_v_outside);
}

/* parameters.block: f32 unit block, 8 slots, 32.0 MiB */
static inline float *at_parameters_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_block) + slot * 1049600;
}

/* gradients.block: f32 unit block / data, 8 slots, 4.00 MiB */
static inline float *at_gradients_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_gradients_block) + slot * 131200;
}

/* contribution.block: f32 unit block, 4.00 MiB */
static inline float *at_contribution_block(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_contribution_block);
}

/* adam_m.block: f32 unit block / data, 8 slots, 4.00 MiB */
static inline float *at_adam_m_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_adam_m_block) + slot * 131200;
}

/* adam_v.block: f32 unit block / data, 8 slots, 4.00 MiB */
static inline float *at_adam_v_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_adam_v_block) + slot * 131200;
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

/* pixels: f32 [512 / micro / data, 784], 49.0 KiB */
static inline float *at_pixels(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_pixels);
}

/* classes: i32 [512 / micro / data], 64 B */
static inline int32_t *at_classes(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_classes);
}

/* first.product: f32 [512 / micro / data, 1024], 64.0 KiB */
static inline float *at_first_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_first_product);
}

/* first: f32 [512 / micro / data, 1024], 64.0 KiB */
static inline float *at_first(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_first);
}

/* x: f32 [512 / micro / data, 1024], 9 slots, 576 KiB */
static inline float *at_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_x) + slot * 16384;
}

/* block.fc.product: f32 [512 / micro / data, 1024], 64.0 KiB */
static inline float *at_block_fc_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_fc_product);
}

/* block.fc: f32 [512 / micro / data, 1024], 8 slots, 512 KiB */
static inline float *at_block_fc(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_fc) + slot * 16384;
}

/* block.x: f32 [512 / micro / data, 1024], 64.0 KiB */
static inline float *at_block_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_x);
}

/* last.product: f32 [512 / micro / data, 10], 640 B */
static inline float *at_last_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_last_product);
}

/* last: f32 [512 / micro / data, 10], 640 B */
static inline float *at_last(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_last);
}

/* class_positions: i32 [10], 40 B */
static inline int32_t *at_class_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_class_positions);
}

/* loss.terms.largest: f32 [512 / micro / data], 64 B */
static inline float *at_loss_terms_largest(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_largest);
}

/* loss.terms.exp_sum: f32 [512 / micro / data], 64 B */
static inline float *at_loss_terms_exp_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_exp_sum);
}

/* loss.terms.target_logit: f32 [512 / micro / data], 64 B */
static inline float *at_loss_terms_target_logit(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_target_logit);
}

/* loss.terms: f32 [512 / micro / data], 64 B */
static inline float *at_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms);
}

/* loss: f32 [], 4 B */
static inline float *at_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss);
}

/* d_loss.terms: f32 [512 / micro / data], 64 B */
static inline float *at_d_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_loss_terms);
}

/* d_last: f32 [512 / micro / data, 10], 640 B */
static inline float *at_d_last(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_last);
}

/* d_x: f32 [512 / micro / data, 1024], 64.0 KiB */
static inline float *at_d_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x);
}

/* d_block.fc: f32 [512 / micro / data, 1024], 64.0 KiB */
static inline float *at_d_block_fc(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_fc);
}

/* contribution_shard.block: f32 unit block / data, 512 KiB */
static inline float *at_contribution_shard_block(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_contribution_shard_block);
}

/* d_first: f32 [512 / micro / data, 1024], 64.0 KiB */
static inline float *at_d_first(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_first);
}

/* contribution_shard.outside: f32 unit outside / data, 398 KiB */
static inline float *at_contribution_shard_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_contribution_shard_outside);
}

/* rate: f32 [], 4 B */
static inline float *at_rate(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_rate);
}

/* correction1: f32 [], 4 B */
static inline float *at_correction1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_correction1);
}

/* correction2: f32 [], 4 B */
static inline float *at_correction2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_correction2);
}

/* parameter_shard.outside: f32 unit outside / data, 398 KiB */
static inline float *at_parameter_shard_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameter_shard_outside);
}

/* parameter_shard.block: f32 unit block / data, 512 KiB */
static inline float *at_parameter_shard_block(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameter_shard_block);
}

/* eval.loss.sum: f32 [], 4 B */
static inline float *at_eval_loss_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_sum);
}

/* eval.pixels: f32 [512 / micro / data, 784], 49.0 KiB */
static inline float *at_eval_pixels(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_pixels);
}

/* eval.classes: i32 [512 / micro / data], 64 B */
static inline int32_t *at_eval_classes(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_classes);
}

/* eval.first.product: f32 [512 / micro / data, 1024], 64.0 KiB */
static inline float *at_eval_first_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_first_product);
}

/* eval.first: f32 [512 / micro / data, 1024], 64.0 KiB */
static inline float *at_eval_first(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_first);
}

/* eval.x: f32 [512 / micro / data, 1024], 9 slots, 576 KiB */
static inline float *at_eval_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_eval_x) + slot * 16384;
}

/* eval.block.fc.product: f32 [512 / micro / data, 1024], 64.0 KiB */
static inline float *at_eval_block_fc_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_fc_product);
}

/* eval.block.fc: f32 [512 / micro / data, 1024], 64.0 KiB */
static inline float *at_eval_block_fc(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_fc);
}

/* eval.block.x: f32 [512 / micro / data, 1024], 64.0 KiB */
static inline float *at_eval_block_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_x);
}

/* eval.last.product: f32 [512 / micro / data, 10], 640 B */
static inline float *at_eval_last_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_last_product);
}

/* eval.last: f32 [512 / micro / data, 10], 640 B */
static inline float *at_eval_last(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_last);
}

/* eval.class_positions: i32 [10], 40 B */
static inline int32_t *at_eval_class_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_class_positions);
}

/* eval.loss.terms.largest: f32 [512 / micro / data], 64 B */
static inline float *at_eval_loss_terms_largest(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_largest);
}

/* eval.loss.terms.exp_sum: f32 [512 / micro / data], 64 B */
static inline float *at_eval_loss_terms_exp_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_exp_sum);
}

/* eval.loss.terms.target_logit: f32 [512 / micro / data], 64 B */
static inline float *at_eval_loss_terms_target_logit(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_target_logit);
}

/* eval.loss.terms: f32 [512 / micro / data], 64 B */
static inline float *at_eval_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms);
}

/* eval.loss: f32 [], 4 B */
static inline float *at_eval_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss);
}

/* predict.pixels: f32 [1, 784], 3.06 KiB */
static inline float *at_predict_pixels(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_pixels);
}

/* predict.first.product: f32 [1, 1024], 4.00 KiB */
static inline float *at_predict_first_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_first_product);
}

/* predict.first: f32 [1, 1024], 4.00 KiB */
static inline float *at_predict_first(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_first);
}

/* predict.x: f32 [1, 1024], 9 slots, 36.0 KiB */
static inline float *at_predict_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_predict_x) + slot * 1024;
}

/* predict.block.fc.product: f32 [1, 1024], 4.00 KiB */
static inline float *at_predict_block_fc_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_fc_product);
}

/* predict.block.fc: f32 [1, 1024], 4.00 KiB */
static inline float *at_predict_block_fc(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_fc);
}

/* predict.block.x: f32 [1, 1024], 4.00 KiB */
static inline float *at_predict_block_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_x);
}

/* predict.last.product: f32 [1, 10], 40 B */
static inline float *at_predict_last_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_last_product);
}

/* predict.last: f32 [1, 10], 40 B */
static inline float *at_predict_last(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_last);
}

/* ---- Routines ---- */

/* Before the first step: every state gets its initial value. */
static void init(prt_context *ctx)
{
    /* examples/images.place:21: fill: 4 B */
    ctx->at = LINE_21_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_step(ctx)}, .numbers = {0}});
    /* examples/images.place:8: init: 3.11 MiB */
    ctx->at = LINE_8_init;
    prt_init(ctx, -1, LAYOUT_outside, 0, 1, PRT_F32, at_parameters_outside(ctx));
    /* examples/images.place:21: fill: 398 KiB */
    ctx->at = LINE_21_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_adam_m_outside(ctx)},
        .extents = {101768},
        .numbers = {0},
    });
    /* examples/images.place:21: fill: 398 KiB */
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_adam_v_outside(ctx)},
        .extents = {101768},
        .numbers = {0},
    });
    for (int64_t layer = 0; layer < 8; layer++) {
        /* examples/images.place:10: init: 4.00 MiB */
        ctx->at = LINE_10_init;
        prt_init(ctx, -1, LAYOUT_block, layer, 1, PRT_F32, at_parameters_block(ctx, layer));
        /* examples/images.place:21: fill: 512 KiB */
        ctx->at = LINE_21_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_adam_m_block(ctx, layer)},
            .extents = {131200},
            .numbers = {0},
        });
        /* examples/images.place:21: fill: 512 KiB */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_adam_v_block(ctx, layer)},
            .extents = {131200},
            .numbers = {0},
        });
    }
}

/* One training step. */
static void step(prt_context *ctx)
{
    /* examples/images.place:20: fill: 398 KiB */
    ctx->at = LINE_20_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_gradients_outside(ctx)},
        .extents = {101768},
        .numbers = {0},
    });
    for (int64_t layer = 0; layer < 8; layer++) {
        /* examples/images.place:20: fill: 512 KiB */
        ctx->at = LINE_20_computing_in_step;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_gradients_block(ctx, layer)},
            .extents = {131200},
            .numbers = {0},
        });
    }
    /* examples/images.place:13: fill: 4 B */
    ctx->at = LINE_13_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 4; micro++) {
        /* examples/images.place:5: read pixels: 49.0 KiB */
        ctx->at = LINE_5_read_pixels;
        prt_read(ctx, INPUT_pixels, LAYOUT_512_over_micro_data_by_784, micro, at_pixels(ctx));
        /* examples/images.place:6: read classes: 64 B */
        ctx->at = LINE_6_read_classes;
        prt_read(ctx, INPUT_classes, LAYOUT_512_over_micro_data, micro, at_classes(ctx));
        /* examples/images.place:8: einsum "bh,oh->bo": 3.17 MiB, 25.7 Mflop */
        ctx->at = LINE_8_computing_in_step;
        const prt_gemm_shape gemm1 = {
            .m = 16, .n = 1024, .k = 784,
            .a_row = 784, .a_column = 1,
            .b_row = 1, .b_column = 784,
            .c_row = 1024, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm1, at_pixels(ctx), at_parameters_outside(ctx) + OFFSET_first_weight, 0,
                 at_first_product(ctx));
        /* examples/images.place:8: add "bo,o->bo": 132 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_first(ctx), at_first_product(ctx), at_parameters_outside(ctx) + OFFSET_first_bias},
            .extents = {16, 1024},
        });
        /* examples/images.place:8: relu "ab->ab": 128 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_x(ctx, 0), at_first(ctx)},
            .extents = {16384},
        });
        for (int64_t layer = 0; layer < 8; layer++) {
            /* examples/images.place:10: einsum "bh,oh->bo": 4.12 MiB, 33.6 Mflop */
            ctx->at = LINE_10_computing_in_step;
            const prt_gemm_shape gemm2 = {
                .m = 16, .n = 1024, .k = 1024,
                .a_row = 1024, .a_column = 1,
                .b_row = 1, .b_column = 1024,
                .c_row = 1024, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm2, at_x(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_fc_weight, 0, at_block_fc_product(ctx));
            /* examples/images.place:10: add "bo,o->bo": 132 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_fc(ctx, layer), at_block_fc_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_fc_bias},
                .extents = {16, 1024},
            });
            /* examples/images.place:10: relu "ab->ab": 128 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
                .arrays = {at_block_x(ctx), at_block_fc(ctx, layer)},
                .extents = {16384},
            });
            /* examples/images.place:10: add "ab,ab->ab": 192 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32_overlap, 0, &(prt_arguments){
                .arrays = {at_x(ctx, layer + 1), at_x(ctx, layer), at_block_x(ctx)},
                .extents = {16384},
            });
        }
        /* examples/images.place:12: einsum "bh,oh->bo": 105 KiB, 328 kflop */
        ctx->at = LINE_12_computing_in_step;
        const prt_gemm_shape gemm3 = {
            .m = 16, .n = 10, .k = 1024,
            .a_row = 1024, .a_column = 1,
            .b_row = 1, .b_column = 1024,
            .c_row = 10, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm3, at_x(ctx, 8), at_parameters_outside(ctx) + OFFSET_last_weight, 0,
                 at_last_product(ctx));
        /* examples/images.place:12: add "bo,o->bo": 1.29 KiB, 160 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_last(ctx), at_last_product(ctx), at_parameters_outside(ctx) + OFFSET_last_bias},
            .extents = {16, 10},
        });
        /* examples/images.place:13: iota: 40 B */
        ctx->at = LINE_13_computing_in_step;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_class_positions(ctx)},
            .extents = {10},
            .numbers = {0},
        });
        /* examples/images.place:13: row_max "bv->b": 704 B, 160 flop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_largest(ctx), at_last(ctx)},
            .extents = {16, 10},
        });
        /* examples/images.place:13: exp_sum "bv,b->b": 768 B, 640 flop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_exp_sum(ctx), at_last(ctx), at_loss_terms_largest(ctx)},
            .extents = {16, 10},
        });
        /* examples/images.place:13: pick "bv,b,v->b": 808 B, 160 flop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_target_logit(ctx), at_last(ctx), at_classes(ctx), at_class_positions(ctx)},
            .extents = {16, 10},
        });
        /* examples/images.place:13: log_loss "b,b,b->b": 256 B, 96 flop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_loss_terms(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_loss_terms_target_logit(ctx)},
            .extents = {16},
        });
        /* examples/images.place:13: reduce "a->": 68 B, 16 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_loss(ctx), at_loss_terms(ctx)},
            .extents = {16},
        });
        /* examples/images.place:13: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_loss(ctx)},
            .numbers = {1.0 / 512},
        });
        /* examples/images.place:13: fill "a": 64 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_d_loss_terms(ctx)},
            .extents = {16},
            .numbers = {0.001953125},
        });
        /* examples/images.place:13: log_loss_bwd "bv,b,b,b,v,b->bv": 1.54 KiB, 1.12 kflop */
        prt_launch(ctx, KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i, 0, &(prt_arguments){
            .arrays = {at_d_last(ctx), at_last(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_classes(ctx), at_class_positions(ctx), at_d_loss_terms(ctx)},
            .extents = {16, 10},
        });
        /* examples/images.place:20: fill: 3.11 MiB */
        ctx->at = LINE_20_computing_in_step;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx)},
            .extents = {814144},
            .numbers = {0},
        });
        /* examples/images.place:12: reduce "bo->o": 720 B, 160 flop */
        ctx->at = LINE_12_computing_in_step;
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_last_bias, at_d_last(ctx)},
            .extents = {16, 10},
        });
        /* examples/images.place:12: einsum "bo,oh->bh": 105 KiB, 328 kflop */
        const prt_gemm_shape gemm4 = {
            .m = 16, .n = 1024, .k = 10,
            .a_row = 10, .a_column = 1,
            .b_row = 1024, .b_column = 1,
            .c_row = 1024, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm4, at_d_last(ctx), at_parameters_outside(ctx) + OFFSET_last_weight, 0,
                 at_d_x(ctx));
        /* examples/images.place:12: einsum "bo,bh->oh": 145 KiB, 328 kflop */
        const prt_gemm_shape gemm5 = {
            .m = 10, .n = 1024, .k = 16,
            .a_row = 1, .a_column = 10,
            .b_row = 1024, .b_column = 1,
            .c_row = 1024, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm5, at_d_last(ctx), at_x(ctx, 8), 1,
                 at_contribution_outside(ctx) + OFFSET_last_weight);
        for (int64_t layer = 7; layer >= 0; layer--) {
            /* examples/images.place:10: relu_bwd "ab,ab->ab": 192 KiB, 16.4 kflop */
            ctx->at = LINE_10_computing_in_step;
            prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_block_fc(ctx), at_block_fc(ctx, layer), at_d_x(ctx)},
                .extents = {16384},
            });
            /* examples/images.place:20: fill: 4.00 MiB */
            ctx->at = LINE_20_computing_in_step;
            prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx)},
                .extents = {1049600},
                .numbers = {0},
            });
            /* examples/images.place:10: reduce "bo->o": 72.0 KiB, 16.4 kflop */
            ctx->at = LINE_10_computing_in_step;
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_fc_bias, at_d_block_fc(ctx)},
                .extents = {16, 1024},
            });
            /* examples/images.place:10: einsum "bo,oh->bh": 4.19 MiB, 33.6 Mflop */
            const prt_gemm_shape gemm6 = {
                .m = 16, .n = 1024, .k = 1024,
                .a_row = 1024, .a_column = 1,
                .b_row = 1024, .b_column = 1,
                .c_row = 1024, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm6, at_d_block_fc(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_fc_weight, 1, at_d_x(ctx));
            /* examples/images.place:10: einsum "bo,bh->oh": 8.12 MiB, 33.6 Mflop */
            const prt_gemm_shape gemm7 = {
                .m = 1024, .n = 1024, .k = 16,
                .a_row = 1, .a_column = 1024,
                .b_row = 1024, .b_column = 1,
                .c_row = 1024, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm7, at_d_block_fc(ctx), at_x(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_fc_weight);
            /* examples/images.place:20: reduce_scatter contribution.block over data: payload 4.00 MiB */
            ctx->at = LINE_20_reduce_scatter_contribution_block_over_data;
            prt_reduce_scatter(ctx, CALL_reduce_scatter_contribution_block, 0, at_contribution_shard_block(ctx),
                               at_contribution_block(ctx));
            /* examples/images.place:20: add to gradients.block: 1.50 MiB */
            ctx->at = LINE_20_computing_in_step;
            prt_launch(ctx, KERNEL_copy_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_block(ctx, layer), at_contribution_shard_block(ctx)},
                .extents = {131200},
            });
        }
        /* examples/images.place:8: relu_bwd "ab,ab->ab": 192 KiB, 16.4 kflop */
        ctx->at = LINE_8_computing_in_step;
        prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_first(ctx), at_first(ctx), at_d_x(ctx)},
            .extents = {16384},
        });
        /* examples/images.place:8: reduce "bo->o": 72.0 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_first_bias, at_d_first(ctx)},
            .extents = {16, 1024},
        });
        /* examples/images.place:8: einsum "bo,bh->oh": 6.24 MiB, 25.7 Mflop */
        const prt_gemm_shape gemm8 = {
            .m = 1024, .n = 784, .k = 16,
            .a_row = 1, .a_column = 1024,
            .b_row = 784, .b_column = 1,
            .c_row = 784, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm8, at_d_first(ctx), at_pixels(ctx), 1,
                 at_contribution_outside(ctx) + OFFSET_first_weight);
        /* examples/images.place:20: reduce_scatter contribution.outside over data: payload 3.11 MiB */
        ctx->at = LINE_20_reduce_scatter_contribution_outside_over_data;
        prt_reduce_scatter(ctx, CALL_reduce_scatter_contribution_outside, 0, at_contribution_shard_outside(ctx),
                           at_contribution_outside(ctx));
        /* examples/images.place:20: add to gradients.outside: 1.16 MiB */
        ctx->at = LINE_20_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx), at_contribution_shard_outside(ctx)},
            .extents = {101768},
        });
        /* examples/images.place:13: add to loss.sum "->": 12 B */
        ctx->at = LINE_13_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx), at_loss(ctx)}});
    }
    /* examples/images.place:20: all_reduce loss.sum over data: payload 4 B */
    ctx->at = LINE_20_all_reduce_loss_sum_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_loss_sum, at_loss_sum(ctx), at_loss_sum(ctx), 1);
    /* examples/images.place:13: output loss: 4 B */
    ctx->at = LINE_13_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_loss_sum(ctx), 1);
    /* examples/images.place:21: rate "->": 8 B, 8 flop */
    ctx->at = LINE_21_computing_in_step;
    prt_launch(ctx, KERNEL_rate_f32_s, 0, &(prt_arguments){
        .arrays = {at_rate(ctx), at_step(ctx)},
        .numbers = {0.001, 0, 0, 1},
    });
    /* examples/images.place:21: output learning_rate: 4 B */
    ctx->at = LINE_21_output_learning_rate;
    prt_output(ctx, "learning_rate", PRT_F32, at_rate(ctx), 1);
    /* examples/images.place:21: correction "->": 8 B, 4 flop */
    ctx->at = LINE_21_computing_in_step;
    prt_launch(ctx, KERNEL_correction_f32_s, 0, &(prt_arguments){
        .arrays = {at_correction1(ctx), at_step(ctx)},
        .numbers = {0.9},
    });
    /* examples/images.place:21: correction "->": 8 B, 4 flop */
    prt_launch(ctx, KERNEL_correction_f32_s, 0, &(prt_arguments){
        .arrays = {at_correction2(ctx), at_step(ctx)},
        .numbers = {0.999},
    });
    /* examples/images.place:21: increment "->": 8 B, 1 flop */
    prt_launch(ctx, KERNEL_increment_f32_s_in_place_a, 0, &(prt_arguments){.arrays = {at_step(ctx)}});
    /* examples/images.place:21: ema: 1.16 MiB, 305 kflop */
    if (ctx->saving_gradients)
        prt_save_gradient(ctx, GRADIENT_outside, 0, at_gradients_outside(ctx));
    prt_launch(ctx, KERNEL_ema_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_adam_m_outside(ctx), at_gradients_outside(ctx)},
        .extents = {101768},
        .numbers = {0.9},
    });
    /* examples/images.place:21: ema_square: 1.16 MiB, 407 kflop */
    prt_launch(ctx, KERNEL_ema_square_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_adam_v_outside(ctx), at_gradients_outside(ctx)},
        .extents = {101768},
        .numbers = {0.999},
    });
    /* examples/images.place:20: slice parameters.outside over data: 3.49 MiB */
    ctx->at = LINE_20_slice_parameters_outside_over_data;
    prt_slice(ctx, PRT_F32, LAYOUT_outside, LAYOUT_outside_over_data, 0, at_parameter_shard_outside(ctx),
              at_parameters_outside(ctx));
    /* examples/images.place:21: adamw: 1.55 MiB, 916 kflop */
    ctx->at = LINE_21_computing_in_step;
    prt_launch(ctx, KERNEL_adamw_f32_i_i_i_s_s_s_in_place_a, 0, &(prt_arguments){
        .arrays = {at_parameter_shard_outside(ctx), at_adam_m_outside(ctx), at_adam_v_outside(ctx), at_rate(ctx),
                   at_correction1(ctx), at_correction2(ctx)},
        .extents = {101768},
        .numbers = {1e-08, 0},
    });
    /* examples/images.place:20: all_gather parameter_shard.outside over data: payload 3.11 MiB */
    ctx->at = LINE_20_all_gather_parameter_shard_outside_over_data;
    prt_all_gather(ctx, CALL_all_gather_parameter_shard_outside, 0, at_parameters_outside(ctx),
                   at_parameter_shard_outside(ctx));
    for (int64_t layer = 0; layer < 8; layer++) {
        /* examples/images.place:21: ema: 1.50 MiB, 394 kflop */
        ctx->at = LINE_21_computing_in_step;
        if (ctx->saving_gradients)
            prt_save_gradient(ctx, GRADIENT_block, layer, at_gradients_block(ctx, layer));
        prt_launch(ctx, KERNEL_ema_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_adam_m_block(ctx, layer), at_gradients_block(ctx, layer)},
            .extents = {131200},
            .numbers = {0.9},
        });
        /* examples/images.place:21: ema_square: 1.50 MiB, 525 kflop */
        prt_launch(ctx, KERNEL_ema_square_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_adam_v_block(ctx, layer), at_gradients_block(ctx, layer)},
            .extents = {131200},
            .numbers = {0.999},
        });
        /* examples/images.place:20: slice parameters.block over data: 4.50 MiB */
        ctx->at = LINE_20_slice_parameters_block_over_data;
        prt_slice(ctx, PRT_F32, LAYOUT_block, LAYOUT_block_over_data, 0, at_parameter_shard_block(ctx),
                  at_parameters_block(ctx, layer));
        /* examples/images.place:21: adamw: 2.00 MiB, 1.18 Mflop */
        ctx->at = LINE_21_computing_in_step;
        prt_launch(ctx, KERNEL_adamw_f32_i_i_i_s_s_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_parameter_shard_block(ctx), at_adam_m_block(ctx, layer), at_adam_v_block(ctx, layer),
                       at_rate(ctx), at_correction1(ctx), at_correction2(ctx)},
            .extents = {131200},
            .numbers = {1e-08, 0},
        });
        /* examples/images.place:20: all_gather parameter_shard.block over data: payload 4.00 MiB */
        ctx->at = LINE_20_all_gather_parameter_shard_block_over_data;
        prt_all_gather(ctx, CALL_all_gather_parameter_shard_block, 0, at_parameters_block(ctx, layer),
                       at_parameter_shard_block(ctx));
    }
}

/* The loss on examples that are held out. */
static void eval(prt_context *ctx)
{
    /* examples/images.place:13: fill: 4 B */
    ctx->at = LINE_13_computing_in_eval;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_eval_loss_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 4; micro++) {
        /* examples/images.place:5: read pixels: 49.0 KiB */
        ctx->at = LINE_5_read_pixels;
        prt_read(ctx, INPUT_pixels, LAYOUT_512_over_micro_data_by_784, micro, at_eval_pixels(ctx));
        /* examples/images.place:6: read classes: 64 B */
        ctx->at = LINE_6_read_classes;
        prt_read(ctx, INPUT_classes, LAYOUT_512_over_micro_data, micro, at_eval_classes(ctx));
        /* examples/images.place:8: einsum "bh,oh->bo": 3.17 MiB, 25.7 Mflop */
        ctx->at = LINE_8_computing_in_eval;
        const prt_gemm_shape gemm9 = {
            .m = 16, .n = 1024, .k = 784,
            .a_row = 784, .a_column = 1,
            .b_row = 1, .b_column = 784,
            .c_row = 1024, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm9, at_eval_pixels(ctx), at_parameters_outside(ctx) + OFFSET_first_weight, 0,
                 at_eval_first_product(ctx));
        /* examples/images.place:8: add "bo,o->bo": 132 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_eval_first(ctx), at_eval_first_product(ctx), at_parameters_outside(ctx) + OFFSET_first_bias},
            .extents = {16, 1024},
        });
        /* examples/images.place:8: relu "ab->ab": 128 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_eval_x(ctx, 0), at_eval_first(ctx)},
            .extents = {16384},
        });
        for (int64_t layer = 0; layer < 8; layer++) {
            /* examples/images.place:10: einsum "bh,oh->bo": 4.12 MiB, 33.6 Mflop */
            ctx->at = LINE_10_computing_in_eval;
            const prt_gemm_shape gemm10 = {
                .m = 16, .n = 1024, .k = 1024,
                .a_row = 1024, .a_column = 1,
                .b_row = 1, .b_column = 1024,
                .c_row = 1024, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm10, at_eval_x(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_fc_weight, 0, at_eval_block_fc_product(ctx));
            /* examples/images.place:10: add "bo,o->bo": 132 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_fc(ctx), at_eval_block_fc_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_fc_bias},
                .extents = {16, 1024},
            });
            /* examples/images.place:10: relu "ab->ab": 128 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
                .arrays = {at_eval_block_x(ctx), at_eval_block_fc(ctx)},
                .extents = {16384},
            });
            /* examples/images.place:10: add "ab,ab->ab": 192 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32_overlap, 0, &(prt_arguments){
                .arrays = {at_eval_x(ctx, layer + 1), at_eval_x(ctx, layer), at_eval_block_x(ctx)},
                .extents = {16384},
            });
        }
        /* examples/images.place:12: einsum "bh,oh->bo": 105 KiB, 328 kflop */
        ctx->at = LINE_12_computing_in_eval;
        const prt_gemm_shape gemm11 = {
            .m = 16, .n = 10, .k = 1024,
            .a_row = 1024, .a_column = 1,
            .b_row = 1, .b_column = 1024,
            .c_row = 10, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm11, at_eval_x(ctx, 8), at_parameters_outside(ctx) + OFFSET_last_weight, 0,
                 at_eval_last_product(ctx));
        /* examples/images.place:12: add "bo,o->bo": 1.29 KiB, 160 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_eval_last(ctx), at_eval_last_product(ctx), at_parameters_outside(ctx) + OFFSET_last_bias},
            .extents = {16, 10},
        });
        /* examples/images.place:13: iota: 40 B */
        ctx->at = LINE_13_computing_in_eval;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_class_positions(ctx)},
            .extents = {10},
            .numbers = {0},
        });
        /* examples/images.place:13: row_max "bv->b": 704 B, 160 flop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_largest(ctx), at_eval_last(ctx)},
            .extents = {16, 10},
        });
        /* examples/images.place:13: exp_sum "bv,b->b": 768 B, 640 flop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_exp_sum(ctx), at_eval_last(ctx), at_eval_loss_terms_largest(ctx)},
            .extents = {16, 10},
        });
        /* examples/images.place:13: pick "bv,b,v->b": 808 B, 160 flop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_target_logit(ctx), at_eval_last(ctx), at_eval_classes(ctx),
                       at_eval_class_positions(ctx)},
            .extents = {16, 10},
        });
        /* examples/images.place:13: log_loss "b,b,b->b": 256 B, 96 flop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms(ctx), at_eval_loss_terms_largest(ctx), at_eval_loss_terms_exp_sum(ctx),
                       at_eval_loss_terms_target_logit(ctx)},
            .extents = {16},
        });
        /* examples/images.place:13: reduce "a->": 68 B, 16 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx), at_eval_loss_terms(ctx)},
            .extents = {16},
        });
        /* examples/images.place:13: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx)},
            .numbers = {1.0 / 512},
        });
        /* examples/images.place:13: add to eval.loss.sum "->": 12 B */
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_eval_loss_sum(ctx), at_eval_loss(ctx)},
        });
    }
    /* examples/images.place:20: all_reduce eval.loss.sum over data: payload 4 B */
    ctx->at = LINE_20_all_reduce_eval_loss_sum_over_data;
    prt_all_reduce(ctx, CALL_eval_all_reduce_loss_sum, at_eval_loss_sum(ctx), at_eval_loss_sum(ctx), 1);
    /* examples/images.place:13: output loss: 4 B */
    ctx->at = LINE_13_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_eval_loss_sum(ctx), 1);
}

/* The model's output on the text so far. */
static void predict(prt_context *ctx)
{
    /* examples/images.place:5: read pixels: 3.06 KiB */
    ctx->at = LINE_5_read_pixels;
    prt_read(ctx, INPUT_pixels, LAYOUT_1_by_784, 0, at_predict_pixels(ctx));
    /* examples/images.place:8: einsum "bh,oh->bo": 3.07 MiB, 1.61 Mflop */
    ctx->at = LINE_8_computing_in_predict;
    const prt_gemm_shape gemm12 = {
        .m = 1, .n = 1024, .k = 784,
        .a_row = 784, .a_column = 1,
        .b_row = 1, .b_column = 784,
        .c_row = 1024, .c_column = 1,
    };
    prt_gemm(ctx, 0, PRT_F32, &gemm12, at_predict_pixels(ctx), at_parameters_outside(ctx) + OFFSET_first_weight, 0,
             at_predict_first_product(ctx));
    /* examples/images.place:8: add "bo,o->bo": 12.0 KiB, 1.02 kflop */
    prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
        .arrays = {at_predict_first(ctx), at_predict_first_product(ctx),
                   at_parameters_outside(ctx) + OFFSET_first_bias},
        .extents = {1, 1024},
    });
    /* examples/images.place:8: relu "ab->ab": 8.00 KiB, 1.02 kflop */
    prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
        .arrays = {at_predict_x(ctx, 0), at_predict_first(ctx)},
        .extents = {1024},
    });
    for (int64_t layer = 0; layer < 8; layer++) {
        /* examples/images.place:10: einsum "bh,oh->bo": 4.01 MiB, 2.1 Mflop */
        ctx->at = LINE_10_computing_in_predict;
        const prt_gemm_shape gemm13 = {
            .m = 1, .n = 1024, .k = 1024,
            .a_row = 1024, .a_column = 1,
            .b_row = 1, .b_column = 1024,
            .c_row = 1024, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm13, at_predict_x(ctx, layer),
                 at_parameters_block(ctx, layer) + OFFSET_block_fc_weight, 0, at_predict_block_fc_product(ctx));
        /* examples/images.place:10: add "bo,o->bo": 12.0 KiB, 1.02 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_fc(ctx), at_predict_block_fc_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_fc_bias},
            .extents = {1, 1024},
        });
        /* examples/images.place:10: relu "ab->ab": 8.00 KiB, 1.02 kflop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_predict_block_x(ctx), at_predict_block_fc(ctx)},
            .extents = {1024},
        });
        /* examples/images.place:10: add "ab,ab->ab": 12.0 KiB, 1.02 kflop */
        prt_launch(ctx, KERNEL_add_f32_overlap, 0, &(prt_arguments){
            .arrays = {at_predict_x(ctx, layer + 1), at_predict_x(ctx, layer), at_predict_block_x(ctx)},
            .extents = {1024},
        });
    }
    /* examples/images.place:12: einsum "bh,oh->bo": 44.0 KiB, 20.5 kflop */
    ctx->at = LINE_12_computing_in_predict;
    const prt_gemm_shape gemm14 = {
        .m = 1, .n = 10, .k = 1024,
        .a_row = 1024, .a_column = 1,
        .b_row = 1, .b_column = 1024,
        .c_row = 10, .c_column = 1,
    };
    prt_gemm(ctx, 0, PRT_F32, &gemm14, at_predict_x(ctx, 8), at_parameters_outside(ctx) + OFFSET_last_weight, 0,
             at_predict_last_product(ctx));
    /* examples/images.place:12: add "bo,o->bo": 120 B, 10 flop */
    prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
        .arrays = {at_predict_last(ctx), at_predict_last_product(ctx), at_parameters_outside(ctx) + OFFSET_last_bias},
        .extents = {1, 10},
    });
    /* examples/images.place:13: output logits: 40 B */
    ctx->at = LINE_13_output_logits;
    prt_output(ctx, "logits", PRT_F32, at_predict_last(ctx), 10);
}

/* ---- The plan, for the runtime ---- */

/* Rows of a table. */
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static const prt_tensor tensors[] = {
    [TENSOR_first_weight] = {"first.weight", NULL, 1, PRT_F32, 2, {1024, 784}, PRT_NORMAL, 0.03571428571428571},
    [TENSOR_first_bias] = {"first.bias", NULL, 1, PRT_F32, 1, {1024}, PRT_ZEROS, 0},
    [TENSOR_block_fc_weight] = {"block.fc.weight", "block", 8, PRT_F32, 2, {1024, 1024}, PRT_NORMAL, 0.03125},
    [TENSOR_block_fc_bias] = {"block.fc.bias", "block", 8, PRT_F32, 1, {1024}, PRT_ZEROS, 0},
    [TENSOR_last_weight] = {"last.weight", NULL, 1, PRT_F32, 2, {10, 1024}, PRT_NORMAL, 0.03125},
    [TENSOR_last_bias] = {"last.bias", NULL, 1, PRT_F32, 1, {10}, PRT_ZEROS, 0},
};

static const prt_input inputs[] = {
    [INPUT_pixels] = {"pixels", PRT_F32, PRT_FEATURES, 0, 2, {512, 784}},
    [INPUT_classes] = {"classes", PRT_I32, PRT_LABELS, 10, 1, {512}},
};

static const prt_member members_outside[] = {
    {TENSOR_first_weight, OFFSET_first_weight, NULL},
    {TENSOR_first_bias, OFFSET_first_bias, NULL},
    {TENSOR_last_weight, OFFSET_last_weight, NULL},
    {TENSOR_last_bias, OFFSET_last_bias, NULL},
};

static const prt_member members_block[] = {
    {TENSOR_block_fc_weight, OFFSET_block_fc_weight, NULL},
    {TENSOR_block_fc_bias, OFFSET_block_fc_bias, NULL},
};

static const prt_unit units[] = {
    [UNIT_outside] = {"outside", 0, 0, COUNT(members_outside), members_outside, 814144},
    [UNIT_block] = {"block", 0, 7, COUNT(members_block), members_block, 1049600},
};

static const prt_state states[] = {
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 3256576,
        .layout = LAYOUT_outside,
        .tensor = -1,
    },
    {
        .state = "adam_m",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_m_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 407072,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    {
        .state = "adam_v",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_v_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 407072,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_block,
        .dtype = PRT_F32,
        .slots = 8,
        .slot_bytes = 4198400,
        .layout = LAYOUT_block,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 7}},
    },
    {
        .state = "adam_m",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_m_block,
        .dtype = PRT_F32,
        .slots = 8,
        .slot_bytes = 524800,
        .layout = LAYOUT_block_over_data,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 7}},
    },
    {
        .state = "adam_v",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_v_block,
        .dtype = PRT_F32,
        .slots = 8,
        .slot_bytes = 524800,
        .layout = LAYOUT_block_over_data,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 7}},
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
        .slot_bytes = 407072,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    [GRADIENT_block] = {
        .state = "gradients",
        .dtype = PRT_F32,
        .slots = 8,
        .slot_bytes = 524800,
        .layout = LAYOUT_block_over_data,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 7}},
    },
};

static const prt_group groups[] = {
    [GROUP_data] = {1, {AXIS_data}},
};

static const prt_call calls[] = {
    [CALL_reduce_scatter_contribution_block] = {
        .op = PRT_REDUCE_SCATTER,
        .state = "gradients",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_block,
        .into = LAYOUT_block_over_data,
        .event = -1,
        .stream = 0,
        .source = LINE_20_reduce_scatter_contribution_block_over_data,
        .calls_per_step = (const int64_t[]){32},
        .payload_bytes = 4198400,
    },
    [CALL_reduce_scatter_contribution_outside] = {
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
        .source = LINE_20_reduce_scatter_contribution_outside_over_data,
        .calls_per_step = (const int64_t[]){4},
        .payload_bytes = 3256576,
    },
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
        .source = LINE_20_all_reduce_loss_sum_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 4,
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
        .source = LINE_20_all_gather_parameter_shard_outside_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 3256576,
    },
    [CALL_all_gather_parameter_shard_block] = {
        .op = PRT_ALL_GATHER,
        .state = "parameters",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_block_over_data,
        .into = LAYOUT_block,
        .event = -1,
        .stream = 0,
        .source = LINE_20_all_gather_parameter_shard_block_over_data,
        .calls_per_step = (const int64_t[]){8},
        .payload_bytes = 4198400,
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
        .source = LINE_20_all_reduce_eval_loss_sum_over_data,
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
    [KERNEL_add_f32_overlap] = {
        .entry = "kernel_add_f32_overlap",
        .host = kernel_add_f32_overlap,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 1,
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
    [KERNEL_relu_bwd_f32] = {
        .entry = "kernel_relu_bwd_f32",
        .host = kernel_relu_bwd_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 1,
    },
    [KERNEL_copy_f32_accumulate] = {
        .entry = "kernel_copy_f32_accumulate",
        .host = kernel_copy_f32_accumulate,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 0,
        .reads_result = true,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 0,
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
    [KERNEL_correction_f32_s] = {
        .entry = "kernel_correction_f32_s",
        .host = kernel_correction_f32_s,
        .arrays = {{PRT_F32, ""}, {PRT_F32, ""}},
        .array_count = 2, .extent_count = 0, .number_count = 1,
        .reads_result = false,
        .split = "", .work = "", .per_thread = true,
        .space = "", .operations = 4,
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
    [KERNEL_ema_f32_in_place_a] = {
        .entry = "kernel_ema_f32_in_place_a",
        .host = kernel_ema_f32_in_place_a,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 1,
        .reads_result = true,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 3,
    },
    [KERNEL_ema_square_f32_in_place_a] = {
        .entry = "kernel_ema_square_f32_in_place_a",
        .host = kernel_ema_square_f32_in_place_a,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 1,
        .reads_result = true,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 4,
    },
    [KERNEL_adamw_f32_i_i_i_s_s_s_in_place_a] = {
        .entry = "kernel_adamw_f32_i_i_i_s_s_s_in_place_a",
        .host = kernel_adamw_f32_i_i_i_s_s_s_in_place_a,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, ""}, {PRT_F32, ""}, {PRT_F32, ""}},
        .array_count = 6, .extent_count = 1, .number_count = 2,
        .reads_result = true,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 9,
    },
};

static const prt_layout layouts[] = {
    [LAYOUT_outside] = {.unit = UNIT_outside},
    [LAYOUT_block] = {.unit = UNIT_block},
    [LAYOUT_512_over_micro_data_by_784] =
        {.unit = -1, .dim_count = 2, .dims = {{.size = 512, .cut_count = 2, .cut = {PRT_MICRO, AXIS_data}}, {.size = 784}}},
    [LAYOUT_512_over_micro_data] =
        {.unit = -1, .dim_count = 1, .dims = {{.size = 512, .cut_count = 2, .cut = {PRT_MICRO, AXIS_data}}}},
    [LAYOUT_block_over_data] = {.unit = UNIT_block, .cut_count = 1, .cut = {AXIS_data}},
    [LAYOUT_outside_over_data] = {.unit = UNIT_outside, .cut_count = 1, .cut = {AXIS_data}},
    [LAYOUT_scalar] = {.unit = -1},
    [LAYOUT_1_by_784] = {.unit = -1, .dim_count = 2, .dims = {{.size = 1}, {.size = 784}}},
};

static const prt_class classes[] = {
    {
        .memory = {36843560, 4605444, 9210892, 1426504, 7848424, 0, 792},
    },
};

static const prt_buffer buffers[] = {
    {.name = "parameters.outside", .tier = PRT_DEVICE, .offset = ARENA_parameters_outside, .bytes = 3256576},
    {.name = "gradients.outside", .tier = PRT_DEVICE, .offset = ARENA_gradients_outside, .bytes = 407072},
    {.name = "contribution.outside", .tier = PRT_DEVICE, .offset = ARENA_contribution_outside, .bytes = 3256576},
    {.name = "adam_m.outside", .tier = PRT_DEVICE, .offset = ARENA_adam_m_outside, .bytes = 407072},
    {.name = "adam_v.outside", .tier = PRT_DEVICE, .offset = ARENA_adam_v_outside, .bytes = 407072},
    {.name = "parameters.block", .tier = PRT_DEVICE, .offset = ARENA_parameters_block, .bytes = 33587200},
    {.name = "gradients.block", .tier = PRT_DEVICE, .offset = ARENA_gradients_block, .bytes = 4198400},
    {.name = "contribution.block", .tier = PRT_DEVICE, .offset = ARENA_contribution_block, .bytes = 4198400},
    {.name = "adam_m.block", .tier = PRT_DEVICE, .offset = ARENA_adam_m_block, .bytes = 4198400},
    {.name = "adam_v.block", .tier = PRT_DEVICE, .offset = ARENA_adam_v_block, .bytes = 4198400},
    {.name = "step", .tier = PRT_DEVICE, .offset = ARENA_step, .bytes = 4},
    {.name = "loss.sum", .tier = PRT_DEVICE, .offset = ARENA_loss_sum, .bytes = 4},
    {.name = "pixels", .tier = PRT_DEVICE, .offset = ARENA_pixels, .bytes = 50176},
    {.name = "classes", .tier = PRT_DEVICE, .offset = ARENA_classes, .bytes = 64},
    {.name = "first.product", .tier = PRT_DEVICE, .offset = ARENA_first_product, .bytes = 65536},
    {.name = "first", .tier = PRT_DEVICE, .offset = ARENA_first, .bytes = 65536},
    {.name = "x", .tier = PRT_DEVICE, .offset = ARENA_x, .bytes = 589824},
    {.name = "block.fc.product", .tier = PRT_DEVICE, .offset = ARENA_block_fc_product, .bytes = 65536},
    {.name = "block.fc", .tier = PRT_DEVICE, .offset = ARENA_block_fc, .bytes = 524288},
    {.name = "block.x", .tier = PRT_DEVICE, .offset = ARENA_block_x, .bytes = 65536},
    {.name = "last.product", .tier = PRT_DEVICE, .offset = ARENA_last_product, .bytes = 640},
    {.name = "last", .tier = PRT_DEVICE, .offset = ARENA_last, .bytes = 640},
    {.name = "class_positions", .tier = PRT_DEVICE, .offset = ARENA_class_positions, .bytes = 40},
    {.name = "loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_largest, .bytes = 64},
    {.name = "loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_exp_sum, .bytes = 64},
    {.name = "loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_target_logit, .bytes = 64},
    {.name = "loss.terms", .tier = PRT_DEVICE, .offset = ARENA_loss_terms, .bytes = 64},
    {.name = "loss", .tier = PRT_DEVICE, .offset = ARENA_loss, .bytes = 4},
    {.name = "d_loss.terms", .tier = PRT_DEVICE, .offset = ARENA_d_loss_terms, .bytes = 64},
    {.name = "d_last", .tier = PRT_DEVICE, .offset = ARENA_d_last, .bytes = 640},
    {.name = "d_x", .tier = PRT_DEVICE, .offset = ARENA_d_x, .bytes = 65536},
    {.name = "d_block.fc", .tier = PRT_DEVICE, .offset = ARENA_d_block_fc, .bytes = 65536},
    {.name = "contribution_shard.block", .tier = PRT_DEVICE, .offset = ARENA_contribution_shard_block, .bytes = 524800},
    {.name = "d_first", .tier = PRT_DEVICE, .offset = ARENA_d_first, .bytes = 65536},
    {.name = "contribution_shard.outside", .tier = PRT_DEVICE, .offset = ARENA_contribution_shard_outside, .bytes = 407072},
    {.name = "rate", .tier = PRT_DEVICE, .offset = ARENA_rate, .bytes = 4},
    {.name = "correction1", .tier = PRT_DEVICE, .offset = ARENA_correction1, .bytes = 4},
    {.name = "correction2", .tier = PRT_DEVICE, .offset = ARENA_correction2, .bytes = 4},
    {.name = "parameter_shard.outside", .tier = PRT_DEVICE, .offset = ARENA_parameter_shard_outside, .bytes = 407072},
    {.name = "parameter_shard.block", .tier = PRT_DEVICE, .offset = ARENA_parameter_shard_block, .bytes = 524800},
    {.name = "eval.loss.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_sum, .bytes = 4},
    {.name = "eval.pixels", .tier = PRT_DEVICE, .offset = ARENA_eval_pixels, .bytes = 50176},
    {.name = "eval.classes", .tier = PRT_DEVICE, .offset = ARENA_eval_classes, .bytes = 64},
    {.name = "eval.first.product", .tier = PRT_DEVICE, .offset = ARENA_eval_first_product, .bytes = 65536},
    {.name = "eval.first", .tier = PRT_DEVICE, .offset = ARENA_eval_first, .bytes = 65536},
    {.name = "eval.x", .tier = PRT_DEVICE, .offset = ARENA_eval_x, .bytes = 589824},
    {.name = "eval.block.fc.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_fc_product, .bytes = 65536},
    {.name = "eval.block.fc", .tier = PRT_DEVICE, .offset = ARENA_eval_block_fc, .bytes = 65536},
    {.name = "eval.block.x", .tier = PRT_DEVICE, .offset = ARENA_eval_block_x, .bytes = 65536},
    {.name = "eval.last.product", .tier = PRT_DEVICE, .offset = ARENA_eval_last_product, .bytes = 640},
    {.name = "eval.last", .tier = PRT_DEVICE, .offset = ARENA_eval_last, .bytes = 640},
    {.name = "eval.class_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_class_positions, .bytes = 40},
    {.name = "eval.loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_largest, .bytes = 64},
    {.name = "eval.loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_exp_sum, .bytes = 64},
    {.name = "eval.loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_target_logit, .bytes = 64},
    {.name = "eval.loss.terms", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms, .bytes = 64},
    {.name = "eval.loss", .tier = PRT_DEVICE, .offset = ARENA_eval_loss, .bytes = 4},
    {.name = "predict.pixels", .tier = PRT_DEVICE, .offset = ARENA_predict_pixels, .bytes = 3136},
    {.name = "predict.first.product", .tier = PRT_DEVICE, .offset = ARENA_predict_first_product, .bytes = 4096},
    {.name = "predict.first", .tier = PRT_DEVICE, .offset = ARENA_predict_first, .bytes = 4096},
    {.name = "predict.x", .tier = PRT_DEVICE, .offset = ARENA_predict_x, .bytes = 36864},
    {.name = "predict.block.fc.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_fc_product, .bytes = 4096},
    {.name = "predict.block.fc", .tier = PRT_DEVICE, .offset = ARENA_predict_block_fc, .bytes = 4096},
    {.name = "predict.block.x", .tier = PRT_DEVICE, .offset = ARENA_predict_block_x, .bytes = 4096},
    {.name = "predict.last.product", .tier = PRT_DEVICE, .offset = ARENA_predict_last_product, .bytes = 40},
    {.name = "predict.last", .tier = PRT_DEVICE, .offset = ARENA_predict_last, .bytes = 40},
};

static const prt_source sources[] = {
    [NO_LINE_images] = {"", 0, "images"},
    [LINE_21_computing_in_init] = {"examples/images.place", 21, "computing in init"},
    [LINE_8_init] = {"examples/images.place", 8, "init"},
    [LINE_10_init] = {"examples/images.place", 10, "init"},
    [LINE_20_computing_in_step] = {"examples/images.place", 20, "computing in step"},
    [LINE_13_computing_in_step] = {"examples/images.place", 13, "computing in step"},
    [LINE_5_read_pixels] = {"examples/images.place", 5, "read pixels"},
    [LINE_6_read_classes] = {"examples/images.place", 6, "read classes"},
    [LINE_8_computing_in_step] = {"examples/images.place", 8, "computing in step"},
    [LINE_10_computing_in_step] = {"examples/images.place", 10, "computing in step"},
    [LINE_12_computing_in_step] = {"examples/images.place", 12, "computing in step"},
    [LINE_20_reduce_scatter_contribution_block_over_data] =
        {"examples/images.place", 20, "reduce_scatter contribution.block over data"},
    [LINE_20_reduce_scatter_contribution_outside_over_data] =
        {"examples/images.place", 20, "reduce_scatter contribution.outside over data"},
    [LINE_20_all_reduce_loss_sum_over_data] = {"examples/images.place", 20, "all_reduce loss.sum over data"},
    [LINE_13_output_loss] = {"examples/images.place", 13, "output loss"},
    [LINE_21_computing_in_step] = {"examples/images.place", 21, "computing in step"},
    [LINE_21_output_learning_rate] = {"examples/images.place", 21, "output learning_rate"},
    [LINE_20_slice_parameters_outside_over_data] = {"examples/images.place", 20, "slice parameters.outside over data"},
    [LINE_20_all_gather_parameter_shard_outside_over_data] =
        {"examples/images.place", 20, "all_gather parameter_shard.outside over data"},
    [LINE_20_slice_parameters_block_over_data] = {"examples/images.place", 20, "slice parameters.block over data"},
    [LINE_20_all_gather_parameter_shard_block_over_data] =
        {"examples/images.place", 20, "all_gather parameter_shard.block over data"},
    [LINE_13_computing_in_eval] = {"examples/images.place", 13, "computing in eval"},
    [LINE_8_computing_in_eval] = {"examples/images.place", 8, "computing in eval"},
    [LINE_10_computing_in_eval] = {"examples/images.place", 10, "computing in eval"},
    [LINE_12_computing_in_eval] = {"examples/images.place", 12, "computing in eval"},
    [LINE_20_all_reduce_eval_loss_sum_over_data] = {"examples/images.place", 20, "all_reduce eval.loss.sum over data"},
    [LINE_8_computing_in_predict] = {"examples/images.place", 8, "computing in predict"},
    [LINE_10_computing_in_predict] = {"examples/images.place", 10, "computing in predict"},
    [LINE_12_computing_in_predict] = {"examples/images.place", 12, "computing in predict"},
    [LINE_13_output_logits] = {"examples/images.place", 13, "output logits"},
};

static const prt_program program = {
    .format = PRT_FORMAT,
    .name = "images",
    .file = "examples/images.place",
    .plan_hash = "27a8311b3f2a6fe8",
    .version = "0.1.0",
    .axis_count = 1,
    .axes = {[AXIS_data] = {"data", 8}},
    .compute_dtype = PRT_F32,
    .arena_bytes = {59935616, 0, 0},
    .batch = 512,
    .micro = 4,
    .steps = 100,
    .items_per_step = 512,
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
