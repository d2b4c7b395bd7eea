/* lock.c - writes and applies the lock of a searched program (search/lock.h). */
#include "search/lock.h"

#include "base/str.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LOCK_VERSION = 1 };

static const char lock_ending[] = ".lock";

/* ---- What it was searched with ------------------------------------------------------------------------------ */

static uint64_t hash_text(uint64_t hash, const Source *source)
{
    for (int32_t i = 0; i < source->length; i++)
        hash = (hash ^ (unsigned char)source->text[i]) * 1099511628211u; /* FNV-1a */
    return hash;
}

static const char *hash_name(Arena *arena, uint64_t hash)
{
    return arena_printf(arena, "%016llx", (unsigned long long)hash);
}

static const char *hash_program(Arena *arena, const Sources *sources, int source)
{
    return hash_name(arena, hash_text(1469598103934665603u, &sources->list.data[source]));
}

static bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length >= end && strcmp(text + length - end, ending) == 0;
}

/* Of everything else that was read, but for the prelude and the lock. */
static const char *hash_imports(Arena *arena, const Sources *sources, int source)
{
    uint64_t hash = 1469598103934665603u;
    for (int i = 1; i < sources->list.count; i++) {
        const Source *other = &sources->list.data[i];
        if (i != source && other->name[0] != '<' && !ends_in(other->name, lock_ending))
            hash = hash_text(hash, other);
    }
    return hash_name(arena, hash);
}

const char *lock_text(const Answer *answer)
{
    Arena *arena = answer->ctx->arena;
    const Found *best = &answer->searched.best;
    const Version version = best_version(arena, &answer->space, &best->choice);
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "version", LOCK_VERSION);
    cJSON_AddStringToObject(root, "program", hash_program(arena, answer->ctx->sources, answer->pattern.source));
    cJSON_AddStringToObject(root, "imports", hash_imports(arena, answer->base.ctx.sources, answer->base.source));
    cJSON_AddStringToObject(root, "objective", objective_names[answer->space.objective]);
    if (answer->pattern.devices != NULL)
        cJSON_AddStringToObject(root, "devices", answer->pattern.devices);
    cJSON_AddStringToObject(root, "mesh", version.mesh);
    cJSON_AddStringToObject(root, "strategy", version.strategy);
    if (version.declared != NULL)
        cJSON_AddStringToObject(root, "declared", version.declared);
    cJSON_AddNumberToObject(root, "batch", (double)version.batch);
    cJSON_AddNumberToObject(root, "microbatches", (double)version.micro);
    cJSON_AddNumberToObject(root, "step_s", best->seconds);
    cJSON_AddNumberToObject(root, "memory_bytes", best->bytes);
    cJSON_AddNumberToObject(root, "bound", answer->searched.bound);
    cJSON_AddBoolToObject(root, "exact", answer->searched.exact);
    char *text = cJSON_Print(root);
    const char *copy = arena_printf(arena, "%s\n", text);
    free(text);
    cJSON_Delete(root);
    return copy;
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

static bool refuse(Ctx *ctx, const Lock *lock, const char *what)
{
    Diagnostic *d = diag_report(ctx->diag, P0211, lock->search, "the strategy is to be found again");
    diag_why(d, "'%s' %s.", lock->name, what);
    diag_help(d, "`placec search FILE --lock` searches again, and writes a new one.");
    return false;
}

static const char *text_of(Arena *arena, const cJSON *root, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, key));
    return text != NULL ? arena_copy(arena, text, strlen(text)) : NULL;
}

static int64_t count_of(const cJSON *root, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, key);
    double number = cJSON_IsNumber(item) ? item->valuedouble : 0;
    return number >= 1 && number <= 1 << 30 ? (int64_t)number : 0;
}

