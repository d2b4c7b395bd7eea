/* A reference is one device's program, run in order with memory of its own: what of it is anything else is refused. */
#include "tests/unit/verify_support.h"

/* Gradient descent on @B examples in @K microbatches. @1 declares, @2 are buffers of the reference, @3 is in its
 * step, @4 says of which layout its weight is, @5 begins its update. */
static const char program[] = "place-step 1\n"
                              "model line\n"
                              "contract exact\n"
                              "compute f64\n"
                              "micro @K\n"
                              "axis data @n\n"
                              "axis one 1\n"
                              "table first data 0 1\n"
                              "group block 2\n"
                              "tensor x input f64 [@B, 4] batch 0\n"
                              "tensor w parameter f64 [4] init normal 0.5\n"
                              "state parameters parameters per_parameter f64\n"
                              "state gradients gradients per_parameter f64\n"
                              "unit outside = w\n"
                              "@1"
                              "reference {\n"
                              "buffer w f64 @4parameters persistent state parameters@5\n"
                              "buffer g f64 [4] gradients state gradients of w\n"
                              "buffer x f64 [@B, 4] activations\n"
                              "buffer y f64 [@B] activations\n"
                              "buffer rate f64 [] buffers\n"
                              "@2"
                              "routine init {\n"
                              "@6"
                              "}\n"
                              "routine step {\n"
                              "x = read() tensor x index 0\n"
                              "y = fill(; 1) \"b\"\n"
                              "g = fill(; 0) \"h\"\n"
                              "g += einsum(x, y) \"bh,b->h\"\n"
                              "rate = fill(; 0.1)\n"
                              "@3"
                              "@7"
                              "}\n"
                              "}\n"
                              "program {\n"
                              "buffer p f64 unit outside parameters persistent state parameters\n"
                              "buffer g f64 unit outside gradients state gradients\n"
                              "buffer x f64 [@B/micro/data, 4] activations\n"
                              "buffer y f64 [@B/micro/data] activations\n"
                              "buffer rate f64 [] buffers\n"
                              "routine init {\n"
                              "p:w = init() tensor w seed 1\n"
                              "}\n"
                              "routine step {\n"
                              "g = fill(; 0)\n"
                              "loop l0 micro 0..@L {\n"
                              "x = read() tensor x over data index l0\n"
                              "y = fill(; 1) \"b\"\n"
                              "g:w += einsum(x, y) \"bh,b->h\"\n"
                              "}\n"
                              "g = all_reduce(g) sum over data\n"
                              "rate = fill(; 0.1)\n"
                              "p = sgd(p, g, rate) tensor w\n"
                              "}\n"
                              "}\n";

#define DENSE "[4] "
#define OF " of w"
#define INIT "w = init() tensor w seed 1\n"
#define UPDATE "w = sgd(w, g, rate) \"h,h,->h\" tensor w\n"
#define PLAIN .layout = DENSE, .of = OF, .init = INIT, .update = UPDATE

/* Its weight in a unit, which the declaration cuts or not. */
#define UNIT                                                                                                           \
    .layout = "unit held ", .of = "", .init = "w:w = init() tensor w seed 1\n", .update = "w = sgd(w, g2, rate)\n"
#define UNIT_GRADIENT "g2:w = copy(g) \"h->h\"\n"

