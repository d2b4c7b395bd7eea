/* cause_copies.c - copies that are joined, or not joined, against the contract: P0360, P0361. */
#include "verify/cause.h"

/* "the gradient of 'head.weight' and of 2 more". */
static const char *fault_text(const Diagnose *d, const Cause *cause)
{
    const Fault *fault = cause->fault;
    if (fault->kind == FAULT_OUTPUT)
        return arena_printf(d->ctx->arena, "'%s'", fault->op->output);
    const char *what = fault->kind == FAULT_GRADIENT ? "the gradient"
                                                     : arena_printf(d->ctx->arena, "state '%s'",
                                                                    d->program->decls->states.data[fault->state].name);
    return arena_printf(d->ctx->arena, "%s of '%s'%s", what, tensor_name(d, fault), others_text(d, cause));
}

Diagnostic *report_joined(Diagnose *d, const Cause *cause, Span primary)
{
    const char *over = cause_axes(d, cause);
    Diagnostic *r = diag_report(d->ctx->diag, P0360, primary, "%s is summed over '%s', whose ranks are copies apart",
                                fault_text(d, cause), over);
    diag_why(r,
             "Each copy along '%s' follows one device's program on a batch of its own; "
             "they meet only where the contract joins them.",
             over);
    return r;
}

Diagnostic *report_not_joined(Diagnose *d, const Cause *cause, Span primary)
{
    const char *over = cause_axes(d, cause);
    Diagnostic *r = diag_report(d->ctx->diag, P0361, primary, "%s is not joined over '%s'", fault_text(d, cause), over);
    diag_why(r, "The contract makes it of what all copies along '%s' have; here it is each copy's own.", over);
    return r;
}
