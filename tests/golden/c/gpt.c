/* gpt, trained on a mesh { data: 4 }: the program of every rank. Written by placec from examples/gpt.place; the
 * comments name its lines, and what one execution of a statement costs the rank with the largest pieces. */
#include "place_rt.h"

/* Kernels (kernels.o). */
prt_host_kernel kernel_fill_f32_to_s;
prt_host_kernel kernel_fill_f32;
prt_host_kernel kernel_embed_f32_i32i_jk_to_ik;
prt_host_kernel kernel_add_f32_ij_j;
prt_host_kernel kernel_iota_i32;
prt_host_kernel kernel_row_mean_f32_ij_to_i;
prt_host_kernel kernel_row_rstd_f32_ij_i_to_i;
prt_host_kernel kernel_norm_f32_ij_i_i_j_j;
prt_host_kernel kernel_causal_softmax_f32_ijk_i32j_i32k;
prt_host_kernel kernel_add_f32;
prt_host_kernel kernel_gelu_f32;
prt_host_kernel kernel_row_max_f32_ij_to_i;
prt_host_kernel kernel_exp_sum_f32_ij_i_to_i;
prt_host_kernel kernel_pick_f32_ij_i32i_i32j_to_i;
prt_host_kernel kernel_log_loss_f32;
prt_host_kernel kernel_reduce_f32_i_to_s;
prt_host_kernel kernel_scale_f32_s_in_place_a;
prt_host_kernel kernel_log_loss_bwd_f32_ij_i_i_i32i_i32j_i;
prt_host_kernel kernel_norm_bwd_f32_ij_i_i_j_ij;
prt_host_kernel kernel_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate;
prt_host_kernel kernel_reduce_f32_ij_to_j_accumulate;
prt_host_kernel kernel_gelu_bwd_f32;
prt_host_kernel kernel_norm_bwd_f32_ij_i_i_j_ij_accumulate;
prt_host_kernel kernel_softmax_bwd_f32_ij_ij;
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
    TENSOR_wte_table,
    TENSOR_wpe_table,
    TENSOR_block_norm1_gain,
    TENSOR_block_norm1_bias,
    TENSOR_block_attn_query_weight,
    TENSOR_block_attn_query_bias,
    TENSOR_block_attn_key_weight,
    TENSOR_block_attn_key_bias,
    TENSOR_block_attn_value_weight,
    TENSOR_block_attn_value_bias,
    TENSOR_block_attn_out_weight,
    TENSOR_block_attn_out_bias,
    TENSOR_block_norm2_gain,
    TENSOR_block_norm2_bias,
    TENSOR_block_mlp_up_weight,
    TENSOR_block_mlp_up_bias,
    TENSOR_block_mlp_down_weight,
    TENSOR_block_mlp_down_bias,
    TENSOR_norm_gain,
    TENSOR_norm_bias,
};

/* Inputs, rows of inputs[]. */
enum { INPUT_tokens, INPUT_targets };

/* Units of parameters that lie together, rows of units[]. */
enum { UNIT_outside, UNIT_block };

/* Where elements are, rows of layouts[]. */
enum {
    LAYOUT_outside_over_data,
    LAYOUT_block_over_data,
    LAYOUT_8_over_micro_data_by_256,
    LAYOUT_outside,
    LAYOUT_block,
    LAYOUT_scalar,
    LAYOUT_1_by_256,
};

/* Gradients that updates use, rows of gradients[]. */
enum { GRADIENT_outside, GRADIENT_block };

/* Ranks that communicate, rows of groups[]. */
enum { GROUP_data };

/* Communications, rows of calls[]. */
enum {
    CALL_all_gather_parameters_outside,
    CALL_all_gather_parameters_block,
    CALL_all_gather_parameters_outside_2,
    CALL_all_gather_parameters_block_2,
    CALL_reduce_scatter_contribution_block,
    CALL_reduce_scatter_contribution_outside,
    CALL_all_reduce_loss_sum,
    CALL_all_reduce_norm_squared,
    CALL_eval_all_gather_parameters_outside,
    CALL_eval_all_gather_parameters_block,
    CALL_eval_all_reduce_loss_sum,
    CALL_predict_all_gather_parameters_outside,
    CALL_predict_all_gather_parameters_block,
};

/* Kernels, rows of kernels[]. */
enum {
    KERNEL_fill_f32_to_s,
    KERNEL_fill_f32,
    KERNEL_embed_f32_i32i_jk_to_ik,
    KERNEL_add_f32_ij_j,
    KERNEL_iota_i32,
    KERNEL_row_mean_f32_ij_to_i,
    KERNEL_row_rstd_f32_ij_i_to_i,
    KERNEL_norm_f32_ij_i_i_j_j,
    KERNEL_causal_softmax_f32_ijk_i32j_i32k,
    KERNEL_add_f32,
    KERNEL_gelu_f32,
    KERNEL_row_max_f32_ij_to_i,
    KERNEL_exp_sum_f32_ij_i_to_i,
    KERNEL_pick_f32_ij_i32i_i32j_to_i,
    KERNEL_log_loss_f32,
    KERNEL_reduce_f32_i_to_s,
    KERNEL_scale_f32_s_in_place_a,
    KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i,
    KERNEL_norm_bwd_f32_ij_i_i_j_ij,
    KERNEL_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate,
    KERNEL_reduce_f32_ij_to_j_accumulate,
    KERNEL_gelu_bwd_f32,
    KERNEL_norm_bwd_f32_ij_i_i_j_ij_accumulate,
    KERNEL_softmax_bwd_f32_ij_ij,
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
    NO_LINE_gpt,
    LINE_28_computing_in_init,
    LINE_7_init,
    LINE_9_init,
    LINE_13_computing_in_step,
    LINE_5_read_tokens,
    LINE_5_read_targets,
    LINE_20_all_gather_parameters_outside_over_data,
    LINE_7_computing_in_step,
    LINE_9_computing_in_step,
    LINE_20_all_gather_parameters_block_over_data,
    LINE_10_computing_in_step,
    LINE_12_computing_in_step,
    LINE_21_computing_in_step,
    LINE_21_reduce_scatter_contribution_block_over_data,
    LINE_21_reduce_scatter_contribution_outside_over_data,
    LINE_23_all_reduce_loss_sum_over_data,
    LINE_13_output_loss,
    LINE_29_computing_in_step,
    LINE_28_computing_in_step,
    LINE_28_output_learning_rate,
    LINE_22_all_reduce_norm_squared_over_data,
    LINE_29_output_gradient_norm,
    LINE_13_computing_in_eval,
    LINE_7_computing_in_eval,
    LINE_9_computing_in_eval,
    LINE_10_computing_in_eval,
    LINE_12_computing_in_eval,
    LINE_23_all_reduce_eval_loss_sum_over_data,
    LINE_7_computing_in_predict,
    LINE_9_computing_in_predict,
    LINE_10_computing_in_predict,
    LINE_12_computing_in_predict,
    LINE_13_output_logits,
};

/* Where a parameter is in its unit, in elements. */
#define OFFSET_wte_table 0
#define OFFSET_wpe_table 98304
#define OFFSET_norm_gain 196608
#define OFFSET_norm_bias 196992
#define OFFSET_block_norm1_gain 0
#define OFFSET_block_norm1_bias 384
#define OFFSET_block_attn_query_weight 768
#define OFFSET_block_attn_query_bias 148224
#define OFFSET_block_attn_key_weight 148608
#define OFFSET_block_attn_key_bias 296064
#define OFFSET_block_attn_value_weight 296448
#define OFFSET_block_attn_value_bias 443904
#define OFFSET_block_attn_out_weight 444288
#define OFFSET_block_attn_out_bias 591744
#define OFFSET_block_norm2_gain 592128
#define OFFSET_block_norm2_bias 592512
#define OFFSET_block_mlp_up_weight 592896
#define OFFSET_block_mlp_up_bias 1182720
#define OFFSET_block_mlp_down_weight 1184256
#define OFFSET_block_mlp_down_bias 1774080

/* Where a buffer is in the arena of its tier, in bytes. Buffers that are not in use at the same time share memory. */
#define ARENA_parameters_outside 0
#define ARENA_gradients_outside 32532544
#define ARENA_contribution_outside 158824768
#define ARENA_adam_m_outside 197376
#define ARENA_adam_v_outside 394752
#define ARENA_parameters_block 592128
#define ARENA_gradients_block 89155648
#define ARENA_contribution_block 99802432
#define ARENA_adam_m_block 11238912
#define ARENA_adam_v_block 21885696
#define ARENA_step 32532480
#define ARENA_loss_sum 161238336
#define ARENA_tokens 161236288
#define ARENA_targets 93090880
#define ARENA_full_outside 92301376
#define ARENA_wte 32532544
#define ARENA_x 113998144
#define ARENA_row_positions 93092928
#define ARENA_column_positions 93093952
#define ARENA_full_block 106900288
#define ARENA_block_norm1_mean 161187136
#define ARENA_block_norm1_rstd 161199424
#define ARENA_block_norm1 119503168
#define ARENA_block_attn_query_product 89155648
#define ARENA_block_attn_query 124221760
#define ARENA_block_attn_key_product 89155648
#define ARENA_block_attn_key 128940352
#define ARENA_block_attn_value_product 89155648
#define ARENA_block_attn_value 133658944
#define ARENA_block_attn_scores 89155648
#define ARENA_block_attn_weights 32532544
#define ARENA_block_attn_mixed 138377536
#define ARENA_block_attn_product 89155648
#define ARENA_block_attn 89942080
#define ARENA_block_x 143096128
#define ARENA_block_norm2_mean 161211712
#define ARENA_block_norm2_rstd 161224000
#define ARENA_block_norm2 147814720
#define ARENA_block_mlp_up_product 89155648
#define ARENA_block_mlp_up 51406912
#define ARENA_block_mlp_active 70281280
#define ARENA_block_mlp_product 89155648
#define ARENA_block_mlp 89942080
#define ARENA_norm_mean 91252800
#define ARENA_norm_rstd 91254848
#define ARENA_norm 89155648
#define ARENA_logits 89942080
#define ARENA_class_positions 90474560
#define ARENA_loss_terms_largest 90466368
#define ARENA_loss_terms_exp_sum 90468416
#define ARENA_loss_terms_target_logit 90470464
#define ARENA_loss_terms 90472512
#define ARENA_loss 161238400
#define ARENA_d_loss_terms 90470464
#define ARENA_d_logits 90728512
#define ARENA_d_norm 89942080
#define ARENA_d_x 159614272
#define ARENA_d_block_mlp_active 152533312
#define ARENA_d_block_mlp_up 155679040
#define ARENA_d_block_norm2 152533312
#define ARENA_d_block_attn_mixed 155679040
#define ARENA_d_block_attn_weights 152533312
#define ARENA_d_block_attn_value 160400704
#define ARENA_d_block_attn_scores 155679040
#define ARENA_d_block_attn_query 152533312
#define ARENA_d_block_attn_key 153319744
#define ARENA_d_block_norm1 154106176
#define ARENA_norm_squared 32729920
#define ARENA_rate 32729984
#define ARENA_correction1 32730048
#define ARENA_correction2 32730112
#define ARENA_norm_2 32730176
#define ARENA_clip_factor 32730176
#define ARENA_eval_loss_sum 45119552
#define ARENA_eval_tokens 32532544
#define ARENA_eval_targets 45115456
#define ARENA_eval_wte 38037568
#define ARENA_eval_x 32532544
#define ARENA_eval_row_positions 45117504
#define ARENA_eval_column_positions 45118528
#define ARENA_eval_block_norm1_mean 38824000
#define ARENA_eval_block_norm1_rstd 38826048
#define ARENA_eval_block_norm1 38037568
#define ARENA_eval_block_attn_query_product 38824000
#define ARENA_eval_block_attn_query 41183296
#define ARENA_eval_block_attn_key_product 38824000
#define ARENA_eval_block_attn_key 41969728
#define ARENA_eval_block_attn_value_product 38824000
#define ARENA_eval_block_attn_value 44329024
#define ARENA_eval_block_attn_scores 38037568
#define ARENA_eval_block_attn_weights 41183296
#define ARENA_eval_block_attn_mixed 38037568
#define ARENA_eval_block_attn_product 38824000
#define ARENA_eval_block_attn 38037568
#define ARENA_eval_block_x 44329024
#define ARENA_eval_block_norm2_mean 38037568
#define ARENA_eval_block_norm2_rstd 38039616
#define ARENA_eval_block_norm2 41183296
#define ARENA_eval_block_mlp_up_product 38037568
#define ARENA_eval_block_mlp_up 41183296
#define ARENA_eval_block_mlp_active 38037568
#define ARENA_eval_block_mlp_product 41183296
#define ARENA_eval_block_mlp 38037568
#define ARENA_eval_norm_mean 38824000
#define ARENA_eval_norm_rstd 38826048
#define ARENA_eval_norm 38037568
#define ARENA_eval_logits 32532544
#define ARENA_eval_class_positions 33062976
#define ARENA_eval_loss_terms_largest 33056832
#define ARENA_eval_loss_terms_exp_sum 33058880
#define ARENA_eval_loss_terms_target_logit 33060928
#define ARENA_eval_loss_terms 32532544
#define ARENA_eval_loss 32534592
#define ARENA_predict_tokens 32532544
#define ARENA_predict_wte 35285056
#define ARENA_predict_x 32532544
#define ARENA_predict_row_positions 38824000
#define ARENA_predict_column_positions 38825024
#define ARENA_predict_block_norm1_mean 35678272
#define ARENA_predict_block_norm1_rstd 35679296
#define ARENA_predict_block_norm1 35285056
#define ARENA_predict_block_attn_query_product 35678272
#define ARENA_predict_block_attn_query 36857920
#define ARENA_predict_block_attn_key_product 35678272
#define ARENA_predict_block_attn_key 37251136
#define ARENA_predict_block_attn_value_product 35678272
#define ARENA_predict_block_attn_value 38430784
#define ARENA_predict_block_attn_scores 35285056
#define ARENA_predict_block_attn_weights 36857920
#define ARENA_predict_block_attn_mixed 35285056
#define ARENA_predict_block_attn_product 35678272
#define ARENA_predict_block_attn 35285056
#define ARENA_predict_block_x 38430784
#define ARENA_predict_block_norm2_mean 35285056
#define ARENA_predict_block_norm2_rstd 35286080
#define ARENA_predict_block_norm2 36857920
#define ARENA_predict_block_mlp_up_product 35285056
#define ARENA_predict_block_mlp_up 36857920
#define ARENA_predict_block_mlp_active 35285056
#define ARENA_predict_block_mlp_product 36857920
#define ARENA_predict_block_mlp 35285056
#define ARENA_predict_norm_mean 35678272
#define ARENA_predict_norm_rstd 35679296
#define ARENA_predict_norm 35285056
#define ARENA_predict_logits 32532544

/* ---- Buffers in the arena ---- */

/* parameters.outside: f32 unit outside / data, 193 KiB */
static inline float *at_parameters_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameters_outside);
}

/* gradients.outside: f32 unit outside / data, 193 KiB */
static inline float *at_gradients_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_gradients_outside);
}

/* contribution.outside: f32 unit outside, 771 KiB */
static inline float *at_contribution_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_contribution_outside);
}

/* adam_m.outside: f32 unit outside / data, 193 KiB */
static inline float *at_adam_m_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_adam_m_outside);
}

