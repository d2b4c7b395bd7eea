/* facts.h - what is known about the reference before anything is placed: the classified reference.
 *
 *     const Facts *facts = facts_find(ctx, train, assignment);        // NULL: errors were reported
 *     if (facts->ops[op->id].phase == PHASE_MICRO) ...    // it runs in the loop over microbatches
 *     facts->buffers[op->out.buffer].partial              // its result is a sum over a part of the batch
 *     facts->routines[r].wish[op->out.buffer].rest        // the placement that the strategy wants for it
 *
 * Later stages can only read it.
 *
 *     facts.c      roles of buffers, in this order: flow, recompute, keep, synced, rest
 *     flow.c       which dims the batch shards, what is a sum over it, which operator runs in the microbatch loop
 *     recompute.c  what the backward pass recomputes
 *     keep.c       what is stored on another tier between the passes
 *     synced.c     the values that explicit syncs name
 *     rest.c       the dims that the strategy names, and placements of values that nothing else places
 *     levels.c     what comes after the microbatches, by what it depends on
 */
#ifndef PLACE_DERIVE_FACTS_H
#define PLACE_DERIVE_FACTS_H

#include "algebra/signature.h"
#include "derive/places.h"
#include "reference/train.h"
#include "strategy/assign.h"

/* What a buffer of the reference holds. */
typedef enum Role {
    ROLE_PLAIN,     /* stays dense: inputs, activations, scalars, frozen parameters */
    ROLE_PARAMETER, /* these three are stored in units */
    ROLE_GRADIENT,
    ROLE_STATE,
    ROLE_UPDATE, /* a temporary of the updates, in the unit: one number per `each` of its parameter */
    ROLE_MATRIX  /* a temporary of updates that work on whole tensors: dense, every rank has it */
} Role;

/* A sync of a value. */
typedef struct ValueSync {
    const Sync *sync;
    int number; /* among all of them */
} ValueSync;

/* A statement of a value's copies (Converted): its number in the assignment. */
typedef struct ConvertedValue {
    const Converted *request;
    int number, specificity;
} ConvertedValue;

/* Layers of which a value is stored on another tier between the passes. */
typedef struct KeptLayers {
    int64_t first, last;
    const Offloaded *request;
} KeptLayers;

/* What is known about a buffer of the reference. */
typedef struct RefBuffer {
    Role role;
    double bytes; /* of one slot, whole */
    double share; /* of these, what exchanges of its shards send: less than 1 where most is zero (share.c) */
    int tensor;   /* whose it is, unless ROLE_PLAIN */
    Each each;    /* ROLE_STATE, ROLE_UPDATE: what it has one number for */
    bool in_unit; /* ROLE_MATRIX of the parameter's shape, read by flat operators: assembled in the unit */
    int updates;  /* ROLE_UPDATE, ROLE_STATE: the declared state whose update it belongs to; -1: the optimizer's */
    unsigned batch_dims; /* bit per dim that is the batch, */
    unsigned micro_dims; /* or the microbatches, in values with one entry for each, as statistics of examples */
    bool partial;        /* a sum over a part of the batch */
    bool maximum;        /* partial with the maximum of its parts as the value, not the sum */
    bool inner;          /* single examples depend on it */
    Vec(const Recomputed *) again; /* not kept for the backward pass, which recomputes it in these layers, if not
                                      elsewhere */
    const Op *drawn;               /* the operator that computes it from numbers which every rank has: seed, step and
                                      place. It is never kept, nor sent: whoever reads it computes it */
    const Op *drawn_for;           /* its first reader */
    Vec(KeptLayers) elsewhere;     /* where it is stored between the passes, if not on the device; in order */
    bool read_flat;                /* computed in the microbatch loop, complete there, and read after it */
    Vec(ValueSync) syncs;
    Vec(ConvertedValue) converted;
    bool loss_part;   /* `sync loss`: a sum from which the loss is computed, synchronised in its place */
    unsigned literal; /* bit per axis on which they replace all conversions */
} RefBuffer;

