/* emit_values.c - dense values: the buffers of their variants, made when they are first needed, and the steps of
 * conversions between these. */
#include "derive/emit.h"

/* ---- Buffers of variants ------------------------------------------------------------------------------------ */

static void cut_dim(Dim *dim, int axis)
{
    if (dim->cut_count == STEP_MAX_CUTS)
        BUG("a dim has more cuts than were chosen");
    dim->cut[dim->cut_count++] = (int8_t)axis;
}

static Buffer plain_buffer(const Emit *e, const Variant *variant)
{
    const RefBuffer *info = &e->facts->buffers[variant->ref];
    Buffer buffer = e->facts->reference->buffers.data[variant->ref];
    for (int i = 0; i < buffer.dim_count; i++) {
        Dim *dim = &buffer.dims[i];
        if (variant->micro && (info->micro_dims != 0 ? info->micro_dims : info->batch_dims) >> i & 1)
            cut_dim(dim, CUT_MICRO);
        for (int a = 0; a < e->facts->decls->axes.count; a++)
            if (place_at(&variant->layout, a) == i)
                cut_dim(dim, a);
    }
    bool copies_state = buffer.persistent && !placement_equal(&variant->layout, &e->choices->home[variant->ref]);
    if (variant->purpose == FOR_PART || info->role != ROLE_PLAIN)
        buffer.slots = 1;
    if (variant->purpose == FOR_PART || info->role != ROLE_PLAIN || copies_state) {
        buffer.persistent = false;
        buffer.state = buffer.tensor = -1;
        buffer.category = CATEGORY_BUFFERS;
    }
    if (variant->suffix[0] != '\0')
        buffer.name = arena_printf(e->ctx->arena, "%s.%s", buffer.name, variant->suffix);
    return buffer;
}

/* That without halos is made only where something needs it. */
static Buffer wide_buffer(const Emit *e, const Variant *variant)
{
    Buffer buffer = plain_buffer(e, &e->choices->variants.data[variant->plain]);
    for (int i = 0; i < variant->halos.count; i++) {
        Dim *dim = &buffer.dims[buffer.dim_count - 2 + variant->halos.of[i].side];
        dim->halo_before = variant->halos.of[i].before;
        dim->halo_after = variant->halos.of[i].after;
    }
    buffer.name = arena_printf(e->ctx->arena, "%s.%s", buffer.name, variant->halos.count > 1 ? "wider" : "wide");
    return buffer;
}

/* Variants of several routines may be equal: they have one buffer. */
static int find_buffer(Emit *e, const Variant *variant)
{
    MadeList *made = &e->made[variant->ref];
    for (int i = 0; i < made->count; i++)
        if (variant_equal(made->data[i].variant, variant))
            return made->data[i].buffer;
    int buffer = derive_add_buffer(e, variant->halos.count > 0 ? wide_buffer(e, variant) : plain_buffer(e, variant));
    vec_push(e->ctx->arena, made, (Made){variant, buffer});
    return buffer;
}

int derive_emit_variant(Emit *e, int variant)
{
    const Variant *v = &e->choices->variants.data[variant];
    if (v->purpose == FOR_TOTAL)
        return e->total[v->ref];
    if (e->variant_buffer[variant] < 0)
        e->variant_buffer[variant] = find_buffer(e, v);
    return e->variant_buffer[variant];
}

int derive_plain_buffer(Emit *e, int ref)
{
    Variant *variant = arena_make(e->ctx->arena, Variant);
    *variant = variant_of(e->facts, e->routine->facts->divided, ref, &e->choices->home[ref], FOR_VALUE);
    return find_buffer(e, variant);
}

/* ---- References --------------------------------------------------------------------------------------------- */

Affine derive_map_affine(const Emit *e, Affine affine)
{
    for (int i = 0; i < affine.term_count; i++)
        if (affine.term[i].variable >= 0)
            affine.term[i].variable = e->loop_map[affine.term[i].variable];
    return affine;
}

static Affine unit_slot(const Emit *e, Ref ref, int unit)
{
    const Unit *u = &e->facts->decls->units.data[unit];
    if (u->group < 0)
        return affine_constant(0);
    if (u->group != e->group)
        BUG("a parameter of '%s' is used outside the loop over its layers", u->name);
    Affine slot = derive_map_affine(e, ref.slot);
    slot.constant -= u->first_layer;
    return slot;
}

static Ref parameter_ref(const Emit *e, Ref ref, int unit)
{
    const UnitInfo *u = &e->units[unit];
    const UnitBuffers *b = &e->buffers[unit];
    int tensor = e->facts->buffers[ref.buffer].tensor;
    Affine slot = unit_slot(e, ref, unit);
    if (u->parameters.count == 0)
        return (Ref){b->parameter_buffer, slot, tensor};
    if (!u->gathered)
        return (Ref){b->parameter_buffer, slot, -1}; /* which was refused */
    bool kept = u->placement->parameters.keep == KEEP_STEP;
    return (Ref){b->full_buffer, kept ? slot : affine_constant(0), tensor};
}

