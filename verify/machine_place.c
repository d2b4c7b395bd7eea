/* machine_place.c - runs places side by side; they meet in messages and in collectives over enumerated axes.
 *
 * Each place runs until it needs something that another has not produced yet: the message it receives, or its partners'
 * operands. Then the next place runs. What a place computes does not depend on this order. An operator with an event
 * passes its operand on when it is started, and its result arrives where the event is waited for. If no place can
 * continue, a message is missing or places wait for each other.
 */
#include "verify/machine.h"

#include <string.h>

/* One collective of a group of places, identified by the order in which each of them reaches it. */
typedef struct Meeting {
    AxisMask axes;  /* the group's enumerated axes */
    int group;      /* its first place */
    int64_t number; /* counts the group's collectives over these axes */
    const Op *op;   /* of the first place to arrive */
    Mono *guard;
    int size, arrived;
    Combo ***operand; /* per place of the group, per member */
    bool zero;        /* all have zero padding */
    Combo **result;   /* per member; NULL until all have arrived */
    struct Meeting *next;
} Meeting;

typedef struct Message {
    const Op *op;
    const Place *from;
    Cell *cells;
    bool zero;
} Message;

typedef struct Channel {
    int from, to, number;
    Vec(Message) messages;
    int taken; /* the number of receives done */
    const Op *last_receive;
    struct Channel *next, *older;
} Channel;

/* An operator that was started; its results are written when it completes. */
struct Pending {
    const PlanNode *node;
    int *cells; /* of the result */
    bool *padding;
    Meeting *meeting;
    Channel *channel;
    int message;   /* its number in the channel */
    Place *from;   /* broadcast, permute: the place whose operand it gets; NULL if unknown */
    bool has_hand; /* at the start */
    int64_t hand;
    Mono *guard;
};

enum { CHANNEL_BUCKETS = 1 << 12 };

struct Exchange {
    Meeting *meetings;                  /* those whose places have not all arrived */
    Channel *channels[CHANNEL_BUCKETS]; /* hashed */
    Channel *newest;                    /* of all channels */
};

/* ---- Groups ------------------------------------------------------------------------------------------------- */

/* The distance in places between neighbouring coordinates on the axis. */
static int axis_stride(const Machine *m, int axis)
{
    int64_t stride = 1;
    for (int a = axis + 1; a < m->decls->axes.count; a++)
        stride *= m->enumerated >> a & 1 ? m->decls->axes.data[a].size : 1;
    return (int)stride;
}

/* The place with this coordinate on the axis and otherwise the same ones; NULL outside of the axis. */
static Place *place_along(const Machine *m, const Place *place, int axis, int64_t coordinate)
{
    if (coordinate < 0 || coordinate >= m->decls->axes.data[axis].size)
        return NULL;
    if (!(m->enumerated >> axis & 1))
        return &m->places[place->index];
    return &m->places[place->index + (int)(coordinate - place->coordinate[axis]) * axis_stride(m, axis)];
}

/* The place's position in the group of places along these axes; *first: the group's first place. */
static int group_position(const Machine *m, const Place *place, AxisMask axes, int *first, int *size)
{
    int position = 0;
    *first = place->index;
    *size = 1;
    for (int a = 0; a < m->decls->axes.count; a++) {
        if (!(axes >> a & 1))
            continue;
        position = position * (int)m->decls->axes.data[a].size + (int)place->coordinate[a];
        *size *= (int)m->decls->axes.data[a].size;
        *first -= (int)place->coordinate[a] * axis_stride(m, a);
    }
    return position;
}

/* ---- Started operators -------------------------------------------------------------------------------------- */

static int member_count(const Prepared *prepared)
{
    return prepared->flat ? prepared->member_count : 1;
}

static Pending *pending_new(Machine *m, const PlanNode *node)
{
    const Prepared *prepared = node->prepared;
    Pending *pending = arena_make(m->table->scratch, Pending);
    pending->node = node;
    pending->has_hand = m->place->has_hand;
    pending->hand = m->place->hand;
    pending->guard = m->place->guard;
    pending->cells = arena_array(m->table->scratch, int, member_count(prepared));
    if (op_has_result(prepared->op->kind)) {
        for (int i = 0; i < member_count(prepared); i++)
            pending->cells[i] = machine_ref(m, prepared->op, &prepared->op->out, i);
        pending->padding = machine_padding(m, prepared->op, &prepared->op->out);
    }
    vec_push(m->table->scratch, &m->place->pending, pending);
    return pending;
}

