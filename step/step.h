/* step.h - the step program: the one intermediate form of the compiler (docs/step-program.md).
 *
 * A StepFile holds shared declarations (axes, groups of repeated layers, logical tensors, states, units) and two
 * programs over them in the same operators:
 *   - the reference: what one device would compute, with the whole batch in one piece, on no mesh;
 *   - the program: what every rank runs.
 * A program is a table of buffers and a list of routines (init, step, eval, predict); a routine is a tree of loops,
 * guards, waits and operators. There is one program for all ranks, and layers stay loops: its size does not grow with
 * the number of devices or of layers.
 *
 * This header is plain data, shared by every stage; the deriver and the verifier share it, the operator table and
 * nothing else. Objects live in the arena of the compilation.
 */
#ifndef PLACE_STEP_STEP_H
#define PLACE_STEP_STEP_H

#include "base/ctx.h"
#include "base/dtype.h"
#include "step/operators.h"
#include <stdbool.h>
#include <stdint.h>

enum { STEP_MAX_OPERANDS = 7, STEP_MAX_IMMEDIATES = 4, STEP_MAX_DIMS = 6, STEP_MAX_CUTS = 4, STEP_MAX_AXES = 8,
       STEP_MAX_TERMS = 6, STEP_MAX_SEGMENTS = 8 };

/* ---- Shared declarations ------------------------------------------------------------------------------------ */

typedef enum Tier { TIER_DEVICE, TIER_HOST, TIER_FILE } Tier;

/* A mesh axis. Ranks are coordinate vectors, the first axis outermost. Along an axis of copies every coordinate runs a
 * one-device program of its own, on a batch of its own: what the file says is said of each copy, and such an axis
 * occurs in readers, seeds, positions and sums only. */
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

/* One number per coordinate of an axis, for affine expressions: the first layer of every pipeline stage. */
typedef struct IndexTable {
    const char *name;
    int axis;
    int64_t *values; /* as many as the axis has coordinates */
    Span span;
} IndexTable;

/* A repeated block of the model: `repeat block[layers]`. */
typedef struct Group {
    const char *name;
    int64_t layers;
    Span span;
} Group;

/* The microbatch loop as a cut of the batch, outside every axis: cuts hold axis indices or this. */
enum { CUT_MICRO = -1 };

/* What a fused dim is made of, one behind the other: queries, keys, values. */
typedef struct Segments {
    int count;
    int64_t size[STEP_MAX_SEGMENTS];
} Segments;

/* One dimension of a tensor or buffer. `cut` lists what divides it, outermost first; each cut is balanced: of a
 * piece of length L over n, the first L mod n parts have one element more. A fused dim is cut segment by segment: a
 * rank has its piece of the first, then its piece of the second, and so on. A piece with a halo also has what lies
 * before and after it: elements of its neighbours, and room where there is nothing. A padded one is in as much room as
 * the largest, zeros behind it, so that ranks can hand their pieces on. */
typedef struct Dim {
    int64_t size; /* logical, before any cut */
    const Segments *segments; /* of a fused dim, which matters where it is cut; else NULL */
    int cut_count;
    int8_t cut[STEP_MAX_CUTS];
    int64_t halo_before, halo_after;
    bool padded;
} Dim;

/* A statistic is kept of what the model computes (running means of normalisations), not trained. */
typedef enum TensorKind { TENSOR_PARAMETER, TENSOR_INPUT, TENSOR_STATISTIC } TensorKind;
typedef enum InitKind { INIT_ZEROS, INIT_ONES, INIT_NORMAL, INIT_UNIFORM } InitKind;

/* A logical tensor: a parameter or statistic (per layer of its group), or an input of the model. */
typedef struct Tensor {
    const char *name; /* "wte.table", "block.attn.query.weight": the checkpoint name, without the layer */
    TensorKind kind;
    DType dtype;
    int group; /* index into groups, or -1 */
    int dim_count;
    int64_t dims[STEP_MAX_DIMS];
    const char *dim_names[STEP_MAX_DIMS]; /* "out", "heads", "context", for strategies; NULL where there is none */
    const Segments *segments[STEP_MAX_DIMS]; /* of fused dims, else NULL */
    int batch_dim; /* inputs: which dim is the batch; -1 none */
    InitKind init;
    double init_scale; /* standard deviation, or half-width of the uniform interval */
    bool trainable;
    int update_rule; /* a bit; parameters of unlike numbers are updated by unlike rules, and lie in units apart */
    Span span;
} Tensor;

typedef enum StateKind { STATE_PARAMETERS, STATE_GRADIENTS, STATE_OPTIMIZER, STATE_STATISTICS } StateKind;

/* Of what a value has one number, within each parameter: of every element; of a row, which is all dims but the last; of
 * a column, the last dim; of the whole tensor. Numbers of rows, columns and tensors are never cut flat. */
