/* Placements of tensor, sequence, context and expert parallelism, written by hand: right programs and wrong ones. */
#include "tests/unit/verify_support.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct Case {
    const char *name;
    const char *piece[9];
    const char *expected;
} Case;

static void check_cases(const char *template, const char *units, const char *program, const Case *cases, size_t count,
                        Sizes sizes)
{
    for (size_t i = 0; i < count; i++) {
        const char *piece[9];
        memcpy(piece, cases[i].piece, sizeof piece);
        piece[7] = units;
        piece[8] = program;
        Answer answer = verify_template(template, sizes, piece);
        check_answer(cases[i].name, &sizes, &answer, cases[i].expected);
        free(answer.text);
    }
}

/* ---- A column- and row-parallel perceptron, as Megatron cuts it ---------------------------------------------- */

static const char mlp[] =
    "place-step 1\nmodel mlp\ncontract exact\ncompute f64\nmicro @K\naxis data @n\naxis model @m\n"
    "tensor x input f64 [@B, 12, 6] batch 0\ntensor t input f64 [@B, 12, 5] batch 0\n"
    "tensor w0 parameter f64 [7, 6] init normal 0.5\ntensor w1 parameter f64 [24, 7] init normal 0.5\n"
    "tensor w2 parameter f64 [5, 24] init normal 0.5\ntensor b2 parameter f64 [5] init zeros\n"
    "state parameters parameters per_parameter f64\nstate gradients gradients per_parameter f64\n@8"

    "reference {\n"
    "buffer p0 f64 [7, 6] parameters persistent state parameters of w0\n"
    "buffer p1 f64 [24, 7] parameters persistent state parameters of w1\n"
    "buffer p2 f64 [5, 24] parameters persistent state parameters of w2\n"
    "buffer q2 f64 [5] parameters persistent state parameters of b2\n"
    "buffer g0 f64 [7, 6] gradients state gradients of w0\nbuffer g1 f64 [24, 7] gradients state gradients of w1\n"
    "buffer g2 f64 [5, 24] gradients state gradients of w2\nbuffer h2 f64 [5] gradients state gradients of b2\n"
    "buffer x f64 [@B, 12, 6] activations\nbuffer t f64 [@B, 12, 5] activations\n"
    "buffer u f64 [@B, 12, 7] activations\nbuffer h f64 [@B, 12, 24] activations\n"
    "buffer a f64 [@B, 12, 24] activations\nbuffer y f64 [@B, 12, 5] activations\n"
    "buffer e f64 [@B, 12, 5] activations\nbuffer one f64 [@B, 12, 5] activations\nbuffer loss f64 [] activations\n"
    "buffer du f64 [@B, 12, 7] activations\nbuffer dh f64 [@B, 12, 24] activations\n"
    "buffer dy f64 [@B, 12, 5] activations\nbuffer rate f64 [] buffers\n"
    "routine init {\np0 = init() tensor w0 seed 1\np1 = init() tensor w1 seed 1\np2 = init() tensor w2 seed 1\n"
    "q2 = init() tensor b2 seed 1\n}\n"
    "routine step {\nx = read() tensor x index 0\nt = read() tensor t index 0\n"
    "u = einsum(x, p0) \"bti,ui->btu\"\nh = einsum(u, p1) \"btu,ou->bto\"\na = relu(h) \"bto->bto\"\n"
    "y = einsum(a, p2) \"bto,vo->btv\"\ny = add(y, q2) \"btv,v->btv\"\ne = squared_error(y, t) \"btv,btv->btv\"\n"
    "loss = reduce(e) \"btv->\"\noutput(loss) name \"loss\"\none = fill(; 1) \"btv\"\n"
    "dy = squared_error_bwd(y, t, one) \"btv,btv,btv->btv\"\ng2 = fill(; 0) \"vo\"\n"
    "g2 += einsum(dy, a) \"btv,bto->vo\"\nh2 = reduce(dy) \"btv->v\"\ndh = einsum(dy, p2) \"btv,vo->bto\"\n"
    "dh = relu_bwd(h, dh) \"bto,bto->bto\"\ng1 = einsum(dh, u) \"bto,btu->ou\"\ndu = einsum(dh, p1) \"bto,ou->btu\"\n"
    "g0 = einsum(du, x) \"btu,bti->ui\"\nrate = fill(; 0.1)\n"
    "p0 = sgd(p0, g0, rate) \"ui,ui,->ui\" tensor w0\np1 = sgd(p1, g1, rate) \"ou,ou,->ou\" tensor w1\n"
    "p2 = sgd(p2, g2, rate) \"vo,vo,->vo\" tensor w2\nq2 = sgd(q2, h2, rate) \"v,v,->v\" tensor b2\n}\n}\n@9";

