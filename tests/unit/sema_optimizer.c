/* Whole models: gradients against central differences, optimizers against formulas written out by hand, initial values
 * against the generator. */
#include "base/random.h"
#include "compile.h"
#include "step/interp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const char gpt[] = GPT_MODEL("net", "layers = 2, hidden = 4, heads = 2, context = 3, vocab = 5", "2 * hidden");

/* Everything else the language has: full attention, a skip around the blocks, two carried values, an outer value used
 * in every layer, differences, a sum as loss, other activations. */
static const char odd[] = "model net(layers = 3, inputs = 3, width = 4, context = 2) {\n"
                          "    input x, y : f64[batch, context, inputs]\n"
                          "    start = tanh(linear(x, width) as first)\n"
                          "    h = start\n"
                          "    k = relu(linear(x, width) as second)\n"
                          "    repeat a[layers] {\n"
                          "        before = h\n"
                          "        h = k + attention(layernorm(h) as norm, 2) as mix + start\n"
                          "        k = before - mlp(k, 3, tanh) as mlp\n"
                          "    }\n"
                          "    repeat b[1] {\n"
                          "        h = h + linear(gelu(h), width, bias = none) as step\n"
                          "    }\n"
                          "    p = linear(h + k - start, inputs) as last\n"
                          "    loss = sum over batch, context, inputs of squared_error(p, y)\n"
                          "}\n";

#define LINE                                                                                                           \
    "model net(inputs = 3, width = 4, outputs = 2) {\n"                                                                \
    "    input x : f64[batch, inputs]\n"                                                                               \
    "    input y : f64[batch, outputs]\n"                                                                              \
    "    p = linear(tanh(linear(x, width) as first), outputs) as second\n"                                             \
    "    loss = mean over batch, outputs of squared_error(p, y)\n"                                                     \
    "}\n"

static const char line[] = LINE;

/* Averages of the weights and of squared gradients, what was read before the update, numbers, products. */
static const char with_states[] = LINE
    "state ema { one per parameter; start parameters; update after optimizer : 0.75 * ema + 0.25 * parameters }\n"
    "state before { one per parameter; lives run; start 2; update before optimizer : parameters }\n"
    "state ratio { one per parameter; update after optimizer : -gradients * gradients / (2 + step) - (1 - ratio) }\n"
    "state seen { one; start 10; update after optimizer : seen * 2 + step }\n"
    "state mixed { one per parameter; update after optimizer : (mixed + seen) / 4 - ema / 2 + 3 }\n";

typedef struct Bench {
    Compiled compiled;
    Interp *interp;
} Bench;

/* A value in (-1, 1) that looks like noise. */
static double noise(int64_t i)
{
    return sin(12.9898 * (double)(i + 1) + 0.3);
}

static void give_inputs(Bench *bench)
{
    const Train *train = bench->compiled.train;
    for (int i = 0; i < train->decls.tensors.count; i++) {
        const Tensor *tensor = &train->decls.tensors.data[i];
        if (tensor->kind != TENSOR_INPUT)
            continue;
        int64_t count = tensor_elements(tensor);
        double *values = arena_array(bench->compiled.ctx.arena, double, count);
        for (int64_t j = 0; j < count; j++)
            values[j] = tensor->dtype == DTYPE_I32 ? (double)((j * 7 + i) % 5) : noise(j + 1000 * i);
        interp_input(bench->interp, tensor->name, values, count);
    }
}

static Bench bench_new(const char *model, const char *settings)
{
    Bench bench;
    char text[4096];
    snprintf(text, sizeof text,
             "%scluster c { 1 devices of cpu }\nmesh m on c { data: 1 }\n"
             "train net on m {\n strategy data_parallel(data)\n%s batch 2\n steps 1\n %s\n}\n",
             model, strstr(settings, "precision") != NULL ? "" : " precision f64\n", settings);
    bench.compiled = compile_text(text);
    if (bench.compiled.train == NULL)
        fail_msg("%s", bench.compiled.messages);
    bench.interp = interp_new(bench.compiled.ctx.arena, bench.compiled.train->reference);
    give_inputs(&bench);
    interp_run(bench.interp, ROUTINE_INIT);
    return bench;
}

