/* machine_place.c - runs places side by side; they meet in messages and in collectives over enumerated axes.
 *
 * Each place runs until it needs something that another has not produced yet: the message it receives, or its partners'
 * operands. Then the next place runs. What a place computes does not depend on this order. An operator with an event
 * passes its operand on when it is started, and its result arrives where the event is waited for. If no place can
 * continue, a message is missing or places wait for each other.
 */
#include "verify/machine_exchange.h"

/* ---- Completion --------------------------------------------------------------------------------------------- */

bool pending_ready(const Pending *pending)
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
        message_check(m, message, op);
    for (int i = 0; i < pending_members(prepared) && !m->stopped; i++) {
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

static bool step(Machine *m);

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
        message_send(m, planned);
        return;
    case COLLECTIVE_RECV:
        message_receive(m, planned);
        return;
    case COLLECTIVE_ALL_REDUCE:
    case COLLECTIVE_REDUCE_SCATTER:
    case COLLECTIVE_ALL_GATHER:
    case COLLECTIVE_ALL_TO_ALL:
    case COLLECTIVE_PERMUTE:
    case COLLECTIVE_BROADCAST:
    case COLLECTIVE_HALO:
    case COLLECTIVE_HALO_ADD:
        meeting_arrive(m, planned);
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
                                       : planned->node->kind == NODE_WAIT && !complete(m, planned->node->wait.event))
        return false;
    frame->at++;
    if (planned->node->kind == NODE_LOOP)
        enter_loop(m, planned);
    else if (planned->node->kind == NODE_GUARD)
        enter_guard(m, planned);
    return true;
}

/* ---- All places --------------------------------------------------------------------------------------------- */

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
        messages_check(m);
    m->place = &m->places[0];
}
