/* planned.c - a rank's own plan, that of its class of ranks, next to what the rank did. */
#include "runtime/run.h"

#include <stdlib.h>
#include <string.h>

int prt_class_of(const prt_run *run, int rank)
{
    const prt_program *program = run->program;
    int64_t coordinate[PRT_MAX_AXES], rest = rank, place = 0;
    if (program->class_of == NULL)
        return 0;
    for (int axis = program->axis_count - 1; axis >= 0; axis--) {
        coordinate[axis] = rest % program->axes[axis].size;
        rest /= program->axes[axis].size;
    }
    for (int i = 0; i < program->class_axis_count; i++)
        place = place * program->axes[program->class_axis[i]].size + coordinate[program->class_axis[i]];
    return program->class_of[place];
}

const prt_class *prt_class_at(const prt_run *run, int rank)
{
    static const prt_class unplanned;
    return run->program->class_count > 0 ? &run->program->classes[prt_class_of(run, rank)] : &unplanned;
}

int64_t prt_planned_arena(const prt_run *run, int rank)
{
    const prt_class *class = prt_class_at(run, rank);
    int64_t bytes = run->program->arena_bytes[PRT_HOST];
    for (int i = 0; i < PRT_CATEGORIES; i++)
        bytes += class->memory[i];
    return bytes;
}

int64_t *prt_gather_arenas(prt_run *run, int64_t measured)
{
    int64_t *arenas = prt_allocate(run, (size_t)run->ctx.ranks, sizeof *arenas);
    arenas[run->ctx.rank] = measured;
    run->comm->maximum(run->comm, arenas, run->ctx.ranks);
    return arenas;
}

int64_t prt_planned_calls(const prt_run *run, const prt_call *call)
{
    return run->program->class_count > 0 ? call->calls_per_step[prt_class_of(run, run->ctx.rank)] : 0;
}

/* Where examples do not divide evenly, a call is smaller on some ranks, or in some microbatches. */
void prt_planned_check(prt_run *run)
{
    const prt_program *program = run->program;
    char message[256] = "";
    for (int i = 0; program->class_count > 0 && i < program->call_count && message[0] == '\0'; i++) {
        const prt_call *call = &program->calls[i];
        const prt_traffic *done = &run->traffic[i];
        int64_t times = call->every > 0 ? run->joins_done : run->steps_done;
        int64_t planned = prt_planned_calls(run, call) * times;
        if (done->calls == planned && done->payload_bytes <= planned * call->payload_bytes)
            continue;
        run->ctx.at = call->source;
        snprintf(message, sizeof message,
                 "in %lld steps it made %lld calls of %lld bytes in all; planned are %lld calls of %lld bytes",
                 (long long)run->steps_done, (long long)done->calls, (long long)done->payload_bytes, (long long)planned,
                 (long long)(planned * call->payload_bytes));
    }
    prt_agree(run, PRT_WRONG, message);
}
