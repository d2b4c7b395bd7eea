/* best.c - branch and bound over a space (search/best.h). */
#include "search/best.h"

#include "search/exact.h"
#include "search/fit.h"
#include "search/known.h"
#include "search/likely.h"
#include "search/saving.h"
#include "search/usual.h"

#include <math.h>
#include <string.h>

/* How closely a part of the space was looked at. */
typedef enum Depth {
    DEPTH_SHAPE,   /* degrees, microbatches, schedule */
    DEPTH_APART,   /* how layers are divided, too: what they do over each axis, */
    DEPTH_LAYERS,  /* and over all of them */
    DEPTH_ROW,     /* and states, and what is on the host: all that may be recomputed */
    DEPTH_ROUGHLY, /* everything: one strategy, */
    DEPTH_CHOICE,  /* and its microbatches, */
    DEPTH_EXACTLY  /* where no rank waits for another */
} Depth;

typedef struct Open {
    double bound;
    int64_t order; /* among equals, the first that was met */
    Depth depth;
    Choice choice;
} Open;

typedef struct Search {
    Arena *arena;
    const Pattern *pattern;
    const Space *space;
    Bounds *bounds;
    Searched *searched;
    Vec(Open) heap;
    int64_t met;
    int64_t next_likely; /* inner programs, after which what probably fits is tried again */
    Likely likely;
    bool proves;      /* each program at once, as one was wrong; otherwise the best of them */
    Vec(Found) tried; /* that fit, not proved, */
    Vec(Open) spared; /* and what keeps less than one of these */
    const SearchWatch *watch;
} Search;

/* ---- The heap ----------------------------------------------------------------------------------------------- */

/* Among equal bounds what was looked at more closely comes first: it may end the search. */
static bool before(const Open *a, const Open *b)
{
    if (a->bound != b->bound)
        return a->bound < b->bound;
    return a->depth != b->depth ? a->depth > b->depth : a->order < b->order;
}

static void push(Search *s, double bound, Depth depth, const Choice *choice)
{
    Open open = {bound, s->met++, depth, *choice};
    vec_push(s->arena, &s->heap, open);
    int at = s->heap.count - 1;
    for (; at > 0 && before(&open, &s->heap.data[(at - 1) / 2]); at = (at - 1) / 2)
        s->heap.data[at] = s->heap.data[(at - 1) / 2];
    s->heap.data[at] = open;
}

static Open pop(Search *s)
{
    Open top = s->heap.data[0], moved = s->heap.data[--s->heap.count];
    int at = 0, count = s->heap.count;
    for (;;) {
        int child = 2 * at + 1;
        if (child + 1 < count && before(&s->heap.data[child + 1], &s->heap.data[child]))
            child++;
        if (child >= count || !before(&s->heap.data[child], &moved))
            break;
        s->heap.data[at] = s->heap.data[child];
        at = child;
    }
    s->heap.data[at] = moved;
    return top;
}

/* ---- The space ---------------------------------------------------------------------------------------------- */

static double value_of(const Space *space, const Bound *bound)
{
    switch (space->objective) {
    case LEAST_TIME:
    case LEAST_BOTH:      /* for each limit of memory */
    case MOST_THROUGHPUT: /* for each number of sequences */
        return bound->seconds;
    case LEAST_PRICE:
        return space_price(space, bound->seconds);
    case LEAST_MEMORY:
        return bound->bytes;
    }
    BUG("no objective %d", space->objective);
}

/* Bounds are rounded otherwise than what they bound. */
static double least_value(const Space *space, const Bound *bound)
{
    return value_of(space, bound) * (1 - 1e-12);
}

double best_value(const Space *space, const Found *found)
{
    const Bound bound = {.seconds = found->seconds, .bytes = found->bytes};
    return value_of(space, &bound);
}

/* Costs that differ by less, in parts of them, differ by rounding alone. */
static const double rounding = 1e-12;

static bool differ(double one, double other)
{
    return fabs(one - other) > rounding * other;
}

bool best_slower(const Found *found, const Found *than)
{
    return found->seconds > than->seconds && differ(found->seconds, than->seconds);
}

