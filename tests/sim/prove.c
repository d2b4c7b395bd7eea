/* prove.c - runs the compiler's reader and verifier on a text. */
#include "tests/sim/prove.h"

#include "parser/parser.h"
#include "sema/sema.h"
#include "tests/lowered.h"
#include "verify/verify.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHOWN = 20 }; /* diagnostics */

/* Of the first diagnostic "file:line:col: error[P0301]: text", from the code on; of all, whether numbers are shown, and
 * the first rule that is named. */
static void note_diagnostics(const char *text, Refusal *refusal)
{
    const char *code = strstr(text, "error[");
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
    const char *numbers = strstr(code, "; one device has "); /* of an operator on two ranks */
    refusal->witness = witness || numbers;
    if (rule)
        snprintf(refusal->rule, sizeof refusal->rule, "%.*s", (int)strcspn(rule + 7, "'"), rule + 7);
}

static void explain(const Diag *diag, Refusal *refusal)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return;
    diag_print_text(diag, stream, false, SHOWN);
    fclose(stream);
    note_diagnostics(text, refusal);
    for (const char *at = text; *at; at++)
        refusal->all = refusal->all * 1099511628211u ^ (unsigned char)*at;
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
    const Train *train = NULL;
    const Assignment *assignment = NULL;
    bool checked = diag_error_count(ctx.diag) == 0 && sema_run(&ctx, ast, &train, &assignment);
    const StepFile *file = checked ? lowered_step(&ctx, train, assignment) : NULL;
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

/* A process that proves one text after another, until it falls over one. */
typedef struct Prover {
    pid_t process; /* 0: there is none */
    int texts, answers;
} Prover;

typedef struct Answer {
    Proof proof;
    Refusal refusal;
} Answer;

static bool read_all(int from, void *bytes, size_t size)
{
    ssize_t got;
    for (size_t length = 0; length < size; length += (size_t)got)
        if ((got = read(from, (char *)bytes + length, size - length)) <= 0)
            return false;
    return true;
}

static bool write_all(int to, const void *bytes, size_t size)
{
    ssize_t put;
    for (size_t length = 0; length < size; length += (size_t)put)
        if ((put = write(to, (const char *)bytes + length, size - length)) <= 0)
            return false;
    return true;
}

/* Each text is its length, then itself with its end. Stops where there are no more. */
_Noreturn static void prove_all(int texts, int answers)
{
    prepare();
    signal(SIGSEGV, SIG_DFL);
    signal(SIGABRT, SIG_DFL);
    signal(SIGFPE, SIG_DFL);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    for (size_t size; read_all(texts, &size, sizeof size);) {
        char *text = malloc(size);
        Answer answer = {0};
        if (!text || !read_all(texts, text, size))
            break;
        answer.proof = prove_text(text, &answer.refusal);
        free(text);
        if (!write_all(answers, &answer, sizeof answer))
            break;
    }
    _exit(0);
}

static bool prover_start(Prover *prover)
{
    int texts[2], answers[2];
    fflush(stdout);
    signal(SIGPIPE, SIG_IGN);
    if (pipe(texts) != 0 || pipe(answers) != 0)
        return false;
    prover->process = fork();
    if (prover->process == 0) {
        close(texts[1]);
        close(answers[0]);
        prove_all(texts[0], answers[1]);
    }
    close(texts[0]);
    close(answers[1]);
    prover->texts = texts[1];
    prover->answers = answers[0];
    return prover->process > 0;
}

static int prover_stop(Prover *prover)
{
    int status = 0;
    close(prover->texts);
    close(prover->answers);
    waitpid(prover->process, &status, 0);
    prover->process = 0;
    return status;
}

Proof prove_apart(const char *text, Refusal *refusal)
{
    static Prover prover;
    size_t size = strlen(text) + 1;
    Answer answer = {0};
    if (!prover.process && !prover_start(&prover))
        return prove_text(text, refusal);
    if (write_all(prover.texts, &size, sizeof size) && write_all(prover.texts, text, size) &&
        read_all(prover.answers, &answer, sizeof answer)) {
        *refusal = answer.refusal;
        return answer.proof;
    }
    *refusal = (Refusal){0};
    snprintf(refusal->text, sizeof refusal->text, "the compiler ended with status %d", prover_stop(&prover));
    return PROOF_CRASHED;
}
