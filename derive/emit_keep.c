/* emit_keep.c - activations that are stored on the host or in a file between the passes.
 *
 * If the strategy stores values elsewhere (`activations of block offloaded`), those that the backward pass of a
 * microbatch reads are copied there after their last use in the forward pass, and the backward pass reads the copy;
 * lower/tiers.c then copies it to the device, as it does with states. So they are on the device only while they are
 * used, a pipeline keeps the copies of as many microbatches as are in flight, and the slots pass (lower/offsets.h)
 * leaves one slot for values of layers.
 *
 * There is a copy for each slot of the value that layers read, relative to the layer: their own input, or the next
 * layer's. Outside layers there is one per slot.
 */
#include "derive/emit.h"
#include "step/refs.h"

#include <string.h>

/* ---- How a node uses a buffer ------------------------------------------------------------------------------- */

/* A slot; in a layer loop, relative to the loop's variable. */
typedef struct Slot {
    bool of_layer;
    int64_t constant;
} Slot;

static Slot slot_of(const Affine *affine)
{
    return (Slot){affine->term_count > 0, affine->constant};
}

typedef struct Uses {
    int buffer;
    const Slot *slot; /* NULL: any */
    int count;
    bool read, written; /* `read`: before it was written */
} Uses;

static void note_use(void *context, Op *op, Ref *ref, bool writes)
{
    Uses *uses = context;
    Slot slot = slot_of(&ref->slot);
    if (ref->buffer != uses->buffer ||
        (uses->slot != NULL && (slot.of_layer != uses->slot->of_layer || slot.constant != uses->slot->constant)))
        return;
    uses->count++;
    uses->read |= !uses->written && (!writes || op->accumulate);
    uses->written |= writes;
}

static int count_uses(const Node *node, int buffer, const Slot *slot)
{
    Uses uses = {.buffer = buffer, .slot = slot};
    refs_visit(node, note_use, &uses);
    return uses.count;
}

static bool is_backward(const Node *node)
{
    for (int i = 0; i < node->body.count; i++)
        if (is_backward(node->body.data[i]))
            return true;
    return node->kind == NODE_OP && node->op->origin >= 0;
}

/* ---- One value of a microbatch loop ------------------------------------------------------------------------- */

/* A copy of one slot: of one per layer, or of one outside layers. */
typedef struct Copy {
    Slot slot;
    int group, buffer;
} Copy;

typedef struct Keep {
    Emit *e;
    NodeList *body; /* of the loop over microbatches */
    int split;      /* the first node of its backward part */
    int buffer;     /* the value's */
    const Offloaded *request;
    bool mixed; /* it is of other layers, too, which do not store it there */
    bool failed;
    Vec(Copy) copies;
} Keep;

static void refuse(Keep *k, const char *why)
{
    if (!k->failed)
        diag_report(k->e->ctx->diag, P0290, k->request->span,
                    "'%s' stored elsewhere than on the device, %s, is not supported yet",
                    k->e->program->buffers.data[k->buffer].name, why);
    k->failed = k->e->failed = true;
}

static void insert_after(Keep *k, NodeList *list, int index, Node *node)
{
    vec_push(k->e->ctx->arena, list, node);
    memmove(&list->data[index + 2], &list->data[index + 1], sizeof(Node *) * (size_t)(list->count - index - 2));
    list->data[index + 1] = node;
}

/* Some layers have the value elsewhere (emit_again.c): it has slots for the others only, and so have copies. */
static bool is_split(const Keep *k, int group)
{
    return k->e->program->buffers.data[k->buffer].slots < k->e->facts->decls->groups.data[group].layers;
}

/* The slot of the copy for the current layer. */
static int64_t copy_constant(const Keep *k, const Slot *slot, int group)
{
    return slot->of_layer && is_split(k, group) ? slot->constant : 0;
}

/* Copies the slot after the last node of the list that uses it; false if none does. */
static bool copy_in_list(Keep *k, NodeList *list, int count, const Copy *copy, Affine slot)
{
    int last = count - 1;
    while (last >= 0 && count_uses(list->data[last], k->buffer, &copy->slot) == 0)
        last--;
    if (last < 0)
        return false;
    Affine from = slot, to = copy->slot.of_layer ? slot : affine_constant(0);
    from.constant = copy->slot.constant;
    to.constant = copy_constant(k, &copy->slot, copy->group);
    NodeList scratch = {0};
    derive_emit_from(k->e, &scratch, OP_COPY, derive_ref(copy->buffer, to), derive_ref(k->buffer, from),
                     k->request->span);
    insert_after(k, list, last, scratch.data[0]);
    return true;
}

