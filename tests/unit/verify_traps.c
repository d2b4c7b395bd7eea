/* Programs that a careless proof would accept, and the right ones next to them; what is refused before any proof. */
#include "tests/unit/verify_linear.h"

#define SCATTER "    gs = reduce_scatter(g) sum over data\n"

/* The same examples, cut first over model, then over data. */
#define NESTED_BUFFERS                                                                                                 \
    "  buffer x2 f64 [@B/micro/model/data, 3] activations\n  buffer dy2 f64 [@B/micro/model/data] activations\n"       \
    "  buffer t2 f64 [@B/micro/model/data] activations\n  buffer y2 f64 [@B/micro/model/data] activations\n"           \
    "  buffer c2 f64 [@B/micro/model/data] activations\n"
#define NESTED                                                                                                         \
    "      x2 = read() tensor x over model, data index l0\n      t2 = read() tensor t over model, data index l0\n"     \
    "      y2 = einsum(x2, p:w) \"bh,h->b\"\n      c2 = fill(; 1)\n      c2 = scale(c2) \"b->b\" scale 1/@B\n"         \
    "      dy2 = squared_error_bwd(y2, t2, c2) \"b,b,b->b\"\n"                                                         \
    "      part = fill(; 0)\n      part:w = einsum(x2, dy2) \"bh,b->h\"\n"                                             \
    "      part = all_reduce(part) sum over model\n"

#define EXTRA "  buffer extra f64 unit outside buffers\n  buffer one f64 [] buffers\n"

typedef struct Case {
    const char *name, *micro, *sync, *update, *weight, *buffers, *expected;
    Sizes sizes;
} Case;

