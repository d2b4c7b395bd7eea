/* autodiff_internal.h - shared by the files of differentiation.
 *
 *     autodiff.c   visits the forward part in reverse: cotangents, loops, where the loss begins
 *     gradient.c   the gradients of the operators
 */
#ifndef PLACE_REFERENCE_AUTODIFF_INTERNAL_H
#define PLACE_REFERENCE_AUTODIFF_INTERNAL_H

#include "reference/autodiff.h"
#include "reference/gradient.h"

typedef struct Cotangent {
    Ref forward, place;
} Cotangent;

struct AutoDiff {
    Builder *b;
    bool *active;              /* per buffer: it depends on a trainable parameter, and the loss depends on it */
    Vec(Cotangent) cotangents; /* for values that are not parameters */
    NodeList forward;          /* the forward part */
    const Node *loop;          /* the forward loop whose backward loop is open, or NULL */
    const Op *op;              /* the current forward operator */
    Ref out;                   /* the cotangent of its result */
    unsigned given, covered;   /* bits: its operands that got a contribution, and those whose producers' contribution is
                                  in it */
    const char *spec_operand[STEP_MAX_OPERANDS], *spec_result; /* its spec, split into parts */
};

/* Does operand `i` of the current operator have a cotangent? */
bool autodiff_wants(const AutoDiff *ad, int i);
/* A buffer for the cotangent of a value. */
Ref autodiff_new_cotangent(AutoDiff *ad, Ref forward);
/* A reference of the forward pass, as seen from the backward loop: with its variable instead of the forward loop's. */
Ref autodiff_seen_from_backward(const AutoDiff *ad, Ref ref);
/* Appends an operator whose result is a contribution to the cotangent of operand `i`. */
Op *autodiff_contribute(AutoDiff *ad, int i, OpKind kind, const char *spec, const Ref *operands);
/* The cotangent of the result is a contribution to that of operand `i`, as it is. */
void autodiff_pass_on(AutoDiff *ad, int i);

/* What the current operator contributes to the cotangents of its operands. */
void gradient_apply(AutoDiff *ad);

#endif
