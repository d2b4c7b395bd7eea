/* arena.h - bump allocation; the memory of a phase is freed all at once.
 *
 * Compiler objects live in the arena of their phase and are never freed one by one. Whoever calls arena_new frees the
 * arena; a function that is given one never frees it, and returns pointers into it. Strings are interned (base/str.h);
 * compare pointers. The runtime does the opposite: every prt_x_create has a prt_x_destroy.
 *
 *     Arena *arena = arena_new();
 *     Node *node = arena_make(arena, Node);              // zeroed
 *     int *ids = arena_array(arena, int, 12);            // zeroed
 *     arena_free(arena);
 */
#ifndef PLACE_BASE_ARENA_H
#define PLACE_BASE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct Arena Arena;
typedef struct Chunk Chunk;

Arena *arena_new(void);
void arena_free(Arena *arena);
/* The bytes it has taken from the process. */
size_t arena_size(const Arena *arena);

/* Frees everything in it, and keeps some of the memory for what is allocated next. */
void arena_reset(Arena *arena);

/* Zeroed memory, aligned to 16 bytes. Never returns NULL: running out of memory ends the call of the library
 * (base/escape.h) or, outside one, the process with status 2. */
void *arena_alloc(Arena *arena, size_t bytes);

/* Extends memory of `bytes` to `wanted` in place, with zeroed bytes; false if it was not allocated last, or its chunk
 * has no room. */
bool arena_extend(Arena *arena, const void *memory, size_t bytes, size_t wanted);

/* Copies `length` bytes and appends a NUL. */
char *arena_copy(Arena *arena, const char *text, size_t length);

char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *arena, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Arenas that an escape frees: those of the list are freed, or no longer in it. */
void arena_list_free(Arena **list);
void arena_list_release(Arena **list);
/* Frees what an escape has of memory for the next arenas. */
void arena_spare_free(Chunk *spare);

#define arena_make(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type)))
#define arena_array(arena, Type, count) ((Type *)arena_alloc((arena), sizeof(Type) * (size_t)(count)))

#endif
