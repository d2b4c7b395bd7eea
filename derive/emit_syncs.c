/* emit_syncs.c - explicit syncs of gradients, parameters, states and statistics, as they were chosen. */
#include "base/change.h"
#include "derive/emit.h"
#include "step/spec.h"

#include <string.h>

/* ---- Gradients ---------------------------------------------------------------------------------------------- */

void derive_scale_synced(Emit *e, NodeList *body, Ref ref, const Sync *sync, AxisSet axes)
{
    int64_t ranks = sync->operation == SYNC_MEAN ? axes_size(e->facts->decls, axes) : 1;
    derive_emit_scale(e, body, ref, sync->scale_numerator, sync->scale_denominator * ranks, sync->span);
}

static void scale(Emit *e, NodeList *body, Ref ref, const UnitSync *sync)
{
    derive_emit_scale(e, body, ref, sync->numerator, sync->denominator, sync->span);
}

/* Scales the result of a sync, and moves it to where it belongs. */
static void complete_sync(Emit *e, NodeList *body, Ref result, Ref into, const UnitSync *sync)
{
    scale(e, body, result, sync);
    if (result.buffer != into.buffer)
        derive_emit_from(e, body, OP_CAST, into, result, sync->span);
}

/* The copy of a flat buffer in the dtype of the sync; the buffer itself if it is not converted. */
static Ref in_dtype_of(Emit *e, Ref ref, const UnitSync *sync)
{
    Buffer copy = e->program->buffers.data[ref.buffer];
    if (!sync->converted)
        return ref;
    copy.name = arena_printf(e->ctx->arena, "%s.%s", copy.name, dtype_name(sync->dtype));
    copy.dtype = sync->dtype;
    copy.category = CATEGORY_BUFFERS;
    copy.persistent = false;
    copy.span = sync->span;
    return derive_ref(derive_add_buffer(e, copy), ref.slot);
}

static bool has_several_layers(const Emit *e, int unit)
{
    const Unit *u = &e->facts->decls->units.data[unit];
    return u->group >= 0 && u->last_layer > u->first_layer;
}

/* The syncs of all layers of a loop are in progress together: each has a slot of the event. */
static Affine event_slot(const Emit *e, int unit, Affine slot)
{
    const Unit *u = &e->facts->decls->units.data[unit];
    if (!has_several_layers(e, unit))
        return affine_constant(0);
    slot.modulus = u->last_layer - u->first_layer + 1;
    return slot;
}

/* The reduction of a sync, from one flat buffer into another or in place; complete, or only started. */
static void reduce_synced(Emit *e, NodeList *body, int unit, OpKind kind, Ref from, Ref into, const UnitSync *sync)
{
    UnitBuffers *b = &e->buffers[unit];
    Ref source = in_dtype_of(e, from, sync), result = source;
    if (source.buffer != from.buffer)
        derive_emit_from(e, body, OP_CAST, source, from, sync->span);
    if (into.buffer != from.buffer)
        result = in_dtype_of(e, into, sync);
    Op *op = derive_emit_over(e, body, kind, result, source, sync->axes, sync->span);
    if (!sync->waits) {
        complete_sync(e, body, result, into, sync);
        return;
    }
    op->event = e->program->event_count++;
    op->event_slot = event_slot(e, unit, from.slot);
    vec_push(e->ctx->arena, &b->started, (Started){sync, result.buffer, into.buffer, op->event});
}

/* Waits for the started syncs in the order of the starts, on the slot. */
static void wait_for_syncs(Emit *e, NodeList *body, int unit, Affine slot)
{
    UnitBuffers *b = &e->buffers[unit];
    for (int i = 0; i < b->started.count; i++) {
        const Started *started = &b->started.data[i];
        derive_emit_wait(e, body, started->event, started->sync->span)->wait.slot = event_slot(e, unit, slot);
        complete_sync(e, body, derive_ref(started->result, slot), derive_ref(started->into, slot), started->sync);
    }
    b->started.count = 0;
}

/* Puts the shards that a sync left back into their places in the accumulator. */
static void put_back_shard(Emit *e, NodeList *body, int unit, Ref shard, AxisSet axes, Span span)
{
    Ref whole = derive_ref(e->buffers[unit].accumulator, shard.slot);
    derive_emit_place_shard(e, body, whole, shard, axes, span);
}

