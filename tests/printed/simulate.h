/* simulate.h - one training step of a dumped step program on simulated ranks, and of its reference on one, from the
 * states and the batch that a built program saved; in reals of 113 bits. Of copies of the one device all have their
 * own.
 */
#ifndef PLACE_TESTS_PRINTED_SIMULATE_H
#define PLACE_TESTS_PRINTED_SIMULATE_H

#include "tests/equivalence/safetensors.h"

#include <stdbool.h>
#include <stddef.h>

/* Numbers that a step hands out; NaN where it does not. */
typedef struct Handed {
    double loss, gradient_norm, learning_rate;
} Handed;

typedef struct Simulated {
    Handed handed;
    SavedFile states;    /* as a checkpoint has them */
    SavedFile gradients; /* of the reference only: what its updates read first */
    int ranks;
    char **communications; /* per rank: of this step, as its trace has them (communications.h) */
} Simulated;

/* `number`: the step's, from 1; a join that is due after it belongs to it. False, with a message, where the files do
 * not fit the program or it cannot be run. */
bool simulate_step(const char *step_text, bool of_reference, int64_t number, const SavedFile *states,
                   const SavedFile *inputs, Simulated *result, char *message, size_t message_size);
void simulated_free(Simulated *result);

#endif
