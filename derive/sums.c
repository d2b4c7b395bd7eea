/* sums.c - sums over the batch that are read after the loop over microbatches: cleared before it, added to in it,
 * summed over the ranks after it. */
#include "derive/internal.h"

#include <string.h>

void derive_list_sums(Derive *d, const NodeList *list, int group, BatchSumList *sums)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        derive_list_sums(d, &node->body, node->kind == NODE_LOOP ? node->loop.group : group, sums);
        if (node->kind != NODE_OP || d->ops[node->op->id].phase != PHASE_FLAT)
            continue;
        for (int j = 0; j < node->op->operand_count; j++) {
            Ref ref = node->op->operand[j];
            RefBuffer *buffer = &d->buffers[ref.buffer];
            bool known = false;
            for (int k = 0; k < sums->count; k++)
                known |= sums->data[k].ref == ref.buffer;
            if (buffer->role == ROLE_PLAIN && buffer->partial && !known)
                vec_push(d->ctx->arena, sums, ((BatchSum){ref.buffer, ref.slot.term_count > 0 ? group : -1}));
        }
    }
}

/* The list for operators on a sum: the body of a loop over its layers, or `body` itself. */
static NodeList *sum_body(Derive *d, const BatchSum *sum, NodeList *body, Affine *slot)
{
    *slot = affine_constant(0);
    if (sum->group < 0)
        return body;
    Node *loop = derive_emit_loop(d, body, LOOP_LAYERS, sum->group, 0, d->decls->groups.data[sum->group].layers - 1,
                                  d->reference->buffers.data[sum->ref].span);
    *slot = affine_loop(loop->loop.id, 1, 0);
    return &loop->body;
}

void derive_make_sum(Derive *d, const BatchSum *of, NodeList *body)
{
    Buffer sum = d->reference->buffers.data[of->ref];
    RefBuffer *info = &d->buffers[of->ref];
    Affine slot;
    sum.name = arena_printf(d->ctx->arena, "%s.sum", sum.name);
    if (info->sum < 0)
        info->sum = derive_add_buffer(d, sum);
    body = sum_body(d, of, body, &slot);
    derive_emit_fill(d, body, derive_ref(info->sum, slot), 0, sum.span);
}

void derive_add_sums(Derive *d, const BatchSumList *sums, NodeList *body)
{
    for (int i = 0; i < sums->count; i++) {
        Affine slot;
        NodeList *inner = sum_body(d, &sums->data[i], body, &slot);
        int ref = sums->data[i].ref, sum = d->buffers[ref].sum;
        derive_emit_from(d, inner, OP_COPY, derive_ref(sum, slot), derive_ref(derive_plain_buffer(d, ref), slot),
                         d->program->buffers.data[sum].span)
            ->accumulate = true;
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

/* The axes over which the sum is to be taken once its syncs, if there are any, have been applied. */
static AxisSet sync_sum(Derive *d, int ref, Affine slot, NodeList *body)
{
    const RefBuffer *info = &d->buffers[ref];
    Place place = place_whole();
    for (int i = 0; i < info->sum_axes.count; i++)
        place.on[info->sum_axes.axis[i]] = ON_PARTIAL;
    if (info->syncs.count > 0)
        derive_sync_value(d, body, ref, derive_ref(info->sum, slot), &place);
    return place_axes(d, &place, ON_PARTIAL);
}

static void report_synced_twice(Derive *d, const Sync *loss, const Sync *value)
{
    Diagnostic *diagnostic =
        diag_report(d->ctx->diag, P0209, value->label_span, "two 'sync' statements apply to the loss");
    diag_label(diagnostic, loss->span, "the other is here");
    d->failed = true;
}

void derive_reduce_sum(Derive *d, const Routine *routine, const BatchSum *of, NodeList *body)
{
    const RefBuffer *info = &d->buffers[of->ref];
    if (d->loss_sync != NULL && (info->loss_part || is_output_named(&routine->body, of->ref, "loss"))) {
        if (info->syncs.count > 0)
            report_synced_twice(d, d->loss_sync, info->syncs.data[0].sync);
        d->program->buffers.data[info->sum].span = d->loss_sync->span;
        derive_scalar_sync(d, body, info->sum, d->loss_sync);
    } else if (info->sum_axes.count > 0 || info->syncs.count > 0) {
        Affine slot;
        body = sum_body(d, of, body, &slot);
        AxisSet axes = sync_sum(d, of->ref, slot, body);
        Ref sum = derive_ref(info->sum, slot);
        if (axes.count > 0)
            derive_emit_over(d, body, OP_ALL_REDUCE, sum, sum, axes, d->assignment->batch_span);
    }
}
