/* placement.c - placement statements, each in three steps: read (every name and keyword is known), check (against the
 * rules that concern this statement alone), add (as requests). Nothing here depends on other statements: those are
 * compared when all are read (conflicts.c).
 */
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
    if (strategy_report_unstored(e, factor, name))
        return false;
    AstName bound = strategy_bound_name(factor, name);
    if (bound.text != NULL && find_subject(e, bound, subject))
        return true;
    if (bound.text == NULL)
        strategy_report(e, factor, P0206, bound.span, "expected the name of a state for '%s'", name.text);
    else if (!strategy_is_open(factor, name))
        strategy_report_undeclared(e, AST_STATE, bound);
    return false;
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

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

/* What the mode's declaration says, and what the statement changes of that. */
static bool read_mode(const Evaluation *e, const Factor *factor, const AstPlacement *placement, Mode *mode)
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
    return placement->tier.text == NULL || read_tier(e, factor, placement->tier, mode);
}

/* The dim to shard by; a parameter of the strategy may stand for its name, and one that is true or false for none. */
AstName strategy_read_by(const Factor *factor, const AstPlacement *placement)
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

bool strategy_read_where(const Evaluation *e, const Factor *factor, AstName where)
{
    if (where.text == NULL || strcmp(where.text, "present") == 0)
        return true;
    strategy_report(e, factor, P0201, where.span, "unknown word '%s': expected 'where present'", where.text);
    return false;
}

/* False if errors were reported, or something depends on a parameter that is open. */
static bool read_placement(const Evaluation *e, const Factor *factor, const AstNode *node, PlacementStatement *s)
{
    const AstPlacement *placement = &node->placement;
    *s = (PlacementStatement){.factor = factor,
                              .text = placement,
                              .span = strategy_user_span(factor, node->span),
                              .by = strategy_read_by(factor, placement),
                              .present = placement->where.text != NULL};
    bool good = read_subject(e, factor, placement->state, &s->subject);
    if (!good && diag_elsewhere(placement->state.text) != NULL)
        return false; /* the statement is meant for something else */
    good &= read_mode(e, factor, placement, &s->mode);
    good &= strategy_axes(e, factor, &placement->axes, &s->axes);
    good &= strategy_read_where(e, factor, placement->where);
    good &= strategy_holds(e, factor, placement->when, &s->holds);
    bool flat = s->by.text != NULL && strcmp(s->by.text, "flat") == 0;
    s->dim = flat ? NULL : s->by.text;
    s->tier_alone = span_known(s->mode.tier_span) && s->mode.rest == MODE_REPLICATED && placement->axes.count == 0;
    return good && !strategy_is_open(factor, s->by);
}

/* ---- Checking ----------------------------------------------------------------------------------------------- */

/* Recomputed where it is used, from what is kept: possible for activations. */
static bool is_recomputed(const PlacementStatement *s)
{
    return s->subject == SUBJECT_ACTIVATIONS && s->mode.rest == MODE_NOTHING && s->mode.use == MODE_REPLICATED &&
           s->mode.made_by == MODE_MADE_BY_RECOMPUTATION;
}

static bool is_travelling(const PlacementStatement *s)
{
    return s->subject == SUBJECT_ACTIVATIONS && s->mode.rest == MODE_SHARDED && s->mode.use == MODE_SHARDED &&
           s->mode.made_by == MODE_MADE_BY_ROTATION;
}

static bool refuse(const Evaluation *e, const PlacementStatement *s, Span span, const char *what)
{
    strategy_report(e, s->factor, P0290, span, "%s not supported yet", what);
    return false;
}

static bool check_mode(const Evaluation *e, const PlacementStatement *s)
{
    AstName name = s->text->mode;
    const char *what, *why;
    Span span;
    if (mode_is_supported(&s->mode, is_recomputed(s) || is_travelling(s), &what, &why, &span))
        return strategy_check_copies(e, s);
    bool here = span.source == name.span.source && span.start == s->text->kept.span.start;
    Diagnostic *d = strategy_report(e, s->factor, P0290, here ? span : name.span, "%s is not supported yet", what);
    if (!here && span_known(span))
        diag_label(d, span, "declared by mode '%s' here", name.text);
    if (why != NULL)
        diag_why(d, "%s", why);
    return false;
}

/* Only sharded values can be sharded by a dim. */
static bool check_dim(const Evaluation *e, const PlacementStatement *s)
{
    return s->mode.rest != MODE_REPLICATED || s->by.text == NULL ||
           strategy_report_idle(e, s->factor, s->by.span,
                                arena_printf(e->ctx->arena, "'by %s' has no effect", s->by.text),
                                "It names the dim to shard, and nothing is sharded here.", NULL);
}

