/* chain.h - traces a value back through sums, scales and moves to the operator that computed it. */
#ifndef PLACE_VERIFY_CHAIN_H
#define PLACE_VERIFY_CHAIN_H

#include "verify/cuts.h"

enum { CHAIN_MAX = 64 };

typedef struct Link {
    const Op *op;
    bool in_micro;
} Link;

typedef struct Chain {
    int count;
    Link link[CHAIN_MAX]; /* from the reader backwards */
    const Op *source;     /* the first operator on the way back that computes */
} Chain;

/* Which elements of a fused dim are meant, and of which tensor; end 0: all elements, any tensor. */
typedef struct ChainPart {
    int tensor;
    int64_t first, end;
} ChainPart;

/* Starts at operand `operand` of `op` and goes back in program order; inserted segments are left out. */
Chain chain_of(const Program *program, const Routine *routine, const Op *op, int operand, ChainPart part);

/* The last operator in the chain that reduces over one of `axes`. `count`: how many do; `in_micro`: whether one does so
 * in every microbatch. */
const Op *chain_reduction(const Chain *chain, AxisMask axes, int *count, bool *in_micro);
const Op *chain_find(const Chain *chain, OpKind kind);
AxisMask reduced_axes(const Op *reduction);

#endif
