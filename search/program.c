/* program.c - finds the places in the program where a strategy is chosen, and costs the program with another one
 * (search/program.h). */
#include "search/program.h"

#include "base/diag_list.h"
#include "derive/derive.h"
#include "fmt/fmt.h"
#include "lower/passes.h"
#include "parser/parser.h"
#include "parser/resolve.h"
#include "sema/sema.h"

#include <stdlib.h>
#include <string.h>

/* More than a step could have, and few enough to be multiplied. */
enum { MOST_EXAMPLES = 1 << 30 };

/* ---- Finding ------------------------------------------------------------------------------------------------ */

static const AstNode *find_train(const Ast *ast)
{
    for (int i = 0; i < ast->items.count; i++)
        if (ast->items.data[i]->kind == AST_TRAIN)
            return ast->items.data[i];
    return NULL;
}

static const AstNode *find_line(const AstNode *train, const char *key)
{
    for (int i = 0; i < train->train.body.count; i++) {
        const AstNode *line = train->train.body.data[i];
        if (line->kind == AST_SETTING && strcmp(line->setting.key.text, key) == 0)
            return line;
    }
    return NULL;
}

static const AstNode *find_search(const AstNode *train)
{
    for (int i = 0; i < train->train.body.count; i++)
        if (train->train.body.data[i]->kind == AST_SEARCH)
            return train->train.body.data[i];
    return NULL;
}

const AstNode *pattern_search(const Ast *ast)
{
    const AstNode *train = find_train(ast);
    return train != NULL ? find_search(train) : NULL;
}

static const AstNode *find_mesh(const Ast *ast, const char *name)
{
    for (int i = 0; i < ast->items.count; i++)
        if (ast->items.data[i]->kind == AST_MESH && strcmp(ast->items.data[i]->mesh.name.text, name) == 0)
            return ast->items.data[i];
    return NULL;
}

static bool is_declared(const Ast *ast, const char *name)
{
    bool found = false;
    for (int i = 0; i < ast->items.count; i++) {
        const AstNode *item = ast->items.data[i];
        found = found || (item->kind == AST_CLUSTER && strcmp(item->cluster.name.text, name) == 0) ||
                (item->kind == AST_MESH && strcmp(item->mesh.name.text, name) == 0) ||
                (item->kind == AST_STRATEGY && strcmp(item->strategy.name.text, name) == 0);
    }
    return found;
}

const char *pattern_fresh_name(Arena *arena, const Ast *ast, const char *wanted)
{
    const char *name = wanted;
    for (int i = 2; is_declared(ast, name); i++)
        name = arena_printf(arena, "%s%d", wanted, i);
    return name;
}

static bool refuse(Ctx *ctx, Span span, const char *message, const char *help)
{
    Diagnostic *d = diag_report(ctx->diag, P0208, span, "%s", message);
    diag_help(d, "%s", help);
    return false;
}

/* Of "16 nodes of 8 h100" or "4 devices of cpu" the beginning, up to the device. */
static void find_devices(Pattern *pattern, const Ast *ast)
{
    for (int i = 0; i < ast->items.count; i++) {
        const AstCluster *cluster = &ast->items.data[i]->cluster;
        if (ast->items.data[i]->kind != AST_CLUSTER || strcmp(cluster->name.text, pattern->cluster) != 0 ||
            cluster->body.count == 0 || cluster->body.data[0]->kind != AST_SETTING)
            continue;
        const AstList *pieces = &cluster->body.data[0]->setting.pieces;
        bool nodes = pieces->count > 3 && pieces->data[3]->kind == AST_NUMBER;
        if (pieces->count < 3 || pieces->data[0]->kind != AST_NUMBER)
            continue;
        const AstNode *last = pieces->data[nodes ? 3 : 2];
        pattern->nodes = nodes ? (int64_t)pieces->data[0]->number.value : 0;
        pattern->node_devices = (int64_t)pieces->data[nodes ? 3 : 0]->number.value;
        pattern->devices_span = (Span){last->span.source, pieces->data[0]->span.start, last->span.end};
    }
}

