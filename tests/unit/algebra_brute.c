/* The signatures of every operator of the table, found by trying: all placements of all operands and of the result, on
 * 2 and on 3 ranks, and products of them on 2 x 3, nested on one dim too. What is found is what the generator gives, no
 * more and no less.
 *
 * A placement is tried by encoding random operands as local values, running the operator's body on every rank, and
 * decoding the local results. Two arithmetics: residues modulo 2^61 - 1, where functions are hashes of their arguments
 * and max goes by a fixed order, so that nothing holds by accident; and real numbers, where functions are monotone
 * where their names are, for placements by max and min. An operator needs a spec here (`cases`) to pass.
 */
#include "algebra/signature.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_ELEMENTS = 700, MAX_RANKS = 6, MAX_TUPLES = 1 << 17, DRAWS = 16 };

/* An operator of the table, or a body of one's own. */
typedef struct Case {
    OpKind op;
    const char *spec;
    OpClass op_class;
    const char *body;
} Case;

#define OPERATOR(id, spec)                                                                                             \
    {                                                                                                                  \
        OP_##id, spec, CLASS_MAP, NULL                                                                                 \
    }
#define BODY(op_class, spec, body)                                                                                     \
    {                                                                                                                  \
        OP_COPY, spec, CLASS_##op_class, body                                                                          \
    }

static const Case cases[] = {
    OPERATOR(FILL, "bh"),
    OPERATOR(COPY, "bh->hb"),
    OPERATOR(COPY, "h->bh"),
    OPERATOR(CAST, "bh->bh"),
    OPERATOR(ADD, "bh,bh->bh"),
    OPERATOR(ADD, "bh,h->bh"),
    OPERATOR(SUB, "bh,bh->bh"),
    OPERATOR(MUL, "bh,bh->bh"),
    OPERATOR(MUL, "bh,->bh"),
    OPERATOR(SCALE, "bh->bh"),
    OPERATOR(RECIP, "bh->bh"),
    OPERATOR(RELU, "bh->bh"),
    OPERATOR(RELU_BWD, "bh,bh->bh"),
    OPERATOR(TANH, "bh->bh"),
    OPERATOR(TANH_BWD, "bh,bh->bh"),
    OPERATOR(GELU, "bh->bh"),
    OPERATOR(GELU_BWD, "bh,bh->bh"),
    OPERATOR(SILU, "bh->bh"),
    OPERATOR(SILU_BWD, "bh,bh->bh"),
    OPERATOR(SQUARED_ERROR, "bh,bh->bh"),
    OPERATOR(SQUARED_ERROR_BWD, "bh,bh,b->bh"),
    OPERATOR(ROW_MEAN, "bh->b"),
    OPERATOR(ROW_RSTD, "bh,b->b"),
    OPERATOR(NORM, "bh,b,b,h,h->bh"),
    OPERATOR(NORM_BWD, "bh,b,b,h,bh->bh"),
    OPERATOR(NORM_GAIN_BWD, "bh,b,b,bh->h"),
    OPERATOR(ROW_RRMS, "bh->b"),
    OPERATOR(RMS_NORM, "bh,b,h->bh"),
    OPERATOR(RMS_NORM_BWD, "bh,b,h,bh->bh"),
    OPERATOR(RMS_GAIN_BWD, "bh,b,bh->h"),
    OPERATOR(SOFTMAX, "bh->bh"),
    OPERATOR(CAUSAL_SOFTMAX, "qk,q,k->qk"),
    OPERATOR(SOFTMAX_BWD, "bh,bh->bh"),
    OPERATOR(SELECT, ",bh,bh->bh"),
    OPERATOR(LOG_SUM_EXP, "bh->b"),
    OPERATOR(LOG_SUM_EXP_BWD, "bh,b->bh"),
    OPERATOR(ROTARY_COSINE, "t,h->th"),
    OPERATOR(ROTARY_SINE, "t,h->th"),
    OPERATOR(ROTATE, "th,h,h->th"),
    OPERATOR(ROTATE_BWD, "th,h,h->th"),
    OPERATOR(EINSUM, "mk,kn->mn"),
    OPERATOR(EINSUM, "bmk,bkn->bmn"),
    OPERATOR(EINSUM, "bmk,nk->bmn"),
    OPERATOR(EINSUM, "bm,bn->mn"),
    OPERATOR(EINSUM, "h,h->"),
    OPERATOR(REDUCE, "abc->bc"),
    OPERATOR(REDUCE, "ab->"),
    OPERATOR(REDUCE, "ab->ba"),
    OPERATOR(SUM_SQUARES, "ab->"),
    OPERATOR(SUM_SQUARES, "ab->b"),
    OPERATOR(EMBED, "bs,vh->bsh"),
    OPERATOR(EMBED_BWD, "bs,bsh->vh"),
    OPERATOR(TOP_NEXT, "be,be->be"),
    OPERATOR(COUNT_BEFORE, "te,s,t->se"),
    OPERATOR(GATE, "be,be->be"),
    OPERATOR(GATE_BWD, "be,be,be->be"),
    OPERATOR(ONE_HOT, "te,te,c->tec"),
    OPERATOR(ONE_HOT_BWD, "tec,te,c->te"),
    OPERATOR(SQRT, "->"),
    OPERATOR(CLIP_FACTOR, "->"),
    OPERATOR(RATE, "->"),
    OPERATOR(CORRECTION, "->"),
    OPERATOR(INCREMENT, "->"),
    OPERATOR(EMA, ""),
    OPERATOR(EMA_SQUARE, ""),
    OPERATOR(ADAMW, "f,f,f,f,,->f"),
    OPERATOR(DECAY_GRADIENT, ""),
    OPERATOR(MOMENTUM, ""),
    OPERATOR(SGD, "f,f,->f"),
    OPERATOR(LESS, "bh,bh->bh"),
    OPERATOR(LESS_EQUAL, "bh,h->bh"),
    OPERATOR(EQUAL, "bh,bh->bh"),
    OPERATOR(NOT_EQUAL, "bh,bh->bh"),
    OPERATOR(MASKED, "bh,b->bh"),
    OPERATOR(INVERSE_COUNT, "->"),
    OPERATOR(RELU6, "bh->bh"),
    OPERATOR(RELU6_BWD, "bh,bh->bh"),
    OPERATOR(CONV, "nchw,ocij->noyx"),
    OPERATOR(CONV_INPUT_BWD, "noyx,ocij->nchw"),
    OPERATOR(CONV_WEIGHT_BWD, "nchw,noyx->ocij"),
    OPERATOR(MAX_POOL, "nchw->ncyx"),
    OPERATOR(MAX_POOL_BWD, "nchw,ncyx->nchw"),
    OPERATOR(MEAN_POOL, "nchw->ncyx"),
    OPERATOR(MEAN_POOL_BWD, "ncyx->nchw"),
    OPERATOR(VIEW, "bhde->bfe"),
    OPERATOR(VIEW, "bfe->bhde"),
    OPERATOR(SEGMENT, "bfe->bhe"),
    OPERATOR(SEGMENT_BWD, "bhe->bfe"),
    OPERATOR(PLACE_SEGMENT, "bfe,bhe->bfe"),
    OPERATOR(ROW_MAX, "bh->b"),
    OPERATOR(EXP_SUM, "bv,b->b"),
    OPERATOR(PICK, "bv,b,v->b"),
    OPERATOR(LOG_LOSS, "b,b,b->b"),
    OPERATOR(LOG_LOSS_BWD, "bv,b,b,v,b,b->bv"),
    OPERATOR(RSQRT, "c->c"),
    OPERATOR(RSQRT_BWD, "c,c->c"),
    OPERATOR(BLEND, "c,c->c"),
    OPERATOR(FALLING_POWER, "c->c"),
    OPERATOR(DROPOUT_MASK, "b,,,,,,->b"),
    OPERATOR(INDEX_WORD, "p,r->pr"),
    OPERATOR(ADAM_DIRECTION, "f,f,f,,->f"),
    OPERATOR(TRUST_RATIO, "r,r->r"),
    OPERATOR(LARS_RATIO, "r,r->r"),
    OPERATOR(SQUARE_PLUS, "rc->rc"),
    OPERATOR(GROWING_BETA, "->"),
    OPERATOR(EMA_BY, "r,r,->r"),
    OPERATOR(FACTORED_DIRECTION, "rc,r,c,->rc"),
    OPERATOR(OVER_ROOT, "rc,->rc"),
    OPERATOR(RELATIVE_RATE, "r,r,r,r->r"),
    OPERATOR(INVERSE_NORM, "->"),
    OPERATOR(MIX, "rc,rc->rc"),
    OPERATOR(DECAYED_SGD, "f,f,->f"),
    /* What no operator of the table has in its body. */
    BODY(MAP, "bh->bh", "y = -2 * a"),
    BODY(MAP, "bh->bh", "y = a + 1"),
    BODY(MAP, "bh,bh->bh", "y = max2(a, b)"),
    BODY(MAP, "bh,bh->bh", "y = max2(a, -b)"),
    BODY(MAP, "bh,bh->bh", "y = min(exp(a), b / 3)"),
    BODY(MAP, "bh,bh->bh", "y = a / exp(b)"),
    BODY(MAP, "bh,bh,h->bh", "y = where(c > 0, a, b)"),
    BODY(MAP, "bh,bh->bh", "y = where(a > b, a, b)"),
    BODY(MAP, "bh,bh->bh", "y = where(a > b, b, a)"),
    BODY(MAP, "bh,bh->bh", "y = a + log(a) + b"),
    BODY(MAP, "bh->bh", "y = a - 2 * log(a)"),
    BODY(ROW, "bh->bh", "y = a + across(a)"),
    BODY(ROW, "bh->bh", "y = max2(a, across(a))"),
    BODY(ROW, "bh->b", "y = max(exp(a))"),
    BODY(ROW, "bh->b", "y = sum(a * a)"),
    BODY(ROW, "bh->b", "y = sum(a) / cols"),
    BODY(ROW, "bh->b", "y = max(a * (col - 1))"),
    BODY(ROW, "bh,h->bh", "y = a * b"),
    BODY(SUM, "bh,h->", "y = max2(a, b)"),
};