/* @1 after the row-parallel product, @2 after the column-parallel one's cotangent, @3 the bias's weight, @4 the
 * step's reductions. */
static const char megatron_units[] = "unit cut = w1[24/model, 7], w2[5, 24/model]\nunit rest = w0, b2\n";
static const char megatron[] =
    "program {\nbuffer pc f64 unit cut parameters persistent state parameters\n"
    "buffer pr f64 unit rest parameters persistent state parameters\n"
    "buffer gc f64 unit cut gradients state gradients\nbuffer gr f64 unit rest gradients state gradients\n"
    "buffer x f64 [@B/micro/data, 12, 6] activations\nbuffer t f64 [@B/micro/data, 12, 5] activations\n"
    "buffer u f64 [@B/micro/data, 12, 7] activations\nbuffer h f64 [@B/micro/data, 12, 24/model] activations\n"
    "buffer a f64 [@B/micro/data, 12, 24/model] activations\nbuffer y f64 [@B/micro/data, 12, 5] activations\n"
    "buffer e f64 [@B/micro/data, 12, 5] activations\nbuffer one f64 [@B/micro/data, 12, 5] activations\n"
    "buffer loss f64 [] activations\nbuffer du f64 [@B/micro/data, 12, 7] activations\n"
    "buffer dh f64 [@B/micro/data, 12, 24/model] activations\nbuffer dy f64 [@B/micro/data, 12, 5] activations\n"
    "buffer rate f64 [] buffers\n"
    "routine init {\npc = init() seed 1\npr:w0 = init() tensor w0 seed 1\npr:b2 = init() tensor b2 seed 1\n}\n"
    "routine step {\nloss = fill(; 0)\ngc = fill(; 0)\ngr = fill(; 0)\nloop l0 micro 0..@L {\n"
    "x = read() tensor x over data index l0\nt = read() tensor t over data index l0\n"
    "u = einsum(x, pr:w0) \"bti,ui->btu\"\nh = einsum(u, pc:w1) \"btu,ou->bto\"\na = relu(h) \"bto->bto\"\n"
    "y = einsum(a, pc:w2) \"bto,vo->btv\"\n@1y = add(y, pr:b2) \"btv,v->btv\"\n@3"
    "e = squared_error(y, t) \"btv,btv->btv\"\n"
    "loss += reduce(e) \"btv->\"\none = fill(; 1) \"btv\"\n"
    "dy = squared_error_bwd(y, t, one) \"btv,btv,btv->btv\"\n"
    "gc:w2 += einsum(dy, a) \"btv,bto->vo\"\ngr:b2 += reduce(dy) \"btv->v\"\ndh = einsum(dy, pc:w2) \"btv,vo->bto\"\n"
    "dh = relu_bwd(h, dh) \"bto,bto->bto\"\ngc:w1 += einsum(dh, u) \"bto,btu->ou\"\n"
    "du = einsum(dh, pc:w1) \"bto,ou->btu\"\n@2gr:w0 += einsum(du, x) \"btu,bti->ui\"\n}\n"
    "loss = all_reduce(loss) sum over data\noutput(loss) name \"loss\"\n@4rate = fill(; 0.1)\n"
    "pc = sgd(pc, gc, rate)\npr = sgd(pr, gr, rate)\n}\n}\n";

#define BOTH "gc = all_reduce(gc) sum over data\ngr = all_reduce(gr) sum over data\n"

