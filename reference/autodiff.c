/* autodiff.c - reverse-mode differentiation of the forward part of a routine.
 *
 * Cotangents are kept in a list of (forward place, place of its cotangent). Adding two values passes the cotangent of
 * the sum on to both without copying, so two entries may share one place; before anything is added to a shared place it
 * is copied. In a residual network this leaves one cotangent buffer for the whole residual stream, added to in place.
 *
 * A forward loop over layers becomes a backward loop. Values that the forward loop carries (written at slot l+1, read
 * at slot l) have one cotangent buffer each that lives across the iterations; values from outside the loop have one
 * that every iteration adds to.
 */
#include "reference/autodiff.h"

#include <string.h>

typedef struct Cotangent {
    Ref forward, place;
} Cotangent;

typedef struct AutoDiff {
    Builder *b;
    bool *active;              /* per buffer: it depends on a trainable parameter, and the loss on it */
    Vec(Cotangent) cotangents; /* of values that are not parameters */
    NodeList forward;          /* the forward part */
    const Node *loop;          /* the forward loop whose backward loop is open, or NULL */
    const Op *op;              /* the forward operator at hand */
    Ref out;                   /* the cotangent of its result */
    unsigned given;            /* its operands that got a contribution, as bits */
    const char *spec_operand[STEP_MAX_OPERANDS], *spec_result; /* its spec, taken apart */
} AutoDiff;

/* ---- Which values have a cotangent -------------------------------------------------------------------------- */

/* A choice: its derivative is zero wherever it has one. */
static bool is_discrete(OpKind kind)
{
    return kind == OP_TOP_NEXT;
}

static bool op_is_active(const AutoDiff *ad, const Op *op)
{
    if (is_discrete(op->kind))
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (ad->active[op->operand[i].buffer])
            return true;
    return false;
}

static bool mark_active(AutoDiff *ad, const NodeList *body, int count)
{
    bool changed = false;
    for (int i = 0; i < count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_LOOP)
            changed |= mark_active(ad, &node->body, node->body.count);
        if (node->kind != NODE_OP || node->op->kind == OP_OUTPUT || ad->active[node->op->out.buffer])
            continue;
        ad->active[node->op->out.buffer] = op_is_active(ad, node->op);
        changed |= ad->active[node->op->out.buffer];
    }
    return changed;
}

static void find_active(AutoDiff *ad, const NodeList *body)
{
    const Program *program = ad->b->program;
    const Decls *decls = ad->b->decls;
    ad->active = arena_array(ad->b->ctx->arena, bool, program->buffers.count + 1);
    for (int i = 0; i < program->buffers.count; i++) {
        const Buffer *buffer = &program->buffers.data[i];
        ad->active[i] = buffer->state == BUILD_STATE_PARAMETERS && decls->tensors.data[buffer->tensor].trainable;
    }
    while (mark_active(ad, body, body->count)) {
    }
}

/* What the loss depends on. Operators read buffers that hold several slots: those are taken as one. */
static bool mark_useful(bool *useful, const NodeList *body)
{
    bool changed = false;
    for (int i = body->count - 1; i >= 0; i--) {
        const Node *node = body->data[i];
        if (node->kind == NODE_LOOP)
            changed |= mark_useful(useful, &node->body);
        if (node->kind != NODE_OP || node->op->kind == OP_OUTPUT || !useful[node->op->out.buffer])
            continue;
        for (int j = 0; j < node->op->operand_count; j++) {
            changed |= !useful[node->op->operand[j].buffer];
            useful[node->op->operand[j].buffer] = true;
        }
    }
    return changed;
}

static void keep_useful(AutoDiff *ad, const NodeList *body, const LossTerm *terms, int term_count)
{
    int count = ad->b->program->buffers.count;
    bool *useful = arena_array(ad->b->ctx->arena, bool, count + 1);
    for (int i = 0; i < term_count; i++)
        useful[terms[i].terms.buffer] = true;
    while (mark_useful(useful, body)) {
    }
    for (int i = 0; i < count; i++)
        ad->active[i] = ad->active[i] && useful[i];
}

/* ---- Cotangents --------------------------------------------------------------------------------------------- */

static const Buffer *buffer_of(const AutoDiff *ad, Ref ref)
{
    return &ad->b->program->buffers.data[ref.buffer];
}

static bool is_parameter(const AutoDiff *ad, Ref ref)
{
    return buffer_of(ad, ref)->state == BUILD_STATE_PARAMETERS;
}

static Cotangent *find_cotangent(AutoDiff *ad, Ref forward)
{
    for (int i = 0; i < ad->cotangents.count; i++)
        if (ref_equal(ad->cotangents.data[i].forward, forward))
            return &ad->cotangents.data[i];
    return NULL;
}

static void remove_cotangent(AutoDiff *ad, Ref forward)
{
    int kept = 0;
    for (int i = 0; i < ad->cotangents.count; i++)
        if (!ref_equal(ad->cotangents.data[i].forward, forward))
            ad->cotangents.data[kept++] = ad->cotangents.data[i];
    ad->cotangents.count = kept;
}

