/* gradients.h - which operators of the step read the gradients that updates use, and which state they update.
 *
 * The first operator of an update that reads a gradient finds it as the step left it: reduced and clipped, before the
 * optimizer adds anything. What it computes goes into a state, at once or through temporaries; the slot of that state
 * says which layer's gradient it is, and on which ranks.
 */
#ifndef PLACE_CODEGEN_GRADIENTS_H
#define PLACE_CODEGEN_GRADIENTS_H

#include "step/step.h"

typedef struct UsedGradient {
    const Op *op;
    int operand; /* index of the gradient operand */
    int tensor;  /* a member of a unit, or the parameter of a dense buffer; -1: a whole unit */
    bool found;  /* the state is known */
    Ref stored;  /* the slot of the state */
} UsedGradient;

typedef Vec(UsedGradient) UsedGradients;

UsedGradients gradients_used(Arena *arena, const Program *program);
/* A trainable parameter whose gradients are not used exactly once per layer; -1: there is none. */
int gradients_missing(Arena *arena, const Program *program, const UsedGradients *used);

#endif
