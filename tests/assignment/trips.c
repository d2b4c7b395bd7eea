/* trips.c - round trips of programs through what `--dump=assignment` prints.
 *
 *     trips FILE...                                  of files
 *     trips --programs N [--seed S] [--first INDEX]  of random programs (tests/sim/random_text)
 *     trips --strategies N [...]                     of random strategies (draw.h)
 *     trips ... --show yes                           prints the programs, too
 *
 * Of every program for which a step program is derived, right or wrong, the assignment is printed. What is printed must
 * compile to the same step program, but for comments, and be printed the same again; otherwise the exit status is 1.
 */
#include "base/escape.h"
#include "library/plain.h"
#include "tests/assignment/draw.h"
#include "tests/sim/random_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_SIZE = 1 << 14 };

typedef struct Options {
    int64_t programs, strategies, first;
    uint64_t seed;
    bool show;
    int files; /* the index of the first one's argument */
} Options;

typedef struct Counts {
    int64_t tried, derived, syncs, pins, different;
} Counts;

static bool parse_options(int argc, char **argv, Options *options)
{
    *options = (Options){.seed = 1, .files = 1};
    for (int a = 1; a + 1 < argc && !strncmp(argv[a], "--", 2); options->files = a += 2) {
        const char *value = argv[a + 1];
        if (!strcmp(argv[a], "--programs"))
            options->programs = atoll(value);
        else if (!strcmp(argv[a], "--strategies"))
            options->strategies = atoll(value);
        else if (!strcmp(argv[a], "--first"))
            options->first = atoll(value);
        else if (!strcmp(argv[a], "--seed"))
            options->seed = strtoull(value, NULL, 10);
        else if (!strcmp(argv[a], "--show"))
            options->show = true;
        else
            return false;
    }
    return options->programs + options->strategies > 0 || options->files < argc;
}

/* ---- One program ---------------------------------------------------------------------------------------------- */

/* What a text compiles to, in memory of its own; NULL where it is refused. */
typedef struct Made {
    char *step;  /* without comments */
    char *plain; /* the program with its assignment */
    char *why;   /* a bug of placec, or the first error */
} Made;

static void made_free(Made *made)
{
    free(made->step);
    free(made->plain);
    free(made->why);
}

static char *copied(const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL)
        abort();
    return copy;
}

/* Up to '#', and without the blanks before it, line by line. */
static void strip_comments(char *text)
{
    char *to = text;
    for (char *line = text; *line != '\0'; line += *line == '\n') {
        size_t length = strcspn(line, "\n"), kept = strcspn(line, "#\n");
        while (kept > 0 && line[kept - 1] == ' ')
            kept--;
        memmove(to, line, kept);
        to += kept;
        line += length;
        if (*line == '\n')
            *to++ = '\n';
    }
    *to = '\0';
}

static char *step_of(const Compile *compile)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        abort();
    step_print(compile->file, compile->ctx.sources, out);
    fclose(out);
    strip_comments(text);
    return text;
}

static char *errors_of(const Compile *compile)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        abort();
    diag_print_text(compile->ctx.diag, out, false, 3);
    fclose(out);
    return text;
}

/* Imports are next to `name`. */
static Made make(const char *name, const char *text)
{
    static Made made; /* survives an escape */
    Compile compile;
    Escape escape;
    made = (Made){0};
    escape_begin(&escape);
    if (setjmp(escape.jump) == 0) {
        compile_new(&compile);
        compile.source = source_add(compile.ctx.sources, name, text, strlen(text));
        if (compile_program(&compile)) {
            made.step = step_of(&compile);
            made.plain = copied(plain_program(&compile));
        } else {
            made.why = errors_of(&compile);
        }
        compile_close(&compile);
    }
    escape_end(&escape);
    if (escape.cause != ESCAPE_NONE)
        made.why = copied(escape.message);
    return made;
}

/* The statements of the last strategy of a text. */
static const char *last_statements(const char *text)
{
    const char *last = text;
    for (const char *at = text; (at = strstr(at, "\nstrategy ")) != NULL; at++)
        last = at + 1;
    return last + strcspn(last, "\n");
}

