/* saved.h - the layouts of checkpoints: `saved STATE LAYOUT`, as they were written, and `loaded STATE LAYOUT`, as they
 * are read.
 *
 * A layout becomes a map, position by position, of a state's elements (SavedMap); the verifier decides whether what is
 * read is what was written.
 */
#ifndef PLACE_SEMA_SAVED_H
#define PLACE_SEMA_SAVED_H

#include "parser/ast.h"
#include "reference/train.h"
#include "step/step.h"

/* Makes the maps of a train whose reference is complete. False if errors were reported. */
bool saved_read(Ctx *ctx, const AstNode *train_node, const Train *train, SavedMaps *maps);

#endif
