/* place_rt.h - everything that an emitted program may use of the runtime.
 *
 * An emitted program.c includes this header and no other of ours. It defines constant tables that describe the plan
 * (prt_program) and one function per routine, and passes them on:
 *
 *     static void step(prt_context *ctx) { ... }
 *     static const prt_program program = { .format = PRT_FORMAT, .name = "gpt", .step = step, ... };
 *     int main(int argc, char **argv) { return prt_main(argc, argv, &program); }
 *
 * There is one program for all ranks; a rank is identified by ctx->coordinate. The runtime owns all memory: one arena
 * per tier, of prt_program.arena_bytes, in which the program's buffers are at their planned offsets. Nothing is
 * allocated during a step. Any error ends the whole job with a message that names rank, step and source line
 * (prt_fail); no function here returns an error.
 */
#ifndef PLACE_RT_H
#define PLACE_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of the tables below. A runtime of another format refuses the program at start. */
enum { PRT_FORMAT = 10 };

enum { PRT_MAX_DIMS = 6, PRT_MAX_AXES = 8, PRT_MAX_CUTS = 4, PRT_MAX_SEGMENTS = 8, PRT_MAX_BATCH = 4, PRT_TIERS = 3 };
enum { PRT_MAX_TERMS = 6 }; /* of a number that depends on the rank */
enum { PRT_MAX_ARRAYS = 8, PRT_MAX_EXTENTS = PRT_MAX_DIMS + PRT_MAX_ARRAYS * PRT_MAX_DIMS + 2, PRT_MAX_NUMBERS = 5 };

typedef enum prt_dtype { PRT_F32, PRT_F64, PRT_BF16, PRT_I32 } prt_dtype;
typedef enum prt_tier { PRT_DEVICE, PRT_HOST, PRT_FILE } prt_tier;

typedef struct prt_context prt_context;

/* ---- Tables ------------------------------------------------------------------------------------------------- */

typedef struct prt_axis {
    const char *name;
    int64_t size;
} prt_axis;

/* For messages: what is being done. ctx->at is an index into prt_program.sources; row 0 is the program as a whole. */
typedef struct prt_source {
    const char *file; /* NULL if no line caused it */
    int line;
    const char *what; /* "all_gather parameters of block" */
} prt_source;

typedef enum prt_init_kind { PRT_ZEROS, PRT_ONES, PRT_NORMAL, PRT_UNIFORM } prt_init_kind;

/* A parameter as the model declares it. */
typedef struct prt_tensor {
    const char *name;  /* "block.attn.query.weight" */
    const char *group; /* "block", which exists once per layer, or NULL */
    int64_t layers;    /* 1 without a group */
    prt_dtype dtype;
    int dim_count;
    int64_t dims[PRT_MAX_DIMS];
    prt_init_kind init;
    double init_scale;
} prt_tensor;

/* The kind of data that an input gets. `bound`: integers are in 0 .. bound-1 (vocabulary, classes); 0 for floats. Of
 * masked data the targets are the tokens as they were, SEGMENTS says in which half of the example each is, 0 or 1, and
 * MASK which of them are to be found, 1. */
typedef enum prt_role {
    PRT_TOKENS,
    PRT_TARGETS,
    PRT_SEGMENTS,
    PRT_MASK,
    PRT_FEATURES,
    PRT_LABELS,
    PRT_NEXT,    /* of a model that is served: the last token of each sequence, */
    PRT_POSITION /* and its position */
} prt_role;

/* An input of the model. Dim 0 is the batch. */
typedef struct prt_input {
    const char *name;
    prt_dtype dtype;
    prt_role role;
    int64_t bound;
    int dim_count;
    int64_t dims[PRT_MAX_DIMS]; /* of the whole batch */
} prt_input;

/* In a list of cuts, the microbatch loop instead of an axis. */
enum { PRT_MICRO = -1 };

/* One dim of a dense value, and what a rank has of it. `cut` lists axes, outermost first, each cut balanced (prt_cut).
 * A fused dim is cut segment by segment: a rank has its piece of the first, then of the second, and so on. A halo is
 * room for elements before and after the piece, also at the ends of the dim, where there are none. A padded dim has
 * room for the largest piece, and zeros after its own. */
