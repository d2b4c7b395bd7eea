/* strategy.c - evaluates the strategy of a train: calls composed by `*`, the statements of each, and the train's
 * settings of the reader and the seed (see strategy.h for the rules). */
#include "strategy/internal.h"

#include "base/change.h"
#include "parser/parser.h"
#include "parser/resolve.h"
#include "reference/contract.h"

#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const char *const subject_names[SUBJECT_COUNT] = {[SUBJECT_PARAMETERS] = "parameters",
                                                         [SUBJECT_GRADIENTS] = "gradients",
                                                         [SUBJECT_OPTIMIZER] = "optimizer",
                                                         [SUBJECT_ACTIVATIONS] = "activations"};

/* ---- Reports ------------------------------------------------------------------------------------------------ */

Span strategy_user_span(const Factor *factor, Span span)
{
    return factor != NULL && factor->in_prelude && span.source == factor->declaration->span.source ? factor->call_span
                                                                                                   : span;
}

Diagnostic *strategy_report(const Evaluation *e, const Factor *factor, DiagCode code, Span span, const char *format,
                            ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(e->ctx->arena, format, args);
    va_end(args);
    Span shown = strategy_user_span(factor, span);
    Diag *diag = e->unused && code == P0290 ? e->unheard : e->ctx->diag;
    Diagnostic *d = diag_report(diag, code, shown, "%s", text);
    if (shown.source != span.source)
        diag_label(d, span, "because of this line of the prelude");
    return d;
}

void strategy_suggest(Diagnostic *d, const char *name, const NameVec *known)
{
    const char *near = known->count > 0 ? diag_suggest(name, known->data, known->count) : NULL;
    if (near != NULL)
        diag_help_name(d, name, near);
}

/* ---- Axes --------------------------------------------------------------------------------------------------- */

int strategy_axis(const Evaluation *e, const Factor *factor, AstName name)
{
    NameVec known = {0};
    const Binding *untyped = NULL;
    for (int i = 0; factor != NULL && i < factor->bindings.count; i++) {
        const Binding *binding = &factor->bindings.data[i];
        if (binding->axis < 0) {
            untyped = binding->name.text == name.text ? binding : untyped;
            continue;
        }
        if (binding->name.text == name.text)
            return binding->axis;
        vec_push(e->ctx->arena, &known, binding->name.text);
    }
    for (int i = 0; i < e->decls->axes.count; i++) {
        if (strcmp(e->decls->axes.data[i].name, name.text) == 0)
            return i;
        vec_push(e->ctx->arena, &known, e->decls->axes.data[i].name);
    }
    for (int i = 0; i < e->train->derived_axes.count; i++) {
        if (strcmp(e->train->derived_axes.data[i].name, name.text) == 0)
            return DERIVED_AXIS + i;
        vec_push(e->ctx->arena, &known, e->train->derived_axes.data[i].name);
    }
    if (!e->known.axes)
        return -1;
    Diagnostic *d = strategy_report(e, factor, P0201, name.span, "unknown axis '%s'", name.text);
    if (untyped != NULL) {
        diag_label(d, untyped->name.span, "a parameter, but not declared as an axis");
        const char *axis = arena_printf(e->ctx->arena, "%s: axis", name.text);
        diag_help_edit(d, untyped->name.span, axis, "Declare it as one: `%s`.", axis);
        return -1;
    }
    const Axis *axes = e->train->decls.axes.data;
    if (e->train->decls.axes.count > 0)
        diag_label(d, axes[0].span, "the axes of '%s' are declared here", e->train->mesh_name);
    strategy_suggest(d, name.text, &known);
    return -1;
}

AxisSet strategy_axis_members(const Evaluation *e, int axis)
{
    return axis >= DERIVED_AXIS ? e->train->derived_axes.data[axis - DERIVED_AXIS].axes
                                : (AxisSet){.count = axis >= 0, .axis = {(int8_t)axis}};
}

