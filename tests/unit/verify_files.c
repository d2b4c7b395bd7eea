/* The programs of tests/verify: each says in its second line what the verifier must answer. */
#include "tests/unit/verify_support.h"

#include <glob.h>

static void check_file(const char *path)
{
    static char text[1 << 20];
    char expected[128] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *line = strstr(text, "# expect: ");
    assert_non_null(line);
    sscanf(line, "# expect: %127[^\n]", expected);
    Answer answer = verify_text(text, length);
    check_answer(path, &(Sizes){0}, &answer, strcmp(expected, "accept") == 0 ? "" : expected);
    free(answer.text);
}

static void test_files(void **state)
{
    glob_t files;
    (void)state;
    assert_int_equal(glob("tests/verify/*.step", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        check_file(files.gl_pathv[i]);
    globfree(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