/* The cluster of `search over`, which the train is on, or is on a mesh of. */
static bool find_searched(Pattern *pattern, const Ast *ast, const AstNode *train)
{
    const AstSearch *search = &pattern->search->search;
    const AstNode *mesh = find_mesh(ast, train->train.mesh.text);
    const char *on = mesh != NULL ? mesh->mesh.cluster.text : train->train.mesh.text;
    pattern->cluster = search->over.data[0].text;
    if (search->over.count > 1) {
        Diagnostic *d =
            diag_report(pattern->ctx->diag, P0206, search->over.data[1].span, "a search is over one cluster");
        diag_help(d,
                  "Declare one that has the devices of both, as `cluster both { 2 nodes of 8 a100 }`, or search each "
                  "in a train of its own.");
        return false;
    }
    if (strcmp(on, pattern->cluster) == 0)
        return true;
    Diagnostic *d = diag_report(pattern->ctx->diag, P0206, search->over.data[0].span,
                                "the search is over '%s', but the train is on '%s'", pattern->cluster, on);
    diag_help(d, "Name one cluster in both: `train %s on %s { search over %s { } ... }`.", train->train.model.text, on,
              on);
    return false;
}

/* The cluster that the train's mesh divides. */
static bool find_cluster(Pattern *pattern, const Ast *ast, const AstNode *train)
{
    const AstNode *mesh = find_mesh(ast, train->train.mesh.text);
    if (mesh != NULL) {
        pattern->mesh = mesh->mesh.name.text;
        pattern->mesh_span = mesh->span;
    } else {
        pattern->fresh = true;
        pattern->mesh = pattern_fresh_name(pattern->ctx->arena, ast, "grid");
        pattern->mesh_span = (Span){train->span.source, train->span.start, train->span.start};
    }
    if (pattern->search != NULL)
        return find_searched(pattern, ast, train);
    if (mesh != NULL) {
        pattern->cluster = mesh->mesh.cluster.text;
        return true;
    }
    const Train *read;
    const Assignment *assignment;
    if (!sema_run(pattern->ctx, ast, &read, &assignment)) /* the mesh is imported */
        return false;
    pattern->cluster = read->cluster.name;
    return true;
}

bool pattern_find(Ctx *ctx, int source, Pattern *pattern)
{
    *pattern = (Pattern){.ctx = ctx, .source = source};
    const Ast *ast = parser_run(ctx, source);
    if (diag_error_count(ctx->diag) > 0)
        return false;
    const AstNode *train = find_train(ast);
    if (train == NULL)
        return refuse(ctx, (Span){source, 0, 0}, "there is no 'train' whose strategy could be searched for",
                      "Its form is: train MODEL on CLUSTER { search over CLUSTER { } ... }");
    const AstNode *strategy = find_line(train, "strategy"), *batch = find_line(train, "batch");
    pattern->search = find_search(train);
    if (batch == NULL || batch->setting.pieces.count == 0)
        return refuse(ctx, train->train.model.span, "the train does not set its batch", "Its form is: batch 32");
    if ((strategy == NULL) == (pattern->search == NULL))
        return refuse(ctx, train->train.model.span,
                      strategy == NULL ? "the train has neither a strategy nor a search"
                                       : "the train has a strategy and a search",
                      "One of them says how it is trained: `strategy zero1(data)`, or `search over CLUSTER { }`.");
    pattern->train = train;
    pattern->saving = pattern_fresh_name(ctx->arena, ast, "saving");
    pattern->placed = pattern_fresh_name(ctx->arena, ast, "placed");
    pattern->pinned = pattern_fresh_name(ctx->arena, ast, "pinned");
    pattern->on_span = train->train.mesh.span;
    pattern->strategy_span = strategy != NULL ? strategy->span : pattern->search->span;
    pattern->batch_span = batch->span;
    if (!resolve_integer(ctx, NULL, batch->setting.pieces.data[0], "the batch", 1, MOST_EXAMPLES, &pattern->batch) ||
        !find_cluster(pattern, ast, train))
        return false;
    find_devices(pattern, ast);
    return true;
}

/* ---- Texts -------------------------------------------------------------------------------------------------- */

