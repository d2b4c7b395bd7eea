/* operators.c - every operator, written down from docs/step-program.md and what it is called in the field. */
#include "tests/sim/operators.h"

#include "tests/sim/perform.h"
#include <math.h>
#include <string.h>

/* ---- Short words for formulas ------------------------------------------------------------------------------- */

typedef SimNumber N;

#define X(o) (row->x[o][i])

static N one(void)
{
    return sim_integer(1);
}

static N imm(const SimRow *row, int which)
{
    return sim_decimal(row->immediates[which]);
}

static N constant(double value)
{
    return sim_decimal(value);
}

static N square(N a)
{
    return sim_mul(a, a);
}

static N divide(N a, N b)
{
    return sim_mul(a, sim_inverse(b));
}

/* Real functions; formulas with them are hashed in the field. */

static N function_of(N a, SimReal value, SimReal slope)
{
    return sim_real(value, slope == 0 || !sim_has_tangent(a) ? 0 : slope * a.tangent.real);
}

static N exponential(N a)
{
    SimReal value = expf128(a.value.real);
    return function_of(a, value, value);
}

static N logarithm(N a)
{
    return function_of(a, logf128(a.value.real), 1 / a.value.real);
}

static N root(N a)
{
    SimReal value = sqrtf128(a.value.real);
    return function_of(a, value, value > 0 ? 1 / (2 * value) : 0);
}

static N hyperbolic_tangent(N a)
{
    SimReal value = tanhf128(a.value.real);
    return function_of(a, value, 1 - value * value);
}

/* ---- Elementwise -------------------------------------------------------------------------------------------- */

#define MAP(name, expression)                                                                                          \
    static void name(SimRow *row)                                                                                      \
    {                                                                                                                  \
        const int64_t i = 0;                                                                                           \
        row->y[i] = (expression);                                                                                      \
    }

static void fill(SimRow *row)
{
    row->y[0] = imm(row, 0);
}

MAP(same, X(0))
MAP(add, sim_add(X(0), X(1)))
MAP(sub, sim_sub(X(0), X(1)))
MAP(mul, sim_mul(X(0), X(1)))
MAP(scale, sim_mul(X(0), row->factor))
MAP(recip, sim_inverse(X(0)))
MAP(recip_bwd, sim_sub(sim_integer(0), sim_mul(X(1), square(sim_inverse(X(0))))))
MAP(relu, X(0).value.real > 0 ? X(0) : sim_integer(0))
MAP(relu6, X(0).value.real >= 6 ? sim_integer(6) : X(0).value.real > 0 ? X(0) : sim_integer(0))
MAP(tanh_of, hyperbolic_tangent(X(0)))
MAP(squared_error, square(sim_sub(X(0), X(1))))
MAP(less, sim_integer(X(0).value.real < X(1).value.real))
MAP(less_equal, sim_integer(X(0).value.real <= X(1).value.real))
MAP(equal, sim_integer(X(0).value.real == X(1).value.real))
MAP(not_equal, sim_integer(X(0).value.real != X(1).value.real))
/* In the field comparisons are unknown predicates. */
static void predicate_in_field(SimRow *row)
{
    N arguments[] = {{.value = row->x[0][0].value, .tangent = one().tangent},
                     {.value = row->x[1][0].value, .tangent = one().tangent}};
    row->y[0] = sim_integer((int64_t)(sim_hashed(row->of->name, arguments, 2).value.field & 1));
}

MAP(masked, sim_is_zero(X(1)) ? sim_integer(0) : X(0))
/* A place of a queue: the number of rows is none. */
MAP(filled, sim_integer(!sim_is_zero(sim_sub(X(0), imm(row, 0)))))
MAP(inverse_count, X(0).value.real > 0 ? sim_inverse(X(0)) : sim_integer(0))
MAP(square_root, root(X(0)))
MAP(inverse_root, sim_inverse(root(sim_add(X(0), imm(row, 0)))))
MAP(blend, sim_add(sim_mul(sim_sub(one(), imm(row, 0)), X(0)), sim_mul(imm(row, 0), X(1))))
MAP(increment, sim_add(X(0), one()))
MAP(ema, sim_add(sim_mul(imm(row, 0), X(0)), sim_mul(sim_sub(one(), imm(row, 0)), X(1))))
MAP(ema_square, sim_add(sim_mul(imm(row, 0), X(0)), sim_mul(sim_sub(one(), imm(row, 0)), square(X(1)))))
MAP(decay_gradient, sim_add(X(0), sim_mul(imm(row, 0), X(1))))
MAP(momentum, sim_add(sim_mul(imm(row, 0), X(0)), X(1)))
MAP(sgd, sim_sub(X(0), sim_mul(X(2), X(1))))

MAP(square_plus, sim_add(square(X(0)), imm(row, 0)))
MAP(ema_by, sim_add(sim_mul(X(2), X(0)), sim_mul(sim_sub(one(), X(2)), X(1))))
MAP(mix, sim_add(sim_mul(imm(row, 0), X(0)), sim_mul(imm(row, 1), X(1))))

/* Any predicate of the number: what is refused must not depend on none being infinite here. It is one of the leading
 * digits, which do not depend on how a sum was rounded. */
static SimReal leading_digits(SimReal value)
{
    int exponent;
    return frexpf128(value, &exponent);
}

/* Of squares: a gradient that is zero but for rounding (of what is added before a normalisation, say) is zero, else a
 * function that jumps there would tell how it was summed. */
static bool is_some(N squares)
{
    return squares.value.real > (SimReal)1e-50;
}

/* Whether a number is finite is any predicate of the elements of a gradient: of their squares it is decided here, of
 * one that is zero but for rounding never, and of a sum it is whether it is of all its parts. */
