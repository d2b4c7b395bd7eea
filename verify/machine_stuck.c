/* machine_stuck.c - reports why no rank class can continue: a collective that some ranks do not call (P0332), a message
 * that is never sent (P0335), or a cycle of waits (P0336). Sends do not wait here: cycles in which a send waits are
 * found in meeting.c. */
#include "verify/machine_exchange.h"

/* The operator that the rank class waits for, with the rank classes that have not arrived. */
static Pending *waits_for(const Machine *m, RankClass *class)
{
    const Frame *frame = &class->frame[class->depth - 1];
    const Node *node = frame->tree->node[frame->at].node;
    int event = node->kind == NODE_WAIT ? node->wait.event : -1;
    int64_t slot = node->kind == NODE_WAIT ? event_slot(m, &node->wait.slot) : 0;
    for (int i = 0; i < class->pending.count; i++) {
        Pending *pending = class->pending.data[i];
        if (pending->node->node->op->event == event && pending->event_slot == slot && !pending_ready(pending))
            return pending;
    }
    BUG("a rank class that waits for nothing");
}

/* The first rank class that has not done its part of `pending`. */
static RankClass *missing_partner(Machine *m, const RankClass *class, const Pending *pending)
{
    if (pending->channel != NULL)
        return &m->classes[pending->channel->from];
    for (int i = 0; i < m->class_count; i++) {
        int first, size, position = group_position(m, &m->classes[i], pending->meeting->axes, &first, &size);
        if (first == pending->meeting->group && pending->meeting->operand[position] == NULL && &m->classes[i] != class)
            return &m->classes[i];
    }
    return NULL;
}

void report_stuck(Machine *m)
{
    RankClass *class = NULL;
    for (int i = 0; i < m->class_count && class == NULL; i++)
        class = m->classes[i].depth > 0 ? &m->classes[i] : NULL;
    /* Follow who waits for whom, to a rank class that is done or around a cycle. */
    for (int i = 0; i < m->class_count; i++) {
        RankClass *partner = missing_partner(m, class, waits_for(m, class));
        if (partner == NULL || partner->depth == 0)
            break;
        class = partner;
    }
    Pending *pending = waits_for(m, class);
    const Op *op = pending->node->node->op;
    RankClass *partner = missing_partner(m, class, pending);
    if (partner == NULL || partner->depth == 0) {
        if (pending->meeting != NULL) {
            Diagnostic *d =
                diag_report(m->ctx->diag, P0332, op->span, "only some ranks of '%s' take part in '%s'",
                            axes_text(m->ctx->arena, m->decls, pending->meeting->axes), op_info[op->kind].name);
            diag_why(d, "A collective completes when every rank of its group calls it; %s does not.",
                     partner != NULL ? class_text(m, partner) : "one");
            return;
        }
        Diagnostic *d = diag_report(m->ctx->diag, P0335, op->span, "%s receives a message that is never sent",
                                    class_text(m, class));
        diag_why(d, "It would be number %d from %s on channel %d, which sends %d.", pending->message + 1,
                 class_text(m, partner), op->peer.channel, pending->channel->messages.count);
        return;
    }
    Diagnostic *d = diag_report(m->ctx->diag, P0336, op->span, "ranks wait for each other in a cycle");
    Text circle = {.arena = m->ctx->arena};
    RankClass *start = class;
    do {
        pending = waits_for(m, class);
        partner = missing_partner(m, class, pending);
        text_add(&circle, "%s%s waits in '%s' for %s", circle.length > 0 ? "; " : "", class_text(m, class),
                 op_info[pending->node->node->op->kind].name, class_text(m, partner));
        if (class != start)
            diag_label(d, pending->node->node->op->span, "%s waits here", class_text(m, class));
        class = partner;
    } while (class != start && circle.length < 400);
    diag_counter_example(d, "%s", circle.data);
}
