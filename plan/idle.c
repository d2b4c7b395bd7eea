/* idle.c - finds ranks that have no part of what others compute: products sharded by a dim with fewer elements than
 * there are ranks, as attention with few heads of keys and values. */
#include "plan/plan.h"
#include "plan/walk.h"

#include <stdlib.h>

typedef struct Idle {
    const Program *program;
    const Assignment *assignment;
    const int64_t *times;
    double all, lost; /* operations of products, and what ranks without a part could do meanwhile, on average */
    const Op *most;   /* that loses most, */
    const Dim *at;    /* by this dim */
    double most_lost;
} Idle;

static int64_t ranks_of(const Decls *decls, const Dim *dim)
{
    int64_t ranks = 1;
    for (int i = 0; i < dim->cut_count; i++)
        ranks *= decls->axes.data[dim->cut[i]].size;
    return ranks;
}

/* Microbatches with too few examples are P0351. */
static bool is_of_batch(const Assignment *assignment, const Dim *dim)
{
    for (int i = 0; i < dim->cut_count; i++)
        if (dim->cut[i] == CUT_MICRO || axes_contain(assignment->batch_axes, dim->cut[i]) ||
            axes_contain(assignment->copy_axes, dim->cut[i]))
            return true;
    return false;
}

static double idle_share(const Idle *idle, const Dim *dim)
{
    if (is_of_batch(idle->assignment, dim))
        return 0;
    int64_t ranks = ranks_of(idle->program->decls, dim);
    return dim->size >= ranks ? 0 : 1 - (double)dim->size / (double)ranks;
}

/* The dim of the operator's values by which most ranks are idle; NULL if none is. */
static const Dim *emptiest_dim(const Idle *idle, const Op *op)
{
    const Dim *emptiest = NULL;
    for (int side = 0; side <= op->operand_count; side++) {
        const Ref *ref = side == op->operand_count ? &op->out : &op->operand[side];
        const Buffer *buffer = &idle->program->buffers.data[ref->buffer];
        for (int dim = 0; buffer->layout == LAYOUT_DENSE && dim < buffer->dim_count; dim++)
            if (idle_share(idle, &buffer->dims[dim]) > (emptiest != NULL ? idle_share(idle, emptiest) : 0))
                emptiest = &buffer->dims[dim];
    }
    return emptiest;
}

static void add_product(Idle *idle, const Op *op)
{
    double flops = (double)idle->times[op->id] * op_flops(idle->program, op);
    const Dim *dim = emptiest_dim(idle, op);
    double lost = dim != NULL ? flops * idle_share(idle, dim) : 0;
    idle->all += flops;
    idle->lost += lost;
    if (lost > idle->most_lost) {
        idle->most_lost = lost;
        idle->most = op;
        idle->at = dim;
    }
}

static void add_products(Idle *idle, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Op *op = node_op(body->data[i]);
        if (body->data[i]->kind == NODE_OP && op_is_product(op))
            add_product(idle, op);
        add_products(idle, &body->data[i]->body);
    }
}

void plan_report_idle(Ctx *ctx, const Plan *plan, const Assignment *assignment, const StepFile *file)
{
    const Program *program = file->program;
    const Routine *step = program_routine(program, ROUTINE_STEP);
    int64_t coordinates[STEP_MAX_AXES] = {0}, *times = arena_array(ctx->arena, int64_t, program->op_count + 1);
    walk_count(program, step, coordinates, times);
    Idle idle = {.program = program, .assignment = assignment, .times = times};
    add_products(&idle, &step->body);
    if (idle.most == NULL)
        return;
    int64_t ranks = ranks_of(plan->decls, idle.at), size = idle.at->size;
    Diagnostic *d = diag_report(ctx->diag, P0364, idle.most->span, "%lld of %lld ranks have no part of this",
                                (long long)(ranks - size), (long long)ranks);
    diag_why(d,
             "It is sharded over them by a dim of %lld. Of the operations in products that ranks could do in a step, "
             "%.1f %% are lost while they wait.",
             (long long)size, 100 * idle.lost / idle.all);
    diag_help(d, "Shard it over at most %lld ranks, and the batch or the layers over the others.", (long long)size);
}