int64_t strategy_axis_size(const Evaluation *e, int axis)
{
    AxisSet members = strategy_axis_members(e, axis);
    int64_t size = 1;
    for (int i = 0; i < members.count; i++)
        size *= e->decls->axes.data[members.axis[i]].size;
    return size;
}

/* Does one of the names stand for this axis and others together? */
static bool is_named_together(const Evaluation *e, const Factor *factor, const AstNames *names, int axis)
{
    for (int i = 0; i < names->count; i++) {
        AxisSet members = strategy_axis_members(e, strategy_axis(e, factor, names->data[i]));
        for (int m = 0; m < members.count; m++)
            if (members.axis[m] == axis)
                return members.count > 1;
    }
    return false;
}

static bool shares_member(const AxisSet *x, const AxisSet *y, int *shared)
{
    for (int i = 0; i < x->count; i++)
        for (int j = 0; j < y->count; j++)
            if (x->axis[i] == y->axis[j]) {
                *shared = x->axis[i];
                return true;
            }
    return false;
}

bool strategy_axes(const Evaluation *e, const Factor *factor, const AstNames *names, AxisSet *axes)
{
    const AstName *first[STEP_MAX_AXES] = {NULL};
    bool ok = true;
    for (int i = 0; i < names->count; i++) {
        int named = strategy_axis(e, factor, names->data[i]);
        AxisSet members = strategy_axis_members(e, named);
        for (int m = 0; m < members.count; m++) {
            int axis = members.axis[m];
            if (first[axis] == NULL) {
                first[axis] = &names->data[i];
                continue;
            }
            Diagnostic *d = strategy_report(e, factor, P0209, names->data[i].span, "the axis '%s' is named twice",
                                            e->decls->axes.data[axis].name);
            diag_label(d, first[axis]->span, "first here");
            ok = false;
        }
        ok &= named >= 0;
    }
    *axes = (AxisSet){0};
    for (int axis = 0; axis < e->decls->axes.count; axis++)
        if (first[axis] != NULL)
            axes->axis[axes->count++] = (int8_t)axis;
    return ok;
}

/* ---- Declarations ------------------------------------------------------------------------------------------- */

static AstName declared_name(const AstNode *node)
{
    if (node->kind == AST_STRATEGY)
        return node->strategy.name;
    if (node->kind == AST_MODE)
        return node->mode.name;
    return node->kind == AST_STATE ? node->state.name : (AstName){0};
}

static const AstNode *find_in(const Ast *ast, AstKind kind, const char *name)
{
    for (int i = 0; i < ast->items.count; i++)
        if (ast->items.data[i]->kind == kind && declared_name(ast->items.data[i]).text == name)
            return ast->items.data[i];
    return NULL;
}

/* The user's declarations come before the prelude's. */
static const AstNode *find_declaration(const Evaluation *e, AstKind kind, const char *name)
{
    const AstNode *found = find_in(e->ast, kind, name);
    return found != NULL ? found : find_in(e->prelude, kind, name);
}

static NameVec declared_names(const Evaluation *e, AstKind kind)
{
    const Ast *files[] = {e->ast, e->prelude};
    NameVec names = {0};
    for (int f = 0; f < COUNT(files); f++)
        for (int i = 0; i < files[f]->items.count; i++)
            if (files[f]->items.data[i]->kind == kind)
                vec_push(e->ctx->arena, &names, declared_name(files[f]->items.data[i]).text);
    return names;
}

/* Silent if the declaration may be in text that was not understood. */
static void report_undeclared(const Evaluation *e, AstKind kind, AstName name)
{
    if (e->ast->damaged)
        return;
    NameVec known = declared_names(e, kind);
    resolve_unknown(e->ctx, name.span, ast_kind_name(kind), name.text, known.data, known.count);
}

/* Modes that are never used are checked too. */
static void check_modes(const Evaluation *e)
{
    Mode mode;
    for (int i = 0; i < e->ast->items.count; i++)
        if (e->ast->items.data[i]->kind == AST_MODE)
            mode_read(e->ctx, e->ast->items.data[i], &mode);
}

