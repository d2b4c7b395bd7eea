/* wrong.c - programs that differ from one device, or cannot be run: all are to be refused.
 *
 *     wrong [--print WORDS] FILE.edits|FILE.step... [--strict FILE.edits|FILE.step...]
 *
 * --print prints the programs whose name has these words instead.
 * Those behind --strict are refused though they are equal: by a rule of the form, or a conservative one. The exit
 * status is 1 if the verifier accepts one, or one is equal to one device and not behind --strict: then it shows
 * nothing.
 */
#include "tests/sim/edits.h"
#include "tests/sim/matrix.h"
#include "tests/sim/prove.h"

#include <stdio.h>
#include <string.h>

enum { DRAW = 1 };

typedef struct Wrong {
    SimPool *pool, *scratch;
    bool strict; /* the programs are equal */
    int passed, failed;
} Wrong;

static void print_text(void *user, const char *name, const char *text)
{
    if (strstr(name, user))
        printf("# %s\n%s", name, text);
}

static void try_text(void *user, const char *name, const char *text)
{
    Wrong *wrong = user;
    char message[256];
    SimOracles oracles;
    Refusal refusal;
    Matrix matrix = {.apart = true};
    sim_pool_reset(wrong->pool);
    const SimFile *file = sim_read(wrong->pool, text, message, sizeof message);
    bool refused = prove_apart(text, &refusal) == PROOF_REFUSED;
    if (!strncmp(refusal.text, "P034", 4)) {
        printf("%s: no step program: %s\n", name, refusal.text);
        wrong->failed++;
        return;
    }
    if (file &&
        sim_oracles_new(&oracles, wrong->pool, file, MATRIX_STEPS, MATRIX_REAL_STEPS, DRAW, message, sizeof message)) {
        matrix_try(&matrix, wrong->scratch, &oracles, text, name);
        refused = wrong->strict ? matrix.refused_equal == 1 : matrix.refused_different == 1;
    } /* else it cannot be run */
    if (!refused)
        printf("%s: %s\n", name,
               matrix.refused_equal       ? "equal, and refused"
               : matrix.refused_different ? "different"
                                          : "not refused");
    wrong->passed += refused;
    wrong->failed += !refused;
}

int main(int argc, char **argv)
{
    Wrong wrong = {.pool = sim_pool_new(), .scratch = sim_pool_new()};
    if (argc > 3 && !strcmp(argv[1], "--print")) {
        for (int a = 3; a < argc; a++)
            edits_visit(argv[a], print_text, argv[2]);
        return 0;
    }
    for (int a = 1; a < argc; a++)
        if (!strcmp(argv[a], "--strict"))
            wrong.strict = true;
        else if (!edits_visit(argv[a], try_text, &wrong))
            wrong.failed++;
    sim_pool_free(wrong.pool);
    sim_pool_free(wrong.scratch);
    printf("wrong: %d passed, %d failed\n", wrong.passed, wrong.failed);
    return wrong.failed == 0 && wrong.passed > 0 ? 0 : 1;
}
