/* choices.h - what was chosen for the program of every rank before any of it is emitted: for each operator of the
 * reference the placements in which it reads and writes, and every conversion between them, as plain steps.
 *
 *     const Choices *choices = derive_choices(ctx, train, assignment);
 *     for each routine: choices->routines[r].body          // a list of Chosen: what will be emitted, in this order
 *
 * The list is parallel to the program: an operator; a run of layers, with a list of its own; what a unit needs before
 * or after them (a gather of its parameters, a reduction of its gradient). For `h = x @ w` under tensor parallelism,
 * where the strategy stores x sharded along its tokens (dim 1) over the axis t and w along its rows (dim 0):
 *
 *     op        einsum "btc,oc->bto"
 *     operand   { x: whole; w: t on dim 0 }     result { t on dim 2 }     kept { the same }
 *     reads[0]  from variant 3 (x, t on dim 1)  steps { all_gather over t: reads 3, writes 7 (x, whole) }
 *     reads[1]  from UNIT_BUFFER, no steps      (the unit has it like that)
 *     into      variant 8 (h, t on dim 2)       bytes: what this sends; next: what the next best choice would have
 *
 * A *variant* is a value of the reference in one layout; the program has a buffer for each, made when it is first
 * needed. All of this is decided by place.c and the files below it; emission asks for no more than is written here.
 */
#ifndef PLACE_DERIVE_CHOICES_H
#define PLACE_DERIVE_CHOICES_H

#include "algebra/signature.h"
#include "derive/derive.h"
#include "derive/units.h"

/* ---- Variants ----------------------------------------------------------------------------------------------- */

/* The purpose of a variant, of several with the same layout: the value itself, a value on its way to another placement,
 * the sum of a value whose parts are still needed, or its sum over the microbatches. */
typedef enum Purpose { FOR_VALUE, FOR_PART, FOR_SUM, FOR_TOTAL } Purpose;

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

typedef struct Variant {
    int ref;          /* the buffer of the reference */
    Placement layout; /* a part of a sum has the layout of the whole, so that it is summed in place */
    bool micro;       /* its batch is divided into microbatches */
    Purpose purpose;
    const char *suffix; /* of its buffer's name: "gathered"; "" for none */
    Halos halos;        /* with halos: */
    int plain;          /* the variant without them */
    bool cut, by_layer; /* what layers read has its own buffer, apart from what is read after them */
} Variant;

bool variant_equal(const Variant *x, const Variant *y);
/* Of a value in a routine whose batch is `divided` into microbatches or not, without halos. */
Variant variant_of(const Facts *f, bool divided, int ref, const Placement *place, Purpose purpose);

/* In the place of a variant: the unit's own buffer (of a parameter, a gradient), or nothing. */
enum { UNIT_BUFFER = -1, NO_VARIANT = -2 };

/* ---- Conversions -------------------------------------------------------------------------------------------- */

/* One operator of a conversion. `place_shard` is preceded by zeros in what it writes; `read` reads the input again;
 * `scale` applies the factor of a sync. */
typedef struct Step {
    OpKind kind;
    AxisSet axes;
    int reads, writes; /* variants; in place if they are the same */
    Placement before, after;
    ReduceKind reduce;
    const Sync *sync; /* that asked for it, or NULL */
    bool accumulate;
    bool waits;   /* only started here, and waited for before the first use */
    double bytes; /* that a rank sends, in all microbatches of a step (of one layer) */
} Step;

typedef enum Why {
    WHY_READER,  /* a reader needs the value thus */
    WHY_AHEAD,   /* a later reader does */
    WHY_WINDOW,  /* windows need the neighbours' rows or columns */
    WHY_NAMED,   /* the strategy names the value */
    WHY_REST,    /* the strategy stores such values thus */
    WHY_WRITERS, /* it is written in several places, always in one placement */
    WHY_LOOP,    /* a loop reads the whole value */
    WHY_ADDED,   /* something is added to it that does not belong to the sum */
    WHY_SYNC,    /* a sync of the value */
    WHY_AFTER,   /* it is read after the microbatches */
    WHY_GRADIENT /* gradients, and sums over the batch, have one placement for all contributions */
} Why;

typedef struct Route {
    int from;        /* a variant, or UNIT_BUFFER; NO_VARIANT: there is no conversion */
    Vec(Step) steps; /* none if the value is used as it is */
    Why why;
    const Converted *kept; /* the statement that says how long the copy is kept; NULL: none does */
} Route;

/* ---- Operators ---------------------------------------------------------------------------------------------- */

/* A product computed in as many steps as an axis has ranks, while an operand, or the result, travels around it. */
typedef struct Ring {
    bool turns;
    int axis, dim;            /* the axis, and the dim of what travels that it shards */
    int operand;              /* that travels; -1: the result */
    const Converted *request; /* the statement that says so; NULL: that of where it is stored */
} Ring;

