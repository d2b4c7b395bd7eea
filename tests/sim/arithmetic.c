/* arithmetic.c - the operators that compute, on one rank, each written from its documented meaning.
 *
 * Index letters become loops: those of the result first, then those that are summed. Numbers carry a tangent, so that
 * the same loops differentiate the forward model.
 */
#include "tests/sim/machine.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MAX_LETTERS = 12, MAX_ROW = 1024, RESULT = SIM_MAX_OPERANDS };

/* ---- Numbers with a tangent --------------------------------------------------------------------------------- */

static SimNumber num(double value)
{
    return (SimNumber){value, 0};
}

static SimNumber add(SimNumber a, SimNumber b)
{
    return (SimNumber){a.value + b.value, a.tangent + b.tangent};
}

static SimNumber sub(SimNumber a, SimNumber b)
{
    return (SimNumber){a.value - b.value, a.tangent - b.tangent};
}

static SimNumber mul(SimNumber a, SimNumber b)
{
    return (SimNumber){a.value * b.value, a.tangent * b.value + a.value * b.tangent};
}

static SimNumber divide(SimNumber a, SimNumber b)
{
    double quotient = a.value / b.value;
    return (SimNumber){quotient, (a.tangent - quotient * b.tangent) / b.value};
}

static SimNumber scaled(double factor, SimNumber a)
{
    return (SimNumber){factor * a.value, factor * a.tangent};
}

static SimNumber exponential(SimNumber a)
{
    double value = exp(a.value);
    return (SimNumber){value, value * a.tangent};
}

static SimNumber logarithm(SimNumber a)
{
    return (SimNumber){log(a.value), a.tangent / a.value};
}

static SimNumber root(SimNumber a)
{
    double value = sqrt(a.value);
    return (SimNumber){value, value > 0 ? a.tangent / (2 * value) : 0};
}

static SimNumber tanh_of(SimNumber a)
{
    double value = tanh(a.value);
    return (SimNumber){value, (1 - value * value) * a.tangent};
}

static SimNumber square(SimNumber a)
{
    return mul(a, a);
}

/* ---- Index letters ------------------------------------------------------------------------------------------ */

typedef struct Loops {
    int count, result_count; /* letters; the first result_count are the result's */
    char letters[MAX_LETTERS];
    int64_t extents[MAX_LETTERS];
    int64_t strides[SIM_MAX_OPERANDS + 1][MAX_LETTERS];
    int64_t points, summed; /* how many of the result, how many added up for each */
} Loops;

static int loops_letter(Loops *loops, char letter)
{
    for (int l = 0; l < loops->count; l++)
        if (loops->letters[l] == letter)
            return l;
    if (loops->count == MAX_LETTERS)
        return -1;
    loops->letters[loops->count] = letter;
    loops->extents[loops->count] = -1;
    return loops->count++;
}

/* Gives the dims of a view their letters. */
static bool bind_view(SimMachine *machine, const SimOp *op, Loops *loops, int which, const SimView *view,
                      const char *letters, int length)
{
    if (length != view->dim_count) {
        sim_fault(machine, op, "'%s' has %d dims, its index letters are %d", view->buffer->name, view->dim_count,
                  length);
        return false;
    }
    for (int d = 0; d < length; d++) {
        int letter = loops_letter(loops, letters[d]);
        if (letter < 0) {
            sim_fault(machine, op, "too many index letters");
            return false;
        }
        if (loops->extents[letter] >= 0 && loops->extents[letter] != view->extents[d]) {
            sim_fault(machine, op, "'%c' is %" PRId64 " and %" PRId64, letters[d], loops->extents[letter],
                      view->extents[d]);
            return false;
        }
        loops->extents[letter] = view->extents[d];
        loops->strides[which][letter] += view->strides[d];
    }
    return true;
}

