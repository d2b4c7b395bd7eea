/* Examples depend on seed, step and number only: whole batches equal their parts in any cut, held-out bytes are never
 * trained on, targets are the next bytes, and the pure functions of data.h say the same as reading. */
#include "runtime/data.h"
#include "runtime/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { BATCH = 6, CONTEXT = 8, LENGTH = 4000, FEATURES = 5, CLASSES = 4, PART_BYTES = 2 * BATCH * (CONTEXT + 3) * 8 };

static const prt_input text_inputs[] = {
    {"tokens", PRT_I32, PRT_TOKENS, 256, 2, {BATCH, CONTEXT}},
    {"targets", PRT_I32, PRT_TARGETS, 256, 2, {BATCH, CONTEXT}},
};
static const prt_input made_inputs[] = {
    {"x", PRT_F32, PRT_FEATURES, 0, 2, {BATCH, FEATURES}},
    {"label", PRT_I32, PRT_LABELS, CLASSES, 1, {BATCH}},
};
static const prt_input output_inputs[] = {
    {"x", PRT_F32, PRT_FEATURES, 0, 2, {BATCH, FEATURES}},
    {"y", PRT_F64, PRT_LABELS, 0, 2, {BATCH, CONTEXT}},
};
static const prt_layout layouts[] = {
    {.unit = -1, .dim_count = 2, .dims = {{.size = BATCH}, {.size = CONTEXT}}},
    {.unit = -1, .dim_count = 2, .dims = {{.size = BATCH}, {.size = FEATURES}}},
    {.unit = -1, .dim_count = 1, .dims = {{.size = BATCH}}},
};
enum { LAYOUT_TEXT, LAYOUT_FEATURES, LAYOUT_LABELS };
static const prt_program text_program = {
    .name = "x", .batch = BATCH, .data = PRT_BYTES, .input_count = 2, .inputs = text_inputs, .layouts = layouts};
static const prt_program made_program = {
    .name = "x", .batch = BATCH, .data = PRT_SYNTHETIC, .input_count = 2, .inputs = made_inputs, .layouts = layouts};
static const prt_program output_program = {
    .name = "x", .batch = BATCH, .data = PRT_SYNTHETIC, .input_count = 2, .inputs = output_inputs, .layouts = layouts};

static char path[] = "/tmp/runtime_data_XXXXXX";
static unsigned char text[LENGTH];

static void open_run(prt_run *run, const prt_program *program)
{
    *run = (prt_run){
        .program = program, .device = prt_device_cpu(), .comm = prt_comm_self(), .options = {.seed = 11, .data = path}};
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
        prt_read(&run.ctx, 0, LAYOUT_TEXT, 0, tokens);
        prt_read(&run.ctx, 1, LAYOUT_TEXT, 0, targets);
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

/* What a rank has of an input cut over microbatches and two axes, with padding and halo: each element is that of the
 * whole batch, and what is no element is zero. */
static void check_layout(prt_run *run, int input, const prt_layout *layout, const unsigned char *whole)
{
    const prt_program *program = run->program;
    int64_t bytes = prt_dtype_bytes(program->inputs[input].dtype);
    prt_place place = prt_place_of(&run->ctx, run->ctx.step % program->micro);
    unsigned char part[PART_BYTES], wanted[PART_BYTES] = {0};
    prt_view here = prt_view_of(&place, layout), all = prt_view_whole(&here);
    prt_overlap overlap = prt_overlap_of(&here, &all);
    prt_block block;
    assert_true(here.room * bytes <= PART_BYTES);
    for (prt_blocks blocks = prt_blocks_of(&overlap); prt_blocks_next(&blocks, &block);)
        for (int64_t row = 0; row < block.rows; row++)
            memcpy(wanted + (block.left + row * block.left_step) * bytes,
                   whole + (block.right + row * block.right_step) * bytes, (size_t)(block.count * bytes));
    memset(part, 0xEE, sizeof part);
    prt_read(&run->ctx, input, 0, place.micro, part);
    assert_memory_equal(part, wanted, (size_t)(here.room * bytes));
}

/* Every dim cut in turn by what cuts the batch, and the others by one axis or none. */
static prt_layout any_layout(const prt_input *input, int choice)
{
    prt_layout layout = {.unit = -1, .dim_count = input->dim_count};
    for (int d = 0; d < input->dim_count; d++)
        layout.dims[d].size = input->dims[d];
    prt_dim *batch = &layout.dims[0], *last = &layout.dims[input->dim_count - 1];
    if (choice & 1)
        batch->cut[batch->cut_count++] = PRT_MICRO;
    if (choice & 2)
        batch->cut[batch->cut_count++] = 0;
    batch->padded = (choice & 4) != 0;
    if (input->dim_count > 1 && (choice & 8))
        last->cut[last->cut_count++] = 1;
    if (input->dim_count > 1 && (choice & 16)) {
        last->halo_before = 1;
        last->halo_after = 2;
    }
    return layout;
}

static void check_parts(const prt_program *plain, int input)
{
    prt_layout layout, whole = any_layout(&plain->inputs[input], 0);
    prt_program cut = *plain;
    cut.axis_count = 2;
    cut.axes[0] = (prt_axis){"a", 3};
    cut.axes[1] = (prt_axis){"b", 2};
    cut.micro = 4; /* some microbatches have no example for every rank */
    prt_run run;
    unsigned char batch[PART_BYTES];
    open_run(&run, &cut);
    for (int choice = 0; choice < 32; choice++)
        for (int place = 0; place < 6; place++) {
            run.ctx.step = choice + place;
            run.ctx.coordinate[0] = place / 2;
            run.ctx.coordinate[1] = place % 2;
            cut.layouts = &whole;
            prt_read(&run.ctx, input, 0, 0, batch);
            layout = any_layout(&plain->inputs[input], choice);
            cut.layouts = &layout;
            check_layout(&run, input, &layout, batch);
        }
    prt_data_close(&run);
}

static void test_parts_are_parts_of_the_whole(void **state)
{
    (void)state;
    for (int input = 0; input < 2; input++) {
        check_parts(&text_program, input);
        check_parts(&made_program, input);
        check_parts(&output_program, input);
    }
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
        prt_read(&run.ctx, 0, LAYOUT_TEXT, 0, tokens);
        prt_read(&run.ctx, 1, LAYOUT_TEXT, 0, targets);
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
        prt_read(&run.ctx, 1, LAYOUT_LABELS, 0, labels);
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
