/* The one style, case by case: what was written, what it becomes. Each result is its own result. */
#include "fmt/fmt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct Case {
    const char *text, *formatted; /* NULL: the text as it is */
} Case;

static Ctx open_ctx(void)
{
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    return (Ctx){.arena = arena, .strings = str_table_new(arena), .sources = sources, .diag = diag_new(arena, sources)};
}

static const char *format(Ctx *ctx, const char *text)
{
    size_t length;
    const char *formatted = fmt_text(ctx, source_add(ctx->sources, "t.place", text, strlen(text)), &length);
    if (formatted == NULL) {
        diag_print_text(ctx->diag, stderr, false, 20);
        fail_msg("this does not parse: %s", text);
    }
    assert_int_equal(length, strlen(formatted));
    return formatted;
}

static void expect_cases(const Case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Ctx ctx = open_ctx();
        const char *wanted = cases[i].formatted != NULL ? cases[i].formatted : cases[i].text;
        assert_string_equal(format(&ctx, cases[i].text), wanted);
        assert_string_equal(format(&ctx, wanted), wanted);
        arena_free(ctx.arena);
    }
}

#define EXPECT(...)                                                                                                    \
    do {                                                                                                               \
        (void)state;                                                                                                   \
        static const Case cases[] = {__VA_ARGS__};                                                                     \
        expect_cases(cases, sizeof(cases) / sizeof(cases[0]));                                                         \
    } while (0)

static void blanks(void **state)
{
    EXPECT({"", NULL}, {"\n \n", ""}, {"place   1", "place 1\n"}, {"\n\nplace 1\n\n\n", "place 1\n"},
           {"place 1\r\nimport \"a\"\r\n", "place 1\nimport \"a\"\n"},
           {"place 1;import \"a\"", "place 1\nimport \"a\"\n"},
           {"model m ( a=1 , b:axis=2,) { x=f ( a ,b , w=c.d [ 0 .. n , * ] ) as l }\n",
            "model m(a = 1, b: axis = 2,) { x = f(a, b, w = c.d[0..n, *]) as l }\n"},
           {"model m { x = - a*-( b+c )-d }\n", "model m { x = -a * -(b + c) - d }\n"},
           {"model m { loss = mean over a,b of ( x ) where ( m<n ) }\n",
            "model m { loss = mean over a, b of (x) where (m < n) }\n"},
           {"mesh m on c { data :4,t: 2*n; u :(2) }\n", "mesh m on c { data: 4, t: 2 * n; u: (2) }\n"},
           {"strategy s { sync norm:none when n>1 derive   the rest }\n",
            "strategy s { sync norm : none when n > 1 derive the rest }\n"},
           {"cluster c { 16  nodes of 8 h100 at 400Gbit/s,1 GiB }\n",
            "cluster c { 16 nodes of 8 h100 at 400Gbit/s, 1 GiB }\n"},
           {"strategy s {\n}\n", "strategy s {}\n"}, {"strategy s {;}\n", "strategy s {}\n"});
}

/* A quotient of two words or numbers is written close, unless a number before it could take it for its unit. */
static void quotients(void **state)
{
    EXPECT({"model m { x = 1 / t }\n", "model m { x = 1/t }\n"},
           {"model m { x = a/b*c }\n", "model m { x = a/b * c }\n"},
           {"model m { x = c*a/b }\n", "model m { x = c * a / b }\n"},
           {"model m { x = a/-1 }\n", "model m { x = a/-1 }\n"}, {"model m { x = -1/t }\n", NULL},
           {"model m { x = (a)/(b) }\n", "model m { x = (a) / (b) }\n"},
           {"model m { x = a.b/c }\n", "model m { x = a.b / c }\n"},
           {"model m { x = 2 B/ s }\n", "model m { x = 2 B / s }\n"}, {"cluster c { 16 Gbit / s }\n", NULL},
           {"cluster c { 16 of a / b }\n", "cluster c { 16 of a/b }\n"});
}

