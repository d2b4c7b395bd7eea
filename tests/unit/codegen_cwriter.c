/* Hostile names and texts come through C, make and the shell as they are; calls and comments wrap. */
#include "codegen/cwriter.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const hostile[] = {
    "plain/path-1.txt",
    "",
    "a\"; rm -rf $HOME; #",
    "*/ #error comment ended /*",
    "%s%n%d",
    "what?\?/\n?\? ?\?!",
    "back\\slash\\",
    "two\nlines\r\tand a tab",
    "it's `date` $(date) ${HOME} ~ * ? [a] {b,c} !x",
    "-n -- -o",
    "caf\303\251 \342\200\256 override",
    "#include <x>",
    "a=b$$c#d",
    " leading and trailing ",
    "\001\0777",
    "end with slash /",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static char directory[] = "/tmp/place-cwriter-XXXXXX";

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL || chdir(directory) != 0;
}

static int remove_directory(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* What a command prints must be all hostile texts, each followed by a byte 1 and a line break. */
static void check_output(Arena *arena, const char *command, bool with_breaks)
{
    Text expected = {.arena = arena};
    for (int i = 0; i < HOSTILE; i++) {
        if (with_breaks || strpbrk(hostile[i], "\n\r") == NULL)
            text_add(&expected, "%s\001\n", hostile[i]);
    }
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    static char got[8192];
    size_t length = fread(got, 1, sizeof got - 1, pipe);
    got[length] = '\0';
    assert_int_equal(pclose(pipe), 0);
    assert_string_equal(got, expected.data);
}

static void strings_and_comments_in_c(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    CWriter w = cw_new(arena, 0);
    cw_line(&w, "#include <stdio.h>");
    cw_open_function(&w, "int main(void)");
    for (int i = 0; i < HOSTILE; i++) {
        cw_comment(&w, "%s", hostile[i]);
        cw_call(&w, "fputs", (const char *[]){c_string(arena, hostile[i]), "stdout"}, 2, ";");
        cw_line(&w, "puts(\"\\001\");");
    }
    cw_line(&w, "return 0;");
    cw_close(&w, "");
    write_file("strings.c", w.text.data);
    assert_int_equal(system("cc -std=c11 -Wall -Wextra -Wpedantic -Wtrigraphs -Werror -o strings strings.c"), 0);
    check_output(arena, "./strings", true);
    arena_free(arena);
}

/* In a script and in a Makefile nothing of a comment is run. */
static void comments_elsewhere(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Text script = {.arena = arena};
    for (int i = 0; i < HOSTILE; i++)
        text_add(&script, "# %s\n", comment_text(arena, hostile[i]));
    text_add(&script, "WORD = 1\n");
    write_file("words.mk", script.data);
    assert_int_equal(system("test \"$(sed 's/^WORD.*//' words.mk | sh 2>&1)\" = ''"), 0);
    assert_int_equal(system("test \"$(sed -n '/^[^#]/p' words.mk)\" = 'WORD = 1'"), 0);
    arena_free(arena);
}

static void names_are_c_names(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Names names = {.arena = arena};
    assert_string_equal(names_unique(&names, "at_", "block.attn.query-weight"), "at_block_attn_query_weight");
    assert_string_equal(names_unique(&names, "at_", "block_attn.query.weight"), "at_block_attn_query_weight_2");
    assert_string_equal(names_unique(&names, "at_", "int"), "at_int");
    assert_string_equal(names_unique(&names, "at_", "\303\251*/"), "at_____");
    arena_free(arena);
}

static void numbers_read_back(void **state)
{
    (void)state;
    static const double numbers[] = {0, 1, 0.1, 1.0 / 24, 1e-8, 3e-4, 0.999, -2.5, 1e300, 123456789};
    Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_true(strtod(c_number(arena, numbers[i]), NULL) == numbers[i]);
    assert_string_equal(c_number(arena, 0.1), "0.1");
    assert_string_equal(c_number(arena, 60), "60");
    assert_string_equal(c_number(arena, -0.0), "-0.0");
    assert_true(strtod(c_number(arena, 1e15), NULL) == 1e15);
    assert_string_equal(c_number(arena, -INFINITY), "-INFINITY");
    arena_free(arena);
}

static void lines_wrap(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    CWriter w = cw_new(arena, 1);
    const char *arguments[30];
    for (int i = 0; i < 30; i++)
        arguments[i] = "an_argument(ctx)";
    cw_call(&w, "call", arguments, 30, ";");
    cw_comment(&w, "%s",
               "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
               "sixteen seventeen eighteen nineteen twenty");
    for (const char *line = w.text.data, *end; *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        assert_in_range(end - line, 1, 120);
        assert_true(end[-1] != ' ');
    }
    assert_non_null(strstr(w.text.data, "(ctx),\n         an_argument"));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_and_comments_in_c),
        cmocka_unit_test(comments_elsewhere),
        cmocka_unit_test(names_are_c_names),
        cmocka_unit_test(numbers_read_back),
        cmocka_unit_test(lines_wrap),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
