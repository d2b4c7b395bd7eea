/* placement.c - placement statements. */
#include "strategy/internal.h"

#include <string.h>

static const char *const subject_names[SUBJECT_COUNT] = {[SUBJECT_PARAMETERS] = "parameters",
                                                         [SUBJECT_GRADIENTS] = "gradients",
                                                         [SUBJECT_OPTIMIZER] = "optimizer",
                                                         [SUBJECT_ACTIVATIONS] = "activations"};

const char *strategy_subject_name(const Evaluation *e, Subject subject)
{
    return subject < SUBJECT_COUNT ? subject_names[subject]
                                   : e->assignment->declared_states.data[subject - SUBJECT_COUNT];
}

static bool find_subject(const Evaluation *e, AstName name, Subject *subject)
{
    for (int i = 0; i < SUBJECT_COUNT + e->assignment->declared_states.count; i++)
        if (strcmp(strategy_subject_name(e, (Subject)i), name.text) == 0) {
            *subject = (Subject)i;
            return true;
        }
    return false;
}

/* A state, or a parameter of the strategy that stands for one; if no call says which, nothing is reported. */
static bool read_subject(const Evaluation *e, const Factor *factor, AstName name, Subject *subject)
{
    if (find_subject(e, name, subject))
        return true;
    AstName bound = strategy_bound_name(factor, name);
    if (bound.text != NULL && find_subject(e, bound, subject))
        return true;
    if (bound.text == NULL)
        strategy_report(e, factor, P0206, bound.span, "expected the name of a state for '%s'", name.text);
    else if (!strategy_is_open(factor, name))
        strategy_report_undeclared(e, AST_STATE, bound);
    return false;
}

/* Recomputed where it is used, from what is kept: possible for activations. */
static bool is_recomputed(Subject subject, const Mode *mode)
{
    return subject == SUBJECT_ACTIVATIONS && mode->rest == MODE_NOTHING && mode->use == MODE_REPLICATED &&
           mode->made_by == MODE_MADE_BY_RECOMPUTATION;
}

static bool is_travelling(Subject subject, const Mode *mode)
{
    return subject == SUBJECT_ACTIVATIONS && mode->rest == MODE_SHARDED && mode->use == MODE_SHARDED &&
           mode->made_by == MODE_MADE_BY_ROTATION;
}

/* A tier, or a parameter of the strategy that stands for one. */
static bool read_tier(const Evaluation *e, const Factor *factor, AstName word, Mode *mode)
{
    AstName name = strategy_bound_name(factor, word);
    if (strategy_is_open(factor, word))
        return true;
    if (name.text != NULL)
        return mode_read_tier(e->ctx, name, &mode->tier);
    strategy_report(e, factor, P0206, name.span, "expected the name of a tier for '%s'", word.text);
    return false;
}

static bool read_mode(const Evaluation *e, const Factor *factor, const AstPlacement *placement, Subject subject,
                      Mode *mode)
{
    AstName name = placement->mode;
    const AstNode *declaration = strategy_find_declaration(e, AST_MODE, name.text);
    if (declaration == NULL) {
        strategy_report_undeclared(e, AST_MODE, name);
        return false;
    }
    if (!mode_read(e->ctx, declaration, mode))
        return false;
    if (placement->kept.text != NULL) {
        if (!mode_read_kept(e->ctx, placement->kept, &mode->kept))
            return false;
        mode->kept_span = placement->kept.span;
    }
    if (placement->tier.text != NULL && !read_tier(e, factor, placement->tier, mode))
        return false;
    const char *what, *why;
    Span span;
    bool made = is_recomputed(subject, mode) || is_travelling(subject, mode);
    if (mode_is_supported(mode, made, &what, &why, &span))
        return strategy_check_copies(e, factor, placement, subject, mode);
    bool here = span.source == name.span.source && span.start == placement->kept.span.start;
    Diagnostic *d = strategy_report(e, factor, P0290, here ? span : name.span, "%s is not supported yet", what);
    if (!here && span_known(span))
        diag_label(d, span, "mode '%s' says so here", name.text);
    if (why != NULL)
        diag_why(d, "%s", why);
    return false;
}

/* The dim to shard by; a parameter of the strategy may stand for its name, and one that is true or false for none. */
static AstName read_by(const Factor *factor, const AstPlacement *placement)
{
    AstName by = placement->by;
    for (int i = 0; by.text != NULL && factor != NULL && i < factor->bindings.count; i++) {
        const Binding *binding = &factor->bindings.data[i];
        if (binding->name.text == by.text && binding->axis < 0 && binding->value != NULL &&
            binding->value->kind == AST_NAME && !strategy_is_truth(binding->value))
            by.text = binding->value->name.text;
    }
    return by;
}

static bool refuse(const Evaluation *e, const Factor *factor, Span span, const char *what)
{
    strategy_report(e, factor, P0290, span, "%s not supported yet", what);
    return false;
}

