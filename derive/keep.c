/* keep.c - decides which activations are stored on the host or in a file between the passes; emit_keep.c emits the
 * copies. */
#include "derive/facts.h"

/* The statement that applies; *rival is another one that is as specific, or NULL. */
static const Offloaded *most_specific(const Facts *f, const char *name, const Offloaded **rival)
{
    const Offloaded *best = NULL;
    *rival = NULL;
    for (int i = 0; i < f->assignment->offloaded.count; i++) {
        const Offloaded *request = &f->assignment->offloaded.data[i];
        if (request->label != NULL && !label_matches(request->label, name))
            continue;
        int difference = best == NULL ? 1 : label_specificity(request->label) - label_specificity(best->label);
        if (difference >= 0) {
            *rival = difference == 0 ? best : NULL;
            best = request;
        }
    }
    return best;
}

static void report_both(Facts *f, const char *name, const Offloaded *kept, const Recomputed *again)
{
    Diagnostic *report = diag_report(f->ctx->diag, P0209, kept->span, "'%s' is to be kept and recomputed", name);
    diag_label(report, again->span, "this statement recomputes it");
    diag_help(report, "Keep the one or the other: of two statements the one that names more labels holds.");
    f->failed = true;
}

/* Of two statements about a value the one that names more labels applies; of those that name as many, the one that
 * names layers. Layers that none recomputes are kept. */
static void decide(Facts *f, const char *name, RefBuffer *value)
{
    const Offloaded *rival, *kept = most_specific(f, name, &rival);
    if (kept == NULL || f->failed)
        return;
    if (rival != NULL) {
        Diagnostic *report =
            diag_report(f->ctx->diag, P0209, kept->span, "'%s' is put on a tier by two statements", name);
        diag_label(report, rival->span, "already given here");
        diag_help(report, "Of two statements the one that names more labels holds: name more of them in one.");
        f->failed = true;
        return;
    }
    bool everywhere = false;
    int count = 0;
    for (int i = 0; i < value->again.count; i++) {
        const Recomputed *again = value->again.data[i];
        int difference = label_specificity(kept->label) - label_specificity(again->label);
        if (difference == 0 && again->group < 0) {
            report_both(f, name, kept, again);
            return;
        }
        if (difference > 0)
            continue;
        everywhere |= again->group < 0;
        value->again.data[count++] = again;
    }
    value->again.count = count;
    if (!everywhere)
        value->elsewhere = kept;
}

/* Does an operator of the forward pass compute it, from examples? */
static void find_computed(const Facts *f, const NodeList *body, bool *computed)
{
    for (int i = 0; i < body->count; i++) {
        const Op *op = node_op(body->data[i]);
        find_computed(f, &body->data[i]->body, computed);
        if (body->data[i]->kind == NODE_OP && op_has_result(op->kind) && op_info[op->kind].op_class != CLASS_SOURCE &&
            f->ops[op->id].phase == PHASE_MICRO && !f->ops[op->id].backward)
            computed[op->out.buffer] = true;
    }
}

void derive_find_kept(Facts *f)
{
    if (f->assignment->offloaded.count == 0)
        return;
    bool *computed = arena_array(f->ctx->arena, bool, f->reference->buffers.count + 1);
    find_computed(f, &program_routine(f->reference, ROUTINE_STEP)->body, computed);
    for (int i = 0; i < f->reference->buffers.count; i++)
        if (computed[i] && f->buffers[i].role == ROLE_PLAIN && derive_is_cut(&f->buffers[i]) &&
            !f->reference->buffers.data[i].persistent && f->buffers[i].drawn == NULL)
            decide(f, f->reference->buffers.data[i].name, &f->finding->buffers[i]);
}
