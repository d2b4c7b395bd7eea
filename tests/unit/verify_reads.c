/* Which microbatch a reader names, and whose part of the batch: done, or refused where it means nothing. */
#include "tests/unit/verify_support.h"

/* A batch of training in two microbatches, one of another size in one piece, and an input without a batch. @1 is the
 * index of the first, @2 of the second, @3 what the third says. */
static const char program[] = "place-step 1\n"
                              "model reads\n"
                              "contract exact\n"
                              "compute f64\n"
                              "micro 2\n"
                              "axis data 2\n"
                              "axis pod 3\n"
                              "tensor x input f64 [8] batch 0\n"
                              "tensor scales input f64 [3]\n"
                              "reference {\n"
                              "buffer x f64 [8] activations\n"
                              "buffer few f64 [6] activations\n"
                              "buffer scales f64 [3] activations\n"
                              "buffer loss f64 [] activations\n"
                              "routine init {\n"
                              "}\n"
                              "routine step {\n"
                              "x = read() tensor x index 0\n"
                              "loss = reduce(x) \"b->\"\n"
                              "scales = read() tensor scales index 0\n"
                              "loss += reduce(scales) \"b->\"\n"
                              "output(loss) name \"loss\"\n"
                              "}\n"
                              "routine predict {\n"
                              "few = read() tensor x index 0\n"
                              "loss = reduce(few) \"b->\"\n"
                              "output(loss) name \"loss\"\n"
                              "}\n"
                              "}\n"
                              "program {\n"
                              "buffer x f64 [8/micro/data] activations\n"
                              "buffer few f64 [6/data] activations\n"
                              "buffer scales f64 [3] activations\n"
                              "buffer loss f64 [] activations\n"
                              "buffer all f64 [] activations\n"
                              "routine init {\n"
                              "}\n"
                              "routine step {\n"
                              "loss = fill(; 0)\n"
                              "loop l0 micro 0..1 {\n"
                              "x = read() tensor x over data index @1\n"
                              "loss += reduce(x) \"b->\"\n"
                              "scales = read() tensor scales @3\n"
                              "}\n"
                              "loss = all_reduce(loss) sum over data\n"
                              "loss += reduce(scales) \"b->\"\n"
                              "output(loss) name \"loss\"\n"
                              "}\n"
                              "routine predict {\n"
                              "loop l1 micro 0..1 {\n"
                              "few = read() tensor x over data index @2\n"
                              "}\n"
                              "loss = reduce(few) \"b->\"\n"
                              "loss = all_reduce(loss) sum over data\n"
                              "output(loss) name \"loss\"\n"
                              "}\n"
                              "}\n";

static const struct {
    const char *name, *expected, *index, *whole, *scales;
} cases[] = {
    {"as it is", "", "l0", "0", "index 0"},
    {"the last microbatch first", "", "1-l0", "0", "index 0"},
    {"always the first", "P0315", "0", "0", "index 0"},
    {"after the last", "P0334", "l0+1", "0", "index 0"},
    {"another one of a batch in one piece", "P0334", "l0", "1", "index 0"},
    {"each one of a batch in one piece", "P0334", "l0", "l1", "index 0"},
    {"the microbatch of what has no batch", "P0334", "l0", "0", "index l0"},
    {"the part of what has no batch", "P0334", "l0", "0", "over data index 0"},
    {"the part over an axis that cuts nothing", "P0334", "l0", "0", "over pod index 0"},
};

static void test_reads(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *piece[9] = {cases[i].index, cases[i].whole, cases[i].scales};
        Answer answer = verify_template(program, (Sizes){0}, piece);
        check_answer(cases[i].name, &(Sizes){0}, &answer, cases[i].expected);
        free(answer.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
