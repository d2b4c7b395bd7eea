/* checks.c - is every check of the verifier needed? Programs that are refused and differ from one device are proved
 * again with one of the checks that refused them switched off.
 *
 *     checks LIST [--random N] [--count N] [--seed N] [--jobs N] FILE.step|FILE.edits...
 *
 * LIST names the checks (checks.sh). The programs are the files, mutants of those among them that are right, and
 * mutants of random programs. What becomes of each check:
 *
 *     caught      without it a program that differs is accepted
 *     guard       without it the verifier falls over: what stands behind it relies on it
 *     strict      without it only programs are accepted that are equal: a rule of the form, or a conservative one
 *     doubled     what it refuses is refused all the same, with the codes that are said: it explains better, or sooner
 *     limit       it names a limit (MOST_..., ..._MAX_..., limit, may_continue): programs beyond it are not tried
 *     not reached no program was refused by it: it is redundant, or a program is missing that needs it. It may be true
 *                 in programs that are refused, but changes nothing in what is said of them
 *
 * The exit status is 1 if one is not reached.
 */
#include "tests/sim/checks.h"
#include "tests/sim/trials.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Catch { NOT_REACHED, LIMIT, DOUBLED, STRICT, GUARD, CAUGHT, CATCH_COUNT } Catch;

typedef struct Check {
    char text[240];
    Catch how;
    int crashes;        /* a few say enough: each may take seconds */
    int fired, doubled; /* programs */
    char by[160];       /* the program; of a doubled one the codes */
} Check;

typedef struct Experiment {
    Trials trials;
    int check_count;
    Check checks[TRIALS_MOST];
} Experiment;

/* `all`: the diagnostics with it. */
static void try_without(const SimOracles *oracles, Check *check, int number, const char *text, const char *name,
                        unsigned long all)
{
    const Trial *trial = trials_prove(text, number);
    Proof proof = trial->proof;
    check->fired++;
    check->crashes += proof == PROOF_CRASHED;
    Catch how = proof == PROOF_CRASHED                     ? GUARD
                : proof == PROOF_REFUSED                   ? DOUBLED
                : !oracles || trials_differ(oracles, text) ? CAUGHT
                                                           : STRICT;
    if (how >= STRICT && check->how < how) {
        check->how = how;
        snprintf(check->by, sizeof check->by, "%s", name);
    } else if (proof == PROOF_REFUSED && check->how <= DOUBLED && trial->all != all) {
        if (check->how < DOUBLED)
            check->by[0] = '\0';
        check->how = DOUBLED;
        check->doubled++;
        if (!strstr(check->by, trial->code) && strlen(check->by) + 7 < sizeof check->by)
            sprintf(check->by + strlen(check->by), "%s%s", *check->by ? " " : "", trial->code);
    }
}

/* Switches off, one at a time, what refuses the program and is not caught yet. */
static void try_text(Trials *trials, const SimOracles *oracles, const char *text, const char *name)
{
    Experiment *experiment = (Experiment *)trials;
    static Trial whole;
    whole = *trials_prove(text, TRIALS_NONE);
    if (whole.proof != PROOF_REFUSED)
        return;
    for (int c = 0; c < experiment->check_count; c++) {
        Check *check = &experiment->checks[c];
        if (whole.fired[c] && check->how != CAUGHT && check->crashes < 3)
            try_without(oracles, check, c, text, name, whole.all);
    }
}

static bool names_limit(const char *check)
{
    return strstr(check, "MOST_") || strstr(check, "_MAX_") || strstr(check, "limit") || strstr(check, "may_continue(");
}

static bool read_list(Experiment *experiment, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    while (file && experiment->check_count < TRIALS_MOST && fgets(line, sizeof line, file)) {
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
           experiment->trials.programs);
}

int main(int argc, char **argv)
{
    Experiment *experiment = trials_memory(sizeof *experiment);
    int counts[CATCH_COUNT] = {0};
    if (argc < 2 || !experiment || !read_list(experiment, argv[1])) {
        fprintf(stderr, "usage: checks LIST [--random N] [--count N] [--seed N] [--jobs N] FILE.step|FILE.edits...\n");
        return 64;
    }
    experiment->trials = (Trials){.try_text = try_text, .count = 20, .seed = 1};
    bool found = trials_run(&experiment->trials, argc - 2, argv + 2);
    print_table(experiment, counts);
    return !found || counts[NOT_REACHED] > 0;
}