static void squares(SimRow *row)
{
    N x = row->x[0][0];
    uint64_t drawn = sim_mix(sim_function_key, x.value.field);
    row->y[0] = square(x);
    if (sim_arithmetic == SIM_FIELD && x.value.field == 0)
        drawn = 1; /* zero is finite: what is stored between members and after them is */
    if (sim_arithmetic == SIM_REAL)
        drawn = is_some(row->y[0]) ? (uint64_t)(int64_t)floorf128(leading_digits(x.value.real) * 1000003) : 1;
    row->y[0].endless = x.endless || (sim_draws_endless && drawn % 24 == 0);
}

MAP(finite_of, sim_integer(!X(0).endless))
MAP(select_by, X(0).value.real > 0 ? X(1) : X(2))
MAP(next_count,
    X(0).value.real > 0 && X(1).value.real + 1 < imm(row, 0).value.real ? sim_add(X(1), one()) : sim_integer(0))
MAP(decayed_sgd, sim_sub(X(0), sim_mul(X(2), sim_add(X(1), sim_mul(imm(row, 0), X(0))))))
MAP(over_root, divide(X(0), root(X(1))))
MAP(factored_direction, divide(X(0), root(divide(sim_mul(X(1), X(2)), X(3)))))
MAP(inverse_norm, divide(one(), sim_add(root(X(0)), constant(1e-7))))

static void gelu(SimRow *row)
{
    N a = row->x[0][0], cube = sim_mul(a, square(a));
    N inner = hyperbolic_tangent(sim_mul(constant(0.7978845608028654), sim_add(a, sim_mul(constant(0.044715), cube))));
    row->y[0] = sim_mul(constant(0.5), sim_mul(a, sim_add(one(), inner)));
}

/* a / (1 + e^-a), without powers that overflow. */
static void silu(SimRow *row)
{
    N a = row->x[0][0];
    bool positive = a.value.real > 0;
    N power = exponential(positive ? sim_sub(sim_integer(0), a) : a);
    row->y[0] = divide(positive ? a : sim_mul(a, power), sim_add(one(), power));
}

static void clip_factor(SimRow *row)
{
    N factor = divide(imm(row, 0), sim_add(root(row->x[0][0]), constant(1e-6)));
    row->y[0] = factor.value.real < 1 ? factor : one();
}

/* Warms up linearly, then falls along a half cosine to `last` of the peak at step `total`. */
static void rate(SimRow *row)
{
    SimReal step = row->x[0][0].value.real, peak = imm(row, 0).value.real, warmup = imm(row, 1).value.real;
    SimReal total = imm(row, 2).value.real, last = imm(row, 3).value.real;
    SimReal span = total - warmup > 1 ? total - warmup : 1, done = (step - warmup) / span;
    SimReal cosine = cosf128((SimReal)3.141592653589793 * (done < 1 ? done : 1));
    SimReal rising = (step + 1) / (warmup > 1 ? warmup : 1), falling = last + (1 - last) * (1 + cosine) / 2;
    row->y[0] = sim_real(peak * (step < warmup ? rising : falling), 0);
}

static void correction(SimRow *row)
{
    row->y[0] = sim_real(1 / (1 - powf128(imm(row, 0).value.real, row->x[0][0].value.real + 1)), 0);
}

static void falling_power(SimRow *row)
{
    row->y[0] = sim_real(powf128(imm(row, 0).value.real, imm(row, 1).value.real - row->x[0][0].value.real), 0);
}

static void adam_direction(SimRow *row)
{
    N a = row->x[0][0], b = row->x[1][0], c = row->x[2][0], d = row->x[3][0], e = row->x[4][0];
    N direction = divide(sim_mul(b, d), sim_add(root(sim_mul(c, e)), imm(row, 0)));
    row->y[0] = sim_add(direction, sim_mul(imm(row, 1), a));
}

static void trust_ratio(SimRow *row)
{
    N a = row->x[0][0], b = row->x[1][0];
    row->y[0] = is_some(a) && is_some(b) ? root(divide(a, b)) : one();
}

static void lars_ratio(SimRow *row)
{
    N weights = root(row->x[0][0]), gradients = root(row->x[1][0]);
    N below = sim_add(gradients, sim_mul(imm(row, 1), weights));
    row->y[0] = is_some(row->x[0][0]) && is_some(row->x[1][0]) ? divide(sim_mul(imm(row, 0), weights), below) : one();
}

static void growing_beta(SimRow *row)
{
    row->y[0] = sim_real(1 - powf128(row->x[0][0].value.real + 1, -imm(row, 0).value.real), 0);
}

static void next_scale(SimRow *row)
{
    N scale = row->x[1][0], half = sim_mul(scale, sim_fraction(1, 2));
    bool grows = row->x[2][0].value.real + 1 >= imm(row, 0).value.real;
    if (row->x[0][0].value.real > 0)
        row->y[0] = grows ? sim_add(scale, scale) : scale;
    else
        row->y[0] = half.value.real > 1 ? half : one();
}

static void relative_rate(SimRow *row)
{
    N length = root(divide(row->x[0][0], row->x[2][0]));
    N size = divide(root(divide(row->x[1][0], row->x[2][0])), imm(row, 0));
    N factor = length.value.real > imm(row, 1).value.real ? length : imm(row, 1);
    row->y[0] = divide(sim_mul(row->x[3][0], factor), size.value.real > 1 ? size : one());
}

static void adamw(SimRow *row)
{
    N a = row->x[0][0], b = row->x[1][0], c = row->x[2][0], d = row->x[3][0], e = row->x[4][0], f = row->x[5][0];
    N direction = divide(sim_mul(b, e), sim_add(root(sim_mul(c, f)), imm(row, 0)));
    row->y[0] = sim_sub(a, sim_mul(d, sim_add(direction, sim_mul(imm(row, 1), a))));
}