static int operand_count_of(const char *spec)
{
    int count = 1;
    for (; *spec != '\0' && *spec != '-'; spec++)
        count += *spec == ',';
    return count;
}

static const char *case_name(const Case *one)
{
    return one->body != NULL ? one->body : op_info[one->op].name;
}

static OpShape case_shape(Arena *arena, const Case *one)
{
    if (one->body == NULL)
        return op_shape(arena, one->op, one->spec);
    int operands = operand_count_of(one->spec);
    return op_shape_of(one->op_class, "-", kernel_parse_body(arena, OP_COPY, one->body, operands, ""), one->spec,
                       operands);
}

/* Nor have those that are told apart from a constant by overflow only, or follow it: numbers that are never cut. */
static bool has_no_body(OpKind kind)
{
    OpClass class = op_info[kind].op_class;
    return class == CLASS_MOVE || class == CLASS_COMM || class == CLASS_SINK || kind == OP_IOTA || kind == OP_READ ||
           kind == OP_INIT || kind == OP_FINITE || kind == OP_NEXT_SCALE || kind == OP_NEXT_COUNT;
}

/* ---- Arithmetic --------------------------------------------------------------------------------------------- */

typedef union Number {
    uint64_t residue;
    double real;
} Number;

static const uint64_t prime = ((uint64_t)1 << 61) - 1;

/* What all that runs at once shares. */
static struct {
    bool real;
    uint64_t draw; /* of random numbers */
    Number immediate[STEP_MAX_IMMEDIATES], scale;
} now;

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9U;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

static uint64_t random_bits(void)
{
    now.draw += 0x9e3779b97f4a7c15U;
    return mix(now.draw);
}

__extension__ typedef unsigned __int128 Wide;

static uint64_t multiply(uint64_t x, uint64_t y)
{
    Wide z = (Wide)x * y;
    uint64_t sum = (uint64_t)(z & prime) + (uint64_t)(z >> 61);
    return sum >= prime ? sum - prime : sum;
}

static uint64_t add(uint64_t x, uint64_t y)
{
    uint64_t sum = x + y;
    return sum >= prime ? sum - prime : sum;
}

static uint64_t negative(uint64_t x)
{
    return x == 0 ? 0 : prime - x;
}

static uint64_t hashed(uint64_t kind, uint64_t x, uint64_t y)
{
    return mix(mix(mix(kind + 77) + x) + y) % prime;
}

static uint64_t inverse(uint64_t x)
{
    uint64_t result = 1, exponent = prime - 2;
    if (x == 0)
        return hashed(1000, 0, 0);
    for (; exponent > 0; exponent >>= 1, x = multiply(x, x))
        if (exponent & 1)
            result = multiply(result, x);
    return result;
}

enum { SMALL = 64 };

/* Small whole numbers keep their order, with infinity at both ends; the others go by their hashes, between. */
static int64_t order_of(uint64_t x)
{
    const uint64_t infinite = hashed(1003, 0, 0);
    if (x < SMALL || x > prime - SMALL)
        return x < SMALL ? (int64_t)x : -(int64_t)(prime - x);
    if (x == infinite || x == negative(infinite))
        return x == infinite ? INT64_MAX : INT64_MIN;
    return (int64_t)hashed(1001, x, 0) - (int64_t)(prime / 2);
}

static bool is_less(uint64_t x, uint64_t y)
{
    return order_of(x) < order_of(y);
}

static uint64_t residue_of(double number)
{
    if (number == floor(number) && fabs(number) < 1e15)
        return number < 0 ? negative((uint64_t)-number) : (uint64_t)number;
    if (isinf(number))
        return number > 0 ? hashed(1003, 0, 0) : negative(hashed(1003, 0, 0));
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return hashed(1002, bits, 0);
}

static uint64_t apply_residues(KernelKind kind, const uint64_t *x)
{
    switch (kind) {
    case KERNEL_ADD:
        return add(x[0], x[1]);
    case KERNEL_SUB:
        return add(x[0], negative(x[1]));
    case KERNEL_MUL:
        return multiply(x[0], x[1]);
    case KERNEL_DIV:
        return multiply(x[0], inverse(x[1]));
    case KERNEL_NEGATE:
        return negative(x[0]);
    case KERNEL_LESS:
        return is_less(x[0], x[1]);
    case KERNEL_LESS_EQUAL:
        return !is_less(x[1], x[0]);
    case KERNEL_GREATER:
        return is_less(x[1], x[0]);
    case KERNEL_GREATER_EQUAL:
        return !is_less(x[0], x[1]);
    case KERNEL_EQUAL:
        return x[0] == x[1];
    case KERNEL_WHERE:
        return x[0] != 0 ? x[1] : x[2];
    case KERNEL_MIN:
        return is_less(x[0], x[1]) ? x[0] : x[1];
    case KERNEL_MAX2:
        return is_less(x[0], x[1]) ? x[1] : x[0];
    case KERNEL_POW:
    case KERNEL_MIX:
        return hashed(kind, x[0], x[1]);
    default:
        return hashed(kind, x[0], 0);
    }
}

