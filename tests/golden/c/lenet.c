/* lenet, trained on a mesh { data: 4 }: the program of every rank. Written by placec from examples/lenet.place; the
 * comments name its lines, and what one execution of a statement costs the rank with the largest pieces. */
#include "place_rt.h"

/* Kernels (kernels.o). */
prt_host_kernel kernel_fill_f32_to_s;
prt_host_kernel kernel_fill_f32;
prt_host_kernel kernel_add_f32_ijk_j;
prt_host_kernel kernel_tanh_f32;
prt_host_kernel kernel_copy_f32;
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
prt_host_kernel kernel_tanh_bwd_f32;
prt_host_kernel kernel_reduce_f32_ijk_to_j_accumulate;
prt_host_kernel kernel_copy_f32_s_accumulate;
prt_host_kernel kernel_rate_f32_s;
prt_host_kernel kernel_increment_f32_s_in_place_a;
prt_host_kernel kernel_momentum_f32_in_place_a;
prt_host_kernel kernel_sgd_f32_i_i_s_in_place_a;

/* Axes of the mesh, the first outermost. */
enum { AXIS_data };

/* Parameters, rows of tensors[]. */
enum {
    TENSOR_c1_weight,
    TENSOR_c1_bias,
    TENSOR_c3_weight,
    TENSOR_c3_bias,
    TENSOR_c5_weight,
    TENSOR_c5_bias,
    TENSOR_f6_weight,
    TENSOR_f6_bias,
    TENSOR_out_weight,
    TENSOR_out_bias,
};

/* Inputs, rows of inputs[]. */
enum { INPUT_pixels, INPUT_labels };

/* Units of parameters that lie together, rows of units[]. */
enum { UNIT_outside };

/* Where elements are, rows of layouts[]. */
enum {
    LAYOUT_outside,
    LAYOUT_64_over_micro_data_by_1_by_32_by_32,
    LAYOUT_64_over_micro_data,
    LAYOUT_scalar,
    LAYOUT_1_by_1_by_32_by_32,
};

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
    KERNEL_add_f32_ijk_j,
    KERNEL_tanh_f32,
    KERNEL_copy_f32,
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
    KERNEL_tanh_bwd_f32,
    KERNEL_reduce_f32_ijk_to_j_accumulate,
    KERNEL_copy_f32_s_accumulate,
    KERNEL_rate_f32_s,
    KERNEL_increment_f32_s_in_place_a,
    KERNEL_momentum_f32_in_place_a,
    KERNEL_sgd_f32_i_i_s_in_place_a,
};

/* What messages say is being done, rows of sources[]. */
enum {
    NO_LINE_lenet,
    LINE_20_computing_in_init,
    LINE_8_init,
    LINE_19_computing_in_step,
    LINE_12_computing_in_step,
    LINE_5_read_pixels,
    LINE_6_read_labels,
    LINE_8_computing_in_step,
    LINE_9_computing_in_step,
    LINE_10_computing_in_step,
    LINE_11_computing_in_step,
    LINE_19_all_reduce_loss_sum_over_data,
    LINE_12_output_loss,
    LINE_20_computing_in_step,
    LINE_20_output_learning_rate,
    LINE_19_all_reduce_gradients_outside_over_data,
    LINE_12_computing_in_eval,
    LINE_8_computing_in_eval,
    LINE_9_computing_in_eval,
    LINE_10_computing_in_eval,
    LINE_11_computing_in_eval,
    LINE_19_all_reduce_eval_loss_sum_over_data,
    LINE_8_computing_in_predict,
    LINE_9_computing_in_predict,
    LINE_10_computing_in_predict,
    LINE_11_computing_in_predict,
    LINE_12_computing_in_predict,
    LINE_12_output_logits,
};

/* Where a parameter is in its unit, in elements. */
#define OFFSET_c1_weight 0
#define OFFSET_c1_bias 192
#define OFFSET_c3_weight 256
#define OFFSET_c3_bias 2688
#define OFFSET_c5_weight 2752
#define OFFSET_c5_bias 50752
#define OFFSET_f6_weight 50880
#define OFFSET_f6_bias 60992
#define OFFSET_out_weight 61120
#define OFFSET_out_bias 62016

/* Where a buffer is in the arena of its tier, in bytes. Buffers that are not in use at the same time share memory. */
#define ARENA_parameters_outside 0
#define ARENA_gradients_outside 496320
#define ARENA_momentum_outside 248128
#define ARENA_step 496256
#define ARENA_loss_sum 1228800
#define ARENA_pixels 1196032
#define ARENA_labels 1045504
#define ARENA_c1_product 744448
#define ARENA_c1 894976
#define ARENA_x 744448
#define ARENA_x_2 1096704
#define ARENA_c3_product 744448
#define ARENA_c3 795648
#define ARENA_x_3 744448
#define ARENA_x_4 846848
#define ARENA_c5_product 744448
#define ARENA_c5 748288
#define ARENA_x_5 744448
#define ARENA_x_6 752128
#define ARENA_f6_product 744448
#define ARENA_f6 755968
#define ARENA_x_7 744448
#define ARENA_out_product 747136
#define ARENA_out 747456
#define ARENA_class_positions 747776
#define ARENA_loss_terms_largest 747840
#define ARENA_loss_terms_exp_sum 747904
#define ARENA_loss_terms_target_logit 747136
#define ARENA_loss_terms 747200
#define ARENA_loss 1228864
#define ARENA_d_loss_terms 747968
#define ARENA_d_out 747136
#define ARENA_d_x_7 758656
#define ARENA_d_f6 761344
#define ARENA_d_x_6 744448
#define ARENA_d_x_5 752128
#define ARENA_d_c5 744448
#define ARENA_d_x_4 859648
#define ARENA_d_x_3 744448
#define ARENA_d_c3 1045504
#define ARENA_d_x_2 1134336
#define ARENA_d_x 744448
#define ARENA_d_c1 1045504
#define ARENA_rate 744448
#define ARENA_eval_loss_sum 797376
#define ARENA_eval_pixels 646848
#define ARENA_eval_labels 797440
#define ARENA_eval_c1_product 496320
#define ARENA_eval_c1 646848
#define ARENA_eval_x 496320
#define ARENA_eval_x_2 646848
#define ARENA_eval_c3_product 496320
#define ARENA_eval_c3 547520
#define ARENA_eval_x_3 496320
#define ARENA_eval_x_4 547520
#define ARENA_eval_c5_product 496320
#define ARENA_eval_c5 500160
#define ARENA_eval_x_5 496320
#define ARENA_eval_x_6 500160
#define ARENA_eval_f6_product 496320
#define ARENA_eval_f6 499008
#define ARENA_eval_x_7 496320
#define ARENA_eval_out_product 499008
#define ARENA_eval_out 496320
#define ARENA_eval_class_positions 496640
#define ARENA_eval_loss_terms_largest 496704
#define ARENA_eval_loss_terms_exp_sum 496768
#define ARENA_eval_loss_terms_target_logit 496832
#define ARENA_eval_loss_terms 496320
#define ARENA_eval_loss 496384
#define ARENA_predict_pixels 515136
#define ARENA_predict_c1_product 496320
#define ARENA_predict_c1 515136
#define ARENA_predict_x 496320
#define ARENA_predict_x_2 515136
#define ARENA_predict_c3_product 496320
#define ARENA_predict_c3 502720
#define ARENA_predict_x_3 496320
#define ARENA_predict_x_4 502720
#define ARENA_predict_c5_product 496320
#define ARENA_predict_c5 496832
#define ARENA_predict_x_5 496320
#define ARENA_predict_x_6 496832
#define ARENA_predict_f6_product 496320
#define ARENA_predict_f6 496704
#define ARENA_predict_x_7 496320
#define ARENA_predict_out_product 496704
#define ARENA_predict_out 496320

/* ---- Buffers in the arena ---- */

/* parameters.outside: f32 unit outside, 242 KiB */
static inline float *at_parameters_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameters_outside);
}

/* gradients.outside: f32 unit outside, 242 KiB */
static inline float *at_gradients_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_gradients_outside);
}

/* momentum.outside: f32 unit outside, 242 KiB */
static inline float *at_momentum_outside(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_momentum_outside);
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

/* pixels: f32 [64 / micro / data, 1, 32, 32], 32.0 KiB */
static inline float *at_pixels(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_pixels);
}

/* labels: i32 [64 / micro / data], 32 B */
static inline int32_t *at_labels(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_labels);
}

/* c1.product: f32 [64 / micro / data, 6, 28, 28], 147 KiB */
static inline float *at_c1_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_c1_product);
}

/* c1: f32 [64 / micro / data, 6, 28, 28], 147 KiB */
static inline float *at_c1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_c1);
}

/* x: f32 [64 / micro / data, 6, 28, 28], 147 KiB */
static inline float *at_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_x);
}

/* x.2: f32 [64 / micro / data, 6, 14, 14], 36.8 KiB */
static inline float *at_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_x_2);
}

/* c3.product: f32 [64 / micro / data, 16, 10, 10], 50.0 KiB */
static inline float *at_c3_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_c3_product);
}

/* c3: f32 [64 / micro / data, 16, 10, 10], 50.0 KiB */
static inline float *at_c3(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_c3);
}

/* x.3: f32 [64 / micro / data, 16, 10, 10], 50.0 KiB */
static inline float *at_x_3(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_x_3);
}

/* x.4: f32 [64 / micro / data, 16, 5, 5], 12.5 KiB */
static inline float *at_x_4(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_x_4);
}

/* c5.product: f32 [64 / micro / data, 120, 1, 1], 3.75 KiB */
static inline float *at_c5_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_c5_product);
}

/* c5: f32 [64 / micro / data, 120, 1, 1], 3.75 KiB */
static inline float *at_c5(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_c5);
}

/* x.5: f32 [64 / micro / data, 120, 1, 1], 3.75 KiB */
static inline float *at_x_5(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_x_5);
}

/* x.6: f32 [64 / micro / data, 120], 3.75 KiB */
static inline float *at_x_6(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_x_6);
}

/* f6.product: f32 [64 / micro / data, 84], 2.62 KiB */
static inline float *at_f6_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_f6_product);
}

/* f6: f32 [64 / micro / data, 84], 2.62 KiB */
static inline float *at_f6(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_f6);
}

/* x.7: f32 [64 / micro / data, 84], 2.62 KiB */
static inline float *at_x_7(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_x_7);
}

