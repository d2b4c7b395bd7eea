/* wording.h - where in the user's text a thing is said, and how another would be said there. */
#ifndef PLACE_DRIVER_WORDING_H
#define PLACE_DRIVER_WORDING_H

#include "base/change.h"
#include "driver/pipeline.h"

/* The texts of a program, the prelude's not among them, read once more: as far as they are understood. */
typedef struct Wording {
    Ctx *ctx;
    Vec(const Ast *) asts;
    const Ast *prelude;                     /* NULL: not read */
    const AstNode *train, *mesh, *strategy; /* the train, its mesh and its line `strategy ...`; NULL: not understood */
} Wording;

typedef Vec(const AstNode *) AstNodes;

Wording wording_new(Pipeline *pipeline);

/* The strategies of the user's that the train's line calls. */
AstNodes wording_strategies(const Wording *wording);
/* Of these the one that has the node in its body; NULL where none has. */
const AstNode *wording_owner(const Wording *wording, const AstNode *statement);
/* The smallest statement, or clause of one, that has the span; NULL where there is none. */
const AstNode *wording_statement(const Wording *wording, Span span);
const AstNode *wording_clause(const AstNode *statement, Span span);
/* The call in the train's line that has just this span; NULL where there is none. */
const AstNode *wording_call(const Wording *wording, Span span);
/* A strategy of the prelude; NULL where it has none of the name. */
const AstNode *wording_prelude(const Wording *wording, const char *name);
/* A line of the train; NULL where it has none. */
const AstNode *wording_setting(const Wording *wording, const char *key);

/* "d, n": what the strategy calls these axes of the mesh; NULL where it cannot name them. */
const char *wording_axes(const Wording *wording, const AstNode *strategy, const char *axes);
const char *wording_text(const Wording *wording, Span span);

/* The edit that leaves out a statement, its line with it where nothing else stands there. */
Edit wording_without(const Wording *wording, Span statement);
/* The edit that adds a statement at the end of a strategy. */
Edit wording_with(const Wording *wording, const AstNode *strategy, const char *statement);
/* The span with so many words before it, and the blanks before them. */
Span wording_back(const Wording *wording, Span span, int words);
/* From the first to the last of a list. */
Span wording_names(const AstNames *names);

#endif
