/* resolve.h - names, numbers and arguments: what the passes over the syntax tree have in common.
 *
 * All functions report what is wrong and return false; an AST_ERROR was reported already and is silent.
 */
#ifndef PLACE_PARSER_RESOLVE_H
#define PLACE_PARSER_RESOLVE_H

#include "base/dtype.h"
#include "parser/ast.h"

/* A named number: a model's parameter. */
typedef struct Constant {
    const char *name;
    double value;
    int64_t integer;
    bool is_integer;
    Span span;
} Constant;
typedef Vec(Constant) Constants;

/* Reports P0201 for a name that is none of `names`, with the nearest as a suggestion. `what`: "axis", "model". */
Diagnostic *resolve_unknown(Ctx *ctx, Span span, const char *what, const char *name, const char *const *names,
                            int count);

/* The same for words of the language and names of the prelude. */
Diagnostic *resolve_unknown_word(Ctx *ctx, Span span, const char *what, const char *word, const char *const *words,
                                 int count);

/* Of a report about a name that is none of `names`: the nearest, else a list of those known. */
void resolve_suggest(Ctx *ctx, Diagnostic *d, const char *name, const char *const *names, int count);

/* Reports P0202; the first declaration is labelled. */
void resolve_duplicate(Ctx *ctx, Span span, const char *what, const char *name, Span first);

/* Reports P0290: `what` is a subject, as in "convolutions are not supported yet". */
Diagnostic *resolve_unsupported(Ctx *ctx, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));

const Constant *resolve_constant(const Constants *constants, const char *name);

/* The value of an expression of numbers and named numbers. */
bool resolve_number(Ctx *ctx, const Constants *constants, const AstNode *node, Constant *value);

/* The same, as a number in low .. high (both included). `what` names it in messages: "the number of heads". */
bool resolve_integer(Ctx *ctx, const Constants *constants, const AstNode *node, const char *what, int64_t low,
                     int64_t high, int64_t *value);

/* The real numbers from low to high, without the ends that are open. */
typedef struct Range {
    double low, high;
    bool low_open, high_open;
} Range;

bool resolve_real(Ctx *ctx, const Constants *constants, const AstNode *node, const char *what, const Range *range,
                  double *value);

/* Whether a number of the program can be held in the dtype that it is used in; reports one that cannot. */
bool resolve_fits(Ctx *ctx, Span span, const char *what, double value, DType dtype);

/* The dtype that a name means: those in which the compiler trains. `what`: "dtype", "precision". */
bool resolve_dtype(Ctx *ctx, const AstNode *node, const char *what, DType *dtype);

/* One argument of a callable. */
typedef struct ArgumentInfo {
    const char *name;
    bool required;
} ArgumentInfo;

/* Sorts written arguments into the callable's: positional ones in order, then named ones. values[i] is the expression
 * of argument i or NULL. `callee` names it in messages. */
bool resolve_arguments(Ctx *ctx, Span call, const char *callee, const AstList *written, const ArgumentInfo *arguments,
                       int count, const AstNode **values);

/* The text of a node as it is in the file. */
const char *resolve_text(Ctx *ctx, const AstNode *node);

/* "block.attn" for a path of names; NULL where it is no such path. */
const char *resolve_path(Ctx *ctx, const AstNode *node);

#endif
