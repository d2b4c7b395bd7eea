/* step_scan.h - the characters of a step file: names, numbers, strings, line ends, and the errors at them.
 *
 * The form is line by line and its words overlap ("l0-1" is an affine expression, "block.0-3.mlp" a name), so the
 * reader asks for what it expects instead of cutting tokens first. A function that returns false has reported P0340.
 */
#ifndef PLACE_SEMA_STEP_SCAN_H
#define PLACE_SEMA_STEP_SCAN_H

#include "base/ctx.h"

typedef struct Scan {
    Ctx *ctx;
    int source;
    const char *text;
    int32_t at, length;
    int error_count;
} Scan;

Span scan_span(const Scan *scan, int32_t start, int32_t end);

/* Reports at the word (or character) that starts at `start`; returns false. */
bool scan_fail(Scan *scan, int32_t start, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* To the first character of the next line that says something; false at the end of the file. */
bool scan_next_line(Scan *scan);
void scan_skip_line(Scan *scan);
/* Nothing but a comment may follow on the line. */
bool scan_line_end(Scan *scan);

/* The character after blanks, 0 at the end of the file. */
char scan_peek(Scan *scan);
/* Takes the character, or word, if it is next. */
bool scan_take(Scan *scan, char c);
bool scan_take_word(Scan *scan, const char *word);
bool scan_expect(Scan *scan, char c);
bool scan_expect_word(Scan *scan, const char *word);
bool scan_expect_range(Scan *scan); /* ".." */

/* [A-Za-z_][A-Za-z0-9_.*-]*, interned. `what` says in the error what was expected. */
bool scan_name(Scan *scan, const char **name, const char *what);
/* [A-Za-z_][A-Za-z0-9_]*: the name of an axis. */
bool scan_identifier(Scan *scan, const char **name, const char *what);
bool scan_integer(Scan *scan, int64_t *value, int64_t low, int64_t high, const char *what);
bool scan_float(Scan *scan, double *value);
/* "...", printable and without escapes; interned. */
bool scan_string(Scan *scan, const char **string);
/* A name that must be one of `names`; sets its index. */
bool scan_choice(Scan *scan, int *index, const char *const *names, int count, const char *what);

#endif
