/* chain.h - the way of a value back through sums, scales and moves to where it was computed. */
#ifndef PLACE_VERIFY_CHAIN_H
#define PLACE_VERIFY_CHAIN_H

#include "verify/value.h"

enum { CHAIN_MAX = 64 };

typedef struct Link {
    const Op *op;
    bool in_micro;
} Link;

typedef struct Chain {
    int count;
    Link link[CHAIN_MAX]; /* from the reader back */
    const Op *source;     /* the first operator that computes into it */
} Chain;

/* Of which elements of a fused dim it is, and of which tensor; end 0: of all, of any. */
typedef struct ChainPart {
    int tensor;
    int64_t first, end;
} ChainPart;

/* From operand `operand` of `op` back, in the order of the program's text; segments put in elsewhere are left out. */
Chain chain_of(const Program *program, const Routine *routine, const Op *op, int operand, ChainPart part);

/* The last operator of the chain that reduces over one of `axes`; how many do, and whether one does in every
 * microbatch. */
const Op *chain_reduction(const Chain *chain, AxisMask axes, int *count, bool *in_micro);
const Op *chain_find(const Chain *chain, OpKind kind);
AxisMask reduced_axes(const Op *reduction);

#endif
