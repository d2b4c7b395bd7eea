/* ranges.h - sets of bytes, as sorted ranges of which no two overlap or touch. */
#ifndef PLACE_BASE_RANGES_H
#define PLACE_BASE_RANGES_H

#include "base/vec.h"

#include <stdint.h>

typedef struct ByteRange {
    int64_t start, end;
} ByteRange;

typedef Vec(ByteRange) ByteRanges;

/* Adds the bytes from start up to end; returns how many of them are new. */
int64_t ranges_add(Arena *arena, ByteRanges *ranges, ByteRange range);

/* The first offset from `start` on with `bytes` that are not in the set. */
int64_t ranges_gap(const ByteRanges *ranges, int64_t start, int64_t bytes);

#endif