static void bench_free(Bench *bench)
{
    compiled_free(&bench->compiled);
}

static double *state_of(const Bench *bench, const char *state, const char *tensor, int64_t *count)
{
    char name[128];
    snprintf(name, sizeof name, "%s.%s", state, tensor);
    double *values = interp_buffer(bench->interp, name, count);
    if (values == NULL)
        fail_msg("no buffer '%s'", name);
    return values;
}

static double output(const Bench *bench, const char *name)
{
    const double *value = interp_output(bench->interp, name, NULL);
    if (value == NULL)
        fail_msg("no output '%s'", name);
    return *value;
}

static double eval_loss(const Bench *bench)
{
    interp_run(bench->interp, ROUTINE_EVAL);
    return output(bench, "loss");
}

/* ---- Gradients ---------------------------------------------------------------------------------------------- */

static void check_gradient(const Bench *bench, const char *tensor)
{
    const double step = 1e-5;
    int64_t count;
    double *weight = state_of(bench, "parameters", tensor, &count);
    const double *gradient = state_of(bench, "gradients", tensor, &count);
    for (int64_t i = 0; i < count; i++) {
        double saved = weight[i];
        weight[i] = saved + step;
        double above = eval_loss(bench);
        weight[i] = saved - step;
        double below = eval_loss(bench);
        weight[i] = saved;
        double expected = (above - below) / (2 * step);
        if (fabs(gradient[i] - expected) > 1e-7 * (1 + fabs(expected)))
            fail_msg("%s[%d]: gradient %.12g, by differences %.12g", tensor, (int)i, gradient[i], expected);
    }
}

/* With a rate of zero a step leaves the parameters as they are. */
static void check_gradients(const char *model)
{
    Bench bench = bench_new(model, "optimizer sgd(rate = 0)");
    const Decls *decls = &bench.compiled.train->decls;
    for (int i = 0; i < decls->tensors.count; i++) {
        int64_t count;
        if (decls->tensors.data[i].kind != TENSOR_PARAMETER)
            continue;
        double *weight = state_of(&bench, "parameters", decls->tensors.data[i].name, &count);
        for (int64_t j = 0; j < count; j++)
            weight[j] += 0.5 * noise(j + 50 * i);
    }
    interp_run(bench.interp, ROUTINE_STEP);
    double loss = output(&bench, "loss");
    assert_true(fabs(loss - eval_loss(&bench)) < 1e-12 * (1 + fabs(loss)));
    for (int i = 0; i < decls->tensors.count; i++)
        if (decls->tensors.data[i].kind == TENSOR_PARAMETER)
            check_gradient(&bench, decls->tensors.data[i].name);
    bench_free(&bench);
}

static void test_gpt_gradients(void **state)
{
    (void)state;
    check_gradients(gpt);
}

static void test_odd_gradients(void **state)
{
    (void)state;
    check_gradients(odd);
}

static void test_mlp_gradients(void **state)
{
    (void)state;
    check_gradients(line);
}

/* ---- Optimizers --------------------------------------------------------------------------------------------- */

enum { MAX_ELEMENTS = 64, STEPS = 4 };

/* One parameter's states, kept next to the interpreter's and updated by hand. */
typedef struct Hand {
    double weight[MAX_ELEMENTS], first[MAX_ELEMENTS], second[MAX_ELEMENTS];
} Hand;

typedef void HandUpdate(Hand *hand, const double *gradient, int64_t count, int step);

static void hand_sgd(Hand *hand, const double *gradient, int64_t count, int step)
{
    (void)step;
    for (int64_t i = 0; i < count; i++)
        hand->weight[i] -= 0.1 * gradient[i];
}

static void hand_momentum(Hand *hand, const double *gradient, int64_t count, int step)
{
    (void)step;
    for (int64_t i = 0; i < count; i++) {
        hand->first[i] = 0.8 * hand->first[i] + gradient[i];
        hand->weight[i] -= 0.1 * hand->first[i];
    }
}

