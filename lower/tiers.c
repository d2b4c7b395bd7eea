/* tiers.c - inserts copies between the device and the tiers where buffers are stored. */
#include "lower/tiers.h"
#include "lower/names.h"
#include "step/refs.h"
#include "step/spec.h"

#include <string.h>

/* A buffer that is stored elsewhere, and the slot of it that is on the device. */
typedef struct Resting {
    int device; /* its buffer of one slot there; -1 not created yet */
    bool here, written;
    const NodeList *list; /* that copied it there */
    Affine slot;
} Resting;

typedef struct Tiers {
    Ctx *ctx;
    Program *program;
    int count; /* number of buffers before the pass */
    Resting *resting;
    bool failed;
} Tiers;

static bool rests(const Tiers *o, int buffer)
{
    return buffer < o->count && o->program->buffers.data[buffer].tier != TIER_DEVICE;
}

static int device_buffer(Tiers *o, int buffer)
{
    Resting *resting = &o->resting[buffer];
    if (resting->device >= 0)
        return resting->device;
    Buffer copy = o->program->buffers.data[buffer];
    copy.name = lower_name(o->ctx->arena, o->program, copy.name, "staged");
    copy.tier = copy.rest_tier = TIER_DEVICE;
    copy.category = CATEGORY_BUFFERS;
    copy.persistent = copy.has_layers = false;
    copy.slots = 1;
    resting->device = o->program->buffers.count;
    vec_push(o->ctx->arena, &o->program->buffers, copy);
    return resting->device;
}

static void emit_copy(Tiers *o, NodeList *list, Ref out, Ref from)
{
    const Buffer *buffer = &o->program->buffers.data[out.buffer];
    Op op = op_blank(OP_COPY, out, buffer->span);
    op.operand_count = 1;
    op.operand[0] = from;
    const char *letters = buffer->layout == LAYOUT_DENSE ? index_letters(buffer->dim_count) : NULL;
    if (letters != NULL)
        op.spec = arena_printf(o->ctx->arena, "%s->%s", letters, letters);
    op.id = o->program->op_count++;
    Node *node = arena_make(o->ctx->arena, Node);
    node->kind = NODE_OP;
    node->span = op.span;
    node->op = arena_make(o->ctx->arena, Op);
    *node->op = op;
    vec_push(o->ctx->arena, list, node);
}

static Ref slot_ref(int buffer, Affine slot)
{
    return (Ref){.buffer = buffer, .slot = slot, .member = -1};
}

/* Copies it back to its tier if it was written, and forgets the device's copy. */
static void leave(Tiers *o, NodeList *list, int buffer)
{
    Resting *resting = &o->resting[buffer];
    if (resting->here && resting->written)
        emit_copy(o, list, slot_ref(buffer, resting->slot), slot_ref(resting->device, affine_constant(0)));
    resting->here = resting->written = false;
}

/* Copies a slot to the device; `fresh`: all of it is written before it is read, so nothing is copied. */
static Ref bring(Tiers *o, NodeList *list, Ref ref, bool fresh, bool write)
{
    Resting *resting = &o->resting[ref.buffer];
    if (resting->here && !affine_equal(&resting->slot, &ref.slot))
        leave(o, list, ref.buffer);
    int device = device_buffer(o, ref.buffer);
    if (!resting->here && !fresh)
        emit_copy(o, list, slot_ref(device, affine_constant(0)), slot_ref(ref.buffer, ref.slot));
    resting->here = true;
    resting->list = list;
    resting->written |= write;
    resting->slot = ref.slot;
    return (Ref){device, affine_constant(0), ref.member};
}

typedef struct Search {
    int buffer;
    bool found;
} Search;

static void look(void *context, Op *op, Ref *ref, bool writes)
{
    Search *search = context;
    (void)op, (void)writes;
    search->found |= ref->buffer == search->buffer;
}

static bool touches(const Node *node, int buffer)
{
    Search search = {.buffer = buffer};
    refs_visit(node, look, &search);
    return search.found;
}

/* The copy of a result that arrives while others compute would have to wait for it. */
static void refuse_started(Tiers *o, int buffer)
{
    const Buffer *resting = &o->program->buffers.data[buffer];
    if (!o->failed)
        diag_report(o->ctx->diag, P0290, resting->span,
                    "'%s', received while others compute, stored elsewhere than on the device is not supported yet",
                    resting->name);
    o->failed = true;
}

/* The program itself copies a value that is stored elsewhere between the passes. */
static bool is_transfer(const Tiers *o, const Op *op)
{
    return op->kind == OP_COPY && rests(o, op->out.buffer) && !rests(o, op->operand[0].buffer) &&
           o->program->buffers.data[op->out.buffer].category == CATEGORY_ACTIVATIONS;
}

