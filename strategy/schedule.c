/* schedule.c - the schedule of a pipeline: the axis that the layers are divided over, and the order in which each stage
 * runs its microbatches. */
#include "strategy/internal.h"
#include "strategy/staging.h"

#include <string.h>

static const char *const schedule_names[] = {
    [SCHEDULE_1F1B] = "one_f_one_b", [SCHEDULE_GPIPE] = "gpipe", [SCHEDULE_INTERLEAVED] = "interleaved"};
static const char known_schedules[] = "The schedules are 'one_f_one_b', 'gpipe' and 'interleaved'.";

const char *strategy_schedule_name(Schedule schedule)
{
    return schedule_names[schedule];
}

static bool read_schedule(const Evaluation *e, const Factor *factor, AstName word, Schedule *schedule)
{
    AstName name = strategy_bound_name(factor, word);
    NameVec known = {0};
    if (strategy_is_open(factor, word))
        return false;
    if (name.text == NULL) {
        Diagnostic *wrong = strategy_report(e, factor, P0206, name.span, "expected the name of a schedule");
        diag_note(wrong, known_schedules);
        return false;
    }
    for (int i = 0; i < (int)(sizeof(schedule_names) / sizeof(schedule_names[0])); i++) {
        if (strcmp(schedule_names[i], name.text) == 0) {
            *schedule = (Schedule)i;
            return true;
        }
        vec_push(e->ctx->arena, &known, schedule_names[i]);
    }
    Diagnostic *d = strategy_report(e, factor, P0201, name.span, "unknown schedule '%s'", name.text);
    strategy_suggest(d, name.text, &known);
    diag_note(d, known_schedules);
    return false;
}

/* Whose layers are divided: "'block' has 8", "the blocks have 8". */
static const char *layers_words(const Evaluation *e)
{
    long long layers = (long long)staging_layers(e->decls);
    if (e->decls->groups.count > 1)
        return arena_printf(e->ctx->arena, "the blocks have %lld", layers);
    return arena_printf(e->ctx->arena, "'%s' has %lld", e->decls->groups.data[0].name, layers);
}

/* How many layers every stage has, in each of its chunks: one number each, which add up to the layers of the blocks.
 * False if errors were reported, or a number is open. */
static bool read_layers(const Evaluation *e, const Factor *factor, const AstPlacement *placement, Staging *pipeline)
{
    const AstList *given = &placement->layers;
    int64_t sum = 0;
    pipeline->layers = arena_array(e->ctx->arena, int64_t, given->count);
    for (int i = 0; i < given->count; i++) {
        if (!strategy_integer(e, factor, given->data[i], &pipeline->layers[i]))
            return false;
        if (pipeline->layers[i] < 0) {
            strategy_report(e, factor, P0207, given->data[i]->span, "a stage of %lld layers",
                            (long long)pipeline->layers[i]);
            return false;
        }
        if (__builtin_add_overflow(sum, pipeline->layers[i], &sum)) {
            strategy_report(e, factor, P0207, given->data[i]->span, "more layers than can be counted");
            return false;
        }
    }
    if (e->unused || e->decls->groups.count == 0) /* reported where the schedule is used */
        return true;
    int64_t stages = e->decls->axes.data[pipeline->axis].size;
    Span span = span_join(given->data[0]->span, given->data[given->count - 1]->span);
    int64_t layers = staging_layers(e->decls);
    if (given->count != stages) {
        Diagnostic *d = strategy_report(e, factor, P0206, span, "the layers of %d stages, where '%s' has %lld",
                                        given->count, e->decls->axes.data[pipeline->axis].name, (long long)stages);
        diag_label(d, e->decls->axes.data[pipeline->axis].span, "the stages");
        diag_help(d, "Write one number per stage, first to last.");
        return false;
    }
    if (layers % pipeline->chunks != 0 || sum != layers / pipeline->chunks) {
        const char *chunks = pipeline->chunks == 1
                                 ? ""
                                 : arena_printf(e->ctx->arena, " in each of %lld chunks", (long long)pipeline->chunks);
        Diagnostic *d = strategy_report(e, factor, P0206, span, "stages of %lld layers together%s, where %s",
                                        (long long)sum, chunks, layers_words(e));
        for (int i = 0; i < e->decls->groups.count; i++)
            diag_label(d, e->decls->groups.data[i].span, "the layers");
        return false;
    }
    return true;
}

/* How many chunks of layers every stage has: one, or several that it runs in turn. */
static bool read_chunks(const Evaluation *e, const Factor *factor, const AstPlacement *placement, Staging *pipeline)
{
    bool interleaved = pipeline->schedule == SCHEDULE_INTERLEAVED;
    Span span = placement->chunks != NULL ? placement->chunks->span : placement->mode.span;
    pipeline->chunks = 1;
    if (placement->chunks != NULL && !strategy_integer(e, factor, placement->chunks, &pipeline->chunks))
        return false;
    if (pipeline->chunks > INT32_MAX) {
        strategy_report(e, factor, P0207, span, "more chunks than can be counted");
        return false;
    }
    if (interleaved ? pipeline->chunks < 2 : pipeline->chunks != 1) {
        Diagnostic *d = strategy_report(e, factor, P0207, span, "'%s' with %lld chunks of layers per stage",
                                        schedule_names[pipeline->schedule], (long long)pipeline->chunks);
        diag_help(d, interleaved ? "An interleaved schedule runs several in turns: chunks 2, or more."
                                 : "Only an interleaved schedule runs several in turns.");
        return false;
    }
    return true;
}

void strategy_add_schedule(Evaluation *e, const Factor *factor, const AstNode *node)
{
    const AstPlacement *placement = &node->placement;
    Staging pipeline = {
        .requested = true, .span = strategy_user_span(factor, node->span), .micro_span = e->train->batch_span};
    AxisSet axes;
    bool ok = read_schedule(e, factor, placement->mode, &pipeline.schedule);
    ok &= strategy_axes(e, factor, &placement->axes, &axes);
    if (!ok)
        return;
    if (axes.count != 1 || placement->selectors.count > 0) {
        Diagnostic *d = strategy_report(e, factor, P0208, node->span, "a schedule is over one axis");
        diag_help(d,
                  "Its form is: schedule NAME over AXIS [layers NUMBER, NUMBER, ...] [chunks NUMBER] [when CONDITION]");
        return;
    }
    pipeline.axis = axes.axis[0];
    bool good = read_chunks(e, factor, placement, &pipeline) &&
                (placement->layers.count == 0 || read_layers(e, factor, placement, &pipeline));
    if (!good || e->unused)
        return;
    if (e->assignment->pipeline.requested) {
        Diagnostic *d = strategy_report(e, factor, P0209, node->span, "a second pipeline");
        diag_label(d, e->assignment->pipeline.span, "the first is asked for here");
        diag_help(d, "Layers are divided over one axis: leave out one of the two.");
        return;
    }
    if (staging_check(e->ctx, e->decls, &pipeline))
        e->assignment->pipeline = pipeline;
}
