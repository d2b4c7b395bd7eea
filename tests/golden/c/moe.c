/* moe, trained on a mesh { data: 4 }: the program of every rank. Written by placec from examples/moe.place; the
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
prt_host_kernel kernel_softmax_f32_ij;
prt_host_kernel kernel_top_i32_f32ik_to_ij;
prt_host_kernel kernel_count_equal_f32_i32ij_i32k_to_ik;
prt_host_kernel kernel_reduce_f32_ijk_to_ik;
prt_host_kernel kernel_scale_f32;
prt_host_kernel kernel_add_f32_overlap;
prt_host_kernel kernel_log_sum_exp_f32_ij_to_i;
prt_host_kernel kernel_queue_i32_ilm_j_to_ijk;
prt_host_kernel kernel_take_f32_i32ijk_ilj_to_ijk;
prt_host_kernel kernel_sum_equal_f32_ij_i32ik_i32j_to_i;
prt_host_kernel kernel_recip_f32;
prt_host_kernel kernel_take_f32_i32ij_ik_to_ij;
prt_host_kernel kernel_mul_f32;
prt_host_kernel kernel_take_f32_i32ij_ikl_to_ijl;
prt_host_kernel kernel_gelu_f32;
prt_host_kernel kernel_combine_f32_i32ij_ijl_ij_to_ikl;
prt_host_kernel kernel_row_max_f32_ij_to_i;
prt_host_kernel kernel_exp_sum_f32_ij_i_to_i;
prt_host_kernel kernel_pick_f32_ij_i32i_i32j_to_i;
prt_host_kernel kernel_log_loss_f32;
prt_host_kernel kernel_reduce_f32_i_to_s;
prt_host_kernel kernel_scale_f32_s_in_place_a;
prt_host_kernel kernel_add_f32_s_s;
prt_host_kernel kernel_log_loss_bwd_f32_ij_i_i_i32i_i32j_i;
prt_host_kernel kernel_norm_bwd_f32_ij_i_i_j_ij;
prt_host_kernel kernel_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate;
prt_host_kernel kernel_reduce_f32_ij_to_j_accumulate;
prt_host_kernel kernel_mul_f32_ij_i;
prt_host_kernel kernel_gelu_bwd_f32;
prt_host_kernel kernel_give_f32_i32ij_ijl_to_ikl;
prt_host_kernel kernel_give_f32_i32ij_ij_to_ik;
prt_host_kernel kernel_recip_bwd_f32;
prt_host_kernel kernel_sum_equal_f32_i_i32ij_i32k_to_ik;
prt_host_kernel kernel_give_f32_i32ijk_ijk_to_ilj_accumulate;
prt_host_kernel kernel_log_sum_exp_bwd_f32_ij_i;
prt_host_kernel kernel_copy_f32_ik_to_ijk_accumulate;
prt_host_kernel kernel_softmax_bwd_f32_ij_ij_accumulate;
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
    TENSOR_block_moe_router_weight,
    TENSOR_block_moe_up_weight,
    TENSOR_block_moe_down_weight,
    TENSOR_norm_gain,
    TENSOR_norm_bias,
};

/* Inputs, rows of inputs[]. */
enum { INPUT_tokens, INPUT_targets };

/* Units of parameters that lie together, rows of units[]. */
enum { UNIT_outside, UNIT_block, UNIT_block_moe };

/* Where elements are, rows of layouts[]. */
enum {
    LAYOUT_outside,
    LAYOUT_block,
    LAYOUT_block_moe,
    LAYOUT_8_over_micro_data_by_64,
    LAYOUT_8_over_micro_data_by_8_by_20_by_128,
    LAYOUT_8_over_micro_by_8_over_data_by_20_by_128,
    LAYOUT_scalar,
    LAYOUT_outside_over_data,
    LAYOUT_block_over_data,
    LAYOUT_1_by_64,
    LAYOUT_1_by_8_by_20_by_128,
    LAYOUT_1_by_8_over_data_by_20_by_128,
    LAYOUT_1_by_8_by_20,
    LAYOUT_1_by_8_over_data_by_20,
    LAYOUT_1_by_64_by_128,
};

/* Gradients that updates use, rows of gradients[]. */
enum { GRADIENT_outside, GRADIENT_block, GRADIENT_block_moe };

/* Ranks that communicate, rows of groups[]. */
enum { GROUP_data };

/* Communications, rows of calls[]. */
enum {
    CALL_all_to_all_block_moe_inputs,
    CALL_all_to_all_block_moe_outputs,
    CALL_all_to_all_d_block_moe_outputs,
    CALL_all_to_all_d_block_moe_inputs,
    CALL_all_reduce_loss_5_sum,
    CALL_reduce_scatter_gradients_outside,
    CALL_reduce_scatter_gradients_block,
    CALL_all_reduce_norm_squared,
    CALL_all_gather_parameter_shard_outside,
    CALL_all_gather_parameter_shard_block,
    CALL_eval_all_to_all_block_moe_inputs,
    CALL_eval_all_to_all_block_moe_outputs,
    CALL_eval_all_reduce_loss_5_sum,
    CALL_predict_all_reduce_block_moe,
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
    KERNEL_softmax_f32_ij,
    KERNEL_top_i32_f32ik_to_ij,
    KERNEL_count_equal_f32_i32ij_i32k_to_ik,
    KERNEL_reduce_f32_ijk_to_ik,
    KERNEL_scale_f32,
    KERNEL_add_f32_overlap,
    KERNEL_log_sum_exp_f32_ij_to_i,
    KERNEL_queue_i32_ilm_j_to_ijk,
    KERNEL_take_f32_i32ijk_ilj_to_ijk,
    KERNEL_sum_equal_f32_ij_i32ik_i32j_to_i,
    KERNEL_recip_f32,
    KERNEL_take_f32_i32ij_ik_to_ij,
    KERNEL_mul_f32,
    KERNEL_take_f32_i32ij_ikl_to_ijl,
    KERNEL_gelu_f32,
    KERNEL_combine_f32_i32ij_ijl_ij_to_ikl,
    KERNEL_row_max_f32_ij_to_i,
    KERNEL_exp_sum_f32_ij_i_to_i,
    KERNEL_pick_f32_ij_i32i_i32j_to_i,
    KERNEL_log_loss_f32,
    KERNEL_reduce_f32_i_to_s,
    KERNEL_scale_f32_s_in_place_a,
    KERNEL_add_f32_s_s,
    KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i,
    KERNEL_norm_bwd_f32_ij_i_i_j_ij,
    KERNEL_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate,
    KERNEL_reduce_f32_ij_to_j_accumulate,
    KERNEL_mul_f32_ij_i,
    KERNEL_gelu_bwd_f32,
    KERNEL_give_f32_i32ij_ijl_to_ikl,
    KERNEL_give_f32_i32ij_ij_to_ik,
    KERNEL_recip_bwd_f32,
    KERNEL_sum_equal_f32_i_i32ij_i32k_to_ik,
    KERNEL_give_f32_i32ijk_ijk_to_ilj_accumulate,
    KERNEL_log_sum_exp_bwd_f32_ij_i,
    KERNEL_copy_f32_ik_to_ijk_accumulate,
    KERNEL_softmax_bwd_f32_ij_ij_accumulate,
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
    NO_LINE_moe,
    LINE_22_computing_in_init,
    LINE_7_init,
    LINE_9_init,
    LINE_10_init,
    LINE_21_computing_in_step,
    LINE_14_computing_in_step,
    LINE_5_read_tokens,
    LINE_5_read_targets,
    LINE_7_computing_in_step,
    LINE_9_computing_in_step,
    LINE_10_computing_in_step,
    LINE_10_all_to_all_block_moe_inputs_over_data,
    LINE_10_all_to_all_block_moe_outputs_over_data,
    LINE_12_computing_in_step,
    LINE_13_computing_in_step,
    LINE_10_all_to_all_d_block_moe_outputs_over_data,
    LINE_10_all_to_all_d_block_moe_inputs_over_data,
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
    LINE_10_all_to_all_eval_block_moe_inputs_over_data,
    LINE_10_all_to_all_eval_block_moe_outputs_over_data,
    LINE_12_computing_in_eval,
    LINE_13_computing_in_eval,
    LINE_21_all_reduce_eval_loss_5_sum_over_data,
    LINE_7_computing_in_predict,
    LINE_9_computing_in_predict,
    LINE_10_computing_in_predict,
    LINE_10_slice_predict_block_moe_inputs_over_data,
    LINE_10_slice_predict_block_moe_source_over_data,
    LINE_10_slice_predict_block_moe_weights_over_data,
    LINE_10_all_reduce_predict_block_moe_over_data,
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
#define OFFSET_block_moe_up_weight 0
#define OFFSET_block_moe_down_weight 131072

/* Where a buffer is in the arena of its tier, in bytes. Buffers that are not in use at the same time share memory. */
#define ARENA_parameters_outside 0
#define ARENA_gradients_outside 30279232
#define ARENA_adam_m_outside 164864
#define ARENA_adam_v_outside 206080
#define ARENA_parameters_block 247296
#define ARENA_gradients_block 23889472
#define ARENA_adam_m_block 1328640
#define ARENA_adam_v_block 1598976
#define ARENA_parameters_block_moe 1869312
#define ARENA_gradients_block_moe 14452288
#define ARENA_adam_m_block_moe 6063616
#define ARENA_adam_v_block_moe 10257920
#define ARENA_step 14452224
#define ARENA_loss_5_sum 30581312
#define ARENA_tokens 30580544
#define ARENA_targets 26610240
#define ARENA_wte 18646592
#define ARENA_x 28116544
#define ARENA_row_positions 26445376
#define ARENA_column_positions 26445632
#define ARENA_expert_positions 30581376
#define ARENA_block_moe_balance_sum 26445888
#define ARENA_block_moe_z_sum 26445952
#define ARENA_block_norm1_mean 30566976
#define ARENA_block_norm1_rstd 30569024
#define ARENA_block_norm1 28444224
#define ARENA_block_attn_query_product 26281536
#define ARENA_block_attn_query 28706368
#define ARENA_block_attn_key_product 26281536
#define ARENA_block_attn_key 28968512
#define ARENA_block_attn_value_product 26281536
#define ARENA_block_attn_value 29230656
#define ARENA_block_attn_scores 26281536
#define ARENA_block_attn_weights 27592256
#define ARENA_block_attn_mixed 29492800
#define ARENA_block_attn_product 26281536
#define ARENA_block_attn 26347072
#define ARENA_block_x 29754944
#define ARENA_block_norm2_mean 30571072
#define ARENA_block_norm2_rstd 30573120
#define ARENA_block_norm2 30017088
#define ARENA_block_moe_logits 30509632
#define ARENA_block_moe_probabilities 30526016
#define ARENA_block_moe_choice 30562880
#define ARENA_block_moe_load 30581056
#define ARENA_block_moe_mass 26281536
#define ARENA_block_moe_product 26281600
#define ARENA_block_moe_balance 26281536
#define ARENA_block_moe_log_sum 30575168
#define ARENA_block_moe_squares 26281536
#define ARENA_block_moe_z 26281600
#define ARENA_block_moe_source 30542400
#define ARENA_block_moe_picked 30547520
#define ARENA_block_moe_total 30577216
#define ARENA_block_moe_inverse 26281536
#define ARENA_block_moe_inverses 30552640
#define ARENA_block_moe_weights 30557760
#define ARENA_block_moe_inputs 26281536
#define ARENA_block_moe_inputs_exchanged 24970816
#define ARENA_block_moe_up 18646592
#define ARENA_block_moe_active 21268032
#define ARENA_block_moe_outputs 26281536
#define ARENA_block_moe_outputs_exchanged 25626176
#define ARENA_block_moe 26281536
#define ARENA_norm_mean 26610752
#define ARENA_norm_rstd 26611264
#define ARENA_norm 26543680
#define ARENA_logits 26281536
#define ARENA_class_positions 26609216
#define ARENA_loss_terms_largest 26611776
#define ARENA_loss_terms_exp_sum 26612288
#define ARENA_loss_terms_target_logit 26412608
#define ARENA_loss_terms 26413120
#define ARENA_loss 26412608
#define ARENA_loss_2 26412672
#define ARENA_loss_3 26412736
#define ARENA_loss_4 26412608
#define ARENA_loss_5 30581440
#define ARENA_d_loss_terms 26612800
#define ARENA_d_block_moe_balance_sum 30581504
#define ARENA_d_block_moe_z_sum 30581568
#define ARENA_d_logits 26412608
#define ARENA_d_norm 26281536
#define ARENA_d_x 30444096
#define ARENA_d_x_taken 26281536
#define ARENA_d_block_moe_outputs 26445376
#define ARENA_d_block_moe_weights 30579264
#define ARENA_d_block_moe_outputs_exchanged 26936896
#define ARENA_d_block_moe_active 26281536
#define ARENA_d_block_moe_up 26936896
#define ARENA_d_block_moe_inputs 26281536
#define ARENA_d_block_moe_inputs_exchanged 26445376
#define ARENA_d_block_norm2 26281536
#define ARENA_d_block_moe_picked 26351168
#define ARENA_d_block_moe_inverses 26347072
#define ARENA_d_block_moe_inverse 26348352
#define ARENA_d_block_moe_total 26352448
#define ARENA_d_block_moe_probabilities 26347072
#define ARENA_d_block_moe_squares 26351168
#define ARENA_d_block_moe_log_sum 26355264
#define ARENA_d_block_moe_logits 26351168
#define ARENA_d_block_moe_product 26355264
#define ARENA_d_block_moe_mass 26355328
#define ARENA_d_block_attn_mixed 26412608
#define ARENA_d_block_attn_weights 26281536
#define ARENA_d_block_attn_value 26543680
#define ARENA_d_block_attn_scores 26412608
#define ARENA_d_block_attn_query 26281536
#define ARENA_d_block_attn_key 26347072
#define ARENA_d_block_norm1 26412608
#define ARENA_norm_squared 18958144
#define ARENA_rate 18984512
#define ARENA_correction1 18984576
#define ARENA_correction2 18984640
#define ARENA_gradient_shard_outside 18916928
#define ARENA_gradient_shard_block 18646592
#define ARENA_norm_2 18958208
#define ARENA_clip_factor 18984704
#define ARENA_parameter_shard_outside 18916928
#define ARENA_parameter_shard_block 18916928
#define ARENA_eval_loss_5_sum 16159808
#define ARENA_eval_tokens 14517824
#define ARENA_eval_targets 16158784
#define ARENA_eval_wte 14452288
#define ARENA_eval_x 15763008
#define ARENA_eval_row_positions 16159296
#define ARENA_eval_column_positions 16159552
#define ARENA_eval_expert_positions 16159872
#define ARENA_eval_block_moe_balance_sum 16159936
#define ARENA_eval_block_moe_z_sum 16160000
#define ARENA_eval_block_norm1_mean 14517824
#define ARENA_eval_block_norm1_rstd 14518336
#define ARENA_eval_block_norm1 14452288
#define ARENA_eval_block_attn_query_product 14517824
#define ARENA_eval_block_attn_query 14583360
#define ARENA_eval_block_attn_key_product 14517824
#define ARENA_eval_block_attn_key 14648896
#define ARENA_eval_block_attn_value_product 14517824
#define ARENA_eval_block_attn_value 14714432
#define ARENA_eval_block_attn_scores 14452288
#define ARENA_eval_block_attn_weights 14583360
#define ARENA_eval_block_attn_mixed 14452288
#define ARENA_eval_block_attn_product 14517824
#define ARENA_eval_block_attn 14452288
#define ARENA_eval_block_x 16090688
#define ARENA_eval_block_norm2_mean 14452288
#define ARENA_eval_block_norm2_rstd 14452800
#define ARENA_eval_block_norm2 14616128
#define ARENA_eval_block_moe_logits 14452288
#define ARENA_eval_block_moe_probabilities 14456384
#define ARENA_eval_block_moe_choice 14460480
#define ARENA_eval_block_moe_load 14461504
#define ARENA_eval_block_moe_mass 14461568
#define ARENA_eval_block_moe_product 14461632
#define ARENA_eval_block_moe_balance 14461504
#define ARENA_eval_block_moe_log_sum 14461504
#define ARENA_eval_block_moe_squares 14452288
#define ARENA_eval_block_moe_z 14452352
#define ARENA_eval_block_moe_source 16156224
#define ARENA_eval_block_moe_picked 14452288
#define ARENA_eval_block_moe_total 14453568
#define ARENA_eval_block_moe_inverse 14454848
#define ARENA_eval_block_moe_inverses 14453568
#define ARENA_eval_block_moe_weights 16157504
#define ARENA_eval_block_moe_inputs 14452288
#define ARENA_eval_block_moe_inputs_exchanged 15107648
#define ARENA_eval_block_moe_up 14452288
#define ARENA_eval_block_moe_active 15107648
#define ARENA_eval_block_moe_outputs 14452288
#define ARENA_eval_block_moe_outputs_exchanged 14616128
#define ARENA_eval_block_moe 14452288
#define ARENA_eval_norm_mean 14452288
#define ARENA_eval_norm_rstd 14452800
#define ARENA_eval_norm 14583360
#define ARENA_eval_logits 14452288
#define ARENA_eval_class_positions 14583360
#define ARENA_eval_loss_terms_largest 14584384
#define ARENA_eval_loss_terms_exp_sum 14584896
#define ARENA_eval_loss_terms_target_logit 14585408
#define ARENA_eval_loss_terms 14452288
#define ARENA_eval_loss 14452800
#define ARENA_eval_loss_2 14452288
#define ARENA_eval_loss_3 14452352
#define ARENA_eval_loss_4 14452288
#define ARENA_eval_loss_5 14452416
#define ARENA_predict_tokens 14452288
#define ARENA_predict_wte 14616128
#define ARENA_predict_x 14452288
#define ARENA_predict_row_positions 14814016
#define ARENA_predict_column_positions 14814272
#define ARENA_predict_expert_positions 14814528
#define ARENA_predict_block_norm1_mean 14648896
#define ARENA_predict_block_norm1_rstd 14649152
#define ARENA_predict_block_norm1 14616128
#define ARENA_predict_block_attn_query_product 14648896
#define ARENA_predict_block_attn_query 14681664
#define ARENA_predict_block_attn_key_product 14648896
#define ARENA_predict_block_attn_key 14714432
#define ARENA_predict_block_attn_value_product 14648896
#define ARENA_predict_block_attn_value 14747200
#define ARENA_predict_block_attn_scores 14616128
#define ARENA_predict_block_attn_weights 14681664
#define ARENA_predict_block_attn_mixed 14616128
#define ARENA_predict_block_attn_product 14648896
#define ARENA_predict_block_attn 14616128
#define ARENA_predict_block_x 14779968
#define ARENA_predict_block_norm2_mean 14616128
#define ARENA_predict_block_norm2_rstd 14616384
#define ARENA_predict_block_norm2 14698048
#define ARENA_predict_block_moe_logits 14616128
#define ARENA_predict_block_moe_probabilities 14618176
#define ARENA_predict_block_moe_choice 14616768
#define ARENA_predict_block_moe_source 14812736
#define ARENA_predict_block_moe_picked 14616128
#define ARENA_predict_block_moe_total 14617280
#define ARENA_predict_block_moe_inverse 14617536
#define ARENA_predict_block_moe_inverses 14616768
#define ARENA_predict_block_moe_weights 14813376
#define ARENA_predict_block_moe_inputs 14616128
#define ARENA_predict_block_moe_inputs_sliced 14698048
#define ARENA_predict_block_moe_up 14616128
#define ARENA_predict_block_moe_active 14698048
#define ARENA_predict_block_moe_outputs 14648896
#define ARENA_predict_block_moe_source_sliced 14669376
#define ARENA_predict_block_moe_weights_sliced 14669568
#define ARENA_predict_block_moe 14616128
#define ARENA_predict_norm_mean 14648896
#define ARENA_predict_norm_rstd 14649152
#define ARENA_predict_norm 14616128
#define ARENA_predict_logits 14452288

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

/* parameters.block: f32 unit block, 4 slots, 1.03 MiB */
static inline float *at_parameters_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_block) + slot * 67584;
}