static const struct {
    const char *name, *expected;
    const char *declared, *buffers, *step;
    const char *layout, *of, *init, *update;
} cases[] = {
    {"as it is", "", PLAIN},
    {"layers in a loop", "", PLAIN, .buffers = "buffer h f64 [] slots 2 buffers\n",
     .step = "loop l0 layers block 0..1 {\nh[l0] = fill(; 1)\n}\n"},
    {"a guard on a loop", "", PLAIN, .step = "loop l0 steps 0..3 {\nguard l0 in 0..1 {\nrate = fill(; 0.1)\n}\n}\n"},

    /* Layouts. */
    {"a unit", "", UNIT, .declared = "unit held = w\n", .buffers = "buffer g2 f64 unit held buffers\n",
     .step = UNIT_GRADIENT},
    {"a unit whose members are cut", "P0334", UNIT, .declared = "unit held = w[4/data]\n",
     .buffers = "buffer g2 f64 unit held buffers\n", .step = UNIT_GRADIENT},
    {"a unit whose members are cut over one rank", "P0334", UNIT, .declared = "unit held = w[4/one]\n",
     .buffers = "buffer g2 f64 unit held buffers\n", .step = UNIT_GRADIENT},
    {"a unit cut flat", "P0334", PLAIN, .declared = "unit held = w\n",
     .buffers = "buffer h f64 unit held/data buffers\n"},
    {"numbers of rows that are cut", "P0334", PLAIN,
     .declared = "tensor v parameter f64 [4, 2] init zeros frozen\n"
                 "unit held = v[4/data, 2]\n",
     .buffers = "buffer h f64 unit held rows buffers\n"},
    {"a dim cut over an axis", "P0334", PLAIN, .buffers = "buffer h f64 [4/data] buffers\n"},
    {"a dim cut over one rank", "P0334", PLAIN, .buffers = "buffer h f64 [4/one] buffers\n"},
    {"a dim cut by microbatches", "P0334", PLAIN, .buffers = "buffer h f64 [4/micro] buffers\n"},
    {"a dim in segments", "P0334", PLAIN, .buffers = "buffer h f64 [4{2, 2}/data] buffers\n"},
    {"a halo", "P0334", PLAIN, .buffers = "buffer h f64 [4/data+1+1] buffers\n"},
    {"a padded dim", "P0334", PLAIN, .buffers = "buffer h f64 [3/data padded] buffers\n"},
    {"on some ranks", "P0334", PLAIN, .buffers = "buffer h f64 [] buffers where @data in 0..0\n"},
    {"on no rank", "P0334", PLAIN, .buffers = "buffer h f64 [] buffers where 0 in 0..0\n"},
    {"layers of a rank", "P0334", PLAIN, .buffers = "buffer h f64 [] slots 2 buffers layers $first..$first\n"},
    {"layers", "P0334", PLAIN, .buffers = "buffer h f64 [] slots 2 buffers layers 0..1\n"},
    {"another tier", "P0334", PLAIN, .buffers = "buffer h f64 [] on host buffers\n"},
    {"a place in an arena", "P0334", PLAIN, .buffers = "buffer h f64 [] buffers offset 0 bytes 64\n"},
    {"two in one place", "P0334", PLAIN,
     .buffers = "buffer h f64 [] buffers offset 0 bytes 64\nbuffer i f64 [] buffers offset 0 bytes 64\n"},
    {"a state twice", "P0334 P0316", PLAIN,
     .buffers = "buffer w2 f64 [4] parameters persistent state parameters of w\n"},

    {"gradients of another shape", "P0334", PLAIN, .buffers = "buffer h f64 [5] gradients state gradients of w\n"},
    {"gradients of more layers", "", PLAIN, .buffers = "buffer h f64 [4] slots 3 gradients state gradients of w\n"},

    /* Control, and what is done by several. */
    {"a coordinate", "P0334", PLAIN, .step = "guard @data in 0..1 {\nrate = fill(; 0.1)\n}\n"},
    {"a table", "P0334", PLAIN, .step = "guard $first in 0..1 {\nrate = fill(; 0.1)\n}\n"},
    {"a slot by a coordinate", "P0334", PLAIN, .buffers = "buffer h f64 [] slots 2 buffers\n",
     .step = "h[@data] = fill(; 1)\n"},
    {"a sum over ranks", "P0334", PLAIN, .step = "rate = all_reduce(rate) max over data\n"},
    {"a sum over one rank", "P0334", PLAIN, .step = "rate = all_reduce(rate) sum over one\n"},
    {"a reader over an axis", "P0334", PLAIN, .step = "x = read() tensor x over data index 0\n"},
    {"a product of pieces", "P0334", PLAIN, .step = "g = einsum(x, y) \"bh,b->h\" over one index 0\n"},
    {"a loop over microbatches", "P0334", PLAIN, .step = "loop l0 micro 0..0 {\nrate = fill(; 0.1)\n}\n"},

    /* Order. */
    {"an event", "P0334", PLAIN, .buffers = "buffer h f64 [] buffers\n",
     .step = "h = copy(rate) event 1\nrate = fill(; 0.1)\nwait 1\n"},
    {"a stream", "P0334", PLAIN, .step = "rate = fill(; 0.1) stream 1\n"},
    {"a wait", "P0334", PLAIN, .step = "wait 1\n"},
    {"a product in place", "P0333", PLAIN, .buffers = "buffer m f64 [4, 4] buffers\nbuffer v f64 [4] buffers\n",
     .step = "m = fill(; 1) \"ab\"\nv = fill(; 1) \"a\"\nv = einsum(m, v) \"ab,b->a\"\n"},
    {"a ring that meets itself", "P0333", PLAIN, .buffers = "buffer m f64 [4, 4] slots 2 buffers\n",
     .step = "m[0] = fill(; 1) \"ab\"\nm[1] = fill(; 1) \"ab\"\nloop l0 steps 0..2 {\n"
             "m[l0 % 2] = copy(m[2*l0 % 2]) \"ab->ba\"\n}\n"},
    {"a ring that does not", "", PLAIN, .buffers = "buffer m f64 [4, 4] slots 2 buffers\n",
     .step = "m[0] = fill(; 1) \"ab\"\nloop l0 steps 0..2 {\nm[l0+1 % 2] = copy(m[l0 % 2]) \"ab->ba\"\n}\n"},
};

static void test_references(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *piece[9] = {cases[i].declared, cases[i].buffers, cases[i].step,  cases[i].layout,
                                cases[i].of,       cases[i].init,    cases[i].update};
        Answer answer = verify_template(program, (Sizes){.n = 2, .micro = 2, .batch = 8}, piece);
        check_answer(cases[i].name, &(Sizes){0}, &answer, cases[i].expected);
        free(answer.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_references)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
