/* emit.h - emits the program that was chosen. It makes no decisions: what goes where is in the choices
 * (derive/choices.h), in the units and in the facts.
 *
 *     emit.c          appends buffers, operators and loops to the program
 *     emit_values.c   buffers of variants, the steps of conversions, explicit syncs
 *     emit_op.c       one operator
 *     emit_ring.c     products of travelling values
 *     emit_micro.c    what is computed with each microbatch: lists, loops, sums over the batch
 *     emit_waits.c    waits for syncs that were started
 *     emit_keep.c     copies of what is stored on another tier between the passes
 *     emit_again.c    buffers of values that layers have in different places
 *     emit_units.c    buffers of the units; their values from one form to another
 *     emit_syncs.c    explicit syncs of gradients, parameters, states and statistics
 *     flat.c          init and what follows the loop: norm, updates, outputs, unit by unit
 */
#ifndef PLACE_DERIVE_EMIT_H
#define PLACE_DERIVE_EMIT_H

#include "derive/choices.h"
#include "derive/units.h"

/* A buffer of the program, made for a variant. */
typedef struct Made {
    const Variant *variant;
    int buffer;
} Made;
typedef Vec(Made) MadeList;

/* A sync that was started, and its buffers. */
typedef struct Started {
    const UnitSync *sync;
    int result, into; /* the buffer that is being reduced; the one that the result belongs in */
    int event;
} Started;

/* The remainder of a sync that was started: the wait, and what follows it. */
typedef struct Tail {
    int event, unit;
    Span span;
    NodeList rest;
} Tail;

/* The buffers of a unit. */
typedef struct UnitBuffers {
    int parameter_buffer;
    int full_buffer;   /* the gathered copy; -1 not created yet */
    int accumulator;   /* of gradients, over the microbatches */
    int contribution;  /* one microbatch's full-size gradient, if the accumulator is sharded; else the accumulator */
    int local_shard;   /* its reduced shard before it is added; -1 not created yet */
    int *state_buffer; /* per state; -1 if the unit does not have it */
    /* In the current routine: */
    Vec(Started) started;
    int shard;          /* of the gradient, that its last sync into shards gave; -1 none yet */
    int gradient_seen;  /* the gradient as the updates read it; -1 not converted yet */
    int parameter_seen; /* the parameter as the updates read it; -1 not converted yet */
} UnitBuffers;

/* A temporary of the updates, in its unit. */
typedef struct UpdateBuffer {
    int ref, unit, buffer;
} UpdateBuffer;

/* Where layers have a value that the forward pass leaves for the backward pass. */
typedef enum KeptPlace { KEPT_ON_DEVICE, KEPT_ON_HOST, KEPT_IN_FILE, KEPT_NOT, KEPT_PLACES } KeptPlace;

/* What layers that have it in one place use instead of a buffer; maybe itself. */
typedef struct KeptPart {
    int of, buffer;
    KeptPlace place;
} KeptPart;

typedef struct Emit {
    Ctx *ctx;
    const Facts *facts;
    const Choices *choices;
    const UnitInfo *units;
    Program *program;
    StrTable *buffer_names;   /* of the program */
    int *variant_buffer;      /* per variant of the choices: its buffer, -1 not made yet */
    MadeList *made;           /* per buffer of the reference */
    Vec(KeptPart) kept_parts; /* of buffers that only loops over layers use, each for its layer; where layers differ */
    int *total;               /* per buffer of the reference: the buffer of its sum over the microbatches, -1 none */
    int *derived;             /* per operator id of the reference: the first operator derived from it, -1 none */
    UnitBuffers *buffers;     /* per unit */
    Vec(UpdateBuffer) update_buffers;
    Vec(Tail) tails;   /* of the routine, after all updates */
    Vec(int) floating; /* events that are waited for where the value is used */
    /* Where it is: */
    const RoutineChoices *routine;
    int micro_loop;      /* the id of the loop over microbatches; -1 outside it */
    int *loop_map;       /* loop ids of the reference to the program's */
    int ref_loop, group; /* the open layer loop of the reference, or -1, its group, and the first layer emitted */
    int64_t first_layer;
    bool failed; /* a buffer is too large, or a request has no lowering: reported */
} Emit;

