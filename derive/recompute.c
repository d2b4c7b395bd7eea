/* recompute.c - values that the backward pass recomputes instead of keeping them.
 *
 * If the strategy does not keep values (`activations of block materialized`), those that a layer loop of the backward
 * pass reads, and everything they are computed from, are recomputed at the start of the loop's body, by the operators
 * of the forward loops, into the same buffers. Then no iteration reads what another loop wrote, and the slots pass
 * leaves these buffers one slot. What is not named (such as the input of a block) is kept, and ends the chain.
 */
#include "derive/internal.h"
#include "step/refs.h"

#include <string.h>

/* ---- What is not kept --------------------------------------------------------------------------------------- */

static bool in_slot_of_layer(Ref ref)
{
    return ref.slot.term_count == 1 && ref.slot.constant == 0;
}

static bool is_candidate(const Derive *d, const Op *op)
{
    return op_has_result(op->kind) && d->ops[op->id].phase == PHASE_MICRO &&
           d->buffers[op->out.buffer].role == ROLE_PLAIN && !d->reference->buffers.data[op->out.buffer].persistent &&
           in_slot_of_layer(op->out);
}

/* Notes the values of the layer loops that a request names; returns how many. */
static int note_named(Derive *d, const NodeList *body, const Recomputed *request, bool in_loop)
{
    int count = 0;
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        count += note_named(d, &node->body, request, true);
        if (!in_loop || node->kind != NODE_OP || !is_candidate(d, node->op) ||
            !label_matches(request->label, d->reference->buffers.data[node->op->out.buffer].name))
            continue;
        vec_push(d->ctx->arena, &d->buffers[node->op->out.buffer].again, request);
        count++;
    }
    return count;
}

static bool in_stages(const Derive *d)
{
    const Staging *pipeline = &d->assignment->pipeline;
    return pipeline->requested && d->decls->axes.data[pipeline->axis].size > 1;
}

static void refuse_in_stages(Derive *d, const Recomputed *request)
{
    Diagnostic *diagnostic =
        diag_report(d->ctx->diag, P0290, request->span,
                    "a pipeline of layers that are computed again and others that are kept is not supported yet");
    diag_label(diagnostic, d->assignment->pipeline.span, "the pipeline");
    diag_help(diagnostic, "Name all layers: '%s[*]'.", d->decls->groups.data[request->group].name);
    d->failed = true;
}

void derive_find_recomputed(Derive *d)
{
    const Routine *step = program_routine(d->reference, ROUTINE_STEP);
    for (int i = 0; i < d->assignment->recomputed.count; i++) {
        const Recomputed *request = &d->assignment->recomputed.data[i];
        if (request->group >= 0 && in_stages(d))
            refuse_in_stages(d, request);
        if (note_named(d, &step->body, request, false) > 0 || request->optional)
            continue;
        Diagnostic *diagnostic = diag_report(d->ctx->diag, P0201, request->span,
                                             "no activation of a repeated block is called '%s'", request->label);
        diag_note(diagnostic, "What is outside repeated blocks is kept.");
        d->failed = true;
    }
}

/* ---- The operators at the start of a backward loop ---------------------------------------------------------- */

typedef struct Again {
    Derive *d;
    const Node *loop;
    int64_t layer;
    bool *needed; /* per buffer */
    Vec(const Op *) ops;
} Again;

static bool is_again(const Again *a, int buffer)
{
    const RefBuffer *value = &a->d->buffers[buffer];
    for (int i = 0; i < value->again.count; i++)
        if (value->again.data[i]->first <= a->layer && a->layer <= value->again.data[i]->last)
            return true;
    return false;
}

static void need(Again *a, const Op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (is_again(a, op->operand[i].buffer))
            a->needed[op->operand[i].buffer] = true;
}

static void need_reads(Again *a, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        need_reads(a, &node->body);
        if (node->kind == NODE_OP && a->d->ops[node->op->id].phase == PHASE_MICRO && a->d->ops[node->op->id].backward)
            need(a, node->op);
    }
}

/* What the loop itself writes is available. */
static void omit_writes(Again *a, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        omit_writes(a, &node->body);
        if (node->kind == NODE_OP && op_has_result(node->op->kind))
            a->needed[node->op->out.buffer] = false;
    }
}

