/* Clipping by the gradient norm: a unit cut over data, one that every rank holds whole, padding, copies, local norms.
 */
#include "tests/unit/verify_support.h"

static const char clipped[] =
    "place-step 1\nmodel two\ncontract exact\ncompute f64\nmicro @K\naxis data @n\naxis model @m\n"
    "tensor x input f64 [@B, 3] batch 0\n"
    "tensor w parameter f64 [3] init normal 0.5\ntensor u parameter f64 [2, 2] init normal 0.5\n"
    "tensor v parameter f64 [3] init zeros\n"
    "state parameters parameters per_parameter f64\nstate gradients gradients per_parameter f64\n"
    "state m optimizer per_parameter f64\n"
    "unit cut = w, u\nunit whole = v\n"
    "reference {\n"
    "  buffer w f64 [3] parameters persistent state parameters of w\n"
    "  buffer u f64 [2, 2] parameters persistent state parameters of u\n"
    "  buffer v f64 [3] parameters persistent state parameters of v\n"
    "  buffer mw f64 [3] optimizer persistent state m of w\n"
    "  buffer mu f64 [2, 2] optimizer persistent state m of u\n"
    "  buffer mv f64 [3] optimizer persistent state m of v\n"
    "  buffer gw f64 [3] gradients\n  buffer gu f64 [2, 2] gradients\n  buffer gv f64 [3] gradients\n"
    "  buffer x f64 [@B, 3] activations\n  buffer y f64 [@B] activations\n  buffer z f64 [@B] activations\n"
    "  buffer dy f64 [@B] activations\n  buffer s f64 [] activations\n  buffer f f64 [] activations\n"
    "  buffer rate f64 [] buffers\n  buffer loss f64 [] activations\n"
    "  routine init {\n    w = init() tensor w seed 1\n    u = init() tensor u seed 1\n    v = init() tensor v seed 1\n"
    "    mw = fill(; 0)\n    mu = fill(; 0)\n    mv = fill(; 0)\n  }\n"
    "  routine step {\n"
    "    x = read() tensor x index 0\n    y = einsum(x, w) \"bh,h->b\"\n    z = einsum(x, v) \"bh,h->b\"\n"
    "    y = mul(y, z) \"b,b->b\"\n    y = relu(y) \"b->b\"\n    loss = reduce(y) \"b->\"\n    output(loss) name "
    "\"loss\"\n"
    "    dy = fill(; 1)\n    dy = relu_bwd(y, dy) \"b,b->b\"\n"
    "    gw = einsum(x, dy) \"bh,b->h\"\n    gu = fill(; 0)\n    z = mul(z, dy) \"b,b->b\"\n    gv = einsum(x, z) "
    "\"bh,b->h\"\n"
    "    s = fill(; 0)\n    s += sum_squares(gw) \"h->\"\n    s += sum_squares(gu) \"oh->\"\n    s += sum_squares(gv) "
    "\"h->\"\n"
    "    output(s) name \"gradient_norm\"\n    f = clip_factor(s; 1)\n    rate = fill(; 0.1)\n"
    "    gw = mul(gw, f) \"h,->h\"\n    gu = mul(gu, f) \"oh,->oh\"\n    gv = mul(gv, f) \"h,->h\"\n"
    "    mw = momentum(mw, gw; 0.9) \"h,h->h\" tensor w\n    mu = momentum(mu, gu; 0.9) \"oh,oh->oh\" tensor u\n"
    "    mv = momentum(mv, gv; 0.9) \"h,h->h\" tensor v\n"
    "    w = sgd(w, mw, rate) \"h,h,->h\" tensor w\n    u = sgd(u, mu, rate) \"oh,oh,->oh\" tensor u\n"
    "    v = sgd(v, mv, rate) \"h,h,->h\" tensor v\n  }\n}\n"
    "program {\n"
    "  buffer p f64 unit cut/data parameters persistent state parameters\n"
    "  buffer pv f64 unit whole parameters persistent state parameters\n"
    "  buffer m f64 unit cut/data optimizer persistent state m\n"
    "  buffer mv f64 unit whole optimizer persistent state m\n"
    "  buffer full f64 unit cut buffers\n  buffer g f64 unit cut gradients state gradients\n"
    "  buffer gs f64 unit cut/data buffers\n  buffer gv f64 unit whole gradients state gradients\n"
    "  buffer gvs f64 unit whole/data buffers\n"
    "  buffer x f64 [@B/micro/data, 3] activations\n  buffer y f64 [@B/micro/data] activations\n"
    "  buffer z f64 [@B/micro/data] activations\n  buffer dy f64 [@B/micro/data] activations\n"
    "  buffer s f64 [] activations\n  buffer s2 f64 [] activations\n  buffer f f64 [] activations\n"
    "  buffer rate f64 [] buffers\n  buffer loss f64 [] activations\n"
    "  routine init {\n    full:w = init() tensor w seed 1\n    full:u = init() tensor u seed 1\n"
    "    p = slice(full) over data\n    pv:v = init() tensor v seed 1\n    m = fill(; 0)\n    mv = fill(; 0)\n  }\n"
    "  routine step {\n"
    "    g = fill(; 0)\n    gv = fill(; 0)\n    loss = fill(; 0)\n"
    "    full = all_gather(p) over data\n"
    "    loop l0 micro 0..@L {\n"
    "      x = read() tensor x over data index l0\n      y = einsum(x, full:w) \"bh,h->b\"\n"
    "      z = einsum(x, pv:v) \"bh,h->b\"\n      y = mul(y, z) \"b,b->b\"\n      y = relu(y) \"b->b\"\n"
    "      loss += reduce(y) \"b->\"\n"
    "      dy = fill(; 1)\n      dy = relu_bwd(y, dy) \"b,b->b\"\n"
    "      g:w += einsum(x, dy) \"bh,b->h\"\n      z = mul(z, dy) \"b,b->b\"\n      gv:v += einsum(x, z) \"bh,b->h\"\n"
    "    }\n"
    "    loss = all_reduce(loss) sum over data\n    output(loss) name \"loss\"\n"
    "@1"
    "    f = clip_factor(s; 1)\n    rate = fill(; 0.1)\n"
    "    gs = mul(gs, f)\n    gv = mul(gv, f)\n"
    "    m = momentum(m, gs; 0.9) tensor w\n    mv = momentum(mv, gv; 0.9) tensor v\n"
    "    p = sgd(p, m, rate) tensor w\n    pv = sgd(pv, mv, rate) tensor v\n"
    "  }\n}\n";