/* gradients.block: f32 unit block, 4 slots, 1.03 MiB */
static inline float *at_gradients_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_gradients_block) + slot * 67584;
}

/* adam_m.block: f32 unit block / data, 4 slots, 264 KiB */
static inline float *at_adam_m_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_adam_m_block) + slot * 16896;
}

/* adam_v.block: f32 unit block / data, 4 slots, 264 KiB */
static inline float *at_adam_v_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_adam_v_block) + slot * 16896;
}

/* parameters.block.moe: f32 unit block.moe, 4 slots, 4.00 MiB */
static inline float *at_parameters_block_moe(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_block_moe) + slot * 262144;
}

/* gradients.block.moe: f32 unit block.moe, 4 slots, 4.00 MiB */
static inline float *at_gradients_block_moe(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_gradients_block_moe) + slot * 262144;
}

/* adam_m.block.moe: f32 unit block.moe, 4 slots, 4.00 MiB */
static inline float *at_adam_m_block_moe(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_adam_m_block_moe) + slot * 262144;
}

/* adam_v.block.moe: f32 unit block.moe, 4 slots, 4.00 MiB */
static inline float *at_adam_v_block_moe(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_adam_v_block_moe) + slot * 262144;
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

/* expert_positions: i32 [8], 32 B */
static inline int32_t *at_expert_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_expert_positions);
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

/* block.moe.choice: i32 [8 / micro / data, 64, 2], 4 slots, 4.00 KiB */
static inline int32_t *at_block_moe_choice(const prt_context *ctx, int64_t slot)
{
    return (int32_t *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_choice) + slot * 256;
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

/* block.moe.source: i32 [8 / micro / data, 8, 20], 4 slots, 5.00 KiB */
static inline int32_t *at_block_moe_source(const prt_context *ctx, int64_t slot)
{
    return (int32_t *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_source) + slot * 320;
}

/* block.moe.picked: f32 [8 / micro / data, 8, 20], 4 slots, 5.00 KiB */
static inline float *at_block_moe_picked(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_picked) + slot * 320;
}

/* block.moe.total: f32 [8 / micro / data, 64], 4 slots, 2.00 KiB */
static inline float *at_block_moe_total(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_total) + slot * 128;
}

/* block.moe.inverse: f32 [8 / micro / data, 64], 512 B */
static inline float *at_block_moe_inverse(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_moe_inverse);
}

/* block.moe.inverses: f32 [8 / micro / data, 8, 20], 4 slots, 5.00 KiB */
static inline float *at_block_moe_inverses(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_inverses) + slot * 320;
}

/* block.moe.weights: f32 [8 / micro / data, 8, 20], 4 slots, 5.00 KiB */
static inline float *at_block_moe_weights(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_weights) + slot * 320;
}

/* block.moe.inputs: f32 [8 / micro / data, 8, 20, 128], 160 KiB */
static inline float *at_block_moe_inputs(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_moe_inputs);
}

/* block.moe.inputs.exchanged: f32 [8 / micro, 8 / data, 20, 128], 4 slots, 640 KiB */
static inline float *at_block_moe_inputs_exchanged(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_inputs_exchanged) + slot * 40960;
}

/* block.moe.up: f32 [8 / micro, 8 / data, 20, 512], 4 slots, 2.50 MiB */
static inline float *at_block_moe_up(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_up) + slot * 163840;
}

/* block.moe.active: f32 [8 / micro, 8 / data, 20, 512], 4 slots, 2.50 MiB */
static inline float *at_block_moe_active(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_active) + slot * 163840;
}

/* block.moe.outputs: f32 [8 / micro, 8 / data, 20, 128], 160 KiB */
static inline float *at_block_moe_outputs(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_moe_outputs);
}

/* block.moe.outputs.exchanged: f32 [8 / micro / data, 8, 20, 128], 4 slots, 640 KiB */
static inline float *at_block_moe_outputs_exchanged(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_block_moe_outputs_exchanged) + slot * 40960;
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

/* d_x.taken: f32 [8 / micro / data, 8, 20, 128], 160 KiB */
static inline float *at_d_x_taken(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x_taken);
}

/* d_block.moe.outputs: f32 [8 / micro / data, 8, 20, 128], 160 KiB */
static inline float *at_d_block_moe_outputs(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_outputs);
}

/* d_block.moe.weights: f32 [8 / micro / data, 8, 20], 1.25 KiB */
static inline float *at_d_block_moe_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_weights);
}

/* d_block.moe.outputs.exchanged: f32 [8 / micro, 8 / data, 20, 128], 160 KiB */
static inline float *at_d_block_moe_outputs_exchanged(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_outputs_exchanged);
}

/* d_block.moe.active: f32 [8 / micro, 8 / data, 20, 512], 640 KiB */
static inline float *at_d_block_moe_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_active);
}

/* d_block.moe.up: f32 [8 / micro, 8 / data, 20, 512], 640 KiB */
static inline float *at_d_block_moe_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_up);
}

/* d_block.moe.inputs: f32 [8 / micro, 8 / data, 20, 128], 160 KiB */
static inline float *at_d_block_moe_inputs(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_inputs);
}

/* d_block.moe.inputs.exchanged: f32 [8 / micro / data, 8, 20, 128], 160 KiB */
static inline float *at_d_block_moe_inputs_exchanged(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_inputs_exchanged);
}

/* d_block.norm2: f32 [8 / micro / data, 64, 128], 64.0 KiB */
static inline float *at_d_block_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_norm2);
}

/* d_block.moe.picked: f32 [8 / micro / data, 8, 20], 1.25 KiB */
static inline float *at_d_block_moe_picked(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_picked);
}

/* d_block.moe.inverses: f32 [8 / micro / data, 8, 20], 1.25 KiB */
static inline float *at_d_block_moe_inverses(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_inverses);
}

/* d_block.moe.inverse: f32 [8 / micro / data, 64], 512 B */
static inline float *at_d_block_moe_inverse(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_inverse);
}

/* d_block.moe.total: f32 [8 / micro / data, 64], 512 B */
static inline float *at_d_block_moe_total(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_block_moe_total);
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

/* gradient_shard.block: f32 unit block / data, 4 slots, 264 KiB */
static inline float *at_gradient_shard_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_gradient_shard_block) + slot * 16896;
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

/* parameter_shard.block: f32 unit block / data, 66.0 KiB */
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

/* eval.expert_positions: i32 [8], 32 B */
static inline int32_t *at_eval_expert_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_expert_positions);
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

/* eval.block.moe.choice: i32 [8 / micro / data, 64, 2], 1.00 KiB */
static inline int32_t *at_eval_block_moe_choice(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_choice);
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

/* eval.block.moe.source: i32 [8 / micro / data, 8, 20], 1.25 KiB */
static inline int32_t *at_eval_block_moe_source(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_source);
}

/* eval.block.moe.picked: f32 [8 / micro / data, 8, 20], 1.25 KiB */
static inline float *at_eval_block_moe_picked(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_picked);
}

/* eval.block.moe.total: f32 [8 / micro / data, 64], 512 B */
static inline float *at_eval_block_moe_total(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_total);
}

/* eval.block.moe.inverse: f32 [8 / micro / data, 64], 512 B */
static inline float *at_eval_block_moe_inverse(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_inverse);
}

/* eval.block.moe.inverses: f32 [8 / micro / data, 8, 20], 1.25 KiB */
static inline float *at_eval_block_moe_inverses(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_inverses);
}

/* eval.block.moe.weights: f32 [8 / micro / data, 8, 20], 1.25 KiB */
static inline float *at_eval_block_moe_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_weights);
}

/* eval.block.moe.inputs: f32 [8 / micro / data, 8, 20, 128], 160 KiB */
static inline float *at_eval_block_moe_inputs(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_inputs);
}

/* eval.block.moe.inputs.exchanged: f32 [8 / micro, 8 / data, 20, 128], 160 KiB */
static inline float *at_eval_block_moe_inputs_exchanged(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_inputs_exchanged);
}

/* eval.block.moe.up: f32 [8 / micro, 8 / data, 20, 512], 640 KiB */
static inline float *at_eval_block_moe_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_up);
}

/* eval.block.moe.active: f32 [8 / micro, 8 / data, 20, 512], 640 KiB */
static inline float *at_eval_block_moe_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_active);
}

/* eval.block.moe.outputs: f32 [8 / micro, 8 / data, 20, 128], 160 KiB */
static inline float *at_eval_block_moe_outputs(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_outputs);
}

/* eval.block.moe.outputs.exchanged: f32 [8 / micro / data, 8, 20, 128], 160 KiB */
static inline float *at_eval_block_moe_outputs_exchanged(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_block_moe_outputs_exchanged);
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

/* predict.expert_positions: i32 [8], 32 B */
static inline int32_t *at_predict_expert_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_expert_positions);
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

/* predict.block.moe.choice: i32 [1, 64, 2], 512 B */
static inline int32_t *at_predict_block_moe_choice(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_choice);
}

/* predict.block.moe.source: i32 [1, 8, 20], 640 B */
static inline int32_t *at_predict_block_moe_source(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_source);
}

/* predict.block.moe.picked: f32 [1, 8, 20], 640 B */
static inline float *at_predict_block_moe_picked(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_picked);
}

/* predict.block.moe.total: f32 [1, 64], 256 B */
static inline float *at_predict_block_moe_total(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_total);
}

/* predict.block.moe.inverse: f32 [1, 64], 256 B */
static inline float *at_predict_block_moe_inverse(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_inverse);
}

/* predict.block.moe.inverses: f32 [1, 8, 20], 640 B */
static inline float *at_predict_block_moe_inverses(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_inverses);
}

/* predict.block.moe.weights: f32 [1, 8, 20], 640 B */
static inline float *at_predict_block_moe_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_weights);
}

/* predict.block.moe.inputs: f32 [1, 8, 20, 128], 80.0 KiB */
static inline float *at_predict_block_moe_inputs(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_inputs);
}

/* predict.block.moe.inputs.sliced: f32 [1, 8 / data, 20, 128], 20.0 KiB */
static inline float *at_predict_block_moe_inputs_sliced(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_inputs_sliced);
}

/* predict.block.moe.up: f32 [1, 8 / data, 20, 512], 80.0 KiB */
static inline float *at_predict_block_moe_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_up);
}

/* predict.block.moe.active: f32 [1, 8 / data, 20, 512], 80.0 KiB */
static inline float *at_predict_block_moe_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_active);
}

/* predict.block.moe.outputs: f32 [1, 8 / data, 20, 128], 20.0 KiB */
static inline float *at_predict_block_moe_outputs(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_outputs);
}

/* predict.block.moe.source.sliced: i32 [1, 8 / data, 20], 160 B */
static inline int32_t *at_predict_block_moe_source_sliced(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_source_sliced);
}

/* predict.block.moe.weights.sliced: f32 [1, 8 / data, 20], 160 B */
static inline float *at_predict_block_moe_weights_sliced(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_block_moe_weights_sliced);
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
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_step(ctx)}, .numbers = {0}});
    /* examples/moe.place:7: init: 161 KiB */
    ctx->at = LINE_7_init;
    prt_init(ctx, -1, LAYOUT_outside, 0, 1, PRT_F32, at_parameters_outside(ctx));
    /* examples/moe.place:22: fill: 40.2 KiB */
    ctx->at = LINE_22_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_adam_m_outside(ctx)},
        .extents = {10304},
        .numbers = {0},
    });
    /* examples/moe.place:22: fill: 40.2 KiB */
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_adam_v_outside(ctx)},
        .extents = {10304},
        .numbers = {0},
    });
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/moe.place:9: init: 264 KiB */
        ctx->at = LINE_9_init;
        prt_init(ctx, -1, LAYOUT_block, layer, 1, PRT_F32, at_parameters_block(ctx, layer));
        /* examples/moe.place:22: fill: 66.0 KiB */
        ctx->at = LINE_22_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_adam_m_block(ctx, layer)},
            .extents = {16896},
            .numbers = {0},
        });
        /* examples/moe.place:22: fill: 66.0 KiB */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_adam_v_block(ctx, layer)},
            .extents = {16896},
            .numbers = {0},
        });
    }
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/moe.place:10: init: 1.00 MiB */
        ctx->at = LINE_10_init;
        prt_init(ctx, -1, LAYOUT_block_moe, layer, 1, PRT_F32, at_parameters_block_moe(ctx, layer));
        /* examples/moe.place:22: fill: 1.00 MiB */
        ctx->at = LINE_22_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_adam_m_block_moe(ctx, layer)},
            .extents = {262144},
            .numbers = {0},
        });
        /* examples/moe.place:22: fill: 1.00 MiB */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_adam_v_block_moe(ctx, layer)},
            .extents = {262144},
            .numbers = {0},
        });
    }
}

