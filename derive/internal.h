/* internal.h - shared by the files of the deriver.
 *
 *     flow.c       which dims the batch shards, what is a sum over it, which operator runs in the microbatch loop
 *     rest.c       the dims that the strategy names, and placements of values that nothing else places
 *     values.c     dense values: their placements, and the conversions between these
 *     choose.c     the placements in which an operator reads and writes
 *     ring.c       products of travelling values
 *     halo.c       windows over shards of images
 *     sync.c       explicit syncs of values
 *     emit.c       appends buffers, operators and loops to the program
 *     convert.c    a unit's value from one form to another; explicit syncs of gradients
 *     recompute.c  what the backward pass recomputes
 *     keep.c       what is stored on another tier between the passes
 *     micro.c      the microbatch loop: reads, forward, backward, gathered parameters, accumulators
 *     sums.c       sums over the batch that are read after the microbatch loop
 *     flat.c       init and what follows the loop: norm, updates, outputs, unit by unit
 *     idle.c       syncs that were written and change nothing
 *     derive.c     buffers of the units, the routines
 */
#ifndef PLACE_DERIVE_INTERNAL_H
#define PLACE_DERIVE_INTERNAL_H

#include "algebra/signature.h"
#include "derive/derive.h"

/* What a buffer of the reference holds. */
typedef enum Role {
    ROLE_PLAIN,     /* stays dense: inputs, activations, scalars, frozen parameters */
    ROLE_PARAMETER, /* these three are stored in units */
    ROLE_GRADIENT,
    ROLE_STATE,
    ROLE_UPDATE, /* a temporary of the updates, in the unit: one number per `each` of its parameter */
    ROLE_MATRIX  /* a temporary of updates that work on whole tensors: dense, every rank has it */
} Role;

/* The placement of a dense value on one axis: sharded by a dim (its number), or one of these. Several axes that shard
 * one dim nest in the order of the mesh, inside the microbatches. */
enum { ON_WHOLE = -1, ON_PARTIAL = -2, ON_ANY = -3 };

typedef struct Place {
    int8_t on[STEP_MAX_AXES];
} Place;

/* The purpose of a buffer, of several with the same layout: the value itself, a value on its way to another placement,
 * or the sum of a value whose parts are still needed. */
typedef enum Purpose { FOR_VALUE, FOR_PART, FOR_SUM } Purpose;

/* The program's buffer for the values of a reference buffer in one layout. */
typedef struct Variant {
    Place layout;
    bool micro; /* its batch is divided into microbatches */
    Purpose purpose;
    int buffer;
} Variant;

/* The neighbours' rows (side 0) or columns (1) that shards of an image include, where an axis shards these. */
typedef struct Halo {
    int axis, side;
    int64_t before, after;
} Halo;

/* For rows, then for columns. */
typedef struct Halos {
    int count;
    Halo of[2];
} Halos;

/* A variant with halos. */
typedef struct Wide {
    Halos halos;
    Place place;
    bool part, cut, by_layer; /* what layers read has its own buffer, apart from what is read after them */
    int buffer;
} Wide;

/* An available value: which slot (layers first .. last plus a constant), in which placement, in which buffer. */
typedef struct Held {
    bool by_layer;
    int64_t constant, first, last;
    Place place;
    int buffer;
} Held;

typedef Vec(Held) HeldList;

/* A sync of a value; the dim that it shards, in the current routine. */
typedef struct ValueSync {
    const Sync *sync;
    int dim;
    bool done; /* in some routine */
} ValueSync;