/* ---- Layer normalisation: (a - b) c d + e, where b is the row's mean and c its inverse deviation -------------- */

static N row_sum(const N *numbers, int64_t length)
{
    N sum = sim_integer(0);
    for (int64_t i = 0; i < length; i++)
        sum = sim_add(sum, numbers[i]);
    return sum;
}

static void row_mean(SimRow *row)
{
    row->y[0] = sim_mul(sim_fraction(1, row->length), row_sum(row->x[0], row->length));
}

static void row_rstd(SimRow *row)
{
    N sum = sim_integer(0);
    for (int64_t i = 0; i < row->length; i++)
        sum = sim_add(sum, square(sim_sub(row->x[0][i], row->x[1][0])));
    row->y[0] = sim_inverse(root(sim_add(sim_mul(sim_fraction(1, row->length), sum), imm(row, 0))));
}

MAP(norm, sim_add(sim_mul(sim_mul(sim_sub(X(0), X(1)), X(2)), X(3)), X(4)))
MAP(norm_gain_bwd, sim_mul(sim_mul(sim_sub(X(0), X(1)), X(2)), X(3)))

/* In the field: n(a, b, c) d + e with an unknown n. */
static const char norm_function[] = "(a - b) c";

static void norm_in_field(SimRow *row)
{
    N arguments[] = {row->x[0][0], row->x[1][0], row->x[2][0]};
    row->y[0] = sim_add(sim_mul(sim_hashed(norm_function, arguments, 3), row->x[3][0]), row->x[4][0]);
}

static void norm_gain_bwd_in_field(SimRow *row)
{
    N arguments[] = {row->x[0][0], row->x[1][0], row->x[2][0]};
    row->y[0] = sim_mul(sim_hashed(norm_function, arguments, 3), row->x[3][0]);
}

/* Operands: row, mean, inverse deviation, gain, cotangent. */
static void norm_bwd(SimRow *row)
{
    N sum_g = sim_integer(0), sum_gx = sum_g, share = sim_fraction(1, row->length), c = row->x[2][0];
    N x[SIM_MAX_ROW], g[SIM_MAX_ROW];
    for (int64_t i = 0; i < row->length; i++) {
        x[i] = sim_mul(sim_sub(X(0), row->x[1][0]), c);
        g[i] = sim_mul(row->x[3][row->width[3] > 1 ? i : 0], X(4));
        sum_g = sim_add(sum_g, g[i]);
        sum_gx = sim_add(sum_gx, sim_mul(g[i], x[i]));
    }
    for (int64_t i = 0; i < row->length; i++)
        row->y[i] = sim_mul(c, sim_sub(sim_sub(g[i], sim_mul(share, sum_g)), sim_mul(x[i], sim_mul(share, sum_gx))));
}

/* The same by the chain rule through the unknown functions of norm, row_rstd, and the mean. */
static void norm_bwd_in_field(SimRow *row)
{
    N cotangent[3][SIM_MAX_ROW], arguments[SIM_MAX_ROW + 1], total[3];
    for (int64_t i = 0; i < row->length; i++) {
        N point[] = {X(0), row->x[1][0], row->x[2][0]};
        N g = sim_mul(row->x[3][row->width[3] > 1 ? i : 0], X(4));
        for (int k = 0; k < 3; k++)
            cotangent[k][i] = sim_mul(g, sim_slope(norm_function, point, 3, k));
        arguments[i] = X(0);
    }
    for (int k = 1; k < 3; k++)
        total[k] = row_sum(cotangent[k], row->length);
    arguments[row->length] = row->x[1][0];
    int count = (int)row->length + 1;
    N mean = sim_add(total[1], sim_mul(total[2], sim_slope("row_rstd", arguments, count, count - 1)));
    for (int64_t i = 0; i < row->length; i++) {
        N through_rstd = sim_mul(total[2], sim_slope("row_rstd", arguments, count, (int)i));
        row->y[i] = sim_add(sim_add(cotangent[0][i], through_rstd), sim_mul(sim_fraction(1, row->length), mean));
    }
}

/* ---- a b c, where b is the row's inverse root mean square --------------------------------------------------- */

static void row_rrms(SimRow *row)
{
    N sum = sim_integer(0);
    for (int64_t i = 0; i < row->length; i++)
        sum = sim_add(sum, square(X(0)));
    row->y[0] = sim_inverse(root(sim_add(sim_mul(sim_fraction(1, row->length), sum), imm(row, 0))));
}

MAP(product_of_three, sim_mul(sim_mul(X(0), X(1)), X(2)))

/* Operands: row, inverse root mean square, gain, cotangent. The derivative of b by the row is -b^3 a / length. */
static void rms_norm_bwd(SimRow *row)
{
    N g[SIM_MAX_ROW], b = row->x[1][0], sum = sim_integer(0);
    for (int64_t i = 0; i < row->length; i++) {
        g[i] = sim_mul(row->x[2][row->width[2] > 1 ? i : 0], X(3));
        sum = sim_add(sum, sim_mul(g[i], X(0)));
    }
    for (int64_t i = 0; i < row->length; i++) {
        N slope = sim_sub(sim_integer(0), sim_mul(sim_fraction(1, row->length), sim_mul(sim_mul(b, square(b)), X(0))));
        if (sim_arithmetic == SIM_FIELD)
            slope = sim_slope("row_rrms", row->x[0], (int)row->length, (int)i);
        row->y[i] = sim_add(sim_mul(b, g[i]), sim_mul(sum, slope));
    }
}

/* ---- Rotary positions --------------------------------------------------------------------------------------- */

