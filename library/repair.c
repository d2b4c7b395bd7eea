/* repair.c - writes the changes that are tried for a repair (library/repair.h).
 *
 * Each kind of repair has a function that writes candidates, those closest to the present text first. They are guesses:
 * every stage is run on each before one is shown, so none of these functions need know what is right.
 */
#include "library/repair.h"

#include <string.h>

typedef struct Maker {
    const Wording *wording;
    const Repair *repair;
    Candidates *candidates;
    AstNodes strategies;
} Maker;

/* ---- Candidates ------------------------------------------------------------------------------------------------- */

static Candidate *start(Maker *m, const char *sentence)
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

/* Keeps edits in text order; one that exceeds the limit is dropped, since nothing relies on a candidate being right. */
static void add(Candidate *candidate, Edit edit)
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

static void one(Maker *m, const char *sentence, Edit edit)
{
    add(start(m, sentence), edit);
}

static Edit replace(Span span, const char *text)
{
    return (Edit){span, text};
}

static Edit behind(Span span, const char *text)
{
    return (Edit){{span.source, span.end, span.end}, text};
}

#define TEXT(...) arena_printf(m->wording->ctx->arena, __VA_ARGS__)

/* ---- Statements ------------------------------------------------------------------------------------------------- */

static bool is_sync_of(const AstNode *node, const char *target)
{
    return node->kind == AST_SYNC && node->sync.target.text != NULL && strcmp(node->sync.target.text, target) == 0;
}

/* All syncs of the target in the user's own strategies. */
static AstNodes syncs_of(const Maker *m, const char *target)
{
    AstNodes found = {0};
    for (int i = 0; i < m->strategies.count; i++)
        for (int k = 0; k < m->strategies.data[i]->strategy.body.count; k++)
            if (is_sync_of(m->strategies.data[i]->strategy.body.data[k], target))
                vec_push(m->wording->ctx->arena, &found, m->strategies.data[i]->strategy.body.data[k]);
    return found;
}

static const AstNode *last_clause(const AstNode *sync)
{
    const AstNode *last = sync->sync.clauses.data[sync->sync.clauses.count - 1];
    return last->kind == AST_CLAUSE ? last : NULL;
}

static bool says(const AstNode *clause, const char *operation)
{
    return clause != NULL && clause->clause.operation.text != NULL &&
           strcmp(clause->clause.operation.text, operation) == 0;
}

static bool is_none(const AstNode *sync)
{
    return says(last_clause(sync), "none") && !span_known(last_clause(sync)->clause.derive_rest);
}

/* The clause at fault; NULL if it is in no sync of the user's. */
static const AstNode *clause_at(const Maker *m, const AstNode **statement)
{
    *statement = wording_statement(m->wording, m->repair->span);
    bool sync = *statement != NULL && (*statement)->kind == AST_SYNC;
    return sync ? wording_clause(*statement, m->repair->span) : NULL;
}

/* Removes the clause, or the whole statement if it is the only one. */
static Edit without_clause(const Maker *m, const AstNode *statement, const AstNode *clause)
{
    const AstList *clauses = &statement->sync.clauses;
    if (clauses->count == 1)
        return wording_without(m->wording, statement->span);
    if (clauses->data[0] == clause)
        return replace((Span){clause->span.source, clause->span.start, clauses->data[1]->span.start}, "");
    return replace(wording_back(m->wording, clause->span, 1), ""); /* with the preceding `then` */
}

/* "sum over d at step", in the strategy's own names; NULL if it has no name for an axis. */
static const char *clause_text(const Maker *m, const AstNode *strategy, const char *operation, const char *target)
{
    const char *axes = wording_axes(m->wording, strategy, m->repair->axes);
    return axes == NULL ? NULL
                        : TEXT("%s over %s%s", operation, axes, strcmp(target, "gradients") == 0 ? " at step" : "");
}

/* ---- Missing synchronisation --------------------------------------------------------------------------------- */

/* A sync of `none` now does the operation; one over other axes also goes over these, or is followed by one over
 * these. */
