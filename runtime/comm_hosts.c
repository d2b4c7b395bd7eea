/* comm_hosts.c - communication of ranks on several hosts: through shared memory within a host (comm_shared.h), by
 * messages of another row between hosts. What hosts do with each other is that of the call's algorithm (algorithms.h);
 * what is here makes the blocks of it, and moves them.
 *
 * What concerns the member with number q of another host is handled on each host by its member number q modulo the
 * members that it has there, the *deputy*. So every member sends and receives an equal part, and nothing goes to a host
 * that has it:
 *   - all_reduce: each member adds up a slice of all operands of its host, the deputies of a slice add up these sums,
 *     and then everyone reads all slices of its host.
 *   - reduce_scatter: for each member, its deputies add up the sums of their hosts over what it gets.
 *   - all_gather: what a member has is given to its deputies, and read there by all.
 *   - broadcast: each member of the first host passes on a slice to its deputies, where all read it.
 *   - all_to_all, halos: pieces for the same host are read from its memory, the others are sent; no two are alike.
 *     Indirectly, deputies pass on what the members of a host have for one of another.
 *   - permutations and messages are sent.
 *
 * Sums are over the members of a host first, in order of place, then over hosts, in the order of the algorithm. So they
 * are the same from run to run, and have the same bits on every rank, but not those of another algorithm or division of
 * the ranks among hosts. Hosts are numbered in the order in which they first appear in the group. */
#include "runtime/comm_hosts.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 64 }; /* elements: parts of an array are not smaller */

prt_hosts_row prt_hosts;

/* ---- Slices ------------------------------------------------------------------------------------------------- */

static prt_range part_of(int64_t count, int64_t parts, int64_t index)
{
    prt_range lines = prt_cut((count + LINE - 1) / LINE, parts, index);
    int64_t start = lines.start * LINE, end = start + lines.extent * LINE;
    return prt_span(start < count ? start : count, (end < count ? end : count) - (start < count ? start : count));
}

/* As many slices as every host has members: each is handled by the members with its number. */
static int slice_count(const prt_comm_group *group)
{
    int least = prt_hosts_count(group, 0);
    for (int host = 1; host < group->hosts; host++)
        least = prt_hosts_count(group, host) < least ? prt_hosts_count(group, host) : least;
    return least;
}

/* A slice that is in its place, of so many elements: a part for each host. */
static prt_job job_of_slice(prt_comm_group *group, unsigned char *data, int64_t count, prt_dtype dtype,
                            prt_reduction reduction)
{
    int parts = 0;
    for (int host = 0; host < group->hosts; host++) {
        group->first_part[host] = parts;
        prt_add_part(group, &parts, group->local, part_of(count, group->hosts, host).extent, true);
    }
    prt_need_scratch(prt_job_room(group, prt_end_parts(group, parts)) * prt_dtype_bytes(dtype));
    return (prt_job){
        .group = group, .dtype = dtype, .reduction = reduction, .data = data, .arrived = prt_hosts.scratch};
}

/* The slices that the other members of this host have. */
static void read_slices(const prt_comm_group *group, void *out, int64_t count, int64_t bytes)
{
    int slices = slice_count(group);
    prt_shared_meet(group->within);
    for (int local = 0; local < slices; local++) {
        prt_range slice = part_of(count, slices, local);
        int64_t at = slice.start * bytes;
        if (local != group->local)
            memcpy((char *)out + at, prt_shared_result(group->within, local) + at, (size_t)(slice.extent * bytes));
    }
    prt_shared_meet(group->within);
}

static void hosts_all_reduce(prt_comm_group *group, void *out, const void *in, int64_t count, prt_dtype dtype,
                             prt_reduction reduction, const prt_algorithm *algorithm)
{
    if (group->hosts == 1) {
        prt_hosts.inside->all_reduce(group->within, out, in, count, dtype, reduction, algorithm);
        return;
    }
    int64_t bytes = prt_dtype_bytes(dtype);
    int slices = slice_count(group);
    prt_shared_publish(group->within, in, out);
    if (group->local < slices) {
        prt_range own = part_of(count, slices, group->local);
        unsigned char *data = (unsigned char *)out + own.start * bytes;
        prt_shared_reduce(group->within, own.start * bytes, own.extent * bytes, data, dtype, reduction);
        prt_job job = job_of_slice(group, data, own.extent, dtype, reduction);
        prt_run_rounds(&job, algorithm, 0);
    }
    read_slices(group, out, count, bytes);
}

