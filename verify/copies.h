/* copies.h - axes whose ranks are copies of the one device, each with a batch and states of its own.
 *
 * Every name stands for a different value on each copy, so nothing may mix values of two copies except a sum of whole
 * buffers, which the proof treats as a value of its own. Everything else that would mix them is refused here, before
 * values are looked at.
 */
#ifndef PLACE_VERIFY_COPIES_H
#define PLACE_VERIFY_COPIES_H

#include "step/step.h"

/* Reports every use of an axis of copies, or of a coordinate on one, other than by readers, seeds, positions and sums.
 * Returns false if there is any. */
bool copies_check(Ctx *ctx, const Program *program);

#endif
