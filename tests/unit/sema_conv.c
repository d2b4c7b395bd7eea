/* Convolutional networks: forward passes against plain loops over pixels, gradients against differences. */
#include "differences.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { BATCH = 2, CHANNELS = 4, ROWS = 5, COLUMNS = 6 };

typedef struct Layer {
    const char *call; /* of a label or variable "y" */
    int out, window, stride, pad, groups;
    char kind; /* c: convolution, m: max, a: mean */
    bool bias;
} Layer;

static const Layer layers[] = {
    {"convolution(x, 3, window = 3) as y", 3, 3, 1, 0, 1, 'c', true},
    {"convolution(x, 5, 3, 2, 1, bias = none) as y", 5, 3, 2, 1, 1, 'c', false},
    {"convolution(x, 3, window = 1, stride = 3) as y", 3, 1, 3, 0, 1, 'c', true},
    {"convolution(x, 2, window = 5, stride = 2, pad = 4) as y", 2, 5, 2, 4, 1, 'c', true},
    {"convolution(x, 6, window = 3, pad = 1, groups = 2) as y", 6, 3, 1, 1, 2, 'c', true},
    {"convolution(x, 8, window = 2, stride = 2, groups = 4, bias = none) as y", 8, 2, 2, 0, 4, 'c', false},
    {"convolution(x, 4, window = 3, pad = 2, groups = 4) as y", 4, 3, 1, 2, 4, 'c', true},
    {"max_pool(x, 2)", 4, 2, 2, 0, 1, 'm', false},
    {"max_pool(x, 3, stride = 2, pad = 1)", 4, 3, 2, 1, 1, 'm', false},
    {"mean_pool(x, 3, stride = 1)", 4, 3, 1, 0, 1, 'a', false},
    {"mean_pool(x, 4, stride = 3, pad = 2)", 4, 4, 3, 2, 1, 'a', false},
};

static const double *values_of(Trial *trial, const char *name)
{
    const double *values = interp_buffer(trial->interp, name, NULL);
    if (values == NULL)
        fail_msg("no buffer '%s'", name);
    return values;
}

static double pixel(const double *x, int n, int c, int row, int column)
{
    bool inside = row >= 0 && row < ROWS && column >= 0 && column < COLUMNS;
    return inside ? x[((n * CHANNELS + c) * ROWS + row) * COLUMNS + column] : NAN;
}

/* One value of the output. */
static double place(const Layer *l, const double *x, const double *w, const double *bias, int n, int o, int p, int q)
{
    int of = CHANNELS / l->groups, group = o / (l->out / l->groups);
    double sum = 0, largest = -INFINITY;
    for (int k = 0; k < (l->kind == 'c' ? of : 1); k++)
        for (int i = 0; i < l->window; i++)
            for (int j = 0; j < l->window; j++) {
                int c = l->kind == 'c' ? group * of + k : o;
                double value = pixel(x, n, c, p * l->stride + i - l->pad, q * l->stride + j - l->pad);
                if (isnan(value))
                    continue;
                double weight = l->kind == 'c' ? w[((o * of + k) * l->window + i) * l->window + j] : 1;
                sum += value * weight;
                largest = fmax(largest, value);
            }
    return l->kind == 'c'   ? sum + (bias != NULL ? bias[o] : 0)
           : l->kind == 'm' ? largest
                            : sum / (l->window * l->window);
}

static void check_values(Trial *trial, const Layer *l)
{
    int rows = (ROWS + 2 * l->pad - l->window) / l->stride + 1,
        columns = (COLUMNS + 2 * l->pad - l->window) / l->stride + 1;
    const double *w = l->kind == 'c' ? values_of(trial, "parameters.y.weight") : NULL;
    const double *bias = l->bias ? values_of(trial, "parameters.y.bias") : NULL;
    const double *x = values_of(trial, "x"), *y = values_of(trial, "y");
    int64_t elements;
    interp_buffer(trial->interp, "y", &elements);
    assert_int_equal(elements, BATCH * l->out * rows * columns);
    for (int n = 0; n < BATCH; n++)
        for (int o = 0; o < l->out; o++)
            for (int p = 0; p < rows; p++)
                for (int q = 0; q < columns; q++) {
                    double expected = place(l, x, w, bias, n, o, p, q);
                    if (fabs(*y - expected) > 1e-13)
                        fail_msg("%s: [%d, %d, %d, %d] is %.17g, not %.17g", l->call, n, o, p, q, *y, expected);
                    y++;
                }
}

