/* model_loss.c - losses: what a model compares with its targets, and what is assigned to 'loss'.
 *
 * A loss is a sum of terms, each a number times a mean or a sum over all dims of a value, or a single number returned
 * by a function. With a mask a mean divides by the number of elements of the whole batch that the mask selects: this
 * count is a value, inverted once; the mean of no elements is 0.
 */
#include "reference/model_call.h"

#include <string.h>

/* Only the first one counts. */
static void set_prediction(Model *model, const char *name, const Value *value)
{
    if (model->prediction_name != NULL)
        return;
    model->prediction = *value;
    model->prediction_name = name;
}

static Value report_loss_shapes(Model *model, const Call *call, const Value *x, const Value *target, int dim)
{
    Diagnostic *d;
    if (dim < 0)
        d = diag_report(model->ctx->diag, P0203, call->node->span, "'%s' of %s and %s", call->function->name,
                        model_shape(model, x), model_shape(model, target));
    else
        d = diag_report(model->ctx->diag, P0203, call->node->span, "'%s': dims '%s' (%lld) and '%s' (%lld) differ",
                        call->function->name, x->dims[dim].name, (long long)x->dims[dim].size, target->dims[dim].name,
                        (long long)target->dims[dim].size);
    diag_label(d, call->argument[0]->span, "%s", model_shape(model, x));
    diag_label(d, call->argument[1]->span, "%s", model_shape(model, target));
    return model_unknown(model);
}

/* The first of `count` dims in which two values differ, or -1. */
static int differing_dim(const Value *x, const Value *y, int count)
{
    for (int i = 0; i < count; i++)
        if (!model_dims_match(&x->dims[i], &y->dims[i]))
            return i;
    return -1;
}

/* The loss of a row of scores v is log(sum of exp(v - m)) + m - v[target], m the largest of them. Each of its parts
 * is a separate operator, so that the classes may be sharded: a maximum, a sum, and a sum whose only term is on one
 * rank. */
static Value log_loss(Model *model, const Call *call, const Value *logits, const Value *targets)
{
    Builder *b = model->b;
    const char *lead = call_leading(model, targets->dim_count);
    Value classes = call_positions(model, call_last_dim(logits), POSITIONS_CLASSES);
    static const char *const roles[] = {"largest", "exp_sum", "target_logit"};
    Value part[3],
        y = model_value(model, call->path, builder_statistics_dtype(b->decls), targets->dim_count, targets->dims);
    for (int i = 0; i < 3; i++)
        part[i] = model_value(model, call_name(model, call, roles[i]), y.dtype, targets->dim_count, targets->dims);
    if (!y.known || !classes.known)
        return model_unknown(model);
    builder_op(b, OP_ROW_MAX, call_spec(model, "*v->*", lead), part[0].ref, &logits->ref);
    builder_op(b, OP_EXP_SUM, call_spec(model, "*v,*->*", lead), part[1].ref, (Ref[]){logits->ref, part[0].ref});
    builder_op(b, OP_PICK, call_spec(model, "*v,*,v->*", lead), part[2].ref,
               (Ref[]){logits->ref, targets->ref, classes.ref});
    builder_op(b, OP_LOG_LOSS, call_spec(model, "*,*,*->*", lead), y.ref,
               (Ref[]){part[0].ref, part[1].ref, part[2].ref});
    return y;
}

/* cross_entropy(logits, targets): one number per target */
Value emit_cross_entropy(Model *model, Call *call)
{
    Value logits = call_row(model, call, 0, 2), targets = call_tensor(model, call, 1, true, 1);
    if (!logits.known || !targets.known)
        return model_unknown(model);
    bool ranks_fit = targets.dim_count == logits.dim_count - 1;
    int dim = ranks_fit ? differing_dim(&logits, &targets, targets.dim_count) : -1;
    if (!ranks_fit || dim >= 0)
        return report_loss_shapes(model, call, &logits, &targets, dim);
    set_prediction(model, "logits", &logits);
    return log_loss(model, call, &logits, &targets);
}

/* squared_error(x, target): elementwise */
Value emit_squared_error(Model *model, Call *call)
{
    Value x = call_tensor(model, call, 0, false, 1), target = call_tensor(model, call, 1, false, 1);
    if (!x.known || !target.known)
        return model_unknown(model);
    int dim = x.dim_count == target.dim_count ? differing_dim(&x, &target, x.dim_count) : -1;
    if (x.dim_count != target.dim_count || dim >= 0)
        return report_loss_shapes(model, call, &x, &target, dim);
    set_prediction(model, "prediction", &x);
    Value y = model_value(model, call->path, builder_statistics_dtype(model->b->decls), target.dim_count, target.dims);
    if (y.known)
        builder_op(model->b, OP_SQUARED_ERROR, builder_elementwise_spec(model->b, y.ref, 2, 0), y.ref,
                   (Ref[]){x.ref, target.ref});
    return y;
}

