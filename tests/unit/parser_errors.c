/* Syntax errors: where and in which words, several in one run, limits, and inputs that no one would write. */
#include "parser/parser.h"
#include "tests/sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Ctx open_ctx(void)
{
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    return (Ctx){.arena = arena, .strings = str_table_new(arena), .sources = sources, .diag = diag_new(arena, sources)};
}

static Ast *parse(Ctx *ctx, const char *text, size_t length)
{
    return parser_run(ctx, source_add(ctx->sources, "t.place", text, length));
}

enum { MANY = SANITIZED ? 20000 : 100000 };

/* The first lines of all diagnostics, without the file's name. */
static const char *heads(Ctx *ctx)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    diag_print_text(ctx->diag, out, false, 0);
    fclose(out);
    Text result = {.arena = ctx->arena};
    text_add_bytes(&result, "", 0);
    for (const char *at = text; (at = strstr(at, "t.place:")) != NULL;) {
        at += strlen("t.place:");
        text_add_bytes(&result, at, strcspn(at, "\n") + 1);
    }
    free(text);
    return result.data;
}

typedef struct ErrorCase {
    const char *text, *heads;
} ErrorCase;

static const ErrorCase error_cases[] = {
    /* Declarations. */
    {"modle m { x = 1 }\nmesh p on c { a: 2 }", "1:1: error[P0101]: unexpected 'modle'\n"},
    {"place one", "1:7: error[P0101]: unexpected 'one', expected a number\n"},
    {"import gpt", "1:8: error[P0101]: unexpected 'gpt', expected a string\n"},
    {"mesh p { a: 2 }", "1:8: error[P0101]: unexpected '{', expected 'on'\n"},
    {"train m { steps 3 }", "1:9: error[P0101]: unexpected '{', expected 'on' or '('\n"},
    {"model m", "1:8: error[P0101]: unexpected end of file, expected '(' or '{'\n"},
    {"model m {", "1:10: error[P0101]: unexpected end of file, expected a name or '}'\n"},
    {"model m { } }", "1:13: error[P0101]: unexpected '}', expected end of file or end of line\n"},
    {"cluster c { }\ncluster over { 4 devices of cpu }", "2:9: error[P0101]: unexpected 'over', expected a name\n"},
    /* A damaged head does not spoil the body, a damaged body not the rest. */
    {"model m(a = ) { x = = 1 }\nmodel n { y = * }", "1:13: error[P0101]: unexpected ')', expected an expression\n"
                                                     "1:21: error[P0101]: unexpected '=', expected an expression\n"
                                                     "2:15: error[P0101]: unexpected '*', expected an expression\n"},
    {"train m() on { steps 3 }\nmodel n { y = }", "1:14: error[P0101]: unexpected '{', expected a name\n"
                                                  "2:15: error[P0101]: unexpected '}', expected an expression\n"},
    /* Statements. */
    {"model m {\n x = 1 2\n y = f(a b)\n z = @\n}",
     "2:8: error[P0101]: unexpected '2', expected an operator, end of line or '}'\n"
     "3:10: error[P0101]: unexpected 'b', expected an operator, ')' or ','\n"
     "4:6: error[P0001]: no token starts with '@'\n"},
    {"model m { x = f(a) as 3 }", "1:23: error[P0101]: unexpected '3', expected a name\n"},
    {"model m { repeat b { x = 1; y = }\n z = }", "1:20: error[P0101]: unexpected '{', expected '['\n"
                                                  "1:33: error[P0101]: unexpected '}', expected an expression\n"
                                                  "2:6: error[P0101]: unexpected '}', expected an expression\n"},
    {"model m { x = a < b < c }", "1:21: error[P0101]: unexpected '<', expected an operator, end of line or '}'\n"},
    {"strategy s(d: axis) {\n parameters\n optimizer sharded over\n}",
     "2:12: error[P0101]: unexpected end of line, expected a name or 'of'\n"
     "3:24: error[P0101]: unexpected end of line, expected a name\n"},
    {"strategy s { parameters of gathered over d }",
     "1:37: error[P0101]: unexpected 'over', expected a name, '[', ',' or '.'\n"},
    {"strategy s {\n sync gradients sum\n sync norm : over d\n sync loss : sum over d derive rest\n}",
     "2:17: error[P0101]: unexpected 'sum', expected 'of' or ':'\n"
     "3:14: error[P0101]: unexpected 'over', expected a name\n"
     "4:32: error[P0101]: unexpected 'rest', expected 'the'\n"},
    {"strategy s { p sharded over d over e by rows by batch on host on file }",
     "1:31: error[P0208]: 'over' is given twice\n"
     "1:46: error[P0208]: 'by' is given twice\n"
     "1:63: error[P0208]: 'on' is given twice\n"},
    {"strategy s { sync g : sum at step each microbatch scale 1 scale 2 }",
     "1:35: error[P0208]: 'each' is given twice\n"
     "1:59: error[P0208]: 'scale' is given twice\n"},
    {"train m on p {\n batch 8 in\n steps - 3\n seed (1)\n}",
     "3:8: error[P0101]: unexpected '-', expected a value, end of line, 'of', '}' or ':'\n"
     "4:7: error[P0101]: unexpected '(', expected a value, end of line, 'of', '}' or ':'\n"},
    /* An open bracket costs its line and the next, not the file; a closed one only itself. */
    {"model m {\n x = f(a, b\n y = 3\n z = = 4\n}",
     "3:2: error[P0101]: unexpected 'y', expected an operator, ')' or ','\n"
     "4:6: error[P0101]: unexpected '=', expected an expression\n"},
    {"model m {\n x = f(\n  a b,\n  c\n )\n z = = 4\n}",
     "3:5: error[P0101]: unexpected 'b', expected an operator, ')' or ','\n"
     "6:6: error[P0101]: unexpected '=', expected an expression\n"},
    /* Characters and strings. */
    {"import \"gpt", "1:8: error[P0003]: unterminated string\n"},
    {"import \"a\\qb\"", "1:8: error[P0001]: unknown escape in a string\n"},
    {"place 1e999", "1:7: error[P0001]: number '1e999' is too large\n"},
    {"\xef\xbb\xbfplace 1", "1:1: error[P0001]: a byte order mark\n"},
};

