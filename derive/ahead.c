/* ahead.c - conversions that are made at once (Converted, strategy/assign.h): right after the value is computed, in
 * place of before its first reader. Placements do not depend on it, so they are moved when all of a routine is placed:
 *
 *     op      block.attn.key                                op      block.attn.key
 *     op      block.attn.query                      ->      ahead   block.attn.key: all_gather
 *     op      block.attn.scores, with all_gather            op      block.attn.query
 *                                                           op      block.attn.scores
 *
 * A value that is computed before the loop over layers that reads it is then converted before the loop, once. What one
 * layer passes on to the next is converted as the first thing in the next. What the backward pass converts of values of
 * the forward pass stays where it is.
 */
#include "base/change.h"
#include "derive/place.h"

/* A list, and how far the walk is in it. */
typedef struct Level {
    ChosenList *list;
    const LayersChoice *layers; /* whose body it is; NULL: outside layers */
    int index;
    struct Level *outer;
} Level;

/* A conversion before its reader. */
typedef struct Reading {
    Ref ref;
    Route *route;
    Span span;
    bool backward; /* the reader belongs to the backward pass */
} Reading;

static bool by_layer(Ref ref)
{
    return ref.slot.term_count > 0;
}

/* ---- What a statement wants --------------------------------------------------------------------------------- */

static void refuse_moments(Placer *p, int ref, const Converted *one, const Converted *other)
{
    if (!p->failed) {
        Diagnostic *d = diag_report(p->ctx.diag, P0209, one->span, "'%s' is converted at two different moments",
                                    placer_buffer(p, ref)->name);
        diag_label(d, other->span, "%s here", converted_print(p->ctx.arena, other));
        diag_why(d, "The conversion is over the axes of both.");
        diag_help(d, "Say the same of both axes.");
    }
    p->failed = true;
}

/* The statement of when a route is made; NULL if there is none. */
static const Converted *moment_of(Placer *p, const Level *level, const Reading *reading)
{
    int ref = reading->ref.buffer;
    int64_t layer = by_layer(reading->ref) ? level->layers->first : reading->ref.slot.constant;
    const Converted *found = NULL;
    for (int i = 0; i < reading->route->steps.count; i++) {
        const Step *step = &reading->route->steps.data[i];
        for (int a = 0; a < step->axes.count; a++) {
            const ConvertedValue *one = derive_converted(p->facts, ref, step->axes.axis[a], layer, COPY_MOMENT, NULL);
            if (one == NULL)
                continue;
            p->choices->converted[one->number] |= one->request->moment == COPY_AT_USE;
            if (found != NULL && found->moment != one->request->moment)
                refuse_moments(p, ref, found, one->request);
            found = one->request;
        }
    }
    return found;
}

/* ---- Where the value is computed ---------------------------------------------------------------------------- */

/* An operator that writes the value, in any slot; NULL: none. */
static const Op *find_writer(const ChosenList *list, int ref)
{
    const Op *writer = NULL;
    for (int i = 0; i < list->count && writer == NULL; i++) {
        const Chosen *chosen = &list->data[i];
        if (chosen->kind == CHOSEN_OP && op_has_result(chosen->op->op->kind) && chosen->op->op->out.buffer == ref)
            writer = chosen->op->op;
        if (chosen->kind == CHOSEN_LAYERS)
            writer = find_writer(&chosen->layers->body, ref);
    }
    return writer;
}

/* Does it compute the value, or add to it? */
static bool computes(const Chosen *chosen, Ref ref)
{
    if (chosen->kind == CHOSEN_LAYERS)
        return !by_layer(ref) && find_writer(&chosen->layers->body, ref.buffer) != NULL;
    if (chosen->kind != CHOSEN_OP || !op_has_result(chosen->op->op->kind))
        return false;
    Ref out = chosen->op->op->out;
    return out.buffer == ref.buffer && by_layer(out) == by_layer(ref) && out.slot.constant == ref.slot.constant;
}

typedef enum Origin {
    ORIGIN_FOUND,
    ORIGIN_PASSED_ON, /* in the layer before: a layer has it from its start on */
    ORIGIN_PASS       /* in another pass */
} Origin;

/* Finds what computes the value last, before the reader: its level, and its index there, which is -1 for what layers
 * pass on. */
