/* staging.c - finds the layers that a pipeline divides, and the sections that use a parameter (strategy/staging.h). */
#include "strategy/staging.h"

int64_t staging_layers(const Decls *decls)
{
    int64_t layers = 0;
    for (int i = 0; i < decls->groups.count; i++)
        layers += decls->groups.data[i].layers;
    return layers;
}

int64_t staging_before(const Decls *decls, int group)
{
    int64_t before = 0;
    for (int i = 0; i < group; i++)
        before += decls->groups.data[i].layers;
    return before;
}

int64_t staging_apart(const Decls *decls, const Staging *request)
{
    bool apart = request->requested && request->chunks > 1 && (decls->groups.count > 1 || request->layers_differ) &&
                 decls->axes.data[request->axis].size > 1;
    return apart ? staging_layers(decls) / request->chunks : 0;
}

static bool refuse(Ctx *ctx, Span span, const char *what)
{
    Diagnostic *d = diag_report(ctx->diag, P0290, span, "%s is not supported yet", what);
    diag_note(d,
              "A pipeline divides the layers of the repeated blocks; what comes before them runs on its first stage, "
              "what comes after them on its last.");
    return false;
}

bool staging_check(Ctx *ctx, const Decls *decls, const Staging *request)
{
    int blocks = decls->groups.count;
    if (blocks == 0)
        return refuse(ctx, request->span, "a pipeline of a model with no repeated block");
    if (blocks > STAGE_MOST_BLOCKS)
        return refuse(ctx, request->span, "a pipeline of a model with more than 24 repeated blocks");
    return true;
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

StageSet staging_sections_of(const Program *reference, int tensor)
{
    /* The evaluation consists of the forward pass only; if there is none yet, neither has the step a backward pass. */
    const Routine *forward = program_routine(reference, ROUTINE_EVAL);
    if (forward == NULL)
        forward = program_routine(reference, ROUTINE_STEP);
    StageSet sections = 0;
    int section = 0;
    for (int i = 0; i < forward->body.count; i++) {
        const Node *node = forward->body.data[i];
        bool layers = node_is_layer_loop(node);
        if (reads_tensor(reference, node, tensor)) {
            if (layers)
                return 0;
            sections |= 1u << section;
        }
        section += layers && section < STAGE_MOST_BLOCKS;
    }
    return sections != 0 ? sections : STAGE_FIRST;
}
