/* comm_hosts.c - communication of ranks on several hosts: through shared memory within a host (comm_shared.h), by
 * messages of another row between hosts, and no more of these than needed.
 *
 * What concerns the member with number q of another host is handled on each host by its member number q modulo the
 * members that it has there, the *deputy*. So every member sends and receives an equal part, and nothing crosses
 * between two hosts twice:
 *   - all_reduce: each member adds up a slice of all operands of its host, the deputies of a slice exchange and add up
 *     these sums, and then everyone reads all slices of its host. A host sends 2 (h - 1) / h of the operand, whatever
 *     the number of its ranks.
 *   - reduce_scatter: the sum over a host of what a member of another host gets is sent as one piece.
 *   - all_gather, broadcast: what a member has is sent once to each other host, and read there by all.
 *   - all_to_all, halos: pieces for the same host are read from its memory, the others are sent; no two are alike.
 *   - permutations and messages are sent.
 *
 * Sums have a fixed order: over the members of a host in order of place, then over hosts in the order in which they
 * first appear in the group. So they are the same from run to run, and have the same bits on every rank, but not those
 * of another division of the ranks among hosts. */
#include "runtime/comm_shared.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 64 }; /* elements: parts of an array are not smaller */

/* One message of a call. */
typedef struct piece {
    int place;             /* of the other member */
    int64_t count;         /* elements */
    unsigned char *memory; /* where they are; NULL until they have room in `scratch` */
    prt_event event;
} piece;

struct prt_comm_group {
    prt_comm_group *between, *within; /* of the rows below: all members, and those of this host */
    int size, place;
    int hosts, host, local;    /* hosts that it has; this rank's, and its number among the members there */
    int *host_of, *local_of;   /* by place */
    int *members, *first_of;   /* places, host by host; where those of each host begin, and after the last */
    int sent_count, got_count; /* in the current call */
    piece *sent, *got;
};

typedef struct hosts_row {
    prt_comm *base, *inside; /* between all ranks; those of this host */
    const int *host_of;      /* by rank */
    int channel;             /* for messages that are not the program's */
    unsigned char *scratch;  /* kept from call to call */
    int64_t scratch_bytes;
} hosts_row;

static hosts_row the;

static int count_on(const prt_comm_group *group, int host)
{
    return group->first_of[host + 1] - group->first_of[host];
}

/* The place of the member of a host that handles what concerns number `local` of another. */
static int deputy(const prt_comm_group *group, int host, int local)
{
    return group->members[group->first_of[host] + local % count_on(group, host)];
}

static bool is_deputy(const prt_comm_group *group, int local)
{
    return local % count_on(group, group->host) == group->local;
}

/* ---- The messages of a call --------------------------------------------------------------------------------- */

static void begin(prt_comm_group *group)
{
    group->sent_count = group->got_count = 0;
}

static void add(piece *pieces, int *pieces_count, int place, int64_t count, void *memory)
{
    if (count > 0)
        pieces[(*pieces_count)++] = (piece){.place = place, .count = count, .memory = memory};
}

static void send(prt_comm_group *group, int place, int64_t count, void *memory)
{
    add(group->sent, &group->sent_count, place, count, memory);
}

static void get(prt_comm_group *group, int place, int64_t count, void *memory)
{
    add(group->got, &group->got_count, place, count, memory);
}

static int64_t lay_out(piece *pieces, int count, int64_t bytes, int64_t at)
{
    for (int i = 0; i < count; i++) {
        if (pieces[i].memory != NULL)
            continue;
        pieces[i].memory = the.scratch + at;
        at += pieces[i].count * bytes;
    }
    return at;
}

/* Gives room to all pieces that have none, and to `more` elements, which are returned. */
static unsigned char *make_room(prt_comm_group *group, int64_t bytes, int64_t more)
{
    int64_t needed = (more + 1) * bytes;
    for (int i = 0; i < group->sent_count; i++)
        needed += group->sent[i].count * bytes;
    for (int i = 0; i < group->got_count; i++)
        needed += group->got[i].count * bytes;
    if (needed > the.scratch_bytes) {
        free(the.scratch);
        the.scratch = malloc((size_t)needed);
        the.scratch_bytes = needed;
        if (the.scratch == NULL)
            abort();
    }
    int64_t at = lay_out(group->sent, group->sent_count, bytes, 0);
    return the.scratch + lay_out(group->got, group->got_count, bytes, at);
}