typedef struct RefBuffer {
    Role role;
    int tensor;   /* whose it is, unless ROLE_PLAIN */
    Each each;    /* ROLE_STATE, ROLE_UPDATE: what it has one number for */
    bool in_unit; /* ROLE_MATRIX of the parameter's shape, read by flat operators: assembled in the unit */
    int updates;  /* ROLE_UPDATE, ROLE_STATE: the declared state whose update it belongs to; -1: the optimizer's */
    unsigned batch_dims; /* bit per dim that is the batch, */
    unsigned micro_dims; /* or the microbatches, in values with one entry for each, as statistics of examples */
    bool partial;        /* a sum over a part of the batch */
    bool maximum;        /* partial with the maximum of its parts as the value, not the sum */
    bool inner;          /* single examples depend on it */
    Vec(const Recomputed *) again; /* not kept for the backward pass, which recomputes it in these layers */
    const Offloaded *elsewhere;    /* where it is stored between the passes, if not on the device */
    bool read_flat;                /* computed in the microbatch loop, complete there, and read after it */
    Vec(Variant) variants;
    Vec(Wide) wides;
    int sum;            /* the buffer of its sum over the microbatches; -1 none */
    AxisSet sum_axes;   /* the axes over which that must be summed as well */
    Place rest;         /* the placement that the strategy wants in the current routine; whole by default */
    unsigned travels;   /* bit per axis of `rest` around which its shards travel to products that need all of them */
    unsigned travelled; /* and around which they did */
    AxisSet named;      /* axes of `rest` for which it names this value: there it has no other placement */
    const Op *reader;   /* the `read` that makes it */
    Vec(ValueSync) syncs;
    bool loss_part;   /* `sync loss`: a sum from which the loss is computed, synchronised in its place */
    unsigned literal; /* bit per axis on which they replace all conversions */
    unsigned parted;  /* bit per axis over which a gradient is computed from parts that a sync then sums */
    /* While a routine is emitted: */
    HeldList held;
    HeldList held_wide;   /* in buffers with a halo */
    bool fixed, has_home; /* written in several places: then always placed at `home` */
    Place home;
} RefBuffer;

/* A parameter's gradient in some layers: the axes over which its contributions are parts of a sum. */
typedef struct GradientSum {
    int tensor;
    int64_t first, last;
    AxisSet axes;
} GradientSum;

typedef enum Phase {
    PHASE_MICRO,
    PHASE_FLAT,
    PHASE_DROP,
    PHASE_EARLY,  /* sums over the batch that single examples depend on: in a loop of their own, which comes first */
    PHASE_BETWEEN /* what is computed from those for single examples: between the two loops */
} Phase;

/* What is known about an operator of the reference, by its id. */
typedef struct RefOp {
    Phase phase;
    bool early;     /* PHASE_EARLY needs it */
    bool backward;  /* feeds gradients but no output */
    bool partial;   /* its result is a sum over a part of the batch */
    bool completes; /* the last operator of a list that adds to its result */
    int level;      /* PHASE_FLAT: even for scalars, odd for work on single parameters (flat.c) */
    int tensor;     /* PHASE_FLAT: the parameter's, or -1 */
    int derived;    /* the id of the first operator that was derived from it; -1 none */
} RefOp;

/* A sync that was started, and its buffers. */
typedef struct Started {
    const Sync *sync;
    int result, into; /* the buffer that is being reduced; the one that the result belongs in */
    AxisSet axes;
    int event;
} Started;

/* The remainder of a sync that was started: the wait, and what follows it. */
typedef struct Tail {
    int event;
    Span span;
    NodeList rest;
} Tail;

