/* strategy_sync.c - sync statements: each clause becomes one Sync, as written; whether it is right is the verifier's
 * question. */
#include "sema/strategy_internal.h"

#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const char *const target_names[] = {[SYNC_GRADIENTS] = "gradients",
                                           [SYNC_PARAMETERS] = "parameters",
                                           [SYNC_NORM] = "norm",
                                           [SYNC_COUNT] = "count",
                                           [SYNC_LOSS] = "loss"};
static const char *const operation_names[] = {
    [SYNC_NONE] = "none", [SYNC_SUM] = "sum", [SYNC_MEAN] = "mean", [SYNC_GATHER] = "gather"};

/* What else the language can name, and check cannot do yet. */
static const char *const other_targets[] = {"activations", "optimizer", "cotangents", "flag",
                                            "initial",     "buffers",   "reader"};
static const char *const other_operations[] = {"max",        "min",        "start",     "wait",
                                               "send",       "receive",    "broadcast", "reduce_scatter",
                                               "all_gather", "all_reduce", "all_to_all"};

/* The operations of a target, one bit each. */
static const unsigned target_operations[] = {[SYNC_GRADIENTS] = 1u << SYNC_NONE | 1u << SYNC_SUM | 1u << SYNC_MEAN,
                                             [SYNC_PARAMETERS] = 1u << SYNC_NONE | 1u << SYNC_GATHER,
                                             [SYNC_NORM] = 1u << SYNC_NONE | 1u << SYNC_SUM,
                                             [SYNC_COUNT] = 1u << SYNC_NONE,
                                             [SYNC_LOSS] = 1u << SYNC_NONE | 1u << SYNC_SUM | 1u << SYNC_MEAN};