static Combo *silent(Machine *m)
{
    return combo_poison(m->table, POISON_SILENT, NULL, -1, 0, NULL);
}

/* ---- Collectives -------------------------------------------------------------------------------------------- */

static Meeting *meeting_find(Machine *m, const Op *op, AxisMask axes)
{
    int group, size;
    group_position(m, m->place, axes, &group, &size);
    int64_t number = m->place->met[axes]++;
    for (Meeting *meeting = m->exchange->meetings; meeting != NULL; meeting = meeting->next)
        if (meeting->axes == axes && meeting->group == group && meeting->number == number)
            return meeting;
    Meeting *meeting = arena_make(m->table->scratch, Meeting);
    *meeting = (Meeting){.axes = axes, .group = group, .number = number, .op = op, .size = size, .zero = true};
    meeting->guard = m->place->guard;
    meeting->operand = arena_array(m->table->scratch, Combo **, size);
    meeting->next = m->exchange->meetings;
    m->exchange->meetings = meeting;
    return meeting;
}

static void report_unlike(Machine *m, const Meeting *meeting, const Op *op)
{
    AxisMask axes = meeting->axes;
    Diagnostic *d = diag_report(m->ctx->diag, P0332, op->span, "ranks along '%s' meet in different collectives",
                                axes_text(m->ctx->arena, m->decls, axes));
    if (meeting->op != op)
        diag_label(d, meeting->op->span, "others are in this one");
    diag_why(d, "The ranks of a group call the same collectives in the same order; this is number %lld of %s.",
             (long long)meeting->number + 1, place_text(m, m->place));
}

static Transfer transfer_of(const Machine *m, const Prepared *prepared)
{
    return (Transfer){.table = m->table, .decls = m->decls, .prepared = prepared, .enumerated = m->enumerated};
}

static void meeting_complete(Machine *m, Meeting *meeting, const Prepared *prepared)
{
    Combo **operand = arena_array(m->table->scratch, Combo *, meeting->size);
    meeting->result = arena_array(m->table->scratch, Combo *, member_count(prepared));
    for (int i = 0; i < member_count(prepared); i++) {
        Transfer t = transfer_of(m, prepared);
        t.member = i;
        for (int j = 0; j < meeting->size; j++)
            operand[j] = meeting->operand[j][i];
        t.operand[0] = operand[0];
        meeting->result[i] = transfer_meet(&t, operand, meeting->size);
    }
    for (Meeting **at = &m->exchange->meetings; *at != NULL; at = &(*at)->next)
        if (*at == meeting) {
            *at = meeting->next;
            break;
        }
}

/* The place whose operand a broadcast or permute passes to this place: its index is a number when it is started. */
static Place *operand_from(const Machine *m, const Op *op)
{
    int64_t index;
    if (!op_hands_on(op->kind) || !machine_affine(m, &op->index, &index, NULL))
        return NULL;
    return place_along(m, m->place, op->axis[0], index);
}

static void arrive_collective(Machine *m, const PlanNode *node)
{
    const Prepared *prepared = node->prepared;
    const Op *op = prepared->op;
    AxisMask axes = prepared->over & m->enumerated;
    int first, size, position = group_position(m, m->place, axes, &first, &size);
    Combo **operand = arena_array(m->table->scratch, Combo *, member_count(prepared));
    for (int i = 0; i < member_count(prepared); i++) {
        int cell = machine_ref(m, op, &op->operand[0], i);
        operand[i] = cell < 0 ? silent(m) : machine_read(m, op, op->operand[0].buffer, cell);
    }
    Pending *pending = pending_new(m, node);
    Meeting *meeting = pending->meeting = meeting_find(m, op, axes);
    pending->from = operand_from(m, op);
    const Buffer *buffer = &m->program->buffers.data[op->operand[0].buffer];
    bool slices = padding_rule(op->kind) == PADDING_SLICED && buffer->cut_count == 0 && !prepared->gaps;
    meeting->zero &=
        machine_zero_padding(m, op, &op->operand[0]) || (slices && machine_padding(m, op, &op->operand[0]) != NULL);
    meeting->operand[position] = operand;
    meeting->arrived++;
    if (meeting->op != op || meeting->guard != m->place->guard) {
        report_unlike(m, meeting, op);
        m->stopped = true;
        return;
    }
    if (meeting->arrived == size)
        meeting_complete(m, meeting, prepared);
}

