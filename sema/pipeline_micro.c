/* pipeline_micro.c - the microbatch loop of a pipeline.
 *
 * The body of the loop is a list of parts: the layers' forward loop, their backward loop, and what lies around them. A
 * part belongs to the first stage or to the last, by the values it reads; one that reads none (inputs, positions,
 * zeros, gathered parameters) is a source, and runs wherever something reads it. What the first stage makes and the
 * layers read is carried from stage to stage; what the last stage's backward makes and the layers' backward reads,
 * back.
 */
#include "sema/pipeline_internal.h"

enum { SOURCE = 4, INNER = 8 }; /* beside the stages that have a value */

typedef struct Part {
    Node *node;
    unsigned stages; /* 0: all */
    bool source, backward, output;
    int *needs; /* per buffer that it reads: the source that made it; -1 none */
} Part;

typedef Vec(int) Buffers;

typedef struct Body {
    Pipe *p;
    Part *part;
    int count, forward, back; /* the two loops; back -1: none */
    unsigned *has;            /* per buffer: who has its value, so far */
    bool *in_layers;          /* per buffer: of layers, and the forward loop writes it */
    bool *from_backward;      /* per buffer: a backward part made it */
    int *source;              /* per buffer: the part that made it, if a source; -1 */
    Buffers carried, returned;
    const Moment *moment;
    int micro_loop;
    bool again;       /* what is emitted now was emitted before */
    bool *done;       /* per part: emitted for the stage and moment at hand */
    bool *everywhere; /* and for all stages */
} Body;

/* ---- What a part touches ------------------------------------------------------------------------------------ */

typedef void Visit(void *context, const Op *op, const Ref *ref, bool writes);

static void visit_refs(const Node *node, Visit *visit, void *context)
{
    if (node->kind == NODE_OP) {
        const Op *op = node->op;
        for (int i = 0; i < op->operand_count; i++)
            visit(context, op, &op->operand[i], false);
        if (op_has_result(op->kind))
            visit(context, op, &op->out, true);
    }
    for (int i = 0; i < node->body.count; i++)
        visit_refs(node->body.data[i], visit, context);
}

typedef struct Touch {
    const Body *body;
    bool dense;    /* reads or writes activations */
    bool computes; /* an activation from a parameter */
    bool adds;     /* into something that the loop did not make */
    bool from_backward, has_origin, output;
    bool begins; /* writes what the layers pass on */
    unsigned has;
    unsigned units; /* the stages of the units it touches that lie outside of layers */
} Touch;

static const Buffer *buffer_of(const Body *b, int index)
{
    return &b->p->program->buffers.data[index];
}

static bool is_activation(const Body *b, int index)
{
    const Buffer *buffer = buffer_of(b, index);
    return buffer->layout == LAYOUT_DENSE && !buffer->persistent;
}

static void touch(void *context, const Op *op, const Ref *ref, bool writes)
{
    Touch *t = context;
    const Body *b = t->body;
    const Buffer *buffer = buffer_of(b, ref->buffer);
    t->has_origin |= op->origin >= 0;
    t->output |= op->kind == OP_OUTPUT;
    if (buffer->layout == LAYOUT_UNIT)
        t->units |= b->p->unit_stages[buffer->unit];
    if (!is_activation(b, ref->buffer)) {
        t->computes |= !writes && op_has_result(op->kind) && is_activation(b, op->out.buffer);
        t->adds |= writes && op->accumulate && (b->has[ref->buffer] & SOURCE) == 0;
        return;
    }
    t->dense = true;
    if (writes) {
        t->begins |= b->in_layers[ref->buffer];
        t->adds |= op->accumulate && b->has[ref->buffer] == 0;
        return;
    }
    t->has |= b->has[ref->buffer] & (STAGE_FIRST | STAGE_LAST | INNER);
    t->from_backward |= b->from_backward[ref->buffer];
}

static Touch touch_node(const Body *b, const Node *node)
{
    Touch t = {.body = b};
    visit_refs(node, touch, &t);
    return t;
}

/* ---- Which stage -------------------------------------------------------------------------------------------- */

