/* Changes of texts: what comes of the edits, where things then stand, how lines are shown, and which name is meant. */
#include "base/change.h"
#include "base/diag_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct Fixture {
    Arena *arena;
    Sources *sources;
    Diag *diag;
    int source;
    const char *text;
} Fixture;

static Fixture open_fixture(const char *text)
{
    Fixture f = {.arena = arena_new(), .text = text};
    f.sources = sources_new(f.arena);
    f.diag = diag_new(f.arena, f.sources);
    f.source = source_add(f.sources, "a.place", text, strlen(text));
    return f;
}

/* The first place where the words stand in the text. */
static Span span_of(const Fixture *f, const char *words)
{
    const char *found = strstr(f->text, words);
    assert_non_null(found);
    int32_t start = (int32_t)(found - f->text);
    return (Span){f->source, start, start + (int32_t)strlen(words)};
}

static Span after(Span span)
{
    return (Span){span.source, span.end, span.end};
}

static void expect_change(const Fixture *f, const Change *change, const char *text, const char *lines)
{
    size_t length;
    const char *changed = change_text(f->arena, f->sources, change, f->source, &length);
    assert_string_equal(changed, text);
    assert_int_equal(length, strlen(text));
    assert_string_equal(change_lines(f->arena, f->sources, change, f->source), lines);
}

static void words_of_a_line(void **state)
{
    (void)state;
    Fixture f = open_fixture("one\nsum over d, t\nlast\n");
    Change change = {.count = 2, .edit = {{span_of(&f, "sum"), "mean"}, {after(span_of(&f, "d")), " into shards"}}};
    expect_change(&f, &change, "one\nmean over d into shards, t\nlast\n",
                  "2 - sum over d, t\n2 + mean over d into shards, t");
    int32_t last = span_of(&f, "last").start, over = span_of(&f, "over").start;
    assert_int_equal(change_offset(&change, f.source, over), over + 1);
    assert_int_equal(change_offset(&change, f.source, last), last + 13);
    assert_int_equal(change_offset(&change, f.source, span_of(&f, "um").start), span_of(&f, "sum").start);
    assert_true(change_touches(&change, f.source, 4, 6));
    assert_false(change_touches(&change, f.source, 0, 3));
    assert_false(change_touches(&change, f.source, last + 13, last + 17));
    arena_free(f.arena);
}

static void whole_lines(void **state)
{
    (void)state;
    Fixture f = open_fixture("a\nb\nc\nd\n");
    Change gone = {.count = 2, .edit = {{span_of(&f, "a\n"), ""}, {span_of(&f, "c\n"), ""}}};
    expect_change(&f, &gone, "b\nd\n", "1 - a\n3 - c");
    Span third = span_of(&f, "c");
    Change more = {.count = 2, .edit = {{{f.source, third.start, third.start}, "x\ny\n"}, {span_of(&f, "d"), "e"}}};
    expect_change(&f, &more, "a\nb\nx\ny\nc\ne\n", "3 + x\n4 + y\n4 - d\n4 + e");
    arena_free(f.arena);
}

static void lines_of_another_file(void **state)
{
    (void)state;
    Fixture f = open_fixture("a\n");
    Change change = {.count = 1, .edit = {{span_of(&f, "a"), "b"}}};
    assert_string_equal(change_lines(f.arena, f.sources, &change, f.source + 1), "a.place:1 - a\na.place:1 + b");
    arena_free(f.arena);
}

static const Change *named(Fixture *f, const char *primary, const char *name)
{
    Diagnostic *d = diag_report(f->diag, P0201, span_of(f, primary), "unknown name '%s'", name);
    diag_help_name(d, name, "data");
    assert_int_equal(d->remarks.count, 1);
    assert_string_equal(d->remarks.data[0].text, "Did you mean 'data'?");
    return d->remarks.data[0].change;
}

static void names(void **state)
{
    (void)state;
    Fixture f = open_fixture("sum over dat by dat2\nsum over dat, dat\nsum of undat\n");
    const Change *change = named(&f, "sum over dat by dat2", "dat");
    assert_non_null(change);
    assert_int_equal(change->count, 1);
    assert_int_equal(change->edit[0].span.start, 9);
    assert_int_equal(change->edit[0].span.end, 12);
    assert_string_equal(change->edit[0].text, "data");
    assert_null(named(&f, "over dat, dat", "dat")); /* which of the two? */
    assert_null(named(&f, "of undat", "dat"));
    arena_free(f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_a_line),
        cmocka_unit_test(whole_lines),
        cmocka_unit_test(lines_of_another_file),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
