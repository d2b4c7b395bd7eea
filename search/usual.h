/* usual.h - what people often do: a first answer, before anything of the space is known. */
#ifndef PLACE_SEARCH_USUAL_H
#define PLACE_SEARCH_USUAL_H

#include "search/bound.h"

/* The last option of a group that the space has. */
int8_t usual_last_option(const Space *space, const Choice *choice, int group);

/* How layers are divided. */
void usual_layers(const Space *space, Choice *choice);

/* Of those that will probably take no more than this part of the memory, the one with the least bound. False: the space
 * has none. */
bool usual_find(Bounds *bounds, double room, Choice *best);

#endif