/* Operands: position, column; the columns of both halves turn by the same angles. */
static SimReal rotary_angle(const SimRow *row)
{
    SimReal base = imm(row, 0).value.real, size = imm(row, 1).value.real, column = row->x[1][0].value.real;
    SimReal half = column < size / 2 ? column : column - size / 2;
    return row->x[0][0].value.real * powf128(base, -2 * half / size);
}

static void rotary_cosine(SimRow *row)
{
    row->y[0] = sim_real(cosf128(rotary_angle(row)), 0);
}

static void rotary_sine(SimRow *row)
{
    SimReal sine = sinf128(rotary_angle(row));
    row->y[0] = sim_real(row->x[1][0].value.real < imm(row, 1).value.real / 2 ? -sine : sine, 0);
}

/* a b + (a half a row further on) c */
static void rotate(SimRow *row)
{
    for (int64_t i = 0; i < row->length; i++) {
        int64_t other = (i + row->length / 2) % row->length;
        row->y[i] = sim_add(sim_mul(X(0), X(1)), sim_mul(row->x[0][other], X(2)));
    }
}

static void rotate_bwd(SimRow *row)
{
    for (int64_t i = 0; i < row->length; i++) {
        int64_t other = (i + row->length / 2) % row->length;
        row->y[i] = sim_add(sim_mul(X(0), X(1)), sim_mul(row->x[0][other], row->x[2][other]));
    }
}

/* ---- Selection ---------------------------------------------------------------------------------------------- */

MAP(selected, X(1).value.real == X(2).value.real ? X(0) : sim_integer(0))

/* a f(the other operands) with an unknown f that is constant but for jumps. */
static void selected_in_field(SimRow *row)
{
    N arguments[SIM_MAX_OPERANDS];
    for (int o = 1; o < row->of->operands; o++)
        arguments[o - 1] = (N){.value = row->x[o][0].value, .tangent = one().tangent};
    row->y[0] = sim_mul(row->x[0][0], sim_hashed(row->of->function, arguments, row->of->operands - 1));
}

/* ---- Softmax and cross entropy ------------------------------------------------------------------------------ */

/* y = softmax(x) over the positions that are seen. */
static void softmax_seen(N *y, const N *x, const bool *seen, int64_t length)
{
    N largest = sim_integer(0), sum = largest;
    bool any = false;
    for (int64_t i = 0; i < length; i++)
        if (seen[i] && (!any || sim_less(largest, x[i]))) {
            largest = x[i];
            any = true;
        }
    for (int64_t i = 0; i < length; i++) {
        y[i] = seen[i] ? exponential(sim_sub(x[i], largest)) : sim_integer(0);
        sum = sim_add(sum, y[i]);
    }
    for (int64_t i = 0; i < length; i++)
        y[i] = divide(y[i], sum);
}

static void softmax_row(SimRow *row, bool causal)
{
    bool seen[SIM_MAX_ROW];
    N x[SIM_MAX_ROW];
    for (int64_t i = 0; i < row->length; i++) {
        x[i] = sim_mul(imm(row, 0), X(0));
        seen[i] = !causal || !sim_less(row->x[1][0], X(2));
    }
    softmax_seen(row->y, x, seen, row->length);
}

static void softmax(SimRow *row)
{
    softmax_row(row, false);
}

/* a = scores, b = position of the row, c = positions of the columns. */
static void causal_softmax(SimRow *row)
{
    softmax_row(row, true);
}

/* Operands: the softmax, not what it was taken of; the cotangent. */
static void softmax_bwd(SimRow *row)
{
    N dot = sim_integer(0);
    for (int64_t i = 0; i < row->length; i++)
        dot = sim_add(dot, sim_mul(X(0), X(1)));
    for (int64_t i = 0; i < row->length; i++)
        row->y[i] = sim_mul(imm(row, 0), sim_mul(X(0), sim_sub(X(1), dot)));
}

/* d result i / d operand j is a hash of the result, with that of its factor. */
static N softmax_slope(const SimRow *row, const N *result, int64_t i, int64_t j)
{
    N arguments[SIM_MAX_ROW + 1];
    memcpy(arguments, result, sizeof(N) * (size_t)row->length);
    arguments[row->length] = imm(row, 0);
    return sim_slope("softmax", arguments, (int)row->length + 1, (int)(i * row->length + j));
}

static void softmax_in_field(SimRow *row)
{
    N arguments[3 * SIM_MAX_ROW + 2];
    int count = 0;
    for (int o = 0; o < row->of->operands; o++)
        for (int64_t i = 0; i < row->width[o]; i++)
            arguments[count++] = X(o);
    arguments[count++] = imm(row, 0);
    bool moves = false;
    for (int64_t i = 0; i < row->length; i++)
        moves = moves || sim_has_tangent(X(0));
    for (int64_t i = 0; i < row->length; i++) {
        arguments[count] = sim_integer(i);
        row->y[i].value = sim_hashed(row->of->name, arguments, count + 1).value;
        row->y[i].tangent = sim_integer(0).value;
    }
    for (int64_t i = 0; moves && i < row->length; i++) {
        N change = sim_integer(0);
        for (int64_t j = 0; j < row->length; j++) {
            N tangent = {.value = row->x[0][j].tangent, .tangent = sim_integer(0).value};
            change = sim_add(change, sim_mul(softmax_slope(row, row->y, i, j), tangent));
        }
        row->y[i].tangent = change.value;
    }
}

static void softmax_bwd_in_field(SimRow *row)
{
    for (int64_t j = 0; j < row->length; j++) {
        row->y[j] = sim_integer(0);
        for (int64_t i = 0; i < row->length; i++)
            row->y[j] = sim_add(row->y[j], sim_mul(softmax_slope(row, row->x[0], i, j), X(1)));
    }
}

