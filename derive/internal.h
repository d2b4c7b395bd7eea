/* internal.h - what the files of the deriver share.
 *
 *     flow.c       what the batch cuts, what is a sum over it, which operator runs in the microbatch loop
 *     rest.c       the dims that the strategy names, and where values rest that nothing else places
 *     values.c     dense values: their placements, the conversions between these
 *     choose.c     in which placements an operator reads and writes
 *     sync.c       explicit syncs of values
 *     emit.c       appending buffers, operators and loops to the program
 *     convert.c    a unit's value from one form to another; explicit syncs of gradients
 *     recompute.c  what the backward pass computes again
 *     keep.c       what rests on another tier between the passes
 *     micro.c      the microbatch loop: reads, forward, backward, gathered parameters, accumulators
 *     sums.c       sums over the batch that are read after the microbatch loop
 *     flat.c       init and what follows the loop: norm, updates, outputs, unit by unit
 *     idle.c       what was written and changes nothing
 *     derive.c     buffers of the units, the routines
 */
#ifndef PLACE_DERIVE_INTERNAL_H
#define PLACE_DERIVE_INTERNAL_H

#include "algebra/signature.h"
#include "derive/derive.h"
#include "strategy/assign.h"

/* What a buffer of the reference is. */
typedef enum Role {
    ROLE_PLAIN,     /* stays dense: inputs, activations, scalars, frozen parameters */
    ROLE_PARAMETER, /* these three live in units */
    ROLE_GRADIENT,
    ROLE_STATE,
    ROLE_UPDATE, /* a temporary of the updates: one number of `each` of its parameter, in the unit */
    ROLE_MATRIX  /* a temporary of what an update does with whole tensors: dense, every rank has it */
} Role;

/* Where a dense value is on every axis: cut along a dim (its number), or one of these. Several axes that cut one dim do
 * so in the order of the mesh, behind the microbatches. */
enum { ON_WHOLE = -1, ON_PARTIAL = -2, ON_ANY = -3 };

typedef struct Place {
    int8_t on[STEP_MAX_AXES];
} Place;

/* What one of several buffers of a layout is for: the value, values on their way to another place, or what a sum is of
 * which the parts are still needed. */
typedef enum Purpose { FOR_VALUE, FOR_PART, FOR_SUM } Purpose;

/* The program's buffer for the values of a reference buffer in one layout. */
typedef struct Variant {
    Place layout;
    bool micro; /* its batch is cut into microbatches */
    Purpose purpose;
    int buffer;
} Variant;

/* What the pieces of an image have of their neighbours' rows (side 0) or columns (1), which an axis cuts. */
typedef struct Halo {
    int axis, side;
    int64_t before, after;
} Halo;

/* Those of rows, then those of columns. */
typedef struct Halos {
    int count;
    Halo of[2];
} Halos;

/* A variant with halos. */
typedef struct Wide {
    Halos halos;
    Place place;
    bool part, cut, by_layer; /* what layers read is apart from what is read behind them */
    int buffer;
} Wide;

/* A value at hand: of which slot (of layers first .. last plus a constant), in what placement, in which buffer. */
typedef struct Held {
    bool by_layer;
    int64_t constant, first, last;
    Place place;
    int buffer;
} Held;

typedef Vec(Held) HeldList;

/* A sync of a value; the dim that it cuts, in the routine at hand. */
typedef struct ValueSync {
    const Sync *sync;
    int dim;
    bool done; /* somewhere */
} ValueSync;

