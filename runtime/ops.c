/* ops.c - what emitted programs call on their own device: data movement, contractions, initial values. */
#include "base/random.h"
#include "runtime/number.h"
#include "runtime/run.h"
#include "runtime/view.h"

#include <string.h>

void prt_launch(prt_context *ctx, int kernel, int stream, const prt_arguments *arguments)
{
    prt_run *run = ctx->run;
    const prt_kernel *row = &run->program->kernels[kernel];
    double began = prt_profile_begin(run);
    run->device->launch(row, arguments, stream);
    prt_profile_kernel(run, began, row, arguments);
}

void prt_move(const prt_run *run, const prt_overlap *overlap, prt_dtype dtype, void *right, const void *left,
              int stream)
{
    prt_block block;
    int64_t bytes = prt_dtype_bytes(dtype);
    for (prt_blocks blocks = prt_blocks_of(overlap); prt_blocks_next(&blocks, &block);)
        for (int64_t row = 0; row < block.rows; row++)
            run->device->copy((char *)right + (block.right + row * block.right_step) * bytes,
                              (const char *)left + (block.left + row * block.left_step) * bytes, block.count * bytes,
                              stream);
}

static int64_t elements_held(const prt_view *view)
{
    int64_t held = 1;
    for (int d = 0; d < view->dim_count; d++) {
        int64_t count = 0;
        for (int i = 0; i < view->dims[d].part_count; i++)
            count += view->dims[d].parts[i].count;
        held *= count;
    }
    return held;
}

/* Of one dim only what is between its parts, so that elements may already be there; otherwise everything. */
void prt_zero_rest(const prt_run *run, const prt_view *view, prt_dtype dtype, void *array, int stream)
{
    if (elements_held(view) == view->room)
        return;
    int64_t at = 0, bytes = prt_dtype_bytes(dtype);
    for (int i = 0; view->dim_count == 1 && i < view->dims[0].part_count; i++) {
        const prt_part *part = &view->dims[0].parts[i];
        run->device->fill(dtype, (char *)array + at * bytes, part->at - at, 0, stream);
        at = part->at + part->count;
    }
    run->device->fill(dtype, (char *)array + at * bytes, view->room - at, 0, stream);
}

/* A copy between two layouts of this rank. */
static void move(prt_context *ctx, prt_dtype dtype, const prt_view *from, const prt_view *into, void *out,
                 const void *in)
{
    prt_overlap overlap = prt_overlap_of(from, into);
    prt_move(ctx->run, &overlap, dtype, out, in, 0);
}

static prt_view view_of(const prt_context *ctx, int layout, int64_t micro)
{
    prt_place place = prt_place_of(ctx, micro);
    return prt_view_of(&place, &ctx->run->program->layouts[layout]);
}

void prt_slice(prt_context *ctx, prt_dtype dtype, int from, int into, int64_t micro, void *out, const void *in)
{
    double began = prt_profile_begin(ctx->run);
    prt_view whole = view_of(ctx, from, micro), piece = view_of(ctx, into, micro);
    prt_zero_rest(ctx->run, &piece, dtype, out, 0);
    move(ctx, dtype, &whole, &piece, out, in);
    prt_profile_call(ctx->run, began, "slice", piece.room * prt_dtype_bytes(dtype), 0);
}

void prt_place_shard(prt_context *ctx, prt_dtype dtype, int from, int into, int64_t micro, void *out, const void *in)
{
    double began = prt_profile_begin(ctx->run);
    prt_view piece = view_of(ctx, from, micro), whole = view_of(ctx, into, micro);
    move(ctx, dtype, &piece, &whole, out, in);
    prt_profile_call(ctx->run, began, "place", piece.room * prt_dtype_bytes(dtype), 0);
}

void prt_gemm(prt_context *ctx, int stream, prt_dtype dtype, const prt_gemm_shape *shape, const void *a, const void *b,
              int beta, void *c)
{
    double began = prt_profile_begin(ctx->run);
    ctx->run->device->gemm(dtype, false, shape, a, b, beta, c, stream);
    prt_profile_product(ctx->run, began, dtype, shape);
}

void prt_gemm_wide(prt_context *ctx, int stream, const prt_gemm_shape *shape, const void *a, const void *b, int beta,
                   float *c)
{
    double began = prt_profile_begin(ctx->run);
    ctx->run->device->gemm(PRT_BF16, true, shape, a, b, beta, c, stream);
    prt_profile_product(ctx->run, began, PRT_BF16, shape);
}

void prt_window(prt_context *ctx, int stream, prt_dtype dtype, prt_window_op op, const prt_window_shape *shape,
                const void *a, const void *b, int beta, void *c)
{
    if (!ctx->run->device->window(dtype, false, op, shape, a, b, beta, c, stream))
        prt_fail(ctx, "no memory for the workspace of a convolution");
}

void prt_window_wide(prt_context *ctx, int stream, prt_window_op op, const prt_window_shape *shape, const void *a,
                     const void *b, int beta, float *c)
{
    if (!ctx->run->device->window(PRT_BF16, true, op, shape, a, b, beta, c, stream))
        prt_fail(ctx, "no memory for the workspace of a convolution");
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

/* Zeros in any tier. */
static void store_zeros(prt_run *run, char *out, int64_t bytes)
{
    static const char zeros[CHUNK];
    for (int64_t done = 0; done < bytes; done += CHUNK)
        prt_store(run, out + done, zeros, bytes - done < CHUNK ? bytes - done : CHUNK);
}

/* Which numbers are drawn. */
typedef struct Drawn {
    uint64_t seed;
    int64_t layer;
    prt_dtype dtype;
} Drawn;

/* `count` elements of a tensor, from `first` on. */
static void draw(prt_run *run, const prt_tensor *tensor, const Drawn *drawn, int64_t first, int64_t count, char *out)
{
    uint32_t hash = random_hash(tensor->name);
    int64_t bytes = prt_dtype_bytes(drawn->dtype);
    _Alignas(8) char chunk[CHUNK];
    for (int64_t done = 0; done < count;) {
        int64_t part = count - done < CHUNK / bytes ? count - done : CHUNK / bytes;
        for (int64_t i = 0; i < part; i++)
            prt_number_put(drawn->dtype, chunk, i,
                           initial_value(tensor, hash, drawn->seed, drawn->layer, first + done + i));
        prt_store(run, out + done * bytes, chunk, part * bytes);
        done += part;
    }
}

void prt_init(prt_context *ctx, int tensor, int layout, int64_t layer, uint64_t seed, prt_dtype dtype, void *out)
{
    prt_run *run = ctx->run;
    const prt_program *program = run->program;
    const prt_layout *where = &program->layouts[layout];
    prt_place place = prt_place_of(ctx, 0);
    Drawn drawn = {seed + run->options.seed - program->seed, layer, dtype};
    int64_t bytes = prt_dtype_bytes(dtype);
    prt_walk walk;
    prt_stretch stretch;
    store_zeros(run, out, prt_view_of(&place, where).room * bytes);
    for (prt_walk_start(&walk, &place, where); prt_walk_next(&walk, &stretch);) {
        int of = where->unit < 0 ? tensor : program->units[where->unit].members[stretch.member].tensor;
        draw(run, &program->tensors[of], &drawn, stretch.element, stretch.count, (char *)out + stretch.at * bytes);
    }
}
