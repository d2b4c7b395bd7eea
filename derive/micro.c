/* micro.c - the loop over microbatches: what the reference does with the whole batch, done with a part of it.
 *
 * Layer loops are split where the units of their parameters end. A gathered parameter is made whole before its first
 * use of a pass: at the start of the body of its layer loop, or before the first operator or loop that needs it. A
 * gradient that is stored in shards is collected in a full-size buffer and reduced after its last contribution of the
 * pass; one that is stored whole is accumulated in its own buffer.
 */
#include "base/change.h"
#include "derive/internal.h"

#include <string.h>

/* ---- What a part of the reference touches ------------------------------------------------------------------- */

static bool is_micro(const Derive *d, const Op *op)
{
    return d->early ? d->ops[op->id].early : d->ops[op->id].phase == PHASE_MICRO;
}

static bool any_micro(const Derive *d, const Node *node)
{
    if (node->kind == NODE_OP)
        return is_micro(d, node->op);
    for (int i = 0; i < node->body.count; i++)
        if (any_micro(d, node->body.data[i]))
            return true;
    return false;
}

/* Does the reference name a member of the unit, in the given role? */
static bool is_member(const Derive *d, Ref ref, Role role, int unit)
{
    const RefBuffer *buffer = &d->buffers[ref.buffer];
    return buffer->role == role && unit_offset(&d->decls->units.data[unit], buffer->tensor) >= 0;
}

static bool reads_unit(const Derive *d, const Node *node, int unit, bool backward)
{
    for (int i = 0; i < node->body.count; i++)
        if (reads_unit(d, node->body.data[i], unit, backward))
            return true;
    if (node->kind != NODE_OP || !is_micro(d, node->op) || d->ops[node->op->id].backward != backward)
        return false;
    for (int i = 0; i < node->op->operand_count; i++)
        if (is_member(d, node->op->operand[i], ROLE_PARAMETER, unit))
            return true;
    return false;
}

static bool contributes(const Derive *d, const Node *node, int unit)
{
    for (int i = 0; i < node->body.count; i++)
        if (contributes(d, node->body.data[i], unit))
            return true;
    return node->kind == NODE_OP && is_micro(d, node->op) && node->op->kind != OP_OUTPUT &&
           is_member(d, node->op->out, ROLE_GRADIENT, unit);
}

static bool touches_unit(const Derive *d, const Node *node, int unit)
{
    return contributes(d, node, unit) || reads_unit(d, node, unit, false) || reads_unit(d, node, unit, true);
}

int derive_unit_of(const Derive *d, int tensor, int64_t layer)
{
    for (int i = 0; i < d->decls->units.count; i++) {
        const Unit *unit = &d->decls->units.data[i];
        bool has_layer = unit->group < 0 || (unit->first_layer <= layer && layer <= unit->last_layer);
        if (has_layer && unit_offset(unit, tensor) >= 0)
            return i;
    }
    BUG("no unit has layer %lld of '%s'", (long long)layer, d->decls->tensors.data[tensor].name);
}

/* ---- References --------------------------------------------------------------------------------------------- */

Affine derive_map_affine(const Derive *d, Affine affine)
{
    for (int i = 0; i < affine.term_count; i++)
        if (affine.term[i].variable >= 0)
            affine.term[i].variable = d->loop_map[affine.term[i].variable];
    return affine;
}

static Affine unit_slot(const Derive *d, Ref ref, int unit)
{
    const Unit *u = &d->decls->units.data[unit];
    if (u->group < 0)
        return affine_constant(0);
    if (u->group != d->group)
        BUG("a parameter of '%s' is used outside of the loop over its layers", u->name);
    Affine slot = derive_map_affine(d, ref.slot);
    slot.constant -= u->first_layer;
    return slot;
}

