/* bert, trained on a mesh { data: 2 }: the program of every rank. Written by placec from examples/bert.place; the
 * comments name its lines, and what one execution of a statement costs the rank with the largest pieces. */
#include "place_rt.h"

/* Kernels (kernels.o). */
prt_host_kernel kernel_fill_f32_to_s;
prt_host_kernel kernel_fill_f32;
prt_host_kernel kernel_embed_f32_i32i_jk_to_ik;
prt_host_kernel kernel_add_f32_ij_j;
prt_host_kernel kernel_add_f32;
prt_host_kernel kernel_row_mean_f32_ij_to_i;
prt_host_kernel kernel_row_rstd_f32_ij_i_to_i;
prt_host_kernel kernel_norm_f32_ij_i_i_j_j;
prt_host_kernel kernel_softmax_f32_ij;
prt_host_kernel kernel_gelu_f32;
prt_host_kernel kernel_iota_i32;
prt_host_kernel kernel_row_max_f32_ij_to_i;
prt_host_kernel kernel_exp_sum_f32_ij_i_to_i;
prt_host_kernel kernel_pick_f32_ij_i32i_i32j_to_i;
prt_host_kernel kernel_log_loss_f32;
prt_host_kernel kernel_fill_i32_to_s;
prt_host_kernel kernel_not_equal_f32_i32i_i32s_to_i;
prt_host_kernel kernel_masked_f32;
prt_host_kernel kernel_reduce_f32_i_to_s;
prt_host_kernel kernel_inverse_count_f32_s;
prt_host_kernel kernel_mul_f32_s_s;
prt_host_kernel kernel_masked_f32_s_i;
prt_host_kernel kernel_log_loss_bwd_f32_ij_i_i_i32i_i32j_i;
prt_host_kernel kernel_reduce_f32_ij_to_j_accumulate;
prt_host_kernel kernel_norm_bwd_f32_ij_i_i_j_ij;
prt_host_kernel kernel_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate;
prt_host_kernel kernel_gelu_bwd_f32;
prt_host_kernel kernel_softmax_bwd_f32_ij_ij;
prt_host_kernel kernel_copy_f32;
prt_host_kernel kernel_embed_bwd_f32_i32i_ik_to_jk_accumulate;
prt_host_kernel kernel_copy_f32_s_accumulate;
prt_host_kernel kernel_rate_f32_s;
prt_host_kernel kernel_correction_f32_s;
prt_host_kernel kernel_increment_f32_s_in_place_a;
prt_host_kernel kernel_sum_squares_f32_i_to_s_accumulate;
prt_host_kernel kernel_sqrt_f32_s;
prt_host_kernel kernel_clip_factor_f32_s;
prt_host_kernel kernel_mul_f32_i_s_in_place_a;
prt_host_kernel kernel_ema_f32_in_place_a;
prt_host_kernel kernel_ema_square_f32_in_place_a;
prt_host_kernel kernel_adamw_f32_i_i_i_s_s_s_in_place_a;

/* Axes of the mesh, the first outermost. */
enum { AXIS_data };

/* Parameters, rows of tensors[]. */
enum {
    TENSOR_token_table,
    TENSOR_position_table,
    TENSOR_kind_table,
    TENSOR_start_gain,
    TENSOR_start_bias,
    TENSOR_block_attn_query_weight,
    TENSOR_block_attn_query_bias,
    TENSOR_block_attn_key_weight,
    TENSOR_block_attn_key_bias,
    TENSOR_block_attn_value_weight,
    TENSOR_block_attn_value_bias,
    TENSOR_block_attn_out_weight,
    TENSOR_block_attn_out_bias,
    TENSOR_block_norm1_gain,
    TENSOR_block_norm1_bias,
    TENSOR_block_mlp_up_weight,
    TENSOR_block_mlp_up_bias,
    TENSOR_block_mlp_down_weight,
    TENSOR_block_mlp_down_bias,
    TENSOR_block_norm2_gain,
    TENSOR_block_norm2_bias,
    TENSOR_transform_weight,
    TENSOR_transform_bias,
    TENSOR_restored_gain,
    TENSOR_restored_bias,
    TENSOR_head_bias,
};

/* Inputs, rows of inputs[]. */
enum { INPUT_tokens, INPUT_segment, INPUT_originals, INPUT_masked };

/* Units of parameters that lie together, rows of units[]. */
enum { UNIT_outside, UNIT_block };

/* Where elements are, rows of layouts[]. */
enum {
    LAYOUT_outside,
    LAYOUT_block,
    LAYOUT_8_over_micro_data_by_128,
    LAYOUT_scalar,
    LAYOUT_block_over_data,
    LAYOUT_outside_over_data,
    LAYOUT_1_by_128,
};

/* Gradients that updates use, rows of gradients[]. */
enum { GRADIENT_outside, GRADIENT_block };

/* Ranks that communicate, rows of groups[]. */
enum { GROUP_data };

/* Communications, rows of calls[]. */
enum {
    CALL_all_reduce_loss_count,
    CALL_reduce_scatter_contribution_block,
    CALL_reduce_scatter_contribution_outside,
    CALL_all_reduce_loss_sum,
    CALL_all_reduce_norm_squared,
    CALL_all_gather_parameter_shard_outside,
    CALL_all_gather_parameter_shard_block,
    CALL_eval_all_reduce_loss_count_sum,
    CALL_eval_all_reduce_loss_total_sum,
};

/* Kernels, rows of kernels[]. */
enum {
    KERNEL_fill_f32_to_s,
    KERNEL_fill_f32,
    KERNEL_embed_f32_i32i_jk_to_ik,
    KERNEL_add_f32_ij_j,
    KERNEL_add_f32,
    KERNEL_row_mean_f32_ij_to_i,
    KERNEL_row_rstd_f32_ij_i_to_i,
    KERNEL_norm_f32_ij_i_i_j_j,
    KERNEL_softmax_f32_ij,
    KERNEL_gelu_f32,
    KERNEL_iota_i32,
    KERNEL_row_max_f32_ij_to_i,
    KERNEL_exp_sum_f32_ij_i_to_i,
    KERNEL_pick_f32_ij_i32i_i32j_to_i,
    KERNEL_log_loss_f32,
    KERNEL_fill_i32_to_s,
    KERNEL_not_equal_f32_i32i_i32s_to_i,
    KERNEL_masked_f32,
    KERNEL_reduce_f32_i_to_s,
    KERNEL_inverse_count_f32_s,
    KERNEL_mul_f32_s_s,
    KERNEL_masked_f32_s_i,
    KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i,
    KERNEL_reduce_f32_ij_to_j_accumulate,
    KERNEL_norm_bwd_f32_ij_i_i_j_ij,
    KERNEL_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate,
    KERNEL_gelu_bwd_f32,
    KERNEL_softmax_bwd_f32_ij_ij,
    KERNEL_copy_f32,
    KERNEL_embed_bwd_f32_i32i_ik_to_jk_accumulate,
    KERNEL_copy_f32_s_accumulate,
    KERNEL_rate_f32_s,
    KERNEL_correction_f32_s,
    KERNEL_increment_f32_s_in_place_a,
    KERNEL_sum_squares_f32_i_to_s_accumulate,
    KERNEL_sqrt_f32_s,
    KERNEL_clip_factor_f32_s,
    KERNEL_mul_f32_i_s_in_place_a,
    KERNEL_ema_f32_in_place_a,
    KERNEL_ema_square_f32_in_place_a,
    KERNEL_adamw_f32_i_i_i_s_s_s_in_place_a,
};

/* What messages say is being done, rows of sources[]. */
enum {
    NO_LINE_bert,
    LINE_24_computing_in_init,
    LINE_7_init,
    LINE_11_init,
    LINE_16_computing_in_step,
    LINE_5_read_tokens,
    LINE_5_read_segment,
    LINE_5_read_originals,
    LINE_5_read_masked,
    LINE_7_computing_in_step,
    LINE_8_computing_in_step,
    LINE_9_computing_in_step,
    LINE_11_computing_in_step,
    LINE_12_computing_in_step,
    LINE_14_computing_in_step,
    LINE_15_computing_in_step,
    LINE_16_all_reduce_loss_count_over_data,
    LINE_23_computing_in_step,
    LINE_23_reduce_scatter_contribution_block_over_data,
    LINE_23_reduce_scatter_contribution_outside_over_data,
    LINE_23_all_reduce_loss_sum_over_data,
    LINE_16_output_loss,
    LINE_25_computing_in_step,
    LINE_24_computing_in_step,
    LINE_24_output_learning_rate,
    LINE_23_all_reduce_norm_squared_over_data,
    LINE_25_output_gradient_norm,
    LINE_23_slice_parameters_outside_over_data,
    LINE_23_all_gather_parameter_shard_outside_over_data,
    LINE_23_slice_parameters_block_over_data,
    LINE_23_all_gather_parameter_shard_block_over_data,
    LINE_16_computing_in_eval,
    LINE_7_computing_in_eval,
    LINE_8_computing_in_eval,
    LINE_9_computing_in_eval,
    LINE_11_computing_in_eval,
    LINE_12_computing_in_eval,
    LINE_14_computing_in_eval,
    LINE_15_computing_in_eval,
    LINE_23_all_reduce_eval_loss_count_sum_over_data,
    LINE_23_all_reduce_eval_loss_total_sum_over_data,
    LINE_7_computing_in_predict,
    LINE_8_computing_in_predict,
    LINE_9_computing_in_predict,
    LINE_11_computing_in_predict,
    LINE_12_computing_in_predict,
    LINE_14_computing_in_predict,
    LINE_15_computing_in_predict,
    LINE_16_output_logits,
};

/* Where a parameter is in its unit, in elements. */
#define OFFSET_token_table 0
#define OFFSET_position_table 65536
#define OFFSET_kind_table 98304
#define OFFSET_start_gain 98816
#define OFFSET_start_bias 99072
#define OFFSET_transform_weight 99328
#define OFFSET_transform_bias 164864
#define OFFSET_restored_gain 165120
#define OFFSET_restored_bias 165376
#define OFFSET_head_bias 165632
#define OFFSET_block_attn_query_weight 0
#define OFFSET_block_attn_query_bias 65536
#define OFFSET_block_attn_key_weight 65792
#define OFFSET_block_attn_key_bias 131328
#define OFFSET_block_attn_value_weight 131584
#define OFFSET_block_attn_value_bias 197120
#define OFFSET_block_attn_out_weight 197376
#define OFFSET_block_attn_out_bias 262912
#define OFFSET_block_norm1_gain 263168
#define OFFSET_block_norm1_bias 263424
#define OFFSET_block_mlp_up_weight 263680
#define OFFSET_block_mlp_up_bias 525824
#define OFFSET_block_mlp_down_weight 526848
#define OFFSET_block_mlp_down_bias 788992
#define OFFSET_block_norm2_gain 789248
#define OFFSET_block_norm2_bias 789504

/* Where a buffer is in the arena of its tier, in bytes. Buffers that are not in use at the same time share memory. */
#define ARENA_parameters_outside 0
#define ARENA_gradients_outside 26599488
#define ARENA_contribution_outside 78543936
#define ARENA_adam_m_outside 663552
#define ARENA_adam_v_outside 995328
#define ARENA_parameters_block 1327104
#define ARENA_gradients_block 43376704
#define ARENA_contribution_block 53889088
#define ARENA_adam_m_block 13963264
#define ARENA_adam_v_block 20281344
#define ARENA_step 26599424
#define ARENA_loss_sum 80297024
#define ARENA_tokens 80288832
#define ARENA_segment 80290880
#define ARENA_originals 45998144
#define ARENA_masked 46000192
#define ARENA_token 26599488
#define ARENA_x 27123776
#define ARENA_kind 26599488
#define ARENA_x_2 79207488
#define ARENA_start_mean 80292928
#define ARENA_start_rstd 80294976
#define ARENA_start 57048128
#define ARENA_block_attn_query_product 43376704
#define ARENA_block_attn_query 59669568
#define ARENA_block_attn_key_product 43376704
#define ARENA_block_attn_key 61766720
#define ARENA_block_attn_value_product 43376704
#define ARENA_block_attn_value 63863872
#define ARENA_block_attn_scores 43376704
#define ARENA_block_attn_weights 49694784
#define ARENA_block_attn_mixed 65961024
#define ARENA_block_attn_product 43376704
#define ARENA_block_attn 43900992
#define ARENA_block_x 68058176
#define ARENA_block_norm1_mean 80256064
#define ARENA_block_norm1_rstd 80264256
#define ARENA_block_norm1 70155328
#define ARENA_block_mlp_up_product 43376704
#define ARENA_block_mlp_up 26599488
#define ARENA_block_mlp_active 34988096
#define ARENA_block_mlp_product 43376704
#define ARENA_block_mlp 43900992
#define ARENA_block_x_2 72252480
#define ARENA_block_norm2_mean 80272448
#define ARENA_block_norm2_rstd 80280640
#define ARENA_transform_product 43376704
#define ARENA_transform 43900992
#define ARENA_h 43376704
#define ARENA_restored_mean 46002240
#define ARENA_restored_rstd 46004288
#define ARENA_restored 44425280
#define ARENA_head_product 44949568
#define ARENA_head 45473856
#define ARENA_class_positions 46010432
#define ARENA_loss_terms_largest 46006336
#define ARENA_loss_terms_exp_sum 46008384
#define ARENA_loss_terms_target_logit 44949568
#define ARENA_loss_terms 44951616
#define ARENA_mask_number 44953664
#define ARENA_loss_mask 44949568
#define ARENA_loss_kept 44953664
#define ARENA_loss_total 44951616
#define ARENA_loss_count 44951680
#define ARENA_loss_inverse_count 44951744
#define ARENA_loss 80297088
#define ARENA_term_weight 44951616
#define ARENA_term_weight_2 44951680
#define ARENA_d_loss_terms 46000192
#define ARENA_d_head 44949568
#define ARENA_d_restored 45473856
#define ARENA_d_h 44425280
#define ARENA_d_transform 43376704
#define ARENA_d_start 74349632
#define ARENA_d_block_x_2 79731776
#define ARENA_d_block_mlp_active 74349632
#define ARENA_d_block_mlp_up 76446784
#define ARENA_d_block_x 76446784
#define ARENA_d_block_attn_mixed 75398208
#define ARENA_d_block_attn_weights 74349632
#define ARENA_d_block_attn_value 76971072
#define ARENA_d_block_attn_scores 75398208
#define ARENA_d_block_attn_query 74349632
#define ARENA_d_block_attn_key 74873920
#define ARENA_d_x_2 26599488
#define ARENA_norm_squared 26931264
#define ARENA_rate 28179008
#define ARENA_correction1 28179072
#define ARENA_correction2 28179136
#define ARENA_norm 26931328
#define ARENA_clip_factor 28179200
#define ARENA_parameter_shard_outside 26599488
#define ARENA_parameter_shard_block 26599488
#define ARENA_eval_loss_count_sum 33943616
#define ARENA_eval_loss_total_sum 33943680
#define ARENA_eval_tokens 27123776
#define ARENA_eval_segment 27648064
#define ARENA_eval_originals 33939520
#define ARENA_eval_masked 33941568
#define ARENA_eval_token 26599488
#define ARENA_eval_x 27123776
#define ARENA_eval_kind 26599488
#define ARENA_eval_x_2 29220928
#define ARENA_eval_start_mean 29745216
#define ARENA_eval_start_rstd 29747264
#define ARENA_eval_start 26599488
#define ARENA_eval_block_attn_query_product 29220928
#define ARENA_eval_block_attn_query 30269504
#define ARENA_eval_block_attn_key_product 29220928
#define ARENA_eval_block_attn_key 30793792
#define ARENA_eval_block_attn_value_product 29220928
#define ARENA_eval_block_attn_value 31318080
#define ARENA_eval_block_attn_scores 29220928
#define ARENA_eval_block_attn_weights 30269504
#define ARENA_eval_block_attn_mixed 29220928
#define ARENA_eval_block_attn_product 29745216
#define ARENA_eval_block_attn 29220928
#define ARENA_eval_block_x 29745216
#define ARENA_eval_block_norm1_mean 29220928
#define ARENA_eval_block_norm1_rstd 29222976
#define ARENA_eval_block_norm1 33415232
#define ARENA_eval_block_mlp_up_product 29220928
#define ARENA_eval_block_mlp_up 31318080
#define ARENA_eval_block_mlp_active 29220928
#define ARENA_eval_block_mlp_product 31318080
#define ARENA_eval_block_mlp 29220928
#define ARENA_eval_block_x_2 29745216
#define ARENA_eval_block_norm2_mean 29220928
#define ARENA_eval_block_norm2_rstd 29222976
#define ARENA_eval_transform_product 29220928
#define ARENA_eval_transform 26599488
#define ARENA_eval_h 27123776
#define ARENA_eval_restored_mean 27648064
#define ARENA_eval_restored_rstd 27650112
#define ARENA_eval_restored 26599488
#define ARENA_eval_head_product 27123776
#define ARENA_eval_head 26599488
#define ARENA_eval_class_positions 27129920
#define ARENA_eval_loss_terms_largest 27123776
#define ARENA_eval_loss_terms_exp_sum 27125824
#define ARENA_eval_loss_terms_target_logit 27127872
#define ARENA_eval_loss_terms 26599488
#define ARENA_eval_mask_number 26603584
#define ARENA_eval_loss_mask 26601536
#define ARENA_eval_loss_kept 26603584
#define ARENA_eval_loss_total 26599488
#define ARENA_eval_loss_count 26599552
#define ARENA_eval_loss_inverse_count 26599488
#define ARENA_eval_loss 26599552
#define ARENA_predict_tokens 26730560
#define ARENA_predict_segment 26861632
#define ARENA_predict_token 26599488
#define ARENA_predict_x 26730560
#define ARENA_predict_kind 26599488
#define ARENA_predict_x_2 27254848
#define ARENA_predict_start_mean 27385920
#define ARENA_predict_start_rstd 27386432
#define ARENA_predict_start 26599488
#define ARENA_predict_block_attn_query_product 27254848
#define ARENA_predict_block_attn_query 27516992
#define ARENA_predict_block_attn_key_product 27254848
#define ARENA_predict_block_attn_key 27648064
#define ARENA_predict_block_attn_value_product 27254848
#define ARENA_predict_block_attn_value 27779136
#define ARENA_predict_block_attn_scores 27254848
#define ARENA_predict_block_attn_weights 27516992
#define ARENA_predict_block_attn_mixed 27254848
#define ARENA_predict_block_attn_product 27385920
#define ARENA_predict_block_attn 27254848
#define ARENA_predict_block_x 27385920
#define ARENA_predict_block_norm1_mean 27254848
#define ARENA_predict_block_norm1_rstd 27255360
#define ARENA_predict_block_norm1 28303424
#define ARENA_predict_block_mlp_up_product 27254848
#define ARENA_predict_block_mlp_up 27779136
#define ARENA_predict_block_mlp_active 27254848
#define ARENA_predict_block_mlp_product 27779136
#define ARENA_predict_block_mlp 27254848
#define ARENA_predict_block_x_2 27385920
#define ARENA_predict_block_norm2_mean 27254848
#define ARENA_predict_block_norm2_rstd 27255360
#define ARENA_predict_transform_product 27254848
#define ARENA_predict_transform 26599488
#define ARENA_predict_h 26730560
#define ARENA_predict_restored_mean 26861632
#define ARENA_predict_restored_rstd 26862144
#define ARENA_predict_restored 26599488
#define ARENA_predict_head_product 26730560
#define ARENA_predict_head 26599488