static void hand_means(Hand *hand, double gradient, int64_t i, int step, double rate, double decay)
{
    hand->first[i] = 0.9 * hand->first[i] + 0.1 * gradient;
    hand->second[i] = 0.99 * hand->second[i] + 0.01 * gradient * gradient;
    double mean = hand->first[i] / (1 - pow(0.9, step + 1)), square = hand->second[i] / (1 - pow(0.99, step + 1));
    hand->weight[i] -= rate * (mean / (sqrt(square) + 1e-6) + decay * hand->weight[i]);
}

/* The buffer's gradient already holds the decay. */
static void hand_adam(Hand *hand, const double *gradient, int64_t count, int step)
{
    for (int64_t i = 0; i < count; i++)
        hand_means(hand, gradient[i], i, step, 0.1, 0);
}

/* Two steps of warm-up, then a cosine over two more steps down to a fifth. */
static void hand_adamw(Hand *hand, const double *gradient, int64_t count, int step)
{
    const double rates[STEPS] = {0.05, 0.1, 0.1, 0.06};
    for (int64_t i = 0; i < count; i++)
        hand_means(hand, gradient[i], i, step, rates[step], 0.3);
}

static double norm(const double *values, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += values[i] * values[i];
    return sqrt(sum);
}

static void hand_lamb(Hand *hand, const double *gradient, int64_t count, int step)
{
    double direction[MAX_ELEMENTS];
    for (int64_t i = 0; i < count; i++) {
        hand->first[i] = 0.9 * hand->first[i] + 0.1 * gradient[i];
        hand->second[i] = 0.999 * hand->second[i] + 0.001 * gradient[i] * gradient[i];
        double mean = hand->first[i] / (1 - pow(0.9, step + 1)), square = hand->second[i] / (1 - pow(0.999, step + 1));
        direction[i] = mean / (sqrt(square) + 1e-6) + 0.2 * hand->weight[i];
    }
    double ratio = norm(hand->weight, count) / norm(direction, count);
    for (int64_t i = 0; i < count; i++)
        hand->weight[i] -= 0.1 * ratio * direction[i];
}

static void hand_lars(Hand *hand, const double *gradient, int64_t count, int step)
{
    (void)step;
    double weights = norm(hand->weight, count);
    double ratio = 0.01 * weights / (norm(gradient, count) + 0.2 * weights);
    for (int64_t i = 0; i < count; i++) {
        hand->first[i] = 0.9 * hand->first[i] + ratio * (gradient[i] + 0.2 * hand->weight[i]);
        hand->weight[i] -= 0.1 * hand->first[i];
    }
}

enum { ROWS = 4, COLUMNS = 3 };

/* The factors of a [4, 3] weight: four rows, three columns. */
static void hand_adafactor(Hand *hand, const double *gradient, int64_t count, int step)
{
    double rows[ROWS] = {0}, columns[COLUMNS] = {0}, total = 0, direction[MAX_ELEMENTS];
    double beta = 1 - pow(step + 1, -0.8);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double square = gradient[i * COLUMNS + j] * gradient[i * COLUMNS + j] + 1e-30;
            rows[i] += square;
            columns[j] += square;
        }
    for (int i = 0; i < ROWS; i++)
        total += hand->first[i] = beta * hand->first[i] + (1 - beta) * rows[i];
    for (int j = 0; j < COLUMNS; j++)
        hand->second[j] = beta * hand->second[j] + (1 - beta) * columns[j];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            direction[i * COLUMNS + j] = gradient[i * COLUMNS + j] / sqrt(hand->first[i] * hand->second[j] / total);
    double root = norm(direction, count) / sqrt((double)count),
           length = norm(hand->weight, count) / sqrt((double)count);
    double rate = 0.1 * fmax(1e-3, length) / fmax(1, root / 0.9);
    for (int64_t i = 0; i < count; i++)
        hand->weight[i] -= rate * direction[i];
}

