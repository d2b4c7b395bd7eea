/* stages_parts.c - the parts of a microbatch loop's body: which stages run them, and what stages pass on.
 *
 * The body of the loop is a list of parts: the forward loop over the layers of each block, the backward loops, and what
 * surrounds them. A part belongs to a section of the model (stages_where.c), depending on the values it reads; one that
 * reads none (inputs, positions, zeros, gathered parameters) is a source, and runs wherever something reads it. What
 * a section makes and the layers of a later block, or a later section, read is carried from stage to stage; what
 * backward of a section makes and backward of what is before it reads is carried back (stages_pass.c).
 */
#include "base/change.h"
#include "lower/stages_internal.h"

/* In addition to the sections that have a value. */
enum { SOURCE = 1 << (STAGE_MOST_BLOCKS + 1), INNER = 2 * SOURCE, SECTIONS = SOURCE - 1 };

/* ---- What a part touches ------------------------------------------------------------------------------------ */

typedef struct Touch {
    const StagesBody *body;
    bool dense;    /* reads or writes activations */
    bool computes; /* an activation from a parameter */
    bool adds;     /* to something that the loop did not make */
    bool from_backward, has_origin, output;
    bool begins;     /* writes what the layers pass on */
    StageSet has;    /* the sections, and INNER, that have something that it reads or adds to */
    StageSet common; /* those that have all of it */
    int first, last; /* where all of it can be forward, and backward */
    StageSet units;  /* the sections of the units it touches outside layers */
} Touch;

static const Buffer *buffer_of(const StagesBody *b, int index)
{
    return &b->p->program->buffers.data[index];
}

bool stages_is_activation(const StagesBody *b, int index)
{
    const Buffer *buffer = buffer_of(b, index);
    return buffer->layout == LAYOUT_DENSE && !buffer->persistent;
}

/* What it reads, or adds to, is in these sections. */
static void touch_sections(Touch *t, int buffer)
{
    StageSet has = t->body->has[buffer] & (SECTIONS | INNER);
    if (has == 0)
        return;
    bool backward = t->body->from_backward[buffer];
    int lowest = stages_lowest(has);
    t->common &= has;
    t->has |= has;
    t->first = !backward && lowest > t->first ? lowest : t->first;
    t->last = backward && lowest < t->last ? lowest : t->last;
    t->from_backward |= backward;
}

static void touch(void *context, Op *op, Ref *ref, bool writes)
{
    Touch *t = context;
    const StagesBody *b = t->body;
    const Buffer *buffer = buffer_of(b, ref->buffer);
    t->has_origin |= op->origin >= 0;
    t->output |= op->kind == OP_OUTPUT;
    if (buffer->layout == LAYOUT_UNIT)
        t->units |= b->p->unit_stages[buffer->unit];
    if (!stages_is_activation(b, ref->buffer)) {
        bool number = buffer->layout == LAYOUT_DENSE && buffer->dim_count == 0; /* every stage has it */
        t->computes |= !writes && !number && op_has_result(op->kind) && stages_is_activation(b, op->out.buffer);
        t->adds |= writes && op->accumulate && (b->has[ref->buffer] & SOURCE) == 0;
        return;
    }
    t->dense = true;
    if (writes) {
        t->begins |= b->in_layers[ref->buffer];
        t->adds |= op->accumulate && b->has[ref->buffer] == 0;
        if (!op->accumulate || (b->has[ref->buffer] & SECTIONS) == 0)
            return;
    }
    touch_sections(t, ref->buffer);
}

static Touch touch_node(const StagesBody *b, const Node *node)
{
    Touch t = {.body = b, .common = SECTIONS, .last = b->p->decls->groups.count};
    refs_visit(node, touch, &t);
    return t;
}

/* ---- Which stage -------------------------------------------------------------------------------------------- */

/* Refuses a value that would pass between stages otherwise than from one layer to the next. */
__attribute__((format(printf, 3, 4))) static void refuse_passage(StagesBody *b, Span span, const char *format, ...)
{
    if (b->p->failed)
        return;
    va_list args;
    va_start(args, format);
    Diagnostic *d = stages_refuse(b->p, span, "%s", arena_vprintf(b->p->ctx->arena, format, args));
    va_end(args);
    diag_note(d, "A stage passes on what one layer passes to the next, and backward the derivative of that; all else "
                 "that layers read must be inputs, parameters, or computed in the layer.");
    diag_help(d, "Let the block pass it on with what it repeats, compute it in the block, or leave the pipeline out.");
}

