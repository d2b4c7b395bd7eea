/* report.h - prints what the library answered: the answer on stdout, everything else on stderr. */
#ifndef PLACE_DRIVER_REPORT_H
#define PLACE_DRIVER_REPORT_H

#include "driver/options.h"
#include "library/place.h"

/* With --json the diagnostics of errors are the answer. */
void print_diagnostics(const Options *options, place_result *result);

/* Prints failure, diagnostics and answer, frees the result, and returns the exit status: that of the result. */
int finish(const Options *options, place_result *result);

#endif
