/* step_text.h - the text form of step programs (docs/step-program.md, section 3), read for execution.
 *
 * This is a reader of its own: the simulator shares no code, table or arithmetic with the compiler, so that a mistake
 * there is not repeated here. Everything lives in the pool it was read into.
 */
#ifndef PLACE_SIM_STEP_TEXT_H
#define PLACE_SIM_STEP_TEXT_H

#include "tests/sim/operators.h"
#include "tests/sim/pool.h"
#include <stdbool.h>
#include <stdint.h>

enum {
    SIM_MAX_AXES = 8,
    SIM_MAX_DIMS = 6,
    SIM_MAX_CUTS = 6,
    SIM_MAX_TERMS = 6,
    SIM_MAX_SEGMENTS = 8,
    SIM_MAX_LOOPS = 256
};

enum { SIM_CUT_MICRO = -1 };

typedef struct SimAxis {
    const char *name;
    int64_t size;
    bool copies; /* each coordinate has a batch and states of its own, and the reference runs once for each */
} SimAxis;

/* A number per coordinate of an axis. */
typedef struct SimTable {
    const char *name;
    int axis;
    int64_t *values;
} SimTable;

typedef struct SimGroup {
    const char *name;
    int64_t layers;
} SimGroup;

typedef enum SimInit { SIM_INIT_ZEROS, SIM_INIT_ONES, SIM_INIT_NORMAL, SIM_INIT_UNIFORM } SimInit;

typedef struct SimTensor {
    const char *name;
    bool is_input, is_statistic, is_integer, frozen;
    int group; /* -1: none */
    int dim_count;
    int64_t dims[SIM_MAX_DIMS];
    int batch_dim;
    SimInit init;
    double init_scale;
} SimTensor;

/* Of what there is one number in each tensor: of an element; of a row, all dims but the last; of a column, the last dim;
 * of the tensor. */
typedef enum SimEach { SIM_EACH_ELEMENT, SIM_EACH_ROW, SIM_EACH_COLUMN, SIM_EACH_TENSOR } SimEach;

typedef enum SimStateKind { SIM_STATE_PARAMETERS, SIM_STATE_GRADIENTS, SIM_STATE_OPTIMIZER,
               SIM_STATE_STATISTICS } SimStateKind;

typedef struct SimState {
    const char *name;
    SimStateKind kind;
    bool per_parameter, from_parameters, is_integer;
    SimEach each; /* per parameter */
    int element_bytes;
} SimState;

typedef struct SimDim {
    int64_t size;
    int cut_count;
    int cuts[SIM_MAX_CUTS]; /* axes or SIM_CUT_MICRO, outermost first */
    bool has_halo;
    int64_t before, after;  /* the halo of a piece */
    int segment_count;      /* each is cut by itself; 0: the dim in one */
    int64_t segments[SIM_MAX_SEGMENTS];
    bool padded;            /* in the room of the largest piece, zeros after it */
} SimDim;

/* Also what a unit has one number of per row, column or tensor: a unit of the same members, with those dims. */
typedef struct SimUnit {
    const char *name;
    int base; /* of rows, columns, tensors: the unit whose they are; else the unit itself */
    SimEach each;
    int group;
    int64_t first_layer, last_layer;
    int member_count;
    int *members;
    int *dim_counts;
    SimDim *dims; /* SIM_MAX_DIMS of each member, with their cuts */
    bool is_cut;
    int64_t *offsets;
    int64_t elements; /* of the largest rank */
} SimUnit;

typedef struct SimAffine {
    int64_t constant, modulus;
    int term_count;
    struct {
        enum { SIM_OF_LOOP, SIM_OF_AXIS, SIM_OF_TABLE } kind;
        int index; /* loop id, axis, table */
        int64_t coefficient;
    } terms[SIM_MAX_TERMS];
} SimAffine;