/* x = a x + b x x'x + c x x'x x'x, written out without its symmetric products, for a [4, 3] weight. */
static void hand_quintic(double x[ROWS][COLUMNS])
{
    double g[COLUMNS][COLUMNS] = {{0}}, p[COLUMNS][COLUMNS], y[ROWS][COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        for (int j = 0; j < COLUMNS; j++)
            for (int k = 0; k < ROWS; k++)
                g[i][j] += x[k][i] * x[k][j];
    for (int i = 0; i < COLUMNS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            p[i][j] = -4.775 * g[i][j];
            for (int k = 0; k < COLUMNS; k++)
                p[i][j] += 2.0315 * g[i][k] * g[k][j];
        }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            y[i][j] = 3.4445 * x[i][j];
            for (int k = 0; k < COLUMNS; k++)
                y[i][j] += x[i][k] * p[k][j];
        }
    memcpy(x, y, sizeof y);
}

static void hand_muon(Hand *hand, const double *gradient, int64_t count, int step)
{
    double x[ROWS][COLUMNS], direction[MAX_ELEMENTS];
    (void)step;
    for (int64_t i = 0; i < count; i++) {
        hand->first[i] = 0.95 * hand->first[i] + gradient[i];
        direction[i] = gradient[i] + 0.95 * hand->first[i];
    }
    for (int64_t i = 0; i < count; i++)
        x[i / COLUMNS][i % COLUMNS] = direction[i] / (norm(direction, count) + 1e-7);
    for (int i = 0; i < 5; i++)
        hand_quintic(x);
    for (int64_t i = 0; i < count; i++)
        hand->weight[i] -= 0.1 * (0.2 * sqrt(4) * x[i / COLUMNS][i % COLUMNS] + 0.3 * hand->weight[i]);
}

typedef struct OptimizerCase {
    const char *settings;
    HandUpdate *update;
    double decay; /* that is added to the gradient */
    const char *first, *second;
} OptimizerCase;

static const OptimizerCase optimizer_cases[] = {
    {"optimizer sgd(rate = 0.1)", hand_sgd, 0, NULL, NULL},
    {"optimizer momentum(0.1, momentum = 0.8)", hand_momentum, 0, "momentum", NULL},
    {"optimizer adam(rate = 0.1, beta2 = 0.99, epsilon = 1e-6)", hand_adam, 0, "adam_m", "adam_v"},
    {"optimizer adam(rate = 0.1, beta2 = 0.99, epsilon = 1e-6, decay = 0.2)", hand_adam, 0.2, "adam_m", "adam_v"},
    {"optimizer adamw(rate = 0.1, beta2 = 0.99, epsilon = 1e-6, decay = 0.3, warmup = 2, total = 4, last = 0.2)",
     hand_adamw, 0, "adam_m", "adam_v"},
    {"optimizer lamb(rate = 0.1, decay = 0.2)", hand_lamb, 0, "adam_m", "adam_v"},
    {"optimizer lars(rate = 0.1, trust = 0.01, decay = 0.2)", hand_lars, 0, "momentum", NULL},
    {"optimizer adafactor(rate = 0.1, threshold = 0.9)", hand_adafactor, 0, "row_squares", "column_squares"},
    {"optimizer muon(rate = 0.1, decay = 0.3)", hand_muon, 0, "momentum", NULL},
};

static void assert_near(const char *what, const double *values, const double *expected, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (fabs(values[i] - expected[i]) > 1e-13 * (1 + fabs(expected[i])))
            fail_msg("%s[%d] is %.17g, by hand %.17g", what, (int)i, values[i], expected[i]);
}

/* Of whatever shape the state is. */
static void check_state(const Bench *bench, const char *name, const double *expected)
{
    int64_t count;
    if (name == NULL)
        return;
    const double *values = state_of(bench, name, "first.weight", &count);
    assert_near(name, values, expected, count);
}

