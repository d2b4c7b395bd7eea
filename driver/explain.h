/* explain.h - the pages behind diagnostic codes, embedded in the binary. */
#ifndef PLACE_DRIVER_EXPLAIN_H
#define PLACE_DRIVER_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

/* False where there is no such code. */
bool explain_print(const char *code, FILE *out);

/* The code that was probably meant, P0303 for p303 or 303; NULL if none is near. */
const char *explain_suggest(const char *code);

#endif
