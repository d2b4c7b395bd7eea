/* synced.c - explicit syncs of values: activations and cotangents, by the names that the plan shows for them.
 *
 * Sums over the batch are synchronised after the microbatches. For other values, once the last operator of a list has
 * added to the value, its syncs are applied as written. A part of a sum over an axis counts as whole from then on,
 * whether or not that axis was summed over: readers get what is there. They may slice it, but nothing else is converted
 * for them, on any axis or, with `derive the rest`, on those that a sync names. Prediction runs on one example, so
 * nothing shards a batch: nothing is synchronised there over axes that shard the batch.
 */
#include "base/change.h"
#include "derive/facts.h"

#include <string.h>

/* ---- Which values ------------------------------------------------------------------------------------------- */

static bool ends_with(const char *name, size_t length, const char *end)
{
    size_t count = strlen(end);
    return length >= count && strncmp(name + length - count, end, count) == 0;
}

/* The sum of a value over the microbatches has the suffix ".sum". */
static bool is_called(const Facts *f, const char *name, const char *label, bool sum)
{
    size_t length = strlen(label);
    bool suffix = sum && ends_with(label, length, ".sum");
    return label_names(label, name) ||
           (suffix && label_names(arena_copy(f->ctx->arena, label, length - strlen(".sum")), name));
}

/* Is a value of this name a sum over the batch in some routine? Where it is computed from complete sums instead, as the
 * loss under a mask is in the evaluation, these sums are synchronised. */
static bool is_sum_elsewhere(const Facts *f, const char *name)
{
    for (int i = 0; i < f->reference->buffers.count; i++)
        if (f->buffers[i].partial && strcmp(derive_name_in_step(f->reference->buffers.data[i].name), name) == 0)
            return true;
    return false;
}

/* The name that syncs of this target use for the operator's result; NULL if they cannot name it. */
static const char *value_called(const Facts *f, const Op *op, SyncTarget target)
{
    const Buffer *buffer = &f->reference->buffers.data[op->out.buffer];
    const char *name = derive_name_in_step(buffer->name);
    Phase phase = f->ops[op->id].phase;
    bool state = buffer->persistent && (buffer->state < 0 || f->decls->states.data[buffer->state].per_parameter ||
                                        f->decls->states.data[buffer->state].kind != STATE_OPTIMIZER);
    if (f->buffers[op->out.buffer].role != ROLE_PLAIN || state || phase == PHASE_DROP)
        return NULL;
    bool cotangent = f->ops[op->id].backward && strncmp(name, "d_", 2) == 0;
    if (cotangent != (target == SYNC_COTANGENTS))
        return NULL;
    return cotangent ? name + 2 : name;
}

void derive_refuse_named(Diag *diag, const Sync *sync, const char *name, const char *why, const char *help)
{
    Diagnostic *diagnostic =
        diag_report(diag, P0290, sync->label_span, "a sync of '%s', %s, is not supported yet", name, why);
    if (help != NULL)
        diag_help(diagnostic, "%s", help);
}

/* A `none` next to another sync of the value. */
static void refuse_none(Facts *f, const Sync *earlier, const Sync *later)
{
    const Sync *none = earlier->operation == SYNC_NONE ? earlier : later, *other = none == later ? earlier : later;
    if (none->operation != SYNC_NONE || none->derive_rest || none->scale_numerator != none->scale_denominator ||
        f->failed)
        return;
    Diagnostic *diagnostic =
        diag_report(f->ctx->diag, P0210, none->span, "'none' of '%s', which another sync names", none->label);
    diag_label(diagnostic, other->span, "this is done all the same");
    diag_repair(diagnostic, (Repair){.kind = REPAIR_LEAVE_OUT, .span = none->span});
    f->failed = true;
}

static void refuse_pieces(Facts *f, const Sync *sync, bool sum)
{
    derive_refuse_named(f->ctx->diag, sync, sync->label,
                        sum ? "a sum over the batch, that leaves pieces of it"
                            : "which is whole, that is of pieces or leaves them",
                        "Maybe `sum` over the axes that cut the batch.");
    f->failed = true;
}

static void push_sync(Facts *f, RefBuffer *info, const Sync *sync)
{
    vec_push(f->ctx->arena, &info->syncs, (ValueSync){sync, f->value_syncs++});
}

/* `number`: it belongs to no microbatch, and is not sharded. */
static void add_sync(Facts *f, int buffer, bool number, const Sync *sync)
{
    RefBuffer *info = &f->finding->buffers[buffer];
    for (int i = 0; i < info->syncs.count; i++)
        if (info->syncs.data[i].sync == sync)
            return;
    if ((number || info->partial) &&
        (sync->into_shards || sync->operation == SYNC_GATHER || sync->operation == SYNC_EXCHANGE))
        refuse_pieces(f, sync, info->partial);
    for (int i = 0; i < info->syncs.count; i++)
        refuse_none(f, info->syncs.data[i].sync, sync);
    push_sync(f, info, sync);
}

