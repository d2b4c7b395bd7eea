/* llama, trained on a mesh { data: 4 }: the program of every rank. Written by placec from examples/llama.place; the
 * comments name its lines, and what one execution of a statement costs the rank with the largest pieces. */
#include "place_rt.h"

/* Kernels (kernels.o). */
prt_host_kernel kernel_fill_f32_to_s;
prt_host_kernel kernel_fill_f32;
prt_host_kernel kernel_embed_f32_i32i_jk_to_ik;
prt_host_kernel kernel_iota_i32;
prt_host_kernel kernel_rotary_cosine_f32_i32i_i32j_to_ij;
prt_host_kernel kernel_rotary_sine_f32_i32i_i32j_to_ij;
prt_host_kernel kernel_row_rrms_f32_ij_to_i;
prt_host_kernel kernel_rms_norm_f32_ij_i_j;
prt_host_kernel kernel_rotate_f32_ijkl_jl_jl;
prt_host_kernel kernel_causal_softmax_f32_ijk_i32j_i32k;
prt_host_kernel kernel_add_f32;
prt_host_kernel kernel_silu_f32;
prt_host_kernel kernel_mul_f32;
prt_host_kernel kernel_row_max_f32_ij_to_i;
prt_host_kernel kernel_exp_sum_f32_ij_i_to_i;
prt_host_kernel kernel_pick_f32_ij_i32i_i32j_to_i;
prt_host_kernel kernel_log_loss_f32;
prt_host_kernel kernel_reduce_f32_i_to_s;
prt_host_kernel kernel_scale_f32_s_in_place_a;
prt_host_kernel kernel_log_loss_bwd_f32_ij_i_i_i32i_i32j_i;
prt_host_kernel kernel_rms_norm_bwd_f32_ij_i_j_ij;
prt_host_kernel kernel_rms_gain_bwd_f32_ij_i_ij_to_j_accumulate;
prt_host_kernel kernel_silu_bwd_f32;
prt_host_kernel kernel_rms_norm_bwd_f32_ij_i_j_ij_accumulate;
prt_host_kernel kernel_softmax_bwd_f32_ij_ij;
prt_host_kernel kernel_rotate_bwd_f32_ijkl_jl_jl;
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
    TENSOR_table_table,
    TENSOR_block_norm1_gain,
    TENSOR_block_attn_query_weight,
    TENSOR_block_attn_key_weight,
    TENSOR_block_attn_value_weight,
    TENSOR_block_attn_out_weight,
    TENSOR_block_norm2_gain,
    TENSOR_block_mlp_gate_weight,
    TENSOR_block_mlp_up_weight,
    TENSOR_block_mlp_down_weight,
    TENSOR_norm_gain,
    TENSOR_head_weight,
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
    KERNEL_iota_i32,
    KERNEL_rotary_cosine_f32_i32i_i32j_to_ij,
    KERNEL_rotary_sine_f32_i32i_i32j_to_ij,
    KERNEL_row_rrms_f32_ij_to_i,
    KERNEL_rms_norm_f32_ij_i_j,
    KERNEL_rotate_f32_ijkl_jl_jl,
    KERNEL_causal_softmax_f32_ijk_i32j_i32k,
    KERNEL_add_f32,
    KERNEL_silu_f32,
    KERNEL_mul_f32,
    KERNEL_row_max_f32_ij_to_i,
    KERNEL_exp_sum_f32_ij_i_to_i,
    KERNEL_pick_f32_ij_i32i_i32j_to_i,
    KERNEL_log_loss_f32,
    KERNEL_reduce_f32_i_to_s,
    KERNEL_scale_f32_s_in_place_a,
    KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i,
    KERNEL_rms_norm_bwd_f32_ij_i_j_ij,
    KERNEL_rms_gain_bwd_f32_ij_i_ij_to_j_accumulate,
    KERNEL_silu_bwd_f32,
    KERNEL_rms_norm_bwd_f32_ij_i_j_ij_accumulate,
    KERNEL_softmax_bwd_f32_ij_ij,
    KERNEL_rotate_bwd_f32_ijkl_jl_jl,
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
    NO_LINE_llama,
    LINE_21_computing_in_init,
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
    LINE_20_computing_in_step,
    LINE_20_reduce_scatter_contribution_block_over_data,
    LINE_20_reduce_scatter_contribution_outside_over_data,
    LINE_20_all_reduce_loss_sum_over_data,
    LINE_13_output_loss,
    LINE_22_computing_in_step,
    LINE_21_computing_in_step,
    LINE_21_output_learning_rate,
    LINE_20_all_reduce_norm_squared_over_data,
    LINE_22_output_gradient_norm,
    LINE_13_computing_in_eval,
    LINE_7_computing_in_eval,
    LINE_9_computing_in_eval,
    LINE_10_computing_in_eval,
    LINE_12_computing_in_eval,
    LINE_20_all_reduce_eval_loss_sum_over_data,
    LINE_7_computing_in_predict,
    LINE_9_computing_in_predict,
    LINE_10_computing_in_predict,
    LINE_12_computing_in_predict,
    LINE_13_output_logits,
};

/* Where a parameter is in its unit, in elements. */
#define OFFSET_table_table 0
#define OFFSET_norm_gain 98304
#define OFFSET_head_weight 98688
#define OFFSET_block_norm1_gain 0
#define OFFSET_block_attn_query_weight 384
#define OFFSET_block_attn_key_weight 147840
#define OFFSET_block_attn_value_weight 196992
#define OFFSET_block_attn_out_weight 246144
#define OFFSET_block_norm2_gain 393600
#define OFFSET_block_mlp_gate_weight 393984
#define OFFSET_block_mlp_up_weight 787200
#define OFFSET_block_mlp_down_weight 1180416

/* Where a buffer is in the arena of its tier, in bytes. Buffers that are not in use at the same time share memory. */
#define ARENA_parameters_outside 0
#define ARENA_gradients_outside 28916416
#define ARENA_contribution_outside 158688448
#define ARENA_adam_m_outside 196992
#define ARENA_adam_v_outside 393984
#define ARENA_parameters_block 590976
#define ARENA_gradients_block 98122432
#define ARENA_contribution_block 107564224
#define ARENA_adam_m_block 10032768
#define ARENA_adam_v_block 19474560
#define ARENA_step 28916352
#define ARENA_loss_sum 161206976
#define ARENA_tokens 161204928
#define ARENA_targets 102056128
#define ARENA_full_outside 101268160
#define ARENA_table 120153280
#define ARENA_row_positions 102058176
#define ARENA_rotary_dims 28916416
#define ARENA_rotary_cosine 161049280
#define ARENA_rotary_sine 161114816
#define ARENA_column_positions 102059200
#define ARENA_full_block 113858752
#define ARENA_block_norm1_rrms 161180352
#define ARENA_block_norm1 125658304
#define ARENA_block_attn_query_product 98122432
#define ARENA_block_attn_query 130376896
#define ARENA_block_attn_key_product 98122432
#define ARENA_block_attn_key 155542720
#define ARENA_block_attn_value 157115584
#define ARENA_block_attn_scores 98122432
#define ARENA_block_attn_weights 28916416
#define ARENA_block_attn_mixed 135095488
#define ARENA_block_attn 98122432
#define ARENA_block_x 139814080
#define ARENA_block_norm2_rrms 161192640
#define ARENA_block_norm2 144532672
#define ARENA_block_mlp_gate 47790784
#define ARENA_block_mlp_active 60373696
#define ARENA_block_mlp_up 72956608
#define ARENA_block_mlp_gated 85539520
#define ARENA_block_mlp 98122432
#define ARENA_norm_rrms 100219584
#define ARENA_norm 98122432
#define ARENA_head 98908864
#define ARENA_class_positions 99441344
#define ARENA_loss_terms_largest 99433152
#define ARENA_loss_terms_exp_sum 99435200
#define ARENA_loss_terms_target_logit 99437248
#define ARENA_loss_terms 99439296
#define ARENA_loss 161207040
#define ARENA_d_loss_terms 99437248
#define ARENA_d_head 99695296
#define ARENA_d_norm 98908864
#define ARENA_d_table 159476416
#define ARENA_d_block_mlp_gated 149251264
#define ARENA_d_block_mlp_active 151348416
#define ARENA_d_block_mlp_up 153445568
#define ARENA_d_block_norm2 160262848
#define ARENA_d_block_mlp_gate 149251264
#define ARENA_d_block_attn_mixed 152396992
#define ARENA_d_block_attn_weights 149251264
#define ARENA_d_block_attn_value 160262848
#define ARENA_d_block_attn_scores 152396992
#define ARENA_d_block_attn_query 149251264
#define ARENA_d_block_attn_key 150824128
#define ARENA_d_block_norm1 150037696
#define ARENA_d_block_attn_key_product 151086272
#define ARENA_d_block_attn_query_product 150824128
#define ARENA_norm_squared 29113408
#define ARENA_rate 29113472
#define ARENA_correction1 29113536
#define ARENA_correction2 29113600
#define ARENA_norm_2 29113664
#define ARENA_clip_factor 29113664
#define ARENA_eval_loss_sum 41634496
#define ARENA_eval_tokens 34421440
#define ARENA_eval_targets 41630400
#define ARENA_eval_table 28916416
#define ARENA_eval_row_positions 41632448
#define ARENA_eval_rotary_dims 34421440
#define ARENA_eval_rotary_cosine 41499328
#define ARENA_eval_rotary_sine 41564864
#define ARENA_eval_column_positions 41633472
#define ARENA_eval_block_norm1_rrms 35207872
#define ARENA_eval_block_norm1 34421440
#define ARENA_eval_block_attn_query_product 35207872
#define ARENA_eval_block_attn_query 37567168
#define ARENA_eval_block_attn_key_product 35207872
#define ARENA_eval_block_attn_key 38353600
#define ARENA_eval_block_attn_value 40712896
#define ARENA_eval_block_attn_scores 34421440
#define ARENA_eval_block_attn_weights 37567168
#define ARENA_eval_block_attn_mixed 34421440
#define ARENA_eval_block_attn 35207872
#define ARENA_eval_block_x 40712896
#define ARENA_eval_block_norm2_rrms 34421440
#define ARENA_eval_block_norm2 38615744
#define ARENA_eval_block_mlp_gate 34421440
#define ARENA_eval_block_mlp_active 36518592
#define ARENA_eval_block_mlp_up 34421440
#define ARENA_eval_block_mlp_gated 38615744
#define ARENA_eval_block_mlp 34421440
#define ARENA_eval_norm_rrms 35207872
#define ARENA_eval_norm 34421440
#define ARENA_eval_head 28916416
#define ARENA_eval_class_positions 29446848
#define ARENA_eval_loss_terms_largest 29440704
#define ARENA_eval_loss_terms_exp_sum 29442752
#define ARENA_eval_loss_terms_target_logit 29444800
#define ARENA_eval_loss_terms 28916416
#define ARENA_eval_loss 28918464
#define ARENA_predict_tokens 31668928
#define ARENA_predict_table 28916416
#define ARENA_predict_row_positions 35338944
#define ARENA_predict_rotary_dims 31668928
#define ARENA_predict_rotary_cosine 35207872
#define ARENA_predict_rotary_sine 35273408
#define ARENA_predict_column_positions 35339968
#define ARENA_predict_block_norm1_rrms 32062144
#define ARENA_predict_block_norm1 31668928
#define ARENA_predict_block_attn_query_product 32062144
#define ARENA_predict_block_attn_query 33241792
#define ARENA_predict_block_attn_key_product 32062144
#define ARENA_predict_block_attn_key 33635008
#define ARENA_predict_block_attn_value 34814656
#define ARENA_predict_block_attn_scores 31668928
#define ARENA_predict_block_attn_weights 33241792
#define ARENA_predict_block_attn_mixed 31668928
#define ARENA_predict_block_attn 32062144
#define ARENA_predict_block_x 34814656
#define ARENA_predict_block_norm2_rrms 31668928
#define ARENA_predict_block_norm2 33766080
#define ARENA_predict_block_mlp_gate 31668928
#define ARENA_predict_block_mlp_active 32717504
#define ARENA_predict_block_mlp_up 31668928
#define ARENA_predict_block_mlp_gated 33766080
#define ARENA_predict_block_mlp 31668928
#define ARENA_predict_norm_rrms 32062144
#define ARENA_predict_norm 31668928
#define ARENA_predict_head 28916416

/* ---- Buffers in the arena ---- */

/* parameters.outside: f32 unit outside / data, 192 KiB */
static inline float *at_parameters_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameters_outside);
}

/* gradients.outside: f32 unit outside / data, 192 KiB */
static inline float *at_gradients_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_gradients_outside);
}

/* contribution.outside: f32 unit outside, 770 KiB */
static inline float *at_contribution_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_contribution_outside);
}

/* adam_m.outside: f32 unit outside / data, 192 KiB */
static inline float *at_adam_m_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_adam_m_outside);
}

/* adam_v.outside: f32 unit outside / data, 192 KiB */
static inline float *at_adam_v_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_adam_v_outside);
}

/* parameters.block: f32 unit block / data, 6 slots, 9.00 MiB */
static inline float *at_parameters_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_block) + slot * 393408;
}

/* gradients.block: f32 unit block / data, 6 slots, 9.00 MiB */
static inline float *at_gradients_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_gradients_block) + slot * 393408;
}

/* contribution.block: f32 unit block, 6.00 MiB */
static inline float *at_contribution_block(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_contribution_block);
}

/* adam_m.block: f32 unit block / data, 6 slots, 9.00 MiB */
static inline float *at_adam_m_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_adam_m_block) + slot * 393408;
}

/* adam_v.block: f32 unit block / data, 6 slots, 9.00 MiB */
static inline float *at_adam_v_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_adam_v_block) + slot * 393408;
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

/* full.outside: f32 unit outside, 770 KiB */
static inline float *at_full_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_full_outside);
}

/* table: f32 [8 / micro / data, 256, 384], 7 slots, 5.25 MiB */
static inline float *at_table(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_table) + slot * 196608;
}

/* row_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_row_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_row_positions);
}

/* rotary_dims: i32 [64], 256 B */
static inline int32_t *at_rotary_dims(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_rotary_dims);
}

/* rotary_cosine: f32 [256, 64], 64.0 KiB */
static inline float *at_rotary_cosine(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_rotary_cosine);
}

/* rotary_sine: f32 [256, 64], 64.0 KiB */
static inline float *at_rotary_sine(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_rotary_sine);
}

/* column_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_column_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_column_positions);
}

/* full.block: f32 unit block, 6.00 MiB */
static inline float *at_full_block(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_full_block);
}

/* block.norm1.rrms: f32 [8 / micro / data, 256], 6 slots, 12.0 KiB */
static inline float *at_block_norm1_rrms(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm1_rrms) + slot * 512;
}

/* block.norm1: f32 [8 / micro / data, 256, 384], 6 slots, 4.50 MiB */
static inline float *at_block_norm1(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm1) + slot * 196608;
}

