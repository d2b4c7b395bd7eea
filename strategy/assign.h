/* assign.h - the assignment: where each state is stored, per unit and axis. A strategy (or a search) produces it;
 * one function, derive_step, lowers it to a step program, and changes nothing in it.
 *
 * Units partition the trainable parameters: parameters of one group whose placements, layer ranges and explicit syncs
 * are the same form one unit (by default one repeated block, or everything outside the blocks).
 */
#ifndef PLACE_STRATEGY_ASSIGN_H
#define PLACE_STRATEGY_ASSIGN_H

#include "step/step.h"

/* How one state of one unit is placed: stored flat, cut over `rest` (empty: a full copy each); used cut over `use`
 * (empty: the full value). gathered = rest nonempty, use empty. sharded = rest == use. replicated = both empty. */
typedef struct StatePlacement {
    AxisSet rest, use;
    AxisSet joined;                     /* parameters: the axes that cut a dim of them as stored, and nothing in use */
    enum { KEEP_PASS, KEEP_STEP } keep; /* how long the gathered copy lives */
    Tier tier;                          /* as stored */
    Span span;                          /* the line of the strategy; unknown if no statement places it */
} StatePlacement;

typedef struct UnitPlacement {
    Unit unit;
    StatePlacement parameters, gradients, optimizer;
    StatePlacement *declared; /* per name in declared_states: placed like the optimizer unless the strategy names it */
} UnitPlacement;

typedef enum SyncTarget {
    SYNC_GRADIENTS,
    SYNC_PARAMETERS,
    SYNC_NORM,
    SYNC_COUNT,
    SYNC_LOSS,
    SYNC_ACTIVATIONS,
    SYNC_COTANGENTS,
    SYNC_STATISTICS,
    SYNC_STATE,
} SyncTarget;
typedef enum SyncOperation {
    SYNC_NONE,
    SYNC_SUM,
    SYNC_MEAN,
    SYNC_GATHER,
    SYNC_MAX,
    SYNC_BROADCAST, /* from the rank with coordinate 0 */
    SYNC_EXCHANGE   /* sharded by another dim */
} SyncOperation;
typedef enum SyncMoment {
    SYNC_AT_STEP,
    SYNC_EACH_MICROBATCH,
    SYNC_AFTER_MICROBATCH,
    SYNC_AT_START,
    SYNC_AT_USE /* for a value; only for waits */
} SyncMoment;

/* One explicit synchronisation. It replaces everything derived for what it names; several for one unit are done in
 * the order written. It is lowered as written, never repaired.
 *   gradients : sum | mean over AXES [into shards] at step | each microbatch | after microbatch N   [scale p/q]
 *               (of the accumulator, after the microbatch was added; `none`: nothing)
 *   parameters: gather over AXES | none               after the update of a sharded optimizer
 *               sum | mean | broadcast over AXES      of what a rank stores, after the update   [scale p/q]
 *   norm      : sum | mean over AXES | none           the squared norm that clipping uses   [scale p/q]
 *   count     : none                                  every rank divides its loss by its own count (a local mean)
 *   loss      : sum | mean over AXES | none           the loss that is reported   [scale p/q]
 *   parameters: broadcast over AXES at start          initial values, once they are computed
 *   activations, cotangents of LABEL: none | sum | mean | max | gather | broadcast | sum into shards by DIM | exchange
 *               by DIM [scale p/q]                    a value, after the last operator that adds to it
 *   statistics [of LABEL]: none | sum | mean | max | broadcast over AXES [scale p/q]   running ones, after their update
 *   optimizer, or a declared state: sum | mean | max | broadcast over AXES | none   after its update   [scale p/q]
 * `in DTYPE` (gradients): it uses a copy in that dtype, which is at least as wide.
 * `wait at step`: at the moment it is only started; it is waited for and then scaled before the updates (gradients), or
 * after all updates (parameters and states). `wait at use` (values): it is waited for before the first operator that
 * uses the value.
 * `derive the rest`: on axes that no clause for the target names, conversions are derived. */
