/* files.c - reads whole files, also those whose size is unknown (driver/files.h). */
#include "driver/files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
