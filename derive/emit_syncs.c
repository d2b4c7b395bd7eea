/* emit_syncs.c - explicit syncs of gradients, parameters, states and statistics: lowered as written, right or wrong. */
#include "base/change.h"
#include "derive/emit.h"
#include "step/spec.h"

#include <string.h>

/* ---- Gradients ---------------------------------------------------------------------------------------------- */

static void all_reduce(Emit *e, NodeList *body, Ref ref, AxisSet axes, Span span)
{
    if (axes.count > 0)
        derive_emit_over(e, body, OP_ALL_REDUCE, ref, ref, axes, span);
}

void derive_scale_synced(Emit *e, NodeList *body, Ref ref, const Sync *sync, AxisSet axes)
{
    int64_t ranks = sync->operation == SYNC_MEAN ? axes_size(e->facts->decls, axes) : 1;
    derive_emit_scale(e, body, ref, sync->scale_numerator, sync->scale_denominator * ranks, sync->span);
}

/* Scales the result of a sync, and moves it to where it belongs. */
static void complete_sync(Emit *e, NodeList *body, Ref result, Ref into, const Sync *sync, AxisSet axes)
{
    derive_scale_synced(e, body, result, sync, axes);
    if (result.buffer != into.buffer)
        derive_emit_from(e, body, OP_CAST, into, result, sync->span);
}

/* The proof is about exact numbers: the author is responsible for what a narrower dtype loses, and the report says
 * so. */
static void report_narrow(Emit *e, const Sync *sync, DType dtype)
{
    Diagnostic *diagnostic = diag_report(e->ctx->diag, P0362, sync->span,
                                         "gradients in %s are rounded to %s before "
                                         "they are summed",
                                         dtype_name(dtype), dtype_name(sync->dtype));
    diag_why(
        diagnostic,
        "The proof is of numbers without rounding and does not see what is lost. It sends %lld bytes an element in "
        "the place of %lld.",
        (long long)dtype_bytes(sync->dtype), (long long)dtype_bytes(dtype));
}

/* The copy of a flat buffer in the dtype of the sync; the buffer itself if it has that dtype. */
static Ref in_dtype_of(Emit *e, Ref ref, const Sync *sync)
{
    Buffer copy = e->program->buffers.data[ref.buffer];
    if (!sync->has_dtype || sync->dtype == copy.dtype)
        return ref;
    if (dtype_bytes(sync->dtype) < dtype_bytes(copy.dtype))
        report_narrow(e, sync, copy.dtype);
    copy.name = arena_printf(e->ctx->arena, "%s.%s", copy.name, dtype_name(sync->dtype));
    copy.dtype = sync->dtype;
    copy.category = CATEGORY_BUFFERS;
    copy.persistent = false;
    copy.span = sync->span;
    return derive_ref(derive_add_buffer(e, copy), ref.slot);
}

/* The reduction of a sync, from one flat buffer into another or in place; complete, or only started. */
static void reduce_synced(Emit *e, NodeList *body, int unit, OpKind kind, Ref from, Ref into, const Sync *sync,
                          AxisSet axes)
{
    UnitBuffers *b = &e->buffers[unit];
    Ref source = in_dtype_of(e, from, sync), result = source;
    if (source.buffer != from.buffer)
        derive_emit_from(e, body, OP_CAST, source, from, sync->span);
    if (into.buffer != from.buffer)
        result = in_dtype_of(e, into, sync);
    Op *op = derive_emit_over(e, body, kind, result, source, axes, sync->span);
    if (!sync->waits) {
        complete_sync(e, body, result, into, sync, axes);
        return;
    }
    op->event = e->program->event_count++;
    vec_push(e->ctx->arena, &b->started, (Started){sync, result.buffer, into.buffer, axes, op->event});
}

/* Waits for the started syncs of moment SYNC_AT_STEP (`now`), or for those started earlier, in the order of the starts,
 * on the slot. */