typedef struct RefBuffer {
    Role role;
    int tensor;   /* whose, but for ROLE_PLAIN */
    Each each;    /* ROLE_STATE, ROLE_UPDATE: of what it has one number */
    bool in_unit; /* ROLE_MATRIX of the parameter's shape that flat operators read: put together in the unit */
    int updates;  /* ROLE_UPDATE, ROLE_STATE: the declared state whose update it belongs to; -1 the optimizer's */
    unsigned batch_dims; /* bit per dim that is the batch, */
    unsigned micro_dims; /* that counts microbatches: of what each has of its own, as statistics of its examples */
    bool partial;        /* a sum over a part of the batch */
    bool maximum;        /* of parts of it the largest is the value, not the sum */
    bool inner;          /* single examples depend on it */
    Vec(const Recomputed *) again; /* not kept for the backward pass, which computes it again in these layers */
    const Offloaded *elsewhere;    /* where it rests between the passes, if not on the device */
    bool read_flat;                /* made in the microbatch loop, where it is complete, and read after it */
    Vec(Variant) variants;
    Vec(Wide) wides;
    int sum;            /* where its sum over the microbatches is kept; -1 none */
    AxisSet sum_axes;   /* over which axes that is a sum, too */
    Place rest;         /* where the strategy wants it, in the routine at hand; whole unless said */
    unsigned travels;   /* bit per axis of `rest` around which its pieces travel to products that need all of them */
    unsigned travelled; /* and around which they did */
    AxisSet named;      /* axes of `rest` that it says of this value by name: there it is nowhere else */
    const Op *reader;   /* the `read` that makes it */
    Vec(ValueSync) syncs;
    bool loss_part; /* `sync loss`: a sum that the loss is made of, in whose place it is synchronised */
    unsigned literal; /* bit per axis on which they stand for all conversions */
    unsigned parted;  /* bit per axis over which a gradient is made of its parts, of which a sync takes the sum */
    /* While a routine is emitted: */
    HeldList held;
    HeldList held_wide;   /* in buffers with a halo */
    bool fixed, has_home; /* written in several places: then it is always at `home` */
    Place home;
} RefBuffer;

/* A parameter's gradient: over which axes its contributions are parts of a sum. */
typedef struct GradientSum {
    int tensor;
    int64_t first, last;
    AxisSet axes;
} GradientSum;

typedef enum Phase {
    PHASE_MICRO,
    PHASE_FLAT,
    PHASE_DROP,
    PHASE_EARLY,  /* sums over the batch that single examples depend on: in a loop of their own before the others */
    PHASE_BETWEEN /* what is made of those for single examples: between the two loops */
} Phase;

/* What is known about an operator of the reference, by its id. */
typedef struct RefOp {
    Phase phase;
    bool early;     /* PHASE_EARLY needs it */
    bool backward;  /* feeds gradients but no output */
    bool partial;   /* its result is a sum over a part of the batch */
    bool completes; /* the last of a list of operators that adds to its result */
    int level;      /* PHASE_FLAT: even: scalars, odd: parameter by parameter (flat.c) */
    int tensor;     /* PHASE_FLAT: whose, or -1 */
    int derived;    /* the id of the operator that was made from it first; -1 none */
} RefOp;

/* A sync that was started, on what. */
typedef struct Started {
    const Sync *sync;
    int result, into; /* the buffer of what was started; the one that it belongs in */
    AxisSet axes;
    int event;
} Started;

/* What is still to be done of a sync that was started: the wait, and what stands behind it. */
typedef struct Tail {
    int event;
    Span span;
    NodeList rest;
} Tail;

