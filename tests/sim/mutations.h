/* mutations.h - changes of a step file's text, of its declarations, its reference and its program, which know nothing of
 * what an operator means.
 *
 *     Lines lines;
 *     mutate_split(&lines, text);
 *     if (mutate_apply(&lines, kind, &chance))
 *         mutate_join(&lines, changed);
 */
#ifndef PLACE_SIM_MUTATIONS_H
#define PLACE_SIM_MUTATIONS_H

#include "tests/sim/chance.h"
#include <stddef.h>

enum { MAX_LINES = 3072, LINE_SIZE = 4096, MUTATE_TEXT_SIZE = 1 << 19, MAX_NAMES = 400, NAME_SIZE = 64 };

/* The buffers of one of the two programs: their names, dtypes and layouts. */
typedef struct LineNames {
    int count;
    char name[MAX_NAMES][NAME_SIZE], layout[MAX_NAMES][NAME_SIZE];
} LineNames;

/* The lines of a file, without indentation. */
typedef struct Lines {
    int count, reference, program; /* lines; the first of the reference, of the program */
    char text[MAX_LINES][LINE_SIZE];
    Chance *chance;
    int at; /* the line last chosen */
    int axis_count;
    char axes[8][NAME_SIZE];
    LineNames buffers[2]; /* of the reference, of the program */
} Lines;

/* False where the text is too long. */
bool mutate_split(Lines *lines, const char *text);
/* Leaves out what a change in another place would make wrong: ids and origins of operators and, where asked, the places of
 * buffers in arenas. */
void mutate_plain(Lines *lines, bool unplaced);
/* Every collective is started on a stream of its own, and waited for at once, as events up to `most`: the same program
 * with waits. */
void mutate_start_all(Lines *lines, int most);
/* A checkpoint of the parameters, written and read alike, where the file has none: of all tensors that the
 * reference stores, in pieces, in an order drawn. Nothing where that is too much for a line. */
void mutate_save(Lines *lines, Chance *chance);
void mutate_copy(Lines *to, const Lines *from);
/* Whether declarations and reference are what they were. */
bool mutate_same_beginning(const Lines *before, const Lines *after);
/* Into MUTATE_TEXT_SIZE bytes. */
void mutate_join(const Lines *lines, char *text);

int mutate_kind_count(void);
const char *mutate_kind_name(int kind);
/* Whether there is something in the line that this kind changes. */
bool mutate_fits(const Lines *lines, int kind, int at);
/* Changes it; false where the change that was drawn changes nothing. */
bool mutate_line(Lines *lines, int kind, int at, Chance *chance);
/* A line drawn from those that fit; false where the kind does not apply to this program. */
bool mutate_apply(Lines *lines, int kind, Chance *chance);
/* The operator in a line; of other lines their first word. */
const char *mutate_operator(const Lines *lines, int at, char *name, size_t size);

#endif
