/* search.c - the verb `search` (driver/search.h). */
#include "driver/search.h"

#include "driver/found.h"
#include "driver/report.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

typedef struct Watch {
    const Options *options;
    bool terminal; /* one line is written again and again; elsewhere a line every few seconds */
    double shown_s;
} Watch;

static int watch_search(void *data, const place_progress *progress)
{
    Watch *watch = data;
    double every_s = watch->terminal ? 0.1 : 5, elapsed_s = progress->elapsed_s;
    if (elapsed_s - watch->shown_s >= every_s) {
        watch->shown_s = elapsed_s;
        fprintf(stderr, "%splacec: %.1f s, %lld program%s", watch->terminal ? "\r" : "", elapsed_s,
                (long long)progress->costed, progress->costed == 1 ? "" : "s");
        if (progress->found)
            fprintf(stderr, ", within %.1f%% of the best", 100 * fmax(0, 1 - progress->bound / progress->best));
        fputs(watch->terminal ? "\033[K" : "\n", stderr);
    }
    return !interrupted && elapsed_s < watch->options->seconds;
}

static int write_found(const Options *options, const place_result *result)
{
    size_t length;
    int status = STATUS_GOOD;
    if (options->found != NULL) {
        const char *text = place_result_program(result, &length);
        status = found_write(options->found, text, length);
    }
    if (!options->lock || status != STATUS_GOOD)
        return status;
    const char *text = place_result_lock(result, &length);
    char *path = NULL;
    if (asprintf(&path, "%s.lock", options->argument) < 0)
        return STATUS_WORLD;
    status = found_write(path, text, length);
    free(path);
    return status;
}

int search_program(const Options *options, const place_program *program)
{
    if (found_replaces(options))
        return STATUS_USAGE;
    if (options->lock && strcmp(options->argument, "-") == 0) {
        fprintf(stderr, "placec: a program from standard input is in no file that a lock could be next to; use -o\n");
        return STATUS_USAGE;
    }
    Watch watch = {.options = options, .terminal = isatty(STDERR_FILENO)};
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESETHAND}, before;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &before);
    const place_form form = options->json ? PLACE_JSON : PLACE_TEXT;
    place_result *result = options->lock ? place_search_lock(program, form, watch_search, &watch)
                                         : place_search(program, form, watch_search, &watch);
    sigaction(SIGINT, &before, NULL);
    if (watch.terminal && watch.shown_s > 0)
        fputs("\r\033[K", stderr);
    int written = write_found(options, result);
    int status = finish(options, result);
    if (status == STATUS_GOOD && interrupted)
        return STATUS_INTERRUPTED;
    return status == STATUS_GOOD ? written : status;
}