/* ---- Reductions --------------------------------------------------------------------------------------------- */

static int find_dim(const Value *value, const char *name)
{
    for (int i = 0; i < value->dim_count; i++)
        if (strcmp(value->dims[i].name, name) == 0)
            return i;
    return -1;
}

/* Every dim of the terms must be reduced, once. */
static bool check_reduced_dims(Model *model, const AstReduction *reduction, const Value *terms)
{
    bool reduced[STEP_MAX_DIMS] = {false}, good = true;
    const char *names[STEP_MAX_DIMS];
    for (int i = 0; i < terms->dim_count; i++)
        names[i] = terms->dims[i].name;
    for (int i = 0; i < reduction->dims.count; i++) {
        const AstName *name = &reduction->dims.data[i];
        int dim = find_dim(terms, name->text);
        if (dim < 0)
            resolve_unknown(model->ctx, name->span, "dim", name->text, names, terms->dim_count);
        else if (reduced[dim])
            diag_report(model->ctx->diag, P0206, name->span, "dim '%s' is reduced twice", name->text);
        good &= dim >= 0 && !reduced[dim];
        if (dim >= 0)
            reduced[dim] = true;
    }
    for (int i = 0; i < terms->dim_count && good; i++)
        if (!reduced[i]) {
            Diagnostic *d = diag_report(model->ctx->diag, P0203, reduction->operation.span,
                                        "the loss is not a single number: dim '%s' is left", terms->dims[i].name);
            diag_label(d, reduction->body->span, "%s", model_shape(model, terms));
            Span over = reduction->dims.data[reduction->dims.count - 1].span;
            diag_help_edit(d, (Span){over.source, over.end, over.end},
                           arena_printf(model->ctx->arena, ", %s", terms->dims[i].name),
                           "Write it among the dims after 'over'.");
            good = false;
        }
    return good;
}

static const struct {
    AstOperator written;
    OpKind op;
    bool swapped;
} relations[] = {
    {AST_LESS, OP_LESS, false},   {AST_LESS_EQUAL, OP_LESS_EQUAL, false},
    {AST_GREATER, OP_LESS, true}, {AST_GREATER_EQUAL, OP_LESS_EQUAL, true},
    {AST_EQUAL, OP_EQUAL, false}, {AST_NOT_EQUAL, OP_NOT_EQUAL, false},
};

/* One side of a comparison: a tensor with the dims of `like`, or a number of the same dtype as the other side. */
static Value number_value(Model *model, const AstNode *node, double number, DType dtype)
{
    if (dtype == DTYPE_I32 && (number != (double)(int32_t)number)) {
        diag_report(model->ctx->diag, P0206, node->span, "'%s' next to integers", resolve_text(model->ctx, node));
        return model_unknown(model);
    }
    if (dtype != DTYPE_I32 && !resolve_fits(model->ctx, node->span, "what is compared with", number, dtype))
        return model_unknown(model);
    Value value = model_value(model, "mask.number", dtype, 0, NULL);
    builder_fill(model->b, value.ref, number);
    return value;
}

static bool mask_fits(Model *model, const AstNode *node, const Value *mask, const Value *terms)
{
    bool fits = mask->dim_count == terms->dim_count && differing_dim(mask, terms, terms->dim_count) < 0;
    if (!fits) {
        Diagnostic *d = diag_report(model->ctx->diag, P0203, node->span, "a mask of %s for terms of %s",
                                    model_shape(model, mask), model_shape(model, terms));
        diag_why(d, "A mask decides for every term whether it counts.");
        model->failed = true;
    }
    return fits;
}

/* What a mask compares: a tensor like the terms, with a second one or a number. */
typedef struct Comparison {
    const AstNode *tensor, *other;
    OpKind op;
    bool swapped;   /* the operator takes the other side first */
    bool is_number; /* the other side */
    double number;
} Comparison;

static bool read_comparison(Model *model, const AstNode *node, Comparison *c)
{
    *c = (Comparison){.tensor = node, .op = OP_NOT_EQUAL, .is_number = true};
    if (node->kind != AST_BINARY)
        return true;
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        if (relations[i].written != node->binary.operator)
            continue;
        bool number_first = model_is_number(model, node->binary.left);
        c->tensor = number_first ? node->binary.right : node->binary.left;
        c->other = number_first ? node->binary.left : node->binary.right;
        c->op = relations[i].op;
        c->swapped = relations[i].swapped != number_first;
        c->is_number = model_is_number(model, c->other);
        Constant constant = {0};
        if (c->is_number && !resolve_number(model->ctx, &model->constants, c->other, &constant))
            return false;
        c->number = constant.value;
    }
    return true;
}

