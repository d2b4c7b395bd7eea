/* checks.h - included before every source of verify/ that checks.awk has gone over: a check can be switched off, and
 * says when it would have refused.
 */
#ifndef PLACE_SIM_CHECKS_H
#define PLACE_SIM_CHECKS_H

#include <stdbool.h>

/* True, but for the check that is switched off (tests/sim/trials.h). */
bool trials_fire(int number);

#define CHECK(number, condition) ((condition) && trials_fire(number))
#define UNLESS(number, condition) ((condition) || !trials_fire(number))

#endif
