/* plain.h - an assignment as a strategy of plain statements, which evaluates to the same assignment.
 *
 *     const char *text = plain_strategy(ctx->arena, decls, assignment, "assigned");
 *
 * The axes of the mesh are the strategy's parameters, by their own names. What a train's settings say (readers, seeds,
 * layouts of checkpoints) is not part of it.
 */
#ifndef PLACE_STRATEGY_PLAIN_H
#define PLACE_STRATEGY_PLAIN_H

#include "strategy/assign.h"

const char *plain_strategy(Arena *arena, const Decls *decls, const Assignment *assignment, const char *name);
/* A line of it: "    activations of *.scores computed over t by heads\n". */
const char *plain_pin(Arena *arena, const Decls *decls, const Pin *pin);
/* "assigned(data, t)" */
const char *plain_call(Arena *arena, const Decls *decls, const char *name);

#endif