/* adam_v.outside: f32 unit outside / data, 193 KiB */
static inline float *at_adam_v_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_adam_v_outside);
}

/* parameters.block: f32 unit block / data, 6 slots, 10.2 MiB */
static inline float *at_parameters_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_block) + slot * 443616;
}

/* gradients.block: f32 unit block / data, 6 slots, 10.2 MiB */
static inline float *at_gradients_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_gradients_block) + slot * 443616;
}

/* contribution.block: f32 unit block, 6.77 MiB */
static inline float *at_contribution_block(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_contribution_block);
}

/* adam_m.block: f32 unit block / data, 6 slots, 10.2 MiB */
static inline float *at_adam_m_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_adam_m_block) + slot * 443616;
}

/* adam_v.block: f32 unit block / data, 6 slots, 10.2 MiB */
static inline float *at_adam_v_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_adam_v_block) + slot * 443616;
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

/* tokens: i32 [8 / micro / data, 256], 2.00 KiB */
static inline int32_t *at_tokens(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_tokens);
}

/* targets: i32 [8 / micro / data, 256], 2.00 KiB */
static inline int32_t *at_targets(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_targets);
}

/* full.outside: f32 unit outside, 771 KiB */
static inline float *at_full_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_full_outside);
}

/* wte: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_wte(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wte);
}

/* x: f32 [8 / micro / data, 256, 384], 7 slots, 5.25 MiB */
static inline float *at_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_x) + slot * 196608;
}

/* row_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_row_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_row_positions);
}

/* column_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_column_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_column_positions);
}

/* full.block: f32 unit block, 6.77 MiB */
static inline float *at_full_block(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_full_block);
}

/* block.norm1.mean: f32 [8 / micro / data, 256], 6 slots, 12.0 KiB */
static inline float *at_block_norm1_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm1_mean) + slot * 512;
}

/* block.norm1.rstd: f32 [8 / micro / data, 256], 6 slots, 12.0 KiB */
static inline float *at_block_norm1_rstd(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm1_rstd) + slot * 512;
}

/* block.norm1: f32 [8 / micro / data, 256, 384], 6 slots, 4.50 MiB */
static inline float *at_block_norm1(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm1) + slot * 196608;
}

/* block.attn.query.product: f32 [8 / micro / data, 256, 6, 64], 768 KiB */
static inline float *at_block_attn_query_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_query_product);
}

/* block.attn.query: f32 [8 / micro / data, 256, 6, 64], 6 slots, 4.50 MiB */
static inline float *at_block_attn_query(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_query) + slot * 196608;
}

/* block.attn.key.product: f32 [8 / micro / data, 256, 6, 64], 768 KiB */
static inline float *at_block_attn_key_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_key_product);
}

/* block.attn.key: f32 [8 / micro / data, 256, 6, 64], 6 slots, 4.50 MiB */
static inline float *at_block_attn_key(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_key) + slot * 196608;
}

/* block.attn.value.product: f32 [8 / micro / data, 256, 6, 64], 768 KiB */
static inline float *at_block_attn_value_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_value_product);
}

/* block.attn.value: f32 [8 / micro / data, 256, 6, 64], 6 slots, 4.50 MiB */
static inline float *at_block_attn_value(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_value) + slot * 196608;
}

/* block.attn.scores: f32 [8 / micro / data, 6, 256, 256], 3.00 MiB */
static inline float *at_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_scores);
}

/* block.attn.weights: f32 [8 / micro / data, 6, 256, 256], 6 slots, 18.0 MiB */
static inline float *at_block_attn_weights(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_weights) + slot * 786432;
}

/* block.attn.mixed: f32 [8 / micro / data, 256, 6, 64], 6 slots, 4.50 MiB */
static inline float *at_block_attn_mixed(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_mixed) + slot * 196608;
}

/* block.attn.product: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_block_attn_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_product);
}

/* block.attn: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_block_attn(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn);
}

/* block.x: f32 [8 / micro / data, 256, 384], 6 slots, 4.50 MiB */
static inline float *at_block_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_x) + slot * 196608;
}

/* block.norm2.mean: f32 [8 / micro / data, 256], 6 slots, 12.0 KiB */
static inline float *at_block_norm2_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm2_mean) + slot * 512;
}

/* block.norm2.rstd: f32 [8 / micro / data, 256], 6 slots, 12.0 KiB */
static inline float *at_block_norm2_rstd(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm2_rstd) + slot * 512;
}

/* block.norm2: f32 [8 / micro / data, 256, 384], 6 slots, 4.50 MiB */
static inline float *at_block_norm2(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm2) + slot * 196608;
}

/* block.mlp.up.product: f32 [8 / micro / data, 256, 1536], 3.00 MiB */
static inline float *at_block_mlp_up_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_up_product);
}

/* block.mlp.up: f32 [8 / micro / data, 256, 1536], 6 slots, 18.0 MiB */
static inline float *at_block_mlp_up(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_up) + slot * 786432;
}

/* block.mlp.active: f32 [8 / micro / data, 256, 1536], 6 slots, 18.0 MiB */
static inline float *at_block_mlp_active(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_active) + slot * 786432;
}

/* block.mlp.product: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_block_mlp_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_product);
}

/* block.mlp: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_block_mlp(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_mlp);
}

/* norm.mean: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_norm_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_mean);
}

/* norm.rstd: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_norm_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_rstd);
}

/* norm: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm);
}

/* logits: f32 [8 / micro / data, 256, 256], 512 KiB */
static inline float *at_logits(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_logits);
}

/* class_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_class_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_class_positions);
}

/* loss.terms.largest: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_loss_terms_largest(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_largest);
}

/* loss.terms.exp_sum: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_loss_terms_exp_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_exp_sum);
}

/* loss.terms.target_logit: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_loss_terms_target_logit(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_target_logit);
}

/* loss.terms: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms);
}

/* loss: f32 [], 4 B */
static inline float *at_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss);
}

/* d_loss.terms: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_d_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_loss_terms);
}

/* d_logits: f32 [8 / micro / data, 256, 256], 512 KiB */
static inline float *at_d_logits(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_logits);
}

/* d_norm: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_d_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm);
}

/* d_x: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_d_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x);
}

/* d_block.mlp.active: f32 [8 / micro / data, 256, 1536], 3.00 MiB */
static inline float *at_d_block_mlp_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_mlp_active);
}

/* d_block.mlp.up: f32 [8 / micro / data, 256, 1536], 3.00 MiB */
static inline float *at_d_block_mlp_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_mlp_up);
}

/* d_block.norm2: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_d_block_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_norm2);
}

/* d_block.attn.mixed: f32 [8 / micro / data, 256, 6, 64], 768 KiB */
static inline float *at_d_block_attn_mixed(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_mixed);
}

/* d_block.attn.weights: f32 [8 / micro / data, 6, 256, 256], 3.00 MiB */
static inline float *at_d_block_attn_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_weights);
}

/* d_block.attn.value: f32 [8 / micro / data, 256, 6, 64], 768 KiB */
static inline float *at_d_block_attn_value(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_value);
}

/* d_block.attn.scores: f32 [8 / micro / data, 6, 256, 256], 3.00 MiB */
static inline float *at_d_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_scores);
}

/* d_block.attn.query: f32 [8 / micro / data, 256, 6, 64], 768 KiB */
static inline float *at_d_block_attn_query(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_query);
}

/* d_block.attn.key: f32 [8 / micro / data, 256, 6, 64], 768 KiB */
static inline float *at_d_block_attn_key(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_key);
}

/* d_block.norm1: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_d_block_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_norm1);
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

/* norm.2: f32 [], 4 B */
static inline float *at_norm_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_2);
}

/* clip_factor: f32 [], 4 B */
static inline float *at_clip_factor(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_clip_factor);
}

/* eval.loss.sum: f32 [], 4 B */
static inline float *at_eval_loss_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_sum);
}

/* eval.tokens: i32 [8 / micro / data, 256], 2.00 KiB */
static inline int32_t *at_eval_tokens(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_tokens);
}

/* eval.targets: i32 [8 / micro / data, 256], 2.00 KiB */
static inline int32_t *at_eval_targets(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_targets);
}

/* eval.wte: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_eval_wte(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wte);
}

/* eval.x: f32 [8 / micro / data, 256, 384], 7 slots, 5.25 MiB */
static inline float *at_eval_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_eval_x) + slot * 196608;
}

/* eval.row_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_eval_row_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_row_positions);
}

/* eval.column_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_eval_column_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_column_positions);
}

/* eval.block.norm1.mean: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_eval_block_norm1_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm1_mean);
}

/* eval.block.norm1.rstd: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_eval_block_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm1_rstd);
}

/* eval.block.norm1: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_eval_block_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm1);
}

/* eval.block.attn.query.product: f32 [8 / micro / data, 256, 6, 64], 768 KiB */
static inline float *at_eval_block_attn_query_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_query_product);
}

/* eval.block.attn.query: f32 [8 / micro / data, 256, 6, 64], 768 KiB */
static inline float *at_eval_block_attn_query(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_query);
}

/* eval.block.attn.key.product: f32 [8 / micro / data, 256, 6, 64], 768 KiB */
static inline float *at_eval_block_attn_key_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_key_product);
}

/* eval.block.attn.key: f32 [8 / micro / data, 256, 6, 64], 768 KiB */
static inline float *at_eval_block_attn_key(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_key);
}

/* eval.block.attn.value.product: f32 [8 / micro / data, 256, 6, 64], 768 KiB */
static inline float *at_eval_block_attn_value_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_value_product);
}

/* eval.block.attn.value: f32 [8 / micro / data, 256, 6, 64], 768 KiB */
static inline float *at_eval_block_attn_value(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_value);
}

/* eval.block.attn.scores: f32 [8 / micro / data, 6, 256, 256], 3.00 MiB */
static inline float *at_eval_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_scores);
}

/* eval.block.attn.weights: f32 [8 / micro / data, 6, 256, 256], 3.00 MiB */
static inline float *at_eval_block_attn_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_weights);
}

/* eval.block.attn.mixed: f32 [8 / micro / data, 256, 6, 64], 768 KiB */
static inline float *at_eval_block_attn_mixed(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_mixed);
}

/* eval.block.attn.product: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_eval_block_attn_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_product);
}

/* eval.block.attn: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_eval_block_attn(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn);
}

/* eval.block.x: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_eval_block_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_x);
}

/* eval.block.norm2.mean: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_eval_block_norm2_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm2_mean);
}

/* eval.block.norm2.rstd: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_eval_block_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm2_rstd);
}

/* eval.block.norm2: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_eval_block_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm2);
}

/* eval.block.mlp.up.product: f32 [8 / micro / data, 256, 1536], 3.00 MiB */
static inline float *at_eval_block_mlp_up_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_mlp_up_product);
}

/* eval.block.mlp.up: f32 [8 / micro / data, 256, 1536], 3.00 MiB */
static inline float *at_eval_block_mlp_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_mlp_up);
}

/* eval.block.mlp.active: f32 [8 / micro / data, 256, 1536], 3.00 MiB */
static inline float *at_eval_block_mlp_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_mlp_active);
}

/* eval.block.mlp.product: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_eval_block_mlp_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_mlp_product);
}

/* eval.block.mlp: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_eval_block_mlp(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_mlp);
}

/* eval.norm.mean: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_eval_norm_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm_mean);
}

/* eval.norm.rstd: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_eval_norm_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm_rstd);
}

/* eval.norm: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_eval_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm);
}

/* eval.logits: f32 [8 / micro / data, 256, 256], 512 KiB */
static inline float *at_eval_logits(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_logits);
}

/* eval.class_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_eval_class_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_class_positions);
}

/* eval.loss.terms.largest: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_eval_loss_terms_largest(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_largest);
}

/* eval.loss.terms.exp_sum: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_eval_loss_terms_exp_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_exp_sum);
}

/* eval.loss.terms.target_logit: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_eval_loss_terms_target_logit(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_target_logit);
}

/* eval.loss.terms: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_eval_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms);
}

/* eval.loss: f32 [], 4 B */
static inline float *at_eval_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss);
}

/* predict.tokens: i32 [1, 256], 1.00 KiB */
static inline int32_t *at_predict_tokens(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_tokens);
}

/* predict.wte: f32 [1, 256, 384], 384 KiB */
static inline float *at_predict_wte(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wte);
}

/* predict.x: f32 [1, 256, 384], 7 slots, 2.62 MiB */
static inline float *at_predict_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_predict_x) + slot * 98304;
}

/* predict.row_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_predict_row_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_row_positions);
}

/* predict.column_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_predict_column_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_column_positions);
}

/* predict.block.norm1.mean: f32 [1, 256], 1.00 KiB */
static inline float *at_predict_block_norm1_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm1_mean);
}

/* predict.block.norm1.rstd: f32 [1, 256], 1.00 KiB */
static inline float *at_predict_block_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm1_rstd);
}

/* predict.block.norm1: f32 [1, 256, 384], 384 KiB */
static inline float *at_predict_block_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm1);
}

/* predict.block.attn.query.product: f32 [1, 256, 6, 64], 384 KiB */
static inline float *at_predict_block_attn_query_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_query_product);
}

/* predict.block.attn.query: f32 [1, 256, 6, 64], 384 KiB */
static inline float *at_predict_block_attn_query(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_query);
}

/* predict.block.attn.key.product: f32 [1, 256, 6, 64], 384 KiB */
static inline float *at_predict_block_attn_key_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_key_product);
}

/* predict.block.attn.key: f32 [1, 256, 6, 64], 384 KiB */
static inline float *at_predict_block_attn_key(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_key);
}

/* predict.block.attn.value.product: f32 [1, 256, 6, 64], 384 KiB */
static inline float *at_predict_block_attn_value_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_value_product);
}

/* predict.block.attn.value: f32 [1, 256, 6, 64], 384 KiB */
static inline float *at_predict_block_attn_value(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_value);
}

/* predict.block.attn.scores: f32 [1, 6, 256, 256], 1.50 MiB */
static inline float *at_predict_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_scores);
}

/* predict.block.attn.weights: f32 [1, 6, 256, 256], 1.50 MiB */
static inline float *at_predict_block_attn_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_weights);
}

/* predict.block.attn.mixed: f32 [1, 256, 6, 64], 384 KiB */
static inline float *at_predict_block_attn_mixed(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_mixed);
}

/* predict.block.attn.product: f32 [1, 256, 384], 384 KiB */
static inline float *at_predict_block_attn_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_product);
}

/* predict.block.attn: f32 [1, 256, 384], 384 KiB */
static inline float *at_predict_block_attn(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn);
}

/* predict.block.x: f32 [1, 256, 384], 384 KiB */
static inline float *at_predict_block_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_x);
}

/* predict.block.norm2.mean: f32 [1, 256], 1.00 KiB */
static inline float *at_predict_block_norm2_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm2_mean);
}

/* predict.block.norm2.rstd: f32 [1, 256], 1.00 KiB */
static inline float *at_predict_block_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm2_rstd);
}

/* predict.block.norm2: f32 [1, 256, 384], 384 KiB */
static inline float *at_predict_block_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm2);
}

/* predict.block.mlp.up.product: f32 [1, 256, 1536], 1.50 MiB */
static inline float *at_predict_block_mlp_up_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_mlp_up_product);
}

