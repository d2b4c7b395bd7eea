/* sema.h - the semantic pass: from the AST to what is trained, and how.
 *
 *     const Train *train;
 *     const Assignment *assignment;
 *     if (!sema_run(ctx, ast, &train, &assignment)) ...           // errors were reported
 *     StepFile *file = derive_step(ctx, train, assignment);       // derive/derive.h: the program of every rank
 *
 * sema_run resolves names, checks shapes and dtypes, builds the one-device reference (forward, backward by autodiff,
 * optimizer) and evaluates the strategy to an Assignment.
 */
#ifndef PLACE_SEMA_SEMA_H
#define PLACE_SEMA_SEMA_H

#include "parser/ast.h"
#include "reference/train.h"
#include "strategy/assign.h"

/* False if errors were reported. */
bool sema_run(Ctx *ctx, const Ast *ast, const Train **train, const Assignment **assignment);
/* The same; `all` has the declarations of the file and of what it imports. */
bool sema_run_all(Ctx *ctx, const Ast *ast, const Ast **all, const Train **train, const Assignment **assignment);

/* The program that was `read`, in which the mesh and the strategy are others, and nothing else is: `all` has these. Its
 * contracts would name axes: it has none. */
bool sema_run_again(Ctx *ctx, const Ast *all, const Train *read, const Train **train, const Assignment **assignment);

#endif
