/* gradient.h - how each operator is differentiated: the column `gradient` of step/op.def.
 *
 *     switch (op_gradient[kind].form) {
 *     case GRADIENT_BACKWARD: ...                // the gradient of operand a is op_gradient[kind].other
 *
 * A row of op.def without a gradient does not compile, and neither does one whose rule or operator does not exist, or
 * takes a different number of operands. The column is not in op_info: proofs about gradients use only what the
 * operators compute, and nothing that sees only the step program can ask how they were derived.
 */
#ifndef PLACE_REFERENCE_GRADIENT_H
#define PLACE_REFERENCE_GRADIENT_H

#include "step/operators.h"

typedef struct AutoDiff AutoDiff;

typedef enum GradientForm {
    GRADIENT_RULE = 1,  /* a function of its own */
    GRADIENT_BACKWARD,  /* operand a's is other(a, b, ..., cotangent) */
    GRADIENT_TRANSPOSE, /* linear in operand a, whose gradient is other(cotangent, b, ...) */
    GRADIENT_WITH,      /* part of the gradient of `other`, which must be its only reader */
    GRADIENT_NONE,      /* without operands, or constant in all of them except for jumps: nothing flows through it */
    GRADIENT_NEVER      /* never differentiated */
} GradientForm;

typedef struct Gradient {
    GradientForm form;
    OpKind other;
    void (*rule)(AutoDiff *ad);
    const char *jumps; /* the operands in which the result is constant except for jumps, "bc"; NULL: none */
} Gradient;

extern const Gradient op_gradient[OP_COUNT];

#endif
