/* emit.c - appends to the program: buffers with unique names, operators, loops. */
#include "derive/emit.h"

#include "step/spec.h"

/* ---- The program -------------------------------------------------------------------------------------------- */

static int *no_buffers(Arena *arena, int count)
{
    int *list = arena_array(arena, int, count + 1);
    for (int i = 0; i < count; i++)
        list[i] = -1;
    return list;
}

Emit *derive_emit_new(const Choices *choices)
{
    const Facts *f = choices->facts;
    Ctx *ctx = f->ctx;
    int count = f->reference->buffers.count;
    Emit *e = arena_make(ctx->arena, Emit);
    *e = (Emit){.ctx = ctx,
                .facts = f,
                .choices = choices,
                .units = choices->units,
                .program = arena_make(ctx->arena, Program),
                .buffer_names = str_table_new(ctx->arena),
                .variant_buffer = no_buffers(ctx->arena, choices->variants.count),
                .made = arena_array(ctx->arena, MadeList, count + 1),
                .total = no_buffers(ctx->arena, count),
                .derived = no_buffers(ctx->arena, f->op_count),
                .loop_map = arena_array(ctx->arena, int, f->loop_count + 1),
                .micro_loop = -1,
                .ref_loop = -1,
                .group = -1};
    e->program->decls = f->decls;
    derive_emit_unit_buffers(e);
    return e;
}

static void reset_units(Emit *e)
{
    for (int i = 0; i < e->facts->decls->units.count; i++) {
        UnitBuffers *b = &e->buffers[i];
        b->started.count = 0;
        b->shard = b->gradient_seen = b->parameter_seen = -1;
    }
}

void derive_emit_routine(Emit *e, const RoutineChoices *choices)
{
    const Routine *routine = choices->facts->routine;
    Routine derived = {.kind = routine->kind, .every = routine->every, .span = routine->span};
    e->routine = choices;
    reset_units(e);
    derive_emit_micro(e, &derived.body);
    derive_flat(e, &derived.body);
    derive_float_waits(e, &derived.body);
    vec_push(e->ctx->arena, &e->program->routines, derived);
}

/* ---- Buffers ------------------------------------------------------------------------------------------------ */

/* With more elements, sums of bytes might overflow; no device could hold them anyway. */
static const int64_t most_elements = (int64_t)1 << 50;

static void check_size(Emit *e, const Buffer *buffer)
{
    int64_t elements;
    if (e->failed ||
        (!__builtin_mul_overflow(buffer_slot_elements(e->facts->decls, buffer), buffer->slots, &elements) &&
         elements <= most_elements))
        return;
    diag_report(e->ctx->diag, P0207, buffer->span, "'%s' has more than %lld elements on a device", buffer->name,
                (long long)most_elements);
    e->failed = true;
}

int derive_add_buffer(Emit *e, Buffer buffer)
{
    check_size(e, &buffer);
    buffer.name = str_intern_unique(e->buffer_names, buffer.name);
    buffer.offset = -1;
    buffer.bytes = 0;
    vec_push(e->ctx->arena, &e->program->buffers, buffer);
    return e->program->buffers.count - 1;
}

