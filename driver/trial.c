/* trial.c - what becomes of a program when its text is changed (driver/trial.h).
 *
 * The stages are run again, in memory of their own, on the texts already read: no file is read twice. Two diagnostics
 * are the same if code, file and position agree, after the position is adjusted for the change.
 */
#include "driver/trial.h"

#include "base/diag_list.h"

#include <string.h>

/* The text is the original's, with the change applied. */
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

/* The original's counterpart of a diagnostic of the changed program; NULL if there is none. */
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

/* Does the language refuse the inserted text, because it has no such words or they mean nothing there? Errors of the
 * proof do not count. */
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
        /* The same message elsewhere was hidden by this one, and shows that this is not the fix. */
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
