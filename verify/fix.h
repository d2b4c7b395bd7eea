/* fix.h - repairs for a cause, as data; base/change.h says who applies them. */
#ifndef PLACE_VERIFY_FIX_H
#define PLACE_VERIFY_FIX_H

#include "verify/cause.h"

/* The first weight by a rank's own count, or NULL. */
const Op *fix_local_weight(const Ops *ops);

/* The weight by a rank's own count whose removal makes the routine right, or NULL. */
const Op *fix_find_counts(const StepFile *file, const Routine *routine, const Ops *ops);

/* Adds the repairs of the cause to the diagnostic. `primary`: the diagnostic's own position. */
void fix_suggest(Ctx *ctx, const StepFile *file, const Cause *cause, Span primary, Diagnostic *diagnostic);

#endif
