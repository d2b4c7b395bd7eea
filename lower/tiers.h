/* tiers.h - buffers that are stored on the host or in a file: a pass from step program to step program.
 *
 *     if (!tiers_run(ctx, assignment, file)) ...   // before the arena is laid out
 *
 * Before this pass everything is on the device, and the program works on every buffer where it is stored. This pass
 * moves what is to be stored elsewhere (Buffer.rest_tier) and inserts copies: a slot is copied into a buffer of one
 * slot on the device before its first use in a list of operators (the body of a loop, of a guard, of the routine), and
 * copied back after the last operator that wrote it. Nothing else changes, so the pass composes with whatever the
 * strategy does. Activations that are stored elsewhere between the passes get their buffers in derive/emit_keep.c.
 */
#ifndef PLACE_LOWER_TIERS_H
#define PLACE_LOWER_TIERS_H

#include "step/step.h"
#include "strategy/assign.h"

/* False if errors were reported. */
bool tiers_run(Ctx *ctx, const Assignment *assignment, StepFile *file);

#endif