/* ---- Calls -------------------------------------------------------------------------------------------------- */

/* `tensor_parallel(t: axis, sequence_parallel, vocab)` */
static const char *call_form(const Evaluation *e, const AstNode *declaration)
{
    const AstStrategy *strategy = &declaration->strategy;
    Text form = {.arena = e->ctx->arena};
    text_add(&form, "%s(", strategy->name.text);
    for (int i = 0; i < strategy->parameters.count; i++) {
        const AstParameter *parameter = &strategy->parameters.data[i]->parameter;
        text_add(&form, "%s%s%s", i > 0 ? ", " : "", parameter->name.text,
                 parameter->type.text != NULL ? ": axis" : "");
    }
    text_add(&form, ")");
    return form.data;
}

/* Binds a parameter to an argument, or to its default. */
static bool bind(const Evaluation *e, Factor *factor, const AstParameter *parameter, const AstNode *value)
{
    bool is_default = value == NULL;
    if (is_default)
        value = parameter->value;
    if (value == NULL) {
        Diagnostic *d = strategy_report(e, NULL, P0206, factor->call_span, "the argument '%s' of '%s' is missing",
                                        parameter->name.text, factor->declaration->strategy.name.text);
        if (!factor->in_prelude)
            diag_label(d, parameter->name.span, "declared here");
        diag_help(d, "Its form is: %s", call_form(e, factor->declaration));
        return false;
    }
    Binding binding = {parameter->name, value->span, -1, value, is_default};
    bool is_axis = parameter->type.text != NULL; /* a type other than 'axis' was reported */
    if (is_axis && value->kind != AST_NAME) {
        if (value->kind != AST_ERROR) {
            Diagnostic *d =
                strategy_report(e, NULL, P0206, value->span, "expected a mesh axis for '%s'", parameter->name.text);
            diag_help(d, "Its form is: %s", call_form(e, factor->declaration));
        }
        return false;
    }
    if (is_axis)
        binding.axis = strategy_axis(e, NULL, value->name);
    for (int i = 0; is_axis && binding.axis >= 0 && i < factor->bindings.count; i++) {
        const Binding *other = &factor->bindings.data[i];
        AxisSet own = strategy_axis_members(e, binding.axis), taken = strategy_axis_members(e, other->axis);
        int shared;
        if (!shares_member(&own, &taken, &shared))
            continue;
        Diagnostic *d = strategy_report(e, NULL, P0209, value->span, "the axis '%s' is given twice",
                                        e->decls->axes.data[shared].name);
        diag_label(d, other->span, "already given for '%s'", other->name.text);
        return false;
    }
    vec_push(e->ctx->arena, &factor->bindings, binding);
    return !is_axis || binding.axis >= 0;
}

/* The parameter that an argument is for: the next one, or the one with its name; -1 after reporting. */
static int parameter_of(const Evaluation *e, const Factor *factor, const AstNode *argument, int position)
{
    const AstStrategy *strategy = &factor->declaration->strategy;
    if (argument->kind != AST_ARGUMENT) {
        if (position < strategy->parameters.count)
            return position;
        Diagnostic *d =
            strategy_report(e, NULL, P0206, argument->span, "'%s' has %d parameter%s only", strategy->name.text,
                            strategy->parameters.count, strategy->parameters.count == 1 ? "" : "s");
        diag_help(d, "Its form is: %s", call_form(e, factor->declaration));
        return -1;
    }
    for (int i = 0; i < strategy->parameters.count; i++)
        if (strategy->parameters.data[i]->parameter.name.text == argument->argument.name.text)
            return i;
    AstName name = argument->argument.name;
    Diagnostic *d =
        strategy_report(e, NULL, P0201, name.span, "'%s' has no parameter '%s'", strategy->name.text, name.text);
    diag_help(d, "Its form is: %s", call_form(e, factor->declaration));
    return -1;
}

