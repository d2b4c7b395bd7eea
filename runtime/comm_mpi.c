/* comm_mpi.c - the communication row over MPI: the only file of the runtime that includes MPI's headers, and a shared
 * object of its own (libplacert_mpi.so), loaded when a program runs under a launcher.
 *
 * A call in the plan is one call of MPI, with the plan's bytes. Collectives complete when they are started: MPI makes
 * no progress by itself, so nothing would be gained by leaving them open. */
#include "runtime/comm.h"

#include <limits.h>
#include <malloc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct prt_comm_group {
    MPI_Comm comm;
    int size, place;
    int *counts, *starts; /* of the current call's pieces */
};

enum { TAG = 1, CHUNK = 1 << 30 };

/* Prints the reason and leaves the rest to the handler of fatal signals, which names rank, step and source line. */
static _Noreturn void give_up(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    abort();
}

static _Noreturn void mpi_fail(const char *call, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length = 0;
    MPI_Error_string(code, text, &length);
    give_up(call, text);
}

#define MPI_TRY(call, arguments)                                                                                       \
    do {                                                                                                               \
        int code_ = call arguments;                                                                                    \
        if (code_ != MPI_SUCCESS)                                                                                      \
            mpi_fail(#call, code_);                                                                                    \
    } while (0)

static MPI_Datatype mpi_type(prt_dtype dtype)
{
    switch (dtype) {
    case PRT_F32:
        return MPI_FLOAT;
    case PRT_F64:
        return MPI_DOUBLE;
    case PRT_I32:
        return MPI_INT32_T;
    case PRT_BF16:
        break;
    }
    give_up("MPI", "has no numbers of type bf16");
}

static MPI_Op mpi_op(prt_reduction reduction)
{
    switch (reduction) {
    case PRT_SUM:
        return MPI_SUM;
    case PRT_MAX:
        return MPI_MAX;
    }
    give_up("MPI", "has no such reduction");
}

static int mpi_count(int64_t count)
{
    if (count > INT_MAX)
        give_up("MPI", "cannot count the elements of so large a communication");
    return (int)count;
}

static prt_comm_group *mpi_make_group(prt_comm *comm, int colour, int place)
{
    (void)comm;
    prt_comm_group *group = calloc(1, sizeof *group);
    if (group == NULL)
        mpi_fail("calloc", MPI_ERR_NO_MEM);
    MPI_TRY(MPI_Comm_split, (MPI_COMM_WORLD, colour, place, &group->comm));
    MPI_TRY(MPI_Comm_size, (group->comm, &group->size));
    MPI_TRY(MPI_Comm_rank, (group->comm, &group->place));
    group->counts = calloc((size_t)group->size, sizeof *group->counts);
    group->starts = calloc((size_t)group->size, sizeof *group->starts);
    if (group->counts == NULL || group->starts == NULL)
        mpi_fail("calloc", MPI_ERR_NO_MEM);
    return group;
}

static void mpi_free_group(prt_comm *comm, prt_comm_group *group)
{
    (void)comm;
    MPI_TRY(MPI_Comm_free, (&group->comm));
    free(group->counts);
    free(group->starts);
    free(group);
}

static void mpi_all_reduce(prt_comm_group *group, void *out, const void *in, int64_t count, prt_dtype dtype,
                           prt_reduction reduction, prt_event *event)
{
    (void)event;
    MPI_TRY(MPI_Allreduce,
            (in == out ? MPI_IN_PLACE : in, out, mpi_count(count), mpi_type(dtype), mpi_op(reduction), group->comm));
}

/* Fills counts and starts; true if all pieces are equal. */
static bool lay_out(prt_comm_group *group, prt_pieces pieces)
{
    bool equal = true;
    mpi_count(pieces.length * pieces.inner);
    for (int i = 0; i < group->size; i++) {
        prt_range piece = prt_piece(pieces, group->size, i);
        group->starts[i] = (int)piece.start;
        group->counts[i] = (int)piece.extent;
        equal = equal && group->counts[i] == group->counts[0];
    }
    return equal;
}

static void mpi_reduce_scatter(prt_comm_group *group, void *out, const void *in, prt_pieces pieces, prt_dtype dtype,
                               prt_reduction reduction, prt_event *event)
{
    (void)event;
    bool equal = lay_out(group, pieces);
    if (equal)
        MPI_TRY(MPI_Reduce_scatter_block, (in, out, group->counts[0], mpi_type(dtype), mpi_op(reduction), group->comm));
    else
        MPI_TRY(MPI_Reduce_scatter, (in, out, group->counts, mpi_type(dtype), mpi_op(reduction), group->comm));
}

static void mpi_all_gather(prt_comm_group *group, void *out, const void *in, prt_pieces pieces, prt_dtype dtype,
                           prt_event *event)
{
    (void)event;
    bool equal = lay_out(group, pieces);
    MPI_Datatype type = mpi_type(dtype);
    const char *own = (const char *)out + group->starts[group->place] * prt_dtype_bytes(dtype);
    const void *from = in == own ? MPI_IN_PLACE : in;
    int count = group->counts[group->place];
    if (equal)
        MPI_TRY(MPI_Allgather, (from, count, type, out, count, type, group->comm));
    else
        MPI_TRY(MPI_Allgatherv, (from, count, type, out, group->counts, group->starts, type, group->comm));
}

static void mpi_wait(prt_comm *comm, prt_event *event)
{
    (void)comm, (void)event;
}

/* MPI counts the bytes of a message in an int: longer ones are sent in chunks. */
static int chunk(int64_t bytes, int64_t done)
{
    return (int)(bytes - done < CHUNK ? bytes - done : CHUNK);
}

static void mpi_broadcast(prt_comm *comm, void *data, int64_t bytes, int from)
{
    (void)comm;
    for (int64_t done = 0; done < bytes; done += CHUNK)
        MPI_TRY(MPI_Bcast, ((char *)data + done, chunk(bytes, done), MPI_BYTE, from, MPI_COMM_WORLD));
}

static void mpi_send(prt_comm *comm, const void *data, int64_t bytes, int to)
{
    (void)comm;
    for (int64_t done = 0; done < bytes; done += CHUNK)
        MPI_TRY(MPI_Send, ((const char *)data + done, chunk(bytes, done), MPI_BYTE, to, TAG, MPI_COMM_WORLD));
}

static void mpi_receive(prt_comm *comm, void *data, int64_t bytes, int from)
{
    (void)comm;
    for (int64_t done = 0; done < bytes; done += CHUNK)
        MPI_TRY(MPI_Recv,
                ((char *)data + done, chunk(bytes, done), MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void mpi_maximum(prt_comm *comm, int64_t *values, int count)
{
    (void)comm;
    MPI_TRY(MPI_Allreduce, (MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD));
}

static void mpi_barrier(prt_comm *comm)
{
    (void)comm;
    MPI_TRY(MPI_Barrier, (MPI_COMM_WORLD));
}

static void mpi_mark_step(prt_comm *comm, bool begin)
{
    (void)comm;
    MPI_TRY(MPI_Pcontrol, (begin ? 2 : 1));
}

/* A variable of Open MPI 4 that suppresses its explanations. NULL elsewhere. */
extern bool orte_execute_quiet __attribute__((weak));

/* The reason has been printed; eight lines about MPI_Abort would hide it. */
static void mpi_abort(prt_comm *comm, int status)
{
    (void)comm;
    if (&orte_execute_quiet != NULL)
        orte_execute_quiet = true;
    MPI_Abort(MPI_COMM_WORLD, status);
}

static void mpi_finish(prt_comm *comm)
{
    (void)comm;
    MPI_TRY(MPI_Finalize, ());
}

static prt_comm table = {
    .make_group = mpi_make_group,
    .free_group = mpi_free_group,
    .all_reduce = mpi_all_reduce,
    .reduce_scatter = mpi_reduce_scatter,
    .all_gather = mpi_all_gather,
    .wait = mpi_wait,
    .broadcast = mpi_broadcast,
    .send = mpi_send,
    .receive = mpi_receive,
    .maximum = mpi_maximum,
    .barrier = mpi_barrier,
    .mark_step = mpi_mark_step,
    .abort = mpi_abort,
    .finish = mpi_finish,
};

prt_comm *prt_comm_mpi(int format, char *message, size_t message_bytes)
{
    static char name[MPI_MAX_LIBRARY_VERSION_STRING];
    if (format != PRT_FORMAT) {
        snprintf(message, message_bytes, "libplacert_mpi.so has format %d, the program %d: build both again",
                 PRT_FORMAT, format);
        return NULL;
    }
    /* Keeps large temporaries of collectives on the heap: mapping and unmapping them in every call costs as much as the
     * communication. */
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, 16 << 20);
    int provided, length;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        snprintf(message, message_bytes, "MPI_Init_thread failed");
        return NULL;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &table.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &table.ranks);
    MPI_Get_library_version(name, &length);
    name[strcspn(name, ",\n")] = '\0';
    table.name = name;
    return &table;
}
