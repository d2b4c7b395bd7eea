/* operators.h - the operators of the step program, and what every stage may know about them: the tables step/op.def and
 * step/collective.def.
 *
 * Two columns of op.def are not available here: how an operator is differentiated (reference/gradient.h), and how
 * models call it (reference/model_call.h). They are for the code that derives programs; code that checks or prints
 * programs cannot use them.
 *
 * For a class whose rows have a body (MAP, ROW, SUM) the body says everything: its operators are all treated the same.
 * What an operator of another class does is in no column. Each stage handles these one by one, in a switch over the
 * operators of the class and without `default`, so that a newly added operator does not compile until it has a rule:
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
    CLASS_CHOICE,
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

/* Does it write `out`? */
bool op_has_result(OpKind kind);

/* ---- The operators of one class ----------------------------------------------------------------------------- */

/* OP_LIST_IF(wanted, op_class, item): the item and a comma if the row's class is the wanted one, else nothing. */
#define OP_IS_CONTRACT_CONTRACT ,
#define OP_IS_GATHER_GATHER ,
#define OP_IS_SCATTER_SCATTER ,
#define OP_IS_CHOICE_CHOICE ,
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

/* Each has the same number as in OpKind. */
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

typedef enum ChoiceKind {
#define OP(id, name, op_class, ...) OP_LIST_IF(CHOICE, op_class, CHOICE_##id = OP_##id)
#include "step/op.def"
#undef OP
} ChoiceKind;

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

/* The operator as one of its class, which must be this one. */
ContractionKind op_contract(OpKind kind);
TableKind op_table(OpKind kind);
ChoiceKind op_choice(OpKind kind);
WindowKind op_window(OpKind kind);
ViewKind op_view(OpKind kind);
Collective op_collective(OpKind kind);
SourceKind op_source(OpKind kind);
SinkKind op_sink(OpKind kind);

/* May an index be the number of rows, which names none of them? */
bool op_names_none(TableKind kind);

/* A reference of an operator: operand a or b, or its result. */
typedef enum Side { SIDE_A, SIDE_B, SIDE_OUT } Side;

/* The table: what is looked up (CLASS_GATHER), or the result, whose rows are added to (CLASS_SCATTER). False if the
 * operator is of another class. */
bool op_table_side(OpKind kind, Side *side);

/* ---- Windows ------------------------------------------------------------------------------------------------ */

/* Which arrays of a WINDOW operator are on the input's grid, which on the output's, and which in the window (for
 * pooling, none): an operand, or WINDOW_RESULT. Position p of the output sees input rows p * stride - pad + i, for the
 * window's rows i; columns likewise, all as indices into the whole arrays. Positions outside the input count as zero,
 * and never as a maximum. */
enum { WINDOW_RESULT = -1, WINDOW_NONE = -2 };
typedef struct WindowRoles {
    int input, window, output;
} WindowRoles;

WindowRoles op_window_roles(OpKind kind);

/* ---- Collectives -------------------------------------------------------------------------------------------- */

/* Who takes part in addition to the rank itself. */
typedef enum Peers {
    PEERS_NONE,
    PEERS_GROUP,      /* all ranks that differ only on its axes */
    PEERS_SOURCE,     /* the one at a coordinate (step/step.h, Peer) on one axis, the same for all ranks */
    PEERS_PERMUTED,   /* likewise, but a different one for every rank */
    PEERS_NEIGHBOURS, /* the previous and the next rank on one axis */
    PEERS_MESSAGE     /* the one at a coordinate on one axis, through a channel */
} Peers;

/* The columns of step/collective.def that are facts. Its rules belong to the stages. */
typedef struct CollectiveInfo {
    Side whole, piece;
    bool sums; /* it has a ReduceKind */
    Peers peers;
} CollectiveInfo;

const CollectiveInfo *collective_info(Collective collective);
/* PEERS_NONE if it is not a collective. */
Peers op_peers(OpKind kind);
/* It has a ReduceKind. */
bool op_sums(OpKind kind);
/* Sent from one rank to another. */
bool op_is_message(OpKind kind);
/* Its result is the value of the rank at its peer's coordinate. */
bool op_hands_on(OpKind kind);

/* ---- What only some have ------------------------------------------------------------------------------------ */

/* The member of Op's union that is valid (step/step.h). */
typedef enum OpExtra {
    EXTRA_NONE,
    EXTRA_SCALE,
    EXTRA_PIECE,
    EXTRA_MICROBATCH,
    EXTRA_FIRST,
    EXTRA_SEED,
    EXTRA_OUTPUT,
    EXTRA_REDUCE,
    EXTRA_PEER
} OpExtra;

OpExtra op_extra(OpKind kind);

#endif
