/* lowered.h - for tests: what is derived, and every pass after it. */
#ifndef PLACE_TESTS_LOWERED_H
#define PLACE_TESTS_LOWERED_H

#include "derive/derive.h"
#include "lower/passes.h"

/* NULL where errors were reported. */
static inline StepFile *lowered_step(Ctx *ctx, const Train *train)
{
    StepFile *file = derive_step(ctx, train);
    return file != NULL && passes_run(ctx, train->assignment, file, PASSES_ALL) ? file : NULL;
}

#endif