static void extend_syncs(Maker *m, const AstNodes *syncs, const char *operation, const char *sentence)
{
    for (int i = 0; i < syncs->count; i++) {
        const AstNode *sync = syncs->data[i], *last = last_clause(sync);
        const AstNode *owner = wording_owner(m->wording, sync);
        const char *text = owner != NULL ? clause_text(m, owner, operation, m->repair->target) : NULL;
        if (text == NULL || last == NULL)
            continue;
        if (is_none(sync)) {
            one(m, sentence, replace(last->span, text));
            continue;
        }
        if (last->clause.axes.count > 0)
            one(m, sentence,
                behind(wording_names(&last->clause.axes),
                       TEXT(", %s", wording_axes(m->wording, owner, m->repair->axes))));
        one(m, sentence, behind(sync->span, TEXT(" then %s", text)));
    }
}

/* How several syncs change together: those of `none` do the operation, and the others also go over these axes
 * (EXTENDED), are followed by one over these (CONTINUED), or stay as they are (FILLED); or all are removed. */
typedef enum Together { FILLED, EXTENDED, CONTINUED, LEFT_OUT } Together;

static void change_sync(Maker *m, Candidate *all, const AstNode *sync, const char *operation, Together together)
{
    const AstNode *owner = wording_owner(m->wording, sync), *last = last_clause(sync);
    const char *text = owner != NULL ? clause_text(m, owner, operation, m->repair->target) : NULL;
    if (text == NULL || last == NULL)
        return;
    if (together == LEFT_OUT)
        add(all, wording_without(m->wording, sync->span));
    else if (is_none(sync))
        add(all, replace(last->span, text));
    else if (together == EXTENDED && last->clause.axes.count > 0)
        add(all,
            behind(wording_names(&last->clause.axes), TEXT(", %s", wording_axes(m->wording, owner, m->repair->axes))));
    else if (together == CONTINUED)
        add(all, behind(sync->span, TEXT(" then %s", text)));
}

static void change_all(Maker *m, const AstNodes *syncs, const char *operation, const char *sentence)
{
    if (syncs->count < 2 || syncs->count > CHANGE_MOST_EDITS)
        return;
    for (Together together = FILLED; together <= LEFT_OUT; together++) {
        Candidate *all = start(m, together == LEFT_OUT ? "Leave them out: what is needed is then derived." : sentence);
        for (int i = 0; i < syncs->count; i++)
            change_sync(m, all, syncs->data[i], operation, together);
    }
}

static void add_statement(Maker *m, const char *sentence, const char *operation, const char *target)
{
    for (int i = 0; i < m->strategies.count; i++) {
        const char *text = clause_text(m, m->strategies.data[i], operation, target);
        if (text != NULL)
            one(m, sentence, wording_with(m->wording, m->strategies.data[i], TEXT("sync %s : %s", target, text)));
    }
}

static void make_missing(Maker *m, const char *operation, const char *sentence)
{
    AstNodes syncs = syncs_of(m, m->repair->target);
    extend_syncs(m, &syncs, operation, sentence);
    add_statement(m, sentence, operation, m->repair->target);
    for (int i = 0; i < syncs.count; i++)
        one(m, "Leave it out: what is needed is then derived.", wording_without(m->wording, syncs.data[i]->span));
    change_all(m, &syncs, operation, sentence);
}

static void make_sum(Maker *m)
{
    bool norm = strcmp(m->repair->target, "norm") == 0, loss = strcmp(m->repair->target, "loss") == 0;
    make_missing(m, "sum",
                 norm   ? "Sum the squares over the pieces."
                 : loss ? "Sum the ranks' parts."
                        : "Sum them, once.");
}

static void make_gather(Maker *m)
{
    make_missing(m, "gather", "Gather what was updated.");
}

/* ---- Wrong reductions ---------------------------------------------------------------------------------------- */

/* Removes the sync in the span, so that it is derived. */
static void make_derive(Maker *m)
{
    const AstNode *statement, *clause = clause_at(m, &statement);
    if (clause != NULL)
        one(m, "Leave it out: what is needed is then derived.", wording_without(m->wording, statement->span));
}

static void make_drop(Maker *m)
{
    const AstNode *statement, *clause = clause_at(m, &statement);
    if (clause == NULL)
        return;
    one(m, "Leave this reduction out.", without_clause(m, statement, clause));
    if (statement->sync.clauses.count == 1)
        one(m, "Leave this reduction out.", replace(clause->span, "none"));
}

