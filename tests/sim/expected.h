/* expected.h - what the oracle hands to the comparison: between oracle.c and compare.c. */
#ifndef PLACE_SIM_EXPECTED_H
#define PLACE_SIM_EXPECTED_H

#include "tests/sim/oracle.h"

/* Logical values of a state: per tensor (NULL where not held), elements of all layers, copy after copy. Scalars stand
 * after the last tensor. */
typedef struct Values {
    SimWord **of;
    SimReal *sizes; /* the largest magnitude; what rounding is measured by */
} Values;

/* The gradient that an update read. */
typedef struct UpdateGradient {
    const SimOperator *of;
    int tensor;
    int64_t layer, copy;
    SimWord *gradient;
    SimReal size;
} UpdateGradient;

typedef struct Expected {
    Values *states; /* per state, after the routine */
    int output_count;
    SimOutput *outputs;
    int update_count;
    UpdateGradient *updates;
} Expected;

/* Stages: the initialisation, the steps, then the other routines of the reference (eval, predict) once each. Where one
 * runs every N steps, of the reference or of the program, it is a stage after those steps, for either or
 * both of the two; and one more at the end. */
typedef struct Stage {
    const char *routine;
    bool of_reference, of_program;
} Stage;

struct SimOracle {
    SimArithmetic arithmetic;
    int steps, stage_count;
    uint64_t draw;
    Stage *stages;
    Expected *after; /* per stage */
    Values *start;         /* what the first step finds */
};

/* Of one copy, elements of all layers; 1 for scalars, whose tensor is tensor_count. */
int64_t sim_value_count(const SimFile *file, int tensor);
/* How many numbers of a tensor's layer the state has: the first of so many places as the layer has elements. */
int64_t sim_layer_numbers(const SimFile *file, int state, int tensor);
/* Whether the state has a number at this index: one per row, column or tensor has fewer than elements. */
bool sim_state_has(const SimFile *file, int state, int tensor, int64_t index);

/* Calls `visit` for every element of a buffer with its place in memory and in the logical whole; false where it does not
 * fit its state, or `visit` was not content. */
typedef bool SimVisit(void *user, const SimView *view, int64_t offset, int tensor, int64_t index);
bool sim_each_element(SimMachine *machine, int rank, int buffer, SimVisit *visit, void *user);

Values *sim_values_new(SimPool *pool, const SimFile *file);
/* What the persistent buffers hold; false where one does not fit its state. */
bool sim_take_states(SimMachine *machine, Values *states);

/* Which layer of which parameter an update on one device is of; false where the operator is none. */
bool sim_updated_layer(const SimMachine *machine, const SimIssue *issue, int *tensor, int64_t *layer);

/* Puts what `states` says into every persistent buffer of every rank. */
bool sim_put_states(SimMachine *machine, Values *states);

#endif
