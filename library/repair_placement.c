/* repair_placement.c - changes of placements, of the mesh, and of whatever has no effect (library/repair.h). */
#include "library/repair_internal.h"

#include <string.h>

/* ---- Placements ------------------------------------------------------------------------------------------------- */

/* Adds a line to each of the user's strategies. */
static void make_placement(Maker *m, const char *sentence, const char *before, const char *after)
{
    for (int i = 0; i < m->strategies.count; i++) {
        const char *axes = wording_axes(m->wording, m->strategies.data[i], m->repair->axes);
        if (axes != NULL)
            repair_one(m, sentence,
                       wording_with(m->wording, m->strategies.data[i], TEXT("%s over %s%s", before, axes, after)));
    }
}

void repair_shard_optimizer(Maker *m)
{
    make_placement(m, "Or shard the optimizer too.", "optimizer sharded", "");
}

/* Repeats a call that names one axis for another axis. */
static void call_too(Maker *m)
{
    const AstNode *call = wording_call(m->wording, m->repair->span);
    if (call == NULL || call->call.arguments.count != 1 || call->call.callee->kind != AST_NAME)
        return;
    const char *axis = arena_copy(m->wording->ctx->arena, m->repair->axes, strcspn(m->repair->axes, ","));
    repair_one(m, TEXT("Shard it over '%s' too.", axis),
               repair_after(call->span, TEXT(" * %s(%s)", call->call.callee->name.text, axis)));
}

/* Over all of the axes or, if that is impossible, over one. */
void repair_cut_too(Maker *m)
{
    const AstNode *placement = repair_placement_at(m);
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
            repair_one(m, TEXT("Shard it over '%s' too.", all), repair_after(names, TEXT(", %s", all)));
        if (alone != NULL)
            repair_one(m, TEXT("Shard it over '%s' too.", alone), repair_after(names, TEXT(", %s", alone)));
        at += strcspn(at, ",");
        at += strspn(at, ", ");
    }
}

void repair_cut_batch(Maker *m)
{
    const char *sentence = "Cut the batch over it.";
    for (int i = 0; i < m->strategies.count; i++)
        for (int k = 0; k < m->strategies.data[i]->strategy.body.count; k++) {
            const AstNode *node = m->strategies.data[i]->strategy.body.data[k];
            const AstPlacement *placement = &node->placement;
            const char *axes = wording_axes(m->wording, m->strategies.data[i], m->repair->axes);
            if (node->kind == AST_PLACEMENT && placement->by.text != NULL && axes != NULL &&
                strcmp(placement->by.text, "batch") == 0 && placement->axes.count > 0)
                repair_one(m, sentence, repair_after(wording_names(&placement->axes), TEXT(", %s", axes)));
        }
    make_placement(m, sentence, "activations sharded", " by batch");
    if (m->wording->strategy != NULL && strchr(m->repair->axes, ',') == NULL)
        repair_one(m, sentence,
                   repair_after(m->wording->strategy->span, TEXT(" * data_parallel(%s)", m->repair->axes)));
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
        Candidate *candidate = repair_start(m, sentence);
        repair_add(candidate,
                   repair_replace((Span){train->span.source, train->span.start, train->span.start},
                                  TEXT("%s%s%s%s%s\n\n", wording_text(m->wording, head), name,
                                       wording_text(m->wording, first), addition, wording_text(m->wording, rest))));
        repair_add(candidate, repair_replace(callee->span, name));
        return;
    }
}

void repair_keep(Maker *m)
{
    const AstNode *placement = repair_placement_at(m), *call = wording_call(m->wording, m->repair->span);
    if (placement != NULL && placement->placement.kept.text == NULL)
        repair_one(m, "Keep them for the step.", repair_after(placement->span, " kept until step"));
    else if (call != NULL)
        write_out(m, call, "Keep them for the step, in a strategy of your own.", " kept until step");
}

void repair_gathered(Maker *m)
{
    const AstNode *placement = repair_placement_at(m);
    if (placement != NULL)
        repair_one(m, "Gather it where it is used.", repair_replace(placement->placement.mode.span, "gathered"));
}

void repair_mesh_order(Maker *m)
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
    Candidate *candidate = repair_start(m, "Put it first in the mesh: cuts nest in its order.");
    for (int i = 0; i < count; i++)
        if (order[i] != mesh->mesh.axes.data[i])
            repair_add(candidate,
                       repair_replace(mesh->mesh.axes.data[i]->span, wording_text(m->wording, order[i]->span)));
}

/* Removes the statement that cuts gradients, or calls the strategy of the prelude that lacks it. */
void repair_whole_gradients(Maker *m)
{
    const AstNode *placement = repair_placement_at(m), *call = wording_call(m->wording, m->repair->span);
    if (placement != NULL)
        repair_one(m, "Leave the cut of the gradients out.", wording_without(m->wording, placement->span));
    else if (call != NULL && call->call.callee->kind == AST_NAME && strcmp(call->call.callee->name.text, "zero2") == 0)
        repair_one(m, "Leave the cut of the gradients out: `zero1` is `zero2` without it.",
                   repair_replace(call->call.callee->span, "zero1"));
}

/* ---- Statements without effect ------------------------------------------------------------------------------- */

/* Does the span stand for the statement: all of it, or the state or target it is about? */
static bool names_all_of(const AstNode *statement, Span span)
{
    if (span_equal(statement->span, span))
        return true;
    return (statement->kind == AST_SYNC && span_equal(statement->sync.target.span, span)) ||
           (statement->kind == AST_PLACEMENT && span_equal(statement->placement.state.span, span));
}

void repair_leave_out(Maker *m)
{
    const char *sentence = "Leave it out.";
    Span span = m->repair->span;
    const Source *source = source_of(m->wording->ctx->sources, span);
    const AstNode *statement, *clause = repair_clause_at(m, &statement);
    if (statement != NULL && names_all_of(statement, span))
        repair_one(m, sentence, wording_without(m->wording, statement->span));
    else if (clause != NULL && span_equal(clause->span, span))
        repair_one(m, sentence, repair_without_clause(m, statement, clause));
    if (statement == NULL)
        repair_one(m, sentence, wording_without(m->wording, span));
    Span with_blanks = wording_back(m->wording, span, 0);
    if (with_blanks.start > 0 && source->text[with_blanks.start - 1] == ',') {
        with_blanks.start--;
        repair_one(m, sentence, repair_replace(with_blanks, ""));
    }
    int32_t end = span.end;
    while (end < source->length && (source->text[end] == ',' || source->text[end] == ' '))
        end++;
    repair_one(m, sentence, repair_replace((Span){span.source, span.start, end}, ""));
    for (int words = 0; words < 3; words++)
        repair_one(m, sentence, repair_replace(wording_back(m->wording, span, words), ""));
}
