/* choices_print.c - prints choices: a line for each operator, below it the conversions that it needs
 * (docs/derivation.md, section 8). */
#include "derive/choices.h"

#include <math.h>
#include <string.h>

/* A line for an operator, or for what a unit needs; and what stands below it. */
typedef struct Row {
    const char *routine, *layers, *name, *spec, *places;
    Vec(const char *) below;
    bool wanted;
} Row;

typedef struct Print {
    Arena *arena;
    const Facts *f;
    const Choices *choices;
    const Wish *wishes; /* of the routine */
    const char *routine, *layers;
    const char *label; /* rows about such values are wanted; NULL: all */
    Vec(Row) rows;
} Print;

/* ---- Words -------------------------------------------------------------------------------------------------- */

static const char *why_text(Why why)
{
    switch (why) {
    case WHY_READER:
        return "this operator reads it like that";
    case WHY_AHEAD:
        return "a later operator reads it like that";
    case WHY_WINDOW:
        return "windows reach into the neighbours' shards";
    case WHY_NAMED:
        return "the strategy names the value";
    case WHY_REST:
        return "the strategy stores such values like that";
    case WHY_WRITERS:
        return "its writers all keep it like that";
    case WHY_LOOP:
        return "the loop reads all of it";
    case WHY_ADDED:
        return "what is added to it is not a part of the sum";
    case WHY_SYNC:
        return "a sync";
    case WHY_AFTER:
        return "it is read after the microbatches";
    case WHY_GRADIENT:
        return "all contributions to it are kept alike";
    }
    BUG("a reason of no kind");
}

static const char *axis_list(const Print *p, AxisSet axes)
{
    return axes_words(p->arena, p->f->decls, axes);
}

/* "data:b tensor:o": the letter that each axis shards, `+` where the value is a sum over it, `max` for a maximum. */
static const char *place_text(const Print *p, const Op *op, int index, const Placement *place)
{
    const char *letters = "";
    int ref = index < 0 ? op->out.buffer : op->operand[index].buffer;
    int count = derive_spec_letters(p->f, op, index, &letters);
    Text text = {.arena = p->arena};
    for (int a = 0; a < p->f->decls->axes.count; a++) {
        int on = place_at(place, a);
        if (on == ON_WHOLE)
            continue;
        text_add(&text, "%s%s:", text.length > 0 ? " " : "", p->f->decls->axes.data[a].name);
        if (on >= 0)
            text_add(&text, "%c", on < count ? letters[on] : 'a' + on);
        else
            text_add(&text, "%s", p->f->buffers[ref].maximum ? "max" : "+");
    }
    return text.data != NULL ? text.data : "";
}

/* "x", or "x[+1]", "x[0]" where it has slots; then its placement, unless it is whole. */
static const char *value_text(const Print *p, const Op *op, int index, const Placement *place)
{
    Ref ref = index < 0 ? op->out : op->operand[index];
    const Buffer *buffer = &p->f->reference->buffers.data[ref.buffer];
    const char *where = place_text(p, op, index, place), *slot = "";
    if (ref.slot.term_count > 0 && ref.slot.constant != 0)
        slot = arena_printf(p->arena, "[%+lld]", (long long)ref.slot.constant);
    else if (ref.slot.term_count == 0 && buffer->slots > 1)
        slot = arena_printf(p->arena, "[%lld]", (long long)ref.slot.constant);
    return arena_printf(p->arena, where[0] != '\0' ? "%s%s{%s}" : "%s%s", buffer->name, slot, where);
}

static const char *line_of(const Print *p, Span span)
{
    if (!span_known(span))
        return "";
    const Source *source = source_of(p->f->ctx->sources, span);
    return arena_printf(p->arena, " (%s:%d)", source->name,
                        source_position(p->f->ctx->sources, span.source, span.start).line);
}

