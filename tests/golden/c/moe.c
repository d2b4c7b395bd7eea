/* moe, trained on a mesh { data: 4 }: the program of every rank. Written by placec from examples/moe.place; the
 * comments name its lines, and what one execution of a statement costs the rank with the largest pieces. */
#include "place_rt.h"

/* Kernels (kernels.o). The result comes first, then operands, extents, numbers. */
void kernel_fill_f32_to_s(float *y, double value);
void kernel_fill_f32(float *y, int64_t ni, double value);
void kernel_embed_f32_i32i_jk_to_ik(float *y, const int32_t *a, const float *b, int64_t ni, int64_t nj, int64_t nk);
void kernel_add_f32_ij_j(float *y, const float *a, const float *b, int64_t ni, int64_t nj);
void kernel_iota_i32(int32_t *y, int64_t ni, double first);
void kernel_row_mean_f32_ij_to_i(float *y, const float *a, int64_t ni, int64_t nj);
void kernel_row_rstd_f32_ij_i_to_i(float *y, const float *a, const float *b, int64_t ni, int64_t nj, double epsilon);
void kernel_norm_f32_ij_i_i_j_j(float *y, const float *a, const float *b, const float *c, const float *d,
                                const float *e, int64_t ni, int64_t nj);
void kernel_causal_softmax_f32_ijk_i32j_i32k(float *y, const float *a, const int32_t *b, const int32_t *c, int64_t ni,
                                             int64_t nj, int64_t nk, double factor);
void kernel_add_f32(float *y, const float *a, const float *b, int64_t ni);
void kernel_softmax_f32_ij(float *y, const float *a, int64_t ni, int64_t nj, double factor);
void kernel_top_next_f32_ij_ij_in_place_b(float *y, const float *a, int64_t ni, int64_t nj);
void kernel_reduce_f32_ijk_to_ik(float *y, const float *a, int64_t ni, int64_t nj, int64_t nk);
void kernel_scale_f32(float *y, const float *a, int64_t ni, double scale);
void kernel_add_f32_overlap(float *y, const float *a, const float *b, int64_t ni);
void kernel_log_sum_exp_f32_ij_to_i(float *y, const float *a, int64_t ni, int64_t nj);
void kernel_gate_f32_ij_ij(float *y, const float *a, const float *b, int64_t ni, int64_t nj);
void kernel_count_before_f32_ijk_i32l_i32j_to_ilk(float *y, const float *a, const int32_t *b, const int32_t *c,
                                                  int64_t ni, int64_t nj, int64_t nk, int64_t nl);
void kernel_one_hot_f32_i_i_i32j_to_ij(float *y, const float *a, const float *b, const int32_t *c, int64_t ni,
                                       int64_t nj);
void kernel_gelu_f32(float *y, const float *a, int64_t ni);
void kernel_row_max_f32_ij_to_i(float *y, const float *a, int64_t ni, int64_t nj);
void kernel_exp_sum_f32_ij_i_to_i(float *y, const float *a, const float *b, int64_t ni, int64_t nj);
void kernel_pick_f32_ij_i32i_i32j_to_i(float *y, const float *a, const int32_t *b, const int32_t *c, int64_t ni,
                                       int64_t nj);
void kernel_log_loss_f32(float *y, const float *a, const float *b, const float *c, int64_t ni);
void kernel_reduce_f32_i_to_s(float *y, const float *a, int64_t ni);
void kernel_scale_f32_s_in_place_a(float *y, double scale);
void kernel_add_f32_s_s(float *y, const float *a, const float *b);
void kernel_log_loss_bwd_f32_ij_i_i_i32i_i32j_i(float *y, const float *a, const float *b, const float *c,
                                                const int32_t *d, const int32_t *e, const float *f, int64_t ni,
                                                int64_t nj);
void kernel_norm_bwd_f32_ij_i_i_j_ij(float *y, const float *a, const float *b, const float *c, const float *d,
                                     const float *e, int64_t ni, int64_t nj);
void kernel_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate(float *y, const float *a, const float *b, const float *c,
                                                        const float *d, int64_t ni, int64_t nj);
void kernel_reduce_f32_ij_to_j_accumulate(float *y, const float *a, int64_t ni, int64_t nj);
void kernel_gelu_bwd_f32(float *y, const float *a, const float *b, int64_t ni);
void kernel_one_hot_bwd_f32_ij_i_i32j_to_i(float *y, const float *a, const float *b, const int32_t *c, int64_t ni,
                                           int64_t nj);
void kernel_gate_bwd_f32_ij_ij_ij(float *y, const float *a, const float *b, const float *c, int64_t ni, int64_t nj);
void kernel_log_sum_exp_bwd_f32_ij_i(float *y, const float *a, const float *b, int64_t ni, int64_t nj);
void kernel_copy_f32_ik_to_ijk_accumulate(float *y, const float *a, int64_t ni, int64_t nj, int64_t nk);
void kernel_softmax_bwd_f32_ij_ij_accumulate(float *y, const float *a, const float *b, int64_t ni, int64_t nj,
                                             double factor);
void kernel_norm_bwd_f32_ij_i_i_j_ij_accumulate(float *y, const float *a, const float *b, const float *c,
                                                const float *d, const float *e, int64_t ni, int64_t nj);
void kernel_softmax_bwd_f32_ij_ij(float *y, const float *a, const float *b, int64_t ni, int64_t nj, double factor);
void kernel_embed_bwd_f32_i32i_ik_to_jk_accumulate(float *y, const int32_t *a, const float *b, int64_t ni, int64_t nj,
                                                   int64_t nk);
void kernel_copy_f32_s_accumulate(float *y, const float *a);
void kernel_rate_f32_s(float *y, const float *a, double rate, double warmup, double total, double last);
void kernel_correction_f32_s(float *y, const float *a, double beta);
void kernel_increment_f32_s_in_place_a(float *y);
void kernel_sum_squares_f32_i_to_s_accumulate(float *y, const float *a, int64_t ni);
void kernel_sqrt_f32_s(float *y, const float *a);
void kernel_clip_factor_f32_s(float *y, const float *a, double limit);
void kernel_mul_f32_i_s_in_place_a(float *y, const float *b, int64_t ni);
void kernel_ema_f32_in_place_a(float *y, const float *b, int64_t ni, double beta);
void kernel_ema_square_f32_in_place_a(float *y, const float *b, int64_t ni, double beta);
void kernel_adamw_f32_i_i_i_s_s_s_in_place_a(float *y, const float *b, const float *c, const float *d, const float *e,
                                             const float *f, int64_t ni, double epsilon, double decay);

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
    TENSOR_block_moe_router_weight,
    TENSOR_block_moe_up_weight,
    TENSOR_block_moe_down_weight,
    TENSOR_norm_gain,
    TENSOR_norm_bias,
};

/* Inputs, rows of inputs[]. */
enum { INPUT_tokens, INPUT_targets };

/* Units of parameters that lie together, rows of units[]. */
enum { UNIT_outside, UNIT_block };

/* Where elements are, rows of layouts[]. */
enum {
    LAYOUT_outside,
    LAYOUT_block,
    LAYOUT_8_over_micro_data_by_64,
    LAYOUT_scalar,
    LAYOUT_outside_over_data,
    LAYOUT_block_over_data,
    LAYOUT_1_by_64,
};

/* Gradients that updates use, rows of gradients[]. */
enum { GRADIENT_outside, GRADIENT_block };

/* Ranks that communicate, rows of groups[]. */
enum { GROUP_data };

/* Communications, rows of calls[]. */
enum {
    CALL_all_reduce_loss_5_sum,
    CALL_reduce_scatter_gradients_outside,
    CALL_reduce_scatter_gradients_block,
    CALL_all_reduce_norm_squared,
    CALL_all_gather_parameter_shard_outside,
    CALL_all_gather_parameter_shard_block,
    CALL_eval_all_reduce_loss_5_sum,
};

/* What messages say is being done, rows of sources[]. */
enum {
    NO_LINE_moe,
    LINE_22_computing_in_init,
    LINE_7_init,
    LINE_9_init,
    LINE_21_computing_in_step,
    LINE_14_computing_in_step,
    LINE_5_read_tokens,
    LINE_5_read_targets,
    LINE_7_computing_in_step,
    LINE_9_computing_in_step,
    LINE_10_computing_in_step,
    LINE_12_computing_in_step,
    LINE_13_computing_in_step,
    LINE_21_all_reduce_loss_5_sum_over_data,
    LINE_13_output_loss,
    LINE_23_computing_in_step,
    LINE_22_computing_in_step,
    LINE_22_output_learning_rate,
    LINE_21_reduce_scatter_gradients_outside_over_data,
    LINE_21_reduce_scatter_gradients_block_over_data,
    LINE_21_all_reduce_norm_squared_over_data,
    LINE_23_output_gradient_norm,
    LINE_21_slice_parameters_outside_over_data,
    LINE_21_all_gather_parameter_shard_outside_over_data,
    LINE_21_slice_parameters_block_over_data,
    LINE_21_all_gather_parameter_shard_block_over_data,
    LINE_14_computing_in_eval,
    LINE_7_computing_in_eval,
    LINE_9_computing_in_eval,
    LINE_10_computing_in_eval,
    LINE_12_computing_in_eval,
    LINE_13_computing_in_eval,
    LINE_21_all_reduce_eval_loss_5_sum_over_data,
    LINE_7_computing_in_predict,
    LINE_9_computing_in_predict,
    LINE_10_computing_in_predict,
    LINE_12_computing_in_predict,
    LINE_13_output_logits,
};

/* Where a parameter is in its unit, in elements. */
#define OFFSET_wte_table 0
#define OFFSET_wpe_table 32768
#define OFFSET_norm_gain 40960
#define OFFSET_norm_bias 41088
#define OFFSET_block_norm1_gain 0
#define OFFSET_block_norm1_bias 128
#define OFFSET_block_attn_query_weight 256
#define OFFSET_block_attn_query_bias 16640
#define OFFSET_block_attn_key_weight 16768
#define OFFSET_block_attn_key_bias 33152
#define OFFSET_block_attn_value_weight 33280
#define OFFSET_block_attn_value_bias 49664
#define OFFSET_block_attn_out_weight 49792
#define OFFSET_block_attn_out_bias 66176
#define OFFSET_block_norm2_gain 66304
#define OFFSET_block_norm2_bias 66432
#define OFFSET_block_moe_router_weight 66560
#define OFFSET_block_moe_up_weight 67584
#define OFFSET_block_moe_down_weight 591872

/* Where a buffer is in the arena of its tier, in bytes. Buffers that are not in use at the same time share memory. */
#define ARENA_parameters_outside 0
#define ARENA_gradients_outside 56100416
#define ARENA_adam_m_outside 164864
#define ARENA_adam_v_outside 206080
#define ARENA_parameters_block 247296
#define ARENA_gradients_block 27035200
#define ARENA_adam_m_block 18105856
#define ARENA_adam_v_block 22570496
#define ARENA_step 27035136
#define ARENA_loss_5_sum 56489408
#define ARENA_tokens 56488512
#define ARENA_targets 51776064
#define ARENA_wte 44893760
#define ARENA_x 53282368
#define ARENA_row_positions 51578432
#define ARENA_column_positions 51578688
#define ARENA_block_moe_balance_sum 51579456
#define ARENA_block_moe_z_sum 51579520
#define ARENA_place_positions 56489280
#define ARENA_block_norm1_mean 56478272
#define ARENA_block_norm1_rstd 56480320
#define ARENA_block_norm1 54265408
#define ARENA_block_attn_query_product 51447360
#define ARENA_block_attn_query 54527552
#define ARENA_block_attn_key_product 51447360
#define ARENA_block_attn_key 54789696
#define ARENA_block_attn_value_product 51447360
#define ARENA_block_attn_value 55051840
#define ARENA_block_attn_scores 51447360
#define ARENA_block_attn_weights 52758080
#define ARENA_block_attn_mixed 55313984
#define ARENA_block_attn_product 51447360
#define ARENA_block_attn 51512896
#define ARENA_block_x 55576128
#define ARENA_block_norm2_mean 56482368
#define ARENA_block_norm2_rstd 56484416
#define ARENA_block_norm2 55838272
#define ARENA_block_moe_logits 56412736
#define ARENA_block_moe_probabilities 56429120
#define ARENA_block_moe_chosen 56445504
#define ARENA_block_moe_load 56489024
#define ARENA_block_moe_mass 51447360
#define ARENA_block_moe_product 51447424
#define ARENA_block_moe_balance 51447360
#define ARENA_block_moe_log_sum 56486464
#define ARENA_block_moe_squares 51447360
#define ARENA_block_moe_z 51447424
#define ARENA_block_moe_gates 51447360
#define ARENA_block_moe_position 56461888
#define ARENA_block_moe_dispatch 53610048
#define ARENA_block_moe_combine 53937728
#define ARENA_block_moe_inputs 50136640
#define ARENA_block_moe_up 44893760
#define ARENA_block_moe_active 47515200
#define ARENA_block_moe_outputs 50792000
#define ARENA_block_moe 51447360
#define ARENA_norm_mean 51776576
#define ARENA_norm_rstd 51777088
#define ARENA_norm 51709504
#define ARENA_logits 51447360
#define ARENA_class_positions 51775040
#define ARENA_loss_terms_largest 51777600
#define ARENA_loss_terms_exp_sum 51778112
#define ARENA_loss_terms_target_logit 51578432
#define ARENA_loss_terms 51578944
#define ARENA_loss 51578432
#define ARENA_loss_2 51578496
#define ARENA_loss_3 51578560
#define ARENA_loss_4 51578432
#define ARENA_loss_5 56489472
#define ARENA_d_loss_terms 51778624
#define ARENA_d_block_moe_balance_sum 56489536
#define ARENA_d_block_moe_z_sum 56489600
#define ARENA_d_logits 51578432
#define ARENA_d_norm 51447360
#define ARENA_d_x 56347200
#define ARENA_d_block_moe_combine 56265280
#define ARENA_d_block_moe_outputs 52102720
#define ARENA_d_block_moe_active 51447360
#define ARENA_d_block_moe_up 52102720
#define ARENA_d_block_moe_inputs 51447360
#define ARENA_d_block_norm2 51611200
#define ARENA_d_block_moe_gates 51447360
#define ARENA_d_block_moe_probabilities 51451456
#define ARENA_d_block_moe_squares 51447360
#define ARENA_d_block_moe_log_sum 51455552
#define ARENA_d_block_moe_logits 51447360
#define ARENA_d_block_moe_product 51455552
#define ARENA_d_block_moe_mass 51455616
#define ARENA_d_block_attn_mixed 51578432
#define ARENA_d_block_attn_weights 51447360
#define ARENA_d_block_attn_value 51709504
#define ARENA_d_block_attn_scores 51578432
#define ARENA_d_block_attn_query 51447360
#define ARENA_d_block_attn_key 51512896
#define ARENA_d_block_norm1 51578432
#define ARENA_norm_squared 49399616
#define ARENA_rate 49399680
#define ARENA_correction1 49399744
#define ARENA_correction2 49399808
#define ARENA_gradient_shard_outside 49358400
#define ARENA_gradient_shard_block 44893760
#define ARENA_norm_2 27035200
#define ARENA_clip_factor 28151360
#define ARENA_parameter_shard_outside 27035200
#define ARENA_parameter_shard_block 27035200
#define ARENA_eval_loss_5_sum 28822208
#define ARENA_eval_tokens 27100736
#define ARENA_eval_targets 28821056
#define ARENA_eval_wte 27035200
#define ARENA_eval_x 28345920
#define ARENA_eval_row_positions 28821568
#define ARENA_eval_column_positions 28821824
#define ARENA_eval_block_moe_balance_sum 28822272
#define ARENA_eval_block_moe_z_sum 28822336
#define ARENA_eval_place_positions 28822080
#define ARENA_eval_block_norm1_mean 27100736
#define ARENA_eval_block_norm1_rstd 27101248
#define ARENA_eval_block_norm1 27035200
#define ARENA_eval_block_attn_query_product 27100736
#define ARENA_eval_block_attn_query 27166272
#define ARENA_eval_block_attn_key_product 27100736
#define ARENA_eval_block_attn_key 27231808
#define ARENA_eval_block_attn_value_product 27100736
#define ARENA_eval_block_attn_value 27297344
#define ARENA_eval_block_attn_scores 27035200
#define ARENA_eval_block_attn_weights 27166272
#define ARENA_eval_block_attn_mixed 27035200
#define ARENA_eval_block_attn_product 27100736
#define ARENA_eval_block_attn 27035200
#define ARENA_eval_block_x 28755520
#define ARENA_eval_block_norm2_mean 27035200
#define ARENA_eval_block_norm2_rstd 27035712
#define ARENA_eval_block_norm2 27117120
#define ARENA_eval_block_moe_logits 27035200
#define ARENA_eval_block_moe_probabilities 27039296
#define ARENA_eval_block_moe_chosen 27182656
#define ARENA_eval_block_moe_load 27043392
#define ARENA_eval_block_moe_mass 27043456
#define ARENA_eval_block_moe_product 27043520
#define ARENA_eval_block_moe_balance 27043392
#define ARENA_eval_block_moe_log_sum 27043392
#define ARENA_eval_block_moe_squares 27035200
#define ARENA_eval_block_moe_z 27035264
#define ARENA_eval_block_moe_gates 27186752
#define ARENA_eval_block_moe_position 27190848
#define ARENA_eval_block_moe_dispatch 27035200
#define ARENA_eval_block_moe_combine 28673600
#define ARENA_eval_block_moe_inputs 27690560
#define ARENA_eval_block_moe_up 27035200
#define ARENA_eval_block_moe_active 27690560
#define ARENA_eval_block_moe_outputs 27035200
#define ARENA_eval_block_moe 27199040
#define ARENA_eval_norm_mean 27035200
#define ARENA_eval_norm_rstd 27035712
#define ARENA_eval_norm 27166272
#define ARENA_eval_logits 27035200
#define ARENA_eval_class_positions 27166272
#define ARENA_eval_loss_terms_largest 27167296
#define ARENA_eval_loss_terms_exp_sum 27167808
#define ARENA_eval_loss_terms_target_logit 27168320
#define ARENA_eval_loss_terms 27035200
#define ARENA_eval_loss 27035712
#define ARENA_eval_loss_2 27035200
#define ARENA_eval_loss_3 27035264
#define ARENA_eval_loss_4 27035200
#define ARENA_eval_loss_5 27035328
#define ARENA_predict_tokens 27067968
#define ARENA_predict_wte 27035200
#define ARENA_predict_x 27690560
#define ARENA_predict_row_positions 27928128
#define ARENA_predict_column_positions 27928384
#define ARENA_predict_place_positions 27928640
#define ARENA_predict_block_norm1_mean 27067968
#define ARENA_predict_block_norm1_rstd 27068224
#define ARENA_predict_block_norm1 27035200
#define ARENA_predict_block_attn_query_product 27067968
#define ARENA_predict_block_attn_query 27100736
#define ARENA_predict_block_attn_key_product 27067968
#define ARENA_predict_block_attn_key 27133504
#define ARENA_predict_block_attn_value_product 27067968
#define ARENA_predict_block_attn_value 27166272
#define ARENA_predict_block_attn_scores 27035200
#define ARENA_predict_block_attn_weights 27100736
#define ARENA_predict_block_attn_mixed 27035200
#define ARENA_predict_block_attn_product 27067968
#define ARENA_predict_block_attn 27035200
#define ARENA_predict_block_x 27895360
#define ARENA_predict_block_norm2_mean 27035200
#define ARENA_predict_block_norm2_rstd 27035456
#define ARENA_predict_block_norm2 27076160
#define ARENA_predict_block_moe_logits 27035200
#define ARENA_predict_block_moe_probabilities 27037248
#define ARENA_predict_block_moe_chosen 27108928
#define ARENA_predict_block_moe_gates 27110976
#define ARENA_predict_block_moe_position 27113024
#define ARENA_predict_block_moe_dispatch 27035200
#define ARENA_predict_block_moe_combine 27854400
#define ARENA_predict_block_moe_inputs 27362880
#define ARENA_predict_block_moe_up 27035200
#define ARENA_predict_block_moe_active 27362880
#define ARENA_predict_block_moe_outputs 27035200
#define ARENA_predict_block_moe 27117120
#define ARENA_predict_norm_mean 27035200
#define ARENA_predict_norm_rstd 27035456
#define ARENA_predict_norm 27100736
#define ARENA_predict_logits 27035200

/* ---- Buffers in the arena ---- */

/* parameters.outside: f32 unit outside, 161 KiB */
static inline float *at_parameters_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameters_outside);
}

/* gradients.outside: f32 unit outside, 161 KiB */
static inline float *at_gradients_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_gradients_outside);
}

/* adam_m.outside: f32 unit outside / data, 40.2 KiB */
static inline float *at_adam_m_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_adam_m_outside);
}

/* adam_v.outside: f32 unit outside / data, 40.2 KiB */
static inline float *at_adam_v_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_adam_v_outside);
}

/* parameters.block: f32 unit block, 4 slots, 17.0 MiB */
static inline float *at_parameters_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_block) + slot * 1116160;
}

/* gradients.block: f32 unit block, 4 slots, 17.0 MiB */
static inline float *at_gradients_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_gradients_block) + slot * 1116160;
}

/* adam_m.block: f32 unit block / data, 4 slots, 4.26 MiB */
static inline float *at_adam_m_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_adam_m_block) + slot * 279040;
}

/* adam_v.block: f32 unit block / data, 4 slots, 4.26 MiB */
static inline float *at_adam_v_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_adam_v_block) + slot * 279040;
}

/* step: f32 [], 4 B */
static inline float *at_step(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_step);
}

