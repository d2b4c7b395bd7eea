/* Mixtures of experts: the forward pass against a loop over rows, with ties and drops; gradients against differences.
 */
#include "differences.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { BATCH = 3, ROWS = 5, HIDDEN = 4, EXPERTS = 4, WIDTH = 3 };

#define MODEL(top, rest)                                                                                               \
    "model net(hidden = 4, rows = 5) {\n"                                                                              \
    "    input x, y : f64[batch, rows, hidden]\n"                                                                      \
    "    loss = sum over batch, rows, hidden of squared_error(moe(x, 4, " #top ", 3, tanh" rest ") as net, y)\n"       \
    "}\n"

static const double *values_of(Trial *trial, const char *name)
{
    const double *values = interp_buffer(trial->interp, name, NULL);
    if (values == NULL)
        fail_msg("no buffer '%s'", name);
    return values;
}

/* What the layer means, row by row: a queue per expert and example. */
static void naive(Trial *trial, const double *x, int top, int places, double *y, int *dropped)
{
    const double *router = values_of(trial, "parameters.net.router.weight");
    const double *up = values_of(trial, "parameters.net.up.weight");
    const double *down = values_of(trial, "parameters.net.down.weight");
    memset(y, 0, sizeof(double) * BATCH * ROWS * HIDDEN);
    for (int b = 0; b < BATCH; b++) {
        int waiting[EXPERTS] = {0};
        for (int t = 0; t < ROWS; t++) {
            const double *row = x + (b * ROWS + t) * HIDDEN;
            double p[EXPERTS], sum = 0, chosen_sum = 0;
            int chosen[EXPERTS] = {0};
            for (int e = 0; e < EXPERTS; e++) {
                p[e] = 0;
                for (int h = 0; h < HIDDEN; h++)
                    p[e] += row[h] * router[e * HIDDEN + h];
                sum += p[e] = exp(p[e]);
            }
            for (int k = 0; k < top; k++) {
                int best = -1;
                for (int e = 0; e < EXPERTS; e++)
                    if (!chosen[e] && (best < 0 || p[e] > p[best]))
                        best = e;
                chosen[best] = 1;
                chosen_sum += p[best];
            }
            for (int e = 0; e < EXPERTS; e++) {
                if (!chosen[e])
                    continue;
                if (waiting[e]++ >= places) {
                    ++*dropped;
                    continue;
                }
                double gate = p[e] / (top == 1 ? sum : chosen_sum);
                for (int f = 0; f < WIDTH; f++) {
                    double inner = 0;
                    for (int h = 0; h < HIDDEN; h++)
                        inner += row[h] * up[(e * WIDTH + f) * HIDDEN + h];
                    for (int h = 0; h < HIDDEN; h++)
                        y[(b * ROWS + t) * HIDDEN + h] += gate * tanh(inner) * down[(e * HIDDEN + h) * WIDTH + f];
                }
            }
        }
    }
}

static void spread_weights(Trial *trial)
{
    static const char *const names[] = {"router", "up", "down"};
    for (int i = 0; i < 3; i++) {
        int64_t count;
        char name[64];
        snprintf(name, sizeof name, "parameters.net.%s.weight", names[i]);
        double *values = interp_buffer(trial->interp, name, &count);
        for (int64_t j = 0; j < count; j++)
            values[j] = trial_noise(j + 500 * i);
    }
    trial_save(trial);
}

static void check(const char *model, int top, int places, bool drops)
{
    Trial trial = trial_new(model, BATCH);
    double expected[BATCH * ROWS * HIDDEN];
    int dropped = 0;
    spread_weights(&trial);
    trial_loss(&trial);
    naive(&trial, values_of(&trial, "x"), top, places, expected, &dropped);
    assert_int_equal(dropped > 0, drops);
    const double *y = values_of(&trial, "net");
    for (int i = 0; i < BATCH * ROWS * HIDDEN; i++)
        if (fabs(y[i] - expected[i]) > 1e-13)
            fail_msg("top %d, %d places: element %d is %.17g, not %.17g", top, places, i, y[i], expected[i]);
    const char *wrong = trial_wrong_gradient(&trial);
    if (wrong != NULL)
        fail_msg("top %d, %d places: %s", top, places, wrong);
    compiled_free(&trial.compiled);
}

static void test_against_rows(void **state)
{
    (void)state;
    check(MODEL(1, ""), 1, 5, false);
    check(MODEL(2, ""), 2, 5, false);
    check(MODEL(3, ""), 3, 5, false);
    check(MODEL(2, ", capacity = 0.8"), 2, 2, true); /* 0.8 * 2 * 5 / 4 */
    check(MODEL(1, ", capacity = 0.9"), 1, 2, true); /* 1.125, rounded up */
    check(MODEL(2, ", capacity = 100"), 2, 5, false);
    check(MODEL(1, ", room = 3"), 1, 4, false); /* 3.75, rounded up */
    check(MODEL(2, ", room = 2"), 2, 5, false);
}

