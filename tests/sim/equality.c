/* equality.c - does the verifier notice when its equality is damaged? Every comparison of like with like is answered as
 * if both were equal, every normal form is left out, one at a time (vary.c), on programs that are right and on programs
 * that are wrong.
 *
 *     equality LIST IMPLIED [--only TEXT] [--random N] [--count N] [--seed N] [--jobs N] FILE.step|FILE.edits...
 *
 * --only: at the places whose line has the text ("same ", "schedule_op.c ").
 * What becomes of each place in LIST:
 *
 *     caught      a program that differs from one device is accepted
 *     needed      a right program is refused
 *     guard       the verifier falls over, or does not end: what stands after relies on it
 *     lax         only programs are accepted that are equal: it tells more apart than has to be
 *     words       what is refused is refused all the same, and something else is said of it
 *     quiet       the verifier does something else, and says the same
 *     unseen      nothing that the verifier does changes, though the place says something else
 *     not reached the place always says this
 *
 * The first three are damage that is noticed. Every other place has to be in IMPLIED, with what becomes of it at most,
 * in the order above from the last to the fourth, and the reason why that is right:
 *
 *     unseen same value.c value_same: a->kind != b->kind
 *         The reason, on lines that are indented.
 *
 * An entry that says anything but what is found here is a fault too, so that the file cannot rot: the exit status is 1.
 */
#include "tests/sim/trials.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 256, MOST_ENTRIES = 1024, OFTEN = 40, SELDOM = 8 };

typedef enum Fate { NOT_REACHED, UNSEEN, QUIET, WORDS, LAX, GUARD, NEEDED, CAUGHT, FATE_COUNT } Fate;
static const char *const fate_word[] = {"not reached", "unseen", "quiet", "words", "lax", "guard", "needed", "caught"};

typedef struct Damage {
    char key[KEY_SIZE]; /* "same value.c value_same: a->kind != b->kind" */
    int line;
    bool left_out, reasoned; /* there is an entry */
    Fate fate;
    int tried[2]; /* on refused programs, on accepted ones */
    char by[160]; /* the program */
} Damage;

/* A line of IMPLIED. */
typedef struct Entry {
    char key[KEY_SIZE];
    Fate fate;
    bool used, reasoned;
} Entry;

typedef struct Experiment {
    Trials trials;
    int damage_count, entry_count;
    const char *only; /* places with this in their keys */
    Damage damages[TRIALS_MOST];
    Entry entries[MOST_ENTRIES];
} Experiment;

/* What the damaged verifier answered to a program to which the undamaged one had answered `whole`. */
static Fate fate_of(const SimOracles *oracles, const char *text, const Trial *whole, const Trial *trial)
{
    if (trial->proof == PROOF_CRASHED)
        return GUARD;
    if (trial->proof != whole->proof && trial->proof == PROOF_REFUSED)
        return NEEDED;
    if (trial->proof != whole->proof)
        return !oracles || trials_differ(oracles, text) ? CAUGHT : LAX;
    if (trial->all != whole->all)
        return WORDS;
    return trial->allocations != whole->allocations ? QUIET : UNSEEN;
}

/* Comparisons are to be caught, and tried until they are; of the rest anything will do that is noticed, and those with
 * a reason why it is not are tried now and then: on wrong programs, which may catch it, and on right ones, which may
 * need it. */
static bool is_tried(Damage *damage, Proof proof)
{
    bool compares = !strncmp(damage->key, "same ", 5);
    if (damage->fate == CAUGHT || (damage->fate >= GUARD && (!compares || proof == PROOF_ACCEPTED)))
        return false;
    int tried = ++damage->tried[proof == PROOF_ACCEPTED];
    return compares || !damage->reasoned || tried < OFTEN || tried % SELDOM == 0;
}

static void try_text(Trials *trials, const SimOracles *oracles, const char *text, const char *name)
{
    static Trial whole;
    Experiment *experiment = (Experiment *)trials;
    whole = *trials_prove(text, TRIALS_NONE);
    if (whole.proof == PROOF_CRASHED)
        return;
    for (int d = 0; d < experiment->damage_count; d++) {
        Damage *damage = &experiment->damages[d];
        if (!whole.fired[d] || damage->left_out || !is_tried(damage, whole.proof))
            continue;
        Fate fate = fate_of(oracles, text, &whole, trials_prove(text, d));
        if (fate <= damage->fate)
            continue;
        damage->fate = fate;
        snprintf(damage->by, sizeof damage->by, "%s", name);
    }
}

/* ---- What there is, and what it means ------------------------------------------------------------------ */

