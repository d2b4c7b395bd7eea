/* Programs whose numbers are as large as a step file can say: answered, within bounds of memory and time. */
#include "tests/unit/verify_support.h"

#include <time.h>

/* A weight of three elements; @1 declares more, @2 and @3 are more buffers, @4 is in the loop, @5 at the end. */
static const char program[] = "place-step 1\n"
                              "model line\n"
                              "contract exact\n"
                              "compute f64\n"
                              "micro @K\n"
                              "axis data @n\n"
                              "group block 2147483648\n"
                              "tensor x input f64 [4, 3] batch 0\n"
                              "tensor w parameter f64 [3] init normal 0.5\n"
                              "@1"
                              "state parameters parameters per_parameter f64\n"
                              "state gradients gradients per_parameter f64\n"
                              "unit outside = w\n"
                              "@2"
                              "reference {\n"
                              "buffer w f64 [3] parameters persistent state parameters of w\n"
                              "buffer g f64 [3] gradients state gradients of w\n"
                              "buffer x f64 [4, 3] activations\n"
                              "buffer y f64 [4] activations\n"
                              "buffer rate f64 [] buffers\n"
                              "@6"
                              "routine init {\n"
                              "w = init() tensor w seed 1\n"
                              "}\n"
                              "routine step {\n"
                              "x = read() tensor x index 0\n"
                              "y = fill(; 1) \"b\"\n"
                              "g = fill(; 0) \"h\"\n"
                              "g += einsum(x, y) \"bh,b->h\"\n"
                              "rate = fill(; 0.1)\n"
                              "@7"
                              "w = sgd(w, g, rate) \"h,h,->h\" tensor w\n"
                              "}\n"
                              "}\n"
                              "program {\n"
                              "buffer p f64 unit outside parameters persistent state parameters\n"
                              "buffer g f64 unit outside gradients state gradients\n"
                              "buffer x f64 [4/micro/data, 3] activations\n"
                              "buffer y f64 [4/micro/data] activations\n"
                              "buffer rate f64 [] buffers\n"
                              "buffer a f64 [] buffers\n"
                              "@3"
                              "routine init {\n"
                              "p:w = init() tensor w seed 1\n"
                              "}\n"
                              "routine step {\n"
                              "g = fill(; 0)\n"
                              "a = fill(; 1)\n"
                              "loop l0 micro 0..@L {\n"
                              "x = read() tensor x over data index l0\n"
                              "y = fill(; 1) \"b\"\n"
                              "g:w += einsum(x, y) \"bh,b->h\"\n"
                              "@4"
                              "}\n"
                              "g = all_reduce(g) sum over data\n"
                              "rate = fill(; 0.1)\n"
                              "p = sgd(p, g, rate) tensor w\n"
                              "@5"
                              "}\n"
                              "}\n";

#define LAYER "tensor q parameter f64 [1] in block init zeros\n"
#define UNIT "unit layers in block 0..2147483647 = q\n"

