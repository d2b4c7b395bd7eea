/* Models of every family under every strategy of the prelude over a data axis: accepted; with their gradients never
 * summed, refused.
 *
 * The verifier is linked with the deriver here only to have its programs; they share no code. */
#include "tests/unit/compile.h"

#include "tests/lowered.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

typedef struct Family {
    const char *name, *model; /* of a model called net */
    bool one_microbatch;
} Family;

static const Family families[] = {
    {"experts",
     "model net(layers = 2, hidden = 4, rows = 5) {\n"
     "    input x, y : f32[batch, rows, hidden]\n"
     "    repeat block[layers] {\n"
     "        x = x + moe(layernorm(x) as norm, 3, 2, 6, gelu, capacity = 0.9) as moe\n"
     "    }\n"
     "    loss = mean over batch, rows, hidden of squared_error(moe(x, 4, 1, 6, swiglu) as last, y) +\n"
     "         0.01 * mean over batch of load_balance(block.moe) + 0.02 * mean over batch of router_z(last)\n"
     "}\n",
     false},
    {"images",
     "model net(classes = 3) {\n"
     "    input pixels : f32[batch, 2, 9, 8]\n"
     "    input labels : int[batch]\n"
     "    x = relu(convolution(pixels, 4, window = 3, stride = 2, pad = 1) as first)\n"
     "    repeat block[2] {\n"
     "        y = relu6(convolution(x, 4, window = 3, pad = 1, groups = 2) as wide)\n"
     "        x = x + convolution(y, 4, window = 3, pad = 1, groups = 4, bias = none) as deep\n"
     "    }\n"
     "    x = tanh(linear(flatten(max_pool(x, 3, stride = 2, pad = 1)), 5) as dense) + "
     "global_mean(mean_pool(convolution(x, 5, 1) as end, 2))\n"
     "    loss = mean over batch of cross_entropy(linear(x, classes) as last, labels)\n"
     "}\n",
     false},
    {"means under a mask",
     "model net(hidden = 4, context = 6, vocab = 7) {\n"
     "    input tokens, targets : int[batch, context]\n"
     "    x = tanh(embedding(tokens, vocab, hidden) as wte)\n"
     "    loss = mean over batch, context of cross_entropy(linear(x, vocab) as head, targets) where targets != 0 +\n"
     "           0.1 * mean over batch, context, hidden of x * x\n"
     "}\n",
     false},
    {"normalised images",
     "model net(classes = 3) {\n"
     "    input pixels : f32[batch, 2, 5, 4]\n"
     "    input labels : int[batch]\n"
     "    x = relu(batchnorm(convolution(pixels, 4, window = 3, pad = 1, bias = none) as first) as norm)\n"
     "    repeat block[2] {\n"
     "        y = relu(batchnorm(convolution(x, 4, window = 3, pad = 1, bias = none) as conv1) as norm1)\n"
     "        x = x + batchnorm(convolution(y, 4, window = 3, pad = 1) as conv2) as norm2\n"
     "    }\n"
     "    x = batchnorm(global_mean(x)) as last_norm\n"
     "    loss = mean over batch of cross_entropy(linear(x, classes) as last, labels)\n"
     "}\n",
     true},
};

typedef struct Setting {
    const char *strategy;
    int ranks, micro;
} Setting;

/* Derives and verifies the text; the codes of all errors, in their order. Frees the text. */
static char *answer_text(char *text)
{
    char *messages;
    size_t length;
    Compiled compiled = compile_text(text);
    StepFile *file = compiled.train != NULL ? lowered_step(&compiled.ctx, compiled.train, compiled.assignment) : NULL;
    Verdict verdict;
    if (file != NULL)
        verify_run(&compiled.ctx, file, &verdict);
    FILE *out = open_memstream(&messages, &length);
    diag_print_text(compiled.ctx.diag, out, false, 20);
    fclose(out);
    char *codes = calloc(1, 256);
    for (const char *at = messages; (at = strstr(at, "error[P")) != NULL; at += 6)
        if (strlen(codes) < 200)
            strncat(strcat(codes, codes[0] != '\0' ? " " : ""), at + 6, 5);
    free(messages);
    free(text);
    compiled_free(&compiled);
    return codes;
}