/* Without a spec all views have the same dims; those without dims are scalars, the same everywhere. */
static bool bind_flat(SimMachine *machine, const SimOp *op, Loops *loops, const SimView *out,
                      const SimView *const *operands, bool summed)
{
    static const char letters[] = "ABCDEF";
    if (!bind_view(machine, op, loops, RESULT, out, letters, out->dim_count))
        return false;
    if (summed && out->dim_count != 0) {
        sim_fault(machine, op, "a sum over everything is a scalar");
        return false;
    }
    loops->result_count = out->dim_count;
    for (int o = 0; o < op->operand_count; o++)
        if (operands[o]->dim_count > 0 &&
            !bind_view(machine, op, loops, o, operands[o], letters, operands[o]->dim_count))
            return false;
    if (!summed && loops->count > loops->result_count) {
        sim_fault(machine, op, "operand and result have different dims");
        return false;
    }
    return true;
}

static bool bind_spec(SimMachine *machine, const SimOp *op, Loops *loops, const SimView *out,
                      const SimView *const *operands)
{
    const char *arrow = strstr(op->spec, "->");
    const char *result = arrow ? arrow + 2 : op->spec;
    if (!bind_view(machine, op, loops, RESULT, out, result, (int)strlen(result)))
        return false;
    if (loops->count != out->dim_count) {
        sim_fault(machine, op, "the result has a letter twice");
        return false;
    }
    loops->result_count = loops->count;
    if (!arrow) {
        if (op->operand_count)
            sim_fault(machine, op, "no '->' in the index letters");
        return op->operand_count == 0;
    }
    const char *at = op->spec;
    for (int o = 0; o < op->operand_count; o++) {
        int length = (int)strcspn(at, ",-");
        if (!bind_view(machine, op, loops, o, operands[o], at, length))
            return false;
        at += length;
        if (at == arrow ? o != op->operand_count - 1 : *at++ != ',') {
            sim_fault(machine, op, "the index letters are of other operands");
            return false;
        }
    }
    return true;
}

static bool bind(SimMachine *machine, const SimOp *op, Loops *loops, const SimView *out, const SimView *const *operands,
                 bool summed)
{
    memset(loops, 0, sizeof *loops);
    if (!(*op->spec ? bind_spec(machine, op, loops, out, operands)
                    : bind_flat(machine, op, loops, out, operands, summed)))
        return false;
    loops->points = loops->summed = 1;
    for (int l = 0; l < loops->count; l++)
        *(l < loops->result_count ? &loops->points : &loops->summed) *= loops->extents[l];
    return true;
}

/* Offsets of point `index` (row-major over letters first .. last-1) added to `offsets`. */
static void locate(const Loops *loops, int first, int last, int64_t index, int operand_count, int64_t *offsets)
{
    for (int l = last - 1; l >= first; l--) {
        int64_t at = index % loops->extents[l];
        index /= loops->extents[l];
        for (int o = 0; o < operand_count; o++)
            offsets[o] += at * loops->strides[o][l];
    }
}

static bool expect_no_sum(SimMachine *machine, const SimOp *op, const Loops *loops)
{
    if (loops->count == loops->result_count)
        return true;
    sim_fault(machine, op, "the result lacks '%c'", loops->letters[loops->result_count]);
    return false;
}

/* ---- Elementwise -------------------------------------------------------------------------------------------- */

static SimNumber gelu_inner(SimNumber a)
{
    SimNumber cube = mul(a, mul(a, a));
    return tanh_of(scaled(0.7978845608028654, add(a, scaled(0.044715, cube))));
}

static SimNumber gelu_backward(SimNumber a, SimNumber b)
{
    SimNumber t = gelu_inner(a);
    SimNumber slope = scaled(0.7978845608028654, add(num(1), scaled(0.134145, square(a))));
    SimNumber left = scaled(0.5, add(num(1), t));
    SimNumber right = scaled(0.5, mul(a, mul(sub(num(1), square(t)), slope)));
    return mul(b, add(left, right));
}

static SimNumber clip_factor(SimNumber squared_norm, double limit)
{
    SimNumber factor = divide(num(limit), add(root(squared_norm), num(1e-6)));
    return factor.value < 1 ? factor : num(1);
}