/* `sum` for `mean`, or the reverse. */
static void make_other_operation(Maker *m, const AstNode *clause, Span scale)
{
    bool mean = says(clause, "mean");
    if (!mean && !says(clause, "sum"))
        return;
    Edit word = replace(clause->clause.operation.span, mean ? "sum" : "mean");
    one(m, mean ? "Write `sum` instead of `mean`." : "Write `mean` instead of `sum`.", word);
    if (!span_known(scale))
        return;
    Candidate *both = start(m, mean ? "Write `sum`, without `scale`." : "Write `mean`, without `scale`.");
    add(both, word);
    add(both, replace(scale, ""));
}

static void make_weigh(Maker *m)
{
    const AstNode *statement, *clause = clause_at(m, &statement);
    if (clause == NULL)
        return;
    Span scale = {0};
    if (clause->clause.scale != NULL)
        scale = wording_back(m->wording, clause->clause.scale->span, 1);
    if (span_known(scale))
        one(m, "Leave the `scale` out.", replace(scale, ""));
    make_other_operation(m, clause, scale);
    long long over = m->repair->numerator, under = m->repair->denominator;
    const char *weight = under == 1 ? TEXT(" scale %lld", over) : TEXT(" scale %lld/%lld", over, under);
    Candidate *weighed = start(m, "Weigh the sum.");
    if (says(clause, "mean"))
        add(weighed, replace(clause->clause.operation.span, "sum"));
    add(weighed, span_known(scale) ? replace(scale, weight) : behind(clause->span, weight));
    one(m, "Leave this reduction out.", without_clause(m, statement, clause));
}

static void make_later(Maker *m)
{
    const AstNode *statement, *clause = clause_at(m, &statement);
    if (clause == NULL)
        return;
    const char *sentence = "Reduce once, after the last microbatch.";
    if (clause->clause.time.moment != AST_MOMENT_UNSAID)
        one(m, sentence, replace(clause->clause.time.span, "at step"));
    one(m, sentence, behind(clause->span, " at step"));
    if (clause->clause.into.text == NULL && clause->clause.axes.count > 0)
        one(m, "Leave each rank its shard.", behind(wording_names(&clause->clause.axes), " into shards"));
    make_derive(m);
}

static void make_whole(Maker *m)
{
    const AstNode *statement, *clause = clause_at(m, &statement);
    if (clause != NULL && clause->clause.into.text != NULL)
        one(m, "Reduce without `into shards`.", replace(wording_back(m->wording, clause->clause.into.span, 1), ""));
}

static void make_axes(Maker *m)
{
    const AstNode *statement, *clause = clause_at(m, &statement);
    const AstNode *owner = clause != NULL ? wording_owner(m->wording, statement) : NULL;
    const char *axes = owner != NULL ? wording_axes(m->wording, owner, m->repair->axes) : NULL;
    if (axes != NULL && clause->clause.axes.count > 0)
        one(m, TEXT("Reduce over '%s' instead.", axes), replace(wording_names(&clause->clause.axes), axes));
    make_derive(m);
}

static void make_into_shards(Maker *m)
{
    const AstNode *statement, *clause = clause_at(m, &statement);
    const AstNode *owner = clause != NULL ? wording_owner(m->wording, statement) : NULL;
    const char *axes = owner != NULL ? wording_axes(m->wording, owner, m->repair->axes) : NULL;
    if (axes == NULL || clause->clause.axes.count == 0 || clause->clause.into.text != NULL)
        return;
    Candidate *candidate = start(m, "Leave each rank its shard.");
    add(candidate, replace(wording_names(&clause->clause.axes), TEXT("%s into shards", axes)));
    const char *rest = m->repair->rest[0] != '\0' ? wording_axes(m->wording, owner, m->repair->rest) : NULL;
    if (rest != NULL)
        add(candidate, behind(clause->span, TEXT(" then sum over %s at step", rest)));
}

/* ---- Counts, losses --------------------------------------------------------------------------------------------- */

/* Removes `sync count : none` and, with it, replaces every mean by `sum`. */
static void make_counts(Maker *m)
{
    static const char *const targets[] = {"gradients", "loss"};
    AstNodes counts = syncs_of(m, "count");
    if (counts.count == 0)
        return;
    for (int means = 0; means < 2; means++) {
        Candidate *candidate = start(m, means ? "Leave `sync count : none` out, and write `sum` instead of `mean`."
                                              : "Leave `sync count : none` out.");
        for (int i = 0; i < counts.count; i++)
            add(candidate, wording_without(m->wording, counts.data[i]->span));
        for (int k = 0; k < 2 && means; k++) {
            AstNodes syncs = syncs_of(m, targets[k]);
            for (int i = 0; i < syncs.count; i++)
                if (says(last_clause(syncs.data[i]), "mean"))
                    add(candidate, replace(last_clause(syncs.data[i])->clause.operation.span, "sum"));
        }
    }
}

