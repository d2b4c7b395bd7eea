/* usual.c - the strategy that is tried first (search/usual.h). */
#include "search/usual.h"

#include "search/best.h"

#include <math.h>

int8_t usual_last_option(const Space *space, const Choice *choice, int group)
{
    int8_t last = 0;
    for (int option = 0; option < MOST_OPTIONS; option++)
        if (space_has_option(space, choice, group, option))
            last = (int8_t)option;
    return last;
}

static void prefer(const Space *space, Choice *choice, int group, int option)
{
    if (space_has_option(space, choice, group, option))
        choice->option[group] = (int8_t)option;
}

void usual_layers(const Space *space, Choice *choice)
{
    for (int group = GROUP_CONTEXTS; group <= GROUP_TENSORS; group++)
        choice->option[group] = usual_last_option(space, choice, group);
    prefer(space, choice, GROUP_CONTEXTS, OPTION_GATHERED);
}

/* What people often do, and what needs little memory: as much tensor parallelism as there may be, one example at a
 * time, everything recomputed. False if the space has no such strategy. */
static bool usual_choice(const Space *space, int64_t stages, int64_t contexts, int64_t tensors, Choice *choice)
{
    int64_t data = space->devices / (stages * contexts * tensors);
    const int64_t degree[DEGREE_COUNT] = {stages, 1, data, contexts, 1, tensors};
    *choice = (Choice){.chunks = 1};
    for (int i = 0; i < DEGREE_COUNT; i++) {
        choice->degree[i] = (int32_t)degree[i];
        if (!limit_allows(&space->degree[i], degree[i]))
            return false;
    }
    int64_t micro = space->train->batch / data;
    choice->micro = (int32_t)(micro < space->micro.high ? micro : space->micro.high);
    usual_layers(space, choice);
    choice->option[GROUP_RECOMPUTED] = usual_last_option(space, choice, GROUP_RECOMPUTED);
    choice->option[GROUP_STATES] = usual_last_option(space, choice, GROUP_STATES);
    prefer(space, choice, GROUP_STATES, OPTION_ZERO1);
    return space->train->batch % data == 0 && micro >= 1 && micro % choice->micro == 0 &&
           limit_allows(&space->micro, choice->micro) &&
           space_has_option(space, choice, GROUP_SCHEDULE, OPTION_ONE_F_ONE_B) &&
           space_has_option(space, choice, GROUP_OFFLOADED, OPTION_ON_DEVICE) &&
           space_has_option(space, choice, GROUP_HOSTED, OPTION_VALUES_ON_DEVICE);
}

/* As many ranks as tensor parallelism may have. */
static int64_t most_tensors(const Space *space)
{
    int64_t most = 1;
    for (int64_t size = 1; size <= space->devices && size <= space->degree[DEGREE_TENSOR].high; size++)
        most = space->devices % size == 0 ? size : most;
    return most;
}

bool usual_find(Bounds *bounds, double room, Choice *best)
{
    const Space *space = bounds->space;
    int64_t tensors = most_tensors(space), rest = space->devices / tensors;
    double least = INFINITY;
    for (int64_t stages = 1; stages <= rest; stages++)
        for (int64_t contexts = 1; contexts <= rest / stages; contexts++) {
            Choice choice;
            if (rest % (stages * contexts) != 0 || !usual_choice(space, stages, contexts, tensors, &choice))
                continue;
            const Bound bound = bound_roughly(bounds, &choice);
            const Found likely = {.seconds = bound.seconds, .bytes = bound.bytes};
            const double value = best_value(space, &likely);
            bool fits = space->memory_bytes == 0 || bound.likely_bytes <= room * (double)space->memory_bytes;
            if (bound.error == NULL && fits && value < least) {
                least = value;
                *best = choice;
            }
        }
    return isfinite(least);
}