static void test_megatron(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"both sums", {"y = all_reduce(y) sum over model\n", "du = all_reduce(du) sum over model\n", NULL, BOTH}, ""},
        {"the second sum at the step",
         {"y = all_reduce(y) sum over model\n", NULL, NULL, BOTH "gr:w0 = all_reduce(gr:w0) sum over model\n"},
         ""},
        {"no sum forward", {NULL, "du = all_reduce(du) sum over model\n", NULL, BOTH}, "P0315 P0301"},
        {"no sum backward", {"y = all_reduce(y) sum over model\n", NULL, NULL, BOTH}, "P0301"},
        {"gradients summed over the tensor axis too",
         {"y = all_reduce(y) sum over model\n", "du = all_reduce(du) sum over model\n", NULL,
          BOTH "gc = all_reduce(gc) sum over model\n"},
         "P0320"},
        {"the sum backward twice",
         {"y = all_reduce(y) sum over model\n", "du = all_reduce(du) sum over model\n", NULL,
          BOTH "gr:w0 = all_reduce(gr:w0) sum over model\n"},
         "P0303"},
        {"the bias once per rank",
         {NULL, "du = all_reduce(du) sum over model\n", "y = all_reduce(y) sum over model\n", BOTH},
         "P0315 P0303"},
        {"sharded optimizers see the wrong axis",
         {"y = all_reduce(y) sum over data\n", "du = all_reduce(du) sum over model\n", NULL, BOTH},
         "P0320"},
    };
    check_cases(mlp, megatron_units, megatron, cases, COUNT(cases), (Sizes){2, 3, 2, 8});
    check_cases(mlp, megatron_units, megatron, cases, COUNT(cases) - 1, (Sizes){3, 5, 1, 6});
}

/* The same with activations cut by sequence outside the products, and weights cut over both axes, the gathered copy
 * of which is cut over one. @1 weight of the bias's gradient, @2 what its reductions are over. */
static const char sequence_units[] = "unit cut = w1[24/model, 7], w2[5, 24/model]\nunit rest = w0, b2\n";
static const char sequence[] =
    "program {\nbuffer pc f64 unit cut/data parameters persistent state parameters\n"
    "buffer pr f64 unit rest parameters persistent state parameters\nbuffer full f64 unit cut buffers\n"
    "buffer gc f64 unit cut gradients state gradients\nbuffer gs f64 unit cut/data buffers\n"
    "buffer gr f64 unit rest gradients state gradients\n"
    "buffer x f64 [@B/micro/data, 12/model, 6] activations\nbuffer t f64 [@B/micro/data, 12/model, 5] activations\n"
    "buffer u f64 [@B/micro/data, 12/model, 7] activations\nbuffer uw f64 [@B/micro/data, 12, 7] activations\n"
    "buffer h f64 [@B/micro/data, 12, 24/model] activations\n"
    "buffer a f64 [@B/micro/data, 12, 24/model] activations\nbuffer yw f64 [@B/micro/data, 12, 5] activations\n"
    "buffer y f64 [@B/micro/data, 12/model, 5] activations\nbuffer e f64 [@B/micro/data, 12/model, 5] activations\n"
    "buffer one f64 [@B/micro/data, 12/model, 5] activations\nbuffer loss f64 [] activations\n"
    "buffer du f64 [@B/micro/data, 12/model, 7] activations\nbuffer duw f64 [@B/micro/data, 12, 7] activations\n"
    "buffer dh f64 [@B/micro/data, 12, 24/model] activations\nbuffer dy f64 [@B/micro/data, 12/model, 5] activations\n"
    "buffer dyw f64 [@B/micro/data, 12, 5] activations\nbuffer rate f64 [] buffers\n"
    "routine init {\npc = init() seed 1\npr:w0 = init() tensor w0 seed 1\npr:b2 = init() tensor b2 seed 1\n}\n"
    "routine step {\nloss = fill(; 0)\ngc = fill(; 0)\ngr = fill(; 0)\nfull = all_gather(pc) over data\n"
    "loop l0 micro 0..@L {\nx = read() tensor x over data index l0\nt = read() tensor t over data index l0\n"
    "u = einsum(x, pr:w0) \"bti,ui->btu\"\nuw = all_gather(u) over model\n"
    "h = einsum(uw, full:w1) \"btu,ou->bto\"\na = relu(h) \"bto->bto\"\n"
    "yw = einsum(a, full:w2) \"bto,vo->btv\"\n@1 over model\ny = add(y, pr:b2) \"btv,v->btv\"\n"
    "e = squared_error(y, t) \"btv,btv->btv\"\n"
    "loss += reduce(e) \"btv->\"\none = fill(; 1) \"btv\"\n"
    "dy = squared_error_bwd(y, t, one) \"btv,btv,btv->btv\"\ndyw = all_gather(dy) over model\n"
    "gc:w2 += einsum(dyw, a) \"btv,bto->vo\"\ngr:b2 += reduce(@2) \"btv->v\"\n"
    "dh = einsum(dyw, full:w2) \"btv,vo->bto\"\n"
    "dh = relu_bwd(h, dh) \"bto,bto->bto\"\ngc:w1 += einsum(dh, uw) \"bto,btu->ou\"\n"
    "duw = einsum(dh, full:w1) \"bto,ou->btu\"\ndu = reduce_scatter(duw) sum over model\n"
    "gr:w0 += einsum(du, x) \"btu,bti->ui\"\n}\n"
    "loss = all_reduce(loss) sum over data, model\noutput(loss) name \"loss\"\n"
    "gs = reduce_scatter(gc) sum over data\ngr = all_reduce(gr) sum over @3\nrate = fill(; 0.1)\n"
    "pc = sgd(pc, gs, rate)\npr = sgd(pr, gr, rate)\n}\n}\n";