typedef struct UnitInfo {
    const UnitPlacement *placement;
    AxisSet parameters, gradients, optimizer; /* the cuts as stored; axes of size 1 left out */
    bool gathered;                            /* used in another form than it is stored in */
    int parameter_buffer;
    int full_buffer;    /* the gathered copy; -1 not created yet */
    int accumulator;    /* of gradients, over the microbatches */
    int contribution;   /* one microbatch's full-size gradient, if the accumulator is sharded; else the accumulator */
    int local_shard;    /* its reduced shard before it is added; -1 not created yet */
    int *state_buffer;  /* per state; -1 if the unit does not have it */
    AxisSet *state_cut; /* per state: the axes that shard it and its updates */
    int contribution_sites;
    AxisSet partial;     /* the axes over which the contributions to its gradient are parts of a sum */
    AxisSet member_cuts; /* the axes that shard its members by a dim */
    bool refused;        /* a use that has no lowering was reported */
    bool explicit_gradients;
    bool pieces;                 /* the gradient is accumulated in shards */
    const Sync *microbatch_sync; /* explicit, and applied to the contribution instead of the accumulator */
    /* While a routine is emitted: */
    bool gathered_pass[2];
    bool filled;
    Vec(Started) started;
    int left_shard; /* explicit: where into_shards left the gradient; -1: it is in the accumulator */
    AxisSet left_axes;
    int gradient_seen;  /* the gradient as the updates read it; -1 not converted yet */
    int parameter_seen; /* the parameter as the updates read it; -1 not converted yet */
} UnitInfo;

/* A temporary of the updates, in its unit. */
typedef struct UpdateBuffer {
    int ref, unit, buffer;
} UpdateBuffer;

/* What operators of one kind and spec can do on shards, over any axis. */
typedef struct OpSignatures {
    const char *spec;
    bool even; /* including those that need equal shards */
    OpShape shape;
    SignatureVec list;
} OpSignatures;

typedef struct Derive {
    Ctx *ctx;
    const Train *train;
    const Assignment *assignment;
    Decls *decls; /* the train's, with the program's units and the maps */
    const Program *reference;
    Program *program;
    StrTable *buffer_names; /* of the program */
    RefBuffer *buffers;     /* per buffer of the reference */
    RefOp *ops;             /* per operator id of the reference */
    int op_count;
    Vec(OpSignatures) signatures[OP_COUNT]; /* those computed so far */
    UnitInfo *units;
    AxisSet batch;   /* axes that shard the batch; size 1 left out */
    AxisSet readers; /* axes whose coordinates choose what a rank reads */
    bool local_count;
    const Sync *norm_sync, *loss_sync;
    Vec(UpdateBuffer) update_buffers;
    Vec(GradientSum) gradient_sums;
    bool *recomputed;  /* per request: is anything recomputed for it? */
    Vec(Tail) tails;   /* of the routine, after all updates */
    Vec(int) floating; /* events that are waited for where the value is used */
    bool early;        /* in the loop of sums that single examples depend on */
    bool dry;          /* a walk that only finds gradient_sums: nothing is emitted */
    /* While a routine is emitted: */
    const Routine *routine; /* of the reference */
    bool cut;               /* its batch is sharded: not in predict */
    int micro_loop;         /* the id of the loop over microbatches; -1 outside it */
    int *loop_map;          /* reference loop ids to the program's */
    int ref_loop;           /* the open layer loop of the reference, or -1; its group and the layers now emitted */
    int group;
    int64_t first_layer, last_layer;
    bool failed;
} Derive;

/* ---- flow.c ------------------------------------------------------------------------------------------------- */

/* Classifies buffers and operators of every routine. */
void derive_flow(Derive *d);
/* The letters of operand `index` of a spec, or of the result if index is -1. In a view that divides the batch
 * ("nc->kbc": microbatches, examples of each) the batch has the letter of the examples, so that cuts pass through. */
int derive_spec_letters(const Derive *d, const Op *op, int index, const char **letters);
const char *derive_spec(const Derive *d, const Op *op);
/* Is the batch, or the microbatches, one of its dims? */
static inline bool derive_is_cut(const RefBuffer *buffer)
{
    return (buffer->batch_dims | buffer->micro_dims) != 0;
}
/* For a view that does not divide the batch: the outermost dim that it changes, in its operand and in its result: equal
 * pieces of one are pieces of the other. False for other operators. */
bool derive_view_outer(const Derive *d, const Op *op, int *dim);
/* The letter of the batch among the letters of operand `index`; 0 if there is none. */
char derive_batch_letter(const Derive *d, const Op *op, int index);
bool derive_is_zero_fill(const Op *op);