static Ref gradient_ref(const Emit *e, Ref ref, int unit)
{
    const UnitBuffers *b = &e->buffers[unit];
    Affine slot = unit_slot(e, ref, unit);
    if (b->contribution != b->accumulator)
        slot = affine_constant(0);
    return (Ref){b->contribution, slot, e->facts->buffers[ref.buffer].tensor};
}

/* A parameter, or its gradient, in its unit. */
static Ref in_unit(const Emit *e, Ref ref)
{
    const RefBuffer *info = &e->facts->buffers[ref.buffer];
    int unit = derive_unit_of(e->facts, info->tensor, e->first_layer);
    return info->role == ROLE_GRADIENT ? gradient_ref(e, ref, unit) : parameter_ref(e, ref, unit);
}

Ref derive_emit_value(Emit *e, int variant, Ref ref)
{
    if (variant == UNIT_BUFFER)
        return in_unit(e, ref);
    bool one = e->choices->variants.data[variant].purpose == FOR_PART ||
               e->facts->buffers[ref.buffer].role != ROLE_PLAIN; /* it has one slot */
    return derive_ref(derive_emit_variant(e, variant), one ? affine_constant(0) : derive_map_affine(e, ref.slot));
}

/* ---- Conversions -------------------------------------------------------------------------------------------- */

void derive_set_reader(const Emit *e, Op *op)
{
    const Assignment *assignment = e->facts->assignment;
    op->axes = (AxisSet){0};
    op->microbatch = affine_constant(0);
    if (!e->routine->facts->cut || e->facts->decls->tensors.data[op->tensor].batch_dim < 0)
        return;
    op->axes = e->facts->readers;
    if (e->routine->facts->divided)
        op->microbatch = affine_loop(e->micro_loop, 1, 0);
    if (assignment->reader_span.start != assignment->batch_span.start && span_known(assignment->reader_span))
        op->span = assignment->reader_span;
}

/* What was read is read again, another part of it. */
static void emit_read(Emit *e, NodeList *body, const Step *step, Ref out, int ref)
{
    Op op = *e->routine->facts->wish[ref].reader;
    op.out = out;
    derive_set_reader(e, &op);
    op.axes = step->axes;
    derive_emit_copy(e, body, &op);
}

static void emit_over(Emit *e, NodeList *body, const Step *step, Ref out, Ref at, Span span)
{
    Op *op = derive_emit_over(e, body, step->kind, out, at, step->axes, span);
    if (op_sums(step->kind))
        op->reduce = step->reduce;
    op->accumulate = step->accumulate;
    if (!step->waits)
        return;
    op->event = e->program->event_count++;
    vec_push(e->ctx->arena, &e->floating, op->event);
    derive_emit_wait(e, body, op->event, span);
}

/* The factor of a sync; the buffer is then the sync's, where the user would edit. */
static void emit_factor(Emit *e, NodeList *body, const Step *step, Ref at)
{
    derive_scale_synced(e, body, at, step->sync, step->axes);
    e->program->buffers.data[at.buffer].span = step->sync->span;
}

static Ref emit_step(Emit *e, NodeList *body, const Ref *ref, Ref at, const Step *step, Span span)
{
    Ref out = step->writes == step->reads && step->kind != OP_READ ? at : derive_emit_value(e, step->writes, *ref);
    span = step->sync != NULL ? step->sync->span : span;
    if (step->kind == OP_READ) {
        emit_read(e, body, step, out, ref->buffer);
    } else if (step->kind == OP_SCALE) {
        emit_factor(e, body, step, at);
    } else if (step->kind == OP_PLACE_SHARD) {
        derive_emit_fill(e, body, out, 0, span);
        derive_emit_place_shard(e, body, out, at, step->axes, span);
    } else {
        emit_over(e, body, step, out, at, span);
    }
    return out;
}

Ref derive_emit_steps(Emit *e, NodeList *body, const Ref *ref, Ref at, const Route *route, Span span)
{
    for (int i = 0; i < route->steps.count; i++)
        at = emit_step(e, body, ref, at, &route->steps.data[i], span);
    return at;
}

void derive_emit_source(Emit *e, const Route *route)
{
    if (route->from >= 0)
        derive_emit_variant(e, route->from);
}

Ref derive_emit_route(Emit *e, NodeList *body, Ref ref, const Route *route, Span span)
{
    return derive_emit_steps(e, body, &ref, derive_emit_value(e, route->from, ref), route, span);
}
