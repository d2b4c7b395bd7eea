/* saved.c - the steps from keeping everything to what was found (search/saved.h). */
#include "search/saved.h"

#include "base/str.h"

static void add_step(Answer *answer, const char *what, const Choice *choice)
{
    Arena *arena = answer->ctx->arena;
    const Saved step = {what, best_cost(&answer->pattern, &answer->space, choice, arena)};
    if (step.found.error == NULL)
        vec_push(arena, &answer->saved, step);
}

/* "2 layers of each stage": some of them, fewer in a smaller one. */
static const char *some_layers(Arena *arena, const Choice *choice, int32_t some)
{
    const char *stage = choice->degree[DEGREE_PIPELINE] > 1 ? " of each stage" : "";
    return arena_printf(arena, "%d layer%s%s", some, some > 1 ? "s" : "", stage);
}

/* The values of one step of by_value; everything, after the last. */
static const char *values_text(Arena *arena, const Space *space, int64_t step)
{
    Text text = {.arena = arena};
    if (step >= space->values.count)
        return "everything";
    const ValueLabels *labels = &space->values.data[step];
    for (int l = 0; l < labels->count; l++)
        text_add(&text, "%s%s", l > 0 ? ", " : "", labels->data[l]);
    return text.data;
}

static void recompute_values(Answer *answer, Choice *choice)
{
    Arena *arena = answer->ctx->arena;
    const Choice *best = &answer->searched.best.choice;
    choice->option[GROUP_RECOMPUTED] = OPTION_BY_VALUE;
    while (choice->values < best->values) {
        const char *values = values_text(arena, &answer->space, choice->values++);
        choice->layers = choice->values == best->values ? best->layers : 0;
        add_step(answer,
                 choice->layers == 0
                     ? arena_printf(arena, "recompute %s", values)
                     : arena_printf(arena, "recompute %s in %s", values, some_layers(arena, choice, choice->layers)),
                 choice);
    }
}

static void recompute(Answer *answer, Choice *choice)
{
    Arena *arena = answer->ctx->arena;
    const Choice *best = &answer->searched.best.choice;
    const Options *options = &answer->space.options[GROUP_RECOMPUTED];
    int option = best->option[GROUP_RECOMPUTED];
    if (option == OPTION_KEEP)
        return;
    if (option == OPTION_BY_VALUE) {
        recompute_values(answer, choice);
        return;
    }
    choice->option[GROUP_RECOMPUTED] = (int8_t)option;
    choice->layers = best->layers;
    const char *name = options->option[option].name;
    add_step(answer,
             choice->layers > 0 ? arena_printf(arena, "%s %s", name, some_layers(arena, choice, choice->layers)) : name,
             choice);
}

static void host(Answer *answer, Choice *choice)
{
    const int32_t hosted = answer->searched.best.choice.hosted;
    Text text = {.arena = answer->ctx->arena};
    if (hosted == 0)
        return;
    space_host(choice, hosted);
    for (int v = 0; v < hosted; v++)
        text_add(&text, "%s%s", v > 0 ? ", " : "keep on the host ",
                 space_hosted_value(&answer->space, choice, v)->label);
    add_step(answer, text.data, choice);
}

static void offload(Answer *answer)
{
    Arena *arena = answer->ctx->arena;
    const Choice *best = &answer->searched.best.choice;
    if (best->option[GROUP_OFFLOADED] == OPTION_ON_DEVICE)
        return;
    add_step(answer,
             best->offloaded > 0
                 ? arena_printf(arena, "offload optimizer of %s", some_layers(arena, best, best->offloaded))
                 : "offload optimizer",
             best);
}

void saved_find(Answer *answer)
{
    Choice choice = answer->searched.best.choice;
    if (choice.option[GROUP_RECOMPUTED] == OPTION_KEEP && choice.option[GROUP_OFFLOADED] == OPTION_ON_DEVICE &&
        choice.hosted == 0)
        return;
    choice.option[GROUP_RECOMPUTED] = OPTION_KEEP;
    choice.option[GROUP_OFFLOADED] = OPTION_ON_DEVICE;
    choice.values = choice.layers = choice.offloaded = 0;
    space_host(&choice, 0);
    add_step(answer, "keep everything on the device", &choice);
    recompute(answer, &choice);
    host(answer, &choice);
    offload(answer);
}
