/* state.h - a plan as statements of a strategy: where weights are, and how each operator of the graph is computed. What
 * they do not say, the backward pass and the operators between those of the graph, is the deriver's, which follows
 * them.
 */
#ifndef PLACE_DISTPAR_STATE_H
#define PLACE_DISTPAR_STATE_H

#include "derive/choices.h"
#include "distpar/read.h"

/* "strategy inferred(data: axis) { ... }", in the arena of ctx. */
const char *state_plan(Ctx *ctx, const Train *train, const Choices *choices, int axis, const Model *model,
                       const GraphPlan *plan, const char *name);

#endif