/* Sends first: MPI announces a large message, and the other side answers when it has a place for it. An answer that
 * comes before this side's own announcement starts the other side's message, and the answer to the announcement waits
 * until that is sent: they are sent one after the other. */
static void start_all(prt_comm_group *group, prt_dtype dtype)
{
    for (int i = 0; i < group->sent_count; i++) {
        piece *sent = &group->sent[i];
        the.base->post(group->between, sent->place, the.channel, sent->memory, sent->count, dtype, &sent->event);
    }
    for (int i = 0; i < group->got_count; i++) {
        piece *got = &group->got[i];
        the.base->collect(group->between, got->place, the.channel, got->memory, got->count, dtype, &got->event);
    }
}

static void finish_all(prt_comm_group *group)
{
    for (int i = 0; i < group->got_count; i++)
        the.base->wait(the.base, &group->got[i].event);
    for (int i = 0; i < group->sent_count; i++)
        the.base->wait(the.base, &group->sent[i].event);
}

/* ---- Reductions --------------------------------------------------------------------------------------------- */

static prt_range part_of(int64_t count, int64_t parts, int64_t index)
{
    prt_range lines = prt_cut((count + LINE - 1) / LINE, parts, index);
    int64_t start = lines.start * LINE, end = start + lines.extent * LINE;
    return prt_span(start < count ? start : count, (end < count ? end : count) - (start < count ? start : count));
}

/* Adds to this host's own part what came from the others, as if in order of host: those before it first, and then these
 * and the own part, whose sum has the same bits in either order. */
static void sum_hosts(const prt_comm_group *group, unsigned char *own, int64_t count, prt_dtype dtype,
                      prt_reduction reduction)
{
    const piece *got = group->got;
    for (int before = 1; before < group->host; before++)
        prt_combine(got[0].memory, got[before].memory, count, dtype, reduction);
    if (group->host > 0)
        prt_combine(own, got[0].memory, count, dtype, reduction);
    for (int after = group->host; after < group->got_count; after++)
        prt_combine(own, got[after].memory, count, dtype, reduction);
}

/* Turns the sums of each host over an array into those of all hosts, among deputies. */
static void reduce_between(prt_comm_group *group, unsigned char *data, int64_t count, prt_dtype dtype,
                           prt_reduction reduction)
{
    int64_t bytes = prt_dtype_bytes(dtype);
    prt_range own = part_of(count, group->hosts, group->host);
    unsigned char *own_data = data + own.start * bytes;
    begin(group);
    for (int host = 0; host < group->hosts; host++) {
        prt_range theirs = part_of(count, group->hosts, host);
        if (host == group->host)
            continue;
        send(group, deputy(group, host, group->local), theirs.extent, data + theirs.start * bytes);
        get(group, deputy(group, host, group->local), own.extent, NULL);
    }
    make_room(group, bytes, 0);
    start_all(group, dtype);
    finish_all(group);
    sum_hosts(group, own_data, own.extent, dtype, reduction);
    begin(group);
    for (int host = 0; host < group->hosts; host++) {
        prt_range theirs = part_of(count, group->hosts, host);
        if (host == group->host)
            continue;
        send(group, deputy(group, host, group->local), own.extent, own_data);
        get(group, deputy(group, host, group->local), theirs.extent, data + theirs.start * bytes);
    }
    start_all(group, dtype);
    finish_all(group);
}

/* As many slices as every host has members. */
static int slice_count(const prt_comm_group *group)
{
    int least = count_on(group, 0);
    for (int host = 1; host < group->hosts; host++)
        least = count_on(group, host) < least ? count_on(group, host) : least;
    return least;
}

static void hosts_all_reduce(prt_comm_group *group, void *out, const void *in, int64_t count, prt_dtype dtype,
                             prt_reduction reduction)
{
    if (group->hosts == 1) {
        the.inside->all_reduce(group->within, out, in, count, dtype, reduction);
        return;
    }
    int64_t bytes = prt_dtype_bytes(dtype);
    int slices = slice_count(group);
    prt_shared_publish(group->within, in, out);
    if (group->local < slices) {
        prt_range own = part_of(count, slices, group->local);
        unsigned char *data = (unsigned char *)out + own.start * bytes;
        prt_shared_reduce(group->within, own.start * bytes, own.extent * bytes, data, dtype, reduction);
        reduce_between(group, data, own.extent, dtype, reduction);
    }
    prt_shared_meet(group->within);
    for (int local = 0; local < slices; local++) {
        prt_range slice = part_of(count, slices, local);
        int64_t at = slice.start * bytes;
        if (local != group->local)
            memcpy((char *)out + at, prt_shared_result(group->within, local) + at, (size_t)(slice.extent * bytes));
    }
    prt_shared_meet(group->within);
}