typedef struct prt_dim {
    int64_t size; /* before any cut */
    int cut_count;
    int cut[PRT_MAX_CUTS];
    int segment_count; /* 0: not fused */
    const int64_t *segments;
    int64_t halo_before, halo_after;
    bool padded;
} prt_dim;

/* What a buffer has one number for, in each parameter: every element; every row, which is all dims but the last; every
 * column, the last dim; or the whole tensor. */
typedef enum prt_each { PRT_ELEMENTS, PRT_ROWS, PRT_COLUMNS, PRT_TENSORS } prt_each;

/* Where the elements of a buffer's slot are on each rank (runtime/view.h computes it). Dense: row-major, each dim as
 * long as the rank's room in it. Or flat over the members of a unit: of n pieces, the axes in `cut` outermost first,
 * each has room for ceil(elements / n) numbers, and the last ones end in padding. */
typedef struct prt_layout {
    int unit; /* index into units, or -1: dense */
    prt_each each;
    int cut_count; /* of the flat range */
    int cut[PRT_MAX_CUTS];
    int dim_count; /* dense */
    prt_dim dims[PRT_MAX_DIMS];
} prt_layout;

/* Parameters stored flat, row-major, one after another; once per layer first_layer .. last_layer. Where members are cut
 * by dims, a rank has its pieces of them, each in the room of the largest. */
typedef struct prt_member {
    int tensor;
    int64_t offset;      /* elements */
    const prt_dim *dims; /* one for each dim of the tensor; NULL: none is cut */
} prt_member;

typedef struct prt_unit {
    const char *name;
    int64_t first_layer, last_layer; /* 0, 0 outside groups */
    int member_count;
    const prt_member *members;
    int64_t elements; /* of one layer on the largest rank, without padding of the flat cut */
} prt_unit;

/* A number that depends on the rank: the constant and, for every term, its factor times the rank's coordinate on the
 * axis, or times what the term's table has for that coordinate; in 0 .. modulus - 1, unless that is 0. */
typedef struct prt_term {
    int64_t factor;
    int axis;
    const int64_t *table; /* or NULL */
} prt_term;

typedef struct prt_number {
    int64_t constant;
    int term_count;
    prt_term terms[PRT_MAX_TERMS];
    int64_t modulus;
} prt_number;

/* Which ranks have a buffer: those where low <= number <= high. {0}: all. */
typedef struct prt_held {
    prt_number number;
    int64_t low, high;
} prt_held;

/* The layers in a buffer's slots: first .. last, from the first slot on, and the same again `repeats` times, each
 * `every` layers further on. Each of these runs has an equal part of the slots, which its layers need not fill. */
typedef struct prt_layers {
    prt_number first, last;
    int64_t repeats, every;
} prt_layers;

/* A persistent buffer, which stores a state. Also describes the gradients passed to prt_save_gradient, in slots as
 * those of the state that they update; these have no tier and offset. */
typedef struct prt_state {
    const char *state; /* "parameters", "adam_m", "step", "gradients" */
    prt_dtype dtype;
    prt_tier tier;
    int64_t offset;     /* in the arena, bytes */
    int64_t slots;      /* on the rank with most */
    int64_t slot_bytes; /* from one slot to the next */
    int layout;         /* of a slot: index into layouts */
    int tensor;         /* of a dense layout: index into tensors, or -1: a scalar */
    prt_held held;
    prt_layers layers;
} prt_state;

/* A number of elements of one layer of a tensor (-1: padding), row-major from `first`, of one copy. */
typedef struct prt_saved_run {
    int tensor; /* index into tensors */
    int64_t layer, first, count, copy;
} prt_saved_run;

/* A state that a checkpoint has as one row of elements, run after run: as it is written, and as it is read. */
typedef struct prt_map {
    const char *state;
    int saved_count, loaded_count;
    const prt_saved_run *saved, *loaded;
} prt_map;