static bool bind_arguments(const Evaluation *e, Factor *factor, const AstList *arguments)
{
    const AstStrategy *strategy = &factor->declaration->strategy;
    const AstNode **values = arena_array(e->ctx->arena, const AstNode *, strategy->parameters.count + 1);
    bool ok = true;
    for (int i = 0; i < arguments->count; i++) {
        const AstNode *argument = arguments->data[i];
        int parameter = parameter_of(e, factor, argument, i);
        if (parameter >= 0 && values[parameter] != NULL) {
            Diagnostic *d = strategy_report(e, NULL, P0206, argument->span, "'%s' is given twice",
                                            strategy->parameters.data[parameter]->parameter.name.text);
            diag_label(d, values[parameter]->span, "first here");
            ok = false;
        } else if (parameter >= 0) {
            values[parameter] = argument->kind == AST_ARGUMENT ? argument->argument.value : argument;
        }
        ok &= parameter >= 0;
    }
    for (int i = 0; ok && i < strategy->parameters.count; i++)
        if (strategy->parameters.data[i]->kind == AST_PARAMETER)
            ok = bind(e, factor, &strategy->parameters.data[i]->parameter, values[i]) && ok;
    return ok;
}

/* ---- Placements --------------------------------------------------------------------------------------------- */

const char *strategy_subject_name(const Evaluation *e, Subject subject)
{
    return subject < SUBJECT_COUNT ? subject_names[subject]
                                   : e->assignment->declared_states.data[subject - SUBJECT_COUNT];
}

static const Binding *find_binding(const Factor *factor, AstName name)
{
    for (int i = 0; name.text != NULL && factor != NULL && i < factor->bindings.count; i++)
        if (factor->bindings.data[i].name.text == name.text)
            return &factor->bindings.data[i];
    return NULL;
}

bool strategy_is_open(const Factor *factor, AstName name)
{
    const Binding *binding = find_binding(factor, name);
    return binding != NULL && binding->value == NULL;
}