/* loss.5.sum: f32 [], 4 B */
static inline float *at_loss_5_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_5_sum);
}

/* tokens: i32 [8 / micro / data, 64], 512 B */
static inline int32_t *at_tokens(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_tokens);
}

/* targets: i32 [8 / micro / data, 64], 512 B */
static inline int32_t *at_targets(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_targets);
}

/* wte: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_wte(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wte);
}

/* x: f32 [8 / micro / data, 64, 128], 5 slots, 320 KiB */
static inline float *at_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_x) + slot * 16384;
}

/* row_positions: i32 [64], 256 B */
static inline int32_t *at_row_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_row_positions);
}

/* column_positions: i32 [64], 256 B */
static inline int32_t *at_column_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_column_positions);
}

/* block.moe.balance.sum: f32 [8 / micro / data], 5 slots, 40 B */
static inline float *at_block_moe_balance_sum(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_balance_sum) + slot * 2;
}

/* block.moe.z.sum: f32 [8 / micro / data], 5 slots, 40 B */
static inline float *at_block_moe_z_sum(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_z_sum) + slot * 2;
}

/* place_positions: i32 [20], 80 B */
static inline int32_t *at_place_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_place_positions);
}

/* block.norm1.mean: f32 [8 / micro / data, 64], 4 slots, 2.00 KiB */
static inline float *at_block_norm1_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm1_mean) + slot * 128;
}

/* block.norm1.rstd: f32 [8 / micro / data, 64], 4 slots, 2.00 KiB */
static inline float *at_block_norm1_rstd(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm1_rstd) + slot * 128;
}

/* block.norm1: f32 [8 / micro / data, 64, 128], 4 slots, 256 KiB */
static inline float *at_block_norm1(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm1) + slot * 16384;
}

/* block.attn.query.product: f32 [8 / micro / data, 64, 4, 32], 64.0 KiB */
static inline float *at_block_attn_query_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_query_product);
}

/* block.attn.query: f32 [8 / micro / data, 64, 4, 32], 4 slots, 256 KiB */
static inline float *at_block_attn_query(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_query) + slot * 16384;
}

/* block.attn.key.product: f32 [8 / micro / data, 64, 4, 32], 64.0 KiB */
static inline float *at_block_attn_key_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_key_product);
}

/* block.attn.key: f32 [8 / micro / data, 64, 4, 32], 4 slots, 256 KiB */
static inline float *at_block_attn_key(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_key) + slot * 16384;
}

/* block.attn.value.product: f32 [8 / micro / data, 64, 4, 32], 64.0 KiB */
static inline float *at_block_attn_value_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_value_product);
}

/* block.attn.value: f32 [8 / micro / data, 64, 4, 32], 4 slots, 256 KiB */
static inline float *at_block_attn_value(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_value) + slot * 16384;
}

/* block.attn.scores: f32 [8 / micro / data, 4, 64, 64], 128 KiB */
static inline float *at_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_scores);
}

/* block.attn.weights: f32 [8 / micro / data, 4, 64, 64], 4 slots, 512 KiB */
static inline float *at_block_attn_weights(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_weights) + slot * 32768;
}

/* block.attn.mixed: f32 [8 / micro / data, 64, 4, 32], 4 slots, 256 KiB */
static inline float *at_block_attn_mixed(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_attn_mixed) + slot * 16384;
}

/* block.attn.product: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_block_attn_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_product);
}

/* block.attn: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_block_attn(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn);
}

/* block.x: f32 [8 / micro / data, 64, 128], 4 slots, 256 KiB */
static inline float *at_block_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_x) + slot * 16384;
}

/* block.norm2.mean: f32 [8 / micro / data, 64], 4 slots, 2.00 KiB */
static inline float *at_block_norm2_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm2_mean) + slot * 128;
}

/* block.norm2.rstd: f32 [8 / micro / data, 64], 4 slots, 2.00 KiB */
static inline float *at_block_norm2_rstd(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm2_rstd) + slot * 128;
}

/* block.norm2: f32 [8 / micro / data, 64, 128], 4 slots, 256 KiB */
static inline float *at_block_norm2(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_norm2) + slot * 16384;
}

/* block.moe.logits: f32 [8 / micro / data, 64, 8], 4 slots, 16.0 KiB */
static inline float *at_block_moe_logits(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_logits) + slot * 1024;
}

/* block.moe.probabilities: f32 [8 / micro / data, 64, 8], 4 slots, 16.0 KiB */
static inline float *at_block_moe_probabilities(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_probabilities) + slot * 1024;
}

/* block.moe.chosen: f32 [8 / micro / data, 64, 8], 4 slots, 16.0 KiB */
static inline float *at_block_moe_chosen(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_chosen) + slot * 1024;
}

/* block.moe.load: f32 [8 / micro / data, 8], 4 slots, 256 B */
static inline float *at_block_moe_load(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_load) + slot * 16;
}

/* block.moe.mass: f32 [8 / micro / data, 8], 64 B */
static inline float *at_block_moe_mass(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_moe_mass);
}

/* block.moe.product: f32 [8 / micro / data], 8 B */
static inline float *at_block_moe_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_moe_product);
}

/* block.moe.balance: f32 [8 / micro / data], 8 B */
static inline float *at_block_moe_balance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_moe_balance);
}

/* block.moe.log_sum: f32 [8 / micro / data, 64], 4 slots, 2.00 KiB */
static inline float *at_block_moe_log_sum(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_log_sum) + slot * 128;
}

/* block.moe.squares: f32 [8 / micro / data], 8 B */
static inline float *at_block_moe_squares(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_moe_squares);
}

/* block.moe.z: f32 [8 / micro / data], 8 B */
static inline float *at_block_moe_z(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_moe_z);
}

/* block.moe.gates: f32 [8 / micro / data, 64, 8], 4.00 KiB */
static inline float *at_block_moe_gates(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_moe_gates);
}

/* block.moe.position: f32 [8 / micro / data, 64, 8], 4 slots, 16.0 KiB */
static inline float *at_block_moe_position(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_position) + slot * 1024;
}

/* block.moe.dispatch: f32 [8 / micro / data, 64, 8, 20], 4 slots, 320 KiB */
static inline float *at_block_moe_dispatch(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_dispatch) + slot * 20480;
}

/* block.moe.combine: f32 [8 / micro / data, 64, 8, 20], 4 slots, 320 KiB */
static inline float *at_block_moe_combine(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_combine) + slot * 20480;
}

/* block.moe.inputs: f32 [8 / micro / data, 8, 20, 128], 4 slots, 640 KiB */
static inline float *at_block_moe_inputs(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_inputs) + slot * 40960;
}

/* block.moe.up: f32 [8 / micro / data, 8, 20, 512], 4 slots, 2.50 MiB */
static inline float *at_block_moe_up(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_up) + slot * 163840;
}

/* block.moe.active: f32 [8 / micro / data, 8, 20, 512], 4 slots, 2.50 MiB */
static inline float *at_block_moe_active(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_active) + slot * 163840;
}

/* block.moe.outputs: f32 [8 / micro / data, 8, 20, 128], 4 slots, 640 KiB */
static inline float *at_block_moe_outputs(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_outputs) + slot * 40960;
}

/* block.moe: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_block_moe(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_moe);
}

/* norm.mean: f32 [8 / micro / data, 64], 512 B */
static inline float *at_norm_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_mean);
}

/* norm.rstd: f32 [8 / micro / data, 64], 512 B */
static inline float *at_norm_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_rstd);
}

/* norm: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm);
}

/* logits: f32 [8 / micro / data, 64, 256], 128 KiB */
static inline float *at_logits(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_logits);
}

/* class_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_class_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_class_positions);
}

/* loss.terms.largest: f32 [8 / micro / data, 64], 512 B */
static inline float *at_loss_terms_largest(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_largest);
}

/* loss.terms.exp_sum: f32 [8 / micro / data, 64], 512 B */
static inline float *at_loss_terms_exp_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_exp_sum);
}

/* loss.terms.target_logit: f32 [8 / micro / data, 64], 512 B */
static inline float *at_loss_terms_target_logit(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_target_logit);
}

/* loss.terms: f32 [8 / micro / data, 64], 512 B */
static inline float *at_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms);
}

/* loss: f32 [], 4 B */
static inline float *at_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss);
}

/* loss.2: f32 [], 4 B */
static inline float *at_loss_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_2);
}

/* loss.3: f32 [], 4 B */
static inline float *at_loss_3(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_3);
}

/* loss.4: f32 [], 4 B */
static inline float *at_loss_4(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_4);
}

/* loss.5: f32 [], 4 B */
static inline float *at_loss_5(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_5);
}

/* d_loss.terms: f32 [8 / micro / data, 64], 512 B */
static inline float *at_d_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_loss_terms);
}

/* d_block.moe.balance.sum: f32 [8 / micro / data], 8 B */
static inline float *at_d_block_moe_balance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_balance_sum);
}

/* d_block.moe.z.sum: f32 [8 / micro / data], 8 B */
static inline float *at_d_block_moe_z_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_z_sum);
}

/* d_logits: f32 [8 / micro / data, 64, 256], 128 KiB */
static inline float *at_d_logits(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_logits);
}

/* d_norm: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_d_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm);
}

/* d_x: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_d_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x);
}

/* d_block.moe.combine: f32 [8 / micro / data, 64, 8, 20], 80.0 KiB */
static inline float *at_d_block_moe_combine(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_combine);
}

/* d_block.moe.outputs: f32 [8 / micro / data, 8, 20, 128], 160 KiB */
static inline float *at_d_block_moe_outputs(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_outputs);
}

/* d_block.moe.active: f32 [8 / micro / data, 8, 20, 512], 640 KiB */
static inline float *at_d_block_moe_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_active);
}

/* d_block.moe.up: f32 [8 / micro / data, 8, 20, 512], 640 KiB */
static inline float *at_d_block_moe_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_up);
}

/* d_block.moe.inputs: f32 [8 / micro / data, 8, 20, 128], 160 KiB */
static inline float *at_d_block_moe_inputs(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_inputs);
}

/* d_block.norm2: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_d_block_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_norm2);
}

/* d_block.moe.gates: f32 [8 / micro / data, 64, 8], 4.00 KiB */
static inline float *at_d_block_moe_gates(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_gates);
}

/* d_block.moe.probabilities: f32 [8 / micro / data, 64, 8], 4.00 KiB */
static inline float *at_d_block_moe_probabilities(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_probabilities);
}

/* d_block.moe.squares: f32 [8 / micro / data], 8 B */
static inline float *at_d_block_moe_squares(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_squares);
}

/* d_block.moe.log_sum: f32 [8 / micro / data, 64], 512 B */
static inline float *at_d_block_moe_log_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_log_sum);
}

/* d_block.moe.logits: f32 [8 / micro / data, 64, 8], 4.00 KiB */
static inline float *at_d_block_moe_logits(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_logits);
}

/* d_block.moe.product: f32 [8 / micro / data], 8 B */
static inline float *at_d_block_moe_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_product);
}

/* d_block.moe.mass: f32 [8 / micro / data, 8], 64 B */
static inline float *at_d_block_moe_mass(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_mass);
}

/* d_block.attn.mixed: f32 [8 / micro / data, 64, 4, 32], 64.0 KiB */
static inline float *at_d_block_attn_mixed(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_mixed);
}

/* d_block.attn.weights: f32 [8 / micro / data, 4, 64, 64], 128 KiB */
static inline float *at_d_block_attn_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_weights);
}

/* d_block.attn.value: f32 [8 / micro / data, 64, 4, 32], 64.0 KiB */
static inline float *at_d_block_attn_value(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_value);
}

/* d_block.attn.scores: f32 [8 / micro / data, 4, 64, 64], 128 KiB */
static inline float *at_d_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_scores);
}

/* d_block.attn.query: f32 [8 / micro / data, 64, 4, 32], 64.0 KiB */
static inline float *at_d_block_attn_query(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_query);
}

/* d_block.attn.key: f32 [8 / micro / data, 64, 4, 32], 64.0 KiB */
static inline float *at_d_block_attn_key(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_attn_key);
}

/* d_block.norm1: f32 [8 / micro / data, 64, 128], 64.0 KiB */
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

/* gradient_shard.outside: f32 unit outside / data, 40.2 KiB */
static inline float *at_gradient_shard_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_gradient_shard_outside);
}

/* gradient_shard.block: f32 unit block / data, 4 slots, 4.26 MiB */
static inline float *at_gradient_shard_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_gradient_shard_block) + slot * 279040;
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

/* parameter_shard.outside: f32 unit outside / data, 40.2 KiB */
static inline float *at_parameter_shard_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameter_shard_outside);
}

/* parameter_shard.block: f32 unit block / data, 1.06 MiB */
static inline float *at_parameter_shard_block(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameter_shard_block);
}

/* eval.loss.5.sum: f32 [], 4 B */
static inline float *at_eval_loss_5_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_5_sum);
}

/* eval.tokens: i32 [8 / micro / data, 64], 512 B */
static inline int32_t *at_eval_tokens(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_tokens);
}

/* eval.targets: i32 [8 / micro / data, 64], 512 B */
static inline int32_t *at_eval_targets(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_targets);
}

/* eval.wte: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_eval_wte(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wte);
}

/* eval.x: f32 [8 / micro / data, 64, 128], 5 slots, 320 KiB */
static inline float *at_eval_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_eval_x) + slot * 16384;
}

/* eval.row_positions: i32 [64], 256 B */
static inline int32_t *at_eval_row_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_row_positions);
}

/* eval.column_positions: i32 [64], 256 B */
static inline int32_t *at_eval_column_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_column_positions);
}

/* eval.block.moe.balance.sum: f32 [8 / micro / data], 5 slots, 40 B */
static inline float *at_eval_block_moe_balance_sum(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_balance_sum) + slot * 2;
}

/* eval.block.moe.z.sum: f32 [8 / micro / data], 5 slots, 40 B */
static inline float *at_eval_block_moe_z_sum(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_z_sum) + slot * 2;
}

/* eval.place_positions: i32 [20], 80 B */
static inline int32_t *at_eval_place_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_place_positions);
}

/* eval.block.norm1.mean: f32 [8 / micro / data, 64], 512 B */
static inline float *at_eval_block_norm1_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm1_mean);
}

/* eval.block.norm1.rstd: f32 [8 / micro / data, 64], 512 B */
static inline float *at_eval_block_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm1_rstd);
}

/* eval.block.norm1: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_eval_block_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm1);
}

/* eval.block.attn.query.product: f32 [8 / micro / data, 64, 4, 32], 64.0 KiB */
static inline float *at_eval_block_attn_query_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_query_product);
}

/* eval.block.attn.query: f32 [8 / micro / data, 64, 4, 32], 64.0 KiB */
static inline float *at_eval_block_attn_query(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_query);
}

/* eval.block.attn.key.product: f32 [8 / micro / data, 64, 4, 32], 64.0 KiB */
static inline float *at_eval_block_attn_key_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_key_product);
}

/* eval.block.attn.key: f32 [8 / micro / data, 64, 4, 32], 64.0 KiB */
static inline float *at_eval_block_attn_key(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_key);
}

/* eval.block.attn.value.product: f32 [8 / micro / data, 64, 4, 32], 64.0 KiB */
static inline float *at_eval_block_attn_value_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_value_product);
}

/* eval.block.attn.value: f32 [8 / micro / data, 64, 4, 32], 64.0 KiB */
static inline float *at_eval_block_attn_value(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_value);
}

/* eval.block.attn.scores: f32 [8 / micro / data, 4, 64, 64], 128 KiB */
static inline float *at_eval_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_scores);
}

/* eval.block.attn.weights: f32 [8 / micro / data, 4, 64, 64], 128 KiB */
static inline float *at_eval_block_attn_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_weights);
}

/* eval.block.attn.mixed: f32 [8 / micro / data, 64, 4, 32], 64.0 KiB */
static inline float *at_eval_block_attn_mixed(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_mixed);
}

/* eval.block.attn.product: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_eval_block_attn_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn_product);
}

/* eval.block.attn: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_eval_block_attn(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_attn);
}

/* eval.block.x: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_eval_block_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_x);
}

/* eval.block.norm2.mean: f32 [8 / micro / data, 64], 512 B */
static inline float *at_eval_block_norm2_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm2_mean);
}

/* eval.block.norm2.rstd: f32 [8 / micro / data, 64], 512 B */
static inline float *at_eval_block_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm2_rstd);
}

/* eval.block.norm2: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_eval_block_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_norm2);
}

/* eval.block.moe.logits: f32 [8 / micro / data, 64, 8], 4.00 KiB */
static inline float *at_eval_block_moe_logits(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_logits);
}

/* eval.block.moe.probabilities: f32 [8 / micro / data, 64, 8], 4.00 KiB */
static inline float *at_eval_block_moe_probabilities(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_probabilities);
}

/* eval.block.moe.chosen: f32 [8 / micro / data, 64, 8], 4.00 KiB */
static inline float *at_eval_block_moe_chosen(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_chosen);
}

/* eval.block.moe.load: f32 [8 / micro / data, 8], 64 B */
static inline float *at_eval_block_moe_load(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_load);
}

/* eval.block.moe.mass: f32 [8 / micro / data, 8], 64 B */
static inline float *at_eval_block_moe_mass(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_mass);
}

/* eval.block.moe.product: f32 [8 / micro / data], 8 B */
static inline float *at_eval_block_moe_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_product);
}

/* eval.block.moe.balance: f32 [8 / micro / data], 8 B */
static inline float *at_eval_block_moe_balance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_balance);
}

/* eval.block.moe.log_sum: f32 [8 / micro / data, 64], 512 B */
static inline float *at_eval_block_moe_log_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_log_sum);
}

/* eval.block.moe.squares: f32 [8 / micro / data], 8 B */
static inline float *at_eval_block_moe_squares(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_squares);
}

/* eval.block.moe.z: f32 [8 / micro / data], 8 B */
static inline float *at_eval_block_moe_z(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_z);
}

/* eval.block.moe.gates: f32 [8 / micro / data, 64, 8], 4.00 KiB */
static inline float *at_eval_block_moe_gates(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_gates);
}

/* eval.block.moe.position: f32 [8 / micro / data, 64, 8], 4.00 KiB */
static inline float *at_eval_block_moe_position(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_position);
}

/* eval.block.moe.dispatch: f32 [8 / micro / data, 64, 8, 20], 80.0 KiB */
static inline float *at_eval_block_moe_dispatch(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_dispatch);
}

/* eval.block.moe.combine: f32 [8 / micro / data, 64, 8, 20], 80.0 KiB */
static inline float *at_eval_block_moe_combine(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_combine);
}

/* eval.block.moe.inputs: f32 [8 / micro / data, 8, 20, 128], 160 KiB */
static inline float *at_eval_block_moe_inputs(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_inputs);
}

/* eval.block.moe.up: f32 [8 / micro / data, 8, 20, 512], 640 KiB */
static inline float *at_eval_block_moe_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_up);
}

/* eval.block.moe.active: f32 [8 / micro / data, 8, 20, 512], 640 KiB */
static inline float *at_eval_block_moe_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_active);
}

/* eval.block.moe.outputs: f32 [8 / micro / data, 8, 20, 128], 160 KiB */
static inline float *at_eval_block_moe_outputs(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_outputs);
}

/* eval.block.moe: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_eval_block_moe(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe);
}

/* eval.norm.mean: f32 [8 / micro / data, 64], 512 B */
static inline float *at_eval_norm_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm_mean);
}

/* eval.norm.rstd: f32 [8 / micro / data, 64], 512 B */
static inline float *at_eval_norm_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm_rstd);
}

/* eval.norm: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_eval_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm);
}

/* eval.logits: f32 [8 / micro / data, 64, 256], 128 KiB */
static inline float *at_eval_logits(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_logits);
}

/* eval.class_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_eval_class_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_class_positions);
}

/* eval.loss.terms.largest: f32 [8 / micro / data, 64], 512 B */
static inline float *at_eval_loss_terms_largest(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_largest);
}

/* eval.loss.terms.exp_sum: f32 [8 / micro / data, 64], 512 B */
static inline float *at_eval_loss_terms_exp_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_exp_sum);
}

/* eval.loss.terms.target_logit: f32 [8 / micro / data, 64], 512 B */
static inline float *at_eval_loss_terms_target_logit(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_target_logit);
}

/* eval.loss.terms: f32 [8 / micro / data, 64], 512 B */
static inline float *at_eval_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms);
}

/* eval.loss: f32 [], 4 B */
static inline float *at_eval_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss);
}

/* eval.loss.2: f32 [], 4 B */
static inline float *at_eval_loss_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_2);
}

/* eval.loss.3: f32 [], 4 B */
static inline float *at_eval_loss_3(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_3);
}

/* eval.loss.4: f32 [], 4 B */
static inline float *at_eval_loss_4(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_4);
}

/* eval.loss.5: f32 [], 4 B */
static inline float *at_eval_loss_5(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_5);
}

/* predict.tokens: i32 [1, 64], 256 B */
static inline int32_t *at_predict_tokens(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_tokens);
}

/* predict.wte: f32 [1, 64, 128], 32.0 KiB */
static inline float *at_predict_wte(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wte);
}

/* predict.x: f32 [1, 64, 128], 5 slots, 160 KiB */
static inline float *at_predict_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_predict_x) + slot * 8192;
}

/* predict.row_positions: i32 [64], 256 B */
static inline int32_t *at_predict_row_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_row_positions);
}

/* predict.column_positions: i32 [64], 256 B */
static inline int32_t *at_predict_column_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_column_positions);
}

/* predict.place_positions: i32 [20], 80 B */
static inline int32_t *at_predict_place_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_place_positions);
}

