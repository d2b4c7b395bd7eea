/* launcher.h - the files next to program.c that build and start it. */
#ifndef PLACE_CODEGEN_LAUNCHER_H
#define PLACE_CODEGEN_LAUNCHER_H

#include "codegen/codegen.h"

/* The arguments that compile and link program.c in the current directory, after the compiler's name;
 * NULL-terminated. */
const char **launcher_compile_words(Arena *arena);

const char *launcher_makefile(Arena *arena, const StepFile *file);
const char *launcher_run_script(Arena *arena, const Train *train, const StepFile *file);
const char *launcher_job_script(Arena *arena, const Train *train, const StepFile *file);

#endif