static void test_sequence(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"right", {"y = reduce_scatter(yw) sum", "dy", "data, model"}, ""},
        {"the rest is not summed over the sequence", {"y = reduce_scatter(yw) sum", "dy", "data"}, "P0301"},
        {"one gradient from what was gathered", {"y = reduce_scatter(yw) sum", "dyw", "data, model"}, "P0303"},
        {"a slice of a part", {"y = slice(yw)", "dy", "data, model"}, "P0315 P0301"},
    };
    check_cases(mlp, sequence_units, sequence, cases, COUNT(cases), (Sizes){2, 3, 2, 8});
    check_cases(mlp, sequence_units, sequence, cases, COUNT(cases), (Sizes){3, 2, 1, 6});
}

/* ---- Attention: keys and values gathered, or heads exchanged for positions ------------------------------------ */

static const char attention[] =
    "place-step 1\nmodel attention\ncontract exact\ncompute f64\nmicro @K\naxis data @n\naxis tensor @m\n"
    "tensor x input f64 [@B, 12, 7] batch 0\ntensor w input f64 [@B, 6, 12, 5] batch 0\n"
    "tensor q parameter f64 [6, 5, 7] init normal 0.5\ntensor k parameter f64 [6, 5, 7] init normal 0.5\n"
    "state parameters parameters per_parameter f64\nstate gradients gradients per_parameter f64\n"
    "reference {\nbuffer q f64 [6, 5, 7] parameters persistent state parameters of q\n"
    "buffer k f64 [6, 5, 7] parameters persistent state parameters of k\n"
    "buffer gq f64 [6, 5, 7] gradients state gradients of q\nbuffer gk f64 [6, 5, 7] gradients state gradients of k\n"
    "buffer x f64 [@B, 12, 7] activations\nbuffer w f64 [@B, 6, 12, 5] activations\n"
    "buffer xq f64 [@B, 6, 12, 5] activations\nbuffer xk f64 [@B, 6, 12, 5] activations\n"
    "buffer s f64 [@B, 6, 12, 12] activations\nbuffer a f64 [@B, 6, 12, 12] activations\n"
    "buffer o f64 [@B, 6, 12, 5] activations\nbuffer loss f64 [] activations\n"
    "buffer da f64 [@B, 6, 12, 12] activations\nbuffer dx f64 [@B, 6, 12, 5] activations\nbuffer rate f64 [] buffers\n"
    "routine init {\nq = init() tensor q seed 1\nk = init() tensor k seed 1\n}\n"
    "routine step {\nx = read() tensor x index 0\nw = read() tensor w index 0\n"
    "xq = einsum(x, q) \"bte,hde->bhtd\"\nxk = einsum(x, k) \"bte,hde->bhtd\"\n"
    "s = einsum(xq, xk) \"bhtd,bhsd->bhts\"\na = softmax(s; 0.5) \"bhts->bhts\"\n"
    "o = einsum(a, xk) \"bhts,bhsd->bhtd\"\no = mul(o, w) \"bhtd,bhtd->bhtd\"\nloss = reduce(o) \"bhtd->\"\n"
    "output(loss) name \"loss\"\nda = einsum(w, xk) \"bhtd,bhsd->bhts\"\nda = softmax_bwd(a, da; 0.5) "
    "\"bhts,bhts->bhts\"\n"
    "dx = einsum(da, xk) \"bhts,bhsd->bhtd\"\ngq = einsum(dx, x) \"bhtd,bte->hde\"\n"
    "dx = einsum(da, xq) \"bhts,bhtd->bhsd\"\ndx += einsum(a, w) \"bhts,bhtd->bhsd\"\n"
    "gk = einsum(dx, x) \"bhsd,bse->hde\"\nrate = fill(; 0.1)\n"
    "q = sgd(q, gq, rate) \"hde,hde,->hde\" tensor q\nk = sgd(k, gk, rate) \"hde,hde,->hde\" tensor k\n}\n}\n@9";

