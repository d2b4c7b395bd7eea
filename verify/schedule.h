/* schedule.h - the second, small checker: the order of the last program, where memory is shared. */
#ifndef PLACE_VERIFY_SCHEDULE_H
#define PLACE_VERIFY_SCHEDULE_H

#include "step/step.h"

/* Reports reads of what was only started (P0331), ranks that disagree on collectives (P0332), live buffers in one
 * place of the arena (P0333). `unwritten`: of these buffers it was said that they are read before any write (not 0);
 * what overwrote their memory is then no other error. `zero_padding`: of these something rests on that the padding of
 * their slots is zero. */
void schedule_check(Ctx *ctx, const Program *program, const int *unwritten, const bool *zero_padding);
/* The same of the reference, which starts nothing and shares no memory: what it may still do is write over its own
 * operands. */
void schedule_check_reference(Ctx *ctx, const Program *reference);

#endif
