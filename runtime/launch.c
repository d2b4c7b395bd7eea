/* launch.c - starts the ranks of a program as processes of this machine, and ends the job (launch.h).
 *
 * The process that was called starts every rank and only watches: its own death ends them all, and the end of a rank
 * before the run is over ends the rest. Who says why: the rank where something went wrong; if its process was killed,
 * the lowest that is left, which knows step and line; otherwise the watching process. */
#include "runtime/run.h"

#include "runtime/launch.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GRACE = 5 }; /* seconds in which the ranks of a job that ends may say why */

static prt_crew *the_crew; /* NULL: none */

/* ---- Who says why ------------------------------------------------------------------------------------------- */

static bool claim_as(int speaker)
{
    int nobody = 0;
    return atomic_compare_exchange_strong(&the_crew->speaker, &nobody, speaker);
}

static int own_number; /* rank + 1; ranks + 1 in the watching process */

bool prt_launch_claim(void)
{
    return the_crew == NULL || claim_as(own_number);
}

void prt_launch_reported(void)
{
    if (the_crew != NULL)
        atomic_store(&the_crew->reported, true);
}

int prt_launch_gone(void)
{
    return the_crew != NULL ? atomic_load(&the_crew->gone) - 1 : -1;
}

/* ---- Asked to stop ------------------------------------------------------------------------------------------ */

bool prt_launch_ending(void)
{
    return the_crew != NULL && atomic_load(&the_crew->ending);
}

bool prt_launch_ask(int number)
{
    int nobody = 0;
    int64_t undecided = -1, furthest = 0;
    if (the_crew == NULL || prt_launch_ending())
        return false;
    atomic_compare_exchange_strong(&the_crew->asked, &nobody, number);
    for (int rank = 0; rank < the_crew->ranks; rank++) {
        int64_t step = atomic_load(&the_crew->seats[rank].step);
        furthest = step > furthest ? step : furthest;
    }
    atomic_compare_exchange_strong(&the_crew->last_step, &undecided, furthest);
    return true;
}

/* ---- Watching ----------------------------------------------------------------------------------------------- */

typedef struct watch {
    const char *name; /* of the program */
    pid_t *processes; /* per rank; 0: it has ended */
    int left;         /* processes */
    int status;       /* of the job */
    double asked_at;  /* seconds, monotonic: when the ranks were asked to stop; 0: not yet */
    bool ending;      /* the rest is to end */
    bool settled;     /* the status is known; until then it is that of the rank that speaks */
    double deadline;  /* seconds, monotonic: when whoever is left is killed */
} watch;

static void signal_all(const watch *job, int number)
{
    for (int rank = 0; rank < the_crew->ranks; rank++)
        if (job->processes[rank] != 0)
            kill(job->processes[rank], number);
}

static void begin_ending(watch *job, int status, bool settled)
{
    if (!job->ending)
        job->deadline = prt_seconds() + GRACE;
    job->ending = true;
    atomic_store(&the_crew->ending, true);
    job->settled = settled;
    job->status = status;
}

static void say_here(const watch *job, int rank, const char *cause)
{
    if (!prt_launch_claim())
        return;
    fprintf(stderr, "%s: error: rank %d of %d: %s\n", job->name, rank, the_crew->ranks, cause);
    prt_launch_reported();
}

/* A rank has ended before the run was over. */
static void note_fault(watch *job, int rank, const siginfo_t *end)
{
    bool exited = end->si_code == CLD_EXITED;
    int status = exited && end->si_status != PRT_GOOD ? end->si_status : PRT_WORLD;
    int speaker = atomic_load(&the_crew->speaker);
    char cause[128];
    if (job->ending && job->settled)
        return;
    if (speaker == rank + 1) {
        begin_ending(job, status, true);
    } else if (job->ending) {
        return;
    } else if (speaker != 0) {
        begin_ending(job, status, false);
    } else if (exited) {
        snprintf(cause, sizeof cause, "its process ended by itself, with status %d", end->si_status);
        begin_ending(job, status, true);
        say_here(job, rank, cause);
    } else {
        atomic_store(&the_crew->gone, rank + 1);
        begin_ending(job, status, true);
    }
}

static void note_end(watch *job, const siginfo_t *end)
{
    int rank = 0;
    while (rank < the_crew->ranks && job->processes[rank] != end->si_pid)
        rank++;
    if (rank == the_crew->ranks) {
        waitpid(end->si_pid, NULL, 0); /* a child of what this process was before */
        return;
    }
    bool was_ending = job->ending;
    if (!atomic_load(&the_crew->seats[rank].finished))
        note_fault(job, rank, end);
    else if (job->status == PRT_GOOD)
        job->status = end->si_code == CLD_EXITED ? end->si_status : PRT_WORLD;
    job->processes[rank] = 0;
    job->left--;
    waitpid(end->si_pid, NULL, 0); /* from here on the others may find that it is gone */
    if (job->ending && !was_ending)
        signal_all(job, SIGTERM);
}