/* out.product: f32 [64 / micro / data, 10], 320 B */
static inline float *at_out_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_out_product);
}

/* out: f32 [64 / micro / data, 10], 320 B */
static inline float *at_out(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_out);
}

/* class_positions: i32 [10], 40 B */
static inline int32_t *at_class_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_class_positions);
}

/* loss.terms.largest: f32 [64 / micro / data], 32 B */
static inline float *at_loss_terms_largest(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_largest);
}

/* loss.terms.exp_sum: f32 [64 / micro / data], 32 B */
static inline float *at_loss_terms_exp_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_exp_sum);
}

/* loss.terms.target_logit: f32 [64 / micro / data], 32 B */
static inline float *at_loss_terms_target_logit(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms_target_logit);
}

/* loss.terms: f32 [64 / micro / data], 32 B */
static inline float *at_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss_terms);
}

/* loss: f32 [], 4 B */
static inline float *at_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_loss);
}

/* d_loss.terms: f32 [64 / micro / data], 32 B */
static inline float *at_d_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_loss_terms);
}

/* d_out: f32 [64 / micro / data, 10], 320 B */
static inline float *at_d_out(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_out);
}

/* d_x.7: f32 [64 / micro / data, 84], 2.62 KiB */
static inline float *at_d_x_7(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x_7);
}

/* d_f6: f32 [64 / micro / data, 84], 2.62 KiB */
static inline float *at_d_f6(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_f6);
}

/* d_x.6: f32 [64 / micro / data, 120], 3.75 KiB */
static inline float *at_d_x_6(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x_6);
}

/* d_x.5: f32 [64 / micro / data, 120, 1, 1], 3.75 KiB */
static inline float *at_d_x_5(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x_5);
}

/* d_c5: f32 [64 / micro / data, 120, 1, 1], 3.75 KiB */
static inline float *at_d_c5(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_c5);
}

/* d_x.4: f32 [64 / micro / data, 16, 5, 5], 12.5 KiB */
static inline float *at_d_x_4(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x_4);
}

/* d_x.3: f32 [64 / micro / data, 16, 10, 10], 50.0 KiB */
static inline float *at_d_x_3(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x_3);
}

/* d_c3: f32 [64 / micro / data, 16, 10, 10], 50.0 KiB */
static inline float *at_d_c3(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_c3);
}

/* d_x.2: f32 [64 / micro / data, 6, 14, 14], 36.8 KiB */
static inline float *at_d_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x_2);
}

/* d_x: f32 [64 / micro / data, 6, 28, 28], 147 KiB */
static inline float *at_d_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_x);
}

/* d_c1: f32 [64 / micro / data, 6, 28, 28], 147 KiB */
static inline float *at_d_c1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_d_c1);
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

/* eval.pixels: f32 [64 / micro / data, 1, 32, 32], 32.0 KiB */
static inline float *at_eval_pixels(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_pixels);
}

/* eval.labels: i32 [64 / micro / data], 32 B */
static inline int32_t *at_eval_labels(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_labels);
}

/* eval.c1.product: f32 [64 / micro / data, 6, 28, 28], 147 KiB */
static inline float *at_eval_c1_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_c1_product);
}

/* eval.c1: f32 [64 / micro / data, 6, 28, 28], 147 KiB */
static inline float *at_eval_c1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_c1);
}

/* eval.x: f32 [64 / micro / data, 6, 28, 28], 147 KiB */
static inline float *at_eval_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_x);
}

/* eval.x.2: f32 [64 / micro / data, 6, 14, 14], 36.8 KiB */
static inline float *at_eval_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_x_2);
}

/* eval.c3.product: f32 [64 / micro / data, 16, 10, 10], 50.0 KiB */
static inline float *at_eval_c3_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_c3_product);
}

/* eval.c3: f32 [64 / micro / data, 16, 10, 10], 50.0 KiB */
static inline float *at_eval_c3(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_c3);
}

/* eval.x.3: f32 [64 / micro / data, 16, 10, 10], 50.0 KiB */
static inline float *at_eval_x_3(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_x_3);
}

/* eval.x.4: f32 [64 / micro / data, 16, 5, 5], 12.5 KiB */
static inline float *at_eval_x_4(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_x_4);
}

/* eval.c5.product: f32 [64 / micro / data, 120, 1, 1], 3.75 KiB */
static inline float *at_eval_c5_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_c5_product);
}

/* eval.c5: f32 [64 / micro / data, 120, 1, 1], 3.75 KiB */
static inline float *at_eval_c5(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_c5);
}

/* eval.x.5: f32 [64 / micro / data, 120, 1, 1], 3.75 KiB */
static inline float *at_eval_x_5(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_x_5);
}

/* eval.x.6: f32 [64 / micro / data, 120], 3.75 KiB */
static inline float *at_eval_x_6(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_x_6);
}

/* eval.f6.product: f32 [64 / micro / data, 84], 2.62 KiB */
static inline float *at_eval_f6_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_f6_product);
}

/* eval.f6: f32 [64 / micro / data, 84], 2.62 KiB */
static inline float *at_eval_f6(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_f6);
}

/* eval.x.7: f32 [64 / micro / data, 84], 2.62 KiB */
static inline float *at_eval_x_7(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_x_7);
}

/* eval.out.product: f32 [64 / micro / data, 10], 320 B */
static inline float *at_eval_out_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_out_product);
}

/* eval.out: f32 [64 / micro / data, 10], 320 B */
static inline float *at_eval_out(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_out);
}

/* eval.class_positions: i32 [10], 40 B */
static inline int32_t *at_eval_class_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_class_positions);
}

/* eval.loss.terms.largest: f32 [64 / micro / data], 32 B */
static inline float *at_eval_loss_terms_largest(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_largest);
}

/* eval.loss.terms.exp_sum: f32 [64 / micro / data], 32 B */
static inline float *at_eval_loss_terms_exp_sum(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_exp_sum);
}

/* eval.loss.terms.target_logit: f32 [64 / micro / data], 32 B */
static inline float *at_eval_loss_terms_target_logit(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms_target_logit);
}

/* eval.loss.terms: f32 [64 / micro / data], 32 B */
static inline float *at_eval_loss_terms(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss_terms);
}

/* eval.loss: f32 [], 4 B */
static inline float *at_eval_loss(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_eval_loss);
}

/* predict.pixels: f32 [1, 1, 32, 32], 4.00 KiB */
static inline float *at_predict_pixels(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_pixels);
}

/* predict.c1.product: f32 [1, 6, 28, 28], 18.4 KiB */
static inline float *at_predict_c1_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_c1_product);
}

/* predict.c1: f32 [1, 6, 28, 28], 18.4 KiB */
static inline float *at_predict_c1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_c1);
}

/* predict.x: f32 [1, 6, 28, 28], 18.4 KiB */
static inline float *at_predict_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_x);
}

/* predict.x.2: f32 [1, 6, 14, 14], 4.59 KiB */
static inline float *at_predict_x_2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_x_2);
}

/* predict.c3.product: f32 [1, 16, 10, 10], 6.25 KiB */
static inline float *at_predict_c3_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_c3_product);
}

/* predict.c3: f32 [1, 16, 10, 10], 6.25 KiB */
static inline float *at_predict_c3(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_c3);
}

/* predict.x.3: f32 [1, 16, 10, 10], 6.25 KiB */
static inline float *at_predict_x_3(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_x_3);
}

/* predict.x.4: f32 [1, 16, 5, 5], 1.56 KiB */
static inline float *at_predict_x_4(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_x_4);
}

/* predict.c5.product: f32 [1, 120, 1, 1], 480 B */
static inline float *at_predict_c5_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_c5_product);
}

/* predict.c5: f32 [1, 120, 1, 1], 480 B */
static inline float *at_predict_c5(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_c5);
}

/* predict.x.5: f32 [1, 120, 1, 1], 480 B */
static inline float *at_predict_x_5(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_x_5);
}

/* predict.x.6: f32 [1, 120], 480 B */
static inline float *at_predict_x_6(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_x_6);
}

/* predict.f6.product: f32 [1, 84], 336 B */
static inline float *at_predict_f6_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_f6_product);
}

/* predict.f6: f32 [1, 84], 336 B */
static inline float *at_predict_f6(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_f6);
}

/* predict.x.7: f32 [1, 84], 336 B */
static inline float *at_predict_x_7(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_x_7);
}

/* predict.out.product: f32 [1, 10], 40 B */
static inline float *at_predict_out_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_out_product);
}

/* predict.out: f32 [1, 10], 40 B */
static inline float *at_predict_out(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_predict_out);
}

/* ---- Routines ---- */

/* Before the first step: every state gets its initial value. */
static void init(prt_context *ctx)
{
    /* examples/lenet.place:20: fill: 4 B */
    ctx->at = LINE_20_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_step(ctx)}, .numbers = {0}});
    /* examples/lenet.place:8: init: 242 KiB */
    ctx->at = LINE_8_init;
    prt_init(ctx, -1, LAYOUT_outside, 0, 1, PRT_F32, at_parameters_outside(ctx));
    /* examples/lenet.place:20: fill: 242 KiB */
    ctx->at = LINE_20_computing_in_init;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_momentum_outside(ctx)},
        .extents = {62032},
        .numbers = {0},
    });
}

