/* staging.h - what the model determines about the stages of a pipeline, before anything is derived: whose layers are
 * divided, and which sections of the model use a parameter outside the layers.
 *
 * Section 0 is what comes before the first repeated block, section b what comes after block b - 1.
 */
#ifndef PLACE_STRATEGY_STAGING_H
#define PLACE_STRATEGY_STAGING_H

#include "step/step.h"
#include "strategy/assign.h"

/* A set of sections, or of the stages that run them. */
typedef unsigned StageSet;
enum { STAGE_FIRST = 1, STAGE_MOST_BLOCKS = 24 };

/* The layers of all blocks together. */
int64_t staging_layers(const Decls *decls);

/* Those of the blocks before this one. */
int64_t staging_before(const Decls *decls, int group);

/* Interleaved chunks of layers of several blocks, or of layers that differ, are apart: no loop over layers leads from
 * one into the next. How many layers a chunk of all stages has; 0 if there are no such chunks. */
int64_t staging_apart(const Decls *decls, const Staging *request);

/* Reports and returns false if the pass has no division of these blocks. */
bool staging_check(Ctx *ctx, const Decls *decls, const Staging *request);

/* The sections that use a parameter. 0 if layers use it. */
StageSet staging_sections_of(const Program *reference, int tensor);

#endif
