/* stated.h - the cheapest plan of DistPar as a program: its statements in the place of the strategy, compiled, proved,
 * and costed once more.
 *
 *     infer_run(ctx, train, assignment, choices, &(InferAsked){.axis = axis, .name = name}, &inferred);
 *     const char *text = stated_program(compile, axis, &inferred);       // NULL: inferred.failure says why not
 */
#ifndef PLACE_LIBRARY_STATED_H
#define PLACE_LIBRARY_STATED_H

#include "distpar/infer.h"
#include "library/compile.h"

/* Of a program with choices. The text is in its arena; inferred->stated is what it is and costs. */
const char *stated_program(const Compile *compile, const char *axis, Inferred *inferred);

#endif
