/* known.h - what programs cost that were costed before: each row of a front, and of an answer, asks for many of them
 * again. */
#ifndef PLACE_SEARCH_KNOWN_H
#define PLACE_SEARCH_KNOWN_H

#include "search/best.h"

/* Whatever the limits are. */
typedef struct Cost {
    const char *error;   /* it is no program */
    const char *unknown; /* why its time is not predicted; NULL: it is */
    double seconds, spent[FOUND_SPENT];
    int64_t bytes;
} Cost;

/* Of one pattern, in the arena of its context. */
Known *known_new(Arena *arena);

/* NULL: it was not costed. */
const Cost *known_find(const Pattern *pattern, const Version *version);

/* What was not known is kept where the pattern keeps it. */
const Cost *known_add(const Pattern *pattern, const Version *version, const Costed *costed);

/* Within the limits of the space. */
Found known_found(Arena *arena, const Space *space, const Choice *choice, const Cost *cost);

#endif