/* The other loops of the group, from the last operator to the first. */
static void collect(Again *a, const NodeList *body, bool in_group)
{
    for (int i = body->count - 1; i >= 0; i--) {
        const Node *node = body->data[i];
        if (node->kind == NODE_LOOP && node != a->loop)
            collect(a, &node->body, node->loop.group == a->loop->loop.group);
        if (node->kind != NODE_OP || !in_group || !is_candidate(a->d, node->op) || !a->needed[node->op->out.buffer])
            continue;
        vec_push(a->d->ctx->arena, &a->ops, node->op);
        need(a, node->op);
    }
}

static Ref in_loop(const Again *a, Ref ref)
{
    for (int i = 0; i < ref.slot.term_count; i++)
        if (ref.slot.term[i].variable >= 0)
            ref.slot.term[i].variable = a->loop->loop.id;
    return ref;
}

static Node *operator_in_loop(const Again *a, const Op *op)
{
    Node *node = arena_make(a->d->ctx->arena, Node);
    node->kind = NODE_OP;
    node->span = op->span;
    node->op = arena_make(a->d->ctx->arena, Op);
    *node->op = *op;
    node->op->out = in_loop(a, op->out);
    for (int i = 0; i < op->operand_count; i++)
        node->op->operand[i] = in_loop(a, op->operand[i]);
    return node;
}

/* Notes the requests for which the operators are recomputed. */
static void note_done(Derive *d, const Again *a)
{
    for (int i = 0; i < a->ops.count; i++) {
        const RefBuffer *info = &d->buffers[a->ops.data[i]->out.buffer];
        for (int j = 0; j < info->again.count; j++)
            d->recomputed[info->again.data[j] - d->assignment->recomputed.data] = true;
    }
}

void derive_check_recomputed(Derive *d)
{
    for (int i = 0; i < d->assignment->recomputed.count && !d->failed; i++) {
        const Recomputed *request = &d->assignment->recomputed.data[i];
        if (request->optional || d->recomputed[i])
            continue;
        Diagnostic *report =
            diag_report(d->ctx->diag, P0210, request->span, "nothing of '%s' is computed again", request->label);
        diag_why(report,
                 "The backward pass reads no value that it names: none is kept, whatever statements say about them.");
        diag_help(report, "Name what it reads, or all of a block: `activations of block materialized`.");
        d->failed = true;
    }
}

const Node *derive_with_recomputed(Derive *d, const Node *loop, int64_t layer)
{
    if (d->assignment->recomputed.count == 0)
        return loop;
    Again a = {.d = d, .loop = loop, .layer = layer};
    a.needed = arena_array(d->ctx->arena, bool, d->reference->buffers.count + 1);
    need_reads(&a, &loop->body);
    omit_writes(&a, &loop->body);
    collect(&a, &d->routine->body, false);
    note_done(d, &a);
    if (a.ops.count == 0)
        return loop;
    Node *with = arena_make(d->ctx->arena, Node);
    *with = *loop;
    memset(&with->body, 0, sizeof(with->body));
    for (int i = a.ops.count - 1; i >= 0; i--)
        vec_push(d->ctx->arena, &with->body, operator_in_loop(&a, a.ops.data[i]));
    for (int i = 0; i < loop->body.count; i++)
        vec_push(d->ctx->arena, &with->body, loop->body.data[i]);
    return with;
}

/* ---- Kept in some layers ------------------------------------------------------------------------------------ */

/* How the layer loops of a group use a buffer. */
typedef struct Uses {
    int buffer;
    bool plain;        /* always the current layer's */
    Vec(Node *) again; /* backward loops that write it before they read it */
    Vec(Node *) loops; /* all loops that use it */
} Uses;

typedef enum FirstUse { USE_NONE, USE_READ, USE_WRITE } FirstUse;

/* How one node uses it. */
typedef struct NodeUse {
    int buffer;
    const Node *loop; /* the node, if it is a loop over layers; else NULL */
    bool plain;
    FirstUse first; /* in the order of the text */
} NodeUse;

static bool is_plain(const Ref *ref, const Node *loop)
{
    return loop != NULL && ref->slot.term_count == 1 && ref->slot.constant == 0 && ref->slot.modulus == 0 &&
           ref->slot.term[0].coefficient == 1 && ref->slot.term[0].variable == loop->loop.id;
}

