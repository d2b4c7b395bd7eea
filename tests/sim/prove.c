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

/* Of the first diagnostic: "file:line:col: error[P0301]: text", from the code on, and what its notes say. */
static void first_diagnostic(const char *text, Refusal *refusal)
{
    const char *code = strstr(text, "error["), *next = code ? strstr(code + 1, "error[") : NULL;
    if (!code) {
        snprintf(refusal->text, sizeof refusal->text, "no diagnostic");
        return;
    }
    code += strlen("error[");
    snprintf(refusal->text, sizeof refusal->text, "%.*s", (int)strcspn(code, "\n"), code);
    char *bracket = strchr(refusal->text, ']');
    if (bracket)
        memmove(bracket, bracket + 1, strlen(bracket));
    const char *witness = strstr(code, "= counter-example"), *rule = strstr(code, "(rule '");
    refusal->witness = witness && (!next || witness < next);
    if (rule && (!next || rule < next))
        snprintf(refusal->rule, sizeof refusal->rule, "%.*s", (int)strcspn(rule + 7, "'"), rule + 7);
}

static void explain(const Diag *diag, Refusal *refusal)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return;
    diag_print_text(diag, stream, false, 1);
    fclose(stream);
    first_diagnostic(text, refusal);
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

char *prove_derive(const char *place, Refusal *refusal)
{
    *refusal = (Refusal){0};
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
        explain(ctx.diag, refusal);
    }
    arena_free(ctx.arena);
    proving = NULL;
    return text;
}

Proof prove_text(const char *text, Refusal *refusal)
{
    *refusal = (Refusal){0};
    prepare();
    proving = text;
    Ctx ctx = ctx_new();
    int source = source_add(ctx.sources, "program.step", text, strlen(text));
    StepFile *file = step_read(&ctx, source);
    Verdict verdict;
    bool right = file && verify_run(&ctx, file, &verdict);
    if (!right)
        explain(ctx.diag, refusal);
    arena_free(ctx.arena);
    proving = NULL;
    return right ? PROOF_ACCEPTED : PROOF_REFUSED;
}

typedef struct Answer {
    Proof proof;
    Refusal refusal;
} Answer;

/* Says the proof and its reason in `pipe`. */
_Noreturn static void prove_in_child(const char *text, int pipe)
{
    Answer answer = {0};
    prepare();
    signal(SIGSEGV, SIG_DFL);
    signal(SIGABRT, SIG_DFL);
    signal(SIGFPE, SIG_DFL);
    answer.proof = prove_text(text, &answer.refusal);
    _exit(write(pipe, &answer, sizeof answer) == (ssize_t)sizeof answer ? 0 : 1);
}

Proof prove_apart(const char *text, Refusal *refusal)
{
    int ends[2], status = 0;
    fflush(stdout);
    if (pipe(ends) != 0)
        return prove_text(text, refusal);
    pid_t child = fork();
    if (child == 0)
        prove_in_child(text, ends[1]);
    close(ends[1]);
    Answer answer = {0};
    size_t length = 0;
    for (ssize_t got; length < sizeof answer &&
                      (got = read(ends[0], (char *)&answer + length, sizeof answer - length)) > 0;)
        length += (size_t)got;
    close(ends[0]);
    bool ended = child > 0 && waitpid(child, &status, 0) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!ended || length != sizeof answer) {
        *refusal = (Refusal){0};
        snprintf(refusal->text, sizeof refusal->text, "the compiler ended with status %d", status);
        return PROOF_CRASHED;
    }
    *refusal = answer.refusal;
    return answer.proof;
}