/* block.attn.query.product: f32 [8 / micro / data, 256, 2, 3, 64], 768 KiB */
static inline float *at_block_attn_query_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_query_product);
}

/* block.attn.query: f32 [8 / micro / data, 256, 2, 3, 64], 6 slots, 4.50 MiB */
static inline float *at_block_attn_query(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_query) + slot * 196608;
}

/* block.attn.key.product: f32 [8 / micro / data, 256, 2, 64], 256 KiB */
static inline float *at_block_attn_key_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_key_product);
}

/* block.attn.key: f32 [8 / micro / data, 256, 2, 64], 6 slots, 1.50 MiB */
static inline float *at_block_attn_key(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_key) + slot * 65536;
}

/* block.attn.value: f32 [8 / micro / data, 256, 2, 64], 6 slots, 1.50 MiB */
static inline float *at_block_attn_value(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_value) + slot * 65536;
}

/* block.attn.scores: f32 [8 / micro / data, 2, 3, 256, 256], 3.00 MiB */
static inline float *at_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_scores);
}

/* block.attn.weights: f32 [8 / micro / data, 2, 3, 256, 256], 6 slots, 18.0 MiB */
static inline float *at_block_attn_weights(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_weights) + slot * 786432;
}

/* block.attn.mixed: f32 [8 / micro / data, 256, 2, 3, 64], 6 slots, 4.50 MiB */
static inline float *at_block_attn_mixed(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_mixed) + slot * 196608;
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

/* block.norm2.rrms: f32 [8 / micro / data, 256], 6 slots, 12.0 KiB */
static inline float *at_block_norm2_rrms(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm2_rrms) + slot * 512;
}

/* block.norm2: f32 [8 / micro / data, 256, 384], 6 slots, 4.50 MiB */
static inline float *at_block_norm2(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm2) + slot * 196608;
}

/* block.mlp.gate: f32 [8 / micro / data, 256, 1024], 6 slots, 12.0 MiB */
static inline float *at_block_mlp_gate(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_gate) + slot * 524288;
}

/* block.mlp.active: f32 [8 / micro / data, 256, 1024], 6 slots, 12.0 MiB */
static inline float *at_block_mlp_active(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_active) + slot * 524288;
}

/* block.mlp.up: f32 [8 / micro / data, 256, 1024], 6 slots, 12.0 MiB */
static inline float *at_block_mlp_up(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_up) + slot * 524288;
}

/* block.mlp.gated: f32 [8 / micro / data, 256, 1024], 6 slots, 12.0 MiB */
static inline float *at_block_mlp_gated(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_gated) + slot * 524288;
}

/* block.mlp: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_block_mlp(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_mlp);
}

/* norm.rrms: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_norm_rrms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_rrms);
}

/* norm: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm);
}

/* head: f32 [8 / micro / data, 256, 256], 512 KiB */
static inline float *at_head(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_head);
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

/* d_head: f32 [8 / micro / data, 256, 256], 512 KiB */
static inline float *at_d_head(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_head);
}

/* d_norm: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_d_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm);
}

/* d_table: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_d_table(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_table);
}

/* d_block.mlp.gated: f32 [8 / micro / data, 256, 1024], 2.00 MiB */
static inline float *at_d_block_mlp_gated(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_mlp_gated);
}

/* d_block.mlp.active: f32 [8 / micro / data, 256, 1024], 2.00 MiB */
static inline float *at_d_block_mlp_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_mlp_active);
}

/* d_block.mlp.up: f32 [8 / micro / data, 256, 1024], 2.00 MiB */
static inline float *at_d_block_mlp_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_mlp_up);
}

/* d_block.norm2: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_d_block_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_norm2);
}

/* d_block.mlp.gate: f32 [8 / micro / data, 256, 1024], 2.00 MiB */
static inline float *at_d_block_mlp_gate(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_mlp_gate);
}

/* d_block.attn.mixed: f32 [8 / micro / data, 256, 2, 3, 64], 768 KiB */
static inline float *at_d_block_attn_mixed(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_mixed);
}

/* d_block.attn.weights: f32 [8 / micro / data, 2, 3, 256, 256], 3.00 MiB */
static inline float *at_d_block_attn_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_weights);
}

/* d_block.attn.value: f32 [8 / micro / data, 256, 2, 64], 256 KiB */
static inline float *at_d_block_attn_value(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_value);
}

/* d_block.attn.scores: f32 [8 / micro / data, 2, 3, 256, 256], 3.00 MiB */
static inline float *at_d_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_scores);
}

/* d_block.attn.query: f32 [8 / micro / data, 256, 2, 3, 64], 768 KiB */
static inline float *at_d_block_attn_query(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_query);
}

/* d_block.attn.key: f32 [8 / micro / data, 256, 2, 64], 256 KiB */
static inline float *at_d_block_attn_key(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_key);
}

/* d_block.norm1: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_d_block_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_norm1);
}

/* d_block.attn.key.product: f32 [8 / micro / data, 256, 2, 64], 256 KiB */
static inline float *at_d_block_attn_key_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_key_product);
}

/* d_block.attn.query.product: f32 [8 / micro / data, 256, 2, 3, 64], 768 KiB */
static inline float *at_d_block_attn_query_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_query_product);
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

/* eval.table: f32 [8 / micro / data, 256, 384], 7 slots, 5.25 MiB */
static inline float *at_eval_table(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_eval_table) + slot * 196608;
}

/* eval.row_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_eval_row_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_row_positions);
}

/* eval.rotary_dims: i32 [64], 256 B */
static inline int32_t *at_eval_rotary_dims(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_rotary_dims);
}

/* eval.rotary_cosine: f32 [256, 64], 64.0 KiB */
static inline float *at_eval_rotary_cosine(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_rotary_cosine);
}

/* eval.rotary_sine: f32 [256, 64], 64.0 KiB */
static inline float *at_eval_rotary_sine(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_rotary_sine);
}

/* eval.column_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_eval_column_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_column_positions);
}

/* eval.block.norm1.rrms: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_eval_block_norm1_rrms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm1_rrms);
}

/* eval.block.norm1: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_eval_block_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm1);
}

/* eval.block.attn.query.product: f32 [8 / micro / data, 256, 2, 3, 64], 768 KiB */
static inline float *at_eval_block_attn_query_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_query_product);
}

/* eval.block.attn.query: f32 [8 / micro / data, 256, 2, 3, 64], 768 KiB */
static inline float *at_eval_block_attn_query(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_query);
}

/* eval.block.attn.key.product: f32 [8 / micro / data, 256, 2, 64], 256 KiB */
static inline float *at_eval_block_attn_key_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_key_product);
}

/* eval.block.attn.key: f32 [8 / micro / data, 256, 2, 64], 256 KiB */
static inline float *at_eval_block_attn_key(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_key);
}

/* eval.block.attn.value: f32 [8 / micro / data, 256, 2, 64], 256 KiB */
static inline float *at_eval_block_attn_value(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_value);
}

/* eval.block.attn.scores: f32 [8 / micro / data, 2, 3, 256, 256], 3.00 MiB */
static inline float *at_eval_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_scores);
}

/* eval.block.attn.weights: f32 [8 / micro / data, 2, 3, 256, 256], 3.00 MiB */
static inline float *at_eval_block_attn_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_weights);
}

/* eval.block.attn.mixed: f32 [8 / micro / data, 256, 2, 3, 64], 768 KiB */
static inline float *at_eval_block_attn_mixed(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_mixed);
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

/* eval.block.norm2.rrms: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_eval_block_norm2_rrms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm2_rrms);
}

/* eval.block.norm2: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_eval_block_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm2);
}

/* eval.block.mlp.gate: f32 [8 / micro / data, 256, 1024], 2.00 MiB */
static inline float *at_eval_block_mlp_gate(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_mlp_gate);
}

/* eval.block.mlp.active: f32 [8 / micro / data, 256, 1024], 2.00 MiB */
static inline float *at_eval_block_mlp_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_mlp_active);
}

/* eval.block.mlp.up: f32 [8 / micro / data, 256, 1024], 2.00 MiB */
static inline float *at_eval_block_mlp_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_mlp_up);
}

/* eval.block.mlp.gated: f32 [8 / micro / data, 256, 1024], 2.00 MiB */
static inline float *at_eval_block_mlp_gated(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_mlp_gated);
}

/* eval.block.mlp: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_eval_block_mlp(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_mlp);
}

/* eval.norm.rrms: f32 [8 / micro / data, 256], 2.00 KiB */
static inline float *at_eval_norm_rrms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm_rrms);
}

/* eval.norm: f32 [8 / micro / data, 256, 384], 768 KiB */
static inline float *at_eval_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm);
}

/* eval.head: f32 [8 / micro / data, 256, 256], 512 KiB */
static inline float *at_eval_head(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_head);
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

/* predict.table: f32 [1, 256, 384], 7 slots, 2.62 MiB */
static inline float *at_predict_table(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_predict_table) + slot * 98304;
}

/* predict.row_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_predict_row_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_row_positions);
}

/* predict.rotary_dims: i32 [64], 256 B */
static inline int32_t *at_predict_rotary_dims(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_rotary_dims);
}

/* predict.rotary_cosine: f32 [256, 64], 64.0 KiB */
static inline float *at_predict_rotary_cosine(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_rotary_cosine);
}

/* predict.rotary_sine: f32 [256, 64], 64.0 KiB */
static inline float *at_predict_rotary_sine(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_rotary_sine);
}

/* predict.column_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_predict_column_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_column_positions);
}

/* predict.block.norm1.rrms: f32 [1, 256], 1.00 KiB */
static inline float *at_predict_block_norm1_rrms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm1_rrms);
}

/* predict.block.norm1: f32 [1, 256, 384], 384 KiB */
static inline float *at_predict_block_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm1);
}

/* predict.block.attn.query.product: f32 [1, 256, 2, 3, 64], 384 KiB */
static inline float *at_predict_block_attn_query_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_query_product);
}

/* predict.block.attn.query: f32 [1, 256, 2, 3, 64], 384 KiB */
static inline float *at_predict_block_attn_query(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_query);
}

/* predict.block.attn.key.product: f32 [1, 256, 2, 64], 128 KiB */
static inline float *at_predict_block_attn_key_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_key_product);
}

/* predict.block.attn.key: f32 [1, 256, 2, 64], 128 KiB */
static inline float *at_predict_block_attn_key(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_key);
}

/* predict.block.attn.value: f32 [1, 256, 2, 64], 128 KiB */
static inline float *at_predict_block_attn_value(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_value);
}

/* predict.block.attn.scores: f32 [1, 2, 3, 256, 256], 1.50 MiB */
static inline float *at_predict_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_scores);
}

/* predict.block.attn.weights: f32 [1, 2, 3, 256, 256], 1.50 MiB */
static inline float *at_predict_block_attn_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_weights);
}

/* predict.block.attn.mixed: f32 [1, 256, 2, 3, 64], 384 KiB */
static inline float *at_predict_block_attn_mixed(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_mixed);
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

/* predict.block.norm2.rrms: f32 [1, 256], 1.00 KiB */
static inline float *at_predict_block_norm2_rrms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm2_rrms);
}

/* predict.block.norm2: f32 [1, 256, 384], 384 KiB */
static inline float *at_predict_block_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm2);
}

/* predict.block.mlp.gate: f32 [1, 256, 1024], 1.00 MiB */
static inline float *at_predict_block_mlp_gate(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_mlp_gate);
}

/* predict.block.mlp.active: f32 [1, 256, 1024], 1.00 MiB */
static inline float *at_predict_block_mlp_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_mlp_active);
}

/* predict.block.mlp.up: f32 [1, 256, 1024], 1.00 MiB */
static inline float *at_predict_block_mlp_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_mlp_up);
}

/* predict.block.mlp.gated: f32 [1, 256, 1024], 1.00 MiB */
static inline float *at_predict_block_mlp_gated(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_mlp_gated);
}

/* predict.block.mlp: f32 [1, 256, 384], 384 KiB */
static inline float *at_predict_block_mlp(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_mlp);
}

/* predict.norm.rrms: f32 [1, 256], 1.00 KiB */
static inline float *at_predict_norm_rrms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm_rrms);
}

/* predict.norm: f32 [1, 256, 384], 384 KiB */
static inline float *at_predict_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm);
}

/* predict.head: f32 [1, 256, 256], 256 KiB */
static inline float *at_predict_head(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_head);
}

/* ---- Routines ---- */

/* Before the first step: every state gets its initial value. */
static void init(prt_context *ctx)
{
    /* examples/llama.place:21: fill: 4 B */
    ctx->at = LINE_21_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_step(ctx)}, .numbers = {0}});
    /* examples/llama.place:7: init: 192 KiB */
    ctx->at = LINE_7_init;
    prt_init(ctx, -1, LAYOUT_outside_over_data, 0, 1, PRT_F32, at_parameters_outside(ctx));
    /* examples/llama.place:21: fill: 192 KiB */
    ctx->at = LINE_21_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_adam_m_outside(ctx)},
        .extents = {49248},
        .numbers = {0},
    });
    /* examples/llama.place:21: fill: 192 KiB */
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_adam_v_outside(ctx)},
        .extents = {49248},
        .numbers = {0},
    });
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/llama.place:9: init: 1.50 MiB */
        ctx->at = LINE_9_init;
        prt_init(ctx, -1, LAYOUT_block_over_data, layer, 1, PRT_F32, at_parameters_block(ctx, layer));
        /* examples/llama.place:21: fill: 1.50 MiB */
        ctx->at = LINE_21_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_adam_m_block(ctx, layer)},
            .extents = {393408},
            .numbers = {0},
        });
        /* examples/llama.place:21: fill: 1.50 MiB */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_adam_v_block(ctx, layer)},
            .extents = {393408},
            .numbers = {0},
        });
    }
}

