/* llvm_body.c - the scalar program of a kernel at one position of its iteration space.
 *
 * A node that depends only on numbers, immediates, extents and scalar operands is *uniform*: it is computed once, in
 * double, so that 1 - beta keeps its digits. Everything else is computed in the kernel's own type. Repeated loads and
 * subexpressions are left to the optimiser, which merges them.
 */
#include "codegen/llvm_lower.h"

#include <math.h>

static LLVMValueRef evaluate(Lower *lower, const Position *position, int node, LLVMTypeRef type);

static const KernelNode *node_at(const Lower *lower, int node)
{
    return &lower->spec->body->nodes[node];
}

static bool is_uniform(const Lower *lower, int node)
{
    const KernelNode *n = node_at(lower, node);
    if (n->kind == KERNEL_OPERAND)
        return lower->spec->operand[n->index].dim_count == 0;
    if (n->kind == KERNEL_COL || kernel_is_row_function(n->kind))
        return false;
    for (int i = 0; i < n->argument_count; i++) {
        if (!is_uniform(lower, n->argument[i]))
            return false;
    }
    return true;
}

int body_level(const Kernel *body, int node)
{
    const KernelNode *n = &body->nodes[node];
    int level = 0;
    for (int i = 0; i < n->argument_count; i++) {
        int of_argument = body_level(body, n->argument[i]);
        level = of_argument > level ? of_argument : level;
    }
    return level + kernel_is_row_function(n->kind);
}

/* How far an array goes in one of its dims. */
static LLVMValueRef length_in(Lower *lower, const KernelArray *array, int position)
{
    const KernelSpec *spec = lower->spec;
    if (!array->has_room[position])
        return lower->extent[array->dims[position]];
    return array == &spec->out || array->in_place ? lower->out_room[position]
                                                  : lower->operand_room[array - spec->operand][position];
}

/* Row-major: ((i0 n1) + i1) n2 + i2 ... over the array's own dims. */
LLVMValueRef body_address(Lower *lower, const KernelArray *array, LLVMValueRef pointer, const Position *position)
{
    LLVMValueRef offset = emit_integer(lower, 0);
    for (int d = 0; d < array->dim_count; d++) {
        int dim = array->dims[d];
        if (d > 0)
            offset = emit_index_multiply(lower, offset, length_in(lower, array, d));
        offset = d > 0 ? emit_index_add(lower, offset, position->index[dim]) : position->index[dim];
    }
    return LLVMBuildInBoundsGEP2(lower->builder, emit_type(lower, array->dtype), pointer, &offset, 1, "");
}

LLVMValueRef body_load(Lower *lower, const KernelArray *array, LLVMValueRef pointer, const Position *position,
                       LLVMTypeRef type)
{
    LLVMValueRef address = body_address(lower, array, pointer, position);
    LLVMValueRef x = LLVMBuildLoad2(lower->builder, emit_type(lower, array->dtype), address, "");
    return emit_cast(lower, array->dtype == DTYPE_BF16 ? emit_widen_bf16(lower, x) : x, type);
}

void body_store(Lower *lower, const Position *position, LLVMValueRef y, bool accumulate)
{
    const KernelArray *out = &lower->spec->out;
    if (accumulate) {
        LLVMValueRef old = body_load(lower, out, lower->out, position, LLVMTypeOf(y));
        y = emit_binary(lower, LLVMFAdd, old, y);
    }
    if (out->dtype == DTYPE_BF16)
        y = emit_round_bf16(lower, emit_cast(lower, y, lower->type_f32));
    else
        y = emit_cast(lower, y, emit_type(lower, out->dtype));
    LLVMBuildStore(lower->builder, y, body_address(lower, out, lower->out, position));
}

/* A scalar is the first column of its row. */
static LLVMValueRef column(Lower *lower, const Position *position)
{
    int dims = lower->spec->dim_count;
    return dims > 0 ? position->index[dims - 1] : emit_integer(lower, 0);
}

/* The same position half a row further, with the row as a ring. */
static Position across(Lower *lower, const Position *position)
{
    int last = lower->spec->dim_count - 1;
    LLVMValueRef columns = lower->extent[last], one = emit_integer(lower, 1);
    LLVMValueRef there = emit_index_add(lower, position->index[last], LLVMBuildLShr(lower->builder, columns, one, ""));
    LLVMValueRef beyond = LLVMBuildICmp(lower->builder, LLVMIntUGE, there, columns, "");
    Position result = *position;
    result.index[last] = emit_select(lower, beyond, LLVMBuildSub(lower->builder, there, columns, ""), there);
    return result;
}

