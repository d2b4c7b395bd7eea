/* number.c - arithmetic in strategies: exact fractions of 64-bit numbers. */
#include "strategy/internal.h"

#include <string.h>

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static bool make_rational(int64_t numerator, int64_t denominator, Rational *value)
{
    if (denominator == 0 || numerator == INT64_MIN || denominator == INT64_MIN)
        return false;
    int64_t divisor = greatest_divisor(numerator, denominator);
    int64_t sign = denominator < 0 ? -1 : 1;
    *value = (Rational){.numerator = sign * (numerator / divisor), .denominator = sign * (denominator / divisor)};
    return true;
}

/* False if it overflows or divides by 0. */
static bool combine(AstOperator op, Rational x, Rational y, Rational *value)
{
    int64_t left, right, top, bottom;
    switch (op) {
    case AST_ADD:
    case AST_SUBTRACT:
        if (op == AST_SUBTRACT)
            y.numerator = -y.numerator;
        return !__builtin_mul_overflow(x.numerator, y.denominator, &left) &&
               !__builtin_mul_overflow(y.numerator, x.denominator, &right) &&
               !__builtin_add_overflow(left, right, &top) &&
               !__builtin_mul_overflow(x.denominator, y.denominator, &bottom) && make_rational(top, bottom, value);
    case AST_DIVIDE:
        return y.numerator != 0 && combine(AST_MULTIPLY, x, (Rational){y.denominator, y.numerator, false}, value);
    case AST_MULTIPLY:
        return !__builtin_mul_overflow(x.numerator, y.numerator, &top) &&
               !__builtin_mul_overflow(x.denominator, y.denominator, &bottom) && make_rational(top, bottom, value);
    case AST_LESS:
    case AST_LESS_EQUAL:
    case AST_GREATER:
    case AST_GREATER_EQUAL:
    case AST_EQUAL:
    case AST_NOT_EQUAL:
        return false;
    }
    BUG("operator %d", (int)op);
}

/* A value that a call would bind, or that could not be read, stands for any number. */
static bool open_value(Rational *value)
{
    *value = (Rational){1, 1, true};
    return true;
}

/* A parameter of the strategy: defaults see no other parameters, arguments those of the strategy that makes the call.
 */
static bool bound_value(const Evaluation *e, const Binding *binding, Rational *value)
{
    if (binding->axis >= 0 && !e->unused)
        return make_rational(strategy_axis_size(e, binding->axis), 1, value);
    bool good = binding->value == NULL || strategy_number(e, binding->scope, binding->value, value);
    return e->unused ? open_value(value) && good : good;
}

static bool name_value(const Evaluation *e, const Factor *factor, const AstNode *node, Rational *value)
{
    const char *name = node->name.text;
    NameVec known = {0};
    for (int i = 0; factor != NULL && i < factor->bindings.count; i++) {
        const Binding *binding = &factor->bindings.data[i];
        if (binding->name.text == name)
            return bound_value(e, binding, value);
        vec_push(e->ctx->arena, &known, binding->name.text);
    }
    for (int i = 0; i < e->decls->axes.count; i++) {
        if (strcmp(e->decls->axes.data[i].name, name) == 0)
            return make_rational(e->decls->axes.data[i].size, 1, value);
        vec_push(e->ctx->arena, &known, e->decls->axes.data[i].name);
    }
    if (strcmp(name, "microbatches") == 0)
        return e->known.settings ? make_rational(e->decls->micro, 1, value) : open_value(value);
    if (!e->known.axes)
        return open_value(value);
    vec_push(e->ctx->arena, &known, "microbatches");
    strategy_suggest(strategy_report(e, factor, P0201, node->span, "unknown name '%s'", name), name, &known);
    return false;
}

static bool is_arithmetic(const AstNode *node, AstOperator *op)
{
    if (node->kind != AST_BINARY)
        return false;
    *op = node->binary.operator;
    return *op == AST_ADD || *op == AST_SUBTRACT || *op == AST_MULTIPLY || *op == AST_DIVIDE;
}

