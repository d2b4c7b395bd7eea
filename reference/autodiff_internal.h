/* autodiff_internal.h - what the files of differentiation share.
 *
 *     autodiff.c   runs through the forward part backwards: cotangents, loops, where the loss begins
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
    bool *active;              /* per buffer: it depends on a trainable parameter, and the loss on it */
    Vec(Cotangent) cotangents; /* of values that are not parameters */
    NodeList forward;          /* the forward part */
    const Node *loop;          /* the forward loop whose backward loop is open, or NULL */
    const Op *op;              /* the current forward operator */
    Ref out;                   /* the cotangent of its result */
    unsigned given, covered; /* its operands that got a contribution, and those whose makers have theirs in it: bits */
    const char *spec_operand[STEP_MAX_OPERANDS], *spec_result; /* its spec, taken apart */
};

/* Whether operand `i` of the current operator has a cotangent. */
bool autodiff_wants(const AutoDiff *ad, int i);
/* A buffer for the cotangent of a value. */
Ref autodiff_new_cotangent(AutoDiff *ad, Ref forward);
/* A place of the forward pass, seen from the backward loop: its variable for the forward loop's. */
Ref autodiff_seen_from_backward(const AutoDiff *ad, Ref ref);
/* Appends an operator whose result is a contribution to the cotangent of operand `i`. */
Op *autodiff_contribute(AutoDiff *ad, int i, OpKind kind, const char *spec, const Ref *operands);
/* The cotangent of the result is a contribution to that of operand `i`, as it is. */
void autodiff_pass_on(AutoDiff *ad, int i);

/* What the current operator contributes to the cotangents of its operands. */
void gradient_apply(AutoDiff *ad);

#endif
