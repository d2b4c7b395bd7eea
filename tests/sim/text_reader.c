/* text_reader.c - characters, words, names of things. */
#include "tests/sim/text_reader.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Characters and words ----------------------------------------------------------------------------------- */

_Noreturn void text_fail(TextReader *reader, const char *format, ...)
{
    int used = snprintf(reader->message, reader->message_size, "line %d: ", reader->line);
    va_list args;
    va_start(args, format);
    if (used > 0 && (size_t)used < reader->message_size)
        vsnprintf(reader->message + used, reader->message_size - (size_t)used, format, args);
    va_end(args);
    longjmp(reader->failed, 1);
}

/* Blanks and a comment, within the line. */
void text_skip_blanks(TextReader *reader)
{
    while (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\r')
        reader->at++;
    if (*reader->at == '#')
        while (*reader->at && *reader->at != '\n')
            reader->at++;
}

void text_skip_lines(TextReader *reader)
{
    text_skip_blanks(reader);
    while (*reader->at == '\n') {
        reader->at++;
        reader->line++;
        text_skip_blanks(reader);
    }
}

void text_take_line_end(TextReader *reader)
{
    text_skip_blanks(reader);
    if (*reader->at == '\0')
        return;
    if (*reader->at != '\n')
        text_fail(reader, "unexpected text '%.12s'", reader->at);
    text_skip_lines(reader);
}

bool text_try_char(TextReader *reader, char wanted)
{
    text_skip_blanks(reader);
    if (*reader->at != wanted)
        return false;
    reader->at++;
    return true;
}

void text_take_char(TextReader *reader, char wanted)
{
    if (!text_try_char(reader, wanted))
        text_fail(reader, "expected '%c' before '%.12s'", wanted, reader->at);
}

bool text_name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool name_rest(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '*' || c == '-';
}

size_t text_name_length(const char *text)
{
    size_t length = 0;
    if (text_name_start(*text))
        while (name_rest(text[length]))
            length++;
    return length;
}

bool text_try_word(TextReader *reader, const char *word)
{
    text_skip_blanks(reader);
    size_t length = strlen(word);
    if (text_name_length(reader->at) != length || strncmp(reader->at, word, length) != 0)
        return false;
    reader->at += length;
    return true;
}

void text_take_word(TextReader *reader, const char *word)
{
    if (!text_try_word(reader, word))
        text_fail(reader, "expected '%s' before '%.12s'", word, reader->at);
}

const char *text_take_name(TextReader *reader)
{
    text_skip_blanks(reader);
    size_t length = text_name_length(reader->at);
    if (length == 0)
        text_fail(reader, "expected a name before '%.12s'", reader->at);
    char *name = sim_pool_text(reader->pool, reader->at, length);
    reader->at += length;
    return name;
}

bool text_at_digit(TextReader *reader)
{
    text_skip_blanks(reader);
    return isdigit((unsigned char)*reader->at);
}

int64_t text_take_integer(TextReader *reader)
{
    text_skip_blanks(reader);
    bool negative = text_try_char(reader, '-');
    if (!text_at_digit(reader))
        text_fail(reader, "expected a number before '%.12s'", reader->at);
    int64_t value = 0;
    while (isdigit((unsigned char)*reader->at)) {
        if (value > INT64_MAX / 16)
            text_fail(reader, "number too large");
        value = value * 10 + (*reader->at++ - '0');
    }
    return negative ? -value : value;
}

double text_take_float(TextReader *reader)
{
    text_skip_blanks(reader);
    char *end;
    double value = strtod(reader->at, &end);
    if (end == reader->at)
        text_fail(reader, "expected a number before '%.12s'", reader->at);
    reader->at = end;
    return value;
}

const char *text_take_string(TextReader *reader)
{
    text_take_char(reader, '"');
    const char *start = reader->at;
    while (*reader->at && *reader->at != '"' && *reader->at != '\n')
        reader->at++;
    if (*reader->at != '"')
        text_fail(reader, "a string is not closed");
    char *text = sim_pool_text(reader->pool, start, (size_t)(reader->at - start));
    reader->at++;
    return text;
}

/* ---- Names of things ---------------------------------------------------------------------------------------- */

#define FIND(reader, kind, items, count)                                                                               \
    do {                                                                                                               \
        const char *find_name = text_take_name(reader);                                                                     \
        for (int find_i = 0; find_i < (count); find_i++)                                                               \
            if (!strcmp((items)[find_i].name, find_name))                                                              \
                return find_i;                                                                                         \
        text_fail((reader), "unknown %s '%s'", (kind), find_name);                                                          \
    } while (0)

int text_take_axis(TextReader *reader)
{
    FIND(reader, "axis", reader->file->axes, reader->file->axis_count);
}

int text_take_group(TextReader *reader)
{
    FIND(reader, "group", reader->file->groups, reader->file->group_count);
}

int text_take_tensor(TextReader *reader)
{
    FIND(reader, "tensor", reader->file->tensors, reader->file->tensor_count);
}

int text_take_state(TextReader *reader)
{
    FIND(reader, "state", reader->file->states, reader->file->state_count);
}

int text_take_unit(TextReader *reader)
{
    FIND(reader, "unit", reader->file->units, reader->file->unit_count);
}

int text_take_buffer(TextReader *reader)
{
    FIND(reader, "buffer", reader->program->buffers, reader->program->buffer_count);
}

int text_take_communicator(TextReader *reader)
{
    FIND(reader, "communicator", reader->program->communicators, reader->program->communicator_count);
}

int text_take_axes(TextReader *reader, int axes[SIM_MAX_AXES])
{
    int count = 0;
    do {
        if (count == SIM_MAX_AXES)
            text_fail(reader, "too many axes");
        axes[count++] = text_take_axis(reader);
    } while (text_try_char(reader, ','));
    return count;
}

/* The declared name that the text at the cursor begins with, the longest if several do ("@data-1"). */
static int take_longest(TextReader *reader, const char *what, int count, const char *(*name)(const SimFile *file, int index))
{
    int best = -1;
    size_t best_length = 0;
    for (int i = 0; i < count; i++) {
        size_t length = strlen(name(reader->file, i));
        if (length > best_length && !strncmp(reader->at, name(reader->file, i), length)) {
            best = i;
            best_length = length;
        }
    }
    if (best < 0)
        text_fail(reader, "unknown %s at '%.12s'", what, reader->at);
    reader->at += best_length;
    return best;
}

static const char *axis_name(const SimFile *file, int axis)
{
    return file->axes[axis].name;
}

static const char *table_name(const SimFile *file, int table)
{
    return file->tables[table].name;
}

int text_take_coordinate(TextReader *reader)
{
    return take_longest(reader, "axis", reader->file->axis_count, axis_name);
}

int text_take_table(TextReader *reader)
{
    return take_longest(reader, "table", reader->file->table_count, table_name);
}

void text_take_range(TextReader *reader)
{
    text_take_char(reader, '.');
    text_take_char(reader, '.');
}