/* Does it run layers, on activations? */
static bool runs_layers(const StagesBody *b, const Node *node)
{
    return node_is_layer_loop(node) && touch_node(b, node).dense;
}

/* Does a loop begin with the layer after the other's last, in the same direction? */
static bool goes_on(const Node *loop, const Node *next)
{
    return loop->loop.group == next->loop.group && loop->loop.step == next->loop.step &&
           loop->loop.last.constant + loop->loop.step == next->loop.first.constant;
}

/* The loops over layers that are placed differently, which follow each other, are one part. */
static void chain_loops(StagesBody *b, const NodeList *old)
{
    Arena *arena = b->p->ctx->arena;
    for (int i = 0; i < old->count; i++) {
        Node *node = old->data[i];
        StagesPart *last = b->count > 0 ? &b->part[b->count - 1] : NULL;
        if (last == NULL || !last->chain || !runs_layers(b, node) ||
            !goes_on(last->node->body.data[last->node->body.count - 1], node)) {
            last = &b->part[b->count++];
            *last = (StagesPart){.node = node, .chain = runs_layers(b, node), .group = -1};
        }
        if (!last->chain)
            continue;
        if (last->node == node) {
            last->node = arena_make(arena, Node);
            *last->node = (Node){.kind = NODE_GUARD, .span = node->span};
            last->group = node->loop.group;
        }
        vec_push(arena, &last->node->body, node);
    }
}

static bool find_loops(StagesBody *b)
{
    int groups = b->p->decls->groups.count;
    b->forward = arena_array(b->p->ctx->arena, int, groups);
    b->back = arena_array(b->p->ctx->arena, int, groups);
    for (int g = 0; g < groups; g++)
        b->forward[g] = b->back[g] = -1;
    for (int i = 0; i < b->count; i++) {
        int g = b->part[i].group;
        if (!b->part[i].chain)
            continue;
        if (b->forward[g] < 0)
            b->forward[g] = i;
        else if (b->back[g] < 0)
            b->back[g] = i;
        else
            refuse_passage(b, b->part[i].node->span, "a pipeline of layers that run in several passes");
    }
    for (int g = 0; g < groups && !b->p->failed; g++)
        if (b->forward[g] < 0)
            stages_refuse(b->p, b->p->span, "a pipeline of a routine without layers of '%s'",
                          b->p->decls->groups.data[g].name);
    return !b->p->failed;
}

/* The section in which a part of the forward pass is. */
static int section_of(const StagesBody *b, int part)
{
    int section = 0;
    while (section < b->p->decls->groups.count && b->forward[section] < part)
        section++;
    return section;
}

typedef struct Needs {
    StagesBody *body;
    StagesPart *part;
    const Affine **made; /* per buffer: the slot that a loop over layers wrote; or NULL */
    bool failed;
} Needs;

static void note_need(void *context, Op *op, Ref *ref, bool writes)
{
    Needs *needs = context;
    if (!writes || op->accumulate)
        needs->part->needs[ref->buffer] = needs->body->source[ref->buffer];
}

static void note_written(void *context, Op *op, Ref *ref, bool writes)
{
    Needs *needs = context;
    StagesBody *b = needs->body;
    StagesPart *part = needs->part;
    if (!writes)
        return;
    if (part->source) {
        b->source[ref->buffer] = (int)(part - b->part);
        b->has[ref->buffer] = SOURCE;
        return;
    }
    bool unit = buffer_of(b, ref->buffer)->layout == LAYOUT_UNIT;
    if (unit && op->accumulate && b->source[ref->buffer] >= 0)
        b->part[b->source[ref->buffer]].begins_sum = true;
    if (op->accumulate && b->has[ref->buffer] == 0)
        b->p->buffers[ref->buffer].summed = true;
    if (unit || b->p->buffers[ref->buffer].summed)
        return;
    if (!op->accumulate || part->stages != 0)
        b->source[ref->buffer] = -1;
    b->has[ref->buffer] = part->stages != 0 ? part->stages : INNER;
    b->from_backward[ref->buffer] = part->backward;
}

bool stages_is_passed(const PassedList *list, int buffer, int group)
{
    for (int i = 0; i < list->count; i++)
        if (list->data[i].buffer == buffer && list->data[i].group == group)
            return true;
    return false;
}

/* Does the reference read the contents from before? Not if every layer makes them for itself. */
static bool reads_outer(Needs *needs, const Op *op, const Ref *ref, bool writes)
{
    if (!stages_is_activation(needs->body, ref->buffer))
        return false;
    const Affine *made = needs->made[ref->buffer];
    if (writes && !op->accumulate)
        needs->made[ref->buffer] = &ref->slot;
    return (!writes || op->accumulate) && (made == NULL || !affine_equal(made, &ref->slot));
}

