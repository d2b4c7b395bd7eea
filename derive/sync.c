/* sync.c - explicit syncs of values: activations and cotangents, by the names that the plan shows for them.
 *
 * Sums over the batch are synchronised after the microbatches. For other values, once the last operator of a list has
 * added to the value, its syncs are applied as written. A part of a sum over an axis counts as whole from then on,
 * whether or not that axis was summed over: readers get what is there. They may slice it, but nothing else is converted
 * for them, on any axis or, with `derive the rest`, on those that a sync names. Prediction runs on one example, so
 * nothing shards a batch: nothing is synchronised there over axes that shard the batch.
 */
#include "base/change.h"
#include "derive/internal.h"

#include <string.h>

/* ---- Which values ------------------------------------------------------------------------------------------- */

static bool ends_with(const char *name, size_t length, const char *end)
{
    size_t count = strlen(end);
    return length >= count && strncmp(name + length - count, end, count) == 0;
}

/* "block.norm", or "*.norm" for any labels before. The sum of a value over the microbatches has the suffix ".sum". */
static bool is_called(const char *name, const char *label, bool sum)
{
    size_t length = strlen(label), said = sum && ends_with(label, length, ".sum") ? length - strlen(".sum") : length;
    for (size_t end = length;; end = said) {
        size_t whole = strlen(name);
        bool any = label[0] == '*';
        size_t tail = any ? end - 1 : end;
        if ((any ? whole >= tail : whole == tail) && strncmp(name + whole - tail, label + any, tail) == 0)
            return true;
        if (end == said)
            return false;
    }
}

/* Is a value of this name a sum over the batch in some routine? Where it is computed from complete sums instead, as the
 * loss under a mask is in the evaluation, these sums are synchronised. */
static bool is_sum_elsewhere(const Derive *d, const char *name)
{
    for (int i = 0; i < d->reference->buffers.count; i++)
        if (d->buffers[i].partial && strcmp(derive_name_in_step(d->reference->buffers.data[i].name), name) == 0)
            return true;
    return false;
}

/* The name that syncs of this target use for the operator's result; NULL if they cannot name it. */
static const char *value_called(const Derive *d, const Op *op, SyncTarget target)
{
    const Buffer *buffer = &d->reference->buffers.data[op->out.buffer];
    const char *name = derive_name_in_step(buffer->name);
    Phase phase = d->ops[op->id].phase;
    bool state = buffer->persistent && (buffer->state < 0 || d->decls->states.data[buffer->state].per_parameter ||
                                        d->decls->states.data[buffer->state].kind != STATE_OPTIMIZER);
    if (d->buffers[op->out.buffer].role != ROLE_PLAIN || state || phase == PHASE_DROP)
        return NULL;
    bool cotangent = d->ops[op->id].backward && strncmp(name, "d_", 2) == 0;
    if (cotangent != (target == SYNC_COTANGENTS))
        return NULL;
    return cotangent ? name + 2 : name;
}

static void refuse_named(Derive *d, const Sync *sync, const char *name, const char *why, const char *help)
{
    Diagnostic *diagnostic =
        diag_report(d->ctx->diag, P0290, sync->label_span, "a sync of '%s', %s, is not supported yet", name, why);
    if (help != NULL)
        diag_help(diagnostic, "%s", help);
    d->failed = true;
}

/* A `none` next to another sync of the value. */
static void refuse_none(Derive *d, const Sync *earlier, const Sync *later)
{
    const Sync *none = earlier->operation == SYNC_NONE ? earlier : later, *other = none == later ? earlier : later;
    if (none->operation != SYNC_NONE || none->derive_rest || none->scale_numerator != none->scale_denominator ||
        d->failed)
        return;
    Diagnostic *diagnostic =
        diag_report(d->ctx->diag, P0210, none->span, "'none' of '%s', which another sync names", none->label);
    diag_label(diagnostic, other->span, "this is done all the same");
    diag_repair(diagnostic, (Repair){.kind = REPAIR_LEAVE_OUT, .span = none->span});
    d->failed = true;
}

