/* lost.c - what the best strategy would cost with one choice changed (search/lost.h). */
#include "search/lost.h"

#include "search/known.h"

#include <string.h>

/* Who stopped the search does not wait much longer for what lost: then it is only what was costed before. */
static bool is_late(const Answer *answer, const Choice *changed)
{
    static const double patience_s = 1;
    if (!answer->stopped || best_seconds_since(&answer->ended) <= patience_s)
        return false;
    const Version version = best_version(answer->ctx->arena, &answer->space, changed);
    return known_find(&answer->pattern, &version) == NULL;
}

static void add_lost(Answer *answer, const char *choice, const char *instead, const Choice *changed)
{
    Arena *arena = answer->ctx->arena;
    if (is_late(answer, changed)) {
        answer->lost_whole = false;
        return;
    }
    Lost lost = {choice, instead, best_cost(&answer->pattern, &answer->space, changed, arena)};
    if (lost.found.error == NULL)
        vec_push(arena, &answer->lost, lost);
}

static void lose_options(Answer *answer, int group)
{
    const Options *options = &answer->space.options[group];
    const Choice *best = &answer->searched.best.choice;
    if (options->degree != ALWAYS && best->degree[options->degree] == 1)
        return;
    const bool apart = group == GROUP_TENSORS && best->apart;
    for (int o = 0; o < options->count; o++) {
        Choice changed = *best;
        changed.option[group] = (int8_t)o;
        changed.placed = apart ? 0 : changed.placed;
        changed.apart = best->apart && !apart;
        bool numbered = strchr(options->option[o].call, '#') != NULL ||
                        (group == GROUP_RECOMPUTED && o == OPTION_BY_VALUE) ||
                        (group == GROUP_HOSTED && o == OPTION_VALUES_ON_HOST);
        if ((o == best->option[group] && !apart) || options->option[o].excluded != NULL || numbered)
            continue;
        changed.chunks = group == GROUP_SCHEDULE ? 1 : best->chunks;
        if (group == GROUP_RECOMPUTED)
            changed.values = changed.layers = 0;
        changed.offloaded = group == GROUP_OFFLOADED ? 0 : changed.offloaded;
        int64_t hosted = group == GROUP_HOSTED ? 0 : space_hosted(&answer->space, &changed);
        if (changed.hosted > hosted)
            space_host(&changed, hosted); /* what recomputes in another way has fewer values there */
        if (answer->space.options[GROUP_HOSTED].option[changed.option[GROUP_HOSTED]].excluded != NULL ||
            !space_has(&answer->space, &changed))
            continue;
        add_lost(answer, apart ? "placed" : options->option[best->option[group]].name, options->option[o].name,
                 &changed);
    }
}

static const char *schedule_text(const Answer *answer, const Choice *choice)
{
    const Option *schedules = answer->space.options[GROUP_SCHEDULE].option;
    if (choice->chunks > 1)
        return arena_printf(answer->ctx->arena, "interleaved, %d chunks", choice->chunks);
    return schedules[choice->option[GROUP_SCHEDULE]].name;
}

/* Interleaved stages, of as many chunks as come next above or below; of those that are not, the fewest. */
static void lose_chunks(Answer *answer, int direction)
{
    const Choice *best = &answer->searched.best.choice;
    const Space *space = &answer->space;
    int64_t stages = best->degree[DEGREE_PIPELINE];
    Choice changed = *best;
    changed.option[GROUP_SCHEDULE] = OPTION_INTERLEAVED;
    do
        changed.chunks += direction;
    while (changed.chunks > 1 && changed.chunks * stages <= space->layers &&
           space->layers % (changed.chunks * stages) != 0);
    bool possible = changed.chunks > 1 && changed.chunks * stages <= space->layers && stages > 1 &&
                    space_has_option(space, best, GROUP_SCHEDULE, OPTION_INTERLEAVED);
    if (possible && changed.offloaded <= space_offloaded(space, &changed))
        add_lost(answer, schedule_text(answer, best), schedule_text(answer, &changed), &changed);
}

