/* files.h - whole files and directories. */
#ifndef PLACE_CODEGEN_FILES_H
#define PLACE_CODEGEN_FILES_H

#include "base/arena.h"

/* The bytes in the arena, with a NUL after them; NULL (errno) if the file cannot be read. */
const char *files_read(Arena *arena, const char *path, size_t *length);

/* Makes the directories that a path is in, all before its last '/'. NULL, or the one that cannot be made (errno). */
const char *files_make_parents(Arena *arena, const char *path);

#endif
