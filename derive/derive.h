/* derive.h - the deriver: from what one device computes, and where each state is stored, to what every rank runs.
 *
 *     StepFile *file = derive_step(ctx, train, assignment);
 *
 * The reference is divided in two: what a microbatch computes, up to sums over the batch, goes into the microbatch
 * loop; what reads those sums (loss, norm, updates) goes after it. Parameters and their states move into the flat units
 * of the assignment, and batch dims are sharded. Where a unit's value has another form than its reader needs, the
 * conversion is emitted right before the reader. An explicit sync replaces the conversions it names and is lowered as
 * written. The derived program then goes through the passes of lower/passes.h.
 *
 * Train and assignment are only read, and nothing is kept between two calls: what is derived, declarations included, is
 * in ctx->arena. Threads may derive from the same train at once, each with a Ctx of its own.
 */
#ifndef PLACE_DERIVE_DERIVE_H
#define PLACE_DERIVE_DERIVE_H

#include "reference/train.h"
#include "strategy/assign.h"

/* NULL if the request has no lowering; errors were reported. */
StepFile *derive_step(Ctx *ctx, const Train *train, const Assignment *assignment);

/* What is decided before a program is printed (derive/choices.h); the same NULL. */
typedef struct Choices Choices;
const Choices *derive_choices(Ctx *ctx, const Train *train, const Assignment *assignment);
/* A line for each operator: its routine, layers, name, spec, and the placement of each operand and of the result (the
 * letter of the spec that each axis shards, `+` for parts of a sum). Below it the steps of each route, with the
 * bytes that a rank sends in them (in all microbatches of a step, for one layer), why it is needed, and what the next
 * best choice for the operator would send. `label`: only of values and parameters that it names; NULL: of all. */
void choices_print(const Choices *choices, const char *label, FILE *out);

#endif