AstName strategy_bound_name(const Factor *factor, AstName name)
{
    const Binding *binding = find_binding(factor, name);
    if (binding == NULL || binding->value == NULL)
        return name;
    return binding->value->kind == AST_NAME ? binding->value->name : (AstName){NULL, binding->value->span};
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
        report_undeclared(e, AST_STATE, bound);
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
    const AstNode *declaration = find_declaration(e, AST_MODE, name.text);
    if (declaration == NULL) {
        report_undeclared(e, AST_MODE, name);
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

static bool is_present(const Evaluation *e, const Factor *factor, const AstPlacement *placement)
{
    if (placement->where.text == NULL || strcmp(placement->where.text, "present") == 0)
        return placement->where.text != NULL;
    strategy_report(e, factor, P0201, placement->where.span, "unknown word '%s': expected 'where present'",
                    placement->where.text);
    return true;
}

/* Activations that are sharded by a dim other than the batch: some values or all. */
static void add_activations(Evaluation *e, const Factor *factor, const AstPlacement *placement, Request *request)
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

static void add_recomputed(Evaluation *e, const Factor *factor, const AstPlacement *placement, const Mode *mode,
                           Span span)
{
    Recomputed request = {.optional = is_present(e, factor, placement), .group = -1, .last = INT64_MAX, .span = span};
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

/* The tier on which activations are stored between the passes. */
static void add_tiers(Evaluation *e, const Factor *factor, const AstPlacement *placement, Tier tier, Span span)
{
    Offloaded request = {.tier = tier, .optional = is_present(e, factor, placement), .span = span};
    if (placement->selectors.count == 0 && !e->unused)
        add_tier(e, request);
    for (int i = 0; i < placement->selectors.count; i++) {
        request.label = strategy_label(e, factor, placement->selectors.data[i]);
        if (request.label != NULL && !e->unused)
            add_tier(e, request);
    }
}

static bool select_for(const Evaluation *e, const Factor *factor, const AstPlacement *placement, AstName by,
                       Request *request)
{
    bool optional = is_present(e, factor, placement);
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
        add_recomputed(e, factor, placement, &mode, request.span);
        return;
    }
    if (request.subject == SUBJECT_ACTIVATIONS && mode.tier != TIER_DEVICE)
        add_tiers(e, factor, placement, mode.tier, request.span);
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
        request.together = request.axis != NO_AXIS && is_named_together(e, factor, &placement->axes, request.axis);
        if (request.subject == SUBJECT_ACTIVATIONS && placement->selectors.count > 0)
            add_activations(e, factor, placement, &request);
        else
            vec_push(e->ctx->arena, &e->requests, request);
        if (request.subject == SUBJECT_ACTIVATIONS && placement->selectors.count == 0 && request.dim != NULL &&
            strcmp(request.dim, "batch") != 0)
            add_activations(e, factor, placement, &request);
    }
}

/* ---- Conflicts ---------------------------------------------------------------------------------------------- */

/* If data = expert_data * expert, one may say over data what the other says over expert. */
static bool requests_agree(const Request *x, const Request *y)
{
    bool same_dim = x->dim == y->dim || (x->dim != NULL && y->dim != NULL && strcmp(x->dim, y->dim) == 0);
    return x->together != y->together && same_dim && x->rest == y->rest && x->use == y->use && x->tier == y->tier &&
           x->kept_for_step == y->kept_for_step;
}

static void check_pair(const Evaluation *e, const Request *earlier, const Request *later)
{
    if (earlier->subject != later->subject || earlier->axis != later->axis || requests_agree(earlier, later))
        return;
    const char *subject = strategy_subject_name(e, later->subject);
    const char *what = later->axis == NO_AXIS ? arena_printf(e->ctx->arena, "'%s' on a tier", subject)
                                              : arena_printf(e->ctx->arena, "'%s' over '%s'", subject,
                                                             e->decls->axes.data[later->axis].name);
    if (earlier->factor != later->factor && selections_clash(&earlier->selection, &later->selection)) {
        Diagnostic *d = diag_report(e->ctx->diag, P0209, later->span, "two strategies place %s", what);
        diag_label(d, earlier->span, "already placed here");
        diag_why(d,
                 "Of two strategies joined by '*' none comes first. A statement wins over another one only where its "
                 "selector is more specific.");
        diag_help(d, "Give one of them an axis of its own, or say all of it in one strategy.");
    } else if (earlier->factor == later->factor && selection_hides(&later->selection, &earlier->selection)) {
        Diagnostic *d = diag_report(e->ctx->diag, P0209, later->span, "%s is placed twice", what);
        diag_label(d, earlier->span, "this statement has no effect");
        diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = earlier->span});
    }
}

static void report_staged(const Evaluation *e, Span span, const char *subject)
{
    const Staging *pipeline = &e->assignment->pipeline;
    const char *axis = e->decls->axes.data[pipeline->axis].name;
    Diagnostic *d = diag_report(e->ctx->diag, P0209, span, "'%s' cut over '%s', the axis of a pipeline", subject, axis);
    diag_label(d, pipeline->span, "the pipeline's stages lie along '%s'", axis);
    diag_why(
        d, "Ranks along the axis of a pipeline run different layers, so that they cannot share one's work or states.");
    diag_help(d, "Give one of the two an axis of its own.");
}

/* Reported once per strategy. */
static void check_staged(const Evaluation *e, int index)
{
    const Staging *pipeline = &e->assignment->pipeline;
    const Request *request = &e->requests.data[index];
    bool cuts = request->rest || request->use || request->dim != NULL;
    if (!pipeline->requested || request->axis != pipeline->axis || !cuts)
        return;
    for (int i = 0; i < index; i++)
        if (e->requests.data[i].factor == request->factor && e->requests.data[i].axis == request->axis)
            return;
    report_staged(e, request->span, strategy_subject_name(e, request->subject));
}

static void refuse_copied(const Evaluation *e, Span span, const char *subject, int axis)
{
    const Contract *local = contract_find(&e->train->contracts, CONTRACT_LOCAL, NULL);
    const char *name = e->decls->axes.data[axis].name;
    Diagnostic *d = diag_report(e->ctx->diag, P0209, span, "'%s' cut over '%s', whose ranks are copies", subject, name);
    diag_label(d, local->span, "ranks along '%s' train copies apart", name);
    diag_why(d, "Between two joins every copy's states are others, so that none could give another its part of one.");
    diag_help(d, "Cut it over another axis; over '%s' the batch alone can be cut.", name);
}