/* `number`: it belongs to no microbatch, and is not sharded. */
static void add_sync(Derive *d, int buffer, bool number, const Sync *sync)
{
    RefBuffer *info = &d->buffers[buffer];
    for (int i = 0; i < info->syncs.count; i++)
        if (info->syncs.data[i].sync == sync)
            return;
    if ((number || info->partial) &&
        (sync->into_shards || sync->operation == SYNC_GATHER || sync->operation == SYNC_EXCHANGE))
        refuse_named(d, sync, sync->label,
                     info->partial ? "a sum over the batch, that leaves pieces of it"
                                   : "which is whole, that is of pieces or leaves them",
                     "Maybe `sum` over the axes that cut the batch.");
    for (int i = 0; i < info->syncs.count; i++)
        refuse_none(d, info->syncs.data[i].sync, sync);
    vec_push(d->ctx->arena, &info->syncs, (ValueSync){sync, -1, false});
}

/* ---- All of them -------------------------------------------------------------------------------------------- */

typedef struct Find {
    Derive *d;
    const Routine *routine;
    const Sync *sync;
    bool found;
    Vec(const char *) names; /* of such values */
} Find;

/* The sums over the batch that a number is computed from, except counts. */
static void find_parts(Find *f, const NodeList *list, int buffer)
{
    Derive *d = f->d;
    for (int i = 0; i < list->count; i++) {
        const Op *op = node_op(list->data[i]);
        if (op == NULL || !op_has_result(op->kind) || op->out.buffer != buffer || op->kind == OP_INVERSE_COUNT)
            continue;
        for (int j = 0; j < op->operand_count; j++) {
            RefBuffer *operand = &d->buffers[op->operand[j].buffer];
            if (operand->partial && f->sync->target == SYNC_LOSS)
                operand->loss_part = true;
            else if (operand->partial)
                add_sync(d, op->operand[j].buffer, false, f->sync);
            else if (operand->role == ROLE_PLAIN && op->operand[j].buffer != buffer && !derive_is_cut(operand))
                find_parts(f, list, op->operand[j].buffer);
        }
    }
}

static void find_in(Find *f, const NodeList *list)
{
    Derive *d = f->d;
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        find_in(f, &node->body);
        if (node->kind != NODE_OP || !op_has_result(node->op->kind))
            continue;
        const char *name = value_called(d, node->op, f->sync->target);
        if (name == NULL)
            continue;
        vec_push(d->ctx->arena, &f->names, name);
        if (!is_called(name, f->sync->label, d->buffers[node->op->out.buffer].partial || is_sum_elsewhere(d, name)))
            continue;
        f->found = true;
        bool number = d->ops[node->op->id].phase == PHASE_FLAT;
        if (number && is_sum_elsewhere(d, name))
            find_parts(f, &f->routine->body, node->op->out.buffer);
        else
            add_sync(d, node->op->out.buffer, number, f->sync);
    }
}

/* Notes the values below the sync's label, which is not itself the name of a value. */
static void note_below(const Find *f, Diagnostic *diagnostic)
{
    Text list = {.arena = f->d->ctx->arena};
    int count = 0;
    for (int i = 0; i < f->names.count; i++) {
        bool again = false;
        for (int j = 0; j < i; j++)
            again |= strcmp(f->names.data[i], f->names.data[j]) == 0;
        if (!again && count < 8 && label_matches(f->sync->label, f->names.data[i]))
            text_add(&list, "%s'%s'", count++ > 0 ? ", " : "", f->names.data[i]);
    }
    if (count > 0)
        diag_note(diagnostic, "Below it are %s.", list.data);
}

