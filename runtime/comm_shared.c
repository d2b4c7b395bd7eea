/* comm_shared.c - communication directly from arena to arena, between ranks that share a host. It is put in front of
 * another row, of which it uses only what works between all ranks: if there is one host, everything that steps call is
 * done here; if there are several, it is what the ranks of each do among themselves (comm_hosts.c).
 *
 * Every rank puts its arena into a memory file and maps those of the others. Pieces are copied from where they are to
 * where they go, block by block. In a reduction, the rank at position p of a group adds up part p, reading each
 * member's operand in order of position, and writes the sum to everyone who needs it: all ranks get the same bits,
 * nothing is copied for sending, and no memory is used besides the arenas.
 *
 * Members meet before anyone reads (all operands are there) and before anyone continues (all have been read). Small
 * operands travel through the control pages instead, in two slots used alternately: before a rank writes a slot again
 * it has met the others once more, so they have read it.
 *
 * A message is announced in a mailbox, which the sender fills in the receiver's control pages: where in the sender's
 * arena it is. The receiver copies it, and says so by counting it. */
#include "runtime/comm_shared.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, SMALL = 448, BLOCK = 16 << 10, CHUNK = 1 << 18, LINE = 64 };

/* What a rank shows the members of one group: two cache lines and the small operands. */
typedef struct station {
    _Alignas(LINE) _Atomic uint64_t met; /* how many meetings it has reached */
    int64_t in, out;                     /* offsets of its operands in its arena */
    _Alignas(LINE) unsigned char small[2][SMALL];
} station;

/* From one rank to the one whose pages it is in, on one channel. */
typedef struct mailbox {
    _Alignas(LINE) _Atomic uint64_t sent;
    _Alignas(LINE) _Atomic uint64_t taken;
    int64_t letter[]; /* offsets in the sender's arena, of the last ones sent: as many as can be in progress */
} mailbox;

/* The control pages begin with this; then come the stations and the mailboxes, by sender and channel. A rank that was
 * stopped says that it waits long after it need not: what it waits for at a station tells whether it still does. */
typedef struct control {
    uint64_t nonce;
    _Atomic int awaits;         /* 1 + the rank that this one waits for, of the same host; 0: none */
    _Atomic int station;        /* where; -1: for its message */
    _Atomic uint64_t times;     /* which meeting there */
    _Atomic int awaits_outside; /* 1 + what the row below says about the rank that it waits for, when last looked at */
} control;

typedef struct peer {
    control *control;
    station *stations;
    unsigned char *mailboxes;
    unsigned char *arena;
} peer;

struct prt_comm_group {
    int index, size, place;
    int *members; /* ranks, by position */
    uint64_t met, small_count;
};

/* A message that has been started: to send, or to receive. */
typedef struct pending {
    prt_event *event; /* NULL: this place is free */
    mailbox *box;
    uint64_t number; /* in its mailbox, from 0 */
    int other;       /* rank */
    void *out;       /* of a receiver; NULL: it is sent */
    int64_t bytes;
} pending;

typedef struct shared {
    prt_comm *base;
    int64_t arena_bytes;
    peer *peers; /* per rank */
    int station_count, channels, group_count, spins;
    uint64_t letters;  /* messages that a rank can have in progress: one for each event, and one without */
    pending *messages; /* in the order of their starts */
    int message_count;
    uint64_t *posted, *collected; /* per rank and channel: messages started so far, to it and from it */
} shared;

static shared the;