static void add_edit(Change *change, Span span, const char *text)
{
    int at = change->count++;
    for (; at > 0 && change->edit[at - 1].span.start > span.start; at--)
        change->edit[at] = change->edit[at - 1];
    change->edit[at] = (Edit){span, text};
}

/* Before the train; where a mesh is declared there, too, after it. */
static void add_before_train(Arena *arena, const Pattern *pattern, Change *change, const char *text)
{
    Span train = pattern->train->span;
    for (int i = 0; i < change->count; i++)
        if (change->edit[i].span.source == train.source && change->edit[i].span.start == train.start) {
            change->edit[i].text = arena_printf(arena, "%s%s\n", change->edit[i].text, text);
            return;
        }
    add_edit(change, (Span){train.source, train.start, train.start}, arena_printf(arena, "%s\n", text));
}

/* In the place of the line with the same keyword; without one, after the strategy. */
static void add_line(Arena *arena, const Pattern *pattern, Change *change, const char *text)
{
    size_t length = strcspn(text, " \t");
    const AstNode *line = find_line(pattern->train, arena_copy(arena, text, length));
    Span after = {pattern->strategy_span.source, pattern->strategy_span.end, pattern->strategy_span.end};
    if (line != NULL)
        add_edit(change, line->span, text);
    else
        add_edit(change, after, arena_printf(arena, "; %s", text));
}

Change pattern_change(Arena *arena, const Pattern *pattern, const Version *version)
{
    Change change = {0};
    if (version->mesh != NULL) {
        const char *mesh = arena_printf(arena, "mesh %s on %s { %s }%s", pattern->mesh, pattern->cluster, version->mesh,
                                        pattern->fresh ? "\n" : "");
        add_edit(&change, pattern->mesh_span, mesh);
        add_edit(&change, pattern->on_span, pattern->mesh);
    }
    if (pattern->devices != NULL)
        add_edit(&change, pattern->devices_span, pattern->devices);
    if (version->strategy != NULL)
        add_edit(&change, pattern->strategy_span, arena_printf(arena, "strategy %s", version->strategy));
    if (version->micro > 0)
        add_edit(&change, pattern->batch_span,
                 version->micro > 1 ? arena_printf(arena, "batch %lld in %lld microbatches", (long long)version->batch,
                                                   (long long)version->micro)
                                    : arena_printf(arena, "batch %lld", (long long)version->batch));
    if (version->declared != NULL)
        add_before_train(arena, pattern, &change, version->declared);
    if (version->line != NULL)
        add_line(arena, pattern, &change, version->line);
    return change;
}

static Ctx open_ctx(const Pattern *pattern, const Version *version, int *source)
{
    Ctx ctx = {.arena = arena_new()};
    Change change = pattern_change(ctx.arena, pattern, version);
    ctx.strings = str_table_new(ctx.arena);
    *source = pattern->source;
    ctx.sources = change_sources(ctx.arena, pattern->ctx->sources, &change, source);
    ctx.diag = diag_new(ctx.arena, ctx.sources);
    return ctx;
}

const char *pattern_text(const Pattern *pattern, const Version *version)
{
    int source;
    size_t length;
    Ctx ctx = open_ctx(pattern, version, &source);
    const char *text = fmt_text(&ctx, source, &length);
    if (text == NULL)
        BUG("a found program does not parse");
    text = arena_copy(pattern->ctx->arena, text, length);
    arena_free(ctx.arena);
    return text;
}

/* ---- Costs -------------------------------------------------------------------------------------------------- */

static bool derive(Costed *costed)
{
    Ctx *ctx = &costed->ctx;
    StepFile *file = derive_step(ctx, costed->train, costed->assignment);
    if (file == NULL || !passes_run(ctx, costed->assignment, file, PASSES_ALL))
        return false;
    costed->file = file;
    return diag_error_count(ctx->diag) == 0;
}

/* What caches hold depends on the whole program: a part of it would not be a bound of the whole. */
static const Train *without_caches(Arena *arena, const Train *train)
{
    Train *copy = arena_make(arena, Train);
    *copy = *train;
    copy->cluster.device.cache_count = 0;
    return copy;
}

