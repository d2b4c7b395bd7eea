/* calibrate.h - measures the machine that it runs on, and says it as a cluster that programs can import.
 *
 *     calibrate(NULL);               // to stdout
 *     calibrate("machine.place");    // a new file
 *
 * It builds small programs as `placec build` does and has their runtime time every call (--profile), on as many ranks
 * as there are processors. So what is measured is what built programs run: their kernels, libraries and collectives,
 * with neighbours that use the same memory. docs/cost.md says how the figures follow from the calls.
 */
#ifndef PLACE_CALIBRATE_CALIBRATE_H
#define PLACE_CALIBRATE_CALIBRATE_H

#include "library/place.h"

/* A file that exists is left alone. What goes wrong is reported on stderr, and nothing is left behind. */
place_status calibrate(const char *path);

#endif
