/* sync.c - sync statements: each clause becomes one Sync, as written; whether it is right is for the verifier to
 * decide. What a target accepts is a row of a table. */
#include "base/change.h"
#include "strategy/internal.h"

#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const char *const operation_names[] = {
    [SYNC_NONE] = "none",        [SYNC_SUM] = "sum", [SYNC_MEAN] = "mean",
    [SYNC_GATHER] = "gather",    [SYNC_MAX] = "max", [SYNC_BROADCAST] = "broadcast",
    [SYNC_EXCHANGE] = "exchange"};

static const char *const target_names[] = {[SYNC_GRADIENTS] = "gradients",
                                           [SYNC_PARAMETERS] = "parameters",
                                           [SYNC_NORM] = "norm",
                                           [SYNC_COUNT] = "count",
                                           [SYNC_LOSS] = "loss",
                                           [SYNC_ACTIVATIONS] = "activations",
                                           [SYNC_COTANGENTS] = "cotangents",
                                           [SYNC_STATISTICS] = "statistics",
                                           [SYNC_STATE] = "optimizer"};

/* Numbers of the step, and states of optimizers, by their own names; which of them a step has is known once it is
 * derived. */
static const char *const number_names[] = {"clip_factor", "finite",     "loss_scale",   "good_steps",
                                           "step",        "rate",       "norm_squared", "scaled_squares",
                                           "correction1", "correction2"};
static const char *const state_names[] = {"adam_m",      "adam_v",         "momentum",    "master",
                                          "row_squares", "column_squares", "mean_squares"};

/* Targets that the language can name, but that check does not support yet. */
static const char *const other_targets[] = {"flag", "buffers", "reader"};
static const char *const other_operations[] = {"min", "send", "receive", "permute"};

/* What the targets belong to, and what they accept; operations and moments one bit each. */
typedef enum Of { OF_NOTHING, OF_PARAMETERS, OF_VALUES, OF_STATISTICS } Of;

enum {
    NONE = 1u << SYNC_NONE,
    SUM = 1u << SYNC_SUM,
    MEAN = 1u << SYNC_MEAN,
    GATHER = 1u << SYNC_GATHER,
    MAX = 1u << SYNC_MAX,
    BROADCAST = 1u << SYNC_BROADCAST,
    EXCHANGE = 1u << SYNC_EXCHANGE,
    OF_A_VALUE = NONE | SUM | MEAN | GATHER | MAX | BROADCAST | EXCHANGE
};

static const struct TargetInfo {
    Of of;
    unsigned operations;
    bool moments; /* within the step */
    bool scales, several, rests;
    const char *waits; /* when what was only started is waited for; NULL: it cannot be only started */
} targets[] = {
    [SYNC_GRADIENTS] = {OF_PARAMETERS, NONE | SUM | MEAN, true, true, true, true, "step"},
    [SYNC_PARAMETERS] = {OF_PARAMETERS, NONE | GATHER | SUM | MEAN | BROADCAST, false, true, false, true, "step"},
    [SYNC_NORM] = {OF_NOTHING, NONE | SUM | MEAN, false, true, false, false, NULL},
    [SYNC_COUNT] = {OF_NOTHING, NONE, false, false, false, false, NULL},
    [SYNC_LOSS] = {OF_NOTHING, NONE | SUM | MEAN, false, true, false, false, NULL},
    [SYNC_ACTIVATIONS] = {OF_VALUES, OF_A_VALUE, false, true, true, true, "use"},
    [SYNC_COTANGENTS] = {OF_VALUES, OF_A_VALUE, false, true, true, true, "use"},
    [SYNC_STATE] = {OF_PARAMETERS, NONE | SUM | MEAN | MAX | BROADCAST, false, true, true, false, "step"},
    [SYNC_STATISTICS] = {OF_STATISTICS, NONE | SUM | MEAN | MAX | BROADCAST, false, true, true, false, NULL},
};

