/* diag_text.c - diagnostics as text, in the form of docs/diagnostics.md:
 *
 *     mlp.place:8:19: error[P0301]: gradient of 'w' is incomplete on axis 'dp'
 *        |
 *      3 | param w : f32[1024, 1024]
 *        |       - every rank keeps a full copy of 'w'
 *      8 | update w with sgd(grad(loss, w))
 *        |                   ^^^^^^^^^^^^^ partial over 'dp'
 *        |
 *        = why: copies of 'w' stay equal only if every rank applies the same update.
 */
#include "base/diag_list.h"

#include <stdlib.h>
#include <string.h>

typedef struct Printer {
    const Diag *diag;
    FILE *out;
    bool color;
    int gutter;  /* columns before the bar */
    int section; /* the source whose lines are being shown */
    int line;    /* the last line shown; 0: none */
    Arena *scratch;
} Printer;

typedef enum Style { STYLE_PLAIN, STYLE_BOLD, STYLE_ERROR, STYLE_WARNING, STYLE_PERF, STYLE_GUTTER } Style;

static const char *const style_codes[] = {
    [STYLE_PLAIN] = "\033[0m",      [STYLE_BOLD] = "\033[1m",    [STYLE_ERROR] = "\033[1;31m",
    [STYLE_WARNING] = "\033[1;33m", [STYLE_PERF] = "\033[1;35m", [STYLE_GUTTER] = "\033[1;34m",
};

static void set_style(const Printer *p, Style style)
{
    if (p->color)
        fputs(style_codes[style], p->out);
}

static Style severity_style(Severity severity)
{
    switch (severity) {
    case SEVERITY_ERROR:
    case SEVERITY_FAULT:
        return STYLE_ERROR;
    case SEVERITY_WARNING:
        return STYLE_WARNING;
    case SEVERITY_PERF:
        return STYLE_PERF;
    }
    BUG("severity %d", (int)severity);
}

static const char *clean(Printer *p, const char *text)
{
    return diag_clean(p->scratch, text, strlen(text));
}

static void print_head(Printer *p, const Diagnostic *d)
{
    set_style(p, STYLE_BOLD);
    if (span_known(d->primary)) {
        LineColumn at = source_position(p->diag->sources, d->primary.source, d->primary.start);
        const Source *source = source_of(p->diag->sources, d->primary);
        fprintf(p->out, "%s:%d:%d: ", clean(p, source->name), at.line, at.column);
    } else {
        fputs("placec: ", p->out);
    }
    set_style(p, severity_style(d->severity));
    fprintf(p->out, "%s[%s]", diag_severity_name(d->severity), diag_code_name(d->code));
    set_style(p, STYLE_PLAIN);
    set_style(p, STYLE_BOLD);
    fprintf(p->out, ": %s\n", clean(p, d->message));
    set_style(p, STYLE_PLAIN);
}

static void print_bar(const Printer *p, int line)
{
    set_style(p, STYLE_GUTTER);
    if (line > 0)
        fprintf(p->out, "%*d |", p->gutter - 1, line);
    else
        fprintf(p->out, "%*s|", p->gutter, "");
    set_style(p, STYLE_PLAIN);
}

/* ---- Source lines ------------------------------------------------------------------------------------------- */

/* The part of a line that is shown: all of it or, for a very long one, the surroundings of the span. */
typedef struct Window {
    const char *text;
    int length;                 /* bytes */
    int skipped;                /* bytes before `text` */
    const char *before, *after; /* "..." where something is omitted */
} Window;

enum { LONGEST_LINE = 240, SHOWN_BEFORE = 80 };

