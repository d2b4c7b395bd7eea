/* autodiff.c - reverse-mode differentiation of the forward part of a routine.
 *
 * Cotangents are kept in a list of (forward reference, reference of its cotangent). Adding two values passes the
 * cotangent of the sum on to both without copying, so two entries may share a buffer; before anything is added to a
 * shared buffer it is copied. In a residual network this leaves one cotangent buffer for the whole residual stream,
 * added to in place.
 *
 * A forward loop over layers becomes a backward loop. Each value that the forward loop carries (written at slot l+1,
 * read at slot l) has one cotangent buffer that lives across the iterations; each value from outside the loop has one
 * that every iteration adds to.
 */
#include "reference/autodiff_internal.h"

#include "step/spec.h"

#include <string.h>

/* ---- Which values have a cotangent -------------------------------------------------------------------------- */

static bool op_is_active(const AutoDiff *ad, const Op *op)
{
    if (op_gradient[op->kind].form == GRADIENT_NONE)
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
        ad->active[i] = buffer->state == BUILDER_STATE_PARAMETERS && decls->tensors.data[buffer->tensor].trainable;
    }
    while (mark_active(ad, body, body->count)) {
    }
}

/* What the loss depends on. Operators may read buffers with several slots: such a buffer is treated as a whole. */
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
    return buffer_of(ad, ref)->state == BUILDER_STATE_PARAMETERS;
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

Ref autodiff_new_cotangent(AutoDiff *ad, Ref forward)
{
    const char *name = buffer_of(ad, forward)->name;
    return builder_like(ad->b, arena_printf(ad->b->ctx->arena, "d_%s", name), forward);
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
    return builder_op(ad->b, OP_COPY, builder_elementwise_spec(ad->b, to, 1, 0), to, &from);
}

/* Gives the cotangent of `forward` a buffer of its own, if it shares one. */
static Cotangent *own_cotangent(AutoDiff *ad, Cotangent *cotangent)
{
    if (!is_shared(ad, cotangent->place))
        return cotangent;
    Ref own = autodiff_new_cotangent(ad, cotangent->forward);
    emit_copy(ad, own, cotangent->place);
    cotangent->place = own;
    return cotangent;
}

Ref autodiff_seen_from_backward(const AutoDiff *ad, Ref ref)
{
    if (ad->loop != NULL)
        affine_rename(&ref.slot, ad->loop->loop.id, ad->b->loop->loop.id);
    return ref;
}

/* Where the next contribution to the cotangent of operand `i` goes. *accumulate: is it added? */
static Ref contribution_place(AutoDiff *ad, int i, bool *accumulate)
{
    Ref forward = ad->op->operand[i];
    *accumulate = true;
    if (is_parameter(ad, forward))
        return builder_state_ref(ad->b, BUILDER_STATE_GRADIENTS, buffer_of(ad, forward)->tensor);
    Cotangent *cotangent = find_cotangent(ad, forward);
    if (cotangent != NULL)
        return own_cotangent(ad, cotangent)->place;
    *accumulate = false;
    Ref place = autodiff_new_cotangent(ad, forward);
    add_cotangent(ad, forward, place);
    return place;
}

bool autodiff_wants(const AutoDiff *ad, int i)
{
    return ad->active[ad->op->operand[i].buffer];
}

Op *autodiff_contribute(AutoDiff *ad, int i, OpKind kind, const char *spec, const Ref *operands)
{
    bool accumulate;
    ad->given |= 1u << i;
    Ref place = contribution_place(ad, i, &accumulate);
    Op *op = builder_op_with(ad->b, kind, spec, place, operands, ad->op->immediate);
    op->accumulate = accumulate;
    return op;
}

void autodiff_pass_on(AutoDiff *ad, int i)
{
    Ref forward = ad->op->operand[i];
    ad->given |= 1u << i;
    bool same_dtype = buffer_of(ad, forward)->dtype == buffer_of(ad, ad->out)->dtype;
    if (same_dtype && !is_parameter(ad, forward) && find_cotangent(ad, forward) == NULL)
        add_cotangent(ad, forward, ad->out);
    else
        autodiff_contribute(ad, i, same_dtype ? OP_COPY : OP_CAST, builder_elementwise_spec(ad->b, forward, 1, 0),
                            &ad->out);
}

/* ---- Running in reverse ------------------------------------------------------------------------------------- */

static void take_spec_apart(AutoDiff *ad)
{
    Arena *arena = ad->b->ctx->arena;
    Spec spec = spec_of(ad->op);
    ad->spec_result = arena_copy(arena, spec.result.at, (size_t)spec.result.count);
    for (int i = 0; i < ad->op->operand_count; i++)
        ad->spec_operand[i] = arena_copy(arena, spec.operand[i].at, (size_t)spec.operand[i].count);
}

