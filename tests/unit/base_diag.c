/* Diagnostics: the text form to the character, order, repeats, limits, JSON, suggestions. */
#include "base/ctx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

static const char program[] = "model line\n"
                              "    w = 1\n"
                              "\n"
                              "    y = matmul(x, w)\n"
                              "\n"
                              "\n"
                              "\n"
                              "    update w\n";

typedef struct Fixture {
    Arena *arena;
    Sources *sources;
    Diag *diag;
    int source;
} Fixture;

static Fixture open_fixture(const char *text)
{
    Fixture f = {.arena = arena_new()};
    f.sources = sources_new(f.arena);
    f.diag = diag_new(f.arena, f.sources);
    f.source = source_add(f.sources, "line.place", text, strlen(text));
    return f;
}

/* The span of the n-th occurrence of a text. */
static Span span_of(const Fixture *f, const char *text, int occurrence)
{
    const char *start = source_of(f->sources, (Span){f->source, 0, 0})->text;
    const char *at = strstr(start, text);
    while (--occurrence > 0)
        at = strstr(at + 1, text);
    assert_non_null(at);
    return (Span){f->source, (int32_t)(at - start), (int32_t)(at - start + (ptrdiff_t)strlen(text))};
}

static char *printed(const Fixture *f, bool color, int limit)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    diag_print_text(f->diag, out, color, limit);
    fclose(out);
    char *copy = arena_copy(f->arena, text, length);
    free(text);
    return copy;
}

static void expect_text(const Fixture *f, int limit, const char *expected)
{
    char *text = printed(f, false, limit);
    assert_string_equal(text, expected);
}

static void whole_diagnostic(void **state)
{
    (void)state;
    Fixture f = open_fixture(program);
    Diagnostic *d = diag_report(f.diag, P0301, span_of(&f, "w", 3), "gradient of '%s' is incomplete", "w");
    diag_primary_label(d, "partial over 'dp'");
    diag_label(d, span_of(&f, "matmul(x, w)", 1), "a rank sees its own rows");
    diag_label(d, span_of(&f, "w", 1), "every rank keeps a copy");
    diag_help(d, "sum it before the update\ncost: 4.0 MiB");
    diag_counter_example(d, "2 ranks, w = 1\nrank 0    grad 1\nrank 1    grad 3");
    diag_why(d, "copies stay equal only if every rank applies the same update.");
    diag_note(d, "see P0302 too.");
    expect_text(&f, 20,
                "line.place:8:12: error[P0301]: gradient of 'w' is incomplete\n"
                "   |\n"
                " 2 |     w = 1\n"
                "   |     - every rank keeps a copy\n"
                " 4 |     y = matmul(x, w)\n"
                "   |         ------------ a rank sees its own rows\n"
                " 8 |     update w\n"
                "   |            ^ partial over 'dp'\n"
                "   |\n"
                "   = why: copies stay equal only if every rank applies the same update.\n"
                "   = counter-example: 2 ranks, w = 1\n"
                "          rank 0    grad 1\n"
                "          rank 1    grad 3\n"
                "   = help: sum it before the update\n"
                "          cost: 4.0 MiB\n"
                "   = note: see P0302 too.\n");
    arena_free(f.arena);
}

static void order_and_repeats(void **state)
{
    (void)state;
    Fixture f = open_fixture(program);
    diag_report(f.diag, P0201, span_of(&f, "update", 1), "second");
    diag_report(f.diag, P0201, span_of(&f, "w = 1", 1), "first");
    Diagnostic *again = diag_report(f.diag, P0201, span_of(&f, "w = 1", 1), "said again");
    diag_help(again, "never shown");
    diag_report(f.diag, P0203, span_of(&f, "w = 1", 1), "another code is another fault");
    assert_int_equal(diag_count(f.diag), 3);
    assert_int_equal(diag_error_count(f.diag), 3);
    expect_text(&f, 20,
                "line.place:2:5: error[P0201]: first\n"
                "   |\n"
                " 2 |     w = 1\n"
                "   |     ^^^^^\n"
                "\n"
                "line.place:2:5: error[P0203]: another code is another fault\n"
                "   |\n"
                " 2 |     w = 1\n"
                "   |     ^^^^^\n"
                "\n"
                "line.place:8:5: error[P0201]: second\n"
                "   |\n"
                " 8 |     update w\n"
                "   |     ^^^^^^\n");
    arena_free(f.arena);
}

static void costs_next_to_errors(void **state)
{
    (void)state;
    Fixture f = open_fixture(program);
    diag_report(f.diag, P0350, span_of(&f, "w = 1", 1), "slow");
    assert_int_equal(diag_error_count(f.diag), 0);
    expect_text(&f, 20,
                "line.place:2:5: perf[P0350]: slow\n"
                "   |\n"
                " 2 |     w = 1\n"
                "   |     ^^^^^\n");
    diag_report(f.diag, P0201, span_of(&f, "update", 1), "wrong");
    assert_int_equal(diag_error_count(f.diag), 1);
    expect_text(&f, 20,
                "line.place:8:5: error[P0201]: wrong\n"
                "   |\n"
                " 8 |     update w\n"
                "   |     ^^^^^^\n");
    arena_free(f.arena);
}

