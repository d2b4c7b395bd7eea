/* statements.h - what a program states explicitly, and placec does without question: syncs, readers, seeds of ranks,
 * layouts of checkpoints. Everything else in a derived program is placec's own choice.
 *
 *     if (statements_given(train)) ...     // what the verifier refuses may be the user's
 *     statements_forget(train);            // and this train has none of them
 */
#ifndef PLACE_STRATEGY_STATEMENTS_H
#define PLACE_STRATEGY_STATEMENTS_H

#include "reference/train.h"
#include "strategy/assign.h"

bool statements_given(const Train *train);
/* Before the program is derived: everything that was stated is derived instead, as if it had not been stated. */
void statements_forget(Train *train);

#endif