/* predict.block.mlp.up: f32 [1, 256, 1536], 1.50 MiB */
static inline float *at_predict_block_mlp_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_mlp_up);
}

/* predict.block.mlp.active: f32 [1, 256, 1536], 1.50 MiB */
static inline float *at_predict_block_mlp_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_mlp_active);
}

/* predict.block.mlp.product: f32 [1, 256, 384], 384 KiB */
static inline float *at_predict_block_mlp_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_mlp_product);
}

/* predict.block.mlp: f32 [1, 256, 384], 384 KiB */
static inline float *at_predict_block_mlp(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_mlp);
}

/* predict.norm.mean: f32 [1, 256], 1.00 KiB */
static inline float *at_predict_norm_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm_mean);
}

/* predict.norm.rstd: f32 [1, 256], 1.00 KiB */
static inline float *at_predict_norm_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm_rstd);
}

/* predict.norm: f32 [1, 256, 384], 384 KiB */
static inline float *at_predict_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm);
}

/* predict.logits: f32 [1, 256, 256], 256 KiB */
static inline float *at_predict_logits(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_logits);
}

/* ---- Routines ---- */

/* Before the first step: every state gets its initial value. */
static void init(prt_context *ctx)
{
    /* examples/gpt.place:28: fill: 4 B */
    ctx->at = LINE_28_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_step(ctx)}, .numbers = {0}});
    /* examples/gpt.place:7: init: 193 KiB */
    ctx->at = LINE_7_init;
    prt_init(ctx, -1, LAYOUT_outside_over_data, 0, 1, PRT_F32, at_parameters_outside(ctx));
    /* examples/gpt.place:28: fill: 193 KiB */
    ctx->at = LINE_28_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_adam_m_outside(ctx)},
        .extents = {49344},
        .numbers = {0},
    });
    /* examples/gpt.place:28: fill: 193 KiB */
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_adam_v_outside(ctx)},
        .extents = {49344},
        .numbers = {0},
    });
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/gpt.place:9: init: 1.69 MiB */
        ctx->at = LINE_9_init;
        prt_init(ctx, -1, LAYOUT_block_over_data, layer, 1, PRT_F32, at_parameters_block(ctx, layer));
        /* examples/gpt.place:28: fill: 1.69 MiB */
        ctx->at = LINE_28_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_adam_m_block(ctx, layer)},
            .extents = {443616},
            .numbers = {0},
        });
        /* examples/gpt.place:28: fill: 1.69 MiB */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_adam_v_block(ctx, layer)},
            .extents = {443616},
            .numbers = {0},
        });
    }
}