/* ---- Buffers in the arena ---- */

/* parameters.outside: f32 unit outside, 648 KiB */
static inline float *at_parameters_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameters_outside);
}

/* gradients.outside: f32 unit outside / data, 324 KiB */
static inline float *at_gradients_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_gradients_outside);
}

/* contribution.outside: f32 unit outside, 648 KiB */
static inline float *at_contribution_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_contribution_outside);
}

/* adam_m.outside: f32 unit outside / data, 324 KiB */
static inline float *at_adam_m_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_adam_m_outside);
}

/* adam_v.outside: f32 unit outside / data, 324 KiB */
static inline float *at_adam_v_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_adam_v_outside);
}

/* parameters.block: f32 unit block, 4 slots, 12.1 MiB */
static inline float *at_parameters_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_block) + slot * 789760;
}

/* gradients.block: f32 unit block / data, 4 slots, 6.03 MiB */
static inline float *at_gradients_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_gradients_block) + slot * 394880;
}

/* contribution.block: f32 unit block, 3.01 MiB */
static inline float *at_contribution_block(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_contribution_block);
}

/* adam_m.block: f32 unit block / data, 4 slots, 6.03 MiB */
static inline float *at_adam_m_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_adam_m_block) + slot * 394880;
}

/* adam_v.block: f32 unit block / data, 4 slots, 6.03 MiB */
static inline float *at_adam_v_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_adam_v_block) + slot * 394880;
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

/* tokens: i32 [8 / micro / data, 128], 2.00 KiB */
static inline int32_t *at_tokens(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_tokens);
}

/* segment: i32 [8 / micro / data, 128], 2.00 KiB */
static inline int32_t *at_segment(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_segment);
}

/* originals: i32 [8 / micro / data, 128], 2.00 KiB */
static inline int32_t *at_originals(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_originals);
}

/* masked: i32 [8 / micro / data, 128], 2.00 KiB */
static inline int32_t *at_masked(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_masked);
}

/* token: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_token(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_token);
}

/* x: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_x);
}

/* kind: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_kind(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_kind);
}

/* x.2: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_x_2);
}

/* start.mean: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_start_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_start_mean);
}

/* start.rstd: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_start_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_start_rstd);
}

/* start: f32 [8 / micro / data, 128, 256], 5 slots, 2.50 MiB */
static inline float *at_start(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_start) + slot * 131072;
}

/* block.attn.query.product: f32 [8 / micro / data, 128, 4, 64], 512 KiB */
static inline float *at_block_attn_query_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_query_product);
}

/* block.attn.query: f32 [8 / micro / data, 128, 4, 64], 4 slots, 2.00 MiB */
static inline float *at_block_attn_query(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_query) + slot * 131072;
}

/* block.attn.key.product: f32 [8 / micro / data, 128, 4, 64], 512 KiB */
static inline float *at_block_attn_key_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_key_product);
}

/* block.attn.key: f32 [8 / micro / data, 128, 4, 64], 4 slots, 2.00 MiB */
static inline float *at_block_attn_key(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_key) + slot * 131072;
}

/* block.attn.value.product: f32 [8 / micro / data, 128, 4, 64], 512 KiB */
static inline float *at_block_attn_value_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_value_product);
}

/* block.attn.value: f32 [8 / micro / data, 128, 4, 64], 4 slots, 2.00 MiB */
static inline float *at_block_attn_value(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_value) + slot * 131072;
}

/* block.attn.scores: f32 [8 / micro / data, 4, 128, 128], 1.00 MiB */
static inline float *at_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_scores);
}

/* block.attn.weights: f32 [8 / micro / data, 4, 128, 128], 4 slots, 4.00 MiB */
static inline float *at_block_attn_weights(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_weights) + slot * 262144;
}

/* block.attn.mixed: f32 [8 / micro / data, 128, 4, 64], 4 slots, 2.00 MiB */
static inline float *at_block_attn_mixed(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_mixed) + slot * 131072;
}

/* block.attn.product: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_block_attn_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_product);
}

/* block.attn: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_block_attn(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn);
}

/* block.x: f32 [8 / micro / data, 128, 256], 4 slots, 2.00 MiB */
static inline float *at_block_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_x) + slot * 131072;
}

/* block.norm1.mean: f32 [8 / micro / data, 128], 4 slots, 8.00 KiB */
static inline float *at_block_norm1_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm1_mean) + slot * 512;
}

/* block.norm1.rstd: f32 [8 / micro / data, 128], 4 slots, 8.00 KiB */
static inline float *at_block_norm1_rstd(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm1_rstd) + slot * 512;
}

/* block.norm1: f32 [8 / micro / data, 128, 256], 4 slots, 2.00 MiB */
static inline float *at_block_norm1(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm1) + slot * 131072;
}

/* block.mlp.up.product: f32 [8 / micro / data, 128, 1024], 2.00 MiB */
static inline float *at_block_mlp_up_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_up_product);
}

/* block.mlp.up: f32 [8 / micro / data, 128, 1024], 4 slots, 8.00 MiB */
static inline float *at_block_mlp_up(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_up) + slot * 524288;
}

/* block.mlp.active: f32 [8 / micro / data, 128, 1024], 4 slots, 8.00 MiB */
static inline float *at_block_mlp_active(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_active) + slot * 524288;
}

/* block.mlp.product: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_block_mlp_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_product);
}

/* block.mlp: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_block_mlp(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_mlp);
}

/* block.x.2: f32 [8 / micro / data, 128, 256], 4 slots, 2.00 MiB */
static inline float *at_block_x_2(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_x_2) + slot * 131072;
}

/* block.norm2.mean: f32 [8 / micro / data, 128], 4 slots, 8.00 KiB */
static inline float *at_block_norm2_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm2_mean) + slot * 512;
}

/* block.norm2.rstd: f32 [8 / micro / data, 128], 4 slots, 8.00 KiB */
static inline float *at_block_norm2_rstd(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm2_rstd) + slot * 512;
}

/* transform.product: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_transform_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_transform_product);
}

/* transform: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_transform(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_transform);
}

/* h: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_h(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_h);
}

/* restored.mean: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_restored_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_restored_mean);
}

/* restored.rstd: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_restored_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_restored_rstd);
}

/* restored: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_restored(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_restored);
}

/* head.product: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_head_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_head_product);
}

/* head: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_head(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_head);
}

/* class_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_class_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_class_positions);
}

/* loss.terms.largest: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_loss_terms_largest(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_largest);
}

/* loss.terms.exp_sum: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_loss_terms_exp_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_exp_sum);
}

/* loss.terms.target_logit: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_loss_terms_target_logit(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_target_logit);
}

/* loss.terms: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms);
}

/* mask.number: i32 [], 4 B */
static inline int32_t *at_mask_number(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_mask_number);
}

/* loss.mask: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_loss_mask(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_mask);
}

/* loss.kept: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_loss_kept(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_kept);
}

/* loss.total: f32 [], 4 B */
static inline float *at_loss_total(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_total);
}

/* loss.count: f32 [], 4 B */
static inline float *at_loss_count(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_count);
}

/* loss.inverse_count: f32 [], 4 B */
static inline float *at_loss_inverse_count(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_inverse_count);
}

/* loss: f32 [], 4 B */
static inline float *at_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss);
}

/* term_weight: f32 [], 4 B */
static inline float *at_term_weight(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_term_weight);
}

/* term_weight.2: f32 [], 4 B */
static inline float *at_term_weight_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_term_weight_2);
}

/* d_loss.terms: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_d_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_loss_terms);
}

/* d_head: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_d_head(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_head);
}

/* d_restored: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_d_restored(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_restored);
}

/* d_h: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_d_h(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_h);
}

/* d_transform: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_d_transform(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_transform);
}

/* d_start: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_d_start(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_start);
}

/* d_block.x.2: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_d_block_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_x_2);
}

/* d_block.mlp.active: f32 [8 / micro / data, 128, 1024], 2.00 MiB */
static inline float *at_d_block_mlp_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_mlp_active);
}

/* d_block.mlp.up: f32 [8 / micro / data, 128, 1024], 2.00 MiB */
static inline float *at_d_block_mlp_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_mlp_up);
}

/* d_block.x: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_d_block_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_x);
}

/* d_block.attn.mixed: f32 [8 / micro / data, 128, 4, 64], 512 KiB */
static inline float *at_d_block_attn_mixed(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_mixed);
}

/* d_block.attn.weights: f32 [8 / micro / data, 4, 128, 128], 1.00 MiB */
static inline float *at_d_block_attn_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_weights);
}

/* d_block.attn.value: f32 [8 / micro / data, 128, 4, 64], 512 KiB */
static inline float *at_d_block_attn_value(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_value);
}

/* d_block.attn.scores: f32 [8 / micro / data, 4, 128, 128], 1.00 MiB */
static inline float *at_d_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_scores);
}

/* d_block.attn.query: f32 [8 / micro / data, 128, 4, 64], 512 KiB */
static inline float *at_d_block_attn_query(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_query);
}

/* d_block.attn.key: f32 [8 / micro / data, 128, 4, 64], 512 KiB */
static inline float *at_d_block_attn_key(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_key);
}

/* d_x.2: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_d_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x_2);
}

/* norm_squared: f32 [], 4 B */
static inline float *at_norm_squared(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_squared);
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

/* norm: f32 [], 4 B */
static inline float *at_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm);
}

/* clip_factor: f32 [], 4 B */
static inline float *at_clip_factor(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_clip_factor);
}

/* parameter_shard.outside: f32 unit outside / data, 324 KiB */
static inline float *at_parameter_shard_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameter_shard_outside);
}

/* parameter_shard.block: f32 unit block / data, 1.51 MiB */
static inline float *at_parameter_shard_block(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameter_shard_block);
}

/* eval.loss.count.sum: f32 [], 4 B */
static inline float *at_eval_loss_count_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_count_sum);
}

/* eval.loss.total.sum: f32 [], 4 B */
static inline float *at_eval_loss_total_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_total_sum);
}

/* eval.tokens: i32 [8 / micro / data, 128], 2.00 KiB */
static inline int32_t *at_eval_tokens(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_tokens);
}

/* eval.segment: i32 [8 / micro / data, 128], 2.00 KiB */
static inline int32_t *at_eval_segment(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_segment);
}

/* eval.originals: i32 [8 / micro / data, 128], 2.00 KiB */
static inline int32_t *at_eval_originals(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_originals);
}

/* eval.masked: i32 [8 / micro / data, 128], 2.00 KiB */
static inline int32_t *at_eval_masked(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_masked);
}

/* eval.token: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_token(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_token);
}

/* eval.x: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_x);
}

/* eval.kind: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_kind(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_kind);
}

/* eval.x.2: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_x_2);
}

/* eval.start.mean: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_eval_start_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_start_mean);
}

/* eval.start.rstd: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_eval_start_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_start_rstd);
}

/* eval.start: f32 [8 / micro / data, 128, 256], 5 slots, 2.50 MiB */
static inline float *at_eval_start(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_eval_start) + slot * 131072;
}

/* eval.block.attn.query.product: f32 [8 / micro / data, 128, 4, 64], 512 KiB */
static inline float *at_eval_block_attn_query_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_query_product);
}

/* eval.block.attn.query: f32 [8 / micro / data, 128, 4, 64], 512 KiB */
static inline float *at_eval_block_attn_query(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_query);
}

/* eval.block.attn.key.product: f32 [8 / micro / data, 128, 4, 64], 512 KiB */
static inline float *at_eval_block_attn_key_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_key_product);
}

/* eval.block.attn.key: f32 [8 / micro / data, 128, 4, 64], 512 KiB */
static inline float *at_eval_block_attn_key(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_key);
}

/* eval.block.attn.value.product: f32 [8 / micro / data, 128, 4, 64], 512 KiB */
static inline float *at_eval_block_attn_value_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_value_product);
}

/* eval.block.attn.value: f32 [8 / micro / data, 128, 4, 64], 512 KiB */
static inline float *at_eval_block_attn_value(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_value);
}

/* eval.block.attn.scores: f32 [8 / micro / data, 4, 128, 128], 1.00 MiB */
static inline float *at_eval_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_scores);
}

/* eval.block.attn.weights: f32 [8 / micro / data, 4, 128, 128], 1.00 MiB */
static inline float *at_eval_block_attn_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_weights);
}

/* eval.block.attn.mixed: f32 [8 / micro / data, 128, 4, 64], 512 KiB */
static inline float *at_eval_block_attn_mixed(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_mixed);
}

/* eval.block.attn.product: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_block_attn_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_product);
}

/* eval.block.attn: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_block_attn(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn);
}

/* eval.block.x: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_block_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_x);
}

/* eval.block.norm1.mean: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_eval_block_norm1_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm1_mean);
}

/* eval.block.norm1.rstd: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_eval_block_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm1_rstd);
}

/* eval.block.norm1: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_block_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm1);
}

/* eval.block.mlp.up.product: f32 [8 / micro / data, 128, 1024], 2.00 MiB */
static inline float *at_eval_block_mlp_up_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_mlp_up_product);
}

/* eval.block.mlp.up: f32 [8 / micro / data, 128, 1024], 2.00 MiB */
static inline float *at_eval_block_mlp_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_mlp_up);
}

/* eval.block.mlp.active: f32 [8 / micro / data, 128, 1024], 2.00 MiB */
static inline float *at_eval_block_mlp_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_mlp_active);
}

/* eval.block.mlp.product: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_block_mlp_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_mlp_product);
}

/* eval.block.mlp: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_block_mlp(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_mlp);
}

/* eval.block.x.2: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_block_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_x_2);
}

/* eval.block.norm2.mean: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_eval_block_norm2_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm2_mean);
}

/* eval.block.norm2.rstd: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_eval_block_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm2_rstd);
}

/* eval.transform.product: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_transform_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_transform_product);
}

/* eval.transform: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_transform(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_transform);
}

/* eval.h: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_h(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_h);
}

/* eval.restored.mean: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_eval_restored_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_restored_mean);
}

/* eval.restored.rstd: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_eval_restored_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_restored_rstd);
}

/* eval.restored: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_restored(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_restored);
}

/* eval.head.product: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_head_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_head_product);
}

/* eval.head: f32 [8 / micro / data, 128, 256], 512 KiB */
static inline float *at_eval_head(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_head);
}

/* eval.class_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_eval_class_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_class_positions);
}

/* eval.loss.terms.largest: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_eval_loss_terms_largest(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_largest);
}

/* eval.loss.terms.exp_sum: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_eval_loss_terms_exp_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_exp_sum);
}

/* eval.loss.terms.target_logit: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_eval_loss_terms_target_logit(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_target_logit);
}

/* eval.loss.terms: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_eval_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms);
}

/* eval.mask.number: i32 [], 4 B */
static inline int32_t *at_eval_mask_number(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_mask_number);
}

/* eval.loss.mask: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_eval_loss_mask(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_mask);
}

/* eval.loss.kept: f32 [8 / micro / data, 128], 2.00 KiB */
static inline float *at_eval_loss_kept(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_kept);
}

/* eval.loss.total: f32 [], 4 B */
static inline float *at_eval_loss_total(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_total);
}

/* eval.loss.count: f32 [], 4 B */
static inline float *at_eval_loss_count(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_count);
}

/* eval.loss.inverse_count: f32 [], 4 B */
static inline float *at_eval_loss_inverse_count(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_inverse_count);
}

/* eval.loss: f32 [], 4 B */
static inline float *at_eval_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss);
}

/* predict.tokens: i32 [1, 128], 512 B */
static inline int32_t *at_predict_tokens(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_tokens);
}

/* predict.segment: i32 [1, 128], 512 B */
static inline int32_t *at_predict_segment(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_segment);
}

/* predict.token: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_token(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_token);
}

/* predict.x: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_x);
}

/* predict.kind: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_kind(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_kind);
}

/* predict.x.2: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_x_2);
}

/* predict.start.mean: f32 [1, 128], 512 B */
static inline float *at_predict_start_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_start_mean);
}

/* predict.start.rstd: f32 [1, 128], 512 B */
static inline float *at_predict_start_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_start_rstd);
}

/* predict.start: f32 [1, 128, 256], 5 slots, 640 KiB */
static inline float *at_predict_start(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_predict_start) + slot * 32768;
}

/* predict.block.attn.query.product: f32 [1, 128, 4, 64], 128 KiB */
static inline float *at_predict_block_attn_query_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_query_product);
}

/* predict.block.attn.query: f32 [1, 128, 4, 64], 128 KiB */
static inline float *at_predict_block_attn_query(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_query);
}

/* predict.block.attn.key.product: f32 [1, 128, 4, 64], 128 KiB */
static inline float *at_predict_block_attn_key_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_key_product);
}

/* predict.block.attn.key: f32 [1, 128, 4, 64], 128 KiB */
static inline float *at_predict_block_attn_key(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_key);
}

/* predict.block.attn.value.product: f32 [1, 128, 4, 64], 128 KiB */
static inline float *at_predict_block_attn_value_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_value_product);
}

/* predict.block.attn.value: f32 [1, 128, 4, 64], 128 KiB */
static inline float *at_predict_block_attn_value(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_value);
}

/* predict.block.attn.scores: f32 [1, 4, 128, 128], 256 KiB */
static inline float *at_predict_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_scores);
}

/* predict.block.attn.weights: f32 [1, 4, 128, 128], 256 KiB */
static inline float *at_predict_block_attn_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_weights);
}

/* predict.block.attn.mixed: f32 [1, 128, 4, 64], 128 KiB */
static inline float *at_predict_block_attn_mixed(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_mixed);
}

/* predict.block.attn.product: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_block_attn_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_product);
}

/* predict.block.attn: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_block_attn(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn);
}

/* predict.block.x: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_block_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_x);
}

/* predict.block.norm1.mean: f32 [1, 128], 512 B */
static inline float *at_predict_block_norm1_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm1_mean);
}

/* predict.block.norm1.rstd: f32 [1, 128], 512 B */
static inline float *at_predict_block_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm1_rstd);
}

/* predict.block.norm1: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_block_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm1);
}

/* predict.block.mlp.up.product: f32 [1, 128, 1024], 512 KiB */
static inline float *at_predict_block_mlp_up_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_mlp_up_product);
}

/* predict.block.mlp.up: f32 [1, 128, 1024], 512 KiB */
static inline float *at_predict_block_mlp_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_mlp_up);
}

/* predict.block.mlp.active: f32 [1, 128, 1024], 512 KiB */
static inline float *at_predict_block_mlp_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_mlp_active);
}

/* predict.block.mlp.product: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_block_mlp_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_mlp_product);
}

/* predict.block.mlp: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_block_mlp(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_mlp);
}

/* predict.block.x.2: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_block_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_x_2);
}

/* predict.block.norm2.mean: f32 [1, 128], 512 B */
static inline float *at_predict_block_norm2_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm2_mean);
}

/* predict.block.norm2.rstd: f32 [1, 128], 512 B */
static inline float *at_predict_block_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm2_rstd);
}

/* predict.transform.product: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_transform_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_transform_product);
}

/* predict.transform: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_transform(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_transform);
}

/* predict.h: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_h(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_h);
}

/* predict.restored.mean: f32 [1, 128], 512 B */
static inline float *at_predict_restored_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_restored_mean);
}

/* predict.restored.rstd: f32 [1, 128], 512 B */
static inline float *at_predict_restored_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_restored_rstd);
}

