/* cause_output.c - losses, norms and logits that are not one device's: P0315. */
#include "verify/cause.h"

#include "verify/fix.h"

#include <string.h>

bool is_derived_loss(const Diagnose *d, const Cause *cause)
{
    const Op *sum = cause->culprit;
    const char *output = cause->fault->op != NULL ? op_output(cause->fault->op) : NULL;
    return cause->code == P0315 && cause->finding.kind == FINDING_WEIGHT && output != NULL &&
           strcmp(output, "loss") == 0 && sum != NULL && fix_local_weight(&d->ops) != NULL &&
           !span_equal(sum->span, d->program->program->buffers.data[sum->out.buffer].span);
}

Diagnostic *report_output(Diagnose *d, const Cause *cause, Span primary)
{
    const char *name = cause->fault->op->output;
    if (cause->fault->kind == FAULT_MISSING)
        return diag_report(d->ctx->diag, P0315, primary, "'%s' is never given", name);
    Diagnostic *r = diag_report(d->ctx->diag, P0315, primary, "'%s' differs from one device's", name);
    if (cause->finding.kind == FINDING_PARTIAL)
        diag_why(r, "Every rank gives only its own part; the sum over '%s' is never taken.", cause_axes(d, cause));
    else if (cause->finding.kind == FINDING_WEIGHT)
        diag_why(r, "It is %s one device's.", ratio_text(d, cause->finding.ratio));
    return r;
}
