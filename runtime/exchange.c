/* exchange.c - which elements of a communication go from where to where (exchange.h). */
#include "runtime/exchange.h"

#include "runtime/bf16.h"
#include "runtime/comm.h"

#include <stdlib.h>
#include <string.h>

prt_exchange prt_exchange_of(const prt_place *own, const prt_call *call)
{
    const prt_program *program = own->program;
    const prt_group *group = &program->groups[call->group];
    prt_exchange exchange = {.own = *own,
                             .group = group,
                             .from = &program->layouts[call->from],
                             .into = &program->layouts[call->into],
                             .size = 1,
                             .dtype = call->dtype,
                             .reduction = call->reduction,
                             .adds = call->adds};
    for (int i = 0; i < group->axis_count; i++) {
        int64_t size = program->axes[group->axis[i]].size;
        exchange.size *= size;
        exchange.place = exchange.place * size + own->coordinate[group->axis[i]];
    }
    return exchange;
}

void prt_exchange_filled(prt_exchange *exchange, const int32_t *before, const int32_t *after, int dims)
{
    prt_view view = prt_view_of(&exchange->own, exchange->from);
    exchange->before = before;
    exchange->after = after;
    exchange->queue = 1;
    for (int i = dims; i < view.dim_count; i++)
        exchange->queue *= view.dims[i].room;
    exchange->step = exchange->queue / view.dims[dims].room;
}

/* This rank knows what it gives by its operand, and what it gets by its result. */
static void keep_filled(const prt_exchange *exchange, int64_t receiver, prt_overlap *overlap)
{
    bool right = receiver == exchange->place;
    prt_filled filled = {right ? exchange->after : exchange->before, right, exchange->queue, exchange->step};
    prt_overlap_keep(overlap, &filled);
}

prt_overlap prt_exchange_between(const prt_exchange *exchange, int64_t sender, int64_t receiver)
{
    prt_place giving = prt_place_in_group(&exchange->own, exchange->group, sender);
    prt_place getting = prt_place_in_group(&exchange->own, exchange->group, receiver);
    prt_view left = prt_view_of(&giving, exchange->from), right = prt_view_of(&getting, exchange->into);
    prt_overlap overlap = prt_overlap_of(&left, &right);
    if (exchange->before != NULL)
        keep_filled(exchange, receiver, &overlap);
    return overlap;
}

void prt_exchange_own(const prt_exchange *exchange, void *out, const void *in)
{
    prt_overlap own = prt_exchange_between(exchange, exchange->place, exchange->place);
    if (exchange->adds)
        prt_overlap_combine(&own, out, in, exchange->dtype, PRT_SUM);
    else
        prt_overlap_copy(&own, prt_dtype_bytes(exchange->dtype), out, in);
}

int64_t prt_exchange_operand(const prt_exchange *exchange)
{
    return prt_view_of(&exchange->own, exchange->from).room;
}

int64_t prt_exchange_result(const prt_exchange *exchange)
{
    return prt_view_of(&exchange->own, exchange->into).room;
}

int64_t prt_exchange_moved(const prt_exchange *exchange)
{
    int64_t given = 0, got = 0;
    for (int64_t i = 0; i < exchange->size; i++) {
        given += prt_exchange_between(exchange, exchange->place, i).elements;
        got += prt_exchange_between(exchange, i, exchange->place).elements;
    }
    return given > got ? given : got;
}

/* ---- Copies ------------------------------------------------------------------------------------------------- */

bool prt_overlap_is_block(const prt_overlap *overlap, prt_block *block)
{
    prt_blocks blocks = prt_blocks_of(overlap);
    return prt_blocks_next(&blocks, block) && block->rows * block->count == overlap->elements &&
           (block->rows == 1 || (block->left_step == block->count && block->right_step == block->count));
}

/* The rows of all blocks, one after another. */
typedef struct row_walk {
    prt_blocks blocks;
    prt_block block;
    int64_t row;
    int64_t left, right, packed, count; /* of the current one: where it begins, and how long it is */
} row_walk;

