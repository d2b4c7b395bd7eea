/* exact.h - what a strategy costs, to rounding, without deriving its program: where no rank waits for another, a step
 * takes what its parts take (docs/search.md, tests/unit/search_bounds.c).
 */
#ifndef PLACE_SEARCH_EXACT_H
#define PLACE_SEARCH_EXACT_H

#include "search/inner.h"

/* The seconds of a step: from the program on the same mesh that runs as few examples at a time as it can, which is
 * derived once for all microbatches and all that is recomputed; and from one microbatch on the ranks that divide
 * layers. False where that does not say it: stages wait for each other, and so do ranks with unequal parts; and of what
 * is served the results of all sequences are gathered, and batchnorm exchanges statistics. */
bool exact_seconds(Inners *inners, const Choice *choice, double *seconds);

#endif
