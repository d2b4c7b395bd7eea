/* matrix.c - reads matrix.txt, and expands its braces. */
#include "tests/equivalence/matrix.h"

#include "base/vec.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7 };

typedef struct Reader {
    Arena *arena;
    const char *path;
    int line;
    Vec(Case) cases;
} Reader;

static _Noreturn void wrong(const Reader *reader, const char *what)
{
    fprintf(stderr, "%s:%d: %s\n", reader->path, reader->line, what);
    exit(2);
}

static int positive(const Reader *reader, const char *text)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value < 1 || value > 1000000)
        wrong(reader, "microbatches and batch are whole numbers from 1");
    return (int)value;
}

/* ---- Braces ------------------------------------------------------------------------------------------------- */

/* Where a choice ends: at a comma or brace that is in no further braces or parentheses. */
static const char *choice_end(const Reader *reader, const char *at)
{
    for (int depth = 0; *at != '\0'; at++) {
        if (depth == 0 && (*at == ',' || *at == '}'))
            return at;
        depth += *at == '{' || *at == '(';
        depth -= *at == '}' || *at == ')';
    }
    wrong(reader, "a brace that is not closed");
}

static void add_case(Reader *reader, char *text);

/* Replaces the first braces by each of their choices in turn. */
static void expand(Reader *reader, const char *text)
{
    const char *open = strchr(text, '{');
    if (open == NULL) {
        add_case(reader, arena_printf(reader->arena, "%s", text));
        return;
    }
    const char *close = open;
    do {
        close = choice_end(reader, close + 1);
    } while (*close == ',');
    for (const char *at = open; *at != '}';) {
        const char *end = choice_end(reader, at + 1);
        expand(reader, arena_printf(reader->arena, "%.*s%.*s%s", (int)(open - text), text, (int)(end - at - 1), at + 1,
                                    close + 1));
        at = end;
    }
}

/* ---- Lines -------------------------------------------------------------------------------------------------- */

/* The next word of *text, which it moves past; the last column is the rest of the line. */
static const char *take_column(const Reader *reader, char **text, bool last)
{
    char *word = *text + strspn(*text, " ");
    size_t length = last ? strlen(word) : strcspn(word, " ");
    if (length == 0)
        wrong(reader, "a line is: part precision model mesh microbatches batch strategy");
    *text = word + length + (word[length] == ' ');
    word[length] = '\0';
    return word;
}

static void add_case(Reader *reader, char *text)
{
    const char *column[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        column[i] = take_column(reader, &text, i == COLUMNS - 1);
    bool in_tests = strcmp(column[0], "test") == 0;
    if (!in_tests && strcmp(column[0], "all") != 0)
        wrong(reader, "the part is 'test' or 'all'");
    if (strcmp(column[1], "f64") != 0 && strcmp(column[1], "f32") != 0 && strcmp(column[1], "bf16") != 0)
        wrong(reader, "the precision is f64, f32 or bf16");
    Case one = {.line = reader->line,
                .in_tests = in_tests,
                .precision = column[1],
                .model = column[2],
                .mesh = column[3],
                .micro = positive(reader, column[4]),
                .batch = positive(reader, column[5]),
                .strategy = column[6]};
    if (ranks_of_mesh(one.mesh) < 1)
        wrong(reader, "a mesh is NAME:SIZE, separated by commas");
    vec_push(reader->arena, &reader->cases, one);
}

Matrix matrix_read(Arena *arena, const char *path)
{
    Reader reader = {.arena = arena, .path = path};
    FILE *file = fopen(path, "r");
    char line[2000];
    if (file == NULL)
        wrong(&reader, "cannot be read");
    while (fgets(line, sizeof line, file) != NULL) {
        reader.line++;
        line[strcspn(line, "#\n")] = '\0';
        if (line[strspn(line, " ")] != '\0')
            expand(&reader, line);
    }
    fclose(file);
    return (Matrix){reader.cases.data, reader.cases.count};
}

/* ---- Meshes ------------------------------------------------------------------------------------------------- */

int ranks_of_mesh(const char *mesh)
{
    long ranks = 1;
    for (const char *at = mesh; *at != '\0';) {
        const char *colon = strchr(at, ':');
        char *end;
        if (colon == NULL || colon == at)
            return 0;
        ranks *= strtol(colon + 1, &end, 10);
        if (end == colon + 1 || (*end != ',' && *end != '\0'))
            return 0;
        at = end + (*end == ',');
    }
    return (int)ranks;
}

const char *mesh_text(Arena *arena, const char *mesh)
{
    char *text = arena_printf(arena, "%s", "");
    for (; *mesh != '\0'; mesh++)
        text = arena_printf(arena, "%s%c%s", text, *mesh, *mesh == ':' || *mesh == ',' ? " " : "");
    return text;
}