/* Equal probabilities: the first experts are chosen, and the first rows get their places. */
static void test_ties(void **state)
{
    (void)state;
    Trial trial = trial_new(MODEL(2, ", capacity = 0.8"), BATCH);
    int64_t count;
    double *router = interp_buffer(trial.interp, "parameters.net.router.weight", &count);
    memset(router, 0, sizeof *router * (size_t)count);
    trial_save(&trial);
    trial_loss(&trial);
    const double *choice = values_of(&trial, "net.choice"), *source = values_of(&trial, "net.source");
    for (int i = 0; i < BATCH * ROWS * 2; i++)
        assert_true(choice[i] == i % 2);
    for (int b = 0; b < BATCH; b++)
        for (int e = 0; e < EXPERTS; e++)
            for (int c = 0; c < 2; c++)
                assert_true(source[(b * EXPERTS + e) * 2 + c] == (e < 2 ? c : ROWS)); /* of the others: no row */
    compiled_free(&trial.compiled);
}

/* The last of the largest entries is found where every other is taken. */
static void test_all_chosen(void **state)
{
    (void)state;
    check(MODEL(4, ""), 4, 5, false);
}

/* Gated experts have a third weight; the layer under them is the same. */
static void test_gated(void **state)
{
    (void)state;
    Trial trial = trial_new("model net(hidden = 4, rows = 5) {\n"
                            "    input x, y : f64[batch, rows, hidden]\n"
                            "    z = x + moe(x, 3, 2, 5, swiglu, capacity = 0.7) as net\n"
                            "    loss = mean over batch, rows, hidden of squared_error(z, y)\n"
                            "}\n",
                            BATCH);
    spread_weights(&trial);
    const char *wrong = trial_wrong_gradient(&trial);
    if (wrong != NULL)
        fail_msg("%s", wrong);
    assert_non_null(interp_buffer(trial.interp, "parameters.net.gate.weight", NULL));
    compiled_free(&trial.compiled);
}

/* Two layers and one outside the block: measures from the probabilities and choices that were kept. */
static void test_measures(void **state)
{
    (void)state;
    Trial trial = trial_new("model net(hidden = 4, rows = 5) {\n"
                            "    input x, y : f64[batch, rows, hidden]\n"
                            "    z = x\n"
                            "    repeat block[2] {\n"
                            "        z = z + moe(z, 3, 2, 5, tanh, capacity = 0.7) as net\n"
                            "    }\n"
                            "    z = z + moe(z, 4, 1, 3, tanh) as last\n"
                            "    loss = mean over batch, rows, hidden of squared_error(z, y) +\n"
                            "         0.7 * mean over batch of load_balance(block.net) +\n"
                            "         0.3 * sum over batch of load_balance(last) +\n"
                            "         0.2 * mean over batch of router_z(block.net)\n"
                            "}\n",
                            BATCH);
    const char *wrong = trial_wrong_gradient(&trial);
    if (wrong != NULL)
        fail_msg("%s", wrong);
    trial_loss(&trial);
    const double *p = values_of(&trial, "block.net.probabilities"), *c = values_of(&trial, "block.net.choice");
    const double *logits = values_of(&trial, "block.net.logits");
    const double *balance = values_of(&trial, "block.net.balance.sum"), *z = values_of(&trial, "block.net.z.sum");
    for (int b = 0; b < BATCH; b++) {
        double expected = 0, expected_z = 0;
        for (int l = 0; l < 2; l++) {
            double load[3] = {0}, mass[3] = {0};
            for (int t = 0; t < ROWS; t++) {
                double sum = 0;
                for (int k = 0; k < 2; k++)
                    load[(int)c[((l * BATCH + b) * ROWS + t) * 2 + k]] += 1.0 / (2 * ROWS);
                for (int e = 0; e < 3; e++) {
                    int at = ((l * BATCH + b) * ROWS + t) * 3 + e;
                    mass[e] += p[at] / ROWS;
                    sum += exp(logits[at]);
                }
                expected_z += pow(log(sum), 2) / ROWS;
            }
            for (int e = 0; e < 3; e++)
                expected += 3 * load[e] * mass[e];
        }
        assert_true(fabs(balance[2 * BATCH + b] - expected) < 1e-13);
        assert_true(fabs(z[2 * BATCH + b] - expected_z) < 1e-13);
    }
    compiled_free(&trial.compiled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_rows), cmocka_unit_test(test_ties),     cmocka_unit_test(test_all_chosen),
        cmocka_unit_test(test_gated),        cmocka_unit_test(test_measures),
    };
    return cmocka_run_group_tests_name("sema_moe", tests, NULL, NULL);
}
