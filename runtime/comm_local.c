/* comm_local.c - the communication row of ranks that the program started itself, over the memory that they share
 * (launch.h). Whoever has to wait sleeps on a futex. What steps communicate does not come here: it goes from arena to
 * arena (comm_shared.c). */
#include "runtime/launch.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static prt_crew *crew;

/* ---- Waiting ------------------------------------------------------------------------------------------------ */

static void wait_while(_Atomic uint32_t *word, uint32_t value)
{
    while (atomic_load(word) == value)
        syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static void change(_Atomic uint32_t *word, uint32_t value)
{
    atomic_store(word, value);
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void wait_until(_Atomic uint32_t *word, uint32_t value)
{
    for (uint32_t seen = atomic_load(word); seen != value; seen = atomic_load(word))
        wait_while(word, seen);
}

static void local_barrier(prt_comm *comm)
{
    uint32_t meeting = atomic_load(&crew->meeting);
    atomic_fetch_add(&crew->seats[comm->rank].meetings, 1);
    if (atomic_fetch_add(&crew->arrived, 1) + 1 < (uint32_t)crew->ranks) {
        wait_while(&crew->meeting, meeting);
        return;
    }
    atomic_store(&crew->arrived, 0);
    change(&crew->meeting, meeting + 1);
}

/* Whom a rank waits for: the one at the other end of a message, or one that has reached fewer barriers; -1: no one. */
static int awaited_by(int waiting)
{
    int other = atomic_load(&crew->seats[waiting].awaited) - 1;
    uint64_t reached = atomic_load(&crew->seats[waiting].meetings);
    for (int rank = 0; other < 0 && rank < crew->ranks; rank++)
        if (atomic_load(&crew->seats[rank].meetings) < reached)
            other = rank;
    return other;
}

/* The one at the end: it waits for no one. */
static int local_absent(prt_comm *comm)
{
    int absent = PRT_NO_RANK;
    for (int next = awaited_by(comm->rank), hops = 0; next >= 0 && hops < crew->ranks; hops++) {
        absent = next;
        next = awaited_by(absent);
    }
    return absent;
}

static void await(const prt_comm *comm, int other)
{
    atomic_store(&crew->seats[comm->rank].awaited, other + 1);
}

/* ---- Messages ----------------------------------------------------------------------------------------------- */

static size_t part_of(int64_t bytes, int64_t done)
{
    return (size_t)(bytes - done < PRT_BOX ? bytes - done : PRT_BOX);
}

/* Complete when the last part is in this rank's box. */
static void local_send(prt_comm *comm, const void *data, int64_t bytes, int to)
{
    prt_seat *own = &crew->seats[comm->rank];
    await(comm, to);
    for (int64_t done = 0; done < bytes; done += PRT_BOX) {
        wait_until(&own->addressee, 0);
        memcpy(own->box, (const char *)data + done, part_of(bytes, done));
        change(&own->addressee, (uint32_t)to + 1);
    }
    await(comm, -1);
}

static void local_receive(prt_comm *comm, void *data, int64_t bytes, int from)
{
    prt_seat *other = &crew->seats[from];
    await(comm, from);
    for (int64_t done = 0; done < bytes; done += PRT_BOX) {
        wait_until(&other->addressee, (uint32_t)comm->rank + 1);
        memcpy((char *)data + done, other->box, part_of(bytes, done));
        change(&other->addressee, 0);
    }
    await(comm, -1);
}

static void local_broadcast(prt_comm *comm, void *data, int64_t bytes, int from)
{
    for (int64_t done = 0; done < bytes; done += PRT_BOX) {
        char *part = (char *)data + done;
        if (comm->rank == from)
            memcpy(crew->seats[from].board, part, part_of(bytes, done));
        local_barrier(comm);
        if (comm->rank != from)
            memcpy(part, crew->seats[from].board, part_of(bytes, done));
        local_barrier(comm);
    }
}

static void local_maximum(prt_comm *comm, int64_t *values, int count)
{
    int64_t bytes = count * (int64_t)sizeof *values;
    for (int64_t done = 0; done < bytes; done += PRT_BOX) {
        int64_t *part = values + done / (int64_t)sizeof *values;
        size_t length = part_of(bytes, done) / sizeof *values;
        memcpy(crew->seats[comm->rank].board, part, length * sizeof *values);
        local_barrier(comm);
        for (int rank = 0; rank < crew->ranks; rank++) {
            const int64_t *theirs = (const int64_t *)(const void *)crew->seats[rank].board;
            for (size_t i = 0; i < length; i++)
                part[i] = part[i] < theirs[i] ? theirs[i] : part[i];
        }
        local_barrier(comm);
    }
}

/* ---- The row ------------------------------------------------------------------------------------------------ */

static void local_mark_step(prt_comm *comm, bool begin)
{
    (void)comm, (void)begin;
}

/* The process that started this one notices, and ends the others. */
static void local_abort(prt_comm *comm, int status)
{
    (void)comm;
    _Exit(status);
}

/* A rank shows the step that it begins before it asks whether to stop, and whoever is asked to stop looks at the steps
 * begun after that (prt_launch_ask): so a rank has either been seen in its step, or sees that it is to stop. */
static int local_stop(prt_comm *comm, int64_t step, int asked)
{
    (void)asked;
    atomic_store(&crew->seats[comm->rank].step, step);
    int number = atomic_load(&crew->asked);
    if (number == 0)
        return 0;
    while (atomic_load(&crew->last_step) < 0)
        sched_yield();
    return step > atomic_load(&crew->last_step) ? number : 0;
}

static void local_finish(prt_comm *comm, int status)
{
    (void)status;
    atomic_store(&crew->seats[comm->rank].finished, true);
}

prt_comm *prt_comm_local(prt_crew *shared, int rank)
{
    static prt_comm comm = {
        .name = "this machine",
        .broadcast = local_broadcast,
        .send = local_send,
        .receive = local_receive,
        .maximum = local_maximum,
        .barrier = local_barrier,
        .stop = local_stop,
        .absent = local_absent,
        .mark_step = local_mark_step,
        .abort = local_abort,
        .finish = local_finish,
    };
    crew = shared;
    comm.rank = rank;
    comm.ranks = shared->ranks;
    return &comm;
}
