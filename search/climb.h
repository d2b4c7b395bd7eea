/* climb.h - placements of single values (search/pins.h), one at a time: of the best strategy's program each operator is
 * computed in every other way that the language can say, those with the largest arrays first; what makes the program
 * better stays. That ends when nothing more does. So the program is at least as good as without pins, and no other
 * single one makes it better; what several would do that do nothing alone is not known. */
#ifndef PLACE_SEARCH_CLIMB_H
#define PLACE_SEARCH_CLIMB_H

#include "search/search.h"

/* Leaves the option out of a space that has no use for it; false if `with` asks for it there, which is reported. */
bool climb_open(Ctx *ctx, const Pattern *pattern, Space *space);

/* Pins what makes the best program better; false: nothing does. */
bool climb_run(Answer *answer, const SearchWatch *watch);

#endif