const char *strategy_sync_target(const Assignment *assignment, const Sync *sync)
{
    if (sync->number || sync->state != NULL)
        return sync->number ? sync->label : sync->state;
    return sync->declared >= 0 ? assignment->declared_states.data[sync->declared] : target_names[sync->target];
}

const char *strategy_operation_name(SyncOperation operation)
{
    return operation_names[operation];
}

const char *strategy_sync_wait(SyncTarget target)
{
    return targets[target].waits;
}

static int find(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* The word for an operation that communication libraries name differently. */
static const char *names_here(const char *word)
{
    static const char *const words[][2] = {
        {"all_reduce", "sum"},      {"allreduce", "sum"},    {"reduce", "sum"},
        {"average", "mean"},        {"avg", "mean"},         {"reduce_scatter", "sum over AXIS into shards"},
        {"all_gather", "gather"},   {"allgather", "gather"}, {"bcast", "broadcast"},
        {"all_to_all", "exchange"},
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i][0], word) == 0)
            return words[i][1];
    return NULL;
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
        const char *here = names == operation_names ? names_here(word.text) : NULL;
        if (here != NULL && strchr(here, ' ') == NULL)
            diag_help_edit(d, word.span, here, "Here it is `%s`.", here);
        else if (here != NULL)
            diag_help(d, "Here it is `%s`.", here);
        else
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

static bool report_missing(const Evaluation *e, const Factor *factor, AstName word, const char *missing)
{
    strategy_report(e, factor, P0208, word.span, "'%s' %s", word.text, missing);
    return false;
}

/* `none` names axes only if something else is derived. */
static bool read_axes(const Evaluation *e, const Factor *factor, const AstClause *clause, Sync *sync)
{
    bool given = clause->axes.count > 0, wanted = sync->operation != SYNC_NONE || sync->derive_rest;
    if (given && !wanted)
        return report_missing(e, factor, clause->operation, "takes no axes");
    if (!given && wanted)
        return report_missing(e, factor, clause->operation, "needs 'over' and its axes");
    return strategy_axes(e, factor, &clause->axes, &sync->axes);
}

static bool read_operation(const Evaluation *e, const Factor *factor, const AstClause *clause, Sync *sync)
{
    int operation = read_word(e, factor, clause->operation, "operation", operation_names, COUNT(operation_names),
                              other_operations, COUNT(other_operations));
    if (operation < 0)
        return false;
    sync->operation = (SyncOperation)operation;
    if (!(targets[sync->target].operations & 1u << operation)) {
        Text list = {.arena = e->ctx->arena};
        for (int i = 0; i < COUNT(operation_names); i++)
            if (targets[sync->target].operations & 1u << i)
                text_add(&list, "%s'%s'", list.length > 0 ? ", " : "", operation_names[i]);
        Diagnostic *d = strategy_report(e, factor, P0290, clause->operation.span, "'%s' of '%s' is not supported yet",
                                        clause->operation.text, strategy_sync_target(e->assignment, sync));
        diag_help(d, "Of '%s' there is %s.", strategy_sync_target(e->assignment, sync), list.data);
        return false;
    }
    sync->derive_rest = span_known(clause->derive_rest);
    if (sync->derive_rest && !targets[sync->target].rests)
        return refuse(
            e, factor, clause->derive_rest,
            arena_printf(e->ctx->arena, "'derive the rest' of '%s'", strategy_sync_target(e->assignment, sync)));
    return read_axes(e, factor, clause, sync);
}

static bool read_into(const Evaluation *e, const Factor *factor, const AstClause *clause, Sync *sync)
{
    static const char *const words[] = {"shards"};
    if (clause->into.text == NULL)
        return true;
    if (read_word(e, factor, clause->into, "destination", words, COUNT(words), NULL, 0) < 0)
        return false;
    bool values = targets[sync->target].of == OF_VALUES;
    if (values ? sync->operation != SYNC_SUM && sync->operation != SYNC_MEAN
               : sync->target != SYNC_GRADIENTS || sync->operation == SYNC_NONE)
        return refuse(e, factor, clause->into.span,
                      "a sync into shards of anything but a sum or mean of gradients or values");
    sync->into_shards = true;
    return true;
}