static char *answer(const Family *family, const Setting *s, const char *sync)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out,
            "place 1\n%scluster here { %d devices of cpu }\nmesh local on here { data: %d }\n"
            "strategy mine(d: axis) {\n%s}\ntrain net on local {\n    strategy %s(data)%s\n"
            "    optimizer adamw(rate = 1e-3)\n    clip norm 1\n    precision f64\n    batch 12 in %d microbatches\n"
            "    steps 2\n}\n",
            family->model, s->ranks, s->ranks, sync, s->strategy, sync[0] != '\0' ? " * mine(data)" : "", s->micro);
    fclose(out);
    return answer_text(text);
}

static const Setting settings[] = {
    {"data_parallel", 1, 1}, {"data_parallel", 2, 1}, {"data_parallel", 3, 2}, {"zero1", 2, 1}, {"zero1", 3, 2},
    {"zero2", 2, 2},         {"zero2", 5, 1},         {"zero3", 2, 1},         {"zero3", 3, 4},
};

static void check(const char *sync, bool accepted)
{
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
            const Setting *s = &settings[i];
            if ((families[f].one_microbatch && s->micro > 1) || (!accepted && s->ranks == 1))
                continue;
            char *codes = answer(&families[f], s, sync);
            if (accepted ? codes[0] != '\0' : strncmp(codes, "P03", 3) != 0)
                fail_msg("%s, %s on %d ranks, %d microbatches: '%s'", families[f].name, s->strategy, s->ranks, s->micro,
                         codes);
            free(codes);
        }
}

static void test_strategies_are_accepted(void **state)
{
    (void)state;
    check("", true);
}

static void test_unsummed_gradients_are_refused(void **state)
{
    (void)state;
    check("    sync gradients : none\n", false);
}

/* Channels cut over an axis, those of a normalisation between two convolutions too, whose statistics are then each
 * rank's own but for the running ones. */
static const char channels[] =
    "place 1\n"
    "model net(classes = 3) {\n"
    "    input pixels : f32[batch, 2, 6, 5]\n"
    "    input labels : int[batch]\n"
    "    x = relu(convolution(pixels, 6, window = 3, pad = 1) as stem)\n"
    "    repeat block[2] {\n"
    "        y = relu(batchnorm(convolution(x, 6, window = 3, pad = 1, bias = none) as wide) as norm)\n"
    "        z = max_pool(convolution(y, 6, window = 3, pad = 1, groups = 6, bias = none) as deep, 3, stride = 1, pad "
    "= 1)\n"
    "        x = x + convolution(z, 6, window = 1) as out\n"
    "    }\n"
    "    loss = mean over batch of cross_entropy(linear(global_mean(x), classes) as last, labels)\n"
    "}\n"
    "strategy channels(t: axis) {\n"
    "    parameters of *.wide, *.deep sharded over t by out\n"
    "    parameters of *.norm sharded over t by channels\n"
    "    parameters of *.out sharded over t by in where present\n"
    "}\n"
    "cluster here { %d devices of cpu }\nmesh local on here { %s }\n"
    "train net on local {\n    strategy %s\n    optimizer momentum(rate = 0.1)\n    batch 12\n    steps 2\n}\n";

static void test_channels_are_cut(void **state)
{
    static const struct {
        int ranks;
        const char *mesh, *strategy;
    } rows[] = {
        {2, "tensor: 2", "channels(tensor)"},
        {6, "data: 2, tensor: 3", "data_parallel(data) * channels(tensor)"},
        {6, "tensor: 2, data: 3", "zero1(data) * channels(tensor)"},
        {4, "data: 2, tensor: 2", "zero3(data) * channels(tensor)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = malloc(sizeof channels + 200);
        sprintf(text, channels, rows[i].ranks, rows[i].mesh, rows[i].strategy);
        char *codes = answer_text(text);
        if (codes[0] != '\0')
            fail_msg("%s on '%s': '%s'", rows[i].strategy, rows[i].mesh, codes);
        free(codes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strategies_are_accepted),
        cmocka_unit_test(test_unsummed_gradients_are_refused),
        cmocka_unit_test(test_channels_are_cut),
    };
    return cmocka_run_group_tests_name("verify_models", tests, NULL, NULL);
}
