/* units.h - how each unit of parameters is stored and used: what the strategy says, and what follows from the sums of
 * its gradients. One conversion serves a whole unit, so units whose members need different ones are split first.
 *
 *     Facts *split = units_split(facts, &sums);              // the same facts, with these units
 *     const UnitInfo *units = units_find(split, &sums);      // NULL: errors were reported
 */
#ifndef PLACE_DERIVE_UNITS_H
#define PLACE_DERIVE_UNITS_H

#include "derive/facts.h"

typedef struct Sums Sums;

typedef struct UnitInfo {
    const UnitPlacement *placement;
    AxisSet parameters, gradients, optimizer; /* the cuts as stored; axes of size 1 left out */
    bool gathered;                            /* used in another form than it is stored in */
    bool *has_state;                          /* per state */
    AxisSet *state_cut;                       /* per state: the axes that shard it and its updates */
    bool has_gradient;
    AxisSet partial;     /* the axes over which the contributions to its gradient are parts of a sum */
    AxisSet member_cuts; /* the axes that shard its members by a dim */
    bool explicit_gradients;
    bool pieces;                 /* the gradient is accumulated in shards */
    const Sync *microbatch_sync; /* explicit, and applied to the contribution instead of the accumulator */
    Span parameter_span, gradient_span, optimizer_span; /* the line that caused its form */
    Span *state_span;                                   /* per state */
} UnitInfo;

Facts *units_split(const Facts *f, const Sums *sums);
const UnitInfo *units_find(const Facts *f, const Sums *sums);

/* The unit that has a tensor's layer. */
int derive_unit_of(const Facts *f, int tensor, int64_t layer);
/* Where the strategy stores a state: like the optimizer's states, unless the program declares it. */
const StatePlacement *units_state_placement(const Facts *f, const UnitInfo *unit, const State *state);
/* Does the sync name this state of the optimizer, or this declared one, which an update has written? `state` as in
 * decls->states. */
bool units_names_state(const Facts *f, const Sync *sync, int unit, int state);

#endif
