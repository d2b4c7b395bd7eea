/* fact.h - what a scalar program commutes with: the facts behind signatures, derived from the body in step/op.def, so a
 * new operator gets them automatically.
 *
 * `of` is a set of operands (bit i: operand i) that vary while the others are held fixed. Facts follow from the
 * structure of the body and hold for any value of immediates and of fixed operands; what holds for some values only is
 * not found.
 */
#ifndef PLACE_ALGEBRA_FACT_H
#define PLACE_ALGEBRA_FACT_H

#include "algebra/placement.h"
#include "step/body.h"

typedef enum Linearity {
    LINEARITY_ZERO,     /* 0 for any operands */
    LINEARITY_CONSTANT, /* does not depend on the set */
    LINEARITY_LINEAR,   /* jointly linear in the set: partial sums pass */
    LINEARITY_AFFINE,   /* linear plus a constant: partial averages pass */
    LINEARITY_NONE
} Linearity;

Linearity fact_linearity(const Kernel *kernel, unsigned of);

/* With the operands `max_of` partial by max and `min_of` partial by min: is the result partial by max or min, and by
 * which (*result)? True for monotone functions of one operand, and for those that pick (max2, where). */
bool fact_extremum(const Kernel *kernel, unsigned max_of, unsigned min_of, PartialOp *result);

/* For a row function whose row is cut and not in the result: the op that combines the parts; avg only if the parts are
 * equally long. False if they cannot be combined. */
bool fact_row_parts(const Kernel *kernel, PartialOp *op);

/* Does it have row functions, or use its position? Then a row that is in the result must not be cut. */
bool fact_needs_row(const Kernel *kernel);

#endif
