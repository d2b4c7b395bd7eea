/* ring.c - products of travelling values: passed around a ring instead of gathered, or reduced, at once.
 *
 * If a product needs all of an operand that travels over an axis, the operand stays sharded: a copy of it visits all
 * ranks, and at every step the product is computed with the current shard. If its result is a sum over the axis that
 * travels, the sum of a shard starts on the rank after the one that it belongs to, and every rank adds its part. Both
 * send n - 1 shards, as the gather, or the reduction, would.
 */
#include "derive/place.h"

#include <string.h>

/* ---- What travels ------------------------------------------------------------------------------------------- */

static int64_t layer_of(const Placer *p, Ref ref)
{
    return ref.slot.term_count > 0 ? p->first_layer : ref.slot.constant;
}

static const ConvertedValue *way_of(const Placer *p, const Op *op, Ref ref, int axis)
{
    return derive_converted(p->facts, ref.buffer, axis, layer_of(p, ref), COPY_WAY, op);
}

bool derive_goes_by_ring(const Placer *p, Ref ref, int axis)
{
    return derive_is_by_ring(p->facts, ref.buffer, axis, layer_of(p, ref));
}

/* Where a product needs all of it, or gives it as a sum: does it travel, as a statement about it says, or the one of
 * where it is stored? */
static bool travels(Placer *p, const Op *op, Ref ref, int axis)
{
    const ConvertedValue *way = way_of(p, op, ref, axis);
    if (way == NULL)
        return p->routine->wish[ref.buffer].travels >> axis & 1;
    p->choices->converted[way->number] = true;
    return way->request->way == COPY_BY_RING;
}

/* ---- Which products ----------------------------------------------------------------------------------------- */

/* Is it a call of the prelude's strategy? */
static bool is_ring_call(const Placer *p, Span span)
{
    return span_known(span) && strncmp(source_of(p->ctx.sources, span)->text + span.start, "ring(", 5) == 0;
}

static bool refuse(Placer *p, const Op *op, Ref value, int axis, const char *why)
{
    int ref = value.buffer;
    if (!p->failed) {
        const char *name = p->facts->decls->axes.data[axis].name;
        Diagnostic *diagnostic = diag_report(p->ctx.diag, P0290, op->span, "'%s' cannot travel around '%s' here",
                                             p->facts->reference->buffers.data[ref].name, name);
        const ConvertedValue *way = way_of(p, op, value, axis);
        Span span = {0};
        if (way != NULL)
            diag_label(diagnostic, way->request->span, "this statement says that it does");
        for (int i = 0; way == NULL && i < p->facts->assignment->activations.count; i++)
            if (p->facts->assignment->activations.data[i].travels &&
                p->facts->assignment->activations.data[i].axis == axis) {
                span = p->facts->assignment->activations.data[i].span;
                diag_label(diagnostic, span, "the strategy says that it does");
            }
        diag_why(diagnostic, "%s", why);
        if (is_ring_call(p, span))
            diag_help_edit(diagnostic, (Span){span.source, span.start, span.start + 4}, "context_parallel",
                           "Let it be gathered: `context_parallel(%s)` in the place of `ring(%s)`.", name, name);
    }
    p->failed = true;
    return false;
}

/* Do microbatches divide the dim? */
static bool divides(const Placer *p, int ref, int dim)
{
    const RefBuffer *info = &p->facts->buffers[ref];
    unsigned divided = info->micro_dims != 0 ? info->micro_dims : info->batch_dims;
    return p->routine->divided && p->facts->decls->micro > 1 && divided >> dim & 1;
}