/* A pin of an operator: what it names there. */
typedef struct PinnedOp {
    const Pin *pin;
    int number; /* of the pin, in the assignment */
    int specificity;
    int array, dim; /* PIN_BY: of the result (-1) or an operand */
    bool batch;     /* it is the batch */
    unsigned parts; /* PIN_PARTS: bit per operand; 0: those that can be */
} PinnedOp;

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
    const Op *op;   /* itself: what is recomputed is a copy of it */
    Vec(PinnedOp) pins;
} RefOp;

/* How a strategy wants a value, in one routine. */
typedef struct Wish {
    Placement rest;   /* whole by default */
    Span span;        /* the line of the strategy that says so last */
    unsigned travels; /* bit per axis of `rest` around which its shards travel to products that need all of them */
    AxisSet named;    /* axes of `rest` for which it names this value: there it has no other placement */
    const Op *reader; /* the `read` that makes it */
    bool fixed;       /* written in several places: then always placed alike */
} Wish;

/* The dims of a routine's values, dim i of buffer b at b * STEP_MAX_DIMS + i. */
typedef struct DimNames {
    const int *root;    /* dims of one root are the same dim */
    const char **first; /* the dim's own name, in parameters and inputs; NULL none */
} DimNames;

/* An operator of the flat phase and the layer loop of the reference around it (or NULL). */
typedef struct FlatOp {
    const Op *op;
    const Node *loop;
} FlatOp;

typedef struct RoutineFacts {
    const Routine *routine;
    bool cut;     /* its batch is sharded: not in predict */
    bool divided; /* and divided into microbatches: not where a model is served */
    Wish *wish;   /* per buffer of the reference */
    DimNames dims;
    int *sync_dim; /* per ValueSync: the dim that it shards, -1 none */
    Vec(FlatOp) flat;
    int level_count;
    Diag *unused; /* statements of the strategy that name nothing in it: reported once the step is placed, */
    bool failed;  /* which they refuse */
} RoutineFacts;

/* The same, for those who find it. */
typedef struct Finding {
    RefBuffer *buffers;
    RefOp *ops;
    RoutineFacts *routines;
} Finding;

typedef struct Facts {
    Ctx *ctx;
    const Train *train;
    const Assignment *assignment;
    Decls *decls; /* the program's own: the train's, with the units of the assignment, or after their split, and the
                     maps */
    const Program *reference;
    Mesh mesh;
    const int *first_unit;    /* per tensor: the first of the units that has it, -1 none */
    const RefBuffer *buffers; /* per buffer of the reference */
    const RefOp *ops;         /* per operator id of the reference */
    int op_count, loop_count;
    const RoutineFacts *routines; /* per routine of the reference */
    AxisSet batch;                /* axes that shard the batch; size 1 left out */
    AxisSet readers;              /* axes whose coordinates choose what a rank reads */
    bool local_count;
    const Sync *norm_sync, *loss_sync;
    int value_syncs;  /* the number of all ValueSyncs */
    Finding *finding; /* NULL once everything is found */
    bool failed;
} Facts;

/* NULL if the request has no lowering; errors were reported. */
Facts *facts_find(Ctx *ctx, const Train *train, const Assignment *assignment);
/* ---- facts.c ------------------------------------------------------------------------------------------------ */

/* Its index among the states that the program declares; -1 none. */
int derive_declared_index(const Assignment *assignment, const State *state);

/* A value of the reference that every rank has whole; its placement on an axis: a dim that this shards, or ON_X. */
Placement facts_whole(const Facts *f, int ref);
/* Is it kept from step to step, with something for every example? */
bool facts_is_cache(const Facts *f, int ref);
/* Is it a parameter, or its gradient, stored in a unit or, where a model is served, in none? */
bool facts_is_of_parameter(const Facts *f, int ref);
void facts_place(const Facts *f, int ref, Placement *place, int axis, int on);
/* Lowers *next to where the layers first .. last begin or end, if that is after `layer`. */
void facts_bound_layers(int64_t *next, int64_t layer, int64_t first, int64_t last);

