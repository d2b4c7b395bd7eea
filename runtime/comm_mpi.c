/* comm_mpi.c - the communication row over MPI: the only file of the runtime that includes MPI's headers, and a shared
 * object of its own (libplacert_mpi.so), loaded when a program runs under a launcher.
 *
 * A call in the plan is one call of MPI, with the plan's bytes. Collectives complete when they are started: MPI makes
 * no progress by itself, so nothing would be gained by leaving them open. MPI wants each rank's elements contiguous:
 * those that are not are packed. */
#include "runtime/bf16.h"
#include "runtime/comm.h"

#include <limits.h>
#include <malloc.h>
#include <mpi.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct prt_comm_group {
    MPI_Comm comm;
    int size, place;
    int *ranks;                                         /* among all, by position */
    int *counts, *starts, *other_counts, *other_starts; /* of the current call's pieces */
};

enum { TAG = 1, CHUNK = 1 << 30 };

static MPI_Comm everyone; /* all ranks, those of a host one after another */

/* Prints the reason and leaves the rest to the handler of fatal signals, which names rank, step and source line. */
static _Noreturn void give_up(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    abort();
}

/* Mostly because another rank has ended the job, and said why; then the launcher ends this one, too, before it speaks.
 */
static _Noreturn void mpi_fail(const char *call, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length = 0;
    MPI_Error_string(code, text, &length);
    sleep(3);
    give_up(call, text);
}

/* The rank that a call of MPI waits for. Of a collective, MPI does not tell. */
static _Atomic int waiting_rank = PRT_NO_RANK;

#define MPI_TRY_FOR(rank, call, arguments)                                                                             \
    do {                                                                                                               \
        atomic_store(&waiting_rank, rank);                                                                             \
        int code_ = call arguments;                                                                                    \
        atomic_store(&waiting_rank, PRT_NO_RANK);                                                                      \
        if (code_ != MPI_SUCCESS)                                                                                      \
            mpi_fail(#call, code_);                                                                                    \
    } while (0)

#define MPI_TRY(call, arguments) MPI_TRY_FOR(PRT_SOME_RANK, call, arguments)

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
        return MPI_UINT16_T; /* with operations of our own */
    }
    give_up("MPI", "has no numbers of this type");
}

static void add_bf16(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    prt_bf16_combine(inout, in, *count, false);
}

static void larger_bf16(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    prt_bf16_combine(inout, in, *count, true);
}

/* Made when it is first needed. */
static MPI_Op bf16_op(bool larger)
{
    static MPI_Op ops[2];
    static bool made[2];
    if (!made[larger])
        MPI_TRY(MPI_Op_create, (larger ? larger_bf16 : add_bf16, true, &ops[larger]));
    made[larger] = true;
    return ops[larger];
}

