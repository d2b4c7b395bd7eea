/* lexer.c - decides which newlines end a statement, keeps track of brackets, collects comments. */
#include "lexer/lexer.h"

#include "lexer/scan.h"

#include "place_lexer.h"

#include <errno.h>
#include <string.h>

typedef struct OpenBracket {
    TokenKind kind;
    Token statement; /* first token of the statement that contains it */
    Span span;
} OpenBracket;

struct Lexer {
    Ctx *ctx;
    Scan scan;
    yyscan_t scanner;
    TokenKind last; /* the last token returned; TOKEN_END at the start */
    Token statement;
    bool line_used;  /* there is a token on this line */
    bool skip_block; /* the next block of this statement follows a syntax error: skip it */
    int depth;
    OpenBracket open[LEXER_NESTING_LIMIT];
    Vec(Comment) comments;
};

static const struct {
    const char *text;
    bool contextual;
} token_rows[TOKEN_KIND_COUNT] = {
#define TOKEN(KIND, text) [TOKEN_##KIND] = {text, false},
#define CONTEXTUAL(KIND, text) [TOKEN_##KIND] = {text, true},
#include "lexer/token.def"
#undef TOKEN
};

bool token_is_contextual(TokenKind kind)
{
    return token_rows[kind].contextual;
}

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

Lexer *lexer_new(Ctx *ctx, int source)
{
    Lexer *lexer = arena_make(ctx->arena, Lexer);
    lexer->ctx = ctx;
    lexer->scan.arena = ctx->arena;
    lexer->scan.strings = ctx->strings;
    lexer->scan.source = source;
    lexer->last = TOKEN_END;
    lexer->statement.kind = TOKEN_END;
    for (int kind = 0; kind < TOKEN_KIND_COUNT; kind++)
        if (is_letter(token_rows[kind].text[0]))
            lexer->scan.words[kind] = str_intern_z(ctx->strings, token_rows[kind].text);
    const Source *file = source_of(ctx->sources, (Span){source, 0, 0});
    if (place_yylex_init_extra(&lexer->scan, &lexer->scanner) != 0)
        BUG("no scanner: %s", strerror(errno));
    place_yy_scan_bytes(file->text, file->length, lexer->scanner);
    return lexer;
}

void lexer_free(Lexer *lexer)
{
    place_yylex_destroy(lexer->scanner);
}

static bool is_opener(TokenKind kind)
{
    return kind == TOKEN_LEFT_PAREN || kind == TOKEN_LEFT_BRACKET || kind == TOKEN_LEFT_BRACE;
}

static TokenKind opener_of(TokenKind closer)
{
    return closer == TOKEN_RIGHT_PAREN     ? TOKEN_LEFT_PAREN
           : closer == TOKEN_RIGHT_BRACKET ? TOKEN_LEFT_BRACKET
                                           : TOKEN_LEFT_BRACE;
}

static bool in_brackets(const Lexer *lexer)
{
    return lexer->depth > 0 && lexer->open[lexer->depth - 1].kind != TOKEN_LEFT_BRACE;
}

/* A line that ends with one of these is incomplete. */
static const bool wants_more[TOKEN_KIND_COUNT] = {
    [TOKEN_LEFT_BRACE] = true, [TOKEN_COMMA] = true,         [TOKEN_COLON] = true, [TOKEN_ASSIGN] = true,
    [TOKEN_DOT] = true,        [TOKEN_DOT_DOT] = true,       [TOKEN_PLUS] = true,  [TOKEN_MINUS] = true,
    [TOKEN_STAR] = true,       [TOKEN_SLASH] = true,         [TOKEN_LESS] = true,  [TOKEN_LESS_EQUAL] = true,
    [TOKEN_GREATER] = true,    [TOKEN_GREATER_EQUAL] = true, [TOKEN_EQUAL] = true, [TOKEN_NOT_EQUAL] = true,
};

static void open_bracket(Lexer *lexer, Token *token)
{
    if (lexer->depth == LEXER_NESTING_LIMIT) {
        token->kind = TOKEN_INVALID;
        token->fault = FAULT_NESTING;
        return;
    }
    lexer->open[lexer->depth++] = (OpenBracket){token->kind, lexer->statement, token->span};
}

/* Closes the innermost bracket of this kind. A brace also closes those left open in it; ) and ] stay in their block. */
static void close_bracket(Lexer *lexer, TokenKind closer)
{
    TokenKind opener = opener_of(closer);
    for (int i = lexer->depth - 1; i >= 0; i--) {
        if (lexer->open[i].kind == opener) {
            lexer->depth = i;
            if (closer == TOKEN_RIGHT_BRACE)
                lexer->statement = lexer->open[i].statement;
            return;
        }
        if (lexer->open[i].kind == TOKEN_LEFT_BRACE)
            return;
    }
}

static void keep_comment(Lexer *lexer, Span span)
{
    Comment comment = {span, lexer->line_used};
    vec_push(lexer->ctx->arena, &lexer->comments, comment);
}

