/* arena.c - bump allocation from chunks of malloc's memory (base/arena.h). */
#include "base/arena.h"

#include "base/escape.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A chunk is as large as all before it, within these: an arena of little costs little, one of much few chunks. */
enum { ALIGNMENT = 16, LEAST_CHUNK_BYTES = 4 * 1024, MOST_CHUNK_BYTES = 256 * 1024 };

typedef struct Chunk {
    struct Chunk *next;
    size_t used, bytes;
    _Alignas(ALIGNMENT) char data[];
} Chunk;

struct Arena {
    Chunk *chunks;
    size_t bytes;        /* of all chunks */
    Arena *next, **link; /* in the list of an escape; link NULL: in none */
};

static void *must(void *memory)
{
    if (memory == NULL)
        escape_leave(ESCAPE_MEMORY, 2, "out of memory");
    return memory;
}

Arena *arena_new(void)
{
    Arena *arena = must(calloc(1, sizeof(Arena)));
    Escape *escape = escape_current();
    if (escape != NULL) {
        arena->next = escape->arenas;
        arena->link = &escape->arenas;
        if (arena->next != NULL)
            arena->next->link = &arena->next;
        escape->arenas = arena;
    }
    return arena;
}

static void leave_list(Arena *arena)
{
    if (arena->link == NULL)
        return;
    *arena->link = arena->next;
    if (arena->next != NULL)
        arena->next->link = arena->link;
    arena->next = NULL;
    arena->link = NULL;
}

void arena_list_free(Arena **list)
{
    while (*list != NULL)
        arena_free(*list);
}

void arena_list_release(Arena **list)
{
    while (*list != NULL)
        leave_list(*list);
}

void arena_free(Arena *arena)
{
    if (arena == NULL)
        return;
    leave_list(arena);
    for (Chunk *chunk = arena->chunks; chunk != NULL;) {
        Chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    free(arena);
}

void arena_reset(Arena *arena)
{
    Chunk *first = arena->chunks; /* the first in time is the last of the list */
    if (first == NULL)
        return;
    while (first->next != NULL) {
        Chunk *next = first->next;
        free(first);
        first = next;
    }
    memset(first->data, 0, first->used);
    first->used = 0;
    arena->chunks = first;
    arena->bytes = first->bytes;
}

size_t arena_size(const Arena *arena)
{
    return arena->bytes;
}

static size_t align(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t chunk_bytes(const Arena *arena, size_t wanted)
{
    size_t bytes = arena->bytes < LEAST_CHUNK_BYTES ? LEAST_CHUNK_BYTES : arena->bytes;
    bytes = bytes > MOST_CHUNK_BYTES ? MOST_CHUNK_BYTES : bytes;
    return wanted > bytes ? wanted : bytes;
}

void *arena_alloc(Arena *arena, size_t bytes)
{
    bytes = align(bytes);
    Chunk *chunk = arena->chunks;
    if (chunk == NULL || chunk->bytes - chunk->used < bytes) {
        size_t size = chunk_bytes(arena, bytes);
        chunk = must(calloc(1, sizeof(Chunk) + size));
        chunk->bytes = size;
        arena->bytes += size;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    void *memory = chunk->data + chunk->used;
    chunk->used += bytes;
    return memory;
}

bool arena_extend(Arena *arena, const void *memory, size_t bytes, size_t wanted)
{
    Chunk *chunk = arena->chunks;
    size_t more = align(wanted) - align(bytes);
    if ((const char *)memory + align(bytes) != chunk->data + chunk->used || chunk->bytes - chunk->used < more)
        return false;
    chunk->used += more;
    return true;
}

char *arena_copy(Arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    if (length > 0)
        memcpy(copy, text, length);
    return copy;
}

char *arena_vprintf(Arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(Arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}
