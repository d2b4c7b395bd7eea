/* held.c - variants of values, and in which of them a value is available.
 *
 * At every point of a routine a value is available in some placements: the one that it was computed in, and those that
 * it was converted to for earlier readers. A reader that needs another one gets the cheapest conversion from these.
 */
#include "derive/place.h"

/* ---- Variants ----------------------------------------------------------------------------------------------- */

static bool halos_equal(const Halos *x, const Halos *y)
{
    bool equal = x->count == y->count;
    for (int i = 0; equal && i < x->count; i++)
        equal = x->of[i].axis == y->of[i].axis && x->of[i].side == y->of[i].side &&
                x->of[i].before == y->of[i].before && x->of[i].after == y->of[i].after;
    return equal;
}

bool variant_equal(const Variant *x, const Variant *y)
{
    return x->ref == y->ref && x->micro == y->micro && x->purpose == y->purpose &&
           placement_equal(&x->layout, &y->layout) && halos_equal(&x->halos, &y->halos) && x->cut == y->cut &&
           x->by_layer == y->by_layer;
}

/* Reports a dim that more axes cut than the program can say. */
static void check_cuts(Placer *p, const Variant *variant)
{
    const RefBuffer *info = &p->facts->buffers[variant->ref];
    const Buffer *buffer = placer_buffer(p, variant->ref);
    for (int dim = 0; dim < buffer->dim_count; dim++) {
        unsigned divided = info->micro_dims != 0 ? info->micro_dims : info->batch_dims;
        int cuts = place_axes(&variant->layout, dim).count + (variant->micro && divided >> dim & 1);
        if (cuts > STEP_MAX_CUTS && !p->failed) {
            diag_report(p->ctx.diag, P0290, buffer->span,
                        "a dim of '%s' cut over more than %d axes is not supported yet", buffer->name,
                        STEP_MAX_CUTS - 1);
            p->failed = true;
        }
    }
}

static int find_variant(Placer *p, Variant variant)
{
    Placed *value = &p->values[variant.ref];
    for (int i = 0; i < value->variants.count; i++)
        if (variant_equal(&p->choices->variants.data[value->variants.data[i]], &variant))
            return value->variants.data[i];
    check_cuts(p, &variant);
    vec_push(p->ctx.arena, &value->variants, p->choices->variants.count);
    vec_push(p->ctx.arena, &p->choices->variants, variant);
    return p->choices->variants.count - 1;
}

Variant variant_of(const Facts *f, bool divided, int ref, const Placement *place, Purpose purpose)
{
    bool micro = divided && !f->reference->buffers.data[ref].persistent && derive_is_cut(&f->buffers[ref]);
    return (Variant){.ref = ref,
                     .layout = placement_layout(*place),
                     .micro = micro && purpose != FOR_TOTAL,
                     .purpose = purpose,
                     .suffix = "",
                     .plain = NO_VARIANT};
}

int derive_variant(Placer *p, int ref, const Placement *place, Purpose purpose, const char *suffix)
{
    Variant variant = variant_of(p->facts, p->routine->divided, ref, place, purpose);
    variant.suffix = suffix;
    return find_variant(p, variant);
}

int derive_wide_variant(Placer *p, Ref ref, const Placement *place, Halos halos, bool part)
{
    Purpose purpose = part ? FOR_PART : FOR_VALUE;
    Variant variant = variant_of(p->facts, p->routine->divided, ref.buffer, place, purpose);
    variant.layout = *place;
    variant.halos = halos;
    variant.cut = p->routine->cut;
    variant.by_layer = ref.slot.term_count > 0;
    variant.plain = derive_variant(p, ref.buffer, place, purpose, part ? "part" : "");
    return find_variant(p, variant);
}

/* ---- Available values --------------------------------------------------------------------------------------- */

static bool by_layer(Ref ref)
{
    return ref.slot.term_count > 0;
}

bool derive_is_held(const Placer *p, const Held *held, Ref ref)
{
    if (held->by_layer != by_layer(ref) || held->constant != ref.slot.constant)
        return false;
    return !held->by_layer || (held->first <= p->first_layer && p->last_layer <= held->last);
}

/* Forgets a copy that was not kept, and is made again. */
static void forget_dropped(const Placer *p, HeldList *list, Ref ref, int variant)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        const Held *held = &list->data[i];
        if (derive_is_kept(p, held) || held->variant != variant || !derive_is_held(p, held, ref))
            list->data[kept++] = *held;
    }
    list->count = kept;
}

static Held *hold(Placer *p, HeldList *list, Ref ref, const Placement *place, int variant)
{
    forget_dropped(p, list, ref, variant);
    Held held = {.by_layer = by_layer(ref),
                 .constant = ref.slot.constant,
                 .first = p->first_layer,
                 .last = p->last_layer,
                 .place = *place,
                 .variant = variant,
                 .life = COPY_STEP,
                 .backward = p->backward};
    vec_push(p->ctx.arena, list, held);
    return &list->data[list->count - 1];
}

/* A buffer that is written in several places has one placement; if nothing else is known about its value, that is where
 * it is. */
Held *derive_held(Placer *p, Ref ref)
{
    Placed *value = &p->values[ref.buffer];
    for (int i = 0; i < value->held.count; i++)
        if (derive_is_kept(p, &value->held.data[i]) && derive_is_held(p, &value->held.data[i], ref))
            return &value->held.data[i];
    if (!value->has_home)
        return NULL;
    int variant = derive_variant(p, ref.buffer, &value->home, FOR_VALUE, "");
    return hold(p, &value->held, ref, &value->home, variant);
}