typedef enum Each { EACH_ELEMENT, EACH_ROW, EACH_COLUMN, EACH_TENSOR } Each;

/* A training state: one value per parameter ("parameters", "adam_m", "master"), or one scalar ("step"); of kind
 * STATE_STATISTICS one value per statistic. */
typedef struct State {
    const char *name;
    StateKind kind;
    bool per_parameter;
    Each each; /* per_parameter: one number of these */
    DType dtype;
    bool from_parameters; /* starts as the parameter's value (master copies); otherwise as zero */
    Span span;
} State;

/* A run of parameters laid out flat, one after another, row-major: what is gathered or cut as a whole. Members of a
 * unit in a group exist once per layer first_layer .. last_layer (inclusive). Members may be cut by dims (tensor
 * parallelism), all over the same axes: the unit then has each rank's pieces, every piece in the room of the largest
 * rank's; what a smaller one leaves of it is padding. */
typedef struct Unit {
    const char *name; /* "outside", "block", "block.0-3.mlp" */
    int group;        /* or -1: then first_layer = last_layer = 0 */
    int64_t first_layer, last_layer;
    int member_count;
    int *members;     /* tensors */
    Dim *member_dims; /* STEP_MAX_DIMS per member, with their cuts; NULL where none is cut */
    int64_t *offsets; /* of each member, in elements */
    int64_t elements; /* of the largest rank, without the padding of a flat cut */
} Unit;

typedef Vec(Unit) DeclUnits;

/* So many elements of one layer of a tensor, row-major from `first` on; of tensor -1: padding. Where ranks are copies
 * they are those of one: the copies are counted as ranks are, over the axes of copies alone. */
typedef struct SavedRun {
    int tensor;
    int64_t layer, first, count, copy;
} SavedRun;

/* A state as it lies in a checkpoint, run behind run: as it was written, or as the program reads it before its first
 * step. */
typedef struct SavedMap {
    int state;
    bool loaded; /* as it is read */
    Vec(SavedRun) runs;
    Span span;
} SavedMap;

typedef struct Decls {
    const char *name; /* of the model */
    Vec(Axis) axes;
    Vec(IndexTable) tables;
    Vec(Group) groups;
    Vec(Tensor) tensors;
    Vec(State) states;
    DeclUnits units;
    Vec(SavedMap) maps;
    int64_t micro;        /* K, microbatches per step */
    DType compute_dtype;  /* of activations, gradients, parameters in use */
    const char *contract; /* "exact" */
} Decls;

/* ---- Programs ----------------------------------------------------------------------------------------------- */

/* constant + sum of coefficient * variable, then modulo `modulus` (result 0 .. modulus-1) if that is not 0. A variable
 * is a loop's, by its id (0 or more), this rank's coordinate on axis a, written -1 - a, or table t at this rank's
 * coordinate, written -1 - STEP_MAX_AXES - t. */
typedef struct Affine {
    int64_t constant;
    int term_count;
    struct {
        int variable;
        int64_t coefficient;
    } term[STEP_MAX_TERMS];
    int64_t modulus;
} Affine;

typedef enum LayoutKind {
    LAYOUT_DENSE, /* row-major over dims, each this rank's piece */
    LAYOUT_UNIT   /* a unit, flat; if cut: equal ranges of ceil(elements / n), the tail of the last is padding. An uncut
                   * buffer has exactly `elements`, no padding: reduce_scatter and slice into a shard write zeros into
                   * its padding (as if the whole went on in zeros), all_gather drops the padding */
} LayoutKind;

/* What the plan calls it. BUFFERS are gathered copies, rings, staging, temporaries of updates. */
typedef enum Category { CATEGORY_PARAMETERS, CATEGORY_GRADIENTS, CATEGORY_OPTIMIZER, CATEGORY_ACTIVATIONS,
                        CATEGORY_BUFFERS } Category;