/* predict.block.norm1.mean: f32 [1, 64], 256 B */
static inline float *at_predict_block_norm1_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm1_mean);
}

/* predict.block.norm1.rstd: f32 [1, 64], 256 B */
static inline float *at_predict_block_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm1_rstd);
}

/* predict.block.norm1: f32 [1, 64, 128], 32.0 KiB */
static inline float *at_predict_block_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm1);
}

/* predict.block.attn.query.product: f32 [1, 64, 4, 32], 32.0 KiB */
static inline float *at_predict_block_attn_query_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_query_product);
}

/* predict.block.attn.query: f32 [1, 64, 4, 32], 32.0 KiB */
static inline float *at_predict_block_attn_query(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_query);
}

/* predict.block.attn.key.product: f32 [1, 64, 4, 32], 32.0 KiB */
static inline float *at_predict_block_attn_key_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_key_product);
}

/* predict.block.attn.key: f32 [1, 64, 4, 32], 32.0 KiB */
static inline float *at_predict_block_attn_key(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_key);
}

/* predict.block.attn.value.product: f32 [1, 64, 4, 32], 32.0 KiB */
static inline float *at_predict_block_attn_value_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_value_product);
}

/* predict.block.attn.value: f32 [1, 64, 4, 32], 32.0 KiB */
static inline float *at_predict_block_attn_value(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_value);
}

/* predict.block.attn.scores: f32 [1, 4, 64, 64], 64.0 KiB */
static inline float *at_predict_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_scores);
}

/* predict.block.attn.weights: f32 [1, 4, 64, 64], 64.0 KiB */
static inline float *at_predict_block_attn_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_weights);
}

/* predict.block.attn.mixed: f32 [1, 64, 4, 32], 32.0 KiB */
static inline float *at_predict_block_attn_mixed(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_mixed);
}

/* predict.block.attn.product: f32 [1, 64, 128], 32.0 KiB */
static inline float *at_predict_block_attn_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn_product);
}

/* predict.block.attn: f32 [1, 64, 128], 32.0 KiB */
static inline float *at_predict_block_attn(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_attn);
}

/* predict.block.x: f32 [1, 64, 128], 32.0 KiB */
static inline float *at_predict_block_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_x);
}

/* predict.block.norm2.mean: f32 [1, 64], 256 B */
static inline float *at_predict_block_norm2_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm2_mean);
}

/* predict.block.norm2.rstd: f32 [1, 64], 256 B */
static inline float *at_predict_block_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm2_rstd);
}

/* predict.block.norm2: f32 [1, 64, 128], 32.0 KiB */
static inline float *at_predict_block_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_norm2);
}

/* predict.block.moe.logits: f32 [1, 64, 8], 2.00 KiB */
static inline float *at_predict_block_moe_logits(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_logits);
}

/* predict.block.moe.probabilities: f32 [1, 64, 8], 2.00 KiB */
static inline float *at_predict_block_moe_probabilities(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_probabilities);
}

/* predict.block.moe.chosen: f32 [1, 64, 8], 2.00 KiB */
static inline float *at_predict_block_moe_chosen(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_chosen);
}

/* predict.block.moe.gates: f32 [1, 64, 8], 2.00 KiB */
static inline float *at_predict_block_moe_gates(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_gates);
}

/* predict.block.moe.position: f32 [1, 64, 8], 2.00 KiB */
static inline float *at_predict_block_moe_position(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_position);
}

/* predict.block.moe.dispatch: f32 [1, 64, 8, 20], 40.0 KiB */
static inline float *at_predict_block_moe_dispatch(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_dispatch);
}

/* predict.block.moe.combine: f32 [1, 64, 8, 20], 40.0 KiB */
static inline float *at_predict_block_moe_combine(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_combine);
}

/* predict.block.moe.inputs: f32 [1, 8, 20, 128], 80.0 KiB */
static inline float *at_predict_block_moe_inputs(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_inputs);
}

/* predict.block.moe.up: f32 [1, 8, 20, 512], 320 KiB */
static inline float *at_predict_block_moe_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_up);
}

/* predict.block.moe.active: f32 [1, 8, 20, 512], 320 KiB */
static inline float *at_predict_block_moe_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_active);
}

/* predict.block.moe.outputs: f32 [1, 8, 20, 128], 80.0 KiB */
static inline float *at_predict_block_moe_outputs(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_outputs);
}

/* predict.block.moe: f32 [1, 64, 128], 32.0 KiB */
static inline float *at_predict_block_moe(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe);
}

/* predict.norm.mean: f32 [1, 64], 256 B */
static inline float *at_predict_norm_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm_mean);
}

/* predict.norm.rstd: f32 [1, 64], 256 B */
static inline float *at_predict_norm_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm_rstd);
}

/* predict.norm: f32 [1, 64, 128], 32.0 KiB */
static inline float *at_predict_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm);
}

/* predict.logits: f32 [1, 64, 256], 64.0 KiB */
static inline float *at_predict_logits(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_logits);
}

/* ---- Routines ---- */

/* Before the first step: every state gets its initial value. */
static void init(prt_context *ctx)
{
    /* examples/moe.place:22: fill: 4 B */
    ctx->at = LINE_22_computing_in_init;
    kernel_fill_f32_to_s(at_step(ctx), 0);
    /* examples/moe.place:7: init: 161 KiB */
    ctx->at = LINE_7_init;
    prt_init(ctx, -1, LAYOUT_outside, 0, 1, PRT_F32, at_parameters_outside(ctx));
    /* examples/moe.place:22: fill: 40.2 KiB */
    ctx->at = LINE_22_computing_in_init;
    kernel_fill_f32(at_adam_m_outside(ctx), 10304, 0);
    /* examples/moe.place:22: fill: 40.2 KiB */
    kernel_fill_f32(at_adam_v_outside(ctx), 10304, 0);
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/moe.place:9: init: 4.26 MiB */
        ctx->at = LINE_9_init;
        prt_init(ctx, -1, LAYOUT_block, layer, 1, PRT_F32, at_parameters_block(ctx, layer));
        /* examples/moe.place:22: fill: 1.06 MiB */
        ctx->at = LINE_22_computing_in_init;
        kernel_fill_f32(at_adam_m_block(ctx, layer), 279040, 0);
        /* examples/moe.place:22: fill: 1.06 MiB */
        kernel_fill_f32(at_adam_v_block(ctx, layer), 279040, 0);
    }
}

