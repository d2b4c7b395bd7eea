/* stages_micro.c - the microbatch loop of a pipeline: when the stages run its parts (lower/stages_parts.c), and what
 * they send and receive in between. The number of a stage's microbatch is the tick minus the stage's delay (moment_of).
 */
#include "lower/stages_internal.h"

/* ---- Emission ----------------------------------------------------------------------------------------------- */

static void rename_in_op(Op *op, int from, int to)
{
    for (int i = 0; i < op->operand_count; i++)
        affine_rename(&op->operand[i].slot, from, to);
    affine_rename(&op->out.slot, from, to);
    affine_rename(&op->event_slot, from, to);
    if (op_index(op) != NULL)
        affine_rename(op_index_of(op), from, to);
}

/* Renames a loop's variable below it. */
static void rename_loop(Node *node, int from, int to)
{
    switch (node->kind) {
    case NODE_OP:
        rename_in_op(node->op, from, to);
        break;
    case NODE_LOOP:
        affine_rename(&node->loop.first, from, to);
        affine_rename(&node->loop.last, from, to);
        break;
    case NODE_GUARD:
        affine_rename(&node->guard.value, from, to);
        break;
    case NODE_WAIT:
        affine_rename(&node->wait.slot, from, to);
        break;
    }
    for (int i = 0; i < node->body.count; i++)
        rename_loop(node->body.data[i], from, to);
}

/* `again`: operators and loops get ids of their own. */
static Node *copy_node(Stages *p, const Node *node, bool again)
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

static void emit_part(StagesBody *b, NodeList *list, int index);

static void emit_needs(StagesBody *b, NodeList *list, const StagesPart *part)
{
    for (int i = 0; i < b->p->program->buffers.count; i++)
        if (part->needs[i] >= 0)
            emit_part(b, list, part->needs[i]);
}

static void emit_part(StagesBody *b, NodeList *list, int index)
{
    StagesPart *part = &b->part[index];
    if (b->done[index])
        return;
    b->done[index] = true;
    part->emitted |= 1u << b->section;
    emit_needs(b, list, part);
    bool again = b->again || part->source || (part->stages & (part->stages - 1)) != 0;
    Node *copy = copy_node(b->p, part->node, again);
    stages_place_node(b->p, copy, b->micro_loop, b->moment);
    for (int i = 0; part->chain && i < copy->body.count; i++)
        vec_push(b->p->ctx->arena, list, copy->body.data[i]);
    if (!part->chain)
        vec_push(b->p->ctx->arena, list, copy);
}

/* The position of a stage's chunk among all chunks, from the model's first to its last, as if each were a stage. */
static Affine chunk_position(const StagesBody *b)
{
    Affine position = stages_variable(affine_coordinate(b->p->axis), 0);
    if (b->moment != NULL && b->moment->chunk != NO_CHUNK)
        affine_add_term(&position, b->moment->chunk, b->p->stages);
    return position;
}

/* A list guarded for the positions low .. last - below. */
static NodeList *at_positions(StagesBody *b, NodeList *list, int64_t low, int64_t below)
{
    return stages_guard(b->p, list, chunk_position(b), low, b->p->stages * b->p->chunks - 1 - below);
}

static int group_count(const StagesBody *b)
{
    return b->p->decls->groups.count;
}

/* Emits what the layers need, on every stage. `loops`: one per group. */
static void emit_for_layers(StagesBody *b, NodeList *list, const int *loops)
{
    memset(b->done, 0, sizeof(bool) * (size_t)b->count);
    for (int i = 0; i < b->count; i++)
        b->part[i].emitted = 0;
    for (int g = 0; g < group_count(b); g++)
        emit_needs(b, list, &b->part[loops[g]]);
    memcpy(b->everywhere, b->done, sizeof(bool) * (size_t)b->count);
}

