/* best.h - the best strategy of a space, by branch and bound: the open part of the space with the least bound is looked
 * at next, more closely each time, until its own program is derived, planned and played. The first such program that
 * comes out is the best of all. */
#ifndef PLACE_SEARCH_BEST_H
#define PLACE_SEARCH_BEST_H

#include "search/bound.h"

#include <time.h>

/* What the time of a step is spent with. */
enum { FOUND_COMPUTING, FOUND_COMMUNICATING, FOUND_WAITING, FOUND_SPENT };

/* A strategy whose program was costed. */
typedef struct Found {
    Choice choice;
    double seconds, bytes; /* seconds: 0 where they are not predicted */
    double spent[FOUND_SPENT];
    bool fits;         /* into memory, and within the limits of time and price */
    bool slow;         /* it is not within the latter */
    const char *error; /* it is no program */
} Found;

typedef struct Searched {
    bool any;
    Found best;                /* of those that fit, */
    Costed program;            /* and its program, proved when the search ends */
    bool exact;                /* nothing in the space is better */
    double bound;              /* nothing in the space costs less */
    double free_bound;         /* nothing does, however operators are pinned; 0: that is not known */
    double shapes, strategies; /* how many the space has; shapes: without how layers and states are divided */
    int64_t inner, costed, proved;
    Found unpinned;    /* where operators are pinned: the best without pins, */
    int64_t pinned;    /* how many programs with pins were tried, */
    bool climbed;      /* and none with one pin changed is better */
    bool few_placed;   /* that place parameters one by one: as many as are tried without being asked for */
    const char *error; /* of one that is no program; NULL: none was met */
    double elapsed_s;
} Searched;

/* Sizes of the axes, microbatches and schedule of strategies; all else is not chosen. */
typedef void BestShape(void *data, const Choice *choice);
/* Of all strategies of the space, without those of search/placed.h. */
void best_each_shape(const Space *space, BestShape *found, void *data);

/* Called now and then; false ends the search. */
typedef bool SearchTick(void *data, const Space *space, const Searched *searched);

/* Over all searches that an answer takes. */
typedef struct SearchWatch {
    SearchTick *tick; /* NULL: nobody watches */
    void *data;
    struct timespec began; /* of the monotonic clock */
} SearchWatch;

void best_find(Arena *arena, const Pattern *pattern, const Space *space, Bounds *bounds, const SearchWatch *watch,
               Searched *searched);

/* Costs the strategy's own program; if it is better than the best so far, and proved, it is the best. */
Found best_try(Arena *arena, const Pattern *pattern, const Space *space, const Choice *choice, Searched *searched);

/* Of the monotonic clock. */
double best_seconds_since(const struct timespec *began);

/* Does the one who watches want it to continue? */
bool best_goes_on(const SearchWatch *watch, const Space *space, Searched *searched);

/* The program's text with this strategy. */
Version best_version(Arena *arena, const Space *space, const Choice *choice);

/* The strategy's own program, not proved. */
Found best_cost(const Pattern *pattern, const Space *space, const Choice *choice, Arena *arena);

double best_value(const Space *space, const Found *found);

/* By more than rounding. */
bool best_slower(const Found *found, const Found *than);

/* Is it better? Of two that cost the same that is the one with less memory, or, where memory is what counts, the faster
 * one. */
bool best_beats(const Space *space, const Found *found, const Found *than);

#endif