typedef struct SimBuffer {
    const char *name;
    bool is_integer;
    int element_bytes, tier;
    int64_t offset; /* in the arena of its tier; -1: it has memory of its own */
    int unit;       /* -1: dense */
    int dim_count;
    SimDim dims[SIM_MAX_DIMS];
    int cut_count; /* of a unit */
    int cuts[SIM_MAX_CUTS];
    int64_t slots;
    bool persistent, rests; /* rests: it, or a gradient between microbatches */
    int state, tensor;
    bool has_layers, has_holders;
    SimAffine first_layer, last_layer, holder;
    int64_t layer_runs, layer_every; /* so many ranges of layers, each so far after the one before */
    int64_t holder_low, holder_high;
} SimBuffer;

/* What orders communication: one of the group of ranks that differ on the axes, or of each directed edge. */
typedef struct SimCommunicator {
    const char *name;
    int axis_count;
    int axes[SIM_MAX_AXES];
    bool edges;
} SimCommunicator;

typedef struct SimRef {
    int buffer;
    SimAffine slot;
    int member;
} SimRef;

typedef struct SimOp {
    const SimOperator *of;
    int line;
    const char *spec;
    bool has_out, accumulate, reduce_max;
    SimRef out;
    int operand_count;
    SimRef operands[SIM_MAX_OPERANDS];
    int immediate_count;
    double immediates[SIM_MAX_IMMEDIATES];
    int64_t scale_numerator, scale_denominator;
    const char *local_letters;
    int axis_count;
    int axes[SIM_MAX_AXES];
    SimAffine index;
    int tensor;
    int64_t seed, seed_per_axis[SIM_MAX_AXES];
    const char *output_name;
    int event, stream, channel;
    SimAffine event_slot;
    int communicator; /* -1: by the rule */
} SimOp;

typedef enum SimNodeKind { SIM_NODE_OP, SIM_NODE_LOOP, SIM_NODE_GUARD, SIM_NODE_WAIT } SimNodeKind;

typedef struct SimNode SimNode;
struct SimNode {
    SimNodeKind kind;
    int line;
    SimOp *op;
    int loop;
    bool is_micro, down;
    SimAffine first, last; /* loop bounds; guard: first is the value */
    int64_t low, high;
    int event;
    SimAffine event_slot;
    int count;
    SimNode **body;
};

typedef struct SimRoutine {
    const char *name;
    int64_t every; /* every N steps; 0: "init", "step", or once in a while */
    SimNode *root; /* its body is the routine */
} SimRoutine;

typedef struct SimProgram {
    bool is_reference;
    int communicator_count, buffer_count, routine_count;
    SimCommunicator *communicators;
    bool has_events, is_placed; /* buffers have offsets in arenas */
    SimBuffer *buffers;
    SimRoutine *routines;
} SimProgram;

/* A state in a checkpoint: elements of a layer of a tensor, or padding (tensor -1), run after run. */
typedef struct SimRun {
    int tensor;
    int64_t layer, first, count, copy;
} SimRun;

typedef struct SimMap {
    int state;
    bool loaded; /* as it is read; else as it was written */
    int run_count;
    SimRun *runs;
} SimMap;

typedef struct SimFile {
    const char *name;
    int64_t micro;
    int axis_count, table_count, group_count, tensor_count, state_count, unit_count;
    SimAxis axes[SIM_MAX_AXES];
    SimTable *tables;
    SimGroup *groups;
    SimTensor *tensors;
    SimState *states;
    SimUnit *units;
    int map_count;
    SimMap *maps;
    SimProgram reference, program;
    bool changed; /* by us: what updates read in the reference need not be the gradients of its loss */
} SimFile;

/* NULL with a message ("line 12: unknown operator 'foo'") where the text cannot be read. */
SimFile *sim_read(SimPool *pool, const char *text, char *message, size_t message_size);

const SimRoutine *sim_routine(const SimProgram *program, const char *name);
int64_t sim_tensor_elements(const SimTensor *tensor);

#endif