/* "block[0..2]" */
static const char *layers_text(const Print *p, int group, int64_t first, int64_t last)
{
    const char *name = p->f->decls->groups.data[group].name;
    return first == last ? arena_printf(p->arena, "%s[%lld]", name, (long long)first)
                         : arena_printf(p->arena, "%s[%lld..%lld]", name, (long long)first, (long long)last);
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

static Row *add_row(Print *p, const char *name, const char *spec, const char *places)
{
    vec_push(p->arena, &p->rows,
             ((Row){.routine = p->routine,
                    .layers = p->layers,
                    .name = name,
                    .spec = spec,
                    .places = places,
                    .wanted = p->label == NULL}));
    return &p->rows.data[p->rows.count - 1];
}

/* Is this value, its cotangent, or the parameter that it is, called so? */
static bool is_called(const Print *p, const char *name)
{
    static const char *const prefixes[] = {"", "d_", "parameters.", "gradients."};
    bool called = false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes && p->label != NULL; i++) {
        size_t length = strlen(prefixes[i]);
        called = called || (strncmp(name, prefixes[i], length) == 0 && label_matches(p->label, name + length));
    }
    return called;
}

/* An operator is about its result, and about the parameters that it reads. */
static bool is_about(const Print *p, const Op *op)
{
    bool about = op->out.buffer >= 0 && is_called(p, p->f->reference->buffers.data[op->out.buffer].name);
    for (int i = 0; i < op->operand_count; i++) {
        const char *name = p->f->reference->buffers.data[op->operand[i].buffer].name;
        about = about || (strncmp(name, "parameters.", strlen("parameters.")) == 0 && is_called(p, name));
    }
    return about;
}

static bool has_member_called(const Print *p, const Unit *unit)
{
    bool called = false;
    for (int i = 0; i < unit->member_count; i++)
        called = called || is_called(p, p->f->decls->tensors.data[unit->members[i]].name);
    return called;
}

static const char *whole_text(const Print *p, const Op *op, int index, const Placement *place)
{
    const char *text = place_text(p, op, index, place);
    return text[0] != '\0' ? arena_printf(p->arena, "{%s}", text) : "whole";
}

static const char *step_text(const Print *p, const Op *op, int index, const Step *step)
{
    const char *name = op_info[step->kind].name, *from = whole_text(p, op, index, &step->before);
    const char *to = whole_text(p, op, index, &step->after);
    const char *why = step->sync != NULL ? arena_printf(p->arena, ", sync%s", line_of(p, step->sync->span)) : "";
    if (step->kind == OP_SCALE)
        return step->sync->scale_numerator == step->sync->scale_denominator && step->sync->operation != SYNC_MEAN
                   ? NULL
                   : arena_printf(p->arena, "scale%s", why);
    const char *sent = step->bytes > 0 ? str_bytes(p->arena, (int64_t)step->bytes) : "nothing is sent";
    return arena_printf(p->arena, "%s over %s, %s to %s: %s%s", name, axis_list(p, step->axes), from, to, sent, why);
}

/* A line for each step of the conversion of an operand, or of the result. */
static void add_route(Print *p, Row *row, const Op *op, int index, const Route *route)
{
    if (route->steps.count == 0) /* a sink has no result */
        return;
    int ref = (index < 0 ? op->out : op->operand[index]).buffer;
    const char *name = p->f->reference->buffers.data[ref].name;
    bool by_strategy = route->why == WHY_NAMED || route->why == WHY_REST;
    const char *line = by_strategy ? line_of(p, p->wishes[ref].span) : "";
    for (int i = 0; i < route->steps.count; i++) {
        const Step *step = &route->steps.data[i];
        const char *text = step_text(p, op, index, step);
        if (text == NULL)
            continue;
        text = step->sync != NULL ? arena_printf(p->arena, "%s: %s", name, text)
                                  : arena_printf(p->arena, "%s: %s; %s%s", name, text, why_text(route->why), line);
        vec_push(p->arena, &row->below, text);
    }
    if (route->kept != NULL)
        vec_push(p->arena, &row->below,
                 arena_printf(p->arena, "%s: this copy is kept until the %s: asked for here%s", name,
                              copy_life_name(route->kept->life), line_of(p, route->kept->span)));
}