bool strategy_number(const Evaluation *e, const Factor *factor, const AstNode *node, Rational *value)
{
    if (node->kind == AST_ERROR)
        return false;
    if (node->kind == AST_NAME)
        return name_value(e, factor, node, value);
    if (node->kind == AST_NUMBER && node->number.is_integer && node->number.measure == MEASURE_NONE)
        return make_rational(node->number.integer, 1, value);
    if (node->kind == AST_NEGATE) {
        if (!strategy_number(e, factor, node->negate.operand, value))
            return false;
        value->numerator = -value->numerator;
        return true;
    }
    AstOperator op;
    if (node->kind == AST_NUMBER && node->number.value >= 0x1p63) {
        strategy_report(e, factor, P0207, node->span, "the number %s is too large", node->number.text);
        return false;
    }
    if (!is_arithmetic(node, &op)) {
        strategy_report(e, factor, P0206, node->span, "expected a whole number, an axis or their + - * /");
        return false;
    }
    Rational left, right;
    bool ok = strategy_number(e, factor, node->binary.left, &left);
    ok &= strategy_number(e, factor, node->binary.right, &right);
    if (!ok)
        return false;
    if (left.open || right.open)
        return open_value(value);
    if (combine(op, left, right, value))
        return true;
    strategy_report(e, factor, P0207, node->span, "the value of this expression is out of range");
    return false;
}

bool strategy_integer(const Evaluation *e, const Factor *factor, const AstNode *node, int64_t *value)
{
    Rational rational;
    if (!strategy_number(e, factor, node, &rational) || rational.open)
        return false;
    if (rational.denominator != 1) {
        strategy_report(e, factor, P0207, node->span, "expected a whole number, not %lld/%lld",
                        (long long)rational.numerator, (long long)rational.denominator);
        return false;
    }
    *value = rational.numerator;
    return true;
}

/* ---- Conditions --------------------------------------------------------------------------------------------- */

static bool relation_holds(AstOperator op, int64_t left, int64_t right)
{
    switch (op) {
    case AST_LESS:
        return left < right;
    case AST_LESS_EQUAL:
        return left <= right;
    case AST_GREATER:
        return left > right;
    case AST_GREATER_EQUAL:
        return left >= right;
    case AST_EQUAL:
        return left == right;
    case AST_NOT_EQUAL:
        return left != right;
    case AST_ADD:
    case AST_SUBTRACT:
    case AST_MULTIPLY:
    case AST_DIVIDE:
        break;
    }
    BUG("operator %d is no relation", (int)op);
}

static bool is_relation(const AstNode *node)
{
    AstOperator op;
    return node->kind == AST_BINARY && !is_arithmetic(node, &op);
}

bool strategy_is_truth(const AstNode *node)
{
    return node->kind == AST_NAME && (strcmp(node->name.text, "true") == 0 || strcmp(node->name.text, "false") == 0);
}

bool strategy_condition(const Evaluation *e, const Factor *factor, const AstNode *node, bool *value)
{
    for (int i = 0; node->kind == AST_NAME && factor != NULL && i < factor->bindings.count; i++) {
        const Binding *binding = &factor->bindings.data[i];
        if (binding->name.text == node->name.text && binding->axis < 0 && binding->value != NULL)
            return strategy_condition(e, binding->scope, binding->value, value);
    }
    if (strategy_is_truth(node)) {
        *value = node->name.text[0] == 't';
        return !e->unused;
    }
    if (!is_relation(node)) {
        if (node->kind != AST_ERROR && !e->unused)
            strategy_report(e, factor, P0206, node->span, "expected 'true', 'false' or a relation of numbers");
        return false;
    }
    Rational left, right;
    bool ok = strategy_number(e, factor, node->binary.left, &left);
    ok &= strategy_number(e, factor, node->binary.right, &right);
    if (!ok || left.open || right.open)
        return false;
    int64_t x, y;
    if (__builtin_mul_overflow(left.numerator, right.denominator, &x) ||
        __builtin_mul_overflow(right.numerator, left.denominator, &y)) {
        strategy_report(e, factor, P0207, node->span, "the value of this expression is out of range");
        return false;
    }
    AstOperator op = node->binary.operator;
    *value = relation_holds(op, x, y);
    return true;
}

