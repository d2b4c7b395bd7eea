/* interp.h - runs a one-device reference program in f64, slowly and plainly: the result that compiled programs must
 * match.
 *
 * Every value is a double, whatever its dtype; kernels are evaluated from step/op.def. Buffers, including the states,
 * start as zero and keep their values from run to run. Where the reference is that of copies of the one device (axes of
 * copies, step.h), all of them run, and whatever is given or asked has the values of one copy after another's.
 *
 *     Interp *interp = interp_new(arena, train->reference);
 *     interp_input(interp, "tokens", tokens, count);
 *     interp_run(interp, ROUTINE_INIT);
 *     interp_run(interp, ROUTINE_STEP);
 *     double loss = interp_output(interp, "loss", NULL)[0];
 *     double *w = interp_buffer(interp, "parameters.wte.table", &elements);
 */
#ifndef PLACE_STEP_INTERP_H
#define PLACE_STEP_INTERP_H

#include "step/step.h"

typedef struct Interp Interp;

Interp *interp_new(Arena *arena, const Program *reference);

/* The values that `read` of this tensor gives from now on; not copied, and as many as its buffer holds. */
void interp_input(Interp *interp, const char *tensor, const double *values, int64_t count);

void interp_run(Interp *interp, RoutineKind routine);

/* A buffer's values, slot after slot; *elements: the count over all slots. NULL if there is no such buffer. */
double *interp_buffer(Interp *interp, const char *name, int64_t *elements);

/* The values last output under a name; NULL if there were none. */
const double *interp_output(const Interp *interp, const char *name, int64_t *elements);

#endif
