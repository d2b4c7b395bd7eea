/* emit_micro.c - the loop over microbatches: lists of operators and loops as they were chosen, what units need between
 * them, and the sums over the batch: cleared before the loop, added to in it, summed over the ranks after it. */
#include "base/change.h"
#include "derive/emit.h"

/* ---- Units -------------------------------------------------------------------------------------------------- */

static int full_buffer(Emit *e, int unit)
{
    UnitBuffers *b = &e->buffers[unit];
    if (b->full_buffer >= 0)
        return b->full_buffer;
    const UnitInfo *u = &e->units[unit];
    b->full_buffer = derive_add_temporary(e, unit, "full", b->parameter_buffer, (AxisSet){0}, u->parameter_span);
    if (u->placement->parameters.keep == KEEP_PASS)
        e->program->buffers.data[b->full_buffer].slots = 1;
    return b->full_buffer;
}

/* The slot of a unit in the current layer loop. */
static Affine current_slot(const Emit *e, int unit)
{
    const Unit *u = &e->facts->decls->units.data[unit];
    return u->group < 0 ? affine_constant(0) : affine_loop(e->loop_map[e->ref_loop], 1, -u->first_layer);
}

static void emit_gather(Emit *e, NodeList *body, int unit, Affine to, Affine from)
{
    derive_emit_unit_steps(e, body, unit, &e->choices->unit_choices[unit].gather,
                           derive_ref(e->buffers[unit].parameter_buffer, from), derive_ref(full_buffer(e, unit), to),
                           e->units[unit].parameter_span);
}

static Ref local_shard(Emit *e, int unit, Span span)
{
    UnitBuffers *b = &e->buffers[unit];
    if (b->local_shard < 0) {
        b->local_shard =
            derive_add_temporary(e, unit, "contribution_shard", b->accumulator, e->units[unit].gradients, span);
        e->program->buffers.data[b->local_shard].slots = 1;
    }
    return derive_scalar(b->local_shard);
}

static void emit_reduce(Emit *e, NodeList *body, int unit, bool direct)
{
    const UnitInfo *u = &e->units[unit];
    const Sync *sync = u->microbatch_sync;
    Span span = sync != NULL ? sync->span : u->gradient_span;
    Ref into = derive_ref(e->buffers[unit].accumulator, current_slot(e, unit));
    Ref shard = direct ? into : local_shard(e, unit, span);
    derive_emit_unit_steps(e, body, unit, &e->choices->unit_choices[unit].each,
                           derive_scalar(e->buffers[unit].contribution), shard, span);
    if (sync != NULL)
        derive_scale_synced(e, body, shard, sync, u->gradients);
    derive_shard_syncs(e, body, unit, shard, &e->choices->unit_choices[unit].each_shard);
    if (!direct)
        derive_emit_from(e, body, OP_COPY, into, shard, span)->accumulate = true;
}

/* ---- Lists -------------------------------------------------------------------------------------------------- */

static void emit_list(Emit *e, const ChosenList *list, NodeList *body);

static void emit_layers(Emit *e, const LayersChoice *layers, NodeList *body)
{
    const Node *node = layers->loop;
    bool down = node->loop.step < 0;
    for (int i = 0; i < layers->entries.count; i++) {
        const Entry *entry = &layers->entries.data[i];
        derive_emit_route(e, body, entry->ref, &entry->route, entry->span);
    }
    Node *loop = derive_emit_loop(e, body, LOOP_LAYERS, node->loop.group, down ? layers->last : layers->first,
                                  down ? layers->first : layers->last, node->span);
    loop->loop.step = node->loop.step;
    e->loop_map[node->loop.id] = loop->loop.id;
    e->ref_loop = node->loop.id;
    e->group = node->loop.group;
    e->first_layer = layers->first;
    emit_list(e, &layers->body, &loop->body);
    e->ref_loop = e->group = -1;
    e->first_layer = 0;
}

static void emit_chosen(Emit *e, const Chosen *chosen, NodeList *body)
{
    switch (chosen->kind) {
    case CHOSEN_OP:
        derive_emit_op(e, body, chosen->op);
        break;
    case CHOSEN_LAYERS:
        emit_layers(e, chosen->layers, body);
        break;
    case CHOSEN_AHEAD:
        derive_emit_route(e, body, chosen->ahead->entry.ref, &chosen->ahead->entry.route, chosen->ahead->entry.span);
        break;
    case CHOSEN_GATHER:
        emit_gather(e, body, chosen->unit, affine_constant(0), current_slot(e, chosen->unit));
        break;
    case CHOSEN_CLEAR:
        derive_emit_fill(e, body, derive_scalar(e->buffers[chosen->unit].contribution), 0,
                         e->units[chosen->unit].gradient_span);
        break;
    case CHOSEN_REDUCE:
        emit_reduce(e, body, chosen->unit, chosen->direct);
        break;
    }
}

static void emit_list(Emit *e, const ChosenList *list, NodeList *body)
{
    for (int i = 0; i < list->count; i++)
        emit_chosen(e, &list->data[i], body);
}

/* ---- Around the loop ---------------------------------------------------------------------------------------- */

static void gather_for_step(Emit *e, NodeList *body)
{
    for (int i = 0; i < e->routine->gathered.count; i++) {
        Affine slot;
        int unit = e->routine->gathered.data[i];
        NodeList *inner = derive_unit_body(e, body, unit, &slot, e->units[unit].parameter_span);
        emit_gather(e, inner, unit, slot, slot);
    }
}

