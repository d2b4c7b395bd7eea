/* diagnose.h - turns the differences found into one error per cause. */
#ifndef PLACE_VERIFY_DIAGNOSE_H
#define PLACE_VERIFY_DIAGNOSE_H

#include "verify/demand.h"

/* Causes outside a routine (reader, counts, seeds) are reported for the first routine that shows them. */
typedef struct Reported {
    bool counts; /* weights that depend on each rank's own count */
    int count;
    struct {
        DiagCode code;
        AxisMask axes;
    } cause[32];
} Reported;

/* Reports the faults of a routine, one error per cause. `file` is used for counter-examples and repairs. */
void diagnose(Ctx *ctx, const StepFile *file, Machine *reference, Machine *program, const Faults *faults,
              Reported *reported);

#endif