static void report_unfound(const Find *f)
{
    const char *label = f->sync->label;
    f->d->failed = true;
    if (f->sync->number) {
        diag_help(diag_report(f->d->ctx->diag, P0210, f->sync->span, "nothing in this step computes '%s'", label),
                  "Leave it out.");
        return;
    }
    Diagnostic *diagnostic =
        diag_report(f->d->ctx->diag, P0201, f->sync->label_span, "no %s is called '%s'",
                    f->sync->target == SYNC_COTANGENTS ? "value with a cotangent" : "activation", label);
    const char *near = f->names.count > 0 ? diag_suggest(label, f->names.data, f->names.count) : NULL;
    if (near != NULL)
        diag_help_name(diagnostic, label, near);
    note_below(f, diagnostic);
}

/* Marks the last operator of every list that adds to a synchronised value. */
static void mark_complete(Derive *d, const NodeList *list)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        mark_complete(d, &node->body);
        if (node->kind != NODE_OP || !op_has_result(node->op->kind) ||
            d->buffers[node->op->out.buffer].syncs.count == 0)
            continue;
        bool last = true;
        for (int j = i + 1; j < list->count; j++)
            last &= list->data[j]->kind != NODE_OP || !op_has_result(list->data[j]->op->kind) ||
                    list->data[j]->op->out.buffer != node->op->out.buffer;
        d->ops[node->op->id].completes = last;
    }
}

static bool is_added_to(const NodeList *list, int buffer)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        if (is_added_to(&node->body, buffer))
            return true;
        if (node->kind == NODE_OP && op_has_result(node->op->kind) && node->op->out.buffer == buffer &&
            node->op->accumulate)
            return true;
    }
    return false;
}

/* If layers add to something that was made outside them, there is no one moment at which it is complete. */
void derive_check_synced(Derive *d, const Routine *routine)
{
    for (int i = 0; i < d->reference->buffers.count; i++) {
        RefBuffer *info = &d->buffers[i];
        if (info->syncs.count > 0 && info->fixed && is_added_to(&routine->body, i) && !d->failed)
            refuse_named(d, info->syncs.data[0].sync, info->syncs.data[0].sync->label,
                         "to which layers, and what is outside them, add", NULL);
    }
}

static void find_literal(Derive *d, const NodeList *list, bool cut)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        find_literal(d, &node->body, cut);
        if (node->kind != NODE_OP || !op_has_result(node->op->kind))
            continue;
        RefBuffer *info = &d->buffers[node->op->out.buffer];
        bool rests = false;
        for (int s = 0; s < info->syncs.count; s++)
            rests |= info->syncs.data[s].sync->derive_rest;
        for (int a = 0; a < d->decls->axes.count && info->syncs.count > 0; a++) {
            bool named = !rests;
            for (int s = 0; s < info->syncs.count; s++)
                named |= axes_contain(info->syncs.data[s].sync->axes, a);
            if (named && (cut || !axes_contain(d->batch, a)))
                info->literal |= 1u << a;
        }
    }
}

/* ---- Counts ------------------------------------------------------------------------------------------------- */

/* `sync count : none`: what is divided by a count under a mask is divided by the rank's own count, which is not summed.
 * Means over all examples are weighted where they are summed. */
static void find_counts(Derive *d, const Sync *sync)
{
    for (int r = 0; r < d->reference->routines.count; r++) {
        const NodeList *list = &d->reference->routines.data[r].body;
        for (int i = 0; i < list->count; i++) {
            const Op *op = node_op(list->data[i]);
            if (op != NULL && op->kind == OP_INVERSE_COUNT)
                vec_push(d->ctx->arena, &d->buffers[op->operand[0].buffer].syncs, (ValueSync){sync, -1, false});
        }
    }
}

/* `sync loss`, if the loss is computed from complete sums. */
static void find_loss_parts(Derive *d, const Sync *sync)
{
    for (int r = 0; r < d->reference->routines.count; r++) {
        Find f = {.d = d, .sync = sync, .routine = &d->reference->routines.data[r]};
        const NodeList *list = &f.routine->body;
        for (int i = 0; i < list->count; i++) {
            const Op *op = node_op(list->data[i]);
            if (op != NULL && op->kind == OP_OUTPUT && strcmp(op->output, "loss") == 0 &&
                !d->buffers[op->operand[0].buffer].partial)
                find_parts(&f, list, op->operand[0].buffer);
        }
    }
}

