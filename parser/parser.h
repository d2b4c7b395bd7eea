/* parser.h - text to syntax tree.
 *
 * Reports every syntax error it finds and returns what it understood: only the diagnostic count tells whether a file is
 * right.
 */
#ifndef PLACE_PARSER_PARSER_H
#define PLACE_PARSER_PARSER_H

#include "parser/ast.h"

#include <stdio.h>

/* Never NULL. `source` is an index into ctx->sources. */
Ast *parser_run(Ctx *ctx, int source);

/* The embedded prelude: that of the context, or added to its sources as "<prelude>". */
Ast *parser_run_prelude(Ctx *ctx);

/* Prints --dump=ast: one node per line, indented; equal files print equally. */
void ast_print(const Ast *ast, FILE *out);

#endif