static void backward_op(AutoDiff *ad, const Op *forward)
{
    if (forward->kind == OP_OUTPUT || !ad->active[forward->out.buffer] || !op_is_active(ad, forward))
        return;
    Op op = *forward;
    op.out = autodiff_seen_from_backward(ad, op.out);
    for (int i = 0; i < op.operand_count; i++)
        op.operand[i] = autodiff_seen_from_backward(ad, op.operand[i]);
    Cotangent *cotangent = find_cotangent(ad, op.out);
    if (cotangent == NULL)
        return;
    ad->op = &op;
    ad->out = cotangent->place;
    ad->b->span = op.span;
    ad->b->origin = op.id;
    ad->given = ad->covered = 0;
    take_spec_apart(ad);
    gradient_apply(ad);
    remove_cotangent(ad, op.out);
}

/* A value that a forward loop carries from layer to layer. */
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

/* Gives a value that the loop reads or carries a cotangent buffer of its own before the loop. */
static Ref prepare_cotangent(AutoDiff *ad, Ref forward)
{
    Cotangent *cotangent = find_cotangent(ad, forward);
    if (cotangent != NULL)
        return own_cotangent(ad, cotangent)->place;
    Ref place = autodiff_new_cotangent(ad, forward);
    builder_fill(ad->b, place, 0);
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

/* Every iteration adds to the cotangents of values that it reads from outside. */
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

/* At the end of an iteration every carried cotangent is put where the next iteration expects it. */
static void return_carried(AutoDiff *ad, const CarriedList *carried, int loop_id)
{
    Ref *result = arena_array(ad->b->ctx->arena, Ref, carried->count);
    for (int i = 0; i < carried->count; i++) {
        const Cotangent *found = find_cotangent(ad, slot_of(carried->data[i].buffer, affine_loop(loop_id, 1, 0)));
        result[i] = found ? found->place : ref_of(-1);
        for (int j = 0; j < carried->count; j++)
            if (j != i && found != NULL && ref_equal(found->place, carried->data[j].cotangent)) {
                result[i] = autodiff_new_cotangent(ad, found->forward);
                emit_copy(ad, result[i], found->place);
                break;
            }
    }
    for (int i = 0; i < carried->count; i++) {
        Ref place = carried->data[i].cotangent;
        if (result[i].buffer < 0)
            builder_fill(ad->b, place, 0);
        else if (!ref_equal(result[i], place))
            emit_copy(ad, place, result[i]);
    }
}

/* The cotangent of a carried value's initial value, which may have other uses too. */
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
    int id = builder_loop(b, forward->loop.group, true)->loop.id;
    ad->loop = forward;
    for (int i = 0; i < carried.count; i++)
        add_cotangent(ad, slot_of(carried.data[i].buffer, affine_loop(id, 1, 1)), carried.data[i].cotangent);
    for (int i = forward->body.count - 1; i >= 0; i--)
        backward_op(ad, forward->body.data[i]->op);
    return_carried(ad, &carried, id);
    builder_end(b);
    ad->loop = NULL;
    drop_inner_cotangents(ad);
    for (int i = 0; i < carried.count; i++)
        leave_carried(ad, &carried.data[i]);
}

static void zero_gradient(Builder *b, int tensor, void *data)
{
    (void)data;
    b->span = b->decls->tensors.data[tensor].span;
    builder_fill(b, builder_state_ref(b, BUILDER_STATE_GRADIENTS, tensor), 0);
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
/* Multiplies by the loss scale, if there is one. */
static void scale_start(AutoDiff *ad, Ref start, Ref scale)
{
    if (scale.buffer >= 0)
        builder_op(ad->b, OP_MUL, builder_elementwise_spec(ad->b, start, 2, 1 << 1), start, (Ref[]){start, scale});
}

static void start_cotangent(AutoDiff *ad, const LossTerm *term, Ref scale)
{
    Builder *b = ad->b;
    if (!ad->active[term->terms.buffer])
        return;
    Ref start = autodiff_new_cotangent(ad, term->terms);
    if (term->mask.buffer < 0) {
        Op *fill = builder_fill(b, start, term->weight);
        if (term->mean)
            vec_push(b->ctx->arena, &b->means, fill);
        scale_start(ad, start, scale);
        add_start(ad, term->terms, start);
        return;
    }
    Ref weight = builder_temporary(b, "term_weight", buffer_of(ad, term->terms)->dtype, 0, NULL);
    builder_fill(b, weight, term->weight);
    if (term->inverse.buffer >= 0) {
        Ref each = builder_like(b, "term_weight", weight);
        builder_op(b, OP_MUL, ",->", each, (Ref[]){term->inverse, weight});
        weight = each;
    }
    builder_op(b, OP_MASKED, builder_elementwise_spec(b, start, 2, 1), start, (Ref[]){weight, term->mask});
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
    NodeList forward = b->program->routines.data[b->routine].body; /* the body before anything is appended */
    forward.data = arena_array(b->ctx->arena, Node *, forward.count + 1);
    memcpy(forward.data, b->program->routines.data[b->routine].body.data, sizeof(Node *) * (size_t)forward.count);
    bool keep = b->keep;
    b->keep = false;
    ad.forward = forward;
    find_active(&ad, &forward);
    keep_useful(&ad, &forward, terms, count);
    for (int i = 0; i < count; i++)
        start_cotangent(&ad, &terms[i], scale);
    builder_each_parameter(b, zero_gradient, NULL);
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