/* Copies it in the forward part; returns how often. */
static int copy_forward(Keep *k, const Copy *copy)
{
    if (!copy->slot.of_layer) {
        bool done = copy_in_list(k, k->body, k->split, copy, affine_constant(0));
        k->split += done;
        return done;
    }
    int count = 0;
    for (int i = 0; i < k->split; i++) {
        Node *node = k->body->data[i];
        bool layers = node->kind == NODE_LOOP && node->loop.kind == LOOP_LAYERS && node->loop.group == copy->group;
        count += layers && copy_in_list(k, &node->body, node->body.count, copy, affine_loop(node->loop.id, 1, 0));
    }
    return count;
}

static const Copy *copy_of(Keep *k, Slot slot, int group)
{
    for (int i = 0; i < k->copies.count; i++) {
        const Copy *copy = &k->copies.data[i];
        if (copy->slot.of_layer == slot.of_layer && copy->slot.constant == slot.constant && copy->group == group)
            return copy;
    }
    Buffer buffer = k->e->program->buffers.data[k->buffer];
    buffer.name = arena_printf(k->e->ctx->arena, "%s.kept", buffer.name);
    buffer.rest_tier = k->request->tier;
    buffer.category = CATEGORY_ACTIVATIONS;
    if (!slot.of_layer)
        buffer.slots = 1;
    else if (!is_split(k, group))
        buffer.slots = k->e->facts->decls->groups.data[group].layers;
    buffer.span = k->request->span;
    Copy copy = {slot, group, derive_add_buffer(k->e, buffer)};
    vec_push(k->e->ctx->arena, &k->copies, copy);
    if (copy_forward(k, &copy) == 0)
        refuse(k, "read by the backward pass in another way than written");
    return &k->copies.data[k->copies.count - 1];
}

/* Makes the reference read the copy. */
static void redirect(Keep *k, Ref *ref, const Node *loop)
{
    if (ref->buffer != k->buffer)
        return;
    bool plain = ref->slot.modulus == 0 && ref->slot.term_count <= (loop != NULL) &&
                 (ref->slot.term_count == 0 || ref->slot.term[0].variable == loop->loop.id);
    if (!plain) {
        refuse(k, "in slots of another order than the layers");
        return;
    }
    Slot slot = slot_of(&ref->slot);
    const Copy *copy = copy_of(k, slot, slot.of_layer ? loop->loop.group : -1);
    ref->buffer = copy->buffer;
    ref->slot.constant = copy_constant(k, &slot, copy->group);
}

/* `loop`: the layer loop around it. */
static void redirect_node(Keep *k, Node *node, const Node *loop)
{
    if (node->kind == NODE_LOOP && node->loop.kind == LOOP_LAYERS)
        loop = node;
    for (int i = 0; i < node->body.count; i++)
        redirect_node(k, node->body.data[i], loop);
    for (int i = 0; node->kind == NODE_OP && !k->failed && i < node->op->operand_count; i++)
        redirect(k, &node->op->operand[i], loop);
}

/* Was the value kept for the backward part? What that part computes itself, before it reads it, was not. */
static bool keep_buffer(Keep *k)
{
    Uses forward = {.buffer = k->buffer}, backward = {.buffer = k->buffer};
    for (int i = 0; i < k->body->count; i++)
        refs_visit(k->body->data[i], note_use, i < k->split ? &forward : &backward);
    if (forward.count == 0 || !backward.read)
        return false;
    if (backward.written)
        refuse(k, "written by the backward pass, too,");
    if (k->mixed)
        refuse(k, "in some layers only while it is used outside them, too,");
    for (int i = k->split; !k->failed && i < k->body->count; i++)
        redirect_node(k, k->body->data[i], NULL);
    return true;
}

/* ---- What layers pass on ------------------------------------------------------------------------------------ */

/* If some activations are stored elsewhere, the device keeps only what it needs of the others: in a forward pass
 * nothing goes back to the value of an earlier layer, so two slots are enough for what layers pass on. */

/* `at`: the slot of the latest layer's value; each loop over layers reads it, and writes the next. */
static bool follow_passed(const Node *node, int buffer, int64_t *at)
{
    bool layers = node->kind == NODE_LOOP && node->loop.kind == LOOP_LAYERS && node->loop.step == 1;
    int all = count_uses(node, buffer, NULL);
    if (all == 0)
        return true;
    if (!layers)
        return all == count_uses(node, buffer, &(Slot){false, *at});
    int own = count_uses(node, buffer, &(Slot){true, 0}), next = count_uses(node, buffer, &(Slot){true, 1});
    bool follows = own > 0 && next > 0 && own + next == all && node->loop.first.constant == *at;
    *at = node->loop.last.constant + 1;
    return follows;
}

/* `body`: of a routine, or of its loop over microbatches. */
static bool is_passed(const Emit *e, const NodeList *body, int buffer)
{
    Uses all = {.buffer = buffer};
    int64_t at = 0;
    refs_visit_program(e->program, note_use, &all);
    for (int i = 0; i < body->count; i++) {
        all.count -= count_uses(body->data[i], buffer, NULL);
        if (!follow_passed(body->data[i], buffer, &at))
            return false;
    }
    return at > 0 && all.count == 0;
}