/* One training step. */
static void step(prt_context *ctx)
{
    /* examples/moe.place:21: fill: 161 KiB */
    ctx->at = LINE_21_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_gradients_outside(ctx)},
        .extents = {41216},
        .numbers = {0},
    });
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/moe.place:21: fill: 264 KiB */
        ctx->at = LINE_21_computing_in_step;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_gradients_block(ctx, layer)},
            .extents = {67584},
            .numbers = {0},
        });
    }
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/moe.place:21: fill: 1.00 MiB */
        ctx->at = LINE_21_computing_in_step;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_gradients_block_moe(ctx, layer)},
            .extents = {262144},
            .numbers = {0},
        });
    }
    /* examples/moe.place:14: fill: 4 B */
    ctx->at = LINE_14_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_loss_5_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 1; micro++) {
        /* examples/moe.place:5: read tokens: 512 B */
        ctx->at = LINE_5_read_tokens;
        prt_read(ctx, INPUT_tokens, LAYOUT_8_over_micro_data_by_64, micro, at_tokens(ctx));
        /* examples/moe.place:5: read targets: 512 B */
        ctx->at = LINE_5_read_targets;
        prt_read(ctx, INPUT_targets, LAYOUT_8_over_micro_data_by_64, micro, at_targets(ctx));
        /* examples/moe.place:7: embed "bt,vh->bth": 192 KiB */
        ctx->at = LINE_7_computing_in_step;
        prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
            .arrays = {at_wte(ctx), at_tokens(ctx), at_parameters_outside(ctx) + OFFSET_wte_table},
            .extents = {128, 256, 128},
        });
        /* examples/moe.place:7: add "abc,bc->abc": 160 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_x(ctx, 0), at_wte(ctx), at_parameters_outside(ctx) + OFFSET_wpe_table},
            .extents = {2, 8192},
        });
        /* examples/moe.place:9: iota: 256 B */
        ctx->at = LINE_9_computing_in_step;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_row_positions(ctx)},
            .extents = {64},
            .numbers = {0},
        });
        /* examples/moe.place:9: iota: 256 B */
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_column_positions(ctx)},
            .extents = {64},
            .numbers = {0},
        });
        /* examples/moe.place:10: iota: 32 B */
        ctx->at = LINE_10_computing_in_step;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_expert_positions(ctx)},
            .extents = {8},
            .numbers = {0},
        });
        /* examples/moe.place:10: fill "a": 8 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_block_moe_balance_sum(ctx, 0)},
            .extents = {2},
            .numbers = {0},
        });
        /* examples/moe.place:10: fill "a": 8 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_block_moe_z_sum(ctx, 0)},
            .extents = {2},
            .numbers = {0},
        });
        for (int64_t layer = 0; layer < 4; layer++) {
            /* examples/moe.place:9: row_mean "bth->bt": 64.5 KiB, 16.4 kflop */
            ctx->at = LINE_9_computing_in_step;
            prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_block_norm1_mean(ctx, layer), at_x(ctx, layer)},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: row_rstd "bth,bt->bt": 65.0 KiB, 49.2 kflop */
            prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
                .arrays = {at_block_norm1_rstd(ctx, layer), at_x(ctx, layer), at_block_norm1_mean(ctx, layer)},
                .extents = {128, 128},
                .numbers = {1e-05},
            });
            /* examples/moe.place:9: norm "bth,bt,bt,h,h->bth": 130 KiB, 65.5 kflop */
            prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
                .arrays = {at_block_norm1(ctx, layer), at_x(ctx, layer), at_block_norm1_mean(ctx, layer),
                           at_block_norm1_rstd(ctx, layer), at_parameters_block(ctx, layer) + OFFSET_block_norm1_gain,
                           at_parameters_block(ctx, layer) + OFFSET_block_norm1_bias},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: einsum "bth,ndh->btnd": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm1 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm1, at_block_norm1(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_query_weight, 0,
                     at_block_attn_query_product(ctx));
            /* examples/moe.place:9: add "btnd,nd->btnd": 128 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_attn_query(ctx, layer), at_block_attn_query_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_query_bias},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: einsum "bth,ndh->btnd": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm2 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm2, at_block_norm1(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_key_weight, 0, at_block_attn_key_product(ctx));
            /* examples/moe.place:9: add "btnd,nd->btnd": 128 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_attn_key(ctx, layer), at_block_attn_key_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_key_bias},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: einsum "bth,ndh->btnd": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm3 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm3, at_block_norm1(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_value_weight, 0,
                     at_block_attn_value_product(ctx));
            /* examples/moe.place:9: add "btnd,nd->btnd": 128 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_attn_value(ctx, layer), at_block_attn_value_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_value_bias},
                .extents = {128, 128},
            });
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
            prt_gemm(ctx, 0, PRT_F32, &gemm4, at_block_attn_query(ctx, layer), at_block_attn_key(ctx, layer), 0,
                     at_block_attn_scores(ctx));
            /* examples/moe.place:9: causal_softmax "bnts,t,s->bnts": 256 KiB, 262 kflop */
            prt_launch(ctx, KERNEL_causal_softmax_f32_ijk_i32j_i32k, 0, &(prt_arguments){
                .arrays = {at_block_attn_weights(ctx, layer), at_block_attn_scores(ctx), at_row_positions(ctx),
                           at_column_positions(ctx)},
                .extents = {8, 64, 64},
                .numbers = {0.17677669529663687},
            });
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
            prt_gemm(ctx, 0, PRT_F32, &gemm5, at_block_attn_weights(ctx, layer), at_block_attn_value(ctx, layer), 0,
                     at_block_attn_mixed(ctx, layer));
            /* examples/moe.place:9: einsum "btnd,hnd->bth": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm6 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm6, at_block_attn_mixed(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_out_weight, 0, at_block_attn_product(ctx));
            /* examples/moe.place:9: add "bth,h->bth": 128 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_block_attn(ctx), at_block_attn_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_out_bias},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: add "abc,abc->abc": 192 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_block_x(ctx, layer), at_x(ctx, layer), at_block_attn(ctx)},
                .extents = {16384},
            });
            /* examples/moe.place:10: row_mean "bth->bt": 64.5 KiB, 16.4 kflop */
            ctx->at = LINE_10_computing_in_step;
            prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_block_norm2_mean(ctx, layer), at_block_x(ctx, layer)},
                .extents = {128, 128},
            });
            /* examples/moe.place:10: row_rstd "bth,bt->bt": 65.0 KiB, 49.2 kflop */
            prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
                .arrays = {at_block_norm2_rstd(ctx, layer), at_block_x(ctx, layer), at_block_norm2_mean(ctx, layer)},
                .extents = {128, 128},
                .numbers = {1e-05},
            });
            /* examples/moe.place:10: norm "bth,bt,bt,h,h->bth": 130 KiB, 65.5 kflop */
            prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
                .arrays = {at_block_norm2(ctx, layer), at_block_x(ctx, layer), at_block_norm2_mean(ctx, layer),
                           at_block_norm2_rstd(ctx, layer), at_parameters_block(ctx, layer) + OFFSET_block_norm2_gain,
                           at_parameters_block(ctx, layer) + OFFSET_block_norm2_bias},
                .extents = {128, 128},
            });
            /* examples/moe.place:10: einsum "bth,eh->bte": 72.0 KiB, 262 kflop */
            const prt_gemm_shape gemm7 = {
                .m = 128, .n = 8, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 8, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm7, at_block_norm2(ctx, layer),
                     at_parameters_block(ctx, layer) + OFFSET_block_moe_router_weight, 0,
                     at_block_moe_logits(ctx, layer));
            /* examples/moe.place:10: softmax "bte->bte": 8.00 KiB, 8.19 kflop */
            prt_launch(ctx, KERNEL_softmax_f32_ij, 0, &(prt_arguments){
                .arrays = {at_block_moe_probabilities(ctx, layer), at_block_moe_logits(ctx, layer)},
                .extents = {128, 8},
                .numbers = {1},
            });
            /* examples/moe.place:10: top "bte->btk": 5.00 KiB, 4.1 kflop */
            prt_launch(ctx, KERNEL_top_i32_f32ik_to_ij, 0, &(prt_arguments){
                .arrays = {at_block_moe_choice(ctx, layer), at_block_moe_probabilities(ctx, layer)},
                .extents = {128, 2, 8},
            });
            /* examples/moe.place:10: count_equal "btk,e->be": 1.09 KiB */
            prt_launch(ctx, KERNEL_count_equal_f32_i32ij_i32k_to_ik, 0, &(prt_arguments){
                .arrays = {at_block_moe_load(ctx, layer), at_block_moe_choice(ctx, layer), at_expert_positions(ctx)},
                .extents = {2, 128, 8},
            });
            /* examples/moe.place:10: reduce "bte->be": 4.06 KiB, 1.02 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ijk_to_ik, 0, &(prt_arguments){
                .arrays = {at_block_moe_mass(ctx), at_block_moe_probabilities(ctx, layer)},
                .extents = {2, 64, 8},
            });
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
            prt_gemm(ctx, 0, PRT_F32, &gemm8, at_block_moe_load(ctx, layer), at_block_moe_mass(ctx), 0,
                     at_block_moe_product(ctx));
            /* examples/moe.place:10: scale "b->b": 16 B, 2 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_block_moe_balance(ctx), at_block_moe_product(ctx)},
                .extents = {2},
                .numbers = {8.0 / 8192},
            });
            /* examples/moe.place:10: add "b,b->b": 24 B, 2 flop */
            prt_launch(ctx, KERNEL_add_f32_overlap, 0, &(prt_arguments){
                .arrays = {at_block_moe_balance_sum(ctx, layer + 1), at_block_moe_balance_sum(ctx, layer),
                           at_block_moe_balance(ctx)},
                .extents = {2},
            });
            /* examples/moe.place:10: log_sum_exp "bte->bt": 4.50 KiB, 4.1 kflop */
            prt_launch(ctx, KERNEL_log_sum_exp_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_block_moe_log_sum(ctx, layer), at_block_moe_logits(ctx, layer)},
                .extents = {128, 8},
            });
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
            prt_gemm(ctx, 0, PRT_F32, &gemm9, at_block_moe_log_sum(ctx, layer), at_block_moe_log_sum(ctx, layer), 0,
                     at_block_moe_squares(ctx));
            /* examples/moe.place:10: scale "b->b": 16 B, 2 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_block_moe_z(ctx), at_block_moe_squares(ctx)},
                .extents = {2},
                .numbers = {1.0 / 64},
            });
            /* examples/moe.place:10: add "b,b->b": 24 B, 2 flop */
            prt_launch(ctx, KERNEL_add_f32_overlap, 0, &(prt_arguments){
                .arrays = {at_block_moe_z_sum(ctx, layer + 1), at_block_moe_z_sum(ctx, layer), at_block_moe_z(ctx)},
                .extents = {2},
            });
            /* examples/moe.place:10: queue "btk,e->bec": 2.28 KiB */
            prt_launch(ctx, KERNEL_queue_i32_ilm_j_to_ijk, 0, &(prt_arguments){
                .arrays = {at_block_moe_source(ctx, layer), at_block_moe_choice(ctx, layer), at_expert_positions(ctx)},
                .extents = {2, 8, 20, 64, 2},
            });
            /* examples/moe.place:10: take "bec,bte->bec": 6.50 KiB */
            prt_launch(ctx, KERNEL_take_f32_i32ijk_ilj_to_ijk, 0, &(prt_arguments){
                .arrays = {at_block_moe_picked(ctx, layer), at_block_moe_source(ctx, layer),
                           at_block_moe_probabilities(ctx, layer)},
                .extents = {2, 8, 20, 64},
            });
            /* examples/moe.place:10: sum_equal "bte,btk,e->bt": 5.53 KiB, 4.1 kflop */
            prt_launch(ctx, KERNEL_sum_equal_f32_ij_i32ik_i32j_to_i, 0, &(prt_arguments){
                .arrays = {at_block_moe_total(ctx, layer), at_block_moe_probabilities(ctx, layer),
                           at_block_moe_choice(ctx, layer), at_expert_positions(ctx)},
                .extents = {128, 8, 2},
            });
            /* examples/moe.place:10: recip "bt->bt": 1.00 KiB, 128 flop */
            prt_launch(ctx, KERNEL_recip_f32, 0, &(prt_arguments){
                .arrays = {at_block_moe_inverse(ctx), at_block_moe_total(ctx, layer)},
                .extents = {128},
            });
            /* examples/moe.place:10: take "bec,bt->bec": 3.00 KiB */
            prt_launch(ctx, KERNEL_take_f32_i32ij_ik_to_ij, 0, &(prt_arguments){
                .arrays = {at_block_moe_inverses(ctx, layer), at_block_moe_source(ctx, layer),
                           at_block_moe_inverse(ctx)},
                .extents = {2, 160, 64},
            });
            /* examples/moe.place:10: mul "bec,bec->bec": 3.75 KiB, 320 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_block_moe_weights(ctx, layer), at_block_moe_picked(ctx, layer),
                           at_block_moe_inverses(ctx, layer)},
                .extents = {320},
            });
            /* examples/moe.place:10: take "bec,bth->bech": 225 KiB */
            prt_launch(ctx, KERNEL_take_f32_i32ij_ikl_to_ijl, 0, &(prt_arguments){
                .arrays = {at_block_moe_inputs(ctx), at_block_moe_source(ctx, layer), at_block_norm2(ctx, layer)},
                .extents = {2, 160, 64, 128},
            });
            /* examples/moe.place:10: all_to_all block.moe.inputs over data: payload 160 KiB */
            ctx->at = LINE_10_all_to_all_block_moe_inputs_over_data;
            prt_all_to_all(ctx, CALL_all_to_all_block_moe_inputs, micro, at_block_moe_inputs_exchanged(ctx, layer),
                           at_block_moe_inputs(ctx));
            /* examples/moe.place:10: einsum "bech,efh->becf": 1.28 MiB, 41.9 Mflop */
            ctx->at = LINE_10_computing_in_step;
            const prt_gemm_shape gemm10 = {
                .m = 20, .n = 512, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 512, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 2},
                .a_batch = {5120, 2560},
                .b_batch = {0, 65536},
                .c_batch = {20480, 10240},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm10, at_block_moe_inputs_exchanged(ctx, layer),
                     at_parameters_block_moe(ctx, layer) + OFFSET_block_moe_up_weight, 0, at_block_moe_up(ctx, layer));
            /* examples/moe.place:10: gelu "abcd->abcd": 1.25 MiB, 2.29 Mflop */
            prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
                .arrays = {at_block_moe_active(ctx, layer), at_block_moe_up(ctx, layer)},
                .extents = {163840},
            });
            /* examples/moe.place:10: einsum "becf,ehf->bech": 1.28 MiB, 41.9 Mflop */
            const prt_gemm_shape gemm11 = {
                .m = 20, .n = 128, .k = 512,
                .a_row = 512, .a_column = 1,
                .b_row = 1, .b_column = 512,
                .c_row = 128, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 2},
                .a_batch = {20480, 10240},
                .b_batch = {0, 65536},
                .c_batch = {5120, 2560},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm11, at_block_moe_active(ctx, layer),
                     at_parameters_block_moe(ctx, layer) + OFFSET_block_moe_down_weight, 0, at_block_moe_outputs(ctx));
            /* examples/moe.place:10: all_to_all block.moe.outputs over data: payload 160 KiB */
            ctx->at = LINE_10_all_to_all_block_moe_outputs_over_data;
            prt_all_to_all(ctx, CALL_all_to_all_block_moe_outputs, micro, at_block_moe_outputs_exchanged(ctx, layer),
                           at_block_moe_outputs(ctx));
            /* examples/moe.place:10: combine "bec,bech,bec->bth": 226 KiB, 81.9 kflop */
            ctx->at = LINE_10_computing_in_step;
            prt_launch(ctx, KERNEL_combine_f32_i32ij_ijl_ij_to_ikl, 0, &(prt_arguments){
                .arrays = {at_block_moe(ctx), at_block_moe_source(ctx, layer),
                           at_block_moe_outputs_exchanged(ctx, layer), at_block_moe_weights(ctx, layer)},
                .extents = {2, 160, 64, 128},
            });
            /* examples/moe.place:10: add "abc,abc->abc": 192 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_x(ctx, layer + 1), at_block_x(ctx, layer), at_block_moe(ctx)},
                .extents = {16384},
            });
        }
        /* examples/moe.place:12: row_mean "bth->bt": 64.5 KiB, 16.4 kflop */
        ctx->at = LINE_12_computing_in_step;
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_norm_mean(ctx), at_x(ctx, 4)},
            .extents = {128, 128},
        });
        /* examples/moe.place:12: row_rstd "bth,bt->bt": 65.0 KiB, 49.2 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_norm_rstd(ctx), at_x(ctx, 4), at_norm_mean(ctx)},
            .extents = {128, 128},
            .numbers = {1e-05},
        });
        /* examples/moe.place:12: norm "bth,bt,bt,h,h->bth": 130 KiB, 65.5 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_norm(ctx), at_x(ctx, 4), at_norm_mean(ctx), at_norm_rstd(ctx),
                       at_parameters_outside(ctx) + OFFSET_norm_gain, at_parameters_outside(ctx) + OFFSET_norm_bias},
            .extents = {128, 128},
        });
        /* examples/moe.place:12: einsum "bth,oh->bto": 320 KiB, 8.39 Mflop */
        const prt_gemm_shape gemm12 = {
            .m = 128, .n = 256, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm12, at_norm(ctx), at_parameters_outside(ctx) + OFFSET_wte_table, 0,
                 at_logits(ctx));
        /* examples/moe.place:13: iota: 1.00 KiB */
        ctx->at = LINE_13_computing_in_step;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_class_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        /* examples/moe.place:13: row_max "btv->bt": 128 KiB, 32.8 kflop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_largest(ctx), at_logits(ctx)},
            .extents = {128, 256},
        });
        /* examples/moe.place:13: exp_sum "btv,bt->bt": 129 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_exp_sum(ctx), at_logits(ctx), at_loss_terms_largest(ctx)},
            .extents = {128, 256},
        });
        /* examples/moe.place:13: pick "btv,bt,v->bt": 130 KiB, 32.8 kflop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_target_logit(ctx), at_logits(ctx), at_targets(ctx), at_class_positions(ctx)},
            .extents = {128, 256},
        });
        /* examples/moe.place:13: log_loss "bt,bt,bt->bt": 2.00 KiB, 768 flop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_loss_terms(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_loss_terms_target_logit(ctx)},
            .extents = {128},
        });
        /* examples/moe.place:13: reduce "ab->": 516 B, 128 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_loss(ctx), at_loss_terms(ctx)},
            .extents = {128},
        });
        /* examples/moe.place:13: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_loss(ctx)},
            .numbers = {1.0 / 512},
        });
        /* examples/moe.place:14: reduce "a->": 12 B, 2 flop */
        ctx->at = LINE_14_computing_in_step;
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_loss_2(ctx), at_block_moe_balance_sum(ctx, 4)},
            .extents = {2},
        });
        /* examples/moe.place:14: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_loss_2(ctx)},
            .numbers = {1.0 / 800},
        });
        /* examples/moe.place:14: add ",->": 12 B, 1 flop */
        prt_launch(ctx, KERNEL_add_f32_s_s, 0, &(prt_arguments){
            .arrays = {at_loss_3(ctx), at_loss(ctx), at_loss_2(ctx)},
        });
        /* examples/moe.place:14: reduce "a->": 12 B, 2 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_loss_4(ctx), at_block_moe_z_sum(ctx, 4)},
            .extents = {2},
        });
        /* examples/moe.place:14: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_loss_4(ctx)},
            .numbers = {1.0 / 8000},
        });
        /* examples/moe.place:14: add ",->": 12 B, 1 flop */
        prt_launch(ctx, KERNEL_add_f32_s_s, 0, &(prt_arguments){
            .arrays = {at_loss_5(ctx), at_loss_3(ctx), at_loss_4(ctx)},
        });
        /* examples/moe.place:13: fill "ab": 512 B */
        ctx->at = LINE_13_computing_in_step;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_d_loss_terms(ctx)},
            .extents = {128},
            .numbers = {0.001953125},
        });
        /* examples/moe.place:13: fill "a": 8 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_d_block_moe_balance_sum(ctx)},
            .extents = {2},
            .numbers = {0.00125},
        });
        /* examples/moe.place:13: fill "a": 8 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_d_block_moe_z_sum(ctx)},
            .extents = {2},
            .numbers = {0.000125},
        });
        /* examples/moe.place:13: log_loss_bwd "btv,bt,bt,bt,v,bt->btv": 259 KiB, 229 kflop */
        prt_launch(ctx, KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i, 0, &(prt_arguments){
            .arrays = {at_d_logits(ctx), at_logits(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_targets(ctx), at_class_positions(ctx), at_d_loss_terms(ctx)},
            .extents = {128, 256},
        });
        /* examples/moe.place:12: einsum "bto,oh->bth": 320 KiB, 8.39 Mflop */
        ctx->at = LINE_12_computing_in_step;
        const prt_gemm_shape gemm13 = {
            .m = 128, .n = 128, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 128, .b_column = 1,
            .c_row = 128, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm13, at_d_logits(ctx), at_parameters_outside(ctx) + OFFSET_wte_table, 0,
                 at_d_norm(ctx));
        /* examples/moe.place:12: einsum "bto,bth->oh": 448 KiB, 8.39 Mflop */
        const prt_gemm_shape gemm14 = {
            .m = 256, .n = 128, .k = 128,
            .a_row = 1, .a_column = 256,
            .b_row = 128, .b_column = 1,
            .c_row = 128, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm14, at_d_logits(ctx), at_norm(ctx), 1,
                 at_gradients_outside(ctx) + OFFSET_wte_table);
        /* examples/moe.place:12: norm_bwd "bth,bt,bt,h,bth->bth": 194 KiB, 197 kflop */
        prt_launch(ctx, KERNEL_norm_bwd_f32_ij_i_i_j_ij, 0, &(prt_arguments){
            .arrays = {at_d_x(ctx), at_x(ctx, 4), at_norm_mean(ctx), at_norm_rstd(ctx),
                       at_parameters_outside(ctx) + OFFSET_norm_gain, at_d_norm(ctx)},
            .extents = {128, 128},
        });
        /* examples/moe.place:12: norm_gain_bwd "bth,bt,bt,bth->h": 130 KiB, 65.5 kflop */
        prt_launch(ctx, KERNEL_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_norm_gain, at_x(ctx, 4), at_norm_mean(ctx), at_norm_rstd(ctx),
                       at_d_norm(ctx)},
            .extents = {128, 128},
        });
        /* examples/moe.place:12: reduce "bth->h": 65.0 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_norm_bias, at_d_norm(ctx)},
            .extents = {128, 128},
        });
        for (int64_t layer = 3; layer >= 0; layer--) {
            /* examples/moe.place:10: take "bec,bth->bech": 225 KiB */
            ctx->at = LINE_10_computing_in_step;
            prt_launch(ctx, KERNEL_take_f32_i32ij_ikl_to_ijl, 0, &(prt_arguments){
                .arrays = {at_d_x_taken(ctx), at_block_moe_source(ctx, layer), at_d_x(ctx)},
                .extents = {2, 160, 64, 128},
            });
            /* examples/moe.place:10: mul "bech,bec->bech": 321 KiB, 41 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ij_i, 0, &(prt_arguments){
                .arrays = {at_d_block_moe_outputs(ctx), at_d_x_taken(ctx), at_block_moe_weights(ctx, layer)},
                .extents = {320, 128},
            });
            /* examples/moe.place:10: einsum "bech,bech->bec": 321 KiB, 81.9 kflop */
            const prt_gemm_shape gemm15 = {
                .m = 1, .n = 1, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 1, .c_column = 1,
                .batch_dims = 1,
                .batch = {320},
                .a_batch = {128},
                .b_batch = {128},
                .c_batch = {1},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm15, at_d_x_taken(ctx), at_block_moe_outputs_exchanged(ctx, layer), 0,
                     at_d_block_moe_weights(ctx));
            /* examples/moe.place:10: all_to_all d_block.moe.outputs over data: payload 160 KiB */
            ctx->at = LINE_10_all_to_all_d_block_moe_outputs_over_data;
            prt_all_to_all(ctx, CALL_all_to_all_d_block_moe_outputs, micro, at_d_block_moe_outputs_exchanged(ctx),
                           at_d_block_moe_outputs(ctx));
            /* examples/moe.place:10: einsum "bech,ehf->becf": 1.28 MiB, 41.9 Mflop */
            ctx->at = LINE_10_computing_in_step;
            const prt_gemm_shape gemm16 = {
                .m = 20, .n = 512, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 512, .b_column = 1,
                .c_row = 512, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 2},
                .a_batch = {5120, 2560},
                .b_batch = {0, 65536},
                .c_batch = {20480, 10240},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm16, at_d_block_moe_outputs_exchanged(ctx),
                     at_parameters_block_moe(ctx, layer) + OFFSET_block_moe_down_weight, 0, at_d_block_moe_active(ctx));
            /* examples/moe.place:10: einsum "bech,becf->ehf": 1.78 MiB, 41.9 Mflop */
            const prt_gemm_shape gemm17 = {
                .m = 128, .n = 512, .k = 20,
                .a_row = 1, .a_column = 128,
                .b_row = 512, .b_column = 1,
                .c_row = 512, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 2},
                .a_batch = {5120, 2560},
                .b_batch = {20480, 10240},
                .c_batch = {0, 65536},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm17, at_d_block_moe_outputs_exchanged(ctx), at_block_moe_active(ctx, layer),
                     1, at_gradients_block_moe(ctx, layer) + OFFSET_block_moe_down_weight);
            /* examples/moe.place:10: gelu_bwd "abcd,abcd->abcd": 1.88 MiB, 3.93 Mflop */
            prt_launch(ctx, KERNEL_gelu_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_block_moe_up(ctx), at_block_moe_up(ctx, layer), at_d_block_moe_active(ctx)},
                .extents = {163840},
            });
            /* examples/moe.place:10: einsum "becf,efh->bech": 1.28 MiB, 41.9 Mflop */
            const prt_gemm_shape gemm18 = {
                .m = 20, .n = 128, .k = 512,
                .a_row = 512, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 2},
                .a_batch = {20480, 10240},
                .b_batch = {0, 65536},
                .c_batch = {5120, 2560},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm18, at_d_block_moe_up(ctx),
                     at_parameters_block_moe(ctx, layer) + OFFSET_block_moe_up_weight, 0, at_d_block_moe_inputs(ctx));
            /* examples/moe.place:10: einsum "becf,bech->efh": 1.78 MiB, 41.9 Mflop */
            const prt_gemm_shape gemm19 = {
                .m = 512, .n = 128, .k = 20,
                .a_row = 1, .a_column = 512,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 2},
                .a_batch = {20480, 10240},
                .b_batch = {5120, 2560},
                .c_batch = {0, 65536},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm19, at_d_block_moe_up(ctx), at_block_moe_inputs_exchanged(ctx, layer), 1,
                     at_gradients_block_moe(ctx, layer) + OFFSET_block_moe_up_weight);
            /* examples/moe.place:10: all_to_all d_block.moe.inputs over data: payload 160 KiB */
            ctx->at = LINE_10_all_to_all_d_block_moe_inputs_over_data;
            prt_all_to_all(ctx, CALL_all_to_all_d_block_moe_inputs, micro, at_d_block_moe_inputs_exchanged(ctx),
                           at_d_block_moe_inputs(ctx));
            /* examples/moe.place:10: give "bec,bech->bth": 225 KiB, 41 kflop */
            ctx->at = LINE_10_computing_in_step;
            prt_launch(ctx, KERNEL_give_f32_i32ij_ijl_to_ikl, 0, &(prt_arguments){
                .arrays = {at_d_block_norm2(ctx), at_block_moe_source(ctx, layer),
                           at_d_block_moe_inputs_exchanged(ctx)},
                .extents = {2, 160, 64, 128},
            });
            /* examples/moe.place:10: mul "bec,bec->bec": 3.75 KiB, 320 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_d_block_moe_picked(ctx), at_d_block_moe_weights(ctx), at_block_moe_inverses(ctx, layer)},
                .extents = {320},
            });
            /* examples/moe.place:10: mul "bec,bec->bec": 3.75 KiB, 320 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_d_block_moe_inverses(ctx), at_d_block_moe_weights(ctx), at_block_moe_picked(ctx, layer)},
                .extents = {320},
            });
            /* examples/moe.place:10: give "bec,bec->bt": 3.00 KiB, 320 flop */
            prt_launch(ctx, KERNEL_give_f32_i32ij_ij_to_ik, 0, &(prt_arguments){
                .arrays = {at_d_block_moe_inverse(ctx), at_block_moe_source(ctx, layer), at_d_block_moe_inverses(ctx)},
                .extents = {2, 160, 64},
            });
            /* examples/moe.place:10: recip_bwd "bt,bt->bt": 1.50 KiB, 384 flop */
            prt_launch(ctx, KERNEL_recip_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_block_moe_total(ctx), at_block_moe_total(ctx, layer), at_d_block_moe_inverse(ctx)},
                .extents = {128},
            });
            /* examples/moe.place:10: sum_equal "bt,btk,e->bte": 5.53 KiB, 4.1 kflop */
            prt_launch(ctx, KERNEL_sum_equal_f32_i_i32ij_i32k_to_ik, 0, &(prt_arguments){
                .arrays = {at_d_block_moe_probabilities(ctx), at_d_block_moe_total(ctx),
                           at_block_moe_choice(ctx, layer), at_expert_positions(ctx)},
                .extents = {128, 2, 8},
            });
            /* examples/moe.place:10: give "bec,bec->bte": 10.5 KiB, 320 flop */
            prt_launch(ctx, KERNEL_give_f32_i32ijk_ijk_to_ilj_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_block_moe_probabilities(ctx), at_block_moe_source(ctx, layer),
                           at_d_block_moe_picked(ctx)},
                .extents = {2, 8, 20, 64},
            });
            /* examples/moe.place:10: scale "b->b": 16 B, 2 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_block_moe_squares(ctx), at_d_block_moe_z_sum(ctx)},
                .extents = {2},
                .numbers = {1.0 / 64},
            });
            /* examples/moe.place:10: einsum "b,bt->bt": 1.01 KiB, 256 flop */
            const prt_gemm_shape gemm20 = {
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
            prt_gemm(ctx, 0, PRT_F32, &gemm20, at_d_block_moe_squares(ctx), at_block_moe_log_sum(ctx, layer), 0,
                     at_d_block_moe_log_sum(ctx));
            /* examples/moe.place:10: einsum "b,bt->bt": 1.51 KiB, 256 flop */
            const prt_gemm_shape gemm21 = {
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
            prt_gemm(ctx, 0, PRT_F32, &gemm21, at_d_block_moe_squares(ctx), at_block_moe_log_sum(ctx, layer), 1,
                     at_d_block_moe_log_sum(ctx));
            /* examples/moe.place:10: log_sum_exp_bwd "bte,bt->bte": 8.50 KiB, 6.14 kflop */
            prt_launch(ctx, KERNEL_log_sum_exp_bwd_f32_ij_i, 0, &(prt_arguments){
                .arrays = {at_d_block_moe_logits(ctx), at_block_moe_logits(ctx, layer), at_d_block_moe_log_sum(ctx)},
                .extents = {128, 8},
            });
            /* examples/moe.place:10: scale "b->b": 16 B, 2 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_block_moe_product(ctx), at_d_block_moe_balance_sum(ctx)},
                .extents = {2},
                .numbers = {8.0 / 8192},
            });
            /* examples/moe.place:10: einsum "b,be->be": 136 B, 32 flop */
            const prt_gemm_shape gemm22 = {
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
            prt_gemm(ctx, 0, PRT_F32, &gemm22, at_d_block_moe_product(ctx), at_block_moe_load(ctx, layer), 0,
                     at_d_block_moe_mass(ctx));
            /* examples/moe.place:10: add to d_block.moe.probabilities "be->bte": 8.06 KiB */
            prt_launch(ctx, KERNEL_copy_f32_ik_to_ijk_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_block_moe_probabilities(ctx), at_d_block_moe_mass(ctx)},
                .extents = {2, 64, 8},
            });
            /* examples/moe.place:10: softmax_bwd "bte,bte->bte": 16.0 KiB, 5.12 kflop */
            prt_launch(ctx, KERNEL_softmax_bwd_f32_ij_ij_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_block_moe_logits(ctx), at_block_moe_probabilities(ctx, layer),
                           at_d_block_moe_probabilities(ctx)},
                .extents = {128, 8},
                .numbers = {1},
            });
            /* examples/moe.place:10: einsum "bte,eh->bth": 136 KiB, 262 kflop */
            const prt_gemm_shape gemm23 = {
                .m = 128, .n = 128, .k = 8,
                .a_row = 8, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm23, at_d_block_moe_logits(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_moe_router_weight, 1, at_d_block_norm2(ctx));
            /* examples/moe.place:10: einsum "bte,bth->eh": 76.0 KiB, 262 kflop */
            const prt_gemm_shape gemm24 = {
                .m = 8, .n = 128, .k = 128,
                .a_row = 1, .a_column = 8,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm24, at_d_block_moe_logits(ctx), at_block_norm2(ctx, layer), 1,
                     at_gradients_block(ctx, layer) + OFFSET_block_moe_router_weight);
            /* examples/moe.place:10: norm_bwd "bth,bt,bt,h,bth->bth": 258 KiB, 197 kflop */
            prt_launch(ctx, KERNEL_norm_bwd_f32_ij_i_i_j_ij_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_x(ctx), at_block_x(ctx, layer), at_block_norm2_mean(ctx, layer),
                           at_block_norm2_rstd(ctx, layer), at_parameters_block(ctx, layer) + OFFSET_block_norm2_gain,
                           at_d_block_norm2(ctx)},
                .extents = {128, 128},
            });
            /* examples/moe.place:10: norm_gain_bwd "bth,bt,bt,bth->h": 130 KiB, 65.5 kflop */
            prt_launch(ctx, KERNEL_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_block(ctx, layer) + OFFSET_block_norm2_gain, at_block_x(ctx, layer),
                           at_block_norm2_mean(ctx, layer), at_block_norm2_rstd(ctx, layer), at_d_block_norm2(ctx)},
                .extents = {128, 128},
            });
            /* examples/moe.place:10: reduce "bth->h": 65.0 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_block(ctx, layer) + OFFSET_block_norm2_bias, at_d_block_norm2(ctx)},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: reduce "bth->h": 65.0 KiB, 16.4 kflop */
            ctx->at = LINE_9_computing_in_step;
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_block(ctx, layer) + OFFSET_block_attn_out_bias, at_d_x(ctx)},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: einsum "bth,hnd->btnd": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm25 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm25, at_d_x(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_out_weight, 0, at_d_block_attn_mixed(ctx));
            /* examples/moe.place:9: einsum "bth,btnd->hnd": 256 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm26 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 1, .a_column = 128,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm26, at_d_x(ctx), at_block_attn_mixed(ctx, layer), 1,
                     at_gradients_block(ctx, layer) + OFFSET_block_attn_out_weight);
            /* examples/moe.place:9: einsum "btnd,bsnd->bnts": 256 KiB, 2.1 Mflop */
            const prt_gemm_shape gemm27 = {
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
            prt_gemm(ctx, 0, PRT_F32, &gemm27, at_d_block_attn_mixed(ctx), at_block_attn_value(ctx, layer), 0,
                     at_d_block_attn_weights(ctx));
            /* examples/moe.place:9: einsum "btnd,bnts->bsnd": 256 KiB, 2.1 Mflop */
            const prt_gemm_shape gemm28 = {
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
            prt_gemm(ctx, 0, PRT_F32, &gemm28, at_d_block_attn_mixed(ctx), at_block_attn_weights(ctx, layer), 0,
                     at_d_block_attn_value(ctx));
            /* examples/moe.place:9: softmax_bwd "bnts,bnts->bnts": 384 KiB, 164 kflop */
            prt_launch(ctx, KERNEL_softmax_bwd_f32_ij_ij, 0, &(prt_arguments){
                .arrays = {at_d_block_attn_scores(ctx), at_block_attn_weights(ctx, layer),
                           at_d_block_attn_weights(ctx)},
                .extents = {512, 64},
                .numbers = {0.17677669529663687},
            });
            /* examples/moe.place:9: einsum "bnts,bsnd->btnd": 256 KiB, 2.1 Mflop */
            const prt_gemm_shape gemm29 = {
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
            prt_gemm(ctx, 0, PRT_F32, &gemm29, at_d_block_attn_scores(ctx), at_block_attn_key(ctx, layer), 0,
                     at_d_block_attn_query(ctx));
            /* examples/moe.place:9: einsum "bnts,btnd->bsnd": 256 KiB, 2.1 Mflop */
            const prt_gemm_shape gemm30 = {
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
            prt_gemm(ctx, 0, PRT_F32, &gemm30, at_d_block_attn_scores(ctx), at_block_attn_query(ctx, layer), 0,
                     at_d_block_attn_key(ctx));
            /* examples/moe.place:9: reduce "btnd->nd": 65.0 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_block(ctx, layer) + OFFSET_block_attn_value_bias, at_d_block_attn_value(ctx)},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: einsum "btnd,ndh->bth": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm31 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm31, at_d_block_attn_value(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_value_weight, 0, at_d_block_norm1(ctx));
            /* examples/moe.place:9: einsum "btnd,bth->ndh": 256 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm32 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 1, .a_column = 128,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm32, at_d_block_attn_value(ctx), at_block_norm1(ctx, layer), 1,
                     at_gradients_block(ctx, layer) + OFFSET_block_attn_value_weight);
            /* examples/moe.place:9: reduce "btnd->nd": 65.0 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_block(ctx, layer) + OFFSET_block_attn_key_bias, at_d_block_attn_key(ctx)},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: einsum "btnd,ndh->bth": 256 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm33 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm33, at_d_block_attn_key(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_key_weight, 1, at_d_block_norm1(ctx));
            /* examples/moe.place:9: einsum "btnd,bth->ndh": 256 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm34 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 1, .a_column = 128,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm34, at_d_block_attn_key(ctx), at_block_norm1(ctx, layer), 1,
                     at_gradients_block(ctx, layer) + OFFSET_block_attn_key_weight);
            /* examples/moe.place:9: reduce "btnd->nd": 65.0 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_block(ctx, layer) + OFFSET_block_attn_query_bias, at_d_block_attn_query(ctx)},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: einsum "btnd,ndh->bth": 256 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm35 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm35, at_d_block_attn_query(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_query_weight, 1, at_d_block_norm1(ctx));
            /* examples/moe.place:9: einsum "btnd,bth->ndh": 256 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm36 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 1, .a_column = 128,
                .b_row = 128, .b_column = 1,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm36, at_d_block_attn_query(ctx), at_block_norm1(ctx, layer), 1,
                     at_gradients_block(ctx, layer) + OFFSET_block_attn_query_weight);
            /* examples/moe.place:9: norm_bwd "bth,bt,bt,h,bth->bth": 258 KiB, 197 kflop */
            prt_launch(ctx, KERNEL_norm_bwd_f32_ij_i_i_j_ij_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_x(ctx), at_x(ctx, layer), at_block_norm1_mean(ctx, layer),
                           at_block_norm1_rstd(ctx, layer), at_parameters_block(ctx, layer) + OFFSET_block_norm1_gain,
                           at_d_block_norm1(ctx)},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: norm_gain_bwd "bth,bt,bt,bth->h": 130 KiB, 65.5 kflop */
            prt_launch(ctx, KERNEL_norm_gain_bwd_f32_ij_i_i_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_block(ctx, layer) + OFFSET_block_norm1_gain, at_x(ctx, layer),
                           at_block_norm1_mean(ctx, layer), at_block_norm1_rstd(ctx, layer), at_d_block_norm1(ctx)},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: reduce "bth->h": 65.0 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_block(ctx, layer) + OFFSET_block_norm1_bias, at_d_block_norm1(ctx)},
                .extents = {128, 128},
            });
        }
        /* examples/moe.place:7: reduce "abc->bc": 128 KiB, 16.4 kflop */
        ctx->at = LINE_7_computing_in_step;
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_wpe_table, at_d_x(ctx)},
            .extents = {2, 8192},
        });
        /* examples/moe.place:7: embed_bwd "bt,bth->vh": 320 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_embed_bwd_f32_i32i_ik_to_jk_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_wte_table, at_tokens(ctx), at_d_x(ctx)},
            .extents = {128, 256, 128},
        });
        /* examples/moe.place:14: add to loss.5.sum "->": 12 B */
        ctx->at = LINE_14_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_loss_5_sum(ctx), at_loss_5(ctx)},
        });
    }
    /* examples/moe.place:21: all_reduce loss.5.sum over data: payload 4 B */
    ctx->at = LINE_21_all_reduce_loss_5_sum_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_loss_5_sum, at_loss_5_sum(ctx), at_loss_5_sum(ctx), 1);
    /* examples/moe.place:13: output loss: 4 B */
    ctx->at = LINE_13_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_loss_5_sum(ctx), 1);
    /* examples/moe.place:23: fill: 4 B */
    ctx->at = LINE_23_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_norm_squared(ctx)}, .numbers = {0}});
    /* examples/moe.place:22: rate "->": 8 B, 8 flop */
    ctx->at = LINE_22_computing_in_step;
    prt_launch(ctx, KERNEL_rate_f32_s, 0, &(prt_arguments){
        .arrays = {at_rate(ctx), at_step(ctx)},
        .numbers = {0.001, 20, 0, 1},
    });
    /* examples/moe.place:22: output learning_rate: 4 B */
    ctx->at = LINE_22_output_learning_rate;
    prt_output(ctx, "learning_rate", PRT_F32, at_rate(ctx), 1);
    /* examples/moe.place:22: correction "->": 8 B, 4 flop */
    ctx->at = LINE_22_computing_in_step;
    prt_launch(ctx, KERNEL_correction_f32_s, 0, &(prt_arguments){
        .arrays = {at_correction1(ctx), at_step(ctx)},
        .numbers = {0.9},
    });
    /* examples/moe.place:22: correction "->": 8 B, 4 flop */
    prt_launch(ctx, KERNEL_correction_f32_s, 0, &(prt_arguments){
        .arrays = {at_correction2(ctx), at_step(ctx)},
        .numbers = {0.999},
    });
    /* examples/moe.place:22: increment "->": 8 B, 1 flop */
    prt_launch(ctx, KERNEL_increment_f32_s_in_place_a, 0, &(prt_arguments){.arrays = {at_step(ctx)}});
    /* examples/moe.place:21: reduce_scatter gradients.outside over data: payload 161 KiB */
    ctx->at = LINE_21_reduce_scatter_gradients_outside_over_data;
    prt_reduce_scatter(ctx, CALL_reduce_scatter_gradients_outside, 0, at_gradient_shard_outside(ctx),
                       at_gradients_outside(ctx));
    /* examples/moe.place:23: sum_squares: 40.3 KiB, 20.6 kflop */
    ctx->at = LINE_23_computing_in_step;
    prt_launch(ctx, KERNEL_sum_squares_f32_i_to_s_accumulate, 0, &(prt_arguments){
        .arrays = {at_norm_squared(ctx), at_gradient_shard_outside(ctx)},
        .extents = {10304},
    });
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/moe.place:21: reduce_scatter gradients.block over data: payload 264 KiB */
        ctx->at = LINE_21_reduce_scatter_gradients_block_over_data;
        prt_reduce_scatter(ctx, CALL_reduce_scatter_gradients_block, 0, at_gradient_shard_block(ctx, layer),
                           at_gradients_block(ctx, layer));
        /* examples/moe.place:23: sum_squares: 66.0 KiB, 33.8 kflop */
        ctx->at = LINE_23_computing_in_step;
        prt_launch(ctx, KERNEL_sum_squares_f32_i_to_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_norm_squared(ctx), at_gradient_shard_block(ctx, layer)},
            .extents = {16896},
        });
    }
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/moe.place:23: sum_squares: 1.00 MiB, 524 kflop */
        ctx->at = LINE_23_computing_in_step;
        prt_launch(ctx, KERNEL_sum_squares_f32_i_to_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_norm_squared(ctx), at_gradients_block_moe(ctx, layer)},
            .extents = {262144},
        });
    }
    /* examples/moe.place:21: all_reduce norm_squared over data: payload 4 B */
    ctx->at = LINE_21_all_reduce_norm_squared_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_norm_squared, at_norm_squared(ctx), at_norm_squared(ctx), 1);
    /* examples/moe.place:23: sqrt "->": 8 B, 2 flop */
    ctx->at = LINE_23_computing_in_step;
    prt_launch(ctx, KERNEL_sqrt_f32_s, 0, &(prt_arguments){.arrays = {at_norm_2(ctx), at_norm_squared(ctx)}});
    /* examples/moe.place:23: output gradient_norm: 4 B */
    ctx->at = LINE_23_output_gradient_norm;
    prt_output(ctx, "gradient_norm", PRT_F32, at_norm_2(ctx), 1);
    /* examples/moe.place:23: clip_factor "->": 8 B, 3 flop */
    ctx->at = LINE_23_computing_in_step;
    prt_launch(ctx, KERNEL_clip_factor_f32_s, 0, &(prt_arguments){
        .arrays = {at_clip_factor(ctx), at_norm_squared(ctx)},
        .numbers = {1},
    });
    /* examples/moe.place:23: mul: 80.5 KiB, 10.3 kflop */
    prt_launch(ctx, KERNEL_mul_f32_i_s_in_place_a, 0, &(prt_arguments){
        .arrays = {at_gradient_shard_outside(ctx), at_clip_factor(ctx)},
        .extents = {10304},
    });
    /* examples/moe.place:22: ema: 121 KiB, 30.9 kflop */
    ctx->at = LINE_22_computing_in_step;
    if (ctx->saving_gradients)
        prt_save_gradient(ctx, GRADIENT_outside, 0, at_gradient_shard_outside(ctx));
    prt_launch(ctx, KERNEL_ema_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_adam_m_outside(ctx), at_gradient_shard_outside(ctx)},
        .extents = {10304},
        .numbers = {0.9},
    });
    /* examples/moe.place:22: ema_square: 121 KiB, 41.2 kflop */
    prt_launch(ctx, KERNEL_ema_square_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_adam_v_outside(ctx), at_gradient_shard_outside(ctx)},
        .extents = {10304},
        .numbers = {0.999},
    });
    /* examples/moe.place:21: slice parameters.outside over data: 201 KiB */
    ctx->at = LINE_21_slice_parameters_outside_over_data;
    prt_slice(ctx, PRT_F32, LAYOUT_outside, LAYOUT_outside_over_data, 0, at_parameter_shard_outside(ctx),
              at_parameters_outside(ctx));
    /* examples/moe.place:22: adamw: 161 KiB, 92.7 kflop */
    ctx->at = LINE_22_computing_in_step;
    prt_launch(ctx, KERNEL_adamw_f32_i_i_i_s_s_s_in_place_a, 0, &(prt_arguments){
        .arrays = {at_parameter_shard_outside(ctx), at_adam_m_outside(ctx), at_adam_v_outside(ctx), at_rate(ctx),
                   at_correction1(ctx), at_correction2(ctx)},
        .extents = {10304},
        .numbers = {1e-08, 0},
    });
    /* examples/moe.place:21: all_gather parameter_shard.outside over data: payload 161 KiB */
    ctx->at = LINE_21_all_gather_parameter_shard_outside_over_data;
    prt_all_gather(ctx, CALL_all_gather_parameter_shard_outside, 0, at_parameters_outside(ctx),
                   at_parameter_shard_outside(ctx));
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/moe.place:23: mul: 132 KiB, 16.9 kflop */
        ctx->at = LINE_23_computing_in_step;
        prt_launch(ctx, KERNEL_mul_f32_i_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_gradient_shard_block(ctx, layer), at_clip_factor(ctx)},
            .extents = {16896},
        });
        /* examples/moe.place:22: ema: 198 KiB, 50.7 kflop */
        ctx->at = LINE_22_computing_in_step;
        if (ctx->saving_gradients)
            prt_save_gradient(ctx, GRADIENT_block, layer, at_gradient_shard_block(ctx, layer));
        prt_launch(ctx, KERNEL_ema_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_adam_m_block(ctx, layer), at_gradient_shard_block(ctx, layer)},
            .extents = {16896},
            .numbers = {0.9},
        });
        /* examples/moe.place:22: ema_square: 198 KiB, 67.6 kflop */
        prt_launch(ctx, KERNEL_ema_square_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_adam_v_block(ctx, layer), at_gradient_shard_block(ctx, layer)},
            .extents = {16896},
            .numbers = {0.999},
        });
        /* examples/moe.place:21: slice parameters.block over data: 330 KiB */
        ctx->at = LINE_21_slice_parameters_block_over_data;
        prt_slice(ctx, PRT_F32, LAYOUT_block, LAYOUT_block_over_data, 0, at_parameter_shard_block(ctx),
                  at_parameters_block(ctx, layer));
        /* examples/moe.place:22: adamw: 264 KiB, 152 kflop */
        ctx->at = LINE_22_computing_in_step;
        prt_launch(ctx, KERNEL_adamw_f32_i_i_i_s_s_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_parameter_shard_block(ctx), at_adam_m_block(ctx, layer), at_adam_v_block(ctx, layer),
                       at_rate(ctx), at_correction1(ctx), at_correction2(ctx)},
            .extents = {16896},
            .numbers = {1e-08, 0},
        });
        /* examples/moe.place:21: all_gather parameter_shard.block over data: payload 264 KiB */
        ctx->at = LINE_21_all_gather_parameter_shard_block_over_data;
        prt_all_gather(ctx, CALL_all_gather_parameter_shard_block, 0, at_parameters_block(ctx, layer),
                       at_parameter_shard_block(ctx));
    }
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/moe.place:23: mul: 2.00 MiB, 262 kflop */
        ctx->at = LINE_23_computing_in_step;
        prt_launch(ctx, KERNEL_mul_f32_i_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_gradients_block_moe(ctx, layer), at_clip_factor(ctx)},
            .extents = {262144},
        });
        /* examples/moe.place:22: ema: 3.00 MiB, 786 kflop */
        ctx->at = LINE_22_computing_in_step;
        if (ctx->saving_gradients)
            prt_save_gradient(ctx, GRADIENT_block_moe, layer, at_gradients_block_moe(ctx, layer));
        prt_launch(ctx, KERNEL_ema_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_adam_m_block_moe(ctx, layer), at_gradients_block_moe(ctx, layer)},
            .extents = {262144},
            .numbers = {0.9},
        });
        /* examples/moe.place:22: ema_square: 3.00 MiB, 1.05 Mflop */
        prt_launch(ctx, KERNEL_ema_square_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_adam_v_block_moe(ctx, layer), at_gradients_block_moe(ctx, layer)},
            .extents = {262144},
            .numbers = {0.999},
        });
        /* examples/moe.place:22: adamw: 4.00 MiB, 2.36 Mflop */
        prt_launch(ctx, KERNEL_adamw_f32_i_i_i_s_s_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_parameters_block_moe(ctx, layer), at_adam_m_block_moe(ctx, layer),
                       at_adam_v_block_moe(ctx, layer), at_rate(ctx), at_correction1(ctx), at_correction2(ctx)},
            .extents = {262144},
            .numbers = {1e-08, 0},
        });
    }
}

