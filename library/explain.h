/* explain.h - the pages that explain diagnostic codes, embedded in the binary. */
#ifndef PLACE_LIBRARY_EXPLAIN_H
#define PLACE_LIBRARY_EXPLAIN_H

/* NULL if there is no such code. */
const char *explain_page(const char *code);

/* The code that was probably meant, such as P0303 for p303 or 303; NULL if none is close. */
const char *explain_suggest(const char *code);

#endif
