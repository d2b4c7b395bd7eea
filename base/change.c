/* change.c - applies edits to texts, and shows them (base/change.h). */
#include "base/change.h"

#include "base/diag_list.h"

#include <ctype.h>
#include <string.h>

/* ---- Applying a change ----------------------------------------------------------------------------------------- */

const char *change_text(Arena *arena, const Sources *sources, const Change *change, int source, size_t *length)
{
    const Source *old = source_of(sources, (Span){source, 0, 0});
    Text text = {.arena = arena};
    int32_t at = 0;
    for (int i = 0; i < change->count; i++) {
        const Edit *edit = &change->edit[i];
        if (edit->span.source != source)
            continue;
        if (edit->span.start < at)
            BUG("edits that overlap at %d", (int)edit->span.start);
        text_add_bytes(&text, old->text + at, (size_t)(edit->span.start - at));
        text_add_bytes(&text, edit->text, strlen(edit->text));
        at = edit->span.end;
    }
    text_add_bytes(&text, old->text + at, (size_t)(old->length - at));
    *length = text.length;
    return text.data;
}

Sources *change_sources(Arena *arena, const Sources *sources, const Change *change, int *source)
{
    Sources *changed = sources_new(arena);
    changed->reader = sources->reader;
    changed->reader_data = sources->reader_data;
    for (int i = 1; i < sources->list.count; i++) {
        size_t length;
        const char *text = change_text(arena, sources, change, i, &length);
        source_overlay(changed, sources->list.data[i].name, text, length);
    }
    *source = source_read(changed, sources->list.data[*source].name);
    return changed;
}

static int32_t grown(const Edit *edit)
{
    return (int32_t)strlen(edit->text) - (edit->span.end - edit->span.start);
}

int32_t change_offset(const Change *change, int source, int32_t offset)
{
    int32_t moved = 0;
    for (int i = 0; i < change->count; i++) {
        const Edit *edit = &change->edit[i];
        if (edit->span.source != source || edit->span.start > offset)
            continue;
        if (edit->span.end > offset)
            return edit->span.start + moved;
        moved += grown(edit);
    }
    return offset + moved;
}

int32_t change_origin(const Change *change, int source, int32_t offset)
{
    int32_t moved = 0;
    for (int i = 0; i < change->count; i++) {
        const Edit *edit = &change->edit[i];
        if (edit->span.source != source || edit->span.start + moved > offset)
            continue;
        if (offset < edit->span.start + moved + (int32_t)strlen(edit->text))
            return edit->span.start;
        moved += grown(edit);
    }
    return offset - moved;
}

bool change_touches(const Change *change, int source, int32_t start, int32_t end)
{
    int32_t moved = 0;
    for (int i = 0; i < change->count; i++) {
        const Edit *edit = &change->edit[i];
        if (edit->span.source != source)
            continue;
        int32_t first = edit->span.start + moved, last = first + (int32_t)strlen(edit->text);
        if (start <= last && end >= first)
            return true;
        moved += grown(edit);
    }
    return false;
}

/* ---- Showing a change ------------------------------------------------------------------------------------------ */

static int last_line(const Sources *sources, const Edit *edit)
{
    const Source *source = source_of(sources, edit->span);
    bool whole_line = edit->span.end > edit->span.start && source->text[edit->span.end - 1] == '\n';
    return source_position(sources, edit->span.source, edit->span.end - whole_line).line;
}

static void add_lines(Text *text, const char *file, const char *lines, size_t length, int number, char sign)
{
    while (length > 0) {
        const char *end = memchr(lines, '\n', length);
        size_t line = end != NULL ? (size_t)(end - lines) : length;
        text_add(text, "%s%s%s%d %c ", text->length > 0 ? "\n" : "", file, file[0] != '\0' ? ":" : "", number++, sign);
        text_add_bytes(text, lines, line);
        lines += end != NULL ? line + 1 : line;
        length -= end != NULL ? line + 1 : line;
    }
}