/* Is it neither one of the layers' loops nor a part that is emitted elsewhere? */
static bool is_of_pass(const StagesBody *b, int index, bool backward)
{
    const StagesPart *part = &b->part[index];
    return part->group < 0 && !part->source && !part->output && part->backward == backward;
}

static int64_t position_of(const StagesBody *b, int section)
{
    return b->p->section_at[section];
}

/* Another section at this position may have begun the sum already. */
static bool is_emitted_there(const StagesBody *b, const StagesPart *part, int64_t position)
{
    for (int section = 0; section <= group_count(b); section++)
        if ((part->emitted >> section & 1) && position_of(b, section) == position)
            return true;
    return false;
}

/* The parts of one section, forward or backward, in their order. */
static void emit_section(StagesBody *b, NodeList *list, int section, bool backward)
{
    NodeList *at = NULL;
    int64_t last = b->p->stages * b->p->chunks - 1, position = position_of(b, section);
    memcpy(b->done, b->everywhere, sizeof(bool) * (size_t)b->count);
    for (int i = 0; i < b->count; i++)
        b->done[i] |= b->part[i].begins_sum && is_emitted_there(b, &b->part[i], position);
    b->section = section;
    b->p->within = position / b->p->stages;
    for (int i = 0; i < b->count; i++) {
        if (!is_of_pass(b, i, backward) || !(b->part[i].stages >> section & 1))
            continue;
        if (at == NULL)
            at = at_positions(b, list, position, last - position);
        emit_part(b, at, i);
    }
    b->p->within = -1;
}

/* Parts first .. end-1 that every stage has: they work on units of layers. */
static void emit_everywhere(StagesBody *b, NodeList *list, bool backward, int first, int end)
{
    for (int i = first; i < end; i++)
        if (is_of_pass(b, i, backward) && b->part[i].stages == 0)
            emit_part(b, list, i);
}

/* A carried value where a stage's layers begin (or, with `after`, where they end). `chunk`: the current one, of chunks
 * that are apart. */
static Ref carried_ref(StagesBody *b, int buffer, bool after, int64_t chunk)
{
    Stages *p = b->p;
    Ref ref = {.buffer = buffer, .member = -1};
    const StagesBuffer *info = &p->buffers[buffer];
    if (info->of_chunk != NULL) { /* of the stage's own layers */
        int64_t within = p->within;
        p->within = chunk;
        const Layers *range = &info->of_chunk[chunk];
        if (after && range->most > 0) {
            ref.slot = stages_variable(range->last, 1);
            affine_add_term(&ref.slot, range->first, -1);
        }
        stages_place_in_ring(p, &ref, b->moment);
        p->within = within;
        return ref;
    }
    if (info->cut) {
        ref.slot =
            stages_variable(after ? p->buffers[buffer].range.last : p->buffers[buffer].range.first, after ? 1 : 0);
        ref.slot.constant -= p->buffers[buffer].shift;
        if (b->moment != NULL)
            stages_add_chunk(p, &ref.slot, b->moment->chunk, 1);
    }
    stages_place_ref(p, &ref, b->moment);
    return ref;
}

/* Values pass from stage to stage: received before the loop, sent after it. `events`: one per value, if sends are only
 * started. */
typedef struct Passage {
    const PassedList *values;
    int first_channel, direction, *events;
    const Affine *turn; /* of turns: waited for before the next send; NULL: before the next value is computed */
} Passage;

/* The positions low .. high after which a group's values are passed on; none if low > high. */
static int64_t first_boundary(const StagesBody *b, int group)
{
    return b->p->section_at[group];
}

static int64_t last_boundary(const StagesBody *b, int group)
{
    return b->p->section_at[group + 1] - 1;
}

static bool has_boundary(const StagesBody *b, const Passed *passed)
{
    return first_boundary(b, passed->group) <= last_boundary(b, passed->group);
}