/* The sum over this host of what a member gets, one element after another. */
static void reduce_packed(const prt_comm_group *group, const prt_exchange *exchange, int place, unsigned char *packed)
{
    int64_t bytes = prt_dtype_bytes(exchange->dtype);
    prt_overlap pieces = prt_exchange_between(exchange, place, place);
    prt_block block;
    for (prt_blocks blocks = prt_blocks_of(&pieces); prt_blocks_next(&blocks, &block);)
        for (int64_t row = 0; row < block.rows; row++, packed += block.count * bytes)
            prt_shared_reduce(group->within, (block.left + row * block.left_step) * bytes, block.count * bytes, packed,
                              exchange->dtype, exchange->reduction);
}

static void hosts_reduce_scatter(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in)
{
    if (group->hosts == 1) {
        the.inside->reduce_scatter(group->within, exchange, out, in);
        return;
    }
    int64_t bytes = prt_dtype_bytes(exchange->dtype);
    prt_overlap own = prt_exchange_between(exchange, group->place, group->place);
    prt_shared_publish(group->within, in, out);
    begin(group);
    for (int place = 0; place < group->size; place++)
        if (group->host_of[place] != group->host && is_deputy(group, group->local_of[place]))
            send(group, place, prt_exchange_between(exchange, place, place).elements, NULL);
    for (int host = 0; host < group->hosts; host++)
        if (host != group->host)
            get(group, deputy(group, host, group->local), own.elements, NULL);
    unsigned char *here = make_room(group, bytes, own.elements);
    for (int i = 0; i < group->sent_count; i++)
        reduce_packed(group, exchange, group->sent[i].place, group->sent[i].memory);
    start_all(group, exchange->dtype);
    reduce_packed(group, exchange, group->place, here);
    finish_all(group);
    sum_hosts(group, here, own.elements, exchange->dtype, exchange->reduction);
    prt_overlap_unpack(&own, bytes, out, here);
    prt_shared_meet(group->within);
}

/* ---- Moves -------------------------------------------------------------------------------------------------- */

/* Everyone gets the same from a member, so what that gives itself says what it is, and where. */
static void hosts_all_gather(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in)
{
    if (group->hosts == 1) {
        the.inside->all_gather(group->within, exchange, out, in);
        return;
    }
    int64_t bytes = prt_dtype_bytes(exchange->dtype);
    prt_overlap own = prt_exchange_between(exchange, group->place, group->place);
    begin(group);
    for (int place = 0; place < group->size; place++)
        if (group->host_of[place] != group->host && is_deputy(group, group->local_of[place]))
            get(group, place, prt_exchange_between(exchange, place, group->place).elements, NULL);
    unsigned char *packed = make_room(group, bytes, own.elements);
    for (int host = 0; host < group->hosts; host++)
        if (host != group->host)
            send(group, deputy(group, host, group->local), own.elements, packed);
    prt_overlap_pack(&own, bytes, packed, in);
    start_all(group, exchange->dtype);
    prt_overlap_copy(&own, bytes, out, in);
    finish_all(group);
    for (int i = 0; i < group->got_count; i++) {
        prt_overlap theirs = prt_exchange_between(exchange, group->got[i].place, group->place);
        prt_overlap_unpack(&theirs, bytes, out, group->got[i].memory);
    }
    prt_shared_publish(group->within, in, out);
    for (int place = 0; place < group->size; place++) {
        prt_overlap theirs = prt_exchange_between(exchange, place, group->place);
        int local = group->local_of[place] % count_on(group, group->host);
        if (group->host_of[place] == group->host && place != group->place)
            prt_overlap_copy(&theirs, bytes, out, prt_shared_operand(group->within, local));
        else if (group->host_of[place] != group->host && local != group->local)
            prt_overlap_repeat(&theirs, bytes, out, prt_shared_result(group->within, local));
    }
    prt_shared_meet(group->within);
}