/* One training step. */
static void step(prt_context *ctx)
{
    /* examples/moe.place:21: fill: 161 KiB */
    ctx->at = LINE_21_computing_in_step;
    kernel_fill_f32(at_gradients_outside(ctx), 41216, 0);
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/moe.place:21: fill: 4.26 MiB */
        ctx->at = LINE_21_computing_in_step;
        kernel_fill_f32(at_gradients_block(ctx, layer), 1116160, 0);
    }
    /* examples/moe.place:14: fill: 4 B */
    ctx->at = LINE_14_computing_in_step;
    kernel_fill_f32_to_s(at_loss_5_sum(ctx), 0);
    for (int64_t micro = 0; micro < 1; micro++) {
        /* examples/moe.place:5: read tokens: 512 B */
        ctx->at = LINE_5_read_tokens;
        prt_read(ctx, INPUT_tokens, LAYOUT_8_over_micro_data_by_64, micro, at_tokens(ctx));
        /* examples/moe.place:5: read targets: 512 B */
        ctx->at = LINE_5_read_targets;
        prt_read(ctx, INPUT_targets, LAYOUT_8_over_micro_data_by_64, micro, at_targets(ctx));
        /* examples/moe.place:7: embed "bt,vh->bth": 192 KiB */
        ctx->at = LINE_7_computing_in_step;
        kernel_embed_f32_i32i_jk_to_ik(at_wte(ctx), at_tokens(ctx), at_parameters_outside(ctx) + OFFSET_wte_table, 128,
                                       256, 128);
        /* examples/moe.place:7: add "abc,bc->abc": 160 KiB, 16.4 kflop */
        kernel_add_f32_ij_j(at_x(ctx, 0), at_wte(ctx), at_parameters_outside(ctx) + OFFSET_wpe_table, 2, 8192);
        /* examples/moe.place:9: iota: 256 B */
        ctx->at = LINE_9_computing_in_step;
        kernel_iota_i32(at_row_positions(ctx), 64, 0);
        /* examples/moe.place:9: iota: 256 B */
        kernel_iota_i32(at_column_positions(ctx), 64, 0);
        /* examples/moe.place:10: fill "a": 8 B */
        ctx->at = LINE_10_computing_in_step;
        kernel_fill_f32(at_block_moe_balance_sum(ctx, 0), 2, 0);
        /* examples/moe.place:10: fill "a": 8 B */
        kernel_fill_f32(at_block_moe_z_sum(ctx, 0), 2, 0);
        /* examples/moe.place:10: iota: 80 B */
        kernel_iota_i32(at_place_positions(ctx), 20, 0);
        for (int64_t layer = 0; layer < 4; layer++) {
            /* examples/moe.place:9: row_mean "bth->bt": 64.5 KiB, 16.4 kflop */
            ctx->at = LINE_9_computing_in_step;
            kernel_row_mean_f32_ij_to_i(at_block_norm1_mean(ctx, layer), at_x(ctx, layer), 128, 128);
            /* examples/moe.place:9: row_rstd "bth,bt->bt": 65.0 KiB, 49.2 kflop */
            kernel_row_rstd_f32_ij_i_to_i(at_block_norm1_rstd(ctx, layer), at_x(ctx, layer),
                                          at_block_norm1_mean(ctx, layer), 128, 128, 1e-05);
            /* examples/moe.place:9: norm "bth,bt,bt,h,h->bth": 130 KiB, 65.5 kflop */
            kernel_norm_f32_ij_i_i_j_j(at_block_norm1(ctx, layer), at_x(ctx, layer), at_block_norm1_mean(ctx, layer),
                                       at_block_norm1_rstd(ctx, layer),
                                       at_parameters_block(ctx, layer) + OFFSET_block_norm1_gain,
                                       at_parameters_block(ctx, layer) + OFFSET_block_norm1_bias, 128, 128);
            /* examples/moe.place:9: einsum "bth,ndh->btnd": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm1 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm1, at_block_norm1(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_query_weight, 0,
                     at_block_attn_query_product(ctx));
            /* examples/moe.place:9: add "btnd,nd->btnd": 128 KiB, 16.4 kflop */
            kernel_add_f32_ij_j(at_block_attn_query(ctx, layer), at_block_attn_query_product(ctx),
                                at_parameters_block(ctx, layer) + OFFSET_block_attn_query_bias, 128, 128);
            /* examples/moe.place:9: einsum "bth,ndh->btnd": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm2 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm2, at_block_norm1(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_key_weight, 0, at_block_attn_key_product(ctx));
            /* examples/moe.place:9: add "btnd,nd->btnd": 128 KiB, 16.4 kflop */
            kernel_add_f32_ij_j(at_block_attn_key(ctx, layer), at_block_attn_key_product(ctx),
                                at_parameters_block(ctx, layer) + OFFSET_block_attn_key_bias, 128, 128);
            /* examples/moe.place:9: einsum "bth,ndh->btnd": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm3 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm3, at_block_norm1(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_value_weight, 0,
                     at_block_attn_value_product(ctx));
            /* examples/moe.place:9: add "btnd,nd->btnd": 128 KiB, 16.4 kflop */
            kernel_add_f32_ij_j(at_block_attn_value(ctx, layer), at_block_attn_value_product(ctx),
                                at_parameters_block(ctx, layer) + OFFSET_block_attn_value_bias, 128, 128);
            /* examples/moe.place:9: einsum "btnd,bsnd->bnts": 256 KiB, 2.1 Mflop */
            const prt_gemm_shape gemm4 = {
                .m = 64, .n = 64, .k = 32,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 64, .c_column = 1,
                .batch_dims = 2,
                .batch = {2, 4},
                .a_batch = {8192, 32},
                .b_batch = {8192, 32},
                .c_batch = {16384, 4096},
            };
            prt_gemm(ctx, PRT_F32, &gemm4, at_block_attn_query(ctx, layer), at_block_attn_key(ctx, layer), 0,
                     at_block_attn_scores(ctx));
            /* examples/moe.place:9: causal_softmax "bnts,t,s->bnts": 256 KiB, 262 kflop */
            kernel_causal_softmax_f32_ijk_i32j_i32k(at_block_attn_weights(ctx, layer), at_block_attn_scores(ctx),
                                                    at_row_positions(ctx), at_column_positions(ctx), 8, 64, 64,
                                                    0.17677669529663687);
            /* examples/moe.place:9: einsum "bnts,bsnd->btnd": 256 KiB, 2.1 Mflop */
            const prt_gemm_shape gemm5 = {
                .m = 64, .n = 32, .k = 64,
                .a_row = 64, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
                .batch_dims = 2,
                .batch = {2, 4},
                .a_batch = {16384, 4096},
                .b_batch = {8192, 32},
                .c_batch = {8192, 32},
            };
            prt_gemm(ctx, PRT_F32, &gemm5, at_block_attn_weights(ctx, layer), at_block_attn_value(ctx, layer), 0,
                     at_block_attn_mixed(ctx, layer));
            /* examples/moe.place:9: einsum "btnd,hnd->bth": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm6 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm6, at_block_attn_mixed(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_out_weight, 0, at_block_attn_product(ctx));
            /* examples/moe.place:9: add "bth,h->bth": 128 KiB, 16.4 kflop */
            kernel_add_f32_ij_j(at_block_attn(ctx), at_block_attn_product(ctx),
                                at_parameters_block(ctx, layer) + OFFSET_block_attn_out_bias, 128, 128);
            /* examples/moe.place:9: add "abc,abc->abc": 192 KiB, 16.4 kflop */
            kernel_add_f32(at_block_x(ctx, layer), at_x(ctx, layer), at_block_attn(ctx), 16384);
            /* examples/moe.place:10: row_mean "bth->bt": 64.5 KiB, 16.4 kflop */
            ctx->at = LINE_10_computing_in_step;
            kernel_row_mean_f32_ij_to_i(at_block_norm2_mean(ctx, layer), at_block_x(ctx, layer), 128, 128);
            /* examples/moe.place:10: row_rstd "bth,bt->bt": 65.0 KiB, 49.2 kflop */
            kernel_row_rstd_f32_ij_i_to_i(at_block_norm2_rstd(ctx, layer), at_block_x(ctx, layer),
                                          at_block_norm2_mean(ctx, layer), 128, 128, 1e-05);
            /* examples/moe.place:10: norm "bth,bt,bt,h,h->bth": 130 KiB, 65.5 kflop */
            kernel_norm_f32_ij_i_i_j_j(at_block_norm2(ctx, layer), at_block_x(ctx, layer),
                                       at_block_norm2_mean(ctx, layer), at_block_norm2_rstd(ctx, layer),
                                       at_parameters_block(ctx, layer) + OFFSET_block_norm2_gain,
                                       at_parameters_block(ctx, layer) + OFFSET_block_norm2_bias, 128, 128);
            /* examples/moe.place:10: einsum "bth,eh->bte": 72.0 KiB, 262 kflop */
            const prt_gemm_shape gemm7 = {
                .m = 128, .n = 8, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 8, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm7, at_block_norm2(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_moe_router_weight, 0,
                     at_block_moe_logits(ctx, layer));
            /* examples/moe.place:10: softmax "bte->bte": 8.00 KiB, 8.19 kflop */
            kernel_softmax_f32_ij(at_block_moe_probabilities(ctx, layer), at_block_moe_logits(ctx, layer), 128, 8, 1);
            /* examples/moe.place:10: fill "bte": 4.00 KiB */
            kernel_fill_f32(at_block_moe_chosen(ctx, layer), 1024, 0);
            /* examples/moe.place:10: top_next "bte,bte->bte": 12.0 KiB, 4.1 kflop */
            kernel_top_next_f32_ij_ij_in_place_b(at_block_moe_chosen(ctx, layer),
                                                 at_block_moe_probabilities(ctx, layer), 128, 8);
            /* examples/moe.place:10: top_next "bte,bte->bte": 12.0 KiB, 4.1 kflop */
            kernel_top_next_f32_ij_ij_in_place_b(at_block_moe_chosen(ctx, layer),
                                                 at_block_moe_probabilities(ctx, layer), 128, 8);
            /* examples/moe.place:10: reduce "bte->be": 4.06 KiB, 1.02 kflop */
            kernel_reduce_f32_ijk_to_ik(at_block_moe_load(ctx, layer), at_block_moe_chosen(ctx, layer), 2, 64, 8);
            /* examples/moe.place:10: reduce "bte->be": 4.06 KiB, 1.02 kflop */
            kernel_reduce_f32_ijk_to_ik(at_block_moe_mass(ctx), at_block_moe_probabilities(ctx, layer), 2, 64, 8);
            /* examples/moe.place:10: einsum "be,be->b": 136 B, 32 flop */
            const prt_gemm_shape gemm8 = {
                .m = 1, .n = 1, .k = 8,
                .a_row = 8, .a_column = 1,
                .b_row = 1, .b_column = 8,
                .c_row = 1, .c_column = 1,
                .batch_dims = 1,
                .batch = {2},
                .a_batch = {8},
                .b_batch = {8},
                .c_batch = {1},
            };
            prt_gemm(ctx, PRT_F32, &gemm8, at_block_moe_load(ctx, layer), at_block_moe_mass(ctx), 0,
                     at_block_moe_product(ctx));
            /* examples/moe.place:10: scale "b->b": 16 B, 2 flop */
            kernel_scale_f32(at_block_moe_balance(ctx), at_block_moe_product(ctx), 2, 8.0 / 8192);
            /* examples/moe.place:10: add "b,b->b": 24 B, 2 flop */
            kernel_add_f32_overlap(at_block_moe_balance_sum(ctx, layer + 1), at_block_moe_balance_sum(ctx, layer),
                                   at_block_moe_balance(ctx), 2);
            /* examples/moe.place:10: log_sum_exp "bte->bt": 4.50 KiB, 4.1 kflop */
            kernel_log_sum_exp_f32_ij_to_i(at_block_moe_log_sum(ctx, layer), at_block_moe_logits(ctx, layer), 128, 8);
            /* examples/moe.place:10: einsum "bt,bt->b": 1.01 KiB, 256 flop */
            const prt_gemm_shape gemm9 = {
                .m = 1, .n = 1, .k = 64,
                .a_row = 64, .a_column = 1,
                .b_row = 1, .b_column = 64,
                .c_row = 1, .c_column = 1,
                .batch_dims = 1,
                .batch = {2},
                .a_batch = {64},
                .b_batch = {64},
                .c_batch = {1},
            };
            prt_gemm(ctx, PRT_F32, &gemm9, at_block_moe_log_sum(ctx, layer), at_block_moe_log_sum(ctx, layer), 0,
                     at_block_moe_squares(ctx));
            /* examples/moe.place:10: scale "b->b": 16 B, 2 flop */
            kernel_scale_f32(at_block_moe_z(ctx), at_block_moe_squares(ctx), 2, 1.0 / 64);
            /* examples/moe.place:10: add "b,b->b": 24 B, 2 flop */
            kernel_add_f32_overlap(at_block_moe_z_sum(ctx, layer + 1), at_block_moe_z_sum(ctx, layer),
                                   at_block_moe_z(ctx), 2);
            /* examples/moe.place:10: gate "bte,bte->bte": 12.0 KiB, 3.07 kflop */
            kernel_gate_f32_ij_ij(at_block_moe_gates(ctx), at_block_moe_probabilities(ctx, layer),
                                  at_block_moe_chosen(ctx, layer), 128, 8);
            /* examples/moe.place:10: count_before "bse,t,s->bte": 8.50 KiB, 131 kflop */
            kernel_count_before_f32_ijk_i32l_i32j_to_ilk(at_block_moe_position(ctx, layer),
                                                         at_block_moe_chosen(ctx, layer), at_row_positions(ctx),
                                                         at_column_positions(ctx), 2, 64, 8, 64);
            /* examples/moe.place:10: one_hot "bte,bte,c->btec": 88.1 KiB, 20.5 kflop */
            kernel_one_hot_f32_i_i_i32j_to_ij(at_block_moe_dispatch(ctx, layer), at_block_moe_chosen(ctx, layer),
                                              at_block_moe_position(ctx, layer), at_place_positions(ctx), 1024, 20);
            /* examples/moe.place:10: one_hot "bte,bte,c->btec": 88.1 KiB, 20.5 kflop */
            kernel_one_hot_f32_i_i_i32j_to_ij(at_block_moe_combine(ctx, layer), at_block_moe_gates(ctx),
                                              at_block_moe_position(ctx, layer), at_place_positions(ctx), 1024, 20);
            /* examples/moe.place:10: einsum "btec,bth->bech": 304 KiB, 5.24 Mflop */
            const prt_gemm_shape gemm10 = {
                .m = 160, .n = 128, .k = 64,
                .a_row = 1, .a_column = 160,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
                .batch_dims = 1,
                .batch = {2},
                .a_batch = {10240},
                .b_batch = {8192},
                .c_batch = {20480},
            };
            prt_gemm(ctx, PRT_F32, &gemm10, at_block_moe_dispatch(ctx, layer), at_block_norm2(ctx, layer), 0,
                     at_block_moe_inputs(ctx, layer));
            /* examples/moe.place:10: einsum "bech,efh->becf": 2.78 MiB, 41.9 Mflop */
            const prt_gemm_shape gemm11 = {
                .m = 2, .n = 512, .k = 128,
                .a_row = 20480, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 81920, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 20},
                .a_batch = {2560, 128},
                .b_batch = {65536, 0},
                .c_batch = {10240, 512},
            };
            prt_gemm(ctx, PRT_F32, &gemm11, at_block_moe_inputs(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_moe_up_weight, 0, at_block_moe_up(ctx, layer));
            /* examples/moe.place:10: gelu "abcd->abcd": 1.25 MiB, 2.29 Mflop */
            kernel_gelu_f32(at_block_moe_active(ctx, layer), at_block_moe_up(ctx, layer), 163840);
            /* examples/moe.place:10: einsum "becf,ehf->bech": 2.78 MiB, 41.9 Mflop */
            const prt_gemm_shape gemm12 = {
                .m = 2, .n = 128, .k = 512,
                .a_row = 81920, .a_column = 1,
                .b_row = 1, .b_column = 512,
                .c_row = 20480, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 20},
                .a_batch = {10240, 512},
                .b_batch = {65536, 0},
                .c_batch = {2560, 128},
            };
            prt_gemm(ctx, PRT_F32, &gemm12, at_block_moe_active(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_moe_down_weight, 0,
                     at_block_moe_outputs(ctx, layer));
            /* examples/moe.place:10: einsum "btec,bech->bth": 304 KiB, 5.24 Mflop */
            const prt_gemm_shape gemm13 = {
                .m = 64, .n = 128, .k = 160,
                .a_row = 160, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
                .batch_dims = 1,
                .batch = {2},
                .a_batch = {10240},
                .b_batch = {20480},
                .c_batch = {8192},
            };
            prt_gemm(ctx, PRT_F32, &gemm13, at_block_moe_combine(ctx, layer), at_block_moe_outputs(ctx, layer), 0,
                     at_block_moe(ctx));
            /* examples/moe.place:10: add "abc,abc->abc": 192 KiB, 16.4 kflop */
            kernel_add_f32(at_x(ctx, layer + 1), at_block_x(ctx, layer), at_block_moe(ctx), 16384);
        }
        /* examples/moe.place:12: row_mean "bth->bt": 64.5 KiB, 16.4 kflop */
        ctx->at = LINE_12_computing_in_step;
        kernel_row_mean_f32_ij_to_i(at_norm_mean(ctx), at_x(ctx, 4), 128, 128);
        /* examples/moe.place:12: row_rstd "bth,bt->bt": 65.0 KiB, 49.2 kflop */
        kernel_row_rstd_f32_ij_i_to_i(at_norm_rstd(ctx), at_x(ctx, 4), at_norm_mean(ctx), 128, 128, 1e-05);
        /* examples/moe.place:12: norm "bth,bt,bt,h,h->bth": 130 KiB, 65.5 kflop */
        kernel_norm_f32_ij_i_i_j_j(at_norm(ctx), at_x(ctx, 4), at_norm_mean(ctx), at_norm_rstd(ctx),
                                   at_parameters_outside(ctx) + OFFSET_norm_gain,
                                   at_parameters_outside(ctx) + OFFSET_norm_bias, 128, 128);
        /* examples/moe.place:12: einsum "bth,oh->bto": 320 KiB, 8.39 Mflop */
        const prt_gemm_shape gemm14 = {
            .m = 128, .n = 256, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, PRT_F32, &gemm14, at_norm(ctx), at_parameters_outside(ctx) + OFFSET_wte_table, 0, at_logits(ctx));
        /* examples/moe.place:13: iota: 1.00 KiB */
        ctx->at = LINE_13_computing_in_step;
        kernel_iota_i32(at_class_positions(ctx), 256, 0);
        /* examples/moe.place:13: row_max "btv->bt": 128 KiB, 32.8 kflop */
        kernel_row_max_f32_ij_to_i(at_loss_terms_largest(ctx), at_logits(ctx), 128, 256);
        /* examples/moe.place:13: exp_sum "btv,bt->bt": 129 KiB, 131 kflop */
        kernel_exp_sum_f32_ij_i_to_i(at_loss_terms_exp_sum(ctx), at_logits(ctx), at_loss_terms_largest(ctx), 128, 256);
        /* examples/moe.place:13: pick "btv,bt,v->bt": 130 KiB, 32.8 kflop */
        kernel_pick_f32_ij_i32i_i32j_to_i(at_loss_terms_target_logit(ctx), at_logits(ctx), at_targets(ctx),
                                          at_class_positions(ctx), 128, 256);
        /* examples/moe.place:13: log_loss "bt,bt,bt->bt": 2.00 KiB, 768 flop */
        kernel_log_loss_f32(at_loss_terms(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                            at_loss_terms_target_logit(ctx), 128);
        /* examples/moe.place:13: reduce "ab->": 516 B, 128 flop */
        kernel_reduce_f32_i_to_s(at_loss(ctx), at_loss_terms(ctx), 128);
        /* examples/moe.place:13: scale "->": 8 B, 1 flop */
        kernel_scale_f32_s_in_place_a(at_loss(ctx), 1.0 / 512);
        /* examples/moe.place:14: reduce "a->": 12 B, 2 flop */
        ctx->at = LINE_14_computing_in_step;
        kernel_reduce_f32_i_to_s(at_loss_2(ctx), at_block_moe_balance_sum(ctx, 4), 2);
        /* examples/moe.place:14: scale "->": 8 B, 1 flop */
        kernel_scale_f32_s_in_place_a(at_loss_2(ctx), 1.0 / 800);
        /* examples/moe.place:14: add ",->": 12 B, 1 flop */
        kernel_add_f32_s_s(at_loss_3(ctx), at_loss(ctx), at_loss_2(ctx));
        /* examples/moe.place:14: reduce "a->": 12 B, 2 flop */
        kernel_reduce_f32_i_to_s(at_loss_4(ctx), at_block_moe_z_sum(ctx, 4), 2);
        /* examples/moe.place:14: scale "->": 8 B, 1 flop */
        kernel_scale_f32_s_in_place_a(at_loss_4(ctx), 1.0 / 8000);
        /* examples/moe.place:14: add ",->": 12 B, 1 flop */
        kernel_add_f32_s_s(at_loss_5(ctx), at_loss_3(ctx), at_loss_4(ctx));
        /* examples/moe.place:13: fill "ab": 512 B */
        ctx->at = LINE_13_computing_in_step;
        kernel_fill_f32(at_d_loss_terms(ctx), 128, 0.001953125);
        /* examples/moe.place:13: fill "a": 8 B */
        kernel_fill_f32(at_d_block_moe_balance_sum(ctx), 2, 0.00125);
        /* examples/moe.place:13: fill "a": 8 B */
        kernel_fill_f32(at_d_block_moe_z_sum(ctx), 2, 0.000125);
        /* examples/moe.place:13: log_loss_bwd "btv,bt,bt,bt,v,bt->btv": 259 KiB, 229 kflop */
        kernel_log_loss_bwd_f32_ij_i_i_i32i_i32j_i(at_d_logits(ctx), at_logits(ctx), at_loss_terms_largest(ctx),
                                                   at_loss_terms_exp_sum(ctx), at_targets(ctx), at_class_positions(ctx),
                                                   at_d_loss_terms(ctx), 128, 256);
        /* examples/moe.place:12: einsum "bto,oh->bth": 320 KiB, 8.39 Mflop */
        ctx->at = LINE_12_computing_in_step;
        const prt_gemm_shape gemm15 = {
            .m = 128, .n = 128, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 128, .b_column = 1,
            .c_row = 128, .c_column = 1,
        };
        prt_gemm(ctx, PRT_F32, &gemm15, at_d_logits(ctx), at_parameters_outside(ctx) + OFFSET_wte_table, 0,
                 at_d_norm(ctx));
        /* examples/moe.place:12: einsum "bto,bth->oh": 448 KiB, 8.39 Mflop */
        const prt_gemm_shape gemm16 = {
            .m = 256, .n = 128, .k = 128,
            .a_row = 1, .a_column = 256,
            .b_row = 128, .b_column = 1,
            .c_row = 128, .c_column = 1,
        };
        prt_gemm(ctx, PRT_F32, &gemm16, at_d_logits(ctx), at_norm(ctx), 1,
                 at_gradients_outside(ctx) + OFFSET_wte_table);
        /* examples/moe.place:12: norm_bwd "bth,bt,bt,h,bth->bth": 194 KiB, 197 kflop */
        kernel_norm_bwd_f32_ij_i_i_j_ij(at_d_x(ctx), at_x(ctx, 4), at_norm_mean(ctx), at_norm_rstd(ctx),
                                        at_parameters_outside(ctx) + OFFSET_norm_gain, at_d_norm(ctx), 128, 128);
        /* examples/moe.place:12: norm_gain_bwd "bth,bt,bt,bth->h": 130 KiB, 65.5 kflop */
        kernel_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate(at_gradients_outside(ctx) + OFFSET_norm_gain, at_x(ctx, 4),
                                                           at_norm_mean(ctx), at_norm_rstd(ctx), at_d_norm(ctx), 128,
                                                           128);
        /* examples/moe.place:12: reduce "bth->h": 65.0 KiB, 16.4 kflop */
        kernel_reduce_f32_ij_to_j_accumulate(at_gradients_outside(ctx) + OFFSET_norm_bias, at_d_norm(ctx), 128, 128);
        for (int64_t layer = 3; layer >= 0; layer--) {
            /* examples/moe.place:10: einsum "bth,bech->btec": 304 KiB, 5.24 Mflop */
            ctx->at = LINE_10_computing_in_step;
            const prt_gemm_shape gemm17 = {
                .m = 64, .n = 160, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 160, .c_column = 1,
                .batch_dims = 1,
                .batch = {2},
                .a_batch = {8192},
                .b_batch = {20480},
                .c_batch = {10240},
            };
            prt_gemm(ctx, PRT_F32, &gemm17, at_d_x(ctx), at_block_moe_outputs(ctx, layer), 0,
                     at_d_block_moe_combine(ctx));
            /* examples/moe.place:10: einsum "bth,btec->bech": 304 KiB, 5.24 Mflop */
            const prt_gemm_shape gemm18 = {
                .m = 128, .n = 160, .k = 64,
                .a_row = 1, .a_column = 128,
                .b_row = 160, .b_column = 1,
                .c_row = 1, .c_column = 128,
                .batch_dims = 1,
                .batch = {2},
                .a_batch = {8192},
                .b_batch = {10240},
                .c_batch = {20480},
            };
            prt_gemm(ctx, PRT_F32, &gemm18, at_d_x(ctx), at_block_moe_combine(ctx, layer), 0,
                     at_d_block_moe_outputs(ctx));
            /* examples/moe.place:10: einsum "bech,ehf->becf": 2.78 MiB, 41.9 Mflop */
            const prt_gemm_shape gemm19 = {
                .m = 2, .n = 512, .k = 128,
                .a_row = 20480, .a_column = 1,
                .b_row = 512, .b_column = 1,
                .c_row = 81920, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 20},
                .a_batch = {2560, 128},
                .b_batch = {65536, 0},
                .c_batch = {10240, 512},
            };
            prt_gemm(ctx, PRT_F32, &gemm19, at_d_block_moe_outputs(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_moe_down_weight, 0, at_d_block_moe_active(ctx));
            /* examples/moe.place:10: einsum "bech,becf->ehf": 4.78 MiB, 41.9 Mflop */
            const prt_gemm_shape gemm20 = {
                .m = 128, .n = 512, .k = 2,
                .a_row = 1, .a_column = 20480,
                .b_row = 81920, .b_column = 1,
                .c_row = 512, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 20},
                .a_batch = {2560, 128},
                .b_batch = {10240, 512},
                .c_batch = {65536, 0},
            };
            prt_gemm(ctx, PRT_F32, &gemm20, at_d_block_moe_outputs(ctx), at_block_moe_active(ctx, layer), 1,
                     at_gradients_block(ctx, layer) + OFFSET_block_moe_down_weight);
            /* examples/moe.place:10: gelu_bwd "abcd,abcd->abcd": 1.88 MiB, 3.93 Mflop */
            kernel_gelu_bwd_f32(at_d_block_moe_up(ctx), at_block_moe_up(ctx, layer), at_d_block_moe_active(ctx),
                                163840);
            /* examples/moe.place:10: einsum "becf,efh->bech": 2.78 MiB, 41.9 Mflop */
            const prt_gemm_shape gemm21 = {
                .m = 2, .n = 128, .k = 512,
                .a_row = 81920, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 20480, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 20},
                .a_batch = {10240, 512},
                .b_batch = {65536, 0},
                .c_batch = {2560, 128},
            };
            prt_gemm(ctx, PRT_F32, &gemm21, at_d_block_moe_up(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_moe_up_weight, 0, at_d_block_moe_inputs(ctx));
            /* examples/moe.place:10: einsum "becf,bech->efh": 4.78 MiB, 41.9 Mflop */
            const prt_gemm_shape gemm22 = {
                .m = 512, .n = 128, .k = 2,
                .a_row = 1, .a_column = 81920,
                .b_row = 20480, .b_column = 1,
                .c_row = 128, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 20},
                .a_batch = {10240, 512},
                .b_batch = {2560, 128},
                .c_batch = {65536, 0},
            };
            prt_gemm(ctx, PRT_F32, &gemm22, at_d_block_moe_up(ctx), at_block_moe_inputs(ctx, layer), 1,
                     at_gradients_block(ctx, layer) + OFFSET_block_moe_up_weight);
            /* examples/moe.place:10: einsum "bech,btec->bth": 304 KiB, 5.24 Mflop */
            const prt_gemm_shape gemm23 = {
                .m = 128, .n = 64, .k = 160,
                .a_row = 1, .a_column = 128,
                .b_row = 1, .b_column = 160,
                .c_row = 1, .c_column = 128,
                .batch_dims = 1,
                .batch = {2},
                .a_batch = {20480},
                .b_batch = {10240},
                .c_batch = {8192},
            };
            prt_gemm(ctx, PRT_F32, &gemm23, at_d_block_moe_inputs(ctx), at_block_moe_dispatch(ctx, layer), 0,
                     at_d_block_norm2(ctx));
            /* examples/moe.place:10: one_hot_bwd "btec,bte,c->bte": 88.1 KiB, 41 kflop */
            kernel_one_hot_bwd_f32_ij_i_i32j_to_i(at_d_block_moe_gates(ctx), at_d_block_moe_combine(ctx),
                                                  at_block_moe_position(ctx, layer), at_place_positions(ctx), 1024, 20);
            /* examples/moe.place:10: gate_bwd "bte,bte,bte->bte": 16.0 KiB, 7.17 kflop */
            kernel_gate_bwd_f32_ij_ij_ij(at_d_block_moe_probabilities(ctx), at_block_moe_probabilities(ctx, layer),
                                         at_block_moe_chosen(ctx, layer), at_d_block_moe_gates(ctx), 128, 8);
            /* examples/moe.place:10: scale "b->b": 16 B, 2 flop */
            kernel_scale_f32(at_d_block_moe_squares(ctx), at_d_block_moe_z_sum(ctx), 2, 1.0 / 64);
            /* examples/moe.place:10: einsum "b,bt->bt": 1.01 KiB, 256 flop */
            const prt_gemm_shape gemm24 = {
                .m = 1, .n = 64, .k = 1,
                .a_row = 1, .a_column = 1,
                .b_row = 64, .b_column = 1,
                .c_row = 64, .c_column = 1,
                .batch_dims = 1,
                .batch = {2},
                .a_batch = {1},
                .b_batch = {64},
                .c_batch = {64},
            };
            prt_gemm(ctx, PRT_F32, &gemm24, at_d_block_moe_squares(ctx), at_block_moe_log_sum(ctx, layer), 0,
                     at_d_block_moe_log_sum(ctx));
            /* examples/moe.place:10: einsum "b,bt->bt": 1.51 KiB, 256 flop */
            const prt_gemm_shape gemm25 = {
                .m = 1, .n = 64, .k = 1,
                .a_row = 1, .a_column = 1,
                .b_row = 64, .b_column = 1,
                .c_row = 64, .c_column = 1,
                .batch_dims = 1,
                .batch = {2},
                .a_batch = {1},
                .b_batch = {64},
                .c_batch = {64},
            };
            prt_gemm(ctx, PRT_F32, &gemm25, at_d_block_moe_squares(ctx), at_block_moe_log_sum(ctx, layer), 1,
                     at_d_block_moe_log_sum(ctx));
            /* examples/moe.place:10: log_sum_exp_bwd "bte,bt->bte": 8.50 KiB, 6.14 kflop */
            kernel_log_sum_exp_bwd_f32_ij_i(at_d_block_moe_logits(ctx), at_block_moe_logits(ctx, layer),
                                            at_d_block_moe_log_sum(ctx), 128, 8);
            /* examples/moe.place:10: scale "b->b": 16 B, 2 flop */
            kernel_scale_f32(at_d_block_moe_product(ctx), at_d_block_moe_balance_sum(ctx), 2, 8.0 / 8192);
            /* examples/moe.place:10: einsum "b,be->be": 136 B, 32 flop */
            const prt_gemm_shape gemm26 = {
                .m = 1, .n = 8, .k = 1,
                .a_row = 1, .a_column = 1,
                .b_row = 8, .b_column = 1,
                .c_row = 8, .c_column = 1,
                .batch_dims = 1,
                .batch = {2},
                .a_batch = {1},
                .b_batch = {8},
                .c_batch = {8},
            };
            prt_gemm(ctx, PRT_F32, &gemm26, at_d_block_moe_product(ctx), at_block_moe_load(ctx, layer), 0,
                     at_d_block_moe_mass(ctx));
            /* examples/moe.place:10: add to d_block.moe.probabilities "be->bte": 8.06 KiB */
            kernel_copy_f32_ik_to_ijk_accumulate(at_d_block_moe_probabilities(ctx), at_d_block_moe_mass(ctx), 2, 64, 8);
            /* examples/moe.place:10: softmax_bwd "bte,bte->bte": 16.0 KiB, 5.12 kflop */
            kernel_softmax_bwd_f32_ij_ij_accumulate(at_d_block_moe_logits(ctx), at_block_moe_probabilities(ctx, layer),
                                                    at_d_block_moe_probabilities(ctx), 128, 8, 1);
            /* examples/moe.place:10: einsum "bte,eh->bth": 136 KiB, 262 kflop */
            const prt_gemm_shape gemm27 = {
                .m = 128, .n = 128, .k = 8,
                .a_row = 8, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm27, at_d_block_moe_logits(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_moe_router_weight, 1, at_d_block_norm2(ctx));
            /* examples/moe.place:10: einsum "bte,bth->eh": 76.0 KiB, 262 kflop */
            const prt_gemm_shape gemm28 = {
                .m = 8, .n = 128, .k = 128,
                .a_row = 1, .a_column = 8,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm28, at_d_block_moe_logits(ctx), at_block_norm2(ctx, layer), 1,
                     at_gradients_block(ctx, layer) + OFFSET_block_moe_router_weight);
            /* examples/moe.place:10: norm_bwd "bth,bt,bt,h,bth->bth": 258 KiB, 197 kflop */
            kernel_norm_bwd_f32_ij_i_i_j_ij_accumulate(at_d_x(ctx), at_block_x(ctx, layer),
                                                       at_block_norm2_mean(ctx, layer), at_block_norm2_rstd(ctx, layer),
                                                       at_parameters_block(ctx, layer) + OFFSET_block_norm2_gain,
                                                       at_d_block_norm2(ctx), 128, 128);
            /* examples/moe.place:10: norm_gain_bwd "bth,bt,bt,bth->h": 130 KiB, 65.5 kflop */
            kernel_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate(
                at_gradients_block(ctx, layer) + OFFSET_block_norm2_gain, at_block_x(ctx, layer),
                at_block_norm2_mean(ctx, layer), at_block_norm2_rstd(ctx, layer), at_d_block_norm2(ctx), 128, 128);
            /* examples/moe.place:10: reduce "bth->h": 65.0 KiB, 16.4 kflop */
            kernel_reduce_f32_ij_to_j_accumulate(at_gradients_block(ctx, layer) + OFFSET_block_norm2_bias,
                                                 at_d_block_norm2(ctx), 128, 128);
            /* examples/moe.place:9: reduce "bth->h": 65.0 KiB, 16.4 kflop */
            ctx->at = LINE_9_computing_in_step;
            kernel_reduce_f32_ij_to_j_accumulate(at_gradients_block(ctx, layer) + OFFSET_block_attn_out_bias,
                                                 at_d_x(ctx), 128, 128);
            /* examples/moe.place:9: einsum "bth,hnd->btnd": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm29 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm29, at_d_x(ctx), at_parameters_block(ctx, layer) + OFFSET_block_attn_out_weight,
                     0, at_d_block_attn_mixed(ctx));
            /* examples/moe.place:9: einsum "bth,btnd->hnd": 256 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm30 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 1, .a_column = 128,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm30, at_d_x(ctx), at_block_attn_mixed(ctx, layer), 1,
                     at_gradients_block(ctx, layer) + OFFSET_block_attn_out_weight);
            /* examples/moe.place:9: einsum "btnd,bsnd->bnts": 256 KiB, 2.1 Mflop */
            const prt_gemm_shape gemm31 = {
                .m = 64, .n = 64, .k = 32,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 64, .c_column = 1,
                .batch_dims = 2,
                .batch = {2, 4},
                .a_batch = {8192, 32},
                .b_batch = {8192, 32},
                .c_batch = {16384, 4096},
            };
            prt_gemm(ctx, PRT_F32, &gemm31, at_d_block_attn_mixed(ctx), at_block_attn_value(ctx, layer), 0,
                     at_d_block_attn_weights(ctx));
            /* examples/moe.place:9: einsum "btnd,bnts->bsnd": 256 KiB, 2.1 Mflop */
            const prt_gemm_shape gemm32 = {
                .m = 32, .n = 64, .k = 64,
                .a_row = 1, .a_column = 128,
                .b_row = 64, .b_column = 1,
                .c_row = 1, .c_column = 128,
                .batch_dims = 2,
                .batch = {2, 4},
                .a_batch = {8192, 32},
                .b_batch = {16384, 4096},
                .c_batch = {8192, 32},
            };
            prt_gemm(ctx, PRT_F32, &gemm32, at_d_block_attn_mixed(ctx), at_block_attn_weights(ctx, layer), 0,
                     at_d_block_attn_value(ctx));
            /* examples/moe.place:9: softmax_bwd "bnts,bnts->bnts": 384 KiB, 164 kflop */
            kernel_softmax_bwd_f32_ij_ij(at_d_block_attn_scores(ctx), at_block_attn_weights(ctx, layer),
                                         at_d_block_attn_weights(ctx), 512, 64, 0.17677669529663687);
            /* examples/moe.place:9: einsum "bnts,bsnd->btnd": 256 KiB, 2.1 Mflop */
            const prt_gemm_shape gemm33 = {
                .m = 64, .n = 32, .k = 64,
                .a_row = 64, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
                .batch_dims = 2,
                .batch = {2, 4},
                .a_batch = {16384, 4096},
                .b_batch = {8192, 32},
                .c_batch = {8192, 32},
            };
            prt_gemm(ctx, PRT_F32, &gemm33, at_d_block_attn_scores(ctx), at_block_attn_key(ctx, layer), 0,
                     at_d_block_attn_query(ctx));
            /* examples/moe.place:9: einsum "bnts,btnd->bsnd": 256 KiB, 2.1 Mflop */
            const prt_gemm_shape gemm34 = {
                .m = 64, .n = 32, .k = 64,
                .a_row = 1, .a_column = 64,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
                .batch_dims = 2,
                .batch = {2, 4},
                .a_batch = {16384, 4096},
                .b_batch = {8192, 32},
                .c_batch = {8192, 32},
            };
            prt_gemm(ctx, PRT_F32, &gemm34, at_d_block_attn_scores(ctx), at_block_attn_query(ctx, layer), 0,
                     at_d_block_attn_key(ctx));
            /* examples/moe.place:9: reduce "btnd->nd": 65.0 KiB, 16.4 kflop */
            kernel_reduce_f32_ij_to_j_accumulate(at_gradients_block(ctx, layer) + OFFSET_block_attn_value_bias,
                                                 at_d_block_attn_value(ctx), 128, 128);
            /* examples/moe.place:9: einsum "btnd,ndh->bth": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm35 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm35, at_d_block_attn_value(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_value_weight, 0, at_d_block_norm1(ctx));
            /* examples/moe.place:9: einsum "btnd,bth->ndh": 256 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm36 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 1, .a_column = 128,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm36, at_d_block_attn_value(ctx), at_block_norm1(ctx, layer), 1,
                     at_gradients_block(ctx, layer) + OFFSET_block_attn_value_weight);
            /* examples/moe.place:9: reduce "btnd->nd": 65.0 KiB, 16.4 kflop */
            kernel_reduce_f32_ij_to_j_accumulate(at_gradients_block(ctx, layer) + OFFSET_block_attn_key_bias,
                                                 at_d_block_attn_key(ctx), 128, 128);
            /* examples/moe.place:9: einsum "btnd,ndh->bth": 256 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm37 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm37, at_d_block_attn_key(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_key_weight, 1, at_d_block_norm1(ctx));
            /* examples/moe.place:9: einsum "btnd,bth->ndh": 256 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm38 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 1, .a_column = 128,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm38, at_d_block_attn_key(ctx), at_block_norm1(ctx, layer), 1,
                     at_gradients_block(ctx, layer) + OFFSET_block_attn_key_weight);
            /* examples/moe.place:9: reduce "btnd->nd": 65.0 KiB, 16.4 kflop */
            kernel_reduce_f32_ij_to_j_accumulate(at_gradients_block(ctx, layer) + OFFSET_block_attn_query_bias,
                                                 at_d_block_attn_query(ctx), 128, 128);
            /* examples/moe.place:9: einsum "btnd,ndh->bth": 256 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm39 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm39, at_d_block_attn_query(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_query_weight, 1, at_d_block_norm1(ctx));
            /* examples/moe.place:9: einsum "btnd,bth->ndh": 256 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm40 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 1, .a_column = 128,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm40, at_d_block_attn_query(ctx), at_block_norm1(ctx, layer), 1,
                     at_gradients_block(ctx, layer) + OFFSET_block_attn_query_weight);
            /* examples/moe.place:9: norm_bwd "bth,bt,bt,h,bth->bth": 258 KiB, 197 kflop */
            kernel_norm_bwd_f32_ij_i_i_j_ij_accumulate(at_d_x(ctx), at_x(ctx, layer), at_block_norm1_mean(ctx, layer),
                                                       at_block_norm1_rstd(ctx, layer),
                                                       at_parameters_block(ctx, layer) + OFFSET_block_norm1_gain,
                                                       at_d_block_norm1(ctx), 128, 128);
            /* examples/moe.place:9: norm_gain_bwd "bth,bt,bt,bth->h": 130 KiB, 65.5 kflop */
            kernel_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate(
                at_gradients_block(ctx, layer) + OFFSET_block_norm1_gain, at_x(ctx, layer),
                at_block_norm1_mean(ctx, layer), at_block_norm1_rstd(ctx, layer), at_d_block_norm1(ctx), 128, 128);
            /* examples/moe.place:9: reduce "bth->h": 65.0 KiB, 16.4 kflop */
            kernel_reduce_f32_ij_to_j_accumulate(at_gradients_block(ctx, layer) + OFFSET_block_norm1_bias,
                                                 at_d_block_norm1(ctx), 128, 128);
        }
        /* examples/moe.place:7: reduce "abc->bc": 128 KiB, 16.4 kflop */
        ctx->at = LINE_7_computing_in_step;
        kernel_reduce_f32_ij_to_j_accumulate(at_gradients_outside(ctx) + OFFSET_wpe_table, at_d_x(ctx), 2, 8192);
        /* examples/moe.place:7: embed_bwd "bt,bth->vh": 320 KiB, 16.4 kflop */
        kernel_embed_bwd_f32_i32i_ik_to_jk_accumulate(at_gradients_outside(ctx) + OFFSET_wte_table, at_tokens(ctx),
                                                      at_d_x(ctx), 128, 256, 128);
        /* examples/moe.place:14: add to loss.5.sum "->": 12 B */
        ctx->at = LINE_14_computing_in_step;
        kernel_copy_f32_s_accumulate(at_loss_5_sum(ctx), at_loss_5(ctx));
    }
    /* examples/moe.place:21: all_reduce loss.5.sum over data: payload 4 B */
    ctx->at = LINE_21_all_reduce_loss_5_sum_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_loss_5_sum, at_loss_5_sum(ctx), at_loss_5_sum(ctx), 1);
    /* examples/moe.place:13: output loss: 4 B */
    ctx->at = LINE_13_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_loss_5_sum(ctx), 1);
    /* examples/moe.place:23: fill: 4 B */
    ctx->at = LINE_23_computing_in_step;
    kernel_fill_f32_to_s(at_norm_squared(ctx), 0);
    /* examples/moe.place:22: rate "->": 8 B, 8 flop */
    ctx->at = LINE_22_computing_in_step;
    kernel_rate_f32_s(at_rate(ctx), at_step(ctx), 0.001, 20, 0, 1);
    /* examples/moe.place:22: output learning_rate: 4 B */
    ctx->at = LINE_22_output_learning_rate;
    prt_output(ctx, "learning_rate", PRT_F32, at_rate(ctx), 1);
    /* examples/moe.place:22: correction "->": 8 B, 4 flop */
    ctx->at = LINE_22_computing_in_step;
    kernel_correction_f32_s(at_correction1(ctx), at_step(ctx), 0.9);
    /* examples/moe.place:22: correction "->": 8 B, 4 flop */
    kernel_correction_f32_s(at_correction2(ctx), at_step(ctx), 0.999);
    /* examples/moe.place:22: increment "->": 8 B, 1 flop */
    kernel_increment_f32_s_in_place_a(at_step(ctx));
    /* examples/moe.place:21: reduce_scatter gradients.outside over data: payload 161 KiB */
    ctx->at = LINE_21_reduce_scatter_gradients_outside_over_data;
    prt_reduce_scatter(ctx, CALL_reduce_scatter_gradients_outside, 0, at_gradient_shard_outside(ctx),
                       at_gradients_outside(ctx));
    /* examples/moe.place:23: sum_squares: 40.3 KiB, 20.6 kflop */
    ctx->at = LINE_23_computing_in_step;
    kernel_sum_squares_f32_i_to_s_accumulate(at_norm_squared(ctx), at_gradient_shard_outside(ctx), 10304);
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/moe.place:21: reduce_scatter gradients.block over data: payload 4.26 MiB */
        ctx->at = LINE_21_reduce_scatter_gradients_block_over_data;
        prt_reduce_scatter(ctx, CALL_reduce_scatter_gradients_block, 0, at_gradient_shard_block(ctx, layer),
                           at_gradients_block(ctx, layer));
        /* examples/moe.place:23: sum_squares: 1.06 MiB, 558 kflop */
        ctx->at = LINE_23_computing_in_step;
        kernel_sum_squares_f32_i_to_s_accumulate(at_norm_squared(ctx), at_gradient_shard_block(ctx, layer), 279040);
    }
    /* examples/moe.place:21: all_reduce norm_squared over data: payload 4 B */
    ctx->at = LINE_21_all_reduce_norm_squared_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_norm_squared, at_norm_squared(ctx), at_norm_squared(ctx), 1);
    /* examples/moe.place:23: sqrt "->": 8 B, 2 flop */
    ctx->at = LINE_23_computing_in_step;
    kernel_sqrt_f32_s(at_norm_2(ctx), at_norm_squared(ctx));
    /* examples/moe.place:23: output gradient_norm: 4 B */
    ctx->at = LINE_23_output_gradient_norm;
    prt_output(ctx, "gradient_norm", PRT_F32, at_norm_2(ctx), 1);
    /* examples/moe.place:23: clip_factor "->": 8 B, 3 flop */
    ctx->at = LINE_23_computing_in_step;
    kernel_clip_factor_f32_s(at_clip_factor(ctx), at_norm_squared(ctx), 1);
    /* examples/moe.place:23: mul: 80.5 KiB, 10.3 kflop */
    kernel_mul_f32_i_s_in_place_a(at_gradient_shard_outside(ctx), at_clip_factor(ctx), 10304);
    /* examples/moe.place:22: ema: 121 KiB, 30.9 kflop */
    ctx->at = LINE_22_computing_in_step;
    if (ctx->saving_gradients)
        prt_save_gradient(ctx, GRADIENT_outside, 0, at_gradient_shard_outside(ctx));
    kernel_ema_f32_in_place_a(at_adam_m_outside(ctx), at_gradient_shard_outside(ctx), 10304, 0.9);
    /* examples/moe.place:22: ema_square: 121 KiB, 41.2 kflop */
    kernel_ema_square_f32_in_place_a(at_adam_v_outside(ctx), at_gradient_shard_outside(ctx), 10304, 0.999);
    /* examples/moe.place:21: slice parameters.outside over data: 201 KiB */
    ctx->at = LINE_21_slice_parameters_outside_over_data;
    prt_slice(ctx, PRT_F32, LAYOUT_outside, LAYOUT_outside_over_data, 0, at_parameter_shard_outside(ctx),
              at_parameters_outside(ctx));
    /* examples/moe.place:22: adamw: 161 KiB, 92.7 kflop */
    ctx->at = LINE_22_computing_in_step;
    kernel_adamw_f32_i_i_i_s_s_s_in_place_a(at_parameter_shard_outside(ctx), at_adam_m_outside(ctx),
                                            at_adam_v_outside(ctx), at_rate(ctx), at_correction1(ctx),
                                            at_correction2(ctx), 10304, 1e-08, 0);
    /* examples/moe.place:21: all_gather parameter_shard.outside over data: payload 161 KiB */
    ctx->at = LINE_21_all_gather_parameter_shard_outside_over_data;
    prt_all_gather(ctx, CALL_all_gather_parameter_shard_outside, 0, at_parameters_outside(ctx),
                   at_parameter_shard_outside(ctx));
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/moe.place:23: mul: 2.13 MiB, 279 kflop */
        ctx->at = LINE_23_computing_in_step;
        kernel_mul_f32_i_s_in_place_a(at_gradient_shard_block(ctx, layer), at_clip_factor(ctx), 279040);
        /* examples/moe.place:22: ema: 3.19 MiB, 837 kflop */
        ctx->at = LINE_22_computing_in_step;
        if (ctx->saving_gradients)
            prt_save_gradient(ctx, GRADIENT_block, layer, at_gradient_shard_block(ctx, layer));
        kernel_ema_f32_in_place_a(at_adam_m_block(ctx, layer), at_gradient_shard_block(ctx, layer), 279040, 0.9);
        /* examples/moe.place:22: ema_square: 3.19 MiB, 1.12 Mflop */
        kernel_ema_square_f32_in_place_a(at_adam_v_block(ctx, layer), at_gradient_shard_block(ctx, layer), 279040,
                                         0.999);
        /* examples/moe.place:21: slice parameters.block over data: 5.32 MiB */
        ctx->at = LINE_21_slice_parameters_block_over_data;
        prt_slice(ctx, PRT_F32, LAYOUT_block, LAYOUT_block_over_data, 0, at_parameter_shard_block(ctx),
                  at_parameters_block(ctx, layer));
        /* examples/moe.place:22: adamw: 4.26 MiB, 2.51 Mflop */
        ctx->at = LINE_22_computing_in_step;
        kernel_adamw_f32_i_i_i_s_s_s_in_place_a(at_parameter_shard_block(ctx), at_adam_m_block(ctx, layer),
                                                at_adam_v_block(ctx, layer), at_rate(ctx), at_correction1(ctx),
                                                at_correction2(ctx), 279040, 1e-08, 0);
        /* examples/moe.place:21: all_gather parameter_shard.block over data: payload 4.26 MiB */
        ctx->at = LINE_21_all_gather_parameter_shard_block_over_data;
        prt_all_gather(ctx, CALL_all_gather_parameter_shard_block, 0, at_parameters_block(ctx, layer),
                       at_parameter_shard_block(ctx));
    }
}