/* The ranks that differ only on these axes. Positions in the group count with the first axis outermost. */
typedef struct prt_group {
    int axis_count;
    int axis[PRT_MAX_AXES];
} prt_group;

typedef enum prt_collective {
    PRT_ALL_REDUCE,
    PRT_REDUCE_SCATTER,
    PRT_ALL_GATHER,
    PRT_ALL_TO_ALL,
    PRT_ALL_TO_ALL_FILLED,
    PRT_PERMUTE,
    PRT_BROADCAST,
    PRT_HALO,
    PRT_HALO_ADD,
    PRT_SEND,
    PRT_RECV
} prt_collective;
typedef enum prt_reduction { PRT_SUM, PRT_MAX } prt_reduction;

/* A communication operator in the program's text. */
typedef struct prt_call {
    prt_collective op;
    const char *state;     /* "parameters", "gradients", "norm", "loss": as named in the plan */
    int group;             /* index into groups */
    const char *algorithm; /* by which hosts do it with each other: a name that the runtime knows for the operator */
    prt_dtype dtype;
    prt_reduction reduction;
    bool adds;      /* halo_add: to what the result holds */
    int from, into; /* indices into layouts: of the operand and of the result. A message has one layout */
    int channel;    /* of a message: those between two ranks on one channel arrive as they were sent */
    int event;      /* >= 0: only started; complete after prt_wait for event + ctx->slot. -1: on return */
    int stream;     /* 0 compute, 1 .. communication */
    int source;     /* index into sources */
    const int64_t *calls_per_step; /* planned, one per class of ranks; 0 if only init, eval or predict call it */
    int64_t payload_bytes;         /* planned, per call: the larger of a rank's send and receive buffer */
    int64_t every; /* 0; of a join's calls, the steps from one to the next: the numbers are then per join */
} prt_call;

/* What a kernel is given: addresses in the arena of the device, the result's first; the extents of its dims i, j, ...,
 * then how far arrays go that go further, and for a table of some rows the number of the first and of all rows; and
 * numbers. */
typedef struct prt_arguments {
    void *arrays[PRT_MAX_ARRAYS];
    int64_t extents[PRT_MAX_EXTENTS];
    double numbers[PRT_MAX_NUMBERS];
} prt_arguments;

/* Computes first .. last - 1 of the kernel's dim `split`. */
typedef void prt_host_kernel(const prt_arguments *arguments, int64_t first, int64_t last);

/* A kernel. Its dims are the letters i, j, ...; a text of some of them stands for the product of their extents, "" for
 * 1. */
typedef struct prt_kernel {
    const char *entry; /* in kernels.ptx, with the arguments one by one */
    prt_host_kernel *host;
    struct {
        prt_dtype dtype;
        const char *dims;
    } arrays[PRT_MAX_ARRAYS]; /* as in prt_arguments */
    /* Of an array's dims, the index of the extent that says how far the array goes there; 0: no further. */
    int8_t rooms[PRT_MAX_ARRAYS][PRT_MAX_DIMS];
    int array_count, extent_count, number_count;
    bool reads_result;
    const char *split; /* the dim whose ranges are independent of each other; "": it is computed in one piece */
    const char *work;  /* on a GPU: what is distributed over blocks, */
    bool per_thread;   /* to their threads, or to each as a whole */
    const char *space; /* over which so many operations are done each */
    int operations;
} prt_kernel;

/* Of memory: parameters, gradients, optimizer, activations, buffers, cache, padding. */
enum { PRT_CATEGORIES = 7 };

/* Bytes copied between a tier and the device in one step. */
typedef struct prt_link {
    int64_t to_device_bytes, from_device_bytes;
} prt_link;

/* What is planned for ranks that hold the same and make the same calls, such as those of a pipeline's stage. */
typedef struct prt_class {
    int64_t memory[PRT_CATEGORIES]; /* their sum is the arena of the device, without what only other ranks use */
    prt_link links[PRT_TIERS];      /* that of the device is empty */
} prt_class;

