/* line_edits.h - what kinds of changes do to lines of a text: between mutations.c, which has the table of kinds, the
 * files whose changes are of programs, and mutations_declared.c, which changes what is declared.
 */
#ifndef PLACE_SIM_LINE_EDITS_H
#define PLACE_SIM_LINE_EDITS_H

#include "tests/sim/mutations.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_FOUND = 16 };

static inline bool starts(const char *line, const char *word)
{
    size_t length = strlen(word);
    return !strncmp(line, word, length) && !isalnum((unsigned char)line[length]) && line[length] != '_';
}

static inline void remove_line(Lines *lines, int at)
{
    memmove(lines->text[at], lines->text[at + 1], (size_t)(lines->count - at - 1) * LINE_SIZE);
    lines->count--;
    lines->program -= at < lines->program;
    lines->reference -= at < lines->reference;
}

static inline void insert_line(Lines *lines, int at, const char *line)
{
    if (lines->count == MAX_LINES)
        return;
    char copy[LINE_SIZE];
    snprintf(copy, sizeof copy, "%s", line);
    memmove(lines->text[at + 1], lines->text[at], (size_t)(lines->count - at) * LINE_SIZE);
    memcpy(lines->text[at], copy, LINE_SIZE);
    lines->count++;
    lines->program += at < lines->program;
    lines->reference += at < lines->reference;
}

/* Replaces `length` bytes at `from` within a line. */
static inline bool replace(char *line, char *from, size_t length, const char *with)
{
    char rest[LINE_SIZE];
    snprintf(rest, sizeof rest, "%s", from + length);
    size_t room = LINE_SIZE - (size_t)(from - line);
    int needed = snprintf(from, room, "%s%s", with, rest);
    return needed >= 0 && (size_t)needed < room;
}

static inline bool replace_word(char *line, const char *word, const char *with)
{
    char *found = strstr(line, word);
    return found && replace(line, found, strlen(word), with);
}

static inline bool append(char *line, const char *more)
{
    return replace(line, line + strlen(line), 0, more);
}

static inline int below(Lines *lines, int count)
{
    return chance_below(lines->chance, count);
}

static inline bool once_in(Lines *lines, int times)
{
    return below(lines, times) == 0;
}

#define PICK(lines, words) ((words)[below((lines), (int)(sizeof(words) / sizeof((words)[0])))])

/* One of the changes of a kind that is several. */
typedef struct LineChange {
    bool (*fits)(const Lines *lines, int at);
    bool (*change)(Lines *lines, int at);
} LineChange;

/* One kind of changes. */
typedef struct Mutation {
    const char *name;
    enum { IN_PROGRAM, IN_REFERENCE, DECLARED, IN_BOTH } where;
    bool (*fits)(const Lines *lines, int at);
    bool (*change)(Lines *lines, int at);
} Mutation;

enum { MAX_REFS = 9, MAX_LETTERS = 64 };

/* A name in a line. */
typedef struct Ref {
    char *at;
    size_t length;
} Ref;

/* ---- mutations.c: What a line is. */

bool is_block(const char *line);
/* Of the program that the line is of, the reference or the other: its first line, and what comes after the last. */
int region_first(const Lines *lines, int at);
int region_end(const Lines *lines, int at);
bool is_operator(const Lines *lines, int at);
bool has_peer(const Lines *lines, int at);
bool is_communication(const Lines *lines, int at);
bool is_buffer(const Lines *lines, int at);
bool operator_has(const Lines *lines, int at, const char *word);
/* The loop variables that the line may use; how many. */
int variables_in_scope(const Lines *lines, int at, char variables[][8]);
/* The names that an operator's references begin with, the result's first; how many. */
int references_of(char *line, Ref *refs);
bool same_name(Ref a, Ref b);
const char *layout_of(const LineNames *names, Ref ref);

/* ---- mutations_order.c: Order, waits and blocks. */

bool any_operator(const Lines *lines, int at);
bool drop_operator(Lines *lines, int at);
bool duplicate_operator(Lines *lines, int at);
/* Whether one writes what the other uses: else their order cannot matter. */
bool next_depends(const Lines *lines, int at);
bool swap_neighbours(Lines *lines, int at);
/* Alone in a loop whose variable it uses it has no other place. */
bool can_move(const Lines *lines, int at);
/* To somewhere near, mostly: far away its loops' variables are unknown. Out of blocks and into them, too. */
bool move_operator(Lines *lines, int at);
/* Left out, or moved by a few lines. */
bool change_wait(Lines *lines, int at);
bool can_start(const Lines *lines, int at);
/* An event of its own, waited for a little later in the same block, or not at all. */
bool start_operator(Lines *lines, int at);
/* Other bounds, one iteration, or the other direction. */
bool change_loop(Lines *lines, int at);
bool change_guard(Lines *lines, int at);
bool wrap_in_guard(Lines *lines, int at);

bool names_communicator(const Lines *lines, int at);
bool change_communicator(Lines *lines, int at);
bool is_communicator(const Lines *lines, int at);
bool merge_communicators(Lines *lines, int at);
bool can_issue_later(const Lines *lines, int at);
bool swap_issues(Lines *lines, int at);

/* ---- mutations_work.c: What is done, over which ranks, in which microbatch and slot. */

bool has_operation(const Lines *lines, int at);
bool change_operation(Lines *lines, int at);
bool takes_a_sum(const Lines *lines, int at);
bool change_sum_to_max(Lines *lines, int at);
bool has_result(const Lines *lines, int at);
bool toggle_accumulate(Lines *lines, int at);
bool has_number(const Lines *lines, int at);
bool change_number(Lines *lines, int at);
bool has_whole_result(const Lines *lines, int at);
bool insert_scale(Lines *lines, int at);
bool has_seed(const Lines *lines, int at);
bool change_seed(Lines *lines, int at);
void random_axes(Lines *lines, char *text, size_t size);
bool has_other_axes(const Lines *lines, int at);
bool change_axes(Lines *lines, int at);
bool reads_a_part(const Lines *lines, int at);
/* The batch read over fewer axes, or over none. */
bool change_reader(Lines *lines, int at);
bool has_index(const Lines *lines, int at);
bool change_index(Lines *lines, int at);
bool has_slot(const Lines *lines, int at);
bool change_slot(Lines *lines, int at);
/* Who sends to whom, and on which channel. */
bool change_peer(Lines *lines, int at);
bool has_coordinate(const Lines *lines, int at);
/* A coordinate, or a table at it, in any expression becomes that of another axis, or is shifted. */
bool change_coordinate(Lines *lines, int at);

/* ---- mutations_names.c: References and buffers. */

bool has_reference(const Lines *lines, int at);
/* Another buffer in one place of an operator, mostly one of the same layout. */
bool retarget(Lines *lines, int at);
bool has_operands(const Lines *lines, int at);
bool swap_operands(Lines *lines, int at);
bool has_spec(const Lines *lines, int at);
/* A dim gets another one's letter, two exchange theirs, or one is left out. */
bool change_spec(Lines *lines, int at);
bool has_other_name(const Lines *lines, int at);
bool change_name(Lines *lines, int at);
/* A reduction of something that the operator uses, before or after it. */
bool insert_communication(Lines *lines, int at);
/* How a buffer is cut, whether it lives on, how many slots it has, where it is and who has it. */
bool change_buffer(Lines *lines, int at);

/* mutations_declared.c: of declarations, of what buffers declare, of moments of routines. */
extern const Mutation declared_mutations[];
extern const int declared_mutation_count;
bool fits_layout(const Lines *lines, int at);
bool change_layout(Lines *lines, int at);

#endif