/* A list guarded for the positions that send a value, or for those that receive it. */
static NodeList *at_ends(StagesBody *b, NodeList *list, const Passage *passage, const Passed *passed, bool senders)
{
    int64_t low = first_boundary(b, passed->group), high = last_boundary(b, passed->group);
    int64_t ahead = senders == (passage->direction > 0) ? 0 : 1;
    return at_positions(b, list, low + ahead, b->p->stages * b->p->chunks - 1 - (high + ahead));
}

/* The last stage's chunk sends to the first stage's next chunk. */
static Affine neighbour(const Stages *p, int step)
{
    Affine peer = stages_variable(affine_coordinate(p->axis), step);
    peer.modulus = p->chunks > 1 ? p->stages : 0;
    return peer;
}

static void emit_receive(StagesBody *b, NodeList *list, const Passage *passage)
{
    Stages *p = b->p;
    for (int i = 0; i < passage->values->count; i++) {
        const Passed *passed = &passage->values->data[i];
        if (!has_boundary(b, passed))
            continue;
        NodeList *at = at_ends(b, list, passage, passed, false);
        bool apart = p->buffers[passed->buffer].uneven;
        for (int64_t c = 0; c < (apart ? p->chunks : 1); c++) {
            Ref ref = carried_ref(b, passed->buffer, false, c);
            NodeList *here = apart ? stages_guard(p, at, stages_variable(b->moment->chunk, 0), c, c) : at;
            stages_communicate(p, here, OP_RECV, ref, NULL, p->span)->peer =
                (Peer){neighbour(p, -passage->direction), passage->first_channel + i};
        }
    }
}

static void put_wait(const StagesBody *b, NodeList *list, const Passage *passage, int i)
{
    stages_node(b->p, list, NODE_WAIT, b->p->span)->wait.event = passage->events[i];
}

static void emit_waits(StagesBody *b, NodeList *list, const Passage *passage)
{
    for (int i = 0; i < passage->values->count && passage->events != NULL; i++)
        if (has_boundary(b, &passage->values->data[i]))
            put_wait(b, at_ends(b, list, passage, &passage->values->data[i], true), passage, i);
}

/* From a stage's first turn of an interleaved schedule to its last, in one direction: the microbatches that the last
 * group lacks have turns, in which nothing is done. */
static int64_t turns_of(const Stages *p)
{
    return (p->micro + p->stages - 1) / p->stages * p->stages * p->chunks;
}

/* Does a stage send the value in its chunk number k, in the order in which it goes through them? */
static bool sends_in(const StagesBody *b, const Passage *passage, const Passed *passed, int64_t k, int64_t stage)
{
    bool forward = passage->direction > 0;
    int64_t position = (forward ? k : b->p->chunks - 1 - k) * b->p->stages + stage;
    return position >= first_boundary(b, passed->group) + !forward &&
           position <= last_boundary(b, passed->group) + !forward;
}

/* Where chunks are apart, a stage may send a value in some turns only: waits start after the first of these; if only
 * the last turn of all sends it, there are none in turns. */
static void put_wait_since(const StagesBody *b, NodeList *list, const Passage *passage, int i)
{
    Stages *p = b->p;
    const Passed *passed = &passage->values->data[i];
    int64_t *first = arena_array(p->ctx->arena, int64_t, p->stages);
    bool any = false;
    for (int64_t s = 0; s < p->stages; s++) {
        first[s] = turns_of(p); /* never */
        for (int64_t k = p->chunks - 1; k >= 0; k--)
            first[s] = sends_in(b, passage, passed, k, s) ? k * stages_group_room(p) : first[s];
        any |= first[s] < (p->chunks - 1) * stages_group_room(p) + (stages_group_room(p) > 1);
    }
    if (!any)
        return;
    Affine since = *passage->turn;
    const char *name = arena_printf(p->ctx->arena, "%s_%s", passage->direction > 0 ? "sends" : "returns",
                                    p->decls->groups.data[passed->group].name);
    affine_add_term(&since, stages_table(p, name, first), -1);
    put_wait(b, stages_guard(p, list, since, 1, turns_of(p) - 1), passage, i);
}