/* A value that would pass stages in another way than from a layer to the next. */
__attribute__((format(printf, 3, 4))) static void refuse_passage(Body *b, Span span, const char *format, ...)
{
    if (b->p->failed)
        return;
    va_list args;
    va_start(args, format);
    Diagnostic *d = pipeline_refuse(b->p, span, "%s", arena_vprintf(b->p->ctx->arena, format, args));
    va_end(args);
    diag_note(d, "A stage hands on what one layer passes to the next, and backward the derivative of that; all else "
                 "that layers read must be inputs, parameters, or made in the layer.");
    diag_help(d, "Let the block pass it on with what it repeats, compute it in the block, or leave the pipeline out.");
}

static bool find_loops(Body *b, const NodeList *old)
{
    b->forward = b->back = -1;
    for (int i = 0; i < old->count; i++) {
        if (!pipeline_is_layer_loop(old->data[i]) || !touch_node(b, old->data[i]).dense)
            continue;
        if (b->forward < 0)
            b->forward = i;
        else if (b->back < 0)
            b->back = i;
        else
            refuse_passage(b, old->data[i]->span, "a pipeline of layers that are run in several passes");
    }
    if (b->forward < 0)
        pipeline_refuse(b->p, b->p->span, "a pipeline of a routine without layers");
    return !b->p->failed;
}

typedef struct Needs {
    Body *body;
    Part *part;
} Needs;

static void note_need(void *context, const Op *op, const Ref *ref, bool writes)
{
    Needs *needs = context;
    if (!writes || op->accumulate)
        needs->part->needs[ref->buffer] = needs->body->source[ref->buffer];
}

static void note_written(void *context, const Op *op, const Ref *ref, bool writes)
{
    Needs *needs = context;
    Body *b = needs->body;
    Part *part = needs->part;
    if (!writes)
        return;
    if (part->source) {
        b->source[ref->buffer] = (int)(part - b->part);
        b->has[ref->buffer] = SOURCE;
        return;
    }
    bool unit = buffer_of(b, ref->buffer)->layout == LAYOUT_UNIT;
    if (op->accumulate && b->has[ref->buffer] == 0)
        b->p->buffers[ref->buffer].summed = true;
    if (unit || b->p->buffers[ref->buffer].summed)
        return;
    if (!op->accumulate)
        b->source[ref->buffer] = -1;
    b->has[ref->buffer] = part->stages != 0 ? part->stages : INNER;
    b->from_backward[ref->buffer] = part->backward;
}

static void add_once(const Body *b, Buffers *list, int buffer)
{
    for (int i = 0; i < list->count; i++)
        if (list->data[i] == buffer)
            return;
    vec_push(b->p->ctx->arena, list, buffer);
}

static void find_carried(void *context, const Op *op, const Ref *ref, bool writes)
{
    Needs *needs = context;
    Body *b = needs->body;
    if (writes || !is_activation(b, ref->buffer) || b->has[ref->buffer] != STAGE_FIRST)
        return;
    add_once(b, &b->carried, ref->buffer);
    bool of_layer = b->p->buffers[ref->buffer].cut && ref->slot.term_count > 0;
    if (!of_layer)
        refuse_passage(b, op->span, "a value before the layers that every layer reads, '%s',",
                       buffer_of(b, ref->buffer)->name);
}

static void find_returned(void *context, const Op *op, const Ref *ref, bool writes)
{
    Needs *needs = context;
    Body *b = needs->body;
    if ((writes && !op->accumulate) || !is_activation(b, ref->buffer) || b->has[ref->buffer] != STAGE_LAST)
        return;
    bool carried = false;
    for (int i = 0; i < b->carried.count; i++)
        carried |= b->carried.data[i] == ref->buffer;
    if (carried)
        return;
    bool passes = buffer_of(b, ref->buffer)->slots == 1 || b->p->buffers[ref->buffer].in_turns;
    if (b->from_backward[ref->buffer] && passes)
        add_once(b, &b->returned, ref->buffer);
    else
        refuse_passage(b, op->span, "a value of the last stage, '%s', that backward through the layers reads",
                       buffer_of(b, ref->buffer)->name);
}

static void place_forward_loop(Body *b, Part *part)
{
    Needs needs = {b, part};
    visit_refs(part->node, find_carried, &needs);
    visit_refs(part->node, note_need, &needs);
    visit_refs(part->node, note_written, &needs);
    for (int i = 0; i < b->carried.count; i++)
        b->has[b->carried.data[i]] = STAGE_LAST;
}

