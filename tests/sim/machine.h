/* machine.h - N simulated ranks that run a step program, each at its own pace.
 *
 * Every rank has its own memory and its own place in the routine; which goes next is drawn. A rank that reaches a
 * communication stops there until all ranks of its group have reached theirs; so a collective that one of them never
 * reaches, or reaches in another order, is found as ranks that wait forever or meet in different operators.
 *
 * Memory that nothing has written, that an arena gave to another buffer, or that is after a unit's end in a stored
 * state holds junk, other numbers on every rank; reading junk where a value should be is a fault, computing with that
 * after the end is not. An operator with an event has its result at the wait for it, the latest moment allowed, and
 * reads its operand at its start or as late as it may, as drawn. It is after what its stream has, and after what its rank
 * issued on its communicator: nothing is done before that is, and a wait, on whichever stream, holds the rank. Faults (shapes that do not fit, unwritten reads, ranks
 * that wait forever) stop the machine with a message.
 *
 *     SimMachine *machine = sim_machine_new(pool, file, &file->program, draw);
 *     if (!sim_machine_run(machine, "init", 0) || !sim_machine_run(machine, "step", 0))
 *         puts(machine->fault);
 */
#ifndef PLACE_SIM_MACHINE_H
#define PLACE_SIM_MACHINE_H

#include "tests/sim/step_text.h"

enum { SIM_MAX_RANKS = 64, SIM_MAX_EVENTS = 64, SIM_MAX_EVENT_SLOTS = 8, SIM_MAX_STREAMS = 64, SIM_MAX_DEPTH = 32, SIM_FAULT_SIZE = 256,
       SIM_LARGEST_ELEMENT = 8, SIM_NO_MICRO = -1 };

/* A rank's memory. Where buffers are placed in arenas, a cell stands for as many bytes as the smallest element has, a
 * number is in the first cell of its bytes, and writing it makes junk of every other number that has one of them. Else
 * every number has a cell. What is junk stays the same until something is written there. */
typedef struct SimMemory {
    SimNumber *cells;
    uint8_t *widths; /* cells of the number that begins here, 0 where nothing was written */
    int16_t *owners; /* which buffer wrote it */
    int64_t count;
    uint64_t junk; /* the next */
    int widest;    /* cells of the largest number */
} SimMemory;

/* What a reference means on one rank: which numbers, and where they are in the logical whole. */
typedef struct SimView {
    const SimBuffer *buffer;
    const SimUnit *unit; /* of a whole slot that is flat */
    const SimDim *dims;  /* of one that is not, and of members */
    int member;          /* -1: the whole slot */
    int64_t slot, layer; /* -1: after the layers that this rank has */
    const int64_t *pieces; /* of a flat slot of cut members: how many elements of each this rank has */
    SimNumber *data;
    SimMemory *memory; /* NULL: a copy, all of it written */
    int width;         /* cells per number */
    int16_t owner;     /* the buffer's index */
    int dim_count;
    int64_t extents[SIM_MAX_DIMS], strides[SIM_MAX_DIMS], starts[SIM_MAX_DIMS];
    const int64_t *spans[SIM_MAX_DIMS]; /* of a dim that is cut by segments: start and extent of each; else NULL */
    int64_t elements;
    int64_t valid; /* of a unit's range: how many are not after the unit's end */
} SimView;

/* One operator on one rank, with its references resolved. */
typedef struct SimIssue {
    const SimOp *op;
    int rank;
    SimView out, operands[SIM_MAX_OPERANDS];
    int64_t index, micro;
} SimIssue;

typedef struct SimOutput {
    const char *name;
    int rank;
    int64_t count;
    SimNumber *numbers;
} SimOutput;

/* An operator that a rank has started and not finished. */
typedef struct SimPost {
    SimIssue issue;
    unsigned axes;    /* bit per axis: with whom */
    int peer;         /* or the one rank that it sends to or receives from; else -1 */
    int64_t sequence; /* how many of the same kind the rank has started before */
    bool taken;       /* its operands were read: they are copies */
    struct SimPost *before; /* on its stream */
    struct SimPost *ahead;  /* on its communicator */
    bool over, asked;       /* it can be done; whether it can be is being looked at */
} SimPost;

/* Where a rank is in a routine: the child that comes next in a node, and in a loop the iterations left. */
typedef struct SimFrame {
    const SimNode *node;
    int next;
    int64_t value, left;
    int64_t micro; /* of a guard: what was current before */
} SimFrame;

typedef struct SimRank {
    int64_t coordinates[SIM_MAX_AXES];
    SimMemory memory;
    int64_t loop_values[SIM_MAX_LOOPS];
    int64_t micro; /* the current microbatch, or that was last; SIM_NO_MICRO in a tick that is none */
    SimFrame frames[SIM_MAX_DEPTH];
    int depth;
    SimPost *blocked; /* waits for its group */
    SimPost *in_flight[SIM_MAX_EVENTS * SIM_MAX_EVENT_SLOTS];
    SimPost *last[SIM_MAX_STREAMS]; /* of each stream */
    int post_count;
    SimPost **posts; /* of this routine, between ranks */
    int64_t sequences[1 << SIM_MAX_AXES];
    int64_t **pieces; /* per unit and member: elements this rank has */
} SimRank;