/* predict.restored: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_restored(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_restored);
}

/* predict.head.product: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_head_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_head_product);
}

/* predict.head: f32 [1, 128, 256], 128 KiB */
static inline float *at_predict_head(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_head);
}

/* ---- Routines ---- */

/* Before the first step: every state gets its initial value. */
static void init(prt_context *ctx)
{
    /* examples/bert.place:24: fill: 4 B */
    ctx->at = LINE_24_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_step(ctx)}, .numbers = {0}});
    /* examples/bert.place:7: init: 648 KiB */
    ctx->at = LINE_7_init;
    prt_init(ctx, -1, LAYOUT_outside, 0, 1, PRT_F32, at_parameters_outside(ctx));
    /* examples/bert.place:24: fill: 324 KiB */
    ctx->at = LINE_24_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_adam_m_outside(ctx)},
        .extents = {82944},
        .numbers = {0},
    });
    /* examples/bert.place:24: fill: 324 KiB */
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_adam_v_outside(ctx)},
        .extents = {82944},
        .numbers = {0},
    });
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/bert.place:11: init: 3.01 MiB */
        ctx->at = LINE_11_init;
        prt_init(ctx, -1, LAYOUT_block, layer, 1, PRT_F32, at_parameters_block(ctx, layer));
        /* examples/bert.place:24: fill: 1.51 MiB */
        ctx->at = LINE_24_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_adam_m_block(ctx, layer)},
            .extents = {394880},
            .numbers = {0},
        });
        /* examples/bert.place:24: fill: 1.51 MiB */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_adam_v_block(ctx, layer)},
            .extents = {394880},
            .numbers = {0},
        });
    }
}

