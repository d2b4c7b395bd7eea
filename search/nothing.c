/* nothing.c - why no strategy was found (search/nothing.h). */
#include "search/nothing.h"

#include "base/str.h"
#include "step/names.h"

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

void nothing_report(Answer *answer, const SearchWatch *watch)
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

void nothing_report_stopped(const Answer *answer)
{
    Diagnostic *d = diag_report(answer->ctx->diag, P0365, answer->pattern.strategy_span,
                                "the search ended after %s, before it had a strategy that fits",
                                str_seconds(answer->ctx->arena, answer->searched.elapsed_s));
    diag_help(d, "Give it more time (`--seconds 300`), or a smaller space (`tensor 8`, `without selective`).");
}