/* Starts what goes to and comes from other hosts. */
static void start_remote(prt_comm_group *group, const prt_exchange *exchange, const void *in)
{
    int64_t bytes = prt_dtype_bytes(exchange->dtype);
    begin(group);
    for (int place = 0; place < group->size; place++) {
        if (group->host_of[place] == group->host)
            continue;
        send(group, place, prt_exchange_between(exchange, group->place, place).elements, NULL);
        get(group, place, prt_exchange_between(exchange, place, group->place).elements, NULL);
    }
    make_room(group, bytes, 0);
    for (int i = 0; i < group->sent_count; i++) {
        prt_overlap ours = prt_exchange_between(exchange, group->place, group->sent[i].place);
        prt_overlap_pack(&ours, bytes, group->sent[i].memory, in);
    }
    start_all(group, exchange->dtype);
}

static void hosts_exchange(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in)
{
    if (group->hosts == 1) {
        the.inside->exchange(group->within, exchange, out, in);
        return;
    }
    int64_t bytes = prt_dtype_bytes(exchange->dtype);
    start_remote(group, exchange, in);
    prt_shared_publish(group->within, in, out);
    for (int place = 0; place < group->size; place++) {
        prt_overlap theirs = prt_exchange_between(exchange, place, group->place);
        if (group->host_of[place] == group->host)
            prt_overlap_copy(&theirs, bytes, out, prt_shared_operand(group->within, group->local_of[place]));
    }
    finish_all(group);
    for (int i = 0; i < group->got_count; i++) {
        prt_overlap theirs = prt_exchange_between(exchange, group->got[i].place, group->place);
        prt_overlap_unpack(&theirs, bytes, out, group->got[i].memory);
    }
    prt_shared_meet(group->within);
}

/* Its own elements, then those that its neighbours have for it, in order of position. */
static void hosts_exchange_add(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in)
{
    if (group->hosts == 1) {
        the.inside->exchange_add(group->within, exchange, out, in);
        return;
    }
    const piece *got = group->got;
    start_remote(group, exchange, in);
    prt_shared_publish(group->within, in, out);
    prt_exchange_own(exchange, out, in);
    finish_all(group);
    for (int place = 0; place < group->size; place++) {
        prt_overlap theirs = prt_exchange_between(exchange, place, group->place);
        const void *operand = prt_shared_operand(group->within, group->local_of[place] % count_on(group, group->host));
        if (place == group->place || theirs.elements == 0)
            continue;
        if (group->host_of[place] == group->host)
            prt_overlap_combine(&theirs, out, operand, exchange->dtype, PRT_SUM);
        else
            prt_overlap_combine_packed(&theirs, out, (got++)->memory, exchange->dtype, PRT_SUM);
    }
    prt_shared_meet(group->within);
}

static void hosts_permute(prt_comm_group *group, int from, int to, void *out, const void *in, int64_t count,
                          prt_dtype dtype)
{
    size_t length = (size_t)(count * prt_dtype_bytes(dtype));
    if (group->hosts == 1) {
        the.inside->permute(group->within, from, to, out, in, count, dtype);
        return;
    }
    begin(group);
    if (from != group->place)
        get(group, from, count, out);
    if (to != group->place)
        send(group, to, count, NULL);
    make_room(group, prt_dtype_bytes(dtype), 0);
    if (group->sent_count > 0)
        memcpy(group->sent[0].memory, in, length);
    if (from == group->place && in != out)
        memcpy(out, in, length);
    start_all(group, dtype);
    finish_all(group);
}

static void hosts_hand_out(prt_comm_group *group, int from, void *out, const void *in, int64_t count, prt_dtype dtype)
{
    if (group->hosts == 1) {
        the.inside->hand_out(group->within, from, out, in, count, dtype);
        return;
    }
    size_t length = (size_t)(count * prt_dtype_bytes(dtype));
    int local = group->local_of[from];
    begin(group);
    if (group->place == from && in != out)
        memcpy(out, in, length);
    for (int host = 0; host < group->hosts && group->place == from; host++)
        if (host != group->host)
            send(group, deputy(group, host, local), count, out);
    if (group->host_of[from] != group->host && is_deputy(group, local))
        get(group, from, count, out);
    start_all(group, dtype);
    finish_all(group);
    prt_shared_publish(group->within, in, out);
    if (!is_deputy(group, local))
        memcpy(out, prt_shared_result(group->within, local % count_on(group, group->host)), length);
    prt_shared_meet(group->within);
}

/* ---- Messages ----------------------------------------------------------------------------------------------- */

static void hosts_post(prt_comm_group *group, int to, int channel, const void *in, int64_t count, prt_dtype dtype,
                       prt_event *event)
{
    the.base->post(group->between, to, channel, in, count, dtype, event);
}

