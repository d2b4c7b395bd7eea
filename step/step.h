/* step.h - the step program: the one intermediate form of the compiler (docs/step-program.md).
 *
 * A StepFile holds shared declarations (axes, groups of repeated layers, logical tensors, states, units) and two
 * programs that use them and the same operators:
 *   - the reference: what one device would compute, with the whole batch at once, without a mesh;
 *   - the program: what every rank runs.
 * A program is a table of buffers and a list of routines (init, step, eval, predict, join); a routine is a tree of
 * loops, guards, waits and operators. There is one program for all ranks, and layers stay loops: its size does not grow
 * with the number of devices or layers.
 *
 * This header is plain data, shared by every stage; the deriver and the verifier share it, the operator table and
 * nothing else. Objects live in the arena of the compilation.
 */
#ifndef PLACE_STEP_STEP_H
#define PLACE_STEP_STEP_H

#include "base/ctx.h"
#include "base/dtype.h"
#include "step/affine.h"
#include "step/operators.h"
#include <stdbool.h>
#include <stdint.h>

enum { STEP_MAX_OPERANDS = 7, STEP_MAX_IMMEDIATES = 4, STEP_MAX_DIMS = 6, STEP_MAX_CUTS = 4, STEP_MAX_SEGMENTS = 8 };

/* ---- Shared declarations ------------------------------------------------------------------------------------ */

typedef enum Tier { TIER_DEVICE, TIER_HOST, TIER_FILE } Tier;

/* A mesh axis. Ranks are coordinate vectors, the first axis outermost. Along an axis of copies every coordinate runs a
 * one-device program of its own, on a batch of its own: the file describes each copy, and such an axis occurs only in
 * readers, seeds, positions and sums. */
typedef struct Axis {
    const char *name;
    int64_t size;
    bool copies;
    Span span;
} Axis;

typedef struct AxisSet {
    int count;
    int8_t axis[STEP_MAX_AXES]; /* outermost first */
} AxisSet;

static inline bool axes_contain(AxisSet set, int axis)
{
    for (int i = 0; i < set.count; i++)
        if (set.axis[i] == axis)
            return true;
    return false;
}

/* One number per coordinate of an axis, for affine expressions: for example the first layer of every pipeline stage. */
typedef struct IndexTable {
    const char *name;
    int axis;
    int64_t *values; /* one per coordinate of the axis */
    Span span;
} IndexTable;

/* A repeated block of the model: `repeat block[layers]`. */
typedef struct Group {
    const char *name;
    int64_t layers;
    Span span;
} Group;

/* The microbatch loop as a cut of the batch, outside every axis: cuts contain axis indices or this. */
enum { CUT_MICRO = -1 };

/* What a fused dim consists of, one after another: queries, keys, values. */
typedef struct Segments {
    int count;
    int64_t size[STEP_MAX_SEGMENTS];
} Segments;

/* One dimension of a tensor or buffer. `cut` lists what divides it, outermost first; each cut is balanced: when a piece
 * of length L is divided among n, the first L mod n parts have one more element. A fused dim is cut segment by segment:
 * a rank has its piece of the first, then its piece of the second, and so on. A piece with a halo also has the elements
 * before and after it: its neighbours' elements, and room for those that do not exist at the ends of the dim. A
 * padded one takes as much room as the largest piece, with zeros after it, so that ranks can pass their pieces on. */
typedef struct Dim {
    int64_t size;             /* the logical size, before any cut */
    const Segments *segments; /* of a fused dim, needed where it is cut; else NULL */
    int cut_count;
    int8_t cut[STEP_MAX_CUTS];
    int64_t halo_before, halo_after;
    bool padded;
} Dim;

/* A statistic is kept from what the model computes (running means of normalisations), not trained. */
typedef enum TensorKind { TENSOR_PARAMETER, TENSOR_INPUT, TENSOR_STATISTIC } TensorKind;
typedef enum InitKind { INIT_ZEROS, INIT_ONES, INIT_NORMAL, INIT_UNIFORM } InitKind;

