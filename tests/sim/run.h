/* run.h - between machine.c (memory, references) and run.c (the ranks' walk over a routine); and what ranks communicate. */
#ifndef PLACE_SIM_RUN_H
#define PLACE_SIM_RUN_H

#include "tests/sim/machine.h"

/* The references of an operator on a rank, now. */
void sim_resolve(SimMachine *machine, SimIssue *issue, const SimOp *op, int rank);
/* Whether the ranks differ only on these axes. */
bool sim_same_group(const SimMachine *machine, unsigned axes, int r, int q);
/* What the rank started as its `sequence`-th operator over these axes; NULL: nothing yet. */
SimPost *sim_find_post(const SimRank *rank, unsigned axes, int64_t sequence);
/* Between routines only persistent states survive, and their padding does not. */
void sim_forget(SimMachine *machine);

#endif