static const struct {
    const char *name;
    Sizes sizes;
    const char *piece[9];
    const char *expected;
} cases[] = {
    {"as it is", {.n = 2, .micro = 1}, {NULL}, ""},
    {"many ranks", {.n = 2147483648, .micro = 1}, {NULL}, ""},
    {"peers of many ranks", {.n = 2147483648, .micro = 1}, {[4] = "a = permute(a) over data index @data\n"}, ""},
    {"a peer of many ranks, too far",
     {.n = 2147483648, .micro = 1},
     {[4] = "a = permute(a) over data index @data+1\n"},
     "P0334"},
    {"a rotation of many ranks",
     {.n = 2147483648, .micro = 1},
     {[4] = "a = permute(a) over data index @data+2147483647 % 2147483648\n"},
     ""},
    {"a coordinate of one, as often as can be",
     {.n = 1, .micro = 1},
     {[4] = "a = permute(a) over data index 1099511627776*@data\n"},
     ""},
    {"a guard of many ranks", {.n = 2147483648, .micro = 1}, {[4] = "guard @data in 0..5 {\na = fill(; 1)\n}\n"}, ""},
    {"a guard that many ranks pass",
     {.n = 2147483648, .micro = 1},
     {[4] = "guard @data in 0..2147483647 {\na = all_reduce(a) max over data\n}\n"},
     ""},
    {"many places", {.n = 2147483648, .micro = 1}, {[2] = "buffer h f64 [] buffers where @data in 0..1\n"}, "P0321"},
    {"many microbatches", {.n = 2, .micro = 2147483648}, {NULL}, "P0321"},
    {"a microbatch far away",
     {.n = 2, .micro = 1},
     {[4] = "loop l1 micro 1099511627776..1099511627776 {\nx = read() tensor x over data index 0\n}\n"},
     "P0321"},
    {"many slots", {.n = 2, .micro = 1}, {[2] = "buffer h f64 [] slots 2147483648 buffers\n"}, "P0321"},
    {"many slots of the reference",
     {.n = 2, .micro = 1},
     {[5] = "buffer h f64 [] slots 2147483648 buffers\n"},
     "P0321"},
    {"many slots, by places",
     {.n = 1024, .micro = 1},
     {[2] = "buffer h f64 [] slots 16384 buffers where @data in 0..1\n"},
     "P0321"},
    {"as many slots as can be", {.n = 2, .micro = 1}, {[2] = "buffer h f64 [] slots 8000000 buffers\n"}, ""},
    {"many layers",
     {.n = 2, .micro = 1},
     {LAYER, UNIT, "buffer pl f64 unit layers slots 2147483648 parameters persistent state parameters\n"},
     "P0321"},
    {"layers far away",
     {.n = 2, .micro = 1},
     {LAYER, UNIT,
      "buffer pl f64 unit layers slots 4 parameters persistent state parameters layers "
      "1099511627776..1099511627776 times 2147483647 every 2147483647\n"},
     "P0316 P0334"},
    {"more layers than slots, as often as can be",
     {.n = 2, .micro = 1},
     {LAYER, UNIT,
      "buffer pl f64 unit layers slots 4 parameters layers 0-1099511627776..1099511627776 times 2147483647 every "
      "2147483647\n",
      NULL, "pl[3] = init() seed 1\n"},
     ""},
    {"layers of many ranks",
     {.n = 2147483648, .micro = 1},
     {LAYER, UNIT,
      "buffer pl f64 unit layers slots 4 parameters persistent state parameters layers @data..@data times "
      "2147483647 every 2147483647\n"},
     "P0321"},
    {"layers of many ranks in the reference",
     {.n = 2147483648, .micro = 1},
     {LAYER, UNIT, [5] = "buffer pl f64 [1] slots 4 parameters persistent state parameters of q layers @data..@data\n"},
     "P0334"},
    {"a loop without an end", {.n = 2, .micro = 1}, {[4] = "loop l1 steps 0..1099511627775 {\n}\n"}, "P0321"},
    {"many loops in a loop",
     {.n = 2, .micro = 4},
     {[3] = "loop l1 steps 20000000..0 down {\n}\nguard l0 % 2 in 0..0 {\na = fill(; 1)\n}\n"},
     "P0321"},
    /* Too long, and said before anything of it is run. */
    {"many microbatches in a loop",
     {.n = 2, .micro = 1},
     {[4] = "loop l1 micro 0..999999999 {\na = fill(; 1)\n}\n"},
     "P0321"},
    {"microbatches before the first",
     {.n = 2, .micro = 1},
     {[4] = "loop l1 micro 0-999999999..0 {\na = fill(; 1)\n}\n"},
     "P0321"},
    {"microbatches down",
     {.n = 2, .micro = 1},
     {[4] = "loop l1 micro 999999999..0 down {\na = fill(; 1)\n}\n"},
     "P0321"},
    {"as many microbatches as nearly fit", {.n = 2, .micro = 1000000000}, {NULL}, "P0321"},
    {"many steps", {.n = 2, .micro = 1}, {[4] = "loop l1 steps 0..49999999 {\na = fill(; 1)\n}\n"}, "P0321"},
    {"many layers in a loop",
     {.n = 2, .micro = 1},
     {[4] = "loop l1 layers block 0..999999999 {\na = fill(; 1)\n}\n"},
     "P0321"},
    {"loops in loops",
     {.n = 2, .micro = 1},
     {[4] = "loop l1 steps 0..999 {\nloop l2 layers block 0..999 {\nloop l3 micro 0..999 {\na = fill(; 1)\n}\n}\n}\n"},
     "P0321"},
    {"a loop as long as the variable of another",
     {.n = 2, .micro = 1},
     {[4] = "loop l1 steps 0..99999 {\nloop l2 steps 0..l1 {\na = fill(; 1)\n}\n}\n"},
     "P0321"},
    {"a loop in most iterations of another",
     {.n = 2, .micro = 1},
     {[4] = "loop l1 steps 0..999 {\nguard l1 in 0..998 {\nloop l2 steps 0..99999 {\na = fill(; 1)\n}\n}\n}\n"},
     "P0321"},
    {"a loop on some ranks",
     {.n = 2, .micro = 1},
     {[4] = "guard @data in 0..0 {\nloop l1 steps 0..999999999 {\na = fill(; 1)\n}\n}\n"},
     "P0321"},
    {"a loop by a coordinate",
     {.n = 2, .micro = 1},
     {[4] = "loop l1 steps 0..999999999*@data {\na = fill(; 1)\n}\n"},
     "P0321"},
    {"a loop by a table",
     {.n = 2, .micro = 1},
     {"table long data 1000000000 1000000000\n", [4] = "loop l1 steps 0..$long {\na = fill(; 1)\n}\n"},
     "P0321"},
    {"a loop of the reference",
     {.n = 2, .micro = 1},
     {[6] = "loop l1 steps 0..999999999 {\nrate = fill(; 0.1)\n}\n"},
     "P0321"},
    {"a loop that is never begun",
     {.n = 2, .micro = 1},
     {[4] = "guard 1 in 0..0 {\nloop l1 steps 0..999999999 {\na = fill(; 1)\n}\n}\n"},
     ""},
    {"a loop that ends before it begins",
     {.n = 2, .micro = 1},
     {[4] = "loop l1 steps 1..0-999999999 {\na = fill(; 1)\n}\n"},
     ""},
    /* Much at one time. */
    {"an event that is started again and again",
     {.n = 2, .micro = 1},
     {[2] = "buffer h f64 [] slots 100000 buffers\n", [4] = "loop l1 steps 0..99999 {\nh[l1] = copy(a) event 1\n}\n"},
     "P0331"},
    {"a slot in the bytes of many",
     {.n = 2, .micro = 1},
     {[2] = "buffer h f64 [] slots 4000000 buffers offset 0 bytes 32000000\n"
            "buffer i f64 [4000000] buffers offset 0 bytes 32000000\n"},
     ""},
    {"many messages",
     {.n = 2, .micro = 1},
     {[4] = "loop l1 steps 0..199999 {\nguard @data in 0..0 {\nsend(a) over data index 1\n}\n"
            "guard @data in 1..1 {\na = recv() over data index 0\n}\n}\n"},
     ""},
    {"a variable after a modulus",
     {.n = 2, .micro = 1},
     {[4] = "loop l1 steps 0-1 % 1099511627776..0-1 % 1099511627776 {\nguard 1099511627776*l1 in 0..1 {\n}\n}\n"},
     "P0340"},
    {"weights",
     {.n = 2, .micro = 1},
     {[4] = "a = scale(a) scale 1099511627776/1\na = scale(a) scale 1099511627776/1\n"},
     ""},
    {"a number that is none",
     {.n = 2, .micro = 1},
     {[4] = "a = fill(; nan)\na = fill(; -inf)\na = fill(; 1e308)\n"},
     ""},
    {"a seed beyond 64 bits",
     {.n = 2, .micro = 1},
     {[4] = "p = init() seed 9223372036854775807+1099511627776*@data\n"},
     "P0316"},
    {"an integer of more than 32 bits",
     {.n = 2, .micro = 1},
     {[2] = "buffer i i32 [] buffers\n", [4] = "i = iota() index 2147483648\n"},
     "P0334"},
    {"integers of more than 32 bits",
     {.n = 2, .micro = 1},
     {[2] = "buffer i i32 [4/data] buffers\n", [4] = "i = iota() index 2147483645\n"},
     "P0334"},
    {"the last integers",
     {.n = 2, .micro = 1},
     {[2] = "buffer i i32 [4/data] buffers\n", [4] = "i = iota() index 2147483644\n"},
     ""},
    {"a stream beyond those that are followed",
     {.n = 2, .micro = 1},
     {[2] = "buffer h f64 [] buffers where @data in 0..0\n",
      [4] = "a = permute(a) over data index @data+1 % 2 event 9 stream 63\nwait 9 stream 62\nwait 9\n"},
     ""},
};

