/* narrow.h - fewer slots for what layers pass on: a pass from step program to step program.
 *
 * Where some activations rest elsewhere, the device has of the others what it needs. Forward nobody goes back to what
 * an earlier layer had, so that two slots do for what each layer hands to the next (Buffer.passed_on). Which buffers
 * these are is known of the program as it was derived; how many slots they have, once stages have their layers.
 */
#ifndef PLACE_LOWER_NARROW_H
#define PLACE_LOWER_NARROW_H

#include "step/step.h"
#include "strategy/assign.h"

bool narrow_run(Ctx *ctx, const Assignment *assignment, StepFile *file);

#endif
