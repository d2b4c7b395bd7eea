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
const char *plain_converted(Arena *arena, const Decls *decls, const Converted *request);
/* "block[0..3].mlp.up" of layers 0 to 3 of a group; all of them, or none (-1): the label as it is. */
const char *plain_label(Arena *arena, const Decls *decls, int group, const char *label, int64_t first, int64_t last);
/* "assigned(data, t)" */
const char *plain_call(Arena *arena, const Decls *decls, const char *name);

#endif