/* Over axes of copies nothing can be sharded, except what each copy trains on. */
static void check_copied(const Evaluation *e, const Request *request)
{
    bool batch = request->subject == SUBJECT_ACTIVATIONS && request->dim != NULL && strcmp(request->dim, "batch") == 0;
    bool cuts = !batch && (request->rest || request->use); /* a tier alone shards nothing, over no axis */
    if (cuts && e->decls->axes.data[request->axis].copies)
        refuse_copied(e, request->span, strategy_subject_name(e, request->subject), request->axis);
}

/* Copies that all train on the same examples are not copies. */
static void check_copies_batch(const Evaluation *e, int axis)
{
    const Axis *copied = &e->decls->axes.data[axis];
    bool cut = !copied->copies || copied->size == 1;
    for (int i = 0; i < e->requests.count && !cut; i++) {
        const Request *r = &e->requests.data[i];
        cut = r->axis == axis && r->subject == SUBJECT_ACTIVATIONS && r->dim != NULL && strcmp(r->dim, "batch") == 0;
    }
    if (cut)
        return;
    const Contract *local = contract_find(&e->train->contracts, CONTRACT_LOCAL, NULL);
    Diagnostic *d = diag_report(e->ctx->diag, P0209, local->span,
                                "copies along '%s', over which no strategy cuts the batch", copied->name);
    diag_why(d, "Every copy trains on a part of the batch of its own.");
    diag_repair(d, (Repair){.kind = REPAIR_CUT_BATCH, .axes = copied->name});
}

/* Named values, like all others, are sharded neither over the pipeline's axis nor over axes of copies. */
static void check_named(const Evaluation *e, const ActivationCut *cut)
{
    const Staging *pipeline = &e->assignment->pipeline;
    if (cut->label_count > 0 && pipeline->requested && cut->axis == pipeline->axis)
        report_staged(e, cut->span, cut->labels[0]);
    if (cut->label_count > 0 && e->decls->axes.data[cut->axis].copies)
        refuse_copied(e, cut->span, cut->labels[0], cut->axis);
}

void strategy_check_conflicts(const Evaluation *e)
{
    for (int i = 0; i < e->assignment->activations.count; i++)
        check_named(e, &e->assignment->activations.data[i]);
    for (int axis = 0; axis < e->decls->axes.count && !e->unused; axis++) /* an unused strategy shards nothing */
        check_copies_batch(e, axis);
    for (int i = 0; i < e->requests.count; i++)
        check_staged(e, i);
    for (int i = 0; i < e->requests.count; i++)
        check_copied(e, &e->requests.data[i]);
    const Staging *pipeline = &e->assignment->pipeline;
    if (pipeline->requested && e->decls->axes.data[pipeline->axis].copies)
        refuse_copied(e, pipeline->span, "layers", pipeline->axis);
    for (int later = 1; later < e->requests.count; later++)
        for (int earlier = 0; earlier < later; earlier++)
            check_pair(e, &e->requests.data[earlier], &e->requests.data[later]);
}

/* ---- The strategy expression -------------------------------------------------------------------------------- */

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

