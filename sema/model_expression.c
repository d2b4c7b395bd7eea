/* model_expression.c - expressions of a model: names, sums and differences of values. Calls are in model_call.c. */
#include "sema/model.h"

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
        d = diag_report(model->ctx->diag, P0203, node->binary.operator_span, "a scalar beside '%s'", sign);
    }
    diag_label(d, node->binary.left->span, "%s", model_shape(model, left));
    diag_label(d, node->binary.right->span, "%s", model_shape(model, right));
    diag_why(d, "The sides must have the same dims; one with fewer stands for all of the other's leading dims.");
    return model_unknown(model);
}

/* The dims of both, the last ones matched; -1 if they fit, else which dim, counted from the last, does not. */
static int mismatch(const Value *left, const Value *right)
{
    for (int i = 0; i < left->dim_count && i < right->dim_count; i++)
        if (!model_dims_match(&left->dims[left->dim_count - 1 - i], &right->dims[right->dim_count - 1 - i]))
            return i;
    return -1;
}

static Value sum(Model *model, const AstNode *node)
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
    int dim = mismatch(&left, &right);
    if (dim >= 0 || left.dim_count == 0 || right.dim_count == 0)
        return report_shapes(model, node, &left, &right, dim);
    const Value *longer = left.dim_count >= right.dim_count ? &left : &right;
    model->b->span = node->binary.operator_span;
    Value out = model_value(model, arena_printf(model->ctx->arena, "%s%s", model->prefix, model->target), left.dtype,
                            longer->dim_count, longer->dims);
    if (!out.known)
        return out;
    const char *letters = build_letters(model->b, out.ref);
    const char *spec = arena_printf(model->ctx->arena, "%s,%s->%s", letters + longer->dim_count - left.dim_count,
                                    letters + longer->dim_count - right.dim_count, letters);
    build_op(model->b, node->binary.operator== AST_ADD ? OP_ADD : OP_SUB, spec, out.ref, (Ref[]){left.ref, right.ref});
    out.span = node->span;
    return out;
}

/* ---- All kinds ---------------------------------------------------------------------------------------------- */

static Value refuse(Model *model, const AstNode *node, const char *what)
{
    resolve_unsupported(model->ctx, node->span, "%s", what);
    return model_unknown(model);
}

static Value binary(Model *model, const AstNode *node)
{
    bool is_sum = node->binary.operator== AST_ADD || node->binary.operator== AST_SUBTRACT;
    if (!is_sum)
        return refuse(model, node,
                      arena_printf(model->ctx->arena, "'%s' of tensors is", ast_operator_text(node->binary.operator)));
    if (node->binary.left->kind == AST_REDUCTION || node->binary.right->kind == AST_REDUCTION)
        return refuse(model, node->binary.right, "several loss terms are");
    return sum(model, node);
}

static Value reduction(Model *model, const AstNode *node)
{
    if (span_known(model->loss_span)) {
        Diagnostic *d = resolve_unsupported(model->ctx, node->span, "several loss terms are");
        diag_label(d, model->loss_span, "the first is here");
        return model_unknown(model);
    }
    static const char *const loss[] = {"loss"};
    Diagnostic *d = resolve_unsupported(model->ctx, node->span, "a reduction that is not the whole of 'loss = ...' is");
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
        return refuse(model, node, "the negative of a tensor is");
    case AST_MEMBER:
        return refuse(model, node, "a parameter of another operator, but as 'weight = ...', is");
    case AST_INDEX:
        return refuse(model, node, "a part of a tensor is");
    default: /* numbers, strings and what is no expression of a model */
        diag_report(model->ctx->diag, P0206, node->span, "'%s' where a tensor is expected",
                    resolve_text(model->ctx, node));
        return model_unknown(model);
    }
}
