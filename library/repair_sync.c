/* repair_sync.c - changes of syncs: missing ones, wrong ones, and those with words too many (library/repair.h). */
#include "library/repair_internal.h"

#include <string.h>

/* ---- Missing synchronisation --------------------------------------------------------------------------------- */

static bool is_none(const AstNode *sync)
{
    return repair_says(repair_last_clause(sync), "none") && !span_known(repair_last_clause(sync)->clause.derive_rest);
}

/* A sync of `none` now does the operation; one over other axes also goes over these, or is followed by one over
 * these. */
static void extend_syncs(Maker *m, const AstNodes *syncs, const char *operation, const char *sentence)
{
    for (int i = 0; i < syncs->count; i++) {
        const AstNode *sync = syncs->data[i], *last = repair_last_clause(sync);
        const AstNode *owner = wording_owner(m->wording, sync);
        const char *text = owner != NULL ? repair_clause_text(m, owner, operation, m->repair->target) : NULL;
        if (text == NULL || last == NULL)
            continue;
        if (is_none(sync)) {
            repair_one(m, sentence, repair_replace(last->span, text));
            continue;
        }
        if (last->clause.axes.count > 0)
            repair_one(m, sentence,
                       repair_after(wording_names(&last->clause.axes),
                                    TEXT(", %s", wording_axes(m->wording, owner, m->repair->axes))));
        repair_one(m, sentence, repair_after(sync->span, TEXT(" then %s", text)));
    }
}

/* How several syncs change together: those of `none` do the operation, and the others also go over these axes
 * (EXTENDED), are followed by one over these (CONTINUED), or stay as they are (FILLED); or all are removed. */
typedef enum Together { FILLED, EXTENDED, CONTINUED, LEFT_OUT } Together;

static void change_sync(Maker *m, Candidate *all, const AstNode *sync, const char *operation, Together together)
{
    const AstNode *owner = wording_owner(m->wording, sync), *last = repair_last_clause(sync);
    const char *text = owner != NULL ? repair_clause_text(m, owner, operation, m->repair->target) : NULL;
    if (text == NULL || last == NULL)
        return;
    if (together == LEFT_OUT)
        repair_add(all, wording_without(m->wording, sync->span));
    else if (is_none(sync))
        repair_add(all, repair_replace(last->span, text));
    else if (together == EXTENDED && last->clause.axes.count > 0)
        repair_add(all, repair_after(wording_names(&last->clause.axes),
                                     TEXT(", %s", wording_axes(m->wording, owner, m->repair->axes))));
    else if (together == CONTINUED)
        repair_add(all, repair_after(sync->span, TEXT(" then %s", text)));
}

static void change_all(Maker *m, const AstNodes *syncs, const char *operation, const char *sentence)
{
    if (syncs->count < 2 || syncs->count > CHANGE_MOST_EDITS)
        return;
    for (Together together = FILLED; together <= LEFT_OUT; together++) {
        Candidate *all =
            repair_start(m, together == LEFT_OUT ? "Leave them out: what is needed is then derived." : sentence);
        for (int i = 0; i < syncs->count; i++)
            change_sync(m, all, syncs->data[i], operation, together);
    }
}

static void make_missing(Maker *m, const char *operation, const char *sentence)
{
    AstNodes syncs = repair_syncs_of(m, m->repair->target);
    extend_syncs(m, &syncs, operation, sentence);
    repair_add_statement(m, sentence, operation, m->repair->target);
    for (int i = 0; i < syncs.count; i++)
        repair_one(m, "Leave it out: what is needed is then derived.",
                   wording_without(m->wording, syncs.data[i]->span));
    change_all(m, &syncs, operation, sentence);
}

void repair_sum(Maker *m)
{
    bool norm = strcmp(m->repair->target, "norm") == 0, loss = strcmp(m->repair->target, "loss") == 0;
    make_missing(m, "sum",
                 norm   ? "Sum the squares over the pieces."
                 : loss ? "Sum the ranks' parts."
                        : "Sum them, once.");
}

void repair_gather(Maker *m)
{
    make_missing(m, "gather", "Gather what was updated.");
}

/* ---- Wrong reductions ---------------------------------------------------------------------------------------- */

