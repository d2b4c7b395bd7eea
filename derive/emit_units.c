/* emit_units.c - the buffers of the units, and their values from one form to another: gradients and parameters as the
 * updates read them.
 *
 * A form is a cut: the whole unit, or equal flat shards over a set of axes. Every cut has its own padding, so shards
 * over (a, b) are pieces of those over (a) only if the unit divides evenly; otherwise the conversion goes through the
 * whole. What an explicit sync names is not converted here (emit_syncs.c): its shape shows what it left; if it leaves
 * shards and the updates read another form, the shard is put into its place in the whole.
 */
#include "base/change.h"
#include "derive/emit.h"

#include <string.h>

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

/* ---- Forms -------------------------------------------------------------------------------------------------- */

/* Are shards over `inner` pieces of those over `outer`? */
bool derive_cut_nests(const Emit *e, int unit, AxisSet outer, AxisSet inner)
{
    if (outer.count > inner.count || memcmp(outer.axis, inner.axis, (size_t)outer.count) != 0)
        return false;
    return outer.count == 0 || e->facts->decls->units.data[unit].elements % axes_size(e->facts->decls, inner) == 0;
}

static Ref whole_temporary(Emit *e, int unit, const char *name, Ref like, Span span)
{
    int buffer = derive_add_temporary(e, unit, name, like.buffer, (AxisSet){0}, span);
    e->program->buffers.data[buffer].slots = 1;
    return derive_scalar(buffer);
}

/* Converts a complete value, sharded over `have`, to another form. */
void derive_move_form(Emit *e, NodeList *body, int unit, Ref from, AxisSet have, Ref to, AxisSet want, Span span)
{
    if (derive_cut_nests(e, unit, have, want)) {
        derive_emit_over(e, body, OP_SLICE, to, from, axes_without(want, have), span);
    } else if (derive_cut_nests(e, unit, want, have)) {
        derive_emit_over(e, body, OP_ALL_GATHER, to, from, axes_without(have, want), span);
    } else {
        Ref whole = whole_temporary(e, unit, "whole", from, span);
        derive_emit_over(e, body, OP_ALL_GATHER, whole, from, have, span);
        derive_emit_over(e, body, OP_SLICE, to, whole, want, span);
    }
}

Ref derive_in_form(Emit *e, NodeList *body, int unit, Ref from, AxisSet have, AxisSet want, Span span)
{
    if (axes_equal(have, want))
        return from;
    const char *name = want.count > 0 ? "piece" : "whole";
    Ref to = derive_ref(derive_add_temporary(e, unit, name, from.buffer, want, span), from.slot);
    derive_move_form(e, body, unit, from, have, to, want, span);
    return to;
}

/* ---- Gradients ---------------------------------------------------------------------------------------------- */

void derive_all_reduce(Emit *e, NodeList *body, Ref ref, AxisSet axes, Span span)
{
    if (axes.count > 0)
        derive_emit_over(e, body, OP_ALL_REDUCE, ref, ref, axes, span);
}

void derive_reduce_into(Emit *e, NodeList *body, Ref from, Ref to, AxisSet reduce, AxisSet cut, Span span)
{
    AxisSet both = axes_common(cut, reduce);
    if (cut.count == 0) {
        derive_all_reduce(e, body, to, reduce, span);
    } else if (axes_equal(both, cut)) {
        derive_emit_over(e, body, OP_REDUCE_SCATTER, to, from, cut, span);
        derive_all_reduce(e, body, to, axes_without(reduce, cut), span);
    } else {
        derive_all_reduce(e, body, from, both, span);
        derive_emit_over(e, body, OP_SLICE, to, from, cut, span);
        derive_all_reduce(e, body, to, axes_without(reduce, both), span);
    }
}

int derive_gradient_buffer(Emit *e, int unit, const char *name, AxisSet cut, Span span)
{
    return derive_add_temporary(e, unit, name, e->buffers[unit].accumulator, cut, span);
}

AxisSet derive_accumulator_cut(const Emit *e, int unit)
{
    const UnitBuffers *b = &e->buffers[unit];
    return b->contribution == b->accumulator ? (AxisSet){0} : e->units[unit].gradients;
}