/* Values are sharded by dims, units of parameters are flat. */
static bool read_dim(const Evaluation *e, const Factor *factor, const AstClause *clause, Sync *sync)
{
    bool values = targets[sync->target].of == OF_VALUES;
    bool wanted = values && (clause->into.text != NULL || sync->operation == SYNC_EXCHANGE);
    sync->dim = clause->by.text;
    if (wanted && sync->dim == NULL)
        return report_missing(e, factor, clause->into.text != NULL ? clause->into : clause->operation,
                              "needs 'by' and the dim that is sharded");
    if (sync->dim == NULL || wanted)
        return true;
    strategy_report(e, factor, P0208, clause->by.span, "'by %s' has no meaning for this sync", sync->dim);
    return false;
}

static bool read_microbatch(const Evaluation *e, const Factor *factor, const AstNode *index, int64_t *microbatch)
{
    if (!strategy_integer(e, factor, index, microbatch))
        return false;
    if (!e->known.settings || (*microbatch >= 0 && *microbatch < e->decls->micro))
        return true;
    Diagnostic *d =
        strategy_report(e, factor, P0207, index->span, "there is no microbatch %lld", (long long)*microbatch);
    diag_note(d, "The microbatches of a step are 0 to %lld.", (long long)e->decls->micro - 1);
    return false;
}

static bool read_time(const Evaluation *e, const Factor *factor, const AstTime *time, SyncMoment *moment,
                      int64_t *microbatch)
{
    static const char *const points[] = {"step", "start", "use"}, *const microbatches[] = {"microbatch"};
    static const SyncMoment moments[] = {SYNC_AT_STEP, SYNC_AT_START, SYNC_AT_USE};
    bool at = time->moment == AST_MOMENT_AT;
    int word = read_word(e, factor, time->of, "moment", at ? points : microbatches, at ? COUNT(points) : 1, NULL, 0);
    if (word < 0)
        return false;
    if (at)
        *moment = moments[word];
    else
        *moment = time->moment == AST_MOMENT_EACH ? SYNC_EACH_MICROBATCH : SYNC_AFTER_MICROBATCH;
    return time->moment != AST_MOMENT_AFTER || read_microbatch(e, factor, time->index, microbatch);
}

/* The only thing that can be done at the start is a broadcast of parameters. */
static bool check_start(const Evaluation *e, const Factor *factor, const AstClause *clause, const Sync *sync)
{
    bool initial = sync->target == SYNC_PARAMETERS && sync->operation == SYNC_BROADCAST;
    if (sync->moment == SYNC_AT_START && initial && sync->derive_rest)
        return strategy_report_idle(e, factor, clause->derive_rest, "'derive the rest', where nothing is derived",
                                    "Every rank computes the initial values that it stores.", NULL);
    return sync->moment != SYNC_AT_START || initial ||
           refuse(e, factor, clause->time.span, "anything at the start but a broadcast of parameters");
}

static bool read_moment(const Evaluation *e, const Factor *factor, const AstClause *clause, Sync *sync)
{
    const AstTime *time = &clause->time;
    sync->moment = SYNC_AT_STEP;
    if (time->moment != AST_MOMENT_UNSAID && !read_time(e, factor, time, &sync->moment, &sync->microbatch))
        return false;
    if (time->moment != AST_MOMENT_UNSAID && targets[sync->target].of == OF_VALUES) {
        strategy_report(e, factor, P0208, time->span,
                        "a value is synchronised as soon as it is computed, at no other moment");
        return false;
    }
    if (sync->moment == SYNC_AT_USE) {
        strategy_report(e, factor, P0208, time->span, "only what was started is waited for at a use");
        return false;
    }
    if (!check_start(e, factor, clause, sync))
        return false;
    if (sync->moment == SYNC_AT_STEP || sync->moment == SYNC_AT_START)
        return true;
    if (!targets[sync->target].moments)
        return refuse(e, factor, time->span, "a sync of anything but gradients within a step");
    return sync->operation != SYNC_NONE || refuse(e, factor, time->span, "'none' at a moment within a step");
}

