/* The tables of `placec explain compatibility`: what does not go together, and a few rows that are known. */
#include "algebra/compatible.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (text = strstr(text, word); text != NULL; text = strstr(text + 1, word))
        count++;
    return count;
}

static void prints_what_goes_together(void **state)
{
    (void)state;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    compatibility_print(out);
    fclose(out);
    assert_int_equal(count_of(text, " yes"), 81 - 10); /* sums and averages with extrema, max with min */
    assert_int_equal(count_of(text, " no "), 10);
    assert_non_null(
        strstr(text, "\npartial(sum)   yes, 1       yes, 1       yes, 1       yes, 1.5     yes, 1.5     no "));
    assert_non_null(strstr(text, "\nadd                a+b                  a+b                  a, b\n"));
    assert_non_null(strstr(text, "\nmul                a, b                 a, b                 -\n"));
    assert_non_null(strstr(text, "\ngelu               -                    -                    -\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(prints_what_goes_together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