static void place_back_loop(Body *b, Part *part)
{
    Needs needs = {b, part};
    part->backward = true;
    visit_refs(part->node, find_returned, &needs);
    visit_refs(part->node, note_need, &needs);
    visit_refs(part->node, note_written, &needs);
    for (int i = 0; i < b->returned.count; i++) {
        b->has[b->returned.data[i]] = STAGE_FIRST;
        b->from_backward[b->returned.data[i]] = true;
    }
}

static void place_part(Body *b, int index)
{
    Part *part = &b->part[index];
    Touch t = touch_node(b, part->node);
    Needs needs = {b, part};
    part->source =
        !t.adds && !t.output && !pipeline_is_layer_loop(part->node) && t.has == 0 && !t.computes && !t.begins;
    part->output = t.output;
    part->backward = t.has_origin || t.from_backward;
    part->stages = t.has & (STAGE_FIRST | STAGE_LAST);
    if (t.has & INNER || part->stages == (STAGE_FIRST | STAGE_LAST)) {
        refuse_passage(b, part->node->span, "a pipeline whose stages hand on more than what passes between layers");
        return;
    }
    if (part->stages == 0 && !t.dense)
        part->stages = t.units; /* between a unit's buffers: wherever it is */
    else if (part->stages == 0)
        part->stages = index < b->forward ? STAGE_FIRST : STAGE_LAST;
    if (!t.dense && index > b->forward && b->back >= 0)
        part->backward = true;
    if (part->source)
        part->stages = 0;
    visit_refs(part->node, note_need, &needs);
    visit_refs(part->node, note_written, &needs);
}

static void note_in_layers(void *context, const Op *op, const Ref *ref, bool writes)
{
    (void)op;
    Body *b = context;
    b->in_layers[ref->buffer] |= writes && b->p->buffers[ref->buffer].cut;
}

/* False where it cannot be cut into stages. */
static bool find_stages(Body *b, const NodeList *old)
{
    int buffers = b->p->program->buffers.count;
    Arena *arena = b->p->ctx->arena;
    b->count = old->count;
    b->part = arena_array(arena, Part, old->count + 1);
    b->has = arena_array(arena, unsigned, buffers);
    b->from_backward = arena_array(arena, bool, buffers);
    b->in_layers = arena_array(arena, bool, buffers);
    b->source = arena_array(arena, int, buffers);
    memset(b->source, -1, sizeof(int) * (size_t)buffers);
    if (!find_loops(b, old))
        return false;
    visit_refs(old->data[b->forward], note_in_layers, b);
    for (int i = 0; i < old->count && !b->p->failed; i++) {
        Part *part = &b->part[i];
        part->node = old->data[i];
        part->needs = arena_array(arena, int, buffers);
        memset(part->needs, -1, sizeof(int) * (size_t)buffers);
        if (i == b->forward)
            place_forward_loop(b, part);
        else if (i == b->back)
            place_back_loop(b, part);
        else
            place_part(b, i);
    }
    return !b->p->failed;
}

/* ---- Rings -------------------------------------------------------------------------------------------------- */

typedef struct RingSearch {
    Body *body;
    const Part *part;
    unsigned *made; /* per buffer: the stages of the forward parts that did, which are no sources */
} RingSearch;

/* Of an interleaved schedule, the last stage runs a microbatch's forward and backward in one turn. */
static bool needs_ring(const Pipe *p, unsigned made, const Part *part)
{
    return p->schedule != SCHEDULE_INTERLEAVED || made != STAGE_LAST || part->stages != STAGE_LAST;
}

static void find_ring(void *context, const Op *op, const Ref *ref, bool writes)
{
    RingSearch *search = context;
    const Body *b = search->body;
    PipeBuffer *info = &b->p->buffers[ref->buffer];
    const Part *part = search->part;
    if (buffer_of(b, ref->buffer)->persistent || info->summed || part->source)
        return;
    if (!part->backward)
        search->made[ref->buffer] |= !writes ? 0 : part->stages != 0 ? part->stages : INNER;
    else if (!writes && search->made[ref->buffer] != 0)
        info->ring |= needs_ring(b->p, search->made[ref->buffer], part);
    else if (writes && !op->accumulate)
        search->made[ref->buffer] = 0; /* made again */
}

