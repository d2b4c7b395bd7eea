/* What the machine carries, read from the files of systems that are made up. */
#include "runtime/launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char root[] = "/tmp/place-limits-XXXXXX";

static int make_root(void **state)
{
    (void)state;
    strcpy(root + strlen(root) - 6, "XXXXXX");
    return mkdtemp(root) != NULL ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", root);
    return system(command);
}

static void put(const char *folder, const char *name, const char *text)
{
    char command[512], path[256];
    snprintf(command, sizeof command, "mkdir -p '%s%s'", root, folder);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s%s/%s", root, folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void test_nothing_known(void **state)
{
    (void)state;
    assert_true(prt_limits_memory(root) > (int64_t)1 << 60);
    assert_true(prt_limits_tasks(root) == INT64_MAX);
}

static void test_machine(void **state)
{
    (void)state;
    put("/proc", "meminfo", "MemTotal:       24683520 kB\nMemFree:   3 kB\nMemAvailable:   1000 kB\n");
    put("/proc/sys/kernel", "pid_max", "32768\n");
    put("/proc/sys/kernel", "threads-max", "5000\n");
    assert_int_equal(prt_limits_memory(root), 1000 * 1024);
    assert_int_equal(prt_limits_tasks(root), 5000);
}

/* Version 2: the group or one above it, less what gives way. */
static void test_groups(void **state)
{
    (void)state;
    put("/proc", "meminfo", "MemAvailable:   1000000 kB\n");
    put("/proc/self", "cgroup", "0::/outer/inner\n");
    put("/sys/fs/cgroup/outer/inner", "memory.max", "max\n");
    put("/sys/fs/cgroup/outer/inner", "memory.current", "50000\n");
    assert_int_equal(prt_limits_memory(root), 1000000L * 1024);
    put("/sys/fs/cgroup/outer", "memory.max", "100000\n");
    put("/sys/fs/cgroup/outer", "memory.current", "70000\n");
    assert_int_equal(prt_limits_memory(root), 30000);
    put("/sys/fs/cgroup/outer", "memory.stat", "anon 60000\ninactive_file 10000\n");
    assert_int_equal(prt_limits_memory(root), 40000);
    put("/sys/fs/cgroup/outer/inner", "memory.max", "60000\n");
    assert_int_equal(prt_limits_memory(root), 10000);
    put("/sys/fs/cgroup/outer/inner", "memory.current", "70000\n");
    assert_int_equal(prt_limits_memory(root), 0);
    put("/sys/fs/cgroup/outer/inner", "pids.max", "64\n");
    put("/sys/fs/cgroup/outer/inner", "pids.current", "4\n");
    assert_int_equal(prt_limits_tasks(root), 60);
}

/* Version 1, several controllers in one hierarchy, and a group that this container does not see. */
static void test_older_groups(void **state)
{
    (void)state;
    put("/proc/self", "cgroup", "4:cpu,memory:/docker/17\n3:pids:/\n0::/\n");
    put("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "100000\n");
    put("/sys/fs/cgroup/memory", "memory.usage_in_bytes", "90000\n");
    put("/sys/fs/cgroup/memory", "memory.stat", "cache 1\ntotal_inactive_file 20000\n");
    put("/sys/fs/cgroup/pids", "pids.max", "100\n");
    assert_int_equal(prt_limits_memory(root), 30000);
    assert_int_equal(prt_limits_tasks(root), 100);
}

static void test_this_machine(void **state)
{
    (void)state;
    char message[512] = "";
    assert_true(prt_limits_memory("") > 1 << 20);
    assert_true(prt_limits_carry(2, 1, 1 << 20, message, sizeof message));
    assert_string_equal(message, "");
    assert_false(prt_limits_carry(2, 1, (int64_t)1 << 60, message, sizeof message));
    assert_non_null(strstr(message, "2 ranks need"));
    assert_false(prt_limits_carry(PRT_MOST_RANKS + 1, 1, 0, message, sizeof message));
    assert_non_null(strstr(message, "4194305 ranks cannot run on this machine, which has at most 4194304 processes"));
    assert_false(prt_limits_carry(PRT_MOST_RANKS, 1, 0, message, sizeof message));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nothing_known, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_machine, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_groups, make_root, remove_root),
        cmocka_unit_test_setup_teardown(test_older_groups, make_root, remove_root),
        cmocka_unit_test(test_this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
