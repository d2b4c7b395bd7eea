/* vec.c - grows the storage of an array (base/vec.h). */
#include "base/vec.h"

#include <string.h>

/* Lists of large items are usually short. */
static int first_capacity(size_t item_bytes)
{
    return item_bytes > 64 ? 2 : 8;
}

void *vec_grow(Arena *arena, void *data, int *capacity, size_t item_bytes)
{
    size_t had = (size_t)*capacity * item_bytes;
    *capacity = *capacity == 0 ? first_capacity(item_bytes) : 2 * *capacity;
    size_t wanted = (size_t)*capacity * item_bytes;
    if (had > 0 && arena_extend(arena, data, had, wanted))
        return data;
    void *grown = arena_alloc(arena, wanted);
    if (had > 0)
        memcpy(grown, data, had);
    return grown;
}
