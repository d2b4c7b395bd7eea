/* walk.h - without running a routine: how often each of its operators runs on a rank, and what the rank holds. */
#ifndef PLACE_PLAN_WALK_H
#define PLACE_PLAN_WALK_H

#include "step/step.h"

/* The axes whose coordinates guards, bounds or holders use: ranks that differ only on other axes run and hold the
 * same. */
AxisMask walk_axes(const Program *program);

/* The next coordinates over these axes, the last fastest; after the last ones returns false and resets them to 0. */
bool walk_next_rank(const Decls *decls, AxisMask axes, int64_t *coordinates);

/* The coordinates on these axes as one number, the last fastest: of all axes the rank's. */
int64_t walk_place(const Decls *decls, AxisMask axes, const int64_t *coordinates);

/* Sets times[id] to the number of times that the operator runs on the rank; `times` has op_count entries. Loops
 * multiply; a loop is stepped through only if a guard or a bound below it uses its variable. */
void walk_count(const Program *program, const Routine *routine, const int64_t *coordinates, int64_t *times);

/* Of the trips of a loop around a guard, numbered from 0, those that pass it, if there its value is `start` at first.
 * If none does, the range is empty, and between the trips on this side of the guard's range and on that; if that is not
 * computed, because the value has a modulus or is always the same, it is of all trips. */
typedef struct TripRange {
    int64_t first, last;
} TripRange;

TripRange walk_passing(const Node *guard, int64_t start, const Node *loop, int64_t trips);

/* Does the rank have the buffer, and how many of its slots does it use? */
bool walk_holds(const Decls *decls, const Buffer *buffer, const int64_t *coordinates);
int64_t walk_slots(const Decls *decls, const Buffer *buffer, const int64_t *coordinates);

/* Floating-point operations of one run of `op` on the rank with the largest pieces: the flops column of op.def times
 * the iteration space. */
double op_flops(const Program *program, const Op *op);

/* Of an operator with a spec: how many values of each index take part, on the same rank; 0 if it has no such index. */
enum { OP_INDICES = 128 };
void op_extents(const Program *program, const Op *op, double extents[OP_INDICES]);

/* A matrix product or a convolution, not a pooling. */
bool op_is_product(const Op *op);

#endif