/* False if something is missing. */
static bool read_keys(Arena *arena, const cJSON *root, Lock *lock)
{
    Version *version = &lock->version;
    lock->program = text_of(arena, root, "program");
    lock->imports = text_of(arena, root, "imports");
    lock->devices = text_of(arena, root, "devices");
    *version = (Version){.mesh = text_of(arena, root, "mesh"),
                         .strategy = text_of(arena, root, "strategy"),
                         .declared = text_of(arena, root, "declared"),
                         .batch = count_of(root, "batch"),
                         .micro = count_of(root, "microbatches")};
    return count_of(root, "version") == LOCK_VERSION && lock->program != NULL && lock->imports != NULL &&
           version->mesh != NULL && version->strategy != NULL && version->batch > 0 && version->micro > 0;
}

bool lock_read(Ctx *ctx, int source, const Ast *ast, Lock *lock)
{
    const AstNode *search = pattern_search(ast);
    const Source *program = &ctx->sources->list.data[source];
    *lock = (Lock){.name = arena_printf(ctx->arena, "%s%s", program->name, lock_ending)};
    int file = search != NULL ? source_read(ctx->sources, lock->name) : 0;
    if (file == 0 && search != NULL && errno != ENOENT && errno != ENOTDIR) {
        lock->search = search->span;
        return refuse(ctx, lock, arena_printf(ctx->arena, "cannot be read: %s", strerror(errno)));
    }
    if (file == 0)
        return true;
    lock->there = true;
    lock->search = search->span;
    const Source *text = &ctx->sources->list.data[file];
    cJSON *root =
        cJSON_ParseWithLengthOpts(text->text, (size_t)text->length + 1, NULL, true); /* and nothing after it */
    bool good = root != NULL && read_keys(ctx->arena, root, lock);
    cJSON_Delete(root);
    if (!good)
        return refuse(ctx, lock, "is no lock that this placec wrote");
    if (strcmp(lock->program, hash_program(ctx->arena, ctx->sources, source)) != 0)
        return refuse(ctx, lock, "was found for another text of the program");
    return true;
}

/* ---- Applying ----------------------------------------------------------------------------------------------- */

/* In one line: statements are separated by `;`. */
static const char *in_one_line(Arena *arena, const char *text)
{
    Text line = {.arena = arena};
    char before = '{';
    for (const char *at = text; *at != '\0'; at++) {
        bool opens = before == '{' || before == ';';
        if (*at == '\n')
            text_add(&line, "%s", opens ? " " : "; ");
        else
            text_add_bytes(&line, at, 1);
        if (*at == '\n')
            before = ';';
        else if (*at != ' ')
            before = *at;
    }
    return line.length > 0 ? line.data : "";
}

/* As many line ends as the span has. */
static const char *line_ends(Arena *arena, const Sources *sources, Span span)
{
    Text text = {.arena = arena};
    const Source *source = source_of(sources, span);
    for (int32_t at = span.start; at < span.end; at++)
        if (source->text[at] == '\n')
            text_add_bytes(&text, "\n", 1);
    return text.length > 0 ? text.data : "";
}

void lock_apply(Ctx *ctx, int *source, const Lock *lock)
{
    Pattern pattern;
    if (!lock->there || !pattern_find(ctx, *source, &pattern))
        return;
    pattern.devices = lock->devices;
    Change change = pattern_change(ctx->arena, &pattern, &lock->version);
    for (int i = 0; i < change.count; i++) {
        Edit *edit = &change.edit[i];
        edit->text = arena_printf(ctx->arena, "%s%s", in_one_line(ctx->arena, edit->text),
                                  line_ends(ctx->arena, ctx->sources, edit->span));
    }
    ctx->sources = change_sources(ctx->arena, ctx->sources, &change, source);
    ctx->diag = diag_new(ctx->arena, ctx->sources);
}

bool lock_check(Ctx *ctx, const Sources *sources, int source, const Lock *lock)
{
    return !lock->there || strcmp(lock->imports, hash_imports(ctx->arena, sources, source)) == 0 ||
           refuse(ctx, lock, "was found with other imports");
}
