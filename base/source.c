/* source.c - keeps the text of every file read, and turns byte offsets into lines and columns. */
#include "base/source.h"

#include "base/diag.h"

#include <errno.h>
#include <string.h>

static int32_t count_lines(const char *text, int32_t length)
{
    int32_t count = 1;
    for (int32_t i = 0; i < length; i++)
        count += text[i] == '\n';
    return count;
}

static void find_line_starts(Arena *arena, Source *source)
{
    source->line_count = count_lines(source->text, source->length);
    source->line_starts = arena_array(arena, int32_t, source->line_count);
    int32_t line = 1;
    for (int32_t i = 0; i < source->length; i++)
        if (source->text[i] == '\n')
            source->line_starts[line++] = i + 1;
}

int source_add(Sources *sources, const char *name, const char *text, size_t length)
{
    if (length >= INT32_MAX)
        BUG("source '%s' of %zu bytes does not fit spans", name, length);
    Source source = {
        .name = arena_copy(sources->arena, name, strlen(name)),
        .text = arena_copy(sources->arena, text, length),
        .length = (int32_t)length,
    };
    find_line_starts(sources->arena, &source);
    vec_push(sources->arena, &sources->list, source);
    return sources->list.count - 1;
}

/* All of a file, including one whose size is unknown before it is read; NULL with errno set. */
static char *read_all(Arena *arena, FILE *file, size_t *length)
{
    enum { FIRST_BYTES = 16 * 1024 };
    size_t capacity = FIRST_BYTES;
    char *text = arena_alloc(arena, capacity);
    *length = 0;
    for (;;) {
        *length += fread(text + *length, 1, capacity - *length, file);
        if (ferror(file))
            return NULL;
        if (*length < capacity)
            return text;
        if (capacity >= INT32_MAX / 2) {
            errno = EFBIG;
            return NULL;
        }
        char *grown = arena_alloc(arena, 2 * capacity);
        memcpy(grown, text, *length);
        text = grown;
        capacity *= 2;
    }
}

int source_read_stream(Sources *sources, const char *name, FILE *file)
{
    Arena *scratch = arena_new();
    size_t length;
    const char *text = read_all(scratch, file, &length);
    int index = text == NULL ? 0 : source_add(sources, name, text, length);
    int error = errno;
    arena_free(scratch);
    errno = error;
    return index;
}

void source_overlay(Sources *sources, const char *path, const char *text, size_t length)
{
    Source overlay = {.name = arena_copy(sources->arena, path, strlen(path)),
                      .text = arena_copy(sources->arena, text, length),
                      .length = (int32_t)length};
    vec_push(sources->arena, &sources->overlays, overlay);
}

static int read_file(Sources *sources, const char *path, const void *data)
{
    (void)data;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return 0;
    int index = source_read_stream(sources, path, file);
    int error = errno;
    fclose(file);
    errno = error;
    return index;
}

Sources *sources_new(Arena *arena)
{
    Sources *sources = arena_make(arena, Sources);
    sources->arena = arena;
    sources->reader = read_file;
    source_add(sources, "", "", 0); /* index 0 is "no position" */
    return sources;
}

Sources *sources_copy(Arena *arena, const Sources *sources)
{
    Sources *copy = arena_make(arena, Sources);
    copy->arena = arena;
    copy->reader = sources->reader;
    copy->reader_data = sources->reader_data;
    for (int i = 0; i < sources->list.count; i++)
        vec_push(arena, &copy->list, sources->list.data[i]);
    for (int i = 0; i < sources->overlays.count; i++)
        vec_push(arena, &copy->overlays, sources->overlays.data[i]);
    return copy;
}

int source_read(Sources *sources, const char *path)
{
    for (int i = 0; i < sources->overlays.count; i++) {
        const Source *overlay = &sources->overlays.data[i];
        if (strcmp(overlay->name, path) == 0)
            return source_add(sources, path, overlay->text, (size_t)overlay->length);
    }
    return sources->reader(sources, path, sources->reader_data);
}

const Source *source_of(const Sources *sources, Span span)
{
    if (span.source < 0 || span.source >= sources->list.count)
        BUG("span of source %d, but there are %d", span.source, sources->list.count);
    return &sources->list.data[span.source];
}

/* The last line that starts at or before the offset, from 0. */
static int line_index(const Source *source, int32_t offset)
{
    int low = 0, high = source->line_count - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (source->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static bool starts_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

LineColumn source_position(const Sources *sources, int source, int32_t offset)
{
    const Source *file = source_of(sources, (Span){source, 0, 0});
    if (offset > file->length)
        offset = file->length;
    int line = line_index(file, offset);
    int column = 1;
    for (int32_t i = file->line_starts[line]; i < offset; i++)
        column += starts_character(file->text[i]);
    return (LineColumn){line + 1, column};
}

const char *source_line_text(const Sources *sources, int source, int line, int *length)
{
    const Source *file = source_of(sources, (Span){source, 0, 0});
    if (line < 1 || line > file->line_count)
        BUG("line %d of '%s', which has %d", line, file->name, file->line_count);
    int32_t start = file->line_starts[line - 1];
    int32_t end = line < file->line_count ? file->line_starts[line] - 1 : file->length;
    if (end > start && file->text[end - 1] == '\r')
        end--;
    *length = end - start;
    return file->text + start;
}