/* Notes what each of two ranks would have of the tensor. */
static void add_pieces(const Derive *d, Diagnostic *diagnostic, const Unit *unit, int tensor, int axis)
{
    const char *first = arena_printf(d->ctx->arena, "%s 0", d->decls->axes.data[axis].name);
    const char *second = arena_printf(d->ctx->arena, "%s 1", d->decls->axes.data[axis].name);
    int64_t size = tensor_elements(&d->decls->tensors.data[tensor]);
    int64_t middle = (unit->elements + 1) / 2 - unit_offset(unit, tensor);
    middle = middle < 0 ? 0 : middle > size ? size : middle;
    diag_counter_example(diagnostic,
                         "2 ranks; '%s' has %lld elements\n%-12s has %lld\n%-12s has %lld\n"
                         "1 device     has %lld",
                         d->decls->tensors.data[tensor].name, (long long)size, first, (long long)middle, second,
                         (long long)(size - middle), (long long)size);
}

/* Reported once per unit: one line of the strategy causes them all. */
static void refuse_sharded_use(Derive *d, const Op *op, int unit, int tensor)
{
    if (d->units[unit].refused)
        return;
    d->units[unit].refused = d->failed = true;
    const StatePlacement *placement = &d->units[unit].placement->parameters;
    const char *name = d->decls->tensors.data[tensor].name;
    const char *axes = axes_name(d, placement->use);
    Diagnostic *diagnostic =
        diag_report(d->ctx->diag, P0307, op->span, "a piece of '%s' used as if it were whole", name);
    diag_primary_label(diagnostic, "needs every element of '%s'", name);
    if (span_known(placement->span))
        diag_label(diagnostic, placement->span, "every rank along '%s' has a piece of it and gathers nothing", axes);
    diag_why(diagnostic,
             "'sharded' gives a rank its flat shard both stored and in use; only elementwise updates can work "
             "on a flat shard.");
    add_pieces(d, diagnostic, &d->decls->units.data[unit], tensor, placement->use.axis[0]);
    diag_repair(diagnostic, (Repair){.kind = REPAIR_GATHERED, .span = placement->span});
}

static Ref parameter_ref(Derive *d, const Op *op, Ref ref)
{
    int tensor = d->buffers[ref.buffer].tensor;
    int unit = derive_unit_of(d, tensor, d->first_layer);
    UnitInfo *u = &d->units[unit];
    Affine slot = unit_slot(d, ref, unit);
    if (u->parameters.count == 0)
        return (Ref){u->parameter_buffer, slot, tensor};
    if (!u->gathered) {
        refuse_sharded_use(d, op, unit, tensor);
        return (Ref){u->parameter_buffer, slot, -1};
    }
    bool kept = u->placement->parameters.keep == KEEP_STEP;
    return (Ref){u->full_buffer, kept ? slot : affine_constant(0), tensor};
}

static Ref gradient_ref(Derive *d, Ref ref)
{
    int tensor = d->buffers[ref.buffer].tensor;
    int unit = derive_unit_of(d, tensor, d->first_layer);
    const UnitInfo *u = &d->units[unit];
    Affine slot = unit_slot(d, ref, unit);
    if (u->contribution != u->accumulator)
        slot = affine_constant(0);
    return (Ref){u->contribution, slot, tensor};
}

/* ---- Gathered parameters and reduced gradients -------------------------------------------------------------- */

/* Do a unit's conversions belong to the current list: the routine's own, or the body of its layer loop? */
static bool at_this_level(const Derive *d, int unit)
{
    const Unit *u = &d->decls->units.data[unit];
    return u->group == d->group &&
           (u->group < 0 || (u->first_layer <= d->first_layer && d->last_layer <= u->last_layer));
}

static bool is_gathered(const Derive *d, int unit, int keep)
{
    const UnitInfo *u = &d->units[unit];
    return u->gathered && u->parameters.count > 0 && (int)u->placement->parameters.keep == keep;
}

static int full_buffer(Derive *d, int unit)
{
    UnitInfo *u = &d->units[unit];
    if (u->full_buffer >= 0)
        return u->full_buffer;
    u->full_buffer =
        derive_add_temporary(d, unit, "full", u->parameter_buffer, (AxisSet){0}, derive_parameter_span(d, unit));
    if (u->placement->parameters.keep == KEEP_PASS)
        d->program->buffers.data[u->full_buffer].slots = 1;
    return u->full_buffer;
}

/* The slot of a unit in the current layer loop. */
static Affine current_slot(const Derive *d, int unit)
{
    const Unit *u = &d->decls->units.data[unit];
    return u->group < 0 ? affine_constant(0) : affine_loop(d->loop_map[d->ref_loop], 1, -u->first_layer);
}