/* Removes the sync in the span, so that it is derived. */
void repair_derive(Maker *m)
{
    const AstNode *statement, *clause = repair_clause_at(m, &statement);
    if (clause != NULL)
        repair_one(m, "Leave it out: what is needed is then derived.", wording_without(m->wording, statement->span));
}

void repair_drop(Maker *m)
{
    const AstNode *statement, *clause = repair_clause_at(m, &statement);
    if (clause == NULL)
        return;
    repair_one(m, "Leave this reduction out.", repair_without_clause(m, statement, clause));
    if (statement->sync.clauses.count == 1)
        repair_one(m, "Leave this reduction out.", repair_replace(clause->span, "none"));
}

/* `sum` for `mean`, or the reverse. */
static void make_other_operation(Maker *m, const AstNode *clause, Span scale)
{
    bool mean = repair_says(clause, "mean");
    if (!mean && !repair_says(clause, "sum"))
        return;
    Edit word = repair_replace(clause->clause.operation.span, mean ? "sum" : "mean");
    repair_one(m, mean ? "Write `sum` instead of `mean`." : "Write `mean` instead of `sum`.", word);
    if (!span_known(scale))
        return;
    Candidate *both = repair_start(m, mean ? "Write `sum`, without `scale`." : "Write `mean`, without `scale`.");
    repair_add(both, word);
    repair_add(both, repair_replace(scale, ""));
}

void repair_weigh(Maker *m)
{
    const AstNode *statement, *clause = repair_clause_at(m, &statement);
    if (clause == NULL)
        return;
    Span scale = {0};
    if (clause->clause.scale != NULL)
        scale = wording_back(m->wording, clause->clause.scale->span, 1);
    if (span_known(scale))
        repair_one(m, "Leave the `scale` out.", repair_replace(scale, ""));
    make_other_operation(m, clause, scale);
    long long over = m->repair->numerator, under = m->repair->denominator;
    const char *weight = under == 1 ? TEXT(" scale %lld", over) : TEXT(" scale %lld/%lld", over, under);
    Candidate *weighed = repair_start(m, "Weigh the sum.");
    if (repair_says(clause, "mean"))
        repair_add(weighed, repair_replace(clause->clause.operation.span, "sum"));
    repair_add(weighed, span_known(scale) ? repair_replace(scale, weight) : repair_after(clause->span, weight));
    repair_one(m, "Leave this reduction out.", repair_without_clause(m, statement, clause));
}

void repair_later(Maker *m)
{
    const AstNode *statement, *clause = repair_clause_at(m, &statement);
    if (clause == NULL)
        return;
    const char *sentence = "Reduce once, after the last microbatch.";
    if (clause->clause.time.moment != AST_MOMENT_UNSAID)
        repair_one(m, sentence, repair_replace(clause->clause.time.span, "at step"));
    repair_one(m, sentence, repair_after(clause->span, " at step"));
    if (clause->clause.into.text == NULL && clause->clause.axes.count > 0)
        repair_one(m, "Leave each rank its shard.", repair_after(wording_names(&clause->clause.axes), " into shards"));
    repair_derive(m);
}

void repair_whole(Maker *m)
{
    const AstNode *statement, *clause = repair_clause_at(m, &statement);
    if (clause != NULL && clause->clause.into.text != NULL)
        repair_one(m, "Reduce without `into shards`.",
                   repair_replace(wording_back(m->wording, clause->clause.into.span, 1), ""));
}

void repair_axes(Maker *m)
{
    const AstNode *statement, *clause = repair_clause_at(m, &statement);
    const AstNode *owner = clause != NULL ? wording_owner(m->wording, statement) : NULL;
    const char *axes = owner != NULL ? wording_axes(m->wording, owner, m->repair->axes) : NULL;
    if (axes != NULL && clause->clause.axes.count > 0)
        repair_one(m, TEXT("Reduce over '%s' instead.", axes),
                   repair_replace(wording_names(&clause->clause.axes), axes));
    repair_derive(m);
}