/* This place's result. */
static Combo *meeting_result(Machine *m, const Pending *pending, int member)
{
    const Meeting *meeting = pending->meeting;
    const Op *op = pending->node->node->op;
    int first, size;
    if (!op_hands_on(op->kind) || meeting->result[member]->poison != NULL)
        return meeting->result[member];
    if (pending->from == NULL)
        return combo_poison(m->table, POISON_VARYING, op, 0, meeting->axes, NULL);
    return meeting->operand[group_position(m, pending->from, meeting->axes, &first, &size)][member];
}

/* ---- Messages ----------------------------------------------------------------------------------------------- */

static Channel *channel_find(Machine *m, int from, int to, int number)
{
    uint64_t hash = hash_mix(hash_mix((uint64_t)from, (uint64_t)to), (uint64_t)number);
    Channel **bucket = &m->exchange->channels[(hash >> 32) % CHANNEL_BUCKETS];
    for (Channel *channel = *bucket; channel != NULL; channel = channel->next)
        if (channel->from == from && channel->to == to && channel->number == number)
            return channel;
    Channel *channel = arena_make(m->table->scratch, Channel);
    channel->from = from;
    channel->to = to;
    channel->number = number;
    channel->next = *bucket;
    channel->older = m->exchange->newest;
    return m->exchange->newest = *bucket = channel;
}

/* The place at the other end of a message; NULL (reported) if there is none. */
static Place *peer_of(Machine *m, const Op *op)
{
    int64_t index = 0;
    machine_affine(m, &op->index, &index, NULL); /* is a number: messages make its axes enumerated */
    Place *peer = place_along(m, m->place, op->axis[0], index);
    if (peer == NULL || peer == m->place) {
        Diagnostic *d = diag_report(m->ctx->diag, P0335, op->span, "'%s' of %s names no other rank",
                                    op_info[op->kind].name, place_text(m, m->place));
        diag_why(d, "Its index is %lld; an axis of %lld ranks has 0 to %lld.", (long long)index,
                 (long long)m->decls->axes.data[op->axis[0]].size,
                 (long long)m->decls->axes.data[op->axis[0]].size - 1);
        m->stopped = true;
        return NULL;
    }
    return peer;
}

/* Is the combination neither partial nor cut over the message's axis, so that it means the same on every rank? */
static bool moves(const Prepared *prepared, const Combo *combo)
{
    for (int i = 0; i < combo->count && combo->poison == NULL; i++)
        if (((combo->term[i].mask | prepared->passed) & prepared->over) != 0)
            return false;
    return true;
}

static void send(Machine *m, const PlanNode *node)
{
    const Prepared *prepared = node->prepared;
    const Op *op = prepared->op;
    Place *peer = peer_of(m, op);
    if (peer == NULL)
        return;
    Message message = {.op = op, .from = m->place};
    message.cells = arena_array(m->table->scratch, Cell, member_count(prepared));
    for (int i = 0; i < member_count(prepared); i++) {
        int cell = machine_ref(m, op, &op->operand[0], i);
        Combo *combo = cell < 0 ? silent(m) : machine_read(m, op, op->operand[0].buffer, cell);
        if (!machine_at_hand(m, prepared, combo))
            combo = combo_poison(m->table, POISON_TIME, op, 0, TIME_MASK, NULL);
        if (!moves(prepared, combo))
            combo = combo_poison(m->table, POISON_MOVED, op, 0, prepared->over, NULL);
        message.cells[i] = cell_canonical(m, (Cell){combo, ABSOLUTE});
        if (cell >= 0)
            m->place->cell[cell] = cell_canonical(m, m->place->cell[cell]);
    }
    message.zero = machine_zero_padding(m, op, &op->operand[0]);
    Channel *channel = channel_find(m, m->place->index, peer->index, op->channel);
    vec_push(m->table->scratch, &channel->messages, message);
}

static void arrive_receive(Machine *m, const PlanNode *node)
{
    const Op *op = node->prepared->op;
    Place *peer = peer_of(m, op);
    if (peer == NULL)
        return;
    Pending *pending = pending_new(m, node);
    pending->channel = channel_find(m, peer->index, m->place->index, op->channel);
    pending->message = pending->channel->taken++;
    pending->channel->last_receive = op;
}