static int64_t whole_pages(int64_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

static unsigned char *own_arena(void)
{
    return the.peers[the.base->rank].arena;
}

/* Everything that a step communicates is in the arena of the device. */
static int64_t offset_of(const void *data)
{
    int64_t offset = (const unsigned char *)data - own_arena();
    if (offset < 0 || offset > the.arena_bytes)
        abort();
    return offset;
}

/* ---- Messages ----------------------------------------------------------------------------------------------- */

static int64_t mailbox_bytes(void)
{
    int64_t bytes = (int64_t)(sizeof(mailbox) + the.letters * sizeof(int64_t));
    return (bytes + LINE - 1) / LINE * LINE;
}

/* From `sender`, in the pages of `receiver`. */
static mailbox *mailbox_of(int sender, int receiver, int channel)
{
    return (mailbox *)(the.peers[receiver].mailboxes + (sender * the.channels + channel) * mailbox_bytes());
}

/* Receives the message, or finds that it has been received. False: not yet. */
static bool advance(const pending *message)
{
    mailbox *box = message->box;
    if (message->out == NULL)
        return atomic_load_explicit(&box->taken, memory_order_acquire) > message->number;
    if (atomic_load_explicit(&box->taken, memory_order_relaxed) != message->number ||
        atomic_load_explicit(&box->sent, memory_order_acquire) <= message->number)
        return false;
    memcpy(message->out, the.peers[message->other].arena + box->letter[message->number % the.letters],
           (size_t)message->bytes);
    atomic_store_explicit(&box->taken, message->number + 1, memory_order_release);
    return true;
}

/* Continues everything that has been started: others may be waiting for it. */
static void progress(void)
{
    int left = 0;
    for (int i = 0; i < the.message_count; i++) {
        pending message = the.messages[i];
        if (advance(&message))
            message.event->complete = true;
        else
            the.messages[left++] = message;
    }
    the.message_count = left;
}

static void say_awaits(int rank, int at, uint64_t times)
{
    control *own = the.peers[the.base->rank].control;
    atomic_store_explicit(&own->station, at, memory_order_relaxed);
    atomic_store_explicit(&own->times, times, memory_order_relaxed);
    atomic_store_explicit(&own->awaits, rank + 1, memory_order_relaxed);
}

static void say_awaits_none(void)
{
    atomic_store_explicit(&the.peers[the.base->rank].control->awaits, 0, memory_order_relaxed);
}

/* One more time that what we wait for is not there yet. */
static void idle(int *spins)
{
    if (the.message_count > 0)
        progress();
    if (the.base->progress != NULL)
        the.base->progress(the.base);
    if (++*spins >= the.spins)
        sched_yield();
}

static void start(pending message)
{
    if ((uint64_t)the.message_count == the.letters)
        abort();
    message.event->handle = message.other;
    the.messages[the.message_count++] = message;
}

static void await(prt_event *event)
{
    int spins = 0;
    say_awaits((int)event->handle, -1, 0);
    for (progress(); !event->complete; idle(&spins))
        ;
    say_awaits_none();
}

static void shared_post(prt_comm_group *group, int to, int channel, const void *in, int64_t count, prt_dtype dtype,
                        prt_event *event)
{
    (void)count, (void)dtype;
    int other = group->members[to];
    mailbox *box = mailbox_of(the.base->rank, other, channel);
    uint64_t number = the.posted[other * the.channels + channel]++;
    box->letter[number % the.letters] = offset_of(in);
    atomic_store_explicit(&box->sent, number + 1, memory_order_release);
    start((pending){.event = event, .box = box, .number = number, .other = other});
}

static void shared_collect(prt_comm_group *group, int from, int channel, void *out, int64_t count, prt_dtype dtype,
                           prt_event *event)
{
    int other = group->members[from];
    start((pending){.event = event,
                    .box = mailbox_of(other, the.base->rank, channel),
                    .number = the.collected[other * the.channels + channel]++,
                    .other = other,
                    .out = out,
                    .bytes = count * prt_dtype_bytes(dtype)});
}

static void shared_wait(prt_comm *comm, prt_event *event)
{
    (void)comm;
    await(event);
}

/* ---- Meeting ------------------------------------------------------------------------------------------------ */

static station *station_of(const prt_comm_group *group, int place)
{
    return &the.peers[group->members[place]].stations[group->index];
}

void prt_shared_meet(prt_comm_group *group)
{
    uint64_t times = ++group->met;
    atomic_store_explicit(&station_of(group, group->place)->met, times, memory_order_release);
    for (int place = 0; place < group->size; place++) {
        station *other = station_of(group, place);
        if (atomic_load_explicit(&other->met, memory_order_acquire) >= times)
            continue;
        say_awaits(group->members[place], group->index, times);
        for (int spins = 0; atomic_load_explicit(&other->met, memory_order_acquire) < times;)
            idle(&spins);
    }
    say_awaits_none();
}

/* Whom a rank of this host waits for; PRT_SOME_RANK: one that only the row below knows. */
static int awaited_by(int rank)
{
    control *says = the.peers[rank].control;
    int awaited = atomic_load(&says->awaits) - 1, at = atomic_load(&says->station);
    if (awaited < 0)
        return atomic_load(&says->awaits_outside) - 1;
    bool came = at >= 0 && atomic_load(&the.peers[awaited].stations[at].met) >= atomic_load(&says->times);
    return came ? PRT_NO_RANK : awaited;
}

/* Who waits for no one, or is on another host, at the end of those that wait for each other. */
static int shared_absent(prt_comm *comm)
{
    (void)comm;
    int rank = the.base->rank, absent = PRT_NO_RANK;
    atomic_store(&the.peers[rank].control->awaits_outside, the.base->absent(the.base) + 1);
    int next = awaited_by(rank);
    for (int steps = 0; next >= 0 && steps < the.base->ranks; steps++) {
        absent = next;
        next = the.peers[absent].control != NULL ? awaited_by(absent) : PRT_NO_RANK;
    }
    return next == PRT_SOME_RANK ? PRT_SOME_RANK : absent;
}

/* ---- Reductions --------------------------------------------------------------------------------------------- */

void prt_shared_publish(prt_comm_group *group, const void *in, const void *out)
{
    station *mine = station_of(group, group->place);
    mine->in = offset_of(in);
    mine->out = offset_of(out);
    prt_shared_meet(group);
}

unsigned char *prt_shared_operand(const prt_comm_group *group, int place)
{
    return the.peers[group->members[place]].arena + station_of(group, place)->in;
}

unsigned char *prt_shared_result(const prt_comm_group *group, int place)
{
    return the.peers[group->members[place]].arena + station_of(group, place)->out;
}

/* Of all operands. */
static void sum_block(const prt_comm_group *group, unsigned char *block, int64_t from, int64_t bytes, prt_dtype dtype,
                      prt_reduction reduction)
{
    memcpy(block, prt_shared_operand(group, 0) + from, (size_t)bytes);
    for (int place = 1; place < group->size; place++)
        prt_combine(block, prt_shared_operand(group, place) + from, bytes / prt_dtype_bytes(dtype), dtype, reduction);
}

/* In blocks that stay in the L1 cache. */
void prt_shared_reduce(prt_comm_group *group, int64_t from, int64_t bytes, unsigned char *own, prt_dtype dtype,
                       prt_reduction reduction)
{
    _Alignas(LINE) unsigned char block[BLOCK];
    if (group->size == 1 && own == prt_shared_operand(group, 0) + from)
        return;
    for (int64_t done = 0; done < bytes; done += BLOCK) {
        int64_t length = bytes - done < BLOCK ? bytes - done : BLOCK;
        sum_block(group, block, from + done, length, dtype, reduction);
        if (own != NULL)
            memcpy(own + done, block, (size_t)length);
        for (int place = 0; own == NULL && place < group->size; place++)
            memcpy(prt_shared_result(group, place) + from + done, block, (size_t)length);
    }
}

void prt_shared_add(prt_comm_group *group, int64_t from, int64_t bytes, unsigned char *sum, prt_dtype dtype,
                    prt_reduction reduction)
{
    _Alignas(LINE) unsigned char block[BLOCK];
    int64_t width = prt_dtype_bytes(dtype);
    if (group->size == 1) {
        prt_combine(sum, prt_shared_operand(group, 0) + from, bytes / width, dtype, reduction);
        return;
    }
    for (int64_t done = 0; done < bytes; done += BLOCK) {
        int64_t length = bytes - done < BLOCK ? bytes - done : BLOCK;
        sum_block(group, block, from + done, length, dtype, reduction);
        prt_combine(sum + done, block, length / width, dtype, reduction);
    }
}

static void reduce_small(prt_comm_group *group, void *out, const void *in, int64_t count, prt_dtype dtype,
                         prt_reduction reduction)
{
    size_t bytes = (size_t)(count * prt_dtype_bytes(dtype));
    uint64_t slot = group->small_count++ % 2;
    _Alignas(LINE) unsigned char sum[SMALL];
    memcpy(station_of(group, group->place)->small[slot], in, bytes);
    prt_shared_meet(group);
    memcpy(sum, station_of(group, 0)->small[slot], bytes);
    for (int place = 1; place < group->size; place++)
        prt_combine(sum, station_of(group, place)->small[slot], count, dtype, reduction);
    memcpy(out, sum, bytes);
}

static void shared_all_reduce(prt_comm_group *group, void *out, const void *in, int64_t count, prt_dtype dtype,
                              prt_reduction reduction, const prt_algorithm *algorithm)
{
    (void)algorithm;
    int64_t bytes = count * prt_dtype_bytes(dtype);
    if (bytes <= SMALL) {
        reduce_small(group, out, in, count, dtype, reduction);
        return;
    }
    prt_shared_publish(group, in, out);
    int64_t part = (bytes / group->size + LINE) / LINE * LINE, from = group->place * part;
    if (from < bytes)
        prt_shared_reduce(group, from, bytes - from < part ? bytes - from : part, NULL, dtype, reduction);
    prt_shared_meet(group);
}

/* All operands are laid out alike. */
static void shared_reduce_scatter(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in)
{
    int64_t bytes = prt_dtype_bytes(exchange->dtype);
    prt_overlap own = prt_exchange_between(exchange, group->place, group->place);
    prt_block block;
    prt_shared_publish(group, in, out);
    for (prt_blocks blocks = prt_blocks_of(&own); prt_blocks_next(&blocks, &block);)
        for (int64_t row = 0; row < block.rows; row++)
            prt_shared_reduce(group, (block.left + row * block.left_step) * bytes, block.count * bytes,
                              (unsigned char *)out + (block.right + row * block.right_step) * bytes, exchange->dtype,
                              exchange->reduction);
    prt_shared_meet(group);
}

/* Its own elements, then those that its neighbours have for it, in order of position. */
static void shared_exchange_add(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in)
{
    prt_shared_publish(group, in, out);
    prt_exchange_own(exchange, out, in);
    for (int place = 0; place < group->size; place++) {
        prt_overlap theirs = prt_exchange_between(exchange, place, group->place);
        if (place != group->place)
            prt_overlap_combine(&theirs, out, prt_shared_operand(group, place), exchange->dtype, PRT_SUM);
    }
    prt_shared_meet(group);
}

/* ---- Moves -------------------------------------------------------------------------------------------------- */

static void shared_exchange(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in)
{
    prt_shared_publish(group, in, out);
    for (int i = 0; i < group->size; i++) {
        int place = (group->place + i) % group->size; /* so that not all read from the same member at once */
        prt_overlap pieces = prt_exchange_between(exchange, place, group->place);
        prt_overlap_copy(&pieces, prt_dtype_bytes(exchange->dtype), out, prt_shared_operand(group, place));
    }
    prt_shared_meet(group);
}

/* Has any member its result where its operand is? All find the same. */
static bool in_place(const prt_comm_group *group)
{
    bool found = false;
    for (int place = 0; place < group->size; place++)
        found = found || prt_shared_operand(group, place) == prt_shared_result(group, place);
    return found;
}

/* Part by part: all read a part of what they get before anyone writes it. */
static void permute_in_place(prt_comm_group *group, int from, unsigned char *out, int64_t bytes)
{
    static _Alignas(LINE) unsigned char part[CHUNK];
    for (int64_t done = 0; done < bytes; done += CHUNK) {
        size_t length = (size_t)(bytes - done < CHUNK ? bytes - done : CHUNK);
        memcpy(part, prt_shared_operand(group, from) + done, length);
        prt_shared_meet(group);
        memcpy(out + done, part, length);
    }
}

static void shared_permute(prt_comm_group *group, int from, int to, void *out, const void *in, int64_t count,
                           prt_dtype dtype)
{
    (void)to;
    int64_t bytes = count * prt_dtype_bytes(dtype);
    prt_shared_publish(group, in, out);
    if (in_place(group)) {
        permute_in_place(group, from, out, bytes);
        return;
    }
    memcpy(out, prt_shared_operand(group, from), (size_t)bytes);
    prt_shared_meet(group);
}

static void shared_hand_out(prt_comm_group *group, int from, void *out, const void *in, int64_t count, prt_dtype dtype,
                            const prt_algorithm *algorithm)
{
    (void)algorithm;
    prt_shared_publish(group, in, out);
    if (out != prt_shared_operand(group, from))
        memcpy(out, prt_shared_operand(group, from), (size_t)(count * prt_dtype_bytes(dtype)));
    prt_shared_meet(group);
}

/* ---- Groups ------------------------------------------------------------------------------------------------- */

static prt_comm_group *shared_make_group(prt_comm *comm, int colour, int place)
{
    prt_comm_group *group = calloc(1, sizeof *group);
    int *members = calloc((size_t)comm->ranks, sizeof *members);
    if (group == NULL || members == NULL || the.group_count == the.station_count)
        abort();
    *group = (prt_comm_group){.index = the.group_count++, .place = place, .members = members};
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
    free(group->members);
    free(group);
}

/* ---- Opening ------------------------------------------------------------------------------------------------ */

/* How another process finds a rank's memory file, and recognizes it as the right one. */
typedef struct address {
    int64_t process, file;
    uint64_t nonce;
} address;

static int64_t stations_at(void)
{
    return whole_pages(sizeof(control));
}

static int64_t mailboxes_at(void)
{
    return stations_at() + whole_pages(the.station_count * (int64_t)sizeof(station));
}

static int64_t control_bytes(void)
{
    return mailboxes_at() + whole_pages(the.base->ranks * the.channels * mailbox_bytes());
}

static int64_t file_bytes(int64_t arena_bytes)
{
    return control_bytes() + whole_pages(arena_bytes);
}

/* Maps a rank's file, with the arena between inaccessible pages. */
static bool map_file(int file, int64_t arena_bytes, peer *mapped)
{
    int64_t head = control_bytes(), pages = whole_pages(arena_bytes);
    unsigned char *memory = mmap(NULL, (size_t)head, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return false;
    mapped->control = (control *)memory;
    mapped->stations = (station *)(memory + stations_at());
    mapped->mailboxes = memory + mailboxes_at();
    unsigned char *arena = mmap(NULL, (size_t)pages + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (arena == MAP_FAILED)
        return false;
    mapped->arena = arena + PAGE;
    return mmap(mapped->arena, (size_t)pages, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, head) != MAP_FAILED;
}

static void unmap_file(peer *mapped)
{
    if (mapped->control != NULL)
        munmap(mapped->control, (size_t)control_bytes());
    if (mapped->arena != NULL)
        munmap(mapped->arena - PAGE, (size_t)whole_pages(the.arena_bytes) + 2 * PAGE);
    *mapped = (peer){0};
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

/* Maps the memory of all ranks of this host; false if any of it is not accessible from here. */
static bool map_all(prt_comm *base, int file, uint64_t nonce, const int *hosts)
{
    bool good = file >= 0 && ftruncate(file, file_bytes(the.arena_bytes)) == 0 &&
                map_file(file, the.arena_bytes, &the.peers[base->rank]);
    if (good)
        the.peers[base->rank].control->nonce = nonce;
    base->barrier(base);
    for (int rank = 0; rank < base->ranks; rank++) {
        address where = {getpid(), file, nonce};
        base->broadcast(base, &where, sizeof where, rank);
        if (rank != base->rank && hosts[rank] == hosts[base->rank])
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

static void forget(const prt_comm *base)
{
    unmap_all(base);
    free(the.messages);
    free(the.posted);
    free(the.collected);
    the.messages = NULL;
    the.posted = the.collected = NULL;
}

static void shared_finish(prt_comm *comm, int status)
{
    (void)comm;
    the.base->finish(the.base, status); /* the watchdog may look until the end: what is mapped goes with the process */
}

/* False: there is no memory. */
static bool prepare(prt_comm *base, const prt_program *program)
{
    the = (shared){.base = base,
                   .arena_bytes = program->arena_bytes[PRT_DEVICE],
                   .station_count = program->group_count,
                   .channels = prt_channels(program),
                   .letters = (uint64_t)program->event_count + 1};
    size_t edges = (size_t)base->ranks * (size_t)the.channels + 1;
    the.peers = calloc((size_t)base->ranks, sizeof *the.peers);
    the.messages = calloc(the.letters, sizeof *the.messages);
    the.posted = calloc(edges, sizeof *the.posted);
    the.collected = calloc(edges, sizeof *the.collected);
    return the.peers != NULL && the.messages != NULL && the.posted != NULL && the.collected != NULL;
}

static prt_comm table = {
    .make_group = shared_make_group,
    .free_group = shared_free_group,
    .all_reduce = shared_all_reduce,
    .reduce_scatter = shared_reduce_scatter,
    .all_gather = shared_exchange,
    .exchange = shared_exchange,
    .exchange_add = shared_exchange_add,
    .permute = shared_permute,
    .hand_out = shared_hand_out,
    .post = shared_post,
    .collect = shared_collect,
    .wait = shared_wait,
};

/* What works between all ranks is the base's. */
static void take_from(const prt_comm *base)
{
    static char name[128];
    snprintf(name, sizeof name, "%s, shared memory", base->name);
    table.name = name;
    table.rank = base->rank;
    table.ranks = base->ranks;
    table.broadcast = base->broadcast;
    table.send = base->send;
    table.receive = base->receive;
    table.maximum = base->maximum;
    table.barrier = base->barrier;
    table.stop = base->stop;
    table.mark_step = base->mark_step;
    table.abort = base->abort;
    table.absent = shared_absent;
    table.finish = shared_finish;
    table.arena = own_arena();
}

static int count_neighbours(const prt_comm *base, const int *hosts)
{
    int count = 0;
    for (int rank = 0; rank < base->ranks; rank++)
        count += hosts[rank] == hosts[base->rank];
    return count;
}

prt_comm *prt_shared_open(prt_comm *base, const prt_program *program, const int *hosts)
{
    if (program->arena_bytes[PRT_DEVICE] == 0)
        return NULL;
    if (!prepare(base, program))
        abort();
    int file = memfd_create("place-arena", MFD_CLOEXEC);
    int64_t bad = map_all(base, file, make_nonce(base->rank), hosts) ? 0 : 1;
    base->maximum(base, &bad, 1); /* after this, all have opened the file */
    if (file >= 0)
        close(file);
    if (bad) {
        forget(base);
        return NULL;
    }
    the.spins = count_neighbours(base, hosts) <= sysconf(_SC_NPROCESSORS_ONLN) ? 2000 : 0;
    take_from(base);
    return &table;
}
