/* trial.c - tries a change: runs all stages on the changed text and compares the diagnostics (library/trial.h).
 *
 * The stages are run again, in memory of their own, on the texts already read: no file is read twice. Two diagnostics
 * are the same if code, file and position agree, after the position is adjusted for the change.
 */
#include "library/trial.h"

#include "base/diag_list.h"

#include <string.h>

/* The text is the original's, with the change applied. */
static void open_changed(Compile *changed, const Compile *compile, const Change *change)
{
    compile_new(changed);
    changed->source = compile->source;
    Ctx *ctx = &changed->ctx;
    ctx->sources = change_sources(ctx->arena, compile->ctx.sources, change, &changed->source);
    ctx->diag = diag_new(ctx->arena, ctx->sources);
}

static const char *name_of(const Compile *compile, const Diagnostic *d)
{
    return span_known(d->primary) ? source_of(compile->ctx.sources, d->primary)->name : "";
}

/* The original's counterpart of a diagnostic of the changed program; NULL if there is none. */
static const Diagnostic *find_original(const Compile *compile, const Change *change, const Compile *changed,
                                       const Diagnostic *found)
{
    for (int i = 0; i < compile->ctx.diag->list.count; i++) {
        const Diagnostic *d = compile->ctx.diag->list.data[i];
        if (d->code == found->code && strcmp(name_of(compile, d), name_of(changed, found)) == 0 &&
            change_offset(change, d->primary.source, d->primary.start) == found->primary.start)
            return d;
    }
    return NULL;
}

/* Does the language refuse the inserted text, because it has no such words or they mean nothing there? Errors of the
 * proof do not count. */
static bool is_refused(const Compile *compile, const Change *change, const Compile *changed, const Diagnostic *found)
{
    const Sources *sources = compile->ctx.sources;
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

static Trial judge(const Compile *compile, const Compile *changed, const Diagnostic *target, const Change *change)
{
    Trial trial = {.gone = true, .right = diag_error_count(changed->ctx.diag) == 0};
    trial.followed = changed->verdict.followed;
    for (int i = 0; i < changed->ctx.diag->list.count; i++) {
        const Diagnostic *found = changed->ctx.diag->list.data[i];
        if (found->severity != SEVERITY_ERROR && target->severity == SEVERITY_ERROR)
            continue;
        const Diagnostic *original = find_original(compile, change, changed, found);
        trial.gone = trial.gone && original != target;
        if (original != NULL)
            continue;
        /* The same message elsewhere was hidden by this one, and shows that this is not the fix. */
        trial.gone = trial.gone && !(found->code == target->code && strcmp(found->message, target->message) == 0);
        trial.fresh = true;
        trial.refused = trial.refused || is_refused(compile, change, changed, found);
    }
    trial.priced = compile->plan != NULL && changed->plan != NULL;
    if (trial.priced) {
        trial.sent = changed->plan->traffic_bytes_per_device - compile->plan->traffic_bytes_per_device;
        trial.held = changed->plan->total_bytes - compile->plan->total_bytes;
    }
    return trial;
}

Trial trial_run(const Compile *compile, const Diagnostic *target, const Change *change)
{
    Compile changed;
    open_changed(&changed, compile, change);
    compile_stages(&changed);
    Trial trial = judge(compile, &changed, target, change);
    compile_close(&changed);
    return trial;
}
