/* passes.h - from the program as it was derived to the last one, the one that is proved, planned and printed as C: the
 * passes from step file to step file, in their order.
 *
 *     StepFile *file = derive_step(ctx, train);
 *     passes_run(ctx, train->assignment, file, PASSES_ALL)   // false: errors were reported, the program is of no use
 */
#ifndef PLACE_LOWER_PASSES_H
#define PLACE_LOWER_PASSES_H

#include "step/step.h"
#include "strategy/assign.h"

enum { PASSES_ALL = -1 };

/* Runs the first `count` of them. The program is right after each. */
bool passes_run(Ctx *ctx, const Assignment *assignment, StepFile *file, int count);

/* What the program is called after so many of them: "derive" after none; NULL where there are fewer. */
const char *passes_name(int count);

#endif