#define ATTENTION_PARAMETERS                                                                                           \
    "program {\nbuffer q f64 [6, 5, 7] parameters persistent state parameters of q\n"                                  \
    "buffer k f64 [6, 5, 7] parameters persistent state parameters of k\n"                                             \
    "buffer gq f64 [6, 5, 7] gradients state gradients of q\nbuffer gk f64 [6, 5, 7] gradients state gradients of k\n" \
    "buffer x f64 [@B/micro/data, 12/tensor, 7] activations\nbuffer loss f64 [] activations\nbuffer rate f64 [] "      \
    "buffers\n"

#define ATTENTION_START                                                                                                \
    "routine init {\nq = init() tensor q seed 1\nk = init() tensor k seed 1\n}\n"                                      \
    "routine step {\nloss = fill(; 0)\ngq = fill(; 0) \"hde\"\ngk = fill(; 0) \"hde\"\nloop l0 micro 0..@L {\n"        \
    "x = read() tensor x over data index l0\nw = read() tensor w over data index l0\n"                                 \
    "xq = einsum(x, q) \"bte,hde->bhtd\"\nxk = einsum(x, k) \"bte,hde->bhtd\"\n"

#define ATTENTION_END                                                                                                  \
    "gk += einsum(dx, x) \"bhsd,bse->hde\"\n}\nloss = all_reduce(loss) sum over data, tensor\n"                        \
    "output(loss) name \"loss\"\ngq = all_reduce(gq) sum over data, tensor\ngk = all_reduce(gk) sum over data, "       \
    "tensor\n"                                                                                                         \
    "rate = fill(; 0.1)\nq = sgd(q, gq, rate) \"hde,hde,->hde\" tensor q\n"                                            \
    "k = sgd(k, gk, rate) \"hde,hde,->hde\" tensor k\n}\n}\n"

/* @1 how keys are made whole, @2 how their cotangent goes back, @3 what of the second contribution. */
static const char gathered_keys[] = ATTENTION_PARAMETERS
    "buffer w f64 [@B/micro/data, 6, 12/tensor, 5] activations\nbuffer xq f64 [@B/micro/data, 6, 12/tensor, 5] "
    "activations\n"
    "buffer xk f64 [@B/micro/data, 6, 12/tensor, 5] activations\nbuffer kk f64 [@B/micro/data, 6, 12, 5] activations\n"
    "buffer s f64 [@B/micro/data, 6, 12/tensor, 12] activations\nbuffer a f64 [@B/micro/data, 6, 12/tensor, 12] "
    "activations\n"
    "buffer o f64 [@B/micro/data, 6, 12/tensor, 5] activations\nbuffer da f64 [@B/micro/data, 6, 12/tensor, 12] "
    "activations\n"
    "buffer dx f64 [@B/micro/data, 6, 12/tensor, 5] activations\nbuffer dk f64 [@B/micro/data, 6, 12, 5] "
    "activations\n" ATTENTION_START "@1\ns = einsum(xq, kk) \"bhtd,bhsd->bhts\"\na = softmax(s; 0.5) \"bhts->bhts\"\n"
    "o = einsum(a, kk) \"bhts,bhsd->bhtd\"\no = mul(w, o) \"bhtd,bhtd->bhtd\"\nloss += reduce(o) \"bhtd->\"\n"
    "da = einsum(kk, w) \"bhsd,bhtd->bhts\"\nda = softmax_bwd(a, da; 0.5) \"bhts,bhts->bhts\"\n"
    "dx = einsum(da, kk) \"bhts,bhsd->bhtd\"\ngq += einsum(dx, x) \"bhtd,bte->hde\"\n"
    "dk = einsum(da, xq) \"bhts,bhtd->bhsd\"\n@3dk += einsum(a, w) \"bhts,bhtd->bhsd\"\n@2\n" ATTENTION_END;

static void test_gathered_keys(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"right", {"kk = all_gather(xk) over tensor", "dx = reduce_scatter(dk) sum over tensor", ""}, ""},
        {"sliced, not summed", {"kk = all_gather(xk) over tensor", "dx = slice(dk) over tensor", ""}, "P0301"},
        {"one contribution summed before",
         {"kk = all_gather(xk) over tensor", "dx = reduce_scatter(dk) sum over tensor",
          "dk = all_reduce(dk) sum over tensor\n"},
         "P0303"},
    };
    check_cases(attention, "", gathered_keys, cases, COUNT(cases), (Sizes){2, 3, 2, 8});
    check_cases(attention, "", gathered_keys, cases, COUNT(cases), (Sizes){3, 5, 2, 6});
}

