/* statements.h - what a program states explicitly, and placec does without question: syncs, readers, seeds of ranks,
 * layouts of checkpoints. Everything else in a derived program is placec's own choice.
 *
 *     if (statements_given(assignment)) ...                       // what the verifier refuses may be the user's
 *     Assignment rest = statements_forgotten(assignment);         // and this one has none of them
 */
#ifndef PLACE_STRATEGY_STATEMENTS_H
#define PLACE_STRATEGY_STATEMENTS_H

#include "strategy/assign.h"

bool statements_given(const Assignment *assignment);
/* With everything that was stated left to derivation, as if it had not been stated; shares the lists of the original.
 */
Assignment statements_forgotten(const Assignment *assignment);

#endif