/* One training step. */
static void step(prt_context *ctx)
{
    /* examples/llama.place:13: fill: 4 B */
    ctx->at = LINE_13_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 1; micro++) {
        /* examples/llama.place:5: read tokens: 2.00 KiB */
        ctx->at = LINE_5_read_tokens;
        prt_read(ctx, INPUT_tokens, LAYOUT_8_over_micro_data_by_256, micro, at_tokens(ctx));
        /* examples/llama.place:5: read targets: 2.00 KiB */
        ctx->at = LINE_5_read_targets;
        prt_read(ctx, INPUT_targets, LAYOUT_8_over_micro_data_by_256, micro, at_targets(ctx));
        /* examples/llama.place:20: all_gather parameters.outside over data: payload 770 KiB */
        ctx->at = LINE_20_all_gather_parameters_outside_over_data;
        prt_all_gather(ctx, CALL_all_gather_parameters_outside, 0, at_full_outside(ctx), at_parameters_outside(ctx));
        /* examples/llama.place:7: embed "bt,vh->bth": 1.13 MiB */
        ctx->at = LINE_7_computing_in_step;
        prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
            .arrays = {at_table(ctx, 0), at_tokens(ctx), at_full_outside(ctx) + OFFSET_table_table},
            .extents = {512, 256, 384},
        });
        /* examples/llama.place:9: iota: 1.00 KiB */
        ctx->at = LINE_9_computing_in_step;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_row_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        /* examples/llama.place:9: iota: 256 B */
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_rotary_dims(ctx)},
            .extents = {64},
            .numbers = {0},
        });
        /* examples/llama.place:9: rotary_cosine "t,d->td": 65.2 KiB, 328 kflop */
        prt_launch(ctx, KERNEL_rotary_cosine_f32_i32i_i32j_to_ij, 0, &(prt_arguments){
            .arrays = {at_rotary_cosine(ctx), at_row_positions(ctx), at_rotary_dims(ctx)},
            .extents = {256, 64},
            .numbers = {10000, 64},
        });
        /* examples/llama.place:9: rotary_sine "t,d->td": 65.2 KiB, 328 kflop */
        prt_launch(ctx, KERNEL_rotary_sine_f32_i32i_i32j_to_ij, 0, &(prt_arguments){
            .arrays = {at_rotary_sine(ctx), at_row_positions(ctx), at_rotary_dims(ctx)},
            .extents = {256, 64},
            .numbers = {10000, 64},
        });
        /* examples/llama.place:9: iota: 1.00 KiB */
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_column_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        for (int64_t layer = 0; layer < 6; layer++) {
            /* examples/llama.place:20: all_gather parameters.block over data: payload 6.00 MiB */
            ctx->at = LINE_20_all_gather_parameters_block_over_data;
            prt_all_gather(ctx, CALL_all_gather_parameters_block, 0, at_full_block(ctx),
                           at_parameters_block(ctx, layer));
            /* examples/llama.place:9: row_rrms "bth->bt": 770 KiB, 393 kflop */
            ctx->at = LINE_9_computing_in_step;
            prt_launch(ctx, KERNEL_row_rrms_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_block_norm1_rrms(ctx, layer), at_table(ctx, layer)},
                .extents = {512, 384},
                .numbers = {1e-05},
            });
            /* examples/llama.place:9: rms_norm "bth,bt,h->bth": 1.50 MiB, 393 kflop */
            prt_launch(ctx, KERNEL_rms_norm_f32_ij_i_j, 0, &(prt_arguments){
                .arrays = {at_block_norm1(ctx, layer), at_table(ctx, layer), at_block_norm1_rrms(ctx, layer),
                           at_full_block(ctx) + OFFSET_block_norm1_gain},
                .extents = {512, 384},
            });
            /* examples/llama.place:9: einsum "bth,kgdh->btkgd": 2.06 MiB, 151 Mflop */
            const prt_gemm_shape gemm1 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm1, at_block_norm1(ctx, layer),
                     at_full_block(ctx) + OFFSET_block_attn_query_weight, 0, at_block_attn_query_product(ctx));
            /* examples/llama.place:9: rotate "btkgd,td,td->btkgd": 1.62 MiB, 590 kflop */
            prt_launch(ctx, KERNEL_rotate_f32_ijkl_jl_jl, 0, &(prt_arguments){
                .arrays = {at_block_attn_query(ctx, layer), at_block_attn_query_product(ctx), at_rotary_cosine(ctx),
                           at_rotary_sine(ctx)},
                .extents = {2, 256, 6, 64},
            });
            /* examples/llama.place:9: einsum "bth,kdh->btkd": 1.19 MiB, 50.3 Mflop */
            const prt_gemm_shape gemm2 = {
                .m = 512, .n = 128, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm2, at_block_norm1(ctx, layer),
                     at_full_block(ctx) + OFFSET_block_attn_key_weight, 0, at_block_attn_key_product(ctx));
            /* examples/llama.place:9: rotate "btkd,td,td->btkd": 640 KiB, 197 kflop */
            prt_launch(ctx, KERNEL_rotate_f32_ijkl_jl_jl, 0, &(prt_arguments){
                .arrays = {at_block_attn_key(ctx, layer), at_block_attn_key_product(ctx), at_rotary_cosine(ctx),
                           at_rotary_sine(ctx)},
                .extents = {2, 256, 2, 64},
            });
            /* examples/llama.place:9: einsum "bth,kdh->btkd": 1.19 MiB, 50.3 Mflop */
            const prt_gemm_shape gemm3 = {
                .m = 512, .n = 128, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm3, at_block_norm1(ctx, layer),
                     at_full_block(ctx) + OFFSET_block_attn_value_weight, 0, at_block_attn_value(ctx, layer));
            /* examples/llama.place:9: einsum "btkgd,bskd->bkgts": 4.00 MiB, 101 Mflop */
            const prt_gemm_shape gemm4 = {
                .m = 256, .n = 256, .k = 64,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 256, .c_column = 1,
                .batch_dims = 3,
                .batch = {2, 2, 3},
                .a_batch = {98304, 192, 64},
                .b_batch = {32768, 64, 0},
                .c_batch = {393216, 196608, 65536},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm4, at_block_attn_query(ctx, layer), at_block_attn_key(ctx, layer), 0,
                     at_block_attn_scores(ctx));
            /* examples/llama.place:9: causal_softmax "bkgts,t,s->bkgts": 6.00 MiB, 6.29 Mflop */
            prt_launch(ctx, KERNEL_causal_softmax_f32_ijk_i32j_i32k, 0, &(prt_arguments){
                .arrays = {at_block_attn_weights(ctx, layer), at_block_attn_scores(ctx), at_row_positions(ctx),
                           at_column_positions(ctx)},
                .extents = {12, 256, 256},
                .numbers = {0.125},
            });
            /* examples/llama.place:9: einsum "bkgts,bskd->btkgd": 4.00 MiB, 101 Mflop */
            const prt_gemm_shape gemm5 = {
                .m = 256, .n = 64, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 384, .c_column = 1,
                .batch_dims = 3,
                .batch = {2, 2, 3},
                .a_batch = {393216, 196608, 65536},
                .b_batch = {32768, 64, 0},
                .c_batch = {98304, 192, 64},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm5, at_block_attn_weights(ctx, layer), at_block_attn_value(ctx, layer), 0,
                     at_block_attn_mixed(ctx, layer));
            /* examples/llama.place:9: einsum "btkgd,hkgd->bth": 2.06 MiB, 151 Mflop */
            const prt_gemm_shape gemm6 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm6, at_block_attn_mixed(ctx, layer),
                     at_full_block(ctx) + OFFSET_block_attn_out_weight, 0, at_block_attn(ctx));
            /* examples/llama.place:9: add "abc,abc->abc": 2.25 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_block_x(ctx, layer), at_table(ctx, layer), at_block_attn(ctx)},
                .extents = {196608},
            });
            /* examples/llama.place:10: row_rrms "bth->bt": 770 KiB, 393 kflop */
            ctx->at = LINE_10_computing_in_step;
            prt_launch(ctx, KERNEL_row_rrms_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_block_norm2_rrms(ctx, layer), at_block_x(ctx, layer)},
                .extents = {512, 384},
                .numbers = {1e-05},
            });
            /* examples/llama.place:10: rms_norm "bth,bt,h->bth": 1.50 MiB, 393 kflop */
            prt_launch(ctx, KERNEL_rms_norm_f32_ij_i_j, 0, &(prt_arguments){
                .arrays = {at_block_norm2(ctx, layer), at_block_x(ctx, layer), at_block_norm2_rrms(ctx, layer),
                           at_full_block(ctx) + OFFSET_block_norm2_gain},
                .extents = {512, 384},
            });
            /* examples/llama.place:10: einsum "bth,oh->bto": 4.25 MiB, 403 Mflop */
            const prt_gemm_shape gemm7 = {
                .m = 512, .n = 1024, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 1024, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm7, at_block_norm2(ctx, layer),
                     at_full_block(ctx) + OFFSET_block_mlp_gate_weight, 0, at_block_mlp_gate(ctx, layer));
            /* examples/llama.place:10: silu "abc->abc": 4.00 MiB, 2.62 Mflop */
            prt_launch(ctx, KERNEL_silu_f32, 0, &(prt_arguments){
                .arrays = {at_block_mlp_active(ctx, layer), at_block_mlp_gate(ctx, layer)},
                .extents = {524288},
            });
            /* examples/llama.place:10: einsum "bth,oh->bto": 4.25 MiB, 403 Mflop */
            const prt_gemm_shape gemm8 = {
                .m = 512, .n = 1024, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 1024, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm8, at_block_norm2(ctx, layer),
                     at_full_block(ctx) + OFFSET_block_mlp_up_weight, 0, at_block_mlp_up(ctx, layer));
            /* examples/llama.place:10: mul "abc,abc->abc": 6.00 MiB, 524 kflop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_block_mlp_gated(ctx, layer), at_block_mlp_active(ctx, layer),
                           at_block_mlp_up(ctx, layer)},
                .extents = {524288},
            });
            /* examples/llama.place:10: einsum "bth,oh->bto": 4.25 MiB, 403 Mflop */
            const prt_gemm_shape gemm9 = {
                .m = 512, .n = 384, .k = 1024,
                .a_row = 1024, .a_column = 1,
                .b_row = 1, .b_column = 1024,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm9, at_block_mlp_gated(ctx, layer),
                     at_full_block(ctx) + OFFSET_block_mlp_down_weight, 0, at_block_mlp(ctx));
            /* examples/llama.place:10: add "abc,abc->abc": 2.25 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_table(ctx, layer + 1), at_block_x(ctx, layer), at_block_mlp(ctx)},
                .extents = {196608},
            });
        }
        /* examples/llama.place:12: row_rrms "bth->bt": 770 KiB, 393 kflop */
        ctx->at = LINE_12_computing_in_step;
        prt_launch(ctx, KERNEL_row_rrms_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_norm_rrms(ctx), at_table(ctx, 6)},
            .extents = {512, 384},
            .numbers = {1e-05},
        });
        /* examples/llama.place:12: rms_norm "bth,bt,h->bth": 1.50 MiB, 393 kflop */
        prt_launch(ctx, KERNEL_rms_norm_f32_ij_i_j, 0, &(prt_arguments){
            .arrays = {at_norm(ctx), at_table(ctx, 6), at_norm_rrms(ctx), at_full_outside(ctx) + OFFSET_norm_gain},
            .extents = {512, 384},
        });
        /* examples/llama.place:12: einsum "bth,oh->bto": 1.62 MiB, 101 Mflop */
        const prt_gemm_shape gemm10 = {
            .m = 512, .n = 256, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm10, at_norm(ctx), at_full_outside(ctx) + OFFSET_head_weight, 0, at_head(ctx));
        /* examples/llama.place:13: iota: 1.00 KiB */
        ctx->at = LINE_13_computing_in_step;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_class_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        /* examples/llama.place:13: row_max "btv->bt": 514 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_largest(ctx), at_head(ctx)},
            .extents = {512, 256},
        });
        /* examples/llama.place:13: exp_sum "btv,bt->bt": 516 KiB, 524 kflop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_exp_sum(ctx), at_head(ctx), at_loss_terms_largest(ctx)},
            .extents = {512, 256},
        });
        /* examples/llama.place:13: pick "btv,bt,v->bt": 517 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_target_logit(ctx), at_head(ctx), at_targets(ctx), at_class_positions(ctx)},
            .extents = {512, 256},
        });
        /* examples/llama.place:13: log_loss "bt,bt,bt->bt": 8.00 KiB, 3.07 kflop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_loss_terms(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_loss_terms_target_logit(ctx)},
            .extents = {512},
        });
        /* examples/llama.place:13: reduce "ab->": 2.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_loss(ctx), at_loss_terms(ctx)},
            .extents = {512},
        });
        /* examples/llama.place:13: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_loss(ctx)},
            .numbers = {1.0 / 2048},
        });
        /* examples/llama.place:13: fill "ab": 2.00 KiB */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_d_loss_terms(ctx)},
            .extents = {512},
            .numbers = {0.00048828125},
        });
        /* examples/llama.place:13: log_loss_bwd "btv,bt,bt,bt,v,bt->btv": 1.01 MiB, 918 kflop */
        prt_launch(ctx, KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i, 0, &(prt_arguments){
            .arrays = {at_d_head(ctx), at_head(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_targets(ctx), at_class_positions(ctx), at_d_loss_terms(ctx)},
            .extents = {512, 256},
        });
        /* examples/llama.place:20: all_gather parameters.outside over data: payload 770 KiB */
        ctx->at = LINE_20_all_gather_parameters_outside_over_data;
        prt_all_gather(ctx, CALL_all_gather_parameters_outside_2, 0, at_full_outside(ctx), at_parameters_outside(ctx));
        /* examples/llama.place:12: einsum "bto,oh->bth": 1.62 MiB, 101 Mflop */
        ctx->at = LINE_12_computing_in_step;
        const prt_gemm_shape gemm11 = {
            .m = 512, .n = 384, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 384, .b_column = 1,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm11, at_d_head(ctx), at_full_outside(ctx) + OFFSET_head_weight, 0,
                 at_d_norm(ctx));
        /* examples/llama.place:20: fill: 770 KiB */
        ctx->at = LINE_20_computing_in_step;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx)},
            .extents = {196992},
            .numbers = {0},
        });
        /* examples/llama.place:12: einsum "bto,bth->oh": 2.00 MiB, 101 Mflop */
        ctx->at = LINE_12_computing_in_step;
        const prt_gemm_shape gemm12 = {
            .m = 256, .n = 384, .k = 512,
            .a_row = 1, .a_column = 256,
            .b_row = 384, .b_column = 1,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm12, at_d_head(ctx), at_norm(ctx), 1,
                 at_contribution_outside(ctx) + OFFSET_head_weight);
        /* examples/llama.place:12: rms_norm_bwd "bth,bt,h,bth->bth": 2.25 MiB, 1.77 Mflop */
        prt_launch(ctx, KERNEL_rms_norm_bwd_f32_ij_i_j_ij, 0, &(prt_arguments){
            .arrays = {at_d_table(ctx), at_table(ctx, 6), at_norm_rrms(ctx), at_full_outside(ctx) + OFFSET_norm_gain,
                       at_d_norm(ctx)},
            .extents = {512, 384},
        });
        /* examples/llama.place:12: rms_gain_bwd "bth,bt,bth->h": 1.50 MiB, 590 kflop */
        prt_launch(ctx, KERNEL_rms_gain_bwd_f32_ij_i_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_norm_gain, at_table(ctx, 6), at_norm_rrms(ctx),
                       at_d_norm(ctx)},
            .extents = {512, 384},
        });
        for (int64_t layer = 5; layer >= 0; layer--) {
            /* examples/llama.place:20: all_gather parameters.block over data: payload 6.00 MiB */
            ctx->at = LINE_20_all_gather_parameters_block_over_data;
            prt_all_gather(ctx, CALL_all_gather_parameters_block_2, 0, at_full_block(ctx),
                           at_parameters_block(ctx, layer));
            /* examples/llama.place:10: einsum "bto,oh->bth": 4.25 MiB, 403 Mflop */
            ctx->at = LINE_10_computing_in_step;
            const prt_gemm_shape gemm13 = {
                .m = 512, .n = 1024, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1024, .b_column = 1,
                .c_row = 1024, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm13, at_d_table(ctx), at_full_block(ctx) + OFFSET_block_mlp_down_weight, 0,
                     at_d_block_mlp_gated(ctx));
            /* examples/llama.place:20: fill: 6.00 MiB */
            ctx->at = LINE_20_computing_in_step;
            prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx)},
                .extents = {1573632},
                .numbers = {0},
            });
            /* examples/llama.place:10: einsum "bto,bth->oh": 5.75 MiB, 403 Mflop */
            ctx->at = LINE_10_computing_in_step;
            const prt_gemm_shape gemm14 = {
                .m = 384, .n = 1024, .k = 512,
                .a_row = 1, .a_column = 384,
                .b_row = 1024, .b_column = 1,
                .c_row = 1024, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm14, at_d_table(ctx), at_block_mlp_gated(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_mlp_down_weight);
            /* examples/llama.place:10: mul "abc,abc->abc": 6.00 MiB, 524 kflop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_d_block_mlp_active(ctx), at_d_block_mlp_gated(ctx), at_block_mlp_up(ctx, layer)},
                .extents = {524288},
            });
            /* examples/llama.place:10: mul "abc,abc->abc": 6.00 MiB, 524 kflop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_d_block_mlp_up(ctx), at_d_block_mlp_gated(ctx), at_block_mlp_active(ctx, layer)},
                .extents = {524288},
            });
            /* examples/llama.place:10: einsum "bto,oh->bth": 4.25 MiB, 403 Mflop */
            const prt_gemm_shape gemm15 = {
                .m = 512, .n = 384, .k = 1024,
                .a_row = 1024, .a_column = 1,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm15, at_d_block_mlp_up(ctx), at_full_block(ctx) + OFFSET_block_mlp_up_weight,
                     0, at_d_block_norm2(ctx));
            /* examples/llama.place:10: einsum "bto,bth->oh": 5.75 MiB, 403 Mflop */
            const prt_gemm_shape gemm16 = {
                .m = 1024, .n = 384, .k = 512,
                .a_row = 1, .a_column = 1024,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm16, at_d_block_mlp_up(ctx), at_block_norm2(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_mlp_up_weight);
            /* examples/llama.place:10: silu_bwd "abc,abc->abc": 6.00 MiB, 5.24 Mflop */
            prt_launch(ctx, KERNEL_silu_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_block_mlp_gate(ctx), at_block_mlp_gate(ctx, layer), at_d_block_mlp_active(ctx)},
                .extents = {524288},
            });
            /* examples/llama.place:10: einsum "bto,oh->bth": 5.00 MiB, 403 Mflop */
            const prt_gemm_shape gemm17 = {
                .m = 512, .n = 384, .k = 1024,
                .a_row = 1024, .a_column = 1,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm17, at_d_block_mlp_gate(ctx),
                     at_full_block(ctx) + OFFSET_block_mlp_gate_weight, 1, at_d_block_norm2(ctx));
            /* examples/llama.place:10: einsum "bto,bth->oh": 5.75 MiB, 403 Mflop */
            const prt_gemm_shape gemm18 = {
                .m = 1024, .n = 384, .k = 512,
                .a_row = 1, .a_column = 1024,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm18, at_d_block_mlp_gate(ctx), at_block_norm2(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_mlp_gate_weight);
            /* examples/llama.place:10: rms_norm_bwd "bth,bt,h,bth->bth": 3.00 MiB, 1.77 Mflop */
            prt_launch(ctx, KERNEL_rms_norm_bwd_f32_ij_i_j_ij_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_table(ctx), at_block_x(ctx, layer), at_block_norm2_rrms(ctx, layer),
                           at_full_block(ctx) + OFFSET_block_norm2_gain, at_d_block_norm2(ctx)},
                .extents = {512, 384},
            });
            /* examples/llama.place:10: rms_gain_bwd "bth,bt,bth->h": 1.50 MiB, 590 kflop */
            prt_launch(ctx, KERNEL_rms_gain_bwd_f32_ij_i_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_norm2_gain, at_block_x(ctx, layer),
                           at_block_norm2_rrms(ctx, layer), at_d_block_norm2(ctx)},
                .extents = {512, 384},
            });
            /* examples/llama.place:9: einsum "bth,hkgd->btkgd": 2.06 MiB, 151 Mflop */
            ctx->at = LINE_9_computing_in_step;
            const prt_gemm_shape gemm19 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm19, at_d_table(ctx), at_full_block(ctx) + OFFSET_block_attn_out_weight, 0,
                     at_d_block_attn_mixed(ctx));
            /* examples/llama.place:9: einsum "bth,btkgd->hkgd": 2.62 MiB, 151 Mflop */
            const prt_gemm_shape gemm20 = {
                .m = 384, .n = 384, .k = 512,
                .a_row = 1, .a_column = 384,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm20, at_d_table(ctx), at_block_attn_mixed(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_attn_out_weight);
            /* examples/llama.place:9: einsum "btkgd,bskd->bkgts": 4.00 MiB, 101 Mflop */
            const prt_gemm_shape gemm21 = {
                .m = 256, .n = 256, .k = 64,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 256, .c_column = 1,
                .batch_dims = 3,
                .batch = {2, 2, 3},
                .a_batch = {98304, 192, 64},
                .b_batch = {32768, 64, 0},
                .c_batch = {393216, 196608, 65536},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm21, at_d_block_attn_mixed(ctx), at_block_attn_value(ctx, layer), 0,
                     at_d_block_attn_weights(ctx));
            /* examples/llama.place:9: einsum "btkgd,bkgts->bskd": 4.00 MiB, 101 Mflop */
            const prt_gemm_shape gemm22 = {
                .m = 64, .n = 256, .k = 256,
                .a_row = 1, .a_column = 384,
                .b_row = 256, .b_column = 1,
                .c_row = 1, .c_column = 128,
                .batch_dims = 3,
                .batch = {2, 2, 3},
                .a_batch = {98304, 192, 64},
                .b_batch = {393216, 196608, 65536},
                .c_batch = {32768, 64, 0},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm22, at_d_block_attn_mixed(ctx), at_block_attn_weights(ctx, layer), 0,
                     at_d_block_attn_value(ctx));
            /* examples/llama.place:9: softmax_bwd "bkgts,bkgts->bkgts": 9.00 MiB, 3.93 Mflop */
            prt_launch(ctx, KERNEL_softmax_bwd_f32_ij_ij, 0, &(prt_arguments){
                .arrays = {at_d_block_attn_scores(ctx), at_block_attn_weights(ctx, layer),
                           at_d_block_attn_weights(ctx)},
                .extents = {3072, 256},
                .numbers = {0.125},
            });
            /* examples/llama.place:9: einsum "bkgts,bskd->btkgd": 4.00 MiB, 101 Mflop */
            const prt_gemm_shape gemm23 = {
                .m = 256, .n = 64, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 384, .c_column = 1,
                .batch_dims = 3,
                .batch = {2, 2, 3},
                .a_batch = {393216, 196608, 65536},
                .b_batch = {32768, 64, 0},
                .c_batch = {98304, 192, 64},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm23, at_d_block_attn_scores(ctx), at_block_attn_key(ctx, layer), 0,
                     at_d_block_attn_query(ctx));
            /* examples/llama.place:9: einsum "bkgts,btkgd->bskd": 4.00 MiB, 101 Mflop */
            const prt_gemm_shape gemm24 = {
                .m = 256, .n = 64, .k = 256,
                .a_row = 1, .a_column = 256,
                .b_row = 384, .b_column = 1,
                .c_row = 128, .c_column = 1,
                .batch_dims = 3,
                .batch = {2, 2, 3},
                .a_batch = {393216, 196608, 65536},
                .b_batch = {98304, 192, 64},
                .c_batch = {32768, 64, 0},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm24, at_d_block_attn_scores(ctx), at_block_attn_query(ctx, layer), 0,
                     at_d_block_attn_key(ctx));
            /* examples/llama.place:9: einsum "btkd,kdh->bth": 1.19 MiB, 50.3 Mflop */
            const prt_gemm_shape gemm25 = {
                .m = 512, .n = 384, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm25, at_d_block_attn_value(ctx),
                     at_full_block(ctx) + OFFSET_block_attn_value_weight, 0, at_d_block_norm1(ctx));
            /* examples/llama.place:9: einsum "btkd,bth->kdh": 1.38 MiB, 50.3 Mflop */
            const prt_gemm_shape gemm26 = {
                .m = 128, .n = 384, .k = 512,
                .a_row = 1, .a_column = 128,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm26, at_d_block_attn_value(ctx), at_block_norm1(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_attn_value_weight);
            /* examples/llama.place:9: rotate_bwd "btkd,td,td->btkd": 640 KiB, 197 kflop */
            prt_launch(ctx, KERNEL_rotate_bwd_f32_ijkl_jl_jl, 0, &(prt_arguments){
                .arrays = {at_d_block_attn_key_product(ctx), at_d_block_attn_key(ctx), at_rotary_cosine(ctx),
                           at_rotary_sine(ctx)},
                .extents = {2, 256, 2, 64},
            });
            /* examples/llama.place:9: einsum "btkd,kdh->bth": 1.94 MiB, 50.3 Mflop */
            const prt_gemm_shape gemm27 = {
                .m = 512, .n = 384, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm27, at_d_block_attn_key_product(ctx),
                     at_full_block(ctx) + OFFSET_block_attn_key_weight, 1, at_d_block_norm1(ctx));
            /* examples/llama.place:9: einsum "btkd,bth->kdh": 1.38 MiB, 50.3 Mflop */
            const prt_gemm_shape gemm28 = {
                .m = 128, .n = 384, .k = 512,
                .a_row = 1, .a_column = 128,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm28, at_d_block_attn_key_product(ctx), at_block_norm1(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_attn_key_weight);
            /* examples/llama.place:9: rotate_bwd "btkgd,td,td->btkgd": 1.62 MiB, 590 kflop */
            prt_launch(ctx, KERNEL_rotate_bwd_f32_ijkl_jl_jl, 0, &(prt_arguments){
                .arrays = {at_d_block_attn_query_product(ctx), at_d_block_attn_query(ctx), at_rotary_cosine(ctx),
                           at_rotary_sine(ctx)},
                .extents = {2, 256, 6, 64},
            });
            /* examples/llama.place:9: einsum "btkgd,kgdh->bth": 2.81 MiB, 151 Mflop */
            const prt_gemm_shape gemm29 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm29, at_d_block_attn_query_product(ctx),
                     at_full_block(ctx) + OFFSET_block_attn_query_weight, 1, at_d_block_norm1(ctx));
            /* examples/llama.place:9: einsum "btkgd,bth->kgdh": 2.62 MiB, 151 Mflop */
            const prt_gemm_shape gemm30 = {
                .m = 384, .n = 384, .k = 512,
                .a_row = 1, .a_column = 384,
                .b_row = 384, .b_column = 1,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm30, at_d_block_attn_query_product(ctx), at_block_norm1(ctx, layer), 1,
                     at_contribution_block(ctx) + OFFSET_block_attn_query_weight);
            /* examples/llama.place:9: rms_norm_bwd "bth,bt,h,bth->bth": 3.00 MiB, 1.77 Mflop */
            prt_launch(ctx, KERNEL_rms_norm_bwd_f32_ij_i_j_ij_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_table(ctx), at_table(ctx, layer), at_block_norm1_rrms(ctx, layer),
                           at_full_block(ctx) + OFFSET_block_norm1_gain, at_d_block_norm1(ctx)},
                .extents = {512, 384},
            });
            /* examples/llama.place:9: rms_gain_bwd "bth,bt,bth->h": 1.50 MiB, 590 kflop */
            prt_launch(ctx, KERNEL_rms_gain_bwd_f32_ij_i_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_contribution_block(ctx) + OFFSET_block_norm1_gain, at_table(ctx, layer),
                           at_block_norm1_rrms(ctx, layer), at_d_block_norm1(ctx)},
                .extents = {512, 384},
            });
            /* examples/llama.place:20: reduce_scatter contribution.block over data: payload 6.00 MiB */
            ctx->at = LINE_20_reduce_scatter_contribution_block_over_data;
            prt_reduce_scatter(ctx, CALL_reduce_scatter_contribution_block, 0, at_gradients_block(ctx, layer),
                               at_contribution_block(ctx));
        }
        /* examples/llama.place:7: embed_bwd "bt,bth->vh": 1.50 MiB, 197 kflop */
        ctx->at = LINE_7_computing_in_step;
        prt_launch(ctx, KERNEL_embed_bwd_f32_i32i_ik_to_jk_accumulate, 0, &(prt_arguments){
            .arrays = {at_contribution_outside(ctx) + OFFSET_table_table, at_tokens(ctx), at_d_table(ctx)},
            .extents = {512, 256, 384},
        });
        /* examples/llama.place:20: reduce_scatter contribution.outside over data: payload 770 KiB */
        ctx->at = LINE_20_reduce_scatter_contribution_outside_over_data;
        prt_reduce_scatter(ctx, CALL_reduce_scatter_contribution_outside, 0, at_gradients_outside(ctx),
                           at_contribution_outside(ctx));
        /* examples/llama.place:13: add to loss.sum "->": 12 B */
        ctx->at = LINE_13_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx), at_loss(ctx)}});
    }
    /* examples/llama.place:20: all_reduce loss.sum over data: payload 4 B */
    ctx->at = LINE_20_all_reduce_loss_sum_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_loss_sum, at_loss_sum(ctx), at_loss_sum(ctx), 1);
    /* examples/llama.place:13: output loss: 4 B */
    ctx->at = LINE_13_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_loss_sum(ctx), 1);
    /* examples/llama.place:22: fill: 4 B */
    ctx->at = LINE_22_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_norm_squared(ctx)}, .numbers = {0}});
    /* examples/llama.place:21: rate "->": 8 B, 8 flop */
    ctx->at = LINE_21_computing_in_step;
    prt_launch(ctx, KERNEL_rate_f32_s, 0, &(prt_arguments){
        .arrays = {at_rate(ctx), at_step(ctx)},
        .numbers = {0.0006, 20, 0, 1},
    });
    /* examples/llama.place:21: output learning_rate: 4 B */
    ctx->at = LINE_21_output_learning_rate;
    prt_output(ctx, "learning_rate", PRT_F32, at_rate(ctx), 1);
    /* examples/llama.place:21: correction "->": 8 B, 4 flop */
    ctx->at = LINE_21_computing_in_step;
    prt_launch(ctx, KERNEL_correction_f32_s, 0, &(prt_arguments){
        .arrays = {at_correction1(ctx), at_step(ctx)},
        .numbers = {0.9},
    });
    /* examples/llama.place:21: correction "->": 8 B, 4 flop */
    prt_launch(ctx, KERNEL_correction_f32_s, 0, &(prt_arguments){
        .arrays = {at_correction2(ctx), at_step(ctx)},
        .numbers = {0.999},
    });
    /* examples/llama.place:21: increment "->": 8 B, 1 flop */
    prt_launch(ctx, KERNEL_increment_f32_s_in_place_a, 0, &(prt_arguments){.arrays = {at_step(ctx)}});
    /* examples/llama.place:22: sum_squares: 192 KiB, 98.5 kflop */
    ctx->at = LINE_22_computing_in_step;
    prt_launch(ctx, KERNEL_sum_squares_f32_i_to_s_accumulate, 0, &(prt_arguments){
        .arrays = {at_norm_squared(ctx), at_gradients_outside(ctx)},
        .extents = {49248},
    });
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/llama.place:22: sum_squares: 1.50 MiB, 787 kflop */
        ctx->at = LINE_22_computing_in_step;
        prt_launch(ctx, KERNEL_sum_squares_f32_i_to_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_norm_squared(ctx), at_gradients_block(ctx, layer)},
            .extents = {393408},
        });
    }
    /* examples/llama.place:20: all_reduce norm_squared over data: payload 4 B */
    ctx->at = LINE_20_all_reduce_norm_squared_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_norm_squared, at_norm_squared(ctx), at_norm_squared(ctx), 1);
    /* examples/llama.place:22: sqrt "->": 8 B, 2 flop */
    ctx->at = LINE_22_computing_in_step;
    prt_launch(ctx, KERNEL_sqrt_f32_s, 0, &(prt_arguments){.arrays = {at_norm_2(ctx), at_norm_squared(ctx)}});
    /* examples/llama.place:22: output gradient_norm: 4 B */
    ctx->at = LINE_22_output_gradient_norm;
    prt_output(ctx, "gradient_norm", PRT_F32, at_norm_2(ctx), 1);
    /* examples/llama.place:22: clip_factor "->": 8 B, 3 flop */
    ctx->at = LINE_22_computing_in_step;
    prt_launch(ctx, KERNEL_clip_factor_f32_s, 0, &(prt_arguments){
        .arrays = {at_clip_factor(ctx), at_norm_squared(ctx)},
        .numbers = {1},
    });
    /* examples/llama.place:22: mul: 385 KiB, 49.2 kflop */
    prt_launch(ctx, KERNEL_mul_f32_i_s_in_place_a, 0, &(prt_arguments){
        .arrays = {at_gradients_outside(ctx), at_clip_factor(ctx)},
        .extents = {49248},
    });
    /* examples/llama.place:21: ema: 577 KiB, 148 kflop */
    ctx->at = LINE_21_computing_in_step;
    if (ctx->saving_gradients)
        prt_save_gradient(ctx, GRADIENT_outside, 0, at_gradients_outside(ctx));
    prt_launch(ctx, KERNEL_ema_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_adam_m_outside(ctx), at_gradients_outside(ctx)},
        .extents = {49248},
        .numbers = {0.9},
    });
    /* examples/llama.place:21: ema_square: 577 KiB, 197 kflop */
    prt_launch(ctx, KERNEL_ema_square_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_adam_v_outside(ctx), at_gradients_outside(ctx)},
        .extents = {49248},
        .numbers = {0.999},
    });
    /* examples/llama.place:21: adamw: 770 KiB, 443 kflop */
    prt_launch(ctx, KERNEL_adamw_f32_i_i_i_s_s_s_in_place_a, 0, &(prt_arguments){
        .arrays = {at_parameters_outside(ctx), at_adam_m_outside(ctx), at_adam_v_outside(ctx), at_rate(ctx),
                   at_correction1(ctx), at_correction2(ctx)},
        .extents = {49248},
        .numbers = {1e-08, 0.1},
    });
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/llama.place:22: mul: 3.00 MiB, 393 kflop */
        ctx->at = LINE_22_computing_in_step;
        prt_launch(ctx, KERNEL_mul_f32_i_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_gradients_block(ctx, layer), at_clip_factor(ctx)},
            .extents = {393408},
        });
        /* examples/llama.place:21: ema: 4.50 MiB, 1.18 Mflop */
        ctx->at = LINE_21_computing_in_step;
        if (ctx->saving_gradients)
            prt_save_gradient(ctx, GRADIENT_block, layer, at_gradients_block(ctx, layer));
        prt_launch(ctx, KERNEL_ema_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_adam_m_block(ctx, layer), at_gradients_block(ctx, layer)},
            .extents = {393408},
            .numbers = {0.9},
        });
        /* examples/llama.place:21: ema_square: 4.50 MiB, 1.57 Mflop */
        prt_launch(ctx, KERNEL_ema_square_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_adam_v_block(ctx, layer), at_gradients_block(ctx, layer)},
            .extents = {393408},
            .numbers = {0.999},
        });
        /* examples/llama.place:21: adamw: 6.00 MiB, 3.54 Mflop */
        prt_launch(ctx, KERNEL_adamw_f32_i_i_i_s_s_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_parameters_block(ctx, layer), at_adam_m_block(ctx, layer), at_adam_v_block(ctx, layer),
                       at_rate(ctx), at_correction1(ctx), at_correction2(ctx)},
            .extents = {393408},
            .numbers = {1e-08, 0.1},
        });
    }
}

