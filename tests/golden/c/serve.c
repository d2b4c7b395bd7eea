/* gpt, served on a mesh { data: 2, tensor: 2 }: the program of every rank. Written by placec from
 * examples/serve.place; the comments name its lines, and what one execution of a statement costs the rank with the
 * largest pieces. */
#include "place_rt.h"

/* Kernels (kernels.o). */
prt_host_kernel kernel_fill_f32;
prt_host_kernel kernel_embed_f32_i32i_jk_to_ik;
prt_host_kernel kernel_add_f32_ij_j;
prt_host_kernel kernel_iota_i32;
prt_host_kernel kernel_row_mean_f32_ij_to_i;
prt_host_kernel kernel_row_rstd_f32_ij_i_to_i;
prt_host_kernel kernel_norm_f32_ij_i_i_j_j;
prt_host_kernel kernel_copy_f32;
prt_host_kernel kernel_causal_softmax_f32_ijk_i32j_i32k;
prt_host_kernel kernel_add_f32;
prt_host_kernel kernel_gelu_f32;
prt_host_kernel kernel_equal_f32_i32i_i32j_to_ij;
prt_host_kernel kernel_reduce_f32_ijk_to_ik;
prt_host_kernel kernel_select_f32_ij_ik_ijk_in_place_c;
prt_host_kernel kernel_causal_softmax_f32_ijkl_i32ik_i32l;

/* Axes of the mesh, the first outermost. */
enum { AXIS_data, AXIS_tensor };

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
    TENSOR_block_attn_key,
    TENSOR_block_attn_value,
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
enum { INPUT_tokens, INPUT_tokens_next, INPUT_tokens_position, INPUT_targets };

/* Units of parameters that lie together, rows of units[]. */
enum { UNIT_block };

/* Where elements are, rows of layouts[]. */
enum {
    LAYOUT_256_by_384,
    LAYOUT_384,
    LAYOUT_block,
    LAYOUT_8_over_data_by_256,
    LAYOUT_8_over_data_by_256_by_384,
    LAYOUT_8_over_data_by_1,
    LAYOUT_8_over_data_by_1_by_384,
    LAYOUT_8_over_data_by_1_by_256,
    LAYOUT_8_by_1_by_256,
};

/* Ranks that communicate, rows of groups[]. */
enum { GROUP_tensor, GROUP_data };

/* Communications, rows of calls[]. */
enum {
    CALL_prefill_all_reduce_block_attn_product,
    CALL_prefill_all_reduce_block_mlp_product,
    CALL_all_reduce_block_attn_product,
    CALL_all_reduce_block_mlp_product,
    CALL_all_gather_logits,
};

/* Kernels, rows of kernels[]. */
enum {
    KERNEL_fill_f32,
    KERNEL_embed_f32_i32i_jk_to_ik,
    KERNEL_add_f32_ij_j,
    KERNEL_iota_i32,
    KERNEL_row_mean_f32_ij_to_i,
    KERNEL_row_rstd_f32_ij_i_to_i,
    KERNEL_norm_f32_ij_i_i_j_j,
    KERNEL_copy_f32,
    KERNEL_causal_softmax_f32_ijk_i32j_i32k,
    KERNEL_add_f32,
    KERNEL_gelu_f32,
    KERNEL_equal_f32_i32i_i32j_to_ij,
    KERNEL_reduce_f32_ijk_to_ik,
    KERNEL_select_f32_ij_ik_ijk_in_place_c,
    KERNEL_causal_softmax_f32_ijkl_i32ik_i32l,
};

/* What messages say is being done, rows of sources[]. */
enum {
    NO_LINE_gpt,
    LINE_7_init_wte_table,
    LINE_7_init_wpe_table,
    LINE_12_init_norm_gain,
    LINE_12_init_norm_bias,
    LINE_9_init_block_norm1_gain,
    LINE_9_init_block_norm1_bias,
    LINE_9_init_block_attn_out_bias,
    LINE_10_init_block_norm2_gain,
    LINE_10_init_block_norm2_bias,
    LINE_10_init_block_mlp_down_bias,
    LINE_9_computing_in_init,
    LINE_9_init,
    LINE_5_read_tokens,
    LINE_7_computing_in_prefill,
    LINE_9_computing_in_prefill,
    LINE_9_all_reduce_prefill_block_attn_product_over_tensor,
    LINE_10_computing_in_prefill,
    LINE_10_all_reduce_prefill_block_mlp_product_over_tensor,
    LINE_5_read_tokens_position,
    LINE_5_read_tokens_next,
    LINE_7_computing_in_step,
    LINE_9_computing_in_step,
    LINE_9_all_reduce_block_attn_product_over_tensor,
    LINE_10_computing_in_step,
    LINE_10_all_reduce_block_mlp_product_over_tensor,
    LINE_12_computing_in_step,
    LINE_13_all_gather_logits_over_data,
    LINE_13_output_logits,
};

/* Where a parameter is in its unit, in elements. */
#define OFFSET_block_attn_query_weight 0
#define OFFSET_block_attn_query_bias 73728
#define OFFSET_block_attn_key_weight 73920
#define OFFSET_block_attn_key_bias 147648
#define OFFSET_block_attn_value_weight 147840
#define OFFSET_block_attn_value_bias 221568
#define OFFSET_block_attn_out_weight 221760
#define OFFSET_block_mlp_up_weight 295488
#define OFFSET_block_mlp_up_bias 590400
#define OFFSET_block_mlp_down_weight 591168

/* Where a buffer is in the arena of its tier, in bytes. Buffers that are not in use at the same time share memory. */
#define ARENA_parameters_block 0
#define ARENA_parameters_wte_table 21265920
#define ARENA_parameters_wpe_table 21659136
#define ARENA_parameters_norm_gain 22052352
#define ARENA_parameters_norm_bias 22053888
#define ARENA_parameters_block_norm1_gain 22055424
#define ARENA_parameters_block_norm1_bias 22064640
#define ARENA_parameters_block_attn_out_bias 22073856
#define ARENA_parameters_block_norm2_gain 22083072
#define ARENA_parameters_block_norm2_bias 22092288
#define ARENA_parameters_block_mlp_down_bias 22101504
#define ARENA_cache_block_attn_key 22110720
#define ARENA_cache_block_attn_value 26829312
#define ARENA_prefill_tokens 31547904
#define ARENA_prefill_wte 42557952
#define ARENA_prefill_x 31547904
#define ARENA_prefill_row_positions 50422272
#define ARENA_prefill_column_positions 50423296
#define ARENA_prefill_block_norm1_mean 44130816
#define ARENA_prefill_block_norm1_rstd 44134912
#define ARENA_prefill_block_norm1 42557952
#define ARENA_prefill_block_attn_query_product 44130816
#define ARENA_prefill_block_attn_query 45703680
#define ARENA_prefill_block_attn_key_product 44130816
#define ARENA_prefill_block_attn_key 46490112
#define ARENA_prefill_block_attn_value_product 44130816
#define ARENA_prefill_block_attn_value 48849408
#define ARENA_prefill_block_attn_scores 42557952
#define ARENA_prefill_block_attn_weights 45703680
#define ARENA_prefill_block_attn_mixed 44130816
#define ARENA_prefill_block_attn_product 42557952
#define ARENA_prefill_block_attn 44130816
#define ARENA_prefill_block_x 48849408
#define ARENA_prefill_block_norm2_mean 42557952
#define ARENA_prefill_block_norm2_rstd 42562048
#define ARENA_prefill_block_norm2 45703680
#define ARENA_prefill_block_mlp_up_product 42557952
#define ARENA_prefill_block_mlp_up 45703680
#define ARENA_prefill_block_mlp_active 42557952
#define ARENA_prefill_block_mlp_product 45703680
#define ARENA_prefill_block_mlp 42557952
#define ARENA_position 31626752
#define ARENA_tokens 31547904
#define ARENA_wte 31590912
#define ARENA_wpe 31597056
#define ARENA_x 31547904
#define ARENA_column_positions 31625728
#define ARENA_here_row 31590912
#define ARENA_here 31621632
#define ARENA_block_norm1_mean 31597056
#define ARENA_block_norm1_rstd 31597120
#define ARENA_block_norm1 31590912
#define ARENA_block_attn_query_product 31597056
#define ARENA_block_attn_query 31603200
#define ARENA_block_attn_key_product 31597056
#define ARENA_block_attn_key 31600128
#define ARENA_block_attn_value_product 31597056
#define ARENA_block_attn_value 31590912
#define ARENA_block_attn_key_new 31593984
#define ARENA_block_attn_value_new 31593984
#define ARENA_block_attn_scores 31590912
#define ARENA_block_attn_weights 31603200
#define ARENA_block_attn_mixed 31597056
#define ARENA_block_attn_product 31590912
#define ARENA_block_attn 31597056
#define ARENA_block_x 31615488
#define ARENA_block_norm2_mean 31590912
#define ARENA_block_norm2_rstd 31590976
#define ARENA_block_norm2 31603200
#define ARENA_block_mlp_up_product 31590912
#define ARENA_block_mlp_up 31603200
#define ARENA_block_mlp_active 31590912
#define ARENA_block_mlp_product 31603200
#define ARENA_block_mlp 31590912
#define ARENA_norm_mean 31597056
#define ARENA_norm_rstd 31597120
#define ARENA_norm 31590912
#define ARENA_logits 31556096
#define ARENA_logits_gathered 31547904

/* ---- Buffers in the arena ---- */

/* parameters.block: f32 unit block, 6 slots, 20.3 MiB */
static inline float *at_parameters_block(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_block) + slot * 886080;
}

/* parameters.wte.table: f32 [256, 384], 384 KiB */
static inline float *at_parameters_wte_table(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameters_wte_table);
}

/* parameters.wpe.table: f32 [256, 384], 384 KiB */
static inline float *at_parameters_wpe_table(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameters_wpe_table);
}

