/* One error per cause: where a token of a right program is missing, doubled or another one, and so a syntax error is
 * reported, nothing else is reported; names and lines that were not understood are not missed. */
#include "lexer/lexer.h"
#include "parser/parser.h"
#include "sema/sema.h"
#include "tests/sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const paths[] = {"examples/gpt.place", "examples/images.place",    "examples/llama.place",
                                    "examples/moe.place", "tests/dump/mixture.place", "tests/dump/explicit.place"};

static Ctx open_ctx(void)
{
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    return (Ctx){.arena = arena, .strings = str_table_new(arena), .sources = sources, .diag = diag_new(arena, sources)};
}

/* The text with bytes [at, end) replaced. */
static const char *edited(Arena *arena, const char *text, Span token, const char *by)
{
    return arena_printf(arena, "%.*s%s%s", (int)token.start, text, by, text + token.end);
}

/* One in every so many tokens is damaged. */
enum { TOKENS = SANITIZED ? 4 : 1, LEAST_DAMAGED = 3000 / TOKENS };

static int damaged;

/* A part that is given twice is understood but for one of the two. */
static bool has_syntax_error(const Ctx *ctx)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    diag_print_text(ctx->diag, out, false, 1);
    fclose(out);
    bool found = diag_error_count(ctx->diag) > 0 && strstr(text, "error[P0208]") == NULL;
    free(text);
    return found;
}

static void expect_syntax_errors_only(const char *path, const char *text)
{
    Ctx ctx = open_ctx();
    const Train *train;
    const Assignment *assignment;
    const Ast *ast = parser_run(&ctx, source_add(ctx.sources, path, text, strlen(text)));
    int errors = diag_error_count(ctx.diag);
    if (has_syntax_error(&ctx)) {
        damaged++;
        assert_false(sema_run(&ctx, ast, &train, &assignment));
        if (diag_error_count(ctx.diag) > errors) {
            diag_print_text(ctx.diag, stderr, false, 20);
            fail_msg("more is reported than the syntax");
        }
    }
    arena_free(ctx.arena);
}

static void damage(const char *path)
{
    static const char *const others[] = {"", ")", "{", "}", ",", "=", "over", "\n"};
    Ctx ctx = open_ctx();
    int index = source_read(ctx.sources, path);
    if (index == 0)
        fail_msg("%s cannot be read: run from the root of the tree", path);
    const Source *source = source_of(ctx.sources, (Span){index, 0, 0});
    Lexer *lexer = lexer_new(&ctx, index);
    int number = 0;
    for (Token token; lexer_next(lexer, &token), token.kind != TOKEN_EOF;) {
        if (number++ % TOKENS != 0)
            continue;
        Arena *arena = arena_new();
        const char *text =
            arena_printf(arena, "%.*s", (int)(token.span.end - token.span.start), source->text + token.span.start);
        expect_syntax_errors_only(path,
                                  edited(arena, source->text, token.span, arena_printf(arena, "%s %s", text, text)));
        for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
            expect_syntax_errors_only(path, edited(arena, source->text, token.span, others[i]));
        arena_free(arena);
    }
    lexer_free(lexer);
    arena_free(ctx.arena);
}

static void syntax_errors_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        damage(paths[i]);
    print_message("%d damaged programs\n", damaged);
    assert_true(damaged > LEAST_DAMAGED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(syntax_errors_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
