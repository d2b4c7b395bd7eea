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
    if (cluster->device.row != NULL)
        return;
    refuse(r, cluster->span, arena_printf(r->ctx->arena, "a program for devices of %s", cluster->device.name),
           "Programs are built for devices of cpu.");
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

/* Operands and result have one type, or operands in bf16 a result in f32. */
static void check_contraction(Refuse *r, const Op *op)
{
    if (emit_is_wide(r->program, op))
        return;
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
    case CLASS_CHOICE:
    case CLASS_VIEW:
    case CLASS_SINK: /* handled by emit_sink */
    case CLASS_MOVE:
    case CLASS_COMM:
    case CLASS_SOURCE: /* what a rank reads is what the layout says: other readers are refused by the proof */
        return;
    case CLASS_CONTRACT:
        check_contraction(r, op);
        return;
    case CLASS_WINDOW:
        check_window(r, op);
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
    for (int i = 0; i < r.program->routines.count; i++)
        check_body(&r, &r.program->routines.data[i].body);
    check_gradients(&r);
    return r.good;
}
