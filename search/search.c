/* search.c - from a program to the answer of its search (search/search.h). */
#include "search/search.h"

#include "search/freely.h"
#include "search/known.h"
#include "search/lost.h"
#include "search/nothing.h"
#include "search/pinned.h"
#include "search/placed.h"
#include "search/probe.h"
#include "search/saved.h"
#include "search/sizes.h"
#include "search/values.h"

#include <math.h>
#include <string.h>

/* ---- The space of a program --------------------------------------------------------------------------------- */

/* More is searched only if the program says so: a stage without a layer, tensor parallelism between nodes, and parts of
 * contexts that few models have. */
static const int64_t usual_context = 64;

static int64_t all_layers(const Decls *decls)
{
    int64_t layers = 0;
    for (int i = 0; i < decls->groups.count; i++)
        layers += decls->groups.data[i].layers;
    return layers > 0 ? layers : 1;
}

static void limit_usually(Space *space)
{
    Limit *tensor = &space->degree[DEGREE_TENSOR], *context = &space->degree[DEGREE_CONTEXT];
    Limit *stages = &space->degree[DEGREE_PIPELINE];
    const Cluster *cluster = &space->train->cluster;
    if (!stages->given)
        stages->high = all_layers(&space->train->decls);
    if (!tensor->given && cluster->node_devices > 0)
        tensor->high = cluster->node_devices;
    if (!context->given)
        context->high = usual_context;
}

/* What goes with a served model, and with no other. Unless memory ends it, more sequences are always better. */
static bool check_served(Ctx *ctx, const Answer *answer)
{
    if (answer->space.objective != MOST_THROUGHPUT)
        return true;
    Span span = answer->pattern.strategy_span;
    const Cluster *cluster = &answer->base.train->cluster;
    if (!answer->base.train->serves) {
        Diagnostic *d =
            diag_report(ctx->diag, P0206, span, "throughput is what a model is served for; this one is trained");
        diag_help(d, "Write `least time`: the batch of a train is what its line says.");
        return false;
    }
    if (answer->space.memory_bytes == 0 && cluster->device.memory_bytes == 0) {
        Diagnostic *d = diag_report(ctx->diag, P0365, span, "how much memory a device has is not known");
        diag_why(d, "Only memory limits how many sequences are served at once.");
        diag_help(d, "Say it in cluster '%s', as `memory 24 GiB`, or here, as `memory at most 20 GiB`.", cluster->name);
        return false;
    }
    return true;
}

static void exclude(Space *space, OptionGroup group, int first, const char *why)
{
    for (int option = first; option < space->options[group].count; option++)
        space->options[group].option[option].excluded = why;
}

/* Nothing goes back, and only the batch is divided, once. */
static void limit_served(Space *space)
{
    if (!space->train->serves)
        return;
    space->micro = (Limit){.low = 1, .high = 1};
    exclude(space, GROUP_SCHEDULE, OPTION_GPIPE, "a step has one microbatch");
    exclude(space, GROUP_RECOMPUTED, OPTION_SELECTIVE, "nothing is kept for a backward pass");
    exclude(space, GROUP_OFFLOADED, OPTION_OFFLOAD, "there is no optimizer");
    for (int zero = 1; zero <= 2; zero++)
        space->options[GROUP_STATES].option[zero].excluded = "there are no gradients and no optimizer";
}

static bool check_microbatches(Ctx *ctx, const Answer *answer)
{
    const Limit *micro = &answer->space.micro;
    if (!answer->base.train->serves || !micro->given || micro->low == 1)
        return true;
    Diagnostic *d =
        diag_report(ctx->diag, P0365, answer->pattern.strategy_span,
                    "the search is for %lld microbatches, but a step of a served model has one", (long long)micro->low);
    diag_help(d, "Leave out `microbatches`.");
    return false;
}

static bool check_price(Ctx *ctx, const Answer *answer)
{
    if (!space_needs_price(&answer->space) || answer->base.train->cluster.device.price_per_second > 0)
        return true;
    Diagnostic *d = diag_report(ctx->diag, P0365, answer->pattern.strategy_span, "the price of a step is not known");
    diag_help(d, "A line of cluster '%s' says it, as `price 2.5 per hour`.", answer->pattern.cluster);
    return false;
}