/* One training step. */
static void step(prt_context *ctx)
{
    /* examples/gpt.place:13: fill: 4 B */
    ctx->at = LINE_13_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 1; micro++) {
        /* examples/gpt.place:5: read tokens: 2.00 KiB */
        ctx->at = LINE_5_read_tokens;
        prt_read(ctx, INPUT_tokens, LAYOUT_8_over_micro_data_by_256, micro, at_tokens(ctx));
        /* examples/gpt.place:5: read targets: 2.00 KiB */
        ctx->at = LINE_5_read_targets;
        prt_read(ctx, INPUT_targets, LAYOUT_8_over_micro_data_by_256, micro, at_targets(ctx));
        /* examples/gpt.place:20: all_gather parameters.outside over data: payload 771 KiB */
        ctx->at = LINE_20_all_gather_parameters_outside_over_data;
        prt_all_gather(ctx, CALL_all_gather_parameters_outside, 0, at_full_outside(ctx), at_parameters_outside(ctx));
        /* examples/gpt.place:7: embed "bt,vh->bth": 1.13 MiB */
        ctx->at = LINE_7_computing_in_step;
        prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
            .arrays = {at_wte(ctx), at_tokens(ctx), at_full_outside(ctx) + OFFSET_wte_table},
            .extents = {512, 256, 384},
        });
        /* examples/gpt.place:7: add "abc,bc->abc": 1.88 MiB, 197 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_x(ctx, 0), at_wte(ctx), at_full_outside(ctx) + OFFSET_wpe_table},
            .extents = {2, 98304},
        });
        /* examples/gpt.place:9: iota: 1.00 KiB */
        ctx->at = LINE_9_computing_in_step;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_row_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        /* examples/gpt.place:9: iota: 1.00 KiB */
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_column_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        for (int64_t layer = 0; layer < 6; layer++) {
            /* examples/gpt.place:20: all_gather parameters.block over data: payload 6.77 MiB */
            ctx->at = LINE_20_all_gather_parameters_block_over_data;
            prt_all_gather(ctx, CALL_all_gather_parameters_block, 0, at_full_block(ctx),
                           at_parameters_block(ctx, layer));
            /* examples/gpt.place:9: row_mean "bth->bt": 770 KiB, 197 kflop */
            ctx->at = LINE_9_computing_in_step;
            prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_block_norm1_mean(ctx, layer), at_x(ctx, layer)},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: row_rstd "bth,bt->bt": 772 KiB, 590 kflop */
            prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
                .arrays = {at_block_norm1_rstd(ctx, layer), at_x(ctx, layer), at_block_norm1_mean(ctx, layer)},
                .extents = {512, 384},
                .numbers = {1e-05},
            });
            /* examples/gpt.place:9: norm "bth,bt,bt,h,h->bth": 1.51 MiB, 786 kflop */
            prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
                .arrays = {at_block_norm1(ctx, layer), at_x(ctx, layer), at_block_norm1_mean(ctx, layer),
                           at_block_norm1_rstd(ctx, layer), at_full_block(ctx) + OFFSET_block_norm1_gain,
                           at_full_block(ctx) + OFFSET_block_norm1_bias},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: einsum "bth,ndh->btnd": 2.06 MiB, 151 Mflop */
            const prt_gemm_shape gemm1 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm1, at_block_norm1(ctx, layer),
                     at_full_block(ctx) + OFFSET_block_attn_query_weight, 0, at_block_attn_query_product(ctx));
            /* examples/gpt.place:9: add "btnd,nd->btnd": 1.50 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_attn_query(ctx, layer), at_block_attn_query_product(ctx),
                           at_full_block(ctx) + OFFSET_block_attn_query_bias},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: einsum "bth,ndh->btnd": 2.06 MiB, 151 Mflop */
            const prt_gemm_shape gemm2 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm2, at_block_norm1(ctx, layer),
                     at_full_block(ctx) + OFFSET_block_attn_key_weight, 0, at_block_attn_key_product(ctx));
            /* examples/gpt.place:9: add "btnd,nd->btnd": 1.50 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_attn_key(ctx, layer), at_block_attn_key_product(ctx),
                           at_full_block(ctx) + OFFSET_block_attn_key_bias},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: einsum "bth,ndh->btnd": 2.06 MiB, 151 Mflop */
            const prt_gemm_shape gemm3 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm3, at_block_norm1(ctx, layer),
                     at_full_block(ctx) + OFFSET_block_attn_value_weight, 0, at_block_attn_value_product(ctx));
            /* examples/gpt.place:9: add "btnd,nd->btnd": 1.50 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_attn_value(ctx, layer), at_block_attn_value_product(ctx),
                           at_full_block(ctx) + OFFSET_block_attn_value_bias},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: einsum "btnd,bsnd->bnts": 4.50 MiB, 101 Mflop */
            const prt_gemm_shape gemm4 = {
                .m = 256, .n = 256, .k = 64,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 256, .c_column = 1,
                .batch_dims = 2,
                .batch = {2, 6},
                .a_batch = {98304, 64},
                .b_batch = {98304, 64},
                .c_batch = {393216, 65536},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm4, at_block_attn_query(ctx, layer), at_block_attn_key(ctx, layer), 0,
                     at_block_attn_scores(ctx));
            /* examples/gpt.place:9: causal_softmax "bnts,t,s->bnts": 6.00 MiB, 6.29 Mflop */
            prt_launch(ctx, KERNEL_causal_softmax_f32_ijk_i32j_i32k, 0, &(prt_arguments){
                .arrays = {at_block_attn_weights(ctx, layer), at_block_attn_scores(ctx), at_row_positions(ctx),
                           at_column_positions(ctx)},
                .extents = {12, 256, 256},
                .numbers = {0.125},
            });
            /* examples/gpt.place:9: einsum "bnts,bsnd->btnd": 4.50 MiB, 101 Mflop */
            const prt_gemm_shape gemm5 = {
                .m = 256, .n = 64, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
                .batch_dims = 2,
                .batch = {2, 6},
                .a_batch = {393216, 65536},
                .b_batch = {98304, 64},
                .c_batch = {98304, 64},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm5, at_block_attn_weights(ctx, layer), at_block_attn_value(ctx, layer), 0,
                     at_block_attn_mixed(ctx, layer));
            /* examples/gpt.place:9: einsum "btnd,hnd->bth": 2.06 MiB, 151 Mflop */
            const prt_gemm_shape gemm6 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm6, at_block_attn_mixed(ctx, layer),
                     at_full_block(ctx) + OFFSET_block_attn_out_weight, 0, at_block_attn_product(ctx));
            /* examples/gpt.place:9: add "bth,h->bth": 1.50 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_attn(ctx), at_block_attn_product(ctx),
                           at_full_block(ctx) + OFFSET_block_attn_out_bias},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: add "abc,abc->abc": 2.25 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_block_x(ctx, layer), at_x(ctx, layer), at_block_attn(ctx)},
                .extents = {196608},
            });
            /* examples/gpt.place:10: row_mean "bth->bt": 770 KiB, 197 kflop */
            ctx->at = LINE_10_computing_in_step;
            prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_block_norm2_mean(ctx, layer), at_block_x(ctx, layer)},
                .extents = {512, 384},
            });
            /* examples/gpt.place:10: row_rstd "bth,bt->bt": 772 KiB, 590 kflop */
            prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
                .arrays = {at_block_norm2_rstd(ctx, layer), at_block_x(ctx, layer), at_block_norm2_mean(ctx, layer)},
                .extents = {512, 384},
                .numbers = {1e-05},
            });
            /* examples/gpt.place:10: norm "bth,bt,bt,h,h->bth": 1.51 MiB, 786 kflop */
            prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
                .arrays = {at_block_norm2(ctx, layer), at_block_x(ctx, layer), at_block_norm2_mean(ctx, layer),
                           at_block_norm2_rstd(ctx, layer), at_full_block(ctx) + OFFSET_block_norm2_gain,
                           at_full_block(ctx) + OFFSET_block_norm2_bias},
                .extents = {512, 384},
            });
            /* examples/gpt.place:10: einsum "bth,oh->bto": 6.00 MiB, 604 Mflop */
            const prt_gemm_shape gemm7 = {
                .m = 512, .n = 1536, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 1536, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm7, at_block_norm2(ctx, layer),
                     at_full_block(ctx) + OFFSET_block_mlp_up_weight, 0, at_block_mlp_up_product(ctx));
            /* examples/gpt.place:10: add "bto,o->bto": 6.01 MiB, 786 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_mlp_up(ctx, layer), at_block_mlp_up_product(ctx),
                           at_full_block(ctx) + OFFSET_block_mlp_up_bias},
                .extents = {512, 1536},
            });
            /* examples/gpt.place:10: gelu "abc->abc": 6.00 MiB, 11 Mflop */
            prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
                .arrays = {at_block_mlp_active(ctx, layer), at_block_mlp_up(ctx, layer)},
                .extents = {786432},
            });
            /* examples/gpt.place:10: einsum "bth,oh->bto": 6.00 MiB, 604 Mflop */
            const prt_gemm_shape gemm8 = {
                .m = 512, .n = 384, .k = 1536,
                .a_row = 1536, .a_column = 1,
                .b_row = 1, .b_column = 1536,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm8, at_block_mlp_active(ctx, layer),
                     at_full_block(ctx) + OFFSET_block_mlp_down_weight, 0, at_block_mlp_product(ctx));
            /* examples/gpt.place:10: add "bto,o->bto": 1.50 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_mlp(ctx), at_block_mlp_product(ctx),
                           at_full_block(ctx) + OFFSET_block_mlp_down_bias},
                .extents = {512, 384},
            });
            /* examples/gpt.place:10: add "abc,abc->abc": 2.25 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_x(ctx, layer + 1), at_block_x(ctx, layer), at_block_mlp(ctx)},
                .extents = {196608},
            });
        }
        /* examples/gpt.place:12: row_mean "bth->bt": 770 KiB, 197 kflop */
        ctx->at = LINE_12_computing_in_step;
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_norm_mean(ctx), at_x(ctx, 6)},
            .extents = {512, 384},
        });
        /* examples/gpt.place:12: row_rstd "bth,bt->bt": 772 KiB, 590 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_norm_rstd(ctx), at_x(ctx, 6), at_norm_mean(ctx)},
            .extents = {512, 384},
            .numbers = {1e-05},
        });
        /* examples/gpt.place:12: norm "bth,bt,bt,h,h->bth": 1.51 MiB, 786 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_norm(ctx), at_x(ctx, 6), at_norm_mean(ctx), at_norm_rstd(ctx),
                       at_full_outside(ctx) + OFFSET_norm_gain, at_full_outside(ctx) + OFFSET_norm_bias},
            .extents = {512, 384},
        });
        /* examples/gpt.place:12: einsum "bth,oh->bto": 1.62 MiB, 101 Mflop */
        const prt_gemm_shape gemm9 = {
            .m = 512, .n = 256, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm9, at_norm(ctx), at_full_outside(ctx) + OFFSET_wte_table, 0, at_logits(ctx));
        /* examples/gpt.place:13: iota: 1.00 KiB */
        ctx->at = LINE_13_computing_in_step;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_class_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        /* examples/gpt.place:13: row_max "btv->bt": 514 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_largest(ctx), at_logits(ctx)},
            .extents = {512, 256},
        });
        /* examples/gpt.place:13: exp_sum "btv,bt->bt": 516 KiB, 524 kflop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_exp_sum(ctx), at_logits(ctx), at_loss_terms_largest(ctx)},
            .extents = {512, 256},
        });
        /* examples/gpt.place:13: pick "btv,bt,v->bt": 517 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_target_logit(ctx), at_logits(ctx), at_targets(ctx), at_class_positions(ctx)},
            .extents = {512, 256},
        });
        /* examples/gpt.place:13: log_loss "bt,bt,bt->bt": 8.00 KiB, 3.07 kflop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_loss_terms(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_loss_terms_target_logit(ctx)},
            .extents = {512},
        });
        /* examples/gpt.place:13: reduce "ab->": 2.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_loss(ctx), at_loss_terms(ctx)},
            .extents = {512},
        });
        /* examples/gpt.place:13: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_loss(ctx)},
            .numbers = {1.0 / 2048},
        });
        /* examples/gpt.place:13: fill "ab": 2.00 KiB */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_d_loss_terms(ctx)},
            .extents = {512},
            .numbers = {0.00048828125},
        });
        /* examples/gpt.place:13: log_loss_bwd "btv,bt,bt,bt,v,bt->btv": 1.01 MiB, 918 kflop */
        prt_launch(ctx, KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i, 0, &(prt_arguments){
            .arrays = {at_d_logits(ctx), at_logits(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_targets(ctx), at_class_positions(ctx), at_d_loss_terms(ctx)},
            .extents = {512, 256},
        });
        /* examples/gpt.place:20: all_gather parameters.outside over data: payload 771 KiB */
        ctx->at = LINE_20_all_gather_parameters_outside_over_data;
        prt_all_gather(ctx, CALL_all_gather_parameters_outside_2, 0, at_full_outside(ctx), at_parameters_outside(ctx));
        /* examples/gpt.place:12: einsum "bto,oh->bth": 1.62 MiB, 101 Mflop */
        ctx->at = LINE_12_computing_in_step;
        const prt_gemm_shape gemm10 = {
            .m = 512, .n = 384, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 384, .b_column = 1,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm10, at_d_logits(ctx), at_full_outside(ctx) + OFFSET_wte_table, 0,
                 at_d_norm(ctx));
        /* examples/gpt.place:21: fill: 771 KiB */
        ctx->at = LINE_21_computing_in_step;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx)},
            .extents = {197376},
            .numbers = {0},
        });
        /* examples/gpt.place:12: einsum "bto,bth->oh": 2.00 MiB, 101 Mflop */
        ctx->at = LINE_12_computing_in_step;
        const prt_gemm_shape gemm11 = {
            .m = 256, .n = 384, .k = 512,
            .a_row = 1, .a_column = 256,
            .b_row = 384, .b_column = 1,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm11, at_d_logits(ctx), at_norm(ctx), 1,
                 at_contribution_outside(ctx) + OFFSET_wte_table);
        /* examples/gpt.place:12: norm_bwd "bth,bt,bt,h,bth->bth": 2.26 MiB, 2.36 Mflop */
        prt_launch(ctx, KERNEL_norm_bwd_f32_ij_i_i_j_ij, 0, &(prt_arguments){
            .arrays = {at_d_x(ctx), at_x(ctx, 6), at_norm_mean(ctx), at_norm_rstd(ctx),
                       at_full_outside(ctx) + OFFSET_norm_gain, at_d_norm(ctx)},
            .extents = {512, 384},
        });
        /* examples/gpt.place:12: norm_gain_bwd "bth,bt,bt,bth->h": 1.51 MiB, 786 kflop */
        prt_launch(ctx, KERNEL_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_norm_gain, at_x(ctx, 6), at_norm_mean(ctx),
                       at_norm_rstd(ctx), at_d_norm(ctx)},
            .extents = {512, 384},
        });
        /* examples/gpt.place:12: reduce "bth->h": 771 KiB, 197 kflop */
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_norm_bias, at_d_norm(ctx)},
            .extents = {512, 384},
        });
        for (int64_t layer = 5; layer >= 0; layer--) {
            /* examples/gpt.place:20: all_gather parameters.block over data: payload 6.77 MiB */
            ctx->at = LINE_20_all_gather_parameters_block_over_data;
            prt_all_gather(ctx, CALL_all_gather_parameters_block_2, 0, at_full_block(ctx),
                           at_parameters_block(ctx, layer));
            /* examples/gpt.place:21: fill: 6.77 MiB */
            ctx->at = LINE_21_computing_in_step;
            prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx)},
                .extents = {1774464},
                .numbers = {0},
            });
            /* examples/gpt.place:10: reduce "bto->o": 771 KiB, 197 kflop */
            ctx->at = LINE_10_computing_in_step;
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_mlp_down_bias, at_d_x(ctx)},
                .extents = {512, 384},
            });
            /* examples/gpt.place:10: einsum "bto,oh->bth": 6.00 MiB, 604 Mflop */
            const prt_gemm_shape gemm12 = {
                .m = 512, .n = 1536, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1536, .b_column = 1,
                .c_row = 1536, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm12, at_d_x(ctx), at_full_block(ctx) + OFFSET_block_mlp_down_weight, 0,
                     at_d_block_mlp_active(ctx));
            /* examples/gpt.place:10: einsum "bto,bth->oh": 8.25 MiB, 604 Mflop */
            const prt_gemm_shape gemm13 = {
                .m = 384, .n = 1536, .k = 512,
                .a_row = 1, .a_column = 384,
                .b_row = 1536, .b_column = 1,
                .c_row = 1536, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm13, at_d_x(ctx), at_block_mlp_active(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_mlp_down_weight);
            /* examples/gpt.place:10: gelu_bwd "abc,abc->abc": 9.00 MiB, 18.9 Mflop */
            prt_launch(ctx, KERNEL_gelu_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_block_mlp_up(ctx), at_block_mlp_up(ctx, layer), at_d_block_mlp_active(ctx)},
                .extents = {786432},
            });
            /* examples/gpt.place:10: reduce "bto->o": 3.01 MiB, 786 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_mlp_up_bias, at_d_block_mlp_up(ctx)},
                .extents = {512, 1536},
            });
            /* examples/gpt.place:10: einsum "bto,oh->bth": 6.00 MiB, 604 Mflop */
            const prt_gemm_shape gemm14 = {
                .m = 512, .n = 384, .k = 1536,
                .a_row = 1536, .a_column = 1,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm14, at_d_block_mlp_up(ctx), at_full_block(ctx) + OFFSET_block_mlp_up_weight,
                     0, at_d_block_norm2(ctx));
            /* examples/gpt.place:10: einsum "bto,bth->oh": 8.25 MiB, 604 Mflop */
            const prt_gemm_shape gemm15 = {
                .m = 1536, .n = 384, .k = 512,
                .a_row = 1, .a_column = 1536,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm15, at_d_block_mlp_up(ctx), at_block_norm2(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_mlp_up_weight);
            /* examples/gpt.place:10: norm_bwd "bth,bt,bt,h,bth->bth": 3.01 MiB, 2.36 Mflop */
            prt_launch(ctx, KERNEL_norm_bwd_f32_ij_i_i_j_ij_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_x(ctx), at_block_x(ctx, layer), at_block_norm2_mean(ctx, layer),
                           at_block_norm2_rstd(ctx, layer), at_full_block(ctx) + OFFSET_block_norm2_gain,
                           at_d_block_norm2(ctx)},
                .extents = {512, 384},
            });
            /* examples/gpt.place:10: norm_gain_bwd "bth,bt,bt,bth->h": 1.51 MiB, 786 kflop */
            prt_launch(ctx, KERNEL_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_norm2_gain, at_block_x(ctx, layer),
                           at_block_norm2_mean(ctx, layer), at_block_norm2_rstd(ctx, layer), at_d_block_norm2(ctx)},
                .extents = {512, 384},
            });
            /* examples/gpt.place:10: reduce "bth->h": 771 KiB, 197 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_norm2_bias, at_d_block_norm2(ctx)},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: reduce "bth->h": 771 KiB, 197 kflop */
            ctx->at = LINE_9_computing_in_step;
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_attn_out_bias, at_d_x(ctx)},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: einsum "bth,hnd->btnd": 2.06 MiB, 151 Mflop */
            const prt_gemm_shape gemm16 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm16, at_d_x(ctx), at_full_block(ctx) + OFFSET_block_attn_out_weight, 0,
                     at_d_block_attn_mixed(ctx));
            /* examples/gpt.place:9: einsum "bth,btnd->hnd": 2.62 MiB, 151 Mflop */
            const prt_gemm_shape gemm17 = {
                .m = 384, .n = 384, .k = 512,
                .a_row = 1, .a_column = 384,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm17, at_d_x(ctx), at_block_attn_mixed(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_attn_out_weight);
            /* examples/gpt.place:9: einsum "btnd,bsnd->bnts": 4.50 MiB, 101 Mflop */
            const prt_gemm_shape gemm18 = {
                .m = 256, .n = 256, .k = 64,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 256, .c_column = 1,
                .batch_dims = 2,
                .batch = {2, 6},
                .a_batch = {98304, 64},
                .b_batch = {98304, 64},
                .c_batch = {393216, 65536},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm18, at_d_block_attn_mixed(ctx), at_block_attn_value(ctx, layer), 0,
                     at_d_block_attn_weights(ctx));
            /* examples/gpt.place:9: einsum "btnd,bnts->bsnd": 4.50 MiB, 101 Mflop */
            const prt_gemm_shape gemm19 = {
                .m = 64, .n = 256, .k = 256,
                .a_row = 1, .a_column = 384,
                .b_row = 256, .b_column = 1,
                .c_row = 1, .c_column = 384,
                .batch_dims = 2,
                .batch = {2, 6},
                .a_batch = {98304, 64},
                .b_batch = {393216, 65536},
                .c_batch = {98304, 64},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm19, at_d_block_attn_mixed(ctx), at_block_attn_weights(ctx, layer), 0,
                     at_d_block_attn_value(ctx));
            /* examples/gpt.place:9: softmax_bwd "bnts,bnts->bnts": 9.00 MiB, 3.93 Mflop */
            prt_launch(ctx, KERNEL_softmax_bwd_f32_ij_ij, 0, &(prt_arguments){
                .arrays = {at_d_block_attn_scores(ctx), at_block_attn_weights(ctx, layer),
                           at_d_block_attn_weights(ctx)},
                .extents = {3072, 256},
                .numbers = {0.125},
            });
            /* examples/gpt.place:9: einsum "bnts,bsnd->btnd": 4.50 MiB, 101 Mflop */
            const prt_gemm_shape gemm20 = {
                .m = 256, .n = 64, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
                .batch_dims = 2,
                .batch = {2, 6},
                .a_batch = {393216, 65536},
                .b_batch = {98304, 64},
                .c_batch = {98304, 64},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm20, at_d_block_attn_scores(ctx), at_block_attn_key(ctx, layer), 0,
                     at_d_block_attn_query(ctx));
            /* examples/gpt.place:9: einsum "bnts,btnd->bsnd": 4.50 MiB, 101 Mflop */
            const prt_gemm_shape gemm21 = {
                .m = 256, .n = 64, .k = 256,
                .a_row = 1, .a_column = 256,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
                .batch_dims = 2,
                .batch = {2, 6},
                .a_batch = {393216, 65536},
                .b_batch = {98304, 64},
                .c_batch = {98304, 64},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm21, at_d_block_attn_scores(ctx), at_block_attn_query(ctx, layer), 0,
                     at_d_block_attn_key(ctx));
            /* examples/gpt.place:9: reduce "btnd->nd": 771 KiB, 197 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_attn_value_bias, at_d_block_attn_value(ctx)},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: einsum "btnd,ndh->bth": 2.06 MiB, 151 Mflop */
            const prt_gemm_shape gemm22 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm22, at_d_block_attn_value(ctx),
                     at_full_block(ctx) + OFFSET_block_attn_value_weight, 0, at_d_block_norm1(ctx));
            /* examples/gpt.place:9: einsum "btnd,bth->ndh": 2.62 MiB, 151 Mflop */
            const prt_gemm_shape gemm23 = {
                .m = 384, .n = 384, .k = 512,
                .a_row = 1, .a_column = 384,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm23, at_d_block_attn_value(ctx), at_block_norm1(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_attn_value_weight);
            /* examples/gpt.place:9: reduce "btnd->nd": 771 KiB, 197 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_attn_key_bias, at_d_block_attn_key(ctx)},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: einsum "btnd,ndh->bth": 2.81 MiB, 151 Mflop */
            const prt_gemm_shape gemm24 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm24, at_d_block_attn_key(ctx),
                     at_full_block(ctx) + OFFSET_block_attn_key_weight, 1, at_d_block_norm1(ctx));
            /* examples/gpt.place:9: einsum "btnd,bth->ndh": 2.62 MiB, 151 Mflop */
            const prt_gemm_shape gemm25 = {
                .m = 384, .n = 384, .k = 512,
                .a_row = 1, .a_column = 384,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm25, at_d_block_attn_key(ctx), at_block_norm1(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_attn_key_weight);
            /* examples/gpt.place:9: reduce "btnd->nd": 771 KiB, 197 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_attn_query_bias, at_d_block_attn_query(ctx)},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: einsum "btnd,ndh->bth": 2.81 MiB, 151 Mflop */
            const prt_gemm_shape gemm26 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm26, at_d_block_attn_query(ctx),
                     at_full_block(ctx) + OFFSET_block_attn_query_weight, 1, at_d_block_norm1(ctx));
            /* examples/gpt.place:9: einsum "btnd,bth->ndh": 2.62 MiB, 151 Mflop */
            const prt_gemm_shape gemm27 = {
                .m = 384, .n = 384, .k = 512,
                .a_row = 1, .a_column = 384,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm27, at_d_block_attn_query(ctx), at_block_norm1(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_attn_query_weight);
            /* examples/gpt.place:9: norm_bwd "bth,bt,bt,h,bth->bth": 3.01 MiB, 2.36 Mflop */
            prt_launch(ctx, KERNEL_norm_bwd_f32_ij_i_i_j_ij_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_x(ctx), at_x(ctx, layer), at_block_norm1_mean(ctx, layer),
                           at_block_norm1_rstd(ctx, layer), at_full_block(ctx) + OFFSET_block_norm1_gain,
                           at_d_block_norm1(ctx)},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: norm_gain_bwd "bth,bt,bt,bth->h": 1.51 MiB, 786 kflop */
            prt_launch(ctx, KERNEL_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_norm1_gain, at_x(ctx, layer),
                           at_block_norm1_mean(ctx, layer), at_block_norm1_rstd(ctx, layer), at_d_block_norm1(ctx)},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: reduce "bth->h": 771 KiB, 197 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_norm1_bias, at_d_block_norm1(ctx)},
                .extents = {512, 384},
            });
            /* examples/gpt.place:21: reduce_scatter contribution.block over data: payload 6.77 MiB */
            ctx->at = LINE_21_reduce_scatter_contribution_block_over_data;
            prt_reduce_scatter(ctx, CALL_reduce_scatter_contribution_block, 0, at_gradients_block(ctx, layer),
                               at_contribution_block(ctx));
        }
        /* examples/gpt.place:7: reduce "abc->bc": 1.50 MiB, 197 kflop */
        ctx->at = LINE_7_computing_in_step;
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_wpe_table, at_d_x(ctx)},
            .extents = {2, 98304},
        });
        /* examples/gpt.place:7: embed_bwd "bt,bth->vh": 1.50 MiB, 197 kflop */
        prt_launch(ctx, KERNEL_embed_bwd_f32_i32i_ik_to_jk_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_wte_table, at_tokens(ctx), at_d_x(ctx)},
            .extents = {512, 256, 384},
        });
        /* examples/gpt.place:21: reduce_scatter contribution.outside over data: payload 771 KiB */
        ctx->at = LINE_21_reduce_scatter_contribution_outside_over_data;
        prt_reduce_scatter(ctx, CALL_reduce_scatter_contribution_outside, 0, at_gradients_outside(ctx),
                           at_contribution_outside(ctx));
        /* examples/gpt.place:13: add to loss.sum "->": 12 B */
        ctx->at = LINE_13_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx), at_loss(ctx)}});
    }
    /* examples/gpt.place:23: all_reduce loss.sum over data: payload 4 B */
    ctx->at = LINE_23_all_reduce_loss_sum_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_loss_sum, at_loss_sum(ctx), at_loss_sum(ctx), 1);
    /* examples/gpt.place:13: output loss: 4 B */
    ctx->at = LINE_13_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_loss_sum(ctx), 1);
    /* examples/gpt.place:29: fill: 4 B */
    ctx->at = LINE_29_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_norm_squared(ctx)}, .numbers = {0}});
    /* examples/gpt.place:28: rate "->": 8 B, 8 flop */
    ctx->at = LINE_28_computing_in_step;
    prt_launch(ctx, KERNEL_rate_f32_s, 0, &(prt_arguments){
        .arrays = {at_rate(ctx), at_step(ctx)},
        .numbers = {0.0003, 20, 0, 1},
    });
    /* examples/gpt.place:28: output learning_rate: 4 B */
    ctx->at = LINE_28_output_learning_rate;
    prt_output(ctx, "learning_rate", PRT_F32, at_rate(ctx), 1);
    /* examples/gpt.place:28: correction "->": 8 B, 4 flop */
    ctx->at = LINE_28_computing_in_step;
    prt_launch(ctx, KERNEL_correction_f32_s, 0, &(prt_arguments){
        .arrays = {at_correction1(ctx), at_step(ctx)},
        .numbers = {0.9},
    });
    /* examples/gpt.place:28: correction "->": 8 B, 4 flop */
    prt_launch(ctx, KERNEL_correction_f32_s, 0, &(prt_arguments){
        .arrays = {at_correction2(ctx), at_step(ctx)},
        .numbers = {0.999},
    });
    /* examples/gpt.place:28: increment "->": 8 B, 1 flop */
    prt_launch(ctx, KERNEL_increment_f32_s_in_place_a, 0, &(prt_arguments){.arrays = {at_step(ctx)}});
    /* examples/gpt.place:29: sum_squares: 193 KiB, 98.7 kflop */
    ctx->at = LINE_29_computing_in_step;
    prt_launch(ctx, KERNEL_sum_squares_f32_i_to_s_accumulate, 0, &(prt_arguments){
        .arrays = {at_norm_squared(ctx), at_gradients_outside(ctx)},
        .extents = {49344},
    });
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/gpt.place:29: sum_squares: 1.69 MiB, 887 kflop */
        ctx->at = LINE_29_computing_in_step;
        prt_launch(ctx, KERNEL_sum_squares_f32_i_to_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_norm_squared(ctx), at_gradients_block(ctx, layer)},
            .extents = {443616},
        });
    }
    /* examples/gpt.place:22: all_reduce norm_squared over data: payload 4 B */
    ctx->at = LINE_22_all_reduce_norm_squared_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_norm_squared, at_norm_squared(ctx), at_norm_squared(ctx), 1);
    /* examples/gpt.place:29: sqrt "->": 8 B, 2 flop */
    ctx->at = LINE_29_computing_in_step;
    prt_launch(ctx, KERNEL_sqrt_f32_s, 0, &(prt_arguments){.arrays = {at_norm_2(ctx), at_norm_squared(ctx)}});
    /* examples/gpt.place:29: output gradient_norm: 4 B */
    ctx->at = LINE_29_output_gradient_norm;
    prt_output(ctx, "gradient_norm", PRT_F32, at_norm_2(ctx), 1);
    /* examples/gpt.place:29: clip_factor "->": 8 B, 3 flop */
    ctx->at = LINE_29_computing_in_step;
    prt_launch(ctx, KERNEL_clip_factor_f32_s, 0, &(prt_arguments){
        .arrays = {at_clip_factor(ctx), at_norm_squared(ctx)},
        .numbers = {1},
    });
    /* examples/gpt.place:29: mul: 386 KiB, 49.3 kflop */
    prt_launch(ctx, KERNEL_mul_f32_i_s_in_place_a, 0, &(prt_arguments){
        .arrays = {at_gradients_outside(ctx), at_clip_factor(ctx)},
        .extents = {49344},
    });
    /* examples/gpt.place:28: ema: 578 KiB, 148 kflop */
    ctx->at = LINE_28_computing_in_step;
    if (ctx->saving_gradients)
        prt_save_gradient(ctx, GRADIENT_outside, 0, at_gradients_outside(ctx));
    prt_launch(ctx, KERNEL_ema_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_adam_m_outside(ctx), at_gradients_outside(ctx)},
        .extents = {49344},
        .numbers = {0.9},
    });
    /* examples/gpt.place:28: ema_square: 578 KiB, 197 kflop */
    prt_launch(ctx, KERNEL_ema_square_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_adam_v_outside(ctx), at_gradients_outside(ctx)},
        .extents = {49344},
        .numbers = {0.999},
    });
    /* examples/gpt.place:28: adamw: 771 KiB, 444 kflop */
    prt_launch(ctx, KERNEL_adamw_f32_i_i_i_s_s_s_in_place_a, 0, &(prt_arguments){
        .arrays = {at_parameters_outside(ctx), at_adam_m_outside(ctx), at_adam_v_outside(ctx), at_rate(ctx),
                   at_correction1(ctx), at_correction2(ctx)},
        .extents = {49344},
        .numbers = {1e-08, 0.1},
    });
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/gpt.place:29: mul: 3.38 MiB, 444 kflop */
        ctx->at = LINE_29_computing_in_step;
        prt_launch(ctx, KERNEL_mul_f32_i_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_gradients_block(ctx, layer), at_clip_factor(ctx)},
            .extents = {443616},
        });
        /* examples/gpt.place:28: ema: 5.08 MiB, 1.33 Mflop */
        ctx->at = LINE_28_computing_in_step;
        if (ctx->saving_gradients)
            prt_save_gradient(ctx, GRADIENT_block, layer, at_gradients_block(ctx, layer));
        prt_launch(ctx, KERNEL_ema_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_adam_m_block(ctx, layer), at_gradients_block(ctx, layer)},
            .extents = {443616},
            .numbers = {0.9},
        });
        /* examples/gpt.place:28: ema_square: 5.08 MiB, 1.77 Mflop */
        prt_launch(ctx, KERNEL_ema_square_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_adam_v_block(ctx, layer), at_gradients_block(ctx, layer)},
            .extents = {443616},
            .numbers = {0.999},
        });
        /* examples/gpt.place:28: adamw: 6.77 MiB, 3.99 Mflop */
        prt_launch(ctx, KERNEL_adamw_f32_i_i_i_s_s_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_parameters_block(ctx, layer), at_adam_m_block(ctx, layer), at_adam_v_block(ctx, layer),
                       at_rate(ctx), at_correction1(ctx), at_correction2(ctx)},
            .extents = {443616},
            .numbers = {1e-08, 0.1},
        });
    }
}