static void add_factor(Evaluation *e, const AstNode *node)
{
    bool call = node->kind == AST_CALL;
    const AstNode *callee = call ? node->call.callee : node;
    if (call && node->call.label.text != NULL)
        strategy_report(e, NULL, P0206, node->call.label.span, "a strategy takes no label");
    if (callee->kind != AST_NAME) {
        if (callee->kind != AST_ERROR)
            strategy_report(e, NULL, P0206, node->span, "expected strategies, joined by '*'");
        return;
    }
    const AstNode *declaration = find_declaration(e, AST_STRATEGY, callee->name.text);
    if (declaration == NULL) {
        report_undeclared(e, AST_STRATEGY, callee->name);
        return;
    }
    if (declaration->damaged)
        return;
    Factor *factor = arena_make(e->ctx->arena, Factor);
    factor->declaration = declaration;
    factor->call_span = node->span;
    factor->in_prelude = find_in(e->ast, AST_STRATEGY, callee->name.text) == NULL;
    static const AstList no_arguments = {0};
    if (bind_arguments(e, factor, call ? &node->call.arguments : &no_arguments)) {
        vec_push(e->ctx->arena, &e->evaluated, declaration);
        strategy_read_body(e, factor);
    }
}

static void add_expression(Evaluation *e, const AstNode *node)
{
    bool product = false;
    if (node->kind == AST_BINARY) {
        AstOperator op = node->binary.operator;
        product = op == AST_MULTIPLY;
    }
    if (!product) {
        add_factor(e, node);
        return;
    }
    add_expression(e, node->binary.left);
    add_expression(e, node->binary.right);
}

/* ---- Settings of the train ---------------------------------------------------------------------------------- */

const AstNode *strategy_setting(const Evaluation *e, const char *key)
{
    const AstList *body = &e->train_node->train.body;
    for (int i = 0; i < body->count; i++) {
        const AstNode *setting = body->data[i];
        if (setting->kind == AST_SETTING && setting->setting.key.text != NULL &&
            strcmp(setting->setting.key.text, key) == 0)
            return setting;
    }
    return NULL;
}

static void read_strategy(Evaluation *e)
{
    const AstNode *setting = strategy_setting(e, "strategy");
    if (setting != NULL && setting->setting.pieces.count == 1)
        add_expression(e, setting->setting.pieces.data[0]);
    else if (setting != NULL)
        strategy_report(e, NULL, P0206, setting->span, "expected one expression: strategies, joined by '*'");
}

/* The position of "read by" among the pieces; -1 if absent. */
static int find_read_by(const AstList *pieces)
{
    for (int i = 0; i + 1 < pieces->count; i++) {
        const AstNode *word = pieces->data[i], *mark = pieces->data[i + 1];
        if (word->kind == AST_NAME && strcmp(word->name.text, "read") == 0 && mark->kind == AST_MARK &&
            strcmp(mark->mark.text, "by") == 0)
            return i;
    }
    return -1;
}

/* Ranks may read different parts only if the batch is sharded over their axis; the converse is left to the proof. */
static void check_reader(Evaluation *e)
{
    const AxisSet *readers = &e->assignment->reader_axes;
    for (int i = 0; i < readers->count; i++) {
        bool cuts =
            e->decls->axes.data[readers->axis[i]].size == 1 || strategy_cuts_batch(e->assignment, readers->axis[i]);
        if (cuts)
            continue;
        const char *name = e->decls->axes.data[readers->axis[i]].name;
        Diagnostic *d = strategy_report(e, NULL, P0209, e->assignment->reader_span,
                                        "the batch is read by '%s', which does not cut it", name);
        diag_why(d, "Ranks along '%s' compute with the same part of the batch, so they must read the same.", name);
        diag_repair(d, (Repair){.kind = REPAIR_CUT_BATCH, .axes = name});
        return;
    }
}

/* `read by data, node` or `read by none`, at the end of the data setting. `good`: the axes that shard the batch are
 * known. */
