/* vec.h - growable arrays in an arena.
 *
 *     Vec(Op) ops = {0};                  // { Op *data; int count, capacity; }
 *     vec_push(arena, &ops, op);
 *     for (int i = 0; i < ops.count; i++) use(&ops.data[i]);
 *
 * Pointers into `data` are valid until the next push. Old storage stays in the arena until the arena is freed.
 */
#ifndef PLACE_BASE_VEC_H
#define PLACE_BASE_VEC_H

#include "base/arena.h"

#define Vec(Type)                                                                                                      \
    struct {                                                                                                           \
        Type *data;                                                                                                    \
        int count, capacity;                                                                                           \
    }

/* Appends `item` (an lvalue or rvalue of the element type). */
#define vec_push(arena, vec, ...)                                                                                      \
    do {                                                                                                               \
        if ((vec)->count == (vec)->capacity)                                                                           \
            (vec)->data = vec_grow((arena), (vec)->data, &(vec)->capacity, sizeof(*(vec)->data));                      \
        (vec)->data[(vec)->count++] = (__VA_ARGS__);                                                                   \
    } while (0)

void *vec_grow(Arena *arena, void *data, int *capacity, size_t item_bytes);

#endif