static const char *places_of(const Print *p, const OpChoice *o)
{
    const Op *op = o->op;
    Text text = {.arena = p->arena};
    for (int i = 0; i < op->operand_count; i++)
        text_add(&text, "%s%s", i > 0 ? ", " : "", value_text(p, op, i, &o->choice.operand[i]));
    if (op_has_result(op->kind))
        text_add(&text, "%s-> %s%s", op->operand_count > 0 ? " " : "", op->accumulate ? "+= " : "",
                 value_text(p, op, -1, &o->choice.result));
    return text.data != NULL ? text.data : "";
}

static void add_ring(Print *p, Row *row, const OpChoice *o)
{
    const Ring *ring = &o->choice.ring;
    if (!ring->turns)
        return;
    Ref ref = ring->operand < 0 ? o->op->out : o->op->operand[ring->operand];
    const char *asked =
        ring->request != NULL ? arena_printf(p->arena, "; asked for here%s", line_of(p, ring->request->span)) : "";
    const char *text =
        arena_printf(p->arena, "%s: travels around %s, shard by shard%s",
                     p->f->reference->buffers.data[ref.buffer].name, p->f->decls->axes.data[ring->axis].name, asked);
    vec_push(p->arena, &row->below, text);
}

/* What the choice costs, if another one was possible: with what its result will cost when it is summed. */
static void add_cost(Print *p, Row *row, const Choice *choice)
{
    if (choice->next == INFINITY || row->below.count == 0)
        return;
    vec_push(p->arena, &row->below,
             arena_printf(p->arena, "these placements send %s, the next best %s",
                          str_bytes(p->arena, (int64_t)choice->bytes), str_bytes(p->arena, (int64_t)choice->next)));
}

/* The statements that say how it is computed. */
static void add_pins(Print *p, Row *row, const Choice *choice)
{
    for (int a = 0; a < p->f->decls->axes.count; a++)
        if (choice->pinned[a] != NULL)
            vec_push(p->arena, &row->below,
                     arena_printf(p->arena, "over %s it is computed %s: asked for here%s",
                                  p->f->decls->axes.data[a].name, pin_form_print(p->arena, choice->pinned[a]),
                                  line_of(p, choice->pinned[a]->span)));
}

static void add_op(Print *p, const OpChoice *o)
{
    const Op *op = o->op;
    Row *row = add_row(p, op_info[op->kind].name, op->spec, places_of(p, o));
    row->wanted |= is_about(p, op);
    add_pins(p, row, &o->choice);
    if (o->target.from != NO_VARIANT)
        add_route(p, row, op, -1, &o->target);
    for (int i = 0; i < op->operand_count; i++)
        add_route(p, row, op, i, &o->reads[i]);
    for (int i = 0; o->halos != NULL && i < op->operand_count; i++)
        if (o->halos[i].from != NO_VARIANT)
            add_route(p, row, op, i, &o->halos[i]);
    add_ring(p, row, o);
    add_route(p, row, op, -1, &o->halo);
    add_route(p, row, op, -1, &o->result);
    add_route(p, row, op, -1, &o->synced);
    add_route(p, row, op, -1, &o->after);
    add_cost(p, row, &o->choice);
}

/* A conversion outside operators: before a loop, or at once. */
static Row *add_entry(Print *p, const char *name, const Entry *entry)
{
    const Op op = {.kind = OP_COPY, .spec = "", .out = entry->ref};
    Row *row = add_row(p, name, "", value_text(p, &op, -1, &entry->route.steps.data[0].before));
    add_route(p, row, &op, -1, &entry->route);
    return row;
}

static void add_ahead(Print *p, const AheadChoice *ahead)
{
    const char *name = p->f->reference->buffers.data[ahead->entry.ref.buffer].name;
    Row *row = add_entry(p, "at once", &ahead->entry);
    row->wanted |= is_called(p, name);
    vec_push(p->arena, &row->below,
             arena_printf(p->arena, "%s: as soon as it is computed: asked for here%s", name,
                          line_of(p, ahead->request->span)));
}