/* Stand-ins that are defined everywhere, increasing where the function is on its domain and not monotone where it is
 * not known to be. */
static double apply_reals(KernelKind kind, const double *x)
{
    switch (kind) {
    case KERNEL_LOG:
        return asinh(x[0]);
    case KERNEL_SQRT:
        return cbrt(x[0]);
    case KERNEL_TANH:
        return x[0] + sin(x[0]) / 2;
    case KERNEL_RSQRT:
        return 1 / cbrt(x[0]);
    case KERNEL_POW:
        return cos(1.3 * x[0] + x[1]);
    case KERNEL_MIX: /* a word of either sign */
        return 0x1p34 * cos(1.3 * x[0] + x[1]);
    default:
        return kernel_apply(kind, x);
    }
}

static Number apply(KernelKind kind, const Number *x)
{
    uint64_t residues[3] = {x[0].residue, x[1].residue, x[2].residue};
    double reals[3] = {x[0].real, x[1].real, x[2].real};
    return now.real ? (Number){.real = apply_reals(kind, reals)} : (Number){.residue = apply_residues(kind, residues)};
}

static Number number_of(double value)
{
    return now.real ? (Number){.real = value} : (Number){.residue = residue_of(value)};
}

static Number plus(Number x, Number y)
{
    return now.real ? (Number){.real = x.real + y.real} : (Number){.residue = add(x.residue, y.residue)};
}

static Number times(Number x, Number y)
{
    return now.real ? (Number){.real = x.real * y.real} : (Number){.residue = multiply(x.residue, y.residue)};
}

static Number over(Number x, int64_t n)
{
    return now.real ? (Number){.real = x.real / (double)n}
                    : (Number){.residue = multiply(x.residue, inverse((uint64_t)n))};
}

static Number extreme(PartialOp op, Number x, Number y)
{
    bool less = now.real ? x.real < y.real : is_less(x.residue, y.residue);
    return less == (op == PARTIAL_MAX) ? y : x;
}

static bool equal(Number x, Number y)
{
    if (!now.real)
        return x.residue == y.residue;
    return x.real == y.real || fabs(x.real - y.real) <= 1e-9 * (1 + fabs(x.real) + fabs(y.real));
}

static Number random_number(bool small)
{
    if (small) /* so that comparisons and indices meet */
        return number_of((double)(random_bits() % 3) - 1);
    if (now.real)
        return (Number){.real = (double)(random_bits() % 80001) / 10000 - 4};
    return (Number){.residue = random_bits() % prime};
}

static int64_t index_of(Number x, int64_t count)
{
    return now.real ? (int64_t)fabs(x.real * 7) % count : (int64_t)(x.residue % (uint64_t)count);
}

/* ---- One operator on one rank ------------------------------------------------------------------------------- */

typedef struct Letters {
    int count;
    char letter[OP_MAX_LETTERS];
    int64_t extent[OP_MAX_LETTERS];
    int64_t start[OP_MAX_LETTERS], whole[OP_MAX_LETTERS]; /* what a cut is of */
} Letters;

typedef struct Array {
    Number *at; /* row-major */
} Array;

static int letter_number(const Letters *letters, char letter)
{
    for (int i = 0; i < letters->count; i++)
        if (letters->letter[i] == letter)
            return i;
    return -1;
}

static int64_t offset_of(const Letters *letters, const char *dims, const int64_t *index)
{
    int64_t offset = 0;
    for (; *dims != '\0'; dims++) {
        int i = letter_number(letters, *dims);
        offset = offset * letters->extent[i] + index[i];
    }
    return offset;
}

typedef struct Run {
    const OpShape *shape;
    const Letters *letters;
    const Array *operand;
    int64_t *index;
    int row; /* the row's letter, -1 none */
} Run;

static Number value_of(const Run *run, int node_index);

static Number row_value(const Run *run, const KernelNode *node)
{
    int64_t cols = run->letters->extent[run->row], col = run->index[run->row];
    Number result = number_of(0);
    if (node->kind == KERNEL_ACROSS) {
        run->index[run->row] = (col + cols / 2) % cols;
        result = value_of(run, node->argument[0]);
    }
    for (int64_t i = 0; i < cols && (node->kind == KERNEL_ROW_SUM || node->kind == KERNEL_ROW_MAX); i++) {
        run->index[run->row] = i;
        Number x = value_of(run, node->argument[0]);
        if (node->kind == KERNEL_ROW_SUM)
            result = plus(result, x);
        else
            result = i == 0 ? x : extreme(PARTIAL_MAX, result, x);
    }
    run->index[run->row] = col;
    return result;
}

static Number value_of(const Run *run, int node_index)
{
    const KernelNode *node = &run->shape->kernel->nodes[node_index];
    switch (node->kind) {
    case KERNEL_NUMBER:
        return number_of(node->number);
    case KERNEL_OPERAND:
        return run->operand[node->index].at[offset_of(run->letters, run->shape->letter[node->index], run->index)];
    case KERNEL_IMMEDIATE:
        return now.immediate[node->index];
    case KERNEL_SCALE:
        return now.scale;
    case KERNEL_COL:
        return number_of((double)run->index[run->row]);
    case KERNEL_COLS:
        return number_of((double)run->letters->extent[run->row]);
    default:
        break;
    }
    if (kernel_is_row_function(node->kind) || node->kind == KERNEL_ACROSS)
        return row_value(run, node);
    Number x[3] = {{0}, {0}, {0}};
    for (int i = 0; i < node->argument_count; i++)
        x[i] = value_of(run, node->argument[i]);
    return apply(node->kind, x);
}

/* Moves `index` on over all letters but `except`; false after the last. */
static bool advance(const Letters *letters, int64_t *index, int except)
{
    for (int i = letters->count - 1; i >= 0; i--) {
        if (i == except)
            continue;
        if (++index[i] < letters->extent[i])
            return true;
        index[i] = 0;
    }
    return false;
}

static int64_t elements_of(const Letters *letters, const char *dims)
{
    int64_t elements = 1;
    for (; *dims != '\0'; dims++)
        elements *= letters->extent[letter_number(letters, *dims)];
    return elements;
}

/* Rows of b by the indices a, and what is added to such rows; what names no row of this piece is left out. */
static void run_by_index(const OpShape *shape, const Letters *letters, const Array *operand, Number *result)
{
    bool is_gather = shape->op_class == CLASS_GATHER;
    const char *table = is_gather ? shape->letter[1] : shape->result;
    int row = letter_number(letters, table[0]);
    int64_t index[OP_MAX_LETTERS] = {0};
    do {
        Number id = operand[0].at[offset_of(letters, shape->letter[0], index)];
        index[row] = index_of(id, letters->whole[row]) - letters->start[row];
        if (index[row] >= 0 && index[row] < letters->extent[row]) {
            Number *to = &result[offset_of(letters, shape->result, index)];
            Number from = operand[1].at[offset_of(letters, shape->letter[1], index)];
            *to = is_gather ? from : plus(*to, from);
        }
        index[row] = 0;
    } while (advance(letters, index, row));
}

/* ---- Windows ------------------------------------------------------------------------------------------------ */

enum { WINDOW = 2, STRIDE = 1, PAD = 1 }; /* windows that overlap */
enum { SEGMENT_FIRST = 1 };

typedef struct Windows {
    const Letters *letters;
    int input[2], output[2];
    int64_t *index;
} Windows;

static const char *array_letters(const OpShape *shape, int array)
{
    return array == WINDOW_RESULT ? shape->result : shape->letter[array];
}

