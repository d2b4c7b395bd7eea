/* tiers.h - states that rest on the host or in a file: a pass from step program to step program.
 *
 *     if (!tiers_run(ctx, assignment, file)) ...   // before the arena is laid out
 *
 * Until now everything lies on the device, and the program works on every state where it rests. This pass moves what is
 * to rest elsewhere (Buffer.rest_tier) and puts copies between: it is brought into a buffer of one slot on the device
 * before its first use in a list of operators (the body of a loop, of a guard, of the routine), and taken back after
 * the last one that wrote it. Nothing else changes, so it composes with whatever the strategy does.
 */
#ifndef PLACE_LOWER_TIERS_H
#define PLACE_LOWER_TIERS_H

#include "step/step.h"
#include "strategy/assign.h"

/* False where errors were reported. */
bool tiers_run(Ctx *ctx, const Assignment *assignment, StepFile *file);

#endif
