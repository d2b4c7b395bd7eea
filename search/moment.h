/* moment.h - what the backward pass of a layer needs for a moment: values that are there in no other part of the step.
 */
#ifndef PLACE_SEARCH_MOMENT_H
#define PLACE_SEARCH_MOMENT_H

#include "step/step.h"

/* The most bytes of them that are live at the same time. Then everything that layers keep is live, too, and so are all
 * gradients. Of a program whose offsets are set. */
double moment_bytes(Arena *arena, const StepFile *file);

#endif