static void emit_gather(Derive *d, NodeList *body, int unit, Affine to, Affine from)
{
    derive_emit_over(d, body, OP_ALL_GATHER, derive_ref(full_buffer(d, unit), to),
                     derive_ref(d->units[unit].parameter_buffer, from), d->units[unit].parameters,
                     derive_parameter_span(d, unit));
}

static void gather_before(Derive *d, NodeList *body, const Node *node)
{
    for (int i = 0; i < d->decls->units.count; i++) {
        UnitInfo *u = &d->units[i];
        if (!at_this_level(d, i) || !is_gathered(d, i, KEEP_PASS))
            continue;
        for (int backward = 0; backward < 2; backward++) {
            if (u->gathered_pass[backward] || !reads_unit(d, node, i, backward))
                continue;
            bool is_here = u->gathered_pass[!backward] && d->group >= 0; /* for operators that are recomputed */
            u->gathered_pass[backward] = true;
            if (!is_here)
                emit_gather(d, body, i, affine_constant(0), current_slot(d, i));
        }
    }
}

/* A single contribution is the gradient itself. Stages of a pipeline accumulate, whatever their number. */
static bool is_direct(const Derive *d, int unit)
{
    return d->decls->micro == 1 && d->units[unit].contribution_sites == 1 && !d->assignment->pipeline.requested;
}

static void fill_before(Derive *d, NodeList *body, const Node *node)
{
    for (int i = 0; i < d->decls->units.count; i++) {
        UnitInfo *u = &d->units[i];
        if (u->filled || u->contribution == u->accumulator || !at_this_level(d, i) || !contributes(d, node, i))
            continue;
        u->filled = true;
        derive_emit_fill(d, body, derive_scalar(u->contribution), 0, derive_gradient_span(d, i));
    }
}

static Ref local_shard(Derive *d, int unit, Span span)
{
    UnitInfo *u = &d->units[unit];
    if (u->local_shard < 0) {
        u->local_shard = derive_add_temporary(d, unit, "contribution_shard", u->accumulator, u->gradients, span);
        d->program->buffers.data[u->local_shard].slots = 1;
    }
    return derive_scalar(u->local_shard);
}

static void emit_reduce(Derive *d, NodeList *body, int unit)
{
    UnitInfo *u = &d->units[unit];
    const Sync *sync = u->microbatch_sync;
    Span span = sync != NULL ? sync->span : derive_gradient_span(d, unit);
    Ref into = derive_ref(u->accumulator, current_slot(d, unit));
    Ref shard = is_direct(d, unit) ? into : local_shard(d, unit, span);
    derive_reduce_into(d, body, derive_scalar(u->contribution), shard, derive_reduced_each(d, unit), u->gradients,
                       span);
    if (sync != NULL)
        derive_scale_synced(d, body, shard, sync, u->gradients);
    if (!is_direct(d, unit))
        derive_emit_from(d, body, OP_COPY, into, shard, span)->accumulate = true;
    u->filled = false;
}

/* After the list's node `index`: reduces units whose last contribution it was. */
static void reduce_after(Derive *d, NodeList *body, const NodeList *list, int index)
{
    for (int i = 0; i < d->decls->units.count; i++) {
        if (!d->units[i].filled || !at_this_level(d, i))
            continue;
        bool last = true;
        for (int j = index + 1; j < list->count; j++)
            last &= !contributes(d, list->data[j], i);
        if (last)
            emit_reduce(d, body, i);
    }
}

/* ---- A loss divided by a rank's own count (sync count : none) ----------------------------------------------- */

static Span count_span(const Derive *d)
{
    for (int i = 0; i < d->assignment->syncs.count; i++)
        if (d->assignment->syncs.data[i].target == SYNC_COUNT)
            return d->assignment->syncs.data[i].span;
    return (Span){0};
}

