/* activations.c - statements that place activations. */
#include "strategy/internal.h"

#include <string.h>

void strategy_add_cut(Evaluation *e, const PlacementStatement *s, const Request *request)
{
    const AstList *selectors = &s->text->selectors;
    ActivationCut cut = {
        .axis = request->axis, .dim = request->dim, .travels = request->travels, .span = request->span};
    cut.optional = s->present;
    cut.labels = arena_array(e->ctx->arena, const char *, selectors->count + 1);
    for (int i = 0; i < selectors->count; i++) {
        const char *label = strategy_label(e, s->factor, selectors->data[i]);
        if (label == NULL)
            return;
        cut.labels[cut.label_count++] = label;
    }
    for (int i = 0; cut.label_count > 0 && i < e->assignment->activations.count; i++) {
        const ActivationCut *other = &e->assignment->activations.data[i];
        for (int x = 0; other->axis == cut.axis && x < cut.label_count; x++)
            for (int y = 0; y < other->label_count; y++)
                if (strcmp(cut.labels[x], other->labels[y]) == 0) {
                    Diagnostic *d =
                        diag_report(e->ctx->diag, P0209, cut.span, "activations of '%s' over '%s' are placed twice",
                                    cut.labels[x], e->decls->axes.data[cut.axis].name);
                    diag_label(d, other->span, "already placed here");
                    return;
                }
    }
    if (!e->unused)
        vec_push(e->ctx->arena, &e->assignment->activations, cut);
}

static bool covers(const Recomputed *one, const Recomputed *other)
{
    return label_matches(one->label, other->label) && one->first <= other->first && other->last <= one->last;
}

static bool is_repeated(const Evaluation *e, const Recomputed *request)
{
    for (int i = 0; i < e->assignment->recomputed.count; i++) {
        const Recomputed *other = &e->assignment->recomputed.data[i];
        bool below = covers(other, request), above = covers(request, other);
        if (!below && !above)
            continue;
        Diagnostic *d = diag_report(e->ctx->diag, P0209, request->span, "'%s' is recomputed by two statements",
                                    below ? request->label : other->label);
        diag_label(d, other->span, "already given here");
        if (strcmp(other->label, request->label) != 0)
            diag_help(d, "'%s' includes everything below it: leave out '%s'.", below ? other->label : request->label,
                      below ? request->label : other->label);
        return true;
    }
    return false;
}

int strategy_group_of_label(const Evaluation *e, const char *label)
{
    for (int g = 0; g < e->decls->groups.count; g++) {
        size_t length = strlen(e->decls->groups.data[g].name);
        if (strncmp(e->decls->groups.data[g].name, label, length) == 0 && (label[length] == '.' || label[length] == 0))
            return g;
    }
    return -1;
}

static void add_again(Evaluation *e, const Factor *factor, const AstNode *selector, Recomputed request)
{
    InLayers layers = {0};
    request.label = strategy_read_label(e, factor, selector, &layers);
    for (int i = 0; request.label != NULL && !e->unused && i < strategy_range_count(&layers); i++) {
        const LayersOf range = strategy_range(e, &layers, i);
        request.group = range.group;
        request.first = range.first;
        request.last = range.last;
        if (!is_repeated(e, &request))
            vec_push(e->ctx->arena, &e->assignment->recomputed, request);
    }
}

void strategy_add_recomputed(Evaluation *e, const PlacementStatement *s)
{
    Recomputed request = {.optional = s->present, .span = s->span};
    for (int i = 0; i < s->text->selectors.count; i++)
        add_again(e, s->factor, s->text->selectors.data[i], request);
}

/* Do both name layers, and one of them twice, or neither? */
static bool meet_alike(const Offloaded *one, const Offloaded *other)
{
    return one->group == other->group && one->first <= other->last && other->first <= one->last;
}

static void add_tier(Evaluation *e, Offloaded request)
{
    for (int i = 0; i < e->assignment->offloaded.count; i++) {
        const Offloaded *other = &e->assignment->offloaded.data[i];
        bool same = other->label == request.label ||
                    (other->label != NULL && request.label != NULL && strcmp(other->label, request.label) == 0);
        if (!same || !meet_alike(&request, other))
            continue;
        Diagnostic *d = diag_report(e->ctx->diag, P0209, request.span, "'%s' is put on a tier by two statements",
                                    request.label != NULL ? request.label : "activations");
        diag_label(d, other->span, "already given here");
        return;
    }
    vec_push(e->ctx->arena, &e->assignment->offloaded, request);
}

static void add_tier_in_layers(Evaluation *e, const Factor *factor, const AstNode *selector, Offloaded request)
{
    InLayers layers = {0};
    request.label = strategy_read_label(e, factor, selector, &layers);
    for (int i = 0; request.label != NULL && !e->unused && i < strategy_range_count(&layers); i++) {
        const LayersOf range = strategy_range(e, &layers, i);
        request.group = range.group;
        request.first = range.first;
        request.last = range.last;
        add_tier(e, request);
    }
}

void strategy_add_tiers(Evaluation *e, const PlacementStatement *s)
{
    const AstList *selectors = &s->text->selectors;
    Offloaded request = {.group = -1, .last = INT64_MAX, .tier = s->mode.tier, .optional = s->present, .span = s->span};
    if (selectors->count == 0 && !e->unused)
        add_tier(e, request);
    for (int i = 0; i < selectors->count; i++)
        add_tier_in_layers(e, s->factor, selectors->data[i], request);
}