#define REDUCE "    gs = reduce_scatter(g) sum over data\n    gv = all_reduce(gv) sum over data\n"
#define OUT "    output(s) name \"gradient_norm\"\n"

typedef struct Case {
    const char *name, *norm, *expected;
} Case;

static const Case cases[] = {
    {"pieces, then copies",
     REDUCE "    s = sum_squares(gs)\n    s = all_reduce(s) sum over data\n    s += sum_squares(gv)\n" OUT, ""},
    {"pieces of both",
     REDUCE "    s = sum_squares(gs)\n    gvs = slice(gv) over data\n    s += sum_squares(gvs)\n"
            "    s = all_reduce(s) sum over data\n" OUT,
     ""},
    {"copies, a part from each",
     REDUCE "    s = sum_squares(gs)\n    s2 = sum_squares(gv)\n    s2 = scale(s2) scale 1/@n\n    s = add(s, s2)\n"
            "    s = all_reduce(s) sum over data\n" OUT,
     ""},
    {"gathered first",
     REDUCE "    full = all_gather(gs) over data\n    s = sum_squares(full)\n    s += sum_squares(gv)\n" OUT, ""},
    {"doubled and quartered",
     REDUCE
     "    s = sum_squares(gs)\n    s = all_reduce(s) sum over data\n    gv = scale(gv) scale 2/1\n"
     "    s2 = sum_squares(gv)\n    s2 = scale(s2) scale 1/4\n    gv = scale(gv) scale 1/2\n    s = add(s, s2)\n" OUT,
     ""},
    {"local pieces", REDUCE "    s = sum_squares(gs)\n    s += sum_squares(gv)\n" OUT, "P0309"},
    {"copies counted",
     REDUCE "    s = sum_squares(gs)\n    s += sum_squares(gv)\n    s = all_reduce(s) sum over data\n" OUT, "P0310"},
    {"a unit left out", REDUCE "    s = sum_squares(gs)\n    s = all_reduce(s) sum over data\n" OUT, "P0309"},
    {"before the reduction", "    s = sum_squares(gv)\n    s = all_reduce(s) sum over data\n" REDUCE OUT, "P0309"},
    {"not given", REDUCE "    s = sum_squares(gs)\n    s = all_reduce(s) sum over data\n    s += sum_squares(gv)\n",
     "P0315"},
};

static void test_cases(void **state)
{
    static const long ranks[] = {2, 3, 5}, micros[] = {1, 2, 5};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int n = 0; n < 3; n++)
            for (int k = 0; k < 3; k++) {
                Sizes sizes = {ranks[n], 2, micros[k], 2 * ranks[n] * micros[k]};
                const char *piece[9] = {cases[i].norm};
                Answer answer = verify_template(clipped, sizes, piece);
                check_answer(cases[i].name, &sizes, &answer, cases[i].expected);
                free(answer.text);
            }
}

/* Seven elements over two ranks: the last one's padding is whatever an update left there. */
static void test_padding(void **state)
{
    static const char norm[] =
        REDUCE "    s = sum_squares(p)\n    gs = momentum(gs, gs; 0.5)\n    s = sum_squares(gs)\n"
               "    s = all_reduce(s) sum over data\n    s += sum_squares(gv)\n" OUT;
    Sizes sizes = {2, 1, 1, 4};
    const char *piece[9] = {norm};
    (void)state;
    Answer answer = verify_template(clipped, sizes, piece);
    assert_false(answer.right);
    assert_non_null(strstr(answer.codes, "P0320"));
    free(answer.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_padding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