typedef struct Buffer {
    const char *name;
    DType dtype;
    Tier tier;
    Category category;
    int64_t slots; /* how many values it holds side by side: layers, or a ring; 1 or more */
    LayoutKind layout;
    int dim_count; /* LAYOUT_DENSE */
    Dim dims[STEP_MAX_DIMS];
    int unit;  /* LAYOUT_UNIT */
    Each each; /* LAYOUT_UNIT: one number of these, member by member */
    int cut_count;
    int8_t cut[STEP_MAX_CUTS];
    bool persistent; /* lives from step to step: it then rests what `state` says */
    int state;       /* index into states, or -1; a gradient accumulator names the gradient state, not persistent */
    int tensor;      /* LAYOUT_DENSE with a per-parameter state: whose; else -1 */
    bool has_layers; /* slot s is layer first_layer + s, up to last_layer; otherwise the unit's first layer + s, or s */
    Affine first_layer, last_layer; /* of coordinates and tables */
    int64_t layer_runs, layer_every; /* has_layers: so many runs of layers, each so far behind the one before; every one
                                      * has an equal part of the slots */
    bool held; /* only ranks where held_low <= holder <= held_high have it; elsewhere its bytes may be others' */
    Affine holder; /* of coordinates and tables */
    int64_t held_low, held_high;
    int64_t offset;  /* in the arena of its tier, bytes; -1 until placed */
    int64_t bytes;   /* of all slots on the largest rank, aligned; set when placed */
    Span span;       /* the line of the user's file that caused it */
    /* Marks for passes, which the text has not: */
    Tier rest_tier; /* where it is to lie; until the pass `tiers` all lies on the device */
    bool passed_on; /* layers read what the layer before wrote, and nobody else */
} Buffer;

/* One value in a buffer: its slot and, in a unit, a member (-1: the whole slot). */
typedef struct Ref {
    int buffer;
    Affine slot;
    int member; /* tensor index; seen with that tensor's logical dims */
} Ref;

typedef enum ReduceKind { REDUCE_SUM, REDUCE_MAX } ReduceKind;

/* A number that multiplies: numerator / denominator, and 1 / (this rank's extent of the dim) for every letter of
 * `local_extents` (letters of operand a in the op's spec). */
typedef struct Scale {
    int64_t numerator, denominator;
    const char *local_extents; /* "" for none */
} Scale;

/* Which numbers an init draws: seed = base + sum of per_axis[i] * coordinate(i). */
typedef struct Seed {
    int64_t base;
    int64_t per_axis[STEP_MAX_AXES];
} Seed;

typedef struct Op {
    OpKind kind;
    const char *spec; /* index letters of operands and result, "bth,oh->bto"; "" where all are the same flat range */
    Ref out;          /* not for SINK */
    int operand_count;
    Ref operand[STEP_MAX_OPERANDS];
    bool accumulate; /* out += result */
    int immediate_count;
    double immediate[STEP_MAX_IMMEDIATES];
    Scale scale;       /* SCALE */
    ReduceKind reduce; /* ALL_REDUCE, REDUCE_SCATTER */
    int axis_count;    /* COMM, SLICE: the axes; READ: those whose coordinates choose the part of the batch; EINSUM:
                        * none, or one, of which a piece at a time takes part */
    int8_t axis[STEP_MAX_AXES];
    Affine index;      /* READ: which microbatch; IOTA: the first number (where the dim is cut: plus its start);
                        * PERMUTE, RECV: the coordinate it comes from; SEND: it goes to; BROADCAST: whose it is;
                        * EINSUM over an axis: whose piece takes part */
    int channel;       /* SEND, RECV: messages of one channel between two ranks are received in the order sent */
    int tensor;        /* READ, INIT: which tensor; updates: whose parameter; else -1 */
    Seed seed;         /* INIT */
    const char *name;  /* OUTPUT: "loss", "gradient_norm", "learning_rate", "logits" */
    int event;         /* COMM: >= 0 if only started here and done after WAIT of that event; -1 done in place */
    int stream;        /* 0 compute, 1 .. communication and copies */
    int origin;        /* the id of the forward operator it comes from, -1 none */
    int id;            /* unique in its program */
    Span span;
} Op;

typedef Vec(const Op *) OpList;

typedef enum NodeKind { NODE_OP, NODE_LOOP, NODE_GUARD, NODE_WAIT } NodeKind;
/* Over the layers of a group, over microbatches, or so many steps of anything: of a ring. */
typedef enum LoopKind { LOOP_LAYERS, LOOP_MICRO, LOOP_STEPS } LoopKind;

typedef struct Node Node;
typedef Vec(Node *) NodeList;

struct Node {
    NodeKind kind;
    Span span;
    Op *op; /* NODE_OP */
    struct { /* NODE_LOOP: variable = first, first + step, ..., last, inclusive; nothing where last lies before first */
        int id;
        LoopKind kind;
        int group; /* LOOP_LAYERS */
        Affine first, last; /* constants, or of outer loops and coordinates */
        int step;           /* 1 or -1 */
    } loop;
    struct { /* NODE_GUARD: where low <= value <= high */
        Affine value;
        int64_t low, high;
    } guard;
    int event, stream; /* NODE_WAIT: what follows on `stream` comes after `event` */
    NodeList body; /* NODE_LOOP, NODE_GUARD */
};

typedef struct Routine {
    const char *name; /* "init", "step", "eval", "predict", "join" */
    int64_t every;    /* "join": it runs after each so-manyth step; 0 otherwise */
    NodeList body;
    Span span;        /* of `every` */
} Routine;

