/* bug.h - for unit tests: what must end in a BUG, which ends the process with status 3 and a text on stderr. */
#ifndef PLACE_TESTS_UNIT_BUG_H
#define PLACE_TESTS_UNIT_BUG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Runs it in a process of its own; the text must contain `expected`. */
static inline void expect_bug(void (*run)(const void *data), const void *data, const char *expected)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        run(data);
        _exit(0);
    }
    close(ends[1]);
    char text[1024] = "";
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0;)
        length += (size_t)got;
    close(ends[0]);
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    if (strstr(text, expected) == NULL)
        fail_msg("'%s', not '%s'", text, expected);
}

#endif