static void wait_for_syncs(Emit *e, NodeList *body, int unit, Affine slot, bool now)
{
    UnitBuffers *b = &e->buffers[unit];
    for (int i = 0; i < b->started.count; i++) {
        const Started *started = &b->started.data[i];
        if ((started->sync->moment == SYNC_AT_STEP) != now)
            continue;
        derive_emit_wait(e, body, started->event, started->sync->span);
        complete_sync(e, body, derive_ref(started->result, slot), derive_ref(started->into, slot), started->sync,
                      started->axes);
    }
}

/* Puts the shards that a sync left back into their places in the accumulator. */
static void put_back_shard(Emit *e, NodeList *body, int unit, Ref shard, AxisSet axes, Span span)
{
    Ref whole = derive_ref(e->buffers[unit].accumulator, shard.slot);
    derive_emit_place_shard(e, body, whole, shard, axes, span);
}

static void sync_into_shards(Emit *e, NodeList *body, int unit, Affine slot, const Sync *sync, AxisSet axes)
{
    const UnitInfo *u = &e->units[unit];
    UnitBuffers *b = &e->buffers[unit];
    if (b->left_shard >= 0)
        put_back_shard(e, body, unit, derive_ref(b->left_shard, slot), b->left_axes, sync->span);
    Ref shard = derive_ref(derive_gradient_buffer(e, unit, "gradient_shard", axes, sync->span), slot);
    reduce_synced(e, body, unit, OP_REDUCE_SCATTER, derive_ref(b->accumulator, slot), shard, sync, axes);
    b->left_shard = -1;
    if (axes_equal(axes, u->optimizer)) {
        b->left_shard = shard.buffer;
        b->left_axes = axes;
    } else {
        put_back_shard(e, body, unit, shard, axes, sync->span);
    }
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
static void sync_segment(Emit *e, NodeList *body, int unit, int position, Affine slot, int index, const Sync *sync,
                         AxisSet axes)
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
    if (axes.count > 0)
        reduce_synced(e, body, unit, OP_ALL_REDUCE, segment, segment, sync, axes);
    else
        derive_scale_synced(e, body, segment, sync, axes);
    Op *put = derive_emit_from(e, body, OP_PLACE_SEGMENT, whole, whole, sync->span);
    put->spec = arena_printf(e->ctx->arena, "%s,%s->%s", letters, part, letters);
    put->operand_count = 2;
    put->operand[1] = segment;
    take->immediate_count = put->immediate_count = 1;
    take->immediate[0] = put->immediate[0] = first;
}

static void sync_segments(Emit *e, NodeList *body, int unit, Affine slot, const Sync *sync, AxisSet axes)
{
    const Unit *u = &e->facts->decls->units.data[unit];
    if (e->buffers[unit].left_shard >= 0) {
        if (!e->failed)
            diag_report(e->ctx->diag, P0290, sync->span,
                        "a sync of segments after one into shards is not supported "
                        "yet");
        e->failed = true;
    }
    for (int position = 0; position < u->member_count && !e->failed; position++)
        for (int index = 0; index < STEP_MAX_SEGMENTS; index++)
            if (sync->segments >> index & 1)
                sync_segment(e, body, unit, position, slot, index, sync, axes);
}

/* If syncs name some segments of a gradient but not all of it, the sums of the others are derived. */
static void sum_other_segments(Emit *e, NodeList *body, int unit, Affine slot)
{
    const Unit *u = &e->facts->decls->units.data[unit];
    unsigned named = 0;
    for (int i = 0; i < e->facts->assignment->syncs.count; i++) {
        const Sync *sync = &e->facts->assignment->syncs.data[i];
        if (!derive_sync_names(sync, SYNC_GRADIENTS, unit))
            continue;
        if (sync->segments == 0)
            return;
        named |= sync->segments;
    }
    AxisSet axes = axes_larger_than_one(e->facts->decls, e->units[unit].partial);
    const Segments *segments = named != 0 ? tensor_segments(&e->facts->decls->tensors.data[u->members[0]]) : NULL;
    Sync *rest = arena_make(e->ctx->arena, Sync);
    *rest = (Sync){.target = SYNC_GRADIENTS,
                   .operation = SYNC_SUM,
                   .axes = axes,
                   .scale_numerator = 1,
                   .scale_denominator = 1,
                   .span = e->units[unit].gradient_span};
    if (segments != NULL && axes.count > 0)
        rest->segments = ~named & ((1u << segments->count) - 1);
    sync_segments(e, body, unit, slot, rest, axes);
}