/* Recomputed on every rank, from what is kept: neither stored nor sharded. */
static bool check_recomputed(const Evaluation *e, const PlacementStatement *s)
{
    const AstPlacement *placement = s->text;
    if (s->mode.tier != TIER_DEVICE) {
        Diagnostic *d =
            strategy_report(e, s->factor, P0208, placement->mode.span, "recomputed values are not stored on a tier");
        diag_help(d, "Write either 'activations of block %s' or the tier that stores them.", placement->mode.text);
        return false;
    }
    if (placement->axes.count == 0 && placement->by.text == NULL && placement->selectors.count > 0)
        return true;
    Diagnostic *d = strategy_report(e, s->factor, P0208, placement->mode.span, "values are recomputed on every rank");
    const char *block = e->decls->groups.count > 0 ? e->decls->groups.data[0].name : "block";
    const char *text = arena_printf(e->ctx->arena, "activations of %s %s", block, placement->mode.text);
    diag_help_edit(d, s->span, text, "Say '%s'.", text);
    return false;
}

static bool check_activations(const Evaluation *e, const PlacementStatement *s)
{
    const AstPlacement *placement = s->text;
    const Mode *mode = &s->mode;
    if (is_recomputed(s))
        return check_recomputed(e, s);
    if (mode->rest == MODE_SHARDED && s->dim == NULL) {
        Diagnostic *d = strategy_report(e, s->factor, P0208, s->by.text != NULL ? s->by.span : placement->mode.span,
                                        "activations are sharded by a dim");
        diag_help(d, "Say 'activations sharded over ... by batch'.");
        return false;
    }
    if (placement->selectors.count == 0 && is_travelling(s)) {
        Diagnostic *d =
            strategy_report(e, s->factor, P0208, placement->mode.span, "activations that travel must be named");
        diag_help(d, "Name them: 'activations of *.key, *.value %s over ...'.", placement->mode.text);
        return false;
    }
    if (s->tier_alone)
        return check_dim(e, s);
    if (placement->selectors.count > 0 && s->dim != NULL && strcmp(s->dim, "batch") == 0)
        return refuse(e, s, placement->selectors.data[0]->span, "sharding only some activations by batch is");
    if (placement->selectors.count > 0 && mode->rest != MODE_SHARDED)
        return refuse(e, s, placement->selectors.data[0]->span, "placing some activations in any way but sharded is");
    if (!check_dim(e, s))
        return false;
    return mode->rest == mode->use || refuse(e, s, placement->mode.span,
                                             arena_printf(e->ctx->arena, "'%s' activations are", placement->mode.text));
}

/* States can be sharded by a dim only together with their parameters. */
static bool check_state_dim(const Evaluation *e, const PlacementStatement *s)
{
    if (s->dim == NULL)
        return true;
    if (s->subject != SUBJECT_PARAMETERS) {
        strategy_report(e, s->factor, P0290, s->by.span, "states sharded by '%s' are not supported yet", s->dim);
        return false;
    }
    bool kept = s->mode.rest == MODE_SHARDED && s->mode.use == MODE_REPLICATED && s->mode.kept == MODE_KEPT_STEP;
    return (s->mode.rest == MODE_SHARDED && !kept) ||
           refuse(e, s, s->by.span,
                  arena_printf(e->ctx->arena, "'%s' parameters sharded by a dim%s are", s->text->mode.text,
                               kept ? " and kept for a step" : ""));
}

/* A tier alone changes something; what is sharded is so over axes. */
static bool check_axes(const Evaluation *e, const PlacementStatement *s)
{
    if (s->tier_alone && s->mode.tier == TIER_DEVICE) {
        Diagnostic *d = strategy_report(e, s->factor, P0208, s->text->tier.span,
                                        "'%s' to the device has no effect: everything is on the device by default",
                                        s->text->mode.text);
        diag_help(d, "The other tiers are 'host' and 'file'.");
        return false;
    }
    if (s->text->axes.count > 0 || s->mode.rest == MODE_REPLICATED || is_recomputed(s))
        return true;
    strategy_report(e, s->factor, P0208, s->text->mode.span, "'%s' needs 'over' and the axes", s->text->mode.text);
    return false;
}

static bool check_placement(const Evaluation *e, const PlacementStatement *s)
{
    bool of_activations = s->subject == SUBJECT_ACTIVATIONS;
    return strategy_check_state(e, s) && check_mode(e, s) &&
           (of_activations ? check_activations(e, s) : check_state_dim(e, s)) && check_axes(e, s);
}

/* ---- Adding ------------------------------------------------------------------------------------------------- */

/* The request but for its axis and its parameters. */
static Request make_request(const PlacementStatement *s)
{
    bool rest = s->mode.rest == MODE_SHARDED, use = s->mode.use == MODE_SHARDED;
    return (Request){.subject = s->subject,
                     .rest = rest,
                     .use = use,
                     .travels = is_travelling(s),
                     .kept_for_step = rest && !use && s->mode.kept == MODE_KEPT_STEP,
                     .tier = s->mode.tier,
                     .tier_given = s->text->tier.text != NULL || span_known(s->mode.tier_span),
                     .dim = s->dim,
                     .by_span = s->by.span,
                     .factor = s->factor,
                     .span = s->span};
}

