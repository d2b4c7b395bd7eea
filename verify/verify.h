/* verify.h - the proof: does the step program compute what one device computes?
 *
 *     Verdict verdict;
 *     bool right = verify_run(ctx, file, &verdict);       // errors were reported where it is false
 *
 * The reference goes first through the transfer functions, into one table of interned values; the program finds its
 * values there by congruence. Equality is demanded at outputs, at the gradient operand of every update, and of every
 * persistent buffer after every routine. docs/semantics.md has the definitions, what is trusted, and the rules by
 * whose name a right program may be refused.
 *
 * The verifier shares the step program's plain data and the operator table with the rest of the compiler, nothing
 * else: it includes base/, step/step.h and step/op.def only (make check-layers).
 */
#ifndef PLACE_VERIFY_VERIFY_H
#define PLACE_VERIFY_VERIFY_H

#include "step/step.h"

typedef struct Verdict {
    bool gradient_integrity;   /* the gradient operand of every update is one device's */
    bool state_consistency;    /* so is every persistent state, from the start and after every step */
    const char *contract;      /* "exact" */
    int64_t followed;          /* operators that were run for it, of both programs */
    Vec(const char *) assumed; /* what the proof takes for granted about the data, in words; in ctx->arena */
} Verdict;

/* Reports what is wrong to ctx->diag; true where nothing is. */
bool verify_run(Ctx *ctx, const StepFile *file, Verdict *verdict);

#endif
