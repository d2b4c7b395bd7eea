/* Sources: lines and columns from byte offsets. */
#include "base/ctx.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct PositionCase {
    const char *text;
    int32_t offset;
    int line, column;
} PositionCase;

static const PositionCase position_cases[] = {
    {"", 0, 1, 1},
    {"abc", 0, 1, 1},
    {"abc", 3, 1, 4},
    {"abc", 99, 1, 4}, /* beyond the end: the end */
    {"a\nb", 1, 1, 2}, /* the newline belongs to its line */
    {"a\nb", 2, 2, 1},
    {"\n\n\n", 2, 3, 1},
    {"a\n", 2, 2, 1},          /* after the last newline */
    {"\ta", 1, 1, 2},          /* a tab is one column */
    {"\xc3\xa9 = 1", 3, 1, 3}, /* two bytes, one column */
    {"\xe2\x82\xac\xc3\xa9x", 5, 1, 3},
    {"a\r\nb", 3, 2, 1},
};

static void positions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(position_cases) / sizeof(position_cases[0]); i++) {
        const PositionCase *c = &position_cases[i];
        Arena *arena = arena_new();
        Sources *sources = sources_new(arena);
        int source = source_add(sources, "t", c->text, strlen(c->text));
        LineColumn at = source_position(sources, source, c->offset);
        if (at.line != c->line || at.column != c->column)
            fail_msg("case %zu: %d:%d instead of %d:%d", i, at.line, at.column, c->line, c->column);
        arena_free(arena);
    }
}

/* Against counting newlines one by one. */
static void positions_of_every_offset(void **state)
{
    (void)state;
    const char text[] = "one\n\nthree\r\n    four \xc3\xa9\n\nsix";
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    int source = source_add(sources, "t", text, sizeof(text) - 1);
    int line = 1, column = 1;
    for (int32_t offset = 0; offset < (int32_t)sizeof(text) - 1; offset++) {
        LineColumn at = source_position(sources, source, offset);
        assert_int_equal(at.line, line);
        assert_int_equal(at.column, column);
        column += (text[offset] & 0xc0) != 0x80;
        if (text[offset] == '\n') {
            line++;
            column = 1;
        }
    }
    arena_free(arena);
}

static void line_texts(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    int source = source_add(sources, "t", "one\r\n\nthree", 11);
    const char *const lines[] = {"one", "", "three"};
    for (int i = 0; i < 3; i++) {
        int length;
        const char *text = source_line_text(sources, source, i + 1, &length);
        assert_int_equal(length, strlen(lines[i]));
        assert_memory_equal(text, lines[i], strlen(lines[i]));
    }
    arena_free(arena);
}

static void read_errors(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    errno = 0;
    assert_int_equal(source_read(sources, "/nonexistent/file.place"), 0);
    assert_int_equal(errno, ENOENT);
    errno = 0;
    assert_int_equal(source_read(sources, "/"), 0);
    assert_int_equal(errno, EISDIR);
    arena_free(arena);
}

/* Longer than the first buffer, with zero bytes inside. */
static void read_all_bytes(void **state)
{
    (void)state;
    enum { BYTES = 100000 };
    char path[] = "/tmp/place-source-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "wb");
    for (int i = 0; i < BYTES; i++)
        fputc(i % 251, file);
    fclose(file);
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    int source = source_read(sources, path);
    remove(path);
    assert_true(source > 0);
    const Source *read = source_of(sources, (Span){source, 0, 0});
    assert_int_equal(read->length, BYTES);
    for (int i = 0; i < BYTES; i++)
        assert_int_equal((unsigned char)read->text[i], i % 251);
    arena_free(arena);
}

static void spans(void **state)
{
    (void)state;
    assert_false(span_known((Span){0}));
    Span joined = span_join((Span){1, 3, 5}, (Span){1, 8, 9});
    assert_int_equal(joined.start, 3);
    assert_int_equal(joined.end, 9);
    assert_int_equal(span_join((Span){0}, (Span){1, 8, 9}).start, 8);
    assert_int_equal(span_join((Span){1, 3, 5}, (Span){0}).end, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions),      cmocka_unit_test(positions_of_every_offset),
        cmocka_unit_test(line_texts),     cmocka_unit_test(read_errors),
        cmocka_unit_test(read_all_bytes), cmocka_unit_test(spans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
