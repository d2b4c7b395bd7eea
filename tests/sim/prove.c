/* prove.c - runs the compiler's reader and verifier on a text. */
#include "tests/sim/prove.h"

#include "sema/step.h"
#include "verify/verify.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first line "file:line:col: error[P0301]: text" of what the diagnostics print, from the code on. */
static void first_reason(const Diag *diag, char *reason, size_t reason_size)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return;
    diag_print_text(diag, stream, false, 1);
    fclose(stream);
    const char *code = strstr(text, "error[");
    if (code) {
        code += strlen("error[");
        size_t line = strcspn(code, "\n");
        snprintf(reason, reason_size, "%.*s", (int)line, code);
        char *bracket = strchr(reason, ']');
        if (bracket)
            memmove(bracket, bracket + 1, strlen(bracket));
    } else {
        snprintf(reason, reason_size, "no diagnostic");
    }
    free(text);
}

/* Arenas come and go by the thousand: keep their memory in the process. */
__attribute__((constructor)) static void keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 28);
    mallopt(M_TRIM_THRESHOLD, 1 << 29);
}

bool prove_text(const char *text, char *reason, size_t reason_size)
{
    Ctx ctx = {.arena = arena_new()};
    ctx.strings = str_table_new(ctx.arena);
    ctx.sources = sources_new(ctx.arena);
    ctx.diag = diag_new(ctx.arena, ctx.sources);
    int source = source_add(ctx.sources, "program.step", text, strlen(text));
    StepFile *file = step_read(&ctx, source);
    Verdict verdict;
    bool right = file && verify_run(&ctx, file, &verdict);
    reason[0] = '\0';
    if (!right)
        first_reason(ctx.diag, reason, reason_size);
    arena_free(ctx.arena);
    return right;
}
