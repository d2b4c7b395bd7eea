/* pins.c - statements of how values are computed (Pin, strategy/assign.h):
 *
 *     activations of *.scores computed over t by heads
 *     cotangents of block[0..3].norm2 computed over t whole
 *     gradients of head.weight recomputed over t in parts of logits from norm
 *
 * Which operators a pin names, and whether these can follow it, is known once there is a program (derive/pins.c).
 */
#include "strategy/internal.h"

#include <string.h>

static const char *const subject_names[] = {
    [PIN_ACTIVATIONS] = "activations", [PIN_COTANGENTS] = "cotangents", [PIN_GRADIENTS] = "gradients"};
enum { SUBJECTS = sizeof subject_names / sizeof *subject_names };

/* The word for operators wherever they run, and for those that are recomputed. */
static const char computed[] = "computed", recomputed[] = "recomputed";

const char *strategy_pin_subject(PinSubject subject)
{
    return subject_names[subject];
}

bool pin_is_position(const char *dim)
{
    return dim[0] != '\0' && dim[strspn(dim, "0123456789")] == '\0';
}

const char *pin_form_print(Arena *arena, const Pin *pin)
{
    static const char *const forms[] = {[PIN_BY] = "by", [PIN_WHOLE] = "whole", [PIN_PARTS] = "in parts"};
    Text text = {.arena = arena};
    text_add(&text, "%s", forms[pin->form]);
    if (pin->form == PIN_BY)
        text_add(&text, " %s", pin->dim);
    if (pin->form == PIN_BY && pin->of != NULL)
        text_add(&text, " of %s", pin->of);
    for (int i = 0; i < pin->parts.count; i++)
        text_add(&text, "%s%s", i == 0 ? " of " : ", ", pin->parts.data[i]);
    return text.data;
}

/* A mode that the program declares under one of these names is a mode. */
bool strategy_is_pin(const Evaluation *e, const AstPlacement *placement)
{
    const char *word = placement->mode.text;
    return (strcmp(word, computed) == 0 || strcmp(word, recomputed) == 0) &&
           strategy_find_declaration(e, AST_MODE, word) == NULL;
}

void strategy_add_pin_words(const Evaluation *e, NameVec *known)
{
    vec_push(e->ctx->arena, known, computed);
    vec_push(e->ctx->arena, known, recomputed);
}

