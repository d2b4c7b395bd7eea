/* filled.h - exchanges of experts' rows without the empty places: a pass from step program to step program.
 *
 * Where experts have room for many more rows than there are, most places of their queues are empty. This pass counts
 * the filled ones, exchanges the counts, and lets each all_to_all of what is zero in the others move the filled places
 * alone.
 */
#ifndef PLACE_LOWER_FILLED_H
#define PLACE_LOWER_FILLED_H

#include "step/step.h"
#include "strategy/assign.h"

bool filled_run(Ctx *ctx, const Assignment *assignment, StepFile *file);

#endif