void pattern_read(const Pattern *pattern, const Version *version, Costed *costed)
{
    *costed = (Costed){0};
    costed->ctx = open_ctx(pattern, version, &costed->source);
    const Ast *ast = parser_run(&costed->ctx, costed->source);
    if (!sema_run(&costed->ctx, ast, &costed->train, &costed->assignment))
        costed->error = diag_first_error(costed->ctx.diag);
}

/* ---- What programs have in common ---------------------------------------------------------------------------- */

typedef struct Reading {
    Ctx ctx;
    int source;
    int64_t batch, micro;
    const Ast *all;
    const Train *train;
} Reading;

static void reading_free(Reading *reading)
{
    if (reading != NULL)
        arena_free(reading->ctx.arena);
}

void readings_free(Readings *readings)
{
    for (int i = 0; readings != NULL && i < MOST_READINGS; i++)
        reading_free(readings->reading[i]);
}

/* NULL: it is no program, or its contracts name axes of the mesh. */
static Reading *reading_new(const Pattern *pattern, const Version *version)
{
    int source;
    Ctx ctx = open_ctx(pattern, version, &source);
    Reading *reading = arena_make(ctx.arena, Reading);
    const Assignment *assignment;
    *reading = (Reading){.ctx = ctx, .source = source, .batch = version->batch, .micro = version->micro};
    const Ast *ast = parser_run(&reading->ctx, source);
    bool good = sema_run_all(&reading->ctx, ast, &reading->all, &reading->train, &assignment);
    if (good && reading->train->contracts.count == 0) {
        reading->ctx.prelude = parser_run_prelude(&reading->ctx);
        return reading;
    }
    reading_free(reading);
    return NULL;
}

static const Reading *find_reading(const Pattern *pattern, const Version *version)
{
    Readings *readings = pattern->readings;
    for (int i = 0; i < MOST_READINGS; i++) {
        const Reading *reading = readings->reading[i];
        if (reading != NULL && reading->batch == version->batch && reading->micro == version->micro)
            return reading;
    }
    Reading *fresh = reading_new(pattern, version);
    if (fresh == NULL)
        return NULL;
    int place = readings->count++ % MOST_READINGS;
    reading_free(readings->reading[place]);
    readings->reading[place] = fresh;
    return fresh;
}

/* The train with the strategy of another. */
static AstNode *with_strategy(Arena *arena, const AstNode *train, const AstNode *other)
{
    AstNode *copy = arena_make(arena, AstNode);
    *copy = *train;
    copy->train.body = (AstList){0};
    for (int i = 0; i < train->train.body.count; i++) {
        AstNode *line = train->train.body.data[i];
        vec_push(arena, &copy->train.body, line == find_line(train, "strategy") ? other->train.body.data[0] : line);
    }
    return copy;
}

/* What was read, with the mesh and the train's strategy of two declarations. */
static const Ast *with_version(Arena *arena, const Ast *all, const Ast *version)
{
    AstNode *mesh = version->items.data[0], *train = version->items.data[1];
    Ast *ast = arena_make(arena, Ast);
    *ast = *all;
    ast->items = (AstList){0};
    for (int i = 0; i < all->items.count; i++) {
        AstNode *item = all->items.data[i];
        if (item == find_mesh(all, mesh->mesh.name.text))
            item = mesh;
        else if (item == find_train(all))
            item = with_strategy(arena, item, train);
        vec_push(arena, &ast->items, item);
    }
    return ast;
}

static void read_again(const Pattern *pattern, const Reading *reading, const Version *version, Costed *costed)
{
    Arena *arena = arena_new();
    Ctx *ctx = &costed->ctx;
    *costed = (Costed){.source = reading->source};
    *ctx = (Ctx){.arena = arena, .prelude = reading->ctx.prelude};
    ctx->strings = str_table_over(arena, reading->ctx.strings);
    ctx->sources = sources_copy(arena, reading->ctx.sources);
    ctx->diag = diag_new(arena, ctx->sources);
    const char *text = arena_printf(arena, "mesh %s on %s { %s }\ntrain model on %s { strategy %s }\n", pattern->mesh,
                                    pattern->cluster, version->mesh, pattern->mesh, version->strategy);
    const Ast *ast = parser_run(ctx, source_add(ctx->sources, "<version>", text, strlen(text)));
    if (diag_error_count(ctx->diag) > 0 || !sema_run_again(ctx, with_version(arena, reading->all, ast), reading->train,
                                                           &costed->train, &costed->assignment))
        costed->error = diag_first_error(ctx->diag);
}