/* What first_unit has for these declarations. */
const int *derive_first_units(Arena *arena, const Decls *decls);

/* ---- flow.c ------------------------------------------------------------------------------------------------- */

/* Classifies buffers and operators of every routine. */
void derive_flow(Facts *f);
/* The letters of operand `index` of a spec, or of the result if index is -1. In a view that divides the batch
 * ("nc->kbc": microbatches, examples of each) the batch has the letter of the examples, so that cuts pass through. */
int derive_spec_letters(const Facts *f, const Op *op, int index, const char **letters);
const char *derive_spec(const Facts *f, const Op *op);
/* Is the batch, or the microbatches, one of its dims? */
static inline bool derive_is_cut(const RefBuffer *buffer)
{
    return (buffer->batch_dims | buffer->micro_dims) != 0;
}
/* For a view that does not divide the batch: the outermost dim that it changes, in its operand and in its result: equal
 * pieces of one are pieces of the other. False for other operators. */
bool derive_view_outer(const Facts *f, const Op *op, int *dim);
/* The letter of the batch among the letters of operand `index`; 0 if there is none. */
char derive_batch_letter(const Facts *f, const Op *op, int index);
bool derive_is_zero_fill(const Op *op);

/* ---- rest.c ------------------------------------------------------------------------------------------------- */

/* Finds the placements that the strategy wants for values of a routine. */
void derive_rest(const Facts *f, RoutineFacts *routine);
/* Reports values that the strategy lets travel and that never do; `travelled`: per buffer, bit per axis around which
 * its shards did. */
bool derive_check_travelled(const Facts *f, const unsigned *travelled);
/* The name of a value, or cotangent, that is the same in every routine. */
const char *derive_name_in_step(const char *name);

/* Per dim of the routine's values: is it, or another of its root, called so? */
const bool *derive_dims_called(const Facts *f, const DimNames *dims, const char *name);
/* A strategy can name `height`, but neither `16` nor `4 * hidden`. */
bool derive_can_be_written(const char *dim);

/* ---- pins.c ------------------------------------------------------------------------------------------------- */

/* Notes for each operator the pins that name it; reports those that name nothing, or contradict each other. */
void derive_find_pins(Facts *f);
/* The pin that says how an operator is computed over an axis, in a layer; NULL if none does. `again`: it is
 * recomputed. */
const PinnedOp *derive_pinned(const Facts *f, const RoutineFacts *routine, const Op *op, int axis, int64_t layer,
                              bool again);
/* Reports pins that were never followed; `done`: per pin. */
bool derive_check_pinned(const Facts *f, const bool *done);

/* The name that statements of this subject use for what the operator computes; NULL if they cannot name it. */
const char *derive_pin_name(const Facts *f, const Op *op, PinSubject subject);
/* Does it read something by each of the labels? */
bool derive_reads_all(const Facts *f, const Op *op, const Labels *from);
/* Which of all names a label that names nothing may be meant as; false if none. */
bool derive_help_unnamed(const Facts *f, Diagnostic *d, const char *label, const NameVec *all);

/* ---- converted.c -------------------------------------------------------------------------------------------- */

/* Notes for each value the statements of its copies; reports those that name nothing, or contradict each other. */
void derive_find_converted(Facts *f);
/* The one that says how long copies of a value over an axis are kept in a layer, when they are made, or by which way;
 * NULL if none does. */
typedef enum CopyPart { COPY_LIFE, COPY_MOMENT, COPY_WAY } CopyPart;
/* `product`: that reads the value or adds to it; NULL: only statements about all of them. */
const ConvertedValue *derive_converted(const Facts *f, int ref, int axis, int64_t layer, CopyPart part,
                                       const Op *product);
