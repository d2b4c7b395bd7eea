/* Tokens: kinds, values, spans, which newlines end a statement, and what no input may do. */
#include "lexer/lexer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const kind_names[TOKEN_KIND_COUNT] = {
#define TOKEN(KIND, text) [TOKEN_##KIND] = #KIND,
#include "lexer/token.def"
#undef TOKEN
};

static Ctx open_ctx(void)
{
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    return (Ctx){.arena = arena, .strings = str_table_new(arena), .sources = sources, .diag = diag_new(arena, sources)};
}

/* The tokens as one line: WORD(x) END NUMBER(1) ... */
static const char *tokens_of(Ctx *ctx, const char *text, size_t length)
{
    Text out = {.arena = ctx->arena};
    text_add_bytes(&out, "", 0);
    Lexer *lexer = lexer_new(ctx, source_add(ctx->sources, "t", text, length));
    for (Token token; lexer_next(lexer, &token), token.kind != TOKEN_EOF;) {
        text_add(&out, "%s%s", out.length > 0 ? " " : "", kind_names[token.kind]);
        if (token.kind == TOKEN_WORD || token.kind == TOKEN_NUMBER || token.kind == TOKEN_STRING)
            text_add(&out, "(%s)", token.text);
    }
    lexer_free(lexer);
    return out.data;
}

typedef struct TokenCase {
    const char *text, *tokens;
} TokenCase;

static const TokenCase token_cases[] = {
    {"", ""},
    {"  \t\r\n\n \n", ""},
    {"a\n\n\nb\n", "WORD(a) END WORD(b) END"},
    {"a;b;;c", "WORD(a) END WORD(b) END WORD(c)"},
    {"a;\nb", "WORD(a) END WORD(b)"},
    {"# only a comment", ""},
    {"a # b\nc", "WORD(a) END WORD(c)"},
    /* Lines that cannot be complete. */
    {"f(a\n,\nb\n)\nc", "WORD(f) LEFT_PAREN WORD(a) COMMA WORD(b) RIGHT_PAREN END WORD(c)"},
    {"[a\nb]\nc", "LEFT_BRACKET WORD(a) WORD(b) RIGHT_BRACKET END WORD(c)"},
    {"a =\n1 +\n2 *\n3 -\n4 /\n5",
     "WORD(a) ASSIGN NUMBER(1) PLUS NUMBER(2) STAR NUMBER(3) MINUS NUMBER(4) SLASH NUMBER(5)"},
    {"a,\nb :\nc <\nd", "WORD(a) COMMA WORD(b) COLON WORD(c) LESS WORD(d)"},
    {"a = # why\n\n  1", "WORD(a) ASSIGN NUMBER(1)"},
    {"b[*]\nc", "WORD(b) LEFT_BRACKET STAR RIGHT_BRACKET END WORD(c)"},
    /* Braces hold statements, also inside brackets. */
    {"m {\n\na\nb\n}\nc", "WORD(m) LEFT_BRACE WORD(a) END WORD(b) END RIGHT_BRACE END WORD(c)"},
    {"{;a;}", "LEFT_BRACE WORD(a) END RIGHT_BRACE"},
    {"( { a\nb } c\n)", "LEFT_PAREN LEFT_BRACE WORD(a) END WORD(b) RIGHT_BRACE WORD(c) RIGHT_PAREN"},
    {"{ f(a\nb }\nc", "LEFT_BRACE WORD(f) LEFT_PAREN WORD(a) WORD(b) RIGHT_BRACE END WORD(c)"},
    {")\n]\n}\na", "RIGHT_PAREN END RIGHT_BRACKET END RIGHT_BRACE END WORD(a)"},
    /* Words. */
    {"sync of over by", "SYNC OF OVER BY"},
    {"model models _x Sync", "MODEL WORD(models) WORD(_x) WORD(Sync)"},
    /* Numbers, ranges, units. */
    {"0..3 0.5 3e-4 1E+9 007", "NUMBER(0) DOT_DOT NUMBER(3) NUMBER(0.5) NUMBER(3e-4) NUMBER(1E+9) NUMBER(007)"},
    {"1.x 1. 3e e5", "NUMBER(1) DOT WORD(x) NUMBER(1) DOT NUMBER(3) WORD(e) WORD(e5)"},
    {"1 GiB 1GiB 400 Gbit/s 2 s", "NUMBER(1 GiB) NUMBER(1GiB) NUMBER(400 Gbit/s) NUMBER(2 s)"},
    {"8 h100 8 h 4 devices", "NUMBER(8) WORD(h100) NUMBER(8 h) NUMBER(4) WORD(devices)"},
    {"1 GiB/x 3 GB/s2 1/t", "NUMBER(1 GiB) SLASH WORD(x) NUMBER(3 GB) SLASH WORD(s2) NUMBER(1) SLASH WORD(t)"},
    {"50\ns", "NUMBER(50) END WORD(s)"},
    {"0x1f", "NUMBER(0) WORD(x1f)"},
    {"1e999", "INVALID"},
    /* Strings. */
    {"\"a b\" \"\\\"\\\\\" \"#\"", "STRING(a b) STRING(\"\\) STRING(#)"},
    {"\"\"", "STRING()"},
    {"\"open\nnext", "INVALID END WORD(next)"},
    {"\"open\\", "INVALID"},
    {"\"bad \\q\" x", "INVALID WORD(x)"},
    /* Operators. */
    {"<= < >= > == != . ..", "LESS_EQUAL LESS GREATER_EQUAL GREATER EQUAL NOT_EQUAL DOT DOT_DOT"},
    {"@ ! $ \xc3\xa9\xff x", "INVALID INVALID INVALID INVALID WORD(x)"},
};

