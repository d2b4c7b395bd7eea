/* passes.h - from the derived program to the final one, which is proved, planned and printed as C: the passes from step
 * file to step file, in their order.
 *
 *     StepFile *file = derive_step(ctx, train, assignment);
 *     passes_run(ctx, assignment, file, PASSES_ALL)   // false: errors were reported, do not use the program
 */
#ifndef PLACE_LOWER_PASSES_H
#define PLACE_LOWER_PASSES_H

#include "step/step.h"
#include "strategy/assign.h"

enum { PASSES_ALL = -1 };

/* Runs the first `count` of them. The program is correct after each. */
bool passes_run(Ctx *ctx, const Assignment *assignment, StepFile *file, int count);

/* The name of the program after `count` passes: "derive" after none; NULL if there are fewer. */
const char *passes_name(int count);

#endif
