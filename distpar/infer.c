/* infer.c - the two plans of a model: as its file says, and the cheapest (distpar/infer.h). */
#include "distpar/infer.h"

#include "derive/choices.h"
#include "distpar/read.h"
#include "distpar/state.h"

#include <string.h>

static const double beta_by_default = 0.1;

/* ---- The axis --------------------------------------------------------------------------------------------------- */

static const char *axes_text(const Inferred *inferred, const AxisSet *axes)
{
    const Decls *decls = &inferred->train->decls;
    Text text = {.arena = inferred->ctx->arena};
    for (int i = 0; i < (axes ? axes->count : decls->axes.count); i++)
        text_add(&text, "%s'%s'", i > 0 ? ", " : "", decls->axes.data[axes ? axes->axis[i] : i].name);
    return text.data;
}

static int named_axis(Inferred *inferred, const char *name)
{
    const Decls *decls = &inferred->train->decls;
    for (int i = 0; i < decls->axes.count; i++)
        if (strcmp(decls->axes.data[i].name, name) == 0)
            return i;
    inferred->failure = arena_printf(inferred->ctx->arena, "the mesh '%s' has no axis '%s'; it has %s",
                                     inferred->train->mesh_name, name, axes_text(inferred, NULL));
    return -1;
}

/* The one that shards the batch, or the only one. */
static int batch_axis(Inferred *inferred, const Assignment *assignment)
{
    if (assignment->batch_axes.count == 1)
        return assignment->batch_axes.axis[0];
    if (inferred->train->decls.axes.count == 1)
        return 0;
    bool none = assignment->batch_axes.count == 0;
    inferred->failure = arena_printf(inferred->ctx->arena, "%s shard%s the batch; --axis takes one of %s",
                                     none ? "no axis" : "several axes", none ? "s" : "",
                                     axes_text(inferred, none ? NULL : &assignment->batch_axes));
    return -1;
}

static bool find_axis(Inferred *inferred, const Assignment *assignment, const char *name, int *axis)
{
    const Train *train = inferred->train;
    if (train->serves) {
        inferred->failure =
            arena_printf(inferred->ctx->arena, "'%s' is served; DistPar costs a step of training", train->decls.name);
        return false;
    }
    *axis = name != NULL ? named_axis(inferred, name) : batch_axis(inferred, assignment);
    if (*axis < 0)
        return false;
    inferred->axis = train->decls.axes.data[*axis].name;
    inferred->devices = (int)train->decls.axes.data[*axis].size;
    if (train->decls.axes.data[*axis].copies)
        inferred->failure =
            arena_printf(inferred->ctx->arena, "along '%s' are copies, each of which trains by itself", inferred->axis);
    return inferred->failure == NULL;
}

/* ---- What the strategy says ---------------------------------------------------------------------------------------
 */

/* How an operator of the step program was placed in some layers. */
typedef struct PlacedOp {
    const OpChoice *choice;
    int64_t first, last;
} PlacedOp;

typedef Vec(PlacedOp) PlacedOps;

typedef struct Mapping {
    Ctx *ctx;
    const Program *reference;
    int axis;
    const char *axis_name;
    PlacedOps *ops; /* by id */
    const char *why_not;
} Mapping;

static void collect(Mapping *mapping, const ChosenList *list, int64_t first, int64_t last)
{
    for (int i = 0; i < list->count; i++) {
        const Chosen *chosen = &list->data[i];
        if (chosen->kind == CHOSEN_OP)
            vec_push(mapping->ctx->arena, &mapping->ops[chosen->op->op->id], (PlacedOp){chosen->op, first, last});
        else if (chosen->kind == CHOSEN_LAYERS)
            collect(mapping, &chosen->layers->body, chosen->layers->first, chosen->layers->last);
    }
}

static const OpChoice *choice_of(const Mapping *mapping, const Op *op, int64_t layer)
{
    const PlacedOps *placed = &mapping->ops[op->id];
    for (int i = 0; i < placed->count; i++)
        if (placed->data[i].first <= layer && layer <= placed->data[i].last)
            return placed->data[i].choice;
    return NULL;
}

static const char *side_name(const Mapping *mapping, const ModelSide *side)
{
    const Ref *ref = side->operand < 0 ? &side->op->out : &side->op->operand[side->operand];
    return mapping->reference->buffers.data[ref->buffer].name;
}

static void set_why_not(Mapping *mapping, const char *text)
{
    if (mapping->why_not == NULL)
        mapping->why_not = text;
}

