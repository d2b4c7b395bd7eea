/* fix.h - repairs: edits of a copy of the program that were verified again. */
#ifndef PLACE_VERIFY_FIX_H
#define PLACE_VERIFY_FIX_H

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
    int count;         /* values with this cause */
} Cause;

/* Adds a help line for the edit that the cause suggests, if everything of the cause is right with it, with its price.
 */
void fix_suggest(Ctx *ctx, const StepFile *file, const Routine *routine, const Cause *cause, Diagnostic *diagnostic);

#endif
