/* saved.h - the layouts of checkpoints: `saved STATE LAYOUT`, as it was written, and `loaded STATE LAYOUT`, as it is
 * read.
 *
 * A layout becomes a map, position by position, of a state's elements (SavedMap); whether what is read is what was
 * written is the verifier's question.
 */
#ifndef PLACE_SEMA_SAVED_H
#define PLACE_SEMA_SAVED_H

#include "parser/ast.h"
#include "reference/train.h"

/* Of a train whose reference is complete: makes its maps. False where errors were reported. */
bool saved_read(Ctx *ctx, const AstNode *train_node, Train *train);

#endif