static void check_layouts_of(Machine *m, const Message *message, const Op *op)
{
    View sent, got;
    view_make(m->program, &message->op->operand[0], m->reference, &sent);
    view_make(m->program, &op->out, m->reference, &got);
    DType a = m->program->buffers.data[message->op->operand[0].buffer].dtype;
    if (view_equal(&sent, &got) && a == m->program->buffers.data[op->out.buffer].dtype)
        return;
    Diagnostic *d =
        diag_report(m->ctx->diag, P0335, op->span, "%s receives a message of another layout", place_text(m, m->place));
    diag_label(d, message->op->span, "sent here by %s", place_text(m, message->from));
    m->stopped = true;
}

/* ---- Completion --------------------------------------------------------------------------------------------- */

static bool pending_ready(const Pending *pending)
{
    if (pending->meeting != NULL)
        return pending->meeting->result != NULL;
    return pending->message < pending->channel->messages.count;
}

static void pending_finish(Machine *m, Pending *pending)
{
    const Prepared *prepared = pending->node->prepared;
    const Op *op = prepared->op;
    const Message *message = pending->channel != NULL ? &pending->channel->messages.data[pending->message] : NULL;
    bool has_hand = m->place->has_hand;
    int64_t hand = m->place->hand;
    Mono *guard = m->place->guard;
    m->place->has_hand = pending->has_hand;
    m->place->hand = pending->hand;
    m->place->guard = pending->guard;
    if (message != NULL)
        check_layouts_of(m, message, op);
    for (int i = 0; i < member_count(prepared) && !m->stopped; i++) {
        Combo *combo = message != NULL ? cell_contents(m, message->cells[i]) : meeting_result(m, pending, i);
        if (!machine_at_hand(m, prepared, combo))
            combo = combo_poison(m->table, POISON_TIME, op, -1, TIME_MASK, NULL);
        machine_write(m, op, pending->cells[i], combo);
    }
    if (pending->padding != NULL) {
        bool zero = message != NULL ? message->zero : pending->meeting->zero;
        *pending->padding = zero && ((!op->accumulate && m->place->guard == NULL) || *pending->padding);
    }
    m->place->has_hand = has_hand;
    m->place->hand = hand;
    m->place->guard = guard;
    m->steps++;
}

/* Completes what has this event (-1: what was started without one); false if it must wait for another place. */
static bool complete(Machine *m, int event)
{
    Place *place = m->place;
    int kept = 0;
    bool all = true;
    for (int i = 0; i < place->pending.count && !m->stopped; i++) {
        Pending *pending = place->pending.data[i];
        if (pending->node->node->op->event == event && all && pending_ready(pending)) {
            pending_finish(m, pending);
            continue;
        }
        all = all && pending->node->node->op->event != event;
        place->pending.data[kept++] = pending;
    }
    if (!m->stopped)
        place->pending.count = kept;
    return all;
}

/* ---- Control of one place ----------------------------------------------------------------------------------- */

static Frame *push(Machine *m, const PlanNode *planned, const Plan *plan)
{
    Place *place = m->place;
    if (place->depth == MOST_FRAMES)
        BUG("loops and guards nested deeper than the reader allows");
    Frame *frame = &place->frame[place->depth++];
    *frame = (Frame){.plan = plan, .owner = planned != NULL ? planned->node : NULL};
    frame->outer_has_hand = place->has_hand;
    frame->outer_hand = place->hand;
    frame->outer_micro = place->micro;
    frame->outer_unit = place->unit_loop;
    frame->outer_guard = place->guard;
    return frame;
}

static void pop(Place *place)
{
    const Frame *frame = &place->frame[--place->depth];
    bool loop = frame->owner != NULL && frame->owner->kind == NODE_LOOP;
    if (loop)
        place->bound[frame->owner->loop.id] = false;
    bool tick = loop && frame->owner->loop.kind == LOOP_MICRO && !place->has_hand; /* the last one was no microbatch */
    place->has_hand = frame->outer_has_hand && !tick;
    place->hand = frame->outer_hand;
    place->micro = frame->outer_micro;
    place->unit_loop = frame->outer_unit;
    place->guard = frame->outer_guard;
}

static bool iteration_starts(Machine *m, Frame *frame)
{
    const Node *node = frame->owner;
    Place *place = m->place;
    bool more = node->loop.step > 0 ? frame->value <= frame->last : frame->value >= frame->last;
    if (!more || !machine_goes_on(m, node->span))
        return false;
    frame->at = 0;
    place->loop[node->loop.id] = frame->value;
    if (node->loop.kind == LOOP_MICRO) {
        place->has_hand = frame->value >= 0 && frame->value < m->table->micro;
        place->hand = frame->value;
    }
    return true;
}