static void grid_of(const OpShape *shape, const Letters *letters, int array, int *grid)
{
    const char *dims = array_letters(shape, array);
    for (int i = 0; i < 2; i++)
        grid[i] = letter_number(letters, dims[strlen(dims) - 2 + (size_t)i]);
}

/* Puts the input's letters to element (i, j) of the window at the output's letters; false outside of the input. */
static bool look_at(const Windows *w, int64_t i, int64_t j)
{
    int64_t at[2] = {w->index[w->output[0]] * STRIDE - PAD + i, w->index[w->output[1]] * STRIDE - PAD + j};
    for (int k = 0; k < 2; k++) {
        if (at[k] < 0 || at[k] >= w->letters->extent[w->input[k]])
            return false;
        w->index[w->input[k]] = at[k];
    }
    return true;
}

/* What one window of pooling does. */
static void pool(const OpShape *shape, OpKind op, const Windows *w, const Array *operand, Number *result)
{
    Number seen = number_of(0);
    int64_t best = -1;
    for (int64_t k = 0; k < WINDOW * WINDOW; k++) {
        if (!look_at(w, k / WINDOW, k % WINDOW))
            continue;
        if (op == OP_MEAN_POOL_BWD) {
            Number *to = &result[offset_of(w->letters, shape->result, w->index)];
            Number from = operand[0].at[offset_of(w->letters, shape->letter[0], w->index)];
            *to = plus(*to, over(from, WINDOW * WINDOW));
            continue;
        }
        Number x = operand[0].at[offset_of(w->letters, shape->letter[0], w->index)];
        if (op == OP_MEAN_POOL)
            seen = plus(seen, over(x, WINDOW * WINDOW));
        else if (best < 0 || (extreme(PARTIAL_MAX, seen, x).residue == x.residue && x.residue != seen.residue)) {
            seen = x;
            best = k;
        }
    }
    if (op == OP_MAX_POOL || op == OP_MEAN_POOL)
        result[offset_of(w->letters, shape->result, w->index)] = seen;
    if (op == OP_MAX_POOL_BWD && best >= 0) {
        Number from = operand[1].at[offset_of(w->letters, shape->letter[1], w->index)];
        look_at(w, best / WINDOW, best % WINDOW);
        Number *to = &result[offset_of(w->letters, shape->result, w->index)];
        *to = plus(*to, from);
    }
}

static void run_windows(const OpShape *shape, OpKind op, const Letters *letters, const Array *operand, Number *result)
{
    WindowRoles roles = op_window_roles(op);
    int64_t index[OP_MAX_LETTERS] = {0};
    Windows w = {.letters = letters, .index = index};
    int window[2];
    grid_of(shape, letters, roles.input, w.input);
    grid_of(shape, letters, roles.output, w.output);
    if (roles.window != WINDOW_NONE)
        grid_of(shape, letters, roles.window, window);
    Letters others = *letters; /* the input's rows and columns follow from the others */
    others.extent[w.input[0]] = others.extent[w.input[1]] = 1;
    do {
        if (roles.window == WINDOW_NONE) {
            pool(shape, op, &w, operand, result);
        } else if (look_at(&w, index[window[0]], index[window[1]])) {
            Number *to = &result[offset_of(letters, shape->result, index)];
            *to = plus(*to, times(operand[0].at[offset_of(letters, shape->letter[0], index)],
                                  operand[1].at[offset_of(letters, shape->letter[1], index)]));
        }
        index[w.input[0]] = index[w.input[1]] = 0;
    } while (advance(&others, index, -1));
}

/* Elements SEGMENT_FIRST .. of letter f are letter h's; zero where a piece has them not. */
static void run_segment(const OpShape *shape, const Letters *letters, const Array *operand, Number *result)
{
    int64_t index[OP_MAX_LETTERS] = {0};
    int f = letter_number(letters, 'f'), h = letter_number(letters, 'h'), last = shape->operand_count - 1;
    if (last == 1)
        memcpy(result, operand[0].at, sizeof(Number) * (size_t)elements_of(letters, shape->result));
    do {
        bool inside = index[f] == index[h] + SEGMENT_FIRST;
        if (inside)
            result[offset_of(letters, shape->result, index)] =
                operand[last].at[offset_of(letters, shape->letter[last], index)];
    } while (advance(letters, index, -1));
}

static void run_op(const OpShape *shape, OpKind op, const Letters *letters, const Array *operand, Number *result)
{
    int64_t index[OP_MAX_LETTERS] = {0}, elements = elements_of(letters, shape->result);
    for (int64_t i = 0; i < elements; i++)
        result[i] = number_of(0);
    for (int i = 0; i < letters->count; i++)
        if (letters->extent[i] == 0)
            return;
    if (shape->op_class == CLASS_WINDOW) {
        run_windows(shape, op, letters, operand, result);
        return;
    }
    if (shape->op_class == CLASS_VIEW && op != OP_VIEW) {
        run_segment(shape, letters, operand, result);
        return;
    }
    if (shape->op_class == CLASS_VIEW) {
        memcpy(result, operand[0].at, sizeof(Number) * (size_t)elements);
        return;
    }
    if (shape->kernel == NULL) {
        run_by_index(shape, letters, operand, result);
        return;
    }
    Run run = {shape, letters, operand, index, -1};
    bool row_is_kept = true;
    if (shape->op_class == CLASS_ROW) {
        char letter = shape->letter[0][strlen(shape->letter[0]) - 1];
        run.row = letter_number(letters, letter);
        row_is_kept = strchr(shape->result, letter) != NULL;
    }
    do {
        Number *to = &result[offset_of(letters, shape->result, index)];
        *to = plus(*to, value_of(&run, shape->kernel->result));
    } while (advance(letters, index, row_is_kept ? -1 : run.row));
}

/* ---- Encoding and decoding ---------------------------------------------------------------------------------- */

typedef struct Setting {
    Arena *arena;
    Mesh mesh;
    int ranks;
    int64_t coordinates[MAX_RANKS][STEP_MAX_AXES];
    OpKind op;
    OpShape shape;
    Letters letters; /* whole extents */
    int64_t sizes[STEP_MAX_OPERANDS + 1][STEP_MAX_DIMS];
} Setting;

/* One draw: the whole operands, and for each of the placements that were asked for the values of all ranks. */
typedef struct Draw {
    bool real;
    bool small;
    uint64_t seed;
    Number immediate[STEP_MAX_IMMEDIATES], scale;
    Number whole[STEP_MAX_OPERANDS + 1][MAX_ELEMENTS]; /* the result last */
} Draw;

static const char *dims_of(const Setting *s, int which)
{
    return which < s->shape.operand_count ? s->shape.letter[which] : s->shape.result;
}

static void enter(const Draw *draw)
{
    now.real = draw->real;
    now.scale = draw->scale;
    memcpy(now.immediate, draw->immediate, sizeof now.immediate);
}

static void start_draw(const Setting *s, Draw *draw, bool real, bool small, uint64_t seed)
{
    now.real = real;
    now.draw = seed;
    *draw = (Draw){.real = real, .small = small, .seed = seed};
    for (int i = 0; i < STEP_MAX_IMMEDIATES; i++)
        draw->immediate[i] = random_number(false);
    draw->scale = random_number(false);
    enter(draw);
    Array operand[STEP_MAX_OPERANDS];
    for (int i = 0; i < s->shape.operand_count; i++) {
        int64_t elements = elements_of(&s->letters, dims_of(s, i));
        assert_true(elements <= MAX_ELEMENTS);
        for (int64_t k = 0; k < elements; k++)
            draw->whole[i][k] = random_number(small);
        if (real && !small) /* scalars take both signs */
            draw->whole[i][0].real = copysign(draw->whole[i][0].real, seed >> 1 >> i & 1 ? -1 : 1);
        operand[i].at = draw->whole[i];
    }
    assert_true(elements_of(&s->letters, s->shape.result) <= MAX_ELEMENTS);
    run_op(&s->shape, s->op, &s->letters, operand, draw->whole[s->shape.operand_count]);
}

