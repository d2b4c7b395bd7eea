/* comm_self.c - the communication row of a single rank: a collective is a copy. */
#include "runtime/comm.h"

#include <stdlib.h>
#include <string.h>

struct prt_comm_group {
    int unused; /* a group of one needs no state, but an address of its own */
};

static prt_comm_group the_group;

static prt_comm_group *self_make_group(prt_comm *comm, int colour, int place)
{
    (void)comm, (void)colour, (void)place;
    return &the_group;
}

static void self_free_group(prt_comm *comm, prt_comm_group *group)
{
    (void)comm, (void)group;
}

static void self_all_reduce(prt_comm_group *group, void *out, const void *in, int64_t count, prt_dtype dtype,
                            prt_reduction reduction, prt_event *event)
{
    (void)group, (void)reduction, (void)event;
    memmove(out, in, (size_t)(count * prt_dtype_bytes(dtype)));
}

static void self_reduce_scatter(prt_comm_group *group, void *out, const void *in, prt_pieces pieces, prt_dtype dtype,
                                prt_reduction reduction, prt_event *event)
{
    self_all_reduce(group, out, in, pieces.length * pieces.inner, dtype, reduction, event);
}

static void self_all_gather(prt_comm_group *group, void *out, const void *in, prt_pieces pieces, prt_dtype dtype,
                            prt_event *event)
{
    self_all_reduce(group, out, in, pieces.length * pieces.inner, dtype, PRT_SUM, event);
}

static void self_wait(prt_comm *comm, prt_event *event)
{
    (void)comm, (void)event;
}

static void self_broadcast(prt_comm *comm, void *data, int64_t bytes, int from)
{
    (void)comm, (void)data, (void)bytes, (void)from;
}

/* There is no one to send to. */
static void self_send(prt_comm *comm, const void *data, int64_t bytes, int to)
{
    (void)comm, (void)data, (void)bytes, (void)to;
    abort();
}

static void self_receive(prt_comm *comm, void *data, int64_t bytes, int from)
{
    (void)comm, (void)data, (void)bytes, (void)from;
    abort();
}

static void self_maximum(prt_comm *comm, int64_t *values, int count)
{
    (void)comm, (void)values, (void)count;
}

static void self_barrier(prt_comm *comm)
{
    (void)comm;
}

static void self_mark_step(prt_comm *comm, bool begin)
{
    (void)comm, (void)begin;
}

static void self_abort(prt_comm *comm, int status)
{
    (void)comm;
    _Exit(status);
}

static void self_finish(prt_comm *comm)
{
    (void)comm;
}

prt_comm *prt_comm_self(void)
{
    static prt_comm comm = {
        .name = "self",
        .ranks = 1,
        .make_group = self_make_group,
        .free_group = self_free_group,
        .all_reduce = self_all_reduce,
        .reduce_scatter = self_reduce_scatter,
        .all_gather = self_all_gather,
        .wait = self_wait,
        .broadcast = self_broadcast,
        .send = self_send,
        .receive = self_receive,
        .maximum = self_maximum,
        .barrier = self_barrier,
        .mark_step = self_mark_step,
        .abort = self_abort,
        .finish = self_finish,
    };
    return &comm;
}