/* Waits for what was sent in earlier turns. */
static void put_waits(const StagesBody *b, NodeList *list, const Passage *passage)
{
    for (int i = 0; i < passage->values->count; i++)
        if (b->p->apart)
            put_wait_since(b, list, passage, i);
        else
            put_wait(b, stages_guard(b->p, list, *passage->turn, 1, turns_of(b->p) - 1), passage, i);
}

/* Waits for what was sent in the last turn. */
static void put_last_waits(const StagesBody *b, NodeList *list, const Passage *passage)
{
    Stages *p = b->p;
    for (int i = 0; i < passage->values->count; i++) {
        int64_t *sends = arena_array(p->ctx->arena, int64_t, p->stages);
        const char *name = arena_printf(p->ctx->arena, "%s_%s_last", passage->direction > 0 ? "sends" : "returns",
                                        p->decls->groups.data[passage->values->data[i].group].name);
        bool any = false;
        for (int64_t s = 0; s < p->stages; s++)
            any |= sends[s] = sends_in(b, passage, &passage->values->data[i], p->chunks - 1, s);
        if (!p->apart)
            put_wait(b, list, passage, i);
        else if (any)
            put_wait(b, stages_guard(p, list, stages_variable(stages_table(p, name, sends), 0), 1, 1), passage, i);
    }
}

static void emit_message(StagesBody *b, NodeList *at, const Passage *passage, int i, Ref ref)
{
    Op *op = stages_communicate(b->p, at, OP_SEND, (Ref){.member = -1}, &ref, b->p->span);
    op->peer = (Peer){neighbour(b->p, passage->direction), passage->first_channel + i};
    if (passage->events != NULL) {
        op->event = passage->events[i];
        op->stream = 1;
    }
}

static void emit_send(StagesBody *b, NodeList *list, const Passage *passage)
{
    Stages *p = b->p;
    if (passage->values->count == 0)
        return;
    if (passage->turn != NULL)
        put_waits(b, list, passage);
    for (int i = 0; i < passage->values->count; i++) {
        const Passed *passed = &passage->values->data[i];
        if (!has_boundary(b, passed))
            continue;
        NodeList *at = at_ends(b, list, passage, passed, true);
        bool forward = passage->direction > 0, apart = forward && p->buffers[passed->buffer].of_chunk != NULL;
        for (int64_t c = 0; c < (apart ? p->chunks : 1); c++)
            emit_message(b, apart ? stages_guard(p, at, stages_variable(b->moment->chunk, 0), c, c) : at, passage, i,
                         carried_ref(b, passed->buffer, forward, c));
    }
}

static void emit_forward(StagesBody *b, NodeList *list, const Passage *passage)
{
    int last = group_count(b);
    emit_for_layers(b, list, b->forward);
    emit_section(b, list, 0, false);
    emit_receive(b, list, passage);
    for (int g = 0, begin = 0; g < last; g++) {
        if (g > 0)
            emit_section(b, list, g, false);
        emit_everywhere(b, list, false, begin, b->forward[g]);
        emit_part(b, list, b->forward[g]);
        begin = b->forward[g];
    }
    emit_send(b, list, passage);
    emit_everywhere(b, list, false, b->forward[last - 1], b->count);
    emit_section(b, list, last, false);
}

static void emit_backward(StagesBody *b, NodeList *list, const Passage *passage)
{
    int last = group_count(b);
    emit_for_layers(b, list, b->back);
    emit_section(b, list, last, true);
    emit_receive(b, list, passage);
    for (int g = last - 1; g >= 0; g--) {
        emit_part(b, list, b->back[g]);
        if (g > 0)
            emit_section(b, list, g, true);
    }
    emit_send(b, list, passage);
    emit_everywhere(b, list, true, 0, b->count);
    emit_section(b, list, 0, true);
}

/* ---- Ticks -------------------------------------------------------------------------------------------------- */