/* What is on its way to the next stage is not overwritten in the next turn of an interleaved schedule. */
static void alternate(Pipe *p, const Buffers *passed)
{
    for (int i = 0; i < passed->count && p->schedule == SCHEDULE_INTERLEAVED; i++)
        if (!p->buffers[passed->data[i]].ring)
            pipeline_make_ring(p, passed->data[i], 2, true);
}

void pipeline_find_rings(Pipe *p, const Routine *step)
{
    for (int i = 0; i < step->body.count; i++) {
        const Node *node = step->body.data[i];
        Body body = {.p = p};
        if (!pipeline_computes_layers(node) || !find_stages(&body, &node->body))
            continue;
        RingSearch search = {&body, NULL, arena_array(p->ctx->arena, unsigned, p->program->buffers.count)};
        for (int pass = 0; pass < 2; pass++) /* all of forward comes before all of backward */
            for (int j = 0; j < body.count; j++) {
                search.part = &body.part[j];
                if (body.part[j].backward == (pass == 1))
                    visit_refs(body.part[j].node, find_ring, &search);
            }
        alternate(p, &body.returned);
    }
    for (int i = 0; i < p->program->buffers.count; i++)
        if (p->buffers[i].ring && p->buffers[i].depth == 0)
            pipeline_make_ring(p, i, p->depth, false);
}

/* ---- Emission ----------------------------------------------------------------------------------------------- */

static void rename_variable(Affine *affine, int from, int to)
{
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable == from)
            affine->term[i].variable = to;
}

/* A loop's variable below it. */
static void rename_loop(Node *node, int from, int to)
{
    if (node->kind == NODE_OP) {
        for (int i = 0; i < node->op->operand_count; i++)
            rename_variable(&node->op->operand[i].slot, from, to);
        rename_variable(&node->op->out.slot, from, to);
        rename_variable(&node->op->index, from, to);
    }
    rename_variable(&node->guard.value, from, to);
    rename_variable(&node->loop.first, from, to);
    rename_variable(&node->loop.last, from, to);
    for (int i = 0; i < node->body.count; i++)
        rename_loop(node->body.data[i], from, to);
}

/* `again`: operators and loops get numbers of their own. */
static Node *copy_node(Pipe *p, const Node *node, bool again)
{
    Node *copy = arena_make(p->ctx->arena, Node);
    *copy = *node;
    if (node->kind == NODE_OP) {
        copy->op = arena_make(p->ctx->arena, Op);
        *copy->op = *node->op;
        if (again)
            copy->op->id = p->program->op_count++;
    }
    copy->body = (NodeList){0};
    for (int i = 0; i < node->body.count; i++)
        vec_push(p->ctx->arena, &copy->body, copy_node(p, node->body.data[i], again));
    if (again && node->kind == NODE_LOOP) {
        copy->loop.id = p->program->loop_count++;
        for (int i = 0; i < copy->body.count; i++)
            rename_loop(copy->body.data[i], node->loop.id, copy->loop.id);
    }
    return copy;
}

static void emit_part(Body *b, NodeList *list, int index);

static void emit_needs(Body *b, NodeList *list, const Part *part)
{
    for (int i = 0; i < b->p->program->buffers.count; i++)
        if (part->needs[i] >= 0)
            emit_part(b, list, part->needs[i]);
}

static void emit_part(Body *b, NodeList *list, int index)
{
    Part *part = &b->part[index];
    if (b->done[index])
        return;
    b->done[index] = true;
    emit_needs(b, list, part);
    bool again = b->again || part->source || (part->stages & (part->stages - 1)) != 0;
    Node *copy = copy_node(b->p, part->node, again);
    pipeline_place_node(b->p, copy, b->micro_loop, b->moment);
    vec_push(b->p->ctx->arena, list, copy);
}

/* Where a stage's chunk comes among all chunks, from the model's first to its last: a stage of its own. */
static Affine chunk_position(const Body *b)
{
    Affine position = pipeline_variable(affine_coordinate(b->p->axis), 0);
    if (b->moment != NULL && b->moment->chunk != NO_CHUNK)
        pipeline_add_term(&position, b->moment->chunk, b->p->stages);
    return position;
}

/* A guard for the positions low .. last - below. */
static NodeList *at_positions(Body *b, NodeList *list, int64_t low, int64_t below)
{
    return pipeline_guard(b->p, list, chunk_position(b), low, b->p->stages * b->p->chunks - 1 - below);
}

