/* saved.c - from the keywords of a layout to its runs of elements (sema/saved.h). */
#include "sema/saved.h"

#include "parser/resolve.h"

#include <string.h>

/* ---- Layouts ------------------------------------------------------------------------------------------------ */

typedef enum SavedLayoutKind { SAVED_FLAT, SAVED_BY_ROWS, SAVED_BY_SEGMENTS } SavedLayoutKind;

/* flat [in buckets of B] [padded to P], by rows over N, by segments over N */
typedef struct SavedLayout {
    SavedLayoutKind kind;
    int64_t bucket, padding, ranks;
} SavedLayout;

static const struct {
    const char *pattern;
    SavedLayoutKind kind;
    int numbers; /* after the state's name: the size of a bucket, of the padding; or the number of ranks */
} layouts[] = {
    {"# flat in buckets of # padded to #", SAVED_FLAT, 2},
    {"# flat in buckets of #", SAVED_FLAT, 1},
    {"# flat", SAVED_FLAT, 0},
    {"# by segments over #", SAVED_BY_SEGMENTS, 1},
    {"# by rows over #", SAVED_BY_ROWS, 1},
};

static bool read_layout(Ctx *ctx, const AstNode *setting, const AstNode **state, SavedLayout *layout)
{
    const AstNode *found[3];
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        if (!ast_match(setting, layouts[i].pattern, found))
            continue;
        int64_t number[2] = {INT64_MAX, 1};
        for (int n = 0; n < layouts[i].numbers; n++)
            if (!resolve_integer(ctx, NULL, found[1 + n], "a number of elements or ranks", 1, INT32_MAX, &number[n]))
                return false;
        *state = found[0];
        *layout = (SavedLayout){layouts[i].kind, number[0], number[1], number[0]};
        return true;
    }
    Diagnostic *d =
        diag_report(ctx->diag, P0206, setting->span, "'%s' is not followed by a layout", setting->setting.key.text);
    diag_help(d, "Its forms are: saved STATE flat in buckets of 1000 padded to 64, saved STATE by segments over 2, "
                 "saved STATE by rows over 2.");
    return false;
}

/* ---- Runs --------------------------------------------------------------------------------------------------- */

enum { MOST_RUNS = 1 << 20 };

typedef struct Runs {
    Ctx *ctx;
    const Train *train;
    SavedMap *map;
    int64_t copy;     /* the copy whose elements they are */
    int64_t elements; /* so far, padding included */
} Runs;

/* Joins runs that continue the last one. */
static void add_run(Runs *r, int tensor, int64_t layer, int64_t first, int64_t count)
{
    SavedRun *last = r->map->runs.count > 0 ? &r->map->runs.data[r->map->runs.count - 1] : NULL;
    r->elements += count;
    if (count == 0 || r->map->runs.count > MOST_RUNS)
        return;
    if (last != NULL && last->tensor == tensor && last->layer == layer &&
        (tensor < 0 || (last->first + last->count == first && last->copy == r->copy)))
        last->count += count;
    else
        vec_push(r->ctx->arena, &r->map->runs, (SavedRun){tensor, layer, first, count, tensor < 0 ? 0 : r->copy});
}

/* Elements start .. start + extent - 1 of one dim, and all of the others. */
static void add_range(Runs *r, int tensor, int64_t layer, int dim, int64_t start, int64_t extent)
{
    const Tensor *t = &r->train->decls.tensors.data[tensor];
    int64_t outer = 1, inner = 1;
    for (int d = 0; d < t->dim_count; d++)
        *(d < dim ? &outer : &inner) *= d == dim ? 1 : t->dims[d];
    int64_t size = t->dim_count > 0 ? t->dims[dim] : 1;
    for (int64_t o = 0; o < outer && r->map->runs.count <= MOST_RUNS; o++)
        add_run(r, tensor, layer, (o * size + start) * inner, extent * inner);
}

