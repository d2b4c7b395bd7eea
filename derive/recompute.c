/* recompute.c - values that the backward pass recomputes instead of keeping them.
 *
 * If the strategy does not keep values (`activations of block materialized`), those that a layer loop of the backward
 * pass reads, and everything they are computed from, are recomputed at the start of the loop's body, by the operators
 * of the forward loops, into the same buffers. Then no iteration reads what another loop wrote, and the slots pass
 * leaves these buffers one slot. What is not named (such as the input of a block) is kept, and ends the chain.
 */
#include "derive/facts.h"

#include <string.h>

/* ---- What is not kept --------------------------------------------------------------------------------------- */

static bool in_slot_of_layer(Ref ref)
{
    return ref.slot.term_count == 1 && ref.slot.constant == 0;
}

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

static bool in_stages(const Facts *f)
{
    const Staging *pipeline = &f->assignment->pipeline;
    return pipeline->requested && f->decls->axes.data[pipeline->axis].size > 1;
}

static void refuse_in_stages(Facts *f, const Recomputed *request)
{
    Diagnostic *diagnostic =
        diag_report(f->ctx->diag, P0290, request->span,
                    "a pipeline of layers that are recomputed and others that are kept is not supported yet");
    diag_label(diagnostic, f->assignment->pipeline.span, "the pipeline");
    diag_help(diagnostic, "Name all layers: '%s[*]'.", f->decls->groups.data[request->group].name);
    f->failed = true;
}

void derive_find_recomputed(Facts *f)
{
    const Routine *step = program_routine(f->reference, ROUTINE_STEP);
    for (int i = 0; i < f->assignment->recomputed.count; i++) {
        const Recomputed *request = &f->assignment->recomputed.data[i];
        if (request->group >= 0 && in_stages(f))
            refuse_in_stages(f, request);
        if (note_named(f, &step->body, request, false) > 0 || request->optional)
            continue;
        Diagnostic *diagnostic = diag_report(f->ctx->diag, P0201, request->span,
                                             "no activation of a repeated block is called '%s'", request->label);
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

static bool is_again(const Again *a, int buffer)
{
    const RefBuffer *value = &a->f->buffers[buffer];
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

static Ref in_loop(const Again *a, Ref ref)
{
    for (int i = 0; i < ref.slot.term_count; i++)
        if (ref.slot.term[i].variable >= 0)
            ref.slot.term[i].variable = a->loop->loop.id;
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
    if (f->assignment->recomputed.count == 0)
        return loop;
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