static void clear_accumulators(Emit *e, NodeList *body)
{
    for (int i = 0; i < e->routine->cleared.count; i++) {
        Affine slot;
        int unit = e->routine->cleared.data[i];
        Span span = e->units[unit].gradient_span;
        NodeList *inner = derive_unit_body(e, body, unit, &slot, span);
        derive_emit_fill(e, inner, derive_ref(e->buffers[unit].accumulator, slot), 0, span);
    }
}

static void sync_microbatch(Emit *e, NodeList *body, int unit, const UnitSyncs *syncs)
{
    Affine slot;
    if (syncs->count == 0)
        return;
    NodeList *inner = derive_unit_body(e, body, unit, &slot, syncs->data[syncs->count - 1].span);
    derive_syncs(e, inner, unit, slot, syncs);
}

static void sync_microbatches(Emit *e, NodeList *body)
{
    const UnitChoice *choices = e->choices->unit_choices;
    for (int i = 0; i < e->facts->decls->units.count; i++)
        sync_microbatch(e, body, i, &choices[i].each_microbatch);
    for (int i = 0; i < e->facts->decls->units.count; i++)
        sync_microbatch(e, body, i, &choices[i].after_microbatch);
}

/* ---- Sums over the batch ------------------------------------------------------------------------------------ */

/* The list for operators on a sum: the body of a loop over its layers, or `body` itself. */
static NodeList *sum_body(Emit *e, const SumChoice *sum, NodeList *body, Affine *slot)
{
    *slot = affine_constant(0);
    if (sum->group < 0)
        return body;
    Node *loop =
        derive_emit_loop(e, body, LOOP_LAYERS, sum->group, 0, e->facts->decls->groups.data[sum->group].layers - 1,
                         e->facts->reference->buffers.data[sum->ref].span);
    *slot = affine_loop(loop->loop.id, 1, 0);
    return &loop->body;
}

/* Creates their buffers, and clears them. */
static void make_sums(Emit *e, const SumList *sums, NodeList *body)
{
    for (int i = 0; i < sums->count; i++) {
        const SumChoice *sum = &sums->data[i];
        Buffer buffer = e->facts->reference->buffers.data[sum->ref];
        Affine slot;
        buffer.name = arena_printf(e->ctx->arena, "%s.sum", buffer.name);
        if (e->total[sum->ref] < 0)
            e->total[sum->ref] = derive_add_buffer(e, buffer);
        NodeList *inner = sum_body(e, sum, body, &slot);
        derive_emit_fill(e, inner, derive_ref(e->total[sum->ref], slot), 0, buffer.span);
    }
}

/* Adds a microbatch's sums to those of the earlier ones. */
static void add_sums(Emit *e, const SumList *sums, NodeList *body)
{
    for (int i = 0; i < sums->count; i++) {
        Affine slot;
        NodeList *inner = sum_body(e, &sums->data[i], body, &slot);
        int ref = sums->data[i].ref, total = e->total[ref];
        derive_emit_from(e, inner, OP_COPY, derive_ref(total, slot), derive_ref(derive_plain_buffer(e, ref), slot),
                         e->program->buffers.data[total].span)
            ->accumulate = true;
    }
}

/* Reduces them over the ranks, or as syncs say. */
static void reduce_sums(Emit *e, const SumList *sums, NodeList *body)
{
    for (int i = 0; i < sums->count; i++) {
        const SumChoice *sum = &sums->data[i];
        Affine slot = affine_constant(0);
        if (sum->loss)
            e->program->buffers.data[e->total[sum->ref]].span = e->facts->loss_sync->span;
        if (sum->done.steps.count == 0)
            continue;
        NodeList *inner = sum->loss ? body : sum_body(e, sum, body, &slot);
        derive_emit_steps(e, inner, NULL, derive_ref(e->total[sum->ref], slot), &sum->done,
                          e->facts->assignment->batch_span);
    }
}

/* ---- The routine -------------------------------------------------------------------------------------------- */

static Node *micro_loop(Emit *e, NodeList *body)
{
    Node *loop = derive_emit_loop(e, body, LOOP_MICRO, -1, 0, e->facts->decls->micro - 1, e->facts->train->batch_span);
    e->micro_loop = loop->loop.id;
    return loop;
}

/* Sums that single examples depend on, in a loop of their own, and what is computed from them. */
static void emit_early(Emit *e, NodeList *body)
{
    const RoutineChoices *r = e->routine;
    if (r->early.count == 0)
        return;
    make_sums(e, &r->early, body);
    Node *loop = micro_loop(e, body);
    emit_list(e, &r->early_body, &loop->body);
    e->micro_loop = -1;
    add_sums(e, &r->early, &loop->body);
    reduce_sums(e, &r->early, body);
    emit_list(e, &r->between, body);
}

void derive_emit_micro(Emit *e, NodeList *body)
{
    const RoutineChoices *r = e->routine;
    gather_for_step(e, body);
    if (!r->facts->divided) {
        emit_list(e, &r->body, body);
        return;
    }
    if (r->gradients)
        clear_accumulators(e, body);
    make_sums(e, &r->sums, body);
    if (!r->micro)
        return;
    emit_early(e, body);
    Node *loop = micro_loop(e, body);
    emit_list(e, &r->body, &loop->body);
    add_sums(e, &r->sums, &loop->body);
    if (r->gradients)
        sync_microbatches(e, &loop->body);
    e->micro_loop = -1;
    reduce_sums(e, &r->sums, body);
}
