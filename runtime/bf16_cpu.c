/* bf16_cpu.c - contractions of bf16 on the CPU (runtime/device.h): exact conversion to f32, tile by tile, sums in f32,
 * and one rounding of each result, or none where the result is f32. */
#include "runtime/bf16.h"
#include "runtime/device.h"

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

static void widen(float *to, const uint16_t *from, int64_t rows, int64_t columns, int64_t row, int64_t column)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            to[i * columns + j] = prt_bf16_value(from[i * row + j * column]);
}

/* Adds all products of one tile of C: rows from i on, columns from j on. */
static void add_products(const prt_gemm_shape *s, const uint16_t *a, const uint16_t *b, int64_t i, int64_t j)
{
    int64_t rows = tile_length(s->m, i), columns = tile_length(s->n, j), terms = batch_count(s, true);
    for (int64_t term = 0; term < terms; term++) {
        const uint16_t *from_a = a + batch_offset(s, true, term, s->a_batch) + i * s->a_row;
        const uint16_t *from_b = b + batch_offset(s, true, term, s->b_batch) + j * s->b_column;
        for (int64_t p = 0; p < s->k; p += TILE) {
            int64_t depth = tile_length(s->k, p);
            widen(left, from_a + p * s->a_column, rows, depth, s->a_row, s->a_column);
            widen(right, from_b + p * s->b_row, depth, columns, s->b_row, s->b_column);
            const prt_gemm_shape tile = {rows, columns, depth, depth, 1, columns, 1, columns, 1, 0, {0}, {0}, {0}, {0}};
            prt_device_cpu()->gemm(PRT_F32, false, &tile, left, right, 1, sum, 0);
        }
    }
}

/* A tile of the result, which is bf16 or f32, and `sum`. */
typedef struct corner {
    void *at;
    bool wide;
    int64_t rows, columns, row, column;
} corner;

static int64_t place_in(const corner *c, int64_t element)
{
    return element / c->columns * c->row + element % c->columns * c->column;
}

static void load(const corner *c, int beta)
{
    for (int64_t e = 0; e < c->rows * c->columns; e++)
        sum[e] = !beta     ? 0
                 : c->wide ? ((const float *)c->at)[place_in(c, e)]
                           : prt_bf16_value(((const uint16_t *)c->at)[place_in(c, e)]);
}

static void store(const corner *c)
{
    for (int64_t e = 0; e < c->rows * c->columns; e++)
        if (c->wide)
            ((float *)c->at)[place_in(c, e)] = sum[e];
        else
            ((uint16_t *)c->at)[place_in(c, e)] = prt_bf16_round(sum[e]);
}

void prt_cpu_gemm_bf16(const prt_gemm_shape *s, const uint16_t *a, const uint16_t *b, int beta, void *c, bool wide)
{
    int64_t count = batch_count(s, false), bytes = wide ? (int64_t)sizeof(float) : (int64_t)sizeof(uint16_t);
    for (int64_t number = 0; number < count; number++) {
        const uint16_t *from_a = a + batch_offset(s, false, number, s->a_batch);
        const uint16_t *from_b = b + batch_offset(s, false, number, s->b_batch);
        char *target = (char *)c + batch_offset(s, false, number, s->c_batch) * bytes;
        for (int64_t i = 0; i < s->m; i += TILE)
            for (int64_t j = 0; j < s->n; j += TILE) {
                corner own = {.at = target + (i * s->c_row + j * s->c_column) * bytes, .wide = wide};
                own.rows = tile_length(s->m, i), own.columns = tile_length(s->n, j);
                own.row = s->c_row, own.column = s->c_column;
                load(&own, beta);
                add_products(s, from_a, from_b, i, j);
                store(&own);
            }
    }
}
