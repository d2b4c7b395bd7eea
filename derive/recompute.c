/* recompute.c - values that the backward pass recomputes instead of keeping them.
 *
 * If the strategy does not keep values (`activations of block materialized`), those that a layer loop of the backward
 * pass reads, and everything they are computed from, are recomputed at the start of the loop's body, by the operators
 * of the forward loops, into the same buffers. Then no iteration reads what another loop wrote, and the slots pass
 * leaves these buffers one slot. What is not named (such as the input of a block) is kept, and ends the chain.
 *
 * What is *drawn*, computed from numbers that every rank has (the masks of dropout, from seed, step and place), is
 * never kept, whatever the strategy says: wherever the backward pass reads it, it is recomputed.
 */
#include "derive/facts.h"

#include <string.h>

/* ---- What is drawn ------------------------------------------------------------------------------------------ */

typedef struct Drawing {
    Facts *f;
    bool *number;  /* per buffer: computed from sources and numbers kept from step to step */
    bool *outside; /* read outside layers, */
    bool *inside;  /* and in them */
    bool changed;
} Drawing;

static bool makes_number(const Drawing *d, const Op *op)
{
    if (op->accumulate)
        return false;
    if (op->kind == OP_IOTA || op->kind == OP_FILL)
        return true;
    if (op_info[op->kind].op_class != CLASS_MAP)
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (!d->number[op->operand[i].buffer])
            return false;
    return true;
}

/* Whatever is written in another way is no number. */
static void drop_others(Drawing *d, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Op *op = node_op(body->data[i]);
        drop_others(d, &body->data[i]->body);
        if (op == NULL || !op_has_result(op->kind) || d->f->reference->buffers.data[op->out.buffer].persistent ||
            !d->number[op->out.buffer] || makes_number(d, op))
            continue;
        d->number[op->out.buffer] = false;
        d->changed = true;
    }
}

static void note_readers(Drawing *d, const NodeList *body, bool in_loop)
{
    for (int i = 0; i < body->count; i++) {
        const Op *op = node_op(body->data[i]);
        note_readers(d, &body->data[i]->body, true);
        for (int j = 0; op != NULL && j < op->operand_count; j++) {
            RefBuffer *read = &d->f->finding->buffers[op->operand[j].buffer];
            (in_loop ? d->inside : d->outside)[op->operand[j].buffer] = true;
            read->drawn_for = read->drawn_for == NULL ? op : read->drawn_for;
        }
    }
}

static bool in_slot_of_layer(Ref ref)
{
    return ref.slot.term_count == 1 && ref.slot.constant == 0;
}

/* In layers, their numbers, too; outside, what only the operators there read. */
static void note_drawn(Drawing *d, const NodeList *body, bool in_loop)
{
    const Facts *f = d->f;
    for (int i = 0; i < body->count; i++) {
        const Op *op = node_op(body->data[i]);
        note_drawn(d, &body->data[i]->body, true);
        if (op == NULL || !op_has_result(op->kind) || f->ops[op->id].phase != PHASE_MICRO || f->ops[op->id].backward ||
            !d->number[op->out.buffer] || f->reference->buffers.data[op->out.buffer].persistent)
            continue;
        bool source = op_info[op->kind].op_class == CLASS_SOURCE;
        if (in_loop ? in_slot_of_layer(op->out) : !source && !d->inside[op->out.buffer])
            f->finding->buffers[op->out.buffer].drawn = op;
    }
}

static void find_drawn(Facts *f)
{
    int count = f->reference->buffers.count;
    const NodeList *body = &program_routine(f->reference, ROUTINE_STEP)->body;
    Drawing d = {.f = f};
    d.number = arena_array(f->ctx->arena, bool, count + 1);
    d.outside = arena_array(f->ctx->arena, bool, count + 1);
    d.inside = arena_array(f->ctx->arena, bool, count + 1);
    for (int i = 0; i < count; i++) {
        const Buffer *buffer = &f->reference->buffers.data[i];
        d.number[i] = !buffer->persistent || (buffer->layout == LAYOUT_DENSE && buffer->dim_count == 0);
    }
    do {
        d.changed = false;
        drop_others(&d, body);
    } while (d.changed);
    note_readers(&d, body, false);
    note_drawn(&d, body, false);
}

OpList derive_drawn_before(const Facts *f, const Op *op)
{
    OpList ops = {0};
    for (int i = 0; f->ops[op->id].backward && i < op->operand_count; i++) {
        const Op *drawn = f->buffers[op->operand[i].buffer].drawn;
        if (drawn != NULL && !in_slot_of_layer(drawn->out))
            vec_push(f->ctx->arena, &ops, drawn);
    }
    return ops;
}

/* ---- What is not kept --------------------------------------------------------------------------------------- */

static bool is_candidate(const Facts *f, const Op *op)
{
    return op_has_result(op->kind) && f->ops[op->id].phase == PHASE_MICRO &&
           f->buffers[op->out.buffer].role == ROLE_PLAIN && !f->reference->buffers.data[op->out.buffer].persistent &&
           in_slot_of_layer(op->out);
}