/* The loss on examples that are held out. */
static void eval(prt_context *ctx)
{
    /* examples/llama.place:13: fill: 4 B */
    ctx->at = LINE_13_computing_in_eval;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_eval_loss_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 1; micro++) {
        /* examples/llama.place:5: read tokens: 2.00 KiB */
        ctx->at = LINE_5_read_tokens;
        prt_read(ctx, INPUT_tokens, LAYOUT_8_over_micro_data_by_256, micro, at_eval_tokens(ctx));
        /* examples/llama.place:5: read targets: 2.00 KiB */
        ctx->at = LINE_5_read_targets;
        prt_read(ctx, INPUT_targets, LAYOUT_8_over_micro_data_by_256, micro, at_eval_targets(ctx));
        /* examples/llama.place:20: all_gather parameters.outside over data: payload 770 KiB */
        ctx->at = LINE_20_all_gather_parameters_outside_over_data;
        prt_all_gather(ctx, CALL_eval_all_gather_parameters_outside, 0, at_full_outside(ctx),
                       at_parameters_outside(ctx));
        /* examples/llama.place:7: embed "bt,vh->bth": 1.13 MiB */
        ctx->at = LINE_7_computing_in_eval;
        prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
            .arrays = {at_eval_table(ctx, 0), at_eval_tokens(ctx), at_full_outside(ctx) + OFFSET_table_table},
            .extents = {512, 256, 384},
        });
        /* examples/llama.place:9: iota: 1.00 KiB */
        ctx->at = LINE_9_computing_in_eval;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_row_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        /* examples/llama.place:9: iota: 256 B */
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_rotary_dims(ctx)},
            .extents = {64},
            .numbers = {0},
        });
        /* examples/llama.place:9: rotary_cosine "t,d->td": 65.2 KiB, 328 kflop */
        prt_launch(ctx, KERNEL_rotary_cosine_f32_i32i_i32j_to_ij, 0, &(prt_arguments){
            .arrays = {at_eval_rotary_cosine(ctx), at_eval_row_positions(ctx), at_eval_rotary_dims(ctx)},
            .extents = {256, 64},
            .numbers = {10000, 64},
        });
        /* examples/llama.place:9: rotary_sine "t,d->td": 65.2 KiB, 328 kflop */
        prt_launch(ctx, KERNEL_rotary_sine_f32_i32i_i32j_to_ij, 0, &(prt_arguments){
            .arrays = {at_eval_rotary_sine(ctx), at_eval_row_positions(ctx), at_eval_rotary_dims(ctx)},
            .extents = {256, 64},
            .numbers = {10000, 64},
        });
        /* examples/llama.place:9: iota: 1.00 KiB */
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_column_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        for (int64_t layer = 0; layer < 6; layer++) {
            /* examples/llama.place:20: all_gather parameters.block over data: payload 6.00 MiB */
            ctx->at = LINE_20_all_gather_parameters_block_over_data;
            prt_all_gather(ctx, CALL_eval_all_gather_parameters_block, 0, at_full_block(ctx),
                           at_parameters_block(ctx, layer));
            /* examples/llama.place:9: row_rrms "bth->bt": 770 KiB, 393 kflop */
            ctx->at = LINE_9_computing_in_eval;
            prt_launch(ctx, KERNEL_row_rrms_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm1_rrms(ctx), at_eval_table(ctx, layer)},
                .extents = {512, 384},
                .numbers = {1e-05},
            });
            /* examples/llama.place:9: rms_norm "bth,bt,h->bth": 1.50 MiB, 393 kflop */
            prt_launch(ctx, KERNEL_rms_norm_f32_ij_i_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm1(ctx), at_eval_table(ctx, layer), at_eval_block_norm1_rrms(ctx),
                           at_full_block(ctx) + OFFSET_block_norm1_gain},
                .extents = {512, 384},
            });
            /* examples/llama.place:9: einsum "bth,kgdh->btkgd": 2.06 MiB, 151 Mflop */
            const prt_gemm_shape gemm31 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm31, at_eval_block_norm1(ctx),
                     at_full_block(ctx) + OFFSET_block_attn_query_weight, 0, at_eval_block_attn_query_product(ctx));
            /* examples/llama.place:9: rotate "btkgd,td,td->btkgd": 1.62 MiB, 590 kflop */
            prt_launch(ctx, KERNEL_rotate_f32_ijkl_jl_jl, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn_query(ctx), at_eval_block_attn_query_product(ctx),
                           at_eval_rotary_cosine(ctx), at_eval_rotary_sine(ctx)},
                .extents = {2, 256, 6, 64},
            });
            /* examples/llama.place:9: einsum "bth,kdh->btkd": 1.19 MiB, 50.3 Mflop */
            const prt_gemm_shape gemm32 = {
                .m = 512, .n = 128, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm32, at_eval_block_norm1(ctx),
                     at_full_block(ctx) + OFFSET_block_attn_key_weight, 0, at_eval_block_attn_key_product(ctx));
            /* examples/llama.place:9: rotate "btkd,td,td->btkd": 640 KiB, 197 kflop */
            prt_launch(ctx, KERNEL_rotate_f32_ijkl_jl_jl, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn_key(ctx), at_eval_block_attn_key_product(ctx), at_eval_rotary_cosine(ctx),
                           at_eval_rotary_sine(ctx)},
                .extents = {2, 256, 2, 64},
            });
            /* examples/llama.place:9: einsum "bth,kdh->btkd": 1.19 MiB, 50.3 Mflop */
            const prt_gemm_shape gemm33 = {
                .m = 512, .n = 128, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm33, at_eval_block_norm1(ctx),
                     at_full_block(ctx) + OFFSET_block_attn_value_weight, 0, at_eval_block_attn_value(ctx));
            /* examples/llama.place:9: einsum "btkgd,bskd->bkgts": 4.00 MiB, 101 Mflop */
            const prt_gemm_shape gemm34 = {
                .m = 256, .n = 256, .k = 64,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 256, .c_column = 1,
                .batch_dims = 3,
                .batch = {2, 2, 3},
                .a_batch = {98304, 192, 64},
                .b_batch = {32768, 64, 0},
                .c_batch = {393216, 196608, 65536},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm34, at_eval_block_attn_query(ctx), at_eval_block_attn_key(ctx), 0,
                     at_eval_block_attn_scores(ctx));
            /* examples/llama.place:9: causal_softmax "bkgts,t,s->bkgts": 6.00 MiB, 6.29 Mflop */
            prt_launch(ctx, KERNEL_causal_softmax_f32_ijk_i32j_i32k, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn_weights(ctx), at_eval_block_attn_scores(ctx), at_eval_row_positions(ctx),
                           at_eval_column_positions(ctx)},
                .extents = {12, 256, 256},
                .numbers = {0.125},
            });
            /* examples/llama.place:9: einsum "bkgts,bskd->btkgd": 4.00 MiB, 101 Mflop */
            const prt_gemm_shape gemm35 = {
                .m = 256, .n = 64, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 384, .c_column = 1,
                .batch_dims = 3,
                .batch = {2, 2, 3},
                .a_batch = {393216, 196608, 65536},
                .b_batch = {32768, 64, 0},
                .c_batch = {98304, 192, 64},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm35, at_eval_block_attn_weights(ctx), at_eval_block_attn_value(ctx), 0,
                     at_eval_block_attn_mixed(ctx));
            /* examples/llama.place:9: einsum "btkgd,hkgd->bth": 2.06 MiB, 151 Mflop */
            const prt_gemm_shape gemm36 = {
                .m = 512, .n = 384, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm36, at_eval_block_attn_mixed(ctx),
                     at_full_block(ctx) + OFFSET_block_attn_out_weight, 0, at_eval_block_attn(ctx));
            /* examples/llama.place:9: add "abc,abc->abc": 2.25 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_eval_block_x(ctx), at_eval_table(ctx, layer), at_eval_block_attn(ctx)},
                .extents = {196608},
            });
            /* examples/llama.place:10: row_rrms "bth->bt": 770 KiB, 393 kflop */
            ctx->at = LINE_10_computing_in_eval;
            prt_launch(ctx, KERNEL_row_rrms_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm2_rrms(ctx), at_eval_block_x(ctx)},
                .extents = {512, 384},
                .numbers = {1e-05},
            });
            /* examples/llama.place:10: rms_norm "bth,bt,h->bth": 1.50 MiB, 393 kflop */
            prt_launch(ctx, KERNEL_rms_norm_f32_ij_i_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm2(ctx), at_eval_block_x(ctx), at_eval_block_norm2_rrms(ctx),
                           at_full_block(ctx) + OFFSET_block_norm2_gain},
                .extents = {512, 384},
            });
            /* examples/llama.place:10: einsum "bth,oh->bto": 4.25 MiB, 403 Mflop */
            const prt_gemm_shape gemm37 = {
                .m = 512, .n = 1024, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 1024, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm37, at_eval_block_norm2(ctx),
                     at_full_block(ctx) + OFFSET_block_mlp_gate_weight, 0, at_eval_block_mlp_gate(ctx));
            /* examples/llama.place:10: silu "abc->abc": 4.00 MiB, 2.62 Mflop */
            prt_launch(ctx, KERNEL_silu_f32, 0, &(prt_arguments){
                .arrays = {at_eval_block_mlp_active(ctx), at_eval_block_mlp_gate(ctx)},
                .extents = {524288},
            });
            /* examples/llama.place:10: einsum "bth,oh->bto": 4.25 MiB, 403 Mflop */
            const prt_gemm_shape gemm38 = {
                .m = 512, .n = 1024, .k = 384,
                .a_row = 384, .a_column = 1,
                .b_row = 1, .b_column = 384,
                .c_row = 1024, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm38, at_eval_block_norm2(ctx),
                     at_full_block(ctx) + OFFSET_block_mlp_up_weight, 0, at_eval_block_mlp_up(ctx));
            /* examples/llama.place:10: mul "abc,abc->abc": 6.00 MiB, 524 kflop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_eval_block_mlp_gated(ctx), at_eval_block_mlp_active(ctx), at_eval_block_mlp_up(ctx)},
                .extents = {524288},
            });
            /* examples/llama.place:10: einsum "bth,oh->bto": 4.25 MiB, 403 Mflop */
            const prt_gemm_shape gemm39 = {
                .m = 512, .n = 384, .k = 1024,
                .a_row = 1024, .a_column = 1,
                .b_row = 1, .b_column = 1024,
                .c_row = 384, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm39, at_eval_block_mlp_gated(ctx),
                     at_full_block(ctx) + OFFSET_block_mlp_down_weight, 0, at_eval_block_mlp(ctx));
            /* examples/llama.place:10: add "abc,abc->abc": 2.25 MiB, 197 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_eval_table(ctx, layer + 1), at_eval_block_x(ctx), at_eval_block_mlp(ctx)},
                .extents = {196608},
            });
        }
        /* examples/llama.place:12: row_rrms "bth->bt": 770 KiB, 393 kflop */
        ctx->at = LINE_12_computing_in_eval;
        prt_launch(ctx, KERNEL_row_rrms_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_norm_rrms(ctx), at_eval_table(ctx, 6)},
            .extents = {512, 384},
            .numbers = {1e-05},
        });
        /* examples/llama.place:12: rms_norm "bth,bt,h->bth": 1.50 MiB, 393 kflop */
        prt_launch(ctx, KERNEL_rms_norm_f32_ij_i_j, 0, &(prt_arguments){
            .arrays = {at_eval_norm(ctx), at_eval_table(ctx, 6), at_eval_norm_rrms(ctx),
                       at_full_outside(ctx) + OFFSET_norm_gain},
            .extents = {512, 384},
        });
        /* examples/llama.place:12: einsum "bth,oh->bto": 1.62 MiB, 101 Mflop */
        const prt_gemm_shape gemm40 = {
            .m = 512, .n = 256, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm40, at_eval_norm(ctx), at_full_outside(ctx) + OFFSET_head_weight, 0,
                 at_eval_head(ctx));
        /* examples/llama.place:13: iota: 1.00 KiB */
        ctx->at = LINE_13_computing_in_eval;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_class_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        /* examples/llama.place:13: row_max "btv->bt": 514 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_largest(ctx), at_eval_head(ctx)},
            .extents = {512, 256},
        });
        /* examples/llama.place:13: exp_sum "btv,bt->bt": 516 KiB, 524 kflop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_exp_sum(ctx), at_eval_head(ctx), at_eval_loss_terms_largest(ctx)},
            .extents = {512, 256},
        });
        /* examples/llama.place:13: pick "btv,bt,v->bt": 517 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_target_logit(ctx), at_eval_head(ctx), at_eval_targets(ctx),
                       at_eval_class_positions(ctx)},
            .extents = {512, 256},
        });
        /* examples/llama.place:13: log_loss "bt,bt,bt->bt": 8.00 KiB, 3.07 kflop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms(ctx), at_eval_loss_terms_largest(ctx), at_eval_loss_terms_exp_sum(ctx),
                       at_eval_loss_terms_target_logit(ctx)},
            .extents = {512},
        });
        /* examples/llama.place:13: reduce "ab->": 2.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx), at_eval_loss_terms(ctx)},
            .extents = {512},
        });
        /* examples/llama.place:13: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx)},
            .numbers = {1.0 / 2048},
        });
        /* examples/llama.place:13: add to eval.loss.sum "->": 12 B */
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_eval_loss_sum(ctx), at_eval_loss(ctx)},
        });
    }
    /* examples/llama.place:20: all_reduce eval.loss.sum over data: payload 4 B */
    ctx->at = LINE_20_all_reduce_eval_loss_sum_over_data;
    prt_all_reduce(ctx, CALL_eval_all_reduce_loss_sum, at_eval_loss_sum(ctx), at_eval_loss_sum(ctx), 1);
    /* examples/llama.place:13: output loss: 4 B */
    ctx->at = LINE_13_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_eval_loss_sum(ctx), 1);
}