static void hosts_hand_out(prt_comm_group *group, int from, void *out, const void *in, int64_t count, prt_dtype dtype,
                           const prt_algorithm *algorithm)
{
    if (group->hosts == 1) {
        prt_hosts.inside->hand_out(group->within, from, out, in, count, dtype, algorithm);
        return;
    }
    int64_t bytes = prt_dtype_bytes(dtype);
    int slices = slice_count(group);
    prt_shared_publish(group->within, in, out);
    if (group->local < slices) {
        prt_range own = part_of(count, slices, group->local);
        unsigned char *data = (unsigned char *)out + own.start * bytes;
        if (group->host_of[from] == group->host) {
            const unsigned char *whole = prt_shared_operand(group->within, group->local_of[from]);
            if (data != whole + own.start * bytes)
                memcpy(data, whole + own.start * bytes, (size_t)(own.extent * bytes));
        }
        prt_job job = job_of_slice(group, data, own.extent, dtype, PRT_SUM);
        prt_run_rounds(&job, algorithm, group->host_of[from]);
    }
    read_slices(group, out, count, bytes);
}

/* ---- Pieces of members -------------------------------------------------------------------------------------- */

/* A part for each member that this rank is the deputy of, and of what it gives or gets itself. */
static prt_job job_of_pieces(prt_comm_group *group, const prt_exchange *exchange, bool here)
{
    int parts = 0;
    for (int host = 0; host < group->hosts; host++) {
        group->first_part[host] = parts;
        for (int local = 0; local < prt_hosts_count(group, host); local++) {
            int place = group->members[group->first_of[host] + local];
            if (prt_hosts_deputy(group, group->host, local) == group->place &&
                (host != group->host || place == group->place))
                prt_add_part(group, &parts, local, prt_exchange_between(exchange, place, place).elements, here);
        }
    }
    int64_t elements = prt_end_parts(group, parts), bytes = elements * prt_dtype_bytes(exchange->dtype);
    prt_need_scratch(bytes + prt_job_room(group, elements) * prt_dtype_bytes(exchange->dtype));
    return (prt_job){.group = group,
                     .dtype = exchange->dtype,
                     .reduction = exchange->reduction,
                     .data = prt_hosts.scratch,
                     .arrived = prt_hosts.scratch + bytes,
                     .exchange = exchange};
}

static const prt_host_part *own_part(const prt_comm_group *group)
{
    return &group->parts[group->first_part[group->host]];
}

/* Each host has one member, and the pieces of all are one after another in whole arrays: where these begin; -1: not so.
 * `left`: where they are in operands, otherwise in results. */
static int64_t pieces_at(const prt_comm_group *group, const prt_exchange *exchange, bool left)
{
    int64_t first = 0, next = -1;
    for (int host = 0; host < group->hosts; host++) {
        int place = group->members[host];
        prt_overlap piece = prt_exchange_between(exchange, place, left ? place : group->place);
        prt_block block;
        if (piece.elements == 0)
            continue;
        if (!prt_overlap_is_block(&piece, &block) || group->size != group->hosts)
            return -1;
        int64_t at = left ? block.left : block.right;
        if (next >= 0 && at != next)
            return -1;
        first = next < 0 ? at : first;
        next = at + piece.elements;
    }
    return first;
}

static void hosts_reduce_scatter(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in)
{
    if (group->hosts == 1) {
        prt_hosts.inside->reduce_scatter(group->within, exchange, out, in);
        return;
    }
    int64_t bytes = prt_dtype_bytes(exchange->dtype), at = pieces_at(group, exchange, true);
    prt_overlap own = prt_exchange_between(exchange, group->place, group->place);
    prt_job job = job_of_pieces(group, exchange, false);
    job.operand = at >= 0 ? (const unsigned char *)in + at * bytes : NULL;
    prt_shared_publish(group->within, in, out);
    prt_run_rounds(&job, exchange->algorithm, 0);
    prt_overlap_unpack(&own, bytes, out, job.data + own_part(group)->start * bytes);
    prt_shared_meet(group->within);
}

