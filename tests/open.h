/* open.h - for tests: a file to be compiled. */
#ifndef PLACE_TESTS_OPEN_H
#define PLACE_TESTS_OPEN_H

#include "library/compile.h"

/* compile->source is 0 if it cannot be read. */
static inline void compile_open(Compile *compile, const char *path)
{
    compile_new(compile);
    compile->source = source_read(compile->ctx.sources, path);
}

#endif