/* One training step. */
static void step(prt_context *ctx)
{
    /* examples/lenet.place:19: fill: 242 KiB */
    ctx->at = LINE_19_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
        .arrays = {at_gradients_outside(ctx)},
        .extents = {62032},
        .numbers = {0},
    });
    /* examples/lenet.place:12: fill: 4 B */
    ctx->at = LINE_12_computing_in_step;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 2; micro++) {
        /* examples/lenet.place:5: read pixels: 32.0 KiB */
        ctx->at = LINE_5_read_pixels;
        prt_read(ctx, INPUT_pixels, LAYOUT_64_over_micro_data_by_1_by_32_by_32, micro, at_pixels(ctx));
        /* examples/lenet.place:6: read labels: 32 B */
        ctx->at = LINE_6_read_labels;
        prt_read(ctx, INPUT_labels, LAYOUT_64_over_micro_data, micro, at_labels(ctx));
        /* examples/lenet.place:8: conv "nchw,ocij->nopq": 180 KiB, 1.88 Mflop */
        ctx->at = LINE_8_computing_in_step;
        const prt_window_shape window1 = {
            .batch = 8, .groups = 1, .in = 1, .out = 6,
            .x_batch = 1024, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 25,
            .y_batch = 4704, .y_group = 0, .y_out = 784, .y_row = 28,
            .rows = {.size = 32, .input = 32, .output = 28, .window = 5, .stride = 1, .pad = 0},
            .columns = {.size = 32, .input = 32, .output = 28, .window = 5, .stride = 1, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window1, at_pixels(ctx), at_parameters_outside(ctx) + OFFSET_c1_weight,
                   0, at_c1_product(ctx));
        /* examples/lenet.place:8: add "nopq,o->nopq": 294 KiB, 37.6 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_c1(ctx), at_c1_product(ctx), at_parameters_outside(ctx) + OFFSET_c1_bias},
            .extents = {8, 6, 784},
        });
        /* examples/lenet.place:8: tanh "abcd->abcd": 294 KiB, 301 kflop */
        prt_launch(ctx, KERNEL_tanh_f32, 0, &(prt_arguments){.arrays = {at_x(ctx), at_c1(ctx)}, .extents = {37632}});
        /* examples/lenet.place:9: mean_pool "nchw->ncpq": 184 KiB, 37.6 kflop */
        ctx->at = LINE_9_computing_in_step;
        const prt_window_shape window2 = {
            .batch = 8, .groups = 6, .in = 1, .out = 1,
            .x_batch = 4704, .x_group = 784, .x_in = 0, .x_row = 28,
            .y_batch = 1176, .y_group = 196, .y_out = 0, .y_row = 14,
            .rows = {.size = 28, .input = 28, .output = 14, .window = 2, .stride = 2, .pad = 0},
            .columns = {.size = 28, .input = 28, .output = 14, .window = 2, .stride = 2, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_MEAN_POOL, &window2, at_x(ctx), NULL, 0, at_x_2(ctx));
        /* examples/lenet.place:9: conv "nchw,ocij->nopq": 96.1 KiB, 3.84 Mflop */
        const prt_window_shape window3 = {
            .batch = 8, .groups = 1, .in = 6, .out = 16,
            .x_batch = 1176, .x_group = 0, .x_in = 196, .x_row = 14,
            .w_group = 0, .w_out = 150,
            .y_batch = 1600, .y_group = 0, .y_out = 100, .y_row = 10,
            .rows = {.size = 14, .input = 14, .output = 10, .window = 5, .stride = 1, .pad = 0},
            .columns = {.size = 14, .input = 14, .output = 10, .window = 5, .stride = 1, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window3, at_x_2(ctx), at_parameters_outside(ctx) + OFFSET_c3_weight, 0,
                   at_c3_product(ctx));
        /* examples/lenet.place:9: add "nopq,o->nopq": 100 KiB, 12.8 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_c3(ctx), at_c3_product(ctx), at_parameters_outside(ctx) + OFFSET_c3_bias},
            .extents = {8, 16, 100},
        });
        /* examples/lenet.place:9: tanh "abcd->abcd": 100 KiB, 102 kflop */
        prt_launch(ctx, KERNEL_tanh_f32, 0, &(prt_arguments){.arrays = {at_x_3(ctx), at_c3(ctx)}, .extents = {12800}});
        /* examples/lenet.place:10: mean_pool "nchw->ncpq": 62.5 KiB, 12.8 kflop */
        ctx->at = LINE_10_computing_in_step;
        const prt_window_shape window4 = {
            .batch = 8, .groups = 16, .in = 1, .out = 1,
            .x_batch = 1600, .x_group = 100, .x_in = 0, .x_row = 10,
            .y_batch = 400, .y_group = 25, .y_out = 0, .y_row = 5,
            .rows = {.size = 10, .input = 10, .output = 5, .window = 2, .stride = 2, .pad = 0},
            .columns = {.size = 10, .input = 10, .output = 5, .window = 2, .stride = 2, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_MEAN_POOL, &window4, at_x_3(ctx), NULL, 0, at_x_4(ctx));
        /* examples/lenet.place:10: conv "nchw,ocij->nopq": 204 KiB, 768 kflop */
        const prt_window_shape window5 = {
            .batch = 8, .groups = 1, .in = 16, .out = 120,
            .x_batch = 400, .x_group = 0, .x_in = 25, .x_row = 5,
            .w_group = 0, .w_out = 400,
            .y_batch = 120, .y_group = 0, .y_out = 1, .y_row = 1,
            .rows = {.size = 5, .input = 5, .output = 1, .window = 5, .stride = 1, .pad = 0},
            .columns = {.size = 5, .input = 5, .output = 1, .window = 5, .stride = 1, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window5, at_x_4(ctx), at_parameters_outside(ctx) + OFFSET_c5_weight, 0,
                   at_c5_product(ctx));
        /* examples/lenet.place:10: add "nopq,o->nopq": 7.97 KiB, 960 flop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_c5(ctx), at_c5_product(ctx), at_parameters_outside(ctx) + OFFSET_c5_bias},
            .extents = {8, 120, 1},
        });
        /* examples/lenet.place:10: tanh "abcd->abcd": 7.50 KiB, 7.68 kflop */
        prt_launch(ctx, KERNEL_tanh_f32, 0, &(prt_arguments){.arrays = {at_x_5(ctx), at_c5(ctx)}, .extents = {960}});
        /* examples/lenet.place:11: view "nchw->nk": 7.50 KiB */
        ctx->at = LINE_11_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){.arrays = {at_x_6(ctx), at_x_5(ctx)}, .extents = {960}});
        /* examples/lenet.place:11: einsum "bh,oh->bo": 45.8 KiB, 161 kflop */
        const prt_gemm_shape gemm1 = {
            .m = 8, .n = 84, .k = 120,
            .a_row = 120, .a_column = 1,
            .b_row = 1, .b_column = 120,
            .c_row = 84, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm1, at_x_6(ctx), at_parameters_outside(ctx) + OFFSET_f6_weight, 0,
                 at_f6_product(ctx));
        /* examples/lenet.place:11: add "bo,o->bo": 5.58 KiB, 672 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_f6(ctx), at_f6_product(ctx), at_parameters_outside(ctx) + OFFSET_f6_bias},
            .extents = {8, 84},
        });
        /* examples/lenet.place:11: tanh "ab->ab": 5.25 KiB, 5.38 kflop */
        prt_launch(ctx, KERNEL_tanh_f32, 0, &(prt_arguments){.arrays = {at_x_7(ctx), at_f6(ctx)}, .extents = {672}});
        /* examples/lenet.place:12: einsum "bh,oh->bo": 6.22 KiB, 13.4 kflop */
        ctx->at = LINE_12_computing_in_step;
        const prt_gemm_shape gemm2 = {
            .m = 8, .n = 10, .k = 84,
            .a_row = 84, .a_column = 1,
            .b_row = 1, .b_column = 84,
            .c_row = 10, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm2, at_x_7(ctx), at_parameters_outside(ctx) + OFFSET_out_weight, 0,
                 at_out_product(ctx));
        /* examples/lenet.place:12: add "bo,o->bo": 680 B, 80 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_out(ctx), at_out_product(ctx), at_parameters_outside(ctx) + OFFSET_out_bias},
            .extents = {8, 10},
        });
        /* examples/lenet.place:12: iota: 40 B */
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_class_positions(ctx)},
            .extents = {10},
            .numbers = {0},
        });
        /* examples/lenet.place:12: row_max "bv->b": 352 B, 80 flop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_largest(ctx), at_out(ctx)},
            .extents = {8, 10},
        });
        /* examples/lenet.place:12: exp_sum "bv,b->b": 384 B, 320 flop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_exp_sum(ctx), at_out(ctx), at_loss_terms_largest(ctx)},
            .extents = {8, 10},
        });
        /* examples/lenet.place:12: pick "bv,b,v->b": 424 B, 80 flop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_loss_terms_target_logit(ctx), at_out(ctx), at_labels(ctx), at_class_positions(ctx)},
            .extents = {8, 10},
        });
        /* examples/lenet.place:12: log_loss "b,b,b->b": 128 B, 48 flop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_loss_terms(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_loss_terms_target_logit(ctx)},
            .extents = {8},
        });
        /* examples/lenet.place:12: reduce "a->": 36 B, 8 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_loss(ctx), at_loss_terms(ctx)},
            .extents = {8},
        });
        /* examples/lenet.place:12: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_loss(ctx)},
            .numbers = {1.0 / 64},
        });
        /* examples/lenet.place:12: fill "a": 32 B */
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_d_loss_terms(ctx)},
            .extents = {8},
            .numbers = {0.015625},
        });
        /* examples/lenet.place:12: log_loss_bwd "bv,b,b,b,v,b->bv": 808 B, 560 flop */
        prt_launch(ctx, KERNEL_log_loss_bwd_f32_ij_i_i_i32i_i32j_i, 0, &(prt_arguments){
            .arrays = {at_d_out(ctx), at_out(ctx), at_loss_terms_largest(ctx), at_loss_terms_exp_sum(ctx),
                       at_labels(ctx), at_class_positions(ctx), at_d_loss_terms(ctx)},
            .extents = {8, 10},
        });
        /* examples/lenet.place:12: reduce "bo->o": 400 B, 80 flop */
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_out_bias, at_d_out(ctx)},
            .extents = {8, 10},
        });
        /* examples/lenet.place:12: einsum "bo,oh->bh": 6.22 KiB, 13.4 kflop */
        const prt_gemm_shape gemm3 = {
            .m = 8, .n = 84, .k = 10,
            .a_row = 10, .a_column = 1,
            .b_row = 84, .b_column = 1,
            .c_row = 84, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm3, at_d_out(ctx), at_parameters_outside(ctx) + OFFSET_out_weight, 0,
                 at_d_x_7(ctx));
        /* examples/lenet.place:12: einsum "bo,bh->oh": 9.50 KiB, 13.4 kflop */
        const prt_gemm_shape gemm4 = {
            .m = 10, .n = 84, .k = 8,
            .a_row = 1, .a_column = 10,
            .b_row = 84, .b_column = 1,
            .c_row = 84, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm4, at_d_out(ctx), at_x_7(ctx), 1, at_gradients_outside(ctx) + OFFSET_out_weight);
        /* examples/lenet.place:11: tanh_bwd "ab,ab->ab": 7.88 KiB, 6.72 kflop */
        ctx->at = LINE_11_computing_in_step;
        prt_launch(ctx, KERNEL_tanh_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_f6(ctx), at_f6(ctx), at_d_x_7(ctx)},
            .extents = {672},
        });
        /* examples/lenet.place:11: reduce "bo->o": 3.28 KiB, 672 flop */
        prt_launch(ctx, KERNEL_reduce_f32_ij_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_f6_bias, at_d_f6(ctx)},
            .extents = {8, 84},
        });
        /* examples/lenet.place:11: einsum "bo,oh->bh": 45.8 KiB, 161 kflop */
        const prt_gemm_shape gemm5 = {
            .m = 8, .n = 120, .k = 84,
            .a_row = 84, .a_column = 1,
            .b_row = 120, .b_column = 1,
            .c_row = 120, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm5, at_d_f6(ctx), at_parameters_outside(ctx) + OFFSET_f6_weight, 0,
                 at_d_x_6(ctx));
        /* examples/lenet.place:11: einsum "bo,bh->oh": 85.1 KiB, 161 kflop */
        const prt_gemm_shape gemm6 = {
            .m = 84, .n = 120, .k = 8,
            .a_row = 1, .a_column = 84,
            .b_row = 120, .b_column = 1,
            .c_row = 120, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm6, at_d_f6(ctx), at_x_6(ctx), 1, at_gradients_outside(ctx) + OFFSET_f6_weight);
        /* examples/lenet.place:11: view "nk->nchw": 7.50 KiB */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_d_x_5(ctx), at_d_x_6(ctx)},
            .extents = {960},
        });
        /* examples/lenet.place:10: tanh_bwd "abcd,abcd->abcd": 11.2 KiB, 9.6 kflop */
        ctx->at = LINE_10_computing_in_step;
        prt_launch(ctx, KERNEL_tanh_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_c5(ctx), at_c5(ctx), at_d_x_5(ctx)},
            .extents = {960},
        });
        /* examples/lenet.place:10: reduce "nopq->o": 4.69 KiB, 960 flop */
        prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_c5_bias, at_d_c5(ctx)},
            .extents = {8, 120, 1},
        });
        /* examples/lenet.place:10: conv_input_bwd "nopq,ocij->nchw": 204 KiB, 768 kflop */
        const prt_window_shape window6 = {
            .batch = 8, .groups = 1, .in = 16, .out = 120,
            .x_batch = 400, .x_group = 0, .x_in = 25, .x_row = 5,
            .w_group = 0, .w_out = 400,
            .y_batch = 120, .y_group = 0, .y_out = 1, .y_row = 1,
            .rows = {.size = 5, .input = 5, .output = 1, .window = 5, .stride = 1, .pad = 0},
            .columns = {.size = 5, .input = 5, .output = 1, .window = 5, .stride = 1, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV_INPUT_BWD, &window6, at_d_c5(ctx),
                   at_parameters_outside(ctx) + OFFSET_c5_weight, 0, at_d_x_4(ctx));
        /* examples/lenet.place:10: conv_weight_bwd "nchw,nopq->ocij": 391 KiB, 768 kflop */
        const prt_window_shape window7 = {
            .batch = 8, .groups = 1, .in = 16, .out = 120,
            .x_batch = 400, .x_group = 0, .x_in = 25, .x_row = 5,
            .w_group = 0, .w_out = 400,
            .y_batch = 120, .y_group = 0, .y_out = 1, .y_row = 1,
            .rows = {.size = 5, .input = 5, .output = 1, .window = 5, .stride = 1, .pad = 0},
            .columns = {.size = 5, .input = 5, .output = 1, .window = 5, .stride = 1, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV_WEIGHT_BWD, &window7, at_x_4(ctx), at_d_c5(ctx), 1,
                   at_gradients_outside(ctx) + OFFSET_c5_weight);
        /* examples/lenet.place:10: mean_pool_bwd "ncpq->nchw": 62.5 KiB, 12.8 kflop */
        const prt_window_shape window8 = {
            .batch = 8, .groups = 16, .in = 1, .out = 1,
            .x_batch = 1600, .x_group = 100, .x_in = 0, .x_row = 10,
            .y_batch = 400, .y_group = 25, .y_out = 0, .y_row = 5,
            .rows = {.size = 10, .input = 10, .output = 5, .window = 2, .stride = 2, .pad = 0},
            .columns = {.size = 10, .input = 10, .output = 5, .window = 2, .stride = 2, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_MEAN_POOL_BWD, &window8, at_d_x_4(ctx), NULL, 0, at_d_x_3(ctx));
        /* examples/lenet.place:9: tanh_bwd "abcd,abcd->abcd": 150 KiB, 128 kflop */
        ctx->at = LINE_9_computing_in_step;
        prt_launch(ctx, KERNEL_tanh_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_c3(ctx), at_c3(ctx), at_d_x_3(ctx)},
            .extents = {12800},
        });
        /* examples/lenet.place:9: reduce "nopq->o": 50.1 KiB, 12.8 kflop */
        prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_c3_bias, at_d_c3(ctx)},
            .extents = {8, 16, 100},
        });
        /* examples/lenet.place:9: conv_input_bwd "nopq,ocij->nchw": 96.1 KiB, 3.84 Mflop */
        const prt_window_shape window9 = {
            .batch = 8, .groups = 1, .in = 6, .out = 16,
            .x_batch = 1176, .x_group = 0, .x_in = 196, .x_row = 14,
            .w_group = 0, .w_out = 150,
            .y_batch = 1600, .y_group = 0, .y_out = 100, .y_row = 10,
            .rows = {.size = 14, .input = 14, .output = 10, .window = 5, .stride = 1, .pad = 0},
            .columns = {.size = 14, .input = 14, .output = 10, .window = 5, .stride = 1, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV_INPUT_BWD, &window9, at_d_c3(ctx),
                   at_parameters_outside(ctx) + OFFSET_c3_weight, 0, at_d_x_2(ctx));
        /* examples/lenet.place:9: conv_weight_bwd "nchw,nopq->ocij": 106 KiB, 3.84 Mflop */
        const prt_window_shape window10 = {
            .batch = 8, .groups = 1, .in = 6, .out = 16,
            .x_batch = 1176, .x_group = 0, .x_in = 196, .x_row = 14,
            .w_group = 0, .w_out = 150,
            .y_batch = 1600, .y_group = 0, .y_out = 100, .y_row = 10,
            .rows = {.size = 14, .input = 14, .output = 10, .window = 5, .stride = 1, .pad = 0},
            .columns = {.size = 14, .input = 14, .output = 10, .window = 5, .stride = 1, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV_WEIGHT_BWD, &window10, at_x_2(ctx), at_d_c3(ctx), 1,
                   at_gradients_outside(ctx) + OFFSET_c3_weight);
        /* examples/lenet.place:9: mean_pool_bwd "ncpq->nchw": 184 KiB, 37.6 kflop */
        const prt_window_shape window11 = {
            .batch = 8, .groups = 6, .in = 1, .out = 1,
            .x_batch = 4704, .x_group = 784, .x_in = 0, .x_row = 28,
            .y_batch = 1176, .y_group = 196, .y_out = 0, .y_row = 14,
            .rows = {.size = 28, .input = 28, .output = 14, .window = 2, .stride = 2, .pad = 0},
            .columns = {.size = 28, .input = 28, .output = 14, .window = 2, .stride = 2, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_MEAN_POOL_BWD, &window11, at_d_x_2(ctx), NULL, 0, at_d_x(ctx));
        /* examples/lenet.place:8: tanh_bwd "abcd,abcd->abcd": 441 KiB, 376 kflop */
        ctx->at = LINE_8_computing_in_step;
        prt_launch(ctx, KERNEL_tanh_bwd_f32, 0, &(prt_arguments){
            .arrays = {at_d_c1(ctx), at_c1(ctx), at_d_x(ctx)},
            .extents = {37632},
        });
        /* examples/lenet.place:8: reduce "nopq->o": 147 KiB, 37.6 kflop */
        prt_launch(ctx, KERNEL_reduce_f32_ijk_to_j_accumulate, 0, &(prt_arguments){
            .arrays = {at_gradients_outside(ctx) + OFFSET_c1_bias, at_d_c1(ctx)},
            .extents = {8, 6, 784},
        });
        /* examples/lenet.place:8: conv_weight_bwd "nchw,nopq->ocij": 180 KiB, 1.88 Mflop */
        const prt_window_shape window12 = {
            .batch = 8, .groups = 1, .in = 1, .out = 6,
            .x_batch = 1024, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 25,
            .y_batch = 4704, .y_group = 0, .y_out = 784, .y_row = 28,
            .rows = {.size = 32, .input = 32, .output = 28, .window = 5, .stride = 1, .pad = 0},
            .columns = {.size = 32, .input = 32, .output = 28, .window = 5, .stride = 1, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV_WEIGHT_BWD, &window12, at_pixels(ctx), at_d_c1(ctx), 1,
                   at_gradients_outside(ctx) + OFFSET_c1_weight);
        /* examples/lenet.place:12: add to loss.sum "->": 12 B */
        ctx->at = LINE_12_computing_in_step;
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){.arrays = {at_loss_sum(ctx), at_loss(ctx)}});
    }
    /* examples/lenet.place:19: all_reduce loss.sum over data: payload 4 B */
    ctx->at = LINE_19_all_reduce_loss_sum_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_loss_sum, at_loss_sum(ctx), at_loss_sum(ctx), 1);
    /* examples/lenet.place:12: output loss: 4 B */
    ctx->at = LINE_12_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_loss_sum(ctx), 1);
    /* examples/lenet.place:20: rate "->": 8 B, 8 flop */
    ctx->at = LINE_20_computing_in_step;
    prt_launch(ctx, KERNEL_rate_f32_s, 0, &(prt_arguments){
        .arrays = {at_rate(ctx), at_step(ctx)},
        .numbers = {0.01, 0, 0, 1},
    });
    /* examples/lenet.place:20: output learning_rate: 4 B */
    ctx->at = LINE_20_output_learning_rate;
    prt_output(ctx, "learning_rate", PRT_F32, at_rate(ctx), 1);
    /* examples/lenet.place:20: increment "->": 8 B, 1 flop */
    ctx->at = LINE_20_computing_in_step;
    prt_launch(ctx, KERNEL_increment_f32_s_in_place_a, 0, &(prt_arguments){.arrays = {at_step(ctx)}});
    /* examples/lenet.place:19: all_reduce gradients.outside over data: payload 242 KiB */
    ctx->at = LINE_19_all_reduce_gradients_outside_over_data;
    prt_all_reduce(ctx, CALL_all_reduce_gradients_outside, at_gradients_outside(ctx), at_gradients_outside(ctx), 62032);
    /* examples/lenet.place:20: momentum: 727 KiB, 124 kflop */
    ctx->at = LINE_20_computing_in_step;
    if (ctx->saving_gradients)
        prt_save_gradient(ctx, GRADIENT_outside, 0, at_gradients_outside(ctx));
    prt_launch(ctx, KERNEL_momentum_f32_in_place_a, 0, &(prt_arguments){
        .arrays = {at_momentum_outside(ctx), at_gradients_outside(ctx)},
        .extents = {62032},
        .numbers = {0.9},
    });
    /* examples/lenet.place:20: sgd: 727 KiB, 124 kflop */
    prt_launch(ctx, KERNEL_sgd_f32_i_i_s_in_place_a, 0, &(prt_arguments){
        .arrays = {at_parameters_outside(ctx), at_momentum_outside(ctx), at_rate(ctx)},
        .extents = {62032},
    });
}