/* The loss on examples that are held out. */
static void eval(prt_context *ctx)
{
    /* examples/gpt.place:13: fill: 4 B */
    ctx->at = LINE_13_computing_in_eval;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_eval_loss_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 1; micro++) {
        /* examples/gpt.place:5: read tokens: 2.00 KiB */
        ctx->at = LINE_5_read_tokens;
        prt_read(ctx, INPUT_tokens, LAYOUT_8_over_micro_data_by_256, micro, at_eval_tokens(ctx));
        /* examples/gpt.place:5: read targets: 2.00 KiB */
        ctx->at = LINE_5_read_targets;
        prt_read(ctx, INPUT_targets, LAYOUT_8_over_micro_data_by_256, micro, at_eval_targets(ctx));
        /* examples/gpt.place:20: all_gather parameters.outside over data: payload 771 KiB */
        ctx->at = LINE_20_all_gather_parameters_outside_over_data;
        prt_all_gather(ctx, CALL_eval_all_gather_parameters_outside, 0, at_full_outside(ctx),
                       at_parameters_outside(ctx));
        /* examples/gpt.place:7: embed "bt,vh->bth": 1.13 MiB */
        ctx->at = LINE_7_computing_in_eval;
        prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
            .arrays = {at_eval_wte(ctx), at_eval_tokens(ctx), at_full_outside(ctx) + OFFSET_wte_table},
            .extents = {512, 256, 384},
        });
        /* examples/gpt.place:7: add "abc,bc->abc": 1.88 MiB, 197 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_eval_x(ctx, 0), at_eval_wte(ctx), at_full_outside(ctx) + OFFSET_wpe_table},
            .extents = {2, 98304},
        });
        /* examples/gpt.place:9: iota: 1.00 KiB */
        ctx->at = LINE_9_computing_in_eval;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_row_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        /* examples/gpt.place:9: iota: 1.00 KiB */
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_column_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        for (int64_t layer = 0; layer < 6; layer++) {
            /* examples/gpt.place:20: all_gather parameters.block over data: payload 6.77 MiB */
            ctx->at = LINE_20_all_gather_parameters_block_over_data;
            prt_all_gather(ctx, CALL_eval_all_gather_parameters_block, 0, at_full_block(ctx),
                           at_parameters_block(ctx, layer));
            /* examples/gpt.place:9: row_mean "bth->bt": 770 KiB, 197 kflop */
            ctx->at = LINE_9_computing_in_eval;
            prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm1_mean(ctx), at_eval_x(ctx, layer)},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: row_rstd "bth,bt->bt": 772 KiB, 590 kflop */
            prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm1_rstd(ctx), at_eval_x(ctx, layer), at_eval_block_norm1_mean(ctx)},
                .extents = {512, 384},
                .numbers = {1e-05},
            });
            /* examples/gpt.place:9: norm "bth,bt,bt,h,h->bth": 1.51 MiB, 786 kflop */
            prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm1(ctx), at_eval_x(ctx, layer), at_eval_block_norm1_mean(ctx),
                           at_eval_block_norm1_rstd(ctx), at_full_block(ctx) + OFFSET_block_norm1_gain,
                           at_full_block(ctx) + OFFSET_block_norm1_bias},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: einsum "bth,ndh->btnd": 2.06 MiB, 151 Mflop */
            const prt_gemm_shape gemm28 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm28, at_eval_block_norm1(ctx),
                     at_full_block(ctx) + OFFSET_block_attn_query_weight, 0, at_eval_block_attn_query_product(ctx));
            /* examples/gpt.place:9: add "btnd,nd->btnd": 1.50 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn_query(ctx), at_eval_block_attn_query_product(ctx),
                           at_full_block(ctx) + OFFSET_block_attn_query_bias},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: einsum "bth,ndh->btnd": 2.06 MiB, 151 Mflop */
            const prt_gemm_shape gemm29 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm29, at_eval_block_norm1(ctx),
                     at_full_block(ctx) + OFFSET_block_attn_key_weight, 0, at_eval_block_attn_key_product(ctx));
            /* examples/gpt.place:9: add "btnd,nd->btnd": 1.50 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn_key(ctx), at_eval_block_attn_key_product(ctx),
                           at_full_block(ctx) + OFFSET_block_attn_key_bias},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: einsum "bth,ndh->btnd": 2.06 MiB, 151 Mflop */
            const prt_gemm_shape gemm30 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm30, at_eval_block_norm1(ctx),
                     at_full_block(ctx) + OFFSET_block_attn_value_weight, 0, at_eval_block_attn_value_product(ctx));
            /* examples/gpt.place:9: add "btnd,nd->btnd": 1.50 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn_value(ctx), at_eval_block_attn_value_product(ctx),
                           at_full_block(ctx) + OFFSET_block_attn_value_bias},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: einsum "btnd,bsnd->bnts": 4.50 MiB, 101 Mflop */
            const prt_gemm_shape gemm31 = {
                .m = 256, .n = 256, .k = 64,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 256, .c_column = 1,
                .batch_dims = 2,
                .batch = {2, 6},
                .a_batch = {98304, 64},
                .b_batch = {98304, 64},
                .c_batch = {393216, 65536},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm31, at_eval_block_attn_query(ctx), at_eval_block_attn_key(ctx), 0,
                     at_eval_block_attn_scores(ctx));
            /* examples/gpt.place:9: causal_softmax "bnts,t,s->bnts": 6.00 MiB, 6.29 Mflop */
            prt_launch(ctx, KERNEL_causal_softmax_f32_ijk_i32j_i32k, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn_weights(ctx), at_eval_block_attn_scores(ctx), at_eval_row_positions(ctx),
                           at_eval_column_positions(ctx)},
                .extents = {12, 256, 256},
                .numbers = {0.125},
            });
            /* examples/gpt.place:9: einsum "bnts,bsnd->btnd": 4.50 MiB, 101 Mflop */
            const prt_gemm_shape gemm32 = {
                .m = 256, .n = 64, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
                .batch_dims = 2,
                .batch = {2, 6},
                .a_batch = {393216, 65536},
                .b_batch = {98304, 64},
                .c_batch = {98304, 64},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm32, at_eval_block_attn_weights(ctx), at_eval_block_attn_value(ctx), 0,
                     at_eval_block_attn_mixed(ctx));
            /* examples/gpt.place:9: einsum "btnd,hnd->bth": 2.06 MiB, 151 Mflop */
            const prt_gemm_shape gemm33 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm33, at_eval_block_attn_mixed(ctx),
                     at_full_block(ctx) + OFFSET_block_attn_out_weight, 0, at_eval_block_attn_product(ctx));
            /* examples/gpt.place:9: add "bth,h->bth": 1.50 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn(ctx), at_eval_block_attn_product(ctx),
                           at_full_block(ctx) + OFFSET_block_attn_out_bias},
                .extents = {512, 384},
            });
            /* examples/gpt.place:9: add "abc,abc->abc": 2.25 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_eval_block_x(ctx), at_eval_x(ctx, layer), at_eval_block_attn(ctx)},
                .extents = {196608},
            });
            /* examples/gpt.place:10: row_mean "bth->bt": 770 KiB, 197 kflop */
            ctx->at = LINE_10_computing_in_eval;
            prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm2_mean(ctx), at_eval_block_x(ctx)},
                .extents = {512, 384},
            });
            /* examples/gpt.place:10: row_rstd "bth,bt->bt": 772 KiB, 590 kflop */
            prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm2_rstd(ctx), at_eval_block_x(ctx), at_eval_block_norm2_mean(ctx)},
                .extents = {512, 384},
                .numbers = {1e-05},
            });
            /* examples/gpt.place:10: norm "bth,bt,bt,h,h->bth": 1.51 MiB, 786 kflop */
            prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm2(ctx), at_eval_block_x(ctx), at_eval_block_norm2_mean(ctx),
                           at_eval_block_norm2_rstd(ctx), at_full_block(ctx) + OFFSET_block_norm2_gain,
                           at_full_block(ctx) + OFFSET_block_norm2_bias},
                .extents = {512, 384},
            });
            /* examples/gpt.place:10: einsum "bth,oh->bto": 6.00 MiB, 604 Mflop */
            const prt_gemm_shape gemm34 = {
                .m = 512, .n = 1536, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 1536, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm34, at_eval_block_norm2(ctx),
                     at_full_block(ctx) + OFFSET_block_mlp_up_weight, 0, at_eval_block_mlp_up_product(ctx));
            /* examples/gpt.place:10: add "bto,o->bto": 6.01 MiB, 786 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_mlp_up(ctx), at_eval_block_mlp_up_product(ctx),
                           at_full_block(ctx) + OFFSET_block_mlp_up_bias},
                .extents = {512, 1536},
            });
            /* examples/gpt.place:10: gelu "abc->abc": 6.00 MiB, 11 Mflop */
            prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
                .arrays = {at_eval_block_mlp_active(ctx), at_eval_block_mlp_up(ctx)},
                .extents = {786432},
            });
            /* examples/gpt.place:10: einsum "bth,oh->bto": 6.00 MiB, 604 Mflop */
            const prt_gemm_shape gemm35 = {
                .m = 512, .n = 384, .k = 1536,
                .a_row = 1536, .a_column = 1,
                .b_row = 1, .b_column = 1536,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm35, at_eval_block_mlp_active(ctx),
                     at_full_block(ctx) + OFFSET_block_mlp_down_weight, 0, at_eval_block_mlp_product(ctx));
            /* examples/gpt.place:10: add "bto,o->bto": 1.50 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_mlp(ctx), at_eval_block_mlp_product(ctx),
                           at_full_block(ctx) + OFFSET_block_mlp_down_bias},
                .extents = {512, 384},
            });
            /* examples/gpt.place:10: add "abc,abc->abc": 2.25 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_eval_x(ctx, layer + 1), at_eval_block_x(ctx), at_eval_block_mlp(ctx)},
                .extents = {196608},
            });
        }
        /* examples/gpt.place:12: row_mean "bth->bt": 770 KiB, 197 kflop */
        ctx->at = LINE_12_computing_in_eval;
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_norm_mean(ctx), at_eval_x(ctx, 6)},
            .extents = {512, 384},
        });
        /* examples/gpt.place:12: row_rstd "bth,bt->bt": 772 KiB, 590 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_norm_rstd(ctx), at_eval_x(ctx, 6), at_eval_norm_mean(ctx)},
            .extents = {512, 384},
            .numbers = {1e-05},
        });
        /* examples/gpt.place:12: norm "bth,bt,bt,h,h->bth": 1.51 MiB, 786 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_eval_norm(ctx), at_eval_x(ctx, 6), at_eval_norm_mean(ctx), at_eval_norm_rstd(ctx),
                       at_full_outside(ctx) + OFFSET_norm_gain, at_full_outside(ctx) + OFFSET_norm_bias},
            .extents = {512, 384},
        });
        /* examples/gpt.place:12: einsum "bth,oh->bto": 1.62 MiB, 101 Mflop */
        const prt_gemm_shape gemm36 = {
            .m = 512, .n = 256, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm36, at_eval_norm(ctx), at_full_outside(ctx) + OFFSET_wte_table, 0,
                 at_eval_logits(ctx));
        /* examples/gpt.place:13: iota: 1.00 KiB */
        ctx->at = LINE_13_computing_in_eval;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_class_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        /* examples/gpt.place:13: row_max "btv->bt": 514 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_largest(ctx), at_eval_logits(ctx)},
            .extents = {512, 256},
        });
        /* examples/gpt.place:13: exp_sum "btv,bt->bt": 516 KiB, 524 kflop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_exp_sum(ctx), at_eval_logits(ctx), at_eval_loss_terms_largest(ctx)},
            .extents = {512, 256},
        });
        /* examples/gpt.place:13: pick "btv,bt,v->bt": 517 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_target_logit(ctx), at_eval_logits(ctx), at_eval_targets(ctx),
                       at_eval_class_positions(ctx)},
            .extents = {512, 256},
        });
        /* examples/gpt.place:13: log_loss "bt,bt,bt->bt": 8.00 KiB, 3.07 kflop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms(ctx), at_eval_loss_terms_largest(ctx), at_eval_loss_terms_exp_sum(ctx),
                       at_eval_loss_terms_target_logit(ctx)},
            .extents = {512},
        });
        /* examples/gpt.place:13: reduce "ab->": 2.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx), at_eval_loss_terms(ctx)},
            .extents = {512},
        });
        /* examples/gpt.place:13: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx)},
            .numbers = {1.0 / 2048},
        });
        /* examples/gpt.place:13: add to eval.loss.sum "->": 12 B */
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_eval_loss_sum(ctx), at_eval_loss(ctx)},
        });
    }
    /* examples/gpt.place:23: all_reduce eval.loss.sum over data: payload 4 B */
    ctx->at = LINE_23_all_reduce_eval_loss_sum_over_data;
    prt_all_reduce(ctx, CALL_eval_all_reduce_loss_sum, at_eval_loss_sum(ctx), at_eval_loss_sum(ctx), 1);
    /* examples/gpt.place:13: output loss: 4 B */
    ctx->at = LINE_13_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_eval_loss_sum(ctx), 1);
}

