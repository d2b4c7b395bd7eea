/* schedule.h - the second, small checker: the order of the final program (events are waited for, ranks agree on
 * collectives), in which buffers share memory. */
#ifndef PLACE_VERIFY_SCHEDULE_H
#define PLACE_VERIFY_SCHEDULE_H

#include "step/step.h"

/* Reports reads of what has only been started (P0331), ranks that disagree on collectives (P0332), and live buffers
 * that overlap in the arena (P0333). `unwritten`: not 0 for buffers already reported as read before any write; no
 * second error is reported for what overwrote their memory. `zero_padding`: the buffers whose padding must still be
 * zero, because the proof relied on it. */
void schedule_check(Ctx *ctx, const Program *program, const int *unwritten, const bool *zero_padding);
/* The same for the reference, which starts nothing and shares no memory: the only possible fault is an operator that
 * overwrites its own operands. */
void schedule_check_reference(Ctx *ctx, const Program *reference);

#endif
