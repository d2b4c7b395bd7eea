/* kernel_meanings.h - what operators mean, written once more: elements and rows for codegen_kernels.c. */
#ifndef PLACE_TESTS_UNIT_KERNEL_MEANINGS_H
#define PLACE_TESTS_UNIT_KERNEL_MEANINGS_H

#include "base/random.h"

#include <math.h>
#include <stdint.h>

enum { MAX_ROW = 64 };

/* One element (MAP, SUM) from its operands x and immediates v; or a row of n elements, x[operand][column]. */
typedef double Element(const double *x, const double *v);
typedef void Row(int n, double x[][MAX_ROW], const double *v, double *y);

static double fill(const double *x, const double *v)
{
    return (void)x, v[0];
}
static double same(const double *x, const double *v)
{
    return (void)v, x[0];
}
static double add(const double *x, const double *v)
{
    return (void)v, x[0] + x[1];
}
static double sub(const double *x, const double *v)
{
    return (void)v, x[0] - x[1];
}
static double mul(const double *x, const double *v)
{
    return (void)v, x[0] * x[1];
}
static double scaled(const double *x, const double *v)
{
    return x[0] * v[0];
}
static double recip(const double *x, const double *v)
{
    return (void)v, 1 / x[0];
}
static double recip_bwd(const double *x, const double *v)
{
    return (void)v, -x[1] / x[0] / x[0];
}
static double sqrt_of(const double *x, const double *v)
{
    return (void)v, sqrt(x[0]);
}
static double relu(const double *x, const double *v)
{
    return (void)v, x[0] > 0 ? x[0] : 0;
}
static double relu_bwd(const double *x, const double *v)
{
    return (void)v, x[0] > 0 ? x[1] : 0;
}
static double inverse_root(const double *x, const double *v)
{
    return 1 / sqrt(x[0] + v[0]);
}
static double inverse_root_bwd(const double *x, const double *v)
{
    return -0.5 * x[1] * pow(x[0] + v[0], -1.5);
}
static double blend(const double *x, const double *v)
{
    return x[0] + v[0] * (x[1] - x[0]);
}
static double relu6(const double *x, const double *v)
{
    return (void)v, fmin(fmax(x[0], 0), 6);
}
static double relu6_bwd(const double *x, const double *v)
{
    return (void)v, x[0] > 0 && x[0] < 6 ? x[1] : 0;
}
static double tanh_of(const double *x, const double *v)
{
    return (void)v, tanh(x[0]);
}
static double tanh_bwd(const double *x, const double *v)
{
    return (void)v, x[1] / (cosh(x[0]) * cosh(x[0]));
}
static double gelu(const double *x, const double *v)
{
    (void)v;
    return 0.5 * x[0] * (1 + tanh(sqrt(2 / acos(-1)) * (x[0] + 0.044715 * pow(x[0], 3))));
}
static double gelu_bwd(const double *x, const double *v)
{
    (void)v;
    double c = sqrt(2 / acos(-1)), t = tanh(c * (x[0] + 0.044715 * pow(x[0], 3)));
    return x[1] * (0.5 * (1 + t) + 0.5 * x[0] * (1 - t * t) * c * (1 + 3 * 0.044715 * x[0] * x[0]));
}
static double less(const double *x, const double *v)
{
    return (void)v, x[0] < x[1] ? 1 : 0;
}
static double less_equal(const double *x, const double *v)
{
    return (void)v, x[0] <= x[1] ? 1 : 0;
}
static double equal(const double *x, const double *v)
{
    return (void)v, x[0] == x[1] ? 1 : 0;
}
static double not_equal(const double *x, const double *v)
{
    return (void)v, x[0] == x[1] ? 0 : 1;
}
static double masked(const double *x, const double *v)
{
    return (void)v, x[1] == 0 ? 0 : x[0];
}
static double inverse_count(const double *x, const double *v)
{
    return (void)v, x[0] > 0 ? 1 / x[0] : 0;
}
static double silu(const double *x, const double *v)
{
    return (void)v, x[0] / (1 + exp(-x[0]));
}
static double silu_bwd(const double *x, const double *v)
{
    (void)v;
    double e = exp(x[0]);
    return x[1] * (e * (1 + e + x[0]) / ((1 + e) * (1 + e)));
}
static double rms_norm(const double *x, const double *v)
{
    return (void)v, x[0] * x[1] * x[2];
}
static double rotary_angle(const double *x, const double *v)
{
    return x[0] / pow(v[0], fmod(x[1], v[1] / 2) / (v[1] / 2));
}
static double rotary_cosine(const double *x, const double *v)
{
    return cos(rotary_angle(x, v));
}
static double rotary_sine(const double *x, const double *v)
{
    return sin(rotary_angle(x, v)) * (x[1] < v[1] / 2 ? -1 : 1);
}
static double squared_error(const double *x, const double *v)
{
    return (void)v, pow(x[0] - x[1], 2);
}
static double squared_error_bwd(const double *x, const double *v)
{
    return (void)v, 2 * (x[0] - x[1]) * x[2];
}
static double norm(const double *x, const double *v)
{
    return (void)v, (x[0] - x[1]) * x[2] * x[3] + x[4];
}
static double norm_gain_bwd(const double *x, const double *v)
{
    return (void)v, (x[0] - x[1]) * x[2] * x[3];
}
static double square(const double *x, const double *v)
{
    return (void)v, x[0] * x[0];
}
static double clip_factor(const double *x, const double *v)
{
    return fmin(1, v[0] / (sqrt(x[0]) + 1e-6));
}
static double rate(const double *x, const double *v)
{
    if (x[0] < v[1])
        return v[0] * (x[0] + 1) / fmax(v[1], 1);
    double done = fmin(1, (x[0] - v[1]) / fmax(v[2] - v[1], 1));
    return v[0] * (v[3] + (1 - v[3]) * 0.5 * (1 + cos(acos(-1) * done)));
}
static double correction(const double *x, const double *v)
{
    return 1 / (1 - pow(v[0], x[0] + 1));
}
static double falling_power(const double *x, const double *v)
{
    return pow(v[0], v[1] - x[0]);
}
static double increment(const double *x, const double *v)
{
    return (void)v, x[0] + 1;
}
static double ema(const double *x, const double *v)
{
    return v[0] * x[0] + (1 - v[0]) * x[1];
}
static double ema_square(const double *x, const double *v)
{
    return v[0] * x[0] + (1 - v[0]) * x[1] * x[1];
}
static double adamw(const double *x, const double *v)
{
    return x[0] - x[3] * (x[1] * x[4] / (sqrt(x[2] * x[5]) + v[0]) + v[1] * x[0]);
}
static double decay_gradient(const double *x, const double *v)
{
    return x[0] + v[0] * x[1];
}
static double momentum(const double *x, const double *v)
{
    return v[0] * x[0] + x[1];
}
static double sgd(const double *x, const double *v)
{
    return (void)v, x[0] - x[2] * x[1];
}

