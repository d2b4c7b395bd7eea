/* fix.h - repairs for a cause, as data; base/change.h says who applies them. */
#ifndef PLACE_VERIFY_FIX_H
#define PLACE_VERIFY_FIX_H

#include "base/change.h"
#include "verify/chain.h"
#include "verify/demand.h"
#include "verify/finding.h"

/* Why some values differ. */
typedef struct Cause {
    DiagCode code;
    Finding finding;
    const Fault *fault; /* the first with this cause */
    Vec(const Fault *) faults;
    Chain chain;
    const Op *culprit; /* the operator that the user would edit, or NULL */
    const Op *norm;    /* the first reader of the norm if the fault is in it, or NULL */
    const Op *counts;  /* the weight by each rank's own count that is at fault, or NULL */
    bool derived_loss; /* the loss is summed though each rank divides by its own count, and no statement says how */
    int count;         /* values with this cause */
} Cause;

/* The first weight by a rank's own count, or NULL. */
const Op *fix_local_weight(const Routine *routine);

/* The weight by a rank's own count whose removal makes the routine right, or NULL. */
const Op *fix_find_counts(const StepFile *file, const Routine *routine);

/* Adds the repairs of the cause to the diagnostic. `primary`: the diagnostic's own position. */
void fix_suggest(Ctx *ctx, const StepFile *file, const Cause *cause, Span primary, Diagnostic *diagnostic);

#endif
