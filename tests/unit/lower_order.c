/* The order in which statements are written, or strategies joined, changes nothing: every two statements of a list, in
 * both orders, give the same program or the same errors. The statements of the list that concern one state, axis and
 * parameter are not equally specific; for those the later one of a strategy holds (docs/language.md 4). */
#include "tests/sanitized.h"
#include "tests/unit/derived.h"

#include <stddef.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const char head[] = "model net(hidden = 8, layers = 4) {\n"
                           "    input x, y : f32[batch, hidden]\n"
                           "    h = x\n"
                           "    repeat block[layers] {\n"
                           "        h = h + linear(gelu(linear(h, 4 * hidden) as up), hidden) as down\n"
                           "    }\n"
                           "    out = linear(h, hidden) as head\n"
                           "    loss = mean over batch, hidden of squared_error(out, y)\n"
                           "}\n"
                           "cluster laptop { 4 devices of cpu }\n"
                           "mesh m on laptop { data: 2, t: 2 }\n";

static const char *const statements[] = {
    "activations sharded over data by batch",
    "parameters gathered over data",
    "parameters of block replicated over data",
    "parameters of block[1..2] gathered over data kept until step",
    "parameters of block[0..1].up replicated over data",
    "parameters of block.up.weight gathered over data",
    "parameters of head, block.down replicated",
    "parameters of *.up, *.down sharded over t by out where present",
    "parameters of block.down sharded over t by in",
    "parameters of block.up.weight, block.up.bias sharded over t by out",
    "parameters of block.up replicated over t",
    "gradients sharded over data",
    "gradients of head sharded over data",
    "optimizer sharded over data",
    "optimizer of block sharded over t",
    "optimizer of head.weight offloaded to file",
    "optimizer sharded over data to host",
    "optimizer replicated on device",
    "optimizer offloaded",
    "activations sharded over t by hidden",
    "activations of *.up sharded over t by out",
    "activations of block.gelu sharded over data by hidden",
    "activations of block materialized",
    "activations of *.up materialized",
    "activations of block[0..1] materialized",
    "activations offloaded",
    "activations of block offloaded",
    "activations of *.up offloaded to file",
    "activations of block.up offloaded",
    "schedule gpipe over t",
};

typedef enum Written { ONE_STRATEGY, TWO_STRATEGIES } Written;

/* The program that two statements give, without positions in the text; or the codes of the errors. */
static char *outcome(const char *first, const char *second, Written written)
{
    char text[4096], *printed;
    size_t length;
    snprintf(text, sizeof text,
             written == ONE_STRATEGY ? "%sstrategy mine() {\n%s\n%s\n}\ntrain net on m {\n    strategy mine()\n%s"
                                     : "%sstrategy one() {\n%s\n}\nstrategy two() {\n%s\n}\n"
                                       "train net on m {\n    strategy one() * two()\n%s",
             head, first, second, "    optimizer adamw(rate = 0.1)\n    batch 8 in 2 microbatches\n    steps 3\n}\n");
    Compiled compiled = compile_text(text);
    StepFile *file = compiled.train != NULL ? lowered_step(&compiled.ctx, compiled.train, compiled.assignment) : NULL;
    if (file == NULL) {
        printed = codes_of(&compiled.ctx, false);
    } else {
        FILE *out = open_memstream(&printed, &length);
        step_print(file, NULL, out);
        fclose(out);
    }
    compiled_free(&compiled);
    return printed;
}

static void try_both(const char *first, const char *second, Written written)
{
    char *forth = outcome(first, second, written), *back = outcome(second, first, written);
    if (strcmp(forth, back) != 0)
        fail_msg("the order of '%s' and '%s' matters in %s: %.200s\n... or\n%.200s", first, second,
                 written == ONE_STRATEGY ? "one strategy" : "two strategies", forth, back);
    free(forth);
    free(back);
}

static void test_in_one_strategy(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(statements); i++)
        for (int j = 0; j < i; j += SANITIZED ? 3 : 1)
            try_both(statements[j], statements[i], ONE_STRATEGY);
}

static void test_in_two_strategies(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(statements); i++)
        for (int j = 0; j < i; j += SANITIZED ? 3 : 1)
            try_both(statements[j], statements[i], TWO_STRATEGIES);
}

/* Two statements that are equally specific, of which neither hides the other. */
static void test_the_later_holds(void **state)
{
    (void)state;
    static const char first[] = "parameters of block[0..1] gathered over data",
                      second[] = "parameters of block[1..2] replicated over data";
    char *forth = outcome(first, second, ONE_STRATEGY), *back = outcome(second, first, ONE_STRATEGY);
    assert_string_not_equal(forth, back);
    free(forth);
    free(back);
    char *joined = outcome(first, second, TWO_STRATEGIES);
    assert_string_equal(joined, "P0209");
    free(joined);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_one_strategy),
        cmocka_unit_test(test_in_two_strategies),
        cmocka_unit_test(test_the_later_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
