/* staging.h - what the model says of stages of a pipeline, before anything is derived: whose layers are cut, and which
 * stages use a parameter that lies outside of layers. */
#ifndef PLACE_STRATEGY_STAGING_H
#define PLACE_STRATEGY_STAGING_H

#include "step/step.h"

/* Stages, as a set. */
enum { STAGE_FIRST = 1, STAGE_LAST = 2 };

/* The group whose layers are cut: the only one. Reports and returns -1 where there is none, or more. */
int staging_group(Ctx *ctx, const Decls *decls, Span span);

/* The stages that use a parameter that lies outside of layers: before them, behind them, or both. 0 where layers do. */
unsigned staging_stages_of(const Program *reference, int tensor);

#endif
