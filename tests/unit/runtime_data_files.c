/* Examples in files: tokens of 16 and 32 bits, masked tokens, images and labels; and files that do not fit. */
#include "runtime/data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { BATCH = 4, CONTEXT = 6, TOKENS = 900, VOCABULARY = 3000, IMAGES = 40, ROWS = 3, COLUMNS = 5, CLASSES = 7 };
enum { WIDE_ROWS = 7, WIDE_COLUMNS = 6 };

static char data_path[] = "/tmp/runtime_data_files_XXXXXX", labels_path[] = "/tmp/runtime_data_files_XXXXXX";

static const prt_layout layouts[] = {
    {.unit = -1, .dim_count = 2, .dims = {{.size = BATCH}, {.size = CONTEXT}}},
    {.unit = -1, .dim_count = 4, .dims = {{.size = BATCH}, {.size = 1}, {.size = WIDE_ROWS}, {.size = WIDE_COLUMNS}}},
    {.unit = -1, .dim_count = 1, .dims = {{.size = BATCH}}},
    {.unit = -1, .dim_count = 2, .dims = {{.size = BATCH}, {.size = ROWS * COLUMNS}}},
};
enum { LAYOUT_TEXT, LAYOUT_WIDE, LAYOUT_LABELS, LAYOUT_FLAT };

static const prt_input text_inputs[] = {
    {"tokens", PRT_I32, PRT_TOKENS, VOCABULARY, 2, {BATCH, CONTEXT}},
    {"targets", PRT_I32, PRT_TARGETS, VOCABULARY, 2, {BATCH, CONTEXT}},
    {"masked", PRT_I32, PRT_MASK, 0, 2, {BATCH, CONTEXT}},
    {"segment", PRT_I32, PRT_SEGMENTS, 2, 2, {BATCH, CONTEXT}},
};
static const prt_input wide_inputs[] = {
    {"pixels", PRT_F64, PRT_FEATURES, 0, 4, {BATCH, 1, WIDE_ROWS, WIDE_COLUMNS}},
    {"labels", PRT_I32, PRT_LABELS, CLASSES, 1, {BATCH}},
};
static const prt_input flat_inputs[] = {
    {"pixels", PRT_F32, PRT_FEATURES, 0, 2, {BATCH, ROWS *COLUMNS}},
    {"labels", PRT_I32, PRT_LABELS, CLASSES, 1, {BATCH}},
};

static prt_program program_of(prt_data_kind kind, const prt_input *inputs, int count)
{
    return (prt_program){
        .name = "x", .batch = BATCH, .data = kind, .input_count = count, .inputs = inputs, .layouts = layouts};
}

static void open_run(prt_run *run, const prt_program *program)
{
    *run = (prt_run){.program = program,
                     .device = prt_device_cpu(),
                     .comm = prt_comm_self(),
                     .options = {.seed = 5, .data = data_path, .labels = labels_path}};
    run->ctx.run = run;
    run->ctx.ranks = 1;
    prt_data_open(run);
}