static bool check_time(Ctx *ctx, const Answer *answer)
{
    const char *unknown = answer->base.plan->time.unknown;
    if (unknown == NULL || !space_needs_time(&answer->space))
        return true;
    Diagnostic *d = diag_report(ctx->diag, P0365, answer->pattern.strategy_span,
                                "the time of a step on %s is not predicted", answer->base.train->cluster.device.name);
    diag_why(d, "Not known is %s.", unknown);
    diag_help(d,
              "Lines of cluster '%s' may say it, as `memory at 18 GB/s` or `products f32 at 15 TFLOP/s`; `placec "
              "calibrate` writes those of this machine. `least memory` without limits of time and price needs no time.",
              answer->pattern.cluster);
    return false;
}

/* The cluster of any mesh on it; 0 if there is no such cluster. */
static int64_t find_devices(const Pattern *pattern)
{
    Costed costed;
    const Version one = {.mesh = "data: 1", .strategy = "data_parallel(data)", .batch = 1, .micro = 1};
    pattern_cost(pattern, &one, &costed);
    int64_t devices = costed.train != NULL ? costed.train->cluster.devices : 0;
    if (devices == 0)
        pattern_report(pattern, &one, &costed);
    costed_close(&costed);
    return devices;
}

/* The program on one device: with one example, or with more, if that is no program. NULL plan: it never is. */
static Version open_alone(Ctx *ctx, const Pattern *pattern, const Space *space, Costed *alone)
{
    Version version = {.mesh = arena_printf(ctx->arena, "copy: %lld, data: 1", (long long)space->devices),
                       .strategy = "data_parallel(data)",
                       .batch = 1,
                       .micro = 1};
    pattern_cost(pattern, &version, alone);
    while (alone->plan == NULL && version.batch < pattern->batch) {
        costed_close(alone);
        version.batch = 2 * version.batch < pattern->batch ? 2 * version.batch : pattern->batch;
        pattern_cost(pattern, &version, alone);
    }
    return version;
}

/* What a search finds keeps the asserts of its train. */
static bool check_asserts(Ctx *ctx, const Answer *answer)
{
    const Train *train = answer->base.train;
    for (int i = 0; i < train->asserts.count; i++) {
        if (train->asserts.data[i].quantity != ASSERT_TRAFFIC_PER_DEVICE)
            continue;
        Diagnostic *d = diag_report(ctx->diag, P0365, answer->pattern.strategy_span,
                                    "a search has no limit of what devices send, which the train asserts");
        diag_help(d, "Leave out `assert traffic per device` while you search; `placec plan` says what is sent.");
        return false;
    }
    return true;
}

/* They are less than what is asserted, not equal to it. */
static void limit_asserted(const Train *train, Space *space)
{
    static const double below = 1 - 2e-9; /* space_too_slow allows for rounding */
    for (int i = 0; i < train->asserts.count; i++) {
        const Assert *claim = &train->asserts.data[i];
        int64_t bytes = claim->limit_bytes > 1 ? claim->limit_bytes - 1 : 1;
        double seconds = claim->limit_seconds * below;
        switch (claim->quantity) {
        case ASSERT_MEMORY_PER_DEVICE:
            if (space->memory_bytes == 0 || bytes < space->memory_bytes)
                space->memory_bytes = bytes;
            break;
        case ASSERT_TIME_PER_STEP:
            if (!space->slower && (space->most_seconds == 0 || seconds < space->most_seconds))
                space->most_seconds = seconds;
            break;
        case ASSERT_TRAFFIC_PER_DEVICE: /* check_asserts */
            break;
        }
    }
}

static bool open_limits(Ctx *ctx, Answer *answer)
{
    Space *space = &answer->space;
    if (space->memory_bytes == 0)
        space->memory_bytes = answer->base.train->cluster.device.memory_bytes;
    limit_asserted(answer->base.train, space);
    return check_served(ctx, answer) && check_microbatches(ctx, answer) && check_price(ctx, answer) &&
           check_asserts(ctx, answer) && check_time(ctx, answer);
}