static void make_mean_of_losses(Maker *m)
{
    const char *sentence = "Take the mean of the ranks' losses.";
    AstNodes syncs = syncs_of(m, "loss");
    for (int i = 0; i < syncs.count; i++)
        if (says(last_clause(syncs.data[i]), "sum"))
            one(m, sentence, replace(last_clause(syncs.data[i])->clause.operation.span, "mean"));
    add_statement(m, sentence, "mean", "loss");
}

/* ---- Placements ------------------------------------------------------------------------------------------------- */

/* Adds a line to each of the user's strategies. */
static void make_placement(Maker *m, const char *sentence, const char *before, const char *after)
{
    for (int i = 0; i < m->strategies.count; i++) {
        const char *axes = wording_axes(m->wording, m->strategies.data[i], m->repair->axes);
        if (axes != NULL)
            one(m, sentence,
                wording_with(m->wording, m->strategies.data[i], TEXT("%s over %s%s", before, axes, after)));
    }
}

static void make_shard_optimizer(Maker *m)
{
    make_placement(m, "Or shard the optimizer too.", "optimizer sharded", "");
}

static const AstNode *placement_at(const Maker *m)
{
    const AstNode *statement = wording_statement(m->wording, m->repair->span);
    return statement != NULL && statement->kind == AST_PLACEMENT ? statement : NULL;
}

/* Repeats a call that names one axis for another axis. */
static void call_too(Maker *m)
{
    const AstNode *call = wording_call(m->wording, m->repair->span);
    if (call == NULL || call->call.arguments.count != 1 || call->call.callee->kind != AST_NAME)
        return;
    const char *axis = arena_copy(m->wording->ctx->arena, m->repair->axes, strcspn(m->repair->axes, ","));
    one(m, TEXT("Shard it over '%s' too.", axis),
        behind(call->span, TEXT(" * %s(%s)", call->call.callee->name.text, axis)));
}

/* Over all of the axes or, if that is impossible, over one. */
static void make_cut_too(Maker *m)
{
    const AstNode *placement = placement_at(m);
    const AstNode *owner = placement != NULL ? wording_owner(m->wording, placement) : NULL;
    if (owner == NULL)
        call_too(m);
    if (owner == NULL || placement->placement.axes.count == 0)
        return;
    Span names = wording_names(&placement->placement.axes);
    for (const char *at = m->repair->axes; *at != '\0';) {
        bool several = at == m->repair->axes && strchr(at, ',') != NULL;
        const char *axis = arena_copy(m->wording->ctx->arena, at, strcspn(at, ","));
        const char *all = several ? wording_axes(m->wording, owner, m->repair->axes) : NULL;
        const char *alone = wording_axes(m->wording, owner, axis);
        if (all != NULL)
            one(m, TEXT("Shard it over '%s' too.", all), behind(names, TEXT(", %s", all)));
        if (alone != NULL)
            one(m, TEXT("Shard it over '%s' too.", alone), behind(names, TEXT(", %s", alone)));
        at += strcspn(at, ",");
        at += strspn(at, ", ");
    }
}

static void make_cut_batch(Maker *m)
{
    const char *sentence = "Cut the batch over it.";
    for (int i = 0; i < m->strategies.count; i++)
        for (int k = 0; k < m->strategies.data[i]->strategy.body.count; k++) {
            const AstNode *node = m->strategies.data[i]->strategy.body.data[k];
            const AstPlacement *placement = &node->placement;
            const char *axes = wording_axes(m->wording, m->strategies.data[i], m->repair->axes);
            if (node->kind == AST_PLACEMENT && placement->by.text != NULL && axes != NULL &&
                strcmp(placement->by.text, "batch") == 0 && placement->axes.count > 0)
                one(m, sentence, behind(wording_names(&placement->axes), TEXT(", %s", axes)));
        }
    make_placement(m, sentence, "activations sharded", " by batch");
    if (m->wording->strategy != NULL && strchr(m->repair->axes, ',') == NULL)
        one(m, sentence, behind(m->wording->strategy->span, TEXT(" * data_parallel(%s)", m->repair->axes)));
}