/* NULL if all is well. */
static const char *compare(const Made *first, const Made *again)
{
    if (first->plain == NULL || again->step == NULL || again->plain == NULL)
        return "it is not printed, or what is printed is refused";
    if (strcmp(first->step, again->step) != 0)
        return "what is printed is another program";
    return strcmp(last_statements(first->plain), last_statements(again->plain)) == 0
               ? NULL
               : "printed once more it has other statements";
}

static void try_text(const char *name, const char *file, const char *text, Counts *counts)
{
    Made first = make(file, text), again = first.plain != NULL ? make(file, first.plain) : (Made){0};
    counts->tried++;
    if (first.step != NULL) {
        const char *why = compare(&first, &again);
        counts->derived++;
        counts->syncs += first.plain != NULL && strstr(last_statements(first.plain), "\n    sync ") != NULL;
        counts->pins += first.plain != NULL && strstr(last_statements(first.plain), "computed over ") != NULL;
        if (why != NULL) {
            counts->different++;
            printf("---- %s: %s\n%s%s\n", name, why, first.why != NULL ? first.why : "",
                   again.why != NULL ? again.why : "");
        }
    }
    made_free(&first);
    made_free(&again);
}

/* ---- Random ones ------------------------------------------------------------------------------------------------ */

static void try_drawn(const Options *options, const char *kind, int64_t index, const char *text, Counts *counts)
{
    char name[64];
    snprintf(name, sizeof name, "%s %" PRId64 " of seed %" PRIu64, kind, index, options->seed);
    if (options->show)
        puts(text);
    try_text(name, "random.place", text, counts);
}

static void try_program(const Options *options, int64_t index, Counts *counts)
{
    static char text[PLACE_SIZE];
    RandomProgram what;
    random_text(options->seed, (uint64_t)index, text, sizeof text, &what);
    try_drawn(options, "program", index, text, counts);
}

static bool is_derived(const char *text)
{
    Compile compile;
    compile_new(&compile);
    compile.source = source_add(compile.ctx.sources, "random.place", text, strlen(text));
    bool derived = compile_program(&compile);
    compile_close(&compile);
    return derived;
}

/* Of its statements those are chosen, one after another, with which a step program is derived. */
static void try_strategy(const Options *options, int64_t index, Counts *counts)
{
    static char text[PLACE_SIZE];
    Draw draw;
    draw_program(&draw, options->seed, (uint64_t)index);
    if (!is_derived(draw_text(&draw, text, sizeof text)))
        draw.call[0] = '\0';
    for (int i = 0; i < draw.count; i++) {
        draw.chosen[i] = true;
        draw.chosen[i] = is_derived(draw_text(&draw, text, sizeof text));
    }
    try_drawn(options, "strategy", index, draw_text(&draw, text, sizeof text), counts);
}

static void try_file(const char *path, Counts *counts)
{
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    int source = source_read(sources, path);
    if (source == 0) {
        perror(path);
        counts->different++;
    } else {
        try_text(path, path, sources->list.data[source].text, counts);
    }
    arena_free(arena);
}

int main(int argc, char **argv)
{
    Options options;
    Counts counts = {0};
    if (!parse_options(argc, argv, &options)) {
        fprintf(stderr, "usage: trips [--programs N] [--strategies N] [--seed N] [--first N] [--show yes] [FILE...]\n");
        return 64;
    }
    for (int64_t i = 0; i < options.programs; i++)
        try_program(&options, options.first + i, &counts);
    for (int64_t i = 0; i < options.strategies; i++)
        try_strategy(&options, options.first + i, &counts);
    for (int i = options.files; i < argc; i++)
        try_file(argv[i], &counts);
    printf("%" PRId64 " programs, of which %" PRId64 " are refused before there is a step program; %" PRId64
           " have syncs, %" PRId64 " say how values are computed\n",
           counts.tried, counts.tried - counts.derived, counts.syncs, counts.pins);
    printf("%" PRId64 " passed, %" PRId64 " failed, 0 skipped\n", counts.derived - counts.different, counts.different);
    return counts.different > 0;
}