/* parameters.norm.gain: f32 [384], 1.50 KiB */
static inline float *at_parameters_norm_gain(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameters_norm_gain);
}

/* parameters.norm.bias: f32 [384], 1.50 KiB */
static inline float *at_parameters_norm_bias(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_parameters_norm_bias);
}

/* parameters.block.norm1.gain: f32 [384], 6 slots, 9.00 KiB */
static inline float *at_parameters_block_norm1_gain(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_block_norm1_gain) + slot * 384;
}

/* parameters.block.norm1.bias: f32 [384], 6 slots, 9.00 KiB */
static inline float *at_parameters_block_norm1_bias(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_block_norm1_bias) + slot * 384;
}

/* parameters.block.attn.out.bias: f32 [384], 6 slots, 9.00 KiB */
static inline float *at_parameters_block_attn_out_bias(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_block_attn_out_bias) + slot * 384;
}

/* parameters.block.norm2.gain: f32 [384], 6 slots, 9.00 KiB */
static inline float *at_parameters_block_norm2_gain(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_block_norm2_gain) + slot * 384;
}

/* parameters.block.norm2.bias: f32 [384], 6 slots, 9.00 KiB */
static inline float *at_parameters_block_norm2_bias(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_block_norm2_bias) + slot * 384;
}

/* parameters.block.mlp.down.bias: f32 [384], 6 slots, 9.00 KiB */
static inline float *at_parameters_block_mlp_down_bias(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_parameters_block_mlp_down_bias) + slot * 384;
}

/* cache.block.attn.key: f32 [8 / data, 256, 6 / tensor, 64], 6 slots, 4.50 MiB */
static inline float *at_cache_block_attn_key(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_cache_block_attn_key) + slot * 196608;
}

/* cache.block.attn.value: f32 [8 / data, 256, 6 / tensor, 64], 6 slots, 4.50 MiB */
static inline float *at_cache_block_attn_value(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_cache_block_attn_value) + slot * 196608;
}

/* prefill.tokens: i32 [8 / data, 256], 4.00 KiB */
static inline int32_t *at_prefill_tokens(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_tokens);
}

/* prefill.wte: f32 [8 / data, 256, 384], 1.50 MiB */
static inline float *at_prefill_wte(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_wte);
}

/* prefill.x: f32 [8 / data, 256, 384], 7 slots, 10.5 MiB */
static inline float *at_prefill_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_prefill_x) + slot * 393216;
}

/* prefill.row_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_prefill_row_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_row_positions);
}

/* prefill.column_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_prefill_column_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_column_positions);
}

/* prefill.block.norm1.mean: f32 [8 / data, 256], 4.00 KiB */
static inline float *at_prefill_block_norm1_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_norm1_mean);
}

/* prefill.block.norm1.rstd: f32 [8 / data, 256], 4.00 KiB */
static inline float *at_prefill_block_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_norm1_rstd);
}

/* prefill.block.norm1: f32 [8 / data, 256, 384], 1.50 MiB */
static inline float *at_prefill_block_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_norm1);
}

/* prefill.block.attn.query.product: f32 [8 / data, 256, 6 / tensor, 64], 768 KiB */
static inline float *at_prefill_block_attn_query_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_attn_query_product);
}

/* prefill.block.attn.query: f32 [8 / data, 256, 6 / tensor, 64], 768 KiB */
static inline float *at_prefill_block_attn_query(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_attn_query);
}

/* prefill.block.attn.key.product: f32 [8 / data, 256, 6 / tensor, 64], 768 KiB */
static inline float *at_prefill_block_attn_key_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_attn_key_product);
}

/* prefill.block.attn.key: f32 [8 / data, 256, 6 / tensor, 64], 768 KiB */
static inline float *at_prefill_block_attn_key(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_attn_key);
}

/* prefill.block.attn.value.product: f32 [8 / data, 256, 6 / tensor, 64], 768 KiB */
static inline float *at_prefill_block_attn_value_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_attn_value_product);
}

/* prefill.block.attn.value: f32 [8 / data, 256, 6 / tensor, 64], 768 KiB */
static inline float *at_prefill_block_attn_value(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_attn_value);
}

/* prefill.block.attn.scores: f32 [8 / data, 6 / tensor, 256, 256], 3.00 MiB */
static inline float *at_prefill_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_attn_scores);
}

/* prefill.block.attn.weights: f32 [8 / data, 6 / tensor, 256, 256], 3.00 MiB */
static inline float *at_prefill_block_attn_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_attn_weights);
}

/* prefill.block.attn.mixed: f32 [8 / data, 256, 6 / tensor, 64], 768 KiB */
static inline float *at_prefill_block_attn_mixed(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_attn_mixed);
}

/* prefill.block.attn.product: f32 [8 / data, 256, 384], 1.50 MiB */
static inline float *at_prefill_block_attn_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_attn_product);
}

/* prefill.block.attn: f32 [8 / data, 256, 384], 1.50 MiB */
static inline float *at_prefill_block_attn(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_attn);
}

/* prefill.block.x: f32 [8 / data, 256, 384], 1.50 MiB */
static inline float *at_prefill_block_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_x);
}

/* prefill.block.norm2.mean: f32 [8 / data, 256], 4.00 KiB */
static inline float *at_prefill_block_norm2_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_norm2_mean);
}

/* prefill.block.norm2.rstd: f32 [8 / data, 256], 4.00 KiB */
static inline float *at_prefill_block_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_norm2_rstd);
}

/* prefill.block.norm2: f32 [8 / data, 256, 384], 1.50 MiB */
static inline float *at_prefill_block_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_norm2);
}

/* prefill.block.mlp.up.product: f32 [8 / data, 256, 1536 / tensor], 3.00 MiB */
static inline float *at_prefill_block_mlp_up_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_mlp_up_product);
}

/* prefill.block.mlp.up: f32 [8 / data, 256, 1536 / tensor], 3.00 MiB */
static inline float *at_prefill_block_mlp_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_mlp_up);
}

/* prefill.block.mlp.active: f32 [8 / data, 256, 1536 / tensor], 3.00 MiB */
static inline float *at_prefill_block_mlp_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_mlp_active);
}

/* prefill.block.mlp.product: f32 [8 / data, 256, 384], 1.50 MiB */
static inline float *at_prefill_block_mlp_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_mlp_product);
}

/* prefill.block.mlp: f32 [8 / data, 256, 384], 1.50 MiB */
static inline float *at_prefill_block_mlp(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_prefill_block_mlp);
}

/* position: i32 [8 / data, 1], 16 B */
static inline int32_t *at_position(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_position);
}

/* tokens: i32 [8 / data, 1], 16 B */
static inline int32_t *at_tokens(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_tokens);
}

/* wte: f32 [8 / data, 1, 384], 6.00 KiB */
static inline float *at_wte(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wte);
}

/* wpe: f32 [8 / data, 1, 384], 6.00 KiB */
static inline float *at_wpe(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_wpe);
}

/* x: f32 [8 / data, 1, 384], 7 slots, 42.0 KiB */
static inline float *at_x(const prt_context *ctx, int64_t slot)
{
    return (float *)prt_at(ctx, PRT_DEVICE, ARENA_x) + slot * 1536;
}

/* column_positions: i32 [256], 1.00 KiB */
static inline int32_t *at_column_positions(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_column_positions);
}

/* here.row: f32 [8 / data, 1, 256], 4.00 KiB */
static inline float *at_here_row(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_here_row);
}

/* here: f32 [8 / data, 256], 4.00 KiB */
static inline float *at_here(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_here);
}

/* block.norm1.mean: f32 [8 / data, 1], 16 B */
static inline float *at_block_norm1_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_norm1_mean);
}

/* block.norm1.rstd: f32 [8 / data, 1], 16 B */
static inline float *at_block_norm1_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_norm1_rstd);
}

/* block.norm1: f32 [8 / data, 1, 384], 6.00 KiB */
static inline float *at_block_norm1(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_norm1);
}

/* block.attn.query.product: f32 [8 / data, 1, 6 / tensor, 64], 3.00 KiB */
static inline float *at_block_attn_query_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_query_product);
}

/* block.attn.query: f32 [8 / data, 1, 6 / tensor, 64], 3.00 KiB */
static inline float *at_block_attn_query(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_query);
}

/* block.attn.key.product: f32 [8 / data, 1, 6 / tensor, 64], 3.00 KiB */
static inline float *at_block_attn_key_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_key_product);
}

/* block.attn.key: f32 [8 / data, 1, 6 / tensor, 64], 3.00 KiB */
static inline float *at_block_attn_key(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_key);
}

/* block.attn.value.product: f32 [8 / data, 1, 6 / tensor, 64], 3.00 KiB */
static inline float *at_block_attn_value_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_value_product);
}

/* block.attn.value: f32 [8 / data, 1, 6 / tensor, 64], 3.00 KiB */
static inline float *at_block_attn_value(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_value);
}

/* block.attn.key.new: f32 [8 / data, 6 / tensor, 64], 3.00 KiB */
static inline float *at_block_attn_key_new(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_key_new);
}

/* block.attn.value.new: f32 [8 / data, 6 / tensor, 64], 3.00 KiB */
static inline float *at_block_attn_value_new(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_value_new);
}

/* block.attn.scores: f32 [8 / data, 6 / tensor, 1, 256], 12.0 KiB */
static inline float *at_block_attn_scores(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_scores);
}

/* block.attn.weights: f32 [8 / data, 6 / tensor, 1, 256], 12.0 KiB */
static inline float *at_block_attn_weights(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_weights);
}

/* block.attn.mixed: f32 [8 / data, 1, 6 / tensor, 64], 3.00 KiB */
static inline float *at_block_attn_mixed(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_mixed);
}