static void enter_loop(Machine *m, const PlanNode *planned)
{
    int64_t first, last;
    Place *place = m->place;
    const Node *node = planned->node;
    machine_loop_bounds(m, node, &first, &last);
    Frame *frame = push(m, planned, planned->body);
    frame->value = first;
    frame->last = last;
    place->bound[node->loop.id] = true;
    if (node->loop.kind == LOOP_MICRO) {
        place->micro = node->loop.id;
        place->unit_loop = true;
        for (int i = 0; i < planned->body->count; i++)
            place->unit_loop &= !planned->body->node[i].micro_inside;
    }
    if (!iteration_starts(m, frame))
        pop(place);
}

static void enter_guard(Machine *m, const PlanNode *planned)
{
    push(m, planned, planned->body);
    if (!machine_guard(m, planned->node))
        pop(m->place);
}

static void arrive(Machine *m, const PlanNode *planned)
{
    switch (op_collective(planned->node->op->kind)) {
    case COLLECTIVE_SEND:
        send(m, planned);
        return;
    case COLLECTIVE_RECV:
        arrive_receive(m, planned);
        return;
    case COLLECTIVE_ALL_REDUCE:
    case COLLECTIVE_REDUCE_SCATTER:
    case COLLECTIVE_ALL_GATHER:
    case COLLECTIVE_ALL_TO_ALL:
    case COLLECTIVE_PERMUTE:
    case COLLECTIVE_BROADCAST:
    case COLLECTIVE_HALO:
    case COLLECTIVE_HALO_ADD:
        arrive_collective(m, planned);
        return;
    case COLLECTIVE_SLICE:
    case COLLECTIVE_PLACE_SHARD:
        break;
    }
    BUG("places do not meet in '%s'", op_info[planned->node->op->kind].name);
}

/* Runs an operator in which places meet; false if it must wait. */
static bool meet(Machine *m, const PlanNode *planned)
{
    const Op *op = planned->node->op;
    AxisMask over = planned->prepared->over;
    if (planned->prepared->bad) {
        machine_op(m, planned);
        return true;
    }
    if (!machine_in_micro(m, planned)) {
        m->stopped = true; /* others wait for this place, which does not come */
        return true;
    }
    if (m->place->guard != NULL && (m->place->guard->axes & over) != 0) {
        machine_partly(m, planned);
        return true;
    }
    if (!m->place->posted) {
        m->steps++;
        arrive(m, planned);
    }
    m->place->posted = op->event < 0 && !complete(m, -1);
    return !m->place->posted;
}

/* Runs one node or run of nodes; false if the place must wait. */
static bool step(Machine *m)
{
    Place *place = m->place;
    Frame *frame = &place->frame[place->depth - 1];
    if (frame->at == frame->plan->count) {
        if (frame->owner != NULL && frame->owner->kind == NODE_LOOP) {
            frame->value += frame->owner->loop.step;
            if (iteration_starts(m, frame))
                return true;
        }
        pop(place);
        return true;
    }
    const PlanNode *planned = &frame->plan->node[frame->at];
    if (!planned->crosses) {
        int first = frame->at;
        while (frame->at < frame->plan->count && !frame->plan->node[frame->at].crosses)
            frame->at++;
        if (place->micro >= 0 && place->unit_loop)
            unit_run(m, frame->plan, first, frame->at);
        else
            machine_nodes(m, frame->plan, first, frame->at);
        return true;
    }
    if (planned->node->kind == NODE_OP ? !meet(m, planned)
                                       : planned->node->kind == NODE_WAIT && !complete(m, planned->node->event))
        return false;
    frame->at++;
    if (planned->node->kind == NODE_LOOP)
        enter_loop(m, planned);
    else if (planned->node->kind == NODE_GUARD)
        enter_guard(m, planned);
    return true;
}

/* ---- All places --------------------------------------------------------------------------------------------- */

/* The operator that the place waits for, with the places that have not arrived. */
static Pending *waits_for(Place *place)
{
    const Frame *frame = &place->frame[place->depth - 1];
    const Node *node = frame->plan->node[frame->at].node;
    int event = node->kind == NODE_WAIT ? node->event : -1;
    for (int i = 0; i < place->pending.count; i++)
        if (place->pending.data[i]->node->node->op->event == event && !pending_ready(place->pending.data[i]))
            return place->pending.data[i];
    BUG("a place that waits for nothing");
}

