/* device_guarded.c - a device row for tests: the CPU's, with memory that nobody but the row can touch.
 *
 * The addresses that it gives out are those of pages without access; the memory itself is somewhere else. Each function
 * of the row turns the addresses that it gets into real ones, so whatever touches the arena other than through the row
 * faults, as it would with memory of a GPU. A kernel is computed in pieces, the last first, and its arrays must be in
 * the arena. */
#include "runtime/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PIECES = 3, GUARD = 4096 };

/* `shown` is where it seems to be; a page beyond its end is without access, too. */
typedef struct memory {
    unsigned char *shown, *real;
    int64_t bytes;
} memory;

static memory memories[PRT_TIERS];

/* NULL: it is memory of the host. */
static const memory *memory_of(const void *address)
{
    const unsigned char *at = address;
    for (int tier = 0; tier < PRT_TIERS; tier++)
        if (memories[tier].shown != NULL && at >= memories[tier].shown &&
            at <= memories[tier].shown + memories[tier].bytes)
            return &memories[tier];
    return NULL;
}

static void *guarded_reach(const void *address)
{
    const memory *of = memory_of(address);
    const unsigned char *at = address;
    return of != NULL ? of->real + (at - of->shown) : (void *)(uintptr_t)address;
}

static void *guarded_adopt(prt_tier tier, void *real, int64_t bytes)
{
    void *shown = mmap(NULL, (size_t)bytes + GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shown == MAP_FAILED)
        return NULL;
    memories[tier] = (memory){shown, real, bytes};
    return shown;
}

static void *guarded_reserve(prt_tier tier, int64_t bytes)
{
    void *real = prt_device_cpu()->reserve(tier, bytes);
    return real != NULL ? guarded_adopt(tier, real, bytes) : NULL;
}

static void guarded_release(prt_tier tier, void *shown, int64_t bytes)
{
    prt_device_cpu()->release(tier, memories[tier].real, bytes);
    munmap(shown, (size_t)bytes + GUARD);
    memories[tier] = (memory){0};
}

static bool guarded_prepare(prt_dtype dtype, int threads, char *message, size_t message_bytes)
{
    return prt_device_cpu()->prepare(dtype, threads, message, message_bytes);
}

/* The real addresses of a kernel's arrays, each of which must be in the arena to its last element. */
static prt_arguments reach_arrays(const prt_kernel *kernel, const prt_arguments *arguments)
{
    prt_arguments real = *arguments;
    for (int i = 0; i < kernel->array_count; i++) {
        const memory *of = memory_of(arguments->arrays[i]);
        const unsigned char *at = arguments->arrays[i];
        if (of == NULL || prt_kernel_array_span(kernel, arguments, i) > of->shown + of->bytes - at) {
            fprintf(stderr, "%s: array %d is not in the arena\n", kernel->entry, i);
            abort();
        }
        real.arrays[i] = guarded_reach(at);
    }
    return real;
}

static void guarded_launch(const prt_kernel *kernel, const prt_arguments *arguments, int stream)
{
    (void)stream;
    const prt_arguments real = reach_arrays(kernel, arguments);
    int64_t extent = prt_kernel_extent(kernel->split, arguments);
    for (int piece = PIECES - 1; piece >= 0; piece--) {
        prt_range range = prt_cut(extent, PIECES, piece);
        if (range.extent > 0)
            kernel->host(&real, range.start, range.start + range.extent);
    }
}

static void guarded_fill(prt_dtype dtype, void *out, int64_t count, double value, int stream)
{
    prt_device_cpu()->fill(dtype, guarded_reach(out), count, value, stream);
}

static void guarded_copy(void *out, const void *in, int64_t bytes, int stream)
{
    prt_device_cpu()->copy(guarded_reach(out), guarded_reach(in), bytes, stream);
}

static void guarded_gemm(prt_dtype dtype, bool wide, const prt_gemm_shape *shape, const void *a, const void *b,
                         int beta, void *c, int stream)
{
    prt_device_cpu()->gemm(dtype, wide, shape, guarded_reach(a), guarded_reach(b), beta, guarded_reach(c), stream);
}

static bool guarded_window(prt_dtype dtype, bool wide, prt_window_op op, const prt_window_shape *shape, const void *a,
                           const void *b, int beta, void *c, int stream)
{
    return prt_device_cpu()->window(dtype, wide, op, shape, guarded_reach(a), guarded_reach(b), beta, guarded_reach(c),
                                    stream);
}

static void guarded_event_record(int event, int stream)
{
    prt_device_cpu()->event_record(event, stream);
}

static void guarded_stream_wait(int stream, int event)
{
    prt_device_cpu()->stream_wait(stream, event);
}

static void guarded_synchronize(int stream)
{
    prt_device_cpu()->synchronize(stream);
}

const prt_device *prt_device_guarded(void)
{
    static const prt_device guarded = {
        .name = "cpu, guarded",
        .prepare = guarded_prepare,
        .reserve = guarded_reserve,
        .release = guarded_release,
        .adopt = guarded_adopt,
        .reach = guarded_reach,
        .launch = guarded_launch,
        .fill = guarded_fill,
        .copy = guarded_copy,
        .gemm = guarded_gemm,
        .window = guarded_window,
        .event_record = guarded_event_record,
        .stream_wait = guarded_stream_wait,
        .synchronize = guarded_synchronize,
    };
    return &guarded;
}
