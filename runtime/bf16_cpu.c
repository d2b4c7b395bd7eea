/* bf16_cpu.c - contractions of bf16 on the CPU (runtime/device.h): sums in f32, and one rounding of each result, or
 * none where the result is f32.
 *
 * Where the processor multiplies numbers of bf16 it does (products_onednn.c): a matrix at a time, or where one result
 * in bf16 has several products, or needs much memory, a tile at a time in f32. Elsewhere each tile is multiplied in
 * f32, which its operands are converted to exactly. */
#include "runtime/bf16.h"
#include "runtime/device.h"
#include "runtime/onednn.h"

enum { TILE = 256 };

/* Filled and used one after another: one set serves all calls. */
static float left[TILE * TILE], right[TILE * TILE], sum[TILE * TILE];

static int64_t tile_length(int64_t length, int64_t start)
{
    return length - start < TILE ? length - start : TILE;
}

/* Batch dims along which products are added up, or the others. */
static int64_t batch_count(const prt_gemm_shape *s, bool summed)
{
    int64_t count = 1;
    for (int d = 0; d < s->batch_dims; d++)
        if ((s->c_batch[d] == 0) == summed)
            count *= s->batch[d];
    return count;
}

static int64_t batch_offset(const prt_gemm_shape *s, bool summed, int64_t number, const int64_t *stride)
{
    int64_t offset = 0;
    for (int d = s->batch_dims - 1; d >= 0; d--)
        if ((s->c_batch[d] == 0) == summed) {
            offset += number % s->batch[d] * stride[d];
            number /= s->batch[d];
        }
    return offset;
}

static int64_t result_bytes(bool wide)
{
    return wide ? (int64_t)sizeof(float) : (int64_t)sizeof(uint16_t);
}

/* ---- A matrix at a time ------------------------------------------------------------------------------------- */

/* False, with nothing written, where that is no way. */
static bool multiply_matrices(const prt_gemm_shape *s, const uint16_t *a, const uint16_t *b, int beta, void *c,
                              bool wide)
{
    int64_t count = batch_count(s, false), terms = batch_count(s, true);
    if (terms == 0 || (terms > 1 && !wide))
        return false;
    const prt_product *first = prt_onednn_product(s, wide, beta != 0);
    const prt_product *next = terms > 1 ? prt_onednn_product(s, wide, true) : first;
    if (first == NULL || next == NULL)
        return false;
    for (int64_t number = 0; number < count; number++) {
        const uint16_t *from_a = a + batch_offset(s, false, number, s->a_batch);
        const uint16_t *from_b = b + batch_offset(s, false, number, s->b_batch);
        char *target = (char *)c + batch_offset(s, false, number, s->c_batch) * result_bytes(wide);
        for (int64_t term = 0; term < terms; term++)
            prt_onednn_multiply(term == 0 ? first : next, from_a + batch_offset(s, true, term, s->a_batch),
                                from_b + batch_offset(s, true, term, s->b_batch), target);
    }
    return true;
}

/* ---- A tile at a time --------------------------------------------------------------------------------------- */

static void widen(float *to, const uint16_t *from, int64_t rows, int64_t columns, int64_t row, int64_t column)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            to[i * columns + j] = prt_bf16_value(from[i * row + j * column]);
}

/* To `sum`, of s->m rows and s->n columns. */
static void add_converted(const prt_gemm_shape *s, const uint16_t *a, const uint16_t *b)
{
    for (int64_t p = 0; p < s->k; p += TILE) {
        int64_t depth = tile_length(s->k, p);
        widen(left, a + p * s->a_column, s->m, depth, s->a_row, s->a_column);
        widen(right, b + p * s->b_row, depth, s->n, s->b_row, s->b_column);
        const prt_gemm_shape tile = {s->m, s->n, depth, depth, 1, s->n, 1, s->n, 1, 0, {0}, {0}, {0}, {0}};
        prt_device_cpu()->gemm(PRT_F32, false, &tile, left, right, 1, sum, 0);
    }
}

/* Adds all products of one tile of C: rows from i on, columns from j on. */
static void add_products(const prt_gemm_shape *s, const uint16_t *a, const uint16_t *b, int64_t i, int64_t j)
{
    prt_gemm_shape tile = *s;
    tile.m = tile_length(s->m, i), tile.n = tile_length(s->n, j);
    tile.c_row = tile.n, tile.c_column = 1;
    const prt_product *product = prt_onednn_product(&tile, true, true);
    int64_t terms = batch_count(s, true);
    for (int64_t term = 0; term < terms; term++) {
        const uint16_t *from_a = a + batch_offset(s, true, term, s->a_batch) + i * s->a_row;
        const uint16_t *from_b = b + batch_offset(s, true, term, s->b_batch) + j * s->b_column;
        if (product != NULL)
            prt_onednn_multiply(product, from_a, from_b, sum);
        else
            add_converted(&tile, from_a, from_b);
    }
}

/* A tile of the result, which is bf16 or f32, and `sum`. */
typedef struct corner {
    void *at;
    bool wide;
    int64_t rows, columns, row, column;
} corner;

static void load(const corner *c, int beta)
{
    for (int64_t i = 0; i < c->rows; i++)
        for (int64_t j = 0; j < c->columns; j++) {
            int64_t at = i * c->row + j * c->column;
            sum[i * c->columns + j] = !beta     ? 0
                                      : c->wide ? ((const float *)c->at)[at]
                                                : prt_bf16_value(((const uint16_t *)c->at)[at]);
        }
}

static void store(const corner *c)
{
    for (int64_t i = 0; i < c->rows; i++)
        for (int64_t j = 0; j < c->columns; j++) {
            int64_t at = i * c->row + j * c->column;
            if (c->wide)
                ((float *)c->at)[at] = sum[i * c->columns + j];
            else
                ((uint16_t *)c->at)[at] = prt_bf16_round(sum[i * c->columns + j]);
        }
}

static void multiply_tiles(const prt_gemm_shape *s, const uint16_t *a, const uint16_t *b, int beta, void *c, bool wide)
{
    int64_t count = batch_count(s, false);
    for (int64_t number = 0; number < count; number++) {
        const uint16_t *from_a = a + batch_offset(s, false, number, s->a_batch);
        const uint16_t *from_b = b + batch_offset(s, false, number, s->b_batch);
        char *target = (char *)c + batch_offset(s, false, number, s->c_batch) * result_bytes(wide);
        for (int64_t i = 0; i < s->m; i += TILE)
            for (int64_t j = 0; j < s->n; j += TILE) {
                corner own = {.at = target + (i * s->c_row + j * s->c_column) * result_bytes(wide), .wide = wide};
                own.rows = tile_length(s->m, i), own.columns = tile_length(s->n, j);
                own.row = s->c_row, own.column = s->c_column;
                load(&own, beta);
                add_products(s, from_a, from_b, i, j);
                store(&own);
            }
    }
}

void prt_cpu_gemm_bf16(const prt_gemm_shape *s, const uint16_t *a, const uint16_t *b, int beta, void *c, bool wide)
{
    if (!multiply_matrices(s, a, b, beta, c, wide))
        multiply_tiles(s, a, b, beta, c, wide);
}
