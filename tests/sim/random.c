/* random.c - random .place programs: derived, verified, and run on simulated ranks.
 *
 *     random [--count N] [--seed N] [--first N] [--show-refused] [--hits FILE] [--print INDEX]
 *
 * Counted: what the front end refuses before there is a program, by code; the verdicts of the verifier against
 * execution; strategies and operators that occur, and those that do not; in FILE, in which cuts under which strategies.
 * The exit status is 1 where a program was accepted that differs from one device.
 */
#include "tests/sim/hits.h"
#include "tests/sim/matrix.h"
#include "tests/sim/prove.h"
#include "tests/sim/random_text.h"
#include "tests/sim/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_SIZE = 1 << 14, MAX_CODES = 64 };

typedef struct Options {
    int64_t count, first, print;
    uint64_t seed;
    bool show_refused;
    const char *hits;
} Options;

/* Programs that the front end refused, by code. What is not supported says so; all else is a conflict of the program's
 * own lines, which the message shows. */
typedef struct Codes {
    int64_t unsupported, conflicts;
    int64_t without_places; /* derived, but one device finds no place for some row: there is nothing to compare */
    int count;
    struct {
        char code[96];
        int64_t count, example;
    } of[MAX_CODES];
} Codes;

static bool parse_options(int argc, char **argv, Options *options)
{
    *options = (Options){.count = 100, .seed = 1, .print = -1};
    for (int a = 1; a < argc; a++) {
        bool more = a + 1 < argc;
        if (!strcmp(argv[a], "--count") && more)
            options->count = atoll(argv[++a]);
        else if (!strcmp(argv[a], "--seed") && more)
            options->seed = strtoull(argv[++a], NULL, 10);
        else if (!strcmp(argv[a], "--first") && more)
            options->first = atoll(argv[++a]);
        else if (!strcmp(argv[a], "--print") && more)
            options->print = atoll(argv[++a]);
        else if (!strcmp(argv[a], "--hits") && more)
            options->hits = argv[++a];
        else if (!strcmp(argv[a], "--show-refused"))
            options->show_refused = true;
        else
            return false;
    }
    return options->count > 0;
}

static const char unsupported[] = "P0290";

static void count_code(Codes *codes, const char *reason, int64_t index)
{
    char code[96];
    snprintf(code, sizeof code, "%.*s", (int)strcspn(reason, "'"), reason);
    *(strncmp(reason, unsupported, strlen(unsupported)) == 0 ? &codes->unsupported : &codes->conflicts) += 1;
    int c = 0;
    while (c < codes->count && strcmp(codes->of[c].code, code) != 0)
        c++;
    if (c == MAX_CODES)
        return;
    if (c == codes->count) {
        codes->count++;
        snprintf(codes->of[c].code, sizeof codes->of[c].code, "%s", code);
        codes->of[c].example = index;
    }
    codes->of[c].count++;
}

/* False where the reference does not run: a mistake of ours, or of the model's lowering. */
static bool try_program(const Options *options, int64_t index, SimPool *pool, SimPool *scratch, Matrix *matrix,
                        Codes *codes, Hits *hits)
{
    static char place[PLACE_SIZE];
    char message[256], name[64];
    Refusal refusal;
    RandomProgram what;
    random_text(options->seed, (uint64_t)index, place, sizeof place, &what);
    snprintf(name, sizeof name, "seed %" PRIu64 ", program %" PRId64, options->seed, index);
    char *text = prove_derive(place, &refusal);
    if (!text) {
        count_code(codes, refusal.text, index);
        return true;
    }
    sim_pool_reset(pool);
    SimOracles oracles;
    const SimFile *file = sim_read(pool, text, message, sizeof message);
    bool runs = file && sim_oracles_new(&oracles, pool, file, MATRIX_STEPS, MATRIX_REAL_STEPS, options->seed + 1,
                                        message, sizeof message);
    if (runs) {
        matrix->right = !what.by_hand;
        matrix_try(matrix, scratch, &oracles, text, name);
        hits_count(hits, &file->program, file, &what);
    } else if (sim_lacks_places(message)) {
        codes->without_places++;
        runs = true;
    } else {
        printf("---- CANNOT BE RUN: %s: %s\n%s", name, message, place);
    }
    free(text);
    return runs;
}

static double percent(int64_t part, int64_t all)
{
    return all > 0 ? 100.0 * (double)part / (double)all : 0;
}

/* How many of all programs end how; what of the refused has no witness is the last line. */
static void print_shares(const Matrix *matrix, const Codes *codes, int64_t tried)
{
    int64_t unexplained = matrix->unexplained.total;
    int64_t without = unexplained + matrix->refused_equal + codes->unsupported;
    printf("    accepted %.1f %%, refused with reasons %.1f %% (%" PRId64 " by execution, %" PRId64
           " conflicts of types), refused without witness %" PRId64 " = %.2f %%\n",
           percent(matrix->accepted_equal, tried), percent(tried - matrix->accepted_equal - without, tried),
           matrix->refused_different - unexplained, codes->conflicts, without, percent(without, tried));
}

int main(int argc, char **argv)
{
    Options options;
    if (!parse_options(argc, argv, &options)) {
        fprintf(stderr,
                "usage: random [--count N] [--seed N] [--first N] [--show-refused] [--hits FILE] [--print N]\n");
        return 64;
    }
    if (options.print >= 0) {
        static char place[PLACE_SIZE];
        RandomProgram what;
        random_text(options.seed, (uint64_t)options.print, place, sizeof place, &what);
        fputs(place, stdout);
        return 0;
    }
    SimPool *pool = sim_pool_new(), *scratch = sim_pool_new();
    static Matrix matrix;
    static Codes codes;
    static Hits hits;
    matrix.show_refused = options.show_refused;
    bool ran = true;
    stop_on_signals();
    int64_t tried = 0;
    for (int64_t i = options.first; tried < options.count && !stop_wanted(); i++, tried++)
        ran = try_program(&options, i, pool, scratch, &matrix, &codes, &hits) && ran;
    printf("%" PRId64 " of seed %" PRIu64 " from %" PRId64 " on\n", tried, options.seed, options.first);
    matrix_print(&matrix, "random programs");
    print_shares(&matrix, &codes, tried);
    printf("    ended by a row without a place %" PRId64 "\n", codes.without_places);
    for (int c = 0; c < codes.count; c++)
        printf("    not derived   %8" PRId64 "  %s(program %" PRId64 ")\n", codes.of[c].count, codes.of[c].code,
               codes.of[c].example);
    hits_print(&hits);
    if (options.hits)
        hits_write(&hits, options.hits);
    sim_pool_free(pool);
    sim_pool_free(scratch);
    return ran && !matrix_failed(&matrix) && matrix.unreadable == 0 ? 0 : 1;
}