/* Of stages of another size the same share, or a little more; 0: all. */
static int32_t same_share(int32_t some, int64_t of, int64_t layers, int64_t most)
{
    int32_t changed = (int32_t)((some * layers + of - 1) / of);
    return changed <= most ? changed : 0;
}

static void keep_share(const Space *space, const Choice *best, Choice *changed)
{
    if (best->layers == 0 && best->offloaded == 0)
        return;
    int64_t of = space_stage_layers(space, best), layers = space_stage_layers(space, changed);
    changed->layers = same_share(best->layers, of, layers, space_partly(space, changed));
    changed->offloaded = same_share(best->offloaded, of, layers, space_offloaded(space, changed));
}

/* Half of the ranks of one axis go to another. */
static void lose_degrees(Answer *answer, int from, int to)
{
    const Choice *best = &answer->searched.best.choice;
    Arena *arena = answer->ctx->arena;
    Choice changed = *best;
    if (from == to || best->degree[from] % 2 != 0)
        return;
    changed.degree[from] /= 2;
    changed.degree[to] *= 2;
    int32_t stages = changed.degree[DEGREE_PIPELINE];
    bool uneven = changed.chunks > 1 && answer->space.layers % ((int64_t)stages * changed.chunks) != 0;
    if (stages == 1 || uneven) {
        changed.chunks = 1;
        changed.option[GROUP_SCHEDULE] = OPTION_ONE_F_ONE_B;
    }
    keep_share(&answer->space, best, &changed);
    if (space_has(&answer->space, &changed))
        add_lost(answer, space_mesh(arena, best), space_mesh(arena, &changed), &changed);
}

/* "recompute 2 of a stage", "by_value 1, and 2 in 3 layers" */
static const char *level_text(Arena *arena, const Choice *choice)
{
    const char *stage = choice->degree[DEGREE_PIPELINE] > 1 ? " of a stage" : "";
    if (choice->option[GROUP_RECOMPUTED] == OPTION_RECOMPUTE)
        return choice->layers > 0 ? arena_printf(arena, "recompute %d%s", choice->layers, stage) : "recompute all";
    if (choice->layers == 0)
        return arena_printf(arena, "by_value %d", choice->values);
    const char *whole = choice->values > 1 ? arena_printf(arena, "%d, and ", choice->values - 1) : "";
    return arena_printf(arena, "by_value %s%d in %d layer%s%s", whole, choice->values, choice->layers,
                        choice->layers > 1 ? "s" : "", stage);
}

static void lose_level(Answer *answer, int32_t values, int32_t layers)
{
    Arena *arena = answer->ctx->arena;
    const Choice *best = &answer->searched.best.choice;
    Choice changed = *best;
    changed.values = values;
    changed.layers = layers;
    add_lost(answer, level_text(arena, best), level_text(arena, &changed), &changed);
}

/* A layer less is recomputed, or one more; or all. */
static void lose_layers(Answer *answer)
{
    const Choice *best = &answer->searched.best.choice;
    if (best->option[GROUP_RECOMPUTED] != OPTION_RECOMPUTE || best->layers == 0)
        return;
    if (best->layers > 1)
        lose_level(answer, 0, best->layers - 1);
    if (best->layers < space_partly(&answer->space, best))
        lose_level(answer, 0, best->layers + 1);
    lose_level(answer, 0, 0);
}

/* A value less, or one more, in a layer; where they are alike, in all of them. Nothing and everything are options. */
static void lose_values(Answer *answer)
{
    const Choice *best = &answer->searched.best.choice;
    int32_t values = best->values, layers = best->layers;
    int32_t partly = (int32_t)space_partly(&answer->space, best);
    int32_t most = (int32_t)space_most_values(&answer->space, best);
    int32_t all = best->hosted > 0 ? most : most - 1; /* everything in all layers is an option */

    if (best->option[GROUP_RECOMPUTED] != OPTION_BY_VALUE)
        return;
    if (layers > 1 || (layers == 0 && partly > 0))
        lose_level(answer, values, layers > 1 ? layers - 1 : partly);
    else if (values > 1)
        lose_level(answer, values - 1, 0);
    if (layers > 0 && (layers < partly || values <= all))
        lose_level(answer, values, layers < partly ? layers + 1 : 0);
    else if (layers == 0 && (partly > 0 ? values < most : values < all))
        lose_level(answer, values + 1, partly > 0 ? 1 : 0);
}

