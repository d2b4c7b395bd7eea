/* converted.c - statements of the copies that readers of a value need in other placements (Converted,
 * strategy/assign.h):
 *
 *     activations of block.norm1 converted over t kept until step
 *     cotangents of *.mixed converted over c kept until use
 *     activations of memory converted over t at once
 *     cotangents of *.key converted over c by ring
 *     activations of *.key converted over c by ring for activations of *.scores
 *
 * Which values they name, and whether copies of these are made, is known once there is a program (derive/converted.c).
 */
#include "strategy/internal.h"

#include <string.h>

static const char converted[] = "converted";

static const char *const life_names[] = {[COPY_USE] = "use", [COPY_PASS] = "pass", [COPY_STEP] = "step"};

const char *copy_life_name(CopyLife life)
{
    return life_names[life];
}

static const char *const moment_names[] = {[COPY_AT_USE] = "use", [COPY_AT_ONCE] = "once"};

static const char *const way_names[] = {[COPY_BY_COLLECTIVE] = "collective", [COPY_BY_RING] = "ring"};

bool products_are_named(const ProductNames *products)
{
    return products->by_result || products->from.count > 0;
}

static void print_labels(Text *text, const char *before, const Labels *labels)
{
    for (int i = 0; i < labels->count; i++)
        text_add(text, "%s%s", i == 0 ? before : ", ", labels->data[i]);
}

const char *converted_print(Arena *arena, const Converted *request)
{
    Text text = {.arena = arena};
    if (request->has_way)
        text_add(&text, "by %s", way_names[request->way]);
    if (request->has_life)
        text_add(&text, "%skept until %s", text.length > 0 ? " " : "", life_names[request->life]);
    if (request->has_moment)
        text_add(&text, "%sat %s", text.length > 0 ? " " : "", moment_names[request->moment]);
    if (request->products.by_result)
        text_add(&text, " for %s", strategy_pin_subject(request->products.subject));
    print_labels(&text, " of ", &request->products.results);
    print_labels(&text, " from ", &request->products.from);
    return text.data;
}

/* A mode that the program declares under this name is a mode. */
bool strategy_is_converted(const Evaluation *e, const AstPlacement *placement)
{
    return strcmp(placement->mode.text, converted) == 0 && strategy_find_declaration(e, AST_MODE, converted) == NULL;
}