static Origin find_computed(const Placer *p, Level *level, Ref ref, Level **computed, int *index)
{
    for (; level != NULL; level = level->outer) {
        *computed = level;
        for (*index = level->index - 1; *index >= 0; --*index)
            if (computes(&level->list->data[*index], ref))
                return ORIGIN_FOUND;
        const Op *writer = level->layers != NULL ? find_writer(level->list, ref.buffer) : NULL;
        if (writer != NULL && p->facts->ops[writer->id].backward == level->layers->backward)
            return ORIGIN_PASSED_ON;
        if (by_layer(ref) || writer != NULL)
            return ORIGIN_PASS;
    }
    return ORIGIN_PASS;
}

static bool is_backward(const Chosen *chosen)
{
    return chosen->kind == CHOSEN_LAYERS ? chosen->layers->backward : chosen->op->backward;
}

/* ---- What is between ---------------------------------------------------------------------------------------- */

/* Does a route make the copy that another one starts from? */
static bool makes_source(const Route *route, const Route *moved)
{
    bool makes = false;
    for (int i = 0; i < route->steps.count; i++)
        makes |= route->steps.data[i].writes == moved->from;
    return makes;
}

/* Does it read what the other one sums in place, as parts? */
static bool reads_parts(const Route *route, const Route *moved)
{
    bool reads = false;
    for (int s = 0; s < moved->steps.count; s++) {
        const Step *step = &moved->steps.data[s];
        if (step->reads != step->writes)
            continue;
        reads |= route->from == step->reads;
        for (int i = 0; i < route->steps.count; i++)
            reads |= route->steps.data[i].reads == step->reads;
    }
    return reads;
}

typedef bool Blocks(const Route *route, const Route *moved);

static bool op_blocks(const OpChoice *o, const Route *moved, Blocks *blocks)
{
    bool found = blocks(&o->target, moved);
    for (int i = 0; i < o->op->operand_count; i++)
        found |= &o->reads[i] != moved && blocks(&o->reads[i], moved);
    for (int i = 0; o->halos != NULL && i < o->op->operand_count; i++)
        found |= &o->halos[i] != moved && blocks(&o->halos[i], moved);
    return found;
}

static const OpChoice *find_blocker_in(const ChosenList *list, int first, int last, const Route *moved)
{
    for (int i = first; i <= last; i++) {
        const Chosen *chosen = &list->data[i];
        const OpChoice *inner = NULL;
        if (chosen->kind == CHOSEN_LAYERS)
            inner = find_blocker_in(&chosen->layers->body, 0, chosen->layers->body.count - 1, moved);
        if (inner != NULL)
            return inner;
        if (chosen->kind == CHOSEN_OP &&
            (op_blocks(chosen->op, moved, makes_source) || op_blocks(chosen->op, moved, reads_parts)))
            return chosen->op;
    }
    return NULL;
}

/* The first operator between what computes the value and its reader that reads it as parts, or for which the copy is
 * made that it is converted from; NULL: none. */
static const OpChoice *find_blocker(const Level *reader, const Level *computed, int index, const Route *moved)
{
    const OpChoice *blocker = NULL;
    for (const Level *level = reader; blocker == NULL; level = level->outer) {
        blocker = find_blocker_in(level->list, level == computed ? index + 1 : 0, level->index - 1, moved);
        if (level == computed)
            break;
    }
    const Chosen *own = &reader->list->data[reader->index];
    if (blocker == NULL && own->kind == CHOSEN_OP && op_blocks(own->op, moved, makes_source))
        blocker = own->op;
    return blocker;
}

/* ---- Moving ------------------------------------------------------------------------------------------------- */

static const char *why_not(const Reading *reading, const OpChoice *blocker)
{
    return op_blocks(blocker, reading->route, reads_parts)
               ? "The sum is completed in place, and an earlier reader needs its parts."
               : "It is converted from a copy that is made for an earlier reader: say the same of the axes of that.";
}

static void refuse(Placer *p, const Reading *reading, const Converted *request, const OpChoice *blocker)
{
    if (!p->failed) {
        Diagnostic *d =
            diag_report(p->ctx.diag, P0323, request->span, "'%s' cannot be converted over '%s' at once",
                        placer_buffer(p, reading->ref.buffer)->name, p->facts->decls->axes.data[request->axis].name);
        diag_label(d, reading->span, "it is converted for this reader");
        diag_label(d, blocker->op->span, "'%s' reads it before that", op_info[blocker->op->kind].name);
        diag_why(d, "%s", why_not(reading, blocker));
        diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = request->span});
    }
    p->failed = true;
}

