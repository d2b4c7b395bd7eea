/* ops.c - what emitted programs call on their own device: data movement, contractions, initial values. */
#include "base/random.h"
#include "runtime/run.h"

#include <string.h>

void prt_copy(prt_context *ctx, void *out, const void *in, int64_t bytes)
{
    ctx->run->device->copy(out, in, bytes, 0);
}

void prt_slice_flat(prt_context *ctx, prt_dtype dtype, void *out, const void *in, int64_t elements, int64_t count,
                    int64_t index)
{
    prt_range piece = prt_cut_flat(elements, count, index);
    int64_t bytes = prt_dtype_bytes(dtype), room = (elements + count - 1) / count;
    ctx->run->device->copy(out, (const char *)in + piece.start * bytes, piece.extent * bytes, 0);
    ctx->run->device->fill(dtype, (char *)out + piece.extent * bytes, room - piece.extent, 0, 0);
}

void prt_gemm(prt_context *ctx, prt_dtype dtype, const prt_gemm_shape *shape, const void *a, const void *b, int beta,
              void *c)
{
    ctx->run->device->gemm(dtype, shape, a, b, beta, c, 0);
}

void prt_window(prt_context *ctx, prt_dtype dtype, prt_window_op op, const prt_window_shape *shape, const void *a,
                const void *b, int beta, void *c)
{
    ctx->run->device->window(dtype, op, shape, a, b, beta, c, 0);
}

/* ---- Initial values ----------------------------------------------------------------------------------------- */

enum { CHUNK = 4096 };

static double initial_value(const prt_tensor *tensor, uint32_t hash, uint64_t seed, int64_t layer, int64_t element)
{
    switch (tensor->init) {
    case PRT_ZEROS:
        return 0;
    case PRT_ONES:
        return 1;
    case PRT_NORMAL:
        return tensor->init_scale * random_normal(seed, hash, (uint32_t)layer, (uint64_t)element);
    case PRT_UNIFORM:
        return tensor->init_scale * (2 * random_uniform(seed, hash, (uint32_t)layer, (uint64_t)element) - 1);
    }
    return 0;
}

void prt_init_tensor(prt_context *ctx, int tensor, int64_t layer, uint64_t seed, prt_dtype dtype, void *out,
                     int64_t first, int64_t count)
{
    const prt_run *run = ctx->run;
    const prt_tensor *described = &run->program->tensors[tensor];
    uint32_t hash = random_hash(described->name);
    int64_t bytes = prt_dtype_bytes(dtype);
    char chunk[CHUNK];
    seed += run->options.seed - run->program->seed;
    for (int64_t done = 0; done < count;) {
        int64_t part = count - done < CHUNK / bytes ? count - done : CHUNK / bytes;
        for (int64_t i = 0; i < part; i++)
            prt_device_cpu()->fill(dtype, chunk + i * bytes, 1,
                                   initial_value(described, hash, seed, layer, first + done + i), 0);
        prt_store(ctx->run, (char *)out + done * bytes, chunk, part * bytes);
        done += part;
    }
}

/* Zeros in any tier. */
static void store_zeros(prt_run *run, char *out, int64_t bytes)
{
    static const char zeros[CHUNK];
    for (int64_t done = 0; done < bytes; done += CHUNK)
        prt_store(run, out + done, zeros, bytes - done < CHUNK ? bytes - done : CHUNK);
}

void prt_init_unit(prt_context *ctx, int unit, int64_t layer, uint64_t seed, prt_dtype dtype, void *out, int64_t count,
                   int64_t index)
{
    const prt_program *program = ctx->run->program;
    const prt_unit *described = &program->units[unit];
    prt_range piece = prt_cut_flat(described->elements, count, index);
    int64_t bytes = prt_dtype_bytes(dtype), room = (described->elements + count - 1) / count;
    store_zeros(ctx->run, out, room * bytes);
    for (int m = 0; m < described->member_count; m++) {
        const prt_tensor *tensor = &program->tensors[described->members[m].tensor];
        int64_t begin = described->members[m].offset, end = begin;
        int64_t elements = 1;
        for (int d = 0; d < tensor->dim_count; d++)
            elements *= tensor->dims[d];
        end = begin + elements;
        int64_t from = begin > piece.start ? begin : piece.start;
        int64_t to = end < piece.start + piece.extent ? end : piece.start + piece.extent;
        if (from < to)
            prt_init_tensor(ctx, described->members[m].tensor, layer, seed, dtype,
                            (char *)out + (from - piece.start) * bytes, from - begin, to - from);
    }
}