/* The loss on examples that are held out. */
static void eval(prt_context *ctx)
{
    /* examples/lenet.place:12: fill: 4 B */
    ctx->at = LINE_12_computing_in_eval;
    prt_launch(ctx, KERNEL_fill_f32_to_s, 0, &(prt_arguments){.arrays = {at_eval_loss_sum(ctx)}, .numbers = {0}});
    for (int64_t micro = 0; micro < 2; micro++) {
        /* examples/lenet.place:5: read pixels: 32.0 KiB */
        ctx->at = LINE_5_read_pixels;
        prt_read(ctx, INPUT_pixels, LAYOUT_64_over_micro_data_by_1_by_32_by_32, micro, at_eval_pixels(ctx));
        /* examples/lenet.place:6: read labels: 32 B */
        ctx->at = LINE_6_read_labels;
        prt_read(ctx, INPUT_labels, LAYOUT_64_over_micro_data, micro, at_eval_labels(ctx));
        /* examples/lenet.place:8: conv "nchw,ocij->nopq": 180 KiB, 1.88 Mflop */
        ctx->at = LINE_8_computing_in_eval;
        const prt_window_shape window13 = {
            .batch = 8, .groups = 1, .in = 1, .out = 6,
            .x_batch = 1024, .x_group = 0, .x_in = 1024, .x_row = 32,
            .w_group = 0, .w_out = 25,
            .y_batch = 4704, .y_group = 0, .y_out = 784, .y_row = 28,
            .rows = {.size = 32, .input = 32, .output = 28, .window = 5, .stride = 1, .pad = 0},
            .columns = {.size = 32, .input = 32, .output = 28, .window = 5, .stride = 1, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window13, at_eval_pixels(ctx),
                   at_parameters_outside(ctx) + OFFSET_c1_weight, 0, at_eval_c1_product(ctx));
        /* examples/lenet.place:8: add "nopq,o->nopq": 294 KiB, 37.6 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_eval_c1(ctx), at_eval_c1_product(ctx), at_parameters_outside(ctx) + OFFSET_c1_bias},
            .extents = {8, 6, 784},
        });
        /* examples/lenet.place:8: tanh "abcd->abcd": 294 KiB, 301 kflop */
        prt_launch(ctx, KERNEL_tanh_f32, 0, &(prt_arguments){
            .arrays = {at_eval_x(ctx), at_eval_c1(ctx)},
            .extents = {37632},
        });
        /* examples/lenet.place:9: mean_pool "nchw->ncpq": 184 KiB, 37.6 kflop */
        ctx->at = LINE_9_computing_in_eval;
        const prt_window_shape window14 = {
            .batch = 8, .groups = 6, .in = 1, .out = 1,
            .x_batch = 4704, .x_group = 784, .x_in = 0, .x_row = 28,
            .y_batch = 1176, .y_group = 196, .y_out = 0, .y_row = 14,
            .rows = {.size = 28, .input = 28, .output = 14, .window = 2, .stride = 2, .pad = 0},
            .columns = {.size = 28, .input = 28, .output = 14, .window = 2, .stride = 2, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_MEAN_POOL, &window14, at_eval_x(ctx), NULL, 0, at_eval_x_2(ctx));
        /* examples/lenet.place:9: conv "nchw,ocij->nopq": 96.1 KiB, 3.84 Mflop */
        const prt_window_shape window15 = {
            .batch = 8, .groups = 1, .in = 6, .out = 16,
            .x_batch = 1176, .x_group = 0, .x_in = 196, .x_row = 14,
            .w_group = 0, .w_out = 150,
            .y_batch = 1600, .y_group = 0, .y_out = 100, .y_row = 10,
            .rows = {.size = 14, .input = 14, .output = 10, .window = 5, .stride = 1, .pad = 0},
            .columns = {.size = 14, .input = 14, .output = 10, .window = 5, .stride = 1, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window15, at_eval_x_2(ctx),
                   at_parameters_outside(ctx) + OFFSET_c3_weight, 0, at_eval_c3_product(ctx));
        /* examples/lenet.place:9: add "nopq,o->nopq": 100 KiB, 12.8 kflop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_eval_c3(ctx), at_eval_c3_product(ctx), at_parameters_outside(ctx) + OFFSET_c3_bias},
            .extents = {8, 16, 100},
        });
        /* examples/lenet.place:9: tanh "abcd->abcd": 100 KiB, 102 kflop */
        prt_launch(ctx, KERNEL_tanh_f32, 0, &(prt_arguments){
            .arrays = {at_eval_x_3(ctx), at_eval_c3(ctx)},
            .extents = {12800},
        });
        /* examples/lenet.place:10: mean_pool "nchw->ncpq": 62.5 KiB, 12.8 kflop */
        ctx->at = LINE_10_computing_in_eval;
        const prt_window_shape window16 = {
            .batch = 8, .groups = 16, .in = 1, .out = 1,
            .x_batch = 1600, .x_group = 100, .x_in = 0, .x_row = 10,
            .y_batch = 400, .y_group = 25, .y_out = 0, .y_row = 5,
            .rows = {.size = 10, .input = 10, .output = 5, .window = 2, .stride = 2, .pad = 0},
            .columns = {.size = 10, .input = 10, .output = 5, .window = 2, .stride = 2, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_MEAN_POOL, &window16, at_eval_x_3(ctx), NULL, 0, at_eval_x_4(ctx));
        /* examples/lenet.place:10: conv "nchw,ocij->nopq": 204 KiB, 768 kflop */
        const prt_window_shape window17 = {
            .batch = 8, .groups = 1, .in = 16, .out = 120,
            .x_batch = 400, .x_group = 0, .x_in = 25, .x_row = 5,
            .w_group = 0, .w_out = 400,
            .y_batch = 120, .y_group = 0, .y_out = 1, .y_row = 1,
            .rows = {.size = 5, .input = 5, .output = 1, .window = 5, .stride = 1, .pad = 0},
            .columns = {.size = 5, .input = 5, .output = 1, .window = 5, .stride = 1, .pad = 0},
        };
        prt_window(ctx, 0, PRT_F32, PRT_CONV, &window17, at_eval_x_4(ctx),
                   at_parameters_outside(ctx) + OFFSET_c5_weight, 0, at_eval_c5_product(ctx));
        /* examples/lenet.place:10: add "nopq,o->nopq": 7.97 KiB, 960 flop */
        prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
            .arrays = {at_eval_c5(ctx), at_eval_c5_product(ctx), at_parameters_outside(ctx) + OFFSET_c5_bias},
            .extents = {8, 120, 1},
        });
        /* examples/lenet.place:10: tanh "abcd->abcd": 7.50 KiB, 7.68 kflop */
        prt_launch(ctx, KERNEL_tanh_f32, 0, &(prt_arguments){
            .arrays = {at_eval_x_5(ctx), at_eval_c5(ctx)},
            .extents = {960},
        });
        /* examples/lenet.place:11: view "nchw->nk": 7.50 KiB */
        ctx->at = LINE_11_computing_in_eval;
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_eval_x_6(ctx), at_eval_x_5(ctx)},
            .extents = {960},
        });
        /* examples/lenet.place:11: einsum "bh,oh->bo": 45.8 KiB, 161 kflop */
        const prt_gemm_shape gemm7 = {
            .m = 8, .n = 84, .k = 120,
            .a_row = 120, .a_column = 1,
            .b_row = 1, .b_column = 120,
            .c_row = 84, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm7, at_eval_x_6(ctx), at_parameters_outside(ctx) + OFFSET_f6_weight, 0,
                 at_eval_f6_product(ctx));
        /* examples/lenet.place:11: add "bo,o->bo": 5.58 KiB, 672 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_eval_f6(ctx), at_eval_f6_product(ctx), at_parameters_outside(ctx) + OFFSET_f6_bias},
            .extents = {8, 84},
        });
        /* examples/lenet.place:11: tanh "ab->ab": 5.25 KiB, 5.38 kflop */
        prt_launch(ctx, KERNEL_tanh_f32, 0, &(prt_arguments){
            .arrays = {at_eval_x_7(ctx), at_eval_f6(ctx)},
            .extents = {672},
        });
        /* examples/lenet.place:12: einsum "bh,oh->bo": 6.22 KiB, 13.4 kflop */
        ctx->at = LINE_12_computing_in_eval;
        const prt_gemm_shape gemm8 = {
            .m = 8, .n = 10, .k = 84,
            .a_row = 84, .a_column = 1,
            .b_row = 1, .b_column = 84,
            .c_row = 10, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm8, at_eval_x_7(ctx), at_parameters_outside(ctx) + OFFSET_out_weight, 0,
                 at_eval_out_product(ctx));
        /* examples/lenet.place:12: add "bo,o->bo": 680 B, 80 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_eval_out(ctx), at_eval_out_product(ctx), at_parameters_outside(ctx) + OFFSET_out_bias},
            .extents = {8, 10},
        });
        /* examples/lenet.place:12: iota: 40 B */
        prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
            .arrays = {at_eval_class_positions(ctx)},
            .extents = {10},
            .numbers = {0},
        });
        /* examples/lenet.place:12: row_max "bv->b": 352 B, 80 flop */
        prt_launch(ctx, KERNEL_row_max_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_largest(ctx), at_eval_out(ctx)},
            .extents = {8, 10},
        });
        /* examples/lenet.place:12: exp_sum "bv,b->b": 384 B, 320 flop */
        prt_launch(ctx, KERNEL_exp_sum_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_exp_sum(ctx), at_eval_out(ctx), at_eval_loss_terms_largest(ctx)},
            .extents = {8, 10},
        });
        /* examples/lenet.place:12: pick "bv,b,v->b": 424 B, 80 flop */
        prt_launch(ctx, KERNEL_pick_f32_ij_i32i_i32j_to_i, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms_target_logit(ctx), at_eval_out(ctx), at_eval_labels(ctx),
                       at_eval_class_positions(ctx)},
            .extents = {8, 10},
        });
        /* examples/lenet.place:12: log_loss "b,b,b->b": 128 B, 48 flop */
        prt_launch(ctx, KERNEL_log_loss_f32, 0, &(prt_arguments){
            .arrays = {at_eval_loss_terms(ctx), at_eval_loss_terms_largest(ctx), at_eval_loss_terms_exp_sum(ctx),
                       at_eval_loss_terms_target_logit(ctx)},
            .extents = {8},
        });
        /* examples/lenet.place:12: reduce "a->": 36 B, 8 flop */
        prt_launch(ctx, KERNEL_reduce_f32_i_to_s, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx), at_eval_loss_terms(ctx)},
            .extents = {8},
        });
        /* examples/lenet.place:12: scale "->": 8 B, 1 flop */
        prt_launch(ctx, KERNEL_scale_f32_s_in_place_a, 0, &(prt_arguments){
            .arrays = {at_eval_loss(ctx)},
            .numbers = {1.0 / 64},
        });
        /* examples/lenet.place:12: add to eval.loss.sum "->": 12 B */
        prt_launch(ctx, KERNEL_copy_f32_s_accumulate, 0, &(prt_arguments){
            .arrays = {at_eval_loss_sum(ctx), at_eval_loss(ctx)},
        });
    }
    /* examples/lenet.place:19: all_reduce eval.loss.sum over data: payload 4 B */
    ctx->at = LINE_19_all_reduce_eval_loss_sum_over_data;
    prt_all_reduce(ctx, CALL_eval_all_reduce_loss_sum, at_eval_loss_sum(ctx), at_eval_loss_sum(ctx), 1);
    /* examples/lenet.place:12: output loss: 4 B */
    ctx->at = LINE_12_output_loss;
    prt_output(ctx, "loss", PRT_F32, at_eval_loss_sum(ctx), 1);
}

