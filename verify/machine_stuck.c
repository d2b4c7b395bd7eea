/* machine_stuck.c - no place can continue: which message is missing, or who waits for whom. */
#include "verify/machine_exchange.h"

/* The operator that the place waits for, with the places that have not arrived. */
static Pending *waits_for(Place *place)
{
    const Frame *frame = &place->frame[place->depth - 1];
    const Node *node = frame->plan->node[frame->at].node;
    int event = node->kind == NODE_WAIT ? node->wait.event : -1;
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

void report_stuck(Machine *m)
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
                 place_text(m, partner), op->peer.channel, pending->channel->messages.count);
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