static void find_carried(void *context, Op *op, Ref *ref, bool writes)
{
    Needs *needs = context;
    StagesBody *b = needs->body;
    int group = needs->part->group;
    if (!reads_outer(needs, op, ref, writes) || writes || (b->has[ref->buffer] & SECTIONS) == 0)
        return;
    bool of_layer = b->p->buffers[ref->buffer].cut && ref->slot.term_count > 0;
    if ((b->p->buffers[ref->buffer].cut && !of_layer) || !stages_pass_to(b, ref->buffer, group))
        refuse_passage(b, op->span, "a value before the layers that every layer reads, '%s',",
                       buffer_of(b, ref->buffer)->name);
    stages_pass(b, &b->carried, ref->buffer, group);
}

/* A sum over layers begins with zeros that any stage could make: the stage that adds to it first does. */
static void begin_sum(StagesBody *b, int buffer, int section)
{
    StagesPart *zeros = &b->part[b->source[buffer]];
    for (int i = 0; i < b->count; i++)
        if (b->part[i].needs != NULL && b->part[i].needs[buffer] >= 0)
            return; /* read by others, too */
    zeros->source = false;
    zeros->backward = true;
    zeros->stages = b->has[buffer] = 1u << section;
    b->from_backward[buffer] = true;
    b->source[buffer] = -1;
}

static void find_returned(void *context, Op *op, Ref *ref, bool writes)
{
    Needs *needs = context;
    StagesBody *b = needs->body;
    int group = needs->part->group;
    StageSet after = 1u << (group + 1);
    bool outer = reads_outer(needs, op, ref, writes);
    if (outer && writes && b->has[ref->buffer] == SOURCE)
        begin_sum(b, ref->buffer, group + 1);
    bool later = (b->has[ref->buffer] & SECTIONS) >= after;
    if (!outer || !later || stages_is_passed(&b->carried, ref->buffer, group))
        return;
    bool passes = buffer_of(b, ref->buffer)->slots == 1 || b->p->buffers[ref->buffer].in_turns;
    if (b->from_backward[ref->buffer] && passes && stages_pass_to(b, ref->buffer, group + 1))
        stages_pass(b, &b->returned, ref->buffer, group);
    else
        refuse_passage(b, op->span, "a value of a later stage, '%s', that backward through the layers reads",
                       buffer_of(b, ref->buffer)->name);
}

static const Affine **new_slots(const StagesBody *b)
{
    return arena_array(b->p->ctx->arena, const Affine *, b->p->program->buffers.count);
}

static void place_forward_loop(StagesBody *b, StagesPart *part)
{
    Needs needs = {b, part, new_slots(b), false};
    refs_visit(part->node, find_carried, &needs);
    refs_visit(part->node, note_need, &needs);
    refs_visit(part->node, note_written, &needs);
    for (int i = 0; i < b->carried.count; i++) {
        const Passed *passed = &b->carried.data[i];
        StageSet *has = &b->has[passed->buffer], after = 1u << (part->group + 1);
        if (passed->group == part->group)
            *has = b->p->buffers[passed->buffer].cut ? after : *has | after;
    }
}

static void place_back_loop(StagesBody *b, StagesPart *part)
{
    Needs needs = {b, part, new_slots(b), false};
    part->backward = true;
    refs_visit(part->node, find_returned, &needs);
    refs_visit(part->node, note_need, &needs);
    refs_visit(part->node, note_written, &needs);
    for (int i = 0; i < b->returned.count; i++) {
        if (b->returned.data[i].group != part->group)
            continue;
        b->has[b->returned.data[i].buffer] = 1u << part->group;
        b->from_backward[b->returned.data[i].buffer] = true;
    }
}

/* The section of a part that reads values of some: one that has all of them, or that all can be passed to. */
static StageSet choose_section(const StagesBody *b, int index, const Touch *t)
{
    int here = section_of(b, index);
    if (t->common != 0 && (t->units == 0 || (t->units & t->common) != 0)) {
        StageSet able = t->units != 0 ? t->units & t->common : t->common;
        return b->part[index].output ? 1u << stages_highest(able) : able >> here & 1 ? 1u << here : able & -able;
    }
    if (b->part[index].backward)
        return 1u << t->last;
    return 1u << (t->first > here ? t->first : here);
}