/* ---- Units -------------------------------------------------------------------------------------------------- */

static const DType *dtype_of(const Print *p, StateKind kind)
{
    for (int i = 0; i < p->f->decls->states.count; i++)
        if (p->f->decls->states.data[i].kind == kind)
            return &p->f->decls->states.data[i].dtype;
    return NULL;
}

/* A row for a conversion of a unit's parameters, gradients or states; `own_layers`: in its own, not those that are
 * open. */
static Row *add_unit_row(Print *p, int unit, const char *name, const char *what, bool own_layers)
{
    const Unit *u = &p->f->decls->units.data[unit];
    const char *layers = p->layers;
    if (own_layers && u->group >= 0)
        p->layers = layers_text(p, u->group, u->first_layer, u->last_layer);
    Row *row = add_row(p, name, "", arena_printf(p->arena, "%s: %s", u->name, what));
    p->layers = layers;
    row->wanted |= has_member_called(p, u);
    return row;
}

static void add_unit_steps(Print *p, Row *row, StateKind kind, const UnitSteps *steps, Span span)
{
    const DType *dtype = dtype_of(p, kind);
    for (int i = 0; i < steps->count; i++) {
        const UnitStep *step = &steps->data[i];
        double bytes = step->elements * (double)dtype_bytes(*dtype);
        const char *sent = bytes > 0 ? str_bytes(p->arena, (int64_t)bytes) : "nothing is sent";
        vec_push(p->arena, &row->below,
                 arena_printf(p->arena, "%s over %s: %s; asked for here%s", op_info[step->kind].name,
                              axis_list(p, step->axes), sent, line_of(p, span_known(step->span) ? step->span : span)));
    }
}

static const char *sync_form(const Print *p, const UnitSync *sync)
{
    const char *axes = axis_list(p, sync->axes), *segments = "";
    switch (sync->form) {
    case FORM_NOTHING:
        return "none";
    case FORM_GATHER:
        return sync->waits ? "gather" : NULL; /* its steps are there */
    case FORM_SCALE:
        return "no sum";
    case FORM_ALL_REDUCE:
        return arena_printf(p->arena, "all_reduce over %s", axes);
    case FORM_INTO_SHARDS:
        return arena_printf(p->arena, "reduce_scatter over %s", axes);
    case FORM_SEGMENTS:
        for (int i = 0; i < STEP_MAX_SEGMENTS; i++)
            if (sync->segments >> i & 1)
                segments = arena_printf(p->arena, "%s%s %d", segments, segments[0] != '\0' ? "," : "", i);
        return arena_printf(p->arena, "all_reduce over %s of segments%s", axes, segments);
    case FORM_BROADCAST:
        return arena_printf(p->arena, "broadcast over %s", axes);
    }
    BUG("a sync of no form");
}

/* When it is done, if not at the step; in which dtype; whether it is only started. */
static const char *sync_manner(const Print *p, const UnitSync *sync, const char *moment)
{
    Text text = {.arena = p->arena};
    text_add(&text, "%s", moment);
    if (sync->guarded)
        text_add(&text, ", after microbatch %lld", (long long)sync->microbatch);
    if (sync->converted)
        text_add(&text, ", in %s", dtype_name(sync->dtype));
    if (sync->waits)
        text_add(&text, ", only started");
    return text.data != NULL ? text.data : "";
}

static void add_put_back(const Print *p, Row *row, AxisSet axes, const char *line)
{
    vec_push(
        p->arena, &row->below,
        arena_printf(p->arena, "place_shard over %s: nothing is sent; asked for here%s", axis_list(p, axes), line));
}

