/* copies.c - checks that copies meet only in sums (verify/copies.h). */
#include "verify/copies.h"

#include "base/change.h"

typedef struct Copies {
    Ctx *ctx;
    const Decls *decls;
    bool starts; /* in the routine that computes initial values */
    bool good;
} Copies;

static Diagnostic *report_copies(Copies *c, Span span, const char *what, int axis)
{
    const Axis *copies = &c->decls->axes.data[axis];
    Diagnostic *d = diag_report(c->ctx->diag, P0320, span, "%s '%s', whose ranks are copies", what, copies->name);
    diag_label(d, copies->span, "each rank has parameters and a batch of its own");
    diag_why(d,
             "What two copies have is never parts, or pieces, of one thing; they meet in sums alone (rule 'copies').");
    c->good = false;
    return d;
}

static void check_affine(Copies *c, Span span, const Affine *affine)
{
    for (int i = 0; i < affine->term_count; i++) {
        int axis = affine->term[i].variable < 0 ? affine_axis(c->decls, affine->term[i].variable) : -1;
        if (axis >= 0 && c->decls->axes.data[axis].copies)
            report_copies(c, span, "control depends on the coordinate on", axis);
    }
}

static void check_cuts(Copies *c, Span span, const int8_t *cut, int count)
{
    for (int i = 0; i < count; i++)
        if (cut[i] != CUT_MICRO && c->decls->axes.data[cut[i]].copies)
            report_copies(c, span, "a buffer is cut over", cut[i]);
}

static void check_buffer(Copies *c, const Buffer *buffer)
{
    Dim dims[STEP_MAX_DIMS];
    bool dense = buffer->layout == LAYOUT_DENSE;
    const Unit *unit = dense ? NULL : &c->decls->units.data[buffer->unit];
    for (int d = 0; dense && d < buffer->dim_count; d++)
        check_cuts(c, buffer->span, buffer->dims[d].cut, buffer->dims[d].cut_count);
    if (!dense)
        check_cuts(c, buffer->span, buffer->cut, buffer->cut_count);
    for (int m = 0; unit != NULL && m < unit->member_count; m++) {
        unit_member_dims(c->decls, unit, m, dims);
        for (int d = 0; d < c->decls->tensors.data[unit->members[m]].dim_count; d++)
            check_cuts(c, buffer->span, dims[d].cut, dims[d].cut_count);
    }
    if (buffer->held)
        check_affine(c, buffer->span, &buffer->holder);
    if (buffer->has_layers) {
        check_affine(c, buffer->span, &buffer->first_layer);
        check_affine(c, buffer->span, &buffer->last_layer);
    }
}

/* All copies may start from one copy's initial values; that these are equal then is visible from their values
 * (transfer_terms.c). */
static bool shares_start(const Copies *c, const Op *op)
{
    return c->starts && op->kind == OP_BROADCAST && op->peer.coordinate.term_count == 0 &&
           op->peer.coordinate.modulus == 0;
}

/* A sum goes over axes of copies only, or over none: first over the ranks of one copy, then over copies. */
static void check_axes(Copies *c, const Op *op)
{
    bool sums = (op->kind == OP_ALL_REDUCE && op->reduce == REDUCE_SUM) || shares_start(c, op);
    int copies = 0, axis = -1;
    for (int i = 0; i < op->axes.count; i++)
        if (c->decls->axes.data[op->axes.axis[i]].copies) {
            axis = op->axes.axis[i];
            copies++;
        }
    if (copies == 0 || op->kind == OP_READ || (sums && copies == op->axes.count))
        return;
    Diagnostic *d = report_copies(
        c, op->span, sums ? "one sum is over other axes and over" : "what is no sum is communicated over", axis);
    diag_repair(d, (Repair){.kind = REPAIR_DERIVE, .span = op->span});
}

static void check_op(Copies *c, const Op *op)
{
    check_axes(c, op);
    for (int i = 0; i < op->operand_count; i++)
        check_affine(c, op->span, &op->operand[i].slot);
    if (op_has_result(op->kind))
        check_affine(c, op->span, &op->out.slot);
    if (op->kind != OP_IOTA && op_index(op) != NULL)
        check_affine(c, op->span, op_index(op));
}

static void check_nodes(Copies *c, const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (node->kind == NODE_OP)
            check_op(c, node->op);
        if (node->kind == NODE_GUARD)
            check_affine(c, node->span, &node->guard.value);
        if (node->kind == NODE_LOOP) {
            check_affine(c, node->span, &node->loop.first);
            check_affine(c, node->span, &node->loop.last);
        }
        check_nodes(c, &node->body);
    }
}

bool copies_check(Ctx *ctx, const Program *program)
{
    Copies c = {.ctx = ctx, .decls = program->decls, .good = true};
    for (int b = 0; b < program->buffers.count; b++)
        check_buffer(&c, &program->buffers.data[b]);
    for (int r = 0; r < program->routines.count; r++) {
        c.starts = program->routines.data[r].kind == ROUTINE_INIT;
        check_nodes(&c, &program->routines.data[r].body);
    }
    return c.good;
}