bool best_beats(const Space *space, const Found *found, const Found *than)
{
    double value = best_value(space, found), other = best_value(space, than);
    if (differ(value, other))
        return value < other;
    return space->objective == LEAST_MEMORY ? found->seconds < than->seconds : found->bytes < than->bytes;
}

/* ---- Shapes ------------------------------------------------------------------------------------------------- */

typedef struct Shapes {
    const Space *space;
    BestShape *found;
    void *data;
} Shapes;

/* Interleaved stages have equally many layers, and equally many of them in each chunk. */
static void each_schedule(const Shapes *s, Choice *choice)
{
    int64_t stages = choice->degree[DEGREE_PIPELINE], layers = s->space->layers;
    for (int schedule = 0; schedule < MOST_OPTIONS; schedule++) {
        if (!space_has_option(s->space, choice, GROUP_SCHEDULE, schedule))
            continue;
        choice->option[GROUP_SCHEDULE] = (int8_t)schedule;
        choice->chunks = 1;
        if (stages == 1 || schedule != OPTION_INTERLEAVED) {
            s->found(s->data, choice);
            continue;
        }
        for (int64_t chunks = 2; chunks * stages <= layers; chunks++) {
            choice->chunks = (int32_t)chunks;
            if (layers % (chunks * stages) == 0)
                s->found(s->data, choice);
        }
    }
}

/* Every microbatch has equally many examples on all ranks. */
static void each_microbatches(const Shapes *s, Choice *choice)
{
    choice->micro = 1;
    int64_t parts = space_parts(choice), batch = s->space->train->batch;
    if (batch % parts != 0 || (choice->degree[DEGREE_REPLICA] > 1 && choice->degree[DEGREE_DATA] == 1))
        return;
    for (int64_t micro = s->space->micro.low; micro <= s->space->micro.high && micro <= batch / parts; micro++) {
        choice->micro = (int32_t)micro;
        if (batch / parts % micro == 0 && batch / parts / micro <= s->space->examples)
            each_schedule(s, choice);
    }
}

/* Gives the devices that are left to the axes from `degree` on. */
static void each_degrees(const Shapes *s, Choice *choice, int degree, int64_t left)
{
    if (degree == DEGREE_COUNT) {
        if (left == 1)
            each_microbatches(s, choice);
        return;
    }
    const Limit *limit = &s->space->degree[degree];
    for (int64_t size = limit->low; size <= left && size <= limit->high; size++) {
        if (left % size != 0)
            continue;
        choice->degree[degree] = (int32_t)size;
        each_degrees(s, choice, degree + 1, left / size);
    }
}

void best_each_shape(const Space *space, BestShape *found, void *data)
{
    const Shapes shapes = {space, found, data};
    Choice choice = {.degree = {1, 1, 1, 1, 1, 1}, .chunks = 1};
    each_degrees(&shapes, &choice, 0, space->devices);
}

static void open_shape(void *data, const Choice *choice)
{
    Search *s = data;
    double strategies = saving_count(s->space, choice);
    for (int group = GROUP_SCHEDULE + 1; group < GROUP_RECOMPUTED; group++)
        strategies *= saving_options(s->space, choice, group);
    s->searched->shapes++;
    s->searched->strategies += strategies;
    const Bound bound = bound_states(s->bounds, choice);
    if (space_too_slow(s->space, bound.seconds))
        return;
    push(s, least_value(s->space, &bound), DEPTH_SHAPE, choice);
}

/* ---- Looking more closely ----------------------------------------------------------------------------------- */

/* No less than is known already. */
static void push_bound(Search *s, const Open *open, const Bound *bound, Depth depth, const Choice *choice)
{
    double value = least_value(s->space, bound);
    if (bound->error != NULL) {
        s->searched->error = bound->error;
        return;
    }
    if (fit_is_too_large(s->space, bound) || space_too_slow(s->space, bound->seconds))
        return;
    push(s, value > open->bound ? value : open->bound, depth, choice);
}

