/* cause_norm.c - the norm of all gradients, by which they are clipped: P0309, P0310. */
#include "verify/cause.h"

#include <string.h>

bool is_norm(const Fault *fault)
{
    const char *output = fault->op != NULL ? op_output(fault->op) : NULL;
    return output != NULL && strcmp(output, "gradient_norm") == 0;
}

bool is_squared_early(const Diagnose *d, const Cause *cause)
{
    const Op *reduction = chain_reductions(&cause->chain, cause->finding.axes).last;
    if (cause->finding.squared == NULL || reduction == NULL)
        return false;
    for (int i = 0; i < d->ops.count; i++)
        if (d->ops.link[i].op == cause->finding.squared || d->ops.link[i].op == reduction)
            return d->ops.link[i].op == cause->finding.squared;
    return false;
}

void set_norm(Diagnose *d, Cause *cause)
{
    cause->norm = find_op(&d->ops, OP_CLIP_FACTOR, -1);
    if (cause->norm == NULL)
        cause->norm = find_op(&d->ops, OP_SQRT, -1);
    if (cause->norm == NULL)
        return;
    Chain chain = chain_of(d->file->program, d->routine, cause->norm, 0, (ChainPart){0});
    cause->culprit = chain_reductions(&chain, chain_axes(&chain)).last;
    if (cause->code == P0310)
        cause->finding.axes = large_axes(d->program->decls, chain_axes(&chain));
}

Diagnostic *report_local_norm(Diagnose *d, const Cause *cause, Span primary)
{
    Diagnostic *r;
    if (cause->finding.kind == FINDING_PARTIAL || cause->finding.kind == FINDING_LATE) {
        r = diag_report(d->ctx->diag, P0309, primary, "the gradient norm is of local values only");
        diag_why(r,
                 "Every rank squares and sums what it holds; without the sum over '%s' ranks clip by different norms, "
                 "none of which is one device's.",
                 cause_axes(d, cause));
        return r;
    }
    r = diag_report(d->ctx->diag, P0309, primary, "the gradient norm is not of all gradients");
    diag_why(r, "One device's norm is of every gradient, each summed over the whole batch.");
    return r;
}

Diagnostic *report_norm_weight(Diagnose *d, const Cause *cause, Span primary)
{
    Rational ratio = cause->finding.ratio;
    bool less = ratio.numerator < ratio.denominator;
    Diagnostic *r = diag_report(d->ctx->diag, P0310, primary, "the gradient norm counts %s: %s one device's square",
                                less ? "too little" : "copies", ratio_text(d, ratio));
    diag_why(r, "%s",
             less ? "Each logical element counts once; "
                    "a mean over ranks that hold pieces counts it as a part of that."
                  : "Gradients that every rank holds whole are in the sum once per rank. "
                    "Each logical element counts once.");
    return r;
}