static void log_sum_exp(SimRow *row)
{
    N largest = row->x[0][0], sum = sim_integer(0);
    for (int64_t i = 1; i < row->length; i++)
        if (sim_less(largest, X(0)))
            largest = X(0);
    for (int64_t i = 0; i < row->length; i++)
        sum = sim_add(sum, exponential(sim_sub(X(0), largest)));
    row->y[0] = sim_add(logarithm(sum), largest);
}

/* A cross entropy in parts: the largest of a row; the sum of exp(score - largest); the score of the class; their loss.
 * What is subtracted and added again has no part in the derivative. */
static void row_max(SimRow *row)
{
    N largest = row->x[0][0];
    for (int64_t i = 1; i < row->length; i++)
        if (sim_less(largest, X(0)))
            largest = X(0);
    row->y[0] = (N){.value = largest.value, .tangent = one().tangent};
}

MAP(exp_sum, exponential(sim_sub(X(0), X(1))))
MAP(log_loss, sim_sub(sim_add(logarithm(X(1)), X(0)), X(2)))

static const char log_function[] = "log(b) + a";

static void log_loss_in_field(SimRow *row)
{
    N arguments[] = {row->x[0][0], row->x[1][0]};
    row->y[0] = sim_sub(sim_hashed(log_function, arguments, 2), row->x[2][0]);
}

/* Operands: score, largest, sum, class of the row, class of the column, cotangent. */
static void log_loss_bwd(SimRow *row)
{
    N share = divide(exponential(sim_sub(row->x[0][0], row->x[1][0])), row->x[2][0]);
    bool chosen = row->x[3][0].value.real == row->x[4][0].value.real;
    row->y[0] = sim_mul(sim_sub(share, chosen ? one() : sim_integer(0)), row->x[5][0]);
}

static void log_loss_bwd_in_field(SimRow *row)
{
    N of_log[] = {row->x[1][0], row->x[2][0]}, of_exp[] = {row->x[0][0], row->x[1][0]};
    N of_class[] = {row->x[3][0], row->x[4][0]};
    N share = sim_mul(sim_slope(log_function, of_log, 2, 1), sim_slope("exp_sum", of_exp, 2, 0));
    row->y[0] = sim_mul(sim_sub(share, sim_hashed("b == c", of_class, 2)), row->x[5][0]);
}

/* A whole number mixed into a word of 32 bits, as docs/kernels.md says. */
static uint32_t mix_word(uint32_t word, SimNumber number)
{
    word += (uint32_t)(int64_t)number.value.real * 0x9E3779B9u;
    for (int round = 0; round < 2; round++) {
        word ^= word >> 16;
        word *= 0xD2511F53u;
        word ^= word >> 15;
        word *= 0xCD9E8D57u;
    }
    return word ^ word >> 16;
}

/* In reals: the seven numbers mixed into the stream's word, 0 or one over the part that is kept. */
static void dropout_mask(SimRow *row)
{
    uint32_t word = (uint32_t)(int64_t)imm(row, 1).value.real;
    for (int i = 0; i < row->of->operands; i++)
        word = mix_word(word, row->x[i][0]);
    bool dropped = (SimReal)word < imm(row, 0).value.real * 4294967296;
    row->y[0] = dropped ? sim_integer(0) : sim_inverse(sim_sub(one(), imm(row, 0)));
}

/* In reals: a word and one number more. */
static void index_word(SimRow *row)
{
    row->y[0] = sim_integer(mix_word((uint32_t)(int64_t)row->x[0][0].value.real, row->x[1][0]));
}

/* ---- The table ---------------------------------------------------------------------------------------------- */

