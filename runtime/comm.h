/* comm.h - the communication table: what the runtime needs from whatever connects the ranks.
 *
 * A row is one implementation, a table of functions. It is chosen when the program starts: `self` (a single rank,
 * comm_self.c), ranks that the program starts itself (comm_local.c), or MPI (comm_mpi.c, a shared object that is
 * loaded only under a launcher, so that programs do not depend on MPI). Where ranks share a host, shared memory is put
 * in front of it (comm_shared.c). If all share one, it does everything that steps need: of the row that it covers it
 * uses only the functions between all ranks, and the local row has no others. If there are several hosts, both are used
 * together (comm_hosts.c).
 *
 * All ranks together make each group once, at start. A collective is complete on return, and all ranks of the group
 * call it. A message with an event is only started, and is complete after `wait`. Reductions give the same bits on
 * every rank of the group.
 */
#ifndef PRT_COMM_H
#define PRT_COMM_H

#include "runtime/exchange.h"
#include "runtime/place_rt.h"
#include <stdlib.h>

typedef struct prt_comm prt_comm;
typedef struct prt_comm_group prt_comm_group;

/* Passed from a start to its wait; `handle` belongs to the row. */
typedef struct prt_event {
    bool started;
    bool complete; /* nothing is left to wait for */
    int source;    /* of the call that started it, an index into prt_program.sources */
    int64_t handle;
} prt_event;

enum { PRT_NO_RANK = -1, PRT_SOME_RANK = -2 };

struct prt_comm {
    const char *name; /* "self", "this machine", "Open MPI 4.1.4" */
    int rank, ranks;
    unsigned char *arena; /* memory of the device tier provided by the row, or NULL */

    /* Ranks of the same colour form a group, ordered by place. */
    prt_comm_group *(*make_group)(prt_comm *comm, int colour, int place);
    void (*free_group)(prt_comm *comm, prt_comm_group *group);

    /* `algorithm`, here and of exchanges: what hosts do with each other; rows that connect no hosts do not look at it.
     */
    void (*all_reduce)(prt_comm_group *group, void *out, const void *in, int64_t count, prt_dtype dtype,
                       prt_reduction reduction, const prt_algorithm *algorithm);
    /* Moves or adds what the exchange says (exchange.h); the rest of the result is the caller's. Of an all_gather all
     * ranks get the same, and to a reduce_scatter all contribute the same elements. */
    void (*reduce_scatter)(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in);
    void (*all_gather)(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in);
    void (*exchange)(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in);
    void (*exchange_add)(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in);
    /* To and from places in the group; from or to this rank itself it is a copy. */
    void (*permute)(prt_comm_group *group, int from, int to, void *out, const void *in, int64_t count, prt_dtype dtype);
    void (*hand_out)(prt_comm_group *group, int from, void *out, const void *in, int64_t count, prt_dtype dtype,
                     const prt_algorithm *algorithm);

    /* Messages, to and from another place in the group. The n-th that a rank receives from another on a channel is the
     * n-th that was sent to it there. While a rank waits, it receives whatever it has started to receive. */
    void (*post)(prt_comm_group *group, int to, int channel, const void *in, int64_t count, prt_dtype dtype,
                 prt_event *event);
    void (*collect)(prt_comm_group *group, int from, int channel, void *out, int64_t count, prt_dtype dtype,
                    prt_event *event);
    void (*wait)(prt_comm *comm, prt_event *event);
    void (*progress)(prt_comm *comm); /* continues what was started, while a rank waits elsewhere; or NULL */

    /* Between all ranks; for start, checkpoints and samples, not used in steps. */
    void (*broadcast)(prt_comm *comm, void *data, int64_t bytes, int from);
    void (*send)(prt_comm *comm, const void *data, int64_t bytes, int to);
    void (*receive)(prt_comm *comm, void *data, int64_t bytes, int from);
    void (*maximum)(prt_comm *comm, int64_t *values, int count);
    void (*barrier)(prt_comm *comm);
    /* Before every step, by its number from 1, with the signal that has asked this rank to stop, or 0: whether all
     * ranks stop here, and the signal; the same on all ranks. A signal that arrives later is answered at a later step.
     */
    int (*stop)(prt_comm *comm, int64_t step, int asked);

    /* A rank that we are waiting for, or PRT_NO_RANK, or PRT_SOME_RANK if it is not known which. Called from any
     * thread. */
    int (*absent)(prt_comm *comm);

    void (*mark_step)(prt_comm *comm, bool begin); /* tells a measuring library that a step begins or ends */
    void (*abort)(prt_comm *comm, int status);     /* ends all ranks' processes */
    void (*finish)(prt_comm *comm, int status);    /* the status with which all ranks are about to exit */
};

static inline int64_t prt_dtype_bytes(prt_dtype dtype)
{
    switch (dtype) {
    case PRT_F64:
        return 8;
    case PRT_F32:
    case PRT_I32:
        return 4;
    case PRT_BF16:
        return 2;
    }
    abort();
}

const char *prt_collective_name(prt_collective op); /* comm.c: "all_reduce" */

prt_comm *prt_comm_self(void);

/* The channels of a program's messages are counted from 0; without messages it has none. */
int prt_channels(const prt_program *program);

/* Puts a row between hosts and one inside each together. `host_of` each rank, which is kept. */
prt_comm *prt_comm_hosts(prt_comm *base, prt_comm *inside, const prt_program *program, const int *host_of,
                         int host_count);

/* The one symbol of libplacert_mpi.so. Ranks with the same mark of their host get neighbouring numbers. Returns NULL
 * and a message if MPI cannot be started. */
typedef prt_comm *prt_comm_mpi_fn(int format, int64_t host_mark, char *message, size_t message_bytes);
prt_comm_mpi_fn prt_comm_mpi;

#endif