/* @1 how the cotangent of the keys goes back. */
static const char exchanged_heads[] = ATTENTION_PARAMETERS
    "buffer w f64 [@B/micro/data, 6/tensor, 12, 5] activations\nbuffer xq f64 [@B/micro/data, 6, 12/tensor, 5] "
    "activations\n"
    "buffer xk f64 [@B/micro/data, 6, 12/tensor, 5] activations\nbuffer kk f64 [@B/micro/data, 6/tensor, 12, 5] "
    "activations\n"
    "buffer qq f64 [@B/micro/data, 6/tensor, 12, 5] activations\n"
    "buffer s f64 [@B/micro/data, 6/tensor, 12, 12] activations\nbuffer a f64 [@B/micro/data, 6/tensor, 12, 12] "
    "activations\n"
    "buffer o f64 [@B/micro/data, 6/tensor, 12, 5] activations\nbuffer da f64 [@B/micro/data, 6/tensor, 12, 12] "
    "activations\n"
    "buffer dx f64 [@B/micro/data, 6, 12/tensor, 5] activations\nbuffer dk f64 [@B/micro/data, 6/tensor, 12, 5] "
    "activations\n" ATTENTION_START "kk = all_to_all(xk) over tensor\nqq = all_to_all(xq) over tensor\n"
    "s = einsum(qq, kk) \"bhtd,bhsd->bhts\"\na = softmax(s; 0.5) \"bhts->bhts\"\n"
    "o = einsum(a, kk) \"bhts,bhsd->bhtd\"\no = mul(o, w) \"bhtd,bhtd->bhtd\"\nloss += reduce(o) \"bhtd->\"\n"
    "da = einsum(w, kk) \"bhtd,bhsd->bhts\"\nda = softmax_bwd(a, da; 0.5) \"bhts,bhts->bhts\"\n"
    "dk = einsum(da, kk) \"bhts,bhsd->bhtd\"\ndx = all_to_all(dk) over tensor\ngq += einsum(dx, x) \"bhtd,bte->hde\"\n"
    "dk = einsum(da, qq) \"bhts,bhtd->bhsd\"\ndk += einsum(a, w) \"bhts,bhtd->bhsd\"\n@1\n" ATTENTION_END;

static void test_exchanged_heads(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"right", {"dx = all_to_all(dk) over tensor"}, ""},
        {"the old cotangent", {""}, "P0320"},
        {"over the wrong axis", {"dx = all_to_all(dk) over data"}, "P0334"},
        {"passed on after",
         {"dx = all_to_all(dk) over tensor\ndx = permute(dx) over tensor index @tensor+1 % @m"},
         "P0320"},
        {"passed on along copies",
         {"dx = all_to_all(dk) over tensor\nq = broadcast(q) over data index 1\n"
          "k = permute(k) over tensor index @tensor+1 % @m"},
         ""},
        {"handed to one twice", {"dx = all_to_all(dk) over tensor\nk = permute(k) over tensor index 0"}, "P0334"},
    };
    check_cases(attention, "", exchanged_heads, cases, COUNT(cases), (Sizes){2, 3, 2, 8});
    check_cases(attention, "", exchanged_heads, cases, COUNT(cases), (Sizes){3, 2, 2, 6});
}

/* ---- A table whose rows are cut ------------------------------------------------------------------------------- */

static const char table[] =
    "place-step 1\nmodel table\ncontract exact\ncompute f64\nmicro @K\naxis data @n\naxis tensor @m\n"
    "tensor i input i32 [@B, 12] batch 0\ntensor w input f64 [@B, 12, 5] batch 0\n"
    "tensor e parameter f64 [11, 5] init normal 0.5\n"
    "state parameters parameters per_parameter f64\nstate gradients gradients per_parameter f64\n"
    "reference {\nbuffer e f64 [11, 5] parameters persistent state parameters of e\n"
    "buffer g f64 [11, 5] gradients state gradients of e\nbuffer i i32 [@B, 12] activations\n"
    "buffer w f64 [@B, 12, 5] activations\nbuffer x f64 [@B, 12, 5] activations\nbuffer y f64 [@B, 12, 5] activations\n"
    "buffer loss f64 [] activations\nbuffer rate f64 [] buffers\n"
    "routine init {\ne = init() tensor e seed 1\n}\n"
    "routine step {\ni = read() tensor i index 0\nw = read() tensor w index 0\nx = embed(i, e) \"bt,vd->btd\"\n"
    "y = mul(x, w) \"btd,btd->btd\"\nloss = reduce(y) \"btd->\"\noutput(loss) name \"loss\"\n"
    "g = fill(; 0) \"vd\"\ng += embed_bwd(i, w) \"bt,btd->vd\"\nrate = fill(; 0.1)\n"
    "e = sgd(e, g, rate) \"vd,vd,->vd\" tensor e\n}\n}\n@9";