bool strategy_holds(const Evaluation *e, const Factor *factor, const AstNode *when, bool *holds)
{
    *holds = true;
    return when == NULL || strategy_condition(e, factor, when, holds);
}

/* ---- Seeds -------------------------------------------------------------------------------------------------- */

static bool is_coordinate(const AstNode *node)
{
    return node->kind == AST_CALL && node->call.callee->kind == AST_NAME &&
           strcmp(node->call.callee->name.text, "coordinate") == 0;
}

static bool has_coordinate(const AstNode *node)
{
    if (node->kind == AST_BINARY)
        return has_coordinate(node->binary.left) || has_coordinate(node->binary.right);
    return is_coordinate(node) || (node->kind == AST_NEGATE && has_coordinate(node->negate.operand));
}

/* Adds factor * node, if the node is coordinate(axis). */
static bool add_coordinate(const Evaluation *e, const AstNode *node, int64_t factor, Seed *seed)
{
    const AstList *arguments = &node->call.arguments;
    if (arguments->count != 1 || arguments->data[0]->kind != AST_NAME) {
        strategy_report(e, NULL, P0206, node->span, "'coordinate' takes one mesh axis");
        return false;
    }
    int axis = strategy_axis(e, NULL, arguments->data[0]->name);
    if (axis >= DERIVED_AXIS)
        strategy_report(e, NULL, P0206, node->span, "'coordinate' takes one mesh axis");
    if (axis < 0 || axis >= DERIVED_AXIS)
        return false;
    seed->per_axis[axis] += factor;
    return true;
}

/* Adds factor * node. Factors stay small: a seed is a label, not a quantity. */
static bool add_seed(const Evaluation *e, const AstNode *node, int64_t factor, Seed *seed)
{
    const int64_t most = (int64_t)1 << 31;
    int64_t number;
    if (is_coordinate(node))
        return add_coordinate(e, node, factor, seed);
    if (!has_coordinate(node)) {
        int64_t term;
        if (!strategy_integer(e, NULL, node, &number))
            return false;
        if (!__builtin_mul_overflow(number, factor, &term) && !__builtin_add_overflow(seed->base, term, &seed->base))
            return true;
        strategy_report(e, NULL, P0207, node->span, "the seed is out of range");
        return false;
    }
    if (node->kind == AST_NEGATE)
        return add_seed(e, node->negate.operand, -factor, seed);
    const AstBinary *binary = &node->binary;
    AstOperator op = binary->operator;
    if (op == AST_ADD || op == AST_SUBTRACT)
        return add_seed(e, binary->left, factor, seed) &&
               add_seed(e, binary->right, op == AST_ADD ? factor : -factor, seed);
    bool left = has_coordinate(binary->left);
    const AstNode *scale = left ? binary->right : binary->left;
    if (op != AST_MULTIPLY || has_coordinate(scale)) {
        strategy_report(e, NULL, P0206, node->span, "a seed is a sum of numbers and multiples of coordinates");
        return false;
    }
    if (!strategy_integer(e, NULL, scale, &number))
        return false;
    if (number < -most || number > most || number * factor < -most || number * factor > most) {
        strategy_report(e, NULL, P0207, scale->span, "the multiple of a coordinate is out of range");
        return false;
    }
    return add_seed(e, left ? binary->left : binary->right, number * factor, seed);
}

bool strategy_seed(const Evaluation *e, const AstNode *node, Seed *seed)
{
    *seed = (Seed){0};
    return node->kind != AST_ERROR && add_seed(e, node, 1, seed);
}
