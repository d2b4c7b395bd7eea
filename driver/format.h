/* format.h - `placec fmt`: files in the one style, each replaced at once or not at all. */
#ifndef PLACE_DRIVER_FORMAT_H
#define PLACE_DRIVER_FORMAT_H

#include "driver/options.h"

/* The status of the worst file; each is looked at. A file "-" is stdin, and its text goes to stdout. With --check
 * nothing is written, and the names of files that are in another style are printed. */
int format_files(const Options *options);

#endif