/* Initial values are made on the tier where they are stored. */
static void run_op(Tiers *o, Op *op, NodeList *list)
{
    Ref out = op->out;
    if (is_transfer(o, op))
        return;
    for (int i = 0; i < op->operand_count; i++) {
        if (!rests(o, op->operand[i].buffer))
            continue;
        op->operand[i] = bring(o, list, op->operand[i], false, false);
    }
    if (!op_has_result(op->kind) || !rests(o, out.buffer) || op->kind == OP_INIT)
        return;
    if (op->event >= 0)
        refuse_started(o, out.buffer);
    op->out = bring(o, list, out, out.member < 0 && !op->accumulate, true);
}

/* What is known about the current list. */
typedef struct Around {
    const Node *loop; /* that has the list as its body, or contains it; NULL none */
    bool *wanted;     /* per buffer: it is used after the list, or by the next microbatch */
} Around;

static Around around_body(Tiers *o, const Around *around, const NodeList *list, int index)
{
    const Node *node = list->data[index];
    Around inner = {.loop = node->kind == NODE_LOOP ? node : around->loop,
                    .wanted = arena_array(o->ctx->arena, bool, o->count + 1)};
    for (int b = 0; b < o->count; b++) {
        inner.wanted[b] = around->wanted[b] || (node->kind == NODE_LOOP && node->loop.kind == LOOP_MICRO);
        for (int i = index + 1; i < list->count && !inner.wanted[b]; i++)
            inner.wanted[b] = rests(o, b) && touches(list->data[i], b);
    }
    return inner;
}

/* At the end of a list: copies it back, unless it is no longer needed, as a gradient after the update. */
static void leave_last(Tiers *o, NodeList *list, int buffer, const Around *around)
{
    Resting *resting = &o->resting[buffer];
    bool own = around->loop == NULL || affine_uses(&resting->slot, around->loop->loop.id);
    if (!o->program->buffers.data[buffer].persistent && !around->wanted[buffer] && own)
        resting->written = false;
    leave(o, list, buffer);
}

static void run_list(Tiers *o, NodeList *list, const Around *around)
{
    NodeList result = {0};
    for (int i = 0; i < list->count; i++) {
        Node *node = list->data[i];
        if (node->kind == NODE_OP)
            run_op(o, node->op, &result);
        for (int b = 0; node->kind != NODE_OP && b < o->count; b++)
            if (o->resting[b].here && touches(node, b))
                leave(o, &result, b);
        if (node->body.count > 0) {
            Around inner = around_body(o, around, list, i);
            run_list(o, &node->body, &inner);
        }
        vec_push(o->ctx->arena, &result, node);
    }
    for (int b = 0; b < o->count; b++)
        if (o->resting[b].list == &result)
            leave_last(o, &result, b, around);
    *list = result;
}

/* Operators get ids in the order of the text again; a second walk renumbers `origin`, too. */
static void renumber(const NodeList *list, int *id, int *count, bool origins)
{
    for (int i = 0; i < list->count; i++) {
        Op *op = node_op(list->data[i]);
        renumber(&list->data[i]->body, id, count, origins);
        if (list->data[i]->kind != NODE_OP)
            continue;
        if (!origins)
            op->id = id[op->id] = (*count)++;
        else if (op->origin >= 0)
            op->origin = id[op->origin];
    }
}

static void renumber_program(Ctx *ctx, Program *program)
{
    int *id = arena_array(ctx->arena, int, program->op_count + 1), count = 0;
    for (int i = 0; i < program->op_count; i++)
        id[i] = -1;
    for (int origins = 0; origins < 2; origins++)
        for (int i = 0; i < program->routines.count; i++)
            renumber(&program->routines.data[i].body, id, &count, origins);
    program->op_count = count;
}

bool tiers_run(Ctx *ctx, const Assignment *assignment, StepFile *file)
{
    (void)assignment;
    Program *program = file->program;
    Tiers o = {.ctx = ctx, .program = program, .count = program->buffers.count};
    Around nothing = {.wanted = arena_array(ctx->arena, bool, o.count + 1)};
    bool any = false;
    o.resting = arena_array(ctx->arena, Resting, o.count + 1);
    for (int i = 0; i < o.count; i++) {
        Buffer *buffer = &program->buffers.data[i];
        buffer->tier = buffer->rest_tier != TIER_DEVICE ? buffer->rest_tier : buffer->tier;
        o.resting[i].device = -1;
        any |= rests(&o, i);
    }
    for (int i = 0; any && i < program->routines.count; i++)
        run_list(&o, &program->routines.data[i].body, &nothing);
    if (any)
        renumber_program(ctx, program);
    return !o.failed;
}
