/* autodiff.h - appends to a routine the gradient of one of its values with respect to every trainable parameter.
 *
 * The forward operators are visited in reverse order; each appends the operators of its rule. The cotangent of a value
 * is created by its last use, and contributions of the other uses are added to it. Gradients are first filled with
 * zeros, then every use of a parameter adds its part, so that tied weights need no rule.
 */
#ifndef PLACE_REFERENCE_AUTODIFF_H
#define PLACE_REFERENCE_AUTODIFF_H

#include "reference/builder.h"

/* A part of the loss: weight times the sum of the elements of `terms`, only of those where `mask` is not 0; and, if the
 * part is a mean over them, times `inverse`, one divided by their number. */
typedef struct LossTerm {
    Ref terms;
    double weight;
    Ref mask, inverse; /* a buffer of -1 means none */
    bool mean;
} LossTerm;

/* The operators of the current routine so far are the forward part; the loss is the sum of these terms. The gradients
 * are those of the loss times `scale` (a scalar; a buffer of -1 means none). */
void autodiff_append_terms(Builder *b, const LossTerm *terms, int count, Ref scale);
/* The same for one term without a mask or scale. */
void autodiff_append(Builder *b, Ref terms, double weight);

#endif