static void add_cotangent(AutoDiff *ad, Ref forward, Ref place)
{
    vec_push(ad->b->ctx->arena, &ad->cotangents, (Cotangent){forward, place});
}

static Ref new_cotangent(AutoDiff *ad, Ref forward)
{
    const char *name = buffer_of(ad, forward)->name;
    return build_like(ad->b, arena_printf(ad->b->ctx->arena, "d_%s", name), forward);
}

static bool is_shared(const AutoDiff *ad, Ref place)
{
    int count = 0;
    for (int i = 0; i < ad->cotangents.count; i++)
        count += ref_equal(ad->cotangents.data[i].place, place);
    return count > 1;
}

static Op *emit_copy(AutoDiff *ad, Ref to, Ref from)
{
    return build_op(ad->b, OP_COPY, build_elementwise_spec(ad->b, to, 1, 0), to, &from);
}

/* Makes the cotangent of `forward`, if it shares its place, have one of its own. */
static Cotangent *own_cotangent(AutoDiff *ad, Cotangent *cotangent)
{
    if (!is_shared(ad, cotangent->place))
        return cotangent;
    Ref own = new_cotangent(ad, cotangent->forward);
    emit_copy(ad, own, cotangent->place);
    cotangent->place = own;
    return cotangent;
}

/* A place of the forward pass, seen from the backward loop: its variable for the forward loop's. */
static Ref seen_from_backward(const AutoDiff *ad, Ref ref)
{
    for (int i = 0; ad->loop != NULL && i < ref.slot.term_count; i++)
        if (ref.slot.term[i].variable == ad->loop->loop.id)
            ref.slot.term[i].variable = ad->b->loop->loop.id;
    return ref;
}

/* Where the next contribution to the cotangent of operand `i` goes. *accumulate tells whether it is added. */
static Ref contribution_place(AutoDiff *ad, int i, bool *accumulate)
{
    Ref forward = ad->op->operand[i];
    *accumulate = true;
    if (is_parameter(ad, forward))
        return build_state_ref(ad->b, BUILD_STATE_GRADIENTS, buffer_of(ad, forward)->tensor);
    Cotangent *cotangent = find_cotangent(ad, forward);
    if (cotangent != NULL)
        return own_cotangent(ad, cotangent)->place;
    *accumulate = false;
    Ref place = new_cotangent(ad, forward);
    add_cotangent(ad, forward, place);
    return place;
}

static bool wants(const AutoDiff *ad, int i)
{
    return ad->active[ad->op->operand[i].buffer];
}

/* Appends an operator whose result is a contribution to the cotangent of operand `i`. */
static Op *contribute(AutoDiff *ad, int i, OpKind kind, const char *spec, const Ref *operands)
{
    bool accumulate;
    ad->given |= 1u << i;
    Ref place = contribution_place(ad, i, &accumulate);
    Op *op = build_op_with(ad->b, kind, spec, place, operands, ad->op->immediate);
    op->accumulate = accumulate;
    return op;
}

/* The cotangent of the result is a contribution to that of operand `i`, as it is. */
static void pass_on(AutoDiff *ad, int i)
{
    Ref forward = ad->op->operand[i];
    ad->given |= 1u << i;
    bool same_dtype = buffer_of(ad, forward)->dtype == buffer_of(ad, ad->out)->dtype;
    if (same_dtype && !is_parameter(ad, forward) && find_cotangent(ad, forward) == NULL)
        add_cotangent(ad, forward, ad->out);
    else
        contribute(ad, i, same_dtype ? OP_COPY : OP_CAST, build_elementwise_spec(ad->b, forward, 1, 0), &ad->out);
}

/* ---- Rules of the operators --------------------------------------------------------------------------------- */

static const char *spec_of_one(AutoDiff *ad, const char *a, const char *result)
{
    return arena_printf(ad->b->ctx->arena, "%s->%s", a, result);
}

static const char *spec_of_two(AutoDiff *ad, const char *a, const char *b, const char *result)
{
    return arena_printf(ad->b->ctx->arena, "%s,%s->%s", a, b, result);
}

/* Operand `i` was broadcast: its cotangent is the sum of the result's over the letters it lacks. */
static void pass_on_reduced(AutoDiff *ad, int i)
{
    if (strcmp(ad->spec_operand[i], ad->spec_result) == 0)
        pass_on(ad, i);
    else
        contribute(ad, i, OP_REDUCE, spec_of_one(ad, ad->spec_result, ad->spec_operand[i]), &ad->out);
}

static void rule_add(AutoDiff *ad)
{
    for (int i = 0; i < ad->op->operand_count; i++)
        if (wants(ad, i))
            pass_on_reduced(ad, i);
}