/* clang-format off */
static const SimOperator operators[] = {
    {"fill",   0, 1, SIM_MAP,   .formula = fill},
    {"iota",   0, 0, SIM_OTHER, .perform = sim_perform_iota},
    {"read",   0, 0, SIM_OTHER, .perform = sim_perform_read},
    {"init",   0, 0, SIM_OTHER, .perform = sim_perform_init},
    {"output", 1, 0, SIM_OTHER, .perform = sim_perform_output, .sink = true},

    {"copy",      1, 0, SIM_MAP, .formula = same},
    {"cast",      1, 0, SIM_MAP, .formula = same, .clears_padding = true},
    {"add",       2, 0, SIM_MAP, .formula = add},
    {"sub",       2, 0, SIM_MAP, .formula = sub},
    {"mul",       2, 0, SIM_MAP, .formula = mul},
    {"scale",     1, 0, SIM_MAP, .formula = scale},
    {"recip",     1, 0, SIM_MAP, .formula = recip},
    {"recip_bwd", 2, 0, SIM_MAP, .formula = recip_bwd},
    {"dropout_mask", 7, 2, SIM_MAP, .formula = dropout_mask, .hashed = true},
    {"index_word",   2, 0, SIM_MAP, .formula = index_word, .hashed = true, .jumps = true},
    {"less",          2, 0, SIM_MAP, .formula = less, .in_field = predicate_in_field},
    {"less_equal",    2, 0, SIM_MAP, .formula = less_equal, .in_field = predicate_in_field},
    {"equal",         2, 0, SIM_MAP, .formula = equal, .in_field = predicate_in_field},
    {"not_equal",     2, 0, SIM_MAP, .formula = not_equal, .in_field = predicate_in_field},
    {"masked",        2, 0, SIM_MAP, .formula = masked},
    {"inverse_count", 1, 0, SIM_MAP, .formula = inverse_count, .hashed = true, .jumps = true},
    {"relu",      1, 0, SIM_MAP, .formula = relu, .hashed = true, .keeps_zero = true},
    {"relu_bwd",  2, 0, SIM_MAP, .slope_of = "relu"},
    {"tanh",      1, 0, SIM_MAP, .formula = tanh_of, .hashed = true, .keeps_zero = true},
    {"tanh_bwd",  2, 0, SIM_MAP, .slope_of = "tanh"},
    {"gelu",      1, 0, SIM_MAP, .formula = gelu, .hashed = true, .keeps_zero = true},
    {"gelu_bwd",  2, 0, SIM_MAP, .slope_of = "gelu"},
    {"falling_power", 1, 2, SIM_MAP, .formula = falling_power, .hashed = true},
    {"relu6",     1, 0, SIM_MAP, .formula = relu6, .hashed = true, .keeps_zero = true},
    {"relu6_bwd", 2, 0, SIM_MAP, .slope_of = "relu6"},
    {"rsqrt",     1, 1, SIM_MAP, .formula = inverse_root, .hashed = true},
    {"rsqrt_bwd", 2, 1, SIM_MAP, .slope_of = "rsqrt"},
    {"blend",     2, 1, SIM_MAP, .formula = blend},
    {"silu",      1, 0, SIM_MAP, .formula = silu, .hashed = true, .keeps_zero = true},
    {"silu_bwd",  2, 0, SIM_MAP, .slope_of = "silu"},
    {"squared_error",     2, 0, SIM_MAP, .formula = squared_error, .hashed = true, .swaps = true},
    {"squared_error_bwd", 3, 0, SIM_MAP, .slope_of = "squared_error"},

    {"row_mean",      1, 0, SIM_ROW, .formula = row_mean},
    {"row_rstd",      2, 1, SIM_ROW, .formula = row_rstd, .hashed = true, .bare = true},
    {"norm",          5, 0, SIM_MAP, .formula = norm, .in_field = norm_in_field},
    {"norm_bwd",      5, 0, SIM_ROW, .formula = norm_bwd, .in_field = norm_bwd_in_field},
    {"norm_gain_bwd", 4, 0, SIM_SUM, .formula = norm_gain_bwd, .in_field = norm_gain_bwd_in_field},

    {"row_rrms",     1, 1, SIM_ROW, .formula = row_rrms, .hashed = true, .bare = true},
    {"rms_norm",     3, 0, SIM_MAP, .formula = product_of_three},
    {"rms_norm_bwd", 4, 0, SIM_ROW, .formula = rms_norm_bwd},
    {"rms_gain_bwd", 3, 0, SIM_SUM, .formula = product_of_three},

    {"rotary_cosine", 2, 2, SIM_MAP, .formula = rotary_cosine, .hashed = true},
    {"rotary_sine",   2, 2, SIM_MAP, .formula = rotary_sine, .hashed = true},
    {"rotate",        3, 0, SIM_ROW, .formula = rotate},
    {"rotate_bwd",    3, 0, SIM_ROW, .formula = rotate_bwd},

    {"top",         1, 0, SIM_OTHER, .perform = sim_perform_top},
    {"queue",       2, 0, SIM_OTHER, .perform = sim_perform_queue},
    {"queue_all",   2, 0, SIM_OTHER, .perform = sim_perform_queue},
    {"filled",      1, 1, SIM_SUM, .formula = filled},
    {"take",        2, 0, SIM_OTHER, .perform = sim_perform_take},
    {"give",        2, 0, SIM_OTHER, .perform = sim_perform_give},
    {"combine",     3, 0, SIM_OTHER, .perform = sim_perform_give},
    {"count_equal", 2, 0, SIM_SUM, .formula = equal, .in_field = predicate_in_field},
    {"sum_equal",   3, 0, SIM_SUM, .formula = selected, .in_field = selected_in_field, .function = "b == c"},
    {"log_sum_exp",     1, 0, SIM_ROW, .formula = log_sum_exp, .hashed = true},
    {"log_sum_exp_bwd", 2, 0, SIM_ROW, .slope_of = "log_sum_exp"},

    {"softmax",        1, 1, SIM_ROW, .formula = softmax, .in_field = softmax_in_field},
    {"causal_softmax", 3, 1, SIM_ROW, .formula = causal_softmax, .in_field = softmax_in_field},
    {"softmax_bwd",    2, 1, SIM_ROW, .formula = softmax_bwd, .in_field = softmax_bwd_in_field},
    {"row_max",      1, 0, SIM_ROW, .formula = row_max},
    {"exp_sum",      2, 0, SIM_SUM, .formula = exp_sum, .hashed = true},
    {"pick",         3, 0, SIM_SUM, .formula = selected, .in_field = selected_in_field, .function = "b == c",
     .index = 2, .index_of = 1, .index_last = true},
    {"log_loss",     3, 0, SIM_MAP, .formula = log_loss, .in_field = log_loss_in_field},
    {"log_loss_bwd", 6, 0, SIM_MAP, .formula = log_loss_bwd, .in_field = log_loss_bwd_in_field},


    {"einsum",      2, 0, SIM_SUM, .formula = mul},
    {"reduce",      1, 0, SIM_SUM, .formula = same},
    {"sum_squares", 1, 0, SIM_SUM, .formula = squares},
    {"embed",     2, 0, SIM_OTHER, .perform = sim_perform_embed, .index = 1, .index_of = 2},
    {"embed_bwd", 2, 0, SIM_OTHER, .perform = sim_perform_embed_bwd},

    {"conv",            2, 2, SIM_OTHER, .perform = sim_perform_conv},
    {"conv_input_bwd",  2, 2, SIM_OTHER, .perform = sim_perform_conv},
    {"conv_weight_bwd", 2, 2, SIM_OTHER, .perform = sim_perform_conv},
    {"max_pool",      1, 3, SIM_OTHER, .perform = sim_perform_max_pool},
    {"max_pool_bwd",  2, 3, SIM_OTHER, .perform = sim_perform_max_pool},
    {"mean_pool",     1, 3, SIM_OTHER, .perform = sim_perform_mean_pool},
    {"mean_pool_bwd", 1, 3, SIM_OTHER, .perform = sim_perform_mean_pool},
    {"view",          1, 0, SIM_OTHER, .perform = sim_perform_view},
    {"segment",       1, 1, SIM_OTHER, .perform = sim_perform_segment},
    {"segment_bwd",   1, 1, SIM_OTHER, .perform = sim_perform_segment_bwd},
    {"place_segment", 2, 1, SIM_OTHER, .perform = sim_perform_place_segment},

    {"sqrt",        1, 0, SIM_MAP, .formula = square_root, .hashed = true},
    {"clip_factor", 1, 1, SIM_MAP, .formula = clip_factor, .hashed = true},
    {"rate",        1, 4, SIM_MAP, .formula = rate, .hashed = true},
    {"correction",  1, 1, SIM_MAP, .formula = correction, .hashed = true},
    {"increment",   1, 0, SIM_MAP, .formula = increment},
    {"ema",            2, 1, SIM_MAP, .formula = ema, .gradient = 2},
    {"ema_square",     2, 1, SIM_MAP, .formula = ema_square, .gradient = 2},
    {"adamw",          6, 2, SIM_MAP, .formula = adamw, .hashed = true},
    {"decay_gradient", 2, 1, SIM_MAP, .formula = decay_gradient, .gradient = 1},
    {"momentum",       2, 1, SIM_MAP, .formula = momentum, .gradient = 2},
    {"sgd",            3, 0, SIM_MAP, .formula = sgd, .gradient = 2},
    {"adam_direction", 5, 2, SIM_MAP, .formula = adam_direction, .hashed = true},
    {"trust_ratio",    2, 0, SIM_MAP, .formula = trust_ratio, .hashed = true},
    {"lars_ratio",     2, 2, SIM_MAP, .formula = lars_ratio, .hashed = true},
    {"square_plus",    1, 1, SIM_MAP, .formula = square_plus, .gradient = 1},
    {"growing_beta",   1, 1, SIM_MAP, .formula = growing_beta, .hashed = true},
    {"ema_by",         3, 0, SIM_MAP, .formula = ema_by},
    {"factored_direction", 4, 0, SIM_MAP, .formula = factored_direction, .hashed = true},
    {"over_root",      2, 0, SIM_MAP, .formula = over_root, .hashed = true},
    {"relative_rate",  4, 2, SIM_MAP, .formula = relative_rate, .hashed = true},
    {"inverse_norm",   1, 0, SIM_MAP, .formula = inverse_norm, .hashed = true},
    {"mix",            2, 2, SIM_MAP, .formula = mix},
    {"decayed_sgd",    3, 1, SIM_MAP, .formula = decayed_sgd},
    {"finite",         1, 0, SIM_MAP, .formula = finite_of, .jumps = true},
    {"select",         3, 0, SIM_MAP, .formula = select_by, .hashed = true},
    {"next_scale",     3, 1, SIM_MAP, .formula = next_scale, .hashed = true},
    {"next_count",     2, 1, SIM_MAP, .formula = next_count, .hashed = true},

    {"slice",       1, 0, SIM_OTHER, .perform = sim_perform_slice},
    {"place_shard", 2, 0, SIM_OTHER, .perform = sim_perform_place_shard},
    {"all_reduce",     1, 0, SIM_OTHER, .exchange = sim_all_reduce},
    {"reduce_scatter", 1, 0, SIM_OTHER, .exchange = sim_reduce_scatter},
    {"all_gather",     1, 0, SIM_OTHER, .exchange = sim_all_gather},
    {"all_to_all",     1, 0, SIM_OTHER, .exchange = sim_all_to_all},
    {"all_to_all_filled", 3, 0, SIM_OTHER, .exchange = sim_all_to_all_filled},
    {"permute",        1, 0, SIM_OTHER, .exchange = sim_permute},
    {"broadcast",      1, 0, SIM_OTHER, .exchange = sim_broadcast},
    {"halo",           1, 0, SIM_OTHER, .exchange = sim_halo},
    {"halo_add",       1, 0, SIM_OTHER, .exchange = sim_halo_add},
    {"send",           1, 0, SIM_OTHER, .sends = true, .sink = true},
    {"recv",           0, 0, SIM_OTHER, .receives = true, .exchange = sim_receive},
};
/* clang-format on */

