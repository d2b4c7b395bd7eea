/* comm_self.c - the communication row of a single rank. Every group has one rank, and what it does is a copy (comm.c):
 * nothing calls the functions of groups, which are left out. */
#include "runtime/comm.h"

#include <stdlib.h>

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

static int self_absent(prt_comm *comm)
{
    (void)comm;
    return PRT_NO_RANK;
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

static int self_stop(prt_comm *comm, int64_t step, int asked)
{
    (void)comm, (void)step;
    return asked;
}

static void self_finish(prt_comm *comm, int status)
{
    (void)comm, (void)status;
}

prt_comm *prt_comm_self(void)
{
    static prt_comm comm = {
        .name = "self",
        .ranks = 1,
        .broadcast = self_broadcast,
        .send = self_send,
        .receive = self_receive,
        .maximum = self_maximum,
        .barrier = self_barrier,
        .stop = self_stop,
        .absent = self_absent,
        .mark_step = self_mark_step,
        .abort = self_abort,
        .finish = self_finish,
    };
    return &comm;
}