/* Does a number depend on the mesh or on the call? For some of these it is 1. */
static bool has_names(const AstNode *number)
{
    if (number->kind == AST_BINARY)
        return has_names(number->binary.left) || has_names(number->binary.right);
    return number->kind != AST_NUMBER;
}

static bool read_scale(const Evaluation *e, const Factor *factor, const AstClause *clause, Sync *sync)
{
    Rational scale = {1, 1, false};
    if (clause->scale != NULL) {
        bool sums = sync->operation == SYNC_SUM || sync->operation == SYNC_MEAN;
        if (!targets[sync->target].scales || (targets[sync->target].of != OF_VALUES && !sums))
            return refuse(e, factor, clause->scale->span, "a scale of anything but a value, or a sum or mean");
        if (!strategy_number(e, factor, clause->scale, &scale))
            return false;
        if (scale.numerator > INT32_MAX || scale.numerator < -INT32_MAX || scale.denominator > INT32_MAX) {
            strategy_report(e, factor, P0207, clause->scale->span, "a scale is a fraction of numbers below 2^31");
            return false;
        }
        if (!scale.open && scale.numerator == 0) {
            Diagnostic *d = strategy_report(e, factor, P0207, clause->scale->span, "a scale of 0 leaves nothing");
            diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = clause->scale->span});
            diag_note(d, "A sync that does nothing is `none`.");
            return false;
        }
    }
    sync->scale_numerator = scale.numerator;
    sync->scale_denominator = scale.denominator;
    bool one = clause->scale != NULL && !scale.open && scale.numerator == scale.denominator;
    return !one || has_names(clause->scale) ||
           strategy_report_idle(e, factor, clause->scale->span, "a scale of 1 changes nothing",
                                "What a sync leaves is multiplied by its scale.", NULL);
}

/* What is waited for once must be started once. */
static bool check_started_once(const Evaluation *e, const Factor *factor, const AstClause *clause, const Sync *sync)
{
    if (sync->moment != SYNC_EACH_MICROBATCH || !e->known.settings || e->decls->micro == 1)
        return true;
    Diagnostic *d =
        strategy_report(e, factor, P0206, clause->wait.span,
                        "one wait for what is started in each of %lld microbatches", (long long)e->decls->micro);
    diag_why(d, "The next microbatch adds to the gradient while its sum is still in progress.");
    const char *once = arena_printf(e->ctx->arena, "after microbatch %lld", (long long)e->decls->micro - 1);
    diag_help_edit(d, clause->time.span, once, "Start it once, `%s`.", once);
    diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = clause->wait.span});
    return false;
}

static bool read_wait(const Evaluation *e, const Factor *factor, const AstClause *clause, Sync *sync)
{
    SyncMoment moment = SYNC_AT_STEP;
    int64_t microbatch;
    sync->waits = clause->wait.moment != AST_MOMENT_UNSAID;
    if (!sync->waits)
        return true;
    if (!read_time(e, factor, &clause->wait, &moment, &microbatch))
        return false;
    const char *until = targets[sync->target].waits;
    if (until == NULL || sync->operation == SYNC_NONE || sync->moment == SYNC_AT_START)
        return refuse(e, factor, clause->wait.span, "a wait for this sync");
    if ((moment == SYNC_AT_USE && strcmp(until, "use") == 0) || (moment == SYNC_AT_STEP && strcmp(until, "step") == 0))
        return check_started_once(e, factor, clause, sync);
    Diagnostic *d = strategy_report(e, factor, P0290, clause->wait.span,
                                    "a wait for '%s' at another moment than the %s is not supported yet",
                                    strategy_sync_target(e->assignment, sync), until);
    diag_help_edit(d, clause->wait.span, arena_printf(e->ctx->arena, "wait at %s", until), "Say 'wait at %s'.", until);
    return false;
}

