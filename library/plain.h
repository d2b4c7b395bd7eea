/* plain.h - a program with its strategy written as plain statements (strategy/plain.h), checked by compiling it. */
#ifndef PLACE_LIBRARY_PLAIN_H
#define PLACE_LIBRARY_PLAIN_H

#include "library/compile.h"

/* Of a program for which compile_program made a step program. The text has the same one, but for the places in the
 * source: it was compiled and compared. */
const char *plain_program(const Compile *compile);

/* The text with `call` in the place of the strategies of the train, and a strategy, which is put into the standard
 * style, at its end. */
const char *plain_replace(const Compile *compile, const char *call, const char *strategy);
/* The same program with another text, not compiled yet. */
void plain_again(const Compile *compile, const char *text, Compile *again);

#endif