static void kinds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(token_cases) / sizeof(token_cases[0]); i++) {
        Ctx ctx = open_ctx();
        assert_string_equal(tokens_of(&ctx, token_cases[i].text, strlen(token_cases[i].text)), token_cases[i].tokens);
        assert_int_equal(diag_count(ctx.diag), 0); /* the lexer reports nothing */
        arena_free(ctx.arena);
    }
}

static Token first_token(Ctx *ctx, const char *text)
{
    Token token;
    Lexer *lexer = lexer_new(ctx, source_add(ctx->sources, "t", text, strlen(text)));
    lexer_next(lexer, &token);
    lexer_free(lexer);
    return token;
}

static void numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        Measure unit;
        double value;
        bool is_integer;
        int64_t integer;
    } cases[] = {
        {"0", MEASURE_NONE, 0, true, 0},
        {"120", MEASURE_NONE, 120, true, 120},
        {"9223372036854775807", MEASURE_NONE, 0x1p63, true, INT64_MAX},
        {"9223372036854775808", MEASURE_NONE, 0x1p63, false, 0},
        {"0.1", MEASURE_NONE, 0.1, false, 0},
        {"3e-4", MEASURE_NONE, 3e-4, false, 0},
        {"1 GiB", MEASURE_BYTES, 1073741824.0, true, 1073741824},
        {"1.5 MiB", MEASURE_BYTES, 1572864.0, false, 0},
        {"2 GB", MEASURE_BYTES, 2e9, true, 2000000000},
        {"99999999999 TiB", MEASURE_BYTES, 99999999999.0 * 1099511627776.0, false, 0},
        {"400 Gbit/s", MEASURE_BYTES_PER_SECOND, 5e10, true, 50000000000},
        {"25 us", MEASURE_SECONDS, 25e-6, false, 0},
        {"2 h", MEASURE_SECONDS, 7200, true, 7200},
        {"990 TFLOP/s", MEASURE_FLOPS_PER_SECOND, 9.9e14, true, 990000000000000},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Ctx ctx = open_ctx();
        Token token = first_token(&ctx, cases[i].text);
        assert_int_equal(token.kind, TOKEN_NUMBER);
        assert_string_equal(token.number.text, cases[i].text);
        assert_int_equal(token.number.measure, cases[i].unit);
        double error = token.number.value - cases[i].value;
        assert_true(error * error <= 1e-30 * cases[i].value * cases[i].value);
        assert_int_equal(token.number.is_integer, cases[i].is_integer);
        assert_true(token.number.integer == cases[i].integer);
        arena_free(ctx.arena);
    }
}

static void faults(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        Fault fault;
        int32_t end;
    } cases[] = {
        {"@", FAULT_CHARACTER, 1},    {"\xff\xfe x", FAULT_CHARACTER, 2}, {"\"abc\n", FAULT_STRING, 4},
        {"\"\\x\"", FAULT_ESCAPE, 4}, {"1e999 x", FAULT_LARGE, 5},        {"!x", FAULT_CHARACTER, 1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Ctx ctx = open_ctx();
        Token token = first_token(&ctx, cases[i].text);
        assert_int_equal(token.kind, TOKEN_INVALID);
        assert_int_equal(token.fault, cases[i].fault);
        assert_int_equal(token.span.start, 0);
        assert_int_equal(token.span.end, cases[i].end);
        arena_free(ctx.arena);
    }
}

