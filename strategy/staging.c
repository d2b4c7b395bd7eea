/* staging.c - finds the group that a pipeline divides, and the stages that use a parameter (strategy/staging.h). */
#include "strategy/staging.h"

int staging_group(Ctx *ctx, const Decls *decls, Span span)
{
    if (decls->groups.count == 1)
        return 0;
    Diagnostic *d = diag_report(ctx->diag, P0290, span, "a pipeline of a model with %s is not supported yet",
                                decls->groups.count == 0 ? "no repeated block" : "several repeated blocks");
    diag_note(d, "A pipeline divides the layers of the one repeated block; what comes before them runs on its first "
                 "stage, what comes after them on its last.");
    return -1;
}

static bool reads_tensor(const Program *program, const Node *node, int tensor)
{
    if (node->kind == NODE_OP)
        for (int i = 0; i < node->op->operand_count; i++)
            if (program->buffers.data[node->op->operand[i].buffer].tensor == tensor)
                return true;
    for (int i = 0; i < node->body.count; i++)
        if (reads_tensor(program, node->body.data[i], tensor))
            return true;
    return false;
}

unsigned staging_stages_of(const Program *reference, int tensor)
{
    /* The evaluation consists of the forward pass only; if there is none yet, neither has the step a backward pass. */
    const Routine *forward = program_routine(reference, ROUTINE_EVAL);
    if (forward == NULL)
        forward = program_routine(reference, ROUTINE_STEP);
    unsigned stages = 0;
    bool after = false;
    for (int i = 0; i < forward->body.count; i++) {
        const Node *node = forward->body.data[i];
        bool layers = node_is_layer_loop(node);
        if (reads_tensor(reference, node, tensor)) {
            if (layers)
                return 0;
            stages |= after ? STAGE_LAST : STAGE_FIRST;
        }
        after |= layers;
    }
    return stages != 0 ? stages : STAGE_FIRST;
}
