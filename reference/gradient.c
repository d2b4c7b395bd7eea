/* gradient.c - the gradients of the operators: the column of step/op.def, the meaning of its general forms, and the
 * rules of operators that have their own. A rule contributes to the cotangent of each operand that has one, from the
 * cotangent of the result. */
#include "reference/autodiff_internal.h"

#include "step/spec.h"

#include <string.h>

/* ---- Specs -------------------------------------------------------------------------------------------------- */

static const char *spec_of_one(AutoDiff *ad, const char *a, const char *result)
{
    return arena_printf(ad->b->ctx->arena, "%s->%s", a, result);
}

static const char *spec_of_two(AutoDiff *ad, const char *a, const char *b, const char *result)
{
    return arena_printf(ad->b->ctx->arena, "%s,%s->%s", a, b, result);
}

/* ---- Rules: sums and products ------------------------------------------------------------------------------- */

/* Operand `i` was broadcast: its cotangent is the sum of the result's over the letters it lacks. */
static void pass_on_reduced(AutoDiff *ad, int i)
{
    if (strcmp(ad->spec_operand[i], ad->spec_result) == 0)
        autodiff_pass_on(ad, i);
    else
        autodiff_contribute(ad, i, OP_REDUCE, spec_of_one(ad, ad->spec_result, ad->spec_operand[i]), &ad->out);
}

/* Also for a copy: the sum of one operand. */
static void rule_add(AutoDiff *ad)
{
    for (int i = 0; i < ad->op->operand_count; i++)
        if (autodiff_wants(ad, i))
            pass_on_reduced(ad, i);
}

static void rule_sub(AutoDiff *ad)
{
    if (autodiff_wants(ad, 0))
        pass_on_reduced(ad, 0);
    if (!autodiff_wants(ad, 1))
        return;
    Ref negative = autodiff_new_cotangent(ad, ad->op->out);
    Op *op = builder_op(ad->b, OP_SCALE, builder_elementwise_spec(ad->b, negative, 1, 0), negative, &ad->out);
    op->scale.numerator = -1;
    Ref out = ad->out;
    ad->out = negative;
    pass_on_reduced(ad, 1);
    ad->out = out;
}

/* The cotangent of a sum of products with respect to one factor; the factor must not have letters that occur only in
 * it. */
static void rule_einsum(AutoDiff *ad)
{
    const Op *op = ad->op;
    for (int i = 0; i < 2; i++) {
        int other = 1 - i;
        if (!autodiff_wants(ad, i))
            continue;
        const char *target = ad->spec_operand[i];
        /* The factor whose letters come first in the result is written first. */
        bool out_first = target[0] == '\0' || strchr(ad->spec_result, target[0]) != NULL;
        if (out_first)
            autodiff_contribute(ad, i, OP_EINSUM, spec_of_two(ad, ad->spec_result, ad->spec_operand[other], target),
                                (Ref[]){ad->out, op->operand[other]});
        else
            autodiff_contribute(ad, i, OP_EINSUM, spec_of_two(ad, ad->spec_operand[other], ad->spec_result, target),
                                (Ref[]){op->operand[other], ad->out});
    }
}

static void rule_mul(AutoDiff *ad)
{
    for (int i = 0; i < 2; i++) {
        if (!autodiff_wants(ad, i))
            continue;
        bool whole = strcmp(ad->spec_operand[i], ad->spec_result) == 0;
        autodiff_contribute(ad, i, whole ? OP_MUL : OP_EINSUM,
                            spec_of_two(ad, ad->spec_result, ad->spec_operand[1 - i], ad->spec_operand[i]),
                            (Ref[]){ad->out, ad->op->operand[1 - i]});
    }
}

static void rule_conv(AutoDiff *ad)
{
    const Ref *x = ad->op->operand;
    const char *const *s = ad->spec_operand;
    if (autodiff_wants(ad, 0))
        autodiff_contribute(ad, 0, OP_CONV_INPUT_BWD, spec_of_two(ad, ad->spec_result, s[1], s[0]),
                            (Ref[]){ad->out, x[1]});
    if (autodiff_wants(ad, 1))
        autodiff_contribute(ad, 1, OP_CONV_WEIGHT_BWD, spec_of_two(ad, s[0], ad->spec_result, s[1]),
                            (Ref[]){x[0], ad->out});
}

/* ---- Rules: functions --------------------------------------------------------------------------------------- */

