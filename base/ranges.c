/* ranges.c - sorted sets of byte ranges: ranges that overlap or touch are joined, look-ups bisect. */
#include "base/ranges.h"

#include <string.h>

/* The first that does not end before `at`. */
static int first_after(const ByteRanges *ranges, int64_t at)
{
    int low = 0, high = ranges->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (ranges->data[middle].end < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Replaces `count` ranges, from `first` on, by one. */
static void replace(Arena *arena, ByteRanges *ranges, int first, int count, ByteRange range)
{
    if (count == 0)
        vec_push(arena, ranges, range);
    else
        ranges->count -= count - 1;
    int after = ranges->count - first - 1;
    ByteRange *at = &ranges->data[first];
    memmove(at + 1, at + count, sizeof(ByteRange) * (size_t)after);
    *at = range;
}

int64_t ranges_add(Arena *arena, ByteRanges *ranges, ByteRange range)
{
    if (range.start >= range.end)
        return 0;
    int first = first_after(ranges, range.start), after = first;
    ByteRange joined = range;
    int64_t taken = 0;
    for (; after < ranges->count && ranges->data[after].start <= range.end; after++) {
        ByteRange old = ranges->data[after];
        int64_t start = old.start > range.start ? old.start : range.start;
        taken += (old.end < range.end ? old.end : range.end) - start;
        joined.start = old.start < joined.start ? old.start : joined.start;
        joined.end = old.end > joined.end ? old.end : joined.end;
    }
    replace(arena, ranges, first, after - first, joined);
    return range.end - range.start - taken;
}

int64_t ranges_gap(const ByteRanges *ranges, int64_t start, int64_t bytes)
{
    for (int i = first_after(ranges, start); i < ranges->count && ranges->data[i].start - start < bytes; i++)
        start = ranges->data[i].end;
    return start;
}
