/* onednn.c - loads oneDNN. */
#include "runtime/onednn.h"

#include <dlfcn.h>
#include <stdio.h>

static prt_onednn library;

prt_onednn *prt_onednn_library(void)
{
    return &library;
}

static void *open_any(char *message, size_t message_bytes)
{
    static const char *const names[] = {"libdnnl.so.2", "libdnnl.so.3", "libdnnl.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (handle != NULL)
            return handle;
        const char *reason = dlerror();
        snprintf(message, message_bytes, "%s", reason != NULL ? reason : names[i]);
    }
    return NULL;
}

static bool find(void *handle, const char *name, void **function)
{
    *function = dlsym(handle, name);
    return *function != NULL;
}

/* All of them, and an engine. */
static bool find_convolutions(void *handle)
{
    __typeof__(dnnl_version) *version;
    if (!find(handle, "dnnl_version", (void **)&version) || version()->major != DNNL_VERSION_MAJOR)
        return false;
#define FIND(name)                                                                                                     \
    if (!find(handle, "dnnl_" #name, (void **)&library.name))                                                          \
        return false;
    PRT_ONEDNN_FUNCTIONS(FIND)
#undef FIND
    return library.engine_create(&library.engine, dnnl_cpu, 0) == dnnl_success &&
           library.stream_create(&library.stream, library.engine, dnnl_stream_default_flags) == dnnl_success;
}

/* AMX does, and Zen from its fourth generation on; where Intel has the instruction without AMX, it has half the rate of
 * those for f32 (bench/results.md, "Convolutions"). */
static bool multiplies_bf16_faster(void)
{
    return __builtin_cpu_supports("amx-bf16") || (__builtin_cpu_supports("avx512bf16") && __builtin_cpu_is("amd"));
}

bool prt_onednn_load(char *message, size_t message_bytes)
{
    if (library.sgemm != NULL)
        return true;
    void *handle = open_any(message, message_bytes);
    if (handle == NULL)
        return false;
    if (!find(handle, "dnnl_sgemm", (void **)&library.sgemm)) {
        snprintf(message, message_bytes, "oneDNN has no dnnl_sgemm");
        return false;
    }
    library.convolves = find_convolutions(handle);
    library.multiplies_bf16 = multiplies_bf16_faster();
    return true;
}
