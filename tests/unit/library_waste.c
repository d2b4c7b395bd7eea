/* What is reported as wasted is what the mended program does not send: exactly, call for call. */
#include "tests/open.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char program_text[] = "place 1\n"
                                   "model line(hidden = 512) {\n"
                                   "    input x, y : f32[batch, hidden]\n"
                                   "    h = relu(linear(x, hidden) as one)\n"
                                   "    repeat block[4] { h = h + linear(h, hidden) as two }\n"
                                   "    loss = mean over batch, hidden of squared_error(h, y)\n"
                                   "}\n"
                                   "cluster machine { 8 devices of cpu }\n"
                                   "mesh grid on machine { %s }\n"
                                   "strategy mine(d: axis, n: axis) {\n"
                                   "%s\n"
                                   "}\n"
                                   "train line on grid {\n"
                                   "    strategy mine(data, node)\n"
                                   "    optimizer adamw(rate = 0.1)\n"
                                   "    batch 32 in 4 microbatches\n"
                                   "    steps 3\n"
                                   "    assert memory per device < 1 GiB\n"
                                   "}\n";

typedef struct Answer {
    int64_t traffic, saved, memory;
    char codes[64]; /* of all diagnostics */
} Answer;

static void list_codes(const Compile *compile, char *codes, size_t size)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    diag_print_text(compile->ctx.diag, out, false, 20);
    fclose(out);
    codes[0] = '\0';
    for (const char *at = text; (at = strchr(at, '[')) != NULL; at++)
        if (at[1] == 'P' && at[6] == ']' && strlen(codes) + 7 < size)
            snprintf(codes + strlen(codes), size - strlen(codes), "%s%.5s", codes[0] == '\0' ? "" : " ", at + 1);
    free(text);
}

static Answer plan_program(const char *mesh, const char *strategy)
{
    Compile compile;
    char path[] = "/tmp/place-waste-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fprintf(file, program_text, mesh, strategy);
    fclose(file);
    compile_open(&compile, path);
    unlink(path);
    if (!compile_check(&compile)) {
        diag_print_text(compile.ctx.diag, stderr, false, 20);
        fail_msg("not accepted");
    }
    Answer answer = {.traffic = compile.plan->traffic_bytes_per_device, .memory = compile.plan->total_bytes};
    list_codes(&compile, answer.codes, sizeof answer.codes);
    answer.saved = plan_report_waste(&compile.ctx, compile.plan, compile.assignment, compile.file);
    compile_close(&compile);
    return answer;
}

typedef struct Case {
    const char *mesh, *wasteful, *code, *mended_mesh, *mended;
} Case;

#define CUT "    activations sharded over d, n by batch\n"

#define CHUNKS                                                                                                         \
    "    activations sharded over d by batch; gradients sharded over d; optimizer sharded over d\n"                    \
    "    schedule interleaved over n chunks 2\n"

static const Case cases[] = {
    {"data: 2, node: 4",
     CUT "    gradients sharded over d, n; optimizer sharded over d, n\n    parameters gathered over d, n", "P0353",
     NULL,
     CUT
     "    gradients sharded over d, n; optimizer sharded over d, n\n    parameters gathered over d, n kept until step"},
    {"data: 2, node: 4", CUT "    optimizer sharded over d, n\n    sync gradients : sum over d, n at step", "P0354",
     NULL, CUT "    optimizer sharded over d, n\n    sync gradients : sum over d, n into shards at step"},
    {"data: 2, node: 4", CUT "    optimizer sharded over n\n    sync gradients : sum over d, n at step", "P0354", NULL,
     CUT "    optimizer sharded over n\n    sync gradients : sum over n into shards at step then sum over d at step"},
    {"data: 2, node: 4",
     CUT "    gradients sharded over d, n; optimizer sharded over d, n; parameters gathered over n kept until step",
     "P0355", "node: 4, data: 2",
     CUT "    gradients sharded over d, n; optimizer sharded over d, n; parameters gathered over n kept until step"},
    {"data: 2, node: 4", CUT "    sync gradients : sum over d, n at step then mean over d at step", "P0356", NULL,
     CUT "    sync gradients : sum over d, n at step"},
    {"data: 2, node: 4",
     CUT "    sync count : none; sync loss : mean over d, n; sync gradients : mean over d, n each microbatch", "P0357",
     NULL, CUT "    sync count : none; sync loss : mean over d, n; sync gradients : mean over d, n at step"},
    {"data: 4, node: 2", CHUNKS "    parameters gathered over d", "P0353", NULL,
     CHUNKS "    parameters gathered over d kept until step"},
    {"data: 1, node: 8", CUT "    optimizer sharded over d", "P0352", NULL, CUT "    optimizer sharded over n"},
    {"data: 2, node: 4", CUT "    optimizer sharded over d", "", NULL, CUT},
};

static void mended(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const Case *c = &cases[i];
        Answer before = plan_program(c->mesh, c->wasteful);
        Answer after = plan_program(c->mended_mesh != NULL ? c->mended_mesh : c->mesh, c->mended);
        assert_string_equal(before.codes, c->code);
        assert_string_equal(after.codes, "");
        assert_int_equal(after.saved, 0);
        if (strcmp(c->code, "P0352") == 0)
            assert_true(after.memory < before.memory);
        else
            assert_int_equal(before.saved, before.traffic - after.traffic);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mended)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
