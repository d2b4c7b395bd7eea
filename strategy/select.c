/* select.c - selectors: which parameters, in which layers, a path names.
 *
 * `wte.table` is one parameter, `block.attn` all parameters below a label, `block[0..3].mlp` the same in some layers
 * only.
 */
#include "base/change.h"
#include "parser/resolve.h"
#include "reference/model.h"
#include "strategy/internal.h"

#include <string.h>

typedef struct Segment {
    AstName name;
    const AstNode *index; /* NULL: all layers */
} Segment;

typedef Vec(Segment) Path;

static bool flatten(const Evaluation *e, const AstNode *node, Path *path)
{
    Segment segment = {0};
    if (node->kind == AST_INDEX) {
        segment.index = node;
        node = node->index.object;
    }
    if (node->kind == AST_MEMBER) {
        if (!flatten(e, node->member.object, path))
            return false;
        segment.name = node->member.name;
    } else if (node->kind == AST_NAME) {
        segment.name = node->name;
    } else if (node->kind == AST_ANY) {
        segment.name = (AstName){"*", node->span};
    } else {
        return false;
    }
    vec_push(e->ctx->arena, path, segment);
    return true;
}

/* What a parameter of the strategy stands for, and whose parameters that may name; the selector itself if it is not a
 * parameter; NULL if that is open. */
static const AstNode *bound_selector(const Factor **factor, const AstNode *selector)
{
    for (int i = 0; selector->kind == AST_NAME && *factor != NULL && i < (*factor)->bindings.count; i++) {
        const Binding *binding = &(*factor)->bindings.data[i];
        if (binding->axis < 0 && binding->name.text == selector->name.text) {
            *factor = binding->scope;
            return binding->value;
        }
    }
    return selector;
}

static const char *path_text(const Evaluation *e, const Path *path)
{
    Text text = {.arena = e->ctx->arena};
    for (int i = 0; i < path->count; i++)
        text_add(&text, "%s%s", i > 0 ? "." : "", path->data[i].name.text);
    return text.data;
}

/* Is it the parameter itself, or one below the label? */
static bool is_below(const char *tensor, const char *path)
{
    size_t length = strlen(path);
    return strncmp(tensor, path, length) == 0 && (tensor[length] == '\0' || tensor[length] == '.');
}

bool label_matches(const char *label, const char *name)
{
    if (strncmp(label, "*.", 2) != 0)
        return is_below(name, label);
    for (const char *dot = strchr(name, '.'); dot != NULL; dot = strchr(dot + 1, '.'))
        if (is_below(dot + 1, label + 2))
            return true;
    return false;
}

bool label_names(const char *label, const char *name)
{
    if (strncmp(label, "*.", 2) != 0)
        return strcmp(label, name) == 0;
    size_t length = strlen(name), end = strlen(label) - 1;
    return length >= end && strcmp(name + length - end, label + 1) == 0;
}

int label_specificity(const char *label)
{
    int labels = label != NULL && strncmp(label, "*.", 2) != 0;
    for (const char *dot = label; dot != NULL && (dot = strchr(dot, '.')) != NULL; dot++)
        labels++;
    return labels;
}

static void add_path(const Evaluation *e, NameVec *known, const char *path)
{
    for (int i = 0; i < known->count; i++)
        if (strcmp(known->data[i], path) == 0)
            return;
    vec_push(e->ctx->arena, known, path);
}

/* Every label and parameter, for suggestions. */
static void collect_paths(const Evaluation *e, NameVec *known)
{
    for (int i = 0; i < e->decls->tensors.count; i++) {
        const Tensor *tensor = &e->decls->tensors.data[i];
        if (tensor->kind != TENSOR_PARAMETER)
            continue;
        for (const char *end = strchr(tensor->name, '.'); end != NULL; end = strchr(end + 1, '.'))
            add_path(e, known, arena_copy(e->ctx->arena, tensor->name, (size_t)(end - tensor->name)));
        add_path(e, known, tensor->name);
    }
}

