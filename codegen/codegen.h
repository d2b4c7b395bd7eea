/* codegen.h - turns the last step program into a directory that can be built and run: readable C, kernels, launcher.
 *
 *     const char *failure = NULL;
 *     switch (codegen_run(ctx, train, file, plan_json, "out", &failure)) ...
 *
 * The directory then holds program.c, kernels.o, kernels.ptx, Makefile, run.sh, plan.json and program. Either all of
 * them are replaced or none: they are made in a temporary directory, compiled there, and moved at the end.
 */
#ifndef PLACE_CODEGEN_CODEGEN_H
#define PLACE_CODEGEN_CODEGEN_H

#include "reference/train.h"

typedef enum CodegenStatus {
    CODEGEN_DONE,
    CODEGEN_REFUSED, /* diagnostics say what `build` does not support */
    CODEGEN_FAILED   /* a file or tool failed: reported as P0502, or in *failure; nothing was changed */
} CodegenStatus;

CodegenStatus codegen_run(Ctx *ctx, const Train *train, const StepFile *file, const char *plan_json,
                          const char *directory, const char **failure);

/* Writes what --dump=c, llvm or ptx asks for. False if that was not possible; the reason was reported, or is *failure.
 */
bool codegen_dump(Ctx *ctx, const Train *train, const StepFile *file, const char *what, FILE *out,
                  const char **failure);

/* Reports P0501 for everything that cannot be built yet. */
bool codegen_check(Ctx *ctx, const Train *train, const StepFile *file);

/* What build needs at runtime; absolute paths. */
typedef struct CodegenPaths {
    const char *include;      /* the directory of place_rt.h */
    const char *libraries;    /* the directory of libplacert.a and libplacert_mpi.so */
    const char *llvm_library; /* libplacec_llvm.so */
} CodegenPaths;

/* Looks next to the running program and one directory up (a build tree), then in ../lib/place and ../include/place
 * (installed). Returns NULL, or what was not found. */
const char *codegen_find_paths(Arena *arena, CodegenPaths *paths);

#endif