void derive_find_synced(Derive *d)
{
    if (d->loss_sync != NULL)
        find_loss_parts(d, d->loss_sync);
    for (int i = 0; i < d->assignment->syncs.count; i++)
        if (d->assignment->syncs.data[i].target == SYNC_COUNT)
            find_counts(d, &d->assignment->syncs.data[i]);
    for (int i = 0; i < d->assignment->syncs.count && !d->failed; i++) {
        Find f = {.d = d, .sync = &d->assignment->syncs.data[i]};
        if (f.sync->target != SYNC_ACTIVATIONS && f.sync->target != SYNC_COTANGENTS)
            continue;
        for (int r = 0; r < d->reference->routines.count; r++)
            if (d->reference->routines.data[r].kind != ROUTINE_INIT) {
                f.routine = &d->reference->routines.data[r];
                find_in(&f, &f.routine->body);
            }
        if (!f.found)
            report_unfound(&f);
    }
    for (int r = 0; r < d->reference->routines.count; r++) {
        const Routine *routine = &d->reference->routines.data[r];
        mark_complete(d, &routine->body);
        find_literal(d, &routine->body, routine->kind != ROUTINE_PREDICT);
    }
}

/* ---- Sums of gradients ------------------------------------------------------------------------------------- */

static bool names_tensor(const Derive *d, const Sync *sync, int tensor)
{
    for (int i = 0; i < sync->unit_count; i++)
        if (unit_offset(&d->decls->units.data[sync->units[i]], tensor) >= 0)
            return true;
    return false;
}

unsigned derive_summed_axes(const Derive *d, int tensor)
{
    unsigned axes = 0;
    for (int i = 0; i < d->assignment->syncs.count; i++) {
        const Sync *sync = &d->assignment->syncs.data[i];
        bool sums = sync->operation == SYNC_SUM && sync->scale_numerator == sync->scale_denominator;
        if (sync->target != SYNC_GRADIENTS || !sums || !names_tensor(d, sync, tensor))
            continue;
        for (int a = 0; a < sync->axes.count; a++)
            axes |= 1u << sync->axes.axis[a];
    }
    return axes;
}

/* Those of them over which the derived gradient is a sum of parts of one example, not of examples. */
static unsigned parts_summed(const Derive *d, int tensor)
{
    unsigned parts = 0;
    for (int i = 0; i < d->gradient_sums.count; i++) {
        const GradientSum *sum = &d->gradient_sums.data[i];
        for (int a = 0; sum->tensor == tensor && a < sum->axes.count; a++)
            parts |= 1u << sum->axes.axis[a];
    }
    for (int i = 0; i < d->batch.count; i++)
        parts &= ~(1u << d->batch.axis[i]);
    return parts != 0 ? parts & derive_summed_axes(d, tensor) : 0;
}

static bool find_parted(Derive *d, const NodeList *list)
{
    bool found = false;
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        found |= find_parted(d, &node->body);
        const Op *op = node_op(node);
        if (node->kind != NODE_OP || !op_has_result(op->kind) || d->buffers[op->out.buffer].role != ROLE_GRADIENT)
            continue;
        unsigned parts = parts_summed(d, d->buffers[op->out.buffer].tensor);
        for (int j = 0; j < op->operand_count; j++)
            d->buffers[op->operand[j].buffer].parted |= parts;
        found |= parts != 0;
    }
    return found;
}

bool derive_find_parted(Derive *d)
{
    bool found = false;
    for (int r = 0; r < d->reference->routines.count; r++)
        found |= find_parted(d, &d->reference->routines.data[r].body);
    return found;
}

/* ---- Doing them --------------------------------------------------------------------------------------------- */

/* A value while its syncs are applied. */
typedef struct Walk {
    Derive *d;
    NodeList *body;
    int ref;
    Ref at;
    Place place;
    const Sync *sync;
    AxisSet axes;
    int dim; /* that the sync shards */
} Walk;