/* The loss on examples that are held out. */
static void eval(prt_context *ctx)
{
    /* examples/moe.place:14: fill: 4 B */
    ctx->at = LINE_14_computing_in_eval;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_eval_loss_5_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 1; micro++) {
        /* examples/moe.place:5: read tokens: 512 B */
        ctx->at = LINE_5_read_tokens;
        prt_read(ctx, INPUT_tokens, LAYOUT_8_over_micro_data_by_64, micro, at_eval_tokens(ctx));
        /* examples/moe.place:5: read targets: 512 B */
        ctx->at = LINE_5_read_targets;
        prt_read(ctx, INPUT_targets, LAYOUT_8_over_micro_data_by_64, micro, at_eval_targets(ctx));
        /* examples/moe.place:7: embed "bt,vh->bth": 192 KiB */
        ctx->at = LINE_7_computing_in_eval;
        prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
            .arrays = {at_eval_wte(ctx), at_eval_tokens(ctx), at_parameters_outside(ctx) + OFFSET_wte_table},
            .extents = {128, 256, 128},
        });
        /* examples/moe.place:7: add "abc,bc->abc": 160 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_eval_x(ctx, 0), at_eval_wte(ctx), at_parameters_outside(ctx) + OFFSET_wpe_table},
            .extents = {2, 8192},
        });
        /* examples/moe.place:9: iota: 256 B */
        ctx->at = LINE_9_computing_in_eval;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_row_positions(ctx)},
            .extents = {64},
            .numbers = {0},
        });
        /* examples/moe.place:9: iota: 256 B */
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_column_positions(ctx)},
            .extents = {64},
            .numbers = {0},
        });
        /* examples/moe.place:10: iota: 32 B */
        ctx->at = LINE_10_computing_in_eval;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_expert_positions(ctx)},
            .extents = {8},
            .numbers = {0},
        });
        /* examples/moe.place:10: fill "a": 8 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_eval_block_moe_balance_sum(ctx, 0)},
            .extents = {2},
            .numbers = {0},
        });
        /* examples/moe.place:10: fill "a": 8 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_eval_block_moe_z_sum(ctx, 0)},
            .extents = {2},
            .numbers = {0},
        });
        for (int64_t layer = 0; layer < 4; layer++) {
            /* examples/moe.place:9: row_mean "bth->bt": 64.5 KiB, 16.4 kflop */
            ctx->at = LINE_9_computing_in_eval;
            prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm1_mean(ctx), at_eval_x(ctx, layer)},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: row_rstd "bth,bt->bt": 65.0 KiB, 49.2 kflop */
            prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm1_rstd(ctx), at_eval_x(ctx, layer), at_eval_block_norm1_mean(ctx)},
                .extents = {128, 128},
                .numbers = {1e-05},
            });
            /* examples/moe.place:9: norm "bth,bt,bt,h,h->bth": 130 KiB, 65.5 kflop */
            prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm1(ctx), at_eval_x(ctx, layer), at_eval_block_norm1_mean(ctx),
                           at_eval_block_norm1_rstd(ctx), at_parameters_block(ctx, layer) + OFFSET_block_norm1_gain,
                           at_parameters_block(ctx, layer) + OFFSET_block_norm1_bias},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: einsum "bth,ndh->btnd": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm37 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm37, at_eval_block_norm1(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_query_weight, 0,
                     at_eval_block_attn_query_product(ctx));
            /* examples/moe.place:9: add "btnd,nd->btnd": 128 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn_query(ctx), at_eval_block_attn_query_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_query_bias},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: einsum "bth,ndh->btnd": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm38 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm38, at_eval_block_norm1(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_key_weight, 0,
                     at_eval_block_attn_key_product(ctx));
            /* examples/moe.place:9: add "btnd,nd->btnd": 128 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn_key(ctx), at_eval_block_attn_key_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_key_bias},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: einsum "bth,ndh->btnd": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm39 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm39, at_eval_block_norm1(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_value_weight, 0,
                     at_eval_block_attn_value_product(ctx));
            /* examples/moe.place:9: add "btnd,nd->btnd": 128 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn_value(ctx), at_eval_block_attn_value_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_value_bias},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: einsum "btnd,bsnd->bnts": 256 KiB, 2.1 Mflop */
            const prt_gemm_shape gemm40 = {
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
            prt_gemm(ctx, 0, PRT_F32, &gemm40, at_eval_block_attn_query(ctx), at_eval_block_attn_key(ctx), 0,
                     at_eval_block_attn_scores(ctx));
            /* examples/moe.place:9: causal_softmax "bnts,t,s->bnts": 256 KiB, 262 kflop */
            prt_launch(ctx, KERNEL_causal_softmax_f32_ijk_i32j_i32k, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn_weights(ctx), at_eval_block_attn_scores(ctx), at_eval_row_positions(ctx),
                           at_eval_column_positions(ctx)},
                .extents = {8, 64, 64},
                .numbers = {0.17677669529663687},
            });
            /* examples/moe.place:9: einsum "bnts,bsnd->btnd": 256 KiB, 2.1 Mflop */
            const prt_gemm_shape gemm41 = {
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
            prt_gemm(ctx, 0, PRT_F32, &gemm41, at_eval_block_attn_weights(ctx), at_eval_block_attn_value(ctx), 0,
                     at_eval_block_attn_mixed(ctx));
            /* examples/moe.place:9: einsum "btnd,hnd->bth": 192 KiB, 4.19 Mflop */
            const prt_gemm_shape gemm42 = {
                .m = 128, .n = 128, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 128, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm42, at_eval_block_attn_mixed(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_attn_out_weight, 0,
                     at_eval_block_attn_product(ctx));
            /* examples/moe.place:9: add "bth,h->bth": 128 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_attn(ctx), at_eval_block_attn_product(ctx),
                           at_parameters_block(ctx, layer) + OFFSET_block_attn_out_bias},
                .extents = {128, 128},
            });
            /* examples/moe.place:9: add "abc,abc->abc": 192 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_eval_block_x(ctx), at_eval_x(ctx, layer), at_eval_block_attn(ctx)},
                .extents = {16384},
            });
            /* examples/moe.place:10: row_mean "bth->bt": 64.5 KiB, 16.4 kflop */
            ctx->at = LINE_10_computing_in_eval;
            prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm2_mean(ctx), at_eval_block_x(ctx)},
                .extents = {128, 128},
            });
            /* examples/moe.place:10: row_rstd "bth,bt->bt": 65.0 KiB, 49.2 kflop */
            prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm2_rstd(ctx), at_eval_block_x(ctx), at_eval_block_norm2_mean(ctx)},
                .extents = {128, 128},
                .numbers = {1e-05},
            });
            /* examples/moe.place:10: norm "bth,bt,bt,h,h->bth": 130 KiB, 65.5 kflop */
            prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
                .arrays = {at_eval_block_norm2(ctx), at_eval_block_x(ctx), at_eval_block_norm2_mean(ctx),
                           at_eval_block_norm2_rstd(ctx), at_parameters_block(ctx, layer) + OFFSET_block_norm2_gain,
                           at_parameters_block(ctx, layer) + OFFSET_block_norm2_bias},
                .extents = {128, 128},
            });
            /* examples/moe.place:10: einsum "bth,eh->bte": 72.0 KiB, 262 kflop */
            const prt_gemm_shape gemm43 = {
                .m = 128, .n = 8, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 8, .c_column = 1,
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm43, at_eval_block_norm2(ctx),
                     at_parameters_block(ctx, layer) + OFFSET_block_moe_router_weight, 0,
                     at_eval_block_moe_logits(ctx));
            /* examples/moe.place:10: softmax "bte->bte": 8.00 KiB, 8.19 kflop */
            prt_launch(ctx, KERNEL_softmax_f32_ij, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_probabilities(ctx), at_eval_block_moe_logits(ctx)},
                .extents = {128, 8},
                .numbers = {1},
            });
            /* examples/moe.place:10: top "bte->btk": 5.00 KiB, 4.1 kflop */
            prt_launch(ctx, KERNEL_top_i32_f32ik_to_ij, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_choice(ctx), at_eval_block_moe_probabilities(ctx)},
                .extents = {128, 2, 8},
            });
            /* examples/moe.place:10: count_equal "btk,e->be": 1.09 KiB */
            prt_launch(ctx, KERNEL_count_equal_f32_i32ij_i32k_to_ik, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_load(ctx), at_eval_block_moe_choice(ctx), at_eval_expert_positions(ctx)},
                .extents = {2, 128, 8},
            });
            /* examples/moe.place:10: reduce "bte->be": 4.06 KiB, 1.02 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ijk_to_ik, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_mass(ctx), at_eval_block_moe_probabilities(ctx)},
                .extents = {2, 64, 8},
            });
            /* examples/moe.place:10: einsum "be,be->b": 136 B, 32 flop */
            const prt_gemm_shape gemm44 = {
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
            prt_gemm(ctx, 0, PRT_F32, &gemm44, at_eval_block_moe_load(ctx), at_eval_block_moe_mass(ctx), 0,
                     at_eval_block_moe_product(ctx));
            /* examples/moe.place:10: scale "b->b": 16 B, 2 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_balance(ctx), at_eval_block_moe_product(ctx)},
                .extents = {2},
                .numbers = {8.0 / 8192},
            });
            /* examples/moe.place:10: add "b,b->b": 24 B, 2 flop */
            prt_launch(ctx, KERNEL_add_f32_overlap, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_balance_sum(ctx, layer + 1), at_eval_block_moe_balance_sum(ctx, layer),
                           at_eval_block_moe_balance(ctx)},
                .extents = {2},
            });
            /* examples/moe.place:10: log_sum_exp "bte->bt": 4.50 KiB, 4.1 kflop */
            prt_launch(ctx, KERNEL_log_sum_exp_f32_ij_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_log_sum(ctx), at_eval_block_moe_logits(ctx)},
                .extents = {128, 8},
            });
            /* examples/moe.place:10: einsum "bt,bt->b": 1.01 KiB, 256 flop */
            const prt_gemm_shape gemm45 = {
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
            prt_gemm(ctx, 0, PRT_F32, &gemm45, at_eval_block_moe_log_sum(ctx), at_eval_block_moe_log_sum(ctx), 0,
                     at_eval_block_moe_squares(ctx));
            /* examples/moe.place:10: scale "b->b": 16 B, 2 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_z(ctx), at_eval_block_moe_squares(ctx)},
                .extents = {2},
                .numbers = {1.0 / 64},
            });
            /* examples/moe.place:10: add "b,b->b": 24 B, 2 flop */
            prt_launch(ctx, KERNEL_add_f32_overlap, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_z_sum(ctx, layer + 1), at_eval_block_moe_z_sum(ctx, layer),
                           at_eval_block_moe_z(ctx)},
                .extents = {2},
            });
            /* examples/moe.place:10: queue "btk,e->bec": 2.28 KiB */
            prt_launch(ctx, KERNEL_queue_i32_ilm_j_to_ijk, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_source(ctx), at_eval_block_moe_choice(ctx), at_eval_expert_positions(ctx)},
                .extents = {2, 8, 20, 64, 2},
            });
            /* examples/moe.place:10: take "bec,bte->bec": 6.50 KiB */
            prt_launch(ctx, KERNEL_take_f32_i32ijk_ilj_to_ijk, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_picked(ctx), at_eval_block_moe_source(ctx),
                           at_eval_block_moe_probabilities(ctx)},
                .extents = {2, 8, 20, 64},
            });
            /* examples/moe.place:10: sum_equal "bte,btk,e->bt": 5.53 KiB, 4.1 kflop */
            prt_launch(ctx, KERNEL_sum_equal_f32_ij_i32ik_i32j_to_i, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_total(ctx), at_eval_block_moe_probabilities(ctx),
                           at_eval_block_moe_choice(ctx), at_eval_expert_positions(ctx)},
                .extents = {128, 8, 2},
            });
            /* examples/moe.place:10: recip "bt->bt": 1.00 KiB, 128 flop */
            prt_launch(ctx, KERNEL_recip_f32, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_inverse(ctx), at_eval_block_moe_total(ctx)},
                .extents = {128},
            });
            /* examples/moe.place:10: take "bec,bt->bec": 3.00 KiB */
            prt_launch(ctx, KERNEL_take_f32_i32ij_ik_to_ij, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_inverses(ctx), at_eval_block_moe_source(ctx),
                           at_eval_block_moe_inverse(ctx)},
                .extents = {2, 160, 64},
            });
            /* examples/moe.place:10: mul "bec,bec->bec": 3.75 KiB, 320 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_weights(ctx), at_eval_block_moe_picked(ctx),
                           at_eval_block_moe_inverses(ctx)},
                .extents = {320},
            });
            /* examples/moe.place:10: take "bec,bth->bech": 225 KiB */
            prt_launch(ctx, KERNEL_take_f32_i32ij_ikl_to_ijl, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_inputs(ctx), at_eval_block_moe_source(ctx), at_eval_block_norm2(ctx)},
                .extents = {2, 160, 64, 128},
            });
            /* examples/moe.place:10: all_to_all eval.block.moe.inputs over data: payload 160 KiB */
            ctx->at = LINE_10_all_to_all_eval_block_moe_inputs_over_data;
            prt_all_to_all(ctx, CALL_eval_all_to_all_block_moe_inputs, micro, at_eval_block_moe_inputs_exchanged(ctx),
                           at_eval_block_moe_inputs(ctx));
            /* examples/moe.place:10: einsum "bech,efh->becf": 1.28 MiB, 41.9 Mflop */
            ctx->at = LINE_10_computing_in_eval;
            const prt_gemm_shape gemm46 = {
                .m = 20, .n = 512, .k = 128,
                .a_row = 128, .a_column = 1,
                .b_row = 1, .b_column = 128,
                .c_row = 512, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 2},
                .a_batch = {5120, 2560},
                .b_batch = {0, 65536},
                .c_batch = {20480, 10240},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm46, at_eval_block_moe_inputs_exchanged(ctx),
                     at_parameters_block_moe(ctx, layer) + OFFSET_block_moe_up_weight, 0, at_eval_block_moe_up(ctx));
            /* examples/moe.place:10: gelu "abcd->abcd": 1.25 MiB, 2.29 Mflop */
            prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe_active(ctx), at_eval_block_moe_up(ctx)},
                .extents = {163840},
            });
            /* examples/moe.place:10: einsum "becf,ehf->bech": 1.28 MiB, 41.9 Mflop */
            const prt_gemm_shape gemm47 = {
                .m = 20, .n = 128, .k = 512,
                .a_row = 512, .a_column = 1,
                .b_row = 1, .b_column = 512,
                .c_row = 128, .c_column = 1,
                .batch_dims = 2,
                .batch = {8, 2},
                .a_batch = {20480, 10240},
                .b_batch = {0, 65536},
                .c_batch = {5120, 2560},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm47, at_eval_block_moe_active(ctx),
                     at_parameters_block_moe(ctx, layer) + OFFSET_block_moe_down_weight, 0,
                     at_eval_block_moe_outputs(ctx));
            /* examples/moe.place:10: all_to_all eval.block.moe.outputs over data: payload 160 KiB */
            ctx->at = LINE_10_all_to_all_eval_block_moe_outputs_over_data;
            prt_all_to_all(ctx, CALL_eval_all_to_all_block_moe_outputs, micro, at_eval_block_moe_outputs_exchanged(ctx),
                           at_eval_block_moe_outputs(ctx));
            /* examples/moe.place:10: combine "bec,bech,bec->bth": 226 KiB, 81.9 kflop */
            ctx->at = LINE_10_computing_in_eval;
            prt_launch(ctx, KERNEL_combine_f32_i32ij_ijl_ij_to_ikl, 0, &(prt_arguments){
                .arrays = {at_eval_block_moe(ctx), at_eval_block_moe_source(ctx),
                           at_eval_block_moe_outputs_exchanged(ctx), at_eval_block_moe_weights(ctx)},
                .extents = {2, 160, 64, 128},
            });
            /* examples/moe.place:10: add "abc,abc->abc": 192 KiB, 16.4 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_eval_x(ctx, layer + 1), at_eval_block_x(ctx), at_eval_block_moe(ctx)},
                .extents = {16384},
            });
        }
        /* examples/moe.place:12: row_mean "bth->bt": 64.5 KiB, 16.4 kflop */
        ctx->at = LINE_12_computing_in_eval;
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_norm_mean(ctx), at_eval_x(ctx, 4)},
            .extents = {128, 128},
        });
        /* examples/moe.place:12: row_rstd "bth,bt->bt": 65.0 KiB, 49.2 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_norm_rstd(ctx), at_eval_x(ctx, 4), at_eval_norm_mean(ctx)},
            .extents = {128, 128},
            .numbers = {1e-05},
        });
        /* examples/moe.place:12: norm "bth,bt,bt,h,h->bth": 130 KiB, 65.5 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_eval_norm(ctx), at_eval_x(ctx, 4), at_eval_norm_mean(ctx), at_eval_norm_rstd(ctx),
                       at_parameters_outside(ctx) + OFFSET_norm_gain, at_parameters_outside(ctx) + OFFSET_norm_bias},
            .extents = {128, 128},
        });
        /* examples/moe.place:12: einsum "bth,oh->bto": 320 KiB, 8.39 Mflop */
        const prt_gemm_shape gemm48 = {
            .m = 128, .n = 256, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 256, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm48, at_eval_norm(ctx), at_parameters_outside(ctx) + OFFSET_wte_table, 0,
                 at_eval_logits(ctx));
        /* examples/moe.place:13: iota: 1.00 KiB */
        ctx->at = LINE_13_computing_in_eval;
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_class_positions(ctx)},
            .extents = {256},
            .numbers = {0},
        });
        /* examples/moe.place:13: row_max "btv->bt": 128 KiB, 32.8 kflop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_largest(ctx), at_eval_logits(ctx)},
            .extents = {128, 256},
        });
        /* examples/moe.place:13: exp_sum "btv,bt->bt": 129 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_exp_sum(ctx), at_eval_logits(ctx), at_eval_loss_terms_largest(ctx)},
            .extents = {128, 256},
        });
        /* examples/moe.place:13: pick "btv,bt,v->bt": 130 KiB, 32.8 kflop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_target_logit(ctx), at_eval_logits(ctx), at_eval_targets(ctx),
                       at_eval_class_positions(ctx)},
            .extents = {128, 256},
        });
        /* examples/moe.place:13: log_loss "bt,bt,bt->bt": 2.00 KiB, 768 flop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms(ctx), at_eval_loss_terms_largest(ctx), at_eval_loss_terms_exp_sum(ctx),
                       at_eval_loss_terms_target_logit(ctx)},
            .extents = {128},
        });
        /* examples/moe.place:13: reduce "ab->": 516 B, 128 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx), at_eval_loss_terms(ctx)},
            .extents = {128},
        });
        /* examples/moe.place:13: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx)},
            .numbers = {1.0 / 512},
        });
        /* examples/moe.place:14: reduce "a->": 12 B, 2 flop */
        ctx->at = LINE_14_computing_in_eval;
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_eval_loss_2(ctx), at_eval_block_moe_balance_sum(ctx, 4)},
            .extents = {2},
        });
        /* examples/moe.place:14: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_eval_loss_2(ctx)},
            .numbers = {1.0 / 800},
        });
        /* examples/moe.place:14: add ",->": 12 B, 1 flop */
        prt_launch(ctx, KERNEL_add_f32_s_s, 0, &(prt_arguments){
            .arrays = {at_eval_loss_3(ctx), at_eval_loss(ctx), at_eval_loss_2(ctx)},
        });
        /* examples/moe.place:14: reduce "a->": 12 B, 2 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_eval_loss_4(ctx), at_eval_block_moe_z_sum(ctx, 4)},
            .extents = {2},
        });
        /* examples/moe.place:14: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_eval_loss_4(ctx)},
            .numbers = {1.0 / 8000},
        });
        /* examples/moe.place:14: add ",->": 12 B, 1 flop */
        prt_launch(ctx, KERNEL_add_f32_s_s, 0, &(prt_arguments){
            .arrays = {at_eval_loss_5(ctx), at_eval_loss_3(ctx), at_eval_loss_4(ctx)},
        });
        /* examples/moe.place:14: add to eval.loss.5.sum "->": 12 B */
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_eval_loss_5_sum(ctx), at_eval_loss_5(ctx)},
        });
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
    prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
        .arrays = {at_predict_wte(ctx), at_predict_tokens(ctx), at_parameters_outside(ctx) + OFFSET_wte_table},
        .extents = {64, 256, 128},
    });
    /* examples/moe.place:7: add "abc,bc->abc": 96.0 KiB, 8.19 kflop */
    prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
        .arrays = {at_predict_x(ctx, 0), at_predict_wte(ctx), at_parameters_outside(ctx) + OFFSET_wpe_table},
        .extents = {1, 8192},
    });
    /* examples/moe.place:9: iota: 256 B */
    ctx->at = LINE_9_computing_in_predict;
    prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
        .arrays = {at_predict_row_positions(ctx)},
        .extents = {64},
        .numbers = {0},
    });
    /* examples/moe.place:9: iota: 256 B */
    prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
        .arrays = {at_predict_column_positions(ctx)},
        .extents = {64},
        .numbers = {0},
    });
    /* examples/moe.place:10: iota: 32 B */
    ctx->at = LINE_10_computing_in_predict;
    prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
        .arrays = {at_predict_expert_positions(ctx)},
        .extents = {8},
        .numbers = {0},
    });
    for (int64_t layer = 0; layer < 4; layer++) {
        /* examples/moe.place:9: row_mean "bth->bt": 32.2 KiB, 8.19 kflop */
        ctx->at = LINE_9_computing_in_predict;
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm1_mean(ctx), at_predict_x(ctx, layer)},
            .extents = {64, 128},
        });
        /* examples/moe.place:9: row_rstd "bth,bt->bt": 32.5 KiB, 24.6 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm1_rstd(ctx), at_predict_x(ctx, layer), at_predict_block_norm1_mean(ctx)},
            .extents = {64, 128},
            .numbers = {1e-05},
        });
        /* examples/moe.place:9: norm "bth,bt,bt,h,h->bth": 65.5 KiB, 32.8 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm1(ctx), at_predict_x(ctx, layer), at_predict_block_norm1_mean(ctx),
                       at_predict_block_norm1_rstd(ctx), at_parameters_block(ctx, layer) + OFFSET_block_norm1_gain,
                       at_parameters_block(ctx, layer) + OFFSET_block_norm1_bias},
            .extents = {64, 128},
        });
        /* examples/moe.place:9: einsum "bth,ndh->btnd": 128 KiB, 2.1 Mflop */
        const prt_gemm_shape gemm49 = {
            .m = 64, .n = 128, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 128, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm49, at_predict_block_norm1(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_query_weight, 0,
                 at_predict_block_attn_query_product(ctx));
        /* examples/moe.place:9: add "btnd,nd->btnd": 64.5 KiB, 8.19 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn_query(ctx), at_predict_block_attn_query_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_attn_query_bias},
            .extents = {64, 128},
        });
        /* examples/moe.place:9: einsum "bth,ndh->btnd": 128 KiB, 2.1 Mflop */
        const prt_gemm_shape gemm50 = {
            .m = 64, .n = 128, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 128, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm50, at_predict_block_norm1(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_key_weight, 0,
                 at_predict_block_attn_key_product(ctx));
        /* examples/moe.place:9: add "btnd,nd->btnd": 64.5 KiB, 8.19 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn_key(ctx), at_predict_block_attn_key_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_attn_key_bias},
            .extents = {64, 128},
        });
        /* examples/moe.place:9: einsum "bth,ndh->btnd": 128 KiB, 2.1 Mflop */
        const prt_gemm_shape gemm51 = {
            .m = 64, .n = 128, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 128, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm51, at_predict_block_norm1(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_value_weight, 0,
                 at_predict_block_attn_value_product(ctx));
        /* examples/moe.place:9: add "btnd,nd->btnd": 64.5 KiB, 8.19 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn_value(ctx), at_predict_block_attn_value_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_attn_value_bias},
            .extents = {64, 128},
        });
        /* examples/moe.place:9: einsum "btnd,bsnd->bnts": 128 KiB, 1.05 Mflop */
        const prt_gemm_shape gemm52 = {
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
        prt_gemm(ctx, 0, PRT_F32, &gemm52, at_predict_block_attn_query(ctx), at_predict_block_attn_key(ctx), 0,
                 at_predict_block_attn_scores(ctx));
        /* examples/moe.place:9: causal_softmax "bnts,t,s->bnts": 128 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_causal_softmax_f32_ijk_i32j_i32k, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn_weights(ctx), at_predict_block_attn_scores(ctx),
                       at_predict_row_positions(ctx), at_predict_column_positions(ctx)},
            .extents = {4, 64, 64},
            .numbers = {0.17677669529663687},
        });
        /* examples/moe.place:9: einsum "bnts,bsnd->btnd": 128 KiB, 1.05 Mflop */
        const prt_gemm_shape gemm53 = {
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
        prt_gemm(ctx, 0, PRT_F32, &gemm53, at_predict_block_attn_weights(ctx), at_predict_block_attn_value(ctx), 0,
                 at_predict_block_attn_mixed(ctx));
        /* examples/moe.place:9: einsum "btnd,hnd->bth": 128 KiB, 2.1 Mflop */
        const prt_gemm_shape gemm54 = {
            .m = 64, .n = 128, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 128, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm54, at_predict_block_attn_mixed(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_out_weight, 0, at_predict_block_attn_product(ctx));
        /* examples/moe.place:9: add "bth,h->bth": 64.5 KiB, 8.19 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_attn(ctx), at_predict_block_attn_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_attn_out_bias},
            .extents = {64, 128},
        });
        /* examples/moe.place:9: add "abc,abc->abc": 96.0 KiB, 8.19 kflop */
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_predict_block_x(ctx), at_predict_x(ctx, layer), at_predict_block_attn(ctx)},
            .extents = {8192},
        });
        /* examples/moe.place:10: row_mean "bth->bt": 32.2 KiB, 8.19 kflop */
        ctx->at = LINE_10_computing_in_predict;
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm2_mean(ctx), at_predict_block_x(ctx)},
            .extents = {64, 128},
        });
        /* examples/moe.place:10: row_rstd "bth,bt->bt": 32.5 KiB, 24.6 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm2_rstd(ctx), at_predict_block_x(ctx), at_predict_block_norm2_mean(ctx)},
            .extents = {64, 128},
            .numbers = {1e-05},
        });
        /* examples/moe.place:10: norm "bth,bt,bt,h,h->bth": 65.5 KiB, 32.8 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_predict_block_norm2(ctx), at_predict_block_x(ctx), at_predict_block_norm2_mean(ctx),
                       at_predict_block_norm2_rstd(ctx), at_parameters_block(ctx, layer) + OFFSET_block_norm2_gain,
                       at_parameters_block(ctx, layer) + OFFSET_block_norm2_bias},
            .extents = {64, 128},
        });
        /* examples/moe.place:10: einsum "bth,eh->bte": 38.0 KiB, 131 kflop */
        const prt_gemm_shape gemm55 = {
            .m = 64, .n = 8, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 8, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm55, at_predict_block_norm2(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_moe_router_weight, 0, at_predict_block_moe_logits(ctx));
        /* examples/moe.place:10: softmax "bte->bte": 4.00 KiB, 4.1 kflop */
        prt_launch(ctx, KERNEL_softmax_f32_ij, 0, &(prt_arguments){
            .arrays = {at_predict_block_moe_probabilities(ctx), at_predict_block_moe_logits(ctx)},
            .extents = {64, 8},
            .numbers = {1},
        });
        /* examples/moe.place:10: top "bte->btk": 2.50 KiB, 2.05 kflop */
        prt_launch(ctx, KERNEL_top_i32_f32ik_to_ij, 0, &(prt_arguments){
            .arrays = {at_predict_block_moe_choice(ctx), at_predict_block_moe_probabilities(ctx)},
            .extents = {64, 2, 8},
        });
        /* examples/moe.place:10: queue "btk,e->bec": 1.16 KiB */
        prt_launch(ctx, KERNEL_queue_i32_ilm_j_to_ijk, 0, &(prt_arguments){
            .arrays = {at_predict_block_moe_source(ctx), at_predict_block_moe_choice(ctx),
                       at_predict_expert_positions(ctx)},
            .extents = {1, 8, 20, 64, 2},
        });
        /* examples/moe.place:10: take "bec,bte->bec": 3.25 KiB */
        prt_launch(ctx, KERNEL_take_f32_i32ijk_ilj_to_ijk, 0, &(prt_arguments){
            .arrays = {at_predict_block_moe_picked(ctx), at_predict_block_moe_source(ctx),
                       at_predict_block_moe_probabilities(ctx)},
            .extents = {1, 8, 20, 64},
        });
        /* examples/moe.place:10: sum_equal "bte,btk,e->bt": 2.78 KiB, 2.05 kflop */
        prt_launch(ctx, KERNEL_sum_equal_f32_ij_i32ik_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_predict_block_moe_total(ctx), at_predict_block_moe_probabilities(ctx),
                       at_predict_block_moe_choice(ctx), at_predict_expert_positions(ctx)},
            .extents = {64, 8, 2},
        });
        /* examples/moe.place:10: recip "bt->bt": 512 B, 64 flop */
        prt_launch(ctx, KERNEL_recip_f32, 0, &(prt_arguments){
            .arrays = {at_predict_block_moe_inverse(ctx), at_predict_block_moe_total(ctx)},
            .extents = {64},
        });
        /* examples/moe.place:10: take "bec,bt->bec": 1.50 KiB */
        prt_launch(ctx, KERNEL_take_f32_i32ij_ik_to_ij, 0, &(prt_arguments){
            .arrays = {at_predict_block_moe_inverses(ctx), at_predict_block_moe_source(ctx),
                       at_predict_block_moe_inverse(ctx)},
            .extents = {1, 160, 64},
        });
        /* examples/moe.place:10: mul "bec,bec->bec": 1.88 KiB, 160 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_predict_block_moe_weights(ctx), at_predict_block_moe_picked(ctx),
                       at_predict_block_moe_inverses(ctx)},
            .extents = {160},
        });
        /* examples/moe.place:10: take "bec,bth->bech": 113 KiB */
        prt_launch(ctx, KERNEL_take_f32_i32ij_ikl_to_ijl, 0, &(prt_arguments){
            .arrays = {at_predict_block_moe_inputs(ctx), at_predict_block_moe_source(ctx), at_predict_block_norm2(ctx)},
            .extents = {1, 160, 64, 128},
        });
        /* examples/moe.place:10: slice predict.block.moe.inputs over data: 100 KiB */
        ctx->at = LINE_10_slice_predict_block_moe_inputs_over_data;
        prt_slice(ctx, PRT_F32, LAYOUT_1_by_8_by_20_by_128, LAYOUT_1_by_8_over_data_by_20_by_128, 0,
                  at_predict_block_moe_inputs_sliced(ctx), at_predict_block_moe_inputs(ctx));
        /* examples/moe.place:10: einsum "bech,efh->becf": 612 KiB, 5.24 Mflop */
        ctx->at = LINE_10_computing_in_predict;
        const prt_gemm_shape gemm56 = {
            .m = 20, .n = 512, .k = 128,
            .a_row = 128, .a_column = 1,
            .b_row = 1, .b_column = 128,
            .c_row = 512, .c_column = 1,
            .batch_dims = 2,
            .batch = {1, 2},
            .a_batch = {5120, 2560},
            .b_batch = {0, 65536},
            .c_batch = {20480, 10240},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm56, at_predict_block_moe_inputs_sliced(ctx),
                 at_parameters_block_moe(ctx, layer) + OFFSET_block_moe_up_weight, 0, at_predict_block_moe_up(ctx));
        /* examples/moe.place:10: gelu "abcd->abcd": 160 KiB, 287 kflop */
        prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
            .arrays = {at_predict_block_moe_active(ctx), at_predict_block_moe_up(ctx)},
            .extents = {20480},
        });
        /* examples/moe.place:10: einsum "becf,ehf->bech": 612 KiB, 5.24 Mflop */
        const prt_gemm_shape gemm57 = {
            .m = 20, .n = 128, .k = 512,
            .a_row = 512, .a_column = 1,
            .b_row = 1, .b_column = 512,
            .c_row = 128, .c_column = 1,
            .batch_dims = 2,
            .batch = {1, 2},
            .a_batch = {20480, 10240},
            .b_batch = {0, 65536},
            .c_batch = {5120, 2560},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm57, at_predict_block_moe_active(ctx),
                 at_parameters_block_moe(ctx, layer) + OFFSET_block_moe_down_weight, 0,
                 at_predict_block_moe_outputs(ctx));
        /* examples/moe.place:10: slice predict.block.moe.source over data: 800 B */
        ctx->at = LINE_10_slice_predict_block_moe_source_over_data;
        prt_slice(ctx, PRT_I32, LAYOUT_1_by_8_by_20, LAYOUT_1_by_8_over_data_by_20, 0,
                  at_predict_block_moe_source_sliced(ctx), at_predict_block_moe_source(ctx));
        /* examples/moe.place:10: slice predict.block.moe.weights over data: 800 B */
        ctx->at = LINE_10_slice_predict_block_moe_weights_over_data;
        prt_slice(ctx, PRT_F32, LAYOUT_1_by_8_by_20, LAYOUT_1_by_8_over_data_by_20, 0,
                  at_predict_block_moe_weights_sliced(ctx), at_predict_block_moe_weights(ctx));
        /* examples/moe.place:10: combine "bec,bech,bec->bth": 52.3 KiB, 10.2 kflop */
        ctx->at = LINE_10_computing_in_predict;
        prt_launch(ctx, KERNEL_combine_f32_i32ij_ijl_ij_to_ikl, 0, &(prt_arguments){
            .arrays = {at_predict_block_moe(ctx), at_predict_block_moe_source_sliced(ctx),
                       at_predict_block_moe_outputs(ctx), at_predict_block_moe_weights_sliced(ctx)},
            .extents = {1, 40, 64, 128},
        });
        /* examples/moe.place:10: all_reduce predict.block.moe over data: payload 32.0 KiB */
        ctx->at = LINE_10_all_reduce_predict_block_moe_over_data;
        prt_all_reduce(ctx, CALL_predict_all_reduce_block_moe, at_predict_block_moe(ctx), at_predict_block_moe(ctx),
                       8192);
        /* examples/moe.place:10: add "abc,abc->abc": 96.0 KiB, 8.19 kflop */
        ctx->at = LINE_10_computing_in_predict;
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_predict_x(ctx, layer + 1), at_predict_block_x(ctx), at_predict_block_moe(ctx)},
            .extents = {8192},
        });
    }
    /* examples/moe.place:12: row_mean "bth->bt": 32.2 KiB, 8.19 kflop */
    ctx->at = LINE_12_computing_in_predict;
    prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
        .arrays = {at_predict_norm_mean(ctx), at_predict_x(ctx, 4)},
        .extents = {64, 128},
    });
    /* examples/moe.place:12: row_rstd "bth,bt->bt": 32.5 KiB, 24.6 kflop */
    prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
        .arrays = {at_predict_norm_rstd(ctx), at_predict_x(ctx, 4), at_predict_norm_mean(ctx)},
        .extents = {64, 128},
        .numbers = {1e-05},
    });
    /* examples/moe.place:12: norm "bth,bt,bt,h,h->bth": 65.5 KiB, 32.8 kflop */
    prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
        .arrays = {at_predict_norm(ctx), at_predict_x(ctx, 4), at_predict_norm_mean(ctx), at_predict_norm_rstd(ctx),
                   at_parameters_outside(ctx) + OFFSET_norm_gain, at_parameters_outside(ctx) + OFFSET_norm_bias},
        .extents = {64, 128},
    });
    /* examples/moe.place:12: einsum "bth,oh->bto": 224 KiB, 4.19 Mflop */
    const prt_gemm_shape gemm58 = {
        .m = 64, .n = 256, .k = 128,
        .a_row = 128, .a_column = 1,
        .b_row = 1, .b_column = 128,
        .c_row = 256, .c_column = 1,
    };
    prt_gemm(ctx, 0, PRT_F32, &gemm58, at_predict_norm(ctx), at_parameters_outside(ctx) + OFFSET_wte_table, 0,
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
};

