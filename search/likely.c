/* likely.c - what probably fits (search/likely.h). */
#include "search/likely.h"

#include "search/usual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A shape by its bound, or one of its strategies. */
typedef struct Candidate {
    double value;
    int order; /* among equals, as it was met */
    Choice choice;
} Candidate;
typedef Vec(Candidate) Candidates;

typedef struct Finding {
    const Likely *likely;
    Bounds *bounds;
    double below;
    Candidate best; /* of the shape */
    int considered;
    Arena *arena;
    Candidates shapes, fit; /* fit: of each shape the best that probably fits */
} Finding;

static double value_of(const Space *space, const Bound *bound)
{
    const Found found = {.seconds = bound->seconds, .bytes = bound->bytes};
    return best_value(space, &found);
}

static int kind_of(const Choice *choice)
{
    return 2 * choice->option[GROUP_STATES] + (choice->option[GROUP_RECOMPUTED] == OPTION_KEEP);
}

static bool probably_fits(const Likely *likely, const Choice *choice, const Bound *bound)
{
    const Space *space = likely->bounds->space;
    const double bytes = bound->likely_bytes + likely->more[kind_of(choice)];
    return bound->error == NULL && (space->memory_bytes == 0 || bytes <= (double)space->memory_bytes);
}

static bool is_probably_slow(const Likely *likely, const Choice *choice, const Bound *bound)
{
    return space_too_slow(likely->bounds->space, bound->seconds * likely->slower[kind_of(choice)]);
}

static bool was_tried(const Likely *likely, const Choice *choice)
{
    bool tried = false;
    for (int i = 0; i < likely->tried.count && !tried; i++)
        tried = memcmp(&likely->tried.data[i], choice, sizeof *choice) == 0;
    return tried;
}

/* Is there no need to look at what keeps less, as this probably fits, or, where the least memory is looked for, is too
 * slow? If it fits, is not too slow, and has the least bound, it is the best of its shape. */
static bool consider(Finding *f, const Choice *choice)
{
    const Space *space = f->bounds->space;
    const Bound bound = bound_roughly(f->bounds, choice);
    const bool fits = probably_fits(f->likely, choice, &bound), slow = is_probably_slow(f->likely, choice, &bound);
    const double value = value_of(space, &bound);
    f->considered++;
    if (fits && !slow && value < f->best.value && !was_tried(f->likely, choice)) {
        f->best.value = value;
        f->best.choice = *choice;
    }
    return space->objective == LEAST_MEMORY ? slow : fits;
}

/* With the fewest values on the host. */
static bool consider_hosted(Finding *f, const Choice *kept)
{
    const int64_t most = space_hosted(f->bounds->space, kept);
    Choice hosted = *kept;
    bool fits = false;
    for (int64_t values = kept->hosted + 1; values <= most && !fits; values++) {
        space_host(&hosted, values);
        fits = consider(f, &hosted);
    }
    return fits;
}

/* With the fewest values recomputed, in all layers. */
static bool consider_values(Finding *f, const Choice *kept)
{
    const Space *space = f->bounds->space;
    Choice again = *kept;
    bool fits = false;
    again.option[GROUP_RECOMPUTED] = OPTION_BY_VALUE;
    for (int64_t values = 1; values <= space_values(space) && values <= space_most_values(space, kept) && !fits;
         values++) {
        again.values = (int32_t)values;
        fits = consider(f, &again);
    }
    return fits;
}

/* With everything recomputed in the fewest layers, or in all. */
static void consider_layers(Finding *f, const Choice *kept)
{
    const Space *space = f->bounds->space;
    Choice again = *kept;
    again.option[GROUP_RECOMPUTED] = OPTION_RECOMPUTE;
    if (!space_has_option(space, kept, GROUP_RECOMPUTED, OPTION_RECOMPUTE) || !consider(f, &again))
        return;
    int64_t low = 1, high = space_partly(space, &again) + 1;
    while (low < high) {
        again.layers = (int32_t)((low + high) / 2);
        if (consider(f, &again))
            high = again.layers;
        else
            low = again.layers + 1;
    }
}

/* Everything kept, if that fits: it takes the least time. */
static bool consider_kept(Finding *f, const Choice *choice)
{
    const Space *space = f->bounds->space;
    Choice kept = *choice;
    kept.option[GROUP_RECOMPUTED] = OPTION_KEEP;
    space_host(&kept, space_least_hosted(space));
    if (kept.hosted > space_hosted(space, &kept))
        return false;
    if (space_has_option(space, &kept, GROUP_RECOMPUTED, OPTION_KEEP) && consider(f, &kept))
        return true;
    bool fits = consider_hosted(f, &kept);
    if (!consider_values(f, &kept) && !fits && kept.hosted == 0)
        consider_layers(f, &kept);
    return false;
}

/* With the states of ever more layers on the host. */
static void consider_offloaded(Finding *f, const Choice *choice)
{
    const Space *space = f->bounds->space;
    Choice offloaded = *choice;
    bool fits = space_has_option(space, choice, GROUP_OFFLOADED, OPTION_ON_DEVICE) && consider_kept(f, choice);
    if (fits || !space_has_option(space, choice, GROUP_OFFLOADED, OPTION_OFFLOAD))
        return;
    offloaded.option[GROUP_OFFLOADED] = OPTION_OFFLOAD;
    const int64_t most = space_offloaded(space, choice);
    for (int64_t layers = 1; layers <= most && !fits; layers *= 2) {
        offloaded.offloaded = (int32_t)layers;
        fits = consider_kept(f, &offloaded);
    }
    offloaded.offloaded = 0;
    if (!fits)
        consider_kept(f, &offloaded);
}

