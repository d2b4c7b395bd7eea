/* checkpoint.h - checks that a state is read back from a checkpoint as it was written.
 *
 * A map assigns a logical element to every position in the checkpoint. The element read at a position must be the one
 * that was written there, for every element of the state: the read map composed with the inverse of the write map is
 * the identity. If not, P0318 is reported with the first element that differs. Where ranks are copies, each copy's
 * elements are separate elements of the state.
 */
#ifndef PLACE_VERIFY_CHECKPOINT_H
#define PLACE_VERIFY_CHECKPOINT_H

#include "base/ctx.h"
#include "step/step.h"

void check_checkpoint(Ctx *ctx, const StepFile *file);

#endif
