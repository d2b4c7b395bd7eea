/* diag.h - diagnostics: one engine for every stage.
 *
 * A stage that finds a fault in the user's program reports it and continues. Texts follow docs/diagnostics.md: first
 * line lower-case, no full stop, subject in quotes; why, help and notes are sentences. Codes are rows of diag.def; each
 * has a page docs/errors/CODE.md, a test that shows it and one that just avoids it.
 *
 *     Diagnostic *d = diag_report(diag, P0201, span, "unknown axis '%s'", name);
 *     diag_label(d, mesh_span, "the axes of '%s' are declared here", mesh);
 *     diag_help_unknown(d, name, names, count);
 *
 * Diagnostics are kept, then printed sorted by position; equal (code, span) are shown once; at most `limit` errors. A
 * perf diagnostic is not an error, and is not printed if there is one.
 */
#ifndef PLACE_BASE_DIAG_H
#define PLACE_BASE_DIAG_H

#include "base/source.h"
#include <stdio.h>

typedef enum DiagCode {
#define DIAG(code, severity, title) code,
#include "base/diag.def"
#undef DIAG
    DIAG_CODE_COUNT
} DiagCode;

/* A fault is an error of ours, with the code that the program would have got. */
typedef enum Severity { SEVERITY_ERROR, SEVERITY_FAULT, SEVERITY_WARNING, SEVERITY_PERF } Severity;

typedef struct Diag Diag;
typedef struct Diagnostic Diagnostic;

Diag *diag_new(Arena *arena, const Sources *sources);

Diagnostic *diag_report(Diag *diag, DiagCode code, Span primary, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The text under the primary span's carets. */
void diag_primary_label(Diagnostic *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diag_label(Diagnostic *d, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
void diag_why(Diagnostic *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* May have several lines; the first is the header, the rest a table. Only computed numbers, never invented ones. */
void diag_counter_example(Diagnostic *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diag_help(Diagnostic *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A help that is a change: replaces the span by `text`. It is tried before it is shown, and dropped if it fails. */
void diag_help_edit(Diagnostic *d, Span span, const char *text, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void diag_note(Diagnostic *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the diagnostics of another list, whose texts must live as long. */
void diag_adopt(Diag *diag, const Diag *found);
/* Adds one fault of ours for all errors of another list, with the position and code of the first; the others become
 * notes. NULL if the list has no errors. */
Diagnostic *diag_report_fault(Diag *diag, const Diag *found, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

int diag_error_count(const Diag *diag);
/* The message of the first error; there must be one. */
const char *diag_first_error(const Diag *diag);
int diag_count(const Diag *diag);
bool diag_has(const Diag *diag, DiagCode code);

const char *diag_code_name(DiagCode code);  /* "P0301" */
const char *diag_code_title(DiagCode code); /* one line for `explain` and docs */
bool diag_code_parse(const char *name, DiagCode *code);

void diag_print_text(const Diag *diag, FILE *out, bool color, int error_limit);
/* One JSON document: {"format_version": 1, "diagnostics": [...]}. */
void diag_print_json(const Diag *diag, FILE *out);
struct cJSON *diag_json(const Diag *diag);
/* Only the list. */
void diag_print_json_list(const Diag *diag, FILE *out);

/* The one of `names` that is written otherwise, or that other programs call so (base/synonyms.def); NULL if none is. */
const char *diag_otherwise(const char *name, const char *const *names, int count);

/* That one, else the closest of `names` by edit distance; NULL if none is close. */
const char *diag_suggest(const char *name, const char *const *names, int count);

/* The name here of what other programs call so, wherever it may stand; NULL if nothing is known. */
const char *diag_synonym(const char *name);

/* What is written here for what other programs call so, a sentence (base/elsewhere.def); NULL if nothing is known. */
const char *diag_elsewhere(const char *name);

/* For bugs of ours: says where, and how to report it, and ends the call of the library (base/escape.h) or, outside one,
 * the process with status 3. Enabled in every build. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_at(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
