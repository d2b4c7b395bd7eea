/* Batch normalisation on ranks: its sums are completed inside the layer, forward and backward; whatever is left out
 * shows. The running mean is a state of its own.
 */
#include "tests/unit/verify_support.h"

static const char declared[] =
    "place-step 1\nmodel net\ncontract exact\ncompute f64\nmicro 1\naxis data @n\n"
    "tensor x input f64 [@B, 3] batch 0\ntensor t input f64 [@B, 2] batch 0\n"
    "tensor w parameter f64 [2, 3] init normal 0.5\ntensor norm.mean statistic f64 [2] init zeros\n"
    "state parameters parameters per_parameter f64\nstate gradients gradients per_parameter f64\n"
    "state statistics statistics per_parameter f64\nunit all = w\n";

static const char reference[] =
    "reference {\n"
    "  buffer p f64 [2, 3] parameters persistent state parameters of w\n"
    "  buffer g f64 [2, 3] gradients state gradients of w\n"
    "  buffer k f64 [2] buffers persistent state statistics of norm.mean\n"
    "  buffer x f64 [@B, 3] activations\n  buffer t f64 [@B, 2] activations\n"
    "  buffer h f64 [@B, 2] activations\n  buffer u f64 [@B, 2] activations\n  buffer y f64 [@B, 2] activations\n"
    "  buffer e f64 [@B, 2] activations\n  buffer de f64 [@B, 2] activations\n  buffer dy f64 [@B, 2] activations\n"
    "  buffer du f64 [@B, 2] activations\n  buffer neg f64 [@B, 2] activations\n"
    "  buffer s f64 [2] activations\n  buffer m f64 [2] activations\n  buffer q f64 [2] activations\n"
    "  buffer v f64 [2] activations\n  buffer r f64 [2] activations\n  buffer dr f64 [2] activations\n"
    "  buffer dv f64 [2] activations\n  buffer dm f64 [2] activations\n  buffer loss f64 [] activations\n"
    "  buffer rate f64 [] buffers\n"
    "  routine init {\n    p = init() tensor w seed 1\n    k = fill(; 0) \"c\"\n  }\n"
    "  routine step {\n    x = read() tensor x index 0\n    t = read() tensor t index 0\n"
    "    h = einsum(x, p) \"nd,cd->nc\"\n"
    "    s = reduce(h) \"nc->c\"\n    m = scale(s) \"c->c\" scale 1/@B\n    u = sub(h, m) \"nc,c->nc\"\n"
    "    q = sum_squares(u) \"nc->c\"\n    v = scale(q) \"c->c\" scale 1/@B\n    r = rsqrt(v; 0.00001) \"c->c\"\n"
    "    k = blend(k, m; 0.1) \"c,c->c\"\n"
    "    y = mul(u, r) \"nc,c->nc\"\n    e = squared_error(y, t) \"nc,nc->nc\"\n    loss = reduce(e) \"nc->\"\n"
    "    output(loss) name \"loss\"\n"
    "    de = fill(; 1) \"nc\"\n    dy = squared_error_bwd(y, t, de) \"nc,nc,nc->nc\"\n"
    "    du = mul(dy, r) \"nc,c->nc\"\n    dr = einsum(dy, u) \"nc,nc->c\"\n"
    "    dv = rsqrt_bwd(v, dr; 0.00001) \"c,c->c\"\n    dv = scale(dv) \"c->c\" scale 2/@B\n"
    "    du += mul(u, dv) \"nc,c->nc\"\n    neg = scale(du) \"nc->nc\" scale -1/1\n    dm = reduce(neg) \"nc->c\"\n"
    "    dm = scale(dm) \"c->c\" scale 1/@B\n    du += copy(dm) \"c->nc\"\n    g = einsum(du, x) \"nc,nd->cd\"\n"
    "    rate = fill(; 0.1)\n    p = sgd(p, g, rate) \"ab,ab,->ab\" tensor w\n  }\n}\n";

/* @1 .. @5: what completes the sum of the values, of the squares, of the cotangents of deviation and mean, and the
 * gradient; @6: what the running mean is blended with. */
