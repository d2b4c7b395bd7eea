/* verify_main.c - `verify FILE.step...`: the proof alone. It links base/, step/ and verify/ and nothing else of the
 * compiler, so that what says "proved" can be seen to share no code with what derived the program.
 *
 * For each file "FILE: proved", or what is wrong. The exit status is 0 where all are proved, 1 where one is not, 2
 * where one cannot be read.
 */
#include "verify/verify.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 20 }; /* diagnostics */

static int judge(const char *path)
{
    Arena *arena = arena_new();
    Ctx ctx = {.arena = arena, .strings = str_table_new(arena), .sources = sources_new(arena)};
    ctx.diag = diag_new(arena, ctx.sources);
    int source = strcmp(path, "-") == 0 ? source_read_stream(ctx.sources, "<stdin>", stdin)
                                        : source_read(ctx.sources, path);
    if (source == 0) {
        fprintf(stderr, "verify: cannot read '%s': %s\n", path, strerror(errno));
        arena_free(arena);
        return 2;
    }
    const StepFile *file = step_read(&ctx, source);
    Verdict verdict;
    bool right = file != NULL && verify_run(&ctx, file, &verdict);
    if (right)
        printf("%s: proved\n", path);
    diag_print_text(ctx.diag, stdout, false, SHOWN);
    arena_free(arena);
    return right ? 0 : 1;
}

int main(int argc, char **argv)
{
    int status = argc < 2 ? 2 : 0;
    if (argc < 2)
        fprintf(stderr, "usage: verify FILE.step...\n");
    for (int i = 1; i < argc; i++) {
        int one = judge(argv[i]);
        status = one > status ? one : status;
    }
    return status;
}