static double adam_direction(const double *x, const double *v)
{
    return x[1] * x[3] / (sqrt(x[2] * x[4]) + v[0]) + v[1] * x[0];
}
static double trust_ratio(const double *x, const double *v)
{
    return (void)v, x[0] > 0 && x[1] > 0 ? sqrt(x[0] / x[1]) : 1;
}
static double lars_ratio(const double *x, const double *v)
{
    return x[0] > 0 && x[1] > 0 ? v[0] * sqrt(x[0]) / (sqrt(x[1]) + v[1] * sqrt(x[0])) : 1;
}
static double square_plus(const double *x, const double *v)
{
    return x[0] * x[0] + v[0];
}
static double growing_beta(const double *x, const double *v)
{
    return 1 - pow(x[0] + 1, -v[0]);
}
static double ema_by(const double *x, const double *v)
{
    return (void)v, x[2] * x[0] + (1 - x[2]) * x[1];
}
static double factored_direction(const double *x, const double *v)
{
    return (void)v, x[0] / sqrt(x[1] * x[2] / x[3]);
}
static double over_root(const double *x, const double *v)
{
    return (void)v, x[0] / sqrt(x[1]);
}
static double relative_rate(const double *x, const double *v)
{
    return x[3] * fmax(v[1], sqrt(x[0] / x[2])) / fmax(1, sqrt(x[1] / x[2]) / v[0]);
}
static double inverse_norm(const double *x, const double *v)
{
    return (void)v, 1 / (sqrt(x[0]) + 1e-7);
}
static double mix(const double *x, const double *v)
{
    return v[0] * x[0] + v[1] * x[1];
}
static double finite_of(const double *x, const double *v)
{
    return (void)v, isfinite(x[0]) ? 1 : 0;
}
static double select_by(const double *x, const double *v)
{
    return (void)v, x[0] > 0 ? x[1] : x[2];
}
static double next_scale(const double *x, const double *v)
{
    return x[0] > 0 ? (x[2] + 1 < v[0] ? 1 : 2) * x[1] : fmax(x[1] / 2, 1);
}
static double next_count(const double *x, const double *v)
{
    return x[0] > 0 && x[1] + 1 < v[0] ? x[1] + 1 : 0;
}
static double decayed_sgd(const double *x, const double *v)
{
    return x[0] - x[2] * (x[1] + v[0] * x[0]);
}

static double is_below(const double *x, const double *v)
{
    return x[0] < v[0];
}

static double is_equal(const double *x, const double *v)
{
    return (void)v, x[0] == x[1];
}
static double where_equal(const double *x, const double *v)
{
    return (void)v, x[1] == x[2] ? x[0] : 0;
}

static void row_mean(int n, double x[][MAX_ROW], const double *v, double *y)
{
    (void)v;
    y[0] = 0;
    for (int i = 0; i < n; i++)
        y[0] += x[0][i] / n;
}

