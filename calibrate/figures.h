/* figures.h - what a machine can do, from how long calls took on it. */
#ifndef PLACE_CALIBRATE_FIGURES_H
#define PLACE_CALIBRATE_FIGURES_H

#include "calibrate/profile.h"

/* The programs that are run; several of memory, each of four times the arrays of the one before. */
enum { MEMORY_SIZES = 9 };
typedef enum Probe { PROBE_PRODUCTS, PROBE_ROWS, PROBE_LINKS, PROBE_TIERS, PROBE_MEMORY } Probe;
enum { PROBE_COUNT = PROBE_MEMORY + MEMORY_SIZES };

enum { FIGURE_CACHES = 3 };
typedef enum Figure {
    FIGURE_PRODUCTS, /* operations per second */
    FIGURE_DEPTH,
    FIGURE_EDGE,
    FIGURE_PRODUCT_LAUNCH,
    FIGURE_ARITHMETIC,
    FIGURE_FUNCTIONS,
    FIGURE_LAUNCH,
    FIGURE_MEMORY, /* bytes per second */
    FIGURE_SHARED,
    FIGURE_HOST,
    FIGURE_LINK,
    FIGURE_LATENCY,
    FIGURE_CACHE_BYTES, /* so many, then their speeds; 0: there is no such cache */
    FIGURE_CACHE_SPEED = FIGURE_CACHE_BYTES + FIGURE_CACHES,
    FIGURE_COUNT = FIGURE_CACHE_SPEED + FIGURE_CACHES
} Figure;

typedef struct Figures {
    double of[FIGURE_COUNT]; /* 0: it could not be measured */
} Figures;

/* `arena_bytes` of the programs of memory. Sizes (of caches, and of products at half their speed) are those of `sizes`
 * if that is not NULL, so that speeds can be compared. */
void figures_find(const Profile profiles[PROBE_COUNT], const double arena_bytes[MEMORY_SIZES], int ranks,
                  const Figures *sizes, Figures *figures);

#endif
