/* model_expression.c - expressions of a model: names, sums, differences and products of values. Calls are in
 * model_call.c. */
#include "reference/model.h"

#include <math.h>
#include <string.h>

static Value named_value(Model *model, const AstNode *node)
{
    const Variable *variable = model_find_variable(model, node->name.text);
    if (variable != NULL) {
        model->failed |= !variable->value.known;
        Value value = variable->value;
        value.span = node->span;
        return value;
    }
    if (resolve_constant(&model->constants, node->name.text) != NULL) {
        diag_report(model->ctx->diag, P0206, node->span, "'%s' is a number where a tensor is expected",
                    node->name.text);
        return model_unknown(model);
    }
    const char **names;
    int count = model_names(model, &names);
    resolve_unknown(model->ctx, node->span, "name", node->name.text, names, count);
    return model_unknown(model);
}

/* ---- Sums --------------------------------------------------------------------------------------------------- */

static Value report_shapes(Model *model, const AstNode *node, const Value *left, const Value *right, int dim)
{
    const char *sign = ast_operator_text(node->binary.operator);
    Diagnostic *d;
    if (dim >= 0) {
        const ValueDim *x = &left->dims[left->dim_count - 1 - dim], *y = &right->dims[right->dim_count - 1 - dim];
        d = diag_report(model->ctx->diag, P0203, node->binary.operator_span,
                        "dims '%s' (%lld) and '%s' (%lld) of the two sides of '%s' differ", x->name, (long long)x->size,
                        y->name, (long long)y->size, sign);
    } else {
        d = diag_report(model->ctx->diag, P0203, node->binary.operator_span, "a scalar next to '%s'", sign);
    }
    diag_label(d, node->binary.left->span, "%s", model_shape(model, left));
    diag_label(d, node->binary.right->span, "%s", model_shape(model, right));
    diag_why(d, "The sides must have the same dims; one with fewer stands for all of the other's leading dims.");
    return model_unknown(model);
}

/* The dims of both, the last ones matched; -1 if they fit, otherwise the dim, counted from the last, that does not. */
static int mismatch(const Value *left, const Value *right)
{
    for (int i = 0; i < left->dim_count && i < right->dim_count; i++)
        if (!model_dims_match(&left->dims[left->dim_count - 1 - i], &right->dims[right->dim_count - 1 - i]))
            return i;
    return -1;
}

/* a + b, a - b, a * b */
static Value elementwise(Model *model, const AstNode *node)
{
    Value left = model_expression(model, node->binary.left), right = model_expression(model, node->binary.right);
    if (!left.known || !right.known)
        return model_unknown(model);
    if (left.dtype != right.dtype) {
        Diagnostic *d =
            diag_report(model->ctx->diag, P0204, node->binary.operator_span, "'%s' of %s and %s",
                        ast_operator_text(node->binary.operator), dtype_name(left.dtype), dtype_name(right.dtype));
        diag_label(d, node->binary.left->span, "%s", dtype_name(left.dtype));
        diag_label(d, node->binary.right->span, "%s", dtype_name(right.dtype));
        return model_unknown(model);
    }
    if (left.dtype == DTYPE_I32 && node->binary.operator== AST_MULTIPLY) {
        diag_report(model->ctx->diag, P0204, node->binary.operator_span, "a factor of int");
        return model_unknown(model);
    }
    int dim = mismatch(&left, &right);
    if (dim >= 0 || left.dim_count == 0 || right.dim_count == 0)
        return report_shapes(model, node, &left, &right, dim);
    const Value *longer = left.dim_count >= right.dim_count ? &left : &right;
    model->b->span = node->binary.operator_span;
    Value out = model_value(model, arena_printf(model->ctx->arena, "%s%s", model->prefix, model->target), left.dtype,
                            longer->dim_count, longer->dims);
    if (!out.known)
        return out;
    const char *letters = builder_letters(model->b, out.ref);
    const char *spec = arena_printf(model->ctx->arena, "%s,%s->%s", letters + longer->dim_count - left.dim_count,
                                    letters + longer->dim_count - right.dim_count, letters);
    static const OpKind kinds[] = {[AST_ADD] = OP_ADD, [AST_SUBTRACT] = OP_SUB, [AST_MULTIPLY] = OP_MUL};
    builder_op(model->b, kinds[node->binary.operator], spec, out.ref, (Ref[]){left.ref, right.ref});
    out.span = node->span;
    return out;
}

/* ---- Numbers and tensors ------------------------------------------------------------------------------------ */

bool model_is_number(Model *model, const AstNode *node)
{
    switch (node->kind) {
    case AST_NUMBER:
        return true;
    case AST_NAME:
        return model_find_variable(model, node->name.text) == NULL &&
               resolve_constant(&model->constants, node->name.text) != NULL;
    case AST_NEGATE:
        return model_is_number(model, node->negate.operand);
    case AST_BINARY:
        return model_is_number(model, node->binary.left) && model_is_number(model, node->binary.right);
    default:
        return false;
    }
}