typedef struct Program {
    Decls *decls;
    Vec(Buffer) buffers;
    Vec(Routine) routines;
    int loop_count, op_count, event_count;
    int64_t arena_bytes[3]; /* per tier, of the largest rank; set when placed */
} Program;

typedef struct StepFile {
    Decls *decls;
    Program *reference, *program;
} StepFile;

/* ---- What every stage asks ---------------------------------------------------------------------------------- */

/* The part of `length` elements that coordinate `index` of `count` gets when cut balanced: its start and extent. */
void cut_balanced(int64_t length, int64_t count, int64_t index, int64_t *start, int64_t *extent);

bool segments_equal(const Segments *x, const Segments *y);
/* The segment that begins at `first` and has `size` elements; -1: there is none. */
int segment_find(const Segments *segments, int64_t first, int64_t size);

/* A dim's extent on the rank with these coordinates (one per axis) in microbatch `micro`, and where it starts; both
 * with its halo, or padding. The piece of a fused dim starts with that of its first segment. */
int64_t dim_extent(const Decls *decls, const Dim *dim, const int64_t *coordinates, int64_t micro, int64_t *start);
/* The same on the rank and microbatch where it is largest. */
int64_t dim_max_extent(const Decls *decls, const Dim *dim);

/* Elements per slot on the largest rank, padding included. */
int64_t buffer_slot_elements(const Decls *decls, const Buffer *buffer);

/* Rows of the output for those of the input; 0 where the window does not fit. */
int64_t window_places(int64_t input, int64_t window, int64_t stride, int64_t pad);

/* The reference that is this part of it. */
const Ref *op_side(const Op *op, Side side);

/* Of an operator that takes a segment out of a fused dim, or puts it there (CLASS_VIEW but for view): which letter is
 * the fused dim's and which the segment's; false where the spec is not so. */
bool op_segment_letters(const Op *op, char *fused, char *segment);

/* An operator without operands and attributes yet; whoever appends it numbers it. */
Op op_blank(OpKind kind, Ref out, Span span);
/* The index letters of a value of so many dims, where they only say that dims are the same: "", "a", "ab", ... */
const char *index_letters(int dim_count);

/* A product of which a piece takes part at a time: `over` an axis. */
bool op_in_pieces(const Op *op);

/* Over the layers of a group. */
bool node_is_layer_loop(const Node *node);

bool affine_equal(const Affine *x, const Affine *y);
bool ref_equal(Ref x, Ref y);

int64_t tensor_elements(const Tensor *tensor);
/* Those of its fused dim; NULL where it has none. */
const Segments *tensor_segments(const Tensor *tensor);
const Routine *program_routine(const Program *program, const char *name);
/* A member's dims as the unit holds them, by its position. */
void unit_member_dims(const Decls *decls, const Unit *unit, int position, Dim dims[STEP_MAX_DIMS]);
/* Offsets and elements of a unit, from its members and their dims. */
void unit_lay_out(const Decls *decls, Unit *unit);
/* The dims of those that `each` counts: *first .. *first + the result - 1 of a tensor's. */
int each_dims(Each each, int dim_count, int *first);
/* Numbers of these in a unit, and where those of the member at `position` begin. */
int64_t unit_each_elements(const Decls *decls, const Unit *unit, Each each);
int64_t unit_each_offset(const Decls *decls, const Unit *unit, Each each, int position);
/* A member's offset in its unit, in elements; -1 if it is not one. */
int64_t unit_offset(const Unit *unit, int tensor);

static inline Affine affine_constant(int64_t value)
{
    return (Affine){.constant = value};
}
static inline Affine affine_loop(int loop, int64_t coefficient, int64_t constant)
{
    return (Affine){.constant = constant, .term_count = 1, .term = {{loop, coefficient}}};
}
static inline int affine_coordinate(int axis)
{
    return -1 - axis;
}
static inline int affine_table(int table)
{
    return -1 - STEP_MAX_AXES - table;
}
/* The axis whose coordinate a variable that is no loop's depends on. */
int affine_axis(const Decls *decls, int variable);
/* The variable's number on the rank with these coordinates; it is no loop's. */
int64_t affine_variable_at(const Decls *decls, int variable, const int64_t *coordinates);

/* ---- Text form (step/print.c, step/read.c) ------------------------------------------------------------------ */

/* Comments name the user's lines (`# gpt.place:8`) where `sources` is not NULL. Deterministic, and what step_read makes
 * of the text prints as the same bytes. */
void step_print(const StepFile *file, const Sources *sources, FILE *out);
/* Reads a dumped file; reports P0340 with line and column and returns NULL where it cannot be read. Spans point into
 * the text read. What it returns is well formed: every index, count and name in range; shapes are not yet checked. */
StepFile *step_read(Ctx *ctx, int source);

#endif
