/* tensors.h - a placement for every parameter: over the axis `data`, which shards the batch, each may be sharded by one
 * of its dims instead of being copied. A layer whose parameter is sharded computes with its shard on the whole
 * microbatch, or on a dim of it: for its parameters nothing is summed over `data`, but what it reads and writes is
 * sent.
 *
 * The time of a step with such placements has a lower bound that is a sum of terms (search/eliminate.h): for each
 * operator of the reference the least, over all ways to run it on shards, of what that takes and of the conversions
 * from where its operands are, and to where its result is kept; for each parameter its update, and the sum of its
 * gradient. The variables are where values are, so the least of the sum is what no placement of any value can go below.
 *
 *     Weights weights;
 *     weights_find(arena, space, &weights);
 *     TermSum sum;
 *     tensors_bound(arena, space, &weights, &alike, zero, &sum); // alike: the program with all of them copied
 *     eliminate(&sum, options, &exact);                    // options: per weight, and -1 for all other variables
 */
#ifndef PLACE_SEARCH_TENSORS_H
#define PLACE_SEARCH_TENSORS_H

#include "search/eliminate.h"
#include "search/program.h"
#include "search/space.h"

/* Those with the most elements; all others are copied. */
enum { MOST_WEIGHTS = 8, MOST_WEIGHT_WAYS = 5 };

/* The parameters of one label, in all layers: they are placed alike. */
typedef struct Weight {
    const char *label; /* "block.mlp.up" */
    int ways;
    const char *dim[MOST_WEIGHT_WAYS]; /* that is sharded; NULL, the first: they are copied */
    double elements;
} Weight;

typedef struct Weights {
    int count;
    Weight weight[MOST_WEIGHTS]; /* the one with the most elements first */
} Weights;

void weights_find(Arena *arena, const Space *space, Weights *weights);

/* The statements, line by line, of a strategy of the axis `d`: "    parameters of fc6 sharded over d by out\n". */
const char *weights_text(Arena *arena, const Space *space, const Weights *weights, const int8_t *ways);

/* The terms, in seconds, for a stage of ZeRO of what is copied; the weights are the first variables. False: the program
 * has none. */
bool tensors_bound(Arena *arena, const Weights *weights, Costed *alike, int zero, TermSum *sum);

#endif
