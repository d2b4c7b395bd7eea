/* statements.c - finds and removes what a program states explicitly (strategy/statements.h). */
#include "strategy/statements.h"

/* The axes that read by default: those that shard the batch, in mesh order. */
static AxisSet usual_readers(const Assignment *assignment)
{
    AxisSet readers = {0};
    for (int a = 0; a < STEP_MAX_AXES; a++)
        if (axes_contain(assignment->batch_axes, a) || axes_contain(assignment->copy_axes, a))
            readers.axis[readers.count++] = (int8_t)a;
    return readers;
}

static bool readers_differ(const Assignment *assignment)
{
    AxisSet usual = usual_readers(assignment), given = assignment->reader_axes;
    bool differ = usual.count != given.count;
    for (int i = 0; i < usual.count; i++)
        differ |= !axes_contain(given, usual.axis[i]);
    return differ;
}

bool statements_given(const Assignment *assignment)
{
    bool seeds = false;
    for (int a = 0; a < STEP_MAX_AXES; a++)
        seeds |= assignment->seed.per_axis[a] != 0;
    return assignment->syncs.count > 0 || seeds || assignment->maps.count > 0 || readers_differ(assignment);
}

Assignment statements_forgotten(const Assignment *assignment)
{
    Assignment rest = *assignment;
    rest.syncs.count = 0;
    rest.reader_axes = usual_readers(assignment);
    for (int a = 0; a < STEP_MAX_AXES; a++)
        rest.seed.per_axis[a] = 0;
    rest.maps.count = 0;
    return rest;
}