/* An image with a parameter before the layer, so that the layer passes gradients on. */
static void check_layer(const Layer *l)
{
    char model[1000];
    int rows = (ROWS + 2 * l->pad - l->window) / l->stride + 1,
        columns = (COLUMNS + 2 * l->pad - l->window) / l->stride + 1;
    snprintf(model, sizeof model,
             "model net(rows = %d, columns = %d, classes = 3) {\n"
             "    input pixels : f64[batch, 4, %d, %d]\n    input labels : int[batch]\n"
             "    x = tanh(convolution(pixels, 4, window = 3, pad = 1) as first)\n"
             "    y = %s\n    z = tanh(linear(flatten(y), 3) as last)\n"
             "    loss = mean over batch of cross_entropy(z, labels)\n}\n",
             rows, columns, ROWS, COLUMNS, l->call);
    Trial trial = trial_new(model, BATCH);
    trial_loss(&trial);
    check_values(&trial, l);
    const char *wrong = trial_wrong_gradient(&trial);
    if (wrong != NULL)
        fail_msg("%s: %s", l->call, wrong);
    compiled_free(&trial.compiled);
}

static void test_layers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        check_layer(&layers[i]);
}

static void test_the_rest(void **state)
{
    (void)state;
    Trial trial =
        trial_new("model net(classes = 3) {\n"
                  "    input pixels : f64[batch, 2, 5, 4]\n    input labels : int[batch]\n"
                  "    x = relu6(convolution(pixels, 4, window = 2) as first)\n"
                  "    repeat block[2] {\n        x = x + relu(convolution(x, 4, 3, pad = 1) as conv)\n    }\n"
                  "    loss = mean over batch of cross_entropy(linear(global_mean(x), 3) as last, labels)\n}\n",
                  BATCH);
    int64_t count;
    double *bias = interp_buffer(trial.interp, "parameters.first.bias", &count);
    bias[0] = 6.5; /* some values are cut off above */
    trial_save(&trial);
    const char *wrong = trial_wrong_gradient(&trial);
    if (wrong != NULL)
        fail_msg("%s", wrong);
    compiled_free(&trial.compiled);
}

#define NORMALISED                                                                                                     \
    "model net(classes = 3) {\n"                                                                                       \
    "    input pixels : f64[batch, 4, 3, 4]\n    input labels : int[batch]\n"                                          \
    "    x = batchnorm(pixels) as norm\n"                                                                              \
    "    repeat block[2] {\n"                                                                                          \
    "        x = x + relu6(batchnorm(convolution(x, 4, 3, pad = 1, bias = none) as conv) as norm)\n"                   \
    "    }\n"                                                                                                          \
    "    y = batchnorm(tanh(linear(flatten(x), 5) as dense)) as last\n"                                                \
    "    loss = mean over batch of cross_entropy(linear(y, 3) as out, labels)\n}\n"

/* Small images: every gradient is compared with differences of the loss. */
enum { NORMALISED_BATCH = 5, PIXELS = 3 * 4 };

/* Of `examples` of the images from x on. */
static void channel_statistics(const double *x, int examples, int channel, double *mean, double *variance)
{
    const int pixels = PIXELS;
    *mean = *variance = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < examples; n++)
            for (int i = 0; i < pixels; i++) {
                double value = x[(n * CHANNELS + channel) * pixels + i];
                if (pass == 0)
                    *mean += value / (examples * pixels);
                else
                    *variance += pow(value - *mean, 2) / (examples * pixels);
            }
}

/* The step normalises with the batch's mean and variance; evaluation with what was kept of those. */
static void test_batchnorm(void **state)
{
    (void)state;
    const int pixels = PIXELS, count = NORMALISED_BATCH * pixels;
    Trial trial = trial_new(NORMALISED, NORMALISED_BATCH);
    const double *x = values_of(&trial, "pixels"), *y = values_of(&trial, "norm"), *e = values_of(&trial, "eval.norm");
    interp_run(trial.interp, ROUTINE_STEP);
    interp_run(trial.interp, ROUTINE_STEP);
    interp_run(trial.interp, ROUTINE_EVAL);
    for (int channel = 0; channel < CHANNELS; channel++) {
        double mean, variance;
        channel_statistics(x, NORMALISED_BATCH, channel, &mean, &variance);
        double kept_mean = 0.19 * mean, kept_variance = 0.81 + 0.19 * variance * count / (count - 1);
        assert_true(fabs(values_of(&trial, "statistics.norm.running_mean")[channel] - kept_mean) < 1e-14);
        assert_true(fabs(values_of(&trial, "statistics.norm.running_variance")[channel] - kept_variance) < 1e-14);
        for (int n = 0; n < NORMALISED_BATCH; n++)
            for (int i = 0; i < pixels; i++) {
                int at = (n * CHANNELS + channel) * pixels + i;
                assert_true(fabs(y[at] - (x[at] - mean) / sqrt(variance + 1e-5)) < 1e-13);
                assert_true(fabs(e[at] - (x[at] - kept_mean) / sqrt(kept_variance + 1e-5)) < 1e-13);
            }
    }
    int64_t elements; /* one per layer */
    interp_buffer(trial.interp, "statistics.block.norm.running_mean", &elements);
    assert_int_equal(elements, 2 * CHANNELS);
    compiled_free(&trial.compiled);
}

