/* nothing.c - why no strategy was found (search/nothing.h). */
#include "search/nothing.h"

#include "base/str.h"
#include "step/names.h"

#include <math.h>

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
    if (space->micro.low > space->micro.high && space->why_micro != NULL)
        return arena_printf(arena, "`microbatches 1`: %s", space->why_micro);
    return NULL;
}

static void report_empty(const Answer *answer, const char *error)
{
    Diagnostic *d = diag_report(answer->ctx->diag, P0365, answer->pattern.strategy_span, "the space has no strategy");
    const char *left = nothing_left(answer);
    const Space *space = &answer->space;
    bool copies = space->degree[DEGREE_REPLICA].low > 1;
    if (left != NULL)
        diag_why(d, "Nothing else is left than %s.", left);
    else if (error != NULL)
        diag_why(d, "Of one, this is wrong: %s.", error);
    else
        diag_why(
            d,
            "No mesh of the allowed axes has as many ranks as the cluster has devices, %lld, and divides the batch "
            "of %lld into equal microbatches, as many as are allowed%s.",
            (long long)space->devices, (long long)space->train->batch,
            copies ? "; copies along `replica` are of shards, which `zero1` to `zero3` have" : "");
    diag_help(d, "Allow more (`tensor at most 8` instead of `tensor 8`), take another batch, or say what is not known "
                 "of the cluster.");
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
    space.most_seconds = space.most_price = 0;
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

/* What is asserted is a limit, too. */
static void add_asserted(const Answer *answer, AssertQuantity quantity, Diagnostic *d)
{
    const Train *train = answer->space.train;
    for (int i = 0; i < train->asserts.count; i++)
        if (train->asserts.data[i].quantity == quantity)
            diag_why(d, "`%s` is a limit of the search, too.",
                     quantity == ASSERT_TIME_PER_STEP ? "assert time per step" : "assert memory per device");
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
    add_asserted(answer, ASSERT_MEMORY_PER_DEVICE, d);
    help_smaller(answer, watch, d);
}

/* ---- Limits of time and price ------------------------------------------------------------------------------- */

/* Three digits of it, and no less than it. */
static double rounded_up(double value)
{
    double digit = pow(10, floor(log10(value)) - 2);
    return ceil(value / digit * (1 - 1e-9)) * digit;
}

static void report_slow(const Answer *answer, const Answer *fastest)
{
    Arena *arena = answer->ctx->arena;
    const Space *space = &answer->space;
    const Found *found = &fastest->searched.best;
    const char *priced = space->most_price > 0 ? " for that price" : "";
    Diagnostic *d =
        diag_report(answer->ctx->diag, P0365, answer->pattern.strategy_span, "no strategy takes at most %s a step%s",
                    str_seconds(arena, space->most_seconds), priced);
    diag_why(d, "`%s` on { %s } in %d microbatch%s takes %s; %s%s.",
             space_strategy(arena, &fastest->space, &found->choice), space_mesh(arena, &found->choice),
             found->choice.micro, found->choice.micro == 1 ? "" : "es", str_seconds(arena, found->seconds),
             fastest->searched.exact ? "none that fits is faster" : "none was found that is faster", priced);
    add_asserted(answer, ASSERT_TIME_PER_STEP, d);
    if (!fastest->searched.exact)
        diag_help(d, "A longer search (`--seconds`) may name less than that.");
    diag_help(d, "Allow `time at most %s`, or take more devices, faster ones, or a smaller model, context or batch.",
              str_seconds(arena, rounded_up(found->seconds)));
}

static void report_dear(const Answer *answer, const Answer *cheapest)
{
    Arena *arena = answer->ctx->arena;
    const Found *found = &cheapest->searched.best;
    double price = space_price(&cheapest->space, found->seconds);
    Diagnostic *d = diag_report(answer->ctx->diag, P0365, answer->pattern.strategy_span,
                                "no strategy costs at most %.3g a step", answer->space.most_price);
    diag_why(d, "`%s` on { %s } in %d microbatch%s costs %.3g; %s.",
             space_strategy(arena, &cheapest->space, &found->choice), space_mesh(arena, &found->choice),
             found->choice.micro, found->choice.micro == 1 ? "" : "es", price,
             cheapest->searched.exact ? "none that fits is cheaper" : "none was found that is cheaper");
    const char *fewer = answer->space.least_devices == 0 ? " look at fewer devices with `devices at least 1`," : "";
    diag_help(d, "Allow `price at most %.3g`,%s or take a smaller model, context or batch.", rounded_up(price), fewer);
}

/* Does something fit, but for one of these limits? Then it is reported. */
static bool report_without(const Answer *answer, const SearchWatch *watch, Objective objective)
{
    Answer again;
    Space limits = answer->space;
    limits.objective = objective;
    limits.most_seconds = 0;
    limits.slower = true;
    limits.most_price = objective == LEAST_PRICE ? 0 : limits.most_price;
    bool found = search_again(answer, &limits, watch, &again) && again.searched.any;
    if (found && objective == LEAST_TIME)
        report_slow(answer, &again);
    else if (found)
        report_dear(answer, &again);
    search_close(&again);
    return found;
}

static bool report_limits(const Answer *answer, const SearchWatch *watch)
{
    const Space *space = &answer->space;
    return (space->most_seconds > 0 && report_without(answer, watch, LEAST_TIME)) ||
           (space->most_price > 0 && report_without(answer, watch, LEAST_PRICE));
}

/* ---- All of it ---------------------------------------------------------------------------------------------- */

void nothing_report(Answer *answer, const SearchWatch *watch)
{
    Ctx *ctx = answer->ctx;
    if (report_limits(answer, watch))
        return;
    Space lean = answer->space;
    lean.most_seconds = lean.most_price = 0;
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

void nothing_report_stopped(const Answer *answer)
{
    Diagnostic *d = diag_report(answer->ctx->diag, P0365, answer->pattern.strategy_span,
                                "the search ended after %s, before it had a strategy that fits",
                                str_seconds(answer->ctx->arena, answer->searched.elapsed_s));
    if (answer->searched.few_placed) {
        diag_why(d, "Of strategies that place parameters one by one only some were tried, none of which fits; of all "
                    "others none does.");
        diag_help(d, "Leave these out (`without placed`), which says what is missing, or look at all (`with placed`).");
        return;
    }
    diag_help(d, "Give it more time (`--seconds 300`), or a smaller space (`tensor 8`, `without selective`).");
}
