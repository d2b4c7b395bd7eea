/* fact.h - what a scalar program commutes with: the facts that signatures are made of, read off the body that
 * step/op.def gives, so that an operator that is added has them.
 *
 * `of` is a set of operands (bit i: operand i) that vary while the others are held fixed. Facts are about the shape of
 * the body, for any value of immediates and of fixed operands: what holds for some values only is not found.
 */
#ifndef PLACE_ALGEBRA_FACT_H
#define PLACE_ALGEBRA_FACT_H

#include "algebra/placement.h"
#include "step/body.h"

typedef enum Linearity {
    LINEARITY_ZERO,     /* 0 whatever the operands */
    LINEARITY_CONSTANT, /* does not depend on the set */
    LINEARITY_LINEAR,   /* jointly linear in the set: partial sums pass */
    LINEARITY_AFFINE,   /* linear but for a constant: partial averages pass */
    LINEARITY_NONE
} Linearity;

Linearity fact_linearity(const Kernel *kernel, unsigned of);

/* With the operands `max_of` partial by max and `min_of` partial by min, whether the result is partial by max or min,
 * and which: *result. True for increasing and decreasing functions of one operand, and for those that pick (max2,
 * where). */
bool fact_extremum(const Kernel *kernel, unsigned max_of, unsigned min_of, PartialOp *result);

/* A row function whose row is cut, the row not in the result: by which op the parts make the whole. avg: if the parts
 * are equally long. False where they do not. */
bool fact_row_parts(const Kernel *kernel, PartialOp *op);

/* Whether it has row functions, or looks at its position: then a row that is in the result may not be cut. */
bool fact_needs_row(const Kernel *kernel);

#endif