static void test_batchnorm_gradients(void **state)
{
    (void)state;
    Trial trial = trial_new(NORMALISED, NORMALISED_BATCH);
    const char *wrong = trial_wrong_gradient(&trial);
    if (wrong != NULL)
        fail_msg("%s", wrong);
    compiled_free(&trial.compiled);
}

enum { EACH = 2 };

/* Every group of each microbatch has its own mean and variance; the running ones take in the groups' mean, one
 * microbatch after the other. */
static void check_groups(int microbatches, int groups, const char *contract)
{
    const int pixels = PIXELS, count = EACH * pixels;
    Trial trial = trial_new_in(NORMALISED, microbatches * groups * EACH, microbatches, groups, contract);
    const double *x = values_of(&trial, "pixels"), *y = values_of(&trial, "norm");
    interp_run(trial.interp, ROUTINE_STEP);
    for (int channel = 0; channel < CHANNELS; channel++) {
        double kept_mean = 0, kept_variance = 1, means = 0, variances = 0;
        for (int group = 0; group < microbatches * groups; group++) {
            double mean, variance;
            channel_statistics(x + group * EACH * CHANNELS * pixels, EACH, channel, &mean, &variance);
            means += mean / groups;
            variances += variance * count / (count - 1) / groups;
            if (group % groups == groups - 1) {
                kept_mean = 0.9 * kept_mean + 0.1 * means;
                kept_variance = 0.9 * kept_variance + 0.1 * variances;
                means = variances = 0;
            }
            for (int n = group * EACH; n < (group + 1) * EACH; n++)
                for (int i = 0; i < pixels; i++) {
                    int at = (n * CHANNELS + channel) * pixels + i;
                    assert_true(fabs(y[at] - (x[at] - mean) / sqrt(variance + 1e-5)) < 1e-13);
                }
        }
        assert_true(fabs(values_of(&trial, "statistics.norm.running_mean")[channel] - kept_mean) < 1e-14);
        assert_true(fabs(values_of(&trial, "statistics.norm.running_variance")[channel] - kept_variance) < 1e-14);
    }
    for (int step = 0; step < 100; step++) /* the running means come near: then the variances of two are precise */
        interp_run(trial.interp, ROUTINE_STEP);
    trial_save(&trial);
    const char *wrong = trial_wrong_gradient(&trial);
    if (wrong != NULL)
        fail_msg("%s", wrong);
    compiled_free(&trial.compiled);
}

static void test_batchnorm_in_microbatches(void **state)
{
    (void)state;
    check_groups(3, 1, "statistics per microbatch");
}

static void test_batchnorm_in_groups(void **state)
{
    (void)state;
    check_groups(1, 3, "statistics per replica over data");
    check_groups(3, 2, "statistics per replica over data");
}

/* ---- Sequences of an image's places --------------------------------------------------------------------------- */

static const char sequences[] = "model net(classes = 3) {\n"
                                "    input pixels : f64[batch, 2, 4, 6]\n    input labels : int[batch]\n"
                                "    image = convolution(pixels, 5, window = 2, stride = 2) as patches\n"
                                "    rows = sequence(image)\n"
                                "    x = tanh(class_token(rows) as cls + positions(7, 5) as places)\n"
                                "    x = x + attention(x, 1, bias = none) as attn\n"
                                "    last = row(x, 6)\n"
                                "    y = linear(row(x, 0), 3) as head + linear(last, 3) as other\n"
                                "    loss = mean over batch of cross_entropy(y, labels)\n}\n";

static void test_sequences(void **state)
{
    enum { FEATURES = 5, PLACES = 6 }; /* 2 rows of 3 */
    (void)state;
    Trial trial = trial_new(sequences, BATCH);
    trial_loss(&trial);
    const double *image = values_of(&trial, "patches"), *rows = values_of(&trial, "rows");
    const double *with_token = values_of(&trial, "cls"), *token = values_of(&trial, "parameters.cls.token");
    for (int n = 0; n < BATCH; n++)
        for (int f = 0; f < FEATURES; f++) {
            const double *own = &with_token[n * (PLACES + 1) * FEATURES + f];
            assert_true(own[0] == token[f]);
            for (int place = 0; place < PLACES; place++) {
                double value = image[(n * FEATURES + f) * PLACES + place];
                assert_true(rows[(n * PLACES + place) * FEATURES + f] == value);
                assert_true(own[(place + 1) * FEATURES] == value);
            }
        }
    const char *wrong = trial_wrong_gradient(&trial);
    if (wrong != NULL)
        fail_msg("%s", wrong);
    compiled_free(&trial.compiled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_the_rest),
        cmocka_unit_test(test_batchnorm),
        cmocka_unit_test(test_batchnorm_gradients),
        cmocka_unit_test(test_batchnorm_in_microbatches),
        cmocka_unit_test(test_batchnorm_in_groups),
        cmocka_unit_test(test_sequences),
    };
    return cmocka_run_group_tests_name("sema_conv", tests, NULL, NULL);
}
