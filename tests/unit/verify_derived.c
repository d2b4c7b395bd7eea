/* Programs that the deriver makes of .place texts: every strategy is right, every wrong `sync` is refused by its code.
 */
#include "tests/unit/derived.h"

static const char gpt[] =
    "place 1\n" GPT_MODEL("gpt", "layers = %d, hidden = 8, heads = 2, context = 4, vocab = 6", "4 * hidden");

static const char mlp[] = "place 1\n"
                          "model mlp(layers = %d, hidden = 6) {\n"
                          "    input features : f32[batch, 5]\n"
                          "    input labels : int[batch]\n"
                          "    x = relu(linear(features, hidden) as first)\n"
                          "    repeat block[layers] {\n"
                          "        x = x + gelu(linear(x, hidden) as inner)\n"
                          "    }\n"
                          "    logits = linear(x, 3) as head\n"
                          "    loss = mean over batch of cross_entropy(logits, labels)\n"
                          "}\n";

typedef struct Setting {
    const char *model, *strategy; /* of strategy "mine(d: axis)" */
    int layers, ranks, micro, batch;
    const char *optimizer, *extra; /* lines of the train statement */
} Setting;

/* Derives and verifies; the codes of all errors, in the order of the file. */
static char *answer(const Setting *s, bool show)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, s->model, s->layers);
    fprintf(out, "cluster laptop { %d devices of cpu }\nmesh local on laptop { data: %d }\n", s->ranks, s->ranks);
    fprintf(out, "strategy mine(d: axis) {\n%s}\n", s->strategy);
    fprintf(out, "train %s on local {\n    strategy mine(data)\n    optimizer %s\n    precision f64\n",
            s->model == gpt ? "gpt" : "mlp", s->optimizer);
    if (strstr(s->extra, "data ") == NULL)
        fprintf(out, "    data synthetic\n");
    fprintf(out, "    batch %d in %d microbatches\n    steps 10\n%s}\n", s->batch, s->micro, s->extra);
    fclose(out);
    char *codes = derived_codes(text, show);
    free(text);
    return codes;
}

static void expect(const Setting *s, const char *expected)
{
    char *codes = answer(s, getenv("VERIFY_SHOW") != NULL);
    if (strcmp(codes, expected) != 0) {
        free(answer(s, true));
        fail_msg("%d ranks, %d microbatches, batch %d: expected '%s', found '%s'", s->ranks, s->micro, s->batch,
                 expected, codes);
    }
    free(codes);
}

#define BATCH "    activations sharded over d by batch\n"

static const char *const strategies[] = {
    BATCH,
    "    optimizer sharded over d\n" BATCH,
    "    gradients sharded over d\n    optimizer sharded over d\n" BATCH,
    "    parameters gathered over d\n    gradients sharded over d\n    optimizer sharded over d\n" BATCH,
    "    parameters gathered over d\n    parameters of block[0] replicated\n    gradients sharded over d\n"
    "    gradients of block[0] replicated\n    optimizer sharded over d\n" BATCH,
};

static void test_strategies(void **state)
{
    static const char *const optimizers[] = {"sgd(rate = 0.1)", "adamw(rate = 0.1, warmup = 2, decay = 0.1)"};
    static const int ranks[] = {1, 2, 3, 5}, micros[] = {1, 2, 5};
    (void)state;
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++)
        for (int n = 0; n < 4; n++)
            for (int k = 0; k < 3; k++)
                for (int model = 0; model < 2; model++) {
                    Setting s = {model == 0 ? gpt : mlp,
                                 strategies[i],
                                 3,
                                 ranks[n],
                                 micros[k],
                                 30,
                                 optimizers[(n + k) % 2],
                                 (n + model) % 2 ? "    clip norm 1.0\n" : ""};
                    expect(&s, "");
                    s.batch = 7 * s.micro; /* ranks do not divide a microbatch */
                    expect(&s, "");
                }
}

typedef struct SyncCase {
    const char *name, *strategy, *extra, *expected;
    int micro, batch;
} SyncCase;

#define ZERO1 "    optimizer sharded over d\n" BATCH

static const SyncCase syncs[] = {
    {"sum at the step", BATCH "    sync gradients : sum over d at step\n", "", "", 2, 12},
    {"none", BATCH "    sync gradients : none\n", "", "P0301", 2, 12},
    {"none, one rank's own part of one tensor", BATCH "    sync gradients of head : none\n", "", "P0301", 1, 12},
    {"twice", BATCH "    sync gradients : sum over d at step then sum over d at step\n", "", "P0302", 1, 12},
    {"mean for sum", BATCH "    sync gradients : mean over d at step\n", "", "P0303", 2, 12},
    {"sum for mean",
     BATCH "    sync count : none\n    sync gradients : sum over d at step\n    sync loss : mean over d\n", "", "P0303",
     2, 12},
    {"mean of means",
     BATCH "    sync count : none\n    sync gradients : mean over d at step\n    sync loss : mean over d\n", "", "", 2,
     12},
    {"mean of means, unequal",
     BATCH "    sync count : none\n    sync gradients : mean over d at step\n    sync loss : mean over d\n", "",
     "P0312", 1, 13},
    {"the last microbatch after", BATCH "    sync gradients : sum over d after microbatch 1\n", "", "P0304", 3, 12},
    {"after the last microbatch", BATCH "    sync gradients : sum over d after microbatch 2\n", "", "", 3, 12},
    {"each microbatch, sum", BATCH "    sync gradients : sum over d each microbatch\n", "", "P0305", 3, 12},
    {"each microbatch, mean",
     BATCH "    sync count : none\n    sync gradients : mean over d each microbatch\n    sync loss : mean over d\n", "",
     "", 3, 12},
    {"not gathered", ZERO1 "    sync parameters : none\n", "", "P0306", 1, 12},
    {"gathered", ZERO1 "    sync parameters : gather over d at step\n", "", "", 1, 12},
    {"sharded, used whole",
     "    parameters sharded over d\n    gradients sharded over d\n    optimizer sharded over d\n" BATCH, "",
     "P0307 P0307", 1, 12},
    {"left in shards", BATCH "    sync gradients : sum over d into shards at step\n", "", "P0308", 1, 12},
    {"shards for shards", ZERO1 "    sync gradients : sum over d into shards at step\n", "", "", 1, 12},
    {"local norm", ZERO1 "    sync norm : none\n", "    clip norm 1.0\n", "P0309", 1, 12},
    {"norm of copies", BATCH "    sync norm : sum over d\n", "    clip norm 1.0\n", "P0310", 1, 12},
    {"same part", BATCH, "    data synthetic read by none\n", "P0311", 1, 12},
    {"unlike seeds", BATCH, "    seed 1 + coordinate(data)\n", "P0313", 1, 12},
    {"loss not reduced", BATCH "    sync loss : none\n", "", "P0315", 1, 12},
};

static void test_syncs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof syncs / sizeof *syncs; i++) {
        Setting s = {mlp, syncs[i].strategy, 2, 2, syncs[i].micro, syncs[i].batch, "sgd(rate = 0.1)", syncs[i].extra};
        expect(&s, syncs[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_strategies), cmocka_unit_test(test_syncs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