static void rule_sub(AutoDiff *ad)
{
    if (wants(ad, 0))
        pass_on_reduced(ad, 0);
    if (!wants(ad, 1))
        return;
    Ref negative = new_cotangent(ad, ad->op->out);
    Op *op = build_op(ad->b, OP_SCALE, build_elementwise_spec(ad->b, negative, 1, 0), negative, &ad->out);
    op->scale.numerator = -1;
    Ref out = ad->out;
    ad->out = negative;
    pass_on_reduced(ad, 1);
    ad->out = out;
}

/* The cotangent of a sum of products with respect to one factor; the letters of the factor must not be new. */
static void rule_einsum(AutoDiff *ad)
{
    const Op *op = ad->op;
    for (int i = 0; i < 2; i++) {
        int other = 1 - i;
        if (!wants(ad, i))
            continue;
        const char *target = ad->spec_operand[i];
        /* The factor whose letters come first in the result is written first. */
        bool out_first = target[0] == '\0' || strchr(ad->spec_result, target[0]) != NULL;
        if (out_first)
            contribute(ad, i, OP_EINSUM, spec_of_two(ad, ad->spec_result, ad->spec_operand[other], target),
                       (Ref[]){ad->out, op->operand[other]});
        else
            contribute(ad, i, OP_EINSUM, spec_of_two(ad, ad->spec_operand[other], ad->spec_result, target),
                       (Ref[]){op->operand[other], ad->out});
    }
}

static void rule_mul(AutoDiff *ad)
{
    for (int i = 0; i < 2; i++) {
        if (!wants(ad, i))
            continue;
        bool whole = strcmp(ad->spec_operand[i], ad->spec_result) == 0;
        contribute(ad, i, whole ? OP_MUL : OP_EINSUM,
                   spec_of_two(ad, ad->spec_result, ad->spec_operand[1 - i], ad->spec_operand[i]),
                   (Ref[]){ad->out, ad->op->operand[1 - i]});
    }
}

static void rule_scale(AutoDiff *ad)
{
    Op *op = contribute(ad, 0, OP_SCALE, ad->op->spec, &ad->out);
    op->scale = ad->op->scale;
}

/* Only what was let through passes its cotangent on. */
static void rule_masked(AutoDiff *ad)
{
    if (wants(ad, 0))
        contribute(ad, 0, OP_MASKED, ad->op->spec, (Ref[]){ad->out, ad->op->operand[1]});
}

static void rule_reduce(AutoDiff *ad)
{
    contribute(ad, 0, OP_COPY, spec_of_one(ad, ad->spec_result, ad->spec_operand[0]), &ad->out);
}

static void rule_copy(AutoDiff *ad)
{
    pass_on_reduced(ad, 0);
}

/* y = f(a): the backward operator takes a and the cotangent. */
static void rule_unary(AutoDiff *ad, OpKind backward)
{
    const char *letters = ad->spec_operand[0];
    contribute(ad, 0, backward, spec_of_two(ad, letters, letters, letters), (Ref[]){ad->op->operand[0], ad->out});
}

/* Softmax: the backward operator takes the result. */
static void rule_softmax(AutoDiff *ad)
{
    const char *letters = ad->spec_result;
    contribute(ad, 0, OP_SOFTMAX_BWD, spec_of_two(ad, letters, letters, letters), (Ref[]){ad->op->out, ad->out});
}

static const char *spec_of_three(AutoDiff *ad, const char *result)
{
    return arena_printf(ad->b->ctx->arena, "%s,%s,%s->%s", ad->spec_operand[0], ad->spec_operand[1], ad->spec_result,
                        result);
}

/* The operator of the forward part that made operand `i`. */
static const Op *maker_of(const AutoDiff *ad, int i)
{
    const NodeList *body = ad->loop != NULL ? &ad->loop->body : &ad->forward;
    for (int n = 0; n < body->count; n++) {
        const Op *op = body->data[n]->op;
        if (body->data[n]->kind == NODE_OP && op->kind != OP_OUTPUT && op->out.buffer == ad->op->operand[i].buffer)
            return op;
    }
    BUG("'%s' has an operand that nothing made", op_info[ad->op->kind].name);
}

/* The operator of that kind that made operand `i` from these operands: its cotangent is part of what the operator at
 * hand gives operand a, so another would be lost. */
static const Op *companion_of(const AutoDiff *ad, int i, OpKind kind, const Ref *operands, int count)
{
    const Op *made = maker_of(ad, i);
    bool fits = made->kind == kind;
    for (int j = 0; j < count && fits; j++)
        fits = ref_equal(seen_from_backward(ad, made->operand[j]), operands[j]);
    if (!fits)
        BUG("operand %d of '%s' is not '%s' of what it is to be", i, op_info[ad->op->kind].name, op_info[kind].name);
    return made;
}

/* log(b) + a - c, with a the largest of a row of scores, b the sum of exp(score - a), c the score of the class. What is
 * subtracted before exp is added after log, so the maximum has no part in the derivative; that by the scores is taken
 * at once. */