/* What other hosts gave, from where it has arrived to the result. */
static void unpack_pieces(const prt_job *job, const prt_exchange *exchange, void *out)
{
    const prt_comm_group *group = job->group;
    for (int host = 0; host < group->hosts; host++)
        for (int i = group->first_part[host]; host != group->host && i < group->first_part[host + 1]; i++) {
            int place = group->members[group->first_of[host] + group->parts[i].number];
            prt_overlap theirs = prt_exchange_between(exchange, place, group->place);
            prt_overlap_unpack(&theirs, prt_job_bytes(job), out,
                               job->data + group->parts[i].start * prt_job_bytes(job));
        }
}

/* Everyone gets the same from a member, so what that gives itself says what it is, and where. */
static void hosts_all_gather(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in)
{
    if (group->hosts == 1) {
        prt_hosts.inside->all_gather(group->within, exchange, out, in);
        return;
    }
    int64_t bytes = prt_dtype_bytes(exchange->dtype), at = pieces_at(group, exchange, false);
    prt_overlap own = prt_exchange_between(exchange, group->place, group->place);
    prt_job job = job_of_pieces(group, exchange, true);
    prt_overlap_copy(&own, bytes, out, in);
    if (at >= 0)
        job.data = (unsigned char *)out + at * bytes;
    else
        prt_overlap_pack(&own, bytes, job.data + own_part(group)->start * bytes, in);
    prt_run_rounds(&job, exchange->algorithm, 0);
    if (at < 0)
        unpack_pieces(&job, exchange, out);
    prt_shared_publish(group->within, in, out);
    for (int place = 0; place < group->size; place++) {
        prt_overlap theirs = prt_exchange_between(exchange, place, group->place);
        int local = group->local_of[place] % prt_hosts_count(group, group->host);
        if (group->host_of[place] == group->host && place != group->place)
            prt_overlap_copy(&theirs, bytes, out, prt_shared_operand(group->within, local));
        else if (group->host_of[place] != group->host && local != group->local)
            prt_overlap_repeat(&theirs, bytes, out, prt_shared_result(group->within, local));
    }
    prt_shared_meet(group->within);
}

/* ---- Exchanges ---------------------------------------------------------------------------------------------- */

/* Starts what goes to and comes from other hosts. */
static void start_remote(prt_comm_group *group, const prt_exchange *exchange, const void *in)
{
    int64_t bytes = prt_dtype_bytes(exchange->dtype);
    prt_begin(group);
    for (int place = 0; place < group->size; place++) {
        if (group->host_of[place] == group->host)
            continue;
        prt_add_sent(group, place, prt_exchange_between(exchange, group->place, place).elements, NULL);
        prt_add_got(group, place, prt_exchange_between(exchange, place, group->place).elements, NULL);
    }
    prt_make_room(group, bytes);
    for (int i = 0; i < group->sent_count; i++) {
        prt_overlap ours = prt_exchange_between(exchange, group->place, group->sent[i].place);
        prt_overlap_pack(&ours, bytes, group->sent[i].memory, in);
    }
    prt_start_all(group, exchange->dtype);
}

/* Elements that a rank carries on before a round of an indirect exchange: everything that its host of origin has for
 * the member with its number of the host so far away. The rounds before have taken it on by the lower bits of the
 * distance.
 */
static int64_t carried(const prt_comm_group *group, const prt_exchange *exchange, int distance, int round)
{
    int origin = (group->host - (distance & ((1 << round) - 1)) + group->hosts) % group->hosts;
    int target = group->members[group->first_of[(origin + distance) % group->hosts] + group->local];
    int64_t count = 0;
    for (int i = group->first_of[origin]; i < group->first_of[origin + 1]; i++)
        count += prt_exchange_between(exchange, group->members[i], target).elements;
    return count;
}