/* A buffer of the plan, for --check-arena: bytes are written in buffers and nowhere else. */
typedef struct prt_buffer {
    const char *name;
    prt_tier tier;
    int64_t offset, bytes; /* of all slots, on the rank with the largest, without alignment */
    int64_t spare;         /* so many may stay unused: room in slots that only smaller microbatches came to */
    bool of_join;          /* only the join uses it, which not every run comes to */
    prt_held held;
} prt_buffer;

typedef enum prt_data_kind {
    PRT_BYTES,    /* the bytes of a file as tokens; targets are the next bytes */
    PRT_U16,      /* a file of tokens of 16 bits, the lower byte first */
    PRT_U32,      /* of 32 bits */
    PRT_IMAGES,   /* a file of images and one of labels, in the IDX format */
    PRT_SYNTHETIC, /* features from the generator, labels a fixed function of them */
    PRT_NUMBERS    /* of a model that is served: prompts are tokens, written as numbers */
} prt_data_kind;

typedef struct prt_program {
    int format;       /* PRT_FORMAT */
    const char *name; /* of the model */
    const char *file; /* the .place file */
    const char *plan_hash;
    const char *version; /* of the compiler */

    int axis_count;
    prt_axis axes[PRT_MAX_AXES];
    /* Along these every coordinate trains a copy of the one device, with states and a batch of its own. */
    bool copies[PRT_MAX_AXES];
    int64_t node_ranks; /* ranks of a node of the cluster, neighbours that share a host; 0: it has no nodes */
    prt_dtype compute_dtype;
    int64_t arena_bytes[PRT_TIERS]; /* of the rank that needs most */

    int class_axis_count; /* without classes nothing is planned, nor checked. Ranks that differ only on other axes are
                             of one class */
    int class_axis[PRT_MAX_AXES];
    const int *class_of; /* index into classes by the coordinates on these axes, the last one's fastest; NULL: 0 */
    const prt_class *classes;

    bool
        skips_steps; /* with a dynamic loss scale: where the output "finite" is 0, no state has changed but the scale */

    int64_t batch, micro;   /* examples per step of all ranks that are no copies; microbatches they are split into */
    int64_t steps;          /* --steps replaces it */
    int64_t items_per_step; /* of all copies */
    const char *item;       /* "tokens", "examples": the unit of the rate */

    prt_data_kind data;
    bool masked;             /* some tokens are hidden, and to be found */
    const char *data_path;   /* NULL: synthetic; --data replaces it */
    const char *labels_path; /* of images; --labels replaces it */
    uint64_t seed;           /* for initial values and data; --seed replaces it */

    const char *checkpoint_path; /* or NULL */
    int64_t checkpoint_every;    /* in steps; 0: only at the end, if there is a path */

    int tensor_count, input_count, unit_count, layout_count, state_count, gradient_count, group_count, call_count;
    int kernel_count, map_count, class_count, buffer_count, source_count, event_count, stream_count;
    const prt_tensor *tensors;
    const prt_input *inputs;
    const prt_unit *units;
    const prt_layout *layouts;
    const prt_state *states;    /* persistent buffers */
    const prt_state *gradients; /* the operands passed to prt_save_gradient */
    const prt_map *maps;
    const prt_group *groups;
    const prt_call *calls;
    const prt_kernel *kernels;
    const prt_buffer *buffers;
    const prt_source *sources;

    void (*init)(prt_context *ctx);
    void (*step)(prt_context *ctx);
    void (*eval)(prt_context *ctx);    /* or NULL */
    void (*predict)(prt_context *ctx); /* or NULL */
    void (*join)(prt_context *ctx);    /* after every join_every steps, or NULL */
    int64_t join_every;

    /* Of a model that is served, or NULL: reads the prompts, before the steps. */
    void (*prefill)(prt_context *ctx);
    const char *load_path; /* the checkpoint that it loads, or NULL; --resume replaces it */
    double temperature;    /* tokens are drawn from the softmax of logits / temperature; 0: the likeliest is taken */
} prt_program;

/* Runs the program as the command line asks; --help lists the options. Returns the exit status. */
int prt_main(int argc, char **argv, const prt_program *program);

/* ---- The context: what a routine knows about its rank ------------------------------------------------------- */