/* The model's output on the text so far. */
static void predict(prt_context *ctx)
{
    /* examples/gpt.place:5: read tokens: 1.00 KiB */
    ctx->at = LINE_5_read_tokens;
    prt_read(ctx, INPUT_tokens, LAYOUT_1_by_256, 0, at_predict_tokens(ctx));
    /* examples/gpt.place:20: all_gather parameters.outside over data: payload 771 KiB */
    ctx->at = LINE_20_all_gather_parameters_outside_over_data;
    prt_all_gather(ctx, CALL_predict_all_gather_parameters_outside, 0, at_full_outside(ctx),
                   at_parameters_outside(ctx));
    /* examples/gpt.place:7: embed "bt,vh->bth": 769 KiB */
    ctx->at = LINE_7_computing_in_predict;
    prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
        .arrays = {at_predict_wte(ctx), at_predict_tokens(ctx), at_full_outside(ctx) + OFFSET_wte_table},
        .extents = {256, 256, 384},
    });
    /* examples/gpt.place:7: add "abc,bc->abc": 1.12 MiB, 98.3 kflop */
    prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
        .arrays = {at_predict_x(ctx, 0), at_predict_wte(ctx), at_full_outside(ctx) + OFFSET_wpe_table},
        .extents = {1, 98304},
    });
    /* examples/gpt.place:9: iota: 1.00 KiB */
    ctx->at = LINE_9_computing_in_predict;
    prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
        .arrays = {at_predict_row_positions(ctx)},
        .extents = {256},
        .numbers = {0},
    });
    /* examples/gpt.place:9: iota: 1.00 KiB */
    prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
        .arrays = {at_predict_column_positions(ctx)},
        .extents = {256},
        .numbers = {0},
    });
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/gpt.place:20: all_gather parameters.block over data: payload 6.77 MiB */
        ctx->at = LINE_20_all_gather_parameters_block_over_data;
        prt_all_gather(ctx, CALL_predict_all_gather_parameters_block, 0, at_full_block(ctx),
                       at_parameters_block(ctx, layer));
        /* examples/gpt.place:9: row_mean "bth->bt": 385 KiB, 98.3 kflop */
        ctx->at = LINE_9_computing_in_predict;
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm1_mean(ctx), at_predict_x(ctx, layer)},
            .extents = {256, 384},
        });
        /* examples/gpt.place:9: row_rstd "bth,bt->bt": 386 KiB, 295 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm1_rstd(ctx), at_predict_x(ctx, layer), at_predict_block_norm1_mean(ctx)},
            .extents = {256, 384},
            .numbers = {1e-05},
        });
        /* examples/gpt.place:9: norm "bth,bt,bt,h,h->bth": 773 KiB, 393 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm1(ctx), at_predict_x(ctx, layer), at_predict_block_norm1_mean(ctx),
                       at_predict_block_norm1_rstd(ctx), at_full_block(ctx) + OFFSET_block_norm1_gain,
                       at_full_block(ctx) + OFFSET_block_norm1_bias},
            .extents = {256, 384},
        });
        /* examples/gpt.place:9: einsum "bth,ndh->btnd": 1.31 MiB, 75.5 Mflop */
        const prt_gemm_shape gemm37 = {
            .m = 256, .n = 384, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm37, at_predict_block_norm1(ctx),
                 at_full_block(ctx) + OFFSET_block_attn_query_weight, 0, at_predict_block_attn_query_product(ctx));
        /* examples/gpt.place:9: add "btnd,nd->btnd": 770 KiB, 98.3 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn_query(ctx), at_predict_block_attn_query_product(ctx),
                       at_full_block(ctx) + OFFSET_block_attn_query_bias},
            .extents = {256, 384},
        });
        /* examples/gpt.place:9: einsum "bth,ndh->btnd": 1.31 MiB, 75.5 Mflop */
        const prt_gemm_shape gemm38 = {
            .m = 256, .n = 384, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm38, at_predict_block_norm1(ctx),
                 at_full_block(ctx) + OFFSET_block_attn_key_weight, 0, at_predict_block_attn_key_product(ctx));
        /* examples/gpt.place:9: add "btnd,nd->btnd": 770 KiB, 98.3 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn_key(ctx), at_predict_block_attn_key_product(ctx),
                       at_full_block(ctx) + OFFSET_block_attn_key_bias},
            .extents = {256, 384},
        });
        /* examples/gpt.place:9: einsum "bth,ndh->btnd": 1.31 MiB, 75.5 Mflop */
        const prt_gemm_shape gemm39 = {
            .m = 256, .n = 384, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm39, at_predict_block_norm1(ctx),
                 at_full_block(ctx) + OFFSET_block_attn_value_weight, 0, at_predict_block_attn_value_product(ctx));
        /* examples/gpt.place:9: add "btnd,nd->btnd": 770 KiB, 98.3 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn_value(ctx), at_predict_block_attn_value_product(ctx),
                       at_full_block(ctx) + OFFSET_block_attn_value_bias},
            .extents = {256, 384},
        });
        /* examples/gpt.place:9: einsum "btnd,bsnd->bnts": 2.25 MiB, 50.3 Mflop */
        const prt_gemm_shape gemm40 = {
            .m = 256, .n = 256, .k = 64,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 256, .c_column = 1,
            .batch_dims = 2,
            .batch = {1, 6},
            .a_batch = {98304, 64},
            .b_batch = {98304, 64},
            .c_batch = {393216, 65536},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm40, at_predict_block_attn_query(ctx), at_predict_block_attn_key(ctx), 0,
                 at_predict_block_attn_scores(ctx));
        /* examples/gpt.place:9: causal_softmax "bnts,t,s->bnts": 3.00 MiB, 3.15 Mflop */
        prt_launch(ctx, KERNEL_causal_softmax_f32_ijk_i32j_i32k, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn_weights(ctx), at_predict_block_attn_scores(ctx),
                       at_predict_row_positions(ctx), at_predict_column_positions(ctx)},
            .extents = {6, 256, 256},
            .numbers = {0.125},
        });
        /* examples/gpt.place:9: einsum "bnts,bsnd->btnd": 2.25 MiB, 50.3 Mflop */
        const prt_gemm_shape gemm41 = {
            .m = 256, .n = 64, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 384, .b_column = 1,
            .c_row = 384, .c_column = 1,
            .batch_dims = 2,
            .batch = {1, 6},
            .a_batch = {393216, 65536},
            .b_batch = {98304, 64},
            .c_batch = {98304, 64},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm41, at_predict_block_attn_weights(ctx), at_predict_block_attn_value(ctx), 0,
                 at_predict_block_attn_mixed(ctx));
        /* examples/gpt.place:9: einsum "btnd,hnd->bth": 1.31 MiB, 75.5 Mflop */
        const prt_gemm_shape gemm42 = {
            .m = 256, .n = 384, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm42, at_predict_block_attn_mixed(ctx),
                 at_full_block(ctx) + OFFSET_block_attn_out_weight, 0, at_predict_block_attn_product(ctx));
        /* examples/gpt.place:9: add "bth,h->bth": 770 KiB, 98.3 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn(ctx), at_predict_block_attn_product(ctx),
                       at_full_block(ctx) + OFFSET_block_attn_out_bias},
            .extents = {256, 384},
        });
        /* examples/gpt.place:9: add "abc,abc->abc": 1.12 MiB, 98.3 kflop */
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_predict_block_x(ctx), at_predict_x(ctx, layer), at_predict_block_attn(ctx)},
            .extents = {98304},
        });
        /* examples/gpt.place:10: row_mean "bth->bt": 385 KiB, 98.3 kflop */
        ctx->at = LINE_10_computing_in_predict;
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm2_mean(ctx), at_predict_block_x(ctx)},
            .extents = {256, 384},
        });
        /* examples/gpt.place:10: row_rstd "bth,bt->bt": 386 KiB, 295 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm2_rstd(ctx), at_predict_block_x(ctx), at_predict_block_norm2_mean(ctx)},
            .extents = {256, 384},
            .numbers = {1e-05},
        });
        /* examples/gpt.place:10: norm "bth,bt,bt,h,h->bth": 773 KiB, 393 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm2(ctx), at_predict_block_x(ctx), at_predict_block_norm2_mean(ctx),
                       at_predict_block_norm2_rstd(ctx), at_full_block(ctx) + OFFSET_block_norm2_gain,
                       at_full_block(ctx) + OFFSET_block_norm2_bias},
            .extents = {256, 384},
        });
        /* examples/gpt.place:10: einsum "bth,oh->bto": 4.12 MiB, 302 Mflop */
        const prt_gemm_shape gemm43 = {
            .m = 256, .n = 1536, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 1536, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm43, at_predict_block_norm2(ctx), at_full_block(ctx) + OFFSET_block_mlp_up_weight,
                 0, at_predict_block_mlp_up_product(ctx));
        /* examples/gpt.place:10: add "bto,o->bto": 3.01 MiB, 393 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_mlp_up(ctx), at_predict_block_mlp_up_product(ctx),
                       at_full_block(ctx) + OFFSET_block_mlp_up_bias},
            .extents = {256, 1536},
        });
        /* examples/gpt.place:10: gelu "abc->abc": 3.00 MiB, 5.51 Mflop */
        prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
            .arrays = {at_predict_block_mlp_active(ctx), at_predict_block_mlp_up(ctx)},
            .extents = {393216},
        });
        /* examples/gpt.place:10: einsum "bth,oh->bto": 4.12 MiB, 302 Mflop */
        const prt_gemm_shape gemm44 = {
            .m = 256, .n = 384, .k = 1536,
            .a_row = 1536, .a_column = 1,
            .b_row = 1, .b_column = 1536,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm44, at_predict_block_mlp_active(ctx),
                 at_full_block(ctx) + OFFSET_block_mlp_down_weight, 0, at_predict_block_mlp_product(ctx));
        /* examples/gpt.place:10: add "bto,o->bto": 770 KiB, 98.3 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_mlp(ctx), at_predict_block_mlp_product(ctx),
                       at_full_block(ctx) + OFFSET_block_mlp_down_bias},
            .extents = {256, 384},
        });
        /* examples/gpt.place:10: add "abc,abc->abc": 1.12 MiB, 98.3 kflop */
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_predict_x(ctx, layer + 1), at_predict_block_x(ctx), at_predict_block_mlp(ctx)},
            .extents = {98304},
        });
    }
    /* examples/gpt.place:12: row_mean "bth->bt": 385 KiB, 98.3 kflop */
    ctx->at = LINE_12_computing_in_predict;
    prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
        .arrays = {at_predict_norm_mean(ctx), at_predict_x(ctx, 6)},
        .extents = {256, 384},
    });
    /* examples/gpt.place:12: row_rstd "bth,bt->bt": 386 KiB, 295 kflop */
    prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
        .arrays = {at_predict_norm_rstd(ctx), at_predict_x(ctx, 6), at_predict_norm_mean(ctx)},
        .extents = {256, 384},
        .numbers = {1e-05},
    });
    /* examples/gpt.place:12: norm "bth,bt,bt,h,h->bth": 773 KiB, 393 kflop */
    prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
        .arrays = {at_predict_norm(ctx), at_predict_x(ctx, 6), at_predict_norm_mean(ctx), at_predict_norm_rstd(ctx),
                   at_full_outside(ctx) + OFFSET_norm_gain, at_full_outside(ctx) + OFFSET_norm_bias},
        .extents = {256, 384},
    });
    /* examples/gpt.place:12: einsum "bth,oh->bto": 1.00 MiB, 50.3 Mflop */
    const prt_gemm_shape gemm45 = {
        .m = 256, .n = 256, .k = 384,
        .a_row = 384, .a_column = 1,
        .b_row = 1, .b_column = 384,
        .c_row = 256, .c_column = 1,
    };
    prt_gemm(ctx, 0, PRT_F32, &gemm45, at_predict_norm(ctx), at_full_outside(ctx) + OFFSET_wte_table, 0,
             at_predict_logits(ctx));
    /* examples/gpt.place:13: output logits: 256 KiB */
    ctx->at = LINE_13_output_logits;
    prt_output(ctx, "logits", PRT_F32, at_predict_logits(ctx), 65536);
}

