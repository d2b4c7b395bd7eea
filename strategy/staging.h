/* staging.h - what the model determines about the stages of a pipeline, before anything is derived: whose layers are
 * divided, and which stages use a parameter outside the layers. */
#ifndef PLACE_STRATEGY_STAGING_H
#define PLACE_STRATEGY_STAGING_H

#include "step/step.h"

/* A set of stages. */
enum { STAGE_FIRST = 1, STAGE_LAST = 2 };

/* The group whose layers are divided: the only one. Reports and returns -1 if there is none, or more than one. */
int staging_group(Ctx *ctx, const Decls *decls, Span span);

/* The stages that use a parameter outside the layers: those before them, after them, or both. 0 if layers use it. */
unsigned staging_stages_of(const Program *reference, int tensor);

#endif