/* Every way to set the groups first .. last. */
static void each_option(Search *s, const Open *open, Choice *choice, const int *groups, int count,
                        void (*found)(Search *s, const Open *open, const Choice *choice))
{
    if (count == 0) {
        found(s, open, choice);
        return;
    }
    for (int option = 0; option < MOST_OPTIONS; option++) {
        if (!space_has_option(s->space, choice, groups[0], option))
            continue;
        choice->option[groups[0]] = (int8_t)option;
        each_option(s, open, choice, groups + 1, count - 1, found);
    }
}

static void found_apart(Search *s, const Open *open, const Choice *choice)
{
    const Bound bound = bound_apart(s->bounds, choice);
    push_bound(s, open, &bound, DEPTH_APART, choice);
}

static void open_layers(Search *s, const Open *open)
{
    const Bound bound = bound_layers(s->bounds, &open->choice);
    push_bound(s, open, &bound, DEPTH_LAYERS, &open->choice);
}

Version best_version(Arena *arena, const Space *space, const Choice *choice)
{
    return (Version){.mesh = space_mesh(arena, choice),
                     .strategy = space_named(arena, space, choice),
                     .declared = space_declared(arena, space, choice),
                     .batch = space->train->batch,
                     .micro = choice->micro};
}

Found best_cost(const Pattern *pattern, const Space *space, const Choice *choice, Arena *arena)
{
    Costed costed;
    const Version version = best_version(arena, space, choice);
    const Cost *cost = known_find(pattern, &version);
    if (cost == NULL) {
        pattern_cost(pattern, &version, &costed);
        cost = known_add(pattern, &version, &costed);
        costed_close(&costed);
    }
    return known_found(arena, space, choice, cost);
}

static bool is_better(const Space *space, const Searched *searched, const Found *found)
{
    return found->fits && (!searched->any || best_beats(space, found, &searched->best));
}

static bool prove(Arena *arena, Searched *searched, Costed *costed)
{
    searched->proved++;
    bool right = costed_prove(costed);
    if (!right)
        searched->error = arena_copy(arena, costed->error, strlen(costed->error));
    return right;
}

/* In the place of what was the best. */
static void keep(Searched *searched, const Found *found, const Costed *costed)
{
    if (searched->any)
        costed_close(&searched->program);
    searched->program = *costed;
    searched->best = *found;
    searched->any = true;
}

static Found take_error(Searched *searched, const Found *found)
{
    if (found->error != NULL)
        searched->error = found->error;
    return *found;
}

/* The program is wanted only of what is better. */
static Found try_program(Arena *arena, const Pattern *pattern, const Space *space, const Choice *choice, bool proves,
                         Searched *searched)
{
    Costed costed;
    const Version version = best_version(arena, space, choice);
    const Cost *cost = known_find(pattern, &version);
    searched->costed++;
    if (cost != NULL) {
        const Found known = known_found(arena, space, choice, cost);
        if (!is_better(space, searched, &known))
            return take_error(searched, &known);
    }
    pattern_cost(pattern, &version, &costed);
    if (cost == NULL)
        cost = known_add(pattern, &version, &costed);
    const Found found = known_found(arena, space, choice, cost);
    if (is_better(space, searched, &found) && (!proves || prove(arena, searched, &costed)))
        keep(searched, &found, &costed);
    else
        costed_close(&costed);
    return take_error(searched, &found);
}

Found best_try(Arena *arena, const Pattern *pattern, const Space *space, const Choice *choice, Searched *searched)
{
    return try_program(arena, pattern, space, choice, true, searched);
}

/* ---- Proofs at the end --------------------------------------------------------------------------------------- */

/* Many programs are the best for a while, and a proof takes as long as ten derivations: only the last of them counts,
 * and is proved. */
static Found try_choice(Search *s, const Choice *choice)
{
    const Found found = try_program(s->arena, s->pattern, s->space, choice, s->proves, s->searched);
    if (found.fits && !s->proves)
        vec_push(s->arena, &s->tried, found);
    return found;
}