static void rule_log_loss(AutoDiff *ad)
{
    const Op *loss = ad->op;
    Ref scores = seen_from_backward(ad, maker_of(ad, 0)->operand[0]);
    companion_of(ad, 0, OP_ROW_MAX, &scores, 1);
    companion_of(ad, 1, OP_EXP_SUM, (Ref[]){scores, loss->operand[0]}, 2);
    const Op *pick = companion_of(ad, 2, OP_PICK, &scores, 1);
    Ref classes = seen_from_backward(ad, pick->operand[1]);
    const char *letters = pick->spec, *rows = strchr(letters, ',') + 1, *columns = strchr(rows, ',') + 1;
    int score_letters = (int)strcspn(letters, ","), row_letters = (int)strcspn(rows, ",");
    const char *spec = arena_printf(ad->b->ctx->arena, "%.*s,%.*s,%.*s,%.*s,%.*s,%.*s->%.*s", score_letters, letters,
                                    row_letters, rows, row_letters, rows, row_letters, rows, (int)strcspn(columns, "-"),
                                    columns, row_letters, rows, score_letters, letters);
    Op of_scores = *loss;
    of_scores.operand[0] = scores;
    ad->op = &of_scores;
    contribute(ad, 0, OP_LOG_LOSS_BWD, spec,
               (Ref[]){scores, loss->operand[0], loss->operand[1], classes, pick->operand[2], ad->out});
    ad->op = loss;
}

static void rule_squared_error(AutoDiff *ad)
{
    const Ref *x = ad->op->operand;
    const char *spec = spec_of_three(ad, ad->spec_result);
    if (wants(ad, 0))
        contribute(ad, 0, OP_SQUARED_ERROR_BWD, spec, (Ref[]){x[0], x[1], ad->out});
    if (wants(ad, 1))
        contribute(ad, 1, OP_SQUARED_ERROR_BWD, spec, (Ref[]){x[1], x[0], ad->out});
}

/* Layer normalisation of a with mean b, inverse deviation c, gain d, offset e. The cotangents of mean and deviation are
 * part of norm_bwd, so their own operators pass nothing on. */
static void rule_norm(AutoDiff *ad)
{
    const Ref *x = ad->op->operand;
    const char *const *s = ad->spec_operand;
    Arena *arena = ad->b->ctx->arena;
    companion_of(ad, 1, OP_ROW_MEAN, x, 1);
    companion_of(ad, 2, OP_ROW_RSTD, x, 2);
    if (wants(ad, 0))
        contribute(ad, 0, OP_NORM_BWD,
                   arena_printf(arena, "%s,%s,%s,%s,%s->%s", s[0], s[1], s[2], s[3], ad->spec_result, s[0]),
                   (Ref[]){x[0], x[1], x[2], x[3], ad->out});
    if (wants(ad, 3))
        contribute(ad, 3, OP_NORM_GAIN_BWD,
                   arena_printf(arena, "%s,%s,%s,%s->%s", s[0], s[1], s[2], ad->spec_result, s[3]),
                   (Ref[]){x[0], x[1], x[2], ad->out});
    if (wants(ad, 4))
        pass_on_reduced(ad, 4);
}

/* Root-mean-square normalisation of a with inverse root b, gain c; the cotangent of b is part of rms_norm_bwd. */
static void rule_rms_norm(AutoDiff *ad)
{
    const Ref *x = ad->op->operand;
    const char *const *s = ad->spec_operand;
    Arena *arena = ad->b->ctx->arena;
    companion_of(ad, 1, OP_ROW_RRMS, x, 1);
    if (wants(ad, 0))
        contribute(ad, 0, OP_RMS_NORM_BWD,
                   arena_printf(arena, "%s,%s,%s,%s->%s", s[0], s[1], s[2], ad->spec_result, s[0]),
                   (Ref[]){x[0], x[1], x[2], ad->out});
    if (wants(ad, 2))
        contribute(ad, 2, OP_RMS_GAIN_BWD, arena_printf(arena, "%s,%s,%s->%s", s[0], s[1], ad->spec_result, s[2]),
                   (Ref[]){x[0], x[1], ad->out});
}

/* A rotation of the rows of a by given angles: the cotangent is turned back. */
static void rule_rotate(AutoDiff *ad)
{
    const Ref *x = ad->op->operand;
    contribute(ad, 0, OP_ROTATE_BWD,
               arena_printf(ad->b->ctx->arena, "%s,%s,%s->%s", ad->spec_result, ad->spec_operand[1],
                            ad->spec_operand[2], ad->spec_operand[0]),
               (Ref[]){ad->out, x[1], x[2]});
}

/* The weights of the chosen experts; which are chosen is no function to differentiate. */
static void rule_gate(AutoDiff *ad)
{
    const Ref *x = ad->op->operand;
    contribute(ad, 0, OP_GATE_BWD, spec_of_three(ad, ad->spec_operand[0]), (Ref[]){x[0], x[1], ad->out});
}

static void rule_log_sum_exp(AutoDiff *ad)
{
    const char *row = ad->spec_operand[0];
    contribute(ad, 0, OP_LOG_SUM_EXP_BWD, spec_of_two(ad, row, ad->spec_result, row),
               (Ref[]){ad->op->operand[0], ad->out});
}

