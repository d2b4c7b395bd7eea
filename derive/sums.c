/* sums.c - decides over which mesh axes each gradient, and each sum over the batch, has yet to be summed (sums_of). The
 * collectives of sums over the batch are chosen here, too; those of gradients in place_units.c. Explicit syncs: of
 * values in place_sync.c, of gradients in place_unit_syncs.c. */
#include "base/change.h"
#include "derive/place.h"

#include <string.h>

/* ---- Over which axes they are parts ------------------------------------------------------------------------- */

Sums sums_unknown(const Facts *f)
{
    int count = f->reference->buffers.count + 1;
    return (Sums){.values = arena_array(f->ctx->arena, AxisSet, count),
                  .parted = arena_array(f->ctx->arena, unsigned, count)};
}

const GradientSum *sums_find(const Sums *sums, int tensor, int64_t first, int64_t last)
{
    for (int i = 0; i < sums->gradients.count; i++) {
        const GradientSum *sum = &sums->gradients.data[i];
        if (sum->tensor == tensor && sum->first <= first && last <= sum->last)
            return sum;
    }
    return NULL;
}

AxisSet sums_of_gradient(const Sums *sums, int tensor, int64_t layer)
{
    const GradientSum *sum = sums_find(sums, tensor, layer, layer);
    return sum != NULL ? sum->axes : (AxisSet){0};
}

typedef struct Adding {
    const Facts *f;
    const RoutineFacts *routine;
    Sums *sums;
    int64_t first, last; /* layers */
} Adding;

/* The axes on which a contribution is, or becomes, part of a sum; over those that shard its target it is summed at
 * once. */
static AxisSet part_axes(const Adding *a, const Placement *result, const Placement *target)
{
    AxisSet axes = {0};
    for (int axis = 0; axis < a->f->decls->axes.count; axis++)
        if (place_at(target, axis) < 0 && (place_at(result, axis) == ON_PARTIAL || place_at(result, axis) >= 0))
            axes.axis[axes.count++] = (int8_t)axis;
    return axes;
}

/* A unit is summed over the same axes in all its layers, also where its loop runs in parts; one outside layers in all
 * that use it. */
static void add_gradient(Adding *a, int tensor, AxisSet axes)
{
    const Unit *unit = &a->f->decls->units.data[derive_unit_of(a->f, tensor, a->first)];
    for (int i = 0; i < a->sums->gradients.count; i++) {
        GradientSum *sum = &a->sums->gradients.data[i];
        if (sum->tensor != tensor || sum->first > a->first || a->last > sum->last)
            continue;
        sum->axes = axes_union(a->f->decls, sum->axes, axes);
        return;
    }
    int64_t last = unit->group >= 0 ? unit->last_layer : INT64_MAX;
    vec_push(a->f->ctx->arena, &a->sums->gradients, (GradientSum){tensor, unit->first_layer, last, axes});
}

static void add_op(Adding *a, const OpChoice *choice)
{
    const Facts *f = a->f;
    const Op *op = choice->op;
    if (!op_has_result(op->kind))
        return;
    const RefBuffer *info = &f->buffers[op->out.buffer];
    if (info->role == ROLE_GRADIENT) {
        Placement target = derive_parameter_place(f, info->tensor, a->first);
        add_gradient(a, info->tensor, part_axes(a, &choice->choice.result, &target));
    } else if (info->partial && !derive_is_zero_fill(op)) {
        AxisSet axes = part_axes(a, &choice->choice.result, &a->routine->wish[op->out.buffer].rest);
        AxisSet *known = &a->sums->values[op->out.buffer];
        *known = axes_union(f->decls, *known, axes);
    }
}

static void add_list(Adding *a, const ChosenList *list)
{
    for (int i = 0; i < list->count; i++) {
        const Chosen *chosen = &list->data[i];
        if (chosen->kind == CHOSEN_OP)
            add_op(a, chosen->op);
        if (chosen->kind != CHOSEN_LAYERS)
            continue;
        Adding inner = *a;
        inner.first = chosen->layers->first;
        inner.last = chosen->layers->last;
        add_list(&inner, &chosen->layers->body);
    }
}

/* An operator that passes sums on is linear in all of them together: they are parts over the same axes. Those of which
 * another operand alone is a part are found last, so operators are visited in reverse. */
