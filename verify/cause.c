/* cause.c - the rows of causes.def, what all families use, and the labels that tell the story of a fault. */
#include "verify/cause.h"

/* ---- Names and numbers -------------------------------------------------------------------------------------- */

const char *tensor_name(const Diagnose *d, const Fault *fault)
{
    if (fault->tensor < 0)
        return fault->state >= 0 ? d->program->decls->states.data[fault->state].name : "";
    const Tensor *tensor = &d->program->decls->tensors.data[fault->tensor];
    if (tensor->group < 0)
        return tensor->name;
    return arena_printf(d->ctx->arena, "%s (layer %lld)", tensor->name, (long long)fault->layer);
}

const char *others_text(const Diagnose *d, const Cause *cause)
{
    return cause->count > 1 ? arena_printf(d->ctx->arena, " and of %d more", cause->count - 1) : "";
}

const char *number_text(Arena *arena, Rational number)
{
    if (number.denominator == 1)
        return arena_printf(arena, "%lld", (long long)number.numerator);
    return arena_printf(arena, "%lld/%lld", (long long)number.numerator, (long long)number.denominator);
}

const char *ratio_text(const Diagnose *d, Rational ratio)
{
    return arena_printf(d->ctx->arena, "%s %s", number_text(d->ctx->arena, ratio),
                        ratio.denominator == 1 ? "times" : "of");
}

const char *cause_axes(const Diagnose *d, const Cause *cause)
{
    return axes_text(d->ctx->arena, d->program->decls, cause->finding.axes);
}

/* ---- The routine's operators -------------------------------------------------------------------------------- */

const Op *find_op(const Ops *ops, OpKind kind, int tensor)
{
    for (int i = 0; i < ops->count; i++) {
        const Op *op = ops->link[i].op;
        if (op->kind == kind && (tensor < 0 || op->tensor < 0 || op->tensor == tensor))
            return op;
    }
    return NULL;
}

AxisMask chain_axes(const Chain *chain)
{
    AxisMask axes = 0;
    for (int i = 0; i < chain->count; i++)
        if (op_reduces(chain->link[i].op->kind))
            axes |= reduced_axes(chain->link[i].op);
    return axes;
}

AxisMask large_axes(const Decls *decls, AxisMask axes)
{
    for (int a = 0; a < decls->axes.count; a++)
        if (decls->axes.data[a].size == 1)
            axes &= ~((AxisMask)1 << a);
    return axes;
}

bool is_power_of_size(const Decls *decls, AxisMask axes, Rational ratio)
{
    for (int a = 0; a < decls->axes.count; a++) {
        if (!(axes >> a & 1))
            continue;
        Rational power = rational_make(decls->axes.data[a].size, 1);
        for (int i = 0; i < 8 && rational_fits(power); i++) {
            if (rational_equal(power, ratio))
                return true;
            power = rational_multiply(power, rational_make(decls->axes.data[a].size, 1));
        }
    }
    return false;
}

/* ---- Labels ------------------------------------------------------------------------------------------------- */

Span operand_span(const Diagnose *d, const Op *op, int operand)
{
    return d->program->program->buffers.data[op->operand[operand].buffer].span;
}

static void label_once(Diagnostic *diagnostic, Span primary, Span span, const char *text)
{
    if (span_known(span) && !span_equal(primary, span))
        diag_label(diagnostic, span, "%s", text);
}

static void label_nothing(const Diagnose *d, const Cause *cause, Diagnostic *r, Span primary)
{
    (void)d, (void)cause, (void)r, (void)primary;
}

static void label_norm(const Diagnose *d, const Cause *cause, Diagnostic *r, Span primary)
{
    (void)d;
    if (cause->norm != NULL)
        label_once(r, primary, cause->norm->span, "the gradients are clipped by it here");
}

static void label_update(const Diagnose *d, const Cause *cause, Diagnostic *r, Span primary)
{
    if (cause->culprit != NULL)
        label_once(r, primary, operand_span(d, cause->culprit, 1), "each rank updates its own part");
}

static void label_gradient(const Diagnose *d, const Cause *cause, Diagnostic *r, Span primary)
{
    (void)d;
    if (cause->fault->kind == FAULT_GRADIENT)
        label_once(r, primary, cause->fault->op->span, "the optimizer reads the gradient here");
}

static void label_reader(const Diagnose *d, Diagnostic *r, Span primary)
{
    const Op *read = find_op(&d->ops, OP_READ, -1);
    if (read != NULL && read->axes.count > 0)
        label_once(r, primary, read->span, "each rank reads its own part of the batch");
}

static void label_batch(const Diagnose *d, const Cause *cause, Diagnostic *r, Span primary)
{
    label_reader(d, r, primary);
    label_gradient(d, cause, r, primary);
}

/* The buffer in which the gradient is added up: of the state "gradients", or else the one farthest back. */
static Span accumulator_span(const Diagnose *d, const Cause *cause)
{
    int gradient = 0, state;
    const Program *program = d->program->program;
    op_is_update(cause->fault->op->kind, &gradient, &state);
    const Ref *ref = &cause->fault->op->operand[gradient];
    for (int i = 0; program->buffers.data[ref->buffer].state < 0 && i < cause->chain.count; i++)
        ref = &cause->chain.link[i].op->operand[0];
    return program->buffers.data[ref->buffer].span;
}

static void label_incomplete(const Diagnose *d, const Cause *cause, Diagnostic *r, Span primary)
{
    label_reader(d, r, primary);
    if (cause->fault->kind == FAULT_GRADIENT)
        label_once(r, primary, accumulator_span(d, cause), "each rank adds up its own gradients");
    label_gradient(d, cause, r, primary);
}

/* ---- The table ---------------------------------------------------------------------------------------------- */

const CauseRow *cause_row(DiagCode code)
{
#define CAUSE(code, report, label, primary, repair, target, needs, one, of, reported)                                  \
    {code,   report_##report, label_##label, PRIMARY_##primary, REPAIR_##repair,                                       \
     target, NEEDS_##needs,   ONE_##one,     OF_##of,           REPORTED_##reported},
    enum { OF_VALUES, OF_GRADIENTS, REPORTED_EACH = 0, REPORTED_ONCE };
    static const CauseRow rows[] = {
#include "verify/causes.def"
    };
#undef CAUSE
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].code == code)
            return &rows[i];
    BUG("%s is the code of no cause", diag_code_name(code));
}
