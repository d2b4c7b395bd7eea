/* keep.c - decides which activations are stored on the host or in a file between the passes, and of which layers;
 * emit_keep.c emits the copies. */
#include "derive/facts.h"

enum { OUTSIDE = -1, NOT_COMPUTED = -2 };

/* Of two statements about a value in a layer the one that names more labels applies; of those that name as many, the
 * one that names layers. */
static int specificity(const char *label, int group)
{
    return 2 * label_specificity(label) + (group >= 0);
}

static bool is_in(int64_t layer, int64_t first, int64_t last)
{
    return first <= layer && layer <= last;
}

const Offloaded *derive_elsewhere(const RefBuffer *value, int64_t layer)
{
    for (int i = 0; i < value->elsewhere.count; i++)
        if (is_in(layer, value->elsewhere.data[i].first, value->elsewhere.data[i].last))
            return value->elsewhere.data[i].request;
    return NULL;
}

/* The statement that applies; *rival is another one that is as specific, or NULL. */
static const Offloaded *most_specific(const Facts *f, const char *name, int group, int64_t layer,
                                      const Offloaded **rival)
{
    const Offloaded *best = NULL;
    *rival = NULL;
    for (int i = 0; i < f->assignment->offloaded.count; i++) {
        const Offloaded *request = &f->assignment->offloaded.data[i];
        if ((request->group >= 0 && request->group != group) || !is_in(layer, request->first, request->last) ||
            (request->label != NULL && !label_matches(request->label, name)))
            continue;
        int difference =
            best == NULL ? 1 : specificity(request->label, request->group) - specificity(best->label, best->group);
        if (difference >= 0) {
            *rival = difference == 0 ? best : NULL;
            best = request;
        }
    }
    return best;
}

static void report_rival(Facts *f, const char *name, const Offloaded *kept, const Offloaded *rival)
{
    Diagnostic *report = diag_report(f->ctx->diag, P0209, kept->span, "'%s' is put on a tier by two statements", name);
    diag_label(report, rival->span, "already given here");
    diag_help(report, "Of two statements the one that names more labels holds: name more of them in one.");
    f->failed = true;
}

static void report_both(Facts *f, const char *name, const Offloaded *kept, const Recomputed *again)
{
    Diagnostic *report = diag_report(f->ctx->diag, P0209, kept->span, "'%s' is to be kept and recomputed", name);
    diag_label(report, again->span, "this statement recomputes it");
    diag_help(report, "Keep the one or the other: of two statements the one that names more labels holds.");
    f->failed = true;
}

/* What applies in a layer: layers that one recomputes are not kept. NULL: nothing. */
static const Offloaded *kept_in(Facts *f, const char *name, const RefBuffer *value, int group, int64_t layer)
{
    const Offloaded *rival, *kept = most_specific(f, name, group, layer, &rival);
    if (kept != NULL && rival != NULL)
        report_rival(f, name, kept, rival);
    for (int i = 0; kept != NULL && !f->failed && i < value->again.count; i++) {
        const Recomputed *again = value->again.data[i];
        int difference = specificity(kept->label, kept->group) - specificity(again->label, again->group);
        if (!is_in(layer, again->first, again->last) || difference > 0)
            continue;
        if (difference == 0)
            report_both(f, name, kept, again);
        kept = NULL;
    }
    return kept;
}

/* The first layer after this one of which statements may say something else; at most `end`. */
static int64_t next_layer(const Facts *f, const RefBuffer *value, int group, int64_t layer, int64_t end)
{
    for (int i = 0; i < f->assignment->offloaded.count; i++) {
        const Offloaded *request = &f->assignment->offloaded.data[i];
        if (request->group == group)
            facts_bound_layers(&end, layer, request->first, request->last);
    }
    for (int i = 0; i < value->again.count; i++)
        if (value->again.data[i]->group == group)
            facts_bound_layers(&end, layer, value->again.data[i]->first, value->again.data[i]->last);
    return end;
}

/* Does the statement hold in some layer that is not kept elsewhere? */
static bool recomputes_some(const RefBuffer *value, const Recomputed *again, int64_t end)
{
    int64_t layer = again->first;
    for (int i = 0; i < value->elsewhere.count; i++)
        if (is_in(layer, value->elsewhere.data[i].first, value->elsewhere.data[i].last))
            layer = value->elsewhere.data[i].last + 1;
    return layer < end && layer <= again->last;
}

static void add_kept(const Facts *f, RefBuffer *value, KeptLayers layers)
{
    KeptLayers *before = value->elsewhere.count > 0 ? &value->elsewhere.data[value->elsewhere.count - 1] : NULL;
    if (before != NULL && before->request == layers.request && before->last == layers.first - 1)
        before->last = layers.last;
    else if (layers.request != NULL)
        vec_push(f->ctx->arena, &value->elsewhere, layers);
}

/* `group`: in whose layers it is computed, once in each; or OUTSIDE. */
static void decide(Facts *f, const char *name, RefBuffer *value, int group)
{
    int64_t end = group >= 0 ? f->decls->groups.data[group].layers : INT64_MAX, next;
    for (int64_t layer = 0; layer < end && !f->failed; layer = next) {
        next = group >= 0 ? next_layer(f, value, group, layer, end) : end;
        const Offloaded *kept = kept_in(f, name, value, group, layer);
        add_kept(f, value, (KeptLayers){layer, next - 1, kept});
    }
    int count = 0;
    for (int i = 0; i < value->again.count; i++)
        if (recomputes_some(value, value->again.data[i], end))
            value->again.data[count++] = value->again.data[i];
    value->again.count = count;
}

/* Notes in which layers an operator of the forward pass computes each buffer from examples. `group`: of the loop. */
static void find_computed(const Facts *f, const NodeList *body, int group, int *computed)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        find_computed(f, &node->body, node_is_layer_loop(node) ? node->loop.group : group, computed);
        if (node->kind != NODE_OP || !op_has_result(node->op->kind) ||
            op_info[node->op->kind].op_class == CLASS_SOURCE || f->ops[node->op->id].phase != PHASE_MICRO ||
            f->ops[node->op->id].backward)
            continue;
        const Ref *out = &node->op->out;
        int here = out->slot.term_count == 1 && out->slot.constant == 0 ? group : OUTSIDE;
        int *known = &computed[out->buffer];
        *known = *known == NOT_COMPUTED || *known == here ? here : OUTSIDE;
    }
}

void derive_find_kept(Facts *f)
{
    if (f->assignment->offloaded.count == 0)
        return;
    int count = f->reference->buffers.count;
    int *computed = arena_array(f->ctx->arena, int, count + 1);
    for (int i = 0; i < count; i++)
        computed[i] = NOT_COMPUTED;
    find_computed(f, &program_routine(f->reference, ROUTINE_STEP)->body, OUTSIDE, computed);
    for (int i = 0; i < count; i++)
        if (computed[i] != NOT_COMPUTED && f->buffers[i].role == ROLE_PLAIN && derive_is_cut(&f->buffers[i]) &&
            !f->reference->buffers.data[i].persistent && f->buffers[i].drawn == NULL)
            decide(f, f->reference->buffers.data[i].name, &f->finding->buffers[i], computed[i]);
}