/* block.attn.product: f32 [8 / data, 1, 384], 6.00 KiB */
static inline float *at_block_attn_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn_product);
}

/* block.attn: f32 [8 / data, 1, 384], 6.00 KiB */
static inline float *at_block_attn(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_attn);
}

/* block.x: f32 [8 / data, 1, 384], 6.00 KiB */
static inline float *at_block_x(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_x);
}

/* block.norm2.mean: f32 [8 / data, 1], 16 B */
static inline float *at_block_norm2_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_norm2_mean);
}

/* block.norm2.rstd: f32 [8 / data, 1], 16 B */
static inline float *at_block_norm2_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_norm2_rstd);
}

/* block.norm2: f32 [8 / data, 1, 384], 6.00 KiB */
static inline float *at_block_norm2(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_norm2);
}

/* block.mlp.up.product: f32 [8 / data, 1, 1536 / tensor], 12.0 KiB */
static inline float *at_block_mlp_up_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_up_product);
}

/* block.mlp.up: f32 [8 / data, 1, 1536 / tensor], 12.0 KiB */
static inline float *at_block_mlp_up(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_up);
}

/* block.mlp.active: f32 [8 / data, 1, 1536 / tensor], 12.0 KiB */
static inline float *at_block_mlp_active(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_active);
}

/* block.mlp.product: f32 [8 / data, 1, 384], 6.00 KiB */
static inline float *at_block_mlp_product(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_mlp_product);
}

/* block.mlp: f32 [8 / data, 1, 384], 6.00 KiB */
static inline float *at_block_mlp(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_block_mlp);
}

/* norm.mean: f32 [8 / data, 1], 16 B */
static inline float *at_norm_mean(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_mean);
}

/* norm.rstd: f32 [8 / data, 1], 16 B */
static inline float *at_norm_rstd(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm_rstd);
}

/* norm: f32 [8 / data, 1, 384], 6.00 KiB */
static inline float *at_norm(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_norm);
}

/* logits: f32 [8 / data, 1, 256], 4.00 KiB */
static inline float *at_logits(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_logits);
}

/* logits.gathered: f32 [8, 1, 256], 8.00 KiB */
static inline float *at_logits_gathered(const prt_context *ctx)
{
    return prt_at(ctx, PRT_DEVICE, ARENA_logits_gathered);
}

/* ---- Routines ---- */

/* Before the first step: every state gets its initial value. */
static void init(prt_context *ctx)
{
    /* examples/gpt.place:7: init wte.table: 384 KiB */
    ctx->at = LINE_7_init_wte_table;
    prt_init(ctx, TENSOR_wte_table, LAYOUT_256_by_384, 0, 1, PRT_F32, at_parameters_wte_table(ctx));
    /* examples/gpt.place:7: init wpe.table: 384 KiB */
    ctx->at = LINE_7_init_wpe_table;
    prt_init(ctx, TENSOR_wpe_table, LAYOUT_256_by_384, 0, 1, PRT_F32, at_parameters_wpe_table(ctx));
    /* examples/gpt.place:12: init norm.gain: 1.50 KiB */
    ctx->at = LINE_12_init_norm_gain;
    prt_init(ctx, TENSOR_norm_gain, LAYOUT_384, 0, 1, PRT_F32, at_parameters_norm_gain(ctx));
    /* examples/gpt.place:12: init norm.bias: 1.50 KiB */
    ctx->at = LINE_12_init_norm_bias;
    prt_init(ctx, TENSOR_norm_bias, LAYOUT_384, 0, 1, PRT_F32, at_parameters_norm_bias(ctx));
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/gpt.place:9: init block.norm1.gain: 1.50 KiB */
        ctx->at = LINE_9_init_block_norm1_gain;
        prt_init(ctx, TENSOR_block_norm1_gain, LAYOUT_384, layer, 1, PRT_F32,
                 at_parameters_block_norm1_gain(ctx, layer));
    }
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/gpt.place:9: init block.norm1.bias: 1.50 KiB */
        ctx->at = LINE_9_init_block_norm1_bias;
        prt_init(ctx, TENSOR_block_norm1_bias, LAYOUT_384, layer, 1, PRT_F32,
                 at_parameters_block_norm1_bias(ctx, layer));
    }
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/gpt.place:9: init block.attn.out.bias: 1.50 KiB */
        ctx->at = LINE_9_init_block_attn_out_bias;
        prt_init(ctx, TENSOR_block_attn_out_bias, LAYOUT_384, layer, 1, PRT_F32,
                 at_parameters_block_attn_out_bias(ctx, layer));
    }
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/gpt.place:10: init block.norm2.gain: 1.50 KiB */
        ctx->at = LINE_10_init_block_norm2_gain;
        prt_init(ctx, TENSOR_block_norm2_gain, LAYOUT_384, layer, 1, PRT_F32,
                 at_parameters_block_norm2_gain(ctx, layer));
    }
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/gpt.place:10: init block.norm2.bias: 1.50 KiB */
        ctx->at = LINE_10_init_block_norm2_bias;
        prt_init(ctx, TENSOR_block_norm2_bias, LAYOUT_384, layer, 1, PRT_F32,
                 at_parameters_block_norm2_bias(ctx, layer));
    }
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/gpt.place:10: init block.mlp.down.bias: 1.50 KiB */
        ctx->at = LINE_10_init_block_mlp_down_bias;
        prt_init(ctx, TENSOR_block_mlp_down_bias, LAYOUT_384, layer, 1, PRT_F32,
                 at_parameters_block_mlp_down_bias(ctx, layer));
    }
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/gpt.place:9: fill "abcd": 768 KiB */
        ctx->at = LINE_9_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_cache_block_attn_key(ctx, layer)},
            .extents = {196608},
            .numbers = {0},
        });
    }
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/gpt.place:9: fill "abcd": 768 KiB */
        ctx->at = LINE_9_computing_in_init;
        prt_launch(ctx, KERNEL_fill_f32, 0, &(prt_arguments){
            .arrays = {at_cache_block_attn_value(ctx, layer)},
            .extents = {196608},
            .numbers = {0},
        });
    }
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/gpt.place:9: init: 3.38 MiB */
        ctx->at = LINE_9_init;
        prt_init(ctx, -1, LAYOUT_block, layer, 1, PRT_F32, at_parameters_block(ctx, layer));
    }
}