static void rule_one_hot(AutoDiff *ad)
{
    const Ref *x = ad->op->operand;
    const char *const *s = ad->spec_operand;
    const char *spec = arena_printf(ad->b->ctx->arena, "%s,%s,%s->%s", ad->spec_result, s[1], s[2], s[0]);
    contribute(ad, 0, OP_ONE_HOT_BWD, spec, (Ref[]){ad->out, x[1], x[2]});
}

static void rule_conv(AutoDiff *ad)
{
    const Ref *x = ad->op->operand;
    const char *const *s = ad->spec_operand;
    if (wants(ad, 0))
        contribute(ad, 0, OP_CONV_INPUT_BWD, spec_of_two(ad, ad->spec_result, s[1], s[0]), (Ref[]){ad->out, x[1]});
    if (wants(ad, 1))
        contribute(ad, 1, OP_CONV_WEIGHT_BWD, spec_of_two(ad, s[0], ad->spec_result, s[1]), (Ref[]){x[0], ad->out});
}

static void rule_max_pool(AutoDiff *ad)
{
    const char *input = ad->spec_operand[0];
    contribute(ad, 0, OP_MAX_POOL_BWD, spec_of_two(ad, input, ad->spec_result, input),
               (Ref[]){ad->op->operand[0], ad->out});
}

/* Linear in its operand: the transpose takes the cotangent alone. */
static void rule_transpose(AutoDiff *ad, OpKind transpose)
{
    contribute(ad, 0, transpose, spec_of_one(ad, ad->spec_result, ad->spec_operand[0]), &ad->out);
}

/* The cotangent of a square is twice the operand's own times the sum's. */
static void rule_sum_squares(AutoDiff *ad)
{
    Ref twice = new_cotangent(ad, ad->op->out);
    build_op(ad->b, OP_SCALE, build_elementwise_spec(ad->b, twice, 1, 0), twice, &ad->out)->scale.numerator = 2;
    contribute(ad, 0, OP_MUL, spec_of_two(ad, ad->spec_operand[0], ad->spec_result, ad->spec_operand[0]),
               (Ref[]){ad->op->operand[0], twice});
}

static void rule_embed(AutoDiff *ad)
{
    contribute(ad, 1, OP_EMBED_BWD, spec_of_two(ad, ad->spec_operand[0], ad->spec_result, ad->spec_operand[1]),
               (Ref[]){ad->op->operand[0], ad->out});
}