/* ---- The plan, for the runtime ---- */

/* Rows of a table. */
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static const prt_tensor tensors[] = {
    [TENSOR_wte_table] = {"wte.table", NULL, 1, PRT_F32, 2, {256, 384}, PRT_NORMAL, 0.02},
    [TENSOR_wpe_table] = {"wpe.table", NULL, 1, PRT_F32, 2, {256, 384}, PRT_NORMAL, 0.02},
    [TENSOR_block_norm1_gain] = {"block.norm1.gain", "block", 6, PRT_F32, 1, {384}, PRT_ONES, 0},
    [TENSOR_block_norm1_bias] = {"block.norm1.bias", "block", 6, PRT_F32, 1, {384}, PRT_ZEROS, 0},
    [TENSOR_block_attn_query_weight] =
        {"block.attn.query.weight", "block", 6, PRT_F32, 3, {6, 64, 384}, PRT_NORMAL, 0.02},
    [TENSOR_block_attn_query_bias] = {"block.attn.query.bias", "block", 6, PRT_F32, 2, {6, 64}, PRT_ZEROS, 0},
    [TENSOR_block_attn_key_weight] = {"block.attn.key.weight", "block", 6, PRT_F32, 3, {6, 64, 384}, PRT_NORMAL, 0.02},
    [TENSOR_block_attn_key_bias] = {"block.attn.key.bias", "block", 6, PRT_F32, 2, {6, 64}, PRT_ZEROS, 0},
    [TENSOR_block_attn_value_weight] =
        {"block.attn.value.weight", "block", 6, PRT_F32, 3, {6, 64, 384}, PRT_NORMAL, 0.02},
    [TENSOR_block_attn_value_bias] = {"block.attn.value.bias", "block", 6, PRT_F32, 2, {6, 64}, PRT_ZEROS, 0},
    [TENSOR_block_attn_out_weight] =
        {"block.attn.out.weight", "block", 6, PRT_F32, 3, {384, 6, 64}, PRT_NORMAL, 0.005773502691896258},
    [TENSOR_block_attn_out_bias] = {"block.attn.out.bias", "block", 6, PRT_F32, 1, {384}, PRT_ZEROS, 0},
    [TENSOR_block_norm2_gain] = {"block.norm2.gain", "block", 6, PRT_F32, 1, {384}, PRT_ONES, 0},
    [TENSOR_block_norm2_bias] = {"block.norm2.bias", "block", 6, PRT_F32, 1, {384}, PRT_ZEROS, 0},
    [TENSOR_block_mlp_up_weight] = {"block.mlp.up.weight", "block", 6, PRT_F32, 2, {1536, 384}, PRT_NORMAL, 0.02},
    [TENSOR_block_mlp_up_bias] = {"block.mlp.up.bias", "block", 6, PRT_F32, 1, {1536}, PRT_ZEROS, 0},
    [TENSOR_block_mlp_down_weight] =
        {"block.mlp.down.weight", "block", 6, PRT_F32, 2, {384, 1536}, PRT_NORMAL, 0.005773502691896258},
    [TENSOR_block_mlp_down_bias] = {"block.mlp.down.bias", "block", 6, PRT_F32, 1, {384}, PRT_ZEROS, 0},
    [TENSOR_norm_gain] = {"norm.gain", NULL, 1, PRT_F32, 1, {384}, PRT_ONES, 0},
    [TENSOR_norm_bias] = {"norm.bias", NULL, 1, PRT_F32, 1, {384}, PRT_ZEROS, 0},
};

static const prt_input inputs[] = {
    [INPUT_tokens] = {"tokens", PRT_I32, PRT_TOKENS, 256, 2, {8, 256}},
    [INPUT_targets] = {"targets", PRT_I32, PRT_TARGETS, 256, 2, {8, 256}},
};

static const prt_member members_outside[] = {
    {TENSOR_wte_table, OFFSET_wte_table, NULL},
    {TENSOR_wpe_table, OFFSET_wpe_table, NULL},
    {TENSOR_norm_gain, OFFSET_norm_gain, NULL},
    {TENSOR_norm_bias, OFFSET_norm_bias, NULL},
};

static const prt_member members_block[] = {
    {TENSOR_block_norm1_gain, OFFSET_block_norm1_gain, NULL},
    {TENSOR_block_norm1_bias, OFFSET_block_norm1_bias, NULL},
    {TENSOR_block_attn_query_weight, OFFSET_block_attn_query_weight, NULL},
    {TENSOR_block_attn_query_bias, OFFSET_block_attn_query_bias, NULL},
    {TENSOR_block_attn_key_weight, OFFSET_block_attn_key_weight, NULL},
    {TENSOR_block_attn_key_bias, OFFSET_block_attn_key_bias, NULL},
    {TENSOR_block_attn_value_weight, OFFSET_block_attn_value_weight, NULL},
    {TENSOR_block_attn_value_bias, OFFSET_block_attn_value_bias, NULL},
    {TENSOR_block_attn_out_weight, OFFSET_block_attn_out_weight, NULL},
    {TENSOR_block_attn_out_bias, OFFSET_block_attn_out_bias, NULL},
    {TENSOR_block_norm2_gain, OFFSET_block_norm2_gain, NULL},
    {TENSOR_block_norm2_bias, OFFSET_block_norm2_bias, NULL},
    {TENSOR_block_mlp_up_weight, OFFSET_block_mlp_up_weight, NULL},
    {TENSOR_block_mlp_up_bias, OFFSET_block_mlp_up_bias, NULL},
    {TENSOR_block_mlp_down_weight, OFFSET_block_mlp_down_weight, NULL},
    {TENSOR_block_mlp_down_bias, OFFSET_block_mlp_down_bias, NULL},
};

static const prt_unit units[] = {
    [UNIT_outside] = {"outside", 0, 0, COUNT(members_outside), members_outside, 197376},
    [UNIT_block] = {"block", 0, 5, COUNT(members_block), members_block, 1774464},
};

static const prt_state states[] = {
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 197376,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    {
        .state = "adam_m",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_m_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 197376,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    {
        .state = "adam_v",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_v_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 197376,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_block,
        .dtype = PRT_F32,
        .slots = 6,
        .slot_bytes = 1774464,
        .layout = LAYOUT_block_over_data,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 5}},
    },
    {
        .state = "adam_m",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_m_block,
        .dtype = PRT_F32,
        .slots = 6,
        .slot_bytes = 1774464,
        .layout = LAYOUT_block_over_data,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 5}},
    },
    {
        .state = "adam_v",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_v_block,
        .dtype = PRT_F32,
        .slots = 6,
        .slot_bytes = 1774464,
        .layout = LAYOUT_block_over_data,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 5}},
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
        .slot_bytes = 197376,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    [GRADIENT_block] = {
        .state = "gradients",
        .dtype = PRT_F32,
        .slots = 6,
        .slot_bytes = 1774464,
        .layout = LAYOUT_block_over_data,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 5}},
    },
};

static const prt_group groups[] = {
    [GROUP_data] = {1, {AXIS_data}},
};

