/* machine_message.c - messages between rank classes: the k-th receive of a channel gets what the k-th send had. */
#include "verify/machine_exchange.h"

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

/* The rank class at the other end of a message; NULL (reported) if there is none. */
static RankClass *peer_of(Machine *m, const Op *op)
{
    int64_t index = 0;
    machine_affine(m, &op->peer.coordinate, &index, NULL); /* is a number: messages make its axes enumerated */
    RankClass *peer = class_along(m, m->class, op->axes.axis[0], index);
    if (peer == NULL || peer == m->class) {
        Diagnostic *d = diag_report(m->ctx->diag, P0335, op->span, "'%s' of %s names no other rank",
                                    op_info[op->kind].name, class_text(m, m->class));
        diag_why(d, "Its index is %lld; an axis of %lld ranks has 0 to %lld.", (long long)index,
                 (long long)m->decls->axes.data[op->axes.axis[0]].size,
                 (long long)m->decls->axes.data[op->axes.axis[0]].size - 1);
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

/* Canonical, as it stays until it is received: most contents need no other form on their way. */
static Cell content_sent(Machine *m, const Prepared *prepared, int member)
{
    const Op *op = prepared->op;
    int cell = machine_ref(m, op, &op->operand[0], member);
    if (cell < 0)
        return cell_canonical(m, (Cell){machine_silent(m), ABSOLUTE});
    Cell content = machine_read_cell(m, op, op->operand[0].buffer, cell);
    if (!cell_is_current(m, prepared, content))
        content.combo = combo_poison(m->table, POISON_TIME, op, 0, TIME_MASK, NULL);
    if (!moves(prepared, content.combo))
        content.combo = combo_poison(m->table, POISON_MOVED, op, 0, prepared->over, NULL);
    return cell_canonical(m, content);
}

void message_send(Machine *m, const TreeItem *node)
{
    const Prepared *prepared = node->prepared;
    const Op *op = prepared->op;
    RankClass *peer = peer_of(m, op);
    if (peer == NULL)
        return;
    Message message = {.op = op, .from = m->class, .count = pending_members(prepared)};
    message.cells = arena_array(m->table->scratch, Cell, message.count);
    for (int i = 0; i < message.count; i++)
        message.cells[i] = content_sent(m, prepared, i);
    message.zero = machine_zero_padding(m, op, &op->operand[0]);
    round_did_op(m, op, message.cells, message.count, message.zero);
    Channel *channel = channel_find(m, m->class->index, peer->index, op->peer.channel);
    vec_push(m->table->scratch, &channel->messages, message);
}

void message_receive(Machine *m, const TreeItem *node)
{
    const Op *op = node->prepared->op;
    RankClass *peer = peer_of(m, op);
    if (peer == NULL)
        return;
    Pending *pending = pending_new(m, node);
    pending->channel = channel_find(m, peer->index, m->class->index, op->peer.channel);
    pending->message = pending->channel->taken++;
}

void message_check(Machine *m, const Message *message, const Op *op)
{
    View sent, got;
    view_make(m->program, &message->op->operand[0], m->reference, &sent);
    view_make(m->program, &op->out, m->reference, &got);
    DType a = m->program->buffers.data[message->op->operand[0].buffer].dtype;
    if (view_equal(&sent, &got) && a == m->program->buffers.data[op->out.buffer].dtype)
        return;
    Diagnostic *d =
        diag_report(m->ctx->diag, P0335, op->span, "%s receives a message of another layout", class_text(m, m->class));
    diag_label(d, message->op->span, "sent here by %s", class_text(m, message->from));
    m->stopped = true;
}

void messages_check(Machine *m)
{
    for (const Channel *channel = m->exchange->newest; channel != NULL; channel = channel->older) {
        if (channel->taken >= channel->messages.count)
            continue;
        const Message *message = &channel->messages.data[channel->taken];
        Diagnostic *d = diag_report(m->ctx->diag, P0335, message->op->span, "%s sends a message that is never received",
                                    class_text(m, message->from));
        diag_why(d, "It is number %d to %s on channel %d, which receives %d.", channel->taken + 1,
                 class_text(m, &m->classes[channel->to]), channel->number, channel->taken);
        m->stopped = true;
        return;
    }
}