/* Is a product passed shards of the value one after another, by a statement? */
bool derive_is_by_ring(const Facts *f, int ref, int axis, int64_t layer);
/* Reports statements of which no copy was made; `done`: per statement. */
bool derive_check_converted(const Facts *f, const bool *done);

/* ---- choose.c ----------------------------------------------------------------------------------------------- */

/* Where a parameter is stored, in a layer. */
Placement derive_parameter_place(const Facts *f, int tensor, int64_t layer);

/* ---- ways.c ------------------------------------------------------------------------------------------------- */

/* A way to compute an operator of the step over an axis of several ranks, and the statement that pins it. */
typedef struct PinnedWay {
    Pin pin;
    const Op *op;
    double times; /* that the operator runs for each microbatch: once per layer */
    const Signature *signature;
} PinnedWay;

typedef Vec(PinnedWay) PinnedWays;

/* Adds those with which a window runs over shards of images; nothing for other operators. */
void derive_add_window_signatures(const Facts *f, const Op *op, int axis, SignatureVec *list);

/* All that statements can name, in the order of the step: what the deriver chooses from. */
PinnedWays derive_pinned_ways(const Facts *f);

/* ---- levels.c ----------------------------------------------------------------------------------------------- */

/* Sorts the operators of the flat phase into levels; finds what updates compute. */
void derive_find_levels(const Facts *f, RoutineFacts *routine);
/* Does it add up a parameter's buffer, to a scalar? */
bool derive_sums_parameters(const Facts *f, const Op *op);

/* ---- synced.c ----------------------------------------------------------------------------------------------- */

/* Finds the values that syncs name; reports syncs that name none. */
void derive_find_synced(Facts *f);
/* Notes the values below a label that is not itself the name of a value; false if there are none. */
bool derive_note_below(const Facts *f, Diagnostic *diagnostic, const char *label, const NameVec *names);
/* Reports what has no lowering, in a routine. */
bool derive_check_synced(const Facts *f, const RoutineFacts *routine, Diag *diag);
/* Reports values whose syncs were not applied; `done`: per ValueSync. */
bool derive_check_done(const Facts *f, const bool *done);
void derive_refuse_named(Diag *diag, const Sync *sync, const char *name, const char *why, const char *help);
bool derive_sync_names(const Sync *sync, SyncTarget target, int unit);
/* The axes over which syncs sum this parameter's gradient, one bit each; not those of a mean, or a weight, which may be
 * of copies. */
unsigned derive_summed_axes(const Facts *f, int tensor);

/* ---- recompute.c -------------------------------------------------------------------------------------------- */

/* Notes the values that are recomputed; reports labels that name none. */
void derive_find_recomputed(Facts *f);
/* The statement that has a value recomputed in this layer; NULL none. */
const Recomputed *derive_recomputed(const RefBuffer *value, int64_t layer);
/* A layer loop of the reference, with the recomputation that it needs in this layer at the start of its body; notes in
 * `done` the requests for which something is recomputed. */
const Node *derive_with_recomputed(const Facts *f, const Routine *routine, const Node *loop, int64_t layer, bool *done);
/* The values that an operator of the backward pass outside layers reads and that are recomputed before it: their
 * operators, in order. */
OpList derive_drawn_before(const Facts *f, const Op *op);
/* Reports requests for which nothing is recomputed. */
bool derive_check_recomputed(const Facts *f, const bool *done);

/* ---- keep.c ------------------------------------------------------------------------------------------------- */

/* Finds which values are stored on which tier, in which layers; reports those that are recomputed as well. */
void derive_find_kept(Facts *f);
/* The statement that stores a value elsewhere than on the device, in this layer; NULL none. */
const Offloaded *derive_elsewhere(const RefBuffer *value, int64_t layer);

/* ---- share.c ------------------------------------------------------------------------------------------------ */

void derive_find_shares(Facts *f);

#endif
