/* trials.c - programs for the switched verifier, each verification in a process of its own (tests/sim/trials.h). */
#include "tests/sim/trials.h"

#include "tests/sim/edits.h"
#include "tests/sim/matrix.h"
#include "tests/sim/mutations.h"
#include "tests/sim/random_text.h"
#include "tests/sim/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PLACE_SIZE = 1 << 14, DRAW = 1, SECONDS = 1, MEMORY = 1 << 30 };

static Trial *shared; /* between this process and the one that verifies */
static int switched_off = TRIALS_NONE;
static int job, turn; /* of this process: its number, and how many programs there were */
static SimPool *pool, *scratch, *mutants;

bool trials_fire(int number)
{
    shared->fired[number] = true;
    return number != switched_off;
}

void trials_step(uint64_t bytes)
{
    shared->allocations = (shared->allocations ^ bytes) * 1099511628211u;
}

const Trial *trials_prove(const char *text, int off)
{
    memset(shared, 0, sizeof *shared);
    shared->proof = PROOF_CRASHED;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        Refusal refusal;
        switched_off = off;
        setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS, SECONDS}); /* with a switch off a loop may not end, */
        setrlimit(RLIMIT_AS, &(struct rlimit){MEMORY, MEMORY});    /* or ask for more and more */
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
            _exit(1);
        Proof proof = prove_text(text, &refusal);
        snprintf(shared->code, sizeof shared->code, "%.5s", refusal.text);
        shared->all = refusal.all;
        shared->proof = proof;
        _exit(0);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        shared->proof = PROOF_CRASHED;
    return shared;
}

bool trials_differ(const SimOracles *oracles, const char *text)
{
    char message[256];
    sim_pool_reset(scratch);
    const SimFile *file = sim_read(scratch, text, message, sizeof message);
    if (!file)
        return true;
    SimVerdict verdict = sim_compare_both(scratch, file, oracles, true, message, sizeof message);
    return verdict == SIM_DIFFERENT || verdict == SIM_FAULTED || verdict == SIM_LAWFUL;
}

void *trials_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

static void try_one(Trials *trials, const SimOracles *oracles, const char *text, const char *name)
{
    __atomic_add_fetch(&trials->programs, 1, __ATOMIC_RELAXED);
    trials->try_text(trials, oracles, text, name);
}

static void try_mutants(Trials *trials, const SimOracles *oracles, const char *text, uint64_t seed, const char *name)
{
    static Lines original, changed;
    static char mutant[MUTATE_TEXT_SIZE];
    if (!mutate_split(&original, text))
        return;
    for (int i = 0; i < trials->count && !stop_wanted(); i++) {
        char what[256], message[256];
        Chance chance = chance_new(seed, (uint64_t)i);
        int kind = chance_below(&chance, mutate_kind_count());
        changed = original;
        if (!mutate_apply(&changed, kind, &chance))
            continue;
        mutate_join(&changed, mutant);
        const SimOracles *own = oracles;
        SimOracles others;
        if (!mutate_same_beginning(&original, &changed)) {
            sim_pool_reset(mutants);
            const SimFile *file = sim_read(mutants, mutant, message, sizeof message);
            if (!file || !sim_oracles_new(&others, mutants, file, MATRIX_STEPS, MATRIX_REAL_STEPS, DRAW, message,
                                          sizeof message))
                continue; /* no other program, but none */
            own = &others;
        }
        snprintf(what, sizeof what, "%s, mutant %d (%s)", name, i, mutate_kind_name(kind));
        try_one(trials, own, mutant, what);
    }
}

static void try_program(Trials *trials, const char *text, uint64_t seed, const char *name)
{
    char message[256];
    SimOracles oracles;
    sim_pool_reset(pool);
    const SimFile *file = sim_read(pool, text, message, sizeof message);
    bool runs =
        file && sim_oracles_new(&oracles, pool, file, MATRIX_STEPS, MATRIX_REAL_STEPS, DRAW, message, sizeof message);
    try_one(trials, runs ? &oracles : NULL, text, name);
    if (runs && trials->count > 0 && trials_prove(text, TRIALS_NONE)->proof == PROOF_ACCEPTED)
        try_mutants(trials, &oracles, text, seed, name);
}

/* Is the next program one of this process? */
static bool is_own(Trials *trials)
{
    return !stop_wanted() && (turn++ % trials->jobs) == job;
}

static void try_case(void *user, const char *name, const char *text)
{
    Trials *trials = user;
    const char *last = strrchr(name, '/');
    if (is_own(trials))
        try_program(trials, text, trials->seed, last ? last + 1 : name);
}

static void try_random(Trials *trials, uint64_t index)
{
    static char place[PLACE_SIZE];
    RandomProgram what;
    Refusal refusal;
    char name[64];
    random_text(trials->seed, index, place, sizeof place, &what);
    char *text = prove_derive(place, &refusal);
    if (!text)
        return;
    snprintf(name, sizeof name, "seed %" PRIu64 ", program %" PRIu64, trials->seed, index);
    try_program(trials, text, trials->seed * 1000003u + index, name);
    free(text);
}

static bool try_all(Trials *trials, int argc, char **argv)
{
    bool found = true;
    pool = sim_pool_new();
    scratch = sim_pool_new();
    mutants = sim_pool_new();
    for (int a = 0; a < argc; a++)
        if (!strncmp(argv[a], "--", 2))
            a++;
        else
            found &= edits_visit(argv[a], try_case, trials);
    for (int i = 0; i < trials->random; i++)
        if (is_own(trials))
            try_random(trials, (uint64_t)i);
    sim_pool_free(pool);
    sim_pool_free(scratch);
    sim_pool_free(mutants);
    return found;
}

static void read_options(Trials *trials, int argc, char **argv)
{
    for (int a = 0; a + 1 < argc; a++)
        if (!strcmp(argv[a], "--random"))
            trials->random = atoi(argv[++a]);
        else if (!strcmp(argv[a], "--count"))
            trials->count = atoi(argv[++a]);
        else if (!strcmp(argv[a], "--seed"))
            trials->seed = strtoull(argv[++a], NULL, 10);
        else if (!strcmp(argv[a], "--jobs") && atoi(argv[a + 1]) > 0)
            trials->jobs = atoi(argv[++a]);
}

bool trials_run(Trials *trials, int argc, char **argv)
{
    bool found = true;
    trials->jobs = 1;
    read_options(trials, argc, argv);
    stop_on_signals();
    fflush(stdout);
    for (int j = 0; j < trials->jobs; j++) {
        job = j;
        pid_t child = fork();
        if (child == 0) {
            shared = trials_memory(sizeof *shared);
            bool fine = shared && try_all(trials, argc, argv);
            fflush(stdout);
            _exit(fine ? 0 : 1);
        }
        found &= child > 0;
    }
    for (int status; wait(&status) > 0;)
        found &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return found;
}
