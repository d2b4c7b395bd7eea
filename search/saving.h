/* saving.h - the ways of a space to save memory: how many there are, and which of two keeps more on the device. */
#ifndef PLACE_SEARCH_SAVING_H
#define PLACE_SEARCH_SAVING_H

#include "search/space.h"

/* How many options a choice may have of a group. */
double saving_options(const Space *space, const Choice *choice, int group);

/* Ways to save memory: what is recomputed, and how many values, and the states of how many layers, are on the host. */
double saving_count(const Space *space, const Choice *choice);

/* Is the one what the other is, but that it recomputes less, and has less on the host, or as much? Not if it recomputes
 * what the other has there. */
bool saving_keeps_no_less(const Space *space, const Choice *one, const Choice *other);

#endif
