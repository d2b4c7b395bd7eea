/* onednn.c - loads oneDNN, and what its primitives have in common. */
#include "runtime/onednn.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static bool find_primitives(void *handle)
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
 * those for f32 (bench/results.md, "Convolutions"). oneDNN may be kept from using them (ONEDNN_MAX_CPU_ISA). */
static bool multiplies_bf16_faster(void)
{
    bool faster =
        __builtin_cpu_supports("amx-bf16") || (__builtin_cpu_supports("avx512bf16") && __builtin_cpu_is("amd"));
    return faster && (library.get_effective_cpu_isa() & dnnl_cpu_isa_avx512_core_bf16) == dnnl_cpu_isa_avx512_core_bf16;
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
    library.has_primitives = find_primitives(handle);
    library.multiplies_bf16 = library.has_primitives && multiplies_bf16_faster();
    return true;
}

/* ---- Primitives --------------------------------------------------------------------------------------------- */

void prt_onednn_mend_strides(int count, const int64_t *dims, int64_t *strides)
{
    for (int i = count - 1; i >= 0; i--)
        if (dims[i] == 1)
            strides[i] = i + 1 < count ? strides[i + 1] * dims[i + 1] : 1;
}

dnnl_primitive_attr_t prt_onednn_attributes(bool adds)
{
    dnnl_primitive_attr_t attr;
    dnnl_post_ops_t ops;
    if (library.primitive_attr_create(&attr) != dnnl_success)
        abort(); /* no memory for a few bytes */
    library.primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user);
    if (adds && library.post_ops_create(&ops) == dnnl_success) {
        library.post_ops_append_sum(ops, 1);
        library.primitive_attr_set_post_ops(attr, ops);
        library.post_ops_destroy(ops);
    }
    return attr;
}

bool prt_onednn_is_fast(dnnl_primitive_desc_t desc)
{
    const char *name = "";
    library.primitive_desc_query(desc, dnnl_query_impl_info_str, 0, (void *)&name);
    return strstr(name, "ref") == NULL;
}

int64_t prt_onednn_scratch(dnnl_primitive_desc_t desc)
{
    const dnnl_memory_desc_t *scratch = library.primitive_desc_query_md(desc, dnnl_query_scratchpad_md, 0);
    return scratch != NULL ? (int64_t)library.memory_desc_get_size(scratch) : 0;
}

bool prt_onednn_make_memory(dnnl_memory_t *memory, const dnnl_memory_desc_t *desc)
{
    return library.memory_create(memory, desc, library.engine, DNNL_MEMORY_NONE) == dnnl_success;
}

bool prt_onednn_make_scratch(dnnl_memory_t *memory, int64_t bytes)
{
    dnnl_memory_desc_t desc;
    dnnl_dims_t count = {bytes > 0 ? bytes : 1};
    return library.memory_desc_init_by_tag(&desc, 1, count, dnnl_u8, dnnl_a) == dnnl_success &&
           prt_onednn_make_memory(memory, &desc);
}

void prt_onednn_execute(dnnl_primitive_t primitive, int count, const dnnl_exec_arg_t *arguments)
{
    if (library.primitive_execute(primitive, library.stream, count, arguments) != dnnl_success)
        abort(); /* it fails only for invalid arguments */
}