/* ---- At a moment -------------------------------------------------------------------------------------------- */

static void lower_sync(Emit *e, NodeList *body, int unit, Affine slot, const Sync *sync)
{
    UnitBuffers *b = &e->buffers[unit];
    AxisSet axes = axes_larger_than_one(e->facts->decls, sync->axes);
    if (sync->operation == SYNC_NONE)
        return;
    if (sync->segments != 0) {
        sync_segments(e, body, unit, slot, sync, axes);
        return;
    }
    if (sync->into_shards && axes.count > 0) {
        sync_into_shards(e, body, unit, slot, sync, axes);
        return;
    }
    Ref current = derive_ref(b->left_shard >= 0 ? b->left_shard : b->accumulator, slot);
    if (axes.count > 0)
        reduce_synced(e, body, unit, OP_ALL_REDUCE, current, current, sync, axes);
    else
        derive_scale_synced(e, body, current, sync, axes);
}

/* An event means its latest start, so syncs of all layers of a loop cannot be in flight together. */
static void refuse_started(Emit *e, int unit, const Sync *sync)
{
    const Unit *u = &e->facts->decls->units.data[unit];
    if (e->failed || !sync->waits || u->group < 0 || u->first_layer == u->last_layer)
        return;
    const char *group = e->facts->decls->groups.data[u->group].name;
    Diagnostic *diagnostic = diag_report(e->ctx->diag, P0290, sync->span,
                                         "one started sync of several layers of '%s' is not supported yet", group);
    diag_help(diagnostic, "Give every layer a sync of its own: 'sync %s of %s[%lld] : ...'.",
              sync->target == SYNC_GRADIENTS    ? "gradients"
              : sync->target == SYNC_PARAMETERS ? "parameters"
                                                : "optimizer",
              group, (long long)u->first_layer);
    e->failed = true;
}

/* `after microbatch N` runs where the loop over microbatches is at N. */
static NodeList *guard_microbatch(Emit *e, NodeList *body, const Sync *sync)
{
    return &derive_emit_guard(e, body, e->micro_loop, sync->microbatch, sync->microbatch, sync->span)->body;
}

void derive_syncs(Emit *e, NodeList *body, int unit, Affine slot, SyncMoment moment)
{
    for (int i = 0; i < e->facts->assignment->syncs.count; i++) {
        const Sync *sync = &e->facts->assignment->syncs.data[i];
        if (sync->moment != moment || sync == e->units[unit].microbatch_sync ||
            !derive_sync_names(sync, SYNC_GRADIENTS, unit))
            continue;
        refuse_started(e, unit, sync);
        bool guarded = moment == SYNC_AFTER_MICROBATCH && sync->operation != SYNC_NONE;
        lower_sync(e, guarded ? guard_microbatch(e, body, sync) : body, unit, slot, sync);
    }
}

void derive_finish_gradient(Emit *e, NodeList *body, int unit, Affine slot)
{
    const UnitBuffers *b = &e->buffers[unit];
    wait_for_syncs(e, body, unit, slot, false);
    derive_syncs(e, body, unit, slot, SYNC_AT_STEP);
    wait_for_syncs(e, body, unit, slot, true);
    sum_other_segments(e, body, unit, slot);
    all_reduce(e, body, derive_ref(b->left_shard >= 0 ? b->left_shard : b->accumulator, slot),
               e->choices->unit_choices[unit].rest, e->units[unit].gradient_span);
}