/* A mask as a value of zeros and ones: where a comparison holds, or where a tensor is not 0. */
static Value mask_value(Model *model, const AstNode *node, const Value *terms)
{
    Comparison c;
    if (!read_comparison(model, node, &c))
        return model_unknown(model);
    Value tensor = model_expression(model, c.tensor);
    if (!tensor.known || !mask_fits(model, c.tensor, &tensor, terms))
        return model_unknown(model);
    model->b->span = node->span;
    Value other = c.is_number ? number_value(model, c.other ? c.other : node, c.number, tensor.dtype)
                              : model_expression(model, c.other);
    if (!other.known || (!c.is_number && !mask_fits(model, c.other, &other, terms)))
        return model_unknown(model);
    if ((tensor.dtype == DTYPE_I32) != (other.dtype == DTYPE_I32)) {
        diag_report(model->ctx->diag, P0204, node->span, "a comparison of %s and %s", dtype_name(tensor.dtype),
                    dtype_name(other.dtype));
        return model_unknown(model);
    }
    model->b->span = node->span;
    Value mask = model_value(model, "loss.mask", terms->dtype, terms->dim_count, terms->dims);
    const char *spec = builder_elementwise_spec(model->b, mask.ref, 2, c.is_number ? 1u << (c.swapped ? 0 : 1) : 0);
    builder_op(model->b, c.op, spec, mask.ref,
               c.swapped ? (Ref[]){other.ref, tensor.ref} : (Ref[]){tensor.ref, other.ref});
    return mask;
}

/* ---- Terms -------------------------------------------------------------------------------------------------- */

static Value new_number(Model *model, const char *name)
{
    return model_value(model, name, builder_statistics_dtype(model->b->decls), 0, NULL);
}

static Op *add_up(Model *model, Value sum, const Value *terms)
{
    const char *spec = arena_printf(model->ctx->arena, "%s->", builder_letters(model->b, terms->ref));
    return builder_op(model->b, OP_REDUCE, spec, sum.ref, &terms->ref);
}

static Value sum_of(Model *model, const char *name, const Value *terms)
{
    Value sum = new_number(model, name);
    add_up(model, sum, terms);
    return sum;
}

/* Adds a term: its value is added to the loss, its derivative starts the backward pass. */
static void add_term(Model *model, const LossTerm *term, Value value, const Scale *scale)
{
    Builder *b = model->b;
    vec_push(model->ctx->arena, &model->loss_terms, *term);
    if (scale->numerator != 1 || scale->denominator != 1)
        builder_op(b, OP_SCALE, "->", value.ref, &value.ref)->scale = *scale;
    if (model->loss_terms.count == 1) {
        model->loss = value;
        return;
    }
    Value sum = new_number(model, "loss");
    builder_op(b, OP_ADD, ",->", sum.ref, (Ref[]){model->loss.ref, value.ref});
    model->loss = sum;
}

static bool check_operation(Model *model, const AstReduction *reduction)
{
    static const char *const operations[] = {"mean", "sum"};
    for (int i = 0; i < 2; i++)
        if (strcmp(reduction->operation.text, operations[i]) == 0)
            return true;
    resolve_unknown(model->ctx, reduction->operation.span, "reduction", reduction->operation.text, operations, 2);
    return false;
}

/* The value that a reduction reduces, if it can be: real numbers with the batch as first dim, all of whose dims are
 * named. */
static Value reduced_value(Model *model, const AstReduction *reduction)
{
    if (!check_operation(model, reduction))
        return model_unknown(model);
    Value terms = model_expression(model, reduction->body);
    if (!terms.known)
        return terms;
    if (terms.dtype == DTYPE_I32) {
        diag_report(model->ctx->diag, P0204, reduction->body->span, "a loss of dtype int");
        return model_unknown(model);
    }
    bool has_batch = terms.dim_count > 0 && model_is_batch(&terms.dims[0]);
    if (!has_batch)
        diag_report(model->ctx->diag, P0203, reduction->body->span, "the terms of the loss have no dim 'batch': %s",
                    model_shape(model, &terms));
    return has_batch && check_reduced_dims(model, reduction, &terms) ? terms : model_unknown(model);
}

static int64_t count_elements(const Value *value)
{
    int64_t count = 1;
    for (int i = 0; i < value->dim_count; i++)
        count *= value->dims[i].size;
    return count;
}

/* weight * mean over ... of terms: the weight of every term is divided by their number. */
static void unmasked_term(Model *model, const Value *terms, bool mean, double weight, Scale scale)
{
    int64_t count = mean ? count_elements(terms) : 1;
    LossTerm term = {terms->ref, weight / (double)count, ref_of(-1), ref_of(-1), mean};
    scale.denominator *= count;
    Value sum = new_number(model, "loss");
    Op *op = add_up(model, sum, terms);
    if (mean)
        vec_push(model->ctx->arena, &model->b->means, op);
    add_term(model, &term, sum, &scale);
}

