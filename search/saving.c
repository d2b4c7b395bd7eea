/* saving.c - counts and compares what choices keep on the device (search/saving.h). */
#include "search/saving.h"

#include "strategy/assign.h"

#include <string.h>

double saving_options(const Space *space, const Choice *choice, int group)
{
    double count = 0;
    for (int option = 0; option < MOST_OPTIONS; option++)
        count += space_has_option(space, choice, group, option);
    return count;
}

/* Ways to recompute, in all layers or in some, with so many values on the host. */
static double count_recomputed(const Space *space, Choice choice, int64_t hosted)
{
    space_host(&choice, hosted);
    double partly = (double)space_partly(space, &choice), values = (double)space_most_values(space, &choice);
    bool everything = values > (double)space_values(space); /* in all layers: an option */
    double count = values * (1 + partly) - everything;
    for (int option = 0; option < MOST_OPTIONS; option++) {
        choice.option[GROUP_RECOMPUTED] = (int8_t)option;
        if (space_has_option(space, &choice, GROUP_RECOMPUTED, option) &&
            (hosted == 0 || hosted <= space_hosted(space, &choice)))
            count += option == OPTION_RECOMPUTE && hosted == 0 ? 1 + partly : 1;
    }
    return count;
}

/* Ways to save memory: what is recomputed, and how many values, and the states of how many layers, are on the host. */
double saving_count(const Space *space, const Choice *choice)
{
    Choice most = *choice;
    double count = space_hosts_most(space, false, &most) + space_hosts_most(space, true, &most);
    for (int64_t hosted = space_least_hosted(space); hosted <= space_hosted(space, choice); hosted++)
        count += count_recomputed(space, *choice, hosted);
    return count * (saving_options(space, choice, GROUP_OFFLOADED) + (double)space_offloaded(space, choice));
}

/* 0: all. */
static bool is_no_more(int32_t one, int32_t other)
{
    return other == 0 || (one > 0 && one <= other);
}

/* Does the one recompute nothing that the other keeps? */
static bool recomputes_no_more(const Choice *one, const Choice *other)
{
    int recomputed = one->option[GROUP_RECOMPUTED];
    if (recomputed == OPTION_KEEP)
        return true;
    if (recomputed != other->option[GROUP_RECOMPUTED])
        return false;
    return one->values != other->values ? one->values < other->values : is_no_more(one->layers, other->layers);
}

static bool offloads_no_more(const Choice *one, const Choice *other)
{
    if (one->option[GROUP_OFFLOADED] == OPTION_ON_DEVICE)
        return true;
    return other->option[GROUP_OFFLOADED] == OPTION_OFFLOAD && is_no_more(one->offloaded, other->offloaded);
}

/* Labels of what the one recomputes may name more than what it is put in order by. */
static bool recomputes_hosted(const Space *space, const Choice *one, const Choice *other)
{
    if (one->option[GROUP_RECOMPUTED] != OPTION_BY_VALUE)
        return false;
    for (int v = 0; v < one->values && v < space->values.count; v++)
        for (int l = 0; l < space->values.data[v].count; l++)
            for (int h = one->hosted; h < other->hosted; h++)
                if (label_matches(space->values.data[v].data[l], space_hosted_value(space, other, h)->label))
                    return true;
    return false;
}

/* Has the other on the host what the one has there, and perhaps more? */
static bool hosts_no_more(const Space *space, const Choice *one, const Choice *other)
{
    if (one->hosted == 0)
        return true;
    return one->hosted <= other->hosted && space_hosted_value(space, one, 0) == space_hosted_value(space, other, 0);
}

bool saving_keeps_no_less(const Space *space, const Choice *one, const Choice *other)
{
    Choice same = *other;
    static const int saving[] = {GROUP_RECOMPUTED, GROUP_OFFLOADED, GROUP_HOSTED};
    for (size_t i = 0; i < sizeof saving / sizeof *saving; i++)
        same.option[saving[i]] = one->option[saving[i]];
    return memcmp(one->degree, same.degree, sizeof same.degree) == 0 && one->micro == same.micro &&
           one->chunks == same.chunks && memcmp(one->option, same.option, sizeof same.option) == 0 &&
           recomputes_no_more(one, other) && offloads_no_more(one, other) && hosts_no_more(space, one, other) &&
           !recomputes_hosted(space, one, other);
}