/* The model's output on the text so far. */
static void predict(prt_context *ctx)
{
    /* examples/llama.place:5: read tokens: 1.00 KiB */
    ctx->at = LINE_5_read_tokens;
    prt_read(ctx, INPUT_tokens, LAYOUT_1_by_256, 0, at_predict_tokens(ctx));
    /* examples/llama.place:20: all_gather parameters.outside over data: payload 770 KiB */
    ctx->at = LINE_20_all_gather_parameters_outside_over_data;
    prt_all_gather(ctx, CALL_predict_all_gather_parameters_outside, 0, at_full_outside(ctx),
                   at_parameters_outside(ctx));
    /* examples/llama.place:7: embed "bt,vh->bth": 769 KiB */
    ctx->at = LINE_7_computing_in_predict;
    prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
        .arrays = {at_predict_table(ctx, 0), at_predict_tokens(ctx), at_full_outside(ctx) + OFFSET_table_table},
        .extents = {256, 256, 384},
    });
    /* examples/llama.place:9: iota: 1.00 KiB */
    ctx->at = LINE_9_computing_in_predict;
    prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
        .arrays = {at_predict_row_positions(ctx)},
        .extents = {256},
        .numbers = {0},
    });
    /* examples/llama.place:9: iota: 256 B */
    prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
        .arrays = {at_predict_rotary_dims(ctx)},
        .extents = {64},
        .numbers = {0},
    });
    /* examples/llama.place:9: rotary_cosine "t,d->td": 65.2 KiB, 328 kflop */
    prt_launch(ctx, KERNEL_rotary_cosine_f32_i32i_i32j_to_ij, 0, &(prt_arguments){
        .arrays = {at_predict_rotary_cosine(ctx), at_predict_row_positions(ctx), at_predict_rotary_dims(ctx)},
        .extents = {256, 64},
        .numbers = {10000, 64},
    });
    /* examples/llama.place:9: rotary_sine "t,d->td": 65.2 KiB, 328 kflop */
    prt_launch(ctx, KERNEL_rotary_sine_f32_i32i_i32j_to_ij, 0, &(prt_arguments){
        .arrays = {at_predict_rotary_sine(ctx), at_predict_row_positions(ctx), at_predict_rotary_dims(ctx)},
        .extents = {256, 64},
        .numbers = {10000, 64},
    });
    /* examples/llama.place:9: iota: 1.00 KiB */
    prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
        .arrays = {at_predict_column_positions(ctx)},
        .extents = {256},
        .numbers = {0},
    });
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/llama.place:20: all_gather parameters.block over data: payload 6.00 MiB */
        ctx->at = LINE_20_all_gather_parameters_block_over_data;
        prt_all_gather(ctx, CALL_predict_all_gather_parameters_block, 0, at_full_block(ctx),
                       at_parameters_block(ctx, layer));
        /* examples/llama.place:9: row_rrms "bth->bt": 385 KiB, 197 kflop */
        ctx->at = LINE_9_computing_in_predict;
        prt_launch(ctx, KERNEL_row_rrms_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm1_rrms(ctx), at_predict_table(ctx, layer)},
            .extents = {256, 384},
            .numbers = {1e-05},
        });
        /* examples/llama.place:9: rms_norm "bth,bt,h->bth": 770 KiB, 197 kflop */
        prt_launch(ctx, KERNEL_rms_norm_f32_ij_i_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm1(ctx), at_predict_table(ctx, layer), at_predict_block_norm1_rrms(ctx),
                       at_full_block(ctx) + OFFSET_block_norm1_gain},
            .extents = {256, 384},
        });
        /* examples/llama.place:9: einsum "bth,kgdh->btkgd": 1.31 MiB, 75.5 Mflop */
        const prt_gemm_shape gemm41 = {
            .m = 256, .n = 384, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm41, at_predict_block_norm1(ctx),
                 at_full_block(ctx) + OFFSET_block_attn_query_weight, 0, at_predict_block_attn_query_product(ctx));
        /* examples/llama.place:9: rotate "btkgd,td,td->btkgd": 896 KiB, 295 kflop */
        prt_launch(ctx, KERNEL_rotate_f32_ijkl_jl_jl, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn_query(ctx), at_predict_block_attn_query_product(ctx),
                       at_predict_rotary_cosine(ctx), at_predict_rotary_sine(ctx)},
            .extents = {1, 256, 6, 64},
        });
        /* examples/llama.place:9: einsum "bth,kdh->btkd": 704 KiB, 25.2 Mflop */
        const prt_gemm_shape gemm42 = {
            .m = 256, .n = 128, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 128, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm42, at_predict_block_norm1(ctx),
                 at_full_block(ctx) + OFFSET_block_attn_key_weight, 0, at_predict_block_attn_key_product(ctx));
        /* examples/llama.place:9: rotate "btkd,td,td->btkd": 384 KiB, 98.3 kflop */
        prt_launch(ctx, KERNEL_rotate_f32_ijkl_jl_jl, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn_key(ctx), at_predict_block_attn_key_product(ctx),
                       at_predict_rotary_cosine(ctx), at_predict_rotary_sine(ctx)},
            .extents = {1, 256, 2, 64},
        });
        /* examples/llama.place:9: einsum "bth,kdh->btkd": 704 KiB, 25.2 Mflop */
        const prt_gemm_shape gemm43 = {
            .m = 256, .n = 128, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 128, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm43, at_predict_block_norm1(ctx),
                 at_full_block(ctx) + OFFSET_block_attn_value_weight, 0, at_predict_block_attn_value(ctx));
        /* examples/llama.place:9: einsum "btkgd,bskd->bkgts": 2.00 MiB, 50.3 Mflop */
        const prt_gemm_shape gemm44 = {
            .m = 256, .n = 256, .k = 64,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 256, .c_column = 1,
            .batch_dims = 3,
            .batch = {1, 2, 3},
            .a_batch = {98304, 192, 64},
            .b_batch = {32768, 64, 0},
            .c_batch = {393216, 196608, 65536},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm44, at_predict_block_attn_query(ctx), at_predict_block_attn_key(ctx), 0,
                 at_predict_block_attn_scores(ctx));
        /* examples/llama.place:9: causal_softmax "bkgts,t,s->bkgts": 3.00 MiB, 3.15 Mflop */
        prt_launch(ctx, KERNEL_causal_softmax_f32_ijk_i32j_i32k, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn_weights(ctx), at_predict_block_attn_scores(ctx),
                       at_predict_row_positions(ctx), at_predict_column_positions(ctx)},
            .extents = {6, 256, 256},
            .numbers = {0.125},
        });
        /* examples/llama.place:9: einsum "bkgts,bskd->btkgd": 2.00 MiB, 50.3 Mflop */
        const prt_gemm_shape gemm45 = {
            .m = 256, .n = 64, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 128, .b_column = 1,
            .c_row = 384, .c_column = 1,
            .batch_dims = 3,
            .batch = {1, 2, 3},
            .a_batch = {393216, 196608, 65536},
            .b_batch = {32768, 64, 0},
            .c_batch = {98304, 192, 64},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm45, at_predict_block_attn_weights(ctx), at_predict_block_attn_value(ctx), 0,
                 at_predict_block_attn_mixed(ctx));
        /* examples/llama.place:9: einsum "btkgd,hkgd->bth": 1.31 MiB, 75.5 Mflop */
        const prt_gemm_shape gemm46 = {
            .m = 256, .n = 384, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm46, at_predict_block_attn_mixed(ctx),
                 at_full_block(ctx) + OFFSET_block_attn_out_weight, 0, at_predict_block_attn(ctx));
        /* examples/llama.place:9: add "abc,abc->abc": 1.12 MiB, 98.3 kflop */
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_predict_block_x(ctx), at_predict_table(ctx, layer), at_predict_block_attn(ctx)},
            .extents = {98304},
        });
        /* examples/llama.place:10: row_rrms "bth->bt": 385 KiB, 197 kflop */
        ctx->at = LINE_10_computing_in_predict;
        prt_launch(ctx, KERNEL_row_rrms_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm2_rrms(ctx), at_predict_block_x(ctx)},
            .extents = {256, 384},
            .numbers = {1e-05},
        });
        /* examples/llama.place:10: rms_norm "bth,bt,h->bth": 770 KiB, 197 kflop */
        prt_launch(ctx, KERNEL_rms_norm_f32_ij_i_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm2(ctx), at_predict_block_x(ctx), at_predict_block_norm2_rrms(ctx),
                       at_full_block(ctx) + OFFSET_block_norm2_gain},
            .extents = {256, 384},
        });
        /* examples/llama.place:10: einsum "bth,oh->bto": 2.88 MiB, 201 Mflop */
        const prt_gemm_shape gemm47 = {
            .m = 256, .n = 1024, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 1024, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm47, at_predict_block_norm2(ctx),
                 at_full_block(ctx) + OFFSET_block_mlp_gate_weight, 0, at_predict_block_mlp_gate(ctx));
        /* examples/llama.place:10: silu "abc->abc": 2.00 MiB, 1.31 Mflop */
        prt_launch(ctx, KERNEL_silu_f32, 0, &(prt_arguments){
            .arrays = {at_predict_block_mlp_active(ctx), at_predict_block_mlp_gate(ctx)},
            .extents = {262144},
        });
        /* examples/llama.place:10: einsum "bth,oh->bto": 2.88 MiB, 201 Mflop */
        const prt_gemm_shape gemm48 = {
            .m = 256, .n = 1024, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 1024, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm48, at_predict_block_norm2(ctx), at_full_block(ctx) + OFFSET_block_mlp_up_weight,
                 0, at_predict_block_mlp_up(ctx));
        /* examples/llama.place:10: mul "abc,abc->abc": 3.00 MiB, 262 kflop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_predict_block_mlp_gated(ctx), at_predict_block_mlp_active(ctx), at_predict_block_mlp_up(ctx)},
            .extents = {262144},
        });
        /* examples/llama.place:10: einsum "bth,oh->bto": 2.88 MiB, 201 Mflop */
        const prt_gemm_shape gemm49 = {
            .m = 256, .n = 384, .k = 1024,
            .a_row = 1024, .a_column = 1,
            .b_row = 1, .b_column = 1024,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm49, at_predict_block_mlp_gated(ctx),
                 at_full_block(ctx) + OFFSET_block_mlp_down_weight, 0, at_predict_block_mlp(ctx));
        /* examples/llama.place:10: add "abc,abc->abc": 1.12 MiB, 98.3 kflop */
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_predict_table(ctx, layer + 1), at_predict_block_x(ctx), at_predict_block_mlp(ctx)},
            .extents = {98304},
        });
    }
    /* examples/llama.place:12: row_rrms "bth->bt": 385 KiB, 197 kflop */
    ctx->at = LINE_12_computing_in_predict;
    prt_launch(ctx, KERNEL_row_rrms_f32_ij_to_i, 0, &(prt_arguments){
        .arrays = {at_predict_norm_rrms(ctx), at_predict_table(ctx, 6)},
        .extents = {256, 384},
        .numbers = {1e-05},
    });
    /* examples/llama.place:12: rms_norm "bth,bt,h->bth": 770 KiB, 197 kflop */
    prt_launch(ctx, KERNEL_rms_norm_f32_ij_i_j, 0, &(prt_arguments){
        .arrays = {at_predict_norm(ctx), at_predict_table(ctx, 6), at_predict_norm_rrms(ctx),
                   at_full_outside(ctx) + OFFSET_norm_gain},
        .extents = {256, 384},
    });
    /* examples/llama.place:12: einsum "bth,oh->bto": 1.00 MiB, 50.3 Mflop */
    const prt_gemm_shape gemm50 = {
        .m = 256, .n = 256, .k = 384,
        .a_row = 384, .a_column = 1,
        .b_row = 1, .b_column = 384,
        .c_row = 256, .c_column = 1,
    };
    prt_gemm(ctx, 0, PRT_F32, &gemm50, at_predict_norm(ctx), at_full_outside(ctx) + OFFSET_head_weight, 0,
             at_predict_head(ctx));
    /* examples/llama.place:13: output logits: 256 KiB */
    ctx->at = LINE_13_output_logits;
    prt_output(ctx, "logits", PRT_F32, at_predict_head(ctx), 65536);
}

