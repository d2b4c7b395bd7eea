/* Whose fault a refusal is: what was derived wrongly is ours, what was written wrongly the user's. */
#include "derive/derive.h"
#include "library/result.h"
#include "tests/open.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* @ stands for what the strategy says, $ for settings of the train. */
static const char program[] = "place 1\n"
                              "model line(hidden = 4) {\n"
                              "    input x, y : f32[batch, hidden]\n"
                              "    h = relu(linear(x, hidden) as one)\n"
                              "    loss = mean over batch, hidden of squared_error(linear(h, hidden) as two, y)\n"
                              "}\n"
                              "strategy mine(d: axis) {\n"
                              "    activations sharded over d by batch\n"
                              "@}\n"
                              "cluster machine { 2 devices of cpu }\n"
                              "mesh grid on machine { data: 2 }\n"
                              "train line on grid {\n"
                              "    strategy mine(data)\n"
                              "    optimizer sgd(rate = 0.1)\n"
                              "    batch 8\n"
                              "    steps 3\n"
                              "$}\n";

typedef StepFile *Deriver(Ctx *, const Train *, const Assignment *);

/* ---- A deriver that forgets --------------------------------------------------------------------------------- */

static bool is_unit(const Program *derived, const Node *node)
{
    return node->kind == NODE_OP && node->op->kind == OP_ALL_REDUCE &&
           derived->buffers.data[node->op->operand[0].buffer].layout == LAYOUT_UNIT;
}

/* Leaves out the sums of gradients. */
static StepFile *derive_without_sums(Ctx *ctx, const Train *train, const Assignment *assignment)
{
    StepFile *file = derive_step(ctx, train, assignment);
    for (int r = 0; file != NULL && r < file->program->routines.count; r++) {
        NodeList *body = &file->program->routines.data[r].body;
        int kept = 0;
        for (int i = 0; i < body->count; i++)
            if (!is_unit(file->program, body->data[i]))
                body->data[kept++] = body->data[i];
        body->count = kept;
    }
    return file;
}

/* ---- What is answered --------------------------------------------------------------------------------------- */

typedef struct Answer {
    bool good, at_fault, derived;
    place_status status;
    int errors;
    char *text, *json;
} Answer;

static char *printed(const Diag *diag, bool json)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (json)
        diag_print_json(diag, out);
    else
        diag_print_text(diag, out, false, 20);
    fclose(out);
    return text;
}

static Answer check_text(const char *path, Deriver *derive)
{
    Compile compile;
    compile_open(&compile, path);
    if (derive != NULL)
        compile.derive = derive;
    Answer answer = {.good = compile_check(&compile)};
    answer.at_fault = compile.at_fault;
    answer.derived = compile.file != NULL;
    answer.errors = diag_error_count(compile.ctx.diag);
    answer.status = result_status(&compile, answer.good);
    answer.text = printed(compile.ctx.diag, false);
    answer.json = printed(compile.ctx.diag, true);
    compile_close(&compile);
    return answer;
}

static Answer check(const char *strategy, const char *settings, Deriver *derive)
{
    char path[] = "/tmp/driver_fault_XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *out = fdopen(descriptor, "w");
    for (const char *at = program; *at != '\0'; at++)
        if (*at == '@' || *at == '$')
            fputs(*at == '@' ? strategy : settings, out);
        else
            fputc(*at, out);
    fclose(out);
    Answer answer = check_text(path, derive);
    unlink(path);
    return answer;
}

static void forget(Answer *answer)
{
    free(answer->text);
    free(answer->json);
}

static void expect_part(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("it does not say \"%s\":\n%s", part, text);
}

static void expect_ours(const char *strategy, const char *why)
{
    Answer answer = check(strategy, "", derive_without_sums);
    if (!answer.at_fault || answer.good || answer.status != PLACE_FAULT || !answer.derived || answer.errors != 1)
        fail_msg("it is not ours: status %d, %d errors\n%s", answer.status, answer.errors, answer.text);
    expect_part(answer.text, "internal error[P0301]: placec cannot prove the step program that it derived here");
    expect_part(answer.text, why);
    expect_part(answer.text, "This is a fault of placec, not of your program. Please report it");
    expect_part(answer.text, "placec --dump=step");
    expect_part(answer.json, "\"internal error\"");
    expect_part(answer.json, "\"P0301\"");
    assert_null(strstr(answer.text, ": error["));
    assert_null(strstr(answer.text, "counter-example"));
    forget(&answer);
}

static void expect_theirs(const char *strategy, const char *settings, const char *code)
{
    Answer answer = check(strategy, settings, NULL);
    if (answer.at_fault || answer.status != PLACE_ERRORS)
        fail_msg("it is the user's: status %d\n%s", answer.status, answer.text);
    expect_part(answer.text, code);
    forget(&answer);
}

/* ---- Tests -------------------------------------------------------------------------------------------------- */

#define ALL_DERIVED "The program says nowhere literally how data and sums go"
#define NOT_WRITTEN "What the program says literally is not the cause"

static void test_derived_wrongly(void **state)
{
    (void)state;
    expect_ours("", ALL_DERIVED);
    expect_ours("    sync loss : mean over d scale d\n", NOT_WRITTEN);
    expect_ours("    sync loss : mean over d\n", NOT_WRITTEN); /* also wrong: ours comes first */
}

static void test_written_wrongly(void **state)
{
    (void)state;
    expect_theirs("    sync gradients : none\n", "", ": error[P0301]");
    expect_theirs("    sync loss : none\n", "", ": error[P0315]");
    expect_theirs("", "    data synthetic read by none\n", ": error[P0");
    expect_theirs("", "    seed 1 + coordinate(data)\n", ": error[P0313]");
    expect_theirs("", "    saved parameters flat in buckets of 8 padded to 16\n    loaded parameters flat\n",
                  ": error[P0318]");
}

/* The sync of gradients stands for the sum that the deriver would forget: without it the deriver is wrong again. */
static void test_both(void **state)
{
    (void)state;
    Answer answer = check("    sync gradients : mean over d scale d\n", "", derive_without_sums);
    assert_true(answer.at_fault);
    forget(&answer);
}

static void test_right(void **state)
{
    (void)state;
    Answer answer = check("", "", NULL);
    assert_true(answer.good);
    assert_false(answer.at_fault);
    assert_int_equal(answer.status, PLACE_GOOD);
    forget(&answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_derived_wrongly), cmocka_unit_test(test_written_wrongly),
                                       cmocka_unit_test(test_both), cmocka_unit_test(test_right)};
    return cmocka_run_group_tests_name("driver_fault", tests, NULL, NULL);
}
