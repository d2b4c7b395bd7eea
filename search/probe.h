/* probe.h - which options a model has no use for: each is tried once, on as few ranks as its axis can have. */
#ifndef PLACE_SEARCH_PROBE_H
#define PLACE_SEARCH_PROBE_H

#include "search/program.h"
#include "search/space.h"

/* Excludes options, and degrees that no option is left for, with their reasons. */
void probe_options(Arena *arena, const Pattern *pattern, Space *space);

/* Limits microbatches to one if there cannot be several, with the reason. */
void probe_microbatches(Arena *arena, const Pattern *pattern, Space *space);

#endif
