/* refuse.c - reports what cannot be built yet, at its source position: P0501, once per reason and line. */
#include "codegen/codegen.h"

#include "codegen/emit.h"
#include "codegen/gradients.h"
#include "codegen/kernels.h"
#include <string.h>

typedef struct Refuse {
    Ctx *ctx;
    const Train *train;
    const Program *program;
    bool good;
} Refuse;

/* `way_out`: what can be built instead, or NULL. */
static void refuse(Refuse *r, Span span, const char *what, const char *way_out)
{
    r->good = false;
    Diagnostic *d = diag_report(r->ctx->diag, P0501, span, "%s cannot be built yet", what);
    if (way_out != NULL)
        diag_help(d, "%s", way_out);
    diag_note(d, "`placec plan` gives its memory and traffic.");
}

/* Only some devices have a runtime. */
static void check_device(Refuse *r)
{
    const Cluster *cluster = &r->train->cluster;
    if (cluster->device_row != NULL)
        return;
    refuse(r, cluster->span, arena_printf(r->ctx->arena, "a program for devices of %s", cluster->device),
           "Programs are built for devices of cpu.");
}

/* The room of a padded dim is the same in every microbatch. */
static bool has_constant_rooms(const Buffer *buffer)
{
    bool constant = true;
    for (int i = 0; buffer->layout == LAYOUT_DENSE && i < buffer->dim_count; i++) {
        const Dim *dim = &buffer->dims[i];
        constant = constant && !(dim->padded && memchr(dim->cut, CUT_MICRO, (size_t)dim->cut_count) != NULL);
    }
    return constant;
}

static void check_placement(Refuse *r)
{
    const Decls *decls = r->program->decls;
    for (int i = 0; i < r->program->buffers.count; i++) {
        const Buffer *buffer = &r->program->buffers.data[i];
        bool numbers = buffer->layout == LAYOUT_UNIT && buffer->each != EACH_ELEMENT;
        if (numbers && decls->units.data[buffer->unit].member_dims != NULL)
            refuse(r, r->train->optimizer_span, "an optimizer with a number per tensor of pieces of tensors",
                   "Programs over axes that shard parameters by dims are built for sgd, momentum, adam and adamw.");
        else if (!has_constant_rooms(buffer))
            refuse(r, buffer->span, "a value with room for the largest of its microbatches", NULL);
    }
}

/* --save-gradients saves all gradients, so all must be found. */
static void check_gradients(Refuse *r)
{
    Arena *arena = r->ctx->arena;
    UsedGradients used = gradients_used(arena, r->program);
    int tensor = r->good ? gradients_missing(arena, r->program, &used) : -1;
    if (tensor >= 0)
        refuse(r, r->train->optimizer_span,
               arena_printf(arena, "an update that does not show which layers' gradients of '%s' it uses",
                            r->program->decls->tensors.data[tensor].name),
               NULL);
}

/* The result's batch is cut by microbatches, then over the operator's axes; axes of size 1 cut nothing, and each copy
 * has a batch of its own. */
static bool reads_its_piece(const Decls *decls, const Op *op, const Dim *batch)
{
    int at = batch->cut_count > 0 && batch->cut[0] == CUT_MICRO ? 1 : 0;
    for (int i = 0; i < op->axes.count; i++) {
        if (decls->axes.data[op->axes.axis[i]].size == 1 || decls->axes.data[op->axes.axis[i]].copies)
            continue;
        while (at < batch->cut_count && batch->cut[at] != CUT_MICRO && decls->axes.data[batch->cut[at]].size == 1)
            at++;
        if (at == batch->cut_count || batch->cut[at++] != op->axes.axis[i])
            return false;
    }
    for (; at < batch->cut_count; at++)
        if (batch->cut[at] == CUT_MICRO || decls->axes.data[batch->cut[at]].size > 1)
            return false;
    return true;
}

/* The runtime reads what the layout says, so ranks cannot share a part that the layout divides between them. */
static void check_read(Refuse *r, const Op *op)
{
    const Decls *decls = r->program->decls;
    const Buffer *out = ref_buffer(r->program, &op->out);
    bool good = decls->tensors.data[op->tensor].batch_dim == 0 && out->layout == LAYOUT_DENSE && out->dim_count > 0;
    if (!good || !reads_its_piece(decls, op, &out->dims[0]))
        refuse(r, op->span, "a reader of other examples than its result's layout says", NULL);
}

static void check_source(Refuse *r, const Op *op)
{
    switch (op_source(op->kind)) {
    case SOURCE_READ:
        check_read(r, op);
        return;
    case SOURCE_INIT:
    case SOURCE_FILL:
    case SOURCE_IOTA:
        return;
    }
    BUG("'%s' has no statement in C", op_info[op->kind].name);
}

/* Operands and result have one type. */
static void check_contraction(Refuse *r, const Op *op)
{
    DType dtype = ref_buffer(r->program, &op->out)->dtype;
    for (int i = 0; i < op->operand_count; i++)
        if (ref_buffer(r->program, &op->operand[i])->dtype != dtype) {
            refuse(r, op->span, "a product of numbers of different types", NULL);
            return;
        }
}

static void check_window(Refuse *r, const Op *op)
{
    check_contraction(r, op);
    if (!emit_window_fits(r->program, op))
        refuse(r, op->span, "a convolution or pooling of this layout", NULL);
}

static void check_op(Refuse *r, const Op *op)
{
    switch (op_info[op->kind].op_class) {
    case CLASS_MAP: /* computed by kernels and gemm */
    case CLASS_ROW:
    case CLASS_SUM:
    case CLASS_GATHER:
    case CLASS_SCATTER:
    case CLASS_VIEW:
    case CLASS_SINK: /* handled by emit_sink */
    case CLASS_MOVE:
    case CLASS_COMM:
        return;
    case CLASS_CONTRACT:
        check_contraction(r, op);
        return;
    case CLASS_WINDOW:
        check_window(r, op);
        return;
    case CLASS_SOURCE:
        check_source(r, op);
        return;
    }
    BUG("'%s' is of no class", op_info[op->kind].name);
}

static void check_body(Refuse *r, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_OP)
            check_op(r, node->op);
        check_body(r, &node->body);
    }
}

bool codegen_check(Ctx *ctx, const Train *train, const StepFile *file)
{
    Refuse r = {.ctx = ctx, .train = train, .program = file->program, .good = true};
    check_device(&r);
    check_placement(&r);
    for (int i = 0; i < r.program->routines.count; i++)
        check_body(&r, &r.program->routines.data[i].body);
    check_gradients(&r);
    return r.good;
}
