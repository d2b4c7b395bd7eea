/* derived.h - for unit tests of the verifier: programs that the deriver makes of .place texts, and the codes that the
 * verifier answers with.
 *
 * The verifier is linked with the deriver here only to have its programs; they share no code. */
#ifndef PLACE_TESTS_UNIT_DERIVED_H
#define PLACE_TESTS_UNIT_DERIVED_H

#include "tests/unit/compile.h"

#include "tests/lowered.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* A model 'gpt' on a mesh, under a strategy. */
typedef struct OnMesh {
    const char *mesh, *strategy;
    int ranks, micro;
} OnMesh;

static inline Compiled compile_on_mesh(const char *model, const OnMesh *on, int batch)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out,
            "%scluster here { %d devices of cpu }\nmesh local on here { %s }\ntrain gpt on local {\n    strategy %s\n"
            "    optimizer adamw(rate = 1e-3)\n    clip norm 1\n    precision f64\n    batch %d in %d microbatches\n"
            "    steps 2\n}\n",
            model, on->ranks, on->mesh, on->strategy, batch, on->micro);
    fclose(out);
    Compiled compiled = compile_text(text);
    free(text);
    return compiled;
}

/* NULL, and the reason on stderr, where nothing is derived. */
static inline StepFile *derive_compiled(Compiled *compiled)
{
    StepFile *file =
        compiled->train != NULL ? lowered_step(&compiled->ctx, compiled->train, compiled->assignment) : NULL;
    if (file == NULL)
        diag_print_text(compiled->ctx.diag, stderr, false, 20);
    return file;
}

/* The codes of all errors, in the order of the file; freed by the caller. */
static inline char *codes_of(Ctx *ctx, bool show)
{
    char *messages, *codes = calloc(1, 256);
    size_t length;
    FILE *out = open_memstream(&messages, &length);
    diag_print_text(ctx->diag, out, false, 20);
    fclose(out);
    for (const char *at = messages; (at = strstr(at, "error[P")) != NULL; at += 6)
        if (strlen(codes) < 200)
            strncat(strcat(codes, codes[0] != '\0' ? " " : ""), at + 6, 5);
    if (show)
        printf("%s", messages);
    free(messages);
    return codes;
}

/* Derives and verifies a text. */
static inline char *derived_codes(const char *text, bool show)
{
    Compiled compiled = compile_text(text);
    StepFile *file = compiled.train != NULL ? lowered_step(&compiled.ctx, compiled.train, compiled.assignment) : NULL;
    Verdict verdict;
    if (file != NULL)
        verify_run(&compiled.ctx, file, &verdict);
    if (show)
        printf("%s", text);
    char *codes = codes_of(&compiled.ctx, show);
    compiled_free(&compiled);
    return codes;
}

#endif