static bool open_space(Ctx *ctx, Answer *answer)
{
    Space *space = &answer->space;
    const Pattern *pattern = &answer->pattern;
    space->devices = find_devices(pattern);
    if (space->devices == 0)
        return false;
    const Version version = open_alone(ctx, pattern, space, &answer->base);
    space->fewest = version.batch;
    if (answer->base.plan == NULL)
        pattern_report(pattern, &version, &answer->base);
    if (answer->base.plan == NULL || !open_limits(ctx, answer))
        return false;
    Train *train = arena_make(ctx->arena, Train);
    *train = *answer->base.train;
    train->batch = pattern->batch;
    space->timed = answer->base.plan->time.unknown == NULL;
    space->train = train;
    if (train->decls.groups.count == 1)
        space->layers = train->decls.groups.data[0].layers;
    limit_usually(space);
    limit_served(space);
    space->tensors = space->degree[DEGREE_TENSOR];
    probe_options(ctx->arena, pattern, space);
    probe_microbatches(ctx->arena, pattern, space);
    values_open(ctx->arena, pattern, &answer->base, space);
    return placed_open(ctx, pattern, space) && pinned_open(ctx, pattern, space);
}

enum { MOST_SEQUENCES = 1 << 20 };

/* ---- The search --------------------------------------------------------------------------------------------- */

bool search_open(Ctx *ctx, int source, Answer *answer)
{
    *answer = (Answer){.ctx = ctx};
    if (!pattern_find(ctx, source, &answer->pattern))
        return false;
    answer->pattern.readings = arena_make(ctx->arena, Readings);
    answer->pattern.known = known_new(ctx->arena);
    return space_read(ctx, answer->pattern.search, &answer->space) && open_space(ctx, answer);
}

void search_close(Answer *answer)
{
    if (answer->searched.any)
        costed_close(&answer->searched.program);
    if (answer->base.ctx.arena != NULL)
        costed_close(&answer->base);
    readings_free(answer->pattern.readings);
}

/* False if errors were reported. */
static bool open_bounds(Answer *answer, Bounds *bounds)
{
    Ctx *ctx = answer->ctx;
    const char *error;
    if (bounds_open(bounds, ctx->arena, &answer->pattern, &answer->space, &error))
        return true;
    Diagnostic *d = diag_report(ctx->diag, P0365, answer->pattern.strategy_span,
                                "no number of examples on one device is a program: %s", error);
    diag_help(d, "Make it right with `strategy data_parallel(data)` on one axis first, then search.");
    return false;
}

static bool find_best(Answer *answer, const SearchWatch *watch)
{
    Bounds bounds;
    if (!open_bounds(answer, &bounds))
        return false;
    best_find(answer->ctx->arena, &answer->pattern, &answer->space, &bounds, watch, &answer->searched);
    placed_find(answer->ctx->arena, &answer->pattern, &answer->space, &bounds, watch, &answer->searched);
    if (answer->space.pinned_wanted && answer->searched.any)
        freely_bound(&answer->pattern, &answer->space, &bounds, watch, &answer->searched);
    pinned_find(answer->ctx->arena, &answer->pattern, &answer->space, watch, &answer->searched);
    return true;
}

/* How much less memory the next row of a front needs: every strategy of it would be too many rows. */
static const double front_step = 0.05;

/* As fast as the row before, with less memory: then that one is not of the front. */
static void add_front(Answer *answer, Searched *next)
{
    double seconds = next->best.seconds;
    const Front row = {next->best, seconds > 0 ? 1 - next->bound / seconds : 0};
    bool first = answer->front.count == 0;
    if (!first && answer->front.data[answer->front.count - 1].found.seconds >= seconds) {
        answer->front.count--;
        first = answer->front.count == 0;
        if (first)
            costed_close(&answer->searched.program);
    }
    vec_push(answer->ctx->arena, &answer->front, row);
    if (first)
        answer->searched = *next;
    else
        costed_close(&next->program);
}

/* The fastest, the fastest of those that need less memory, and so on. */
static bool find_front(Answer *answer, const SearchWatch *watch)
{
    Space *space = &answer->space;
    const int64_t memory_bytes = space->memory_bytes;
    Bounds bounds;
    Searched next;
    if (!open_bounds(answer, &bounds))
        return false;
    do {
        Arena *arena = arena_new();
        best_find(arena, &answer->pattern, space, &bounds, watch, &next);
        next.error = next.error != NULL ? arena_copy(answer->ctx->arena, next.error, strlen(next.error)) : NULL;
        arena_free(arena);
        if (next.any)
            add_front(answer, &next);
        else if (answer->front.count == 0)
            answer->searched = next;
        space->memory_bytes = next.any ? (int64_t)((1 - front_step) * next.best.bytes) : 0;
    } while (next.any && next.exact);
    answer->front_whole = next.exact;
    space->memory_bytes = memory_bytes;
    return true;
}