/* ---- All of them -------------------------------------------------------------------------------------------- */

typedef struct Find {
    Facts *f;
    const Routine *routine;
    const Sync *sync;
    bool found;
    NameVec names; /* of such values */
} Find;

/* The sums over the batch that a number is computed from, except counts. */
static void find_parts(Find *find, const NodeList *list, int buffer)
{
    Facts *f = find->f;
    for (int i = 0; i < list->count; i++) {
        const Op *op = node_op(list->data[i]);
        if (op == NULL || !op_has_result(op->kind) || op->out.buffer != buffer || op->kind == OP_INVERSE_COUNT)
            continue;
        for (int j = 0; j < op->operand_count; j++) {
            RefBuffer *operand = &f->finding->buffers[op->operand[j].buffer];
            if (operand->partial && find->sync->target == SYNC_LOSS)
                operand->loss_part = true;
            else if (operand->partial)
                add_sync(f, op->operand[j].buffer, false, find->sync);
            else if (operand->role == ROLE_PLAIN && op->operand[j].buffer != buffer && !derive_is_cut(operand))
                find_parts(find, list, op->operand[j].buffer);
        }
    }
}

static void find_in(Find *find, const NodeList *list)
{
    Facts *f = find->f;
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        find_in(find, &node->body);
        if (node->kind != NODE_OP || !op_has_result(node->op->kind))
            continue;
        const char *name = value_called(f, node->op, find->sync->target);
        if (name == NULL)
            continue;
        vec_push(f->ctx->arena, &find->names, name);
        if (!is_called(f, name, find->sync->label,
                       f->buffers[node->op->out.buffer].partial || is_sum_elsewhere(f, name)))
            continue;
        find->found = true;
        bool number = f->ops[node->op->id].phase == PHASE_FLAT;
        if (number && is_sum_elsewhere(f, name))
            find_parts(find, &find->routine->body, node->op->out.buffer);
        else
            add_sync(f, node->op->out.buffer, number, find->sync);
    }
}

bool derive_note_below(const Facts *f, Diagnostic *diagnostic, const char *label, const NameVec *names)
{
    Text list = {.arena = f->ctx->arena};
    int count = 0;
    for (int i = 0; i < names->count; i++) {
        bool again = false;
        for (int j = 0; j < i; j++)
            again |= strcmp(names->data[i], names->data[j]) == 0;
        if (!again && count < 8 && label_matches(label, names->data[i]))
            text_add(&list, "%s'%s'", count++ > 0 ? ", " : "", names->data[i]);
    }
    if (count > 0)
        diag_note(diagnostic, "Below it are %s.", list.data);
    return count > 0;
}

static void report_unfound(const Find *find)
{
    const char *label = find->sync->label;
    find->f->failed = true;
    if (find->sync->number) {
        diag_help(diag_report(find->f->ctx->diag, P0210, find->sync->span, "nothing in this step computes '%s'", label),
                  "Leave it out.");
        return;
    }
    Diagnostic *diagnostic =
        diag_report(find->f->ctx->diag, P0201, find->sync->label_span, "no %s is called '%s'",
                    find->sync->target == SYNC_COTANGENTS ? "value with a cotangent" : "activation", label);
    diag_help_unknown(diagnostic, label, find->names.data, find->names.count);
    derive_note_below(find->f, diagnostic, label, &find->names);
}

/* Marks the last operator of every list that adds to a synchronised value. */
static void mark_complete(Facts *f, const NodeList *list)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        mark_complete(f, &node->body);
        if (node->kind != NODE_OP || !op_has_result(node->op->kind) ||
            f->buffers[node->op->out.buffer].syncs.count == 0)
            continue;
        bool last = true;
        for (int j = i + 1; j < list->count; j++)
            last &= list->data[j]->kind != NODE_OP || !op_has_result(list->data[j]->op->kind) ||
                    list->data[j]->op->out.buffer != node->op->out.buffer;
        f->finding->ops[node->op->id].completes = last;
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
bool derive_check_synced(const Facts *f, const RoutineFacts *routine, Diag *diag)
{
    for (int i = 0; i < f->reference->buffers.count; i++) {
        const RefBuffer *info = &f->buffers[i];
        if (info->syncs.count == 0 || !routine->wish[i].fixed || !is_added_to(&routine->routine->body, i))
            continue;
        derive_refuse_named(diag, info->syncs.data[0].sync, info->syncs.data[0].sync->label,
                            "to which layers, and what is outside them, add", NULL);
        return false;
    }
    return true;
}

