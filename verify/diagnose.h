/* diagnose.h - from a difference to one error that names its cause. */
#ifndef PLACE_VERIFY_DIAGNOSE_H
#define PLACE_VERIFY_DIAGNOSE_H

#include "verify/demand.h"

/* Causes that lie outside a routine (reader, counts, seeds) are reported for the first routine that shows them. */
typedef struct Reported {
    bool counts; /* weights by each rank's own count */
    int count;
    struct {
        DiagCode code;
        AxisMask axes;
    } cause[32];
} Reported;

/* Reports the faults of a routine, one error per cause. `file` for the counter-examples and repairs. */
void diagnose(Ctx *ctx, const StepFile *file, Machine *reference, Machine *program, const Faults *faults,
              Reported *reported);

#endif
