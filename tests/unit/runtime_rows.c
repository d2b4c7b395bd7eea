/* The rows of the runtime's two tables, devices and communication: every function is there. The row of MPI is a library
 * of its own, of which tests/run calls every function. */
#include "runtime/comm.h"
#include "runtime/device.h"
#include "runtime/launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The pointers of a row from `first` on, but for the one at `optional`. */
static void assert_complete(const char *name, const void *row, size_t first, size_t end, size_t optional)
{
    void *pointer;
    for (size_t at = first; at < end; at += sizeof pointer) {
        memcpy(&pointer, (const char *)row + at, sizeof pointer);
        if (pointer == NULL && at != optional)
            fail_msg("the row '%s' lacks its function number %zu", name, (at - first) / sizeof pointer + 1);
    }
}

static void test_devices(void **state)
{
    (void)state;
    const prt_device *rows[] = {prt_device_cpu()};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_complete(rows[i]->name, rows[i], offsetof(prt_device, prepare), sizeof *rows[i], SIZE_MAX);
}

static void test_communication(void **state)
{
    (void)state;
    const prt_comm *rows[] = {prt_comm_self()};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_complete(rows[i]->name, rows[i], offsetof(prt_comm, make_group), sizeof *rows[i],
                        offsetof(prt_comm, absent));
}

/* Of ranks that the program starts itself: what is between all ranks; the rest goes through shared memory. */
static void test_local(void **state)
{
    (void)state;
    static prt_crew crew;
    crew.ranks = 1;
    const prt_comm *row = prt_comm_local(&crew, 0);
    assert_complete(row->name, row, offsetof(prt_comm, broadcast), sizeof *row, SIZE_MAX);
    assert_null(row->make_group);
    assert_null(row->all_reduce);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_devices), cmocka_unit_test(test_communication),
                                       cmocka_unit_test(test_local)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
