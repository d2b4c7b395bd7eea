/* changed.h - copies of a program with some operators changed, for what its faults would be without them.
 *
 *     Program *copy = program_changed(arena, program, ROUTINE_STEP, change, context);
 */
#ifndef PLACE_VERIFY_CHANGED_H
#define PLACE_VERIFY_CHANGED_H

#include "step/step.h"

/* Changes a copy of an operator; false: leaves it out. */
typedef bool OpChange(void *context, Op *op);

/* A copy with this routine only. */
Program *program_changed(Arena *arena, const Program *program, RoutineKind routine, OpChange *change, void *context);

/* Both programs without clipping by the norm of all gradients: one wrong gradient makes the norm wrong, and with it
 * every clipped gradient; without clipping each gradient differs only by its own fault. NULL if the routine does not
 * clip. The copies have only this routine, with a clipping factor of 1 and no norm output. */
StepFile *unclipped_file(Arena *arena, const StepFile *file, RoutineKind routine);

#endif