typedef struct SimMachine SimMachine;
struct SimMachine {
    SimPool *pool;
    const SimFile *file;
    const SimProgram *program;
    uint64_t draw;   /* chooses initial values, input data and functions */
    uint64_t chance; /* the order of the ranks and the moments of reads, which must not matter */
    int step;
    int rank_count;
    SimRank *ranks;
    int64_t cell_bytes;
    int64_t *cell_offset;   /* per buffer */
    int64_t *slot_elements; /* per buffer: on the largest rank */
    SimWord *const *given;  /* per tensor: its elements in this step, instead of made-up ones; NULL: there are none */
    int64_t *input_range;   /* per tensor: how many different integers it may hold */
    SimNumber *scratch;
    int64_t scratch_size;
    int64_t indices[SIM_MAX_RANKS]; /* of the ranks that exchange something now, as they started it */
    const struct SimView *counts[SIM_MAX_RANKS]; /* their second operands, if they have one */
    int output_count;
    SimOutput *outputs; /* of the last routine run */
    bool failed, stopped;
    char fault[SIM_FAULT_SIZE];
    /* Called before (after) an operator is performed on a rank; may set `stopped` to leave the routine. */
    void (*before)(SimMachine *machine, const SimIssue *issue, void *user);
    void (*after)(SimMachine *machine, const SimIssue *issue, void *user);
    void *user;
};

/* `draw` chooses the data, and with the program what must not matter. */
SimMachine *sim_machine_new(SimPool *pool, const SimFile *file, const SimProgram *program, uint64_t draw);

/* Runs a routine as part of training step `step` (which chooses the batch); false where it faulted. */
bool sim_machine_run(SimMachine *machine, const char *routine, int step);

/* The whole of slot `slot` of a buffer on a rank. */
SimView sim_machine_view(SimMachine *machine, int rank, int buffer, int64_t slot);

/* Where element `index` of the piece's dim is in the whole, and the reverse: -1 where the piece has it not. */
int64_t sim_place(const SimView *view, int dim, int64_t index);
int64_t sim_index_at(const SimView *view, int dim, int64_t place);
bool sim_has_spans(const SimView *view);

/* The piece of a dim that a rank with these coordinates has, without halo and padding. */
void sim_piece(const SimMachine *machine, const SimDim *dim, const int64_t *coordinates, int64_t micro, int64_t *start,
               int64_t *extent);

/* Storage index of the view's element `index`, counted row-major over its extents. */
int64_t sim_view_offset(const SimView *view, int64_t index);

/* The dims of member m of a unit as the rank has it, without memory. */
SimView sim_member_shape(const SimMachine *machine, int rank, const SimUnit *unit, int m);
/* The member that has the unit's element; -1 after its end. */
int sim_member_at(const SimUnit *unit, int64_t element);
/* After the unit's end, or what a smaller piece leaves of a member's room. */
bool sim_is_padding(const SimView *view, int64_t index);
/* Whether the rank has the buffer at all. */
bool sim_is_held(const SimMachine *machine, int rank, const SimBuffer *buffer);

/* Which element of which parameter this is; false for padding, and in slots after the rank's layers. Dense buffers are of `buffer->tensor`, or of
 * `tensor` where they do not say. */
bool sim_view_element(const SimMachine *machine, int rank, const SimView *view, int64_t index, int tensor,
                      int *tensor_out, int64_t *layer, int64_t *element);

/* Whether nothing was written at this place of the view, or only through another buffer that is there too. */
bool sim_is_unwritten(const SimView *view, int64_t offset);
void sim_put(const SimView *view, int64_t offset, SimNumber number);
/* Makes junk of it. */
void sim_spoil(const SimView *view, int64_t offset);
void sim_fault(SimMachine *machine, const SimOp *op, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Initial value of element `element` of a parameter's layer, drawn with a seed. */
SimNumber sim_initial_value(const SimMachine *machine, const SimTensor *tensor, int64_t seed, int64_t layer,
                            int64_t element);
/* Element `element` of an input in this step: of the whole batch that copy `copy` has. */
SimNumber sim_input_value(const SimMachine *machine, int tensor, int64_t copy, int64_t element);

/* The part of `length` that index `index` of `count` gets: the first length mod count parts have one more. */
void sim_cut(int64_t length, int64_t count, int64_t index, int64_t *start, int64_t *extent);

/* How many copies of the one device there are, and which of them the rank is of. */
int64_t sim_copies(const SimFile *file);
int64_t sim_copy_of(const SimMachine *machine, int rank);

/* Of loop variables that are left, the last value. */
int64_t sim_affine(const SimMachine *machine, const SimAffine *affine, int rank);

#endif
