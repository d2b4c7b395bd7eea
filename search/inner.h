/* inner.h - *inner programs*: the model on few ranks, with no more options and microbatches than it takes, derived and
 * costed as any other program, once each. What a strategy costs is put together from what they do: from below
 * (search/bound.h), or, without pipelines, exactly (search/exact.h).
 */
#ifndef PLACE_SEARCH_INNER_H
#define PLACE_SEARCH_INNER_H

#include "search/program.h"
#include "search/space.h"

/* What an inner program depends on: on `examples` of a microbatch on each rank, and on what it chooses; all devices
 * that its axes leave are copies. */
typedef struct InnerKey {
    int64_t examples;
    Choice choice;
} InnerKey;

typedef struct Inner Inner;

struct Inner {
    InnerKey key;
    const char *error;
    /* Forward and backward of one microbatch: layers, what the last of them is followed by, all outside layers. */
    double layers_s, after_s, outside_s;
    double forward_s;     /* of layers_s, */
    const double *sent_s; /* and, in a program with `context` alone, communication, also of them, by how many ranks of
                             `tensor` are between two neighbours of `context` */
    double passed_bytes;  /* from layer to layer */
    double update_s;      /* reading and writing states */
    double once_s;        /* all that is done once in a step */
    bool waits;           /* ranks for each other */
    bool mixes;           /* examples of several ranks, within a microbatch: as batchnorm does */
    double state_bytes[CATEGORY_OPTIMIZER + 1], cache_bytes;
    double block_share[CATEGORY_OPTIMIZER + 1]; /* of the states, in repeated blocks */
    double kept_bytes;                          /* for the backward pass, of all layers */
    double moment_bytes;                        /* of a layer's backward pass */
    double total_bytes;
    const Inner *fewer; /* of one that keeps everything: what those are that keep fewer values (inner_fewer) */
};

typedef struct Inners {
    const Pattern *pattern;
    const Space *space;
    Arena *arena;
    const Inner **slots;
    int capacity, count;
    int64_t derived;
} Inners;

/* Forward and backward of one microbatch, in all. */
static inline double inner_micro_s(const Inner *inner)
{
    return inner->layers_s + inner->outside_s;
}

/* From below, what one is that recomputes so many of the space's values, and has so many on the host, from one that
 * keeps everything on the device. */
static inline const Inner *inner_fewer(const Inner *inner, int values, int hosted)
{
    return values + hosted == 0 ? inner : &inner->fewer[values * (MOST_HOSTED + 1) + hosted];
}

/* One microbatch on one device; the ranks that divide layers, keeping everything, with two microbatches if there are
 * several, whose gradients are summed; and recomputing what those layers of the choice do that recompute most, or those
 * that do not recompute `more`. */
Choice inner_alone(void);
Choice inner_keeping(const Choice *choice);
Choice inner_layers(const Space *space, const Choice *choice, bool more);

const Inner *inner_find(Inners *inners, const Choice *choice, int64_t examples);

#endif