/* A mode that is only a tier, without axes, says where a state is stored, not how it is divided over axes. */
static bool is_tier_alone(const AstPlacement *placement, const Mode *mode)
{
    return span_known(mode->tier_span) && mode->rest == MODE_REPLICATED && placement->axes.count == 0;
}

/* Only sharded values can be sharded by a dim. */
static bool check_dim_cut(const Evaluation *e, const Factor *factor, AstName by, const Mode *mode)
{
    return mode->rest != MODE_REPLICATED || by.text == NULL ||
           strategy_report_idle(e, factor, by.span, arena_printf(e->ctx->arena, "'by %s' has no effect", by.text),
                                "It says along which dim something is cut, and nothing is cut here.", NULL);
}

static bool check_activations(const Evaluation *e, const Factor *factor, const AstPlacement *placement, AstName by,
                              const Mode *mode)
{
    if (is_recomputed(SUBJECT_ACTIVATIONS, mode))
        return true;
    bool flat = by.text != NULL && strcmp(by.text, "flat") == 0;
    if (mode->rest == MODE_SHARDED && (by.text == NULL || flat)) {
        Diagnostic *d =
            strategy_report(e, factor, P0208, flat ? by.span : placement->mode.span, "activations are cut by a dim");
        diag_help(d, "Say 'activations sharded over ... by batch'.");
        return false;
    }
    if (placement->selectors.count == 0 && is_travelling(SUBJECT_ACTIVATIONS, mode)) {
        Diagnostic *d = strategy_report(e, factor, P0208, placement->mode.span, "activations that travel are named");
        diag_help(d, "Say which: 'activations of *.key, *.value %s over ...'.", placement->mode.text);
        return false;
    }
    if (is_tier_alone(placement, mode))
        return check_dim_cut(e, factor, by, mode);
    if (placement->selectors.count > 0 && by.text != NULL && strcmp(by.text, "batch") == 0)
        return refuse(e, factor, placement->selectors.data[0]->span, "a batch of some activations only is");
    if (placement->selectors.count > 0 && mode->rest != MODE_SHARDED)
        return refuse(e, factor, placement->selectors.data[0]->span, "a placement of some activations but a cut is");
    if (!check_dim_cut(e, factor, by, mode))
        return false;
    if (mode->rest != mode->use)
        return refuse(e, factor, placement->mode.span,
                      arena_printf(e->ctx->arena, "'%s' activations are", placement->mode.text));
    return true;
}

/* A tier and a dim to shard by: what the mode leaves open. */
static bool check_details(const Evaluation *e, const Factor *factor, const AstPlacement *placement, Subject subject,
                          AstName by, const Mode *mode)
{
    if (subject == SUBJECT_ACTIVATIONS)
        return check_activations(e, factor, placement, by, mode);
    if (by.text == NULL || strcmp(by.text, "flat") == 0)
        return true;
    if (subject != SUBJECT_PARAMETERS) {
        strategy_report(e, factor, P0290, by.span, "states cut by '%s' are not supported yet", by.text);
        return false;
    }
    bool kept = mode->rest == MODE_SHARDED && mode->use == MODE_REPLICATED && mode->kept == MODE_KEPT_STEP;
    if (mode->rest == MODE_SHARDED && !kept)
        return true;
    return refuse(e, factor, by.span,
                  arena_printf(e->ctx->arena, "'%s' parameters cut by a dim%s are", placement->mode.text,
                               kept ? " and kept for a step" : ""));
}

bool strategy_is_present(const Evaluation *e, const Factor *factor, const AstPlacement *placement)
{
    if (placement->where.text == NULL || strcmp(placement->where.text, "present") == 0)
        return placement->where.text != NULL;
    strategy_report(e, factor, P0201, placement->where.span, "unknown word '%s': expected 'where present'",
                    placement->where.text);
    return true;
}

static bool select_for(const Evaluation *e, const Factor *factor, const AstPlacement *placement, AstName by,
                       Request *request)
{
    bool optional = strategy_is_present(e, factor, placement);
    if (request->subject == SUBJECT_ACTIVATIONS) {
        if (optional && request->dim != NULL && !strategy_check_dim(e, factor, by))
            return false;
        vec_push(e->ctx->arena, &request->selection.picks, (Pick){.tensor = -1});
        return true;
    }
    if (!strategy_select(e, factor, &placement->selectors, optional, &request->selection) ||
        !strategy_check_frozen(e, factor, placement, request))
        return false;
    return request->dim == NULL || strategy_select_dim(e, factor, by, optional, &request->selection);
}