/* A line for each step of a sync; `moment`: ", each microbatch". */
static void add_sync(const Print *p, Row *row, DType stored, const UnitSync *sync, const char *moment)
{
    const char *form = sync_form(p, sync), *line = line_of(p, sync->span);
    const char *why = sync->sync != NULL ? "asked for here" : "left out by the syncs";
    DType dtype = sync->converted ? sync->dtype : stored;
    double bytes = sync->elements * (double)dtype_bytes(dtype);
    const char *sent = bytes > 0 ? str_bytes(p->arena, (int64_t)bytes) : "nothing is sent";
    if (sync->put_back_before)
        add_put_back(p, row, sync->found, line);
    if (form != NULL)
        vec_push(p->arena, &row->below,
                 arena_printf(p->arena, "%s%s: %s; %s%s", form, sync_manner(p, sync, moment), sent, why, line));
    if (sync->numerator != sync->denominator)
        vec_push(p->arena, &row->below,
                 arena_printf(p->arena, "scale by %lld/%lld: nothing is sent; %s%s", (long long)sync->numerator,
                              (long long)sync->denominator, why, line));
    if (sync->put_back_after)
        add_put_back(p, row, sync->axes, line);
}

static void add_syncs(const Print *p, Row *row, StateKind kind, const UnitSyncs *syncs, const char *moment)
{
    for (int i = 0; i < syncs->count; i++)
        add_sync(p, row, *dtype_of(p, kind), &syncs->data[i], moment);
}

static void add_unit(Print *p, const Chosen *chosen, bool own_layers)
{
    const UnitChoice *choice = &p->choices->unit_choices[chosen->unit];
    Span none = {0};
    if (chosen->kind == CHOSEN_GATHER) {
        add_unit_steps(p, add_unit_row(p, chosen->unit, "parameters", "gathered for use", own_layers), STATE_PARAMETERS,
                       &choice->gather, none);
    } else if (chosen->kind == CHOSEN_REDUCE) {
        Row *row = add_unit_row(p, chosen->unit, "gradients", "into shards, each microbatch", own_layers);
        add_unit_steps(p, row, STATE_GRADIENTS, &choice->each, none);
        add_syncs(p, row, STATE_GRADIENTS, &choice->each_shard, "");
    }
}

/* A state of the optimizer, or a declared one. */
static void add_state(Print *p, int unit, const StateSync *state)
{
    const State *declared = &p->f->decls->states.data[state->state];
    Row *row = add_unit_row(p, unit, declared->name, "stored after the update", true);
    add_sync(p, row, declared->dtype, &state->sync, "");
}

/* The forms in which the updates read and write a unit. */
static void add_update(Print *p, int unit)
{
    const UnitInfo *u = &p->choices->units[unit];
    const UnitChoice *choice = &p->choices->unit_choices[unit];
    if (!u->has_gradient)
        return;
    const char *form = u->optimizer.count > 0
                           ? arena_printf(p->arena, "for the update, in shards over %s", axis_list(p, u->optimizer))
                           : "for the update, whole";
    Row *row = add_unit_row(p, unit, "gradients", form, true);
    add_syncs(p, row, STATE_GRADIENTS, &choice->each_microbatch, ", each microbatch");
    add_syncs(p, row, STATE_GRADIENTS, &choice->after_microbatch, "");
    add_syncs(p, row, STATE_GRADIENTS, &choice->at_step, "");
    add_syncs(p, row, STATE_GRADIENTS, &choice->completed, "");
    add_unit_steps(p, row, STATE_GRADIENTS, &choice->gradient, u->optimizer_span);
    if (choice->stored.count > 0 || choice->parameter != NULL) {
        row = add_unit_row(p, unit, "parameters", "stored after the update", true);
        add_unit_steps(p, row, STATE_PARAMETERS, &choice->stored, u->optimizer_span);
        if (choice->parameter != NULL)
            add_sync(p, row, *dtype_of(p, STATE_PARAMETERS), choice->parameter, "");
    }
    for (int i = 0; i < choice->states.count; i++)
        add_state(p, unit, &choice->states.data[i]);
}

/* A unit's initial parameters. */
static void add_start(Print *p, int unit)
{
    const UnitSyncs *syncs = &p->choices->unit_choices[unit].at_start;
    if (syncs->count > 0)
        add_syncs(p, add_unit_row(p, unit, "parameters", "initial values", true), STATE_PARAMETERS, syncs, "");
}

