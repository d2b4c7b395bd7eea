/* ast_walk.h - between ast.c and build.c. */
#ifndef PLACE_PARSER_AST_WALK_H
#define PLACE_PARSER_AST_WALK_H

#include "parser/ast.h"

/* 1 + the depth of the deepest child. */
int ast_measure_depth(const AstNode *node);

#endif
