/* likely.h - what probably fits where memory, or time, is scarce, for an answer long before the search ends. */
#ifndef PLACE_SEARCH_LIKELY_H
#define PLACE_SEARCH_LIKELY_H

#include "search/best.h"

/* By how states are divided, and whether everything is kept. */
enum { LIKELY_KINDS = 2 * MOST_OPTIONS };

typedef struct Likely {
    Bounds *bounds;
    Arena *arena;
    /* As the last program of the kind: bytes that a strategy needs than is likely, and its time by its bound. */
    double more[LIKELY_KINDS], slower[LIKELY_KINDS];
    Vec(Choice) tried;
} Likely;

void likely_open(Likely *likely, Arena *arena, Bounds *bounds);

/* Of the strategies that keep, recompute, or have on the host only as much as they have to (or, for the least memory,
 * as much as there is time for), that will probably fit, and that were not tried, one with a low bound: shapes are
 * looked at by their own bounds, from the fastest on, as long as few inner programs are derived for them. False: there
 * is none below `below`. */
bool likely_find(const Likely *likely, double below, Choice *best);

/* What a strategy that was tried costs. */
void likely_learn(Likely *likely, const Found *found);

#endif
