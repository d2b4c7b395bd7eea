/* emit_units.c - the buffers of the units, and their values from one form to another: gradients and parameters as the
 * updates read them.
 *
 * A form is a cut: the whole unit, or equal flat shards over a set of axes. Every cut has its own padding, so shards
 * over (a, b) are pieces of those over (a) only if the unit divides evenly; otherwise the conversion goes through the
 * whole. What an explicit sync names is not converted here (emit_syncs.c).
 */
#include "base/change.h"
#include "derive/emit.h"

/* ---- Buffers ------------------------------------------------------------------------------------------------ */

static int add_state(Emit *e, int unit, int state_index, AxisSet cut, Span span)
{
    static const Category categories[] = {[STATE_PARAMETERS] = CATEGORY_PARAMETERS,
                                          [STATE_GRADIENTS] = CATEGORY_GRADIENTS,
                                          [STATE_OPTIMIZER] = CATEGORY_OPTIMIZER};
    const State *state = &e->facts->decls->states.data[state_index];
    int index = derive_add_unit_buffer(e, unit, state->name, state->dtype, categories[state->kind], cut, span);
    Buffer *buffer = &e->program->buffers.data[index];
    buffer->state = state_index;
    buffer->each = state->each;
    buffer->persistent = state->kind != STATE_GRADIENTS;
    return index;
}

static void add_gradients(Emit *e, int unit, int state)
{
    const UnitInfo *u = &e->units[unit];
    UnitBuffers *b = &e->buffers[unit];
    b->accumulator = add_state(e, unit, state, u->pieces ? u->gradients : (AxisSet){0}, u->gradient_span);
    b->contribution = b->accumulator;
    e->program->buffers.data[b->accumulator].rest_tier = u->placement->gradients.tier;
    if (u->pieces) {
        b->contribution = derive_add_temporary(e, unit, "contribution", b->accumulator, (AxisSet){0}, u->gradient_span);
        e->program->buffers.data[b->contribution].slots = 1;
    }
}

static void add_optimizer(Emit *e, int unit, int state)
{
    const UnitInfo *u = &e->units[unit];
    const StatePlacement *placement = units_state_placement(e->facts, u, &e->facts->decls->states.data[state]);
    int buffer = add_state(e, unit, state, u->state_cut[state], u->state_span[state]);
    e->buffers[unit].state_buffer[state] = buffer;
    e->program->buffers.data[buffer].rest_tier = placement->tier;
}

static void add_parameters(Emit *e, int unit, int state)
{
    const UnitInfo *u = &e->units[unit];
    int buffer = add_state(e, unit, state, u->parameters, u->parameter_span);
    e->buffers[unit].parameter_buffer = buffer;
    e->program->buffers.data[buffer].rest_tier = u->placement->parameters.tier;
}

static void add_unit(Emit *e, int unit)
{
    UnitBuffers *b = &e->buffers[unit];
    int states = e->facts->decls->states.count;
    b->full_buffer = b->local_shard = b->parameter_buffer = b->accumulator = b->contribution = -1;
    b->state_buffer = arena_array(e->ctx->arena, int, states + 1);
    for (int i = 0; i < states; i++) {
        b->state_buffer[i] = -1;
        if (!e->units[unit].has_state[i])
            continue;
        switch (e->facts->decls->states.data[i].kind) {
        case STATE_PARAMETERS:
            add_parameters(e, unit, i);
            break;
        case STATE_GRADIENTS:
            add_gradients(e, unit, i);
            break;
        case STATE_STATISTICS: /* in no unit */
            break;
        case STATE_OPTIMIZER:
            add_optimizer(e, unit, i);
            break;
        }
    }
}

void derive_emit_unit_buffers(Emit *e)
{
    e->buffers = arena_array(e->ctx->arena, UnitBuffers, e->facts->decls->units.count + 1);
    for (int i = 0; i < e->facts->decls->units.count; i++)
        add_unit(e, i);
}

/* ---- Steps -------------------------------------------------------------------------------------------------- */

/* The buffers of a conversion; the whole copy is made when it is first needed. */
typedef struct Ends {
    Emit *e;
    int unit;
    Ref at[4]; /* by UnitAt */
    bool has_whole;
    Span span; /* of the whole copy, and of steps without one */
} Ends;

static Ref end_at(Ends *ends, const UnitStep *step, UnitAt at)
{
    if (at == AT_LARGER && step->writes == AT_LARGER) {
        Emit *e = ends->e;
        int piece = derive_add_temporary(e, ends->unit, "piece", ends->at[AT_SOURCE].buffer, step->cut, ends->span);
        e->program->buffers.data[piece].slots = 1;
        ends->at[AT_LARGER] = derive_scalar(piece);
    }
    if (at == AT_WHOLE && !ends->has_whole) {
        Emit *e = ends->e;
        int whole = derive_add_temporary(e, ends->unit, "whole", ends->at[AT_SOURCE].buffer, (AxisSet){0}, ends->span);
        e->program->buffers.data[whole].slots = 1;
        ends->at[AT_WHOLE] = derive_scalar(whole);
        ends->has_whole = true;
    }
    return ends->at[at];
}

