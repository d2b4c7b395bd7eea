/* walk.h - how often each operator of a routine runs on one rank, without running it. */
#ifndef PLACE_PLAN_WALK_H
#define PLACE_PLAN_WALK_H

#include "sema/step.h"

/* Called once per operator of the tree with how often it runs (0 where a guard never lets it). */
typedef void WalkVisit(void *context, const Op *op, int64_t times);

/* Loops multiply; a loop is stepped through only if a guard below it asks for its variable. Guards and bounds that ask
 * for a coordinate are taken on rank 0. */
void walk_routine(const Routine *routine, WalkVisit *visit, void *context);

/* Floating-point operations of one run of `op` on the rank with the largest pieces: the flops column of op.def times
 * the iteration space. */
double op_flops(const Program *program, const Op *op);

#endif