/* The prompts, all at once. */
static void prefill(prt_context *ctx)
{
    /* examples/gpt.place:5: read tokens: 4.00 KiB */
    ctx->at = LINE_5_read_tokens;
    prt_read(ctx, INPUT_tokens, LAYOUT_8_over_data_by_256, 0, at_prefill_tokens(ctx));
    /* examples/gpt.place:7: embed "bt,vh->bth": 1.88 MiB */
    ctx->at = LINE_7_computing_in_prefill;
    prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
        .arrays = {at_prefill_wte(ctx), at_prefill_tokens(ctx), at_parameters_wte_table(ctx)},
        .extents = {1024, 256, 384},
    });
    /* examples/gpt.place:7: add "abc,bc->abc": 3.38 MiB, 393 kflop */
    prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
        .arrays = {at_prefill_x(ctx, 0), at_prefill_wte(ctx), at_parameters_wpe_table(ctx)},
        .extents = {4, 98304},
    });
    /* examples/gpt.place:9: iota: 1.00 KiB */
    ctx->at = LINE_9_computing_in_prefill;
    prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
        .arrays = {at_prefill_row_positions(ctx)},
        .extents = {256},
        .numbers = {0},
    });
    /* examples/gpt.place:9: iota: 1.00 KiB */
    prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
        .arrays = {at_prefill_column_positions(ctx)},
        .extents = {256},
        .numbers = {0},
    });
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/gpt.place:9: row_mean "bth->bt": 1.50 MiB, 393 kflop */
        ctx->at = LINE_9_computing_in_prefill;
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_prefill_block_norm1_mean(ctx), at_prefill_x(ctx, layer)},
            .extents = {1024, 384},
        });
        /* examples/gpt.place:9: row_rstd "bth,bt->bt": 1.51 MiB, 1.18 Mflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_prefill_block_norm1_rstd(ctx), at_prefill_x(ctx, layer), at_prefill_block_norm1_mean(ctx)},
            .extents = {1024, 384},
            .numbers = {1e-05},
        });
        /* examples/gpt.place:9: norm "bth,bt,bt,h,h->bth": 3.01 MiB, 1.57 Mflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_prefill_block_norm1(ctx), at_prefill_x(ctx, layer), at_prefill_block_norm1_mean(ctx),
                       at_prefill_block_norm1_rstd(ctx), at_parameters_block_norm1_gain(ctx, layer),
                       at_parameters_block_norm1_bias(ctx, layer)},
            .extents = {1024, 384},
        });
        /* examples/gpt.place:9: einsum "bth,ndh->btnd": 2.53 MiB, 151 Mflop */
        const prt_gemm_shape gemm1 = {
            .m = 1024, .n = 192, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 192, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm1, at_prefill_block_norm1(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_query_weight, 0,
                 at_prefill_block_attn_query_product(ctx));
        /* examples/gpt.place:9: add "btnd,nd->btnd": 1.50 MiB, 197 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_prefill_block_attn_query(ctx), at_prefill_block_attn_query_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_attn_query_bias},
            .extents = {1024, 192},
        });
        /* examples/gpt.place:9: einsum "bth,ndh->btnd": 2.53 MiB, 151 Mflop */
        const prt_gemm_shape gemm2 = {
            .m = 1024, .n = 192, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 192, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm2, at_prefill_block_norm1(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_key_weight, 0,
                 at_prefill_block_attn_key_product(ctx));
        /* examples/gpt.place:9: add "btnd,nd->btnd": 1.50 MiB, 197 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_prefill_block_attn_key(ctx), at_prefill_block_attn_key_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_attn_key_bias},
            .extents = {1024, 192},
        });
        /* examples/gpt.place:9: einsum "bth,ndh->btnd": 2.53 MiB, 151 Mflop */
        const prt_gemm_shape gemm3 = {
            .m = 1024, .n = 192, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 192, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm3, at_prefill_block_norm1(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_value_weight, 0,
                 at_prefill_block_attn_value_product(ctx));
        /* examples/gpt.place:9: add "btnd,nd->btnd": 1.50 MiB, 197 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_prefill_block_attn_value(ctx), at_prefill_block_attn_value_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_attn_value_bias},
            .extents = {1024, 192},
        });
        /* examples/gpt.place:9: copy "bsnd->bsnd": 1.50 MiB */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_cache_block_attn_key(ctx, layer), at_prefill_block_attn_key(ctx)},
            .extents = {196608},
        });
        /* examples/gpt.place:9: copy "bsnd->bsnd": 1.50 MiB */
        prt_launch(ctx, KERNEL_copy_f32, 0, &(prt_arguments){
            .arrays = {at_cache_block_attn_value(ctx, layer), at_prefill_block_attn_value(ctx)},
            .extents = {196608},
        });
        /* examples/gpt.place:9: einsum "btnd,bsnd->bnts": 4.50 MiB, 101 Mflop */
        const prt_gemm_shape gemm4 = {
            .m = 256, .n = 256, .k = 64,
            .a_row = 192, .a_column = 1,
            .b_row = 1, .b_column = 192,
            .c_row = 256, .c_column = 1,
            .batch_dims = 2,
            .batch = {4, 3},
            .a_batch = {49152, 64},
            .b_batch = {49152, 64},
            .c_batch = {196608, 65536},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm4, at_prefill_block_attn_query(ctx), at_prefill_block_attn_key(ctx), 0,
                 at_prefill_block_attn_scores(ctx));
        /* examples/gpt.place:9: causal_softmax "bnts,t,s->bnts": 6.00 MiB, 6.29 Mflop */
        prt_launch(ctx, KERNEL_causal_softmax_f32_ijk_i32j_i32k, 0, &(prt_arguments){
            .arrays = {at_prefill_block_attn_weights(ctx), at_prefill_block_attn_scores(ctx),
                       at_prefill_row_positions(ctx), at_prefill_column_positions(ctx)},
            .extents = {12, 256, 256},
            .numbers = {0.125},
        });
        /* examples/gpt.place:9: einsum "bnts,bsnd->btnd": 4.50 MiB, 101 Mflop */
        const prt_gemm_shape gemm5 = {
            .m = 256, .n = 64, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 192, .b_column = 1,
            .c_row = 192, .c_column = 1,
            .batch_dims = 2,
            .batch = {4, 3},
            .a_batch = {196608, 65536},
            .b_batch = {49152, 64},
            .c_batch = {49152, 64},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm5, at_prefill_block_attn_weights(ctx), at_prefill_block_attn_value(ctx), 0,
                 at_prefill_block_attn_mixed(ctx));
        /* examples/gpt.place:9: einsum "btnd,hnd->bth": 2.53 MiB, 151 Mflop */
        const prt_gemm_shape gemm6 = {
            .m = 1024, .n = 384, .k = 192,
            .a_row = 192, .a_column = 1,
            .b_row = 1, .b_column = 192,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm6, at_prefill_block_attn_mixed(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_out_weight, 0, at_prefill_block_attn_product(ctx));
        /* examples/gpt.place:9: all_reduce prefill.block.attn.product over tensor: payload 1.50 MiB */
        ctx->at = LINE_9_all_reduce_prefill_block_attn_product_over_tensor;
        prt_all_reduce(ctx, CALL_prefill_all_reduce_block_attn_product, at_prefill_block_attn_product(ctx),
                       at_prefill_block_attn_product(ctx), 393216);
        /* examples/gpt.place:9: add "bth,h->bth": 3.00 MiB, 393 kflop */
        ctx->at = LINE_9_computing_in_prefill;
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_prefill_block_attn(ctx), at_prefill_block_attn_product(ctx),
                       at_parameters_block_attn_out_bias(ctx, layer)},
            .extents = {1024, 384},
        });
        /* examples/gpt.place:9: add "abc,abc->abc": 4.50 MiB, 393 kflop */
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_prefill_block_x(ctx), at_prefill_x(ctx, layer), at_prefill_block_attn(ctx)},
            .extents = {393216},
        });
        /* examples/gpt.place:10: row_mean "bth->bt": 1.50 MiB, 393 kflop */
        ctx->at = LINE_10_computing_in_prefill;
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_prefill_block_norm2_mean(ctx), at_prefill_block_x(ctx)},
            .extents = {1024, 384},
        });
        /* examples/gpt.place:10: row_rstd "bth,bt->bt": 1.51 MiB, 1.18 Mflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_prefill_block_norm2_rstd(ctx), at_prefill_block_x(ctx), at_prefill_block_norm2_mean(ctx)},
            .extents = {1024, 384},
            .numbers = {1e-05},
        });
        /* examples/gpt.place:10: norm "bth,bt,bt,h,h->bth": 3.01 MiB, 1.57 Mflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_prefill_block_norm2(ctx), at_prefill_block_x(ctx), at_prefill_block_norm2_mean(ctx),
                       at_prefill_block_norm2_rstd(ctx), at_parameters_block_norm2_gain(ctx, layer),
                       at_parameters_block_norm2_bias(ctx, layer)},
            .extents = {1024, 384},
        });
        /* examples/gpt.place:10: einsum "bth,oh->bto": 5.62 MiB, 604 Mflop */
        const prt_gemm_shape gemm7 = {
            .m = 1024, .n = 768, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 768, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm7, at_prefill_block_norm2(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_mlp_up_weight, 0, at_prefill_block_mlp_up_product(ctx));
        /* examples/gpt.place:10: add "bto,o->bto": 6.00 MiB, 786 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_prefill_block_mlp_up(ctx), at_prefill_block_mlp_up_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_mlp_up_bias},
            .extents = {1024, 768},
        });
        /* examples/gpt.place:10: gelu "abc->abc": 6.00 MiB, 11 Mflop */
        prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
            .arrays = {at_prefill_block_mlp_active(ctx), at_prefill_block_mlp_up(ctx)},
            .extents = {786432},
        });
        /* examples/gpt.place:10: einsum "bth,oh->bto": 5.62 MiB, 604 Mflop */
        const prt_gemm_shape gemm8 = {
            .m = 1024, .n = 384, .k = 768,
            .a_row = 768, .a_column = 1,
            .b_row = 1, .b_column = 768,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm8, at_prefill_block_mlp_active(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_mlp_down_weight, 0, at_prefill_block_mlp_product(ctx));
        /* examples/gpt.place:10: all_reduce prefill.block.mlp.product over tensor: payload 1.50 MiB */
        ctx->at = LINE_10_all_reduce_prefill_block_mlp_product_over_tensor;
        prt_all_reduce(ctx, CALL_prefill_all_reduce_block_mlp_product, at_prefill_block_mlp_product(ctx),
                       at_prefill_block_mlp_product(ctx), 393216);
        /* examples/gpt.place:10: add "bto,o->bto": 3.00 MiB, 393 kflop */
        ctx->at = LINE_10_computing_in_prefill;
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_prefill_block_mlp(ctx), at_prefill_block_mlp_product(ctx),
                       at_parameters_block_mlp_down_bias(ctx, layer)},
            .extents = {1024, 384},
        });
        /* examples/gpt.place:10: add "abc,abc->abc": 4.50 MiB, 393 kflop */
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_prefill_x(ctx, layer + 1), at_prefill_block_x(ctx), at_prefill_block_mlp(ctx)},
            .extents = {393216},
        });
    }
}

