/* optimizer_internal.h - shared by the files of the optimizers.
 *
 *     optimizer.c       arguments, states, clipping, the rate; rules that are elementwise or use sums per tensor
 *     optimizer_muon.c  the rule that works on whole matrices
 */
#ifndef PLACE_REFERENCE_OPTIMIZER_INTERNAL_H
#define PLACE_REFERENCE_OPTIMIZER_INTERNAL_H

#include "reference/optimizer.h"

/* What the update of one parameter works on. */
typedef struct Update {
    const Optimizer *optimizer;
    int first_state;   /* index of the rule's first per-parameter state */
    int updated_state; /* what is updated: the parameters or their master copies */
    Ref rate, correction1, correction2;
    Ref beta; /* of this step, for rules whose beta grows */
} Update;

/* Where the state with number `which` of the rule is stored for a parameter. */
Ref optimizer_state(const Builder *b, const Update *update, int which, int tensor);
/* An elementwise operator on buffers like `out`; an operand whose bit is set in `scalars` is a scalar. */
void optimizer_emit(Builder *b, OpKind kind, Ref out, unsigned scalars, const Ref *operands, const double *immediates,
                    int tensor);
/* AdamW; the means are the rule's states `first` and `first` + 1. */
void optimizer_update_with_means(Builder *b, const Update *update, int first, int tensor, double decay);

/* ---- optimizer_muon.c --------------------------------------------------------------------------------------- */

/* Bits: MUON_MATRICES is a parameter with several matrices side by side. */
enum { MUON_OTHER = 1, MUON_MATRIX = 2, MUON_MATRICES = 4 };
enum { MUON_MOMENTUM, MUON_MEANS };

/* MUON_MATRIX or MUON_MATRICES if the parameter is multiplied with activations in the forward pass. */
int muon_rule(const Builder *b, int tensor);
void muon_update(Builder *b, const Update *update, int tensor);

#endif
