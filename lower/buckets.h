/* buckets.h - small reductions in one call: a pass from step program to step program.
 *
 * A reduction of a few numbers takes as long as its latency. Those over the same axes that nothing between them keeps
 * apart, as the two sums that batch normalisation takes of its operand, are done as one, of a *bucket* into which they
 * are copied and out of which they are copied again.
 */
#ifndef PLACE_LOWER_BUCKETS_H
#define PLACE_LOWER_BUCKETS_H

#include "step/step.h"
#include "strategy/assign.h"

bool buckets_run(Ctx *ctx, const Assignment *assignment, StepFile *file);

#endif