static void words_and_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(error_cases) / sizeof(error_cases[0]); i++) {
        Ctx ctx = open_ctx();
        assert_non_null(parse(&ctx, error_cases[i].text, strlen(error_cases[i].text)));
        assert_string_equal(heads(&ctx), error_cases[i].heads);
        arena_free(ctx.arena);
    }
}

/* What was understood is returned, with an error in place of what was not. */
static void partial_tree(void **state)
{
    (void)state;
    Ctx ctx = open_ctx();
    const char text[] =
        "place 1\nmodel m {\n a = 1\n b = = 2\n c = 3\n}\nmesh oops {}\ntrain m on p { steps 3 }\nmodel n {";
    Ast *ast = parse(&ctx, text, sizeof(text) - 1);
    const AstKind kinds[] = {AST_VERSION, AST_MODEL, AST_ERROR, AST_TRAIN};
    assert_int_equal(ast->items.count, 4); /* the model that is not closed is lost */
    for (int i = 0; i < 4; i++)
        assert_int_equal(ast->items.data[i]->kind, kinds[i]);
    const AstList *body = &ast->items.data[1]->model.body;
    assert_int_equal(body->count, 3);
    assert_int_equal(body->data[0]->kind, AST_ASSIGN);
    assert_int_equal(body->data[1]->kind, AST_ERROR);
    assert_int_equal(body->data[2]->kind, AST_ASSIGN);
    arena_free(ctx.arena);
}

static char *repeated(Arena *arena, const char *before, const char *part, int times, const char *after)
{
    Text text = {.arena = arena};
    text_add(&text, "%s", before);
    for (int i = 0; i < times; i++)
        text_add_bytes(&text, part, strlen(part));
    text_add(&text, "%s", after);
    return text.data;
}

static void expect_only(Ctx *ctx, DiagCode code, const char *text)
{
    parse(ctx, text, strlen(text));
    assert_true(diag_count(ctx->diag) > 0);
    const char *all = heads(ctx);
    for (const char *at = all; *at != '\0'; at = strchr(at, '\n') + 1) {
        const char *found = strstr(at, "error[");
        if (strncmp(found + strlen("error["), diag_code_name(code), 5) != 0)
            fail_msg("another code than %s: %s", diag_code_name(code), at);
    }
}