static const char program[] =
    "@7@8program {\n"
    "  buffer p f64 unit all parameters persistent state parameters\n  buffer g f64 unit all gradients state "
    "gradients\n"
    "  buffer k f64 [2] buffers persistent state statistics of norm.mean\n"
    "  buffer x f64 [@B/data, 3] activations\n  buffer t f64 [@B/data, 2] activations\n"
    "  buffer h f64 [@B/data, 2] activations\n  buffer u f64 [@B/data, 2] activations\n"
    "  buffer y f64 [@B/data, 2] activations\n  buffer e f64 [@B/data, 2] activations\n"
    "  buffer de f64 [@B/data, 2] activations\n  buffer dy f64 [@B/data, 2] activations\n"
    "  buffer du f64 [@B/data, 2] activations\n  buffer neg f64 [@B/data, 2] activations\n"
    "  buffer s f64 [2] activations\n  buffer m f64 [2] activations\n  buffer q f64 [2] activations\n"
    "  buffer v f64 [2] activations\n  buffer r f64 [2] activations\n  buffer dr f64 [2] activations\n"
    "  buffer dv f64 [2] activations\n  buffer dm f64 [2] activations\n  buffer own f64 [2] activations\n"
    "  buffer loss f64 [] activations\n  buffer rate f64 [] buffers\n"
    "  routine init {\n    p:w = init() tensor w seed 1\n    k = fill(; 0) \"c\"\n  }\n"
    "  routine step {\n    x = read() tensor x over data index 0\n    t = read() tensor t over data index 0\n"
    "    h = einsum(x, p:w) \"nd,cd->nc\"\n"
    "    s = reduce(h) \"nc->c\"\n    own = scale(s) \"c->c\" scale 1/1 local \"\"\n@1"
    "    m = scale(s) \"c->c\" scale 1/@B\n    u = sub(h, m) \"nc,c->nc\"\n"
    "    q = sum_squares(u) \"nc->c\"\n@2    v = scale(q) \"c->c\" scale 1/@B\n    r = rsqrt(v; 0.00001) \"c->c\"\n"
    "    k = blend(k, @6; 0.1) \"c,c->c\"\n"
    "    y = mul(u, r) \"nc,c->nc\"\n    e = squared_error(y, t) \"nc,nc->nc\"\n    loss = reduce(e) \"nc->\"\n"
    "    loss = all_reduce(loss) sum over data\n    output(loss) name \"loss\"\n"
    "    de = fill(; 1) \"nc\"\n    dy = squared_error_bwd(y, t, de) \"nc,nc,nc->nc\"\n"
    "    du = mul(dy, r) \"nc,c->nc\"\n    dr = einsum(dy, u) \"nc,nc->c\"\n@3"
    "    dv = rsqrt_bwd(v, dr; 0.00001) \"c,c->c\"\n    dv = scale(dv) \"c->c\" scale 2/@B\n"
    "    du += mul(u, dv) \"nc,c->nc\"\n    neg = scale(du) \"nc->nc\" scale -1/1\n    dm = reduce(neg) \"nc->c\"\n@4"
    "    dm = scale(dm) \"c->c\" scale 1/@B\n    du += copy(dm) \"c->nc\"\n    g = fill(; 0)\n"
    "    g:w = einsum(du, x) \"nc,nd->cd\"\n@5"
    "    rate = fill(; 0.1)\n    p = sgd(p, g, rate) tensor w\n  }\n}\n";

typedef struct Case {
    const char *name, *values, *squares, *deviation, *mean, *gradient, *kept;
    bool accepted;
} Case;

#define SUM(buffer) "    " buffer " = all_reduce(" buffer ") sum over data\n"

static const Case cases[] = {
    {"right", SUM("s"), SUM("q"), SUM("dr"), SUM("dm"), SUM("g"), "m", true},
    {"statistics of each rank", "", "", "", "", SUM("g"), "m", false},
    {"mean of each rank", "", SUM("q"), SUM("dr"), SUM("dm"), SUM("g"), "m", false},
    {"variance of each rank", SUM("s"), "", SUM("dr"), SUM("dm"), SUM("g"), "m", false},
    {"backward: deviation of each rank", SUM("s"), SUM("q"), "", SUM("dm"), SUM("g"), "m", false},
    {"backward: mean of each rank", SUM("s"), SUM("q"), SUM("dr"), "", SUM("g"), "m", false},
    {"gradient of each rank", SUM("s"), SUM("q"), SUM("dr"), SUM("dm"), "", "m", false},
    {"running mean of the sum", SUM("s"), SUM("q"), SUM("dr"), SUM("dm"), SUM("g"), "s", false},
    {"running mean of each rank", SUM("s"), SUM("q"), SUM("dr"), SUM("dm"), SUM("g"), "own", false},
};

static void test_cases(void **state)
{
    static const Sizes sizes[] = {{2, 1, 1, 6}, {3, 1, 1, 7}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int s = 0; s < 2; s++) {
            const Case *c = &cases[i];
            const char *piece[] = {c->values,   c->squares, c->deviation, c->mean,
                                   c->gradient, c->kept,    declared,     reference};
            Answer answer = verify_template(program, sizes[s], piece);
            bool refused = strncmp(answer.codes, "P03", 3) == 0 && strcmp(answer.codes, "P0334") != 0;
            if (c->accepted ? !answer.right : !refused)
                fail_msg("%s on %ld ranks: '%s'\n%s", c->name, sizes[s].n, answer.codes, answer.text);
            free(answer.text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
    return cmocka_run_group_tests_name("verify_batchnorm", tests, NULL, NULL);
}