/* Of a path that names nothing: a known one; after the same labels, or '*', a known last label; or what there is. */
static void suggest_path(const Evaluation *e, Diagnostic *d, const char *path)
{
    NameVec known = {0}, last = {0};
    collect_paths(e, &known);
    const char *dot = strrchr(path, '.');
    size_t before = dot != NULL ? (size_t)(dot + 1 - path) : 0;
    bool any = strncmp(path, "*.", 2) == 0 && before == 2;
    for (int i = 0; i < known.count; i++) {
        const char *name = known.data[i], *end = strrchr(name, '.');
        if (end != NULL && (any || ((size_t)(end + 1 - name) == before && strncmp(name, path, before) == 0)))
            vec_push(e->ctx->arena, &last, end + 1);
    }
    const char *near = dot != NULL ? diag_suggest(dot + 1, last.data, last.count) : NULL;
    if (near != NULL && diag_suggest(path, known.data, known.count) == NULL)
        diag_help_name(d, dot + 1, near);
    else
        resolve_suggest(e->ctx, d, path, known.data, known.count);
}

/* The layers that the index of a path names: a list of ranges. */
typedef struct Layers {
    LayerRanges ranges;
    bool all;
} Layers;

static bool read_layer(const Evaluation *e, const Factor *factor, const AstNode *node, const Group *group,
                       int64_t *layer)
{
    if (!strategy_integer(e, factor, node, layer))
        return false;
    if (*layer >= 0 && *layer < group->layers)
        return true;
    Diagnostic *d =
        strategy_report(e, factor, P0207, node->span, "'%s' has no layer %lld", group->name, (long long)*layer);
    diag_note(d, "Its layers are 0 to %lld.", (long long)group->layers - 1);
    return false;
}

static bool read_layers(const Evaluation *e, const Factor *factor, const AstNode *index, const Group *group,
                        Layers *layers)
{
    for (int i = 0; i < index->index.items.count; i++) {
        const AstNode *item = index->index.items.data[i];
        Pick range = {0};
        if (item->kind == AST_ANY) {
            layers->all = true;
            continue;
        }
        bool is_range = item->kind == AST_RANGE;
        if (!read_layer(e, factor, is_range ? item->range.first : item, group, &range.first) ||
            !read_layer(e, factor, is_range ? item->range.last : item, group, &range.last))
            return false;
        if (range.first > range.last) {
            strategy_report(e, factor, P0207, item->span, "the range %lld..%lld has no layers", (long long)range.first,
                            (long long)range.last);
            return false;
        }
        vec_push(e->ctx->arena, &layers->ranges, range);
    }
    return true;
}

static void suggest_groups(const Evaluation *e, Diagnostic *d)
{
    Text list = {.arena = e->ctx->arena};
    for (int g = 0; g < e->decls->groups.count; g++)
        text_add(&list, "%s'%s'", g > 0 ? ", " : "", e->decls->groups.data[g].name);
    if (list.length > 0)
        diag_help(d, "Repeated here: %s.", list.data);
}

/* The layers a path names; only its first label can be a repeated block. */
static bool path_layers(const Evaluation *e, const Factor *factor, const Path *path, Layers *layers)
{
    *layers = (Layers){.all = true};
    for (int i = 0; i < path->count; i++) {
        const Segment *segment = &path->data[i];
        if (segment->index == NULL)
            continue;
        const Group *group = NULL;
        for (int g = 0; i == 0 && g < e->decls->groups.count; g++)
            if (strcmp(e->decls->groups.data[g].name, segment->name.text) == 0)
                group = &e->decls->groups.data[g];
        if (group == NULL) {
            Diagnostic *d = strategy_report(e, factor, P0206, segment->index->span,
                                            "'%s' is not a repeated block and has no layers", segment->name.text);
            suggest_groups(e, d);
            return false;
        }
        layers->all = false;
        if (!read_layers(e, factor, segment->index, group, layers))
            return false;
    }
    return true;
}

static bool read_path(const Evaluation *e, const Factor *factor, const AstNode *selector, Path *path)
{
    bool good = flatten(e, selector, path);
    if (!good && selector->kind != AST_ERROR)
        strategy_report(e, factor, P0206, selector->span, "expected a label, as in 'block[0..3].mlp'");
    return good;
}