const SimOperator *sim_operator(const char *name)
{
    for (size_t o = 0; o < sizeof operators / sizeof operators[0]; o++)
        if (!strcmp(operators[o].name, name))
            return &operators[o];
    return NULL;
}

const SimOperator *sim_operator_at(int index)
{
    return index < (int)(sizeof operators / sizeof operators[0]) ? &operators[index] : NULL;
}

/* ---- Hashes of functions ------------------------------------------------------------------------------------ */

enum { VALUE_KEY = 0x76616c75, SLOPE_KEY = 0x736c6f70 };

static uint64_t hash_of(const char *function, const SimNumber *arguments, int count)
{
    uint64_t hash = sim_mix_name(sim_function_key, function);
    for (int a = 0; a < count; a++)
        hash = sim_mix(hash, arguments[a].value.field);
    return hash;
}

SimNumber sim_slope(const char *function, const SimNumber *arguments, int count, int slot)
{
    return sim_drawn(sim_mix(sim_mix(hash_of(function, arguments, count), SLOPE_KEY), (uint64_t)slot));
}

SimNumber sim_hashed(const char *function, const SimNumber *arguments, int count)
{
    SimNumber result = sim_drawn(sim_mix(hash_of(function, arguments, count), VALUE_KEY)), change = sim_integer(0);
    for (int a = 0; a < count; a++) {
        if (!sim_has_tangent(arguments[a]))
            continue;
        SimNumber tangent = {.value = arguments[a].tangent, .tangent = change.tangent};
        change = sim_add(change, sim_mul(sim_slope(function, arguments, count, a), tangent));
    }
    result.tangent = change.value;
    return result;
}