/* A logical tensor: a parameter or statistic (per layer of its group), or an input of the model. */
typedef struct Tensor {
    const char *name; /* "wte.table", "block.attn.query.weight": the name in checkpoints, without the layer */
    TensorKind kind;
    DType dtype;
    int group; /* index into groups, or -1 */
    int dim_count;
    int64_t dims[STEP_MAX_DIMS];
    const char *dim_names[STEP_MAX_DIMS];    /* "out", "heads", "context", for strategies; NULL if there is none */
    const Segments *segments[STEP_MAX_DIMS]; /* of fused dims, else NULL */
    int batch_dim;                           /* inputs: which dim is the batch; -1 none */
    InitKind init;
    double init_scale; /* standard deviation, or half-width of the uniform interval */
    bool trainable;
    int update_rule; /* a bit: the rule that updates the parameter; parameters with different rules are in different
                        units */
    Span span;
} Tensor;

typedef enum StateKind { STATE_PARAMETERS, STATE_GRADIENTS, STATE_OPTIMIZER, STATE_STATISTICS } StateKind;

/* What a value has one number for, within each parameter: every element; every row, which is all dims but the last;
 * every column, the last dim; or the whole tensor. Numbers per row, column and tensor are never cut flat. */
typedef enum Each { EACH_ELEMENT, EACH_ROW, EACH_COLUMN, EACH_TENSOR } Each;

/* A training state: one value per parameter ("parameters", "adam_m", "master"), or one scalar ("step"); if its kind is
 * STATE_STATISTICS, one value per statistic. */
typedef struct State {
    const char *name;
    StateKind kind;
    bool per_parameter;
    Each each; /* per_parameter: what it has one number for */
    DType dtype;
    bool from_parameters; /* starts as the parameter's value (master copies); otherwise as zero */
    Span span;
} State;

/* A run of parameters stored flat, one after another, row-major: gathered or cut as a whole. Members of a unit in a
 * group exist once per layer first_layer .. last_layer (inclusive). Members may be cut by dims (tensor parallelism),
 * all over the same axes: the unit then contains each rank's pieces, and every piece takes the room of the largest
 * rank's; what a smaller piece leaves unused is padding. */
typedef struct Unit {
    const char *name; /* "outside", "block", "block.0-3.mlp" */
    int group;        /* or -1: then first_layer = last_layer = 0 */
    int64_t first_layer, last_layer;
    int member_count;
    int *members;     /* tensors */
    Dim *member_dims; /* STEP_MAX_DIMS per member, with their cuts; NULL if no member is cut */
    int64_t aligned;  /* offsets are multiples of it; 0 and 1: members follow each other */
    int64_t multiple; /* `elements` is one of it; 0 and 1: it ends with its last member */
    int64_t *offsets; /* of each member, in elements */
    int64_t elements; /* on the largest rank, with what is between members, without the padding of a flat cut */
    int64_t held;     /* the members' own, on the largest rank */
} Unit;

typedef Vec(Unit) DeclUnits;

/* A number of elements of one layer of a tensor, row-major from `first`; tensor -1: padding. If ranks are copies, the
 * elements of one copy: copies are numbered like ranks, over the axes of copies only. */
typedef struct SavedRun {
    int tensor;
    int64_t layer, first, count, copy;
} SavedRun;

/* How a state is stored in a checkpoint, run after run: as it was written, or as the program reads it before its first
 * step. */
typedef struct SavedMap {
    int state;
    bool loaded; /* how it is read, not written */
    Vec(SavedRun) runs;
    Span span;
} SavedMap;

typedef Vec(SavedMap) SavedMaps;

struct Decls {
    const char *name; /* of the model */
    Vec(Axis) axes;
    Vec(IndexTable) tables;
    Vec(Group) groups;
    Vec(Tensor) tensors;
    Vec(State) states;
    DeclUnits units;
    SavedMaps maps;
    int64_t micro;        /* K, microbatches per step */
    DType compute_dtype;  /* of activations, gradients, and parameters as used */
    const char *contract; /* "exact" */
};

/* ---- Programs ----------------------------------------------------------------------------------------------- */

typedef enum LayoutKind {
    LAYOUT_DENSE, /* row-major over dims, each this rank's piece */
    LAYOUT_UNIT   /* a unit, flat; if cut: equal ranges of ceil(elements / n), the end of the last is padding. An uncut
                     buffer has exactly `elements` and no padding: reduce_scatter and slice into a shard write zeros
                     into the shard's padding (as if the whole continued with zeros), all_gather drops the padding */
} LayoutKind;

/* Its category in the plan. BUFFERS are gathered copies, rings, staging, temporaries of updates; CACHE the keys and
 * values that a served model keeps. */