int derive_add_unit_buffer(Emit *e, int unit, const char *name, DType dtype, Category category, AxisSet cut, Span span)
{
    const Unit *u = &e->facts->decls->units.data[unit];
    Buffer buffer = {.name = arena_printf(e->ctx->arena, "%s.%s", name, u->name),
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
    return derive_add_buffer(e, buffer);
}

int derive_add_temporary(Emit *e, int unit, const char *name, int like, AxisSet cut, Span span)
{
    Buffer model = e->program->buffers.data[like];
    int buffer = derive_add_unit_buffer(e, unit, name, model.dtype, CATEGORY_BUFFERS, cut, span);
    e->program->buffers.data[buffer].state = model.state;
    return buffer;
}

/* ---- Operators ---------------------------------------------------------------------------------------------- */

Ref derive_ref(int buffer, Affine slot)
{
    return (Ref){.buffer = buffer, .slot = slot, .member = -1};
}

static Op *append_op(Emit *e, NodeList *body, Op op)
{
    Node *node = arena_make(e->ctx->arena, Node);
    node->kind = NODE_OP;
    node->span = op.span;
    node->op = arena_make(e->ctx->arena, Op);
    *node->op = op;
    node->op->id = e->program->op_count++;
    vec_push(e->ctx->arena, body, node);
    return node->op;
}

Op *derive_emit(Emit *e, NodeList *body, OpKind kind, Ref out, Span span)
{
    return append_op(e, body, op_blank(kind, out, span));
}

static const char *letters_of(const Emit *e, Ref ref)
{
    const Buffer *buffer = &e->program->buffers.data[ref.buffer];
    if (buffer->layout == LAYOUT_UNIT && ref.member >= 0)
        return index_letters(e->facts->decls->tensors.data[ref.member].dim_count);
    return buffer->layout == LAYOUT_UNIT ? NULL : index_letters(buffer->dim_count);
}

Op *derive_emit_from(Emit *e, NodeList *body, OpKind kind, Ref out, Ref operand, Span span)
{
    Op *op = derive_emit(e, body, kind, out, span);
    op->operand_count = 1;
    op->operand[0] = operand;
    const char *letters = letters_of(e, out);
    if (op_info[kind].op_class == CLASS_MAP && letters != NULL)
        op->spec = arena_printf(e->ctx->arena, "%s->%s", letters, letters);
    return op;
}

Op *derive_emit_over(Emit *e, NodeList *body, OpKind kind, Ref out, Ref operand, AxisSet axes, Span span)
{
    Op *op = derive_emit_from(e, body, kind, out, operand, span);
    op->axes = axes;
    return op;
}

void derive_emit_fill(Emit *e, NodeList *body, Ref out, double value, Span span)
{
    Op *op = derive_emit(e, body, OP_FILL, out, span);
    op->immediate[0] = value;
    op->immediate_count = 1;
    const char *letters = letters_of(e, out);
    op->spec = letters != NULL ? letters : "";
}

void derive_emit_scale(Emit *e, NodeList *body, Ref ref, int64_t numerator, int64_t denominator, Span span)
{
    if (numerator != denominator)
        derive_emit_from(e, body, OP_SCALE, ref, ref, span)->scale = (Scale){numerator, denominator, ""};
}

Op *derive_emit_copy(Emit *e, NodeList *body, const Op *op)
{
    Op *copy = append_op(e, body, *op);
    copy->origin = op->origin >= 0 && op->origin < e->facts->op_count ? e->derived[op->origin] : -1;
    if (e->derived[op->id] < 0)
        e->derived[op->id] = copy->id;
    return copy;
}

void derive_emit_place_shard(Emit *e, NodeList *body, Ref whole, Ref shard, AxisSet axes, Span span)
{
    Op *op = derive_emit_over(e, body, OP_PLACE_SHARD, whole, whole, axes, span);
    op->operand_count = 2;
    op->operand[1] = shard;
}

/* ---- Loops -------------------------------------------------------------------------------------------------- */

Node *derive_emit_loop(Emit *e, NodeList *body, LoopKind kind, int group, int64_t first, int64_t last, Span span)
{
    Node *node = arena_make(e->ctx->arena, Node);
    node->kind = NODE_LOOP;
    node->span = span;
    node->loop.id = e->program->loop_count++;
    node->loop.kind = kind;
    node->loop.group = group;
    node->loop.first = affine_constant(first);
    node->loop.last = affine_constant(last);
    node->loop.step = 1;
    vec_push(e->ctx->arena, body, node);
    return node;
}

Node *derive_emit_guard(Emit *e, NodeList *body, int loop, int64_t low, int64_t high, Span span)
{
    Node *node = arena_make(e->ctx->arena, Node);
    node->kind = NODE_GUARD;
    node->span = span;
    node->guard.value = affine_loop(loop, 1, 0);
    node->guard.low = low;
    node->guard.high = high;
    vec_push(e->ctx->arena, body, node);
    return node;
}

Node *derive_emit_wait(Emit *e, NodeList *body, int event, Span span)
{
    Node *wait = arena_make(e->ctx->arena, Node);
    wait->kind = NODE_WAIT;
    wait->span = span;
    wait->wait.event = event;
    vec_push(e->ctx->arena, body, wait);
    return wait;
}

NodeList *derive_unit_body(Emit *e, NodeList *body, int unit, Affine *slot, Span span)
{
    const Unit *u = &e->facts->decls->units.data[unit];
    *slot = affine_constant(0);
    if (u->group < 0)
        return body;
    Node *loop = derive_emit_loop(e, body, LOOP_LAYERS, u->group, u->first_layer, u->last_layer, span);
    *slot = affine_loop(loop->loop.id, 1, -u->first_layer);
    return &loop->body;
}