/* The same with a mask: the number of terms is a sum over the batch, like the terms. */
static void masked_term(Model *model, const Value *terms, const Value *mask, bool mean, double weight, Scale scale)
{
    Builder *b = model->b;
    Value kept = model_value(model, "loss.kept", terms->dtype, terms->dim_count, terms->dims);
    builder_op(b, OP_MASKED, builder_elementwise_spec(b, kept.ref, 2, 0), kept.ref, (Ref[]){terms->ref, mask->ref});
    Value value = sum_of(model, mean ? "loss.total" : "loss", &kept);
    LossTerm term = {terms->ref, weight, mask->ref, ref_of(-1), mean};
    if (mean) {
        Value count = sum_of(model, "loss.count", mask), inverse = new_number(model, "loss.inverse_count");
        Value total = value;
        value = new_number(model, "loss");
        vec_push(model->ctx->arena, &b->means, builder_op(b, OP_INVERSE_COUNT, "->", inverse.ref, &count.ref));
        builder_op(b, OP_MUL, ",->", value.ref, (Ref[]){total.ref, inverse.ref});
        term.inverse = inverse.ref;
    }
    add_term(model, &term, value, &scale);
}

static void reduction_term(Model *model, const AstNode *node, double weight, Scale scale)
{
    const AstReduction *reduction = &node->reduction;
    model->target = "loss.terms";
    Value terms = reduced_value(model, reduction);
    if (!terms.known)
        return;
    if (model->prediction_name == NULL)
        set_prediction(model, "prediction", &terms);
    Value mask = {.known = false};
    if (reduction->mask != NULL) {
        mask = mask_value(model, reduction->mask, &terms);
        if (!mask.known)
            return;
    }
    model->b->span = node->span;
    bool mean = strcmp(reduction->operation.text, "mean") == 0;
    if (mask.known)
        masked_term(model, &terms, &mask, mean, weight, scale);
    else
        unmasked_term(model, &terms, mean, weight, scale);
}

/* A term that is a single number. */
static void number_term(Model *model, const AstNode *node, double weight, Scale scale)
{
    Value value = model_expression(model, node);
    if (!value.known)
        return;
    if (value.dim_count > 0) {
        Diagnostic *d = diag_report(model->ctx->diag, P0206, node->span, "the loss must be a mean or a sum");
        diag_help(d, "Write 'loss = mean over batch of ...', with all dims of the terms after 'over'.");
        model->failed = true;
        return;
    }
    model->b->span = node->span;
    LossTerm term = {value.ref, weight, ref_of(-1), ref_of(-1), false};
    Value own = new_number(model, "loss");
    builder_op(model->b, OP_COPY, "->", own.ref, &value.ref);
    add_term(model, &term, own, &scale);
}

static void walk_terms(Model *model, const AstNode *node, double weight);

/* NUMBER * TERM */
static void weighted_term(Model *model, const AstNode *number, const AstNode *term, double weight)
{
    Constant constant;
    if (resolve_number(model->ctx, &model->constants, number, &constant))
        walk_terms(model, term, weight * constant.value);
    else
        model->failed = true;
}

static void walk_terms(Model *model, const AstNode *node, double weight)
{
    bool binary = node->kind == AST_BINARY;
    AstOperator sign = binary ? node->binary.operator: AST_ADD;
    if (binary && (sign == AST_ADD || sign == AST_SUBTRACT)) {
        walk_terms(model, node->binary.left, weight);
        walk_terms(model, node->binary.right, sign == AST_ADD ? weight : -weight);
        return;
    }
    if (binary && sign == AST_MULTIPLY && model_is_number(model, node->binary.left)) {
        weighted_term(model, node->binary.left, node->binary.right, weight);
        return;
    }
    if (binary && sign == AST_MULTIPLY && model_is_number(model, node->binary.right)) {
        weighted_term(model, node->binary.right, node->binary.left, weight);
        return;
    }
    Scale scale;
    if (!model_fraction(model, node, weight, &scale)) {
        model->failed = true;
        return;
    }
    if (node->kind == AST_REDUCTION)
        reduction_term(model, node, weight, scale);
    else
        number_term(model, node, weight, scale);
}

void model_loss(Model *model, const AstNode *node)
{
    if (span_known(model->loss_span)) {
        resolve_duplicate(model->ctx, node->span, "name", "loss", model->loss_span);
        model->failed = true;
        return;
    }
    model->loss_span = node->span;
    walk_terms(model, node, 1);
}