static int *new_events(Stages *p, int count)
{
    int *events = arena_array(p->ctx->arena, int, count + 1);
    for (int i = 0; i < count; i++)
        events[i] = p->program->event_count++;
    return events;
}

static Node *tick_loop(Stages *p, NodeList *body, int id, int64_t last)
{
    Node *node = stages_node(p, body, NODE_LOOP, p->span);
    node->loop.id = id >= 0 ? id : p->program->loop_count++;
    node->loop.kind = LOOP_MICRO;
    node->loop.first = affine_constant(0);
    node->loop.last = affine_constant(last);
    node->loop.step = 1;
    return node;
}

/* In a tick: the microbatch whose turn it is, if any; waits for what the previous one sent. */
static NodeList *at_moment(StagesBody *b, Node *loop, const Moment *moment, const Passage *passage)
{
    Stages *p = b->p;
    NodeList *list = stages_guard(p, &loop->body, moment->micro, 0, p->micro - 1);
    b->moment = moment;
    if (passage->events != NULL && passage->values->count > 0 && p->micro > 1)
        emit_waits(b, stages_guard(p, list, moment->micro, 1, p->micro - 1), passage);
    return list;
}

static Moment moment_of(const Node *loop, int delay)
{
    Moment moment = {.micro = stages_variable(loop->loop.id, 0), .chunk = NO_CHUNK};
    affine_add_term(&moment.micro, delay, -1);
    moment.room = moment.micro;
    return moment;
}