static void add_placement(Evaluation *e, const Factor *factor, const AstNode *node)
{
    const AstPlacement *placement = &node->placement;
    bool said = true;
    if (strcmp(placement->state.text, "schedule") == 0) {
        if (strategy_is_said(e, factor, placement->when, &said) && said)
            strategy_add_schedule(e, factor, node);
        return;
    }
    if (placement->layers.count > 0 || placement->chunks != NULL) {
        const AstNode *part = placement->chunks != NULL ? placement->chunks : placement->layers.data[0];
        Diagnostic *d = strategy_report(e, factor, P0208, part->span, "only a schedule says which layers stages have");
        diag_help(d, "Name layers where the state is named: %s of LABEL[0..3] ...", placement->state.text);
        return;
    }
    Request request = {.factor = factor, .span = strategy_user_span(factor, node->span)};
    Mode mode;
    AxisSet axes;
    AstName by = read_by(factor, placement);
    bool ok = read_subject(e, factor, placement->state, &request.subject);
    ok = ok && strategy_check_state(e, factor, placement, request.subject);
    ok &= read_mode(e, factor, placement, request.subject, &mode);
    ok &= strategy_axes(e, factor, &placement->axes, &axes);
    ok &= strategy_is_said(e, factor, placement->when, &said);
    if (!ok || strategy_is_open(factor, by) || !check_details(e, factor, placement, request.subject, by, &mode) ||
        !said)
        return;
    if (is_tier_alone(placement, &mode) && mode.tier == TIER_DEVICE) {
        Diagnostic *d = strategy_report(e, factor, P0208, placement->tier.span,
                                        "'%s' to the device has no effect: everything is on the device by default",
                                        placement->mode.text);
        diag_help(d, "The other tiers are 'host' and 'file'.");
        return;
    }
    if (is_recomputed(request.subject, &mode)) {
        strategy_add_recomputed(e, factor, placement, &mode, request.span);
        return;
    }
    if (request.subject == SUBJECT_ACTIVATIONS && mode.tier != TIER_DEVICE)
        strategy_add_tiers(e, factor, placement, mode.tier, request.span);
    if (request.subject == SUBJECT_ACTIVATIONS && is_tier_alone(placement, &mode))
        return;
    if (placement->axes.count == 0 && mode.rest != MODE_REPLICATED) {
        strategy_report(e, factor, P0208, placement->mode.span, "'%s' needs 'over' and the axes", placement->mode.text);
        return;
    }
    for (int i = 0; placement->axes.count == 0 && i < e->decls->axes.count; i++)
        axes.axis[axes.count++] = (int8_t)i;
    if (is_tier_alone(placement, &mode))
        axes = (AxisSet){.count = 1, .axis = {NO_AXIS}};
    request.rest = mode.rest == MODE_SHARDED;
    request.use = mode.use == MODE_SHARDED;
    request.travels = is_travelling(request.subject, &mode);
    request.tier = mode.tier;
    request.tier_said = placement->tier.text != NULL || span_known(mode.tier_span);
    request.kept_for_step = request.rest && !request.use && mode.kept == MODE_KEPT_STEP;
    request.dim = by.text != NULL && strcmp(by.text, "flat") != 0 ? by.text : NULL;
    request.by_span = by.span;
    if (!strategy_check_present(e, factor, placement, &request) || !select_for(e, factor, placement, by, &request) ||
        request.selection.picks.count == 0)
        return;
    for (int i = 0; i < axes.count; i++) {
        request.axis = axes.axis[i];
        request.together =
            request.axis != NO_AXIS && strategy_is_named_together(e, factor, &placement->axes, request.axis);
        if (request.subject == SUBJECT_ACTIVATIONS && placement->selectors.count > 0)
            strategy_add_cut(e, factor, placement, &request);
        else
            vec_push(e->ctx->arena, &e->requests, request);
        if (request.subject == SUBJECT_ACTIVATIONS && placement->selectors.count == 0 && request.dim != NULL &&
            strcmp(request.dim, "batch") != 0)
            strategy_add_cut(e, factor, placement, &request);
    }
}

/* The number of requests so far. */
static int request_count(const Evaluation *e)
{
    const Assignment *a = e->assignment;
    return e->requests.count + e->syncs.count + a->activations.count + a->recomputed.count + a->offloaded.count +
           a->pipeline.requested;
}

void strategy_read_body(Evaluation *e, const Factor *factor)
{
    const AstList *body = &factor->declaration->strategy.body;
    bool *asks = arena_array(e->ctx->arena, bool, body->count + 1);
    int errors = diag_error_count(e->ctx->diag);
    for (int i = 0; i < body->count; i++) {
        int before = request_count(e);
        if (body->data[i]->kind == AST_PLACEMENT)
            add_placement(e, factor, body->data[i]);
        else if (body->data[i]->kind == AST_SYNC)
            strategy_add_sync(e, factor, body->data[i]);
        asks[i] = request_count(e) > before;
    }
    if (!e->unused && e->selects && diag_error_count(e->ctx->diag) == errors)
        strategy_check_asked(e, factor, asks);
}