/* ---- rest.c ------------------------------------------------------------------------------------------------- */

/* Finds the placements that the strategy wants for values, in the current routine. */
void derive_rest(Derive *d, const Routine *routine);
/* Reports values that the strategy lets travel and that never do, once the step is derived. */
void derive_check_travelled(Derive *d);
/* The name of a value, or cotangent, that is the same in every routine. */
const char *derive_name_in_step(const char *name);

/* ---- values.c ----------------------------------------------------------------------------------------------- */

Place place_whole(void);
bool place_equal(const Place *x, const Place *y);
/* The axes whose placement is `on`: ON_PARTIAL, ON_WHOLE, or a dim that they shard. */
AxisSet place_axes(const Derive *d, const Place *place, int on);
/* The bytes that a rank has of a value in this placement, not counting a cut over axis `but`. */
double place_bytes(const Derive *d, int ref, const Place *place, int but);
/* What a rank sends on one axis to convert a value of `bytes`; INFINITY if there is no such conversion. */
double place_cost_on(const Derive *d, int axis, int from, int to, double bytes);
double place_cost(const Derive *d, int ref, const Place *from, const Place *to);

/* Does the conversion from one placement to another take more than slicing, on an axis on which the value's syncs
 * replace all conversions? */
bool place_breaches(const Derive *d, int ref, int axis, int from, int to);

/* The buffer for values of a reference buffer in a placement (`suffix` is for the name of a new one); a second buffer
 * for what is added to such a value. */
int derive_variant(Derive *d, int ref, const Place *place);
int derive_named_variant(Derive *d, int ref, const Place *place, const char *suffix);
int derive_part(Derive *d, int ref, const Place *place);
/* What is available of a value (NULL if nothing); recording more of it; forgetting what was overwritten. */
void derive_start_routine(Derive *d, const Routine *routine);
Held *derive_held(Derive *d, Ref ref);
bool derive_is_held(const Derive *d, const Held *held, Ref ref);
Held *derive_hold(Derive *d, Ref ref, Place place, int buffer);
void derive_hold_wide(Derive *d, Ref ref, Place place, int buffer);
void derive_forget(Derive *d, Ref ref);
void derive_enter_loop(Derive *d, NodeList *body, const Node *loop);
void derive_leave_loop(Derive *d, const Node *loop);
/* Converts the value stored in `at` into slot `slot` of other buffers; returns where it then is. */
Ref derive_route(Derive *d, NodeList *body, int ref, Ref at, Affine slot, Place from, const Place *to, bool part,
                 Span span);
/* Completes the sums of which the value still is a part, in place; false if there were none. */
bool derive_complete(Derive *d, NodeList *body, Ref ref, Span span);
/* The value in a placement, converted from what is available. */
Ref derive_value(Derive *d, NodeList *body, Ref ref, const Place *to, Span span);

/* ---- sync.c ------------------------------------------------------------------------------------------------- */

/* Finds the values that syncs name; reports syncs that name none. */
void derive_find_synced(Derive *d);
/* Reports what has no lowering, in the current routine. */
void derive_check_synced(Derive *d, const Routine *routine);
/* Applies the syncs of the value stored in `at`; returns where it then is, and in *place its placement. */
Ref derive_sync_value(Derive *d, NodeList *body, int ref, Ref at, Place *place);
/* The same for a number that belongs to no microbatch, which an operator of the reference computed in `at`, and for a
 * sum over parameters, in the buffer of a rank's own part. */
void derive_sync_number(Derive *d, NodeList *body, const Op *ref_op, Ref at);
void derive_sync_sum(Derive *d, NodeList *body, int ref, int buffer);
/* Reports values whose syncs were not applied. */
void derive_check_done(Derive *d);
/* Applies the syncs of a running statistic, if that is what the operator, which was just emitted, updates. */
void derive_sync_statistic(Derive *d, NodeList *body, const Op *op);
/* Moves waits for started values to their first use, at the latest to the end of the list. */
void derive_float_waits(Derive *d, NodeList *list);
/* Notes values to keep in parts: gradients are computed from these parts, and a sync sums them. Other gradients that it
 * sums are then computed from the same parts, even where the deriver would have summed the value in between. False if
 * there are none. */