typedef struct Sync {
    SyncTarget target;
    int declared;   /* SYNC_STATE: which of declared_states; -1 for the optimizer's */
    int unit_count; /* SYNC_GRADIENTS, SYNC_PARAMETERS, SYNC_STATE */
    int *units;
    const char *label; /* SYNC_ACTIVATIONS, SYNC_COTANGENTS: the value's name, maybe a pattern. SYNC_STATISTICS: the one
                          they are below; NULL: all */
    Span label_span;
    bool number;       /* SYNC_ACTIVATIONS: a number of the step, such as the clip factor; named by its name alone */
    const char *state; /* SYNC_STATE: which of the optimizer's; NULL: all */
    SyncOperation operation;
    AxisSet axes;
    bool into_shards;  /* leave each rank its part over `axes`: of gradients the flat one, of values that by `dim` */
    const char *dim;   /* for values */
    unsigned segments; /* SYNC_GRADIENTS: of fused parameters, one bit each; 0: the whole */
    bool derive_rest;
    SyncMoment moment;
    int64_t microbatch; /* SYNC_AFTER_MICROBATCH */
    bool has_dtype;     /* reduced in this dtype */
    DType dtype;
    bool waits; /* only started at its moment, and waited for at the step, or at the use */
    int64_t scale_numerator, scale_denominator;
    Span span;
} Sync;

/* Values with a dim of this name are stored sharded by it over the axis: if labels are given, exactly the values they
 * name; otherwise those that no operator shards over the axis already. */
typedef struct ActivationCut {
    int axis;
    const char *dim;
    int label_count;
    const char **labels; /* as in selectors: "block.attn", "*.scores" */
    bool optional;       /* not an error if there are none */
    bool travels;        /* products that need all pieces get them one after another, passed around the axis */
    Span span;
} ActivationCut;

/* Values of a repeated block that the label names are not kept for the backward pass, which recomputes them, in these
 * layers. */
typedef struct Recomputed {
    const char *label;
    int group; /* whose layers were named; -1: all layers */
    int64_t first, last;
    bool optional; /* not an error if there are none */
    Span span;
} Recomputed;

/* Values that the label names and the backward pass reads are stored on this tier from their last use in the forward
 * pass to their first in the backward pass, in these layers. */
typedef struct Offloaded {
    const char *label; /* NULL: all */
    int group;         /* whose layers were named; -1: all layers */
    int64_t first, last;
    Tier tier;
    bool optional; /* not an error if there are none */
    Span span;
} Offloaded;

typedef enum PinSubject { PIN_ACTIVATIONS, PIN_COTANGENTS, PIN_GRADIENTS } PinSubject;

typedef enum PinForm {
    PIN_BY,    /* a dim is sharded, of the result or an operand */
    PIN_WHOLE, /* nothing is */
    PIN_PARTS  /* operands are parts of a sum, and the result is one */
} PinForm;

typedef Vec(const char *) Labels;

/* The operators that compute a value, or add to it, over one axis: the only placements in which they read and write,
 * wherever they run. Labels name values exactly ("block.mlp.up.product"), or after any labels ("*.scores"). */
typedef struct Pin {
    PinSubject subject;
    const char *label;
    Labels from; /* only operators that read all of these: values, their cotangents, parameters */
    bool again;  /* only where they are recomputed for the backward pass */
    int group;   /* whose layers were named, of the value or what it is computed from; -1: all layers */
    int64_t first, last;
    int axis;
    PinForm form;
    const char *dim; /* PIN_BY: its name, or its position among the dims, from 0 on */
    const char *of;  /* PIN_BY: whose it is; NULL: any operand's or the result's (by position: the result's) */
    Labels parts;    /* PIN_PARTS: these; none: the only ones that can be */
    bool optional;   /* not an error where there is no such operator, or dim */
    Span label_span, span;
} Pin;

