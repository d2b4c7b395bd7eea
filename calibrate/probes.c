/* probes.c - builds and runs the programs of calibrate (calibrate/probes.h).
 *
 * A signal that asks this process to end is passed to the program that runs, and ends the measurement; files are
 * removed as after any failure. */
#include "calibrate/probes.h"

#include "calibrate_text.h"
#include "library/place.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_RANKS = 64, STEPS = 12 };

static volatile sig_atomic_t asked_by, running;

static void pass_on(int number)
{
    asked_by = number;
    if (running > 0)
        kill(running, number);
}

static void watch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = pass_on};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
}

/* ---- Building ----------------------------------------------------------------------------------------------- */

/* Batches are per rank; the arrays of a program of memory have width · batch · 16 elements. */
static const struct {
    const char *model, *arguments, *strategy, *optimizer;
    int batch, microbatches;
} probes_of[PROBE_COUNT] = {
    [PROBE_PRODUCTS] = {"products", "", "data_parallel(all)", "momentum(rate = 1e-3)", 4, 1},
    [PROBE_ROWS] = {"products", "(context = 12)", "data_parallel(all)", "momentum(rate = 1e-3)", 4, 1},
    [PROBE_LINKS] = {"links", "", "zero3(all)", "momentum(rate = 1e-3)", 4, 2},
    [PROBE_TIERS] = {"links", "", "data_parallel(all) * offload(optimizer)", "momentum(rate = 1e-3)", 1, 1},
#define MEMORY(at, width, batch)                                                                                       \
    [PROBE_MEMORY + at] = {"memory", "(width = " #width ")", "data_parallel(all)", "sgd(rate = 1e-3)", batch, 1},
    /* clang-format off */
    MEMORY(0, 64, 16) MEMORY(1, 128, 16) MEMORY(2, 128, 32) MEMORY(3, 256, 32) MEMORY(4, 256, 64) MEMORY(5, 512, 64)
    MEMORY(6, 512, 128) MEMORY(7, 1024, 128) MEMORY(8, 1024, 256)
/* clang-format on */
#undef MEMORY
};

static char *text_of(int probe, int ranks)
{
    char *text = NULL;
    int batch = probes_of[probe].batch * probes_of[probe].microbatches * ranks;
    if (asprintf(&text,
                 "place 1\n%s\ncluster machine { %d devices of cpu }\nmesh ranks on machine { all: %d }\n"
                 "train %s%s on ranks { strategy %s; optimizer %s; batch %d in %d microbatches; steps %d }\n",
                 calibrate_text, ranks, ranks, probes_of[probe].model, probes_of[probe].arguments,
                 probes_of[probe].strategy, probes_of[probe].optimizer, batch, probes_of[probe].microbatches,
                 STEPS) < 0)
        return NULL;
    return text;
}

/* What the directory of a probe is called, or a file in it. */
static void path_of(const Probes *probes, int probe, const char *file, char *path, size_t room)
{
    snprintf(path, room, "%s/%d%s", probes->directory, probe, file);
}

static bool build(Probes *probes, int probe)
{
    char path[sizeof probes->directory + 64];
    path_of(probes, probe, "", path, sizeof path);
    char *text = text_of(probe, probes->ranks);
    if (text == NULL)
        return false;
    place_program program = {.name = "calibrate", .text = text, .length = strlen(text)};
    place_result *result = place_build(&program, path, PLACE_TEXT);
    const char *failure = place_result_failure(result);
    bool good = place_result_status(result) == PLACE_GOOD;
    if (!good)
        fprintf(stderr, "placec: cannot build a program to measure: %s\n%s",
                failure != NULL ? failure : "it is refused", place_result_messages(result, PLACE_TEXT, 3));
    place_cost cost = {0};
    if (good && probe >= PROBE_MEMORY && place_result_cost(result, &cost))
        probes->arena_bytes[probe - PROBE_MEMORY] = (double)cost.memory_bytes;
    place_result_free(result);
    free(text);
    return good;
}

static int count_processors(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < MOST_RANKS ? count : MOST_RANKS;
}

bool probes_build(Probes *probes)
{
    const char *where = getenv("TMPDIR");
    *probes = (Probes){.ranks = count_processors()};
    watch_signals();
    snprintf(probes->directory, sizeof probes->directory, "%s/place-calibrate-XXXXXX", where != NULL ? where : "/tmp");
    if (mkdtemp(probes->directory) == NULL) {
        fprintf(stderr, "placec: cannot make a directory '%s': %s (TMPDIR names another place)\n", probes->directory,
                strerror(errno));
        return false;
    }
    for (int probe = 0; probe < PROBE_COUNT; probe++) {
        if (asked_by == 0 && build(probes, probe))
            continue;
        probes_remove(probes);
        return false;
    }
    return true;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *walk)
{
    (void)about, (void)kind, (void)walk;
    return remove(path);
}

void probes_remove(Probes *probes)
{
    nftw(probes->directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    probes->directory[0] = '\0';
}

/* ---- Running ------------------------------------------------------------------------------------------------ */

/* In the child; its output goes to a file. */
static _Noreturn void become(const char *program, const char *profile, const char *output)
{
    int file = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    execl(program, program, "--quiet", "--profile", profile, (char *)NULL);
    dprintf(STDERR_FILENO, "%s\n", strerror(errno));
    _exit(127);
}

static void report(const char *output, int status)
{
    char line[512] = "";
    FILE *file = fopen(output, "re");
    if (file == NULL || fgets(line, sizeof line, file) == NULL)
        snprintf(line, sizeof line, "status %d\n", status);
    if (file != NULL)
        fclose(file);
    if (asked_by == 0)
        fprintf(stderr, "placec: a program to measure fails: %s", line);
}

static bool run(const Probes *probes, int probe)
{
    char program[sizeof probes->directory + 64], profile[sizeof program], output[sizeof program];
    int status = 0;
    path_of(probes, probe, "/program", program, sizeof program);
    path_of(probes, probe, "/profile", profile, sizeof profile);
    path_of(probes, probe, "/output", output, sizeof output);
    pid_t child = fork();
    if (child == 0)
        become(program, profile, output);
    if (child < 0) {
        fprintf(stderr, "placec: cannot start a program to measure: %s\n", strerror(errno));
        return false;
    }
    running = child;
    if (asked_by != 0)
        kill(child, asked_by);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    running = 0;
    if (status != 0)
        report(output, status);
    return status == 0;
}

bool probes_run(const Probes *probes, Profile profiles[PROBE_COUNT])
{
    char path[sizeof probes->directory + 64];
    for (int probe = 0; probe < PROBE_COUNT; probe++) {
        if (asked_by != 0 || !run(probes, probe))
            return false;
        path_of(probes, probe, "/profile.0", path, sizeof path);
        if (profile_read(path, &profiles[probe]))
            continue;
        fprintf(stderr, "placec: cannot read '%s': %s\n", path, strerror(errno));
        return false;
    }
    return true;
}