static MPI_Op mpi_op(prt_dtype dtype, prt_reduction reduction)
{
    if (dtype == PRT_BF16)
        return bf16_op(reduction == PRT_MAX);
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

static void *allocate(size_t count, size_t bytes)
{
    void *memory = calloc(count, bytes);
    if (memory == NULL)
        mpi_fail("calloc", MPI_ERR_NO_MEM);
    return memory;
}

static prt_comm_group *mpi_make_group(prt_comm *comm, int colour, int place)
{
    (void)comm;
    prt_comm_group *group = allocate(1, sizeof *group);
    MPI_TRY(MPI_Comm_split, (everyone, colour, place, &group->comm));
    MPI_TRY(MPI_Comm_size, (group->comm, &group->size));
    MPI_TRY(MPI_Comm_rank, (group->comm, &group->place));
    group->counts = allocate(4 * (size_t)group->size, sizeof *group->counts);
    group->starts = group->counts + group->size;
    group->other_counts = group->starts + group->size;
    group->other_starts = group->other_counts + group->size;
    group->ranks = allocate((size_t)group->size, sizeof *group->ranks);
    int *places = allocate((size_t)group->size, sizeof *places);
    for (int i = 0; i < group->size; i++)
        places[i] = i;
    MPI_Group all, members;
    MPI_TRY(MPI_Comm_group, (everyone, &all));
    MPI_TRY(MPI_Comm_group, (group->comm, &members));
    MPI_TRY(MPI_Group_translate_ranks, (members, group->size, places, all, group->ranks));
    MPI_TRY(MPI_Group_free, (&all));
    MPI_TRY(MPI_Group_free, (&members));
    free(places);
    return group;
}

static void mpi_free_group(prt_comm *comm, prt_comm_group *group)
{
    (void)comm;
    MPI_TRY(MPI_Comm_free, (&group->comm));
    free(group->counts);
    free(group->ranks);
    free(group);
}

/* ---- Packing ------------------------------------------------------------------------------------------------ */

/* Memory for what is packed, kept from call to call. */
typedef struct scratch_memory {
    void *memory;
    size_t bytes;
} scratch_memory;

static scratch_memory to_send, received;

static void *room_for(scratch_memory *scratch, int64_t bytes)
{
    if ((size_t)bytes > scratch->bytes) {
        free(scratch->memory);
        scratch->memory = allocate((size_t)bytes, 1);
        scratch->bytes = (size_t)bytes;
    }
    return scratch->memory;
}

/* The pieces that ranks give or get, one after another in a packed array, or where they are. */
typedef struct piece_list {
    int *counts, *starts;
    int64_t total;
    bool direct; /* each is contiguous in its array, and `starts` says where */
    bool dense;  /* one after another, from 0 on */
    bool equal;
} piece_list;

static void add_piece(piece_list *pieces, int i, const prt_overlap *overlap, bool left)
{
    prt_block block = {0};
    bool is_block = prt_overlap_is_block(overlap, &block);
    int64_t at = left ? block.left : block.right;
    pieces->counts[i] = mpi_count(overlap->elements);
    pieces->direct = pieces->direct && (is_block || overlap->elements == 0);
    pieces->starts[i] = is_block ? mpi_count(at) : 0;
    pieces->dense = pieces->dense && (overlap->elements == 0 || (is_block && at == pieces->total));
    pieces->equal = pieces->equal && pieces->counts[i] == pieces->counts[0];
    pieces->total += overlap->elements;
    mpi_count(pieces->total);
}

static piece_list no_pieces(int *counts, int *starts)
{
    return (piece_list){.counts = counts, .starts = starts, .direct = true, .dense = true, .equal = true};
}

/* In a packed array they are one after another. */
static void set_packed(piece_list *pieces, int count)
{
    int at = 0;
    for (int i = 0; i < count; at += pieces->counts[i++])
        pieces->starts[i] = at;
    pieces->direct = false;
    pieces->dense = true;
}

/* What this rank gives each of the others, in its operand. */
static piece_list given_pieces(const prt_comm_group *group, const prt_exchange *exchange)
{
    piece_list given = no_pieces(group->counts, group->starts);
    for (int i = 0; i < group->size; i++) {
        prt_overlap overlap = prt_exchange_between(exchange, group->place, i);
        add_piece(&given, i, &overlap, true);
    }
    return given;
}

/* What this rank gets from each of the others, in its result. */
static piece_list taken_pieces(const prt_comm_group *group, const prt_exchange *exchange)
{
    piece_list taken = no_pieces(group->other_counts, group->other_starts);
    for (int i = 0; i < group->size; i++) {
        prt_overlap overlap = prt_exchange_between(exchange, i, group->place);
        add_piece(&taken, i, &overlap, false);
    }
    return taken;
}

static void *pack(const prt_comm_group *group, const prt_exchange *exchange, piece_list *given, const void *in)
{
    int64_t bytes = prt_dtype_bytes(exchange->dtype);
    char *packed = room_for(&to_send, given->total * bytes);
    set_packed(given, group->size);
    for (int i = 0; i < group->size; i++) {
        prt_overlap overlap = prt_exchange_between(exchange, group->place, i);
        prt_overlap_pack(&overlap, bytes, packed + given->starts[i] * bytes, in);
    }
    return packed;
}

static void unpack(const prt_comm_group *group, const prt_exchange *exchange, const piece_list *taken, void *out)
{
    int64_t bytes = prt_dtype_bytes(exchange->dtype);
    for (int i = 0; i < group->size; i++) {
        prt_overlap overlap = prt_exchange_between(exchange, i, group->place);
        prt_overlap_unpack(&overlap, bytes, out, (char *)received.memory + taken->starts[i] * bytes);
    }
}

/* ---- Collectives -------------------------------------------------------------------------------------------- */

static void mpi_all_reduce(prt_comm_group *group, void *out, const void *in, int64_t count, prt_dtype dtype,
                           prt_reduction reduction, const prt_algorithm *algorithm)
{
    (void)algorithm;
    MPI_TRY(MPI_Allreduce, (in == out ? MPI_IN_PLACE : in, out, mpi_count(count), mpi_type(dtype),
                            mpi_op(dtype, reduction), group->comm));
}

static void mpi_reduce_scatter(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in)
{
    MPI_Datatype type = mpi_type(exchange->dtype);
    MPI_Op op = mpi_op(exchange->dtype, exchange->reduction);
    int64_t bytes = prt_dtype_bytes(exchange->dtype);
    piece_list given = given_pieces(group, exchange);
    const void *from = given.dense ? in : pack(group, exchange, &given, in);
    prt_overlap own = prt_exchange_between(exchange, group->place, group->place);
    prt_block block = {0};
    bool direct = prt_overlap_is_block(&own, &block) || own.elements == 0;
    void *into = direct ? (char *)out + block.right * bytes : room_for(&received, own.elements * bytes);
    if (given.equal)
        MPI_TRY(MPI_Reduce_scatter_block, (from, into, given.counts[0], type, op, group->comm));
    else
        MPI_TRY(MPI_Reduce_scatter, (from, into, given.counts, type, op, group->comm));
    if (!direct)
        prt_overlap_unpack(&own, bytes, out, into);
}

/* All get the same from a rank, so what it gives itself is what it gives. */
static void mpi_all_gather(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in)
{
    MPI_Datatype type = mpi_type(exchange->dtype);
    int64_t bytes = prt_dtype_bytes(exchange->dtype);
    piece_list taken = taken_pieces(group, exchange);
    prt_overlap own = prt_exchange_between(exchange, group->place, group->place);
    prt_block block = {0};
    bool is_block = prt_overlap_is_block(&own, &block);
    const void *from = (const char *)in + block.left * bytes;
    if (!is_block) {
        from = room_for(&to_send, own.elements * bytes);
        prt_overlap_pack(&own, bytes, to_send.memory, in);
    }
    if (taken.direct && from == (const char *)out + taken.starts[group->place] * bytes)
        from = MPI_IN_PLACE;
    bool direct = taken.direct;
    if (!direct)
        set_packed(&taken, group->size);
    void *into = direct ? out : room_for(&received, taken.total * bytes);
    int count = taken.counts[group->place];
    if (taken.equal && taken.dense)
        MPI_TRY(MPI_Allgather, (from, count, type, into, count, type, group->comm));
    else
        MPI_TRY(MPI_Allgatherv, (from, count, type, into, taken.counts, taken.starts, type, group->comm));
    if (!direct)
        unpack(group, exchange, &taken, out);
}

/* Leaves what the others gave in `received`. */
static piece_list swap(prt_comm_group *group, const prt_exchange *exchange, const void *in)
{
    MPI_Datatype type = mpi_type(exchange->dtype);
    piece_list given = given_pieces(group, exchange), taken = taken_pieces(group, exchange);
    void *from = pack(group, exchange, &given, in);
    void *into = room_for(&received, taken.total * prt_dtype_bytes(exchange->dtype));
    set_packed(&taken, group->size);
    MPI_TRY(MPI_Alltoallv,
            (from, given.counts, given.starts, type, into, taken.counts, taken.starts, type, group->comm));
    return taken;
}

static void mpi_exchange(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in)
{
    piece_list taken = swap(group, exchange, in);
    unpack(group, exchange, &taken, out);
}

/* Its own elements, then those that its neighbours have for it, in order of position. */
static void mpi_exchange_add(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in)
{
    int64_t bytes = prt_dtype_bytes(exchange->dtype);
    piece_list taken = swap(group, exchange, in);
    prt_exchange_own(exchange, out, in);
    for (int i = 0; i < group->size; i++) {
        prt_overlap theirs = prt_exchange_between(exchange, i, group->place);
        if (i != group->place)
            prt_overlap_combine_packed(&theirs, out, (char *)received.memory + taken.starts[i] * bytes, exchange->dtype,
                                       PRT_SUM);
    }
}

static void mpi_permute(prt_comm_group *group, int from, int to, void *out, const void *in, int64_t count,
                        prt_dtype dtype)
{
    MPI_Datatype type = mpi_type(dtype);
    int n = mpi_count(count);
    if (in == out)
        MPI_TRY(MPI_Sendrecv_replace, (out, n, type, to, TAG, from, TAG, group->comm, MPI_STATUS_IGNORE));
    else
        MPI_TRY(MPI_Sendrecv, (in, n, type, to, TAG, out, n, type, from, TAG, group->comm, MPI_STATUS_IGNORE));
}

static void mpi_hand_out(prt_comm_group *group, int from, void *out, const void *in, int64_t count, prt_dtype dtype,
                         const prt_algorithm *algorithm)
{
    (void)algorithm;
    if (group->place == from && in != out)
        memcpy(out, in, (size_t)(count * prt_dtype_bytes(dtype)));
    MPI_TRY(MPI_Bcast, (out, mpi_count(count), mpi_type(dtype), from, group->comm));
}

/* ---- Messages ----------------------------------------------------------------------------------------------- */

/* A message that has been started; the event's handle is its index. */
typedef struct pending {
    MPI_Request request; /* MPI_REQUEST_NULL: this place is free */
    int other;           /* rank */
} pending;

static pending *messages;
static int message_count, started_count;

static pending *start(prt_event *event, int other)
{
    int i = 0;
    while (i < message_count && messages[i].request != MPI_REQUEST_NULL)
        i++;
    if (i == message_count) {
        messages = realloc(messages, (size_t)++message_count * sizeof *messages);
        if (messages == NULL)
            mpi_fail("realloc", MPI_ERR_NO_MEM);
    }
    started_count++;
    messages[i] = (pending){MPI_REQUEST_NULL, other};
    event->handle = i;
    return &messages[i];
}

/* Tags below those of channels belong to other calls. */
static void mpi_post(prt_comm_group *group, int to, int channel, const void *in, int64_t count, prt_dtype dtype,
                     prt_event *event)
{
    pending *message = start(event, group->ranks[to]);
    MPI_TRY(MPI_Isend, (in, mpi_count(count), mpi_type(dtype), to, TAG + 1 + channel, group->comm, &message->request));
}

static void mpi_collect(prt_comm_group *group, int from, int channel, void *out, int64_t count, prt_dtype dtype,
                        prt_event *event)
{
    pending *message = start(event, group->ranks[from]);
    MPI_TRY(MPI_Irecv,
            (out, mpi_count(count), mpi_type(dtype), from, TAG + 1 + channel, group->comm, &message->request));
}

static void mpi_wait(prt_comm *comm, prt_event *event)
{
    (void)comm;
    pending *message = &messages[event->handle];
    MPI_TRY_FOR(message->other, MPI_Wait, (&message->request, MPI_STATUS_IGNORE));
    started_count--;
}

/* MPI continues whatever it has begun in every call. */
static void mpi_progress(prt_comm *comm)
{
    (void)comm;
    int found;
    if (started_count > 0)
        MPI_TRY(MPI_Iprobe, (MPI_ANY_SOURCE, MPI_ANY_TAG, everyone, &found, MPI_STATUS_IGNORE));
}

static int mpi_absent(prt_comm *comm)
{
    (void)comm;
    return atomic_load(&waiting_rank);
}

/* ---- Between all ranks -------------------------------------------------------------------------------------- */

/* MPI counts the bytes of a message in an int: longer ones are sent in chunks. */
static int chunk(int64_t bytes, int64_t done)
{
    return (int)(bytes - done < CHUNK ? bytes - done : CHUNK);
}

static void mpi_broadcast(prt_comm *comm, void *data, int64_t bytes, int from)
{
    (void)comm;
    for (int64_t done = 0; done < bytes; done += CHUNK)
        MPI_TRY(MPI_Bcast, ((char *)data + done, chunk(bytes, done), MPI_BYTE, from, everyone));
}

static void mpi_send(prt_comm *comm, const void *data, int64_t bytes, int to)
{
    (void)comm;
    for (int64_t done = 0; done < bytes; done += CHUNK)
        MPI_TRY(MPI_Send, ((const char *)data + done, chunk(bytes, done), MPI_BYTE, to, TAG, everyone));
}

static void mpi_receive(prt_comm *comm, void *data, int64_t bytes, int from)
{
    (void)comm;
    for (int64_t done = 0; done < bytes; done += CHUNK)
        MPI_TRY(MPI_Recv, ((char *)data + done, chunk(bytes, done), MPI_BYTE, from, TAG, everyone, MPI_STATUS_IGNORE));
}

static void mpi_maximum(prt_comm *comm, int64_t *values, int count)
{
    (void)comm;
    MPI_TRY(MPI_Allreduce, (MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_MAX, everyone));
}

static void mpi_barrier(prt_comm *comm)
{
    (void)comm;
    MPI_TRY(MPI_Barrier, (everyone));
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

static int mpi_stop(prt_comm *comm, int64_t step, int asked)
{
    (void)comm, (void)step;
    MPI_TRY(MPI_Allreduce, (MPI_IN_PLACE, &asked, 1, MPI_INT, MPI_MAX, everyone));
    return asked;
}

/* MPICH 4.0 over UCX sometimes waits forever in MPI_Finalize for a rank that has already left. By then everything is
 * done and written: a rank that still waits after this time leaves without. */
enum { FINALIZE_S = 10 };

static void leave(int signal)
{
    (void)signal;
    _exit(0);
}

static void finalize(void)
{
    fflush(NULL);
    signal(SIGALRM, leave);
    alarm(FINALIZE_S);
    MPI_TRY(MPI_Finalize, ());
    alarm(0);
}

/* A launcher explains a status other than 0 in many lines, unless all ranks are aborted with it. */
static void mpi_finish(prt_comm *comm, int status)
{
    if (status == 0) {
        finalize();
        return;
    }
    fflush(NULL);
    MPI_TRY(MPI_Barrier, (everyone));
    if (comm->rank == 0)
        mpi_abort(comm, status);
    sleep(10);
}

static prt_comm table = {
    .make_group = mpi_make_group,
    .free_group = mpi_free_group,
    .all_reduce = mpi_all_reduce,
    .reduce_scatter = mpi_reduce_scatter,
    .all_gather = mpi_all_gather,
    .exchange = mpi_exchange,
    .exchange_add = mpi_exchange_add,
    .permute = mpi_permute,
    .hand_out = mpi_hand_out,
    .post = mpi_post,
    .collect = mpi_collect,
    .wait = mpi_wait,
    .broadcast = mpi_broadcast,
    .send = mpi_send,
    .receive = mpi_receive,
    .maximum = mpi_maximum,
    .barrier = mpi_barrier,
    .stop = mpi_stop,
    .progress = mpi_progress,
    .absent = mpi_absent,
    .mark_step = mpi_mark_step,
    .abort = mpi_abort,
    .finish = mpi_finish,
};

/* The launcher may have dealt the ranks out to the hosts one by one. Neighbours on the mesh's inner axes are to share a
 * host, so they are numbered again, by host: in the order of the hosts' first ranks, and within one as before. */
static void number_by_host(int64_t host_mark)
{
    int ranks, own, first = 0;
    MPI_TRY(MPI_Comm_size, (MPI_COMM_WORLD, &ranks));
    MPI_TRY(MPI_Comm_rank, (MPI_COMM_WORLD, &own));
    int64_t *marks = allocate((size_t)ranks, sizeof *marks);
    MPI_TRY(MPI_Allgather, (&host_mark, 1, MPI_INT64_T, marks, 1, MPI_INT64_T, MPI_COMM_WORLD));
    while (marks[first] != host_mark)
        first++;
    MPI_TRY(MPI_Comm_split, (MPI_COMM_WORLD, 0, first, &everyone));
    free(marks);
}

prt_comm *prt_comm_mpi(int format, int64_t host_mark, char *message, size_t message_bytes)
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
    number_by_host(host_mark);
    MPI_Comm_rank(everyone, &table.rank);
    MPI_Comm_size(everyone, &table.ranks);
    MPI_Get_library_version(name, &length);
    name[strcspn(name, ",\n")] = '\0';
    table.name = name;
    return &table;
}
