/* activations.c - statements that place activations. */
#include "strategy/internal.h"

#include <string.h>

void strategy_add_cut(Evaluation *e, const Factor *factor, const AstPlacement *placement, Request *request)
{
    ActivationCut cut = {
        .axis = request->axis, .dim = request->dim, .travels = request->travels, .span = request->span};
    cut.optional = placement->where.text != NULL;
    cut.labels = arena_array(e->ctx->arena, const char *, placement->selectors.count + 1);
    for (int i = 0; i < placement->selectors.count; i++) {
        const char *label = strategy_label(e, factor, placement->selectors.data[i]);
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

static bool is_said(const Evaluation *e, const Recomputed *request)
{
    for (int i = 0; i < e->assignment->recomputed.count; i++) {
        const Recomputed *other = &e->assignment->recomputed.data[i];
        bool below = covers(other, request), above = covers(request, other);
        if (!below && !above)
            continue;
        Diagnostic *d = diag_report(e->ctx->diag, P0209, request->span, "'%s' is computed again by two statements",
                                    below ? request->label : other->label);
        diag_label(d, other->span, "already given here");
        if (strcmp(other->label, request->label) != 0)
            diag_help(d, "'%s' is all that is below it: leave '%s' out.", below ? other->label : request->label,
                      below ? request->label : other->label);
        return true;
    }
    return false;
}

static int group_of_label(const Evaluation *e, const char *label)
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
    LayerRanges ranges = {0};
    request.label = strategy_label_in_layers(e, factor, selector, &ranges);
    if (request.label == NULL || e->unused)
        return;
    for (int i = 0; i < ranges.count; i++) {
        request.group = group_of_label(e, request.label);
        request.first = ranges.data[i].first;
        request.last = ranges.data[i].last;
        if (request.first == 0 && request.last == e->decls->groups.data[request.group].layers - 1)
            request.group = -1;
        if (!is_said(e, &request))
            vec_push(e->ctx->arena, &e->assignment->recomputed, request);
    }
    if (ranges.count == 0 && !is_said(e, &request))
        vec_push(e->ctx->arena, &e->assignment->recomputed, request);
}

void strategy_add_recomputed(Evaluation *e, const Factor *factor, const AstPlacement *placement, const Mode *mode,
                             Span span)
{
    Recomputed request = {
        .optional = strategy_is_present(e, factor, placement), .group = -1, .last = INT64_MAX, .span = span};
    if (mode->tier != TIER_DEVICE) {
        Diagnostic *d =
            strategy_report(e, factor, P0208, placement->mode.span, "what is recomputed is stored on no tier");
        diag_help(d, "Say one of the two: 'activations of block %s', or on which tier they rest.",
                  placement->mode.text);
        return;
    }
    if (placement->axes.count > 0 || placement->by.text != NULL || placement->selectors.count == 0) {
        Diagnostic *d =
            strategy_report(e, factor, P0208, placement->mode.span, "values are computed again on every rank");
        const char *block = e->decls->groups.count > 0 ? e->decls->groups.data[0].name : "block";
        const char *text = arena_printf(e->ctx->arena, "activations of %s %s", block, placement->mode.text);
        diag_help_edit(d, span, text, "Say '%s'.", text);
        return;
    }
    for (int i = 0; i < placement->selectors.count; i++)
        add_again(e, factor, placement->selectors.data[i], request);
}

static void add_tier(Evaluation *e, Offloaded request)
{
    for (int i = 0; i < e->assignment->offloaded.count; i++) {
        const Offloaded *other = &e->assignment->offloaded.data[i];
        bool same = other->label == request.label ||
                    (other->label != NULL && request.label != NULL && strcmp(other->label, request.label) == 0);
        if (!same)
            continue;
        Diagnostic *d = diag_report(e->ctx->diag, P0209, request.span, "'%s' is put on a tier by two statements",
                                    request.label != NULL ? request.label : "activations");
        diag_label(d, other->span, "already given here");
        return;
    }
    vec_push(e->ctx->arena, &e->assignment->offloaded, request);
}

void strategy_add_tiers(Evaluation *e, const Factor *factor, const AstPlacement *placement, Tier tier, Span span)
{
    Offloaded request = {.tier = tier, .optional = strategy_is_present(e, factor, placement), .span = span};
    if (placement->selectors.count == 0 && !e->unused)
        add_tier(e, request);
    for (int i = 0; i < placement->selectors.count; i++) {
        request.label = strategy_label(e, factor, placement->selectors.data[i]);
        if (request.label != NULL && !e->unused)
            add_tier(e, request);
    }
}
