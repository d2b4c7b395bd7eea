/* probe.c - tries every option alone (search/probe.h). */
#include "search/probe.h"

#include <string.h>

/* One rank's products, and bytes of parameters. */
typedef struct Probe {
    const char *error;
    double flops, parameter_bytes;
} Probe;

static int64_t smallest_factor(int64_t number)
{
    for (int64_t factor = 2; factor * factor <= number; factor++)
        if (number % factor == 0)
            return factor;
    return number;
}

static Probe try_choice(Arena *arena, const Pattern *pattern, const Space *space, const Choice *choice)
{
    Probe probe = {0};
    Costed costed;
    const Version version = {.mesh = space_copies(arena, space, choice),
                             .strategy = space_strategy(arena, space, choice),
                             .batch = space_parts(choice) * space->fewest,
                             .micro = choice->micro};
    pattern_cost(pattern, &version, &costed);
    if (costed.error != NULL) {
        probe.error = arena_copy(arena, costed.error, strlen(costed.error));
    } else {
        probe.error = space_unpredicted(arena, space, costed.plan->time.unknown);
        probe.flops = costed.plan->product_flops_per_device;
        probe.parameter_bytes = (double)costed.plan->category_bytes[CATEGORY_PARAMETERS];
    }
    costed_close(&costed);
    return probe;
}

static const char *without_effect(Degree degree, const Probe *probe, const Probe *plain)
{
    bool same_work = probe->flops >= 0.999 * plain->flops;
    bool same_parameters = probe->parameter_bytes >= plain->parameter_bytes;
    switch (degree) {
    case DEGREE_PIPELINE:
    case DEGREE_REPLICA:
    case DEGREE_DATA:
        return NULL;
    case DEGREE_CONTEXT:
    case DEGREE_TENSOR:
        return same_work ? "it divides no work of this model" : NULL;
    case DEGREE_EXPERT:
        return same_parameters ? "the model has no experts" : NULL;
    }
    BUG("no degree %d", degree);
}

static void probe_option(Arena *arena, const Pattern *pattern, Space *space, int group, int option, const Probe *plain)
{
    Options *options = &space->options[group];
    Choice choice = {.degree = {1, 1, 1, 1, 1, 1}, .micro = 1, .chunks = 1};
    if (options->degree != ALWAYS)
        choice.degree[options->degree] = (int32_t)smallest_factor(space->devices);
    choice.option[group] = (int8_t)option;
    const Probe probe = try_choice(arena, pattern, space, &choice);
    options->option[option].excluded = probe.error != NULL         ? probe.error
                                       : options->degree == ALWAYS ? NULL
                                                                   : without_effect(options->degree, &probe, plain);
}

static bool is_each_block(const Space *space, const Option *option)
{
    return strchr(option->call, '@') != NULL && space->train->decls.groups.count == 0;
}

static void probe_group(Arena *arena, const Pattern *pattern, Space *space, int group, const Probe *plain)
{
    Options *options = &space->options[group];
    const char *why = NULL;
    for (int o = 0; o < options->count; o++) {
        Option *option = &options->option[o];
        if (is_each_block(space, option))
            option->excluded = "the model has no repeated blocks";
        if (strchr(option->call, '#') != NULL && space->layers == 0)
            option->excluded = "the model has not one repeated block";
        if (option->excluded == NULL && strchr(option->call, '#') == NULL && option->call[0] != '\0')
            probe_option(arena, pattern, space, group, o, plain);
        why = why == NULL ? option->excluded : why;
    }
    if (options_left(options) || options->degree == ALWAYS)
        return;
    space->why[options->degree] = why;
    space->degree[options->degree].high = 1;
}

/* Two, of as few examples as possible: some models have no several. */
void probe_microbatches(Arena *arena, const Pattern *pattern, Space *space)
{
    const Choice choice = {.degree = {1, 1, 1, 1, 1, 1}, .micro = 2, .chunks = 1};
    if (space->micro.high == 1)
        return;
    space->why_micro = try_choice(arena, pattern, space, &choice).error;
    if (space->why_micro != NULL)
        space->micro.high = 1;
}

void probe_options(Arena *arena, const Pattern *pattern, Space *space)
{
    const Choice choice = {.degree = {1, 1, 1, 1, 1, 1}, .micro = 1, .chunks = 1};
    const Probe plain = try_choice(arena, pattern, space, &choice);
    for (int group = 0; group < GROUP_PLACED && space->devices > 1; group++) /* that is for placed_open */
        probe_group(arena, pattern, space, group, &plain);
}
