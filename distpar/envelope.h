/* envelope.h - which plan is the cheapest for which `beta`. The cost of a plan is a line in beta, elements sent plus
 * beta times elements computed, so that the cheapest plans are the lower envelope of lines: a few intervals of beta,
 * each with one plan, whose ends are where two lines meet.
 *
 *     BetaInterval intervals[64];
 *     int count = chain_envelope(&chain, 1000, intervals, 64);    // chain.beta is not used
 */
#ifndef PLACE_DISTPAR_ENVELOPE_H
#define PLACE_DISTPAR_ENVELOPE_H

#include "distpar/distpar.h"

typedef struct BetaInterval {
    double from, to;
    ChainPlan plan;
} BetaInterval;

/* The intervals of beta from 0 to `largest`, in order. Their number; 0: there is no plan, or more than `most`. */
int chain_envelope(const Chain *chain, double largest, BetaInterval *intervals, int most);

#endif
