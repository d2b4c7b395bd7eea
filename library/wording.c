/* wording.c - finds statements, clauses and names in the user's syntax trees, and makes edits of them
 * (library/wording.h). */
#include "library/wording.h"

#include "parser/parser.h"
#include <ctype.h>
#include <string.h>

/* ---- The text --------------------------------------------------------------------------------------------------- */

/* The train's `strategy` line is recognized by its keyword. */
static void find_train(Wording *wording, const Ast *ast)
{
    for (int i = 0; i < ast->items.count; i++)
        if (ast->items.data[i]->kind == AST_TRAIN)
            wording->train = ast->items.data[i];
    if (wording->train == NULL)
        return;
    wording->strategy = wording_setting(wording, "strategy");
    for (int k = 0; k < wording->asts.count; k++)
        for (int i = 0; i < wording->asts.data[k]->items.count; i++) {
            const AstNode *item = wording->asts.data[k]->items.data[i];
            if (item->kind == AST_MESH && item->mesh.name.text == wording->train->train.mesh.text)
                wording->mesh = item;
        }
}

Wording wording_new(Compile *compile)
{
    Wording wording = {.ctx = &compile->ctx};
    Ctx quiet = compile->ctx;
    quiet.diag = diag_new(quiet.arena, quiet.sources);
    for (int i = 1, count = quiet.sources->list.count; i < count; i++) {
        const Ast *ast = parser_run(&quiet, i);
        if (strcmp(quiet.sources->list.data[i].name, "<prelude>") == 0)
            wording.prelude = ast;
        else
            vec_push(quiet.arena, &wording.asts, ast);
    }
    for (int i = 0; i < wording.asts.count; i++)
        if (wording.asts.data[i]->source == compile->source)
            find_train(&wording, wording.asts.data[i]);
    return wording;
}

const AstNode *wording_setting(const Wording *wording, const char *key)
{
    for (int i = 0; wording->train != NULL && i < wording->train->train.body.count; i++) {
        const AstNode *line = wording->train->train.body.data[i];
        if (line->kind == AST_SETTING && line->setting.key.text != NULL && strcmp(line->setting.key.text, key) == 0)
            return line;
    }
    return NULL;
}

/* The call of the strategy in the train's `strategy` line. */
static const AstNode *find_call(const AstNode *node, const char *name)
{
    if (node == NULL)
        return NULL;
    if (node->kind == AST_CALL && node->call.callee->kind == AST_NAME && node->call.callee->name.text == name)
        return node;
    AstNode *children[64];
    const AstNode *found = NULL;
    int count = ast_children(node, NULL);
    if (count > 64)
        return NULL;
    ast_children(node, children);
    for (int i = 0; i < count && found == NULL; i++)
        found = find_call(children[i], name);
    return found;
}

static const AstNode *find_call_at(const AstNode *node, Span span)
{
    if (node == NULL || node->kind == AST_CALL)
        return node != NULL && node->span.start == span.start && node->span.end == span.end ? node : NULL;
    if (node->kind != AST_BINARY)
        return NULL;
    const AstNode *left = find_call_at(node->binary.left, span);
    return left != NULL ? left : find_call_at(node->binary.right, span);
}

const AstNode *wording_call(const Wording *wording, Span span)
{
    const AstNode *line = wording->strategy, *found = NULL;
    for (int i = 0; line != NULL && line->span.source == span.source && i < line->setting.pieces.count; i++)
        found = found != NULL ? found : find_call_at(line->setting.pieces.data[i], span);
    return found;
}

const AstNode *wording_prelude(const Wording *wording, const char *name)
{
    for (int i = 0; wording->prelude != NULL && i < wording->prelude->items.count; i++) {
        const AstNode *item = wording->prelude->items.data[i];
        if (item->kind != AST_STRATEGY || strcmp(item->strategy.name.text, name) != 0)
            continue;
        bool other_name = item->strategy.definition != NULL && item->strategy.definition->kind == AST_NAME;
        return other_name ? wording_prelude(wording, item->strategy.definition->name.text) : item;
    }
    return NULL;
}

AstNodes wording_strategies(const Wording *wording)
{
    AstNodes found = {0};
    for (int k = 0; k < wording->asts.count; k++)
        for (int i = 0; i < wording->asts.data[k]->items.count; i++) {
            const AstNode *item = wording->asts.data[k]->items.data[i];
            if (item->kind == AST_STRATEGY && find_call(wording->strategy, item->strategy.name.text) != NULL)
                vec_push(wording->ctx->arena, &found, item);
        }
    return found;
}

static bool has_span(Span outer, Span inner)
{
    return outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end;
}

const AstNode *wording_owner(const Wording *wording, const AstNode *statement)
{
    AstNodes strategies = wording_strategies(wording);
    for (int i = 0; i < strategies.count; i++)
        if (has_span(strategies.data[i]->span, statement->span))
            return strategies.data[i];
    return NULL;
}

