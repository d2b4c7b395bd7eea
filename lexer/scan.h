/* scan.h - between the flex scanner and lexer.c: raw tokens, newlines and comments included. */
#ifndef PLACE_LEXER_SCAN_H
#define PLACE_LEXER_SCAN_H

#include "lexer/lexer.h"

/* What the scanner returns besides token kinds. */
enum { SCAN_NEWLINE = TOKEN_KIND_COUNT, SCAN_SEMICOLON, SCAN_COMMENT };

typedef struct Scan {
    Arena *arena;
    StrTable *strings;
    int source;
    int32_t offset;                      /* where the next token starts */
    const char *words[TOKEN_KIND_COUNT]; /* interned keywords; NULL for other tokens */
} Scan;

#define YYSTYPE Token
#define YYLTYPE Span

/* Actions of the rules: set the token's value, return its kind. `length` bytes at `text` are the match. */
int scan_word(Scan *scan, Token *token, const char *text, size_t length);
int scan_string(Scan *scan, Token *token, const char *text, size_t length);
/* A number, or a number and a word that is its unit if there is such a unit; `taken` of `length` bytes are used. */
int scan_number(Scan *scan, Token *token, const char *text, size_t length, size_t *taken);
int scan_fixed(Scan *scan, Token *token, const char *text, size_t length, TokenKind kind);
int scan_fault(Scan *scan, Token *token, const char *text, size_t length, Fault fault);

#endif