static void refuse_use(Placer *p, const Reading *reading, const Converted *request)
{
    if (!p->failed) {
        Diagnostic *d = diag_report(p->ctx.diag, P0209, request->span, "'%s' is converted at once, and for every use",
                                    placer_buffer(p, reading->ref.buffer)->name);
        diag_label(d, reading->route->kept->span, "its copies are kept until the use");
        diag_why(d, "What is made at once serves all readers of the pass.");
        diag_help(d, "Say 'kept until pass', or 'at use'.");
    }
    p->failed = true;
}

/* After the conversions that were moved there before. */
static void insert(Placer *p, Level *level, int index, AheadChoice *ahead)
{
    ChosenList *list = level->list;
    while (index + 1 < list->count && list->data[index + 1].kind == CHOSEN_AHEAD)
        index++;
    vec_push(p->ctx.arena, list, (Chosen){0});
    for (int i = list->count - 1; i > index + 1; i--)
        list->data[i] = list->data[i - 1];
    list->data[index + 1] = (Chosen){.kind = CHOSEN_AHEAD, .ahead = ahead};
    level->index++;
}

static void note_done(Placer *p, const Converted *request)
{
    p->choices->converted[request - p->facts->assignment->converted.data] = true;
}

static void move(Placer *p, Level *level, int index, const Reading *reading, const Converted *request)
{
    AheadChoice *ahead = arena_make(p->ctx.arena, AheadChoice);
    *ahead = (AheadChoice){{reading->ref, reading->span, *reading->route}, request};
    ahead->entry.route.why = WHY_AHEAD;
    *reading->route = (Route){.from = route_end(reading->route), .why = reading->route->why};
    insert(p, level, index, ahead);
    note_done(p, request);
}

static void place_reading(Placer *p, Level *level, const Reading *reading)
{
    if (reading->route->steps.count == 0 || p->facts->buffers[reading->ref.buffer].role != ROLE_PLAIN)
        return;
    const Converted *request = moment_of(p, level, reading);
    if (request == NULL || request->moment == COPY_AT_USE)
        return;
    Level *computed = NULL;
    int index = 0;
    Origin origin = find_computed(p, level, reading->ref, &computed, &index);
    if (origin == ORIGIN_PASS ||
        (origin == ORIGIN_FOUND && is_backward(&computed->list->data[index]) != reading->backward))
        return;
    const OpChoice *blocker = find_blocker(level, computed, index, reading->route);
    if (reading->route->kept != NULL && reading->route->kept->life == COPY_USE)
        refuse_use(p, reading, request);
    else if (blocker != NULL)
        refuse(p, reading, request, blocker);
    else
        move(p, computed, index, reading, request);
}

static void place_operands(Placer *p, Level *level, const OpChoice *o)
{
    for (int i = 0; i < o->op->operand_count; i++) {
        Reading reading = {o->op->operand[i], &o->reads[i], o->op->span, o->backward};
        place_reading(p, level, &reading);
        reading.route = o->halos != NULL ? &o->halos[i] : NULL;
        if (reading.route != NULL)
            place_reading(p, level, &reading);
    }
}

static void place_list(Placer *p, ChosenList *list, const LayersChoice *layers, Level *outer)
{
    Level level = {.list = list, .layers = layers, .outer = outer};
    for (; level.index < list->count; level.index++) {
        const Chosen chosen = list->data[level.index];
        if (chosen.kind == CHOSEN_OP)
            place_operands(p, &level, chosen.op);
        if (chosen.kind != CHOSEN_LAYERS)
            continue;
        for (int i = 0; i < chosen.layers->entries.count; i++) {
            Entry *entry = &chosen.layers->entries.data[i];
            const Reading reading = {entry->ref, &entry->route, entry->span, chosen.layers->backward};
            place_reading(p, &level, &reading);
        }
        place_list(p, &chosen.layers->body, chosen.layers, &level);
    }
}

void derive_place_ahead(Placer *p, RoutineChoices *r)
{
    place_list(p, &r->early_body, NULL, NULL);
    place_list(p, &r->between, NULL, NULL);
    place_list(p, &r->body, NULL, NULL);
}