static int find(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* The index of a word among `names`; -1 after reporting that it is unknown, or known but not supported. */
static int read_word(const Evaluation *e, const Factor *factor, AstName word, const char *what,
                     const char *const *names, int count, const char *const *others, int other_count)
{
    int index = find(word.text, names, count);
    if (index >= 0)
        return index;
    Text list = {.arena = e->ctx->arena};
    NameVec known = {0};
    for (int i = 0; i < count; i++) {
        text_add(&list, "%s'%s'", i > 0 ? ", " : "", names[i]);
        vec_push(e->ctx->arena, &known, names[i]);
    }
    if (find(word.text, others, other_count) >= 0) {
        Diagnostic *d =
            strategy_report(e, factor, P0290, word.span, "sync of this %s is not supported yet: '%s'", what, word.text);
        diag_note(d, "Supported are %s.", list.data);
    } else {
        Diagnostic *d = strategy_report(e, factor, P0201, word.span, "unknown %s of a sync: '%s'", what, word.text);
        strategy_suggest(d, word.text, &known);
        diag_note(d, "Known are %s.", list.data);
    }
    return -1;
}

/* ---- One clause --------------------------------------------------------------------------------------------- */

static bool refuse(const Evaluation *e, const Factor *factor, Span span, const char *what)
{
    strategy_report(e, factor, P0290, span, "%s is not supported yet", what);
    return false;
}

static bool read_operation(const Evaluation *e, const Factor *factor, const AstClause *clause, Sync *sync)
{
    int operation = read_word(e, factor, clause->operation, "operation", operation_names, COUNT(operation_names),
                              other_operations, COUNT(other_operations));
    if (operation < 0)
        return false;
    sync->operation = (SyncOperation)operation;
    if (!(target_operations[sync->target] & 1u << operation)) {
        strategy_report(e, factor, P0290, clause->operation.span, "'%s' of '%s' is not supported yet",
                        clause->operation.text, target_names[sync->target]);
        return false;
    }
    if ((sync->operation == SYNC_NONE) != (clause->axes.count == 0)) {
        strategy_report(e, factor, P0208, clause->operation.span,
                        sync->operation == SYNC_NONE ? "'%s' takes no axes" : "'%s' needs 'over' and its axes",
                        clause->operation.text);
        return false;
    }
    return strategy_axes(e, factor, &clause->axes, &sync->axes);
}

static bool read_into(const Evaluation *e, const Factor *factor, const AstClause *clause, Sync *sync)
{
    static const char *const words[] = {"shards"};
    if (clause->into.text == NULL)
        return true;
    if (read_word(e, factor, clause->into, "destination", words, COUNT(words), NULL, 0) < 0)
        return false;
    if (sync->target != SYNC_GRADIENTS || sync->operation == SYNC_NONE)
        return refuse(e, factor, clause->into.span, "a sync into shards of anything but a gradient's sum or mean");
    sync->into_shards = true;
    return true;
}

static bool read_microbatch(const Evaluation *e, const Factor *factor, const AstClause *clause, Sync *sync)
{
    if (!strategy_integer(e, factor, clause->moment_index, &sync->microbatch))
        return false;
    if (!e->known.settings || (sync->microbatch >= 0 && sync->microbatch < e->decls->micro))
        return true;
    Diagnostic *d = strategy_report(e, factor, P0207, clause->moment_index->span, "there is no microbatch %lld",
                                    (long long)sync->microbatch);
    diag_note(d, "The microbatches of a step are 0 to %lld.", (long long)e->decls->micro - 1);
    return false;
}

static bool read_moment(const Evaluation *e, const Factor *factor, const AstClause *clause, Sync *sync)
{
    static const char *const steps[] = {"step"}, *const microbatches[] = {"microbatch"};
    sync->moment = SYNC_AT_STEP;
    if (clause->moment == AST_MOMENT_UNSAID)
        return true;
    bool at = clause->moment == AST_MOMENT_AT;
    if (read_word(e, factor, clause->moment_of, "moment", at ? steps : microbatches, 1, NULL, 0) < 0)
        return false;
    if (at)
        return true;
    if (sync->target != SYNC_GRADIENTS)
        return refuse(e, factor, clause->moment_span, "a sync of anything but gradients within a step");
    if (sync->operation == SYNC_NONE)
        return refuse(e, factor, clause->moment_span, "'none' at a moment within a step");
    sync->moment = clause->moment == AST_MOMENT_EACH ? SYNC_EACH_MICROBATCH : SYNC_AFTER_MICROBATCH;
    return clause->moment == AST_MOMENT_EACH || read_microbatch(e, factor, clause, sync);
}

static bool read_scale(const Evaluation *e, const Factor *factor, const AstClause *clause, Sync *sync)
{
    Rational scale = {1, 1, false};
    if (clause->scale != NULL) {
        if (sync->target != SYNC_GRADIENTS || sync->operation == SYNC_NONE)
            return refuse(e, factor, clause->scale->span, "a scale of anything but a gradient's sum or mean");
        if (!strategy_number(e, factor, clause->scale, &scale))
            return false;
    }
    sync->scale_numerator = scale.numerator;
    sync->scale_denominator = scale.denominator;
    return true;
}

static bool read_clause(const Evaluation *e, const Factor *factor, const AstClause *clause, Sync *sync)
{
    if (!read_operation(e, factor, clause, sync))
        return false;
    bool ok = read_into(e, factor, clause, sync);
    ok &= read_moment(e, factor, clause, sync);
    ok &= read_scale(e, factor, clause, sync);
    if (clause->when != NULL)
        ok = refuse(e, factor, clause->when->span, "'when' in a sync");
    if (span_known(clause->derive_rest))
        ok = refuse(e, factor, clause->derive_rest, "'derive the rest'");
    return ok;
}

/* Only gradients are synchronised several times, in the order written. */
static bool check_once(const Evaluation *e, const Factor *factor, const Sync *sync, const Selection *selection)
{
    bool scalar = sync->target != SYNC_PARAMETERS;
    for (int i = 0; i < e->syncs.count && sync->target != SYNC_GRADIENTS; i++) {
        const SyncRequest *other = &e->syncs.data[i];
        if (other->sync.target != sync->target || !(scalar || selections_overlap(&other->selection, selection)))
            continue;
        Diagnostic *d = strategy_report(e, factor, P0290, sync->span, "a second sync of '%s' is not supported yet",
                                        target_names[sync->target]);
        diag_label(d, other->sync.span, "the first");
        return false;
    }
    return true;
}

void strategy_add_sync(Evaluation *e, const Factor *factor, const AstNode *node)
{
    const AstSync *statement = &node->sync;
    int target = read_word(e, factor, statement->target, "target", target_names, COUNT(target_names), other_targets,
                           COUNT(other_targets));
    if (target < 0)
        return;
    Selection selection = {0};
    bool of_parameters = target == SYNC_GRADIENTS || target == SYNC_PARAMETERS;
    if (of_parameters && !strategy_select(e, factor, &statement->selectors, false, &selection))
        return;
    if (!of_parameters && statement->selectors.count > 0) {
        strategy_report(e, factor, P0206, statement->selectors.data[0]->span, "'%s' has no parameters to select from",
                        target_names[target]);
        return;
    }
    for (int i = 0; i < statement->clauses.count; i++) {
        const AstNode *clause = statement->clauses.data[i];
        Sync sync = {.target = (SyncTarget)target, .span = strategy_user_span(factor, clause->span)};
        if (statement->clauses.count == 1)
            sync.span = strategy_user_span(factor, node->span);
        if (clause->kind == AST_CLAUSE && read_clause(e, factor, &clause->clause, &sync) &&
            check_once(e, factor, &sync, &selection))
            vec_push(e->ctx->arena, &e->syncs, (SyncRequest){sync, selection});
    }
}
