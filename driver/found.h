/* found.h - the file with the program that `search` or `infer` finds. */
#ifndef PLACE_DRIVER_FOUND_H
#define PLACE_DRIVER_FOUND_H

#include "driver/options.h"
#include "library/place.h"

/* The program that is asked about is never replaced: true if -o names it, which is then printed. */
bool found_replaces(const Options *options);

/* `text` NULL: nothing was found, which is no reason to touch the file. Returns the exit status. */
int found_write(const char *path, const char *text, size_t length);

#endif
