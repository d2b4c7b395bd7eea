/* Examples depend on seed, step and number only: whole batches equal their parts in any cut, held-out bytes are never
 * trained on, targets are the next bytes, and the pure functions of data.h say the same as reading. */
#include "runtime/data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { BATCH = 6, CONTEXT = 8, LENGTH = 4000, FEATURES = 5, CLASSES = 4 };

static const prt_input text_inputs[] = {
    {"tokens", PRT_I32, PRT_TOKENS, 256, 2, {BATCH, CONTEXT}},
    {"targets", PRT_I32, PRT_TARGETS, 256, 2, {BATCH, CONTEXT}},
};
static const prt_input made_inputs[] = {
    {"x", PRT_F32, PRT_FEATURES, 0, 2, {BATCH, FEATURES}},
    {"label", PRT_I32, PRT_LABELS, CLASSES, 1, {BATCH}},
};
static const prt_program text_program = {
    .name = "x", .batch = BATCH, .data = PRT_BYTES, .input_count = 2, .inputs = text_inputs};
static const prt_program made_program = {
    .name = "x", .batch = BATCH, .data = PRT_SYNTHETIC, .input_count = 2, .inputs = made_inputs};

static char path[] = "/tmp/runtime_data_XXXXXX";
static unsigned char text[LENGTH];

static void open_run(prt_run *run, const prt_program *program)
{
    *run = (prt_run){.program = program, .comm = prt_comm_self(), .options = {.seed = 11, .data = path}};
    run->ctx.run = run;
    run->ctx.ranks = 1;
    prt_data_open(run);
}

static void test_windows(void **state)
{
    (void)state;
    prt_run run;
    int32_t tokens[BATCH * CONTEXT], targets[BATCH * CONTEXT];
    open_run(&run, &text_program);
    int64_t windows = run.data->training - CONTEXT;
    for (run.ctx.step = 0; run.ctx.step < 50; run.ctx.step++) {
        prt_read(&run.ctx, 0, (prt_range){0, BATCH}, tokens);
        prt_read(&run.ctx, 1, (prt_range){0, BATCH}, targets);
        for (int e = 0; e < BATCH; e++) {
            int64_t start = prt_data_window(11, run.ctx.step * BATCH + e, windows);
            assert_true(start >= 0 && start + CONTEXT < run.data->training);
            for (int t = 0; t < CONTEXT; t++) {
                assert_int_equal(tokens[e * CONTEXT + t], text[start + t]);
                assert_int_equal(targets[e * CONTEXT + t], text[start + t + 1]);
            }
        }
    }
    prt_data_close(&run);
}

static void check_parts(const prt_program *program, int input, int64_t example_bytes)
{
    prt_run run;
    unsigned char whole[BATCH * CONTEXT * 8], part[BATCH * CONTEXT * 8];
    open_run(&run, program);
    run.ctx.step = 3;
    prt_read(&run.ctx, input, (prt_range){0, BATCH}, whole);
    for (int64_t count = 1; count <= BATCH; count++)
        for (int64_t index = count; index-- > 0;) {
            prt_range range = prt_cut(BATCH, count, index);
            prt_read(&run.ctx, input, range, part);
            assert_memory_equal(part, whole + range.start * example_bytes, (size_t)(range.extent * example_bytes));
        }
    prt_data_close(&run);
}

static void test_parts_are_parts_of_the_whole(void **state)
{
    (void)state;
    check_parts(&text_program, 0, CONTEXT * 4);
    check_parts(&text_program, 1, CONTEXT * 4);
    check_parts(&made_program, 0, FEATURES * 4);
    check_parts(&made_program, 1, 4);
}

/* The last byte of a held-out window's targets is still in the file, and the windows do not leave the held-out part. */
static void test_validation_reads_what_is_held_out(void **state)
{
    (void)state;
    prt_run run;
    int32_t tokens[BATCH * CONTEXT], targets[BATCH * CONTEXT];
    open_run(&run, &text_program);
    run.mode = PRT_EVALUATING;
    assert_int_equal(run.data->training, LENGTH - LENGTH / 10);
    assert_int_equal(run.data->eval_batches, (LENGTH / 10 - 1) / CONTEXT / BATCH);
    for (run.eval_batch = 0; run.eval_batch < run.data->eval_batches; run.eval_batch++) {
        prt_read(&run.ctx, 0, (prt_range){0, BATCH}, tokens);
        prt_read(&run.ctx, 1, (prt_range){0, BATCH}, targets);
        for (int e = 0; e < BATCH; e++) { /* bytes of the held-out part are 200 and more */
            assert_true(tokens[e * CONTEXT] >= 200 && targets[e * CONTEXT + CONTEXT - 1] >= 200);
            assert_int_equal(tokens[e * CONTEXT + 1], targets[e * CONTEXT]);
        }
    }
    prt_data_close(&run);
}

static void test_labels_are_all_learnable(void **state)
{
    (void)state;
    prt_run run;
    int32_t labels[BATCH];
    int seen[CLASSES] = {0};
    open_run(&run, &made_program);
    for (run.ctx.step = 0; run.ctx.step < 40; run.ctx.step++) {
        prt_read(&run.ctx, 1, (prt_range){0, BATCH}, labels);
        for (int e = 0; e < BATCH; e++) {
            assert_true(labels[e] >= 0 && labels[e] < CLASSES);
            seen[labels[e]]++;
        }
    }
    for (int c = 0; c < CLASSES; c++)
        assert_true(seen[c] > 10);
    prt_data_close(&run);
}

static void test_a_changed_file_has_another_mark(void **state)
{
    (void)state;
    prt_run run;
    open_run(&run, &text_program);
    uint64_t mark = prt_data_mark(&run);
    prt_data_close(&run);
    FILE *file = fopen(path, "r+b");
    fseek(file, 77, SEEK_SET);
    fputc(text[77] ^ 1, file);
    fclose(file);
    open_run(&run, &text_program);
    assert_true(prt_data_mark(&run) != mark);
    prt_data_close(&run);
}

static int write_text(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTH; i++)
        text[i] = (unsigned char)(i < LENGTH - LENGTH / 10 ? i * 7 % 199 : 200 + i % 50);
    int file = mkstemp(path);
    if (file < 0 || write(file, text, LENGTH) != LENGTH)
        return 1;
    return close(file);
}

static int remove_text(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_parts_are_parts_of_the_whole),
        cmocka_unit_test(test_validation_reads_what_is_held_out),
        cmocka_unit_test(test_labels_are_all_learnable),
        cmocka_unit_test(test_a_changed_file_has_another_mark),
    };
    return cmocka_run_group_tests(tests, write_text, remove_text);
}
