/* What other programs call otherwise: each name of base/synonyms.def, tried in every place of a program, leads to its
 * name here, so that one of the places has such a name; each of base/elsewhere.def to its sentence.
 */
#include "tests/open.h"
#include "tests/sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LONGEST = 8192 };

/* The program with one line in place of another; $ in the line stands for the name. */
static const char *const lines[][2] = {
    {"    strategy mine(data)\n", "    strategy $(data)\n"},
    {"    strategy mine(data)\n", "    strategy mine(data, $ = 1)\n"},
    {"    strategy mine(data)\n", "    strategy tensor_parallel(data, $ = true)\n"},
    {"    strategy mine(data)\n", "    strategy pipeline(data, $ = 2)\n"},
    {"    optimizer replicated\n", "    $ replicated\n"},
    {"    optimizer replicated\n", "    parameters of head $ over d\n"},
    {"    optimizer replicated\n", "    activations of head $\n"},
    {"    optimizer replicated\n", "    optimizer offloaded to $\n"},
    {"    optimizer replicated\n", "    schedule $ over d\n"},
    {"    optimizer replicated\n", "    parameters of *.$ replicated\n"},
    {"    optimizer replicated\n", "    activations sharded over d by $\n"},
    {"    optimizer adamw(rate = 0.1)\n", "    optimizer adamw($ = 0.1)\n"},
    {"    batch 8\n", "    batch 8\n    $ 8\n"},
    {"    batch 8\n", "    batch 8\n    precision $\n"},
    {"    x = x + attention(x, 2) as one\n", "    x = x + $(x, 2) as one\n"},
    {"    input t : int[batch, context]\n", "    input t : $[batch, context]\n"},
    {"    loss = mean over batch, context of cross_entropy(y, t)\n",
     "    loss = mean over batch, context of $(y, t)\n"},
    {"    x = x + mlp(x, 8, silu) as two\n", "    x = x + mlp(x, 8, $) as two\n"},
    {"    batch 8\n", "    batch 8\n    clip $ 8\n"},
};

static const char program[] = "place 1\n"
                              "model net(context = 4) {\n"
                              "    input t : int[batch, context]\n"
                              "    x = embedding(t, 16, 8) as table\n"
                              "    x = x + attention(x, 2) as one\n"
                              "    x = x + attention(x, 2, weights = fused) as fused\n"
                              "    x = x + mlp(x, 8, silu) as two\n"
                              "    x = x + mlp(x, 8, swiglu) as three\n"
                              "    y = linear(x, 16) as head\n"
                              "    loss = mean over batch, context of cross_entropy(y, t)\n"
                              "}\n"
                              "strategy mine(d: axis) {\n"
                              "    optimizer replicated\n"
                              "}\n"
                              "cluster machine { 2 devices of cpu }\n"
                              "mesh grid on machine { data: 2, one: 1 }\n"
                              "train net on grid {\n"
                              "    strategy mine(data)\n"
                              "    optimizer adamw(rate = 0.1)\n"
                              "    batch 8\n"
                              "    steps 3\n"
                              "}\n";

/* The program with the name where the row of `lines` has it. */
static void write_program(size_t row, const char *name, char text[LONGEST])
{
    const char *at = strstr(program, lines[row][0]), *mark = strchr(lines[row][1], '$');
    assert_non_null(at);
    int length = snprintf(text, LONGEST, "%.*s%.*s%s%s%s", (int)(at - program), program, (int)(mark - lines[row][1]),
                          lines[row][1], name, mark + 1, at + strlen(lines[row][0]));
    assert_true(length > 0 && length < LONGEST);
}

/* Whether the answer to the name in that place has the words. */
static bool answers(size_t row, const char *name, const char *words)
{
    char text[LONGEST];
    write_program(row, name, text);
    Compile compile;
    compile_new(&compile);
    compile.source = source_add(compile.ctx.sources, "words.place", text, strlen(text));
    compile_stages(&compile);
    char *messages = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&messages, &size);
    assert_non_null(out);
    diag_print_text(compile.ctx.diag, out, false, 20);
    assert_int_equal(fclose(out), 0);
    bool found = strstr(messages, words) != NULL;
    free(messages);
    compile_close(&compile);
    return found;
}

static bool answers_anywhere(const char *name, const char *words)
{
    for (size_t row = 0; row < sizeof lines / sizeof *lines; row++)
        if (answers(row, name, words))
            return true;
    return false;
}

static void test_synonyms(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
#define SYNONYM(theirs, here) {theirs, here},
#include "base/synonyms.def"
#undef SYNONYM
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i += SANITIZED ? 3 : 1) {
        char words[100];
        snprintf(words, sizeof words, "Did you mean '%s'?", rows[i][1]);
        if (!answers_anywhere(rows[i][0], words))
            fail_msg("no place of a program answers '%s': %s", rows[i][0], words);
    }
}

static void test_elsewhere(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
#define ELSEWHERE(theirs, here) {theirs, here},
#include "base/elsewhere.def"
#undef ELSEWHERE
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i += SANITIZED ? 3 : 1)
        for (const char *at = rows[i][0]; *at != '\0'; at += strspn(at, " ")) {
            char name[100];
            size_t length = strcspn(at, " ");
            snprintf(name, sizeof name, "%.*s", (int)length, at);
            if (!answers_anywhere(name, rows[i][1]))
                fail_msg("no place of a program answers '%s': %s", name, rows[i][1]);
            at += length;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_synonyms), cmocka_unit_test(test_elsewhere)};
    return cmocka_run_group_tests_name("library_words", tests, NULL, NULL);
}