/* An integer leaf as i32, or NULL: positions and classes are compared exactly, whatever the kernel's type. */
static LLVMValueRef as_integer(Lower *lower, const Position *position, int node)
{
    const KernelNode *n = node_at(lower, node);
    if (n->kind == KERNEL_COL)
        return emit_cast(lower, column(lower, position), lower->type_i32);
    if (n->kind != KERNEL_OPERAND || lower->spec->operand[n->index].dtype != DTYPE_I32)
        return NULL;
    return body_load(lower, &lower->spec->operand[n->index], lower->operand[n->index], position, lower->type_i32);
}

/* An operand of `mix` as i32: the low bits of a whole number. */
static LLVMValueRef word(Lower *lower, const Position *position, int node)
{
    const KernelNode *n = node_at(lower, node);
    if (n->kind == KERNEL_MIX)
        return math_mix(lower, word(lower, position, n->argument[0]), word(lower, position, n->argument[1]));
    LLVMValueRef integer = as_integer(lower, position, node);
    if (integer != NULL)
        return integer;
    LLVMValueRef number = evaluate(lower, position, node, lower->type_f64);
    LLVMValueRef wide = LLVMBuildFPToSI(lower->builder, number, lower->type_i64, "");
    return LLVMBuildTrunc(lower->builder, wide, lower->type_i32, "");
}

typedef struct Comparison {
    LLVMRealPredicate of_numbers;
    LLVMIntPredicate of_integers;
} Comparison;

static LLVMValueRef compare(Lower *lower, const Position *position, const KernelNode *node)
{
    static const Comparison comparisons[KERNEL_KIND_COUNT] = {
        [KERNEL_LESS] = {LLVMRealOLT, LLVMIntSLT},    [KERNEL_LESS_EQUAL] = {LLVMRealOLE, LLVMIntSLE},
        [KERNEL_GREATER] = {LLVMRealOGT, LLVMIntSGT}, [KERNEL_GREATER_EQUAL] = {LLVMRealOGE, LLVMIntSGE},
        [KERNEL_EQUAL] = {LLVMRealOEQ, LLVMIntEQ},
    };
    const Comparison *c = &comparisons[node->kind];
    LLVMValueRef left = as_integer(lower, position, node->argument[0]);
    LLVMValueRef right = left != NULL ? as_integer(lower, position, node->argument[1]) : NULL;
    if (right != NULL)
        return LLVMBuildICmp(lower->builder, c->of_integers, left, right, "");
    bool uniform = is_uniform(lower, node->argument[0]) && is_uniform(lower, node->argument[1]);
    bool of_word = node_at(lower, node->argument[0])->kind == KERNEL_MIX; /* has more bits than a float can hold */
    LLVMTypeRef type = uniform || of_word ? lower->type_f64 : lower->type;
    return emit_compare(lower, c->of_numbers, evaluate(lower, position, node->argument[0], type),
                        evaluate(lower, position, node->argument[1], type));
}

static bool is_comparison(KernelKind kind)
{
    return kind >= KERNEL_LESS && kind <= KERNEL_EQUAL;
}

static LLVMValueRef holds(Lower *lower, const Position *position, int node, LLVMTypeRef type)
{
    if (is_comparison(node_at(lower, node)->kind))
        return compare(lower, position, node_at(lower, node));
    return emit_compare(lower, LLVMRealUNE, evaluate(lower, position, node, type), emit_number(type, 0));
}

LLVMValueRef body_holds(Lower *lower, const Position *position, const KernelNode *where)
{
    return holds(lower, position, where->argument[0], lower->type);
}

static LLVMValueRef where(Lower *lower, const Position *position, const KernelNode *node, LLVMTypeRef type)
{
    LLVMValueRef condition = holds(lower, position, node->argument[0], type);
    LLVMValueRef then = evaluate(lower, position, node->argument[1], type);
    return emit_select(lower, condition, then, evaluate(lower, position, node->argument[2], type));
}

