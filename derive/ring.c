/* ring.c - products of travelling values: passed around a ring instead of gathered, or reduced, at once.
 *
 * If a product needs all of an operand that travels over an axis, the operand stays sharded: a copy of it visits all
 * ranks, and at every step the product is computed with the current shard. If its result is a sum over the axis that
 * travels, the sum of a shard starts on the rank after the one that it belongs to, and every rank adds its part. Both
 * send n - 1 shards, as the gather, or the reduction, would.
 */
#include "derive/internal.h"

#include <string.h>

/* ---- Which products ----------------------------------------------------------------------------------------- */

/* Is it a call of the prelude's strategy? */
static bool is_ring_call(const Derive *d, Span span)
{
    return span_known(span) && strncmp(source_of(d->ctx->sources, span)->text + span.start, "ring(", 5) == 0;
}

static bool refuse(Derive *d, const Op *op, int ref, int axis, const char *why)
{
    if (!d->failed) {
        const char *name = d->decls->axes.data[axis].name;
        Diagnostic *diagnostic = diag_report(d->ctx->diag, P0290, op->span, "'%s' cannot travel around '%s' here",
                                             d->reference->buffers.data[ref].name, name);
        Span span = {0};
        for (int i = 0; i < d->assignment->activations.count; i++)
            if (d->assignment->activations.data[i].travels && d->assignment->activations.data[i].axis == axis) {
                span = d->assignment->activations.data[i].span;
                diag_label(diagnostic, span, "the strategy says that it does");
            }
        diag_why(diagnostic, "%s", why);
        if (is_ring_call(d, span))
            diag_help_edit(diagnostic, (Span){span.source, span.start, span.start + 4}, "context_parallel",
                           "Let it be gathered: `context_parallel(%s)` in the place of `ring(%s)`.", name, name);
    }
    d->failed = true;
    return false;
}

/* Can shards of this dim be passed on, and can their places in the whole be found? */
static bool can_travel(Derive *d, const Op *op, const Choice *choice, int ref, const Place *place, int axis)
{
    if (op->kind != OP_EINSUM)
        return refuse(d, op, ref, axis, "It is needed whole at once: only products are taken piece by piece.");
    if (choice->ring.turns)
        return refuse(d, op, ref, axis, "Of one product, one value travels, around one axis.");
    for (int a = axis + 1; a < d->decls->axes.count; a++)
        if (place->on[a] == place->on[axis])
            return refuse(d, op, ref, axis, "Its pieces are cut further, over an axis that comes later in the mesh.");
    return true;
}

/* Is the value available sharded over the axis, as the strategy places it? */
static bool held_cut(Derive *d, Ref ref, int axis)
{
    const RefBuffer *info = &d->buffers[ref.buffer];
    bool cut = false;
    derive_held(d, ref);
    for (int i = 0; i < info->held.count; i++) {
        if (!derive_is_held(d, &info->held.data[i], ref))
            continue;
        if (info->held.data[i].place.on[axis] == ON_WHOLE)
            return false;
        cut |= info->held.data[i].place.on[axis] == info->rest.on[axis];
    }
    return cut;
}

static bool find_visitor(Derive *d, const Op *op, Choice *choice, int axis)
{
    for (int i = 0; i < op->operand_count; i++) {
        int ref = op->operand[i].buffer;
        const RefBuffer *info = &d->buffers[ref];
        if (info->role != ROLE_PLAIN || !(info->travels >> axis & 1) || choice->operand[i].on[axis] != ON_WHOLE ||
            !held_cut(d, op->operand[i], axis))
            continue;
        choice->operand[i].on[axis] = info->rest.on[axis];
        if (!can_travel(d, op, choice, ref, &choice->operand[i], axis))
            return false;
        choice->ring = (Ring){true, axis, choice->operand[i].on[axis], i};
        d->buffers[ref].travelled |= 1u << axis;
    }
    return true;
}

/* A sum over the axis that is wanted in the shards that travel; false if they cannot travel. */
static bool find_sum(Derive *d, const Op *op, Choice *choice, int axis)
{
    int ref = op->out.buffer;
    const RefBuffer *info = &d->buffers[ref];
    if (info->role != ROLE_PLAIN || info->partial || !(info->travels >> axis & 1) ||
        choice->result.on[axis] != ON_PARTIAL || choice->kept.on[axis] != info->rest.on[axis])
        return true;
    choice->result.on[axis] = choice->kept.on[axis];
    if (!can_travel(d, op, choice, ref, &choice->result, axis))
        return false;
    choice->ring = (Ring){true, axis, choice->result.on[axis], -1};
    d->buffers[ref].travelled |= 1u << axis;
    return true;
}