static void check_optimizer(const OptimizerCase *row)
{
    Bench bench = bench_new(line, row->settings), gradients = bench_new(line, "optimizer sgd(rate = 0)");
    Hand hand = {.first = {0}};
    int64_t count;
    double *weight = state_of(&bench, "parameters", "first.weight", &count);
    memcpy(hand.weight, weight, sizeof(double) * (size_t)count);
    for (int step = 0; step < STEPS; step++) {
        /* The gradient at these parameters, from a program that does nothing to it. */
        const char *const tensors[] = {"first.weight", "first.bias", "second.weight", "second.bias"};
        for (int i = 0; i < 4; i++) {
            int64_t elements;
            const double *from = state_of(&bench, "parameters", tensors[i], &elements);
            memcpy(state_of(&gradients, "parameters", tensors[i], &elements), from, sizeof(double) * (size_t)elements);
        }
        interp_run(gradients.interp, ROUTINE_STEP);
        double *gradient = state_of(&gradients, "gradients", "first.weight", &count);
        for (int64_t i = 0; i < count; i++)
            gradient[i] += row->decay * hand.weight[i];
        row->update(&hand, gradient, count, step);
        interp_run(bench.interp, ROUTINE_STEP);
        assert_near(row->settings, weight, hand.weight, count);
        check_state(&bench, row->first, hand.first);
        check_state(&bench, row->second, hand.second);
    }
    assert_true(*interp_buffer(bench.interp, "step", NULL) == STEPS);
    bench_free(&bench);
    bench_free(&gradients);
}

static void test_optimizers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof optimizer_cases / sizeof *optimizer_cases; i++)
        check_optimizer(&optimizer_cases[i]);
}

static void test_states(void **state)
{
    (void)state;
    Bench bench = bench_new(with_states, "optimizer sgd(rate = 0.1)");
    int64_t count;
    double *weight = state_of(&bench, "parameters", "first.weight", &count),
           *seen = interp_buffer(bench.interp, "seen", NULL);
    const double *gradient = state_of(&bench, "gradients", "first.weight", &count);
    double ema[MAX_ELEMENTS], ratio[MAX_ELEMENTS] = {0}, mixed[MAX_ELEMENTS] = {0}, before[MAX_ELEMENTS], total = 10;
    memcpy(ema, weight, sizeof(double) * (size_t)count);
    assert_true(*seen == 10 && *state_of(&bench, "before", "first.weight", &count) == 2);
    for (int step = 0; step < STEPS; step++) {
        memcpy(before, weight, sizeof(double) * (size_t)count);
        interp_run(bench.interp, ROUTINE_STEP);
        total = total * 2 + step + 1;
        for (int64_t i = 0; i < count; i++) {
            ema[i] = 0.75 * ema[i] + 0.25 * weight[i];
            ratio[i] = -gradient[i] * gradient[i] / (2 + step + 1) - (1 - ratio[i]);
            mixed[i] = (mixed[i] + total) / 4 - ema[i] / 2 + 3;
        }
        assert_true(*seen == total);
        assert_near("before", state_of(&bench, "before", "first.weight", &count), before, count);
        assert_near("ema", state_of(&bench, "ema", "first.weight", &count), ema, count);
        assert_near("ratio", state_of(&bench, "ratio", "first.weight", &count), ratio, count);
        assert_near("mixed", state_of(&bench, "mixed", "first.weight", &count), mixed, count);
    }
    bench_free(&bench);
}

static double *scalar(const Bench *bench, const char *name)
{
    double *value = interp_buffer(bench->interp, name, NULL);
    if (value == NULL)
        fail_msg("no buffer '%s'", name);
    return value;
}

#define SCALED "optimizer adamw(rate = 0.1, decay = 0.1)\n clip norm 0.5\n precision f64, loss_scale dynamic"