/* Room for what is carried at first, and for what each round sends and brings. */
static int64_t carried_in_all(const prt_comm_group *group, const prt_exchange *exchange)
{
    int64_t count = 0;
    for (int distance = 1; distance < group->hosts; distance++) {
        count += carried(group, exchange, distance, 0);
        for (int round = 0; distance >> round > 0; round++)
            if (distance >> round & 1)
                count += carried(group, exchange, distance, round) + carried(group, exchange, distance, round + 1);
    }
    return count;
}

/* What this host's members have for one of each other. Returns how much it is. */
static int64_t pack_carried(prt_comm_group *group, const prt_exchange *exchange)
{
    int64_t bytes = prt_dtype_bytes(exchange->dtype), end = 0;
    group->parts[0] = (prt_host_part){0};
    for (int distance = 1; distance < group->hosts; distance++) {
        int target = group->members[group->first_of[(group->host + distance) % group->hosts] + group->local];
        group->parts[distance] = (prt_host_part){.start = end, .count = carried(group, exchange, distance, 0)};
        for (int i = 0; i < prt_hosts_count(group, group->host); i++) {
            int place = group->members[group->first_of[group->host] + i];
            prt_overlap ours = prt_exchange_between(exchange, place, target);
            prt_overlap_pack(&ours, bytes, prt_hosts.scratch + end * bytes, prt_shared_operand(group->within, i));
            end += ours.elements;
        }
    }
    return end;
}

/* One message each way. What it brings is carried from then on. Returns the end of what is carried. */
static int64_t carry_on(prt_comm_group *group, const prt_exchange *exchange, int round, const prt_turn *turn,
                        int64_t end)
{
    int64_t bytes = prt_dtype_bytes(exchange->dtype), sent = 0, got = 0;
    unsigned char *message = prt_hosts.scratch + end * bytes;
    for (int distance = 1; distance < group->hosts; distance++)
        if (distance >> round & 1) {
            const prt_host_part *part = &group->parts[distance];
            memcpy(message + sent * bytes, prt_hosts.scratch + part->start * bytes, (size_t)(part->count * bytes));
            sent += part->count;
        }
    for (int distance = 1; distance < group->hosts; distance++)
        if (distance >> round & 1) {
            int64_t count = carried(group, exchange, distance, round + 1);
            group->parts[distance] = (prt_host_part){.start = end + sent + got, .count = count};
            got += count;
        }
    prt_begin(group);
    prt_add_sent(group, prt_hosts_deputy(group, turn->to, group->local), sent, message);
    prt_add_got(group, prt_hosts_deputy(group, turn->from, group->local), got, message + sent * bytes);
    prt_start_all(group, exchange->dtype);
    prt_finish_all(group);
    return end + sent + got;
}

static void exchange_indirectly(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in)
{
    int64_t bytes = prt_dtype_bytes(exchange->dtype);
    prt_turn turn;
    prt_need_scratch(carried_in_all(group, exchange) * bytes);
    prt_shared_publish(group->within, in, out);
    int64_t end = pack_carried(group, exchange);
    for (int round = 0; prt_bruck(group->hosts, group->host, 0, round, &turn); round++)
        end = carry_on(group, exchange, round, &turn, end);
    for (int distance = 0; distance < group->hosts; distance++) {
        int origin = (group->host - distance + group->hosts) % group->hosts;
        const unsigned char *arrived = prt_hosts.scratch + group->parts[distance].start * bytes;
        for (int i = 0; i < prt_hosts_count(group, origin); i++) {
            int place = group->members[group->first_of[origin] + i];
            prt_overlap theirs = prt_exchange_between(exchange, place, group->place);
            if (distance == 0)
                prt_overlap_copy(&theirs, bytes, out, prt_shared_operand(group->within, i));
            else
                prt_overlap_unpack(&theirs, bytes, out, arrived);
            arrived += theirs.elements * bytes;
        }
    }
    prt_shared_meet(group->within);
}

/* What others carry must be known, and who: only where no rank alone knows how much of its queues is filled, and all
 * hosts have as many members. */
static bool is_indirect(const prt_comm_group *group, const prt_exchange *exchange)
{
    return exchange->algorithm->indirect && exchange->before == NULL && group->even;
}

