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

/* The pointers of a row from `first` on. */
static void assert_complete(const char *name, const void *row, size_t first, size_t end)
{
    void *pointer;
    for (size_t at = first; at < end; at += sizeof pointer) {
        memcpy(&pointer, (const char *)row + at, sizeof pointer);
        if (pointer == NULL)
            fail_msg("the row '%s' lacks its function number %zu", name, (at - first) / sizeof pointer + 1);
    }
}

static void test_devices(void **state)
{
    (void)state;
    const prt_device *rows[] = {prt_device_cpu(), prt_device_guarded(), prt_device_compared(), prt_device_timed()};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_complete(rows[i]->name, rows[i], offsetof(prt_device, prepare), sizeof *rows[i]);
}

/* Of one rank, and of ranks that the program starts itself: what is between all ranks. A group of one rank only copies
 * (comm.c), and what is between others goes through shared memory. */
static void test_communication(void **state)
{
    (void)state;
    static prt_crew crew;
    crew.ranks = 1;
    const prt_comm *rows[] = {prt_comm_self(), prt_comm_local(&crew, 0)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_complete(rows[i]->name, rows[i], offsetof(prt_comm, broadcast), sizeof *rows[i]);
        assert_null(rows[i]->make_group);
        assert_null(rows[i]->all_reduce);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_devices), cmocka_unit_test(test_communication)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