static const char *spec_of_three(AutoDiff *ad, const char *result)
{
    return arena_printf(ad->b->ctx->arena, "%s,%s,%s->%s", ad->spec_operand[0], ad->spec_operand[1], ad->spec_result,
                        result);
}

static void rule_squared_error(AutoDiff *ad)
{
    const Ref *x = ad->op->operand;
    const char *spec = spec_of_three(ad, ad->spec_result);
    if (autodiff_wants(ad, 0))
        autodiff_contribute(ad, 0, OP_SQUARED_ERROR_BWD, spec, (Ref[]){x[0], x[1], ad->out});
    if (autodiff_wants(ad, 1))
        autodiff_contribute(ad, 1, OP_SQUARED_ERROR_BWD, spec, (Ref[]){x[1], x[0], ad->out});
}

/* The cotangent of a square is twice the operand times the cotangent of the sum. */
static void rule_sum_squares(AutoDiff *ad)
{
    Ref twice = autodiff_new_cotangent(ad, ad->op->out);
    builder_op(ad->b, OP_SCALE, builder_elementwise_spec(ad->b, twice, 1, 0), twice, &ad->out)->scale.numerator = 2;
    autodiff_contribute(ad, 0, OP_MUL, spec_of_two(ad, ad->spec_operand[0], ad->spec_result, ad->spec_operand[0]),
                        (Ref[]){ad->op->operand[0], twice});
}

/* Softmax: the backward operator takes the result. */
static void rule_softmax(AutoDiff *ad)
{
    const char *letters = ad->spec_result;
    autodiff_contribute(ad, 0, OP_SOFTMAX_BWD, spec_of_two(ad, letters, letters, letters),
                        (Ref[]){ad->op->out, ad->out});
}

/* A look-up, or its transpose: the other one, by the same index. */
static void transpose_table(AutoDiff *ad, OpKind other)
{
    autodiff_contribute(ad, 1, other, spec_of_two(ad, ad->spec_operand[0], ad->spec_result, ad->spec_operand[1]),
                        (Ref[]){ad->op->operand[0], ad->out});
}

static void rule_embed(AutoDiff *ad)
{
    transpose_table(ad, OP_EMBED_BWD);
}

static void rule_take(AutoDiff *ad)
{
    transpose_table(ad, OP_GIVE);
}

/* Rows, weighted, are added to those of a table: the cotangents of the latter are taken to the former, for both. */
static void rule_combine(AutoDiff *ad)
{
    const Ref *x = ad->op->operand;
    const char *const *s = ad->spec_operand;
    const char *name = ad->b->program->buffers.data[ad->out.buffer].name;
    Ref taken = builder_like(ad->b, arena_printf(ad->b->ctx->arena, "%s.taken", name), x[1]);
    builder_op(ad->b, OP_TAKE, spec_of_two(ad, s[0], ad->spec_result, s[1]), taken, (Ref[]){x[0], ad->out});
    if (autodiff_wants(ad, 1))
        autodiff_contribute(ad, 1, OP_MUL, spec_of_two(ad, s[1], s[2], s[1]), (Ref[]){taken, x[2]});
    if (autodiff_wants(ad, 2))
        autodiff_contribute(ad, 2, OP_EINSUM, spec_of_two(ad, s[1], s[1], s[2]), (Ref[]){taken, x[1]});
}

/* ---- Rules: those that include the gradients of other operators (WITH) -------------------------------------- */

/* The operator of the forward part that computed operand `i`. */
static const Op *maker_of(const AutoDiff *ad, int i)
{
    const NodeList *body = ad->loop != NULL ? &ad->loop->body : &ad->forward;
    for (int n = 0; n < body->count; n++) {
        const Op *op = node_op(body->data[n]);
        if (body->data[n]->kind == NODE_OP && op->kind != OP_OUTPUT && op->out.buffer == ad->op->operand[i].buffer)
            return op;
    }
    BUG("'%s' has an operand that nothing made", op_info[ad->op->kind].name);
}

/* The operator of that kind that computed operand `i` from these operands: its cotangent is part of what the current
 * operator contributes to operand a, so any other operator's would be lost. */
