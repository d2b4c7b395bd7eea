/* ops.c - what emitted programs ask of their own device: data movement, contractions, initial values. */
#include "base/random.h"
#include "runtime/run.h"

#include <inttypes.h>
#include <string.h>

void prt_fill(prt_context *ctx, prt_dtype dtype, void *out, int64_t count, double value)
{
    ctx->run->device->fill(dtype, out, count, value, 0);
}

void prt_copy(prt_context *ctx, void *out, const void *in, int64_t bytes)
{
    ctx->run->device->copy(out, in, bytes, 0);
}

void prt_iota(prt_context *ctx, int32_t *out, int64_t count, int64_t first)
{
    (void)ctx;
    for (int64_t i = 0; i < count; i++)
        out[i] = (int32_t)(first + i);
}

void prt_copy_block(prt_context *ctx, int64_t element_bytes, int dim_count, const int64_t *extents, void *out,
                    const int64_t *out_strides, const void *in, const int64_t *in_strides)
{
    if (dim_count == 0) {
        ctx->run->device->copy(out, in, element_bytes, 0);
        return;
    }
    if (dim_count == 1 && out_strides[0] == 1 && in_strides[0] == 1) {
        ctx->run->device->copy(out, in, extents[0] * element_bytes, 0);
        return;
    }
    for (int64_t i = 0; i < extents[0]; i++)
        prt_copy_block(ctx, element_bytes, dim_count - 1, extents + 1, (char *)out + i * out_strides[0] * element_bytes,
                       out_strides + 1, (const char *)in + i * in_strides[0] * element_bytes, in_strides + 1);
}

void prt_slice_flat(prt_context *ctx, prt_dtype dtype, void *out, const void *in, int64_t elements, int64_t count,
                    int64_t index)
{
    prt_range piece = prt_cut_flat(elements, count, index);
    int64_t bytes = prt_dtype_bytes(dtype), room = (elements + count - 1) / count;
    ctx->run->device->copy(out, (const char *)in + piece.start * bytes, piece.extent * bytes, 0);
    ctx->run->device->fill(dtype, (char *)out + piece.extent * bytes, room - piece.extent, 0, 0);
}

static int64_t checked_id(prt_context *ctx, const int32_t *ids, int64_t i, int64_t table_rows)
{
    if (ids[i] < 0 || ids[i] >= table_rows)
        prt_fail(ctx, "index %" PRId32 " is outside the table of %" PRId64 " rows", ids[i], table_rows);
    return ids[i];
}

void prt_embed(prt_context *ctx, prt_dtype dtype, void *out, const int32_t *ids, int64_t ids_count, const void *table,
               int64_t table_rows, int64_t width)
{
    int64_t row_bytes = width * prt_dtype_bytes(dtype);
    for (int64_t i = 0; i < ids_count; i++)
        ctx->run->device->copy((char *)out + i * row_bytes,
                               (const char *)table + checked_id(ctx, ids, i, table_rows) * row_bytes, row_bytes, 0);
}

void prt_embed_add(prt_context *ctx, prt_dtype dtype, void *table, const int32_t *ids, int64_t ids_count,
                   const void *rows, int64_t table_rows, int64_t width)
{
    for (int64_t i = 0; i < ids_count; i++) {
        int64_t target = checked_id(ctx, ids, i, table_rows) * width;
        if (dtype == PRT_F32)
            for (int64_t j = 0; j < width; j++)
                ((float *)table)[target + j] += ((const float *)rows)[i * width + j];
        else if (dtype == PRT_F64)
            for (int64_t j = 0; j < width; j++)
                ((double *)table)[target + j] += ((const double *)rows)[i * width + j];
        else
            prt_fail(ctx, "rows are added in f32 and f64 only");
    }
}

void prt_gemm(prt_context *ctx, prt_dtype dtype, const prt_gemm_shape *shape, const void *a, const void *b, int beta,
              void *c)
{
    ctx->run->device->gemm(dtype, shape, a, b, beta, c, 0);
}

/* ---- Initial values ----------------------------------------------------------------------------------------- */

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
    seed += run->options.seed - run->program->seed;
    for (int64_t i = 0; i < count; i++)
        run->device->fill(dtype, (char *)out + i * bytes, 1, initial_value(described, hash, seed, layer, first + i), 0);
}

void prt_init_unit(prt_context *ctx, int unit, int64_t layer, uint64_t seed, prt_dtype dtype, void *out, int64_t count,
                   int64_t index)
{
    const prt_program *program = ctx->run->program;
    const prt_unit *described = &program->units[unit];
    prt_range piece = prt_cut_flat(described->elements, count, index);
    int64_t bytes = prt_dtype_bytes(dtype), room = (described->elements + count - 1) / count;
    ctx->run->device->fill(dtype, out, room, 0, 0);
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
