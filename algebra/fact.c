/* fact.c - one pass over a kernel's nodes per fact; every node comes after its arguments. */
#include "algebra/fact.h"

enum { FACT_MAX_NODES = 128 };

static const KernelNode *node_of(const Kernel *kernel, int i)
{
    return &kernel->nodes[i];
}

static void check_size(const Kernel *kernel)
{
    if (kernel->node_count > FACT_MAX_NODES)
        BUG("the body of '%s' has %d nodes", op_info[kernel->op].name, kernel->node_count);
}

/* ---- Linearity ---------------------------------------------------------------------------------------------- */

static Linearity of_leaf(const KernelNode *node, unsigned of)
{
    if (node->kind == KERNEL_OPERAND)
        return of >> node->index & 1 ? LINEARITY_LINEAR : LINEARITY_CONSTANT;
    return node->kind == KERNEL_NUMBER && node->number == 0 ? LINEARITY_ZERO : LINEARITY_CONSTANT;
}

/* The linearity of x + y, and of a choice between them that does not depend on the set. */
static Linearity of_sum(Linearity x, Linearity y)
{
    if (x == LINEARITY_ZERO || x == y)
        return y;
    if (y == LINEARITY_ZERO)
        return x;
    return x == LINEARITY_NONE || y == LINEARITY_NONE ? LINEARITY_NONE : LINEARITY_AFFINE;
}

static Linearity of_product(Linearity x, Linearity y)
{
    if (x == LINEARITY_ZERO || y == LINEARITY_ZERO)
        return LINEARITY_ZERO;
    if (x == LINEARITY_CONSTANT)
        return y;
    return y == LINEARITY_CONSTANT ? x : LINEARITY_NONE;
}

static bool is_fixed(Linearity x)
{
    return x == LINEARITY_ZERO || x == LINEARITY_CONSTANT;
}

static Linearity of_node(const KernelNode *node, const Linearity *value)
{
    Linearity x = value[node->argument[0]];
    Linearity y = node->argument_count > 1 ? value[node->argument[1]] : LINEARITY_CONSTANT;
    bool fixed = true;
    for (int i = 0; i < node->argument_count; i++)
        fixed = fixed && is_fixed(value[node->argument[i]]);
    switch (node->kind) {
    case KERNEL_ADD:
    case KERNEL_SUB:
        return of_sum(x, y);
    case KERNEL_MUL:
        return of_product(x, y);
    case KERNEL_DIV:
        return is_fixed(y) ? x : LINEARITY_NONE;
    case KERNEL_NEGATE:
    case KERNEL_ROW_SUM:
    case KERNEL_ACROSS:
        return x;
    case KERNEL_WHERE:
        return is_fixed(x) ? of_sum(y, value[node->argument[2]]) : LINEARITY_NONE;
    default:
        return fixed ? LINEARITY_CONSTANT : LINEARITY_NONE;
    }
}

Linearity fact_linearity(const Kernel *kernel, unsigned of)
{
    Linearity value[FACT_MAX_NODES];
    check_size(kernel);
    for (int i = 0; i < kernel->node_count; i++) {
        const KernelNode *node = node_of(kernel, i);
        value[i] = node->argument_count == 0 ? of_leaf(node, of) : of_node(node, value);
    }
    return value[kernel->result];
}

/* ---- Extrema ------------------------------------------------------------------------------------------------ */

/* What a node becomes if the set is a partial extremum: unchanged (it is fixed), a partial max, a partial min, or
 * neither. */
typedef enum Extreme { EXTREME_FIXED, EXTREME_MAX, EXTREME_MIN, EXTREME_NONE } Extreme;

typedef struct Extremum {
    Extreme extreme;
    bool scalar; /* a function of one element of one operand: sums of these keep the extreme */
    int sign;    /* of a fixed number: 1 if known to be > 0, -1 if < 0; else 0 */
} Extremum;

static const Extremum neither = {EXTREME_NONE, false, 0};

