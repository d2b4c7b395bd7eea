/* assign.h - the assignment: where each state lives, per unit and axis. A strategy (or a search) produces it; one
 * function, derive_step, lowers it to a step program.
 *
 * Units partition the trainable parameters: parameters of one group whose placements, layer ranges and explicit
 * syncs are the same form one unit (by default one repeated block, or all that lies outside the blocks).
 */
#ifndef PLACE_STRATEGY_ASSIGN_H
#define PLACE_STRATEGY_ASSIGN_H

#include "step/step.h"

/* How one state of one unit is placed: at rest cut flat over `rest` (empty: a full copy each); at use over `use`
 * (empty: the full value). gathered = rest nonempty, use empty. sharded = rest == use. replicated = both empty. */
typedef struct StatePlacement {
    AxisSet rest, use;
    AxisSet joined; /* of parameters: the axes that cut a dim of them at rest, and at use nothing */
    enum { KEEP_PASS, KEEP_STEP } keep; /* how long the gathered copy lives */
    Tier tier;                          /* at rest */
    Span span;                          /* the line of the strategy; unknown if nothing was said */
} StatePlacement;

typedef struct UnitPlacement {
    int unit; /* index into decls->units */
    StatePlacement parameters, gradients, optimizer;
    StatePlacement *declared; /* per name in declared_states: like the optimizer unless the strategy names it */
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
    SYNC_EXCHANGE   /* cut along another dim */
} SyncOperation;
typedef enum SyncMoment {
    SYNC_AT_STEP,
    SYNC_EACH_MICROBATCH,
    SYNC_AFTER_MICROBATCH,
    SYNC_AT_START,
    SYNC_AT_USE /* of a value; only waits are then */
} SyncMoment;

/* One explicit synchronisation. It replaces everything derived for what it names; several for one unit are done in
 * the order written. It is lowered literally, never repaired.
 *   gradients : sum | mean over AXES [into shards] at step | each microbatch | after microbatch N   [scale p/q]
 *               (on the accumulator, after the microbatch was added; `none`: nothing)
 *   parameters: gather over AXES | none               after the update of a sharded optimizer
 *               sum | mean | broadcast over AXES      of what a rank keeps, after the update   [scale p/q]
 *   norm      : sum | mean over AXES | none           the squared norm that clipping uses   [scale p/q]
 *   count     : none                                  every rank divides its loss by its own count (a local mean)
 *   loss      : sum | mean over AXES | none           the loss that is shown   [scale p/q]
 *   parameters: broadcast over AXES at start          initial values, once they are made
 *   activations, cotangents of LABEL: none | sum | mean | max | gather | broadcast | sum into shards by DIM | exchange
 *               by DIM [scale p/q]                    a value, after the last operator that adds to it
 *   statistics [of LABEL]: none | sum | mean | max | broadcast over AXES [scale p/q]   running ones, after their update
 *   optimizer, or a declared state: sum | mean | max | broadcast over AXES | none   after its update   [scale p/q]
 * `in DTYPE` (gradients): it works on a copy in that dtype, which is at least as wide.
 * `wait at step`: the moment is when it is started; it is scaled once it is waited for, of gradients before the
 * updates, of parameters and states behind all updates. `wait at use` (values): before the first operator that uses the
 * value.
 * `derive the rest`: on axes that no clause for it names, conversions are derived. */
typedef struct Sync {
    SyncTarget target;
    int declared;   /* SYNC_STATE: which of declared_states; -1 the optimizer's */
    int unit_count; /* SYNC_GRADIENTS, SYNC_PARAMETERS, SYNC_STATE */
    int *units;
    const char *label; /* SYNC_ACTIVATIONS, SYNC_COTANGENTS: the value's name, maybe a pattern. SYNC_STATISTICS: one
                        * that they lie below; NULL all */
    Span label_span;
    bool number;       /* SYNC_ACTIVATIONS: one of the step's own, as the clip factor; by its name alone */
    const char *state; /* SYNC_STATE: the one of the optimizer's; NULL all */
    SyncOperation operation;
    AxisSet axes;
    bool into_shards; /* leave each rank its part over `axes`: of gradients the flat one, of values along `dim` */
    const char *dim;  /* of values */
    unsigned segments; /* SYNC_GRADIENTS: of fused parameters, one bit each; 0: all of it */
    bool derive_rest;
    SyncMoment moment;
    int64_t microbatch; /* SYNC_AFTER_MICROBATCH */
    bool has_dtype;     /* reduced in this dtype */
    DType dtype;
    bool waits;         /* only started at its moment, and waited for at the step, or the use */
    int64_t scale_numerator, scale_denominator;
    Span span;
} Sync;

/* Values with a dim of this name rest cut along it over the axis: if labels are given, only the values they name, and
 * those are nowhere else; otherwise what no operator cuts over it. */
typedef struct ActivationCut {
    int axis;
    const char *dim;
    int label_count;
    const char **labels; /* as in selectors: "block.attn", "*.scores" */
    bool optional;       /* there may be none */
    bool travels;        /* products that need all of one get its pieces one after another, around the axis */
    Span span;
} ActivationCut;

/* Values of a repeated block that the label names are not kept for the backward pass, which computes them again, in
 * these layers. */
typedef struct Recomputed {
    const char *label;
    int group; /* whose layers were named; -1: all of them */
    int64_t first, last;
    bool optional; /* there may be none */
    Span span;
} Recomputed;

/* Values that the label names, and the backward pass reads, rest on this tier from their last use in the forward pass
 * to their first in the backward pass. */
typedef struct Offloaded {
    const char *label; /* NULL: all */
    Tier tier;
    bool optional; /* there may be none */
    Span span;
} Offloaded;

/* Whether a label, or a pattern that begins with "*." for any labels before, names this or something above it. */
bool label_matches(const char *label, const char *name);
/* Of two that name a value the longer wins: how many labels it gives; 0 for NULL, which names all. */
int label_specificity(const char *label);

typedef enum Schedule { SCHEDULE_1F1B, SCHEDULE_GPIPE, SCHEDULE_INTERLEAVED } Schedule;

/* The layers of the repeated block are cut over an axis; microbatches go from stage to stage in this order. */
typedef struct Staging {
    bool requested;
    int axis;
    Schedule schedule;
    int64_t *layers; /* of every stage, where they were chosen; NULL: balanced */
    int64_t chunks;  /* of layers, that every stage has */
    Span span, micro_span; /* micro_span: where the train says how many microbatches there are */
} Staging;

typedef struct Assignment {
    AxisSet batch_axes;  /* activations sharded over these by batch, outermost first */
    Span batch_span;
    AxisSet copy_axes;   /* the same, of axes whose ranks are copies: each has a batch of its own */
    AxisSet reader_axes; /* whose coordinates choose the part of the batch a rank reads; batch_axes unless said */
    Span reader_span;
    Vec(ActivationCut) activations;
    Vec(Recomputed) recomputed;
    Vec(Offloaded) offloaded;
    Staging pipeline;
    Seed seed;
    Span seed_span;
    Vec(UnitPlacement) units;
    Vec(const char *) declared_states; /* those that the program declares itself, by name */
    Vec(Sync) syncs;
    Span train_span;
} Assignment;

#endif