struct prt_context {
    unsigned char *arena[PRT_TIERS];
    int64_t coordinate[PRT_MAX_AXES]; /* on each axis of the mesh */
    int64_t axis_size[PRT_MAX_AXES];
    int rank, ranks;
    int64_t step;          /* steps done before this one */
    int at;                /* index into sources: the current action */
    int64_t slot;          /* of the next call's event: it starts event prt_call.event + slot. The call sets it to 0 */
    bool saving_gradients; /* prt_save_gradient should be called in this step */
    struct prt_run *run;   /* the runtime's own */
};

/* A buffer's address from its planned offset in bytes. */
static inline void *prt_at(const prt_context *ctx, prt_tier tier, int64_t offset)
{
    return ctx->arena[tier] + offset;
}

/* Part `index` of a length split into `count` balanced parts: the first length % count have one element more. */
typedef struct prt_range {
    int64_t start, extent;
} prt_range;

static inline prt_range prt_cut(int64_t length, int64_t count, int64_t index)
{
    int64_t base = length / count, longer = length % count;
    return (prt_range){index * base + (index < longer ? index : longer), base + (index < longer ? 1 : 0)};
}

static inline prt_range prt_span(int64_t start, int64_t extent)
{
    return (prt_range){start, extent};
}

/* `part` of `range`: cuts nest, outermost first. */
static inline prt_range prt_cut_again(prt_range range, int64_t count, int64_t index)
{
    prt_range part = prt_cut(range.extent, count, index);
    return (prt_range){range.start + part.start, part.extent};
}

/* Piece `index` of `count` equal ones of a flat unit: ceil(elements / count) each; the extent leaves out the padding.
 */
static inline prt_range prt_cut_flat(int64_t elements, int64_t count, int64_t index)
{
    int64_t piece = (elements + count - 1) / count, start = index * piece;
    if (start > elements)
        start = elements;
    return (prt_range){start, elements - start < piece ? elements - start : piece};
}

/* The layer in a slot, where slots form runs of `room` of them, the first run from layer `first` on, and each run's
 * layers are `every` after those of the run before. */
static inline int64_t prt_layer(int64_t slot, int64_t first, int64_t room, int64_t every)
{
    return first + slot / room * every + slot % room;
}