static void note_use(void *context, Op *op, Ref *ref, bool writes)
{
    NodeUse *use = context;
    if (ref->buffer != use->buffer)
        return;
    use->plain &= is_plain(ref, use->loop);
    if (use->first == USE_NONE)
        use->first = writes && !op->accumulate ? USE_WRITE : USE_READ;
}

static void find_uses(Derive *d, Uses *u, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        Node *node = body->data[i];
        bool layers = node->kind == NODE_LOOP && node->loop.kind == LOOP_LAYERS;
        if (!layers && node->kind != NODE_OP) {
            find_uses(d, u, &node->body);
            continue;
        }
        NodeUse use = {.buffer = u->buffer, .loop = layers ? node : NULL, .plain = true};
        refs_visit(node, note_use, &use);
        if (use.first == USE_NONE)
            continue;
        if (!layers) {
            u->plain = false;
            continue;
        }
        u->plain &= use.plain && (u->loops.count == 0 || u->loops.data[0]->loop.group == node->loop.group);
        vec_push(d->ctx->arena, &u->loops, node);
        if (use.first == USE_WRITE && node->loop.step < 0)
            vec_push(d->ctx->arena, &u->again, node);
    }
}

static int64_t lowest(const Node *loop)
{
    return loop->loop.step < 0 ? loop->loop.last.constant : loop->loop.first.constant;
}

static int64_t highest(const Node *loop)
{
    return loop->loop.step < 0 ? loop->loop.first.constant : loop->loop.last.constant;
}

typedef enum Overlap { APART, WITHIN, ACROSS } Overlap;

static Overlap overlap_of(const Node *loop, const Uses *u)
{
    Overlap overlap = APART;
    for (int i = 0; i < u->again.count; i++) {
        const Node *other = u->again.data[i];
        if (lowest(other) <= lowest(loop) && highest(loop) <= highest(other))
            return WITHIN;
        if (lowest(other) <= highest(loop) && lowest(loop) <= highest(other))
            overlap = ACROSS;
    }
    return overlap;
}

/* Moves uses to the slots of another buffer, or of the same one; `lowest_layer` gets the first slot. */
typedef struct Move {
    int from, to;
    int64_t lowest_layer;
} Move;

static void move(void *context, Op *op, Ref *ref, bool writes)
{
    const Move *m = context;
    (void)op, (void)writes;
    if (ref->buffer != m->from)
        return;
    ref->buffer = m->to;
    ref->slot.constant -= m->lowest_layer;
}

static void split_buffer(Derive *d, const NodeList *body, int buffer)
{
    Uses u = {.buffer = buffer, .plain = true};
    find_uses(d, &u, body);
    int within = 0, across = 0;
    int64_t first = INT64_MAX, last = 0; /* of the layers that keep it */
    for (int i = 0; u.plain && i < u.loops.count; i++) {
        const Node *loop = u.loops.data[i];
        Overlap overlap = overlap_of(loop, &u);
        within += overlap == WITHIN;
        across += overlap == ACROSS;
        first = overlap == APART && lowest(loop) < first ? lowest(loop) : first;
        last = overlap == APART && highest(loop) > last ? highest(loop) : last;
    }
    if (within == 0 || within == u.loops.count || across > 0)
        return;
    Buffer copy = d->program->buffers.data[buffer];
    copy.name = arena_printf(d->ctx->arena, "%s.again", copy.name);
    copy.passed_on = false;
    int again = derive_add_buffer(d, copy);
    for (int i = 0; i < u.loops.count; i++) {
        bool is_again = overlap_of(u.loops.data[i], &u) == WITHIN;
        Move into = {buffer, is_again ? again : buffer, is_again ? 0 : first};
        refs_visit(u.loops.data[i], move, &into);
    }
    d->program->buffers.data[buffer].slots = last - first + 1;
}

void derive_split_recomputed(Derive *d)
{
    bool some = false;
    for (int i = 0; i < d->assignment->recomputed.count; i++)
        some |= d->assignment->recomputed.data[i].group >= 0;
    int count = d->program->buffers.count;
    for (int buffer = 0; some && buffer < count; buffer++)
        if (!d->program->buffers.data[buffer].persistent)
            split_buffer(d, &program_routine(d->program, ROUTINE_STEP)->body, buffer);
}
