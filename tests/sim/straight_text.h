/* straight_text.h - random step programs of one routine, in loops partly, in which many buffers hold the same by other
 * routes: what is equal then has to be distinguished from what only looks like it.
 */
#ifndef PLACE_SIM_STRAIGHT_TEXT_H
#define PLACE_SIM_STRAIGHT_TEXT_H

#include <stddef.h>
#include <stdint.h>

enum { STRAIGHT_SIZE = 1 << 15 };

/* Program `index` of those with this seed. What its operators do may have no description, but all can be run, but for
 * a few. */
void straight_text(uint64_t seed, uint64_t index, char *text, size_t size);

#endif
