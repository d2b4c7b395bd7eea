/* ast_walk.h - shared by ast.c and build.c. */
#ifndef PLACE_PARSER_AST_WALK_H
#define PLACE_PARSER_AST_WALK_H

#include "parser/ast.h"

/* Computes `depth` and `damaged` from the children. */
void ast_measure(AstNode *node);

#endif
