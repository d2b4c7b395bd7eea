/* machine.h - N simulated ranks that run a step program in lockstep, in f64 with one tangent per number.
 *
 * Every rank has its own memory. Memory that nothing has written, padding of states at rest, and the result of a
 * communication in flight hold junk (a NaN of its own); reading junk where a value should be is a fault. An operator
 * with an event runs at the wait for it, the latest moment allowed, or (`eager`) at once, the earliest. Faults (shapes
 * that do not fit, unwritten reads, ranks missing from a collective) stop the machine with a message.
 *
 *     SimMachine *machine = sim_machine_new(pool, file, &file->program, draw);
 *     if (!sim_machine_run(machine, "init", 0) || !sim_machine_run(machine, "step", 0))
 *         puts(machine->fault);
 */
#ifndef PLACE_SIM_MACHINE_H
#define PLACE_SIM_MACHINE_H

#include "tests/sim/step_text.h"

enum { SIM_MAX_RANKS = 64, SIM_MAX_EVENTS = 64, SIM_FAULT_SIZE = 256, SIM_CELL_BYTES = 2 };

/* A number and its derivative in one direction. */
typedef struct SimNumber {
    double value, tangent;
} SimNumber;

/* A rank's memory. Where buffers are placed in arenas, a cell stands for two bytes, a number lies in the first cell of
 * its bytes, and writing it makes junk of every other number that has one of them. Else every number has a cell. */
typedef struct SimMemory {
    SimNumber *cells;
    uint8_t *widths; /* cells of the number that begins here, 0 none; NULL where buffers are not placed */
    int16_t *owners; /* which buffer wrote it */
    int64_t count;
} SimMemory;

/* What a reference means on one rank: which numbers, and where they lie in the logical whole. */
typedef struct SimView {
    const SimBuffer *buffer;
    int member; /* -1: the whole slot */
    int64_t slot;
    SimNumber *data;
    SimMemory *memory;
    int width;     /* cells per number */
    int16_t owner; /* the buffer's index */
    int dim_count;
    int64_t extents[SIM_MAX_DIMS], strides[SIM_MAX_DIMS], starts[SIM_MAX_DIMS];
    int64_t elements;
    int64_t valid; /* of a unit's range: how many are not padding */
} SimView;

/* One operator, with its references resolved on every rank that takes part. */
typedef struct SimIssue {
    const SimOp *op;
    uint64_t ranks;                      /* a bit each */
    SimView *out;                        /* per rank */
    SimView *operands[SIM_MAX_OPERANDS]; /* per rank */
    int64_t *index, *micro;              /* per rank */
} SimIssue;

typedef struct SimOutput {
    const char *name;
    int rank;
    int64_t count;
    SimNumber *numbers;
} SimOutput;

typedef struct SimMachine SimMachine;
struct SimMachine {
    SimPool *pool;
    const SimFile *file;
    const SimProgram *program;
    uint64_t draw; /* chooses initial values and input data */
    int step;
    int rank_count;
    int64_t (*coordinates)[SIM_MAX_AXES];
    SimMemory *memory;      /* per rank */
    int64_t *cell_offset;   /* per buffer */
    int64_t *slot_elements; /* per buffer: on the largest rank */
    int64_t (*loop_values)[SIM_MAX_LOOPS];
    int64_t *micro;       /* the microbatch each rank is in, or was last in */
    int64_t *input_range; /* per tensor: how many different integers it may hold */
    SimIssue *in_flight[SIM_MAX_EVENTS];
    SimIssue now;
    SimNumber *scratch;
    int64_t scratch_size;
    int output_count;
    SimOutput *outputs; /* of the last routine run */
    bool eager, failed, stopped;
    char fault[SIM_FAULT_SIZE];
    /* Called before (after) an operator is performed; may set `stopped` to leave the routine. */
    void (*before)(SimMachine *machine, const SimIssue *issue, void *user);
    void (*after)(SimMachine *machine, const SimIssue *issue, void *user);
    void *user;
};

SimMachine *sim_machine_new(SimPool *pool, const SimFile *file, const SimProgram *program, uint64_t draw);

/* Runs a routine as part of training step `step` (which chooses the batch); false where it faulted. */
bool sim_machine_run(SimMachine *machine, const char *routine, int step);

/* The whole of slot `slot` of a buffer on a rank. */
SimView sim_machine_view(SimMachine *machine, int rank, int buffer, int64_t slot);

/* Storage index of the view's element `index`, counted row-major over its extents. */
int64_t sim_view_offset(const SimView *view, int64_t index);

/* Which element of which parameter this is; false for padding. Dense buffers are of `buffer->tensor`, or of
 * `tensor` where they do not say. */
bool sim_view_element(const SimFile *file, const SimView *view, int64_t index, int tensor, int *tensor_out,
                      int64_t *layer, int64_t *element);

SimNumber sim_junk(void);
/* Whether nothing was written at this place of the view, or only through another buffer that lies there too. */
bool sim_is_unwritten(const SimView *view, int64_t offset);
bool sim_is_junk(SimNumber number);
void sim_put(const SimView *view, int64_t offset, SimNumber number);
void sim_fault(SimMachine *machine, const SimOp *op, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Initial value of element `element` of a parameter's layer, drawn with a seed. Nothing that is drawn is very small:
 * what is done to it shall show. */
double sim_initial_value(const SimMachine *machine, const SimTensor *tensor, int64_t seed, int64_t layer,
                         int64_t element);
/* Element `element` (of the whole batch) of an input in this step. */
double sim_input_value(const SimMachine *machine, int tensor, int64_t element);

/* ---- Between the machine's files ---------------------------------------------------------------------------- */

/* perform.c: local operators on one rank, and operators between ranks. */
void sim_perform(SimMachine *machine, const SimIssue *issue);
/* arithmetic.c: the operators that compute, on one rank. */
void sim_compute(SimMachine *machine, const SimOp *op, const SimView *out, const SimView *const *operands);
/* Adds or stores `result`, one number per element of the view. */
void sim_store(SimMachine *machine, const SimOp *op, const SimView *out, const SimNumber *result);
SimNumber *sim_scratch(SimMachine *machine, int64_t count);

/* The part of `length` that index `index` of `count` gets: the first length mod count parts have one more. */
void sim_cut(int64_t length, int64_t count, int64_t index, int64_t *start, int64_t *extent);

#endif
