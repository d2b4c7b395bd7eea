/* pinned.h - the best strategy that was found, with single operators pinned: which way each is computed over an axis
 * (docs/language.md, "How values are computed"). By itself the deriver takes for each operator in turn what sends the
 * fewest bytes; what that costs the operators after it shows only in the program's own time.
 *
 * Pins over the axis of search/tensors.h are tried as programs that are derived, planned and played; what makes a step
 * faster is proved, and stays. First those with which the sum of terms is least, one after another, then each alone. So
 * no program with one pin more, one less, or one changed is faster than what is found, unless the search was stopped;
 * but other sets of pins may be. What is certain is search/freely.h: no placement of any value takes less. */
#ifndef PLACE_SEARCH_PINNED_H
#define PLACE_SEARCH_PINNED_H

#include "search/best.h"

/* False if the space has no use for the pins that it asks for, which is reported. */
bool pinned_open(Ctx *ctx, const Pattern *pattern, Space *space);

/* Improves what was found, if the space has pins; the bound is then one of that space. */
void pinned_find(Arena *arena, const Pattern *pattern, Space *space, const SearchWatch *watch, Searched *searched);

#endif
