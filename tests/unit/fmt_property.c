/* Whatever is formatted: the result is its own result, has the same tree and comments, and does not depend on blanks.
 *
 * The texts are every program of the tree (files, and examples in the documentation), and variants of each from a fixed
 * seed: other blanks between the same tokens, then other lines and comments wherever the language lets them stand.
 */
#include "fmt/fmt.h"
#include "lexer/lexer.h"
#include "parser/parser.h"
#include "tests/sanitized.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { VARIANTS = SANITIZED ? 3 : 12, LEAST_PROGRAMS = 100 };

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static int random_below(int limit)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (int)((random_state * 0x2545f4914f6cdd1du >> 33) % (uint64_t)limit);
}

static Ctx open_ctx(void)
{
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    return (Ctx){.arena = arena, .strings = str_table_new(arena), .sources = sources, .diag = diag_new(arena, sources)};
}

/* ---- What must stay ----------------------------------------------------------------------------------------- */

static bool ends_with(const char *text, int bytes, const char *end)
{
    int length = (int)strlen(end);
    return bytes >= length && memcmp(text + bytes - length, end, (size_t)length) == 0;
}

/* The dumped tree without positions, and without blanks at the end of comments; NULL if the text does not parse. */
static const char *tree_of(Ctx *ctx, const char *text, size_t length)
{
    char *dump;
    size_t bytes;
    int errors = diag_error_count(ctx->diag);
    const Ast *ast = parser_run(ctx, source_add(ctx->sources, "t.place", text, length));
    if (diag_error_count(ctx->diag) > errors)
        return NULL;
    FILE *out = open_memstream(&dump, &bytes);
    ast_print(ast, out);
    fclose(out);
    Text tree = {.arena = ctx->arena};
    text_add_bytes(&tree, "", 0);
    for (const char *line = dump; *line != '\0'; line += strcspn(line, "\n") + 1) {
        const char *at = line + strspn(line, " ");
        const char *kind = at + strspn(at, "0123456789:");
        int end = (int)strcspn(kind, "\n");
        const char *owner = memmem(kind, (size_t)end, " comment ", 9);
        if (owner != NULL) { /* leading comment of 4:1 "# text " */
            const char *quoted = strchr(owner, '"');
            int quoted_bytes = end - (int)(quoted - kind) - 1;
            while (ends_with(quoted, quoted_bytes, " ") || ends_with(quoted, quoted_bytes, "\\x09"))
                quoted_bytes -= quoted[quoted_bytes - 1] == ' ' ? 1 : 4;
            text_add(&tree, "%.*s%.*s\n", (int)(owner - kind), kind, quoted_bytes, quoted);
        } else {
            text_add(&tree, "%.*s%.*s\n", (int)(at - line), line, end, kind);
        }
    }
    free(dump);
    return tree.data;
}

static const char *format(Ctx *ctx, const char *text, size_t length)
{
    size_t bytes;
    const char *formatted = fmt_text(ctx, source_add(ctx->sources, "t.place", text, length), &bytes);
    assert_non_null(formatted);
    assert_int_equal(bytes, strlen(formatted));
    return formatted;
}

/* Fails with the first line that differs. */
static void expect_same(const char *what, const char *a, const char *b, const char *text, size_t length)
{
    int at = 0, line = 0;
    if (strcmp(a, b) == 0)
        return;
    for (; a[at] == b[at]; at++)
        line = a[at] == '\n' ? at + 1 : line;
    fprintf(stderr, "%.*s\n---- %s: '%.*s' and '%.*s'\n", (int)length, text, what, (int)strcspn(a + line, "\n"),
            a + line, (int)strcspn(b + line, "\n"), b + line);
    fail_msg("%s differs", what);
}

static const char *expect_properties(Ctx *ctx, const char *text, size_t length)
{
    const char *tree = tree_of(ctx, text, length);
    if (tree == NULL) {
        diag_print_text(ctx->diag, stderr, false, 20);
        fail_msg("this does not parse: %.*s", (int)length, text);
    }
    const char *formatted = format(ctx, text, length);
    expect_same("its own result", format(ctx, formatted, strlen(formatted)), formatted, text, length);
    expect_same("the tree", tree_of(ctx, formatted, strlen(formatted)), tree, text, length);
    return formatted;
}

/* ---- Variants ----------------------------------------------------------------------------------------------- */

static void add_blanks(Text *out, int least)
{
    for (int i = random_below(4) + least; i > 0; i--)
        text_add(out, "%s", random_below(4) == 0 ? "\t" : " ");
}

/* Other blanks in the same lines: what stands between tokens and comments, where it is no string. */
static const char *other_blanks(Ctx *ctx, const char *text, size_t length)
{
    Text out = {.arena = ctx->arena};
    int source = source_add(ctx->sources, "t.place", text, length), comments = 0, breaks;
    int32_t at = 0;
    Lexer *lexer = lexer_new(ctx, source);
    Token token = {.kind = TOKEN_END};
    while (token.kind != TOKEN_EOF) {
        lexer_next(lexer, &token);
        for (bool last = false; !last;) {
            last = comments == lexer_comment_count(lexer);
            Span span = last ? token.span : lexer_comments(lexer)[comments++].span;
            bool blank = span.start > at;
            breaks = 0;
            for (; at < span.start; at++)
                breaks += text[at] == '\n';
            for (int i = 0; i < breaks; i++, blank = false) {
                add_blanks(&out, 0);
                text_add(&out, "\n%s", i == 1 && random_below(2) == 0 ? " \n" : "");
            }
            add_blanks(&out, blank);
            text_add_bytes(&out, text + span.start, (size_t)(span.end - span.start));
            at = span.end;
        }
    }
    lexer_free(lexer);
    return out.data;
}

