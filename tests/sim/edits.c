/* edits.c - reads the changes of edits.h. */
#include "tests/sim/edits.h"

#include "tests/sim/mutations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Edits {
    const char *path;
    int number; /* of the current line */
    Lines base, lines; /* with the changes for all; and those of the case */
    char name[256];
    bool open, first; /* a case is; the next one is the base's first */
    int at;    /* the line of the program after which it is */
    EditsVisit *visit;
    void *user;
} Edits;

static bool read_file(const char *path, char *text)
{
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(text, 1, MUTATE_TEXT_SIZE - 1, file) : 0;
    text[length] = '\0';
    if (file)
        fclose(file);
    return length > 0;
}

static bool wrong(const Edits *edits, const char *what, const char *of)
{
    printf("%s:%d: %s '%s'\n", edits->path, edits->number, what, of);
    return false;
}

static void close_case(Edits *edits)
{
    static char text[MUTATE_TEXT_SIZE];
    if (!edits->open)
        return;
    edits->open = false;
    mutate_join(&edits->lines, text);
    edits->visit(edits->user, edits->name, text);
}

static bool find(Edits *edits, const char *line)
{
    int l = edits->at;
    while (l < edits->lines.count && strcmp(edits->lines.text[l], line) != 0)
        l++;
    if (l == edits->lines.count)
        return wrong(edits, "no such line after this:", line);
    edits->at = l;
    return true;
}

static void move_lines(Lines *lines, int from, int by)
{
    memmove(lines->text[from + by], lines->text[from], sizeof *lines->text * (size_t)(lines->count - from));
    lines->count += by;
}

static bool take_line(Edits *edits, const char *line)
{
    static char text[MUTATE_TEXT_SIZE];
    const char *rest = strchr(line, ' ') ? strchr(line, ' ') + 1 : "";
    if (!strncmp(line, "base ", 5)) {
        close_case(edits);
        edits->first = true;
        edits->at = 0;
        return (read_file(rest, text) && mutate_split(&edits->lines, text)) || wrong(edits, "cannot read", rest);
    }
    if (!strncmp(line, "case ", 5)) {
        close_case(edits);
        if (edits->first)
            edits->base = edits->lines;
        edits->lines = edits->base;
        edits->open = true;
        edits->first = false;
        edits->at = 0;
        snprintf(edits->name, sizeof edits->name, "%.150s: %.90s", edits->path, rest);
        return true;
    }
    if (!strncmp(line, "= ", 2) && find(edits, rest)) {
        edits->at++;
        return true;
    }
    if (!strncmp(line, "- ", 2) && find(edits, rest)) {
        move_lines(&edits->lines, edits->at + 1, -1);
        return true;
    }
    if (!strncmp(line, "+ ", 2) && edits->lines.count < MAX_LINES - 1) {
        move_lines(&edits->lines, edits->at, 1);
        snprintf(edits->lines.text[edits->at++], LINE_SIZE, "%s", rest);
        return true;
    }
    return (line[0] == '=' || line[0] == '-') ? false : wrong(edits, "no base, case, =, - or +:", line);
}

bool edits_visit(const char *path, EditsVisit *visit, void *user)
{
    static char text[MUTATE_TEXT_SIZE];
    static Edits edits;
    if (!read_file(path, text))
        return printf("cannot read '%s'\n", path), false;
    const char *ending = strrchr(path, '.');
    if (!ending || strcmp(ending, ".edits") != 0) {
        visit(user, path, text);
        return true;
    }
    edits = (Edits){.path = path, .visit = visit, .user = user};
    for (char *line = text, *end; *line; line = end + 1) {
        end = line + strcspn(line, "\n");
        bool last = *end == '\0';
        *end = '\0';
        edits.number++;
        if (*line && *line != '#' && !take_line(&edits, line))
            return false;
        if (last)
            break;
    }
    close_case(&edits);
    return true;
}
