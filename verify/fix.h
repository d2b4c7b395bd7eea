/* fix.h - what would mend a cause, as data: base/change.h has who does it. */
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
    const Fault *fault; /* the first */
    Vec(const Fault *) faults;
    Chain chain;
    const Op *culprit; /* the operator that the user would edit, or NULL */
    const Op *norm;    /* the fault lies in the norm: its first reader, or NULL */
    const Op *counts;  /* the weight by each rank's own count that is at fault, or NULL */
    bool derived_loss; /* the loss is summed though each rank's own count divides it, and no line says how */
    int count;         /* values with this cause */
} Cause;

/* A weight by each rank's own count; NULL if there is none. */
const Op *fix_local_weight(const Routine *routine);

/* The weight by a rank's own count without which nothing in the routine is wrong; NULL if there is none. */
const Op *fix_find_counts(const StepFile *file, const Routine *routine);

/* Adds to the diagnostic what would mend the cause. `primary`: where it is told. */
void fix_suggest(Ctx *ctx, const StepFile *file, const Cause *cause, Span primary, Diagnostic *diagnostic);

#endif
