/* unclipped.h - the same program and reference, but for clipping by the norm of all gradients.
 *
 * One wrong gradient makes the norm wrong, and with it every gradient after clipping. Compared without it, each differs
 * by its own mistake only.
 */
#ifndef PLACE_VERIFY_UNCLIPPED_H
#define PLACE_VERIFY_UNCLIPPED_H

#include "step/step.h"

/* NULL where the routine does not clip. The copies have this routine only, with a factor of 1, and give out no norm. */
StepFile *unclipped_file(Arena *arena, const StepFile *file, const char *routine);

#endif
