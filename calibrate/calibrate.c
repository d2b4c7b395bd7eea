/* calibrate.c - measures in rounds, and writes what was found (calibrate/calibrate.h). */
#include "calibrate/calibrate.h"

#include "calibrate/probes.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 5 };

typedef struct Measured {
    Figures best, round[ROUNDS]; /* of the fastest calls of all rounds, and of each round */
    int ranks;
    double load; /* of other work, before */
} Measured;

/* ---- The text ----------------------------------------------------------------------------------------------- */

/* Lines, and units of their figures from the smallest on. */
typedef struct Unit {
    const char *name;
    double size;
} Unit;

static const Unit flops[] = {{"GFLOP/s", 1e9}}, speeds[] = {{"GB/s", 1e9}}, times[] = {{"ns", 1e-9}},
                  plain[] = {{"", 1}};

static const struct {
    Figure figure;
    const char *line;
    const Unit *unit;
} lines[] = {
    {FIGURE_MEMORY, "memory at", speeds},
    {FIGURE_SHARED, "shared at", speeds},
    {FIGURE_PRODUCTS, "products f32 at", flops},
    {FIGURE_DEPTH, "half depth", plain},
    {FIGURE_EDGE, "half edge", plain},
    {FIGURE_PRODUCT_LAUNCH, "product launch", times},
    {FIGURE_ARITHMETIC, "arithmetic at", flops},
    {FIGURE_FUNCTIONS, "functions at", flops},
    {FIGURE_LAUNCH, "launch", times},
    {FIGURE_HOST, "host at", speeds},
};

/* Three digits that count. */
static void write_number(FILE *out, double value)
{
    fprintf(out, "%.*f", value >= 99.5 || value == 0 ? 0 : value >= 9.95 ? 1 : 2, value);
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* "  # median 110, 104 .. 112" */
static void write_spread(FILE *out, const Measured *m, Figure figure, const Unit *unit)
{
    double values[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
        values[i] = m->round[i].of[figure] / unit->size;
    qsort(values, ROUNDS, sizeof *values, by_size);
    fputs("  # median ", out);
    write_number(out, values[ROUNDS / 2]);
    fputs(", ", out);
    write_number(out, values[0]);
    fputs(" .. ", out);
    write_number(out, values[ROUNDS - 1]);
}

static void write_figure(FILE *out, const Measured *m, Figure figure, const Unit *unit)
{
    write_number(out, m->best.of[figure] / unit->size);
    fprintf(out, "%s%s", unit->name[0] != '\0' ? " " : "", unit->name);
}

static void write_devices(FILE *out, const Measured *m)
{
    fprintf(out, "    %d device%s of cpu", m->ranks, m->ranks == 1 ? "" : "s");
    if (m->best.of[FIGURE_LINK] > 0 && m->best.of[FIGURE_LATENCY] > 0) {
        fputs(" within memory ", out);
        write_figure(out, m, FIGURE_LINK, speeds);
        fputs(" after ", out);
        write_figure(out, m, FIGURE_LATENCY, times);
        write_spread(out, m, FIGURE_LINK, speeds);
        fputs("; ", out);
        write_number(out, m->best.of[FIGURE_LATENCY] * 1e9);
    }
    fputs("\n", out);
}

/* What is there, not what is free now. */
static void write_memory(FILE *out, const Measured *m)
{
    long long pages = sysconf(_SC_PHYS_PAGES), mebibyte = (1 << 20) / sysconf(_SC_PAGESIZE);
    if (pages > 0)
        fprintf(out, "    memory %lld MiB  # an equal part of what this machine has\n", pages / mebibyte / m->ranks);
}

static void write_caches(FILE *out, const Measured *m)
{
    for (int c = 0; c < FIGURE_CACHES && m->best.of[FIGURE_CACHE_BYTES + c] > 0; c++) {
        fprintf(out, "    cache %.0f KiB at ", m->best.of[FIGURE_CACHE_BYTES + c] / 1024);
        write_figure(out, m, FIGURE_CACHE_SPEED + c, speeds);
        write_spread(out, m, FIGURE_CACHE_SPEED + c, speeds);
        fputs("\n", out);
    }
}

static void write_head(FILE *out, const Measured *m)
{
    char date[32] = "";
    time_t now = time(NULL);
    struct tm day;
    if (gmtime_r(&now, &day) != NULL)
        strftime(date, sizeof date, "%Y-%m-%d", &day);
    fprintf(
        out,
        "place 1\n"
        "# Measured by placec calibrate %s, %s: %d rank%s on as many processors, all at once. The load before was\n"
        "# %.2f. A figure is that of the fastest calls, since other work only slows down; where ranks meet, the "
        "median\n"
        "# of %d rounds. After it: that median, and the range of the rounds. docs/cost.md says how each is found.\n",
        place_version(), date, m->ranks, m->ranks == 1 ? "" : "s", m->load, ROUNDS);
}

static void write_cluster(FILE *out, const Measured *m)
{
    write_head(out, m);
    fputs("cluster machine {\n", out);
    write_devices(out, m);
    write_memory(out, m);
    write_caches(out, m);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (!(m->best.of[lines[i].figure] > 0))
            continue;
        fprintf(out, "    %s ", lines[i].line);
        write_figure(out, m, lines[i].figure, lines[i].unit);
        if (lines[i].figure != FIGURE_DEPTH && lines[i].figure != FIGURE_EDGE &&
            lines[i].figure != FIGURE_PRODUCT_LAUNCH)
            write_spread(out, m, lines[i].figure, lines[i].unit);
        fputs("\n", out);
    }
    fputs("}\n", out);
}

/* In the standard style; NULL if there is no memory. Freed by the caller. */
static char *text_of(const Measured *m)
{
    char *draft = NULL, *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&draft, &length);
    if (out == NULL)
        return NULL;
    write_cluster(out, m);
    if (fclose(out) == 0) {
        place_program program = {.name = "machine.place", .text = draft, .length = length};
        place_result *result = place_format(&program);
        const char *formatted = place_result_text(result, NULL);
        text = formatted != NULL ? strdup(formatted) : NULL;
        place_result_free(result);
    }
    free(draft);
    return text;
}

