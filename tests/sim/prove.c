/* prove.c - runs the compiler's reader and verifier on a text. */
#include "tests/sim/prove.h"

#include "parser/parser.h"
#include "sema/derive.h"
#include "sema/sema.h"
#include "verify/verify.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

static const char *proving; /* shown if the compiler falls over it */

static void show_proving(void)
{
    if (proving)
        printf("---- THE COMPILER FAILED on\n%s", proving);
    proving = NULL;
    fflush(stdout);
}

static void on_signal(int number)
{
    show_proving();
    _exit(128 + number);
}

static void prepare(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    mallopt(M_MMAP_THRESHOLD, 1 << 28); /* arenas come and go by the thousand: keep their memory */
    mallopt(M_TRIM_THRESHOLD, 1 << 29);
    signal(SIGSEGV, on_signal);
    signal(SIGABRT, on_signal);
    signal(SIGFPE, on_signal);
    atexit(show_proving);
}

static Ctx ctx_new(void)
{
    Ctx ctx = {.arena = arena_new()};
    ctx.strings = str_table_new(ctx.arena);
    ctx.sources = sources_new(ctx.arena);
    ctx.diag = diag_new(ctx.arena, ctx.sources);
    return ctx;
}

char *prove_derive(const char *place, char *reason, size_t reason_size)
{
    prepare();
    proving = place;
    Ctx ctx = ctx_new();
    const Ast *ast = parser_run(&ctx, source_add(ctx.sources, "random.place", place, strlen(place)));
    Train *train = NULL;
    bool checked = diag_error_count(ctx.diag) == 0 && sema_run(&ctx, ast, &train);
    const StepFile *file = checked ? derive_step(&ctx, train) : NULL;
    char *text = NULL;
    size_t length = 0;
    if (file && diag_error_count(ctx.diag) == 0) {
        FILE *stream = open_memstream(&text, &length);
        step_print(file, NULL, stream);
        fclose(stream);
    } else {
        first_reason(ctx.diag, reason, reason_size);
    }
    arena_free(ctx.arena);
    proving = NULL;
    return text;
}

Proof prove_text(const char *text, char *reason, size_t reason_size)
{
    prepare();
    proving = text;
    Ctx ctx = ctx_new();
    int source = source_add(ctx.sources, "program.step", text, strlen(text));
    StepFile *file = step_read(&ctx, source);
    Verdict verdict;
    bool right = file && verify_run(&ctx, file, &verdict);
    reason[0] = '\0';
    if (!right)
        first_reason(ctx.diag, reason, reason_size);
    arena_free(ctx.arena);
    proving = NULL;
    return right ? PROOF_ACCEPTED : PROOF_REFUSED;
}

/* Says the proof and its reason in `pipe`. */
_Noreturn static void prove_in_child(const char *text, int pipe)
{
    char reason[256];
    prepare();
    signal(SIGSEGV, SIG_DFL);
    signal(SIGABRT, SIG_DFL);
    signal(SIGFPE, SIG_DFL);
    Proof proof = prove_text(text, reason, sizeof reason);
    dprintf(pipe, "%d%s", (int)proof, reason);
    _exit(0);
}

Proof prove_apart(const char *text, char *reason, size_t reason_size)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0)
        return prove_text(text, reason, reason_size);
    pid_t child = fork();
    if (child == 0)
        prove_in_child(text, ends[1]);
    close(ends[1]);
    char answer[300];
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], answer + length, sizeof answer - 1 - length)) > 0;)
        length += (size_t)got;
    answer[length] = '\0';
    close(ends[0]);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0 || length == 0) {
        snprintf(reason, reason_size, "the compiler ended with status %d", status);
        return PROOF_CRASHED;
    }
    snprintf(reason, reason_size, "%s", answer + 1);
    return (Proof)(answer[0] - '0');
}
