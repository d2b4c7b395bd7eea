/* chain.h - traces a value back through sums, scales and moves to the operator that computed it. */
#ifndef PLACE_VERIFY_CHAIN_H
#define PLACE_VERIFY_CHAIN_H

#include "verify/cuts.h"

enum { CHAIN_MAX = 64 };

typedef struct Link {
    const Op *op;
    bool in_micro;
} Link;

/* Operators in program order. */
typedef struct Ops {
    int count;
    Link *link;
} Ops;

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

Ops ops_in_order(Arena *arena, const NodeList *nodes);

/* Does it combine what ranks have by a sum or maximum? */
bool op_reduces(OpKind kind);

/* Starts at operand `operand` of `op` and goes back in program order; inserted segments are left out. */
Chain chain_of(const Program *program, const Routine *routine, const Op *op, int operand, ChainPart part);

/* What in the chain reduces over one of `axes`: the last operator, the last one in a microbatch, how many. */
typedef struct Reductions {
    const Op *last, *in_micro;
    int count;
} Reductions;
Reductions chain_reductions(const Chain *chain, AxisMask axes);
const Op *chain_find(const Chain *chain, OpKind kind);
AxisMask reduced_axes(const Op *reduction);

#endif
