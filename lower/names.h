/* names.h - names of the buffers that passes add. */
#ifndef PLACE_LOWER_NAMES_H
#define PLACE_LOWER_NAMES_H

#include "step/step.h"

/* "norm.mean.bucket", or with a number where the program has a buffer of that name: "norm.mean.bucket.2". */
const char *lower_name(Arena *arena, const Program *program, const char *of, const char *what);

#endif
