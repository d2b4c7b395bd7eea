/* cause_unproved.c - values that an operator leaves without a meaning, or that are computed otherwise: P0320. */
#include "verify/cause.h"

/* What the operator cannot do, and the rule that forbids it. */
static const char *poison_text(PoisonKind kind)
{
    static const char *const texts[] = {
#define POISON(id, doubt, text, example) text,
#include "verify/poison.def"
#undef POISON
    };
    return texts[kind];
}

Diagnostic *report_unproved(Diagnose *d, const Cause *cause, Span primary)
{
    Diag *diag = d->ctx->diag;
    const Fault *fault = cause->fault;
    const Finding *finding = &cause->finding;
    Diagnostic *r;
    if (fault->kind == FAULT_OUTPUT && finding->poison != NULL)
        r = diag_report(diag, P0320, primary, "'%s' cannot be proved equal to one device's", fault->op->output);
    else
        r = diag_report(diag, P0320, primary, "%s of '%s'%s cannot be proved equal to one device's",
                        fault->kind == FAULT_GRADIENT || finding->poison == NULL ? "gradient" : "state",
                        tensor_name(d, fault), others_text(d, cause));
    if (finding->poison != NULL)
        diag_why(r, "%s", poison_text(finding->poison->kind));
    else
        diag_why(r, finding->kind == FINDING_GUARDED
                        ? "Only some ranks take part in it."
                        : "It is computed by other operators, or from other values, than on one device.");
    return r;
}