static Extremum turned(Extremum x)
{
    if (x.extreme == EXTREME_MAX || x.extreme == EXTREME_MIN)
        x.extreme = x.extreme == EXTREME_MAX ? EXTREME_MIN : EXTREME_MAX;
    x.sign = -x.sign;
    return x;
}

/* If both directions agree and no elements of other operands or positions are combined, or if one side is fixed. */
static Extremum together(Extremum x, Extremum y)
{
    if (x.extreme == EXTREME_FIXED)
        return (Extremum){y.extreme, y.scalar, x.sign == y.sign ? x.sign : 0};
    if (y.extreme == EXTREME_FIXED)
        return (Extremum){x.extreme, x.scalar, 0};
    return x.extreme == y.extreme && x.scalar && y.scalar ? x : neither;
}

static Extremum picked(Extremum x, Extremum y, Extreme by)
{
    Extremum both = together(x, y);
    if (both.extreme == EXTREME_NONE && x.extreme == by && y.extreme == by)
        return (Extremum){by, false, 0};
    return both;
}

static Extremum chosen(Extremum x, Extremum y)
{
    Extremum both = together(x, y);
    if (both.extreme == EXTREME_NONE && x.extreme == y.extreme)
        return (Extremum){x.extreme, false, 0};
    return both;
}

static Extremum scaled(Extremum x, Extremum y)
{
    if (x.extreme == EXTREME_FIXED && y.extreme == EXTREME_FIXED)
        return (Extremum){EXTREME_FIXED, true, x.sign * y.sign};
    Extremum factor = x.extreme == EXTREME_FIXED ? x : y, other = x.extreme == EXTREME_FIXED ? y : x;
    if (factor.extreme != EXTREME_FIXED || factor.sign == 0)
        return neither;
    return factor.sign > 0 ? other : turned(other);
}

static bool same_node(const Kernel *kernel, int i, int j)
{
    const KernelNode *x = node_of(kernel, i), *y = node_of(kernel, j);
    if (x->kind != y->kind || x->index != y->index || x->number != y->number)
        return false;
    for (int k = 0; k < x->argument_count; k++)
        if (!same_node(kernel, x->argument[k], y->argument[k]))
            return false;
    return true;
}

/* What where(x > y, x, y) and similar choices pick: the larger or the smaller; EXTREME_NONE for other choices. */
static Extreme picked_by(const Kernel *kernel, const KernelNode *where)
{
    const KernelNode *condition = node_of(kernel, where->argument[0]);
    bool greater = condition->kind == KERNEL_GREATER || condition->kind == KERNEL_GREATER_EQUAL;
    if (!greater && condition->kind != KERNEL_LESS && condition->kind != KERNEL_LESS_EQUAL)
        return EXTREME_NONE;
    int x = condition->argument[0], y = condition->argument[1];
    if (same_node(kernel, x, where->argument[1]) && same_node(kernel, y, where->argument[2]))
        return greater ? EXTREME_MAX : EXTREME_MIN;
    if (same_node(kernel, y, where->argument[1]) && same_node(kernel, x, where->argument[2]))
        return greater ? EXTREME_MIN : EXTREME_MAX;
    return EXTREME_NONE;
}

static Extremum extremum_of_leaf(const KernelNode *node, unsigned max_of, unsigned min_of)
{
    unsigned all = max_of | min_of;
    if (node->kind == KERNEL_OPERAND && all >> node->index & 1)
        return (Extremum){max_of >> node->index & 1 ? EXTREME_MAX : EXTREME_MIN, (all & (all - 1)) == 0, 0};
    int sign = node->kind == KERNEL_COLS ? 1 : 0;
    if (node->kind == KERNEL_NUMBER)
        sign = (node->number > 0) - (node->number < 0);
    return (Extremum){EXTREME_FIXED, true, sign};
}

