/* values.h - the values of a layer that may be recomputed, in the order in which a search takes them: what gives most
 * memory back for the time that it takes comes first (docs/search.md). The last ones, which take longest, may be on the
 * host instead.
 *
 * A value that the backward pass reads is kept. To be recomputed it needs what it is computed from: values that are
 * kept, or recomputed, too, and those that nothing keeps, which belong to it.
 */
#ifndef PLACE_SEARCH_VALUES_H
#define PLACE_SEARCH_VALUES_H

#include "search/program.h"
#include "search/space.h"

/* Sets space->values, kept and hosted, from a program on one device; none where the model has not one repeated block.
 */
void values_open(Arena *arena, const Pattern *pattern, const Costed *alone, Space *space);

/* Per buffer: does it keep something of each layer for the backward pass? */
const bool *values_kept(Arena *arena, const Space *space, const Program *program);

/* Does the forward pass write it? */
const bool *values_written(Arena *arena, const Program *program);

/* What the layers do for a microbatch where they do not keep all values on the device: from below, but for what they
 * save, and for what of the copies to and from the host may be in the forward pass. */
typedef struct ValuesCost {
    double bytes, seconds, forward_s;
} ValuesCost;
typedef ValuesCost ValuesCosts[MOST_VALUES + 1][MOST_HOSTED + 1];

/* For all numbers of values that are recomputed, and that are on the host, in a program that keeps all of them and has
 * so many microbatches. */
void values_cost(Arena *arena, const Space *space, const Costed *costed, int32_t micro, ValuesCosts costs);

#endif