/* Warms up linearly, then falls along a half cosine to `last` of the peak at step `total`. */
static SimNumber learning_rate(double step, const double *imm)
{
    double peak = imm[0], warmup = imm[1], total = imm[2], last = imm[3];
    if (step < warmup)
        return num(peak * (step + 1) / (warmup > 1 ? warmup : 1));
    double span = total - warmup > 1 ? total - warmup : 1;
    double done = (step - warmup) / span;
    if (done > 1)
        done = 1;
    return num(peak * (last + (1 - last) * 0.5 * (1 + cos(3.141592653589793 * done))));
}

static SimNumber adamw(const SimNumber *x, double epsilon, double decay)
{
    SimNumber direction = divide(mul(x[1], x[4]), add(root(mul(x[2], x[5])), num(epsilon)));
    return sub(x[0], mul(x[3], add(direction, scaled(decay, x[0]))));
}

static SimNumber map_point(const SimOp *op, const SimNumber *x, double scale)
{
    const double *imm = op->immediates;
    switch (op->kind) {
    case SIM_FILL:
        return num(imm[0]);
    case SIM_COPY:
    case SIM_CAST:
        return x[0];
    case SIM_ADD:
        return add(x[0], x[1]);
    case SIM_SUB:
        return sub(x[0], x[1]);
    case SIM_MUL:
        return mul(x[0], x[1]);
    case SIM_SCALE:
        return scaled(scale, x[0]);
    case SIM_RECIP:
        return divide(num(1), x[0]);
    case SIM_RELU:
        return x[0].value > 0 ? x[0] : num(0);
    case SIM_RELU_BWD:
        return x[0].value > 0 ? x[1] : num(0);
    case SIM_TANH:
        return tanh_of(x[0]);
    case SIM_TANH_BWD:
        return mul(x[1], sub(num(1), square(tanh_of(x[0]))));
    case SIM_GELU:
        return scaled(0.5, mul(x[0], add(num(1), gelu_inner(x[0]))));
    case SIM_GELU_BWD:
        return gelu_backward(x[0], x[1]);
    case SIM_SQUARED_ERROR:
        return square(sub(x[0], x[1]));
    case SIM_SQUARED_ERROR_BWD:
        return scaled(2, mul(sub(x[0], x[1]), x[2]));
    case SIM_NORM:
        return add(mul(mul(sub(x[0], x[1]), x[2]), x[3]), x[4]);
    case SIM_SQRT:
        return root(x[0]);
    case SIM_CLIP_FACTOR:
        return clip_factor(x[0], imm[0]);
    case SIM_RATE:
        return learning_rate(x[0].value, imm);
    case SIM_CORRECTION:
        return num(1 / (1 - pow(imm[0], x[0].value + 1)));
    case SIM_INCREMENT:
        return add(x[0], num(1));
    case SIM_EMA:
        return add(scaled(imm[0], x[0]), scaled(1 - imm[0], x[1]));
    case SIM_EMA_SQUARE:
        return add(scaled(imm[0], x[0]), scaled(1 - imm[0], square(x[1])));
    case SIM_ADAMW:
        return adamw(x, imm[0], imm[1]);
    case SIM_DECAY_GRADIENT:
        return add(x[0], scaled(imm[0], x[1]));
    case SIM_MOMENTUM:
        return add(scaled(imm[0], x[0]), x[1]);
    case SIM_SGD:
        return sub(x[0], mul(x[2], x[1]));
    case SIM_IOTA: /* what follows is no elementwise operator: elsewhere */
    case SIM_READ:
    case SIM_INIT:
    case SIM_OUTPUT:
    case SIM_ROW_MEAN:
    case SIM_ROW_RSTD:
    case SIM_NORM_BWD:
    case SIM_NORM_GAIN_BWD:
    case SIM_SOFTMAX:
    case SIM_CAUSAL_SOFTMAX:
    case SIM_SOFTMAX_BWD:
    case SIM_CROSS_ENTROPY:
    case SIM_CROSS_ENTROPY_BWD:
    case SIM_EINSUM:
    case SIM_REDUCE:
    case SIM_SUM_SQUARES:
    case SIM_EMBED:
    case SIM_EMBED_BWD:
    case SIM_SLICE:
    case SIM_PLACE_SHARD:
    case SIM_ALL_REDUCE:
    case SIM_REDUCE_SCATTER:
    case SIM_ALL_GATHER:
    case SIM_OP_COUNT:
        break;
    }
    return sim_junk();
}