static void refuse_form(Walk *w, int axis, const char *format)
{
    Derive *d = w->d;
    if (!d->failed) {
        const char *name = d->reference->buffers.data[w->ref].name, *along = d->decls->axes.data[axis].name;
        diag_report(d->ctx->diag, P0206, w->sync->span, format, name, along);
    }
    d->failed = true;
}

/* Emits an operator over the axes, if there are any, into the buffer of another placement; in place if the layout is
 * the same. */
static Op *emit_step(Walk *w, OpKind kind, AxisSet axes, const Place *next, const char *suffix)
{
    Derive *d = w->d;
    if (axes.count == 0)
        return NULL;
    Ref out = w->at;
    if (!place_equal(&w->place, next))
        out.buffer = derive_named_variant(d, w->ref, next, suffix);
    Op *op = d->dry ? NULL : derive_emit_over(d, w->body, kind, out, w->at, axes, w->sync->span);
    if (op != NULL && w->sync->waits) {
        op->event = d->program->event_count++;
        vec_push(d->ctx->arena, &d->floating, op->event);
        derive_emit_wait(d, w->body, op->event, w->sync->span);
    }
    w->at = out;
    w->place = *next;
    return op;
}

static bool is_inner_end(const Walk *w, const Place *place, int axis)
{
    AxisSet cuts = place_axes(w->d, place, place->on[axis]);
    return cuts.count > 0 && cuts.axis[cuts.count - 1] == axis;
}

static void reduce(Walk *w)
{
    Place next = w->place;
    Op *op = emit_step(w, OP_ALL_REDUCE, w->axes, &next, "");
    if (op != NULL)
        op->reduce = w->sync->operation == SYNC_MAX ? REDUCE_MAX : REDUCE_SUM;
}

static void scatter(Walk *w)
{
    Place next = w->place;
    for (int i = 0; i < w->axes.count; i++) {
        int axis = w->axes.axis[i];
        if (next.on[axis] >= 0) {
            refuse_form(w, axis, "'%s' is cut over '%s' already");
            return;
        }
        next.on[axis] = (int8_t)w->dim;
    }
    int innermost = w->axes.count > 0 ? w->axes.axis[w->axes.count - 1] : -1;
    if (innermost >= 0 && !is_inner_end(w, &next, innermost)) {
        refuse_form(w, innermost, "'%s' cannot be cut over '%s' inside of what cuts this dim");
        return;
    }
    Op *op = emit_step(w, OP_REDUCE_SCATTER, w->axes, &next, "scattered");
    if (op != NULL)
        op->reduce = REDUCE_SUM;
}

static void gather(Walk *w)
{
    for (int i = w->axes.count - 1; i >= 0; i--) {
        int axis = w->axes.axis[i];
        Place next = w->place;
        if (next.on[axis] < 0 || !is_inner_end(w, &next, axis)) {
            refuse_form(w, axis,
                        next.on[axis] < 0 ? "'%s' is not cut over '%s': there is nothing to gather"
                                          : "'%s' is cut over '%s' and, within that, over other axes");
            return;
        }
        next.on[axis] = ON_WHOLE;
        emit_step(w, OP_ALL_GATHER, (AxisSet){1, {(int8_t)axis}}, &next, "gathered");
    }
}

static void exchange(Walk *w)
{
    for (int i = 0; i < w->axes.count; i++) {
        int axis = w->axes.axis[i];
        Place next = w->place;
        next.on[axis] = (int8_t)w->dim;
        if (w->place.on[axis] < 0 || w->place.on[axis] == w->dim || !is_inner_end(w, &w->place, axis) ||
            !is_inner_end(w, &next, axis)) {
            refuse_form(w, axis, "'%s' has no cut over '%s' that could be exchanged for this one");
            return;
        }
        emit_step(w, OP_ALL_TO_ALL, (AxisSet){1, {(int8_t)axis}}, &next, "exchanged");
    }
}