static bool read_dtype(const Evaluation *e, const Factor *factor, const AstClause *clause, Sync *sync)
{
    static const DType dtypes[] = {DTYPE_F32, DTYPE_F64, DTYPE_BF16};
    const char *names[COUNT(dtypes)];
    sync->has_dtype = clause->dtype.text != NULL;
    if (!sync->has_dtype)
        return true;
    for (int i = 0; i < COUNT(dtypes); i++)
        names[i] = dtype_name(dtypes[i]);
    int word = read_word(e, factor, clause->dtype, "dtype", names, COUNT(names), NULL, 0);
    if (word < 0)
        return false;
    sync->dtype = dtypes[word];
    if (sync->target != SYNC_GRADIENTS || sync->operation == SYNC_NONE)
        return refuse(e, factor, clause->dtype.span, "a dtype of anything but a sum or mean of gradients");
    bool same = !e->unused && e->known.settings && sync->dtype == e->decls->compute_dtype;
    return !same || strategy_report_idle(
                        e, factor, clause->dtype.span,
                        arena_printf(e->ctx->arena, "gradients in %s are in %s already", names[word], names[word]),
                        "The sum is of copies in that dtype: here there is nothing to convert.", NULL);
}

/* Segments are reduced in place in the gradient. */
static bool check_segments(const Evaluation *e, const Factor *factor, const AstClause *clause, const Sync *sync)
{
    if (sync->segments == 0)
        return true;
    if (sync->into_shards)
        return refuse(e, factor, clause->into.span, "a sync of segments into shards");
    if (sync->waits)
        return refuse(e, factor, clause->wait.span, "a wait for a sync of segments");
    return !sync->derive_rest || refuse(e, factor, clause->derive_rest, "'derive the rest' of segments");
}

/* Is there something to do: no errors, and a condition that holds? */
static bool read_clause(const Evaluation *e, const Factor *factor, const AstClause *clause, Sync *sync)
{
    bool holds;
    if (!read_operation(e, factor, clause, sync))
        return false;
    bool ok = read_into(e, factor, clause, sync);
    ok &= read_dim(e, factor, clause, sync);
    ok &= read_moment(e, factor, clause, sync);
    ok &= read_scale(e, factor, clause, sync);
    ok &= read_wait(e, factor, clause, sync);
    ok &= read_dtype(e, factor, clause, sync);
    ok &= check_segments(e, factor, clause, sync);
    return strategy_holds(e, factor, clause->when, &holds) && holds && ok;
}

/* Only gradients and values are synchronised several times, in the order written. */
static bool check_once(const Evaluation *e, const Factor *factor, const Sync *sync, const Selection *selection)
{
    bool scalar = targets[sync->target].of == OF_NOTHING;
    for (int i = 0; i < e->syncs.count && !targets[sync->target].several; i++) {
        const SyncRequest *other = &e->syncs.data[i];
        bool same_moment = (other->sync.moment == SYNC_AT_START) == (sync->moment == SYNC_AT_START);
        if (other->sync.target != sync->target || !same_moment ||
            !(scalar || selections_overlap(&other->selection, selection)))
            continue;
        Diagnostic *d = strategy_report(e, factor, P0290, sync->span, "a second sync of '%s' is not supported yet",
                                        target_names[sync->target]);
        diag_label(d, other->sync.span, "the first");
        return false;
    }
    return true;
}

/* ---- The statement ------------------------------------------------------------------------------------------ */

/* `none` must stand alone; next to another clause that is always done it has no effect. */
static bool check_none(const Evaluation *e, const Factor *factor, const AstList *clauses, int index)
{
    const AstClause *clause = &clauses->data[index]->clause;
    if (clause->operation.text == NULL || strcmp(clause->operation.text, "none") != 0 ||
        span_known(clause->derive_rest) || clause->scale != NULL)
        return true;
    for (int i = 0; i < clauses->count; i++)
        if (i != index && clauses->data[i]->kind == AST_CLAUSE && clauses->data[i]->clause.when == NULL)
            return strategy_report_idle(e, factor, clauses->data[index]->span, "'none' next to another clause",
                                        "A sync does what its clauses say and nothing else, so `none` adds nothing.",
                                        NULL);
    return true;
}

