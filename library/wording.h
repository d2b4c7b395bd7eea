/* wording.h - finds statements in the user's text, and writes edits of them. */
#ifndef PLACE_LIBRARY_WORDING_H
#define PLACE_LIBRARY_WORDING_H

#include "base/change.h"
#include "library/compile.h"

/* The texts of a program without the prelude, parsed once more as far as possible. */
typedef struct Wording {
    Ctx *ctx;
    Vec(const Ast *) asts;
    const Ast *prelude;                     /* NULL: not read */
    const AstNode *train, *mesh, *strategy; /* the train, its mesh and its `strategy` line; NULL where not understood */
} Wording;

typedef Vec(const AstNode *) AstNodes;

Wording wording_new(Compile *compile);

/* The user's own strategies that the train calls. */
AstNodes wording_strategies(const Wording *wording);
/* The one of these whose body contains the node; NULL if none does. */
const AstNode *wording_owner(const Wording *wording, const AstNode *statement);
/* The smallest statement, or clause of one, that contains the span; NULL if there is none. */
const AstNode *wording_statement(const Wording *wording, Span span);
const AstNode *wording_clause(const AstNode *statement, Span span);
/* The call in the train's `strategy` line with exactly this span; NULL if there is none. */
const AstNode *wording_call(const Wording *wording, Span span);
/* A strategy of the prelude; NULL if it has none of this name. */
const AstNode *wording_prelude(const Wording *wording, const char *name);
/* A line of the train; NULL if it has no such line. */
const AstNode *wording_setting(const Wording *wording, const char *key);

/* "d, n": the strategy's names for these axes of the mesh; NULL if it has no name for one. */
const char *wording_axes(const Wording *wording, const AstNode *strategy, const char *axes);
const char *wording_text(const Wording *wording, Span span);

/* The edit that removes a statement, with its line if nothing else is on it. */
Edit wording_without(const Wording *wording, Span statement);
/* The edit that adds a statement at the end of a strategy. */
Edit wording_with(const Wording *wording, const AstNode *strategy, const char *statement);
/* The span extended back over so many words before it, and the blanks before these. */
Span wording_back(const Wording *wording, Span span, int words);
/* From the first to the last name of a list. */
Span wording_names(const AstNames *names);

#endif