static bool select_path(const Evaluation *e, const Factor *factor, const AstNode *node, bool optional,
                        Selection *selection)
{
    Path path = {0};
    Layers layers;
    node = bound_selector(&factor, node);
    if (node == NULL)
        return true;
    if (!read_path(e, factor, node, &path))
        return false;
    const char *text = path_text(e, &path);
    bool any = path.data[0].name.text[0] == '*';
    int before = selection->picks.count, specificity = 2 * (path.count - any);
    if (!path_layers(e, factor, &path, &layers))
        return false;
    for (int i = 0; i < e->decls->tensors.count; i++) {
        const Tensor *tensor = &e->decls->tensors.data[i];
        if (tensor->kind != TENSOR_PARAMETER || !label_matches(text, tensor->name))
            continue;
        int64_t last = tensor->group >= 0 ? e->decls->groups.data[tensor->group].layers - 1 : 0;
        if (layers.all)
            vec_push(e->ctx->arena, &selection->picks, (Pick){i, 0, last, specificity});
        for (int r = 0; !layers.all && r < layers.ranges.count; r++) {
            const Pick *range = &layers.ranges.data[r];
            vec_push(e->ctx->arena, &selection->picks, (Pick){i, range->first, range->last, specificity + 1});
        }
    }
    if (selection->picks.count > before || optional)
        return true;
    suggest_path(e, strategy_report(e, factor, P0201, node->span, "no parameter is called '%s' or is below it", text),
                 text);
    return false;
}

static bool is_all_layers(const AstNode *index)
{
    return index->index.items.count == 1 && index->index.items.data[0]->kind == AST_ANY;
}

const char *strategy_label_in_layers(const Evaluation *e, const Factor *factor, const AstNode *selector,
                                     LayerRanges *ranges)
{
    Path path = {0};
    Layers layers;
    selector = bound_selector(&factor, selector);
    if (selector == NULL || !read_path(e, factor, selector, &path) || !path_layers(e, factor, &path, &layers))
        return NULL;
    *ranges = layers.all ? (LayerRanges){0} : layers.ranges;
    return path_text(e, &path);
}

const char *strategy_label(const Evaluation *e, const Factor *factor, const AstNode *selector)
{
    Path path = {0};
    selector = bound_selector(&factor, selector);
    if (selector == NULL || !read_path(e, factor, selector, &path))
        return NULL;
    for (int i = 0; i < path.count; i++)
        if (path.data[i].index != NULL && !is_all_layers(path.data[i].index)) {
            strategy_report(e, factor, P0290, selector->span, "activations in some layers only are not supported yet");
            return NULL;
        }
    return path_text(e, &path);
}

int strategy_dim_of(const Evaluation *e, int tensor, const char *dim)
{
    const Tensor *t = &e->decls->tensors.data[tensor];
    for (int i = 0; i < t->dim_count; i++)
        if (t->dim_names[i] != NULL && strcmp(t->dim_names[i], dim) == 0)
            return i;
    return -1;
}

static void report_dim(const Evaluation *e, const Factor *factor, AstName dim, const Tensor *tensor, bool others)
{
    NameVec known = {0};
    Text list = {.arena = e->ctx->arena};
    for (int i = 0; i < tensor->dim_count; i++)
        if (tensor->dim_names[i] != NULL) {
            vec_push(e->ctx->arena, &known, tensor->dim_names[i]);
            text_add(&list, "%s'%s'", list.length > 0 ? ", " : "", tensor->dim_names[i]);
        }
    Diagnostic *d = strategy_report(e, factor, P0201, dim.span, "'%s' has no dim '%s'", tensor->name, dim.text);
    strategy_suggest(d, dim.text, &known);
    if (list.length > 0)
        diag_note(d, "Its dims are %s.", list.data);
    if (others)
        diag_help_edit(d, (Span){dim.span.source, dim.span.end, dim.span.end}, " where present",
                       "Write `where present` to leave out parameters without that dim.");
}

bool strategy_check_dim(const Evaluation *e, const Factor *factor, AstName dim)
{
    NameVec known = {0};
    if (!e->selects || model_names_dim(e->ctx, e->decls, dim.text, &known))
        return true;
    strategy_suggest(strategy_report(e, factor, P0201, dim.span, "no model has a dim '%s'", dim.text), dim.text,
                     &known);
    return false;
}

bool strategy_select_dim(const Evaluation *e, const Factor *factor, AstName dim, bool optional, Selection *selection)
{
    Selection all = *selection;
    *selection = (Selection){0};
    if (optional && !strategy_check_dim(e, factor, dim))
        return false;
    int lacking = -1; /* the first one without such a dim */
    for (int i = 0; i < all.picks.count; i++) {
        const Pick *pick = &all.picks.data[i];
        if (strategy_dim_of(e, pick->tensor, dim.text) >= 0)
            vec_push(e->ctx->arena, &selection->picks, *pick);
        else if (lacking < 0)
            lacking = pick->tensor;
    }
    if (optional || lacking < 0)
        return true;
    report_dim(e, factor, dim, &e->decls->tensors.data[lacking], selection->picks.count > 0);
    return false;
}

