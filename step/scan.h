/* scan.h - the characters of a step file: names, numbers, strings, line ends, and errors about them.
 *
 * The format is line by line and its lexemes overlap ("l0-1" is an affine expression, "block.0-3.mlp" a name), so the
 * reader asks for what it expects instead of tokenizing first. A function that returns false has reported P0340.
 */
#ifndef PLACE_STEP_SCAN_H
#define PLACE_STEP_SCAN_H

#include "base/ctx.h"

typedef struct StepScan {
    Ctx *ctx;
    int source;
    const char *text;
    int32_t at, length;
    int error_count;
} StepScan;

Span step_scan_span(const StepScan *scan, int32_t start, int32_t end);

/* Reports at the word (or character) that starts at `start`; returns false. */
bool step_scan_fail(StepScan *scan, int32_t start, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Moves to the first character of the next line that is neither blank nor a comment; false at the end of the file. */
bool step_scan_next_line(StepScan *scan);
void step_scan_skip_line(StepScan *scan);
/* Nothing but a comment may follow on the line. */
bool step_scan_line_end(StepScan *scan);

/* The next character after blanks, 0 at the end of the file. */
char step_scan_peek(StepScan *scan);
/* Consumes the character, or word, if it is next. */
bool step_scan_take(StepScan *scan, char c);
bool step_scan_take_word(StepScan *scan, const char *word);
bool step_scan_expect(StepScan *scan, char c);
bool step_scan_expect_word(StepScan *scan, const char *word);
bool step_scan_expect_range(StepScan *scan); /* ".." */

/* [A-Za-z_][A-Za-z0-9_.*-]*, interned. `what` is what the error message says was expected. */
bool step_scan_name(StepScan *scan, const char **name, const char *what);
/* [A-Za-z_][A-Za-z0-9_]*: the name of an axis. */
bool step_scan_identifier(StepScan *scan, const char **name, const char *what);
bool step_scan_integer(StepScan *scan, int64_t *value, int64_t low, int64_t high, const char *what);
bool step_scan_float(StepScan *scan, double *value);
/* "...", printable and without escapes; interned. */
bool step_scan_string(StepScan *scan, const char **string);
/* A name that must be one of `names`; sets its index. */
bool step_scan_choice(StepScan *scan, int *index, const char *const *names, int count, const char *what);

#endif
