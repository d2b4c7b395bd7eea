/* statements.h - what a program says literally, and placec does without asking: synchronisations, readers, seeds of
 * ranks, layouts of checkpoints. Everything else of a derived program is placec's own choice.
 *
 *     if (statements_given(train)) ...     // what the verifier refuses may be the user's
 *     statements_forget(train);            // and this train has none of them
 */
#ifndef PLACE_STRATEGY_STATEMENTS_H
#define PLACE_STRATEGY_STATEMENTS_H

#include "reference/train.h"
#include "strategy/assign.h"

bool statements_given(const Train *train);
/* Before it is derived: all that was said is derived, or as if it had not been said. */
void statements_forget(Train *train);

#endif
