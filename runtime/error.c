/* error.c - how a run ends when something goes wrong: one message that names rank, step, source line and cause, then
 * the end of the whole job. */
#include "runtime/launch.h"
#include "runtime/run.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static prt_run *watched;
static volatile sig_atomic_t was_reported; /* this rank or another has reported why the job ends */
static volatile sig_atomic_t asked;        /* the signal that has asked this rank to stop after its step */
static volatile double asked_at;           /* seconds, monotonic */
static volatile double continued_at = -10; /* a launcher that ends a job continues its processes first */
static volatile double resumed_at = -10;   /* this process had been stopped until then */
static volatile double looked_at;          /* when the watchdog last looked; 0: not yet */

double prt_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The watchdog looks five times a second, unless the process is stopped. */
static void notice_pause(void)
{
    double now = prt_seconds();
    if (looked_at > 0 && now - looked_at > 1)
        resumed_at = now;
}

/* Whoever was stopped has yet to hear what others have reported meanwhile. */
static bool just_resumed(void)
{
    return prt_seconds() - resumed_at <= 10;
}

/* Not ended by a signal. */
void prt_sleep(int seconds)
{
    for (unsigned left = (unsigned)seconds; left > 0;)
        left = sleep(left);
}

/* "rank 2 of 4, step 37, gpt.place:25 (all_gather parameters): cause" */
static size_t describe(const prt_run *run, char *text, size_t bytes, const char *cause)
{
    const prt_context *ctx = &run->ctx;
    const prt_program *program = run->program;
    int length = snprintf(text, bytes, "%s: error: rank %d of %d", program->name, ctx->rank, ctx->ranks);
    if (run->in_step)
        length += snprintf(text + length, bytes - (size_t)length, ", step %lld", (long long)ctx->step + 1);
    else if (run->steps_done > 0)
        length += snprintf(text + length, bytes - (size_t)length, ", after step %lld", (long long)ctx->step);
    if (ctx->at > 0 && ctx->at < program->source_count) {
        const prt_source *source = &program->sources[ctx->at];
        if (source->file != NULL)
            length += snprintf(text + length, bytes - (size_t)length, ", %s:%d", source->file, source->line);
        length += snprintf(text + length, bytes - (size_t)length, " (%s)", source->what);
    }
    length += snprintf(text + length, bytes - (size_t)length, ": %s\n", cause);
    return (size_t)length < bytes ? (size_t)length : bytes - 1;
}

static void write_all(const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(STDERR_FILENO, text, length);
        if (written <= 0)
            return;
        text += written;
        length -= (size_t)written;
    }
}

/* If one rank has reported why the job ends, the others, which end because of it, do not. */
static bool may_say(void)
{
    return !was_reported && prt_launch_claim();
}

static void say(const prt_run *run, const char *text, size_t length)
{
    was_reported = 1;
    prt_peers_hush(run);
    write_all(text, length);
    prt_launch_reported();
}

static _Noreturn void end_job(prt_run *run, int status)
{
    if (run->comm != NULL)
        run->comm->abort(run->comm, status);
    _Exit(status);
}

/* The rank that reports also ends the job; the others give it time to do so. */
static _Noreturn void leave_it_to_another(prt_run *run, int status)
{
    prt_sleep(10);
    end_job(run, status);
}

static _Noreturn void fail(prt_run *run, int status, const char *cause)
{
    char text[2048];
    if (!may_say())
        leave_it_to_another(run, status);
    fflush(stdout);
    say(run, text, describe(run, text, sizeof text, cause));
    end_job(run, status);
}

void prt_fail(prt_context *ctx, const char *format, ...)
{
    char cause[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cause, sizeof cause, format, arguments);
    va_end(arguments);
    fail(ctx->run, PRT_WORLD, cause);
}

void prt_stop(prt_run *run, int status, const char *format, ...)
{
    if (run->ctx.rank != 0 || !may_say())
        leave_it_to_another(run, status);
    char text[2048];
    int length = snprintf(text, sizeof text, "%s: error: ", run->program->name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - (size_t)length - 1, format, arguments);
    va_end(arguments);
    fflush(stdout);
    strcat(text, "\n");
    say(run, text, strlen(text));
    end_job(run, status);
}

void prt_agree(prt_run *run, int status, const char *message)
{
    int64_t speaker = message[0] != '\0' ? run->ctx.ranks - run->ctx.rank : 0;
    int64_t first = speaker;
    run->comm->maximum(run->comm, &first, 1);
    if (first == 0)
        return;
    if (first != speaker)
        leave_it_to_another(run, status);
    fail(run, status, message);
}