bool derive_find_ring(Derive *d, const Op *op, Choice *choice)
{
    choice->ring = (Ring){0};
    for (int axis = 0; axis < d->decls->axes.count && op_has_result(op->kind); axis++)
        if (!find_visitor(d, op, choice, axis) || !find_sum(d, op, choice, axis))
            return false;
    return true;
}

/* ---- Lowering ----------------------------------------------------------------------------------------------- */

/* This rank's coordinate, minus the step of the loop and `less`. */
static Affine before(const Derive *d, int axis, int loop, int64_t less)
{
    Affine affine = affine_constant(-less);
    affine.term[affine.term_count].variable = -1 - axis;
    affine.term[affine.term_count++].coefficient = 1;
    if (loop >= 0) {
        affine.term[affine.term_count].variable = loop;
        affine.term[affine.term_count++].coefficient = -1;
    }
    affine.modulus = d->decls->axes.data[axis].size;
    return affine;
}

static Node *emit_guard(Derive *d, NodeList *body, int loop, int64_t low, int64_t high, Span span)
{
    Node *node = arena_make(d->ctx->arena, Node);
    node->kind = NODE_GUARD;
    node->span = span;
    node->guard.value = affine_loop(loop, 1, 0);
    node->guard.low = low;
    node->guard.high = high;
    vec_push(d->ctx->arena, body, node);
    return node;
}

/* Sends to the next rank, in the steps low .. high. */
static void hand_on(Derive *d, Node *loop, int64_t low, int64_t high, Ref travels, int axis, Span span)
{
    Node *guard = emit_guard(d, &loop->body, loop->loop.id, low, high, span);
    derive_emit_over(d, &guard->body, OP_PERMUTE, travels, travels, (AxisSet){1, {(int8_t)axis}}, span)
        ->peer.coordinate = before(d, axis, -1, 1);
}

/* Are its shards along the dim that travels of different sizes? */
static bool is_uneven(const Derive *d, Ref ref, const Ring *ring)
{
    const Dim *dim = &d->program->buffers.data[ref.buffer].dims[ring->dim];
    int64_t parts = 1;
    for (int i = 0; i < dim->cut_count; i++)
        parts *= d->decls->axes.data[dim->cut[i]].size;
    return dim->size % parts != 0;
}

/* A second buffer like this one for what travels: any rank's shard. */
static Ref beside(Derive *d, Ref like, const Ring *ring, const char *suffix)
{
    Buffer buffer = d->program->buffers.data[like.buffer];
    buffer.dims[ring->dim].padded = is_uneven(d, like, ring);
    buffer.name = arena_printf(d->ctx->arena, "%s.%s", buffer.name, suffix);
    buffer.slots = 1;
    buffer.category = CATEGORY_BUFFERS;
    buffer.persistent = false;
    buffer.state = buffer.tensor = -1;
    return derive_scalar(derive_add_buffer(d, buffer));
}

void derive_emit_ring(Derive *d, NodeList *body, const Op *op, const Ring *ring)
{
    int64_t last = d->decls->axes.data[ring->axis].size - 1;
    bool sum = ring->operand < 0, apart = sum && (op->accumulate || is_uneven(d, op->out, ring));
    Op step = *op;
    Ref travels = op->out;
    if (!sum) {
        travels = step.operand[ring->operand] = beside(d, op->operand[ring->operand], ring, "visiting");
        derive_emit_from(d, body, OP_COPY, travels, op->operand[ring->operand], op->span);
    } else if (apart) {
        travels = step.out = beside(d, op->out, ring, "travelling");
    }
    if (sum || !op->accumulate)
        derive_emit_fill(d, body, step.out, 0, op->span);
    Node *loop = derive_emit_loop(d, body, LOOP_STEPS, -1, 0, last, op->span);
    if (sum)
        hand_on(d, loop, 1, last, travels, ring->axis, op->span);
    step.accumulate = true;
    step.axes = (AxisSet){1, {(int8_t)ring->axis}};
    step.piece = before(d, ring->axis, loop->loop.id, sum ? 1 : 0);
    derive_emit_copy(d, &loop->body, &step);
    if (!sum)
        hand_on(d, loop, 0, last - 1, travels, ring->axis, op->span);
    else if (apart)
        derive_emit_from(d, body, OP_COPY, op->out, travels, op->span)->accumulate = op->accumulate;
}
