/* ast.h - the syntax tree: what a file says, not yet what it means.
 *
 * A node is a tagged union: `kind` and `span` first, then one member per kind, named in ast.def. Names are interned
 * (compare pointers) and carry spans. An optional part that is absent is a NULL node, an empty list or a name whose
 * text is NULL. Text that could not be understood becomes an AST_ERROR: it was reported, so whoever meets it stays
 * silent. Nodes live in the arena of the Ctx.
 *
 *     Ast *ast = parser_run(ctx, source);
 *     for (int i = 0; i < ast->items.count; i++)
 *         if (ast->items.data[i]->kind == AST_TRAIN) ...
 *
 * Statements of `train`, `cluster`, `mode`, `state` and `search` are AST_SETTING: a keyword and the pieces after it,
 * kept as written; sema decides what they mean, using ast_match.
 */
#ifndef PLACE_PARSER_AST_H
#define PLACE_PARSER_AST_H

#include "base/ctx.h"
#include "lexer/number.h"

typedef enum AstKind {
#define AST(KIND, member, name) AST_##KIND,
#include "parser/ast.def"
#undef AST
    AST_KIND_COUNT
} AstKind;

typedef struct AstNode AstNode;

typedef struct AstName {
    const char *text; /* interned; NULL: absent */
    Span span;
} AstName;

typedef struct AstList {
    AstNode **data;
    int count, capacity;
} AstList;

typedef struct AstNames {
    AstName *data;
    int count, capacity;
} AstNames;

typedef enum AstOperator {
    AST_ADD,
    AST_SUBTRACT,
    AST_MULTIPLY, /* of strategies: their composition */
    AST_DIVIDE,
    AST_LESS,
    AST_LESS_EQUAL,
    AST_GREATER,
    AST_GREATER_EQUAL,
    AST_EQUAL,
    AST_NOT_EQUAL,
} AstOperator;

/* When a clause of `sync` runs: `at step`, `each microbatch`, `after microbatch 3`. */
typedef enum AstMoment { AST_MOMENT_UNSAID, AST_MOMENT_AT, AST_MOMENT_EACH, AST_MOMENT_AFTER } AstMoment;

/* ---- Expressions -------------------------------------------------------------------------------------------- */

typedef struct AstError {
    char unused;
} AstError;

typedef struct AstString {
    const char *text; /* unescaped, interned */
} AstString;

typedef struct AstMember { /* wte.table, block[0..3].mlp */
    AstNode *object;
    AstName name;
} AstMember;

typedef struct AstIndex { /* block[3], block[0..3], block[*], also block[0, 2..5] */
    AstNode *object;
    AstList items; /* expressions, AST_RANGE, AST_ANY */
} AstIndex;

typedef struct AstAny { /* * in an index */
    char unused;
} AstAny;

typedef struct AstRange { /* first..last, both included */
    AstNode *first, *last;
} AstRange;

typedef struct AstCall { /* layernorm(x) as norm1 */
    AstNode *callee;     /* AST_NAME, except in unusual programs */
    AstList arguments;   /* expressions, or AST_ARGUMENT if named */
    AstName label;
} AstCall;

typedef struct AstArgument { /* weight = wte.table */
    AstName name;
    AstNode *value;
} AstArgument;

typedef struct AstNegate {
    AstNode *operand;
} AstNegate;

typedef struct AstBinary {
    AstOperator operator;
    AstNode *left, *right;
    Span operator_span;
} AstBinary;

typedef struct AstReduction { /* mean over batch, context of BODY where MASK */
    AstName operation;        /* mean, sum; sema refuses all others */
    AstNames dims;
    AstNode *body, *mask; /* mask: NULL if there is none */
} AstReduction;

typedef struct AstType { /* int[batch, context] */
    AstName dtype;
    AstList dims; /* expressions; empty: a scalar */
} AstType;

/* ---- Declarations ------------------------------------------------------------------------------------------- */

typedef struct AstVersion { /* place 1 */
    AstNode *number;
} AstVersion;

typedef struct AstImport { /* import "gpt.place" */
    AstNode *path;         /* AST_STRING */
} AstImport;

