/* report.h - prints the diagnostics of a file in the requested form, and decides the exit status. */
#ifndef PLACE_DRIVER_REPORT_H
#define PLACE_DRIVER_REPORT_H

#include "driver/options.h"
#include "driver/pipeline.h"

/* Prints to stderr; with --json, if there is no other result, the diagnostics are the JSON answer. */
void print_diagnostics(const Options *options, const Pipeline *pipeline);

/* STATUS_BUG if placec is to blame. */
int exit_status(const Pipeline *pipeline, bool good);

#endif