static const prt_member members_block_moe[] = {
    {TENSOR_block_moe_up_weight, OFFSET_block_moe_up_weight, (const prt_dim[]){{.size = 8, .cut_count = 1, .cut = {AXIS_data}}, {.size = 512}, {.size = 128}}},
    {TENSOR_block_moe_down_weight, OFFSET_block_moe_down_weight, (const prt_dim[]){{.size = 8, .cut_count = 1, .cut = {AXIS_data}}, {.size = 128}, {.size = 512}}},
};

static const prt_unit units[] = {
    [UNIT_outside] = {"outside", 0, 0, COUNT(members_outside), members_outside, 41216},
    [UNIT_block] = {"block", 0, 3, COUNT(members_block), members_block, 67584},
    [UNIT_block_moe] = {"block.moe", 0, 3, COUNT(members_block_moe), members_block_moe, 262144},
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
        .slot_bytes = 270336,
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
        .slot_bytes = 67584,
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
        .slot_bytes = 67584,
        .layout = LAYOUT_block_over_data,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 3}},
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_block_moe,
        .dtype = PRT_F32,
        .slots = 4,
        .slot_bytes = 1048576,
        .layout = LAYOUT_block_moe,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 3}},
    },
    {
        .state = "adam_m",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_m_block_moe,
        .dtype = PRT_F32,
        .slots = 4,
        .slot_bytes = 1048576,
        .layout = LAYOUT_block_moe,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 3}},
    },
    {
        .state = "adam_v",
        .tier = PRT_DEVICE,
        .offset = ARENA_adam_v_block_moe,
        .dtype = PRT_F32,
        .slots = 4,
        .slot_bytes = 1048576,
        .layout = LAYOUT_block_moe,
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
        .slot_bytes = 67584,
        .layout = LAYOUT_block_over_data,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 3}},
    },
    [GRADIENT_block_moe] = {
        .state = "gradients",
        .dtype = PRT_F32,
        .slots = 4,
        .slot_bytes = 1048576,
        .layout = LAYOUT_block_moe,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 3}},
    },
};