static void hosts_exchange(prt_comm_group *group, const prt_exchange *exchange, void *out, const void *in)
{
    if (group->hosts == 1) {
        prt_hosts.inside->exchange(group->within, exchange, out, in);
        return;
    }
    if (is_indirect(group, exchange)) {
        exchange_indirectly(group, exchange, out, in);
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
    prt_finish_all(group);
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
        prt_hosts.inside->exchange_add(group->within, exchange, out, in);
        return;
    }
    const prt_piece *got = group->got;
    start_remote(group, exchange, in);
    prt_shared_publish(group->within, in, out);
    prt_exchange_own(exchange, out, in);
    prt_finish_all(group);
    for (int place = 0; place < group->size; place++) {
        prt_overlap theirs = prt_exchange_between(exchange, place, group->place);
        const void *operand =
            prt_shared_operand(group->within, group->local_of[place] % prt_hosts_count(group, group->host));
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
        prt_hosts.inside->permute(group->within, from, to, out, in, count, dtype);
        return;
    }
    prt_begin(group);
    if (from != group->place)
        prt_add_got(group, from, count, out);
    if (to != group->place)
        prt_add_sent(group, to, count, NULL);
    prt_make_room(group, prt_dtype_bytes(dtype));
    if (group->sent_count > 0)
        memcpy(group->sent[0].memory, in, length);
    if (from == group->place && in != out)
        memcpy(out, in, length);
    prt_start_all(group, dtype);
    prt_finish_all(group);
}

/* ---- Messages ----------------------------------------------------------------------------------------------- */

static void hosts_post(prt_comm_group *group, int to, int channel, const void *in, int64_t count, prt_dtype dtype,
                       prt_event *event)
{
    prt_hosts.base->post(group->between, to, channel, in, count, dtype, event);
}

static void hosts_collect(prt_comm_group *group, int from, int channel, void *out, int64_t count, prt_dtype dtype,
                          prt_event *event)
{
    prt_hosts.base->collect(group->between, from, channel, out, count, dtype, event);
}

static void hosts_wait(prt_comm *comm, prt_event *event)
{
    (void)comm;
    prt_hosts.base->wait(prt_hosts.base, event);
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
        while (host < group->hosts && prt_hosts.host_of[host_rank[host]] != prt_hosts.host_of[rank_of[place]])
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
    prt_hosts.base->maximum(prt_hosts.base, keys, 2 * comm->ranks);
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
    group->first_part = numbers(group->size + 1, sizeof *group->first_part);
    group->parts = numbers(group->size, sizeof *group->parts);
    group->sent = numbers(group->size, sizeof *group->sent);
    group->got = numbers(group->size, sizeof *group->got);
    number_hosts(group, rank_of);
    group->host = group->host_of[place];
    group->even = slice_count(group) * group->hosts == group->size;
    group->local = group->local_of[place];
    group->between = prt_hosts.base->make_group(prt_hosts.base, colour, place);
    group->within = prt_hosts.inside->make_group(prt_hosts.inside, colour * comm->ranks + prt_hosts.host_of[comm->rank],
                                                 group->local);
    free(keys);
    free(rank_of);
    return group;
}

static void hosts_free_group(prt_comm *comm, prt_comm_group *group)
{
    (void)comm;
    prt_hosts.base->free_group(prt_hosts.base, group->between);
    prt_hosts.inside->free_group(prt_hosts.inside, group->within);
    free(group->host_of);
    free(group->first_part);
    free(group->parts);
    free(group->sent);
    free(group->got);
    free(group);
}

/* ---- Opening ------------------------------------------------------------------------------------------------ */

static void hosts_finish(prt_comm *comm, int status)
{
    (void)comm;
    free(prt_hosts.scratch);
    prt_hosts.inside->finish(prt_hosts.inside, status);
}

prt_comm *prt_comm_hosts(prt_comm *base, prt_comm *inside, const prt_program *program, const int *host_of,
                         int host_count)
{
    static prt_comm comm;
    static char name[160];
    prt_hosts = (prt_hosts_row){.base = base, .inside = inside, .host_of = host_of, .channel = prt_channels(program)};
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