static void broadcast(Walk *w)
{
    Place next = w->place;
    for (int i = 0; i < w->axes.count; i++)
        emit_step(w, OP_BROADCAST, (AxisSet){1, {w->axes.axis[i]}}, &next, "");
}

static bool has_dim(const Walk *w)
{
    if (w->sync->dim == NULL || w->dim >= 0)
        return true;
    if (!w->d->failed)
        diag_report(w->d->ctx->diag, P0201, w->sync->span, "'%s' has no dim '%s'",
                    w->d->reference->buffers.data[w->ref].name, w->sync->dim);
    w->d->failed = true;
    return false;
}

static void do_sync(Walk *w)
{
    if (!has_dim(w))
        return;
    switch (w->sync->operation) {
    case SYNC_NONE:
        break;
    case SYNC_SUM:
    case SYNC_MEAN:
    case SYNC_MAX:
        if (w->sync->into_shards)
            scatter(w);
        else
            reduce(w);
        break;
    case SYNC_GATHER:
        gather(w);
        break;
    case SYNC_EXCHANGE:
        exchange(w);
        break;
    case SYNC_BROADCAST:
        broadcast(w);
        break;
    }
    if (w->d->dry || w->d->failed)
        return;
    derive_scale_synced(w->d, w->body, w->at, w->sync, w->axes);
    w->d->program->buffers.data[w->at.buffer].span = w->sync->span; /* where the user would edit */
}

Ref derive_sync_value(Derive *d, NodeList *body, int ref, Ref at, Place *place)
{
    RefBuffer *info = &d->buffers[ref];
    Walk w = {.d = d, .body = body, .ref = ref, .at = at, .place = *place};
    for (int i = 0; i < info->syncs.count && !d->failed; i++) {
        w.sync = info->syncs.data[i].sync;
        info->syncs.data[i].done |= !d->dry;
        w.dim = info->syncs.data[i].dim;
        AxisSet axes = axes_larger_than_one(d->decls, w.sync->axes);
        w.axes = d->cut ? axes : axes_without(axes, d->batch);
        if (w.axes.count > 0 || axes.count == 0) /* prediction does nothing if these were only the batch's axes */
            do_sync(&w);
    }
    for (int a = 0; a < d->decls->axes.count; a++)
        if (w.place.on[a] == ON_PARTIAL && (info->literal >> a & 1))
            w.place.on[a] = ON_WHOLE;
    if (info->fixed && info->has_home && !place_equal(&info->home, &w.place) && !d->failed)
        refuse_named(d, w.sync, w.sync->label, "which would place it differently from its other writer", NULL);
    *place = w.place;
    return w.at;
}

void derive_sync_number(Derive *d, NodeList *body, const Op *ref_op, Ref at)
{
    Place place = place_whole();
    bool starts = d->reference->buffers.data[ref_op->out.buffer].persistent && d->routine->kind != ROUTINE_STEP;
    if (!starts && d->ops[ref_op->id].completes && d->buffers[ref_op->out.buffer].syncs.count > 0)
        derive_sync_value(d, body, ref_op->out.buffer, at, &place);
}

void derive_sync_sum(Derive *d, NodeList *body, int ref, int buffer)
{
    Place place = place_whole();
    if (d->buffers[ref].syncs.count > 0)
        derive_sync_value(d, body, ref, derive_scalar(buffer), &place);
}

/* Reports a value that a sync names, and that is made where no sync is applied. */
void derive_check_done(Derive *d)
{
    for (int i = 0; i < d->reference->buffers.count; i++)
        for (int s = 0; s < d->buffers[i].syncs.count && !d->failed; s++)
            if (!d->buffers[i].syncs.data[s].done)
                refuse_named(d, d->buffers[i].syncs.data[s].sync, d->reference->buffers.data[i].name,
                             "which is not made as a value of its own", NULL);
}