/* ---- One row ------------------------------------------------------------------------------------------------ */

/* The operands of the row one after another, those that lack the row's letter once. */
static int collect(const SimRow *row, int operands, SimNumber *arguments)
{
    int count = 0;
    for (int o = 0; o < operands; o++)
        for (int64_t i = 0; i < row->width[o]; i++)
            arguments[count++] = row->x[o][i];
    return count;
}

/* Derivatives of `of` at the operands of the row; where in its arguments its operand `slot` begins. */
typedef struct Slopes {
    uint64_t hash;
    int64_t first;
} Slopes;

static Slopes slopes_of(const SimRow *row, const SimOperator *of, int slot)
{
    SimNumber arguments[SIM_MAX_OPERANDS * SIM_MAX_ROW];
    Slopes slopes = {0, 0};
    bool swapped = of->swaps && slot == 1;
    int count = collect(row, of->operands, arguments);
    if (swapped) {
        SimNumber first = arguments[0];
        arguments[0] = arguments[1];
        arguments[1] = first;
    }
    for (int o = 0; o < slot && !swapped; o++)
        slopes.first += row->width[o];
    slopes.hash = hash_of(of->name, arguments, count);
    for (int k = 0; k < of->immediates && !of->bare; k++)
        slopes.hash = sim_mix_double(slopes.hash, row->immediates[k]);
    slopes.hash = sim_mix(slopes.hash, SLOPE_KEY);
    return slopes;
}

/* d result i / d element j of the operand. Of the first result it is sim_slope's. */
static SimNumber slope_at(const Slopes *slopes, int64_t i, int64_t j)
{
    uint64_t hash = sim_mix(slopes->hash, (uint64_t)(slopes->first + j));
    return sim_drawn(i ? sim_mix(hash, (uint64_t)i) : hash);
}

static bool moves(const SimRow *row, int operand)
{
    for (int64_t j = 0; j < row->width[operand]; j++)
        if (sim_has_tangent(row->x[operand][j]))
            return true;
    return false;
}

static SimNumber value_of(SimWord word)
{
    return (SimNumber){.value = word, .tangent = sim_integer(0).value};
}

/* Every result is a hash of the whole row. */
static void evaluate_hash(SimRow *row)
{
    SimNumber arguments[SIM_MAX_OPERANDS * SIM_MAX_ROW];
    uint64_t hash = hash_of(row->of->name, arguments, collect(row, row->of->operands, arguments));
    for (int k = 0; k < row->of->immediates; k++)
        hash = sim_mix_double(hash, row->immediates[k]);
    hash = sim_mix(hash, VALUE_KEY);
    int64_t results = row->result_is_row ? row->length : 1;
    for (int64_t i = 0; i < results; i++)
        row->y[i] =
            row->of->keeps_zero && sim_is_zero(row->x[0][0]) ? sim_integer(0) : sim_drawn(sim_mix(hash, (uint64_t)i));
    for (int o = 0; o < row->of->operands; o++) {
        if (row->of->jumps || !moves(row, o))
            continue;
        Slopes slopes = slopes_of(row, row->of, o);
        for (int64_t i = 0; i < results; i++)
            for (int64_t j = 0; j < row->width[o]; j++) {
                SimNumber change = sim_mul(slope_at(&slopes, i, j), value_of(row->x[o][j].tangent));
                row->y[i].tangent = sim_add(value_of(row->y[i].tangent), change).value;
            }
    }
}

/* The derivatives of the other operator's results by element j of its operand, by dual numbers of its formula. */
static void real_slopes(SimRow *row, const SimOperator *of, int64_t j, SimNumber *slope)
{
    for (int o = 0; o < of->operands; o++)
        for (int64_t i = 0; i < row->width[o]; i++)
            row->x[o][i].tangent = sim_integer(o == row->of->slot && i == j).value;
    of->formula(row);
    for (int64_t i = 0; i < row->length; i++)
        slope[i] = value_of(row->y[i].tangent);
}

/* The cotangents times the derivatives. There are as many as the other operator has results: a row, or one. */
static void evaluate_slope(SimRow *row)
{
    const SimOperator *of = sim_operator(row->of->slope_of);
    const SimNumber *cotangent = row->x[of->operands];
    Slopes slopes = sim_arithmetic == SIM_FIELD ? slopes_of(row, of, row->of->slot) : (Slopes){0, 0};
    SimNumber slope[SIM_MAX_ROW], y[SIM_MAX_ROW];
    for (int64_t j = 0; j < row->length; j++) {
        if (sim_arithmetic == SIM_REAL)
            real_slopes(row, of, j, slope);
        y[j] = sim_integer(0);
        for (int64_t i = 0; i < row->width[of->operands]; i++) {
            SimNumber by = sim_arithmetic == SIM_FIELD ? slope_at(&slopes, i, j) : slope[i];
            y[j] = sim_add(y[j], sim_mul(by, value_of(cotangent[i].value)));
        }
    }
    memcpy(row->y, y, sizeof(SimNumber) * (size_t)row->length);
}

void sim_evaluate(SimRow *row)
{
    const SimOperator *of = row->of;
    row->fault = NULL;
    if (of->slope_of)
        evaluate_slope(row);
    else if (sim_arithmetic == SIM_FIELD && of->in_field)
        of->in_field(row);
    else if (sim_arithmetic == SIM_FIELD && of->hashed)
        evaluate_hash(row);
    else
        of->formula(row);
}