typedef struct AstModel {
    AstName name;
    AstList parameters; /* AST_PARAMETER */
    AstList body;       /* AST_INPUT, AST_ASSIGN, AST_REPEAT, AST_ERROR */
} AstModel;

typedef struct AstCluster { /* cluster laptop { 4 devices of cpu } */
    AstName name;
    AstList body; /* AST_SETTING without key; AST_ERROR */
} AstCluster;

typedef struct AstMesh { /* mesh pod on dgx { data: 4, tensor: 8 } */
    AstName name, cluster;
    AstList axes; /* AST_AXIS, outermost first; AST_ERROR */
} AstMesh;

typedef struct AstStrategy {
    AstName name;
    AstList parameters;  /* AST_PARAMETER */
    AstList body;        /* AST_PLACEMENT, AST_SYNC, AST_ERROR */
    AstNode *definition; /* strategies joined by `*`, in place of a body: `strategy ddp = data_parallel`; else NULL */
} AstStrategy;

typedef struct AstMode { /* mode gathered over a { rest sharded over a; use replicated over a made by copy } */
    AstName name, axis;
    AstList body; /* AST_SETTING, AST_ERROR */
} AstMode;

typedef struct AstState { /* state ema { one per parameter; update after optimizer : 0.9 * ema + 0.1 * parameters } */
    AstName name;
    AstList body; /* AST_SETTING, AST_ERROR */
} AstState;

typedef struct AstTrain { /* train gpt(layers = 96) on pod { ... }, serve gpt(layers = 96) on pod { ... } */
    bool serves;
    AstName model, mesh;
    AstList arguments; /* AST_ARGUMENT, or expressions where the name is missing */
    AstList body;      /* AST_SETTING, AST_SEARCH, AST_ERROR */
} AstTrain;

typedef struct AstSearch { /* search over pod { ... }: a declaration, or in a train in place of a strategy */
    AstNames over;
    AstList body; /* AST_SETTING, AST_ERROR */
} AstSearch;

typedef struct AstParameter { /* layers = 6, d: axis */
    AstName name, type;
    AstNode *value; /* the default value, or NULL */
} AstParameter;

typedef struct AstAxis { /* data: 4, or a product of axes before it: data = expert_data * expert */
    AstName name;
    AstNode *size;
    bool derived;
} AstAxis;

/* ---- Statements --------------------------------------------------------------------------------------------- */

typedef struct AstInput { /* input tokens, targets : int[batch, context] */
    AstNames names;
    AstNode *type; /* AST_TYPE */
} AstInput;

typedef struct AstAssign { /* x = EXPRESSION */
    AstName name;
    AstNode *value;
} AstAssign;

typedef struct AstRepeat { /* repeat block[layers] { ... } */
    AstName name;
    AstNode *count;
    AstList body; /* as a model's */
} AstRepeat;

typedef struct AstPlacement { /* optimizer of block[*] sharded over d by rows offloaded to host */
    AstName state;
    AstList selectors; /* paths of AST_NAME (or, first, AST_ANY), AST_MEMBER, AST_INDEX; empty: everything */
    AstName mode;
    AstNames axes;
    AstName by;      /* a dim, rows, batch */
    AstName tier;    /* host, file; device if absent */
    AstName kept;    /* use, pass, step */
    AstName at;      /* of what is converted: use, once */
    AstName where;   /* present: what a model lacks is ignored */
    AstList layers;  /* of a schedule: layers per stage; empty: balanced */
    AstNode *chunks; /* number of parts of a stage's layers; NULL: one */
    AstNode *when;   /* the condition under which it applies; NULL: always */
    /* Of what is computed: */
    AstNode *by_of; /* whose dim `by` is; NULL: not given */
    Span whole;     /* of the word; unknown if it is absent */
    Span in_parts;
    AstList parts; /* what is a part of a sum; empty with `in parts`: not given */
    AstList from;  /* what it is computed from; empty: not given */
    /* Of what is converted: which products it is for */
    AstName computing; /* activations, cotangents, gradients */
    AstList computed;  /* which of them; empty: all */
} AstPlacement;

