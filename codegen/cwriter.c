/* cwriter.c - indents, wraps and quotes emitted text (codegen/cwriter.h). */
#include "codegen/cwriter.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 120, INDENT = 4 };

CWriter cw_new(Arena *arena, int indent)
{
    return (CWriter){.arena = arena, .text = {.arena = arena}, .indent = indent};
}

static void add_indent(CWriter *writer)
{
    text_add(&writer->text, "%*s", INDENT * writer->indent, "");
}

static void add_line(CWriter *writer, const char *line, const char *tail)
{
    add_indent(writer);
    text_add(&writer->text, "%s%s\n", line, tail);
}

void cw_line(CWriter *writer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_line(writer, arena_vprintf(writer->arena, format, args), "");
    va_end(args);
}

void cw_blank(CWriter *writer)
{
    text_add(&writer->text, "\n");
}

void cw_open(CWriter *writer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *head = arena_vprintf(writer->arena, format, args);
    va_end(args);
    add_line(writer, head, head[0] != '\0' ? " {" : "{");
    writer->indent++;
}

void cw_open_function(CWriter *writer, const char *head)
{
    add_line(writer, head, "");
    add_line(writer, "{", "");
    writer->indent++;
}

void cw_close(CWriter *writer, const char *suffix)
{
    writer->indent--;
    add_line(writer, "}", suffix);
}

/* The longest prefix of `text` that fits into `room` and ends before a space; all of it if there is no such space. */
static int piece_length(const char *text, int room)
{
    int best = 0, i = 0;
    for (; text[i] != '\0' && (i <= room || best == 0); i++) {
        if (text[i] == ' ')
            best = i;
    }
    return text[i] == '\0' && i <= room ? i : best > 0 ? best : (int)strlen(text);
}

void cw_comment(CWriter *writer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = comment_text(writer->arena, arena_vprintf(writer->arena, format, args));
    va_end(args);
    int room = COLUMNS - INDENT * writer->indent - 6;
    const char *lead = "/* ";
    do {
        int length = piece_length(text, room);
        add_indent(writer);
        text_add(&writer->text, "%s%.*s", lead, length, text);
        text += length + (text[length] == ' ');
        text_add(&writer->text, *text == '\0' ? " */\n" : "\n");
        lead = " * ";
    } while (*text != '\0');
}

/* Where items start: below the first one, or indented one step on a line of their own if the head is long. */
static int item_column(CWriter *writer, const char *head, const char *const *items, int count, const char *tail)
{
    int start = INDENT * writer->indent + (int)strlen(head), end = start + (int)strlen(tail) - 1;
    for (int i = 0; i < count; i++)
        end += (int)strlen(items[i]) + (i > 0 ? 2 : 0);
    return start > COLUMNS / 2 && end >= COLUMNS ? INDENT * (writer->indent + 1) : start;
}

void cw_list(CWriter *writer, const char *head, const char *const *items, int count, const char *tail)
{
    int start = item_column(writer, head, items, count, tail), column = start;
    add_indent(writer);
    text_add(&writer->text, "%s", head);
    if (start != INDENT * writer->indent + (int)strlen(head))
        text_add(&writer->text, "\n%*s", start, "");
    for (int i = 0; i < count; i++) {
        bool last = i == count - 1;
        int length = (int)strlen(items[i]) + (last ? (int)strlen(tail) : 1);
        if (i > 0 && column + 1 + length > COLUMNS) {
            text_add(&writer->text, "\n%*s", start, "");
            column = start;
        } else if (i > 0) {
            text_add(&writer->text, " ");
            column++;
        }
        text_add(&writer->text, "%s%s", items[i], last ? "" : ",");
        column += length;
    }
    text_add(&writer->text, "%s\n", tail);
}

void cw_call(CWriter *writer, const char *head, const char *const *arguments, int count, const char *tail)
{
    cw_list(writer, arena_printf(writer->arena, "%s(", head), arguments, count,
            arena_printf(writer->arena, ")%s", tail));
}

enum { MAX_SPLIT = 16 };

