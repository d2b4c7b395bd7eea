/* number.h - numbers of every dtype in memory of the host. */
#ifndef PRT_NUMBER_H
#define PRT_NUMBER_H

#include "runtime/bf16.h"
#include "runtime/place_rt.h"
#include <stdlib.h>

static inline double prt_number_at(prt_dtype dtype, const void *array, int64_t i)
{
    switch (dtype) {
    case PRT_F64:
        return ((const double *)array)[i];
    case PRT_F32:
        return ((const float *)array)[i];
    case PRT_I32:
        return ((const int32_t *)array)[i];
    case PRT_BF16:
        return prt_bf16_value(((const uint16_t *)array)[i]);
    }
    abort();
}

static inline void prt_number_put(prt_dtype dtype, void *array, int64_t i, double value)
{
    switch (dtype) {
    case PRT_F64:
        ((double *)array)[i] = value;
        return;
    case PRT_F32:
        ((float *)array)[i] = (float)value;
        return;
    case PRT_I32:
        ((int32_t *)array)[i] = (int32_t)value;
        return;
    case PRT_BF16:
        ((uint16_t *)array)[i] = prt_bf16_round((float)value);
        return;
    }
    abort();
}

#endif
