/* plain.c - replaces a train's strategy, and compares what the new text compiles to (library/plain.h). */
#include "library/plain.h"

#include "base/escape.h"
#include "base/str.h"
#include "strategy/plain.h"

#include <stdlib.h>
#include <string.h>

static const char name[] = "assigned";

static const AstNode *find_strategy(const Compile *compile)
{
    for (int i = 0; i < compile->ast->items.count; i++) {
        const AstNode *item = compile->ast->items.data[i];
        for (int s = 0; item->kind == AST_TRAIN && s < item->train.body.count; s++) {
            const AstNode *setting = item->train.body.data[s];
            if (setting->kind == AST_SETTING && strcmp(setting->setting.key.text, "strategy") == 0)
                return setting;
        }
    }
    return NULL;
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

static bool is_same(const Compile *compile, const char *text)
{
    Compile again;
    compile_new(&again);
    again.ctx.sources->reader = compile->ctx.sources->reader;
    again.ctx.sources->reader_data = compile->ctx.sources->reader_data;
    const char *file = compile->ctx.sources->list.data[compile->source].name;
    again.source = source_add(again.ctx.sources, file, text, strlen(text));
    bool same = compile_stages(&again);
    if (same) {
        char *before = step_text(compile), *after = step_text(&again);
        same = strcmp(before, after) == 0;
        free(before);
        free(after);
    }
    compile_close(&again);
    return same;
}

static const char *refusal(const Compile *compile, const char *why)
{
    return arena_printf(compile->ctx.arena,
                        "%s: the assignment cannot be printed yet: %s (--dump=choices shows what was chosen)",
                        compile->ctx.sources->list.data[compile->source].name, why);
}

const char *plain_program(const Compile *compile, const char **failure)
{
    Arena *arena = compile->ctx.arena;
    const Decls *decls = &compile->train->decls;
    const AstNode *setting = find_strategy(compile);
    const char *refused = "a program without a strategy";
    const char *strategy = setting != NULL ? plain_strategy(arena, decls, compile->assignment, name, &refused) : NULL;
    if (strategy == NULL) {
        *failure = refusal(compile, refused);
        return NULL;
    }
    const char *source = compile->ctx.sources->list.data[compile->source].text;
    const char *text = arena_printf(arena, "%.*sstrategy %s%s\n%s", (int)setting->span.start, source,
                                    plain_call(arena, decls, name), source + setting->span.end, strategy);
    if (is_same(compile, text))
        return text;
    *failure = refusal(compile, "the plain statements give another program");
    return NULL;
}