/* One training step. */
static void step(prt_context *ctx)
{
    /* examples/bert.place:16: fill: 4 B */
    ctx->at = LINE_16_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 1; micro++) {
        /* examples/bert.place:5: read tokens: 2.00 KiB */
        ctx->at = LINE_5_read_tokens;
        prt_read(ctx, INPUT_tokens, LAYOUT_8_over_micro_data_by_128, micro, at_tokens(ctx));
        /* examples/bert.place:5: read segment: 2.00 KiB */
        ctx->at = LINE_5_read_segment;
        prt_read(ctx, INPUT_segment, LAYOUT_8_over_micro_data_by_128, micro, at_segment(ctx));
        /* examples/bert.place:5: read originals: 2.00 KiB */
        ctx->at = LINE_5_read_originals;
        prt_read(ctx, INPUT_originals, LAYOUT_8_over_micro_data_by_128, micro, at_originals(ctx));
        /* examples/bert.place:5: read masked: 2.00 KiB */
        ctx->at = LINE_5_read_masked;
        prt_read(ctx, INPUT_masked, LAYOUT_8_over_micro_data_by_128, micro, at_masked(ctx));
        /* examples/bert.place:7: embed "bt,vh->bth": 770 KiB */
        ctx->at = LINE_7_computing_in_step;
        prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
            .arrays = {at_token(ctx), at_tokens(ctx), at_parameters_outside(ctx) + OFFSET_token_table},
            .extents = {512, 256, 256},
        });
        /* examples/bert.place:7: add "abc,bc->abc": 1.12 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_x(ctx), at_token(ctx), at_parameters_outside(ctx) + OFFSET_position_table},
            .extents = {4, 32768},
        });
        /* examples/bert.place:8: embed "bt,vh->bth": 516 KiB */
        ctx->at = LINE_8_computing_in_step;
        prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
            .arrays = {at_kind(ctx), at_segment(ctx), at_parameters_outside(ctx) + OFFSET_kind_table},
            .extents = {512, 2, 256},
        });
        /* examples/bert.place:7: add "abc,abc->abc": 1.50 MiB, 131 kflop */
        ctx->at = LINE_7_computing_in_step;
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_x_2(ctx), at_x(ctx), at_kind(ctx)},
            .extents = {131072},
        });
        /* examples/bert.place:9: row_mean "bth->bt": 514 KiB, 131 kflop */
        ctx->at = LINE_9_computing_in_step;
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_start_mean(ctx), at_x_2(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:9: row_rstd "bth,bt->bt": 516 KiB, 393 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_start_rstd(ctx), at_x_2(ctx), at_start_mean(ctx)},
            .extents = {512, 256},
            .numbers = {1e-05},
        });
        /* examples/bert.place:9: norm "bth,bt,bt,h,h->bth": 1.01 MiB, 524 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_start(ctx, 0), at_x_2(ctx), at_start_mean(ctx), at_start_rstd(ctx),
                       at_parameters_outside(ctx) + OFFSET_start_gain, at_parameters_outside(ctx) + OFFSET_start_bias},
            .extents = {512, 256},
        });
        for (int64_t layer = 0; layer < 4; layer++) {
            /* examples/bert.place:11: einsum "bth,ndh->btnd": 1.25 MiB, 67.1 Mflop */
            ctx->at = LINE_11_computing_in_step;
            const prt_gemm_shape gemm1 = {
                .m = 512, .n = 256, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 1, .b_column = 256,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm1, at_start(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_query_weight, 0,
                     at_block_attn_query_product(ctx));
            /* examples/bert.place:11: add "btnd,nd->btnd": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_attn_query(ctx, layer), at_block_attn_query_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_query_bias},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: einsum "bth,ndh->btnd": 1.25 MiB, 67.1 Mflop */
            const prt_gemm_shape gemm2 = {
                .m = 512, .n = 256, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 1, .b_column = 256,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm2, at_start(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_key_weight, 0, at_block_attn_key_product(ctx));
            /* examples/bert.place:11: add "btnd,nd->btnd": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_attn_key(ctx, layer), at_block_attn_key_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_key_bias},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: einsum "bth,ndh->btnd": 1.25 MiB, 67.1 Mflop */
            const prt_gemm_shape gemm3 = {
                .m = 512, .n = 256, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 1, .b_column = 256,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm3, at_start(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_value_weight, 0,
                     at_block_attn_value_product(ctx));
            /* examples/bert.place:11: add "btnd,nd->btnd": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_attn_value(ctx, layer), at_block_attn_value_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_value_bias},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: einsum "btnd,bsnd->bnts": 2.00 MiB, 33.6 Mflop */
            const prt_gemm_shape gemm4 = {
                .m = 128, .n = 128, .k = 64,
                .a_row = 256, .a_column = 1,
                .b_row = 1, .b_column = 256,
                .c_row = 128, .c_column = 1,
                .batch_dims = 2,
                .batch = {4, 4},
                .a_batch = {32768, 64},
                .b_batch = {32768, 64},
                .c_batch = {65536, 16384},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm4, at_block_attn_query(ctx, layer), at_block_attn_key(ctx, layer), 0,
                     at_block_attn_scores(ctx));
            /* examples/bert.place:11: softmax "bnts->bnts": 2.00 MiB, 2.1 Mflop */
            prt_launch(ctx, KERNEL_softmax_f32_ij, 0, &(prt_arguments){
                .arrays = {at_block_attn_weights(ctx, layer), at_block_attn_scores(ctx)},
                .extents = {2048, 128},
                .numbers = {0.125},
            });
            /* examples/bert.place:11: einsum "bnts,bsnd->btnd": 2.00 MiB, 33.6 Mflop */
            const prt_gemm_shape gemm5 = {
                .m = 128, .n = 64, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 256, .b_column = 1,
                .c_row = 256, .c_column = 1,
                .batch_dims = 2,
                .batch = {4, 4},
                .a_batch = {65536, 16384},
                .b_batch = {32768, 64},
                .c_batch = {32768, 64},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm5, at_block_attn_weights(ctx, layer), at_block_attn_value(ctx, layer), 0,
                     at_block_attn_mixed(ctx, layer));
            /* examples/bert.place:11: einsum "btnd,hnd->bth": 1.25 MiB, 67.1 Mflop */
            const prt_gemm_shape gemm6 = {
                .m = 512, .n = 256, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 1, .b_column = 256,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm6, at_block_attn_mixed(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_out_weight, 0, at_block_attn_product(ctx));
            /* examples/bert.place:11: add "bth,h->bth": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_attn(ctx), at_block_attn_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_out_bias},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: add "abc,abc->abc": 1.50 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_block_x(ctx, layer), at_start(ctx, layer), at_block_attn(ctx)},
                .extents = {131072},
            });
            /* examples/bert.place:11: row_mean "bth->bt": 514 KiB, 131 kflop */
            prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_block_norm1_mean(ctx, layer), at_block_x(ctx, layer)},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: row_rstd "bth,bt->bt": 516 KiB, 393 kflop */
            prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
                .arrays = {at_block_norm1_rstd(ctx, layer), at_block_x(ctx, layer), at_block_norm1_mean(ctx, layer)},
                .extents = {512, 256},
                .numbers = {1e-05},
            });
            /* examples/bert.place:11: norm "bth,bt,bt,h,h->bth": 1.01 MiB, 524 kflop */
            prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
                .arrays = {at_block_norm1(ctx, layer), at_block_x(ctx, layer), at_block_norm1_mean(ctx, layer),
                           at_block_norm1_rstd(ctx, layer), at_parameters_block(ctx, layer) + OFFSET_block_norm1_gain,
                           at_parameters_block(ctx, layer) + OFFSET_block_norm1_bias},
                .extents = {512, 256},
            });
            /* examples/bert.place:12: einsum "bth,oh->bto": 3.50 MiB, 268 Mflop */
            ctx->at = LINE_12_computing_in_step;
            const prt_gemm_shape gemm7 = {
                .m = 512, .n = 1024, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 1, .b_column = 256,
                .c_row = 1024, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm7, at_block_norm1(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_mlp_up_weight, 0, at_block_mlp_up_product(ctx));
            /* examples/bert.place:12: add "bto,o->bto": 4.00 MiB, 524 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_mlp_up(ctx, layer), at_block_mlp_up_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_mlp_up_bias},
                .extents = {512, 1024},
            });
            /* examples/bert.place:12: gelu "abc->abc": 4.00 MiB, 7.34 Mflop */
            prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
                .arrays = {at_block_mlp_active(ctx, layer), at_block_mlp_up(ctx, layer)},
                .extents = {524288},
            });
            /* examples/bert.place:12: einsum "bth,oh->bto": 3.50 MiB, 268 Mflop */
            const prt_gemm_shape gemm8 = {
                .m = 512, .n = 256, .k = 1024,
                .a_row = 1024, .a_column = 1,
                .b_row = 1, .b_column = 1024,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm8, at_block_mlp_active(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_mlp_down_weight, 0, at_block_mlp_product(ctx));
            /* examples/bert.place:12: add "bto,o->bto": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_mlp(ctx), at_block_mlp_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_mlp_down_bias},
                .extents = {512, 256},
            });
            /* examples/bert.place:12: add "abc,abc->abc": 1.50 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_block_x_2(ctx, layer), at_block_norm1(ctx, layer), at_block_mlp(ctx)},
                .extents = {131072},
            });
            /* examples/bert.place:12: row_mean "bth->bt": 514 KiB, 131 kflop */
            prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_block_norm2_mean(ctx, layer), at_block_x_2(ctx, layer)},
                .extents = {512, 256},
            });
            /* examples/bert.place:12: row_rstd "bth,bt->bt": 516 KiB, 393 kflop */
            prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
                .arrays = {at_block_norm2_rstd(ctx, layer), at_block_x_2(ctx, layer), at_block_norm2_mean(ctx, layer)},
                .extents = {512, 256},
                .numbers = {1e-05},
            });
            /* examples/bert.place:12: norm "bth,bt,bt,h,h->bth": 1.01 MiB, 524 kflop */
            prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
                .arrays = {at_start(ctx, layer + 1), at_block_x_2(ctx, layer), at_block_norm2_mean(ctx, layer),
                           at_block_norm2_rstd(ctx, layer), at_parameters_block(ctx, layer) + OFFSET_block_norm2_gain,
                           at_parameters_block(ctx, layer) + OFFSET_block_norm2_bias},
                .extents = {512, 256},
            });
        }
        /* examples/bert.place:14: einsum "bth,oh->bto": 1.25 MiB, 67.1 Mflop */
        ctx->at = LINE_14_computing_in_step;
        const prt_gemm_shape gemm9 = {
            .m = 512, .n = 256, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 1, .b_column = 256,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm9, at_start(ctx, 4), at_parameters_outside(ctx) + OFFSET_transform_weight, 0,
                 at_transform_product(ctx));
        /* examples/bert.place:14: add "bto,o->bto": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_transform(ctx), at_transform_product(ctx),
                       at_parameters_outside(ctx) + OFFSET_transform_bias},
            .extents = {512, 256},
        });
        /* examples/bert.place:14: gelu "abc->abc": 1.00 MiB, 1.84 Mflop */
        prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
            .arrays = {at_h(ctx), at_transform(ctx)},
            .extents = {131072},
        });
        /* examples/bert.place:14: row_mean "bth->bt": 514 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_restored_mean(ctx), at_h(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:14: row_rstd "bth,bt->bt": 516 KiB, 393 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_restored_rstd(ctx), at_h(ctx), at_restored_mean(ctx)},
            .extents = {512, 256},
            .numbers = {1e-05},
        });
        /* examples/bert.place:14: norm "bth,bt,bt,h,h->bth": 1.01 MiB, 524 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_restored(ctx), at_h(ctx), at_restored_mean(ctx), at_restored_rstd(ctx),
                       at_parameters_outside(ctx) + OFFSET_restored_gain,
                       at_parameters_outside(ctx) + OFFSET_restored_bias},
            .extents = {512, 256},
        });
        /* examples/bert.place:15: einsum "bth,oh->bto": 1.25 MiB, 67.1 Mflop */
        ctx->at = LINE_15_computing_in_step;
        const prt_gemm_shape gemm10 = {
            .m = 512, .n = 256, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 1, .b_column = 256,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm10, at_restored(ctx), at_parameters_outside(ctx) + OFFSET_token_table, 0,
                 at_head_product(ctx));
        /* examples/bert.place:15: add "bto,o->bto": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_head(ctx), at_head_product(ctx), at_parameters_outside(ctx) + OFFSET_head_bias},
            .extents = {512, 256},
        });
        /* examples/bert.place:16: iota: 1.00 KiB */
        ctx->at = LINE_16_computing_in_step;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_class_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        /* examples/bert.place:16: row_max "btv->bt": 514 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_largest(ctx), at_head(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:16: exp_sum "btv,bt->bt": 516 KiB, 524 kflop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_exp_sum(ctx), at_head(ctx), at_loss_terms_largest(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:16: pick "btv,bt,v->bt": 517 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_target_logit(ctx), at_head(ctx), at_originals(ctx), at_class_positions(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:16: log_loss "bt,bt,bt->bt": 8.00 KiB, 3.07 kflop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_loss_terms(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_loss_terms_target_logit(ctx)},
            .extents = {512},
        });
        /* examples/bert.place:16: fill: 4 B */
        prt_launch(ctx, KERNEL_fill_i32_to_s, 0, &(prt_arguments){.arrays = {at_mask_number(ctx)}, .numbers = {0}});
        /* examples/bert.place:16: not_equal "ab,->ab": 4.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_not_equal_f32_i32i_i32s_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_mask(ctx), at_masked(ctx), at_mask_number(ctx)},
            .extents = {512},
        });
        /* examples/bert.place:16: masked "ab,ab->ab": 6.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_masked_f32, 0, &(prt_arguments){
            .arrays = {at_loss_kept(ctx), at_loss_terms(ctx), at_loss_mask(ctx)},
            .extents = {512},
        });
        /* examples/bert.place:16: reduce "ab->": 2.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_loss_total(ctx), at_loss_kept(ctx)},
            .extents = {512},
        });
        /* examples/bert.place:16: reduce "ab->": 2.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_loss_count(ctx), at_loss_mask(ctx)},
            .extents = {512},
        });
        /* examples/bert.place:16: all_reduce loss.count over data: payload 4 B */
        ctx->at = LINE_16_all_reduce_loss_count_over_data;
        prt_all_reduce(ctx, CALL_all_reduce_loss_count, at_loss_count(ctx), at_loss_count(ctx), 1);
        /* examples/bert.place:16: inverse_count "->": 8 B, 1 flop */
        ctx->at = LINE_16_computing_in_step;
        prt_launch(ctx, KERNEL_inverse_count_f32_s, 0, &(prt_arguments){
            .arrays = {at_loss_inverse_count(ctx), at_loss_count(ctx)},
        });
        /* examples/bert.place:16: mul ",->": 12 B, 1 flop */
        prt_launch(ctx, KERNEL_mul_f32_s_s, 0, &(prt_arguments){
            .arrays = {at_loss(ctx), at_loss_total(ctx), at_loss_inverse_count(ctx)},
        });
        /* examples/bert.place:16: fill: 4 B */
        prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_term_weight(ctx)}, .numbers = {1}});
        /* examples/bert.place:16: mul ",->": 12 B, 1 flop */
        prt_launch(ctx, KERNEL_mul_f32_s_s, 0, &(prt_arguments){
            .arrays = {at_term_weight_2(ctx), at_loss_inverse_count(ctx), at_term_weight(ctx)},
        });
        /* examples/bert.place:16: masked ",ab->ab": 4.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_masked_f32_s_i, 0, &(prt_arguments){
            .arrays = {at_d_loss_terms(ctx), at_term_weight_2(ctx), at_loss_mask(ctx)},
            .extents = {512},
        });
        /* examples/bert.place:16: log_loss_bwd "btv,bt,bt,bt,v,bt->btv": 1.01 MiB, 918 kflop */
        prt_launch(ctx, KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i, 0, &(prt_arguments){
            .arrays = {at_d_head(ctx), at_head(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_originals(ctx), at_class_positions(ctx), at_d_loss_terms(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:23: fill: 648 KiB */
        ctx->at = LINE_23_computing_in_step;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx)},
            .extents = {165888},
            .numbers = {0},
        });
        /* examples/bert.place:15: reduce "bto->o": 514 KiB, 131 kflop */
        ctx->at = LINE_15_computing_in_step;
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_head_bias, at_d_head(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:15: einsum "bto,oh->bth": 1.25 MiB, 67.1 Mflop */
        const prt_gemm_shape gemm11 = {
            .m = 512, .n = 256, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 256, .b_column = 1,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm11, at_d_head(ctx), at_parameters_outside(ctx) + OFFSET_token_table, 0,
                 at_d_restored(ctx));
        /* examples/bert.place:15: einsum "bto,bth->oh": 1.50 MiB, 67.1 Mflop */
        const prt_gemm_shape gemm12 = {
            .m = 256, .n = 256, .k = 512,
            .a_row = 1, .a_column = 256,
            .b_row = 256, .b_column = 1,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm12, at_d_head(ctx), at_restored(ctx), 1,
                 at_contribution_outside(ctx) + OFFSET_token_table);
        /* examples/bert.place:14: norm_bwd "bth,bt,bt,h,bth->bth": 1.50 MiB, 1.57 Mflop */
        ctx->at = LINE_14_computing_in_step;
        prt_launch(ctx, KERNEL_norm_bwd_f32_ij_i_i_j_ij, 0, &(prt_arguments){
            .arrays = {at_d_h(ctx), at_h(ctx), at_restored_mean(ctx), at_restored_rstd(ctx),
                       at_parameters_outside(ctx) + OFFSET_restored_gain, at_d_restored(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:14: norm_gain_bwd "bth,bt,bt,bth->h": 1.01 MiB, 524 kflop */
        prt_launch(ctx, KERNEL_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_restored_gain, at_h(ctx), at_restored_mean(ctx),
                       at_restored_rstd(ctx), at_d_restored(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:14: reduce "bth->h": 514 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_restored_bias, at_d_restored(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:14: gelu_bwd "abc,abc->abc": 1.50 MiB, 3.15 Mflop */
        prt_launch(ctx, KERNEL_gelu_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_transform(ctx), at_transform(ctx), at_d_h(ctx)},
            .extents = {131072},
        });
        /* examples/bert.place:14: reduce "bto->o": 514 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_transform_bias, at_d_transform(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:14: einsum "bto,oh->bth": 1.25 MiB, 67.1 Mflop */
        const prt_gemm_shape gemm13 = {
            .m = 512, .n = 256, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 256, .b_column = 1,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm13, at_d_transform(ctx), at_parameters_outside(ctx) + OFFSET_transform_weight, 0,
                 at_d_start(ctx));
        /* examples/bert.place:14: einsum "bto,bth->oh": 1.50 MiB, 67.1 Mflop */
        const prt_gemm_shape gemm14 = {
            .m = 256, .n = 256, .k = 512,
            .a_row = 1, .a_column = 256,
            .b_row = 256, .b_column = 1,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm14, at_d_transform(ctx), at_start(ctx, 4), 1,
                 at_contribution_outside(ctx) + OFFSET_transform_weight);
        for (int64_t layer = 3; layer >= 0; layer--) {
            /* examples/bert.place:12: norm_bwd "bth,bt,bt,h,bth->bth": 1.50 MiB, 1.57 Mflop */
            ctx->at = LINE_12_computing_in_step;
            prt_launch(ctx, KERNEL_norm_bwd_f32_ij_i_i_j_ij, 0, &(prt_arguments){
                .arrays = {at_d_block_x_2(ctx), at_block_x_2(ctx, layer), at_block_norm2_mean(ctx, layer),
                           at_block_norm2_rstd(ctx, layer), at_parameters_block(ctx, layer) + OFFSET_block_norm2_gain,
                           at_d_start(ctx)},
                .extents = {512, 256},
            });
            /* examples/bert.place:23: fill: 3.01 MiB */
            ctx->at = LINE_23_computing_in_step;
            prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx)},
                .extents = {789760},
                .numbers = {0},
            });
            /* examples/bert.place:12: norm_gain_bwd "bth,bt,bt,bth->h": 1.01 MiB, 524 kflop */
            ctx->at = LINE_12_computing_in_step;
            prt_launch(ctx, KERNEL_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_norm2_gain, at_block_x_2(ctx, layer),
                           at_block_norm2_mean(ctx, layer), at_block_norm2_rstd(ctx, layer), at_d_start(ctx)},
                .extents = {512, 256},
            });
            /* examples/bert.place:12: reduce "bth->h": 514 KiB, 131 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_norm2_bias, at_d_start(ctx)},
                .extents = {512, 256},
            });
            /* examples/bert.place:12: reduce "bto->o": 514 KiB, 131 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_mlp_down_bias, at_d_block_x_2(ctx)},
                .extents = {512, 256},
            });
            /* examples/bert.place:12: einsum "bto,oh->bth": 3.50 MiB, 268 Mflop */
            const prt_gemm_shape gemm15 = {
                .m = 512, .n = 1024, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 1024, .b_column = 1,
                .c_row = 1024, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm15, at_d_block_x_2(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_mlp_down_weight, 0, at_d_block_mlp_active(ctx));
            /* examples/bert.place:12: einsum "bto,bth->oh": 4.50 MiB, 268 Mflop */
            const prt_gemm_shape gemm16 = {
                .m = 256, .n = 1024, .k = 512,
                .a_row = 1, .a_column = 256,
                .b_row = 1024, .b_column = 1,
                .c_row = 1024, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm16, at_d_block_x_2(ctx), at_block_mlp_active(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_mlp_down_weight);
            /* examples/bert.place:12: gelu_bwd "abc,abc->abc": 6.00 MiB, 12.6 Mflop */
            prt_launch(ctx, KERNEL_gelu_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_block_mlp_up(ctx), at_block_mlp_up(ctx, layer), at_d_block_mlp_active(ctx)},
                .extents = {524288},
            });
            /* examples/bert.place:12: reduce "bto->o": 2.01 MiB, 524 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_mlp_up_bias, at_d_block_mlp_up(ctx)},
                .extents = {512, 1024},
            });
            /* examples/bert.place:12: einsum "bto,oh->bth": 4.00 MiB, 268 Mflop */
            const prt_gemm_shape gemm17 = {
                .m = 512, .n = 256, .k = 1024,
                .a_row = 1024, .a_column = 1,
                .b_row = 256, .b_column = 1,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm17, at_d_block_mlp_up(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_mlp_up_weight, 1, at_d_block_x_2(ctx));
            /* examples/bert.place:12: einsum "bto,bth->oh": 4.50 MiB, 268 Mflop */
            const prt_gemm_shape gemm18 = {
                .m = 1024, .n = 256, .k = 512,
                .a_row = 1, .a_column = 1024,
                .b_row = 256, .b_column = 1,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm18, at_d_block_mlp_up(ctx), at_block_norm1(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_mlp_up_weight);
            /* examples/bert.place:11: norm_bwd "bth,bt,bt,h,bth->bth": 1.50 MiB, 1.57 Mflop */
            ctx->at = LINE_11_computing_in_step;
            prt_launch(ctx, KERNEL_norm_bwd_f32_ij_i_i_j_ij, 0, &(prt_arguments){
                .arrays = {at_d_block_x(ctx), at_block_x(ctx, layer), at_block_norm1_mean(ctx, layer),
                           at_block_norm1_rstd(ctx, layer), at_parameters_block(ctx, layer) + OFFSET_block_norm1_gain,
                           at_d_block_x_2(ctx)},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: norm_gain_bwd "bth,bt,bt,bth->h": 1.01 MiB, 524 kflop */
            prt_launch(ctx, KERNEL_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_norm1_gain, at_block_x(ctx, layer),
                           at_block_norm1_mean(ctx, layer), at_block_norm1_rstd(ctx, layer), at_d_block_x_2(ctx)},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: reduce "bth->h": 514 KiB, 131 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_norm1_bias, at_d_block_x_2(ctx)},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: reduce "bth->h": 514 KiB, 131 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_attn_out_bias, at_d_block_x(ctx)},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: einsum "bth,hnd->btnd": 1.25 MiB, 67.1 Mflop */
            const prt_gemm_shape gemm19 = {
                .m = 512, .n = 256, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 256, .b_column = 1,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm19, at_d_block_x(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_out_weight, 0, at_d_block_attn_mixed(ctx));
            /* examples/bert.place:11: einsum "bth,btnd->hnd": 1.50 MiB, 67.1 Mflop */
            const prt_gemm_shape gemm20 = {
                .m = 256, .n = 256, .k = 512,
                .a_row = 1, .a_column = 256,
                .b_row = 256, .b_column = 1,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm20, at_d_block_x(ctx), at_block_attn_mixed(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_attn_out_weight);
            /* examples/bert.place:11: einsum "btnd,bsnd->bnts": 2.00 MiB, 33.6 Mflop */
            const prt_gemm_shape gemm21 = {
                .m = 128, .n = 128, .k = 64,
                .a_row = 256, .a_column = 1,
                .b_row = 1, .b_column = 256,
                .c_row = 128, .c_column = 1,
                .batch_dims = 2,
                .batch = {4, 4},
                .a_batch = {32768, 64},
                .b_batch = {32768, 64},
                .c_batch = {65536, 16384},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm21, at_d_block_attn_mixed(ctx), at_block_attn_value(ctx, layer), 0,
                     at_d_block_attn_weights(ctx));
            /* examples/bert.place:11: einsum "btnd,bnts->bsnd": 2.00 MiB, 33.6 Mflop */
            const prt_gemm_shape gemm22 = {
                .m = 64, .n = 128, .k = 128,
                .a_row = 1, .a_column = 256,
                .b_row = 128, .b_column = 1,
                .c_row = 1, .c_column = 256,
                .batch_dims = 2,
                .batch = {4, 4},
                .a_batch = {32768, 64},
                .b_batch = {65536, 16384},
                .c_batch = {32768, 64},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm22, at_d_block_attn_mixed(ctx), at_block_attn_weights(ctx, layer), 0,
                     at_d_block_attn_value(ctx));
            /* examples/bert.place:11: softmax_bwd "bnts,bnts->bnts": 3.00 MiB, 1.31 Mflop */
            prt_launch(ctx, KERNEL_softmax_bwd_f32_ij_ij, 0, &(prt_arguments){
                .arrays = {at_d_block_attn_scores(ctx), at_block_attn_weights(ctx, layer),
                           at_d_block_attn_weights(ctx)},
                .extents = {2048, 128},
                .numbers = {0.125},
            });
            /* examples/bert.place:11: einsum "bnts,bsnd->btnd": 2.00 MiB, 33.6 Mflop */
            const prt_gemm_shape gemm23 = {
                .m = 128, .n = 64, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 256, .b_column = 1,
                .c_row = 256, .c_column = 1,
                .batch_dims = 2,
                .batch = {4, 4},
                .a_batch = {65536, 16384},
                .b_batch = {32768, 64},
                .c_batch = {32768, 64},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm23, at_d_block_attn_scores(ctx), at_block_attn_key(ctx, layer), 0,
                     at_d_block_attn_query(ctx));
            /* examples/bert.place:11: einsum "bnts,btnd->bsnd": 2.00 MiB, 33.6 Mflop */
            const prt_gemm_shape gemm24 = {
                .m = 128, .n = 64, .k = 128,
                .a_row = 1, .a_column = 128,
                .b_row = 256, .b_column = 1,
                .c_row = 256, .c_column = 1,
                .batch_dims = 2,
                .batch = {4, 4},
                .a_batch = {65536, 16384},
                .b_batch = {32768, 64},
                .c_batch = {32768, 64},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm24, at_d_block_attn_scores(ctx), at_block_attn_query(ctx, layer), 0,
                     at_d_block_attn_key(ctx));
            /* examples/bert.place:11: reduce "btnd->nd": 514 KiB, 131 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_attn_value_bias, at_d_block_attn_value(ctx)},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: einsum "btnd,ndh->bth": 1.75 MiB, 67.1 Mflop */
            const prt_gemm_shape gemm25 = {
                .m = 512, .n = 256, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 256, .b_column = 1,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm25, at_d_block_attn_value(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_value_weight, 1, at_d_block_x(ctx));
            /* examples/bert.place:11: einsum "btnd,bth->ndh": 1.50 MiB, 67.1 Mflop */
            const prt_gemm_shape gemm26 = {
                .m = 256, .n = 256, .k = 512,
                .a_row = 1, .a_column = 256,
                .b_row = 256, .b_column = 1,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm26, at_d_block_attn_value(ctx), at_start(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_attn_value_weight);
            /* examples/bert.place:11: reduce "btnd->nd": 514 KiB, 131 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_attn_key_bias, at_d_block_attn_key(ctx)},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: einsum "btnd,ndh->bth": 1.75 MiB, 67.1 Mflop */
            const prt_gemm_shape gemm27 = {
                .m = 512, .n = 256, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 256, .b_column = 1,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm27, at_d_block_attn_key(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_key_weight, 1, at_d_block_x(ctx));
            /* examples/bert.place:11: einsum "btnd,bth->ndh": 1.50 MiB, 67.1 Mflop */
            const prt_gemm_shape gemm28 = {
                .m = 256, .n = 256, .k = 512,
                .a_row = 1, .a_column = 256,
                .b_row = 256, .b_column = 1,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm28, at_d_block_attn_key(ctx), at_start(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_attn_key_weight);
            /* examples/bert.place:11: reduce "btnd->nd": 514 KiB, 131 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_attn_query_bias, at_d_block_attn_query(ctx)},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: einsum "btnd,ndh->bth": 1.75 MiB, 67.1 Mflop */
            const prt_gemm_shape gemm29 = {
                .m = 512, .n = 256, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 256, .b_column = 1,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm29, at_d_block_attn_query(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_query_weight, 1, at_d_block_x(ctx));
            /* examples/bert.place:11: einsum "btnd,bth->ndh": 1.50 MiB, 67.1 Mflop */
            const prt_gemm_shape gemm30 = {
                .m = 256, .n = 256, .k = 512,
                .a_row = 1, .a_column = 256,
                .b_row = 256, .b_column = 1,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm30, at_d_block_attn_query(ctx), at_start(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_attn_query_weight);
            /* examples/bert.place:23: reduce_scatter contribution.block over data: payload 3.01 MiB */
            ctx->at = LINE_23_reduce_scatter_contribution_block_over_data;
            prt_reduce_scatter(ctx, CALL_reduce_scatter_contribution_block, 0, at_gradients_block(ctx, layer),
                               at_contribution_block(ctx));
            /* examples/bert.place:11: copy "abc->abc": 1.00 MiB */
            ctx->at = LINE_11_computing_in_step;
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_start(ctx), at_d_block_x(ctx)},
                .extents = {131072},
            });
        }
        /* examples/bert.place:9: norm_bwd "bth,bt,bt,h,bth->bth": 1.50 MiB, 1.57 Mflop */
        ctx->at = LINE_9_computing_in_step;
        prt_launch(ctx, KERNEL_norm_bwd_f32_ij_i_i_j_ij, 0, &(prt_arguments){
            .arrays = {at_d_x_2(ctx), at_x_2(ctx), at_start_mean(ctx), at_start_rstd(ctx),
                       at_parameters_outside(ctx) + OFFSET_start_gain, at_d_start(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:9: norm_gain_bwd "bth,bt,bt,bth->h": 1.01 MiB, 524 kflop */
        prt_launch(ctx, KERNEL_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_start_gain, at_x_2(ctx), at_start_mean(ctx),
                       at_start_rstd(ctx), at_d_start(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:9: reduce "bth->h": 514 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_start_bias, at_d_start(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:8: embed_bwd "bt,bth->vh": 518 KiB, 131 kflop */
        ctx->at = LINE_8_computing_in_step;
        prt_launch(ctx, KERNEL_embed_bwd_f32_i32i_ik_to_jk_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_kind_table, at_segment(ctx), at_d_x_2(ctx)},
            .extents = {512, 2, 256},
        });
        /* examples/bert.place:7: reduce "abc->bc": 768 KiB, 131 kflop */
        ctx->at = LINE_7_computing_in_step;
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_position_table, at_d_x_2(ctx)},
            .extents = {4, 32768},
        });
        /* examples/bert.place:7: embed_bwd "bt,bth->vh": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_embed_bwd_f32_i32i_ik_to_jk_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_token_table, at_tokens(ctx), at_d_x_2(ctx)},
            .extents = {512, 256, 256},
        });
        /* examples/bert.place:23: reduce_scatter contribution.outside over data: payload 648 KiB */
        ctx->at = LINE_23_reduce_scatter_contribution_outside_over_data;
        prt_reduce_scatter(ctx, CALL_reduce_scatter_contribution_outside, 0, at_gradients_outside(ctx),
                           at_contribution_outside(ctx));
        /* examples/bert.place:16: add to loss.sum "->": 12 B */
        ctx->at = LINE_16_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx), at_loss(ctx)}});
    }
    /* examples/bert.place:23: all_reduce loss.sum over data: payload 4 B */
    ctx->at = LINE_23_all_reduce_loss_sum_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_loss_sum, at_loss_sum(ctx), at_loss_sum(ctx), 1);
    /* examples/bert.place:16: output loss: 4 B */
    ctx->at = LINE_16_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_loss_sum(ctx), 1);
    /* examples/bert.place:25: fill: 4 B */
    ctx->at = LINE_25_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_norm_squared(ctx)}, .numbers = {0}});
    /* examples/bert.place:24: rate "->": 8 B, 8 flop */
    ctx->at = LINE_24_computing_in_step;
    prt_launch(ctx, KERNEL_rate_f32_s, 0, &(prt_arguments){
        .arrays = {at_rate(ctx), at_step(ctx)},
        .numbers = {0.001, 20, 0, 1},
    });
    /* examples/bert.place:24: output learning_rate: 4 B */
    ctx->at = LINE_24_output_learning_rate;
    prt_output(ctx, "learning_rate", PRT_F32, at_rate(ctx), 1);
    /* examples/bert.place:24: correction "->": 8 B, 4 flop */
    ctx->at = LINE_24_computing_in_step;
    prt_launch(ctx, KERNEL_correction_f32_s, 0, &(prt_arguments){
        .arrays = {at_correction1(ctx), at_step(ctx)},
        .numbers = {0.9},
    });
    /* examples/bert.place:24: correction "->": 8 B, 4 flop */
    prt_launch(ctx, KERNEL_correction_f32_s, 0, &(prt_arguments){
        .arrays = {at_correction2(ctx), at_step(ctx)},
        .numbers = {0.999},
    });
    /* examples/bert.place:24: increment "->": 8 B, 1 flop */
    prt_launch(ctx, KERNEL_increment_f32_s_in_place_a, 0, &(prt_arguments){.arrays = {at_step(ctx)}});
    /* examples/bert.place:25: sum_squares: 324 KiB, 166 kflop */
    ctx->at = LINE_25_computing_in_step;
    prt_launch(ctx, KERNEL_sum_squares_f32_i_to_s_accumulate, 0, &(prt_arguments){
        .arrays = {at_norm_squared(ctx), at_gradients_outside(ctx)},
        .extents = {82944},
    });
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/bert.place:25: sum_squares: 1.51 MiB, 790 kflop */
        ctx->at = LINE_25_computing_in_step;
        prt_launch(ctx, KERNEL_sum_squares_f32_i_to_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_norm_squared(ctx), at_gradients_block(ctx, layer)},
            .extents = {394880},
        });
    }
    /* examples/bert.place:23: all_reduce norm_squared over data: payload 4 B */
    ctx->at = LINE_23_all_reduce_norm_squared_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_norm_squared, at_norm_squared(ctx), at_norm_squared(ctx), 1);
    /* examples/bert.place:25: sqrt "->": 8 B, 2 flop */
    ctx->at = LINE_25_computing_in_step;
    prt_launch(ctx, KERNEL_sqrt_f32_s, 0, &(prt_arguments){.arrays = {at_norm(ctx), at_norm_squared(ctx)}});
    /* examples/bert.place:25: output gradient_norm: 4 B */
    ctx->at = LINE_25_output_gradient_norm;
    prt_output(ctx, "gradient_norm", PRT_F32, at_norm(ctx), 1);
    /* examples/bert.place:25: clip_factor "->": 8 B, 3 flop */
    ctx->at = LINE_25_computing_in_step;
    prt_launch(ctx, KERNEL_clip_factor_f32_s, 0, &(prt_arguments){
        .arrays = {at_clip_factor(ctx), at_norm_squared(ctx)},
        .numbers = {1},
    });
    /* examples/bert.place:25: mul: 648 KiB, 82.9 kflop */
    prt_launch(ctx, KERNEL_mul_f32_i_s_in_place_a, 0, &(prt_arguments){
        .arrays = {at_gradients_outside(ctx), at_clip_factor(ctx)},
        .extents = {82944},
    });
    /* examples/bert.place:24: ema: 972 KiB, 249 kflop */
    ctx->at = LINE_24_computing_in_step;
    if (ctx->saving_gradients)
        prt_save_gradient(ctx, GRADIENT_outside, 0, at_gradients_outside(ctx));
    prt_launch(ctx, KERNEL_ema_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_adam_m_outside(ctx), at_gradients_outside(ctx)},
        .extents = {82944},
        .numbers = {0.9},
    });
    /* examples/bert.place:24: ema_square: 972 KiB, 332 kflop */
    prt_launch(ctx, KERNEL_ema_square_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_adam_v_outside(ctx), at_gradients_outside(ctx)},
        .extents = {82944},
        .numbers = {0.999},
    });
    /* examples/bert.place:23: slice parameters.outside over data: 972 KiB */
    ctx->at = LINE_23_slice_parameters_outside_over_data;
    prt_slice(ctx, PRT_F32, LAYOUT_outside, LAYOUT_outside_over_data, 0, at_parameter_shard_outside(ctx),
              at_parameters_outside(ctx));
    /* examples/bert.place:24: adamw: 1.27 MiB, 746 kflop */
    ctx->at = LINE_24_computing_in_step;
    prt_launch(ctx, KERNEL_adamw_f32_i_i_i_s_s_s_in_place_a, 0, &(prt_arguments){
        .arrays = {at_parameter_shard_outside(ctx), at_adam_m_outside(ctx), at_adam_v_outside(ctx), at_rate(ctx),
                   at_correction1(ctx), at_correction2(ctx)},
        .extents = {82944},
        .numbers = {1e-08, 0.01},
    });
    /* examples/bert.place:23: all_gather parameter_shard.outside over data: payload 648 KiB */
    ctx->at = LINE_23_all_gather_parameter_shard_outside_over_data;
    prt_all_gather(ctx, CALL_all_gather_parameter_shard_outside, 0, at_parameters_outside(ctx),
                   at_parameter_shard_outside(ctx));
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/bert.place:25: mul: 3.01 MiB, 395 kflop */
        ctx->at = LINE_25_computing_in_step;
        prt_launch(ctx, KERNEL_mul_f32_i_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_gradients_block(ctx, layer), at_clip_factor(ctx)},
            .extents = {394880},
        });
        /* examples/bert.place:24: ema: 4.52 MiB, 1.18 Mflop */
        ctx->at = LINE_24_computing_in_step;
        if (ctx->saving_gradients)
            prt_save_gradient(ctx, GRADIENT_block, layer, at_gradients_block(ctx, layer));
        prt_launch(ctx, KERNEL_ema_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_adam_m_block(ctx, layer), at_gradients_block(ctx, layer)},
            .extents = {394880},
            .numbers = {0.9},
        });
        /* examples/bert.place:24: ema_square: 4.52 MiB, 1.58 Mflop */
        prt_launch(ctx, KERNEL_ema_square_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_adam_v_block(ctx, layer), at_gradients_block(ctx, layer)},
            .extents = {394880},
            .numbers = {0.999},
        });
        /* examples/bert.place:23: slice parameters.block over data: 4.52 MiB */
        ctx->at = LINE_23_slice_parameters_block_over_data;
        prt_slice(ctx, PRT_F32, LAYOUT_block, LAYOUT_block_over_data, 0, at_parameter_shard_block(ctx),
                  at_parameters_block(ctx, layer));
        /* examples/bert.place:24: adamw: 6.03 MiB, 3.55 Mflop */
        ctx->at = LINE_24_computing_in_step;
        prt_launch(ctx, KERNEL_adamw_f32_i_i_i_s_s_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_parameter_shard_block(ctx), at_adam_m_block(ctx, layer), at_adam_v_block(ctx, layer),
                       at_rate(ctx), at_correction1(ctx), at_correction2(ctx)},
            .extents = {394880},
            .numbers = {1e-08, 0.01},
        });
        /* examples/bert.place:23: all_gather parameter_shard.block over data: payload 3.01 MiB */
        ctx->at = LINE_23_all_gather_parameter_shard_block_over_data;
        prt_all_gather(ctx, CALL_all_gather_parameter_shard_block, 0, at_parameters_block(ctx, layer),
                       at_parameter_shard_block(ctx));
    }
}