/* Turns a weight by the global count of examples into one by this rank's count in this microbatch. */
static void scale_by_local_count(Derive *d, NodeList *body, const Op *op, int index, Ref from, Ref to)
{
    Ref ref = index < 0 ? op->out : op->operand[index];
    const Buffer *buffer = &d->reference->buffers.data[ref.buffer];
    const char *letters;
    int count = derive_spec_letters(d, op, index, &letters);
    int64_t examples = 0;
    char letter = derive_batch_letter(d, op, index);
    for (int i = 0; i < count; i++)
        if (letters[i] == letter)
            examples = buffer->dims[i].size;
    Op *scale = derive_emit_from(d, body, OP_SCALE, to, from, count_span(d));
    scale->spec = arena_printf(d->ctx->arena, "%.*s->%.*s", count, letters, count, letters);
    scale->scale = (Scale){examples, d->decls->micro, arena_printf(d->ctx->arena, "%c", letter)};
}

/* Does the operator make the mean in the loss? A sum is not divided by a count. */
static bool is_mean(const Derive *d, const Op *op)
{
    for (int i = 0; i < d->train->means.count; i++)
        if (d->train->means.data[i] == op)
            return true;
    return false;
}

static void weight_operand(Derive *d, NodeList *body, const Op *ref_op, Op *op)
{
    Buffer weighted = d->program->buffers.data[op->operand[0].buffer];
    weighted.name = arena_printf(d->ctx->arena, "%s.weighted", weighted.name);
    Ref to = op->operand[0];
    to.buffer = derive_add_buffer(d, weighted);
    scale_by_local_count(d, body, ref_op, 0, op->operand[0], to);
    op->operand[0] = to;
}

/* ---- Operators and loops ------------------------------------------------------------------------------------ */

static void emit_list(Derive *d, const NodeList *list, NodeList *body);

void derive_set_reader(const Derive *d, Op *op)
{
    op->axes = (AxisSet){0};
    op->microbatch = affine_constant(0);
    if (!d->cut || d->decls->tensors.data[op->tensor].batch_dim < 0)
        return;
    op->axes = d->readers;
    op->microbatch = affine_loop(d->micro_loop, 1, 0);
    if (d->assignment->reader_span.start != d->assignment->batch_span.start && span_known(d->assignment->reader_span))
        op->span = d->assignment->reader_span;
}

/* A parameter as its unit has it, or a part of that. */
static Ref parameter_value(Derive *d, NodeList *body, const Op *op, Ref ref, const Place *to)
{
    RefBuffer *info = &d->buffers[ref.buffer];
    Place place = derive_parameter_place(d, info->tensor);
    if (d->dry)
        return ref;
    Ref at = parameter_ref(d, op, ref);
    if (place_equal(&place, to))
        return at;
    for (int i = 0; i < info->held.count; i++)
        if (place_equal(&info->held.data[i].place, to))
            return derive_scalar(info->held.data[i].buffer);
    Ref out = derive_route(d, body, ref.buffer, at, affine_constant(0), place, to, false, op->span);
    derive_hold(d, ref, *to, out.buffer);
    return out;
}

static Ref operand_value(Derive *d, NodeList *body, const Op *op, int operand, const Place *to)
{
    Ref ref = op->operand[operand];
    switch (d->buffers[ref.buffer].role) {
    case ROLE_PLAIN:
        return derive_value(d, body, ref, to, op->span);
    case ROLE_PARAMETER:
        return parameter_value(d, body, op, ref, to);
    case ROLE_GRADIENT:
    case ROLE_STATE:
    case ROLE_UPDATE:
    case ROLE_MATRIX:
        break;
    }
    BUG("'%s' reads the state of an update", op_info[op->kind].name);
}

static void add_to(Derive *d, NodeList *body, Ref to, Ref from, Span span)
{
    if (!d->dry)
        derive_emit_from(d, body, OP_COPY, to, from, span)->accumulate = true;
}

/* Emits the operator itself, and what a loss by local counts needs in addition. */
static void emit_computed(Derive *d, NodeList *body, const Op *ref_op, Op *op, const Choice *choice)
{
    bool local = d->local_count && d->cut && d->batch.count > 0 && is_mean(d, ref_op);
    if (d->dry)
        return;
    if (local && op->kind == OP_REDUCE)
        weight_operand(d, body, ref_op, op);
    if (choice->ring.turns)
        derive_emit_ring(d, body, op, &choice->ring);
    else if (choice->halos.count > 0 && derive_gives_halo(op))
        derive_emit_halo_add(d, body, ref_op->out, op, choice);
    else
        derive_emit_copy(d, body, op);
    if (local && op->kind == OP_FILL)
        scale_by_local_count(d, body, ref_op, -1, op->out, op->out);
}

