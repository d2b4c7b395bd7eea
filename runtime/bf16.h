/* bf16.h - numbers of 16 bits: the upper half of an f32. */
#ifndef PRT_BF16_H
#define PRT_BF16_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline float prt_bf16_value(uint16_t number)
{
    uint32_t bits = (uint32_t)number << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* To nearest, ties to even; what is not a number stays so. */
static inline uint16_t prt_bf16_round(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (value != value)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

/* to += from, or the larger of the two; each in f32, then rounded. */
static inline void prt_bf16_combine(void *to, const void *from, int64_t count, bool larger)
{
    uint16_t *left = to;
    const uint16_t *right = from;
    for (int64_t i = 0; i < count; i++) {
        float a = prt_bf16_value(left[i]), b = prt_bf16_value(right[i]);
        left[i] = prt_bf16_round(!larger ? a + b : a < b ? b : a);
    }
}

#endif
