/* bound.h - what a strategy costs at least, without deriving its program.
 *
 * A strategy's layers run on each rank what they would run without pipeline and data parallelism on the same part of
 * the batch, context and dims. So inner programs say what they take (search/inner.h); pipelines, sums of gradients,
 * updates and shards of states then follow in closed form (docs/search.md). No bound is above what the strategy's own
 * program costs (tests/unit/search_bounds.c, search_exact.c).
 */
#ifndef PLACE_SEARCH_BOUND_H
#define PLACE_SEARCH_BOUND_H

#include "search/inner.h"

/* What a communication takes, as it was asked for last. */
typedef struct SumTime {
    int32_t degree[DEGREE_COUNT];
    uint32_t axes;
    Collective op;
    double bytes, seconds;
} SumTime;
enum { MOST_SUM_TIMES = 4096 };

typedef struct Bounds {
    const Space *space;
    Inners inners;
    SumTime *sum_times;                         /* MOST_SUM_TIMES */
    const Inner *alone;                         /* one device, as many examples as the space allows */
    double first_share[CATEGORY_OPTIMIZER + 1]; /* of the states, in front of them: on the first stage of a pipeline */
    double widening;                            /* of gradients, where they are sums over microbatches */
} Bounds;

typedef struct Bound {
    double seconds, bytes;
    double likely_bytes; /* no bound: with what one microbatch needs for a moment only */
    const char *error;   /* why there is no such program */
} Bound;

/* `pattern` and `space` are kept. Sets space->examples. False: not even one example on one device can be costed,
 * `error` says why. */
bool bounds_open(Bounds *bounds, Arena *arena, const Pattern *pattern, Space *space, const char **error);

/* Of any strategy with these degrees, microbatches and schedule, wherever its parameters are. */
Bound bound_shape(const Bounds *bounds, const Choice *choice);
/* Of any whose parameters are the same for all ranks of `data` but for ZeRO: with sums and gathers over these. */
Bound bound_states(const Bounds *bounds, const Choice *choice);
/* Of any of those with these ways to divide layers, too: from a program with `tensor` and one with `context`, if there
 * are both; and from one with all axes. */
Bound bound_apart(Bounds *bounds, const Choice *choice);
Bound bound_layers(Bounds *bounds, const Choice *choice);
/* Of this one, from layers that run as many examples at once as the space allows. */
Bound bound_roughly(Bounds *bounds, const Choice *choice);
/* Of this one, from layers that run one microbatch. */
Bound bound_choice(Bounds *bounds, const Choice *choice);

#endif
