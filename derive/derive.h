/* derive.h - the deriver: from what one device computes, and where each state is stored, to what every rank runs.
 *
 *     StepFile *file = derive_step(ctx, train);
 *
 * The reference is divided in two: what a microbatch computes, up to sums over the batch, goes into the microbatch
 * loop; what reads those sums (loss, norm, updates) goes after it. Parameters and their states move into the flat units
 * of the assignment, and batch dims are sharded. Where a unit's value has another form than its reader needs, the
 * conversion is emitted right before the reader. An explicit sync replaces the conversions it names and is lowered as
 * written. The derived program then goes through the passes of lower/passes.h.
 */
#ifndef PLACE_DERIVE_DERIVE_H
#define PLACE_DERIVE_DERIVE_H

#include "reference/train.h"

/* NULL if the request has no lowering; errors were reported. */
StepFile *derive_step(Ctx *ctx, const Train *train);

#endif
