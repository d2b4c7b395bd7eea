/* emit_waits.c - waits for syncs of values that were started: each is moved down to the first use of the value. */
#include "derive/emit.h"

#include <string.h>

static bool floats(const Emit *e, const Node *node)
{
    for (int i = 0; node->kind == NODE_WAIT && i < e->floating.count; i++)
        if (e->floating.data[i] == node->wait.event)
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

void derive_float_waits(Emit *e, NodeList *list)
{
    for (int i = list->count - 1; i >= 0; i--) {
        derive_float_waits(e, &list->data[i]->body);
        if (floats(e, list->data[i]))
            float_wait(list, i);
    }
}
