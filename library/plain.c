/* plain.c - replaces a train's strategy, and compares what the new text compiles to (library/plain.h). */
#include "library/plain.h"

#include "base/escape.h"
#include "base/str.h"
#include "fmt/fmt.h"
#include "search/program.h"
#include "strategy/plain.h"

#include <stdlib.h>
#include <string.h>

/* The expression of strategies of the train. */
static Span find_strategy(const Compile *compile)
{
    for (int i = 0; i < compile->ast->items.count; i++) {
        const AstNode *item = compile->ast->items.data[i];
        for (int s = 0; item->kind == AST_TRAIN && s < item->train.body.count; s++) {
            const AstNode *setting = item->train.body.data[s];
            if (setting->kind == AST_SETTING && strcmp(setting->setting.key.text, "strategy") == 0)
                return setting->setting.pieces.data[0]->span;
        }
    }
    BUG("a program without a strategy was derived");
}

/* The step program as text, without the comments, which name places in the source. */
static char *step_text(const Compile *compile)
{
    char *text = NULL;
    size_t length = 0, kept = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        escape_leave(ESCAPE_MEMORY, 2, "out of memory");
    step_print(compile->file, compile->ctx.sources, out);
    fclose(out);
    bool comment = false;
    for (size_t i = 0; i < length; i++) {
        comment = text[i] != '\n' && (comment || text[i] == '#');
        if (!comment)
            text[kept++] = text[i];
    }
    text[kept] = '\0';
    return text;
}

void plain_again(const Compile *compile, const char *text, Compile *again)
{
    compile_new(again);
    again->ctx.sources->reader = compile->ctx.sources->reader;
    again->ctx.sources->reader_data = compile->ctx.sources->reader_data;
    const char *file = compile->ctx.sources->list.data[compile->source].name;
    again->source = source_add(again->ctx.sources, file, text, strlen(text));
}

static bool is_same(const Compile *compile, const char *text)
{
    Compile again;
    plain_again(compile, text, &again);
    compile_program(&again);
    bool same = again.file != NULL;
    if (same) {
        char *before = step_text(compile), *after = step_text(&again);
        same = strcmp(before, after) == 0;
        free(before);
        free(after);
    }
    compile_close(&again);
    return same;
}

static const char header[] = "place 1\n";

/* The strategy's text in the standard style. */
static const char *styled(const Compile *compile, const char *strategy)
{
    Ctx ctx = compile->ctx;
    const char *text = arena_printf(ctx.arena, "%s%s", header, strategy);
    size_t length;
    text = fmt_text(&ctx, source_add(ctx.sources, "assigned", text, strlen(text)), &length);
    if (text == NULL)
        BUG("the plain statements of an assignment do not parse");
    return text + strlen(header);
}

const char *plain_replace(const Compile *compile, const char *call, const char *strategy)
{
    const Span replaced = find_strategy(compile);
    const char *source = compile->ctx.sources->list.data[compile->source].text, *end = source + strlen(source);
    return arena_printf(compile->ctx.arena, "%.*s%s%s%s\n%s", (int)replaced.start, source, call, source + replaced.end,
                        end[-1] == '\n' ? "" : "\n", styled(compile, strategy));
}

const char *plain_program(const Compile *compile)
{
    Arena *arena = compile->ctx.arena;
    const Decls *decls = &compile->train->decls;
    const char *name = pattern_fresh_name(arena, compile->ast, "assigned");
    const char *text =
        plain_replace(compile, plain_call(arena, decls, name), plain_strategy(arena, decls, compile->assignment, name));
    if (!is_same(compile, text))
        BUG("the plain statements of an assignment give another program");
    return text;
}