typedef struct AstSync { /* sync TARGET of SELECTORS segment N : CLAUSE then CLAUSE */
    AstName target;
    AstList selectors;
    AstList segments; /* of fused parameters; none: all */
    AstList clauses;  /* AST_CLAUSE, in order */
} AstSync;

typedef struct AstTime { /* at step, after microbatch 3 */
    AstMoment moment;
    Span span;
    AstName of;     /* step, microbatch, start */
    AstNode *index; /* AST_MOMENT_AFTER: which microbatch */
} AstTime;

typedef struct AstClause { /* sum over t into shards by context at step scale 1/t when EXPRESSION derive the rest */
    AstName operation;     /* none, sum, mean, gather, ... */
    AstNames axes;
    AstName into;  /* shards */
    AstName by;    /* a dim */
    AstName dtype; /* of the data sent */
    AstTime time;  /* when it runs or, if it is waited for, starts */
    AstTime wait;
    AstNode *scale, *when;
    Span derive_rest; /* known if `derive the rest` was written */
} AstClause;

typedef struct AstSetting { /* checkpoint every 50 steps in "gpt.ckpt" */
    AstName key;            /* checkpoint; lines of a cluster have none */
    AstList pieces;         /* expressions and AST_MARK, in order: every, 50, steps, in, "gpt.ckpt" */
    AstNode *value;         /* the expression after ':', or NULL */
} AstSetting;

typedef struct AstMark { /* a piece that is not an expression: over by of , < <= > >= == != */
    const char *text;
} AstMark;

struct AstNode {
    AstKind kind;
    int depth;    /* 1 + that of the deepest child; limited by AST_DEPTH_LIMIT, so that walkers may recurse */
    bool damaged; /* it is or contains an AST_ERROR */
    Span span;
    union {
        AstError error;
        AstName name;
        Number number;
        AstString string;
        AstMember member;
        AstIndex index;
        AstAny any;
        AstRange range;
        AstCall call;
        AstArgument argument;
        AstNegate negate;
        AstBinary binary;
        AstReduction reduction;
        AstType type;
        AstVersion version;
        AstImport import;
        AstModel model;
        AstCluster cluster;
        AstMesh mesh;
        AstStrategy strategy;
        AstMode mode;
        AstState state;
        AstTrain train;
        AstSearch search;
        AstParameter parameter;
        AstAxis axis;
        AstInput input;
        AstAssign assign;
        AstRepeat repeat;
        AstPlacement placement;
        AstSync sync;
        AstClause clause;
        AstSetting setting;
        AstMark mark;
    };
};

enum { AST_DEPTH_LIMIT = 500 };

/* A comment belongs to the statement that follows it or, if trailing, to the one on its line. */
typedef struct AstComment {
    const char *text; /* from '#' to the end of the line */
    Span span;
    bool trailing;
    const AstNode *owner; /* NULL: after the last statement */
} AstComment;

typedef struct Ast {
    const Sources *sources;
    int source;
    AstList items; /* declarations in source order, including AST_ERROR */
    Vec(AstComment) comments;
    /* Set while declarations are gathered: text that was not understood may declare what is missing. */
    bool damaged;
} Ast;

const char *ast_kind_name(AstKind kind);
const char *ast_operator_text(AstOperator operator); /* "+", "<=" */

/* The children of a node in source order; returns their number. `children` may be NULL to count only. */
int ast_children(const AstNode *node, AstNode **children);

/* Matches the pieces of a setting against a pattern of words, marks and holes, separated by spaces:
 *
 *     const AstNode *found[4];
 *     if (ast_match(setting, "every # steps in #", found)) ...     // found[0]: 50, found[1]: "gpt.ckpt"
 *
 * `#` matches any one expression, a word an AST_NAME with that text, anything else an AST_MARK with that text. True if
 * all pieces match; otherwise false, and ast_mismatch returns the first piece that does not match (the number of pieces
 * if one is missing). */
bool ast_match(const AstNode *setting, const char *pattern, const AstNode **found);
int ast_mismatch(const AstNode *setting, const char *pattern);

#endif
