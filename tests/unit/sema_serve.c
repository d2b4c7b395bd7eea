/* Served models: prefill and decoding, one token at a time, give what the forward pass gives for the whole text. */
#include "compile.h"

#include "step/interp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { BATCH = 2, CONTEXT = 6, VOCAB = 7, LONGEST = 1000 };

static const char head[] =
    "(layers = 2, hidden = 8, context = 6, vocab = 7) {\n input tokens, targets : int[batch, context]\n";
static const char tail[] = " loss = mean over batch, context of cross_entropy(logits, targets) where targets != 0\n}\n"
                           "cluster c { 1 devices of cpu }\nmesh m on c { data: 1 }\n";
static const char trains[] =
    "train net on m {\n strategy data_parallel(data)\n optimizer sgd(rate = 0.1)\n precision f64\n"
    " batch 1\n steps 1\n}\n";
static const char serves[] = "serve net on m {\n strategy data_parallel(data)\n precision f64\n batch 2\n steps 3\n}\n";

static const char *const models[] = {
    " x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe\n"
    " repeat block[layers] {\n"
    "  x = x + attention(layernorm(x) as norm1, 2, causal) as attn\n"
    "  x = x + mlp(layernorm(x) as norm2, 16, gelu) as mlp\n }\n"
    " logits = linear(layernorm(x) as norm, vocab, weight = wte.table, bias = none) as head\n",
    " x = embedding(tokens, vocab, hidden) as wte\n"
    " repeat block[layers] {\n"
    "  x = x + attention(rmsnorm(x) as norm1, 4, causal, rope = 10, kv_heads = 2, bias = none) as attn\n"
    "  x = x + dropout(mlp(rmsnorm(x) as norm2, 12, swiglu, bias = none) as mlp, 0.25)\n }\n"
    " logits = linear(rmsnorm(x) as norm, vocab, bias = none) as head\n",
    " x = embedding(tokens, vocab, hidden) as wte\n"
    " x = x + attention(x, 2, causal, rope = 100, weights = fused) as first\n"
    " repeat block[layers] {\n"
    "  both = linear(x, fused(hidden, hidden)) as up\n"
    "  x = x + attention(silu(segment(both, 0)) * segment(both, 1), 4, causal, kv_heads = 2, weights = interleaved,\n"
    "                rope = 10, head_dim = 6) as attn\n }\n"
    " logits = 3 * linear(tanh(x), vocab, bias = none) as head\n",
    " x = embedding(tokens, vocab, hidden) as wte\n"
    " repeat block[layers] {\n"
    "  x = x + attention(rmsnorm(x) as norm1, 2, causal, rope = 10) as attn\n"
    "  x = x + moe(rmsnorm(x) as norm2, 4, 2, 6, swiglu) as moe\n }\n"
    " logits = linear(rmsnorm(x) as norm, vocab) as head\n",
};

static Compiled compile_served(const char *model, const char *train)
{
    char text[2 * LONGEST];
    snprintf(text, sizeof text, "model net%s%s%s%s", head, model, tail, train);
    Compiled compiled = compile_text(text);
    if (compiled.train == NULL)
        fail_msg("%s", compiled.messages);
    return compiled;
}

/* Token t of sequence b. */
static int token(int b, int t)
{
    return (3 * b + 5 * t + t * t) % VOCAB;
}

/* The logits of all rows of one sequence, as the trained model's prediction gives them. */
static void forward(Interp *interp, int b, double logits[CONTEXT][VOCAB])
{
    double tokens[CONTEXT];
    for (int t = 0; t < CONTEXT; t++)
        tokens[t] = token(b, t);
    interp_input(interp, "tokens", tokens, CONTEXT);
    interp_run(interp, ROUTINE_PREDICT);
    memcpy(logits, interp_output(interp, "logits", NULL), sizeof(double[CONTEXT][VOCAB]));
}