void strategy_add_converted_word(const Evaluation *e, NameVec *known)
{
    vec_push(e->ctx->arena, known, converted);
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

static bool read_subject(const Evaluation *e, const Factor *factor, AstName name, PinSubject *subject)
{
    static const PinSubject subjects[] = {PIN_ACTIVATIONS, PIN_COTANGENTS};
    NameVec known = {0};
    for (int i = 0; i < 2; i++) {
        *subject = subjects[i];
        if (strcmp(strategy_pin_subject(*subject), name.text) == 0)
            return true;
        vec_push(e->ctx->arena, &known, strategy_pin_subject(*subject));
    }
    Diagnostic *d = strategy_report(e, factor, P0206, name.span, "'%s' are not converted for readers", name.text);
    strategy_suggest(d, name.text, &known);
    diag_help(d, "Activations and cotangents are; what is converted of states follows from where they are stored.");
    return false;
}

/* Products are named where they differ: in how they get a value, and give it. */
static bool check_products(const Evaluation *e, const Factor *factor, const AstPlacement *p)
{
    bool by_result = p->computing.text != NULL;
    if ((!by_result && p->from.count == 0) || (p->by.text != NULL && p->kept.text == NULL && p->at.text == NULL))
        return true;
    Span span = by_result ? p->computing.span : p->from.data[0]->span;
    Diagnostic *d = strategy_report(e, factor, P0208, span, "only 'by ring' and 'by collective' are of some products");
    diag_help(d, "Copies are for all readers of the value: say how long they are kept, or when they are made, without "
                 "'for' and 'from'.");
    return false;
}

/* Of values, over axes, and how long copies are kept, when they are made, or by which way. */
static bool check_form(const Evaluation *e, const Factor *factor, const AstPlacement *p)
{
    if (!check_products(e, factor, p))
        return false;
    if (p->selectors.count > 0 && p->axes.count > 0 &&
        (p->kept.text != NULL || p->at.text != NULL || p->by.text != NULL))
        return true;
    const char *lacks = p->selectors.count == 0 ? "'of' and the values"
                        : p->axes.count == 0    ? "'over' and the axes"
                                                : "'kept until use', 'pass' or 'step', 'at once', or 'by ring'";
    Diagnostic *d = strategy_report(e, factor, P0208, p->mode.span, "'%s' needs %s", p->mode.text, lacks);
    diag_help(d, "Say '%s of LABEL %s over AXIS kept until step', for example.", p->state.text, p->mode.text);
    return false;
}

/* The backward pass is the last that reads a cotangent. */
static bool read_life(const Evaluation *e, const Factor *factor, AstName word, Converted *request)
{
    static const CopyLife lives[] = {
        [MODE_KEPT_USE] = COPY_USE, [MODE_KEPT_PASS] = COPY_PASS, [MODE_KEPT_STEP] = COPY_STEP};
    ModeKept kept;
    if (word.text == NULL)
        return true;
    if (!mode_read_kept(e->ctx, word, &kept))
        return false;
    request->has_life = true;
    request->life = lives[kept];
    if (request->subject != PIN_COTANGENTS || request->life != COPY_STEP)
        return true;
    Diagnostic *d = strategy_report(e, factor, P0206, word.span, "no pass after the backward pass reads a cotangent");
    diag_help_edit(d, word.span, life_names[COPY_PASS], "Say 'kept until pass'.");
    return false;
}

/* One of two words, if one is given. */
static bool read_word(const Evaluation *e, const Factor *factor, AstName word, const char *const *names, int *index)
{
    NameVec known = {0};
    for (int i = 0; i < 2 && word.text != NULL; i++) {
        *index = i;
        if (strcmp(names[i], word.text) == 0)
            return true;
        vec_push(e->ctx->arena, &known, names[i]);
    }
    if (word.text == NULL)
        return true;
    Diagnostic *d = strategy_report(e, factor, P0201, word.span, "unknown word '%s' of a conversion", word.text);
    strategy_suggest(d, word.text, &known);
    diag_help(d, "Expected here: '%s', '%s'.", names[0], names[1]);
    return false;
}

static bool read_moment_and_way(const Evaluation *e, const Factor *factor, const AstPlacement *p, Converted *request)
{
    int moment = 0, way = 0;
    bool good = read_word(e, factor, p->at, moment_names, &moment) && read_word(e, factor, p->by, way_names, &way);
    request->has_moment = p->at.text != NULL;
    request->moment = (CopyMoment)moment;
    request->has_way = p->by.text != NULL;
    request->way = (CopyWay)way;
    return good;
}

/* What the products compute, and what else they read. */
static bool read_products(const Evaluation *e, const Factor *factor, const AstPlacement *p, ProductNames *products)
{
    products->by_result = p->computing.text != NULL;
    if (products->by_result && !strategy_read_pin_subject(e, factor, p->computing, &products->subject))
        return false;
    return strategy_read_labels(e, factor, &p->computed, NULL, &products->results) &&
           strategy_read_labels(e, factor, &p->from, NULL, &products->from);
}

/* ---- Adding ------------------------------------------------------------------------------------------------- */

/* Over every axis, in every range of layers. */
static void add_over(Evaluation *e, Converted request, const AxisSet *axes, const InLayers *layers)
{
    for (int i = 0; i < strategy_range_count(layers) * axes->count; i++) {
        const LayersOf range = strategy_range(e, layers, i / axes->count);
        request.group = range.group;
        request.first = range.first;
        request.last = range.last;
        request.axis = axes->axis[i % axes->count];
        vec_push(e->ctx->arena, &e->assignment->converted, request);
    }
}

void strategy_add_converted(Evaluation *e, const Factor *factor, const AstNode *node)
{
    const AstPlacement *p = &node->placement;
    Converted request = {.optional = p->where.text != NULL, .span = strategy_user_span(factor, node->span)};
    AxisSet axes = {0};
    bool holds = false;
    bool good = read_subject(e, factor, p->state, &request.subject) &&
                strategy_check_parts(e, factor, p, STATEMENT_CONVERTED) && check_form(e, factor, p);
    good = good && strategy_axes(e, factor, &p->axes, &axes) && strategy_read_where(e, factor, p->where);
    good = good && read_life(e, factor, p->kept, &request) && read_moment_and_way(e, factor, p, &request);
    good = good && read_products(e, factor, p, &request.products);
    if (!good || !strategy_holds(e, factor, p->when, &holds) || !holds)
        return;
    for (int i = 0; i < p->selectors.count; i++) {
        const AstNode *selector = p->selectors.data[i];
        InLayers layers = {0};
        request.label = strategy_read_label(e, factor, selector, &layers);
        request.label_span = strategy_user_span(factor, selector->span);
        if (request.label == NULL)
            return;
        add_over(e, request, &axes, &layers);
    }
}