/* Adds a token to every sequence. */
static void step(prt_context *ctx)
{
    /* examples/gpt.place:5: read tokens.position: 16 B */
    ctx->at = LINE_5_read_tokens_position;
    prt_read(ctx, INPUT_tokens_position, LAYOUT_8_over_data_by_1, 0, at_position(ctx));
    /* examples/gpt.place:5: read tokens.next: 16 B */
    ctx->at = LINE_5_read_tokens_next;
    prt_read(ctx, INPUT_tokens_next, LAYOUT_8_over_data_by_1, 0, at_tokens(ctx));
    /* examples/gpt.place:7: embed "bt,vh->bth": 390 KiB */
    ctx->at = LINE_7_computing_in_step;
    prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
        .arrays = {at_wte(ctx), at_tokens(ctx), at_parameters_wte_table(ctx)},
        .extents = {4, 256, 384},
    });
    /* examples/gpt.place:7: embed "bt,sh->bth": 390 KiB */
    prt_launch(ctx, KERNEL_embed_f32_i32i_jk_to_ik, 0, &(prt_arguments){
        .arrays = {at_wpe(ctx), at_position(ctx), at_parameters_wpe_table(ctx)},
        .extents = {4, 256, 384},
    });
    /* examples/gpt.place:7: add "abc,abc->abc": 18.0 KiB, 1.54 kflop */
    prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
        .arrays = {at_x(ctx, 0), at_wte(ctx), at_wpe(ctx)},
        .extents = {1536},
    });
    /* examples/gpt.place:9: iota: 1.00 KiB */
    ctx->at = LINE_9_computing_in_step;
    prt_launch(ctx, KERNEL_iota_i32, 0, &(prt_arguments){
        .arrays = {at_column_positions(ctx)},
        .extents = {256},
        .numbers = {0},
    });
    /* examples/gpt.place:9: equal "bt,s->bts": 5.02 KiB, 1.02 kflop */
    prt_launch(ctx, KERNEL_equal_f32_i32i_i32j_to_ij, 0, &(prt_arguments){
        .arrays = {at_here_row(ctx), at_position(ctx), at_column_positions(ctx)},
        .extents = {4, 256},
    });
    /* examples/gpt.place:9: reduce "bts->bs": 8.00 KiB, 1.02 kflop */
    prt_launch(ctx, KERNEL_reduce_f32_ijk_to_ik, 0, &(prt_arguments){
        .arrays = {at_here(ctx), at_here_row(ctx)},
        .extents = {4, 1, 256},
    });
    for (int64_t layer = 0; layer < 6; layer++) {
        /* examples/gpt.place:9: row_mean "bth->bt": 6.02 KiB, 1.54 kflop */
        ctx->at = LINE_9_computing_in_step;
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_block_norm1_mean(ctx), at_x(ctx, layer)},
            .extents = {4, 384},
        });
        /* examples/gpt.place:9: row_rstd "bth,bt->bt": 6.03 KiB, 4.61 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_block_norm1_rstd(ctx), at_x(ctx, layer), at_block_norm1_mean(ctx)},
            .extents = {4, 384},
            .numbers = {1e-05},
        });
        /* examples/gpt.place:9: norm "bth,bt,bt,h,h->bth": 15.0 KiB, 6.14 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_block_norm1(ctx), at_x(ctx, layer), at_block_norm1_mean(ctx), at_block_norm1_rstd(ctx),
                       at_parameters_block_norm1_gain(ctx, layer), at_parameters_block_norm1_bias(ctx, layer)},
            .extents = {4, 384},
        });
        /* examples/gpt.place:9: einsum "bth,ndh->btnd": 297 KiB, 590 kflop */
        const prt_gemm_shape gemm9 = {
            .m = 4, .n = 192, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 192, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm9, at_block_norm1(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_query_weight, 0, at_block_attn_query_product(ctx));
        /* examples/gpt.place:9: add "btnd,nd->btnd": 6.75 KiB, 768 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_block_attn_query(ctx), at_block_attn_query_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_attn_query_bias},
            .extents = {4, 192},
        });
        /* examples/gpt.place:9: einsum "bth,ndh->btnd": 297 KiB, 590 kflop */
        const prt_gemm_shape gemm10 = {
            .m = 4, .n = 192, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 192, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm10, at_block_norm1(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_key_weight, 0, at_block_attn_key_product(ctx));
        /* examples/gpt.place:9: add "btnd,nd->btnd": 6.75 KiB, 768 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_block_attn_key(ctx), at_block_attn_key_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_attn_key_bias},
            .extents = {4, 192},
        });
        /* examples/gpt.place:9: einsum "bth,ndh->btnd": 297 KiB, 590 kflop */
        const prt_gemm_shape gemm11 = {
            .m = 4, .n = 192, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 192, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm11, at_block_norm1(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_value_weight, 0, at_block_attn_value_product(ctx));
        /* examples/gpt.place:9: add "btnd,nd->btnd": 6.75 KiB, 768 flop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_block_attn_value(ctx), at_block_attn_value_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_attn_value_bias},
            .extents = {4, 192},
        });
        /* examples/gpt.place:9: reduce "btnd->bnd": 6.00 KiB, 768 flop */
        prt_launch(ctx, KERNEL_reduce_f32_ijk_to_ik, 0, &(prt_arguments){
            .arrays = {at_block_attn_key_new(ctx), at_block_attn_key(ctx)},
            .extents = {4, 1, 192},
        });
        /* examples/gpt.place:9: select "bs,bnd,bsnd->bsnd": 1.51 MiB, 197 kflop */
        prt_launch(ctx, KERNEL_select_f32_ij_ik_ijk_in_place_c, 0, &(prt_arguments){
            .arrays = {at_cache_block_attn_key(ctx, layer), at_here(ctx), at_block_attn_key_new(ctx)},
            .extents = {4, 256, 192},
        });
        /* examples/gpt.place:9: reduce "btnd->bnd": 6.00 KiB, 768 flop */
        prt_launch(ctx, KERNEL_reduce_f32_ijk_to_ik, 0, &(prt_arguments){
            .arrays = {at_block_attn_value_new(ctx), at_block_attn_value(ctx)},
            .extents = {4, 1, 192},
        });
        /* examples/gpt.place:9: select "bs,bnd,bsnd->bsnd": 1.51 MiB, 197 kflop */
        prt_launch(ctx, KERNEL_select_f32_ij_ik_ijk_in_place_c, 0, &(prt_arguments){
            .arrays = {at_cache_block_attn_value(ctx, layer), at_here(ctx), at_block_attn_value_new(ctx)},
            .extents = {4, 256, 192},
        });
        /* examples/gpt.place:9: einsum "btnd,bsnd->bnts": 783 KiB, 393 kflop */
        const prt_gemm_shape gemm12 = {
            .m = 1, .n = 256, .k = 64,
            .a_row = 192, .a_column = 1,
            .b_row = 1, .b_column = 192,
            .c_row = 256, .c_column = 1,
            .batch_dims = 2,
            .batch = {4, 3},
            .a_batch = {192, 64},
            .b_batch = {49152, 64},
            .c_batch = {768, 256},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm12, at_block_attn_query(ctx), at_cache_block_attn_key(ctx, layer), 0,
                 at_block_attn_scores(ctx));
        /* examples/gpt.place:9: causal_softmax "bnts,bt,s->bnts": 25.0 KiB, 24.6 kflop */
        prt_launch(ctx, KERNEL_causal_softmax_f32_ijkl_i32ik_i32l, 0, &(prt_arguments){
            .arrays = {at_block_attn_weights(ctx), at_block_attn_scores(ctx), at_position(ctx),
                       at_column_positions(ctx)},
            .extents = {4, 3, 1, 256},
            .numbers = {0.125},
        });
        /* examples/gpt.place:9: einsum "bnts,bsnd->btnd": 783 KiB, 393 kflop */
        const prt_gemm_shape gemm13 = {
            .m = 1, .n = 64, .k = 256,
            .a_row = 256, .a_column = 1,
            .b_row = 192, .b_column = 1,
            .c_row = 192, .c_column = 1,
            .batch_dims = 2,
            .batch = {4, 3},
            .a_batch = {768, 256},
            .b_batch = {49152, 64},
            .c_batch = {192, 64},
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm13, at_block_attn_weights(ctx), at_cache_block_attn_value(ctx, layer), 0,
                 at_block_attn_mixed(ctx));
        /* examples/gpt.place:9: einsum "btnd,hnd->bth": 297 KiB, 590 kflop */
        const prt_gemm_shape gemm14 = {
            .m = 4, .n = 384, .k = 192,
            .a_row = 192, .a_column = 1,
            .b_row = 1, .b_column = 192,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm14, at_block_attn_mixed(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_attn_out_weight, 0, at_block_attn_product(ctx));
        /* examples/gpt.place:9: all_reduce block.attn.product over tensor: payload 6.00 KiB */
        ctx->at = LINE_9_all_reduce_block_attn_product_over_tensor;
        prt_all_reduce(ctx, CALL_all_reduce_block_attn_product, at_block_attn_product(ctx), at_block_attn_product(ctx),
                       1536);
        /* examples/gpt.place:9: add "bth,h->bth": 13.5 KiB, 1.54 kflop */
        ctx->at = LINE_9_computing_in_step;
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_block_attn(ctx), at_block_attn_product(ctx), at_parameters_block_attn_out_bias(ctx, layer)},
            .extents = {4, 384},
        });
        /* examples/gpt.place:9: add "abc,abc->abc": 18.0 KiB, 1.54 kflop */
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_block_x(ctx), at_x(ctx, layer), at_block_attn(ctx)},
            .extents = {1536},
        });
        /* examples/gpt.place:10: row_mean "bth->bt": 6.02 KiB, 1.54 kflop */
        ctx->at = LINE_10_computing_in_step;
        prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
            .arrays = {at_block_norm2_mean(ctx), at_block_x(ctx)},
            .extents = {4, 384},
        });
        /* examples/gpt.place:10: row_rstd "bth,bt->bt": 6.03 KiB, 4.61 kflop */
        prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
            .arrays = {at_block_norm2_rstd(ctx), at_block_x(ctx), at_block_norm2_mean(ctx)},
            .extents = {4, 384},
            .numbers = {1e-05},
        });
        /* examples/gpt.place:10: norm "bth,bt,bt,h,h->bth": 15.0 KiB, 6.14 kflop */
        prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
            .arrays = {at_block_norm2(ctx), at_block_x(ctx), at_block_norm2_mean(ctx), at_block_norm2_rstd(ctx),
                       at_parameters_block_norm2_gain(ctx, layer), at_parameters_block_norm2_bias(ctx, layer)},
            .extents = {4, 384},
        });
        /* examples/gpt.place:10: einsum "bth,oh->bto": 1.14 MiB, 2.36 Mflop */
        const prt_gemm_shape gemm15 = {
            .m = 4, .n = 768, .k = 384,
            .a_row = 384, .a_column = 1,
            .b_row = 1, .b_column = 384,
            .c_row = 768, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm15, at_block_norm2(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_mlp_up_weight, 0, at_block_mlp_up_product(ctx));
        /* examples/gpt.place:10: add "bto,o->bto": 27.0 KiB, 3.07 kflop */
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_block_mlp_up(ctx), at_block_mlp_up_product(ctx),
                       at_parameters_block(ctx, layer) + OFFSET_block_mlp_up_bias},
            .extents = {4, 768},
        });
        /* examples/gpt.place:10: gelu "abc->abc": 24.0 KiB, 43 kflop */
        prt_launch(ctx, KERNEL_gelu_f32, 0, &(prt_arguments){
            .arrays = {at_block_mlp_active(ctx), at_block_mlp_up(ctx)},
            .extents = {3072},
        });
        /* examples/gpt.place:10: einsum "bth,oh->bto": 1.14 MiB, 2.36 Mflop */
        const prt_gemm_shape gemm16 = {
            .m = 4, .n = 384, .k = 768,
            .a_row = 768, .a_column = 1,
            .b_row = 1, .b_column = 768,
            .c_row = 384, .c_column = 1,
        };
        prt_gemm(ctx, 0, PRT_F32, &gemm16, at_block_mlp_active(ctx),
                 at_parameters_block(ctx, layer) + OFFSET_block_mlp_down_weight, 0, at_block_mlp_product(ctx));
        /* examples/gpt.place:10: all_reduce block.mlp.product over tensor: payload 6.00 KiB */
        ctx->at = LINE_10_all_reduce_block_mlp_product_over_tensor;
        prt_all_reduce(ctx, CALL_all_reduce_block_mlp_product, at_block_mlp_product(ctx), at_block_mlp_product(ctx),
                       1536);
        /* examples/gpt.place:10: add "bto,o->bto": 13.5 KiB, 1.54 kflop */
        ctx->at = LINE_10_computing_in_step;
        prt_launch(ctx, KERNEL_add_f32_ij_j, 0, &(prt_arguments){
            .arrays = {at_block_mlp(ctx), at_block_mlp_product(ctx), at_parameters_block_mlp_down_bias(ctx, layer)},
            .extents = {4, 384},
        });
        /* examples/gpt.place:10: add "abc,abc->abc": 18.0 KiB, 1.54 kflop */
        prt_launch(ctx, KERNEL_add_f32, 0, &(prt_arguments){
            .arrays = {at_x(ctx, layer + 1), at_block_x(ctx), at_block_mlp(ctx)},
            .extents = {1536},
        });
    }
    /* examples/gpt.place:12: row_mean "bth->bt": 6.02 KiB, 1.54 kflop */
    ctx->at = LINE_12_computing_in_step;
    prt_launch(ctx, KERNEL_row_mean_f32_ij_to_i, 0, &(prt_arguments){
        .arrays = {at_norm_mean(ctx), at_x(ctx, 6)},
        .extents = {4, 384},
    });
    /* examples/gpt.place:12: row_rstd "bth,bt->bt": 6.03 KiB, 4.61 kflop */
    prt_launch(ctx, KERNEL_row_rstd_f32_ij_i_to_i, 0, &(prt_arguments){
        .arrays = {at_norm_rstd(ctx), at_x(ctx, 6), at_norm_mean(ctx)},
        .extents = {4, 384},
        .numbers = {1e-05},
    });
    /* examples/gpt.place:12: norm "bth,bt,bt,h,h->bth": 15.0 KiB, 6.14 kflop */
    prt_launch(ctx, KERNEL_norm_f32_ij_i_i_j_j, 0, &(prt_arguments){
        .arrays = {at_norm(ctx), at_x(ctx, 6), at_norm_mean(ctx), at_norm_rstd(ctx), at_parameters_norm_gain(ctx),
                   at_parameters_norm_bias(ctx)},
        .extents = {4, 384},
    });
    /* examples/gpt.place:12: einsum "bth,oh->bto": 394 KiB, 786 kflop */
    const prt_gemm_shape gemm17 = {
        .m = 4, .n = 256, .k = 384,
        .a_row = 384, .a_column = 1,
        .b_row = 1, .b_column = 384,
        .c_row = 256, .c_column = 1,
    };
    prt_gemm(ctx, 0, PRT_F32, &gemm17, at_norm(ctx), at_parameters_wte_table(ctx), 0, at_logits(ctx));
    /* examples/gpt.place:13: all_gather logits over data: payload 8.00 KiB */
    ctx->at = LINE_13_all_gather_logits_over_data;
    prt_all_gather(ctx, CALL_all_gather_logits, 0, at_logits_gathered(ctx), at_logits(ctx));
    /* examples/gpt.place:13: output logits: 8.00 KiB */
    ctx->at = LINE_13_output_logits;
    prt_output(ctx, "logits", PRT_F32, at_logits_gathered(ctx), 2048);
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
    [TENSOR_block_attn_key] = {"block.attn.key", "block", 6, PRT_F32, 4, {8, 256, 6, 64}, PRT_ZEROS, 0},
    [TENSOR_block_attn_value] = {"block.attn.value", "block", 6, PRT_F32, 4, {8, 256, 6, 64}, PRT_ZEROS, 0},
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
    [INPUT_tokens_next] = {"tokens.next", PRT_I32, PRT_NEXT, 256, 2, {8, 1}},
    [INPUT_tokens_position] = {"tokens.position", PRT_I32, PRT_POSITION, 256, 2, {8, 1}},
    [INPUT_targets] = {"targets", PRT_I32, PRT_TARGETS, 0, 2, {8, 256}},
};