/* Is the best right? If it is not, all that were tried are tried again, each with its proof. */
static bool prove_best(Search *s)
{
    Searched *searched = s->searched;
    if (!searched->any || s->proves || prove(s->arena, searched, &searched->program))
        return true;
    costed_close(&searched->program);
    searched->any = false;
    s->proves = true;
    for (int i = 0; i < s->tried.count; i++)
        push(s, best_value(s->space, &s->tried.data[i]), DEPTH_EXACTLY, &s->tried.data[i].choice);
    for (int i = 0; i < s->spared.count; i++)
        push(s, s->spared.data[i].bound, s->spared.data[i].depth, &s->spared.data[i].choice);
    return false;
}

/* ---- Saving memory ------------------------------------------------------------------------------------------ */

/* Is there nothing to look for in it but what recomputes more? */
static bool is_lost(const Search *s, const Choice *choice, const Bound *bound)
{
    bool other = choice->option[GROUP_RECOMPUTED] == OPTION_KEEP || choice->hosted > 0;
    return fit_is_too_large(s->space, bound) || (bound->error != NULL && other);
}

/* A bound of a strategy from below, of the two that bound.h has. */
typedef Bound BoundStrategy(Bounds *bounds, const Choice *choice);

/* Opens the choice with the fewest layers recomputed, from `low` to as many as there may be, with which it may fit by
 * this bound: it keeps less with each. False if it does not with any. */
static bool open_partly(Search *s, const Open *open, const Choice *choice, int64_t low, BoundStrategy *bound_strategy)
{
    Choice partly = *choice;
    int64_t most = space_partly(s->space, choice), high = most + 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        partly.layers = (int32_t)middle;
        const Bound bound = bound_strategy(s->bounds, &partly);
        if (fit_is_too_large(s->space, &bound))
            low = middle + 1;
        else
            high = middle;
    }
    if (low > most)
        return false;
    partly.layers = (int32_t)low;
    const Bound bound = bound_roughly(s->bounds, &partly);
    push_bound(s, open, &bound, DEPTH_ROUGHLY, &partly);
    return true;
}

/* What layers begin with may be on the host. */
static void open_hosted(Search *s, const Open *open, const Choice *choice)
{
    Choice hosted = *choice;
    if (choice->hosted >= space_hosted(s->space, choice))
        return;
    space_host(&hosted, choice->hosted + 1);
    const Bound bound = bound_roughly(s->bounds, &hosted);
    push_bound(s, open, &bound, DEPTH_ROUGHLY, &hosted);
}

static void open_alike(Search *s, const Open *open, const Choice *choice)
{
    const Bound bound = bound_roughly(s->bounds, choice);
    push_bound(s, open, &bound, DEPTH_ROUGHLY, choice);
    if (fit_is_too_large(s->space, &bound))
        open_hosted(s, open, choice);
}

static void open_recomputed(Search *s, const Open *open, const Choice *row, int option)
{
    Choice recomputed = *row;
    recomputed.option[GROUP_RECOMPUTED] = (int8_t)option;
    if (!fit_has_recomputed(s->space, row, option))
        return;
    open_alike(s, open, &recomputed);
    if (option == OPTION_RECOMPUTE && row->hosted == 0)
        open_partly(s, open, &recomputed, 1, bound_roughly);
}

/* With the fewest values, from so many on and in so many layers (0: in all), with which it may fit. If it does not with
 * a value in all layers, it does not with it in some. Everything in all layers is an option. */
static void open_values(Search *s, const Open *open, const Choice *choice, int64_t values, int64_t layers,
                        BoundStrategy *bound_strategy)
{
    Choice some = *choice;
    some.option[GROUP_RECOMPUTED] = OPTION_BY_VALUE;
    for (; values <= space_most_values(s->space, choice); values++, layers = 1, bound_strategy = bound_roughly) {
        bool everything = values > space_values(s->space);
        some.values = (int32_t)values;
        some.layers = 0;
        const Bound bound = everything ? (Bound){0} : bound_roughly(s->bounds, &some);
        if (fit_is_too_large(s->space, &bound))
            continue;
        if ((layers == 0 || !open_partly(s, open, &some, layers, bound_strategy)) && !everything)
            push_bound(s, open, &bound, DEPTH_ROUGHLY, &some);
        return;
    }
}

