/* body.h - the scalar programs of the operators: the column `body` of step/op.def, parsed.
 *
 * A kernel is a list of nodes in evaluation order: every node comes after its arguments, names of earlier statements
 * are already replaced by their nodes, and the last node computed is `result`. An evaluator keeps one value per node:
 *
 *     const Kernel *kernel = kernel_parse(arena, OP_GELU);
 *     for (int i = 0; i < kernel->node_count; i++)
 *         value[i] = ...;                       // leaves by kind and index, the rest by kernel_apply
 *     y = value[kernel->result];
 *
 * In a row kernel the row functions (kernel_is_row_function) have one value per row. They are evaluated in order: row
 * function r needs, at every position of the row, the earlier nodes that are not row functions themselves; its argument
 * is then summed, maximised, or taken at one position. docs/kernels.md describes the language.
 */
#ifndef PLACE_STEP_BODY_H
#define PLACE_STEP_BODY_H

#include "step/step.h"

/* The functions and operators that compute a node from its arguments' values: KIND, name in the text (NULL: an infix or
 * prefix operator), number of arguments. A comparison gives 1 or 0; `where` takes its second argument if the first is
 * not 0. */
#define KERNEL_FUNCTIONS(FUNCTION)                                                                                     \
    FUNCTION(ADD, NULL, 2)                                                                                             \
    FUNCTION(SUB, NULL, 2)                                                                                             \
    FUNCTION(MUL, NULL, 2)                                                                                             \
    FUNCTION(DIV, NULL, 2)                                                                                             \
    FUNCTION(NEGATE, NULL, 1)                                                                                          \
    FUNCTION(LESS, NULL, 2)                                                                                            \
    FUNCTION(LESS_EQUAL, NULL, 2)                                                                                      \
    FUNCTION(GREATER, NULL, 2)                                                                                         \
    FUNCTION(GREATER_EQUAL, NULL, 2)                                                                                   \
    FUNCTION(EQUAL, NULL, 2)                                                                                           \
    FUNCTION(WHERE, "where", 3)                                                                                        \
    FUNCTION(MIN, "min", 2)                                                                                            \
    FUNCTION(MAX2, "max2", 2)                                                                                          \
    FUNCTION(EXP, "exp", 1)                                                                                            \
    FUNCTION(LOG, "log", 1)                                                                                            \
    FUNCTION(SQRT, "sqrt", 1)                                                                                          \
    FUNCTION(RSQRT, "rsqrt", 1)                                                                                        \
    FUNCTION(TANH, "tanh", 1)                                                                                          \
    FUNCTION(COS, "cos", 1)                                                                                            \
    FUNCTION(POW, "pow", 2)                                                                                            \
    FUNCTION(MIX, "mix", 2)                                                                                            \
    FUNCTION(ROW_SUM, "sum", 1)                                                                                        \
    FUNCTION(ROW_MAX, "max", 1)                                                                                        \
    FUNCTION(ACROSS, "across", 1)

typedef enum KernelKind {
    KERNEL_NUMBER,    /* `number`, which may be infinite */
    KERNEL_OPERAND,   /* operand `index` at this element */
    KERNEL_IMMEDIATE, /* immediate `index` of the operator */
    KERNEL_SCALE,     /* the operator's scale, as a number */
    KERNEL_COL,       /* the position in the row, from 0 */
    KERNEL_COLS,      /* the row's length */
#define FUNCTION(kind, name, arguments) KERNEL_##kind,
    KERNEL_FUNCTIONS(FUNCTION)
#undef FUNCTION
        KERNEL_KIND_COUNT
} KernelKind;

typedef struct KernelNode {
    KernelKind kind;
    double number;
    int index;
    int argument_count;
    int argument[3]; /* indices of earlier nodes */
} KernelNode;

typedef struct Kernel {
    OpKind op;
    int node_count;
    KernelNode *nodes;
    int result;             /* the node that is y */
    int row_function_count; /* including `across`; 0: elementwise */
} Kernel;

/* The kernel of an operator; NULL if op.def gives no body. A body that does not parse is a BUG. */
const Kernel *kernel_parse(Arena *arena, OpKind op);

/* The same for a given body: `operands` operands a, b, ...; `immediates` are names separated by spaces. */
const Kernel *kernel_parse_body(Arena *arena, OpKind op, const char *body, int operands, const char *immediates);

static inline bool kernel_is_row_function(KernelKind kind)
{
    return kind == KERNEL_ROW_SUM || kind == KERNEL_ROW_MAX;
}

/* The value of a node that is neither a leaf nor a row function, from its arguments' values. */
double kernel_apply(KernelKind kind, const double *x);

/* "exp", "sum", ...; "+", "<=", ... for infix operators; NULL for leaves. */
const char *kernel_kind_name(KernelKind kind);

#endif
