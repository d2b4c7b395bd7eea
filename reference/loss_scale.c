/* loss_scale.c - the states of a dynamic loss scale, and the guard around updates. */
#include "reference/loss_scale.h"

static const char scale_name[] = "loss_scale", count_name[] = "good_steps";
static const double first_scale = 65536, growth_interval = 2000;

static void append_scalar(Builder *b, const char *name, double start, Span span)
{
    State state = {.name = name, .kind = STATE_OPTIMIZER, .dtype = builder_statistics_dtype(b->decls), .span = span};
    builder_fill(b, builder_state_ref(b, builder_add_state(b, &state, -1), -1), start);
}

void loss_scale_append_init(Builder *b, Span span)
{
    b->span = span;
    append_scalar(b, scale_name, first_scale, span);
    append_scalar(b, count_name, 0, span);
}

Ref loss_scale_ref(const Builder *b)
{
    return builder_state_ref(b, builder_known_state(b, scale_name), -1);
}

/* ---- The gradient ------------------------------------------------------------------------------------------- */

Ref loss_scale_divide(Builder *b, Span span)
{
    Category category = b->category;
    b->category = CATEGORY_BUFFERS;
    b->span = span;
    Ref squares = builder_scalar(b, "scaled_squares"), finite = builder_scalar(b, "finite");
    Ref scale = loss_scale_ref(b), inverse = builder_scalar(b, "inverse_scale");
    builder_fill(b, squares, 0);
    builder_each_parameter(b, builder_add_squares, &squares);
    builder_op(b, OP_FINITE, "->", finite, &squares);
    builder_op(b, OP_RECIP, "->", inverse, &scale);
    builder_each_parameter(b, builder_multiply_gradient, &inverse);
    b->category = category;
    return finite;
}

/* ---- Updates ------------------------------------------------------------------------------------------------ */

/* A parameter that is rounded from a master copy follows it, and needs no guard of its own. */
static bool needs_guard(const Builder *b, const Op *op, int first_op)
{
    const Buffer *out = op->id >= first_op && op->kind != OP_OUTPUT ? &b->program->buffers.data[op->out.buffer] : NULL;
    return out != NULL && out->persistent && !(op->kind == OP_CAST && out->state == BUILDER_STATE_PARAMETERS);
}

/* Redirects the operator into a temporary, and appends what the state becomes. */
static void append_guarded(Builder *b, Node *node, Ref finite)
{
    Op *op = node->op;
    Ref rest = op->out, next;
    b->span = op->span;
    op->out = next = builder_like(b, "next", rest);
    vec_push(b->ctx->arena, &b->loop->body, node);
    if (op->accumulate) {
        op->accumulate = false;
        builder_op(b, OP_ADD, builder_elementwise_spec(b, rest, 2, 0), next, (Ref[]){rest, next});
    }
    builder_op(b, OP_SELECT, builder_elementwise_spec(b, rest, 3, 1 << 0), rest, (Ref[]){finite, next, rest})->tensor =
        op->tensor;
}

static void guard_list(Builder *b, NodeList *body, int first_op, Ref finite)
{
    Node collector = {.kind = NODE_LOOP};
    for (int i = 0; i < body->count; i++) {
        Node *node = body->data[i];
        if (node->kind == NODE_LOOP)
            guard_list(b, &node->body, first_op, finite);
        b->loop = &collector;
        if (node->kind == NODE_OP && needs_guard(b, node->op, first_op))
            append_guarded(b, node, finite);
        else
            vec_push(b->ctx->arena, &collector.body, node);
        b->loop = NULL;
    }
    *body = collector.body;
}

void loss_scale_guard(Builder *b, int first_op, Ref finite)
{
    bool keep = b->keep;
    Category category = b->category;
    b->keep = false;
    b->category = CATEGORY_BUFFERS;
    guard_list(b, &b->program->routines.data[b->routine].body, first_op, finite);
    b->keep = keep;
    b->category = category;
}

void loss_scale_update(Builder *b, Span span, Ref finite)
{
    Ref scale = loss_scale_ref(b), count = builder_state_ref(b, builder_known_state(b, count_name), -1);
    b->span = span;
    builder_op_with(b, OP_NEXT_SCALE, ",,->", scale, (Ref[]){finite, scale, count}, &growth_interval);
    builder_op_with(b, OP_NEXT_COUNT, ",->", count, (Ref[]){finite, count}, &growth_interval);
}