/* ---- The plan, for the runtime ---- */

/* Rows of a table. */
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static const prt_tensor tensors[] = {
    [TENSOR_table_table] = {"table.table", NULL, 1, PRT_F32, 2, {256, 384}, PRT_NORMAL, 0.02},
    [TENSOR_block_norm1_gain] = {"block.norm1.gain", "block", 6, PRT_F32, 1, {384}, PRT_ONES, 0},
    [TENSOR_block_attn_query_weight] =
        {"block.attn.query.weight", "block", 6, PRT_F32, 4, {2, 3, 64, 384}, PRT_NORMAL, 0.02},
    [TENSOR_block_attn_key_weight] = {"block.attn.key.weight", "block", 6, PRT_F32, 3, {2, 64, 384}, PRT_NORMAL, 0.02},
    [TENSOR_block_attn_value_weight] =
        {"block.attn.value.weight", "block", 6, PRT_F32, 3, {2, 64, 384}, PRT_NORMAL, 0.02},
    [TENSOR_block_attn_out_weight] =
        {"block.attn.out.weight", "block", 6, PRT_F32, 4, {384, 2, 3, 64}, PRT_NORMAL, 0.005773502691896258},
    [TENSOR_block_norm2_gain] = {"block.norm2.gain", "block", 6, PRT_F32, 1, {384}, PRT_ONES, 0},
    [TENSOR_block_mlp_gate_weight] = {"block.mlp.gate.weight", "block", 6, PRT_F32, 2, {1024, 384}, PRT_NORMAL, 0.02},
    [TENSOR_block_mlp_up_weight] = {"block.mlp.up.weight", "block", 6, PRT_F32, 2, {1024, 384}, PRT_NORMAL, 0.02},
    [TENSOR_block_mlp_down_weight] =
        {"block.mlp.down.weight", "block", 6, PRT_F32, 2, {384, 1024}, PRT_NORMAL, 0.005773502691896258},
    [TENSOR_norm_gain] = {"norm.gain", NULL, 1, PRT_F32, 1, {384}, PRT_ONES, 0},
    [TENSOR_head_weight] = {"head.weight", NULL, 1, PRT_F32, 2, {256, 384}, PRT_NORMAL, 0.051031036307982884},
};

