/* rounds.c - moves what an algorithm says between hosts (comm_hosts.h): the messages of a round, and the parts of
 * blocks that they have. */
#include "runtime/comm_hosts.h"

#include <string.h>

int prt_hosts_count(const prt_comm_group *group, int host)
{
    return group->first_of[host + 1] - group->first_of[host];
}

/* The place of the member of a host that handles what concerns number `local` of another. */
int prt_hosts_deputy(const prt_comm_group *group, int host, int local)
{
    return group->members[group->first_of[host] + local % prt_hosts_count(group, host)];
}

/* ---- The messages of a call --------------------------------------------------------------------------------- */

void prt_begin(prt_comm_group *group)
{
    group->sent_count = group->got_count = 0;
}

static void add(prt_piece *pieces, int *pieces_count, int place, int64_t count, void *memory)
{
    if (count > 0)
        pieces[(*pieces_count)++] = (prt_piece){.place = place, .count = count, .memory = memory};
}

void prt_add_sent(prt_comm_group *group, int place, int64_t count, void *memory)
{
    add(group->sent, &group->sent_count, place, count, memory);
}

void prt_add_got(prt_comm_group *group, int place, int64_t count, void *memory)
{
    add(group->got, &group->got_count, place, count, memory);
}

void prt_need_scratch(int64_t bytes)
{
    if (bytes <= prt_hosts.scratch_bytes)
        return;
    free(prt_hosts.scratch);
    prt_hosts.scratch = malloc((size_t)bytes);
    prt_hosts.scratch_bytes = bytes;
    if (prt_hosts.scratch == NULL)
        abort();
}

static int64_t lay_out(prt_piece *pieces, int count, int64_t bytes, int64_t at)
{
    for (int i = 0; i < count; i++) {
        if (pieces[i].memory != NULL)
            continue;
        pieces[i].memory = prt_hosts.scratch + at;
        at += pieces[i].count * bytes;
    }
    return at;
}

/* Gives room to all pieces that have none. */
void prt_make_room(prt_comm_group *group, int64_t bytes)
{
    int64_t needed = bytes;
    for (int i = 0; i < group->sent_count; i++)
        needed += group->sent[i].count * bytes;
    for (int i = 0; i < group->got_count; i++)
        needed += group->got[i].count * bytes;
    prt_need_scratch(needed);
    lay_out(group->got, group->got_count, bytes, lay_out(group->sent, group->sent_count, bytes, 0));
}

/* Sends first: MPI announces a large message, and the other side answers when it has a place for it. An answer that
 * comes before this side's own announcement starts the other side's message, and the answer to the announcement waits
 * until that is sent: they are sent one after the other. */
void prt_start_all(prt_comm_group *group, prt_dtype dtype)
{
    for (int i = 0; i < group->sent_count; i++) {
        prt_piece *sent = &group->sent[i];
        prt_hosts.base->post(group->between, sent->place, prt_hosts.channel, sent->memory, sent->count, dtype,
                             &sent->event);
    }
    for (int i = 0; i < group->got_count; i++) {
        prt_piece *got = &group->got[i];
        prt_hosts.base->collect(group->between, got->place, prt_hosts.channel, got->memory, got->count, dtype,
                                &got->event);
    }
}

void prt_finish_all(prt_comm_group *group)
{
    for (int i = 0; i < group->got_count; i++)
        prt_hosts.base->wait(prt_hosts.base, &group->got[i].event);
    for (int i = 0; i < group->sent_count; i++)
        prt_hosts.base->wait(prt_hosts.base, &group->sent[i].event);
}

/* ---- Rounds ------------------------------------------------------------------------------------------------- */

int64_t prt_job_bytes(const prt_job *job)
{
    return prt_dtype_bytes(job->dtype);
}

int64_t prt_job_room(const prt_comm_group *group, int64_t elements)
{
    int64_t own = 0;
    for (int i = group->first_part[group->host]; i < group->first_part[group->host + 1]; i++)
        own += group->parts[i].count;
    return elements > group->hosts * own ? elements : group->hosts * own;
}

/* Elements of all parts, after the last has been added. */
int64_t prt_end_parts(prt_comm_group *group, int count)
{
    group->first_part[group->hosts] = count;
    return count > 0 ? group->parts[count - 1].start + group->parts[count - 1].count : 0;
}

void prt_add_part(prt_comm_group *group, int *count, int number, int64_t elements, bool here)
{
    int64_t start = *count > 0 ? group->parts[*count - 1].start + group->parts[*count - 1].count : 0;
    group->parts[(*count)++] = (prt_host_part){number, start, elements, here};
}

/* The sum of this host over a part, into the array, or added to what is there. */
static void sum_part(const prt_job *job, int host, prt_host_part *part)
{
    const prt_comm_group *group = job->group;
    int64_t bytes = prt_job_bytes(job);
    int place = group->members[group->first_of[host] + part->number];
    unsigned char *to = job->data + part->start * bytes;
    prt_overlap pieces = prt_exchange_between(job->exchange, place, place);
    prt_block block;
    for (prt_blocks blocks = prt_blocks_of(&pieces); prt_blocks_next(&blocks, &block);)
        for (int64_t row = 0; row < block.rows; row++, to += block.count * bytes)
            (part->here ? prt_shared_add : prt_shared_reduce)(group->within,
                                                              (block.left + row * block.left_step) * bytes,
                                                              block.count * bytes, to, job->dtype, job->reduction);
    part->here = true;
}

/* The parts of a round's blocks, in the same order at both ends. */
typedef struct part_walk {
    const prt_comm_group *group;
    int left, host, next;
} part_walk;

static part_walk walk_parts(const prt_comm_group *group, int first, int count)
{
    return (part_walk){group, count, first, group->first_part[first]};
}