/* "offload 3 layers of a stage" */
static const char *offloaded_text(Arena *arena, const Choice *choice)
{
    const char *stage = choice->degree[DEGREE_PIPELINE] > 1 ? " of a stage" : "";
    if (choice->offloaded == 0)
        return "offload all";
    return arena_printf(arena, "offload %d layer%s%s", choice->offloaded, choice->offloaded > 1 ? "s" : "", stage);
}

/* States of a layer less on the host, or of one more; or all. */
static void lose_offloaded(Answer *answer)
{
    const Choice *best = &answer->searched.best.choice;
    Arena *arena = answer->ctx->arena;
    const int32_t instead[] = {best->offloaded - 1, best->offloaded + 1, 0};
    for (size_t i = 0; i < sizeof instead / sizeof *instead && best->offloaded > 0; i++) {
        Choice changed = *best;
        changed.offloaded = instead[i];
        bool all = i == 2, none = instead[i] == 0;
        if (none == all && instead[i] <= space_offloaded(&answer->space, best))
            add_lost(answer, offloaded_text(arena, best), offloaded_text(arena, &changed), &changed);
    }
}

static const char *hosted_text(Arena *arena, int32_t hosted)
{
    return hosted > 0 ? arena_printf(arena, "values_on_host %d", hosted) : "values_on_device";
}

/* A value less on the host, or one more. None is an option. */
static void lose_hosted(Answer *answer)
{
    const Choice *best = &answer->searched.best.choice;
    Arena *arena = answer->ctx->arena;
    for (int32_t hosted = best->hosted - 1; hosted <= best->hosted + 1; hosted++) {
        Choice changed = *best;
        if (hosted < 1 || hosted == best->hosted || hosted > space_hosted(&answer->space, best))
            continue;
        space_host(&changed, hosted);
        add_lost(answer, hosted_text(arena, best->hosted), hosted_text(arena, hosted), &changed);
    }
}

static void lose_placed(Answer *answer)
{
    Choice changed = answer->searched.best.choice;
    if (changed.placed == 0 || changed.apart)
        return;
    changed.placed = 0;
    add_lost(answer, "placed", "parameters alike", &changed);
}

static void lose_pinned(Answer *answer)
{
    Choice changed = answer->searched.best.choice;
    if (changed.pinned == 0)
        return;
    changed.pinned = 0;
    add_lost(answer, "pinned", "no operator pinned", &changed);
}

static void lose_microbatches(Answer *answer, int64_t numerator, int64_t denominator)
{
    const Choice *best = &answer->searched.best.choice;
    Arena *arena = answer->ctx->arena;
    Choice changed = *best;
    changed.micro = (int32_t)(best->micro * numerator / denominator);
    if (best->micro * numerator % denominator == 0 && space_has(&answer->space, &changed))
        add_lost(answer, arena_printf(arena, "%d microbatches", best->micro),
                 arena_printf(arena, "%d microbatch%s", changed.micro, changed.micro == 1 ? "" : "es"), &changed);
}

void lost_find(Answer *answer)
{
    answer->lost_whole = true;
    for (int group = 0; group < GROUP_COUNT; group++)
        lose_options(answer, group);
    lose_chunks(answer, -1);
    lose_chunks(answer, 1);
    for (int from = 0; from < DEGREE_COUNT; from++)
        for (int to = 0; to < DEGREE_COUNT; to++)
            lose_degrees(answer, from, to);
    lose_layers(answer);
    lose_values(answer);
    lose_offloaded(answer);
    lose_hosted(answer);
    lose_placed(answer);
    lose_pinned(answer);
    lose_microbatches(answer, 2, 1);
    lose_microbatches(answer, 1, 2);
}