/* ---- Measuring ---------------------------------------------------------------------------------------------- */

static double median_round(const Measured *m, Figure figure)
{
    double values[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
        values[i] = m->round[i].of[figure];
    qsort(values, ROUNDS, sizeof *values, by_size);
    return values[ROUNDS / 2];
}

/* How soon a rank has what another wrote depends on where the two run: the fastest is not what a step gets. */
static void take_medians(Measured *m)
{
    static const Figure together[] = {FIGURE_LINK, FIGURE_LATENCY, FIGURE_SHARED};
    for (size_t i = 0; i < sizeof together / sizeof *together; i++)
        m->best.of[together[i]] = median_round(m, together[i]);
}

static bool run_rounds(const Probes *probes, Measured *m)
{
    static Profile profiles[ROUNDS][PROBE_COUNT], fastest[PROBE_COUNT];
    for (int round = 0; round < ROUNDS; round++) {
        if (!probes_run(probes, profiles[round]))
            return false;
        for (int probe = 0; probe < PROBE_COUNT; probe++)
            profile_merge(&fastest[probe], &profiles[round][probe]);
    }
    figures_find(fastest, probes->arena_bytes, probes->ranks, NULL, &m->best);
    for (int round = 0; round < ROUNDS; round++)
        figures_find(profiles[round], probes->arena_bytes, probes->ranks, &m->best, &m->round[round]);
    take_medians(m);
    return true;
}

static bool measure(Measured *m)
{
    Probes probes;
    double load[1] = {0};
    getloadavg(load, 1);
    m->load = load[0];
    if (!probes_build(&probes))
        return false;
    m->ranks = probes.ranks;
    bool good = run_rounds(&probes, m);
    probes_remove(&probes);
    return good;
}

/* ---- The file ----------------------------------------------------------------------------------------------- */

/* A file next to the one that will be written, so that it is found out at once whether that is possible. */
static FILE *open_draft(const char *path, char *draft, size_t room)
{
    char copy[PATH_MAX];
    struct stat about;
    snprintf(copy, sizeof copy, "%s", path);
    snprintf(draft, room, "%s/.placec-calibrate-XXXXXX", dirname(copy));
    if (lstat(path, &about) == 0) {
        fprintf(stderr, "placec: '%s' exists, and is left as it is; name another file\n", path);
        return NULL;
    }
    errno = path[0] == '\0' ? ENOENT : ENAMETOOLONG;
    int file = path[0] != '\0' && strlen(path) < PATH_MAX ? mkstemp(draft) : -1;
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    if (out == NULL)
        fprintf(stderr, "placec: cannot write '%s': %s\n", path, strerror(errno));
    return out;
}

/* The draft gets the name, unless a file has it by now. */
static bool finish_draft(FILE *out, const char *draft, const char *path)
{
    mode_t mask = umask(0);
    umask(mask);
    bool good = fflush(out) == 0 && fchmod(fileno(out), 0666 & ~mask) == 0 && fsync(fileno(out)) == 0;
    good = fclose(out) == 0 && good && link(draft, path) == 0;
    if (!good)
        fprintf(stderr, "placec: cannot write '%s': %s\n", path, strerror(errno));
    return good;
}

static place_status write_measured(const char *path, FILE *out, const char *draft)
{
    Measured measured;
    char *text = measure(&measured) ? text_of(&measured) : NULL;
    bool good = text != NULL && fputs(text, out) >= 0;
    free(text);
    if (path == NULL)
        return good ? PLACE_GOOD : PLACE_FAILED;
    if (good)
        return finish_draft(out, draft, path) ? PLACE_GOOD : PLACE_FAILED;
    fclose(out);
    return PLACE_FAILED;
}

place_status calibrate(const char *path)
{
    char draft[PATH_MAX + 64];
    if (path == NULL)
        return write_measured(NULL, stdout, NULL);
    FILE *out = open_draft(path, draft, sizeof draft);
    if (out == NULL)
        return PLACE_FAILED;
    place_status status = write_measured(path, out, draft);
    unlink(draft);
    return status;
}