/* ---- Parameters, states and statistics ------------------------------------------------------------------------ */

static void broadcast(Emit *e, NodeList *body, Ref ref, AxisSet axes, Span span)
{
    for (int a = 0; a < axes.count; a++)
        derive_emit_over(e, body, OP_BROADCAST, ref, ref, (AxisSet){1, {axes.axis[a]}}, span);
}

/* Applies a sync to what a rank stores of an updated parameter or state. */
void derive_sync_stored(Emit *e, NodeList *body, Ref ref, const Sync *sync)
{
    AxisSet axes = axes_larger_than_one(e->facts->decls, sync->axes);
    e->program->buffers.data[ref.buffer].span = sync->span;
    if (sync->operation == SYNC_NONE)
        return;
    if (sync->operation == SYNC_BROADCAST)
        broadcast(e, body, ref, axes, sync->span);
    else if (axes.count > 0)
        derive_emit_over(e, body, OP_ALL_REDUCE, ref, ref, axes, sync->span)->reduce =
            sync->operation == SYNC_MAX ? REDUCE_MAX : REDUCE_SUM;
    derive_scale_synced(e, body, ref, sync, axes);
}

/* Only starts the last communication from `first` on, and leaves its completion, with all that follows it, to the
 * end. */
void derive_leave_started(Emit *e, NodeList *body, int first, int unit, const Sync *sync)
{
    int last = body->count - 1;
    while (last >= first && op_info[body->data[last]->op->kind].op_class != CLASS_COMM)
        last--;
    if (!sync->waits || last < first)
        return;
    refuse_started(e, unit, sync);
    Op *op = body->data[last]->op;
    Tail tail = {.event = op->event = e->program->event_count++, .span = sync->span};
    for (int i = last + 1; i < body->count; i++) {
        Op *other = body->data[i]->op; /* of one layer: moved out of the current loop */
        for (int j = 0; j < other->operand_count; j++)
            other->operand[j].slot = affine_constant(0);
        other->out.slot = affine_constant(0);
        vec_push(e->ctx->arena, &tail.rest, body->data[i]);
    }
    body->count = last + 1;
    vec_push(e->ctx->arena, &e->tails, tail);
}

void derive_sync_state(Emit *e, NodeList *body, int unit, Ref ref, const Sync *sync)
{
    int first = body->count;
    derive_sync_stored(e, body, ref, sync);
    derive_leave_started(e, body, first, unit, sync);
}

void derive_finish_syncs(Emit *e, NodeList *body)
{
    for (int i = 0; i < e->tails.count; i++) {
        derive_emit_wait(e, body, e->tails.data[i].event, e->tails.data[i].span);
        for (int j = 0; j < e->tails.data[i].rest.count; j++)
            vec_push(e->ctx->arena, body, e->tails.data[i].rest.data[j]);
    }
    e->tails.count = 0;
}

void derive_sync_start(Emit *e, NodeList *body, int unit, Affine slot)
{
    for (int i = 0; i < e->facts->assignment->syncs.count; i++) {
        const Sync *sync = &e->facts->assignment->syncs.data[i];
        if (sync->moment == SYNC_AT_START && derive_sync_names(sync, SYNC_PARAMETERS, unit))
            broadcast(e, body, derive_ref(e->buffers[unit].parameter_buffer, slot),
                      axes_larger_than_one(e->facts->decls, sync->axes), sync->span);
    }
}

/* ---- Scalars ------------------------------------------------------------------------------------------------ */

void derive_scalar_sync(Emit *e, NodeList *body, int buffer, const Sync *sync)
{
    AxisSet axes = axes_larger_than_one(e->facts->decls, sync->axes);
    if (sync->operation == SYNC_NONE)
        return;
    all_reduce(e, body, derive_scalar(buffer), axes, sync->span);
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