static void pass_read(void *context, Op *op, Ref *ref, bool writes)
{
    Needs *needs = context;
    StagesBody *b = needs->body;
    if (!stages_is_activation(b, ref->buffer) || (writes && !op->accumulate) || (b->has[ref->buffer] & SECTIONS) == 0)
        return;
    if (!stages_pass_to(b, ref->buffer, stages_lowest(needs->part->stages)))
        needs->failed = true;
}

/* False if it reads something that no stage passes on. */
static bool pass_to_part(StagesBody *b, StagesPart *part)
{
    Needs needs = {b, part, NULL, false};
    if (part->stages != 0)
        refs_visit(part->node, pass_read, &needs);
    return !needs.failed;
}

static void place_part(StagesBody *b, int index)
{
    StagesPart *part = &b->part[index];
    Touch t = touch_node(b, part->node);
    if (part->node->kind == NODE_WAIT && !b->p->failed)
        diag_repair(stages_refuse(b->p, part->node->span, "a wait outside the layers, in a pipeline,"),
                    (Repair){.kind = REPAIR_NO_WAIT,
                             .span = part->node->span,
                             .otherwise = "Leave `wait` out: the stage does nothing else."});
    Needs needs = {b, part, NULL, false};
    part->source = !t.adds && !t.output && !node_is_layer_loop(part->node) && t.has == 0 && !t.computes && !t.begins;
    part->output = t.output;
    part->backward = t.has_origin || t.from_backward;
    part->stages = t.has & SECTIONS ? choose_section(b, index, &t) : 0;
    if (t.has & INNER || !pass_to_part(b, part)) {
        refuse_passage(b, part->node->span, "a pipeline whose stages pass on more than what passes between layers");
        return;
    }
    if (part->stages == 0 && !t.dense)
        part->stages = stages_distinct(b->p, t.units); /* between a unit's buffers: on all stages that have it */
    else if (part->stages == 0)
        part->stages = 1u << section_of(b, index);
    if (!t.dense && 1u << section_of(b, index) == stages_last(b->p) && b->back[0] >= 0)
        part->backward = true;
    if (part->source)
        part->stages = 0;
    refs_visit(part->node, note_need, &needs);
    refs_visit(part->node, note_written, &needs);
}

static void note_in_layers(void *context, Op *op, Ref *ref, bool writes)
{
    (void)op;
    StagesBody *b = context;
    b->in_layers[ref->buffer] |= writes && b->p->buffers[ref->buffer].cut;
}

bool stages_find_parts(StagesBody *b, const NodeList *old)
{
    int buffers = b->p->program->buffers.count;
    Arena *arena = b->p->ctx->arena;
    b->count = 0;
    b->part = arena_array(arena, StagesPart, old->count + 1);
    b->has = arena_array(arena, StageSet, buffers);
    b->from_backward = arena_array(arena, bool, buffers);
    b->in_layers = arena_array(arena, bool, buffers);
    b->source = arena_array(arena, int, buffers);
    memset(b->source, -1, sizeof(int) * (size_t)buffers);
    chain_loops(b, old);
    if (!find_loops(b))
        return false;
    for (int g = 0; g < b->p->decls->groups.count; g++)
        refs_visit(b->part[b->forward[g]].node, note_in_layers, b);
    for (int i = 0; i < b->count && !b->p->failed; i++) {
        StagesPart *part = &b->part[i];
        part->needs = arena_array(arena, int, buffers);
        memset(part->needs, -1, sizeof(int) * (size_t)buffers);
        if (part->group >= 0 && i == b->forward[part->group])
            place_forward_loop(b, part);
        else if (part->group >= 0)
            place_back_loop(b, part);
        else
            place_part(b, i);
    }
    return !b->p->failed;
}

/* ---- Rings -------------------------------------------------------------------------------------------------- */

typedef struct RingSearch {
    StagesBody *body;
    const StagesPart *part;
    StageSet *made; /* per buffer: the sections of the forward parts that made it, sources left out */
} RingSearch;

/* Except in gpipe, the last stage runs a microbatch's forward and backward in one tick, or turn. */
static bool needs_ring(const Stages *p, StageSet made, const StagesPart *part)
{
    return p->schedule == SCHEDULE_GPIPE || made != stages_last(p) || part->stages != stages_last(p);
}

static bool is_carried(const StagesBody *b, int buffer)
{
    for (int i = 0; i < b->carried.count; i++)
        if (b->carried.data[i].buffer == buffer)
            return true;
    return false;
}

