/* mutate.c - right programs, changed at random: the verifier's verdict against execution.
 *
 *     mutate [--count N] [--seed N] [--random N] [--kinds] [--hits FILE] [--show-refused] FILE.step... [--wrong FILE.step...]
 *
 * Each file's program is changed N times, every fifth time twice; so are those of N random programs (random_text.h) that
 * are right. Files after --wrong are not changed: they differ from one device as they are, and are to be refused. The
 * exit status is 1 if an unchanged program is refused, or a changed one accepted that differs from one device.
 * --kinds prints the counts by kind of the first change.
 */
#include "tests/sim/matrix.h"
#include "tests/sim/mutations.h"
#include "tests/sim/prove.h"
#include "tests/sim/random_text.h"
#include "tests/sim/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_SIZE = 1 << 14, MAX_KINDS = 64, MAX_HITS = 1024, DRAW = 1 };

typedef struct Options {
    int count, random;
    uint64_t seed;
    bool show_refused, wrong, kinds;
    const char *hits;
} Options;

typedef struct KindCount {
    int64_t equal, different, accepted_different, refused_equal;
} KindCount;

typedef struct Experiment {
    Options options;
    SimPool *pool, *scratch;
    Matrix matrix;
    KindCount kinds[MAX_KINDS];
    int hit_count;
    struct {
        int kind;
        char of[32];
        int64_t count;
    } hits[MAX_HITS];
} Experiment;

static bool read_text(const char *path, char *text)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t length = fread(text, 1, MUTATE_TEXT_SIZE - 1, file);
    text[length] = '\0';
    fclose(file);
    return length > 0 && length < MUTATE_TEXT_SIZE - 1;
}

static void count_hit(Experiment *experiment, int kind, const char *of)
{
    int h = 0;
    while (h < experiment->hit_count &&
           (experiment->hits[h].kind != kind || strcmp(experiment->hits[h].of, of) != 0))
        h++;
    if (h == MAX_HITS)
        return;
    if (h == experiment->hit_count) {
        experiment->hit_count++;
        experiment->hits[h].kind = kind;
        snprintf(experiment->hits[h].of, sizeof experiment->hits[h].of, "%s", of);
    }
    experiment->hits[h].count++;
}

static void count_kind(KindCount *count, const Matrix *before, const Matrix *after)
{
    count->equal += after->accepted_equal - before->accepted_equal;
    count->refused_equal += after->refused_equal - before->refused_equal;
    count->accepted_different += after->accepted_different - before->accepted_different;
    count->different += after->refused_different - before->refused_different;
}

static void try_mutant(Experiment *experiment, const Lines *original, const SimOracles *oracles, uint64_t index,
                       const char *base)
{
    static Lines changed;
    static char text[MUTATE_TEXT_SIZE];
    char name[256], of[32];
    Chance chance = chance_new(experiment->options.seed, index);
    int kind = chance_below(&chance, mutate_kind_count());
    changed = *original;
    if (!mutate_apply(&changed, kind, &chance))
        return;
    count_hit(experiment, kind, mutate_operator(&changed, of, sizeof of));
    if (index % 5 == 4)
        mutate_apply(&changed, chance_below(&chance, mutate_kind_count()), &chance);
    mutate_join(&changed, text);
    snprintf(name, sizeof name, "%s, mutant %" PRIu64 " (%s)", base, index, mutate_kind_name(kind));
    Matrix *matrix = &experiment->matrix;
    static Matrix before;
    before = *matrix;
    matrix_try(matrix, experiment->scratch, oracles, text, name);
    count_kind(&experiment->kinds[kind], &before, matrix);
}

/* False where the program cannot be run, or its verdict as it is is wrong. */
static bool try_program(Experiment *experiment, const char *text, const char *name)
{
    static Lines original;
    const Options *options = &experiment->options;
    char message[256] = "";
    SimOracles oracles;
    sim_pool_reset(experiment->pool);
    const SimFile *file = sim_read(experiment->pool, text, message, sizeof message);
    if (!file || !mutate_split(&original, text) ||
        !sim_oracles_new(&oracles, experiment->pool, file, MATRIX_STEPS, DRAW, message, sizeof message)) {
        printf("%s: cannot be run: %s\n", name, message);
        return false;
    }
    Matrix unchanged = {.show_refused = !options->wrong};
    matrix_try(&unchanged, experiment->scratch, &oracles, text, name);
    if (unchanged.accepted_equal != !options->wrong || unchanged.refused_different != options->wrong) {
        matrix_print(&unchanged, name);
        return false;
    }
    for (int i = 0; i < options->count && !options->wrong && !stop_wanted(); i++)
        try_mutant(experiment, &original, &oracles, (uint64_t)i, name);
    return true;
}

