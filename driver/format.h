/* format.h - `placec fmt`: formats files, each replaced as a whole or not at all. */
#ifndef PLACE_DRIVER_FORMAT_H
#define PLACE_DRIVER_FORMAT_H

#include "driver/options.h"

/* Looks at every file and returns the worst status. The file "-" is stdin, and its text goes to stdout. With --check
 * nothing is written, and the names of files that would change are printed. */
int format_files(const Options *options);

#endif