typedef enum Category {
    CATEGORY_PARAMETERS,
    CATEGORY_GRADIENTS,
    CATEGORY_OPTIMIZER,
    CATEGORY_ACTIVATIONS,
    CATEGORY_BUFFERS,
    CATEGORY_CACHE
} Category;

typedef struct Buffer {
    const char *name;
    DType dtype;
    Tier tier;
    Category category;
    int64_t slots; /* how many values it holds side by side: one per layer, or a ring; 1 or more */
    LayoutKind layout;
    int dim_count; /* LAYOUT_DENSE */
    Dim dims[STEP_MAX_DIMS];
    int unit;  /* LAYOUT_UNIT */
    Each each; /* LAYOUT_UNIT: what it has one number for, member by member */
    int cut_count;
    int8_t cut[STEP_MAX_CUTS];
    bool persistent; /* lives from step to step: it then stores the state `state` */
    int state;       /* index into states, or -1; a gradient accumulator has the gradient state here and is not
                        persistent */
    int tensor;      /* LAYOUT_DENSE with a per-parameter state: whose parameter; else -1 */
    bool has_layers; /* slot s is layer first_layer + s, up to last_layer; otherwise the unit's first layer + s, or s */
    Affine first_layer, last_layer;  /* in coordinates and tables */
    int64_t layer_runs, layer_every; /* has_layers: the number of runs of layers, each `layer_every` after the one
                                        before; each has an equal part of the slots */
    bool held;     /* only ranks where held_low <= holder <= held_high have it; on others its bytes may be used by other
                      buffers */
    Affine holder; /* in coordinates and tables */
    int64_t held_low, held_high;
    int64_t offset; /* in bytes, in the arena of its tier; -1 until placed */
    int64_t bytes;  /* of all slots on the largest rank, aligned; set by placement */
    Span span;      /* the line of the user's file that caused it */
    /* Marks for passes, not part of the text form: */
    Tier rest_tier; /* where it will be stored; before the pass `tiers` everything is on the device */
    bool passed_on; /* each layer reads what the layer before wrote, and nothing else reads it */
} Buffer;

/* One value in a buffer: a slot and, in a unit, a member (-1: the whole slot). */
typedef struct Ref {
    int buffer;
    Affine slot;
    int member; /* tensor index; seen with that tensor's logical dims */
} Ref;

/* A connection of ranks, which does one communication after another, in the order in which its ranks issue them. One
 * entry stands for many connections: one in each group of ranks that differ only on the axes, or, of `edges`, one from
 * each rank along the axis to each other, which only messages use. */
typedef struct Communicator {
    const char *name;
    AxisSet axes;
    bool edges;
    bool implied; /* by the rule for programs that declare none: it has no text */
    Span span;
} Communicator;

typedef enum ReduceKind { REDUCE_SUM, REDUCE_MAX } ReduceKind;

/* A factor: numerator / denominator, times 1 / (this rank's extent of the dim) for every letter of `local_extents`
 * (letters of operand a in the op's spec). */
typedef struct Scale {
    int64_t numerator, denominator;
    const char *local_extents; /* "" for none */
} Scale;

/* Which numbers an init draws: seed = base + sum of per_axis[i] * coordinate(i). */
typedef struct Seed {
    int64_t base;
    int64_t per_axis[STEP_MAX_AXES];
} Seed;

/* The other rank of an operator that passes a value on: its coordinate on the operator's axis. PERMUTE, RECV: the one
 * it comes from; SEND: the one it goes to; BROADCAST: the one that has it. */
typedef struct Peer {
    Affine coordinate;
    int channel; /* SEND, RECV: messages between two ranks on one channel are received in the order sent */
} Peer;

/* The first part is valid for every operator: what an operator does not have is empty there ("", none, -1, 0). Which
 * operators may have what, the reader decides (step/read_tree.c). The union is by kind (op_extra). */
