/* strategy.c - evaluates the strategy of a train: calls composed by `*`, the statements of each, and the train's
 * settings of the reader and the seed (see strategy.h for the rules). */
#include "strategy/internal.h"

#include "base/change.h"
#include "parser/parser.h"

#include <string.h>
/* ---- Reports ------------------------------------------------------------------------------------------------ */

Span strategy_user_span(const Factor *factor, Span span)
{
    return factor != NULL && factor->in_prelude && span.source == factor->declaration->span.source ? factor->call_span
                                                                                                   : span;
}

Diagnostic *strategy_report(const Evaluation *e, const Factor *factor, DiagCode code, Span span, const char *format,
                            ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(e->ctx->arena, format, args);
    va_end(args);
    Span shown = strategy_user_span(factor, span);
    Diag *diag = e->unused && code == P0290 ? e->unheard : e->ctx->diag;
    Diagnostic *d = diag_report(diag, code, shown, "%s", text);
    if (shown.source != span.source)
        diag_label(d, span, "because of this line of the prelude");
    return d;
}

void strategy_suggest(Diagnostic *d, const char *name, const NameVec *known)
{
    diag_help_unknown_word(d, name, known->data, known->count);
}

/* Modes that are never used are checked too. */
static void check_modes(const Evaluation *e)
{
    Mode mode;
    for (int i = 0; i < e->ast->items.count; i++)
        if (e->ast->items.data[i]->kind == AST_MODE)
            mode_read(e->ctx, e->ast->items.data[i], &mode);
}

/* ---- Settings of the train ---------------------------------------------------------------------------------- */

const AstNode *strategy_setting(const Evaluation *e, const char *key)
{
    const AstList *body = &e->train_node->train.body;
    for (int i = 0; i < body->count; i++) {
        const AstNode *setting = body->data[i];
        if (setting->kind == AST_SETTING && setting->setting.key.text != NULL &&
            strcmp(setting->setting.key.text, key) == 0)
            return setting;
    }
    return NULL;
}

static void read_strategy(Evaluation *e)
{
    const AstNode *setting = strategy_setting(e, "strategy");
    if (setting != NULL && setting->setting.pieces.count == 1)
        strategy_add_factors(e, NULL, setting->setting.pieces.data[0]);
    else if (setting != NULL)
        strategy_report(e, NULL, P0206, setting->span, "expected one expression: strategies, joined by '*'");
}

/* The position of "read by" among the pieces; -1 if absent. */
static int find_read_by(const AstList *pieces)
{
    for (int i = 0; i + 1 < pieces->count; i++) {
        const AstNode *word = pieces->data[i], *mark = pieces->data[i + 1];
        if (word->kind == AST_NAME && strcmp(word->name.text, "read") == 0 && mark->kind == AST_MARK &&
            strcmp(mark->mark.text, "by") == 0)
            return i;
    }
    return -1;
}

/* Ranks may read different parts only if the batch is sharded over their axis; the converse is left to the proof. */
static void check_reader(Evaluation *e)
{
    const AxisSet *readers = &e->assignment->reader_axes;
    for (int i = 0; i < readers->count; i++) {
        bool cuts =
            e->decls->axes.data[readers->axis[i]].size == 1 || strategy_cuts_batch(e->assignment, readers->axis[i]);
        if (cuts)
            continue;
        const char *name = e->decls->axes.data[readers->axis[i]].name;
        Diagnostic *d = strategy_report(e, NULL, P0209, e->assignment->reader_span,
                                        "the batch is read by '%s', which does not cut it", name);
        diag_why(d, "Ranks along '%s' compute with the same part of the batch, so they must read the same.", name);
        diag_repair(d, (Repair){.kind = REPAIR_CUT_BATCH, .axes = name});
        return;
    }
}

/* `read by data, node` or `read by none`, at the end of the data setting. `good`: the axes that shard the batch are
 * known. */
