/* suggest.c - decides which changes are offered (library/suggest.h).
 *
 * A change written by a stage is tried, then kept or dropped; for a repair, the first of its candidates that works is
 * added. The number of trials is bounded by the size of the program, so that a wrong program is answered as quickly as
 * a right one.
 */
#include "library/suggest.h"

#include "base/diag_list.h"
#include "library/repair.h"
#include "library/trial.h"

#include <stdlib.h>

enum {
    MOST_TRIALS = 60,
    MOST_FOLLOWED = 4000000, /* operators that all proofs together may run: about half a second */
    MOST_REPORTED = 20       /* diagnostics with suggestions: as many as are shown */
};

typedef struct Suggest {
    Compile *compile;
    Wording wording;
    bool worded;
    int trials;
    int64_t followed; /* by all proofs so far */
} Suggest;

/* Is there budget for another trial? If the program itself was not proved, the first trial shows a proof's cost. */
static bool may_try(const Suggest *s)
{
    return s->trials < MOST_TRIALS && s->followed + s->compile->verdict.followed <= MOST_FOLLOWED;
}

static Trial try_change(Suggest *s, const Diagnostic *d, const Change *change)
{
    Trial trial = trial_run(s->compile, d, change);
    s->trials++;
    s->followed += trial.followed;
    return trial;
}

/* A change that answers an error must lead to a right program or one error less; one that only saves costs must be
 * right and make nothing else worse. */
static Applicability judge(const Diagnostic *d, const Trial *trial, bool hint)
{
    if (!trial->gone)
        return CHANGE_UNTRIED;
    if (d->severity != SEVERITY_ERROR)
        return trial->right && !trial->fresh ? CHANGE_PROVED : CHANGE_UNTRIED;
    if (trial->right)
        return CHANGE_PROVED;
    if (!trial->fresh)
        return CHANGE_ACCEPTED;
    return hint && !trial->refused ? CHANGE_MAYBE : CHANGE_UNTRIED;
}

/* ---- Changes written by a stage ------------------------------------------------------------------------------ */

static void try_remarks(Suggest *s, Diagnostic *d)
{
    int kept = 0;
    for (int i = 0; i < d->remarks.count; i++) {
        DiagRemark remark = d->remarks.data[i];
        bool refused = false;
        if (remark.change != NULL && may_try(s)) {
            Trial trial = try_change(s, d, remark.change);
            remark.change->applicability = judge(d, &trial, true);
            refused = remark.change->applicability == CHANGE_UNTRIED;
        }
        if (!refused)
            d->remarks.data[kept++] = remark;
    }
    d->remarks.count = kept;
}

/* ---- Repairs ---------------------------------------------------------------------------------------------------- */

static const char *more_bytes(Arena *arena, int64_t bytes)
{
    const char *than = bytes < 0 ? "less" : "more";
    double size = (double)llabs(bytes);
    if (size >= 1 << 30)
        return arena_printf(arena, "%.1f GiB %s", size / (1 << 30), than);
    if (size >= 1 << 20)
        return arena_printf(arena, "%.1f MiB %s", size / (1 << 20), than);
    if (size >= 1 << 10)
        return arena_printf(arena, "%.1f KiB %s", size / (1 << 10), than);
    return arena_printf(arena, "%.0f bytes %s", size, than);
}

static const char *price(Arena *arena, const Repair *repair, const Trial *trial)
{
    if (!trial->priced)
        return "";
    const char *sent = trial->sent == 0
                           ? "; it sends no more bytes than before"
                           : arena_printf(arena, "; it sends %s per rank and step", more_bytes(arena, trial->sent));
    bool holds = (repair->kind == REPAIR_CUT_TOO || repair->kind == REPAIR_KEEP) && trial->held != 0;
    return holds ? arena_printf(arena, "%s, and holds %s", sent, more_bytes(arena, trial->held)) : sent;
}

static void add_help(Suggest *s, Diagnostic *d, const Repair *repair, const Candidate *candidate, const Trial *trial)
{
    Arena *arena = s->compile->ctx.arena;
    Change *change = arena_make(arena, Change);
    *change = candidate->change;
    const char *text = candidate->sentence;
    if (change->applicability != CHANGE_MAYBE)
        text = arena_printf(arena, "%s With this change %s%s.", text,
                            change->applicability == CHANGE_PROVED ? "it is proved right" : "this error is gone",
                            price(arena, repair, trial));
    DiagRemark help = {REMARK_HELP, text, change};
    vec_push(arena, &d->remarks, help);
}

/* Returns whether a change was found. */
static bool try_repair(Suggest *s, Diagnostic *d, const Repair *repair)
{
    Candidates candidates = {0};
    if (!s->worded)
        s->wording = wording_new(s->compile);
    s->worded = true;
    repair_candidates(&s->wording, repair, &candidates);
    for (int i = 0; i < candidates.count; i++) {
        Candidate *candidate = &candidates.data[i];
        if (candidate->change.count == 0)
            continue;
        if (!may_try(s))
            return false;
        Trial trial = try_change(s, d, &candidate->change);
        /* Errors of the language hide what the proof would say. */
        candidate->change.applicability = judge(d, &trial, d->code < P0301);
        if (candidate->change.applicability == CHANGE_UNTRIED)
            continue;
        add_help(s, d, repair, candidate, &trial);
        return true;
    }
    return false;
}

void suggest_changes(Compile *compile)
{
    int count;
    Diagnostic **reported = diag_sorted(compile->ctx.diag, &count);
    Suggest s = {.compile = compile};
    for (int i = 0; i < count && i < MOST_REPORTED; i++) {
        try_remarks(&s, reported[i]);
        for (int k = 0; k < reported[i]->repairs.count; k++)
            if (!try_repair(&s, reported[i], &reported[i]->repairs.data[k]) &&
                reported[i]->repairs.data[k].otherwise != NULL)
                diag_help(reported[i], "%s", reported[i]->repairs.data[k].otherwise);
    }
}
