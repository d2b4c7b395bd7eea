/* train.h - reads the train statement, its cluster and its mesh: all that is not the model and not the strategy. */
#ifndef PLACE_SEMA_TRAIN_H
#define PLACE_SEMA_TRAIN_H

#include "parser/resolve.h"
#include "reference/optimizer.h"
#include "reference/train.h"

/* The pieces of `train` that have a place here go into *train and *optimizer. False where errors were reported. */
bool train_read(Ctx *ctx, const AstNode *node, Train *train, Optimizer *optimizer);

/* The mesh's axes into train->decls, and the cluster it lies on. False where errors were reported; *axes_known tells
 * whether the axes are right nonetheless. */
bool mesh_read(Ctx *ctx, const Ast *ast, const AstNode *train_node, Train *train, bool *axes_known);

#endif
