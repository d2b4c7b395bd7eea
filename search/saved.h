/* saved.h - what a strategy that was found does to need less memory, step by step, from one that keeps everything on
 * the device: how much each step saves, and how much longer a train's step takes. */
#ifndef PLACE_SEARCH_SAVED_H
#define PLACE_SEARCH_SAVED_H

#include "search/search.h"

/* Sets answer->saved; none if everything is kept. The last row is the strategy found. */
void saved_find(Answer *answer);

#endif