/* Splits the arguments of the call in `text`, which starts after its parenthesis. */
static int split_arguments(Arena *arena, const char *text, const char **arguments)
{
    int count = 0, depth = 0;
    const char *start = text;
    for (; *text != '\0' && count < MAX_SPLIT; text++) {
        bool ends = depth == 0 && (*text == ',' || *text == ')');
        depth += (*text == '(') - (*text == ')');
        if (!ends)
            continue;
        arguments[count++] = arena_copy(arena, start, (size_t)(text - start));
        start = text + 1 + strspn(text + 1, " ");
    }
    return count;
}

void cw_assign_call(CWriter *writer, const char *left, const char *call)
{
    const char *split[MAX_SPLIT], *open = strchr(call, '(');
    int count = split_arguments(writer->arena, open + 1, split), name = (int)(open - call);
    cw_call(writer, arena_printf(writer->arena, "%s = %.*s", left, name, call), split, count, ";");
}

void cw_splice(CWriter *writer, const CWriter *other)
{
    text_add_bytes(&writer->text, other->text.data != NULL ? other->text.data : "", other->text.length);
}

/* ---- Text made safe ----------------------------------------------------------------------------------------- */

/* Bytes outside printable ASCII become octal escapes, which end after three digits; '?' is escaped because of
 * trigraphs. */
const char *c_string(Arena *arena, const char *string)
{
    if (string == NULL)
        return "NULL";
    Text text = {.arena = arena};
    text_add(&text, "\"");
    for (const char *p = string; *p != '\0'; p++) {
        unsigned char byte = (unsigned char)*p;
        bool question = *p == '?' && (p[1] == '?' || (p > string && p[-1] == '?'));
        if (*p == '"' || *p == '\\' || question)
            text_add(&text, "\\%c", *p);
        else if (byte < ' ' || byte > '~')
            text_add(&text, "\\%03o", byte);
        else
            text_add(&text, "%c", *p);
    }
    text_add(&text, "\"");
    return text.data;
}

const char *c_number(Arena *arena, double number)
{
    if (isnan(number))
        return "NAN";
    if (isinf(number))
        return number > 0 ? "INFINITY" : "-INFINITY";
    if (number == 0)
        return signbit(number) ? "-0.0" : "0";
    if (number == trunc(number) && fabs(number) < 1e15)
        return arena_printf(arena, "%.0f", number);
    for (int digits = 1; digits < 17; digits++) {
        const char *text = arena_printf(arena, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            return text;
    }
    return arena_printf(arena, "%.17g", number);
}

const char *comment_text(Arena *arena, const char *string)
{
    Text text = {.arena = arena};
    text_add(&text, "%s", "");
    for (const char *p = string; *p != '\0'; p++) {
        bool printable = *p >= ' ' && *p <= '~';
        bool parts = (p[0] == '*' && p[1] == '/') || (p[0] == '/' && p[1] == '*') || (p[0] == '?' && p[1] == '?');
        bool ends_line = *p == '\\' && p[1] == '\0';
        text_add(&text, "%c%s",
                 printable && !ends_line      ? *p
                 : isspace((unsigned char)*p) ? ' '
                                              : '?',
                 parts ? " " : "");
    }
    return text.data;
}

/* ---- Names -------------------------------------------------------------------------------------------------- */

static bool is_taken(const Names *names, const char *name)
{
    for (int i = 0; i < names->taken.count; i++) {
        if (strcmp(names->taken.data[i], name) == 0)
            return true;
    }
    return false;
}

const char *names_unique(Names *names, const char *prefix, const char *wanted)
{
    char *plain = arena_printf(names->arena, "%s%s", prefix, wanted);
    for (char *p = plain; *p != '\0'; p++) {
        if (!isalnum((unsigned char)*p) || (unsigned char)*p > 127)
            *p = '_';
    }
    const char *name = plain;
    for (int i = 2; is_taken(names, name); i++)
        name = arena_printf(names->arena, "%s_%d", plain, i);
    vec_push(names->arena, &names->taken, name);
    return name;
}