bool derive_find_parted(Derive *d);
/* The axes over which syncs sum this parameter's gradient, one bit each; not those of a mean, or a weight, which may be
 * of copies. */
unsigned derive_summed_axes(const Derive *d, int tensor);
/* Reports a reader that needs the value in another placement than its syncs leave it in. */
void derive_refuse_breach(Derive *d, int ref, int axis, const char *reader, Span span);

/* ---- choose.c ----------------------------------------------------------------------------------------------- */

/* A product computed in as many steps as an axis has ranks, while an operand, or the result, travels around it. */
typedef struct Ring {
    bool turns;
    int axis, dim; /* the axis, and the dim of what travels that it shards */
    int operand;   /* that travels; -1: the result */
} Ring;

/* The placements in which an operator reads its operands and gives its result. */
typedef struct Choice {
    Place operand[STEP_MAX_OPERANDS];
    Place result; /* as computed */
    Place kept;   /* as it is wanted then */
    Ring ring;    /* as it is computed */
    Halos halos;  /* of values on the input's grid of windows */
} Choice;

/* False if no signature can be reached; `report`: says so to the user. */
bool derive_choose(Derive *d, const Op *op, bool report, Choice *choice);
/* The placement of a parameter in the current layers. */
Place derive_parameter_place(const Derive *d, int tensor);
/* Notes the axes over which a contribution to a gradient, or to a sum over the batch, is a part of it. */
void derive_note_gradient(Derive *d, int tensor, AxisSet axes);
void derive_note_sum(Derive *d, int ref, AxisSet axes);
/* Those axes of a gradient in a layer. */
AxisSet derive_gradient_axes(const Derive *d, int tensor, int64_t layer);

/* ---- ring.c ------------------------------------------------------------------------------------------------- */

/* Turns the conversion of a value that travels, before a product or after it, into a ring; false if it cannot. */
bool derive_find_ring(Derive *d, const Op *op, Choice *choice);
/* Emits the product; its references are those of the program. */
void derive_emit_ring(Derive *d, NodeList *body, const Op *op, const Ring *ring);

/* ---- halo.c ------------------------------------------------------------------------------------------------- */

/* Adds the signatures of windows over shards, over an axis; `choice`: for the axes before it. */
void derive_add_halo_signatures(const Derive *d, const Op *op, int axis, const Choice *choice, SignatureVec *list);
Halos derive_halos_of(const Derive *d, const Op *op, const Choice *choice);
/* For window operators: is the operand, or the result, on the input's grid? */
bool derive_reads_halo(const Op *op, int operand);
bool derive_gives_halo(const Op *op);
/* Reports P0358 where an image is sharded and its windows work on the whole. */
void derive_report_whole_windows(Derive *d, const Op *op, const Choice *choice);
/* The value stored in `plain`, with its halos. */
Ref derive_halo_value(Derive *d, NodeList *body, Ref ref, Ref plain, const Place *place, Halos halos, Span span);
/* Emits the operator with its result in shards with a halo, and adds the halos to the shards that they belong to. */
void derive_emit_halo_add(Derive *d, NodeList *body, Ref ref, Op *op, const Choice *choice);

/* ---- emit.c ------------------------------------------------------------------------------------------------- */

int derive_add_buffer(Derive *d, Buffer buffer);
/* A flat buffer of a unit, sharded over `cut`, with one slot per layer. */
int derive_add_unit_buffer(Derive *d, int unit, const char *name, DType dtype, Category category, AxisSet cut,
                           Span span);