/* The same weights: those of a name are the same in every program, but for the layers' own deviations. */
static void copy_weights(const Compiled *from, Interp *source, Interp *to)
{
    for (int i = 0; i < from->train->decls.tensors.count; i++) {
        char name[100];
        snprintf(name, sizeof name, "parameters.%s", from->train->decls.tensors.data[i].name);
        int64_t count, expected;
        double *values = interp_buffer(source, name, &count), *copy = interp_buffer(to, name, &expected);
        if (values == NULL)
            continue;
        assert_true(copy != NULL && count == expected);
        memcpy(copy, values, (size_t)count * sizeof *values);
        for (int64_t k = 0; k < count; k++)
            copy[k] = values[k] = values[k] + 0.3 * sin(13.0 * (double)k + i); /* no gain is 1, no bias 0 */
    }
}

/* Prompts of these lengths are read, then tokens are added up to the end of the context. */
static void check_decoding(Interp *served, const int *length, double logits[BATCH][CONTEXT][VOCAB])
{
    double prompt[BATCH * CONTEXT], next[BATCH], position[BATCH];
    for (int b = 0; b < BATCH; b++)
        for (int t = 0; t < CONTEXT; t++)
            prompt[b * CONTEXT + t] = t < length[b] ? token(b, t) : 6; /* what is after a prompt must not matter */
    interp_input(served, "tokens", prompt, BATCH * CONTEXT);
    interp_run(served, ROUTINE_PREFILL);
    interp_input(served, "tokens.next", next, BATCH);
    interp_input(served, "tokens.position", position, BATCH);
    for (int step = 0; step < CONTEXT; step++) {
        for (int b = 0; b < BATCH; b++) {
            int at = length[b] - 1 + step < CONTEXT ? length[b] - 1 + step : CONTEXT - 1;
            position[b] = at;
            next[b] = token(b, at);
        }
        interp_run(served, ROUTINE_STEP);
        int64_t count;
        const double *given = interp_output(served, "logits", &count);
        assert_int_equal(count, BATCH * VOCAB);
        for (int b = 0; b < BATCH; b++)
            for (int v = 0; v < VOCAB; v++)
                assert_true(fabs(given[b * VOCAB + v] - logits[b][(int)position[b]][v]) < 1e-12);
    }
}

static void test_decoding(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        Compiled trained = compile_served(models[m], trains), served = compile_served(models[m], serves);
        Interp *whole = interp_new(trained.ctx.arena, trained.train->reference);
        Interp *decodes = interp_new(served.ctx.arena, served.train->reference);
        interp_run(whole, ROUTINE_INIT);
        interp_run(decodes, ROUTINE_INIT);
        copy_weights(&trained, whole, decodes);
        double logits[BATCH][CONTEXT][VOCAB];
        for (int b = 0; b < BATCH; b++)
            forward(whole, b, logits[b]);
        assert_true(fabs(logits[0][1][0] - logits[1][1][0]) > 1e-3);
        check_decoding(decodes, (int[]){1, 4}, logits);
        check_decoding(decodes, (int[]){3, 2}, logits); /* over what is left of the first prompts */
        compiled_free(&trained);
        compiled_free(&served);
    }
}

/* What a later token is changes nothing before it, and an earlier one does. */
static void test_caches(void **state)
{
    (void)state;
    Compiled served = compile_served(models[0], serves);
    Interp *interp = interp_new(served.ctx.arena, served.train->reference);
    double prompt[BATCH * CONTEXT] = {0}, next[BATCH] = {1, 2}, position[BATCH] = {2, 0}, before[VOCAB];
    interp_run(interp, ROUTINE_INIT);
    interp_input(interp, "tokens", prompt, BATCH * CONTEXT);
    interp_input(interp, "tokens.next", next, BATCH);
    interp_input(interp, "tokens.position", position, BATCH);
    for (int changed = 0; changed < CONTEXT; changed++) {
        memset(prompt, 0, sizeof prompt);
        interp_run(interp, ROUTINE_PREFILL);
        interp_run(interp, ROUTINE_STEP);
        memcpy(before, interp_output(interp, "logits", NULL), sizeof before);
        prompt[changed] = 5;
        interp_run(interp, ROUTINE_PREFILL);
        interp_run(interp, ROUTINE_STEP);
        bool same = memcmp(before, interp_output(interp, "logits", NULL), sizeof before) == 0;
        assert_true(same == (changed >= 2)); /* the token at the position is the step's own */
    }
    compiled_free(&served);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_decoding), cmocka_unit_test(test_caches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