Emit *derive_emit_new(const Choices *choices);
void derive_emit_routine(Emit *e, const RoutineChoices *routine);

/* ---- emit.c ------------------------------------------------------------------------------------------------- */

int derive_add_buffer(Emit *e, Buffer buffer);
/* A flat buffer of a unit, sharded over `cut`, with one slot per layer. */
int derive_add_unit_buffer(Emit *e, int unit, const char *name, DType dtype, Category category, AxisSet cut, Span span);
/* The same for a temporary with the contents of the flat buffer `like` in another form. */
int derive_add_temporary(Emit *e, int unit, const char *name, int like, AxisSet cut, Span span);
Op *derive_emit(Emit *e, NodeList *body, OpKind kind, Ref out, Span span);
/* An operator with one operand; elementwise ones on dense buffers get their spec. */
Op *derive_emit_from(Emit *e, NodeList *body, OpKind kind, Ref out, Ref operand, Span span);
/* The same over axes (communication, slices, place_shard). */
Op *derive_emit_over(Emit *e, NodeList *body, OpKind kind, Ref out, Ref operand, AxisSet axes, Span span);
void derive_emit_fill(Emit *e, NodeList *body, Ref out, double value, Span span);
/* Shards, put into their places in `whole`. */
void derive_emit_place_shard(Emit *e, NodeList *body, Ref whole, Ref shard, AxisSet axes, Span span);
/* In place; nothing if the factor is 1. */
void derive_emit_scale(Emit *e, NodeList *body, Ref ref, int64_t numerator, int64_t denominator, Span span);
/* A copy of an operator of the reference; the caller replaces the references. */
Op *derive_emit_copy(Emit *e, NodeList *body, const Op *op);
Node *derive_emit_wait(Emit *e, NodeList *body, int event, Span span);
Node *derive_emit_loop(Emit *e, NodeList *body, LoopKind kind, int group, int64_t first, int64_t last, Span span);
Node *derive_emit_guard(Emit *e, NodeList *body, int loop, int64_t low, int64_t high, Span span);
/* The list for a unit's operators: in a loop over its layers, whose variable becomes *slot; or `body` itself, with slot
 * 0. */
NodeList *derive_unit_body(Emit *e, NodeList *body, int unit, Affine *slot, Span span);
Ref derive_ref(int buffer, Affine slot);
static inline Ref derive_scalar(int buffer)
{
    return derive_ref(buffer, affine_constant(0));
}

/* ---- emit_values.c ------------------------------------------------------------------------------------------ */

/* The buffer of a variant. */
int derive_emit_variant(Emit *e, int variant);
/* The dense buffer for a whole value. */
int derive_plain_buffer(Emit *e, int ref);
/* In the loops of the program. */
Affine derive_map_affine(const Emit *e, Affine affine);
/* A value of the reference in a variant, or in its unit's buffer. */
Ref derive_emit_value(Emit *e, int variant, Ref ref);
/* Makes the buffer that a conversion starts from. */
void derive_emit_source(Emit *e, const Route *route);
/* Emits a conversion of a value of the reference; returns where it then is. */
Ref derive_emit_route(Emit *e, NodeList *body, Ref ref, const Route *route, Span span);
/* The same for what is stored in `at`; `ref` may be NULL if every step is in place. */
Ref derive_emit_steps(Emit *e, NodeList *body, const Ref *ref, Ref at, const Route *route, Span span);
/* Sets which ranks read which examples, in an operator copied from the reference. */
void derive_set_reader(const Emit *e, Op *op);

/* ---- emit_op.c ---------------------------------------------------------------------------------------------- */

void derive_emit_op(Emit *e, NodeList *body, const OpChoice *choice);

/* ---- emit_ring.c -------------------------------------------------------------------------------------------- */