static void add_clauses(Evaluation *e, const Factor *factor, const AstNode *node, const Sync *statement,
                        const Selection *selection)
{
    const AstList *clauses = &node->sync.clauses;
    for (int i = 0; i < clauses->count; i++) {
        const AstNode *clause = clauses->data[i];
        Sync sync = *statement;
        sync.span = strategy_user_span(factor, clauses->count == 1 ? node->span : clause->span);
        if (clause->kind == AST_CLAUSE && check_none(e, factor, clauses, i) &&
            read_clause(e, factor, &clause->clause, &sync) && check_once(e, factor, &sync, selection))
            vec_push(e->ctx->arena, &e->syncs, (SyncRequest){sync, *selection});
    }
}

static bool has_statistic(const Evaluation *e, const char *label)
{
    for (int i = 0; i < e->decls->tensors.count; i++)
        if (e->decls->tensors.data[i].kind == TENSOR_STATISTIC &&
            (label == NULL || label_matches(label, e->decls->tensors.data[i].name)))
            return true;
    return false;
}

static bool check_statistic(const Evaluation *e, const Factor *factor, const Sync *sync, Span span)
{
    if (sync->target != SYNC_STATISTICS || !e->selects || has_statistic(e, sync->label))
        return true;
    NameVec known = {0};
    for (int i = 0; i < e->decls->tensors.count; i++)
        if (e->decls->tensors.data[i].kind == TENSOR_STATISTIC)
            vec_push(e->ctx->arena, &known, e->decls->tensors.data[i].name);
    Diagnostic *d = sync->label != NULL ? strategy_report(e, factor, P0201, span,
                                                          "no statistic is called '%s' or is below it", sync->label)
                                        : strategy_report(e, factor, P0201, span, "the model has no statistics");
    if (sync->label != NULL)
        strategy_suggest(d, sync->label, &known);
    return false;
}

/* Does a statement name a value only once? */
static bool check_label(const Evaluation *e, const Factor *factor, const AstSync *sync, int index, const char *label)
{
    for (int i = 0; label != NULL && i < index; i++) {
        const char *other = strategy_label(e, factor, sync->selectors.data[i]);
        if (other != NULL && strcmp(other, label) == 0)
            return strategy_report_idle(e, factor, sync->selectors.data[index]->span,
                                        arena_printf(e->ctx->arena, "the selector names '%s' again", label),
                                        "Naming it twice in one statement has no effect.", NULL);
    }
    return true;
}

/* Values have names that the deriver knows: every selector has its own syncs. The same holds for statistics, which are
 * in no unit. */
static void add_by_label(Evaluation *e, const Factor *factor, const AstNode *node, Sync statement)
{
    const AstSync *sync = &node->sync;
    bool all = sync->selectors.count == 0;
    if (all && statement.target != SYNC_STATISTICS)
        report_missing(e, factor, sync->target, "needs 'of' and the names of values");
    else if (all && check_statistic(e, factor, &statement, sync->target.span))
        add_clauses(e, factor, node, &statement, &(Selection){0});
    for (int i = 0; i < sync->selectors.count; i++) {
        statement.label = strategy_label(e, factor, sync->selectors.data[i]);
        statement.label_span = strategy_user_span(factor, sync->selectors.data[i]->span);
        if (!check_label(e, factor, sync, i, statement.label))
            return;
        if ((statement.label != NULL || e->unused) &&
            check_statistic(e, factor, &statement, sync->selectors.data[i]->span))
            add_clauses(e, factor, node, &statement, &(Selection){0});
    }
}

