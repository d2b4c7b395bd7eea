/* oracle.h - what one device computes, and whether a program of many ranks computes the same.
 *
 * The oracle runs the reference of a file on one rank, but takes the gradients from the forward model alone, by dual
 * numbers, one direction per parameter element: a wrong backward part of the reference is found too. The reference's
 * update operators are then run with those gradients.
 *
 * Compared are: every output, the gradient operand of every update, every persistent state on every rank, after the
 * initialisation, after each of several steps, and after one run of the reference's other routines.
 *
 *     SimOracle *oracle = sim_oracle_new(pool, file, 2, draw, message, sizeof message);
 *     SimVerdict verdict = sim_compare(scratch, file, oracle, message, sizeof message);
 */
#ifndef PLACE_SIM_ORACLE_H
#define PLACE_SIM_ORACLE_H

#include "tests/sim/machine.h"

typedef enum SimVerdict { SIM_EQUAL, SIM_DIFFERENT, SIM_FAULTED } SimVerdict;

typedef struct SimOracle SimOracle;

/* NULL with a message where the reference cannot be run, or its gradients are not those of its forward part. */
SimOracle *sim_oracle_new(SimPool *pool, const SimFile *file, int steps, uint64_t draw, char *message,
                          size_t message_size);

/* Runs the file's program. The oracle may be that of another file with the same declarations and reference. */
SimVerdict sim_compare(SimPool *scratch, const SimFile *file, const SimOracle *oracle, char *message,
                       size_t message_size);

/* Reads a text, makes an oracle of its own for each of `draws` draws, compares. */
SimVerdict sim_judge(const char *text, int steps, int draws, char *message, size_t message_size);

#endif
