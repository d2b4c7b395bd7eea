/* statements.c - finds and removes what a program states explicitly (strategy/statements.h). */
#include "strategy/statements.h"

/* The axes that read by default: those that shard the batch, in mesh order. */
static AxisSet usual_readers(const Train *train)
{
    AxisSet readers = {0};
    for (int a = 0; a < train->decls->axes.count; a++)
        if (axes_contain(train->assignment->batch_axes, a) || axes_contain(train->assignment->copy_axes, a))
            readers.axis[readers.count++] = (int8_t)a;
    return readers;
}

static bool readers_differ(const Train *train)
{
    AxisSet usual = usual_readers(train), said = train->assignment->reader_axes;
    bool differ = usual.count != said.count;
    for (int i = 0; i < usual.count; i++)
        differ |= !axes_contain(said, usual.axis[i]);
    return differ;
}

bool statements_given(const Train *train)
{
    bool seeds = false;
    for (int a = 0; a < STEP_MAX_AXES; a++)
        seeds |= train->assignment->seed.per_axis[a] != 0;
    return train->assignment->syncs.count > 0 || seeds || train->decls->maps.count > 0 || readers_differ(train);
}

void statements_forget(Train *train)
{
    train->assignment->syncs.count = 0;
    train->assignment->reader_axes = usual_readers(train);
    for (int a = 0; a < STEP_MAX_AXES; a++)
        train->assignment->seed.per_axis[a] = 0;
    train->decls->maps.count = 0;
}
