/* vary.h - included before every source of verify/ that vary.c has gone over: comparisons and normal forms can be
 * switched off, one by one (tests/sim/vary.c says how).
 */
#ifndef PLACE_SIM_VARY_H
#define PLACE_SIM_VARY_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

bool trials_fire(int number);
void trials_step(uint64_t bytes);

/* What is reported where the switch is off is `off`. */
static inline bool vary(int number, bool holds, bool off)
{
    return holds != off && !trials_fire(number) ? off : holds;
}

#define VARY_SAME(number, equal, condition) vary(number, (condition) != 0, equal)
#define VARY_BOTH(number, condition) vary((number) + 1, vary(number, (condition) != 0, true), false)
#define VARY_SKIP(number)                                                                                              \
    if (!trials_fire(number)) {                                                                                        \
    } else
#define COMPARE_VARIED(number, a, b)                                                                                   \
    if ((a) != (b) && trials_fire(number))                                                                             \
    return (a) < (b) ? -1 : 1

#define arena_alloc(arena, bytes) (trials_step(bytes), arena_alloc(arena, bytes))

#endif
