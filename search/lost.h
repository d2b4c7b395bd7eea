/* lost.h - why others lost: the best strategy with one choice changed at a time, derived and costed. */
#ifndef PLACE_SEARCH_LOST_H
#define PLACE_SEARCH_LOST_H

#include "search/search.h"

/* Of each group another option, half of the ranks of an axis given to another, and so on, each with all else as found.
 * What is no program is left out. */
void lost_find(Answer *answer);

#endif
