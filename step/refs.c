/* refs.c - a walk over what operators read and write. */
#include "step/refs.h"

void refs_visit(const Node *node, RefVisit *visit, void *context)
{
    if (node->kind == NODE_OP) {
        Op *op = node->op;
        for (int i = 0; i < op->operand_count; i++)
            visit(context, op, &op->operand[i], false);
        if (op_has_result(op->kind))
            visit(context, op, &op->out, true);
    }
    refs_visit_list(&node->body, visit, context);
}

void refs_visit_list(const NodeList *list, RefVisit *visit, void *context)
{
    for (int i = 0; i < list->count; i++)
        refs_visit(list->data[i], visit, context);
}

void refs_visit_program(const Program *program, RefVisit *visit, void *context)
{
    for (int i = 0; i < program->routines.count; i++)
        refs_visit_list(&program->routines.data[i].body, visit, context);
}