static void columns(void **state)
{
    EXPECT(
        {"model m {\n    input a, b : int\n    input c  : f32\n    x = f(a)\n    loss=g(x)\n}\n",
         "model m {\n    input a, b : int\n    input c    : f32\n    x    = f(a)\n    loss = g(x)\n}\n"},
        /* An empty line, or a block, separates; a comment does not. */
        {"model m {\n    a = 1\n\n    bcd = 2\n    # why\n    e = 3\n    repeat r[2] { x = 1 }\n    xyz = 1\n}\n",
         "model m {\n    a = 1\n\n    bcd = 2\n    # why\n    e   = 3\n    repeat r[2] { x = 1 }\n    xyz = 1\n}\n"},
        /* Labels at the end of the line. */
        {"model m {\n    x = f(x) as a\n    x = x + g(h(x) as z) as bcd\n    y = f(x) as p + f(x) as q\n    z = f(y) "
         "as r\n}\n",
         "model m {\n    x = f(x)             as a\n    x = x + g(h(x) as z) as bcd\n    y = f(x) as p + f(x) as q\n"
         "    z = f(y) as r\n}\n"},
        {"strategy s {\n    parameters gathered over d\n    gradients sharded over d\n    parameters of a.b "
         "replicated\n"
         "    activations replicated\n    optimizer sharded over d by rows\n}\n",
         "strategy s {\n    parameters  gathered over d\n    gradients   sharded  over d\n"
         "    parameters of a.b replicated\n    activations replicated\n    optimizer   sharded over d by rows\n}\n"},
        {"strategy s {\n    sync gradients of a, b : sum\n    sync norm : none\n}\n",
         "strategy s {\n    sync gradients of a, b : sum\n    sync norm              : none\n}\n"},
        {"train m on c {\n    batch 8\n    assert memory < 1 GiB\n}\n",
         "train m on c {\n    batch  8\n    assert memory < 1 GiB\n}\n"},
        {"mode m over a {\n    rest nothing\n    use replicated over a\n}\n",
         "mode m over a {\n    rest nothing\n    use  replicated over a\n}\n"},
        {"state s {\n    one per parameter\n    update after optimizer:2 * s\n}\n",
         "state s {\n    one per parameter\n    update after optimizer : 2 * s\n}\n"},
        {"cluster c {\n    4 devices of cpu\n    400 of x\n}\n", NULL});
}

static void lines(void **state)
{
    EXPECT({"model m { x = 1; y = 2\n}\n", "model m {\n    x = 1\n    y = 2\n}\n"},
           {"model m {\n\n    x = 1\n\n\n    y = 2\n\n}\n", "model m {\n    x = 1\n\n    y = 2\n}\n"},
           {"model m { x = 1; repeat r[2] { y = 2; z = 3 } }\n", NULL},
           {"train m on c { strategy a; search over d { x 1 } }\n", NULL},
           /* Where a statement is broken. */
           {"train m on c {\n    strategy a(x) *\n  b(y) *\n     c(z)\n    optimizer s\n}\n",
            "train m on c {\n    strategy  a(x) *\n              b(y) *\n              c(z)\n    optimizer s\n}\n"},
           {"model m {\n    x = f(a,\n  g(b,\nc), d\n)\n}\n",
            "model m {\n    x = f(a,\n          g(b,\n            c), d\n         )\n}\n"},
           {"model m {\n  x = f(\na,\nb\n)\n  y =\n1\n}\n",
            "model m {\n    x = f(\n        a,\n        b\n    )\n    y =\n        1\n}\n"},
           {"model m(\na = 1,\nb = 2) { x = 1 }\n", "model m(\n    a = 1,\n    b = 2) { x = 1 }\n"},
           {"strategy s {\n    sync gradients of a,\n b : sum\n}\n",
            "strategy s {\n    sync gradients of a,\n        b : sum\n}\n"},
           /* 120 columns hold a block of one line. */
           {"model m { x = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa + "
            "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb; y = z }\n",
            NULL},
           {"model m { x = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa + "
            "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb; yy = z }\n",
            "model m {\n    x  = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa + "
            "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n    yy = z\n}\n"});
}

static void comments(void **state)
{
    EXPECT({"#a\nplace 1#b  \n\n  # c\n", "#a\nplace 1  #b\n\n# c\n"},
           {"place 1; # b\nimport \"x\"", "place 1  # b\nimport \"x\"\n"},
           {"model m { # a\n# b\nx = 1 # c\n\n\n# d\n} # e\n",
            "model m {  # a\n    # b\n    x = 1  # c\n\n    # d\n}  # e\n"},
           {"model m { x = 1 # c\n}", "model m {\n    x = 1  # c\n}\n"},
           {"strategy s { # why\n}\n", "strategy s {  # why\n}\n"},
           {"strategy s {\n# why\n}\n", "strategy s {\n    # why\n}\n"},
           /* After lines next to each other they begin at one column. */
           {"model m {\n    x = 1 # a\n    loss = \"\303\251\" # b\n    y = 2\n    z = 3 # c\n}\n",
            "model m {\n    x    = 1    # a\n    loss = \"\303\251\"  # b\n    y    = 2\n    z    = 3  # c\n}\n"},
           /* Inside a statement. */
           {"model m {\n    x = f( # a\na, # bc\n# d\nb # e\n)\n    y = # f\n    # g\n    1\n}\n",
            "model m {\n    x = f(  # a\n        a,  # bc\n        # d\n        b  # e\n    )\n    y =  # f\n"
            "        # g\n        1\n}\n"});
}

static void refused(void **state)
{
    (void)state;
    const char *const texts[] = {"model", "place 1\nmodel m { x = }\n", "place 1 \001", "strategy s { a b by c by d }"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        Ctx ctx = open_ctx();
        size_t length;
        assert_null(fmt_text(&ctx, source_add(ctx.sources, "t.place", texts[i], strlen(texts[i])), &length));
        assert_true(diag_error_count(ctx.diag) > 0);
        arena_free(ctx.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blanks), cmocka_unit_test(quotients), cmocka_unit_test(columns),
        cmocka_unit_test(lines),  cmocka_unit_test(comments),  cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
