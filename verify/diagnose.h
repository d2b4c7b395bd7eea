/* diagnose.h - from a difference to one error that names its cause. */
#ifndef PLACE_VERIFY_DIAGNOSE_H
#define PLACE_VERIFY_DIAGNOSE_H

#include "verify/demand.h"

/* Reports the faults, one error per cause. `file` for the counter-examples and repairs. */
void diagnose(Ctx *ctx, const StepFile *file, Machine *reference, Machine *program, const Faults *faults);

#endif
