/* run.h - between machine.c (memory, references) and run.c (the ranks' walk over a routine). */
#ifndef PLACE_SIM_RUN_H
#define PLACE_SIM_RUN_H

#include "tests/sim/machine.h"

/* The references of an operator on a rank, now. */
void sim_resolve(SimMachine *machine, SimIssue *issue, const SimOp *op, int rank);
/* Between routines only persistent states survive, and their padding does not. */
void sim_forget(SimMachine *machine);

#endif
