/* Convolutions, pooling and views: what their letters may be, and be cut. */
#include "tests/unit/verify_support.h"

/* A convolution on two ranks: @1 the rest of its operator, @2 places of its result, @3 the dims of the image in the
 * program, @5 an operator on the result, @4 places of that one's. */
static const char template[] =
    "place-step 1\nmodel net\ncontract exact\ncompute f64\nmicro 1\naxis data 2\n"
    "tensor x input f64 [4, 3, 6, 8] batch 0\ntensor w parameter f64 [5, 3, 3, 3] init normal 0.5\n"
    "state parameters parameters per_parameter f64\nstate gradients gradients per_parameter f64\n"
    "unit all = w\n"
    "reference {\n"
    "  buffer w f64 [5, 3, 3, 3] parameters persistent state parameters of w\n"
    "  buffer x f64 [4, 3, 6, 8] activations\n  buffer y f64 [4, 5, @2] activations\n"
    "  buffer z f64 [4, 5, @4] activations\n  buffer loss f64 [] activations\n"
    "  routine init {\n    w = init() tensor w seed 1\n  }\n"
    "  routine step {\n    x = read() tensor x index 0\n    y = conv(x, w@1\n    z = @5\n    loss = reduce(z) "
    "\"nopq->\"\n"
    "    output(loss) name \"loss\"\n  }\n}\n"
    "program {\n"
    "  buffer p f64 unit all parameters persistent state parameters\n"
    "  buffer x f64 [@3] activations\n  buffer y f64 [4/data, 5, @2] activations\n"
    "  buffer z f64 [4/data, 5, @4] activations\n  buffer loss f64 [] activations\n"
    "  routine init {\n    p:w = init() tensor w seed 1\n  }\n"
    "  routine step {\n    x = read() tensor x over data index 0\n    y = conv(x, p:w@1\n    z = @5\n"
    "    loss = reduce(z) \"nopq->\"\n    loss = all_reduce(loss) sum over data\n    output(loss) name \"loss\"\n  "
    "}\n}\n";

typedef struct Case {
    const char *name, *conv, *places, *input, *then_places, *then, *expected;
} Case;

#define CUT "4/data, 3, 6, 8"
#define CONV "; 1, 0) \"nchw,ocij->nopq\"", "4, 6", CUT
#define COPY "4, 6", "copy(y) \"nopq->nopq\""

static const Case cases[] = {
    {"right", CONV, COPY, ""},
    {"stride and pad", "; 2, 1) \"nchw,ocij->nopq\"", "3, 4", CUT, "3, 4", "copy(y) \"nopq->nopq\"", ""},
    {"too few places", "; 1, 0) \"nchw,ocij->nopq\"", "4, 5", CUT, "4, 5", "copy(y) \"nopq->nopq\"", "P0334"},
    {"places of another pad", "; 1, 1) \"nchw,ocij->nopq\"", "4, 6", CUT, COPY, "P0334"},
    {"no stride", "; 0, 0) \"nchw,ocij->nopq\"", "4, 6", CUT, COPY, "P0334"},
    {"half a row", "; 1, 0.5) \"nchw,ocij->nopq\"", "4, 6", CUT, COPY, "P0334"},
    {"rows of the window that are the image's", "; 1, 0) \"nchw,ochj->nopq\"", "4, 6", CUT, COPY, "P0334"},
    {"columns not last", "; 1, 0) \"nchw,ocij->npqo\"", "4, 6", CUT, COPY, "P0334"},
    {"rows cut", "; 1, 0) \"nchw,ocij->nopq\"", "4, 6", "4, 3, 6/data, 8", COPY, "P0334"},
    {"pooling", CONV, "2, 3", "max_pool(y; 2, 2, 0) \"nohw->nopq\"", ""},
    {"windows outside of the image", CONV, "3, 4", "max_pool(y; 2, 3, 3) \"nohw->nopq\"", "P0334"},
    {"pooling of another number", CONV, "2, 3", "mean_pool(y; 3, 1, 0) \"nohw->nopq\"", "P0334"},
    {"channels pooled", CONV, "2, 3", "mean_pool(y; 2, 2, 0) \"nchw->nopq\"", "P0334"},
    {"view", CONV, "8, 3", "view(y) \"nohw->nopq\"", ""},
    {"view of more", CONV, "8, 4", "view(y) \"nohw->nopq\"", "P0334"},
    {"view that moves a dim", CONV, "6, 4", "view(y) \"nohw->nowh\"", "P0334"},
};