static const prt_input inputs[] = {
    [INPUT_tokens] = {"tokens", PRT_I32, PRT_TOKENS, 256, 2, {8, 256}},
    [INPUT_targets] = {"targets", PRT_I32, PRT_TARGETS, 256, 2, {8, 256}},
};

static const prt_member members_outside[] = {
    {TENSOR_table_table, OFFSET_table_table, NULL},
    {TENSOR_norm_gain, OFFSET_norm_gain, NULL},
    {TENSOR_head_weight, OFFSET_head_weight, NULL},
};

static const prt_member members_block[] = {
    {TENSOR_block_norm1_gain, OFFSET_block_norm1_gain, NULL},
    {TENSOR_block_attn_query_weight, OFFSET_block_attn_query_weight, NULL},
    {TENSOR_block_attn_key_weight, OFFSET_block_attn_key_weight, NULL},
    {TENSOR_block_attn_value_weight, OFFSET_block_attn_value_weight, NULL},
    {TENSOR_block_attn_out_weight, OFFSET_block_attn_out_weight, NULL},
    {TENSOR_block_norm2_gain, OFFSET_block_norm2_gain, NULL},
    {TENSOR_block_mlp_gate_weight, OFFSET_block_mlp_gate_weight, NULL},
    {TENSOR_block_mlp_up_weight, OFFSET_block_mlp_up_weight, NULL},
    {TENSOR_block_mlp_down_weight, OFFSET_block_mlp_down_weight, NULL},
};

static const prt_unit units[] = {
    [UNIT_outside] = {"outside", 0, 0, COUNT(members_outside), members_outside, 196992},
    [UNIT_block] = {"block", 0, 5, COUNT(members_block), members_block, 1573632},
};

