/* What the kernel cache keeps is found by what it was made from, and by nothing else; what is damaged or old is not. */
#include "codegen/kernel_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Fixture {
    Arena *arena;
    char directory[40];
    KernelCache cache;
} Fixture;

static const KernelCode source = {"define void @f()", 16}, other = {"define void @g()", 16}, code = {"\0object\377", 8};

static int open_cache(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    strcpy(f->directory, "/tmp/place-cache-XXXXXX");
    f->arena = arena_new();
    *state = f;
    const char *failure = NULL;
    bool good = mkdtemp(f->directory) != NULL &&
                setenv("PLACE_CACHE", arena_printf(f->arena, "%s/a/b", f->directory), 1) == 0 &&
                kernel_cache_open(f->arena, &f->cache, &failure) && f->cache.directory != NULL;
    return good ? 0 : -1;
}

static int close_cache(void **state)
{
    Fixture *f = *state;
    int status = system(arena_printf(f->arena, "rm -r %s", f->directory));
    arena_free(f->arena);
    free(f);
    return status;
}

/* The only file; NULL: there are none, or several. */
static const char *only_file(Fixture *f)
{
    DIR *directory = opendir(f->cache.directory);
    const char *path = NULL;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (entry->d_name[0] != '.') {
            path = arena_printf(f->arena, "%s/%s", f->cache.directory, entry->d_name);
            count++;
        }
    closedir(directory);
    return count == 1 ? path : NULL;
}

static bool finds(Fixture *f, KernelCode wanted)
{
    KernelCode found = {0};
    if (!kernel_cache_find(&f->cache, wanted, &found))
        return false;
    assert_int_equal(found.length, code.length);
    assert_memory_equal(found.bytes, code.bytes, code.length);
    return true;
}

static void what_was_added_is_found(void **state)
{
    Fixture *f = *state;
    assert_false(finds(f, source));
    kernel_cache_add(&f->cache, source, code);
    assert_true(finds(f, source));
    assert_false(finds(f, other));
    kernel_cache_add(&f->cache, source, code);
    kernel_cache_close(&f->cache);
    assert_non_null(only_file(f));
    assert_true(finds(f, source));
}

/* As if both had the same hash. */
static void sources_are_compared(void **state)
{
    Fixture *f = *state;
    kernel_cache_add(&f->cache, other, code);
    const char *of_other = only_file(f);
    kernel_cache_add(&f->cache, source, code);
    assert_null(only_file(f));
    assert_int_equal(unlink(of_other), 0);
    assert_int_equal(rename(only_file(f), of_other), 0);
    assert_false(finds(f, other));
}

static void overwrite(const char *path, off_t at, char byte)
{
    int file = open(path, O_WRONLY);
    assert_int_equal(pwrite(file, &byte, 1, at), 1);
    assert_int_equal(close(file), 0);
}

/* Any byte, and any end. */
static void damage_is_noticed(void **state)
{
    Fixture *f = *state;
    kernel_cache_add(&f->cache, source, code);
    struct stat status;
    assert_int_equal(stat(only_file(f), &status), 0);
    for (off_t at = 0; at < status.st_size; at++) {
        overwrite(only_file(f), at, 'x');
        assert_false(finds(f, source));
        kernel_cache_add(&f->cache, source, code);
        assert_true(finds(f, source));
        assert_int_equal(truncate(only_file(f), at), 0);
        assert_false(finds(f, source));
        kernel_cache_add(&f->cache, source, code);
        assert_true(finds(f, source));
    }
}

static void make_older(Fixture *f, const char *path, int days)
{
    assert_int_equal(system(arena_printf(f->arena, "touch -d '%d days ago' %s", days, path)), 0);
}

static void what_is_not_used_is_removed(void **state)
{
    Fixture *f = *state;
    kernel_cache_add(&f->cache, source, code);
    make_older(f, only_file(f), 29);
    kernel_cache_close(&f->cache);
    assert_true(finds(f, source)); /* and is used */
    kernel_cache_close(&f->cache);
    assert_true(finds(f, source));
    make_older(f, only_file(f), 31);
    f->cache.added = false;
    kernel_cache_close(&f->cache);
    assert_non_null(only_file(f));
    kernel_cache_add(&f->cache, other, code);
    kernel_cache_close(&f->cache);
    assert_false(finds(f, source));
    assert_true(finds(f, other));
}

static void a_use_is_noted(void **state)
{
    Fixture *f = *state;
    kernel_cache_add(&f->cache, source, code);
    make_older(f, only_file(f), 31);
    assert_true(finds(f, source));
    kernel_cache_close(&f->cache);
    assert_true(finds(f, source));
}

static void where_it_is(void **state)
{
    Fixture *f = *state;
    KernelCache cache;
    const char *failure = NULL;
    assert_int_equal(setenv("PLACE_CACHE", "", 1), 0);
    assert_true(kernel_cache_open(f->arena, &cache, &failure));
    assert_null(cache.directory);
    assert_int_equal(setenv("PLACE_CACHE", "/dev/null", 1), 0);
    assert_false(kernel_cache_open(f->arena, &cache, &failure));
    assert_non_null(strstr(failure, "PLACE_CACHE"));
    assert_int_equal(unsetenv("PLACE_CACHE"), 0);
    assert_int_equal(setenv("XDG_CACHE_HOME", f->directory, 1), 0);
    assert_true(kernel_cache_open(f->arena, &cache, &failure));
    assert_string_equal(cache.directory, arena_printf(f->arena, "%s/place/kernels", f->directory));
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
    assert_int_equal(setenv("HOME", f->directory, 1), 0);
    assert_true(kernel_cache_open(f->arena, &cache, &failure));
    assert_string_equal(cache.directory, arena_printf(f->arena, "%s/.cache/place/kernels", f->directory));
    assert_int_equal(setenv("HOME", "/dev/null", 1), 0);
    assert_true(kernel_cache_open(f->arena, &cache, &failure));
    assert_null(cache.directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_added_is_found, open_cache, close_cache),
        cmocka_unit_test_setup_teardown(sources_are_compared, open_cache, close_cache),
        cmocka_unit_test_setup_teardown(damage_is_noticed, open_cache, close_cache),
        cmocka_unit_test_setup_teardown(what_is_not_used_is_removed, open_cache, close_cache),
        cmocka_unit_test_setup_teardown(a_use_is_noted, open_cache, close_cache),
        cmocka_unit_test_setup_teardown(where_it_is, open_cache, close_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