static void sync_into_shards(Emit *e, NodeList *body, int unit, Affine slot, const UnitSync *sync)
{
    UnitBuffers *b = &e->buffers[unit];
    if (sync->put_back_before)
        put_back_shard(e, body, unit, derive_ref(b->shard, slot), sync->found, sync->span);
    b->shard = derive_gradient_buffer(e, unit, "gradient_shard", sync->axes, sync->span);
    Ref shard = derive_ref(b->shard, slot);
    reduce_synced(e, body, unit, OP_REDUCE_SCATTER, derive_ref(b->accumulator, slot), shard, sync);
    if (sync->put_back_after)
        put_back_shard(e, body, unit, shard, sync->axes, sync->span);
}

/* ---- Segments of fused parameters --------------------------------------------------------------------------- */

/* A value of one segment: the member's dims, with only this segment's elements in the fused one. */
static Buffer segment_buffer(Emit *e, int unit, int position, int dim, int index, Span span)
{
    const Unit *u = &e->facts->decls->units.data[unit];
    const Tensor *tensor = &e->facts->decls->tensors.data[u->members[position]];
    Buffer buffer = e->program->buffers.data[e->buffers[unit].accumulator];
    buffer.name = arena_printf(e->ctx->arena, "gradient.%s.%d", tensor->name, index);
    buffer.layout = LAYOUT_DENSE;
    buffer.category = CATEGORY_BUFFERS;
    buffer.persistent = false;
    buffer.slots = 1;
    buffer.state = buffer.tensor = -1;
    buffer.cut_count = 0;
    buffer.span = span;
    buffer.dim_count = tensor->dim_count;
    unit_member_dims(e->facts->decls, u, position, buffer.dims);
    buffer.dims[dim].size = tensor->segments[dim]->size[index];
    buffer.dims[dim].segments = NULL;
    return buffer;
}

/* Takes one segment out of a member's gradient, reduces it, and puts it back. */
static void sync_segment(Emit *e, NodeList *body, int unit, int position, Affine slot, int index, const UnitSync *sync)
{
    int member = e->facts->decls->units.data[unit].members[position], dim = 0;
    const Tensor *tensor = &e->facts->decls->tensors.data[member];
    while (tensor->segments[dim] == NULL)
        dim++;
    const char *letters = index_letters(tensor->dim_count);
    char *part = arena_copy(e->ctx->arena, letters, strlen(letters));
    part[dim] = 's';
    double first = 0;
    for (int i = 0; i < index; i++)
        first += (double)tensor->segments[dim]->size[i];
    Ref whole = derive_ref(e->buffers[unit].accumulator, slot), segment;
    whole.member = member;
    segment =
        derive_ref(derive_add_buffer(e, segment_buffer(e, unit, position, dim, index, sync->span)), affine_constant(0));
    Op *take = derive_emit_from(e, body, OP_SEGMENT, segment, whole, sync->span);
    take->spec = arena_printf(e->ctx->arena, "%s->%s", letters, part);
    if (sync->axes.count > 0)
        reduce_synced(e, body, unit, OP_ALL_REDUCE, segment, segment, sync);
    else
        scale(e, body, segment, sync);
    Op *put = derive_emit_from(e, body, OP_PLACE_SEGMENT, whole, whole, sync->span);
    put->spec = arena_printf(e->ctx->arena, "%s,%s->%s", letters, part, letters);
    put->operand_count = 2;
    put->operand[1] = segment;
    take->immediate_count = put->immediate_count = 1;
    take->immediate[0] = put->immediate[0] = first;
}

static void sync_segments(Emit *e, NodeList *body, int unit, Affine slot, const UnitSync *sync)
{
    const Unit *u = &e->facts->decls->units.data[unit];
    for (int position = 0; position < u->member_count; position++)
        for (int index = 0; index < STEP_MAX_SEGMENTS; index++)
            if (sync->segments >> index & 1)
                sync_segment(e, body, unit, position, slot, index, sync);
}

/* ---- Gradients, at a moment --------------------------------------------------------------------------------- */