/* From the accumulator, which is sharded over its own axes and partial over the other axes of u->partial. */
static int convert_derived(Emit *e, NodeList *body, int unit, Affine slot)
{
    const UnitInfo *u = &e->units[unit];
    UnitBuffers *b = &e->buffers[unit];
    AxisSet cut = derive_accumulator_cut(e, unit), reduce = axes_without(u->partial, cut);
    Ref from = derive_ref(b->accumulator, slot);
    if (axes_equal(cut, u->optimizer)) {
        derive_all_reduce(e, body, from, reduce, e->units[unit].gradient_span);
        return b->accumulator;
    }
    Span span = e->units[unit].optimizer_span;
    const char *name = u->optimizer.count > 0 ? "gradient_shard" : "gradient_whole";
    Ref to = derive_ref(derive_gradient_buffer(e, unit, name, u->optimizer, span), slot);
    if (derive_cut_nests(e, unit, cut, u->optimizer)) {
        derive_reduce_into(e, body, from, to, reduce, axes_without(u->optimizer, cut), span);
    } else {
        derive_all_reduce(e, body, from, reduce, e->units[unit].gradient_span);
        derive_move_form(e, body, unit, from, cut, to, u->optimizer, span);
    }
    return to.buffer;
}

AxisSet derive_reduced_each(const Emit *e, int unit)
{
    const UnitInfo *u = &e->units[unit];
    if (u->microbatch_sync != NULL)
        return u->gradients;
    return axes_common(u->gradients, u->explicit_gradients ? derive_rest_of_syncs(e, unit) : u->partial);
}

static int convert_explicit(Emit *e, NodeList *body, int unit, Affine slot)
{
    const UnitInfo *u = &e->units[unit];
    UnitBuffers *b = &e->buffers[unit];
    derive_finish_gradient(e, body, unit, slot);
    if (b->left_shard >= 0)
        return b->left_shard;
    if (axes_equal(derive_accumulator_cut(e, unit), u->optimizer))
        return b->accumulator;
    Span span = e->units[unit].optimizer_span;
    const char *name = u->optimizer.count > 0 ? "gradient_shard" : "gradient_whole";
    Ref seen = derive_ref(derive_gradient_buffer(e, unit, name, u->optimizer, span), slot);
    derive_move_form(e, body, unit, derive_ref(b->accumulator, slot), derive_accumulator_cut(e, unit), seen,
                     u->optimizer, span);
    return seen.buffer;
}

Ref derive_gradient_for_update(Emit *e, NodeList *body, int unit, Affine slot)
{
    const UnitInfo *u = &e->units[unit];
    UnitBuffers *b = &e->buffers[unit];
    if (b->gradient_seen < 0)
        b->gradient_seen =
            u->explicit_gradients ? convert_explicit(e, body, unit, slot) : convert_derived(e, body, unit, slot);
    return derive_ref(b->gradient_seen, slot);
}

/* ---- Parameters --------------------------------------------------------------------------------------------- */

static int parameter_buffer(Emit *e, int unit, const char *name, AxisSet cut, Span span)
{
    return derive_add_temporary(e, unit, name, e->buffers[unit].parameter_buffer, cut, span);
}

Ref derive_parameter_for_update(Emit *e, NodeList *body, int unit, Affine slot, bool write)
{
    const UnitInfo *u = &e->units[unit];
    UnitBuffers *b = &e->buffers[unit];
    if (b->parameter_seen >= 0)
        return derive_ref(b->parameter_seen, slot);
    if (axes_equal(u->parameters, u->optimizer)) {
        b->parameter_seen = b->parameter_buffer;
        return derive_ref(b->parameter_seen, slot);
    }
    Span span = e->units[unit].optimizer_span;
    const char *name = u->optimizer.count > 0 ? "parameter_shard" : "parameter_whole";
    b->parameter_seen = parameter_buffer(e, unit, name, u->optimizer, span);
    Ref seen = derive_ref(b->parameter_seen, slot);
    if (!write)
        derive_move_form(e, body, unit, derive_ref(b->parameter_buffer, slot), u->parameters, seen, u->optimizer, span);
    return seen;
}

