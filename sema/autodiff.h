/* autodiff.h - appends to a routine the gradient of one of its values with respect to every trainable parameter.
 *
 * The forward operators are run through backwards; each appends the operators of its rule. The
 * cotangent of a value is made by its last use, and where there are more uses the others are added to it. Gradients
 * are first filled with zeros, then every use of a parameter adds its part, so that tied weights need no rule.
 */
#ifndef PLACE_SEMA_AUTODIFF_H
#define PLACE_SEMA_AUTODIFF_H

#include "sema/build.h"

/* The operators of the current routine so far are the forward part. `terms` is what the loss sums: the loss is `weight`
 * times the sum over all elements of `terms`. */
void autodiff_append(Builder *b, Ref terms, double weight);

#endif
