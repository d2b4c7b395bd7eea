/* found.c - writes what was found (driver/found.h). */
#include "driver/found.h"

#include "driver/files.h"
#include "driver/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool found_replaces(const Options *options)
{
    struct stat asked, found;
    if (options->found == NULL || stat(options->argument, &asked) != 0 || stat(options->found, &found) != 0 ||
        asked.st_dev != found.st_dev || asked.st_ino != found.st_ino)
        return false;
    fprintf(stderr, "placec: '%s' is the program itself; name another file with -o\n", options->found);
    return true;
}

int found_write(const char *path, const char *text, size_t length)
{
    if (text == NULL || file_write(path, 0644, text, length))
        return STATUS_GOOD;
    fprintf(stderr, "placec: cannot write '%s': %s\n", path, strerror(errno));
    return STATUS_WORLD;
}
