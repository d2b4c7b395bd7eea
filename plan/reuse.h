/* reuse.h - how many of the bytes that operators read and write are in a cache.
 *
 * The routine is walked on one rank, twice, and every cache of the device holds what was touched last of the arena, by
 * its planned addresses. What other ranks have touched in a communication is marked, until it is written here or
 * forgotten.
 */
#ifndef PLACE_PLAN_REUSE_H
#define PLACE_PLAN_REUSE_H

#include "plan/cost.h"

/* The traffic of one run of every operator, by id, on average over its runs; NULL if the device has no caches. An
 * operator that does not run there moves nothing. */
OpTraffic *reuse_find(Arena *arena, const Device *device, const Program *program, const Routine *routine);

#endif
