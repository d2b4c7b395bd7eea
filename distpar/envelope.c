#include "distpar/envelope.h"

#include <stddef.h>

/* What has been found from the left: the interval that is growing is the last one. */
typedef struct Envelope {
    Chain chain;
    BetaInterval *intervals;
    int count, most;
} Envelope;

static bool choose_at(Envelope *envelope, double beta, ChainPlan *plan)
{
    envelope->chain.beta = beta;
    return chain_choose(&envelope->chain, NULL, plan);
}

static bool same_cost(const ElementCost *a, const ElementCost *b)
{
    return a->sent == b->sent && a->computed == b->computed;
}

/* Costs are whole numbers below 2^53, so that their products are exact. */
__extension__ typedef __int128 Wide;

/* Is `cost` below the line through the other two, which are cheaper left and right of it? */
static bool is_below(const ElementCost *cost, const ElementCost *left, const ElementCost *right)
{
    Wide computed = (Wide)left->computed - (Wide)right->computed, sent = (Wide)right->sent - (Wide)left->sent;
    return computed * ((Wide)cost->sent - (Wide)left->sent) < sent * ((Wide)left->computed - (Wide)cost->computed);
}

/* Ends the last interval; where that is empty, as at beta 0 between plans that send the same, the plan takes its place.
 */
static bool add_interval(Envelope *envelope, double from, const ChainPlan *plan)
{
    if (envelope->count > 0 && envelope->intervals[envelope->count - 1].from == from)
        envelope->count--;
    if (envelope->count == envelope->most)
        return false;
    if (envelope->count > 0)
        envelope->intervals[envelope->count - 1].to = from;
    envelope->intervals[envelope->count++] = (BetaInterval){.from = from, .plan = *plan};
    return true;
}

/* Adds the plans after `left`, which is in the envelope, up to `right`: where their lines meet the cheapest plan is
 * either a third one, or they are neighbours. */
static bool add_between(Envelope *envelope, const ChainPlan *left, const ChainPlan *right)
{
    ChainPlan middle;
    if (same_cost(&left->cost, &right->cost))
        return true;
    double beta = (right->cost.sent - left->cost.sent) / (left->cost.computed - right->cost.computed);
    if (!choose_at(envelope, beta, &middle))
        return false;
    if (!is_below(&middle.cost, &left->cost, &right->cost))
        return add_interval(envelope, beta, right);
    return add_between(envelope, left, &middle) && add_between(envelope, &middle, right);
}

int chain_envelope(const Chain *chain, double largest, BetaInterval *intervals, int most)
{
    Envelope envelope = {.chain = *chain, .intervals = intervals, .most = most};
    ChainPlan first, last;
    if (!choose_at(&envelope, 0, &first) || !choose_at(&envelope, largest, &last) ||
        !add_interval(&envelope, 0, &first) || !add_between(&envelope, &first, &last))
        return 0;
    intervals[envelope.count - 1].to = largest;
    return envelope.count;
}
