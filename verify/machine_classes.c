/* machine_classes.c - runs rank classes side by side; they meet in messages and in collectives over enumerated axes.
 *
 * Each rank class runs until it needs something that another has not produced yet: the message it receives, or its
 * partners' operands. Then the next rank class runs. What a rank class computes does not depend on this order. An
 * operator with an event passes its operand on when it is started, and its result arrives where the event is waited
 * for. If no rank class can continue, a message is missing or rank classes wait for each other.
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
    bool has_current = m->class->has_current;
    int64_t current = m->class->current;
    Mono *guard = m->class->guard;
    m->class->has_current = pending->has_current;
    m->class->current = pending->current;
    m->class->guard = pending->guard;
    round_did_op(m, op, NULL, 0, false);
    if (op->accumulate || pending->guard != NULL)
        round_did_new(m);
    if (message != NULL)
        message_check(m, message, op);
    for (int i = 0; i < pending_members(prepared) && !m->stopped; i++) {
        Cell content = message != NULL ? message->cells[i] : (Cell){meeting_result(m, pending, i), ABSOLUTE};
        if (!cell_is_current(m, prepared, content))
            content = (Cell){combo_poison(m->table, POISON_TIME, op, -1, TIME_MASK, NULL), ABSOLUTE};
        if (message != NULL && !op->accumulate && pending->guard == NULL)
            machine_write_cell(m, pending->cells[i], content);
        else
            machine_write(m, op, pending->cells[i], cell_contents(m, content));
    }
    if (pending->padding != NULL) {
        bool zero = message != NULL ? message->zero : pending->meeting->zero;
        recording_writes(m, m->cell_count + (int)(pending->padding - m->class->padding_zero));
        *pending->padding = zero && ((!op->accumulate && m->class->guard == NULL) || *pending->padding);
    }
    m->class->has_current = has_current;
    m->class->current = current;
    m->class->guard = guard;
    m->steps++;
}

/* Completes what is in this slot of the event (-1: what was started without one); false if it must wait for another
 * rank class. */
static bool complete(Machine *m, int event, const Affine *slot)
{
    RankClass *class = m->class;
    int64_t number = event_slot(m, slot);
    int kept = 0;
    bool all = true;
    for (int i = 0; i < class->pending.count && !m->stopped; i++) {
        Pending *pending = class->pending.data[i];
        bool meant = pending->node->node->op->event == event && pending->event_slot == number;
        if (meant && all && pending_ready(pending)) {
            pending_finish(m, pending);
            continue;
        }
        all = all && !meant;
        class->pending.data[kept++] = pending;
    }
    if (!m->stopped)
        class->pending.count = kept;
    return all;
}

/* ---- Control of one rank class ------------------------------------------------------------------------------ */

static Frame *push(Machine *m, const TreeItem *item, const Tree *tree)
{
    RankClass *class = m->class;
    if (class->depth == MOST_FRAMES)
        BUG("loops and guards nested deeper than the reader allows");
    Frame *frame = &class->frame[class->depth++];
    *frame = (Frame){.tree = tree, .owner = item != NULL ? item->node : NULL};
    frame->outer_has_current = class->has_current;
    frame->outer_current = class->current;
    frame->outer_micro = class->micro;
    frame->outer_recordable = class->recordable;
    frame->outer_guard = class->guard;
    return frame;
}

static void pop(RankClass *class)
{
    const Frame *frame = &class->frame[--class->depth];
    bool loop = frame->owner != NULL && frame->owner->kind == NODE_LOOP;
    if (loop)
        class->bound[frame->owner->loop.id] = false;
    bool tick =
        loop && frame->owner->loop.kind == LOOP_MICRO && !class->has_current; /* the last one was no microbatch */
    class->has_current = frame->outer_has_current && !tick;
    class->current = frame->outer_current;
    class->micro = frame->outer_micro;
    class->recordable = frame->outer_recordable;
    class->guard = frame->outer_guard;
    if (class->depth == class->counted)
        class->motion = NULL;
}

enum { BETWEEN = -1 }; /* where the control of a loop is before each iteration */

static bool iteration_starts(Machine *m, Frame *frame)
{
    const Node *node = frame->owner;
    RankClass *class = m->class;
    bool more = node->loop.step > 0 ? frame->value <= frame->last : frame->value >= frame->last;
    if (!more || !machine_may_continue(m, node->span))
        return false;
    frame->at = 0;
    class->loop[node->loop.id] = frame->value;
    if (node->loop.kind == LOOP_MICRO)
        machine_enter_micro(m, node, frame->value);
    return true;
}

static void iteration_ends(RankClass *class, Frame *frame)
{
    frame->value += frame->owner->loop.step;
    frame->at = BETWEEN;
    if (class->motion != NULL && class->depth - 1 == class->counted)
        class->paused = ++class->iterations == class->motion->period;
}

static void enter_loop(Machine *m, const TreeItem *item)
{
    int64_t first, last;
    RankClass *class = m->class;
    const Node *node = item->node;
    machine_loop_bounds(m, node, &first, &last);
    Frame *frame = push(m, item, item->body);
    frame->at = BETWEEN;
    frame->value = first;
    frame->last = last;
    round_enters_loop(m, frame);
    class->bound[node->loop.id] = true;
    if (node->loop.kind == LOOP_MICRO) {
        class->micro = node->loop.id;
        class->recordable = true;
        for (int i = 0; i < item->body->count; i++)
            class->recordable &= !item->body->node[i].micro_inside;
    }
}

