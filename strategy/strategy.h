/* strategy.h - evaluates a strategy to an assignment.
 *
 *     Assignment *assignment = arena_make(ctx->arena, Assignment);
 *     if (!strategy_evaluate(ctx, ast, train, known, assignment)) ...      // errors were reported
 *
 * Needs train->decls (axes, groups, tensors, microbatches) and train->seed, and a train whose settings were checked
 * (sema/train.h); fills the assignment. A strategy is a set of placements, one per state, axis and selected parameters:
 *   - the file's declarations hide those of the prelude with the same name;
 *   - a more specific selector wins over a less specific one (longer path; then: named layers), in any order;
 *   - of equally specific statements of one strategy the later wins, but one that hides another entirely is an error;
 *   - equally specific statements of two factors of `*` about one state, axis and parameter are an error;
 *   - modes mean what their record says (strategy/mode.h); what is not mentioned is replicated.
 * The trainable parameters are then divided into units. All units of one group have the same layer ranges: where
 * anything changes from one layer to the next, every unit ends.
 */
#ifndef PLACE_STRATEGY_STRATEGY_H
#define PLACE_STRATEGY_STRATEGY_H

#include "parser/ast.h"
#include "reference/train.h"
#include "strategy/assign.h"

/* What was read without errors besides the strategy. If something is missing, the strategy is checked as far as it does
 * not depend on that, and not evaluated. */
typedef struct StrategyKnown {
    bool axes, settings, model;
} StrategyKnown;

/* `ast` holds the train statement and the user's declarations, including those of imported files. Strategies that the
 * train does not use are checked too: names, keywords and, in the train's own file, selectors; not what depends on
 * arguments. */
bool strategy_evaluate(Ctx *ctx, const Ast *ast, const Train *train, StrategyKnown known, Assignment *assignment);

#endif