/* Computes the result in a second buffer, converts it to the placement of the target, and adds it. */
static void emit_beside(Derive *d, NodeList *body, const Op *ref_op, Op *op, const Choice *choice, Ref to)
{
    int ref = ref_op->out.buffer;
    op->out = derive_scalar(derive_part(d, ref, &choice->result));
    op->accumulate = false;
    emit_computed(d, body, ref_op, op, choice);
    Ref part =
        derive_route(d, body, ref, op->out, affine_constant(0), choice->result, &choice->kept, true, ref_op->span);
    add_to(d, body, to, part, ref_op->span);
}

/* The axes on which a contribution is, or becomes, part of a sum; over those that shard its target it is summed at
 * once. */
static AxisSet part_axes(const Derive *d, const Choice *choice, const Place *whole)
{
    AxisSet axes = {0};
    for (int a = 0; a < d->decls->axes.count; a++)
        if (whole->on[a] < 0 && (choice->result.on[a] == ON_PARTIAL || choice->result.on[a] >= 0))
            axes.axis[axes.count++] = (int8_t)a;
    return axes;
}

static void emit_contribution(Derive *d, NodeList *body, const Op *ref_op, Op *op, const Choice *choice)
{
    int tensor = d->buffers[ref_op->out.buffer].tensor;
    if (d->dry) {
        Place place = derive_parameter_place(d, tensor);
        derive_note_gradient(d, tensor, part_axes(d, choice, &place));
        return;
    }
    Ref to = gradient_ref(d, ref_op->out);
    if (!place_equal(&choice->result, &choice->kept)) {
        emit_beside(d, body, ref_op, op, choice, to);
        return;
    }
    op->out = to;
    op->accumulate = true;
    emit_computed(d, body, ref_op, op, choice);
}

static void emit_plain_result(Derive *d, NodeList *body, const Op *ref_op, Op *op, const Choice *choice)
{
    Ref out = ref_op->out;
    RefBuffer *info = &d->buffers[out.buffer];
    if (d->dry && info->partial && !derive_is_zero_fill(ref_op))
        derive_note_sum(d, out.buffer, part_axes(d, choice, &info->rest));
    Place place = choice->kept;
    Ref to = derive_ref(derive_variant(d, out.buffer, &choice->kept), derive_map_affine(d, out.slot));
    if (place_equal(&choice->result, &choice->kept)) {
        op->out = to;
        emit_computed(d, body, ref_op, op, choice);
    } else if (op->accumulate) {
        emit_beside(d, body, ref_op, op, choice, to);
    } else {
        bool same = derive_variant(d, out.buffer, &choice->result) == to.buffer && !d->dry;
        op->out = same ? to : derive_scalar(derive_part(d, out.buffer, &choice->result));
        emit_computed(d, body, ref_op, op, choice);
        derive_route(d, body, out.buffer, op->out, to.slot, choice->result, &choice->kept, false, ref_op->span);
    }
    if (d->ops[ref_op->id].completes && !info->partial)
        to = derive_sync_value(d, body, out.buffer, to, &place);
    derive_forget(d, out);
    derive_hold(d, out, place, to.buffer);
    if (info->fixed && !info->has_home) {
        info->has_home = true;
        info->home = place;
    }
    if (info->read_flat) {
        Place whole = place_whole();
        derive_value(d, body, out, &whole, ref_op->span);
    }
}

/* Completes the target if the contribution cannot be added to parts of a sum, only to the sum. */
static void complete_target(Derive *d, NodeList *body, const Op *op)
{
    Ref out = op->out;
    const RefBuffer *info = &d->buffers[out.buffer];
    if (info->role != ROLE_PLAIN || info->partial || !derive_complete(d, body, out, op->span))
        return;
    Held complete = info->held.data[info->held.count - 1];
    for (int i = 0; i < info->held.count; i++)
        if (derive_is_held(d, &info->held.data[i], out) &&
            place_axes(d, &info->held.data[i].place, ON_PARTIAL).count == 0)
            complete = info->held.data[i];
    derive_forget(d, out);
    derive_hold(d, out, complete.place, complete.buffer);
}

