/* cause_batch.c - what ranks read, count and start from: P0311, P0312, P0313. All routines share such a cause. */
#include "verify/cause.h"

Diagnostic *report_repeated(Diagnose *d, const Cause *cause, Span primary)
{
    const char *over = cause_axes(d, cause);
    Diagnostic *r = diag_report(d->ctx->diag, P0311, primary,
                                "ranks along '%s' read the same part of the batch as if it were their own", over);
    diag_why(r,
             "The batch is cut over '%s', but the coordinate on '%s' does not choose what is read: "
             "some examples count several times, others never.",
             over, over);
    return r;
}

Diagnostic *report_counts(Diagnose *d, const Cause *cause, Span primary)
{
    const char *over = cause_axes(d, cause);
    Diagnostic *r = diag_report(d->ctx->diag, P0312, primary, "means of unequal counts are averaged over '%s'", over);
    diag_why(r,
             "Ranks along '%s' do not have equally many examples; "
             "the mean of their means gives each example of a smaller part more weight. "
             "Sum, and divide by the count of all.",
             over);
    return r;
}

Diagnostic *report_seed(Diagnose *d, const Cause *cause, Span primary)
{
    const char *name = tensor_name(d, cause->fault), *more = others_text(d, cause);
    Diagnostic *r =
        cause->finding.axes != 0
            ? diag_report(d->ctx->diag, P0313, primary, "copies of '%s'%s start from different values along '%s'", name,
                          more, cause_axes(d, cause))
            : diag_report(d->ctx->diag, P0313, primary, "'%s'%s starts from other values than on one device", name,
                          more);
    diag_why(r, "Initial values depend on the seed; ranks that hold one parameter must draw the same numbers.");
    return r;
}
