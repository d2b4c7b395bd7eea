/* cause_gradient.c - gradients that are not one device's: P0301 to P0305, P0308, P0314. */
#include "verify/cause.h"

/* "gradient of 'wte' and of 2 more". */
static const char *gradient_text(const Diagnose *d, const Cause *cause)
{
    return arena_printf(d->ctx->arena, "gradient of '%s'%s", tensor_name(d, cause->fault), others_text(d, cause));
}

/* Some microbatches are in none of its parts. */
static Diagnostic *report_lacking(Diagnose *d, const Cause *cause, Span primary)
{
    const Finding *finding = &cause->finding;
    Diagnostic *r = diag_report(d->ctx->diag, P0301, primary, "%s lacks some microbatches", gradient_text(d, cause));
    diag_why(r, "Only microbatches %d to %d of %lld are in it when the optimizer reads it.", finding->low.constant,
             finding->high.constant - 1, (long long)d->program->decls->micro);
    return r;
}

Diagnostic *report_incomplete(Diagnose *d, const Cause *cause, Span primary)
{
    const char *over = cause_axes(d, cause);
    if (cause->finding.kind == FINDING_TIME)
        return report_lacking(d, cause, primary);
    Diagnostic *r =
        diag_report(d->ctx->diag, P0301, primary, "%s is incomplete on axis '%s'", gradient_text(d, cause), over);
    diag_primary_label(r, "partial over '%s': contributions not yet summed", over);
    diag_why(r,
             "Copies stay equal only if every rank applies the same update. "
             "Here each rank applies the gradient of its own %s, and the sum over '%s' is never taken.",
             cause->fault->apart != 0 ? "part of the model" : "examples", over);
    return r;
}

Diagnostic *report_twice(Diagnose *d, const Cause *cause, Span primary)
{
    Diagnostic *r = diag_report(d->ctx->diag, P0302, primary, "%s is reduced twice over axis '%s'",
                                gradient_text(d, cause), cause_axes(d, cause));
    diag_primary_label(r, "the sum was taken before");
    diag_why(r,
             "After the first sum every rank has the whole gradient; the second adds the copies: "
             "%s the gradient of one device.",
             ratio_text(d, cause->finding.ratio));
    return r;
}

/* The axes whose coordinates select the part of the batch that ranks read. */
static AxisMask read_axes(const Diagnose *d)
{
    const Op *read = find_op(&d->ops, OP_READ, -1);
    return read != NULL ? reduced_axes(read) : 0;
}

Diagnostic *report_weight(Diagnose *d, const Cause *cause, Span primary)
{
    const Finding *finding = &cause->finding;
    Diagnostic *r =
        diag_report(d->ctx->diag, P0303, primary, "%s is scaled wrongly: it is %s the single-device gradient",
                    gradient_text(d, cause), ratio_text(d, finding->ratio));
    if ((read_axes(d) & finding->axes) == 0 && finding->axes != 0 && finding->ratio.denominator == 1)
        diag_why(r, "Ranks along '%s' do not read parts of the batch but the same: their sum counts copies.",
                 cause_axes(d, cause));
    else
        diag_why(r,
                 "The contributions are all there, but their sum is multiplied by %s. "
                 "A loss that is divided by the count of the whole batch needs a sum over ranks; "
                 "one divided by each rank's own count needs a mean.",
                 number_text(d->ctx->arena, finding->ratio));
    return r;
}

Diagnostic *report_late(Diagnose *d, const Cause *cause, Span primary)
{
    const Finding *finding = &cause->finding;
    Diagnostic *r =
        diag_report(d->ctx->diag, P0304, primary, "%s: a contribution is added after the reduction over '%s'",
                    gradient_text(d, cause), cause_axes(d, cause));
    diag_why(r, "What is added from microbatch %d on stays on the rank that computed it.",
             finding->kind == FINDING_TIME ? finding->high.constant : finding->low.constant);
    return r;
}

Diagnostic *report_again(Diagnose *d, const Cause *cause, Span primary)
{
    const Decls *decls = d->program->decls;
    AxisMask reduced = large_axes(decls, reduced_axes(cause->culprit));
    Diagnostic *r = diag_report(d->ctx->diag, P0305, primary,
                                "%s: the accumulator is reduced again after every microbatch", gradient_text(d, cause));
    diag_why(r,
             "After the first microbatch the accumulator holds a sum over '%s'; "
             "every further sum adds the copies of what was summed before.",
             axes_text(d->ctx->arena, decls, reduced));
    return r;
}

Diagnostic *report_shard(Diagnose *d, const Cause *cause, Span primary)
{
    Diagnostic *r =
        diag_report(d->ctx->diag, P0308, primary, "%s is left sharded over '%s' where the optimizer reads it whole",
                    gradient_text(d, cause), cause_axes(d, cause));
    diag_why(r, "A rank has the sum for its own piece only; of the rest it has its own contribution.");
    return r;
}

Diagnostic *report_wrong_axis(Diagnose *d, const Cause *cause, Span primary)
{
    Diagnostic *r =
        diag_report(d->ctx->diag, P0314, primary, "%s is reduced over the wrong axis", gradient_text(d, cause));
    diag_why(r, "Its contributions lie along '%s'; along the axis that is summed here every rank has the same.",
             cause_axes(d, cause));
    return r;
}