/* The same for a temporary with the contents of the flat buffer `like` in another form. */
int derive_add_temporary(Derive *d, int unit, const char *name, int like, AxisSet cut, Span span);
/* The dense buffer for a whole value. */
int derive_plain_buffer(Derive *d, int ref);
Affine derive_map_affine(const Derive *d, Affine affine);
Op *derive_emit(Derive *d, NodeList *body, OpKind kind, Ref out, Span span);
/* An operator with one operand; elementwise ones on dense buffers get their spec. */
Op *derive_emit_from(Derive *d, NodeList *body, OpKind kind, Ref out, Ref operand, Span span);
/* The same over axes (communication, slices, place_shard). */
Op *derive_emit_over(Derive *d, NodeList *body, OpKind kind, Ref out, Ref operand, AxisSet axes, Span span);
void derive_emit_fill(Derive *d, NodeList *body, Ref out, double value, Span span);
/* In place; nothing if the factor is 1. */
void derive_emit_scale(Derive *d, NodeList *body, Ref ref, int64_t numerator, int64_t denominator, Span span);
/* A copy of an operator of the reference; the caller replaces the references. */
Op *derive_emit_copy(Derive *d, NodeList *body, const Op *op);
void derive_emit_wait(Derive *d, NodeList *body, int event, Span span);
Node *derive_emit_loop(Derive *d, NodeList *body, LoopKind kind, int group, int64_t first, int64_t last, Span span);
/* The list for a unit's operators: in a loop over its layers, whose variable becomes *slot; or `body` itself, with slot
 * 0. */
NodeList *derive_unit_body(Derive *d, NodeList *body, int unit, Affine *slot, Span span);
Ref derive_ref(int buffer, Affine slot);
static inline Ref derive_scalar(int buffer)
{
    return derive_ref(buffer, affine_constant(0));
}

/* ---- convert.c ---------------------------------------------------------------------------------------------- */

/* In the order of the mesh. */
AxisSet axes_union(const Derive *d, AxisSet set, AxisSet other);
AxisSet axes_without(AxisSet set, AxisSet removed);
AxisSet axes_common(AxisSet set, AxisSet other);
bool axes_equal(AxisSet x, AxisSet y);
int64_t axes_size(const Derive *d, AxisSet set);
AxisSet axes_larger_than_one(const Decls *decls, AxisSet set);
/* "data" or "node_data": for names of buffers. */
const char *axes_name(const Derive *d, AxisSet set);
/* "data, other": for messages. */
const char *axes_words(const Derive *d, AxisSet set);

Span derive_gradient_span(const Derive *d, int unit);
Span derive_optimizer_span(const Derive *d, int unit);
Span derive_parameter_span(const Derive *d, int unit);
/* A complete value, sharded over `have`, in another form: itself, or a temporary with the converted value. */
Ref derive_in_form(Derive *d, NodeList *body, int unit, Ref from, AxisSet have, AxisSet want, Span span);

/* Reduces slot `slot` of a unit's full-size gradient over `reduce` into `to`, which is sharded over `cut`. */
void derive_reduce_into(Derive *d, NodeList *body, Ref from, Ref to, AxisSet reduce, AxisSet cut, Span span);
/* The reference to the gradient of a unit's slot as its updates read it, converted first if it was not yet. */
Ref derive_gradient_for_update(Derive *d, NodeList *body, int unit, Affine slot);
/* The same for the parameter; `write` if it is only written. */
Ref derive_parameter_for_update(Derive *d, NodeList *body, int unit, Affine slot, bool write);
/* After the last write of the parameter in the updates' form: converts it to the form it is stored in. */
void derive_store_parameter(Derive *d, NodeList *body, int unit, Affine slot);
/* The axes over which each microbatch's contributions are reduced into the stored shards of the gradient. */
AxisSet derive_reduced_each(const Derive *d, int unit);
/* Applies the explicit syncs of one unit's gradients at a moment to the slot. */
void derive_syncs(Derive *d, NodeList *body, int unit, Affine slot, SyncMoment moment);
bool derive_sync_names(const Sync *sync, SyncTarget target, int unit);
/* Does the sync name this state of the optimizer, or this declared one, which an update has written? `state` as in
 * decls->states. */