/* What needs the least: everything recomputed, the states divided most and on the host. It takes one inner program to
 * see that nothing of a shape fits. */
static bool may_fit(Finding *f, const Choice *choice)
{
    const Space *space = f->bounds->space;
    Choice least = *choice;
    least.option[GROUP_RECOMPUTED] = OPTION_RECOMPUTE;
    if (space->objective == LEAST_MEMORY || space_least_hosted(space) > 0 ||
        !space_has_option(space, choice, GROUP_RECOMPUTED, OPTION_RECOMPUTE))
        return true;
    least.option[GROUP_STATES] = usual_last_option(space, choice, GROUP_STATES);
    least.option[GROUP_OFFLOADED] = usual_last_option(space, choice, GROUP_OFFLOADED);
    return space_has_option(space, choice, GROUP_OFFLOADED, least.option[GROUP_OFFLOADED]) && consider(f, &least);
}

/* Every way to divide the states, on the device and on the host. */
static void consider_shape(Finding *f, const Choice *shape)
{
    const Space *space = f->bounds->space;
    Choice choice = *shape;
    usual_layers(space, &choice);
    if (!may_fit(f, &choice))
        return;
    for (int states = 0; states < MOST_OPTIONS; states++) {
        if (!space_has_option(space, &choice, GROUP_STATES, states))
            continue;
        choice.option[GROUP_STATES] = (int8_t)states;
        choice.option[GROUP_OFFLOADED] = OPTION_ON_DEVICE;
        consider_offloaded(f, &choice);
    }
}

static void add(Finding *f, Candidates *to, double value, const Choice *choice)
{
    const Candidate candidate = {value, to->count, *choice};
    vec_push(f->arena, to, candidate);
}

/* Chunks of stages take little less, and a program with many of them takes seconds to derive. */
static void add_shape(void *data, const Choice *choice)
{
    Finding *f = data;
    const Bound bound = bound_states(f->bounds, choice);
    const Space *space = f->bounds->space;
    const double value = space->objective == LEAST_MEMORY ? bound.seconds : value_of(space, &bound);
    if (choice->chunks == 1 && !space_too_slow(space, bound.seconds) &&
        (space->objective == LEAST_MEMORY || value < f->below))
        add(f, &f->shapes, value, choice);
}

static int by_value(const void *one, const void *other)
{
    const Candidate *a = one, *b = other;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->order - b->order;
}

static void sort(const Candidates *candidates)
{
    if (candidates->count > 0)
        qsort(candidates->data, (size_t)candidates->count, sizeof *candidates->data, by_value);
}

/* Inner programs that are derived for shapes, and as many for what probably fits. */
enum { MOST_INNER = 12 };

/* The best of each shape, in the order of their bounds. */
static void list_fit(Finding *f)
{
    enum { MOST_CONSIDERED = 20000 };
    const int64_t most = f->bounds->inners.derived + MOST_INNER;
    best_each_shape(f->bounds->space, add_shape, f);
    sort(&f->shapes);
    for (int i = 0; i < f->shapes.count; i++) {
        if (f->bounds->inners.derived >= most || f->considered > MOST_CONSIDERED)
            break;
        f->best.value = INFINITY;
        consider_shape(f, &f->shapes.data[i].choice);
        if (f->best.value < f->below)
            add(f, &f->fit, f->best.value, &f->best.choice);
    }
    sort(&f->fit);
}

bool likely_find(const Likely *likely, double below, Choice *best)
{
    Finding f = {.likely = likely, .bounds = likely->bounds, .below = below, .arena = arena_new()};
    double least = below;
    list_fit(&f);
    const int64_t most = f.bounds->inners.derived + MOST_INNER;
    for (int i = 0; i < f.fit.count && f.fit.data[i].value < least && f.bounds->inners.derived < most; i++) {
        const Choice *choice = &f.fit.data[i].choice;
        const Bound bound = bound_choice(f.bounds, choice);
        const double value = value_of(f.bounds->space, &bound);
        if (value >= least || !probably_fits(likely, choice, &bound) || is_probably_slow(likely, choice, &bound))
            continue;
        least = value;
        *best = *choice;
    }
    arena_free(f.arena);
    return least < below;
}

void likely_open(Likely *likely, Arena *arena, Bounds *bounds)
{
    *likely = (Likely){.bounds = bounds, .arena = arena};
    for (int kind = 0; kind < LIKELY_KINDS; kind++)
        likely->slower[kind] = 1;
}

void likely_learn(Likely *likely, const Found *found)
{
    const int kind = kind_of(&found->choice);
    const Bound bound = bound_choice(likely->bounds, &found->choice);
    if (found->error == NULL) {
        likely->more[kind] = found->bytes - bound.likely_bytes;
        likely->slower[kind] = bound.seconds > 0 ? found->seconds / bound.seconds : 1;
    }
    vec_push(likely->arena, &likely->tried, found->choice);
}
