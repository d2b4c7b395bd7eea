/* ranges.h - which bytes are taken: ranges, sorted, of which no two overlap or touch. */
#ifndef PLACE_BASE_RANGES_H
#define PLACE_BASE_RANGES_H

#include "base/vec.h"

#include <stdint.h>

typedef struct ByteRange {
    int64_t start, end;
} ByteRange;

typedef Vec(ByteRange) ByteRanges;

/* Adds what lies from start to end; returns how much of it is new. */
int64_t ranges_add(Arena *arena, ByteRanges *ranges, ByteRange range);

/* Where `bytes` that are not taken lie first, from `start` on. */
int64_t ranges_gap(const ByteRanges *ranges, int64_t start, int64_t bytes);

#endif
