/* place.h - chooses the placements of all values: from facts, and what is known about sums, to choices. Nothing is
 * emitted.
 *
 *     Sums unknown = sums_unknown(facts), sums;
 *     Placer *placer = placer_new(facts);
 *     Choices *first = place_program(placer, facts, &unknown, NULL, arena);     // sums: whatever is cheapest
 *     sums = sums_of(facts, first, &unknown);                            // the axes over which they then are parts
 *     Choices *choices = place_program(placer, split, &sums, units, arena);     // all contributions to one sum agree
 *
 *     place.c              walks a routine
 *     place_op.c           one operator: its operands, its result
 *     choose.c             the placements in which an operator reads and writes
 *     pins.c               those that the strategy says
 *     held.c               variants, and in which of them a value is available
 *     converted.c          how long copies in other placements are kept
 *     ahead.c              those that are made as soon as the value is computed
 *     route.c              from one placement to another
 *     place_sync.c         explicit syncs of values
 *     place_units.c        what is converted of units
 *     place_unit_syncs.c   explicit syncs of their gradients, parameters and states
 *     check_syncs.c        reports those without a lowering
 *     ring.c               products of travelling values
 *     halo.c               windows over shards of images
 *     sums.c               over which axes gradients, and sums over the batch, have yet to be summed
 */
#ifndef PLACE_DERIVE_PLACE_H
#define PLACE_DERIVE_PLACE_H

#include "algebra/signature.h"
#include "derive/choices.h"
#include "derive/units.h"

/* ---- sums.c ------------------------------------------------------------------------------------------------- */

/* A parameter's gradient in some layers: the axes over which its contributions are parts of a sum. */
typedef struct GradientSum {
    int tensor;
    int64_t first, last;
    AxisSet axes;
} GradientSum;

struct Sums {
    bool known;
    Vec(GradientSum) gradients;
    AxisSet *values;  /* per buffer of the reference: the axes over which a sum over the batch must be summed as well */
    unsigned *parted; /* per buffer: bit per axis over which a gradient is computed from parts that a sync then sums */
};

Sums sums_unknown(const Facts *f);
/* The sums as they were placed by someone who knew no more than `before`. */
Sums sums_of(const Facts *f, const Choices *choices, const Sums *before);
/* Values to keep in parts: gradients are computed from these parts, and a sync sums them. Other gradients that it sums
 * are then computed from the same parts, even where the deriver would have summed the value in between. NULL if there
 * are none. */
unsigned *sums_parted(const Facts *f, const Sums *sums);
/* The axes of a gradient in a layer. */
AxisSet sums_of_gradient(const Sums *sums, int tensor, int64_t layer);
/* NULL: nothing is known of it. */
const GradientSum *sums_find(const Sums *sums, int tensor, int64_t first, int64_t last);
/* The sums over the batch that the flat phase reads; `group`: of the loop around the list, -1 none. */
void sums_list(const Facts *f, const NodeList *list, int group, SumList *sums);

/* ---- The placing pass --------------------------------------------------------------------------------------- */

/* What operators of one kind and spec can do on shards, over any axis. */
typedef struct OpSignatures {
    const char *spec;
    bool even; /* including those that need equal shards */
    OpShape shape;
    SignatureVec list;
} OpSignatures;

/* An available value: which slot (layers first .. last plus a constant), in which placement, in which variant. */
typedef struct Held {
    bool by_layer;
    int64_t constant, first, last;
    Placement place;
    int variant;
    CopyLife life; /* how long it is kept; COPY_STEP for what is no copy */
    bool backward; /* it was made in the backward pass */
    bool dropped;  /* its use is over */
} Held;
typedef Vec(Held) HeldList;

/* A value while a routine is placed. */
typedef struct Placed {
    Vec(int) variants; /* their numbers */
    HeldList held;
    HeldList held_wide; /* with a halo */
    bool has_home;      /* written in several places, or kept from step to step: always placed at `home` */
    Placement home;
} Placed;

typedef struct Planned Planned; /* route.c */
enum { PLANNED_BUCKETS = 64 };

