/* comm.h - the communication table: what the runtime needs from whatever connects the ranks.
 *
 * A row is one implementation, a table of functions. It is chosen when the program starts: `self` (a single rank,
 * comm_self.c), ranks that the program starts itself (comm_local.c), or MPI (comm_mpi.c, a shared object that is
 * loaded only under a launcher, so that programs do not depend on MPI). All ranks together make each group once, at
 * start. A collective with an event is only started, and is complete after `wait`; a row may complete it at once.
 * Reductions give the same bits on every rank of the group.
 */
#ifndef PRT_COMM_H
#define PRT_COMM_H

#include "runtime/place_rt.h"
#include <stdlib.h>

typedef struct prt_comm prt_comm;
typedef struct prt_comm_group prt_comm_group;

/* Passed from a start to its wait; `handle` belongs to the row. */
typedef struct prt_event {
    bool started;
    bool complete; /* nothing is left to wait for */
    void *handle;
} prt_event;

struct prt_comm {
    const char *name; /* "self", "this machine", "Open MPI 4.1.4" */
    int rank, ranks;
    unsigned char *arena; /* memory of the device tier provided by the row, or NULL */

    /* Ranks of the same colour form a group, ordered by place. */
    prt_comm_group *(*make_group)(prt_comm *comm, int colour, int place);
    void (*free_group)(prt_comm *comm, prt_comm_group *group);

    void (*all_reduce)(prt_comm_group *group, void *out, const void *in, int64_t count, prt_dtype dtype,
                       prt_reduction reduction, prt_event *event);
    /* Pieces as cut by place_rt.h, without padding: the caller zeroes it. */
    void (*reduce_scatter)(prt_comm_group *group, void *out, const void *in, prt_pieces pieces, prt_dtype dtype,
                           prt_reduction reduction, prt_event *event);
    void (*all_gather)(prt_comm_group *group, void *out, const void *in, prt_pieces pieces, prt_dtype dtype,
                       prt_event *event);
    void (*wait)(prt_comm *comm, prt_event *event);

    /* Between all ranks; for start, checkpoints and samples, not used in steps. */
    void (*broadcast)(prt_comm *comm, void *data, int64_t bytes, int from);
    void (*send)(prt_comm *comm, const void *data, int64_t bytes, int to);
    void (*receive)(prt_comm *comm, void *data, int64_t bytes, int from);
    void (*maximum)(prt_comm *comm, int64_t *values, int count);
    void (*barrier)(prt_comm *comm);

    int (*absent)(prt_comm *comm); /* a rank that we are waiting for, -1 if unknown; or NULL. Called from any thread */

    void (*mark_step)(prt_comm *comm, bool begin); /* tells a measuring library that a step begins or ends */
    void (*abort)(prt_comm *comm, int status);     /* ends all ranks' processes */
    void (*finish)(prt_comm *comm);
};

/* Piece of a dim that is cut repeatedly: `index` counts all pieces, those of the outermost cut first. */
static inline prt_range prt_nested_piece(prt_pieces pieces, int64_t count, int64_t index)
{
    prt_range piece = {0, pieces.length};
    for (int cut = 0; cut < PRT_MAX_CUTS && pieces.parts[cut] > 0; cut++) {
        count /= pieces.parts[cut];
        piece = prt_cut_again(piece, pieces.parts[cut], index / count % pieces.parts[cut]);
    }
    return piece;
}

/* A piece of a whole, in elements. */
static inline prt_range prt_piece(prt_pieces pieces, int64_t count, int64_t index)
{
    prt_range piece = pieces.flat ? prt_cut_flat(pieces.length, count, index) : prt_nested_piece(pieces, count, index);
    return (prt_range){piece.start * pieces.inner, piece.extent * pieces.inner};
}

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

prt_comm *prt_comm_self(void);

/* Puts shared memory in front of a row, for collectives and the arena; the row itself if not all ranks share a host. */
prt_comm *prt_comm_share(prt_comm *base, int64_t arena_bytes, int group_count);

/* The one symbol of libplacert_mpi.so. Returns NULL and a message if MPI cannot be started. */
typedef prt_comm *prt_comm_mpi_fn(int format, char *message, size_t message_bytes);
prt_comm_mpi_fn prt_comm_mpi;

#endif