/* Spans cover the source exactly: what is between tokens is blank or a comment. */
static void spans(void **state)
{
    (void)state;
    const char text[] = "model m(a = 1 GiB) {\n  x = f(\"s\", [0..3]) # c\n  y = 2 devices\n}\n";
    Ctx ctx = open_ctx();
    Lexer *lexer = lexer_new(&ctx, source_add(ctx.sources, "t", text, sizeof(text) - 1));
    int32_t end = 0;
    for (Token token; lexer_next(lexer, &token), token.kind != TOKEN_EOF; end = token.span.end) {
        assert_true(token.span.start >= end && token.span.end > token.span.start);
        if (token.kind != TOKEN_STRING && token.kind != TOKEN_END)
            assert_memory_equal(token.text, text + token.span.start, strlen(token.text));
    }
    assert_int_equal(end, sizeof(text) - 1);
    assert_int_equal(lexer_comment_count(lexer), 1);
    const Comment *comment = lexer_comments(lexer);
    assert_true(comment->trailing);
    assert_memory_equal(text + comment->span.start, "# c\n", (size_t)(comment->span.end - comment->span.start) + 1);
    lexer_free(lexer);
    arena_free(ctx.arena);
}

static void nesting(void **state)
{
    (void)state;
    char text[LEXER_NESTING_LIMIT + 2];
    memset(text, '(', sizeof(text));
    Ctx ctx = open_ctx();
    Lexer *lexer = lexer_new(&ctx, source_add(ctx.sources, "t", text, sizeof(text)));
    Token token;
    for (int i = 0; i < LEXER_NESTING_LIMIT; i++) {
        lexer_next(lexer, &token);
        assert_int_equal(token.kind, TOKEN_LEFT_PAREN);
    }
    lexer_next(lexer, &token);
    assert_int_equal(token.kind, TOKEN_INVALID);
    assert_int_equal(token.fault, FAULT_NESTING);
    lexer_free(lexer);
    arena_free(ctx.arena);
}

static void open_blocks(void **state)
{
    (void)state;
    Ctx ctx = open_ctx();
    const char text[] = "model m {\n repeat b[2] {\n x }\n y";
    Lexer *lexer = lexer_new(&ctx, source_add(ctx.sources, "t", text, sizeof(text) - 1));
    Token token;
    OpenBlock block;
    lexer_next(lexer, &token);
    assert_false(lexer_open_block(lexer, &block));
    while (strcmp(token.text, "x") != 0)
        lexer_next(lexer, &token);
    assert_true(lexer_open_block(lexer, &block));
    assert_string_equal(block.keyword, "repeat");
    while (strcmp(token.text, "y") != 0)
        lexer_next(lexer, &token);
    assert_true(lexer_open_block(lexer, &block));
    assert_string_equal(block.keyword, "model");
    assert_string_equal(lexer_statement_start(lexer).text, "y");
    lexer_free(lexer);
    arena_free(ctx.arena);
}

/* In damaged text a block may follow no statement at all. */
static void block_without_a_word(void **state)
{
    (void)state;
    Ctx ctx = open_ctx();
    const char text[] = "} {\n x";
    Lexer *lexer = lexer_new(&ctx, source_add(ctx.sources, "t", text, sizeof(text) - 1));
    Token token;
    OpenBlock block;
    do
        lexer_next(lexer, &token);
    while (token.kind != TOKEN_WORD);
    assert_true(lexer_open_block(lexer, &block));
    assert_string_equal(block.keyword, "");
    lexer_free(lexer);
    arena_free(ctx.arena);
}

/* Every byte alone, and every pair with a quote, a digit, a letter. */
static void every_byte(void **state)
{
    (void)state;
    Ctx ctx = open_ctx();
    const char partners[] = {'"', '1', 'a', '\\', '#', '\n', '\0'};
    for (int byte = 0; byte < 256; byte++) {
        for (size_t i = 0; i < sizeof(partners); i++) {
            const char text[] = {partners[i], (char)byte, partners[i], (char)byte};
            assert_non_null(tokens_of(&ctx, text, sizeof(text)));
        }
    }
    assert_string_equal(tokens_of(&ctx, "a\0b", 3), "WORD(a) INVALID WORD(b)");
    arena_free(ctx.arena);
}

static void long_tokens(void **state)
{
    (void)state;
    enum { LENGTH = 1000000 };
    char *text = malloc(LENGTH);
    const char fills[] = {'a', '1', '"', '#', '(', '\xff', ' ', '.', '\\'};
    for (size_t i = 0; i < sizeof(fills); i++) {
        memset(text, fills[i], LENGTH);
        Ctx ctx = open_ctx();
        Lexer *lexer = lexer_new(&ctx, source_add(ctx.sources, "t", text, LENGTH));
        Token token;
        int count = 0;
        do {
            lexer_next(lexer, &token);
            count++;
        } while (token.kind != TOKEN_EOF);
        assert_in_range(count, 1, LENGTH + 1);
        lexer_free(lexer);
        arena_free(ctx.arena);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),
        cmocka_unit_test(numbers),
        cmocka_unit_test(faults),
        cmocka_unit_test(spans),
        cmocka_unit_test(nesting),
        cmocka_unit_test(open_blocks),
        cmocka_unit_test(block_without_a_word),
        cmocka_unit_test(every_byte),
        cmocka_unit_test(long_tokens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