void derive_emit_unit_steps(Emit *e, NodeList *body, int unit, const UnitSteps *steps, Ref from, Ref to, Span span)
{
    Ends ends = {.e = e, .unit = unit, .at = {[AT_SOURCE] = from, [AT_TARGET] = to}, .span = span};
    for (int i = 0; i < steps->count; i++) {
        const UnitStep *step = &steps->data[i];
        Ref out = end_at(&ends, step, step->writes), in = end_at(&ends, step, step->reads);
        Span line = span_known(step->span) ? step->span : span;
        if (step->kind == OP_PLACE_SHARD)
            derive_emit_place_shard(e, body, out, in, step->axes, line);
        else
            derive_emit_over(e, body, step->kind, out, in, step->axes, line);
    }
}

static const UnitSteps *find_move(const Emit *e, int unit, AxisSet have, AxisSet want)
{
    const UnitChoice *choice = &e->choices->unit_choices[unit];
    for (int i = 0; i < choice->moves.count; i++)
        if (axes_equal(choice->moves.data[i].have, have) && axes_equal(choice->moves.data[i].want, want))
            return &choice->moves.data[i].steps;
    BUG("a unit has no such form");
}

Ref derive_in_form(Emit *e, NodeList *body, int unit, Ref from, AxisSet have, AxisSet want, Span span)
{
    if (axes_equal(have, want))
        return from;
    const char *name = want.count > 0 ? "piece" : "whole";
    Ref to = derive_ref(derive_add_temporary(e, unit, name, from.buffer, want, span), from.slot);
    derive_emit_unit_steps(e, body, unit, find_move(e, unit, have, want), from, to, span);
    return to;
}

/* ---- Gradients ---------------------------------------------------------------------------------------------- */

int derive_gradient_buffer(Emit *e, int unit, const char *name, AxisSet cut, Span span)
{
    return derive_add_temporary(e, unit, name, e->buffers[unit].accumulator, cut, span);
}

/* From the accumulator into the form that the updates read. */
static int convert_gradient(Emit *e, NodeList *body, int unit, Affine slot)
{
    const UnitInfo *u = &e->units[unit];
    const UnitChoice *choice = &e->choices->unit_choices[unit];
    Ref from = derive_ref(e->buffers[unit].accumulator, slot), to = from;
    const char *name = u->optimizer.count > 0 ? "gradient_shard" : "gradient_whole";
    if (choice->gradient_moves)
        to = derive_ref(derive_gradient_buffer(e, unit, name, u->optimizer, u->optimizer_span), slot);
    derive_emit_unit_steps(e, body, unit, &choice->gradient, from, to, u->optimizer_span);
    return to.buffer;
}

Ref derive_gradient_for_update(Emit *e, NodeList *body, int unit, Affine slot)
{
    UnitBuffers *b = &e->buffers[unit];
    if (b->gradient_seen >= 0)
        return derive_ref(b->gradient_seen, slot);
    if (e->units[unit].explicit_gradients)
        derive_finish_gradient(e, body, unit, slot);
    bool left = e->choices->unit_choices[unit].left_in_shards;
    b->gradient_seen = left ? b->shard : convert_gradient(e, body, unit, slot);
    return derive_ref(b->gradient_seen, slot);
}

/* ---- Parameters --------------------------------------------------------------------------------------------- */

Ref derive_parameter_for_update(Emit *e, NodeList *body, int unit, Affine slot, bool write)
{
    const UnitInfo *u = &e->units[unit];
    UnitBuffers *b = &e->buffers[unit];
    if (b->parameter_seen >= 0)
        return derive_ref(b->parameter_seen, slot);
    b->parameter_seen = b->parameter_buffer;
    Ref stored = derive_ref(b->parameter_buffer, slot);
    if (axes_equal(u->parameters, u->optimizer))
        return stored;
    const char *name = u->optimizer.count > 0 ? "parameter_shard" : "parameter_whole";
    b->parameter_seen = derive_add_temporary(e, unit, name, b->parameter_buffer, u->optimizer, u->optimizer_span);
    Ref seen = derive_ref(b->parameter_seen, slot);
    if (!write)
        derive_emit_unit_steps(e, body, unit, find_move(e, unit, u->parameters, u->optimizer), stored, seen,
                               u->optimizer_span);
    return seen;
}

static void store_parameter(Emit *e, NodeList *body, int unit, Affine slot)
{
    const UnitBuffers *b = &e->buffers[unit];
    const UnitChoice *choice = &e->choices->unit_choices[unit];
    const UnitSync *sync = choice->parameter;
    Ref seen = derive_ref(b->parameter_seen, slot), stored = derive_ref(b->parameter_buffer, slot);
    Span span = sync != NULL ? sync->span : e->units[unit].optimizer_span;
    derive_emit_unit_steps(e, body, unit, &choice->stored, seen, stored, span);
    if (sync != NULL && sync->form != FORM_GATHER)
        derive_sync_stored(e, body, stored, sync);
}

void derive_store_parameter(Emit *e, NodeList *body, int unit, Affine slot)
{
    const UnitSync *sync = e->choices->unit_choices[unit].parameter;
    int first = body->count;
    store_parameter(e, body, unit, slot);
    if (sync != NULL)
        derive_leave_started(e, body, first, unit, slot, sync);
}
