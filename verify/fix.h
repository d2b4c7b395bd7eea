/* fix.h - repairs of reductions: edits of a copy of the program that were verified again. */
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
    Chain chain;
    const Op *culprit; /* the operator that the user would edit, or NULL */
    int count;         /* values with this cause */
} Cause;

/* Adds a help line for every edit after which the gradient is one device's, with its price. */
void fix_suggest(Ctx *ctx, const StepFile *file, const Routine *routine, const Fault *fault, const Cause *cause,
                 Diagnostic *diagnostic);

#endif
