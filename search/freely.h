/* freely.h - what no strategy of a space takes less than if its operators may be computed in any way over the axis on
 * which parameters are placed (search/tensors.h): `tensor`, or where the mesh has none, `data`.
 *
 * On a mesh of `replica`, `data` and `tensor` it is the least of the sum of terms, in which parameters are stored
 * anywhere, too. Any other axes are taken to divide all of that perfectly, as they do in the bound of a shape: of each
 * operator and communication a rank then has a part, and that takes at least as large a part of the time. */
#ifndef PLACE_SEARCH_FREELY_H
#define PLACE_SEARCH_FREELY_H

#include "search/best.h"

/* Sets Searched.free_bound, if something was found: what is above that need not be known. */
void freely_bound(const Pattern *pattern, Space *space, const Bounds *bounds, const SearchWatch *watch,
                  Searched *searched);

/* Seconds of a step on the mesh of this shape; 0: nothing is known, as of served models. */
double freely_least(const Pattern *pattern, const Space *space, const Choice *shape);

#endif