static void find_literal(Facts *f, const NodeList *list, bool cut)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        find_literal(f, &node->body, cut);
        if (node->kind != NODE_OP || !op_has_result(node->op->kind))
            continue;
        RefBuffer *info = &f->finding->buffers[node->op->out.buffer];
        bool rests = false;
        for (int s = 0; s < info->syncs.count; s++)
            rests |= info->syncs.data[s].sync->derive_rest;
        for (int a = 0; a < f->decls->axes.count && info->syncs.count > 0; a++) {
            bool named = !rests;
            for (int s = 0; s < info->syncs.count; s++)
                named |= axes_contain(info->syncs.data[s].sync->axes, a);
            if (named && (cut || !axes_contain(f->batch, a)))
                info->literal |= 1u << a;
        }
    }
}

/* ---- Counts ------------------------------------------------------------------------------------------------- */

/* `sync count : none`: what is divided by a count under a mask is divided by the rank's own count, which is not summed.
 * Means over all examples are weighted where they are summed. */
static void find_counts(Facts *f, const Sync *sync)
{
    for (int r = 0; r < f->reference->routines.count; r++) {
        const NodeList *list = &f->reference->routines.data[r].body;
        for (int i = 0; i < list->count; i++) {
            const Op *op = node_op(list->data[i]);
            if (op != NULL && op->kind == OP_INVERSE_COUNT)
                push_sync(f, &f->finding->buffers[op->operand[0].buffer], sync);
        }
    }
}

/* `sync loss`, if the loss is computed from complete sums. */
static void find_loss_parts(Facts *f, const Sync *sync)
{
    for (int r = 0; r < f->reference->routines.count; r++) {
        Find find = {.f = f, .sync = sync, .routine = &f->reference->routines.data[r]};
        const NodeList *list = &find.routine->body;
        for (int i = 0; i < list->count; i++) {
            const Op *op = node_op(list->data[i]);
            if (op != NULL && op->kind == OP_OUTPUT && strcmp(op->output, "loss") == 0 &&
                !f->buffers[op->operand[0].buffer].partial)
                find_parts(&find, list, op->operand[0].buffer);
        }
    }
}

void derive_find_synced(Facts *f)
{
    if (f->loss_sync != NULL)
        find_loss_parts(f, f->loss_sync);
    for (int i = 0; i < f->assignment->syncs.count; i++)
        if (f->assignment->syncs.data[i].target == SYNC_COUNT)
            find_counts(f, &f->assignment->syncs.data[i]);
    for (int i = 0; i < f->assignment->syncs.count && !f->failed; i++) {
        Find find = {.f = f, .sync = &f->assignment->syncs.data[i]};
        if (find.sync->target != SYNC_ACTIVATIONS && find.sync->target != SYNC_COTANGENTS)
            continue;
        for (int r = 0; r < f->reference->routines.count; r++)
            if (f->reference->routines.data[r].kind != ROUTINE_INIT) {
                find.routine = &f->reference->routines.data[r];
                find_in(&find, &find.routine->body);
            }
        if (!find.found)
            report_unfound(&find);
    }
    for (int r = 0; r < f->reference->routines.count; r++) {
        const Routine *routine = &f->reference->routines.data[r];
        mark_complete(f, &routine->body);
        find_literal(f, &routine->body, routine->kind != ROUTINE_PREDICT);
    }
}

/* ---- Sums of gradients ------------------------------------------------------------------------------------- */

static bool names_tensor(const Facts *f, const Sync *sync, int tensor)
{
    for (int i = 0; i < sync->unit_count; i++)
        if (unit_offset(&f->decls->units.data[sync->units[i]], tensor) >= 0)
            return true;
    return false;
}

unsigned derive_summed_axes(const Facts *f, int tensor)
{
    unsigned axes = 0;
    for (int i = 0; i < f->assignment->syncs.count; i++) {
        const Sync *sync = &f->assignment->syncs.data[i];
        bool sums = sync->operation == SYNC_SUM && sync->scale_numerator == sync->scale_denominator;
        if (sync->target != SYNC_GRADIENTS || !sums || !names_tensor(f, sync, tensor))
            continue;
        for (int a = 0; a < sync->axes.count; a++)
            axes |= 1u << sync->axes.axis[a];
    }
    return axes;
}

bool derive_sync_names(const Sync *sync, SyncTarget target, int unit)
{
    if (sync->target != target)
        return false;
    for (int i = 0; i < sync->unit_count; i++)
        if (sync->units[i] == unit)
            return true;
    return false;
}

/* ---- Not done ----------------------------------------------------------------------------------------------- */

bool derive_check_done(const Facts *f, const bool *done)
{
    for (int i = 0; i < f->reference->buffers.count; i++)
        for (int s = 0; s < f->buffers[i].syncs.count; s++) {
            const ValueSync *synced = &f->buffers[i].syncs.data[s];
            if (done[synced->number])
                continue;
            derive_refuse_named(f->ctx->diag, synced->sync, f->reference->buffers.data[i].name,
                                "which is not made as a value of its own", NULL);
            return false;
        }
    return true;
}
