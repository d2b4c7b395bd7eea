/* escape.c - leaves a call of the library early (base/escape.h). */
#include "base/escape.h"

#include <stdio.h>
#include <stdlib.h>

static _Thread_local Escape *innermost;

Escape *escape_current(void)
{
    return innermost;
}

void escape_begin(Escape *escape)
{
    escape->cause = ESCAPE_NONE;
    escape->message[0] = '\0';
    escape->arenas = NULL;
    escape->spare = NULL;
    escape->spare_bytes = 0;
    escape->outer = innermost;
    innermost = escape;
}

void escape_end(Escape *escape)
{
    innermost = escape->outer;
    if (escape->cause == ESCAPE_NONE)
        arena_list_release(&escape->arenas);
    else
        arena_list_free(&escape->arenas);
    arena_spare_free(escape->spare);
}

void escape_leave(EscapeCause cause, int status, const char *message)
{
    Escape *escape = innermost;
    if (escape == NULL) {
        fprintf(stderr, "placec: %s\n", message);
        exit(status);
    }
    escape->cause = cause;
    snprintf(escape->message, sizeof escape->message, "%s", message);
    longjmp(escape->jump, 1);
}
