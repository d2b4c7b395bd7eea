/* derive.h - the deriver: what one device computes, and where each state lives, to what every rank runs.
 *
 *     StepFile *file = derive_step(ctx, train);
 *
 * The reference is cut at one line: what a microbatch computes, up to sums over the batch, goes into the microbatch
 * loop; what reads those sums (loss, norm, updates) goes behind it. Parameters and their states move into the flat
 * units of the assignment, batch dims are cut, and where a unit's value lies in another form than its reader needs, the
 * conversion is emitted right before the reader. An explicit sync replaces the conversions it names and is lowered as
 * written. What follows are passes over the program (lower/passes.h).
 */
#ifndef PLACE_DERIVE_DERIVE_H
#define PLACE_DERIVE_DERIVE_H

#include "reference/train.h"

/* NULL where the request has no lowering: errors were reported. */
StepFile *derive_step(Ctx *ctx, const Train *train);

#endif