static void apply_rule(AutoDiff *ad)
{
    switch (ad->op->kind) {
    case OP_COPY:
    case OP_CAST:
        rule_copy(ad);
        return;
    case OP_ADD:
        rule_add(ad);
        return;
    case OP_SUB:
        rule_sub(ad);
        return;
    case OP_MUL:
        rule_mul(ad);
        return;
    case OP_SCALE:
        rule_scale(ad);
        return;
    case OP_MASKED:
        rule_masked(ad);
        return;
    case OP_RELU:
        rule_unary(ad, OP_RELU_BWD);
        return;
    case OP_TANH:
        rule_unary(ad, OP_TANH_BWD);
        return;
    case OP_GELU:
        rule_unary(ad, OP_GELU_BWD);
        return;
    case OP_SILU:
        rule_unary(ad, OP_SILU_BWD);
        return;
    case OP_SQUARED_ERROR:
        rule_squared_error(ad);
        return;
    case OP_NORM:
        rule_norm(ad);
        return;
    case OP_ROW_MEAN: /* their gradient is in norm_bwd (companion_of); what else uses them would have none */
    case OP_ROW_RSTD:
    case OP_ROW_RRMS: /* in rms_norm_bwd */
    case OP_ROW_MAX:  /* in log_loss_bwd */
    case OP_EXP_SUM:
    case OP_PICK:
        break;
    case OP_LOG_LOSS:
        rule_log_loss(ad);
        return;
    case OP_RMS_NORM:
        rule_rms_norm(ad);
        return;
    case OP_ROTATE:
        rule_rotate(ad);
        return;
    case OP_SOFTMAX:
    case OP_CAUSAL_SOFTMAX:
        rule_softmax(ad);
        return;
    case OP_LOG_SUM_EXP:
        rule_log_sum_exp(ad);
        return;
    case OP_GATE:
        rule_gate(ad);
        return;
    case OP_ONE_HOT:
        rule_one_hot(ad);
        return;
    case OP_CONV:
        rule_conv(ad);
        return;
    case OP_MAX_POOL:
        rule_max_pool(ad);
        return;
    case OP_MEAN_POOL:
        rule_transpose(ad, OP_MEAN_POOL_BWD);
        return;
    case OP_VIEW:
        rule_transpose(ad, OP_VIEW);
        return;
    case OP_SEGMENT:
        rule_transpose(ad, OP_SEGMENT_BWD);
        return;
    case OP_RELU6:
        rule_unary(ad, OP_RELU6_BWD);
        return;
    case OP_RSQRT:
        rule_unary(ad, OP_RSQRT_BWD);
        return;
    case OP_SUM_SQUARES:
        rule_sum_squares(ad);
        return;
    case OP_EINSUM:
        rule_einsum(ad);
        return;
    case OP_REDUCE:
        rule_reduce(ad);
        return;
    case OP_EMBED:
        rule_embed(ad);
        return;
    case OP_FILL: /* sources and sinks have no operand to differentiate */
    case OP_IOTA:
    case OP_FALLING_POWER: /* of the number of a microbatch */
    case OP_READ:
    case OP_INIT:
    case OP_OUTPUT:
        return;
    case OP_ROTARY_COSINE: /* functions of positions */
    case OP_ROTARY_SINE:
    case OP_DROPOUT_MASK:
    case OP_INDEX_WORD:
    case OP_LESS: /* constant but for jumps */
    case OP_LESS_EQUAL:
    case OP_EQUAL:
    case OP_NOT_EQUAL:
    case OP_INVERSE_COUNT:
        return;
    case OP_TOP_NEXT: /* never active */
    case OP_RECIP:    /* not in the forward part of any model, or not of what has a gradient */
    case OP_COUNT_BEFORE:
    case OP_GATE_BWD:
    case OP_LOG_SUM_EXP_BWD:
    case OP_ONE_HOT_BWD:
    case OP_CONV_INPUT_BWD:
    case OP_CONV_WEIGHT_BWD:
    case OP_MAX_POOL_BWD:
    case OP_MEAN_POOL_BWD:
    case OP_SEGMENT_BWD:
    case OP_PLACE_SEGMENT:
    case OP_RELU6_BWD:
    case OP_RSQRT_BWD:
    case OP_BLEND: /* of a state */
    case OP_RELU_BWD:
    case OP_TANH_BWD:
    case OP_GELU_BWD:
    case OP_SILU_BWD:
    case OP_SQUARED_ERROR_BWD:
    case OP_NORM_BWD:
    case OP_NORM_GAIN_BWD:
    case OP_RMS_NORM_BWD:
    case OP_RMS_GAIN_BWD:
    case OP_ROTATE_BWD:
    case OP_LOG_LOSS_BWD:
    case OP_SOFTMAX_BWD:
    case OP_EMBED_BWD:
    case OP_SQRT:
    case OP_CLIP_FACTOR:
    case OP_RATE:
    case OP_CORRECTION:
    case OP_INCREMENT:
    case OP_EMA:
    case OP_EMA_SQUARE:
    case OP_ADAMW:
    case OP_ADAM_DIRECTION:
    case OP_TRUST_RATIO:
    case OP_LARS_RATIO:
    case OP_SQUARE_PLUS:
    case OP_GROWING_BETA:
    case OP_EMA_BY:
    case OP_FACTORED_DIRECTION:
    case OP_OVER_ROOT:
    case OP_RELATIVE_RATE:
    case OP_INVERSE_NORM:
    case OP_MIX:
    case OP_FINITE:
    case OP_SELECT:
    case OP_NEXT_SCALE:
    case OP_NEXT_COUNT:
    case OP_DECAYED_SGD:
    case OP_DECAY_GRADIENT:
    case OP_MOMENTUM:
    case OP_SGD:
    case OP_SLICE:
    case OP_PLACE_SHARD:
    case OP_ALL_REDUCE:
    case OP_REDUCE_SCATTER:
    case OP_ALL_GATHER:
    case OP_ALL_TO_ALL:
    case OP_PERMUTE:
    case OP_BROADCAST:
    case OP_HALO:
    case OP_HALO_ADD:
    case OP_SEND:
    case OP_RECV:
    case OP_COUNT:
        break;
    }
    BUG("no gradient rule for '%s'", op_info[ad->op->kind].name);
}

/* Whether the operator gives this operand nothing by right: because its part is in another operand's, or because the
 * result is constant in it but for jumps. */
static bool passes_nothing(OpKind kind, int operand)
{
    bool compares = kind == OP_LESS || kind == OP_LESS_EQUAL || kind == OP_EQUAL || kind == OP_NOT_EQUAL;
    bool hashes = kind == OP_DROPOUT_MASK || kind == OP_INDEX_WORD;
    if (compares || hashes || kind == OP_INVERSE_COUNT) /* counts what a mask lets through */
        return true;
    if (kind == OP_NORM)
        return operand == 1 || operand == 2;
    if (kind == OP_LOG_LOSS || kind == OP_ONE_HOT || kind == OP_CAUSAL_SOFTMAX)
        return operand > 0;
    if (kind == OP_RMS_NORM || kind == OP_MASKED)
        return operand == 1;
    return kind == OP_EMBED && operand == 0;
}

/* ---- Running backwards -------------------------------------------------------------------------------------- */

static void take_spec_apart(AutoDiff *ad)
{
    char *text = arena_copy(ad->b->ctx->arena, ad->op->spec, strlen(ad->op->spec));
    char *arrow = strstr(text, "->");
    ad->spec_result = arrow ? arrow + 2 : "";
    if (arrow)
        *arrow = '\0';
    for (int i = 0; i < STEP_MAX_OPERANDS; i++) {
        char *comma = strchr(text, ',');
        ad->spec_operand[i] = text;
        if (comma)
            *comma = '\0';
        text = comma ? comma + 1 : text + strlen(text);
    }
}

