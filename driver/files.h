/* files.h - reads the files that the library is given. */
#ifndef PLACE_DRIVER_FILES_H
#define PLACE_DRIVER_FILES_H

#include "library/place.h"

#include <sys/types.h>

/* The program in a file; "-" is stdin. It imports from files too. False with errno set if it cannot be read; else
 * file_free frees its text. */
bool file_read(const char *path, place_program *program);
void file_free(place_program *program);

/* Makes or replaces a file, all of it or nothing. False with errno set if it cannot be written. */
bool file_write(const char *path, mode_t mode, const char *text, size_t length);

#endif