/* Emits the product; its references are those of the program. */
void derive_emit_ring(Emit *e, NodeList *body, const Op *op, const Ring *ring);

/* ---- emit_micro.c ------------------------------------------------------------------------------------------- */

/* The loop over microbatches of a routine, or its body without a loop if the batch is not divided. */
void derive_emit_micro(Emit *e, NodeList *body);

/* ---- emit_waits.c ------------------------------------------------------------------------------------------- */

/* Moves waits for started values to their first use, at the latest to the end of the list. */
void derive_float_waits(Emit *e, NodeList *list);

/* ---- emit_keep.c, emit_again.c ------------------------------------------------------------------------------ */

/* Stores values between the passes of a step on another tier; reports labels that name none. */
void derive_keep_on_tiers(Emit *e);
/* Splits values that layers have in different places between the passes: a buffer for each place (emit_again.c). */
void derive_split_kept(Emit *e);

/* ---- emit_units.c ------------------------------------------------------------------------------------------- */

/* The buffers of all units. */
void derive_emit_unit_buffers(Emit *e);
/* A complete value, sharded over `have`, in another form: itself, or a temporary with the converted value. */
Ref derive_in_form(Emit *e, NodeList *body, int unit, Ref from, AxisSet have, AxisSet want, Span span);
/* The steps of a conversion of a unit, from one of its buffers to another. */
void derive_emit_unit_steps(Emit *e, NodeList *body, int unit, const UnitSteps *steps, Ref from, Ref to, Span span);
int derive_gradient_buffer(Emit *e, int unit, const char *name, AxisSet cut, Span span);
/* The reference to the gradient of a unit's slot as its updates read it, converted first if it was not yet. */
Ref derive_gradient_for_update(Emit *e, NodeList *body, int unit, Affine slot);
/* The same for the parameter; `write` if it is only written. */
Ref derive_parameter_for_update(Emit *e, NodeList *body, int unit, Affine slot, bool write);
/* After the last write of the parameter in the updates' form: converts it to the form it is stored in. */
void derive_store_parameter(Emit *e, NodeList *body, int unit, Affine slot);

/* ---- emit_syncs.c ------------------------------------------------------------------------------------------- */

/* Applies syncs of one unit's gradients, of a moment, to the slot. */
void derive_syncs(Emit *e, NodeList *body, int unit, Affine slot, const UnitSyncs *syncs);
/* Those of one microbatch's shards. */
void derive_shard_syncs(Emit *e, NodeList *body, int unit, Ref shard, const UnitSyncs *syncs);
/* Does what is left of them where the updates read the gradient; it is then in the shard or in the accumulator. */
void derive_finish_gradient(Emit *e, NodeList *body, int unit, Affine slot);
void derive_sync_stored(Emit *e, NodeList *body, Ref ref, const UnitSync *sync);
void derive_sync_state(Emit *e, NodeList *body, int unit, Ref ref, const UnitSync *sync);
/* Only starts the last communication from `first` on, and leaves its completion, with all that follows it, to the
 * end. */
void derive_leave_started(Emit *e, NodeList *body, int first, int unit, Affine slot, const UnitSync *sync);
/* Scales by the factor of an explicit sync: its scale, times 1 / n for a mean. */
void derive_scale_synced(Emit *e, NodeList *body, Ref ref, const Sync *sync, AxisSet axes);
/* Waits for syncs of parameters and states that were started. */
void derive_finish_syncs(Emit *e, NodeList *body);
/* Applies the explicit syncs of a unit's initial values. */
void derive_sync_start(Emit *e, NodeList *body, int unit, Affine slot);
/* Applies the explicit sync of a scalar. */
void derive_scalar_sync(Emit *e, NodeList *body, int buffer, const Sync *sync);
/* Applies the syncs of a running statistic, if that is what the operator, which was just emitted, updates. */
void derive_sync_statistic(Emit *e, NodeList *body, const Op *op);

/* ---- flat.c ------------------------------------------------------------------------------------------------- */

void derive_flat(Emit *e, NodeList *body);

#endif