typedef struct UnitInfo {
    const UnitPlacement *placement;
    AxisSet parameters, gradients, optimizer; /* cut at rest; axes of size 1 left out */
    bool gathered;                            /* use needs another form than rest */
    int parameter_buffer;
    int full_buffer;    /* the gathered copy; -1 not made yet */
    int accumulator;    /* of gradients, over the microbatches */
    int contribution;   /* full-size gradient of one microbatch, where the accumulator is cut; else the accumulator */
    int local_shard;    /* its reduced piece before it is added; -1 not made yet */
    int *state_buffer;  /* per state; -1 where it has none */
    AxisSet *state_cut; /* per state: over which axes it and its updates are cut */
    int contribution_sites;
    AxisSet partial;     /* over which axes the contributions to its gradient are parts of a sum */
    AxisSet member_cuts; /* over which axes its members are cut */
    bool refused;        /* a use that has no lowering was reported */
    bool explicit_gradients;
    bool pieces;                 /* the gradient is added up in pieces */
    const Sync *microbatch_sync; /* explicit, and done on the contribution instead of the accumulator */
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

/* What operators of one kind and spec can do with pieces, over whatever axis. */
typedef struct OpSignatures {
    const char *spec;
    bool even; /* with equal pieces, too */
    OpShape shape;
    SignatureVec list;
} OpSignatures;

typedef struct Derive {
    Ctx *ctx;
    const Train *train;
    const Assignment *assignment;
    Decls *decls;
    const Program *reference;
    Program *program;
    StrTable *buffer_names; /* of the program */
    RefBuffer *buffers;     /* per buffer of the reference */
    RefOp *ops;             /* per id of its operators */
    int op_count;
    Vec(OpSignatures) signatures[OP_COUNT]; /* that were asked for */
    UnitInfo *units;
    AxisSet batch;   /* axes that cut the batch; size 1 left out */
    AxisSet readers; /* whose coordinates choose what a rank reads */
    bool local_count;
    const Sync *norm_sync, *loss_sync;
    Vec(UpdateBuffer) update_buffers;
    Vec(GradientSum) gradient_sums;
    bool *recomputed; /* per request: whether anything is computed again for it */
    Vec(Tail) tails;   /* of the routine, behind all updates */
    Vec(int) floating; /* events that are waited for at the use */
    bool early;        /* the loop of sums that single examples depend on */
    bool dry;          /* a walk that only finds gradient_sums: nothing is emitted */
    /* While a routine is emitted: */
    const Routine *routine; /* of the reference */
    bool cut;               /* its batch is cut: not in predict */
    int micro_loop;         /* the id of the loop over microbatches; -1 outside of it */
    int *loop_map;          /* reference loop ids to the program's */
    int ref_loop;           /* the open layer loop of the reference, or -1; its group and the layers emitted at hand */
    int group;
    int64_t first_layer, last_layer;
    bool failed;
} Derive;

/* ---- flow.c ------------------------------------------------------------------------------------------------- */

/* Classifies buffers and operators of every routine. */
void derive_flow(Derive *d);
/* The letters of operand `index` of a spec, of the result where index is -1. In a view that parts the batch ("nc->kbc":
 * microbatches, examples of one) the batch has the letter of the examples, so that cuts pass. */
int derive_spec_letters(const Derive *d, const Op *op, int index, const char **letters);
const char *derive_spec(const Derive *d, const Op *op);
/* Whether the batch, or the microbatches, are a dim of it. */
static inline bool derive_is_cut(const RefBuffer *buffer)
{
    return (buffer->batch_dims | buffer->micro_dims) != 0;
}
/* The outermost dim that another view changes, of its operand and of its result: equal pieces of one are pieces of the
 * other. False for other operators. */
bool derive_view_outer(const Derive *d, const Op *op, int *dim);
/* The letter of the batch among the letters of operand `index`; 0 where there is none. */
char derive_batch_letter(const Derive *d, const Op *op, int index);
bool derive_is_zero_fill(const Op *op);

/* ---- rest.c ------------------------------------------------------------------------------------------------- */

/* Where values rest, in the routine at hand. */
void derive_rest(Derive *d, const Routine *routine);
/* Reports what the strategy lets travel and never does, once the step is derived. */
void derive_check_travelled(Derive *d);
/* The name of a value, or cotangent, that is the same in every routine. */
const char *derive_name_in_step(const char *name);

/* ---- values.c ----------------------------------------------------------------------------------------------- */

Place place_whole(void);
bool place_equal(const Place *x, const Place *y);
/* The axes that are ON_PARTIAL, ON_WHOLE, or cut a dim. */
AxisSet place_axes(const Derive *d, const Place *place, int on);
/* The bytes of a value so placed that axis `but` sees. */
double place_bytes(const Derive *d, int ref, const Place *place, int but);
/* What a rank sends on one axis, of a value of `bytes`; INFINITY where there is no such conversion. */
double place_cost_on(const Derive *d, int axis, int from, int to, double bytes);
double place_cost(const Derive *d, int ref, const Place *from, const Place *to);

/* Whether a value is brought from one placement to another by more than taking a piece, on an axis on which its syncs
 * stand for all conversions. */
bool place_breaches(const Derive *d, int ref, int axis, int from, int to);

/* The buffer for values of a reference buffer in a placement (`suffix` names it where it is new); a buffer beside it
 * for what is added to such a value. */
int derive_variant(Derive *d, int ref, const Place *place);
int derive_named_variant(Derive *d, int ref, const Place *place, const char *suffix);
int derive_part(Derive *d, int ref, const Place *place);
/* What is at hand of a value, NULL for nothing; adding to it; forgetting what was overwritten. */
void derive_start_routine(Derive *d, const Routine *routine);
Held *derive_held(Derive *d, Ref ref);
bool derive_is_held(const Derive *d, const Held *held, Ref ref);
Held *derive_hold(Derive *d, Ref ref, Place place, int buffer);
void derive_hold_wide(Derive *d, Ref ref, Place place, int buffer);
void derive_forget(Derive *d, Ref ref);
void derive_enter_loop(Derive *d, NodeList *body, const Node *loop);
void derive_leave_loop(Derive *d, const Node *loop);
/* Converts the value that lies in `at`, into slot `slot` of other buffers; where to. */
Ref derive_route(Derive *d, NodeList *body, int ref, Ref at, Affine slot, Place from, const Place *to, bool part,
                 Span span);
/* Takes the sums that the value still is, where it is; whether there were any. */
bool derive_complete(Derive *d, NodeList *body, Ref ref, Span span);
/* The value in a placement, converted from what is at hand. */
Ref derive_value(Derive *d, NodeList *body, Ref ref, const Place *to, Span span);

/* ---- sync.c ------------------------------------------------------------------------------------------------- */

/* Finds the values that syncs name; reports those that name none. */
void derive_find_synced(Derive *d);
/* Reports what has no lowering, in the routine at hand. */
void derive_check_synced(Derive *d, const Routine *routine);
/* Does the syncs of a value that lies in `at`; where it is then, and in which placement. */
Ref derive_sync_value(Derive *d, NodeList *body, int ref, Ref at, Place *place);
/* The same for a number that no microbatch has, which was made in `at` by an operator of the reference, and for a sum
 * over parameters, in the buffer where one rank has its own. */
void derive_sync_number(Derive *d, NodeList *body, const Op *ref_op, Ref at);
void derive_sync_sum(Derive *d, NodeList *body, int ref, int buffer);
/* Reports values whose syncs were not done. */
void derive_check_done(Derive *d);
/* Syncs of a running statistic, if that is what the operator, which was emitted, updates. */
void derive_sync_statistic(Derive *d, NodeList *body, const Op *op);
/* Waits for values that were started only move to where these are used first, at the latest the end of the list. */
void derive_float_waits(Derive *d, NodeList *list);
/* Notes of which values gradients are made of parts whose sum a sync takes: other gradients that it sums are then made
 * of the same parts, whether or not the deriver would have summed the value between the two. False where there are
 * none. */
bool derive_find_parted(Derive *d);
/* The axes over which syncs take the sum of this parameter's gradient, one bit each; not those of a mean, or a weight,
 * which may be of copies. */
unsigned derive_summed_axes(const Derive *d, int tensor);
/* Reports a reader that needs the value otherwise than its syncs leave it. */
void derive_refuse_breach(Derive *d, int ref, int axis, const char *reader, Span span);

/* ---- choose.c ----------------------------------------------------------------------------------------------- */

/* A product taken in as many steps as an axis has ranks, while an operand, or the result, travels around it. */
typedef struct Ring {
    bool turns;
    int axis, dim; /* the axis cuts that dim of what travels */
    int operand;   /* that travels; -1 the result */
} Ring;

/* How an operator reads and what it gives. */
typedef struct Choice {
    Place operand[STEP_MAX_OPERANDS];
    Place result; /* as computed */
    Place kept;   /* as it is then wanted */
    Ring ring;    /* as it is computed */
    Halos halos;  /* of what lies on the input's grid of windows */
} Choice;

/* False where no signature can be reached: reported, if it should be. */
bool derive_choose(Derive *d, const Op *op, bool report, Choice *choice);
/* Where a parameter is in the layers at hand. */
Place derive_parameter_place(const Derive *d, int tensor);
/* Notes over which axes a contribution to a gradient, to a sum over the batch, is a part of it. */
void derive_note_gradient(Derive *d, int tensor, AxisSet axes);
void derive_note_sum(Derive *d, int ref, AxisSet axes);
/* Those of a gradient in a layer. */
AxisSet derive_gradient_axes(const Derive *d, int tensor, int64_t layer);

/* ---- ring.c ------------------------------------------------------------------------------------------------- */

/* Turns the conversion of a value that travels, before a product or after it, into a ring; false where it cannot. */
bool derive_find_ring(Derive *d, const Op *op, Choice *choice);
/* Emits the product; its references are those of the program. */
void derive_emit_ring(Derive *d, NodeList *body, const Op *op, const Ring *ring);

/* ---- halo.c ------------------------------------------------------------------------------------------------- */

/* Those of windows over pieces, over an axis; `choice`: of the axes before it. */
void derive_add_halo_signatures(const Derive *d, const Op *op, int axis, const Choice *choice, SignatureVec *list);
Halos derive_halos_of(const Derive *d, const Op *op, const Choice *choice);
/* Of an operator of windows: whether the operand, the result, lies on the input's grid. */
bool derive_reads_halo(const Op *op, int operand);
bool derive_gives_halo(const Op *op);
/* P0358, where an image is in pieces and its windows work on the whole. */
void derive_report_whole_windows(Derive *d, const Op *op, const Choice *choice);
/* The value that lies in `plain`, with its halos. */
Ref derive_halo_value(Derive *d, NodeList *body, Ref ref, Ref plain, const Place *place, Halos halos, Span span);
/* The operator with its result in pieces with a halo, and these brought to where they belong. */
void derive_emit_halo_add(Derive *d, NodeList *body, Ref ref, Op *op, const Choice *choice);

/* ---- emit.c ------------------------------------------------------------------------------------------------- */

int derive_add_buffer(Derive *d, Buffer buffer);
/* A flat buffer of a unit, cut over `cut`, with one slot per layer. */
int derive_add_unit_buffer(Derive *d, int unit, const char *name, DType dtype, Category category, AxisSet cut,
                           Span span);
/* The same for a temporary that holds what the flat buffer `like` holds, in another form. */
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
/* In place; nothing where the factor is 1. */
void derive_emit_scale(Derive *d, NodeList *body, Ref ref, int64_t numerator, int64_t denominator, Span span);
/* A copy of an operator of the reference; the caller replaces the references. */
Op *derive_emit_copy(Derive *d, NodeList *body, const Op *op);
void derive_emit_wait(Derive *d, NodeList *body, int event, Span span);
Node *derive_emit_loop(Derive *d, NodeList *body, LoopKind kind, int group, int64_t first, int64_t last, Span span);
/* Where a unit's operators go: a loop over its layers, whose variable makes *slot; or `body` itself and slot 0. */
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
/* A complete value, cut over `have`, in another form: itself, or a temporary that it is brought into. */
Ref derive_in_form(Derive *d, NodeList *body, int unit, Ref from, AxisSet have, AxisSet want, Span span);

/* Reduces slot `slot` of a unit's full-size gradient over `reduce` into `to`, which is cut over `cut`. */
void derive_reduce_into(Derive *d, NodeList *body, Ref from, Ref to, AxisSet reduce, AxisSet cut, Span span);
/* The reference to the gradient of a unit's slot as its updates read it, converted before if it was not yet. */
Ref derive_gradient_for_update(Derive *d, NodeList *body, int unit, Affine slot);
/* The same for the parameter; `write` where it is only written. */
Ref derive_parameter_for_update(Derive *d, NodeList *body, int unit, Affine slot, bool write);
/* After the last write of the parameter in the updates' form: back to where it rests. */
void derive_store_parameter(Derive *d, NodeList *body, int unit, Affine slot);
/* Over which axes each microbatch's contributions are reduced into the pieces that the gradient rests in. */
AxisSet derive_reduced_each(const Derive *d, int unit);
/* Explicit syncs of one unit's gradients at a moment, on the slot. */
void derive_syncs(Derive *d, NodeList *body, int unit, Affine slot, SyncMoment moment);
bool derive_sync_names(const Sync *sync, SyncTarget target, int unit);
/* Those of a state of the optimizer, or a declared one, which an update has written; `state` as in decls->states. */
bool derive_names_state(const Derive *d, const Sync *sync, int unit, int state);
void derive_sync_state(Derive *d, NodeList *body, int unit, Ref ref, const Sync *sync);
/* The factor of an explicit sync: its scale, and 1 / n where it is a mean. */
void derive_scale_synced(Derive *d, NodeList *body, Ref ref, const Sync *sync, AxisSet axes);
/* Waits for what was started of parameters and states. */
void derive_finish_syncs(Derive *d, NodeList *body);
/* What is done with a unit's initial values. */
void derive_sync_start(Derive *d, NodeList *body, int unit, Affine slot);
/* Explicit sync of a scalar. */
void derive_scalar_sync(Derive *d, NodeList *body, int buffer, const Sync *sync);

/* ---- recompute.c -------------------------------------------------------------------------------------------- */

/* Notes the values that are computed again; reports labels that name none. */
void derive_find_recomputed(Derive *d);
/* A layer loop of the reference, at the head of its body what it needs of those in this layer. */
const Node *derive_with_recomputed(Derive *d, const Node *loop, int64_t layer);
/* Reports requests for which nothing is. */
void derive_check_recomputed(Derive *d);
/* What is computed again in some layers and kept in others is in two buffers, of which the first needs one slot. */
void derive_split_recomputed(Derive *d);

/* ---- keep.c ------------------------------------------------------------------------------------------------- */

/* Which values rest on which tier; reports those that are computed again as well. */
void derive_find_kept(Derive *d);
/* Puts what they are between the passes of a step on that tier; reports labels that name none. */
void derive_keep_on_tiers(Derive *d);

/* ---- sums.c ------------------------------------------------------------------------------------------------- */

/* A sum over the batch, a plain buffer of the reference: one, or one for every layer of a group. */
typedef struct BatchSum {
    int ref, group; /* group -1: one */
} BatchSum;
typedef Vec(BatchSum) BatchSumList;

/* Those that the flat phase reads; `group`: of the loop around the list, -1 none. */
void derive_list_sums(Derive *d, const NodeList *list, int group, BatchSumList *sums);
/* Zero, in a buffer of its own. */
void derive_make_sum(Derive *d, const BatchSum *of, NodeList *body);
/* A microbatch's sums to those before. */
void derive_add_sums(Derive *d, const BatchSumList *sums, NodeList *body);
/* Over the ranks, or what syncs say. */
void derive_reduce_sum(Derive *d, const Routine *routine, const BatchSum *of, NodeList *body);

/* ---- micro.c ------------------------------------------------------------------------------------------------ */

/* Walks a routine without emitting anything: over which axes are its sums to be taken? */
void derive_find_sums(Derive *d, const Routine *routine);
/* The loop over microbatches of a routine, or the same without a loop where the batch is not cut. */
void derive_micro(Derive *d, const Routine *routine, NodeList *body);
/* Which ranks read what: an operator that was copied from the reference. */
void derive_set_reader(const Derive *d, Op *op);
/* The unit that has a tensor's layer. */
int derive_unit_of(const Derive *d, int tensor, int64_t layer);

/* ---- derive.c ----------------------------------------------------------------------------------------------- */

/* derive_step, but for what derive_report_idle reports. */
StepFile *derive_program(Ctx *ctx, const Train *train);

/* ---- idle.c ------------------------------------------------------------------------------------------------- */

/* A copy of what is derived from, as deriving changes it. */
Train *derive_spare(Ctx *ctx, const Train *train);
/* Reports syncs without which the same program is derived; `train`: a spare one. */
bool derive_report_idle(Ctx *ctx, const Train *train, const StepFile *file);

/* ---- flat.c ------------------------------------------------------------------------------------------------- */

void derive_flat(Derive *d, const Routine *routine, NodeList *body);

#endif