static void write_file(const char *path, const unsigned char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

/* ---- Tokens ------------------------------------------------------------------------------------------------- */

static int64_t token_number(int64_t i)
{
    return i * 37 % (VOCABULARY - 1);
}

static void write_tokens(int bytes, int64_t wrong_at)
{
    unsigned char file[4 * TOKENS];
    for (int64_t i = 0; i < TOKENS; i++)
        for (int b = 0; b < bytes; b++)
            file[i * bytes + b] = (unsigned char)((i == wrong_at ? VOCABULARY : token_number(i)) >> 8 * b);
    write_file(data_path, file, (size_t)(bytes * TOKENS));
}

static void check_tokens(prt_data_kind kind, int bytes)
{
    prt_program program = program_of(kind, text_inputs, 2);
    prt_run run;
    int32_t tokens[BATCH * CONTEXT], targets[BATCH * CONTEXT];
    write_tokens(bytes, -1);
    open_run(&run, &program);
    assert_int_equal(run.data->length, TOKENS);
    for (run.ctx.step = 0; run.ctx.step < 20; run.ctx.step++) {
        prt_read(&run.ctx, 0, LAYOUT_TEXT, 0, tokens);
        prt_read(&run.ctx, 1, LAYOUT_TEXT, 0, targets);
        for (int e = 0; e < BATCH; e++) {
            int64_t start = prt_data_window(5, run.ctx.step * BATCH + e, run.data->training - CONTEXT);
            for (int t = 0; t < CONTEXT; t++) {
                assert_int_equal(tokens[e * CONTEXT + t], token_number(start + t));
                assert_int_equal(targets[e * CONTEXT + t], token_number(start + t + 1));
            }
        }
    }
    prt_data_close(&run);
}

static void test_tokens(void **state)
{
    (void)state;
    check_tokens(PRT_U16, 2);
    check_tokens(PRT_U32, 4);
}

/* 15 % are to be found, of which 80 % are hidden, 10 % are others and 10 % themselves; all else is as it was. */
static void test_masked_tokens(void **state)
{
    (void)state;
    prt_program program = program_of(PRT_U16, text_inputs, 4);
    prt_run run;
    int32_t read[4][BATCH * CONTEXT];
    int found = 0, hidden = 0, same = 0, all = 0;
    program.masked = true;
    write_tokens(2, -1);
    open_run(&run, &program);
    for (run.ctx.step = 0; run.ctx.step < 1000; run.ctx.step++) {
        for (int input = 0; input < 4; input++)
            prt_read(&run.ctx, input, LAYOUT_TEXT, 0, read[input]);
        for (int i = 0; i < BATCH * CONTEXT; i++, all++) {
            int64_t start = prt_data_window(5, run.ctx.step * BATCH + i / CONTEXT, run.data->training - CONTEXT);
            assert_int_equal(read[1][i], token_number(start + i % CONTEXT));
            assert_int_equal(read[3][i], i % CONTEXT >= CONTEXT / 2);
            assert_true(read[2][i] == 1 || (read[2][i] == 0 && read[0][i] == read[1][i]));
            assert_true(read[0][i] >= 0 && read[0][i] < VOCABULARY);
            found += read[2][i];
            hidden += read[0][i] == VOCABULARY - 1;
            same += read[2][i] == 1 && read[0][i] == read[1][i];
        }
    }
    assert_in_range(found * 1000 / all, 142, 158);
    assert_in_range(hidden * 1000 / found, 780, 820);
    assert_in_range(same * 1000 / found, 85, 115);
    prt_data_close(&run);
}

/* ---- Images ------------------------------------------------------------------------------------------------- */

static unsigned char pixel_at(int64_t image, int64_t row, int64_t column)
{
    return (unsigned char)(image * 31 + row * 7 + column);
}

static void write_images(bool channels, int labels)
{
    unsigned char file[20 + IMAGES * ROWS * COLUMNS] = {0, 0, 8, channels ? 4 : 3, 0, 0, 0, IMAGES};
    unsigned char label[8 + IMAGES] = {0, 0, 8, 1, 0, 0, 0, (unsigned char)labels};
    size_t header = channels ? 20 : 16;
    if (channels)
        file[11] = 1;
    file[header - 5] = ROWS;
    file[header - 1] = COLUMNS;
    for (int i = 0; i < IMAGES; i++) {
        label[8 + i] = (unsigned char)(i % CLASSES);
        for (int p = 0; p < ROWS * COLUMNS; p++)
            file[header + (size_t)(i * ROWS * COLUMNS + p)] = pixel_at(i, p / COLUMNS, p % COLUMNS);
    }
    write_file(data_path, file, header + IMAGES * ROWS * COLUMNS);
    write_file(labels_path, label, 8 + (size_t)labels);
}

/* In the middle of a larger input, with zeros around; in the validation part, those that are held out. */
static void test_images_in_a_larger_input(void **state)
{
    (void)state;
    prt_program program = program_of(PRT_IMAGES, wide_inputs, 2);
    prt_run run;
    double pixels[BATCH][WIDE_ROWS][WIDE_COLUMNS];
    int32_t labels[BATCH];
    write_images(true, IMAGES);
    open_run(&run, &program);
    for (run.ctx.step = 0; run.ctx.step < 12; run.ctx.step++) {
        prt_read(&run.ctx, 0, LAYOUT_WIDE, 0, pixels);
        prt_read(&run.ctx, 1, LAYOUT_LABELS, 0, labels);
        for (int e = 0; e < BATCH; e++) {
            int64_t image = prt_data_window(5, run.ctx.step * BATCH + e, run.data->training);
            assert_true(image < IMAGES - IMAGES / 10);
            assert_int_equal(labels[e], image % CLASSES);
            for (int r = 0; r < WIDE_ROWS; r++)
                for (int c = 0; c < WIDE_COLUMNS; c++) {
                    int row = r - 2, column = c;
                    bool inside = row >= 0 && row < ROWS && column < COLUMNS;
                    assert_true(pixels[e][r][c] == (inside ? pixel_at(image, row, column) / 255.0 : 0));
                }
        }
    }
    run.mode = PRT_EVALUATING;
    prt_read(&run.ctx, 1, LAYOUT_LABELS, 0, labels);
    for (int e = 0; e < BATCH; e++)
        assert_int_equal(labels[e], (IMAGES - IMAGES / 10 + e) % CLASSES);
    prt_data_close(&run);
}

static void test_images_as_rows_of_features(void **state)
{
    (void)state;
    prt_program program = program_of(PRT_IMAGES, flat_inputs, 2);
    prt_run run;
    float pixels[BATCH][ROWS * COLUMNS];
    write_images(false, IMAGES);
    open_run(&run, &program);
    prt_read(&run.ctx, 0, LAYOUT_FLAT, 0, pixels);
    for (int e = 0; e < BATCH; e++)
        for (int p = 0; p < ROWS * COLUMNS; p++) {
            int64_t image = prt_data_window(5, e, run.data->training);
            assert_true(pixels[e][p] == (float)(pixel_at(image, p / COLUMNS, p % COLUMNS) / 255.0));
        }
    prt_data_close(&run);
}

/* ---- Files that do not fit ---------------------------------------------------------------------------------- */

/* The exit status of a process of its own that opens the data and reads it, and what it prints. */
static int read_apart(const prt_program *program, int layout, char *printed, size_t size)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        prt_run run;
        double out[BATCH * WIDE_ROWS * WIDE_COLUMNS];
        dup2(ends[1], 2);
        close(ends[0]);
        open_run(&run, program);
        for (; run.ctx.step < 400; run.ctx.step++)
            for (int input = 0; input < 2; input++)
                prt_read(&run.ctx, input, input == 1 && layout != LAYOUT_TEXT ? LAYOUT_LABELS : layout, 0, out);
        _exit(0);
    }
    close(ends[1]);
    ssize_t length = 0, got;
    while ((got = read(ends[0], printed + length, size - 1 - (size_t)length)) > 0)
        length += got;
    printed[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect_refused(const prt_program *program, int layout, const char *text)
{
    char printed[2048];
    int status = read_apart(program, layout, printed, sizeof printed);
    if (status <= 0 || strstr(printed, text) == NULL)
        fail_msg("expected '%s', got status %d and: %s", text, status, printed);
}

static void test_files_that_do_not_fit(void **state)
{
    (void)state;
    prt_program tokens = program_of(PRT_U16, text_inputs, 2), images = program_of(PRT_IMAGES, wide_inputs, 2);
    static const unsigned char odd[1001] = {0};
    static const unsigned char header[] = {0, 0, 8, 3, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 9};
    write_tokens(2, TOKENS / 2);
    expect_refused(&tokens, LAYOUT_TEXT, "is 3000; the tokens of this model are 0 to 2999");
    write_file(data_path, odd, sizeof odd);
    expect_refused(&tokens, LAYOUT_TEXT, "has 1001 bytes; tokens have 2 bytes each");
    write_file(data_path, odd, 20);
    expect_refused(&tokens, LAYOUT_TEXT, "has 10 tokens; 70 are needed");
    write_file(data_path, odd, 0);
    expect_refused(&tokens, LAYOUT_TEXT, "it is empty");
    expect_refused(&images, LAYOUT_WIDE, "it is empty");
    write_images(false, IMAGES);
    write_file(data_path, header, sizeof header);
    expect_refused(&images, LAYOUT_WIDE, "not those that its header says");
    write_file(data_path, odd, sizeof odd);
    expect_refused(&images, LAYOUT_WIDE, "is not a file of images in the IDX format");
    write_images(false, IMAGES - 1);
    expect_refused(&images, LAYOUT_WIDE, "has 40 images");
    static const prt_input small[] = {{"pixels", PRT_F64, PRT_FEATURES, 0, 4, {BATCH, 1, ROWS, COLUMNS - 1}},
                                      {"labels", PRT_I32, PRT_LABELS, CLASSES - 1, 1, {BATCH}}};
    write_images(false, IMAGES);
    images.inputs = small;
    expect_refused(&images, LAYOUT_WIDE, "do not fit into the input 'pixels'");
    static const prt_input few[] = {{"pixels", PRT_F64, PRT_FEATURES, 0, 4, {BATCH, 1, WIDE_ROWS, WIDE_COLUMNS}},
                                    {"labels", PRT_I32, PRT_LABELS, CLASSES - 1, 1, {BATCH}}};
    images.inputs = few;
    expect_refused(&images, LAYOUT_WIDE, "the classes of this model are 0 to 5");
}

static int make_files(void **state)
{
    (void)state;
    int data = mkstemp(data_path), labels = mkstemp(labels_path);
    return data < 0 || labels < 0 || close(data) != 0 || close(labels) != 0;
}

static int remove_files(void **state)
{
    (void)state;
    return unlink(data_path) + unlink(labels_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_masked_tokens),
        cmocka_unit_test(test_images_in_a_larger_input),
        cmocka_unit_test(test_images_as_rows_of_features),
        cmocka_unit_test(test_files_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
