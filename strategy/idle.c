/* idle.c - statements of strategies that have no effect (P0210): what is written and cannot be done, or repeats what
 * already holds, is an error rather than ignored. */
#include "base/change.h"
#include "strategy/internal.h"

#include <string.h>

/* A statement that asks for something that has no effect. */
bool strategy_report_idle(const Evaluation *e, const Factor *factor, Span span, const char *what, const char *why,
                          const char *help)
{
    Diagnostic *d = strategy_report(e, factor, P0210, span, "%s", what);
    diag_why(d, "%s", why);
    if (help != NULL)
        diag_help(d, "%s", help);
    else
        diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = span});
    return false;
}

/* There are copies of parameters that are stored sharded, of states that are not stored on the device, and of
 * activations. */
bool strategy_check_copies(const Evaluation *e, const PlacementStatement *s)
{
    const Factor *factor = s->factor;
    const AstPlacement *placement = s->text;
    Subject subject = s->subject;
    const Mode *mode = &s->mode;
    bool gathers = mode->rest == MODE_SHARDED && mode->use == MODE_REPLICATED;
    bool given = placement->kept.text != NULL;
    if (gathers && subject != SUBJECT_PARAMETERS && subject != SUBJECT_ACTIVATIONS) {
        const char *name = strategy_subject_name(e, subject);
        Diagnostic *d = strategy_report(e, factor, P0210, placement->mode.span, "nothing gathers '%s'", name);
        diag_why(d, "Only updates read these states, and they work on the shards as stored.");
        diag_help_edit(d, placement->mode.span, "sharded", "Say '%s sharded over ...'.", name);
        return false;
    }
    if (gathers || mode->made_by == MODE_MADE_BY_ROTATION || mode->made_by == MODE_MADE_BY_RECOMPUTATION)
        return true;
    bool of_values = subject == SUBJECT_ACTIVATIONS && mode->kept != MODE_KEPT_STEP;
    if (mode->tier != TIER_DEVICE && (mode->kept == MODE_KEPT_PASS || of_values))
        return true;
    if (mode->tier != TIER_DEVICE) {
        strategy_report(
            e, factor, P0290, given ? placement->kept.span : placement->mode.span,
            "keeping the device's copy of what is stored on another tier for anything but a pass is not supported yet");
        return false;
    }
    bool of_mode = span_known(mode->kept_span) || mode->made_by != MODE_MADE_BY_NOTHING;
    if (!given && (!of_mode || placement->tier.text != NULL)) /* a mode of other tiers, on the device: seen elsewhere */
        return true;
    return strategy_report_idle(e, factor, given ? placement->kept.span : placement->mode.span,
                                "there is no copy to keep",
                                "What is used as it is stored, on the device, needs no copy.",
                                given ? NULL : "Leave 'made by' and 'kept until' out of the mode.");
}

/* `where present` leaves out what a selector does not name, or parameters without the dim. */
bool strategy_check_present(const Evaluation *e, const PlacementStatement *s)
{
    if (!s->present || s->text->selectors.count > 0 || s->dim != NULL)
        return true;
    return strategy_report_idle(e, s->factor, s->text->where.span, "'where present' has no effect",
                                "It leaves out selectors that name nothing, and parameters without the dim; this "
                                "statement has neither selector nor dim.",
                                NULL);
}

/* Frozen parameters have no gradient, and no state that an update keeps. If a model is served none of its parameters
 * has: then what a strategy says of these is for trains that use it, too. */
bool strategy_check_frozen(const Evaluation *e, const PlacementStatement *s, const Selection *selection)
{
    bool trainable = s->subject == SUBJECT_PARAMETERS || selection->picks.count == 0;
    for (int i = 0; i < selection->picks.count; i++)
        trainable |= e->decls->tensors.data[selection->picks.data[i].tensor].trainable;
    if (trainable || s->present || e->train->serves)
        return true;
    return strategy_report_idle(e, s->factor, s->text->state.span,
                                arena_printf(e->ctx->arena, "these parameters have no '%s'", s->text->state.text),
                                "They are frozen: no update changes them.", NULL);
}

bool strategy_is_one_number(const Evaluation *e, const char *name)
{
    for (int i = 0; i < e->ast->items.count; i++) {
        const AstNode *item = e->ast->items.data[i];
        if (item->kind != AST_STATE || item->state.name.text == NULL || strcmp(item->state.name.text, name) != 0)
            continue;
        for (int k = 0; k < item->state.body.count; k++) {
            const AstNode *setting = item->state.body.data[k];
            if (setting->kind == AST_SETTING && setting->setting.key.text != NULL &&
                strcmp(setting->setting.key.text, "one") == 0)
                return setting->setting.pieces.count == 0;
        }
    }
    return false;
}

/* Is a statement under the condition of this parameter alone? */
static bool is_under(const AstNode *statement, const char *parameter)
{
    const AstNode *when = statement->kind == AST_PLACEMENT ? statement->placement.when : NULL;
    return when != NULL && when->kind == AST_NAME && when->name.text == parameter;
}

/* What selectors with `where present` leave of a call, and of an argument that is `true`. */
void strategy_check_asked(const Evaluation *e, const Factor *factor, const bool *asks)
{
    const AstStrategy *strategy = &factor->declaration->strategy;
    bool any = strategy->body.count == 0;
    for (int i = 0; i < strategy->body.count; i++)
        any |= asks[i];
    if (!any && factor->in_prelude) {
        Diagnostic *d = strategy_report(e, NULL, P0210, factor->call_span, "'%s' has no effect", strategy->name.text);
        diag_why(d, "The model has nothing that its statements name.");
        diag_help(d, "Leave it out.");
    }
    for (int b = 0; b < factor->bindings.count && any; b++) {
        const Binding *binding = &factor->bindings.data[b];
        bool used = binding->is_default || binding->value == NULL || !strategy_is_truth(binding->value) ||
                    strcmp(binding->value->name.text, "true") != 0,
             conditional = false;
        for (int i = 0; i < strategy->body.count; i++) {
            conditional |= is_under(strategy->body.data[i], binding->name.text);
            used |= asks[i] && is_under(strategy->body.data[i], binding->name.text);
        }
        if (!used && conditional)
            strategy_report_idle(e, NULL, binding->span,
                                 arena_printf(e->ctx->arena, "'%s' has no effect", binding->name.text),
                                 "The model has nothing that the statements that depend on it name.", "Leave it out.");
    }
}

bool strategy_check_state(const Evaluation *e, const PlacementStatement *s)
{
    if (s->subject < SUBJECT_COUNT || !strategy_is_one_number(e, s->text->state.text))
        return true;
    return strategy_report_idle(e, s->factor, s->text->state.span,
                                arena_printf(e->ctx->arena, "'%s' is one number", s->text->state.text),
                                "Every rank has it, on the device: it can be neither sharded nor offloaded.", NULL);
}