void derive_sync_statistic(Derive *d, NodeList *body, const Op *op)
{
    const Buffer *buffer = &d->program->buffers.data[op->out.buffer];
    bool updates = d->routine->kind == ROUTINE_STEP && buffer->persistent && buffer->state >= 0 &&
                   d->decls->states.data[buffer->state].kind == STATE_STATISTICS;
    for (int i = 0; updates && i < d->assignment->syncs.count; i++) {
        const Sync *sync = &d->assignment->syncs.data[i];
        Walk w = {.d = d, .body = body, .at = op->out, .place = place_whole(), .sync = sync};
        if (sync->target != SYNC_STATISTICS ||
            (sync->label != NULL && !label_matches(sync->label, d->decls->tensors.data[buffer->tensor].name)))
            continue;
        w.axes = axes_larger_than_one(d->decls, sync->axes);
        do_sync(&w);
    }
}

/* ---- Waits -------------------------------------------------------------------------------------------------- */

static bool floats(const Derive *d, const Node *node)
{
    for (int i = 0; node->kind == NODE_WAIT && i < d->floating.count; i++)
        if (d->floating.data[i] == node->wait.event)
            return true;
    return false;
}

/* Must the node not run while the started operator does? */
static bool meets(const Node *node, const Op *started)
{
    for (int i = 0; i < node->body.count; i++)
        if (meets(node->body.data[i], started))
            return true;
    if (node->kind != NODE_OP)
        return false;
    const Op *op = node->op;
    int result = op_has_result(op->kind) ? op->out.buffer : -1;
    bool met = result == started->out.buffer || result == started->operand[0].buffer;
    for (int i = 0; i < op->operand_count; i++)
        met |= op->operand[i].buffer == started->out.buffer;
    return met;
}

/* Moves the wait at `index`, which directly follows its start, down the list, with the sync's scale if there is one. */
static void float_wait(NodeList *list, int index)
{
    const Op *started = list->data[index - 1]->op;
    Node *moved[2] = {list->data[index]};
    const Node *next = index + 1 < list->count ? list->data[index + 1] : NULL;
    bool scaled = next != NULL && next->kind == NODE_OP && next->op->kind == OP_SCALE &&
                  next->op->out.buffer == started->out.buffer && next->op->operand[0].buffer == started->out.buffer;
    int count = scaled ? 2 : 1, to = index + count;
    moved[1] = scaled ? list->data[index + 1] : NULL;
    while (to < list->count && !meets(list->data[to], started))
        to++;
    memmove(&list->data[index], &list->data[index + count], sizeof(Node *) * (size_t)(to - index - count));
    memcpy(&list->data[to - count], moved, sizeof(Node *) * (size_t)count);
}

void derive_float_waits(Derive *d, NodeList *list)
{
    for (int i = list->count - 1; i >= 0; i--) {
        derive_float_waits(d, &list->data[i]->body);
        if (floats(d, list->data[i]))
            float_wait(list, i);
    }
}

/* ---- Readers ------------------------------------------------------------------------------------------------ */

void derive_refuse_breach(Derive *d, int ref, int axis, const char *reader, Span span)
{
    if (d->failed)
        return;
    const RefBuffer *info = &d->buffers[ref];
    const char *name = d->reference->buffers.data[ref].name, *along = d->decls->axes.data[axis].name;
    const Sync *sync = info->syncs.data[info->syncs.count - 1].sync;
    Diagnostic *diagnostic =
        diag_report(d->ctx->diag, P0307, sync->span, "a piece of '%s' used as if it were whole", name);
    diag_primary_label(diagnostic, "leaves each rank along '%s' its own", along);
    if (span_known(span))
        diag_label(diagnostic, span, "%s needs it otherwise", reader);
    diag_why(diagnostic, "A sync stands for all conversions of what it names; readers get what it leaves.");
    Span behind = {sync->span.source, sync->span.end, sync->span.end};
    const char *gather = arena_printf(d->ctx->arena, " then gather over %s", along);
    diag_help_edit(diagnostic, behind, gather, "Add what is missing: `%s`.", gather + 1);
    diag_help_edit(diagnostic, behind, " derive the rest", "Say `derive the rest`.");
    d->failed = true;
}
