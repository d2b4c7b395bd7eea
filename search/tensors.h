/* tensors.h - a placement for every parameter on one axis: whole, or sharded by one of its dims. The axis is `tensor`,
 * inside `data` and `replica`, over which all parameters are copied and the batch is cut. Where the mesh has none it is
 * `data` itself: a layer whose parameter is sharded then computes with its shard on the whole microbatch, or on a dim
 * of it; for its parameters nothing is summed over `data`, but what it reads and writes is sent.
 *
 * The time of a step with such placements has a lower bound that is a sum of terms (search/eliminate.h): for each
 * operator of the reference the least, over all ways to run it on shards, of what that takes and of the conversions
 * from where its operands are, and to where its result is kept; for each parameter its update, and the sum of its
 * gradient. The variables are where values are, so the least of the sum is what no placement of any value can go below.
 *
 *     Tensors *tensors = tensors_open(arena, &weights, &alike);  // alike: the program with all of them copied
 *     TermSum sum;
 *     tensors_bound(tensors, zero, &sum);
 *     eliminate(&sum, options, &exact);                    // options: per weight, and -1 for all other variables
 */
#ifndef PLACE_SEARCH_TENSORS_H
#define PLACE_SEARCH_TENSORS_H

#include "algebra/signature.h"
#include "search/eliminate.h"
#include "search/program.h"
#include "search/weights.h"

typedef struct Tensors Tensors;

/* What is the same for all stages of ZeRO. `alike`, which need not be costed, has the mesh, and everything copied on
 * the axis. Both are used until the last bound. NULL: the program has no step, or no such axis. */
Tensors *tensors_open(Arena *arena, const Weights *weights, Costed *alike);

/* The terms, in seconds, for a stage of ZeRO of what is copied; the weights are the first variables. In the arena. */
void tensors_bound(Tensors *tensors, int zero, TermSum *sum);

/* For operators that are computed in any way over the axis; parameters are where the program has them, or anywhere,
 * alike in all layers. */
Tensors *tensors_open_pinned(Arena *arena, Costed *program, bool anywhere);
/* No such program takes less. */
double tensors_least(Tensors *tensors, int zero);

/* How each operator of a program is computed over the axis where every value is where the sum of terms is least: of all
 * that can be pinned, with parameters where the program has them. */
typedef struct BestWay {
    int op;
    Signature signature;
} BestWay;

typedef struct BestWays {
    int axis;
    double seconds; /* the least of the sum */
    Vec(BestWay) list;
} BestWays;

/* False if the program has no such axis, or no step. */
bool tensors_best(Arena *arena, Costed *program, int zero, BestWays *ways);

/* What a rank has of states in memory, at least. */
typedef struct StateBytes {
    double way[MOST_WEIGHTS][MOST_WEIGHT_WAYS]; /* of each weight */
    double rest;                                /* of all other parameters */
} StateBytes;

void tensors_bytes(const Tensors *tensors, int zero, StateBytes *bytes);
/* The least with some of the weights fixed, others -1. */
double tensors_least_bytes(const Weights *weights, const StateBytes *bytes, const int *fixed);

#endif
