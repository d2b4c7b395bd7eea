/* ranks.h - the ranks along some axes: how many there are, and their numbers, coordinates and names.
 *
 * Ranks along `axes` are numbered with the last axis innermost; coordinates on other axes do not matter.
 */
#ifndef PLACE_VERIFY_RANKS_H
#define PLACE_VERIFY_RANKS_H

#include "verify/cuts.h"

/* INT64_MAX if they are too many to be counted. */
int64_t ranks_along(const Decls *decls, AxisMask axes);
int64_t rank_number(const Decls *decls, AxisMask axes, const int64_t *coordinate);
/* Sets the coordinates on these axes. */
void rank_coordinates(const Decls *decls, AxisMask axes, int64_t number, int64_t *coordinate);
/* "stage 1, data 0"; "every rank" if there are no axes. */
const char *rank_text(Arena *arena, const Decls *decls, AxisMask axes, const int64_t *coordinate);

#endif
