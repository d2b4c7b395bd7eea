/* by_hand.h - what generated kernels do in emitted programs, written by hand for programs without kernels. */
#ifndef PLACE_TESTS_BY_HAND_H
#define PLACE_TESTS_BY_HAND_H

#include "runtime/place_rt.h"
#include <string.h>

/* Of a number that bf16 has: the upper half of a float. */
static inline void hand_put_bf16(void *array, int64_t i, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    ((uint16_t *)array)[i] = (uint16_t)(bits >> 16);
}

static inline float hand_get_bf16(const void *array, int64_t i)
{
    uint32_t bits = (uint32_t)((const uint16_t *)array)[i] << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void hand_fill(prt_dtype dtype, void *out, int64_t count, double value)
{
    for (int64_t i = 0; i < count; i++) {
        if (dtype == PRT_F64)
            ((double *)out)[i] = value;
        else if (dtype == PRT_F32)
            ((float *)out)[i] = (float)value;
        else if (dtype == PRT_I32)
            ((int32_t *)out)[i] = (int32_t)value;
        else
            hand_put_bf16(out, i, (float)value);
    }
}

#endif