/* Ends the job with this message, to which rank, step and source line are added. */
_Noreturn void prt_fail(prt_context *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- Kernels ------------------------------------------------------------------------------------------------ */

/* Computes all of a kernel, a row of prt_program.kernels, on a stream. */
void prt_launch(prt_context *ctx, int kernel, int stream, const prt_arguments *arguments);

/* ---- Data movement ------------------------------------------------------------------------------------------ */

/* Between device and another tier. With an event (0 or more) it may only be started, and is complete after prt_wait. */
void prt_copy_tier(prt_context *ctx, prt_tier to, void *out, prt_tier from, const void *in, int64_t bytes,
                   int64_t event);

/* From a value in the layout `from` (an index into prt_program.layouts) the elements that this rank has of it in the
 * layout `into`, with zeros in the padding. They may be in their place in `in` already. `micro`: the microbatch. */
void prt_slice(prt_context *ctx, prt_dtype dtype, int from, int into, int64_t micro, void *out, const void *in);
/* The same elements into a value of which they are a part; the others stay. */
void prt_place_shard(prt_context *ctx, prt_dtype dtype, int from, int into, int64_t micro, void *out, const void *in);

/* Part of what a rank has of a unit: a rectangle of one member, seen as a matrix whose columns are the last dim and
 * whose rows are all others. */
typedef struct prt_patch {
    int64_t element; /* where it begins in the slot */
    int64_t rows, columns;
    int64_t row, column, tensor; /* where the numbers of its first row, its first column and its tensor are in slots
                                    that have a number for each row, column or tensor */
    int member;                  /* how far prt_next_patch has got */
    int64_t done;
} prt_patch;

/* for (prt_patch patch = {0}; prt_next_patch(ctx, layout, in_rows, &patch);) visits all numbers of a slot of a unit but
 * its padding. Not in rows, a patch is all that the rank has of a member, as one row; `row` and `column` are those of
 * its first element. */
bool prt_next_patch(prt_context *ctx, int layout, bool in_rows, prt_patch *patch);

/* ---- Experts ------------------------------------------------------------------------------------------------------
 *
 * `queues` queues of so many places, in which rows are written; the last place of a queue has a number above `rows` if
 * it is too short, by how much. Ends the job if one is. `numbers` are the experts' (queue q is of q modulo their
 * count); `layer` is -1 outside repeated blocks. */
void prt_check_places(prt_context *ctx, int64_t layer, const void *source, int64_t queues, int64_t places, int64_t rows,
                      const void *numbers, int64_t experts);

/* ---- Contractions -------------------------------------------------------------------------------------------------
 *
 * For every batch index: C(i, j) = beta * C(i, j) + sum over p of A(i, p) * B(p, j), i < m, j < n, p < k. All strides
 * are in elements. Batch dims may be anything, including summed ones: where c_batch is 0, the products of that dim are
 * added up. Fast if each of A, B, C has a row or a column stride of 1; right for every stride. beta is 0 or 1; with
 * beta 0 C is not read. f32 and f64, and bf16 with sums in f32. */
typedef struct prt_gemm_shape {
    int64_t m, n, k;
    int64_t a_row, a_column; /* A(i, p) = a[i * a_row + p * a_column] */
    int64_t b_row, b_column; /* B(p, j) = b[p * b_row + j * b_column] */
    int64_t c_row, c_column;
    int batch_dims;
    int64_t batch[PRT_MAX_BATCH], a_batch[PRT_MAX_BATCH], b_batch[PRT_MAX_BATCH], c_batch[PRT_MAX_BATCH];
} prt_gemm_shape;

void prt_gemm(prt_context *ctx, int stream, prt_dtype dtype, const prt_gemm_shape *shape, const void *a, const void *b,
              int beta, void *c);
/* The same with A and B of bf16 and C of f32. */
void prt_gemm_wide(prt_context *ctx, int stream, const prt_gemm_shape *shape, const void *a, const void *b, int beta,
                   float *c);

/* ---- Convolutions and pooling -------------------------------------------------------------------------------------
 *
 * As the operators of a step program (docs/step-program.md 3). Input x, weight w and output y are over [batch, group,
 * channel, row, column]; the weight over [group, out, in, row, column] of the window. A depthwise convolution has one
 * channel in and one out per group, pooling too; it has no weight. All strides are in elements; along columns they are
 * 1, and the weight is dense in its last three dims. */
typedef enum prt_window_op {
    PRT_CONV,            /* y = x, w */
    PRT_CONV_INPUT_BWD,  /* x = y, w */
    PRT_CONV_WEIGHT_BWD, /* w = x, y */
    PRT_MAX_POOL,        /* y = x */
    PRT_MAX_POOL_BWD,    /* an array like x = x, y */
    PRT_MEAN_POOL,       /* y = x */
    PRT_MEAN_POOL_BWD    /* x = y */
} prt_window_op;

/* Rows, or columns. Output p sees rows p * stride - pad up to that + window - 1 of the image, those that there are. A
 * rank has `output` of them from start / stride on, and the image's rows start - before .. start - before + input - 1.
 */
typedef struct prt_grid {
    int64_t size;          /* of the whole image */
    int64_t start, before; /* 0 where it is not cut */
    int64_t input, output, window, stride, pad;
} prt_grid;

typedef struct prt_window_shape {
    int64_t batch, groups, in, out;
    int64_t x_batch, x_group, x_in, x_row;
    int64_t w_group, w_out;
    int64_t y_batch, y_group, y_out, y_row;
    prt_grid rows, columns;
} prt_window_shape;

/* c = beta * c + op(a, b), the arrays as in the comments above; b is NULL where there is none. beta is 0 or 1; with
 * beta 0 c is not read. f32 and f64, and bf16 with sums in f32. */
void prt_window(prt_context *ctx, int stream, prt_dtype dtype, prt_window_op op, const prt_window_shape *shape,
                const void *a, const void *b, int beta, void *c);
/* The same with a and b of bf16 and c of f32. */
void prt_window_wide(prt_context *ctx, int stream, prt_window_op op, const prt_window_shape *shape, const void *a,
                     const void *b, int beta, float *c);

/* ---- Sources and sinks -------------------------------------------------------------------------------------- */

/* Initial values of what this rank has of one layer of a unit, each member by its own rule, or, where the layout is
 * dense, of the tensor (-1: a unit); zeros in its padding. An element's value depends on the seed, its tensor, layer
 * and position in the whole tensor only. `seed` is the program's (for an init operator: base + per_axis * coordinate);
 * --seed shifts it. */
void prt_init(prt_context *ctx, int tensor, int layout, int64_t layer, uint64_t seed, prt_dtype dtype, void *out);

/* Reads what this rank has of an input, as `layout` says, in microbatch `micro`; zeros in its padding. The layout's
 * first dim is the batch: the examples from the first of this step on. They depend on step, seed and their number
 * only, not on ranks or microbatches. In `eval` they come from the held-out part of the data; in `predict` they are
 * the text so far. */
void prt_read(prt_context *ctx, int input, int layout, int64_t micro, void *out);

/* Outputs a result by name: "loss", "gradient_norm", "learning_rate", "finite" (one element, the same on all
 * ranks); "logits" in predict: this rank's `examples` of [batch, positions, vocabulary], count elements. */
void prt_output(prt_context *ctx, const char *name, prt_dtype dtype, const void *data, int64_t count);

/* Called before each update with its gradient operand, if ctx->saving_gradients: row `gradient` of
 * prt_program.gradients, and the slot of the state that is updated. */
void prt_save_gradient(prt_context *ctx, int gradient, int64_t slot, const void *data);

/* ---- Communication ------------------------------------------------------------------------------------------------
 *
 * `call` is an index into prt_program.calls, which gives group, dtype, layouts, reduction, stream and event. All ranks
 * of the group call it, unless it is a message. `in` and `out` do not overlap, except that all_reduce, permute and
 * broadcast may be in place, and what all_gather moves may already be in its place in the whole. Reductions give the
 * same bits on every rank. */

/* Counts are in elements, with padding. A peer is a coordinate on the group's one axis. */
void prt_all_reduce(prt_context *ctx, int call, void *out, const void *in, int64_t count);
/* `from`: whose operand becomes the result; `to`: who gets this rank's. */
void prt_permute(prt_context *ctx, int call, int64_t from, int64_t to, void *out, const void *in, int64_t count);
/* `from`: whose operand all get; the same on all ranks of the group. */
void prt_broadcast(prt_context *ctx, int call, int64_t from, void *out, const void *in, int64_t count);
/* Complete when the other rank has received it; with an event, the rank may continue before. */
void prt_send(prt_context *ctx, int call, int64_t to, const void *in, int64_t count);
void prt_receive(prt_context *ctx, int call, int64_t from, void *out, int64_t count);

/* Operand and result have different layouts, which say who needs what; where a microbatch cuts them, `micro` is the
 * current one. The result's padding is zeroed, and so is what its halo has room for outside the whole. */
void prt_reduce_scatter(prt_context *ctx, int call, int64_t micro, void *out, const void *in);
void prt_all_gather(prt_context *ctx, int call, int64_t micro, void *out, const void *in);
void prt_all_to_all(prt_context *ctx, int call, int64_t micro, void *out, const void *in);
/* Of the places of queues, the dim after `dims` others, only the filled ones: how many the operand has, and the result
 * will have, in each queue. The others are zero in the result. */
void prt_all_to_all_filled(prt_context *ctx, int call, int64_t micro, void *out, const void *in, const void *before,
                           const void *after, int dims);
void prt_halo(prt_context *ctx, int call, int64_t micro, void *out, const void *in);
void prt_halo_add(prt_context *ctx, int call, int64_t micro, void *out, const void *in);

/* What follows on `stream` comes after the most recent start of `event`, if this rank has started it: guards may let
 * only some ranks do so. */
void prt_wait(prt_context *ctx, int64_t event, int stream);

#endif
