/* values.h - the values of a layer that may be recomputed, in the order in which a search takes them: what gives most
 * memory back for the time that it takes comes first (docs/search.md).
 *
 * A value that the backward pass reads is kept. To be recomputed it needs what it is computed from: values that are
 * kept, or recomputed, too, and those that nothing keeps, which belong to it.
 */
#ifndef PLACE_SEARCH_VALUES_H
#define PLACE_SEARCH_VALUES_H

#include "search/program.h"
#include "search/space.h"

/* Sets space->values, from a program on one device; none where the model has not one repeated block. */
void values_open(Arena *arena, const Pattern *pattern, const Costed *alone, Space *space);

/* Per buffer: does it keep something of each layer for the backward pass? */
const bool *values_kept(Arena *arena, const Space *space, const Program *program);

/* Does the forward pass write it? */
const bool *values_written(Arena *arena, const Program *program);

/* What recomputing the first values saves at most, of what all layers keep for a microbatch, and takes at least. */
typedef struct ValuesCost {
    double bytes, seconds;
} ValuesCost;

/* Of the first 1, 2, ... of the space's values, in a program that keeps all of them. */
void values_cost(Arena *arena, const Space *space, const Costed *costed, ValuesCost *costs);

#endif
