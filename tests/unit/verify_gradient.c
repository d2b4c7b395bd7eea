/* The gradient of a linear model under every way to sum it, right and wrong, on several axis sizes and microbatches. */
#include "tests/unit/verify_linear.h"

typedef struct Case {
    const char *name, *micro, *sync, *update, *weight, *over, *seed, *expected;
    long least_ranks, least_micro;
} Case;

#define FIRST_V "\n    p:v = init() tensor v seed 1\n"

static const Case cases[] = {
    {"one all-reduce", PLAIN, ALL_REDUCE, WHOLE_UPDATE, .expected = ""},
    {"no reduction", PLAIN, "", WHOLE_UPDATE, .expected = "P0301"},
    {"twice", PLAIN, ALL_REDUCE ALL_REDUCE, WHOLE_UPDATE, .expected = "P0302"},
    {"twice, scaled back", PLAIN, ALL_REDUCE ALL_REDUCE "    g = scale(g) scale 1/@n\n", WHOLE_UPDATE, .expected = ""},
    {"sum of means", PLAIN, ALL_REDUCE, WHOLE_UPDATE, "scale 1/@K local \"b\"", .expected = "P0303"},
    {"mean of means", PLAIN, ALL_REDUCE "    g = scale(g) scale 1/@n\n", WHOLE_UPDATE, "scale 1/@K local \"b\"",
     .expected = "", .least_ranks = 1},
    {"mean of sums", PLAIN, ALL_REDUCE "    g = scale(g) scale 1/@n\n", WHOLE_UPDATE, .expected = "P0303"},
    {"ZeRO-1", PLAIN, "    gs = reduce_scatter(g) sum over data\n", SHARD_UPDATE GATHER, .expected = ""},
    {"ZeRO-1, not gathered", PLAIN, "    gs = reduce_scatter(g) sum over data\n",
     SHARD_UPDATE "    p = place_shard(p, ps) over data\n", .expected = "P0306"},
    {"ZeRO-1, not stored", PLAIN, "    gs = reduce_scatter(g) sum over data\n", SHARD_UPDATE, .expected = "P0306"},
    {"ZeRO-1, placed, then gathered", PLAIN, "    gs = reduce_scatter(g) sum over data\n",
     SHARD_UPDATE "    p = place_shard(p, ps) over data\n    ps = slice(p) over data\n" GATHER, .expected = ""},
    {"ZeRO-2", EACH("      piece = reduce_scatter(part) sum over data\n      gs = add(gs, piece)\n"), "",
     SHARD_UPDATE GATHER, .expected = ""},
    {"ZeRO-2, accumulated in place", EACH("      gs += reduce_scatter(part) sum over data\n"), "", SHARD_UPDATE GATHER,
     .expected = ""},
    {"reduced in every microbatch", EACH("      part = all_reduce(part) sum over data\n      g = add(g, part)\n"), "",
     WHOLE_UPDATE, .expected = ""},
    {"accumulator summed in every microbatch", PLAIN "      g = all_reduce(g) sum over data\n", "", WHOLE_UPDATE,
     .expected = "P0305", .least_micro = 2},
    {"accumulator averaged in every microbatch",
     PLAIN "      g = all_reduce(g) sum over data\n      g = scale(g) scale 1/@n\n", "    g = scale(g) scale @n/1\n",
     WHOLE_UPDATE, .expected = ""},
    {"accumulator averaged, weight forgotten",
     PLAIN "      g = all_reduce(g) sum over data\n      g = scale(g) scale 1/@n\n", "", WHOLE_UPDATE,
     .expected = "P0303"},
    {"the last microbatch after the reduction",
     PLAIN "      guard l0+1 in @L..@L {\n        g = all_reduce(g) sum over data\n      }\n", "", WHOLE_UPDATE,
     .expected = "P0304", .least_micro = 2},
    {"reduction after the last microbatch",
     PLAIN "      guard l0 in @L..@L {\n        g = all_reduce(g) sum over data\n      }\n", "", WHOLE_UPDATE,
     .expected = ""},
    {"over the wrong axis", PLAIN, "    g = all_reduce(g) sum over model\n", WHOLE_UPDATE, .expected = "P0314"},
    {"over both axes, scaled", PLAIN, "    g = all_reduce(g) sum over data, model\n    g = scale(g) scale 1/@m\n",
     WHOLE_UPDATE, .expected = ""},
    {"the same part of the batch", PLAIN, ALL_REDUCE, WHOLE_UPDATE, .over = "", .expected = "P0311"},
    {"unlike seeds", PLAIN, ALL_REDUCE, WHOLE_UPDATE, .seed = "1 + 1*@data", .expected = "P0313"},
    {"unlike seeds, copied from the first rank", PLAIN, ALL_REDUCE, WHOLE_UPDATE,
     .seed = "1 + 1*@data" FIRST_V "    p = broadcast(p) over data index 0", .expected = ""},
    {"unlike seeds, copied from the second rank", PLAIN, ALL_REDUCE, WHOLE_UPDATE,
     .seed = "1 + 1*@data" FIRST_V "    p = broadcast(p) over data index 1", .expected = "P0313", .least_ranks = 2},
    {"unlike seeds, the second rank's meant", PLAIN, ALL_REDUCE, WHOLE_UPDATE,
     .seed = "2 + -1*@data" FIRST_V "    p = broadcast(p) over data index 1", .expected = "", .least_ranks = 2},
    {"unlike seeds, copied along another axis", PLAIN, ALL_REDUCE, WHOLE_UPDATE,
     .seed = "1 + 1*@data" FIRST_V "    p = broadcast(p) over model index 0", .expected = "P0313", .least_ranks = 2},
    {"another seed", PLAIN, ALL_REDUCE, WHOLE_UPDATE, .seed = "2", .expected = "P0313"},
    {"pieces summed", PLAIN, "    gs = reduce_scatter(g) sum over data\n    gs = all_reduce(gs) sum over data\n",
     SHARD_UPDATE GATHER, .expected = "P0320"},
    {"a piece of a part", PLAIN, "    gs = slice(g) over data\n", SHARD_UPDATE GATHER, .expected = "P0301"},
    {"left in shards", PLAIN, "    gs = reduce_scatter(g) sum over data\n", "    p = sgd(p, gs, rate) tensor w\n",
     .expected = "P0308"},
    {"a microbatch twice", PLAIN PLAIN, ALL_REDUCE, WHOLE_UPDATE, .expected = "P0303"},
    {"accumulator emptied in every microbatch", "      g = fill(; 0)\n" PLAIN, ALL_REDUCE, WHOLE_UPDATE,
     .expected = "P0301", .least_micro = 2},
    {"updated twice", PLAIN, ALL_REDUCE, WHOLE_UPDATE WHOLE_UPDATE, .expected = "P0316"},
    {"never updated", PLAIN, ALL_REDUCE, "", .expected = "P0316"},
    {"maximum", PLAIN, "    g = all_reduce(g) max over data\n", WHOLE_UPDATE, .expected = "P0320"},
    {"maximum of copies", PLAIN, ALL_REDUCE "    g = all_reduce(g) max over data\n", WHOLE_UPDATE, .expected = ""},
};

static void run_case(const Case *c, Sizes sizes)
{
    const char *piece[9] = {c->micro,
                            c->sync,
                            c->update,
                            c->weight != NULL ? c->weight : "scale 1/@B",
                            c->over != NULL ? c->over : "over data",
                            c->seed != NULL ? c->seed : "1"};
    if (sizes.n < c->least_ranks || sizes.micro < c->least_micro)
        return;
    Answer answer = verify_template(linear, sizes, piece);
    check_answer(c->name, &sizes, &answer, c->expected);
    free(answer.text);
}

static void test_cases(void **state)
{
    static const long ranks[] = {2, 3, 5}, micros[] = {1, 2, 3, 5, 8};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int n = 0; n < 3; n++)
            for (int k = 0; k < 5; k++)
                run_case(&cases[i], (Sizes){ranks[n], 7, micros[k], 2 * ranks[n] * micros[k]});
}

/* On one rank nothing is partial, and reductions are the identity. */
static void test_one_rank(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        Case c = cases[i];
        c.expected = "";
        run_case(&c, (Sizes){1, 1, 3, 6});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_one_rank)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