/* The first place that has not done its part of `pending`. */
static Place *missing_partner(Machine *m, const Place *place, const Pending *pending)
{
    if (pending->channel != NULL)
        return &m->places[pending->channel->from];
    for (int i = 0; i < m->place_count; i++) {
        int first, size, position = group_position(m, &m->places[i], pending->meeting->axes, &first, &size);
        if (first == pending->meeting->group && pending->meeting->operand[position] == NULL && &m->places[i] != place)
            return &m->places[i];
    }
    return NULL;
}

static void report_stuck(Machine *m)
{
    Place *place = NULL;
    for (int i = 0; i < m->place_count && place == NULL; i++)
        place = m->places[i].depth > 0 ? &m->places[i] : NULL;
    /* Follow who waits for whom, to a place that is done or around a cycle. */
    for (int i = 0; i < m->place_count; i++) {
        Place *partner = missing_partner(m, place, waits_for(place));
        if (partner == NULL || partner->depth == 0)
            break;
        place = partner;
    }
    Pending *pending = waits_for(place);
    const Op *op = pending->node->node->op;
    Place *partner = missing_partner(m, place, pending);
    if (partner == NULL || partner->depth == 0) {
        if (pending->meeting != NULL) {
            Diagnostic *d =
                diag_report(m->ctx->diag, P0332, op->span, "only some ranks of '%s' take part in '%s'",
                            axes_text(m->ctx->arena, m->decls, pending->meeting->axes), op_info[op->kind].name);
            diag_why(d, "A collective completes when every rank of its group calls it; %s does not.",
                     partner != NULL ? place_text(m, partner) : "one");
            return;
        }
        Diagnostic *d = diag_report(m->ctx->diag, P0335, op->span, "%s receives a message that is never sent",
                                    place_text(m, place));
        diag_why(d, "It would be number %d from %s on channel %d, which sends %d.", pending->message + 1,
                 place_text(m, partner), op->channel, pending->channel->messages.count);
        return;
    }
    Diagnostic *d = diag_report(m->ctx->diag, P0336, op->span, "ranks wait for each other in a circle");
    Text circle = {.arena = m->ctx->arena};
    Place *start = place;
    do {
        pending = waits_for(place);
        partner = missing_partner(m, place, pending);
        text_add(&circle, "%s%s waits in '%s' for %s", circle.length > 0 ? "; " : "", place_text(m, place),
                 op_info[pending->node->node->op->kind].name, place_text(m, partner));
        if (place != start)
            diag_label(d, pending->node->node->op->span, "%s waits here", place_text(m, place));
        place = partner;
    } while (place != start && circle.length < 400);
    diag_counter_example(d, "%s", circle.data);
}

static void check_received(Machine *m)
{
    for (const Channel *channel = m->exchange->newest; channel != NULL; channel = channel->older) {
        if (channel->taken >= channel->messages.count)
            continue;
        const Message *message = &channel->messages.data[channel->taken];
        Diagnostic *d = diag_report(m->ctx->diag, P0335, message->op->span, "%s sends a message that is never received",
                                    place_text(m, message->from));
        diag_why(d, "It is number %d to %s on channel %d, which receives %d.", channel->taken + 1,
                 place_text(m, &m->places[channel->to]), channel->number, channel->taken);
        m->stopped = true;
        return;
    }
}

/* What was started and never waited for completes at the end. */
static void finish_pending(Machine *m)
{
    for (int i = 0; i < m->place_count && !m->stopped; i++) {
        m->place = &m->places[i];
        for (int j = 0; j < m->place->pending.count && !m->stopped; j++)
            if (pending_ready(m->place->pending.data[j]))
                pending_finish(m, m->place->pending.data[j]);
    }
}

void places_run(Machine *m, const Plan *plan)
{
    m->exchange = arena_make(m->table->scratch, Exchange);
    for (int i = 0; i < m->place_count; i++) {
        m->place = &m->places[i];
        push(m, NULL, plan);
    }
    int running = m->place_count;
    while (running > 0 && !m->stopped) {
        bool moved = false;
        for (int i = 0; i < m->place_count && !m->stopped; i++) {
            m->place = &m->places[i];
            if (m->place->depth == 0)
                continue;
            while (m->place->depth > 0 && !m->stopped && step(m))
                moved = true;
            running -= m->place->depth == 0;
        }
        if (!moved && running > 0 && !m->stopped) {
            report_stuck(m);
            m->stopped = true;
        }
    }
    finish_pending(m);
    if (!m->stopped)
        check_received(m);
    m->place = &m->places[0];
}
