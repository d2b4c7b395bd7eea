/* diag.c - collects diagnostics, drops repeats, counts them. Printing is in diag_text.c and diag_json.c. */
#include "base/diag_list.h"

#include "base/escape.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct CodeRow {
    const char *name;
    Severity severity;
    const char *title;
} CodeRow;

static const CodeRow code_rows[DIAG_CODE_COUNT] = {
#define DIAG(code, severity, title) [code] = {#code, SEVERITY_##severity, title},
#include "base/diag.def"
#undef DIAG
};

const char *diag_code_name(DiagCode code)
{
    return code_rows[code].name;
}

const char *diag_code_title(DiagCode code)
{
    return code_rows[code].title;
}

bool diag_code_parse(const char *name, DiagCode *code)
{
    for (int i = 0; i < DIAG_CODE_COUNT; i++) {
        if (strcmp(code_rows[i].name, name) == 0) {
            *code = (DiagCode)i;
            return true;
        }
    }
    return false;
}

Diag *diag_new(Arena *arena, const Sources *sources)
{
    Diag *diag = arena_make(arena, Diag);
    diag->arena = arena;
    diag->sources = sources;
    return diag;
}

/* ---- The set of reported diagnostics: (code, span) ---------------------------------------------------------- */

static uint64_t key_hash(const Diagnostic *d)
{
    uint64_t hash = (uint64_t)d->code;
    hash = (hash ^ (uint32_t)d->primary.source) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (uint32_t)d->primary.start) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (uint32_t)d->primary.end) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static bool same_key(const Diagnostic *a, const Diagnostic *b)
{
    return a->code == b->code && a->primary.source == b->primary.source && a->primary.start == b->primary.start &&
           a->primary.end == b->primary.end;
}

static Diagnostic **find_slot(Diagnostic **slots, size_t capacity, const Diagnostic *d)
{
    size_t i = key_hash(d) & (capacity - 1);
    while (slots[i] != NULL && !same_key(slots[i], d))
        i = (i + 1) & (capacity - 1);
    return &slots[i];
}

static void grow_set(Diag *diag)
{
    enum { FIRST_CAPACITY = 64 };
    size_t capacity = diag->slot_capacity == 0 ? FIRST_CAPACITY : 2 * diag->slot_capacity;
    Diagnostic **slots = arena_array(diag->arena, Diagnostic *, capacity);
    for (int i = 0; i < diag->list.count; i++)
        *find_slot(slots, capacity, diag->list.data[i]) = diag->list.data[i];
    diag->slots = slots;
    diag->slot_capacity = capacity;
}

static bool is_error(const Diagnostic *d)
{
    return d->severity == SEVERITY_ERROR || d->severity == SEVERITY_FAULT;
}

/* False if it is a repeat: what is then added to this one is never shown. */
static bool add(Diag *diag, Diagnostic *d)
{
    if (2 * (size_t)diag->list.count >= diag->slot_capacity)
        grow_set(diag);
    Diagnostic **slot = find_slot(diag->slots, diag->slot_capacity, d);
    if (*slot != NULL && span_known(d->primary))
        return false;
    *slot = d;
    vec_push(diag->arena, &diag->list, d);
    diag->error_count += is_error(d);
    return true;
}

static Diagnostic *new_diagnostic(const Diag *diag, DiagCode code, Severity severity, Span primary)
{
    Diagnostic *d = arena_make(diag->arena, Diagnostic);
    *d = (Diagnostic){
        .arena = diag->arena, .sources = diag->sources, .code = code, .severity = severity, .primary = primary};
    return d;
}

Diagnostic *diag_report(Diag *diag, DiagCode code, Span primary, const char *format, ...)
{
    Diagnostic *d = new_diagnostic(diag, code, code_rows[code].severity, primary);
    if (!add(diag, d))
        return d;
    va_list args;
    va_start(args, format);
    d->message = arena_vprintf(diag->arena, format, args);
    va_end(args);
    return d;
}

void diag_adopt(Diag *diag, const Diag *found)
{
    for (int i = 0; i < found->list.count; i++)
        add(diag, found->list.data[i]);
}

/* "P0307: 'x' is used as if it were whole (gpt.place:8:19)." */
static void note_found(Diagnostic *d, const Diag *found, const Diagnostic *one)
{
    if (!span_known(one->primary)) {
        diag_note(d, "%s: %s.", diag_code_name(one->code), one->message);
        return;
    }
    LineColumn at = source_position(found->sources, one->primary.source, one->primary.start);
    diag_note(d, "%s: %s (%s:%d:%d).", diag_code_name(one->code), one->message,
              source_of(found->sources, one->primary)->name, at.line, at.column);
}

Diagnostic *diag_report_fault(Diag *diag, const Diag *found, const char *format, ...)
{
    enum { MOST_NOTES = 5 };
    if (found->error_count == 0)
        return NULL;
    int count;
    Diagnostic **sorted = diag_sorted(found, &count);
    Diagnostic *d = new_diagnostic(diag, sorted[0]->code, SEVERITY_FAULT, sorted[0]->primary);
    va_list args;
    va_start(args, format);
    d->message = arena_vprintf(diag->arena, format, args);
    va_end(args);
    add(diag, d);
    for (int i = 0; i < count && i < MOST_NOTES; i++)
        note_found(d, found, sorted[i]);
    if (count > MOST_NOTES)
        diag_note(d, "And %d more.", count - MOST_NOTES);
    return d;
}