static void reap(watch *job)
{
    siginfo_t end = {0};
    while (job->left > 0 && waitid(P_ALL, 0, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid != 0) {
        note_end(job, &end);
        end = (siginfo_t){0};
    }
}

/* The first signal stops the ranks after their step, a later one ends them at once. */
static void end_from_outside(watch *job, int number)
{
    if (job->asked_at > 0 && prt_seconds() - job->asked_at < PRT_ONE_REQUEST)
        return;
    if (job->asked_at == 0 && prt_launch_ask(number)) {
        job->asked_at = prt_seconds();
        return;
    }
    if (job->ending)
        job->deadline = 0;
    begin_ending(job, 128 + number, true);
    signal_all(job, SIGTERM);
}

/* Until all ranks have ended; with their signals blocked. */
static int watch_ranks(watch *job, const sigset_t *signals)
{
    while (job->left > 0) {
        struct timespec pause = {job->ending ? 0 : 60, job->ending ? 10000000 : 0};
        int number = sigtimedwait(signals, NULL, &pause);
        if (number == SIGTERM || number == SIGINT || number == SIGUSR2)
            end_from_outside(job, number == SIGINT ? SIGINT : SIGTERM);
        reap(job);
        if (job->ending && ((job->settled && atomic_load(&the_crew->reported)) || prt_seconds() >= job->deadline))
            signal_all(job, SIGKILL);
    }
    if (prt_launch_gone() >= 0) {
        char cause[256];
        prt_gone_text(prt_launch_gone(), cause, sizeof cause);
        say_here(job, prt_launch_gone(), cause);
    }
    return job->status;
}

/* ---- Starting ----------------------------------------------------------------------------------------------- */

static prt_crew *share_memory(int64_t ranks, char *message, size_t message_bytes)
{
    size_t bytes = sizeof(prt_crew) + (size_t)ranks * sizeof(prt_seat);
    prt_crew *crew = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (crew == MAP_FAILED) {
        snprintf(message, message_bytes, "no memory that %lld ranks could share: %s", (long long)ranks,
                 strerror(errno));
        return NULL;
    }
    crew->ranks = (int)ranks;
    crew->last_step = -1;
    return crew;
}

/* In a rank's process: it dies with the one that started it, which also receives the signals of a terminal for it. */
static prt_comm *become_rank(int rank, pid_t starter, const sigset_t *signals)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != starter)
        _exit(PRT_WORLD);
    signal(SIGINT, SIG_IGN);
    sigprocmask(SIG_SETMASK, signals, NULL);
    own_number = rank + 1;
    return prt_comm_local(the_crew, rank);
}

/* Those already started have not begun: they need the others. */
static void take_back(watch *job, int rank, char *message, size_t message_bytes)
{
    snprintf(message, message_bytes, "cannot start rank %d of %d: %s (ulimit -u and pids.max limit processes)", rank,
             the_crew->ranks, strerror(errno));
    signal_all(job, SIGKILL);
    for (; rank > 0; rank--)
        waitpid(job->processes[rank - 1], NULL, 0);
}

static int64_t memory_of(const prt_program *program)
{
    return program->arena_bytes[PRT_DEVICE] + program->arena_bytes[PRT_HOST];
}

prt_comm *prt_launch_ranks(const prt_program *program, int64_t ranks, int64_t threads, char *message,
                           size_t message_bytes)
{
    if (!prt_limits_carry(ranks, threads, memory_of(program), message, message_bytes))
        return NULL;
    watch job = {.name = program->name, .processes = calloc((size_t)ranks, sizeof *job.processes)};
    the_crew = share_memory(ranks, message, message_bytes);
    if (job.processes == NULL || the_crew == NULL)
        return NULL;
    own_number = (int)ranks + 1;
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGUSR2);
    struct sigaction interrupt;
    if (sigaction(SIGINT, NULL, &interrupt) == 0 && interrupt.sa_handler != SIG_IGN)
        sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGCHLD);
    sigprocmask(SIG_BLOCK, &signals, &before);
    signal(SIGCHLD, SIG_DFL); /* whoever called may have ignored it */
    fflush(NULL);
    pid_t starter = getpid();
    for (int rank = 0; rank < ranks; rank++) {
        pid_t process = fork();
        if (process == 0) {
            free(job.processes);
            return become_rank(rank, starter, &before);
        }
        if (process < 0) {
            take_back(&job, rank, message, message_bytes);
            sigprocmask(SIG_SETMASK, &before, NULL);
            return NULL;
        }
        job.processes[rank] = process;
        job.left++;
    }
    exit(watch_ranks(&job, &signals));
}