static void find_ring(void *context, Op *op, Ref *ref, bool writes)
{
    RingSearch *search = context;
    const StagesBody *b = search->body;
    StagesBuffer *info = &b->p->buffers[ref->buffer];
    const StagesPart *part = search->part;
    if (buffer_of(b, ref->buffer)->persistent || info->summed || part->source)
        return;
    bool of_next = ref->slot.term_count > 0 && ref->slot.constant > 0; /* the next layer's */
    bool outside = ref->slot.term_count == 0 && needs_ring(b->p, stages_last(b->p), part);
    if (part->backward && !writes)
        info->reads_last |= of_next || outside;
    if (!part->backward) {
        search->made[ref->buffer] |= !writes ? 0 : part->stages != 0 ? part->stages : INNER;
    } else if (!writes && search->made[ref->buffer] != 0) {
        info->ring |= needs_ring(b->p, search->made[ref->buffer], part);
        stages_find_chunks(b, ref->buffer, search->made[ref->buffer]);
        info->of_first = search->made[ref->buffer] == STAGE_FIRST && !info->cut && !is_carried(b, ref->buffer);
    } else if (writes && !op->accumulate) {
        search->made[ref->buffer] = 0; /* made anew */
    }
}

/* What one of chained loops makes anew are the values of its own layers: those of the others are as forward left
 * them. */
static void find_rings_of(RingSearch *search, const StagesPart *part)
{
    const Stages *p = search->body->p;
    size_t size = sizeof *search->made * (size_t)p->program->buffers.count;
    search->part = part;
    if (!part->chain) {
        refs_visit(part->node, find_ring, search);
        return;
    }
    StageSet *forward = arena_array(p->ctx->arena, StageSet, p->program->buffers.count);
    for (int i = 0; i < part->node->body.count; i++) {
        memcpy(forward, search->made, size);
        refs_visit(part->node->body.data[i], find_ring, search);
        for (int j = 0; j < p->program->buffers.count && part->backward; j++)
            search->made[j] = p->buffers[j].group >= 0 ? forward[j] : search->made[j];
    }
}

/* The next turn that is used follows at once, or after those that the last group of microbatches lacks: the fewest
 * slots with which neither has the same one. */
static int64_t slots_in_turn(const Stages *p, const StagesBuffer *info)
{
    int64_t uses = p->micro * (info->last_chunk - info->first_chunk + 1);
    if (p->apart && info->first_chunk == info->last_chunk)
        return uses < 2 ? uses : 2;
    int64_t group = stages_group_room(p), lacking = (group - p->micro % group) % group, slots = 2;
    while ((lacking + 1) % slots == 0)
        slots++;
    return slots;
}

void stages_alternate(const StagesBody *b, const PassedList *passed)
{
    Stages *p = b->p;
    for (int i = 0; i < passed->count && p->schedule == SCHEDULE_INTERLEAVED; i++)
        if (!p->buffers[passed->data[i].buffer].ring) {
            stages_find_chunks(b, passed->data[i].buffer, 0);
            stages_make_ring(p, passed->data[i].buffer, slots_in_turn(p, &p->buffers[passed->data[i].buffer]), true);
        }
}

static int64_t depth_of(const Stages *p, const StagesBuffer *info)
{
    if (p->apart) {
        int64_t *known = &p->apart_depth[info->first_chunk * p->chunks + info->last_chunk];
        *known = *known > 0 ? *known : stages_apart_depth(p, info->first_chunk, info->last_chunk);
        return *known;
    }
    return info->of_first ? p->first_depth : p->depth;
}

void stages_find_rings(Stages *p, const Routine *step)
{
    for (int i = 0; i < step->body.count; i++) {
        const Node *node = step->body.data[i];
        StagesBody body = {.p = p};
        if (!stages_computes_layers(node) || !stages_find_parts(&body, &node->body))
            continue;
        RingSearch search = {&body, NULL, arena_array(p->ctx->arena, StageSet, p->program->buffers.count)};
        for (int pass = 0; pass < 2; pass++) /* all of forward comes before all of backward */
            for (int j = 0; j < body.count; j++)
                if (body.part[j].backward == (pass == 1))
                    find_rings_of(&search, &body.part[j]);
        stages_alternate(&body, &body.carried);
        stages_alternate(&body, &body.returned);
    }
    for (int i = 0; i < p->program->buffers.count; i++)
        if (p->buffers[i].ring && p->buffers[i].depth == 0)
            stages_make_ring(p, i, depth_of(p, &p->buffers[i]), false);
}