static void hosts_collect(prt_comm_group *group, int from, int channel, void *out, int64_t count, prt_dtype dtype,
                          prt_event *event)
{
    the.base->collect(group->between, from, channel, out, count, dtype, event);
}

static void hosts_wait(prt_comm *comm, prt_event *event)
{
    (void)comm;
    the.base->wait(the.base, event);
}

/* ---- Groups ------------------------------------------------------------------------------------------------- */

static void *numbers(int count, size_t bytes)
{
    void *memory = calloc((size_t)count, bytes);
    if (memory == NULL)
        abort();
    return memory;
}

/* Hosts are numbered as they first appear in the group. */
static void number_hosts(prt_comm_group *group, const int *rank_of)
{
    int *host_rank = numbers(group->size, sizeof *host_rank), filled = 0; /* of a member of each host */
    for (int place = 0; place < group->size; place++) {
        int host = 0;
        while (host < group->hosts && the.host_of[host_rank[host]] != the.host_of[rank_of[place]])
            host++;
        if (host == group->hosts)
            host_rank[group->hosts++] = rank_of[place];
        group->host_of[place] = host;
    }
    for (int host = 0; host < group->hosts; host++) {
        group->first_of[host] = filled;
        for (int place = 0; place < group->size; place++)
            if (group->host_of[place] == host) {
                group->local_of[place] = filled - group->first_of[host];
                group->members[filled++] = place;
            }
    }
    group->first_of[group->hosts] = filled;
    free(host_rank);
}

static prt_comm_group *hosts_make_group(prt_comm *comm, int colour, int place)
{
    int64_t *keys = numbers(2 * comm->ranks, sizeof *keys);
    int *rank_of = numbers(comm->ranks, sizeof *rank_of);
    prt_comm_group *group = numbers(1, sizeof *group);
    keys[2 * comm->rank] = colour;
    keys[2 * comm->rank + 1] = place;
    the.base->maximum(the.base, keys, 2 * comm->ranks);
    for (int rank = 0; rank < comm->ranks; rank++)
        if (keys[2 * rank] == colour) {
            rank_of[keys[2 * rank + 1]] = rank;
            group->size++;
        }
    group->place = place;
    group->host_of = numbers(4 * group->size + 1, sizeof *group->host_of);
    group->local_of = group->host_of + group->size;
    group->members = group->local_of + group->size;
    group->first_of = group->members + group->size;
    group->sent = numbers(group->size, sizeof *group->sent);
    group->got = numbers(group->size, sizeof *group->got);
    number_hosts(group, rank_of);
    group->host = group->host_of[place];
    group->local = group->local_of[place];
    group->between = the.base->make_group(the.base, colour, place);
    group->within = the.inside->make_group(the.inside, colour * comm->ranks + the.host_of[comm->rank], group->local);
    free(keys);
    free(rank_of);
    return group;
}

static void hosts_free_group(prt_comm *comm, prt_comm_group *group)
{
    (void)comm;
    the.base->free_group(the.base, group->between);
    the.inside->free_group(the.inside, group->within);
    free(group->host_of);
    free(group->sent);
    free(group->got);
    free(group);
}

/* ---- Opening ------------------------------------------------------------------------------------------------ */

static void hosts_finish(prt_comm *comm, int status)
{
    (void)comm;
    free(the.scratch);
    the.inside->finish(the.inside, status);
}

prt_comm *prt_comm_hosts(prt_comm *base, prt_comm *inside, const prt_program *program, const int *host_of,
                         int host_count)
{
    static prt_comm comm;
    static char name[160];
    the = (hosts_row){.base = base, .inside = inside, .host_of = host_of, .channel = prt_channels(program)};
    snprintf(name, sizeof name, "%s between %d hosts, shared memory within", base->name, host_count);
    comm = *inside;
    comm.name = name;
    comm.make_group = hosts_make_group;
    comm.free_group = hosts_free_group;
    comm.all_reduce = hosts_all_reduce;
    comm.reduce_scatter = hosts_reduce_scatter;
    comm.all_gather = hosts_all_gather;
    comm.exchange = hosts_exchange;
    comm.exchange_add = hosts_exchange_add;
    comm.permute = hosts_permute;
    comm.hand_out = hosts_hand_out;
    comm.post = hosts_post;
    comm.collect = hosts_collect;
    comm.wait = hosts_wait;
    comm.finish = hosts_finish;
    return &comm;
}