static Extremum extremum_of_node(const Kernel *kernel, const KernelNode *node, const Extremum *value)
{
    Extremum x = value[node->argument[0]];
    Extremum y = node->argument_count > 1 ? value[node->argument[1]] : x;
    Extremum z = node->argument_count > 2 ? value[node->argument[2]] : y;
    if (x.extreme == EXTREME_FIXED && y.extreme == EXTREME_FIXED && z.extreme == EXTREME_FIXED &&
        node->kind != KERNEL_MUL && node->kind != KERNEL_DIV && node->kind != KERNEL_NEGATE)
        return (Extremum){EXTREME_FIXED, true, node->kind == KERNEL_EXP ? 1 : 0};
    switch (node->kind) {
    case KERNEL_ADD:
        return together(x, y);
    case KERNEL_SUB:
    case KERNEL_GREATER:
    case KERNEL_GREATER_EQUAL:
        return together(x, turned(y));
    case KERNEL_LESS:
    case KERNEL_LESS_EQUAL:
        return together(turned(x), y);
    case KERNEL_NEGATE:
        return turned(x);
    case KERNEL_MUL:
        return scaled(x, y);
    case KERNEL_DIV:
        return y.extreme == EXTREME_FIXED ? scaled(x, y) : neither;
    case KERNEL_MAX2:
        return picked(x, y, EXTREME_MAX);
    case KERNEL_MIN:
        return picked(x, y, EXTREME_MIN);
    case KERNEL_WHERE:
        if (picked_by(kernel, node) != EXTREME_NONE)
            return picked(y, z, picked_by(kernel, node));
        return x.extreme == EXTREME_FIXED ? chosen(y, z) : neither;
    case KERNEL_EXP:
    case KERNEL_LOG:
    case KERNEL_SQRT:
    case KERNEL_TANH:
        return (Extremum){x.extreme, x.scalar, 0};
    case KERNEL_ROW_MAX:
        return x.extreme == EXTREME_MAX ? (Extremum){EXTREME_MAX, false, 0} : neither;
    case KERNEL_ACROSS:
        return (Extremum){x.extreme, false, 0};
    default:
        return neither;
    }
}

bool fact_extremum(const Kernel *kernel, unsigned max_of, unsigned min_of, PartialOp *result)
{
    Extremum value[FACT_MAX_NODES];
    check_size(kernel);
    for (int i = 0; i < kernel->node_count; i++) {
        const KernelNode *node = node_of(kernel, i);
        value[i] =
            node->argument_count == 0 ? extremum_of_leaf(node, max_of, min_of) : extremum_of_node(kernel, node, value);
    }
    Extreme extreme = value[kernel->result].extreme;
    *result = extreme == EXTREME_MAX ? PARTIAL_MAX : PARTIAL_MIN;
    return extreme == EXTREME_MAX || extreme == EXTREME_MIN;
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

static bool looks_at_row(KernelKind kind)
{
    return kernel_is_row_function(kind) || kind == KERNEL_ACROSS || kind == KERNEL_COL || kind == KERNEL_COLS;
}

static bool sees_row(const Kernel *kernel, int i)
{
    const KernelNode *node = node_of(kernel, i);
    if (looks_at_row(node->kind))
        return true;
    for (int k = 0; k < node->argument_count; k++)
        if (sees_row(kernel, node->argument[k]))
            return true;
    return false;
}

bool fact_row_parts(const Kernel *kernel, PartialOp *op)
{
    const KernelNode *node = node_of(kernel, kernel->result);
    bool mean = node->kind == KERNEL_DIV && node_of(kernel, node->argument[1])->kind == KERNEL_COLS;
    if (mean)
        node = node_of(kernel, node->argument[0]);
    bool is_sum = node->kind == KERNEL_ROW_SUM;
    if (!is_sum && (mean || node->kind != KERNEL_ROW_MAX))
        return false;
    *op = mean ? PARTIAL_AVG : is_sum ? PARTIAL_SUM : PARTIAL_MAX;
    return !sees_row(kernel, node->argument[0]);
}

bool fact_needs_row(const Kernel *kernel)
{
    return sees_row(kernel, kernel->result);
}