const AstNode *wording_statement(const Wording *wording, Span span)
{
    AstNodes strategies = wording_strategies(wording);
    for (int i = 0; i < strategies.count; i++)
        for (int k = 0; k < strategies.data[i]->strategy.body.count; k++)
            if (has_span(strategies.data[i]->strategy.body.data[k]->span, span))
                return strategies.data[i]->strategy.body.data[k];
    return NULL;
}

const AstNode *wording_clause(const AstNode *statement, Span span)
{
    const AstList *clauses = &statement->sync.clauses;
    for (int i = 0; i < clauses->count; i++)
        if (clauses->count == 1 || has_span(clauses->data[i]->span, span))
            return clauses->data[i]->kind == AST_CLAUSE ? clauses->data[i] : NULL;
    return NULL;
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

/* The strategy's parameter to which the call binds the axis; NULL if there is none. */
static const char *bound_name(const AstNode *strategy, const AstNode *call, const char *axis)
{
    for (int i = 0; call != NULL && i < call->call.arguments.count; i++) {
        const AstNode *argument = call->call.arguments.data[i];
        const AstNode *value = argument->kind == AST_ARGUMENT ? argument->argument.value : argument;
        if (value->kind != AST_NAME || strcmp(value->name.text, axis) != 0)
            continue;
        if (argument->kind == AST_ARGUMENT)
            return argument->argument.name.text;
        return i < strategy->strategy.parameters.count ? strategy->strategy.parameters.data[i]->parameter.name.text
                                                       : NULL;
    }
    return NULL;
}

static bool is_parameter(const AstNode *strategy, const char *name)
{
    for (int i = 0; i < strategy->strategy.parameters.count; i++)
        if (strcmp(strategy->strategy.parameters.data[i]->parameter.name.text, name) == 0)
            return true;
    return false;
}

const char *wording_axes(const Wording *wording, const AstNode *strategy, const char *axes)
{
    Text text = {.arena = wording->ctx->arena};
    const AstNode *call = find_call(wording->strategy, strategy->strategy.name.text);
    for (const char *at = axes; *at != '\0';) {
        size_t length = strcspn(at, ",");
        const char *axis = arena_copy(wording->ctx->arena, at, length), *name = bound_name(strategy, call, axis);
        if (name == NULL && is_parameter(strategy, axis))
            return NULL;
        text_add(&text, "%s%s", text.length > 0 ? ", " : "", name != NULL ? name : axis);
        at += length + strspn(at + length, ", ");
    }
    return text.data;
}

const char *wording_text(const Wording *wording, Span span)
{
    return arena_copy(wording->ctx->arena, source_of(wording->ctx->sources, span)->text + span.start,
                      (size_t)(span.end - span.start));
}

/* ---- Edits ------------------------------------------------------------------------------------------------------ */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The beginning of the offset's line if only blanks precede the offset on it; else the offset. */
static int32_t line_start(const Source *source, int32_t offset)
{
    int32_t at = offset;
    while (at > 0 && is_blank(source->text[at - 1]))
        at--;
    return at == 0 || source->text[at - 1] == '\n' ? at : offset;
}

/* The position after the end of the offset's line if at most a comment follows the offset; else the offset. */
static int32_t line_end(const Source *source, int32_t offset)
{
    int32_t at = offset;
    while (at < source->length && (is_blank(source->text[at]) || source->text[at] == '\r'))
        at++;
    if (at < source->length && source->text[at] == '#')
        while (at < source->length && source->text[at] != '\n')
            at++;
    return at < source->length && source->text[at] == '\n' ? at + 1 : at == source->length ? at : offset;
}

Edit wording_without(const Wording *wording, Span statement)
{
    const Source *source = source_of(wording->ctx->sources, statement);
    Span span = {statement.source, line_start(source, statement.start), line_end(source, statement.end)};
    bool first = span.start == 0 || source->text[span.start - 1] == '\n';
    bool last = span.end == source->length || (span.end > 0 && source->text[span.end - 1] == '\n');
    return (Edit){first && last ? span : statement, ""};
}

Edit wording_with(const Wording *wording, const AstNode *strategy, const char *statement)
{
    Arena *arena = wording->ctx->arena;
    const Source *source = source_of(wording->ctx->sources, strategy->span);
    int32_t brace = strategy->span.end - 1, at = line_start(source, brace);
    if (at > 0 && source->text[at - 1] == '\n') {
        Span place = {strategy->span.source, at, at};
        return (Edit){place, arena_printf(arena, "%.*s    %s\n", (int)(brace - at), source->text + at, statement)};
    }
    Span place = {strategy->span.source, brace, brace};
    return (Edit){place, arena_printf(arena, "\n    %s\n", statement)};
}

Span wording_back(const Wording *wording, Span span, int words)
{
    const Source *source = source_of(wording->ctx->sources, span);
    for (int i = 0; i <= words; i++) {
        while (span.start > 0 && isspace((unsigned char)source->text[span.start - 1]))
            span.start--;
        while (i < words && span.start > 0 &&
               (isalnum((unsigned char)source->text[span.start - 1]) || source->text[span.start - 1] == '_'))
            span.start--;
    }
    return span;
}

Span wording_names(const AstNames *names)
{
    return span_join(names->data[0].span, names->data[names->count - 1].span);
}