/* Writes out a strategy of the prelude under a new name, with an addition after its statement about parameters. */
static void write_out(Maker *m, const AstNode *call, const char *sentence, const char *addition)
{
    const AstNode *callee = call->call.callee, *train = m->wording->train;
    const AstNode *strategy = callee->kind == AST_NAME ? wording_prelude(m->wording, callee->name.text) : NULL;
    for (int i = 0; strategy != NULL && i < strategy->strategy.body.count; i++) {
        const AstNode *line = strategy->strategy.body.data[i];
        if (line->kind != AST_PLACEMENT || strcmp(line->placement.state.text, "parameters") != 0)
            continue;
        const char *name = TEXT("my_%s", callee->name.text);
        Span head = {strategy->span.source, strategy->span.start, strategy->strategy.name.span.start};
        Span first = {strategy->span.source, strategy->strategy.name.span.end, line->span.end};
        Span rest = {strategy->span.source, line->span.end, strategy->span.end};
        Candidate *candidate = start(m, sentence);
        add(candidate, replace((Span){train->span.source, train->span.start, train->span.start},
                               TEXT("%s%s%s%s%s\n\n", wording_text(m->wording, head), name,
                                    wording_text(m->wording, first), addition, wording_text(m->wording, rest))));
        add(candidate, replace(callee->span, name));
        return;
    }
}

static void make_keep(Maker *m)
{
    const AstNode *placement = placement_at(m), *call = wording_call(m->wording, m->repair->span);
    if (placement != NULL && placement->placement.kept.text == NULL)
        one(m, "Keep them for the step.", behind(placement->span, " kept until step"));
    else if (call != NULL)
        write_out(m, call, "Keep them for the step, in a strategy of your own.", " kept until step");
}

static void make_gathered(Maker *m)
{
    const AstNode *placement = placement_at(m);
    if (placement != NULL)
        one(m, "Gather it where it is used.", replace(placement->placement.mode.span, "gathered"));
}

static void make_mesh_order(Maker *m)
{
    const AstNode *mesh = m->wording->mesh;
    if (mesh == NULL || mesh->mesh.axes.count > CHANGE_MOST_EDITS)
        return;
    const AstNode *order[CHANGE_MOST_EDITS];
    int count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < mesh->mesh.axes.count; i++) {
            const AstNode *axis = mesh->mesh.axes.data[i];
            if (axis->kind != AST_AXIS || axis->axis.derived)
                return;
            const char *list = TEXT(", %s,", m->repair->axes), *name = TEXT(" %s,", axis->axis.name.text);
            if ((strstr(list, name) != NULL) == (pass == 0))
                order[count++] = axis;
        }
    Candidate *candidate = start(m, "Put it first in the mesh: cuts nest in its order.");
    for (int i = 0; i < count; i++)
        if (order[i] != mesh->mesh.axes.data[i])
            add(candidate, replace(mesh->mesh.axes.data[i]->span, wording_text(m->wording, order[i]->span)));
}

/* ---- Lines of the train ----------------------------------------------------------------------------------------- */

/* `read by data`: the names after `by`, up to the end of the line. */
static void make_read(Maker *m)
{
    const AstNode *line = wording_setting(m->wording, "data");
    for (int i = 0; line != NULL && i + 1 < line->setting.pieces.count; i++) {
        const AstNode *mark = line->setting.pieces.data[i];
        if (mark->kind != AST_MARK || strcmp(mark->mark.text, "by") != 0)
            continue;
        Span names = span_join(line->setting.pieces.data[i + 1]->span, line->span);
        const char *known = wording_text(m->wording, names);
        bool none = strcmp(known, "none") == 0;
        const char *axes = TEXT("%s%s%s", none ? "" : known, none ? "" : ", ", m->repair->axes);
        one(m, TEXT("Let '%s' choose what is read, too.", m->repair->axes), replace(names, axes));
        one(m, "Leave it out: the axes that cut the batch then choose what is read.",
            replace(wording_back(m->wording, (Span){names.source, mark->span.start, names.end}, 1), ""));
    }
}

static bool names_coordinate(const AstNode *node)
{
    if (node->kind == AST_CALL)
        return node->call.callee->kind == AST_NAME && strcmp(node->call.callee->name.text, "coordinate") == 0;
    return node->kind == AST_BINARY && (names_coordinate(node->binary.left) || names_coordinate(node->binary.right));
}

