/* format.c - `placec fmt`: formats files and replaces them atomically (driver/format.h). */
#include "driver/format.h"

#include "driver/files.h"
#include "driver/report.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(const char *verb, const char *path)
{
    fprintf(stderr, "placec: cannot %s '%s': %s\n", verb, path, strerror(errno));
    return STATUS_WORLD;
}

/* ---- Replacing a file --------------------------------------------------------------------------------------- */

/* For a symbolic link, replaces the file it points to. */
static bool replace_file(const char *path, const char *text, size_t length)
{
    struct stat old;
    char target[PATH_MAX];
    if (realpath(path, target) == NULL || stat(target, &old) != 0 || access(target, W_OK) != 0)
        return false;
    if (!S_ISREG(old.st_mode)) {
        errno = EINVAL;
        return false;
    }
    return file_write(target, old.st_mode & 07777, text, length);
}

/* ---- Files -------------------------------------------------------------------------------------------------- */

/* Writes a file whose text changes in formatting, or, with --check, prints its name. */
static int put_text(const Options *options, const place_program *program, const char *path, const char *text,
                    size_t length)
{
    bool from_stdin = strcmp(path, "-") == 0;
    bool same = length == program->length && memcmp(text, program->text, length) == 0;
    if (from_stdin && !options->check)
        fwrite(text, 1, length, stdout);
    if (same || (from_stdin && !options->check))
        return STATUS_GOOD;
    if (options->check) {
        puts(program->name);
        return STATUS_ERRORS;
    }
    if (!replace_file(path, text, length))
        return fail("write", path);
    printf("formatted %s\n", path);
    return STATUS_GOOD;
}

static int format_file(const Options *options, const char *path)
{
    place_program program;
    if (!file_read(path, &program))
        return fail("read", path);
    place_result *result = place_format(&program);
    size_t length;
    const char *text = place_result_text(result, &length);
    int status = place_result_status(result);
    if (text == NULL)
        print_diagnostics(options, result);
    else
        status = put_text(options, &program, path, text, length);
    place_result_free(result);
    file_free(&program);
    return status;
}

int format_files(const Options *options)
{
    int worst = STATUS_GOOD;
    for (int i = 0; i < options->file_count; i++) {
        int status = format_file(options, options->files[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}