/* Handles one raw token; false if it is not returned. */
static bool take(Lexer *lexer, int raw, Token *token)
{
    switch (raw) {
    case SCAN_COMMENT:
        keep_comment(lexer, token->span);
        return false;
    case SCAN_NEWLINE:
        lexer->line_used = false;
        if (in_brackets(lexer) || wants_more[lexer->last])
            return false;
        token->kind = TOKEN_END;
        break;
    case SCAN_SEMICOLON:
        if (lexer->last == TOKEN_LEFT_BRACE)
            return false;
        token->kind = TOKEN_END;
        break;
    default: /* all others are TokenKinds */
        token->kind = (TokenKind)raw;
        break;
    }
    return token->kind != TOKEN_END || lexer->last != TOKEN_END;
}

static void watch_brackets(Lexer *lexer, Token *token)
{
    if (is_opener(token->kind))
        open_bracket(lexer, token);
    else if (token->kind == TOKEN_RIGHT_PAREN || token->kind == TOKEN_RIGHT_BRACKET || token->kind == TOKEN_RIGHT_BRACE)
        close_bracket(lexer, token->kind);
}

static void next_token(Lexer *lexer, Token *token)
{
    int raw;
    do {
        *token = (Token){.text = ""};
        raw = place_yylex(token, &token->span, lexer->scanner);
        if (raw == TOKEN_EOF)
            token->span = (Span){lexer->scan.source, lexer->scan.offset, lexer->scan.offset};
    } while (!take(lexer, raw, token));

    bool starts = lexer->last == TOKEN_END || lexer->last == TOKEN_LEFT_BRACE;
    if (starts && token->kind != TOKEN_RIGHT_BRACE)
        lexer->statement = *token;
    if (token->kind != TOKEN_END)
        lexer->line_used = true;
    watch_brackets(lexer, token);
    lexer->last = token->kind;
}

void lexer_next(Lexer *lexer, Token *token)
{
    next_token(lexer, token);
    if (lexer->skip_block && token->kind == TOKEN_LEFT_BRACE) {
        int outside = lexer->depth - 1;
        while (lexer->depth > outside && token->kind != TOKEN_EOF)
            next_token(lexer, token);
        if (token->kind != TOKEN_EOF)
            next_token(lexer, token);
    }
    if (token->kind == TOKEN_END)
        lexer->skip_block = false;
}

/* The end of the string or comment that starts at `at`. */
static int32_t skip_quiet(const char *text, int32_t at, int32_t end)
{
    char quote = text[at++];
    while (at < end && text[at] != '\n' && (quote == '#' || text[at] != '"'))
        at += quote == '"' && text[at] == '\\' && at + 1 < end && text[at + 1] != '\n' ? 2 : 1;
    return at;
}

/* Are `levels` brackets closed before the block ends or another begins? */
static bool closes_soon(const Lexer *lexer, int levels)
{
    enum { SOON_BYTES = 4096 };
    const Source *file = source_of(lexer->ctx->sources, (Span){lexer->scan.source, 0, 0});
    int32_t end = file->length - lexer->scan.offset > SOON_BYTES ? lexer->scan.offset + SOON_BYTES : file->length;
    for (int32_t at = lexer->scan.offset; at < end && levels > 0; at++) {
        switch (file->text[at]) {
        case '(':
        case '[':
            levels++;
            break;
        case ')':
        case ']':
            levels--;
            break;
        case '{':
        case '}':
            return false;
        case '"':
        case '#':
            at = skip_quiet(file->text, at, end);
            break;
        }
    }
    return levels == 0;
}

/* The number of open ( and [ in the innermost block. */
static int bracket_levels(const Lexer *lexer)
{
    int levels = 0;
    while (levels < lexer->depth && lexer->open[lexer->depth - 1 - levels].kind != TOKEN_LEFT_BRACE)
        levels++;
    return levels;
}

bool lexer_unclosed_bracket(const Lexer *lexer, Span *span)
{
    int levels = bracket_levels(lexer);
    if (levels == 0 || closes_soon(lexer, levels))
        return false;
    *span = lexer->open[lexer->depth - 1].span;
    return true;
}

void lexer_recover(Lexer *lexer)
{
    int levels = bracket_levels(lexer);
    if (!closes_soon(lexer, levels))
        lexer->depth -= levels;
    lexer->skip_block = lexer->depth == 0 && lexer->scan.offset == lexer->statement.span.end;
}

bool lexer_open_block(const Lexer *lexer, OpenBlock *block)
{
    for (int i = lexer->depth - 1; i >= 0; i--) {
        if (lexer->open[i].kind == TOKEN_LEFT_BRACE) {
            const Token *start = &lexer->open[i].statement;
            *block = (OpenBlock){start->text != NULL ? start->text : "", span_join(start->span, lexer->open[i].span)};
            return true;
        }
    }
    return false;
}

Token lexer_statement_start(const Lexer *lexer)
{
    return lexer->statement;
}

int lexer_comment_count(const Lexer *lexer)
{
    return lexer->comments.count;
}

const Comment *lexer_comments(const Lexer *lexer)
{
    return lexer->comments.data;
}