static void enter_guard(Machine *m, const TreeItem *item)
{
    push(m, item, item->body);
    if (!machine_guard(m, item->node))
        pop(m->class);
}

static void arrive(Machine *m, const TreeItem *item)
{
    switch (op_collective(item->node->op->kind)) {
    case COLLECTIVE_SEND:
        message_send(m, item);
        return;
    case COLLECTIVE_RECV:
        message_receive(m, item);
        return;
    case COLLECTIVE_ALL_REDUCE:
    case COLLECTIVE_REDUCE_SCATTER:
    case COLLECTIVE_ALL_GATHER:
    case COLLECTIVE_ALL_TO_ALL:
    case COLLECTIVE_ALL_TO_ALL_FILLED:
    case COLLECTIVE_PERMUTE:
    case COLLECTIVE_BROADCAST:
    case COLLECTIVE_HALO:
    case COLLECTIVE_HALO_ADD:
        meeting_arrive(m, item);
        return;
    case COLLECTIVE_SLICE:
    case COLLECTIVE_PLACE_SHARD:
        break;
    }
    BUG("rank classes do not meet in '%s'", op_info[item->node->op->kind].name);
}

/* Runs an operator in which rank classes meet; false if it must wait. */
static bool meet(Machine *m, const TreeItem *item)
{
    const Op *op = item->node->op;
    AxisMask over = item->prepared->over;
    if (item->prepared->bad) {
        machine_op(m, item);
        return true;
    }
    if (!machine_in_micro(m, item)) {
        m->stopped = true; /* others wait for this rank class, which does not come */
        return true;
    }
    if (m->class->guard != NULL && (m->class->guard->axes & over) != 0) {
        machine_partly(m, item);
        return true;
    }
    if (!m->class->posted) {
        m->steps++;
        arrive(m, item);
    }
    m->class->posted = op->event < 0 && !complete(m, -1, &op->event_slot);
    return !m->class->posted;
}

/* Runs one node or run of nodes; false if the rank class must wait. */
static bool step(Machine *m)
{
    RankClass *class = m->class;
    Frame *frame = &class->frame[class->depth - 1];
    if (frame->at == BETWEEN) {
        if (!iteration_starts(m, frame))
            pop(class);
        return true;
    }
    if (frame->at == frame->tree->count) {
        if (frame->owner != NULL && frame->owner->kind == NODE_LOOP)
            iteration_ends(class, frame);
        else
            pop(class);
        return true;
    }
    const TreeItem *item = &frame->tree->node[frame->at];
    if (!item->crosses) {
        int first = frame->at;
        while (frame->at < frame->tree->count && !frame->tree->node[frame->at].crosses)
            frame->at++;
        if (class->micro >= 0 && class->recordable)
            replay_or_run(m, frame->tree, first, frame->at);
        else
            machine_nodes(m, frame->tree, first, frame->at);
        return true;
    }
    if (item->node->kind == NODE_OP
            ? !meet(m, item)
            : item->node->kind == NODE_WAIT && !complete(m, item->node->wait.event, &item->node->wait.slot))
        return false;
    frame->at++;
    if (item->node->kind == NODE_LOOP)
        enter_loop(m, item);
    else if (item->node->kind == NODE_GUARD)
        enter_guard(m, item);
    return true;
}

/* ---- All rank classes --------------------------------------------------------------------------------------- */

/* What was started and never waited for completes at the end. */
static void finish_pending(Machine *m)
{
    for (int i = 0; i < m->class_count && !m->stopped; i++) {
        m->class = &m->classes[i];
        for (int j = 0; j < m->class->pending.count && !m->stopped; j++)
            if (pending_ready(m->class->pending.data[j]))
                pending_finish(m, m->class->pending.data[j]);
    }
}

/* Runs until no rank class continues, each of them for a period at most; false if none continues after that. */
static bool run_round(Machine *m)
{
    bool more = false, moved = true;
    while (moved && !m->stopped) {
        moved = false;
        for (int i = 0; i < m->class_count && !m->stopped; i++) {
            m->class = &m->classes[i];
            while (m->class->depth > 0 && !m->class->paused && !m->stopped && step(m))
                m->class->moved = moved = true;
        }
    }
    for (int i = 0; i < m->class_count; i++)
        more |= m->classes[i].paused;
    return more && !m->stopped;
}

void classes_run(Machine *m, const Tree *tree)
{
    m->exchange = arena_make(m->table->scratch, Exchange);
    for (int i = 0; i < m->class_count; i++) {
        m->class = &m->classes[i];
        push(m, NULL, tree);
    }
    rounds_start(m);
    while (run_round(m))
        round_ends(m);
    for (int i = 0; i < m->class_count && !m->stopped; i++)
        if (m->classes[i].depth > 0) {
            report_stuck(m);
            m->stopped = true;
        }
    finish_pending(m);
    if (!m->stopped)
        messages_check(m);
    m->class = &m->classes[0];
}