static const Op *companion_of(AutoDiff *ad, int i, OpKind kind, const Ref *operands, int count)
{
    const Op *made = maker_of(ad, i);
    const Gradient *gradient = &op_gradient[kind];
    if (gradient->form != GRADIENT_WITH || gradient->other != ad->op->kind)
        BUG("the gradient of '%s' is not with '%s'", op_info[kind].name, op_info[ad->op->kind].name);
    bool fits = made->kind == kind;
    for (int j = 0; j < count && fits; j++)
        fits = ref_equal(autodiff_seen_from_backward(ad, made->operand[j]), operands[j]);
    if (!fits)
        BUG("operand %d of '%s' is not '%s' of what it is to be", i, op_info[ad->op->kind].name, op_info[kind].name);
    ad->covered |= 1u << i;
    return made;
}

/* Layer normalisation of a with mean b, inverse deviation c, gain d, offset e. The cotangents of mean and deviation are
 * part of norm_bwd, so the operators that compute these pass nothing on. */
static void rule_norm(AutoDiff *ad)
{
    const Ref *x = ad->op->operand;
    const char *const *s = ad->spec_operand;
    Arena *arena = ad->b->ctx->arena;
    companion_of(ad, 1, OP_ROW_MEAN, x, 1);
    companion_of(ad, 2, OP_ROW_RSTD, x, 2);
    if (autodiff_wants(ad, 0))
        autodiff_contribute(ad, 0, OP_NORM_BWD,
                            arena_printf(arena, "%s,%s,%s,%s,%s->%s", s[0], s[1], s[2], s[3], ad->spec_result, s[0]),
                            (Ref[]){x[0], x[1], x[2], x[3], ad->out});
    if (autodiff_wants(ad, 3))
        autodiff_contribute(ad, 3, OP_NORM_GAIN_BWD,
                            arena_printf(arena, "%s,%s,%s,%s->%s", s[0], s[1], s[2], ad->spec_result, s[3]),
                            (Ref[]){x[0], x[1], x[2], ad->out});
    if (autodiff_wants(ad, 4))
        pass_on_reduced(ad, 4);
}

/* Root-mean-square normalisation of a with inverse root b, gain c; the cotangent of b is part of rms_norm_bwd. */
static void rule_rms_norm(AutoDiff *ad)
{
    const Ref *x = ad->op->operand;
    const char *const *s = ad->spec_operand;
    Arena *arena = ad->b->ctx->arena;
    companion_of(ad, 1, OP_ROW_RRMS, x, 1);
    if (autodiff_wants(ad, 0))
        autodiff_contribute(ad, 0, OP_RMS_NORM_BWD,
                            arena_printf(arena, "%s,%s,%s,%s->%s", s[0], s[1], s[2], ad->spec_result, s[0]),
                            (Ref[]){x[0], x[1], x[2], ad->out});
    if (autodiff_wants(ad, 2))
        autodiff_contribute(ad, 2, OP_RMS_GAIN_BWD,
                            arena_printf(arena, "%s,%s,%s->%s", s[0], s[1], ad->spec_result, s[2]),
                            (Ref[]){x[0], x[1], ad->out});
}

/* log(b) + a - c, with a the largest of a row of scores, b the sum of exp(score - a), c the score of the class. What is
 * subtracted before exp is added after log, so the maximum does not contribute to the derivative; the derivative with
 * respect to the scores is computed in one step. */
static void rule_log_loss(AutoDiff *ad)
{
    const Op *loss = ad->op;
    Ref scores = autodiff_seen_from_backward(ad, maker_of(ad, 0)->operand[0]);
    companion_of(ad, 0, OP_ROW_MAX, &scores, 1);
    companion_of(ad, 1, OP_EXP_SUM, (Ref[]){scores, loss->operand[0]}, 2);
    const Op *pick = companion_of(ad, 2, OP_PICK, &scores, 1);
    Ref classes = autodiff_seen_from_backward(ad, pick->operand[1]);
    Arena *arena = ad->b->ctx->arena;
    Spec letters = spec_of(pick);
    const char *all = arena_copy(arena, letters.operand[0].at, (size_t)letters.operand[0].count);
    const char *rows = arena_copy(arena, letters.operand[1].at, (size_t)letters.operand[1].count);
    const char *columns = arena_copy(arena, letters.operand[2].at, (size_t)letters.operand[2].count);
    const char *spec = arena_printf(arena, "%s,%s,%s,%s,%s,%s->%s", all, rows, rows, rows, columns, rows, all);
    Op of_scores = *loss;
    of_scores.operand[0] = scores;
    ad->op = &of_scores;
    autodiff_contribute(ad, 0, OP_LOG_LOSS_BWD, spec,
                        (Ref[]){scores, loss->operand[0], loss->operand[1], classes, pick->operand[2], ad->out});
    ad->op = loss;
}