static bool try_file(Experiment *experiment, const char *path)
{
    static char text[MUTATE_TEXT_SIZE];
    if (!read_text(path, text)) {
        printf("%s: cannot be read\n", path);
        return false;
    }
    return try_program(experiment, text, path);
}

/* Random programs that are right as they are; mistakes on purpose are left out. */
static bool try_random(Experiment *experiment)
{
    static char place[PLACE_SIZE];
    uint64_t seed = experiment->options.seed;
    bool right = true;
    for (int found = 0, index = 0; found < experiment->options.random && !stop_wanted(); index++) {
        RandomProgram what;
        Refusal refusal;
        char name[64];
        random_text(seed, (uint64_t)index, place, sizeof place, &what);
        char *text = what.by_hand ? NULL : prove_derive(place, &refusal);
        if (!text)
            continue;
        found++;
        experiment->options.seed = seed * 1000003u + (uint64_t)index; /* other mutants of each */
        snprintf(name, sizeof name, "seed %" PRIu64 ", program %d", seed, index);
        right = try_program(experiment, text, name) && right;
        free(text);
    }
    experiment->options.seed = seed;
    return right;
}

static void print_kinds(const Experiment *experiment)
{
    printf("    %-16s %10s %10s %10s %10s\n", "kind", "equal", "different", "refused", "ACCEPTED");
    printf("    %-16s %10s %10s %10s %10s\n", "", "", "refused", "equal", "different");
    for (int k = 0; k < mutate_kind_count(); k++) {
        const KindCount *count = &experiment->kinds[k];
        printf("    %-16s %10" PRId64 " %10" PRId64 " %10" PRId64 " %10" PRId64 "\n", mutate_kind_name(k),
               count->equal, count->different, count->refused_equal, count->accepted_different);
    }
}

static void write_hits(const Experiment *experiment)
{
    FILE *out = fopen(experiment->options.hits, "w");
    if (!out) {
        fprintf(stderr, "cannot write '%s'\n", experiment->options.hits);
        return;
    }
    for (int k = 0; k < mutate_kind_count(); k++)
        for (int h = 0; h < experiment->hit_count; h++)
            if (experiment->hits[h].kind == k)
                fprintf(out, "%-16s %-18s %8" PRId64 "\n", mutate_kind_name(k), experiment->hits[h].of,
                        experiment->hits[h].count);
    fclose(out);
}

/* Takes an option with its value at argv[*a]; false where it is a file. */
static bool take_option(Options *options, char **argv, int argc, int *a)
{
    const char *word = argv[*a];
    bool more = *a + 1 < argc;
    if (!strcmp(word, "--count") && more)
        options->count = atoi(argv[++*a]);
    else if (!strcmp(word, "--random") && more)
        options->random = atoi(argv[++*a]);
    else if (!strcmp(word, "--seed") && more)
        options->seed = strtoull(argv[++*a], NULL, 10);
    else if (!strcmp(word, "--hits") && more)
        options->hits = argv[++*a];
    else if (!strcmp(word, "--show-refused"))
        options->show_refused = true;
    else if (!strcmp(word, "--kinds"))
        options->kinds = true;
    else if (!strcmp(word, "--wrong"))
        options->wrong = true;
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    static Experiment experiment = {.options = {.count = 200, .seed = 1}, .matrix = {.apart = true}};
    experiment.pool = sim_pool_new();
    experiment.scratch = sim_pool_new();
    int passed = 0, failed = 0;
    stop_on_signals();
    for (int a = 1; a < argc; a++) {
        if (take_option(&experiment.options, argv, argc, &a)) {
            experiment.matrix.show_refused = experiment.options.show_refused;
            continue;
        }
        bool right = try_file(&experiment, argv[a]);
        passed += right;
        failed += !right;
    }
    experiment.options.wrong = false;
    if (experiment.options.random > 0 && !try_random(&experiment))
        failed++;
    matrix_print(&experiment.matrix, "mutants");
    if (experiment.options.kinds)
        print_kinds(&experiment);
    if (experiment.options.hits)
        write_hits(&experiment);
    sim_pool_free(experiment.pool);
    sim_pool_free(experiment.scratch);
    printf("mutate: %d passed, %d failed\n", passed, failed);
    return failed == 0 && !matrix_failed(&experiment.matrix) ? 0 : 1;
}