static const char cut_table[] =
    "program {\nbuffer e f64 [11/tensor, 5] parameters persistent state parameters of e\n"
    "buffer g f64 [11/tensor, 5] gradients state gradients of e\nbuffer i i32 [@B/micro/data, 12] activations\n"
    "buffer w f64 [@B/micro/data, 12, 5] activations\nbuffer x f64 [@B/micro/data, 12, 5] activations\n"
    "buffer y f64 [@B/micro/data, 12, 5] activations\nbuffer loss f64 [] activations\nbuffer rate f64 [] buffers\n"
    "routine init {\ne = init() tensor e seed 1\n}\n"
    "routine step {\nloss = fill(; 0)\ng = fill(; 0) \"vd\"\nloop l0 micro 0..@L {\n"
    "i = read() tensor i over data index l0\nw = read() tensor w over data index l0\nx = embed(i, e) \"bt,vd->btd\"\n@1"
    "y = mul(w, x) \"btd,btd->btd\"\nloss += reduce(y) \"btd->\"\n"
    "g += embed_bwd(i, w) \"bt,btd->vd\"\n}\nloss = all_reduce(loss) sum over data\n@2output(loss) name \"loss\"\n"
    "g = all_reduce(g) sum over data@3\nrate = fill(; 0.1)\n"
    "e = sgd(e, g, rate) \"vd,vd,->vd\" tensor e\n}\n}\n";

static void test_table(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"summed at once", {"x = all_reduce(x) sum over tensor\n", "", ""}, ""},
        {"summed at the end", {"", "loss = all_reduce(loss) sum over tensor\n", ""}, ""},
        {"never summed", {"", "", ""}, "P0315"},
        {"a nonlinear operator between", {"x = relu(x) \"btd->btd\"\n", "", ""}, "P0315"},
        {"rows of the gradient summed over ranks of other rows",
         {"x = all_reduce(x) sum over tensor\n", "", ", tensor"},
         "P0334"},
    };
    check_cases(table, "", cut_table, cases, COUNT(cases), (Sizes){2, 3, 2, 8});
    check_cases(table, "", cut_table, cases, COUNT(cases), (Sizes){3, 2, 2, 6});
}

/* ---- Cross entropy over classes that are cut ------------------------------------------------------------------ */

static const char classes[] =
    "place-step 1\nmodel classes\ncontract exact\ncompute f64\nmicro @K\naxis data @n\naxis tensor @m\n"
    "tensor x input f64 [@B, 7] batch 0\ntensor k input i32 [@B] batch 0\n"
    "tensor w parameter f64 [11, 7] init normal 0.5\n"
    "state parameters parameters per_parameter f64\nstate gradients gradients per_parameter f64\n"
    "reference {\nbuffer w f64 [11, 7] parameters persistent state parameters of w\n"
    "buffer g f64 [11, 7] gradients state gradients of w\nbuffer x f64 [@B, 7] activations\n"
    "buffer k i32 [@B] activations\nbuffer i i32 [11] activations\nbuffer s f64 [@B, 11] activations\n"
    "buffer m f64 [@B] activations\nbuffer z f64 [@B] activations\nbuffer p f64 [@B] activations\n"
    "buffer l f64 [@B] activations\nbuffer one f64 [@B] activations\nbuffer ds f64 [@B, 11] activations\n"
    "buffer loss f64 [] activations\nbuffer rate f64 [] buffers\n"
    "routine init {\nw = init() tensor w seed 1\n}\n"
    "routine step {\nx = read() tensor x index 0\nk = read() tensor k index 0\ni = iota() index 0\n"
    "s = einsum(x, w) \"bh,ch->bc\"\nm = row_max(s) \"bc->b\"\nz = exp_sum(s, m) \"bc,b->b\"\n"
    "p = pick(s, i, k) \"bc,c,b->b\"\nl = log_loss(m, z, p) \"b,b,b->b\"\nloss = reduce(l) \"b->\"\n"
    "output(loss) name \"loss\"\none = fill(; 1) \"b\"\n"
    "ds = log_loss_bwd(s, m, z, i, k, one) \"bc,b,b,c,b,b->bc\"\ng = einsum(ds, x) \"bc,bh->ch\"\n"
    "rate = fill(; 0.1)\nw = sgd(w, g, rate) \"ch,ch,->ch\" tensor w\n}\n}\n@9";

