/* witness.h - computed counter-examples: the operators that led to a wrong value, run on small integers. */
#ifndef PLACE_VERIFY_WITNESS_H
#define PLACE_VERIFY_WITNESS_H

#include "verify/demand.h"
#include "verify/finding.h"

/* `program`: the machine after the routine. The text shows each rank next to one device; NULL if the run shows no
 * difference or there is nothing to run. */
const char *witness_text(Arena *arena, const StepFile *file, const Machine *program, const Routine *routine,
                         const Fault *fault, const Finding *finding);

#endif
