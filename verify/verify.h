/* verify.h - the proof: does the step program compute what one device computes?
 *
 *     Verdict verdict;
 *     bool right = verify_run(ctx, file, &verdict);       // if false, errors were reported
 *
 * The reference is run first through the transfer functions, into one table of interned values; the program finds its
 * values there by congruence. Equality is demanded of outputs, of the gradient operand of every update, and of every
 * persistent buffer after every routine. docs/semantics.md has the definitions, what is trusted, and the rules under
 * which a right program may be refused.
 *
 * The verifier shares only the step program's plain data and its tables of operators and collectives with the rest of
 * the compiler (make check-layers). Where to look:
 *
 *     what a cell holds           combo.h, of term.h, value.h, decomp.h, weight.h, arc.h; made once each: table.h
 *     shapes and layouts          prepare.h, one prepare_... for each kind of operator; view.h, cuts.h
 *     what an operator computes   transfer.h, one transfer_... for each kind of rule
 *     running it on all ranks     machine.h; machine_internal.h says which machine_... does what
 *     where equality is demanded  demand.h; copies.h, checkpoint.h and rows.h refuse what is not followed
 *     order, events and memory    schedule.h, meeting.h
 *     why it differs, in words    diagnose.h, with cause.h, finding.h, fix.h, witness.h, example.h: nothing is proved
 */
#ifndef PLACE_VERIFY_VERIFY_H
#define PLACE_VERIFY_VERIFY_H

#include "step/step.h"

typedef struct Verdict {
    bool gradient_integrity;   /* the gradient operand of every update is one device's */
    bool state_consistency;    /* so is every persistent state, initially and after every step */
    const char *contract;      /* "exact" */
    int64_t followed;          /* operators run for it, in both programs */
    Vec(const char *) assumed; /* what the proof assumes about the data, in words; in ctx->arena */
} Verdict;

/* Reports what is wrong to ctx->diag; true if nothing is. */
bool verify_run(Ctx *ctx, const StepFile *file, Verdict *verdict);

#endif