/* The number of a rank among those that differ on partial axes only. */
static int64_t addend_of(const Setting *s, const Placement *p, int rank)
{
    int64_t number = 0;
    for (int i = 0; i < p->axis_count; i++)
        if (p->axis[i].kind == PLACED_PARTIAL)
            number = number * s->mesh.axis[i].size + s->coordinates[rank][i];
    return number;
}

static int64_t addend_count(const Setting *s, const Placement *p, PartialOp *op, int64_t *average)
{
    int64_t count = 1;
    *op = PARTIAL_SUM;
    *average = 1;
    for (int i = 0; i < p->axis_count; i++) {
        if (p->axis[i].kind != PLACED_PARTIAL)
            continue;
        count *= s->mesh.axis[i].size;
        if (p->axis[i].op == PARTIAL_AVG)
            *average *= s->mesh.axis[i].size;
        else
            *op = p->axis[i].op;
    }
    return count;
}

/* addends[k] of the whole tensor. The rank that holds an extremum is another one from draw to draw, and operand to
 * operand. */
static void split(const Draw *draw, int operand, int64_t elements, int64_t count, PartialOp op, int64_t average,
                  Number **addends)
{
    for (int64_t i = 0; i < elements; i++) {
        Number whole = draw->whole[operand][i], rest = times(whole, number_of((double)average));
        for (int64_t k = 0; k < count; k++) {
            if (op == PARTIAL_MAX || op == PARTIAL_MIN) {
                double below = draw->small ? 1 + (double)(random_bits() % 2) : (double)(1 + random_bits() % 999) / 333;
                uint64_t holder = i == 0 ? draw->seed + (uint64_t)operand
                                         : mix(mix(8 * draw->seed + (uint64_t)operand) + (uint64_t)i);
                if (k == (int64_t)(holder % (uint64_t)count))
                    below = 0;
                addends[k][i] = (Number){.real = whole.real + (op == PARTIAL_MAX ? -below : below)};
                continue;
            }
            addends[k][i] = k == count - 1 ? rest : random_number(false);
            rest = plus(rest, times(addends[k][i], number_of(-1)));
        }
    }
}

/* The part of `whole` that a rank holds. */
static void cut(const Setting *s, const Placement *p, const int64_t *sizes, int rank, const Number *whole, Number *part)
{
    int64_t start[STEP_MAX_DIMS], extent[STEP_MAX_DIMS], index[STEP_MAX_DIMS] = {0}, elements = 1;
    for (int dim = 0; dim < p->dim_count; dim++) {
        extent[dim] = placement_extent(&s->mesh, p, dim, sizes[dim], s->coordinates[rank], &start[dim]);
        elements *= extent[dim];
    }
    for (int64_t i = 0; i < elements; i++) {
        int64_t offset = 0;
        for (int dim = 0; dim < p->dim_count; dim++)
            offset = offset * sizes[dim] + start[dim] + index[dim];
        part[i] = whole[offset];
        for (int dim = p->dim_count - 1; dim >= 0 && ++index[dim] == extent[dim]; dim--)
            index[dim] = 0;
    }
}

/* Placements of a value that is at a coordinate, as if it were replicated: what the other ranks hold is junk. */
static Placement everywhere(const Placement *p)
{
    Placement q = *p;
    for (int i = 0; i < p->axis_count; i++)
        if (p->axis[i].kind == PLACED_AT)
            q.axis[i] = on_replicated();
    return q;
}

static bool is_here(const Setting *s, const Placement *p, int rank)
{
    for (int i = 0; i < p->axis_count; i++)
        if (p->axis[i].kind == PLACED_AT && p->axis[i].coordinate != s->coordinates[rank][i])
            return false;
    return true;
}

/* The local values of all ranks. */
static void encode(const Setting *s, const Draw *draw, int operand, const Placement *p, Array *local)
{
    PartialOp op;
    int64_t average, count = addend_count(s, p, &op, &average);
    int64_t elements = elements_of(&s->letters, dims_of(s, operand));
    Arena *scratch = arena_new();
    Number **addends = arena_array(scratch, Number *, count);
    for (int64_t k = 0; k < count; k++)
        addends[k] = arena_array(scratch, Number, elements + 1);
    split(draw, operand, elements, count, op, average, addends);
    Placement q = everywhere(p);
    for (int rank = 0; rank < s->ranks; rank++) {
        cut(s, &q, s->sizes[operand], rank, addends[addend_of(s, p, rank)], local[rank].at);
        for (int64_t i = 0; i < elements && !is_here(s, p, rank); i++)
            local[rank].at[i] = random_number(draw->small);
    }
    arena_free(scratch);
}

/* The extents of all letters on a rank; false where operands or the result disagree. */
static bool local_letters(const Setting *s, const Placement *operands, const Placement *result, int rank,
                          Letters *letters)
{
    *letters = s->letters;
    bool known[OP_MAX_LETTERS] = {false};
    for (int i = 0; i <= s->shape.operand_count; i++) {
        Placement p = everywhere(i < s->shape.operand_count ? &operands[i] : result);
        const char *dims = dims_of(s, i);
        for (int dim = 0; dims[dim] != '\0'; dim++) {
            int letter = letter_number(letters, dims[dim]);
            int64_t start, extent = placement_extent(&s->mesh, &p, dim, s->sizes[i][dim], s->coordinates[rank], &start);
            if (known[letter] && letters->extent[letter] != extent)
                return false;
            letters->extent[letter] = extent;
            letters->start[letter] = start;
            known[letter] = true;
        }
    }
    return true;
}

/* Whether the local results make the whole one. */
static bool decodes(const Setting *s, const Draw *draw, const Placement *p, Array *local)
{
    PartialOp op;
    int64_t average;
    addend_count(s, p, &op, &average);
    const Number *whole = draw->whole[s->shape.operand_count];
    Number part[MAX_ELEMENTS];
    Placement q = everywhere(p);
    for (int rank = 0; rank < s->ranks; rank++) {
        if (!is_here(s, p, rank) || addend_of(s, p, rank) != 0)
            continue;
        const int64_t *sizes = s->sizes[s->shape.operand_count];
        cut(s, &q, sizes, rank, whole, part);
        int64_t elements = placement_elements_at(&s->mesh, &q, sizes, s->coordinates[rank]);
        for (int64_t i = 0; i < elements; i++) {
            Number sum = local[rank].at[i];
            for (int other = 0; other < s->ranks; other++) {
                bool joined = addend_of(s, p, other) != 0;
                for (int axis = 0; axis < p->axis_count; axis++)
                    joined = joined && (p->axis[axis].kind == PLACED_PARTIAL ||
                                        s->coordinates[other][axis] == s->coordinates[rank][axis]);
                if (joined)
                    sum = op == PARTIAL_SUM ? plus(sum, local[other].at[i]) : extreme(op, sum, local[other].at[i]);
            }
            if (!equal(over(sum, average), part[i]))
                return false;
        }
    }
    return true;
}

static bool uses_extremum(const Placement *p)
{
    for (int i = 0; i < p->axis_count; i++)
        if (p->axis[i].kind == PLACED_PARTIAL && p->axis[i].op >= PARTIAL_MAX)
            return true;
    return false;
}