/* The best for twice as many sequences each time, while they fit, and the one of these with the most throughput. */
static bool find_throughput(Answer *answer, const SearchWatch *watch)
{
    Train *train = arena_make(answer->ctx->arena, Train);
    *train = *answer->space.train;
    answer->space.train = train;
    Searched best = {0};
    int64_t sequences = train->batch;
    double most = 0;
    for (; train->batch <= MOST_SEQUENCES; train->batch *= 2) {
        if (!find_best(answer, watch))
            return false;
        const Searched *searched = &answer->searched;
        if (!searched->any)
            break;
        const Batch batch = {train->batch, searched->best};
        vec_push(answer->ctx->arena, &answer->batches, batch);
        double throughput = (double)train->batch / searched->best.seconds;
        if (throughput <= most) {
            costed_close(&answer->searched.program);
            continue;
        }
        if (best.any)
            costed_close(&best.program);
        best = *searched;
        most = throughput;
        sequences = train->batch;
    }
    if (best.any)
        answer->searched = best;
    train->batch = sequences;
    return true;
}

/* ---- Parts of the cluster ----------------------------------------------------------------------------------- */

/* One row is one search: of several there would be fronts of fronts. */
static bool check_parts(const Answer *answer)
{
    Ctx *ctx = answer->ctx;
    const Space *space = &answer->space;
    Span line = space->least_devices_span;
    Diagnostic *d = NULL;
    if (space->objective == LEAST_BOTH || space->objective == MOST_THROUGHPUT) {
        d = diag_report(ctx->diag, P0206, line, "`devices` does not go with `%s`", objective_names[space->objective]);
        diag_help(d, "Take `least time`, `least price` or `least memory`, or one cluster.");
    } else if (!span_known(answer->pattern.devices_span)) {
        d = diag_report(ctx->diag, P0206, line, "cluster '%s' is declared in another file, and is as it says there",
                        answer->pattern.cluster);
        diag_help(d, "Declare it in this file, or leave `devices` out.");
    } else if (space->least_devices > space->devices) {
        d = diag_report(ctx->diag, P0206, line, "cluster '%s' has only %lld device%s", answer->pattern.cluster,
                        (long long)space->devices, space->devices == 1 ? "" : "s");
        diag_help(d, "Ask for no more than it has.");
    }
    return d == NULL;
}

/* The same program on a part of the cluster, NULL: on all of it; what is wrong there is not reported. */
static bool open_part(const Answer *whole, const Space *limits, const char *devices, Answer *part)
{
    Ctx *ctx = arena_make(whole->ctx->arena, Ctx);
    *ctx = *whole->ctx;
    ctx->diag = diag_new(ctx->arena, ctx->sources);
    *part = (Answer){.ctx = ctx, .pattern = whole->pattern};
    part->pattern.ctx = ctx;
    part->pattern.devices = devices;
    part->pattern.readings = arena_make(ctx->arena, Readings);
    part->pattern.known = known_new(ctx->arena);
    if (!space_read(ctx, part->pattern.search, &part->space))
        return false;
    part->space.objective = limits->objective;
    part->space.slower = limits->slower;
    part->space.most_seconds = limits->most_seconds;
    part->space.most_price = limits->most_price;
    return open_space(ctx, part);
}

static const char *why_nothing(const Answer *part)
{
    const Searched *searched = &part->searched;
    if (!searched->exact)
        return "not searched to an end";
    if (searched->error != NULL)
        return searched->error;
    return isfinite(space_most_seconds(&part->space)) ? "nothing is within the limits" : "nothing fits";
}

static Part row_of(const Answer *part)
{
    Arena *arena = part->ctx->arena;
    const Searched *searched = &part->searched;
    const Choice *choice = &searched->best.choice;
    if (!searched->any)
        return (Part){.devices = part->space.devices, .error = why_nothing(part)};
    double value = best_value(&part->space, &searched->best);
    return (Part){.devices = part->space.devices,
                  .found = searched->best,
                  .gap = value > 0 ? 1 - searched->bound / value : 0,
                  .mesh = space_mesh(arena, choice),
                  .strategy = space_strategy(arena, &part->space, choice)};
}