static bool inside_character(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

static Window window_of_line(const char *text, int length, int offset)
{
    Window window = {text, length, 0, "", ""};
    if (length <= LONGEST_LINE)
        return window;
    int first = offset > SHOWN_BEFORE ? offset - SHOWN_BEFORE : 0;
    int last = first + LONGEST_LINE < length ? first + LONGEST_LINE : length;
    while (first > 0 && inside_character(text[first]))
        first--;
    while (last < length && inside_character(text[last]))
        last++;
    return (Window){text + first, last - first, first, first > 0 ? "..." : "", last < length ? "..." : ""};
}

static void print_marker(Printer *p, const Window *window, int start, int end, const DiagLabel *label, Style style)
{
    print_bar(p, 0);
    fprintf(p->out, " %*s", (int)strlen(window->before), "");
    int first = start - window->skipped, last = end - window->skipped;
    for (int i = 0; i < first && i < window->length; i++)
        if (!inside_character(window->text[i]))
            fputc(window->text[i] == '\t' ? '\t' : ' ', p->out);
    set_style(p, label->primary ? style : STYLE_GUTTER);
    int marks = 0;
    for (int i = first; i < last && i < window->length; i++)
        marks += !inside_character(window->text[i]);
    for (int i = 0; i < (marks > 0 ? marks : 1); i++)
        fputc(label->primary ? '^' : '-', p->out);
    if (label->text[0] != '\0')
        fprintf(p->out, " %s", clean(p, label->text));
    set_style(p, STYLE_PLAIN);
    fputc('\n', p->out);
}

static void print_label(Printer *p, const DiagLabel *label, Style style)
{
    const Sources *sources = p->diag->sources;
    int line = source_position(sources, label->span.source, label->span.start).line;
    int length;
    const char *text = source_line_text(sources, label->span.source, line, &length);
    int start = label->span.start - source_of(sources, label->span)->line_starts[line - 1];
    int end = start + (label->span.end - label->span.start);
    Window window = window_of_line(text, length, start);
    /* Several marks on one long line may need several windows. */
    if (p->line != line || length > LONGEST_LINE) {
        print_bar(p, line);
        if (window.length > 0)
            fprintf(p->out, " %s%s%s", window.before, diag_clean(p->scratch, window.text, (size_t)window.length),
                    window.after);
        fputc('\n', p->out);
        p->line = line;
    }
    print_marker(p, &window, start, end < length ? end : length, label, style);
}

static int compare_labels(const void *a, const void *b)
{
    const DiagLabel *left = a, *right = b;
    if (left->span.source != right->span.source)
        return left->span.source < right->span.source ? -1 : 1;
    if (left->span.start != right->span.start)
        return left->span.start < right->span.start ? -1 : 1;
    if (left->span.end != right->span.end)
        return left->span.end < right->span.end ? -1 : 1;
    return strcmp(left->text, right->text);
}

/* The labels in source order, including the primary span; returns their number. */
static int collect_labels(Printer *p, const Diagnostic *d, DiagLabel **labels)
{
    int count = d->labels.count + 1;
    *labels = arena_array(p->scratch, DiagLabel, count);
    (*labels)[0] = (DiagLabel){d->primary, d->primary_label != NULL ? d->primary_label : "", true};
    if (d->labels.count > 0)
        memcpy(*labels + 1, d->labels.data, (size_t)d->labels.count * sizeof(DiagLabel));
    qsort(*labels, (size_t)count, sizeof(DiagLabel), compare_labels);
    return count;
}

static int digits(int number)
{
    return number < 10 ? 1 : 1 + digits(number / 10);
}

static void print_lines(Printer *p, const Diagnostic *d)
{
    DiagLabel *labels;
    int count = collect_labels(p, d, &labels);
    bool several_files = labels[0].span.source != labels[count - 1].span.source;
    p->gutter = 0;
    for (int i = 0; i < count; i++) {
        int line = source_position(p->diag->sources, labels[i].span.source, labels[i].span.start).line;
        if (digits(line) + 2 > p->gutter)
            p->gutter = digits(line) + 2;
    }
    print_bar(p, 0);
    fputc('\n', p->out);
    p->section = 0;
    for (int i = 0; i < count; i++) {
        if (p->section != labels[i].span.source) {
            p->section = labels[i].span.source;
            p->line = 0;
            if (several_files)
                fprintf(p->out, "%*s> %s\n", p->gutter, "",
                        clean(p, source_of(p->diag->sources, labels[i].span)->name));
        }
        print_label(p, &labels[i], severity_style(d->severity));
    }
}

/* ---- Remarks ------------------------------------------------------------------------------------------------ */

static const char *const remark_words[] = {
    [REMARK_WHY] = "why",
    [REMARK_COUNTER_EXAMPLE] = "counter-example",
    [REMARK_HELP] = "help",
    [REMARK_NOTE] = "note",
};

/* Lines after the first are indented by seven columns from the bar. */
static void print_indented(Printer *p, const char *text)
{
    for (text = clean(p, text); *text != '\0'; text++) {
        if (text[0] == '\n' && text[1] != '\0')
            fprintf(p->out, "\n%*s", p->gutter + 7, "");
        else if (text[0] != '\n')
            fputc(*text, p->out);
    }
    fputc('\n', p->out);
}

static void print_remark(Printer *p, const Diagnostic *d, const DiagRemark *remark)
{
    set_style(p, STYLE_GUTTER);
    fprintf(p->out, "%*s= ", p->gutter, "");
    set_style(p, STYLE_PLAIN);
    set_style(p, STYLE_BOLD);
    fprintf(p->out, "%s:", remark_words[remark->kind]);
    set_style(p, STYLE_PLAIN);
    fputc(' ', p->out);
    print_indented(p, remark->text);
    const Change *change = remark->change;
    if (change == NULL || !change->shows_lines || change->applicability == CHANGE_UNTRIED)
        return;
    fprintf(p->out, "%*s", p->gutter + 7, "");
    print_indented(p, change_lines(p->scratch, p->diag->sources, change, d->primary.source));
}

static void print_remarks(Printer *p, const Diagnostic *d)
{
    for (int kind = 0; kind < REMARK_KIND_COUNT; kind++)
        for (int i = 0; i < d->remarks.count; i++)
            if ((int)d->remarks.data[i].kind == kind)
                print_remark(p, d, &d->remarks.data[i]);
}

static void print_diagnostic(Printer *p, const Diagnostic *d)
{
    p->gutter = 3;
    print_head(p, d);
    if (span_known(d->primary)) {
        print_lines(p, d);
        if (d->remarks.count > 0) {
            print_bar(p, 0);
            fputc('\n', p->out);
        }
    }
    print_remarks(p, d);
}

void diag_print_text(const Diag *diag, FILE *out, bool color, int error_limit)
{
    int count;
    Diagnostic **sorted = diag_sorted(diag, &count);
    Printer printer = {.diag = diag, .out = out, .color = color, .scratch = arena_new()};
    int errors = 0;
    bool first = true;
    for (int i = 0; i < count; i++) {
        if (sorted[i]->severity == SEVERITY_ERROR && ++errors > error_limit && error_limit > 0)
            continue;
        if (!first)
            fputc('\n', out);
        first = false;
        print_diagnostic(&printer, sorted[i]);
    }
    arena_free(printer.scratch);
    if (error_limit > 0 && errors > error_limit)
        fprintf(out, "\n... and %d more\n", errors - error_limit);
}