/* Notes the values of the layer loops that a request names; returns how many. */
static int note_named(Facts *f, const NodeList *body, const Recomputed *request, bool in_loop)
{
    int count = 0;
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        count += note_named(f, &node->body, request, true);
        if (!in_loop || node->kind != NODE_OP || !is_candidate(f, node->op) ||
            !label_matches(request->label, f->reference->buffers.data[node->op->out.buffer].name))
            continue;
        vec_push(f->ctx->arena, &f->finding->buffers[node->op->out.buffer].again, request);
        count++;
    }
    return count;
}

void derive_find_recomputed(Facts *f)
{
    const Routine *step = program_routine(f->reference, ROUTINE_STEP);
    find_drawn(f);
    for (int i = 0; i < f->assignment->recomputed.count; i++) {
        const Recomputed *request = &f->assignment->recomputed.data[i];
        if (note_named(f, &step->body, request, false) > 0 || request->optional)
            continue;
        Diagnostic *diagnostic = diag_report(f->ctx->diag, P0201, request->span,
                                             "no activation of a repeated block is called '%s'", request->label);
        if (f->train->serves)
            diag_why(diagnostic, "A model that is served has no backward pass.");
        diag_note(diagnostic, "What is outside repeated blocks is kept.");
        f->failed = true;
    }
}

/* ---- The operators at the start of a backward loop ---------------------------------------------------------- */

typedef struct Again {
    const Facts *f;
    const Node *loop;
    int64_t layer;
    bool *needed; /* per buffer */
    Vec(const Op *) ops;
} Again;

const Recomputed *derive_recomputed(const RefBuffer *value, int64_t layer)
{
    for (int i = 0; i < value->again.count; i++)
        if (value->again.data[i]->first <= layer && layer <= value->again.data[i]->last)
            return derive_elsewhere(value, layer) == NULL ? value->again.data[i] : NULL;
    return NULL;
}

static bool is_again(const Again *a, int buffer)
{
    const RefBuffer *value = &a->f->buffers[buffer];
    return value->drawn != NULL || derive_recomputed(value, a->layer) != NULL;
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
        if (node->kind == NODE_OP && a->f->ops[node->op->id].phase == PHASE_MICRO && a->f->ops[node->op->id].backward)
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
        if (node->kind != NODE_OP || !in_group || !is_candidate(a->f, node->op) || !a->needed[node->op->out.buffer])
            continue;
        vec_push(a->f->ctx->arena, &a->ops, node->op);
        need(a, node->op);
    }
}

static void name_loop(const Again *a, Affine *affine)
{
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable >= 0)
            affine->term[i].variable = a->loop->loop.id;
}

static Ref in_loop(const Again *a, Ref ref)
{
    name_loop(a, &ref.slot);
    return ref;
}

static Node *operator_in_loop(const Again *a, const Op *op)
{
    Node *node = arena_make(a->f->ctx->arena, Node);
    node->kind = NODE_OP;
    node->span = op->span;
    node->op = arena_make(a->f->ctx->arena, Op);
    *node->op = *op;
    node->op->out = in_loop(a, op->out);
    for (int i = 0; i < op->operand_count; i++)
        node->op->operand[i] = in_loop(a, op->operand[i]);
    if (op_index(op) != NULL)
        name_loop(a, op_index_of(node->op));
    return node;
}

/* Notes the requests for which the operators are recomputed. */
static void note_done(const Again *a, bool *done)
{
    const Facts *f = a->f;
    for (int i = 0; i < a->ops.count; i++) {
        const RefBuffer *info = &f->buffers[a->ops.data[i]->out.buffer];
        for (int j = 0; j < info->again.count; j++)
            done[info->again.data[j] - f->assignment->recomputed.data] = true;
    }
}

bool derive_check_recomputed(const Facts *f, const bool *done)
{
    for (int i = 0; i < f->assignment->recomputed.count; i++) {
        const Recomputed *request = &f->assignment->recomputed.data[i];
        if (request->optional || done[i])
            continue;
        Diagnostic *report =
            diag_report(f->ctx->diag, P0210, request->span, "nothing of '%s' is recomputed", request->label);
        diag_why(report,
                 "The backward pass reads no value that it names: none is kept, whatever statements say about them.");
        diag_help(report, "Name what it reads, or all of a block: `activations of block materialized`.");
        return false;
    }
    return true;
}

const Node *derive_with_recomputed(const Facts *f, const Routine *routine, const Node *loop, int64_t layer, bool *done)
{
    Again a = {.f = f, .loop = loop, .layer = layer};
    a.needed = arena_array(f->ctx->arena, bool, f->reference->buffers.count + 1);
    need_reads(&a, &loop->body);
    omit_writes(&a, &loop->body);
    collect(&a, &routine->body, false);
    note_done(&a, done);
    if (a.ops.count == 0)
        return loop;
    Node *with = arena_make(f->ctx->arena, Node);
    *with = *loop;
    memset(&with->body, 0, sizeof(with->body));
    for (int i = a.ops.count - 1; i >= 0; i--)
        vec_push(f->ctx->arena, &with->body, operator_in_loop(&a, a.ops.data[i]));
    for (int i = 0; i < loop->body.count; i++)
        vec_push(f->ctx->arena, &with->body, loop->body.data[i]);
    return with;
}