static void emit_one_f_one_b(StagesBody *b, NodeList *body, Passage *out, Passage *back)
{
    Stages *p = b->p;
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
static void emit_passes(StagesBody *b, NodeList *body, const Passage *out, const Passage *back)
{
    Stages *p = b->p;
    Node *loop = tick_loop(p, body, b->micro_loop, p->micro + p->stages - 2);
    Moment coordinate = moment_of(loop, affine_coordinate(p->axis));
    emit_forward(b, at_moment(b, loop, &coordinate, out), out);
    if (b->back[0] < 0)
        return;
    loop = tick_loop(p, body, -1, p->micro + p->stages - 2);
    Moment backward = moment_of(loop, p->backward_delay);
    emit_backward(b, at_moment(b, loop, &backward, back), back);
}

/* ---- Turns: interleaved chunks ------------------------------------------------------------------------------ */

typedef void Emitter(StagesBody *b, NodeList *list, const Passage *passage);

/* A microbatch's part in the current chunk, if there is such a microbatch. Chunks are finished in the reverse of the
 * order in which they are begun, so one of two groups of p microbatches is stored upward in the rings, the other
 * downward: with one chunk's room between them, each begins where the other ended. */
static void emit_turn(StagesBody *b, Moment *moment, Node *loop, int group, const Passage *passage, Emitter *emit)
{
    Stages *p = b->p;
    NodeList *list = stages_guard(p, &loop->body, stages_variable(loop->loop.id, 0), 0, p->micro - 1);
    moment->micro = stages_variable(loop->loop.id, 0);
    moment->group = group;
    moment->backward = passage->direction < 0;
    b->moment = moment;
    if (b->back[0] < 0 || (p->apart && !p->turns_back)) {
        emit(b, list, passage);
        return;
    }
    for (int odd = 0; odd < (p->micro > p->stages ? 2 : 1); odd++) {
        Affine parity = stages_variable(group, 0);
        parity.modulus = 2;
        moment->room = moment->micro;
        moment->room.constant += odd ? p->stages * p->chunks : 0;
        affine_add_term(&moment->room, group, -p->stages);
        affine_add_term(&moment->room, moment->chunk, (odd ? -1 : 1) * stages_group_room(p));
        b->again = moment->odd = odd;
        emit(b, p->micro > p->stages ? stages_guard(p, list, parity, odd, odd) : list, passage);
    }
    b->again = false;
}

static Node *count_loop(Stages *p, NodeList *body, int64_t count)
{
    return stages_loop(p, body, LOOP_STEPS, affine_constant(0), affine_constant(count - 1));
}

/* A loop of one iteration, which names a number. */
static Node *name_number(Stages *p, NodeList *body, LoopKind kind, Affine number)
{
    return stages_loop(p, body, kind, number, number);
}

/* Backward, a fixed number of turns after forward, goes through the same groups of microbatches, and through the chunks
 * from the last. `turn`: forward's. */
static void emit_backward_turn(StagesBody *b, NodeList *body, const Affine *turn, int group, Passage *back)
{
    Stages *p = b->p;
    Affine lagging = *turn;
    affine_add_term(&lagging, p->warmup, -1);
    Node *back_turn = name_number(p, body, LOOP_STEPS, lagging);
    Node *back_group =
        stages_loop(p, &back_turn->body, LOOP_STEPS, stages_variable(group, -2), stages_variable(group, 0));
    Node *chunk = count_loop(p, &back_group->body, p->chunks);
    Affine within = stages_variable(back_turn->loop.id, -p->stages * (p->chunks - 1));
    affine_add_term(&within, back_group->loop.id, -p->stages * p->chunks);
    affine_add_term(&within, chunk->loop.id, p->stages);
    NodeList *list = stages_guard(p, &chunk->body, within, 0, p->stages - 1);
    affine_add_term(&within, back_group->loop.id, p->stages);
    Node *micro = name_number(p, list, LOOP_MICRO, within);
    Affine used = stages_variable(back_turn->loop.id, 0);
    if (stages_group_room(p) < p->stages) { /* its only group has fewer turns in each chunk */
        used = within;
        used.constant += stages_group_room(p) * (p->chunks - 1);
        affine_add_term(&used, chunk->loop.id, -stages_group_room(p));
    }
    Moment moment = {.turn = used, .chunk = chunk->loop.id};
    back->turn = &moment.turn;
    emit_turn(b, &moment, micro, back_group->loop.id, back, emit_backward);
    back->turn = NULL;
}

/* In every turn a stage runs forward of one microbatch through one of its chunks, then backward of one, if it has come
 * that far: p microbatches through the first chunk, the same through the next, and so on; then the next p. */
static void emit_interleaved(StagesBody *b, NodeList *body, Passage *out, Passage *back)
{
    Stages *p = b->p;
    int64_t period = p->stages * p->chunks, turns = turns_of(p);
    if (b->back[0] >= 0)
        turns += (p->chunks - 1) * p->stages + 2 * (p->stages - 1);
    out->events = new_events(p, out->values->count);
    Node *group = count_loop(p, body, (turns + period - 1) / period);
    Node *chunk = count_loop(p, &group->body, p->chunks);
    Node *step = count_loop(p, &chunk->body, p->stages);
    Affine micro = stages_variable(step->loop.id, 0), turn = micro;
    affine_add_term(&micro, group->loop.id, p->stages);
    Affine used = turn;
    affine_add_term(&turn, group->loop.id, period);
    affine_add_term(&turn, chunk->loop.id, p->stages);
    affine_add_term(&used, group->loop.id, period);
    affine_add_term(&used, chunk->loop.id, stages_group_room(p));
    Moment moment = {.turn = used, .chunk = chunk->loop.id};
    out->turn = &moment.turn;
    emit_turn(b, &moment, name_number(p, &step->body, LOOP_MICRO, micro), group->loop.id, out, emit_forward);
    if (b->back[0] >= 0) {
        back->events = new_events(p, back->values->count);
        emit_backward_turn(b, &step->body, &turn, group->loop.id, back);
    }
    put_last_waits(b, body, out);
    if (b->back[0] >= 0)
        put_last_waits(b, body, back);
}

/* One example through all chunks. */
static void emit_example(StagesBody *b, NodeList *body, const Passage *out)
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

/* The slot in which the last stage has it, for all stages. */
static Ref at_last_stage(const Stages *p, const Ref *value)
{
    Ref ref = *value;
    const StagesBuffer *info = &p->buffers[ref.buffer];
    if (!info->cut)
        return ref;
    const Layers *range = info->of_chunk != NULL ? &info->of_chunk[p->chunks - 1] : &info->range;
    ref.slot.constant +=
        info->shift - stages_numbers(p, range->first)[p->stages - 1] - (p->apart ? 0 : (p->chunks - 1) * p->every);
    return ref;
}

/* Comes first: a broadcast reads its operand on every rank. */
static void emit_blanks(StagesBody *b, NodeList *body)
{
    for (int i = 0; i < b->count; i++)
        if (b->part[i].output && b->part[i].stages == stages_last(b->p))
            stages_fill(b->p, body, at_last_stage(b->p, &b->part[i].node->op->operand[0]), b->part[i].node->span);
}

/* Outputs are computed on the last stage: the others get a copy. */
static void emit_outputs(StagesBody *b, NodeList *body)
{
    for (int i = 0; i < b->count; i++) {
        if (!b->part[i].output)
            continue;
        Op *op = copy_node(b->p, b->part[i].node, false)->op;
        Ref *value = &op->operand[0];
        if (b->part[i].stages == stages_last(b->p)) {
            *value = at_last_stage(b->p, value);
            stages_communicate(b->p, body, OP_BROADCAST, *value, value, b->p->span)->peer.coordinate =
                affine_constant(b->p->stages - 1);
        }
        Node *node = stages_node(b->p, body, NODE_OP, op->span);
        node->op = op;
    }
}

/* What one stage computes from the only microbatch and others read after the loop is summed with zeros. */
static void emit_zeros(StagesBody *b, NodeList *body)
{
    for (int i = 0; i < b->p->program->buffers.count; i++) {
        StagesBuffer *info = &b->p->buffers[i];
        const Buffer *buffer = &b->p->program->buffers.data[i];
        bool of_one = b->has[i] != 0 && b->has[i] <= stages_last(b->p); /* a section */
        if (!info->read_on || info->summed || info->cut || !of_one || !stages_is_activation(b, i))
            continue;
        if ((b->has[i] & (b->has[i] - 1)) != 0)
            stages_refuse(b->p, b->p->span, "a pipeline that passes on '%s', which is read after the microbatches,",
                          buffer->name);
        stages_fill(b->p, body, (Ref){.buffer = i, .member = -1}, b->p->span);
        info->in_parts = true;
    }
}

static void note_sums(StagesBody *b)
{
    for (int i = 0; i < b->p->program->buffers.count; i++)
        if (b->p->buffers[i].summed && stages_is_activation(b, i))
            b->p->buffers[i].in_parts = true;
}

/* A value of layers has room for the current chunk: what is read of it after the loop would be the last one's. */
static bool check_chunks_left(StagesBody *b)
{
    Stages *p = b->p;
    for (int i = 0; i < p->program->buffers.count && p->chunks > 1 && !p->failed; i++) {
        const StagesBuffer *info = &p->buffers[i];
        const Buffer *buffer = &p->program->buffers.data[i];
        if (!info->read_on || !info->cut || info->all_chunks || !b->in_layers[i])
            continue;
        stages_refuse_left(p, buffer);
    }
    return !p->failed;
}

void stages_place_micro(Stages *p, const NodeList *old, int micro_loop, NodeList *body)
{
    StagesBody b = {.p = p, .micro_loop = micro_loop};
    if (!stages_find_parts(&b, old) || !check_chunks_left(&b))
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
        return;
    }
    emit_zeros(&b, body);
    if (p->schedule == SCHEDULE_INTERLEAVED) {
        stages_alternate(&b, &b.carried); /* what backward does not read */
        emit_interleaved(&b, body, &out, &back);
    } else if (b.back[0] >= 0 && p->schedule == SCHEDULE_1F1B) {
        emit_one_f_one_b(&b, body, &out, &back);
    } else {
        emit_passes(&b, body, &out, &back);
    }
    note_sums(&b);
}
