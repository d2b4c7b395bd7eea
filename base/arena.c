/* arena.c - bump allocation from chunks of malloc's memory (base/arena.h). */
#include "base/arena.h"

#include "base/escape.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A chunk is as large as all before it, within these: an arena of little costs little, one of much few chunks. */
enum { ALIGNMENT = 16, LEAST_CHUNK_BYTES = 4 * 1024, MOST_CHUNK_BYTES = 256 * 1024 };

/* What is behind `dirty` is zero: all of it where the memory is new. */
struct Chunk {
    Chunk *next;
    size_t used, dirty, bytes;
    _Alignas(ALIGNMENT) char data[];
};

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

/* ---- Spare chunks -------------------------------------------------------------------------------------------- */

/* A search has an arena for each of thousands of programs, one after another, with much the same in it. Within a call
 * of the library large chunks wait for the next one that needs one of the same size: new memory costs more than
 * clearing what was used, as the kernel clears it, too, page by page. */
enum { LEAST_SPARE_BYTES = 16 * 1024 };
#ifdef __SANITIZE_ADDRESS__
enum { MOST_SPARE_BYTES = 0 }; /* that what is freed is used is to be seen */
#else
enum { MOST_SPARE_BYTES = 64 * MOST_CHUNK_BYTES };
#endif

static bool give_chunk(Chunk *chunk)
{
    Escape *escape = escape_current();
    if (escape == NULL || escape->spare_bytes + chunk->bytes > MOST_SPARE_BYTES)
        return false;
    chunk->next = escape->spare;
    escape->spare = chunk;
    escape->spare_bytes += chunk->bytes;
    return true;
}

/* NULL: there is none. */
static Chunk *take_chunk(size_t bytes)
{
    Escape *escape = escape_current();
    Chunk **link = escape != NULL ? &escape->spare : NULL;
    while (link != NULL && *link != NULL && (*link)->bytes != bytes)
        link = &(*link)->next;
    if (link == NULL || *link == NULL)
        return NULL;
    Chunk *chunk = *link;
    *link = chunk->next;
    escape->spare_bytes -= bytes;
    return chunk;
}

void arena_spare_free(Chunk *spare)
{
    while (spare != NULL) {
        Chunk *next = spare->next;
        free(spare);
        spare = next;
    }
}

static Chunk *new_chunk(size_t bytes)
{
    Chunk *chunk = bytes >= LEAST_SPARE_BYTES ? take_chunk(bytes) : NULL;
    if (chunk == NULL)
        chunk = must(calloc(1, sizeof(Chunk) + bytes));
    chunk->bytes = bytes;
    return chunk;
}

static void clear_chunk(Chunk *chunk)
{
    if (chunk->dirty < chunk->used)
        chunk->dirty = chunk->used;
    chunk->used = 0;
}

static void free_chunk(Chunk *chunk)
{
    clear_chunk(chunk);
    if (chunk->bytes < LEAST_SPARE_BYTES || !give_chunk(chunk))
        free(chunk);
}

/* Zeroed, as it may have been used before. */
static void *take_bytes(Chunk *chunk, size_t bytes)
{
    char *memory = chunk->data + chunk->used;
    if (chunk->used < chunk->dirty)
        memset(memory, 0, chunk->dirty - chunk->used < bytes ? chunk->dirty - chunk->used : bytes);
    chunk->used += bytes;
    return memory;
}

/* ---- Arenas -------------------------------------------------------------------------------------------------- */

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
        free_chunk(chunk);
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
        free_chunk(first);
        first = next;
    }
    clear_chunk(first);
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
        chunk = new_chunk(size);
        arena->bytes += size;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    return take_bytes(chunk, bytes);
}

bool arena_extend(Arena *arena, const void *memory, size_t bytes, size_t wanted)
{
    Chunk *chunk = arena->chunks;
    size_t more = align(wanted) - align(bytes);
    if ((const char *)memory + align(bytes) != chunk->data + chunk->used || chunk->bytes - chunk->used < more)
        return false;
    take_bytes(chunk, more);
    return true;
}

char *arena_copy(Arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    if (length > 0)
        memcpy(copy, text, length);
    return copy;
}

/* Most texts are short, and printed once. */
char *arena_vprintf(Arena *arena, const char *format, va_list args)
{
    char here[128];
    va_list again;
    va_copy(again, args);
    size_t length = (size_t)vsnprintf(here, sizeof here, format, args);
    char *text = arena_alloc(arena, length + 1);
    if (length < sizeof here)
        memcpy(text, here, length + 1);
    else
        vsnprintf(text, length + 1, format, again);
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