static const Sync *find_parameter_sync(const Emit *e, int unit)
{
    for (int i = 0; i < e->facts->assignment->syncs.count; i++)
        if (derive_sync_names(&e->facts->assignment->syncs.data[i], SYNC_PARAMETERS, unit) &&
            e->facts->assignment->syncs.data[i].moment == SYNC_AT_STEP)
            return &e->facts->assignment->syncs.data[i];
    return NULL;
}

static void refuse_gather(Emit *e, int unit, const Sync *sync, AxisSet needed)
{
    const UnitInfo *u = &e->units[unit];
    Diagnostic *diagnostic =
        diag_report(e->ctx->diag, P0306, sync->span, "parameters are gathered over the wrong axes");
    diag_primary_label(diagnostic, "gathers over '%s'", axes_words(e->ctx->arena, e->facts->decls, sync->axes));
    if (span_known(u->placement->optimizer.span))
        diag_label(diagnostic, u->placement->optimizer.span, "says which piece each rank updates");
    if (needed.count > 0)
        diag_why(
            diagnostic, "The pieces that the ranks along '%s' updated are put together only by a gather over '%s'.",
            axes_words(e->ctx->arena, e->facts->decls, needed), axes_words(e->ctx->arena, e->facts->decls, needed));
    else
        diag_why(diagnostic, "Every rank updates all that it keeps of these parameters: there is nothing to gather.");
    diag_repair(diagnostic, (Repair){.kind = needed.count > 0 ? REPAIR_AXES : REPAIR_LEAVE_OUT,
                                     .span = sync->span,
                                     .axes = axes_words(e->ctx->arena, e->facts->decls, needed)});
    e->failed = true;
}

/* The axes over which shards must be gathered, after the update, to what a rank stores of the parameter. */
static AxisSet axes_to_gather(const Emit *e, int unit)
{
    const UnitInfo *u = &e->units[unit];
    if (derive_cut_nests(e, unit, u->optimizer, u->parameters))
        return (AxisSet){0};
    return derive_cut_nests(e, unit, u->parameters, u->optimizer) ? axes_without(u->optimizer, u->parameters)
                                                                  : u->optimizer;
}

/* Without a gather: the updated shard goes into its place in what the rank stores; the rest of that stays as it was. */
static void store_ungathered(Emit *e, NodeList *body, int unit, Ref seen, Ref rest, Span span)
{
    const UnitInfo *u = &e->units[unit];
    bool nests = derive_cut_nests(e, unit, u->parameters, u->optimizer);
    Ref whole = nests ? rest : whole_temporary(e, unit, "whole", rest, span);
    if (!nests)
        derive_emit_over(e, body, OP_ALL_GATHER, whole, rest, u->parameters, e->units[unit].parameter_span);
    AxisSet axes = axes_to_gather(e, unit);
    derive_emit_place_shard(e, body, whole, seen, axes, span);
    if (!nests)
        derive_emit_over(e, body, OP_SLICE, rest, whole, u->parameters, span);
}

static void store_parameter(Emit *e, NodeList *body, int unit, Affine slot, const Sync *sync)
{
    const UnitInfo *u = &e->units[unit];
    UnitBuffers *b = &e->buffers[unit];
    AxisSet needed = axes_to_gather(e, unit);
    bool gathers = sync == NULL || sync->operation == SYNC_GATHER;
    if (sync != NULL && gathers && !axes_equal(axes_larger_than_one(e->facts->decls, sync->axes), needed)) {
        refuse_gather(e, unit, sync, needed);
        return;
    }
    Ref seen = derive_ref(b->parameter_seen, slot), rest = derive_ref(b->parameter_buffer, slot);
    Span span = sync != NULL ? sync->span : e->units[unit].optimizer_span;
    if (seen.buffer != rest.buffer && !gathers && needed.count > 0)
        store_ungathered(e, body, unit, seen, rest, span);
    else if (seen.buffer != rest.buffer)
        derive_move_form(e, body, unit, seen, u->optimizer, rest, u->parameters, span);
    if (!gathers)
        derive_sync_stored(e, body, rest, sync);
}

void derive_store_parameter(Emit *e, NodeList *body, int unit, Affine slot)
{
    const Sync *sync = find_parameter_sync(e, unit);
    int first = body->count;
    store_parameter(e, body, unit, slot, sync);
    if (sync != NULL)
        derive_leave_started(e, body, first, unit, sync);
}
