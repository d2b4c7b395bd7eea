/* report.c - prints diagnostics and chooses the exit status (driver/report.h). */
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

void print_diagnostics(const Options *options, const Pipeline *pipeline)
{
    if (options->json && diag_error_count(pipeline->ctx.diag) > 0)
        diag_print_json(pipeline->ctx.diag, stdout);
    else
        diag_print_text(pipeline->ctx.diag, stderr, wants_color(options), options->error_limit);
}

int exit_status(const Pipeline *pipeline, bool good)
{
    if (pipeline->at_fault)
        return STATUS_BUG;
    return good ? STATUS_GOOD : STATUS_ERRORS;
}