static void find_passed(Emit *e, const NodeList *body)
{
    for (int i = 0; i < body->count; i++)
        if (body->data[i]->kind == NODE_LOOP && body->data[i]->loop.kind == LOOP_MICRO)
            find_passed(e, &body->data[i]->body);
    for (int b = 0; b < e->program->buffers.count; b++) {
        Buffer *buffer = &e->program->buffers.data[b];
        if (buffer->layout == LAYOUT_DENSE && !buffer->persistent && buffer->slots > 2 && is_passed(e, body, b))
            buffer->passed_on = true;
    }
}

/* ---- The step ----------------------------------------------------------------------------------------------- */

static bool keep_part(Emit *e, NodeList *body, int buffer, const Offloaded *request, bool mixed)
{
    Keep k = {.e = e, .body = body, .buffer = buffer, .request = request, .mixed = mixed};
    while (k.split < body->count && !is_backward(body->data[k.split]))
        k.split++;
    return keep_buffer(&k);
}

/* The statement that stores the value there in some layers; NULL none. */
static const Offloaded *request_for(const RefBuffer *value, KeptPlace place)
{
    static const Tier tiers[KEPT_PLACES] = {[KEPT_ON_HOST] = TIER_HOST, [KEPT_IN_FILE] = TIER_FILE};
    for (int i = 0; i < value->elsewhere.count; i++)
        if (value->elsewhere.data[i].request->tier == tiers[place])
            return value->elsewhere.data[i].request;
    return NULL;
}

/* The parts of which the layers store it elsewhere; all of it if it has none. */
static bool keep_variant(Emit *e, NodeList *body, int buffer, const RefBuffer *value)
{
    bool parted = false, kept = false;
    for (int i = 0; i < e->kept_parts.count && !e->failed; i++) {
        const KeptPart *part = &e->kept_parts.data[i];
        const Offloaded *request = request_for(value, part->place);
        parted |= part->of == buffer;
        if (part->of == buffer && request != NULL)
            kept |= keep_part(e, body, part->buffer, request, false);
    }
    if (parted)
        return kept;
    const Offloaded *request = value->elsewhere.data[0].request;
    return keep_part(e, body, buffer, request, request->group >= 0 || value->elsewhere.count > 1);
}

/* In all its placements; false if the backward pass reads none. */
static bool keep_value(Emit *e, NodeList *body, int ref)
{
    const MadeList *made = &e->made[ref];
    bool kept = false;
    for (int wide = 0; wide < 2; wide++)
        for (int i = 0; i < made->count && !e->failed; i++)
            if ((made->data[i].variant->halos.count > 0) == wide)
                kept |= keep_variant(e, body, made->data[i].buffer, &e->facts->buffers[ref]);
    return kept;
}

static void report_unkept(Emit *e, const Offloaded *request)
{
    if (request->optional || e->failed)
        return;
    const char *label = request->label;
    Diagnostic *report = label != NULL
                             ? diag_report(e->ctx->diag, P0201, request->span,
                                           "the backward pass keeps no activation called '%s'", label)
                             : diag_report(e->ctx->diag, P0201, request->span, "the backward pass keeps no activation");
    if (e->facts->train->serves)
        diag_why(report, "A model that is served has no backward pass.");
    diag_note(report, "Kept are values of the forward pass that the backward pass reads and does not compute again.");
    e->failed = true;
}

void derive_keep_on_tiers(Emit *e)
{
    const Routine *step = program_routine(e->program, ROUTINE_STEP);
    bool *used = arena_array(e->ctx->arena, bool, e->facts->assignment->offloaded.count + 1);
    for (int r = 0; r < e->facts->reference->buffers.count; r++) {
        const RefBuffer *value = &e->facts->buffers[r];
        bool kept = false;
        for (int i = 0; value->elsewhere.count > 0 && i < step->body.count && !e->failed; i++) {
            Node *node = step->body.data[i];
            if (node->kind == NODE_LOOP && node->loop.kind == LOOP_MICRO && is_backward(node))
                kept |= keep_value(e, &node->body, r);
        }
        for (int i = 0; kept && i < value->elsewhere.count; i++)
            used[value->elsewhere.data[i].request - e->facts->assignment->offloaded.data] = true;
    }
    for (int i = 0; i < e->facts->assignment->offloaded.count; i++)
        if (!used[i])
            report_unkept(e, &e->facts->assignment->offloaded.data[i]);
    for (int i = 0; e->facts->assignment->offloaded.count > 0 && i < e->program->routines.count; i++)
        find_passed(e, &e->program->routines.data[i].body);
}
