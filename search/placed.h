/* placed.h - the best placement of every parameter (search/tensors.h), by branch and bound: one parameter after another
 * is placed, and what the rest may cost is the least of the sum of terms. Over `tensor`, with copies over `data`, or
 * over `data` itself; with copies of all that over `replica` or without, every stage of ZeRO for what is copied, and
 * all microbatches. */
#ifndef PLACE_SEARCH_PLACED_H
#define PLACE_SEARCH_PLACED_H

#include "search/best.h"
#include "search/weights.h"

/* Leaves the option out of a space that has no use for it; false if `with` asks for it there, which is reported. */
bool placed_open(Ctx *ctx, const Pattern *pattern, Space *space);

/* Sizes of the axes and microbatches of these strategies, if the space has any. */
void placed_each_shape(const Space *space, BestShape *found, void *data);

/* Looks for what is better than what was found, and takes it. */
void placed_find(Arena *arena, const Pattern *pattern, Space *space, const Bounds *bounds, const SearchWatch *watch,
                 Searched *searched);

/* The program with this mesh and these microbatches, and all parameters copied. */
Version placed_alike(Arena *arena, Space *space, const Choice *choice, const Weights *weights);

#endif