void derive_hold(Placer *p, Ref ref, const Placement *place, int variant)
{
    hold(p, &p->values[ref.buffer].held, ref, place, variant);
}

void derive_hold_copy(Placer *p, Ref ref, const Placement *place, int variant, CopyLife life)
{
    hold(p, &p->values[ref.buffer].held, ref, place, variant)->life = life;
}

void derive_hold_wide(Placer *p, Ref ref, const Placement *place, int variant, CopyLife life)
{
    hold(p, &p->values[ref.buffer].held_wide, ref, place, variant)->life = life;
}

bool derive_is_held_wide(const Placer *p, Ref ref, int variant)
{
    const HeldList *list = &p->values[ref.buffer].held_wide;
    for (int i = 0; i < list->count; i++)
        if (list->data[i].variant == variant && derive_is_kept(p, &list->data[i]) &&
            derive_is_held(p, &list->data[i], ref))
            return true;
    return false;
}

static void forget_held(const Placer *p, HeldList *list, Ref ref)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (!derive_is_held(p, &list->data[i], ref))
            list->data[kept++] = list->data[i];
    list->count = kept;
}

void derive_forget(Placer *p, Ref ref)
{
    forget_held(p, &p->values[ref.buffer].held, ref);
    forget_held(p, &p->values[ref.buffer].held_wide, ref);
}

void derive_start_routine(Placer *p)
{
    for (int i = 0; i < p->facts->reference->buffers.count; i++) {
        Placed *value = &p->values[i];
        value->held.count = value->held_wide.count = 0;
        value->has_home = p->facts->buffers[i].role == ROLE_PLAIN && placer_buffer(p, i)->persistent;
        value->home = p->choices->home[i];
        if (facts_is_cache(p->facts, i)) /* it is stored as it is first written, in whichever routine */
            value->has_home = p->cached[i];
    }
}

/* ---- Copies ------------------------------------------------------------------------------------------------- */

bool derive_is_kept(const Placer *p, const Held *held)
{
    return !held->dropped && (held->life == COPY_STEP || held->backward == p->backward);
}

static void end_use(HeldList *list)
{
    for (int i = 0; i < list->count; i++)
        list->data[i].dropped |= list->data[i].life == COPY_USE;
}

void derive_end_use(Placer *p, Ref ref)
{
    end_use(&p->values[ref.buffer].held);
    end_use(&p->values[ref.buffer].held_wide);
}

/* ---- Loops -------------------------------------------------------------------------------------------------- */

/* At the start of a loop, what the loop writes is available only where it is written; shards of parameters are not kept
 * beyond a loop. */
static void forget_written(Placer *p, const NodeList *body, bool parameters)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        forget_written(p, &node->body, parameters);
        if (node->kind != NODE_OP)
            continue;
        if (!parameters && op_has_result(node->op->kind) && !by_layer(node->op->out))
            derive_forget(p, node->op->out);
        for (int j = 0; parameters && j < node->op->operand_count; j++)
            if (p->facts->buffers[node->op->operand[j].buffer].role == ROLE_PARAMETER)
                p->values[node->op->operand[j].buffer].held.count = 0;
    }
}

static bool writes(const NodeList *body, int ref)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (writes(&node->body, ref))
            return true;
        if (node->kind == NODE_OP && op_has_result(node->op->kind) && node->op->out.buffer == ref)
            return true;
    }
    return false;
}

bool derive_complete(Placer *p, Ref ref, Span span, Why why, Route *route)
{
    const Decls *decls = p->facts->decls;
    *route = (Route){.from = NO_VARIANT, .why = why};
    const Held *held = derive_held(p, ref);
    if (held == NULL)
        return false;
    route->from = held->variant;
    if (place_axes(&held->place, ON_PARTIAL).count == 0)
        return false;
    Placement to = held->place;
    for (int a = 0; a < decls->axes.count; a++)
        if (place_at(&to, a) == ON_PARTIAL)
            facts_place(p->facts, ref.buffer, &to, a, place_at(&p->routine->wish[ref.buffer].rest, a));
    derive_value(p, ref, &to, span, why, route);
    return true;
}

/* Completes sums that a loop reads and does not write once, before the loop. */
static void complete_outer(Placer *p, const NodeList *loop, const NodeList *inner, LayersChoice *layers)
{
    for (int i = 0; i < inner->count; i++) {
        const Node *node = inner->data[i];
        complete_outer(p, loop, &node->body, layers);
        for (int j = 0; node->kind == NODE_OP && j < node->op->operand_count; j++) {
            Ref ref = node->op->operand[j];
            const RefBuffer *info = &p->facts->buffers[ref.buffer];
            if (info->role != ROLE_PLAIN || info->partial || by_layer(ref) || writes(loop, ref.buffer))
                continue;
            Entry entry = {.ref = ref, .span = node->span};
            derive_complete(p, ref, node->span, WHY_LOOP, &entry.route);
            if (entry.route.steps.count > 0 || p->values[ref.buffer].has_home)
                vec_push(p->ctx.arena, &layers->entries, entry);
        }
    }
}

static bool is_backward(const Placer *p, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Op *op = node_op(body->data[i]);
        if (op != NULL && p->facts->ops[op->id].phase == PHASE_MICRO && p->facts->ops[op->id].backward)
            return true;
    }
    return false;
}

void derive_enter_loop(Placer *p, const Node *loop, LayersChoice *layers)
{
    p->backward = is_backward(p, &loop->body);
    complete_outer(p, &loop->body, &loop->body, layers);
    forget_written(p, &loop->body, false);
}

void derive_leave_loop(Placer *p, const Node *loop)
{
    forget_written(p, &loop->body, true);
    p->backward = false;
}