/* Continued fractions: the convergents of a number are the best fractions for their size. */
bool model_fraction(Model *model, const AstNode *node, double number, Scale *scale)
{
    int64_t numerator[2] = {0, 1}, denominator[2] = {1, 0};
    double rest = fabs(number);
    for (int i = 0; i < 64 && rest <= INT32_MAX; i++) {
        int64_t whole = (int64_t)rest;
        int64_t p = whole * numerator[1] + numerator[0], q = whole * denominator[1] + denominator[0];
        if (p > INT32_MAX || q > INT32_MAX)
            break;
        numerator[0] = numerator[1], denominator[0] = denominator[1];
        numerator[1] = p, denominator[1] = q;
        if ((double)p / (double)q == fabs(number)) {
            *scale = (Scale){number < 0 ? -p : p, q, ""};
            return true;
        }
        rest = 1 / (rest - (double)whole);
    }
    diag_report(model->ctx->diag, P0206, node->span, "a factor of %.15g is not a fraction of numbers below 2^31",
                number);
    return false;
}

static Value times(Model *model, const AstNode *node, Span span, const AstNode *tensor, Scale scale)
{
    Value x = model_expression(model, tensor);
    if (!x.known)
        return x;
    if (x.dtype == DTYPE_I32) {
        diag_report(model->ctx->diag, P0204, span, "a factor of int");
        return model_unknown(model);
    }
    model->b->span = span;
    Value y = model_value(model, arena_printf(model->ctx->arena, "%s%s", model->prefix, model->target), x.dtype,
                          x.dim_count, x.dims);
    if (y.known)
        builder_op(model->b, OP_SCALE, builder_elementwise_spec(model->b, y.ref, 1, 0), y.ref, &x.ref)->scale = scale;
    y.span = node->span;
    return y;
}

/* NUMBER * TENSOR, TENSOR / NUMBER */
static Value scaled(Model *model, const AstNode *node, const AstNode *tensor, const AstNode *number)
{
    Constant constant;
    Scale scale;
    if (!resolve_number(model->ctx, &model->constants, number, &constant) ||
        !model_fraction(model, number, constant.value, &scale))
        return model_unknown(model);
    if (node->binary.operator== AST_DIVIDE) {
        if (scale.numerator == 0) {
            diag_report(model->ctx->diag, P0207, node->binary.operator_span, "division by zero");
            return model_unknown(model);
        }
        int64_t sign = scale.numerator < 0 ? -1 : 1;
        scale = (Scale){sign * scale.denominator, sign * scale.numerator, ""};
    }
    return times(model, node, node->binary.operator_span, tensor, scale);
}

/* ---- All kinds ---------------------------------------------------------------------------------------------- */

static Value refuse(Model *model, const AstNode *node, const char *what)
{
    resolve_unsupported(model->ctx, node->span, "%s", what);
    return model_unknown(model);
}

static Value binary(Model *model, const AstNode *node)
{
    AstOperator sign = node->binary.operator;
    const AstNode *left = node->binary.left, *right = node->binary.right;
    if (sign == AST_MULTIPLY && model_is_number(model, left))
        return scaled(model, node, right, left);
    if ((sign == AST_MULTIPLY || sign == AST_DIVIDE) && model_is_number(model, right))
        return scaled(model, node, left, right);
    if (sign == AST_ADD || sign == AST_SUBTRACT || sign == AST_MULTIPLY)
        return elementwise(model, node);
    return refuse(model, node, arena_printf(model->ctx->arena, "'%s' of tensors is", ast_operator_text(sign)));
}

static Value reduction(Model *model, const AstNode *node)
{
    static const char *const loss[] = {"loss"};
    Diagnostic *d = resolve_unsupported(model->ctx, node->span, "a reduction that is not a term of 'loss = ...' is");
    if (model->target != NULL && strcmp(model->target, "loss") != 0 && diag_suggest(model->target, loss, 1) != NULL)
        diag_help(d, "'%s' is assigned here: did you mean 'loss'?", model->target);
    return model_unknown(model);
}

Value model_expression(Model *model, const AstNode *node)
{
    model->b->span = node->span;
    switch (node->kind) {
    case AST_ERROR:
        return model_unknown(model);
    case AST_NAME:
        return named_value(model, node);
    case AST_BINARY:
        return binary(model, node);
    case AST_CALL:
        return model_call(model, node);
    case AST_REDUCTION:
        return reduction(model, node);
    case AST_NEGATE:
        return times(model, node, node->span, node->negate.operand, (Scale){-1, 1, ""});
    case AST_MEMBER:
        return refuse(model, node, "a parameter of another operator, but as 'weight = ...', is");
    case AST_INDEX:
        return refuse(model, node, "a part of a tensor is");
    default: /* numbers, strings and anything that is not an expression of a model */
        diag_report(model->ctx->diag, P0206, node->span, "'%s' where a tensor is expected",
                    resolve_text(model->ctx, node));
        return model_unknown(model);
    }
}
