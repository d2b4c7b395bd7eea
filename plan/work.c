/* work.c - what the kernel of an operator computes for an element (plan/cost.h). */
#include "plan/cost.h"

#include "step/body.h"

/* Its arguments are evaluated once per row, or before everything. */
static bool is_row_function(KernelKind kind)
{
    return kind == KERNEL_ROW_SUM || kind == KERNEL_ROW_MAX || kind == KERNEL_ACROSS;
}

static bool is_leaf(KernelKind kind)
{
    return kind == KERNEL_NUMBER || kind == KERNEL_OPERAND || kind == KERNEL_IMMEDIATE || kind == KERNEL_SCALE ||
           kind == KERNEL_COL || kind == KERNEL_COLS;
}

/* No processor has an instruction for them. */
static bool is_function(KernelKind kind)
{
    return kind == KERNEL_EXP || kind == KERNEL_LOG || kind == KERNEL_TANH || kind == KERNEL_COS ||
           kind == KERNEL_POW || kind == KERNEL_MIX;
}

/* Is it another number at every element? */
static bool varies(const Kernel *kernel, int node)
{
    const KernelNode *at = &kernel->nodes[node];
    if (at->kind == KERNEL_OPERAND || at->kind == KERNEL_COL)
        return true;
    if (is_leaf(at->kind) || is_row_function(at->kind))
        return false;
    for (int i = 0; i < at->argument_count; i++)
        if (varies(kernel, at->argument[i]))
            return true;
    return false;
}

/* Adds what is evaluated at every element to have this node, once. */
static void add_pass(const Kernel *kernel, int node, bool *seen, BodyWork *work)
{
    const KernelNode *at = &kernel->nodes[node];
    if (seen[node] || !varies(kernel, node))
        return;
    seen[node] = true;
    for (int i = 0; i < at->argument_count; i++)
        add_pass(kernel, at->argument[i], seen, work);
    work->functions += is_function(at->kind);
    work->operations += !is_leaf(at->kind) && !is_function(at->kind);
}

/* A row is passed over once for each of its row functions, and once for the result. */
BodyWork cost_work(OpKind op)
{
    BodyWork work = {0};
    Arena *arena = arena_new();
    const Kernel *kernel = kernel_parse(arena, op);
    for (int node = 0; kernel != NULL && node < kernel->node_count; node++) {
        const KernelNode *at = &kernel->nodes[node];
        if (!is_row_function(at->kind) && node != kernel->result)
            continue;
        bool *seen = arena_array(arena, bool, kernel->node_count);
        work.operations += is_row_function(at->kind);
        add_pass(kernel, is_row_function(at->kind) ? at->argument[0] : node, seen, &work);
    }
    arena_free(arena);
    return work;
}
