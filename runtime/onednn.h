/* onednn.h - what the CPU uses of oneDNN, loaded when the program starts (onednn.c).
 *
 * Products take the one function for them, which versions 2 and 3 have alike. Convolutions need the interface of
 * version 2. */
#ifndef PRT_ONEDNN_H
#define PRT_ONEDNN_H

#include "runtime/place_rt.h"

#include <oneapi/dnnl/dnnl.h>

/* Of version 2. */
#define PRT_ONEDNN_FUNCTIONS(F)                                                                                        \
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
    F(convolution_forward_desc_init)                                                                                   \
    F(convolution_backward_data_desc_init)                                                                             \
    F(convolution_backward_weights_desc_init)                                                                          \
    F(primitive_create)                                                                                                \
    F(primitive_destroy)                                                                                               \
    F(primitive_execute)

#define PRT_ONEDNN_FIELD(name) __typeof__(dnnl_##name) *name;
typedef struct prt_onednn {
    __typeof__(dnnl_sgemm) *sgemm;
    bool convolves;       /* the functions that follow are there */
    bool multiplies_bf16; /* faster than f32: otherwise bf16 is converted */
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    PRT_ONEDNN_FUNCTIONS(PRT_ONEDNN_FIELD)
} prt_onednn;
#undef PRT_ONEDNN_FIELD

/* False, with a message, where it cannot be loaded. */
bool prt_onednn_load(char *message, size_t message_bytes);
/* All zeros before it is loaded. */
prt_onednn *prt_onednn_library(void);

/* A convolution of f32 or bf16, `wide` with a result in f32: the arrays as prt_window has them, of which `op` names the
 * result. False, with nothing written, where oneDNN has no fast way. */
bool prt_onednn_convolve(prt_dtype dtype, bool wide, prt_window_op op, const prt_window_shape *shape, char *x, char *w,
                         char *y, int beta);

#endif
