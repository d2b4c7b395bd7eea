/* One error per cause: a golden program that lacks one operator has one error, or is still right. */
#include "tests/unit/verify_support.h"

#include <glob.h>

static bool is_dropped(const char *line, size_t length)
{
    static const char *const operators[] = {"= all_reduce(", "= reduce_scatter(", "= all_gather(",
                                            "= slice(",      "= fill(",           "+= copy("};
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
        if (memmem(line, length, operators[i], strlen(operators[i])) != NULL)
            return true;
    return false;
}

static int count_errors(const char *text)
{
    int count = 0;
    for (; (text = strstr(text, "error[P")) != NULL; text++)
        count++;
    return count;
}

static int dropped, refused;

/* Numbers of operators follow from their order: one that is dropped must not make two of a number. */
static size_t without_ids(char *text)
{
    char *to = text;
    for (const char *at = text; *at != '\0';) {
        size_t digits = strncmp(at, " id ", 4) == 0 ? strspn(at + 4, "0123456789") : 0;
        if (digits > 0)
            at += 4 + digits;
        else
            *to++ = *at++;
    }
    *to = '\0';
    return (size_t)(to - text);
}

/* A gather that is not renewed reads what else is in its memory: the proof and the schedule both say so. */
static bool is_one_cause(const Answer *answer)
{
    return count_errors(answer->text) <= 1 || strcmp(answer->codes, "P0333 P0320") == 0;
}

static void drop_each(const char *path, const char *text, size_t length)
{
    char *without = malloc(length + 1);
    for (const char *at = strstr(text, "\nprogram {"); at != NULL; at = strchr(at + 1, '\n')) {
        const char *line = at + 1, *end = strchr(line, '\n');
        if (end == NULL || !is_dropped(line, (size_t)(end - line)))
            continue;
        size_t before = (size_t)(line - text), after = length - (size_t)(end + 1 - text);
        memcpy(without, text, before);
        memcpy(without + before, end + 1, after);
        Answer answer = verify_text(without, before + after);
        if (!is_one_cause(&answer))
            fail_msg("%s without\n%.*s\n%s", path, (int)(end - line), line, answer.text);
        dropped++;
        refused += !answer.right;
        free(answer.text);
    }
    free(without);
}

static void test_dropped(void **state)
{
    static char text[1 << 20];
    glob_t files;
    (void)state;
    assert_int_equal(glob("tests/dump/*.step", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        FILE *file = fopen(files.gl_pathv[i], "r");
        assert_non_null(file);
        size_t length = fread(text, 1, sizeof text - 1, file);
        fclose(file);
        text[length] = '\0';
        length = without_ids(text);
        drop_each(files.gl_pathv[i], text, length);
    }
    globfree(&files);
    print_message("%d programs that lack an operator, %d refused\n", dropped, refused);
    assert_true(dropped >= 150 && refused >= dropped * 95 / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dropped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