/* Can shards of this dim be passed on, and can their places in the whole be found? */
static bool can_travel(Placer *p, const Op *op, const Choice *choice, Ref ref, const Placement *place, int axis)
{
    if (op->kind != OP_EINSUM)
        return refuse(p, op, ref, axis, "It is needed whole at once: only products are taken piece by piece.");
    if (choice->ring.turns)
        return refuse(p, op, ref, axis, "Of one product, one value travels, around one axis.");
    if (divides(p, ref.buffer, place_at(place, axis)))
        return refuse(p, op, ref, axis, "Its pieces are examples, of which every microbatch has its own.");
    for (int a = axis + 1; a < p->facts->decls->axes.count; a++)
        if (place_at(place, a) == place_at(place, axis))
            return refuse(p, op, ref, axis, "Its pieces are cut further, over an axis that comes later in the mesh.");
    return true;
}

/* Is the value available sharded over the axis, as the strategy places it, and nothing of it whole? A statement about
 * the product itself holds whatever other products have gathered. */
static bool held_cut(Placer *p, const Op *op, Ref ref, int axis)
{
    const ConvertedValue *way = way_of(p, op, ref, axis);
    bool stated = way != NULL && products_are_named(&way->request->products);
    const HeldList *list = &p->values[ref.buffer].held;
    int rest = place_at(&p->routine->wish[ref.buffer].rest, axis);
    bool cut = false;
    derive_held(p, ref);
    for (int i = 0; i < list->count && rest >= 0; i++) {
        if (!derive_is_held(p, &list->data[i], ref))
            continue;
        if (place_at(&list->data[i].place, axis) == ON_WHOLE && !stated)
            return false;
        cut |= place_at(&list->data[i].place, axis) == rest;
    }
    return cut;
}

static Ring ring_of(const Placer *p, const Op *op, Ref ref, const Placement *place, int axis, int operand)
{
    const ConvertedValue *way = way_of(p, op, ref, axis);
    return (Ring){true, axis, place_at(place, axis), operand, way != NULL ? way->request : NULL};
}

static bool find_visitor(Placer *p, const Op *op, Choice *choice, int axis)
{
    for (int i = 0; i < op->operand_count; i++) {
        int ref = op->operand[i].buffer;
        const Wish *wish = &p->routine->wish[ref];
        if (p->facts->buffers[ref].role != ROLE_PLAIN || place_at(&choice->operand[i], axis) != ON_WHOLE ||
            !held_cut(p, op, op->operand[i], axis) || !travels(p, op, op->operand[i], axis))
            continue;
        facts_place(p->facts, ref, &choice->operand[i], axis, place_at(&wish->rest, axis));
        if (!can_travel(p, op, choice, op->operand[i], &choice->operand[i], axis))
            return false;
        choice->ring = ring_of(p, op, op->operand[i], &choice->operand[i], axis, i);
        p->choices->travelled[ref] |= 1u << axis;
    }
    return true;
}

/* A sum over the axis that is wanted in the shards that travel; false if they cannot travel. */
static bool find_sum(Placer *p, const Op *op, Choice *choice, int axis)
{
    int ref = op->out.buffer;
    const RefBuffer *info = &p->facts->buffers[ref];
    const Wish *wish = &p->routine->wish[ref];
    if (info->role != ROLE_PLAIN || info->partial || place_at(&choice->result, axis) != ON_PARTIAL ||
        place_at(&wish->rest, axis) < 0 || place_at(&choice->kept, axis) != place_at(&wish->rest, axis) ||
        !travels(p, op, op->out, axis))
        return true;
    facts_place(p->facts, ref, &choice->result, axis, place_at(&choice->kept, axis));
    if (!can_travel(p, op, choice, op->out, &choice->result, axis))
        return false;
    choice->ring = ring_of(p, op, op->out, &choice->result, axis, -1);
    p->choices->travelled[ref] |= 1u << axis;
    return true;
}

bool derive_find_ring(Placer *p, const Op *op, Choice *choice)
{
    choice->ring = (Ring){0};
    for (int axis = 0; axis < p->facts->decls->axes.count && op_has_result(op->kind); axis++)
        if (!find_visitor(p, op, choice, axis) || !find_sum(p, op, choice, axis))
            return false;
    return true;
}