/* The loss on examples that are held out. */
static void eval(prt_context *ctx)
{
    /* examples/bert.place:16: fill: 4 B */
    ctx->at = LINE_16_computing_in_eval;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_eval_loss_count_sum(ctx)}, .numbers = {0}});
    /* examples/bert.place:16: fill: 4 B */
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_eval_loss_total_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 1; micro++) {
        /* examples/bert.place:5: read tokens: 2.00 KiB */
        ctx->at = LINE_5_read_tokens;
        prt_read(ctx, INPUT_tokens, LAYOUT_8_over_micro_data_by_128, micro, at_eval_tokens(ctx));
        /* examples/bert.place:5: read segment: 2.00 KiB */
        ctx->at = LINE_5_read_segment;
        prt_read(ctx, INPUT_segment, LAYOUT_8_over_micro_data_by_128, micro, at_eval_segment(ctx));
        /* examples/bert.place:5: read originals: 2.00 KiB */
        ctx->at = LINE_5_read_originals;
        prt_read(ctx, INPUT_originals, LAYOUT_8_over_micro_data_by_128, micro, at_eval_originals(ctx));
        /* examples/bert.place:5: read masked: 2.00 KiB */
        ctx->at = LINE_5_read_masked;
        prt_read(ctx, INPUT_masked, LAYOUT_8_over_micro_data_by_128, micro, at_eval_masked(ctx));
        /* examples/bert.place:7: embed "bt,vh->bth": 770 KiB */
        ctx->at = LINE_7_computing_in_eval;
        prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
            .arrays = {at_eval_token(ctx), at_eval_tokens(ctx), at_parameters_outside(ctx) + OFFSET_token_table},
            .extents = {512, 256, 256},
        });
        /* examples/bert.place:7: add "abc,bc->abc": 1.12 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_eval_x(ctx), at_eval_token(ctx), at_parameters_outside(ctx) + OFFSET_position_table},
            .extents = {4, 32768},
        });
        /* examples/bert.place:8: embed "bt,vh->bth": 516 KiB */
        ctx->at = LINE_8_computing_in_eval;
        prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
            .arrays = {at_eval_kind(ctx), at_eval_segment(ctx), at_parameters_outside(ctx) + OFFSET_kind_table},
            .extents = {512, 2, 256},
        });
        /* examples/bert.place:7: add "abc,abc->abc": 1.50 MiB, 131 kflop */
        ctx->at = LINE_7_computing_in_eval;
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_eval_x_2(ctx), at_eval_x(ctx), at_eval_kind(ctx)},
            .extents = {131072},
        });
        /* examples/bert.place:9: row_mean "bth->bt": 514 KiB, 131 kflop */
        ctx->at = LINE_9_computing_in_eval;
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_start_mean(ctx), at_eval_x_2(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:9: row_rstd "bth,bt->bt": 516 KiB, 393 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_start_rstd(ctx), at_eval_x_2(ctx), at_eval_start_mean(ctx)},
            .extents = {512, 256},
            .numbers = {1e-05},
        });
        /* examples/bert.place:9: norm "bth,bt,bt,h,h->bth": 1.01 MiB, 524 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_eval_start(ctx, 0), at_eval_x_2(ctx), at_eval_start_mean(ctx), at_eval_start_rstd(ctx),
                       at_parameters_outside(ctx) + OFFSET_start_gain, at_parameters_outside(ctx) + OFFSET_start_bias},
            .extents = {512, 256},
        });
        for (int64_t layer = 0; layer < 4; layer++) {
            /* examples/bert.place:11: einsum "bth,ndh->btnd": 1.25 MiB, 67.1 Mflop */
            ctx->at = LINE_11_computing_in_eval;
            const prt_gemm_shape gemm31 = {
                .m = 512, .n = 256, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 1, .b_column = 256,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm31, at_eval_start(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_query_weight, 0,
                     at_eval_block_attn_query_product(ctx));
            /* examples/bert.place:11: add "btnd,nd->btnd": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn_query(ctx), at_eval_block_attn_query_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_query_bias},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: einsum "bth,ndh->btnd": 1.25 MiB, 67.1 Mflop */
            const prt_gemm_shape gemm32 = {
                .m = 512, .n = 256, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 1, .b_column = 256,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm32, at_eval_start(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_key_weight, 0,
                     at_eval_block_attn_key_product(ctx));
            /* examples/bert.place:11: add "btnd,nd->btnd": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn_key(ctx), at_eval_block_attn_key_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_key_bias},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: einsum "bth,ndh->btnd": 1.25 MiB, 67.1 Mflop */
            const prt_gemm_shape gemm33 = {
                .m = 512, .n = 256, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 1, .b_column = 256,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm33, at_eval_start(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_value_weight, 0,
                     at_eval_block_attn_value_product(ctx));
            /* examples/bert.place:11: add "btnd,nd->btnd": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn_value(ctx), at_eval_block_attn_value_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_value_bias},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: einsum "btnd,bsnd->bnts": 2.00 MiB, 33.6 Mflop */
            const prt_gemm_shape gemm34 = {
                .m = 128, .n = 128, .k = 64,
                .a_row = 256, .a_column = 1,
                .b_row = 1, .b_column = 256,
                .c_row = 128, .c_column = 1,
                .batch_dims = 2,
                .batch = {4, 4},
                .a_batch = {32768, 64},
                .b_batch = {32768, 64},
                .c_batch = {65536, 16384},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm34, at_eval_block_attn_query(ctx), at_eval_block_attn_key(ctx), 0,
                     at_eval_block_attn_scores(ctx));
            /* examples/bert.place:11: softmax "bnts->bnts": 2.00 MiB, 2.1 Mflop */
            prt_launch(ctx, KERNEL_softmax_f32_ij, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn_weights(ctx), at_eval_block_attn_scores(ctx)},
                .extents = {2048, 128},
                .numbers = {0.125},
            });
            /* examples/bert.place:11: einsum "bnts,bsnd->btnd": 2.00 MiB, 33.6 Mflop */
            const prt_gemm_shape gemm35 = {
                .m = 128, .n = 64, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 256, .b_column = 1,
                .c_row = 256, .c_column = 1,
                .batch_dims = 2,
                .batch = {4, 4},
                .a_batch = {65536, 16384},
                .b_batch = {32768, 64},
                .c_batch = {32768, 64},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm35, at_eval_block_attn_weights(ctx), at_eval_block_attn_value(ctx), 0,
                     at_eval_block_attn_mixed(ctx));
            /* examples/bert.place:11: einsum "btnd,hnd->bth": 1.25 MiB, 67.1 Mflop */
            const prt_gemm_shape gemm36 = {
                .m = 512, .n = 256, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 1, .b_column = 256,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm36, at_eval_block_attn_mixed(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_out_weight, 0,
                     at_eval_block_attn_product(ctx));
            /* examples/bert.place:11: add "bth,h->bth": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn(ctx), at_eval_block_attn_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_out_bias},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: add "abc,abc->abc": 1.50 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_eval_block_x(ctx), at_eval_start(ctx, layer), at_eval_block_attn(ctx)},
                .extents = {131072},
            });
            /* examples/bert.place:11: row_mean "bth->bt": 514 KiB, 131 kflop */
            prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm1_mean(ctx), at_eval_block_x(ctx)},
                .extents = {512, 256},
            });
            /* examples/bert.place:11: row_rstd "bth,bt->bt": 516 KiB, 393 kflop */
            prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm1_rstd(ctx), at_eval_block_x(ctx), at_eval_block_norm1_mean(ctx)},
                .extents = {512, 256},
                .numbers = {1e-05},
            });
            /* examples/bert.place:11: norm "bth,bt,bt,h,h->bth": 1.01 MiB, 524 kflop */
            prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm1(ctx), at_eval_block_x(ctx), at_eval_block_norm1_mean(ctx),
                           at_eval_block_norm1_rstd(ctx), at_parameters_block(ctx, layer) + OFFSET_block_norm1_gain,
                           at_parameters_block(ctx, layer) + OFFSET_block_norm1_bias},
                .extents = {512, 256},
            });
            /* examples/bert.place:12: einsum "bth,oh->bto": 3.50 MiB, 268 Mflop */
            ctx->at = LINE_12_computing_in_eval;
            const prt_gemm_shape gemm37 = {
                .m = 512, .n = 1024, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 1, .b_column = 256,
                .c_row = 1024, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm37, at_eval_block_norm1(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_mlp_up_weight, 0,
                     at_eval_block_mlp_up_product(ctx));
            /* examples/bert.place:12: add "bto,o->bto": 4.00 MiB, 524 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_mlp_up(ctx), at_eval_block_mlp_up_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_mlp_up_bias},
                .extents = {512, 1024},
            });
            /* examples/bert.place:12: gelu "abc->abc": 4.00 MiB, 7.34 Mflop */
            prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
                .arrays = {at_eval_block_mlp_active(ctx), at_eval_block_mlp_up(ctx)},
                .extents = {524288},
            });
            /* examples/bert.place:12: einsum "bth,oh->bto": 3.50 MiB, 268 Mflop */
            const prt_gemm_shape gemm38 = {
                .m = 512, .n = 256, .k = 1024,
                .a_row = 1024, .a_column = 1,
                .b_row = 1, .b_column = 1024,
                .c_row = 256, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm38, at_eval_block_mlp_active(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_mlp_down_weight, 0, at_eval_block_mlp_product(ctx));
            /* examples/bert.place:12: add "bto,o->bto": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_mlp(ctx), at_eval_block_mlp_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_mlp_down_bias},
                .extents = {512, 256},
            });
            /* examples/bert.place:12: add "abc,abc->abc": 1.50 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_eval_block_x_2(ctx), at_eval_block_norm1(ctx), at_eval_block_mlp(ctx)},
                .extents = {131072},
            });
            /* examples/bert.place:12: row_mean "bth->bt": 514 KiB, 131 kflop */
            prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm2_mean(ctx), at_eval_block_x_2(ctx)},
                .extents = {512, 256},
            });
            /* examples/bert.place:12: row_rstd "bth,bt->bt": 516 KiB, 393 kflop */
            prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm2_rstd(ctx), at_eval_block_x_2(ctx), at_eval_block_norm2_mean(ctx)},
                .extents = {512, 256},
                .numbers = {1e-05},
            });
            /* examples/bert.place:12: norm "bth,bt,bt,h,h->bth": 1.01 MiB, 524 kflop */
            prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
                .arrays = {at_eval_start(ctx, layer + 1), at_eval_block_x_2(ctx), at_eval_block_norm2_mean(ctx),
                           at_eval_block_norm2_rstd(ctx), at_parameters_block(ctx, layer) + OFFSET_block_norm2_gain,
                           at_parameters_block(ctx, layer) + OFFSET_block_norm2_bias},
                .extents = {512, 256},
            });
        }
        /* examples/bert.place:14: einsum "bth,oh->bto": 1.25 MiB, 67.1 Mflop */
        ctx->at = LINE_14_computing_in_eval;
        const prt_gemm_shape gemm39 = {
            .m = 512, .n = 256, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 1, .b_column = 256,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm39, at_eval_start(ctx, 4), at_parameters_outside(ctx) + OFFSET_transform_weight,
                 0, at_eval_transform_product(ctx));
        /* examples/bert.place:14: add "bto,o->bto": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_eval_transform(ctx), at_eval_transform_product(ctx),
                       at_parameters_outside(ctx) + OFFSET_transform_bias},
            .extents = {512, 256},
        });
        /* examples/bert.place:14: gelu "abc->abc": 1.00 MiB, 1.84 Mflop */
        prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
            .arrays = {at_eval_h(ctx), at_eval_transform(ctx)},
            .extents = {131072},
        });
        /* examples/bert.place:14: row_mean "bth->bt": 514 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_restored_mean(ctx), at_eval_h(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:14: row_rstd "bth,bt->bt": 516 KiB, 393 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_restored_rstd(ctx), at_eval_h(ctx), at_eval_restored_mean(ctx)},
            .extents = {512, 256},
            .numbers = {1e-05},
        });
        /* examples/bert.place:14: norm "bth,bt,bt,h,h->bth": 1.01 MiB, 524 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_eval_restored(ctx), at_eval_h(ctx), at_eval_restored_mean(ctx), at_eval_restored_rstd(ctx),
                       at_parameters_outside(ctx) + OFFSET_restored_gain,
                       at_parameters_outside(ctx) + OFFSET_restored_bias},
            .extents = {512, 256},
        });
        /* examples/bert.place:15: einsum "bth,oh->bto": 1.25 MiB, 67.1 Mflop */
        ctx->at = LINE_15_computing_in_eval;
        const prt_gemm_shape gemm40 = {
            .m = 512, .n = 256, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 1, .b_column = 256,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm40, at_eval_restored(ctx), at_parameters_outside(ctx) + OFFSET_token_table, 0,
                 at_eval_head_product(ctx));
        /* examples/bert.place:15: add "bto,o->bto": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_eval_head(ctx), at_eval_head_product(ctx), at_parameters_outside(ctx) + OFFSET_head_bias},
            .extents = {512, 256},
        });
        /* examples/bert.place:16: iota: 1.00 KiB */
        ctx->at = LINE_16_computing_in_eval;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_class_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        /* examples/bert.place:16: row_max "btv->bt": 514 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_largest(ctx), at_eval_head(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:16: exp_sum "btv,bt->bt": 516 KiB, 524 kflop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_exp_sum(ctx), at_eval_head(ctx), at_eval_loss_terms_largest(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:16: pick "btv,bt,v->bt": 517 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_target_logit(ctx), at_eval_head(ctx), at_eval_originals(ctx),
                       at_eval_class_positions(ctx)},
            .extents = {512, 256},
        });
        /* examples/bert.place:16: log_loss "bt,bt,bt->bt": 8.00 KiB, 3.07 kflop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms(ctx), at_eval_loss_terms_largest(ctx), at_eval_loss_terms_exp_sum(ctx),
                       at_eval_loss_terms_target_logit(ctx)},
            .extents = {512},
        });
        /* examples/bert.place:16: fill: 4 B */
        prt_launch(ctx, KERNEL_fill_i32_to_s, 0, &(prt_arguments){
            .arrays = {at_eval_mask_number(ctx)},
            .numbers = {0},
        });
        /* examples/bert.place:16: not_equal "ab,->ab": 4.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_not_equal_f32_i32i_i32s_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_mask(ctx), at_eval_masked(ctx), at_eval_mask_number(ctx)},
            .extents = {512},
        });
        /* examples/bert.place:16: masked "ab,ab->ab": 6.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_masked_f32, 0, &(prt_arguments){
            .arrays = {at_eval_loss_kept(ctx), at_eval_loss_terms(ctx), at_eval_loss_mask(ctx)},
            .extents = {512},
        });
        /* examples/bert.place:16: reduce "ab->": 2.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_eval_loss_total(ctx), at_eval_loss_kept(ctx)},
            .extents = {512},
        });
        /* examples/bert.place:16: reduce "ab->": 2.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_eval_loss_count(ctx), at_eval_loss_mask(ctx)},
            .extents = {512},
        });
        /* examples/bert.place:16: add to eval.loss.count.sum "->": 12 B */
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_eval_loss_count_sum(ctx), at_eval_loss_count(ctx)},
        });
        /* examples/bert.place:16: add to eval.loss.total.sum "->": 12 B */
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_eval_loss_total_sum(ctx), at_eval_loss_total(ctx)},
        });
    }
    /* examples/bert.place:23: all_reduce eval.loss.count.sum over data: payload 4 B */
    ctx->at = LINE_23_all_reduce_eval_loss_count_sum_over_data;
    prt_all_reduce(ctx, CALL_eval_all_reduce_loss_count_sum, at_eval_loss_count_sum(ctx), at_eval_loss_count_sum(ctx),
                   1);
    /* examples/bert.place:23: all_reduce eval.loss.total.sum over data: payload 4 B */
    ctx->at = LINE_23_all_reduce_eval_loss_total_sum_over_data;
    prt_all_reduce(ctx, CALL_eval_all_reduce_loss_total_sum, at_eval_loss_total_sum(ctx), at_eval_loss_total_sum(ctx),
                   1);
    /* examples/bert.place:16: inverse_count "->": 8 B, 1 flop */
    ctx->at = LINE_16_computing_in_eval;
    prt_launch(ctx, KERNEL_inverse_count_f32_s, 0, &(prt_arguments){
        .arrays = {at_eval_loss_inverse_count(ctx), at_eval_loss_count_sum(ctx)},
    });
    /* examples/bert.place:16: mul ",->": 12 B, 1 flop */
    prt_launch(ctx, KERNEL_mul_f32_s_s, 0, &(prt_arguments){
        .arrays = {at_eval_loss(ctx), at_eval_loss_total_sum(ctx), at_eval_loss_inverse_count(ctx)},
    });
    /* examples/bert.place:16: output loss: 4 B */
    ctx->at = LINE_16_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_eval_loss(ctx), 1);
}