static void emit_op(Derive *d, NodeList *body, const Op *ref_op)
{
    Choice choice;
    if (!derive_choose(d, ref_op, !ref_op->accumulate, &choice)) {
        if (!ref_op->accumulate)
            return;
        complete_target(d, body, ref_op);
        if (!derive_choose(d, ref_op, true, &choice))
            return;
    }
    if (!derive_find_ring(d, ref_op, &choice))
        return;
    Op op = *ref_op;
    derive_report_whole_windows(d, ref_op, &choice);
    for (int i = 0; i < op.operand_count; i++)
        op.operand[i] = operand_value(d, body, ref_op, i, &choice.operand[i]);
    for (int i = 0; choice.halos.count > 0 && i < op.operand_count; i++)
        if (derive_reads_halo(ref_op, i))
            op.operand[i] = derive_halo_value(d, body, ref_op->operand[i], op.operand[i], &choice.operand[i],
                                              choice.halos, ref_op->span);
    if (op_index(&op) != NULL)
        *op_index_of(&op) = derive_map_affine(d, *op_index(&op));
    if (op.kind == OP_READ)
        derive_set_reader(d, &op);
    if (op.kind == OP_OUTPUT)
        emit_computed(d, body, ref_op, &op, &choice);
    else if (d->buffers[ref_op->out.buffer].role == ROLE_GRADIENT)
        emit_contribution(d, body, ref_op, &op, &choice);
    else
        emit_plain_result(d, body, ref_op, &op, &choice);
}

/* The part of a layer loop that runs over these layers, which use the same units. */
static void emit_layers(Derive *d, const Node *node, NodeList *body, int64_t first, int64_t last)
{
    bool down = node->loop.step < 0;
    Node *loop =
        derive_emit_loop(d, body, LOOP_LAYERS, node->loop.group, down ? last : first, down ? first : last, node->span);
    loop->loop.step = node->loop.step;
    d->loop_map[node->loop.id] = loop->loop.id;
    d->ref_loop = node->loop.id;
    d->group = node->loop.group;
    d->first_layer = first;
    d->last_layer = last;
    for (int i = 0; i < d->decls->units.count; i++)
        if (!d->dry && at_this_level(d, i))
            memset(d->units[i].gathered_pass, 0, sizeof(d->units[i].gathered_pass));
    derive_enter_loop(d, body, node);
    if (!d->dry)
        gather_before(d, &loop->body, node);
    emit_list(d, &node->body, &loop->body);
    derive_leave_loop(d, node);
    d->ref_loop = d->group = -1;
    d->first_layer = d->last_layer = 0;
}

/* Lowers *next to where the layers first .. last begin or end, if that is after `layer`. */
static void bound_by(int64_t *next, int64_t layer, int64_t first, int64_t last)
{
    if (first > layer && first < *next)
        *next = first;
    if (last + 1 > layer && last + 1 < *next)
        *next = last + 1;
}

/* The first layer after `layer` at which a unit that the loop touches begins, or the set of recomputed values changes;
 * or the one after `last`. */
static int64_t next_boundary(const Derive *d, const Node *node, int64_t layer, int64_t last)
{
    int64_t next = last + 1;
    for (int i = 0; i < d->decls->units.count; i++) {
        const Unit *unit = &d->decls->units.data[i];
        if (unit->group == node->loop.group && touches_unit(d, node, i))
            bound_by(&next, layer, unit->first_layer, unit->last_layer);
    }
    for (int i = 0; i < d->assignment->recomputed.count; i++) {
        const Recomputed *request = &d->assignment->recomputed.data[i];
        if (request->group == node->loop.group)
            bound_by(&next, layer, request->first, request->last);
    }
    return next;
}

/* Layers of a loop that are emitted together. */
typedef struct Run {
    const Node *node;
    int64_t first, last;
} Run;

