/* cuda.h - what is used of NVIDIA's driver, loaded when a program asks for it (cuda.c): nothing of CUDA is needed to
 * build. The prototypes are our own; tests/gpu compares them with cuda.h where that is installed. */
#ifndef PRT_CUDA_H
#define PRT_CUDA_H

#include "runtime/place_rt.h"

#include <stdbool.h>
#include <stddef.h>

/* As in cuda.h, so that the prototypes are the same types. */
typedef unsigned prt_cuda_status;
typedef unsigned long long prt_cuda_address;
typedef struct CUmod_st *prt_cuda_module;
typedef struct CUfunc_st *prt_cuda_function;
typedef struct CUevent_st *prt_cuda_event;
typedef struct CUstream_st *prt_cuda_stream;
typedef struct CUctx_st *prt_cuda_context;

/* Name in prt_cuda, symbol of the library, arguments. All return 0, or which error it is. */
#define PRT_CUDA_FUNCTIONS(F)                                                                                          \
    F(init, cuInit, (unsigned flags))                                                                                  \
    F(error_text, cuGetErrorString, (prt_cuda_status error, const char **text))                                        \
    F(device_count, cuDeviceGetCount, (int *count))                                                                    \
    F(context_retain, cuDevicePrimaryCtxRetain, (prt_cuda_context * context, int device))                              \
    F(context_use, cuCtxSetCurrent, (prt_cuda_context context))                                                        \
    F(module_load, cuModuleLoadData, (prt_cuda_module * module, const void *image))                                    \
    F(module_unload, cuModuleUnload, (prt_cuda_module module))                                                         \
    F(module_function, cuModuleGetFunction, (prt_cuda_function * function, prt_cuda_module module, const char *name))  \
    F(reserve, cuMemAlloc_v2, (prt_cuda_address * memory, size_t bytes))                                               \
    F(release, cuMemFree_v2, (prt_cuda_address memory))                                                                \
    F(pin, cuMemHostRegister_v2, (void *memory, size_t bytes, unsigned flags))                                         \
    F(to_device, cuMemcpyHtoD_v2, (prt_cuda_address out, const void *in, size_t bytes))                                \
    F(to_host, cuMemcpyDtoH_v2, (void *out, prt_cuda_address in, size_t bytes))                                        \
    F(launch, cuLaunchKernel,                                                                                          \
      (prt_cuda_function function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z, unsigned threads_x,        \
       unsigned threads_y, unsigned threads_z, unsigned shared_bytes, prt_cuda_stream stream, void **arguments,        \
       void **extra))                                                                                                  \
    F(event_create, cuEventCreate, (prt_cuda_event * event, unsigned flags))                                           \
    F(event_record, cuEventRecord, (prt_cuda_event event, prt_cuda_stream stream))                                     \
    F(event_wait, cuEventSynchronize, (prt_cuda_event event))                                                          \
    F(event_elapsed, cuEventElapsedTime, (float *milliseconds, prt_cuda_event from, prt_cuda_event to))

#define PRT_CUDA_FIELD(name, symbol, arguments) prt_cuda_status(*name) arguments;
typedef struct prt_cuda {
    PRT_CUDA_FUNCTIONS(PRT_CUDA_FIELD)
} prt_cuda;

/* Loads the driver and makes this GPU's context the thread's; NULL and a message if it cannot. */
const prt_cuda *prt_cuda_load(int device, char *message, size_t message_bytes);

/* Launches the kernel with its arrays there and the other arguments as given: on one device, in order. */
prt_cuda_status prt_cuda_launch(prt_cuda_function function, const prt_kernel *kernel, prt_cuda_address *arrays,
                                const prt_arguments *given, unsigned blocks, unsigned threads);

/* Its number and what it means, until the next call. */
const char *prt_cuda_error(prt_cuda_status error);

#endif