enum { MAX_RESULTS = 64 };

/* Placements of the result that are tried for the same operands. */
typedef struct Results {
    int count;
    Placement placement[MAX_RESULTS];
    bool valid[MAX_RESULTS];
} Results;

typedef struct Trial {
    const Setting *s;
    const Placement *operands;
    Results *results;
    Letters letters[MAX_RESULTS][MAX_RANKS];
    bool real[MAX_RESULTS];
    bool any_shape; /* the result has letters of its own: its placement says how long they are */
} Trial;

static bool has_own_letters(const OpShape *shape)
{
    for (const char *at = shape->result; *at != '\0'; at++) {
        bool found = false;
        for (int i = 0; i < shape->operand_count; i++)
            found = found || strchr(shape->letter[i], *at) != NULL;
        if (!found)
            return true;
    }
    return false;
}

/* Leaves those results as valid whose shapes fit. */
static void start_trial(Trial *t)
{
    const Setting *s = t->s;
    bool operands_fit = true, real = false;
    for (int i = 0; i < s->shape.operand_count; i++) {
        real = real || uses_extremum(&t->operands[i]);
        operands_fit = operands_fit && placement_fault(&s->mesh, &t->operands[i]) == NULL;
    }
    for (int i = 0; i < t->results->count; i++) {
        const Placement *result = &t->results->placement[i];
        bool fits = operands_fit && placement_fault(&s->mesh, result) == NULL;
        for (int rank = 0; rank < s->ranks && fits; rank++)
            fits = local_letters(s, t->operands, result, rank, &t->letters[i][rank]);
        t->results->valid[i] = fits;
        t->real[i] = real || uses_extremum(result);
    }
    t->any_shape = has_own_letters(&s->shape);
}

/* One draw, for the results that need this arithmetic. */
static void try_draw(Trial *t, const Draw *draw)
{
    static Number store[STEP_MAX_OPERANDS + 1][MAX_RANKS][MAX_ELEMENTS];
    const Setting *s = t->s;
    int operand_count = s->shape.operand_count;
    Array local[STEP_MAX_OPERANDS + 1][MAX_RANKS], of_rank[STEP_MAX_OPERANDS];
    bool encoded = false;
    enter(draw);
    now.draw = draw->seed + 99;
    for (int i = 0; i <= operand_count; i++)
        for (int rank = 0; rank < s->ranks; rank++)
            local[i][rank].at = store[i][rank];
    for (int i = 0; i < t->results->count; i++) {
        if (!t->results->valid[i] || t->real[i] != draw->real)
            continue;
        for (int operand = 0; operand < operand_count && !encoded; operand++)
            encode(s, draw, operand, &t->operands[operand], local[operand]);
        for (int rank = 0; rank < s->ranks && (!encoded || t->any_shape); rank++) {
            for (int operand = 0; operand < operand_count; operand++)
                of_rank[operand] = local[operand][rank];
            run_op(&s->shape, s->op, &t->letters[i][rank], of_rank, local[operand_count][rank].at);
        }
        encoded = true;
        t->results->valid[i] = decodes(s, draw, &t->results->placement[i], local[operand_count]);
    }
}

/* For which results the operands, placed so, make them in every draw. */
static void try_results(const Setting *s, const Draw *draws, const Placement *operands, Results *results)
{
    Trial t = {.s = s, .operands = operands, .results = results};
    start_trial(&t);
    for (int i = 0; i < 2 * DRAWS; i++)
        try_draw(&t, &draws[i]);
}

/* ---- One axis ----------------------------------------------------------------------------------------------- */

static void set_extent(Letters *letters, int i, int64_t extent)
{
    letters->extent[i] = letters->whole[i] = extent;
}

static void add_letters(Letters *letters, const char *dims, const int64_t *extents)
{
    for (; *dims != '\0'; dims++)
        if (letter_number(letters, *dims) < 0) {
            letters->letter[letters->count] = *dims;
            set_extent(letters, letters->count, extents[letters->count % 2]);
            letters->count++;
        }
}

/* Letters whose extents are not free: of grids, and of a view's dims that become one. */
static void bind_letters(const Case *one, const OpShape *shape, Letters *letters)
{
    if (shape->op_class == CLASS_WINDOW) {
        WindowRoles roles = op_window_roles(one->op);
        const int arrays[3] = {roles.input, roles.window, roles.output};
        const int64_t extents[3] = {3, WINDOW, window_places(3, WINDOW, STRIDE, PAD)};
        for (int i = 0; i < 3; i++) {
            int grid[2];
            if (arrays[i] == WINDOW_NONE)
                continue;
            grid_of(shape, letters, arrays[i], grid);
            set_extent(letters, grid[0], extents[i]);
            set_extent(letters, grid[1], extents[i]);
        }
    }
    if (shape->op_class == CLASS_VIEW && one->op != OP_VIEW)
        set_extent(letters, letter_number(letters, 'f'),
                   letters->extent[letter_number(letters, 'h')] + SEGMENT_FIRST + 1);
    if (one->op == OP_VIEW) { /* f is h and d */
        int64_t h = letters->extent[letter_number(letters, 'h')], d = letters->extent[letter_number(letters, 'd')];
        set_extent(letters, letter_number(letters, 'f'), h * d);
    }
}

static Setting setting_of(Arena *arena, const Case *one, const Mesh *mesh, const int64_t *extents)
{
    Setting s = {.arena = arena, .mesh = *mesh, .ranks = (int)mesh_ranks(mesh)};
    s.shape = case_shape(arena, one);
    s.op = one->op;
    for (int rank = 0; rank < s.ranks; rank++)
        for (int i = mesh->axis_count - 1, rest = rank; i >= 0; i--) {
            s.coordinates[rank][i] = rest % mesh->axis[i].size;
            rest /= (int)mesh->axis[i].size;
        }
    for (int i = 0; i <= s.shape.operand_count; i++)
        add_letters(&s.letters, dims_of(&s, i), extents);
    bind_letters(one, &s.shape, &s.letters);
    for (int i = 0; i <= s.shape.operand_count; i++)
        for (int dim = 0; dims_of(&s, i)[dim] != '\0'; dim++)
            s.sizes[i][dim] = s.letters.extent[letter_number(&s.letters, dims_of(&s, i)[dim])];
    return s;
}

static Draw *draws_of(Arena *arena, const Setting *s)
{
    Draw *draws = arena_array(arena, Draw, 2 * DRAWS);
    for (int i = 0; i < 2 * DRAWS; i++)
        start_draw(s, &draws[i], i >= DRAWS, i % 2 == 1, 1000 + (uint64_t)i);
    return draws;
}

/* The placements on one axis of a tensor of so many dims, of the kinds that are wanted. */
static int placements_on_axis(int dim_count, unsigned wanted, OnAxis *list)
{
    int count = 0;
    list[count++] = on_replicated();
    for (int dim = 0; dim < dim_count; dim++)
        list[count++] = on_sharded(dim);
    for (int op = PARTIAL_SUM; op < (wanted & SIGNATURE_EXTREMUM ? PARTIAL_COUNT : PARTIAL_AVG); op++)
        list[count++] = on_partial((PartialOp)op);
    if (wanted & SIGNATURE_AT)
        list[count++] = on_coordinate(1);
    return count;
}

enum { MAX_ON_AXIS = STEP_MAX_DIMS + PARTIAL_COUNT + 2 };

/* All tuples of placements of the operands on one axis, one after the other. */
typedef struct Tuple {
    const OpShape *shape;
    int count[STEP_MAX_OPERANDS], at[STEP_MAX_OPERANDS];
    OnAxis list[STEP_MAX_OPERANDS][MAX_ON_AXIS];
} Tuple;

