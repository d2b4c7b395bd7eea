/* idle.c - a libcuda.so.1 of a GPU that computes nothing: memory is the host's, and a launch leaves it as it is. What
 * compares kernels with a GPU must notice. */
#include "runtime/cuda.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int something;

#define PROTOTYPE(name, symbol, arguments) prt_cuda_status symbol arguments;
PRT_CUDA_FUNCTIONS(PROTOTYPE)

prt_cuda_status cuInit(unsigned flags)
{
    return flags;
}

prt_cuda_status cuGetErrorString(prt_cuda_status error, const char **text)
{
    *text = "an error of the idle GPU";
    return error;
}

prt_cuda_status cuDeviceGetCount(int *count)
{
    *count = 1;
    return 0;
}

prt_cuda_status cuDevicePrimaryCtxRetain(prt_cuda_context *context, int device)
{
    *context = (prt_cuda_context)&something;
    return (unsigned)device;
}

prt_cuda_status cuCtxSetCurrent(prt_cuda_context context)
{
    return context == NULL;
}

prt_cuda_status cuModuleLoadData(prt_cuda_module *module, const void *image)
{
    *module = (prt_cuda_module)&something;
    return strstr(image, ".target sm_90") == NULL;
}

prt_cuda_status cuModuleUnload(prt_cuda_module module)
{
    return module == NULL;
}

prt_cuda_status cuModuleGetFunction(prt_cuda_function *function, prt_cuda_module module, const char *name)
{
    *function = (prt_cuda_function)&something;
    return module == NULL || name == NULL;
}

prt_cuda_status cuMemAlloc_v2(prt_cuda_address *memory, size_t bytes)
{
    void *made = malloc(bytes);
    *memory = (prt_cuda_address)(uintptr_t)made;
    return made == NULL;
}

prt_cuda_status cuMemFree_v2(prt_cuda_address memory)
{
    free((void *)(uintptr_t)memory);
    return 0;
}

prt_cuda_status cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags)
{
    return memory == NULL || bytes == 0 || flags != 0;
}

prt_cuda_status cuMemcpyHtoD_v2(prt_cuda_address out, const void *in, size_t bytes)
{
    memcpy((void *)(uintptr_t)out, in, bytes);
    return 0;
}

prt_cuda_status cuMemcpyDtoH_v2(void *out, prt_cuda_address in, size_t bytes)
{
    memcpy(out, (const void *)(uintptr_t)in, bytes);
    return 0;
}

prt_cuda_status cuLaunchKernel(prt_cuda_function function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                               unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared_bytes,
                               prt_cuda_stream stream, void **arguments, void **extra)
{
    (void)shared_bytes, (void)stream;
    bool good = function != NULL && arguments != NULL && extra == NULL && blocks_x > 0 && blocks_y == 1 &&
                blocks_z == 1 && threads_x > 0 && threads_y == 1 && threads_z == 1;
    return !good;
}

prt_cuda_status cuEventCreate(prt_cuda_event *event, unsigned flags)
{
    *event = (prt_cuda_event)&something;
    return flags;
}

prt_cuda_status cuEventRecord(prt_cuda_event event, prt_cuda_stream stream)
{
    return event == NULL || stream != NULL;
}

prt_cuda_status cuEventSynchronize(prt_cuda_event event)
{
    return event == NULL;
}

prt_cuda_status cuEventElapsedTime(float *milliseconds, prt_cuda_event from, prt_cuda_event to)
{
    *milliseconds = 0.001f;
    return from == NULL || to == NULL;
}