static const prt_call calls[] = {
    [CALL_all_gather_parameters_outside] = {
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
        .source = LINE_20_all_gather_parameters_outside_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 789504,
    },
    [CALL_all_gather_parameters_block] = {
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
        .source = LINE_20_all_gather_parameters_block_over_data,
        .calls_per_step = (const int64_t[]){6},
        .payload_bytes = 7097856,
    },
    [CALL_all_gather_parameters_outside_2] = {
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
        .source = LINE_20_all_gather_parameters_outside_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 789504,
    },
    [CALL_all_gather_parameters_block_2] = {
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
        .source = LINE_20_all_gather_parameters_block_over_data,
        .calls_per_step = (const int64_t[]){6},
        .payload_bytes = 7097856,
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
        .source = LINE_21_reduce_scatter_contribution_block_over_data,
        .calls_per_step = (const int64_t[]){6},
        .payload_bytes = 7097856,
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
        .source = LINE_21_reduce_scatter_contribution_outside_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 789504,
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
        .source = LINE_22_all_reduce_norm_squared_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 4,
    },
    [CALL_eval_all_gather_parameters_outside] = {
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
        .source = LINE_20_all_gather_parameters_outside_over_data,
        .calls_per_step = (const int64_t[]){0},
        .payload_bytes = 789504,
    },
    [CALL_eval_all_gather_parameters_block] = {
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
        .source = LINE_20_all_gather_parameters_block_over_data,
        .calls_per_step = (const int64_t[]){0},
        .payload_bytes = 7097856,
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
        .source = LINE_23_all_reduce_eval_loss_sum_over_data,
        .calls_per_step = (const int64_t[]){0},
        .payload_bytes = 4,
    },
    [CALL_predict_all_gather_parameters_outside] = {
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
        .source = LINE_20_all_gather_parameters_outside_over_data,
        .calls_per_step = (const int64_t[]){0},
        .payload_bytes = 789504,
    },
    [CALL_predict_all_gather_parameters_block] = {
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
        .source = LINE_20_all_gather_parameters_block_over_data,
        .calls_per_step = (const int64_t[]){0},
        .payload_bytes = 7097856,
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
    [KERNEL_iota_i32] = {
        .entry = "kernel_iota_i32",
        .host = kernel_iota_i32,
        .arrays = {{PRT_I32, "i"}},
        .array_count = 1, .extent_count = 1, .number_count = 1,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 0,
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
    [KERNEL_causal_softmax_f32_ijk_i32j_i32k] = {
        .entry = "kernel_causal_softmax_f32_ijk_i32j_i32k",
        .host = kernel_causal_softmax_f32_ijk_i32j_i32k,
        .arrays = {{PRT_F32, "ijk"}, {PRT_F32, "ijk"}, {PRT_I32, "j"}, {PRT_I32, "k"}},
        .array_count = 4, .extent_count = 3, .number_count = 1,
        .reads_result = false,
        .split = "i", .work = "ij", .per_thread = false,
        .space = "ijk", .operations = 8,
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
    [KERNEL_gelu_f32] = {
        .entry = "kernel_gelu_f32",
        .host = kernel_gelu_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 14,
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
    [KERNEL_norm_bwd_f32_ij_i_i_j_ij_accumulate] = {
        .entry = "kernel_norm_bwd_f32_ij_i_i_j_ij_accumulate",
        .host = kernel_norm_bwd_f32_ij_i_i_j_ij_accumulate,
        .arrays = {{PRT_F32, "ij"}, {PRT_F32, "ij"}, {PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "j"}, {PRT_F32, "ij"}},
        .array_count = 6, .extent_count = 2, .number_count = 0,
        .reads_result = true,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 12,
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
    [LAYOUT_outside_over_data] = {.unit = UNIT_outside, .cut_count = 1, .cut = {AXIS_data}},
    [LAYOUT_block_over_data] = {.unit = UNIT_block, .cut_count = 1, .cut = {AXIS_data}},
    [LAYOUT_8_over_micro_data_by_256] =
        {.unit = -1, .dim_count = 2, .dims = {{.size = 8, .cut_count = 2, .cut = {PRT_MICRO, AXIS_data}}, {.size = 256}}},
    [LAYOUT_outside] = {.unit = UNIT_outside},
    [LAYOUT_block] = {.unit = UNIT_block},
    [LAYOUT_scalar] = {.unit = -1},
    [LAYOUT_1_by_256] = {.unit = -1, .dim_count = 2, .dims = {{.size = 1}, {.size = 256}}},
};

static const prt_class classes[] = {
    {
        .memory = {10844160, 10844160, 21688324, 102876424, 14985216, 0, 180},
    },
};

static const prt_buffer buffers[] = {
    {.name = "parameters.outside", .tier = PRT_DEVICE, .offset = ARENA_parameters_outside, .bytes = 197376},
    {.name = "gradients.outside", .tier = PRT_DEVICE, .offset = ARENA_gradients_outside, .bytes = 197376},
    {.name = "contribution.outside", .tier = PRT_DEVICE, .offset = ARENA_contribution_outside, .bytes = 789504},
    {.name = "adam_m.outside", .tier = PRT_DEVICE, .offset = ARENA_adam_m_outside, .bytes = 197376},
    {.name = "adam_v.outside", .tier = PRT_DEVICE, .offset = ARENA_adam_v_outside, .bytes = 197376},
    {.name = "parameters.block", .tier = PRT_DEVICE, .offset = ARENA_parameters_block, .bytes = 10646784},
    {.name = "gradients.block", .tier = PRT_DEVICE, .offset = ARENA_gradients_block, .bytes = 10646784},
    {.name = "contribution.block", .tier = PRT_DEVICE, .offset = ARENA_contribution_block, .bytes = 7097856},
    {.name = "adam_m.block", .tier = PRT_DEVICE, .offset = ARENA_adam_m_block, .bytes = 10646784},
    {.name = "adam_v.block", .tier = PRT_DEVICE, .offset = ARENA_adam_v_block, .bytes = 10646784},
    {.name = "step", .tier = PRT_DEVICE, .offset = ARENA_step, .bytes = 4},
    {.name = "loss.sum", .tier = PRT_DEVICE, .offset = ARENA_loss_sum, .bytes = 4},
    {.name = "tokens", .tier = PRT_DEVICE, .offset = ARENA_tokens, .bytes = 2048},
    {.name = "targets", .tier = PRT_DEVICE, .offset = ARENA_targets, .bytes = 2048},
    {.name = "full.outside", .tier = PRT_DEVICE, .offset = ARENA_full_outside, .bytes = 789504},
    {.name = "wte", .tier = PRT_DEVICE, .offset = ARENA_wte, .bytes = 786432},
    {.name = "x", .tier = PRT_DEVICE, .offset = ARENA_x, .bytes = 5505024},
    {.name = "row_positions", .tier = PRT_DEVICE, .offset = ARENA_row_positions, .bytes = 1024},
    {.name = "column_positions", .tier = PRT_DEVICE, .offset = ARENA_column_positions, .bytes = 1024},
    {.name = "full.block", .tier = PRT_DEVICE, .offset = ARENA_full_block, .bytes = 7097856},
    {.name = "block.norm1.mean", .tier = PRT_DEVICE, .offset = ARENA_block_norm1_mean, .bytes = 12288},
    {.name = "block.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_block_norm1_rstd, .bytes = 12288},
    {.name = "block.norm1", .tier = PRT_DEVICE, .offset = ARENA_block_norm1, .bytes = 4718592},
    {.name = "block.attn.query.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_query_product, .bytes = 786432},
    {.name = "block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_block_attn_query, .bytes = 4718592},
    {.name = "block.attn.key.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_key_product, .bytes = 786432},
    {.name = "block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_block_attn_key, .bytes = 4718592},
    {.name = "block.attn.value.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_value_product, .bytes = 786432},
    {.name = "block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_block_attn_value, .bytes = 4718592},
    {.name = "block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_block_attn_scores, .bytes = 3145728},
    {.name = "block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_block_attn_weights, .bytes = 18874368},
    {.name = "block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_block_attn_mixed, .bytes = 4718592},
    {.name = "block.attn.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_product, .bytes = 786432},
    {.name = "block.attn", .tier = PRT_DEVICE, .offset = ARENA_block_attn, .bytes = 786432},
    {.name = "block.x", .tier = PRT_DEVICE, .offset = ARENA_block_x, .bytes = 4718592},
    {.name = "block.norm2.mean", .tier = PRT_DEVICE, .offset = ARENA_block_norm2_mean, .bytes = 12288},
    {.name = "block.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_block_norm2_rstd, .bytes = 12288},
    {.name = "block.norm2", .tier = PRT_DEVICE, .offset = ARENA_block_norm2, .bytes = 4718592},
    {.name = "block.mlp.up.product", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_up_product, .bytes = 3145728},
    {.name = "block.mlp.up", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_up, .bytes = 18874368},
    {.name = "block.mlp.active", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_active, .bytes = 18874368},
    {.name = "block.mlp.product", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_product, .bytes = 786432},
    {.name = "block.mlp", .tier = PRT_DEVICE, .offset = ARENA_block_mlp, .bytes = 786432},
    {.name = "norm.mean", .tier = PRT_DEVICE, .offset = ARENA_norm_mean, .bytes = 2048},
    {.name = "norm.rstd", .tier = PRT_DEVICE, .offset = ARENA_norm_rstd, .bytes = 2048},
    {.name = "norm", .tier = PRT_DEVICE, .offset = ARENA_norm, .bytes = 786432},
    {.name = "logits", .tier = PRT_DEVICE, .offset = ARENA_logits, .bytes = 524288},
    {.name = "class_positions", .tier = PRT_DEVICE, .offset = ARENA_class_positions, .bytes = 1024},
    {.name = "loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_largest, .bytes = 2048},
    {.name = "loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_exp_sum, .bytes = 2048},
    {.name = "loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_target_logit, .bytes = 2048},
    {.name = "loss.terms", .tier = PRT_DEVICE, .offset = ARENA_loss_terms, .bytes = 2048},
    {.name = "loss", .tier = PRT_DEVICE, .offset = ARENA_loss, .bytes = 4},
    {.name = "d_loss.terms", .tier = PRT_DEVICE, .offset = ARENA_d_loss_terms, .bytes = 2048},
    {.name = "d_logits", .tier = PRT_DEVICE, .offset = ARENA_d_logits, .bytes = 524288},
    {.name = "d_norm", .tier = PRT_DEVICE, .offset = ARENA_d_norm, .bytes = 786432},
    {.name = "d_x", .tier = PRT_DEVICE, .offset = ARENA_d_x, .bytes = 786432},
    {.name = "d_block.mlp.active", .tier = PRT_DEVICE, .offset = ARENA_d_block_mlp_active, .bytes = 3145728},
    {.name = "d_block.mlp.up", .tier = PRT_DEVICE, .offset = ARENA_d_block_mlp_up, .bytes = 3145728},
    {.name = "d_block.norm2", .tier = PRT_DEVICE, .offset = ARENA_d_block_norm2, .bytes = 786432},
    {.name = "d_block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_mixed, .bytes = 786432},
    {.name = "d_block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_weights, .bytes = 3145728},
    {.name = "d_block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_value, .bytes = 786432},
    {.name = "d_block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_scores, .bytes = 3145728},
    {.name = "d_block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_query, .bytes = 786432},
    {.name = "d_block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_key, .bytes = 786432},
    {.name = "d_block.norm1", .tier = PRT_DEVICE, .offset = ARENA_d_block_norm1, .bytes = 786432},
    {.name = "norm_squared", .tier = PRT_DEVICE, .offset = ARENA_norm_squared, .bytes = 4},
    {.name = "rate", .tier = PRT_DEVICE, .offset = ARENA_rate, .bytes = 4},
    {.name = "correction1", .tier = PRT_DEVICE, .offset = ARENA_correction1, .bytes = 4},
    {.name = "correction2", .tier = PRT_DEVICE, .offset = ARENA_correction2, .bytes = 4},
    {.name = "norm.2", .tier = PRT_DEVICE, .offset = ARENA_norm_2, .bytes = 4},
    {.name = "clip_factor", .tier = PRT_DEVICE, .offset = ARENA_clip_factor, .bytes = 4},
    {.name = "eval.loss.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_sum, .bytes = 4},
    {.name = "eval.tokens", .tier = PRT_DEVICE, .offset = ARENA_eval_tokens, .bytes = 2048},
    {.name = "eval.targets", .tier = PRT_DEVICE, .offset = ARENA_eval_targets, .bytes = 2048},
    {.name = "eval.wte", .tier = PRT_DEVICE, .offset = ARENA_eval_wte, .bytes = 786432},
    {.name = "eval.x", .tier = PRT_DEVICE, .offset = ARENA_eval_x, .bytes = 5505024},
    {.name = "eval.row_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_row_positions, .bytes = 1024},
    {.name = "eval.column_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_column_positions, .bytes = 1024},
    {.name = "eval.block.norm1.mean", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm1_mean, .bytes = 2048},
    {.name = "eval.block.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm1_rstd, .bytes = 2048},
    {.name = "eval.block.norm1", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm1, .bytes = 786432},
    {.name = "eval.block.attn.query.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_query_product, .bytes = 786432},
    {.name = "eval.block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_query, .bytes = 786432},
    {.name = "eval.block.attn.key.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_key_product, .bytes = 786432},
    {.name = "eval.block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_key, .bytes = 786432},
    {.name = "eval.block.attn.value.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_value_product, .bytes = 786432},
    {.name = "eval.block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_value, .bytes = 786432},
    {.name = "eval.block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_scores, .bytes = 3145728},
    {.name = "eval.block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_weights, .bytes = 3145728},
    {.name = "eval.block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_mixed, .bytes = 786432},
    {.name = "eval.block.attn.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_product, .bytes = 786432},
    {.name = "eval.block.attn", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn, .bytes = 786432},
    {.name = "eval.block.x", .tier = PRT_DEVICE, .offset = ARENA_eval_block_x, .bytes = 786432},
    {.name = "eval.block.norm2.mean", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm2_mean, .bytes = 2048},
    {.name = "eval.block.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm2_rstd, .bytes = 2048},
    {.name = "eval.block.norm2", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm2, .bytes = 786432},
    {.name = "eval.block.mlp.up.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_mlp_up_product, .bytes = 3145728},
    {.name = "eval.block.mlp.up", .tier = PRT_DEVICE, .offset = ARENA_eval_block_mlp_up, .bytes = 3145728},
    {.name = "eval.block.mlp.active", .tier = PRT_DEVICE, .offset = ARENA_eval_block_mlp_active, .bytes = 3145728},
    {.name = "eval.block.mlp.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_mlp_product, .bytes = 786432},
    {.name = "eval.block.mlp", .tier = PRT_DEVICE, .offset = ARENA_eval_block_mlp, .bytes = 786432},
    {.name = "eval.norm.mean", .tier = PRT_DEVICE, .offset = ARENA_eval_norm_mean, .bytes = 2048},
    {.name = "eval.norm.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_norm_rstd, .bytes = 2048},
    {.name = "eval.norm", .tier = PRT_DEVICE, .offset = ARENA_eval_norm, .bytes = 786432},
    {.name = "eval.logits", .tier = PRT_DEVICE, .offset = ARENA_eval_logits, .bytes = 524288},
    {.name = "eval.class_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_class_positions, .bytes = 1024},
    {.name = "eval.loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_largest, .bytes = 2048},
    {.name = "eval.loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_exp_sum, .bytes = 2048},
    {.name = "eval.loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_target_logit, .bytes = 2048},
    {.name = "eval.loss.terms", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms, .bytes = 2048},
    {.name = "eval.loss", .tier = PRT_DEVICE, .offset = ARENA_eval_loss, .bytes = 4},
    {.name = "predict.tokens", .tier = PRT_DEVICE, .offset = ARENA_predict_tokens, .bytes = 1024},
    {.name = "predict.wte", .tier = PRT_DEVICE, .offset = ARENA_predict_wte, .bytes = 393216},
    {.name = "predict.x", .tier = PRT_DEVICE, .offset = ARENA_predict_x, .bytes = 2752512},
    {.name = "predict.row_positions", .tier = PRT_DEVICE, .offset = ARENA_predict_row_positions, .bytes = 1024},
    {.name = "predict.column_positions", .tier = PRT_DEVICE, .offset = ARENA_predict_column_positions, .bytes = 1024},
    {.name = "predict.block.norm1.mean", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm1_mean, .bytes = 1024},
    {.name = "predict.block.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm1_rstd, .bytes = 1024},
    {.name = "predict.block.norm1", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm1, .bytes = 393216},
    {.name = "predict.block.attn.query.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_query_product, .bytes = 393216},
    {.name = "predict.block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_query, .bytes = 393216},
    {.name = "predict.block.attn.key.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_key_product, .bytes = 393216},
    {.name = "predict.block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_key, .bytes = 393216},
    {.name = "predict.block.attn.value.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_value_product, .bytes = 393216},
    {.name = "predict.block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_value, .bytes = 393216},
    {.name = "predict.block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_scores, .bytes = 1572864},
    {.name = "predict.block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_weights, .bytes = 1572864},
    {.name = "predict.block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_mixed, .bytes = 393216},
    {.name = "predict.block.attn.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_product, .bytes = 393216},
    {.name = "predict.block.attn", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn, .bytes = 393216},
    {.name = "predict.block.x", .tier = PRT_DEVICE, .offset = ARENA_predict_block_x, .bytes = 393216},
    {.name = "predict.block.norm2.mean", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm2_mean, .bytes = 1024},
    {.name = "predict.block.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm2_rstd, .bytes = 1024},
    {.name = "predict.block.norm2", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm2, .bytes = 393216},
    {.name = "predict.block.mlp.up.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_mlp_up_product, .bytes = 1572864},
    {.name = "predict.block.mlp.up", .tier = PRT_DEVICE, .offset = ARENA_predict_block_mlp_up, .bytes = 1572864},
    {.name = "predict.block.mlp.active", .tier = PRT_DEVICE, .offset = ARENA_predict_block_mlp_active, .bytes = 1572864},
    {.name = "predict.block.mlp.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_mlp_product, .bytes = 393216},
    {.name = "predict.block.mlp", .tier = PRT_DEVICE, .offset = ARENA_predict_block_mlp, .bytes = 393216},
    {.name = "predict.norm.mean", .tier = PRT_DEVICE, .offset = ARENA_predict_norm_mean, .bytes = 1024},
    {.name = "predict.norm.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_norm_rstd, .bytes = 1024},
    {.name = "predict.norm", .tier = PRT_DEVICE, .offset = ARENA_predict_norm, .bytes = 393216},
    {.name = "predict.logits", .tier = PRT_DEVICE, .offset = ARENA_predict_logits, .bytes = 262144},
};

static const prt_source sources[] = {
    [NO_LINE_gpt] = {"", 0, "gpt"},
    [LINE_28_computing_in_init] = {"examples/gpt.place", 28, "computing in init"},
    [LINE_7_init] = {"examples/gpt.place", 7, "init"},
    [LINE_9_init] = {"examples/gpt.place", 9, "init"},
    [LINE_13_computing_in_step] = {"examples/gpt.place", 13, "computing in step"},
    [LINE_5_read_tokens] = {"examples/gpt.place", 5, "read tokens"},
    [LINE_5_read_targets] = {"examples/gpt.place", 5, "read targets"},
    [LINE_20_all_gather_parameters_outside_over_data] =
        {"examples/gpt.place", 20, "all_gather parameters.outside over data"},
    [LINE_7_computing_in_step] = {"examples/gpt.place", 7, "computing in step"},
    [LINE_9_computing_in_step] = {"examples/gpt.place", 9, "computing in step"},
    [LINE_20_all_gather_parameters_block_over_data] =
        {"examples/gpt.place", 20, "all_gather parameters.block over data"},
    [LINE_10_computing_in_step] = {"examples/gpt.place", 10, "computing in step"},
    [LINE_12_computing_in_step] = {"examples/gpt.place", 12, "computing in step"},
    [LINE_21_computing_in_step] = {"examples/gpt.place", 21, "computing in step"},
    [LINE_21_reduce_scatter_contribution_block_over_data] =
        {"examples/gpt.place", 21, "reduce_scatter contribution.block over data"},
    [LINE_21_reduce_scatter_contribution_outside_over_data] =
        {"examples/gpt.place", 21, "reduce_scatter contribution.outside over data"},
    [LINE_23_all_reduce_loss_sum_over_data] = {"examples/gpt.place", 23, "all_reduce loss.sum over data"},
    [LINE_13_output_loss] = {"examples/gpt.place", 13, "output loss"},
    [LINE_29_computing_in_step] = {"examples/gpt.place", 29, "computing in step"},
    [LINE_28_computing_in_step] = {"examples/gpt.place", 28, "computing in step"},
    [LINE_28_output_learning_rate] = {"examples/gpt.place", 28, "output learning_rate"},
    [LINE_22_all_reduce_norm_squared_over_data] = {"examples/gpt.place", 22, "all_reduce norm_squared over data"},
    [LINE_29_output_gradient_norm] = {"examples/gpt.place", 29, "output gradient_norm"},
    [LINE_13_computing_in_eval] = {"examples/gpt.place", 13, "computing in eval"},
    [LINE_7_computing_in_eval] = {"examples/gpt.place", 7, "computing in eval"},
    [LINE_9_computing_in_eval] = {"examples/gpt.place", 9, "computing in eval"},
    [LINE_10_computing_in_eval] = {"examples/gpt.place", 10, "computing in eval"},
    [LINE_12_computing_in_eval] = {"examples/gpt.place", 12, "computing in eval"},
    [LINE_23_all_reduce_eval_loss_sum_over_data] = {"examples/gpt.place", 23, "all_reduce eval.loss.sum over data"},
    [LINE_7_computing_in_predict] = {"examples/gpt.place", 7, "computing in predict"},
    [LINE_9_computing_in_predict] = {"examples/gpt.place", 9, "computing in predict"},
    [LINE_10_computing_in_predict] = {"examples/gpt.place", 10, "computing in predict"},
    [LINE_12_computing_in_predict] = {"examples/gpt.place", 12, "computing in predict"},
    [LINE_13_output_logits] = {"examples/gpt.place", 13, "output logits"},
};

static const prt_program program = {
    .format = PRT_FORMAT,
    .name = "gpt",
    .file = "examples/gpt.place",
    .plan_hash = "9f16d6541a00d801",
    .version = "0.1.0",
    .axis_count = 1,
    .axes = {[AXIS_data] = {"data", 4}},
    .compute_dtype = PRT_F32,
    .arena_bytes = {161238464, 0, 0},
    .batch = 8,
    .micro = 1,
    .steps = 120,
    .items_per_step = 2048,
    .item = "tokens",
    .data = PRT_BYTES,
    .data_path = "corpus.txt",
    .seed = 1,
    .checkpoint_path = "gpt.ckpt",
    .checkpoint_every = 50,
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