/* From what keeps everything on the device that is not on the host. */
static void open_all_recomputed(Search *s, const Open *open, const Choice *choice)
{
    for (int option = OPTION_KEEP + 1; option < MOST_OPTIONS; option++)
        open_recomputed(s, open, choice, option);
    open_values(s, open, choice, 1, 1, bound_roughly);
}

/* A *row* is all that may be recomputed with so many values, and the states of so many layers, on the host. What takes
 * least time of it is to recompute nothing. */
static void push_row(Search *s, const Open *open, const Choice *row)
{
    const Bound bound = bound_roughly(s->bounds, row);
    double value = least_value(s->space, &bound);
    if (!space_too_slow(s->space, bound.seconds))
        push(s, value > open->bound ? value : open->bound, DEPTH_ROW, row);
}

/* With the states of more layers there, or of none, but with one value more. */
static void open_rows(Search *s, const Open *open, const Choice *row)
{
    Choice next = *row;
    if (fit_next_row(s->bounds, &next))
        push_row(s, open, &next);
    next = *row;
    space_host(&next, row->hosted + 1);
    if (row->offloaded == 0 && row->hosted < space_hosted(s->space, row))
        push_row(s, open, &next);
}

/* One that does not fit may if it recomputes more, or has more on the host, which takes longer. In more layers it runs
 * what it does in some: that is known as closely. */
static void open_more(Search *s, const Open *open, const Choice *choice)
{
    int64_t partly = space_partly(s->space, choice);
    if (s->space->objective == LEAST_MEMORY)
        return; /* open_each */
    switch (choice->option[GROUP_RECOMPUTED]) {
    case OPTION_KEEP:
        open_all_recomputed(s, open, choice);
        open_rows(s, open, choice);
        return;
    case OPTION_SELECTIVE:
    case OPTION_RECOMPUTE:
        if (choice->layers > 0)
            open_partly(s, open, choice, choice->layers + 1, bound_choice);
        else
            open_hosted(s, open, choice);
        return;
    case OPTION_BY_VALUE:
        if (choice->layers == 0)
            open_values(s, open, choice, choice->values + 1, 1, bound_roughly);
        else
            open_values(s, open, choice, choice->values, choice->layers < partly ? choice->layers + 1 : 0,
                        bound_choice);
        return;
    }
}

static void push_or_more(Search *s, const Open *open, const Bound *bound, Depth depth, const Choice *choice)
{
    push_bound(s, open, bound, depth, choice);
    if (is_lost(s, choice, bound))
        open_more(s, open, choice);
}

/* Row by row: a row with more on the host is looked at if this one does not fit with nothing recomputed. */
static void open_row(Search *s, const Open *open, const Choice *row)
{
    if (space_has_option(s->space, row, GROUP_RECOMPUTED, OPTION_KEEP)) {
        const Bound bound = bound_roughly(s->bounds, row);
        push_or_more(s, open, &bound, DEPTH_ROUGHLY, row);
    } else {
        open_all_recomputed(s, open, row);
        open_rows(s, open, row);
    }
}

/* Every number of layers whose states are on the host. */
static void open_each_offloaded(Search *s, const Open *open, const Choice *choice)
{
    Choice some = *choice;
    const Bound none = bound_roughly(s->bounds, choice);
    push_bound(s, open, &none, DEPTH_ROUGHLY, choice);
    some.option[GROUP_OFFLOADED] = OPTION_OFFLOAD;
    const int64_t most = choice->option[GROUP_OFFLOADED] == OPTION_ON_DEVICE ? space_offloaded(s->space, choice) : 0;
    for (some.offloaded = 1; some.offloaded <= most; some.offloaded++) {
        const Bound bound = bound_roughly(s->bounds, &some);
        push_bound(s, open, &bound, DEPTH_ROUGHLY, &some);
    }
}

/* All layers, and every number of them. */
static void open_each_layers(Search *s, const Open *open, const Choice *choice)
{
    Choice partly = *choice;
    if (choice->option[GROUP_RECOMPUTED] != OPTION_BY_VALUE || choice->values <= space_values(s->space))
        open_each_offloaded(s, open, choice);
    for (partly.layers = 1; partly.layers <= space_partly(s->space, choice); partly.layers++)
        if (partly.hosted <= space_hosted(s->space, &partly))
            open_each_offloaded(s, open, &partly);
}