static void add_comment(Text *out)
{
    static const char *const comments[] = {"#", "# a", "#b ; { \" \t", "#  \303\251  "};
    text_add(out, "%s\n", comments[random_below(4)]);
}

/* Lines and comments where a line does not end a statement. */
static void add_lines(Text *out)
{
    for (int i = random_below(3); i > 0; i--) {
        add_blanks(out, 0);
        if (random_below(2) == 0)
            add_comment(out);
        else
            text_add(out, "\n");
    }
}

static void add_end(Text *out)
{
    add_blanks(out, 0);
    if (random_below(3) == 0)
        text_add(out, ";");
    else if (random_below(2) == 0)
        add_comment(out);
    else
        text_add(out, "\n");
    add_lines(out);
    if (random_below(8) == 0)
        text_add(out, ";");
}

static bool goes_on_after(TokenKind kind)
{
    return kind == TOKEN_LEFT_BRACE || kind == TOKEN_DOT_DOT || (kind >= TOKEN_COMMA && kind <= TOKEN_NOT_EQUAL);
}

/* The same tokens on other lines, with other comments. */
static const char *other_lines(Ctx *ctx, const char *text, size_t length)
{
    Text out = {.arena = ctx->arena};
    bool round[LEXER_NESTING_LIMIT + 1] = {false}; /* the open brackets: whether lines do not count in it */
    int depth = 0, end = 0;
    Lexer *lexer = lexer_new(ctx, source_add(ctx->sources, "t.place", text, length));
    add_lines(&out);
    TokenKind last = TOKEN_END;
    for (Token token; lexer_next(lexer, &token), token.kind != TOKEN_EOF; last = token.kind, end = token.span.end) {
        bool closes = token.kind == TOKEN_RIGHT_BRACE;
        if (goes_on_after(last) || round[depth] || last == TOKEN_END)
            add_lines(&out);
        else if (closes && random_below(2) == 0)
            add_end(&out);
        add_blanks(&out, token.span.start > end || last == TOKEN_END);
        if (token.kind == TOKEN_END)
            add_end(&out);
        else
            text_add_bytes(&out, text + token.span.start, (size_t)(token.span.end - token.span.start));
        if (token.kind == TOKEN_LEFT_PAREN || token.kind == TOKEN_LEFT_BRACKET || token.kind == TOKEN_LEFT_BRACE)
            round[++depth] = token.kind != TOKEN_LEFT_BRACE;
        else if (closes || token.kind == TOKEN_RIGHT_PAREN || token.kind == TOKEN_RIGHT_BRACKET)
            depth--;
    }
    lexer_free(lexer);
    return out.data;
}

/* ---- Texts -------------------------------------------------------------------------------------------------- */

static int programs;

static void try_text(const char *text, size_t length)
{
    Ctx ctx = open_ctx();
    if (tree_of(&ctx, text, length) != NULL) {
        programs++;
        const char *formatted = expect_properties(&ctx, text, length);
        for (int i = 0; i < VARIANTS; i++) {
            const char *blanks = other_blanks(&ctx, text, length);
            expect_same("the style", format(&ctx, blanks, strlen(blanks)), formatted, blanks, strlen(blanks));
            const char *lines = other_lines(&ctx, text, length);
            expect_properties(&ctx, lines, strlen(lines));
        }
    }
    arena_free(ctx.arena);
}

/* The examples of a page. */
static void try_page(const char *text)
{
    static const char open_fence[] = "\n```place\n", close_fence[] = "\n```\n";
    while ((text = strstr(text, open_fence)) != NULL) {
        text += strlen(open_fence);
        const char *end = strstr(text, close_fence);
        assert_non_null(end);
        try_text(text, (size_t)(end + 1 - text));
    }
}

static void try_files(const char *pattern)
{
    glob_t files;
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        Ctx ctx = open_ctx();
        const Source *source = source_of(ctx.sources, (Span){source_read(ctx.sources, files.gl_pathv[i]), 0, 0});
        assert_int_not_equal(source->line_count, 0);
        if (strstr(pattern, ".md") != NULL)
            try_page(source->text);
        else
            try_text(source->text, (size_t)source->length);
        arena_free(ctx.arena);
    }
    globfree(&files);
}

static void programs_of_the_tree(void **state)
{
    (void)state;
    static const char *const patterns[] = {"prelude/*.place", "examples/*.place",  "examples/*/*.place",
                                           "tests/*/*.place", "tests/*/*/*.place", "README.md",
                                           "docs/*.md",       "docs/errors/*.md"};
    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
        try_files(patterns[i]);
    print_message("%d programs, %d variants of each\n", programs, 2 * VARIANTS);
    assert_true(programs >= LEAST_PROGRAMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_of_the_tree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