/* The placements in which an operator reads its operands and gives its result. */
typedef struct Choice {
    Placement *operand;
    Placement result;                 /* as computed */
    Placement kept;                   /* as it is wanted then */
    Ring ring;                        /* as it is computed */
    Halos halos;                      /* of values on the input's grid of windows */
    double bytes;                     /* that this sends, and its result will when it is summed, */
    double next;                      /* and what the next best choice would; INFINITY if there is none */
    const Pin *pinned[STEP_MAX_AXES]; /* the statement that says how it is computed over an axis; NULL: none does */
} Choice;

/* In order: the target's sum is completed, operands are converted, the operator writes `computed`, that is converted to
 * what it is kept as, which is, or is added to, `into`; then the value's syncs. */
typedef struct OpChoice {
    const Op *op;  /* of the reference */
    bool backward; /* it belongs to the backward pass */
    Choice choice;
    Route target;       /* of what it adds to */
    Route *reads;       /* per operand */
    Route *halos;       /* per operand; NULL: none */
    int computed, into; /* variants, or UNIT_BUFFER */
    int plain;          /* the value's variant in the layout of the result as computed */
    bool accumulate;    /* the operator adds to `computed` */
    bool added;         /* `computed`, converted, is added to `into` */
    Route halo;         /* contributions to neighbours' rows: from the variant that the operator writes to `computed` */
    Route result;       /* from `computed` */
    Route synced, after;
} OpChoice;

/* ---- Units -------------------------------------------------------------------------------------------------- */

/* Where a step of a unit's conversion reads and writes: what it starts from, a copy on the way, whole or in larger
 * shards, what it ends in. */
typedef enum UnitAt { AT_SOURCE, AT_WHOLE, AT_LARGER, AT_TARGET } UnitAt;

typedef struct UnitStep {
    OpKind kind;
    AxisSet axes;
    AxisSet cut; /* of AT_LARGER */
    UnitAt reads, writes;
    Span span;       /* the line of the strategy that asks for it; unknown in moves: the reader's */
    double elements; /* that a rank sends, for one layer */
} UnitStep;
typedef Vec(UnitStep) UnitSteps;

/* A complete value of a unit, from shards over `have` to shards over `want`; no axes: whole. */
typedef struct UnitMove {
    AxisSet have, want;
    UnitSteps steps;
} UnitMove;

/* What an explicit sync does with what a rank has. All but the first two scale the result, too. */
typedef enum SyncForm {
    FORM_NOTHING,
    FORM_GATHER, /* of the updated parameter: the steps of `stored` */
    FORM_SCALE,  /* its axes have one rank each */
    FORM_ALL_REDUCE,
    FORM_INTO_SHARDS, /* a reduce_scatter of the gradient into a buffer of its own */
    FORM_SEGMENTS,    /* some segments of each member are taken out, reduced and put back */
    FORM_BROADCAST    /* axis by axis */
} SyncForm;

/* One explicit sync of a unit, or a sum that is derived because syncs leave it out. */
typedef struct UnitSync {
    const Sync *sync; /* NULL: derived */
    Span span;
    SyncForm form;
    AxisSet axes;      /* those of size 1 left out */
    unsigned segments; /* FORM_SEGMENTS: one bit each */
    ReduceKind reduce;
    /* Of a gradient: */
    bool from_shard;      /* it finds the gradient in shards that an earlier sync left; otherwise in the accumulator */
    AxisSet found;        /* they are over these */
    bool put_back_before; /* first they go into their places in the accumulator */
    bool put_back_after;  /* what FORM_INTO_SHARDS gives goes there, too; otherwise it is left in its shards */
    bool converted;       /* it is done on copies in this dtype */
    DType dtype;
    bool guarded; /* it is done after this microbatch alone */
    int64_t microbatch;
    bool waits; /* only started: waited for at the step (gradients), or after all updates (parameters and states) */
    int64_t numerator, denominator; /* of the scale, with the number of ranks of a mean */
    double elements;                /* that a rank sends each time, for one layer */
} UnitSync;
typedef Vec(UnitSync) UnitSyncs;

/* The sync of a state, done when the operators of a level have updated it. */
typedef struct StateSync {
    int level, state;
    UnitSync sync;
} StateSync;

