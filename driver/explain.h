/* explain.h - the pages that explain diagnostic codes, embedded in the binary. */
#ifndef PLACE_DRIVER_EXPLAIN_H
#define PLACE_DRIVER_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

/* Returns false if there is no such code. */
bool explain_print(const char *code, FILE *out);

/* The code that was probably meant, such as P0303 for p303 or 303; NULL if none is close. */
const char *explain_suggest(const char *code);

#endif