typedef struct Op {
    OpKind kind;
    const char *spec; /* index letters of operands and result, "bth,oh->bto"; "" if all are the same flat range */
    Ref out;          /* not used by SINK and SEND */
    int operand_count;
    Ref operand[STEP_MAX_OPERANDS];
    bool accumulate; /* out += result */
    int immediate_count;
    double immediate[STEP_MAX_IMMEDIATES];
    AxisSet axes; /* COMM, MOVE: the axes; READ: those whose coordinates choose the part of the batch; EINSUM: none, or
                     the one whose pieces take part one at a time */
    int tensor;   /* READ, INIT: which tensor; MAP, FILL: whose parameter is updated; else -1 */
    int communicator; /* COMM: which of the program's; -1 until step_name_communicators has run */
    int event; /* COMM, COPY: >= 0 if only started here and done after WAIT for that event; -1 if done in place */
    Affine event_slot; /* which of the event's slots, modulo their number; no modulus: the event has one */
    int stream;        /* 0 for computation, 1 .. for communication and copies */
    int origin;        /* the id of the forward operator that it comes from, or -1 */
    int id;            /* unique in its program */
    Span span;
    union {
        Scale scale;        /* SCALE */
        Affine piece;       /* EINSUM over an axis: the coordinate whose piece takes part */
        Affine microbatch;  /* READ: which one */
        Affine first;       /* IOTA: the first number, plus the piece's start if the dim is cut */
        Seed seed;          /* INIT */
        const char *output; /* OUTPUT: "loss", "gradient_norm", "learning_rate", "logits" */
        ReduceKind reduce;  /* ALL_REDUCE, REDUCE_SCATTER */
        Peer peer;          /* PERMUTE, BROADCAST, SEND, RECV */
    };
} Op;

typedef Vec(const Op *) OpList;

enum { STEP_MOST_EVENT_SLOTS = 64 };

/* An event's slot as one number; `slot` is in 0 .. STEP_MOST_EVENT_SLOTS-1. */
static inline int event_at(int event, int64_t slot)
{
    return event * STEP_MOST_EVENT_SLOTS + (int)slot;
}

typedef enum NodeKind { NODE_OP, NODE_LOOP, NODE_GUARD, NODE_WAIT } NodeKind;
/* A loop over the layers of a group, over microbatches, or over steps of anything else, such as a ring. */
typedef enum LoopKind { LOOP_LAYERS, LOOP_MICRO, LOOP_STEPS } LoopKind;

typedef struct Node Node;
typedef Vec(Node *) NodeList;

struct Node {
    NodeKind kind;
    Span span;
    NodeList body; /* of LOOP and GUARD; empty for the others */
    union {
        Op *op;  /* NODE_OP */
        struct { /* NODE_LOOP: variable = first, first + step, ..., last, inclusive; none if last comes before first */
            int id;
            LoopKind kind;
            int group;          /* LOOP_LAYERS */
            Affine first, last; /* constant, or in outer loops and coordinates */
            int step;           /* 1 or -1 */
        } loop;
        struct { /* NODE_GUARD: runs if low <= value <= high */
            Affine value;
            int64_t low, high;
        } guard;
        struct { /* NODE_WAIT: whatever follows on `stream` runs after `event` */
            int event, stream;
            Affine slot; /* of the event */
        } wait;
    };
};

typedef enum RoutineKind {
    ROUTINE_INIT,
    ROUTINE_STEP,
    ROUTINE_EVAL,
    ROUTINE_PREDICT,
    ROUTINE_JOIN,
    ROUTINE_PREFILL
} RoutineKind;

/* A program has at most one of each kind. */
typedef struct Routine {
    RoutineKind kind;
    int64_t every; /* ROUTINE_JOIN: it runs after every `every` steps; 0 for the others */
    NodeList body;
    Span span; /* of `every` */
} Routine;

typedef struct Program {
    const Decls *decls;
    Vec(Communicator) communicators;
    Vec(Buffer) buffers;
    Vec(Routine) routines;
    int loop_count, op_count, event_count;
    int64_t arena_bytes[3]; /* per tier, for the largest rank; set by placement */
} Program;

typedef struct StepFile {
    Decls *decls;
    const Program *reference;
    Program *program;
    const struct Liveness *live; /* of its buffers (lower/live.h), once these are placed in the arena */
} StepFile;

/* ---- Queries that every stage needs ------------------------------------------------------------------------- */

/* The part of `length` elements that coordinate `index` of `count` gets from a balanced cut: its start and extent. */
void cut_balanced(int64_t length, int64_t count, int64_t index, int64_t *start, int64_t *extent);

bool segments_equal(const Segments *x, const Segments *y);
/* The segment that begins at `first` and has `size` elements; -1 if there is none. */
int segment_find(const Segments *segments, int64_t first, int64_t size);