static void pass_back(const Facts *f, Sums *sums, const ChosenList *list)
{
    for (int i = list->count - 1; i >= 0; i--) {
        const Chosen *chosen = &list->data[i];
        if (chosen->kind == CHOSEN_LAYERS)
            pass_back(f, sums, &chosen->layers->body);
        if (chosen->kind != CHOSEN_OP || !op_has_result(chosen->op->op->kind))
            continue;
        const Op *op = chosen->op->op;
        for (int j = 0; f->buffers[op->out.buffer].partial && j < op->operand_count; j++) {
            int operand = op->operand[j].buffer;
            if (f->buffers[operand].partial)
                sums->values[operand] = axes_union(f->decls, sums->values[operand], sums->values[op->out.buffer]);
        }
    }
}

Sums sums_of(const Facts *f, const Choices *choices, const Sums *before)
{
    Sums sums = *before;
    int count = f->reference->buffers.count;
    sums.values = arena_array(f->ctx->arena, AxisSet, count + 1);
    memcpy(sums.values, before->values, sizeof(AxisSet) * (size_t)count);
    memset(&sums.gradients, 0, sizeof(sums.gradients));
    sums.known = true;
    for (int r = 0; r < f->reference->routines.count; r++) {
        const RoutineChoices *routine = &choices->routines[r];
        Adding a = {.f = f, .routine = routine->facts, .sums = &sums};
        add_list(&a, &routine->early_body);
        add_list(&a, &routine->between);
        add_list(&a, &routine->body);
        pass_back(f, &sums, &routine->body);
        pass_back(f, &sums, &routine->between);
        pass_back(f, &sums, &routine->early_body);
    }
    return sums;
}

/* ---- Sums of parts that syncs take -------------------------------------------------------------------------- */

/* The axes over which syncs sum a gradient that the deriver has as a sum of parts of one example, or does not have as a
 * sum of examples, because what it is computed from is summed before: what batch normalisation reads of the batch. */
static unsigned parts_summed(const Facts *f, const Sums *sums, int tensor)
{
    unsigned parts = 0;
    for (int i = 0; i < sums->gradients.count; i++) {
        const GradientSum *sum = &sums->gradients.data[i];
        for (int a = 0; sum->tensor == tensor && a < sum->axes.count; a++)
            parts |= 1u << sum->axes.axis[a];
    }
    for (int i = 0; i < f->batch.count; i++)
        parts ^= 1u << f->batch.axis[i];
    return parts != 0 ? parts & derive_summed_axes(f, tensor) : 0;
}

static bool find_parted(const Facts *f, const Sums *sums, const NodeList *list, unsigned *parted)
{
    bool found = false;
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        found |= find_parted(f, sums, &node->body, parted);
        const Op *op = node_op(node);
        if (node->kind != NODE_OP || !op_has_result(op->kind) || f->buffers[op->out.buffer].role != ROLE_GRADIENT)
            continue;
        unsigned parts = parts_summed(f, sums, f->buffers[op->out.buffer].tensor);
        for (int j = 0; j < op->operand_count; j++)
            parted[op->operand[j].buffer] |= parts;
        found |= parts != 0;
    }
    return found;
}

/* Parts of a value are needed of what is added to it, and of the cotangent that this is computed from: the first
 * operand of what the backward pass adds. */
static void pass_parts_back(const Facts *f, const NodeList *list, unsigned *parted)
{
    for (int i = list->count - 1; i >= 0; i--) {
        const Node *node = list->data[i];
        pass_parts_back(f, &node->body, parted);
        const Op *op = node_op(node);
        if (node->kind != NODE_OP || !op_has_result(op->kind) || op->operand_count == 0 || op->origin < 0)
            continue;
        bool scales = op->kind == OP_SCALE || op->kind == OP_COPY;
        if (f->buffers[op->out.buffer].role == ROLE_PLAIN && (op->accumulate || scales))
            parted[op->operand[0].buffer] |= parted[op->out.buffer];
    }
}

