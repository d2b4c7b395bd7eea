/* loops.h - index letters become loops: those of the result first, then those that are summed. */
#ifndef PLACE_SIM_LOOPS_H
#define PLACE_SIM_LOOPS_H

#include "tests/sim/machine.h"

enum { SIM_MAX_LETTERS = 12, SIM_RESULT = SIM_MAX_OPERANDS };

typedef struct SimLoops {
    int count, result_count; /* letters; the first result_count are the result's */
    char letters[SIM_MAX_LETTERS];
    int64_t extents[SIM_MAX_LETTERS];
    int64_t strides[SIM_MAX_OPERANDS + 1][SIM_MAX_LETTERS];
    int64_t points, summed; /* how many of the result, how many added up for each */
} SimLoops;

/* Gives the dims of operands and result their letters; false, with a fault, where they do not fit. Without a spec all are
 * the same range, or `summed` to a scalar. */
bool sim_loops_bind(SimMachine *machine, const SimIssue *issue, SimLoops *loops, bool summed);
/* The loop of a letter; a new one where there is none yet, -1 where there are too many. */
int sim_loops_letter(SimLoops *loops, char letter);
/* Adds to each operand's offset that of point `index`, counted row-major over letters first .. last-1. */
void sim_loops_locate(const SimLoops *loops, int first, int last, int64_t index, int operand_count, int64_t *offsets);

#endif
