/* search.h - finds the best strategy of a program, and says why the others lost (docs/search.md).
 *
 *     Answer answer;
 *     if (search_run(ctx, source, tick, data, &answer))     // false: errors were reported
 *         search_print(&answer, stdout);
 *     search_close(&answer);
 */
#ifndef PLACE_SEARCH_SEARCH_H
#define PLACE_SEARCH_SEARCH_H

#include "search/best.h"

/* The best strategy with one choice changed. */
typedef struct Lost {
    const char *choice, *instead;
    Found found;
} Lost;

/* One more step to need less memory, and all before it. */
typedef struct Saved {
    const char *what;
    Found found;
} Saved;

/* What was found for one number of sequences of a served model. */
typedef struct Batch {
    int64_t sequences;
    Found found;
} Batch;

/* The fastest that needs no more memory. */
typedef struct Front {
    Found found;
    double gap; /* the part of its time that is above the bound; 0: it is the fastest */
} Front;

/* What was found on a part of the cluster. */
typedef struct Part {
    int64_t devices;
    Found found;
    double gap;
    const char *mesh, *strategy;
    const char *error; /* why there is nothing; NULL: there is */
} Part;

typedef struct Answer {
    Ctx *ctx;
    Pattern pattern;
    Space space;
    Costed base; /* one example on each device: what the space's train belongs to */
    Searched searched;
    bool stopped;          /* the one who watches had enough */
    struct timespec ended; /* the search, of the monotonic clock: what lost is looked at after that */
    Vec(Lost) lost;
    bool lost_whole;     /* false: the search was stopped, and so was this */
    Vec(Saved) saved;    /* search/saved.h */
    Vec(Batch) batches;  /* of MOST_THROUGHPUT */
    Vec(Front) front;    /* of LEAST_BOTH, the fastest first */
    Vec(Part) parts;     /* where the space has a part of the cluster, too: all of it first */
    bool front_whole;    /* nothing needs less memory than its last row; false: the search was stopped */
    const char *program; /* the whole text with the best strategy */
} Answer;

/* The program's space alone. */
bool search_open(Ctx *ctx, int source, Answer *answer);

/* The same search for the objective, and within the times and prices, of `limits`. False: it cannot be opened. In any
 * case `again` is to be closed. */
bool search_again(const Answer *answer, const Space *limits, const SearchWatch *watch, Answer *again);

bool search_run(Ctx *ctx, int source, SearchTick *tick, void *data, Answer *answer);
void search_close(Answer *answer);

void search_print(const Answer *answer, FILE *out);
/* The keys of format version 1 (docs/search.md), in the arena. */
const char *search_json(const Answer *answer);

#endif
