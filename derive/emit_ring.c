/* emit_ring.c - products of travelling values (ring.c): what travels is passed on from rank to rank. */
#include "derive/emit.h"

/* ---- Lowering ----------------------------------------------------------------------------------------------- */

/* This rank's coordinate, minus the step of the loop and `less`. */
static Affine before(const Emit *e, int axis, int loop, int64_t less)
{
    Affine affine = affine_constant(-less);
    affine_add_term(&affine, affine_coordinate(axis), 1);
    if (loop >= 0)
        affine_add_term(&affine, loop, -1);
    affine.modulus = e->facts->decls->axes.data[axis].size;
    return affine;
}

/* Sends to the next rank, in the steps low .. high. */
static void pass_on(Emit *e, Node *loop, int64_t low, int64_t high, Ref travels, int axis, Span span)
{
    Node *guard = derive_emit_guard(e, &loop->body, loop->loop.id, low, high, span);
    derive_emit_over(e, &guard->body, OP_PERMUTE, travels, travels, axes_one(axis), span)->peer.coordinate =
        before(e, axis, -1, 1);
}

/* Are its shards along the dim that travels of different sizes? */
static bool is_uneven(const Emit *e, Ref ref, const Ring *ring)
{
    const Dim *dim = &e->program->buffers.data[ref.buffer].dims[ring->dim];
    const Decls *decls = e->facts->decls;
    int64_t parts = 1;
    for (int i = 0; i < dim->cut_count; i++)
        parts *= dim->cut[i] == CUT_MICRO ? decls->micro : decls->axes.data[dim->cut[i]].size;
    return dim->size % parts != 0;
}

/* A second buffer like this one for what travels: any rank's shard. */
static Ref buffer_like(Emit *e, Ref like, const Ring *ring, const char *suffix)
{
    Buffer buffer = e->program->buffers.data[like.buffer];
    buffer.dims[ring->dim].padded = is_uneven(e, like, ring);
    buffer.name = arena_printf(e->ctx->arena, "%s.%s", buffer.name, suffix);
    buffer.slots = 1;
    buffer.category = CATEGORY_BUFFERS;
    buffer.persistent = false;
    buffer.state = buffer.tensor = -1;
    return derive_scalar(derive_add_buffer(e, buffer));
}

void derive_emit_ring(Emit *e, NodeList *body, const Op *op, const Ring *ring)
{
    int64_t last = e->facts->decls->axes.data[ring->axis].size - 1;
    bool sum = ring->operand < 0, apart = sum && (op->accumulate || is_uneven(e, op->out, ring));
    Op step = *op;
    Ref travels = op->out;
    if (!sum) {
        travels = step.operand[ring->operand] = buffer_like(e, op->operand[ring->operand], ring, "visiting");
        derive_emit_from(e, body, OP_COPY, travels, op->operand[ring->operand], op->span);
    } else if (apart) {
        travels = step.out = buffer_like(e, op->out, ring, "travelling");
    }
    if (sum || !op->accumulate)
        derive_emit_fill(e, body, step.out, 0, op->span);
    Node *loop = derive_emit_loop(e, body, LOOP_STEPS, -1, 0, last, op->span);
    if (sum)
        pass_on(e, loop, 1, last, travels, ring->axis, op->span);
    step.accumulate = true;
    step.axes = axes_one(ring->axis);
    step.piece = before(e, ring->axis, loop->loop.id, sum ? 1 : 0);
    derive_emit_copy(e, &loop->body, &step);
    if (!sum)
        pass_on(e, loop, 0, last - 1, travels, ring->axis, op->span);
    else if (apart)
        derive_emit_from(e, body, OP_COPY, op->out, travels, op->span)->accumulate = op->accumulate;
}