typedef struct Placer {
    Ctx ctx; /* with the arena of the choices, and the list of reports of the routine */
    const Facts *facts;
    const Sums *sums;
    const UnitInfo *units;                  /* NULL: not divided yet */
    Vec(OpSignatures) signatures[OP_COUNT]; /* those computed so far */
    Planned *planned[PLANNED_BUCKETS];      /* conversions planned so far */
    Placed *values;                         /* per buffer of the reference */
    Choices *choices;
    bool *gathered[2], *filled, *refused; /* per unit */
    bool *cached;                         /* per buffer of the reference: a cache that has been written */
    int *sites;                           /* per unit: layer loops that add to its gradient */
    /* Where the walk is: */
    const RoutineFacts *routine;
    bool early; /* in the loop of sums that single examples depend on */
    int group;  /* of the open layer loop, or -1, and its layers */
    int64_t first_layer, last_layer;
    bool again;    /* what is placed is recomputed */
    bool backward; /* it belongs to the backward pass */
    bool failed;
} Placer;

Placer *placer_new(const Facts *f);
/* The choices are in the arena. */
Choices *place_program(Placer *p, const Facts *f, const Sums *sums, const UnitInfo *units, Arena *arena);

static inline const Buffer *placer_buffer(const Placer *p, int ref)
{
    return &p->facts->reference->buffers.data[ref];
}

/* ---- place_op.c --------------------------------------------------------------------------------------------- */

void place_op(Placer *p, const Op *op, ChosenList *list);

/* ---- choose.c ----------------------------------------------------------------------------------------------- */

/* False if no signature can be reached; `report`: says so to the user. */
bool derive_choose(Placer *p, const Op *op, bool report, Choice *choice);
/* Without those of windows over shards (halo.c). */
OpSignatures derive_op_signatures(Placer *p, const Op *op);
OpSignatures derive_signatures(const Facts *f, const Op *op);

/* ---- pins.c ------------------------------------------------------------------------------------------------- */

/* Is this signature the one that the pin names? */
bool derive_pin_allows(const PinnedOp *pinned, const Op *op, const Signature *signature);
/* A pin that names a signature of an operator, which has `all`; without the operator and the axis. */
Pin derive_pin_form(const Facts *f, const RoutineFacts *routine, const Op *op, const SignatureVec *all,
                    const Signature *signature);
/* The operator that it is about, as exactly as it can be named; false if none can. */
bool derive_pin_subject(const Facts *f, const RoutineFacts *routine, const Op *op, Pin *pin);

/* ---- held.c ------------------------------------------------------------------------------------------------- */

/* The variant for values of a reference buffer in a placement (`suffix` is for the name of a new one). */
int derive_variant(Placer *p, int ref, const Placement *place, Purpose purpose, const char *suffix);
int derive_wide_variant(Placer *p, Ref ref, const Placement *place, Halos halos, bool part);
/* Is it kept here, or must whoever reads it convert the value again? Copies that are not kept still count as available
 * when placements are chosen, so that the value is converted to the same placement, which later readers share. */
bool derive_is_kept(const Placer *p, const Held *held);
/* An operator has read the value: drops the copies that are kept for a use. */
void derive_end_use(Placer *p, Ref ref);
/* What is available of a value (NULL if nothing); recording more of it; forgetting what was overwritten. */
void derive_start_routine(Placer *p);
Held *derive_held(Placer *p, Ref ref);
bool derive_is_held(const Placer *p, const Held *held, Ref ref);
void derive_hold(Placer *p, Ref ref, const Placement *place, int variant);
void derive_hold_copy(Placer *p, Ref ref, const Placement *place, int variant, CopyLife life);
void derive_hold_wide(Placer *p, Ref ref, const Placement *place, int variant, CopyLife life);
bool derive_is_held_wide(const Placer *p, Ref ref, int variant);
void derive_forget(Placer *p, Ref ref);
void derive_enter_loop(Placer *p, const Node *loop, LayersChoice *layers);
void derive_leave_loop(Placer *p, const Node *loop);
/* Completes the sums of which the value still is a part, in place; false if there were none. */
bool derive_complete(Placer *p, Ref ref, Span span, Why why, Route *route);

/* ---- converted.c -------------------------------------------------------------------------------------------- */

/* How long a copy that a route makes is kept, by the statement that says so, or by default. */
CopyLife derive_copy_life(Placer *p, Ref ref, Route *route);

/* ---- ahead.c ------------------------------------------------------------------------------------------------ */

/* Moves the conversions that statements want at once; all of the routine is placed. */
void derive_place_ahead(Placer *p, RoutineChoices *r);

