/* trace.c - what --trace writes: every communication of a rank's steps, in the order in which they are started.
 *
 *     step 3
 *     all_reduce over 0 1 stream 0: 9x8
 *     all_gather over 0 1 stream 1: 6x8 to 0 from 0, 6x8 to 6 from 1
 *     send over 0 2 stream 2 channel 0: 24x4 to 2
 *
 * Ranks are numbers in the mesh. 6x8 are 6 elements of 8 bytes; where pieces are exchanged, what the result gets from
 * each rank, and at which of its elements the first is. Lines are complete when the communication begins, so that of a
 * run that hangs the last one is where. */
#include "runtime/run.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Why the first line that is not written was not, an errno: what closing does not say. */
static int lost;

static void end_line(const prt_run *run)
{
    fputc('\n', run->trace);
    if (lost == 0 && ferror(run->trace))
        lost = errno;
}

void prt_trace_open(prt_run *run)
{
    char path[4096], message[4400] = "";
    if (run->options.trace == NULL)
        return;
    snprintf(path, sizeof path, "%s.%d", run->options.trace, run->ctx.rank);
    run->trace = fopen(path, "w");
    if (run->trace == NULL)
        snprintf(message, sizeof message, "cannot write the trace '%s': %s", path, strerror(errno));
    else
        setvbuf(run->trace, NULL, _IOLBF, BUFSIZ);
    prt_agree(run, PRT_WORLD, message);
}

void prt_trace_close(prt_run *run)
{
    if (run->trace == NULL)
        return;
    if (fclose(run->trace) != 0 && lost == 0)
        lost = errno;
    if (lost != 0)
        prt_fail(&run->ctx, "cannot write the trace '%s.%d': %s", run->options.trace, run->ctx.rank, strerror(lost));
    run->trace = NULL;
}

void prt_trace_step(const prt_run *run)
{
    if (run->trace == NULL)
        return;
    fprintf(run->trace, "step %" PRId64, run->ctx.step + 1);
    end_line(run);
}

/* The rank at a position of the call's group. */
static int rank_at(const prt_run *run, const prt_call *call, int64_t position)
{
    prt_place own = prt_place_of(&run->ctx, 0);
    prt_place other = prt_place_in_group(&own, &run->program->groups[call->group], position);
    return prt_place_rank(&other);
}

static void write_group(const prt_run *run, const prt_call *call)
{
    fprintf(run->trace, "%s over", prt_collective_name(call->op));
    for (int64_t i = 0; i < run->groups[call->group].size; i++)
        fprintf(run->trace, " %d", rank_at(run, call, i));
    fprintf(run->trace, " stream %d", call->stream);
}

static bool is_traced(const prt_run *run)
{
    return run->trace != NULL && run->in_step;
}

void prt_trace_values(const prt_run *run, int index, int64_t count, int64_t to, int64_t from)
{
    const prt_call *call = &run->program->calls[index];
    if (!is_traced(run))
        return;
    write_group(run, call);
    if (call->op == PRT_SEND || call->op == PRT_RECV)
        fprintf(run->trace, " channel %d", call->channel);
    fprintf(run->trace, ": %" PRId64 "x%" PRId64, count, prt_dtype_bytes(call->dtype));
    if (to >= 0)
        fprintf(run->trace, " to %d", rank_at(run, call, to));
    if (from >= 0)
        fprintf(run->trace, " from %d", rank_at(run, call, from));
    end_line(run);
}

void prt_trace_exchange(const prt_run *run, int index, const prt_exchange *exchange)
{
    const prt_call *call = &run->program->calls[index];
    if (!is_traced(run))
        return;
    write_group(run, call);
    const char *before = ": ";
    for (int64_t i = 0; i < exchange->size; i++) {
        prt_overlap taken = prt_exchange_between(exchange, i, exchange->place);
        prt_blocks blocks = prt_blocks_of(&taken);
        prt_block first;
        if (!prt_blocks_next(&blocks, &first))
            continue;
        fprintf(run->trace, "%s%" PRId64 "x%" PRId64 " to %" PRId64 " from %d", before, taken.elements,
                prt_dtype_bytes(call->dtype), first.right, rank_at(run, call, i));
        before = ", ";
    }
    end_line(run);
}
