/* fit.c - what fits by its bound (search/fit.h). */
#include "search/fit.h"

bool fit_is_too_large(const Space *space, const Bound *bound)
{
    return space->memory_bytes > 0 && bound->error == NULL && bound->bytes > (double)space->memory_bytes;
}

bool fit_has_recomputed(const Space *space, const Choice *row, int option)
{
    Choice recomputed = *row;
    recomputed.option[GROUP_RECOMPUTED] = (int8_t)option;
    return space_has_option(space, row, GROUP_RECOMPUTED, option) && row->hosted <= space_least_hosted(space) &&
           row->hosted <= space_hosted(space, &recomputed);
}

static bool may_fit(Bounds *bounds, const Choice *choice)
{
    const Bound bound = bound_roughly(bounds, choice);
    return !fit_is_too_large(bounds->space, &bound);
}

/* Or with what layers begin with on the host. */
static bool may_fit_recomputed(Bounds *bounds, const Choice *row, int option)
{
    Choice recomputed = *row;
    recomputed.option[GROUP_RECOMPUTED] = (int8_t)option;
    if (!fit_has_recomputed(bounds->space, row, option))
        return false;
    if (may_fit(bounds, &recomputed))
        return true;
    if (recomputed.hosted >= space_hosted(bounds->space, &recomputed))
        return false;
    space_host(&recomputed, recomputed.hosted + 1);
    return may_fit(bounds, &recomputed);
}

/* With as many values recomputed as may be, or everything in as many layers: what keeps more needs no less. */
static bool may_fit_values(Bounds *bounds, const Choice *row)
{
    const Space *space = bounds->space;
    Choice most = *row;
    int64_t values = space_most_values(space, row), all = space_values(space);
    most.option[GROUP_RECOMPUTED] = OPTION_BY_VALUE;
    most.values = (int32_t)(values > all ? all : values);
    if (most.values > 0 && may_fit(bounds, &most))
        return true;
    most.values = (int32_t)values;
    most.layers = (int32_t)space_partly(space, &most);
    return values > all && most.layers > 0 && may_fit(bounds, &most);
}

/* Does anything of it? */
static bool may_fit_row(Bounds *bounds, const Choice *row)
{
    bool keeps = space_has_option(bounds->space, row, GROUP_RECOMPUTED, OPTION_KEEP);
    bool fits = (keeps && may_fit(bounds, row)) || may_fit_values(bounds, row);
    for (int option = OPTION_KEEP + 1; option < MOST_OPTIONS && !fits; option++)
        fits = may_fit_recomputed(bounds, row, option);
    return fits;
}

bool fit_next_row(Bounds *bounds, Choice *row)
{
    bool all = row->option[GROUP_OFFLOADED] == OPTION_OFFLOAD && row->offloaded == 0;
    int64_t most = all ? 0 : space_offloaded(bounds->space, row), low = row->offloaded + 1, high = most + 1;
    row->option[GROUP_OFFLOADED] = OPTION_OFFLOAD;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        row->offloaded = (int32_t)middle;
        if (may_fit_row(bounds, row))
            high = middle;
        else
            low = middle + 1;
    }
    row->offloaded = (int32_t)low;
    return low <= most;
}
