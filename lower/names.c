/* names.c - names of the buffers that passes add (lower/names.h). */
#include "lower/names.h"

#include <string.h>

static bool is_taken(const Program *program, const char *name)
{
    for (int i = 0; i < program->buffers.count; i++)
        if (strcmp(program->buffers.data[i].name, name) == 0)
            return true;
    return false;
}

const char *lower_name(Arena *arena, const Program *program, const char *of, const char *what)
{
    const char *name = arena_printf(arena, "%s.%s", of, what);
    for (int number = 2; is_taken(program, name); number++)
        name = arena_printf(arena, "%s.%s.%d", of, what, number);
    return name;
}