/* @1 to @3 how maximum, sum and score are completed, @4 what is done to the maximum before. */
static const char cut_classes[] =
    "program {\nbuffer w f64 [11/tensor, 7] parameters persistent state parameters of w\n"
    "buffer g f64 [11/tensor, 7] gradients state gradients of w\nbuffer x f64 [@B/micro/data, 7] activations\n"
    "buffer k i32 [@B/micro/data] activations\nbuffer i i32 [11/tensor] activations\n"
    "buffer s f64 [@B/micro/data, 11/tensor] activations\nbuffer m f64 [@B/micro/data] activations\n"
    "buffer m2 f64 [@B/micro/data] activations\n"
    "buffer z f64 [@B/micro/data] activations\nbuffer p f64 [@B/micro/data] activations\n"
    "buffer l f64 [@B/micro/data] activations\nbuffer one f64 [@B/micro/data] activations\n"
    "buffer ds f64 [@B/micro/data, 11/tensor] activations\nbuffer loss f64 [] activations\nbuffer rate f64 [] buffers\n"
    "routine init {\nw = init() tensor w seed 1\n}\n"
    "routine step {\nloss = fill(; 0)\ng = fill(; 0) \"ch\"\nloop l0 micro 0..@L {\nx = read() tensor x over data "
    "index l0\n"
    "k = read() tensor k over data index l0\ni = iota() index 0\ns = einsum(x, w) \"bh,ch->bc\"\nm = row_max(s) "
    "\"bc->b\"\n@4"
    "m = all_reduce(m) @1\nz = exp_sum(s, m) \"bc,b->b\"\nz = all_reduce(z) @2\n"
    "p = pick(s, i, k) \"bc,c,b->b\"\n@3l = log_loss(m, z, p) \"b,b,b->b\"\nloss += reduce(l) \"b->\"\n"
    "one = fill(; 1) \"b\"\nds = log_loss_bwd(s, m, z, i, k, one) \"bc,b,b,c,b,b->bc\"\n"
    "g += einsum(ds, x) \"bc,bh->ch\"\n}\nloss = all_reduce(loss) sum over data\noutput(loss) name \"loss\"\n"
    "g = all_reduce(g) sum over data\nrate = fill(; 0.1)\nw = sgd(w, g, rate) \"ch,ch,->ch\" tensor w\n}\n}\n";

#define MAX "max over tensor"
#define SUM "sum over tensor"
#define PICKED "p = all_reduce(p) sum over tensor\n"

static void test_classes(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"right", {MAX, SUM, PICKED, ""}, ""},
        {"the sum of maxima", {SUM, SUM, PICKED, ""}, "P0320"},
        {"the maximum of sums", {MAX, MAX, PICKED, ""}, "P0320"},
        {"the score where the class is", {MAX, SUM, "", ""}, "P0315"},
        {"a maximum of maxima and others",
         {MAX, SUM, PICKED, "m2 = fill(; 1) \"b\"\nm += copy(m2) \"b->b\"\n"},
         "P0320"},
        {"a maximum and back",
         {MAX, SUM, PICKED,
          "m2 = copy(m) \"b->b\"\nm += scale(m2) \"b->b\" scale 2/1\n"
          "m2 = scale(m2) \"b->b\" scale 2/1\nm = sub(m, m2) \"b,b->b\"\n"},
         ""},
        {"maxima summed along copies", {MAX, SUM, PICKED, "m = all_reduce(m) sum over data\n"}, "P0320"},
    };
    check_cases(classes, "", cut_classes, cases, COUNT(cases), (Sizes){2, 3, 2, 8});
    check_cases(classes, "", cut_classes, cases, COUNT(cases), (Sizes){3, 2, 1, 6});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_megatron),        cmocka_unit_test(test_sequence), cmocka_unit_test(test_gathered_keys),
        cmocka_unit_test(test_exchanged_heads), cmocka_unit_test(test_table),    cmocka_unit_test(test_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
