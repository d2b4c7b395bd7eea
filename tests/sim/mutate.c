/* mutate.c - right programs, changed at random: the verifier's verdict against execution.
 *
 *     mutate [--count N] [--total N] [--each N] [--seed N] [--jobs N] [--fill] [--random] [--kinds] [--hits FILE]
 *            [--show-refused] [--seconds N] [--state FILE] FILE.step... [--wrong FILE.step...]
 *
 * The program of each file, every third with its collectives started and waited for, every fourth with a checkpoint
 * that is resumed from, is changed N times (--count),
 * every fifth time twice, and every tenth three times; oftener where one change of its kind gives nothing new. With --random so are random programs (random_text.h) that are
 * right, until there are N mutants in all
 * (--total), N that differ of each kind (--each) and, with --fill, no empty cell (cells.h); or twice the total.
 *
 * Cells of the program that are empty come first (with --fill all of them, however many), then kinds of changes of
 * which too few differ so far; random programs are taken where they have such. What a change leaves as it was is no
 * mutant, nor is what was tried before, nor what the simulator cannot read (the verifier must refuse that too). Files
 * after --wrong are not changed: they differ from one device as they are, and are to be refused. The exit status is 1
 * if an unchanged program is refused, or a changed one accepted that differs from one device.
 * An experiment that was stopped (after --seconds, or by a signal) continues where it was if it is called again with the
 * same options and --state, which keeps what each process has counted.
 * --kinds prints the counts by kind of the first change. --jobs processes share the programs, each with a table of its
 * own, and count together.
 */
#include "tests/sim/cells.h"
#include "tests/sim/matrix.h"
#include "tests/sim/mutations.h"
#include "tests/sim/prove.h"
#include "tests/sim/random_text.h"
#include "tests/sim/stop.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* LARGEST: lines times ranks of a random program that is changed: more would take the time of many others. */
enum {
    PLACE_SIZE = 1 << 14,
    MAX_SITES = 1 << 16,
    SITE_TRIES = 200,
    MOST_CHANGES = 3,
    MORE_TRIES = 20,
    LARGEST = 3000,
    SEEN = 1 << 20,
    STALE = 20,
    MAX_JOBS = 16,
    OUTPUT_SIZE = 1 << 22
};

typedef struct Options {
    int count, jobs;
    int64_t total, each;
    uint64_t seed;
    bool fill, random, show_refused, wrong, kinds;
    const char *hits, *state;
    int seconds;
} Options;

typedef struct KindCount {
    int64_t equal, different, faulted, accepted_different, refused_equal;
} KindCount;

/* A text, by its hash; 0: none. */
typedef struct Seen {
    uint64_t hash;
    bool tried, is_mutant;
} Seen;

/* A change that fits a line of the program. */
typedef struct Site {
    int kind, line, tries, row_count;
    CellRow *rows[MAX_MODES];
} Site;

/* A right program, as it is. */
typedef struct Base {
    const char *name;
    uint64_t seed;
    int64_t mutants, draws;
    SimOracles oracles;
    Lines lines;
    int stale[CELL_KINDS]; /* draws of the kind since one gave a new mutant */
    int site_count;
    Site sites[MAX_SITES];
} Base;