static void nesting(void **state)
{
    (void)state;
    static const struct {
        const char *before, *part, *after;
        int good, bad;
    } cases[] = {
        {"model m { x = ", "(", "", 0, 1000},
        {"model m {\n x = ", "f(", "1", 0, 100000},
        {"", "model m { repeat a[", "", 0, 1000},
        {"model m {\n x = 1", " + 1", "\n}\n", 400, 600},
        {"model m {\n x = 1", " + 1", "\n}\n", 400, 100000},
        {"model m {\n x = ", "-", "1\n}\n", 400, 600},
        {"model m {\n x = ", "-", "1\n}\n", 400, 1000000},
        {"model m {\n x = ", "sum over a of ", "1\n}\n", 400, 600},
        {"model m {\n x = a", ".b", "\n}\n", 400, 600},
        {"strategy s {\n sync g : sum over a scale ", "1/-", "a\n}\n", 200, 600},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Ctx ctx = open_ctx();
        if (cases[i].good > 0) {
            const char *good = repeated(ctx.arena, cases[i].before, cases[i].part, cases[i].good, cases[i].after);
            parse(&ctx, good, strlen(good));
            assert_int_equal(diag_count(ctx.diag), 0);
            expect_only(&ctx, P0102, repeated(ctx.arena, cases[i].before, cases[i].part, cases[i].bad, cases[i].after));
        } else {
            const char *bad = repeated(ctx.arena, cases[i].before, cases[i].part, cases[i].bad, cases[i].after);
            parse(&ctx, bad, strlen(bad));
            assert_non_null(strstr(heads(&ctx), "P0102"));
        }
        arena_free(ctx.arena);
    }
}

/* Wide is not deep. */
static void wide_programs(void **state)
{
    (void)state;
    Ctx ctx = open_ctx();
    const char *const texts[] = {
        repeated(ctx.arena, "model m {\n x = f(1", ", 1", MANY, ")\n}\n"),
        repeated(ctx.arena, "model m {\n", " x = 1\n", MANY, "}\n"),
        repeated(ctx.arena, "", "mesh p on c { a: 2 }\n", MANY / 5, ""),
        repeated(ctx.arena, "", "# nothing\n", MANY, ""),
        repeated(ctx.arena, "train m on p {\n batch", " 8 in", MANY, "\n}\n"),
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        parse(&ctx, texts[i], strlen(texts[i]));
        assert_int_equal(diag_count(ctx.diag), 0);
    }
    arena_free(ctx.arena);
}

/* A file that is no program ends after so many errors. */
static void gives_up(void **state)
{
    (void)state;
    Ctx ctx = open_ctx();
    const char *text = repeated(ctx.arena, "", "( @ )\n", MANY, "");
    parse(&ctx, text, strlen(text));
    assert_in_range(diag_count(ctx.diag), 100, 2000);
    arena_free(ctx.arena);
}

/* Bytes of all kinds in all places: the parser must return, with errors or without. */
static void hostile_bytes(void **state)
{
    (void)state;
    static const char program[] =
        "place 1\nmodel m(a = 1) { x = f(\"s\", 1 GiB) as y # c\n }\ntrain m on p { steps 3 }\n";
    enum { LENGTH = sizeof(program) - 1 };
    static const unsigned char bytes[] = {0, '\n', '"', '(', '{', '}', ')', '#', 0x80, 0xff, '\\', '*', ';', '.'};
    for (size_t i = 0; i < LENGTH; i++) {
        for (size_t k = 0; k < sizeof(bytes); k++) {
            char text[LENGTH];
            memcpy(text, program, LENGTH);
            text[i] = (char)bytes[k];
            Ctx ctx = open_ctx();
            assert_non_null(parse(&ctx, text, LENGTH));
            heads(&ctx);
            arena_free(ctx.arena);
        }
    }
    for (size_t length = 0; length < LENGTH; length++) {
        Ctx ctx = open_ctx();
        assert_non_null(parse(&ctx, program, length));
        heads(&ctx);
        arena_free(ctx.arena);
    }
}

static void huge_line(void **state)
{
    (void)state;
    enum { LENGTH = SANITIZED ? 200000 : 1000000 };
    char *text = malloc(LENGTH);
    const unsigned char fills[] = {0, 'a', '1', '"', '(', '{', ')', 0xff, '#', '+', '@', '.', '-'};
    for (size_t i = 0; i < sizeof(fills); i++) {
        memset(text, fills[i], LENGTH);
        Ctx ctx = open_ctx();
        assert_non_null(parse(&ctx, text, LENGTH));
        assert_true(strlen(heads(&ctx)) < 1000);
        arena_free(ctx.arena);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_places), cmocka_unit_test(partial_tree), cmocka_unit_test(nesting),
        cmocka_unit_test(wide_programs),    cmocka_unit_test(gives_up),     cmocka_unit_test(hostile_bytes),
        cmocka_unit_test(huge_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
