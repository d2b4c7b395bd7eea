/* report.h - diagnostics of a file, in the form that the command line asks for. */
#ifndef PLACE_DRIVER_REPORT_H
#define PLACE_DRIVER_REPORT_H

#include "driver/options.h"
#include "driver/pipeline.h"

/* On stderr; with --json an answer without a result is the diagnostics themselves. */
void print_diagnostics(const Options *options, const Pipeline *pipeline);

/* STATUS_BUG where placec is to blame. */
int exit_status(const Pipeline *pipeline, bool good);

#endif
