/* report.c - prints results and chooses the exit status (driver/report.h). */
#include "driver/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wants_color(const Options *options)
{
    if (options->color != COLOR_AUTO)
        return options->color == COLOR_ALWAYS;
    const char *terminal = getenv("TERM");
    bool dumb = terminal == NULL || strcmp(terminal, "dumb") == 0;
    return isatty(STDERR_FILENO) && getenv("NO_COLOR") == NULL && !dumb;
}

static bool has_errors(const place_result *result)
{
    for (size_t i = 0; i < place_result_diagnostic_count(result); i++)
        if (place_result_diagnostic(result, i)->severity <= PLACE_INTERNAL_ERROR)
            return true;
    return false;
}

static void put(const char *text, FILE *out)
{
    if (text == NULL)
        fputs("placec: out of memory\n", stderr);
    else
        fputs(text, out);
}

void print_diagnostics(const Options *options, place_result *result)
{
    if (place_result_failure(result) != NULL)
        fprintf(stderr, "placec: %s\n", place_result_failure(result));
    if (options->json && has_errors(result))
        put(place_result_messages(result, PLACE_JSON, 0), stdout);
    else
        put(place_result_messages(result, wants_color(options) ? PLACE_COLOR : PLACE_TEXT, options->error_limit),
            stderr);
}

/* Does it say that a device has too little memory? */
static bool is_too_large(const place_result *result)
{
    bool found = false;
    for (size_t i = 0; i < place_result_diagnostic_count(result); i++)
        found = found || strcmp(place_result_diagnostic(result, i)->code, "P0363") == 0;
    return found;
}

int finish(const Options *options, place_result *result)
{
    print_diagnostics(options, result);
    size_t length;
    const char *text = place_result_text(result, &length);
    if (text != NULL)
        fwrite(text, 1, length, stdout);
    int status = place_result_status(result);
    if (status == STATUS_GOOD && options->fits && is_too_large(result)) {
        fputs("placec: the program does not fit, and --fits asks that it does\n", stderr);
        status = STATUS_ERRORS;
    }
    place_result_free(result);
    return status;
}