static void sync_gradient(Emit *e, NodeList *body, int unit, Ref current, const UnitSync *sync)
{
    switch (sync->form) {
    case FORM_NOTHING:
        return;
    case FORM_SCALE:
        scale(e, body, current, sync);
        return;
    case FORM_ALL_REDUCE:
        reduce_synced(e, body, unit, OP_ALL_REDUCE, current, current, sync);
        return;
    case FORM_INTO_SHARDS:
        sync_into_shards(e, body, unit, current.slot, sync);
        return;
    case FORM_SEGMENTS:
        sync_segments(e, body, unit, current.slot, sync);
        return;
    case FORM_GATHER:
    case FORM_BROADCAST:
        break;
    }
    BUG("a sync that is none of gradients");
}

void derive_shard_syncs(Emit *e, NodeList *body, int unit, Ref shard, const UnitSyncs *syncs)
{
    for (int i = 0; i < syncs->count; i++)
        sync_gradient(e, body, unit, shard, &syncs->data[i]);
}

/* `after microbatch N` runs where the loop over microbatches is at N. */
static NodeList *guard_microbatch(Emit *e, NodeList *body, const UnitSync *sync)
{
    return &derive_emit_guard(e, body, e->micro_loop, sync->microbatch, sync->microbatch, sync->span)->body;
}

void derive_syncs(Emit *e, NodeList *body, int unit, Affine slot, const UnitSyncs *syncs)
{
    for (int i = 0; i < syncs->count; i++) {
        const UnitSync *sync = &syncs->data[i];
        const UnitBuffers *b = &e->buffers[unit];
        Ref current = derive_ref(sync->from_shard ? b->shard : b->accumulator, slot);
        sync_gradient(e, sync->guarded ? guard_microbatch(e, body, sync) : body, unit, current, sync);
    }
}

void derive_finish_gradient(Emit *e, NodeList *body, int unit, Affine slot)
{
    const UnitChoice *choice = &e->choices->unit_choices[unit];
    wait_for_syncs(e, body, unit, slot);
    derive_syncs(e, body, unit, slot, &choice->at_step);
    wait_for_syncs(e, body, unit, slot);
    derive_syncs(e, body, unit, slot, &choice->completed);
}

/* ---- Parameters, states and statistics ------------------------------------------------------------------------ */

static void broadcast(Emit *e, NodeList *body, Ref ref, AxisSet axes, Span span)
{
    for (int a = 0; a < axes.count; a++)
        derive_emit_over(e, body, OP_BROADCAST, ref, ref, (AxisSet){1, {axes.axis[a]}}, span);
}

/* Applies a sync to what a rank stores of an updated parameter or state. */
void derive_sync_stored(Emit *e, NodeList *body, Ref ref, const UnitSync *sync)
{
    e->program->buffers.data[ref.buffer].span = sync->span;
    switch (sync->form) {
    case FORM_NOTHING:
        return;
    case FORM_SCALE:
        break;
    case FORM_ALL_REDUCE:
        derive_emit_over(e, body, OP_ALL_REDUCE, ref, ref, sync->axes, sync->span)->reduce = sync->reduce;
        break;
    case FORM_BROADCAST:
        broadcast(e, body, ref, sync->axes, sync->span);
        break;
    case FORM_GATHER:
    case FORM_INTO_SHARDS:
    case FORM_SEGMENTS:
        BUG("a sync that is none of what is stored");
    }
    scale(e, body, ref, sync);
}

/* What a sync in progress uses has a slot for each layer. */
static void keep_slot(Emit *e, int unit, Ref *ref, Affine slot)
{
    const Unit *u = &e->facts->decls->units.data[unit];
    Buffer *buffer = &e->program->buffers.data[ref->buffer];
    if (buffer->layout != LAYOUT_UNIT || buffer->unit != unit)
        return;
    buffer->slots = u->last_layer - u->first_layer + 1;
    ref->slot = slot;
}

/* The references of an operator, now in this slot of the unit. */
static void move_to_slot(Emit *e, int unit, Op *op, Affine slot)
{
    for (int i = 0; i < op->operand_count; i++)
        keep_slot(e, unit, &op->operand[i], slot);
    keep_slot(e, unit, &op->out, slot);
}

/* Only starts the last communication from `first` on, and leaves its completion, with all that follows it, to the
 * end. */
