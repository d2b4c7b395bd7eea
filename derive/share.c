/* share.c - values of which an exchange sends a part: what is zero in the empty places of queues (step/queues.h). */
#include "derive/facts.h"

#include "step/queues.h"
#include "step/refs.h"
#include "step/spec.h"

#include <string.h>

/* Per buffer of the reference: the operator that makes the queues in whose empty places it is zero; NULL: it is not
 * known to be. A queue has itself. */
typedef struct Search {
    Facts *facts;
    const Op **queue, **found; /* in this round: NULL where a writer leaves something there */
    bool *written;
} Search;

static bool keeps_places(const Search *s, const Op *op, int operand, const Op *queue)
{
    return op_keeps_places(op, operand, s->facts->reference->buffers.data[queue->out.buffer].dim_count);
}

static const Op *queue_of(const Search *s, const Op *op)
{
    OpClass class = op_info[op->kind].op_class;
    if (op_is_queue(op))
        return queue_rows_with_room(s->facts->reference, op) > 0 ? op : NULL;
    const Op *first = op->operand_count > 0 ? s->queue[op->operand[0].buffer] : NULL;
    if (op->kind == OP_TAKE)
        return first != NULL && first->out.buffer == op->operand[0].buffer && keeps_places(s, op, 0, first) ? first
                                                                                                            : NULL;
    if (class != CLASS_MAP && class != CLASS_ROW && class != CLASS_SUM && class != CLASS_CONTRACT)
        return NULL;
    for (int i = 0; i < op->operand_count; i++) {
        const Op *queue = s->queue[op->operand[i].buffer];
        unsigned zero = 0;
        for (int j = 0; queue != NULL && j < op->operand_count; j++)
            if (s->queue[op->operand[j].buffer] == queue && queue->out.buffer != op->operand[j].buffer &&
                keeps_places(s, op, j, queue))
                zero |= 1u << j;
        if (op_is_zero_with(op->kind, zero))
            return queue;
    }
    return NULL;
}

static void look(void *context, Op *op, Ref *ref, bool writes)
{
    Search *s = context;
    if (!writes || (op->kind == OP_FILL && op->immediate[0] == 0))
        return;
    const Op *queue = queue_of(s, op), **found = &s->found[ref->buffer];
    bool alike = *found != NULL && queue != NULL && (*found)->out.buffer == queue->out.buffer;
    *found = s->written[ref->buffer] && !alike ? NULL : queue;
    s->written[ref->buffer] = true;
}

static bool has_queue(const NodeList *list)
{
    for (int i = 0; i < list->count; i++) {
        const Op *op = node_op(list->data[i]);
        if ((op != NULL && op_is_queue(op)) || has_queue(&list->data[i]->body))
            return true;
    }
    return false;
}

static bool has_queues(const Program *reference)
{
    for (int r = 0; r < reference->routines.count; r++)
        if (has_queue(&reference->routines.data[r].body))
            return true;
    return false;
}

void derive_find_shares(Facts *facts)
{
    if (!has_queues(facts->reference))
        return;
    int count = facts->reference->buffers.count;
    Search s = {.facts = facts, .queue = arena_array(facts->ctx->arena, const Op *, count + 1)};
    for (bool more = true; more;) {
        s.found = arena_array(facts->ctx->arena, const Op *, count + 1);
        s.written = arena_array(facts->ctx->arena, bool, count + 1);
        refs_visit_program(facts->reference, look, &s);
        more = false;
        for (int i = 0; i < count; i++) {
            more = more || (s.queue[i] == NULL && s.found[i] != NULL);
            s.queue[i] = s.queue[i] != NULL ? s.queue[i] : s.found[i];
        }
    }
    for (int i = 0; i < count; i++)
        if (s.queue[i] != NULL && s.queue[i]->out.buffer != i)
            facts->finding->buffers[i].share = queue_share(facts->reference, s.queue[i]);
}
