/* one_device.h - whether a reference is a program of one device: nothing in it knows of ranks, but for sums over
 * copies, their batches, seeds and numbers.
 */
#ifndef PLACE_SIM_ONE_DEVICE_H
#define PLACE_SIM_ONE_DEVICE_H

#include "tests/sim/step_text.h"

/* NULL, or what it has that one device has not. */
const char *sim_not_one_device(const SimFile *file);

#endif
