/* checks.c - is every check of the verifier needed? Programs that are refused and differ from one device are proved
 * again with one of the checks that refused them switched off.
 *
 *     checks LIST [--random N] [--count N] [--seed N] FILE.step|FILE.edits...
 *
 * LIST names the checks (checks.sh). The programs are the files, mutants of those among them that are right, and mutants
 * of random programs. What becomes of each check:
 *
 *     caught      without it a program that differs is accepted
 *     guard       without it the verifier falls over: what stands behind it relies on it
 *     strict      without it only programs are accepted that are equal: a rule of the form, or a conservative one
 *     doubled     what it refuses is refused all the same, with the codes that are said: it explains better, or sooner
 *     limit       it names a limit (MOST_..., ..._MAX_..., limit, goes_on): programs beyond it are not tried
 *     not reached no program was refused by it: it is redundant, or a program is missing that needs it. It may be true
 *                 in programs that are refused, but changes nothing in what is said of them
 *
 * The exit status is 1 if one is not reached.
 */
#include "tests/sim/checks.h"
#include "tests/sim/edits.h"
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
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_CHECKS = 1024, PLACE_SIZE = 1 << 14, DRAW = 1 };

/* Between the processes: a verification runs in one of its own. */
typedef struct Shared {
    bool fired[MAX_CHECKS];
    Proof proof;
    char code[6];
    unsigned long all; /* diagnostics, hashed */
} Shared;

typedef enum Catch { NOT_REACHED, LIMIT, DOUBLED, STRICT, GUARD, CAUGHT, CATCH_COUNT } Catch;

typedef struct Check {
    char text[240];
    Catch how;
    int crashes; /* a few say enough: each may take seconds */
    int fired, doubled; /* programs */
    char by[160]; /* the program; of a doubled one the codes */
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
        setrlimit(RLIMIT_CPU, &(struct rlimit){2, 2}); /* without a check a loop may not end */
        if (!freopen("/dev/null", "w", stdout))
            _exit(1);
        shared->proof = prove_text(text, &refusal);
        snprintf(shared->code, sizeof shared->code, "%.5s", refusal.text);
        shared->all = refusal.all;
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

/* `all`: the diagnostics with it. */
static void try_without(Experiment *experiment, const SimOracles *oracles, Check *check, int number, const char *text,
                        const char *name, unsigned long all)
{
    Proof proof = prove_without(text, number);
    check->fired++;
    check->crashes += proof == PROOF_CRASHED;
    Catch how = proof == PROOF_CRASHED                                    ? GUARD
                : proof == PROOF_REFUSED                                  ? DOUBLED
                : !oracles || differs(experiment, oracles, text)          ? CAUGHT
                                                                          : STRICT;
    if (how >= STRICT && check->how < how) {
        check->how = how;
        snprintf(check->by, sizeof check->by, "%s", name);
    } else if (proof == PROOF_REFUSED && check->how <= DOUBLED && shared->all != all) {
        if (check->how < DOUBLED)
            check->by[0] = '\0';
        check->how = DOUBLED;
        check->doubled++;
        if (!strstr(check->by, shared->code) && strlen(check->by) + 7 < sizeof check->by)
            sprintf(check->by + strlen(check->by), "%s%s", *check->by ? " " : "", shared->code);
    }
}

/* `oracles`: NULL where the program cannot be run, and so differs. Switches off, one at a time, what refuses the program and is not caught yet. */
static void try_text(Experiment *experiment, const SimOracles *oracles, const char *text, const char *name)
{
    static bool fired[MAX_CHECKS];
    experiment->programs++;
    if (prove_without(text, -1) != PROOF_REFUSED)
        return;
    memcpy(fired, shared->fired, sizeof fired);
    unsigned long all = shared->all;
    for (int c = 0; c < experiment->check_count; c++) {
        Check *check = &experiment->checks[c];
        if (fired[c] && check->how != CAUGHT && check->crashes < 3)
            try_without(experiment, oracles, check, c, text, name, all);
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
    bool runs = file && sim_oracles_new(&oracles, experiment->pool, file, MATRIX_STEPS, DRAW, message, sizeof message);
    try_text(experiment, runs ? &oracles : NULL, text, name);
    if (runs && prove_without(text, -1) == PROOF_ACCEPTED)
        try_mutants(experiment, &oracles, text, seed, name);
}

static void try_case(void *user, const char *name, const char *text)
{
    Experiment *experiment = user;
    const char *last = strrchr(name, '/');
    try_program(experiment, text, experiment->seed, last ? last + 1 : name);
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

static bool names_limit(const char *check)
{
    return strstr(check, "MOST_") || strstr(check, "_MAX_") || strstr(check, "limit") || strstr(check, "goes_on(");
}

static bool read_list(Experiment *experiment, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    while (file && experiment->check_count < MAX_CHECKS && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        const char *text = strchr(line, ' ');
        Check *check = &experiment->checks[experiment->check_count++];
        snprintf(check->text, sizeof check->text, "%.230s", text ? text + 1 : line);
        check->how = names_limit(line) ? LIMIT : NOT_REACHED;
    }
    if (file)
        fclose(file);
    return experiment->check_count > 0;
}

static void print_table(const Experiment *experiment, int *counts)
{
    static const char *const words[] = {"NOT REACHED", "limit", "doubled", "strict", "guard", "caught"};
    for (int c = 0; c < experiment->check_count; c++) {
        const Check *check = &experiment->checks[c];
        counts[check->how]++;
        printf("%-11s %-90.90s ", words[check->how], check->text);
        if (check->how == DOUBLED)
            printf("in %d programs by %s\n", check->doubled, check->by);
        else
            printf("%s\n", check->how == NOT_REACHED && check->fired ? "(fires, and says nothing)" : check->by);
    }
    printf("checks: %d caught, %d guards, %d strict, %d doubled, %d limits, %d not reached, by %" PRId64 " programs\n",
           counts[CAUGHT], counts[GUARD], counts[STRICT], counts[DOUBLED], counts[LIMIT], counts[NOT_REACHED],
           experiment->programs);
}

int main(int argc, char **argv)
{
    static Experiment experiment = {.count = 20, .seed = 1};
    int counts[CATCH_COUNT] = {0};
    bool broken = false;
    if (argc < 2 || !read_list(&experiment, argv[1])) {
        fprintf(stderr, "usage: checks LIST [--random N] [--count N] [--seed N] FILE.step|FILE.edits...\n");
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
            broken |= !edits_visit(argv[a], try_case, &experiment);
    }
    for (int i = 0; i < experiment.random && !stop_wanted(); i++)
        try_random(&experiment, (uint64_t)i);
    print_table(&experiment, counts);
    sim_pool_free(experiment.pool);
    sim_pool_free(experiment.scratch);
    return broken || counts[NOT_REACHED] > 0;
}