static void check(const char *name, const char *text, const char *const *piece, const char *expected)
{
    Sizes sizes = {2, 1, 1, 4};
    Answer answer = verify_template(text, sizes, piece);
    check_answer(name, &sizes, &answer, expected);
    free(answer.text);
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case *c = &cases[i];
        const char *piece[] = {c->conv, c->places, c->input, c->then_places, c->then};
        check(c->name, template, piece, c->expected);
    }
}

/* Statistics of every microbatch, the batch parted into [@1, @2]: @3 and @4 are these dims in the program, @5 what is
 * done with the statistics before they are read, @6 with the loss. */
static const char parted[] =
    "place-step 1\nmodel net\ncontract exact\ncompute f64\nmicro 2\naxis data 2\n"
    "tensor x input f64 [16, 3] batch 0\ntensor w parameter f64 [3] init normal 0.5\n"
    "state parameters parameters per_parameter f64\nstate gradients gradients per_parameter f64\n"
    "unit all = w\n"
    "reference {\n"
    "  buffer w f64 [3] parameters persistent state parameters of w\n"
    "  buffer x f64 [16, 3] activations\n  buffer y f64 [16, 3] activations\n"
    "  buffer v f64 [@1, @2, 3] activations\n  buffer s f64 [@1, 3] activations\n  buffer r f64 [@1, 3] activations\n"
    "  buffer loss f64 [] activations\n"
    "  routine init {\n    w = init() tensor w seed 1\n  }\n"
    "  routine step {\n    x = read() tensor x index 0\n    y = mul(x, w) \"nc,c->nc\"\n"
    "    v = view(y) \"nc->mbc\"\n    s = reduce(v) \"mbc->mc\"\n    r = rsqrt(s; 1) \"mc->mc\"\n"
    "    loss = reduce(r) \"mc->\"\n    output(loss) name \"loss\"\n  }\n}\n"
    "program {\n"
    "  buffer p f64 unit all parameters persistent state parameters\n"
    "  buffer x f64 [16/micro/data, 3] activations\n  buffer y f64 [16/micro/data, 3] activations\n"
    "  buffer v f64 [@1@3, @2@4, 3] activations\n  buffer s f64 [@1@3, 3] activations\n"
    "  buffer r f64 [@1@3, 3] activations\n  buffer loss f64 [] activations\n"
    "  routine init {\n    p:w = init() tensor w seed 1\n  }\n"
    "  routine step {\n    loss = fill(; 0)\n    loop l0 micro 0..1 {\n"
    "      x = read() tensor x over data index l0\n      y = mul(x, p:w) \"nc,c->nc\"\n"
    "      v = view(y) \"nc->mbc\"\n      s = reduce(v) \"mbc->mc\"\n@5"
    "      r = rsqrt(s; 1) \"mc->mc\"\n      loss += reduce(r) \"mc->\"\n    }\n@6"
    "    output(loss) name \"loss\"\n  }\n}\n";

#define SUMMED "      s = all_reduce(s) sum over data\n"

static const Case parted_cases[] = {
    {"microbatches", "2", "8", "/micro", "/data", SUMMED, ""},
    {"half of a microbatch each", "4", "4", "/micro/data", "", "", ""},
    {"sums of each rank", "2", "8", "/micro", "/data", "", "P0315"},
    {"two parts of one rank, examples cut", "4", "4", "/micro", "/data", SUMMED, "P0307"},
    {"nested the other way", "4", "4", "/data/micro", "", "", "P0307"},
    {"examples cut by microbatches", "2", "8", "/data", "/micro", "", "P0307"},
    {"parts that ranks share", "1", "16", "", "/micro/data", SUMMED, "P0315"},
};

static void test_parted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof parted_cases / sizeof *parted_cases; i++) {
        const Case *c = &parted_cases[i];
        bool cut = strcmp(c->input, "/micro/data") == 0;
        const char *loss = cut ? "    loss = all_reduce(loss) sum over data\n" : "";
        const char *piece[] = {c->conv, c->places, c->input, c->then_places, c->then, loss};
        Sizes sizes = {2, 1, 2, 16};
        Answer answer = verify_template(parted, sizes, piece);
        check_answer(c->name, &sizes, &answer, c->expected);
        free(answer.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_parted)};
    return cmocka_run_group_tests_name("verify_windows", tests, NULL, NULL);
}