static void read_reader(Evaluation *e, bool good)
{
    const AstNode *setting = strategy_setting(e, "data");
    int at = setting != NULL ? find_read_by(&setting->setting.pieces) : -1;
    e->assignment->reader_axes = (AxisSet){0};
    for (int axis = 0; axis < e->decls->axes.count; axis++)
        if (strategy_cuts_batch(e->assignment, axis))
            e->assignment->reader_axes.axis[e->assignment->reader_axes.count++] = (int8_t)axis;
    e->assignment->reader_span = e->assignment->batch_span;
    if (at < 0)
        return;
    const AstList *pieces = &setting->setting.pieces;
    AstNames names = {0};
    e->assignment->reader_span = span_join(pieces->data[at]->span, pieces->data[pieces->count - 1]->span);
    for (int i = at + 2; i < pieces->count; i++) {
        const AstNode *piece = pieces->data[i];
        if (piece->kind == AST_NAME) {
            vec_push(e->ctx->arena, &names, piece->name);
        } else if (piece->kind != AST_MARK || strcmp(piece->mark.text, ",") != 0) {
            if (piece->kind != AST_ERROR)
                strategy_report(e, NULL, P0206, piece->span, "expected the axes that read, or 'none'");
            return;
        }
    }
    if (names.count == 0)
        strategy_report(e, NULL, P0208, e->assignment->reader_span,
                        "expected the axes that read, or 'none', after 'read by'");
    else if (names.count == 1 && strcmp(names.data[0].text, "none") == 0)
        e->assignment->reader_axes = (AxisSet){0};
    else if (strategy_axes(e, NULL, &names, &e->assignment->reader_axes) && good)
        check_reader(e);
}

static void read_seed(Evaluation *e)
{
    const AstNode *setting = strategy_setting(e, "seed");
    e->assignment->seed.base = e->train->seed;
    if (setting == NULL)
        return;
    e->assignment->seed_span = setting->span;
    if (setting->setting.pieces.count != 1)
        strategy_report(e, NULL, P0206, setting->span, "expected one expression, as in 'seed 1'");
    else
        strategy_seed(e, setting->setting.pieces.data[0], &e->assignment->seed);
}

/* ---- All ---------------------------------------------------------------------------------------------------- */

static void find_batch_axes(Evaluation *e)
{
    for (int axis = 0; axis < e->decls->axes.count; axis++) {
        const Request *request = strategy_winner(e, SUBJECT_ACTIVATIONS, axis, -1, 0);
        if (request == NULL || !request->rest || strcmp(request->dim, "batch") != 0)
            continue;
        bool copies = e->decls->axes.data[axis].copies;
        AxisSet *axes = copies ? &e->assignment->copy_axes : &e->assignment->batch_axes;
        if (e->assignment->batch_axes.count == 0)
            e->assignment->batch_span = request->span;
        axes->axis[axes->count++] = (int8_t)axis;
    }
}

static void list_declared_states(Evaluation *e)
{
    for (int i = 0; i < e->ast->items.count; i++)
        if (e->ast->items.data[i]->kind == AST_STATE)
            vec_push(e->ctx->arena, &e->assignment->declared_states, e->ast->items.data[i]->state.name.text);
}

static const AstNode *find_train(const Ast *ast)
{
    for (int i = 0; i < ast->items.count; i++)
        if (ast->items.data[i]->kind == AST_TRAIN)
            return ast->items.data[i];
    BUG("a strategy without a train");
}

/* What the strategies ask for, from which everything else follows. */
static void read_strategies(Evaluation *e)
{
    check_modes(e);
    list_declared_states(e);
    read_strategy(e);
    int errors = diag_error_count(e->ctx->diag);
    strategy_check_conflicts(e);
    e->contested = diag_error_count(e->ctx->diag) > errors;
    strategy_check_declarations(e);
}

bool strategy_evaluate(Ctx *ctx, const Ast *ast, const Train *train, StrategyKnown known, Assignment *assignment)
{
    int errors = diag_error_count(ctx->diag);
    Evaluation e = {.ctx = ctx,
                    .ast = ast,
                    .prelude = parser_run_prelude(ctx),
                    .train_node = find_train(ast),
                    .train = train,
                    .decls = &train->decls,
                    .assignment = assignment,
                    .known = known,
                    .selects = known.model};
    e.assignment->train_span = e.train_node->span;
    read_strategies(&e);
    bool good = diag_error_count(ctx->diag) == errors;
    if (good)
        find_batch_axes(&e);
    read_reader(&e, good && known.axes);
    read_seed(&e);
    if (known.axes && known.model)
        strategy_make_units(&e);
    if (diag_error_count(ctx->diag) > errors || !known.axes || !known.settings || !known.model)
        return false;
    strategy_report_costs(&e);
    return true;
}