/* Frozen parameters have no gradient. */
static bool check_gradients(const Evaluation *e, const Factor *factor, const AstSync *statement,
                            const Selection *selection)
{
    bool trainable = !e->selects || strcmp(statement->target.text, target_names[SYNC_GRADIENTS]) != 0;
    for (int i = 0; i < selection->picks.count; i++)
        trainable |= e->decls->tensors.data[selection->picks.data[i].tensor].trainable;
    if (trainable)
        return true;
    Diagnostic *d =
        strategy_report(e, factor, P0201, statement->target.span, "these parameters are frozen: they have no gradient");
    diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = statement->target.span});
    return false;
}

/* `segment 0, 2` */
static bool read_segments(const Evaluation *e, const Factor *factor, const AstSync *statement, Sync *sync)
{
    for (int i = 0; i < statement->segments.count; i++) {
        const AstNode *node = statement->segments.data[i];
        int64_t index;
        if (!strategy_integer(e, factor, node, &index))
            return false;
        if (index < 0 || index >= STEP_MAX_SEGMENTS) {
            strategy_report(e, factor, P0207, node->span, "there is no segment %lld", (long long)index);
            return false;
        }
        sync->segments |= 1u << index;
    }
    return sync->segments == 0 || sync->target == SYNC_GRADIENTS ||
           refuse(e, factor, statement->segments.data[0]->span, "a sync of segments of anything but gradients");
}

/* A number is a value outside the microbatches; its name alone is enough. */
static void add_number(Evaluation *e, const Factor *factor, const AstNode *node)
{
    const AstSync *statement = &node->sync;
    Sync sync = {.target = SYNC_ACTIVATIONS,
                 .declared = -1,
                 .number = true,
                 .label = statement->target.text,
                 .label_span = strategy_user_span(factor, statement->target.span)};
    if (statement->selectors.count > 0)
        strategy_report(e, factor, P0206, statement->selectors.data[0]->span, "'%s' has no parameters to select from",
                        statement->target.text);
    else if (read_segments(e, factor, statement, &sync))
        add_clauses(e, factor, node, &sync, &(Selection){0});
}

void strategy_add_sync(Evaluation *e, const Factor *factor, const AstNode *node)
{
    const AstSync *statement = &node->sync;
    int declared =
        find(statement->target.text, e->assignment->declared_states.data, e->assignment->declared_states.count);
    int number = find(statement->target.text, number_names, COUNT(number_names));
    int state = find(statement->target.text, state_names, COUNT(state_names));
    if (declared >= 0 ? strategy_is_one_number(e, statement->target.text) : number >= 0) {
        add_number(e, factor, node);
        return;
    }
    int target = declared >= 0 || state >= 0 ? SYNC_STATE
                                             : read_word(e, factor, statement->target, "target", target_names,
                                                         COUNT(target_names), other_targets, COUNT(other_targets));
    if (target < 0)
        return;
    Selection selection = {0};
    Sync sync = {.target = (SyncTarget)target, .declared = declared};
    if (declared < 0 && state >= 0)
        sync.state = state_names[state];
    Of of = targets[target].of;
    if (!read_segments(e, factor, statement, &sync))
        return;
    if (of == OF_VALUES || of == OF_STATISTICS) {
        add_by_label(e, factor, node, sync);
        return;
    }
    if (of == OF_PARAMETERS && (!strategy_select(e, factor, &statement->selectors, false, &selection) ||
                                !check_gradients(e, factor, statement, &selection)))
        return;
    if (target == SYNC_NORM && !e->unused && e->known.settings && e->train->clip_norm == 0 && !e->train->loss_scale) {
        strategy_report_idle(e, factor, node->span, "nothing uses the norm",
                             "The norm of the gradients is taken to clip them, and to find out whether a scaled loss "
                             "overflowed.",
                             NULL);
        return;
    }
    if (of == OF_NOTHING && statement->selectors.count > 0) {
        strategy_report(e, factor, P0206, statement->selectors.data[0]->span, "'%s' has no parameters to select from",
                        target_names[target]);
        return;
    }
    add_clauses(e, factor, node, &sync, &selection);
}