static void emit_loop(Derive *d, const Node *node, NodeList *body)
{
    bool down = node->loop.step < 0;
    int64_t first = down ? node->loop.last.constant : node->loop.first.constant;
    int64_t last = down ? node->loop.first.constant : node->loop.last.constant;
    Vec(Run) runs = {0};
    for (int64_t layer = first; layer <= last; layer = runs.data[runs.count - 1].last + 1) {
        Run run = {derive_with_recomputed(d, node, layer), layer, last};
        run.last = next_boundary(d, run.node, layer, last) - 1;
        vec_push(d->ctx->arena, &runs, run);
    }
    for (int i = 0; i < runs.count; i++) {
        const Run *run = &runs.data[down ? runs.count - 1 - i : i];
        emit_layers(d, run->node, body, run->first, run->last);
    }
}

static void emit_list(Derive *d, const NodeList *list, NodeList *body)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        if (!any_micro(d, node))
            continue;
        if (node->kind != NODE_OP && node->kind != NODE_LOOP)
            BUG("the reference has a guard or a wait");
        if (!d->dry) {
            gather_before(d, body, node);
            fill_before(d, body, node);
        }
        if (node->kind == NODE_OP)
            emit_op(d, body, node->op);
        else
            emit_loop(d, node, body);
        if (!d->dry)
            reduce_after(d, body, list, i);
    }
}

/* ---- Around the loop ---------------------------------------------------------------------------------------- */

static void gather_for_step(Derive *d, const Routine *routine, NodeList *body)
{
    const Node whole = {.kind = NODE_GUARD, .body = routine->body};
    for (int i = 0; i < d->decls->units.count; i++) {
        if (!is_gathered(d, i, KEEP_STEP) || !(reads_unit(d, &whole, i, false) || reads_unit(d, &whole, i, true)))
            continue;
        Affine slot;
        NodeList *inner = derive_unit_body(d, body, i, &slot, derive_parameter_span(d, i));
        emit_gather(d, inner, i, slot, slot);
    }
}

static bool mentions_gradient(const Derive *d, const NodeList *list)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        if (mentions_gradient(d, &node->body))
            return true;
        if (node->kind == NODE_OP && node->op->kind != OP_OUTPUT &&
            d->buffers[node->op->out.buffer].role == ROLE_GRADIENT)
            return true;
    }
    return false;
}

/* The number of layer loops of the reference (the routine itself counts as one) that add to the unit's gradient. */
static int count_sites(const Derive *d, const NodeList *list, int unit)
{
    const Node whole = {.kind = NODE_GUARD, .body = *list};
    if (d->decls->units.data[unit].group < 0)
        return contributes(d, &whole, unit);
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += contributes(d, list->data[i], unit);
    return count;
}

static void clear_accumulators(Derive *d, const Routine *routine, NodeList *body)
{
    for (int i = 0; i < d->decls->units.count; i++) {
        UnitInfo *u = &d->units[i];
        u->contribution_sites = count_sites(d, &routine->body, i);
        if (u->accumulator < 0 || (u->contribution != u->accumulator && is_direct(d, i)))
            continue;
        Affine slot;
        Span span = derive_gradient_span(d, i);
        NodeList *inner = derive_unit_body(d, body, i, &slot, span);
        derive_emit_fill(d, inner, derive_ref(u->accumulator, slot), 0, span);
    }
}

/* The stages of a pipeline run different microbatches, and none of their operators comes after a certain one. */
static bool refuse_in_pipeline(Derive *d, Span span)
{
    if (!d->assignment->pipeline.requested)
        return false;
    if (!d->failed) {
        Diagnostic *diagnostic =
            diag_report(d->ctx->diag, P0290, span, "a sync after a microbatch, in a pipeline, is not supported yet");
        diag_label(diagnostic, d->assignment->pipeline.span, "the pipeline is asked for here");
        diag_repair(diagnostic, (Repair){.kind = REPAIR_LATER, .span = span});
    }
    d->failed = true;
    return true;
}

static void sync_microbatch(Derive *d, NodeList *body, SyncMoment moment)
{
    for (int i = 0; i < d->decls->units.count; i++) {
        bool found = false;
        Span span = {0};
        for (int j = 0; j < d->assignment->syncs.count; j++) {
            const Sync *sync = &d->assignment->syncs.data[j];
            if (sync->moment != moment || sync == d->units[i].microbatch_sync || sync->operation == SYNC_NONE ||
                !derive_sync_names(sync, SYNC_GRADIENTS, i))
                continue;
            found = true;
            span = sync->span;
        }
        if (!found || refuse_in_pipeline(d, span))
            continue;
        Affine slot;
        NodeList *inner = derive_unit_body(d, body, i, &slot, span);
        derive_syncs(d, inner, i, slot, moment);
    }
}