/* What is converted of a unit, as the strategy decides. */
typedef struct UnitChoice {
    UnitSteps gather;           /* the parameter as stored, to the whole that is read */
    UnitSteps each;             /* a microbatch's contributions, into the stored shards of the gradient */
    UnitSyncs each_shard;       /* explicit syncs of these shards, before they are added to the accumulator */
    AxisSet accumulated;        /* the cut of these; no axes: the gradient is accumulated whole */
    UnitSyncs each_microbatch;  /* explicit syncs of the gradient, in this order: after each microbatch, */
    UnitSyncs after_microbatch; /* after certain ones, */
    UnitSyncs at_step;          /* before its first use by an update, */
    UnitSyncs completed;        /* and, with all of them complete, the sums that they leave out */
    bool left_in_shards;        /* they leave it in the shards that the updates read */
    UnitSteps gradient;         /* then, or after its explicit syncs: into the form in which the updates read it, */
    bool gradient_moves;        /* which is another buffer */
    Vec(UnitMove) moves;        /* between the forms in which updates read and write */
    UnitSteps stored;           /* the updated parameter, into the form in which it is stored, */
    AxisSet gathered_after;     /* over these axes */
    AxisSet ungathered;         /* but for these, over which a sync replaces that */
    UnitSync *parameter;        /* as this says, and then it is done; NULL: as derived */
    UnitSyncs at_start;         /* of the initial parameter */
    Vec(StateSync) states;
} UnitChoice;

/* ---- Lists -------------------------------------------------------------------------------------------------- */

typedef struct Chosen Chosen;
typedef Vec(Chosen) ChosenList;

/* A value that a loop reads from outside, completed before it. */
typedef struct Entry {
    Ref ref;
    Span span;
    Route route;
} Entry;

/* A conversion for a later reader, made at once: right after the operator or loop that computes the value. */
typedef struct AheadChoice {
    Entry entry;
    const Converted *request;
} AheadChoice;

/* The layers of a loop that are emitted together: they use the same units. */
typedef struct LayersChoice {
    const Node *loop; /* of the reference; with what is recomputed at its start */
    int64_t first, last;
    bool backward; /* they belong to the backward pass */
    Vec(Entry) entries;
    ChosenList body;
} LayersChoice;

typedef enum ChosenKind {
    CHOSEN_OP,
    CHOSEN_LAYERS,
    CHOSEN_AHEAD,
    CHOSEN_GATHER, /* a unit's parameters are made whole */
    CHOSEN_CLEAR,  /* the buffer for its contributions is cleared */
    CHOSEN_REDUCE  /* its contributions are reduced into the shards of its gradient */
} ChosenKind;

struct Chosen {
    ChosenKind kind;
    OpChoice *op;
    LayersChoice *layers;
    AheadChoice *ahead;
    int unit;    /* CHOSEN_GATHER, CHOSEN_CLEAR, CHOSEN_REDUCE */
    bool direct; /* CHOSEN_REDUCE: its only contribution is the gradient itself */
};

/* A sum over the batch, a plain buffer of the reference, that is read after the microbatches: one, or one for every
 * layer of a group. */
typedef struct SumChoice {
    int ref, group; /* group -1: one */
    bool loss;      /* `sync loss` replaces what is derived for it */
    Route done;     /* over the ranks */
} SumChoice;
typedef Vec(SumChoice) SumList;

/* The syncs of a number that belongs to no microbatch, or of a sum over parameters. */
typedef struct NumberSync {
    int ref;
    Route done;
} NumberSync;

typedef struct RoutineChoices {
    const RoutineFacts *facts;
    bool failed;   /* the choices are not complete; the reports are in */
    Diag *reports; /* what was found on the way; for the user once the routine is emitted */
    bool micro;    /* it has a loop over microbatches */
    bool gradients;
    Vec(int) gathered, cleared; /* units: gathered for the step; whose accumulators are cleared */
    SumList sums;
    SumList early; /* sums that single examples depend on: in a loop of their own, which comes first, */
    ChosenList early_body;
    ChosenList between; /* then what is computed from them */
    ChosenList body;
    Vec(NumberSync) numbers;
} RoutineChoices;

struct Choices {
    const Facts *facts;
    const UnitInfo *units; /* NULL: not divided yet */
    const UnitChoice *unit_choices;
    Vec(Variant) variants;
    RoutineChoices *routines; /* per routine of the reference */
    unsigned *travelled;      /* per buffer of the reference: bit per axis around which its shards travelled */
    Placement *home;          /* per buffer of the reference: where what is kept from step to step is stored, unless
                                 in a unit */
    bool *synced;             /* per ValueSync: was it applied? */
    bool *recomputed;         /* per request */
    bool *pinned;             /* per pin: was it followed? */
    bool *converted;          /* per statement of copies: was one made? */
    bool failed;
};

/* ---- Statements ----------------------------------------------------------------------------------------------- */

typedef bool SignatureWanted(void *data, const Signature *signature);

/* The first signature of an operator of the step that is wanted, and a pin that says so of it, but for the axis and the
 * layers; false if there is none, or no statement can name the operator. */
bool derive_pin_wanted(const Choices *choices, const Op *op, SignatureWanted *wanted, void *data, Signature *signature,
                       Pin *pin);

#endif