/* The parameters that the statement is about. False if there are none, or errors were reported. */
static bool select_parameters(const Evaluation *e, const PlacementStatement *s, Selection *selection)
{
    if (s->subject == SUBJECT_ACTIVATIONS) {
        if (s->present && s->dim != NULL && !strategy_check_dim(e, s->factor, s->by))
            return false;
        vec_push(e->ctx->arena, &selection->picks, (Pick){.tensor = -1});
        return true;
    }
    return strategy_select(e, s->factor, &s->text->selectors, s->present, selection) &&
           strategy_check_frozen(e, s, selection) &&
           (s->dim == NULL || strategy_select_dim(e, s->factor, s->by, s->present, selection)) &&
           selection->picks.count > 0;
}

/* Over the axes that are named, or all; over none if the statement only names a tier. */
static AxisSet requested_axes(const Evaluation *e, const PlacementStatement *s)
{
    AxisSet axes = s->axes;
    if (s->tier_alone)
        return (AxisSet){.count = 1, .axis = {NO_AXIS}};
    for (int i = 0; s->text->axes.count == 0 && i < e->decls->axes.count; i++)
        axes.axis[axes.count++] = (int8_t)i;
    return axes;
}

static void add_requests(Evaluation *e, const PlacementStatement *s)
{
    Request request = make_request(s);
    if (!strategy_check_present(e, s) || !select_parameters(e, s, &request.selection))
        return;
    AxisSet axes = requested_axes(e, s);
    bool of_values = s->subject == SUBJECT_ACTIVATIONS && s->text->selectors.count > 0;
    bool by_other = s->subject == SUBJECT_ACTIVATIONS && s->dim != NULL && strcmp(s->dim, "batch") != 0;
    for (int i = 0; i < axes.count; i++) {
        request.axis = axes.axis[i];
        request.together =
            request.axis != NO_AXIS && strategy_is_named_together(e, s->factor, &s->text->axes, request.axis);
        if (!of_values)
            vec_push(e->ctx->arena, &e->requests, request);
        if (of_values || by_other)
            strategy_add_cut(e, s, &request);
    }
}

static void add_placement(Evaluation *e, const PlacementStatement *s)
{
    bool of_activations = s->subject == SUBJECT_ACTIVATIONS;
    if (is_recomputed(s)) {
        strategy_add_recomputed(e, s);
        return;
    }
    if (of_activations && s->mode.tier != TIER_DEVICE)
        strategy_add_tiers(e, s);
    if (!of_activations || !s->tier_alone)
        add_requests(e, s);
}

static void read_statement(Evaluation *e, const Factor *factor, const AstNode *node)
{
    PlacementStatement statement;
    bool holds;
    if (strategy_is_pin(e, &node->placement)) {
        strategy_add_pin(e, factor, node);
    } else if (strategy_is_converted(e, &node->placement)) {
        strategy_add_converted(e, factor, node);
    } else if (strcmp(node->placement.state.text, "schedule") == 0) {
        if (strategy_check_parts(e, factor, &node->placement, STATEMENT_SCHEDULE) &&
            strategy_holds(e, factor, node->placement.when, &holds) && holds)
            strategy_add_schedule(e, factor, node);
    } else if (strategy_check_parts(e, factor, &node->placement, STATEMENT_STORED) &&
               read_placement(e, factor, node, &statement) && check_placement(e, &statement) && statement.holds) {
        add_placement(e, &statement);
    }
}

/* The number of requests so far. */
static int request_count(const Evaluation *e)
{
    const Assignment *a = e->assignment;
    return e->requests.count + e->syncs.count + a->activations.count + a->recomputed.count + a->offloaded.count +
           a->pins.count + a->converted.count + a->pipeline.requested;
}

void strategy_read_body(Evaluation *e, const Factor *factor)
{
    const AstList *body = &factor->declaration->strategy.body;
    if (factor->declaration->strategy.definition != NULL) {
        strategy_add_defined(e, factor);
        return;
    }
    bool *asks = arena_array(e->ctx->arena, bool, body->count + 1);
    int errors = diag_error_count(e->ctx->diag);
    for (int i = 0; i < body->count; i++) {
        int before = request_count(e);
        if (body->data[i]->kind == AST_PLACEMENT)
            read_statement(e, factor, body->data[i]);
        else if (body->data[i]->kind == AST_SYNC)
            strategy_add_sync(e, factor, body->data[i]);
        asks[i] = request_count(e) > before;
    }
    if (!e->unused && e->selects && diag_error_count(e->ctx->diag) == errors)
        strategy_check_asked(e, factor, asks);
}
