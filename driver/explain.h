/* explain.h - the pages behind diagnostic codes, embedded in the binary. */
#ifndef PLACE_DRIVER_EXPLAIN_H
#define PLACE_DRIVER_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

/* False where there is no such code. */
bool explain_print(const char *code, FILE *out);

#endif
