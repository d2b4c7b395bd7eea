/* Leaving a call of the library early: the cause and its words, and the arenas of the call. */
#include "base/escape.h"

#include "base/diag.h"
#include "tests/sanitized.h"
#include "tests/unit/bug.h"

#include <sys/resource.h>

/* Runs `work` in an escape. */
static Escape caught(void (*work)(const void *data), const void *data)
{
    Escape escape;
    escape_begin(&escape);
    assert_ptr_equal(escape_current(), &escape);
    if (setjmp(escape.jump) == 0)
        work(data);
    escape_end(&escape);
    return escape;
}

static void find_bug(const void *data)
{
    arena_alloc(arena_new(), 1 << 20); /* nobody else would free it */
    arena_free(arena_new());
    BUG("a value of %d", *(const int *)data);
}

static void only_bug(const void *data)
{
    BUG("a value of %d", *(const int *)data);
}

static void test_bug(void **state)
{
    (void)state;
    const int number = 7;
    Escape escape = caught(find_bug, &number);
    assert_int_equal(escape.cause, ESCAPE_BUG);
    assert_non_null(strstr(escape.message, "internal error at tests/unit/base_escape.c:"));
    assert_non_null(strstr(escape.message, ": a value of 7\n"));
    assert_null(escape.arenas);
    assert_null(escape_current());
    expect_bug(only_bug, &number, "placec: internal error at tests/unit/base_escape.c:");
}

/* More than the process may have. */
static void take_all(const void *data)
{
    Arena *arena = arena_new();
    for (;;)
        memset(arena_alloc(arena, 1 << 20), 1, 1 << 20);
    (void)data;
}

static void test_no_memory(void **state)
{
    (void)state;
    if (SANITIZED)
        return; /* it reserves address space without end */
    struct rlimit old, low;
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    low = old;
    low.rlim_cur = 256 << 20;
    assert_int_equal(setrlimit(RLIMIT_AS, &low), 0);
    for (int i = 0; i < 3; i++) { /* what the first took is free again */
        Escape escape = caught(take_all, NULL);
        assert_int_equal(escape.cause, ESCAPE_MEMORY);
        assert_string_equal(escape.message, "out of memory");
    }
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
}

static void keep_one(const void *data)
{
    Arena **kept = *(Arena * *const *)data, *other = arena_new();
    *kept = arena_new();
    arena_free(other);
}

/* What a call that returns hands over is not freed, and can be freed after it. */
static void test_nothing(void **state)
{
    (void)state;
    Arena *kept, **place = &kept;
    Escape escape = caught(keep_one, &place);
    assert_int_equal(escape.cause, ESCAPE_NONE);
    assert_string_equal(arena_printf(kept, "%d", 12), "12");
    arena_free(kept);
}

static void fail_inside(const void *data)
{
    const int number = 3;
    Arena *outer = arena_new();
    Escape inner = caught(find_bug, &number);
    assert_int_equal(inner.cause, ESCAPE_BUG);
    assert_string_equal(arena_printf(outer, "%d", 5), "5"); /* it belongs to the outer one */
    (void)data;
    BUG("outside");
}

static void test_one_inside_another(void **state)
{
    (void)state;
    Escape escape = caught(fail_inside, NULL);
    assert_int_equal(escape.cause, ESCAPE_BUG);
    assert_non_null(strstr(escape.message, ": outside\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bug), cmocka_unit_test(test_no_memory),
                                       cmocka_unit_test(test_nothing), cmocka_unit_test(test_one_inside_another)};
    return cmocka_run_group_tests_name("base_escape", tests, NULL, NULL);
}
