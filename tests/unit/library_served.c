/* The plan of a served model against arithmetic: bytes of the cache, and what a step and the prompts send. */
#include "tests/open.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { LAYERS = 3, HIDDEN = 32, HEADS = 8, KV_HEADS = 4, CONTEXT = 16, VOCAB = 64, BATCH = 4, BYTES = 4 };

static const char text[] = "place 1\n"
                           "model gpt(layers = %d, hidden = %d, heads = %d, kv = %d, context = %d, vocab = %d) {\n"
                           "    input tokens, targets : int[batch, context]\n"
                           "    x = embedding(tokens, vocab, hidden) as wte\n"
                           "    repeat block[layers] {\n"
                           "        x = x + attention(rmsnorm(x) as norm, heads, causal, kv_heads = kv) as attn\n"
                           "        x = x + mlp(x, hidden, gelu) as mlp\n"
                           "    }\n"
                           "    logits = linear(x, vocab) as head\n"
                           "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
                           "}\n"
                           "cluster c { 4 devices of cpu }\n"
                           "mesh m on c { a: 2, b: 2 }\n"
                           "serve gpt on m {\n"
                           "    strategy %s\n"
                           "    batch %d\n"
                           "    steps 8\n"
                           "}\n";

/* Keys and values of all sequences, on one device. */
static const int64_t whole_cache = 2LL * BATCH * CONTEXT * LAYERS * (HIDDEN / HEADS * KV_HEADS) * BYTES;
static const int64_t logits = (int64_t)BATCH * VOCAB * BYTES;

static void plan_served(Compile *compile, const char *strategy)
{
    char path[] = "/tmp/place-served-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fprintf(file, text, LAYERS, HIDDEN, HEADS, KV_HEADS, CONTEXT, VOCAB, strategy, BATCH);
    fclose(file);
    compile_open(compile, path);
    unlink(path);
    if (!compile_check(compile))
        diag_print_text(compile->ctx.diag, stderr, false, 20);
    assert_non_null(compile->plan);
}

static void check_plan(const char *strategy, int64_t cache, int64_t step_bytes, int64_t prefill_bytes)
{
    Compile compile;
    plan_served(&compile, strategy);
    const Plan *plan = compile.plan;
    assert_int_equal(plan->category_bytes[CATEGORY_CACHE], cache);
    assert_int_equal(plan->category_bytes[CATEGORY_GRADIENTS] + plan->category_bytes[CATEGORY_OPTIMIZER], 0);
    assert_int_equal(plan->traffic_bytes_per_device, step_bytes);
    assert_int_equal(plan->prefill_bytes_per_device, prefill_bytes);
    compile_close(&compile);
}

/* Over two axes of two ranks each. Whoever shards the batch gathers the logits. */
static void test_caches(void **state)
{
    (void)state;
    check_plan("data_parallel(a) * data_parallel(b)", whole_cache / 4, logits * 3 / 4, 0);
    /* The sums of `out` and `down` send 2 (n - 1) / n of a row of each sequence, or of all rows of the prompts. */
    int64_t sums = 2LL * LAYERS * BATCH * HIDDEN * BYTES;
    check_plan("tensor_parallel(a) * data_parallel(b)", whole_cache / 4, sums / 2 + logits / 2, sums / 2 * CONTEXT);
    /* The scores, gathered, and the sum of the weighted values. */
    int64_t scores = (int64_t)LAYERS * BATCH * HEADS * CONTEXT * BYTES,
            mixed = (int64_t)LAYERS * BATCH * HIDDEN * BYTES;
    Compile compile;
    plan_served(&compile, "context_parallel(a) * data_parallel(b)");
    assert_int_equal(compile.plan->category_bytes[CATEGORY_CACHE], whole_cache / 4);
    assert_int_equal(compile.plan->traffic_bytes_per_device, scores / 2 / 2 + mixed / 2 + logits / 2);
    compile_close(&compile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_caches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
