#include "base/vec.h"

#include <string.h>

void *vec_grow(Arena *arena, void *data, int *capacity, size_t item_bytes)
{
    int wanted = *capacity == 0 ? 8 : 2 * *capacity;
    void *grown = arena_alloc(arena, (size_t)wanted * item_bytes);
    if (*capacity > 0)
        memcpy(grown, data, (size_t)*capacity * item_bytes);
    *capacity = wanted;
    return grown;
}
