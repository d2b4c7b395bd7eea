/* gradients.h - which operators of the step read the gradients that updates use, and for which layer.
 *
 * The first operator of an update that reads a gradient finds it as the step left it: reduced and clipped, before the
 * optimizer adds anything. It may read a temporary with one slot for all layers; the layer is then that of the operand
 * from which the temporary was computed.
 */
#ifndef PLACE_CODEGEN_GRADIENTS_H
#define PLACE_CODEGEN_GRADIENTS_H

#include "step/step.h"

typedef struct UsedGradient {
    const Op *op;
    int operand;         /* index of the gradient operand */
    int tensor;          /* a member of a unit, or the parameter of a dense buffer; -1: a whole unit */
    int64_t first_layer; /* of the unit; 0 if there is none */
    int64_t layers;
    bool has_layer; /* false: the layer is unknown */
    Affine slot;    /* the layer, counted from first_layer */
} UsedGradient;

typedef Vec(UsedGradient) UsedGradients;

UsedGradients gradients_used(Arena *arena, const Program *program);
/* A trainable parameter whose gradients are not used exactly once per layer; -1: there is none. */
int gradients_missing(Arena *arena, const Program *program, const UsedGradients *used);

#endif