/* Every sum in the seed, without the side that uses a coordinate. */
static void make_seed_sum(Maker *m, const AstNode *node)
{
    if (node->kind != AST_BINARY)
        return;
    const AstBinary *sum = &node->binary;
    if (sum->operator== AST_ADD && names_coordinate(sum->right))
        one(m, "Let it be the same on all of them.",
            replace((Span){node->span.source, sum->left->span.end, sum->right->span.end}, ""));
    if (sum->operator== AST_ADD && names_coordinate(sum->left))
        one(m, "Let it be the same on all of them.",
            replace((Span){node->span.source, sum->left->span.start, sum->right->span.start}, ""));
    make_seed_sum(m, sum->left);
    make_seed_sum(m, sum->right);
}

static void make_seed(Maker *m)
{
    const AstNode *line = wording_setting(m->wording, "seed");
    for (int i = 0; line != NULL && i < line->setting.pieces.count; i++)
        make_seed_sum(m, line->setting.pieces.data[i]);
}

/* ---- Statements without effect ------------------------------------------------------------------------------- */

static bool same_span(Span a, Span b)
{
    return a.source == b.source && a.start == b.start && a.end == b.end;
}

/* Does the span stand for the statement: all of it, or the state or target it is about? */
static bool names_all_of(const AstNode *statement, Span span)
{
    if (same_span(statement->span, span))
        return true;
    return (statement->kind == AST_SYNC && same_span(statement->sync.target.span, span)) ||
           (statement->kind == AST_PLACEMENT && same_span(statement->placement.state.span, span));
}

static void make_leave_out(Maker *m)
{
    const char *sentence = "Leave it out.";
    Span span = m->repair->span;
    const Source *source = source_of(m->wording->ctx->sources, span);
    const AstNode *statement, *clause = clause_at(m, &statement);
    if (statement != NULL && names_all_of(statement, span))
        one(m, sentence, wording_without(m->wording, statement->span));
    else if (clause != NULL && same_span(clause->span, span))
        one(m, sentence, without_clause(m, statement, clause));
    if (statement == NULL)
        one(m, sentence, wording_without(m->wording, span));
    Span with_blanks = wording_back(m->wording, span, 0);
    if (with_blanks.start > 0 && source->text[with_blanks.start - 1] == ',') {
        with_blanks.start--;
        one(m, sentence, replace(with_blanks, ""));
    }
    int32_t end = span.end;
    while (end < source->length && (source->text[end] == ',' || source->text[end] == ' '))
        end++;
    one(m, sentence, replace((Span){span.source, span.start, end}, ""));
    for (int words = 0; words < 3; words++)
        one(m, sentence, replace(wording_back(m->wording, span, words), ""));
}

static void make_no_rest(Maker *m)
{
    const AstNode *statement, *clause = clause_at(m, &statement);
    if (clause != NULL && span_known(clause->clause.derive_rest))
        one(m, "Leave `derive the rest` out.", replace(wording_back(m->wording, clause->clause.derive_rest, 0), ""));
}