static void row_rstd(int n, double x[][MAX_ROW], const double *v, double *y)
{
    double variance = 0;
    for (int i = 0; i < n; i++)
        variance += pow(x[0][i] - x[1][0], 2) / n;
    y[0] = 1 / sqrt(variance + v[0]);
}

static void norm_bwd(int n, double x[][MAX_ROW], const double *v, double *y)
{
    double sum = 0, sum_x = 0;
    (void)v;
    for (int i = 0; i < n; i++) {
        double g = x[3][i] * x[4][i];
        sum += g / n;
        sum_x += g * (x[0][i] - x[1][i]) * x[2][i] / n;
    }
    for (int i = 0; i < n; i++)
        y[i] = x[2][i] * (x[3][i] * x[4][i] - sum - (x[0][i] - x[1][i]) * x[2][i] * sum_x);
}

static void row_rrms(int n, double x[][MAX_ROW], const double *v, double *y)
{
    double squares = 0;
    for (int i = 0; i < n; i++)
        squares += x[0][i] * x[0][i];
    y[0] = pow(squares / n + v[0], -0.5);
}

static void rms_norm_bwd(int n, double x[][MAX_ROW], const double *v, double *y)
{
    double sum = 0;
    (void)v;
    for (int i = 0; i < n; i++)
        sum += x[0][i] * x[2][i] * x[3][i] / n;
    for (int i = 0; i < n; i++)
        y[i] = x[1][i] * x[2][i] * x[3][i] - pow(x[1][i], 3) * x[0][i] * sum;
}

static void rotate(int n, double x[][MAX_ROW], const double *v, double *y)
{
    (void)v;
    for (int i = 0; i < n; i++)
        y[i] = x[0][i] * x[1][i] + x[0][(i + n / 2) % n] * x[2][i];
}

static void rotate_bwd(int n, double x[][MAX_ROW], const double *v, double *y)
{
    (void)v;
    for (int i = 0; i < n; i++)
        y[i] = x[0][i] * x[1][i] + x[0][(i + n / 2) % n] * x[2][(i + n / 2) % n];
}

static void softmax_of(int n, const double *logits, double *y)
{
    double most = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, logits[i]);
    for (int i = 0; i < n; i++)
        sum += exp(logits[i] - most);
    for (int i = 0; i < n; i++)
        y[i] = exp(logits[i] - most) / sum;
}

static void softmax(int n, double x[][MAX_ROW], const double *v, double *y)
{
    double logits[MAX_ROW];
    for (int i = 0; i < n; i++)
        logits[i] = v[0] * x[0][i];
    softmax_of(n, logits, y);
}

static void causal_softmax(int n, double x[][MAX_ROW], const double *v, double *y)
{
    double logits[MAX_ROW];
    for (int i = 0; i < n; i++)
        logits[i] = x[2][i] <= x[1][i] ? v[0] * x[0][i] : -INFINITY;
    softmax_of(n, logits, y);
}

static void softmax_bwd(int n, double x[][MAX_ROW], const double *v, double *y)
{
    double dot = 0;
    for (int i = 0; i < n; i++)
        dot += x[0][i] * x[1][i];
    for (int i = 0; i < n; i++)
        y[i] = v[0] * x[0][i] * (x[1][i] - dot);
}

static void log_sum_exp(int n, double x[][MAX_ROW], const double *v, double *y)
{
    double sum = 0;
    (void)v;
    for (int i = 0; i < n; i++)
        sum += exp(x[0][i]);
    y[0] = log(sum);
}

static void log_sum_exp_bwd(int n, double x[][MAX_ROW], const double *v, double *y)
{
    (void)v;
    softmax_of(n, x[0], y);
    for (int i = 0; i < n; i++)
        y[i] *= x[1][0];
}

static void row_max(int n, double x[][MAX_ROW], const double *v, double *y)
{
    (void)v;
    y[0] = x[0][0];
    for (int i = 1; i < n; i++)
        y[0] = fmax(y[0], x[0][i]);
}

static double exp_sum(const double *x, const double *v)
{
    return (void)v, exp(x[0] - x[1]);
}
static double pick(const double *x, const double *v)
{
    return (void)v, x[1] == x[2] ? x[0] : 0;
}
static double log_loss(const double *x, const double *v)
{
    return (void)v, log(x[1]) + x[0] - x[2];
}
static double log_loss_bwd(const double *x, const double *v)
{
    return (void)v, x[5] * (exp(x[0] - x[1]) / x[2] - (x[3] == x[4] ? 1 : 0));
}

static double dropout_mask(const double *x, const double *v)
{
    uint32_t word = (uint32_t)v[1];
    for (int i = 0; i < 7; i++)
        word = random_mix(word, (uint32_t)(int32_t)x[i]);
    return word / 0x1p32 < v[0] ? 0 : 1 / (1 - v[0]);
}

static double index_word(const double *x, const double *v)
{
    return (void)v, random_mix((uint32_t)(int32_t)x[0], (uint32_t)(int32_t)x[1]);
}

#endif