static Tuple first_tuple(const OpShape *shape, unsigned wanted)
{
    Tuple tuple = {.shape = shape};
    for (int i = 0; i < shape->operand_count; i++)
        tuple.count[i] = placements_on_axis((int)strlen(shape->letter[i]), wanted, tuple.list[i]);
    return tuple;
}

static bool next_tuple(Tuple *tuple)
{
    for (int i = 0; i < tuple->shape->operand_count; i++) {
        if (++tuple->at[i] < tuple->count[i])
            return true;
        tuple->at[i] = 0;
    }
    return false;
}

static OnAxis tuple_operand(const Tuple *tuple, int i)
{
    return tuple->list[i][tuple->at[i]];
}

/* What the generator gives for these operands: a result of the kind; -1 coordinates are 1 here. */
static bool is_generated(const SignatureVec *list, const Tuple *tuple, OnAxis result)
{
    for (int i = 0; i < list->count; i++) {
        OnAxis on = list->data[i].result;
        bool same = on_axis_equal(on.kind == PLACED_AT ? on_coordinate(1) : on, result);
        for (int k = 0; k < tuple->shape->operand_count && same; k++) {
            on = list->data[i].operand[k];
            same = on_axis_equal(on.kind == PLACED_AT ? on_coordinate(1) : on, tuple_operand(tuple, k));
        }
        if (same)
            return true;
    }
    return false;
}

static void print_tuple(const Setting *s, const Case *one, const char *what, const Tuple *tuple, OnAxis result)
{
    print_error("%s \"%s\" on %d: %s:", case_name(one), one->spec, s->ranks, what);
    for (int i = 0; i < s->shape.operand_count; i++)
        print_error(" %s", on_axis_print(s->arena, tuple_operand(tuple, i), NULL));
    print_error(" -> %s\n", on_axis_print(s->arena, result, NULL));
}

static Placement on_one_axis(const Setting *s, OnAxis on, int dim_count)
{
    Placement p = placement_replicated(&s->mesh, dim_count);
    placement_set(&p, 0, on);
    return p;
}

/* What is replicated is also an average, an extremum, and at a coordinate. */
static void leave_out_implied(const OnAxis *on, Results *results)
{
    for (int i = 1; i < results->count && results->valid[0]; i++)
        if (on[i].kind != PLACED_SHARDED)
            results->valid[i] = false;
}

/* Valid, because the factor of the cotangent is positive: facts are about the shape of a body, not about signs. */
static bool is_by_sign(const Case *one, const Tuple *tuple)
{
    OnAxis on = one->op == OP_LOG_SUM_EXP_BWD ? tuple_operand(tuple, 1) : on_replicated();
    return on.kind == PLACED_PARTIAL && (on.op == PARTIAL_MAX || on.op == PARTIAL_MIN);
}

/* Valid, but the column `coupled` does not let the letter be cut. */
static bool is_forbidden(const Setting *s, const Case *one, const Tuple *tuple)
{
    OnAxis on = one->op == OP_ROW_MAX ? tuple_operand(tuple, 0) : on_replicated();
    return on.kind == PLACED_SHARDED && op_letter_is_coupled(&s->shape, s->shape.letter[0][on.dim]);
}

/* How many differences there are. */
static int compare_on_one_axis(const Case *one, int64_t n, const int64_t *extents, unsigned even, int *found)
{
    Arena *arena = arena_new();
    Mesh mesh = {.axis_count = 1, .axis = {{"a", n}}};
    Setting s = setting_of(arena, one, &mesh, extents);
    Draw *draws = draws_of(arena, &s);
    /* At a coordinate is where any operator may run: that is tried with few operands. */
    unsigned wanted = s.shape.operand_count <= 3 ? SIGNATURE_ALL : SIGNATURE_ALL & ~SIGNATURE_AT;
    if (s.shape.operand_count > 6)
        wanted = SIGNATURE_SHARDED | SIGNATURE_SUM;
    SignatureVec list = signatures_of(arena, &s.shape, wanted | even);
    OnAxis on[MAX_ON_AXIS];
    int wrong = 0, result_dims = (int)strlen(s.shape.result);
    Results results = {.count = placements_on_axis(result_dims, wanted, on)};
    for (int i = 0; i < results.count; i++)
        results.placement[i] = on_one_axis(&s, on[i], result_dims);
    Tuple tuple = first_tuple(&s.shape, wanted);
    do {
        Placement operands[STEP_MAX_OPERANDS];
        for (int i = 0; i < s.shape.operand_count; i++)
            operands[i] = on_one_axis(&s, tuple_operand(&tuple, i), (int)strlen(dims_of(&s, i)));
        try_results(&s, draws, operands, &results);
        leave_out_implied(on, &results);
        for (int i = 0; i < results.count; i++) {
            bool given = is_generated(&list, &tuple, on[i]);
            if (results.valid[i] && !given && (is_forbidden(&s, one, &tuple) || is_by_sign(one, &tuple)))
                continue;
            *found += results.valid[i];
            if (results.valid[i] != given)
                print_tuple(&s, one, given ? "not valid" : "not generated", &tuple, on[i]);
            wrong += results.valid[i] != given;
        }
    } while (next_tuple(&tuple));
    arena_free(arena);
    return wrong;
}

static void every_operator_has_a_case(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    for (int kind = 0; kind < OP_COUNT; kind++) {
        bool has_case = false;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            has_case = has_case || cases[i].op == (OpKind)kind;
        if (has_case == has_no_body((OpKind)kind))
            fail_msg("operator '%s' needs a representative spec in `cases`", op_info[kind].name);
        OpShape shape = {.op_class = op_info[kind].op_class, .operand_count = op_info[kind].operands, .coupled = "-"};
        if (shape.op_class == CLASS_MOVE || shape.op_class == CLASS_COMM || shape.op_class == CLASS_SINK)
            assert_int_equal(signatures_of(arena, &shape, SIGNATURE_ALL).count, 0);
    }
    arena_free(arena);
}

/* Uneven cuts: nothing that needs equal shards is found. */
static void equals_what_is_found_on_one_axis(void **state)
{
    (void)state;
    static const int64_t extents[2][2] = {{3, 5}, {4, 5}};
    int wrong = 0, found = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int n = 2; n <= 3; n++)
            wrong += compare_on_one_axis(&cases[i], n, extents[n - 2], 0, &found);
    print_message("%d signatures\n", found);
    assert_int_equal(wrong, 0);
}

/* Where all dims are cut into equal shards, views pass cuts of their outermost changed dims. */
static void views_pass_even_cuts(void **state)
{
    (void)state;
    static const int64_t even[2][2] = {{2, 4}, {3, 3}}, uneven[2][2] = {{3, 5}, {4, 5}};
    int wrong = 0, found[2] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int n = 2; n <= 3 && cases[i].op == OP_VIEW; n++) {
            wrong += compare_on_one_axis(&cases[i], n, even[n - 2], SIGNATURE_EVEN, &found[0]);
            compare_on_one_axis(&cases[i], n, uneven[n - 2], 0, &found[1]);
        }
    assert_int_equal(wrong, 0);
    assert_int_equal(found[0] - found[1], 4); /* one for each view and number of ranks */
}

/* ---- Two axes ----------------------------------------------------------------------------------------------- */

typedef struct Pair {
    const Case *one;
    Setting s;
    Draw *draws;
    SignatureVec list;
    Tuple tuple[2];
    OnAxis result_on[MAX_RESULTS][2];
    bool result_turned[MAX_RESULTS]; /* the second axis outside of the first */
    Results results;
    int wrong, found;
} Pair;

