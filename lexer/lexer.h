/* lexer.h - text to tokens.
 *
 * The lexer reports nothing: text with which no token starts becomes a TOKEN_INVALID that says why, and the parser,
 * which knows the context, reports it. Comments are not tokens; they are collected separately.
 *
 * A newline ends a statement (TOKEN_END), as `;` does, except where the line cannot be complete: inside ( ) and [ ], or
 * after an operator, `,`, `=`, `:` or `{`. An empty line makes no token.
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
    FAULT_ESCAPE,    /* an unknown \x in a string */
    FAULT_NESTING,   /* a bracket deeper than LEXER_NESTING_LIMIT */
    FAULT_LARGE,     /* a number too large for a double, */
    FAULT_SMALL,     /* or too small for one, but not 0 */
} Fault;

typedef struct Token {
    TokenKind kind;
    Span span;
    const char *text; /* interned: the word, the unescaped string; for others, the source text */
    Number number;    /* TOKEN_NUMBER */
    Fault fault;      /* TOKEN_INVALID */
} Token;

typedef struct Comment {
    Span span;     /* from '#' to the end of the line */
    bool trailing; /* there is something before it on its line */
} Comment;

/* An open brace, for messages: what the statement that it belongs to starts with, "" if it belongs to none. */
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

/* Called after a syntax error at the last token: forgets brackets that are never closed, so that the next newline ends
 * the statement and one missing bracket does not swallow the file. If the error is at the first word of a declaration,
 * its block is skipped. */
void lexer_recover(Lexer *lexer);

/* The innermost open block; false at the top level. */
bool lexer_open_block(const Lexer *lexer, OpenBlock *block);

/* The first token of the current statement; its kind is TOKEN_END before the first statement. */
Token lexer_statement_start(const Lexer *lexer);

int lexer_comment_count(const Lexer *lexer);
const Comment *lexer_comments(const Lexer *lexer);

/* Is it a keyword that is a name wherever a name is allowed? */
bool token_is_contextual(TokenKind kind);

#endif
