/* search.c - from a program to the answer of its search (search/search.h). */
#include "search/search.h"

#include "base/str.h"
#include "search/placed.h"
#include "search/probe.h"
#include "search/saved.h"
#include "search/sizes.h"
#include "search/values.h"
#include "step/names.h"

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

/* What goes with a served model, and with no other. */
static bool check_served(Ctx *ctx, const Answer *answer)
{
    if (answer->space.objective != MOST_THROUGHPUT || answer->base.train->serves)
        return true;
    Diagnostic *d = diag_report(ctx->diag, P0206, answer->pattern.strategy_span,
                                "throughput is what a model is served for; this one is trained");
    diag_help(d, "Write `least time`: the batch of a train is what its line says.");
    return false;
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

static bool check_price(Ctx *ctx, const Answer *answer)
{
    if (answer->space.objective != LEAST_PRICE || answer->base.train->cluster.device.price_per_second > 0)
        return true;
    Diagnostic *d = diag_report(ctx->diag, P0365, answer->pattern.strategy_span, "the price of a step is not known");
    diag_help(d, "A line of cluster '%s' says it, as `price 2.5 per hour`.", answer->pattern.cluster);
    return false;
}

static bool check_time(Ctx *ctx, const Answer *answer)
{
    const char *unknown = answer->base.plan->time.unknown;
    if (unknown == NULL || answer->space.objective == LEAST_MEMORY)
        return true;
    Diagnostic *d = diag_report(ctx->diag, P0365, answer->pattern.strategy_span,
                                "the time of a step on %s is not predicted", answer->base.train->cluster.device.name);
    diag_why(d, "Not known is %s.", unknown);
    diag_help(d, "Lines of cluster '%s' may say it, as `memory at 18 GB/s`; `least memory` needs no time.",
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

static bool open_space(Ctx *ctx, Answer *answer)
{
    Space *space = &answer->space;
    const Pattern *pattern = &answer->pattern;
    space->devices = find_devices(pattern);
    if (space->devices == 0)
        return false;
    const Version version = {.mesh = arena_printf(ctx->arena, "copy: %lld, data: 1", (long long)space->devices),
                             .strategy = "data_parallel(data)",
                             .batch = 1,
                             .micro = 1};
    pattern_cost(pattern, &version, &answer->base);
    if (answer->base.plan == NULL)
        pattern_report(pattern, &version, &answer->base);
    if (answer->base.plan == NULL || !check_served(ctx, answer) || !check_price(ctx, answer) ||
        !check_time(ctx, answer))
        return false;
    Train *train = arena_make(ctx->arena, Train);
    *train = *answer->base.train;
    train->batch = pattern->batch;
    space->timed = answer->base.plan->time.unknown == NULL;
    space->train = train;
    if (space->memory_bytes == 0)
        space->memory_bytes = train->cluster.device.memory_bytes;
    if (train->decls.groups.count == 1)
        space->layers = train->decls.groups.data[0].layers;
    limit_usually(space);
    limit_served(space);
    space->tensors = space->degree[DEGREE_TENSOR];
    probe_options(ctx->arena, pattern, space);
    values_open(ctx->arena, pattern, &answer->base, space);
    return placed_open(ctx, pattern, space);
}

/* ---- What lost ---------------------------------------------------------------------------------------------- */

static void add_lost(Answer *answer, const char *choice, const char *instead, const Choice *changed)
{
    Arena *arena = answer->ctx->arena;
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
        bool numbered =
            strchr(options->option[o].call, '#') != NULL || (group == GROUP_RECOMPUTED && o == OPTION_BY_VALUE);
        if ((o == best->option[group] && !apart) || options->option[o].excluded != NULL || numbered)
            continue;
        changed.chunks = 1;
        changed.layers = group == GROUP_RECOMPUTED ? 0 : changed.layers;
        changed.offloaded = group == GROUP_OFFLOADED ? 0 : changed.offloaded;
        if (!space_has(&answer->space, &changed))
            continue;
        add_lost(answer, apart ? "placed" : options->option[best->option[group]].name, options->option[o].name,
                 &changed);
    }
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
    if (layers > 0 && best->offloaded > 0)
        return; /* not in the space */
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
    int32_t values = best->values, layers = best->layers, all = (int32_t)space_values(&answer->space);
    int32_t partly = (int32_t)space_partly(&answer->space, best);
    if (best->option[GROUP_RECOMPUTED] != OPTION_BY_VALUE)
        return;
    if (layers > 1 || (layers == 0 && partly > 0))
        lose_level(answer, values, layers > 1 ? layers - 1 : partly);
    else if (values > 1)
        lose_level(answer, values - 1, 0);
    if (layers > 0 && (layers < partly || values <= all))
        lose_level(answer, values, layers < partly ? layers + 1 : 0);
    else if (layers == 0 && (partly > 0 || values < all))
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

static void lose_placed(Answer *answer)
{
    Choice changed = answer->searched.best.choice;
    if (changed.placed == 0 || changed.apart)
        return;
    changed.placed = 0;
    add_lost(answer, "placed", "parameters alike", &changed);
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

static void find_lost(Answer *answer)
{
    for (int group = 0; group < GROUP_COUNT; group++)
        lose_options(answer, group);
    for (int from = 0; from < DEGREE_COUNT; from++)
        for (int to = 0; to < DEGREE_COUNT; to++)
            lose_degrees(answer, from, to);
    lose_layers(answer);
    lose_values(answer);
    lose_offloaded(answer);
    lose_placed(answer);
    lose_microbatches(answer, 2, 1);
    lose_microbatches(answer, 1, 2);
}

/* ---- No answer ---------------------------------------------------------------------------------------------- */

/* Why nothing is left of what each strategy needs one of, or of a degree that was asked for; NULL: of all something is.
 */
static const char *nothing_left(const Answer *answer)
{
    const Space *space = &answer->space;
    Arena *arena = answer->ctx->arena;
    for (int group = 0; group < GROUP_COUNT; group++) {
        const Options *options = &space->options[group];
        const Option *last = &options->option[options->count - 1];
        if (options->degree == ALWAYS && !options_left(options))
            return arena_printf(arena, "`%s`: %s", last->name, last->excluded);
    }
    for (int degree = 0; degree < DEGREE_COUNT; degree++) {
        const Limit *limit = &space->degree[degree];
        if (limit->low > limit->high && space->why[degree] != NULL)
            return arena_printf(arena, "`%s 1`: %s", degree_names[degree], space->why[degree]);
    }
    return NULL;
}

static void report_empty(const Answer *answer, const char *error)
{
    Diagnostic *d = diag_report(answer->ctx->diag, P0365, answer->pattern.strategy_span, "the space has no strategy");
    const char *left = nothing_left(answer);
    if (left != NULL)
        diag_why(d, "Nothing else is left than %s.", left);
    else if (error != NULL)
        diag_why(d, "Of one, this is wrong: %s.", error);
    else
        diag_why(d, "No mesh of the allowed axes has as many ranks as the cluster has devices, and divides the batch.");
    diag_help(d, "Allow more (`tensor at most 16`), take another batch, or say what is not known of the cluster.");
}

static bool until_found(void *data, const Space *space, const Searched *searched)
{
    const SearchWatch *watch = data;
    return !searched->any && (watch->tick == NULL || watch->tick(watch->data, space, searched));
}

/* The largest part of the batch with which some strategy fits, halved again and again. */
static void help_smaller(const Answer *answer, const SearchWatch *watch, Diagnostic *d)
{
    Arena *arena = answer->ctx->arena;
    Space space = answer->space;
    Train *train = arena_make(arena, Train);
    const SearchWatch first = {until_found, (void *)watch, watch->began};
    Searched searched = {.exact = true};
    Bounds bounds;
    const char *error;
    const bool even = answer->space.train->batch % 2 == 0;
    *train = *answer->space.train;
    space.train = train;
    space.objective = LEAST_MEMORY;
    while (train->batch % 2 == 0 && !searched.any && searched.exact) {
        train->batch /= 2;
        if (bounds_open(&bounds, arena, &answer->pattern, &space, &error))
            best_find(arena, &answer->pattern, &space, &bounds, &first, &searched);
    }
    if (searched.any) {
        diag_help(d, "With `batch %lld` a strategy fits: `%s` on { %s } needs %s.", (long long)train->batch,
                  space_strategy(arena, &space, &searched.best.choice), space_mesh(arena, &searched.best.choice),
                  str_bytes(arena, (int64_t)searched.best.bytes));
        costed_close(&searched.program);
    } else if (even && searched.exact) {
        diag_help(d,
                  "Half of the batch, or half of that, is still too much: take more devices, devices with more memory, "
                  "or a smaller model or context.");
    } else {
        diag_help(d, "Take more devices, devices with more memory, or a smaller model, context or batch.");
    }
}

static void report_lean(const Answer *answer, const Space *lean, const Searched *searched, const SearchWatch *watch)
{
    Arena *arena = answer->ctx->arena;
    const Plan *plan = searched->program.plan;
    Category largest = 0;
    for (int category = 1; category < CATEGORY_COUNT; category++)
        if (plan->category_bytes[category] > plan->category_bytes[largest])
            largest = (Category)category;
    Diagnostic *d =
        diag_report(answer->ctx->diag, P0365, answer->pattern.strategy_span, "no strategy fits into %s of each device",
                    str_bytes(arena, answer->space.memory_bytes));
    diag_why(d, "`%s` on { %s } in %d microbatch%s needs %s, %s of it %s; %s.",
             space_strategy(arena, lean, &searched->best.choice), space_mesh(arena, &searched->best.choice),
             searched->best.choice.micro, searched->best.choice.micro == 1 ? "" : "es",
             str_bytes(arena, plan->total_bytes), str_bytes(arena, plan->category_bytes[largest]),
             category_names[largest], searched->exact ? "none needs less" : "none was found that needs less");
    help_smaller(answer, watch, d);
}

/* Looks for the strategy that needs the least memory, which takes another search. */
static void report_nothing(Answer *answer, const SearchWatch *watch)
{
    Ctx *ctx = answer->ctx;
    Space lean = answer->space;
    Searched searched;
    Bounds bounds;
    const char *error;
    lean.objective = LEAST_MEMORY;
    lean.memory_bytes = 0;
    if (!bounds_open(&bounds, ctx->arena, &answer->pattern, &lean, &error))
        BUG("one device was costed before: %s", error);
    best_find(ctx->arena, &answer->pattern, &lean, &bounds, watch, &searched);
    /* Where that fits, others are no programs, or have no time. */
    bool fits = searched.any && searched.program.plan->total_bytes <= answer->space.memory_bytes;
    if (searched.any && !fits)
        report_lean(answer, &lean, &searched, watch);
    else
        report_empty(answer, answer->searched.error != NULL ? answer->searched.error : searched.error);
    if (searched.any)
        costed_close(&searched.program);
}

static void report_stopped(const Answer *answer)
{
    Diagnostic *d = diag_report(answer->ctx->diag, P0365, answer->pattern.strategy_span,
                                "the search ended after %s, before it had a strategy that fits",
                                str_seconds(answer->ctx->arena, answer->searched.elapsed_s));
    diag_help(d, "Give it more time (`--seconds 300`), or a smaller space (`tensor 8`, `without selective`).");
}

enum { MOST_SEQUENCES = 1 << 20 };

/* ---- The search --------------------------------------------------------------------------------------------- */

bool search_open(Ctx *ctx, int source, Answer *answer)
{
    *answer = (Answer){.ctx = ctx};
    return pattern_find(ctx, source, &answer->pattern) && space_read(ctx, answer->pattern.search, &answer->space) &&
           open_space(ctx, answer);
}

void search_close(Answer *answer)
{
    if (answer->searched.any)
        costed_close(&answer->searched.program);
    if (answer->base.ctx.arena != NULL)
        costed_close(&answer->base);
}

/* False if errors were reported. */
static bool open_bounds(Answer *answer, Bounds *bounds)
{
    Ctx *ctx = answer->ctx;
    const char *error;
    if (bounds_open(bounds, ctx->arena, &answer->pattern, &answer->space, &error))
        return true;
    Diagnostic *d = diag_report(ctx->diag, P0365, answer->pattern.strategy_span,
                                "one example on one device is no program: %s", error);
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
        d = diag_report(ctx->diag, P0206, line, "cluster '%s' has only %lld devices", answer->pattern.cluster,
                        (long long)space->devices);
        diag_help(d, "Ask for no more than it has.");
    }
    return d == NULL;
}

/* The same program on a part of the cluster; what is wrong there is not reported. */
static bool open_part(const Answer *whole, const ClusterSize *size, Answer *part)
{
    Ctx *ctx = arena_make(whole->ctx->arena, Ctx);
    *ctx = *whole->ctx;
    ctx->diag = diag_new(ctx->arena, ctx->sources);
    *part = (Answer){.ctx = ctx, .pattern = whole->pattern};
    part->pattern.ctx = ctx;
    part->pattern.devices = size->text;
    return space_read(ctx, part->pattern.search, &part->space) && open_space(ctx, part);
}

static const char *why_nothing(const Answer *part)
{
    const Searched *searched = &part->searched;
    return !searched->exact ? "not searched to an end" : searched->error != NULL ? searched->error : "nothing fits";
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
        if (open_part(&whole, &size, &part) && find_best(&part, watch)) {
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

bool search_run(Ctx *ctx, int source, SearchTick *tick, void *data, Answer *answer)
{
    Pattern *pattern = &answer->pattern;
    SearchWatch watch = {.tick = tick, .data = data};
    clock_gettime(CLOCK_MONOTONIC, &watch.began);
    if (!search_open(ctx, source, answer))
        return false;
    bool found = find(answer, &watch);
    const Searched *searched = &answer->searched;
    if (!found)
        return false;
    if (!searched->any && !searched->exact)
        report_stopped(answer);
    else if (!searched->any)
        report_nothing(answer, &watch);
    if (!searched->any)
        return false;
    find_lost(answer);
    saved_find(answer);
    const Version version = best_version(ctx->arena, &answer->space, &searched->best.choice);
    answer->program = pattern_text(pattern, &version);
    return true;
}
