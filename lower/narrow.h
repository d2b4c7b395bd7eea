/* narrow.h - fewer slots for what layers pass on: a pass from step program to step program.
 *
 * Where some activations are stored on another tier, the device keeps only what it needs of the others. In a forward
 * pass nothing goes back to the value of an earlier layer, so two slots are enough for what each layer passes to the
 * next (Buffer.passed_on). The deriver marks these buffers; how many slots they have is known once stages have their
 * layers.
 */
#ifndef PLACE_LOWER_NARROW_H
#define PLACE_LOWER_NARROW_H

#include "step/step.h"
#include "strategy/assign.h"

bool narrow_run(Ctx *ctx, const Assignment *assignment, StepFile *file);

#endif