/* Groups edits, from `first` on, whose lines are adjacent; returns the end of the group. */
static int group_end(const Sources *sources, const Change *change, int first, int *last)
{
    int source = change->edit[first].span.source, next = first + 1;
    *last = last_line(sources, &change->edit[first]);
    for (; next < change->count && change->edit[next].span.source == source; next++) {
        if (source_position(sources, source, change->edit[next].span.start).line > *last)
            break;
        *last = last_line(sources, &change->edit[next]);
    }
    return next;
}

const char *change_lines(Arena *arena, const Sources *sources, const Change *change, int home)
{
    Text text = {.arena = arena};
    text_add_bytes(&text, "", 0);
    int32_t moved = 0;
    for (int i = 0, next; i < change->count; i = next) {
        const Edit *edit = &change->edit[i];
        const Source *source = source_of(sources, edit->span);
        const char *file = edit->span.source == home ? "" : source->name;
        int first = source_position(sources, edit->span.source, edit->span.start).line, last;
        moved = i > 0 && change->edit[i - 1].span.source == edit->span.source ? moved : 0;
        next = group_end(sources, change, i, &last);
        int32_t start = source->line_starts[first - 1];
        int32_t end = last < source->line_count ? source->line_starts[last] : source->length;
        if (next == i + 1 && edit->span.end == start) /* inserts lines before this one, which stays as it is */
            end = start;
        add_lines(&text, file, source->text + start, (size_t)(end - start), first, '-');
        size_t length;
        const char *after = change_text(arena, sources, change, edit->span.source, &length);
        int32_t before = start + moved;
        for (int k = i; k < next; k++)
            moved += grown(&change->edit[k]);
        add_lines(&text, file, after + before, (size_t)(end + moved - before), first, '+');
    }
    return text.data;
}

/* ---- Suggesting a change --------------------------------------------------------------------------------------- */

static void add_help(Diagnostic *d, const Edit *edit, const char *format, va_list args)
{
    Change *change = arena_make(d->arena, Change);
    change->count = 1;
    change->edit[0] = *edit;
    change->edit[0].text = arena_copy(d->arena, edit->text, strlen(edit->text));
    DiagRemark remark = {REMARK_HELP, arena_vprintf(d->arena, format, args), change};
    vec_push(d->arena, &d->remarks, remark);
}

void diag_help_edit(Diagnostic *d, Span span, const char *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_help(d, &(Edit){span, text}, format, args);
    va_end(args);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Where in the span the name occurs as a whole word; an unknown span if nowhere, or more than once. */
static Span find_name(const Source *source, Span span, const char *name)
{
    int32_t length = (int32_t)strlen(name);
    Span found = {0};
    for (int32_t at = span.start; at + length <= span.end; at++) {
        bool here = memcmp(source->text + at, name, (size_t)length) == 0 &&
                    (at == 0 || !is_word(source->text[at - 1]) || !is_word(name[0])) &&
                    (at + length == source->length || !is_word(source->text[at + length]));
        if (here && span_known(found))
            return (Span){0};
        if (here)
            found = (Span){span.source, at, at + length};
    }
    return found;
}

void diag_help_name(Diagnostic *d, const char *name, const char *near)
{
    Span span = d->primary, place = span_known(span) ? find_name(source_of(d->sources, span), span, name) : span;
    if (span_known(place))
        diag_help_edit(d, place, near, "Did you mean '%s'?", near);
    else
        diag_help(d, "Did you mean '%s'?", near);
}

bool diag_help_unknown(Diagnostic *d, const char *name, const char *const *names, int count)
{
    const char *near = diag_suggest(name, names, count);
    if (near != NULL)
        diag_help_name(d, name, near);
    return near != NULL;
}

bool diag_help_unknown_word(Diagnostic *d, const char *word, const char *const *words, int count)
{
    const char *advice = diag_elsewhere(word);
    if (advice == NULL || diag_otherwise(word, words, count) != NULL)
        return diag_help_unknown(d, word, words, count);
    diag_help(d, "%s", advice);
    return true;
}

void diag_repair(Diagnostic *d, Repair repair)
{
    vec_push(d->arena, &d->repairs, repair);
}
