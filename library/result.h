/* result.h - what a place_result consists of (library/place.h). */
#ifndef PLACE_LIBRARY_RESULT_H
#define PLACE_LIBRARY_RESULT_H

#include "base/escape.h"
#include "library/compile.h"
#include "library/place.h"

struct place_result {
    place_status status;
    Compile compile; /* its arena holds all that follows; without one where the request did not come that far */
    const char *text, *failure;
    size_t length;
    const char *program, *lock; /* of a search */
    place_diagnostic *diagnostics;
    size_t diagnostic_count;
    char escaped[ESCAPE_LONGEST]; /* `failure`, if the request did not return */
};

/* Whether all is well, or who is to blame. */
place_status result_status(const Compile *compile, bool good);

/* Fills in the diagnostics of compile. */
void result_take_diagnostics(place_result *result);

/* Makes `print` write the answer's text. */
void result_print(place_result *result, void (*print)(const place_result *result, FILE *out, const void *data),
                  const void *data);

#endif
