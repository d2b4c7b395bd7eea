/* exact.c - what strategies without pipelines cost (search/exact.h). */
#include "search/exact.h"

/* With the same mesh and states, run with as few examples at a time as one device can. It recomputes nothing, unless
 * that gathers parameters once more: where they are shards, those that only forward reads. */
static Choice outer_choice(const Choice *choice)
{
    Choice outer = *choice;
    outer.micro = choice->micro > 1 ? 2 : 1;
    space_host(&outer, 0);
    if (choice->degree[DEGREE_DATA] > 1 && choice->option[GROUP_STATES] == OPTION_ZERO3)
        return outer;
    outer.option[GROUP_RECOMPUTED] = OPTION_KEEP;
    outer.values = outer.layers = 0;
    return outer;
}

/* Adds `count` of a microbatch; false if there is no such program, or its ranks wait for each other. */
static bool add_micro(Inners *inners, const Choice *choice, int64_t examples, double count, double *seconds)
{
    const Inner *inner = inner_find(inners, choice, examples);
    *seconds += count * inner_micro_s(inner);
    return inner->error == NULL && !inner->waits;
}

/* A microbatch of so many examples in the inner programs of the choice's layers. */
static bool add_layers(Inners *inners, const Choice *choice, int64_t examples, double count, double *seconds)
{
    const Space *space = inners->space;
    double share = choice->layers > 0 ? (double)choice->layers / (double)space->layers : 1;
    const Choice again = inner_layers(space, choice, true), others = inner_layers(space, choice, false);
    return add_micro(inners, &again, examples, count * share, seconds) &&
           (share == 1 || add_micro(inners, &others, examples, count * (1 - share), seconds));
}

bool exact_seconds(Inners *inners, const Choice *choice, double *seconds)
{
    const Space *space = inners->space;
    if (choice->degree[DEGREE_PIPELINE] > 1 || space->train->serves)
        return false;
    const Choice outer = outer_choice(choice);
    const Inner *once = inner_find(inners, &outer, space->fewest);
    if (once->error != NULL || once->waits || once->mixes)
        return false;
    double micro = inner_micro_s(once);
    bool known = add_layers(inners, &outer, space->fewest, -1, &micro) &&
                 add_layers(inners, choice, (int64_t)space_examples(space, choice), 1, &micro);
    *seconds = once->once_s + choice->micro * micro;
    return known;
}
