/* queues.h - queues of rows, and what is zero in their empty places: for derivation, passes and the plan. The verifier
 * has rules of its own. */
#ifndef PLACE_STEP_QUEUES_H
#define PLACE_STEP_QUEUES_H

#include "step/step.h"

bool op_is_queue(const Op *op);

/* How many rows the queues choose from, if half of their places or more stay empty whatever they choose, so that it is
 * worth while to count; else 0. */
int64_t queue_rows_with_room(const Program *program, const Op *queue);

/* The part of the places that rows fill if all queues get equally many. */
double queue_share(const Program *program, const Op *queue);

/* Do operand and result begin with the dims of the queues, of which there are `dims`, and does no row of values that
 * are computed together run through several places? */
bool op_keeps_places(const Op *op, int operand, int dims);

/* Is the result zero in a place if these operands are, as bits, and the operator works on each place alone? */
bool op_is_zero_with(OpKind kind, unsigned operands);

#endif
