/* repair.c - writes the changes that are tried for a repair (library/repair.h).
 *
 * Each kind of repair has a function that writes candidates, those closest to the present text first. They are guesses:
 * every stage is run on each before one is shown, so none of these functions need know what is right.
 */
#include "library/repair_internal.h"

#include <string.h>

/* ---- Candidates ------------------------------------------------------------------------------------------------- */

Candidate *repair_start(Maker *m, const char *sentence)
{
    Candidate candidate = {.sentence = sentence};
    candidate.change.shows_lines = true;
    vec_push(m->wording->ctx->arena, m->candidates, candidate);
    return &m->candidates->data[m->candidates->count - 1];
}

static bool comes_before(const Edit *a, const Edit *b)
{
    return a->span.source != b->span.source ? a->span.source < b->span.source : a->span.start < b->span.start;
}

static bool overlap(const Edit *a, const Edit *b)
{
    bool same = a->span.start == b->span.start && a->span.end == b->span.end;
    return a->span.source == b->span.source && (same || (a->span.start < b->span.end && b->span.start < a->span.end));
}

void repair_add(Candidate *candidate, Edit edit)
{
    Change *change = &candidate->change;
    int at = change->count;
    for (int i = 0; i < change->count; i++)
        if (overlap(&edit, &change->edit[i]))
            return;
    if (at == CHANGE_MOST_EDITS)
        return;
    for (; at > 0 && comes_before(&edit, &change->edit[at - 1]); at--)
        change->edit[at] = change->edit[at - 1];
    change->edit[at] = edit;
    change->count++;
}

void repair_one(Maker *m, const char *sentence, Edit edit)
{
    repair_add(repair_start(m, sentence), edit);
}

Edit repair_replace(Span span, const char *text)
{
    return (Edit){span, text};
}

Edit repair_after(Span span, const char *text)
{
    return (Edit){{span.source, span.end, span.end}, text};
}

/* ---- Statements ------------------------------------------------------------------------------------------------- */

static bool is_sync_of(const AstNode *node, const char *target)
{
    return node->kind == AST_SYNC && node->sync.target.text != NULL && strcmp(node->sync.target.text, target) == 0;
}

AstNodes repair_syncs_of(const Maker *m, const char *target)
{
    AstNodes found = {0};
    for (int i = 0; i < m->strategies.count; i++)
        for (int k = 0; k < m->strategies.data[i]->strategy.body.count; k++)
            if (is_sync_of(m->strategies.data[i]->strategy.body.data[k], target))
                vec_push(m->wording->ctx->arena, &found, m->strategies.data[i]->strategy.body.data[k]);
    return found;
}

const AstNode *repair_last_clause(const AstNode *sync)
{
    const AstNode *last = sync->sync.clauses.data[sync->sync.clauses.count - 1];
    return last->kind == AST_CLAUSE ? last : NULL;
}

bool repair_says(const AstNode *clause, const char *operation)
{
    return clause != NULL && clause->clause.operation.text != NULL &&
           strcmp(clause->clause.operation.text, operation) == 0;
}

const AstNode *repair_clause_at(const Maker *m, const AstNode **statement)
{
    *statement = wording_statement(m->wording, m->repair->span);
    bool sync = *statement != NULL && (*statement)->kind == AST_SYNC;
    return sync ? wording_clause(*statement, m->repair->span) : NULL;
}

Edit repair_without_clause(const Maker *m, const AstNode *statement, const AstNode *clause)
{
    const AstList *clauses = &statement->sync.clauses;
    if (clauses->count == 1)
        return wording_without(m->wording, statement->span);
    if (clauses->data[0] == clause)
        return repair_replace((Span){clause->span.source, clause->span.start, clauses->data[1]->span.start}, "");
    return repair_replace(wording_back(m->wording, clause->span, 1), ""); /* with the preceding `then` */
}

const char *repair_clause_text(const Maker *m, const AstNode *strategy, const char *operation, const char *target)
{
    const char *axes = wording_axes(m->wording, strategy, m->repair->axes);
    return axes == NULL ? NULL
                        : TEXT("%s over %s%s", operation, axes, strcmp(target, "gradients") == 0 ? " at step" : "");
}

void repair_add_statement(Maker *m, const char *sentence, const char *operation, const char *target)
{
    for (int i = 0; i < m->strategies.count; i++) {
        const char *text = repair_clause_text(m, m->strategies.data[i], operation, target);
        if (text != NULL)
            repair_one(m, sentence,
                       wording_with(m->wording, m->strategies.data[i], TEXT("sync %s : %s", target, text)));
    }
}

const AstNode *repair_placement_at(const Maker *m)
{
    const AstNode *statement = wording_statement(m->wording, m->repair->span);
    return statement != NULL && statement->kind == AST_PLACEMENT ? statement : NULL;
}

/* ---- All of them ------------------------------------------------------------------------------------------------ */

static void make(Maker *m)
{
    switch (m->repair->kind) {
    case REPAIR_SUM:
        repair_sum(m);
        return;
    case REPAIR_GATHER:
        repair_gather(m);
        return;
    case REPAIR_DROP:
        repair_drop(m);
        return;
    case REPAIR_WEIGH:
        repair_weigh(m);
        return;
    case REPAIR_LATER:
        repair_later(m);
        return;
    case REPAIR_WHOLE:
        repair_whole(m);
        return;
    case REPAIR_SHARD_OPTIMIZER:
        repair_shard_optimizer(m);
        return;
    case REPAIR_AXES:
        repair_axes(m);
        return;
    case REPAIR_DERIVE:
        repair_derive(m);
        return;
    case REPAIR_COUNTS:
        repair_counts(m);
        return;
    case REPAIR_MEAN_OF_LOSSES:
        repair_mean_of_losses(m);
        return;
    case REPAIR_READ:
        repair_read(m);
        return;
    case REPAIR_SEED:
        repair_seed(m);
        return;
    case REPAIR_LEAVE_OUT:
        repair_leave_out(m);
        return;
    case REPAIR_NO_REST:
        repair_no_rest(m);
        return;
    case REPAIR_NO_WAIT:
        repair_no_wait(m);
        return;
    case REPAIR_INTO_PIECES:
        repair_into_pieces(m);
        return;
    case REPAIR_WHOLE_GRADIENTS:
        repair_whole_gradients(m);
        return;
    case REPAIR_BATCH:
        repair_batch(m);
        return;
    case REPAIR_MICROBATCHES:
        repair_microbatches(m);
        return;
    case REPAIR_ADD_LINE:
        repair_line(m);
        return;
    case REPAIR_GATHERED:
        repair_gathered(m);
        return;
    case REPAIR_CUT_TOO:
        repair_cut_too(m);
        return;
    case REPAIR_CUT_BATCH:
        repair_cut_batch(m);
        return;
    case REPAIR_KEEP:
        repair_keep(m);
        return;
    case REPAIR_INTO_SHARDS:
        repair_into_shards(m);
        return;
    case REPAIR_MESH_ORDER:
        repair_mesh_order(m);
        return;
    }
    BUG("repair %d", (int)m->repair->kind);
}

void repair_candidates(const Wording *wording, const Repair *repair, Candidates *candidates)
{
    Maker maker = {wording, repair, candidates, wording_strategies(wording)};
    make(&maker);
}
