/* cause_unproved.c - values that an operator leaves without a meaning, or that are computed otherwise: P0320. */
#include "verify/cause.h"

/* What the operator cannot do, and the rule that forbids it. */
static const char *poison_text(PoisonKind kind)
{
    static const char *const text[] = {
        [POISON_SILENT] = "",
        [POISON_UNWRITTEN] = "Some ranks never wrote it.",
        [POISON_PARTIAL_OPERAND] = "It needs the sum, and every rank has only a part of it.",
        [POISON_PARTIAL_PRODUCT] = "A product of two sums is not the sum of the products of their parts "
                                   "(rule 'products of parts').",
        [POISON_PARTIAL_CUT] = "Each rank would take a piece of its own part of a sum (rule 'pieces of parts').",
        [POISON_CUT_REDUCED] = "It adds pieces that lie at different places.",
        [POISON_VARYING] = "Ranks hold different values, or values of different weight, here "
                           "(rule 'values of the rank').",
        [POISON_ZERO_EXTENT] = "Some rank has no element to divide by.",
        [POISON_PADDING] = "The padding after the unit's end is not known to be zero, and it is summed too.",
        [POISON_TIME] = "It mixes pieces of different microbatches (rule 'one microbatch').",
        [POISON_OVERFLOW] = "A weight does not fit 64 bits (rule 'size of weights').",
        [POISON_MOVED] = "It takes another rank's part of a sum, or piece of a value, for its own "
                         "(rule 'rotated pieces').",
        [POISON_MAXIMUM] = "A maximum over ranks is not followed (rule 'maxima').",
    };
    return text[kind];
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
