/* line_edits.h - what kinds of changes do to lines of a text: between mutations.c, which changes programs, and
 * mutations_declared.c, which changes what is declared.
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

/* mutations_declared.c: of declarations, of what buffers declare, of moments of routines. */
extern const Mutation declared_mutations[];
extern const int declared_mutation_count;
bool fits_layout(const Lines *lines, int at);
bool change_layout(Lines *lines, int at);

#endif
