/* copies.h - axes whose ranks are copies of the one device, each with a batch and states of its own.
 *
 * Every name means another value on each copy, so that nothing may mix two of them but a sum of whole buffers, which is
 * a value of its own in the proof. What else would is refused here, before values are looked at.
 */
#ifndef PLACE_VERIFY_COPIES_H
#define PLACE_VERIFY_COPIES_H

#include "step/step.h"

/* Reports what the program does over an axis of copies, or by a coordinate on it, beside readers, seeds, positions and
 * sums. False where there is something. */
bool copies_check(Ctx *ctx, const Program *program);

#endif
