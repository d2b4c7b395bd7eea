/* operators.h - the operators of the step program, and what every stage may know of them: the tables step/op.def and
 * step/collective.def.
 *
 * Two columns of op.def are not among it: how an operator is differentiated (reference/gradient.h), and called in
 * models (reference/model_call.h). That is for those who derive programs; who checks or prints them cannot ask.
 *
 * A class whose rows have a body (MAP, ROW, SUM) says all: its operators are treated alike. What an operator of another
 * class does is in no column. A stage that meets one says so for each of them, in a switch over the operators of its
 * class and without `default`, so that an operator which is added does not compile before it has a rule:
 *
 *     switch (op_source(op->kind)) {
 *     case SOURCE_FILL: ...
 */
#ifndef PLACE_STEP_OPERATORS_H
#define PLACE_STEP_OPERATORS_H

#include <stdbool.h>

typedef enum OpKind {
#define OP(id, ...) OP_##id,
#include "step/op.def"
#undef OP
    OP_COUNT
} OpKind;

typedef enum OpClass {
    CLASS_MAP,
    CLASS_ROW,
    CLASS_SUM,
    CLASS_CONTRACT,
    CLASS_GATHER,
    CLASS_SCATTER,
    CLASS_WINDOW,
    CLASS_VIEW,
    CLASS_MOVE,
    CLASS_COMM,
    CLASS_SOURCE,
    CLASS_SINK
} OpClass;

typedef struct OpInfo {
    const char *name;
    OpClass op_class;
    int operands;
    const char *immediates, *coupled, *linear;
    int flops;
    const char *body;
} OpInfo;

extern const OpInfo op_info[OP_COUNT];

/* Whether it writes `out`. */
bool op_has_result(OpKind kind);

/* ---- The operators of one class ----------------------------------------------------------------------------- */

/* OP_LIST_IF(wanted, op_class, item): the item and a comma, where the row's class is the wanted one; else nothing. */
#define OP_IS_CONTRACT_CONTRACT ,
#define OP_IS_GATHER_GATHER ,
#define OP_IS_SCATTER_SCATTER ,
#define OP_IS_WINDOW_WINDOW ,
#define OP_IS_VIEW_VIEW ,
#define OP_IS_MOVE_MOVE ,
#define OP_IS_COMM_COMM ,
#define OP_IS_SOURCE_SOURCE ,
#define OP_IS_SINK_SINK ,
#define OP_LIST(...) __VA_ARGS__,
#define OP_SKIP(...)
#define OP_THIRD(first, second, third, ...) third
#define OP_CHOOSE(...) OP_THIRD(__VA_ARGS__)
#define OP_LIST_IF(wanted, op_class, item) OP_CHOOSE(OP_IS_##wanted##_##op_class, OP_LIST, OP_SKIP, ~)(item)

/* Each has the number that it has among all. */
typedef enum ContractionKind {
#define OP(id, name, op_class, ...) OP_LIST_IF(CONTRACT, op_class, CONTRACT_##id = OP_##id)
#include "step/op.def"
#undef OP
} ContractionKind;

typedef enum TableKind { /* GATHER, SCATTER */
#define OP(id, name, op_class, ...)                                                                                    \
    OP_LIST_IF(GATHER, op_class, TABLE_##id = OP_##id) OP_LIST_IF(SCATTER, op_class, TABLE_##id = OP_##id)
#include "step/op.def"
#undef OP
} TableKind;

typedef enum WindowKind {
#define OP(id, name, op_class, ...) OP_LIST_IF(WINDOW, op_class, WINDOW_##id = OP_##id)
#include "step/op.def"
#undef OP
} WindowKind;

typedef enum ViewKind {
#define OP(id, name, op_class, ...) OP_LIST_IF(VIEW, op_class, VIEW_##id = OP_##id)
#include "step/op.def"
#undef OP
} ViewKind;

typedef enum Collective { /* COMM, MOVE */
#define OP(id, name, op_class, ...)                                                                                    \
    OP_LIST_IF(COMM, op_class, COLLECTIVE_##id = OP_##id) OP_LIST_IF(MOVE, op_class, COLLECTIVE_##id = OP_##id)
#include "step/op.def"
#undef OP
} Collective;

typedef enum SourceKind {
#define OP(id, name, op_class, ...) OP_LIST_IF(SOURCE, op_class, SOURCE_##id = OP_##id)
#include "step/op.def"
#undef OP
} SourceKind;

typedef enum SinkKind {
#define OP(id, name, op_class, ...) OP_LIST_IF(SINK, op_class, SINK_##id = OP_##id)
#include "step/op.def"
#undef OP
} SinkKind;

/* What it is within its class, which must be this one. */
ContractionKind op_contract(OpKind kind);
TableKind op_table(OpKind kind);
WindowKind op_window(OpKind kind);
ViewKind op_view(OpKind kind);
Collective op_collective(OpKind kind);
SourceKind op_source(OpKind kind);
SinkKind op_sink(OpKind kind);

/* ---- Windows ------------------------------------------------------------------------------------------------ */

/* Which arrays of a WINDOW operator lie on the input's grid, on the output's, and in the window (of pooling none does):
 * an operand, or WINDOW_RESULT. Place p of the output sees input rows p * stride - pad + i, for the window's rows i;
 * columns alike, all counted in the whole. What lies outside of the input is zero, and no candidate for a maximum. */
enum { WINDOW_RESULT = -1, WINDOW_NONE = -2 };
typedef struct WindowRoles {
    int input, window, output;
} WindowRoles;

WindowRoles op_window_roles(OpKind kind);

/* ---- Collectives -------------------------------------------------------------------------------------------- */

/* A reference of an operator: operand a or b, or its result. */
typedef enum Side { SIDE_A, SIDE_B, SIDE_OUT } Side;

/* Who takes part beside the rank itself. */
typedef enum Peers {
    PEERS_NONE,
    PEERS_GROUP,      /* all ranks that differ on its axes alone */
    PEERS_SOURCE,     /* of these on one axis, the coordinate that `index` names, the same for all */
    PEERS_PERMUTED,   /* likewise, but for every rank another */
    PEERS_NEIGHBOURS, /* those before and behind it on one axis */
    PEERS_MESSAGE     /* the one on one axis that `index` names, by a channel */
} Peers;

/* The columns of step/collective.def that are facts. Its rules are each stage's own. */
typedef struct CollectiveInfo {
    Side whole, piece;
    bool sums; /* it has a ReduceKind */
    Peers peers;
} CollectiveInfo;

const CollectiveInfo *collective_info(Collective collective);
/* PEERS_NONE of what is no collective. */
Peers op_peers(OpKind kind);
/* It has a ReduceKind. */
bool op_sums(OpKind kind);
/* Between two ranks. */
bool op_is_message(OpKind kind);
/* Its result is what the coordinate that `index` names has. */
bool op_hands_on(OpKind kind);

#endif
