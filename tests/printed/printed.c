/* printed.c - is what is printed what was proved? Built programs against their step programs, simulated, and one rank.
 *
 *     printed PLACEC DIRECTORY [--count N] [--seed N] [--first N] [--jobs N] [--print INDEX] [FILE.place]...
 *
 * Tries each file, which must be built (and, with every line of a FILE.damage next to it as sed's command for the
 * printed program, must be different), and random programs (random_text.h) until N were; JOBS processes share them. A
 * program that is refused is counted by its code and left. What differs is reported, and kept below DIRECTORY. Ends
 * with "N passed, N failed, N skipped".
 */
#include "tests/printed/trial.h"
#include "tests/sim/random_text.h"
#include "tests/sim/stop.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_JOBS = 16, MAX_WORDS = 64, PLACE_SIZE = 1 << 14, RESUMES_EACH = 4 };

typedef struct Options {
    const char *placec, *directory;
    int64_t count, first, print;
    int jobs, file_count;
    uint64_t seed;
    char **files;
} Options;

/* How often something was there. */
typedef struct Tally {
    int count;
    struct {
        char word[40];
        int64_t times;
    } of[MAX_WORDS];
} Tally;

/* Of one process, where the others see it. */
typedef struct Job {
    int64_t results[TRIAL_RESULTS]; /* of random programs */
    int passed, failed;             /* of files and their damages */
    Tally codes, ranks, axes, strategies;
} Job;

typedef struct Shared {
    _Atomic int64_t next, built;
    _Atomic int next_file;
    Job jobs[MAX_JOBS];
} Shared;

static bool parse_options(int argc, char **argv, Options *options)
{
    *options = (Options){.seed = 1, .print = -1, .jobs = 1};
    if (argc < 3)
        return false;
    options->placec = argv[1];
    options->directory = argv[2];
    int a = 3;
    for (; a + 1 < argc && strncmp(argv[a], "--", 2) == 0; a += 2) {
        const char *value = argv[a + 1];
        if (strcmp(argv[a], "--count") == 0)
            options->count = atoll(value);
        else if (strcmp(argv[a], "--seed") == 0)
            options->seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[a], "--first") == 0)
            options->first = atoll(value);
        else if (strcmp(argv[a], "--print") == 0)
            options->print = atoll(value);
        else if (strcmp(argv[a], "--jobs") == 0)
            options->jobs = atoi(value);
        else
            return false;
    }
    options->files = argv + a;
    options->file_count = argc - a;
    return options->jobs >= 1 && options->jobs <= MAX_JOBS;
}

static void count_words(Tally *tally, const char *word, int64_t times)
{
    int w = 0;
    while (w < tally->count && strcmp(tally->of[w].word, word) != 0)
        w++;
    if (w == MAX_WORDS)
        return;
    if (w == tally->count)
        snprintf(tally->of[tally->count++].word, sizeof tally->of[0].word, "%s", word);
    tally->of[w].times += times;
}

static void add_tally(Tally *sum, const Tally *more)
{
    for (int w = 0; w < more->count; w++)
        count_words(sum, more->of[w].word, more->of[w].times);
}

static void print_tally(const char *what, const Tally *tally)
{
    printf("    %s:", what);
    for (int w = 0; w < tally->count; w++)
        printf("%s %s %" PRId64, w > 0 ? "," : "", tally->of[w].word, tally->of[w].times);
    printf("\n");
}

/* What the mesh's line says: ranks and axes. */
static void count_mesh(Job *job, const char *text)
{
    const char *at = strstr(text, "\nmesh ");
    long ranks = 1;
    int axes = 0;
    char word[40];
    for (const char *end = at != NULL ? strchr(at, '}') : NULL; end != NULL && at < end; at++) {
        if (*at != ':')
            continue;
        ranks *= strtol(at + 1, NULL, 10);
        axes++;
    }
    snprintf(word, sizeof word, "%ld", ranks);
    count_words(&job->ranks, word, 1);
    snprintf(word, sizeof word, "%d", axes);
    count_words(&job->axes, word, 1);
}

static void try_random(const Options *options, Shared *shared, Job *job, int64_t index)
{
    static char text[PLACE_SIZE];
    char name[64];
    RandomProgram what;
    random_small_text(options->seed, (uint64_t)index, text, sizeof text, &what);
    snprintf(name, sizeof name, "seed-%" PRIu64 "-program-%" PRId64, options->seed, index);
    Trial trial = {
        .placec = options->placec, .directory = options->directory, .name = name, .resumes = index % RESUMES_EACH == 0};
    TrialResult result = trial_run(&trial, text);
    job->results[result]++;
    if (result == TRIAL_REFUSED) {
        count_words(&job->codes, trial.code, 1);
        return;
    }
    atomic_fetch_add(&shared->built, 1);
    count_mesh(job, text);
    for (int s = 0; s < what.strategy_count; s++)
        count_words(&job->strategies, what.strategies[s], 1);
}

/* Damaged programs say a lot, which nobody needs to read. */
static TrialResult try_quietly(Trial *trial, const char *text)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout) == NULL)
            _exit(TRIAL_RESULTS);
        _exit((int)trial_run(trial, text));
    }
    bool good = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
    return good ? (TrialResult)WEXITSTATUS(status) : TRIAL_RESULTS;
}

