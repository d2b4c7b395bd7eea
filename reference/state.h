/* state.h - states that a program declares in addition to those of the optimizer:
 *
 *     state ema { one per parameter; start parameters; update after optimizer : 0.999 * ema + 0.001 * parameters }
 *
 * Reads the declarations and appends to the reference: buffers and initial values to "init", the updates to "step",
 * before or after the optimizer's. An update is an elementwise expression of states and numbers; the states that it
 * names are those of the same parameter, or scalars.
 */
#ifndef PLACE_REFERENCE_STATE_H
#define PLACE_REFERENCE_STATE_H

#include "parser/ast.h"
#include "reference/builder.h"

typedef struct DeclaredState {
    AstName name;
    Span span;
    bool per_parameter; /* otherwise one number */
    bool has_dtype;
    DType dtype;
    bool from_parameters; /* starts as the parameter's value, otherwise as `start` */
    double start;
    bool before_optimizer;
    const AstNode *update;
    int index; /* in the program's states, once declared */
} DeclaredState;
typedef Vec(DeclaredState) DeclaredStates;

/* The declarations of `ast`, in order. False if errors were reported. */
bool states_read(Ctx *ctx, const Ast *ast, DeclaredStates *states);

/* Declares them and appends their initial values to "init", after the optimizer's. False if a name is taken. */
bool states_append_init(Builder *b, DeclaredStates *states);

/* Appends the updates that come before, or after, the optimizer's. False if errors were reported. */
bool states_append_step(Builder *b, const DeclaredStates *states, bool before_optimizer);

#endif