static const Case cases[] = {
    /* Each decomposition alone is right; a rank from one and a rank from the other is not. */
    {"nested cut", NESTED "      g += copy(part)\n", ALL_REDUCE, WHOLE_UPDATE, NULL, NESTED_BUFFERS, "", {2, 3, 2, 24}},
    {"two decompositions mixed",
     NESTED
     "      guard @data in 1..1 {\n        part = fill(; 0)\n        part:w = einsum(x, dy) \"bh,b->h\"\n      }\n"
     "      g += copy(part)\n",
     ALL_REDUCE,
     WHOLE_UPDATE,
     NULL,
     NESTED_BUFFERS,
     "P0320",
     {2, 3, 2, 24}},

    /* Counts: equal ones are numbers, unequal ones stay with their rank, a count of zero divides nothing. */
    {"local means of equal counts",
     PLAIN,
     ALL_REDUCE "    g = scale(g) scale 1/@n\n",
     WHOLE_UPDATE,
     "scale 1/@K local \"b\"",
     NULL,
     "",
     {3, 1, 2, 12}},
    {"local means of unequal counts",
     PLAIN,
     ALL_REDUCE "    g = scale(g) scale 1/@n\n",
     WHOLE_UPDATE,
     "scale 1/@K local \"b\"",
     NULL,
     "P0312",
     {3, 1, 2, 10}},
    {"a global mean of unequal counts", PLAIN, ALL_REDUCE, WHOLE_UPDATE, NULL, NULL, "", {3, 1, 2, 10}},
    {"uneven microbatches, global mean", PLAIN, ALL_REDUCE, WHOLE_UPDATE, NULL, NULL, "", {3, 1, 7, 101}},
    {"uneven microbatches, means of each",
     PLAIN,
     ALL_REDUCE,
     WHOLE_UPDATE,
     "scale 1/@K local \"b\"",
     NULL,
     "P0312",
     {1, 1, 3, 10}},
    {"ranks without an example",
     PLAIN,
     ALL_REDUCE,
     WHOLE_UPDATE,
     "scale 1/@K local \"b\"",
     NULL,
     "P0320",
     {5, 1, 1, 3}},

    /* Weights that ranks do not share: taken back they are right, gathered they are not. */
    {"scaled on one rank and back",
     PLAIN,
     SCATTER "    guard @data in 0..0 {\n      gs = scale(gs) scale 2/1\n    }\n"
             "    guard @data in 0..0 {\n      gs = scale(gs) scale 1/2\n    }\n",
     SHARD_UPDATE GATHER,
     NULL,
     NULL,
     "",
     {2, 1, 1, 4}},
    {"scaled on one rank",
     PLAIN,
     SCATTER "    guard @data in 0..0 {\n      gs = scale(gs) scale 2/1\n    }\n",
     SHARD_UPDATE GATHER,
     NULL,
     NULL,
     "P0320",
     {2, 1, 1, 4}},
    {"unlike weights gathered and subtracted",
     PLAIN,
     SCATTER "    guard @data in 0..0 {\n      gs = scale(gs) scale 2/1\n    }\n    extra = all_gather(gs) over data\n"
             "    g = all_reduce(g) sum over data\n    g = add(g, extra)\n    g = sub(g, extra)\n",
     WHOLE_UPDATE,
     NULL,
     EXTRA,
     "P0320",
     {2, 1, 1, 4}},
    {"one rank's copy summed",
     PLAIN,
     ALL_REDUCE "    guard @data in 1..@n {\n      g = fill(; 0)\n    }\n    g = all_reduce(g) sum over data\n",
     WHOLE_UPDATE,
     NULL,
     NULL,
     "",
     {2, 1, 1, 4}},

    /* Products of parts, and of parts with pieces. */
    {"a part squared and taken back",
     PLAIN,
     "    extra = mul(g, g)\n    g = all_reduce(g) sum over data\n    g = add(g, extra)\n    g = sub(g, extra)\n",
     WHOLE_UPDATE,
     NULL,
     EXTRA,
     "P0320",
     {2, 1, 1, 4}},
    {"a part times a whole number",
     PLAIN,
     "    one = fill(; 0.5)\n    extra = mul(g, one)\n    g = add(extra, extra)\n" ALL_REDUCE,
     WHOLE_UPDATE,
     NULL,
     EXTRA,
     "P0320",
     {2, 1, 1, 4}},
    {"half of a sum, twice",
     PLAIN,
     "    extra = scale(g) scale 1/2\n    g = add(extra, extra)\n" ALL_REDUCE,
     WHOLE_UPDATE,
     NULL,
     EXTRA,
     "",
     {2, 1, 1, 4}},

    /* Loops: a gradient that lags behind by a microbatch is right only if the last one is added too. */
    {"lagging by one microbatch",
     "      g = add(g, part)\n      part = fill(; 0)\n      part:w = einsum(x, dy) \"bh,b->h\"\n",
     "    g = add(g, part)\n" ALL_REDUCE,
     WHOLE_UPDATE,
     NULL,
     NULL,
     "P0330",
     {2, 1, 9, 18}},
    {"lagging, the last one lost",
     "      guard l0 in 1..@L {\n        g = add(g, part)\n      }\n      part = fill(; 0)\n"
     "      part:w = einsum(x, dy) \"bh,b->h\"\n",
     ALL_REDUCE,
     WHOLE_UPDATE,
     NULL,
     NULL,
     "P0301",
     {2, 1, 9, 18}},
    {"lagging, the last one added",
     "      guard l0 in 1..@L {\n        g = add(g, part)\n      }\n      part = fill(; 0)\n"
     "      part:w = einsum(x, dy) \"bh,b->h\"\n",
     "    g = add(g, part)\n" ALL_REDUCE,
     WHOLE_UPDATE,
     NULL,
     NULL,
     "",
     {2, 1, 9, 18}},
    {"four hundred microbatches", PLAIN, ALL_REDUCE, WHOLE_UPDATE, NULL, NULL, "", {2, 1, 400, 801}},
    {"the first microbatch again and again",
     "      x = read() tensor x over data index 0\n" PLAIN,
     ALL_REDUCE,
     WHOLE_UPDATE,
     NULL,
     NULL,
     "P0320",
     {2, 1, 9, 18}},

    /* What is refused at once. */
    {"never written", PLAIN, "    g = add(g, extra)\n" ALL_REDUCE, WHOLE_UPDATE, NULL, EXTRA, "P0330", {2, 1, 1, 4}},
    {"never written, in code that nothing reads",
     PLAIN,
     ALL_REDUCE "    extra = copy(extra)\n",
     WHOLE_UPDATE,
     NULL,
     EXTRA,
     "P0330",
     {2, 1, 1, 4}},
    {"written on one rank only",
     PLAIN,
     "    guard @data in 0..0 {\n      extra = fill(; 0)\n    }\n    g = add(g, extra)\n" ALL_REDUCE,
     WHOLE_UPDATE,
     NULL,
     EXTRA,
     "P0330",
     {2, 1, 1, 4}},
    {"a collective without all its ranks",
     PLAIN,
     "    guard @data in 0..0 {\n      g = all_reduce(g) sum over data\n    }\n",
     WHOLE_UPDATE,
     NULL,
     NULL,
     "P0332",
     {2, 1, 1, 4}},
    {"a collective of other ranks",
     PLAIN,
     ALL_REDUCE "    guard @data in 0..0 {\n      one = fill(; 1)\n      one = all_reduce(one) sum over model\n    }\n",
     WHOLE_UPDATE,
     NULL,
     EXTRA,
     "P0330",
     {2, 3, 1, 4}},
    {"a part used whole",
     PLAIN,
     SCATTER "    gs = mul(gs, extra)\n",
     SHARD_UPDATE GATHER,
     NULL,
     EXTRA,
     "P0307",
     {2, 1, 1, 4}},
    {"a slot that is not there",
     PLAIN,
     "    g[1] = copy(g)\n" ALL_REDUCE,
     WHOLE_UPDATE,
     NULL,
     NULL,
     "P0334",
     {2, 1, 1, 4}},
    {"dims that do not match",
     "      g:w += einsum(x, dy) \"bh,h->b\"\n",
     ALL_REDUCE,
     WHOLE_UPDATE,
     NULL,
     NULL,
     "P0334",
     {2, 1, 1, 4}},
    {"read before the wait",
     PLAIN,
     "    g = all_reduce(g) sum over data event 0 stream 1\n",
     WHOLE_UPDATE "    wait 0\n",
     NULL,
     NULL,
     "P0331",
     {2, 1, 1, 4}},
    {"read after the wait",
     PLAIN,
     "    g = all_reduce(g) sum over data event 0 stream 1\n    wait 0\n",
     WHOLE_UPDATE,
     NULL,
     NULL,
     "",
     {2, 1, 1, 4}},
    {"never waited for",
     PLAIN,
     ALL_REDUCE "    extra = all_gather(gs) over data event 3 stream 1\n",
     WHOLE_UPDATE,
     NULL,
     EXTRA,
     "P0331",
     {2, 1, 1, 4}},
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case *c = &cases[i];
        const char *piece[9] = {c->micro,    c->sync, c->update, c->weight != NULL ? c->weight : "scale 1/@B",
                                "over data", "1",     c->buffers};
        Answer answer = verify_template(linear, c->sizes, piece);
        check_answer(c->name, &c->sizes, &answer, c->expected);
        free(answer.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
