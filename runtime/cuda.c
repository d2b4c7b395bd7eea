/* cuda.c - loads NVIDIA's driver. */
#include "runtime/cuda.h"

#include <dlfcn.h>
#include <stdio.h>

static prt_cuda driver;

const char *prt_cuda_error(prt_cuda_status error)
{
    static char text[160];
    const char *meaning = NULL;
    driver.error_text(error, &meaning);
    snprintf(text, sizeof text, "error %u%s%s", error, meaning != NULL ? ": " : "", meaning != NULL ? meaning : "");
    return text;
}

static bool find_functions(void *library, char *message, size_t message_bytes)
{
#define FIND(name, symbol, arguments)                                                                                  \
    *(void **)&driver.name = dlsym(library, #symbol);                                                                  \
    if (driver.name == NULL) {                                                                                         \
        snprintf(message, message_bytes, "libcuda.so.1 has no " #symbol);                                              \
        return false;                                                                                                  \
    }
    PRT_CUDA_FUNCTIONS(FIND)
#undef FIND
    return true;
}

static bool use_device(int device, char *message, size_t message_bytes)
{
    int count = 0;
    prt_cuda_status error = driver.init(0);
    prt_cuda_context context = NULL;
    if (error == 0)
        error = driver.device_count(&count);
    if (error == 0 && device >= count) {
        snprintf(message, message_bytes, "there is no GPU %d: the driver sees %d", device, count);
        return false;
    }
    if (error == 0)
        error = driver.context_retain(&context, device);
    if (error == 0)
        error = driver.context_use(context);
    if (error != 0)
        snprintf(message, message_bytes, "CUDA: %s", prt_cuda_error(error));
    return error == 0;
}

prt_cuda_status prt_cuda_launch(prt_cuda_function function, const prt_kernel *kernel, prt_cuda_address *arrays,
                                const prt_arguments *given, unsigned blocks, unsigned threads)
{
    prt_arguments arguments = *given;
    void *list[PRT_MAX_ARRAYS + PRT_MAX_EXTENTS + PRT_MAX_NUMBERS];
    int count = 0;
    for (int i = 0; i < kernel->array_count; i++)
        list[count++] = &arrays[i];
    for (int i = 0; i < kernel->extent_count; i++)
        list[count++] = &arguments.extents[i];
    for (int i = 0; i < kernel->number_count; i++)
        list[count++] = &arguments.numbers[i];
    return driver.launch(function, blocks, 1, 1, threads, 1, 1, 0, NULL, list, NULL);
}

const prt_cuda *prt_cuda_load(int device, char *message, size_t message_bytes)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *reason = dlerror();
        snprintf(message, message_bytes, "%s", reason != NULL ? reason : "libcuda.so.1");
        return NULL;
    }
    bool good = find_functions(library, message, message_bytes) && use_device(device, message, message_bytes);
    return good ? &driver : NULL;
}
