/* diag_list.h - the contents of a Diag; for diag.c, the two printers, and what the library makes of it. */
#ifndef PLACE_BASE_DIAG_LIST_H
#define PLACE_BASE_DIAG_LIST_H

#include "base/change.h"
#include "base/str.h"

typedef struct DiagLabel {
    Span span;
    const char *text; /* may be empty for the primary span */
    bool primary;
} DiagLabel;

/* In printing order. */
typedef enum RemarkKind { REMARK_WHY, REMARK_COUNTER_EXAMPLE, REMARK_HELP, REMARK_NOTE, REMARK_KIND_COUNT } RemarkKind;

typedef struct DiagRemark {
    RemarkKind kind;
    const char *text;
    Change *change; /* of a help; NULL: it is words only */
} DiagRemark;

struct Diagnostic {
    Arena *arena;
    const Sources *sources;
    DiagCode code;
    Severity severity;
    Span primary;
    const char *message, *primary_label;
    Vec(DiagLabel) labels;
    Vec(DiagRemark) remarks;
    Vec(Repair) repairs;
};

struct Diag {
    Arena *arena;
    const Sources *sources;
    Vec(Diagnostic *) list;
    int error_count;
    Diagnostic **slots; /* open-addressed set by (code, span) */
    size_t slot_capacity;
};

/* Those to show, by position: next to an error, costs are not mentioned. */
Diagnostic **diag_sorted(const Diag *diag, int *count);

const char *diag_severity_name(Severity severity);

/* A copy that is valid UTF-8, without control characters other than tab and newline. */
char *diag_clean(Arena *arena, const char *text, size_t length);

#endif
