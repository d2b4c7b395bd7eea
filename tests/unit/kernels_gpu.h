/* kernels_gpu.h - the kernels of a test on a GPU: kernels.ptx through the driver. */
#ifndef PLACE_TESTS_UNIT_KERNELS_GPU_H
#define PLACE_TESTS_UNIT_KERNELS_GPU_H

#include "runtime/cuda.h"
#include "runtime/place_rt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const prt_cuda *gpu;

static void gpu_must(prt_cuda_status error, const char *what)
{
    if (error != 0)
        fail_msg("CUDA: %s: %s", what, prt_cuda_error(error));
}

static prt_cuda_module gpu_module(const char *ptx)
{
    char message[256] = "";
    if (gpu == NULL && (gpu = prt_cuda_load(0, message, sizeof message)) == NULL)
        fail_msg("%s", message);
    prt_cuda_module module;
    gpu_must(gpu->module_load(&module, ptx), "kernels.ptx");
    return module;
}

static prt_cuda_function gpu_function(prt_cuda_module module, const char *name)
{
    prt_cuda_function function;
    gpu_must(gpu->module_function(&function, module, name), name);
    return function;
}

/* Arrays of the host, which are copied to the GPU for this launch, and what they are there. */
typedef struct GpuArrays {
    int count;
    size_t bytes[PRT_MAX_ARRAYS];
    prt_cuda_address there[PRT_MAX_ARRAYS];
} GpuArrays;

static void gpu_copy_there(GpuArrays *arrays, const prt_arguments *arguments)
{
    for (int i = 0; i < arrays->count; i++) {
        gpu_must(gpu->reserve(&arrays->there[i], arrays->bytes[i]), "memory");
        gpu_must(gpu->to_device(arrays->there[i], arguments->arrays[i], arrays->bytes[i]), "copy");
    }
}

/* The result goes to `out`; copies wait for the launch. */
static void gpu_copy_back(GpuArrays *arrays, void *out)
{
    gpu_must(gpu->to_host(out, arrays->there[0], arrays->bytes[0]), "copy");
    for (int i = 0; i < arrays->count; i++)
        gpu_must(gpu->release(arrays->there[i]), "memory");
}

#endif
