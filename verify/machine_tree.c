/* machine_tree.c - a routine's tree with what is known of every node: its operator's shapes, and where rank classes
 * meet. */
#include "verify/machine_internal.h"

bool op_crosses(const Machine *m, const Op *op)
{
    if (op_is_message(op->kind))
        return true;
    for (int i = 0; i < op->axes.count && op_info[op->kind].op_class == CLASS_COMM; i++)
        if (m->enumerated >> op->axes.axis[i] & 1)
            return true;
    return false;
}

static bool event_crosses(const Machine *m, const NodeList *nodes, int event)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (node->kind == NODE_OP ? node->op->event == event && op_crosses(m, node->op)
                                  : event_crosses(m, &node->body, event))
            return true;
    }
    return false;
}

static Tree *make(Machine *m, const NodeList *all, const NodeList *nodes)
{
    Tree *tree = arena_make(m->table->scratch, Tree);
    tree->count = nodes->count;
    tree->node = arena_array(m->table->scratch, TreeItem, nodes->count + 1);
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        TreeItem *item = &tree->node[i];
        item->node = node;
        switch (node->kind) {
        case NODE_OP:
            item->prepared = prepared_find(m->prepared, node->op);
            item->crosses = op_crosses(m, node->op);
            break;
        case NODE_WAIT:
            item->crosses = m->enumerated != 0 && event_crosses(m, all, node->wait.event);
            break;
        case NODE_LOOP:
        case NODE_GUARD:
            item->body = make(m, all, &node->body);
            item->micro_inside = node->kind == NODE_LOOP && node->loop.kind == LOOP_MICRO;
            for (int j = 0; j < item->body->count; j++) {
                item->crosses |= item->body->node[j].crosses;
                item->micro_inside |= item->body->node[j].micro_inside;
            }
            break;
        }
    }
    return tree;
}

Tree *tree_make(Machine *m, const NodeList *nodes)
{
    return make(m, nodes, nodes);
}