/* What the layers need runs on every stage. */
static void emit_for_layers(Body *b, NodeList *list, int loop)
{
    memset(b->done, 0, sizeof(bool) * (size_t)b->count);
    emit_needs(b, list, &b->part[loop]);
    memcpy(b->everywhere, b->done, sizeof(bool) * (size_t)b->count);
}

/* The parts of one stage, forward or backward, in their order. */
static void emit_stage(Body *b, NodeList *list, unsigned stage, bool backward)
{
    NodeList *at = NULL;
    memcpy(b->done, b->everywhere, sizeof(bool) * (size_t)b->count);
    for (int i = 0; i < b->count; i++) {
        const Part *part = &b->part[i];
        if (i == b->forward || i == b->back || part->source || part->output || part->backward != backward ||
            !(part->stages & stage))
            continue;
        int64_t last = b->p->stages * b->p->chunks - 1;
        if (at == NULL)
            at = stage == STAGE_FIRST ? at_positions(b, list, 0, last) : at_positions(b, list, last, 0);
        emit_part(b, at, i);
    }
}

/* Parts first .. end-1 that every stage has: of units of layers. */
static void emit_everywhere(Body *b, NodeList *list, bool backward, int first, int end)
{
    for (int i = first; i < end; i++) {
        const Part *part = &b->part[i];
        if (i != b->forward && i != b->back && !part->source && !part->output && part->stages == 0 &&
            part->backward == backward)
            emit_part(b, list, i);
    }
}

/* A carried value where a stage's layers begin (or, `behind` them, where they end). */
static Ref carried_ref(Body *b, int buffer, bool behind)
{
    Pipe *p = b->p;
    Ref ref = {.buffer = buffer, .member = -1};
    if (p->buffers[buffer].cut) {
        ref.slot =
            pipeline_variable(behind ? p->buffers[buffer].range.last : p->buffers[buffer].range.first, behind ? 1 : 0);
        ref.slot.constant -= p->buffers[buffer].shift;
        if (b->moment != NULL)
            pipeline_add_chunk(p, &ref.slot, b->moment->chunk, 1);
    }
    pipeline_place_ref(p, &ref, b->moment);
    return ref;
}

/* Values go from stage to stage: received in front of the loop, sent behind it. `events`: one per value if sends are
 * only started. */
typedef struct Passage {
    const Buffers *values;
    int first_channel, direction, *events;
    const Affine *turn; /* of turns: waited for where the next would be sent; NULL: before the next is made */
} Passage;

/* A guard for the stages that send, all but the last on the way, or for those that receive, all but the first. */
static NodeList *at_ends(Body *b, NodeList *list, const Passage *passage, bool senders)
{
    bool but_last = senders == (passage->direction > 0);
    return at_positions(b, list, but_last ? 0 : 1, but_last ? 1 : 0);
}

/* From the last stage's chunk it goes to the first stage's next. */
static Affine neighbour(const Pipe *p, int step)
{
    Affine peer = pipeline_variable(affine_coordinate(p->axis), step);
    peer.modulus = p->chunks > 1 ? p->stages : 0;
    return peer;
}

static void emit_receive(Body *b, NodeList *list, const Passage *passage)
{
    Pipe *p = b->p;
    if (passage->values->count == 0)
        return;
    NodeList *at = at_ends(b, list, passage, false);
    for (int i = 0; i < passage->values->count; i++) {
        Ref ref = carried_ref(b, passage->values->data[i], false);
        Op *op = pipeline_communicate(p, at, OP_RECV, ref, NULL, neighbour(p, -passage->direction), p->span);
        op->channel = passage->first_channel + i;
    }
}

static void put_waits(const Body *b, NodeList *list, const Passage *passage)
{
    for (int i = 0; i < passage->values->count; i++)
        pipeline_node(b->p, list, NODE_WAIT, b->p->span)->event = passage->events[i];
}

static void emit_waits(Body *b, NodeList *list, const Passage *passage)
{
    if (passage->values->count > 0 && passage->events != NULL)
        put_waits(b, at_ends(b, list, passage, true), passage);
}

