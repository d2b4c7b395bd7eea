/* likely.h - what probably fits where memory is scarce, for an answer long before the search ends. */
#ifndef PLACE_SEARCH_LIKELY_H
#define PLACE_SEARCH_LIKELY_H

#include "search/bound.h"

/* By how states are divided, and whether everything is kept. */
enum { LIKELY_KINDS = 2 * MOST_OPTIONS };

typedef struct Likely {
    Bounds *bounds;
    Arena *arena;
    double more[LIKELY_KINDS]; /* bytes that a strategy of the kind needs than is likely, as its last program did */
    Vec(Choice) tried;
} Likely;

/* Of the strategies that keep, recompute, or have on the host only as much as they have to, that will probably fit, and
 * that were not tried, one with a low bound: shapes are looked at by their own bounds, from the least on, as long as
 * few inner programs are derived for them. False: there is none below `below`. */
bool likely_find(const Likely *likely, double below, Choice *best);

/* Its program needs so many bytes; 0: it has none. */
void likely_learn(Likely *likely, const Choice *choice, double bytes);

#endif
