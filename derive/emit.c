/* emit.c - appends to the program: buffers with unique names, operators, loops. */
#include "derive/internal.h"

#include <string.h>

/* ---- Buffers ------------------------------------------------------------------------------------------------ */

/* With more elements, sums of bytes might overflow; no device could hold them anyway. */
static const int64_t most_elements = (int64_t)1 << 50;

static void check_size(Derive *d, const Buffer *buffer)
{
    int64_t elements;
    if (d->failed || (!__builtin_mul_overflow(buffer_slot_elements(d->decls, buffer), buffer->slots, &elements) &&
                      elements <= most_elements))
        return;
    diag_report(d->ctx->diag, P0207, buffer->span, "'%s' has more than %lld elements on a device", buffer->name,
                (long long)most_elements);
    d->failed = true;
}

int derive_add_buffer(Derive *d, Buffer buffer)
{
    check_size(d, &buffer);
    buffer.name = str_intern_unique(d->buffer_names, buffer.name);
    buffer.offset = -1;
    buffer.bytes = 0;
    vec_push(d->ctx->arena, &d->program->buffers, buffer);
    return d->program->buffers.count - 1;
}

int derive_add_unit_buffer(Derive *d, int unit, const char *name, DType dtype, Category category, AxisSet cut,
                           Span span)
{
    const Unit *u = &d->decls->units.data[unit];
    Buffer buffer = {.name = arena_printf(d->ctx->arena, "%s.%s", name, u->name),
                     .dtype = dtype,
                     .category = category,
                     .slots = u->last_layer - u->first_layer + 1,
                     .layout = LAYOUT_UNIT,
                     .unit = unit,
                     .state = -1,
                     .tensor = -1,
                     .span = span};
    for (int i = 0; i < cut.count; i++)
        buffer.cut[buffer.cut_count++] = cut.axis[i];
    return derive_add_buffer(d, buffer);
}

int derive_add_temporary(Derive *d, int unit, const char *name, int like, AxisSet cut, Span span)
{
    Buffer model = d->program->buffers.data[like];
    int buffer = derive_add_unit_buffer(d, unit, name, model.dtype, CATEGORY_BUFFERS, cut, span);
    d->program->buffers.data[buffer].state = model.state;
    return buffer;
}

int derive_plain_buffer(Derive *d, int ref)
{
    Place whole = place_whole();
    return derive_variant(d, ref, &whole);
}

/* ---- Operators ---------------------------------------------------------------------------------------------- */

Ref derive_ref(int buffer, Affine slot)
{
    return (Ref){.buffer = buffer, .slot = slot, .member = -1};
}

static Op *append_op(Derive *d, NodeList *body, Op op)
{
    Node *node = arena_make(d->ctx->arena, Node);
    node->kind = NODE_OP;
    node->span = op.span;
    node->op = arena_make(d->ctx->arena, Op);
    *node->op = op;
    node->op->id = d->program->op_count++;
    vec_push(d->ctx->arena, body, node);
    return node->op;
}

Op *derive_emit(Derive *d, NodeList *body, OpKind kind, Ref out, Span span)
{
    return append_op(d, body, op_blank(kind, out, span));
}

static const char *letters_of(const Derive *d, Ref ref)
{
    const Buffer *buffer = &d->program->buffers.data[ref.buffer];
    if (buffer->layout == LAYOUT_UNIT && ref.member >= 0)
        return index_letters(d->decls->tensors.data[ref.member].dim_count);
    return buffer->layout == LAYOUT_UNIT ? NULL : index_letters(buffer->dim_count);
}

Op *derive_emit_from(Derive *d, NodeList *body, OpKind kind, Ref out, Ref operand, Span span)
{
    Op *op = derive_emit(d, body, kind, out, span);
    op->operand_count = 1;
    op->operand[0] = operand;
    const char *letters = letters_of(d, out);
    if (op_info[kind].op_class == CLASS_MAP && letters != NULL)
        op->spec = arena_printf(d->ctx->arena, "%s->%s", letters, letters);
    return op;
}

Op *derive_emit_over(Derive *d, NodeList *body, OpKind kind, Ref out, Ref operand, AxisSet axes, Span span)
{
    Op *op = derive_emit_from(d, body, kind, out, operand, span);
    op->axes = axes;
    return op;
}

void derive_emit_fill(Derive *d, NodeList *body, Ref out, double value, Span span)
{
    Op *op = derive_emit(d, body, OP_FILL, out, span);
    op->immediate[0] = value;
    op->immediate_count = 1;
    const char *letters = letters_of(d, out);
    op->spec = letters != NULL ? letters : "";
}

void derive_emit_scale(Derive *d, NodeList *body, Ref ref, int64_t numerator, int64_t denominator, Span span)
{
    if (numerator != denominator)
        derive_emit_from(d, body, OP_SCALE, ref, ref, span)->scale = (Scale){numerator, denominator, ""};
}

Op *derive_emit_copy(Derive *d, NodeList *body, const Op *op)
{
    Op *copy = append_op(d, body, *op);
    RefOp *info = &d->ops[op->id];
    copy->origin = op->origin >= 0 && op->origin < d->op_count ? d->ops[op->origin].derived : -1;
    if (info->derived < 0)
        info->derived = copy->id;
    return copy;
}

/* ---- Loops -------------------------------------------------------------------------------------------------- */

Node *derive_emit_loop(Derive *d, NodeList *body, LoopKind kind, int group, int64_t first, int64_t last, Span span)
{
    Node *node = arena_make(d->ctx->arena, Node);
    node->kind = NODE_LOOP;
    node->span = span;
    node->loop.id = d->program->loop_count++;
    node->loop.kind = kind;
    node->loop.group = group;
    node->loop.first = affine_constant(first);
    node->loop.last = affine_constant(last);
    node->loop.step = 1;
    vec_push(d->ctx->arena, body, node);
    return node;
}

void derive_emit_wait(Derive *d, NodeList *body, int event, Span span)
{
    Node *wait = arena_make(d->ctx->arena, Node);
    wait->kind = NODE_WAIT;
    wait->span = span;
    wait->wait.event = event;
    vec_push(d->ctx->arena, body, wait);
}

NodeList *derive_unit_body(Derive *d, NodeList *body, int unit, Affine *slot, Span span)
{
    const Unit *u = &d->decls->units.data[unit];
    *slot = affine_constant(0);
    if (u->group < 0)
        return body;
    Node *loop = derive_emit_loop(d, body, LOOP_LAYERS, u->group, u->first_layer, u->last_layer, span);
    *slot = affine_loop(loop->loop.id, 1, -u->first_layer);
    return &loop->body;
}
