/* checkpoint.c - compares the two maps of a state, run by run (verify/checkpoint.h). */
#include "verify/checkpoint.h"

#include <stdlib.h>

static int64_t layers_of(const Decls *decls, const Tensor *tensor)
{
    return tensor->group >= 0 ? decls->groups.data[tensor->group].layers : 1;
}

/* The number of copies of the one device, each with its own states. */
static int64_t copies_of(const Decls *decls)
{
    int64_t copies = 1;
    for (int a = 0; a < decls->axes.count; a++)
        copies *= decls->axes.data[a].copies ? decls->axes.data[a].size : 1;
    return copies;
}

static const char *run_text(Arena *arena, const Decls *decls, const SavedRun *run, int64_t offset)
{
    if (run == NULL)
        return "nothing: it ends before";
    if (run->tensor < 0)
        return "padding";
    const Tensor *tensor = &decls->tensors.data[run->tensor];
    const char *layer = tensor->group < 0 ? "" : arena_printf(arena, " of layer %lld", (long long)run->layer);
    const char *copy = copies_of(decls) == 1 ? "" : arena_printf(arena, " of copy %lld", (long long)run->copy);
    return arena_printf(arena, "element %lld of '%s'%s%s", (long long)(run->first + offset), tensor->name, layer, copy);
}

/* Is the run inside a tensor that has the state? */
static bool run_fits(const StepFile *file, const SavedMap *map, const SavedRun *run)
{
    const Decls *decls = file->decls;
    bool has_state = run->tensor < 0;
    for (int i = 0; i < file->reference->buffers.count && !has_state; i++) {
        const Buffer *buffer = &file->reference->buffers.data[i];
        has_state = buffer->persistent && buffer->state == map->state && buffer->tensor == run->tensor;
    }
    if (run->tensor < 0 || !has_state)
        return has_state;
    const Tensor *tensor = &decls->tensors.data[run->tensor];
    int64_t elements = tensor_elements(tensor);
    return run->layer < layers_of(decls, tensor) && run->first < elements && run->count <= elements - run->first &&
           run->copy < copies_of(decls);
}

static bool runs_fit(Ctx *ctx, const StepFile *file, const SavedMap *map)
{
    const State *state = &file->decls->states.data[map->state];
    for (int i = 0; i < map->runs.count; i++)
        if (!state->per_parameter || state->each != EACH_ELEMENT || !run_fits(file, map, &map->runs.data[i])) {
            diag_report(ctx->diag, P0334, map->span, "a checkpoint of '%s' with elements that it has not", state->name);
            return false;
        }
    return true;
}