static void emit_send(Body *b, NodeList *list, const Passage *passage)
{
    Pipe *p = b->p;
    if (passage->values->count == 0)
        return;
    if (passage->turn != NULL)
        put_waits(b, pipeline_guard(p, list, *passage->turn, 1, p->micro * p->chunks - 1), passage);
    NodeList *at = at_ends(b, list, passage, true);
    for (int i = 0; i < passage->values->count; i++) {
        Ref ref = carried_ref(b, passage->values->data[i], passage->direction > 0);
        Affine peer = neighbour(p, passage->direction);
        Op *op = pipeline_communicate(p, at, OP_SEND, (Ref){.member = -1}, &ref, peer, p->span);
        op->channel = passage->first_channel + i;
        if (passage->events != NULL) {
            op->event = passage->events[i];
            op->stream = 1;
        }
    }
}

static void emit_forward(Body *b, NodeList *list, const Passage *passage)
{
    emit_for_layers(b, list, b->forward);
    emit_stage(b, list, STAGE_FIRST, false);
    emit_receive(b, list, passage);
    emit_everywhere(b, list, false, 0, b->forward);
    emit_part(b, list, b->forward);
    emit_send(b, list, passage);
    emit_everywhere(b, list, false, b->forward, b->count);
    emit_stage(b, list, STAGE_LAST, false);
}

static void emit_backward(Body *b, NodeList *list, const Passage *passage)
{
    emit_for_layers(b, list, b->back);
    emit_stage(b, list, STAGE_LAST, true);
    emit_receive(b, list, passage);
    emit_part(b, list, b->back);
    emit_send(b, list, passage);
    emit_everywhere(b, list, true, 0, b->count);
    emit_stage(b, list, STAGE_FIRST, true);
}

/* ---- Ticks -------------------------------------------------------------------------------------------------- */

static int *new_events(Pipe *p, int count)
{
    int *events = arena_array(p->ctx->arena, int, count + 1);
    for (int i = 0; i < count; i++)
        events[i] = p->program->event_count++;
    return events;
}

static Node *tick_loop(Pipe *p, NodeList *body, int id, int64_t last)
{
    Node *node = pipeline_node(p, body, NODE_LOOP, p->span);
    node->loop.id = id >= 0 ? id : p->program->loop_count++;
    node->loop.kind = LOOP_MICRO;
    node->loop.first = affine_constant(0);
    node->loop.last = affine_constant(last);
    node->loop.step = 1;
    return node;
}

/* In a tick: the microbatch whose turn it is, if any; waits for what was sent of the one before. */
static NodeList *at_moment(Body *b, Node *loop, const Moment *moment, const Passage *passage)
{
    Pipe *p = b->p;
    NodeList *list = pipeline_guard(p, &loop->body, moment->micro, 0, p->micro - 1);
    b->moment = moment;
    if (passage->events != NULL && passage->values->count > 0 && p->micro > 1)
        emit_waits(b, pipeline_guard(p, list, moment->micro, 1, p->micro - 1), passage);
    return list;
}

static Moment moment_of(const Node *loop, int delay)
{
    Moment moment = {.micro = pipeline_variable(loop->loop.id, 0), .chunk = NO_CHUNK};
    pipeline_add_term(&moment.micro, delay, -1);
    moment.room = moment.micro;
    return moment;
}

static void emit_one_f_one_b(Body *b, NodeList *body, Passage *out, Passage *back)
{
    Pipe *p = b->p;
    out->events = new_events(p, out->values->count);
    back->events = new_events(p, back->values->count);
    Node *loop = tick_loop(p, body, b->micro_loop, p->micro + p->stages - 2);
    Moment forward = moment_of(loop, p->forward_delay), backward = moment_of(loop, p->backward_delay);
    emit_forward(b, at_moment(b, loop, &forward, out), out);
    emit_backward(b, at_moment(b, loop, &backward, back), back);
    emit_waits(b, body, out);
    emit_waits(b, body, back);
}

/* Forward of all microbatches, then backward of all. */
static void emit_passes(Body *b, NodeList *body, const Passage *out, const Passage *back)
{
    Pipe *p = b->p;
    Node *loop = tick_loop(p, body, b->micro_loop, p->micro + p->stages - 2);
    Moment coordinate = moment_of(loop, affine_coordinate(p->axis));
    emit_forward(b, at_moment(b, loop, &coordinate, out), out);
    if (b->back < 0)
        return;
    loop = tick_loop(p, body, -1, p->micro + p->stages - 2);
    Moment backward = moment_of(loop, p->backward_delay);
    emit_backward(b, at_moment(b, loop, &backward, back), back);
}

