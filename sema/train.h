/* train.h - reads the train statement, its cluster and its mesh: everything but the model and the strategy. */
#ifndef PLACE_SEMA_TRAIN_H
#define PLACE_SEMA_TRAIN_H

#include "parser/resolve.h"
#include "reference/optimizer.h"
#include "reference/train.h"

/* Reads the settings of `train` into *train and *optimizer. False if errors were reported. */
bool train_read(Ctx *ctx, const AstNode *node, Train *train, Optimizer *optimizer);

/* Reads the mesh's axes into train->decls, and the cluster. False if errors were reported; *axes_known says whether the
 * axes are right nonetheless. */
bool mesh_read(Ctx *ctx, const Ast *ast, const AstNode *train_node, Train *train, bool *axes_known);

/* cluster.c: false where errors were reported. */
bool cluster_read(Ctx *ctx, const AstNode *node, Cluster *cluster);

#endif
