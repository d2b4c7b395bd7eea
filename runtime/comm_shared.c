/* comm_shared.c - collectives directly from arena to arena, if all ranks share one host. It is put in front of another
 * row, which connects the ranks and does everything else.
 *
 * Every rank puts its arena into a memory file and maps those of the others. In a reduction, the rank at position p of
 * a group adds up part p, reading each member's operand in order of position, and writes the sum to everyone who needs
 * it: all ranks get the same bits, nothing is copied for sending, and no memory is used besides the arenas.
 *
 * Members meet before anyone reads (all operands are there) and before anyone continues (all have been read). Small
 * operands travel through the control pages instead, in two slots used alternately: before a rank writes a slot again
 * it has met the others once more, so they have read it. */
#include "runtime/run.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, SMALL = 448, GROUP_LIMIT = 64, BLOCK = 16 << 10, LINE = 64 };

/* What a rank shows the members of one group: two cache lines and the small operands. */
typedef struct station {
    _Alignas(LINE) _Atomic uint64_t met; /* how many meetings it has reached */
    int64_t in, out;                     /* offsets of its operands in its arena */
    _Alignas(LINE) unsigned char small[2][SMALL];
} station;

typedef struct control {
    uint64_t nonce;
    station stations[GROUP_LIMIT];
} control;

typedef struct peer {
    control *control;
    unsigned char *arena;
} peer;

struct prt_comm_group {
    prt_comm_group *base;
    int index, size, place;
    int *members;         /* ranks, by position */
    _Atomic uint64_t met; /* read by the watchdog */
    uint64_t small_count;
};

typedef struct shared {
    prt_comm *base;
    int64_t arena_bytes;
    peer *peers; /* per rank */
    int group_count, spins;
    _Atomic(prt_comm_group *) waiting; /* the group that we are waiting for */
} shared;

static shared the;

