/* files.c - whole files and directories (codegen/files.h). */
#include "codegen/files.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

const char *files_read(Arena *arena, const char *path, size_t *length)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (file == NULL || fstat(fileno(file), &status) != 0) {
        if (file != NULL)
            fclose(file);
        return NULL;
    }
    char *bytes = arena_alloc(arena, (size_t)status.st_size + 1);
    *length = fread(bytes, 1, (size_t)status.st_size, file);
    fclose(file);
    return *length == (size_t)status.st_size ? bytes : NULL;
}

const char *files_make_parents(Arena *arena, const char *path)
{
    char *part = arena_printf(arena, "%s", path);
    for (char *at = part + 1; *at != '\0'; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return part;
        *at = '/';
    }
    return NULL;
}