enum { MOST_SECONDS = 3 }; /* of the processor; most take none */

static void test_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clock_t begin = clock();
        Answer answer = verify_template(program, cases[i].sizes, cases[i].piece);
        if (clock() - begin > MOST_SECONDS * CLOCKS_PER_SEC)
            fail_msg("%s takes longer than %d seconds", cases[i].name, MOST_SECONDS);
        check_answer(cases[i].name, &cases[i].sizes, &answer, cases[i].expected);
        free(answer.text);
    }
}

/* As long a file as one likes: every unit has a tensor of its own, and every operator all tensors. */
static void test_many(void **state)
{
    enum { TENSORS = 3000, OPS = 6000 };
    (void)state;
    Arena *arena = arena_new();
    Text tensors = {.arena = arena}, units = {.arena = arena}, ops = {.arena = arena};
    for (int i = 0; i < TENSORS; i++) {
        text_add(&tensors, "tensor q%d parameter f64 [1] init zeros frozen\n", i);
        text_add(&units, "unit u%d = q%d\n", i, i);
    }
    text_add(&units, "unit all = w");
    for (int i = 0; i < TENSORS; i++)
        text_add(&units, ", q%d", i);
    text_add(&units, "\n");
    text_add(&ops, "h = fill(; 0)\n");
    const char *piece[9] = {tensors.data, units.data, "buffer h f64 unit all buffers\n", NULL, ops.data};
    Answer answer = verify_template(program, (Sizes){.n = 2, .micro = 1}, piece);
    check_answer("many units", &(Sizes){0}, &answer, "");
    free(answer.text);
    for (int i = 0; i < OPS; i++)
        text_add(&ops, "h = relu(h)\n");
    piece[4] = ops.data;
    answer = verify_template(program, (Sizes){.n = 2, .micro = 1}, piece);
    check_answer("many operators", &(Sizes){0}, &answer, "P0321");
    free(answer.text);
    arena_free(arena);
}

/* As many blocks in each other as the reader allows, with ranks that do different things in the innermost. */
static void test_deep(void **state)
{
    enum { MOST = 31 };
    (void)state;
    Arena *arena = arena_new();
    Text text = {.arena = arena};
    for (int i = 0; i < MOST - 1; i++)
        text_add(&text, "loop l%d steps 0..0 {\n", i + 1);
    text_add(&text, "guard @data in 0..0 {\nsend(a) over data index 1\n}\n");
    text_add(&text, "guard @data in 1..1 {\na = recv() over data index 0\n}\n");
    for (int i = 0; i < MOST - 1; i++)
        text_add(&text, "}\n");
    const char *piece[9] = {[4] = text.data};
    Answer answer = verify_template(program, (Sizes){.n = 2, .micro = 1}, piece);
    check_answer("many blocks", &(Sizes){0}, &answer, "");
    free(answer.text);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_many),
                                       cmocka_unit_test(test_deep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