/* ---- Turns: interleaved chunks ------------------------------------------------------------------------------ */

typedef void Emitter(Body *b, NodeList *list, const Passage *passage);

/* A microbatch's part in the chunk at hand, if there is such a microbatch. Chunks are done with in the other order
 * than they are begun with, so that of two groups of p microbatches one lies upward in the rings, the other
 * downward: with one chunk's room between them, each begins where the other was done with. */
static void emit_turn(Body *b, Moment *moment, Node *loop, int group, const Passage *passage, Emitter *emit)
{
    Pipe *p = b->p;
    NodeList *list = pipeline_guard(p, &loop->body, pipeline_variable(loop->loop.id, 0), 0, p->micro - 1);
    moment->micro = pipeline_variable(loop->loop.id, 0);
    b->moment = moment;
    if (b->back < 0) {
        emit(b, list, passage);
        return;
    }
    for (int odd = 0; odd < (p->micro > p->stages ? 2 : 1); odd++) {
        Affine parity = pipeline_variable(group, 0);
        parity.modulus = 2;
        moment->room = moment->micro;
        moment->room.constant += odd ? p->stages * p->chunks : 0;
        pipeline_add_term(&moment->room, group, -p->stages);
        pipeline_add_term(&moment->room, moment->chunk, odd ? -p->stages : p->stages);
        b->again = odd;
        emit(b, p->micro > p->stages ? pipeline_guard(p, list, parity, odd, odd) : list, passage);
    }
    b->again = false;
}

static Node *count_loop(Pipe *p, NodeList *body, int64_t count)
{
    return pipeline_loop(p, body, LOOP_STEPS, affine_constant(0), affine_constant(count - 1));
}

/* A loop for one number. */
static Node *name_number(Pipe *p, NodeList *body, LoopKind kind, Affine number)
{
    return pipeline_loop(p, body, kind, number, number);
}

/* Backward, so many turns behind forward, goes through the same groups of microbatches, and through the chunks from the
 * last. `turn`: forward's. */
static void emit_backward_turn(Body *b, NodeList *body, const Affine *turn, int group, Passage *back)
{
    Pipe *p = b->p;
    Affine behind = *turn;
    pipeline_add_term(&behind, p->warmup, -1);
    Node *back_turn = name_number(p, body, LOOP_STEPS, behind);
    Node *back_group =
        pipeline_loop(p, &back_turn->body, LOOP_STEPS, pipeline_variable(group, -2), pipeline_variable(group, 0));
    Node *chunk = count_loop(p, &back_group->body, p->chunks);
    Affine within = pipeline_variable(back_turn->loop.id, -p->stages * (p->chunks - 1));
    pipeline_add_term(&within, back_group->loop.id, -p->stages * p->chunks);
    pipeline_add_term(&within, chunk->loop.id, p->stages);
    NodeList *list = pipeline_guard(p, &chunk->body, within, 0, p->stages - 1);
    pipeline_add_term(&within, back_group->loop.id, p->stages);
    Node *micro = name_number(p, list, LOOP_MICRO, within);
    Moment moment = {.turn = pipeline_variable(back_turn->loop.id, 0), .chunk = chunk->loop.id};
    back->turn = &moment.turn;
    emit_turn(b, &moment, micro, back_group->loop.id, back, emit_backward);
    back->turn = NULL;
}

/* In every turn a stage runs forward of one microbatch through one of its chunks, then backward of one, if it has come
 * so far: p microbatches through the first chunk, the same through the next, and so on; then the next p. */
