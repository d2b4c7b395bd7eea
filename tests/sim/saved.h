/* saved.h - states read from a checkpoint: it is written, element by element, as the text says it was, and read as the text
 * says it is.
 */
#ifndef PLACE_SIM_SAVED_H
#define PLACE_SIM_SAVED_H

#include "tests/sim/oracle.h"

/* Equal, or different with a message; faulted where the text makes no sense. */
SimVerdict sim_read_saved(SimPool *pool, const SimFile *file, char *message, size_t message_size);

#endif
