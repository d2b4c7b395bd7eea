/* result.c - what callers see of a result: texts, costs, diagnostics as plain structs (library/place.h). */
#include "library/result.h"

#include "base/diag_list.h"
#include <stdlib.h>
#include <string.h>

/* ---- Texts -------------------------------------------------------------------------------------------------- */

static const char *printed(const place_result *result,
                           void (*print)(const place_result *result, FILE *out, const void *data), const void *data,
                           size_t *length)
{
    char *text;
    FILE *out = open_memstream(&text, length);
    if (out == NULL)
        escape_leave(ESCAPE_MEMORY, PLACE_FAILED, "out of memory");
    print(result, out, data);
    bool good = ferror(out) == 0;
    good = fclose(out) == 0 && good;
    if (!good)
        escape_leave(ESCAPE_MEMORY, PLACE_FAILED, "out of memory");
    const char *copy = arena_copy(result->compile.ctx.arena, text, *length);
    free(text);
    return copy;
}

void result_print(place_result *result, void (*print)(const place_result *result, FILE *out, const void *data),
                  const void *data)
{
    result->text = printed(result, print, data, &result->length);
}

typedef struct MessageForm {
    place_form form;
    int error_limit;
} MessageForm;

static void print_messages(const place_result *result, FILE *out, const void *data)
{
    const MessageForm *wanted = data;
    const Diag *diag = result->compile.ctx.diag;
    switch (wanted->form) {
    case PLACE_TEXT:
    case PLACE_COLOR:
        diag_print_text(diag, out, wanted->form == PLACE_COLOR, wanted->error_limit);
        return;
    case PLACE_JSON:
        diag_print_json(diag, out);
        return;
    }
    BUG("a form of messages that is none");
}

const char *place_result_messages(place_result *result, place_form form, int error_limit)
{
    if (result == NULL || result->compile.ctx.diag == NULL)
        return "";
    const MessageForm wanted = {form, error_limit};
    const char *volatile text = NULL;
    size_t length;
    Escape escape;
    escape_begin(&escape);
    if (setjmp(escape.jump) == 0)
        text = printed(result, print_messages, &wanted, &length);
    escape_end(&escape);
    return text;
}

const char *place_result_text(const place_result *result, size_t *length)
{
    bool there = result != NULL && result->text != NULL;
    if (length != NULL)
        *length = there ? result->length : 0;
    return there ? result->text : NULL;
}

static const char *measured(const char *text, size_t *length)
{
    if (length != NULL)
        *length = text != NULL ? strlen(text) : 0;
    return text;
}

const char *place_result_program(const place_result *result, size_t *length)
{
    return measured(result != NULL ? result->program : NULL, length);
}

const char *place_result_lock(const place_result *result, size_t *length)
{
    return measured(result != NULL ? result->lock : NULL, length);
}

const char *place_result_failure(const place_result *result)
{
    return result != NULL ? result->failure : "out of memory";
}

/* ---- Numbers ------------------------------------------------------------------------------------------------ */

place_status result_status(const Compile *compile, bool good)
{
    if (compile->at_fault)
        return PLACE_FAULT;
    return good ? PLACE_GOOD : PLACE_ERRORS;
}

place_status place_result_status(const place_result *result)
{
    return result != NULL ? result->status : PLACE_FAILED;
}

place_verdict place_result_verdict(const place_result *result)
{
    place_verdict verdict = {.contract = ""};
    if (result == NULL || result->compile.verdict.contract == NULL)
        return verdict;
    verdict.gradient_integrity = result->compile.verdict.gradient_integrity;
    verdict.state_consistency = result->compile.verdict.state_consistency;
    verdict.contract = result->compile.verdict.contract;
    return verdict;
}

bool place_result_cost(const place_result *result, place_cost *cost)
{
    const Plan *plan = result != NULL ? result->compile.plan : NULL;
    *cost = (place_cost){0};
    if (plan == NULL)
        return false;
    *cost = (place_cost){.devices = plan->devices,
                         .parameters = plan->parameters,
                         .memory_bytes = plan->total_bytes,
                         .sent_bytes = plan->traffic_bytes_per_device,
                         .flops = plan->flops_per_device};
    return true;
}

/* ---- Diagnostics -------------------------------------------------------------------------------------------- */

static place_severity severity_of(Severity severity)
{
    switch (severity) {
    case SEVERITY_ERROR:
        return PLACE_ERROR;
    case SEVERITY_FAULT:
        return PLACE_INTERNAL_ERROR;
    case SEVERITY_WARNING:
        return PLACE_WARNING;
    case SEVERITY_PERF:
        return PLACE_PERF;
    }
    BUG("severity %d", (int)severity);
}

