/* checkpoint.h - whether a state is read from a checkpoint as it was written there.
 *
 * A map gives every position in the checkpoint a logical element. What is read at a position as element e is what was
 * written there: that must be element e, for every element of the state. So the one map after the inverse of the other
 * is the identity, or P0318 is reported with the first element for which it is not. Where ranks are copies, every
 * copy's elements are elements of the state.
 */
#ifndef PLACE_VERIFY_CHECKPOINT_H
#define PLACE_VERIFY_CHECKPOINT_H

#include "base/ctx.h"
#include "step/step.h"

void check_checkpoint(Ctx *ctx, const StepFile *file);

#endif
