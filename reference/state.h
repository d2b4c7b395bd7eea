/* state.h - states that a program declares beside those of the optimizer:
 *
 *     state ema { one per parameter; start parameters; update after optimizer : 0.999 * ema + 0.001 * parameters }
 *
 * Reads the declarations and appends what they say to the reference: buffers and initial values to "init", the updates
 * to "step", before or after the optimizer's. An update is an elementwise expression of states and numbers; what it
 * names is that parameter's, or a scalar.
 */
#ifndef PLACE_REFERENCE_STATE_H
#define PLACE_REFERENCE_STATE_H

#include "parser/ast.h"
#include "reference/build.h"

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
    int index; /* among the program's states, once they are declared */
} DeclaredState;
typedef Vec(DeclaredState) DeclaredStates;

/* Those of `ast`, in order. False where errors were reported. */
bool states_read(Ctx *ctx, const Ast *ast, DeclaredStates *states);

/* Declares them and appends what they start from to "init"; after the optimizer's. False where a name is taken. */
bool states_append_init(Builder *b, DeclaredStates *states);

/* Appends the updates that come before, or after, the optimizer's. False where errors were reported. */
bool states_append_step(Builder *b, const DeclaredStates *states, bool before_optimizer);

#endif