static void open_each_recomputed(Search *s, const Open *open, Choice choice)
{
    for (int option = 0; option < MOST_OPTIONS; option++) {
        choice.option[GROUP_RECOMPUTED] = (int8_t)option;
        if (!space_has_option(s->space, &choice, GROUP_RECOMPUTED, option) ||
            choice.hosted > space_hosted(s->space, &choice))
            continue;
        if (option == OPTION_RECOMPUTE)
            open_each_layers(s, open, &choice);
        else
            open_each_offloaded(s, open, &choice);
    }
    choice.option[GROUP_RECOMPUTED] = OPTION_BY_VALUE;
    const int64_t most = space_most_values(s->space, &choice);
    for (choice.values = 1; choice.values <= most; choice.values++)
        open_each_layers(s, open, &choice);
}

/* Of the least memory nothing is known until it is seen which are fast enough. */
static void open_each(Search *s, const Open *open, const Choice *kept)
{
    const int64_t most = space_hosted(s->space, kept);
    Choice choice = *kept;
    for (int64_t hosted = space_least_hosted(s->space); hosted <= most; hosted++) {
        space_host(&choice, hosted);
        open_each_recomputed(s, open, choice);
    }
    for (int everything = 0; everything < 2; everything++) {
        choice = *kept;
        if (space_hosts_most(s->space, everything, &choice))
            open_each_offloaded(s, open, &choice);
    }
}

/* Where something has to be on the host: what recomputes has another value there, which may take less time. */
static void open_others(Search *s, const Open *open, const Choice *row)
{
    bool other = s->space->objective != LEAST_MEMORY && row->hosted > 0;
    for (int option = OPTION_KEEP + 1; other && option < MOST_OPTIONS; option++)
        open_recomputed(s, open, row, option);
}

static void found_choice(Search *s, const Open *open, const Choice *choice)
{
    Choice kept = *choice;
    kept.option[GROUP_RECOMPUTED] = OPTION_KEEP;
    space_host(&kept, space_least_hosted(s->space));
    if (s->space->objective == LEAST_MEMORY)
        open_each(s, open, &kept);
    else if (kept.hosted <= space_hosted(s->space, &kept))
        open_row(s, open, &kept);
    open_others(s, open, &kept);
}

/* One that fits, and keeps more, takes less time. */
static bool is_spared(Search *s, const Open *open)
{
    bool spared = false;
    if (open->depth < DEPTH_ROW || s->space->objective == LEAST_MEMORY || s->proves)
        return false;
    for (int i = 0; i < s->tried.count && !spared; i++)
        spared = saving_keeps_no_less(s->space, &s->tried.data[i].choice, &open->choice);
    if (spared)
        vec_push(s->arena, &s->spared, *open);
    return spared;
}

/* Of the microbatches that it has. */
static void bound_closer(Search *s, const Open *open)
{
    const Bound bound = bound_choice(s->bounds, &open->choice);
    push_or_more(s, open, &bound, DEPTH_CHOICE, &open->choice);
}

/* Its time, which its program has to rounding. False: that is not known, or not what is asked for. */
static bool bound_exactly(Search *s, const Open *open)
{
    Bound bound = {0};
    if (s->space->objective == LEAST_MEMORY || !exact_seconds(&s->bounds->inners, &open->choice, &bound.seconds))
        return false;
    push_bound(s, open, &bound, DEPTH_EXACTLY, &open->choice);
    return true;
}

static void try_open(Search *s, const Open *open)
{
    const Found found = try_choice(s, &open->choice);
    const Bound own = {.bytes = found.bytes, .error = found.error};
    if (is_lost(s, &open->choice, &own))
        open_more(s, open, &open->choice);
}

/* ---- All depths --------------------------------------------------------------------------------------------- */

