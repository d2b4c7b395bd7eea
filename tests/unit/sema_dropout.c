/* Random masks: their statistics, what they depend on, and where nothing is dropped. */
#include "compile.h"

#include "base/random.h"
#include "step/interp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 64, COLUMNS = 256, STEPS = 3, LAYERS = 2 };

/* Numbers of one mask after another, as the body of dropout_mask mixes them: below 1. */
static double number_at(uint32_t stream, int step, int layer, int row, int column)
{
    const int parts[] = {step, layer, row, column, 0, 0, 0};
    uint32_t word = stream;
    for (int i = 0; i < 7; i++)
        word = random_mix(word, (uint32_t)parts[i]);
    return word / 0x1p32;
}

/* The correlation of a mask's numbers with those of one that differs in one argument. */
static double correlation(const int *shift)
{
    double sum = 0;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            double x = number_at(7, 5, 1, row, column);
            double y = number_at(7 + (uint32_t)shift[0], 5 + shift[1], 1 + shift[2], row + shift[3], column + shift[4]);
            sum += (x - 0.5) * (y - 0.5) * 12;
        }
    return sum / (ROWS * COLUMNS);
}

static void numbers_are_even_and_independent(void **state)
{
    (void)state;
    double counts[16] = {0}, worst = 0;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            counts[(int)(16 * number_at(3, 0, 0, row, column))]++;
    double expected = ROWS * COLUMNS / 16.0, chi = 0;
    for (int i = 0; i < 16; i++)
        chi += pow(counts[i] - expected, 2) / expected;
    assert_true(chi < 50); /* 15 degrees of freedom: beyond 50 once in 80,000 */
    for (int which = 0; which < 5; which++)
        for (int by = 1; by <= 64; by *= 2) {
            int shift[5] = {0};
            shift[which] = by;
            worst = fmax(worst, fabs(correlation(shift)));
        }
    assert_true(worst < 5 / sqrt(ROWS * COLUMNS));
}

static const char model[] =
    "model net(layers = 2, hidden = 16) {\n"
    "    input x, y : f64[batch, hidden]\n"
    "    repeat block[layers] {\n"
    "        x = x + dropout(linear(x, hidden) as fc, 0.25)\n"
    "    }\n"
    "    z = dropout(x, 0.25)\n"
    "    loss = mean over batch, hidden of squared_error(z, y)\n"
    "}\n"
    "cluster c { 1 devices of cpu }\nmesh m on c { data: 1 }\n"
    "train net on m {\n strategy data_parallel(data)\n optimizer sgd(rate = 0.1)\n precision f64\n seed %d\n"
    " batch 8\n steps 3\n}\n";

static Interp *start(Compiled *compiled, int seed)
{
    char text[2000];
    double *values;
    snprintf(text, sizeof text, model, seed);
    *compiled = compile_text(text);
    if (compiled->train == NULL)
        fail_msg("%s", compiled->messages);
    Arena *arena = compiled->ctx.arena;
    Interp *interp = interp_new(arena, compiled->train->reference);
    values = arena_array(arena, double, 8 * 16);
    for (int i = 0; i < 8 * 16; i++)
        values[i] = sin(i);
    interp_input(interp, "x", values, 8 * 16);
    interp_input(interp, "y", values, 8 * 16);
    interp_run(interp, ROUTINE_INIT);
    return interp;
}

static bool same(const double *x, const double *y)
{
    return memcmp(x, y, sizeof(double) * 8 * 16) == 0;
}

/* Every step, layer, use and seed has a mask of its own; the same ones the same. */
static void masks_differ(void **state)
{
    (void)state;
    double mask[2][STEPS][LAYERS + 1][8 * 16];
    for (int seed = 0; seed < 2; seed++) {
        Compiled compiled;
        Interp *interp = start(&compiled, 3 + seed);
        for (int step = 0; step < STEPS; step++) {
            interp_run(interp, ROUTINE_STEP);
            int64_t count;
            memcpy(mask[seed][step], interp_buffer(interp, "block.x.dropped.mask", &count), sizeof mask[0][0][0] * 2);
            assert_int_equal(count, LAYERS * 8 * 16);
            memcpy(mask[seed][step][LAYERS], interp_buffer(interp, "z.dropped.mask", NULL), sizeof mask[0][0][0]);
        }
        compiled_free(&compiled);
    }
    enum { ALL = 2 * STEPS * (LAYERS + 1) };
    double(*one)[8 * 16] = &mask[0][0][0];
    for (int i = 0; i < ALL; i++) {
        int dropped = 0;
        for (int k = 0; k < 8 * 16; k++) {
            assert_true(one[i][k] == 0 || one[i][k] == 1 / 0.75);
            dropped += one[i][k] == 0;
        }
        assert_in_range(dropped, 12, 52); /* of 128, 32 expected, 4 standard deviations */
        for (int j = 0; j < i; j++)
            assert_false(same(one[i], one[j]));
    }
    Compiled compiled;
    Interp *interp = start(&compiled, 3);
    interp_run(interp, ROUTINE_STEP);
    assert_true(same(interp_buffer(interp, "z.dropped.mask", NULL), mask[0][0][LAYERS]));
    compiled_free(&compiled);
}

static int count_masks(const NodeList *body)
{
    int count = 0;
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        count += node->kind == NODE_OP ? node->op->kind == OP_DROPOUT_MASK : count_masks(&node->body);
    }
    return count;
}

static void only_training_drops(void **state)
{
    (void)state;
    Compiled compiled;
    start(&compiled, 1);
    const Program *reference = compiled.train->reference;
    assert_int_equal(count_masks(&program_routine(reference, ROUTINE_STEP)->body), 2);
    assert_int_equal(count_masks(&program_routine(reference, ROUTINE_EVAL)->body), 0);
    assert_int_equal(count_masks(&program_routine(reference, ROUTINE_PREDICT)->body), 0);
    compiled_free(&compiled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_even_and_independent),
        cmocka_unit_test(masks_differ),
        cmocka_unit_test(only_training_drops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