/* A rank's shard of a tensor, by its fused dim or the first: of the whole dim, or of every segment. */
static void add_piece(Runs *r, int tensor, int64_t layer, const SavedLayout *layout, int64_t rank)
{
    const Tensor *t = &r->train->decls.tensors.data[tensor];
    int dim = 0;
    for (int d = t->dim_count - 1; d >= 0; d--)
        dim = t->segments[d] != NULL ? d : dim;
    const Segments *segments = layout->kind == SAVED_BY_SEGMENTS && t->dim_count > 0 ? t->segments[dim] : NULL;
    int64_t before = 0, start, extent;
    for (int s = 0; s < (segments != NULL ? segments->count : 1); s++) {
        int64_t size = segments != NULL ? segments->size[s] : t->dim_count > 0 ? t->dims[dim] : 1;
        cut_balanced(size, layout->ranks, rank, &start, &extent);
        add_range(r, tensor, layer, dim, before + start, extent);
        before += size;
    }
}

static bool has_state(const Train *train, int state, int tensor)
{
    for (int i = 0; i < train->reference->buffers.count; i++) {
        const Buffer *buffer = &train->reference->buffers.data[i];
        if (buffer->persistent && buffer->state == state && buffer->tensor == tensor)
            return true;
    }
    return false;
}

static void add_tensor(Runs *r, int tensor, int64_t layer, const SavedLayout *layout, int64_t rank, int64_t *filled)
{
    int64_t elements = tensor_elements(&r->train->decls.tensors.data[tensor]);
    if (layout->kind != SAVED_FLAT) {
        add_piece(r, tensor, layer, layout, rank);
        return;
    }
    add_run(r, tensor, layer, 0, elements);
    *filled += elements;
    if (*filled < layout->bucket)
        return;
    add_run(r, -1, 0, 0, (layout->padding - r->elements % layout->padding) % layout->padding);
    *filled = 0;
}

/* The number of ranks, from the first, that have something: each has an element of the longest dim. */
static int64_t ranks_with_pieces(const Decls *decls, int64_t ranks)
{
    int64_t longest = 1;
    for (int t = 0; t < decls->tensors.count; t++)
        for (int d = 0; d < decls->tensors.data[t].dim_count; d++)
            longest = decls->tensors.data[t].dims[d] > longest ? decls->tensors.data[t].dims[d] : longest;
    return ranks < longest ? ranks : longest;
}

/* What is outside blocks, then block by block, layer by layer; rank by rank. */
static void add_copy(Runs *r, const SavedLayout *layout)
{
    const Decls *decls = &r->train->decls;
    int64_t filled = 0, ranks = layout->kind == SAVED_FLAT ? 1 : ranks_with_pieces(decls, layout->ranks);
    for (int64_t rank = 0; rank < ranks && r->map->runs.count <= MOST_RUNS; rank++)
        for (int group = -1; group < decls->groups.count; group++)
            for (int64_t layer = 0; layer < (group < 0 ? 1 : decls->groups.data[group].layers); layer++)
                for (int t = 0; t < decls->tensors.count; t++)
                    if (decls->tensors.data[t].group == group && has_state(r->train, r->map->state, t))
                        add_tensor(r, t, layer, layout, rank, &filled);
}

/* Copies train separately: each has its state in this layout, one after another. */
static void add_all(Runs *r, const SavedLayout *layout)
{
    const Decls *decls = &r->train->decls;
    int64_t copies = 1;
    for (int a = 0; a < decls->axes.count; a++)
        copies *= decls->axes.data[a].copies ? decls->axes.data[a].size : 1;
    for (r->copy = 0; r->copy < copies && r->map->runs.count <= MOST_RUNS; r->copy++) {
        r->elements = 0;
        add_copy(r, layout);
    }
}

/* ---- States ------------------------------------------------------------------------------------------------- */

static const SavedMap *find_map(const SavedMaps *maps, int state, bool loaded)
{
    for (int i = 0; i < maps->count; i++)
        if (maps->data[i].state == state && maps->data[i].loaded == loaded)
            return &maps->data[i];
    return NULL;
}

