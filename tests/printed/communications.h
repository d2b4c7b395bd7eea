/* communications.h - what simulated ranks have communicated, as programs write it under --trace (runtime/trace.c). */
#ifndef PLACE_TESTS_PRINTED_COMMUNICATIONS_H
#define PLACE_TESTS_PRINTED_COMMUNICATIONS_H

#include "tests/sim/machine.h"

/* The communications of the routine that was run last, in the order in which the rank has started them, a line each;
 * the caller frees them. */
char *communications_of(const SimMachine *machine, int rank);

#endif