unsigned *sums_parted(const Facts *f, const Sums *sums)
{
    unsigned *parted = arena_array(f->ctx->arena, unsigned, f->reference->buffers.count + 1);
    bool found = false;
    for (int r = 0; r < f->reference->routines.count; r++)
        found |= find_parted(f, sums, &f->reference->routines.data[r].body, parted);
    for (int r = 0; r < f->reference->routines.count && found; r++)
        pass_parts_back(f, &f->reference->routines.data[r].body, parted);
    return found ? parted : NULL;
}

/* ---- Sums over the batch ------------------------------------------------------------------------------------ */

void sums_list(const Facts *f, const NodeList *list, int group, SumList *sums)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        sums_list(f, &node->body, node->kind == NODE_LOOP ? node->loop.group : group, sums);
        if (node->kind != NODE_OP || f->ops[node->op->id].phase != PHASE_FLAT)
            continue;
        for (int j = 0; j < node->op->operand_count; j++) {
            Ref ref = node->op->operand[j];
            const RefBuffer *buffer = &f->buffers[ref.buffer];
            bool known = false;
            for (int k = 0; k < sums->count; k++)
                known |= sums->data[k].ref == ref.buffer;
            if (buffer->role == ROLE_PLAIN && buffer->partial && !known)
                vec_push(f->ctx->arena, sums,
                         (SumChoice){.ref = ref.buffer, .group = ref.slot.term_count > 0 ? group : -1});
        }
    }
}

static bool is_output_named(const NodeList *list, int ref, const char *name)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        if (is_output_named(&node->body, ref, name))
            return true;
        if (node->kind == NODE_OP && node->op->kind == OP_OUTPUT && node->op->operand[0].buffer == ref &&
            strcmp(node->op->output, name) == 0)
            return true;
    }
    return false;
}

static void report_synced_twice(Placer *p, const Sync *loss, const Sync *value)
{
    Diagnostic *diagnostic =
        diag_report(p->ctx.diag, P0209, value->label_span, "two 'sync' statements apply to the loss");
    diag_label(diagnostic, loss->span, "the other is here");
    p->failed = true;
}

static void add_in_place(Placer *p, int ref, const Placement *before, Route *done, OpKind kind, AxisSet axes,
                         const Sync *sync)
{
    int at = route_end(done);
    Step step = {.kind = kind,
                 .axes = axes,
                 .reads = at,
                 .writes = at,
                 .before = *before,
                 .after = facts_whole(p->facts, ref),
                 .sync = sync};
    route_add(p, ref, done, step);
}

/* As `sync loss` says. */
static void reduce_loss(Placer *p, SumChoice *sum)
{
    const Sync *sync = p->facts->loss_sync;
    const RefBuffer *info = &p->facts->buffers[sum->ref];
    AxisSet axes = axes_larger_than_one(p->facts->decls, sync->axes);
    Placement whole = facts_whole(p->facts, sum->ref);
    sum->loss = true;
    sum->done.why = WHY_SYNC;
    if (info->syncs.count > 0)
        report_synced_twice(p, sync, info->syncs.data[0].sync);
    if (sync->operation == SYNC_NONE)
        return;
    if (axes.count > 0)
        add_in_place(p, sum->ref, &whole, &sum->done, OP_ALL_REDUCE, axes, sync);
    add_in_place(p, sum->ref, &whole, &sum->done, OP_SCALE, axes, sync);
}

void derive_reduce_sum(Placer *p, SumChoice *sum)
{
    const Facts *f = p->facts;
    const RefBuffer *info = &f->buffers[sum->ref];
    Placement place = facts_whole(f, sum->ref);
    int total = derive_variant(p, sum->ref, &place, FOR_TOTAL, "sum");
    sum->done = (Route){.from = total, .why = WHY_GRADIENT};
    if (f->loss_sync != NULL && (info->loss_part || is_output_named(&p->routine->routine->body, sum->ref, "loss"))) {
        reduce_loss(p, sum);
        return;
    }
    AxisSet axes = p->sums->values[sum->ref];
    for (int i = 0; i < axes.count; i++)
        facts_place(f, sum->ref, &place, axes.axis[i], ON_PARTIAL);
    if (info->syncs.count > 0)
        derive_sync_value(p, sum->ref, total, &place, &sum->done);
    axes = place_axes(&place, ON_PARTIAL);
    if (axes.count > 0)
        add_in_place(p, sum->ref, &place, &sum->done, OP_ALL_REDUCE, axes, NULL);
}
