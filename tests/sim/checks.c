/* checks.c - is every check of the verifier needed? Programs that are refused and differ from one device are proved again
 * with one of the checks that refused them switched off.
 *
 *     checks LIST [--random N] [--count N] [--seed N] FILE.step...
 *
 * LIST names the checks (checks.sh). The programs are the files, mutants of those among them that are right, and mutants of
 * random programs. A check is caught where without it a program that differs is accepted, or the verifier falls over; the
 * others are listed: they are redundant, or a program is missing that needs them.
 */
#include "tests/sim/checks.h"
#include "tests/sim/matrix.h"
#include "tests/sim/mutations.h"
#include "tests/sim/prove.h"
#include "tests/sim/random_text.h"
#include "tests/sim/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_CHECKS = 1024, PLACE_SIZE = 1 << 14, DRAW = 1 };

/* Between the processes: a verification runs in one of its own. */
typedef struct Shared {
    bool fired[MAX_CHECKS];
    Proof proof;
} Shared;

typedef enum Catch { NOT_REACHED, REACHED, CRASHED, CAUGHT } Catch;

typedef struct Check {
    char text[160];
    Catch how;
    int crashes; /* a few say enough: each may take seconds */
    char by[128];
} Check;

static Shared *shared;
static int disabled = -1;

int checks_fire(int number)
{
    shared->fired[number] = true;
    return number != disabled;
}

typedef struct Experiment {
    int check_count, random, count;
    uint64_t seed;
    int64_t programs;
    Check checks[MAX_CHECKS];
    SimPool *pool, *scratch;
} Experiment;

/* The verdict in a process of its own, with one check switched off; PROOF_CRASHED where it does not end well. */
static Proof prove_without(const char *text, int check)
{
    memset(shared->fired, 0, sizeof shared->fired);
    shared->proof = PROOF_CRASHED;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        Refusal refusal;
        disabled = check;
        alarm(2); /* without a check a loop may not end */
        if (!freopen("/dev/null", "w", stdout))
            _exit(1);
        shared->proof = prove_text(text, &refusal);
        _exit(0);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return PROOF_CRASHED;
    return shared->proof;
}

static bool differs(Experiment *experiment, const SimOracles *oracles, const char *text)
{
    char message[256];
    sim_pool_reset(experiment->scratch);
    const SimFile *file = sim_read(experiment->scratch, text, message, sizeof message);
    if (!file)
        return true;
    SimVerdict verdict = sim_compare_both(experiment->scratch, file, oracles, true, message, sizeof message);
    return verdict == SIM_DIFFERENT || verdict == SIM_FAULTED || verdict == SIM_LAWFUL;
}

/* Switches off, one at a time, what refuses the program and is not caught yet. */
static void try_text(Experiment *experiment, const SimOracles *oracles, const char *text, const char *name)
{
    static bool fired[MAX_CHECKS];
    experiment->programs++;
    if (prove_without(text, -1) != PROOF_REFUSED)
        return;
    memcpy(fired, shared->fired, sizeof fired);
    for (int c = 0; c < experiment->check_count; c++) {
        Check *check = &experiment->checks[c];
        if (!fired[c] || check->how == CAUGHT || check->crashes == 3)
            continue;
        if (check->how == NOT_REACHED)
            check->how = REACHED;
        Proof proof = prove_without(text, c);
        check->crashes += proof == PROOF_CRASHED;
        if (proof == PROOF_CRASHED && check->how == REACHED) {
            check->how = CRASHED;
            snprintf(check->by, sizeof check->by, "%s", name);
        } else if (proof == PROOF_ACCEPTED && differs(experiment, oracles, text)) {
            check->how = CAUGHT;
            snprintf(check->by, sizeof check->by, "%s", name);
        }
    }
}