/* numerator / denominator, over this rank's extent of the named letters of the operand. */
static double scale_factor(SimMachine *machine, const SimOp *op, const SimView *operand)
{
    double factor = (double)op->scale_numerator / (double)op->scale_denominator;
    for (const char *letter = op->local_letters; *letter; letter++) {
        const char *found = strchr(op->spec, *letter);
        if (!found || found - op->spec >= operand->dim_count) {
            sim_fault(machine, op, "no letter '%c' in the operand", *letter);
            return 0;
        }
        factor /= (double)operand->extents[found - op->spec];
    }
    return factor;
}

static void compute_map(SimMachine *machine, const SimOp *op, const SimView *out, const SimView *const *operands)
{
    Loops loops;
    double scale = op->kind == SIM_SCALE ? scale_factor(machine, op, operands[0]) : 1;
    if (machine->failed || !bind(machine, op, &loops, out, operands, false) || !expect_no_sum(machine, op, &loops))
        return;
    SimNumber *result = sim_scratch(machine, loops.points);
    for (int64_t p = 0; p < loops.points; p++) {
        int64_t offsets[SIM_MAX_OPERANDS] = {0};
        SimNumber x[SIM_MAX_OPERANDS];
        locate(&loops, 0, loops.count, p, op->operand_count, offsets);
        for (int o = 0; o < op->operand_count; o++)
            x[o] = operands[o]->data[offsets[o]];
        result[p] = map_point(op, x, scale);
    }
    for (int64_t p = out->valid; op->kind == SIM_CAST && p < out->elements; p++)
        result[p] = num(0); /* a cast leaves zero in the padding */
    sim_store(machine, op, out, result);
}

/* ---- Sums --------------------------------------------------------------------------------------------------- */

static SimNumber sum_point(const SimOp *op, const SimNumber *x)
{
    if (op->kind == SIM_EINSUM)
        return mul(x[0], x[1]);
    if (op->kind == SIM_REDUCE)
        return x[0];
    if (op->kind == SIM_SUM_SQUARES)
        return square(x[0]);
    return mul(mul(sub(x[0], x[1]), x[2]), x[3]); /* the gradient of a norm's gain */
}

