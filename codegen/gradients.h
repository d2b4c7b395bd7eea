/* gradients.h - which operators of the step read the gradients that the updates use, and of which layer they are.
 *
 * The first operator of an update that reads a gradient reads it as the step left it: reduced and clipped, before the
 * optimizer adds anything. What it reads may be a temporary with one slot for all layers; the layer is then that of the
 * operand that the temporary was made from.
 */
#ifndef PLACE_CODEGEN_GRADIENTS_H
#define PLACE_CODEGEN_GRADIENTS_H

#include "step/step.h"

typedef struct UsedGradient {
    const Op *op;
    int operand;         /* which of it */
    int tensor;          /* a member of a unit, or a dense buffer's parameter; -1: a whole unit */
    int64_t first_layer; /* of the unit; 0 where there is none */
    int64_t layers;
    bool has_layer; /* else nothing says which layer it is */
    Affine slot;    /* the layer, counted from first_layer */
} UsedGradient;

typedef Vec(UsedGradient) UsedGradients;

UsedGradients gradients_used(Arena *arena, const Program *program);
/* A trainable parameter of which not every layer's gradient is among them once; -1: there is none. */
int gradients_missing(Arena *arena, const Program *program, const UsedGradients *used);

#endif