/* A dim's extent on the rank with these coordinates (one per axis) in microbatch `micro`, and its start; both include
 * halo or padding. The piece of a fused dim starts where that of its first segment does. */
int64_t dim_extent(const Decls *decls, const Dim *dim, const int64_t *coordinates, int64_t micro, int64_t *start);
/* The same on the rank and in the microbatch where it is largest. */
int64_t dim_max_extent(const Decls *decls, const Dim *dim);

/* Elements per slot on the largest rank, padding included. */
int64_t buffer_slot_elements(const Decls *decls, const Buffer *buffer);
int64_t buffer_slot_bytes(const Decls *decls, const Buffer *buffer);
/* Of all slots; Buffer.bytes is this, aligned. */
int64_t buffer_data_bytes(const Decls *decls, const Buffer *buffer);
/* Of what the reference names on the largest rank: a member, or a slot. */
int64_t ref_bytes(const Program *program, const Ref *ref);

/* The rows of the output, given those of the input; 0 if the window does not fit. */
int64_t window_places(int64_t input, int64_t window, int64_t stride, int64_t pad);

/* The operator's reference on this side. */
const Ref *op_side(const Op *op, Side side);

/* An operator without operands and attributes yet; the code that appends it gives it its id. */
Op op_blank(OpKind kind, Ref out, Span span);

/* A product in which one piece takes part at a time: `over` an axis. */
bool op_in_pieces(const Op *op);

/* The affine expression of its union: which piece, microbatch, first number or peer; NULL if it has none. */
const Affine *op_index(const Op *op);
Affine *op_index_of(Op *op); /* to change it */
/* The name of the output that it gives; NULL if it gives none. */
const char *op_output(const Op *op);

/* The node's operator; NULL if it is a loop, a guard or a wait. */
Op *node_op(const Node *node);
/* Is it a loop over the layers of a group? */
bool node_is_layer_loop(const Node *node);
/* Does any operator of the list, or below it, compute gradients? */
bool nodes_go_back(const NodeList *body);

bool ref_equal(Ref x, Ref y);

/* Names the communicator of every communication anew, by the rule of docs/step-program.md 1: a collective's is that of
 * its axes and its stream, a message's that of its directed edge and channel. They are implied: not printed. */
void step_name_communicators(Ctx *ctx, Program *program);
bool axes_same(AxisSet x, AxisSet y);

int64_t tensor_elements(const Tensor *tensor);
/* The segments of its fused dim; NULL if it has none. */
const Segments *tensor_segments(const Tensor *tensor);
/* NULL if there is none. */
const Routine *program_routine(const Program *program, RoutineKind kind);
const char *routine_name(RoutineKind kind); /* "init" */
/* The dims of the member at `position`, as the unit holds them. */
void unit_member_dims(const Decls *decls, const Unit *unit, int position, Dim dims[STEP_MAX_DIMS]);
/* Computes the offsets and elements of a unit, from its members, their dims, and what it is aligned to. */
void unit_lay_out(const Decls *decls, Unit *unit);
/* The dims that `each` counts: *first .. *first + the result - 1 of the tensor's dims. */
int each_dims(Each each, int dim_count, int *first);
/* How many such numbers a unit has, and where those of the member at `position` begin. */
int64_t unit_each_elements(const Decls *decls, const Unit *unit, Each each);
int64_t unit_each_offset(const Decls *decls, const Unit *unit, Each each, int position);
/* On the largest rank: the elements of the member at `position`. */
int64_t unit_member_elements(const Decls *decls, const Unit *unit, int position);
/* Are there places in a slot that are no member's on any rank? */
bool unit_is_padded(const Unit *unit);
/* A member's offset in its unit, in elements; -1 if the tensor is not a member. */
int64_t unit_offset(const Unit *unit, int tensor);

/* ---- Text form (step/print.c, step/read.c) ------------------------------------------------------------------ */

/* Comments name the user's lines (`# gpt.place:8`) if `sources` is not NULL. The output is deterministic: what
 * step_read reads from it prints as the same bytes. */
void step_print(const StepFile *file, const Sources *sources, FILE *out);
/* Reads a dumped file; if it cannot be read, reports P0340 with line and column and returns NULL. Spans point into the
 * text read. The result is well formed: every index, count and name is in range; shapes are not yet checked. */
StepFile *step_read(Ctx *ctx, int source);

#endif