static const prt_state states[] = {
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 196992,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    {
        .state = "adam_m",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_m_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 196992,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    {
        .state = "adam_v",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_v_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 196992,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_block,
        .dtype = PRT_F32,
        .slots = 6,
        .slot_bytes = 1573632,
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
        .slot_bytes = 1573632,
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
        .slot_bytes = 1573632,
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
        .slot_bytes = 196992,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    [GRADIENT_block] = {
        .state = "gradients",
        .dtype = PRT_F32,
        .slots = 6,
        .slot_bytes = 1573632,
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
        .payload_bytes = 787968,
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
        .payload_bytes = 6294528,
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
        .payload_bytes = 787968,
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
        .payload_bytes = 6294528,
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
        .source = LINE_20_reduce_scatter_contribution_block_over_data,
        .calls_per_step = (const int64_t[]){6},
        .payload_bytes = 6294528,
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
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 787968,
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
        .source = LINE_20_all_reduce_norm_squared_over_data,
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
        .payload_bytes = 787968,
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
        .payload_bytes = 6294528,
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
        .payload_bytes = 787968,
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
        .payload_bytes = 6294528,
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
    [KERNEL_iota_i32] = {
        .entry = "kernel_iota_i32",
        .host = kernel_iota_i32,
        .arrays = {{PRT_I32, "i"}},
        .array_count = 1, .extent_count = 1, .number_count = 1,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 0,
    },
    [KERNEL_rotary_cosine_f32_i32i_i32j_to_ij] = {
        .entry = "kernel_rotary_cosine_f32_i32i_i32j_to_ij",
        .host = kernel_rotary_cosine_f32_i32i_i32j_to_ij,
        .arrays = {{PRT_F32, "ij"}, {PRT_I32, "i"}, {PRT_I32, "j"}},
        .array_count = 3, .extent_count = 2, .number_count = 2,
        .reads_result = false,
        .split = "i", .work = "ij", .per_thread = true,
        .space = "ij", .operations = 20,
    },
    [KERNEL_rotary_sine_f32_i32i_i32j_to_ij] = {
        .entry = "kernel_rotary_sine_f32_i32i_i32j_to_ij",
        .host = kernel_rotary_sine_f32_i32i_i32j_to_ij,
        .arrays = {{PRT_F32, "ij"}, {PRT_I32, "i"}, {PRT_I32, "j"}},
        .array_count = 3, .extent_count = 2, .number_count = 2,
        .reads_result = false,
        .split = "i", .work = "ij", .per_thread = true,
        .space = "ij", .operations = 20,
    },
    [KERNEL_row_rrms_f32_ij_to_i] = {
        .entry = "kernel_row_rrms_f32_ij_to_i",
        .host = kernel_row_rrms_f32_ij_to_i,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "ij"}},
        .array_count = 2, .extent_count = 2, .number_count = 1,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 2,
    },
    [KERNEL_rms_norm_f32_ij_i_j] = {
        .entry = "kernel_rms_norm_f32_ij_i_j",
        .host = kernel_rms_norm_f32_ij_i_j,
        .arrays = {{PRT_F32, "ij"}, {PRT_F32, "ij"}, {PRT_F32, "i"}, {PRT_F32, "j"}},
        .array_count = 4, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ij", .per_thread = true,
        .space = "ij", .operations = 2,
    },
    [KERNEL_rotate_f32_ijkl_jl_jl] = {
        .entry = "kernel_rotate_f32_ijkl_jl_jl",
        .host = kernel_rotate_f32_ijkl_jl_jl,
        .arrays = {{PRT_F32, "ijkl"}, {PRT_F32, "ijkl"}, {PRT_F32, "jl"}, {PRT_F32, "jl"}},
        .array_count = 4, .extent_count = 4, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ijk", .per_thread = false,
        .space = "ijkl", .operations = 3,
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
    [KERNEL_silu_f32] = {
        .entry = "kernel_silu_f32",
        .host = kernel_silu_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 5,
    },
    [KERNEL_mul_f32] = {
        .entry = "kernel_mul_f32",
        .host = kernel_mul_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 1,
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
    [KERNEL_rms_norm_bwd_f32_ij_i_j_ij] = {
        .entry = "kernel_rms_norm_bwd_f32_ij_i_j_ij",
        .host = kernel_rms_norm_bwd_f32_ij_i_j_ij,
        .arrays = {{PRT_F32, "ij"}, {PRT_F32, "ij"}, {PRT_F32, "i"}, {PRT_F32, "j"}, {PRT_F32, "ij"}},
        .array_count = 5, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 9,
    },
    [KERNEL_rms_gain_bwd_f32_ij_i_ij_to_j_accumulate] = {
        .entry = "kernel_rms_gain_bwd_f32_ij_i_ij_to_j_accumulate",
        .host = kernel_rms_gain_bwd_f32_ij_i_ij_to_j_accumulate,
        .arrays = {{PRT_F32, "j"}, {PRT_F32, "ij"}, {PRT_F32, "i"}, {PRT_F32, "ij"}},
        .array_count = 4, .extent_count = 2, .number_count = 0,
        .reads_result = true,
        .split = "j", .work = "j", .per_thread = true,
        .space = "ij", .operations = 3,
    },
    [KERNEL_silu_bwd_f32] = {
        .entry = "kernel_silu_bwd_f32",
        .host = kernel_silu_bwd_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 10,
    },
    [KERNEL_rms_norm_bwd_f32_ij_i_j_ij_accumulate] = {
        .entry = "kernel_rms_norm_bwd_f32_ij_i_j_ij_accumulate",
        .host = kernel_rms_norm_bwd_f32_ij_i_j_ij_accumulate,
        .arrays = {{PRT_F32, "ij"}, {PRT_F32, "ij"}, {PRT_F32, "i"}, {PRT_F32, "j"}, {PRT_F32, "ij"}},
        .array_count = 5, .extent_count = 2, .number_count = 0,
        .reads_result = true,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 9,
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
    [KERNEL_rotate_bwd_f32_ijkl_jl_jl] = {
        .entry = "kernel_rotate_bwd_f32_ijkl_jl_jl",
        .host = kernel_rotate_bwd_f32_ijkl_jl_jl,
        .arrays = {{PRT_F32, "ijkl"}, {PRT_F32, "ijkl"}, {PRT_F32, "jl"}, {PRT_F32, "jl"}},
        .array_count = 4, .extent_count = 4, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ijk", .per_thread = false,
        .space = "ijkl", .operations = 3,
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
        .memory = {9638784, 9638784, 19277572, 109274760, 13377024, 0, 180},
    },
};

static const prt_buffer buffers[] = {
    {.name = "parameters.outside", .tier = PRT_DEVICE, .offset = ARENA_parameters_outside, .bytes = 196992},
    {.name = "gradients.outside", .tier = PRT_DEVICE, .offset = ARENA_gradients_outside, .bytes = 196992},
    {.name = "contribution.outside", .tier = PRT_DEVICE, .offset = ARENA_contribution_outside, .bytes = 787968},
    {.name = "adam_m.outside", .tier = PRT_DEVICE, .offset = ARENA_adam_m_outside, .bytes = 196992},
    {.name = "adam_v.outside", .tier = PRT_DEVICE, .offset = ARENA_adam_v_outside, .bytes = 196992},
    {.name = "parameters.block", .tier = PRT_DEVICE, .offset = ARENA_parameters_block, .bytes = 9441792},
    {.name = "gradients.block", .tier = PRT_DEVICE, .offset = ARENA_gradients_block, .bytes = 9441792},
    {.name = "contribution.block", .tier = PRT_DEVICE, .offset = ARENA_contribution_block, .bytes = 6294528},
    {.name = "adam_m.block", .tier = PRT_DEVICE, .offset = ARENA_adam_m_block, .bytes = 9441792},
    {.name = "adam_v.block", .tier = PRT_DEVICE, .offset = ARENA_adam_v_block, .bytes = 9441792},
    {.name = "step", .tier = PRT_DEVICE, .offset = ARENA_step, .bytes = 4},
    {.name = "loss.sum", .tier = PRT_DEVICE, .offset = ARENA_loss_sum, .bytes = 4},
    {.name = "tokens", .tier = PRT_DEVICE, .offset = ARENA_tokens, .bytes = 2048},
    {.name = "targets", .tier = PRT_DEVICE, .offset = ARENA_targets, .bytes = 2048},
    {.name = "full.outside", .tier = PRT_DEVICE, .offset = ARENA_full_outside, .bytes = 787968},
    {.name = "table", .tier = PRT_DEVICE, .offset = ARENA_table, .bytes = 5505024},
    {.name = "row_positions", .tier = PRT_DEVICE, .offset = ARENA_row_positions, .bytes = 1024},
    {.name = "rotary_dims", .tier = PRT_DEVICE, .offset = ARENA_rotary_dims, .bytes = 256},
    {.name = "rotary_cosine", .tier = PRT_DEVICE, .offset = ARENA_rotary_cosine, .bytes = 65536},
    {.name = "rotary_sine", .tier = PRT_DEVICE, .offset = ARENA_rotary_sine, .bytes = 65536},
    {.name = "column_positions", .tier = PRT_DEVICE, .offset = ARENA_column_positions, .bytes = 1024},
    {.name = "full.block", .tier = PRT_DEVICE, .offset = ARENA_full_block, .bytes = 6294528},
    {.name = "block.norm1.rrms", .tier = PRT_DEVICE, .offset = ARENA_block_norm1_rrms, .bytes = 12288},
    {.name = "block.norm1", .tier = PRT_DEVICE, .offset = ARENA_block_norm1, .bytes = 4718592},
    {.name = "block.attn.query.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_query_product, .bytes = 786432},
    {.name = "block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_block_attn_query, .bytes = 4718592},
    {.name = "block.attn.key.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_key_product, .bytes = 262144},
    {.name = "block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_block_attn_key, .bytes = 1572864},
    {.name = "block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_block_attn_value, .bytes = 1572864},
    {.name = "block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_block_attn_scores, .bytes = 3145728},
    {.name = "block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_block_attn_weights, .bytes = 18874368},
    {.name = "block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_block_attn_mixed, .bytes = 4718592},
    {.name = "block.attn", .tier = PRT_DEVICE, .offset = ARENA_block_attn, .bytes = 786432},
    {.name = "block.x", .tier = PRT_DEVICE, .offset = ARENA_block_x, .bytes = 4718592},
    {.name = "block.norm2.rrms", .tier = PRT_DEVICE, .offset = ARENA_block_norm2_rrms, .bytes = 12288},
    {.name = "block.norm2", .tier = PRT_DEVICE, .offset = ARENA_block_norm2, .bytes = 4718592},
    {.name = "block.mlp.gate", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_gate, .bytes = 12582912},
    {.name = "block.mlp.active", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_active, .bytes = 12582912},
    {.name = "block.mlp.up", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_up, .bytes = 12582912},
    {.name = "block.mlp.gated", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_gated, .bytes = 12582912},
    {.name = "block.mlp", .tier = PRT_DEVICE, .offset = ARENA_block_mlp, .bytes = 786432},
    {.name = "norm.rrms", .tier = PRT_DEVICE, .offset = ARENA_norm_rrms, .bytes = 2048},
    {.name = "norm", .tier = PRT_DEVICE, .offset = ARENA_norm, .bytes = 786432},
    {.name = "head", .tier = PRT_DEVICE, .offset = ARENA_head, .bytes = 524288},
    {.name = "class_positions", .tier = PRT_DEVICE, .offset = ARENA_class_positions, .bytes = 1024},
    {.name = "loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_largest, .bytes = 2048},
    {.name = "loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_exp_sum, .bytes = 2048},
    {.name = "loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_target_logit, .bytes = 2048},
    {.name = "loss.terms", .tier = PRT_DEVICE, .offset = ARENA_loss_terms, .bytes = 2048},
    {.name = "loss", .tier = PRT_DEVICE, .offset = ARENA_loss, .bytes = 4},
    {.name = "d_loss.terms", .tier = PRT_DEVICE, .offset = ARENA_d_loss_terms, .bytes = 2048},
    {.name = "d_head", .tier = PRT_DEVICE, .offset = ARENA_d_head, .bytes = 524288},
    {.name = "d_norm", .tier = PRT_DEVICE, .offset = ARENA_d_norm, .bytes = 786432},
    {.name = "d_table", .tier = PRT_DEVICE, .offset = ARENA_d_table, .bytes = 786432},
    {.name = "d_block.mlp.gated", .tier = PRT_DEVICE, .offset = ARENA_d_block_mlp_gated, .bytes = 2097152},
    {.name = "d_block.mlp.active", .tier = PRT_DEVICE, .offset = ARENA_d_block_mlp_active, .bytes = 2097152},
    {.name = "d_block.mlp.up", .tier = PRT_DEVICE, .offset = ARENA_d_block_mlp_up, .bytes = 2097152},
    {.name = "d_block.norm2", .tier = PRT_DEVICE, .offset = ARENA_d_block_norm2, .bytes = 786432},
    {.name = "d_block.mlp.gate", .tier = PRT_DEVICE, .offset = ARENA_d_block_mlp_gate, .bytes = 2097152},
    {.name = "d_block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_mixed, .bytes = 786432},
    {.name = "d_block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_weights, .bytes = 3145728},
    {.name = "d_block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_value, .bytes = 262144},
    {.name = "d_block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_scores, .bytes = 3145728},
    {.name = "d_block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_query, .bytes = 786432},
    {.name = "d_block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_key, .bytes = 262144},
    {.name = "d_block.norm1", .tier = PRT_DEVICE, .offset = ARENA_d_block_norm1, .bytes = 786432},
    {.name = "d_block.attn.key.product", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_key_product, .bytes = 262144},
    {.name = "d_block.attn.query.product", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_query_product, .bytes = 786432},
    {.name = "norm_squared", .tier = PRT_DEVICE, .offset = ARENA_norm_squared, .bytes = 4},
    {.name = "rate", .tier = PRT_DEVICE, .offset = ARENA_rate, .bytes = 4},
    {.name = "correction1", .tier = PRT_DEVICE, .offset = ARENA_correction1, .bytes = 4},
    {.name = "correction2", .tier = PRT_DEVICE, .offset = ARENA_correction2, .bytes = 4},
    {.name = "norm.2", .tier = PRT_DEVICE, .offset = ARENA_norm_2, .bytes = 4},
    {.name = "clip_factor", .tier = PRT_DEVICE, .offset = ARENA_clip_factor, .bytes = 4},
    {.name = "eval.loss.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_sum, .bytes = 4},
    {.name = "eval.tokens", .tier = PRT_DEVICE, .offset = ARENA_eval_tokens, .bytes = 2048},
    {.name = "eval.targets", .tier = PRT_DEVICE, .offset = ARENA_eval_targets, .bytes = 2048},
    {.name = "eval.table", .tier = PRT_DEVICE, .offset = ARENA_eval_table, .bytes = 5505024},
    {.name = "eval.row_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_row_positions, .bytes = 1024},
    {.name = "eval.rotary_dims", .tier = PRT_DEVICE, .offset = ARENA_eval_rotary_dims, .bytes = 256},
    {.name = "eval.rotary_cosine", .tier = PRT_DEVICE, .offset = ARENA_eval_rotary_cosine, .bytes = 65536},
    {.name = "eval.rotary_sine", .tier = PRT_DEVICE, .offset = ARENA_eval_rotary_sine, .bytes = 65536},
    {.name = "eval.column_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_column_positions, .bytes = 1024},
    {.name = "eval.block.norm1.rrms", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm1_rrms, .bytes = 2048},
    {.name = "eval.block.norm1", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm1, .bytes = 786432},
    {.name = "eval.block.attn.query.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_query_product, .bytes = 786432},
    {.name = "eval.block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_query, .bytes = 786432},
    {.name = "eval.block.attn.key.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_key_product, .bytes = 262144},
    {.name = "eval.block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_key, .bytes = 262144},
    {.name = "eval.block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_value, .bytes = 262144},
    {.name = "eval.block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_scores, .bytes = 3145728},
    {.name = "eval.block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_weights, .bytes = 3145728},
    {.name = "eval.block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_mixed, .bytes = 786432},
    {.name = "eval.block.attn", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn, .bytes = 786432},
    {.name = "eval.block.x", .tier = PRT_DEVICE, .offset = ARENA_eval_block_x, .bytes = 786432},
    {.name = "eval.block.norm2.rrms", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm2_rrms, .bytes = 2048},
    {.name = "eval.block.norm2", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm2, .bytes = 786432},
    {.name = "eval.block.mlp.gate", .tier = PRT_DEVICE, .offset = ARENA_eval_block_mlp_gate, .bytes = 2097152},
    {.name = "eval.block.mlp.active", .tier = PRT_DEVICE, .offset = ARENA_eval_block_mlp_active, .bytes = 2097152},
    {.name = "eval.block.mlp.up", .tier = PRT_DEVICE, .offset = ARENA_eval_block_mlp_up, .bytes = 2097152},
    {.name = "eval.block.mlp.gated", .tier = PRT_DEVICE, .offset = ARENA_eval_block_mlp_gated, .bytes = 2097152},
    {.name = "eval.block.mlp", .tier = PRT_DEVICE, .offset = ARENA_eval_block_mlp, .bytes = 786432},
    {.name = "eval.norm.rrms", .tier = PRT_DEVICE, .offset = ARENA_eval_norm_rrms, .bytes = 2048},
    {.name = "eval.norm", .tier = PRT_DEVICE, .offset = ARENA_eval_norm, .bytes = 786432},
    {.name = "eval.head", .tier = PRT_DEVICE, .offset = ARENA_eval_head, .bytes = 524288},
    {.name = "eval.class_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_class_positions, .bytes = 1024},
    {.name = "eval.loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_largest, .bytes = 2048},
    {.name = "eval.loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_exp_sum, .bytes = 2048},
    {.name = "eval.loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_target_logit, .bytes = 2048},
    {.name = "eval.loss.terms", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms, .bytes = 2048},
    {.name = "eval.loss", .tier = PRT_DEVICE, .offset = ARENA_eval_loss, .bytes = 4},
    {.name = "predict.tokens", .tier = PRT_DEVICE, .offset = ARENA_predict_tokens, .bytes = 1024},
    {.name = "predict.table", .tier = PRT_DEVICE, .offset = ARENA_predict_table, .bytes = 2752512},
    {.name = "predict.row_positions", .tier = PRT_DEVICE, .offset = ARENA_predict_row_positions, .bytes = 1024},
    {.name = "predict.rotary_dims", .tier = PRT_DEVICE, .offset = ARENA_predict_rotary_dims, .bytes = 256},
    {.name = "predict.rotary_cosine", .tier = PRT_DEVICE, .offset = ARENA_predict_rotary_cosine, .bytes = 65536},
    {.name = "predict.rotary_sine", .tier = PRT_DEVICE, .offset = ARENA_predict_rotary_sine, .bytes = 65536},
    {.name = "predict.column_positions", .tier = PRT_DEVICE, .offset = ARENA_predict_column_positions, .bytes = 1024},
    {.name = "predict.block.norm1.rrms", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm1_rrms, .bytes = 1024},
    {.name = "predict.block.norm1", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm1, .bytes = 393216},
    {.name = "predict.block.attn.query.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_query_product, .bytes = 393216},
    {.name = "predict.block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_query, .bytes = 393216},
    {.name = "predict.block.attn.key.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_key_product, .bytes = 131072},
    {.name = "predict.block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_key, .bytes = 131072},
    {.name = "predict.block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_value, .bytes = 131072},
    {.name = "predict.block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_scores, .bytes = 1572864},
    {.name = "predict.block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_weights, .bytes = 1572864},
    {.name = "predict.block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_mixed, .bytes = 393216},
    {.name = "predict.block.attn", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn, .bytes = 393216},
    {.name = "predict.block.x", .tier = PRT_DEVICE, .offset = ARENA_predict_block_x, .bytes = 393216},
    {.name = "predict.block.norm2.rrms", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm2_rrms, .bytes = 1024},
    {.name = "predict.block.norm2", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm2, .bytes = 393216},
    {.name = "predict.block.mlp.gate", .tier = PRT_DEVICE, .offset = ARENA_predict_block_mlp_gate, .bytes = 1048576},
    {.name = "predict.block.mlp.active", .tier = PRT_DEVICE, .offset = ARENA_predict_block_mlp_active, .bytes = 1048576},
    {.name = "predict.block.mlp.up", .tier = PRT_DEVICE, .offset = ARENA_predict_block_mlp_up, .bytes = 1048576},
    {.name = "predict.block.mlp.gated", .tier = PRT_DEVICE, .offset = ARENA_predict_block_mlp_gated, .bytes = 1048576},
    {.name = "predict.block.mlp", .tier = PRT_DEVICE, .offset = ARENA_predict_block_mlp, .bytes = 393216},
    {.name = "predict.norm.rrms", .tier = PRT_DEVICE, .offset = ARENA_predict_norm_rrms, .bytes = 1024},
    {.name = "predict.norm", .tier = PRT_DEVICE, .offset = ARENA_predict_norm, .bytes = 393216},
    {.name = "predict.head", .tier = PRT_DEVICE, .offset = ARENA_predict_head, .bytes = 262144},
};

static const prt_source sources[] = {
    [NO_LINE_llama] = {"", 0, "llama"},
    [LINE_21_computing_in_init] = {"examples/llama.place", 21, "computing in init"},
    [LINE_7_init] = {"examples/llama.place", 7, "init"},
    [LINE_9_init] = {"examples/llama.place", 9, "init"},
    [LINE_13_computing_in_step] = {"examples/llama.place", 13, "computing in step"},
    [LINE_5_read_tokens] = {"examples/llama.place", 5, "read tokens"},
    [LINE_5_read_targets] = {"examples/llama.place", 5, "read targets"},
    [LINE_20_all_gather_parameters_outside_over_data] =
        {"examples/llama.place", 20, "all_gather parameters.outside over data"},
    [LINE_7_computing_in_step] = {"examples/llama.place", 7, "computing in step"},
    [LINE_9_computing_in_step] = {"examples/llama.place", 9, "computing in step"},
    [LINE_20_all_gather_parameters_block_over_data] =
        {"examples/llama.place", 20, "all_gather parameters.block over data"},
    [LINE_10_computing_in_step] = {"examples/llama.place", 10, "computing in step"},
    [LINE_12_computing_in_step] = {"examples/llama.place", 12, "computing in step"},
    [LINE_20_computing_in_step] = {"examples/llama.place", 20, "computing in step"},
    [LINE_20_reduce_scatter_contribution_block_over_data] =
        {"examples/llama.place", 20, "reduce_scatter contribution.block over data"},
    [LINE_20_reduce_scatter_contribution_outside_over_data] =
        {"examples/llama.place", 20, "reduce_scatter contribution.outside over data"},
    [LINE_20_all_reduce_loss_sum_over_data] = {"examples/llama.place", 20, "all_reduce loss.sum over data"},
    [LINE_13_output_loss] = {"examples/llama.place", 13, "output loss"},
    [LINE_22_computing_in_step] = {"examples/llama.place", 22, "computing in step"},
    [LINE_21_computing_in_step] = {"examples/llama.place", 21, "computing in step"},
    [LINE_21_output_learning_rate] = {"examples/llama.place", 21, "output learning_rate"},
    [LINE_20_all_reduce_norm_squared_over_data] = {"examples/llama.place", 20, "all_reduce norm_squared over data"},
    [LINE_22_output_gradient_norm] = {"examples/llama.place", 22, "output gradient_norm"},
    [LINE_13_computing_in_eval] = {"examples/llama.place", 13, "computing in eval"},
    [LINE_7_computing_in_eval] = {"examples/llama.place", 7, "computing in eval"},
    [LINE_9_computing_in_eval] = {"examples/llama.place", 9, "computing in eval"},
    [LINE_10_computing_in_eval] = {"examples/llama.place", 10, "computing in eval"},
    [LINE_12_computing_in_eval] = {"examples/llama.place", 12, "computing in eval"},
    [LINE_20_all_reduce_eval_loss_sum_over_data] = {"examples/llama.place", 20, "all_reduce eval.loss.sum over data"},
    [LINE_7_computing_in_predict] = {"examples/llama.place", 7, "computing in predict"},
    [LINE_9_computing_in_predict] = {"examples/llama.place", 9, "computing in predict"},
    [LINE_10_computing_in_predict] = {"examples/llama.place", 10, "computing in predict"},
    [LINE_12_computing_in_predict] = {"examples/llama.place", 12, "computing in predict"},
    [LINE_13_output_logits] = {"examples/llama.place", 13, "output logits"},
};

static const prt_program program = {
    .format = PRT_FORMAT,
    .name = "llama",
    .file = "examples/llama.place",
    .plan_hash = "fb758374eb8864ff",
    .version = "0.1.0",
    .axis_count = 1,
    .axes = {[AXIS_data] = {"data", 4}},
    .compute_dtype = PRT_F32,
    .arena_bytes = {161207104, 0, 0},
    .batch = 8,
    .micro = 1,
    .steps = 120,
    .items_per_step = 2048,
    .item = "tokens",
    .data = PRT_BYTES,
    .data_path = "corpus.txt",
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