/* Where the gradient is finite a scale changes nothing; where it is not, nothing changes but the scale. */
static void test_loss_scale(void **state)
{
    (void)state;
    static const char *const names[] = {"parameters", "adam_m", "adam_v", "ema", "ratio", "mixed"};
    Bench plain = bench_new(with_states, "optimizer adamw(rate = 0.1, decay = 0.1)\n clip norm 0.5\n");
    Bench scaled = bench_new(with_states, SCALED);
    double before[6][MAX_ELEMENTS];
    int64_t count;
    assert_true(*scalar(&scaled, "loss_scale") == 65536);
    *scalar(&scaled, "good_steps") = 1998;
    for (int step = 0; step < 2; step++) {
        interp_run(plain.interp, ROUTINE_STEP);
        interp_run(scaled.interp, ROUTINE_STEP);
        assert_true(output(&plain, "loss") == output(&scaled, "loss"));
    }
    for (int i = 0; i < 6; i++) {
        const double *values = state_of(&scaled, names[i], "first.weight", &count);
        assert_near(names[i], values, state_of(&plain, names[i], "first.weight", &count), count);
        memcpy(before[i], values, sizeof(double) * (size_t)count);
    }
    assert_true(*scalar(&scaled, "loss_scale") == 131072 && *scalar(&scaled, "good_steps") == 0);
    interp_run(scaled.interp, ROUTINE_STEP);
    interp_run(plain.interp, ROUTINE_STEP);
    for (int i = 0; i < 6; i++)
        memcpy(before[i], state_of(&scaled, names[i], "first.weight", &count), sizeof before[i]);
    *scalar(&scaled, "loss_scale") = 1e300;
    double seen = *scalar(&scaled, "seen");
    assert_true(*scalar(&scaled, "good_steps") == 1 && *scalar(&scaled, "step") == 3);
    interp_run(scaled.interp, ROUTINE_STEP);
    for (int i = 0; i < 6; i++)
        assert_memory_equal(before[i], state_of(&scaled, names[i], "first.weight", &count),
                            sizeof(double) * (size_t)count);
    assert_true(*scalar(&scaled, "good_steps") == 0 && *scalar(&scaled, "step") == 3);
    assert_true(*scalar(&scaled, "loss_scale") == 5e299 && *scalar(&scaled, "seen") == seen);
    bench_free(&plain);
    bench_free(&scaled);
}

static double squared_norm(const Bench *bench)
{
    const Decls *decls = &bench->compiled.train->decls;
    double sum = 0;
    for (int i = 0; i < decls->tensors.count; i++) {
        int64_t count;
        if (decls->tensors.data[i].kind != TENSOR_PARAMETER)
            continue;
        const double *gradient = state_of(bench, "gradients", decls->tensors.data[i].name, &count);
        for (int64_t j = 0; j < count; j++)
            sum += gradient[j] * gradient[j];
    }
    return sum;
}

/* A limit below the norm scales all gradients alike, one above changes nothing; the norm handed out is the one before.
 */
static void test_clipping(void **state)
{
    (void)state;
    Bench free_running = bench_new(gpt, "optimizer sgd(rate = 0)");
    Bench clipped = bench_new(gpt, "optimizer sgd(rate = 0)\n clip norm 0.01");
    Bench loose = bench_new(gpt, "optimizer sgd(rate = 0)\n clip norm 1000");
    interp_run(free_running.interp, ROUTINE_STEP);
    interp_run(clipped.interp, ROUTINE_STEP);
    interp_run(loose.interp, ROUTINE_STEP);
    double norm = sqrt(squared_norm(&free_running));
    assert_true(norm > 0.01);
    assert_true(fabs(output(&clipped, "gradient_norm") - norm) < 1e-13 * norm);
    assert_true(fabs(sqrt(squared_norm(&clipped)) - 0.01 * norm / (norm + 1e-6)) < 1e-14);
    assert_true(fabs(sqrt(squared_norm(&loose)) - norm) < 1e-13 * norm);
    bench_free(&free_running);
    bench_free(&clipped);
    bench_free(&loose);
}

/* ---- Initial values ----------------------------------------------------------------------------------------- */