/* ---- Sums that single examples depend on -------------------------------------------------------------------- */

static void find_early(Derive *d, const NodeList *list, BatchSumList *sums)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        find_early(d, &node->body, sums);
        if (node->kind == NODE_OP && d->ops[node->op->id].phase == PHASE_EARLY && !node->op->accumulate)
            vec_push(d->ctx->arena, sums, ((BatchSum){node->op->out.buffer, -1}));
    }
}

static void emit_between(Derive *d, const NodeList *list, NodeList *body)
{
    for (int i = 0; i < list->count; i++)
        if (list->data[i]->kind == NODE_OP && d->ops[list->data[i]->op->id].phase == PHASE_BETWEEN)
            emit_op(d, body, list->data[i]->op);
}

/* One pass over the microbatches for these sums alone, which needs only inputs; then what is computed from them. */
static void emit_early(Derive *d, const Routine *routine, NodeList *body)
{
    BatchSumList sums = {0};
    find_early(d, &routine->body, &sums);
    if (sums.count == 0)
        return;
    NodeList nothing = {0};
    for (int i = 0; !d->dry && i < sums.count; i++)
        derive_make_sum(d, &sums.data[i], body);
    Node *loop =
        d->dry ? NULL : derive_emit_loop(d, body, LOOP_MICRO, -1, 0, d->decls->micro - 1, d->train->batch_span);
    NodeList *inner = d->dry ? &nothing : &loop->body;
    d->micro_loop = d->dry ? -1 : loop->loop.id;
    d->early = true;
    emit_list(d, &routine->body, inner);
    d->early = false;
    d->micro_loop = -1;
    if (!d->dry)
        derive_add_sums(d, &sums, inner);
    derive_start_routine(d, routine);
    for (int i = 0; i < sums.count; i++) {
        if (!d->dry)
            derive_reduce_sum(d, routine, &sums.data[i], body);
        derive_hold(d, derive_scalar(sums.data[i].ref), place_whole(), d->buffers[sums.data[i].ref].sum);
    }
    emit_between(d, &routine->body, body);
}

void derive_find_sums(Derive *d, const Routine *routine)
{
    NodeList nothing = {0};
    int loops = d->program->loop_count;
    d->dry = true;
    derive_start_routine(d, routine);
    if (d->cut)
        emit_early(d, routine, &nothing);
    emit_list(d, &routine->body, &nothing);
    d->dry = false;
    d->program->loop_count = loops;
}

void derive_micro(Derive *d, const Routine *routine, NodeList *body)
{
    derive_start_routine(d, routine);
    gather_for_step(d, routine, body);
    if (!d->cut) {
        emit_list(d, &routine->body, body);
        return;
    }
    const Node whole = {.kind = NODE_GUARD, .body = routine->body};
    bool gradients = mentions_gradient(d, &routine->body);
    if (gradients)
        clear_accumulators(d, routine, body);
    BatchSumList sums = {0};
    derive_list_sums(d, &routine->body, -1, &sums);
    for (int i = 0; i < sums.count; i++)
        derive_make_sum(d, &sums.data[i], body);
    if (!any_micro(d, &whole))
        return;
    emit_early(d, routine, body);
    Node *loop = derive_emit_loop(d, body, LOOP_MICRO, -1, 0, d->decls->micro - 1, d->train->batch_span);
    d->micro_loop = loop->loop.id;
    emit_list(d, &routine->body, &loop->body);
    derive_add_sums(d, &sums, &loop->body);
    if (gradients) {
        sync_microbatch(d, &loop->body, SYNC_EACH_MICROBATCH);
        sync_microbatch(d, &loop->body, SYNC_AFTER_MICROBATCH);
    }
    d->micro_loop = -1;
    for (int i = 0; i < sums.count; i++)
        derive_reduce_sum(d, routine, &sums.data[i], body);
}
