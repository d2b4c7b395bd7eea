/* trial.c - what becomes of a program when its text is changed (driver/trial.h).
 *
 * The stages run anew, in memory of their own, on the texts that were read: no file is read twice. Diagnostics are the
 * same where code, file and the place that was changed with the text are.
 */
#include "driver/trial.h"

#include "base/diag_list.h"

#include <string.h>

/* What is read is the text of the original, with the change. */
static void open_changed(Pipeline *changed, const Pipeline *pipeline, const Change *change)
{
    pipeline_new(changed);
    const Sources *sources = pipeline->ctx.sources;
    for (int i = 1; i < sources->list.count; i++) {
        size_t length;
        const char *text = change_text(changed->ctx.arena, sources, change, i, &length);
        source_overlay(changed->ctx.sources, sources->list.data[i].name, text, length);
    }
    changed->source = source_read(changed->ctx.sources, sources->list.data[pipeline->source].name);
}

static const char *name_of(const Pipeline *pipeline, const Diagnostic *d)
{
    return span_known(d->primary) ? source_of(pipeline->ctx.sources, d->primary)->name : "";
}

/* The one of the original that a diagnostic of the changed program is; NULL where there is none. */
static const Diagnostic *find_original(const Pipeline *pipeline, const Change *change, const Pipeline *changed,
                                       const Diagnostic *found)
{
    for (int i = 0; i < pipeline->ctx.diag->list.count; i++) {
        const Diagnostic *d = pipeline->ctx.diag->list.data[i];
        if (d->code == found->code && strcmp(name_of(pipeline, d), name_of(changed, found)) == 0 &&
            change_offset(change, d->primary.source, d->primary.start) == found->primary.start)
            return d;
    }
    return NULL;
}

/* Whether the language refuses what was put in: words that it has no use for, or that mean nothing there. What the
 * proof says of them is another matter. */
static bool is_refused(const Pipeline *pipeline, const Change *change, const Pipeline *changed, const Diagnostic *found)
{
    const Sources *sources = pipeline->ctx.sources;
    if (found->code <= P0102)
        return true;
    if (found->code >= P0301)
        return false;
    for (int i = 1; i < sources->list.count; i++)
        if (strcmp(sources->list.data[i].name, name_of(changed, found)) == 0 &&
            change_touches(change, i, found->primary.start, found->primary.end))
            return true;
    return false;
}

static Trial judge(const Pipeline *pipeline, const Pipeline *changed, const Diagnostic *told, const Change *change)
{
    Trial trial = {.gone = true, .right = diag_error_count(changed->ctx.diag) == 0};
    trial.followed = changed->verdict.followed;
    for (int i = 0; i < changed->ctx.diag->list.count; i++) {
        const Diagnostic *found = changed->ctx.diag->list.data[i];
        if (found->severity != SEVERITY_ERROR && told->severity == SEVERITY_ERROR)
            continue;
        const Diagnostic *original = find_original(pipeline, change, changed, found);
        trial.gone = trial.gone && original != told;
        if (original != NULL)
            continue;
        /* The same of another place: it was hidden by the one at hand, and says that this is not the way. */
        trial.gone = trial.gone && !(found->code == told->code && strcmp(found->message, told->message) == 0);
        trial.fresh = true;
        trial.refused = trial.refused || is_refused(pipeline, change, changed, found);
    }
    trial.priced = pipeline->plan != NULL && changed->plan != NULL;
    if (trial.priced) {
        trial.sent = changed->plan->traffic_bytes_per_device - pipeline->plan->traffic_bytes_per_device;
        trial.held = changed->plan->total_bytes - pipeline->plan->total_bytes;
    }
    return trial;
}

Trial trial_run(const Pipeline *pipeline, const Diagnostic *told, const Change *change)
{
    Pipeline changed;
    open_changed(&changed, pipeline, change);
    pipeline_stages(&changed);
    Trial trial = judge(pipeline, &changed, told, change);
    pipeline_close(&changed);
    return trial;
}