static void emit_interleaved(Body *b, NodeList *body, Passage *out, Passage *back)
{
    Pipe *p = b->p;
    int64_t period = p->stages * p->chunks, turns = p->micro * p->chunks;
    if (b->back >= 0)
        turns += (p->chunks - 1) * p->stages + 2 * (p->stages - 1);
    out->events = new_events(p, out->values->count);
    Node *group = count_loop(p, body, (turns + period - 1) / period);
    Node *chunk = count_loop(p, &group->body, p->chunks);
    Node *step = count_loop(p, &chunk->body, p->stages);
    Affine micro = pipeline_variable(step->loop.id, 0), turn = micro;
    pipeline_add_term(&micro, group->loop.id, p->stages);
    pipeline_add_term(&turn, group->loop.id, period);
    pipeline_add_term(&turn, chunk->loop.id, p->stages);
    Moment moment = {.turn = turn, .chunk = chunk->loop.id};
    out->turn = &turn;
    emit_turn(b, &moment, name_number(p, &step->body, LOOP_MICRO, micro), group->loop.id, out, emit_forward);
    if (b->back >= 0) {
        back->events = new_events(p, back->values->count);
        emit_backward_turn(b, &step->body, &turn, group->loop.id, back);
    }
    put_waits(b, body, out);
    if (b->back >= 0)
        put_waits(b, body, back);
}

/* One example through all chunks. */
static void emit_example(Body *b, NodeList *body, const Passage *out)
{
    Moment moment = {.chunk = NO_CHUNK};
    if (b->p->chunks > 1) {
        Node *chunk = count_loop(b->p, body, b->p->chunks);
        moment.chunk = chunk->loop.id;
        b->moment = &moment;
        body = &chunk->body;
    }
    emit_forward(b, body, out);
}

/* The slot that the last stage has it in, for all stages. */
static Ref at_last_stage(const Pipe *p, const Ref *value)
{
    Ref ref = *value;
    const PipeBuffer *info = &p->buffers[ref.buffer];
    if (!info->cut)
        return ref;
    const IndexTable *first = &p->decls->tables.data[-1 - STEP_MAX_AXES - info->range.first];
    ref.slot.constant += info->shift - first->values[p->stages - 1] - (p->chunks - 1) * p->every;
    return ref;
}

/* Before anything: a broadcast reads its operand on every rank. */
static void emit_blanks(Body *b, NodeList *body)
{
    for (int i = 0; i < b->count; i++)
        if (b->part[i].output && b->part[i].stages == STAGE_LAST)
            pipeline_fill(b->p, body, at_last_stage(b->p, &b->part[i].node->op->operand[0]), b->part[i].node->span);
}

/* What is handed out lies on the last stage: the others get a copy. */
static void emit_outputs(Body *b, NodeList *body)
{
    for (int i = 0; i < b->count; i++) {
        if (!b->part[i].output)
            continue;
        Op *op = copy_node(b->p, b->part[i].node, false)->op;
        Ref *value = &op->operand[0];
        if (b->part[i].stages == STAGE_LAST) {
            *value = at_last_stage(b->p, value);
            pipeline_communicate(b->p, body, OP_BROADCAST, *value, value, affine_constant(b->p->stages - 1),
                                 b->p->span);
        }
        Node *node = pipeline_node(b->p, body, NODE_OP, op->span);
        node->op = op;
    }
}

static void note_sums(Body *b)
{
    for (int i = 0; i < b->p->program->buffers.count; i++)
        if (b->p->buffers[i].summed && is_activation(b, i))
            b->p->buffers[i].in_parts = true;
}

void pipeline_place_micro(Pipe *p, const NodeList *old, int micro_loop, NodeList *body)
{
    Body b = {.p = p, .micro_loop = micro_loop};
    if (!find_stages(&b, old))
        return;
    b.done = arena_array(p->ctx->arena, bool, b.count + 1);
    b.everywhere = arena_array(p->ctx->arena, bool, b.count + 1);
    Passage out = {.values = &b.carried, .direction = 1, .first_channel = 0};
    Passage back = {.values = &b.returned, .direction = -1, .first_channel = b.carried.count};
    if (p->channels < b.carried.count + b.returned.count)
        p->channels = b.carried.count + b.returned.count;
    if (micro_loop < 0) {
        emit_blanks(&b, body);
        emit_example(&b, body, &out);
        emit_outputs(&b, body);
    } else if (p->schedule == SCHEDULE_INTERLEAVED) {
        if (b.back < 0)
            alternate(p, &b.carried);
        emit_interleaved(&b, body, &out, &back);
    } else if (b.back >= 0 && p->schedule == SCHEDULE_1F1B) {
        emit_one_f_one_b(&b, body, &out, &back);
    } else {
        emit_passes(&b, body, &out, &back);
    }
    note_sums(&b);
}