/* What one process does. */
typedef struct Experiment {
    Options options;
    int job, next_file; /* arguments before it are done */
    uint64_t next_program;
    int64_t passed, failed;
    SimPool *pool, *scratch;
    Matrix matrix;
    int64_t mutants, same, unreadable;
    Seen seen[SEEN];
    KindCount kinds[CELL_KINDS], by_changes[MOST_CHANGES];
    Cells cells;
    Base base;
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

/* ---- Where a program can be changed ------------------------------------------------------------------------- */

/* The operator in a line of the text. */
static const SimOp *operator_at(const SimNode *node, int line)
{
    const SimOp *found = node->op && node->op->line == line ? node->op : NULL;
    for (int i = 0; i < node->count && !found; i++)
        found = operator_at(node->body[i], line);
    return found;
}

/* Of what the line is, cut how; of a loop its kind. */
static void line_signature(const SimFile *file, const Lines *lines, int at, char *signature, size_t size)
{
    const SimProgram *program = at < lines->program ? &file->reference : &file->program;
    const char *line = lines->text[at];
    snprintf(signature, size, "%s", strncmp(line, "loop", 4) ? "-" : strstr(line, " micro ") ? "micro" : "layers");
    for (int r = 0; r < program->routine_count; r++) {
        const SimOp *op = operator_at(program->routines[r].root, at + 1);
        if (op)
            signature_of(file, program, op, signature, size);
    }
    char name[NAME_SIZE];
    if (sscanf(line, "buffer %63s", name) != 1)
        return;
    for (int b = 0; b < program->buffer_count; b++)
        if (!strcmp(program->buffers[b].name, name))
            signature_of_buffer(file, &program->buffers[b], signature, size);
}

/* One device holds its states in one way. */
static int line_modes(const SimFile *file, const Lines *lines, int at, const char *modes[MAX_MODES])
{
    if (at < lines->reference || at >= lines->program)
        return signature_modes(file, &file->program, modes);
    modes[0] = "reference";
    return 1;
}

static void find_sites_of(Experiment *experiment, const SimFile *file, int line)
{
    Base *base = &experiment->base;
    char of[24], signature[SIGNATURE_SIZE];
    const char *modes[MAX_MODES];
    CellRow *rows[MAX_MODES];
    int row_count = 0, mode_count = line_modes(file, &base->lines, line, modes);
    mutate_operator(&base->lines, line, of, sizeof of);
    line_signature(file, &base->lines, line, signature, sizeof signature);
    for (int k = 0; k < mutate_kind_count() && base->site_count < MAX_SITES; k++) {
        if (!mutate_fits(&base->lines, k, line))
            continue;
        for (int m = 0; m < mode_count && row_count < mode_count; m++)
            rows[row_count++] = cells_row(&experiment->cells, of, signature, modes[m]);
        Site *site = &base->sites[base->site_count++];
        *site = (Site){.kind = k, .line = line};
        for (int r = 0; r < row_count; r++)
            if (rows[r]) {
                site->rows[site->row_count++] = rows[r];
                rows[r]->exists[k] = true;
            }
    }
}

static bool fills_a_cell(const Site *site)
{
    bool empty = false;
    for (int r = 0; r < site->row_count; r++)
        empty = empty || site->rows[r]->hits[site->kind] == 0;
    return empty && site->tries < SITE_TRIES;
}

static int hits_of(const Site *site)
{
    return site->row_count ? site->rows[0]->hits[site->kind] : 0;
}

/* The kind that applies here, can still change something, and of which the fewest differ so far. */
static int lagging_kind(const Experiment *experiment)
{
    const Base *base = &experiment->base;
    int lagging = base->sites[0].kind;
    for (int s = 0; s < base->site_count; s++) {
        int kind = base->sites[s].kind;
        bool fewer = experiment->kinds[kind].different < experiment->kinds[lagging].different;
        if (base->stale[kind] < STALE && (fewer || base->stale[lagging] >= STALE))
            lagging = kind;
    }
    return lagging;
}

/* Of several sites of the kind, drawn, that whose cell has the fewest hits. */
static Site *draw_site(Experiment *experiment, Chance *chance)
{
    Base *base = &experiment->base;
    Site *best = NULL;
    int kind = lagging_kind(experiment);
    if (experiment->kinds[kind].different >= experiment->options.each && chance_once_in(chance, 2))
        kind = base->sites[chance_below(chance, base->site_count)].kind;
    for (int tries = 0; tries < 3; tries++) {
        int from = chance_below(chance, base->site_count);
        while (base->sites[from].kind != kind)
            from = (from + 1) % base->site_count;
        if (!best || hits_of(&base->sites[from]) < hits_of(best))
            best = &base->sites[from];
    }
    return best;
}

/* One that hits an empty cell, from a place drawn; NULL where there is none. */
static Site *empty_site(Base *base, Chance *chance)
{
    int from = base->site_count ? chance_below(chance, base->site_count) : 0;
    for (int s = 0; s < base->site_count; s++) {
        Site *site = &base->sites[(from + s) % base->site_count];
        if (fills_a_cell(site))
            return site;
    }
    return NULL;
}

/* ---- Mutants ------------------------------------------------------------------------------------------------ */

static void count_kind(KindCount *count, const Matrix *before, const Matrix *after)
{
    count->equal += after->accepted_equal - before->accepted_equal;
    count->refused_equal += after->refused_equal - before->refused_equal;
    count->accepted_different += after->accepted_different - before->accepted_different;
    count->different += after->refused_different - before->refused_different;
    count->faulted += after->faulted - before->faulted;
}

static int64_t ranks_of(const SimFile *file)
{
    int64_t ranks = 1;
    for (int a = 0; a < file->axis_count && ranks <= SIM_MAX_RANKS; a++)
        ranks *= file->axes[a].size;
    return ranks;
}

/* What the simulator cannot read is no mutant, but must be refused; nor is what has no room in it, which is not
 * mentioned. */
static bool is_readable(Experiment *experiment, const char *text, const char *name)
{
    char message[256];
    Refusal refusal;
    sim_pool_reset(experiment->scratch);
    const SimFile *file = sim_read(experiment->scratch, text, message, sizeof message);
    if (file)
        return ranks_of(file) <= SIM_MAX_RANKS;
    experiment->unreadable++;
    if (prove_apart(text, &refusal) != PROOF_REFUSED)
        matrix_try(&experiment->matrix, experiment->scratch, &experiment->base.oracles, text, name);
    return false;
}

/* What is noted of a text; new where it was not tried. */
static Seen *find_seen(Experiment *experiment, const char *text)
{
    uint64_t hash = sim_mix_name(1, text), at = hash % SEEN;
    hash += hash == 0;
    while (experiment->seen[at].hash && experiment->seen[at].hash != hash)
        at = (at + 1) % SEEN;
    experiment->seen[at].hash = hash;
    return &experiment->seen[at];
}

/* What is between the lines that both begin and end with. */
static void show_change(const Lines *before, const Lines *after, const char *name, const char *reason)
{
    int first = 0, last = 0, least = before->count < after->count ? before->count : after->count;
    while (first < least && !strcmp(before->text[first], after->text[first]))
        first++;
    while (last < least - first &&
           !strcmp(before->text[before->count - 1 - last], after->text[after->count - 1 - last]))
        last++;
    printf("---- %s: %s\n", name, reason);
    for (int l = first; l < before->count - last; l++)
        printf("- %s\n", before->text[l]);
    for (int l = first; l < after->count - last; l++)
        printf("+ %s\n", after->text[l]);
}

/* A mutant that another change gave, too, counts where a cell has none. */
static void hit_cells(Site *site, bool only_empty)
{
    for (int r = 0; r < site->row_count; r++)
        site->rows[r]->hits[site->kind] += !only_empty || site->rows[r]->hits[site->kind] == 0;
}

/* The change, and sometimes another, or two; how many. Where the kind alone gives hardly a new mutant, there is another. */
static int change(Experiment *experiment, const Site *site, Lines *changed, Chance *chance)
{
    int changes = mutate_line(changed, site->kind, site->line, chance);
    bool exhausted = experiment->base.stale[site->kind] > STALE / 2;
    int most = experiment->mutants % 10 == 9 ? MOST_CHANGES : experiment->mutants % 5 == 4 || exhausted ? 2 : 1;
    for (int tries = 0; changes > 0 && changes < most && tries < MORE_TRIES; tries++)
        changes += mutate_apply(changed, chance_below(chance, mutate_kind_count()), chance);
    return changes;
}

static void try_site(Experiment *experiment, Site *site)
{
    static Lines changed;
    static char text[MUTATE_TEXT_SIZE];
    static Matrix before;
    Base *base = &experiment->base;
    char name[256];
    Chance chance = chance_new(base->seed, (uint64_t)base->draws++);
    site->tries++;
    mutate_copy(&changed, &base->lines);
    base->stale[site->kind]++;
    int changes = change(experiment, site, &changed, &chance);
    mutate_join(&changed, text);
    Seen *seen = find_seen(experiment, text);
    if (changes == 0 || seen->tried) {
        experiment->same++;
        if (seen->is_mutant)
            hit_cells(site, true);
        return;
    }
    seen->tried = true;
    snprintf(name, sizeof name, "%s, mutant %" PRId64 " (%s)", base->name, base->draws - 1,
             mutate_kind_name(site->kind));
    if (!is_readable(experiment, text, name))
        return;
    before = experiment->matrix;
    const SimOracles *oracles = mutate_same_beginning(&base->lines, &changed) ? &base->oracles : NULL;
    matrix_try(&experiment->matrix, experiment->scratch, oracles, text, name);
    count_kind(&experiment->kinds[site->kind], &before, &experiment->matrix);
    count_kind(&experiment->by_changes[changes - 1], &before, &experiment->matrix);
    if (experiment->options.show_refused && experiment->matrix.refused_equal > before.refused_equal)
        show_change(&base->lines, &changed, name, experiment->matrix.reason);
    seen->is_mutant = true;
    hit_cells(site, false);
    base->stale[site->kind] = 0;
    base->mutants++;
    experiment->mutants++;
}

static bool is_enough(const Experiment *experiment)
{
    return experiment->options.total && experiment->mutants >= experiment->options.total;
}

static bool differs_enough(const Experiment *experiment, int kind)
{
    return experiment->kinds[kind].different >= experiment->options.each;
}

/* Whether all was reached that the options ask for; twice the total is all that is tried for it. */
static bool is_complete(const Experiment *experiment)
{
    const Options *options = &experiment->options;
    bool complete = is_enough(experiment) && (!options->fill || cells_sum(&experiment->cells).empty == 0);
    for (int k = 0; k < mutate_kind_count(); k++)
        complete = complete && differs_enough(experiment, k);
    return complete || (options->total && experiment->mutants >= 2 * options->total);
}

/* Whether more mutants of the program, any of them, are asked for. */
static bool is_useful(const Experiment *experiment)
{
    const Base *base = &experiment->base;
    return base->site_count > 0 && (!is_enough(experiment) || !differs_enough(experiment, lagging_kind(experiment)));
}

static void try_mutants(Experiment *experiment)
{
    Base *base = &experiment->base;
    Chance chance = chance_new(base->seed, UINT64_MAX);
    const Options *options = &experiment->options;
    while (!stop_wanted() && (options->fill || (!is_enough(experiment) && base->mutants < options->count))) {
        Site *site = empty_site(base, &chance);
        if (!site)
            break;
        try_site(experiment, site);
    }
    for (int64_t last = base->draws + 4 * options->count; base->mutants < options->count && base->draws < last;) {
        if (stop_wanted() || !is_useful(experiment))
            break;
        try_site(experiment, draw_site(experiment, &chance));
    }
}

/* Whether the program has an empty cell, or a kind of which too few differ; once enough of all do, any will do. */
static bool is_wanted(const Experiment *experiment)
{
    const Base *base = &experiment->base;
    bool wanted = true;
    for (int k = 0; k < mutate_kind_count(); k++)
        wanted = wanted && differs_enough(experiment, k);
    for (int s = 0; s < base->site_count; s++)
        wanted = wanted || fills_a_cell(&base->sites[s]) || !differs_enough(experiment, base->sites[s].kind);
    return wanted;
}

/* ---- Programs ----------------------------------------------------------------------------------------------- */

/* False where the program cannot be run, or its verdict as it is is wrong. */
static bool try_program(Experiment *experiment, const char *text, const char *name, uint64_t seed, bool is_random)
{
    static char plain[MUTATE_TEXT_SIZE];
    const Options *options = &experiment->options;
    Base *base = &experiment->base;
    char message[256] = "";
    Chance saving = chance_new(seed, UINT64_MAX - 1);
    *base = (Base){.name = name, .seed = seed};
    sim_pool_reset(experiment->pool);
    bool fits = mutate_split(&base->lines, text);
    mutate_plain(&base->lines, seed % 2);
    if (seed % 3 == 0 && !options->wrong)
        mutate_start_all(&base->lines, SIM_MAX_EVENTS - 4); /* room for what is changed */
    if (seed % 4 == 1 && !options->wrong)
        mutate_save(&base->lines, &saving);
    mutate_join(&base->lines, plain);
    find_seen(experiment, plain)->tried = true;
    const char *tried = options->wrong ? text : plain;
    const SimFile *file = sim_read(experiment->pool, tried, message, sizeof message);
    for (int l = 0; file && fits && !options->wrong && l < base->lines.count; l++)
        find_sites_of(experiment, file, l);
    if (file && fits && is_random && !is_wanted(experiment))
        return true;
    if (!file || !fits ||
        !sim_oracles_new(&base->oracles, experiment->pool, file, MATRIX_STEPS, MATRIX_REAL_STEPS, MATRIX_DRAW, message,
                         sizeof message)) {
        if (is_random && sim_lacks_places(message))
            return true;
        printf("%s: cannot be run: %s\n", name, message);
        return false;
    }
    Matrix unchanged = {.show_refused = !options->wrong};
    matrix_try(&unchanged, experiment->scratch, &base->oracles, tried, name);
    if (unchanged.accepted_equal != !options->wrong || unchanged.refused_different != options->wrong) {
        matrix_print(&unchanged, name);
        return false;
    }
    if (options->wrong)
        return true;
    try_mutants(experiment);
    fflush(stdout);
    return true;
}

static bool try_file(Experiment *experiment, const char *path, int number)
{
    static char text[MUTATE_TEXT_SIZE];
    if (!read_text(path, text)) {
        printf("%s: cannot be read\n", path);
        return false;
    }
    return try_program(experiment, text, path, experiment->options.seed + (uint64_t)number, false);
}

/* Whether it is of more than one rank, and not too large. */
static bool is_handy(Experiment *experiment, const char *text)
{
    char message[256];
    int64_t ranks = 1, lines = 0;
    sim_pool_reset(experiment->scratch);
    const SimFile *file = sim_read(experiment->scratch, text, message, sizeof message);
    for (int a = 0; file && a < file->axis_count; a++)
        ranks *= file->axes[a].size;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    return !file || (ranks > 1 && ranks * lines <= LARGEST);
}

/* Random programs that are right as they are; mistakes on purpose are left out. */
static bool try_random(Experiment *experiment)
{
    static char place[PLACE_SIZE];
    uint64_t seed = experiment->options.seed;
    bool right = true;
    if (experiment->next_program == 0)
        experiment->next_program = (uint64_t)experiment->job;
    for (; !is_complete(experiment) && !stop_wanted(); experiment->next_program += (uint64_t)experiment->options.jobs) {
        uint64_t index = experiment->next_program;
        RandomProgram what;
        Refusal refusal;
        char name[64];
        random_text(seed, index, place, sizeof place, &what);
        char *text = what.by_hand ? NULL : prove_derive(place, &refusal);
        if (!text || !is_handy(experiment, text)) {
            free(text);
            continue;
        }
        snprintf(name, sizeof name, "seed %" PRIu64 ", program %" PRIu64, seed, index);
        right = try_program(experiment, text, name, seed * 1000003u + index, true) && right; /* other mutants of each */
        free(text);
    }
    return right;
}

/* ---- What was counted --------------------------------------------------------------------------------------- */

static void print_count(const char *name, const KindCount *count)
{
    printf("    %-16s %10" PRId64 " %10" PRId64 " %10" PRId64 " %10" PRId64 " %10" PRId64 "\n", name, count->equal,
           count->different, count->faulted, count->refused_equal, count->accepted_different);
}

static void print_kinds(const Experiment *experiment)
{
    static const char *const numbers[MOST_CHANGES] = {"one change", "two changes", "three changes"};
    printf("    %-16s %10s %10s %10s %10s %10s\n", "kind", "equal", "different", "cannot run", "refused", "ACCEPTED");
    printf("    %-16s %10s %10s %10s %10s %10s\n", "", "", "refused", "of them", "equal", "different");
    for (int k = 0; k < mutate_kind_count(); k++)
        print_count(mutate_kind_name(k), &experiment->kinds[k]);
    for (int n = 0; n < MOST_CHANGES; n++)
        print_count(numbers[n], &experiment->by_changes[n]);
}

static void print_cells(Experiment *experiment)
{
    CellSums sums = cells_sum(&experiment->cells);
    printf("    %" PRId64 " mutants; next to them %" PRId64 " draws changed nothing or what was tried, %" PRId64
           " texts could not be read\n",
           experiment->mutants, experiment->same, experiment->unreadable);
    printf("    %d rows of operator, signature and mode; %d cells with kinds of changes, %d of them empty, least hits "
           "%d\n",
           sums.rows, sums.cells, sums.empty, sums.least);
    const char *columns[CELL_KINDS];
    for (int k = 0; k < mutate_kind_count(); k++)
        columns[k] = mutate_kind_name(k);
    if (experiment->options.fill)
        cells_print_empty(&experiment->cells, columns);
    if (!experiment->options.hits)
        return;
    FILE *out = fopen(experiment->options.hits, "w");
    if (!out) {
        fprintf(stderr, "cannot write '%s'\n", experiment->options.hits);
        return;
    }
    cells_write(&experiment->cells, out, mutate_kind_count(), columns);
    fclose(out);
}

/* Takes an option with its value at argv[*a]; false where it is a file. */
static bool take_option(Options *options, char **argv, int argc, int *a)
{
    const char *word = argv[*a];
    bool more = *a + 1 < argc;
    if (!strcmp(word, "--count") && more)
        options->count = atoi(argv[++*a]);
    else if (!strcmp(word, "--total") && more)
        options->total = atoll(argv[++*a]);
    else if (!strcmp(word, "--each") && more)
        options->each = atoll(argv[++*a]);
    else if (!strcmp(word, "--jobs") && more)
        options->jobs = atoi(argv[++*a]);
    else if (!strcmp(word, "--seed") && more)
        options->seed = strtoull(argv[++*a], NULL, 10);
    else if (!strcmp(word, "--hits") && more)
        options->hits = argv[++*a];
    else if (!strcmp(word, "--state") && more)
        options->state = argv[++*a];
    else if (!strcmp(word, "--seconds") && more)
        options->seconds = atoi(argv[++*a]);
    else if (!strcmp(word, "--fill"))
        options->fill = true;
    else if (!strcmp(word, "--random"))
        options->random = true;
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

/* ---- Processes ---------------------------------------------------------------------------------------------- */

/* What a process has counted, as it is in memory: for the same program, called in the same way. */
static void state_name(const Experiment *experiment, char *name, size_t size)
{
    snprintf(name, size, "%s.%d", experiment->options.state, experiment->job);
}

static void load_state(Experiment *experiment)
{
    char name[512];
    Options options = experiment->options;
    int job = experiment->job;
    state_name(experiment, name, sizeof name);
    FILE *file = options.state ? fopen(name, "rb") : NULL;
    if (!file)
        return;
    if (fread(experiment, sizeof *experiment, 1, file) != 1)
        memset(experiment, 0, sizeof *experiment);
    fclose(file);
    experiment->options = options;
    experiment->job = job;
}

static void save_state(const Experiment *experiment)
{
    char name[512];
    state_name(experiment, name, sizeof name);
    FILE *file = experiment->options.state ? fopen(name, "wb") : NULL;
    if (file && (fwrite(experiment, sizeof *experiment, 1, file) != 1) | (fclose(file) != 0))
        fprintf(stderr, "cannot write '%s'\n", name);
}

/* Its share of the files and of the random programs. The same file twice is of the same process, which knows its
 * mutants. */
static void do_share(Experiment *experiment, int argc, char **argv)
{
    load_state(experiment);
    Options *options = &experiment->options, again = {.wrong = false};
    options->wrong = false;
    stop_after((unsigned)options->seconds);
    options->total = (options->total + options->jobs - 1) / options->jobs;
    options->each = (options->each + options->jobs - 1) / options->jobs;
    experiment->pool = sim_pool_new();
    experiment->scratch = sim_pool_new();
    experiment->matrix.apart = true;
    for (int a = 1; a < argc && !stop_wanted(); a++) {
        bool is_file = !take_option(&again, argv, argc, &a);
        options->wrong = again.wrong;
        if (!is_file || a < experiment->next_file ||
            (int)(sim_mix_name(0, argv[a]) % (uint64_t)options->jobs) != experiment->job)
            continue;
        bool right = try_file(experiment, argv[a], a);
        experiment->passed += right;
        experiment->failed += !right;
        if (!stop_wanted())
            experiment->next_file = a + 1;
    }
    options->wrong = false;
    if (options->random)
        experiment->failed += !try_random(experiment);
    save_state(experiment);
    sim_pool_free(experiment->pool);
    sim_pool_free(experiment->scratch);
}

/* False where one did not come to its end. */
static bool wait_for(const pid_t *processes, int count)
{
    bool ended = true, reported = false;
    for (int left = count, status; left > 0;) {
        bool stop = stop_wanted() && !reported;
        for (int j = 0; stop && j < count; j++)
            kill(processes[j], SIGTERM);
        reported = reported || stop;
        if (waitpid(-1, &status, WNOHANG) <= 0) {
            nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
            continue;
        }
        left--;
        ended = ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return ended;
}

static bool run_jobs(Experiment *parts, int argc, char **argv)
{
    pid_t processes[MAX_JOBS];
    for (int j = 0; j < parts->options.jobs; j++) {
        Experiment *part = &parts[1 + j];
        part->options = parts->options;
        part->job = j;
        processes[j] = fork();
        if (processes[j] == 0) {
            /* What is printed for a program comes out in one piece. */
            setvbuf(stdout, NULL, _IOFBF, OUTPUT_SIZE);
            do_share(part, argc, argv);
            fflush(stdout);
            _exit(0);
        }
    }
    return wait_for(processes, parts->options.jobs);
}

static void add_count(KindCount *sum, const KindCount *part)
{
    sum->equal += part->equal;
    sum->different += part->different;
    sum->faulted += part->faulted;
    sum->accepted_different += part->accepted_different;
    sum->refused_equal += part->refused_equal;
}

static void add_part(Experiment *sum, const Experiment *part)
{
    sum->passed += part->passed;
    sum->failed += part->failed;
    sum->mutants += part->mutants;
    sum->same += part->same;
    sum->unreadable += part->unreadable;
    matrix_add(&sum->matrix, &part->matrix);
    cells_add(&sum->cells, &part->cells);
    for (int k = 0; k < mutate_kind_count(); k++)
        add_count(&sum->kinds[k], &part->kinds[k]);
    for (int n = 0; n < MOST_CHANGES; n++)
        add_count(&sum->by_changes[n], &part->by_changes[n]);
}

int main(int argc, char **argv)
{
    Options options = {.count = 200, .seed = 1, .jobs = 1};
    for (int a = 1; a < argc; a++)
        take_option(&options, argv, argc, &a);
    if (options.jobs < 1 || options.jobs > MAX_JOBS) {
        fprintf(stderr, "--jobs is 1 to %d\n", MAX_JOBS);
        return 64;
    }
    /* One part for the sum, then one for each process. */
    Experiment *parts = mmap(NULL, sizeof(Experiment) * (size_t)(1 + options.jobs), PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (parts == MAP_FAILED) {
        fprintf(stderr, "no memory\n");
        return 1;
    }
    stop_on_signals();
    parts->options = options;
    bool ended = run_jobs(parts, argc, argv);
    for (int j = 1; j <= options.jobs; j++)
        add_part(parts, &parts[j]);
    matrix_print(&parts->matrix, "mutants");
    print_cells(parts);
    if (options.kinds)
        print_kinds(parts);
    printf("mutate: %" PRId64 " passed, %" PRId64 " failed%s\n", parts->passed, parts->failed,
           ended ? "" : ", and fell over");
    return ended && parts->failed == 0 && !matrix_failed(&parts->matrix) ? 0 : 1;
}
