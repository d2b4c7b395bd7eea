/* oracle.h - what one device computes, and whether a program of many ranks computes the same.
 *
 * The oracle runs the reference of a file on one rank. Its gradients are checked against its forward model alone: along
 * a direction drawn at random, the derivative of the loss by dual numbers must be the gradients times the direction
 * (which wrong gradients are not, but for one chance in 2^61).
 *
 * After the initialisation every state is drawn anew, the same for the reference and on all ranks: moments are not zero,
 * biases and gains are not what they begin with. Compared are: every output, the gradient operand of every update, every
 * persistent state on every rank, after the initialisation, after each of several steps, and after one run of the
 * reference's other routines.
 *
 * All that in two arithmetics (number.h). Different in both is different; different in the field only may be the work of
 * a law of real functions (laws below); different in reals only is a fault of the simulator,
 * unless one device differs from itself where it rounds otherwise.
 *
 *     SimJudgement judgement;
 *     SimOracle *oracle = sim_oracle_new(pool, file, 3, draw, &judgement);
 *     SimVerdict verdict = sim_compare(scratch, file, oracle, &judgement);
 */
#ifndef PLACE_SIM_ORACLE_H
#define PLACE_SIM_ORACLE_H

#include "tests/sim/machine.h"

typedef enum SimVerdict {
    SIM_EQUAL,
    SIM_DIFFERENT,
    SIM_FAULTED,  /* cannot be run: unwritten memory, ranks that wait forever, shapes */
    SIM_LAWFUL,   /* different in the field only */
    SIM_CONFUSED, /* different in reals only: the simulator is wrong */
    SIM_VERDICT_COUNT
} SimVerdict;

typedef struct SimOracle SimOracle;

/* In the arithmetic that is set. NULL with a message where the reference cannot be run, or its gradients are not those
 * of its forward part. */
SimOracle *sim_oracle_new(SimPool *pool, const SimFile *file, int steps, uint64_t draw, char *message,
                          size_t message_size);

/* Runs the file's program in the arithmetic of the oracle, which may be that of another file with the same declarations
 * and reference: equal, different or faulted. `chance` chooses the order of the ranks. */
SimVerdict sim_compare(SimPool *scratch, const SimFile *file, const SimOracle *oracle, uint64_t chance, char *message,
                       size_t message_size);

/* One device in both arithmetics. */
typedef struct SimOracles {
    const SimOracle *of[2];
} SimOracles;

bool sim_oracles_new(SimOracles *oracles, SimPool *pool, const SimFile *file, int steps, int real_steps, uint64_t draw, char *message,
                     size_t message_size);

/* Does the message say that one device found no place for a row? Then the draw ends the model's own step. */
bool sim_lacks_places(const char *message);

/* The verdict of both. In reals it is asked only where the field says equal, or `thorough`: what differs in the field is
 * then SIM_DIFFERENT. Where only the reals differ, the field has the chance of other draws: its order of numbers may have
 * been the right one for some maximum. */
SimVerdict sim_compare_both(SimPool *scratch, const SimFile *file, const SimOracles *oracles, bool thorough,
                            char *message, size_t message_size);

/* Reads a text, makes oracles of its own, compares thoroughly. */
SimVerdict sim_judge(const char *text, int steps, uint64_t draw, char *message, size_t message_size);

const char *sim_verdict_name(SimVerdict verdict);

#endif