static int compare_runs(const void *a, const void *b)
{
    const SavedRun *x = a, *y = b;
    if (x->tensor != y->tensor)
        return x->tensor < y->tensor ? -1 : 1;
    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    if (x->copy != y->copy)
        return x->copy < y->copy ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* How far the sorted runs from *at on cover one copy's layer of a tensor without gaps, starting at element 0. Moves *at
 * past them. -1: some element is covered twice. */
static int64_t covered(const SavedRun *run, int count, int *at, const SavedRun *of)
{
    int64_t end = 0;
    for (; *at < count && run[*at].tensor == of->tensor && run[*at].layer == of->layer && run[*at].copy == of->copy;
         ++*at) {
        if (run[*at].first < end)
            return -1;
        if (run[*at].first > end)
            return end;
        end += run[*at].count;
    }
    return end;
}

static void report_missing(Ctx *ctx, const Decls *decls, const SavedMap *map, const SavedRun *missing)
{
    const char *name = decls->tensors.data[missing->tensor].name;
    Diagnostic *d = diag_report(ctx->diag, P0318, map->span, "'%s' is not read from its checkpoint as one device's",
                                decls->states.data[map->state].name);
    if (missing->first < 0) {
        diag_why(d, "An element of '%s' is read twice.", name);
        return;
    }
    diag_why(d, "Of '%s' not all elements are read.", name);
    diag_counter_example(d, "%s is read nowhere", run_text(ctx->arena, decls, missing, 0));
    if (copies_of(decls) > 1)
        diag_note(d, "There are %lld copies of the state, which train apart: each is saved, and read.",
                  (long long)copies_of(decls));
}

/* Is every element of the state read exactly once, for each copy? */
static bool reads_all(Ctx *ctx, const StepFile *file, const SavedMap *map)
{
    const Decls *decls = file->decls;
    SavedRun *sorted = arena_array(ctx->arena, SavedRun, map->runs.count + 1);
    int count = 0, at = 0;
    for (int i = 0; i < map->runs.count; i++)
        if (map->runs.data[i].tensor >= 0)
            sorted[count++] = map->runs.data[i];
    qsort(sorted, (size_t)count, sizeof *sorted, compare_runs);
    for (int t = 0; t < decls->tensors.count; t++) {
        const Tensor *tensor = &decls->tensors.data[t];
        SavedRun of = {.tensor = t, .count = 1};
        if (!run_fits(file, map, &of))
            continue;
        for (; of.layer < layers_of(decls, tensor); of.layer++)
            for (of.copy = 0; of.copy < copies_of(decls); of.copy++) {
                of.first = covered(sorted, count, &at, &of);
                if (of.first == tensor_elements(tensor))
                    continue;
                report_missing(ctx, decls, map, &of);
                return false;
            }
    }
    return true;
}

static void report_other(Ctx *ctx, const Decls *decls, const SavedMap *saved, const SavedMap *loaded,
                         const SavedRun *written, int64_t written_at, const SavedRun *read, int64_t read_at, int64_t at)
{
    Diagnostic *d =
        diag_report(ctx->diag, P0318, loaded->span, "'%s' is not read from its checkpoint as it was written",
                    decls->states.data[loaded->state].name);
    diag_label(d, saved->span, "written so");
    diag_why(d, "What is read at a position as one element must be what was written there as that element: the two "
                "layouts give a position different elements.");
    diag_counter_example(d, "position %lld\n%-12s has %s\n%-12s is %s", (long long)at, "written",
                         run_text(ctx->arena, decls, written, written_at), "read",
                         run_text(ctx->arena, decls, read, read_at));
    diag_help(
        d, "Read it in the layout in which it was written; where it is then stored in this program is another matter.");
}

/* Walks both maps side by side. */
static void compare_maps(Ctx *ctx, const Decls *decls, const SavedMap *saved, const SavedMap *loaded)
{
    int w = 0, r = 0;
    int64_t written_at = 0, read_at = 0, at = 0; /* positions in the runs; position in the checkpoint */
    while (r < loaded->runs.count) {
        const SavedRun *read = &loaded->runs.data[r];
        const SavedRun *written = w < saved->runs.count ? &saved->runs.data[w] : NULL;
        int64_t step = read->count - read_at;
        if (written != NULL && written->count - written_at < step)
            step = written->count - written_at;
        bool same =
            read->tensor < 0 || (written != NULL && written->tensor == read->tensor && written->layer == read->layer &&
                                 written->copy == read->copy && written->first + written_at == read->first + read_at);
        if (!same) {
            report_other(ctx, decls, saved, loaded, written, written_at, read, read_at, at);
            return;
        }
        at += step;
        read_at += step;
        written_at += step;
        if (read_at == read->count)
            r++, read_at = 0;
        if (written != NULL && written_at == written->count)
            w++, written_at = 0;
    }
}

void check_checkpoint(Ctx *ctx, const StepFile *file)
{
    const Decls *decls = file->decls;
    for (int i = 0; i < decls->maps.count; i++) {
        const SavedMap *map = &decls->maps.data[i], *saved = NULL;
        int others = 0;
        for (int j = 0; j < decls->maps.count; j++)
            if (decls->maps.data[j].state == map->state && decls->maps.data[j].loaded != map->loaded) {
                saved = &decls->maps.data[j];
                others++;
            }
        if (others != 1) {
            diag_report(ctx->diag, P0334, map->span,
                        "'%s' is to have one layout as it was written and one as it is read",
                        decls->states.data[map->state].name);
            return;
        }
        if (!runs_fit(ctx, file, map))
            return;
        if (map->loaded && runs_fit(ctx, file, saved) && reads_all(ctx, file, map))
            compare_maps(ctx, decls, saved, map);
    }
}
