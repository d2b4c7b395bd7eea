/* source.h - source files and spans.
 *
 * Locations are byte spans everywhere; lines and columns exist only where a diagnostic is printed. Lines and
 * columns count from 1; a column is a UTF-8 character, a tab is one column.
 */
#ifndef PLACE_BASE_SOURCE_H
#define PLACE_BASE_SOURCE_H

#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Span {
    int32_t source;     /* index into Sources; 0 is "no position" */
    int32_t start, end; /* byte offsets, half open */
} Span;

typedef struct Source {
    const char *name; /* as the user gave it; "<prelude>" for the embedded one */
    const char *text;
    int32_t length;
    int32_t *line_starts;
    int32_t line_count;
} Source;

typedef struct Sources Sources;

/* Adds the text of a file with source_add; returns its index, or 0 with errno set. */
typedef int SourceReader(Sources *sources, const char *path, const void *data);

struct Sources {
    Arena *arena;
    Vec(Source) list;     /* list.data[0] is empty */
    Vec(Source) overlays; /* texts that are read instead of the files of these names */
    SourceReader *reader; /* where all others are read: by default from files */
    const void *reader_data;
};

typedef struct LineColumn {
    int line, column;
} LineColumn;

Sources *sources_new(Arena *arena);

/* With the same texts, of which the copy may get more. */
Sources *sources_copy(Arena *arena, const Sources *sources);

/* Adds a text; returns its index. */
int source_add(Sources *sources, const char *name, const char *text, size_t length);

/* From now on source_read returns this text for the path. */
void source_overlay(Sources *sources, const char *path, const char *text, size_t length);

/* Reads a text from an overlay, or with the reader; returns its index, or 0 with errno set. */
int source_read(Sources *sources, const char *path);
int source_read_stream(Sources *sources, const char *name, FILE *file);

const Source *source_of(const Sources *sources, Span span);
LineColumn source_position(const Sources *sources, int source, int32_t offset);
const char *source_line_text(const Sources *sources, int source, int line, int *length);

static inline bool span_equal(Span x, Span y)
{
    return x.source == y.source && x.start == y.start && x.end == y.end;
}

static inline bool span_known(Span span)
{
    return span.source > 0;
}

static inline Span span_join(Span first, Span last)
{
    if (!span_known(first))
        return last;
    if (!span_known(last))
        return first;
    return (Span){first.source, first.start, last.end};
}

#endif
