/* derive_recompute.c - values that the backward pass computes again instead of keeping them.
 *
 * Of what the strategy lets rest nowhere (`activations of block materialized`), what a layer loop of the backward pass
 * reads, and all that this is made of, is computed again at the head of the loop's body, by the operators of the
 * forward loops, into the same buffers. Then no iteration reads what another loop wrote, and placing the program leaves
 * these buffers one slot. What is not named (what a block begins with) is kept, and ends the chain.
 */
#include "sema/derive_internal.h"

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

/* Notes the values of the layer loops that a label names; how many. */
static int note_named(Derive *d, const NodeList *body, const char *label, bool in_loop)
{
    int count = 0;
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        count += note_named(d, &node->body, label, true);
        if (!in_loop || node->kind != NODE_OP || !is_candidate(d, node->op) ||
            !label_matches(label, d->reference->buffers.data[node->op->out.buffer].name))
            continue;
        d->buffers[node->op->out.buffer].again = true;
        count++;
    }
    return count;
}

void derive_find_recomputed(Derive *d)
{
    const Routine *step = program_routine(d->reference, "step");
    for (int i = 0; i < d->assignment->recomputed.count; i++) {
        const Recomputed *request = &d->assignment->recomputed.data[i];
        if (note_named(d, &step->body, request->label, false) > 0 || request->optional)
            continue;
        Diagnostic *diagnostic = diag_report(d->ctx->diag, P0201, request->span,
                                             "no activation of a repeated block is called '%s'", request->label);
        diag_note(diagnostic, "What lies outside of repeated blocks is kept.");
        d->failed = true;
    }
}

/* ---- The operators of a backward loop's head ---------------------------------------------------------------- */

typedef struct Again {
    Derive *d;
    const Node *loop;
    bool *needed; /* per buffer */
    Vec(const Op *) ops;
} Again;

static void need(Again *a, const Op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (a->d->buffers[op->operand[i].buffer].again)
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

/* What the loop writes itself is there. */
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

const Node *derive_with_recomputed(Derive *d, const Node *loop)
{
    if (d->assignment->recomputed.count == 0)
        return loop;
    Again a = {.d = d, .loop = loop};
    a.needed = arena_array(d->ctx->arena, bool, d->reference->buffers.count + 1);
    need_reads(&a, &loop->body);
    omit_writes(&a, &loop->body);
    collect(&a, &d->routine->body, false);
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