static void many_repeats(void **state)
{
    (void)state;
    Fixture f = open_fixture(program);
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 1000; i++)
            diag_report(f.diag, P0201, (Span){f.source, i % 40, 40 + i / 40}, "x");
    assert_int_equal(diag_count(f.diag), 1000);
    arena_free(f.arena);
}

static void limit(void **state)
{
    (void)state;
    Fixture f = open_fixture("abc\n");
    diag_report(f.diag, P0201, (Span){f.source, 0, 1}, "one");
    diag_report(f.diag, P0201, (Span){f.source, 1, 2}, "two");
    diag_report(f.diag, P0201, (Span){f.source, 2, 3}, "three");
    expect_text(&f, 1,
                "line.place:1:1: error[P0201]: one\n"
                "   |\n"
                " 1 | abc\n"
                "   | ^\n"
                "\n"
                "... and 2 more\n");
    arena_free(f.arena);
}

static void no_place(void **state)
{
    (void)state;
    Fixture f = open_fixture("");
    diag_note(diag_report(f.diag, P0002, (Span){0}, "cannot read 'x'"), "No such file.");
    diag_report(f.diag, P0002, (Span){0}, "cannot read 'y'");
    expect_text(&f, 20,
                "placec: error[P0002]: cannot read 'x'\n"
                "   = note: No such file.\n"
                "\n"
                "placec: error[P0002]: cannot read 'y'\n");
    arena_free(f.arena);
}

/* Tabs are kept so that marks stand under their text; characters, not bytes, are counted; a span of several lines is
 * marked to the end of its first. */
static void columns(void **state)
{
    (void)state;
    Fixture f = open_fixture("\tx = \xc3\xa9\xc3\xa9 + y\nz\n");
    diag_report(f.diag, P0001, span_of(&f, "\xc3\xa9\xc3\xa9", 1), "odd");
    diag_report(f.diag, P0101, span_of(&f, "y\nz", 1), "long");
    diag_report(f.diag, P0101, (Span){f.source, 16, 16}, "end");
    expect_text(&f, 20,
                "line.place:1:6: error[P0001]: odd\n"
                "   |\n"
                " 1 | \tx = \xc3\xa9\xc3\xa9 + y\n"
                "   | \t    ^^\n"
                "\n"
                "line.place:1:11: error[P0101]: long\n"
                "   |\n"
                " 1 | \tx = \xc3\xa9\xc3\xa9 + y\n"
                "   | \t         ^\n"
                "\n"
                "line.place:3:1: error[P0101]: end\n"
                "   |\n"
                " 3 |\n"
                "   | ^\n");
    arena_free(f.arena);
}

static void several_files(void **state)
{
    (void)state;
    Fixture f = open_fixture("a\n");
    int other = source_add(f.sources, "other.place", "\n\n\n\n\n\n\n\n\n\nbcd\n", 14);
    Diagnostic *d = diag_report(f.diag, P0202, (Span){other, 11, 13}, "'bc' is declared twice");
    diag_label(d, (Span){f.source, 0, 1}, "first here");
    expect_text(&f, 20,
                "other.place:11:2: error[P0202]: 'bc' is declared twice\n"
                "    |\n"
                "    > line.place\n"
                "  1 | a\n"
                "    | - first here\n"
                "    > other.place\n"
                " 11 | bcd\n"
                "    |  ^^\n");
    arena_free(f.arena);
}

/* Bytes that a terminal would obey, and bytes that are no UTF-8, are shown as U+FFFD. */
static void hostile_text(void **state)
{
    (void)state;
    Fixture f = open_fixture("a\033[31m \xff\xfe z\n");
    diag_report(f.diag, P0001, span_of(&f, "z", 1), "name '\a'");
    expect_text(&f, 20,
                "line.place:1:11: error[P0001]: name '\xef\xbf\xbd'\n"
                "   |\n"
                " 1 | a\xef\xbf\xbd[31m \xef\xbf\xbd\xef\xbf\xbd z\n"
                "   |           ^\n");
    char *text = printed(&f, false, 20);
    assert_null(strchr(text, '\033'));
    arena_free(f.arena);
}

static void long_line(void **state)
{
    (void)state;
    enum { LENGTH = 1000000 };
    char *line = malloc(LENGTH + 1);
    memset(line, 'a', LENGTH);
    line[LENGTH] = '\0';
    line[LENGTH / 2] = '@';
    Fixture f = open_fixture(line);
    diag_report(f.diag, P0001, (Span){f.source, LENGTH / 2, LENGTH / 2 + 1}, "bad");
    char *text = printed(&f, false, 20);
    assert_true(strlen(text) < 1000);
    const char *at = strchr(text, '@'), *mark = strchr(text, '^');
    assert_non_null(at);
    assert_non_null(mark);
    /* The mark stands under the character: the same distance from the line's start. */
    const char *at_start = at, *mark_start = mark;
    while (at_start[-1] != '\n')
        at_start--;
    while (mark_start[-1] != '\n')
        mark_start--;
    assert_int_equal(at - at_start, mark - mark_start);
    free(line);
    arena_free(f.arena);
}