bool strategy_report_unstored(const Evaluation *e, const Factor *factor, AstName state)
{
    const char *name = subject_names[PIN_COTANGENTS];
    if (strcmp(state.text, name) != 0)
        return false;
    Diagnostic *d = strategy_report(e, factor, P0206, state.span, "'%s' are placed like their values", name);
    diag_help(d, "Place `activations`, or say how they are computed: '%s of LABEL computed over AXIS by DIM'.", name);
    return true;
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

bool strategy_read_pin_subject(const Evaluation *e, const Factor *factor, AstName name, PinSubject *subject)
{
    NameVec known = {0};
    for (int i = 0; i < SUBJECTS; i++) {
        *subject = (PinSubject)i;
        if (strcmp(subject_names[i], name.text) == 0)
            return true;
        vec_push(e->ctx->arena, &known, subject_names[i]);
    }
    Diagnostic *d = strategy_report(e, factor, P0206, name.span, "'%s' are not computed", name.text);
    strategy_suggest(d, name.text, &known);
    diag_help(d, "Activations, cotangents and gradients are.");
    return false;
}

/* Of values, over axes, in exactly one of the forms. */
static bool check_form(const Evaluation *e, const Factor *factor, const AstPlacement *p)
{
    int forms = (p->by.text != NULL) + span_known(p->whole) + span_known(p->in_parts);
    if (p->selectors.count > 0 && p->axes.count > 0 && forms == 1)
        return true;
    const char *lacks = p->selectors.count == 0 ? "'of' and the values"
                        : p->axes.count == 0    ? "'over' and the axes"
                                                : "one of 'by', 'whole' and 'in parts'";
    Diagnostic *d = strategy_report(e, factor, P0208, p->mode.span, "'%s' needs %s", p->mode.text, lacks);
    if (strcmp(p->mode.text, "recomputed") == 0 && p->axes.count == 0)
        diag_help(d,
                  "Did you mean 'materialized'? So are values that are not kept, and computed again for the backward "
                  "pass.");
    diag_help(d, "Say '%s of LABEL %s over AXIS by DIM', for example.", p->state.text, p->mode.text);
    return false;
}

int strategy_range_count(const InLayers *layers)
{
    return layers->ranges.count > 0 ? layers->ranges.count : 1;
}

LayersOf strategy_range(const Evaluation *e, const InLayers *layers, int index)
{
    const LayersOf all = {-1, 0, INT64_MAX};
    if (layers->ranges.count == 0)
        return all;
    const Pick *range = &layers->ranges.data[index];
    bool is_all = range->first == 0 && range->last == e->decls->groups.data[layers->group].layers - 1;
    return is_all ? all : (LayersOf){layers->group, range->first, range->last};
}

const char *strategy_read_label(const Evaluation *e, const Factor *factor, const AstNode *selector, InLayers *layers)
{
    LayerRanges named = {0};
    const char *label = strategy_label_in_layers(e, factor, selector, &named);
    if (label == NULL || named.count == 0)
        return label;
    if (layers->ranges.count > 0) {
        Diagnostic *d = strategy_report(e, factor, P0208, selector->span, "layers are named twice");
        diag_help(d, "Name them where the value is named, or what it is computed from.");
        return NULL;
    }
    *layers = (InLayers){named, strategy_group_of_label(e, label)};
    return label;
}

bool strategy_read_labels(const Evaluation *e, const Factor *factor, const AstList *selectors, InLayers *layers,
                          Labels *labels)
{
    for (int i = 0; i < selectors->count; i++) {
        const char *label = layers != NULL ? strategy_read_label(e, factor, selectors->data[i], layers)
                                           : strategy_label(e, factor, selectors->data[i]);
        if (label == NULL)
            return false;
        vec_push(e->ctx->arena, labels, label);
    }
    return true;
}

/* What the form says; all but the value, and its layers and axis. */
static bool read_form(const Evaluation *e, const Factor *factor, const AstPlacement *p, Pin *pin)
{
    AstName by = strategy_read_by(factor, p);
    pin->form = span_known(p->whole) ? PIN_WHOLE : span_known(p->in_parts) ? PIN_PARTS : PIN_BY;
    if (pin->form == PIN_PARTS)
        return strategy_read_labels(e, factor, &p->parts, NULL, &pin->parts);
    if (pin->form == PIN_WHOLE)
        return true;
    pin->dim = by.text;
    if (by.text[0] >= '0' && by.text[0] <= '9' && !pin_is_position(by.text)) {
        strategy_report(e, factor, P0206, by.span, "expected the name of a dim, or its position");
        return false;
    }
    pin->of = p->by_of != NULL ? strategy_label(e, factor, p->by_of) : NULL;
    return !strategy_is_open(factor, by) && (p->by_of == NULL || pin->of != NULL);
}

/* ---- Adding ------------------------------------------------------------------------------------------------- */

/* Over every axis, in every range of layers. */
static void add_over(Evaluation *e, Pin pin, const AxisSet *axes, const InLayers *layers)
{
    for (int i = 0; i < strategy_range_count(layers) * axes->count; i++) {
        const LayersOf range = strategy_range(e, layers, i / axes->count);
        pin.group = range.group;
        pin.first = range.first;
        pin.last = range.last;
        pin.axis = axes->axis[i % axes->count];
        vec_push(e->ctx->arena, &e->assignment->pins, pin);
    }
}

void strategy_add_pin(Evaluation *e, const Factor *factor, const AstNode *node)
{
    const AstPlacement *p = &node->placement;
    Pin pin = {.again = strcmp(p->mode.text, recomputed) == 0,
               .optional = p->where.text != NULL,
               .span = strategy_user_span(factor, node->span)};
    AxisSet axes = {0};
    InLayers from = {0};
    bool holds = false;
    bool good = strategy_read_pin_subject(e, factor, p->state, &pin.subject) &&
                strategy_check_parts(e, factor, p, STATEMENT_COMPUTED) && check_form(e, factor, p);
    good = good && strategy_axes(e, factor, &p->axes, &axes) && strategy_read_where(e, factor, p->where);
    good = good && read_form(e, factor, p, &pin) && strategy_read_labels(e, factor, &p->from, &from, &pin.from);
    if (!good || !strategy_holds(e, factor, p->when, &holds) || !holds)
        return;
    for (int i = 0; i < p->selectors.count; i++) {
        const AstNode *selector = p->selectors.data[i];
        InLayers layers = from;
        pin.label = strategy_read_label(e, factor, selector, &layers);
        pin.label_span = strategy_user_span(factor, selector->span);
        if (pin.label == NULL)
            return;
        add_over(e, pin, &axes, &layers);
    }
}