bool derive_names_state(const Derive *d, const Sync *sync, int unit, int state);
void derive_sync_state(Derive *d, NodeList *body, int unit, Ref ref, const Sync *sync);
/* Scales by the factor of an explicit sync: its scale, times 1 / n for a mean. */
void derive_scale_synced(Derive *d, NodeList *body, Ref ref, const Sync *sync, AxisSet axes);
/* Waits for syncs of parameters and states that were started. */
void derive_finish_syncs(Derive *d, NodeList *body);
/* Applies the explicit syncs of a unit's initial values. */
void derive_sync_start(Derive *d, NodeList *body, int unit, Affine slot);
/* Applies the explicit sync of a scalar. */
void derive_scalar_sync(Derive *d, NodeList *body, int buffer, const Sync *sync);

/* ---- recompute.c -------------------------------------------------------------------------------------------- */

/* Notes the values that are recomputed; reports labels that name none. */
void derive_find_recomputed(Derive *d);
/* A layer loop of the reference, with the recomputation that it needs in this layer at the start of its body. */
const Node *derive_with_recomputed(Derive *d, const Node *loop, int64_t layer);
/* Reports requests for which nothing is recomputed. */
void derive_check_recomputed(Derive *d);
/* Splits values that some layers recompute and others keep into two buffers; the former needs one slot. */
void derive_split_recomputed(Derive *d);

/* ---- keep.c ------------------------------------------------------------------------------------------------- */

/* Finds which values are stored on which tier; reports those that are recomputed as well. */
void derive_find_kept(Derive *d);
/* Stores their values between the passes of a step on that tier; reports labels that name none. */
void derive_keep_on_tiers(Derive *d);

/* ---- sums.c ------------------------------------------------------------------------------------------------- */

/* A sum over the batch, a plain buffer of the reference: one, or one for every layer of a group. */
typedef struct BatchSum {
    int ref, group; /* group -1: one */
} BatchSum;
typedef Vec(BatchSum) BatchSumList;

/* Those that the flat phase reads; `group`: of the loop around the list, -1 none. */
void derive_list_sums(Derive *d, const NodeList *list, int group, BatchSumList *sums);
/* Creates its buffer, and clears it. */
void derive_make_sum(Derive *d, const BatchSum *of, NodeList *body);
/* Adds a microbatch's sums to those of the earlier ones. */
void derive_add_sums(Derive *d, const BatchSumList *sums, NodeList *body);
/* Reduces it over the ranks, or as syncs say. */
void derive_reduce_sum(Derive *d, const Routine *routine, const BatchSum *of, NodeList *body);

/* ---- micro.c ------------------------------------------------------------------------------------------------ */

/* Walks a routine without emitting anything, to find the axes over which its sums are to be taken. */
void derive_find_sums(Derive *d, const Routine *routine);
/* The loop over microbatches of a routine, or its body without a loop if the batch is not divided. */
void derive_micro(Derive *d, const Routine *routine, NodeList *body);
/* Sets which ranks read which examples, in an operator copied from the reference. */
void derive_set_reader(const Derive *d, Op *op);
/* The unit that has a tensor's layer. */
int derive_unit_of(const Derive *d, int tensor, int64_t layer);

/* ---- derive.c ----------------------------------------------------------------------------------------------- */

/* derive_step, except for the reports of derive_report_idle. */
StepFile *derive_program(Ctx *ctx, const Train *train, const Assignment *assignment);

/* ---- idle.c ------------------------------------------------------------------------------------------------- */

/* Reports syncs without which the same program is derived, and returns whether there were any. */
bool derive_report_idle(Ctx *ctx, const Train *train, const Assignment *assignment, const StepFile *file);

/* ---- flat.c ------------------------------------------------------------------------------------------------- */

void derive_flat(Derive *d, const Routine *routine, NodeList *body);

#endif