static void color_only_if_asked(void **state)
{
    (void)state;
    Fixture f = open_fixture("a\n");
    diag_report(f.diag, P0101, (Span){f.source, 0, 1}, "x");
    char *plain = printed(&f, false, 20), *colored = printed(&f, true, 20);
    assert_null(strchr(plain, '\033'));
    /* Without the escapes, it is the same text. */
    char *to = colored;
    for (const char *from = colored; *from != '\0';) {
        if (*from == '\033')
            from = strchr(from, 'm') + 1;
        else
            *to++ = *from++;
    }
    *to = '\0';
    assert_string_equal(colored, plain);
    arena_free(f.arena);
}

static void json(void **state)
{
    (void)state;
    Fixture f = open_fixture(program);
    Diagnostic *d = diag_report(f.diag, P0301, span_of(&f, "w", 3), "bad \"\xff\"");
    diag_label(d, span_of(&f, "w", 1), "here");
    diag_why(d, "because");
    diag_help(d, "one\ntwo");
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    diag_print_json(f.diag, out);
    fclose(out);
    cJSON *document = cJSON_Parse(text);
    assert_non_null(document);
    assert_int_equal(cJSON_GetObjectItem(document, "format_version")->valueint, 1);
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(document, "diagnostics"), 0);
    assert_string_equal(cJSON_GetObjectItem(first, "code")->valuestring, "P0301");
    assert_string_equal(cJSON_GetObjectItem(first, "severity")->valuestring, "error");
    assert_string_equal(cJSON_GetObjectItem(first, "message")->valuestring, "bad \"\xef\xbf\xbd\"");
    assert_int_equal(cJSON_GetObjectItem(first, "line")->valueint, 8);
    assert_int_equal(cJSON_GetObjectItem(first, "column")->valueint, 12);
    assert_int_equal(cJSON_GetObjectItem(first, "end_column")->valueint, 13);
    const cJSON *label = cJSON_GetArrayItem(cJSON_GetObjectItem(first, "labels"), 0);
    assert_int_equal(cJSON_GetObjectItem(label, "line")->valueint, 2);
    assert_string_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(first, "help"), 0)->valuestring, "one\ntwo");
    cJSON_Delete(document);
    free(text);
    arena_free(f.arena);
}

static void codes(void **state)
{
    (void)state;
    for (int i = 0; i < DIAG_CODE_COUNT; i++) {
        DiagCode code;
        assert_true(diag_code_parse(diag_code_name((DiagCode)i), &code));
        assert_int_equal(code, i);
        assert_true(diag_code_title((DiagCode)i)[0] != '\0');
        if (i > 0) /* the rows are sorted */
            assert_true(strcmp(diag_code_name((DiagCode)(i - 1)), diag_code_name((DiagCode)i)) < 0);
    }
    DiagCode code;
    assert_false(diag_code_parse("P9999", &code));
    assert_false(diag_code_parse("", &code));
}

static void suggestions(void **state)
{
    (void)state;
    const char *const names[] = {"model", "mode", "mesh", "strategy", "parameters", "x", "w"};
    static const struct {
        const char *name, *best;
    } cases[] = {
        {"modle", "model"},
        {"stratgy", "strategy"},
        {"paramters", "parameters"},
        {"parameterss", "parameters"},
        {"mehs", "mesh"},
        {"cluster", NULL},
        {"", NULL},
        {"y", NULL},
        {"strategies", "strategy"},
        {"gradients", NULL},
        {"Strategy", "strategy"},
        {"PARA_METERS", "parameters"},
        {"params", "parameters"},
        {"Params", "parameters"},
        {"parallelism", "strategy"},
        {"grads", NULL}, /* 'gradients' is not known here */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *best = diag_suggest(cases[i].name, names, sizeof(names) / sizeof(names[0]));
        if (best != cases[i].best && (best == NULL || cases[i].best == NULL || strcmp(best, cases[i].best) != 0))
            fail_msg("'%s': %s instead of %s", cases[i].name, best ? best : "-", cases[i].best ? cases[i].best : "-");
    }
    char huge[1000];
    memset(huge, 'm', sizeof(huge) - 1);
    huge[sizeof(huge) - 1] = '\0';
    assert_null(diag_suggest(huge, names, 7));
    const char *const long_names[] = {huge};
    assert_null(diag_suggest("mmmm", long_names, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_diagnostic),
        cmocka_unit_test(order_and_repeats),
        cmocka_unit_test(costs_next_to_errors),
        cmocka_unit_test(many_repeats),
        cmocka_unit_test(limit),
        cmocka_unit_test(no_place),
        cmocka_unit_test(columns),
        cmocka_unit_test(several_files),
        cmocka_unit_test(hostile_text),
        cmocka_unit_test(long_line),
        cmocka_unit_test(color_only_if_asked),
        cmocka_unit_test(json),
        cmocka_unit_test(codes),
        cmocka_unit_test(suggestions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
