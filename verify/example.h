/* example.h - small examples of a fault where the value in question has no numbers of its own.
 *
 * A poisoned value knows the operator at which it lost its meaning: the example shows what that operator makes of two
 * ranks' numbers. Values made by different operators are shown as formulas: functions that may be anything distinguish
 * them.
 */
#ifndef PLACE_VERIFY_EXAMPLE_H
#define PLACE_VERIFY_EXAMPLE_H

#include "verify/combo.h"

/* A sentence, or NULL if there is no example. */
const char *example_of_poison(Arena *arena, const Decls *decls, const Poison *poison);
/* For a gradient into whose partial sums each rank has put the already reduced sum for its own shard. */
const char *example_of_shard(Arena *arena, const char *axis);
/* "einsum(x, relu(...))": operators down to a fixed depth. */
const char *example_formula(Arena *arena, const Decls *decls, const Value *value);

#endif
