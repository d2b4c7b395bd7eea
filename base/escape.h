/* escape.h - ends a call of the compiler early, for those who call it as a library: after a bug of ours, or without
 * memory, the process continues.
 *
 *     Escape escape;
 *     escape_begin(&escape);
 *     if (setjmp(escape.jump) == 0)
 *         work();                      // may find a BUG, or no memory
 *     escape_end(&escape);
 *     if (escape.cause != ESCAPE_NONE) ...        // escape.message says why
 *
 * Every thread has escapes of its own, one inside another. Without one, as in tests, a bug or lack of memory is printed
 * and ends the process. If work() does not return, escape_end frees the arenas that it created.
 */
#ifndef PLACE_BASE_ESCAPE_H
#define PLACE_BASE_ESCAPE_H

#include "base/arena.h"
#include <setjmp.h>

typedef enum EscapeCause { ESCAPE_NONE, ESCAPE_MEMORY, ESCAPE_BUG } EscapeCause;

enum { ESCAPE_LONGEST = 1024 };

typedef struct Escape {
    jmp_buf jump;
    EscapeCause cause;
    char message[ESCAPE_LONGEST];
    Arena *arenas; /* created since escape_begin */
    Chunk *spare;  /* of arenas that were freed, for the next ones */
    size_t spare_bytes;
    struct Escape *outer;
} Escape;

void escape_begin(Escape *escape);
void escape_end(Escape *escape);

/* Leaves by the innermost escape of this thread; without one prints the message and exits with `status`. */
_Noreturn void escape_leave(EscapeCause cause, int status, const char *message);

/* The innermost escape of this thread; NULL if there is none. */
Escape *escape_current(void);

#endif