/* The properties that a placement is; none: it is no property. What no device stores can be anything. */
static PropertySet properties_of(Mapping *mapping, const ModelSide *side, int64_t layer)
{
    const OpChoice *made = choice_of(mapping, side->op, layer);
    if (made == NULL)
        return PROPERTY_ANY;
    const Placement *place = side->operand < 0 ? &made->choice.result : &made->choice.operand[side->operand];
    OnAxis on = place->axis[mapping->axis];
    switch ((PlacedKind)on.kind) {
    case PLACED_REPLICATED:
        return PROPERTY_SET(REPLICATED) | PROPERTY_SET(INVARIANT);
    case PLACED_SHARDED:
        if (side->batch & 1u << on.dim)
            return PROPERTY_SET(ROWS);
        if (on.dim == side->columns)
            return PROPERTY_SET(COLUMNS);
        set_why_not(mapping, arena_printf(mapping->ctx->arena,
                                          "'%s' is sharded over '%s', neither by the batch nor by its columns",
                                          side_name(mapping, side), mapping->axis_name));
        return 0;
    case PLACED_PARTIAL:
        return PROPERTY_SET(PARTIAL);
    case PLACED_AT:
        return PROPERTY_SET(ONE);
    case PLACED_VARYING:
        set_why_not(mapping, arena_printf(mapping->ctx->arena, "'%s' varies over '%s'", side_name(mapping, side),
                                          mapping->axis_name));
        return 0;
    }
    BUG("a placement of no kind");
}

/* Restricts an operator to what the strategy does. Its loss may have any property: it is a few numbers. */
static void map_operator(Mapping *mapping, const ModelOperator *from, GraphOperator *to)
{
    for (int i = 0; i < to->input_count; i++)
        to->inputs &= properties_of(mapping, &from->input[i], from->layer);
    if (to->operation != CHAIN_LOSS)
        to->outputs &= properties_of(mapping, &from->output, from->layer);
    const OpChoice *made = choice_of(mapping, from->output.op, from->layer);
    if (made != NULL && made->choice.ring.turns && made->choice.ring.axis == mapping->axis)
        set_why_not(mapping, arena_printf(mapping->ctx->arena, "'%s' is computed step by step around '%s'", from->name,
                                          mapping->axis_name));
    if (!graph_has_signature(to))
        set_why_not(mapping, arena_printf(mapping->ctx->arena, "no operator of DistPar reads and writes as '%s' does",
                                          from->name));
}

