/* names.c - the name that was probably meant where one is unknown (base/diag.h). */
#include "base/diag.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_NAME = 64 };

static int min3(int a, int b, int c)
{
    int least = a < b ? a : b;
    return least < c ? least : c;
}

/* The number of insertions, deletions, replacements and swaps of neighbours that turn one name into the other. */
static int edit_distance(const char *a, int a_length, const char *b, int b_length)
{
    int rows[3][LONGEST_NAME + 1];
    for (int j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (int i = 1; i <= a_length; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= b_length; j++) {
            row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && two_above[j - 2] + 1 < row[j])
                row[j] = two_above[j - 2] + 1;
        }
    }
    return rows[a_length % 3][b_length];
}

/* Without '_', in lower case; what is longer than any name is cut off. */
static void plain_name(const char *name, char plain[LONGEST_NAME + 1])
{
    int length = 0;
    for (; *name != '\0' && length < LONGEST_NAME; name++)
        if (*name != '_')
            plain[length++] = (char)tolower((unsigned char)*name);
    plain[length] = '\0';
}

static const char *const synonyms[][2] = {
#define SYNONYM(theirs, here) {theirs, here},
#include "base/synonyms.def"
#undef SYNONYM
};

static const char *const elsewhere[][2] = {
#define ELSEWHERE(theirs, here) {theirs, here},
#include "base/elsewhere.def"
#undef ELSEWHERE
};

/* The second of the row whose first, names separated by blanks, has the name; NULL if there is none. */
static const char *second_of(const char *const rows[][2], size_t count, const char *name)
{
    char plain[LONGEST_NAME + 1];
    plain_name(name, plain);
    size_t length = strlen(plain);
    for (size_t i = 0; i < count && length > 0; i++)
        for (const char *at = rows[i][0]; *at != '\0'; at += strspn(at, " ")) {
            size_t word = strcspn(at, " ");
            if (word == length && memcmp(at, plain, length) == 0)
                return rows[i][1];
            at += word;
        }
    return NULL;
}

const char *diag_synonym(const char *name)
{
    return second_of(synonyms, sizeof synonyms / sizeof *synonyms, name);
}

const char *diag_elsewhere(const char *name)
{
    return second_of(elsewhere, sizeof elsewhere / sizeof *elsewhere, name);
}

const char *diag_otherwise(const char *name, const char *const *names, int count)
{
    char plain[LONGEST_NAME + 1], other[LONGEST_NAME + 1];
    plain_name(name, plain);
    for (int i = 0; i < count; i++) {
        plain_name(names[i], other);
        if (plain[0] != '\0' && strcmp(plain, other) == 0 && strcmp(name, names[i]) != 0)
            return names[i];
    }
    for (size_t s = 0; s < sizeof synonyms / sizeof *synonyms; s++)
        for (int i = 0; i < count; i++)
            if (strcmp(plain, synonyms[s][0]) == 0 && strcmp(names[i], synonyms[s][1]) == 0)
                return names[i];
    return NULL;
}

const char *diag_suggest(const char *name, const char *const *names, int count)
{
    size_t length = strlen(name);
    if (length == 0 || length > LONGEST_NAME)
        return NULL;
    const char *known = diag_otherwise(name, names, count);
    if (known != NULL)
        return known;
    /* A third of the letters may differ; one in a short name. */
    int best_distance = (length < 6 ? 1 : (int)length / 3) + 1;
    const char *best = NULL;
    for (int i = 0; i < count; i++) {
        size_t other = strlen(names[i]);
        if (other == 0 || other > LONGEST_NAME || (length == 1 && other == 1))
            continue;
        int distance = edit_distance(name, (int)length, names[i], (int)other);
        if (distance < best_distance) {
            best_distance = distance;
            best = names[i];
        }
    }
    return best;
}