static void backward_op(AutoDiff *ad, const Op *forward)
{
    if (forward->kind == OP_OUTPUT || !ad->active[forward->out.buffer] || !op_is_active(ad, forward))
        return;
    Op op = *forward;
    op.out = seen_from_backward(ad, op.out);
    for (int i = 0; i < op.operand_count; i++)
        op.operand[i] = seen_from_backward(ad, op.operand[i]);
    Cotangent *cotangent = find_cotangent(ad, op.out);
    if (cotangent == NULL)
        return;
    ad->op = &op;
    ad->out = cotangent->place;
    ad->b->span = op.span;
    ad->b->origin = op.id;
    ad->given = 0;
    take_spec_apart(ad);
    apply_rule(ad);
    for (int i = 0; i < op.operand_count; i++)
        if (ad->active[op.operand[i].buffer] && !(ad->given >> i & 1) && !passes_nothing(op.kind, i))
            BUG("'%s' gives its operand %d no gradient", op_info[op.kind].name, i);
    remove_cotangent(ad, op.out);
}

/* What a forward loop carries from layer to layer. */
typedef struct Carried {
    int buffer;
    Ref cotangent; /* across the iterations */
} Carried;
typedef Vec(Carried) CarriedList;

static CarriedList find_carried(const AutoDiff *ad, const Node *loop)
{
    CarriedList carried = {0};
    for (int i = 0; i < loop->body.count; i++) {
        const Op *op = loop->body.data[i]->op;
        if (op->out.slot.term_count == 1 && op->out.slot.constant == 1 && ad->active[op->out.buffer])
            vec_push(ad->b->ctx->arena, &carried, (Carried){.buffer = op->out.buffer});
    }
    return carried;
}

static Ref slot_of(int buffer, Affine slot)
{
    return (Ref){buffer, slot, -1};
}

/* Gives a value that the loop reads or carries a cotangent of its own before the loop. */
static Ref prepare_cotangent(AutoDiff *ad, Ref forward)
{
    Cotangent *cotangent = find_cotangent(ad, forward);
    if (cotangent != NULL)
        return own_cotangent(ad, cotangent)->place;
    Ref place = new_cotangent(ad, forward);
    build_fill(ad->b, place, 0);
    add_cotangent(ad, forward, place);
    return place;
}

static bool loop_matters(AutoDiff *ad, const CarriedList *carried, int64_t layers)
{
    for (int i = 0; i < carried->count; i++)
        if (find_cotangent(ad, slot_of(carried->data[i].buffer, affine_constant(layers))) != NULL)
            return true;
    return false;
}

/* Every iteration adds to the cotangents of what it reads from outside. */
static void prepare_outer_values(AutoDiff *ad, const Node *loop)
{
    for (int i = 0; i < loop->body.count; i++) {
        const Op *op = loop->body.data[i]->op;
        for (int j = 0; j < op->operand_count; j++) {
            Ref ref = op->operand[j];
            if (ref.slot.term_count == 0 && ad->active[ref.buffer] && !is_parameter(ad, ref))
                prepare_cotangent(ad, ref);
        }
    }
}

/* At the end of an iteration every carried cotangent goes to where the next one expects it. */
static void return_carried(AutoDiff *ad, const CarriedList *carried, int loop_id)
{
    Ref *result = arena_array(ad->b->ctx->arena, Ref, carried->count);
    for (int i = 0; i < carried->count; i++) {
        const Cotangent *found = find_cotangent(ad, slot_of(carried->data[i].buffer, affine_loop(loop_id, 1, 0)));
        result[i] = found ? found->place : ref_of(-1);
        for (int j = 0; j < carried->count; j++)
            if (j != i && found != NULL && ref_equal(found->place, carried->data[j].cotangent)) {
                result[i] = new_cotangent(ad, found->forward);
                emit_copy(ad, result[i], found->place);
                break;
            }
    }
    for (int i = 0; i < carried->count; i++) {
        Ref place = carried->data[i].cotangent;
        if (result[i].buffer < 0)
            build_fill(ad->b, place, 0);
        else if (!ref_equal(result[i], place))
            emit_copy(ad, place, result[i]);
    }
}

/* The cotangent of a carried value's start, which may have been used elsewhere too. */
static void leave_carried(AutoDiff *ad, const Carried *carried)
{
    Ref start = slot_of(carried->buffer, affine_constant(0));
    Cotangent *cotangent = find_cotangent(ad, start);
    if (cotangent == NULL)
        add_cotangent(ad, start, carried->cotangent);
    else
        emit_copy(ad, own_cotangent(ad, cotangent)->place, carried->cotangent)->accumulate = true;
}

