/* What is in an arena: lists that grow, names that differ, bytes that are taken. */
#include "base/escape.h"
#include "base/random.h"
#include "base/ranges.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Memory ------------------------------------------------------------------------------------------------- */

static void assert_zero(const char *memory, size_t bytes)
{
    char any = 0;
    for (size_t i = 0; i < bytes; i++)
        any |= memory[i];
    assert_int_equal(any, 0);
}

static void test_extend(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    char *first = arena_alloc(arena, 20);
    memset(first, 'a', 20);
    assert_true(arena_extend(arena, first, 20, 50));
    assert_int_equal(first[19], 'a');
    assert_zero(first + 32, 18); /* from the next multiple of 16 on */
    char *second = arena_alloc(arena, 8);
    assert_true(second >= first + 50);
    assert_false(arena_extend(arena, first, 50, 60)); /* `second` is after it */
    assert_false(arena_extend(arena, second, 8, (size_t)1 << 30));
    assert_true(arena_extend(arena, second, 8, 9));
    arena_free(arena);
}

/* Through all sizes of chunks, and what is larger than any. */
static void test_much(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    char *filled[300];
    size_t bytes[300];
    for (int i = 0; i < 300; i++) {
        bytes[i] = i % 100 == 99 ? 5000000 : 1 + (size_t)i * 997 % 60000;
        filled[i] = arena_alloc(arena, bytes[i]);
        assert_int_equal((uintptr_t)filled[i] % 16, 0);
        assert_zero(filled[i], bytes[i]);
        memset(filled[i], 1 + i % 100, bytes[i]);
    }
    for (int i = 0; i < 300; i++)
        for (size_t j = 0; j < bytes[i]; j++)
            assert_int_equal(filled[i][j], 1 + i % 100);
    assert_true(arena_size(arena) >= 15000000);
    arena_free(arena);
}

/* What was reset is zeroed when it is allocated again, and takes as much memory each time. */
static void test_reset(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    arena_reset(arena);
    size_t size = 0;
    for (int round = 0; round < 1000; round++) {
        unsigned char *small = arena_alloc(arena, 100), *large = arena_alloc(arena, 1 << 20);
        for (int i = 0; i < 100; i++)
            assert_int_equal(small[i] | large[i << 10], 0);
        memset(small, round, 100);
        memset(large, round, 1 << 20);
        assert_true(round == 0 || arena_size(arena) == size);
        size = arena_size(arena);
        arena_reset(arena);
        assert_true(arena_size(arena) < size);
    }
    arena_free(arena);
}

static void fill_arenas(char filler)
{
    enum { ARENAS = 3, PIECES = 100, MORE = 1000 };
    Arena *arenas[ARENAS];
    for (int a = 0; a < ARENAS; a++) {
        arenas[a] = arena_new();
        for (int i = 0; i < PIECES; i++) {
            size_t bytes = 60000 - (size_t)filler * 1000;
            char *filled = arena_alloc(arenas[a], bytes);
            bytes += arena_extend(arenas[a], filled, bytes, bytes + MORE) ? MORE : 0;
            assert_zero(filled, bytes);
            memset(filled, filler, bytes);
        }
    }
    for (int a = 0; a < ARENAS; a++)
        arena_free(arenas[a]);
}

/* What an escape keeps of arenas that were freed is zeroed for the next ones, also where an allocation grows into it;
 * it is not all of it, and an escape inside has its own. */
static void test_spare(void **state)
{
    (void)state;
    Escape outer, inner;
    escape_begin(&outer);
    fill_arenas(1);
#ifndef __SANITIZE_ADDRESS__
    assert_in_range(outer.spare_bytes, 1 << 20, 16 << 20);
#endif
    fill_arenas(2);
    escape_begin(&inner);
    fill_arenas(3);
    escape_end(&inner);
    fill_arenas(4);
    escape_end(&outer);
    assert_null(escape_current());
}

/* Two lists that grow in turn, one that grows alone, and a copy that goes its own way. */
static void test_lists(void **state)
{
    (void)state;
    typedef Vec(int) Numbers;
    Arena *arena = arena_new();
    Numbers x = {0}, y = {0}, alone = {0};
    for (int i = 0; i < 1000; i++) {
        vec_push(arena, &x, i);
        vec_push(arena, &y, -i);
    }
    for (int i = 0; i < 64; i++)
        vec_push(arena, &alone, i);
    Numbers copy = alone;
    assert_int_equal(alone.count, alone.capacity);
    vec_push(arena, &alone, 100);
    vec_push(arena, &copy, 200);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(x.data[i], i);
        assert_int_equal(y.data[i], -i);
    }
    for (int i = 0; i < 64; i++)
        assert_true(alone.data[i] == i && copy.data[i] == i);
    assert_int_equal(alone.data[64], 100);
    assert_int_equal(copy.data[64], 200);
    arena_free(arena);
}

/* ---- Names -------------------------------------------------------------------------------------------------- */

static void test_unique_names(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    StrTable *table = str_table_new(arena);
    static const char *const names[][2] = {{"x", "x"},   {"x", "x.2"},     {"x.3", "x.3"},
                                           {"x", "x.4"}, {"x.2", "x.2.2"}, {"y", "y"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *unique = str_intern_unique(table, names[i][0]);
        assert_string_equal(unique, names[i][1]);
        assert_ptr_equal(unique, str_intern_z(table, names[i][1]));
    }
    arena_free(arena);
}

/* ---- Ranges ------------------------------------------------------------------------------------------------- */

enum { BYTES = 60, TRIES = 3000 };

static int add_plainly(bool *taken, ByteRange range)
{
    int fresh = 0;
    for (int64_t i = range.start; i < range.end; i++) {
        fresh += !taken[i];
        taken[i] = true;
    }
    return fresh;
}

static void assert_ranges(const ByteRanges *ranges, const bool *taken)
{
    bool listed[BYTES] = {false};
    for (int i = 0; i < ranges->count; i++) {
        assert_true(ranges->data[i].start < ranges->data[i].end);
        assert_true(i == 0 || ranges->data[i - 1].end < ranges->data[i].start);
        add_plainly(listed, ranges->data[i]);
    }
    assert_memory_equal(listed, taken, sizeof listed);
}

static int gap_plainly(const bool *taken, int start, int bytes)
{
    for (int i = start; i < start + bytes; i++)
        if (i < BYTES && taken[i])
            return gap_plainly(taken, i + 1, bytes);
    return start;
}

static void test_ranges(void **state)
{
    (void)state;
    for (int t = 0; t < TRIES; t++) {
        Arena *arena = arena_new();
        ByteRanges ranges = {0};
        bool taken[BYTES] = {false};
        for (int i = 0; i < 12; i++) {
            RandomWords drawn = random_words((uint64_t)t, 0, 0, (uint64_t)i);
            int64_t start = drawn.word[0] % BYTES, most = BYTES - start < 9 ? BYTES - start : 9;
            ByteRange range = {start, start + drawn.word[1] % (most + 1)};
            assert_int_equal(ranges_add(arena, &ranges, range), add_plainly(taken, range));
            assert_ranges(&ranges, taken);
            int from = (int)(drawn.word[2] % BYTES), bytes = 1 + (int)(drawn.word[3] % 12);
            assert_int_equal(ranges_gap(&ranges, from, bytes), gap_plainly(taken, from, bytes));
        }
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_extend), cmocka_unit_test(test_much),
                                       cmocka_unit_test(test_reset),  cmocka_unit_test(test_spare),
                                       cmocka_unit_test(test_lists),  cmocka_unit_test(test_unique_names),
                                       cmocka_unit_test(test_ranges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