static const Train *without_evaluation(Arena *arena, const Train *train)
{
    Train *copy = arena_make(arena, Train);
    Program *reference = arena_make(arena, Program);
    *copy = *train;
    *reference = *train->reference;
    reference->routines.data = arena_array(arena, Routine, reference->routines.count);
    reference->routines.count = 0;
    for (int r = 0; r < train->reference->routines.count; r++) {
        const Routine *routine = &train->reference->routines.data[r];
        if (routine->kind != ROUTINE_EVAL && routine->kind != ROUTINE_PREDICT)
            reference->routines.data[reference->routines.count++] = *routine;
    }
    copy->reference = reference;
    return copy;
}

/* What was read. */
static void cost_read(Costed *costed)
{
    if (!derive(costed)) {
        costed->error = diag_first_error(costed->ctx.diag);
        return;
    }
    costed->train = without_caches(costed->ctx.arena, costed->train);
    costed->plan = plan_run(&costed->ctx, costed->train, costed->file);
    plan_find_time(&costed->ctx, costed->plan);
}

void pattern_cost(const Pattern *pattern, const Version *version, Costed *costed)
{
    pattern_read(pattern, version, costed);
    if (costed->error == NULL)
        cost_read(costed);
}

void pattern_cost_step(const Pattern *pattern, const Version *version, Costed *costed)
{
    bool shares = pattern->readings != NULL && version->declared == NULL && version->line == NULL;
    const Reading *reading = shares ? find_reading(pattern, version) : NULL;
    if (reading != NULL)
        read_again(pattern, reading, version, costed);
    else
        pattern_read(pattern, version, costed);
    if (costed->error != NULL)
        return;
    costed->train = without_evaluation(costed->ctx.arena, costed->train);
    cost_read(costed);
}

/* In texts that do not change, spans are what they were. */
static Span original_span(const Pattern *pattern, const Change *change, const Costed *costed, Span span)
{
    const char *name = source_of(costed->ctx.sources, span)->name;
    const Sources *sources = pattern->ctx->sources;
    for (int i = 1; i < sources->list.count; i++)
        if (name != NULL && strcmp(sources->list.data[i].name, name) == 0)
            return (Span){i, change_origin(change, i, span.start), change_origin(change, i, span.end)};
    return pattern->strategy_span;
}

void pattern_report(const Pattern *pattern, const Version *version, const Costed *costed)
{
    const Change change = pattern_change(pattern->ctx->arena, pattern, version);
    for (int i = 0; i < costed->ctx.diag->list.count; i++) {
        const Diagnostic *found = costed->ctx.diag->list.data[i];
        if (found->severity > SEVERITY_FAULT)
            continue;
        Span span = original_span(pattern, &change, costed, found->primary);
        const char *message = arena_copy(pattern->ctx->arena, found->message, strlen(found->message));
        Diagnostic *d = diag_report(pattern->ctx->diag, found->code, span, "%s", message);
        for (int r = 0; r < found->remarks.count; r++) {
            const DiagRemark *remark = &found->remarks.data[r];
            if (remark->kind == REMARK_WHY)
                diag_why(d, "%s", remark->text);
            if (remark->kind == REMARK_HELP && remark->change == NULL)
                diag_help(d, "%s", remark->text);
        }
    }
}

bool costed_prove(Costed *costed)
{
    if (!verify_run(&costed->ctx, costed->file, &costed->verdict))
        costed->error = diag_first_error(costed->ctx.diag);
    return costed->error == NULL;
}

void costed_close(Costed *costed)
{
    arena_free(costed->ctx.arena);
}
