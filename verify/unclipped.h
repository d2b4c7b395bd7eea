/* unclipped.h - copies of the program and reference without clipping by the norm of all gradients.
 *
 * One wrong gradient makes the norm wrong, and with it every clipped gradient. Compared without clipping, each gradient
 * differs only by its own fault.
 */
#ifndef PLACE_VERIFY_UNCLIPPED_H
#define PLACE_VERIFY_UNCLIPPED_H

#include "step/step.h"

/* NULL if the routine does not clip. The copies have only this routine, with a clipping factor of 1 and no norm
 * output. */
StepFile *unclipped_file(Arena *arena, const StepFile *file, RoutineKind routine);

#endif
