/* lowered.h - for tests: what is derived, and every pass after it. */
#ifndef PLACE_TESTS_LOWERED_H
#define PLACE_TESTS_LOWERED_H

#include "derive/derive.h"
#include "lower/passes.h"

/* NULL where errors were reported. */
static inline StepFile *lowered_step(Ctx *ctx, const Train *train, const Assignment *assignment)
{
    StepFile *file = derive_step(ctx, train, assignment);
    return file != NULL && passes_run(ctx, assignment, file, PASSES_ALL) ? file : NULL;
}

#endif