/* Keeps the better one, with more devices if they are equal. What is below all of both is the less of their bounds. */
static void keep_better(Answer *best, Answer *part)
{
    const Searched *old = &best->searched, *new = &part->searched;
    double bound = fmin(old->bound, new->bound);
    bool exact = old->exact && new->exact;
    bool better =
        new->any && (!old->any || best_value(&part->space, &new->best) < best_value(&best->space, &old->best));
    part->parts = best->parts;
    search_close(better ? best : part);
    if (better)
        *best = *part;
    best->searched.bound = bound;
    best->searched.exact = exact;
}

/* All of the cluster, half of it and so on: a row each, and the best of all. */
static bool find_parts(Answer *answer, const SearchWatch *watch)
{
    Arena *arena = answer->ctx->arena;
    const Answer whole = *answer;
    ClusterSize size;
    if (!check_parts(&whole) || !find_best(answer, watch))
        return false;
    vec_push(arena, &answer->parts, row_of(answer));
    for (int times = 1; sizes_find(arena, &whole.pattern, times, &size); times++) {
        Answer part;
        if (size.devices < whole.space.least_devices)
            break;
        if (open_part(&whole, &whole.space, size.text, &part) && find_best(&part, watch)) {
            vec_push(arena, &answer->parts, row_of(&part));
            keep_better(answer, &part);
            continue;
        }
        const Part none = {.devices = size.devices, .error = diag_first_error(part.ctx->diag)};
        vec_push(arena, &answer->parts, none);
        search_close(&part);
    }
    return true;
}

/* ---- All of it ----------------------------------------------------------------------------------------------- */

static bool find(Answer *answer, const SearchWatch *watch)
{
    if (answer->space.least_devices > 0)
        return find_parts(answer, watch);
    switch (answer->space.objective) {
    case LEAST_TIME:
    case LEAST_MEMORY:
    case LEAST_PRICE:
        return find_best(answer, watch);
    case LEAST_BOTH:
        return find_front(answer, watch);
    case MOST_THROUGHPUT:
        return find_throughput(answer, watch);
    }
    BUG("no objective %d", answer->space.objective);
}

bool search_again(const Answer *answer, const Space *limits, const SearchWatch *watch, Answer *again)
{
    return open_part(answer, limits, answer->pattern.devices, again) && find(again, watch);
}

/* One that costs the same, and is better in what was not asked for: what has an equal bound was not looked at. Or with
 * the pins of the best it is faster, and its own operators are pinned. Where the answer has rows of its own, they show
 * the best. */
static bool take_better(Answer *answer, const SearchWatch *watch)
{
    Searched *searched = &answer->searched;
    bool alone = answer->front.count + answer->batches.count + answer->parts.count == 0;
    for (int i = 0; i < answer->lost.count && alone; i++) {
        const Found found = answer->lost.data[i].found;
        if (!found.fits || !best_beats(&answer->space, &found, &searched->best))
            continue;
        best_try(answer->ctx->arena, &answer->pattern, &answer->space, &found.choice, searched);
        if (best_beats(&answer->space, &found, &searched->best))
            continue; /* not proved */
        pinned_find(answer->ctx->arena, &answer->pattern, &answer->space, watch, searched);
        if (searched->exact)
            searched->bound = best_value(&answer->space, &searched->best);
        answer->lost.count = 0;
        return true;
    }
    return false;
}

bool search_run(Ctx *ctx, int source, SearchTick *tick, void *data, Answer *answer)
{
    Pattern *pattern = &answer->pattern;
    SearchWatch watch = {.tick = tick, .data = data};
    clock_gettime(CLOCK_MONOTONIC, &watch.began);
    if (!search_open(ctx, source, answer))
        return false;
    bool found = find(answer, &watch);
    const Searched *searched = &answer->searched;
    clock_gettime(CLOCK_MONOTONIC, &answer->ended);
    answer->stopped = !searched->exact && tick != NULL && !tick(data, &answer->space, searched);
    if (!found)
        return false;
    if (!searched->any && !searched->exact)
        nothing_report_stopped(answer);
    else if (!searched->any)
        nothing_report(answer, &watch);
    if (!searched->any)
        return false;
    do
        lost_find(answer);
    while (take_better(answer, &watch));
    saved_find(answer);
    const Version version = best_version(ctx->arena, &answer->space, &searched->best.choice);
    answer->program = pattern_text(pattern, &version);
    return true;
}