/* How long a copy of a value in another placement is kept, once it was made for a reader. */
typedef enum CopyLife {
    COPY_USE,  /* for that reader: each converts the value for itself */
    COPY_PASS, /* for all readers of the pass: the backward pass converts the value again */
    COPY_STEP  /* for all readers of the microbatch */
} CopyLife;

/* When a value is converted for its readers. */
typedef enum CopyMoment {
    COPY_AT_USE, /* before the first of them */
    COPY_AT_ONCE /* as soon as it is computed */
} CopyMoment;

/* How products get a value that is stored in shards, and give it as a sum. */
typedef enum CopyWay {
    COPY_BY_COLLECTIVE, /* all shards at once */
    COPY_BY_RING        /* one after another: they are passed around the axis */
} CopyWay;

/* Products, by what they compute, and what else they read. Labels as of pins. */
typedef struct ProductNames {
    bool by_result; /* those that compute values of the subject: of these labels, or all */
    PinSubject subject;
    Labels results;
    Labels from; /* only those that read all of these; none: any */
} ProductNames;

/* The copies that readers of a value need in other placements over one axis. Labels as of pins. */
typedef struct Converted {
    PinSubject subject; /* not gradients */
    const char *label;
    int group; /* whose layers were named; -1: all layers */
    int64_t first, last;
    int axis;
    bool has_life, has_moment, has_way; /* which it says */
    CopyLife life;
    CopyMoment moment;
    CopyWay way;
    ProductNames products; /* `has_way`: for these; without names, for all that read the value or add to it */
    bool optional;         /* not an error where there is no such value, or no copy of it */
    Span label_span, span;
} Converted;

bool products_are_named(const ProductNames *products);
/* "use", "pass", "step" */
const char *copy_life_name(CopyLife life);
/* "kept until step", "at once", "by ring" */
const char *converted_print(Arena *arena, const Converted *request);

/* Is its dim a position rather than a name? */
bool pin_is_position(const char *dim);
/* What it says of the placements: "by heads", "whole". */
const char *pin_form_print(Arena *arena, const Pin *pin);

/* Does a label, or a pattern that begins with "*." for any preceding labels, name this or something above it? */
bool label_matches(const char *label, const char *name);
/* The same for exactly this name. */
bool label_names(const char *label, const char *name);
/* If two name the same value the longer wins: the number of labels given; 0 for NULL, which names all values. */
int label_specificity(const char *label);

typedef enum Schedule { SCHEDULE_1F1B, SCHEDULE_GPIPE, SCHEDULE_INTERLEAVED } Schedule;

/* The layers of the repeated block are divided over an axis; microbatches go from stage to stage in this order. */
typedef struct Staging {
    bool requested;
    int axis;
    Schedule schedule;
    int64_t *layers;       /* of every stage, if given; NULL: balanced */
    int64_t chunks;        /* of layers, in every stage */
    bool layers_differ;    /* some layers of a block are placed, or computed, differently from others */
    Span span, micro_span; /* micro_span: where the train sets the number of microbatches */
} Staging;

typedef struct Assignment {
    AxisSet batch_axes; /* the axes that shard activations by batch, outermost first */
    Span batch_span;
    AxisSet copy_axes;   /* the same, for axes whose ranks are copies: each has a batch of its own */
    AxisSet reader_axes; /* those whose coordinates choose the part of the batch a rank reads; batch_axes by default */
    Span reader_span;
    Vec(ActivationCut) activations;
    Vec(Recomputed) recomputed;
    Vec(Offloaded) offloaded;
    Vec(Pin) pins;
    Vec(Converted) converted;
    Staging pipeline;
    Seed seed;
    Span seed_span;
    Vec(UnitPlacement) units;
    SavedMaps maps;                    /* the layouts of checkpoints */
    Vec(const char *) declared_states; /* the states that the program declares itself, by name */
    Vec(Sync) syncs;
    Span train_span;
} Assignment;

#endif
