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

#endif