static const prt_member members_block[] = {
    {TENSOR_block_attn_query_weight, OFFSET_block_attn_query_weight, (const prt_dim[]){{.size = 6, .cut_count = 1, .cut = {AXIS_tensor}}, {.size = 64}, {.size = 384}}},
    {TENSOR_block_attn_query_bias, OFFSET_block_attn_query_bias, (const prt_dim[]){{.size = 6, .cut_count = 1, .cut = {AXIS_tensor}}, {.size = 64}}},
    {TENSOR_block_attn_key_weight, OFFSET_block_attn_key_weight, (const prt_dim[]){{.size = 6, .cut_count = 1, .cut = {AXIS_tensor}}, {.size = 64}, {.size = 384}}},
    {TENSOR_block_attn_key_bias, OFFSET_block_attn_key_bias, (const prt_dim[]){{.size = 6, .cut_count = 1, .cut = {AXIS_tensor}}, {.size = 64}}},
    {TENSOR_block_attn_value_weight, OFFSET_block_attn_value_weight, (const prt_dim[]){{.size = 6, .cut_count = 1, .cut = {AXIS_tensor}}, {.size = 64}, {.size = 384}}},
    {TENSOR_block_attn_value_bias, OFFSET_block_attn_value_bias, (const prt_dim[]){{.size = 6, .cut_count = 1, .cut = {AXIS_tensor}}, {.size = 64}}},
    {TENSOR_block_attn_out_weight, OFFSET_block_attn_out_weight, (const prt_dim[]){{.size = 384}, {.size = 6, .cut_count = 1, .cut = {AXIS_tensor}}, {.size = 64}}},
    {TENSOR_block_mlp_up_weight, OFFSET_block_mlp_up_weight, (const prt_dim[]){{.size = 1536, .cut_count = 1, .cut = {AXIS_tensor}}, {.size = 384}}},
    {TENSOR_block_mlp_up_bias, OFFSET_block_mlp_up_bias, (const prt_dim[]){{.size = 1536, .cut_count = 1, .cut = {AXIS_tensor}}}},
    {TENSOR_block_mlp_down_weight, OFFSET_block_mlp_down_weight, (const prt_dim[]){{.size = 384}, {.size = 1536, .cut_count = 1, .cut = {AXIS_tensor}}}},
};

static const prt_unit units[] = {
    [UNIT_block] = {"block", 0, 5, COUNT(members_block), members_block, 886080},
};

static const prt_state states[] = {
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_block,
        .dtype = PRT_F32,
        .slots = 6,
        .slot_bytes = 3544320,
        .layout = LAYOUT_block,
        .tensor = -1,
        .layers = {.first = {.constant = 0}, .last = {.constant = 5}},
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_wte_table,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 393216,
        .layout = LAYOUT_256_by_384,
        .tensor = TENSOR_wte_table,
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_wpe_table,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 393216,
        .layout = LAYOUT_256_by_384,
        .tensor = TENSOR_wpe_table,
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_norm_gain,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 1536,
        .layout = LAYOUT_384,
        .tensor = TENSOR_norm_gain,
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_norm_bias,
        .dtype = PRT_F32,
        .slots = 1,
        .slot_bytes = 1536,
        .layout = LAYOUT_384,
        .tensor = TENSOR_norm_bias,
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_block_norm1_gain,
        .dtype = PRT_F32,
        .slots = 6,
        .slot_bytes = 1536,
        .layout = LAYOUT_384,
        .tensor = TENSOR_block_norm1_gain,
        .layers = {.first = {.constant = 0}, .last = {.constant = 5}},
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_block_norm1_bias,
        .dtype = PRT_F32,
        .slots = 6,
        .slot_bytes = 1536,
        .layout = LAYOUT_384,
        .tensor = TENSOR_block_norm1_bias,
        .layers = {.first = {.constant = 0}, .last = {.constant = 5}},
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_block_attn_out_bias,
        .dtype = PRT_F32,
        .slots = 6,
        .slot_bytes = 1536,
        .layout = LAYOUT_384,
        .tensor = TENSOR_block_attn_out_bias,
        .layers = {.first = {.constant = 0}, .last = {.constant = 5}},
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_block_norm2_gain,
        .dtype = PRT_F32,
        .slots = 6,
        .slot_bytes = 1536,
        .layout = LAYOUT_384,
        .tensor = TENSOR_block_norm2_gain,
        .layers = {.first = {.constant = 0}, .last = {.constant = 5}},
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_block_norm2_bias,
        .dtype = PRT_F32,
        .slots = 6,
        .slot_bytes = 1536,
        .layout = LAYOUT_384,
        .tensor = TENSOR_block_norm2_bias,
        .layers = {.first = {.constant = 0}, .last = {.constant = 5}},
    },
    {
        .state = "parameters",
        .tier = PRT_DEVICE,
        .offset = ARENA_parameters_block_mlp_down_bias,
        .dtype = PRT_F32,
        .slots = 6,
        .slot_bytes = 1536,
        .layout = LAYOUT_384,
        .tensor = TENSOR_block_mlp_down_bias,
        .layers = {.first = {.constant = 0}, .last = {.constant = 5}},
    },
};

static const prt_group groups[] = {
    [GROUP_tensor] = {1, {AXIS_tensor}},
    [GROUP_data] = {1, {AXIS_data}},
};