/* The model's output on the text so far. */
static void predict(prt_context *ctx)
{
    /* examples/bert.place:5: read tokens: 512 B */
    ctx->at = LINE_5_read_tokens;
    prt_read(ctx, INPUT_tokens, LAYOUT_1_by_128, 0, at_predict_tokens(ctx));
    /* examples/bert.place:5: read segment: 512 B */
    ctx->at = LINE_5_read_segment;
    prt_read(ctx, INPUT_segment, LAYOUT_1_by_128, 0, at_predict_segment(ctx));
    /* examples/bert.place:7: embed "bt,vh->bth": 384 KiB */
    ctx->at = LINE_7_computing_in_predict;
    prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
        .arrays = {at_predict_token(ctx), at_predict_tokens(ctx), at_parameters_outside(ctx) + OFFSET_token_table},
        .extents = {128, 256, 256},
    });
    /* examples/bert.place:7: add "abc,bc->abc": 384 KiB, 32.8 kflop */
    prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
        .arrays = {at_predict_x(ctx), at_predict_token(ctx), at_parameters_outside(ctx) + OFFSET_position_table},
        .extents = {1, 32768},
    });
    /* examples/bert.place:8: embed "bt,vh->bth": 130 KiB */
    ctx->at = LINE_8_computing_in_predict;
    prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
        .arrays = {at_predict_kind(ctx), at_predict_segment(ctx), at_parameters_outside(ctx) + OFFSET_kind_table},
        .extents = {128, 2, 256},
    });
    /* examples/bert.place:7: add "abc,abc->abc": 384 KiB, 32.8 kflop */
    ctx->at = LINE_7_computing_in_predict;
    prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
        .arrays = {at_predict_x_2(ctx), at_predict_x(ctx), at_predict_kind(ctx)},
        .extents = {32768},
    });
    /* examples/bert.place:9: row_mean "bth->bt": 128 KiB, 32.8 kflop */
    ctx->at = LINE_9_computing_in_predict;
    prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
        .arrays = {at_predict_start_mean(ctx), at_predict_x_2(ctx)},
        .extents = {128, 256},
    });
    /* examples/bert.place:9: row_rstd "bth,bt->bt": 129 KiB, 98.3 kflop */
    prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
        .arrays = {at_predict_start_rstd(ctx), at_predict_x_2(ctx), at_predict_start_mean(ctx)},
        .extents = {128, 256},
        .numbers = {1e-05},
    });
    /* examples/bert.place:9: norm "bth,bt,bt,h,h->bth": 259 KiB, 131 kflop */
    prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
        .arrays = {at_predict_start(ctx, 0), at_predict_x_2(ctx), at_predict_start_mean(ctx),
                   at_predict_start_rstd(ctx), at_parameters_outside(ctx) + OFFSET_start_gain,
                   at_parameters_outside(ctx) + OFFSET_start_bias},
        .extents = {128, 256},
    });
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/bert.place:11: einsum "bth,ndh->btnd": 512 KiB, 16.8 Mflop */
        ctx->at = LINE_11_computing_in_predict;
        const prt_gemm_shape gemm41 = {
            .m = 128, .n = 256, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 1, .b_column = 256,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm41, at_predict_start(ctx, layer),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_query_weight, 0,
                 at_predict_block_attn_query_product(ctx));
        /* examples/bert.place:11: add "btnd,nd->btnd": 257 KiB, 32.8 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn_query(ctx), at_predict_block_attn_query_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_attn_query_bias},
            .extents = {128, 256},
        });
        /* examples/bert.place:11: einsum "bth,ndh->btnd": 512 KiB, 16.8 Mflop */
        const prt_gemm_shape gemm42 = {
            .m = 128, .n = 256, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 1, .b_column = 256,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm42, at_predict_start(ctx, layer),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_key_weight, 0,
                 at_predict_block_attn_key_product(ctx));
        /* examples/bert.place:11: add "btnd,nd->btnd": 257 KiB, 32.8 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn_key(ctx), at_predict_block_attn_key_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_attn_key_bias},
            .extents = {128, 256},
        });
        /* examples/bert.place:11: einsum "bth,ndh->btnd": 512 KiB, 16.8 Mflop */
        const prt_gemm_shape gemm43 = {
            .m = 128, .n = 256, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 1, .b_column = 256,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm43, at_predict_start(ctx, layer),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_value_weight, 0,
                 at_predict_block_attn_value_product(ctx));
        /* examples/bert.place:11: add "btnd,nd->btnd": 257 KiB, 32.8 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn_value(ctx), at_predict_block_attn_value_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_attn_value_bias},
            .extents = {128, 256},
        });
        /* examples/bert.place:11: einsum "btnd,bsnd->bnts": 512 KiB, 8.39 Mflop */
        const prt_gemm_shape gemm44 = {
            .m = 128, .n = 128, .k = 64,
            .a_row = 256, .a_column = 1,
            .b_row = 1, .b_column = 256,
            .c_row = 128, .c_column = 1,
            .batch_dims = 2,
            .batch = {1, 4},
            .a_batch = {32768, 64},
            .b_batch = {32768, 64},
            .c_batch = {65536, 16384},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm44, at_predict_block_attn_query(ctx), at_predict_block_attn_key(ctx), 0,
                 at_predict_block_attn_scores(ctx));
        /* examples/bert.place:11: softmax "bnts->bnts": 512 KiB, 524 kflop */
        prt_launch(ctx, KERNEL_softmax_f32_ij, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn_weights(ctx), at_predict_block_attn_scores(ctx)},
            .extents = {512, 128},
            .numbers = {0.125},
        });
        /* examples/bert.place:11: einsum "bnts,bsnd->btnd": 512 KiB, 8.39 Mflop */
        const prt_gemm_shape gemm45 = {
            .m = 128, .n = 64, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 256, .b_column = 1,
            .c_row = 256, .c_column = 1,
            .batch_dims = 2,
            .batch = {1, 4},
            .a_batch = {65536, 16384},
            .b_batch = {32768, 64},
            .c_batch = {32768, 64},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm45, at_predict_block_attn_weights(ctx), at_predict_block_attn_value(ctx), 0,
                 at_predict_block_attn_mixed(ctx));
        /* examples/bert.place:11: einsum "btnd,hnd->bth": 512 KiB, 16.8 Mflop */
        const prt_gemm_shape gemm46 = {
            .m = 128, .n = 256, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 1, .b_column = 256,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm46, at_predict_block_attn_mixed(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_out_weight, 0, at_predict_block_attn_product(ctx));
        /* examples/bert.place:11: add "bth,h->bth": 257 KiB, 32.8 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn(ctx), at_predict_block_attn_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_attn_out_bias},
            .extents = {128, 256},
        });
        /* examples/bert.place:11: add "abc,abc->abc": 384 KiB, 32.8 kflop */
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_predict_block_x(ctx), at_predict_start(ctx, layer), at_predict_block_attn(ctx)},
            .extents = {32768},
        });
        /* examples/bert.place:11: row_mean "bth->bt": 128 KiB, 32.8 kflop */
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm1_mean(ctx), at_predict_block_x(ctx)},
            .extents = {128, 256},
        });
        /* examples/bert.place:11: row_rstd "bth,bt->bt": 129 KiB, 98.3 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm1_rstd(ctx), at_predict_block_x(ctx), at_predict_block_norm1_mean(ctx)},
            .extents = {128, 256},
            .numbers = {1e-05},
        });
        /* examples/bert.place:11: norm "bth,bt,bt,h,h->bth": 259 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm1(ctx), at_predict_block_x(ctx), at_predict_block_norm1_mean(ctx),
                       at_predict_block_norm1_rstd(ctx), at_parameters_block(ctx, layer) + OFFSET_block_norm1_gain,
                       at_parameters_block(ctx, layer) + OFFSET_block_norm1_bias},
            .extents = {128, 256},
        });
        /* examples/bert.place:12: einsum "bth,oh->bto": 1.62 MiB, 67.1 Mflop */
        ctx->at = LINE_12_computing_in_predict;
        const prt_gemm_shape gemm47 = {
            .m = 128, .n = 1024, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 1, .b_column = 256,
            .c_row = 1024, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm47, at_predict_block_norm1(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_mlp_up_weight, 0, at_predict_block_mlp_up_product(ctx));
        /* examples/bert.place:12: add "bto,o->bto": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_mlp_up(ctx), at_predict_block_mlp_up_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_mlp_up_bias},
            .extents = {128, 1024},
        });
        /* examples/bert.place:12: gelu "abc->abc": 1.00 MiB, 1.84 Mflop */
        prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
            .arrays = {at_predict_block_mlp_active(ctx), at_predict_block_mlp_up(ctx)},
            .extents = {131072},
        });
        /* examples/bert.place:12: einsum "bth,oh->bto": 1.62 MiB, 67.1 Mflop */
        const prt_gemm_shape gemm48 = {
            .m = 128, .n = 256, .k = 1024,
            .a_row = 1024, .a_column = 1,
            .b_row = 1, .b_column = 1024,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm48, at_predict_block_mlp_active(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_mlp_down_weight, 0, at_predict_block_mlp_product(ctx));
        /* examples/bert.place:12: add "bto,o->bto": 257 KiB, 32.8 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_mlp(ctx), at_predict_block_mlp_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_mlp_down_bias},
            .extents = {128, 256},
        });
        /* examples/bert.place:12: add "abc,abc->abc": 384 KiB, 32.8 kflop */
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_predict_block_x_2(ctx), at_predict_block_norm1(ctx), at_predict_block_mlp(ctx)},
            .extents = {32768},
        });
        /* examples/bert.place:12: row_mean "bth->bt": 128 KiB, 32.8 kflop */
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm2_mean(ctx), at_predict_block_x_2(ctx)},
            .extents = {128, 256},
        });
        /* examples/bert.place:12: row_rstd "bth,bt->bt": 129 KiB, 98.3 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm2_rstd(ctx), at_predict_block_x_2(ctx), at_predict_block_norm2_mean(ctx)},
            .extents = {128, 256},
            .numbers = {1e-05},
        });
        /* examples/bert.place:12: norm "bth,bt,bt,h,h->bth": 259 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_predict_start(ctx, layer + 1), at_predict_block_x_2(ctx), at_predict_block_norm2_mean(ctx),
                       at_predict_block_norm2_rstd(ctx), at_parameters_block(ctx, layer) + OFFSET_block_norm2_gain,
                       at_parameters_block(ctx, layer) + OFFSET_block_norm2_bias},
            .extents = {128, 256},
        });
    }
    /* examples/bert.place:14: einsum "bth,oh->bto": 512 KiB, 16.8 Mflop */
    ctx->at = LINE_14_computing_in_predict;
    const prt_gemm_shape gemm49 = {
        .m = 128, .n = 256, .k = 256,
        .a_row = 256, .a_column = 1,
        .b_row = 1, .b_column = 256,
        .c_row = 256, .c_column = 1,
    };
    prt_gemm(ctx, 0, PRT_F32, &gemm49, at_predict_start(ctx, 4), at_parameters_outside(ctx) + OFFSET_transform_weight,
             0, at_predict_transform_product(ctx));
    /* examples/bert.place:14: add "bto,o->bto": 257 KiB, 32.8 kflop */
    prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
        .arrays = {at_predict_transform(ctx), at_predict_transform_product(ctx),
                   at_parameters_outside(ctx) + OFFSET_transform_bias},
        .extents = {128, 256},
    });
    /* examples/bert.place:14: gelu "abc->abc": 256 KiB, 459 kflop */
    prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
        .arrays = {at_predict_h(ctx), at_predict_transform(ctx)},
        .extents = {32768},
    });
    /* examples/bert.place:14: row_mean "bth->bt": 128 KiB, 32.8 kflop */
    prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
        .arrays = {at_predict_restored_mean(ctx), at_predict_h(ctx)},
        .extents = {128, 256},
    });
    /* examples/bert.place:14: row_rstd "bth,bt->bt": 129 KiB, 98.3 kflop */
    prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
        .arrays = {at_predict_restored_rstd(ctx), at_predict_h(ctx), at_predict_restored_mean(ctx)},
        .extents = {128, 256},
        .numbers = {1e-05},
    });
    /* examples/bert.place:14: norm "bth,bt,bt,h,h->bth": 259 KiB, 131 kflop */
    prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
        .arrays = {at_predict_restored(ctx), at_predict_h(ctx), at_predict_restored_mean(ctx),
                   at_predict_restored_rstd(ctx), at_parameters_outside(ctx) + OFFSET_restored_gain,
                   at_parameters_outside(ctx) + OFFSET_restored_bias},
        .extents = {128, 256},
    });
    /* examples/bert.place:15: einsum "bth,oh->bto": 512 KiB, 16.8 Mflop */
    ctx->at = LINE_15_computing_in_predict;
    const prt_gemm_shape gemm50 = {
        .m = 128, .n = 256, .k = 256,
        .a_row = 256, .a_column = 1,
        .b_row = 1, .b_column = 256,
        .c_row = 256, .c_column = 1,
    };
    prt_gemm(ctx, 0, PRT_F32, &gemm50, at_predict_restored(ctx), at_parameters_outside(ctx) + OFFSET_token_table, 0,
             at_predict_head_product(ctx));
    /* examples/bert.place:15: add "bto,o->bto": 257 KiB, 32.8 kflop */
    prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
        .arrays = {at_predict_head(ctx), at_predict_head_product(ctx), at_parameters_outside(ctx) + OFFSET_head_bias},
        .extents = {128, 256},
    });
    /* examples/bert.place:16: output logits: 128 KiB */
    ctx->at = LINE_16_output_logits;
    prt_output(ctx, "logits", PRT_F32, at_predict_head(ctx), 32768);
}

/* ---- The plan, for the runtime ---- */

/* Rows of a table. */
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static const prt_tensor tensors[] = {
    [TENSOR_token_table] = {"token.table", NULL, 1, PRT_F32, 2, {256, 256}, PRT_NORMAL, 0.02},
    [TENSOR_position_table] = {"position.table", NULL, 1, PRT_F32, 2, {128, 256}, PRT_NORMAL, 0.02},
    [TENSOR_kind_table] = {"kind.table", NULL, 1, PRT_F32, 2, {2, 256}, PRT_NORMAL, 0.02},
    [TENSOR_start_gain] = {"start.gain", NULL, 1, PRT_F32, 1, {256}, PRT_ONES, 0},
    [TENSOR_start_bias] = {"start.bias", NULL, 1, PRT_F32, 1, {256}, PRT_ZEROS, 0},
    [TENSOR_block_attn_query_weight] =
        {"block.attn.query.weight", "block", 4, PRT_F32, 3, {4, 64, 256}, PRT_NORMAL, 0.02},
    [TENSOR_block_attn_query_bias] = {"block.attn.query.bias", "block", 4, PRT_F32, 2, {4, 64}, PRT_ZEROS, 0},
    [TENSOR_block_attn_key_weight] = {"block.attn.key.weight", "block", 4, PRT_F32, 3, {4, 64, 256}, PRT_NORMAL, 0.02},
    [TENSOR_block_attn_key_bias] = {"block.attn.key.bias", "block", 4, PRT_F32, 2, {4, 64}, PRT_ZEROS, 0},
    [TENSOR_block_attn_value_weight] =
        {"block.attn.value.weight", "block", 4, PRT_F32, 3, {4, 64, 256}, PRT_NORMAL, 0.02},
    [TENSOR_block_attn_value_bias] = {"block.attn.value.bias", "block", 4, PRT_F32, 2, {4, 64}, PRT_ZEROS, 0},
    [TENSOR_block_attn_out_weight] =
        {"block.attn.out.weight", "block", 4, PRT_F32, 3, {256, 4, 64}, PRT_NORMAL, 0.0070710678118654745},
    [TENSOR_block_attn_out_bias] = {"block.attn.out.bias", "block", 4, PRT_F32, 1, {256}, PRT_ZEROS, 0},
    [TENSOR_block_norm1_gain] = {"block.norm1.gain", "block", 4, PRT_F32, 1, {256}, PRT_ONES, 0},
    [TENSOR_block_norm1_bias] = {"block.norm1.bias", "block", 4, PRT_F32, 1, {256}, PRT_ZEROS, 0},
    [TENSOR_block_mlp_up_weight] = {"block.mlp.up.weight", "block", 4, PRT_F32, 2, {1024, 256}, PRT_NORMAL, 0.02},
    [TENSOR_block_mlp_up_bias] = {"block.mlp.up.bias", "block", 4, PRT_F32, 1, {1024}, PRT_ZEROS, 0},
    [TENSOR_block_mlp_down_weight] =
        {"block.mlp.down.weight", "block", 4, PRT_F32, 2, {256, 1024}, PRT_NORMAL, 0.0070710678118654745},
    [TENSOR_block_mlp_down_bias] = {"block.mlp.down.bias", "block", 4, PRT_F32, 1, {256}, PRT_ZEROS, 0},
    [TENSOR_block_norm2_gain] = {"block.norm2.gain", "block", 4, PRT_F32, 1, {256}, PRT_ONES, 0},
    [TENSOR_block_norm2_bias] = {"block.norm2.bias", "block", 4, PRT_F32, 1, {256}, PRT_ZEROS, 0},
    [TENSOR_transform_weight] = {"transform.weight", NULL, 1, PRT_F32, 2, {256, 256}, PRT_NORMAL, 0.0625},
    [TENSOR_transform_bias] = {"transform.bias", NULL, 1, PRT_F32, 1, {256}, PRT_ZEROS, 0},
    [TENSOR_restored_gain] = {"restored.gain", NULL, 1, PRT_F32, 1, {256}, PRT_ONES, 0},
    [TENSOR_restored_bias] = {"restored.bias", NULL, 1, PRT_F32, 1, {256}, PRT_ZEROS, 0},
    [TENSOR_head_bias] = {"head.bias", NULL, 1, PRT_F32, 1, {256}, PRT_ZEROS, 0},
};