void repair_into_shards(Maker *m)
{
    const AstNode *statement, *clause = repair_clause_at(m, &statement);
    const AstNode *owner = clause != NULL ? wording_owner(m->wording, statement) : NULL;
    const char *axes = owner != NULL ? wording_axes(m->wording, owner, m->repair->axes) : NULL;
    if (axes == NULL || clause->clause.axes.count == 0 || clause->clause.into.text != NULL)
        return;
    Candidate *candidate = repair_start(m, "Leave each rank its shard.");
    repair_add(candidate, repair_replace(wording_names(&clause->clause.axes), TEXT("%s into shards", axes)));
    const char *rest = m->repair->rest[0] != '\0' ? wording_axes(m->wording, owner, m->repair->rest) : NULL;
    if (rest != NULL)
        repair_add(candidate, repair_after(clause->span, TEXT(" then sum over %s at step", rest)));
}

/* The clause's axes that are not among `axes`, as written there: "d, e". */
static const char *other_axes(const Maker *m, const AstNode *clause, const char *axes)
{
    const char *others = "";
    for (int i = 0; i < clause->clause.axes.count; i++) {
        const char *text = clause->clause.axes.data[i].text;
        if (strstr(TEXT(", %s,", axes), TEXT(" %s,", text)) == NULL)
            others = TEXT("%s%s%s", others, others[0] != '\0' ? ", " : "", text);
    }
    return others;
}

void repair_into_pieces(Maker *m)
{
    const AstNode *statement, *clause = repair_clause_at(m, &statement);
    const AstNode *owner = clause != NULL ? wording_owner(m->wording, statement) : NULL;
    const char *axes = owner != NULL ? wording_axes(m->wording, owner, m->repair->axes) : NULL;
    if (axes == NULL)
        return;
    const char *sentence = "Reduce each microbatch into the pieces.", *others = other_axes(m, clause, axes);
    const char *pieces = TEXT("sum over %s into shards each microbatch", axes);
    if (others[0] != '\0')
        repair_one(m, sentence, repair_replace(clause->span, TEXT("%s then sum over %s at step", pieces, others)));
    repair_one(m, sentence, repair_replace(clause->span, pieces));
}

/* ---- Counts, losses --------------------------------------------------------------------------------------------- */

/* Removes `sync count : none` and, with it, replaces every mean by `sum`. */
void repair_counts(Maker *m)
{
    static const char *const targets[] = {"gradients", "loss"};
    AstNodes counts = repair_syncs_of(m, "count");
    if (counts.count == 0)
        return;
    for (int means = 0; means < 2; means++) {
        Candidate *candidate =
            repair_start(m, means ? "Leave `sync count : none` out, and write `sum` instead of `mean`."
                                  : "Leave `sync count : none` out.");
        for (int i = 0; i < counts.count; i++)
            repair_add(candidate, wording_without(m->wording, counts.data[i]->span));
        for (int k = 0; k < 2 && means; k++) {
            AstNodes syncs = repair_syncs_of(m, targets[k]);
            for (int i = 0; i < syncs.count; i++)
                if (repair_says(repair_last_clause(syncs.data[i]), "mean"))
                    repair_add(candidate,
                               repair_replace(repair_last_clause(syncs.data[i])->clause.operation.span, "sum"));
        }
    }
}

void repair_mean_of_losses(Maker *m)
{
    const char *sentence = "Take the mean of the ranks' losses.";
    AstNodes syncs = repair_syncs_of(m, "loss");
    for (int i = 0; i < syncs.count; i++)
        if (repair_says(repair_last_clause(syncs.data[i]), "sum"))
            repair_one(m, sentence, repair_replace(repair_last_clause(syncs.data[i])->clause.operation.span, "mean"));
    repair_add_statement(m, sentence, "mean", "loss");
}

/* ---- Words without effect ------------------------------------------------------------------------------------ */

void repair_no_rest(Maker *m)
{
    const AstNode *statement, *clause = repair_clause_at(m, &statement);
    if (clause != NULL && span_known(clause->clause.derive_rest))
        repair_one(m, "Leave `derive the rest` out.",
                   repair_replace(wording_back(m->wording, clause->clause.derive_rest, 0), ""));
}

void repair_no_wait(Maker *m)
{
    const AstNode *statement, *clause = repair_clause_at(m, &statement);
    if (clause != NULL && clause->clause.wait.moment != AST_MOMENT_UNSAID)
        repair_one(m, "Leave `wait` out.", repair_replace(wording_back(m->wording, clause->clause.wait.span, 0), ""));
}