static void test_initial_values(void **state)
{
    (void)state;
    Bench bench = bench_new(gpt, "optimizer adamw(rate = 1)\n seed 7");
    int64_t count;
    const double *query = state_of(&bench, "parameters", "block.attn.query.weight", &count);
    const double *down = state_of(&bench, "parameters", "block.mlp.down.weight", &count);
    assert_int_equal(count, 2 * 4 * 8);
    uint32_t query_hash = random_hash("block.attn.query.weight"), down_hash = random_hash("block.mlp.down.weight");
    for (uint32_t layer = 0; layer < 2; layer++)
        for (uint64_t i = 0; i < 16; i++) {
            assert_true(query[16 * layer + i] == 0.02 * random_normal(7, query_hash, layer, i));
            assert_true(down[32 * layer + i] == 0.02 / sqrt(2.0 * 2) * random_normal(7, down_hash, layer, i));
        }
    assert_true(*state_of(&bench, "parameters", "block.norm1.gain", &count) == 1);
    assert_true(*state_of(&bench, "parameters", "block.norm1.bias", &count) == 0);
    assert_true(*state_of(&bench, "adam_v", "wte.table", &count) == 0);
    bench_free(&bench);
}

/* Known answers of Philox 4x32-10, from the authors' distribution. */
static void test_generator(void **state)
{
    (void)state;
    RandomWords zeros = random_words(0, 0, 0, 0), ones = random_words(UINT64_MAX, UINT32_MAX, UINT32_MAX, UINT64_MAX);
    const uint32_t expected_zeros[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    const uint32_t expected_ones[] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
    assert_memory_equal(zeros.word, expected_zeros, sizeof expected_zeros);
    assert_memory_equal(ones.word, expected_ones, sizeof expected_ones);
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < 100000; i++) {
        double x = random_normal(3, 5, 0, i);
        sum += x;
        squares += x * x;
        double u = random_uniform(3, 5, 0, i);
        assert_true(u >= 0 && u < 1);
    }
    assert_true(fabs(sum / 100000) < 0.01 && fabs(squares / 100000 - 1) < 0.02);
}

/* A master copy holds what the parameters start from, is updated, and is cast into them. */
static void test_master_copy(void **state)
{
    (void)state;
    char text[2048];
    snprintf(text, sizeof text,
             "%scluster c { 1 devices of cpu }\nmesh m on c { data: 1 }\n"
             "train net on m {\n strategy data_parallel(data)\n precision bf16, master f32\n batch 2\n steps 1\n"
             " optimizer sgd(rate = 0.1)\n}\n",
             line);
    Bench bench = {.compiled = compile_text(text)};
    if (bench.compiled.train == NULL)
        fail_msg("%s", bench.compiled.messages);
    bench.interp = interp_new(bench.compiled.ctx.arena, bench.compiled.train->reference);
    give_inputs(&bench);
    interp_run(bench.interp, ROUTINE_INIT);
    int64_t count;
    double *weight = state_of(&bench, "parameters", "first.weight", &count);
    double *master = state_of(&bench, "master", "first.weight", &count), before = weight[0];
    assert_memory_equal(weight, master, sizeof(double) * (size_t)count);
    interp_run(bench.interp, ROUTINE_STEP);
    assert_memory_equal(weight, master, sizeof(double) * (size_t)count);
    assert_true(weight[0] == before - 0.1 * state_of(&bench, "gradients", "first.weight", &count)[0]);
    for (int i = 0; i < bench.compiled.train->decls.states.count; i++) {
        const State *s = &bench.compiled.train->decls.states.data[i];
        assert_int_equal(s->dtype, s->kind == STATE_OPTIMIZER ? DTYPE_F32 : DTYPE_BF16);
    }
    bench_free(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gpt_gradients), cmocka_unit_test(test_odd_gradients),
        cmocka_unit_test(test_mlp_gradients), cmocka_unit_test(test_optimizers),
        cmocka_unit_test(test_states),        cmocka_unit_test(test_loss_scale),
        cmocka_unit_test(test_clipping),      cmocka_unit_test(test_initial_values),
        cmocka_unit_test(test_generator),     cmocka_unit_test(test_master_copy),
    };
    return cmocka_run_group_tests_name("sema_optimizer", tests, NULL, NULL);
}
