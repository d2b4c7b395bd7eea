/* copies.c - ranks that train copies of the one device: what rank 0 hears of them. */
#include "runtime/run.h"
#include "runtime/view.h"

#include <string.h>

/* The first rank of a copy: where it is not among copies its coordinates are 0. */
static prt_place first_of_copy(const prt_run *run, int64_t copy)
{
    prt_place place = {.program = run->program};
    for (int axis = run->program->axis_count - 1; axis >= 0; axis--) {
        if (!run->program->copies[axis])
            continue;
        place.coordinate[axis] = copy % run->program->axes[axis].size;
        copy /= run->program->axes[axis].size;
    }
    return place;
}

bool prt_copies_speak(const prt_run *run)
{
    const prt_place here = prt_place_of(&run->ctx, 0), first = first_of_copy(run, prt_place_copy(&here));
    return run->ctx.rank == prt_place_rank(&first);
}

void prt_copies_gather(prt_run *run, const void *own, int64_t bytes, void *all)
{
    int64_t copies = prt_copies(run->program);
    if (run->ctx.rank == 0)
        memcpy(all, own, (size_t)bytes);
    else if (prt_copies_speak(run))
        run->comm->send(run->comm, own, bytes, 0);
    for (int64_t copy = 1; copy < copies && run->ctx.rank == 0; copy++) {
        const prt_place first = first_of_copy(run, copy);
        run->comm->receive(run->comm, (char *)all + copy * bytes, bytes, prt_place_rank(&first));
    }
}
