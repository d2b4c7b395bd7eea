/* example.h - what goes wrong, in small, where the value in question has no numbers of its own.
 *
 * A poisoned value says at which operator it lost its meaning: what that operator makes of two ranks' numbers is told.
 * Two values made by unlike operators are told as formulas: functions that may be anything tell them apart.
 */
#ifndef PLACE_VERIFY_EXAMPLE_H
#define PLACE_VERIFY_EXAMPLE_H

#include "verify/value.h"

/* A sentence; NULL where there is nothing to tell. */
const char *example_of_poison(Arena *arena, const Decls *decls, const Poison *poison);
/* The gradient of which each rank put the sum for its own piece among its own contributions to the rest. */
const char *example_of_shard(Arena *arena, const char *axis);
/* "einsum(x, relu(...))": operators down to a depth. */
const char *example_formula(Arena *arena, const Decls *decls, const Value *value);

#endif
