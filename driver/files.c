/* files.c - reads whole files, also those whose size is unknown (driver/files.h). */
#include "driver/files.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* NULL with errno set if it cannot be read; else freed by the caller. */
static char *read_stream(FILE *file, size_t *length)
{
    size_t capacity = 16 * 1024;
    char *text = malloc(capacity);
    *length = 0;
    while (text != NULL) {
        *length += fread(text + *length, 1, capacity - *length, file);
        if (ferror(file) || (*length == capacity && capacity > INT_MAX / 2)) {
            errno = ferror(file) ? errno : EFBIG;
            free(text);
            return NULL;
        }
        if (*length < capacity)
            return text;
        capacity *= 2;
        char *grown = realloc(text, capacity);
        if (grown == NULL)
            free(text);
        text = grown;
    }
    errno = ENOMEM;
    return NULL;
}

static char *read_path(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    char *text = read_stream(file, length);
    int error = errno;
    fclose(file);
    errno = error;
    return text;
}

static int read_import(void *data, const char *path, place_import *import)
{
    (void)data;
    size_t length;
    char *text = read_path(path, &length);
    if (text == NULL)
        return errno;
    place_import_text(import, text, length);
    free(text);
    return 0;
}

bool file_read(const char *path, place_program *program)
{
    bool is_stdin = strcmp(path, "-") == 0;
    *program = (place_program){.name = is_stdin ? "<stdin>" : path, .read = read_import};
    program->text = is_stdin ? read_stream(stdin, &program->length) : read_path(path, &program->length);
    return program->text != NULL;
}

void file_free(place_program *program)
{
    free((char *)program->text);
    program->text = NULL;
}

/* ---- Writing ------------------------------------------------------------------------------------------------ */

static bool write_all(int file, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno != EINTR)
            return false;
        text += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* A temporary file next to it is renamed: readers see the old text or the new, never a mixture. */
bool file_write(const char *path, mode_t mode, const char *text, size_t length)
{
    char copy[PATH_MAX], temporary[PATH_MAX + 32];
    snprintf(copy, sizeof copy, "%s", path);
    snprintf(temporary, sizeof temporary, "%s/.placec-XXXXXX", dirname(copy));
    int file = mkstemp(temporary);
    if (file < 0)
        return false;
    bool good = write_all(file, text, length) && fchmod(file, mode) == 0 && fsync(file) == 0;
    good = close(file) == 0 && good;
    good = good && rename(temporary, path) == 0;
    int error = errno;
    if (!good)
        unlink(temporary);
    errno = error;
    return good;
}
