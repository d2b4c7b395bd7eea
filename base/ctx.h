/* ctx.h - what every stage gets: memory, interned strings, sources, diagnostics. */
#ifndef PLACE_BASE_CTX_H
#define PLACE_BASE_CTX_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/source.h"
#include "base/str.h"

typedef struct Ctx {
    Arena *arena;
    StrTable *strings;
    Sources *sources;
    Diag *diag;
    struct Ast *prelude; /* NULL: it was not parsed (parser/parser.h) */
} Ctx;

#endif