/* ---- Routines ----------------------------------------------------------------------------------------------- */

static void add_list(Print *p, const ChosenList *list);

static void add_layers(Print *p, const LayersChoice *layers)
{
    const char *outside = p->layers;
    for (int i = 0; i < layers->entries.count; i++) {
        const Entry *entry = &layers->entries.data[i];
        if (entry->route.steps.count > 0)
            add_entry(p, "before", entry);
    }
    p->layers = layers_text(p, layers->loop->loop.group, layers->first, layers->last);
    add_list(p, &layers->body);
    p->layers = outside;
}

static void add_list(Print *p, const ChosenList *list)
{
    for (int i = 0; i < list->count; i++) {
        const Chosen *chosen = &list->data[i];
        switch (chosen->kind) {
        case CHOSEN_OP:
            add_op(p, chosen->op);
            break;
        case CHOSEN_LAYERS:
            add_layers(p, chosen->layers);
            break;
        case CHOSEN_AHEAD:
            add_ahead(p, chosen->ahead);
            break;
        case CHOSEN_GATHER:
        case CHOSEN_CLEAR:
        case CHOSEN_REDUCE:
            add_unit(p, chosen, false);
            break;
        }
    }
}

static void add_sums(Print *p, const SumList *sums)
{
    for (int i = 0; i < sums->count; i++) {
        const SumChoice *sum = &sums->data[i];
        const Op op = {.kind = OP_COPY, .spec = "", .out = {.buffer = sum->ref}};
        const char *name = p->f->reference->buffers.data[sum->ref].name;
        add_route(p, add_row(p, "sum", "", arena_printf(p->arena, "%s over the microbatches", name)), &op, -1,
                  &sum->done);
    }
}

static void add_routine(Print *p, const RoutineChoices *r)
{
    p->wishes = r->facts->wish;
    p->routine = routine_name(r->facts->routine->kind);
    p->layers = "-";
    for (int i = 0; i < r->gathered.count; i++)
        add_unit(p, &(Chosen){.kind = CHOSEN_GATHER, .unit = r->gathered.data[i]}, true);
    add_list(p, &r->early_body);
    add_sums(p, &r->early);
    add_list(p, &r->between);
    add_list(p, &r->body);
    add_sums(p, &r->sums);
    for (int i = 0; r->facts->routine->kind == ROUTINE_INIT && i < p->f->decls->units.count; i++)
        add_start(p, i);
    for (int i = 0; r->facts->routine->kind == ROUTINE_STEP && i < p->f->decls->units.count; i++)
        add_update(p, i);
}

/* ---- Text --------------------------------------------------------------------------------------------------- */

static int widest(int width, const char *text)
{
    int length = (int)strlen(text);
    return length > width ? length : width;
}

void choices_print(const Choices *choices, const char *label, FILE *out)
{
    Print p = {.arena = choices->facts->ctx->arena, .f = choices->facts, .choices = choices, .label = label};
    for (int i = 0; i < p.f->reference->routines.count; i++)
        add_routine(&p, &choices->routines[i]);
    int routine = 0, layers = 0, name = 0, spec = 0;
    for (int i = 0; i < p.rows.count; i++) {
        if (!p.rows.data[i].wanted)
            continue;
        routine = widest(routine, p.rows.data[i].routine);
        layers = widest(layers, p.rows.data[i].layers);
        name = widest(name, p.rows.data[i].name);
        spec = widest(spec, p.rows.data[i].spec);
    }
    for (int i = 0; i < p.rows.count; i++) {
        const Row *row = &p.rows.data[i];
        if (!row->wanted)
            continue;
        fprintf(out, "%-*s  %-*s  %-*s  %-*s  %s\n", routine, row->routine, layers, row->layers, name, row->name, spec,
                row->spec, row->places);
        for (int j = 0; j < row->below.count; j++)
            fprintf(out, "    %s\n", row->below.data[j]);
    }
}