static void compute_sum(SimMachine *machine, const SimOp *op, const SimView *out, const SimView *const *operands)
{
    Loops loops;
    if (!bind(machine, op, &loops, out, operands, true))
        return;
    SimNumber *result = sim_scratch(machine, loops.points);
    for (int64_t p = 0; p < loops.points; p++)
        for (int64_t s = 0; s < loops.summed; s++) {
            int64_t offsets[SIM_MAX_OPERANDS] = {0};
            SimNumber x[SIM_MAX_OPERANDS];
            locate(&loops, 0, loops.result_count, p, op->operand_count, offsets);
            locate(&loops, loops.result_count, loops.count, s, op->operand_count, offsets);
            for (int o = 0; o < op->operand_count; o++)
                x[o] = operands[o]->data[offsets[o]];
            result[p] = add(result[p], sum_point(op, x));
        }
    sim_store(machine, op, out, result);
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

typedef struct Row {
    int64_t length;
    SimNumber x[SIM_MAX_OPERANDS][MAX_ROW];
    SimNumber y[MAX_ROW];
} Row;

static SimNumber row_sum(const SimNumber *numbers, int64_t length)
{
    SimNumber sum = num(0);
    for (int64_t i = 0; i < length; i++)
        sum = add(sum, numbers[i]);
    return sum;
}

/* y = softmax(y), where -inf stands for a masked position. */
static void row_softmax(SimNumber *y, int64_t length)
{
    SimNumber largest = y[0];
    for (int64_t i = 1; i < length; i++)
        if (y[i].value > largest.value)
            largest = y[i];
    for (int64_t i = 0; i < length; i++)
        y[i] = y[i].value == -INFINITY ? num(0) : exponential(sub(y[i], largest));
    SimNumber sum = row_sum(y, length);
    for (int64_t i = 0; i < length; i++)
        y[i] = divide(y[i], sum);
}

static void row_mean(SimMachine *machine, const SimOp *op, Row *row)
{
    (void)machine, (void)op;
    SimNumber mean = scaled(1 / (double)row->length, row_sum(row->x[0], row->length));
    for (int64_t i = 0; i < row->length; i++)
        row->y[i] = mean;
}

static void row_rstd(SimMachine *machine, const SimOp *op, Row *row)
{
    (void)machine;
    SimNumber sum = num(0);
    for (int64_t i = 0; i < row->length; i++)
        sum = add(sum, square(sub(row->x[0][i], row->x[1][i])));
    SimNumber variance = scaled(1 / (double)row->length, sum);
    SimNumber rstd = divide(num(1), root(add(variance, num(op->immediates[0]))));
    for (int64_t i = 0; i < row->length; i++)
        row->y[i] = rstd;
}

/* a = x, b = mean, c = 1/deviation, d = gain, e = cotangent. */
static void row_norm_backward(SimMachine *machine, const SimOp *op, Row *row)
{
    (void)machine, (void)op;
    SimNumber sum_g = num(0), sum_gx = num(0);
    for (int64_t i = 0; i < row->length; i++) {
        SimNumber x = mul(sub(row->x[0][i], row->x[1][i]), row->x[2][i]), g = mul(row->x[3][i], row->x[4][i]);
        sum_g = add(sum_g, g);
        sum_gx = add(sum_gx, mul(g, x));
    }
    double share = 1 / (double)row->length;
    for (int64_t i = 0; i < row->length; i++) {
        SimNumber x = mul(sub(row->x[0][i], row->x[1][i]), row->x[2][i]), g = mul(row->x[3][i], row->x[4][i]);
        SimNumber rest = sub(sub(g, scaled(share, sum_g)), mul(x, scaled(share, sum_gx)));
        row->y[i] = mul(row->x[2][i], rest);
    }
}

static void row_plain_softmax(SimMachine *machine, const SimOp *op, Row *row)
{
    (void)machine;
    for (int64_t i = 0; i < row->length; i++)
        row->y[i] = scaled(op->immediates[0], row->x[0][i]);
    row_softmax(row->y, row->length);
}

/* a = scores, b = position of the row, c = positions of the columns. */
static void row_causal_softmax(SimMachine *machine, const SimOp *op, Row *row)
{
    (void)machine;
    for (int64_t i = 0; i < row->length; i++) {
        bool seen = row->x[2][i].value <= row->x[1][i].value;
        row->y[i] = seen ? scaled(op->immediates[0], row->x[0][i]) : num(-INFINITY);
    }
    row_softmax(row->y, row->length);
}

static void row_softmax_backward(SimMachine *machine, const SimOp *op, Row *row)
{
    (void)machine;
    SimNumber dot = num(0);
    for (int64_t i = 0; i < row->length; i++)
        dot = add(dot, mul(row->x[0][i], row->x[1][i]));
    for (int64_t i = 0; i < row->length; i++)
        row->y[i] = scaled(op->immediates[0], mul(row->x[0][i], sub(row->x[1][i], dot)));
}

static void row_cross_entropy(SimMachine *machine, const SimOp *op, Row *row)
{
    double target = row->x[1][0].value;
    if (!(target >= 0 && target < (double)row->length)) {
        sim_fault(machine, op, "a target of %g in a row of %" PRId64, target, row->length);
        return;
    }
    SimNumber largest = row->x[0][0], sum = num(0);
    for (int64_t i = 1; i < row->length; i++)
        if (row->x[0][i].value > largest.value)
            largest = row->x[0][i];
    for (int64_t i = 0; i < row->length; i++)
        sum = add(sum, exponential(sub(row->x[0][i], largest)));
    SimNumber loss = sub(add(logarithm(sum), largest), row->x[0][(int64_t)target]);
    for (int64_t i = 0; i < row->length; i++)
        row->y[i] = loss;
}

static void row_cross_entropy_backward(SimMachine *machine, const SimOp *op, Row *row)
{
    (void)machine, (void)op;
    memcpy(row->y, row->x[0], sizeof(SimNumber) * (size_t)row->length);
    row_softmax(row->y, row->length);
    for (int64_t i = 0; i < row->length; i++) {
        SimNumber hit = num(row->x[1][i].value == (double)i ? 1 : 0);
        row->y[i] = mul(sub(row->y[i], hit), row->x[2][i]);
    }
}

static void (*const row_operators[SIM_OP_COUNT])(SimMachine *machine, const SimOp *op, Row *row) = {
    [SIM_ROW_MEAN] = row_mean,
    [SIM_ROW_RSTD] = row_rstd,
    [SIM_NORM_BWD] = row_norm_backward,
    [SIM_SOFTMAX] = row_plain_softmax,
    [SIM_CAUSAL_SOFTMAX] = row_causal_softmax,
    [SIM_SOFTMAX_BWD] = row_softmax_backward,
    [SIM_CROSS_ENTROPY] = row_cross_entropy,
    [SIM_CROSS_ENTROPY_BWD] = row_cross_entropy_backward,
};

/* Makes the last letter of operand a the last loop; false (with a fault) where that is not possible. */
static bool split_row(SimMachine *machine, const SimOp *op, Loops *loops, bool *result_has_row)
{
    size_t length = strcspn(op->spec, ",-");
    if (length == 0 || length > SIM_MAX_DIMS) {
        sim_fault(machine, op, "an operator on rows needs index letters");
        return false;
    }
    int row = loops_letter(loops, op->spec[length - 1]);
    *result_has_row = row < loops->result_count;
    if (*result_has_row ? loops->count != loops->result_count : loops->count != loops->result_count + 1) {
        sim_fault(machine, op, "only the row may be missing from the result");
        return false;
    }
    if (loops->extents[row] < 1 || loops->extents[row] > MAX_ROW) {
        sim_fault(machine, op, "a row of %" PRId64, loops->extents[row]);
        return false;
    }
    if (*result_has_row && row != loops->result_count - 1) {
        sim_fault(machine, op, "the row is the last dim of the result");
        return false;
    }
    return true;
}

static void compute_row(SimMachine *machine, const SimOp *op, const SimView *out, const SimView *const *operands)
{
    Loops loops;
    bool result_has_row;
    if (!bind(machine, op, &loops, out, operands, true) || !split_row(machine, op, &loops, &result_has_row))
        return;
    int last = loops.count - 1;
    int64_t length = loops.extents[last];
    int64_t rows = result_has_row ? loops.points / length : loops.points;
    SimNumber *result = sim_scratch(machine, loops.points);
    static Row row;
    row.length = length;
    for (int64_t r = 0; r < rows && !machine->failed; r++) {
        int64_t offsets[SIM_MAX_OPERANDS] = {0};
        locate(&loops, 0, last, r, op->operand_count, offsets);
        for (int o = 0; o < op->operand_count; o++)
            for (int64_t i = 0; i < length; i++)
                row.x[o][i] = operands[o]->data[offsets[o] + i * loops.strides[o][last]];
        row_operators[op->kind](machine, op, &row);
        for (int64_t i = 0; i < (result_has_row ? length : 1); i++)
            result[result_has_row ? r * length + i : r] = row.y[i];
    }
    if (!machine->failed)
        sim_store(machine, op, out, result);
}

/* ---- Tables ------------------------------------------------------------------------------------------------- */

static int64_t table_row(SimMachine *machine, const SimOp *op, SimNumber index, int64_t rows)
{
    if (index.value >= 0 && index.value < (double)rows)
        return (int64_t)index.value;
    sim_fault(machine, op, "row %g of a table of %" PRId64, index.value, rows);
    return 0;
}

/* The letter of the table's rows: the first of operand b, or of the result in the transpose. */
static int row_letter(SimMachine *machine, const SimOp *op, Loops *loops, bool transposed)
{
    const char *at = transposed ? strstr(op->spec, "->") : strchr(op->spec, ',');
    if (at)
        at += transposed ? 2 : 1;
    if (!at || !((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z'))) {
        sim_fault(machine, op, "no letter for the table's rows");
        return -1;
    }
    return loops_letter(loops, *at);
}

static void compute_embed(SimMachine *machine, const SimOp *op, const SimView *out, const SimView *const *operands)
{
    Loops loops;
    if (!bind(machine, op, &loops, out, operands, true))
        return;
    int rows = row_letter(machine, op, &loops, false);
    if (rows < 0)
        return;
    if (rows != loops.count - 1 || loops.count != loops.result_count + 1 || loops.strides[0][rows] != 0) {
        sim_fault(machine, op, "only the table's rows may be missing from the result");
        return;
    }
    SimNumber *result = sim_scratch(machine, loops.points);
    for (int64_t p = 0; p < loops.points; p++) {
        int64_t offsets[SIM_MAX_OPERANDS] = {0};
        locate(&loops, 0, loops.result_count, p, 2, offsets);
        int64_t row = table_row(machine, op, operands[0]->data[offsets[0]], loops.extents[rows]);
        result[p] = operands[1]->data[offsets[1] + row * loops.strides[1][rows]];
    }
    if (!machine->failed)
        sim_store(machine, op, out, result);
}

static void compute_embed_backward(SimMachine *machine, const SimOp *op, const SimView *out,
                                   const SimView *const *operands)
{
    Loops loops;
    if (!bind(machine, op, &loops, out, operands, true))
        return;
    int rows = row_letter(machine, op, &loops, true);
    if (rows < 0)
        return;
    if (rows != 0 || loops.strides[0][0] != 0 || loops.strides[1][0] != 0) {
        sim_fault(machine, op, "the table's rows are the result's first dim, and no operand's");
        return;
    }
    SimNumber *result = sim_scratch(machine, loops.points);
    int64_t columns = loops.extents[0] ? loops.points / loops.extents[0] : 0;
    for (int64_t s = 0; s < loops.summed; s++)
        for (int64_t c = 0; c < columns; c++) {
            int64_t offsets[SIM_MAX_OPERANDS] = {0};
            locate(&loops, 1, loops.result_count, c, 2, offsets);
            locate(&loops, loops.result_count, loops.count, s, 2, offsets);
            int64_t row = table_row(machine, op, operands[0]->data[offsets[0]], loops.extents[0]);
            result[row * columns + c] = add(result[row * columns + c], operands[1]->data[offsets[1]]);
        }
    if (!machine->failed)
        sim_store(machine, op, out, result);
}

void sim_compute(SimMachine *machine, const SimOp *op, const SimView *out, const SimView *const *operands)
{
    static void (*const others[SIM_OP_COUNT])(SimMachine * machine, const SimOp *op, const SimView *out,
                                              const SimView *const *operands) = {
        [SIM_EINSUM] = compute_sum,        [SIM_REDUCE] = compute_sum,  [SIM_SUM_SQUARES] = compute_sum,
        [SIM_NORM_GAIN_BWD] = compute_sum, [SIM_EMBED] = compute_embed, [SIM_EMBED_BWD] = compute_embed_backward,
    };
    if (row_operators[op->kind])
        compute_row(machine, op, out, operands);
    else if (others[op->kind])
        others[op->kind](machine, op, out, operands);
    else
        compute_map(machine, op, out, operands);
}