static const prt_input inputs[] = {
    [INPUT_tokens] = {"tokens", PRT_I32, PRT_TOKENS, 256, 2, {8, 128}},
    [INPUT_segment] = {"segment", PRT_I32, PRT_SEGMENTS, 2, 2, {8, 128}},
    [INPUT_originals] = {"originals", PRT_I32, PRT_TARGETS, 256, 2, {8, 128}},
    [INPUT_masked] = {"masked", PRT_I32, PRT_MASK, 0, 2, {8, 128}},
};

static const prt_member members_outside[] = {
    {TENSOR_token_table, OFFSET_token_table, NULL},
    {TENSOR_position_table, OFFSET_position_table, NULL},
    {TENSOR_kind_table, OFFSET_kind_table, NULL},
    {TENSOR_start_gain, OFFSET_start_gain, NULL},
    {TENSOR_start_bias, OFFSET_start_bias, NULL},
    {TENSOR_transform_weight, OFFSET_transform_weight, NULL},
    {TENSOR_transform_bias, OFFSET_transform_bias, NULL},
    {TENSOR_restored_gain, OFFSET_restored_gain, NULL},
    {TENSOR_restored_bias, OFFSET_restored_bias, NULL},
    {TENSOR_head_bias, OFFSET_head_bias, NULL},
};

static const prt_member members_block[] = {
    {TENSOR_block_attn_query_weight, OFFSET_block_attn_query_weight, NULL},
    {TENSOR_block_attn_query_bias, OFFSET_block_attn_query_bias, NULL},
    {TENSOR_block_attn_key_weight, OFFSET_block_attn_key_weight, NULL},
    {TENSOR_block_attn_key_bias, OFFSET_block_attn_key_bias, NULL},
    {TENSOR_block_attn_value_weight, OFFSET_block_attn_value_weight, NULL},
    {TENSOR_block_attn_value_bias, OFFSET_block_attn_value_bias, NULL},
    {TENSOR_block_attn_out_weight, OFFSET_block_attn_out_weight, NULL},
    {TENSOR_block_attn_out_bias, OFFSET_block_attn_out_bias, NULL},
    {TENSOR_block_norm1_gain, OFFSET_block_norm1_gain, NULL},
    {TENSOR_block_norm1_bias, OFFSET_block_norm1_bias, NULL},
    {TENSOR_block_mlp_up_weight, OFFSET_block_mlp_up_weight, NULL},
    {TENSOR_block_mlp_up_bias, OFFSET_block_mlp_up_bias, NULL},
    {TENSOR_block_mlp_down_weight, OFFSET_block_mlp_down_weight, NULL},
    {TENSOR_block_mlp_down_bias, OFFSET_block_mlp_down_bias, NULL},
    {TENSOR_block_norm2_gain, OFFSET_block_norm2_gain, NULL},
    {TENSOR_block_norm2_bias, OFFSET_block_norm2_bias, NULL},
};

static const prt_unit units[] = {
    [UNIT_outside] = {"outside", 0, 0, COUNT(members_outside), members_outside, 165888},
    [UNIT_block] = {"block", 0, 3, COUNT(members_block), members_block, 789760},
};

static const prt_state states[] = {
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 663552,
        .layout = LAYOUT_outside,
        .tensor = -1,
    },
    {
        .state = "adam_m",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_m_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 331776,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    {
        .state = "adam_v",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_v_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 331776,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_block,
        .dtype = PRT_F32,
        .slots = 4,
        .slot_bytes = 3159040,
        .layout = LAYOUT_block,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 3}},
    },
    {
        .state = "adam_m",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_m_block,
        .dtype = PRT_F32,
        .slots = 4,
        .slot_bytes = 1579520,
        .layout = LAYOUT_block_over_data,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 3}},
    },
    {
        .state = "adam_v",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_v_block,
        .dtype = PRT_F32,
        .slots = 4,
        .slot_bytes = 1579520,
        .layout = LAYOUT_block_over_data,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 3}},
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
        .slot_bytes = 331776,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    [GRADIENT_block] = {
        .state = "gradients",
        .dtype = PRT_F32,
        .slots = 4,
        .slot_bytes = 1579520,
        .layout = LAYOUT_block_over_data,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 3}},
    },
};

static const prt_group groups[] = {
    [GROUP_data] = {1, {AXIS_data}},
};

