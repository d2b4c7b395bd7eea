/* emit_op.c - adds one operator to the program, as it was chosen: conversions of its operands, itself, what becomes of
 * its result. */
#include "derive/emit.h"

/* ---- A loss divided by a rank's own count (sync count : none) ----------------------------------------------- */

static Span count_span(const Emit *e)
{
    const Assignment *assignment = e->facts->assignment;
    for (int i = 0; i < assignment->syncs.count; i++)
        if (assignment->syncs.data[i].target == SYNC_COUNT)
            return assignment->syncs.data[i].span;
    return (Span){0};
}

/* Turns a weight by the global count of examples into one by this rank's count in this microbatch. */
static void scale_by_local_count(Emit *e, NodeList *body, const Op *op, int index, Ref from, Ref to)
{
    Ref ref = index < 0 ? op->out : op->operand[index];
    const Buffer *buffer = &e->facts->reference->buffers.data[ref.buffer];
    const char *letters;
    int count = derive_spec_letters(e->facts, op, index, &letters);
    int64_t examples = 0;
    char letter = derive_batch_letter(e->facts, op, index);
    for (int i = 0; i < count; i++)
        if (letters[i] == letter)
            examples = buffer->dims[i].size;
    Op *scale = derive_emit_from(e, body, OP_SCALE, to, from, count_span(e));
    scale->spec = arena_printf(e->ctx->arena, "%.*s->%.*s", count, letters, count, letters);
    scale->scale = (Scale){examples, e->facts->decls->micro, arena_printf(e->ctx->arena, "%c", letter)};
}

/* Does the operator make the mean in the loss? A sum is not divided by a count. */
static bool is_mean(const Emit *e, const Op *op)
{
    for (int i = 0; i < e->facts->train->means.count; i++)
        if (e->facts->train->means.data[i] == op)
            return true;
    return false;
}

static void weight_operand(Emit *e, NodeList *body, const Op *ref_op, Op *op)
{
    Buffer weighted = e->program->buffers.data[op->operand[0].buffer];
    weighted.name = arena_printf(e->ctx->arena, "%s.weighted", weighted.name);
    Ref to = op->operand[0];
    to.buffer = derive_add_buffer(e, weighted);
    scale_by_local_count(e, body, ref_op, 0, op->operand[0], to);
    op->operand[0] = to;
}

/* ---- The operator ------------------------------------------------------------------------------------------- */

/* The operator writes shards with a halo, whose parts are then added to the shards that they belong to. */
static void emit_halo_add(Emit *e, NodeList *body, const OpChoice *o, Op *op)
{
    op->out = derive_emit_value(e, o->halo.from, o->op->out);
    op->accumulate = false;
    derive_emit_copy(e, body, op);
    op->out = derive_emit_steps(e, body, &o->op->out, op->out, &o->halo, op->span);
}

/* Emits the operator itself, and what a loss by local counts needs in addition. */
static void emit_computed(Emit *e, NodeList *body, const OpChoice *o, Op *op)
{
    bool local = e->facts->local_count && e->routine->facts->cut && e->facts->batch.count > 0 && is_mean(e, o->op);
    if (local && op->kind == OP_REDUCE)
        weight_operand(e, body, o->op, op);
    if (o->choice.ring.turns)
        derive_emit_ring(e, body, op, &o->choice.ring);
    else if (o->halo.steps.count > 0)
        emit_halo_add(e, body, o, op);
    else
        derive_emit_copy(e, body, op);
    if (local && op->kind == OP_FILL)
        scale_by_local_count(e, body, o->op, -1, op->out, op->out);
}

static void emit_result(Emit *e, NodeList *body, const OpChoice *o, Op *op)
{
    Ref out = o->op->out, into = derive_emit_value(e, o->into, out);
    Span span = o->op->span;
    if (o->plain != NO_VARIANT)
        derive_emit_variant(e, o->plain);
    op->out = derive_emit_value(e, o->computed, out);
    op->accumulate = o->accumulate;
    emit_computed(e, body, o, op);
    Ref result = derive_emit_steps(e, body, &out, op->out, &o->result, span);
    if (o->added)
        derive_emit_from(e, body, OP_COPY, into, result, span)->accumulate = true;
    derive_emit_steps(e, body, &out, into, &o->synced, span);
    if (o->after.from != NO_VARIANT)
        derive_emit_route(e, body, out, &o->after, span);
}

/* Everything that the operator starts from has its buffer before anything that it is converted to. */
static void emit_sources(Emit *e, const OpChoice *o)
{
    if (o->op->accumulate && o->target.from >= 0)
        derive_emit_source(e, &o->target);
    else if (o->op->accumulate && o->into >= 0)
        derive_emit_variant(e, o->into);
    for (int i = 0; i < o->op->operand_count; i++)
        derive_emit_source(e, &o->reads[i]);
}

void derive_emit_op(Emit *e, NodeList *body, const OpChoice *o)
{
    Op op = *o->op;
    emit_sources(e, o);
    if (o->target.from != NO_VARIANT)
        derive_emit_route(e, body, op.out, &o->target, op.span);
    for (int i = 0; i < op.operand_count; i++)
        op.operand[i] = derive_emit_route(e, body, o->op->operand[i], &o->reads[i], op.span);
    for (int i = 0; o->halos != NULL && i < op.operand_count; i++)
        if (o->halos[i].from != NO_VARIANT)
            op.operand[i] = derive_emit_route(e, body, o->op->operand[i], &o->halos[i], op.span);
    if (op_index(&op) != NULL)
        *op_index_of(&op) = derive_map_affine(e, *op_index(&op));
    if (op.kind == OP_READ)
        derive_set_reader(e, &op);
    if (op.kind == OP_OUTPUT)
        emit_computed(e, body, o, &op);
    else
        emit_result(e, body, o, &op);
}