/* The model's output on the text so far. */
static void predict(prt_context *ctx)
{
    /* examples/lenet.place:5: read pixels: 4.00 KiB */
    ctx->at = LINE_5_read_pixels;
    prt_read(ctx, INPUT_pixels, LAYOUT_1_by_1_by_32_by_32, 0, at_predict_pixels(ctx));
    /* examples/lenet.place:8: conv "nchw,ocij->nopq": 23.0 KiB, 235 kflop */
    ctx->at = LINE_8_computing_in_predict;
    const prt_window_shape window18 = {
        .batch = 1, .groups = 1, .in = 1, .out = 6,
        .x_batch = 1024, .x_group = 0, .x_in = 1024, .x_row = 32,
        .w_group = 0, .w_out = 25,
        .y_batch = 4704, .y_group = 0, .y_out = 784, .y_row = 28,
        .rows = {.size = 32, .input = 32, .output = 28, .window = 5, .stride = 1, .pad = 0},
        .columns = {.size = 32, .input = 32, .output = 28, .window = 5, .stride = 1, .pad = 0},
    };
    prt_window(ctx, 0, PRT_F32, PRT_CONV, &window18, at_predict_pixels(ctx),
               at_parameters_outside(ctx) + OFFSET_c1_weight, 0, at_predict_c1_product(ctx));
    /* examples/lenet.place:8: add "nopq,o->nopq": 36.8 KiB, 4.7 kflop */
    prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
        .arrays = {at_predict_c1(ctx), at_predict_c1_product(ctx), at_parameters_outside(ctx) + OFFSET_c1_bias},
        .extents = {1, 6, 784},
    });
    /* examples/lenet.place:8: tanh "abcd->abcd": 36.8 KiB, 37.6 kflop */
    prt_launch(ctx, KERNEL_tanh_f32, 0, &(prt_arguments){
        .arrays = {at_predict_x(ctx), at_predict_c1(ctx)},
        .extents = {4704},
    });
    /* examples/lenet.place:9: mean_pool "nchw->ncpq": 23.0 KiB, 4.7 kflop */
    ctx->at = LINE_9_computing_in_predict;
    const prt_window_shape window19 = {
        .batch = 1, .groups = 6, .in = 1, .out = 1,
        .x_batch = 4704, .x_group = 784, .x_in = 0, .x_row = 28,
        .y_batch = 1176, .y_group = 196, .y_out = 0, .y_row = 14,
        .rows = {.size = 28, .input = 28, .output = 14, .window = 2, .stride = 2, .pad = 0},
        .columns = {.size = 28, .input = 28, .output = 14, .window = 2, .stride = 2, .pad = 0},
    };
    prt_window(ctx, 0, PRT_F32, PRT_MEAN_POOL, &window19, at_predict_x(ctx), NULL, 0, at_predict_x_2(ctx));
    /* examples/lenet.place:9: conv "nchw,ocij->nopq": 20.2 KiB, 480 kflop */
    const prt_window_shape window20 = {
        .batch = 1, .groups = 1, .in = 6, .out = 16,
        .x_batch = 1176, .x_group = 0, .x_in = 196, .x_row = 14,
        .w_group = 0, .w_out = 150,
        .y_batch = 1600, .y_group = 0, .y_out = 100, .y_row = 10,
        .rows = {.size = 14, .input = 14, .output = 10, .window = 5, .stride = 1, .pad = 0},
        .columns = {.size = 14, .input = 14, .output = 10, .window = 5, .stride = 1, .pad = 0},
    };
    prt_window(ctx, 0, PRT_F32, PRT_CONV, &window20, at_predict_x_2(ctx), at_parameters_outside(ctx) + OFFSET_c3_weight,
               0, at_predict_c3_product(ctx));
    /* examples/lenet.place:9: add "nopq,o->nopq": 12.6 KiB, 1.6 kflop */
    prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
        .arrays = {at_predict_c3(ctx), at_predict_c3_product(ctx), at_parameters_outside(ctx) + OFFSET_c3_bias},
        .extents = {1, 16, 100},
    });
    /* examples/lenet.place:9: tanh "abcd->abcd": 12.5 KiB, 12.8 kflop */
    prt_launch(ctx, KERNEL_tanh_f32, 0, &(prt_arguments){
        .arrays = {at_predict_x_3(ctx), at_predict_c3(ctx)},
        .extents = {1600},
    });
    /* examples/lenet.place:10: mean_pool "nchw->ncpq": 7.81 KiB, 1.6 kflop */
    ctx->at = LINE_10_computing_in_predict;
    const prt_window_shape window21 = {
        .batch = 1, .groups = 16, .in = 1, .out = 1,
        .x_batch = 1600, .x_group = 100, .x_in = 0, .x_row = 10,
        .y_batch = 400, .y_group = 25, .y_out = 0, .y_row = 5,
        .rows = {.size = 10, .input = 10, .output = 5, .window = 2, .stride = 2, .pad = 0},
        .columns = {.size = 10, .input = 10, .output = 5, .window = 2, .stride = 2, .pad = 0},
    };
    prt_window(ctx, 0, PRT_F32, PRT_MEAN_POOL, &window21, at_predict_x_3(ctx), NULL, 0, at_predict_x_4(ctx));
    /* examples/lenet.place:10: conv "nchw,ocij->nopq": 190 KiB, 96 kflop */
    const prt_window_shape window22 = {
        .batch = 1, .groups = 1, .in = 16, .out = 120,
        .x_batch = 400, .x_group = 0, .x_in = 25, .x_row = 5,
        .w_group = 0, .w_out = 400,
        .y_batch = 120, .y_group = 0, .y_out = 1, .y_row = 1,
        .rows = {.size = 5, .input = 5, .output = 1, .window = 5, .stride = 1, .pad = 0},
        .columns = {.size = 5, .input = 5, .output = 1, .window = 5, .stride = 1, .pad = 0},
    };
    prt_window(ctx, 0, PRT_F32, PRT_CONV, &window22, at_predict_x_4(ctx), at_parameters_outside(ctx) + OFFSET_c5_weight,
               0, at_predict_c5_product(ctx));
    /* examples/lenet.place:10: add "nopq,o->nopq": 1.41 KiB, 120 flop */
    prt_launch(ctx, KERNEL_add_f32_ijk_j, 0, &(prt_arguments){
        .arrays = {at_predict_c5(ctx), at_predict_c5_product(ctx), at_parameters_outside(ctx) + OFFSET_c5_bias},
        .extents = {1, 120, 1},
    });
    /* examples/lenet.place:10: tanh "abcd->abcd": 960 B, 960 flop */
    prt_launch(ctx, KERNEL_tanh_f32, 0, &(prt_arguments){
        .arrays = {at_predict_x_5(ctx), at_predict_c5(ctx)},
        .extents = {120},
    });
    /* examples/lenet.place:11: view "nchw->nk": 960 B */
    ctx->at = LINE_11_computing_in_predict;
    prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
        .arrays = {at_predict_x_6(ctx), at_predict_x_5(ctx)},
        .extents = {120},
    });
    /* examples/lenet.place:11: einsum "bh,oh->bo": 40.2 KiB, 20.2 kflop */
    const prt_gemm_shape gemm9 = {
        .m = 1, .n = 84, .k = 120,
        .a_row = 120, .a_column = 1,
        .b_row = 1, .b_column = 120,
        .c_row = 84, .c_column = 1,
    };
    prt_gemm(ctx, 0, PRT_F32, &gemm9, at_predict_x_6(ctx), at_parameters_outside(ctx) + OFFSET_f6_weight, 0,
             at_predict_f6_product(ctx));
    /* examples/lenet.place:11: add "bo,o->bo": 1008 B, 84 flop */
    prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
        .arrays = {at_predict_f6(ctx), at_predict_f6_product(ctx), at_parameters_outside(ctx) + OFFSET_f6_bias},
        .extents = {1, 84},
    });
    /* examples/lenet.place:11: tanh "ab->ab": 672 B, 672 flop */
    prt_launch(ctx, KERNEL_tanh_f32, 0, &(prt_arguments){
        .arrays = {at_predict_x_7(ctx), at_predict_f6(ctx)},
        .extents = {84},
    });
    /* examples/lenet.place:12: einsum "bh,oh->bo": 3.65 KiB, 1.68 kflop */
    ctx->at = LINE_12_computing_in_predict;
    const prt_gemm_shape gemm10 = {
        .m = 1, .n = 10, .k = 84,
        .a_row = 84, .a_column = 1,
        .b_row = 1, .b_column = 84,
        .c_row = 10, .c_column = 1,
    };
    prt_gemm(ctx, 0, PRT_F32, &gemm10, at_predict_x_7(ctx), at_parameters_outside(ctx) + OFFSET_out_weight, 0,
             at_predict_out_product(ctx));
    /* examples/lenet.place:12: add "bo,o->bo": 120 B, 10 flop */
    prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
        .arrays = {at_predict_out(ctx), at_predict_out_product(ctx), at_parameters_outside(ctx) + OFFSET_out_bias},
        .extents = {1, 10},
    });
    /* examples/lenet.place:12: output logits: 40 B */
    ctx->at = LINE_12_output_logits;
    prt_output(ctx, "logits", PRT_F32, at_predict_out(ctx), 10);
}