static const prt_group groups[] = {
    [GROUP_data] = {1, {AXIS_data}},
};

static const prt_call calls[] = {
    [CALL_all_to_all_block_moe_inputs] = {
        .op = PRT_ALL_TO_ALL,
        .state = "block.moe.inputs.exchanged",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_8_over_micro_data_by_8_by_20_by_128,
        .into = LAYOUT_8_over_micro_by_8_over_data_by_20_by_128,
        .event = -1,
        .stream = 0,
        .source = LINE_10_all_to_all_block_moe_inputs_over_data,
        .calls_per_step = (const int64_t[]){4},
        .payload_bytes = 163840,
    },
    [CALL_all_to_all_block_moe_outputs] = {
        .op = PRT_ALL_TO_ALL,
        .state = "block.moe.outputs.exchanged",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_8_over_micro_by_8_over_data_by_20_by_128,
        .into = LAYOUT_8_over_micro_data_by_8_by_20_by_128,
        .event = -1,
        .stream = 0,
        .source = LINE_10_all_to_all_block_moe_outputs_over_data,
        .calls_per_step = (const int64_t[]){4},
        .payload_bytes = 163840,
    },
    [CALL_all_to_all_d_block_moe_outputs] = {
        .op = PRT_ALL_TO_ALL,
        .state = "d_block.moe.outputs.exchanged",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_8_over_micro_data_by_8_by_20_by_128,
        .into = LAYOUT_8_over_micro_by_8_over_data_by_20_by_128,
        .event = -1,
        .stream = 0,
        .source = LINE_10_all_to_all_d_block_moe_outputs_over_data,
        .calls_per_step = (const int64_t[]){4},
        .payload_bytes = 163840,
    },
    [CALL_all_to_all_d_block_moe_inputs] = {
        .op = PRT_ALL_TO_ALL,
        .state = "d_block.moe.inputs.exchanged",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_8_over_micro_by_8_over_data_by_20_by_128,
        .into = LAYOUT_8_over_micro_data_by_8_by_20_by_128,
        .event = -1,
        .stream = 0,
        .source = LINE_10_all_to_all_d_block_moe_inputs_over_data,
        .calls_per_step = (const int64_t[]){4},
        .payload_bytes = 163840,
    },
    [CALL_all_reduce_loss_5_sum] = {
        .op = PRT_ALL_REDUCE,
        .state = "loss.5.sum",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_scalar,
        .into = LAYOUT_scalar,
        .event = -1,
        .stream = 0,
        .source = LINE_21_all_reduce_loss_5_sum_over_data,
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
        .source = LINE_21_reduce_scatter_gradients_outside_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 164864,
    },
    [CALL_reduce_scatter_gradients_block] = {
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
        .source = LINE_21_reduce_scatter_gradients_block_over_data,
        .calls_per_step = (const int64_t[]){4},
        .payload_bytes = 270336,
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
        .source = LINE_21_all_reduce_norm_squared_over_data,
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
        .source = LINE_21_all_gather_parameter_shard_outside_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 164864,
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
        .source = LINE_21_all_gather_parameter_shard_block_over_data,
        .calls_per_step = (const int64_t[]){4},
        .payload_bytes = 270336,
    },
    [CALL_eval_all_to_all_block_moe_inputs] = {
        .op = PRT_ALL_TO_ALL,
        .state = "eval.block.moe.inputs.exchanged",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_8_over_micro_data_by_8_by_20_by_128,
        .into = LAYOUT_8_over_micro_by_8_over_data_by_20_by_128,
        .event = -1,
        .stream = 0,
        .source = LINE_10_all_to_all_eval_block_moe_inputs_over_data,
        .calls_per_step = (const int64_t[]){0},
        .payload_bytes = 163840,
    },
    [CALL_eval_all_to_all_block_moe_outputs] = {
        .op = PRT_ALL_TO_ALL,
        .state = "eval.block.moe.outputs.exchanged",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_8_over_micro_by_8_over_data_by_20_by_128,
        .into = LAYOUT_8_over_micro_data_by_8_by_20_by_128,
        .event = -1,
        .stream = 0,
        .source = LINE_10_all_to_all_eval_block_moe_outputs_over_data,
        .calls_per_step = (const int64_t[]){0},
        .payload_bytes = 163840,
    },
    [CALL_eval_all_reduce_loss_5_sum] = {
        .op = PRT_ALL_REDUCE,
        .state = "eval.loss.5.sum",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_scalar,
        .into = LAYOUT_scalar,
        .event = -1,
        .stream = 0,
        .source = LINE_21_all_reduce_eval_loss_5_sum_over_data,
        .calls_per_step = (const int64_t[]){0},
        .payload_bytes = 4,
    },
    [CALL_predict_all_reduce_block_moe] = {
        .op = PRT_ALL_REDUCE,
        .state = "predict.block.moe",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_1_by_64_by_128,
        .into = LAYOUT_1_by_64_by_128,
        .event = -1,
        .stream = 0,
        .source = LINE_10_all_reduce_predict_block_moe_over_data,
        .calls_per_step = (const int64_t[]){0},
        .payload_bytes = 32768,
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
    [KERNEL_softmax_f32_ij] = {
        .entry = "kernel_softmax_f32_ij",
        .host = kernel_softmax_f32_ij,
        .arrays = {{PRT_F32, "ij"}, {PRT_F32, "ij"}},
        .array_count = 2, .extent_count = 2, .number_count = 1,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 8,
    },
    [KERNEL_top_i32_f32ik_to_ij] = {
        .entry = "kernel_top_i32_f32ik_to_ij",
        .host = kernel_top_i32_f32ik_to_ij,
        .arrays = {{PRT_I32, "ij"}, {PRT_F32, "ik"}},
        .array_count = 2, .extent_count = 3, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "ijk", .operations = 2,
    },
    [KERNEL_count_equal_f32_i32ij_i32k_to_ik] = {
        .entry = "kernel_count_equal_f32_i32ij_i32k_to_ik",
        .host = kernel_count_equal_f32_i32ij_i32k_to_ik,
        .arrays = {{PRT_F32, "ik"}, {PRT_I32, "ij"}, {PRT_I32, "k"}},
        .array_count = 3, .extent_count = 3, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ik", .per_thread = true,
        .space = "ijk", .operations = 0,
    },
    [KERNEL_reduce_f32_ijk_to_ik] = {
        .entry = "kernel_reduce_f32_ijk_to_ik",
        .host = kernel_reduce_f32_ijk_to_ik,
        .arrays = {{PRT_F32, "ik"}, {PRT_F32, "ijk"}},
        .array_count = 2, .extent_count = 3, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ik", .per_thread = true,
        .space = "ijk", .operations = 1,
    },
    [KERNEL_scale_f32] = {
        .entry = "kernel_scale_f32",
        .host = kernel_scale_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 1,
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
    [KERNEL_log_sum_exp_f32_ij_to_i] = {
        .entry = "kernel_log_sum_exp_f32_ij_to_i",
        .host = kernel_log_sum_exp_f32_ij_to_i,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "ij"}},
        .array_count = 2, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 4,
    },
    [KERNEL_queue_i32_ilm_j_to_ijk] = {
        .entry = "kernel_queue_i32_ilm_j_to_ijk",
        .host = kernel_queue_i32_ilm_j_to_ijk,
        .arrays = {{PRT_I32, "ijk"}, {PRT_I32, "ilm"}, {PRT_I32, "j"}},
        .array_count = 3, .extent_count = 5, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ij", .per_thread = true,
        .space = "ijklm", .operations = 0,
    },
    [KERNEL_take_f32_i32ijk_ilj_to_ijk] = {
        .entry = "kernel_take_f32_i32ijk_ilj_to_ijk",
        .host = kernel_take_f32_i32ijk_ilj_to_ijk,
        .arrays = {{PRT_F32, "ijk"}, {PRT_I32, "ijk"}, {PRT_F32, "ilj"}},
        .array_count = 3, .extent_count = 4, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ijk", .per_thread = true,
        .space = "ijk", .operations = 0,
    },
    [KERNEL_sum_equal_f32_ij_i32ik_i32j_to_i] = {
        .entry = "kernel_sum_equal_f32_ij_i32ik_i32j_to_i",
        .host = kernel_sum_equal_f32_ij_i32ik_i32j_to_i,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "ij"}, {PRT_I32, "ik"}, {PRT_I32, "j"}},
        .array_count = 4, .extent_count = 3, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ijk", .operations = 2,
    },
    [KERNEL_recip_f32] = {
        .entry = "kernel_recip_f32",
        .host = kernel_recip_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 1,
    },
    [KERNEL_take_f32_i32ij_ik_to_ij] = {
        .entry = "kernel_take_f32_i32ij_ik_to_ij",
        .host = kernel_take_f32_i32ij_ik_to_ij,
        .arrays = {{PRT_F32, "ij"}, {PRT_I32, "ij"}, {PRT_F32, "ik"}},
        .array_count = 3, .extent_count = 3, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ij", .per_thread = true,
        .space = "ij", .operations = 0,
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
    [KERNEL_take_f32_i32ij_ikl_to_ijl] = {
        .entry = "kernel_take_f32_i32ij_ikl_to_ijl",
        .host = kernel_take_f32_i32ij_ikl_to_ijl,
        .arrays = {{PRT_F32, "ijl"}, {PRT_I32, "ij"}, {PRT_F32, "ikl"}},
        .array_count = 3, .extent_count = 4, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ij", .per_thread = false,
        .space = "ijl", .operations = 0,
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
    [KERNEL_combine_f32_i32ij_ijl_ij_to_ikl] = {
        .entry = "kernel_combine_f32_i32ij_ijl_ij_to_ikl",
        .host = kernel_combine_f32_i32ij_ijl_ij_to_ikl,
        .arrays = {{PRT_F32, "ikl"}, {PRT_I32, "ij"}, {PRT_F32, "ijl"}, {PRT_F32, "ij"}},
        .array_count = 4, .extent_count = 4, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "il", .per_thread = true,
        .space = "ijl", .operations = 2,
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
    [KERNEL_add_f32_s_s] = {
        .entry = "kernel_add_f32_s_s",
        .host = kernel_add_f32_s_s,
        .arrays = {{PRT_F32, ""}, {PRT_F32, ""}, {PRT_F32, ""}},
        .array_count = 3, .extent_count = 0, .number_count = 0,
        .reads_result = false,
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
    [KERNEL_mul_f32_ij_i] = {
        .entry = "kernel_mul_f32_ij_i",
        .host = kernel_mul_f32_ij_i,
        .arrays = {{PRT_F32, "ij"}, {PRT_F32, "ij"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ij", .per_thread = true,
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
    [KERNEL_give_f32_i32ij_ijl_to_ikl] = {
        .entry = "kernel_give_f32_i32ij_ijl_to_ikl",
        .host = kernel_give_f32_i32ij_ijl_to_ikl,
        .arrays = {{PRT_F32, "ikl"}, {PRT_I32, "ij"}, {PRT_F32, "ijl"}},
        .array_count = 3, .extent_count = 4, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "il", .per_thread = true,
        .space = "ijl", .operations = 1,
    },
    [KERNEL_give_f32_i32ij_ij_to_ik] = {
        .entry = "kernel_give_f32_i32ij_ij_to_ik",
        .host = kernel_give_f32_i32ij_ij_to_ik,
        .arrays = {{PRT_F32, "ik"}, {PRT_I32, "ij"}, {PRT_F32, "ij"}},
        .array_count = 3, .extent_count = 3, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "ij", .operations = 1,
    },
    [KERNEL_recip_bwd_f32] = {
        .entry = "kernel_recip_bwd_f32",
        .host = kernel_recip_bwd_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 3,
    },
    [KERNEL_sum_equal_f32_i_i32ij_i32k_to_ik] = {
        .entry = "kernel_sum_equal_f32_i_i32ij_i32k_to_ik",
        .host = kernel_sum_equal_f32_i_i32ij_i32k_to_ik,
        .arrays = {{PRT_F32, "ik"}, {PRT_F32, "i"}, {PRT_I32, "ij"}, {PRT_I32, "k"}},
        .array_count = 4, .extent_count = 3, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ik", .per_thread = true,
        .space = "ijk", .operations = 2,
    },
    [KERNEL_give_f32_i32ijk_ijk_to_ilj_accumulate] = {
        .entry = "kernel_give_f32_i32ijk_ijk_to_ilj_accumulate",
        .host = kernel_give_f32_i32ijk_ijk_to_ilj_accumulate,
        .arrays = {{PRT_F32, "ilj"}, {PRT_I32, "ijk"}, {PRT_F32, "ijk"}},
        .array_count = 3, .extent_count = 4, .number_count = 0,
        .reads_result = true,
        .split = "i", .work = "ij", .per_thread = true,
        .space = "ijk", .operations = 1,
    },
    [KERNEL_log_sum_exp_bwd_f32_ij_i] = {
        .entry = "kernel_log_sum_exp_bwd_f32_ij_i",
        .host = kernel_log_sum_exp_bwd_f32_ij_i,
        .arrays = {{PRT_F32, "ij"}, {PRT_F32, "ij"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 6,
    },
    [KERNEL_copy_f32_ik_to_ijk_accumulate] = {
        .entry = "kernel_copy_f32_ik_to_ijk_accumulate",
        .host = kernel_copy_f32_ik_to_ijk_accumulate,
        .arrays = {{PRT_F32, "ijk"}, {PRT_F32, "ik"}},
        .array_count = 2, .extent_count = 3, .number_count = 0,
        .reads_result = true,
        .split = "i", .work = "ijk", .per_thread = true,
        .space = "ijk", .operations = 0,
    },
    [KERNEL_softmax_bwd_f32_ij_ij_accumulate] = {
        .entry = "kernel_softmax_bwd_f32_ij_ij_accumulate",
        .host = kernel_softmax_bwd_f32_ij_ij_accumulate,
        .arrays = {{PRT_F32, "ij"}, {PRT_F32, "ij"}, {PRT_F32, "ij"}},
        .array_count = 3, .extent_count = 2, .number_count = 1,
        .reads_result = true,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 5,
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
    [LAYOUT_outside] = {.unit = UNIT_outside},
    [LAYOUT_block] = {.unit = UNIT_block},
    [LAYOUT_block_moe] = {.unit = UNIT_block_moe},
    [LAYOUT_8_over_micro_data_by_64] =
        {.unit = -1, .dim_count = 2, .dims = {{.size = 8, .cut_count = 2, .cut = {PRT_MICRO, AXIS_data}}, {.size = 64}}},
    [LAYOUT_8_over_micro_data_by_8_by_20_by_128] =
        {.unit = -1, .dim_count = 4, .dims = {{.size = 8, .cut_count = 2, .cut = {PRT_MICRO, AXIS_data}}, {.size = 8}, {.size = 20}, {.size = 128}}},
    [LAYOUT_8_over_micro_by_8_over_data_by_20_by_128] =
        {.unit = -1, .dim_count = 4, .dims = {{.size = 8, .cut_count = 1, .cut = {PRT_MICRO}}, {.size = 8, .cut_count = 1, .cut = {AXIS_data}}, {.size = 20}, {.size = 128}}},
    [LAYOUT_scalar] = {.unit = -1},
    [LAYOUT_outside_over_data] = {.unit = UNIT_outside, .cut_count = 1, .cut = {AXIS_data}},
    [LAYOUT_block_over_data] = {.unit = UNIT_block, .cut_count = 1, .cut = {AXIS_data}},
    [LAYOUT_1_by_64] = {.unit = -1, .dim_count = 2, .dims = {{.size = 1}, {.size = 64}}},
    [LAYOUT_1_by_8_by_20_by_128] =
        {.unit = -1, .dim_count = 4, .dims = {{.size = 1}, {.size = 8}, {.size = 20}, {.size = 128}}},
    [LAYOUT_1_by_8_over_data_by_20_by_128] =
        {.unit = -1, .dim_count = 4, .dims = {{.size = 1}, {.size = 8, .cut_count = 1, .cut = {AXIS_data}}, {.size = 20}, {.size = 128}}},
    [LAYOUT_1_by_8_by_20] = {.unit = -1, .dim_count = 3, .dims = {{.size = 1}, {.size = 8}, {.size = 20}}},
    [LAYOUT_1_by_8_over_data_by_20] =
        {.unit = -1, .dim_count = 3, .dims = {{.size = 1}, {.size = 8, .cut_count = 1, .cut = {AXIS_data}}, {.size = 20}}},
    [LAYOUT_1_by_64_by_128] = {.unit = -1, .dim_count = 3, .dims = {{.size = 1}, {.size = 64}, {.size = 128}}},
};

static const prt_class classes[] = {
    {
        .memory = {5440512, 5440512, 9011716, 10688520, 0, 0, 372},
    },
};

static const prt_buffer buffers[] = {
    {.name = "parameters.outside", .tier = PRT_DEVICE, .offset = ARENA_parameters_outside, .bytes = 164864},
    {.name = "gradients.outside", .tier = PRT_DEVICE, .offset = ARENA_gradients_outside, .bytes = 164864},
    {.name = "adam_m.outside", .tier = PRT_DEVICE, .offset = ARENA_adam_m_outside, .bytes = 41216},
    {.name = "adam_v.outside", .tier = PRT_DEVICE, .offset = ARENA_adam_v_outside, .bytes = 41216},
    {.name = "parameters.block", .tier = PRT_DEVICE, .offset = ARENA_parameters_block, .bytes = 1081344},
    {.name = "gradients.block", .tier = PRT_DEVICE, .offset = ARENA_gradients_block, .bytes = 1081344},
    {.name = "adam_m.block", .tier = PRT_DEVICE, .offset = ARENA_adam_m_block, .bytes = 270336},
    {.name = "adam_v.block", .tier = PRT_DEVICE, .offset = ARENA_adam_v_block, .bytes = 270336},
    {.name = "parameters.block.moe", .tier = PRT_DEVICE, .offset = ARENA_parameters_block_moe, .bytes = 4194304},
    {.name = "gradients.block.moe", .tier = PRT_DEVICE, .offset = ARENA_gradients_block_moe, .bytes = 4194304},
    {.name = "adam_m.block.moe", .tier = PRT_DEVICE, .offset = ARENA_adam_m_block_moe, .bytes = 4194304},
    {.name = "adam_v.block.moe", .tier = PRT_DEVICE, .offset = ARENA_adam_v_block_moe, .bytes = 4194304},
    {.name = "step", .tier = PRT_DEVICE, .offset = ARENA_step, .bytes = 4},
    {.name = "loss.5.sum", .tier = PRT_DEVICE, .offset = ARENA_loss_5_sum, .bytes = 4},
    {.name = "tokens", .tier = PRT_DEVICE, .offset = ARENA_tokens, .bytes = 512},
    {.name = "targets", .tier = PRT_DEVICE, .offset = ARENA_targets, .bytes = 512},
    {.name = "wte", .tier = PRT_DEVICE, .offset = ARENA_wte, .bytes = 65536},
    {.name = "x", .tier = PRT_DEVICE, .offset = ARENA_x, .bytes = 327680},
    {.name = "row_positions", .tier = PRT_DEVICE, .offset = ARENA_row_positions, .bytes = 256},
    {.name = "column_positions", .tier = PRT_DEVICE, .offset = ARENA_column_positions, .bytes = 256},
    {.name = "expert_positions", .tier = PRT_DEVICE, .offset = ARENA_expert_positions, .bytes = 32},
    {.name = "block.moe.balance.sum", .tier = PRT_DEVICE, .offset = ARENA_block_moe_balance_sum, .bytes = 40},
    {.name = "block.moe.z.sum", .tier = PRT_DEVICE, .offset = ARENA_block_moe_z_sum, .bytes = 40},
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
    {.name = "block.moe.choice", .tier = PRT_DEVICE, .offset = ARENA_block_moe_choice, .bytes = 4096},
    {.name = "block.moe.load", .tier = PRT_DEVICE, .offset = ARENA_block_moe_load, .bytes = 256},
    {.name = "block.moe.mass", .tier = PRT_DEVICE, .offset = ARENA_block_moe_mass, .bytes = 64},
    {.name = "block.moe.product", .tier = PRT_DEVICE, .offset = ARENA_block_moe_product, .bytes = 8},
    {.name = "block.moe.balance", .tier = PRT_DEVICE, .offset = ARENA_block_moe_balance, .bytes = 8},
    {.name = "block.moe.log_sum", .tier = PRT_DEVICE, .offset = ARENA_block_moe_log_sum, .bytes = 2048},
    {.name = "block.moe.squares", .tier = PRT_DEVICE, .offset = ARENA_block_moe_squares, .bytes = 8},
    {.name = "block.moe.z", .tier = PRT_DEVICE, .offset = ARENA_block_moe_z, .bytes = 8},
    {.name = "block.moe.source", .tier = PRT_DEVICE, .offset = ARENA_block_moe_source, .bytes = 5120},
    {.name = "block.moe.picked", .tier = PRT_DEVICE, .offset = ARENA_block_moe_picked, .bytes = 5120},
    {.name = "block.moe.total", .tier = PRT_DEVICE, .offset = ARENA_block_moe_total, .bytes = 2048},
    {.name = "block.moe.inverse", .tier = PRT_DEVICE, .offset = ARENA_block_moe_inverse, .bytes = 512},
    {.name = "block.moe.inverses", .tier = PRT_DEVICE, .offset = ARENA_block_moe_inverses, .bytes = 5120},
    {.name = "block.moe.weights", .tier = PRT_DEVICE, .offset = ARENA_block_moe_weights, .bytes = 5120},
    {.name = "block.moe.inputs", .tier = PRT_DEVICE, .offset = ARENA_block_moe_inputs, .bytes = 163840},
    {.name = "block.moe.inputs.exchanged", .tier = PRT_DEVICE, .offset = ARENA_block_moe_inputs_exchanged, .bytes = 655360},
    {.name = "block.moe.up", .tier = PRT_DEVICE, .offset = ARENA_block_moe_up, .bytes = 2621440},
    {.name = "block.moe.active", .tier = PRT_DEVICE, .offset = ARENA_block_moe_active, .bytes = 2621440},
    {.name = "block.moe.outputs", .tier = PRT_DEVICE, .offset = ARENA_block_moe_outputs, .bytes = 163840},
    {.name = "block.moe.outputs.exchanged", .tier = PRT_DEVICE, .offset = ARENA_block_moe_outputs_exchanged, .bytes = 655360},
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
    {.name = "d_x.taken", .tier = PRT_DEVICE, .offset = ARENA_d_x_taken, .bytes = 163840},
    {.name = "d_block.moe.outputs", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_outputs, .bytes = 163840},
    {.name = "d_block.moe.weights", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_weights, .bytes = 1280},
    {.name = "d_block.moe.outputs.exchanged", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_outputs_exchanged, .bytes = 163840},
    {.name = "d_block.moe.active", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_active, .bytes = 655360},
    {.name = "d_block.moe.up", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_up, .bytes = 655360},
    {.name = "d_block.moe.inputs", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_inputs, .bytes = 163840},
    {.name = "d_block.moe.inputs.exchanged", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_inputs_exchanged, .bytes = 163840},
    {.name = "d_block.norm2", .tier = PRT_DEVICE, .offset = ARENA_d_block_norm2, .bytes = 65536},
    {.name = "d_block.moe.picked", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_picked, .bytes = 1280},
    {.name = "d_block.moe.inverses", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_inverses, .bytes = 1280},
    {.name = "d_block.moe.inverse", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_inverse, .bytes = 512},
    {.name = "d_block.moe.total", .tier = PRT_DEVICE, .offset = ARENA_d_block_moe_total, .bytes = 512},
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
    {.name = "gradient_shard.block", .tier = PRT_DEVICE, .offset = ARENA_gradient_shard_block, .bytes = 270336},
    {.name = "norm.2", .tier = PRT_DEVICE, .offset = ARENA_norm_2, .bytes = 4},
    {.name = "clip_factor", .tier = PRT_DEVICE, .offset = ARENA_clip_factor, .bytes = 4},
    {.name = "parameter_shard.outside", .tier = PRT_DEVICE, .offset = ARENA_parameter_shard_outside, .bytes = 41216},
    {.name = "parameter_shard.block", .tier = PRT_DEVICE, .offset = ARENA_parameter_shard_block, .bytes = 67584},
    {.name = "eval.loss.5.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_5_sum, .bytes = 4},
    {.name = "eval.tokens", .tier = PRT_DEVICE, .offset = ARENA_eval_tokens, .bytes = 512},
    {.name = "eval.targets", .tier = PRT_DEVICE, .offset = ARENA_eval_targets, .bytes = 512},
    {.name = "eval.wte", .tier = PRT_DEVICE, .offset = ARENA_eval_wte, .bytes = 65536},
    {.name = "eval.x", .tier = PRT_DEVICE, .offset = ARENA_eval_x, .bytes = 327680},
    {.name = "eval.row_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_row_positions, .bytes = 256},
    {.name = "eval.column_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_column_positions, .bytes = 256},
    {.name = "eval.expert_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_expert_positions, .bytes = 32},
    {.name = "eval.block.moe.balance.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_balance_sum, .bytes = 40},
    {.name = "eval.block.moe.z.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_z_sum, .bytes = 40},
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
    {.name = "eval.block.moe.choice", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_choice, .bytes = 1024},
    {.name = "eval.block.moe.load", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_load, .bytes = 64},
    {.name = "eval.block.moe.mass", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_mass, .bytes = 64},
    {.name = "eval.block.moe.product", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_product, .bytes = 8},
    {.name = "eval.block.moe.balance", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_balance, .bytes = 8},
    {.name = "eval.block.moe.log_sum", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_log_sum, .bytes = 512},
    {.name = "eval.block.moe.squares", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_squares, .bytes = 8},
    {.name = "eval.block.moe.z", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_z, .bytes = 8},
    {.name = "eval.block.moe.source", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_source, .bytes = 1280},
    {.name = "eval.block.moe.picked", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_picked, .bytes = 1280},
    {.name = "eval.block.moe.total", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_total, .bytes = 512},
    {.name = "eval.block.moe.inverse", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_inverse, .bytes = 512},
    {.name = "eval.block.moe.inverses", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_inverses, .bytes = 1280},
    {.name = "eval.block.moe.weights", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_weights, .bytes = 1280},
    {.name = "eval.block.moe.inputs", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_inputs, .bytes = 163840},
    {.name = "eval.block.moe.inputs.exchanged", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_inputs_exchanged, .bytes = 163840},
    {.name = "eval.block.moe.up", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_up, .bytes = 655360},
    {.name = "eval.block.moe.active", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_active, .bytes = 655360},
    {.name = "eval.block.moe.outputs", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_outputs, .bytes = 163840},
    {.name = "eval.block.moe.outputs.exchanged", .tier = PRT_DEVICE, .offset = ARENA_eval_block_moe_outputs_exchanged, .bytes = 163840},
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
    {.name = "predict.expert_positions", .tier = PRT_DEVICE, .offset = ARENA_predict_expert_positions, .bytes = 32},
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
    {.name = "predict.block.moe.choice", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_choice, .bytes = 512},
    {.name = "predict.block.moe.source", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_source, .bytes = 640},
    {.name = "predict.block.moe.picked", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_picked, .bytes = 640},
    {.name = "predict.block.moe.total", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_total, .bytes = 256},
    {.name = "predict.block.moe.inverse", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_inverse, .bytes = 256},
    {.name = "predict.block.moe.inverses", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_inverses, .bytes = 640},
    {.name = "predict.block.moe.weights", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_weights, .bytes = 640},
    {.name = "predict.block.moe.inputs", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_inputs, .bytes = 81920},
    {.name = "predict.block.moe.inputs.sliced", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_inputs_sliced, .bytes = 20480},
    {.name = "predict.block.moe.up", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_up, .bytes = 81920},
    {.name = "predict.block.moe.active", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_active, .bytes = 81920},
    {.name = "predict.block.moe.outputs", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_outputs, .bytes = 20480},
    {.name = "predict.block.moe.source.sliced", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_source_sliced, .bytes = 160},
    {.name = "predict.block.moe.weights.sliced", .tier = PRT_DEVICE, .offset = ARENA_predict_block_moe_weights_sliced, .bytes = 160},
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
    [LINE_10_init] = {"examples/moe.place", 10, "init"},
    [LINE_21_computing_in_step] = {"examples/moe.place", 21, "computing in step"},
    [LINE_14_computing_in_step] = {"examples/moe.place", 14, "computing in step"},
    [LINE_5_read_tokens] = {"examples/moe.place", 5, "read tokens"},
    [LINE_5_read_targets] = {"examples/moe.place", 5, "read targets"},
    [LINE_7_computing_in_step] = {"examples/moe.place", 7, "computing in step"},
    [LINE_9_computing_in_step] = {"examples/moe.place", 9, "computing in step"},
    [LINE_10_computing_in_step] = {"examples/moe.place", 10, "computing in step"},
    [LINE_10_all_to_all_block_moe_inputs_over_data] =
        {"examples/moe.place", 10, "all_to_all block.moe.inputs over data"},
    [LINE_10_all_to_all_block_moe_outputs_over_data] =
        {"examples/moe.place", 10, "all_to_all block.moe.outputs over data"},
    [LINE_12_computing_in_step] = {"examples/moe.place", 12, "computing in step"},
    [LINE_13_computing_in_step] = {"examples/moe.place", 13, "computing in step"},
    [LINE_10_all_to_all_d_block_moe_outputs_over_data] =
        {"examples/moe.place", 10, "all_to_all d_block.moe.outputs over data"},
    [LINE_10_all_to_all_d_block_moe_inputs_over_data] =
        {"examples/moe.place", 10, "all_to_all d_block.moe.inputs over data"},
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
    [LINE_10_all_to_all_eval_block_moe_inputs_over_data] =
        {"examples/moe.place", 10, "all_to_all eval.block.moe.inputs over data"},
    [LINE_10_all_to_all_eval_block_moe_outputs_over_data] =
        {"examples/moe.place", 10, "all_to_all eval.block.moe.outputs over data"},
    [LINE_12_computing_in_eval] = {"examples/moe.place", 12, "computing in eval"},
    [LINE_13_computing_in_eval] = {"examples/moe.place", 13, "computing in eval"},
    [LINE_21_all_reduce_eval_loss_5_sum_over_data] = {"examples/moe.place", 21, "all_reduce eval.loss.5.sum over data"},
    [LINE_7_computing_in_predict] = {"examples/moe.place", 7, "computing in predict"},
    [LINE_9_computing_in_predict] = {"examples/moe.place", 9, "computing in predict"},
    [LINE_10_computing_in_predict] = {"examples/moe.place", 10, "computing in predict"},
    [LINE_10_slice_predict_block_moe_inputs_over_data] =
        {"examples/moe.place", 10, "slice predict.block.moe.inputs over data"},
    [LINE_10_slice_predict_block_moe_source_over_data] =
        {"examples/moe.place", 10, "slice predict.block.moe.source over data"},
    [LINE_10_slice_predict_block_moe_weights_over_data] =
        {"examples/moe.place", 10, "slice predict.block.moe.weights over data"},
    [LINE_10_all_reduce_predict_block_moe_over_data] =
        {"examples/moe.place", 10, "all_reduce predict.block.moe over data"},
    [LINE_12_computing_in_predict] = {"examples/moe.place", 12, "computing in predict"},
    [LINE_13_output_logits] = {"examples/moe.place", 13, "output logits"},
};

static const prt_program program = {
    .format = PRT_FORMAT,
    .name = "moe",
    .file = "examples/moe.place",
    .plan_hash = "9b7a5bbcf42a3e44",
    .version = "0.1.0",
    .axis_count = 1,
    .axes = {[AXIS_data] = {"data", 4}},
    .compute_dtype = PRT_F32,
    .arena_bytes = {30581632, 0, 0},
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
