/* witness.h - counter-examples, computed: the way of the offending value through the program, run with small integers.
 */
#ifndef PLACE_VERIFY_WITNESS_H
#define PLACE_VERIFY_WITNESS_H

#include "verify/demand.h"
#include "verify/finding.h"

/* `program`: after the routine. Rank by rank next to one device; NULL where the run shows no difference or there is
 * nothing to run. */
const char *witness_text(Arena *arena, const StepFile *file, const Machine *program, const Routine *routine,
                         const Fault *fault, const Finding *finding);

#endif
