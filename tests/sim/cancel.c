/* cancel.c - illegal routes to a value less the legal ones, rule by rule: the verifier's verdict against execution.
 *
 *     cancel [--count N] [--seed N] [--first N] [--show-refused] [--print RULE INDEX]
 *
 * N programs of each rule (cancel_text.h), and as many twins, with the legal route in both places. The exit status is 1
 * if a program was accepted that differs from one device, a twin was refused that is equal, or if of some rule nothing
 * differs, or no twin was accepted: then it shows nothing.
 */
#include "tests/sim/cancel_text.h"
#include "tests/sim/matrix.h"
#include "tests/sim/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Options {
    int64_t count, first, print;
    int rule;
    uint64_t seed;
    bool show_refused;
} Options;

static bool take_options(int argc, char **argv, Options *options)
{
    *options = (Options){.count = 100, .print = -1, .seed = 1};
    for (int a = 1; a < argc; a++) {
        bool more = a + 1 < argc;
        if (!strcmp(argv[a], "--count") && more) {
            options->count = atoll(argv[++a]);
        } else if (!strcmp(argv[a], "--seed") && more) {
            options->seed = strtoull(argv[++a], NULL, 10);
        } else if (!strcmp(argv[a], "--first") && more) {
            options->first = atoll(argv[++a]);
        } else if (!strcmp(argv[a], "--show-refused")) {
            options->show_refused = true;
        } else if (!strcmp(argv[a], "--print") && a + 2 < argc) {
            options->rule = atoi(argv[++a]);
            options->print = atoll(argv[++a]);
        } else {
            return false;
        }
    }
    return options->count > 0 && options->rule >= 0 && options->rule < cancel_rule_count();
}

/* Of one rule; false where it shows nothing. */
static bool try_rule(const Options *options, int rule, SimPool *scratch, Matrix *sum, Matrix *twins_sum)
{
    static char text[CANCEL_SIZE];
    static Matrix matrix, twins;
    char name[128];
    memset(&matrix, 0, sizeof matrix);
    memset(&twins, 0, sizeof twins);
    twins.show_refused = options->show_refused;
    for (int64_t i = options->first; i < options->first + options->count && !stop_wanted(); i++) {
        snprintf(name, sizeof name, "rule %d, seed %" PRIu64 ", program %" PRId64, rule, options->seed, i);
        cancel_text(rule, options->seed, (uint64_t)i, false, text, sizeof text);
        matrix_try(&matrix, scratch, NULL, text, name);
        cancel_text(rule, options->seed, (uint64_t)i, true, text, sizeof text);
        matrix_try(&twins, scratch, NULL, text, name);
    }
    bool shows = matrix.refused_different > matrix.faulted && twins.accepted_equal > 0;
    printf("%3d %-50s %7" PRId64 " %7" PRId64 " %7" PRId64 " %7" PRId64 " %7" PRId64 "%s\n", rule,
           cancel_rule_name(rule), matrix.refused_different, matrix.accepted_equal + matrix.refused_equal,
           matrix.accepted_different, twins.accepted_equal, twins.refused_equal + twins.refused_different,
           shows ? "" : "  shows nothing");
    matrix_add(sum, &matrix);
    matrix_add(twins_sum, &twins);
    return shows || stop_wanted();
}

static void print_program(const Options *options)
{
    static char text[CANCEL_SIZE];
    char message[256];
    for (int legal = 0; legal < 2; legal++) {
        cancel_text(options->rule, options->seed, (uint64_t)options->print, legal, text, sizeof text);
        SimVerdict verdict = sim_judge(text, MATRIX_STEPS, MATRIX_DRAW, message, sizeof message);
        printf("%s# %s: %s %s\n", text, legal ? "the legal route twice" : "less the legal route",
               sim_verdict_name(verdict), message);
    }
}

int main(int argc, char **argv)
{
    static Matrix matrix, twins;
    Options options;
    if (!take_options(argc, argv, &options)) {
        fprintf(stderr, "usage: cancel [--count N] [--seed N] [--first N] [--show-refused] [--print RULE INDEX]\n");
        return 64;
    }
    if (options.print >= 0) {
        print_program(&options);
        return 0;
    }
    SimPool *scratch = sim_pool_new();
    bool shows = true;
    stop_on_signals();
    printf("    %-50s %7s %7s %7s %7s %7s\n", "rule", "refused", "equal", "WRONG", "twins", "refused");
    for (int r = 0; r < cancel_rule_count() && !stop_wanted(); r++)
        shows = try_rule(&options, r, scratch, &matrix, &twins) && shows;
    matrix_print(&matrix, "cancellations");
    matrix_print(&twins, "their twins");
    sim_pool_free(scratch);
    bool failed = matrix_failed(&matrix) || matrix_failed(&twins) || twins.refused_different || twins.refused_equal ||
                  twins.accepted_different;
    return shows && !failed ? 0 : 1;
}
