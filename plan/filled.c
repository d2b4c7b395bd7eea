/* filled.c - the share of places that rows fill, from the shapes of the queue whose counts are exchanged. */
#include "plan/filled.h"

#include "step/queues.h"

static const Op *writer_in(const NodeList *list, int buffer)
{
    for (int i = 0; i < list->count; i++) {
        const Op *op = node_op(list->data[i]);
        if (op != NULL && op_has_result(op->kind) && op->out.buffer == buffer)
            return op;
        const Op *inner = writer_in(&list->data[i]->body, buffer);
        if (inner != NULL)
            return inner;
    }
    return NULL;
}

static const Op *writer_of(const Program *program, int buffer)
{
    for (int i = 0; i < program->routines.count; i++) {
        const Op *op = writer_in(&program->routines.data[i].body, buffer);
        if (op != NULL)
            return op;
    }
    return NULL;
}

/* The operator that counts what is exchanged, through the exchanges of the counts; NULL if that is not seen. */
static const Op *counter_of(const Program *program, const Op *op)
{
    const Op *counts = writer_of(program, op->operand[1].buffer);
    while (counts != NULL && counts->kind == OP_ALL_TO_ALL)
        counts = writer_of(program, counts->operand[0].buffer);
    return counts != NULL && counts->kind == OP_FILLED ? counts : NULL;
}

double plan_filled_share(const Program *program, const Op *op)
{
    const Op *counts = counter_of(program, op);
    const Op *queue = counts != NULL ? writer_of(program, counts->operand[0].buffer) : NULL;
    return queue != NULL && op_is_queue(queue) ? queue_share(program, queue) : 1;
}
