/* chain.c - walks a routine's operators backwards (verify/chain.h). Only diagnostics use it; the proof does not. */
#include "verify/chain.h"

#include "step/spec.h"

static int count_ops(const NodeList *nodes)
{
    int count = 0;
    for (int i = 0; i < nodes->count; i++)
        count += nodes->data[i]->kind == NODE_OP ? 1 : count_ops(&nodes->data[i]->body);
    return count;
}

static void add_ops(const NodeList *nodes, bool in_micro, Ops *ops)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (node->kind == NODE_OP)
            ops->link[ops->count++] = (Link){node->op, in_micro};
        else
            add_ops(&node->body, in_micro || (node->kind == NODE_LOOP && node->loop.kind == LOOP_MICRO), ops);
    }
}

Ops ops_in_order(Arena *arena, const NodeList *nodes)
{
    Ops ops = {.link = arena_array(arena, Link, count_ops(nodes) + 1)};
    add_ops(nodes, false, &ops);
    return ops;
}

bool op_reduces(OpKind kind)
{
    return kind == OP_ALL_REDUCE || kind == OP_REDUCE_SCATTER;
}

/* Does the result hold the operand's value, moved, scaled, summed over ranks or as one of its summands? */
static bool op_passes(OpKind kind)
{
    OpClass class = op_info[kind].op_class;
    return class == CLASS_MOVE || class == CLASS_COMM || kind == OP_SEGMENT || kind == OP_PLACE_SEGMENT ||
           kind == OP_SCALE || kind == OP_COPY || kind == OP_CAST || kind == OP_MUL || kind == OP_ADD;
}

/* Does place_segment write elements outside the part? */
static bool writes_elsewhere(const Program *program, const Op *op, ChainPart part)
{
    char fused, segment;
    if (op->kind != OP_PLACE_SEGMENT || part.end == 0 || !spec_segment(op, &fused, &segment))
        return false;
    int dim = spec_dim(spec_letters(op->spec, 0), fused);
    int64_t first = (int64_t)op->immediate[0];
    int64_t end = first + program->buffers.data[op->operand[1].buffer].dims[dim].size;
    return (op->out.member >= 0 && op->out.member != part.tensor) || part.end <= first || end <= part.first;
}

Chain chain_of(const Program *program, const Routine *routine, const Op *op, int operand, ChainPart part)
{
    Chain chain = {0};
    Arena *arena = arena_new();
    Ops ops = ops_in_order(arena, &routine->body);
    bool *wanted = arena_array(arena, bool, program->buffers.count + 1);
    wanted[op->operand[operand].buffer] = true;
    int at = ops.count - 1;
    while (at >= 0 && ops.link[at].op != op)
        at--;
    for (at--; at >= 0; at--) {
        const Op *before = ops.link[at].op;
        if (op_info[before->kind].op_class == CLASS_SINK || !wanted[before->out.buffer] || before->kind == OP_FILL)
            continue;
        if (!op_passes(before->kind)) {
            chain.source = chain.source != NULL ? chain.source : before;
            continue;
        }
        for (int i = 0; i < before->operand_count; i++)
            if (i == 0 || before->kind == OP_PLACE_SHARD || before->kind == OP_ADD ||
                (before->kind == OP_PLACE_SEGMENT && !writes_elsewhere(program, before, part)))
                wanted[before->operand[i].buffer] = true;
        if (chain.count < CHAIN_MAX)
            chain.link[chain.count++] = ops.link[at];
    }
    arena_free(arena);
    return chain;
}

Reductions chain_reductions(const Chain *chain, AxisMask axes)
{
    Reductions found = {0};
    for (int i = 0; i < chain->count; i++) {
        const Link *link = &chain->link[i];
        if (!op_reduces(link->op->kind) || (reduced_axes(link->op) & axes) == 0)
            continue;
        found.last = found.last != NULL ? found.last : link->op;
        found.in_micro = found.in_micro == NULL && link->in_micro ? link->op : found.in_micro;
        found.count++;
    }
    return found;
}

const Op *chain_find(const Chain *chain, OpKind kind)
{
    for (int i = 0; i < chain->count; i++)
        if (chain->link[i].op->kind == kind)
            return chain->link[i].op;
    return NULL;
}

AxisMask reduced_axes(const Op *reduction)
{
    AxisMask axes = 0;
    for (int i = 0; i < reduction->axes.count; i++)
        axes |= (AxisMask)1 << reduction->axes.axis[i];
    return axes;
}