static row_walk rows_of(const prt_overlap *overlap)
{
    return (row_walk){.blocks = prt_blocks_of(overlap)};
}

static bool next_row(row_walk *rows)
{
    rows->packed += rows->count;
    if (++rows->row >= rows->block.rows) {
        if (!prt_blocks_next(&rows->blocks, &rows->block))
            return false;
        rows->row = 0;
    }
    rows->left = rows->block.left + rows->row * rows->block.left_step;
    rows->right = rows->block.right + rows->row * rows->block.right_step;
    rows->count = rows->block.count;
    return true;
}

static void copy_row(void *to, int64_t to_at, const void *from, int64_t from_at, int64_t count, int64_t bytes)
{
    char *target = (char *)to + to_at * bytes;
    const char *source = (const char *)from + from_at * bytes;
    if (target != source)
        memcpy(target, source, (size_t)(count * bytes));
}

void prt_overlap_copy(const prt_overlap *overlap, int64_t bytes, void *right, const void *left)
{
    for (row_walk row = rows_of(overlap); next_row(&row);)
        copy_row(right, row.right, left, row.left, row.count, bytes);
}

void prt_overlap_pack(const prt_overlap *overlap, int64_t bytes, void *packed, const void *left)
{
    for (row_walk row = rows_of(overlap); next_row(&row);)
        copy_row(packed, row.packed, left, row.left, row.count, bytes);
}

void prt_overlap_unpack(const prt_overlap *overlap, int64_t bytes, void *right, const void *packed)
{
    for (row_walk row = rows_of(overlap); next_row(&row);)
        copy_row(right, row.right, packed, row.packed, row.count, bytes);
}

void prt_overlap_repeat(const prt_overlap *overlap, int64_t bytes, void *right, const void *other)
{
    for (row_walk row = rows_of(overlap); next_row(&row);)
        copy_row(right, row.right, other, row.right, row.count, bytes);
}

/* ---- Sums and maxima ---------------------------------------------------------------------------------------- */

#define COMBINE(type)                                                                                                  \
    do {                                                                                                               \
        type *restrict result = to;                                                                                    \
        const type *restrict operand = from;                                                                           \
        switch (reduction) {                                                                                           \
        case PRT_SUM:                                                                                                  \
            for (int64_t i = 0; i < count; i++)                                                                        \
                result[i] += operand[i];                                                                               \
            return;                                                                                                    \
        case PRT_MAX:                                                                                                  \
            for (int64_t i = 0; i < count; i++)                                                                        \
                result[i] = result[i] < operand[i] ? operand[i] : result[i];                                           \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

void prt_combine(void *to, const void *from, int64_t count, prt_dtype dtype, prt_reduction reduction)
{
    switch (dtype) {
    case PRT_F32:
        COMBINE(float);
        break;
    case PRT_F64:
        COMBINE(double);
        break;
    case PRT_I32:
        COMBINE(int32_t);
        break;
    case PRT_BF16:
        prt_bf16_combine(to, from, count, reduction == PRT_MAX);
        return;
    }
    abort(); /* there is no other reduction */
}

void prt_overlap_combine(const prt_overlap *overlap, void *right, const void *left, prt_dtype dtype,
                         prt_reduction reduction)
{
    int64_t bytes = prt_dtype_bytes(dtype);
    for (row_walk row = rows_of(overlap); next_row(&row);)
        prt_combine((char *)right + row.right * bytes, (const char *)left + row.left * bytes, row.count, dtype,
                    reduction);
}

void prt_overlap_combine_packed(const prt_overlap *overlap, void *right, const void *packed, prt_dtype dtype,
                                prt_reduction reduction)
{
    int64_t bytes = prt_dtype_bytes(dtype);
    for (row_walk row = rows_of(overlap); next_row(&row);)
        prt_combine((char *)right + row.right * bytes, (const char *)packed + row.packed * bytes, row.count, dtype,
                    reduction);
}
