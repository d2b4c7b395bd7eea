/* resnet, trained on a mesh { data: 4 }: the program of every rank. Written by placec from examples/resnet.place;
 * the comments name its lines, and what one execution of a statement costs the rank with the largest pieces. */
#include "place_rt.h"

/* Kernels (kernels.o). */
prt_host_kernel kernel_fill_f32;
prt_host_kernel kernel_fill_f32_to_s;
prt_host_kernel kernel_sub_f32_ijk_j;
prt_host_kernel kernel_reduce_f32_ijk_to_j;
prt_host_kernel kernel_sum_squares_f32_ijk_to_j;
prt_host_kernel kernel_copy_f32;
prt_host_kernel kernel_scale_f32;
prt_host_kernel kernel_mul_f32;
prt_host_kernel kernel_sub_f32;
prt_host_kernel kernel_relu_f32;
prt_host_kernel kernel_rsqrt_f32;
prt_host_kernel kernel_mul_f32_ijk_j;
prt_host_kernel kernel_add_f32_ijk_j;
prt_host_kernel kernel_add_f32;
prt_host_kernel kernel_reduce_f32_ij_to_i;
prt_host_kernel kernel_add_f32_ij_j;
prt_host_kernel kernel_iota_i32;
prt_host_kernel kernel_row_max_f32_ij_to_i;
prt_host_kernel kernel_exp_sum_f32_ij_i_to_i;
prt_host_kernel kernel_pick_f32_ij_i32i_i32j_to_i;
prt_host_kernel kernel_log_loss_f32;
prt_host_kernel kernel_reduce_f32_i_to_s;
prt_host_kernel kernel_scale_f32_s_in_place_a;
prt_host_kernel kernel_log_loss_bwd_f32_ij_i_i_i32i_i32j_i;
prt_host_kernel kernel_reduce_f32_ij_to_j_accumulate;
prt_host_kernel kernel_copy_f32_i_to_ij;
prt_host_kernel kernel_relu_bwd_f32;
prt_host_kernel kernel_copy_f32_accumulate;
prt_host_kernel kernel_mul_f32_accumulate;
prt_host_kernel kernel_rsqrt_bwd_f32;
prt_host_kernel kernel_mul_f32_ijk_j_accumulate;
prt_host_kernel kernel_copy_f32_j_to_ijk_accumulate;
prt_host_kernel kernel_copy_f32_s_accumulate;
prt_host_kernel kernel_blend_f32_in_place_a;
prt_host_kernel kernel_rate_f32_s;
prt_host_kernel kernel_increment_f32_s_in_place_a;
prt_host_kernel kernel_momentum_f32_in_place_a;
prt_host_kernel kernel_sgd_f32_i_i_s_in_place_a;

/* Axes of the mesh, the first outermost. */
enum { AXIS_data };

/* Parameters, rows of tensors[]. */
enum {
    TENSOR_conv_weight,
    TENSOR_norm_gain,
    TENSOR_norm_bias,
    TENSOR_norm_running_mean,
    TENSOR_norm_running_variance,
    TENSOR_wide_conv1_weight,
    TENSOR_wide_norm1_gain,
    TENSOR_wide_norm1_bias,
    TENSOR_wide_norm1_running_mean,
    TENSOR_wide_norm1_running_variance,
    TENSOR_wide_conv2_weight,
    TENSOR_wide_norm2_gain,
    TENSOR_wide_norm2_bias,
    TENSOR_wide_norm2_running_mean,
    TENSOR_wide_norm2_running_variance,
    TENSOR_conv1_weight,
    TENSOR_norm1_gain,
    TENSOR_norm1_bias,
    TENSOR_norm1_running_mean,
    TENSOR_norm1_running_variance,
    TENSOR_short_weight,
    TENSOR_short_norm_gain,
    TENSOR_short_norm_bias,
    TENSOR_short_norm_running_mean,
    TENSOR_short_norm_running_variance,
    TENSOR_conv2_weight,
    TENSOR_norm2_gain,
    TENSOR_norm2_bias,
    TENSOR_norm2_running_mean,
    TENSOR_norm2_running_variance,
    TENSOR_deep_conv1_weight,
    TENSOR_deep_norm1_gain,
    TENSOR_deep_norm1_bias,
    TENSOR_deep_norm1_running_mean,
    TENSOR_deep_norm1_running_variance,
    TENSOR_deep_conv2_weight,
    TENSOR_deep_norm2_gain,
    TENSOR_deep_norm2_bias,
    TENSOR_deep_norm2_running_mean,
    TENSOR_deep_norm2_running_variance,
    TENSOR_head_weight,
    TENSOR_head_bias,
};

/* Inputs, rows of inputs[]. */
enum { INPUT_pixels, INPUT_labels };

/* Units of parameters that lie together, rows of units[]. */
enum { UNIT_outside, UNIT_outside_whole, UNIT_wide, UNIT_wide_whole, UNIT_deep, UNIT_deep_whole };

/* Where elements are, rows of layouts[]. */
enum {
    LAYOUT_outside,
    LAYOUT_outside_whole,
    LAYOUT_wide,
    LAYOUT_wide_whole,
    LAYOUT_deep,
    LAYOUT_deep_whole,
    LAYOUT_64_over_micro_data_by_3_by_32_by_32,
    LAYOUT_64_over_micro_data,
    LAYOUT_32,
    LAYOUT_64,
    LAYOUT_scalar,
    LAYOUT_1_by_3_by_32_by_32,
    LAYOUT_16,
};

/* Gradients that updates use, rows of gradients[]. */
enum {
    GRADIENT_outside,
    GRADIENT_outside_whole,
    GRADIENT_wide,
    GRADIENT_wide_whole,
    GRADIENT_deep,
    GRADIENT_deep_whole,
};

/* Ranks that communicate, rows of groups[]. */
enum { GROUP_data };

/* Communications, rows of calls[]. */
enum {
    CALL_all_reduce_norm_mean_sum_bucket,
    CALL_all_reduce_wide_norm1_mean_sum_bucket,
    CALL_all_reduce_wide_norm2_mean_sum_bucket,
    CALL_all_reduce_norm1_mean_sum_bucket,
    CALL_all_reduce_short_norm_mean_sum_bucket,
    CALL_all_reduce_norm2_mean_sum_bucket,
    CALL_all_reduce_deep_norm1_mean_sum_bucket,
    CALL_all_reduce_deep_norm2_mean_sum_bucket,
    CALL_all_reduce_d_deep_norm2_offset_bucket,
    CALL_all_reduce_d_deep_norm1_offset_bucket,
    CALL_all_reduce_d_norm2_offset_bucket,
    CALL_all_reduce_d_short_norm_offset_bucket,
    CALL_all_reduce_d_norm1_offset_bucket,
    CALL_all_reduce_d_wide_norm2_offset_bucket,
    CALL_all_reduce_d_wide_norm1_offset_bucket,
    CALL_all_reduce_d_norm_offset_bucket,
    CALL_all_reduce_loss_sum,
    CALL_all_reduce_gradients_outside,
    CALL_all_reduce_gradients_wide,
    CALL_all_reduce_gradients_deep,
    CALL_eval_all_reduce_loss_sum,
};

/* Kernels, rows of kernels[]. */
enum {
    KERNEL_fill_f32,
    KERNEL_fill_f32_to_s,
    KERNEL_sub_f32_ijk_j,
    KERNEL_reduce_f32_ijk_to_j,
    KERNEL_sum_squares_f32_ijk_to_j,
    KERNEL_copy_f32,
    KERNEL_scale_f32,
    KERNEL_mul_f32,
    KERNEL_sub_f32,
    KERNEL_relu_f32,
    KERNEL_rsqrt_f32,
    KERNEL_mul_f32_ijk_j,
    KERNEL_add_f32_ijk_j,
    KERNEL_add_f32,
    KERNEL_reduce_f32_ij_to_i,
    KERNEL_add_f32_ij_j,
    KERNEL_iota_i32,
    KERNEL_row_max_f32_ij_to_i,
    KERNEL_exp_sum_f32_ij_i_to_i,
    KERNEL_pick_f32_ij_i32i_i32j_to_i,
    KERNEL_log_loss_f32,
    KERNEL_reduce_f32_i_to_s,
    KERNEL_scale_f32_s_in_place_a,
    KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i,
    KERNEL_reduce_f32_ij_to_j_accumulate,
    KERNEL_copy_f32_i_to_ij,
    KERNEL_relu_bwd_f32,
    KERNEL_copy_f32_accumulate,
    KERNEL_mul_f32_accumulate,
    KERNEL_rsqrt_bwd_f32,
    KERNEL_mul_f32_ijk_j_accumulate,
    KERNEL_copy_f32_j_to_ijk_accumulate,
    KERNEL_copy_f32_s_accumulate,
    KERNEL_blend_f32_in_place_a,
    KERNEL_rate_f32_s,
    KERNEL_increment_f32_s_in_place_a,
    KERNEL_momentum_f32_in_place_a,
    KERNEL_sgd_f32_i_i_s_in_place_a,
};

/* What messages say is being done, rows of sources[]. */
enum {
    NO_LINE_resnet,
    LINE_9_computing_in_init,
    LINE_14_computing_in_init,
    LINE_15_computing_in_init,
    LINE_16_computing_in_init,
    LINE_11_computing_in_init,
    LINE_12_computing_in_init,
    LINE_18_computing_in_init,
    LINE_19_computing_in_init,
    LINE_29_computing_in_init,
    LINE_9_init,
    LINE_11_init,
    LINE_18_init,
    LINE_28_computing_in_step,
    LINE_21_computing_in_step,
    LINE_6_read_pixels,
    LINE_7_read_labels,
    LINE_9_computing_in_step,
    LINE_9_all_reduce_norm_mean_sum_bucket_over_data,
    LINE_11_computing_in_step,
    LINE_11_all_reduce_wide_norm1_mean_sum_bucket_over_data,
    LINE_12_computing_in_step,
    LINE_12_all_reduce_wide_norm2_mean_sum_bucket_over_data,
    LINE_14_computing_in_step,
    LINE_14_all_reduce_norm1_mean_sum_bucket_over_data,
    LINE_15_computing_in_step,
    LINE_15_all_reduce_short_norm_mean_sum_bucket_over_data,
    LINE_16_computing_in_step,
    LINE_16_all_reduce_norm2_mean_sum_bucket_over_data,
    LINE_18_computing_in_step,
    LINE_18_all_reduce_deep_norm1_mean_sum_bucket_over_data,
    LINE_19_computing_in_step,
    LINE_19_all_reduce_deep_norm2_mean_sum_bucket_over_data,
    LINE_19_all_reduce_d_deep_norm2_offset_bucket_over_data,
    LINE_18_all_reduce_d_deep_norm1_offset_bucket_over_data,
    LINE_16_all_reduce_d_norm2_offset_bucket_over_data,
    LINE_15_all_reduce_d_short_norm_offset_bucket_over_data,
    LINE_14_all_reduce_d_norm1_offset_bucket_over_data,
    LINE_12_all_reduce_d_wide_norm2_offset_bucket_over_data,
    LINE_11_all_reduce_d_wide_norm1_offset_bucket_over_data,
    LINE_9_all_reduce_d_norm_offset_bucket_over_data,
    LINE_28_all_reduce_loss_sum_over_data,
    LINE_21_output_loss,
    LINE_29_computing_in_step,
    LINE_29_output_learning_rate,
    LINE_28_all_reduce_gradients_outside_over_data,
    LINE_28_all_reduce_gradients_wide_over_data,
    LINE_28_all_reduce_gradients_deep_over_data,
    LINE_21_computing_in_eval,
    LINE_9_computing_in_eval,
    LINE_11_computing_in_eval,
    LINE_12_computing_in_eval,
    LINE_14_computing_in_eval,
    LINE_15_computing_in_eval,
    LINE_16_computing_in_eval,
    LINE_18_computing_in_eval,
    LINE_19_computing_in_eval,
    LINE_28_all_reduce_eval_loss_sum_over_data,
    LINE_9_computing_in_predict,
    LINE_11_computing_in_predict,
    LINE_12_computing_in_predict,
    LINE_14_computing_in_predict,
    LINE_15_computing_in_predict,
    LINE_16_computing_in_predict,
    LINE_18_computing_in_predict,
    LINE_19_computing_in_predict,
    LINE_21_computing_in_predict,
    LINE_21_output_logits,
};

/* Where a parameter is in its unit, in elements. */
#define OFFSET_conv_weight 0
#define OFFSET_norm_bias 448
#define OFFSET_conv1_weight 512
#define OFFSET_norm1_bias 5120
#define OFFSET_short_weight 5184
#define OFFSET_short_norm_bias 5696
#define OFFSET_conv2_weight 5760
#define OFFSET_norm2_bias 14976
#define OFFSET_head_weight 15040
#define OFFSET_head_bias 15360
#define OFFSET_norm_gain 0
#define OFFSET_norm1_gain 64
#define OFFSET_short_norm_gain 128
#define OFFSET_norm2_gain 192
#define OFFSET_wide_conv1_weight 0
#define OFFSET_wide_norm1_bias 2304
#define OFFSET_wide_conv2_weight 2368
#define OFFSET_wide_norm2_bias 4672
#define OFFSET_wide_norm1_gain 0
#define OFFSET_wide_norm2_gain 64
#define OFFSET_deep_conv1_weight 0
#define OFFSET_deep_norm1_bias 9216
#define OFFSET_deep_conv2_weight 9280
#define OFFSET_deep_norm2_bias 18496
#define OFFSET_deep_norm1_gain 0
#define OFFSET_deep_norm2_gain 64

/* Where a buffer is in the arena of its tier, in bytes. Buffers that are not in use at the same time share memory. */
#define ARENA_parameters_outside 0
#define ARENA_gradients_outside 28109376
#define ARENA_momentum_outside 61504
#define ARENA_parameters_outside_whole 123008
#define ARENA_gradients_outside_whole 28208384
#define ARENA_momentum_outside_whole 123904
#define ARENA_parameters_wide 124800
#define ARENA_gradients_wide 28170880
#define ARENA_momentum_wide 162304
#define ARENA_parameters_wide_whole 199808
#define ARENA_gradients_wide_whole 28210048
#define ARENA_momentum_wide_whole 200448
#define ARENA_parameters_deep 201088
#define ARENA_gradients_deep 27961152
#define ARENA_momentum_deep 349312
#define ARENA_parameters_deep_whole 497536
#define ARENA_gradients_deep_whole 28209280
#define ARENA_momentum_deep_whole 498304
#define ARENA_statistics_norm_running_mean 499072
#define ARENA_statistics_norm_running_variance 499136
#define ARENA_statistics_norm1_running_mean 499200
#define ARENA_statistics_norm1_running_variance 499328
#define ARENA_statistics_short_norm_running_mean 499456
#define ARENA_statistics_short_norm_running_variance 499584
#define ARENA_statistics_norm2_running_mean 499712
#define ARENA_statistics_norm2_running_variance 499840
#define ARENA_statistics_wide_norm1_running_mean 499968
#define ARENA_statistics_wide_norm1_running_variance 500096
#define ARENA_statistics_wide_norm2_running_mean 500224
#define ARENA_statistics_wide_norm2_running_variance 500352
#define ARENA_statistics_deep_norm1_running_mean 500480
#define ARENA_statistics_deep_norm1_running_variance 500736
#define ARENA_statistics_deep_norm2_running_mean 500992
#define ARENA_statistics_deep_norm2_running_variance 501248
#define ARENA_step 501504
#define ARENA_loss_sum 28216704
#define ARENA_pixels 27764544
#define ARENA_labels 27240384
#define ARENA_conv 501568
#define ARENA_norm_relative 15705920
#define ARENA_norm_mean_sum 501696
#define ARENA_norm_variance_sum 501760
#define ARENA_norm_relative_mean 28216768
#define ARENA_norm_square_mean 501568
#define ARENA_norm_mean_square 501632
#define ARENA_norm_difference 28216832
#define ARENA_norm_variance 28216896
#define ARENA_norm_rstd 28216960
#define ARENA_norm_scale 28217024
#define ARENA_norm_shift 501568
#define ARENA_norm_offset 1550144
#define ARENA_norm_scaled 501568
#define ARENA_norm 16754496
#define ARENA_x 501568
#define ARENA_wide_conv1 14133056
#define ARENA_wide_norm1_relative 3647296
#define ARENA_wide_norm1_mean_sum 14133184
#define ARENA_wide_norm1_variance_sum 14133248
#define ARENA_wide_norm1_relative_mean 28213248
#define ARENA_wide_norm1_square_mean 14133056
#define ARENA_wide_norm1_mean_square 14133120
#define ARENA_wide_norm1_difference 28213376
#define ARENA_wide_norm1_variance 28213504
#define ARENA_wide_norm1_rstd 28213632
#define ARENA_wide_norm1_scale 28213760
#define ARENA_wide_norm1_shift 14133056
#define ARENA_wide_norm1_offset 15181632
#define ARENA_wide_norm1_scaled 14133056
#define ARENA_wide_norm1 5744448
#define ARENA_wide_z 7841600
#define ARENA_wide_conv2 14133056
#define ARENA_wide_norm2_relative 9938752
#define ARENA_wide_norm2_mean_sum 14133184
#define ARENA_wide_norm2_variance_sum 14133248
#define ARENA_wide_norm2_relative_mean 28213888
#define ARENA_wide_norm2_square_mean 14133056
#define ARENA_wide_norm2_mean_square 14133120
#define ARENA_wide_norm2_difference 28214016
#define ARENA_wide_norm2_variance 28214144
#define ARENA_wide_norm2_rstd 28214272
#define ARENA_wide_norm2_scale 28214400
#define ARENA_wide_norm2_shift 14133056
#define ARENA_wide_norm2_offset 15181632
#define ARENA_wide_norm2_scaled 14133056
#define ARENA_wide_norm2 17803072
#define ARENA_wide_x 12035904
#define ARENA_conv1 14133056
#define ARENA_norm1_relative 23045952
#define ARENA_norm1_mean_sum 14133312
#define ARENA_norm1_variance_sum 14133440
#define ARENA_norm1_relative_mean 28214528
#define ARENA_norm1_square_mean 14133056
#define ARENA_norm1_mean_square 14133184
#define ARENA_norm1_difference 28214656
#define ARENA_norm1_variance 28214784
#define ARENA_norm1_rstd 28214912
#define ARENA_norm1_scale 28215040
#define ARENA_norm1_shift 14133056
#define ARENA_norm1_offset 14657344
#define ARENA_norm1_scaled 14133056
#define ARENA_norm1 23570240
#define ARENA_y 24094528
#define ARENA_short 14133056
#define ARENA_short_norm_relative 24618816
#define ARENA_short_norm_mean_sum 14133312
#define ARENA_short_norm_variance_sum 14133440
#define ARENA_short_norm_relative_mean 28215168
#define ARENA_short_norm_square_mean 14133056
#define ARENA_short_norm_mean_square 14133184
#define ARENA_short_norm_difference 28215296
#define ARENA_short_norm_variance 28215424
#define ARENA_short_norm_rstd 28215552
#define ARENA_short_norm_scale 28215680
#define ARENA_short_norm_shift 14133056
#define ARENA_short_norm_offset 15181632
#define ARENA_short_norm_scaled 14133056
#define ARENA_short_norm 14657344
#define ARENA_conv2 14133056
#define ARENA_norm2_relative 25143104
#define ARENA_norm2_mean_sum 14133312
#define ARENA_norm2_variance_sum 14133440
#define ARENA_norm2_relative_mean 28215808
#define ARENA_norm2_square_mean 14133056
#define ARENA_norm2_mean_square 14133184
#define ARENA_norm2_difference 28215936
#define ARENA_norm2_variance 28216064
#define ARENA_norm2_rstd 28216192
#define ARENA_norm2_scale 28216320
#define ARENA_norm2_shift 14133056
#define ARENA_norm2_offset 17803072
#define ARENA_norm2_scaled 14133056
#define ARENA_norm2 15181632
#define ARENA_x_2 25667392
#define ARENA_x_3 14133056
#define ARENA_deep_conv1 26191680
#define ARENA_deep_norm1_relative 17803072
#define ARENA_deep_norm1_mean_sum 26191936
#define ARENA_deep_norm1_variance_sum 26192064
#define ARENA_deep_norm1_relative_mean 28210688
#define ARENA_deep_norm1_square_mean 26191680
#define ARENA_deep_norm1_mean_square 26191808
#define ARENA_deep_norm1_difference 28210944
#define ARENA_deep_norm1_variance 28211200
#define ARENA_deep_norm1_rstd 28211456
#define ARENA_deep_norm1_scale 28211712
#define ARENA_deep_norm1_shift 26191680
#define ARENA_deep_norm1_offset 26715968
#define ARENA_deep_norm1_scaled 26191680
#define ARENA_deep_norm1 18851648
#define ARENA_deep_z 19900224
#define ARENA_deep_conv2 26191680
#define ARENA_deep_norm2_relative 20948800
#define ARENA_deep_norm2_mean_sum 26191936
#define ARENA_deep_norm2_variance_sum 26192064
#define ARENA_deep_norm2_relative_mean 28211968
#define ARENA_deep_norm2_square_mean 26191680
#define ARENA_deep_norm2_mean_square 26191808
#define ARENA_deep_norm2_difference 28212224
#define ARENA_deep_norm2_variance 28212480
#define ARENA_deep_norm2_rstd 28212736
#define ARENA_deep_norm2_scale 28212992
#define ARENA_deep_norm2_shift 26191680
#define ARENA_deep_norm2_offset 27240256
#define ARENA_deep_norm2_scaled 26191680
#define ARENA_deep_norm2 26715968
#define ARENA_deep_x 21997376
#define ARENA_loss_terms_sum 26191680
#define ARENA_loss_terms 26193728
#define ARENA_head_product 26191680
#define ARENA_head 26192320
#define ARENA_class_positions 26191680
#define ARENA_loss_terms_largest 26191744
#define ARENA_loss_terms_exp_sum 26191808
#define ARENA_loss_terms_target_logit 26191872
#define ARENA_loss_terms_2 26191936
#define ARENA_loss 28217088
#define ARENA_d_loss_terms_2 26191872
#define ARENA_d_head 26195776
#define ARENA_d_loss_terms 26191680
#define ARENA_d_loss_terms_sum 26715968
#define ARENA_d_x_3 26191680
#define ARENA_d_deep_x 26715968
#define ARENA_d_deep_norm2_offset 27240512
#define ARENA_d_deep_norm2_relative 26191680
#define ARENA_d_deep_norm2_scale 27240640
#define ARENA_d_deep_norm2_offset_2 27240256
#define ARENA_d_deep_norm2_relative_mean 27240384
#define ARENA_d_deep_norm2_rstd 27240256
#define ARENA_d_deep_norm2_variance 27240512
#define ARENA_d_deep_norm2_difference 27240256
#define ARENA_d_deep_norm2_difference_2 27240512
#define ARENA_d_deep_norm2_variance_sum 27240512
#define ARENA_d_deep_norm2_mean_sum 27240256
#define ARENA_d_deep_norm2_variance_sum_2 27240384
#define ARENA_d_deep_z 27240256
#define ARENA_d_deep_norm1 26191680
#define ARENA_d_deep_norm1_offset 28216448
#define ARENA_d_deep_norm1_relative 27240256
#define ARENA_d_deep_norm1_scale 28216576
#define ARENA_d_deep_norm1_offset_2 26191680
#define ARENA_d_deep_norm1_relative_mean 26191808
#define ARENA_d_deep_norm1_rstd 26191680
#define ARENA_d_deep_norm1_variance 26191936
#define ARENA_d_deep_norm1_difference 26191680
#define ARENA_d_deep_norm1_difference_2 26191936
#define ARENA_d_deep_norm1_variance_sum 26191936
#define ARENA_d_deep_norm1_mean_sum 26191680
#define ARENA_d_deep_norm1_variance_sum_2 26191808
#define ARENA_d_x_2 14133056
#define ARENA_d_norm2_offset 15181888
#define ARENA_d_norm2_relative 14657344
#define ARENA_d_norm2_scale 15182016
#define ARENA_d_norm2_offset_2 15181632
#define ARENA_d_norm2_relative_mean 15181760
#define ARENA_d_norm2_rstd 15181632
#define ARENA_d_norm2_variance 15181888
#define ARENA_d_norm2_difference 15181632
#define ARENA_d_norm2_difference_2 15181888
#define ARENA_d_norm2_variance_sum 15181888
#define ARENA_d_norm2_mean_sum 15181632
#define ARENA_d_norm2_variance_sum_2 15181760
#define ARENA_d_y 15181632
#define ARENA_d_short_norm_offset 14657344
#define ARENA_d_short_norm_relative 17803072
#define ARENA_d_short_norm_scale 14657472
#define ARENA_d_short_norm_offset_2 14133056
#define ARENA_d_short_norm_relative_mean 14133184
#define ARENA_d_short_norm_rstd 14133056
#define ARENA_d_short_norm_variance 14133312
#define ARENA_d_short_norm_difference 14133056
#define ARENA_d_short_norm_difference_2 14133312
#define ARENA_d_short_norm_variance_sum 14133312
#define ARENA_d_short_norm_mean_sum 14133056
#define ARENA_d_short_norm_variance_sum_2 14133184
#define ARENA_d_x 14133056
#define ARENA_d_norm1 17803072
#define ARENA_d_norm1_offset 18327360
#define ARENA_d_norm1_relative 15181632
#define ARENA_d_norm1_scale 18327488
#define ARENA_d_norm1_offset_2 17803072
#define ARENA_d_norm1_relative_mean 17803200
#define ARENA_d_norm1_rstd 17803072
#define ARENA_d_norm1_variance 17803328
#define ARENA_d_norm1_difference 17803072
#define ARENA_d_norm1_difference_2 17803328
#define ARENA_d_norm1_variance_sum 17803328
#define ARENA_d_norm1_mean_sum 17803072
#define ARENA_d_norm1_variance_sum_2 17803200
#define ARENA_d_wide_x 17803072
#define ARENA_d_wide_norm2_offset 15181760
#define ARENA_d_wide_norm2_relative 14133056
#define ARENA_d_wide_norm2_scale 15181824
#define ARENA_d_wide_norm2_offset_2 15181632
#define ARENA_d_wide_norm2_relative_mean 15181696
#define ARENA_d_wide_norm2_rstd 15181632
#define ARENA_d_wide_norm2_variance 15181760
#define ARENA_d_wide_norm2_difference 15181632
#define ARENA_d_wide_norm2_difference_2 15181760
#define ARENA_d_wide_norm2_variance_sum 15181760
#define ARENA_d_wide_norm2_mean_sum 15181632
#define ARENA_d_wide_norm2_variance_sum_2 15181696
#define ARENA_d_wide_z 18851648
#define ARENA_d_wide_norm1 14133056
#define ARENA_d_wide_norm1_offset 15181632
#define ARENA_d_wide_norm1_relative 18851648
#define ARENA_d_wide_norm1_scale 15181696
#define ARENA_d_wide_norm1_offset_2 14133056
#define ARENA_d_wide_norm1_relative_mean 14133120
#define ARENA_d_wide_norm1_rstd 14133056
#define ARENA_d_wide_norm1_variance 14133184
#define ARENA_d_wide_norm1_difference 14133056
#define ARENA_d_wide_norm1_difference_2 14133184
#define ARENA_d_wide_norm1_variance_sum 14133184
#define ARENA_d_wide_norm1_mean_sum 14133056
#define ARENA_d_wide_norm1_variance_sum_2 14133120
#define ARENA_d_norm 501568
#define ARENA_d_norm_offset 2598720
#define ARENA_d_norm_relative 1550144
#define ARENA_d_norm_scale 2598784
#define ARENA_d_norm_offset_2 501568
#define ARENA_d_norm_relative_mean 501632
#define ARENA_d_norm_rstd 501568
#define ARENA_d_norm_variance 501696
#define ARENA_d_norm_difference 501568
#define ARENA_d_norm_difference_2 501696
#define ARENA_d_norm_variance_sum 501696
#define ARENA_d_norm_mean_sum 501568
#define ARENA_d_norm_variance_sum_2 501632
#define ARENA_norm_mean 501568
#define ARENA_norm_unbiased 501632
#define ARENA_wide_norm1_mean 501568
#define ARENA_wide_norm1_unbiased 501696
#define ARENA_wide_norm2_mean 501568
#define ARENA_wide_norm2_unbiased 501696
#define ARENA_norm1_mean 501568
#define ARENA_norm1_unbiased 501696
#define ARENA_short_norm_mean 501568
#define ARENA_short_norm_unbiased 501696
#define ARENA_norm2_mean 501568
#define ARENA_norm2_unbiased 501696
#define ARENA_deep_norm1_mean 501568
#define ARENA_deep_norm1_unbiased 501824
#define ARENA_deep_norm2_mean 501568
#define ARENA_deep_norm2_unbiased 501824
#define ARENA_rate 501568
#define ARENA_eval_loss_sum 5744448
#define ARENA_eval_pixels 1550144
#define ARENA_eval_labels 5744512
#define ARENA_eval_conv 501568
#define ARENA_eval_norm_relative 1550144
#define ARENA_eval_norm_rstd 501568
#define ARENA_eval_norm_scale 2598720
#define ARENA_eval_norm_scaled 501568
#define ARENA_eval_norm 3647296
#define ARENA_eval_x 501568
#define ARENA_eval_wide_conv1 3647296
#define ARENA_eval_wide_norm1_relative 4695872
#define ARENA_eval_wide_norm1_rstd 3647296
#define ARENA_eval_wide_norm1_scale 5744576
#define ARENA_eval_wide_norm1_scaled 3647296
#define ARENA_eval_wide_norm1 4695872
#define ARENA_eval_wide_z 3647296
#define ARENA_eval_wide_conv2 4695872
#define ARENA_eval_wide_norm2_relative 3647296
#define ARENA_eval_wide_norm2_rstd 4695872
#define ARENA_eval_wide_norm2_scale 5744576
#define ARENA_eval_wide_norm2_scaled 4695872
#define ARENA_eval_wide_norm2 3647296
#define ARENA_eval_wide_x 4695872
#define ARENA_eval_conv1 3647296
#define ARENA_eval_norm1_relative 4171584
#define ARENA_eval_norm1_rstd 3647296
#define ARENA_eval_norm1_scale 4695872
#define ARENA_eval_norm1_scaled 3647296
#define ARENA_eval_norm1 4171584
#define ARENA_eval_y 3647296
#define ARENA_eval_short 4171584
#define ARENA_eval_short_norm_relative 501568
#define ARENA_eval_short_norm_rstd 1025856
#define ARENA_eval_short_norm_scale 1550144
#define ARENA_eval_short_norm_scaled 1025856
#define ARENA_eval_short_norm 501568
#define ARENA_eval_conv2 1025856
#define ARENA_eval_norm2_relative 1550144
#define ARENA_eval_norm2_rstd 1025856
#define ARENA_eval_norm2_scale 2074432
#define ARENA_eval_norm2_scaled 1025856
#define ARENA_eval_norm2 1550144
#define ARENA_eval_x_2 2074432
#define ARENA_eval_x_3 501568
#define ARENA_eval_deep_conv1 2074432
#define ARENA_eval_deep_norm1_relative 2598720
#define ARENA_eval_deep_norm1_rstd 2074432
#define ARENA_eval_deep_norm1_scale 3123008
#define ARENA_eval_deep_norm1_scaled 2074432
#define ARENA_eval_deep_norm1 2598720
#define ARENA_eval_deep_z 2074432
#define ARENA_eval_deep_conv2 2598720
#define ARENA_eval_deep_norm2_relative 2074432
#define ARENA_eval_deep_norm2_rstd 2598720
#define ARENA_eval_deep_norm2_scale 3123008
#define ARENA_eval_deep_norm2_scaled 2598720
#define ARENA_eval_deep_norm2 2074432
#define ARENA_eval_deep_x 2598720
#define ARENA_eval_loss_terms_sum 2074432
#define ARENA_eval_loss_terms 501568
#define ARENA_eval_head_product 503616
#define ARENA_eval_head 501568
#define ARENA_eval_class_positions 502208
#define ARENA_eval_loss_terms_largest 502272
#define ARENA_eval_loss_terms_exp_sum 502336
#define ARENA_eval_loss_terms_target_logit 502400
#define ARENA_eval_loss_terms_2 501568
#define ARENA_eval_loss 501632
#define ARENA_predict_pixels 567104
#define ARENA_predict_conv 501568
#define ARENA_predict_norm_relative 567104
#define ARENA_predict_norm_rstd 501568
#define ARENA_predict_norm_scale 632640
#define ARENA_predict_norm_scaled 501568
#define ARENA_predict_norm 698176
#define ARENA_predict_x 501568
#define ARENA_predict_wide_conv1 698176
#define ARENA_predict_wide_norm1_relative 763712
#define ARENA_predict_wide_norm1_rstd 698176
#define ARENA_predict_wide_norm1_scale 829248
#define ARENA_predict_wide_norm1_scaled 698176
#define ARENA_predict_wide_norm1 763712
#define ARENA_predict_wide_z 698176
#define ARENA_predict_wide_conv2 763712
#define ARENA_predict_wide_norm2_relative 698176
#define ARENA_predict_wide_norm2_rstd 763712
#define ARENA_predict_wide_norm2_scale 829248
#define ARENA_predict_wide_norm2_scaled 763712
#define ARENA_predict_wide_norm2 698176
#define ARENA_predict_wide_x 763712
#define ARENA_predict_conv1 698176
#define ARENA_predict_norm1_relative 730944
#define ARENA_predict_norm1_rstd 698176
#define ARENA_predict_norm1_scale 763712
#define ARENA_predict_norm1_scaled 698176
#define ARENA_predict_norm1 730944
#define ARENA_predict_y 698176
#define ARENA_predict_short 730944
#define ARENA_predict_short_norm_relative 501568
#define ARENA_predict_short_norm_rstd 534336
#define ARENA_predict_short_norm_scale 567104
#define ARENA_predict_short_norm_scaled 534336
#define ARENA_predict_short_norm 501568
#define ARENA_predict_conv2 534336
#define ARENA_predict_norm2_relative 567104
#define ARENA_predict_norm2_rstd 534336
#define ARENA_predict_norm2_scale 599872
#define ARENA_predict_norm2_scaled 534336
#define ARENA_predict_norm2 567104
#define ARENA_predict_x_2 599872
#define ARENA_predict_x_3 501568
#define ARENA_predict_deep_conv1 599872
#define ARENA_predict_deep_norm1_relative 632640
#define ARENA_predict_deep_norm1_rstd 599872
#define ARENA_predict_deep_norm1_scale 665408
#define ARENA_predict_deep_norm1_scaled 599872
#define ARENA_predict_deep_norm1 632640
#define ARENA_predict_deep_z 599872
#define ARENA_predict_deep_conv2 632640
#define ARENA_predict_deep_norm2_relative 599872
#define ARENA_predict_deep_norm2_rstd 632640
#define ARENA_predict_deep_norm2_scale 665408
#define ARENA_predict_deep_norm2_scaled 632640
#define ARENA_predict_deep_norm2 599872
#define ARENA_predict_deep_x 632640
#define ARENA_predict_loss_terms_sum 599872
#define ARENA_predict_loss_terms 501568
#define ARENA_predict_head_product 501696
#define ARENA_predict_head 501568
#define ARENA_norm_mean_sum_bucket 501568
#define ARENA_wide_norm1_mean_sum_bucket 14133056
#define ARENA_wide_norm2_mean_sum_bucket 14133056
#define ARENA_norm1_mean_sum_bucket 14133056
#define ARENA_short_norm_mean_sum_bucket 14133056
#define ARENA_norm2_mean_sum_bucket 14133056
#define ARENA_deep_norm1_mean_sum_bucket 26191680
#define ARENA_deep_norm2_mean_sum_bucket 26191680
#define ARENA_d_deep_norm2_offset_bucket 27240256
#define ARENA_d_deep_norm1_offset_bucket 26191680
#define ARENA_d_norm2_offset_bucket 15181632
#define ARENA_d_short_norm_offset_bucket 14133056
#define ARENA_d_norm1_offset_bucket 17803072
#define ARENA_d_wide_norm2_offset_bucket 15181632
#define ARENA_d_wide_norm1_offset_bucket 14133056
#define ARENA_d_norm_offset_bucket 501568

/* ---- Buffers in the arena ---- */

/* parameters.outside: f32 unit outside, 60.1 KiB */
static inline float *at_parameters_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameters_outside);
}

/* gradients.outside: f32 unit outside, 60.1 KiB */
static inline float *at_gradients_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_gradients_outside);
}

/* momentum.outside: f32 unit outside, 60.1 KiB */
static inline float *at_momentum_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_momentum_outside);
}

/* parameters.outside.whole: f32 unit outside.whole, 896 B */
static inline float *at_parameters_outside_whole(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameters_outside_whole);
}

/* gradients.outside.whole: f32 unit outside.whole, 896 B */
static inline float *at_gradients_outside_whole(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_gradients_outside_whole);
}

/* momentum.outside.whole: f32 unit outside.whole, 896 B */
static inline float *at_momentum_outside_whole(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_momentum_outside_whole);
}

/* parameters.wide: f32 unit wide, 2 slots, 36.6 KiB */
static inline float *at_parameters_wide(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_wide) + slot * 4688;
}

/* gradients.wide: f32 unit wide, 2 slots, 36.6 KiB */
static inline float *at_gradients_wide(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_gradients_wide) + slot * 4688;
}

/* momentum.wide: f32 unit wide, 2 slots, 36.6 KiB */
static inline float *at_momentum_wide(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_momentum_wide) + slot * 4688;
}

/* parameters.wide.whole: f32 unit wide.whole, 2 slots, 640 B */
static inline float *at_parameters_wide_whole(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_wide_whole) + slot * 80;
}

/* gradients.wide.whole: f32 unit wide.whole, 2 slots, 640 B */
static inline float *at_gradients_wide_whole(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_gradients_wide_whole) + slot * 80;
}

/* momentum.wide.whole: f32 unit wide.whole, 2 slots, 640 B */
static inline float *at_momentum_wide_whole(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_momentum_wide_whole) + slot * 80;
}

/* parameters.deep: f32 unit deep, 2 slots, 145 KiB */
static inline float *at_parameters_deep(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_deep) + slot * 18528;
}

/* gradients.deep: f32 unit deep, 2 slots, 145 KiB */
static inline float *at_gradients_deep(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_gradients_deep) + slot * 18528;
}

/* momentum.deep: f32 unit deep, 2 slots, 145 KiB */
static inline float *at_momentum_deep(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_momentum_deep) + slot * 18528;
}

/* parameters.deep.whole: f32 unit deep.whole, 2 slots, 768 B */
static inline float *at_parameters_deep_whole(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_deep_whole) + slot * 96;
}

/* gradients.deep.whole: f32 unit deep.whole, 2 slots, 768 B */
static inline float *at_gradients_deep_whole(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_gradients_deep_whole) + slot * 96;
}

/* momentum.deep.whole: f32 unit deep.whole, 2 slots, 768 B */
static inline float *at_momentum_deep_whole(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_momentum_deep_whole) + slot * 96;
}

/* statistics.norm.running_mean: f32 [16], 64 B */
static inline float *at_statistics_norm_running_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_statistics_norm_running_mean);
}

/* statistics.norm.running_variance: f32 [16], 64 B */
static inline float *at_statistics_norm_running_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_statistics_norm_running_variance);
}

/* statistics.norm1.running_mean: f32 [32], 128 B */
static inline float *at_statistics_norm1_running_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_statistics_norm1_running_mean);
}

/* statistics.norm1.running_variance: f32 [32], 128 B */
static inline float *at_statistics_norm1_running_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_statistics_norm1_running_variance);
}

/* statistics.short_norm.running_mean: f32 [32], 128 B */
static inline float *at_statistics_short_norm_running_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_statistics_short_norm_running_mean);
}

/* statistics.short_norm.running_variance: f32 [32], 128 B */
static inline float *at_statistics_short_norm_running_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_statistics_short_norm_running_variance);
}

/* statistics.norm2.running_mean: f32 [32], 128 B */
static inline float *at_statistics_norm2_running_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_statistics_norm2_running_mean);
}

/* statistics.norm2.running_variance: f32 [32], 128 B */
static inline float *at_statistics_norm2_running_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_statistics_norm2_running_variance);
}

/* statistics.wide.norm1.running_mean: f32 [16], 2 slots, 128 B */
static inline float *at_statistics_wide_norm1_running_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_statistics_wide_norm1_running_mean) + slot * 16;
}

/* statistics.wide.norm1.running_variance: f32 [16], 2 slots, 128 B */
static inline float *at_statistics_wide_norm1_running_variance(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_statistics_wide_norm1_running_variance) + slot * 16;
}

/* statistics.wide.norm2.running_mean: f32 [16], 2 slots, 128 B */
static inline float *at_statistics_wide_norm2_running_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_statistics_wide_norm2_running_mean) + slot * 16;
}

/* statistics.wide.norm2.running_variance: f32 [16], 2 slots, 128 B */
static inline float *at_statistics_wide_norm2_running_variance(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_statistics_wide_norm2_running_variance) + slot * 16;
}

/* statistics.deep.norm1.running_mean: f32 [32], 2 slots, 256 B */
static inline float *at_statistics_deep_norm1_running_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_statistics_deep_norm1_running_mean) + slot * 32;
}

/* statistics.deep.norm1.running_variance: f32 [32], 2 slots, 256 B */
static inline float *at_statistics_deep_norm1_running_variance(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_statistics_deep_norm1_running_variance) + slot * 32;
}

/* statistics.deep.norm2.running_mean: f32 [32], 2 slots, 256 B */
static inline float *at_statistics_deep_norm2_running_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_statistics_deep_norm2_running_mean) + slot * 32;
}

/* statistics.deep.norm2.running_variance: f32 [32], 2 slots, 256 B */
static inline float *at_statistics_deep_norm2_running_variance(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_statistics_deep_norm2_running_variance) + slot * 32;
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

/* pixels: f32 [64 / micro / data, 3, 32, 32], 192 KiB */
static inline float *at_pixels(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_pixels);
}

/* labels: i32 [64 / micro / data], 64 B */
static inline int32_t *at_labels(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_labels);
}

/* conv: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_conv(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_conv);
}

/* norm.relative: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_norm_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_relative);
}

/* norm.mean.sum: f32 [16], 64 B */
static inline float *at_norm_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_mean_sum);
}

/* norm.variance.sum: f32 [16], 64 B */
static inline float *at_norm_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_variance_sum);
}

/* norm.relative.mean: f32 [16], 64 B */
static inline float *at_norm_relative_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_relative_mean);
}

/* norm.square.mean: f32 [16], 64 B */
static inline float *at_norm_square_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_square_mean);
}

/* norm.mean.square: f32 [16], 64 B */
static inline float *at_norm_mean_square(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_mean_square);
}

/* norm.difference: f32 [16], 64 B */
static inline float *at_norm_difference(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_difference);
}

/* norm.variance: f32 [16], 64 B */
static inline float *at_norm_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_variance);
}

/* norm.rstd: f32 [16], 64 B */
static inline float *at_norm_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_rstd);
}

/* norm.scale: f32 [16], 64 B */
static inline float *at_norm_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_scale);
}

/* norm.shift: f32 [16], 64 B */
static inline float *at_norm_shift(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_shift);
}

/* norm.offset: f32 [16], 64 B */
static inline float *at_norm_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_offset);
}

/* norm.scaled: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_norm_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_scaled);
}

/* norm: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm);
}

/* x: f32 [64 / micro / data, 16, 32, 32], 3 slots, 3.00 MiB */
static inline float *at_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_x) + slot * 262144;
}

/* wide.conv1: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_wide_conv1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_conv1);
}

/* wide.norm1.relative: f32 [64 / micro / data, 16, 32, 32], 2 slots, 2.00 MiB */
static inline float *at_wide_norm1_relative(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_relative) + slot * 262144;
}

/* wide.norm1.mean.sum: f32 [16], 64 B */
static inline float *at_wide_norm1_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_mean_sum);
}

/* wide.norm1.variance.sum: f32 [16], 64 B */
static inline float *at_wide_norm1_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_variance_sum);
}

/* wide.norm1.relative.mean: f32 [16], 2 slots, 128 B */
static inline float *at_wide_norm1_relative_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_relative_mean) + slot * 16;
}

/* wide.norm1.square.mean: f32 [16], 64 B */
static inline float *at_wide_norm1_square_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_square_mean);
}

/* wide.norm1.mean.square: f32 [16], 64 B */
static inline float *at_wide_norm1_mean_square(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_mean_square);
}

/* wide.norm1.difference: f32 [16], 2 slots, 128 B */
static inline float *at_wide_norm1_difference(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_difference) + slot * 16;
}

/* wide.norm1.variance: f32 [16], 2 slots, 128 B */
static inline float *at_wide_norm1_variance(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_variance) + slot * 16;
}

/* wide.norm1.rstd: f32 [16], 2 slots, 128 B */
static inline float *at_wide_norm1_rstd(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_rstd) + slot * 16;
}

/* wide.norm1.scale: f32 [16], 2 slots, 128 B */
static inline float *at_wide_norm1_scale(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_scale) + slot * 16;
}

/* wide.norm1.shift: f32 [16], 64 B */
static inline float *at_wide_norm1_shift(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_shift);
}

/* wide.norm1.offset: f32 [16], 64 B */
static inline float *at_wide_norm1_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_offset);
}

/* wide.norm1.scaled: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_wide_norm1_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_scaled);
}

/* wide.norm1: f32 [64 / micro / data, 16, 32, 32], 2 slots, 2.00 MiB */
static inline float *at_wide_norm1(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1) + slot * 262144;
}

/* wide.z: f32 [64 / micro / data, 16, 32, 32], 2 slots, 2.00 MiB */
static inline float *at_wide_z(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_z) + slot * 262144;
}

/* wide.conv2: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_wide_conv2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_conv2);
}

/* wide.norm2.relative: f32 [64 / micro / data, 16, 32, 32], 2 slots, 2.00 MiB */
static inline float *at_wide_norm2_relative(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_relative) + slot * 262144;
}

/* wide.norm2.mean.sum: f32 [16], 64 B */
static inline float *at_wide_norm2_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_mean_sum);
}

/* wide.norm2.variance.sum: f32 [16], 64 B */
static inline float *at_wide_norm2_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_variance_sum);
}

/* wide.norm2.relative.mean: f32 [16], 2 slots, 128 B */
static inline float *at_wide_norm2_relative_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_relative_mean) + slot * 16;
}

/* wide.norm2.square.mean: f32 [16], 64 B */
static inline float *at_wide_norm2_square_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_square_mean);
}

/* wide.norm2.mean.square: f32 [16], 64 B */
static inline float *at_wide_norm2_mean_square(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_mean_square);
}

/* wide.norm2.difference: f32 [16], 2 slots, 128 B */
static inline float *at_wide_norm2_difference(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_difference) + slot * 16;
}

/* wide.norm2.variance: f32 [16], 2 slots, 128 B */
static inline float *at_wide_norm2_variance(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_variance) + slot * 16;
}

/* wide.norm2.rstd: f32 [16], 2 slots, 128 B */
static inline float *at_wide_norm2_rstd(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_rstd) + slot * 16;
}

/* wide.norm2.scale: f32 [16], 2 slots, 128 B */
static inline float *at_wide_norm2_scale(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_scale) + slot * 16;
}

/* wide.norm2.shift: f32 [16], 64 B */
static inline float *at_wide_norm2_shift(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_shift);
}

/* wide.norm2.offset: f32 [16], 64 B */
static inline float *at_wide_norm2_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_offset);
}

/* wide.norm2.scaled: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_wide_norm2_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_scaled);
}

/* wide.norm2: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_wide_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2);
}

/* wide.x: f32 [64 / micro / data, 16, 32, 32], 2 slots, 2.00 MiB */
static inline float *at_wide_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_x) + slot * 262144;
}

/* conv1: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_conv1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_conv1);
}

/* norm1.relative: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_norm1_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_relative);
}

/* norm1.mean.sum: f32 [32], 128 B */
static inline float *at_norm1_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_mean_sum);
}

/* norm1.variance.sum: f32 [32], 128 B */
static inline float *at_norm1_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_variance_sum);
}

/* norm1.relative.mean: f32 [32], 128 B */
static inline float *at_norm1_relative_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_relative_mean);
}

/* norm1.square.mean: f32 [32], 128 B */
static inline float *at_norm1_square_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_square_mean);
}

/* norm1.mean.square: f32 [32], 128 B */
static inline float *at_norm1_mean_square(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_mean_square);
}

/* norm1.difference: f32 [32], 128 B */
static inline float *at_norm1_difference(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_difference);
}

/* norm1.variance: f32 [32], 128 B */
static inline float *at_norm1_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_variance);
}

/* norm1.rstd: f32 [32], 128 B */
static inline float *at_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_rstd);
}

/* norm1.scale: f32 [32], 128 B */
static inline float *at_norm1_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_scale);
}

/* norm1.shift: f32 [32], 128 B */
static inline float *at_norm1_shift(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_shift);
}

/* norm1.offset: f32 [32], 128 B */
static inline float *at_norm1_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_offset);
}

/* norm1.scaled: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_norm1_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_scaled);
}

/* norm1: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1);
}

/* y: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_y(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_y);
}

/* short: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_short(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short);
}

/* short_norm.relative: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_short_norm_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_relative);
}

/* short_norm.mean.sum: f32 [32], 128 B */
static inline float *at_short_norm_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_mean_sum);
}

/* short_norm.variance.sum: f32 [32], 128 B */
static inline float *at_short_norm_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_variance_sum);
}

/* short_norm.relative.mean: f32 [32], 128 B */
static inline float *at_short_norm_relative_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_relative_mean);
}

/* short_norm.square.mean: f32 [32], 128 B */
static inline float *at_short_norm_square_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_square_mean);
}

/* short_norm.mean.square: f32 [32], 128 B */
static inline float *at_short_norm_mean_square(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_mean_square);
}

/* short_norm.difference: f32 [32], 128 B */
static inline float *at_short_norm_difference(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_difference);
}

/* short_norm.variance: f32 [32], 128 B */
static inline float *at_short_norm_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_variance);
}

/* short_norm.rstd: f32 [32], 128 B */
static inline float *at_short_norm_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_rstd);
}

/* short_norm.scale: f32 [32], 128 B */
static inline float *at_short_norm_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_scale);
}

/* short_norm.shift: f32 [32], 128 B */
static inline float *at_short_norm_shift(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_shift);
}

/* short_norm.offset: f32 [32], 128 B */
static inline float *at_short_norm_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_offset);
}

/* short_norm.scaled: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_short_norm_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_scaled);
}

/* short_norm: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_short_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm);
}

/* conv2: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_conv2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_conv2);
}

/* norm2.relative: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_norm2_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_relative);
}

/* norm2.mean.sum: f32 [32], 128 B */
static inline float *at_norm2_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_mean_sum);
}

/* norm2.variance.sum: f32 [32], 128 B */
static inline float *at_norm2_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_variance_sum);
}

/* norm2.relative.mean: f32 [32], 128 B */
static inline float *at_norm2_relative_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_relative_mean);
}

/* norm2.square.mean: f32 [32], 128 B */
static inline float *at_norm2_square_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_square_mean);
}

/* norm2.mean.square: f32 [32], 128 B */
static inline float *at_norm2_mean_square(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_mean_square);
}

/* norm2.difference: f32 [32], 128 B */
static inline float *at_norm2_difference(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_difference);
}

/* norm2.variance: f32 [32], 128 B */
static inline float *at_norm2_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_variance);
}

/* norm2.rstd: f32 [32], 128 B */
static inline float *at_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_rstd);
}

/* norm2.scale: f32 [32], 128 B */
static inline float *at_norm2_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_scale);
}

/* norm2.shift: f32 [32], 128 B */
static inline float *at_norm2_shift(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_shift);
}

/* norm2.offset: f32 [32], 128 B */
static inline float *at_norm2_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_offset);
}

/* norm2.scaled: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_norm2_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_scaled);
}

/* norm2: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2);
}

/* x.2: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_x_2);
}

/* x.3: f32 [64 / micro / data, 32, 16, 16], 3 slots, 1.50 MiB */
static inline float *at_x_3(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_x_3) + slot * 131072;
}

/* deep.conv1: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_deep_conv1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_conv1);
}

/* deep.norm1.relative: f32 [64 / micro / data, 32, 16, 16], 2 slots, 1.00 MiB */
static inline float *at_deep_norm1_relative(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_relative) + slot * 131072;
}

/* deep.norm1.mean.sum: f32 [32], 128 B */
static inline float *at_deep_norm1_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_mean_sum);
}

/* deep.norm1.variance.sum: f32 [32], 128 B */
static inline float *at_deep_norm1_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_variance_sum);
}

/* deep.norm1.relative.mean: f32 [32], 2 slots, 256 B */
static inline float *at_deep_norm1_relative_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_relative_mean) + slot * 32;
}

/* deep.norm1.square.mean: f32 [32], 128 B */
static inline float *at_deep_norm1_square_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_square_mean);
}

/* deep.norm1.mean.square: f32 [32], 128 B */
static inline float *at_deep_norm1_mean_square(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_mean_square);
}

/* deep.norm1.difference: f32 [32], 2 slots, 256 B */
static inline float *at_deep_norm1_difference(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_difference) + slot * 32;
}

/* deep.norm1.variance: f32 [32], 2 slots, 256 B */
static inline float *at_deep_norm1_variance(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_variance) + slot * 32;
}

/* deep.norm1.rstd: f32 [32], 2 slots, 256 B */
static inline float *at_deep_norm1_rstd(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_rstd) + slot * 32;
}

/* deep.norm1.scale: f32 [32], 2 slots, 256 B */
static inline float *at_deep_norm1_scale(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_scale) + slot * 32;
}

/* deep.norm1.shift: f32 [32], 128 B */
static inline float *at_deep_norm1_shift(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_shift);
}

/* deep.norm1.offset: f32 [32], 128 B */
static inline float *at_deep_norm1_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_offset);
}

/* deep.norm1.scaled: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_deep_norm1_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_scaled);
}

/* deep.norm1: f32 [64 / micro / data, 32, 16, 16], 2 slots, 1.00 MiB */
static inline float *at_deep_norm1(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1) + slot * 131072;
}

/* deep.z: f32 [64 / micro / data, 32, 16, 16], 2 slots, 1.00 MiB */
static inline float *at_deep_z(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_z) + slot * 131072;
}

/* deep.conv2: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_deep_conv2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_conv2);
}

/* deep.norm2.relative: f32 [64 / micro / data, 32, 16, 16], 2 slots, 1.00 MiB */
static inline float *at_deep_norm2_relative(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_relative) + slot * 131072;
}

/* deep.norm2.mean.sum: f32 [32], 128 B */
static inline float *at_deep_norm2_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_mean_sum);
}

/* deep.norm2.variance.sum: f32 [32], 128 B */
static inline float *at_deep_norm2_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_variance_sum);
}

/* deep.norm2.relative.mean: f32 [32], 2 slots, 256 B */
static inline float *at_deep_norm2_relative_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_relative_mean) + slot * 32;
}

/* deep.norm2.square.mean: f32 [32], 128 B */
static inline float *at_deep_norm2_square_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_square_mean);
}

/* deep.norm2.mean.square: f32 [32], 128 B */
static inline float *at_deep_norm2_mean_square(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_mean_square);
}

/* deep.norm2.difference: f32 [32], 2 slots, 256 B */
static inline float *at_deep_norm2_difference(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_difference) + slot * 32;
}

/* deep.norm2.variance: f32 [32], 2 slots, 256 B */
static inline float *at_deep_norm2_variance(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_variance) + slot * 32;
}

/* deep.norm2.rstd: f32 [32], 2 slots, 256 B */
static inline float *at_deep_norm2_rstd(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_rstd) + slot * 32;
}

/* deep.norm2.scale: f32 [32], 2 slots, 256 B */
static inline float *at_deep_norm2_scale(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_scale) + slot * 32;
}

/* deep.norm2.shift: f32 [32], 128 B */
static inline float *at_deep_norm2_shift(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_shift);
}

/* deep.norm2.offset: f32 [32], 128 B */
static inline float *at_deep_norm2_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_offset);
}

/* deep.norm2.scaled: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_deep_norm2_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_scaled);
}

/* deep.norm2: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_deep_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2);
}

/* deep.x: f32 [64 / micro / data, 32, 16, 16], 2 slots, 1.00 MiB */
static inline float *at_deep_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_x) + slot * 131072;
}

/* loss.terms.sum: f32 [64 / micro / data, 32], 2.00 KiB */
static inline float *at_loss_terms_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_sum);
}

/* loss.terms: f32 [64 / micro / data, 32], 2.00 KiB */
static inline float *at_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms);
}

/* head.product: f32 [64 / micro / data, 10], 640 B */
static inline float *at_head_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_head_product);
}

/* head: f32 [64 / micro / data, 10], 640 B */
static inline float *at_head(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_head);
}

/* class_positions: i32 [10], 40 B */
static inline int32_t *at_class_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_class_positions);
}

/* loss.terms.largest: f32 [64 / micro / data], 64 B */
static inline float *at_loss_terms_largest(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_largest);
}

/* loss.terms.exp_sum: f32 [64 / micro / data], 64 B */
static inline float *at_loss_terms_exp_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_exp_sum);
}

/* loss.terms.target_logit: f32 [64 / micro / data], 64 B */
static inline float *at_loss_terms_target_logit(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_target_logit);
}

/* loss.terms.2: f32 [64 / micro / data], 64 B */
static inline float *at_loss_terms_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_2);
}

/* loss: f32 [], 4 B */
static inline float *at_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss);
}

/* d_loss.terms.2: f32 [64 / micro / data], 64 B */
static inline float *at_d_loss_terms_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_loss_terms_2);
}

/* d_head: f32 [64 / micro / data, 10], 640 B */
static inline float *at_d_head(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_head);
}

/* d_loss.terms: f32 [64 / micro / data, 32], 2.00 KiB */
static inline float *at_d_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_loss_terms);
}

/* d_loss.terms.sum: f32 [64 / micro / data, 32], 2.00 KiB */
static inline float *at_d_loss_terms_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_loss_terms_sum);
}

/* d_x.3: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_d_x_3(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x_3);
}

/* d_deep.x: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_d_deep_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_x);
}

/* d_deep.norm2.offset: f32 [32], 128 B */
static inline float *at_d_deep_norm2_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm2_offset);
}

/* d_deep.norm2.relative: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_d_deep_norm2_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm2_relative);
}

/* d_deep.norm2.scale: f32 [32], 128 B */
static inline float *at_d_deep_norm2_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm2_scale);
}

/* d_deep.norm2.offset.2: f32 [32], 128 B */
static inline float *at_d_deep_norm2_offset_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm2_offset_2);
}

/* d_deep.norm2.relative.mean: f32 [32], 128 B */
static inline float *at_d_deep_norm2_relative_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm2_relative_mean);
}

/* d_deep.norm2.rstd: f32 [32], 128 B */
static inline float *at_d_deep_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm2_rstd);
}

/* d_deep.norm2.variance: f32 [32], 128 B */
static inline float *at_d_deep_norm2_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm2_variance);
}

/* d_deep.norm2.difference: f32 [32], 128 B */
static inline float *at_d_deep_norm2_difference(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm2_difference);
}

/* d_deep.norm2.difference.2: f32 [32], 128 B */
static inline float *at_d_deep_norm2_difference_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm2_difference_2);
}

/* d_deep.norm2.variance.sum: f32 [32], 128 B */
static inline float *at_d_deep_norm2_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm2_variance_sum);
}

/* d_deep.norm2.mean.sum: f32 [32], 128 B */
static inline float *at_d_deep_norm2_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm2_mean_sum);
}

/* d_deep.norm2.variance.sum.2: f32 [32], 128 B */
static inline float *at_d_deep_norm2_variance_sum_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm2_variance_sum_2);
}

/* d_deep.z: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_d_deep_z(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_z);
}

/* d_deep.norm1: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_d_deep_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm1);
}

/* d_deep.norm1.offset: f32 [32], 128 B */
static inline float *at_d_deep_norm1_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm1_offset);
}

/* d_deep.norm1.relative: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_d_deep_norm1_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm1_relative);
}

/* d_deep.norm1.scale: f32 [32], 128 B */
static inline float *at_d_deep_norm1_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm1_scale);
}

/* d_deep.norm1.offset.2: f32 [32], 128 B */
static inline float *at_d_deep_norm1_offset_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm1_offset_2);
}

/* d_deep.norm1.relative.mean: f32 [32], 128 B */
static inline float *at_d_deep_norm1_relative_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm1_relative_mean);
}

/* d_deep.norm1.rstd: f32 [32], 128 B */
static inline float *at_d_deep_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm1_rstd);
}

/* d_deep.norm1.variance: f32 [32], 128 B */
static inline float *at_d_deep_norm1_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm1_variance);
}

/* d_deep.norm1.difference: f32 [32], 128 B */
static inline float *at_d_deep_norm1_difference(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm1_difference);
}

/* d_deep.norm1.difference.2: f32 [32], 128 B */
static inline float *at_d_deep_norm1_difference_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm1_difference_2);
}

/* d_deep.norm1.variance.sum: f32 [32], 128 B */
static inline float *at_d_deep_norm1_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm1_variance_sum);
}

/* d_deep.norm1.mean.sum: f32 [32], 128 B */
static inline float *at_d_deep_norm1_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm1_mean_sum);
}

/* d_deep.norm1.variance.sum.2: f32 [32], 128 B */
static inline float *at_d_deep_norm1_variance_sum_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm1_variance_sum_2);
}

/* d_x.2: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_d_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x_2);
}

/* d_norm2.offset: f32 [32], 128 B */
static inline float *at_d_norm2_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm2_offset);
}

/* d_norm2.relative: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_d_norm2_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm2_relative);
}

/* d_norm2.scale: f32 [32], 128 B */
static inline float *at_d_norm2_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm2_scale);
}

/* d_norm2.offset.2: f32 [32], 128 B */
static inline float *at_d_norm2_offset_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm2_offset_2);
}

/* d_norm2.relative.mean: f32 [32], 128 B */
static inline float *at_d_norm2_relative_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm2_relative_mean);
}

/* d_norm2.rstd: f32 [32], 128 B */
static inline float *at_d_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm2_rstd);
}

/* d_norm2.variance: f32 [32], 128 B */
static inline float *at_d_norm2_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm2_variance);
}

/* d_norm2.difference: f32 [32], 128 B */
static inline float *at_d_norm2_difference(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm2_difference);
}

/* d_norm2.difference.2: f32 [32], 128 B */
static inline float *at_d_norm2_difference_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm2_difference_2);
}

/* d_norm2.variance.sum: f32 [32], 128 B */
static inline float *at_d_norm2_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm2_variance_sum);
}

/* d_norm2.mean.sum: f32 [32], 128 B */
static inline float *at_d_norm2_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm2_mean_sum);
}

/* d_norm2.variance.sum.2: f32 [32], 128 B */
static inline float *at_d_norm2_variance_sum_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm2_variance_sum_2);
}

/* d_y: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_d_y(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_y);
}

/* d_short_norm.offset: f32 [32], 128 B */
static inline float *at_d_short_norm_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_short_norm_offset);
}

/* d_short_norm.relative: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_d_short_norm_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_short_norm_relative);
}

/* d_short_norm.scale: f32 [32], 128 B */
static inline float *at_d_short_norm_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_short_norm_scale);
}

/* d_short_norm.offset.2: f32 [32], 128 B */
static inline float *at_d_short_norm_offset_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_short_norm_offset_2);
}

/* d_short_norm.relative.mean: f32 [32], 128 B */
static inline float *at_d_short_norm_relative_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_short_norm_relative_mean);
}

/* d_short_norm.rstd: f32 [32], 128 B */
static inline float *at_d_short_norm_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_short_norm_rstd);
}

/* d_short_norm.variance: f32 [32], 128 B */
static inline float *at_d_short_norm_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_short_norm_variance);
}

/* d_short_norm.difference: f32 [32], 128 B */
static inline float *at_d_short_norm_difference(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_short_norm_difference);
}

/* d_short_norm.difference.2: f32 [32], 128 B */
static inline float *at_d_short_norm_difference_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_short_norm_difference_2);
}

/* d_short_norm.variance.sum: f32 [32], 128 B */
static inline float *at_d_short_norm_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_short_norm_variance_sum);
}

/* d_short_norm.mean.sum: f32 [32], 128 B */
static inline float *at_d_short_norm_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_short_norm_mean_sum);
}

/* d_short_norm.variance.sum.2: f32 [32], 128 B */
static inline float *at_d_short_norm_variance_sum_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_short_norm_variance_sum_2);
}

/* d_x: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_d_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x);
}

/* d_norm1: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_d_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm1);
}

/* d_norm1.offset: f32 [32], 128 B */
static inline float *at_d_norm1_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm1_offset);
}

/* d_norm1.relative: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_d_norm1_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm1_relative);
}

/* d_norm1.scale: f32 [32], 128 B */
static inline float *at_d_norm1_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm1_scale);
}

/* d_norm1.offset.2: f32 [32], 128 B */
static inline float *at_d_norm1_offset_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm1_offset_2);
}

/* d_norm1.relative.mean: f32 [32], 128 B */
static inline float *at_d_norm1_relative_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm1_relative_mean);
}

/* d_norm1.rstd: f32 [32], 128 B */
static inline float *at_d_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm1_rstd);
}

/* d_norm1.variance: f32 [32], 128 B */
static inline float *at_d_norm1_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm1_variance);
}

/* d_norm1.difference: f32 [32], 128 B */
static inline float *at_d_norm1_difference(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm1_difference);
}

/* d_norm1.difference.2: f32 [32], 128 B */
static inline float *at_d_norm1_difference_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm1_difference_2);
}

/* d_norm1.variance.sum: f32 [32], 128 B */
static inline float *at_d_norm1_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm1_variance_sum);
}

/* d_norm1.mean.sum: f32 [32], 128 B */
static inline float *at_d_norm1_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm1_mean_sum);
}

/* d_norm1.variance.sum.2: f32 [32], 128 B */
static inline float *at_d_norm1_variance_sum_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm1_variance_sum_2);
}

/* d_wide.x: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_d_wide_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_x);
}

/* d_wide.norm2.offset: f32 [16], 64 B */
static inline float *at_d_wide_norm2_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm2_offset);
}

/* d_wide.norm2.relative: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_d_wide_norm2_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm2_relative);
}

/* d_wide.norm2.scale: f32 [16], 64 B */
static inline float *at_d_wide_norm2_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm2_scale);
}

/* d_wide.norm2.offset.2: f32 [16], 64 B */
static inline float *at_d_wide_norm2_offset_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm2_offset_2);
}

/* d_wide.norm2.relative.mean: f32 [16], 64 B */
static inline float *at_d_wide_norm2_relative_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm2_relative_mean);
}

/* d_wide.norm2.rstd: f32 [16], 64 B */
static inline float *at_d_wide_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm2_rstd);
}

/* d_wide.norm2.variance: f32 [16], 64 B */
static inline float *at_d_wide_norm2_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm2_variance);
}

/* d_wide.norm2.difference: f32 [16], 64 B */
static inline float *at_d_wide_norm2_difference(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm2_difference);
}

/* d_wide.norm2.difference.2: f32 [16], 64 B */
static inline float *at_d_wide_norm2_difference_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm2_difference_2);
}

/* d_wide.norm2.variance.sum: f32 [16], 64 B */
static inline float *at_d_wide_norm2_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm2_variance_sum);
}

/* d_wide.norm2.mean.sum: f32 [16], 64 B */
static inline float *at_d_wide_norm2_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm2_mean_sum);
}

/* d_wide.norm2.variance.sum.2: f32 [16], 64 B */
static inline float *at_d_wide_norm2_variance_sum_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm2_variance_sum_2);
}

/* d_wide.z: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_d_wide_z(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_z);
}

/* d_wide.norm1: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_d_wide_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm1);
}

/* d_wide.norm1.offset: f32 [16], 64 B */
static inline float *at_d_wide_norm1_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm1_offset);
}

/* d_wide.norm1.relative: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_d_wide_norm1_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm1_relative);
}

/* d_wide.norm1.scale: f32 [16], 64 B */
static inline float *at_d_wide_norm1_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm1_scale);
}

/* d_wide.norm1.offset.2: f32 [16], 64 B */
static inline float *at_d_wide_norm1_offset_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm1_offset_2);
}

/* d_wide.norm1.relative.mean: f32 [16], 64 B */
static inline float *at_d_wide_norm1_relative_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm1_relative_mean);
}

/* d_wide.norm1.rstd: f32 [16], 64 B */
static inline float *at_d_wide_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm1_rstd);
}

/* d_wide.norm1.variance: f32 [16], 64 B */
static inline float *at_d_wide_norm1_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm1_variance);
}

/* d_wide.norm1.difference: f32 [16], 64 B */
static inline float *at_d_wide_norm1_difference(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm1_difference);
}

/* d_wide.norm1.difference.2: f32 [16], 64 B */
static inline float *at_d_wide_norm1_difference_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm1_difference_2);
}

/* d_wide.norm1.variance.sum: f32 [16], 64 B */
static inline float *at_d_wide_norm1_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm1_variance_sum);
}

/* d_wide.norm1.mean.sum: f32 [16], 64 B */
static inline float *at_d_wide_norm1_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm1_mean_sum);
}

/* d_wide.norm1.variance.sum.2: f32 [16], 64 B */
static inline float *at_d_wide_norm1_variance_sum_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm1_variance_sum_2);
}

/* d_norm: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_d_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm);
}

/* d_norm.offset: f32 [16], 64 B */
static inline float *at_d_norm_offset(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm_offset);
}

/* d_norm.relative: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_d_norm_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm_relative);
}

/* d_norm.scale: f32 [16], 64 B */
static inline float *at_d_norm_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm_scale);
}

/* d_norm.offset.2: f32 [16], 64 B */
static inline float *at_d_norm_offset_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm_offset_2);
}

/* d_norm.relative.mean: f32 [16], 64 B */
static inline float *at_d_norm_relative_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm_relative_mean);
}

/* d_norm.rstd: f32 [16], 64 B */
static inline float *at_d_norm_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm_rstd);
}

/* d_norm.variance: f32 [16], 64 B */
static inline float *at_d_norm_variance(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm_variance);
}

/* d_norm.difference: f32 [16], 64 B */
static inline float *at_d_norm_difference(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm_difference);
}

/* d_norm.difference.2: f32 [16], 64 B */
static inline float *at_d_norm_difference_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm_difference_2);
}

/* d_norm.variance.sum: f32 [16], 64 B */
static inline float *at_d_norm_variance_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm_variance_sum);
}

/* d_norm.mean.sum: f32 [16], 64 B */
static inline float *at_d_norm_mean_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm_mean_sum);
}

/* d_norm.variance.sum.2: f32 [16], 64 B */
static inline float *at_d_norm_variance_sum_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm_variance_sum_2);
}

/* norm.mean: f32 [16], 64 B */
static inline float *at_norm_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_mean);
}

/* norm.unbiased: f32 [16], 64 B */
static inline float *at_norm_unbiased(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_unbiased);
}

/* wide.norm1.mean: f32 [16], 2 slots, 128 B */
static inline float *at_wide_norm1_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_mean) + slot * 16;
}

/* wide.norm1.unbiased: f32 [16], 2 slots, 128 B */
static inline float *at_wide_norm1_unbiased(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_unbiased) + slot * 16;
}

/* wide.norm2.mean: f32 [16], 2 slots, 128 B */
static inline float *at_wide_norm2_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_mean) + slot * 16;
}

/* wide.norm2.unbiased: f32 [16], 2 slots, 128 B */
static inline float *at_wide_norm2_unbiased(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_unbiased) + slot * 16;
}

/* norm1.mean: f32 [32], 128 B */
static inline float *at_norm1_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_mean);
}

/* norm1.unbiased: f32 [32], 128 B */
static inline float *at_norm1_unbiased(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_unbiased);
}

/* short_norm.mean: f32 [32], 128 B */
static inline float *at_short_norm_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_mean);
}

/* short_norm.unbiased: f32 [32], 128 B */
static inline float *at_short_norm_unbiased(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_unbiased);
}

/* norm2.mean: f32 [32], 128 B */
static inline float *at_norm2_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_mean);
}

/* norm2.unbiased: f32 [32], 128 B */
static inline float *at_norm2_unbiased(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_unbiased);
}

/* deep.norm1.mean: f32 [32], 2 slots, 256 B */
static inline float *at_deep_norm1_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_mean) + slot * 32;
}

/* deep.norm1.unbiased: f32 [32], 2 slots, 256 B */
static inline float *at_deep_norm1_unbiased(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_unbiased) + slot * 32;
}

/* deep.norm2.mean: f32 [32], 2 slots, 256 B */
static inline float *at_deep_norm2_mean(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_mean) + slot * 32;
}

/* deep.norm2.unbiased: f32 [32], 2 slots, 256 B */
static inline float *at_deep_norm2_unbiased(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_unbiased) + slot * 32;
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

/* eval.pixels: f32 [64 / micro / data, 3, 32, 32], 192 KiB */
static inline float *at_eval_pixels(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_pixels);
}

/* eval.labels: i32 [64 / micro / data], 64 B */
static inline int32_t *at_eval_labels(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_labels);
}

/* eval.conv: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_eval_conv(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_conv);
}

/* eval.norm.relative: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_eval_norm_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm_relative);
}

/* eval.norm.rstd: f32 [16], 64 B */
static inline float *at_eval_norm_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm_rstd);
}

/* eval.norm.scale: f32 [16], 64 B */
static inline float *at_eval_norm_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm_scale);
}

/* eval.norm.scaled: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_eval_norm_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm_scaled);
}

/* eval.norm: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_eval_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm);
}

/* eval.x: f32 [64 / micro / data, 16, 32, 32], 3 slots, 3.00 MiB */
static inline float *at_eval_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_eval_x) + slot * 262144;
}

/* eval.wide.conv1: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_eval_wide_conv1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wide_conv1);
}

/* eval.wide.norm1.relative: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_eval_wide_norm1_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wide_norm1_relative);
}

/* eval.wide.norm1.rstd: f32 [16], 64 B */
static inline float *at_eval_wide_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wide_norm1_rstd);
}

/* eval.wide.norm1.scale: f32 [16], 64 B */
static inline float *at_eval_wide_norm1_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wide_norm1_scale);
}

/* eval.wide.norm1.scaled: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_eval_wide_norm1_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wide_norm1_scaled);
}

/* eval.wide.norm1: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_eval_wide_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wide_norm1);
}

/* eval.wide.z: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_eval_wide_z(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wide_z);
}

/* eval.wide.conv2: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_eval_wide_conv2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wide_conv2);
}

/* eval.wide.norm2.relative: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_eval_wide_norm2_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wide_norm2_relative);
}

/* eval.wide.norm2.rstd: f32 [16], 64 B */
static inline float *at_eval_wide_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wide_norm2_rstd);
}

/* eval.wide.norm2.scale: f32 [16], 64 B */
static inline float *at_eval_wide_norm2_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wide_norm2_scale);
}

/* eval.wide.norm2.scaled: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_eval_wide_norm2_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wide_norm2_scaled);
}

/* eval.wide.norm2: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_eval_wide_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wide_norm2);
}

/* eval.wide.x: f32 [64 / micro / data, 16, 32, 32], 1.00 MiB */
static inline float *at_eval_wide_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_wide_x);
}

/* eval.conv1: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_conv1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_conv1);
}

/* eval.norm1.relative: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_norm1_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm1_relative);
}

/* eval.norm1.rstd: f32 [32], 128 B */
static inline float *at_eval_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm1_rstd);
}

/* eval.norm1.scale: f32 [32], 128 B */
static inline float *at_eval_norm1_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm1_scale);
}

/* eval.norm1.scaled: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_norm1_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm1_scaled);
}

/* eval.norm1: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm1);
}

/* eval.y: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_y(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_y);
}

/* eval.short: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_short(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_short);
}

/* eval.short_norm.relative: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_short_norm_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_short_norm_relative);
}

/* eval.short_norm.rstd: f32 [32], 128 B */
static inline float *at_eval_short_norm_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_short_norm_rstd);
}

/* eval.short_norm.scale: f32 [32], 128 B */
static inline float *at_eval_short_norm_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_short_norm_scale);
}

/* eval.short_norm.scaled: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_short_norm_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_short_norm_scaled);
}

/* eval.short_norm: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_short_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_short_norm);
}

/* eval.conv2: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_conv2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_conv2);
}

/* eval.norm2.relative: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_norm2_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm2_relative);
}

/* eval.norm2.rstd: f32 [32], 128 B */
static inline float *at_eval_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm2_rstd);
}

/* eval.norm2.scale: f32 [32], 128 B */
static inline float *at_eval_norm2_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm2_scale);
}

/* eval.norm2.scaled: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_norm2_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm2_scaled);
}

/* eval.norm2: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_norm2);
}

/* eval.x.2: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_x_2);
}

/* eval.x.3: f32 [64 / micro / data, 32, 16, 16], 3 slots, 1.50 MiB */
static inline float *at_eval_x_3(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_eval_x_3) + slot * 131072;
}

/* eval.deep.conv1: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_deep_conv1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_deep_conv1);
}

/* eval.deep.norm1.relative: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_deep_norm1_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_deep_norm1_relative);
}

/* eval.deep.norm1.rstd: f32 [32], 128 B */
static inline float *at_eval_deep_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_deep_norm1_rstd);
}

/* eval.deep.norm1.scale: f32 [32], 128 B */
static inline float *at_eval_deep_norm1_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_deep_norm1_scale);
}

/* eval.deep.norm1.scaled: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_deep_norm1_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_deep_norm1_scaled);
}

/* eval.deep.norm1: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_deep_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_deep_norm1);
}

/* eval.deep.z: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_deep_z(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_deep_z);
}

/* eval.deep.conv2: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_deep_conv2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_deep_conv2);
}

/* eval.deep.norm2.relative: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_deep_norm2_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_deep_norm2_relative);
}

/* eval.deep.norm2.rstd: f32 [32], 128 B */
static inline float *at_eval_deep_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_deep_norm2_rstd);
}

/* eval.deep.norm2.scale: f32 [32], 128 B */
static inline float *at_eval_deep_norm2_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_deep_norm2_scale);
}

/* eval.deep.norm2.scaled: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_deep_norm2_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_deep_norm2_scaled);
}

/* eval.deep.norm2: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_deep_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_deep_norm2);
}

/* eval.deep.x: f32 [64 / micro / data, 32, 16, 16], 512 KiB */
static inline float *at_eval_deep_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_deep_x);
}

/* eval.loss.terms.sum: f32 [64 / micro / data, 32], 2.00 KiB */
static inline float *at_eval_loss_terms_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_sum);
}

/* eval.loss.terms: f32 [64 / micro / data, 32], 2.00 KiB */
static inline float *at_eval_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms);
}

/* eval.head.product: f32 [64 / micro / data, 10], 640 B */
static inline float *at_eval_head_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_head_product);
}

/* eval.head: f32 [64 / micro / data, 10], 640 B */
static inline float *at_eval_head(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_head);
}

/* eval.class_positions: i32 [10], 40 B */
static inline int32_t *at_eval_class_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_class_positions);
}

/* eval.loss.terms.largest: f32 [64 / micro / data], 64 B */
static inline float *at_eval_loss_terms_largest(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_largest);
}

/* eval.loss.terms.exp_sum: f32 [64 / micro / data], 64 B */
static inline float *at_eval_loss_terms_exp_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_exp_sum);
}

/* eval.loss.terms.target_logit: f32 [64 / micro / data], 64 B */
static inline float *at_eval_loss_terms_target_logit(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_target_logit);
}

/* eval.loss.terms.2: f32 [64 / micro / data], 64 B */
static inline float *at_eval_loss_terms_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_2);
}

/* eval.loss: f32 [], 4 B */
static inline float *at_eval_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss);
}

/* predict.pixels: f32 [1, 3, 32, 32], 12.0 KiB */
static inline float *at_predict_pixels(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_pixels);
}

/* predict.conv: f32 [1, 16, 32, 32], 64.0 KiB */
static inline float *at_predict_conv(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_conv);
}

/* predict.norm.relative: f32 [1, 16, 32, 32], 64.0 KiB */
static inline float *at_predict_norm_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm_relative);
}

/* predict.norm.rstd: f32 [16], 64 B */
static inline float *at_predict_norm_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm_rstd);
}

/* predict.norm.scale: f32 [16], 64 B */
static inline float *at_predict_norm_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm_scale);
}

/* predict.norm.scaled: f32 [1, 16, 32, 32], 64.0 KiB */
static inline float *at_predict_norm_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm_scaled);
}

/* predict.norm: f32 [1, 16, 32, 32], 64.0 KiB */
static inline float *at_predict_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm);
}

/* predict.x: f32 [1, 16, 32, 32], 3 slots, 192 KiB */
static inline float *at_predict_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_predict_x) + slot * 16384;
}

/* predict.wide.conv1: f32 [1, 16, 32, 32], 64.0 KiB */
static inline float *at_predict_wide_conv1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wide_conv1);
}

/* predict.wide.norm1.relative: f32 [1, 16, 32, 32], 64.0 KiB */
static inline float *at_predict_wide_norm1_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wide_norm1_relative);
}

/* predict.wide.norm1.rstd: f32 [16], 64 B */
static inline float *at_predict_wide_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wide_norm1_rstd);
}

/* predict.wide.norm1.scale: f32 [16], 64 B */
static inline float *at_predict_wide_norm1_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wide_norm1_scale);
}

/* predict.wide.norm1.scaled: f32 [1, 16, 32, 32], 64.0 KiB */
static inline float *at_predict_wide_norm1_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wide_norm1_scaled);
}

/* predict.wide.norm1: f32 [1, 16, 32, 32], 64.0 KiB */
static inline float *at_predict_wide_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wide_norm1);
}

/* predict.wide.z: f32 [1, 16, 32, 32], 64.0 KiB */
static inline float *at_predict_wide_z(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wide_z);
}

/* predict.wide.conv2: f32 [1, 16, 32, 32], 64.0 KiB */
static inline float *at_predict_wide_conv2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wide_conv2);
}

/* predict.wide.norm2.relative: f32 [1, 16, 32, 32], 64.0 KiB */
static inline float *at_predict_wide_norm2_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wide_norm2_relative);
}

/* predict.wide.norm2.rstd: f32 [16], 64 B */
static inline float *at_predict_wide_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wide_norm2_rstd);
}

/* predict.wide.norm2.scale: f32 [16], 64 B */
static inline float *at_predict_wide_norm2_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wide_norm2_scale);
}

/* predict.wide.norm2.scaled: f32 [1, 16, 32, 32], 64.0 KiB */
static inline float *at_predict_wide_norm2_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wide_norm2_scaled);
}

/* predict.wide.norm2: f32 [1, 16, 32, 32], 64.0 KiB */
static inline float *at_predict_wide_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wide_norm2);
}

/* predict.wide.x: f32 [1, 16, 32, 32], 64.0 KiB */
static inline float *at_predict_wide_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_wide_x);
}

/* predict.conv1: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_conv1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_conv1);
}

/* predict.norm1.relative: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_norm1_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm1_relative);
}

/* predict.norm1.rstd: f32 [32], 128 B */
static inline float *at_predict_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm1_rstd);
}

/* predict.norm1.scale: f32 [32], 128 B */
static inline float *at_predict_norm1_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm1_scale);
}

/* predict.norm1.scaled: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_norm1_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm1_scaled);
}

/* predict.norm1: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm1);
}

/* predict.y: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_y(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_y);
}

/* predict.short: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_short(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_short);
}

/* predict.short_norm.relative: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_short_norm_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_short_norm_relative);
}

/* predict.short_norm.rstd: f32 [32], 128 B */
static inline float *at_predict_short_norm_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_short_norm_rstd);
}

/* predict.short_norm.scale: f32 [32], 128 B */
static inline float *at_predict_short_norm_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_short_norm_scale);
}

/* predict.short_norm.scaled: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_short_norm_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_short_norm_scaled);
}

/* predict.short_norm: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_short_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_short_norm);
}

/* predict.conv2: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_conv2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_conv2);
}

/* predict.norm2.relative: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_norm2_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm2_relative);
}

/* predict.norm2.rstd: f32 [32], 128 B */
static inline float *at_predict_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm2_rstd);
}

/* predict.norm2.scale: f32 [32], 128 B */
static inline float *at_predict_norm2_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm2_scale);
}

/* predict.norm2.scaled: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_norm2_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm2_scaled);
}

/* predict.norm2: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_norm2);
}

/* predict.x.2: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_x_2);
}

/* predict.x.3: f32 [1, 32, 16, 16], 3 slots, 96.0 KiB */
static inline float *at_predict_x_3(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_predict_x_3) + slot * 8192;
}

/* predict.deep.conv1: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_deep_conv1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_deep_conv1);
}

/* predict.deep.norm1.relative: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_deep_norm1_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_deep_norm1_relative);
}

/* predict.deep.norm1.rstd: f32 [32], 128 B */
static inline float *at_predict_deep_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_deep_norm1_rstd);
}

/* predict.deep.norm1.scale: f32 [32], 128 B */
static inline float *at_predict_deep_norm1_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_deep_norm1_scale);
}

/* predict.deep.norm1.scaled: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_deep_norm1_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_deep_norm1_scaled);
}

/* predict.deep.norm1: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_deep_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_deep_norm1);
}

/* predict.deep.z: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_deep_z(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_deep_z);
}

/* predict.deep.conv2: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_deep_conv2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_deep_conv2);
}

/* predict.deep.norm2.relative: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_deep_norm2_relative(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_deep_norm2_relative);
}

/* predict.deep.norm2.rstd: f32 [32], 128 B */
static inline float *at_predict_deep_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_deep_norm2_rstd);
}

/* predict.deep.norm2.scale: f32 [32], 128 B */
static inline float *at_predict_deep_norm2_scale(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_deep_norm2_scale);
}

/* predict.deep.norm2.scaled: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_deep_norm2_scaled(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_deep_norm2_scaled);
}

/* predict.deep.norm2: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_deep_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_deep_norm2);
}

/* predict.deep.x: f32 [1, 32, 16, 16], 32.0 KiB */
static inline float *at_predict_deep_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_deep_x);
}

/* predict.loss.terms.sum: f32 [1, 32], 128 B */
static inline float *at_predict_loss_terms_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_loss_terms_sum);
}

/* predict.loss.terms: f32 [1, 32], 128 B */
static inline float *at_predict_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_loss_terms);
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

/* norm.mean.sum.bucket: f32 [32], 128 B */
static inline float *at_norm_mean_sum_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_mean_sum_bucket);
}

/* wide.norm1.mean.sum.bucket: f32 [32], 128 B */
static inline float *at_wide_norm1_mean_sum_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm1_mean_sum_bucket);
}

/* wide.norm2.mean.sum.bucket: f32 [32], 128 B */
static inline float *at_wide_norm2_mean_sum_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wide_norm2_mean_sum_bucket);
}

/* norm1.mean.sum.bucket: f32 [64], 256 B */
static inline float *at_norm1_mean_sum_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm1_mean_sum_bucket);
}

/* short_norm.mean.sum.bucket: f32 [64], 256 B */
static inline float *at_short_norm_mean_sum_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_short_norm_mean_sum_bucket);
}

/* norm2.mean.sum.bucket: f32 [64], 256 B */
static inline float *at_norm2_mean_sum_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm2_mean_sum_bucket);
}

/* deep.norm1.mean.sum.bucket: f32 [64], 256 B */
static inline float *at_deep_norm1_mean_sum_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm1_mean_sum_bucket);
}

/* deep.norm2.mean.sum.bucket: f32 [64], 256 B */
static inline float *at_deep_norm2_mean_sum_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_deep_norm2_mean_sum_bucket);
}

/* d_deep.norm2.offset.bucket: f32 [64], 256 B */
static inline float *at_d_deep_norm2_offset_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm2_offset_bucket);
}

/* d_deep.norm1.offset.bucket: f32 [64], 256 B */
static inline float *at_d_deep_norm1_offset_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_deep_norm1_offset_bucket);
}

/* d_norm2.offset.bucket: f32 [64], 256 B */
static inline float *at_d_norm2_offset_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm2_offset_bucket);
}

/* d_short_norm.offset.bucket: f32 [64], 256 B */
static inline float *at_d_short_norm_offset_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_short_norm_offset_bucket);
}

/* d_norm1.offset.bucket: f32 [64], 256 B */
static inline float *at_d_norm1_offset_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm1_offset_bucket);
}

/* d_wide.norm2.offset.bucket: f32 [32], 128 B */
static inline float *at_d_wide_norm2_offset_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm2_offset_bucket);
}

/* d_wide.norm1.offset.bucket: f32 [32], 128 B */
static inline float *at_d_wide_norm1_offset_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_wide_norm1_offset_bucket);
}

/* d_norm.offset.bucket: f32 [32], 128 B */
static inline float *at_d_norm_offset_bucket(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_norm_offset_bucket);
}

/* ---- Routines ---- */

/* Before the first step: every state gets its initial value. */
static void init(prt_context *ctx)
{
    /* examples/resnet.place:9: fill "a": 64 B */
    ctx->at = LINE_9_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_statistics_norm_running_mean(ctx)},
        .extents = {16},
        .numbers = {0},
    });
    /* examples/resnet.place:9: fill "a": 64 B */
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_statistics_norm_running_variance(ctx)},
        .extents = {16},
        .numbers = {1},
    });
    /* examples/resnet.place:14: fill "a": 128 B */
    ctx->at = LINE_14_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_statistics_norm1_running_mean(ctx)},
        .extents = {32},
        .numbers = {0},
    });
    /* examples/resnet.place:14: fill "a": 128 B */
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_statistics_norm1_running_variance(ctx)},
        .extents = {32},
        .numbers = {1},
    });
    /* examples/resnet.place:15: fill "a": 128 B */
    ctx->at = LINE_15_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_statistics_short_norm_running_mean(ctx)},
        .extents = {32},
        .numbers = {0},
    });
    /* examples/resnet.place:15: fill "a": 128 B */
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_statistics_short_norm_running_variance(ctx)},
        .extents = {32},
        .numbers = {1},
    });
    /* examples/resnet.place:16: fill "a": 128 B */
    ctx->at = LINE_16_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_statistics_norm2_running_mean(ctx)},
        .extents = {32},
        .numbers = {0},
    });
    /* examples/resnet.place:16: fill "a": 128 B */
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_statistics_norm2_running_variance(ctx)},
        .extents = {32},
        .numbers = {1},
    });
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:11: fill "a": 64 B */
        ctx->at = LINE_11_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_statistics_wide_norm1_running_mean(ctx, layer)},
            .extents = {16},
            .numbers = {0},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:11: fill "a": 64 B */
        ctx->at = LINE_11_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_statistics_wide_norm1_running_variance(ctx, layer)},
            .extents = {16},
            .numbers = {1},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:12: fill "a": 64 B */
        ctx->at = LINE_12_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_statistics_wide_norm2_running_mean(ctx, layer)},
            .extents = {16},
            .numbers = {0},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:12: fill "a": 64 B */
        ctx->at = LINE_12_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_statistics_wide_norm2_running_variance(ctx, layer)},
            .extents = {16},
            .numbers = {1},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:18: fill "a": 128 B */
        ctx->at = LINE_18_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_statistics_deep_norm1_running_mean(ctx, layer)},
            .extents = {32},
            .numbers = {0},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:18: fill "a": 128 B */
        ctx->at = LINE_18_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_statistics_deep_norm1_running_variance(ctx, layer)},
            .extents = {32},
            .numbers = {1},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:19: fill "a": 128 B */
        ctx->at = LINE_19_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_statistics_deep_norm2_running_mean(ctx, layer)},
            .extents = {32},
            .numbers = {0},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:19: fill "a": 128 B */
        ctx->at = LINE_19_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_statistics_deep_norm2_running_variance(ctx, layer)},
            .extents = {32},
            .numbers = {1},
        });
    }
    /* examples/resnet.place:29: fill: 4 B */
    ctx->at = LINE_29_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_step(ctx)}, .numbers = {0}});
    /* examples/resnet.place:9: init: 60.1 KiB */
    ctx->at = LINE_9_init;
    prt_init(ctx, -1, LAYOUT_outside, 0, 1, PRT_F32, at_parameters_outside(ctx));
    /* examples/resnet.place:29: fill: 60.1 KiB */
    ctx->at = LINE_29_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_momentum_outside(ctx)},
        .extents = {15376},
        .numbers = {0},
    });
    /* examples/resnet.place:9: init: 896 B */
    ctx->at = LINE_9_init;
    prt_init(ctx, -1, LAYOUT_outside_whole, 0, 1, PRT_F32, at_parameters_outside_whole(ctx));
    /* examples/resnet.place:29: fill: 896 B */
    ctx->at = LINE_29_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_momentum_outside_whole(ctx)},
        .extents = {224},
        .numbers = {0},
    });
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:11: init: 18.3 KiB */
        ctx->at = LINE_11_init;
        prt_init(ctx, -1, LAYOUT_wide, layer, 1, PRT_F32, at_parameters_wide(ctx, layer));
        /* examples/resnet.place:29: fill: 18.3 KiB */
        ctx->at = LINE_29_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_momentum_wide(ctx, layer)},
            .extents = {4688},
            .numbers = {0},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:11: init: 320 B */
        ctx->at = LINE_11_init;
        prt_init(ctx, -1, LAYOUT_wide_whole, layer, 1, PRT_F32, at_parameters_wide_whole(ctx, layer));
        /* examples/resnet.place:29: fill: 320 B */
        ctx->at = LINE_29_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_momentum_wide_whole(ctx, layer)},
            .extents = {80},
            .numbers = {0},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:18: init: 72.4 KiB */
        ctx->at = LINE_18_init;
        prt_init(ctx, -1, LAYOUT_deep, layer, 1, PRT_F32, at_parameters_deep(ctx, layer));
        /* examples/resnet.place:29: fill: 72.4 KiB */
        ctx->at = LINE_29_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_momentum_deep(ctx, layer)},
            .extents = {18528},
            .numbers = {0},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:18: init: 384 B */
        ctx->at = LINE_18_init;
        prt_init(ctx, -1, LAYOUT_deep_whole, layer, 1, PRT_F32, at_parameters_deep_whole(ctx, layer));
        /* examples/resnet.place:29: fill: 384 B */
        ctx->at = LINE_29_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_momentum_deep_whole(ctx, layer)},
            .extents = {96},
            .numbers = {0},
        });
    }
}

/* One training step. */
static void step(prt_context *ctx)
{
    /* examples/resnet.place:28: fill: 60.1 KiB */
    ctx->at = LINE_28_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_gradients_outside(ctx)},
        .extents = {15376},
        .numbers = {0},
    });
    /* examples/resnet.place:28: fill: 896 B */
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_gradients_outside_whole(ctx)},
        .extents = {224},
        .numbers = {0},
    });
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:28: fill: 18.3 KiB */
        ctx->at = LINE_28_computing_in_step;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_gradients_wide(ctx, layer)},
            .extents = {4688},
            .numbers = {0},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:28: fill: 320 B */
        ctx->at = LINE_28_computing_in_step;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_gradients_wide_whole(ctx, layer)},
            .extents = {80},
            .numbers = {0},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:28: fill: 72.4 KiB */
        ctx->at = LINE_28_computing_in_step;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_gradients_deep(ctx, layer)},
            .extents = {18528},
            .numbers = {0},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:28: fill: 384 B */
        ctx->at = LINE_28_computing_in_step;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_gradients_deep_whole(ctx, layer)},
            .extents = {96},
            .numbers = {0},
        });
    }
    /* examples/resnet.place:21: fill: 4 B */
    ctx->at = LINE_21_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 1; micro++) {
        /* examples/resnet.place:6: read pixels: 192 KiB */
        ctx->at = LINE_6_read_pixels;
        prt_read(ctx, INPUT_pixels, LAYOUT_64_over_micro_data_by_3_by_32_by_32, micro, at_pixels(ctx));
        /* examples/resnet.place:7: read labels: 64 B */
        ctx->at = LINE_7_read_labels;
        prt_read(ctx, INPUT_labels, LAYOUT_64_over_micro_data, micro, at_labels(ctx));
        /* examples/resnet.place:9: conv "nchw,ocij->nopq": 1.19 MiB, 14.2 Mflop */
        ctx->at = LINE_9_computing_in_step;
        const prt_window_shape window1 = {
            .batch = 16, .groups = 1, .in = 3, .out = 16,
            .x_batch = 3072, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 27,
            .y_batch = 16384, .y_group = 0, .y_out = 1024, .y_row = 32,
            .rows = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
            .columns = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window1, at_pixels(ctx), at_parameters_outside(ctx) + OFFSET_conv_weight,
                   0, at_conv(ctx));
        /* examples/resnet.place:9: sub "nchw,c->nchw": 2.00 MiB, 262 kflop */
        prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_norm_relative(ctx), at_conv(ctx), at_statistics_norm_running_mean(ctx)},
            .extents = {16, 16, 1024},
        });
        /* examples/resnet.place:9: reduce "nchw->c": 1.00 MiB, 262 kflop */
        prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
            .arrays = {at_norm_mean_sum(ctx), at_norm_relative(ctx)},
            .extents = {16, 16, 1024},
        });
        /* examples/resnet.place:9: sum_squares "nchw->c": 1.00 MiB, 524 kflop */
        prt_launch(ctx, KERNEL_sum_squares_f32_ijk_to_j, 0, &(prt_arguments){
            .arrays = {at_norm_variance_sum(ctx), at_norm_relative(ctx)},
            .extents = {16, 16, 1024},
        });
        /* examples/resnet.place:9: segment_bwd "s->a": 192 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_norm_mean_sum_bucket(ctx)},
            .extents = {32},
            .numbers = {0},
        });
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_norm_mean_sum_bucket(ctx), at_norm_mean_sum(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: place_segment "a,s->a": 320 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_norm_mean_sum_bucket(ctx) + 16, at_norm_variance_sum(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: all_reduce norm.mean.sum.bucket over data: payload 128 B */
        ctx->at = LINE_9_all_reduce_norm_mean_sum_bucket_over_data;
        prt_all_reduce(ctx, CALL_all_reduce_norm_mean_sum_bucket, at_norm_mean_sum_bucket(ctx),
                       at_norm_mean_sum_bucket(ctx), 32);
        /* examples/resnet.place:9: segment "a->s": 192 B */
        ctx->at = LINE_9_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_norm_mean_sum(ctx), at_norm_mean_sum_bucket(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: segment "a->s": 192 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_norm_variance_sum(ctx), at_norm_mean_sum_bucket(ctx) + 16},
            .extents = {16},
        });
        /* examples/resnet.place:9: scale "c->c": 128 B, 16 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_norm_relative_mean(ctx), at_norm_mean_sum(ctx)},
            .extents = {16},
            .numbers = {1.0 / 65536},
        });
        /* examples/resnet.place:9: scale "c->c": 128 B, 16 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_norm_square_mean(ctx), at_norm_variance_sum(ctx)},
            .extents = {16},
            .numbers = {1.0 / 65536},
        });
        /* examples/resnet.place:9: mul "c,c->c": 192 B, 16 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_norm_mean_square(ctx), at_norm_relative_mean(ctx), at_norm_relative_mean(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: sub "c,c->c": 192 B, 16 flop */
        prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
            .arrays = {at_norm_difference(ctx), at_norm_square_mean(ctx), at_norm_mean_square(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: relu "c->c": 128 B, 16 flop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_norm_variance(ctx), at_norm_difference(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: rsqrt "c->c": 128 B, 32 flop */
        prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
            .arrays = {at_norm_rstd(ctx), at_norm_variance(ctx)},
            .extents = {16},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:9: mul "c,c->c": 192 B, 16 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_norm_scale(ctx), at_norm_rstd(ctx), at_parameters_outside_whole(ctx) + OFFSET_norm_gain},
            .extents = {16},
        });
        /* examples/resnet.place:9: mul "c,c->c": 192 B, 16 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_norm_shift(ctx), at_norm_relative_mean(ctx), at_norm_scale(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: sub "c,c->c": 192 B, 16 flop */
        prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
            .arrays = {at_norm_offset(ctx), at_parameters_outside(ctx) + OFFSET_norm_bias, at_norm_shift(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: mul "nchw,c->nchw": 2.00 MiB, 262 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_norm_scaled(ctx), at_norm_relative(ctx), at_norm_scale(ctx)},
            .extents = {16, 16, 1024},
        });
        /* examples/resnet.place:9: add "nchw,c->nchw": 2.00 MiB, 262 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_norm(ctx), at_norm_scaled(ctx), at_norm_offset(ctx)},
            .extents = {16, 16, 1024},
        });
        /* examples/resnet.place:9: relu "abcd->abcd": 2.00 MiB, 262 kflop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_x(ctx, 0), at_norm(ctx)},
            .extents = {262144},
        });
        for (int64_t layer = 0; layer < 2; layer++) {
            /* examples/resnet.place:11: conv "nchw,ocij->nopq": 2.01 MiB, 75.5 Mflop */
            ctx->at = LINE_11_computing_in_step;
            const prt_window_shape window2 = {
                .batch = 16, .groups = 1, .in = 16, .out = 16,
                .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
                .w_group = 0, .w_out = 144,
                .y_batch = 16384, .y_group = 0, .y_out = 1024, .y_row = 32,
                .rows = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV, &window2, at_x(ctx, layer),
                       at_parameters_wide(ctx, layer) + OFFSET_wide_conv1_weight, 0, at_wide_conv1(ctx));
            /* examples/resnet.place:11: sub "nchw,c->nchw": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_relative(ctx, layer), at_wide_conv1(ctx),
                           at_statistics_wide_norm1_running_mean(ctx, layer)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:11: reduce "nchw->c": 1.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_mean_sum(ctx), at_wide_norm1_relative(ctx, layer)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:11: sum_squares "nchw->c": 1.00 MiB, 524 kflop */
            prt_launch(ctx, KERNEL_sum_squares_f32_ijk_to_j, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_variance_sum(ctx), at_wide_norm1_relative(ctx, layer)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:11: segment_bwd "s->a": 192 B */
            prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_mean_sum_bucket(ctx)},
                .extents = {32},
                .numbers = {0},
            });
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_mean_sum_bucket(ctx), at_wide_norm1_mean_sum(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:11: place_segment "a,s->a": 320 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_mean_sum_bucket(ctx) + 16, at_wide_norm1_variance_sum(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:11: all_reduce wide.norm1.mean.sum.bucket over data: payload 128 B */
            ctx->at = LINE_11_all_reduce_wide_norm1_mean_sum_bucket_over_data;
            prt_all_reduce(ctx, CALL_all_reduce_wide_norm1_mean_sum_bucket, at_wide_norm1_mean_sum_bucket(ctx),
                           at_wide_norm1_mean_sum_bucket(ctx), 32);
            /* examples/resnet.place:11: segment "a->s": 192 B */
            ctx->at = LINE_11_computing_in_step;
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_mean_sum(ctx), at_wide_norm1_mean_sum_bucket(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:11: segment "a->s": 192 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_variance_sum(ctx), at_wide_norm1_mean_sum_bucket(ctx) + 16},
                .extents = {16},
            });
            /* examples/resnet.place:11: scale "c->c": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_relative_mean(ctx, layer), at_wide_norm1_mean_sum(ctx)},
                .extents = {16},
                .numbers = {1.0 / 65536},
            });
            /* examples/resnet.place:11: scale "c->c": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_square_mean(ctx), at_wide_norm1_variance_sum(ctx)},
                .extents = {16},
                .numbers = {1.0 / 65536},
            });
            /* examples/resnet.place:11: mul "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_mean_square(ctx), at_wide_norm1_relative_mean(ctx, layer),
                           at_wide_norm1_relative_mean(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:11: sub "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_difference(ctx, layer), at_wide_norm1_square_mean(ctx),
                           at_wide_norm1_mean_square(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:11: relu "c->c": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_variance(ctx, layer), at_wide_norm1_difference(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:11: rsqrt "c->c": 128 B, 32 flop */
            prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_rstd(ctx, layer), at_wide_norm1_variance(ctx, layer)},
                .extents = {16},
                .numbers = {1e-05},
            });
            /* examples/resnet.place:11: mul "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_scale(ctx, layer), at_wide_norm1_rstd(ctx, layer),
                           at_parameters_wide_whole(ctx, layer) + OFFSET_wide_norm1_gain},
                .extents = {16},
            });
            /* examples/resnet.place:11: mul "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_shift(ctx), at_wide_norm1_relative_mean(ctx, layer),
                           at_wide_norm1_scale(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:11: sub "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_offset(ctx), at_parameters_wide(ctx, layer) + OFFSET_wide_norm1_bias,
                           at_wide_norm1_shift(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:11: mul "nchw,c->nchw": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_wide_norm1_scaled(ctx), at_wide_norm1_relative(ctx, layer),
                           at_wide_norm1_scale(ctx, layer)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:11: add "nchw,c->nchw": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_wide_norm1(ctx, layer), at_wide_norm1_scaled(ctx), at_wide_norm1_offset(ctx)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:11: relu "abcd->abcd": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
                .arrays = {at_wide_z(ctx, layer), at_wide_norm1(ctx, layer)},
                .extents = {262144},
            });
            /* examples/resnet.place:12: conv "nchw,ocij->nopq": 2.01 MiB, 75.5 Mflop */
            ctx->at = LINE_12_computing_in_step;
            const prt_window_shape window3 = {
                .batch = 16, .groups = 1, .in = 16, .out = 16,
                .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
                .w_group = 0, .w_out = 144,
                .y_batch = 16384, .y_group = 0, .y_out = 1024, .y_row = 32,
                .rows = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV, &window3, at_wide_z(ctx, layer),
                       at_parameters_wide(ctx, layer) + OFFSET_wide_conv2_weight, 0, at_wide_conv2(ctx));
            /* examples/resnet.place:12: sub "nchw,c->nchw": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_relative(ctx, layer), at_wide_conv2(ctx),
                           at_statistics_wide_norm2_running_mean(ctx, layer)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:12: reduce "nchw->c": 1.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_mean_sum(ctx), at_wide_norm2_relative(ctx, layer)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:12: sum_squares "nchw->c": 1.00 MiB, 524 kflop */
            prt_launch(ctx, KERNEL_sum_squares_f32_ijk_to_j, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_variance_sum(ctx), at_wide_norm2_relative(ctx, layer)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:12: segment_bwd "s->a": 192 B */
            prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_mean_sum_bucket(ctx)},
                .extents = {32},
                .numbers = {0},
            });
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_mean_sum_bucket(ctx), at_wide_norm2_mean_sum(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:12: place_segment "a,s->a": 320 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_mean_sum_bucket(ctx) + 16, at_wide_norm2_variance_sum(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:12: all_reduce wide.norm2.mean.sum.bucket over data: payload 128 B */
            ctx->at = LINE_12_all_reduce_wide_norm2_mean_sum_bucket_over_data;
            prt_all_reduce(ctx, CALL_all_reduce_wide_norm2_mean_sum_bucket, at_wide_norm2_mean_sum_bucket(ctx),
                           at_wide_norm2_mean_sum_bucket(ctx), 32);
            /* examples/resnet.place:12: segment "a->s": 192 B */
            ctx->at = LINE_12_computing_in_step;
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_mean_sum(ctx), at_wide_norm2_mean_sum_bucket(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:12: segment "a->s": 192 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_variance_sum(ctx), at_wide_norm2_mean_sum_bucket(ctx) + 16},
                .extents = {16},
            });
            /* examples/resnet.place:12: scale "c->c": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_relative_mean(ctx, layer), at_wide_norm2_mean_sum(ctx)},
                .extents = {16},
                .numbers = {1.0 / 65536},
            });
            /* examples/resnet.place:12: scale "c->c": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_square_mean(ctx), at_wide_norm2_variance_sum(ctx)},
                .extents = {16},
                .numbers = {1.0 / 65536},
            });
            /* examples/resnet.place:12: mul "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_mean_square(ctx), at_wide_norm2_relative_mean(ctx, layer),
                           at_wide_norm2_relative_mean(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:12: sub "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_difference(ctx, layer), at_wide_norm2_square_mean(ctx),
                           at_wide_norm2_mean_square(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:12: relu "c->c": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_variance(ctx, layer), at_wide_norm2_difference(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:12: rsqrt "c->c": 128 B, 32 flop */
            prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_rstd(ctx, layer), at_wide_norm2_variance(ctx, layer)},
                .extents = {16},
                .numbers = {1e-05},
            });
            /* examples/resnet.place:12: mul "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_scale(ctx, layer), at_wide_norm2_rstd(ctx, layer),
                           at_parameters_wide_whole(ctx, layer) + OFFSET_wide_norm2_gain},
                .extents = {16},
            });
            /* examples/resnet.place:12: mul "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_shift(ctx), at_wide_norm2_relative_mean(ctx, layer),
                           at_wide_norm2_scale(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:12: sub "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_offset(ctx), at_parameters_wide(ctx, layer) + OFFSET_wide_norm2_bias,
                           at_wide_norm2_shift(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:12: mul "nchw,c->nchw": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_wide_norm2_scaled(ctx), at_wide_norm2_relative(ctx, layer),
                           at_wide_norm2_scale(ctx, layer)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:12: add "nchw,c->nchw": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_wide_norm2(ctx), at_wide_norm2_scaled(ctx), at_wide_norm2_offset(ctx)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:12: add "abcd,abcd->abcd": 3.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_wide_x(ctx, layer), at_x(ctx, layer), at_wide_norm2(ctx)},
                .extents = {262144},
            });
            /* examples/resnet.place:12: relu "abcd->abcd": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
                .arrays = {at_x(ctx, layer + 1), at_wide_x(ctx, layer)},
                .extents = {262144},
            });
        }
        /* examples/resnet.place:14: conv "nchw,ocij->nopq": 1.52 MiB, 37.7 Mflop */
        ctx->at = LINE_14_computing_in_step;
        const prt_window_shape window4 = {
            .batch = 16, .groups = 1, .in = 16, .out = 32,
            .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 144,
            .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
            .rows = {.size = 32, .input = 32, .output = 16, .window = 3, .stride = 2, .pad = 1},
            .columns = {.size = 32, .input = 32, .output = 16, .window = 3, .stride = 2, .pad = 1},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window4, at_x(ctx, 2), at_parameters_outside(ctx) + OFFSET_conv1_weight,
                   0, at_conv1(ctx));
        /* examples/resnet.place:14: sub "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_norm1_relative(ctx), at_conv1(ctx), at_statistics_norm1_running_mean(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:14: reduce "nchw->c": 512 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
            .arrays = {at_norm1_mean_sum(ctx), at_norm1_relative(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:14: sum_squares "nchw->c": 512 KiB, 262 kflop */
        prt_launch(ctx, KERNEL_sum_squares_f32_ijk_to_j, 0, &(prt_arguments){
            .arrays = {at_norm1_variance_sum(ctx), at_norm1_relative(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:14: segment_bwd "s->a": 384 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_norm1_mean_sum_bucket(ctx)},
            .extents = {64},
            .numbers = {0},
        });
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_norm1_mean_sum_bucket(ctx), at_norm1_mean_sum(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: place_segment "a,s->a": 640 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_norm1_mean_sum_bucket(ctx) + 32, at_norm1_variance_sum(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: all_reduce norm1.mean.sum.bucket over data: payload 256 B */
        ctx->at = LINE_14_all_reduce_norm1_mean_sum_bucket_over_data;
        prt_all_reduce(ctx, CALL_all_reduce_norm1_mean_sum_bucket, at_norm1_mean_sum_bucket(ctx),
                       at_norm1_mean_sum_bucket(ctx), 64);
        /* examples/resnet.place:14: segment "a->s": 384 B */
        ctx->at = LINE_14_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_norm1_mean_sum(ctx), at_norm1_mean_sum_bucket(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: segment "a->s": 384 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_norm1_variance_sum(ctx), at_norm1_mean_sum_bucket(ctx) + 32},
            .extents = {32},
        });
        /* examples/resnet.place:14: scale "c->c": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_norm1_relative_mean(ctx), at_norm1_mean_sum(ctx)},
            .extents = {32},
            .numbers = {1.0 / 16384},
        });
        /* examples/resnet.place:14: scale "c->c": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_norm1_square_mean(ctx), at_norm1_variance_sum(ctx)},
            .extents = {32},
            .numbers = {1.0 / 16384},
        });
        /* examples/resnet.place:14: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_norm1_mean_square(ctx), at_norm1_relative_mean(ctx), at_norm1_relative_mean(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: sub "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
            .arrays = {at_norm1_difference(ctx), at_norm1_square_mean(ctx), at_norm1_mean_square(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: relu "c->c": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_norm1_variance(ctx), at_norm1_difference(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: rsqrt "c->c": 256 B, 64 flop */
        prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
            .arrays = {at_norm1_rstd(ctx), at_norm1_variance(ctx)},
            .extents = {32},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:14: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_norm1_scale(ctx), at_norm1_rstd(ctx), at_parameters_outside_whole(ctx) + OFFSET_norm1_gain},
            .extents = {32},
        });
        /* examples/resnet.place:14: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_norm1_shift(ctx), at_norm1_relative_mean(ctx), at_norm1_scale(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: sub "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
            .arrays = {at_norm1_offset(ctx), at_parameters_outside(ctx) + OFFSET_norm1_bias, at_norm1_shift(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: mul "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_norm1_scaled(ctx), at_norm1_relative(ctx), at_norm1_scale(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:14: add "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_norm1(ctx), at_norm1_scaled(ctx), at_norm1_offset(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:14: relu "abcd->abcd": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_y(ctx), at_norm1(ctx)},
            .extents = {131072},
        });
        /* examples/resnet.place:15: conv "nchw,ocij->nopq": 1.50 MiB, 4.19 Mflop */
        ctx->at = LINE_15_computing_in_step;
        const prt_window_shape window5 = {
            .batch = 16, .groups = 1, .in = 16, .out = 32,
            .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 16,
            .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
            .rows = {.size = 32, .input = 32, .output = 16, .window = 1, .stride = 2, .pad = 0},
            .columns = {.size = 32, .input = 32, .output = 16, .window = 1, .stride = 2, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window5, at_x(ctx, 2), at_parameters_outside(ctx) + OFFSET_short_weight,
                   0, at_short(ctx));
        /* examples/resnet.place:15: sub "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_short_norm_relative(ctx), at_short(ctx), at_statistics_short_norm_running_mean(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:15: reduce "nchw->c": 512 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
            .arrays = {at_short_norm_mean_sum(ctx), at_short_norm_relative(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:15: sum_squares "nchw->c": 512 KiB, 262 kflop */
        prt_launch(ctx, KERNEL_sum_squares_f32_ijk_to_j, 0, &(prt_arguments){
            .arrays = {at_short_norm_variance_sum(ctx), at_short_norm_relative(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:15: segment_bwd "s->a": 384 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_short_norm_mean_sum_bucket(ctx)},
            .extents = {64},
            .numbers = {0},
        });
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_short_norm_mean_sum_bucket(ctx), at_short_norm_mean_sum(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: place_segment "a,s->a": 640 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_short_norm_mean_sum_bucket(ctx) + 32, at_short_norm_variance_sum(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: all_reduce short_norm.mean.sum.bucket over data: payload 256 B */
        ctx->at = LINE_15_all_reduce_short_norm_mean_sum_bucket_over_data;
        prt_all_reduce(ctx, CALL_all_reduce_short_norm_mean_sum_bucket, at_short_norm_mean_sum_bucket(ctx),
                       at_short_norm_mean_sum_bucket(ctx), 64);
        /* examples/resnet.place:15: segment "a->s": 384 B */
        ctx->at = LINE_15_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_short_norm_mean_sum(ctx), at_short_norm_mean_sum_bucket(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: segment "a->s": 384 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_short_norm_variance_sum(ctx), at_short_norm_mean_sum_bucket(ctx) + 32},
            .extents = {32},
        });
        /* examples/resnet.place:15: scale "c->c": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_short_norm_relative_mean(ctx), at_short_norm_mean_sum(ctx)},
            .extents = {32},
            .numbers = {1.0 / 16384},
        });
        /* examples/resnet.place:15: scale "c->c": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_short_norm_square_mean(ctx), at_short_norm_variance_sum(ctx)},
            .extents = {32},
            .numbers = {1.0 / 16384},
        });
        /* examples/resnet.place:15: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_short_norm_mean_square(ctx), at_short_norm_relative_mean(ctx),
                       at_short_norm_relative_mean(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: sub "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
            .arrays = {at_short_norm_difference(ctx), at_short_norm_square_mean(ctx), at_short_norm_mean_square(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: relu "c->c": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_short_norm_variance(ctx), at_short_norm_difference(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: rsqrt "c->c": 256 B, 64 flop */
        prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
            .arrays = {at_short_norm_rstd(ctx), at_short_norm_variance(ctx)},
            .extents = {32},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:15: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_short_norm_scale(ctx), at_short_norm_rstd(ctx),
                       at_parameters_outside_whole(ctx) + OFFSET_short_norm_gain},
            .extents = {32},
        });
        /* examples/resnet.place:15: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_short_norm_shift(ctx), at_short_norm_relative_mean(ctx), at_short_norm_scale(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: sub "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
            .arrays = {at_short_norm_offset(ctx), at_parameters_outside(ctx) + OFFSET_short_norm_bias,
                       at_short_norm_shift(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: mul "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_short_norm_scaled(ctx), at_short_norm_relative(ctx), at_short_norm_scale(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:15: add "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_short_norm(ctx), at_short_norm_scaled(ctx), at_short_norm_offset(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:16: conv "nchw,ocij->nopq": 1.04 MiB, 75.5 Mflop */
        ctx->at = LINE_16_computing_in_step;
        const prt_window_shape window6 = {
            .batch = 16, .groups = 1, .in = 32, .out = 32,
            .x_batch = 8192, .x_group = 0, .x_in = 256, .x_row = 16,
            .w_group = 0, .w_out = 288,
            .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
            .rows = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
            .columns = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window6, at_y(ctx), at_parameters_outside(ctx) + OFFSET_conv2_weight, 0,
                   at_conv2(ctx));
        /* examples/resnet.place:16: sub "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_norm2_relative(ctx), at_conv2(ctx), at_statistics_norm2_running_mean(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:16: reduce "nchw->c": 512 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
            .arrays = {at_norm2_mean_sum(ctx), at_norm2_relative(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:16: sum_squares "nchw->c": 512 KiB, 262 kflop */
        prt_launch(ctx, KERNEL_sum_squares_f32_ijk_to_j, 0, &(prt_arguments){
            .arrays = {at_norm2_variance_sum(ctx), at_norm2_relative(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:16: segment_bwd "s->a": 384 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_norm2_mean_sum_bucket(ctx)},
            .extents = {64},
            .numbers = {0},
        });
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_norm2_mean_sum_bucket(ctx), at_norm2_mean_sum(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: place_segment "a,s->a": 640 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_norm2_mean_sum_bucket(ctx) + 32, at_norm2_variance_sum(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: all_reduce norm2.mean.sum.bucket over data: payload 256 B */
        ctx->at = LINE_16_all_reduce_norm2_mean_sum_bucket_over_data;
        prt_all_reduce(ctx, CALL_all_reduce_norm2_mean_sum_bucket, at_norm2_mean_sum_bucket(ctx),
                       at_norm2_mean_sum_bucket(ctx), 64);
        /* examples/resnet.place:16: segment "a->s": 384 B */
        ctx->at = LINE_16_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_norm2_mean_sum(ctx), at_norm2_mean_sum_bucket(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: segment "a->s": 384 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_norm2_variance_sum(ctx), at_norm2_mean_sum_bucket(ctx) + 32},
            .extents = {32},
        });
        /* examples/resnet.place:16: scale "c->c": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_norm2_relative_mean(ctx), at_norm2_mean_sum(ctx)},
            .extents = {32},
            .numbers = {1.0 / 16384},
        });
        /* examples/resnet.place:16: scale "c->c": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_norm2_square_mean(ctx), at_norm2_variance_sum(ctx)},
            .extents = {32},
            .numbers = {1.0 / 16384},
        });
        /* examples/resnet.place:16: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_norm2_mean_square(ctx), at_norm2_relative_mean(ctx), at_norm2_relative_mean(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: sub "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
            .arrays = {at_norm2_difference(ctx), at_norm2_square_mean(ctx), at_norm2_mean_square(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: relu "c->c": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_norm2_variance(ctx), at_norm2_difference(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: rsqrt "c->c": 256 B, 64 flop */
        prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
            .arrays = {at_norm2_rstd(ctx), at_norm2_variance(ctx)},
            .extents = {32},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:16: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_norm2_scale(ctx), at_norm2_rstd(ctx), at_parameters_outside_whole(ctx) + OFFSET_norm2_gain},
            .extents = {32},
        });
        /* examples/resnet.place:16: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_norm2_shift(ctx), at_norm2_relative_mean(ctx), at_norm2_scale(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: sub "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
            .arrays = {at_norm2_offset(ctx), at_parameters_outside(ctx) + OFFSET_norm2_bias, at_norm2_shift(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: mul "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_norm2_scaled(ctx), at_norm2_relative(ctx), at_norm2_scale(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:16: add "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_norm2(ctx), at_norm2_scaled(ctx), at_norm2_offset(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:15: add "abcd,abcd->abcd": 1.50 MiB, 131 kflop */
        ctx->at = LINE_15_computing_in_step;
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_x_2(ctx), at_short_norm(ctx), at_norm2(ctx)},
            .extents = {131072},
        });
        /* examples/resnet.place:15: relu "abcd->abcd": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_x_3(ctx, 0), at_x_2(ctx)},
            .extents = {131072},
        });
        for (int64_t layer = 0; layer < 2; layer++) {
            /* examples/resnet.place:18: conv "nchw,ocij->nopq": 1.04 MiB, 75.5 Mflop */
            ctx->at = LINE_18_computing_in_step;
            const prt_window_shape window7 = {
                .batch = 16, .groups = 1, .in = 32, .out = 32,
                .x_batch = 8192, .x_group = 0, .x_in = 256, .x_row = 16,
                .w_group = 0, .w_out = 288,
                .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
                .rows = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV, &window7, at_x_3(ctx, layer),
                       at_parameters_deep(ctx, layer) + OFFSET_deep_conv1_weight, 0, at_deep_conv1(ctx));
            /* examples/resnet.place:18: sub "nchw,c->nchw": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_relative(ctx, layer), at_deep_conv1(ctx),
                           at_statistics_deep_norm1_running_mean(ctx, layer)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:18: reduce "nchw->c": 512 KiB, 131 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_mean_sum(ctx), at_deep_norm1_relative(ctx, layer)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:18: sum_squares "nchw->c": 512 KiB, 262 kflop */
            prt_launch(ctx, KERNEL_sum_squares_f32_ijk_to_j, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_variance_sum(ctx), at_deep_norm1_relative(ctx, layer)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:18: segment_bwd "s->a": 384 B */
            prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_mean_sum_bucket(ctx)},
                .extents = {64},
                .numbers = {0},
            });
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_mean_sum_bucket(ctx), at_deep_norm1_mean_sum(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:18: place_segment "a,s->a": 640 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_mean_sum_bucket(ctx) + 32, at_deep_norm1_variance_sum(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:18: all_reduce deep.norm1.mean.sum.bucket over data: payload 256 B */
            ctx->at = LINE_18_all_reduce_deep_norm1_mean_sum_bucket_over_data;
            prt_all_reduce(ctx, CALL_all_reduce_deep_norm1_mean_sum_bucket, at_deep_norm1_mean_sum_bucket(ctx),
                           at_deep_norm1_mean_sum_bucket(ctx), 64);
            /* examples/resnet.place:18: segment "a->s": 384 B */
            ctx->at = LINE_18_computing_in_step;
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_mean_sum(ctx), at_deep_norm1_mean_sum_bucket(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:18: segment "a->s": 384 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_variance_sum(ctx), at_deep_norm1_mean_sum_bucket(ctx) + 32},
                .extents = {32},
            });
            /* examples/resnet.place:18: scale "c->c": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_relative_mean(ctx, layer), at_deep_norm1_mean_sum(ctx)},
                .extents = {32},
                .numbers = {1.0 / 16384},
            });
            /* examples/resnet.place:18: scale "c->c": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_square_mean(ctx), at_deep_norm1_variance_sum(ctx)},
                .extents = {32},
                .numbers = {1.0 / 16384},
            });
            /* examples/resnet.place:18: mul "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_mean_square(ctx), at_deep_norm1_relative_mean(ctx, layer),
                           at_deep_norm1_relative_mean(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:18: sub "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_difference(ctx, layer), at_deep_norm1_square_mean(ctx),
                           at_deep_norm1_mean_square(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:18: relu "c->c": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_variance(ctx, layer), at_deep_norm1_difference(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:18: rsqrt "c->c": 256 B, 64 flop */
            prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_rstd(ctx, layer), at_deep_norm1_variance(ctx, layer)},
                .extents = {32},
                .numbers = {1e-05},
            });
            /* examples/resnet.place:18: mul "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_scale(ctx, layer), at_deep_norm1_rstd(ctx, layer),
                           at_parameters_deep_whole(ctx, layer) + OFFSET_deep_norm1_gain},
                .extents = {32},
            });
            /* examples/resnet.place:18: mul "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_shift(ctx), at_deep_norm1_relative_mean(ctx, layer),
                           at_deep_norm1_scale(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:18: sub "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_offset(ctx), at_parameters_deep(ctx, layer) + OFFSET_deep_norm1_bias,
                           at_deep_norm1_shift(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:18: mul "nchw,c->nchw": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_deep_norm1_scaled(ctx), at_deep_norm1_relative(ctx, layer),
                           at_deep_norm1_scale(ctx, layer)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:18: add "nchw,c->nchw": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_deep_norm1(ctx, layer), at_deep_norm1_scaled(ctx), at_deep_norm1_offset(ctx)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:18: relu "abcd->abcd": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
                .arrays = {at_deep_z(ctx, layer), at_deep_norm1(ctx, layer)},
                .extents = {131072},
            });
            /* examples/resnet.place:19: conv "nchw,ocij->nopq": 1.04 MiB, 75.5 Mflop */
            ctx->at = LINE_19_computing_in_step;
            const prt_window_shape window8 = {
                .batch = 16, .groups = 1, .in = 32, .out = 32,
                .x_batch = 8192, .x_group = 0, .x_in = 256, .x_row = 16,
                .w_group = 0, .w_out = 288,
                .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
                .rows = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV, &window8, at_deep_z(ctx, layer),
                       at_parameters_deep(ctx, layer) + OFFSET_deep_conv2_weight, 0, at_deep_conv2(ctx));
            /* examples/resnet.place:19: sub "nchw,c->nchw": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_relative(ctx, layer), at_deep_conv2(ctx),
                           at_statistics_deep_norm2_running_mean(ctx, layer)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:19: reduce "nchw->c": 512 KiB, 131 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_mean_sum(ctx), at_deep_norm2_relative(ctx, layer)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:19: sum_squares "nchw->c": 512 KiB, 262 kflop */
            prt_launch(ctx, KERNEL_sum_squares_f32_ijk_to_j, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_variance_sum(ctx), at_deep_norm2_relative(ctx, layer)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:19: segment_bwd "s->a": 384 B */
            prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_mean_sum_bucket(ctx)},
                .extents = {64},
                .numbers = {0},
            });
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_mean_sum_bucket(ctx), at_deep_norm2_mean_sum(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:19: place_segment "a,s->a": 640 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_mean_sum_bucket(ctx) + 32, at_deep_norm2_variance_sum(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:19: all_reduce deep.norm2.mean.sum.bucket over data: payload 256 B */
            ctx->at = LINE_19_all_reduce_deep_norm2_mean_sum_bucket_over_data;
            prt_all_reduce(ctx, CALL_all_reduce_deep_norm2_mean_sum_bucket, at_deep_norm2_mean_sum_bucket(ctx),
                           at_deep_norm2_mean_sum_bucket(ctx), 64);
            /* examples/resnet.place:19: segment "a->s": 384 B */
            ctx->at = LINE_19_computing_in_step;
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_mean_sum(ctx), at_deep_norm2_mean_sum_bucket(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:19: segment "a->s": 384 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_variance_sum(ctx), at_deep_norm2_mean_sum_bucket(ctx) + 32},
                .extents = {32},
            });
            /* examples/resnet.place:19: scale "c->c": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_relative_mean(ctx, layer), at_deep_norm2_mean_sum(ctx)},
                .extents = {32},
                .numbers = {1.0 / 16384},
            });
            /* examples/resnet.place:19: scale "c->c": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_square_mean(ctx), at_deep_norm2_variance_sum(ctx)},
                .extents = {32},
                .numbers = {1.0 / 16384},
            });
            /* examples/resnet.place:19: mul "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_mean_square(ctx), at_deep_norm2_relative_mean(ctx, layer),
                           at_deep_norm2_relative_mean(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:19: sub "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_difference(ctx, layer), at_deep_norm2_square_mean(ctx),
                           at_deep_norm2_mean_square(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:19: relu "c->c": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_variance(ctx, layer), at_deep_norm2_difference(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:19: rsqrt "c->c": 256 B, 64 flop */
            prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_rstd(ctx, layer), at_deep_norm2_variance(ctx, layer)},
                .extents = {32},
                .numbers = {1e-05},
            });
            /* examples/resnet.place:19: mul "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_scale(ctx, layer), at_deep_norm2_rstd(ctx, layer),
                           at_parameters_deep_whole(ctx, layer) + OFFSET_deep_norm2_gain},
                .extents = {32},
            });
            /* examples/resnet.place:19: mul "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_shift(ctx), at_deep_norm2_relative_mean(ctx, layer),
                           at_deep_norm2_scale(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:19: sub "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_sub_f32, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_offset(ctx), at_parameters_deep(ctx, layer) + OFFSET_deep_norm2_bias,
                           at_deep_norm2_shift(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:19: mul "nchw,c->nchw": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_deep_norm2_scaled(ctx), at_deep_norm2_relative(ctx, layer),
                           at_deep_norm2_scale(ctx, layer)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:19: add "nchw,c->nchw": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_deep_norm2(ctx), at_deep_norm2_scaled(ctx), at_deep_norm2_offset(ctx)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:19: add "abcd,abcd->abcd": 1.50 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_deep_x(ctx, layer), at_x_3(ctx, layer), at_deep_norm2(ctx)},
                .extents = {131072},
            });
            /* examples/resnet.place:19: relu "abcd->abcd": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
                .arrays = {at_x_3(ctx, layer + 1), at_deep_x(ctx, layer)},
                .extents = {131072},
            });
        }
        /* examples/resnet.place:21: reduce "nchw->nc": 514 KiB, 131 kflop */
        ctx->at = LINE_21_computing_in_step;
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_sum(ctx), at_x_3(ctx, 2)},
            .extents = {512, 256},
        });
        /* examples/resnet.place:21: scale "nc->nc": 4.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_loss_terms(ctx), at_loss_terms_sum(ctx)},
            .extents = {512},
            .numbers = {1.0 / 256},
        });
        /* examples/resnet.place:21: einsum "bh,oh->bo": 3.88 KiB, 10.2 kflop */
        const prt_gemm_shape gemm1 = {
            .m = 16, .n = 10, .k = 32,
            .a_row = 32, .a_column = 1,
            .b_row = 1, .b_column = 32,
            .c_row = 10, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm1, at_loss_terms(ctx), at_parameters_outside(ctx) + OFFSET_head_weight, 0,
                 at_head_product(ctx));
        /* examples/resnet.place:21: add "bo,o->bo": 1.29 KiB, 160 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_head(ctx), at_head_product(ctx), at_parameters_outside(ctx) + OFFSET_head_bias},
            .extents = {16, 10},
        });
        /* examples/resnet.place:21: iota: 40 B */
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_class_positions(ctx)},
            .extents = {10},
            .numbers = {0},
        });
        /* examples/resnet.place:21: row_max "bv->b": 704 B, 160 flop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_largest(ctx), at_head(ctx)},
            .extents = {16, 10},
        });
        /* examples/resnet.place:21: exp_sum "bv,b->b": 768 B, 640 flop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_exp_sum(ctx), at_head(ctx), at_loss_terms_largest(ctx)},
            .extents = {16, 10},
        });
        /* examples/resnet.place:21: pick "bv,b,v->b": 808 B, 160 flop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_target_logit(ctx), at_head(ctx), at_labels(ctx), at_class_positions(ctx)},
            .extents = {16, 10},
        });
        /* examples/resnet.place:21: log_loss "b,b,b->b": 256 B, 96 flop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_loss_terms_2(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_loss_terms_target_logit(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:21: reduce "a->": 68 B, 16 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_loss(ctx), at_loss_terms_2(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:21: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_loss(ctx)},
            .numbers = {1.0 / 64},
        });
        /* examples/resnet.place:21: fill "a": 64 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_d_loss_terms_2(ctx)},
            .extents = {16},
            .numbers = {0.015625},
        });
        /* examples/resnet.place:21: log_loss_bwd "bv,b,b,b,v,b->bv": 1.54 KiB, 1.12 kflop */
        prt_launch(ctx, KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i, 0, &(prt_arguments){
            .arrays = {at_d_head(ctx), at_head(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_labels(ctx), at_class_positions(ctx), at_d_loss_terms_2(ctx)},
            .extents = {16, 10},
        });
        /* examples/resnet.place:21: reduce "bo->o": 720 B, 160 flop */
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_head_bias, at_d_head(ctx)},
            .extents = {16, 10},
        });
        /* examples/resnet.place:21: einsum "bo,oh->bh": 3.88 KiB, 10.2 kflop */
        const prt_gemm_shape gemm2 = {
            .m = 16, .n = 32, .k = 10,
            .a_row = 10, .a_column = 1,
            .b_row = 32, .b_column = 1,
            .c_row = 32, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm2, at_d_head(ctx), at_parameters_outside(ctx) + OFFSET_head_weight, 0,
                 at_d_loss_terms(ctx));
        /* examples/resnet.place:21: einsum "bo,bh->oh": 5.12 KiB, 10.2 kflop */
        const prt_gemm_shape gemm3 = {
            .m = 10, .n = 32, .k = 16,
            .a_row = 1, .a_column = 10,
            .b_row = 32, .b_column = 1,
            .c_row = 32, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm3, at_d_head(ctx), at_loss_terms(ctx), 1,
                 at_gradients_outside(ctx) + OFFSET_head_weight);
        /* examples/resnet.place:21: scale "nc->nc": 4.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_loss_terms_sum(ctx), at_d_loss_terms(ctx)},
            .extents = {512},
            .numbers = {1.0 / 256},
        });
        /* examples/resnet.place:21: copy "nc->nchw": 514 KiB */
        prt_launch(ctx, KERNEL_copy_f32_i_to_ij, 0, &(prt_arguments){
            .arrays = {at_d_x_3(ctx), at_d_loss_terms_sum(ctx)},
            .extents = {512, 256},
        });
        for (int64_t layer = 1; layer >= 0; layer--) {
            /* examples/resnet.place:19: relu_bwd "abcd,abcd->abcd": 1.50 MiB, 131 kflop */
            ctx->at = LINE_19_computing_in_step;
            prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_x(ctx), at_deep_x(ctx, layer), at_d_x_3(ctx)},
                .extents = {131072},
            });
            /* examples/resnet.place:19: reduce "nchw->c": 512 KiB, 131 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_offset(ctx), at_d_deep_x(ctx)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:19: mul "nchw,c->nchw": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_relative(ctx), at_d_deep_x(ctx), at_deep_norm2_scale(ctx, layer)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:19: einsum "nchw,nchw->c": 1.00 MiB, 262 kflop */
            const prt_gemm_shape gemm4 = {
                .m = 1, .n = 1, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 1, .b_column = 256,
                .c_row = 1, .c_column = 1,
                .batch_dims = 2,
                .batch = {16, 32},
                .a_batch = {8192, 256},
                .b_batch = {8192, 256},
                .c_batch = {0, 1},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm4, at_d_deep_x(ctx), at_deep_norm2_relative(ctx, layer), 0,
                     at_d_deep_norm2_scale(ctx));
            /* examples/resnet.place:19: add to gradients.deep "a->a": 384 B */
            prt_launch(ctx, KERNEL_copy_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_deep(ctx, layer) + OFFSET_deep_norm2_bias, at_d_deep_norm2_offset(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:19: segment_bwd "s->a": 384 B */
            prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_offset_bucket(ctx)},
                .extents = {64},
                .numbers = {0},
            });
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_offset_bucket(ctx), at_d_deep_norm2_offset(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:19: place_segment "a,s->a": 640 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_offset_bucket(ctx) + 32, at_d_deep_norm2_scale(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:19: all_reduce d_deep.norm2.offset.bucket over data: payload 256 B */
            ctx->at = LINE_19_all_reduce_d_deep_norm2_offset_bucket_over_data;
            prt_all_reduce(ctx, CALL_all_reduce_d_deep_norm2_offset_bucket, at_d_deep_norm2_offset_bucket(ctx),
                           at_d_deep_norm2_offset_bucket(ctx), 64);
            /* examples/resnet.place:19: segment "a->s": 384 B */
            ctx->at = LINE_19_computing_in_step;
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_offset(ctx), at_d_deep_norm2_offset_bucket(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:19: segment "a->s": 384 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_scale(ctx), at_d_deep_norm2_offset_bucket(ctx) + 32},
                .extents = {32},
            });
            /* examples/resnet.place:19: scale "a->a": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_offset_2(ctx), at_d_deep_norm2_offset(ctx)},
                .extents = {32},
                .numbers = {-1.0},
            });
            /* examples/resnet.place:19: mul "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_relative_mean(ctx), at_d_deep_norm2_offset_2(ctx),
                           at_deep_norm2_scale(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:19: mul "c,c->c": 512 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_scale(ctx), at_d_deep_norm2_offset_2(ctx),
                           at_deep_norm2_relative_mean(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:19: mul "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_rstd(ctx), at_d_deep_norm2_scale(ctx),
                           at_parameters_deep_whole(ctx, layer) + OFFSET_deep_norm2_gain},
                .extents = {32},
            });
            /* examples/resnet.place:19: mul "c,c->c": 512 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_deep_whole(ctx, layer) + OFFSET_deep_norm2_gain, at_d_deep_norm2_scale(ctx),
                           at_deep_norm2_rstd(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:19: rsqrt_bwd "c,c->c": 384 B, 160 flop */
            prt_launch(ctx, KERNEL_rsqrt_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_variance(ctx), at_deep_norm2_variance(ctx, layer),
                           at_d_deep_norm2_rstd(ctx)},
                .extents = {32},
                .numbers = {1e-05},
            });
            /* examples/resnet.place:19: relu_bwd "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_difference(ctx), at_deep_norm2_difference(ctx, layer),
                           at_d_deep_norm2_variance(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:19: scale "a->a": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_difference_2(ctx), at_d_deep_norm2_difference(ctx)},
                .extents = {32},
                .numbers = {-1.0},
            });
            /* examples/resnet.place:19: mul "c,c->c": 512 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_relative_mean(ctx), at_d_deep_norm2_difference_2(ctx),
                           at_deep_norm2_relative_mean(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:19: mul "c,c->c": 512 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_relative_mean(ctx), at_d_deep_norm2_difference_2(ctx),
                           at_deep_norm2_relative_mean(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:19: scale "c->c": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_variance_sum(ctx), at_d_deep_norm2_difference(ctx)},
                .extents = {32},
                .numbers = {1.0 / 16384},
            });
            /* examples/resnet.place:19: scale "c->c": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_mean_sum(ctx), at_d_deep_norm2_relative_mean(ctx)},
                .extents = {32},
                .numbers = {1.0 / 16384},
            });
            /* examples/resnet.place:19: scale "a->a": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_variance_sum_2(ctx), at_d_deep_norm2_variance_sum(ctx)},
                .extents = {32},
                .numbers = {2.0},
            });
            /* examples/resnet.place:19: mul "nchw,c->nchw": 1.50 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_relative(ctx), at_deep_norm2_relative(ctx, layer),
                           at_d_deep_norm2_variance_sum_2(ctx)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:19: add to d_deep.norm2.relative "c->nchw": 1.00 MiB */
            prt_launch(ctx, KERNEL_copy_f32_j_to_ijk_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm2_relative(ctx), at_d_deep_norm2_mean_sum(ctx)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:19: conv_input_bwd "nopq,ocij->nchw": 1.04 MiB, 75.5 Mflop */
            const prt_window_shape window9 = {
                .batch = 16, .groups = 1, .in = 32, .out = 32,
                .x_batch = 8192, .x_group = 0, .x_in = 256, .x_row = 16,
                .w_group = 0, .w_out = 288,
                .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
                .rows = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV_INPUT_BWD, &window9, at_d_deep_norm2_relative(ctx),
                       at_parameters_deep(ctx, layer) + OFFSET_deep_conv2_weight, 0, at_d_deep_z(ctx));
            /* examples/resnet.place:19: conv_weight_bwd "nchw,nopq->ocij": 1.07 MiB, 75.5 Mflop */
            const prt_window_shape window10 = {
                .batch = 16, .groups = 1, .in = 32, .out = 32,
                .x_batch = 8192, .x_group = 0, .x_in = 256, .x_row = 16,
                .w_group = 0, .w_out = 288,
                .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
                .rows = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV_WEIGHT_BWD, &window10, at_deep_z(ctx, layer),
                       at_d_deep_norm2_relative(ctx), 1, at_gradients_deep(ctx, layer) + OFFSET_deep_conv2_weight);
            /* examples/resnet.place:18: relu_bwd "abcd,abcd->abcd": 1.50 MiB, 131 kflop */
            ctx->at = LINE_18_computing_in_step;
            prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1(ctx), at_deep_norm1(ctx, layer), at_d_deep_z(ctx)},
                .extents = {131072},
            });
            /* examples/resnet.place:18: reduce "nchw->c": 512 KiB, 131 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_offset(ctx), at_d_deep_norm1(ctx)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:18: mul "nchw,c->nchw": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_relative(ctx), at_d_deep_norm1(ctx), at_deep_norm1_scale(ctx, layer)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:18: einsum "nchw,nchw->c": 1.00 MiB, 262 kflop */
            const prt_gemm_shape gemm5 = {
                .m = 1, .n = 1, .k = 256,
                .a_row = 256, .a_column = 1,
                .b_row = 1, .b_column = 256,
                .c_row = 1, .c_column = 1,
                .batch_dims = 2,
                .batch = {16, 32},
                .a_batch = {8192, 256},
                .b_batch = {8192, 256},
                .c_batch = {0, 1},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm5, at_d_deep_norm1(ctx), at_deep_norm1_relative(ctx, layer), 0,
                     at_d_deep_norm1_scale(ctx));
            /* examples/resnet.place:18: add to gradients.deep "a->a": 384 B */
            prt_launch(ctx, KERNEL_copy_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_deep(ctx, layer) + OFFSET_deep_norm1_bias, at_d_deep_norm1_offset(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:18: segment_bwd "s->a": 384 B */
            prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_offset_bucket(ctx)},
                .extents = {64},
                .numbers = {0},
            });
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_offset_bucket(ctx), at_d_deep_norm1_offset(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:18: place_segment "a,s->a": 640 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_offset_bucket(ctx) + 32, at_d_deep_norm1_scale(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:18: all_reduce d_deep.norm1.offset.bucket over data: payload 256 B */
            ctx->at = LINE_18_all_reduce_d_deep_norm1_offset_bucket_over_data;
            prt_all_reduce(ctx, CALL_all_reduce_d_deep_norm1_offset_bucket, at_d_deep_norm1_offset_bucket(ctx),
                           at_d_deep_norm1_offset_bucket(ctx), 64);
            /* examples/resnet.place:18: segment "a->s": 384 B */
            ctx->at = LINE_18_computing_in_step;
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_offset(ctx), at_d_deep_norm1_offset_bucket(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:18: segment "a->s": 384 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_scale(ctx), at_d_deep_norm1_offset_bucket(ctx) + 32},
                .extents = {32},
            });
            /* examples/resnet.place:18: scale "a->a": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_offset_2(ctx), at_d_deep_norm1_offset(ctx)},
                .extents = {32},
                .numbers = {-1.0},
            });
            /* examples/resnet.place:18: mul "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_relative_mean(ctx), at_d_deep_norm1_offset_2(ctx),
                           at_deep_norm1_scale(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:18: mul "c,c->c": 512 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_scale(ctx), at_d_deep_norm1_offset_2(ctx),
                           at_deep_norm1_relative_mean(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:18: mul "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_rstd(ctx), at_d_deep_norm1_scale(ctx),
                           at_parameters_deep_whole(ctx, layer) + OFFSET_deep_norm1_gain},
                .extents = {32},
            });
            /* examples/resnet.place:18: mul "c,c->c": 512 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_deep_whole(ctx, layer) + OFFSET_deep_norm1_gain, at_d_deep_norm1_scale(ctx),
                           at_deep_norm1_rstd(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:18: rsqrt_bwd "c,c->c": 384 B, 160 flop */
            prt_launch(ctx, KERNEL_rsqrt_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_variance(ctx), at_deep_norm1_variance(ctx, layer),
                           at_d_deep_norm1_rstd(ctx)},
                .extents = {32},
                .numbers = {1e-05},
            });
            /* examples/resnet.place:18: relu_bwd "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_difference(ctx), at_deep_norm1_difference(ctx, layer),
                           at_d_deep_norm1_variance(ctx)},
                .extents = {32},
            });
            /* examples/resnet.place:18: scale "a->a": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_difference_2(ctx), at_d_deep_norm1_difference(ctx)},
                .extents = {32},
                .numbers = {-1.0},
            });
            /* examples/resnet.place:18: mul "c,c->c": 512 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_relative_mean(ctx), at_d_deep_norm1_difference_2(ctx),
                           at_deep_norm1_relative_mean(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:18: mul "c,c->c": 512 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_relative_mean(ctx), at_d_deep_norm1_difference_2(ctx),
                           at_deep_norm1_relative_mean(ctx, layer)},
                .extents = {32},
            });
            /* examples/resnet.place:18: scale "c->c": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_variance_sum(ctx), at_d_deep_norm1_difference(ctx)},
                .extents = {32},
                .numbers = {1.0 / 16384},
            });
            /* examples/resnet.place:18: scale "c->c": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_mean_sum(ctx), at_d_deep_norm1_relative_mean(ctx)},
                .extents = {32},
                .numbers = {1.0 / 16384},
            });
            /* examples/resnet.place:18: scale "a->a": 256 B, 32 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_variance_sum_2(ctx), at_d_deep_norm1_variance_sum(ctx)},
                .extents = {32},
                .numbers = {2.0},
            });
            /* examples/resnet.place:18: mul "nchw,c->nchw": 1.50 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_relative(ctx), at_deep_norm1_relative(ctx, layer),
                           at_d_deep_norm1_variance_sum_2(ctx)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:18: add to d_deep.norm1.relative "c->nchw": 1.00 MiB */
            prt_launch(ctx, KERNEL_copy_f32_j_to_ijk_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_deep_norm1_relative(ctx), at_d_deep_norm1_mean_sum(ctx)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:18: conv_input_bwd "nopq,ocij->nchw": 1.54 MiB, 75.5 Mflop */
            const prt_window_shape window11 = {
                .batch = 16, .groups = 1, .in = 32, .out = 32,
                .x_batch = 8192, .x_group = 0, .x_in = 256, .x_row = 16,
                .w_group = 0, .w_out = 288,
                .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
                .rows = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV_INPUT_BWD, &window11, at_d_deep_norm1_relative(ctx),
                       at_parameters_deep(ctx, layer) + OFFSET_deep_conv1_weight, 1, at_d_deep_x(ctx));
            /* examples/resnet.place:18: conv_weight_bwd "nchw,nopq->ocij": 1.07 MiB, 75.5 Mflop */
            const prt_window_shape window12 = {
                .batch = 16, .groups = 1, .in = 32, .out = 32,
                .x_batch = 8192, .x_group = 0, .x_in = 256, .x_row = 16,
                .w_group = 0, .w_out = 288,
                .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
                .rows = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV_WEIGHT_BWD, &window12, at_x_3(ctx, layer),
                       at_d_deep_norm1_relative(ctx), 1, at_gradients_deep(ctx, layer) + OFFSET_deep_conv1_weight);
            /* examples/resnet.place:18: copy "abcd->abcd": 1.00 MiB */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_x_3(ctx), at_d_deep_x(ctx)},
                .extents = {131072},
            });
        }
        /* examples/resnet.place:15: relu_bwd "abcd,abcd->abcd": 1.50 MiB, 131 kflop */
        ctx->at = LINE_15_computing_in_step;
        prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_x_2(ctx), at_x_2(ctx), at_d_x_3(ctx)},
            .extents = {131072},
        });
        /* examples/resnet.place:16: reduce "nchw->c": 512 KiB, 131 kflop */
        ctx->at = LINE_16_computing_in_step;
        prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
            .arrays = {at_d_norm2_offset(ctx), at_d_x_2(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:16: mul "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_d_norm2_relative(ctx), at_d_x_2(ctx), at_norm2_scale(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:16: einsum "nchw,nchw->c": 1.00 MiB, 262 kflop */
        const prt_gemm_shape gemm6 = {
            .m = 1, .n = 1, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 1, .b_column = 256,
            .c_row = 1, .c_column = 1,
            .batch_dims = 2,
            .batch = {16, 32},
            .a_batch = {8192, 256},
            .b_batch = {8192, 256},
            .c_batch = {0, 1},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm6, at_d_x_2(ctx), at_norm2_relative(ctx), 0, at_d_norm2_scale(ctx));
        /* examples/resnet.place:16: add to gradients.outside "a->a": 384 B */
        prt_launch(ctx, KERNEL_copy_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_norm2_bias, at_d_norm2_offset(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: segment_bwd "s->a": 384 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm2_offset_bucket(ctx)},
            .extents = {64},
            .numbers = {0},
        });
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm2_offset_bucket(ctx), at_d_norm2_offset(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: place_segment "a,s->a": 640 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm2_offset_bucket(ctx) + 32, at_d_norm2_scale(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: all_reduce d_norm2.offset.bucket over data: payload 256 B */
        ctx->at = LINE_16_all_reduce_d_norm2_offset_bucket_over_data;
        prt_all_reduce(ctx, CALL_all_reduce_d_norm2_offset_bucket, at_d_norm2_offset_bucket(ctx),
                       at_d_norm2_offset_bucket(ctx), 64);
        /* examples/resnet.place:16: segment "a->s": 384 B */
        ctx->at = LINE_16_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm2_offset(ctx), at_d_norm2_offset_bucket(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: segment "a->s": 384 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm2_scale(ctx), at_d_norm2_offset_bucket(ctx) + 32},
            .extents = {32},
        });
        /* examples/resnet.place:16: scale "a->a": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm2_offset_2(ctx), at_d_norm2_offset(ctx)},
            .extents = {32},
            .numbers = {-1.0},
        });
        /* examples/resnet.place:16: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm2_relative_mean(ctx), at_d_norm2_offset_2(ctx), at_norm2_scale(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: mul "c,c->c": 512 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_norm2_scale(ctx), at_d_norm2_offset_2(ctx), at_norm2_relative_mean(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm2_rstd(ctx), at_d_norm2_scale(ctx),
                       at_parameters_outside_whole(ctx) + OFFSET_norm2_gain},
            .extents = {32},
        });
        /* examples/resnet.place:16: mul "c,c->c": 512 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside_whole(ctx) + OFFSET_norm2_gain, at_d_norm2_scale(ctx), at_norm2_rstd(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: rsqrt_bwd "c,c->c": 384 B, 160 flop */
        prt_launch(ctx, KERNEL_rsqrt_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm2_variance(ctx), at_norm2_variance(ctx), at_d_norm2_rstd(ctx)},
            .extents = {32},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:16: relu_bwd "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm2_difference(ctx), at_norm2_difference(ctx), at_d_norm2_variance(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: scale "a->a": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm2_difference_2(ctx), at_d_norm2_difference(ctx)},
            .extents = {32},
            .numbers = {-1.0},
        });
        /* examples/resnet.place:16: mul "c,c->c": 512 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_norm2_relative_mean(ctx), at_d_norm2_difference_2(ctx), at_norm2_relative_mean(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: mul "c,c->c": 512 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_norm2_relative_mean(ctx), at_d_norm2_difference_2(ctx), at_norm2_relative_mean(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:16: scale "c->c": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm2_variance_sum(ctx), at_d_norm2_difference(ctx)},
            .extents = {32},
            .numbers = {1.0 / 16384},
        });
        /* examples/resnet.place:16: scale "c->c": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm2_mean_sum(ctx), at_d_norm2_relative_mean(ctx)},
            .extents = {32},
            .numbers = {1.0 / 16384},
        });
        /* examples/resnet.place:16: scale "a->a": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm2_variance_sum_2(ctx), at_d_norm2_variance_sum(ctx)},
            .extents = {32},
            .numbers = {2.0},
        });
        /* examples/resnet.place:16: mul "nchw,c->nchw": 1.50 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_norm2_relative(ctx), at_norm2_relative(ctx), at_d_norm2_variance_sum_2(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:16: add to d_norm2.relative "c->nchw": 1.00 MiB */
        prt_launch(ctx, KERNEL_copy_f32_j_to_ijk_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_norm2_relative(ctx), at_d_norm2_mean_sum(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:16: conv_input_bwd "nopq,ocij->nchw": 1.04 MiB, 75.5 Mflop */
        const prt_window_shape window13 = {
            .batch = 16, .groups = 1, .in = 32, .out = 32,
            .x_batch = 8192, .x_group = 0, .x_in = 256, .x_row = 16,
            .w_group = 0, .w_out = 288,
            .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
            .rows = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
            .columns = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV_INPUT_BWD, &window13, at_d_norm2_relative(ctx),
                   at_parameters_outside(ctx) + OFFSET_conv2_weight, 0, at_d_y(ctx));
        /* examples/resnet.place:16: conv_weight_bwd "nchw,nopq->ocij": 1.07 MiB, 75.5 Mflop */
        const prt_window_shape window14 = {
            .batch = 16, .groups = 1, .in = 32, .out = 32,
            .x_batch = 8192, .x_group = 0, .x_in = 256, .x_row = 16,
            .w_group = 0, .w_out = 288,
            .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
            .rows = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
            .columns = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV_WEIGHT_BWD, &window14, at_y(ctx), at_d_norm2_relative(ctx), 1,
                   at_gradients_outside(ctx) + OFFSET_conv2_weight);
        /* examples/resnet.place:15: reduce "nchw->c": 512 KiB, 131 kflop */
        ctx->at = LINE_15_computing_in_step;
        prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_offset(ctx), at_d_x_2(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:15: mul "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_relative(ctx), at_d_x_2(ctx), at_short_norm_scale(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:15: einsum "nchw,nchw->c": 1.00 MiB, 262 kflop */
        const prt_gemm_shape gemm7 = {
            .m = 1, .n = 1, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 1, .b_column = 256,
            .c_row = 1, .c_column = 1,
            .batch_dims = 2,
            .batch = {16, 32},
            .a_batch = {8192, 256},
            .b_batch = {8192, 256},
            .c_batch = {0, 1},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm7, at_d_x_2(ctx), at_short_norm_relative(ctx), 0, at_d_short_norm_scale(ctx));
        /* examples/resnet.place:15: add to gradients.outside "a->a": 384 B */
        prt_launch(ctx, KERNEL_copy_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_short_norm_bias, at_d_short_norm_offset(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: segment_bwd "s->a": 384 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_offset_bucket(ctx)},
            .extents = {64},
            .numbers = {0},
        });
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_offset_bucket(ctx), at_d_short_norm_offset(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: place_segment "a,s->a": 640 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_offset_bucket(ctx) + 32, at_d_short_norm_scale(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: all_reduce d_short_norm.offset.bucket over data: payload 256 B */
        ctx->at = LINE_15_all_reduce_d_short_norm_offset_bucket_over_data;
        prt_all_reduce(ctx, CALL_all_reduce_d_short_norm_offset_bucket, at_d_short_norm_offset_bucket(ctx),
                       at_d_short_norm_offset_bucket(ctx), 64);
        /* examples/resnet.place:15: segment "a->s": 384 B */
        ctx->at = LINE_15_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_offset(ctx), at_d_short_norm_offset_bucket(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: segment "a->s": 384 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_scale(ctx), at_d_short_norm_offset_bucket(ctx) + 32},
            .extents = {32},
        });
        /* examples/resnet.place:15: scale "a->a": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_offset_2(ctx), at_d_short_norm_offset(ctx)},
            .extents = {32},
            .numbers = {-1.0},
        });
        /* examples/resnet.place:15: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_relative_mean(ctx), at_d_short_norm_offset_2(ctx), at_short_norm_scale(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: mul "c,c->c": 512 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_scale(ctx), at_d_short_norm_offset_2(ctx), at_short_norm_relative_mean(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_rstd(ctx), at_d_short_norm_scale(ctx),
                       at_parameters_outside_whole(ctx) + OFFSET_short_norm_gain},
            .extents = {32},
        });
        /* examples/resnet.place:15: mul "c,c->c": 512 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside_whole(ctx) + OFFSET_short_norm_gain, at_d_short_norm_scale(ctx),
                       at_short_norm_rstd(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: rsqrt_bwd "c,c->c": 384 B, 160 flop */
        prt_launch(ctx, KERNEL_rsqrt_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_variance(ctx), at_short_norm_variance(ctx), at_d_short_norm_rstd(ctx)},
            .extents = {32},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:15: relu_bwd "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_difference(ctx), at_short_norm_difference(ctx), at_d_short_norm_variance(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: scale "a->a": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_difference_2(ctx), at_d_short_norm_difference(ctx)},
            .extents = {32},
            .numbers = {-1.0},
        });
        /* examples/resnet.place:15: mul "c,c->c": 512 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_relative_mean(ctx), at_d_short_norm_difference_2(ctx),
                       at_short_norm_relative_mean(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: mul "c,c->c": 512 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_relative_mean(ctx), at_d_short_norm_difference_2(ctx),
                       at_short_norm_relative_mean(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:15: scale "c->c": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_variance_sum(ctx), at_d_short_norm_difference(ctx)},
            .extents = {32},
            .numbers = {1.0 / 16384},
        });
        /* examples/resnet.place:15: scale "c->c": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_mean_sum(ctx), at_d_short_norm_relative_mean(ctx)},
            .extents = {32},
            .numbers = {1.0 / 16384},
        });
        /* examples/resnet.place:15: scale "a->a": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_variance_sum_2(ctx), at_d_short_norm_variance_sum(ctx)},
            .extents = {32},
            .numbers = {2.0},
        });
        /* examples/resnet.place:15: mul "nchw,c->nchw": 1.50 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_relative(ctx), at_short_norm_relative(ctx), at_d_short_norm_variance_sum_2(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:15: add to d_short_norm.relative "c->nchw": 1.00 MiB */
        prt_launch(ctx, KERNEL_copy_f32_j_to_ijk_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_short_norm_relative(ctx), at_d_short_norm_mean_sum(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:15: conv_input_bwd "nopq,ocij->nchw": 1.50 MiB, 4.19 Mflop */
        const prt_window_shape window15 = {
            .batch = 16, .groups = 1, .in = 16, .out = 32,
            .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 16,
            .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
            .rows = {.size = 32, .input = 32, .output = 16, .window = 1, .stride = 2, .pad = 0},
            .columns = {.size = 32, .input = 32, .output = 16, .window = 1, .stride = 2, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV_INPUT_BWD, &window15, at_d_short_norm_relative(ctx),
                   at_parameters_outside(ctx) + OFFSET_short_weight, 0, at_d_x(ctx));
        /* examples/resnet.place:15: conv_weight_bwd "nchw,nopq->ocij": 1.50 MiB, 4.19 Mflop */
        const prt_window_shape window16 = {
            .batch = 16, .groups = 1, .in = 16, .out = 32,
            .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 16,
            .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
            .rows = {.size = 32, .input = 32, .output = 16, .window = 1, .stride = 2, .pad = 0},
            .columns = {.size = 32, .input = 32, .output = 16, .window = 1, .stride = 2, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV_WEIGHT_BWD, &window16, at_x(ctx, 2), at_d_short_norm_relative(ctx), 1,
                   at_gradients_outside(ctx) + OFFSET_short_weight);
        /* examples/resnet.place:14: relu_bwd "abcd,abcd->abcd": 1.50 MiB, 131 kflop */
        ctx->at = LINE_14_computing_in_step;
        prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm1(ctx), at_norm1(ctx), at_d_y(ctx)},
            .extents = {131072},
        });
        /* examples/resnet.place:14: reduce "nchw->c": 512 KiB, 131 kflop */
        prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
            .arrays = {at_d_norm1_offset(ctx), at_d_norm1(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:14: mul "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_d_norm1_relative(ctx), at_d_norm1(ctx), at_norm1_scale(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:14: einsum "nchw,nchw->c": 1.00 MiB, 262 kflop */
        const prt_gemm_shape gemm8 = {
            .m = 1, .n = 1, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 1, .b_column = 256,
            .c_row = 1, .c_column = 1,
            .batch_dims = 2,
            .batch = {16, 32},
            .a_batch = {8192, 256},
            .b_batch = {8192, 256},
            .c_batch = {0, 1},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm8, at_d_norm1(ctx), at_norm1_relative(ctx), 0, at_d_norm1_scale(ctx));
        /* examples/resnet.place:14: add to gradients.outside "a->a": 384 B */
        prt_launch(ctx, KERNEL_copy_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_norm1_bias, at_d_norm1_offset(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: segment_bwd "s->a": 384 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm1_offset_bucket(ctx)},
            .extents = {64},
            .numbers = {0},
        });
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm1_offset_bucket(ctx), at_d_norm1_offset(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: place_segment "a,s->a": 640 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm1_offset_bucket(ctx) + 32, at_d_norm1_scale(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: all_reduce d_norm1.offset.bucket over data: payload 256 B */
        ctx->at = LINE_14_all_reduce_d_norm1_offset_bucket_over_data;
        prt_all_reduce(ctx, CALL_all_reduce_d_norm1_offset_bucket, at_d_norm1_offset_bucket(ctx),
                       at_d_norm1_offset_bucket(ctx), 64);
        /* examples/resnet.place:14: segment "a->s": 384 B */
        ctx->at = LINE_14_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm1_offset(ctx), at_d_norm1_offset_bucket(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: segment "a->s": 384 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm1_scale(ctx), at_d_norm1_offset_bucket(ctx) + 32},
            .extents = {32},
        });
        /* examples/resnet.place:14: scale "a->a": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm1_offset_2(ctx), at_d_norm1_offset(ctx)},
            .extents = {32},
            .numbers = {-1.0},
        });
        /* examples/resnet.place:14: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm1_relative_mean(ctx), at_d_norm1_offset_2(ctx), at_norm1_scale(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: mul "c,c->c": 512 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_norm1_scale(ctx), at_d_norm1_offset_2(ctx), at_norm1_relative_mean(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm1_rstd(ctx), at_d_norm1_scale(ctx),
                       at_parameters_outside_whole(ctx) + OFFSET_norm1_gain},
            .extents = {32},
        });
        /* examples/resnet.place:14: mul "c,c->c": 512 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside_whole(ctx) + OFFSET_norm1_gain, at_d_norm1_scale(ctx), at_norm1_rstd(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: rsqrt_bwd "c,c->c": 384 B, 160 flop */
        prt_launch(ctx, KERNEL_rsqrt_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm1_variance(ctx), at_norm1_variance(ctx), at_d_norm1_rstd(ctx)},
            .extents = {32},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:14: relu_bwd "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm1_difference(ctx), at_norm1_difference(ctx), at_d_norm1_variance(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: scale "a->a": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm1_difference_2(ctx), at_d_norm1_difference(ctx)},
            .extents = {32},
            .numbers = {-1.0},
        });
        /* examples/resnet.place:14: mul "c,c->c": 512 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_norm1_relative_mean(ctx), at_d_norm1_difference_2(ctx), at_norm1_relative_mean(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: mul "c,c->c": 512 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_norm1_relative_mean(ctx), at_d_norm1_difference_2(ctx), at_norm1_relative_mean(ctx)},
            .extents = {32},
        });
        /* examples/resnet.place:14: scale "c->c": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm1_variance_sum(ctx), at_d_norm1_difference(ctx)},
            .extents = {32},
            .numbers = {1.0 / 16384},
        });
        /* examples/resnet.place:14: scale "c->c": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm1_mean_sum(ctx), at_d_norm1_relative_mean(ctx)},
            .extents = {32},
            .numbers = {1.0 / 16384},
        });
        /* examples/resnet.place:14: scale "a->a": 256 B, 32 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm1_variance_sum_2(ctx), at_d_norm1_variance_sum(ctx)},
            .extents = {32},
            .numbers = {2.0},
        });
        /* examples/resnet.place:14: mul "nchw,c->nchw": 1.50 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_norm1_relative(ctx), at_norm1_relative(ctx), at_d_norm1_variance_sum_2(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:14: add to d_norm1.relative "c->nchw": 1.00 MiB */
        prt_launch(ctx, KERNEL_copy_f32_j_to_ijk_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_norm1_relative(ctx), at_d_norm1_mean_sum(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:14: conv_input_bwd "nopq,ocij->nchw": 2.52 MiB, 37.7 Mflop */
        const prt_window_shape window17 = {
            .batch = 16, .groups = 1, .in = 16, .out = 32,
            .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 144,
            .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
            .rows = {.size = 32, .input = 32, .output = 16, .window = 3, .stride = 2, .pad = 1},
            .columns = {.size = 32, .input = 32, .output = 16, .window = 3, .stride = 2, .pad = 1},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV_INPUT_BWD, &window17, at_d_norm1_relative(ctx),
                   at_parameters_outside(ctx) + OFFSET_conv1_weight, 1, at_d_x(ctx));
        /* examples/resnet.place:14: conv_weight_bwd "nchw,nopq->ocij": 1.54 MiB, 37.7 Mflop */
        const prt_window_shape window18 = {
            .batch = 16, .groups = 1, .in = 16, .out = 32,
            .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 144,
            .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
            .rows = {.size = 32, .input = 32, .output = 16, .window = 3, .stride = 2, .pad = 1},
            .columns = {.size = 32, .input = 32, .output = 16, .window = 3, .stride = 2, .pad = 1},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV_WEIGHT_BWD, &window18, at_x(ctx, 2), at_d_norm1_relative(ctx), 1,
                   at_gradients_outside(ctx) + OFFSET_conv1_weight);
        for (int64_t layer = 1; layer >= 0; layer--) {
            /* examples/resnet.place:12: relu_bwd "abcd,abcd->abcd": 3.00 MiB, 262 kflop */
            ctx->at = LINE_12_computing_in_step;
            prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_x(ctx), at_wide_x(ctx, layer), at_d_x(ctx)},
                .extents = {262144},
            });
            /* examples/resnet.place:12: reduce "nchw->c": 1.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_offset(ctx), at_d_wide_x(ctx)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:12: mul "nchw,c->nchw": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_relative(ctx), at_d_wide_x(ctx), at_wide_norm2_scale(ctx, layer)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:12: einsum "nchw,nchw->c": 2.00 MiB, 524 kflop */
            const prt_gemm_shape gemm9 = {
                .m = 1, .n = 1, .k = 1024,
                .a_row = 1024, .a_column = 1,
                .b_row = 1, .b_column = 1024,
                .c_row = 1, .c_column = 1,
                .batch_dims = 2,
                .batch = {16, 16},
                .a_batch = {16384, 1024},
                .b_batch = {16384, 1024},
                .c_batch = {0, 1},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm9, at_d_wide_x(ctx), at_wide_norm2_relative(ctx, layer), 0,
                     at_d_wide_norm2_scale(ctx));
            /* examples/resnet.place:12: add to gradients.wide "a->a": 192 B */
            prt_launch(ctx, KERNEL_copy_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_wide(ctx, layer) + OFFSET_wide_norm2_bias, at_d_wide_norm2_offset(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:12: segment_bwd "s->a": 192 B */
            prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_offset_bucket(ctx)},
                .extents = {32},
                .numbers = {0},
            });
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_offset_bucket(ctx), at_d_wide_norm2_offset(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:12: place_segment "a,s->a": 320 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_offset_bucket(ctx) + 16, at_d_wide_norm2_scale(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:12: all_reduce d_wide.norm2.offset.bucket over data: payload 128 B */
            ctx->at = LINE_12_all_reduce_d_wide_norm2_offset_bucket_over_data;
            prt_all_reduce(ctx, CALL_all_reduce_d_wide_norm2_offset_bucket, at_d_wide_norm2_offset_bucket(ctx),
                           at_d_wide_norm2_offset_bucket(ctx), 32);
            /* examples/resnet.place:12: segment "a->s": 192 B */
            ctx->at = LINE_12_computing_in_step;
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_offset(ctx), at_d_wide_norm2_offset_bucket(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:12: segment "a->s": 192 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_scale(ctx), at_d_wide_norm2_offset_bucket(ctx) + 16},
                .extents = {16},
            });
            /* examples/resnet.place:12: scale "a->a": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_offset_2(ctx), at_d_wide_norm2_offset(ctx)},
                .extents = {16},
                .numbers = {-1.0},
            });
            /* examples/resnet.place:12: mul "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_relative_mean(ctx), at_d_wide_norm2_offset_2(ctx),
                           at_wide_norm2_scale(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:12: mul "c,c->c": 256 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_scale(ctx), at_d_wide_norm2_offset_2(ctx),
                           at_wide_norm2_relative_mean(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:12: mul "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_rstd(ctx), at_d_wide_norm2_scale(ctx),
                           at_parameters_wide_whole(ctx, layer) + OFFSET_wide_norm2_gain},
                .extents = {16},
            });
            /* examples/resnet.place:12: mul "c,c->c": 256 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_wide_whole(ctx, layer) + OFFSET_wide_norm2_gain, at_d_wide_norm2_scale(ctx),
                           at_wide_norm2_rstd(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:12: rsqrt_bwd "c,c->c": 192 B, 80 flop */
            prt_launch(ctx, KERNEL_rsqrt_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_variance(ctx), at_wide_norm2_variance(ctx, layer),
                           at_d_wide_norm2_rstd(ctx)},
                .extents = {16},
                .numbers = {1e-05},
            });
            /* examples/resnet.place:12: relu_bwd "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_difference(ctx), at_wide_norm2_difference(ctx, layer),
                           at_d_wide_norm2_variance(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:12: scale "a->a": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_difference_2(ctx), at_d_wide_norm2_difference(ctx)},
                .extents = {16},
                .numbers = {-1.0},
            });
            /* examples/resnet.place:12: mul "c,c->c": 256 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_relative_mean(ctx), at_d_wide_norm2_difference_2(ctx),
                           at_wide_norm2_relative_mean(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:12: mul "c,c->c": 256 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_relative_mean(ctx), at_d_wide_norm2_difference_2(ctx),
                           at_wide_norm2_relative_mean(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:12: scale "c->c": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_variance_sum(ctx), at_d_wide_norm2_difference(ctx)},
                .extents = {16},
                .numbers = {1.0 / 65536},
            });
            /* examples/resnet.place:12: scale "c->c": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_mean_sum(ctx), at_d_wide_norm2_relative_mean(ctx)},
                .extents = {16},
                .numbers = {1.0 / 65536},
            });
            /* examples/resnet.place:12: scale "a->a": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_variance_sum_2(ctx), at_d_wide_norm2_variance_sum(ctx)},
                .extents = {16},
                .numbers = {2.0},
            });
            /* examples/resnet.place:12: mul "nchw,c->nchw": 3.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_relative(ctx), at_wide_norm2_relative(ctx, layer),
                           at_d_wide_norm2_variance_sum_2(ctx)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:12: add to d_wide.norm2.relative "c->nchw": 2.00 MiB */
            prt_launch(ctx, KERNEL_copy_f32_j_to_ijk_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm2_relative(ctx), at_d_wide_norm2_mean_sum(ctx)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:12: conv_input_bwd "nopq,ocij->nchw": 2.01 MiB, 75.5 Mflop */
            const prt_window_shape window19 = {
                .batch = 16, .groups = 1, .in = 16, .out = 16,
                .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
                .w_group = 0, .w_out = 144,
                .y_batch = 16384, .y_group = 0, .y_out = 1024, .y_row = 32,
                .rows = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV_INPUT_BWD, &window19, at_d_wide_norm2_relative(ctx),
                       at_parameters_wide(ctx, layer) + OFFSET_wide_conv2_weight, 0, at_d_wide_z(ctx));
            /* examples/resnet.place:12: conv_weight_bwd "nchw,nopq->ocij": 2.02 MiB, 75.5 Mflop */
            const prt_window_shape window20 = {
                .batch = 16, .groups = 1, .in = 16, .out = 16,
                .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
                .w_group = 0, .w_out = 144,
                .y_batch = 16384, .y_group = 0, .y_out = 1024, .y_row = 32,
                .rows = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV_WEIGHT_BWD, &window20, at_wide_z(ctx, layer),
                       at_d_wide_norm2_relative(ctx), 1, at_gradients_wide(ctx, layer) + OFFSET_wide_conv2_weight);
            /* examples/resnet.place:11: relu_bwd "abcd,abcd->abcd": 3.00 MiB, 262 kflop */
            ctx->at = LINE_11_computing_in_step;
            prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1(ctx), at_wide_norm1(ctx, layer), at_d_wide_z(ctx)},
                .extents = {262144},
            });
            /* examples/resnet.place:11: reduce "nchw->c": 1.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_offset(ctx), at_d_wide_norm1(ctx)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:11: mul "nchw,c->nchw": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_relative(ctx), at_d_wide_norm1(ctx), at_wide_norm1_scale(ctx, layer)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:11: einsum "nchw,nchw->c": 2.00 MiB, 524 kflop */
            const prt_gemm_shape gemm10 = {
                .m = 1, .n = 1, .k = 1024,
                .a_row = 1024, .a_column = 1,
                .b_row = 1, .b_column = 1024,
                .c_row = 1, .c_column = 1,
                .batch_dims = 2,
                .batch = {16, 16},
                .a_batch = {16384, 1024},
                .b_batch = {16384, 1024},
                .c_batch = {0, 1},
            };
            prt_gemm(ctx, 0, PRT_F32, &gemm10, at_d_wide_norm1(ctx), at_wide_norm1_relative(ctx, layer), 0,
                     at_d_wide_norm1_scale(ctx));
            /* examples/resnet.place:11: add to gradients.wide "a->a": 192 B */
            prt_launch(ctx, KERNEL_copy_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_wide(ctx, layer) + OFFSET_wide_norm1_bias, at_d_wide_norm1_offset(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:11: segment_bwd "s->a": 192 B */
            prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_offset_bucket(ctx)},
                .extents = {32},
                .numbers = {0},
            });
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_offset_bucket(ctx), at_d_wide_norm1_offset(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:11: place_segment "a,s->a": 320 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_offset_bucket(ctx) + 16, at_d_wide_norm1_scale(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:11: all_reduce d_wide.norm1.offset.bucket over data: payload 128 B */
            ctx->at = LINE_11_all_reduce_d_wide_norm1_offset_bucket_over_data;
            prt_all_reduce(ctx, CALL_all_reduce_d_wide_norm1_offset_bucket, at_d_wide_norm1_offset_bucket(ctx),
                           at_d_wide_norm1_offset_bucket(ctx), 32);
            /* examples/resnet.place:11: segment "a->s": 192 B */
            ctx->at = LINE_11_computing_in_step;
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_offset(ctx), at_d_wide_norm1_offset_bucket(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:11: segment "a->s": 192 B */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_scale(ctx), at_d_wide_norm1_offset_bucket(ctx) + 16},
                .extents = {16},
            });
            /* examples/resnet.place:11: scale "a->a": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_offset_2(ctx), at_d_wide_norm1_offset(ctx)},
                .extents = {16},
                .numbers = {-1.0},
            });
            /* examples/resnet.place:11: mul "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_relative_mean(ctx), at_d_wide_norm1_offset_2(ctx),
                           at_wide_norm1_scale(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:11: mul "c,c->c": 256 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_scale(ctx), at_d_wide_norm1_offset_2(ctx),
                           at_wide_norm1_relative_mean(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:11: mul "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_rstd(ctx), at_d_wide_norm1_scale(ctx),
                           at_parameters_wide_whole(ctx, layer) + OFFSET_wide_norm1_gain},
                .extents = {16},
            });
            /* examples/resnet.place:11: mul "c,c->c": 256 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_gradients_wide_whole(ctx, layer) + OFFSET_wide_norm1_gain, at_d_wide_norm1_scale(ctx),
                           at_wide_norm1_rstd(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:11: rsqrt_bwd "c,c->c": 192 B, 80 flop */
            prt_launch(ctx, KERNEL_rsqrt_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_variance(ctx), at_wide_norm1_variance(ctx, layer),
                           at_d_wide_norm1_rstd(ctx)},
                .extents = {16},
                .numbers = {1e-05},
            });
            /* examples/resnet.place:11: relu_bwd "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_difference(ctx), at_wide_norm1_difference(ctx, layer),
                           at_d_wide_norm1_variance(ctx)},
                .extents = {16},
            });
            /* examples/resnet.place:11: scale "a->a": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_difference_2(ctx), at_d_wide_norm1_difference(ctx)},
                .extents = {16},
                .numbers = {-1.0},
            });
            /* examples/resnet.place:11: mul "c,c->c": 256 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_relative_mean(ctx), at_d_wide_norm1_difference_2(ctx),
                           at_wide_norm1_relative_mean(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:11: mul "c,c->c": 256 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_relative_mean(ctx), at_d_wide_norm1_difference_2(ctx),
                           at_wide_norm1_relative_mean(ctx, layer)},
                .extents = {16},
            });
            /* examples/resnet.place:11: scale "c->c": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_variance_sum(ctx), at_d_wide_norm1_difference(ctx)},
                .extents = {16},
                .numbers = {1.0 / 65536},
            });
            /* examples/resnet.place:11: scale "c->c": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_mean_sum(ctx), at_d_wide_norm1_relative_mean(ctx)},
                .extents = {16},
                .numbers = {1.0 / 65536},
            });
            /* examples/resnet.place:11: scale "a->a": 128 B, 16 flop */
            prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_variance_sum_2(ctx), at_d_wide_norm1_variance_sum(ctx)},
                .extents = {16},
                .numbers = {2.0},
            });
            /* examples/resnet.place:11: mul "nchw,c->nchw": 3.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_relative(ctx), at_wide_norm1_relative(ctx, layer),
                           at_d_wide_norm1_variance_sum_2(ctx)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:11: add to d_wide.norm1.relative "c->nchw": 2.00 MiB */
            prt_launch(ctx, KERNEL_copy_f32_j_to_ijk_accumulate, 0, &(prt_arguments){
                .arrays = {at_d_wide_norm1_relative(ctx), at_d_wide_norm1_mean_sum(ctx)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:11: conv_input_bwd "nopq,ocij->nchw": 3.01 MiB, 75.5 Mflop */
            const prt_window_shape window21 = {
                .batch = 16, .groups = 1, .in = 16, .out = 16,
                .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
                .w_group = 0, .w_out = 144,
                .y_batch = 16384, .y_group = 0, .y_out = 1024, .y_row = 32,
                .rows = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV_INPUT_BWD, &window21, at_d_wide_norm1_relative(ctx),
                       at_parameters_wide(ctx, layer) + OFFSET_wide_conv1_weight, 1, at_d_wide_x(ctx));
            /* examples/resnet.place:11: conv_weight_bwd "nchw,nopq->ocij": 2.02 MiB, 75.5 Mflop */
            const prt_window_shape window22 = {
                .batch = 16, .groups = 1, .in = 16, .out = 16,
                .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
                .w_group = 0, .w_out = 144,
                .y_batch = 16384, .y_group = 0, .y_out = 1024, .y_row = 32,
                .rows = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV_WEIGHT_BWD, &window22, at_x(ctx, layer), at_d_wide_norm1_relative(ctx),
                       1, at_gradients_wide(ctx, layer) + OFFSET_wide_conv1_weight);
            /* examples/resnet.place:11: copy "abcd->abcd": 2.00 MiB */
            prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
                .arrays = {at_d_x(ctx), at_d_wide_x(ctx)},
                .extents = {262144},
            });
        }
        /* examples/resnet.place:9: relu_bwd "abcd,abcd->abcd": 3.00 MiB, 262 kflop */
        ctx->at = LINE_9_computing_in_step;
        prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm(ctx), at_norm(ctx), at_d_x(ctx)},
            .extents = {262144},
        });
        /* examples/resnet.place:9: reduce "nchw->c": 1.00 MiB, 262 kflop */
        prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j, 0, &(prt_arguments){
            .arrays = {at_d_norm_offset(ctx), at_d_norm(ctx)},
            .extents = {16, 16, 1024},
        });
        /* examples/resnet.place:9: mul "nchw,c->nchw": 2.00 MiB, 262 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_d_norm_relative(ctx), at_d_norm(ctx), at_norm_scale(ctx)},
            .extents = {16, 16, 1024},
        });
        /* examples/resnet.place:9: einsum "nchw,nchw->c": 2.00 MiB, 524 kflop */
        const prt_gemm_shape gemm11 = {
            .m = 1, .n = 1, .k = 1024,
            .a_row = 1024, .a_column = 1,
            .b_row = 1, .b_column = 1024,
            .c_row = 1, .c_column = 1,
            .batch_dims = 2,
            .batch = {16, 16},
            .a_batch = {16384, 1024},
            .b_batch = {16384, 1024},
            .c_batch = {0, 1},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm11, at_d_norm(ctx), at_norm_relative(ctx), 0, at_d_norm_scale(ctx));
        /* examples/resnet.place:9: add to gradients.outside "a->a": 192 B */
        prt_launch(ctx, KERNEL_copy_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_norm_bias, at_d_norm_offset(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: segment_bwd "s->a": 192 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm_offset_bucket(ctx)},
            .extents = {32},
            .numbers = {0},
        });
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm_offset_bucket(ctx), at_d_norm_offset(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: place_segment "a,s->a": 320 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm_offset_bucket(ctx) + 16, at_d_norm_scale(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: all_reduce d_norm.offset.bucket over data: payload 128 B */
        ctx->at = LINE_9_all_reduce_d_norm_offset_bucket_over_data;
        prt_all_reduce(ctx, CALL_all_reduce_d_norm_offset_bucket, at_d_norm_offset_bucket(ctx),
                       at_d_norm_offset_bucket(ctx), 32);
        /* examples/resnet.place:9: segment "a->s": 192 B */
        ctx->at = LINE_9_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm_offset(ctx), at_d_norm_offset_bucket(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: segment "a->s": 192 B */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm_scale(ctx), at_d_norm_offset_bucket(ctx) + 16},
            .extents = {16},
        });
        /* examples/resnet.place:9: scale "a->a": 128 B, 16 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm_offset_2(ctx), at_d_norm_offset(ctx)},
            .extents = {16},
            .numbers = {-1.0},
        });
        /* examples/resnet.place:9: mul "c,c->c": 192 B, 16 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm_relative_mean(ctx), at_d_norm_offset_2(ctx), at_norm_scale(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: mul "c,c->c": 256 B, 16 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_norm_scale(ctx), at_d_norm_offset_2(ctx), at_norm_relative_mean(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: mul "c,c->c": 192 B, 16 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm_rstd(ctx), at_d_norm_scale(ctx), at_parameters_outside_whole(ctx) + OFFSET_norm_gain},
            .extents = {16},
        });
        /* examples/resnet.place:9: mul "c,c->c": 256 B, 16 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside_whole(ctx) + OFFSET_norm_gain, at_d_norm_scale(ctx), at_norm_rstd(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: rsqrt_bwd "c,c->c": 192 B, 80 flop */
        prt_launch(ctx, KERNEL_rsqrt_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm_variance(ctx), at_norm_variance(ctx), at_d_norm_rstd(ctx)},
            .extents = {16},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:9: relu_bwd "c,c->c": 192 B, 16 flop */
        prt_launch(ctx, KERNEL_relu_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm_difference(ctx), at_norm_difference(ctx), at_d_norm_variance(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: scale "a->a": 128 B, 16 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm_difference_2(ctx), at_d_norm_difference(ctx)},
            .extents = {16},
            .numbers = {-1.0},
        });
        /* examples/resnet.place:9: mul "c,c->c": 256 B, 16 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_norm_relative_mean(ctx), at_d_norm_difference_2(ctx), at_norm_relative_mean(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: mul "c,c->c": 256 B, 16 flop */
        prt_launch(ctx, KERNEL_mul_f32_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_norm_relative_mean(ctx), at_d_norm_difference_2(ctx), at_norm_relative_mean(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:9: scale "c->c": 128 B, 16 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm_variance_sum(ctx), at_d_norm_difference(ctx)},
            .extents = {16},
            .numbers = {1.0 / 65536},
        });
        /* examples/resnet.place:9: scale "c->c": 128 B, 16 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm_mean_sum(ctx), at_d_norm_relative_mean(ctx)},
            .extents = {16},
            .numbers = {1.0 / 65536},
        });
        /* examples/resnet.place:9: scale "a->a": 128 B, 16 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_d_norm_variance_sum_2(ctx), at_d_norm_variance_sum(ctx)},
            .extents = {16},
            .numbers = {2.0},
        });
        /* examples/resnet.place:9: mul "nchw,c->nchw": 3.00 MiB, 262 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_norm_relative(ctx), at_norm_relative(ctx), at_d_norm_variance_sum_2(ctx)},
            .extents = {16, 16, 1024},
        });
        /* examples/resnet.place:9: add to d_norm.relative "c->nchw": 2.00 MiB */
        prt_launch(ctx, KERNEL_copy_f32_j_to_ijk_accumulate, 0, &(prt_arguments){
            .arrays = {at_d_norm_relative(ctx), at_d_norm_mean_sum(ctx)},
            .extents = {16, 16, 1024},
        });
        /* examples/resnet.place:9: conv_weight_bwd "nchw,nopq->ocij": 1.19 MiB, 14.2 Mflop */
        const prt_window_shape window23 = {
            .batch = 16, .groups = 1, .in = 3, .out = 16,
            .x_batch = 3072, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 27,
            .y_batch = 16384, .y_group = 0, .y_out = 1024, .y_row = 32,
            .rows = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
            .columns = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV_WEIGHT_BWD, &window23, at_pixels(ctx), at_d_norm_relative(ctx), 1,
                   at_gradients_outside(ctx) + OFFSET_conv_weight);
        /* examples/resnet.place:21: add to loss.sum "->": 12 B */
        ctx->at = LINE_21_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx), at_loss(ctx)}});
    }
    /* examples/resnet.place:28: all_reduce loss.sum over data: payload 4 B */
    ctx->at = LINE_28_all_reduce_loss_sum_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_loss_sum, at_loss_sum(ctx), at_loss_sum(ctx), 1);
    /* examples/resnet.place:9: add "c,c->c": 192 B, 16 flop */
    ctx->at = LINE_9_computing_in_step;
    prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
        .arrays = {at_norm_mean(ctx), at_norm_relative_mean(ctx), at_statistics_norm_running_mean(ctx)},
        .extents = {16},
    });
    /* examples/resnet.place:9: scale "c->c": 128 B, 16 flop */
    prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
        .arrays = {at_norm_unbiased(ctx), at_norm_variance(ctx)},
        .extents = {16},
        .numbers = {65536.0 / 65535},
    });
    /* examples/resnet.place:9: blend "c,c->c": 192 B, 48 flop */
    prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_statistics_norm_running_mean(ctx), at_norm_mean(ctx)},
        .extents = {16},
        .numbers = {0.1},
    });
    /* examples/resnet.place:9: blend "c,c->c": 192 B, 48 flop */
    prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_statistics_norm_running_variance(ctx), at_norm_unbiased(ctx)},
        .extents = {16},
        .numbers = {0.1},
    });
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:11: add "c,c->c": 192 B, 16 flop */
        ctx->at = LINE_11_computing_in_step;
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_wide_norm1_mean(ctx, layer), at_wide_norm1_relative_mean(ctx, layer),
                       at_statistics_wide_norm1_running_mean(ctx, layer)},
            .extents = {16},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:11: scale "c->c": 128 B, 16 flop */
        ctx->at = LINE_11_computing_in_step;
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_wide_norm1_unbiased(ctx, layer), at_wide_norm1_variance(ctx, layer)},
            .extents = {16},
            .numbers = {65536.0 / 65535},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:11: blend "c,c->c": 192 B, 48 flop */
        ctx->at = LINE_11_computing_in_step;
        prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_statistics_wide_norm1_running_mean(ctx, layer), at_wide_norm1_mean(ctx, layer)},
            .extents = {16},
            .numbers = {0.1},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:11: blend "c,c->c": 192 B, 48 flop */
        ctx->at = LINE_11_computing_in_step;
        prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_statistics_wide_norm1_running_variance(ctx, layer), at_wide_norm1_unbiased(ctx, layer)},
            .extents = {16},
            .numbers = {0.1},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:12: add "c,c->c": 192 B, 16 flop */
        ctx->at = LINE_12_computing_in_step;
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_wide_norm2_mean(ctx, layer), at_wide_norm2_relative_mean(ctx, layer),
                       at_statistics_wide_norm2_running_mean(ctx, layer)},
            .extents = {16},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:12: scale "c->c": 128 B, 16 flop */
        ctx->at = LINE_12_computing_in_step;
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_wide_norm2_unbiased(ctx, layer), at_wide_norm2_variance(ctx, layer)},
            .extents = {16},
            .numbers = {65536.0 / 65535},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:12: blend "c,c->c": 192 B, 48 flop */
        ctx->at = LINE_12_computing_in_step;
        prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_statistics_wide_norm2_running_mean(ctx, layer), at_wide_norm2_mean(ctx, layer)},
            .extents = {16},
            .numbers = {0.1},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:12: blend "c,c->c": 192 B, 48 flop */
        ctx->at = LINE_12_computing_in_step;
        prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_statistics_wide_norm2_running_variance(ctx, layer), at_wide_norm2_unbiased(ctx, layer)},
            .extents = {16},
            .numbers = {0.1},
        });
    }
    /* examples/resnet.place:14: add "c,c->c": 384 B, 32 flop */
    ctx->at = LINE_14_computing_in_step;
    prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
        .arrays = {at_norm1_mean(ctx), at_norm1_relative_mean(ctx), at_statistics_norm1_running_mean(ctx)},
        .extents = {32},
    });
    /* examples/resnet.place:14: scale "c->c": 256 B, 32 flop */
    prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
        .arrays = {at_norm1_unbiased(ctx), at_norm1_variance(ctx)},
        .extents = {32},
        .numbers = {16384.0 / 16383},
    });
    /* examples/resnet.place:14: blend "c,c->c": 384 B, 96 flop */
    prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_statistics_norm1_running_mean(ctx), at_norm1_mean(ctx)},
        .extents = {32},
        .numbers = {0.1},
    });
    /* examples/resnet.place:14: blend "c,c->c": 384 B, 96 flop */
    prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_statistics_norm1_running_variance(ctx), at_norm1_unbiased(ctx)},
        .extents = {32},
        .numbers = {0.1},
    });
    /* examples/resnet.place:15: add "c,c->c": 384 B, 32 flop */
    ctx->at = LINE_15_computing_in_step;
    prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
        .arrays = {at_short_norm_mean(ctx), at_short_norm_relative_mean(ctx),
                   at_statistics_short_norm_running_mean(ctx)},
        .extents = {32},
    });
    /* examples/resnet.place:15: scale "c->c": 256 B, 32 flop */
    prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
        .arrays = {at_short_norm_unbiased(ctx), at_short_norm_variance(ctx)},
        .extents = {32},
        .numbers = {16384.0 / 16383},
    });
    /* examples/resnet.place:15: blend "c,c->c": 384 B, 96 flop */
    prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_statistics_short_norm_running_mean(ctx), at_short_norm_mean(ctx)},
        .extents = {32},
        .numbers = {0.1},
    });
    /* examples/resnet.place:15: blend "c,c->c": 384 B, 96 flop */
    prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_statistics_short_norm_running_variance(ctx), at_short_norm_unbiased(ctx)},
        .extents = {32},
        .numbers = {0.1},
    });
    /* examples/resnet.place:16: add "c,c->c": 384 B, 32 flop */
    ctx->at = LINE_16_computing_in_step;
    prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
        .arrays = {at_norm2_mean(ctx), at_norm2_relative_mean(ctx), at_statistics_norm2_running_mean(ctx)},
        .extents = {32},
    });
    /* examples/resnet.place:16: scale "c->c": 256 B, 32 flop */
    prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
        .arrays = {at_norm2_unbiased(ctx), at_norm2_variance(ctx)},
        .extents = {32},
        .numbers = {16384.0 / 16383},
    });
    /* examples/resnet.place:16: blend "c,c->c": 384 B, 96 flop */
    prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_statistics_norm2_running_mean(ctx), at_norm2_mean(ctx)},
        .extents = {32},
        .numbers = {0.1},
    });
    /* examples/resnet.place:16: blend "c,c->c": 384 B, 96 flop */
    prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_statistics_norm2_running_variance(ctx), at_norm2_unbiased(ctx)},
        .extents = {32},
        .numbers = {0.1},
    });
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:18: add "c,c->c": 384 B, 32 flop */
        ctx->at = LINE_18_computing_in_step;
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_deep_norm1_mean(ctx, layer), at_deep_norm1_relative_mean(ctx, layer),
                       at_statistics_deep_norm1_running_mean(ctx, layer)},
            .extents = {32},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:18: scale "c->c": 256 B, 32 flop */
        ctx->at = LINE_18_computing_in_step;
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_deep_norm1_unbiased(ctx, layer), at_deep_norm1_variance(ctx, layer)},
            .extents = {32},
            .numbers = {16384.0 / 16383},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:18: blend "c,c->c": 384 B, 96 flop */
        ctx->at = LINE_18_computing_in_step;
        prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_statistics_deep_norm1_running_mean(ctx, layer), at_deep_norm1_mean(ctx, layer)},
            .extents = {32},
            .numbers = {0.1},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:18: blend "c,c->c": 384 B, 96 flop */
        ctx->at = LINE_18_computing_in_step;
        prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_statistics_deep_norm1_running_variance(ctx, layer), at_deep_norm1_unbiased(ctx, layer)},
            .extents = {32},
            .numbers = {0.1},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:19: add "c,c->c": 384 B, 32 flop */
        ctx->at = LINE_19_computing_in_step;
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_deep_norm2_mean(ctx, layer), at_deep_norm2_relative_mean(ctx, layer),
                       at_statistics_deep_norm2_running_mean(ctx, layer)},
            .extents = {32},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:19: scale "c->c": 256 B, 32 flop */
        ctx->at = LINE_19_computing_in_step;
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_deep_norm2_unbiased(ctx, layer), at_deep_norm2_variance(ctx, layer)},
            .extents = {32},
            .numbers = {16384.0 / 16383},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:19: blend "c,c->c": 384 B, 96 flop */
        ctx->at = LINE_19_computing_in_step;
        prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_statistics_deep_norm2_running_mean(ctx, layer), at_deep_norm2_mean(ctx, layer)},
            .extents = {32},
            .numbers = {0.1},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:19: blend "c,c->c": 384 B, 96 flop */
        ctx->at = LINE_19_computing_in_step;
        prt_launch(ctx, KERNEL_blend_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_statistics_deep_norm2_running_variance(ctx, layer), at_deep_norm2_unbiased(ctx, layer)},
            .extents = {32},
            .numbers = {0.1},
        });
    }
    /* examples/resnet.place:21: output loss: 4 B */
    ctx->at = LINE_21_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_loss_sum(ctx), 1);
    /* examples/resnet.place:29: rate "->": 8 B, 8 flop */
    ctx->at = LINE_29_computing_in_step;
    prt_launch(ctx, KERNEL_rate_f32_s, 0, &(prt_arguments){
        .arrays = {at_rate(ctx), at_step(ctx)},
        .numbers = {0.1, 10, 0, 1},
    });
    /* examples/resnet.place:29: output learning_rate: 4 B */
    ctx->at = LINE_29_output_learning_rate;
    prt_output(ctx, "learning_rate", PRT_F32, at_rate(ctx), 1);
    /* examples/resnet.place:29: increment "->": 8 B, 1 flop */
    ctx->at = LINE_29_computing_in_step;
    prt_launch(ctx, KERNEL_increment_f32_s_in_place_a, 0, &(prt_arguments){.arrays = {at_step(ctx)}});
    /* examples/resnet.place:28: all_reduce gradients.outside over data: payload 60.1 KiB */
    ctx->at = LINE_28_all_reduce_gradients_outside_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_gradients_outside, at_gradients_outside(ctx), at_gradients_outside(ctx), 15376);
    /* examples/resnet.place:29: momentum: 180 KiB, 30.8 kflop */
    ctx->at = LINE_29_computing_in_step;
    if (ctx->saving_gradients)
        prt_save_gradient(ctx, GRADIENT_outside, 0, at_gradients_outside(ctx));
    prt_launch(ctx, KERNEL_momentum_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_momentum_outside(ctx), at_gradients_outside(ctx)},
        .extents = {15376},
        .numbers = {0.9},
    });
    /* examples/resnet.place:29: sgd: 180 KiB, 30.8 kflop */
    prt_launch(ctx, KERNEL_sgd_f32_i_i_s_in_place_a, 0, &(prt_arguments){
        .arrays = {at_parameters_outside(ctx), at_momentum_outside(ctx), at_rate(ctx)},
        .extents = {15376},
    });
    /* examples/resnet.place:29: momentum: 2.62 KiB, 448 flop */
    if (ctx->saving_gradients)
        prt_save_gradient(ctx, GRADIENT_outside_whole, 0, at_gradients_outside_whole(ctx));
    prt_launch(ctx, KERNEL_momentum_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_momentum_outside_whole(ctx), at_gradients_outside_whole(ctx)},
        .extents = {224},
        .numbers = {0.9},
    });
    /* examples/resnet.place:29: sgd: 2.63 KiB, 448 flop */
    prt_launch(ctx, KERNEL_sgd_f32_i_i_s_in_place_a, 0, &(prt_arguments){
        .arrays = {at_parameters_outside_whole(ctx), at_momentum_outside_whole(ctx), at_rate(ctx)},
        .extents = {224},
    });
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:28: all_reduce gradients.wide over data: payload 18.3 KiB */
        ctx->at = LINE_28_all_reduce_gradients_wide_over_data;
        prt_all_reduce(ctx, CALL_all_reduce_gradients_wide, at_gradients_wide(ctx, layer),
                       at_gradients_wide(ctx, layer), 4688);
        /* examples/resnet.place:29: momentum: 54.9 KiB, 9.38 kflop */
        ctx->at = LINE_29_computing_in_step;
        if (ctx->saving_gradients)
            prt_save_gradient(ctx, GRADIENT_wide, layer, at_gradients_wide(ctx, layer));
        prt_launch(ctx, KERNEL_momentum_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_momentum_wide(ctx, layer), at_gradients_wide(ctx, layer)},
            .extents = {4688},
            .numbers = {0.9},
        });
        /* examples/resnet.place:29: sgd: 54.9 KiB, 9.38 kflop */
        prt_launch(ctx, KERNEL_sgd_f32_i_i_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_parameters_wide(ctx, layer), at_momentum_wide(ctx, layer), at_rate(ctx)},
            .extents = {4688},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:29: momentum: 960 B, 160 flop */
        ctx->at = LINE_29_computing_in_step;
        if (ctx->saving_gradients)
            prt_save_gradient(ctx, GRADIENT_wide_whole, layer, at_gradients_wide_whole(ctx, layer));
        prt_launch(ctx, KERNEL_momentum_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_momentum_wide_whole(ctx, layer), at_gradients_wide_whole(ctx, layer)},
            .extents = {80},
            .numbers = {0.9},
        });
        /* examples/resnet.place:29: sgd: 964 B, 160 flop */
        prt_launch(ctx, KERNEL_sgd_f32_i_i_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_parameters_wide_whole(ctx, layer), at_momentum_wide_whole(ctx, layer), at_rate(ctx)},
            .extents = {80},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:28: all_reduce gradients.deep over data: payload 72.4 KiB */
        ctx->at = LINE_28_all_reduce_gradients_deep_over_data;
        prt_all_reduce(ctx, CALL_all_reduce_gradients_deep, at_gradients_deep(ctx, layer),
                       at_gradients_deep(ctx, layer), 18528);
        /* examples/resnet.place:29: momentum: 217 KiB, 37.1 kflop */
        ctx->at = LINE_29_computing_in_step;
        if (ctx->saving_gradients)
            prt_save_gradient(ctx, GRADIENT_deep, layer, at_gradients_deep(ctx, layer));
        prt_launch(ctx, KERNEL_momentum_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_momentum_deep(ctx, layer), at_gradients_deep(ctx, layer)},
            .extents = {18528},
            .numbers = {0.9},
        });
        /* examples/resnet.place:29: sgd: 217 KiB, 37.1 kflop */
        prt_launch(ctx, KERNEL_sgd_f32_i_i_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_parameters_deep(ctx, layer), at_momentum_deep(ctx, layer), at_rate(ctx)},
            .extents = {18528},
        });
    }
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:29: momentum: 1.12 KiB, 192 flop */
        ctx->at = LINE_29_computing_in_step;
        if (ctx->saving_gradients)
            prt_save_gradient(ctx, GRADIENT_deep_whole, layer, at_gradients_deep_whole(ctx, layer));
        prt_launch(ctx, KERNEL_momentum_f32_in_place_a, 0, &(prt_arguments){
            .arrays = {at_momentum_deep_whole(ctx, layer), at_gradients_deep_whole(ctx, layer)},
            .extents = {96},
            .numbers = {0.9},
        });
        /* examples/resnet.place:29: sgd: 1.13 KiB, 192 flop */
        prt_launch(ctx, KERNEL_sgd_f32_i_i_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_parameters_deep_whole(ctx, layer), at_momentum_deep_whole(ctx, layer), at_rate(ctx)},
            .extents = {96},
        });
    }
}

/* The loss on examples that are held out. */
static void eval(prt_context *ctx)
{
    /* examples/resnet.place:21: fill: 4 B */
    ctx->at = LINE_21_computing_in_eval;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_eval_loss_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 1; micro++) {
        /* examples/resnet.place:6: read pixels: 192 KiB */
        ctx->at = LINE_6_read_pixels;
        prt_read(ctx, INPUT_pixels, LAYOUT_64_over_micro_data_by_3_by_32_by_32, micro, at_eval_pixels(ctx));
        /* examples/resnet.place:7: read labels: 64 B */
        ctx->at = LINE_7_read_labels;
        prt_read(ctx, INPUT_labels, LAYOUT_64_over_micro_data, micro, at_eval_labels(ctx));
        /* examples/resnet.place:9: conv "nchw,ocij->nopq": 1.19 MiB, 14.2 Mflop */
        ctx->at = LINE_9_computing_in_eval;
        const prt_window_shape window24 = {
            .batch = 16, .groups = 1, .in = 3, .out = 16,
            .x_batch = 3072, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 27,
            .y_batch = 16384, .y_group = 0, .y_out = 1024, .y_row = 32,
            .rows = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
            .columns = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window24, at_eval_pixels(ctx),
                   at_parameters_outside(ctx) + OFFSET_conv_weight, 0, at_eval_conv(ctx));
        /* examples/resnet.place:9: sub "nchw,c->nchw": 2.00 MiB, 262 kflop */
        prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_eval_norm_relative(ctx), at_eval_conv(ctx), at_statistics_norm_running_mean(ctx)},
            .extents = {16, 16, 1024},
        });
        /* examples/resnet.place:9: rsqrt "c->c": 128 B, 32 flop */
        prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
            .arrays = {at_eval_norm_rstd(ctx), at_statistics_norm_running_variance(ctx)},
            .extents = {16},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:9: mul "c,c->c": 192 B, 16 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_eval_norm_scale(ctx), at_eval_norm_rstd(ctx),
                       at_parameters_outside_whole(ctx) + OFFSET_norm_gain},
            .extents = {16},
        });
        /* examples/resnet.place:9: mul "nchw,c->nchw": 2.00 MiB, 262 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_eval_norm_scaled(ctx), at_eval_norm_relative(ctx), at_eval_norm_scale(ctx)},
            .extents = {16, 16, 1024},
        });
        /* examples/resnet.place:9: add "nchw,c->nchw": 2.00 MiB, 262 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_eval_norm(ctx), at_eval_norm_scaled(ctx), at_parameters_outside(ctx) + OFFSET_norm_bias},
            .extents = {16, 16, 1024},
        });
        /* examples/resnet.place:9: relu "abcd->abcd": 2.00 MiB, 262 kflop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_eval_x(ctx, 0), at_eval_norm(ctx)},
            .extents = {262144},
        });
        for (int64_t layer = 0; layer < 2; layer++) {
            /* examples/resnet.place:11: conv "nchw,ocij->nopq": 2.01 MiB, 75.5 Mflop */
            ctx->at = LINE_11_computing_in_eval;
            const prt_window_shape window25 = {
                .batch = 16, .groups = 1, .in = 16, .out = 16,
                .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
                .w_group = 0, .w_out = 144,
                .y_batch = 16384, .y_group = 0, .y_out = 1024, .y_row = 32,
                .rows = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV, &window25, at_eval_x(ctx, layer),
                       at_parameters_wide(ctx, layer) + OFFSET_wide_conv1_weight, 0, at_eval_wide_conv1(ctx));
            /* examples/resnet.place:11: sub "nchw,c->nchw": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_eval_wide_norm1_relative(ctx), at_eval_wide_conv1(ctx),
                           at_statistics_wide_norm1_running_mean(ctx, layer)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:11: rsqrt "c->c": 128 B, 32 flop */
            prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
                .arrays = {at_eval_wide_norm1_rstd(ctx), at_statistics_wide_norm1_running_variance(ctx, layer)},
                .extents = {16},
                .numbers = {1e-05},
            });
            /* examples/resnet.place:11: mul "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_eval_wide_norm1_scale(ctx), at_eval_wide_norm1_rstd(ctx),
                           at_parameters_wide_whole(ctx, layer) + OFFSET_wide_norm1_gain},
                .extents = {16},
            });
            /* examples/resnet.place:11: mul "nchw,c->nchw": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_eval_wide_norm1_scaled(ctx), at_eval_wide_norm1_relative(ctx),
                           at_eval_wide_norm1_scale(ctx)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:11: add "nchw,c->nchw": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_eval_wide_norm1(ctx), at_eval_wide_norm1_scaled(ctx),
                           at_parameters_wide(ctx, layer) + OFFSET_wide_norm1_bias},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:11: relu "abcd->abcd": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
                .arrays = {at_eval_wide_z(ctx), at_eval_wide_norm1(ctx)},
                .extents = {262144},
            });
            /* examples/resnet.place:12: conv "nchw,ocij->nopq": 2.01 MiB, 75.5 Mflop */
            ctx->at = LINE_12_computing_in_eval;
            const prt_window_shape window26 = {
                .batch = 16, .groups = 1, .in = 16, .out = 16,
                .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
                .w_group = 0, .w_out = 144,
                .y_batch = 16384, .y_group = 0, .y_out = 1024, .y_row = 32,
                .rows = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV, &window26, at_eval_wide_z(ctx),
                       at_parameters_wide(ctx, layer) + OFFSET_wide_conv2_weight, 0, at_eval_wide_conv2(ctx));
            /* examples/resnet.place:12: sub "nchw,c->nchw": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_eval_wide_norm2_relative(ctx), at_eval_wide_conv2(ctx),
                           at_statistics_wide_norm2_running_mean(ctx, layer)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:12: rsqrt "c->c": 128 B, 32 flop */
            prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
                .arrays = {at_eval_wide_norm2_rstd(ctx), at_statistics_wide_norm2_running_variance(ctx, layer)},
                .extents = {16},
                .numbers = {1e-05},
            });
            /* examples/resnet.place:12: mul "c,c->c": 192 B, 16 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_eval_wide_norm2_scale(ctx), at_eval_wide_norm2_rstd(ctx),
                           at_parameters_wide_whole(ctx, layer) + OFFSET_wide_norm2_gain},
                .extents = {16},
            });
            /* examples/resnet.place:12: mul "nchw,c->nchw": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_eval_wide_norm2_scaled(ctx), at_eval_wide_norm2_relative(ctx),
                           at_eval_wide_norm2_scale(ctx)},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:12: add "nchw,c->nchw": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_eval_wide_norm2(ctx), at_eval_wide_norm2_scaled(ctx),
                           at_parameters_wide(ctx, layer) + OFFSET_wide_norm2_bias},
                .extents = {16, 16, 1024},
            });
            /* examples/resnet.place:12: add "abcd,abcd->abcd": 3.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_eval_wide_x(ctx), at_eval_x(ctx, layer), at_eval_wide_norm2(ctx)},
                .extents = {262144},
            });
            /* examples/resnet.place:12: relu "abcd->abcd": 2.00 MiB, 262 kflop */
            prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
                .arrays = {at_eval_x(ctx, layer + 1), at_eval_wide_x(ctx)},
                .extents = {262144},
            });
        }
        /* examples/resnet.place:14: conv "nchw,ocij->nopq": 1.52 MiB, 37.7 Mflop */
        ctx->at = LINE_14_computing_in_eval;
        const prt_window_shape window27 = {
            .batch = 16, .groups = 1, .in = 16, .out = 32,
            .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 144,
            .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
            .rows = {.size = 32, .input = 32, .output = 16, .window = 3, .stride = 2, .pad = 1},
            .columns = {.size = 32, .input = 32, .output = 16, .window = 3, .stride = 2, .pad = 1},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window27, at_eval_x(ctx, 2),
                   at_parameters_outside(ctx) + OFFSET_conv1_weight, 0, at_eval_conv1(ctx));
        /* examples/resnet.place:14: sub "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_eval_norm1_relative(ctx), at_eval_conv1(ctx), at_statistics_norm1_running_mean(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:14: rsqrt "c->c": 256 B, 64 flop */
        prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
            .arrays = {at_eval_norm1_rstd(ctx), at_statistics_norm1_running_variance(ctx)},
            .extents = {32},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:14: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_eval_norm1_scale(ctx), at_eval_norm1_rstd(ctx),
                       at_parameters_outside_whole(ctx) + OFFSET_norm1_gain},
            .extents = {32},
        });
        /* examples/resnet.place:14: mul "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_eval_norm1_scaled(ctx), at_eval_norm1_relative(ctx), at_eval_norm1_scale(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:14: add "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_eval_norm1(ctx), at_eval_norm1_scaled(ctx), at_parameters_outside(ctx) + OFFSET_norm1_bias},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:14: relu "abcd->abcd": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_eval_y(ctx), at_eval_norm1(ctx)},
            .extents = {131072},
        });
        /* examples/resnet.place:15: conv "nchw,ocij->nopq": 1.50 MiB, 4.19 Mflop */
        ctx->at = LINE_15_computing_in_eval;
        const prt_window_shape window28 = {
            .batch = 16, .groups = 1, .in = 16, .out = 32,
            .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 16,
            .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
            .rows = {.size = 32, .input = 32, .output = 16, .window = 1, .stride = 2, .pad = 0},
            .columns = {.size = 32, .input = 32, .output = 16, .window = 1, .stride = 2, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window28, at_eval_x(ctx, 2),
                   at_parameters_outside(ctx) + OFFSET_short_weight, 0, at_eval_short(ctx));
        /* examples/resnet.place:15: sub "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_eval_short_norm_relative(ctx), at_eval_short(ctx),
                       at_statistics_short_norm_running_mean(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:15: rsqrt "c->c": 256 B, 64 flop */
        prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
            .arrays = {at_eval_short_norm_rstd(ctx), at_statistics_short_norm_running_variance(ctx)},
            .extents = {32},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:15: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_eval_short_norm_scale(ctx), at_eval_short_norm_rstd(ctx),
                       at_parameters_outside_whole(ctx) + OFFSET_short_norm_gain},
            .extents = {32},
        });
        /* examples/resnet.place:15: mul "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_eval_short_norm_scaled(ctx), at_eval_short_norm_relative(ctx), at_eval_short_norm_scale(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:15: add "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_eval_short_norm(ctx), at_eval_short_norm_scaled(ctx),
                       at_parameters_outside(ctx) + OFFSET_short_norm_bias},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:16: conv "nchw,ocij->nopq": 1.04 MiB, 75.5 Mflop */
        ctx->at = LINE_16_computing_in_eval;
        const prt_window_shape window29 = {
            .batch = 16, .groups = 1, .in = 32, .out = 32,
            .x_batch = 8192, .x_group = 0, .x_in = 256, .x_row = 16,
            .w_group = 0, .w_out = 288,
            .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
            .rows = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
            .columns = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window29, at_eval_y(ctx),
                   at_parameters_outside(ctx) + OFFSET_conv2_weight, 0, at_eval_conv2(ctx));
        /* examples/resnet.place:16: sub "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_eval_norm2_relative(ctx), at_eval_conv2(ctx), at_statistics_norm2_running_mean(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:16: rsqrt "c->c": 256 B, 64 flop */
        prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
            .arrays = {at_eval_norm2_rstd(ctx), at_statistics_norm2_running_variance(ctx)},
            .extents = {32},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:16: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_eval_norm2_scale(ctx), at_eval_norm2_rstd(ctx),
                       at_parameters_outside_whole(ctx) + OFFSET_norm2_gain},
            .extents = {32},
        });
        /* examples/resnet.place:16: mul "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_eval_norm2_scaled(ctx), at_eval_norm2_relative(ctx), at_eval_norm2_scale(ctx)},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:16: add "nchw,c->nchw": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_eval_norm2(ctx), at_eval_norm2_scaled(ctx), at_parameters_outside(ctx) + OFFSET_norm2_bias},
            .extents = {16, 32, 256},
        });
        /* examples/resnet.place:15: add "abcd,abcd->abcd": 1.50 MiB, 131 kflop */
        ctx->at = LINE_15_computing_in_eval;
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_eval_x_2(ctx), at_eval_short_norm(ctx), at_eval_norm2(ctx)},
            .extents = {131072},
        });
        /* examples/resnet.place:15: relu "abcd->abcd": 1.00 MiB, 131 kflop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_eval_x_3(ctx, 0), at_eval_x_2(ctx)},
            .extents = {131072},
        });
        for (int64_t layer = 0; layer < 2; layer++) {
            /* examples/resnet.place:18: conv "nchw,ocij->nopq": 1.04 MiB, 75.5 Mflop */
            ctx->at = LINE_18_computing_in_eval;
            const prt_window_shape window30 = {
                .batch = 16, .groups = 1, .in = 32, .out = 32,
                .x_batch = 8192, .x_group = 0, .x_in = 256, .x_row = 16,
                .w_group = 0, .w_out = 288,
                .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
                .rows = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV, &window30, at_eval_x_3(ctx, layer),
                       at_parameters_deep(ctx, layer) + OFFSET_deep_conv1_weight, 0, at_eval_deep_conv1(ctx));
            /* examples/resnet.place:18: sub "nchw,c->nchw": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_eval_deep_norm1_relative(ctx), at_eval_deep_conv1(ctx),
                           at_statistics_deep_norm1_running_mean(ctx, layer)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:18: rsqrt "c->c": 256 B, 64 flop */
            prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
                .arrays = {at_eval_deep_norm1_rstd(ctx), at_statistics_deep_norm1_running_variance(ctx, layer)},
                .extents = {32},
                .numbers = {1e-05},
            });
            /* examples/resnet.place:18: mul "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_eval_deep_norm1_scale(ctx), at_eval_deep_norm1_rstd(ctx),
                           at_parameters_deep_whole(ctx, layer) + OFFSET_deep_norm1_gain},
                .extents = {32},
            });
            /* examples/resnet.place:18: mul "nchw,c->nchw": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_eval_deep_norm1_scaled(ctx), at_eval_deep_norm1_relative(ctx),
                           at_eval_deep_norm1_scale(ctx)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:18: add "nchw,c->nchw": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_eval_deep_norm1(ctx), at_eval_deep_norm1_scaled(ctx),
                           at_parameters_deep(ctx, layer) + OFFSET_deep_norm1_bias},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:18: relu "abcd->abcd": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
                .arrays = {at_eval_deep_z(ctx), at_eval_deep_norm1(ctx)},
                .extents = {131072},
            });
            /* examples/resnet.place:19: conv "nchw,ocij->nopq": 1.04 MiB, 75.5 Mflop */
            ctx->at = LINE_19_computing_in_eval;
            const prt_window_shape window31 = {
                .batch = 16, .groups = 1, .in = 32, .out = 32,
                .x_batch = 8192, .x_group = 0, .x_in = 256, .x_row = 16,
                .w_group = 0, .w_out = 288,
                .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
                .rows = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
                .columns = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
            };
            prt_window(ctx, 0, PRT_F32, PRT_CONV, &window31, at_eval_deep_z(ctx),
                       at_parameters_deep(ctx, layer) + OFFSET_deep_conv2_weight, 0, at_eval_deep_conv2(ctx));
            /* examples/resnet.place:19: sub "nchw,c->nchw": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_eval_deep_norm2_relative(ctx), at_eval_deep_conv2(ctx),
                           at_statistics_deep_norm2_running_mean(ctx, layer)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:19: rsqrt "c->c": 256 B, 64 flop */
            prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
                .arrays = {at_eval_deep_norm2_rstd(ctx), at_statistics_deep_norm2_running_variance(ctx, layer)},
                .extents = {32},
                .numbers = {1e-05},
            });
            /* examples/resnet.place:19: mul "c,c->c": 384 B, 32 flop */
            prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
                .arrays = {at_eval_deep_norm2_scale(ctx), at_eval_deep_norm2_rstd(ctx),
                           at_parameters_deep_whole(ctx, layer) + OFFSET_deep_norm2_gain},
                .extents = {32},
            });
            /* examples/resnet.place:19: mul "nchw,c->nchw": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_eval_deep_norm2_scaled(ctx), at_eval_deep_norm2_relative(ctx),
                           at_eval_deep_norm2_scale(ctx)},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:19: add "nchw,c->nchw": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
                .arrays = {at_eval_deep_norm2(ctx), at_eval_deep_norm2_scaled(ctx),
                           at_parameters_deep(ctx, layer) + OFFSET_deep_norm2_bias},
                .extents = {16, 32, 256},
            });
            /* examples/resnet.place:19: add "abcd,abcd->abcd": 1.50 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
                .arrays = {at_eval_deep_x(ctx), at_eval_x_3(ctx, layer), at_eval_deep_norm2(ctx)},
                .extents = {131072},
            });
            /* examples/resnet.place:19: relu "abcd->abcd": 1.00 MiB, 131 kflop */
            prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
                .arrays = {at_eval_x_3(ctx, layer + 1), at_eval_deep_x(ctx)},
                .extents = {131072},
            });
        }
        /* examples/resnet.place:21: reduce "nchw->nc": 514 KiB, 131 kflop */
        ctx->at = LINE_21_computing_in_eval;
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_sum(ctx), at_eval_x_3(ctx, 2)},
            .extents = {512, 256},
        });
        /* examples/resnet.place:21: scale "nc->nc": 4.00 KiB, 512 flop */
        prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms(ctx), at_eval_loss_terms_sum(ctx)},
            .extents = {512},
            .numbers = {1.0 / 256},
        });
        /* examples/resnet.place:21: einsum "bh,oh->bo": 3.88 KiB, 10.2 kflop */
        const prt_gemm_shape gemm12 = {
            .m = 16, .n = 10, .k = 32,
            .a_row = 32, .a_column = 1,
            .b_row = 1, .b_column = 32,
            .c_row = 10, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm12, at_eval_loss_terms(ctx), at_parameters_outside(ctx) + OFFSET_head_weight, 0,
                 at_eval_head_product(ctx));
        /* examples/resnet.place:21: add "bo,o->bo": 1.29 KiB, 160 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_eval_head(ctx), at_eval_head_product(ctx), at_parameters_outside(ctx) + OFFSET_head_bias},
            .extents = {16, 10},
        });
        /* examples/resnet.place:21: iota: 40 B */
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_class_positions(ctx)},
            .extents = {10},
            .numbers = {0},
        });
        /* examples/resnet.place:21: row_max "bv->b": 704 B, 160 flop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_largest(ctx), at_eval_head(ctx)},
            .extents = {16, 10},
        });
        /* examples/resnet.place:21: exp_sum "bv,b->b": 768 B, 640 flop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_exp_sum(ctx), at_eval_head(ctx), at_eval_loss_terms_largest(ctx)},
            .extents = {16, 10},
        });
        /* examples/resnet.place:21: pick "bv,b,v->b": 808 B, 160 flop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_target_logit(ctx), at_eval_head(ctx), at_eval_labels(ctx),
                       at_eval_class_positions(ctx)},
            .extents = {16, 10},
        });
        /* examples/resnet.place:21: log_loss "b,b,b->b": 256 B, 96 flop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_2(ctx), at_eval_loss_terms_largest(ctx), at_eval_loss_terms_exp_sum(ctx),
                       at_eval_loss_terms_target_logit(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:21: reduce "a->": 68 B, 16 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx), at_eval_loss_terms_2(ctx)},
            .extents = {16},
        });
        /* examples/resnet.place:21: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx)},
            .numbers = {1.0 / 64},
        });
        /* examples/resnet.place:21: add to eval.loss.sum "->": 12 B */
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_eval_loss_sum(ctx), at_eval_loss(ctx)},
        });
    }
    /* examples/resnet.place:28: all_reduce eval.loss.sum over data: payload 4 B */
    ctx->at = LINE_28_all_reduce_eval_loss_sum_over_data;
    prt_all_reduce(ctx, CALL_eval_all_reduce_loss_sum, at_eval_loss_sum(ctx), at_eval_loss_sum(ctx), 1);
    /* examples/resnet.place:21: output loss: 4 B */
    ctx->at = LINE_21_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_eval_loss_sum(ctx), 1);
}

/* The model's output on the text so far. */
static void predict(prt_context *ctx)
{
    /* examples/resnet.place:6: read pixels: 12.0 KiB */
    ctx->at = LINE_6_read_pixels;
    prt_read(ctx, INPUT_pixels, LAYOUT_1_by_3_by_32_by_32, 0, at_predict_pixels(ctx));
    /* examples/resnet.place:9: conv "nchw,ocij->nopq": 77.7 KiB, 885 kflop */
    ctx->at = LINE_9_computing_in_predict;
    const prt_window_shape window32 = {
        .batch = 1, .groups = 1, .in = 3, .out = 16,
        .x_batch = 3072, .x_group = 0, .x_in = 1024, .x_row = 32,
        .w_group = 0, .w_out = 27,
        .y_batch = 16384, .y_group = 0, .y_out = 1024, .y_row = 32,
        .rows = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
        .columns = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
    };
    prt_window(ctx, 0, PRT_F32, PRT_CONV, &window32, at_predict_pixels(ctx),
               at_parameters_outside(ctx) + OFFSET_conv_weight, 0, at_predict_conv(ctx));
    /* examples/resnet.place:9: sub "nchw,c->nchw": 128 KiB, 16.4 kflop */
    prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
        .arrays = {at_predict_norm_relative(ctx), at_predict_conv(ctx), at_statistics_norm_running_mean(ctx)},
        .extents = {1, 16, 1024},
    });
    /* examples/resnet.place:9: rsqrt "c->c": 128 B, 32 flop */
    prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
        .arrays = {at_predict_norm_rstd(ctx), at_statistics_norm_running_variance(ctx)},
        .extents = {16},
        .numbers = {1e-05},
    });
    /* examples/resnet.place:9: mul "c,c->c": 192 B, 16 flop */
    prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
        .arrays = {at_predict_norm_scale(ctx), at_predict_norm_rstd(ctx),
                   at_parameters_outside_whole(ctx) + OFFSET_norm_gain},
        .extents = {16},
    });
    /* examples/resnet.place:9: mul "nchw,c->nchw": 128 KiB, 16.4 kflop */
    prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
        .arrays = {at_predict_norm_scaled(ctx), at_predict_norm_relative(ctx), at_predict_norm_scale(ctx)},
        .extents = {1, 16, 1024},
    });
    /* examples/resnet.place:9: add "nchw,c->nchw": 128 KiB, 16.4 kflop */
    prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
        .arrays = {at_predict_norm(ctx), at_predict_norm_scaled(ctx), at_parameters_outside(ctx) + OFFSET_norm_bias},
        .extents = {1, 16, 1024},
    });
    /* examples/resnet.place:9: relu "abcd->abcd": 128 KiB, 16.4 kflop */
    prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
        .arrays = {at_predict_x(ctx, 0), at_predict_norm(ctx)},
        .extents = {16384},
    });
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:11: conv "nchw,ocij->nopq": 137 KiB, 4.72 Mflop */
        ctx->at = LINE_11_computing_in_predict;
        const prt_window_shape window33 = {
            .batch = 1, .groups = 1, .in = 16, .out = 16,
            .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 144,
            .y_batch = 16384, .y_group = 0, .y_out = 1024, .y_row = 32,
            .rows = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
            .columns = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window33, at_predict_x(ctx, layer),
                   at_parameters_wide(ctx, layer) + OFFSET_wide_conv1_weight, 0, at_predict_wide_conv1(ctx));
        /* examples/resnet.place:11: sub "nchw,c->nchw": 128 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_predict_wide_norm1_relative(ctx), at_predict_wide_conv1(ctx),
                       at_statistics_wide_norm1_running_mean(ctx, layer)},
            .extents = {1, 16, 1024},
        });
        /* examples/resnet.place:11: rsqrt "c->c": 128 B, 32 flop */
        prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
            .arrays = {at_predict_wide_norm1_rstd(ctx), at_statistics_wide_norm1_running_variance(ctx, layer)},
            .extents = {16},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:11: mul "c,c->c": 192 B, 16 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_predict_wide_norm1_scale(ctx), at_predict_wide_norm1_rstd(ctx),
                       at_parameters_wide_whole(ctx, layer) + OFFSET_wide_norm1_gain},
            .extents = {16},
        });
        /* examples/resnet.place:11: mul "nchw,c->nchw": 128 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_predict_wide_norm1_scaled(ctx), at_predict_wide_norm1_relative(ctx),
                       at_predict_wide_norm1_scale(ctx)},
            .extents = {1, 16, 1024},
        });
        /* examples/resnet.place:11: add "nchw,c->nchw": 128 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_predict_wide_norm1(ctx), at_predict_wide_norm1_scaled(ctx),
                       at_parameters_wide(ctx, layer) + OFFSET_wide_norm1_bias},
            .extents = {1, 16, 1024},
        });
        /* examples/resnet.place:11: relu "abcd->abcd": 128 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_predict_wide_z(ctx), at_predict_wide_norm1(ctx)},
            .extents = {16384},
        });
        /* examples/resnet.place:12: conv "nchw,ocij->nopq": 137 KiB, 4.72 Mflop */
        ctx->at = LINE_12_computing_in_predict;
        const prt_window_shape window34 = {
            .batch = 1, .groups = 1, .in = 16, .out = 16,
            .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 144,
            .y_batch = 16384, .y_group = 0, .y_out = 1024, .y_row = 32,
            .rows = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
            .columns = {.size = 32, .input = 32, .output = 32, .window = 3, .stride = 1, .pad = 1},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window34, at_predict_wide_z(ctx),
                   at_parameters_wide(ctx, layer) + OFFSET_wide_conv2_weight, 0, at_predict_wide_conv2(ctx));
        /* examples/resnet.place:12: sub "nchw,c->nchw": 128 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_predict_wide_norm2_relative(ctx), at_predict_wide_conv2(ctx),
                       at_statistics_wide_norm2_running_mean(ctx, layer)},
            .extents = {1, 16, 1024},
        });
        /* examples/resnet.place:12: rsqrt "c->c": 128 B, 32 flop */
        prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
            .arrays = {at_predict_wide_norm2_rstd(ctx), at_statistics_wide_norm2_running_variance(ctx, layer)},
            .extents = {16},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:12: mul "c,c->c": 192 B, 16 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_predict_wide_norm2_scale(ctx), at_predict_wide_norm2_rstd(ctx),
                       at_parameters_wide_whole(ctx, layer) + OFFSET_wide_norm2_gain},
            .extents = {16},
        });
        /* examples/resnet.place:12: mul "nchw,c->nchw": 128 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_predict_wide_norm2_scaled(ctx), at_predict_wide_norm2_relative(ctx),
                       at_predict_wide_norm2_scale(ctx)},
            .extents = {1, 16, 1024},
        });
        /* examples/resnet.place:12: add "nchw,c->nchw": 128 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_predict_wide_norm2(ctx), at_predict_wide_norm2_scaled(ctx),
                       at_parameters_wide(ctx, layer) + OFFSET_wide_norm2_bias},
            .extents = {1, 16, 1024},
        });
        /* examples/resnet.place:12: add "abcd,abcd->abcd": 192 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_predict_wide_x(ctx), at_predict_x(ctx, layer), at_predict_wide_norm2(ctx)},
            .extents = {16384},
        });
        /* examples/resnet.place:12: relu "abcd->abcd": 128 KiB, 16.4 kflop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_predict_x(ctx, layer + 1), at_predict_wide_x(ctx)},
            .extents = {16384},
        });
    }
    /* examples/resnet.place:14: conv "nchw,ocij->nopq": 114 KiB, 2.36 Mflop */
    ctx->at = LINE_14_computing_in_predict;
    const prt_window_shape window35 = {
        .batch = 1, .groups = 1, .in = 16, .out = 32,
        .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
        .w_group = 0, .w_out = 144,
        .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
        .rows = {.size = 32, .input = 32, .output = 16, .window = 3, .stride = 2, .pad = 1},
        .columns = {.size = 32, .input = 32, .output = 16, .window = 3, .stride = 2, .pad = 1},
    };
    prt_window(ctx, 0, PRT_F32, PRT_CONV, &window35, at_predict_x(ctx, 2),
               at_parameters_outside(ctx) + OFFSET_conv1_weight, 0, at_predict_conv1(ctx));
    /* examples/resnet.place:14: sub "nchw,c->nchw": 64.1 KiB, 8.19 kflop */
    prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
        .arrays = {at_predict_norm1_relative(ctx), at_predict_conv1(ctx), at_statistics_norm1_running_mean(ctx)},
        .extents = {1, 32, 256},
    });
    /* examples/resnet.place:14: rsqrt "c->c": 256 B, 64 flop */
    prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
        .arrays = {at_predict_norm1_rstd(ctx), at_statistics_norm1_running_variance(ctx)},
        .extents = {32},
        .numbers = {1e-05},
    });
    /* examples/resnet.place:14: mul "c,c->c": 384 B, 32 flop */
    prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
        .arrays = {at_predict_norm1_scale(ctx), at_predict_norm1_rstd(ctx),
                   at_parameters_outside_whole(ctx) + OFFSET_norm1_gain},
        .extents = {32},
    });
    /* examples/resnet.place:14: mul "nchw,c->nchw": 64.1 KiB, 8.19 kflop */
    prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
        .arrays = {at_predict_norm1_scaled(ctx), at_predict_norm1_relative(ctx), at_predict_norm1_scale(ctx)},
        .extents = {1, 32, 256},
    });
    /* examples/resnet.place:14: add "nchw,c->nchw": 64.1 KiB, 8.19 kflop */
    prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
        .arrays = {at_predict_norm1(ctx), at_predict_norm1_scaled(ctx), at_parameters_outside(ctx) + OFFSET_norm1_bias},
        .extents = {1, 32, 256},
    });
    /* examples/resnet.place:14: relu "abcd->abcd": 64.0 KiB, 8.19 kflop */
    prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
        .arrays = {at_predict_y(ctx), at_predict_norm1(ctx)},
        .extents = {8192},
    });
    /* examples/resnet.place:15: conv "nchw,ocij->nopq": 98.0 KiB, 262 kflop */
    ctx->at = LINE_15_computing_in_predict;
    const prt_window_shape window36 = {
        .batch = 1, .groups = 1, .in = 16, .out = 32,
        .x_batch = 16384, .x_group = 0, .x_in = 1024, .x_row = 32,
        .w_group = 0, .w_out = 16,
        .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
        .rows = {.size = 32, .input = 32, .output = 16, .window = 1, .stride = 2, .pad = 0},
        .columns = {.size = 32, .input = 32, .output = 16, .window = 1, .stride = 2, .pad = 0},
    };
    prt_window(ctx, 0, PRT_F32, PRT_CONV, &window36, at_predict_x(ctx, 2),
               at_parameters_outside(ctx) + OFFSET_short_weight, 0, at_predict_short(ctx));
    /* examples/resnet.place:15: sub "nchw,c->nchw": 64.1 KiB, 8.19 kflop */
    prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
        .arrays = {at_predict_short_norm_relative(ctx), at_predict_short(ctx),
                   at_statistics_short_norm_running_mean(ctx)},
        .extents = {1, 32, 256},
    });
    /* examples/resnet.place:15: rsqrt "c->c": 256 B, 64 flop */
    prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
        .arrays = {at_predict_short_norm_rstd(ctx), at_statistics_short_norm_running_variance(ctx)},
        .extents = {32},
        .numbers = {1e-05},
    });
    /* examples/resnet.place:15: mul "c,c->c": 384 B, 32 flop */
    prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
        .arrays = {at_predict_short_norm_scale(ctx), at_predict_short_norm_rstd(ctx),
                   at_parameters_outside_whole(ctx) + OFFSET_short_norm_gain},
        .extents = {32},
    });
    /* examples/resnet.place:15: mul "nchw,c->nchw": 64.1 KiB, 8.19 kflop */
    prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
        .arrays = {at_predict_short_norm_scaled(ctx), at_predict_short_norm_relative(ctx),
                   at_predict_short_norm_scale(ctx)},
        .extents = {1, 32, 256},
    });
    /* examples/resnet.place:15: add "nchw,c->nchw": 64.1 KiB, 8.19 kflop */
    prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
        .arrays = {at_predict_short_norm(ctx), at_predict_short_norm_scaled(ctx),
                   at_parameters_outside(ctx) + OFFSET_short_norm_bias},
        .extents = {1, 32, 256},
    });
    /* examples/resnet.place:16: conv "nchw,ocij->nopq": 100 KiB, 4.72 Mflop */
    ctx->at = LINE_16_computing_in_predict;
    const prt_window_shape window37 = {
        .batch = 1, .groups = 1, .in = 32, .out = 32,
        .x_batch = 8192, .x_group = 0, .x_in = 256, .x_row = 16,
        .w_group = 0, .w_out = 288,
        .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
        .rows = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
        .columns = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
    };
    prt_window(ctx, 0, PRT_F32, PRT_CONV, &window37, at_predict_y(ctx),
               at_parameters_outside(ctx) + OFFSET_conv2_weight, 0, at_predict_conv2(ctx));
    /* examples/resnet.place:16: sub "nchw,c->nchw": 64.1 KiB, 8.19 kflop */
    prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
        .arrays = {at_predict_norm2_relative(ctx), at_predict_conv2(ctx), at_statistics_norm2_running_mean(ctx)},
        .extents = {1, 32, 256},
    });
    /* examples/resnet.place:16: rsqrt "c->c": 256 B, 64 flop */
    prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
        .arrays = {at_predict_norm2_rstd(ctx), at_statistics_norm2_running_variance(ctx)},
        .extents = {32},
        .numbers = {1e-05},
    });
    /* examples/resnet.place:16: mul "c,c->c": 384 B, 32 flop */
    prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
        .arrays = {at_predict_norm2_scale(ctx), at_predict_norm2_rstd(ctx),
                   at_parameters_outside_whole(ctx) + OFFSET_norm2_gain},
        .extents = {32},
    });
    /* examples/resnet.place:16: mul "nchw,c->nchw": 64.1 KiB, 8.19 kflop */
    prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
        .arrays = {at_predict_norm2_scaled(ctx), at_predict_norm2_relative(ctx), at_predict_norm2_scale(ctx)},
        .extents = {1, 32, 256},
    });
    /* examples/resnet.place:16: add "nchw,c->nchw": 64.1 KiB, 8.19 kflop */
    prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
        .arrays = {at_predict_norm2(ctx), at_predict_norm2_scaled(ctx), at_parameters_outside(ctx) + OFFSET_norm2_bias},
        .extents = {1, 32, 256},
    });
    /* examples/resnet.place:15: add "abcd,abcd->abcd": 96.0 KiB, 8.19 kflop */
    ctx->at = LINE_15_computing_in_predict;
    prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
        .arrays = {at_predict_x_2(ctx), at_predict_short_norm(ctx), at_predict_norm2(ctx)},
        .extents = {8192},
    });
    /* examples/resnet.place:15: relu "abcd->abcd": 64.0 KiB, 8.19 kflop */
    prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
        .arrays = {at_predict_x_3(ctx, 0), at_predict_x_2(ctx)},
        .extents = {8192},
    });
    for (int64_t layer = 0; layer < 2; layer++) {
        /* examples/resnet.place:18: conv "nchw,ocij->nopq": 100 KiB, 4.72 Mflop */
        ctx->at = LINE_18_computing_in_predict;
        const prt_window_shape window38 = {
            .batch = 1, .groups = 1, .in = 32, .out = 32,
            .x_batch = 8192, .x_group = 0, .x_in = 256, .x_row = 16,
            .w_group = 0, .w_out = 288,
            .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
            .rows = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
            .columns = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window38, at_predict_x_3(ctx, layer),
                   at_parameters_deep(ctx, layer) + OFFSET_deep_conv1_weight, 0, at_predict_deep_conv1(ctx));
        /* examples/resnet.place:18: sub "nchw,c->nchw": 64.1 KiB, 8.19 kflop */
        prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_predict_deep_norm1_relative(ctx), at_predict_deep_conv1(ctx),
                       at_statistics_deep_norm1_running_mean(ctx, layer)},
            .extents = {1, 32, 256},
        });
        /* examples/resnet.place:18: rsqrt "c->c": 256 B, 64 flop */
        prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
            .arrays = {at_predict_deep_norm1_rstd(ctx), at_statistics_deep_norm1_running_variance(ctx, layer)},
            .extents = {32},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:18: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_predict_deep_norm1_scale(ctx), at_predict_deep_norm1_rstd(ctx),
                       at_parameters_deep_whole(ctx, layer) + OFFSET_deep_norm1_gain},
            .extents = {32},
        });
        /* examples/resnet.place:18: mul "nchw,c->nchw": 64.1 KiB, 8.19 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_predict_deep_norm1_scaled(ctx), at_predict_deep_norm1_relative(ctx),
                       at_predict_deep_norm1_scale(ctx)},
            .extents = {1, 32, 256},
        });
        /* examples/resnet.place:18: add "nchw,c->nchw": 64.1 KiB, 8.19 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_predict_deep_norm1(ctx), at_predict_deep_norm1_scaled(ctx),
                       at_parameters_deep(ctx, layer) + OFFSET_deep_norm1_bias},
            .extents = {1, 32, 256},
        });
        /* examples/resnet.place:18: relu "abcd->abcd": 64.0 KiB, 8.19 kflop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_predict_deep_z(ctx), at_predict_deep_norm1(ctx)},
            .extents = {8192},
        });
        /* examples/resnet.place:19: conv "nchw,ocij->nopq": 100 KiB, 4.72 Mflop */
        ctx->at = LINE_19_computing_in_predict;
        const prt_window_shape window39 = {
            .batch = 1, .groups = 1, .in = 32, .out = 32,
            .x_batch = 8192, .x_group = 0, .x_in = 256, .x_row = 16,
            .w_group = 0, .w_out = 288,
            .y_batch = 8192, .y_group = 0, .y_out = 256, .y_row = 16,
            .rows = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
            .columns = {.size = 16, .input = 16, .output = 16, .window = 3, .stride = 1, .pad = 1},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window39, at_predict_deep_z(ctx),
                   at_parameters_deep(ctx, layer) + OFFSET_deep_conv2_weight, 0, at_predict_deep_conv2(ctx));
        /* examples/resnet.place:19: sub "nchw,c->nchw": 64.1 KiB, 8.19 kflop */
        prt_launch(ctx, KERNEL_sub_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_predict_deep_norm2_relative(ctx), at_predict_deep_conv2(ctx),
                       at_statistics_deep_norm2_running_mean(ctx, layer)},
            .extents = {1, 32, 256},
        });
        /* examples/resnet.place:19: rsqrt "c->c": 256 B, 64 flop */
        prt_launch(ctx, KERNEL_rsqrt_f32, 0, &(prt_arguments){
            .arrays = {at_predict_deep_norm2_rstd(ctx), at_statistics_deep_norm2_running_variance(ctx, layer)},
            .extents = {32},
            .numbers = {1e-05},
        });
        /* examples/resnet.place:19: mul "c,c->c": 384 B, 32 flop */
        prt_launch(ctx, KERNEL_mul_f32, 0, &(prt_arguments){
            .arrays = {at_predict_deep_norm2_scale(ctx), at_predict_deep_norm2_rstd(ctx),
                       at_parameters_deep_whole(ctx, layer) + OFFSET_deep_norm2_gain},
            .extents = {32},
        });
        /* examples/resnet.place:19: mul "nchw,c->nchw": 64.1 KiB, 8.19 kflop */
        prt_launch(ctx, KERNEL_mul_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_predict_deep_norm2_scaled(ctx), at_predict_deep_norm2_relative(ctx),
                       at_predict_deep_norm2_scale(ctx)},
            .extents = {1, 32, 256},
        });
        /* examples/resnet.place:19: add "nchw,c->nchw": 64.1 KiB, 8.19 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_predict_deep_norm2(ctx), at_predict_deep_norm2_scaled(ctx),
                       at_parameters_deep(ctx, layer) + OFFSET_deep_norm2_bias},
            .extents = {1, 32, 256},
        });
        /* examples/resnet.place:19: add "abcd,abcd->abcd": 96.0 KiB, 8.19 kflop */
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_predict_deep_x(ctx), at_predict_x_3(ctx, layer), at_predict_deep_norm2(ctx)},
            .extents = {8192},
        });
        /* examples/resnet.place:19: relu "abcd->abcd": 64.0 KiB, 8.19 kflop */
        prt_launch(ctx, KERNEL_relu_f32, 0, &(prt_arguments){
            .arrays = {at_predict_x_3(ctx, layer + 1), at_predict_deep_x(ctx)},
            .extents = {8192},
        });
    }
    /* examples/resnet.place:21: reduce "nchw->nc": 32.1 KiB, 8.19 kflop */
    ctx->at = LINE_21_computing_in_predict;
    prt_launch(ctx, KERNEL_reduce_f32_ij_to_i, 0, &(prt_arguments){
        .arrays = {at_predict_loss_terms_sum(ctx), at_predict_x_3(ctx, 2)},
        .extents = {32, 256},
    });
    /* examples/resnet.place:21: scale "nc->nc": 256 B, 32 flop */
    prt_launch(ctx, KERNEL_scale_f32, 0, &(prt_arguments){
        .arrays = {at_predict_loss_terms(ctx), at_predict_loss_terms_sum(ctx)},
        .extents = {32},
        .numbers = {1.0 / 256},
    });
    /* examples/resnet.place:21: einsum "bh,oh->bo": 1.41 KiB, 640 flop */
    const prt_gemm_shape gemm13 = {
        .m = 1, .n = 10, .k = 32,
        .a_row = 32, .a_column = 1,
        .b_row = 1, .b_column = 32,
        .c_row = 10, .c_column = 1,
    };
    prt_gemm(ctx, 0, PRT_F32, &gemm13, at_predict_loss_terms(ctx), at_parameters_outside(ctx) + OFFSET_head_weight, 0,
             at_predict_head_product(ctx));
    /* examples/resnet.place:21: add "bo,o->bo": 120 B, 10 flop */
    prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
        .arrays = {at_predict_head(ctx), at_predict_head_product(ctx), at_parameters_outside(ctx) + OFFSET_head_bias},
        .extents = {1, 10},
    });
    /* examples/resnet.place:21: output logits: 40 B */
    ctx->at = LINE_21_output_logits;
    prt_output(ctx, "logits", PRT_F32, at_predict_head(ctx), 10);
}

/* ---- The plan, for the runtime ---- */

/* Rows of a table. */
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static const prt_tensor tensors[] = {
    [TENSOR_conv_weight] = {"conv.weight", NULL, 1, PRT_F32, 4, {16, 3, 3, 3}, PRT_NORMAL, 0.2721655269759087},
    [TENSOR_norm_gain] = {"norm.gain", NULL, 1, PRT_F32, 1, {16}, PRT_ONES, 0},
    [TENSOR_norm_bias] = {"norm.bias", NULL, 1, PRT_F32, 1, {16}, PRT_ZEROS, 0},
    [TENSOR_norm_running_mean] = {"norm.running_mean", NULL, 1, PRT_F32, 1, {16}, PRT_ZEROS, 0},
    [TENSOR_norm_running_variance] = {"norm.running_variance", NULL, 1, PRT_F32, 1, {16}, PRT_ONES, 0},
    [TENSOR_wide_conv1_weight] =
        {"wide.conv1.weight", "wide", 2, PRT_F32, 4, {16, 16, 3, 3}, PRT_NORMAL, 0.11785113019775792},
    [TENSOR_wide_norm1_gain] = {"wide.norm1.gain", "wide", 2, PRT_F32, 1, {16}, PRT_ONES, 0},
    [TENSOR_wide_norm1_bias] = {"wide.norm1.bias", "wide", 2, PRT_F32, 1, {16}, PRT_ZEROS, 0},
    [TENSOR_wide_norm1_running_mean] = {"wide.norm1.running_mean", "wide", 2, PRT_F32, 1, {16}, PRT_ZEROS, 0},
    [TENSOR_wide_norm1_running_variance] = {"wide.norm1.running_variance", "wide", 2, PRT_F32, 1, {16}, PRT_ONES, 0},
    [TENSOR_wide_conv2_weight] =
        {"wide.conv2.weight", "wide", 2, PRT_F32, 4, {16, 16, 3, 3}, PRT_NORMAL, 0.11785113019775792},
    [TENSOR_wide_norm2_gain] = {"wide.norm2.gain", "wide", 2, PRT_F32, 1, {16}, PRT_ONES, 0},
    [TENSOR_wide_norm2_bias] = {"wide.norm2.bias", "wide", 2, PRT_F32, 1, {16}, PRT_ZEROS, 0},
    [TENSOR_wide_norm2_running_mean] = {"wide.norm2.running_mean", "wide", 2, PRT_F32, 1, {16}, PRT_ZEROS, 0},
    [TENSOR_wide_norm2_running_variance] = {"wide.norm2.running_variance", "wide", 2, PRT_F32, 1, {16}, PRT_ONES, 0},
    [TENSOR_conv1_weight] = {"conv1.weight", NULL, 1, PRT_F32, 4, {32, 16, 3, 3}, PRT_NORMAL, 0.11785113019775792},
    [TENSOR_norm1_gain] = {"norm1.gain", NULL, 1, PRT_F32, 1, {32}, PRT_ONES, 0},
    [TENSOR_norm1_bias] = {"norm1.bias", NULL, 1, PRT_F32, 1, {32}, PRT_ZEROS, 0},
    [TENSOR_norm1_running_mean] = {"norm1.running_mean", NULL, 1, PRT_F32, 1, {32}, PRT_ZEROS, 0},
    [TENSOR_norm1_running_variance] = {"norm1.running_variance", NULL, 1, PRT_F32, 1, {32}, PRT_ONES, 0},
    [TENSOR_short_weight] = {"short.weight", NULL, 1, PRT_F32, 4, {32, 16, 1, 1}, PRT_NORMAL, 0.3535533905932738},
    [TENSOR_short_norm_gain] = {"short_norm.gain", NULL, 1, PRT_F32, 1, {32}, PRT_ONES, 0},
    [TENSOR_short_norm_bias] = {"short_norm.bias", NULL, 1, PRT_F32, 1, {32}, PRT_ZEROS, 0},
    [TENSOR_short_norm_running_mean] = {"short_norm.running_mean", NULL, 1, PRT_F32, 1, {32}, PRT_ZEROS, 0},
    [TENSOR_short_norm_running_variance] = {"short_norm.running_variance", NULL, 1, PRT_F32, 1, {32}, PRT_ONES, 0},
    [TENSOR_conv2_weight] = {"conv2.weight", NULL, 1, PRT_F32, 4, {32, 32, 3, 3}, PRT_NORMAL, 0.08333333333333333},
    [TENSOR_norm2_gain] = {"norm2.gain", NULL, 1, PRT_F32, 1, {32}, PRT_ONES, 0},
    [TENSOR_norm2_bias] = {"norm2.bias", NULL, 1, PRT_F32, 1, {32}, PRT_ZEROS, 0},
    [TENSOR_norm2_running_mean] = {"norm2.running_mean", NULL, 1, PRT_F32, 1, {32}, PRT_ZEROS, 0},
    [TENSOR_norm2_running_variance] = {"norm2.running_variance", NULL, 1, PRT_F32, 1, {32}, PRT_ONES, 0},
    [TENSOR_deep_conv1_weight] =
        {"deep.conv1.weight", "deep", 2, PRT_F32, 4, {32, 32, 3, 3}, PRT_NORMAL, 0.08333333333333333},
    [TENSOR_deep_norm1_gain] = {"deep.norm1.gain", "deep", 2, PRT_F32, 1, {32}, PRT_ONES, 0},
    [TENSOR_deep_norm1_bias] = {"deep.norm1.bias", "deep", 2, PRT_F32, 1, {32}, PRT_ZEROS, 0},
    [TENSOR_deep_norm1_running_mean] = {"deep.norm1.running_mean", "deep", 2, PRT_F32, 1, {32}, PRT_ZEROS, 0},
    [TENSOR_deep_norm1_running_variance] = {"deep.norm1.running_variance", "deep", 2, PRT_F32, 1, {32}, PRT_ONES, 0},
    [TENSOR_deep_conv2_weight] =
        {"deep.conv2.weight", "deep", 2, PRT_F32, 4, {32, 32, 3, 3}, PRT_NORMAL, 0.08333333333333333},
    [TENSOR_deep_norm2_gain] = {"deep.norm2.gain", "deep", 2, PRT_F32, 1, {32}, PRT_ONES, 0},
    [TENSOR_deep_norm2_bias] = {"deep.norm2.bias", "deep", 2, PRT_F32, 1, {32}, PRT_ZEROS, 0},
    [TENSOR_deep_norm2_running_mean] = {"deep.norm2.running_mean", "deep", 2, PRT_F32, 1, {32}, PRT_ZEROS, 0},
    [TENSOR_deep_norm2_running_variance] = {"deep.norm2.running_variance", "deep", 2, PRT_F32, 1, {32}, PRT_ONES, 0},
    [TENSOR_head_weight] = {"head.weight", NULL, 1, PRT_F32, 2, {10, 32}, PRT_NORMAL, 0.17677669529663687},
    [TENSOR_head_bias] = {"head.bias", NULL, 1, PRT_F32, 1, {10}, PRT_ZEROS, 0},
};

static const prt_input inputs[] = {
    [INPUT_pixels] = {"pixels", PRT_F32, PRT_FEATURES, 0, 4, {64, 3, 32, 32}},
    [INPUT_labels] = {"labels", PRT_I32, PRT_LABELS, 10, 1, {64}},
};

static const prt_member members_outside[] = {
    {TENSOR_conv_weight, OFFSET_conv_weight, NULL},
    {TENSOR_norm_bias, OFFSET_norm_bias, NULL},
    {TENSOR_conv1_weight, OFFSET_conv1_weight, NULL},
    {TENSOR_norm1_bias, OFFSET_norm1_bias, NULL},
    {TENSOR_short_weight, OFFSET_short_weight, NULL},
    {TENSOR_short_norm_bias, OFFSET_short_norm_bias, NULL},
    {TENSOR_conv2_weight, OFFSET_conv2_weight, NULL},
    {TENSOR_norm2_bias, OFFSET_norm2_bias, NULL},
    {TENSOR_head_weight, OFFSET_head_weight, NULL},
    {TENSOR_head_bias, OFFSET_head_bias, NULL},
};

static const prt_member members_outside_whole[] = {
    {TENSOR_norm_gain, OFFSET_norm_gain, NULL},
    {TENSOR_norm1_gain, OFFSET_norm1_gain, NULL},
    {TENSOR_short_norm_gain, OFFSET_short_norm_gain, NULL},
    {TENSOR_norm2_gain, OFFSET_norm2_gain, NULL},
};

static const prt_member members_wide[] = {
    {TENSOR_wide_conv1_weight, OFFSET_wide_conv1_weight, NULL},
    {TENSOR_wide_norm1_bias, OFFSET_wide_norm1_bias, NULL},
    {TENSOR_wide_conv2_weight, OFFSET_wide_conv2_weight, NULL},
    {TENSOR_wide_norm2_bias, OFFSET_wide_norm2_bias, NULL},
};

static const prt_member members_wide_whole[] = {
    {TENSOR_wide_norm1_gain, OFFSET_wide_norm1_gain, NULL},
    {TENSOR_wide_norm2_gain, OFFSET_wide_norm2_gain, NULL},
};

static const prt_member members_deep[] = {
    {TENSOR_deep_conv1_weight, OFFSET_deep_conv1_weight, NULL},
    {TENSOR_deep_norm1_bias, OFFSET_deep_norm1_bias, NULL},
    {TENSOR_deep_conv2_weight, OFFSET_deep_conv2_weight, NULL},
    {TENSOR_deep_norm2_bias, OFFSET_deep_norm2_bias, NULL},
};

static const prt_member members_deep_whole[] = {
    {TENSOR_deep_norm1_gain, OFFSET_deep_norm1_gain, NULL},
    {TENSOR_deep_norm2_gain, OFFSET_deep_norm2_gain, NULL},
};

static const prt_unit units[] = {
    [UNIT_outside] = {"outside", 0, 0, COUNT(members_outside), members_outside, 15376},
    [UNIT_outside_whole] = {"outside.whole", 0, 0, COUNT(members_outside_whole), members_outside_whole, 224},
    [UNIT_wide] = {"wide", 0, 1, COUNT(members_wide), members_wide, 4688},
    [UNIT_wide_whole] = {"wide.whole", 0, 1, COUNT(members_wide_whole), members_wide_whole, 80},
    [UNIT_deep] = {"deep", 0, 1, COUNT(members_deep), members_deep, 18528},
    [UNIT_deep_whole] = {"deep.whole", 0, 1, COUNT(members_deep_whole), members_deep_whole, 96},
};

static const prt_state states[] = {
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 61504,
        .layout = LAYOUT_outside,
        .tensor = -1,
    },
    {
        .state = "momentum",
        .tier = PRT_DEVICE,
        .offset = ARENA_momentum_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 61504,
        .layout = LAYOUT_outside,
        .tensor = -1,
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_outside_whole,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 896,
        .layout = LAYOUT_outside_whole,
        .tensor = -1,
    },
    {
        .state = "momentum",
        .tier = PRT_DEVICE,
        .offset = ARENA_momentum_outside_whole,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 896,
        .layout = LAYOUT_outside_whole,
        .tensor = -1,
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_wide,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 18752,
        .layout = LAYOUT_wide,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    {
        .state = "momentum",
        .tier = PRT_DEVICE,
        .offset = ARENA_momentum_wide,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 18752,
        .layout = LAYOUT_wide,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_wide_whole,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 320,
        .layout = LAYOUT_wide_whole,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    {
        .state = "momentum",
        .tier = PRT_DEVICE,
        .offset = ARENA_momentum_wide_whole,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 320,
        .layout = LAYOUT_wide_whole,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_deep,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 74112,
        .layout = LAYOUT_deep,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    {
        .state = "momentum",
        .tier = PRT_DEVICE,
        .offset = ARENA_momentum_deep,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 74112,
        .layout = LAYOUT_deep,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_deep_whole,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 384,
        .layout = LAYOUT_deep_whole,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    {
        .state = "momentum",
        .tier = PRT_DEVICE,
        .offset = ARENA_momentum_deep_whole,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 384,
        .layout = LAYOUT_deep_whole,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_norm_running_mean,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 64,
        .layout = LAYOUT_16,
        .tensor = TENSOR_norm_running_mean,
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_norm_running_variance,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 64,
        .layout = LAYOUT_16,
        .tensor = TENSOR_norm_running_variance,
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_norm1_running_mean,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 128,
        .layout = LAYOUT_32,
        .tensor = TENSOR_norm1_running_mean,
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_norm1_running_variance,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 128,
        .layout = LAYOUT_32,
        .tensor = TENSOR_norm1_running_variance,
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_short_norm_running_mean,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 128,
        .layout = LAYOUT_32,
        .tensor = TENSOR_short_norm_running_mean,
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_short_norm_running_variance,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 128,
        .layout = LAYOUT_32,
        .tensor = TENSOR_short_norm_running_variance,
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_norm2_running_mean,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 128,
        .layout = LAYOUT_32,
        .tensor = TENSOR_norm2_running_mean,
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_norm2_running_variance,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 128,
        .layout = LAYOUT_32,
        .tensor = TENSOR_norm2_running_variance,
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_wide_norm1_running_mean,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 64,
        .layout = LAYOUT_16,
        .tensor = TENSOR_wide_norm1_running_mean,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_wide_norm1_running_variance,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 64,
        .layout = LAYOUT_16,
        .tensor = TENSOR_wide_norm1_running_variance,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_wide_norm2_running_mean,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 64,
        .layout = LAYOUT_16,
        .tensor = TENSOR_wide_norm2_running_mean,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_wide_norm2_running_variance,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 64,
        .layout = LAYOUT_16,
        .tensor = TENSOR_wide_norm2_running_variance,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_deep_norm1_running_mean,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 128,
        .layout = LAYOUT_32,
        .tensor = TENSOR_deep_norm1_running_mean,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_deep_norm1_running_variance,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 128,
        .layout = LAYOUT_32,
        .tensor = TENSOR_deep_norm1_running_variance,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_deep_norm2_running_mean,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 128,
        .layout = LAYOUT_32,
        .tensor = TENSOR_deep_norm2_running_mean,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    {
        .state = "statistics",
        .tier = PRT_DEVICE,
        .offset = ARENA_statistics_deep_norm2_running_variance,
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 128,
        .layout = LAYOUT_32,
        .tensor = TENSOR_deep_norm2_running_variance,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
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
        .slot_bytes = 61504,
        .layout = LAYOUT_outside,
        .tensor = -1,
    },
    [GRADIENT_outside_whole] = {
        .state = "gradients",
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 896,
        .layout = LAYOUT_outside_whole,
        .tensor = -1,
    },
    [GRADIENT_wide] = {
        .state = "gradients",
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 18752,
        .layout = LAYOUT_wide,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    [GRADIENT_wide_whole] = {
        .state = "gradients",
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 320,
        .layout = LAYOUT_wide_whole,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    [GRADIENT_deep] = {
        .state = "gradients",
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 74112,
        .layout = LAYOUT_deep,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
    [GRADIENT_deep_whole] = {
        .state = "gradients",
        .dtype = PRT_F32,
        .slots = 2,
        .slot_bytes = 384,
        .layout = LAYOUT_deep_whole,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 1}},
    },
};

static const prt_group groups[] = {
    [GROUP_data] = {1, {AXIS_data}},
};

static const prt_call calls[] = {
    [CALL_all_reduce_norm_mean_sum_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "norm.mean.sum.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_32,
        .into = LAYOUT_32,
        .event = -1,
        .stream = 0,
        .source = LINE_9_all_reduce_norm_mean_sum_bucket_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 128,
    },
    [CALL_all_reduce_wide_norm1_mean_sum_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "wide.norm1.mean.sum.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_32,
        .into = LAYOUT_32,
        .event = -1,
        .stream = 0,
        .source = LINE_11_all_reduce_wide_norm1_mean_sum_bucket_over_data,
        .calls_per_step = (const int64_t[]){2},
        .payload_bytes = 128,
    },
    [CALL_all_reduce_wide_norm2_mean_sum_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "wide.norm2.mean.sum.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_32,
        .into = LAYOUT_32,
        .event = -1,
        .stream = 0,
        .source = LINE_12_all_reduce_wide_norm2_mean_sum_bucket_over_data,
        .calls_per_step = (const int64_t[]){2},
        .payload_bytes = 128,
    },
    [CALL_all_reduce_norm1_mean_sum_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "norm1.mean.sum.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_64,
        .into = LAYOUT_64,
        .event = -1,
        .stream = 0,
        .source = LINE_14_all_reduce_norm1_mean_sum_bucket_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 256,
    },
    [CALL_all_reduce_short_norm_mean_sum_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "short_norm.mean.sum.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_64,
        .into = LAYOUT_64,
        .event = -1,
        .stream = 0,
        .source = LINE_15_all_reduce_short_norm_mean_sum_bucket_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 256,
    },
    [CALL_all_reduce_norm2_mean_sum_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "norm2.mean.sum.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_64,
        .into = LAYOUT_64,
        .event = -1,
        .stream = 0,
        .source = LINE_16_all_reduce_norm2_mean_sum_bucket_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 256,
    },
    [CALL_all_reduce_deep_norm1_mean_sum_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "deep.norm1.mean.sum.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_64,
        .into = LAYOUT_64,
        .event = -1,
        .stream = 0,
        .source = LINE_18_all_reduce_deep_norm1_mean_sum_bucket_over_data,
        .calls_per_step = (const int64_t[]){2},
        .payload_bytes = 256,
    },
    [CALL_all_reduce_deep_norm2_mean_sum_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "deep.norm2.mean.sum.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_64,
        .into = LAYOUT_64,
        .event = -1,
        .stream = 0,
        .source = LINE_19_all_reduce_deep_norm2_mean_sum_bucket_over_data,
        .calls_per_step = (const int64_t[]){2},
        .payload_bytes = 256,
    },
    [CALL_all_reduce_d_deep_norm2_offset_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "d_deep.norm2.offset.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_64,
        .into = LAYOUT_64,
        .event = -1,
        .stream = 0,
        .source = LINE_19_all_reduce_d_deep_norm2_offset_bucket_over_data,
        .calls_per_step = (const int64_t[]){2},
        .payload_bytes = 256,
    },
    [CALL_all_reduce_d_deep_norm1_offset_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "d_deep.norm1.offset.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_64,
        .into = LAYOUT_64,
        .event = -1,
        .stream = 0,
        .source = LINE_18_all_reduce_d_deep_norm1_offset_bucket_over_data,
        .calls_per_step = (const int64_t[]){2},
        .payload_bytes = 256,
    },
    [CALL_all_reduce_d_norm2_offset_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "d_norm2.offset.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_64,
        .into = LAYOUT_64,
        .event = -1,
        .stream = 0,
        .source = LINE_16_all_reduce_d_norm2_offset_bucket_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 256,
    },
    [CALL_all_reduce_d_short_norm_offset_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "d_short_norm.offset.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_64,
        .into = LAYOUT_64,
        .event = -1,
        .stream = 0,
        .source = LINE_15_all_reduce_d_short_norm_offset_bucket_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 256,
    },
    [CALL_all_reduce_d_norm1_offset_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "d_norm1.offset.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_64,
        .into = LAYOUT_64,
        .event = -1,
        .stream = 0,
        .source = LINE_14_all_reduce_d_norm1_offset_bucket_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 256,
    },
    [CALL_all_reduce_d_wide_norm2_offset_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "d_wide.norm2.offset.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_32,
        .into = LAYOUT_32,
        .event = -1,
        .stream = 0,
        .source = LINE_12_all_reduce_d_wide_norm2_offset_bucket_over_data,
        .calls_per_step = (const int64_t[]){2},
        .payload_bytes = 128,
    },
    [CALL_all_reduce_d_wide_norm1_offset_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "d_wide.norm1.offset.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_32,
        .into = LAYOUT_32,
        .event = -1,
        .stream = 0,
        .source = LINE_11_all_reduce_d_wide_norm1_offset_bucket_over_data,
        .calls_per_step = (const int64_t[]){2},
        .payload_bytes = 128,
    },
    [CALL_all_reduce_d_norm_offset_bucket] = {
        .op = PRT_ALL_REDUCE,
        .state = "d_norm.offset.bucket",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_32,
        .into = LAYOUT_32,
        .event = -1,
        .stream = 0,
        .source = LINE_9_all_reduce_d_norm_offset_bucket_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 128,
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
        .source = LINE_28_all_reduce_loss_sum_over_data,
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
        .source = LINE_28_all_reduce_gradients_outside_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 61504,
    },
    [CALL_all_reduce_gradients_wide] = {
        .op = PRT_ALL_REDUCE,
        .state = "gradients",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_wide,
        .into = LAYOUT_wide,
        .event = -1,
        .stream = 0,
        .source = LINE_28_all_reduce_gradients_wide_over_data,
        .calls_per_step = (const int64_t[]){2},
        .payload_bytes = 18752,
    },
    [CALL_all_reduce_gradients_deep] = {
        .op = PRT_ALL_REDUCE,
        .state = "gradients",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_deep,
        .into = LAYOUT_deep,
        .event = -1,
        .stream = 0,
        .source = LINE_28_all_reduce_gradients_deep_over_data,
        .calls_per_step = (const int64_t[]){2},
        .payload_bytes = 74112,
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
        .source = LINE_28_all_reduce_eval_loss_sum_over_data,
        .calls_per_step = (const int64_t[]){0},
        .payload_bytes = 4,
    },
};

static const prt_kernel kernels[] = {
    [KERNEL_fill_f32] = {
        .entry = "kernel_fill_f32",
        .host = kernel_fill_f32,
        .arrays = {{PRT_F32, "i"}},
        .array_count = 1, .extent_count = 1, .number_count = 1,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 0,
    },
    [KERNEL_fill_f32_to_s] = {
        .entry = "kernel_fill_f32_to_s",
        .host = kernel_fill_f32_to_s,
        .arrays = {{PRT_F32, ""}},
        .array_count = 1, .extent_count = 0, .number_count = 1,
        .reads_result = false,
        .split = "", .work = "", .per_thread = true,
        .space = "", .operations = 0,
    },
    [KERNEL_sub_f32_ijk_j] = {
        .entry = "kernel_sub_f32_ijk_j",
        .host = kernel_sub_f32_ijk_j,
        .arrays = {{PRT_F32, "ijk"}, {PRT_F32, "ijk"}, {PRT_F32, "j"}},
        .array_count = 3, .extent_count = 3, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ijk", .per_thread = true,
        .space = "ijk", .operations = 1,
    },
    [KERNEL_reduce_f32_ijk_to_j] = {
        .entry = "kernel_reduce_f32_ijk_to_j",
        .host = kernel_reduce_f32_ijk_to_j,
        .arrays = {{PRT_F32, "j"}, {PRT_F32, "ijk"}},
        .array_count = 2, .extent_count = 3, .number_count = 0,
        .reads_result = false,
        .split = "j", .work = "j", .per_thread = false,
        .space = "ijk", .operations = 1,
    },
    [KERNEL_sum_squares_f32_ijk_to_j] = {
        .entry = "kernel_sum_squares_f32_ijk_to_j",
        .host = kernel_sum_squares_f32_ijk_to_j,
        .arrays = {{PRT_F32, "j"}, {PRT_F32, "ijk"}},
        .array_count = 2, .extent_count = 3, .number_count = 0,
        .reads_result = false,
        .split = "j", .work = "j", .per_thread = false,
        .space = "ijk", .operations = 2,
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
    [KERNEL_scale_f32] = {
        .entry = "kernel_scale_f32",
        .host = kernel_scale_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 1,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 1,
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
    [KERNEL_sub_f32] = {
        .entry = "kernel_sub_f32",
        .host = kernel_sub_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 1,
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
    [KERNEL_rsqrt_f32] = {
        .entry = "kernel_rsqrt_f32",
        .host = kernel_rsqrt_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 1,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 2,
    },
    [KERNEL_mul_f32_ijk_j] = {
        .entry = "kernel_mul_f32_ijk_j",
        .host = kernel_mul_f32_ijk_j,
        .arrays = {{PRT_F32, "ijk"}, {PRT_F32, "ijk"}, {PRT_F32, "j"}},
        .array_count = 3, .extent_count = 3, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ijk", .per_thread = true,
        .space = "ijk", .operations = 1,
    },
    [KERNEL_add_f32_ijk_j] = {
        .entry = "kernel_add_f32_ijk_j",
        .host = kernel_add_f32_ijk_j,
        .arrays = {{PRT_F32, "ijk"}, {PRT_F32, "ijk"}, {PRT_F32, "j"}},
        .array_count = 3, .extent_count = 3, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ijk", .per_thread = true,
        .space = "ijk", .operations = 1,
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
    [KERNEL_reduce_f32_ij_to_i] = {
        .entry = "kernel_reduce_f32_ij_to_i",
        .host = kernel_reduce_f32_ij_to_i,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "ij"}},
        .array_count = 2, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = false,
        .space = "ij", .operations = 1,
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
    [KERNEL_copy_f32_i_to_ij] = {
        .entry = "kernel_copy_f32_i_to_ij",
        .host = kernel_copy_f32_i_to_ij,
        .arrays = {{PRT_F32, "ij"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ij", .per_thread = true,
        .space = "ij", .operations = 0,
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
    [KERNEL_mul_f32_accumulate] = {
        .entry = "kernel_mul_f32_accumulate",
        .host = kernel_mul_f32_accumulate,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = true,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 1,
    },
    [KERNEL_rsqrt_bwd_f32] = {
        .entry = "kernel_rsqrt_bwd_f32",
        .host = kernel_rsqrt_bwd_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 1, .number_count = 1,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 5,
    },
    [KERNEL_mul_f32_ijk_j_accumulate] = {
        .entry = "kernel_mul_f32_ijk_j_accumulate",
        .host = kernel_mul_f32_ijk_j_accumulate,
        .arrays = {{PRT_F32, "ijk"}, {PRT_F32, "ijk"}, {PRT_F32, "j"}},
        .array_count = 3, .extent_count = 3, .number_count = 0,
        .reads_result = true,
        .split = "i", .work = "ijk", .per_thread = true,
        .space = "ijk", .operations = 1,
    },
    [KERNEL_copy_f32_j_to_ijk_accumulate] = {
        .entry = "kernel_copy_f32_j_to_ijk_accumulate",
        .host = kernel_copy_f32_j_to_ijk_accumulate,
        .arrays = {{PRT_F32, "ijk"}, {PRT_F32, "j"}},
        .array_count = 2, .extent_count = 3, .number_count = 0,
        .reads_result = true,
        .split = "i", .work = "ijk", .per_thread = true,
        .space = "ijk", .operations = 0,
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
    [KERNEL_blend_f32_in_place_a] = {
        .entry = "kernel_blend_f32_in_place_a",
        .host = kernel_blend_f32_in_place_a,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 1,
        .reads_result = true,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 3,
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
    [KERNEL_momentum_f32_in_place_a] = {
        .entry = "kernel_momentum_f32_in_place_a",
        .host = kernel_momentum_f32_in_place_a,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 1,
        .reads_result = true,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 2,
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
    [LAYOUT_outside_whole] = {.unit = UNIT_outside_whole},
    [LAYOUT_wide] = {.unit = UNIT_wide},
    [LAYOUT_wide_whole] = {.unit = UNIT_wide_whole},
    [LAYOUT_deep] = {.unit = UNIT_deep},
    [LAYOUT_deep_whole] = {.unit = UNIT_deep_whole},
    [LAYOUT_64_over_micro_data_by_3_by_32_by_32] =
        {.unit = -1, .dim_count = 4, .dims = {{.size = 64, .cut_count = 2, .cut = {PRT_MICRO, AXIS_data}}, {.size = 3}, {.size = 32}, {.size = 32}}},
    [LAYOUT_64_over_micro_data] =
        {.unit = -1, .dim_count = 1, .dims = {{.size = 64, .cut_count = 2, .cut = {PRT_MICRO, AXIS_data}}}},
    [LAYOUT_32] = {.unit = -1, .dim_count = 1, .dims = {{.size = 32}}},
    [LAYOUT_64] = {.unit = -1, .dim_count = 1, .dims = {{.size = 64}}},
    [LAYOUT_scalar] = {.unit = -1},
    [LAYOUT_1_by_3_by_32_by_32] =
        {.unit = -1, .dim_count = 4, .dims = {{.size = 1}, {.size = 3}, {.size = 32}, {.size = 32}}},
    [LAYOUT_16] = {.unit = -1, .dim_count = 1, .dims = {{.size = 16}}},
};

static const prt_class classes[] = {
    {
        .memory = {247144, 247144, 247148, 27465928, 2432, 0, 7356},
    },
};

static const prt_buffer buffers[] = {
    {.name = "parameters.outside", .tier = PRT_DEVICE, .offset = ARENA_parameters_outside, .bytes = 61504},
    {.name = "gradients.outside", .tier = PRT_DEVICE, .offset = ARENA_gradients_outside, .bytes = 61504},
    {.name = "momentum.outside", .tier = PRT_DEVICE, .offset = ARENA_momentum_outside, .bytes = 61504},
    {.name = "parameters.outside.whole", .tier = PRT_DEVICE, .offset = ARENA_parameters_outside_whole, .bytes = 896},
    {.name = "gradients.outside.whole", .tier = PRT_DEVICE, .offset = ARENA_gradients_outside_whole, .bytes = 896},
    {.name = "momentum.outside.whole", .tier = PRT_DEVICE, .offset = ARENA_momentum_outside_whole, .bytes = 896},
    {.name = "parameters.wide", .tier = PRT_DEVICE, .offset = ARENA_parameters_wide, .bytes = 37504},
    {.name = "gradients.wide", .tier = PRT_DEVICE, .offset = ARENA_gradients_wide, .bytes = 37504},
    {.name = "momentum.wide", .tier = PRT_DEVICE, .offset = ARENA_momentum_wide, .bytes = 37504},
    {.name = "parameters.wide.whole", .tier = PRT_DEVICE, .offset = ARENA_parameters_wide_whole, .bytes = 640},
    {.name = "gradients.wide.whole", .tier = PRT_DEVICE, .offset = ARENA_gradients_wide_whole, .bytes = 640},
    {.name = "momentum.wide.whole", .tier = PRT_DEVICE, .offset = ARENA_momentum_wide_whole, .bytes = 640},
    {.name = "parameters.deep", .tier = PRT_DEVICE, .offset = ARENA_parameters_deep, .bytes = 148224},
    {.name = "gradients.deep", .tier = PRT_DEVICE, .offset = ARENA_gradients_deep, .bytes = 148224},
    {.name = "momentum.deep", .tier = PRT_DEVICE, .offset = ARENA_momentum_deep, .bytes = 148224},
    {.name = "parameters.deep.whole", .tier = PRT_DEVICE, .offset = ARENA_parameters_deep_whole, .bytes = 768},
    {.name = "gradients.deep.whole", .tier = PRT_DEVICE, .offset = ARENA_gradients_deep_whole, .bytes = 768},
    {.name = "momentum.deep.whole", .tier = PRT_DEVICE, .offset = ARENA_momentum_deep_whole, .bytes = 768},
    {.name = "statistics.norm.running_mean", .tier = PRT_DEVICE, .offset = ARENA_statistics_norm_running_mean, .bytes = 64},
    {.name = "statistics.norm.running_variance", .tier = PRT_DEVICE, .offset = ARENA_statistics_norm_running_variance, .bytes = 64},
    {.name = "statistics.norm1.running_mean", .tier = PRT_DEVICE, .offset = ARENA_statistics_norm1_running_mean, .bytes = 128},
    {.name = "statistics.norm1.running_variance", .tier = PRT_DEVICE, .offset = ARENA_statistics_norm1_running_variance, .bytes = 128},
    {.name = "statistics.short_norm.running_mean", .tier = PRT_DEVICE, .offset = ARENA_statistics_short_norm_running_mean, .bytes = 128},
    {.name = "statistics.short_norm.running_variance", .tier = PRT_DEVICE, .offset = ARENA_statistics_short_norm_running_variance, .bytes = 128},
    {.name = "statistics.norm2.running_mean", .tier = PRT_DEVICE, .offset = ARENA_statistics_norm2_running_mean, .bytes = 128},
    {.name = "statistics.norm2.running_variance", .tier = PRT_DEVICE, .offset = ARENA_statistics_norm2_running_variance, .bytes = 128},
    {.name = "statistics.wide.norm1.running_mean", .tier = PRT_DEVICE, .offset = ARENA_statistics_wide_norm1_running_mean, .bytes = 128},
    {.name = "statistics.wide.norm1.running_variance", .tier = PRT_DEVICE, .offset = ARENA_statistics_wide_norm1_running_variance, .bytes = 128},
    {.name = "statistics.wide.norm2.running_mean", .tier = PRT_DEVICE, .offset = ARENA_statistics_wide_norm2_running_mean, .bytes = 128},
    {.name = "statistics.wide.norm2.running_variance", .tier = PRT_DEVICE, .offset = ARENA_statistics_wide_norm2_running_variance, .bytes = 128},
    {.name = "statistics.deep.norm1.running_mean", .tier = PRT_DEVICE, .offset = ARENA_statistics_deep_norm1_running_mean, .bytes = 256},
    {.name = "statistics.deep.norm1.running_variance", .tier = PRT_DEVICE, .offset = ARENA_statistics_deep_norm1_running_variance, .bytes = 256},
    {.name = "statistics.deep.norm2.running_mean", .tier = PRT_DEVICE, .offset = ARENA_statistics_deep_norm2_running_mean, .bytes = 256},
    {.name = "statistics.deep.norm2.running_variance", .tier = PRT_DEVICE, .offset = ARENA_statistics_deep_norm2_running_variance, .bytes = 256},
    {.name = "step", .tier = PRT_DEVICE, .offset = ARENA_step, .bytes = 4},
    {.name = "loss.sum", .tier = PRT_DEVICE, .offset = ARENA_loss_sum, .bytes = 4},
    {.name = "pixels", .tier = PRT_DEVICE, .offset = ARENA_pixels, .bytes = 196608},
    {.name = "labels", .tier = PRT_DEVICE, .offset = ARENA_labels, .bytes = 64},
    {.name = "conv", .tier = PRT_DEVICE, .offset = ARENA_conv, .bytes = 1048576},
    {.name = "norm.relative", .tier = PRT_DEVICE, .offset = ARENA_norm_relative, .bytes = 1048576},
    {.name = "norm.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_norm_mean_sum, .bytes = 64},
    {.name = "norm.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_norm_variance_sum, .bytes = 64},
    {.name = "norm.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_norm_relative_mean, .bytes = 64},
    {.name = "norm.square.mean", .tier = PRT_DEVICE, .offset = ARENA_norm_square_mean, .bytes = 64},
    {.name = "norm.mean.square", .tier = PRT_DEVICE, .offset = ARENA_norm_mean_square, .bytes = 64},
    {.name = "norm.difference", .tier = PRT_DEVICE, .offset = ARENA_norm_difference, .bytes = 64},
    {.name = "norm.variance", .tier = PRT_DEVICE, .offset = ARENA_norm_variance, .bytes = 64},
    {.name = "norm.rstd", .tier = PRT_DEVICE, .offset = ARENA_norm_rstd, .bytes = 64},
    {.name = "norm.scale", .tier = PRT_DEVICE, .offset = ARENA_norm_scale, .bytes = 64},
    {.name = "norm.shift", .tier = PRT_DEVICE, .offset = ARENA_norm_shift, .bytes = 64},
    {.name = "norm.offset", .tier = PRT_DEVICE, .offset = ARENA_norm_offset, .bytes = 64},
    {.name = "norm.scaled", .tier = PRT_DEVICE, .offset = ARENA_norm_scaled, .bytes = 1048576},
    {.name = "norm", .tier = PRT_DEVICE, .offset = ARENA_norm, .bytes = 1048576},
    {.name = "x", .tier = PRT_DEVICE, .offset = ARENA_x, .bytes = 3145728},
    {.name = "wide.conv1", .tier = PRT_DEVICE, .offset = ARENA_wide_conv1, .bytes = 1048576},
    {.name = "wide.norm1.relative", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_relative, .bytes = 2097152},
    {.name = "wide.norm1.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_mean_sum, .bytes = 64},
    {.name = "wide.norm1.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_variance_sum, .bytes = 64},
    {.name = "wide.norm1.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_relative_mean, .bytes = 128},
    {.name = "wide.norm1.square.mean", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_square_mean, .bytes = 64},
    {.name = "wide.norm1.mean.square", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_mean_square, .bytes = 64},
    {.name = "wide.norm1.difference", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_difference, .bytes = 128},
    {.name = "wide.norm1.variance", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_variance, .bytes = 128},
    {.name = "wide.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_rstd, .bytes = 128},
    {.name = "wide.norm1.scale", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_scale, .bytes = 128},
    {.name = "wide.norm1.shift", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_shift, .bytes = 64},
    {.name = "wide.norm1.offset", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_offset, .bytes = 64},
    {.name = "wide.norm1.scaled", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_scaled, .bytes = 1048576},
    {.name = "wide.norm1", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1, .bytes = 2097152},
    {.name = "wide.z", .tier = PRT_DEVICE, .offset = ARENA_wide_z, .bytes = 2097152},
    {.name = "wide.conv2", .tier = PRT_DEVICE, .offset = ARENA_wide_conv2, .bytes = 1048576},
    {.name = "wide.norm2.relative", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_relative, .bytes = 2097152},
    {.name = "wide.norm2.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_mean_sum, .bytes = 64},
    {.name = "wide.norm2.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_variance_sum, .bytes = 64},
    {.name = "wide.norm2.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_relative_mean, .bytes = 128},
    {.name = "wide.norm2.square.mean", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_square_mean, .bytes = 64},
    {.name = "wide.norm2.mean.square", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_mean_square, .bytes = 64},
    {.name = "wide.norm2.difference", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_difference, .bytes = 128},
    {.name = "wide.norm2.variance", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_variance, .bytes = 128},
    {.name = "wide.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_rstd, .bytes = 128},
    {.name = "wide.norm2.scale", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_scale, .bytes = 128},
    {.name = "wide.norm2.shift", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_shift, .bytes = 64},
    {.name = "wide.norm2.offset", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_offset, .bytes = 64},
    {.name = "wide.norm2.scaled", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_scaled, .bytes = 1048576},
    {.name = "wide.norm2", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2, .bytes = 1048576},
    {.name = "wide.x", .tier = PRT_DEVICE, .offset = ARENA_wide_x, .bytes = 2097152},
    {.name = "conv1", .tier = PRT_DEVICE, .offset = ARENA_conv1, .bytes = 524288},
    {.name = "norm1.relative", .tier = PRT_DEVICE, .offset = ARENA_norm1_relative, .bytes = 524288},
    {.name = "norm1.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_norm1_mean_sum, .bytes = 128},
    {.name = "norm1.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_norm1_variance_sum, .bytes = 128},
    {.name = "norm1.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_norm1_relative_mean, .bytes = 128},
    {.name = "norm1.square.mean", .tier = PRT_DEVICE, .offset = ARENA_norm1_square_mean, .bytes = 128},
    {.name = "norm1.mean.square", .tier = PRT_DEVICE, .offset = ARENA_norm1_mean_square, .bytes = 128},
    {.name = "norm1.difference", .tier = PRT_DEVICE, .offset = ARENA_norm1_difference, .bytes = 128},
    {.name = "norm1.variance", .tier = PRT_DEVICE, .offset = ARENA_norm1_variance, .bytes = 128},
    {.name = "norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_norm1_rstd, .bytes = 128},
    {.name = "norm1.scale", .tier = PRT_DEVICE, .offset = ARENA_norm1_scale, .bytes = 128},
    {.name = "norm1.shift", .tier = PRT_DEVICE, .offset = ARENA_norm1_shift, .bytes = 128},
    {.name = "norm1.offset", .tier = PRT_DEVICE, .offset = ARENA_norm1_offset, .bytes = 128},
    {.name = "norm1.scaled", .tier = PRT_DEVICE, .offset = ARENA_norm1_scaled, .bytes = 524288},
    {.name = "norm1", .tier = PRT_DEVICE, .offset = ARENA_norm1, .bytes = 524288},
    {.name = "y", .tier = PRT_DEVICE, .offset = ARENA_y, .bytes = 524288},
    {.name = "short", .tier = PRT_DEVICE, .offset = ARENA_short, .bytes = 524288},
    {.name = "short_norm.relative", .tier = PRT_DEVICE, .offset = ARENA_short_norm_relative, .bytes = 524288},
    {.name = "short_norm.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_short_norm_mean_sum, .bytes = 128},
    {.name = "short_norm.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_short_norm_variance_sum, .bytes = 128},
    {.name = "short_norm.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_short_norm_relative_mean, .bytes = 128},
    {.name = "short_norm.square.mean", .tier = PRT_DEVICE, .offset = ARENA_short_norm_square_mean, .bytes = 128},
    {.name = "short_norm.mean.square", .tier = PRT_DEVICE, .offset = ARENA_short_norm_mean_square, .bytes = 128},
    {.name = "short_norm.difference", .tier = PRT_DEVICE, .offset = ARENA_short_norm_difference, .bytes = 128},
    {.name = "short_norm.variance", .tier = PRT_DEVICE, .offset = ARENA_short_norm_variance, .bytes = 128},
    {.name = "short_norm.rstd", .tier = PRT_DEVICE, .offset = ARENA_short_norm_rstd, .bytes = 128},
    {.name = "short_norm.scale", .tier = PRT_DEVICE, .offset = ARENA_short_norm_scale, .bytes = 128},
    {.name = "short_norm.shift", .tier = PRT_DEVICE, .offset = ARENA_short_norm_shift, .bytes = 128},
    {.name = "short_norm.offset", .tier = PRT_DEVICE, .offset = ARENA_short_norm_offset, .bytes = 128},
    {.name = "short_norm.scaled", .tier = PRT_DEVICE, .offset = ARENA_short_norm_scaled, .bytes = 524288},
    {.name = "short_norm", .tier = PRT_DEVICE, .offset = ARENA_short_norm, .bytes = 524288},
    {.name = "conv2", .tier = PRT_DEVICE, .offset = ARENA_conv2, .bytes = 524288},
    {.name = "norm2.relative", .tier = PRT_DEVICE, .offset = ARENA_norm2_relative, .bytes = 524288},
    {.name = "norm2.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_norm2_mean_sum, .bytes = 128},
    {.name = "norm2.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_norm2_variance_sum, .bytes = 128},
    {.name = "norm2.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_norm2_relative_mean, .bytes = 128},
    {.name = "norm2.square.mean", .tier = PRT_DEVICE, .offset = ARENA_norm2_square_mean, .bytes = 128},
    {.name = "norm2.mean.square", .tier = PRT_DEVICE, .offset = ARENA_norm2_mean_square, .bytes = 128},
    {.name = "norm2.difference", .tier = PRT_DEVICE, .offset = ARENA_norm2_difference, .bytes = 128},
    {.name = "norm2.variance", .tier = PRT_DEVICE, .offset = ARENA_norm2_variance, .bytes = 128},
    {.name = "norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_norm2_rstd, .bytes = 128},
    {.name = "norm2.scale", .tier = PRT_DEVICE, .offset = ARENA_norm2_scale, .bytes = 128},
    {.name = "norm2.shift", .tier = PRT_DEVICE, .offset = ARENA_norm2_shift, .bytes = 128},
    {.name = "norm2.offset", .tier = PRT_DEVICE, .offset = ARENA_norm2_offset, .bytes = 128},
    {.name = "norm2.scaled", .tier = PRT_DEVICE, .offset = ARENA_norm2_scaled, .bytes = 524288},
    {.name = "norm2", .tier = PRT_DEVICE, .offset = ARENA_norm2, .bytes = 524288},
    {.name = "x.2", .tier = PRT_DEVICE, .offset = ARENA_x_2, .bytes = 524288},
    {.name = "x.3", .tier = PRT_DEVICE, .offset = ARENA_x_3, .bytes = 1572864},
    {.name = "deep.conv1", .tier = PRT_DEVICE, .offset = ARENA_deep_conv1, .bytes = 524288},
    {.name = "deep.norm1.relative", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_relative, .bytes = 1048576},
    {.name = "deep.norm1.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_mean_sum, .bytes = 128},
    {.name = "deep.norm1.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_variance_sum, .bytes = 128},
    {.name = "deep.norm1.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_relative_mean, .bytes = 256},
    {.name = "deep.norm1.square.mean", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_square_mean, .bytes = 128},
    {.name = "deep.norm1.mean.square", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_mean_square, .bytes = 128},
    {.name = "deep.norm1.difference", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_difference, .bytes = 256},
    {.name = "deep.norm1.variance", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_variance, .bytes = 256},
    {.name = "deep.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_rstd, .bytes = 256},
    {.name = "deep.norm1.scale", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_scale, .bytes = 256},
    {.name = "deep.norm1.shift", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_shift, .bytes = 128},
    {.name = "deep.norm1.offset", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_offset, .bytes = 128},
    {.name = "deep.norm1.scaled", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_scaled, .bytes = 524288},
    {.name = "deep.norm1", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1, .bytes = 1048576},
    {.name = "deep.z", .tier = PRT_DEVICE, .offset = ARENA_deep_z, .bytes = 1048576},
    {.name = "deep.conv2", .tier = PRT_DEVICE, .offset = ARENA_deep_conv2, .bytes = 524288},
    {.name = "deep.norm2.relative", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_relative, .bytes = 1048576},
    {.name = "deep.norm2.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_mean_sum, .bytes = 128},
    {.name = "deep.norm2.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_variance_sum, .bytes = 128},
    {.name = "deep.norm2.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_relative_mean, .bytes = 256},
    {.name = "deep.norm2.square.mean", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_square_mean, .bytes = 128},
    {.name = "deep.norm2.mean.square", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_mean_square, .bytes = 128},
    {.name = "deep.norm2.difference", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_difference, .bytes = 256},
    {.name = "deep.norm2.variance", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_variance, .bytes = 256},
    {.name = "deep.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_rstd, .bytes = 256},
    {.name = "deep.norm2.scale", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_scale, .bytes = 256},
    {.name = "deep.norm2.shift", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_shift, .bytes = 128},
    {.name = "deep.norm2.offset", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_offset, .bytes = 128},
    {.name = "deep.norm2.scaled", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_scaled, .bytes = 524288},
    {.name = "deep.norm2", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2, .bytes = 524288},
    {.name = "deep.x", .tier = PRT_DEVICE, .offset = ARENA_deep_x, .bytes = 1048576},
    {.name = "loss.terms.sum", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_sum, .bytes = 2048},
    {.name = "loss.terms", .tier = PRT_DEVICE, .offset = ARENA_loss_terms, .bytes = 2048},
    {.name = "head.product", .tier = PRT_DEVICE, .offset = ARENA_head_product, .bytes = 640},
    {.name = "head", .tier = PRT_DEVICE, .offset = ARENA_head, .bytes = 640},
    {.name = "class_positions", .tier = PRT_DEVICE, .offset = ARENA_class_positions, .bytes = 40},
    {.name = "loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_largest, .bytes = 64},
    {.name = "loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_exp_sum, .bytes = 64},
    {.name = "loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_target_logit, .bytes = 64},
    {.name = "loss.terms.2", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_2, .bytes = 64},
    {.name = "loss", .tier = PRT_DEVICE, .offset = ARENA_loss, .bytes = 4},
    {.name = "d_loss.terms.2", .tier = PRT_DEVICE, .offset = ARENA_d_loss_terms_2, .bytes = 64},
    {.name = "d_head", .tier = PRT_DEVICE, .offset = ARENA_d_head, .bytes = 640},
    {.name = "d_loss.terms", .tier = PRT_DEVICE, .offset = ARENA_d_loss_terms, .bytes = 2048},
    {.name = "d_loss.terms.sum", .tier = PRT_DEVICE, .offset = ARENA_d_loss_terms_sum, .bytes = 2048},
    {.name = "d_x.3", .tier = PRT_DEVICE, .offset = ARENA_d_x_3, .bytes = 524288},
    {.name = "d_deep.x", .tier = PRT_DEVICE, .offset = ARENA_d_deep_x, .bytes = 524288},
    {.name = "d_deep.norm2.offset", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm2_offset, .bytes = 128},
    {.name = "d_deep.norm2.relative", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm2_relative, .bytes = 524288},
    {.name = "d_deep.norm2.scale", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm2_scale, .bytes = 128},
    {.name = "d_deep.norm2.offset.2", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm2_offset_2, .bytes = 128},
    {.name = "d_deep.norm2.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm2_relative_mean, .bytes = 128},
    {.name = "d_deep.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm2_rstd, .bytes = 128},
    {.name = "d_deep.norm2.variance", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm2_variance, .bytes = 128},
    {.name = "d_deep.norm2.difference", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm2_difference, .bytes = 128},
    {.name = "d_deep.norm2.difference.2", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm2_difference_2, .bytes = 128},
    {.name = "d_deep.norm2.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm2_variance_sum, .bytes = 128},
    {.name = "d_deep.norm2.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm2_mean_sum, .bytes = 128},
    {.name = "d_deep.norm2.variance.sum.2", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm2_variance_sum_2, .bytes = 128},
    {.name = "d_deep.z", .tier = PRT_DEVICE, .offset = ARENA_d_deep_z, .bytes = 524288},
    {.name = "d_deep.norm1", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm1, .bytes = 524288},
    {.name = "d_deep.norm1.offset", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm1_offset, .bytes = 128},
    {.name = "d_deep.norm1.relative", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm1_relative, .bytes = 524288},
    {.name = "d_deep.norm1.scale", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm1_scale, .bytes = 128},
    {.name = "d_deep.norm1.offset.2", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm1_offset_2, .bytes = 128},
    {.name = "d_deep.norm1.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm1_relative_mean, .bytes = 128},
    {.name = "d_deep.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm1_rstd, .bytes = 128},
    {.name = "d_deep.norm1.variance", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm1_variance, .bytes = 128},
    {.name = "d_deep.norm1.difference", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm1_difference, .bytes = 128},
    {.name = "d_deep.norm1.difference.2", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm1_difference_2, .bytes = 128},
    {.name = "d_deep.norm1.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm1_variance_sum, .bytes = 128},
    {.name = "d_deep.norm1.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm1_mean_sum, .bytes = 128},
    {.name = "d_deep.norm1.variance.sum.2", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm1_variance_sum_2, .bytes = 128},
    {.name = "d_x.2", .tier = PRT_DEVICE, .offset = ARENA_d_x_2, .bytes = 524288},
    {.name = "d_norm2.offset", .tier = PRT_DEVICE, .offset = ARENA_d_norm2_offset, .bytes = 128},
    {.name = "d_norm2.relative", .tier = PRT_DEVICE, .offset = ARENA_d_norm2_relative, .bytes = 524288},
    {.name = "d_norm2.scale", .tier = PRT_DEVICE, .offset = ARENA_d_norm2_scale, .bytes = 128},
    {.name = "d_norm2.offset.2", .tier = PRT_DEVICE, .offset = ARENA_d_norm2_offset_2, .bytes = 128},
    {.name = "d_norm2.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_d_norm2_relative_mean, .bytes = 128},
    {.name = "d_norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_d_norm2_rstd, .bytes = 128},
    {.name = "d_norm2.variance", .tier = PRT_DEVICE, .offset = ARENA_d_norm2_variance, .bytes = 128},
    {.name = "d_norm2.difference", .tier = PRT_DEVICE, .offset = ARENA_d_norm2_difference, .bytes = 128},
    {.name = "d_norm2.difference.2", .tier = PRT_DEVICE, .offset = ARENA_d_norm2_difference_2, .bytes = 128},
    {.name = "d_norm2.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_d_norm2_variance_sum, .bytes = 128},
    {.name = "d_norm2.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_d_norm2_mean_sum, .bytes = 128},
    {.name = "d_norm2.variance.sum.2", .tier = PRT_DEVICE, .offset = ARENA_d_norm2_variance_sum_2, .bytes = 128},
    {.name = "d_y", .tier = PRT_DEVICE, .offset = ARENA_d_y, .bytes = 524288},
    {.name = "d_short_norm.offset", .tier = PRT_DEVICE, .offset = ARENA_d_short_norm_offset, .bytes = 128},
    {.name = "d_short_norm.relative", .tier = PRT_DEVICE, .offset = ARENA_d_short_norm_relative, .bytes = 524288},
    {.name = "d_short_norm.scale", .tier = PRT_DEVICE, .offset = ARENA_d_short_norm_scale, .bytes = 128},
    {.name = "d_short_norm.offset.2", .tier = PRT_DEVICE, .offset = ARENA_d_short_norm_offset_2, .bytes = 128},
    {.name = "d_short_norm.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_d_short_norm_relative_mean, .bytes = 128},
    {.name = "d_short_norm.rstd", .tier = PRT_DEVICE, .offset = ARENA_d_short_norm_rstd, .bytes = 128},
    {.name = "d_short_norm.variance", .tier = PRT_DEVICE, .offset = ARENA_d_short_norm_variance, .bytes = 128},
    {.name = "d_short_norm.difference", .tier = PRT_DEVICE, .offset = ARENA_d_short_norm_difference, .bytes = 128},
    {.name = "d_short_norm.difference.2", .tier = PRT_DEVICE, .offset = ARENA_d_short_norm_difference_2, .bytes = 128},
    {.name = "d_short_norm.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_d_short_norm_variance_sum, .bytes = 128},
    {.name = "d_short_norm.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_d_short_norm_mean_sum, .bytes = 128},
    {.name = "d_short_norm.variance.sum.2", .tier = PRT_DEVICE, .offset = ARENA_d_short_norm_variance_sum_2, .bytes = 128},
    {.name = "d_x", .tier = PRT_DEVICE, .offset = ARENA_d_x, .bytes = 1048576},
    {.name = "d_norm1", .tier = PRT_DEVICE, .offset = ARENA_d_norm1, .bytes = 524288},
    {.name = "d_norm1.offset", .tier = PRT_DEVICE, .offset = ARENA_d_norm1_offset, .bytes = 128},
    {.name = "d_norm1.relative", .tier = PRT_DEVICE, .offset = ARENA_d_norm1_relative, .bytes = 524288},
    {.name = "d_norm1.scale", .tier = PRT_DEVICE, .offset = ARENA_d_norm1_scale, .bytes = 128},
    {.name = "d_norm1.offset.2", .tier = PRT_DEVICE, .offset = ARENA_d_norm1_offset_2, .bytes = 128},
    {.name = "d_norm1.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_d_norm1_relative_mean, .bytes = 128},
    {.name = "d_norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_d_norm1_rstd, .bytes = 128},
    {.name = "d_norm1.variance", .tier = PRT_DEVICE, .offset = ARENA_d_norm1_variance, .bytes = 128},
    {.name = "d_norm1.difference", .tier = PRT_DEVICE, .offset = ARENA_d_norm1_difference, .bytes = 128},
    {.name = "d_norm1.difference.2", .tier = PRT_DEVICE, .offset = ARENA_d_norm1_difference_2, .bytes = 128},
    {.name = "d_norm1.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_d_norm1_variance_sum, .bytes = 128},
    {.name = "d_norm1.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_d_norm1_mean_sum, .bytes = 128},
    {.name = "d_norm1.variance.sum.2", .tier = PRT_DEVICE, .offset = ARENA_d_norm1_variance_sum_2, .bytes = 128},
    {.name = "d_wide.x", .tier = PRT_DEVICE, .offset = ARENA_d_wide_x, .bytes = 1048576},
    {.name = "d_wide.norm2.offset", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm2_offset, .bytes = 64},
    {.name = "d_wide.norm2.relative", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm2_relative, .bytes = 1048576},
    {.name = "d_wide.norm2.scale", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm2_scale, .bytes = 64},
    {.name = "d_wide.norm2.offset.2", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm2_offset_2, .bytes = 64},
    {.name = "d_wide.norm2.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm2_relative_mean, .bytes = 64},
    {.name = "d_wide.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm2_rstd, .bytes = 64},
    {.name = "d_wide.norm2.variance", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm2_variance, .bytes = 64},
    {.name = "d_wide.norm2.difference", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm2_difference, .bytes = 64},
    {.name = "d_wide.norm2.difference.2", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm2_difference_2, .bytes = 64},
    {.name = "d_wide.norm2.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm2_variance_sum, .bytes = 64},
    {.name = "d_wide.norm2.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm2_mean_sum, .bytes = 64},
    {.name = "d_wide.norm2.variance.sum.2", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm2_variance_sum_2, .bytes = 64},
    {.name = "d_wide.z", .tier = PRT_DEVICE, .offset = ARENA_d_wide_z, .bytes = 1048576},
    {.name = "d_wide.norm1", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm1, .bytes = 1048576},
    {.name = "d_wide.norm1.offset", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm1_offset, .bytes = 64},
    {.name = "d_wide.norm1.relative", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm1_relative, .bytes = 1048576},
    {.name = "d_wide.norm1.scale", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm1_scale, .bytes = 64},
    {.name = "d_wide.norm1.offset.2", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm1_offset_2, .bytes = 64},
    {.name = "d_wide.norm1.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm1_relative_mean, .bytes = 64},
    {.name = "d_wide.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm1_rstd, .bytes = 64},
    {.name = "d_wide.norm1.variance", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm1_variance, .bytes = 64},
    {.name = "d_wide.norm1.difference", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm1_difference, .bytes = 64},
    {.name = "d_wide.norm1.difference.2", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm1_difference_2, .bytes = 64},
    {.name = "d_wide.norm1.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm1_variance_sum, .bytes = 64},
    {.name = "d_wide.norm1.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm1_mean_sum, .bytes = 64},
    {.name = "d_wide.norm1.variance.sum.2", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm1_variance_sum_2, .bytes = 64},
    {.name = "d_norm", .tier = PRT_DEVICE, .offset = ARENA_d_norm, .bytes = 1048576},
    {.name = "d_norm.offset", .tier = PRT_DEVICE, .offset = ARENA_d_norm_offset, .bytes = 64},
    {.name = "d_norm.relative", .tier = PRT_DEVICE, .offset = ARENA_d_norm_relative, .bytes = 1048576},
    {.name = "d_norm.scale", .tier = PRT_DEVICE, .offset = ARENA_d_norm_scale, .bytes = 64},
    {.name = "d_norm.offset.2", .tier = PRT_DEVICE, .offset = ARENA_d_norm_offset_2, .bytes = 64},
    {.name = "d_norm.relative.mean", .tier = PRT_DEVICE, .offset = ARENA_d_norm_relative_mean, .bytes = 64},
    {.name = "d_norm.rstd", .tier = PRT_DEVICE, .offset = ARENA_d_norm_rstd, .bytes = 64},
    {.name = "d_norm.variance", .tier = PRT_DEVICE, .offset = ARENA_d_norm_variance, .bytes = 64},
    {.name = "d_norm.difference", .tier = PRT_DEVICE, .offset = ARENA_d_norm_difference, .bytes = 64},
    {.name = "d_norm.difference.2", .tier = PRT_DEVICE, .offset = ARENA_d_norm_difference_2, .bytes = 64},
    {.name = "d_norm.variance.sum", .tier = PRT_DEVICE, .offset = ARENA_d_norm_variance_sum, .bytes = 64},
    {.name = "d_norm.mean.sum", .tier = PRT_DEVICE, .offset = ARENA_d_norm_mean_sum, .bytes = 64},
    {.name = "d_norm.variance.sum.2", .tier = PRT_DEVICE, .offset = ARENA_d_norm_variance_sum_2, .bytes = 64},
    {.name = "norm.mean", .tier = PRT_DEVICE, .offset = ARENA_norm_mean, .bytes = 64},
    {.name = "norm.unbiased", .tier = PRT_DEVICE, .offset = ARENA_norm_unbiased, .bytes = 64},
    {.name = "wide.norm1.mean", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_mean, .bytes = 128},
    {.name = "wide.norm1.unbiased", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_unbiased, .bytes = 128},
    {.name = "wide.norm2.mean", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_mean, .bytes = 128},
    {.name = "wide.norm2.unbiased", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_unbiased, .bytes = 128},
    {.name = "norm1.mean", .tier = PRT_DEVICE, .offset = ARENA_norm1_mean, .bytes = 128},
    {.name = "norm1.unbiased", .tier = PRT_DEVICE, .offset = ARENA_norm1_unbiased, .bytes = 128},
    {.name = "short_norm.mean", .tier = PRT_DEVICE, .offset = ARENA_short_norm_mean, .bytes = 128},
    {.name = "short_norm.unbiased", .tier = PRT_DEVICE, .offset = ARENA_short_norm_unbiased, .bytes = 128},
    {.name = "norm2.mean", .tier = PRT_DEVICE, .offset = ARENA_norm2_mean, .bytes = 128},
    {.name = "norm2.unbiased", .tier = PRT_DEVICE, .offset = ARENA_norm2_unbiased, .bytes = 128},
    {.name = "deep.norm1.mean", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_mean, .bytes = 256},
    {.name = "deep.norm1.unbiased", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_unbiased, .bytes = 256},
    {.name = "deep.norm2.mean", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_mean, .bytes = 256},
    {.name = "deep.norm2.unbiased", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_unbiased, .bytes = 256},
    {.name = "rate", .tier = PRT_DEVICE, .offset = ARENA_rate, .bytes = 4},
    {.name = "eval.loss.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_sum, .bytes = 4},
    {.name = "eval.pixels", .tier = PRT_DEVICE, .offset = ARENA_eval_pixels, .bytes = 196608},
    {.name = "eval.labels", .tier = PRT_DEVICE, .offset = ARENA_eval_labels, .bytes = 64},
    {.name = "eval.conv", .tier = PRT_DEVICE, .offset = ARENA_eval_conv, .bytes = 1048576},
    {.name = "eval.norm.relative", .tier = PRT_DEVICE, .offset = ARENA_eval_norm_relative, .bytes = 1048576},
    {.name = "eval.norm.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_norm_rstd, .bytes = 64},
    {.name = "eval.norm.scale", .tier = PRT_DEVICE, .offset = ARENA_eval_norm_scale, .bytes = 64},
    {.name = "eval.norm.scaled", .tier = PRT_DEVICE, .offset = ARENA_eval_norm_scaled, .bytes = 1048576},
    {.name = "eval.norm", .tier = PRT_DEVICE, .offset = ARENA_eval_norm, .bytes = 1048576},
    {.name = "eval.x", .tier = PRT_DEVICE, .offset = ARENA_eval_x, .bytes = 3145728},
    {.name = "eval.wide.conv1", .tier = PRT_DEVICE, .offset = ARENA_eval_wide_conv1, .bytes = 1048576},
    {.name = "eval.wide.norm1.relative", .tier = PRT_DEVICE, .offset = ARENA_eval_wide_norm1_relative, .bytes = 1048576},
    {.name = "eval.wide.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_wide_norm1_rstd, .bytes = 64},
    {.name = "eval.wide.norm1.scale", .tier = PRT_DEVICE, .offset = ARENA_eval_wide_norm1_scale, .bytes = 64},
    {.name = "eval.wide.norm1.scaled", .tier = PRT_DEVICE, .offset = ARENA_eval_wide_norm1_scaled, .bytes = 1048576},
    {.name = "eval.wide.norm1", .tier = PRT_DEVICE, .offset = ARENA_eval_wide_norm1, .bytes = 1048576},
    {.name = "eval.wide.z", .tier = PRT_DEVICE, .offset = ARENA_eval_wide_z, .bytes = 1048576},
    {.name = "eval.wide.conv2", .tier = PRT_DEVICE, .offset = ARENA_eval_wide_conv2, .bytes = 1048576},
    {.name = "eval.wide.norm2.relative", .tier = PRT_DEVICE, .offset = ARENA_eval_wide_norm2_relative, .bytes = 1048576},
    {.name = "eval.wide.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_wide_norm2_rstd, .bytes = 64},
    {.name = "eval.wide.norm2.scale", .tier = PRT_DEVICE, .offset = ARENA_eval_wide_norm2_scale, .bytes = 64},
    {.name = "eval.wide.norm2.scaled", .tier = PRT_DEVICE, .offset = ARENA_eval_wide_norm2_scaled, .bytes = 1048576},
    {.name = "eval.wide.norm2", .tier = PRT_DEVICE, .offset = ARENA_eval_wide_norm2, .bytes = 1048576},
    {.name = "eval.wide.x", .tier = PRT_DEVICE, .offset = ARENA_eval_wide_x, .bytes = 1048576},
    {.name = "eval.conv1", .tier = PRT_DEVICE, .offset = ARENA_eval_conv1, .bytes = 524288},
    {.name = "eval.norm1.relative", .tier = PRT_DEVICE, .offset = ARENA_eval_norm1_relative, .bytes = 524288},
    {.name = "eval.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_norm1_rstd, .bytes = 128},
    {.name = "eval.norm1.scale", .tier = PRT_DEVICE, .offset = ARENA_eval_norm1_scale, .bytes = 128},
    {.name = "eval.norm1.scaled", .tier = PRT_DEVICE, .offset = ARENA_eval_norm1_scaled, .bytes = 524288},
    {.name = "eval.norm1", .tier = PRT_DEVICE, .offset = ARENA_eval_norm1, .bytes = 524288},
    {.name = "eval.y", .tier = PRT_DEVICE, .offset = ARENA_eval_y, .bytes = 524288},
    {.name = "eval.short", .tier = PRT_DEVICE, .offset = ARENA_eval_short, .bytes = 524288},
    {.name = "eval.short_norm.relative", .tier = PRT_DEVICE, .offset = ARENA_eval_short_norm_relative, .bytes = 524288},
    {.name = "eval.short_norm.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_short_norm_rstd, .bytes = 128},
    {.name = "eval.short_norm.scale", .tier = PRT_DEVICE, .offset = ARENA_eval_short_norm_scale, .bytes = 128},
    {.name = "eval.short_norm.scaled", .tier = PRT_DEVICE, .offset = ARENA_eval_short_norm_scaled, .bytes = 524288},
    {.name = "eval.short_norm", .tier = PRT_DEVICE, .offset = ARENA_eval_short_norm, .bytes = 524288},
    {.name = "eval.conv2", .tier = PRT_DEVICE, .offset = ARENA_eval_conv2, .bytes = 524288},
    {.name = "eval.norm2.relative", .tier = PRT_DEVICE, .offset = ARENA_eval_norm2_relative, .bytes = 524288},
    {.name = "eval.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_norm2_rstd, .bytes = 128},
    {.name = "eval.norm2.scale", .tier = PRT_DEVICE, .offset = ARENA_eval_norm2_scale, .bytes = 128},
    {.name = "eval.norm2.scaled", .tier = PRT_DEVICE, .offset = ARENA_eval_norm2_scaled, .bytes = 524288},
    {.name = "eval.norm2", .tier = PRT_DEVICE, .offset = ARENA_eval_norm2, .bytes = 524288},
    {.name = "eval.x.2", .tier = PRT_DEVICE, .offset = ARENA_eval_x_2, .bytes = 524288},
    {.name = "eval.x.3", .tier = PRT_DEVICE, .offset = ARENA_eval_x_3, .bytes = 1572864},
    {.name = "eval.deep.conv1", .tier = PRT_DEVICE, .offset = ARENA_eval_deep_conv1, .bytes = 524288},
    {.name = "eval.deep.norm1.relative", .tier = PRT_DEVICE, .offset = ARENA_eval_deep_norm1_relative, .bytes = 524288},
    {.name = "eval.deep.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_deep_norm1_rstd, .bytes = 128},
    {.name = "eval.deep.norm1.scale", .tier = PRT_DEVICE, .offset = ARENA_eval_deep_norm1_scale, .bytes = 128},
    {.name = "eval.deep.norm1.scaled", .tier = PRT_DEVICE, .offset = ARENA_eval_deep_norm1_scaled, .bytes = 524288},
    {.name = "eval.deep.norm1", .tier = PRT_DEVICE, .offset = ARENA_eval_deep_norm1, .bytes = 524288},
    {.name = "eval.deep.z", .tier = PRT_DEVICE, .offset = ARENA_eval_deep_z, .bytes = 524288},
    {.name = "eval.deep.conv2", .tier = PRT_DEVICE, .offset = ARENA_eval_deep_conv2, .bytes = 524288},
    {.name = "eval.deep.norm2.relative", .tier = PRT_DEVICE, .offset = ARENA_eval_deep_norm2_relative, .bytes = 524288},
    {.name = "eval.deep.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_eval_deep_norm2_rstd, .bytes = 128},
    {.name = "eval.deep.norm2.scale", .tier = PRT_DEVICE, .offset = ARENA_eval_deep_norm2_scale, .bytes = 128},
    {.name = "eval.deep.norm2.scaled", .tier = PRT_DEVICE, .offset = ARENA_eval_deep_norm2_scaled, .bytes = 524288},
    {.name = "eval.deep.norm2", .tier = PRT_DEVICE, .offset = ARENA_eval_deep_norm2, .bytes = 524288},
    {.name = "eval.deep.x", .tier = PRT_DEVICE, .offset = ARENA_eval_deep_x, .bytes = 524288},
    {.name = "eval.loss.terms.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_sum, .bytes = 2048},
    {.name = "eval.loss.terms", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms, .bytes = 2048},
    {.name = "eval.head.product", .tier = PRT_DEVICE, .offset = ARENA_eval_head_product, .bytes = 640},
    {.name = "eval.head", .tier = PRT_DEVICE, .offset = ARENA_eval_head, .bytes = 640},
    {.name = "eval.class_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_class_positions, .bytes = 40},
    {.name = "eval.loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_largest, .bytes = 64},
    {.name = "eval.loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_exp_sum, .bytes = 64},
    {.name = "eval.loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_target_logit, .bytes = 64},
    {.name = "eval.loss.terms.2", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_2, .bytes = 64},
    {.name = "eval.loss", .tier = PRT_DEVICE, .offset = ARENA_eval_loss, .bytes = 4},
    {.name = "predict.pixels", .tier = PRT_DEVICE, .offset = ARENA_predict_pixels, .bytes = 12288},
    {.name = "predict.conv", .tier = PRT_DEVICE, .offset = ARENA_predict_conv, .bytes = 65536},
    {.name = "predict.norm.relative", .tier = PRT_DEVICE, .offset = ARENA_predict_norm_relative, .bytes = 65536},
    {.name = "predict.norm.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_norm_rstd, .bytes = 64},
    {.name = "predict.norm.scale", .tier = PRT_DEVICE, .offset = ARENA_predict_norm_scale, .bytes = 64},
    {.name = "predict.norm.scaled", .tier = PRT_DEVICE, .offset = ARENA_predict_norm_scaled, .bytes = 65536},
    {.name = "predict.norm", .tier = PRT_DEVICE, .offset = ARENA_predict_norm, .bytes = 65536},
    {.name = "predict.x", .tier = PRT_DEVICE, .offset = ARENA_predict_x, .bytes = 196608},
    {.name = "predict.wide.conv1", .tier = PRT_DEVICE, .offset = ARENA_predict_wide_conv1, .bytes = 65536},
    {.name = "predict.wide.norm1.relative", .tier = PRT_DEVICE, .offset = ARENA_predict_wide_norm1_relative, .bytes = 65536},
    {.name = "predict.wide.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_wide_norm1_rstd, .bytes = 64},
    {.name = "predict.wide.norm1.scale", .tier = PRT_DEVICE, .offset = ARENA_predict_wide_norm1_scale, .bytes = 64},
    {.name = "predict.wide.norm1.scaled", .tier = PRT_DEVICE, .offset = ARENA_predict_wide_norm1_scaled, .bytes = 65536},
    {.name = "predict.wide.norm1", .tier = PRT_DEVICE, .offset = ARENA_predict_wide_norm1, .bytes = 65536},
    {.name = "predict.wide.z", .tier = PRT_DEVICE, .offset = ARENA_predict_wide_z, .bytes = 65536},
    {.name = "predict.wide.conv2", .tier = PRT_DEVICE, .offset = ARENA_predict_wide_conv2, .bytes = 65536},
    {.name = "predict.wide.norm2.relative", .tier = PRT_DEVICE, .offset = ARENA_predict_wide_norm2_relative, .bytes = 65536},
    {.name = "predict.wide.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_wide_norm2_rstd, .bytes = 64},
    {.name = "predict.wide.norm2.scale", .tier = PRT_DEVICE, .offset = ARENA_predict_wide_norm2_scale, .bytes = 64},
    {.name = "predict.wide.norm2.scaled", .tier = PRT_DEVICE, .offset = ARENA_predict_wide_norm2_scaled, .bytes = 65536},
    {.name = "predict.wide.norm2", .tier = PRT_DEVICE, .offset = ARENA_predict_wide_norm2, .bytes = 65536},
    {.name = "predict.wide.x", .tier = PRT_DEVICE, .offset = ARENA_predict_wide_x, .bytes = 65536},
    {.name = "predict.conv1", .tier = PRT_DEVICE, .offset = ARENA_predict_conv1, .bytes = 32768},
    {.name = "predict.norm1.relative", .tier = PRT_DEVICE, .offset = ARENA_predict_norm1_relative, .bytes = 32768},
    {.name = "predict.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_norm1_rstd, .bytes = 128},
    {.name = "predict.norm1.scale", .tier = PRT_DEVICE, .offset = ARENA_predict_norm1_scale, .bytes = 128},
    {.name = "predict.norm1.scaled", .tier = PRT_DEVICE, .offset = ARENA_predict_norm1_scaled, .bytes = 32768},
    {.name = "predict.norm1", .tier = PRT_DEVICE, .offset = ARENA_predict_norm1, .bytes = 32768},
    {.name = "predict.y", .tier = PRT_DEVICE, .offset = ARENA_predict_y, .bytes = 32768},
    {.name = "predict.short", .tier = PRT_DEVICE, .offset = ARENA_predict_short, .bytes = 32768},
    {.name = "predict.short_norm.relative", .tier = PRT_DEVICE, .offset = ARENA_predict_short_norm_relative, .bytes = 32768},
    {.name = "predict.short_norm.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_short_norm_rstd, .bytes = 128},
    {.name = "predict.short_norm.scale", .tier = PRT_DEVICE, .offset = ARENA_predict_short_norm_scale, .bytes = 128},
    {.name = "predict.short_norm.scaled", .tier = PRT_DEVICE, .offset = ARENA_predict_short_norm_scaled, .bytes = 32768},
    {.name = "predict.short_norm", .tier = PRT_DEVICE, .offset = ARENA_predict_short_norm, .bytes = 32768},
    {.name = "predict.conv2", .tier = PRT_DEVICE, .offset = ARENA_predict_conv2, .bytes = 32768},
    {.name = "predict.norm2.relative", .tier = PRT_DEVICE, .offset = ARENA_predict_norm2_relative, .bytes = 32768},
    {.name = "predict.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_norm2_rstd, .bytes = 128},
    {.name = "predict.norm2.scale", .tier = PRT_DEVICE, .offset = ARENA_predict_norm2_scale, .bytes = 128},
    {.name = "predict.norm2.scaled", .tier = PRT_DEVICE, .offset = ARENA_predict_norm2_scaled, .bytes = 32768},
    {.name = "predict.norm2", .tier = PRT_DEVICE, .offset = ARENA_predict_norm2, .bytes = 32768},
    {.name = "predict.x.2", .tier = PRT_DEVICE, .offset = ARENA_predict_x_2, .bytes = 32768},
    {.name = "predict.x.3", .tier = PRT_DEVICE, .offset = ARENA_predict_x_3, .bytes = 98304},
    {.name = "predict.deep.conv1", .tier = PRT_DEVICE, .offset = ARENA_predict_deep_conv1, .bytes = 32768},
    {.name = "predict.deep.norm1.relative", .tier = PRT_DEVICE, .offset = ARENA_predict_deep_norm1_relative, .bytes = 32768},
    {.name = "predict.deep.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_deep_norm1_rstd, .bytes = 128},
    {.name = "predict.deep.norm1.scale", .tier = PRT_DEVICE, .offset = ARENA_predict_deep_norm1_scale, .bytes = 128},
    {.name = "predict.deep.norm1.scaled", .tier = PRT_DEVICE, .offset = ARENA_predict_deep_norm1_scaled, .bytes = 32768},
    {.name = "predict.deep.norm1", .tier = PRT_DEVICE, .offset = ARENA_predict_deep_norm1, .bytes = 32768},
    {.name = "predict.deep.z", .tier = PRT_DEVICE, .offset = ARENA_predict_deep_z, .bytes = 32768},
    {.name = "predict.deep.conv2", .tier = PRT_DEVICE, .offset = ARENA_predict_deep_conv2, .bytes = 32768},
    {.name = "predict.deep.norm2.relative", .tier = PRT_DEVICE, .offset = ARENA_predict_deep_norm2_relative, .bytes = 32768},
    {.name = "predict.deep.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_predict_deep_norm2_rstd, .bytes = 128},
    {.name = "predict.deep.norm2.scale", .tier = PRT_DEVICE, .offset = ARENA_predict_deep_norm2_scale, .bytes = 128},
    {.name = "predict.deep.norm2.scaled", .tier = PRT_DEVICE, .offset = ARENA_predict_deep_norm2_scaled, .bytes = 32768},
    {.name = "predict.deep.norm2", .tier = PRT_DEVICE, .offset = ARENA_predict_deep_norm2, .bytes = 32768},
    {.name = "predict.deep.x", .tier = PRT_DEVICE, .offset = ARENA_predict_deep_x, .bytes = 32768},
    {.name = "predict.loss.terms.sum", .tier = PRT_DEVICE, .offset = ARENA_predict_loss_terms_sum, .bytes = 128},
    {.name = "predict.loss.terms", .tier = PRT_DEVICE, .offset = ARENA_predict_loss_terms, .bytes = 128},
    {.name = "predict.head.product", .tier = PRT_DEVICE, .offset = ARENA_predict_head_product, .bytes = 40},
    {.name = "predict.head", .tier = PRT_DEVICE, .offset = ARENA_predict_head, .bytes = 40},
    {.name = "norm.mean.sum.bucket", .tier = PRT_DEVICE, .offset = ARENA_norm_mean_sum_bucket, .bytes = 128},
    {.name = "wide.norm1.mean.sum.bucket", .tier = PRT_DEVICE, .offset = ARENA_wide_norm1_mean_sum_bucket, .bytes = 128},
    {.name = "wide.norm2.mean.sum.bucket", .tier = PRT_DEVICE, .offset = ARENA_wide_norm2_mean_sum_bucket, .bytes = 128},
    {.name = "norm1.mean.sum.bucket", .tier = PRT_DEVICE, .offset = ARENA_norm1_mean_sum_bucket, .bytes = 256},
    {.name = "short_norm.mean.sum.bucket", .tier = PRT_DEVICE, .offset = ARENA_short_norm_mean_sum_bucket, .bytes = 256},
    {.name = "norm2.mean.sum.bucket", .tier = PRT_DEVICE, .offset = ARENA_norm2_mean_sum_bucket, .bytes = 256},
    {.name = "deep.norm1.mean.sum.bucket", .tier = PRT_DEVICE, .offset = ARENA_deep_norm1_mean_sum_bucket, .bytes = 256},
    {.name = "deep.norm2.mean.sum.bucket", .tier = PRT_DEVICE, .offset = ARENA_deep_norm2_mean_sum_bucket, .bytes = 256},
    {.name = "d_deep.norm2.offset.bucket", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm2_offset_bucket, .bytes = 256},
    {.name = "d_deep.norm1.offset.bucket", .tier = PRT_DEVICE, .offset = ARENA_d_deep_norm1_offset_bucket, .bytes = 256},
    {.name = "d_norm2.offset.bucket", .tier = PRT_DEVICE, .offset = ARENA_d_norm2_offset_bucket, .bytes = 256},
    {.name = "d_short_norm.offset.bucket", .tier = PRT_DEVICE, .offset = ARENA_d_short_norm_offset_bucket, .bytes = 256},
    {.name = "d_norm1.offset.bucket", .tier = PRT_DEVICE, .offset = ARENA_d_norm1_offset_bucket, .bytes = 256},
    {.name = "d_wide.norm2.offset.bucket", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm2_offset_bucket, .bytes = 128},
    {.name = "d_wide.norm1.offset.bucket", .tier = PRT_DEVICE, .offset = ARENA_d_wide_norm1_offset_bucket, .bytes = 128},
    {.name = "d_norm.offset.bucket", .tier = PRT_DEVICE, .offset = ARENA_d_norm_offset_bucket, .bytes = 128},
};

static const prt_source sources[] = {
    [NO_LINE_resnet] = {"", 0, "resnet"},
    [LINE_9_computing_in_init] = {"examples/resnet.place", 9, "computing in init"},
    [LINE_14_computing_in_init] = {"examples/resnet.place", 14, "computing in init"},
    [LINE_15_computing_in_init] = {"examples/resnet.place", 15, "computing in init"},
    [LINE_16_computing_in_init] = {"examples/resnet.place", 16, "computing in init"},
    [LINE_11_computing_in_init] = {"examples/resnet.place", 11, "computing in init"},
    [LINE_12_computing_in_init] = {"examples/resnet.place", 12, "computing in init"},
    [LINE_18_computing_in_init] = {"examples/resnet.place", 18, "computing in init"},
    [LINE_19_computing_in_init] = {"examples/resnet.place", 19, "computing in init"},
    [LINE_29_computing_in_init] = {"examples/resnet.place", 29, "computing in init"},
    [LINE_9_init] = {"examples/resnet.place", 9, "init"},
    [LINE_11_init] = {"examples/resnet.place", 11, "init"},
    [LINE_18_init] = {"examples/resnet.place", 18, "init"},
    [LINE_28_computing_in_step] = {"examples/resnet.place", 28, "computing in step"},
    [LINE_21_computing_in_step] = {"examples/resnet.place", 21, "computing in step"},
    [LINE_6_read_pixels] = {"examples/resnet.place", 6, "read pixels"},
    [LINE_7_read_labels] = {"examples/resnet.place", 7, "read labels"},
    [LINE_9_computing_in_step] = {"examples/resnet.place", 9, "computing in step"},
    [LINE_9_all_reduce_norm_mean_sum_bucket_over_data] =
        {"examples/resnet.place", 9, "all_reduce norm.mean.sum.bucket over data"},
    [LINE_11_computing_in_step] = {"examples/resnet.place", 11, "computing in step"},
    [LINE_11_all_reduce_wide_norm1_mean_sum_bucket_over_data] =
        {"examples/resnet.place", 11, "all_reduce wide.norm1.mean.sum.bucket over data"},
    [LINE_12_computing_in_step] = {"examples/resnet.place", 12, "computing in step"},
    [LINE_12_all_reduce_wide_norm2_mean_sum_bucket_over_data] =
        {"examples/resnet.place", 12, "all_reduce wide.norm2.mean.sum.bucket over data"},
    [LINE_14_computing_in_step] = {"examples/resnet.place", 14, "computing in step"},
    [LINE_14_all_reduce_norm1_mean_sum_bucket_over_data] =
        {"examples/resnet.place", 14, "all_reduce norm1.mean.sum.bucket over data"},
    [LINE_15_computing_in_step] = {"examples/resnet.place", 15, "computing in step"},
    [LINE_15_all_reduce_short_norm_mean_sum_bucket_over_data] =
        {"examples/resnet.place", 15, "all_reduce short_norm.mean.sum.bucket over data"},
    [LINE_16_computing_in_step] = {"examples/resnet.place", 16, "computing in step"},
    [LINE_16_all_reduce_norm2_mean_sum_bucket_over_data] =
        {"examples/resnet.place", 16, "all_reduce norm2.mean.sum.bucket over data"},
    [LINE_18_computing_in_step] = {"examples/resnet.place", 18, "computing in step"},
    [LINE_18_all_reduce_deep_norm1_mean_sum_bucket_over_data] =
        {"examples/resnet.place", 18, "all_reduce deep.norm1.mean.sum.bucket over data"},
    [LINE_19_computing_in_step] = {"examples/resnet.place", 19, "computing in step"},
    [LINE_19_all_reduce_deep_norm2_mean_sum_bucket_over_data] =
        {"examples/resnet.place", 19, "all_reduce deep.norm2.mean.sum.bucket over data"},
    [LINE_19_all_reduce_d_deep_norm2_offset_bucket_over_data] =
        {"examples/resnet.place", 19, "all_reduce d_deep.norm2.offset.bucket over data"},
    [LINE_18_all_reduce_d_deep_norm1_offset_bucket_over_data] =
        {"examples/resnet.place", 18, "all_reduce d_deep.norm1.offset.bucket over data"},
    [LINE_16_all_reduce_d_norm2_offset_bucket_over_data] =
        {"examples/resnet.place", 16, "all_reduce d_norm2.offset.bucket over data"},
    [LINE_15_all_reduce_d_short_norm_offset_bucket_over_data] =
        {"examples/resnet.place", 15, "all_reduce d_short_norm.offset.bucket over data"},
    [LINE_14_all_reduce_d_norm1_offset_bucket_over_data] =
        {"examples/resnet.place", 14, "all_reduce d_norm1.offset.bucket over data"},
    [LINE_12_all_reduce_d_wide_norm2_offset_bucket_over_data] =
        {"examples/resnet.place", 12, "all_reduce d_wide.norm2.offset.bucket over data"},
    [LINE_11_all_reduce_d_wide_norm1_offset_bucket_over_data] =
        {"examples/resnet.place", 11, "all_reduce d_wide.norm1.offset.bucket over data"},
    [LINE_9_all_reduce_d_norm_offset_bucket_over_data] =
        {"examples/resnet.place", 9, "all_reduce d_norm.offset.bucket over data"},
    [LINE_28_all_reduce_loss_sum_over_data] = {"examples/resnet.place", 28, "all_reduce loss.sum over data"},
    [LINE_21_output_loss] = {"examples/resnet.place", 21, "output loss"},
    [LINE_29_computing_in_step] = {"examples/resnet.place", 29, "computing in step"},
    [LINE_29_output_learning_rate] = {"examples/resnet.place", 29, "output learning_rate"},
    [LINE_28_all_reduce_gradients_outside_over_data] =
        {"examples/resnet.place", 28, "all_reduce gradients.outside over data"},
    [LINE_28_all_reduce_gradients_wide_over_data] =
        {"examples/resnet.place", 28, "all_reduce gradients.wide over data"},
    [LINE_28_all_reduce_gradients_deep_over_data] =
        {"examples/resnet.place", 28, "all_reduce gradients.deep over data"},
    [LINE_21_computing_in_eval] = {"examples/resnet.place", 21, "computing in eval"},
    [LINE_9_computing_in_eval] = {"examples/resnet.place", 9, "computing in eval"},
    [LINE_11_computing_in_eval] = {"examples/resnet.place", 11, "computing in eval"},
    [LINE_12_computing_in_eval] = {"examples/resnet.place", 12, "computing in eval"},
    [LINE_14_computing_in_eval] = {"examples/resnet.place", 14, "computing in eval"},
    [LINE_15_computing_in_eval] = {"examples/resnet.place", 15, "computing in eval"},
    [LINE_16_computing_in_eval] = {"examples/resnet.place", 16, "computing in eval"},
    [LINE_18_computing_in_eval] = {"examples/resnet.place", 18, "computing in eval"},
    [LINE_19_computing_in_eval] = {"examples/resnet.place", 19, "computing in eval"},
    [LINE_28_all_reduce_eval_loss_sum_over_data] = {"examples/resnet.place", 28, "all_reduce eval.loss.sum over data"},
    [LINE_9_computing_in_predict] = {"examples/resnet.place", 9, "computing in predict"},
    [LINE_11_computing_in_predict] = {"examples/resnet.place", 11, "computing in predict"},
    [LINE_12_computing_in_predict] = {"examples/resnet.place", 12, "computing in predict"},
    [LINE_14_computing_in_predict] = {"examples/resnet.place", 14, "computing in predict"},
    [LINE_15_computing_in_predict] = {"examples/resnet.place", 15, "computing in predict"},
    [LINE_16_computing_in_predict] = {"examples/resnet.place", 16, "computing in predict"},
    [LINE_18_computing_in_predict] = {"examples/resnet.place", 18, "computing in predict"},
    [LINE_19_computing_in_predict] = {"examples/resnet.place", 19, "computing in predict"},
    [LINE_21_computing_in_predict] = {"examples/resnet.place", 21, "computing in predict"},
    [LINE_21_output_logits] = {"examples/resnet.place", 21, "output logits"},
};

static const prt_program program = {
    .format = PRT_FORMAT,
    .name = "resnet",
    .file = "examples/resnet.place",
    .plan_hash = "5c5339b8c30a46b7",
    .version = "0.1.0",
    .axis_count = 1,
    .axes = {[AXIS_data] = {"data", 4}},
    .compute_dtype = PRT_F32,
    .arena_bytes = {28217152, 0, 0},
    .batch = 64,
    .micro = 1,
    .steps = 100,
    .items_per_step = 64,
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