static void make_no_wait(Maker *m)
{
    const AstNode *statement, *clause = clause_at(m, &statement);
    if (clause != NULL && clause->clause.wait.moment != AST_MOMENT_UNSAID)
        one(m, "Leave `wait` out.", replace(wording_back(m->wording, clause->clause.wait.span, 0), ""));
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

static void make_into_pieces(Maker *m)
{
    const AstNode *statement, *clause = clause_at(m, &statement);
    const AstNode *owner = clause != NULL ? wording_owner(m->wording, statement) : NULL;
    const char *axes = owner != NULL ? wording_axes(m->wording, owner, m->repair->axes) : NULL;
    if (axes == NULL)
        return;
    const char *sentence = "Reduce each microbatch into the pieces.", *others = other_axes(m, clause, axes);
    const char *pieces = TEXT("sum over %s into shards each microbatch", axes);
    if (others[0] != '\0')
        one(m, sentence, replace(clause->span, TEXT("%s then sum over %s at step", pieces, others)));
    one(m, sentence, replace(clause->span, pieces));
}

/* Removes the statement that cuts gradients, or calls the strategy of the prelude that lacks it. */
static void make_whole_gradients(Maker *m)
{
    const AstNode *placement = placement_at(m), *call = wording_call(m->wording, m->repair->span);
    if (placement != NULL)
        one(m, "Leave the cut of the gradients out.", wording_without(m->wording, placement->span));
    else if (call != NULL && call->call.callee->kind == AST_NAME && strcmp(call->call.callee->name.text, "zero2") == 0)
        one(m, "Leave the cut of the gradients out: `zero1` is `zero2` without it.",
            replace(call->call.callee->span, "zero1"));
}

static void make_batch(Maker *m)
{
    const AstNode *line = wording_setting(m->wording, "batch"), *found[2];
    const char *count = TEXT("%lld", (long long)m->repair->numerator);
    if (line != NULL && (ast_match(line, "#", found) || ast_match(line, "# in # microbatches", found)))
        one(m, TEXT("Take a batch of %s.", count), replace(found[0]->span, count));
}

static void make_microbatches(Maker *m)
{
    const AstNode *line = wording_setting(m->wording, "batch"), *found[2];
    long long count = m->repair->numerator;
    if (line != NULL && ast_match(line, "# in # microbatches", found))
        one(m, TEXT("Take %lld microbatch%s.", count, count == 1 ? "" : "es"),
            replace(found[1]->span, TEXT("%lld", count)));
}

/* Adds a line that the train lacks, with one of its mesh's axes in place of `data`. */
static void make_line(Maker *m)
{
    const char *line = m->repair->target, *data = strstr(line, "(data)");
    if (m->wording->train == NULL)
        return;
    one(m, TEXT("Say `%s`.", line), wording_with(m->wording, m->wording->train, line));
    const AstNode *mesh = m->wording->mesh;
    for (int i = 0; mesh != NULL && data != NULL && i < mesh->mesh.axes.count; i++) {
        if (mesh->mesh.axes.data[i]->kind != AST_AXIS)
            continue;
        line = TEXT("%.*s(%s)", (int)(data - m->repair->target), m->repair->target,
                    mesh->mesh.axes.data[i]->axis.name.text);
        one(m, TEXT("Say `%s`.", line), wording_with(m->wording, m->wording->train, line));
    }
}

/* ---- All of them ------------------------------------------------------------------------------------------------ */

static void make(Maker *m)
{
    switch (m->repair->kind) {
    case REPAIR_SUM:
        make_sum(m);
        return;
    case REPAIR_GATHER:
        make_gather(m);
        return;
    case REPAIR_DROP:
        make_drop(m);
        return;
    case REPAIR_WEIGH:
        make_weigh(m);
        return;
    case REPAIR_LATER:
        make_later(m);
        return;
    case REPAIR_WHOLE:
        make_whole(m);
        return;
    case REPAIR_SHARD_OPTIMIZER:
        make_shard_optimizer(m);
        return;
    case REPAIR_AXES:
        make_axes(m);
        return;
    case REPAIR_DERIVE:
        make_derive(m);
        return;
    case REPAIR_COUNTS:
        make_counts(m);
        return;
    case REPAIR_MEAN_OF_LOSSES:
        make_mean_of_losses(m);
        return;
    case REPAIR_READ:
        make_read(m);
        return;
    case REPAIR_SEED:
        make_seed(m);
        return;
    case REPAIR_LEAVE_OUT:
        make_leave_out(m);
        return;
    case REPAIR_NO_REST:
        make_no_rest(m);
        return;
    case REPAIR_NO_WAIT:
        make_no_wait(m);
        return;
    case REPAIR_INTO_PIECES:
        make_into_pieces(m);
        return;
    case REPAIR_WHOLE_GRADIENTS:
        make_whole_gradients(m);
        return;
    case REPAIR_BATCH:
        make_batch(m);
        return;
    case REPAIR_MICROBATCHES:
        make_microbatches(m);
        return;
    case REPAIR_ADD_LINE:
        make_line(m);
        return;
    case REPAIR_GATHERED:
        make_gathered(m);
        return;
    case REPAIR_CUT_TOO:
        make_cut_too(m);
        return;
    case REPAIR_CUT_BATCH:
        make_cut_batch(m);
        return;
    case REPAIR_KEEP:
        make_keep(m);
        return;
    case REPAIR_INTO_SHARDS:
        make_into_shards(m);
        return;
    case REPAIR_MESH_ORDER:
        make_mesh_order(m);
        return;
    }
    BUG("repair %d", (int)m->repair->kind);
}

void repair_candidates(const Wording *wording, const Repair *repair, Candidates *candidates)
{
    Maker maker = {wording, repair, candidates, wording_strategies(wording)};
    make(&maker);
}