void prt_warn(const prt_run *run, const char *format, ...)
{
    if (run->ctx.rank != 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "%s: ", run->program->name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void *prt_allocate(prt_run *run, size_t count, size_t bytes)
{
    void *memory = calloc(count > 0 ? count : 1, bytes);
    if (memory == NULL)
        prt_fail(&run->ctx, "no memory for %zu bytes", count * bytes);
    return memory;
}

/* ---- Fatal signals ------------------------------------------------------------------------------------------ */

/* The tier whose addresses have this one; PRT_TIERS: none. */
static int tier_at(const prt_run *run, const void *address)
{
    const unsigned char *at = address;
    int tier = 0;
    for (; tier < PRT_TIERS; tier++) {
        const unsigned char *arena = run->ctx.arena[tier];
        if (arena != NULL && at >= arena && at < arena + run->program->arena_bytes[tier])
            break;
    }
    return tier;
}

static void on_fatal_signal(int signal_number, siginfo_t *info, void *context)
{
    static const char *const tiers[] = {[PRT_DEVICE] = "device", [PRT_HOST] = "host", [PRT_FILE] = "file"};
    (void)context;
    static const struct {
        int number;
        const char *cause;
    } causes[] = {{SIGSEGV, "memory access outside the arena (SIGSEGV)"},
                  {SIGBUS, "memory that is not there (SIGBUS)"},
                  {SIGFPE, "division by zero (SIGFPE)"},
                  {SIGILL, "an instruction this processor does not have (SIGILL); build on this machine"},
                  {SIGABRT, "a library gave up (SIGABRT)"}};
    const char *cause = "fatal signal";
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++)
        if (causes[i].number == signal_number)
            cause = causes[i].cause;
    char text[2048], direct[160];
    int tier = signal_number == SIGSEGV ? tier_at(watched, info->si_addr) : PRT_TIERS;
    if (tier < PRT_TIERS) {
        snprintf(direct, sizeof direct,
                 "byte %lld of the arena of the %s was touched otherwise than by its row (SIGSEGV)",
                 (long long)((unsigned char *)info->si_addr - watched->ctx.arena[tier]), tiers[tier]);
        cause = direct;
    }
    if (prt_launch_claim())
        say(watched, text, describe(watched, text, sizeof text, cause));
    else
        prt_sleep(10); /* it is ended with the others */
    _Exit(PRT_WORLD);  /* the launcher ends the other ranks */
}

void prt_gone_text(int rank, char *text, size_t bytes)
{
    snprintf(text, bytes,
             "rank %d is gone: its process was killed, by a user or by the system for want of memory; what was saved is"
             " untouched (--resume PATH continues from it)",
             rank);
}

/* The launcher ends the remaining ranks when one is gone, or a user ends the job. */
static void on_end(int signal_number)
{
    (void)signal_number;
    prt_run *run = watched;
    char cause[256], text[2048];
    if (run == NULL)
        _Exit(PRT_WORLD);
    int gone = prt_launch_gone() >= 0 ? prt_launch_gone() : just_resumed() ? -1 : prt_peers_gone(run);
    /* Of several hosts, one may have reported something that the others do not know. */
    if (prt_peers_speak(run) && (gone >= 0 || run->host_count <= 1) && may_say()) {
        if (gone >= 0)
            prt_gone_text(gone, cause, sizeof cause);
        else
            snprintf(cause, sizeof cause, "ended from outside (SIGTERM)");
        say(run, text, describe(run, text, sizeof text, cause));
    }
    prt_sleep(1); /* no other rank may look gone while the reporting one checks */
    _Exit(asked != 0 ? 128 + asked : PRT_WORLD);
}

/* The first one stops the run after its step, a later one ends it at once. */
static void on_ask(int signal_number)
{
    int request = signal_number == SIGUSR2 ? SIGTERM : signal_number;
    if (prt_launch_ask(request))
        return;
    if (asked != 0 && prt_seconds() - asked_at < PRT_ONE_REQUEST)
        return;
    if (asked != 0 || prt_launch_ending())
        on_end(signal_number);
    asked_at = prt_seconds();
    asked = request;
}

int prt_asked_to_stop(void)
{
    return asked;
}

static void on_continue(int signal_number)
{
    (void)signal_number;
    continued_at = prt_seconds();
    notice_pause();
}

static void on_reported(int signal_number)
{
    (void)signal_number;
    was_reported = 1;
}

/* Requests to stop. Open MPI's mpirun forwards SIGUSR2, that of MPICH SIGINT; both send SIGTERM when they are about to
 * kill, but Slurm half a minute before. What the caller ignores (nohup, a job in the background) stays ignored. */
void prt_watch_requests(void)
{
    const struct {
        int number;
        bool asks;
    } rows[] = {{SIGUSR2, true},
                {SIGTERM, !prt_under_launcher() || prt_under_srun()},
                {SIGINT, !prt_under_launcher() || prt_under_hydra()}};
    struct sigaction action = {.sa_handler = on_ask, .sa_flags = SA_RESTART | SA_ONSTACK}, before;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool ignored = sigaction(rows[i].number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
        if (rows[i].asks && (!ignored || prt_under_launcher()))
            sigaction(rows[i].number, &action, NULL);
    }
}

void prt_error_unwatch(void)
{
    signal(SIGTERM, SIG_DFL);
}

/* Handlers run on memory of their own: the stack pointer of oneDNN's products may be in a small buffer of the heap, and
 * a handler there would write over what is in front of it. */
static void take_signal_stack(void)
{
    static _Alignas(64) unsigned char memory[256 << 10];
    const stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    if (sigaltstack(&stack, NULL) != 0)
        abort();
}

void prt_error_watch(prt_run *run)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    watched = run;
    take_signal_stack();
    struct sigaction action = {.sa_sigaction = on_fatal_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        sigaction(fatal[i], &action, NULL);
    action = (struct sigaction){.sa_handler = on_end, .sa_flags = SA_ONSTACK};
    sigaction(SIGTERM, &action, NULL);
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    action.sa_handler = on_reported;
    sigaction(SIGUSR1, &action, NULL);
    action.sa_handler = on_continue;
    sigaction(SIGCONT, &action, NULL);
    prt_watch_requests();
    signal(SIGXFSZ, SIG_IGN); /* then hitting the file size limit is a write error, which is reported */
}

/* ---- The watchdog ------------------------------------------------------------------------------------------- */

/* A communication needs every rank. One that is gone twice in a row: a thread may look before a signal is handled. */
static void report_gone(prt_run *run)
{
    static int gone_before = -1;
    char cause[256];
    int gone = prt_peers_gone(run), before = gone_before;
    gone_before = gone;
    if (gone < 0 || gone != before || was_reported || just_resumed() || !prt_peers_speak(run))
        return;
    prt_gone_text(gone, cause, sizeof cause);
    fail(run, PRT_WORLD, cause);
}

static _Noreturn void report_late(prt_run *run)
{
    char cause[256], who[32] = "a rank";
    int absent = run->comm->absent(run->comm);
    if (absent >= 0)
        snprintf(who, sizeof who, "rank %d", absent);
    snprintf(cause, sizeof cause,
             "the communication has not completed in %lld s: %s has not entered it, or is gone"
             " (--timeout SECONDS waits longer)",
             (long long)run->options.timeout, who);
    fail(run, PRT_WORLD, cause);
}

/* Ranks that wait for one on their own host know better who is late than those that wait for its host. These report one
 * after another, so that the first is the only one. */
static double time_to_report(const prt_run *run)
{
    int absent = run->comm->absent(run->comm), rank = run->ctx.rank;
    bool elsewhere = run->host_count > 1 && (absent < 0 || run->hosts[absent] != run->hosts[rank]);
    return (double)run->options.timeout + (elsewhere ? 5 + 0.5 * (rank < 10 ? rank : 10) : 0);
}

/* Between steps ranks wait for others that read or write files, which takes as long as it takes; but one that neither
 * runs nor waits for a device all the time hangs. */
static void watch_between_steps(prt_run *run)
{
    static int waited_for = -1;
    static double since;
    char cause[256];
    int absent = run->comm->absent(run->comm);
    if (absent != waited_for || absent < 0 || prt_peers_move(run, absent))
        since = prt_seconds();
    waited_for = absent;
    if (prt_seconds() - since < (double)run->options.timeout)
        return;
    snprintf(cause, sizeof cause,
             "rank %d has done nothing for %lld s, while others wait for it (--timeout SECONDS waits"
             " longer)",
             absent, (long long)run->options.timeout);
    fail(run, PRT_WORLD, cause);
}

static void *watch_calls(void *argument)
{
    prt_run *run = argument;
    for (;;) {
        notice_pause();
        looked_at = prt_seconds();
        usleep(200 * 1000);
        int64_t began = atomic_load(&run->call_began);
        /* A launcher kills the others soon. Ranks without one may end by themselves, and their starter tells. */
        if (began != 0 || prt_under_launcher())
            report_gone(run);
        if (began == 0) {
            watch_between_steps(run);
            continue;
        }
        if (prt_seconds() - 1e-3 * (double)began >= time_to_report(run) && prt_seconds() - continued_at > 10)
            report_late(run);
    }
    return NULL;
}

void prt_watchdog_start(prt_run *run)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals must go to the working thread */
    if (pthread_create(&thread, NULL, watch_calls, run) != 0)
        prt_warn(run, "no watchdog: a communication that never completes will not be reported");
    else
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
