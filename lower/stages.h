/* stages.h - pipeline parallelism: a pass from step program to step program.
 *
 *     if (!stages_run(ctx, assignment, file)) ...   // before the arena is laid out
 *
 * The derived program runs all layers on every coordinate of the pipeline's axis. This pass divides the repeated
 * block's layers over the axis: each stage holds and runs its own, what comes before them runs on the first stage, what
 * comes after on the last, and the values that pass from layer to layer are sent. The microbatch loop becomes one over
 * ticks, in which every stage runs forward and backward of the microbatches that the schedule assigns to it. The rules
 * are in docs/derivation.md. Nothing else changes, so the pass composes with whatever the other axes do.
 */
#ifndef PLACE_LOWER_STAGES_H
#define PLACE_LOWER_STAGES_H

#include "step/step.h"
#include "strategy/assign.h"

/* False if errors were reported. */
bool stages_run(Ctx *ctx, const Assignment *assignment, StepFile *file);

#endif