/* The loss on examples that are held out. */
static void eval(prt_context *ctx)
{
    /* examples/moe.place:14: fill: 4 B */
    ctx->at = LINE_14_computing_in_eval;
    kernel_fill_f32_to_s(at_eval_loss_5_sum(ctx), 0);
    for (int64_t micro = 0; micro < 1; micro++) {
        /* examples/moe.place:5: read tokens: 512 B */
        ctx->at = LINE_5_read_tokens;
        prt_read(ctx, INPUT_tokens, LAYOUT_8_over_micro_data_by_64, micro, at_eval_tokens(ctx));
        /* examples/moe.place:5: read targets: 512 B */
        ctx->at = LINE_5_read_targets;
        prt_read(ctx, INPUT_targets, LAYOUT_8_over_micro_data_by_64, micro, at_eval_targets(ctx));
        /* examples/moe.place:7: embed "bt,vh->bth": 192 KiB */
        ctx->at = LINE_7_computing_in_eval;
        kernel_embed_f32_i32i_jk_to_ik(at_eval_wte(ctx), at_eval_tokens(ctx),
                                       at_parameters_outside(ctx) + OFFSET_wte_table, 128, 256, 128);
        /* examples/moe.place:7: add "abc,bc->abc": 160 KiB, 16.4 kflop */
        kernel_add_f32_ij_j(at_eval_x(ctx, 0), at_eval_wte(ctx), at_parameters_outside(ctx) + OFFSET_wpe_table, 2,
                            8192);
        /* examples/moe.place:9: iota: 256 B */
        ctx->at = LINE_9_computing_in_eval;
        kernel_iota_i32(at_eval_row_positions(ctx), 64, 0);
        /* examples/moe.place:9: iota: 256 B */
        kernel_iota_i32(at_eval_column_positions(ctx), 64, 0);
        /* examples/moe.place:10: fill "a": 8 B */
        ctx->at = LINE_10_computing_in_eval;
        kernel_fill_f32(at_eval_block_moe_balance_sum(ctx, 0), 2, 0);
        /* examples/moe.place:10: fill "a": 8 B */
        kernel_fill_f32(at_eval_block_moe_z_sum(ctx, 0), 2, 0);
        /* examples/moe.place:10: iota: 80 B */
        kernel_iota_i32(at_eval_place_positions(ctx), 20, 0);
        for (int64_t layer = 0; layer < 4; layer++) {
            /* examples/moe.place:9: row_mean "bth->bt": 64.5 KiB, 16.4 kflop */
            ctx->at = LINE_9_computing_in_eval;
            kernel_row_mean_f32_ij_to_i(at_eval_block_norm1_mean(ctx), at_eval_x(ctx, layer), 128, 128);
            /* examples/moe.place:9: row_rstd "bth,bt->bt": 65.0 KiB, 49.2 kflop */
            kernel_row_rstd_f32_ij_i_to_i(at_eval_block_norm1_rstd(ctx), at_eval_x(ctx, layer),
                                          at_eval_block_norm1_mean(ctx), 128, 128, 1e-05);
            /* examples/moe.place:9: norm "bth,bt,bt,h,h->bth": 130 KiB, 65.5 kflop */
            kernel_norm_f32_ij_i_i_j_j(at_eval_block_norm1(ctx), at_eval_x(ctx, layer), at_eval_block_norm1_mean(ctx),
                                       at_eval_block_norm1_rstd(ctx),
                                       at_parameters_block(ctx, layer) + OFFSET_block_norm1_gain,
                                       at_parameters_block(ctx, layer) + OFFSET_block_norm1_bias, 128, 128);
            /* examples/moe.place:9: einsum "bth,ndh->btnd": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm41 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm41, at_eval_block_norm1(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_query_weight, 0,
                     at_eval_block_attn_query_product(ctx));
            /* examples/moe.place:9: add "btnd,nd->btnd": 128 KiB, 16.4 kflop */
            kernel_add_f32_ij_j(at_eval_block_attn_query(ctx), at_eval_block_attn_query_product(ctx),
                                at_parameters_block(ctx, layer) + OFFSET_block_attn_query_bias, 128, 128);
            /* examples/moe.place:9: einsum "bth,ndh->btnd": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm42 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm42, at_eval_block_norm1(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_key_weight, 0,
                     at_eval_block_attn_key_product(ctx));
            /* examples/moe.place:9: add "btnd,nd->btnd": 128 KiB, 16.4 kflop */
            kernel_add_f32_ij_j(at_eval_block_attn_key(ctx), at_eval_block_attn_key_product(ctx),
                                at_parameters_block(ctx, layer) + OFFSET_block_attn_key_bias, 128, 128);
            /* examples/moe.place:9: einsum "bth,ndh->btnd": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm43 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm43, at_eval_block_norm1(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_value_weight, 0,
                     at_eval_block_attn_value_product(ctx));
            /* examples/moe.place:9: add "btnd,nd->btnd": 128 KiB, 16.4 kflop */
            kernel_add_f32_ij_j(at_eval_block_attn_value(ctx), at_eval_block_attn_value_product(ctx),
                                at_parameters_block(ctx, layer) + OFFSET_block_attn_value_bias, 128, 128);
            /* examples/moe.place:9: einsum "btnd,bsnd->bnts": 256 KiB, 2.1 Mflop */
            const prt_gemm_shape gemm44 = {
                .m = 64, .n = 64, .k = 32,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 64, .c_column = 1,
                .batch_dims = 2,
                .batch = {2, 4},
                .a_batch = {8192, 32},
                .b_batch = {8192, 32},
                .c_batch = {16384, 4096},
            };
            prt_gemm(ctx, PRT_F32, &gemm44, at_eval_block_attn_query(ctx), at_eval_block_attn_key(ctx), 0,
                     at_eval_block_attn_scores(ctx));
            /* examples/moe.place:9: causal_softmax "bnts,t,s->bnts": 256 KiB, 262 kflop */
            kernel_causal_softmax_f32_ijk_i32j_i32k(at_eval_block_attn_weights(ctx), at_eval_block_attn_scores(ctx),
                                                    at_eval_row_positions(ctx), at_eval_column_positions(ctx), 8, 64,
                                                    64, 0.17677669529663687);
            /* examples/moe.place:9: einsum "bnts,bsnd->btnd": 256 KiB, 2.1 Mflop */
            const prt_gemm_shape gemm45 = {
                .m = 64, .n = 32, .k = 64,
                .a_row = 64, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
                .batch_dims = 2,
                .batch = {2, 4},
                .a_batch = {16384, 4096},
                .b_batch = {8192, 32},
                .c_batch = {8192, 32},
            };
            prt_gemm(ctx, PRT_F32, &gemm45, at_eval_block_attn_weights(ctx), at_eval_block_attn_value(ctx), 0,
                     at_eval_block_attn_mixed(ctx));
            /* examples/moe.place:9: einsum "btnd,hnd->bth": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm46 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm46, at_eval_block_attn_mixed(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_out_weight, 0,
                     at_eval_block_attn_product(ctx));
            /* examples/moe.place:9: add "bth,h->bth": 128 KiB, 16.4 kflop */
            kernel_add_f32_ij_j(at_eval_block_attn(ctx), at_eval_block_attn_product(ctx),
                                at_parameters_block(ctx, layer) + OFFSET_block_attn_out_bias, 128, 128);
            /* examples/moe.place:9: add "abc,abc->abc": 192 KiB, 16.4 kflop */
            kernel_add_f32(at_eval_block_x(ctx), at_eval_x(ctx, layer), at_eval_block_attn(ctx), 16384);
            /* examples/moe.place:10: row_mean "bth->bt": 64.5 KiB, 16.4 kflop */
            ctx->at = LINE_10_computing_in_eval;
            kernel_row_mean_f32_ij_to_i(at_eval_block_norm2_mean(ctx), at_eval_block_x(ctx), 128, 128);
            /* examples/moe.place:10: row_rstd "bth,bt->bt": 65.0 KiB, 49.2 kflop */
            kernel_row_rstd_f32_ij_i_to_i(at_eval_block_norm2_rstd(ctx), at_eval_block_x(ctx),
                                          at_eval_block_norm2_mean(ctx), 128, 128, 1e-05);
            /* examples/moe.place:10: norm "bth,bt,bt,h,h->bth": 130 KiB, 65.5 kflop */
            kernel_norm_f32_ij_i_i_j_j(at_eval_block_norm2(ctx), at_eval_block_x(ctx), at_eval_block_norm2_mean(ctx),
                                       at_eval_block_norm2_rstd(ctx),
                                       at_parameters_block(ctx, layer) + OFFSET_block_norm2_gain,
                                       at_parameters_block(ctx, layer) + OFFSET_block_norm2_bias, 128, 128);
            /* examples/moe.place:10: einsum "bth,eh->bte": 72.0 KiB, 262 kflop */
            const prt_gemm_shape gemm47 = {
                .m = 128, .n = 8, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 8, .c_column = 1,
            };
            prt_gemm(ctx, PRT_F32, &gemm47, at_eval_block_norm2(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_moe_router_weight, 0,
                     at_eval_block_moe_logits(ctx));
            /* examples/moe.place:10: softmax "bte->bte": 8.00 KiB, 8.19 kflop */
            kernel_softmax_f32_ij(at_eval_block_moe_probabilities(ctx), at_eval_block_moe_logits(ctx), 128, 8, 1);
            /* examples/moe.place:10: fill "bte": 4.00 KiB */
            kernel_fill_f32(at_eval_block_moe_chosen(ctx), 1024, 0);
            /* examples/moe.place:10: top_next "bte,bte->bte": 12.0 KiB, 4.1 kflop */
            kernel_top_next_f32_ij_ij_in_place_b(at_eval_block_moe_chosen(ctx), at_eval_block_moe_probabilities(ctx),
                                                 128, 8);
            /* examples/moe.place:10: top_next "bte,bte->bte": 12.0 KiB, 4.1 kflop */
            kernel_top_next_f32_ij_ij_in_place_b(at_eval_block_moe_chosen(ctx), at_eval_block_moe_probabilities(ctx),
                                                 128, 8);
            /* examples/moe.place:10: reduce "bte->be": 4.06 KiB, 1.02 kflop */
            kernel_reduce_f32_ijk_to_ik(at_eval_block_moe_load(ctx), at_eval_block_moe_chosen(ctx), 2, 64, 8);
            /* examples/moe.place:10: reduce "bte->be": 4.06 KiB, 1.02 kflop */
            kernel_reduce_f32_ijk_to_ik(at_eval_block_moe_mass(ctx), at_eval_block_moe_probabilities(ctx), 2, 64, 8);
            /* examples/moe.place:10: einsum "be,be->b": 136 B, 32 flop */
            const prt_gemm_shape gemm48 = {
                .m = 1, .n = 1, .k = 8,
                .a_row = 8, .a_column = 1,
                .b_row = 1, .b_column = 8,
                .c_row = 1, .c_column = 1,
                .batch_dims = 1,
                .batch = {2},
                .a_batch = {8},
                .b_batch = {8},
                .c_batch = {1},
            };
            prt_gemm(ctx, PRT_F32, &gemm48, at_eval_block_moe_load(ctx), at_eval_block_moe_mass(ctx), 0,
                     at_eval_block_moe_product(ctx));
            /* examples/moe.place:10: scale "b->b": 16 B, 2 flop */
            kernel_scale_f32(at_eval_block_moe_balance(ctx), at_eval_block_moe_product(ctx), 2, 8.0 / 8192);
            /* examples/moe.place:10: add "b,b->b": 24 B, 2 flop */
            kernel_add_f32_overlap(at_eval_block_moe_balance_sum(ctx, layer + 1),
                                   at_eval_block_moe_balance_sum(ctx, layer), at_eval_block_moe_balance(ctx), 2);
            /* examples/moe.place:10: log_sum_exp "bte->bt": 4.50 KiB, 4.1 kflop */
            kernel_log_sum_exp_f32_ij_to_i(at_eval_block_moe_log_sum(ctx), at_eval_block_moe_logits(ctx), 128, 8);
            /* examples/moe.place:10: einsum "bt,bt->b": 1.01 KiB, 256 flop */
            const prt_gemm_shape gemm49 = {
                .m = 1, .n = 1, .k = 64,
                .a_row = 64, .a_column = 1,
                .b_row = 1, .b_column = 64,
                .c_row = 1, .c_column = 1,
                .batch_dims = 1,
                .batch = {2},
                .a_batch = {64},
                .b_batch = {64},
                .c_batch = {1},
            };
            prt_gemm(ctx, PRT_F32, &gemm49, at_eval_block_moe_log_sum(ctx), at_eval_block_moe_log_sum(ctx), 0,
                     at_eval_block_moe_squares(ctx));
            /* examples/moe.place:10: scale "b->b": 16 B, 2 flop */
            kernel_scale_f32(at_eval_block_moe_z(ctx), at_eval_block_moe_squares(ctx), 2, 1.0 / 64);
            /* examples/moe.place:10: add "b,b->b": 24 B, 2 flop */
            kernel_add_f32_overlap(at_eval_block_moe_z_sum(ctx, layer + 1), at_eval_block_moe_z_sum(ctx, layer),
                                   at_eval_block_moe_z(ctx), 2);
            /* examples/moe.place:10: gate "bte,bte->bte": 12.0 KiB, 3.07 kflop */
            kernel_gate_f32_ij_ij(at_eval_block_moe_gates(ctx), at_eval_block_moe_probabilities(ctx),
                                  at_eval_block_moe_chosen(ctx), 128, 8);
            /* examples/moe.place:10: count_before "bse,t,s->bte": 8.50 KiB, 131 kflop */
            kernel_count_before_f32_ijk_i32l_i32j_to_ilk(at_eval_block_moe_position(ctx), at_eval_block_moe_chosen(ctx),
                                                         at_eval_row_positions(ctx), at_eval_column_positions(ctx), 2,
                                                         64, 8, 64);
            /* examples/moe.place:10: one_hot "bte,bte,c->btec": 88.1 KiB, 20.5 kflop */
            kernel_one_hot_f32_i_i_i32j_to_ij(at_eval_block_moe_dispatch(ctx), at_eval_block_moe_chosen(ctx),
                                              at_eval_block_moe_position(ctx), at_eval_place_positions(ctx), 1024, 20);
            /* examples/moe.place:10: one_hot "bte,bte,c->btec": 88.1 KiB, 20.5 kflop */
            kernel_one_hot_f32_i_i_i32j_to_ij(at_eval_block_moe_combine(ctx), at_eval_block_moe_gates(ctx),
                                              at_eval_block_moe_position(ctx), at_eval_place_positions(ctx), 1024, 20);
            /* examples/moe.place:10: einsum "btec,bth->bech": 304 KiB, 5.24 Mflop */
            const prt_gemm_shape gemm50 = {
                .m = 160, .n = 128, .k = 64,
                .a_row = 1, .a_column = 160,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
                .batch_dims = 1,
                .batch = {2},
                .a_batch = {10240},
                .b_batch = {8192},
                .c_batch = {20480},
            };
            prt_gemm(ctx, PRT_F32, &gemm50, at_eval_block_moe_dispatch(ctx), at_eval_block_norm2(ctx), 0,
                     at_eval_block_moe_inputs(ctx));
            /* examples/moe.place:10: einsum "bech,efh->becf": 2.78 MiB, 41.9 Mflop */
            const prt_gemm_shape gemm51 = {
                .m = 2, .n = 512, .k = 128,
                .a_row = 20480, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 81920, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 20},
                .a_batch = {2560, 128},
                .b_batch = {65536, 0},
                .c_batch = {10240, 512},
            };
            prt_gemm(ctx, PRT_F32, &gemm51, at_eval_block_moe_inputs(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_moe_up_weight, 0, at_eval_block_moe_up(ctx));
            /* examples/moe.place:10: gelu "abcd->abcd": 1.25 MiB, 2.29 Mflop */
            kernel_gelu_f32(at_eval_block_moe_active(ctx), at_eval_block_moe_up(ctx), 163840);
            /* examples/moe.place:10: einsum "becf,ehf->bech": 2.78 MiB, 41.9 Mflop */
            const prt_gemm_shape gemm52 = {
                .m = 2, .n = 128, .k = 512,
                .a_row = 81920, .a_column = 1,
                .b_row = 1, .b_column = 512,
                .c_row = 20480, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 20},
                .a_batch = {10240, 512},
                .b_batch = {65536, 0},
                .c_batch = {2560, 128},
            };
            prt_gemm(ctx, PRT_F32, &gemm52, at_eval_block_moe_active(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_moe_down_weight, 0, at_eval_block_moe_outputs(ctx));
            /* examples/moe.place:10: einsum "btec,bech->bth": 304 KiB, 5.24 Mflop */
            const prt_gemm_shape gemm53 = {
                .m = 64, .n = 128, .k = 160,
                .a_row = 160, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
                .batch_dims = 1,
                .batch = {2},
                .a_batch = {10240},
                .b_batch = {20480},
                .c_batch = {8192},
            };
            prt_gemm(ctx, PRT_F32, &gemm53, at_eval_block_moe_combine(ctx), at_eval_block_moe_outputs(ctx), 0,
                     at_eval_block_moe(ctx));
            /* examples/moe.place:10: add "abc,abc->abc": 192 KiB, 16.4 kflop */
            kernel_add_f32(at_eval_x(ctx, layer + 1), at_eval_block_x(ctx), at_eval_block_moe(ctx), 16384);
        }
        /* examples/moe.place:12: row_mean "bth->bt": 64.5 KiB, 16.4 kflop */
        ctx->at = LINE_12_computing_in_eval;
        kernel_row_mean_f32_ij_to_i(at_eval_norm_mean(ctx), at_eval_x(ctx, 4), 128, 128);
        /* examples/moe.place:12: row_rstd "bth,bt->bt": 65.0 KiB, 49.2 kflop */
        kernel_row_rstd_f32_ij_i_to_i(at_eval_norm_rstd(ctx), at_eval_x(ctx, 4), at_eval_norm_mean(ctx), 128, 128,
                                      1e-05);
        /* examples/moe.place:12: norm "bth,bt,bt,h,h->bth": 130 KiB, 65.5 kflop */
        kernel_norm_f32_ij_i_i_j_j(at_eval_norm(ctx), at_eval_x(ctx, 4), at_eval_norm_mean(ctx), at_eval_norm_rstd(ctx),
                                   at_parameters_outside(ctx) + OFFSET_norm_gain,
                                   at_parameters_outside(ctx) + OFFSET_norm_bias, 128, 128);
        /* examples/moe.place:12: einsum "bth,oh->bto": 320 KiB, 8.39 Mflop */
        const prt_gemm_shape gemm54 = {
            .m = 128, .n = 256, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, PRT_F32, &gemm54, at_eval_norm(ctx), at_parameters_outside(ctx) + OFFSET_wte_table, 0,
                 at_eval_logits(ctx));
        /* examples/moe.place:13: iota: 1.00 KiB */
        ctx->at = LINE_13_computing_in_eval;
        kernel_iota_i32(at_eval_class_positions(ctx), 256, 0);
        /* examples/moe.place:13: row_max "btv->bt": 128 KiB, 32.8 kflop */
        kernel_row_max_f32_ij_to_i(at_eval_loss_terms_largest(ctx), at_eval_logits(ctx), 128, 256);
        /* examples/moe.place:13: exp_sum "btv,bt->bt": 129 KiB, 131 kflop */
        kernel_exp_sum_f32_ij_i_to_i(at_eval_loss_terms_exp_sum(ctx), at_eval_logits(ctx),
                                     at_eval_loss_terms_largest(ctx), 128, 256);
        /* examples/moe.place:13: pick "btv,bt,v->bt": 130 KiB, 32.8 kflop */
        kernel_pick_f32_ij_i32i_i32j_to_i(at_eval_loss_terms_target_logit(ctx), at_eval_logits(ctx),
                                          at_eval_targets(ctx), at_eval_class_positions(ctx), 128, 256);
        /* examples/moe.place:13: log_loss "bt,bt,bt->bt": 2.00 KiB, 768 flop */
        kernel_log_loss_f32(at_eval_loss_terms(ctx), at_eval_loss_terms_largest(ctx), at_eval_loss_terms_exp_sum(ctx),
                            at_eval_loss_terms_target_logit(ctx), 128);
        /* examples/moe.place:13: reduce "ab->": 516 B, 128 flop */
        kernel_reduce_f32_i_to_s(at_eval_loss(ctx), at_eval_loss_terms(ctx), 128);
        /* examples/moe.place:13: scale "->": 8 B, 1 flop */
        kernel_scale_f32_s_in_place_a(at_eval_loss(ctx), 1.0 / 512);
        /* examples/moe.place:14: reduce "a->": 12 B, 2 flop */
        ctx->at = LINE_14_computing_in_eval;
        kernel_reduce_f32_i_to_s(at_eval_loss_2(ctx), at_eval_block_moe_balance_sum(ctx, 4), 2);
        /* examples/moe.place:14: scale "->": 8 B, 1 flop */
        kernel_scale_f32_s_in_place_a(at_eval_loss_2(ctx), 1.0 / 800);
        /* examples/moe.place:14: add ",->": 12 B, 1 flop */
        kernel_add_f32_s_s(at_eval_loss_3(ctx), at_eval_loss(ctx), at_eval_loss_2(ctx));
        /* examples/moe.place:14: reduce "a->": 12 B, 2 flop */
        kernel_reduce_f32_i_to_s(at_eval_loss_4(ctx), at_eval_block_moe_z_sum(ctx, 4), 2);
        /* examples/moe.place:14: scale "->": 8 B, 1 flop */
        kernel_scale_f32_s_in_place_a(at_eval_loss_4(ctx), 1.0 / 8000);
        /* examples/moe.place:14: add ",->": 12 B, 1 flop */
        kernel_add_f32_s_s(at_eval_loss_5(ctx), at_eval_loss_3(ctx), at_eval_loss_4(ctx));
        /* examples/moe.place:14: add to eval.loss.5.sum "->": 12 B */
        kernel_copy_f32_s_accumulate(at_eval_loss_5_sum(ctx), at_eval_loss_5(ctx));
    }
    /* examples/moe.place:21: all_reduce eval.loss.5.sum over data: payload 4 B */
    ctx->at = LINE_21_all_reduce_eval_loss_5_sum_over_data;
    prt_all_reduce(ctx, CALL_eval_all_reduce_loss_5_sum, at_eval_loss_5_sum(ctx), at_eval_loss_5_sum(ctx), 1);
    /* examples/moe.place:13: output loss: 4 B */
    ctx->at = LINE_13_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_eval_loss_5_sum(ctx), 1);
}