static const prt_call calls[] = {
    [CALL_all_reduce_loss_count] = {
        .op = PRT_ALL_REDUCE,
        .state = "loss.count",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_scalar,
        .into = LAYOUT_scalar,
        .event = -1,
        .stream = 0,
        .source = LINE_16_all_reduce_loss_count_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 4,
    },
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
        .source = LINE_23_reduce_scatter_contribution_block_over_data,
        .calls_per_step = (const int64_t[]){4},
        .payload_bytes = 3159040,
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
        .source = LINE_23_reduce_scatter_contribution_outside_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 663552,
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
        .source = LINE_23_all_reduce_loss_sum_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 4,
    },
    [CALL_all_reduce_norm_squared] = {
        .op = PRT_ALL_REDUCE,
        .state = "norm_squared",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_scalar,
        .into = LAYOUT_scalar,
        .event = -1,
        .stream = 0,
        .source = LINE_23_all_reduce_norm_squared_over_data,
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
        .source = LINE_23_all_gather_parameter_shard_outside_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 663552,
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
        .source = LINE_23_all_gather_parameter_shard_block_over_data,
        .calls_per_step = (const int64_t[]){4},
        .payload_bytes = 3159040,
    },
    [CALL_eval_all_reduce_loss_count_sum] = {
        .op = PRT_ALL_REDUCE,
        .state = "eval.loss.count.sum",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_scalar,
        .into = LAYOUT_scalar,
        .event = -1,
        .stream = 0,
        .source = LINE_23_all_reduce_eval_loss_count_sum_over_data,
        .calls_per_step = (const int64_t[]){0},
        .payload_bytes = 4,
    },
    [CALL_eval_all_reduce_loss_total_sum] = {
        .op = PRT_ALL_REDUCE,
        .state = "eval.loss.total.sum",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_scalar,
        .into = LAYOUT_scalar,
        .event = -1,
        .stream = 0,
        .source = LINE_23_all_reduce_eval_loss_total_sum_over_data,
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
    [KERNEL_embed_f32_i32i_jk_to_ik] = {
        .entry = "kernel_embed_f32_i32i_jk_to_ik",
        .host = kernel_embed_f32_i32i_jk_to_ik,
        .arrays = {{PRT_F32, "ik"}, {PRT_I32, "i"}, {PRT_F32, "jk"}},
        .array_count = 3, .extent_count = 3, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ik", .operations = 0,
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
    [KERNEL_add_f32] = {
        .entry = "kernel_add_f32",
        .host = kernel_add_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 1,
    },
    [KERNEL_row_mean_f32_ij_to_i] = {
        .entry = "kernel_row_mean_f32_ij_to_i",
        .host = kernel_row_mean_f32_ij_to_i,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "ij"}},
        .array_count = 2, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 1,
    },
    [KERNEL_row_rstd_f32_ij_i_to_i] = {
        .entry = "kernel_row_rstd_f32_ij_i_to_i",
        .host = kernel_row_rstd_f32_ij_i_to_i,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "ij"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 2, .number_count = 1,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 3,
    },
    [KERNEL_norm_f32_ij_i_i_j_j] = {
        .entry = "kernel_norm_f32_ij_i_i_j_j",
        .host = kernel_norm_f32_ij_i_i_j_j,
        .arrays = {{PRT_F32, "ij"}, {PRT_F32, "ij"}, {PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "j"}, {PRT_F32, "j"}},
        .array_count = 6, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ij", .per_thread = true,
        .space = "ij", .operations = 4,
    },
    [KERNEL_softmax_f32_ij] = {
        .entry = "kernel_softmax_f32_ij",
        .host = kernel_softmax_f32_ij,
        .arrays = {{PRT_F32, "ij"}, {PRT_F32, "ij"}},
        .array_count = 2, .extent_count = 2, .number_count = 1,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 8,
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
    [KERNEL_fill_i32_to_s] = {
        .entry = "kernel_fill_i32_to_s",
        .host = kernel_fill_i32_to_s,
        .arrays = {{PRT_I32, ""}},
        .array_count = 1, .extent_count = 0, .number_count = 1,
        .reads_result = false,
        .split = "", .work = "", .per_thread = true,
        .space = "", .operations = 0,
    },
    [KERNEL_not_equal_f32_i32i_i32s_to_i] = {
        .entry = "kernel_not_equal_f32_i32i_i32s_to_i",
        .host = kernel_not_equal_f32_i32i_i32s_to_i,
        .arrays = {{PRT_F32, "i"}, {PRT_I32, "i"}, {PRT_I32, ""}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 1,
    },
    [KERNEL_masked_f32] = {
        .entry = "kernel_masked_f32",
        .host = kernel_masked_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 1,
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
    [KERNEL_inverse_count_f32_s] = {
        .entry = "kernel_inverse_count_f32_s",
        .host = kernel_inverse_count_f32_s,
        .arrays = {{PRT_F32, ""}, {PRT_F32, ""}},
        .array_count = 2, .extent_count = 0, .number_count = 0,
        .reads_result = false,
        .split = "", .work = "", .per_thread = true,
        .space = "", .operations = 1,
    },
    [KERNEL_mul_f32_s_s] = {
        .entry = "kernel_mul_f32_s_s",
        .host = kernel_mul_f32_s_s,
        .arrays = {{PRT_F32, ""}, {PRT_F32, ""}, {PRT_F32, ""}},
        .array_count = 3, .extent_count = 0, .number_count = 0,
        .reads_result = false,
        .split = "", .work = "", .per_thread = true,
        .space = "", .operations = 1,
    },
    [KERNEL_masked_f32_s_i] = {
        .entry = "kernel_masked_f32_s_i",
        .host = kernel_masked_f32_s_i,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, ""}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 1,
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
    [KERNEL_norm_bwd_f32_ij_i_i_j_ij] = {
        .entry = "kernel_norm_bwd_f32_ij_i_i_j_ij",
        .host = kernel_norm_bwd_f32_ij_i_i_j_ij,
        .arrays = {{PRT_F32, "ij"}, {PRT_F32, "ij"}, {PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "j"}, {PRT_F32, "ij"}},
        .array_count = 6, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 12,
    },
    [KERNEL_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate] = {
        .entry = "kernel_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate",
        .host = kernel_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate,
        .arrays = {{PRT_F32, "j"}, {PRT_F32, "ij"}, {PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "ij"}},
        .array_count = 5, .extent_count = 2, .number_count = 0,
        .reads_result = true,
        .split = "j", .work = "j", .per_thread = true,
        .space = "ij", .operations = 4,
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
    [KERNEL_softmax_bwd_f32_ij_ij] = {
        .entry = "kernel_softmax_bwd_f32_ij_ij",
        .host = kernel_softmax_bwd_f32_ij_ij,
        .arrays = {{PRT_F32, "ij"}, {PRT_F32, "ij"}, {PRT_F32, "ij"}},
        .array_count = 3, .extent_count = 2, .number_count = 1,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 5,
    },
    [KERNEL_copy_f32] = {
        .entry = "kernel_copy_f32",
        .host = kernel_copy_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 0,
    },
    [KERNEL_embed_bwd_f32_i32i_ik_to_jk_accumulate] = {
        .entry = "kernel_embed_bwd_f32_i32i_ik_to_jk_accumulate",
        .host = kernel_embed_bwd_f32_i32i_ik_to_jk_accumulate,
        .arrays = {{PRT_F32, "jk"}, {PRT_I32, "i"}, {PRT_F32, "ik"}},
        .array_count = 3, .extent_count = 3, .number_count = 0,
        .reads_result = true,
        .split = "k", .work = "k", .per_thread = true,
        .space = "ik", .operations = 1,
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
    [KERNEL_sum_squares_f32_i_to_s_accumulate] = {
        .entry = "kernel_sum_squares_f32_i_to_s_accumulate",
        .host = kernel_sum_squares_f32_i_to_s_accumulate,
        .arrays = {{PRT_F32, ""}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 0,
        .reads_result = true,
        .split = "", .work = "", .per_thread = false,
        .space = "i", .operations = 2,
    },
    [KERNEL_sqrt_f32_s] = {
        .entry = "kernel_sqrt_f32_s",
        .host = kernel_sqrt_f32_s,
        .arrays = {{PRT_F32, ""}, {PRT_F32, ""}},
        .array_count = 2, .extent_count = 0, .number_count = 0,
        .reads_result = false,
        .split = "", .work = "", .per_thread = true,
        .space = "", .operations = 2,
    },
    [KERNEL_clip_factor_f32_s] = {
        .entry = "kernel_clip_factor_f32_s",
        .host = kernel_clip_factor_f32_s,
        .arrays = {{PRT_F32, ""}, {PRT_F32, ""}},
        .array_count = 2, .extent_count = 0, .number_count = 1,
        .reads_result = false,
        .split = "", .work = "", .per_thread = true,
        .space = "", .operations = 3,
    },
    [KERNEL_mul_f32_i_s_in_place_a] = {
        .entry = "kernel_mul_f32_i_s_in_place_a",
        .host = kernel_mul_f32_i_s_in_place_a,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, ""}},
        .array_count = 2, .extent_count = 1, .number_count = 0,
        .reads_result = true,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 1,
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
    [LAYOUT_8_over_micro_data_by_128] =
        {.unit = -1, .dim_count = 2, .dims = {{.size = 8, .cut_count = 2, .cut = {PRT_MICRO, AXIS_data}}, {.size = 128}}},
    [LAYOUT_scalar] = {.unit = -1},
    [LAYOUT_block_over_data] = {.unit = UNIT_block, .cut_count = 1, .cut = {AXIS_data}},
    [LAYOUT_outside_over_data] = {.unit = UNIT_outside, .cut_count = 1, .cut = {AXIS_data}},
    [LAYOUT_1_by_128] = {.unit = -1, .dim_count = 2, .dims = {{.size = 1}, {.size = 128}}},
};

static const prt_class classes[] = {
    {
        .memory = {13299712, 6649856, 13299716, 43225096, 3822592, 0, 180},
    },
};

static const prt_buffer buffers[] = {
    {.name = "parameters.outside", .tier = PRT_DEVICE, .offset = ARENA_parameters_outside, .bytes = 663552},
    {.name = "gradients.outside", .tier = PRT_DEVICE, .offset = ARENA_gradients_outside, .bytes = 331776},
    {.name = "contribution.outside", .tier = PRT_DEVICE, .offset = ARENA_contribution_outside, .bytes = 663552},
    {.name = "adam_m.outside", .tier = PRT_DEVICE, .offset = ARENA_adam_m_outside, .bytes = 331776},
    {.name = "adam_v.outside", .tier = PRT_DEVICE, .offset = ARENA_adam_v_outside, .bytes = 331776},
    {.name = "parameters.block", .tier = PRT_DEVICE, .offset = ARENA_parameters_block, .bytes = 12636160},
    {.name = "gradients.block", .tier = PRT_DEVICE, .offset = ARENA_gradients_block, .bytes = 6318080},
    {.name = "contribution.block", .tier = PRT_DEVICE, .offset = ARENA_contribution_block, .bytes = 3159040},
    {.name = "adam_m.block", .tier = PRT_DEVICE, .offset = ARENA_adam_m_block, .bytes = 6318080},
    {.name = "adam_v.block", .tier = PRT_DEVICE, .offset = ARENA_adam_v_block, .bytes = 6318080},
    {.name = "step", .tier = PRT_DEVICE, .offset = ARENA_step, .bytes = 4},
    {.name = "loss.sum", .tier = PRT_DEVICE, .offset = ARENA_loss_sum, .bytes = 4},
    {.name = "tokens", .tier = PRT_DEVICE, .offset = ARENA_tokens, .bytes = 2048},
    {.name = "segment", .tier = PRT_DEVICE, .offset = ARENA_segment, .bytes = 2048},
    {.name = "originals", .tier = PRT_DEVICE, .offset = ARENA_originals, .bytes = 2048},
    {.name = "masked", .tier = PRT_DEVICE, .offset = ARENA_masked, .bytes = 2048},
    {.name = "token", .tier = PRT_DEVICE, .offset = ARENA_token, .bytes = 524288},
    {.name = "x", .tier = PRT_DEVICE, .offset = ARENA_x, .bytes = 524288},
    {.name = "kind", .tier = PRT_DEVICE, .offset = ARENA_kind, .bytes = 524288},
    {.name = "x.2", .tier = PRT_DEVICE, .offset = ARENA_x_2, .bytes = 524288},
    {.name = "start.mean", .tier = PRT_DEVICE, .offset = ARENA_start_mean, .bytes = 2048},
    {.name = "start.rstd", .tier = PRT_DEVICE, .offset = ARENA_start_rstd, .bytes = 2048},
    {.name = "start", .tier = PRT_DEVICE, .offset = ARENA_start, .bytes = 2621440},
    {.name = "block.attn.query.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_query_product, .bytes = 524288},
    {.name = "block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_block_attn_query, .bytes = 2097152},
    {.name = "block.attn.key.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_key_product, .bytes = 524288},
    {.name = "block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_block_attn_key, .bytes = 2097152},
    {.name = "block.attn.value.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_value_product, .bytes = 524288},
    {.name = "block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_block_attn_value, .bytes = 2097152},
    {.name = "block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_block_attn_scores, .bytes = 1048576},
    {.name = "block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_block_attn_weights, .bytes = 4194304},
    {.name = "block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_block_attn_mixed, .bytes = 2097152},
    {.name = "block.attn.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_product, .bytes = 524288},
    {.name = "block.attn", .tier = PRT_DEVICE, .offset = ARENA_block_attn, .bytes = 524288},
    {.name = "block.x", .tier = PRT_DEVICE, .offset = ARENA_block_x, .bytes = 2097152},
    {.name = "block.norm1.mean", .tier = PRT_DEVICE, .offset = ARENA_block_norm1_mean, .bytes = 8192},
    {.name = "block.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_block_norm1_rstd, .bytes = 8192},
    {.name = "block.norm1", .tier = PRT_DEVICE, .offset = ARENA_block_norm1, .bytes = 2097152},
    {.name = "block.mlp.up.product", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_up_product, .bytes = 2097152},
    {.name = "block.mlp.up", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_up, .bytes = 8388608},
    {.name = "block.mlp.active", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_active, .bytes = 8388608},
    {.name = "block.mlp.product", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_product, .bytes = 524288},
    {.name = "block.mlp", .tier = PRT_DEVICE, .offset = ARENA_block_mlp, .bytes = 524288},
    {.name = "block.x.2", .tier = PRT_DEVICE, .offset = ARENA_block_x_2, .bytes = 2097152},
    {.name = "block.norm2.mean", .tier = PRT_DEVICE, .offset = ARENA_block_norm2_mean, .bytes = 8192},
    {.name = "block.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_block_norm2_rstd, .bytes = 8192},
    {.name = "transform.product", .tier = PRT_DEVICE, .offset = ARENA_transform_product, .bytes = 524288},
    {.name = "transform", .tier = PRT_DEVICE, .offset = ARENA_transform, .bytes = 524288},
    {.name = "h", .tier = PRT_DEVICE, .offset = ARENA_h, .bytes = 524288},
    {.name = "restored.mean", .tier = PRT_DEVICE, .offset = ARENA_restored_mean, .bytes = 2048},
    {.name = "restored.rstd", .tier = PRT_DEVICE, .offset = ARENA_restored_rstd, .bytes = 2048},
    {.name = "restored", .tier = PRT_DEVICE, .offset = ARENA_restored, .bytes = 524288},
    {.name = "head.product", .tier = PRT_DEVICE, .offset = ARENA_head_product, .bytes = 524288},
    {.name = "head", .tier = PRT_DEVICE, .offset = ARENA_head, .bytes = 524288},
    {.name = "class_positions", .tier = PRT_DEVICE, .offset = ARENA_class_positions, .bytes = 1024},
    {.name = "loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_largest, .bytes = 2048},
    {.name = "loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_exp_sum, .bytes = 2048},
    {.name = "loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_target_logit, .bytes = 2048},
    {.name = "loss.terms", .tier = PRT_DEVICE, .offset = ARENA_loss_terms, .bytes = 2048},
    {.name = "mask.number", .tier = PRT_DEVICE, .offset = ARENA_mask_number, .bytes = 4},
    {.name = "loss.mask", .tier = PRT_DEVICE, .offset = ARENA_loss_mask, .bytes = 2048},
    {.name = "loss.kept", .tier = PRT_DEVICE, .offset = ARENA_loss_kept, .bytes = 2048},
    {.name = "loss.total", .tier = PRT_DEVICE, .offset = ARENA_loss_total, .bytes = 4},
    {.name = "loss.count", .tier = PRT_DEVICE, .offset = ARENA_loss_count, .bytes = 4},
    {.name = "loss.inverse_count", .tier = PRT_DEVICE, .offset = ARENA_loss_inverse_count, .bytes = 4},
    {.name = "loss", .tier = PRT_DEVICE, .offset = ARENA_loss, .bytes = 4},
    {.name = "term_weight", .tier = PRT_DEVICE, .offset = ARENA_term_weight, .bytes = 4},
    {.name = "term_weight.2", .tier = PRT_DEVICE, .offset = ARENA_term_weight_2, .bytes = 4},
    {.name = "d_loss.terms", .tier = PRT_DEVICE, .offset = ARENA_d_loss_terms, .bytes = 2048},
    {.name = "d_head", .tier = PRT_DEVICE, .offset = ARENA_d_head, .bytes = 524288},
    {.name = "d_restored", .tier = PRT_DEVICE, .offset = ARENA_d_restored, .bytes = 524288},
    {.name = "d_h", .tier = PRT_DEVICE, .offset = ARENA_d_h, .bytes = 524288},
    {.name = "d_transform", .tier = PRT_DEVICE, .offset = ARENA_d_transform, .bytes = 524288},
    {.name = "d_start", .tier = PRT_DEVICE, .offset = ARENA_d_start, .bytes = 524288},
    {.name = "d_block.x.2", .tier = PRT_DEVICE, .offset = ARENA_d_block_x_2, .bytes = 524288},
    {.name = "d_block.mlp.active", .tier = PRT_DEVICE, .offset = ARENA_d_block_mlp_active, .bytes = 2097152},
    {.name = "d_block.mlp.up", .tier = PRT_DEVICE, .offset = ARENA_d_block_mlp_up, .bytes = 2097152},
    {.name = "d_block.x", .tier = PRT_DEVICE, .offset = ARENA_d_block_x, .bytes = 524288},
    {.name = "d_block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_mixed, .bytes = 524288},
    {.name = "d_block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_weights, .bytes = 1048576},
    {.name = "d_block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_value, .bytes = 524288},
    {.name = "d_block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_scores, .bytes = 1048576},
    {.name = "d_block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_query, .bytes = 524288},
    {.name = "d_block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_key, .bytes = 524288},
    {.name = "d_x.2", .tier = PRT_DEVICE, .offset = ARENA_d_x_2, .bytes = 524288},
    {.name = "norm_squared", .tier = PRT_DEVICE, .offset = ARENA_norm_squared, .bytes = 4},
    {.name = "rate", .tier = PRT_DEVICE, .offset = ARENA_rate, .bytes = 4},
    {.name = "correction1", .tier = PRT_DEVICE, .offset = ARENA_correction1, .bytes = 4},
    {.name = "correction2", .tier = PRT_DEVICE, .offset = ARENA_correction2, .bytes = 4},
    {.name = "norm", .tier = PRT_DEVICE, .offset = ARENA_norm, .bytes = 4},
    {.name = "clip_factor", .tier = PRT_DEVICE, .offset = ARENA_clip_factor, .bytes = 4},
    {.name = "parameter_shard.outside", .tier = PRT_DEVICE, .offset = ARENA_parameter_shard_outside, .bytes = 331776},
    {.name = "parameter_shard.block", .tier = PRT_DEVICE, .offset = ARENA_parameter_shard_block, .bytes = 1579520},
    {.name = "eval.loss.count.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_count_sum, .bytes = 4},
    {.name = "eval.loss.total.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_total_sum, .bytes = 4},
    {.name = "eval.tokens", .tier = PRT_DEVICE, .offset = ARENA_eval_tokens, .bytes = 2048},
    {.name = "eval.segment", .tier = PRT_DEVICE, .offset = ARENA_eval_segment, .bytes = 2048},
    {.name = "eval.originals", .tier = PRT_DEVICE, .offset = ARENA_eval_originals, .bytes = 2048},
    {.name = "eval.masked", .tier = PRT_DEVICE, .offset = ARENA_eval_masked, .bytes = 2048},
    {.name = "eval.token", .tier = PRT_DEVICE, .offset = ARENA_eval_token, .bytes = 524288},
    {.name = "eval.x", .tier = PRT_DEVICE, .offset = ARENA_eval_x, .bytes = 524288},
    {.name = "eval.kind", .tier = PRT_DEVICE, .offset = ARENA_eval_kind, .bytes = 524288},
    {.name = "eval.x.2", .tier = PRT_DEVICE, .offset = ARENA_eval_x_2, .bytes = 524288},
    {.name = "eval.start.mean", .tier = PRT_DEVICE, .offset = ARENA_eval_start_mean, .bytes = 2048},
    {.name = "eval.start.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_start_rstd, .bytes = 2048},
    {.name = "eval.start", .tier = PRT_DEVICE, .offset = ARENA_eval_start, .bytes = 2621440},
    {.name = "eval.block.attn.query.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_query_product, .bytes = 524288},
    {.name = "eval.block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_query, .bytes = 524288},
    {.name = "eval.block.attn.key.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_key_product, .bytes = 524288},
    {.name = "eval.block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_key, .bytes = 524288},
    {.name = "eval.block.attn.value.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_value_product, .bytes = 524288},
    {.name = "eval.block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_value, .bytes = 524288},
    {.name = "eval.block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_scores, .bytes = 1048576},
    {.name = "eval.block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_weights, .bytes = 1048576},
    {.name = "eval.block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_mixed, .bytes = 524288},
    {.name = "eval.block.attn.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_product, .bytes = 524288},
    {.name = "eval.block.attn", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn, .bytes = 524288},
    {.name = "eval.block.x", .tier = PRT_DEVICE, .offset = ARENA_eval_block_x, .bytes = 524288},
    {.name = "eval.block.norm1.mean", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm1_mean, .bytes = 2048},
    {.name = "eval.block.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm1_rstd, .bytes = 2048},
    {.name = "eval.block.norm1", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm1, .bytes = 524288},
    {.name = "eval.block.mlp.up.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_mlp_up_product, .bytes = 2097152},
    {.name = "eval.block.mlp.up", .tier = PRT_DEVICE, .offset = ARENA_eval_block_mlp_up, .bytes = 2097152},
    {.name = "eval.block.mlp.active", .tier = PRT_DEVICE, .offset = ARENA_eval_block_mlp_active, .bytes = 2097152},
    {.name = "eval.block.mlp.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_mlp_product, .bytes = 524288},
    {.name = "eval.block.mlp", .tier = PRT_DEVICE, .offset = ARENA_eval_block_mlp, .bytes = 524288},
    {.name = "eval.block.x.2", .tier = PRT_DEVICE, .offset = ARENA_eval_block_x_2, .bytes = 524288},
    {.name = "eval.block.norm2.mean", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm2_mean, .bytes = 2048},
    {.name = "eval.block.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm2_rstd, .bytes = 2048},
    {.name = "eval.transform.product", .tier = PRT_DEVICE, .offset = ARENA_eval_transform_product, .bytes = 524288},
    {.name = "eval.transform", .tier = PRT_DEVICE, .offset = ARENA_eval_transform, .bytes = 524288},
    {.name = "eval.h", .tier = PRT_DEVICE, .offset = ARENA_eval_h, .bytes = 524288},
    {.name = "eval.restored.mean", .tier = PRT_DEVICE, .offset = ARENA_eval_restored_mean, .bytes = 2048},
    {.name = "eval.restored.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_restored_rstd, .bytes = 2048},
    {.name = "eval.restored", .tier = PRT_DEVICE, .offset = ARENA_eval_restored, .bytes = 524288},
    {.name = "eval.head.product", .tier = PRT_DEVICE, .offset = ARENA_eval_head_product, .bytes = 524288},
    {.name = "eval.head", .tier = PRT_DEVICE, .offset = ARENA_eval_head, .bytes = 524288},
    {.name = "eval.class_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_class_positions, .bytes = 1024},
    {.name = "eval.loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_largest, .bytes = 2048},
    {.name = "eval.loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_exp_sum, .bytes = 2048},
    {.name = "eval.loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_target_logit, .bytes = 2048},
    {.name = "eval.loss.terms", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms, .bytes = 2048},
    {.name = "eval.mask.number", .tier = PRT_DEVICE, .offset = ARENA_eval_mask_number, .bytes = 4},
    {.name = "eval.loss.mask", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_mask, .bytes = 2048},
    {.name = "eval.loss.kept", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_kept, .bytes = 2048},
    {.name = "eval.loss.total", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_total, .bytes = 4},
    {.name = "eval.loss.count", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_count, .bytes = 4},
    {.name = "eval.loss.inverse_count", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_inverse_count, .bytes = 4},
    {.name = "eval.loss", .tier = PRT_DEVICE, .offset = ARENA_eval_loss, .bytes = 4},
    {.name = "predict.tokens", .tier = PRT_DEVICE, .offset = ARENA_predict_tokens, .bytes = 512},
    {.name = "predict.segment", .tier = PRT_DEVICE, .offset = ARENA_predict_segment, .bytes = 512},
    {.name = "predict.token", .tier = PRT_DEVICE, .offset = ARENA_predict_token, .bytes = 131072},
    {.name = "predict.x", .tier = PRT_DEVICE, .offset = ARENA_predict_x, .bytes = 131072},
    {.name = "predict.kind", .tier = PRT_DEVICE, .offset = ARENA_predict_kind, .bytes = 131072},
    {.name = "predict.x.2", .tier = PRT_DEVICE, .offset = ARENA_predict_x_2, .bytes = 131072},
    {.name = "predict.start.mean", .tier = PRT_DEVICE, .offset = ARENA_predict_start_mean, .bytes = 512},
    {.name = "predict.start.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_start_rstd, .bytes = 512},
    {.name = "predict.start", .tier = PRT_DEVICE, .offset = ARENA_predict_start, .bytes = 655360},
    {.name = "predict.block.attn.query.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_query_product, .bytes = 131072},
    {.name = "predict.block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_query, .bytes = 131072},
    {.name = "predict.block.attn.key.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_key_product, .bytes = 131072},
    {.name = "predict.block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_key, .bytes = 131072},
    {.name = "predict.block.attn.value.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_value_product, .bytes = 131072},
    {.name = "predict.block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_value, .bytes = 131072},
    {.name = "predict.block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_scores, .bytes = 262144},
    {.name = "predict.block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_weights, .bytes = 262144},
    {.name = "predict.block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_mixed, .bytes = 131072},
    {.name = "predict.block.attn.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_product, .bytes = 131072},
    {.name = "predict.block.attn", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn, .bytes = 131072},
    {.name = "predict.block.x", .tier = PRT_DEVICE, .offset = ARENA_predict_block_x, .bytes = 131072},
    {.name = "predict.block.norm1.mean", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm1_mean, .bytes = 512},
    {.name = "predict.block.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm1_rstd, .bytes = 512},
    {.name = "predict.block.norm1", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm1, .bytes = 131072},
    {.name = "predict.block.mlp.up.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_mlp_up_product, .bytes = 524288},
    {.name = "predict.block.mlp.up", .tier = PRT_DEVICE, .offset = ARENA_predict_block_mlp_up, .bytes = 524288},
    {.name = "predict.block.mlp.active", .tier = PRT_DEVICE, .offset = ARENA_predict_block_mlp_active, .bytes = 524288},
    {.name = "predict.block.mlp.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_mlp_product, .bytes = 131072},
    {.name = "predict.block.mlp", .tier = PRT_DEVICE, .offset = ARENA_predict_block_mlp, .bytes = 131072},
    {.name = "predict.block.x.2", .tier = PRT_DEVICE, .offset = ARENA_predict_block_x_2, .bytes = 131072},
    {.name = "predict.block.norm2.mean", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm2_mean, .bytes = 512},
    {.name = "predict.block.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm2_rstd, .bytes = 512},
    {.name = "predict.transform.product", .tier = PRT_DEVICE, .offset = ARENA_predict_transform_product, .bytes = 131072},
    {.name = "predict.transform", .tier = PRT_DEVICE, .offset = ARENA_predict_transform, .bytes = 131072},
    {.name = "predict.h", .tier = PRT_DEVICE, .offset = ARENA_predict_h, .bytes = 131072},
    {.name = "predict.restored.mean", .tier = PRT_DEVICE, .offset = ARENA_predict_restored_mean, .bytes = 512},
    {.name = "predict.restored.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_restored_rstd, .bytes = 512},
    {.name = "predict.restored", .tier = PRT_DEVICE, .offset = ARENA_predict_restored, .bytes = 131072},
    {.name = "predict.head.product", .tier = PRT_DEVICE, .offset = ARENA_predict_head_product, .bytes = 131072},
    {.name = "predict.head", .tier = PRT_DEVICE, .offset = ARENA_predict_head, .bytes = 131072},
};

static const prt_source sources[] = {
    [NO_LINE_bert] = {"", 0, "bert"},
    [LINE_24_computing_in_init] = {"examples/bert.place", 24, "computing in init"},
    [LINE_7_init] = {"examples/bert.place", 7, "init"},
    [LINE_11_init] = {"examples/bert.place", 11, "init"},
    [LINE_16_computing_in_step] = {"examples/bert.place", 16, "computing in step"},
    [LINE_5_read_tokens] = {"examples/bert.place", 5, "read tokens"},
    [LINE_5_read_segment] = {"examples/bert.place", 5, "read segment"},
    [LINE_5_read_originals] = {"examples/bert.place", 5, "read originals"},
    [LINE_5_read_masked] = {"examples/bert.place", 5, "read masked"},
    [LINE_7_computing_in_step] = {"examples/bert.place", 7, "computing in step"},
    [LINE_8_computing_in_step] = {"examples/bert.place", 8, "computing in step"},
    [LINE_9_computing_in_step] = {"examples/bert.place", 9, "computing in step"},
    [LINE_11_computing_in_step] = {"examples/bert.place", 11, "computing in step"},
    [LINE_12_computing_in_step] = {"examples/bert.place", 12, "computing in step"},
    [LINE_14_computing_in_step] = {"examples/bert.place", 14, "computing in step"},
    [LINE_15_computing_in_step] = {"examples/bert.place", 15, "computing in step"},
    [LINE_16_all_reduce_loss_count_over_data] = {"examples/bert.place", 16, "all_reduce loss.count over data"},
    [LINE_23_computing_in_step] = {"examples/bert.place", 23, "computing in step"},
    [LINE_23_reduce_scatter_contribution_block_over_data] =
        {"examples/bert.place", 23, "reduce_scatter contribution.block over data"},
    [LINE_23_reduce_scatter_contribution_outside_over_data] =
        {"examples/bert.place", 23, "reduce_scatter contribution.outside over data"},
    [LINE_23_all_reduce_loss_sum_over_data] = {"examples/bert.place", 23, "all_reduce loss.sum over data"},
    [LINE_16_output_loss] = {"examples/bert.place", 16, "output loss"},
    [LINE_25_computing_in_step] = {"examples/bert.place", 25, "computing in step"},
    [LINE_24_computing_in_step] = {"examples/bert.place", 24, "computing in step"},
    [LINE_24_output_learning_rate] = {"examples/bert.place", 24, "output learning_rate"},
    [LINE_23_all_reduce_norm_squared_over_data] = {"examples/bert.place", 23, "all_reduce norm_squared over data"},
    [LINE_25_output_gradient_norm] = {"examples/bert.place", 25, "output gradient_norm"},
    [LINE_23_slice_parameters_outside_over_data] = {"examples/bert.place", 23, "slice parameters.outside over data"},
    [LINE_23_all_gather_parameter_shard_outside_over_data] =
        {"examples/bert.place", 23, "all_gather parameter_shard.outside over data"},
    [LINE_23_slice_parameters_block_over_data] = {"examples/bert.place", 23, "slice parameters.block over data"},
    [LINE_23_all_gather_parameter_shard_block_over_data] =
        {"examples/bert.place", 23, "all_gather parameter_shard.block over data"},
    [LINE_16_computing_in_eval] = {"examples/bert.place", 16, "computing in eval"},
    [LINE_7_computing_in_eval] = {"examples/bert.place", 7, "computing in eval"},
    [LINE_8_computing_in_eval] = {"examples/bert.place", 8, "computing in eval"},
    [LINE_9_computing_in_eval] = {"examples/bert.place", 9, "computing in eval"},
    [LINE_11_computing_in_eval] = {"examples/bert.place", 11, "computing in eval"},
    [LINE_12_computing_in_eval] = {"examples/bert.place", 12, "computing in eval"},
    [LINE_14_computing_in_eval] = {"examples/bert.place", 14, "computing in eval"},
    [LINE_15_computing_in_eval] = {"examples/bert.place", 15, "computing in eval"},
    [LINE_23_all_reduce_eval_loss_count_sum_over_data] =
        {"examples/bert.place", 23, "all_reduce eval.loss.count.sum over data"},
    [LINE_23_all_reduce_eval_loss_total_sum_over_data] =
        {"examples/bert.place", 23, "all_reduce eval.loss.total.sum over data"},
    [LINE_7_computing_in_predict] = {"examples/bert.place", 7, "computing in predict"},
    [LINE_8_computing_in_predict] = {"examples/bert.place", 8, "computing in predict"},
    [LINE_9_computing_in_predict] = {"examples/bert.place", 9, "computing in predict"},
    [LINE_11_computing_in_predict] = {"examples/bert.place", 11, "computing in predict"},
    [LINE_12_computing_in_predict] = {"examples/bert.place", 12, "computing in predict"},
    [LINE_14_computing_in_predict] = {"examples/bert.place", 14, "computing in predict"},
    [LINE_15_computing_in_predict] = {"examples/bert.place", 15, "computing in predict"},
    [LINE_16_output_logits] = {"examples/bert.place", 16, "output logits"},
};

static const prt_program program = {
    .format = PRT_FORMAT,
    .name = "bert",
    .file = "examples/bert.place",
    .plan_hash = "f79f1485fe178144",
    .version = "0.1.0",
    .axis_count = 1,
    .axes = {[AXIS_data] = {"data", 2}},
    .compute_dtype = PRT_F32,
    .arena_bytes = {80297152, 0, 0},
    .batch = 8,
    .micro = 1,
    .steps = 100,
    .items_per_step = 1024,
    .item = "tokens",
    .data = PRT_SYNTHETIC,
    .masked = true,
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