static void try_mutants(Experiment *experiment, const SimOracles *oracles, const char *text, uint64_t seed,
                        const char *name)
{
    static Lines original, changed;
    static char mutant[MUTATE_TEXT_SIZE];
    if (!mutate_split(&original, text))
        return;
    for (int i = 0; i < experiment->count && !stop_wanted(); i++) {
        char what[256];
        Chance chance = chance_new(seed, (uint64_t)i);
        int kind = chance_below(&chance, mutate_kind_count());
        changed = original;
        if (!mutate_apply(&changed, kind, &chance))
            continue;
        mutate_join(&changed, mutant);
        snprintf(what, sizeof what, "%s, mutant %d (%s)", name, i, mutate_kind_name(kind));
        try_text(experiment, oracles, mutant, what);
    }
}

static void try_program(Experiment *experiment, const char *text, uint64_t seed, const char *name)
{
    char message[256];
    SimOracles oracles;
    sim_pool_reset(experiment->pool);
    const SimFile *file = sim_read(experiment->pool, text, message, sizeof message);
    if (!file || !sim_oracles_new(&oracles, experiment->pool, file, MATRIX_STEPS, DRAW, message, sizeof message))
        return;
    try_text(experiment, &oracles, text, name);
    if (prove_without(text, -1) == PROOF_ACCEPTED)
        try_mutants(experiment, &oracles, text, seed, name);
}

static void try_file(Experiment *experiment, const char *path)
{
    static char text[MUTATE_TEXT_SIZE];
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = '\0';
    if (file)
        fclose(file);
    const char *name = strrchr(path, '/');
    try_program(experiment, text, experiment->seed, name ? name + 1 : path);
}

static void try_random(Experiment *experiment, uint64_t index)
{
    static char place[PLACE_SIZE];
    RandomProgram what;
    Refusal refusal;
    char name[64];
    random_text(experiment->seed, index, place, sizeof place, &what);
    char *text = prove_derive(place, &refusal);
    if (!text)
        return;
    snprintf(name, sizeof name, "seed %" PRIu64 ", program %" PRIu64, experiment->seed, index);
    try_program(experiment, text, experiment->seed * 1000003u + index, name);
    free(text);
}

static bool read_list(Experiment *experiment, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    while (file && experiment->check_count < MAX_CHECKS && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        const char *text = strchr(line, ' ');
        snprintf(experiment->checks[experiment->check_count++].text, sizeof experiment->checks[0].text, "%.150s",
                 text ? text + 1 : line);
    }
    if (file)
        fclose(file);
    return experiment->check_count > 0;
}

static void print_table(const Experiment *experiment)
{
    static const char *const words[] = {"not reached", "not caught", "crashes", "caught"};
    int counts[4] = {0};
    for (int c = 0; c < experiment->check_count; c++) {
        const Check *check = &experiment->checks[c];
        counts[check->how]++;
        printf("%-12s %-100.100s %s\n", words[check->how], check->text, check->by);
    }
    printf("checks: %d caught, %d crash the verifier, %d not caught, %d not reached, by %" PRId64 " programs\n",
           counts[CAUGHT], counts[CRASHED], counts[REACHED], counts[NOT_REACHED], experiment->programs);
}

int main(int argc, char **argv)
{
    static Experiment experiment = {.count = 20, .seed = 1};
    if (argc < 2 || !read_list(&experiment, argv[1])) {
        fprintf(stderr, "usage: checks LIST [--random N] [--count N] [--seed N] FILE.step...\n");
        return 64;
    }
    stop_on_signals();
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 2;
    experiment.pool = sim_pool_new();
    experiment.scratch = sim_pool_new();
    for (int a = 2; a < argc; a++) {
        if (!strcmp(argv[a], "--random") && a + 1 < argc)
            experiment.random = atoi(argv[++a]);
        else if (!strcmp(argv[a], "--count") && a + 1 < argc)
            experiment.count = atoi(argv[++a]);
        else if (!strcmp(argv[a], "--seed") && a + 1 < argc)
            experiment.seed = strtoull(argv[++a], NULL, 10);
        else
            try_file(&experiment, argv[a]);
    }
    for (int i = 0; i < experiment.random && !stop_wanted(); i++)
        try_random(&experiment, (uint64_t)i);
    print_table(&experiment);
    sim_pool_free(experiment.pool);
    sim_pool_free(experiment.scratch);
    return 0;
}