static LLVMValueRef leaf(Lower *lower, const Position *position, const KernelNode *node, LLVMTypeRef type)
{
    switch (node->kind) {
    case KERNEL_NUMBER:
        return emit_number(type, node->number);
    case KERNEL_OPERAND:
        return body_load(lower, &lower->spec->operand[node->index], lower->operand[node->index], position, type);
    case KERNEL_IMMEDIATE:
        return emit_cast(lower, lower->immediate[node->index], type);
    case KERNEL_SCALE:
        return emit_cast(lower, lower->scale, type);
    case KERNEL_COL:
        return emit_cast(lower, column(lower, position), type);
    case KERNEL_COLS:
        return emit_cast(lower, lower->extent[lower->spec->dim_count - 1], type);
    default:
        lower_fail(lower, "'%s': a node of kind %d is no leaf", lower->spec->name, (int)node->kind);
        return emit_number(type, 0);
    }
}

static LLVMValueRef apply(Lower *lower, KernelKind kind, LLVMTypeRef type, LLVMValueRef *x)
{
    static const LLVMOpcode arithmetic[] = {
        [KERNEL_ADD] = LLVMFAdd, [KERNEL_SUB] = LLVMFSub, [KERNEL_MUL] = LLVMFMul, [KERNEL_DIV] = LLVMFDiv};
    switch (kind) {
    case KERNEL_ADD:
    case KERNEL_SUB:
    case KERNEL_MUL:
    case KERNEL_DIV:
        return emit_binary(lower, arithmetic[kind], x[0], x[1]);
    case KERNEL_NEGATE:
        return LLVMBuildFNeg(lower->builder, x[0], "");
    case KERNEL_MIN:
        return emit_select(lower, emit_compare(lower, LLVMRealOLT, x[0], x[1]), x[0], x[1]);
    case KERNEL_MAX2:
        return emit_select(lower, emit_compare(lower, LLVMRealOGT, x[0], x[1]), x[0], x[1]);
    case KERNEL_EXP:
        return math_exp(lower, x[0]);
    case KERNEL_LOG:
        return math_log(lower, x[0]);
    case KERNEL_SQRT:
        return math_sqrt(lower, x[0]);
    case KERNEL_RSQRT:
        return emit_binary(lower, LLVMFDiv, emit_number(type, 1), math_sqrt(lower, x[0]));
    case KERNEL_TANH:
        return math_tanh(lower, x[0]);
    case KERNEL_COS:
        return math_cos(lower, x[0]);
    case KERNEL_POW:
        return math_pow(lower, x[0], x[1]);
    default:
        lower_fail(lower, "'%s': a node of kind %d cannot be lowered", lower->spec->name, (int)kind);
        return emit_number(type, 0);
    }
}

static LLVMValueRef evaluate_as(Lower *lower, const Position *position, int node, LLVMTypeRef type)
{
    const KernelNode *n = node_at(lower, node);
    if (kernel_is_row_function(n->kind))
        return lower->row_value[node];
    if (n->argument_count == 0)
        return leaf(lower, position, n, type);
    if (is_comparison(n->kind))
        return emit_cast(lower, compare(lower, position, n), type);
    if (n->kind == KERNEL_WHERE)
        return where(lower, position, n, type);
    if (n->kind == KERNEL_MIX)
        return emit_cast(lower, LLVMBuildUIToFP(lower->builder, word(lower, position, node), lower->type_f64, ""),
                         type);
    if (n->kind == KERNEL_ACROSS) {
        Position there = across(lower, position);
        return evaluate(lower, &there, n->argument[0], type);
    }
    LLVMTypeRef own = n->kind == KERNEL_COS || n->kind == KERNEL_POW ? lower->type_f64 : type;
    LLVMValueRef x[3];
    for (int i = 0; i < n->argument_count; i++)
        x[i] = evaluate(lower, position, n->argument[i], own);
    return emit_cast(lower, apply(lower, n->kind, own, x), type);
}

static LLVMValueRef evaluate(Lower *lower, const Position *position, int node, LLVMTypeRef type)
{
    LLVMTypeRef own = is_uniform(lower, node) ? lower->type_f64 : type;
    return emit_cast(lower, evaluate_as(lower, position, node, own), type);
}

LLVMValueRef body_value(Lower *lower, const Position *position, int node)
{
    return evaluate(lower, position, node, lower->type);
}

LLVMValueRef body_result(Lower *lower, const Position *position)
{
    return body_value(lower, position, lower->spec->body->result);
}