static void drop_inner_cotangents(AutoDiff *ad)
{
    int kept = 0;
    for (int i = 0; i < ad->cotangents.count; i++)
        if (ad->cotangents.data[i].forward.slot.term_count == 0)
            ad->cotangents.data[kept++] = ad->cotangents.data[i];
    ad->cotangents.count = kept;
}

static void backward_loop(AutoDiff *ad, const Node *forward)
{
    Builder *b = ad->b;
    int64_t layers = b->decls->groups.data[forward->loop.group].layers;
    CarriedList carried = find_carried(ad, forward);
    if (!loop_matters(ad, &carried, layers))
        return;
    b->span = forward->span;
    b->origin = -1;
    prepare_outer_values(ad, forward);
    for (int i = 0; i < carried.count; i++)
        carried.data[i].cotangent = prepare_cotangent(ad, slot_of(carried.data[i].buffer, affine_constant(layers)));
    for (int i = 0; i < carried.count; i++)
        remove_cotangent(ad, slot_of(carried.data[i].buffer, affine_constant(layers)));
    int id = build_loop(b, forward->loop.group, true)->loop.id;
    ad->loop = forward;
    for (int i = 0; i < carried.count; i++)
        add_cotangent(ad, slot_of(carried.data[i].buffer, affine_loop(id, 1, 1)), carried.data[i].cotangent);
    for (int i = forward->body.count - 1; i >= 0; i--)
        backward_op(ad, forward->body.data[i]->op);
    return_carried(ad, &carried, id);
    build_end(b);
    ad->loop = NULL;
    drop_inner_cotangents(ad);
    for (int i = 0; i < carried.count; i++)
        leave_carried(ad, &carried.data[i]);
}

static void zero_gradient(Builder *b, int tensor, void *data)
{
    (void)data;
    b->span = b->decls->tensors.data[tensor].span;
    build_fill(b, build_state_ref(b, BUILD_STATE_GRADIENTS, tensor), 0);
}

/* Two terms of a loss may sum the same values. */
static void add_start(AutoDiff *ad, Ref terms, Ref start)
{
    Cotangent *first = find_cotangent(ad, terms);
    if (first == NULL)
        add_cotangent(ad, terms, start);
    else
        emit_copy(ad, own_cotangent(ad, first)->place, start)->accumulate = true;
}

/* The derivative of the loss with respect to each element of a term. */
/* By the loss scale, if there is one. */
static void scale_start(AutoDiff *ad, Ref start, Ref scale)
{
    if (scale.buffer >= 0)
        build_op(ad->b, OP_MUL, build_elementwise_spec(ad->b, start, 2, 1 << 1), start, (Ref[]){start, scale});
}

static void start_cotangent(AutoDiff *ad, const LossTerm *term, Ref scale)
{
    Builder *b = ad->b;
    if (!ad->active[term->terms.buffer])
        return;
    Ref start = new_cotangent(ad, term->terms);
    if (term->mask.buffer < 0) {
        Op *fill = build_fill(b, start, term->weight);
        if (term->mean)
            vec_push(b->ctx->arena, &b->means, fill);
        scale_start(ad, start, scale);
        add_start(ad, term->terms, start);
        return;
    }
    Ref weight = build_temporary(b, "term_weight", buffer_of(ad, term->terms)->dtype, 0, NULL);
    build_fill(b, weight, term->weight);
    if (term->inverse.buffer >= 0) {
        Ref each = build_like(b, "term_weight", weight);
        build_op(b, OP_MUL, ",->", each, (Ref[]){term->inverse, weight});
        weight = each;
    }
    build_op(b, OP_MASKED, build_elementwise_spec(b, start, 2, 1), start, (Ref[]){weight, term->mask});
    scale_start(ad, start, scale);
    add_start(ad, term->terms, start);
}

void autodiff_append(Builder *b, Ref terms, double weight)
{
    autodiff_append_terms(b, &(LossTerm){terms, weight, ref_of(-1), ref_of(-1), false}, 1, ref_of(-1));
}

void autodiff_append_terms(Builder *b, const LossTerm *terms, int count, Ref scale)
{
    AutoDiff ad = {.b = b};
    Span span = b->span;
    NodeList forward = b->program->routines.data[b->routine].body; /* what is there before anything is appended */
    forward.data = arena_array(b->ctx->arena, Node *, forward.count + 1);
    memcpy(forward.data, b->program->routines.data[b->routine].body.data, sizeof(Node *) * (size_t)forward.count);
    bool keep = b->keep;
    b->keep = false;
    ad.forward = forward;
    find_active(&ad, &forward);
    keep_useful(&ad, &forward, terms, count);
    for (int i = 0; i < count; i++)
        start_cotangent(&ad, &terms[i], scale);
    build_each_parameter(b, zero_gradient, NULL);
    for (int i = forward.count - 1; i >= 0; i--) {
        if (forward.data[i]->kind == NODE_LOOP)
            backward_loop(&ad, forward.data[i]);
        else
            backward_op(&ad, forward.data[i]->op);
    }
    b->keep = keep;
    b->origin = -1;
    b->span = span;
}