static void look_closer(Search *s, const Open *open)
{
    static const int layers[] = {GROUP_CONTEXTS, GROUP_EXPERTS, GROUP_TENSORS};
    static const int rest[] = {GROUP_STATES, GROUP_OFFLOADED};
    Choice choice = open->choice;
    if (is_spared(s, open))
        return;
    switch (open->depth) {
    case DEPTH_SHAPE:
        each_option(s, open, &choice, layers, sizeof layers / sizeof *layers, found_apart);
        return;
    case DEPTH_APART:
        open_layers(s, open);
        return;
    case DEPTH_LAYERS:
        each_option(s, open, &choice, rest, sizeof rest / sizeof *rest, found_choice);
        return;
    case DEPTH_ROW:
        open_row(s, open, &choice);
        return;
    case DEPTH_ROUGHLY:
        bound_closer(s, open);
        return;
    case DEPTH_CHOICE:
        if (!bound_exactly(s, open))
            try_open(s, open);
        return;
    case DEPTH_EXACTLY:
        try_open(s, open);
        return;
    }
    BUG("a strategy at depth %d is looked at", open->depth);
}

/* ---- A first answer ----------------------------------------------------------------------------------------- */

static void try_usual(Search *s)
{
    static const double rooms[] = {0.95, 0.8, 0.6, 0.4};
    Choice first;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms && !s->searched->any; i++)
        if (usual_find(s->bounds, rooms[i], &first))
            try_choice(s, &first);
}

/* ---- The search --------------------------------------------------------------------------------------------- */

double best_seconds_since(const struct timespec *began)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - began->tv_sec) + 1e-9 * (double)(now.tv_nsec - began->tv_nsec);
}

bool best_goes_on(const SearchWatch *watch, const Space *space, Searched *searched)
{
    searched->elapsed_s = best_seconds_since(&watch->began);
    return watch->tick == NULL || watch->tick(watch->data, space, searched);
}

static bool goes_on(Search *s)
{
    s->searched->inner = s->bounds->inners.derived;
    return best_goes_on(s->watch, s->space, s->searched);
}

/* Where memory is scarce, or for the least of it time, what has a low bound does not fit, and long nothing else is met.
 * So what probably fits is tried until something does: once where nothing usual fits, and each time twice as much is
 * known. */
static void try_likely(Search *s)
{
    enum { TRIES = 6 };
    bool fits = false;
    s->next_likely = 2 * (s->bounds->inners.derived + 1);
    if (!(s->space->objective == LEAST_MEMORY ? isfinite(space_most_seconds(s->space)) : s->space->memory_bytes > 0))
        return;
    for (int i = 0; i < TRIES && !fits && goes_on(s); i++) {
        const double below = s->searched->any ? best_value(s->space, &s->searched->best) : INFINITY;
        Choice choice;
        if (!likely_find(&s->likely, below, &choice))
            return;
        const Found found = try_choice(s, &choice);
        likely_learn(&s->likely, &found);
        fits = found.fits;
    }
}

/* Until nothing open has a bound below the best, or the one who watches has enough. */
static void look_at_all(Search *s)
{
    Searched *searched = s->searched;
    while (s->heap.count > 0) {
        searched->bound = s->heap.data[0].bound;
        if (searched->any && searched->bound >= best_value(s->space, &searched->best))
            return;
        if (!goes_on(s))
            return;
        if (s->bounds->inners.derived >= s->next_likely)
            try_likely(s);
        const Open open = pop(s);
        look_closer(s, &open);
    }
}

/* Inner programs, after which what probably fits is tried for the first time, where something usual does fit. */
enum { FIRST_LIKELY = 64 };

void best_find(Arena *arena, const Pattern *pattern, const Space *space, Bounds *bounds, const SearchWatch *watch,
               Searched *searched)
{
    Search s = {
        .arena = arena, .pattern = pattern, .space = space, .bounds = bounds, .searched = searched, .watch = watch};
    likely_open(&s.likely, arena, bounds);
    *searched = (Searched){0};
    try_usual(&s);
    s.next_likely = searched->any ? FIRST_LIKELY : 0;
    best_each_shape(space, open_shape, &s);
    do
        look_at_all(&s);
    while (!prove_best(&s));
    goes_on(&s);
    double best = searched->any ? best_value(space, &searched->best) : INFINITY;
    searched->exact = s.heap.count == 0 || searched->bound >= best;
    searched->bound = searched->exact ? best : searched->bound;
}
