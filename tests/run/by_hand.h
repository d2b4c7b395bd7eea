/* by_hand.h - what generated kernels do in emitted programs, written by hand for programs without kernels. */
#ifndef PLACE_TESTS_BY_HAND_H
#define PLACE_TESTS_BY_HAND_H

#include "runtime/place_rt.h"

static inline void hand_fill(prt_dtype dtype, void *out, int64_t count, double value)
{
    for (int64_t i = 0; i < count; i++) {
        if (dtype == PRT_F64)
            ((double *)out)[i] = value;
        else if (dtype == PRT_F32)
            ((float *)out)[i] = (float)value;
        else
            ((int32_t *)out)[i] = (int32_t)value;
    }
}

/* out[i] = row ids[i] of the table, f32; and its transpose, table[ids[i]] += rows[i]. */
static inline void hand_embed(float *out, const int32_t *ids, int64_t count, const float *table, int64_t width)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < width; j++)
            out[i * width + j] = table[ids[i] * width + j];
}

static inline void hand_embed_add(float *table, const int32_t *ids, int64_t count, const float *rows, int64_t width)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < width; j++)
            table[ids[i] * width + j] += rows[i * width + j];
}

#endif
