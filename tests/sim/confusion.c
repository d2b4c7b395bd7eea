/* confusion.c - every small explicit program (exhaust.h): the verifier's verdict against execution.
 *
 *     confusion [--limit N] [--settings FIRST LAST] [--show-refused] [--each]
 *
 * With a limit, only every so many-th program of each setting. The exit status is 1 if a program was accepted that
 * differs from one device.
 */
#include "tests/sim/exhaust.h"
#include "tests/sim/matrix.h"
#include "tests/sim/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 1 << 15, DRAW = 1 };

typedef struct Options {
    int64_t limit;
    int first, last;
    bool show_refused, each;
} Options;

static bool parse_options(int argc, char **argv, Options *options)
{
    *options = (Options){.limit = INT64_MAX, .last = exhaust_setting_count() - 1};
    for (int a = 1; a < argc; a++) {
        if (!strcmp(argv[a], "--limit") && a + 1 < argc) {
            options->limit = atoll(argv[++a]);
        } else if (!strcmp(argv[a], "--settings") && a + 2 < argc) {
            options->first = atoi(argv[++a]);
            options->last = atoi(argv[++a]);
        } else if (!strcmp(argv[a], "--show-refused")) {
            options->show_refused = true;
        } else if (!strcmp(argv[a], "--each")) {
            options->each = true;
        } else {
            return false;
        }
    }
    return options->limit > 0 && options->first >= 0 && options->last < exhaust_setting_count();
}

/* False where the reference itself does not run: our mistake. */
static bool try_setting(const Options *options, int setting, SimPool *pool, SimPool *scratch, Matrix *matrix)
{
    static char text[TEXT_SIZE];
    char message[256], title[128], name[192];
    sim_pool_reset(pool);
    Exhaust *exhaust = exhaust_new(pool, setting);
    if (exhaust->count == 0)
        return true;
    exhaust_describe(exhaust, title, sizeof title);
    SimOracles oracles;
    if (!exhaust_text(exhaust, 0, text, sizeof text))
        return false;
    const SimFile *file = sim_read(pool, text, message, sizeof message);
    if (!file ||
        !sim_oracles_new(&oracles, pool, file, MATRIX_STEPS, MATRIX_REAL_STEPS, DRAW, message, sizeof message)) {
        printf("%s: %s\n", title, message);
        return false;
    }
    int64_t stride = exhaust->count / options->limit + 1;
    if (stride % 2 == 0)
        stride++; /* neighbours differ in the scale of one move: do not always meet the same */
    for (int64_t i = 0; i < exhaust->count && !stop_wanted(); i += stride) {
        if (!exhaust_text(exhaust, i, text, sizeof text))
            return false;
        snprintf(name, sizeof name, "%d:%" PRId64 " %s", setting, i, title);
        matrix_try(matrix, scratch, &oracles, text, name);
    }
    if (options->each)
        matrix_print(matrix, title);
    return true;
}

int main(int argc, char **argv)
{
    Options options;
    if (!parse_options(argc, argv, &options)) {
        fprintf(stderr, "usage: confusion [--limit N] [--settings FIRST LAST] [--show-refused] [--each]\n");
        return 64;
    }
    SimPool *pool = sim_pool_new(), *scratch = sim_pool_new();
    Matrix sum = {0};
    bool ran = true;
    stop_on_signals();
    for (int setting = options.first; setting <= options.last && !stop_wanted(); setting++) {
        Matrix matrix = {.show_refused = options.show_refused};
        ran = try_setting(&options, setting, pool, scratch, &matrix) && ran;
        matrix_add(&sum, &matrix);
    }
    matrix_print(&sum, "explicit programs");
    sim_pool_free(pool);
    sim_pool_free(scratch);
    return ran && !matrix_failed(&sum) && sum.unreadable == 0 ? 0 : 1;
}