/* ---- The plan, for the runtime ---- */

/* Rows of a table. */
#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static const prt_tensor tensors[] = {
    [TENSOR_c1_weight] = {"c1.weight", NULL, 1, PRT_F32, 4, {6, 1, 5, 5}, PRT_NORMAL, 0.282842712474619},
    [TENSOR_c1_bias] = {"c1.bias", NULL, 1, PRT_F32, 1, {6}, PRT_ZEROS, 0},
    [TENSOR_c3_weight] = {"c3.weight", NULL, 1, PRT_F32, 4, {16, 6, 5, 5}, PRT_NORMAL, 0.11547005383792516},
    [TENSOR_c3_bias] = {"c3.bias", NULL, 1, PRT_F32, 1, {16}, PRT_ZEROS, 0},
    [TENSOR_c5_weight] = {"c5.weight", NULL, 1, PRT_F32, 4, {120, 16, 5, 5}, PRT_NORMAL, 0.07071067811865475},
    [TENSOR_c5_bias] = {"c5.bias", NULL, 1, PRT_F32, 1, {120}, PRT_ZEROS, 0},
    [TENSOR_f6_weight] = {"f6.weight", NULL, 1, PRT_F32, 2, {84, 120}, PRT_NORMAL, 0.09128709291752768},
    [TENSOR_f6_bias] = {"f6.bias", NULL, 1, PRT_F32, 1, {84}, PRT_ZEROS, 0},
    [TENSOR_out_weight] = {"out.weight", NULL, 1, PRT_F32, 2, {10, 84}, PRT_NORMAL, 0.1091089451179962},
    [TENSOR_out_bias] = {"out.bias", NULL, 1, PRT_F32, 1, {10}, PRT_ZEROS, 0},
};