/* The same graph as the strategy places it; NULL, with the reason, if it has placements that are no properties. */
static const GraphOperator *map_strategy(Mapping *mapping, const Assignment *assignment, const Choices *choices,
                                         const Model *model)
{
    Arena *arena = mapping->ctx->arena;
    if (assignment->pipeline.requested && assignment->pipeline.axis == mapping->axis) {
        set_why_not(mapping, arena_printf(arena, "the layers are divided over '%s'", mapping->axis_name));
        return NULL;
    }
    mapping->ops = arena_array(arena, PlacedOps, mapping->reference->op_count + 1);
    for (int i = 0; i < mapping->reference->routines.count; i++) {
        const RoutineChoices *routine = &choices->routines[i];
        if (mapping->reference->routines.data[i].kind != ROUTINE_STEP)
            continue;
        collect(mapping, &routine->early_body, 0, INT64_MAX);
        collect(mapping, &routine->between, 0, INT64_MAX);
        collect(mapping, &routine->body, 0, INT64_MAX);
    }
    GraphOperator *operators = arena_array(arena, GraphOperator, model->operators.count + 1);
    for (int i = 0; i < model->operators.count; i++) {
        operators[i] = model->operators.data[i];
        map_operator(mapping, &model->described.data[i], &operators[i]);
    }
    return mapping->why_not == NULL ? operators : NULL;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

static InferLine line_of(const Inferred *inferred, const Model *model, const GraphPlan *plan, int at)
{
    const ModelOperator *described = &model->described.data[at];
    const GraphOperator *node = &model->operators.data[at];
    const GraphStep *step = &plan->steps[at];
    const Decls *decls = &inferred->train->decls;
    InferLine line = {.name = described->name,
                      .computes = described->computes,
                      .group = described->loop >= 0 ? decls->groups.data[described->group].name : NULL,
                      .first = described->layer,
                      .last = described->layer,
                      .span = described->span,
                      .letter = step->letter,
                      .product = node->operation == CHAIN_LINEAR || node->operation == CHAIN_EMBEDDING ||
                                 described->output.op->kind == OP_CONV,
                      .input = step->input,
                      .output = step->output,
                      .sent = step->cost.sent / inferred->devices,
                      .computed = step->cost.computed / inferred->devices};
    for (int i = 0; i < node->input_count; i++) {
        const GraphValue *value = &model->values.data[node->input[i]];
        Property from = step->from[i], to = step->input;
        ElementCost cost = {0};
        if (from == to || !graph_convert(value, from, to, inferred->devices, &cost))
            continue;
        const char *back = value->data ? NULL : conversion_primitive(property_dual(to), property_dual(from));
        vec_push(inferred->ctx->arena, &line.conversions,
                 (InferConversion){model->value_names.data[node->input[i]], from, to, conversion_primitive(from, to),
                                   back, cost.sent / inferred->devices});
    }
    return line;
}

static bool same_conversions(const InferLine *x, const InferLine *y)
{
    bool same = x->conversions.count == y->conversions.count;
    for (int i = 0; same && i < x->conversions.count; i++) {
        const InferConversion *a = &x->conversions.data[i], *b = &y->conversions.data[i];
        same = strcmp(a->value, b->value) == 0 && a->from == b->from && a->to == b->to;
    }
    return same;
}

/* Is it the same operator, which does the same, of another layer? */
static bool same_line(const InferLine *x, const InferLine *y)
{
    return strcmp(x->name, y->name) == 0 && x->letter == y->letter && x->input == y->input && x->output == y->output &&
           x->sent == y->sent && x->computed == y->computed && same_conversions(x, y);
}

/* The number of lines of one layer, from `at` on. */
static int layer_length(const InferLines *lines, const Model *model, int at)
{
    int count = 0;
    while (at + count < lines->count && model->described.data[at + count].loop == model->described.data[at].loop &&
           lines->data[at + count].first == lines->data[at].first)
        count++;
    return count;
}

/* Adds the lines of a layer, or counts the layer to those before it if it does the same. */
static void add_layer(Arena *arena, const InferLines *all, const Model *model, int at, int count, InferLines *lines)
{
    bool same = at >= count && lines->count >= count &&
                model->described.data[at - 1].loop == model->described.data[at].loop && all->data[at].group != NULL;
    for (int i = 0; same && i < count; i++)
        same = same_line(&all->data[at + i], &lines->data[lines->count - count + i]);
    for (int i = 0; i < count; i++)
        if (same)
            lines->data[lines->count - count + i].last = all->data[at].first;
        else
            vec_push(arena, lines, all->data[at + i]);
}

/* "13D R C R": letters, of which three or more equal ones are counted. */
typedef struct Letters {
    Text text;
    char letter;
    int64_t run;
} Letters;

static void end_run(Letters *letters)
{
    bool counted = letters->run >= 3;
    for (int64_t i = 0; i < letters->run; i += counted ? letters->run : 1) {
        bool first = letters->text.length == 0 || letters->text.data[letters->text.length - 1] == '(';
        text_add(&letters->text, first ? "" : " ");
        if (counted)
            text_add(&letters->text, "%lld", (long long)letters->run);
        text_add(&letters->text, "%c", letters->letter);
    }
    letters->run = 0;
}

static void add_letter(Letters *letters, char letter, int64_t times)
{
    if (letter != letters->letter)
        end_run(letters);
    letters->letter = letter;
    letters->run += times;
}

/* Do the products among these lines all have one letter? */
static bool one_letter(const InferLine *lines, int count)
{
    char letter = 0;
    for (int i = 0; i < count; i++) {
        if (lines[i].product && letter && lines[i].letter != letter)
            return false;
        letter = lines[i].product ? lines[i].letter : letter;
    }
    return true;
}

/* The letters of lines that are repeated together: "12(3C R)", unless they are all the same. */
static void add_letters(Letters *letters, const InferLine *lines, int count)
{
    int64_t layers = lines->last - lines->first + 1;
    bool grouped = layers > 1 && !one_letter(lines, count);
    if (grouped) {
        end_run(letters);
        text_add(&letters->text, "%s%lld(", letters->text.length > 0 ? " " : "", (long long)layers);
    }
    for (int i = 0; i < count; i++)
        if (lines[i].product)
            add_letter(letters, lines[i].letter, grouped ? 1 : layers);
    if (grouped) {
        end_run(letters);
        text_add(&letters->text, ")");
    }
}

static const char *letters_of(Arena *arena, const InferLines *lines)
{
    Letters letters = {.text = {.arena = arena}};
    for (int at = 0, count; at < lines->count; at += count) {
        const InferLine *line = &lines->data[at];
        for (count = 1; at + count < lines->count; count++)
            if (line[count].group != line->group || line[count].first != line->first || line[count].last != line->last)
                break;
        add_letters(&letters, line, count);
    }
    end_run(&letters);
    return letters.text.data != NULL ? letters.text.data : "";
}

static InferPlan plan_of(const Inferred *inferred, const Model *model, const GraphOperator *operators,
                         GraphPlan *chosen)
{
    Arena *arena = inferred->ctx->arena;
    Graph graph = model->graph;
    InferPlan plan = {0};
    graph.operators = operators;
    graph.beta = inferred->beta;
    switch (graph_choose(arena, &graph, chosen)) {
    case GRAPH_NO_PLAN:
        plan.why_not = "no conversion leads from one operator to the next";
        return plan;
    case GRAPH_TOO_LARGE:
        plan.why_not = "too many values are still to be read at one place of the model";
        return plan;
    case GRAPH_CHOSEN:
        break;
    }
    InferLines all = {0};
    for (int i = 0; i < graph.count; i++)
        vec_push(arena, &all, line_of(inferred, model, chosen, i));
    for (int at = 0, count; at < all.count; at += count) {
        count = layer_length(&all, model, at);
        add_layer(arena, &all, model, at, count, &plan.lines);
    }
    plan.letters = letters_of(arena, &plan.lines);
    plan.sent = chosen->cost.sent / inferred->devices;
    plan.computed = chosen->cost.computed / inferred->devices;
    plan.cost = plan.sent + inferred->beta * plan.computed;
    return plan;
}

/* ---- Remarks ---------------------------------------------------------------------------------------------------- */

static void remark(Inferred *inferred, const char *text)
{
    vec_push(inferred->ctx->arena, &inferred->remarks, text);
}

static bool stores_shards(const Assignment *assignment, int axis)
{
    for (int i = 0; i < assignment->units.count; i++) {
        const UnitPlacement *unit = &assignment->units.data[i];
        if (axes_contain(unit->parameters.rest, axis) || axes_contain(unit->gradients.rest, axis) ||
            axes_contain(unit->optimizer.rest, axis))
            return true;
    }
    return false;
}

static void add_remarks(Inferred *inferred, const Assignment *assignment, const Model *model, int axis)
{
    Arena *arena = inferred->ctx->arena;
    const Decls *decls = &inferred->train->decls;
    if (!inferred->train->has_beta)
        remark(inferred, arena_printf(arena, "beta is %g by default; `cost distpar beta %g` in the train sets it",
                                      beta_by_default, beta_by_default));
    for (int i = 0; i < decls->axes.count; i++)
        if (i != axis && decls->axes.data[i].size > 1)
            remark(inferred, arena_printf(arena, "the axis '%s' is ignored: elements are those of the whole mesh",
                                          decls->axes.data[i].name));
    if (stores_shards(assignment, axis))
        remark(inferred, "states that the strategy stores in shards are no property: a copied weight costs as much as "
                         "if all of them were copied");
    for (int i = 0; i < model->shared.count; i++)
        remark(inferred, arena_printf(arena, "'%s' has several readers: its gradient is counted for each",
                                      model->shared.data[i]));
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

bool infer_run(Ctx *ctx, const Train *train, const Assignment *assignment, const Choices *choices,
               const InferAsked *asked, Inferred *inferred)
{
    int axis;
    Model model;
    GraphPlan plan;
    *inferred = (Inferred){.ctx = ctx, .train = train};
    inferred->beta = train->has_beta ? train->beta : beta_by_default;
    if (!find_axis(inferred, assignment, asked->axis, &axis))
        return false;
    bool divided = axes_contain(assignment->batch_axes, axis);
    if (!read_model(ctx, train, axis, divided ? PROPERTY_ROWS : PROPERTY_INVARIANT, &model))
        return false;
    add_remarks(inferred, assignment, &model, axis);
    Mapping mapping = {.ctx = ctx, .reference = train->reference, .axis = axis, .axis_name = inferred->axis};
    const GraphOperator *written = map_strategy(&mapping, assignment, choices, &model);
    if (written != NULL)
        inferred->written = plan_of(inferred, &model, written, &plan);
    else
        inferred->written.why_not = mapping.why_not;
    inferred->chosen = plan_of(inferred, &model, model.operators.data, &plan);
    inferred->name = asked->name;
    if (asked->name != NULL && inferred->chosen.why_not == NULL)
        inferred->strategy = state_plan(ctx, train, choices, axis, &model, &plan, asked->name);
    if (inferred->written.why_not != NULL && inferred->chosen.why_not != NULL)
        inferred->failure = arena_printf(ctx->arena, "no plan, because %s", inferred->chosen.why_not);
    return inferred->failure == NULL;
}