/* ---- General forms ------------------------------------------------------------------------------------------ */

/* `other` of the operands as they are and the cotangent, or with the cotangent in place of operand a. */
static void apply_form(AutoDiff *ad, OpKind other, bool transposed)
{
    const Op *forward = ad->op;
    if (!autodiff_wants(ad, 0))
        return;
    Text spec = {.arena = ad->b->ctx->arena};
    Ref operands[STEP_MAX_OPERANDS];
    int count = op_info[other].operands;
    for (int i = 0; i < count; i++) {
        bool is_cotangent = i == (transposed ? 0 : count - 1);
        operands[i] = is_cotangent ? ad->out : forward->operand[i];
        text_add(&spec, "%s%s", i > 0 ? "," : "", is_cotangent ? ad->spec_result : ad->spec_operand[i]);
    }
    text_add(&spec, "->%s", ad->spec_operand[0]);
    Op *op = autodiff_contribute(ad, 0, other, spec.data, operands);
    if (forward->kind == OP_SCALE && other == OP_SCALE)
        op->scale = forward->scale;
}

static void apply_gradient(AutoDiff *ad)
{
    const Gradient *gradient = &op_gradient[ad->op->kind];
    const char *name = op_info[ad->op->kind].name;
    switch (gradient->form) {
    case GRADIENT_RULE:
        gradient->rule(ad);
        return;
    case GRADIENT_BACKWARD:
        apply_form(ad, gradient->other, false);
        return;
    case GRADIENT_TRANSPOSE:
        apply_form(ad, gradient->other, true);
        return;
    case GRADIENT_WITH: /* also read by another operator, whose part would be lost */
        BUG("no gradient of '%s' but as part of that of '%s'", name, op_info[gradient->other].name);
    case GRADIENT_NONE: /* nothing flows through it, so its result has no cotangent */
    case GRADIENT_NEVER:
        break;
    }
    BUG("no gradient rule for '%s'", name);
}

/* Every operand that has a cotangent must have got its part, except those that by their rule get none. */
void gradient_apply(AutoDiff *ad)
{
    OpKind kind = ad->op->kind;
    const char *jumps = op_gradient[kind].jumps;
    apply_gradient(ad);
    for (int i = 0; i < ad->op->operand_count; i++) {
        bool passes_nothing = jumps != NULL && strchr(jumps, 'a' + i) != NULL;
        bool passed = ((ad->given | ad->covered) >> i & 1) != 0;
        if (passes_nothing ? passed : autodiff_wants(ad, i) && !passed)
            BUG("'%s' gives its operand %d %s", op_info[kind].name, i, passed ? "a gradient" : "no gradient");
    }
}

/* ---- The column --------------------------------------------------------------------------------------------- */

/* The operator that a general form names takes the operands that it is given. */
enum {
#define OP(id, name, op_class, operands, ...) OPERANDS_##id = operands,
#include "step/op.def"
#undef OP
};
#define TAKES_BACKWARD(id) OPERANDS_##id - 1 ==
#define TAKES_TRANSPOSE(id) OPERANDS_##id ==
#define TAKES_RULE(name) 0 <=
#define TAKES_WITH(id) 0 * OPERANDS_##id <=
#define TAKES_NONE 0 <=
#define TAKES_NEVER 0 <=
#define JUMPS(operands)
#define OP(id, name, op_class, operands, immediates, coupled, linear, flops, gradient, ...)                            \
    _Static_assert(TAKES_##gradient operands, #id ": what gives its gradient takes another number of operands");
#include "step/op.def"
#undef OP
#undef JUMPS

#define GRADIENT_RULE(name) GRADIENT_RULE, .rule = rule_##name
#define GRADIENT_BACKWARD(id) GRADIENT_BACKWARD, .other = OP_##id
#define GRADIENT_TRANSPOSE(id) GRADIENT_TRANSPOSE, .other = OP_##id
#define GRADIENT_WITH(id) GRADIENT_WITH, .other = OP_##id
#define JUMPS(operands) , .jumps = #operands
const Gradient op_gradient[OP_COUNT] = {
#define OP(id, name, op_class, operands, immediates, coupled, linear, flops, gradient, ...)                            \
    [OP_##id] = {.form = GRADIENT_##gradient},
#include "step/op.def"
#undef OP
};
