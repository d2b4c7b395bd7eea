/* sizes.h - the same cluster with fewer devices: half of its nodes, half of these, and so on; one node that is left has
 * half of its devices, and so on.
 *
 *     for (int times = 0; sizes_find(arena, &pattern, times, &size); times++)
 *         size.devices, size.text          // 32, "4 nodes of 8" in the place of "16 nodes of 8"
 */
#ifndef PLACE_SEARCH_SIZES_H
#define PLACE_SEARCH_SIZES_H

#include "search/program.h"

typedef struct ClusterSize {
    int64_t devices;
    const char *text; /* Pattern.devices */
} ClusterSize;

/* Halved so often, where a half of an odd number is rounded down; false: fewer than one device would be left. */
bool sizes_find(Arena *arena, const Pattern *pattern, int times, ClusterSize *size);

#endif
