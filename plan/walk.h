/* walk.h - how often each operator of a routine runs on a rank, and what the rank holds, without running it. */
#ifndef PLACE_PLAN_WALK_H
#define PLACE_PLAN_WALK_H

#include "step/step.h"

typedef uint32_t AxisMask; /* bit a: axis a */

/* The axes whose coordinates guards, bounds or holders ask for: ranks that differ in no other do and hold alike. */
AxisMask walk_axes(const Program *program);

/* The next coordinates over these axes, the last fastest; false, and all 0 again, after the last. */
bool walk_next_rank(const Decls *decls, AxisMask axes, int64_t *coordinates);

/* Sets times[id] to how often the operator runs on the rank; `times` has op_count numbers. Loops multiply; a loop is
 * stepped through only if a guard or a bound below it asks for its variable. */
void walk_count(const Program *program, const Routine *routine, const int64_t *coordinates, int64_t *times);

/* Whether the rank has the buffer, and how many of its slots it uses. */
bool walk_holds(const Decls *decls, const Buffer *buffer, const int64_t *coordinates);
int64_t walk_slots(const Decls *decls, const Buffer *buffer, const int64_t *coordinates);

/* Floating-point operations of one run of `op` on the rank with the largest pieces: the flops column of op.def times
 * the iteration space. */
double op_flops(const Program *program, const Op *op);

#endif