static const prt_input inputs[] = {
    [INPUT_pixels] = {"pixels", PRT_F32, PRT_FEATURES, 0, 4, {64, 1, 32, 32}},
    [INPUT_labels] = {"labels", PRT_I32, PRT_LABELS, 10, 1, {64}},
};

static const prt_member members_outside[] = {
    {TENSOR_c1_weight, OFFSET_c1_weight, NULL},
    {TENSOR_c1_bias, OFFSET_c1_bias, NULL},
    {TENSOR_c3_weight, OFFSET_c3_weight, NULL},
    {TENSOR_c3_bias, OFFSET_c3_bias, NULL},
    {TENSOR_c5_weight, OFFSET_c5_weight, NULL},
    {TENSOR_c5_bias, OFFSET_c5_bias, NULL},
    {TENSOR_f6_weight, OFFSET_f6_weight, NULL},
    {TENSOR_f6_bias, OFFSET_f6_bias, NULL},
    {TENSOR_out_weight, OFFSET_out_weight, NULL},
    {TENSOR_out_bias, OFFSET_out_bias, NULL},
};

static const prt_unit units[] = {
    [UNIT_outside] = {"outside", 0, 0, COUNT(members_outside), members_outside, 62032},
};

static const prt_state states[] = {
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 248128,
        .layout = LAYOUT_outside,
        .tensor = -1,
    },
    {
        .state = "momentum",
        .tier = PRT_DEVICE,
        .offset = ARENA_momentum_outside,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 248128,
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
        .slot_bytes = 248128,
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
        .source = LINE_19_all_reduce_loss_sum_over_data,
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
        .source = LINE_19_all_reduce_gradients_outside_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 248128,
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
        .source = LINE_19_all_reduce_eval_loss_sum_over_data,
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
    [KERNEL_add_f32_ijk_j] = {
        .entry = "kernel_add_f32_ijk_j",
        .host = kernel_add_f32_ijk_j,
        .arrays = {{PRT_F32, "ijk"}, {PRT_F32, "ijk"}, {PRT_F32, "j"}},
        .array_count = 3, .extent_count = 3, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ijk", .per_thread = true,
        .space = "ijk", .operations = 1,
    },
    [KERNEL_tanh_f32] = {
        .entry = "kernel_tanh_f32",
        .host = kernel_tanh_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 8,
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
    [KERNEL_tanh_bwd_f32] = {
        .entry = "kernel_tanh_bwd_f32",
        .host = kernel_tanh_bwd_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 3, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 10,
    },
    [KERNEL_reduce_f32_ijk_to_j_accumulate] = {
        .entry = "kernel_reduce_f32_ijk_to_j_accumulate",
        .host = kernel_reduce_f32_ijk_to_j_accumulate,
        .arrays = {{PRT_F32, "j"}, {PRT_F32, "ijk"}},
        .array_count = 2, .extent_count = 3, .number_count = 0,
        .reads_result = true,
        .split = "j", .work = "j", .per_thread = false,
        .space = "ijk", .operations = 1,
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
    [LAYOUT_64_over_micro_data_by_1_by_32_by_32] =
        {.unit = -1, .dim_count = 4, .dims = {{.size = 64, .cut_count = 2, .cut = {PRT_MICRO, AXIS_data}}, {.size = 1}, {.size = 32}, {.size = 32}}},
    [LAYOUT_64_over_micro_data] =
        {.unit = -1, .dim_count = 1, .dims = {{.size = 64, .cut_count = 2, .cut = {PRT_MICRO, AXIS_data}}}},
    [LAYOUT_scalar] = {.unit = -1},
    [LAYOUT_1_by_1_by_32_by_32] =
        {.unit = -1, .dim_count = 4, .dims = {{.size = 1}, {.size = 1}, {.size = 32}, {.size = 32}}},
};

static const prt_class classes[] = {
    {
        .memory = {246824, 246824, 246828, 484328, 0, 0, 4124},
    },
};

static const prt_buffer buffers[] = {
    {.name = "parameters.outside", .tier = PRT_DEVICE, .offset = ARENA_parameters_outside, .bytes = 248128},
    {.name = "gradients.outside", .tier = PRT_DEVICE, .offset = ARENA_gradients_outside, .bytes = 248128},
    {.name = "momentum.outside", .tier = PRT_DEVICE, .offset = ARENA_momentum_outside, .bytes = 248128},
    {.name = "step", .tier = PRT_DEVICE, .offset = ARENA_step, .bytes = 4},
    {.name = "loss.sum", .tier = PRT_DEVICE, .offset = ARENA_loss_sum, .bytes = 4},
    {.name = "pixels", .tier = PRT_DEVICE, .offset = ARENA_pixels, .bytes = 32768},
    {.name = "labels", .tier = PRT_DEVICE, .offset = ARENA_labels, .bytes = 32},
    {.name = "c1.product", .tier = PRT_DEVICE, .offset = ARENA_c1_product, .bytes = 150528},
    {.name = "c1", .tier = PRT_DEVICE, .offset = ARENA_c1, .bytes = 150528},
    {.name = "x", .tier = PRT_DEVICE, .offset = ARENA_x, .bytes = 150528},
    {.name = "x.2", .tier = PRT_DEVICE, .offset = ARENA_x_2, .bytes = 37632},
    {.name = "c3.product", .tier = PRT_DEVICE, .offset = ARENA_c3_product, .bytes = 51200},
    {.name = "c3", .tier = PRT_DEVICE, .offset = ARENA_c3, .bytes = 51200},
    {.name = "x.3", .tier = PRT_DEVICE, .offset = ARENA_x_3, .bytes = 51200},
    {.name = "x.4", .tier = PRT_DEVICE, .offset = ARENA_x_4, .bytes = 12800},
    {.name = "c5.product", .tier = PRT_DEVICE, .offset = ARENA_c5_product, .bytes = 3840},
    {.name = "c5", .tier = PRT_DEVICE, .offset = ARENA_c5, .bytes = 3840},
    {.name = "x.5", .tier = PRT_DEVICE, .offset = ARENA_x_5, .bytes = 3840},
    {.name = "x.6", .tier = PRT_DEVICE, .offset = ARENA_x_6, .bytes = 3840},
    {.name = "f6.product", .tier = PRT_DEVICE, .offset = ARENA_f6_product, .bytes = 2688},
    {.name = "f6", .tier = PRT_DEVICE, .offset = ARENA_f6, .bytes = 2688},
    {.name = "x.7", .tier = PRT_DEVICE, .offset = ARENA_x_7, .bytes = 2688},
    {.name = "out.product", .tier = PRT_DEVICE, .offset = ARENA_out_product, .bytes = 320},
    {.name = "out", .tier = PRT_DEVICE, .offset = ARENA_out, .bytes = 320},
    {.name = "class_positions", .tier = PRT_DEVICE, .offset = ARENA_class_positions, .bytes = 40},
    {.name = "loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_largest, .bytes = 32},
    {.name = "loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_exp_sum, .bytes = 32},
    {.name = "loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_loss_terms_target_logit, .bytes = 32},
    {.name = "loss.terms", .tier = PRT_DEVICE, .offset = ARENA_loss_terms, .bytes = 32},
    {.name = "loss", .tier = PRT_DEVICE, .offset = ARENA_loss, .bytes = 4},
    {.name = "d_loss.terms", .tier = PRT_DEVICE, .offset = ARENA_d_loss_terms, .bytes = 32},
    {.name = "d_out", .tier = PRT_DEVICE, .offset = ARENA_d_out, .bytes = 320},
    {.name = "d_x.7", .tier = PRT_DEVICE, .offset = ARENA_d_x_7, .bytes = 2688},
    {.name = "d_f6", .tier = PRT_DEVICE, .offset = ARENA_d_f6, .bytes = 2688},
    {.name = "d_x.6", .tier = PRT_DEVICE, .offset = ARENA_d_x_6, .bytes = 3840},
    {.name = "d_x.5", .tier = PRT_DEVICE, .offset = ARENA_d_x_5, .bytes = 3840},
    {.name = "d_c5", .tier = PRT_DEVICE, .offset = ARENA_d_c5, .bytes = 3840},
    {.name = "d_x.4", .tier = PRT_DEVICE, .offset = ARENA_d_x_4, .bytes = 12800},
    {.name = "d_x.3", .tier = PRT_DEVICE, .offset = ARENA_d_x_3, .bytes = 51200},
    {.name = "d_c3", .tier = PRT_DEVICE, .offset = ARENA_d_c3, .bytes = 51200},
    {.name = "d_x.2", .tier = PRT_DEVICE, .offset = ARENA_d_x_2, .bytes = 37632},
    {.name = "d_x", .tier = PRT_DEVICE, .offset = ARENA_d_x, .bytes = 150528},
    {.name = "d_c1", .tier = PRT_DEVICE, .offset = ARENA_d_c1, .bytes = 150528},
    {.name = "rate", .tier = PRT_DEVICE, .offset = ARENA_rate, .bytes = 4},
    {.name = "eval.loss.sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_sum, .bytes = 4},
    {.name = "eval.pixels", .tier = PRT_DEVICE, .offset = ARENA_eval_pixels, .bytes = 32768},
    {.name = "eval.labels", .tier = PRT_DEVICE, .offset = ARENA_eval_labels, .bytes = 32},
    {.name = "eval.c1.product", .tier = PRT_DEVICE, .offset = ARENA_eval_c1_product, .bytes = 150528},
    {.name = "eval.c1", .tier = PRT_DEVICE, .offset = ARENA_eval_c1, .bytes = 150528},
    {.name = "eval.x", .tier = PRT_DEVICE, .offset = ARENA_eval_x, .bytes = 150528},
    {.name = "eval.x.2", .tier = PRT_DEVICE, .offset = ARENA_eval_x_2, .bytes = 37632},
    {.name = "eval.c3.product", .tier = PRT_DEVICE, .offset = ARENA_eval_c3_product, .bytes = 51200},
    {.name = "eval.c3", .tier = PRT_DEVICE, .offset = ARENA_eval_c3, .bytes = 51200},
    {.name = "eval.x.3", .tier = PRT_DEVICE, .offset = ARENA_eval_x_3, .bytes = 51200},
    {.name = "eval.x.4", .tier = PRT_DEVICE, .offset = ARENA_eval_x_4, .bytes = 12800},
    {.name = "eval.c5.product", .tier = PRT_DEVICE, .offset = ARENA_eval_c5_product, .bytes = 3840},
    {.name = "eval.c5", .tier = PRT_DEVICE, .offset = ARENA_eval_c5, .bytes = 3840},
    {.name = "eval.x.5", .tier = PRT_DEVICE, .offset = ARENA_eval_x_5, .bytes = 3840},
    {.name = "eval.x.6", .tier = PRT_DEVICE, .offset = ARENA_eval_x_6, .bytes = 3840},
    {.name = "eval.f6.product", .tier = PRT_DEVICE, .offset = ARENA_eval_f6_product, .bytes = 2688},
    {.name = "eval.f6", .tier = PRT_DEVICE, .offset = ARENA_eval_f6, .bytes = 2688},
    {.name = "eval.x.7", .tier = PRT_DEVICE, .offset = ARENA_eval_x_7, .bytes = 2688},
    {.name = "eval.out.product", .tier = PRT_DEVICE, .offset = ARENA_eval_out_product, .bytes = 320},
    {.name = "eval.out", .tier = PRT_DEVICE, .offset = ARENA_eval_out, .bytes = 320},
    {.name = "eval.class_positions", .tier = PRT_DEVICE, .offset = ARENA_eval_class_positions, .bytes = 40},
    {.name = "eval.loss.terms.largest", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_largest, .bytes = 32},
    {.name = "eval.loss.terms.exp_sum", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_exp_sum, .bytes = 32},
    {.name = "eval.loss.terms.target_logit", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms_target_logit, .bytes = 32},
    {.name = "eval.loss.terms", .tier = PRT_DEVICE, .offset = ARENA_eval_loss_terms, .bytes = 32},
    {.name = "eval.loss", .tier = PRT_DEVICE, .offset = ARENA_eval_loss, .bytes = 4},
    {.name = "predict.pixels", .tier = PRT_DEVICE, .offset = ARENA_predict_pixels, .bytes = 4096},
    {.name = "predict.c1.product", .tier = PRT_DEVICE, .offset = ARENA_predict_c1_product, .bytes = 18816},
    {.name = "predict.c1", .tier = PRT_DEVICE, .offset = ARENA_predict_c1, .bytes = 18816},
    {.name = "predict.x", .tier = PRT_DEVICE, .offset = ARENA_predict_x, .bytes = 18816},
    {.name = "predict.x.2", .tier = PRT_DEVICE, .offset = ARENA_predict_x_2, .bytes = 4704},
    {.name = "predict.c3.product", .tier = PRT_DEVICE, .offset = ARENA_predict_c3_product, .bytes = 6400},
    {.name = "predict.c3", .tier = PRT_DEVICE, .offset = ARENA_predict_c3, .bytes = 6400},
    {.name = "predict.x.3", .tier = PRT_DEVICE, .offset = ARENA_predict_x_3, .bytes = 6400},
    {.name = "predict.x.4", .tier = PRT_DEVICE, .offset = ARENA_predict_x_4, .bytes = 1600},
    {.name = "predict.c5.product", .tier = PRT_DEVICE, .offset = ARENA_predict_c5_product, .bytes = 480},
    {.name = "predict.c5", .tier = PRT_DEVICE, .offset = ARENA_predict_c5, .bytes = 480},
    {.name = "predict.x.5", .tier = PRT_DEVICE, .offset = ARENA_predict_x_5, .bytes = 480},
    {.name = "predict.x.6", .tier = PRT_DEVICE, .offset = ARENA_predict_x_6, .bytes = 480},
    {.name = "predict.f6.product", .tier = PRT_DEVICE, .offset = ARENA_predict_f6_product, .bytes = 336},
    {.name = "predict.f6", .tier = PRT_DEVICE, .offset = ARENA_predict_f6, .bytes = 336},
    {.name = "predict.x.7", .tier = PRT_DEVICE, .offset = ARENA_predict_x_7, .bytes = 336},
    {.name = "predict.out.product", .tier = PRT_DEVICE, .offset = ARENA_predict_out_product, .bytes = 40},
    {.name = "predict.out", .tier = PRT_DEVICE, .offset = ARENA_predict_out, .bytes = 40},
};

static const prt_source sources[] = {
    [NO_LINE_lenet] = {"", 0, "lenet"},
    [LINE_20_computing_in_init] = {"examples/lenet.place", 20, "computing in init"},
    [LINE_8_init] = {"examples/lenet.place", 8, "init"},
    [LINE_19_computing_in_step] = {"examples/lenet.place", 19, "computing in step"},
    [LINE_12_computing_in_step] = {"examples/lenet.place", 12, "computing in step"},
    [LINE_5_read_pixels] = {"examples/lenet.place", 5, "read pixels"},
    [LINE_6_read_labels] = {"examples/lenet.place", 6, "read labels"},
    [LINE_8_computing_in_step] = {"examples/lenet.place", 8, "computing in step"},
    [LINE_9_computing_in_step] = {"examples/lenet.place", 9, "computing in step"},
    [LINE_10_computing_in_step] = {"examples/lenet.place", 10, "computing in step"},
    [LINE_11_computing_in_step] = {"examples/lenet.place", 11, "computing in step"},
    [LINE_19_all_reduce_loss_sum_over_data] = {"examples/lenet.place", 19, "all_reduce loss.sum over data"},
    [LINE_12_output_loss] = {"examples/lenet.place", 12, "output loss"},
    [LINE_20_computing_in_step] = {"examples/lenet.place", 20, "computing in step"},
    [LINE_20_output_learning_rate] = {"examples/lenet.place", 20, "output learning_rate"},
    [LINE_19_all_reduce_gradients_outside_over_data] =
        {"examples/lenet.place", 19, "all_reduce gradients.outside over data"},
    [LINE_12_computing_in_eval] = {"examples/lenet.place", 12, "computing in eval"},
    [LINE_8_computing_in_eval] = {"examples/lenet.place", 8, "computing in eval"},
    [LINE_9_computing_in_eval] = {"examples/lenet.place", 9, "computing in eval"},
    [LINE_10_computing_in_eval] = {"examples/lenet.place", 10, "computing in eval"},
    [LINE_11_computing_in_eval] = {"examples/lenet.place", 11, "computing in eval"},
    [LINE_19_all_reduce_eval_loss_sum_over_data] = {"examples/lenet.place", 19, "all_reduce eval.loss.sum over data"},
    [LINE_8_computing_in_predict] = {"examples/lenet.place", 8, "computing in predict"},
    [LINE_9_computing_in_predict] = {"examples/lenet.place", 9, "computing in predict"},
    [LINE_10_computing_in_predict] = {"examples/lenet.place", 10, "computing in predict"},
    [LINE_11_computing_in_predict] = {"examples/lenet.place", 11, "computing in predict"},
    [LINE_12_computing_in_predict] = {"examples/lenet.place", 12, "computing in predict"},
    [LINE_12_output_logits] = {"examples/lenet.place", 12, "output logits"},
};

static const prt_program program = {
    .format = PRT_FORMAT,
    .name = "lenet",
    .file = "examples/lenet.place",
    .plan_hash = "2665b09326963084",
    .version = "0.1.0",
    .axis_count = 1,
    .axes = {[AXIS_data] = {"data", 4}},
    .compute_dtype = PRT_F32,
    .arena_bytes = {1228928, 0, 0},
    .batch = 64,
    .micro = 2,
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