/* What is printed wrong on purpose is noticed. */
static void try_damages(const Options *options, const char *path, const char *name, const char *text, Job *job)
{
    char damages[512], line[256], damaged[256];
    snprintf(damages, sizeof damages, "%.*s.damage", (int)(strrchr(path, '.') - path), path);
    FILE *file = fopen(damages, "r");
    for (int i = 1; file != NULL && fgets(line, sizeof line, file) != NULL; i++) {
        line[strcspn(line, "\n")] = '\0';
        snprintf(damaged, sizeof damaged, "%s-damaged-%d", name, i);
        Trial trial = {.placec = options->placec, .directory = options->directory, .name = damaged, .damage = line};
        bool good = try_quietly(&trial, text) == TRIAL_DIFFERENT;
        *(good ? &job->passed : &job->failed) += 1;
        if (!good)
            printf("FAILED %s: '%s' goes unnoticed\n", damaged, line);
    }
    if (file != NULL)
        fclose(file);
}

/* A program that once was printed wrong. */
static void try_file(const Options *options, const char *path, Job *job)
{
    static char text[PLACE_SIZE];
    char name[200];
    FILE *file = fopen(path, "rb");
    size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL)
        fclose(file);
    text[length] = '\0';
    const char *slash = strrchr(path, '/');
    snprintf(name, sizeof name, "%s", slash != NULL ? slash + 1 : path);
    name[strcspn(name, ".")] = '\0';
    Trial trial = {.placec = options->placec, .directory = options->directory, .name = name, .resumes = true};
    TrialResult result = length > 0 ? trial_run(&trial, text) : TRIAL_RESULTS;
    *(result == TRIAL_EQUAL ? &job->passed : &job->failed) += 1;
    if (result != TRIAL_EQUAL)
        printf("FAILED %s %s\n", path, result == TRIAL_REFUSED ? trial.code : "");
    try_damages(options, path, name, text, job);
}

static void try_all(const Options *options, Shared *shared, Job *job)
{
    for (int f; (f = atomic_fetch_add(&shared->next_file, 1)) < options->file_count && !stop_wanted();)
        try_file(options, options->files[f], job);
    while (atomic_load(&shared->built) < options->count && !stop_wanted())
        try_random(options, shared, job, atomic_fetch_add(&shared->next, 1));
}

/* A process for each job; false where one of them fell over. */
static bool run_jobs(const Options *options, Shared *shared)
{
    bool good = true;
    for (int j = 0; j < options->jobs; j++) {
        fflush(stdout);
        pid_t child = fork();
        if (child < 0)
            exit(2);
        if (child == 0) {
            try_all(options, shared, &shared->jobs[j]);
            fflush(stdout);
            _exit(0);
        }
    }
    for (int status, left = options->jobs; left > 0;) {
        if (wait(&status) < 0)
            continue; /* a signal: the jobs end by themselves */
        good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
        left--;
    }
    return good;
}

static Job sum_jobs(const Options *options, const Shared *shared)
{
    Job sum = {0};
    for (int j = 0; j < options->jobs; j++) {
        const Job *job = &shared->jobs[j];
        for (int r = 0; r < TRIAL_RESULTS; r++)
            sum.results[r] += job->results[r];
        sum.passed += job->passed;
        sum.failed += job->failed;
        add_tally(&sum.codes, &job->codes);
        add_tally(&sum.ranks, &job->ranks);
        add_tally(&sum.axes, &job->axes);
        add_tally(&sum.strategies, &job->strategies);
    }
    return sum;
}

/* `well`: no process fell over. */
static int report(const Options *options, const Shared *shared, bool well)
{
    Job sum = sum_jobs(options, shared);
    if (options->count > 0) {
        printf("random programs of seed %" PRIu64 ": %" PRId64 " equal, %" PRId64 " DIFFERENT, %" PRId64 " not built\n",
               options->seed, sum.results[TRIAL_EQUAL], sum.results[TRIAL_DIFFERENT], sum.results[TRIAL_REFUSED]);
        print_tally("ranks", &sum.ranks);
        print_tally("axes", &sum.axes);
        print_tally("strategies", &sum.strategies);
        print_tally("not built", &sum.codes);
    }
    int passed = sum.passed + (int)sum.results[TRIAL_EQUAL];
    int failed = sum.failed + (int)sum.results[TRIAL_DIFFERENT] + (well ? 0 : 1);
    printf("%d passed, %d failed, 0 skipped\n", passed, failed);
    return failed == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    Options options;
    if (!parse_options(argc, argv, &options)) {
        fputs("usage: printed PLACEC DIRECTORY [--count N] [--seed N] [--first N] [--jobs N] [--print INDEX] "
              "[FILE.place]...\n",
              stderr);
        return 64;
    }
    if (options.print >= 0) {
        static char text[PLACE_SIZE];
        RandomProgram what;
        random_small_text(options.seed, (uint64_t)options.print, text, sizeof text, &what);
        fputs(text, stdout);
        return 0;
    }
    Shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 2;
    shared->next = options.first;
    stop_on_signals();
    bool well = run_jobs(&options, shared);
    return report(&options, shared, well);
}