static int64_t whole_pages(int64_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* ---- Meeting ------------------------------------------------------------------------------------------------ */

static station *station_of(const prt_comm_group *group, int place)
{
    return &the.peers[group->members[place]].control->stations[group->index];
}

static void meet(prt_comm_group *group)
{
    uint64_t times = ++group->met;
    atomic_store_explicit(&station_of(group, group->place)->met, times, memory_order_release);
    atomic_store_explicit(&the.waiting, group, memory_order_relaxed);
    for (int place = 0; place < group->size; place++) {
        station *other = station_of(group, place);
        for (int spins = 0; atomic_load_explicit(&other->met, memory_order_acquire) < times; spins++)
            if (spins >= the.spins)
                sched_yield();
    }
    atomic_store_explicit(&the.waiting, NULL, memory_order_relaxed);
}

/* A member that has not reached the meeting we wait in; -1 if all have, or no one waits. */
static int shared_absent(prt_comm *comm)
{
    (void)comm;
    prt_comm_group *group = atomic_load(&the.waiting);
    for (int place = 0; group != NULL && place < group->size; place++)
        if (atomic_load(&station_of(group, place)->met) < group->met)
            return group->members[place];
    return group == NULL && the.base->absent != NULL ? the.base->absent(the.base) : -1;
}

/* ---- Sums and maxima ---------------------------------------------------------------------------------------- */

#define COMBINE(type)                                                                                                  \
    do {                                                                                                               \
        type *restrict to = sum;                                                                                       \
        const type *restrict from = in;                                                                                \
        switch (reduction) {                                                                                           \
        case PRT_SUM:                                                                                                  \
            for (int64_t i = 0; i < count; i++)                                                                        \
                to[i] += from[i];                                                                                      \
            return;                                                                                                    \
        case PRT_MAX:                                                                                                  \
            for (int64_t i = 0; i < count; i++)                                                                        \
                to[i] = to[i] < from[i] ? from[i] : to[i];                                                             \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

static void combine(void *sum, const void *in, int64_t count, prt_dtype dtype, prt_reduction reduction)
{
    switch (dtype) {
    case PRT_F32:
        COMBINE(float);
        break;
    case PRT_F64:
        COMBINE(double);
        break;
    case PRT_I32:
        COMBINE(int32_t);
        break;
    case PRT_BF16:
        break;
    }
    abort(); /* there is no other reduction, and comm.c refuses bf16 */
}

/* ---- Collectives -------------------------------------------------------------------------------------------- */

static unsigned char *own_arena(void)
{
    return the.peers[the.base->rank].arena;
}

/* All ranks run the same program, so all get the same answer. */
static bool in_arena(const void *data, int64_t bytes)
{
    const unsigned char *first = data;
    return first >= own_arena() && first + bytes <= own_arena() + the.arena_bytes;
}

static void publish(prt_comm_group *group, const void *in, const void *out)
{
    station *mine = station_of(group, group->place);
    mine->in = (const unsigned char *)in - own_arena();
    mine->out = (const unsigned char *)out - own_arena();
    meet(group);
}

static unsigned char *operand_of(const prt_comm_group *group, int place)
{
    return the.peers[group->members[place]].arena + station_of(group, place)->in;
}

static unsigned char *result_of(const prt_comm_group *group, int place)
{
    return the.peers[group->members[place]].arena + station_of(group, place)->out;
}

/* Adds up bytes from .. from+bytes-1 of all operands, in blocks that stay in the L1 cache: into `own`, or if that is
 * NULL into every member's result. */
static void reduce_range(prt_comm_group *group, int64_t from, int64_t bytes, unsigned char *own, prt_dtype dtype,
                         prt_reduction reduction)
{
    _Alignas(LINE) unsigned char block[BLOCK];
    for (int64_t done = 0; done < bytes; done += BLOCK) {
        int64_t length = bytes - done < BLOCK ? bytes - done : BLOCK;
        memcpy(block, operand_of(group, 0) + from + done, (size_t)length);
        for (int place = 1; place < group->size; place++)
            combine(block, operand_of(group, place) + from + done, length / prt_dtype_bytes(dtype), dtype, reduction);
        if (own != NULL)
            memcpy(own + done, block, (size_t)length);
        for (int place = 0; own == NULL && place < group->size; place++)
            memcpy(result_of(group, place) + from + done, block, (size_t)length);
    }
}

static void reduce_small(prt_comm_group *group, void *out, const void *in, int64_t count, prt_dtype dtype,
                         prt_reduction reduction)
{
    size_t bytes = (size_t)(count * prt_dtype_bytes(dtype));
    uint64_t slot = group->small_count++ % 2;
    _Alignas(LINE) unsigned char sum[SMALL];
    memcpy(station_of(group, group->place)->small[slot], in, bytes);
    meet(group);
    memcpy(sum, station_of(group, 0)->small[slot], bytes);
    for (int place = 1; place < group->size; place++)
        combine(sum, station_of(group, place)->small[slot], count, dtype, reduction);
    memcpy(out, sum, bytes);
}

static void shared_all_reduce(prt_comm_group *group, void *out, const void *in, int64_t count, prt_dtype dtype,
                              prt_reduction reduction, prt_event *event)
{
    int64_t bytes = count * prt_dtype_bytes(dtype);
    if (bytes <= SMALL) {
        reduce_small(group, out, in, count, dtype, reduction);
        return;
    }
    if (!in_arena(in, bytes) || !in_arena(out, bytes)) {
        the.base->all_reduce(group->base, out, in, count, dtype, reduction, event);
        return;
    }
    publish(group, in, out);
    int64_t part = (bytes / group->size + LINE) / LINE * LINE, from = group->place * part;
    if (from < bytes)
        reduce_range(group, from, bytes - from < part ? bytes - from : part, NULL, dtype, reduction);
    meet(group);
}

static void shared_reduce_scatter(prt_comm_group *group, void *out, const void *in, prt_pieces pieces, prt_dtype dtype,
                                  prt_reduction reduction, prt_event *event)
{
    int64_t bytes = prt_dtype_bytes(dtype);
    prt_range own = prt_piece(pieces, group->size, group->place);
    if (!in_arena(in, pieces.length * pieces.inner * bytes)) {
        the.base->reduce_scatter(group->base, out, in, pieces, dtype, reduction, event);
        return;
    }
    publish(group, in, in);
    reduce_range(group, own.start * bytes, own.extent * bytes, out, dtype, reduction);
    meet(group);
}

static void shared_all_gather(prt_comm_group *group, void *out, const void *in, prt_pieces pieces, prt_dtype dtype,
                              prt_event *event)
{
    int64_t bytes = prt_dtype_bytes(dtype);
    if (!in_arena(in, 0)) {
        the.base->all_gather(group->base, out, in, pieces, dtype, event);
        return;
    }
    publish(group, in, in);
    for (int i = 0; i < group->size; i++) {
        int place = (group->place + i) % group->size; /* so that not all read from the same member at once */
        prt_range piece = prt_piece(pieces, group->size, place);
        unsigned char *to = (unsigned char *)out + piece.start * bytes;
        if (to != operand_of(group, place))
            memcpy(to, operand_of(group, place), (size_t)(piece.extent * bytes));
    }
    meet(group);
}

static void shared_wait(prt_comm *comm, prt_event *event)
{
    (void)comm;
    if (the.base->wait != NULL)
        the.base->wait(the.base, event);
}

/* ---- Groups ------------------------------------------------------------------------------------------------- */

static prt_comm_group *shared_make_group(prt_comm *comm, int colour, int place)
{
    prt_comm_group *group = calloc(1, sizeof *group);
    int *members = calloc((size_t)comm->ranks, sizeof *members);
    if (group == NULL || members == NULL)
        abort();
    *group =
        (prt_comm_group){.base = the.base->make_group != NULL ? the.base->make_group(the.base, colour, place) : NULL,
                         .index = the.group_count++,
                         .place = place,
                         .members = members};
    for (int rank = 0; rank < comm->ranks; rank++) {
        int theirs[2] = {colour, place};
        the.base->broadcast(the.base, theirs, sizeof theirs, rank);
        if (theirs[0] == colour) {
            members[theirs[1]] = rank;
            group->size++;
        }
    }
    return group;
}

static void shared_free_group(prt_comm *comm, prt_comm_group *group)
{
    (void)comm;
    if (group->base != NULL)
        the.base->free_group(the.base, group->base);
    free(group->members);
    free(group);
}

/* ---- Opening ------------------------------------------------------------------------------------------------ */

/* How another process finds a rank's memory file, and recognizes it as the right one. */
typedef struct address {
    int64_t process, file;
    uint64_t nonce;
} address;

static int64_t file_bytes(int64_t arena_bytes)
{
    return whole_pages(sizeof(control)) + whole_pages(arena_bytes);
}

/* Maps a rank's file, with the arena between inaccessible pages. */
static bool map_file(int file, int64_t arena_bytes, peer *mapped)
{
    int64_t head = whole_pages(sizeof(control)), pages = whole_pages(arena_bytes);
    void *memory = mmap(NULL, (size_t)head, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return false;
    mapped->control = memory;
    unsigned char *arena = mmap(NULL, (size_t)pages + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (arena == MAP_FAILED)
        return false;
    mapped->arena = arena + PAGE;
    return mmap(mapped->arena, (size_t)pages, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, head) != MAP_FAILED;
}

static void unmap_file(peer *mapped)
{
    if (mapped->control != NULL)
        munmap(mapped->control, (size_t)whole_pages(sizeof(control)));
    if (mapped->arena != NULL)
        munmap(mapped->arena - PAGE, (size_t)whole_pages(the.arena_bytes) + 2 * PAGE);
    *mapped = (peer){NULL, NULL};
}

static bool map_other(const address *where, int64_t arena_bytes, peer *mapped)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)where->process, (long long)where->file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || lseek(file, 0, SEEK_END) != file_bytes(arena_bytes)) {
        if (file >= 0)
            close(file);
        return false;
    }
    bool good = map_file(file, arena_bytes, mapped) && mapped->control->nonce == where->nonce;
    close(file);
    return good;
}

static uint64_t make_nonce(int rank)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return ((uint64_t)now.tv_nsec << 34) ^ ((uint64_t)now.tv_sec << 12) ^ ((uint64_t)getpid() << 6) ^ (uint64_t)rank;
}

/* Maps all ranks' memory; false if any of it is not accessible from here. */
static bool map_all(prt_comm *base, int file, uint64_t nonce)
{
    bool good = file >= 0 && ftruncate(file, file_bytes(the.arena_bytes)) == 0 &&
                map_file(file, the.arena_bytes, &the.peers[base->rank]);
    if (good)
        the.peers[base->rank].control->nonce = nonce;
    base->barrier(base);
    for (int rank = 0; rank < base->ranks; rank++) {
        address where = {getpid(), file, nonce};
        base->broadcast(base, &where, sizeof where, rank);
        if (rank != base->rank)
            good = good && map_other(&where, the.arena_bytes, &the.peers[rank]);
    }
    return good;
}

static void unmap_all(const prt_comm *base)
{
    for (int rank = 0; rank < base->ranks; rank++)
        unmap_file(&the.peers[rank]);
    free(the.peers);
    the.peers = NULL;
}

static void shared_finish(prt_comm *comm)
{
    (void)comm;
    unmap_all(the.base);
    the.base->finish(the.base);
}

prt_comm *prt_comm_share(prt_comm *base, int64_t arena_bytes, int group_count)
{
    static prt_comm comm;
    static char name[128];
    the = (shared){.base = base, .arena_bytes = arena_bytes};
    the.peers = calloc((size_t)base->ranks, sizeof *the.peers);
    if (the.peers == NULL || group_count > GROUP_LIMIT || arena_bytes == 0)
        return base;
    int file = memfd_create("place-arena", MFD_CLOEXEC);
    int64_t bad = map_all(base, file, make_nonce(base->rank)) ? 0 : 1;
    base->maximum(base, &bad, 1); /* after this, all have opened the file */
    if (file >= 0)
        close(file);
    if (bad) {
        unmap_all(base);
        return base;
    }
    the.spins = base->ranks <= sysconf(_SC_NPROCESSORS_ONLN) ? 2000 : 0;
    comm = *base;
    snprintf(name, sizeof name, "%s, shared memory", base->name);
    comm.name = name;
    comm.arena = own_arena();
    comm.make_group = shared_make_group;
    comm.free_group = shared_free_group;
    comm.all_reduce = shared_all_reduce;
    comm.reduce_scatter = shared_reduce_scatter;
    comm.all_gather = shared_all_gather;
    comm.wait = shared_wait;
    comm.absent = shared_absent;
    comm.finish = shared_finish;
    return &comm;
}