static bool add_map(Ctx *ctx, const Train *train, SavedMaps *maps, int state, bool loaded, const SavedLayout *layout,
                    Span span)
{
    const SavedMap *first = find_map(maps, state, loaded);
    if (first != NULL) {
        Diagnostic *d = diag_report(ctx->diag, P0208, span, "the layout of '%s' is given twice",
                                    train->decls.states.data[state].name);
        diag_label(d, first->span, "first given here");
        return false;
    }
    SavedMap map = {.state = state, .loaded = loaded, .span = span};
    Runs runs = {.ctx = ctx, .train = train, .map = &map};
    add_all(&runs, layout);
    if (map.runs.count > MOST_RUNS) {
        diag_report(ctx->diag, P0207, span, "a checkpoint of more than %d runs of elements", MOST_RUNS);
        return false;
    }
    vec_push(ctx->arena, maps, map);
    return true;
}

static void report_no_state(Ctx *ctx, const AstNode *setting, const Train *train)
{
    Diagnostic *d = diag_report(ctx->diag, P0210, setting->span,
                                "'%s' has no effect: '%s' keeps no state with a number per element",
                                setting->setting.key.text, train->optimizer_name);
    diag_help(d, "Leave out this line: such an optimizer stores nothing that has a layout.");
}

/* `parameters`, `optimizer` (all of its states that have a number per element), or a state's own name. */
static bool read_one(Ctx *ctx, const AstNode *setting, const Train *train, SavedMaps *maps, bool loaded)
{
    const AstNode *node;
    SavedLayout layout;
    if (!read_layout(ctx, setting, &node, &layout))
        return false;
    const char *name = resolve_text(ctx, node), **names = arena_array(ctx->arena, const char *, 64);
    int known = 0, found = 0;
    bool good = true;
    for (int s = 0; s < train->decls.states.count; s++) {
        const State *state = &train->decls.states.data[s];
        if (!state->per_parameter || state->each != EACH_ELEMENT || state->kind == STATE_GRADIENTS ||
            state->kind == STATE_STATISTICS)
            continue;
        if (known < 62)
            names[known++] = state->name;
        if (strcmp(state->name, name) != 0 && !(state->kind == STATE_OPTIMIZER && strcmp(name, "optimizer") == 0))
            continue;
        found++;
        good &= add_map(ctx, train, maps, s, loaded, &layout, setting->span);
    }
    names[known++] = "optimizer";
    if (found == 0 && strcmp(name, "optimizer") == 0)
        report_no_state(ctx, setting, train);
    else if (found == 0)
        resolve_unknown(ctx, node->span, "state", name, names, known);
    return good && found > 0;
}

/* What has no `loaded` line is read as it was written. */
static bool complete_maps(Ctx *ctx, const Decls *decls, SavedMaps *maps)
{
    for (int i = 0, count = maps->count; i < count; i++) {
        SavedMap map = maps->data[i];
        if (find_map(maps, map.state, !map.loaded) != NULL)
            continue;
        if (map.loaded) {
            Diagnostic *d = diag_report(ctx->diag, P0208, map.span, "'loaded' without 'saved': how was '%s' written?",
                                        decls->states.data[map.state].name);
            diag_help(d, "Add a line: saved %s ...", decls->states.data[map.state].name);
            return false;
        }
        map.loaded = true;
        vec_push(ctx->arena, maps, map);
    }
    return true;
}

bool saved_read(Ctx *ctx, const AstNode *train_node, const Train *train, SavedMaps *maps)
{
    bool good = true;
    for (int i = 0; i < train_node->train.body.count; i++) {
        const AstNode *line = train_node->train.body.data[i];
        const char *key = line->kind == AST_SETTING ? line->setting.key.text : "";
        if (key != NULL && (strcmp(key, "saved") == 0 || strcmp(key, "loaded") == 0))
            good &= read_one(ctx, line, train, maps, strcmp(key, "loaded") == 0);
    }
    return complete_maps(ctx, &train->decls, maps) && good;
}
