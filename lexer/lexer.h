/* lexer.h - text to tokens.
 *
 * The lexer reports nothing: what no token starts with becomes a TOKEN_INVALID that says why, and the parser, which
 * knows the context, reports it. Comments are no tokens; they are collected beside.
 *
 * A line ends a statement (TOKEN_END), as `;` does, but for a line that cannot be complete: inside ( ) and [ ], after
 * an operator, `,`, `=`, `:` or `{`. An empty line makes no token.
 *
 *     Lexer *lexer = lexer_new(ctx, source);
 *     for (Token token; lexer_next(lexer, &token), token.kind != TOKEN_EOF;) ...
 *     lexer_free(lexer);
 */
#ifndef PLACE_LEXER_LEXER_H
#define PLACE_LEXER_LEXER_H

#include "base/ctx.h"
#include "lexer/number.h"

typedef enum TokenKind {
#define TOKEN(KIND, text) TOKEN_##KIND,
#include "lexer/token.def"
#undef TOKEN
    TOKEN_KIND_COUNT
} TokenKind;

typedef enum Fault {
    FAULT_CHARACTER, /* no token starts with it */
    FAULT_STRING,    /* no closing quote on the line */
    FAULT_ESCAPE,    /* a string with an unknown \x in it */
    FAULT_NESTING,   /* a bracket deeper than LEXER_NESTING_LIMIT */
    FAULT_LARGE,     /* a number too large for a double, */
    FAULT_SMALL,     /* or not 0, and too small for one */
} Fault;

typedef struct Token {
    TokenKind kind;
    Span span;
    const char *text; /* interned: the word, the unescaped string; as written for all others */
    Number number;    /* TOKEN_NUMBER */
    Fault fault;      /* TOKEN_INVALID */
} Token;

typedef struct Comment {
    Span span;     /* from '#' to the end of the line */
    bool trailing; /* something stands before it on its line */
} Comment;

/* An open brace, for messages: what the statement that it belongs to starts with. */
typedef struct OpenBlock {
    const char *keyword;
    Span span; /* from the statement's first token to the brace */
} OpenBlock;

enum { LEXER_NESTING_LIMIT = 200 };

typedef struct Lexer Lexer;

Lexer *lexer_new(Ctx *ctx, int source);
void lexer_free(Lexer *lexer);

void lexer_next(Lexer *lexer, Token *token);

/* The innermost ( or [ of the statement, if it is not closed before its block ends or another begins. */
bool lexer_unclosed_bracket(const Lexer *lexer, Span *span);

/* After a syntax error at the last token: forgets brackets that are never closed, so that the next line ends the
 * statement and one missing bracket does not swallow the file. If the error is at the first word of a declaration, its
 * block is skipped. */
void lexer_recover(Lexer *lexer);

/* The innermost open block; false at the top level. */
bool lexer_open_block(const Lexer *lexer, OpenBlock *block);

/* The first token of the statement being read; its kind is TOKEN_END before the first. */
Token lexer_statement_start(const Lexer *lexer);

int lexer_comment_count(const Lexer *lexer);
const Comment *lexer_comments(const Lexer *lexer);

/* A keyword that is a name wherever a name can stand. */
bool token_is_contextual(TokenKind kind);

#endif