/* On both axes; where both cut one dim, in that order or turned. */
static Placement on_two_axes(const Setting *s, OnAxis first, OnAxis second, bool turned, int dim_count)
{
    Placement p = placement_replicated(&s->mesh, dim_count);
    placement_set(&p, turned ? 1 : 0, turned ? second : first);
    placement_set(&p, turned ? 0 : 1, turned ? first : second);
    return p;
}

static bool cut_one_dim(OnAxis x, OnAxis y)
{
    return x.kind == PLACED_SHARDED && on_axis_equal(x, y);
}

static void list_results(Pair *pair)
{
    OnAxis on[MAX_ON_AXIS];
    int dims = (int)strlen(pair->s.shape.result), count = placements_on_axis(dims, SIGNATURE_SUM, on);
    Results *results = &pair->results;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            for (int turned = 0; turned <= (cut_one_dim(on[i], on[k]) ? 1 : 0); turned++) {
                assert_true(results->count < MAX_RESULTS);
                results->placement[results->count] = on_two_axes(&pair->s, on[i], on[k], turned, dims);
                pair->result_on[results->count][0] = on[i];
                pair->result_on[results->count][1] = on[k];
                pair->result_turned[results->count++] = turned;
            }
}

/* Operands that both axes cut along one dim are turned where `turns` has their bit. */
static void try_pair(Pair *pair, unsigned turns, unsigned both)
{
    Placement operands[STEP_MAX_OPERANDS];
    const Setting *s = &pair->s;
    for (int i = 0; i < s->shape.operand_count; i++)
        operands[i] = on_two_axes(s, tuple_operand(&pair->tuple[0], i), tuple_operand(&pair->tuple[1], i),
                                  turns >> i & 1, (int)strlen(dims_of(s, i)));
    try_results(s, pair->draws, operands, &pair->results);
    for (int i = 0; i < pair->results.count; i++) {
        OnAxis first = pair->result_on[i][0], second = pair->result_on[i][1];
        bool given = is_generated(&pair->list, &pair->tuple[0], first) &&
                     is_generated(&pair->list, &pair->tuple[1], second) && (turns == 0 || turns == both);
        if (both != 0 && cut_one_dim(first, second))
            given = given && pair->result_turned[i] == (turns != 0);
        pair->found += pair->results.valid[i];
        if (pair->results.valid[i] == given)
            continue;
        pair->wrong++;
        print_tuple(s, pair->one, given ? "not valid, first axis" : "not generated, first axis", &pair->tuple[0],
                    first);
        print_tuple(s, pair->one, pair->result_turned[i] ? "  turned second" : "  second", &pair->tuple[1], second);
    }
}

static bool has_signature(const Pair *pair, int axis)
{
    for (int i = 0; i < pair->results.count; i++)
        if (is_generated(&pair->list, &pair->tuple[axis], pair->result_on[i][axis]))
            return true;
    return false;
}

static void try_turns(Pair *pair)
{
    unsigned both = 0;
    for (int i = 0; i < pair->s.shape.operand_count; i++)
        if (cut_one_dim(tuple_operand(&pair->tuple[0], i), tuple_operand(&pair->tuple[1], i)))
            both |= 1U << i;
    for (unsigned turns = 0; turns <= both; turns++)
        if ((turns & both) == turns)
            try_pair(pair, turns, both);
}

static Pair *pair_of(Arena *arena, const Case *one, unsigned wanted)
{
    static const int64_t extents[2] = {5, 5}; /* nested over 2 x 3: 1 1 1, 1 1 0 */
    Mesh mesh = {.axis_count = 2, .axis = {{"a", 2}, {"b", 3}}};
    Pair *pair = arena_make(arena, Pair);
    pair->one = one;
    pair->s = setting_of(arena, one, &mesh, extents);
    pair->draws = draws_of(arena, &pair->s);
    pair->list = signatures_of(arena, &pair->s.shape, wanted);
    return pair;
}

/* Every pair of tuples; of operators with many operands those where one of the two has a signature. */
/* One in every so many operators is tried on two axes: all, but under the sanitizers, which look for faults of memory.
 */
#ifdef __SANITIZE_ADDRESS__
enum { TRIED_EVERY = 6 };
#else
enum { TRIED_EVERY = 1 };
#endif

static void equals_what_is_found_on_two_axes(void **state)
{
    (void)state;
    int wrong = 0, found = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += TRIED_EVERY) {
        Arena *arena = arena_new();
        Pair *pair = pair_of(arena, &cases[i], SIGNATURE_SHARDED | SIGNATURE_SUM);
        list_results(pair);
        pair->tuple[0] = first_tuple(&pair->s.shape, SIGNATURE_SUM);
        do {
            bool first = pair->s.shape.operand_count <= 2 || has_signature(pair, 0);
            pair->tuple[1] = first_tuple(&pair->s.shape, SIGNATURE_SUM);
            do {
                if (first || has_signature(pair, 1))
                    try_turns(pair);
            } while (next_tuple(&pair->tuple[1]));
        } while (next_tuple(&pair->tuple[0]));
        wrong += pair->wrong;
        found += pair->found;
        arena_free(arena);
    }
    print_message("%d products\n", found);
    assert_int_equal(wrong, 0);
}

static OnAxis at_one(OnAxis on)
{
    return on.kind == PLACED_AT ? on_coordinate(1) : on;
}

/* Averages, extrema, values at one coordinate: every product of two signatures that is a placement holds. */
static int try_product(const Pair *pair, const Signature *first, const Signature *second, int *tried)
{
    const Setting *s = &pair->s;
    Placement operands[STEP_MAX_OPERANDS];
    Results results = {.count = 1};
    bool fault = false;
    for (int i = 0; i < s->shape.operand_count; i++) {
        operands[i] =
            on_two_axes(s, at_one(first->operand[i]), at_one(second->operand[i]), false, (int)strlen(dims_of(s, i)));
        fault = fault || placement_fault(&s->mesh, &operands[i]) != NULL;
    }
    results.placement[0] =
        on_two_axes(s, at_one(first->result), at_one(second->result), false, (int)strlen(s->shape.result));
    if (fault || placement_fault(&s->mesh, &results.placement[0]) != NULL)
        return 0;
    try_results(s, pair->draws, operands, &results);
    ++*tried;
    if (!results.valid[0])
        print_error("%s \"%s\": no product of\n  %s\n  %s\n", case_name(pair->one), pair->one->spec,
                    signature_print(s->arena, &s->shape, first), signature_print(s->arena, &s->shape, second));
    return !results.valid[0];
}

static void products_of_all_kinds_hold(void **state)
{
    (void)state;
    int wrong = 0, tried = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += TRIED_EVERY) {
        Arena *arena = arena_new();
        bool few = operand_count_of(cases[i].spec) <= 3;
        Pair *pair = pair_of(arena, &cases[i], few ? SIGNATURE_ALL : SIGNATURE_ALL & ~SIGNATURE_AT);
        for (int first = 0; first < pair->list.count; first++)
            for (int second = 0; second < pair->list.count; second++)
                wrong += try_product(pair, &pair->list.data[first], &pair->list.data[second], &tried);
        arena_free(arena);
    }
    print_message("%d products\n", tried);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operator_has_a_case),  cmocka_unit_test(equals_what_is_found_on_one_axis),
        cmocka_unit_test(views_pass_even_cuts),       cmocka_unit_test(equals_what_is_found_on_two_axes),
        cmocka_unit_test(products_of_all_kinds_hold),
    };
    cmocka_set_test_filter(getenv("TEST")); /* one alone (tests/closed.sh) */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