void diag_primary_label(Diagnostic *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    d->primary_label = arena_vprintf(d->arena, format, args);
    va_end(args);
}

void diag_label(Diagnostic *d, Span span, const char *format, ...)
{
    if (!span_known(span))
        return;
    va_list args;
    va_start(args, format);
    DiagLabel label = {span, arena_vprintf(d->arena, format, args), false};
    va_end(args);
    vec_push(d->arena, &d->labels, label);
}

static void add_remark(Diagnostic *d, RemarkKind kind, const char *format, va_list args)
{
    DiagRemark remark = {kind, arena_vprintf(d->arena, format, args), NULL};
    vec_push(d->arena, &d->remarks, remark);
}

void diag_why(Diagnostic *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_remark(d, REMARK_WHY, format, args);
    va_end(args);
}

void diag_counter_example(Diagnostic *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_remark(d, REMARK_COUNTER_EXAMPLE, format, args);
    va_end(args);
}

void diag_help(Diagnostic *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_remark(d, REMARK_HELP, format, args);
    va_end(args);
}

void diag_note(Diagnostic *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_remark(d, REMARK_NOTE, format, args);
    va_end(args);
}

int diag_error_count(const Diag *diag)
{
    return diag->error_count;
}

const char *diag_first_error(const Diag *diag)
{
    for (int i = 0; i < diag->list.count; i++)
        if (is_error(diag->list.data[i]))
            return diag->list.data[i]->message;
    BUG("a stage failed without an error");
}

int diag_count(const Diag *diag)
{
    return diag->list.count;
}

bool diag_has(const Diag *diag, DiagCode code)
{
    for (int i = 0; i < diag->list.count; i++)
        if (diag->list.data[i]->code == code)
            return true;
    return false;
}

static int compare_places(const void *a, const void *b)
{
    const Diagnostic *left = *(Diagnostic *const *)a, *right = *(Diagnostic *const *)b;
    if (left->primary.source != right->primary.source)
        return left->primary.source < right->primary.source ? -1 : 1;
    if (left->primary.start != right->primary.start)
        return left->primary.start < right->primary.start ? -1 : 1;
    if (left->primary.end != right->primary.end)
        return left->primary.end < right->primary.end ? -1 : 1;
    if (left->code != right->code)
        return left->code < right->code ? -1 : 1;
    return strcmp(left->message, right->message);
}

Diagnostic **diag_sorted(const Diag *diag, int *count)
{
    Diagnostic **sorted = arena_array(diag->arena, Diagnostic *, diag->list.count);
    *count = 0;
    for (int i = 0; i < diag->list.count; i++)
        if (diag->error_count == 0 || diag->list.data[i]->severity != SEVERITY_PERF)
            sorted[(*count)++] = diag->list.data[i];
    if (*count > 0)
        qsort(sorted, (size_t)*count, sizeof(*sorted), compare_places);
    return sorted;
}

const char *diag_severity_name(Severity severity)
{
    switch (severity) {
    case SEVERITY_ERROR:
        return "error";
    case SEVERITY_FAULT:
        return "internal error";
    case SEVERITY_WARNING:
        return "warning";
    case SEVERITY_PERF:
        return "perf";
    }
    BUG("severity %d", (int)severity);
}

/* The length of the well-formed UTF-8 character at `text`; 0 if there is none. */
static size_t character_bytes(const unsigned char *text, size_t length)
{
    static const struct {
        unsigned char low, high;
    } second[] = {[0xe0] = {0xa0, 0xbf}, [0xed] = {0x80, 0x9f}, [0xf0] = {0x90, 0xbf}, [0xf4] = {0x80, 0x8f}};
    unsigned char first = text[0];
    if (first < 0x80)
        return 1;
    size_t bytes = first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : 4;
    if (first < 0xc2 || first > 0xf4 || length < bytes)
        return 0;
    bool special = first < sizeof(second) / sizeof(second[0]) && second[first].low != 0;
    if (text[1] < (special ? second[first].low : 0x80) || text[1] > (special ? second[first].high : 0xbf))
        return 0;
    for (size_t i = 2; i < bytes; i++)
        if (text[i] < 0x80 || text[i] > 0xbf)
            return 0;
    return bytes;
}

char *diag_clean(Arena *arena, const char *text, size_t length)
{
    Text clean = {.arena = arena};
    text_add_bytes(&clean, "", 0);
    for (size_t i = 0; i < length;) {
        unsigned char byte = (unsigned char)text[i];
        size_t bytes = character_bytes((const unsigned char *)text + i, length - i);
        bool control = (byte < 0x20 && byte != '\t' && byte != '\n') || byte == 0x7f;
        if (bytes == 0 || control) {
            /* U+FFFD for a byte that starts a character, nothing for stray continuation bytes: columns stay right. */
            if ((byte & 0xc0) != 0x80)
                text_add_bytes(&clean, "\xef\xbf\xbd", 3);
            i++;
        } else {
            text_add_bytes(&clean, text + i, bytes);
            i += bytes;
        }
    }
    return clean.data;
}

_Noreturn void bug_at(const char *file, int line, const char *format, ...)
{
    va_list args;
    char what[800], message[ESCAPE_LONGEST];
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    snprintf(
        message, sizeof message,
        "internal error at %s:%d: %s\n  This is a fault of placec, not of your program. Please report it, with the "
        "files and the command.",
        file, line, what);
    escape_leave(ESCAPE_BUG, 3, message);
}