static place_remark_kind kind_of(RemarkKind kind)
{
    switch (kind) {
    case REMARK_WHY:
        return PLACE_WHY;
    case REMARK_COUNTER_EXAMPLE:
        return PLACE_COUNTER_EXAMPLE;
    case REMARK_HELP:
        return PLACE_HELP;
    case REMARK_NOTE:
        return PLACE_NOTE;
    case REMARK_KIND_COUNT:
        break;
    }
    BUG("remark %d", (int)kind);
}

static place_trial trial_of(Applicability applicability)
{
    switch (applicability) {
    case CHANGE_UNTRIED:
        return PLACE_UNTRIED;
    case CHANGE_MAYBE:
        return PLACE_MAYBE;
    case CHANGE_ACCEPTED:
        return PLACE_ACCEPTED;
    case CHANGE_PROVED:
        return PLACE_PROVED;
    }
    BUG("applicability %d", (int)applicability);
}

static const char *clean(const Ctx *ctx, const char *text)
{
    return diag_clean(ctx->arena, text, strlen(text));
}

static place_span span_of(const Ctx *ctx, Span span)
{
    if (!span_known(span))
        return (place_span){0};
    LineColumn start = source_position(ctx->sources, span.source, span.start);
    LineColumn end = source_position(ctx->sources, span.source, span.end);
    return (place_span){.file = clean(ctx, source_of(ctx->sources, span)->name),
                        .line = start.line,
                        .column = start.column,
                        .end_line = end.line,
                        .end_column = end.column,
                        .start = (size_t)span.start,
                        .end = (size_t)span.end};
}

/* A change that was not tried is not handed out. */
static place_remark remark_of(const Ctx *ctx, const DiagRemark *remark)
{
    place_remark made = {.kind = kind_of(remark->kind), .text = clean(ctx, remark->text)};
    if (remark->change == NULL || remark->change->applicability == CHANGE_UNTRIED)
        return made;
    place_edit *edits = arena_array(ctx->arena, place_edit, remark->change->count);
    for (int i = 0; i < remark->change->count; i++) {
        const Edit *edit = &remark->change->edit[i];
        edits[i] = (place_edit){span_of(ctx, edit->span), clean(ctx, edit->text)};
    }
    made.trial = trial_of(remark->change->applicability);
    made.edits = edits;
    made.edit_count = (size_t)remark->change->count;
    return made;
}

static place_diagnostic diagnostic_of(const Ctx *ctx, const Diagnostic *d)
{
    place_label *labels = arena_array(ctx->arena, place_label, d->labels.count + 1);
    place_remark *remarks = arena_array(ctx->arena, place_remark, d->remarks.count + 1);
    size_t remark_count = 0;
    for (int i = 0; i < d->labels.count; i++)
        labels[i] = (place_label){clean(ctx, d->labels.data[i].text), span_of(ctx, d->labels.data[i].span)};
    for (int kind = 0; kind < REMARK_KIND_COUNT; kind++)
        for (int i = 0; i < d->remarks.count; i++)
            if ((int)d->remarks.data[i].kind == kind)
                remarks[remark_count++] = remark_of(ctx, &d->remarks.data[i]);
    return (place_diagnostic){.code = diag_code_name(d->code),
                              .severity = severity_of(d->severity),
                              .message = clean(ctx, d->message),
                              .at = span_of(ctx, d->primary),
                              .label = d->primary_label != NULL ? clean(ctx, d->primary_label) : NULL,
                              .labels = labels,
                              .label_count = (size_t)d->labels.count,
                              .remarks = remarks,
                              .remark_count = remark_count};
}

void result_take_diagnostics(place_result *result)
{
    const Ctx *ctx = &result->compile.ctx;
    int count;
    Diagnostic **sorted = diag_sorted(ctx->diag, &count);
    place_diagnostic *diagnostics = arena_array(ctx->arena, place_diagnostic, count + 1);
    for (int i = 0; i < count; i++)
        diagnostics[i] = diagnostic_of(ctx, sorted[i]);
    result->diagnostics = diagnostics;
    result->diagnostic_count = (size_t)count;
}

size_t place_result_diagnostic_count(const place_result *result)
{
    return result != NULL ? result->diagnostic_count : 0;
}

const place_diagnostic *place_result_diagnostic(const place_result *result, size_t index)
{
    return index < place_result_diagnostic_count(result) ? &result->diagnostics[index] : NULL;
}

/* ---- The end ------------------------------------------------------------------------------------------------ */

void place_result_free(place_result *result)
{
    if (result == NULL)
        return;
    compile_close(&result->compile);
    free(result);
}
