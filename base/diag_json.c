/* diag_json.c - diagnostics as one JSON document, for editors and tools. Offsets are bytes, lines and columns as in
 * the text form; every string is valid UTF-8. */
#include "base/diag_list.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

typedef struct Writer {
    const Diag *diag;
    Arena *scratch;
} Writer;

static void add_text(Writer *w, cJSON *object, const char *key, const char *text)
{
    cJSON_AddStringToObject(object, key, diag_clean(w->scratch, text, strlen(text)));
}

static void add_span(Writer *w, cJSON *object, Span span)
{
    if (!span_known(span)) {
        cJSON_AddNullToObject(object, "file");
        return;
    }
    const Sources *sources = w->diag->sources;
    LineColumn start = source_position(sources, span.source, span.start);
    LineColumn end = source_position(sources, span.source, span.end);
    add_text(w, object, "file", source_of(sources, span)->name);
    cJSON_AddNumberToObject(object, "line", start.line);
    cJSON_AddNumberToObject(object, "column", start.column);
    cJSON_AddNumberToObject(object, "end_line", end.line);
    cJSON_AddNumberToObject(object, "end_column", end.column);
    cJSON_AddNumberToObject(object, "start", span.start);
    cJSON_AddNumberToObject(object, "end", span.end);
}

static void add_remarks(Writer *w, cJSON *object, const char *key, const Diagnostic *d, RemarkKind kind)
{
    cJSON *array = cJSON_AddArrayToObject(object, key);
    for (int i = 0; i < d->remarks.count; i++) {
        const DiagRemark *remark = &d->remarks.data[i];
        if (remark->kind == kind)
            cJSON_AddItemToArray(array, cJSON_CreateString(diag_clean(w->scratch, remark->text, strlen(remark->text))));
    }
}

static void add_edits(Writer *w, cJSON *object, const Change *change)
{
    cJSON *edits = cJSON_AddArrayToObject(object, "edits");
    for (int i = 0; i < change->count; i++) {
        cJSON *edit = cJSON_CreateObject();
        add_span(w, edit, change->edit[i].span);
        add_text(w, edit, "replacement", change->edit[i].text);
        cJSON_AddItemToArray(edits, edit);
    }
}

/* The helps that are changes of the text, if they were tried. */
static void add_suggestions(Writer *w, cJSON *object, const Diagnostic *d)
{
    static const char *const names[] = {
        [CHANGE_MAYBE] = "maybe", [CHANGE_ACCEPTED] = "accepted", [CHANGE_PROVED] = "proved"};
    cJSON *array = cJSON_AddArrayToObject(object, "suggestions");
    for (int i = 0; i < d->remarks.count; i++) {
        const DiagRemark *remark = &d->remarks.data[i];
        if (remark->change == NULL || remark->change->applicability == CHANGE_UNTRIED)
            continue;
        cJSON *suggestion = cJSON_CreateObject();
        add_text(w, suggestion, "text", remark->text);
        cJSON_AddStringToObject(suggestion, "applicability", names[remark->change->applicability]);
        add_edits(w, suggestion, remark->change);
        cJSON_AddItemToArray(array, suggestion);
    }
}

static cJSON *diagnostic_object(Writer *w, const Diagnostic *d)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "code", diag_code_name(d->code));
    cJSON_AddStringToObject(object, "severity", diag_severity_name(d->severity));
    add_text(w, object, "message", d->message);
    add_span(w, object, d->primary);
    if (d->primary_label != NULL)
        add_text(w, object, "label", d->primary_label);
    cJSON *labels = cJSON_AddArrayToObject(object, "labels");
    for (int i = 0; i < d->labels.count; i++) {
        cJSON *label = cJSON_CreateObject();
        add_text(w, label, "text", d->labels.data[i].text);
        add_span(w, label, d->labels.data[i].span);
        cJSON_AddItemToArray(labels, label);
    }
    add_remarks(w, object, "why", d, REMARK_WHY);
    add_remarks(w, object, "counter_example", d, REMARK_COUNTER_EXAMPLE);
    add_remarks(w, object, "help", d, REMARK_HELP);
    add_remarks(w, object, "note", d, REMARK_NOTE);
    add_suggestions(w, object, d);
    return object;
}

static cJSON *list_of(Writer *w)
{
    cJSON *array = cJSON_CreateArray();
    int count;
    Diagnostic **sorted = diag_sorted(w->diag, &count);
    for (int i = 0; i < count; i++)
        cJSON_AddItemToArray(array, diagnostic_object(w, sorted[i]));
    return array;
}

static void print_and_free(cJSON *document, FILE *out)
{
    char *text = cJSON_Print(document);
    if (text == NULL)
        BUG("diagnostics cannot be written as JSON");
    fprintf(out, "%s\n", text);
    free(text);
    cJSON_Delete(document);
}

cJSON *diag_json(const Diag *diag)
{
    Writer writer = {diag, arena_new()};
    cJSON *document = cJSON_CreateObject();
    cJSON_AddNumberToObject(document, "format_version", 1);
    cJSON_AddItemToObject(document, "diagnostics", list_of(&writer));
    arena_free(writer.scratch);
    return document;
}

void diag_print_json(const Diag *diag, FILE *out)
{
    print_and_free(diag_json(diag), out);
}

void diag_print_json_list(const Diag *diag, FILE *out)
{
    Writer writer = {diag, arena_new()};
    print_and_free(list_of(&writer), out);
    arena_free(writer.scratch);
}