static void read_reader(Evaluation *e, bool good)
{
    const AstNode *setting = strategy_setting(e, "data");
    int at = setting != NULL ? find_read_by(&setting->setting.pieces) : -1;
    e->assignment->reader_axes = (AxisSet){0};
    for (int axis = 0; axis < e->decls->axes.count; axis++)
        if (strategy_cuts_batch(e->assignment, axis))
            e->assignment->reader_axes.axis[e->assignment->reader_axes.count++] = (int8_t)axis;
    e->assignment->reader_span = e->assignment->batch_span;
    if (at < 0)
        return;
    const AstList *pieces = &setting->setting.pieces;
    AstNames names = {0};
    e->assignment->reader_span = span_join(pieces->data[at]->span, pieces->data[pieces->count - 1]->span);
    for (int i = at + 2; i < pieces->count; i++) {
        const AstNode *piece = pieces->data[i];
        if (piece->kind == AST_NAME) {
            vec_push(e->ctx->arena, &names, piece->name);
        } else if (piece->kind != AST_MARK || strcmp(piece->mark.text, ",") != 0) {
            if (piece->kind != AST_ERROR)
                strategy_report(e, NULL, P0206, piece->span, "expected the axes that read, or 'none'");
            return;
        }
    }
    if (names.count == 0)
        strategy_report(e, NULL, P0208, e->assignment->reader_span,
                        "expected the axes that read, or 'none', after 'read by'");
    else if (names.count == 1 && strcmp(names.data[0].text, "none") == 0)
        e->assignment->reader_axes = (AxisSet){0};
    else if (strategy_axes(e, NULL, &names, &e->assignment->reader_axes) && good)
        check_reader(e);
}

static void read_seed(Evaluation *e)
{
    const AstNode *setting = strategy_setting(e, "seed");
    e->assignment->seed.base = e->train->seed;
    if (setting == NULL)
        return;
    e->assignment->seed_span = setting->span;
    if (setting->setting.pieces.count != 1)
        strategy_report(e, NULL, P0206, setting->span, "expected one expression, as in 'seed 1'");
    else
        strategy_seed(e, setting->setting.pieces.data[0], &e->assignment->seed);
}

/* ---- All ---------------------------------------------------------------------------------------------------- */

static void find_batch_axes(Evaluation *e)
{
    for (int axis = 0; axis < e->decls->axes.count; axis++) {
        const Request *request = strategy_winner(e, SUBJECT_ACTIVATIONS, axis, -1, 0);
        if (request == NULL || !request->rest || strcmp(request->dim, "batch") != 0)
            continue;
        bool copies = e->decls->axes.data[axis].copies;
        AxisSet *axes = copies ? &e->assignment->copy_axes : &e->assignment->batch_axes;
        if (e->assignment->batch_axes.count == 0)
            e->assignment->batch_span = request->span;
        axes->axis[axes->count++] = (int8_t)axis;
    }
}

static void list_declared_states(Evaluation *e)
{
    for (int i = 0; i < e->ast->items.count; i++)
        if (e->ast->items.data[i]->kind == AST_STATE)
            vec_push(e->ctx->arena, &e->assignment->declared_states, e->ast->items.data[i]->state.name.text);
}

static const AstNode *find_train(const Ast *ast)
{
    for (int i = 0; i < ast->items.count; i++)
        if (ast->items.data[i]->kind == AST_TRAIN)
            return ast->items.data[i];
    BUG("a strategy without a train");
}

/* What the strategies ask for, from which everything else follows. */
static void read_strategies(Evaluation *e)
{
    check_modes(e);
    list_declared_states(e);
    read_strategy(e);
    strategy_check_conflicts(e);
    strategy_check_declarations(e);
}

bool strategy_evaluate(Ctx *ctx, const Ast *ast, const Train *train, StrategyKnown known, Assignment *assignment)
{
    int errors = diag_error_count(ctx->diag);
    Evaluation e = {.ctx = ctx,
                    .ast = ast,
                    .prelude = parser_run_prelude(ctx),
                    .train_node = find_train(ast),
                    .train = train,
                    .decls = &train->decls,
                    .assignment = assignment,
                    .known = known,
                    .selects = known.model};
    e.assignment->train_span = e.train_node->span;
    read_strategies(&e);
    bool good = diag_error_count(ctx->diag) == errors;
    if (good)
        find_batch_axes(&e);
    read_reader(&e, good && known.axes);
    read_seed(&e);
    if (known.axes && known.model)
        strategy_make_units(&e);
    if (diag_error_count(ctx->diag) > errors || !known.axes || !known.settings || !known.model)
        return false;
    strategy_report_costs(&e);
    return true;
}
