/* Updates that are not the usual ones, under every placement: what the deriver makes of them is proved, and what is
 * made wrong on purpose is refused.
 *
 * The verifier is linked with the deriver here only to have its programs; they share no code. */
#include "tests/unit/compile.h"

#include "sema/derive.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char model[] = "place 1\n"
                            "model net(layers = 3, hidden = 6, heads = 2, context = 4, vocab = 7) {\n"
                            "    input tokens, targets : int[batch, context]\n"
                            "    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe\n"
                            "    repeat block[layers] {\n"
                            "        x = x + attention(layernorm(x) as norm1, heads, causal) as attn\n"
                            "        x = x + mlp(x, 5, gelu) as mlp\n"
                            "    }\n"
                            "    logits = linear(x, vocab, weight = wte.table, bias = none)\n"
                            "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
                            "}\n";

typedef struct Setting {
    const char *declared, *strategy, *train; /* states; lines of strategy "mine(n: axis, d: axis)"; of the train */
    int nodes, ranks, micro;
} Setting;

/* Derives and verifies; the codes of all errors, in the order of the file. */
static char *answer(const Setting *s, bool show)
{
    char *text, *messages;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "%s%scluster laptop { %d devices of cpu }\nmesh local on laptop { node: %d, data: %d }\n", model,
            s->declared, s->nodes * s->ranks, s->nodes, s->ranks);
    fprintf(out, "strategy mine(n: axis, d: axis) {\n%s}\n", s->strategy);
    fprintf(out, "train net on local {\n    strategy mine(node, data)\n    data synthetic\n%s", s->train);
    fprintf(out, "    batch %d in %d microbatches\n    steps 10\n}\n", 30 * s->micro, s->micro);
    fclose(out);
    Compiled compiled = compile_text(text);
    StepFile *file = compiled.train != NULL ? derive_step(&compiled.ctx, compiled.train) : NULL;
    Verdict verdict;
    if (file != NULL)
        verify_run(&compiled.ctx, file, &verdict);
    out = open_memstream(&messages, &length);
    diag_print_text(compiled.ctx.diag, out, false, 20);
    fclose(out);
    char *codes = calloc(1, 256);
    for (const char *at = messages; (at = strstr(at, "error[P")) != NULL; at += 6)
        if (strlen(codes) < 200)
            strncat(strcat(codes, codes[0] != '\0' ? " " : ""), at + 6, 5);
    if (show)
        printf("%s%s", text, messages);
    free(messages);
    free(text);
    compiled_free(&compiled);
    return codes;
}

static void expect(const Setting *s, const char *expected)
{
    char *codes = answer(s, getenv("VERIFY_SHOW") != NULL);
    if (strcmp(codes, expected) != 0) {
        free(answer(s, true));
        fail_msg("%d nodes, %d ranks, %d microbatches: expected '%s', found '%s'", s->nodes, s->ranks, s->micro,
                 expected, codes);
    }
    free(codes);
}

#define BATCH "    activations sharded over n, d by batch\n"
#define ZERO3 "    parameters gathered over d\n    gradients sharded over d\n    optimizer sharded over d\n"

static const char *const placements[] = {
    BATCH,
    "    optimizer sharded over d\n" BATCH,
    "    gradients sharded over d\n    optimizer sharded over n, d\n" BATCH,
    ZERO3 BATCH,
    "    parameters gathered over n, d\n    parameters of block[0].attn replicated\n    optimizer sharded over n\n"
    "    optimizer of block[1..2] replicated\n" BATCH,
};
enum { PLACEMENT_COUNT = sizeof placements / sizeof *placements };

static const int meshes[][3] = {{1, 1, 1}, {1, 3, 2}, {2, 3, 1}, {3, 2, 5}};

static void expect_everywhere(const char *declared, const char *strategy, const char *train)
{
    for (int i = 0; i < PLACEMENT_COUNT; i++)
        for (size_t m = 0; m < sizeof meshes / sizeof *meshes; m++) {
            char lines[2000];
            snprintf(lines, sizeof lines, "%s%s", placements[i], strategy);
            Setting s = {declared, lines, train, meshes[m][0], meshes[m][1], meshes[m][2]};
            expect(&s, "");
        }
}

/* ---- States of one's own ------------------------------------------------------------------------------------ */

static const char states[] =
    "state ema { one per parameter; start parameters; update after optimizer : 0.999 * ema + 0.001 * parameters }\n"
    "state squares { one per parameter; update before optimizer : squares + gradients * gradients / (1 + step) }\n"
    "state count { one; start 1; update after optimizer : 2 * count }\n"
    "state both { one per parameter; update after optimizer : (both + ema) * count - squares }\n";

static void test_states(void **state)
{
    static const char *const strategies[] = {
        "", "    ema replicated\n", "    ema sharded over d\n    squares sharded over n, d\n",
        "    both sharded over n\n    ema of block[1].mlp sharded over n, d\n    squares of wte replicated\n"};
    (void)state;
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++)
        expect_everywhere(states, strategies[i], "    optimizer adamw(rate = 1e-3)\n    clip norm 1.0\n");
}

/* A wrong gradient is seen in them too, though the optimizer is said to read a right one. */
static void test_wrong_states(void **state)
{
    (void)state;
    Setting s = {states, BATCH "    sync gradients of block : mean over n, d at step\n",
                 "    optimizer sgd(rate = 0.1)\n", 1, 2, 1};
    expect(&s, "P0303");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_states), cmocka_unit_test(test_wrong_states)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