void derive_leave_started(Emit *e, NodeList *body, int first, int unit, Affine slot, const UnitSync *sync)
{
    int last = body->count - 1;
    if (!sync->waits)
        return;
    while (last >= first && op_info[body->data[last]->op->kind].op_class != CLASS_COMM)
        last--;
    if (last < first)
        BUG("nothing was started");
    Op *op = body->data[last]->op;
    for (int i = first; i < body->count && has_several_layers(e, unit); i++)
        move_to_slot(e, unit, body->data[i]->op, slot);
    Tail tail = {.event = op->event = e->program->event_count++, .unit = unit, .span = sync->span};
    op->event_slot = event_slot(e, unit, slot);
    for (int i = last + 1; i < body->count; i++)
        vec_push(e->ctx->arena, &tail.rest, body->data[i]);
    body->count = last + 1;
    vec_push(e->ctx->arena, &e->tails, tail);
}

void derive_sync_state(Emit *e, NodeList *body, int unit, Ref ref, const UnitSync *sync)
{
    int first = body->count;
    derive_sync_stored(e, body, ref, sync);
    derive_leave_started(e, body, first, unit, ref.slot, sync);
}

/* The layers in a loop of their own; a single one needs none. */
static void finish_sync(Emit *e, NodeList *body, const Tail *tail)
{
    Affine slot = affine_constant(0);
    if (has_several_layers(e, tail->unit))
        body = derive_unit_body(e, body, tail->unit, &slot, tail->span);
    derive_emit_wait(e, body, tail->event, tail->span)->wait.slot = event_slot(e, tail->unit, slot);
    for (int i = 0; i < tail->rest.count; i++) {
        move_to_slot(e, tail->unit, tail->rest.data[i]->op, slot);
        vec_push(e->ctx->arena, body, tail->rest.data[i]);
    }
}

void derive_finish_syncs(Emit *e, NodeList *body)
{
    for (int i = 0; i < e->tails.count; i++)
        finish_sync(e, body, &e->tails.data[i]);
    e->tails.count = 0;
}

void derive_sync_start(Emit *e, NodeList *body, int unit, Affine slot)
{
    const UnitSyncs *syncs = &e->choices->unit_choices[unit].at_start;
    for (int i = 0; i < syncs->count; i++)
        broadcast(e, body, derive_ref(e->buffers[unit].parameter_buffer, slot), syncs->data[i].axes,
                  syncs->data[i].span);
}

/* ---- Scalars ------------------------------------------------------------------------------------------------ */

void derive_scalar_sync(Emit *e, NodeList *body, int buffer, const Sync *sync)
{
    AxisSet axes = axes_larger_than_one(e->facts->decls, sync->axes);
    if (sync->operation == SYNC_NONE)
        return;
    if (axes.count > 0)
        derive_emit_over(e, body, OP_ALL_REDUCE, derive_scalar(buffer), derive_scalar(buffer), axes, sync->span);
    derive_scale_synced(e, body, derive_scalar(buffer), sync, axes);
}

/* ---- Statistics --------------------------------------------------------------------------------------------- */

static void sync_statistic(Emit *e, NodeList *body, Ref ref, const Sync *sync)
{
    AxisSet axes = axes_larger_than_one(e->facts->decls, sync->axes);
    if (sync->operation == SYNC_BROADCAST)
        broadcast(e, body, ref, axes, sync->span);
    else if (sync->operation != SYNC_NONE && axes.count > 0)
        derive_emit_over(e, body, OP_ALL_REDUCE, ref, ref, axes, sync->span)->reduce =
            sync->operation == SYNC_MAX ? REDUCE_MAX : REDUCE_SUM;
    derive_scale_synced(e, body, ref, sync, axes);
    e->program->buffers.data[ref.buffer].span = sync->span; /* where the user would edit */
}

void derive_sync_statistic(Emit *e, NodeList *body, const Op *op)
{
    const Buffer *buffer = &e->program->buffers.data[op->out.buffer];
    const Assignment *assignment = e->facts->assignment;
    bool updates = e->routine->facts->routine->kind == ROUTINE_STEP && buffer->persistent && buffer->state >= 0 &&
                   e->facts->decls->states.data[buffer->state].kind == STATE_STATISTICS;
    for (int i = 0; updates && i < assignment->syncs.count; i++) {
        const Sync *sync = &assignment->syncs.data[i];
        if (sync->target == SYNC_STATISTICS &&
            (sync->label == NULL || label_matches(sync->label, e->facts->decls->tensors.data[buffer->tensor].name)))
            sync_statistic(e, body, op->out, sync);
    }
}
