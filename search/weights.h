/* weights.h - the parameters whose placements a search looks for one by one, and the statements that place them.
 *
 *     Weights weights;
 *     weights_find(arena, space, DEGREE_TENSOR, 8, &weights);
 *     weights_declared(arena, space, &weights, ways);      // ways[w]: 0, or which of the dims of w is sharded
 */
#ifndef PLACE_SEARCH_WEIGHTS_H
#define PLACE_SEARCH_WEIGHTS_H

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
    Degree over;   /* the axis that they are placed on, */
    bool sequence; /* which shards values by the context, too, where nothing else shards them */
    int count;
    Weight weight[MOST_WEIGHTS]; /* the one with the most elements first */
} Weights;

/* On an axis of so many ranks: of a dim that is sharded each has something. */
void weights_find(Arena *arena, const Space *space, Degree over, int64_t ranks, Weights *weights);

/* The strategy of their statements, "strategy placed(t: axis) {\n    parameters of fc6 sharded over t by out\n}\n".
 * NULL: there are none, because all are copied. */
const char *weights_declared(Arena *arena, const Space *space, const Weights *weights, const int8_t *ways);

/* Which of them the tensor belongs to; -1: it is copied in any case. */
int weights_of(const Weights *weights, const Tensor *tensor);

/* The dim of this name; -1: it has none, or the name is NULL. */
int weight_dim(const Tensor *tensor, const char *name);

#endif
