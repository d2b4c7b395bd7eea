/* onednn.h - what the CPU uses of oneDNN, loaded when the program starts (onednn.c).
 *
 * Products of f32 take the one function for them, which versions 2 and 3 have alike. Its primitives, for convolutions
 * and products of bf16, need the interface of version 2. */
#ifndef PRT_ONEDNN_H
#define PRT_ONEDNN_H

#include "runtime/place_rt.h"

#include <oneapi/dnnl/dnnl.h>

/* Of version 2. */
#define PRT_ONEDNN_FUNCTIONS(F)                                                                                        \
    F(get_effective_cpu_isa)                                                                                           \
    F(engine_create)                                                                                                   \
    F(stream_create)                                                                                                   \
    F(memory_desc_init_by_strides)                                                                                     \
    F(memory_desc_init_by_tag)                                                                                         \
    F(memory_desc_equal)                                                                                               \
    F(memory_desc_get_size)                                                                                            \
    F(memory_create)                                                                                                   \
    F(memory_set_data_handle)                                                                                          \
    F(memory_destroy)                                                                                                  \
    F(primitive_attr_create)                                                                                           \
    F(primitive_attr_destroy)                                                                                          \
    F(primitive_attr_set_scratchpad_mode)                                                                              \
    F(primitive_attr_set_post_ops)                                                                                     \
    F(post_ops_create)                                                                                                 \
    F(post_ops_destroy)                                                                                                \
    F(post_ops_append_sum)                                                                                             \
    F(primitive_desc_create)                                                                                           \
    F(primitive_desc_destroy)                                                                                          \
    F(primitive_desc_query)                                                                                            \
    F(primitive_desc_query_md)                                                                                         \
    F(reorder_primitive_desc_create)                                                                                   \
    F(matmul_desc_init)                                                                                                \
    F(convolution_forward_desc_init)                                                                                   \
    F(convolution_backward_data_desc_init)                                                                             \
    F(convolution_backward_weights_desc_init)                                                                          \
    F(primitive_create)                                                                                                \
    F(primitive_destroy)                                                                                               \
    F(primitive_execute)

#define PRT_ONEDNN_FIELD(name) __typeof__(dnnl_##name) *name;
typedef struct prt_onednn {
    __typeof__(dnnl_sgemm) *sgemm;
    bool has_primitives;  /* the functions that follow are there */
    bool multiplies_bf16; /* they do, faster than f32: otherwise bf16 is converted */
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    PRT_ONEDNN_FUNCTIONS(PRT_ONEDNN_FIELD)
} prt_onednn;
#undef PRT_ONEDNN_FIELD

/* False, with a message, where it cannot be loaded. */
bool prt_onednn_load(char *message, size_t message_bytes);
/* All zeros before it is loaded. */
prt_onednn *prt_onednn_library(void);

/* ---- Primitives, where there are any ------------------------------------------------------------------------ */

/* The stride of a dim of 1 may be anything in the program; oneDNN wants one that goes over all that follows. */
void prt_onednn_mend_strides(int count, const int64_t *dims, int64_t *strides);
/* Scratch memory is the caller's; with `adds` the result is added to what is there. */
dnnl_primitive_attr_t prt_onednn_attributes(bool adds);
/* Without a fast way oneDNN would take its plain loops. */
bool prt_onednn_is_fast(dnnl_primitive_desc_t desc);
/* Bytes that it needs while it works. */
int64_t prt_onednn_scratch(dnnl_primitive_desc_t desc);
bool prt_onednn_make_memory(dnnl_memory_t *memory, const dnnl_memory_desc_t *desc);
bool prt_onednn_make_scratch(dnnl_memory_t *memory, int64_t bytes);
void prt_onednn_execute(dnnl_primitive_t primitive, int count, const dnnl_exec_arg_t *arguments);

/* ---- What they are for -------------------------------------------------------------------------------------- */

/* A convolution of f32 or bf16, `wide` with a result in f32: the arrays as prt_window has them, of which `op` names the
 * result. False, with nothing written, where oneDNN has no fast way. */
bool prt_onednn_convolve(prt_dtype dtype, bool wide, prt_window_op op, const prt_window_shape *shape, char *x, char *w,
                         char *y, int beta);

/* The product of two matrices of bf16, which are one of a shape's batch: C is bf16 or, if `wide`, f32; `adds`: to what
 * is there. NULL where the processor or oneDNN has no fast way, or one that needs much memory. It stays until
 * PRT_MANY_PRODUCTS others were asked for. */
enum { PRT_MANY_PRODUCTS = 128 };
typedef struct prt_product prt_product;
const prt_product *prt_onednn_product(const prt_gemm_shape *shape, bool wide, bool adds);
void prt_onednn_multiply(const prt_product *product, const uint16_t *a, const uint16_t *b, void *c);

#endif