/* "0 verify/value.c:55 same form_equal: a->kind != b->kind" */
static bool read_list(Experiment *experiment, const char *path)
{
    static char line[4096];
    FILE *file = fopen(path, "r");
    while (file && experiment->damage_count < TRIALS_MOST && fgets(line, sizeof line, file)) {
        char source[64], how[8];
        int at, number;
        Damage *damage = &experiment->damages[experiment->damage_count];
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "%*d %63[^:]:%d %7s %n", source, &number, how, &at) < 3)
            break;
        const char *last = strrchr(source, '/');
        snprintf(damage->key, sizeof damage->key, "%s %s %.180s", how, last ? last + 1 : source, line + at);
        damage->line = number;
        damage->left_out = !strstr(damage->key, experiment->only);
        experiment->damage_count++;
    }
    if (file)
        fclose(file);
    return experiment->damage_count > 0;
}

static bool read_implied(Experiment *experiment, const char *path)
{
    static char line[4096];
    bool fine = true;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (isspace((unsigned char)line[0])) {
            for (int e = experiment->entry_count - 1; e >= 0 && !experiment->entries[e].reasoned; e--)
                experiment->entries[e].reasoned = true; /* of all entries since the last reason */
            continue;
        }
        Entry *entry = &experiment->entries[experiment->entry_count++];
        int fate = 0;
        while (fate < GUARD && strncmp(line, fate_word[fate], strlen(fate_word[fate])) != 0)
            fate++;
        if (fate == GUARD || experiment->entry_count == MOST_ENTRIES) {
            printf("%s: not one of 'not reached', 'unseen', 'quiet', 'words', 'lax': %s\n", path, line);
            fine = false;
            break;
        }
        entry->fate = (Fate)fate;
        snprintf(entry->key, sizeof entry->key, "%.250s", line + strlen(fate_word[fate]) + 1);
    }
    if (file)
        fclose(file);
    return file && fine;
}

static Entry *entry_of(Experiment *experiment, const char *key)
{
    for (int e = 0; e < experiment->entry_count; e++)
        if (!strcmp(experiment->entries[e].key, key))
            return &experiment->entries[e];
    return NULL;
}

/* The number of places at which damage is unnoticed, and of entries that are wrong. */
static int print_table(Experiment *experiment)
{
    int counts[FATE_COUNT] = {0}, wrong = 0;
    for (int d = 0; d < experiment->damage_count; d++) {
        const Damage *damage = &experiment->damages[d];
        Entry *entry = entry_of(experiment, damage->key);
        bool noticed = damage->fate >= GUARD;
        if (damage->left_out)
            continue;
        const char *what = noticed ? "" : entry ? ", as said" : ", UNNOTICED";
        if (entry)
            entry->used |= damage->fate <= entry->fate;
        wrong += !noticed && !entry;
        counts[damage->fate]++;
        printf("%s%s: %s (line %d) %s\n", fate_word[damage->fate], what, damage->key, damage->line, damage->by);
    }
    for (int e = 0; e < experiment->entry_count; e++) {
        const Entry *entry = &experiment->entries[e];
        if (!strstr(entry->key, experiment->only))
            continue;
        wrong += !entry->used || !entry->reasoned;
        if (!entry->used || !entry->reasoned)
            printf("NOT SO%s: %s %s\n", entry->used ? ", or without a reason" : "", fate_word[entry->fate], entry->key);
    }
    printf("equality: ");
    for (int f = CAUGHT; f >= 0; f--)
        printf("%d %s, ", counts[f], fate_word[f]);
    printf("%d unnoticed or not as said, by %" PRId64 " programs\n", wrong, experiment->trials.programs);
    return wrong;
}

/* What follows the option, or nothing. */
static const char *option(int argc, char **argv, const char *name)
{
    for (int a = 1; a + 1 < argc; a++)
        if (!strcmp(argv[a], name))
            return argv[a + 1];
    return "";
}

int main(int argc, char **argv)
{
    Experiment *experiment = trials_memory(sizeof *experiment);
    if (experiment)
        experiment->only = option(argc, argv, "--only");
    if (argc < 3 || !experiment || !read_list(experiment, argv[1])) {
        fprintf(stderr, "usage: equality LIST IMPLIED [--only TEXT] [--random N] [--count N] [--seed N] [--jobs N] "
                        "FILE.step|FILE.edits...\n");
        return 64;
    }
    if (!read_implied(experiment, argv[2]))
        return 1;
    for (int d = 0; d < experiment->damage_count; d++)
        experiment->damages[d].reasoned = entry_of(experiment, experiment->damages[d].key) != NULL;
    experiment->trials = (Trials){.try_text = try_text, .count = 20, .seed = 1};
    bool found = trials_run(&experiment->trials, argc - 3, argv + 3);
    return print_table(experiment) > 0 || !found;
}