static const prt_call calls[] = {
    [CALL_prefill_all_reduce_block_attn_product] = {
        .op = PRT_ALL_REDUCE,
        .state = "prefill.block.attn.product",
        .group = GROUP_tensor,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_8_over_data_by_256_by_384,
        .into = LAYOUT_8_over_data_by_256_by_384,
        .event = -1,
        .stream = 0,
        .source = LINE_9_all_reduce_prefill_block_attn_product_over_tensor,
        .calls_per_step = (const int64_t[]){0},
        .payload_bytes = 1572864,
    },
    [CALL_prefill_all_reduce_block_mlp_product] = {
        .op = PRT_ALL_REDUCE,
        .state = "prefill.block.mlp.product",
        .group = GROUP_tensor,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_8_over_data_by_256_by_384,
        .into = LAYOUT_8_over_data_by_256_by_384,
        .event = -1,
        .stream = 0,
        .source = LINE_10_all_reduce_prefill_block_mlp_product_over_tensor,
        .calls_per_step = (const int64_t[]){0},
        .payload_bytes = 1572864,
    },
    [CALL_all_reduce_block_attn_product] = {
        .op = PRT_ALL_REDUCE,
        .state = "block.attn.product",
        .group = GROUP_tensor,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_8_over_data_by_1_by_384,
        .into = LAYOUT_8_over_data_by_1_by_384,
        .event = -1,
        .stream = 0,
        .source = LINE_9_all_reduce_block_attn_product_over_tensor,
        .calls_per_step = (const int64_t[]){6},
        .payload_bytes = 6144,
    },
    [CALL_all_reduce_block_mlp_product] = {
        .op = PRT_ALL_REDUCE,
        .state = "block.mlp.product",
        .group = GROUP_tensor,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_8_over_data_by_1_by_384,
        .into = LAYOUT_8_over_data_by_1_by_384,
        .event = -1,
        .stream = 0,
        .source = LINE_10_all_reduce_block_mlp_product_over_tensor,
        .calls_per_step = (const int64_t[]){6},
        .payload_bytes = 6144,
    },
    [CALL_all_gather_logits] = {
        .op = PRT_ALL_GATHER,
        .state = "logits.gathered",
        .group = GROUP_data,
        .algorithm = "direct",
        .dtype = PRT_F32,
        .reduction = PRT_SUM,
        .from = LAYOUT_8_over_data_by_1_by_256,
        .into = LAYOUT_8_by_1_by_256,
        .event = -1,
        .stream = 0,
        .source = LINE_13_all_gather_logits_over_data,
        .calls_per_step = (const int64_t[]){1},
        .payload_bytes = 8192,
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
    [KERNEL_copy_f32] = {
        .entry = "kernel_copy_f32",
        .host = kernel_copy_f32,
        .arrays = {{PRT_F32, "i"}, {PRT_F32, "i"}},
        .array_count = 2, .extent_count = 1, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "i", .per_thread = true,
        .space = "i", .operations = 0,
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
    [KERNEL_equal_f32_i32i_i32j_to_ij] = {
        .entry = "kernel_equal_f32_i32i_i32j_to_ij",
        .host = kernel_equal_f32_i32i_i32j_to_ij,
        .arrays = {{PRT_F32, "ij"}, {PRT_I32, "i"}, {PRT_I32, "j"}},
        .array_count = 3, .extent_count = 2, .number_count = 0,
        .reads_result = false,
        .split = "i", .work = "ij", .per_thread = true,
        .space = "ij", .operations = 1,
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
    [KERNEL_select_f32_ij_ik_ijk_in_place_c] = {
        .entry = "kernel_select_f32_ij_ik_ijk_in_place_c",
        .host = kernel_select_f32_ij_ik_ijk_in_place_c,
        .arrays = {{PRT_F32, "ijk"}, {PRT_F32, "ij"}, {PRT_F32, "ik"}},
        .array_count = 3, .extent_count = 3, .number_count = 0,
        .reads_result = true,
        .split = "i", .work = "ijk", .per_thread = true,
        .space = "ijk", .operations = 1,
    },
    [KERNEL_causal_softmax_f32_ijkl_i32ik_i32l] = {
        .entry = "kernel_causal_softmax_f32_ijkl_i32ik_i32l",
        .host = kernel_causal_softmax_f32_ijkl_i32ik_i32l,
        .arrays = {{PRT_F32, "ijkl"}, {PRT_F32, "ijkl"}, {PRT_I32, "ik"}, {PRT_I32, "l"}},
        .array_count = 4, .extent_count = 4, .number_count = 1,
        .reads_result = false,
        .split = "i", .work = "ijk", .per_thread = false,
        .space = "ijkl", .operations = 8,
    },
};

static const prt_layout layouts[] = {
    [LAYOUT_256_by_384] = {.unit = -1, .dim_count = 2, .dims = {{.size = 256}, {.size = 384}}},
    [LAYOUT_384] = {.unit = -1, .dim_count = 1, .dims = {{.size = 384}}},
    [LAYOUT_block] = {.unit = UNIT_block},
    [LAYOUT_8_over_data_by_256] =
        {.unit = -1, .dim_count = 2, .dims = {{.size = 8, .cut_count = 1, .cut = {AXIS_data}}, {.size = 256}}},
    [LAYOUT_8_over_data_by_256_by_384] =
        {.unit = -1, .dim_count = 3, .dims = {{.size = 8, .cut_count = 1, .cut = {AXIS_data}}, {.size = 256}, {.size = 384}}},
    [LAYOUT_8_over_data_by_1] =
        {.unit = -1, .dim_count = 2, .dims = {{.size = 8, .cut_count = 1, .cut = {AXIS_data}}, {.size = 1}}},
    [LAYOUT_8_over_data_by_1_by_384] =
        {.unit = -1, .dim_count = 3, .dims = {{.size = 8, .cut_count = 1, .cut = {AXIS_data}}, {.size = 1}, {.size = 384}}},
    [LAYOUT_8_over_data_by_1_by_256] =
        {.unit = -1, .dim_count = 3, .dims = {{.size = 8, .cut_count = 1, .cut = {AXIS_data}}, {.size = 1}, {.size = 256}}},
    [LAYOUT_8_by_1_by_256] = {.unit = -1, .dim_count = 3, .dims = {{.size = 8}, {.size = 1}, {.size = 256}}},
};

static const prt_class classes[] = {
    {
        .memory = {22110720, 0, 0, 18876416, 0, 9437184, 0},
    },
};

static const prt_buffer buffers[] = {
    {.name = "parameters.block", .tier = PRT_DEVICE, .offset = ARENA_parameters_block, .bytes = 21265920},
    {.name = "parameters.wte.table", .tier = PRT_DEVICE, .offset = ARENA_parameters_wte_table, .bytes = 393216},
    {.name = "parameters.wpe.table", .tier = PRT_DEVICE, .offset = ARENA_parameters_wpe_table, .bytes = 393216},
    {.name = "parameters.norm.gain", .tier = PRT_DEVICE, .offset = ARENA_parameters_norm_gain, .bytes = 1536},
    {.name = "parameters.norm.bias", .tier = PRT_DEVICE, .offset = ARENA_parameters_norm_bias, .bytes = 1536},
    {.name = "parameters.block.norm1.gain", .tier = PRT_DEVICE, .offset = ARENA_parameters_block_norm1_gain, .bytes = 9216},
    {.name = "parameters.block.norm1.bias", .tier = PRT_DEVICE, .offset = ARENA_parameters_block_norm1_bias, .bytes = 9216},
    {.name = "parameters.block.attn.out.bias", .tier = PRT_DEVICE, .offset = ARENA_parameters_block_attn_out_bias, .bytes = 9216},
    {.name = "parameters.block.norm2.gain", .tier = PRT_DEVICE, .offset = ARENA_parameters_block_norm2_gain, .bytes = 9216},
    {.name = "parameters.block.norm2.bias", .tier = PRT_DEVICE, .offset = ARENA_parameters_block_norm2_bias, .bytes = 9216},
    {.name = "parameters.block.mlp.down.bias", .tier = PRT_DEVICE, .offset = ARENA_parameters_block_mlp_down_bias, .bytes = 9216},
    {.name = "cache.block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_cache_block_attn_key, .bytes = 4718592},
    {.name = "cache.block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_cache_block_attn_value, .bytes = 4718592},
    {.name = "prefill.tokens", .tier = PRT_DEVICE, .offset = ARENA_prefill_tokens, .bytes = 4096},
    {.name = "prefill.wte", .tier = PRT_DEVICE, .offset = ARENA_prefill_wte, .bytes = 1572864},
    {.name = "prefill.x", .tier = PRT_DEVICE, .offset = ARENA_prefill_x, .bytes = 11010048},
    {.name = "prefill.row_positions", .tier = PRT_DEVICE, .offset = ARENA_prefill_row_positions, .bytes = 1024},
    {.name = "prefill.column_positions", .tier = PRT_DEVICE, .offset = ARENA_prefill_column_positions, .bytes = 1024},
    {.name = "prefill.block.norm1.mean", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_norm1_mean, .bytes = 4096},
    {.name = "prefill.block.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_norm1_rstd, .bytes = 4096},
    {.name = "prefill.block.norm1", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_norm1, .bytes = 1572864},
    {.name = "prefill.block.attn.query.product", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_attn_query_product, .bytes = 786432},
    {.name = "prefill.block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_attn_query, .bytes = 786432},
    {.name = "prefill.block.attn.key.product", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_attn_key_product, .bytes = 786432},
    {.name = "prefill.block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_attn_key, .bytes = 786432},
    {.name = "prefill.block.attn.value.product", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_attn_value_product, .bytes = 786432},
    {.name = "prefill.block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_attn_value, .bytes = 786432},
    {.name = "prefill.block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_attn_scores, .bytes = 3145728},
    {.name = "prefill.block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_attn_weights, .bytes = 3145728},
    {.name = "prefill.block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_attn_mixed, .bytes = 786432},
    {.name = "prefill.block.attn.product", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_attn_product, .bytes = 1572864},
    {.name = "prefill.block.attn", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_attn, .bytes = 1572864},
    {.name = "prefill.block.x", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_x, .bytes = 1572864},
    {.name = "prefill.block.norm2.mean", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_norm2_mean, .bytes = 4096},
    {.name = "prefill.block.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_norm2_rstd, .bytes = 4096},
    {.name = "prefill.block.norm2", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_norm2, .bytes = 1572864},
    {.name = "prefill.block.mlp.up.product", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_mlp_up_product, .bytes = 3145728},
    {.name = "prefill.block.mlp.up", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_mlp_up, .bytes = 3145728},
    {.name = "prefill.block.mlp.active", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_mlp_active, .bytes = 3145728},
    {.name = "prefill.block.mlp.product", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_mlp_product, .bytes = 1572864},
    {.name = "prefill.block.mlp", .tier = PRT_DEVICE, .offset = ARENA_prefill_block_mlp, .bytes = 1572864},
    {.name = "position", .tier = PRT_DEVICE, .offset = ARENA_position, .bytes = 16},
    {.name = "tokens", .tier = PRT_DEVICE, .offset = ARENA_tokens, .bytes = 16},
    {.name = "wte", .tier = PRT_DEVICE, .offset = ARENA_wte, .bytes = 6144},
    {.name = "wpe", .tier = PRT_DEVICE, .offset = ARENA_wpe, .bytes = 6144},
    {.name = "x", .tier = PRT_DEVICE, .offset = ARENA_x, .bytes = 43008},
    {.name = "column_positions", .tier = PRT_DEVICE, .offset = ARENA_column_positions, .bytes = 1024},
    {.name = "here.row", .tier = PRT_DEVICE, .offset = ARENA_here_row, .bytes = 4096},
    {.name = "here", .tier = PRT_DEVICE, .offset = ARENA_here, .bytes = 4096},
    {.name = "block.norm1.mean", .tier = PRT_DEVICE, .offset = ARENA_block_norm1_mean, .bytes = 16},
    {.name = "block.norm1.rstd", .tier = PRT_DEVICE, .offset = ARENA_block_norm1_rstd, .bytes = 16},
    {.name = "block.norm1", .tier = PRT_DEVICE, .offset = ARENA_block_norm1, .bytes = 6144},
    {.name = "block.attn.query.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_query_product, .bytes = 3072},
    {.name = "block.attn.query", .tier = PRT_DEVICE, .offset = ARENA_block_attn_query, .bytes = 3072},
    {.name = "block.attn.key.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_key_product, .bytes = 3072},
    {.name = "block.attn.key", .tier = PRT_DEVICE, .offset = ARENA_block_attn_key, .bytes = 3072},
    {.name = "block.attn.value.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_value_product, .bytes = 3072},
    {.name = "block.attn.value", .tier = PRT_DEVICE, .offset = ARENA_block_attn_value, .bytes = 3072},
    {.name = "block.attn.key.new", .tier = PRT_DEVICE, .offset = ARENA_block_attn_key_new, .bytes = 3072},
    {.name = "block.attn.value.new", .tier = PRT_DEVICE, .offset = ARENA_block_attn_value_new, .bytes = 3072},
    {.name = "block.attn.scores", .tier = PRT_DEVICE, .offset = ARENA_block_attn_scores, .bytes = 12288},
    {.name = "block.attn.weights", .tier = PRT_DEVICE, .offset = ARENA_block_attn_weights, .bytes = 12288},
    {.name = "block.attn.mixed", .tier = PRT_DEVICE, .offset = ARENA_block_attn_mixed, .bytes = 3072},
    {.name = "block.attn.product", .tier = PRT_DEVICE, .offset = ARENA_block_attn_product, .bytes = 6144},
    {.name = "block.attn", .tier = PRT_DEVICE, .offset = ARENA_block_attn, .bytes = 6144},
    {.name = "block.x", .tier = PRT_DEVICE, .offset = ARENA_block_x, .bytes = 6144},
    {.name = "block.norm2.mean", .tier = PRT_DEVICE, .offset = ARENA_block_norm2_mean, .bytes = 16},
    {.name = "block.norm2.rstd", .tier = PRT_DEVICE, .offset = ARENA_block_norm2_rstd, .bytes = 16},
    {.name = "block.norm2", .tier = PRT_DEVICE, .offset = ARENA_block_norm2, .bytes = 6144},
    {.name = "block.mlp.up.product", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_up_product, .bytes = 12288},
    {.name = "block.mlp.up", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_up, .bytes = 12288},
    {.name = "block.mlp.active", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_active, .bytes = 12288},
    {.name = "block.mlp.product", .tier = PRT_DEVICE, .offset = ARENA_block_mlp_product, .bytes = 6144},
    {.name = "block.mlp", .tier = PRT_DEVICE, .offset = ARENA_block_mlp, .bytes = 6144},
    {.name = "norm.mean", .tier = PRT_DEVICE, .offset = ARENA_norm_mean, .bytes = 16},
    {.name = "norm.rstd", .tier = PRT_DEVICE, .offset = ARENA_norm_rstd, .bytes = 16},
    {.name = "norm", .tier = PRT_DEVICE, .offset = ARENA_norm, .bytes = 6144},
    {.name = "logits", .tier = PRT_DEVICE, .offset = ARENA_logits, .bytes = 4096},
    {.name = "logits.gathered", .tier = PRT_DEVICE, .offset = ARENA_logits_gathered, .bytes = 8192},
};

static const prt_source sources[] = {
    [NO_LINE_gpt] = {"", 0, "gpt"},
    [LINE_7_init_wte_table] = {"examples/gpt.place", 7, "init wte.table"},
    [LINE_7_init_wpe_table] = {"examples/gpt.place", 7, "init wpe.table"},
    [LINE_12_init_norm_gain] = {"examples/gpt.place", 12, "init norm.gain"},
    [LINE_12_init_norm_bias] = {"examples/gpt.place", 12, "init norm.bias"},
    [LINE_9_init_block_norm1_gain] = {"examples/gpt.place", 9, "init block.norm1.gain"},
    [LINE_9_init_block_norm1_bias] = {"examples/gpt.place", 9, "init block.norm1.bias"},
    [LINE_9_init_block_attn_out_bias] = {"examples/gpt.place", 9, "init block.attn.out.bias"},
    [LINE_10_init_block_norm2_gain] = {"examples/gpt.place", 10, "init block.norm2.gain"},
    [LINE_10_init_block_norm2_bias] = {"examples/gpt.place", 10, "init block.norm2.bias"},
    [LINE_10_init_block_mlp_down_bias] = {"examples/gpt.place", 10, "init block.mlp.down.bias"},
    [LINE_9_computing_in_init] = {"examples/gpt.place", 9, "computing in init"},
    [LINE_9_init] = {"examples/gpt.place", 9, "init"},
    [LINE_5_read_tokens] = {"examples/gpt.place", 5, "read tokens"},
    [LINE_7_computing_in_prefill] = {"examples/gpt.place", 7, "computing in prefill"},
    [LINE_9_computing_in_prefill] = {"examples/gpt.place", 9, "computing in prefill"},
    [LINE_9_all_reduce_prefill_block_attn_product_over_tensor] =
        {"examples/gpt.place", 9, "all_reduce prefill.block.attn.product over tensor"},
    [LINE_10_computing_in_prefill] = {"examples/gpt.place", 10, "computing in prefill"},
    [LINE_10_all_reduce_prefill_block_mlp_product_over_tensor] =
        {"examples/gpt.place", 10, "all_reduce prefill.block.mlp.product over tensor"},
    [LINE_5_read_tokens_position] = {"examples/gpt.place", 5, "read tokens.position"},
    [LINE_5_read_tokens_next] = {"examples/gpt.place", 5, "read tokens.next"},
    [LINE_7_computing_in_step] = {"examples/gpt.place", 7, "computing in step"},
    [LINE_9_computing_in_step] = {"examples/gpt.place", 9, "computing in step"},
    [LINE_9_all_reduce_block_attn_product_over_tensor] =
        {"examples/gpt.place", 9, "all_reduce block.attn.product over tensor"},
    [LINE_10_computing_in_step] = {"examples/gpt.place", 10, "computing in step"},
    [LINE_10_all_reduce_block_mlp_product_over_tensor] =
        {"examples/gpt.place", 10, "all_reduce block.mlp.product over tensor"},
    [LINE_12_computing_in_step] = {"examples/gpt.place", 12, "computing in step"},
    [LINE_13_all_gather_logits_over_data] = {"examples/gpt.place", 13, "all_gather logits over data"},
    [LINE_13_output_logits] = {"examples/gpt.place", 13, "output logits"},
};

static const prt_program program = {
    .format = PRT_FORMAT,
    .name = "gpt",
    .file = "examples/serve.place",
    .plan_hash = "9baa94e49817884a",
    .version = "0.1.0",
    .axis_count = 2,
    .axes = {[AXIS_data] = {"data", 2}, [AXIS_tensor] = {"tensor", 2}},
    .compute_dtype = PRT_F32,
    .arena_bytes = {50424320, 0, 0},
    .batch = 8,
    .micro = 1,
    .steps = 64,
    .items_per_step = 2048,
    .item = "tokens",
    .data = PRT_BYTES,
    .data_path = "prompts.txt",
    .seed = 1,
    .load_path = "gpt.ckpt",
    .temperature = 0.80000000000000004,
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
    .prefill = prefill,
    .step = step,
};

int main(int argc, char **argv)
{
    return prt_main(argc, argv, &program);
}