/* ---- route.c ------------------------------------------------------------------------------------------------ */

/* Does the conversion from one placement to another take more than slicing, on an axis on which the value's syncs
 * replace all conversions? */
bool place_breaches(const Placer *p, int ref, int axis, int from, int to);
/* Converts the value in variant `from`, placed at `place`; `part`: into variants of its own. Returns the variant in
 * which it is then. */
int derive_route(Placer *p, int ref, int from, const Placement *place, const Placement *to, bool part, Span span,
                 Route *route);
/* As long as it is not known over which axes sums over the batch are parts: does this one become part of another sum,
 * in which it is then computed in parts, too? */
bool derive_becomes_part(const Placer *p, int ref, int on, int to);
/* The value in a placement, converted from what is available; returns its variant. */
int derive_value(Placer *p, Ref ref, const Placement *to, Span span, Why why, Route *route);
int route_end(const Route *route);
void route_add(Placer *p, int ref, Route *route, Step step);

/* ---- sums.c, as it places ------------------------------------------------------------------------------------ */

/* Chooses the collectives of a sum over the batch. */
void derive_reduce_sum(Placer *p, SumChoice *sum);

/* ---- place_sync.c ------------------------------------------------------------------------------------------- */

/* Applies the syncs of the value in a variant; *place becomes its placement. Returns the variant in which it is then.
 */
int derive_sync_value(Placer *p, int ref, int variant, Placement *place, Route *route);
/* Reports a reader that needs the value in another placement than its syncs leave it in. */
void derive_refuse_breach(Placer *p, int ref, int axis, const char *reader, Span span);

/* ---- place_units.c ------------------------------------------------------------------------------------------ */

/* Per unit. */
/* Are the shards that its sync leaves composed of those that are gathered? */
bool place_gathers_inner(const Facts *f, const UnitInfo *u, const UnitChoice *choice);
const UnitChoice *place_units(const Facts *f, const UnitInfo *units);

/* ---- place_unit_syncs.c ------------------------------------------------------------------------------------- */

/* The syncs of a unit's gradient; they leave it to be summed over `rest`. */
void place_gradient_syncs(const Facts *f, int unit, const UnitInfo *u, AxisSet rest, UnitChoice *choice);
/* The sync of the updated parameter; NULL if there is none. */
UnitSync *place_parameter_sync(const Facts *f, int unit);
/* What remains once `stored` is known: the sync of the parameter, those of its initial values and of its states. */
void place_stored_syncs(const Facts *f, int unit, const UnitInfo *u, UnitChoice *choice);

/* ---- check_syncs.c ------------------------------------------------------------------------------------------ */

/* Reports syncs of units that have no lowering, and what those in a narrow dtype lose, in the order of the step; false
 * if it is refused. */
bool place_check_syncs(const Facts *f, const UnitInfo *units, const UnitChoice *choices, const RoutineChoices *step);

/* ---- ring.c ------------------------------------------------------------------------------------------------- */

/* Turns the conversion of a value that travels, before a product or after it, into a ring; false if it cannot. */
bool derive_find_ring(Placer *p, const Op *op, Choice *choice);
/* Does a statement say that it is passed around the axis? */
bool derive_goes_by_ring(const Placer *p, Ref ref, int axis);

/* ---- halo.c ------------------------------------------------------------------------------------------------- */

/* Adds the signatures of windows over shards, over an axis; `choice`: for the axes before it. */
void derive_add_halo_signatures(Arena *arena, const Facts *f, const Op *op, int axis, const Choice *choice,
                                SignatureVec *list);
Halos derive_halos_of(const Facts *f, const Op *op, const Choice *choice);
/* For window operators: is the operand, or the result, on the input's grid? */
bool derive_reads_halo(const Op *op, int operand);
bool derive_gives_halo(const Op *op);
/* Reports P0358 where an image is sharded and its windows work on the whole. */
void derive_report_whole_windows(Placer *p, const Op *op, const Choice *choice);
/* The value in the variant `plain`, with its halos. */
void derive_halo_value(Placer *p, Ref ref, int plain, const Placement *place, Halos halos, Route *route);
/* The result in shards with a halo, and the halos added to the shards that they belong to, in `computed`. */
void derive_halo_result(Placer *p, Ref ref, const Choice *choice, int computed, bool accumulate, Route *route);

#endif