static prt_host_part *next_part(part_walk *walk, int *host)
{
    for (; walk->left > 0; walk->left--) {
        if (walk->next < walk->group->first_part[walk->host + 1]) {
            *host = walk->host;
            return &walk->group->parts[walk->next++];
        }
        walk->host = (walk->host + 1) % walk->group->hosts;
        walk->next = walk->group->first_part[walk->host];
    }
    return NULL;
}

/* Adds a part to the last message if it goes to the same rank and is the next one of the array; where hosts have
 * unequal numbers of members, each is a message of its own: what is next to each other at one end need not be at the
 * other. */
static void add_message(const prt_job *job, prt_piece *pieces, int *count, int place, const prt_host_part *part,
                        unsigned char *memory)
{
    prt_piece *last = *count > 0 ? &pieces[*count - 1] : NULL;
    if (job->group->even && last != NULL && last->place == place &&
        last->memory + last->count * prt_job_bytes(job) == memory)
        last->count += part->count;
    else
        add(pieces, count, place, part->count, memory);
}

/* Parts that are not there yet are sent from the operand, or summed first. */
static void list_sent(const prt_job *job, const prt_turn *turn)
{
    prt_comm_group *group = job->group;
    const unsigned char *data = job->operand;
    int host = 0;
    prt_host_part *part;
    for (part_walk walk = walk_parts(group, turn->sent, turn->sent_count); (part = next_part(&walk, &host)) != NULL;)
        if (part->here)
            data = NULL;
    for (part_walk walk = walk_parts(group, turn->sent, turn->sent_count); (part = next_part(&walk, &host)) != NULL;) {
        if (data == NULL && !part->here)
            sum_part(job, host, part);
        add_message(job, group->sent, &group->sent_count, prt_hosts_deputy(group, turn->to, part->number), part,
                    (unsigned char *)(data != NULL ? data : job->data) + part->start * prt_job_bytes(job));
    }
}

/* Room for what is added to a part: a place like its own, or, of rounds that are started at once and all bring the same
 * block, that in the round's room. */
static unsigned char *room_of(const prt_job *job, const prt_turn *turn, int round, const prt_host_part *part)
{
    const prt_comm_group *group = job->group;
    if (!job->at_once)
        return job->arrived + part->start * prt_job_bytes(job);
    const prt_host_part *first = &group->parts[group->first_part[turn->got]];
    const prt_host_part *last = &group->parts[group->first_part[turn->got + 1] - 1];
    int64_t block = last->start + last->count - first->start;
    return job->arrived + (round * block + part->start - first->start) * prt_job_bytes(job);
}

/* What is not added to a part that is there arrives in the array itself. */
static void list_got(const prt_job *job, const prt_turn *turn, int round)
{
    prt_comm_group *group = job->group;
    int host = 0;
    prt_host_part *part;
    for (part_walk walk = walk_parts(group, turn->got, turn->got_count); (part = next_part(&walk, &host)) != NULL;) {
        bool first = !part->here && (round == 0 || !job->at_once);
        unsigned char *memory =
            turn->adds && !first ? room_of(job, turn, round, part) : job->data + part->start * prt_job_bytes(job);
        add_message(job, group->got, &group->got_count, prt_hosts_deputy(group, turn->from, part->number), part,
                    memory);
    }
}

/* What other hosts and this one have of each part. */
static void add_arrived(const prt_job *job, const prt_turn *turn, int round)
{
    int host = 0;
    prt_host_part *part;
    for (part_walk walk = walk_parts(job->group, turn->got, turn->got_count);
         (part = next_part(&walk, &host)) != NULL;) {
        unsigned char *own = job->data + part->start * prt_job_bytes(job);
        unsigned char *arrived = room_of(job, turn, round, part);
        size_t bytes = (size_t)(part->count * prt_job_bytes(job));
        if (!part->here) {
            part->here = true; /* what has arrived, to which this host's sum is added */
            sum_part(job, host, part);
        } else if (turn->shared && turn->from < job->group->host) {
            prt_combine(arrived, own, part->count, job->dtype, job->reduction);
            memcpy(own, arrived, bytes);
        } else {
            prt_combine(own, arrived, part->count, job->dtype, job->reduction);
        }
    }
}

static void list_turn(const prt_job *job, const prt_turn *turn, int round)
{
    if (turn->to != PRT_NO_HOST)
        list_sent(job, turn);
    if (turn->from != PRT_NO_HOST)
        list_got(job, turn, round);
}

static void end_turn(const prt_job *job, const prt_turn *turn, int round)
{
    if (turn->from != PRT_NO_HOST && turn->adds)
        add_arrived(job, turn, round);
}

static void move(const prt_job *job)
{
    prt_start_all(job->group, job->dtype);
    prt_finish_all(job->group);
}

/* One round after another, or all of them. */
static void run_phase(const prt_job *job, prt_schedule *phase, int root)
{
    prt_comm_group *group = job->group;
    prt_turn turn;
    if (!job->at_once) {
        for (int round = 0; phase(group->hosts, group->host, root, round, &turn); round++) {
            prt_begin(group);
            list_turn(job, &turn, round);
            move(job);
            end_turn(job, &turn, round);
        }
        return;
    }
    prt_begin(group);
    for (int round = 0; phase(group->hosts, group->host, root, round, &turn); round++)
        list_turn(job, &turn, round);
    move(job);
    for (int round = 0; phase(group->hosts, group->host, root, round, &turn); round++)
        end_turn(job, &turn, round);
}

void prt_run_rounds(prt_job *job, const prt_algorithm *algorithm, int root)
{
    job->at_once = algorithm->at_once;
    for (int i = 0; i < 2 && algorithm->phases[i] != NULL; i++)
        run_phase(job, algorithm->phases[i], root);
}
