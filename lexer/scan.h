/* scan.h - the interface between the flex scanner and lexer.c: raw tokens, including newlines and comments. */
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

/* Actions of the rules: set the token's value and return its kind. The match is `length` bytes at `text`. */
int scan_word(Scan *scan, Token *token, const char *text, size_t length);
int scan_string(Scan *scan, Token *token, const char *text, size_t length);
/* A number, with the following word if that is a unit; `taken`: how many of `length` bytes are used. */
int scan_number(Scan *scan, Token *token, const char *text, size_t length, size_t *taken);
int scan_fixed(Scan *scan, Token *token, const char *text, size_t length, TokenKind kind);
int scan_fault(Scan *scan, Token *token, const char *text, size_t length, Fault fault);

#endif
