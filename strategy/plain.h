/* plain.h - an assignment as a strategy of plain statements, which evaluates to the same assignment.
 *
 *     const char *refused = NULL;
 *     const char *text = plain_strategy(ctx->arena, decls, assignment, "assigned", &refused);
 *     if (text == NULL) ...            // `refused` names what no statement says yet
 *
 * The axes of the mesh are the strategy's parameters, by their own names. What a train's settings say (readers, seeds,
 * layouts of checkpoints) is not part of it.
 */
#ifndef PLACE_STRATEGY_PLAIN_H
#define PLACE_STRATEGY_PLAIN_H

#include "strategy/assign.h"

const char *plain_strategy(Arena *arena, const Decls *decls, const Assignment *assignment, const char *name,
                           const char **refused);
/* "assigned(data, t)" */
const char *plain_call(Arena *arena, const Decls *decls, const char *name);

#endif
