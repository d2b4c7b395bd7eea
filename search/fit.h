/* fit.h - which strategies fit into a device by their bounds, and the next row of them that may. */
#ifndef PLACE_SEARCH_FIT_H
#define PLACE_SEARCH_FIT_H

#include "search/bound.h"

/* Is it known to need more than a device may have? */
bool fit_is_too_large(const Space *space, const Bound *bound);

/* May all of a row be recomputed by an option? */
bool fit_has_recomputed(const Space *space, const Choice *row, int option);

/* The first row with states of more layers on the host of which anything may fit: the more are there, the less the
 * device has. False: of none. */
bool fit_next_row(Bounds *bounds, Choice *row);

#endif