/* The model's output on the text so far. */
static void predict(prt_context *ctx)
{
    /* examples/moe.place:5: read tokens: 256 B */
    ctx->at = LINE_5_read_tokens;
    prt_read(ctx, INPUT_tokens, LAYOUT_1_by_64, 0, at_predict_tokens(ctx));
    /* examples/moe.place:7: embed "bt,vh->bth": 160 KiB */
    ctx->at = LINE_7_computing_in_predict;
    kernel_embed_f32_i32i_jk_to_ik(at_predict_wte(ctx), at_predict_tokens(ctx),
                                   at_parameters_outside(ctx) + OFFSET_wte_table, 64, 256, 128);
    /* examples/moe.place:7: add "abc,bc->abc": 96.0 KiB, 8.19 kflop */
    kernel_add_f32_ij_j(at_predict_x(ctx, 0), at_predict_wte(ctx), at_parameters_outside(ctx) + OFFSET_wpe_table, 1,
                        8192);
    /* examples/moe.place:9: iota: 256 B */
    ctx->at = LINE_9_computing_in_predict;
    kernel_iota_i32(at_predict_row_positions(ctx), 64, 0);
    /* examples/moe.place:9: iota: 256 B */
    kernel_iota_i32(at_predict_column_positions(ctx), 64, 0);
    /* examples/moe.place:10: iota: 80 B */
    ctx->at = LINE_10_computing_in_predict;
    kernel_iota_i32(at_predict_place_positions(ctx), 20, 0);
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/moe.place:9: row_mean "bth->bt": 32.2 KiB, 8.19 kflop */
        ctx->at = LINE_9_computing_in_predict;
        kernel_row_mean_f32_ij_to_i(at_predict_block_norm1_mean(ctx), at_predict_x(ctx, layer), 64, 128);
        /* examples/moe.place:9: row_rstd "bth,bt->bt": 32.5 KiB, 24.6 kflop */
        kernel_row_rstd_f32_ij_i_to_i(at_predict_block_norm1_rstd(ctx), at_predict_x(ctx, layer),
                                      at_predict_block_norm1_mean(ctx), 64, 128, 1e-05);
        /* examples/moe.place:9: norm "bth,bt,bt,h,h->bth": 65.5 KiB, 32.8 kflop */
        kernel_norm_f32_ij_i_i_j_j(at_predict_block_norm1(ctx), at_predict_x(ctx, layer),
                                   at_predict_block_norm1_mean(ctx), at_predict_block_norm1_rstd(ctx),
                                   at_parameters_block(ctx, layer) + OFFSET_block_norm1_gain,
                                   at_parameters_block(ctx, layer) + OFFSET_block_norm1_bias, 64, 128);
        /* examples/moe.place:9: einsum "bth,ndh->btnd": 128 KiB, 2.1 Mflop */
        const prt_gemm_shape gemm55 = {
            .m = 64, .n = 128, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 128, .c_column = 1,
        };
        prt_gemm(ctx, PRT_F32, &gemm55, at_predict_block_norm1(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_query_weight, 0,
                 at_predict_block_attn_query_product(ctx));
        /* examples/moe.place:9: add "btnd,nd->btnd": 64.5 KiB, 8.19 kflop */
        kernel_add_f32_ij_j(at_predict_block_attn_query(ctx), at_predict_block_attn_query_product(ctx),
                            at_parameters_block(ctx, layer) + OFFSET_block_attn_query_bias, 64, 128);
        /* examples/moe.place:9: einsum "bth,ndh->btnd": 128 KiB, 2.1 Mflop */
        const prt_gemm_shape gemm56 = {
            .m = 64, .n = 128, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 128, .c_column = 1,
        };
        prt_gemm(ctx, PRT_F32, &gemm56, at_predict_block_norm1(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_key_weight, 0,
                 at_predict_block_attn_key_product(ctx));
        /* examples/moe.place:9: add "btnd,nd->btnd": 64.5 KiB, 8.19 kflop */
        kernel_add_f32_ij_j(at_predict_block_attn_key(ctx), at_predict_block_attn_key_product(ctx),
                            at_parameters_block(ctx, layer) + OFFSET_block_attn_key_bias, 64, 128);
        /* examples/moe.place:9: einsum "bth,ndh->btnd": 128 KiB, 2.1 Mflop */
        const prt_gemm_shape gemm57 = {
            .m = 64, .n = 128, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 128, .c_column = 1,
        };
        prt_gemm(ctx, PRT_F32, &gemm57, at_predict_block_norm1(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_value_weight, 0,
                 at_predict_block_attn_value_product(ctx));
        /* examples/moe.place:9: add "btnd,nd->btnd": 64.5 KiB, 8.19 kflop */
        kernel_add_f32_ij_j(at_predict_block_attn_value(ctx), at_predict_block_attn_value_product(ctx),
                            at_parameters_block(ctx, layer) + OFFSET_block_attn_value_bias, 64, 128);
        /* examples/moe.place:9: einsum "btnd,bsnd->bnts": 128 KiB, 1.05 Mflop */
        const prt_gemm_shape gemm58 = {
            .m = 64, .n = 64, .k = 32,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 64, .c_column = 1,
            .batch_dims = 2,
            .batch = {1, 4},
            .a_batch = {8192, 32},
            .b_batch = {8192, 32},
            .c_batch = {16384, 4096},
        };
        prt_gemm(ctx, PRT_F32, &gemm58, at_predict_block_attn_query(ctx), at_predict_block_attn_key(ctx), 0,
                 at_predict_block_attn_scores(ctx));
        /* examples/moe.place:9: causal_softmax "bnts,t,s->bnts": 128 KiB, 131 kflop */
        kernel_causal_softmax_f32_ijk_i32j_i32k(at_predict_block_attn_weights(ctx), at_predict_block_attn_scores(ctx),
                                                at_predict_row_positions(ctx), at_predict_column_positions(ctx), 4, 64,
                                                64, 0.17677669529663687);
        /* examples/moe.place:9: einsum "bnts,bsnd->btnd": 128 KiB, 1.05 Mflop */
        const prt_gemm_shape gemm59 = {
            .m = 64, .n = 32, .k = 64,
            .a_row = 64, .a_column = 1,
            .b_row = 128, .b_column = 1,
            .c_row = 128, .c_column = 1,
            .batch_dims = 2,
            .batch = {1, 4},
            .a_batch = {16384, 4096},
            .b_batch = {8192, 32},
            .c_batch = {8192, 32},
        };
        prt_gemm(ctx, PRT_F32, &gemm59, at_predict_block_attn_weights(ctx), at_predict_block_attn_value(ctx), 0,
                 at_predict_block_attn_mixed(ctx));
        /* examples/moe.place:9: einsum "btnd,hnd->bth": 128 KiB, 2.1 Mflop */
        const prt_gemm_shape gemm60 = {
            .m = 64, .n = 128, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 128, .c_column = 1,
        };
        prt_gemm(ctx, PRT_F32, &gemm60, at_predict_block_attn_mixed(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_out_weight, 0, at_predict_block_attn_product(ctx));
        /* examples/moe.place:9: add "bth,h->bth": 64.5 KiB, 8.19 kflop */
        kernel_add_f32_ij_j(at_predict_block_attn(ctx), at_predict_block_attn_product(ctx),
                            at_parameters_block(ctx, layer) + OFFSET_block_attn_out_bias, 64, 128);
        /* examples/moe.place:9: add "abc,abc->abc": 96.0 KiB, 8.19 kflop */
        kernel_add_f32(at_predict_block_x(ctx), at_predict_x(ctx, layer), at_predict_block_attn(ctx), 8192);
        /* examples/moe.place:10: row_mean "bth->bt": 32.2 KiB, 8.19 kflop */
        ctx->at = LINE_10_computing_in_predict;
        kernel_row_mean_f32_ij_to_i(at_predict_block_norm2_mean(ctx), at_predict_block_x(ctx), 64, 128);
        /* examples/moe.place:10: row_rstd "bth,bt->bt": 32.5 KiB, 24.6 kflop */
        kernel_row_rstd_f32_ij_i_to_i(at_predict_block_norm2_rstd(ctx), at_predict_block_x(ctx),
                                      at_predict_block_norm2_mean(ctx), 64, 128, 1e-05);
        /* examples/moe.place:10: norm "bth,bt,bt,h,h->bth": 65.5 KiB, 32.8 kflop */
        kernel_norm_f32_ij_i_i_j_j(at_predict_block_norm2(ctx), at_predict_block_x(ctx),
                                   at_predict_block_norm2_mean(ctx), at_predict_block_norm2_rstd(ctx),
                                   at_parameters_block(ctx, layer) + OFFSET_block_norm2_gain,
                                   at_parameters_block(ctx, layer) + OFFSET_block_norm2_bias, 64, 128);
        /* examples/moe.place:10: einsum "bth,eh->bte": 38.0 KiB, 131 kflop */
        const prt_gemm_shape gemm61 = {
            .m = 64, .n = 8, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 8, .c_column = 1,
        };
        prt_gemm(ctx, PRT_F32, &gemm61, at_predict_block_norm2(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_moe_router_weight, 0, at_predict_block_moe_logits(ctx));
        /* examples/moe.place:10: softmax "bte->bte": 4.00 KiB, 4.1 kflop */
        kernel_softmax_f32_ij(at_predict_block_moe_probabilities(ctx), at_predict_block_moe_logits(ctx), 64, 8, 1);
        /* examples/moe.place:10: fill "bte": 2.00 KiB */
        kernel_fill_f32(at_predict_block_moe_chosen(ctx), 512, 0);
        /* examples/moe.place:10: top_next "bte,bte->bte": 6.00 KiB, 2.05 kflop */
        kernel_top_next_f32_ij_ij_in_place_b(at_predict_block_moe_chosen(ctx), at_predict_block_moe_probabilities(ctx),
                                             64, 8);
        /* examples/moe.place:10: top_next "bte,bte->bte": 6.00 KiB, 2.05 kflop */
        kernel_top_next_f32_ij_ij_in_place_b(at_predict_block_moe_chosen(ctx), at_predict_block_moe_probabilities(ctx),
                                             64, 8);
        /* examples/moe.place:10: gate "bte,bte->bte": 6.00 KiB, 1.54 kflop */
        kernel_gate_f32_ij_ij(at_predict_block_moe_gates(ctx), at_predict_block_moe_probabilities(ctx),
                              at_predict_block_moe_chosen(ctx), 64, 8);
        /* examples/moe.place:10: count_before "bse,t,s->bte": 4.50 KiB, 65.5 kflop */
        kernel_count_before_f32_ijk_i32l_i32j_to_ilk(at_predict_block_moe_position(ctx),
                                                     at_predict_block_moe_chosen(ctx), at_predict_row_positions(ctx),
                                                     at_predict_column_positions(ctx), 1, 64, 8, 64);
        /* examples/moe.place:10: one_hot "bte,bte,c->btec": 44.1 KiB, 10.2 kflop */
        kernel_one_hot_f32_i_i_i32j_to_ij(at_predict_block_moe_dispatch(ctx), at_predict_block_moe_chosen(ctx),
                                          at_predict_block_moe_position(ctx), at_predict_place_positions(ctx), 512, 20);
        /* examples/moe.place:10: one_hot "bte,bte,c->btec": 44.1 KiB, 10.2 kflop */
        kernel_one_hot_f32_i_i_i32j_to_ij(at_predict_block_moe_combine(ctx), at_predict_block_moe_gates(ctx),
                                          at_predict_block_moe_position(ctx), at_predict_place_positions(ctx), 512, 20);
        /* examples/moe.place:10: einsum "btec,bth->bech": 152 KiB, 2.62 Mflop */
        const prt_gemm_shape gemm62 = {
            .m = 160, .n = 128, .k = 64,
            .a_row = 1, .a_column = 160,
            .b_row = 128, .b_column = 1,
            .c_row = 128, .c_column = 1,
            .batch_dims = 1,
            .batch = {1},
            .a_batch = {10240},
            .b_batch = {8192},
            .c_batch = {20480},
        };
        prt_gemm(ctx, PRT_F32, &gemm62, at_predict_block_moe_dispatch(ctx), at_predict_block_norm2(ctx), 0,
                 at_predict_block_moe_inputs(ctx));
        /* examples/moe.place:10: einsum "bech,efh->becf": 2.39 MiB, 21 Mflop */
        const prt_gemm_shape gemm63 = {
            .m = 1, .n = 512, .k = 128,
            .a_row = 20480, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 81920, .c_column = 1,
            .batch_dims = 2,
            .batch = {8, 20},
            .a_batch = {2560, 128},
            .b_batch = {65536, 0},
            .c_batch = {10240, 512},
        };
        prt_gemm(ctx, PRT_F32, &gemm63, at_predict_block_moe_inputs(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_moe_up_weight, 0, at_predict_block_moe_up(ctx));
        /* examples/moe.place:10: gelu "abcd->abcd": 640 KiB, 1.15 Mflop */
        kernel_gelu_f32(at_predict_block_moe_active(ctx), at_predict_block_moe_up(ctx), 81920);
        /* examples/moe.place:10: einsum "becf,ehf->bech": 2.39 MiB, 21 Mflop */
        const prt_gemm_shape gemm64 = {
            .m = 1, .n = 128, .k = 512,
            .a_row = 81920, .a_column = 1,
            .b_row = 1, .b_column = 512,
            .c_row = 20480, .c_column = 1,
            .batch_dims = 2,
            .batch = {8, 20},
            .a_batch = {10240, 512},
            .b_batch = {65536, 0},
            .c_batch = {2560, 128},
        };
        prt_gemm(ctx, PRT_F32, &gemm64, at_predict_block_moe_active(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_moe_down_weight, 0, at_predict_block_moe_outputs(ctx));
        /* examples/moe.place:10: einsum "btec,bech->bth": 152 KiB, 2.62 Mflop */
        const prt_gemm_shape gemm65 = {
            .m = 64, .n = 128, .k = 160,
            .a_row = 160, .a_column = 1,
            .b_row = 128, .b_column = 1,
            .c_row = 128, .c_column = 1,
            .batch_dims = 1,
            .batch = {1},
            .a_batch = {10240},
            .b_batch = {20480},
            .c_batch = {8192},
        };
        prt_gemm(ctx, PRT_F32, &gemm65, at_predict_block_moe_combine(ctx), at_predict_block_moe_outputs(ctx), 0,
                 at_predict_block_moe(ctx));
        /* examples/moe.place:10: add "abc,abc->abc": 96.0 KiB, 8.19 kflop */
        kernel_add_f32(at_predict_x(ctx, layer + 1), at_predict_block_x(ctx), at_predict_block_moe(ctx), 8192);
    }
    /* examples/moe.place:12: row_mean "bth->bt": 32.2 KiB, 8.19 kflop */
    ctx->at = LINE_12_computing_in_predict;
    kernel_row_mean_f32_ij_to_i(at_predict_norm_mean(ctx), at_predict_x(ctx, 4), 64, 128);
    /* examples/moe.place:12: row_rstd "bth,bt->bt": 32.5 KiB, 24.6 kflop */
    kernel_row_rstd_f32_ij_i_to_i(at_predict_norm_rstd(ctx), at_predict_x(ctx, 4), at_predict_norm_mean(ctx), 64, 128,
                                  1e-05);
    /* examples/moe.place:12: norm "bth,bt,bt,h,h->bth": 65.5 KiB, 32.8 kflop */
    kernel_norm_f32_ij_i_i_j_j(at_predict_norm(ctx), at_predict_x(ctx, 4), at_predict_norm_mean(ctx),
                               at_predict_norm_rstd(ctx), at_parameters_outside(ctx) + OFFSET_norm_gain,
                               at_parameters_outside(ctx) + OFFSET_norm_bias, 64, 128);
    /* examples/moe.place:12: einsum "bth,oh->bto": 224 KiB, 4.19 Mflop */
    const prt_gemm_shape gemm66 = {
        .m = 64, .n = 256, .k = 128,
        .a_row = 128, .a_column = 1,
        .b_row = 1, .b_column = 128,
        .c_row = 256, .c_column = 1,
    };
    prt_gemm(ctx, PRT_F32, &gemm66, at_predict_norm(ctx), at_parameters_outside(ctx) + OFFSET_wte_table, 0,
             at_predict_logits(ctx));
    /* examples/moe.place:13: output logits: 64.0 KiB */
    ctx->at = LINE_13_output_logits;
    prt_output(ctx, "logits", PRT_F32, at_predict_logits(ctx), 16384);
}

/* ---- The plan, for the runtime ---- */

/* Rows of a table. */
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static const prt_tensor tensors[] = {
    [TENSOR_wte_table] = {"wte.table", NULL, 1, PRT_F32, 2, {256, 128}, PRT_NORMAL, 0.02},
    [TENSOR_wpe_table] = {"wpe.table", NULL, 1, PRT_F32, 2, {64, 128}, PRT_NORMAL, 0.02},
    [TENSOR_block_norm1_gain] = {"block.norm1.gain", "block", 4, PRT_F32, 1, {128}, PRT_ONES, 0},
    [TENSOR_block_norm1_bias] = {"block.norm1.bias", "block", 4, PRT_F32, 1, {128}, PRT_ZEROS, 0},
    [TENSOR_block_attn_query_weight] =
        {"block.attn.query.weight", "block", 4, PRT_F32, 3, {4, 32, 128}, PRT_NORMAL, 0.02},
    [TENSOR_block_attn_query_bias] = {"block.attn.query.bias", "block", 4, PRT_F32, 2, {4, 32}, PRT_ZEROS, 0},
    [TENSOR_block_attn_key_weight] = {"block.attn.key.weight", "block", 4, PRT_F32, 3, {4, 32, 128}, PRT_NORMAL, 0.02},
    [TENSOR_block_attn_key_bias] = {"block.attn.key.bias", "block", 4, PRT_F32, 2, {4, 32}, PRT_ZEROS, 0},
    [TENSOR_block_attn_value_weight] =
        {"block.attn.value.weight", "block", 4, PRT_F32, 3, {4, 32, 128}, PRT_NORMAL, 0.02},
    [TENSOR_block_attn_value_bias] = {"block.attn.value.bias", "block", 4, PRT_F32, 2, {4, 32}, PRT_ZEROS, 0},
    [TENSOR_block_attn_out_weight] =
        {"block.attn.out.weight", "block", 4, PRT_F32, 3, {128, 4, 32}, PRT_NORMAL, 0.0070710678118654745},
    [TENSOR_block_attn_out_bias] = {"block.attn.out.bias", "block", 4, PRT_F32, 1, {128}, PRT_ZEROS, 0},
    [TENSOR_block_norm2_gain] = {"block.norm2.gain", "block", 4, PRT_F32, 1, {128}, PRT_ONES, 0},
    [TENSOR_block_norm2_bias] = {"block.norm2.bias", "block", 4, PRT_F32, 1, {128}, PRT_ZEROS, 0},
    [TENSOR_block_moe_router_weight] = {"block.moe.router.weight", "block", 4, PRT_F32, 2, {8, 128}, PRT_NORMAL, 0.02},
    [TENSOR_block_moe_up_weight] = {"block.moe.up.weight", "block", 4, PRT_F32, 3, {8, 512, 128}, PRT_NORMAL, 0.02},
    [TENSOR_block_moe_down_weight] =
        {"block.moe.down.weight", "block", 4, PRT_F32, 3, {8, 128, 512}, PRT_NORMAL, 0.0070710678118654745},
    [TENSOR_norm_gain] = {"norm.gain", NULL, 1, PRT_F32, 1, {128}, PRT_ONES, 0},
    [TENSOR_norm_bias] = {"norm.bias", NULL, 1, PRT_F32, 1, {128}, PRT_ZEROS, 0},
};

static const prt_input inputs[] = {
    [INPUT_tokens] = {"tokens", PRT_I32, PRT_TOKENS, 256, 2, {8, 64}},
    [INPUT_targets] = {"targets", PRT_I32, PRT_TARGETS, 256, 2, {8, 64}},
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
    {TENSOR_block_moe_router_weight, OFFSET_block_moe_router_weight, NULL},
    {TENSOR_block_moe_up_weight, OFFSET_block_moe_up_weight, NULL},
    {TENSOR_block_moe_down_weight, OFFSET_block_moe_down_weight, NULL},
};

static const prt_unit units[] = {
    [UNIT_outside] = {"outside", 0, 0, COUNT(members_outside), members_outside, 41216},
    [UNIT_block] = {"block", 0, 3, COUNT(members_block), members_block, 1116160},
};

static const prt_state states[] = {
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 164864,
        .layout = LAYOUT_outside,
        .tensor = -1,
    },
    {
        .state = "adam_m",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_m_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 41216,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    {
        .state = "adam_v",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_v_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 41216,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_block,
        .dtype = PRT_F32,
        .slots = 4,
        .slot_bytes = 4464640,
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
        .slot_bytes = 1116160,
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
        .slot_bytes = 1116160,
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
        .slot_bytes = 41216,
        .layout = LAYOUT_outside_over_data,
        .tensor = -1,
    },
    [GRADIENT_block] = {
        .state = "gradients",
        .dtype = PRT_F32,
        .slots = 4,
        .slot_bytes = 1116160,
        .layout = LAYOUT_block_over_data,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 3}},
    },
};

static const prt_group groups[] = {
    [GROUP_data] = {1, {AXIS_data}},
};

static const prt_call calls[] = {
    [CALL_all_reduce_loss_5_sum] = {
        .op = PRT_ALL_REDUCE,
        .state = "loss.5.sum",
        .group = GROUP_data,
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_scalar,
        .into = LAYOUT_scalar,
        .event = -1,
        .stream = 0,
        .source = LINE_21_all_reduce_loss_5_sum_over_data,
        .calls_per_step = 1,
        .payload_bytes = 4,
        .bytes_per_device = 6,
    },
    [CALL_reduce_scatter_gradients_outside] = {
        .op = PRT_REDUCE_SCATTER,
        .state = "gradients",
        .group = GROUP_data,
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_outside,
        .into = LAYOUT_outside_over_data,
        .event = -1,
        .stream = 0,
        .source = LINE_21_reduce_scatter_gradients_outside_over_data,
        .calls_per_step = 1,
        .payload_bytes = 164864,
        .bytes_per_device = 123648,
    },
    [CALL_reduce_scatter_gradients_block] = {
        .op = PRT_REDUCE_SCATTER,
        .state = "gradients",
        .group = GROUP_data,
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_block,
        .into = LAYOUT_block_over_data,
        .event = -1,
        .stream = 0,
        .source = LINE_21_reduce_scatter_gradients_block_over_data,
        .calls_per_step = 4,
        .payload_bytes = 4464640,
        .bytes_per_device = 13393920,
    },
    [CALL_all_reduce_norm_squared] = {
        .op = PRT_ALL_REDUCE,
        .state = "norm_squared",
        .group = GROUP_data,
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_scalar,
        .into = LAYOUT_scalar,
        .event = -1,
        .stream = 0,
        .source = LINE_21_all_reduce_norm_squared_over_data,
        .calls_per_step = 1,
        .payload_bytes = 4,
        .bytes_per_device = 6,
    },
    [CALL_all_gather_parameter_shard_outside] = {
        .op = PRT_ALL_GATHER,
        .state = "parameters",
        .group = GROUP_data,
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_outside_over_data,
        .into = LAYOUT_outside,
        .event = -1,
        .stream = 0,
        .source = LINE_21_all_gather_parameter_shard_outside_over_data,
        .calls_per_step = 1,
        .payload_bytes = 164864,
        .bytes_per_device = 123648,
    },
    [CALL_all_gather_parameter_shard_block] = {
        .op = PRT_ALL_GATHER,
        .state = "parameters",
        .group = GROUP_data,
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_block_over_data,
        .into = LAYOUT_block,
        .event = -1,
        .stream = 0,
        .source = LINE_21_all_gather_parameter_shard_block_over_data,
        .calls_per_step = 4,
        .payload_bytes = 4464640,
        .bytes_per_device = 13393920,
    },
    [CALL_eval_all_reduce_loss_5_sum] = {
        .op = PRT_ALL_REDUCE,
        .state = "eval.loss.5.sum",
        .group = GROUP_data,
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_scalar,
        .into = LAYOUT_scalar,
        .event = -1,
        .stream = 0,
        .source = LINE_21_all_reduce_eval_loss_5_sum_over_data,
        .calls_per_step = 0,
        .payload_bytes = 4,
        .bytes_per_device = 0,
    },
};

static const prt_layout layouts[] = {
    [LAYOUT_outside] = {.unit = UNIT_outside},
    [LAYOUT_block] = {.unit = UNIT_block},
    [LAYOUT_8_over_micro_data_by_64] =
        {.unit = -1, .dim_count = 2, .dims = {{.size = 8, .cut_count = 2, .cut = {PRT_MICRO, AXIS_data}}, {.size = 64}}},
    [LAYOUT_scalar] = {.unit = -1},
    [LAYOUT_outside_over_data] = {.unit = UNIT_outside, .cut_count = 1, .cut = {AXIS_data}},
    [LAYOUT_block_over_data] = {.unit = UNIT_block, .cut_count = 1, .cut = {AXIS_data}},
    [LAYOUT_1_by_64] = {.unit = -1, .dim_count = 2, .dims = {{.size = 1}, {.size = 64}}},
};

static const prt_memory memory[] = {
    {"parameters", 18023424},
    {"gradients", 18023424},
    {"optimizer", 9011716},
    {"activations", 11430712},
    {"buffers", 0},
    {"padding", 388},
};

static const prt_buffer buffers[] = {
    {.name = "parameters.outside", .tier = PRT_DEVICE, .offset = ARENA_parameters_outside, .bytes = 164864},
    {.name = "gradients.outside", .tier = PRT_DEVICE, .offset = ARENA_gradients_outside, .bytes = 164864},
    {.name = "adam_m.outside", .tier = PRT_DEVICE, .offset = ARENA_adam_m_outside, .bytes = 41216},
    {.name = "adam_v.outside", .tier = PRT_DEVICE, .offset = ARENA_adam_v_outside, .bytes = 41216},
    {.name = "parameters.block", .tier = PRT_DEVICE, .offset = ARENA_parameters_block, .bytes = 17858560},
    {.name = "gradients.block", .tier = PRT_DEVICE, .offset = ARENA_gradients_block, .bytes = 17858560},
    {.name = "adam_m.block", .tier = PRT_DEVICE, .offset = ARENA_adam_m_block, .bytes = 4464640},
    {.name = "adam_v.block", .tier = PRT_DEVICE, .offset = ARENA_adam_v_block, .bytes = 4464640},
    {.name = "step", .tier = PRT_DEVICE, .offset = ARENA_step, .bytes = 4},
    {.name = "loss.5.sum", .tier = PRT_DEVICE, .offset = ARENA_loss_5_sum, .bytes = 4},
    {.name = "tokens", .tier = PRT_DEVICE, .offset = ARENA_tokens, .bytes = 512},
    {.name = "targets", .tier = PRT_DEVICE, .offset = ARENA_targets, .bytes = 512},
    {.name = "wte", .tier = PRT_DEVICE, .offset = ARENA_wte, .bytes = 65536},
    {.name = "x", .tier = PRT_DEVICE, .offset = ARENA_x, .bytes = 327680},
    {.name = "row_positions", .tier = PRT_DEVICE, .offset = ARENA_row_positions, .bytes = 256},
    {.name = "column_positions", .tier = PRT_DEVICE, .offset = ARENA_column_positions, .bytes = 256},
    {.name = "block.moe.balance.sum", .tier = PRT_DEVICE, .offset = ARENA_block_moe_balance_sum, .bytes = 40},
    {.name = "block.moe.z.sum", .tier = PRT_DEVICE, .offset = ARENA_block_moe_z_sum, .bytes = 40},
    {.name = "place_positions", .tier = PRT_DEVICE, .offset = ARENA_place_positions, .bytes = 80},
    {.name = "block.norm1.mean", .tier = PRT_DEVICE, .offset = ARENA_block_norm1_mean, .bytes = 2048},
    {.name = "block.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_block_norm1_rstd, .bytes = 2048},
    {.name = "block.norm1", .tier = PRT_DEVICE, .offset = ARENA_block_norm1, .bytes = 262144},
    {.name = "block.attn.query.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_query_product, .bytes = 65536},
    {.name = "block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_block_attn_query, .bytes = 262144},
    {.name = "block.attn.key.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_key_product, .bytes = 65536},
    {.name = "block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_block_attn_key, .bytes = 262144},
    {.name = "block.attn.value.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_value_product, .bytes = 65536},
    {.name = "block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_block_attn_value, .bytes = 262144},
    {.name = "block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_block_attn_scores, .bytes = 131072},
    {.name = "block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_block_attn_weights, .bytes = 524288},
    {.name = "block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_block_attn_mixed, .bytes = 262144},
    {.name = "block.attn.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_product, .bytes = 65536},
    {.name = "block.attn", .tier = PRT_DEVICE, .offset = ARENA_block_attn, .bytes = 65536},
    {.name = "block.x", .tier = PRT_DEVICE, .offset = ARENA_block_x, .bytes = 262144},
    {.name = "block.norm2.mean", .tier = PRT_DEVICE, .offset = ARENA_block_norm2_mean, .bytes = 2048},
    {.name = "block.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_block_norm2_rstd, .bytes = 2048},
    {.name = "block.norm2", .tier = PRT_DEVICE, .offset = ARENA_block_norm2, .bytes = 262144},
    {.name = "block.moe.logits", .tier = PRT_DEVICE, .offset = ARENA_block_moe_logits, .bytes = 16384},
    {.name = "block.moe.probabilities", .tier = PRT_DEVICE, .offset = ARENA_block_moe_probabilities, .bytes = 16384},
    {.name = "block.moe.chosen", .tier = PRT_DEVICE, .offset = ARENA_block_moe_chosen, .bytes = 16384},
    {.name = "block.moe.load", .tier = PRT_DEVICE, .offset = ARENA_block_moe_load, .bytes = 256},
    {.name = "block.moe.mass", .tier = PRT_DEVICE, .offset = ARENA_block_moe_mass, .bytes = 64},
    {.name = "block.moe.product", .tier = PRT_DEVICE, .offset = ARENA_block_moe_product, .bytes = 8},
    {.name = "block.moe.balance", .tier = PRT_DEVICE, .offset = ARENA_block_moe_balance, .bytes = 8},
    {.name = "block.moe.log_sum", .tier = PRT_DEVICE, .offset = ARENA_block_moe_log_sum, .bytes = 2048},
    {.name = "block.moe.squares", .tier = PRT_DEVICE, .offset = ARENA_block_moe_squares, .bytes = 8},
    {.name = "block.moe.z", .tier = PRT_DEVICE, .offset = ARENA_block_moe_z, .bytes = 8},
    {.name = "block.moe.gates", .tier = PRT_DEVICE, .offset = ARENA_block_moe_gates, .bytes = 4096},
    {.name = "block.moe.position", .tier = PRT_DEVICE, .offset = ARENA_block_moe_position, .bytes = 16384},
    {.name = "block.moe.dispatch", .tier = PRT_DEVICE, .offset = ARENA_block_moe_dispatch, .bytes = 327680},
    {.name = "block.moe.combine", .tier = PRT_DEVICE, .offset = ARENA_block_moe_combine, .bytes = 327680},
    {.name = "block.moe.inputs", .tier = PRT_DEVICE, .offset = ARENA_block_moe_inputs, .bytes = 655360},
    {.name = "block.moe.up", .tier = PRT_DEVICE, .offset = ARENA_block_moe_up, .bytes = 2621440},
    {.name = "block.moe.active", .tier = PRT_DEVICE, .offset = ARENA_block_moe_active, .bytes = 2621440},
    {.name = "block.moe.outputs", .tier = PRT_DEVICE, .offset = ARENA_block_moe_outputs, .bytes = 655360},
    {.name = "block.moe", .tier = PRT_DEVICE, .offset = ARENA_block_moe, .bytes = 65536},
    {.name = "norm.mean", .tier = PRT_DEVICE, .offset = ARENA_norm_mean, .bytes = 512},
    {.name = "norm.rstd", .tier = PRT_DEVICE, .offset = ARENA_norm_rstd, .bytes = 512},
    {.name = "norm", .tier = PRT_DEVICE, .offset = ARENA_norm, .bytes = 65536},
    {.name = "logits", .tier = PRT_DEVICE, .offset = ARENA_logits, .bytes = 131072},
    {.name = "class_positions", .tier = PRT_DEVICE, .offset = ARENA_class_positions, .bytes = 1024},
    {.name = "loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_largest, .bytes = 512},
    {.name = "loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_exp_sum, .bytes = 512},
    {.name = "loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_target_logit, .bytes = 512},
    {.name = "loss.terms", .tier = PRT_DEVICE, .offset = ARENA_loss_terms, .bytes = 512},
    {.name = "loss", .tier = PRT_DEVICE, .offset = ARENA_loss, .bytes = 4},
    {.name = "loss.2", .tier = PRT_DEVICE, .offset = ARENA_loss_2, .bytes = 4},
    {.name = "loss.3", .tier = PRT_DEVICE, .offset = ARENA_loss_3, .bytes = 4},
    {.name = "loss.4", .tier = PRT_DEVICE, .offset = ARENA_loss_4, .bytes = 4},
    {.name = "loss.5", .tier = PRT_DEVICE, .offset = ARENA_loss_5, .bytes = 4},
    {.name = "d_loss.terms", .tier = PRT_DEVICE, .offset = ARENA_d_loss_terms, .bytes = 512},
    {.name = "d_block.moe.balance.sum", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_balance_sum, .bytes = 8},
    {.name = "d_block.moe.z.sum", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_z_sum, .bytes = 8},
    {.name = "d_logits", .tier = PRT_DEVICE, .offset = ARENA_d_logits, .bytes = 131072},
    {.name = "d_norm", .tier = PRT_DEVICE, .offset = ARENA_d_norm, .bytes = 65536},
    {.name = "d_x", .tier = PRT_DEVICE, .offset = ARENA_d_x, .bytes = 65536},
    {.name = "d_block.moe.combine", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_combine, .bytes = 81920},
    {.name = "d_block.moe.outputs", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_outputs, .bytes = 163840},
    {.name = "d_block.moe.active", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_active, .bytes = 655360},
    {.name = "d_block.moe.up", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_up, .bytes = 655360},
    {.name = "d_block.moe.inputs", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_inputs, .bytes = 163840},
    {.name = "d_block.norm2", .tier = PRT_DEVICE, .offset = ARENA_d_block_norm2, .bytes = 65536},
    {.name = "d_block.moe.gates", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_gates, .bytes = 4096},
    {.name = "d_block.moe.probabilities", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_probabilities, .bytes = 4096},
    {.name = "d_block.moe.squares", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_squares, .bytes = 8},
    {.name = "d_block.moe.log_sum", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_log_sum, .bytes = 512},
    {.name = "d_block.moe.logits", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_logits, .bytes = 4096},
    {.name = "d_block.moe.product", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_product, .bytes = 8},
    {.name = "d_block.moe.mass", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_mass, .bytes = 64},
    {.name = "d_block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_mixed, .bytes = 65536},
    {.name = "d_block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_weights, .bytes = 131072},
    {.name = "d_block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_value, .bytes = 65536},
    {.name = "d_block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_scores, .bytes = 131072},
    {.name = "d_block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_query, .bytes = 65536},
    {.name = "d_block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_d_block_attn_key, .bytes = 65536},
    {.name = "d_block.norm1", .tier = PRT_DEVICE, .offset = ARENA_d_block_norm1, .bytes = 65536},
    {.name = "norm_squared", .tier = PRT_DEVICE, .offset = ARENA_norm_squared, .bytes = 4},
    {.name = "rate", .tier = PRT_DEVICE, .offset = ARENA_rate, .bytes = 4},
    {.name = "correction1", .tier = PRT_DEVICE, .offset = ARENA_correction1, .bytes = 4},
    {.name = "correction2", .tier = PRT_DEVICE, .offset = ARENA_correction2, .bytes = 4},
    {.name = "gradient_shard.outside", .tier = PRT_DEVICE, .offset = ARENA_gradient_shard_outside, .bytes = 41216},
    {.name = "gradient_shard.block", .tier = PRT_DEVICE, .offset = ARENA_gradient_shard_block, .bytes = 4464640},
    {.name = "norm.2", .tier = PRT_DEVICE, .offset = ARENA_norm_2, .bytes = 4},
    {.name = "clip_factor", .tier = PRT_DEVICE, .offset = ARENA_clip_factor, .bytes = 4},
    {.name = "parameter_shard.outside", .tier = PRT_DEVICE, .offset = ARENA_parameter_shard_outside, .bytes = 41216},
    {.name = "parameter_shard.block", .tier = PRT_DEVICE, .offset = ARENA_parameter_shard_block, .bytes = 1116160},
    {.name = "eval.loss.5.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_5_sum, .bytes = 4},
    {.name = "eval.tokens", .tier = PRT_DEVICE, .offset = ARENA_eval_tokens, .bytes = 512},
    {.name = "eval.targets", .tier = PRT_DEVICE, .offset = ARENA_eval_targets, .bytes = 512},
    {.name = "eval.wte", .tier = PRT_DEVICE, .offset = ARENA_eval_wte, .bytes = 65536},
    {.name = "eval.x", .tier = PRT_DEVICE, .offset = ARENA_eval_x, .bytes = 327680},
    {.name = "eval.row_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_row_positions, .bytes = 256},
    {.name = "eval.column_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_column_positions, .bytes = 256},
    {.name = "eval.block.moe.balance.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_balance_sum, .bytes = 40},
    {.name = "eval.block.moe.z.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_z_sum, .bytes = 40},
    {.name = "eval.place_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_place_positions, .bytes = 80},
    {.name = "eval.block.norm1.mean", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm1_mean, .bytes = 512},
    {.name = "eval.block.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm1_rstd, .bytes = 512},
    {.name = "eval.block.norm1", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm1, .bytes = 65536},
    {.name = "eval.block.attn.query.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_query_product, .bytes = 65536},
    {.name = "eval.block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_query, .bytes = 65536},
    {.name = "eval.block.attn.key.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_key_product, .bytes = 65536},
    {.name = "eval.block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_key, .bytes = 65536},
    {.name = "eval.block.attn.value.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_value_product, .bytes = 65536},
    {.name = "eval.block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_value, .bytes = 65536},
    {.name = "eval.block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_scores, .bytes = 131072},
    {.name = "eval.block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_weights, .bytes = 131072},
    {.name = "eval.block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_mixed, .bytes = 65536},
    {.name = "eval.block.attn.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn_product, .bytes = 65536},
    {.name = "eval.block.attn", .tier = PRT_DEVICE, .offset = ARENA_eval_block_attn, .bytes = 65536},
    {.name = "eval.block.x", .tier = PRT_DEVICE, .offset = ARENA_eval_block_x, .bytes = 65536},
    {.name = "eval.block.norm2.mean", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm2_mean, .bytes = 512},
    {.name = "eval.block.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm2_rstd, .bytes = 512},
    {.name = "eval.block.norm2", .tier = PRT_DEVICE, .offset = ARENA_eval_block_norm2, .bytes = 65536},
    {.name = "eval.block.moe.logits", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_logits, .bytes = 4096},
    {.name = "eval.block.moe.probabilities", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_probabilities, .bytes = 4096},
    {.name = "eval.block.moe.chosen", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_chosen, .bytes = 4096},
    {.name = "eval.block.moe.load", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_load, .bytes = 64},
    {.name = "eval.block.moe.mass", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_mass, .bytes = 64},
    {.name = "eval.block.moe.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_product, .bytes = 8},
    {.name = "eval.block.moe.balance", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_balance, .bytes = 8},
    {.name = "eval.block.moe.log_sum", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_log_sum, .bytes = 512},
    {.name = "eval.block.moe.squares", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_squares, .bytes = 8},
    {.name = "eval.block.moe.z", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_z, .bytes = 8},
    {.name = "eval.block.moe.gates", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_gates, .bytes = 4096},
    {.name = "eval.block.moe.position", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_position, .bytes = 4096},
    {.name = "eval.block.moe.dispatch", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_dispatch, .bytes = 81920},
    {.name = "eval.block.moe.combine", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_combine, .bytes = 81920},
    {.name = "eval.block.moe.inputs", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_inputs, .bytes = 163840},
    {.name = "eval.block.moe.up", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_up, .bytes = 655360},
    {.name = "eval.block.moe.active", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_active, .bytes = 655360},
    {.name = "eval.block.moe.outputs", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_outputs, .bytes = 163840},
    {.name = "eval.block.moe", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe, .bytes = 65536},
    {.name = "eval.norm.mean", .tier = PRT_DEVICE, .offset = ARENA_eval_norm_mean, .bytes = 512},
    {.name = "eval.norm.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_norm_rstd, .bytes = 512},
    {.name = "eval.norm", .tier = PRT_DEVICE, .offset = ARENA_eval_norm, .bytes = 65536},
    {.name = "eval.logits", .tier = PRT_DEVICE, .offset = ARENA_eval_logits, .bytes = 131072},
    {.name = "eval.class_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_class_positions, .bytes = 1024},
    {.name = "eval.loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_largest, .bytes = 512},
    {.name = "eval.loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_exp_sum, .bytes = 512},
    {.name = "eval.loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_target_logit, .bytes = 512},
    {.name = "eval.loss.terms", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms, .bytes = 512},
    {.name = "eval.loss", .tier = PRT_DEVICE, .offset = ARENA_eval_loss, .bytes = 4},
    {.name = "eval.loss.2", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_2, .bytes = 4},
    {.name = "eval.loss.3", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_3, .bytes = 4},
    {.name = "eval.loss.4", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_4, .bytes = 4},
    {.name = "eval.loss.5", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_5, .bytes = 4},
    {.name = "predict.tokens", .tier = PRT_DEVICE, .offset = ARENA_predict_tokens, .bytes = 256},
    {.name = "predict.wte", .tier = PRT_DEVICE, .offset = ARENA_predict_wte, .bytes = 32768},
    {.name = "predict.x", .tier = PRT_DEVICE, .offset = ARENA_predict_x, .bytes = 163840},
    {.name = "predict.row_positions", .tier = PRT_DEVICE, .offset = ARENA_predict_row_positions, .bytes = 256},
    {.name = "predict.column_positions", .tier = PRT_DEVICE, .offset = ARENA_predict_column_positions, .bytes = 256},
    {.name = "predict.place_positions", .tier = PRT_DEVICE, .offset = ARENA_predict_place_positions, .bytes = 80},
    {.name = "predict.block.norm1.mean", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm1_mean, .bytes = 256},
    {.name = "predict.block.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm1_rstd, .bytes = 256},
    {.name = "predict.block.norm1", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm1, .bytes = 32768},
    {.name = "predict.block.attn.query.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_query_product, .bytes = 32768},
    {.name = "predict.block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_query, .bytes = 32768},
    {.name = "predict.block.attn.key.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_key_product, .bytes = 32768},
    {.name = "predict.block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_key, .bytes = 32768},
    {.name = "predict.block.attn.value.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_value_product, .bytes = 32768},
    {.name = "predict.block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_value, .bytes = 32768},
    {.name = "predict.block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_scores, .bytes = 65536},
    {.name = "predict.block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_weights, .bytes = 65536},
    {.name = "predict.block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_mixed, .bytes = 32768},
    {.name = "predict.block.attn.product", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn_product, .bytes = 32768},
    {.name = "predict.block.attn", .tier = PRT_DEVICE, .offset = ARENA_predict_block_attn, .bytes = 32768},
    {.name = "predict.block.x", .tier = PRT_DEVICE, .offset = ARENA_predict_block_x, .bytes = 32768},
    {.name = "predict.block.norm2.mean", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm2_mean, .bytes = 256},
    {.name = "predict.block.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm2_rstd, .bytes = 256},
    {.name = "predict.block.norm2", .tier = PRT_DEVICE, .offset = ARENA_predict_block_norm2, .bytes = 32768},
    {.name = "predict.block.moe.logits", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_logits, .bytes = 2048},
    {.name = "predict.block.moe.probabilities", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_probabilities, .bytes = 2048},
    {.name = "predict.block.moe.chosen", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_chosen, .bytes = 2048},
    {.name = "predict.block.moe.gates", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_gates, .bytes = 2048},
    {.name = "predict.block.moe.position", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_position, .bytes = 2048},
    {.name = "predict.block.moe.dispatch", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_dispatch, .bytes = 40960},
    {.name = "predict.block.moe.combine", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_combine, .bytes = 40960},
    {.name = "predict.block.moe.inputs", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_inputs, .bytes = 81920},
    {.name = "predict.block.moe.up", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_up, .bytes = 327680},
    {.name = "predict.block.moe.active", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_active, .bytes = 327680},
    {.name = "predict.block.moe.outputs", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_outputs, .bytes = 81920},
    {.name = "predict.block.moe", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe, .bytes = 32768},
    {.name = "predict.norm.mean", .tier = PRT_DEVICE, .offset = ARENA_predict_norm_mean, .bytes = 256},
    {.name = "predict.norm.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_norm_rstd, .bytes = 256},
    {.name = "predict.norm", .tier = PRT_DEVICE, .offset = ARENA_predict_norm, .bytes = 32768},
    {.name = "predict.logits", .tier = PRT_DEVICE, .offset = ARENA_predict_logits, .bytes = 65536},
};

static const prt_source sources[] = {
    [NO_LINE_moe] = {"", 0, "moe"},
    [LINE_22_computing_in_init] = {"examples/moe.place", 22, "computing in init"},
    [LINE_7_init] = {"examples/moe.place", 7, "init"},
    [LINE_9_init] = {"examples/moe.place", 9, "init"},
    [LINE_21_computing_in_step] = {"examples/moe.place", 21, "computing in step"},
    [LINE_14_computing_in_step] = {"examples/moe.place", 14, "computing in step"},
    [LINE_5_read_tokens] = {"examples/moe.place", 5, "read tokens"},
    [LINE_5_read_targets] = {"examples/moe.place", 5, "read targets"},
    [LINE_7_computing_in_step] = {"examples/moe.place", 7, "computing in step"},
    [LINE_9_computing_in_step] = {"examples/moe.place", 9, "computing in step"},
    [LINE_10_computing_in_step] = {"examples/moe.place", 10, "computing in step"},
    [LINE_12_computing_in_step] = {"examples/moe.place", 12, "computing in step"},
    [LINE_13_computing_in_step] = {"examples/moe.place", 13, "computing in step"},
    [LINE_21_all_reduce_loss_5_sum_over_data] = {"examples/moe.place", 21, "all_reduce loss.5.sum over data"},
    [LINE_13_output_loss] = {"examples/moe.place", 13, "output loss"},
    [LINE_23_computing_in_step] = {"examples/moe.place", 23, "computing in step"},
    [LINE_22_computing_in_step] = {"examples/moe.place", 22, "computing in step"},
    [LINE_22_output_learning_rate] = {"examples/moe.place", 22, "output learning_rate"},
    [LINE_21_reduce_scatter_gradients_outside_over_data] =
        {"examples/moe.place", 21, "reduce_scatter gradients.outside over data"},
    [LINE_21_reduce_scatter_gradients_block_over_data] =
        {"examples/moe.place", 21, "reduce_scatter gradients.block over data"},
    [LINE_21_all_reduce_norm_squared_over_data] = {"examples/moe.place", 21, "all_reduce norm_squared over data"},
    [LINE_23_output_gradient_norm] = {"examples/moe.place", 23, "output gradient_norm"},
    [LINE_21_slice_parameters_outside_over_data] = {"examples/moe.place", 21, "slice parameters.outside over data"},
    [LINE_21_all_gather_parameter_shard_outside_over_data] =
        {"examples/moe.place", 21, "all_gather parameter_shard.outside over data"},
    [LINE_21_slice_parameters_block_over_data] = {"examples/moe.place", 21, "slice parameters.block over data"},
    [LINE_21_all_gather_parameter_shard_block_over_data] =
        {"examples/moe.place", 21, "all_gather parameter_shard.block over data"},
    [LINE_14_computing_in_eval] = {"examples/moe.place", 14, "computing in eval"},
    [LINE_7_computing_in_eval] = {"examples/moe.place", 7, "computing in eval"},
    [LINE_9_computing_in_eval] = {"examples/moe.place", 9, "computing in eval"},
    [LINE_10_computing_in_eval] = {"examples/moe.place", 10, "computing in eval"},
    [LINE_12_computing_in_eval] = {"examples/moe.place", 12, "computing in eval"},
    [LINE_13_computing_in_eval] = {"examples/moe.place", 13, "computing in eval"},
    [LINE_21_all_reduce_eval_loss_5_sum_over_data] = {"examples/moe.place", 21, "all_reduce eval.loss.5.sum over data"},
    [LINE_7_computing_in_predict] = {"examples/moe.place", 7, "computing in predict"},
    [LINE_9_computing_in_predict] = {"examples/moe.place", 9, "computing in predict"},
    [LINE_10_computing_in_predict] = {"examples/moe.place", 10, "computing in predict"},
    [LINE_12_computing_in_predict] = {"examples/moe.place", 12, "computing in predict"},
    [LINE_13_output_logits] = {"examples/moe.place", 13, "output logits"},
};

static const prt_program program = {
    .format = PRT_FORMAT,
    .name = "moe",
    .file = "examples/moe.place",
    .plan_hash = "1ff5ef275bdaf50e",
    .version = "0.1.0",
    .axis_count = 1,
    .axes = {[AXIS_data] = {"data", 4}},
    .compute_dtype = PRT_F32,
    .arena_bytes = {56489664, 0, 0},
    .batch = 8,
    .micro = 1,
    .steps = 50,
    .items_per_step = 512,
    .item = "tokens",
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
    .memory_count = COUNT(memory),
    .memory = memory,
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