static bool picks_overlap(const Pick *a, const Pick *b)
{
    return a->tensor == b->tensor && a->first <= b->last && b->first <= a->last;
}

/* Reports a selector that names a parameter and layer again, as specifically as an earlier selector or its own list. */
static bool check_repeated(const Evaluation *e, const Factor *factor, const AstNode *node, const Selection *selection,
                           int before)
{
    for (int i = before; i < selection->picks.count; i++)
        for (int j = 0; j < i; j++) {
            const Pick *pick = &selection->picks.data[i], *other = &selection->picks.data[j];
            if (pick->specificity != other->specificity || !picks_overlap(pick, other))
                continue;
            return strategy_report_idle(
                e, factor, node->span,
                arena_printf(e->ctx->arena, "the selector names '%s' again", e->decls->tensors.data[pick->tensor].name),
                "Naming it twice in one statement has no effect.", NULL);
        }
    return true;
}

bool strategy_select(const Evaluation *e, const Factor *factor, const AstList *selectors, bool optional,
                     Selection *selection)
{
    *selection = (Selection){0};
    bool ok = true;
    if (!e->selects)
        return true;
    for (int i = 0; i < selectors->count; i++) {
        int before = selection->picks.count;
        ok &= select_path(e, factor, selectors->data[i], optional, selection) &&
              check_repeated(e, factor, selectors->data[i], selection, before);
    }
    for (int i = 0; selectors->count == 0 && i < e->decls->tensors.count; i++) {
        const Tensor *tensor = &e->decls->tensors.data[i];
        int64_t last = tensor->group >= 0 ? e->decls->groups.data[tensor->group].layers - 1 : 0;
        if (tensor->kind == TENSOR_PARAMETER)
            vec_push(e->ctx->arena, &selection->picks, (Pick){i, 0, last, 0});
    }
    return ok;
}

int selection_specificity(const Selection *selection, int tensor, int64_t layer)
{
    int specificity = -1;
    for (int i = 0; i < selection->picks.count; i++) {
        const Pick *pick = &selection->picks.data[i];
        if (pick->tensor == tensor && pick->first <= layer && layer <= pick->last && pick->specificity > specificity)
            specificity = pick->specificity;
    }
    return specificity;
}

bool selections_overlap(const Selection *x, const Selection *y)
{
    for (int i = 0; i < x->picks.count; i++)
        for (int j = 0; j < y->picks.count; j++)
            if (picks_overlap(&x->picks.data[i], &y->picks.data[j]))
                return true;
    return false;
}

bool selections_clash(const Selection *x, const Selection *y)
{
    for (int i = 0; i < x->picks.count; i++)
        for (int j = 0; j < y->picks.count; j++) {
            const Pick *a = &x->picks.data[i], *b = &y->picks.data[j];
            if (a->specificity == b->specificity && picks_overlap(a, b))
                return true;
        }
    return false;
}

/* The last layer, from `layer` on, up to which the selection names what `pick` names, more specifically by at least
 * `margin`; layer - 1 if it does not. */
static int64_t hidden_until(const Selection *selection, const Pick *pick, int margin, int64_t layer)
{
    int64_t until = layer - 1;
    for (int i = 0; i < selection->picks.count; i++) {
        const Pick *range = &selection->picks.data[i];
        if (range->tensor == pick->tensor && range->specificity >= pick->specificity + margin &&
            range->first <= layer && range->last > until)
            until = range->last;
    }
    return until;
}

static bool hides(const Selection *selection, const Selection *hidden, int margin)
{
    for (int i = 0; i < hidden->picks.count; i++) {
        const Pick *pick = &hidden->picks.data[i];
        int64_t layer = pick->first;
        while (layer <= pick->last) {
            int64_t until = hidden_until(selection, pick, margin, layer);
            if (until < layer)
                return false;
            layer = until + 1;
        }
    }
    return true;
}

bool selection_hides_earlier(const Selection *selection, const Selection *hidden)
{
    return hides(selection, hidden, 0);
}

bool selection_hides_later(const Selection *selection, const Selection *hidden)
{
    return hides(selection, hidden, 1);
}
