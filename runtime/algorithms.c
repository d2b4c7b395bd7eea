/* algorithms.c - the rounds of collectives between hosts (algorithms.h), and the table of them. */
#include "runtime/algorithms.h"

#include <string.h>

static int around(int hosts, int host)
{
    return (host % hosts + hosts) % hosts;
}

static int rounds_of(int hosts)
{
    int rounds = 0;
    for (; hosts > 1; hosts = (hosts + 1) / 2)
        rounds++;
    return rounds;
}

/* ---- Rings -------------------------------------------------------------------------------------------------- */

static bool scatter_around(int hosts, int host, int root, int round, prt_turn *turn)
{
    (void)root;
    *turn = (prt_turn){.to = around(hosts, host + 1),
                       .from = around(hosts, host - 1),
                       .sent = around(hosts, host - 1 - round),
                       .sent_count = 1,
                       .got = around(hosts, host - 2 - round),
                       .got_count = 1,
                       .adds = true};
    return round < hosts - 1;
}

static bool gather_around(int hosts, int host, int root, int round, prt_turn *turn)
{
    (void)root;
    *turn = (prt_turn){.to = around(hosts, host + 1),
                       .from = around(hosts, host - 1),
                       .sent = around(hosts, host - round),
                       .sent_count = 1,
                       .got = around(hosts, host - 1 - round),
                       .got_count = 1};
    return round < hosts - 1;
}

/* ---- Pairs -------------------------------------------------------------------------------------------------- */

/* To each of the others what it adds up. */
static bool scatter_to_each(int hosts, int host, int root, int round, prt_turn *turn)
{
    (void)root;
    *turn = (prt_turn){.to = around(hosts, host + 1 + round),
                       .from = around(hosts, host - 1 - round),
                       .sent = around(hosts, host + 1 + round),
                       .sent_count = 1,
                       .got = host,
                       .got_count = 1,
                       .adds = true};
    return round < hosts - 1;
}

static bool gather_from_each(int hosts, int host, int root, int round, prt_turn *turn)
{
    (void)root;
    *turn = (prt_turn){.to = around(hosts, host + 1 + round),
                       .from = around(hosts, host - 1 - round),
                       .sent = host,
                       .sent_count = 1,
                       .got = around(hosts, host - 1 - round),
                       .got_count = 1};
    return round < hosts - 1;
}

/* ---- Halving and doubling ------------------------------------------------------------------------------------ */

/* Before a round of halving, a host has the sums of so many blocks still to do, from its own on. */
static int left_before(int hosts, int round)
{
    for (; round > 0; round--)
        hosts = (hosts + 1) / 2;
    return hosts;
}

/* The second half of what is left is sent (Bruck et al. 1997, backwards). */
static bool halve(int hosts, int host, int root, int round, prt_turn *turn)
{
    (void)root;
    int left = left_before(hosts, round), kept = (left + 1) / 2;
    *turn = (prt_turn){.to = around(hosts, host + kept),
                       .from = around(hosts, host - kept),
                       .sent = around(hosts, host + kept),
                       .sent_count = left - kept,
                       .got = host,
                       .got_count = left - kept,
                       .adds = true};
    return left > 1;
}

/* The rounds of halving, backwards. */
static bool redouble(int hosts, int host, int root, int round, prt_turn *turn)
{
    prt_turn halved;
    int rounds = rounds_of(hosts);
    if (round >= rounds)
        return false;
    halve(hosts, host, root, rounds - 1 - round, &halved);
    *turn = (prt_turn){.to = halved.from,
                       .from = halved.to,
                       .sent = halved.got,
                       .sent_count = halved.got_count,
                       .got = halved.sent,
                       .got_count = halved.sent_count};
    return true;
}

/* Hosts beyond the last power of two are added to others, and get the sum from these. */
static bool add_whole(int hosts, int host, int root, int round, prt_turn *turn)
{
    (void)root;
    int power = 1, rounds = 0;
    for (; 2 * power <= hosts; power *= 2)
        rounds++;
    int beyond = hosts - power, pairs = beyond > 0 ? round - 1 : round;
    *turn = (prt_turn){.to = PRT_NO_HOST, .from = PRT_NO_HOST, .sent_count = hosts, .got_count = hosts};
    if (pairs < 0) {
        turn->to = host >= power ? host - power : PRT_NO_HOST;
        turn->from = host < beyond ? host + power : PRT_NO_HOST;
        turn->adds = true;
    } else if (pairs < rounds) {
        turn->to = turn->from = host < power ? host ^ 1 << pairs : PRT_NO_HOST;
        turn->adds = turn->shared = true;
    } else {
        turn->to = host < beyond ? host + power : PRT_NO_HOST;
        turn->from = host >= power ? host - power : PRT_NO_HOST;
    }
    return pairs < rounds + (beyond > 0 ? 1 : 0);
}

/* ---- Trees -------------------------------------------------------------------------------------------------- */

/* Hosts first .. first + count - 1, counted from the root, of which one has the blocks of all: the first, which gives
 * those of the second half to the host at its beginning. */
typedef struct interval {
    int first, count;
} interval;

static interval interval_at(int hosts, int place, int depth)
{
    interval at = {0, hosts};
    for (; depth > 0; depth--) {
        int half = (at.count + 1) / 2;
        bool second = place - at.first >= half;
        at = second ? (interval){at.first + half, at.count - half} : (interval){at.first, half};
    }
    return at;
}

static bool scatter(int hosts, int host, int root, int round, prt_turn *turn)
{
    int place = around(hosts, host - root);
    interval at = interval_at(hosts, place, round);
    int half = (at.count + 1) / 2, second = at.first + half, moved = at.count - half;
    *turn = (prt_turn){.to = PRT_NO_HOST, .from = PRT_NO_HOST};
    if (moved > 0 && place == at.first) {
        turn->to = turn->sent = around(hosts, root + second);
        turn->sent_count = moved;
    } else if (moved > 0 && place == second) {
        turn->from = around(hosts, root + at.first);
        turn->got = host;
        turn->got_count = moved;
    }
    return round < rounds_of(hosts);
}

/* A scatter from the first host, backwards. */
static bool gather_to_first(int hosts, int host, int root, int round, prt_turn *turn)
{
    (void)root;
    prt_turn scattered;
    int rounds = rounds_of(hosts);
    if (round >= rounds)
        return false;
    scatter(hosts, host, 0, rounds - 1 - round, &scattered);
    *turn = (prt_turn){.to = scattered.from,
                       .from = scattered.to,
                       .sent = scattered.got,
                       .sent_count = scattered.got_count,
                       .got = scattered.sent,
                       .got_count = scattered.sent_count};
    return true;
}

static bool tree_from(int hosts, int host, int root, int round, prt_turn *turn)
{
    bool goes_on = scatter(hosts, host, root, round, turn);
    turn->sent = turn->got = 0;
    turn->sent_count = turn->got_count = hosts;
    return goes_on;
}

/* ---- Exchanges ---------------------------------------------------------------------------------------------- */

bool prt_bruck(int hosts, int host, int root, int round, prt_turn *turn)
{
    (void)root;
    int distance = 1 << round;
    *turn = (prt_turn){.to = around(hosts, host + distance), .from = around(hosts, host - distance)};
    return distance < hosts;
}

/* ---- The table ---------------------------------------------------------------------------------------------- */

static const prt_algorithm ring_gather = {.phases = {gather_around}};
static const prt_algorithm ring_scatter = {.phases = {scatter_around}};
static const prt_algorithm ring_reduce = {.phases = {scatter_around, gather_around}};
static const prt_algorithm pairwise_gather = {.phases = {gather_from_each}, .at_once = true};
static const prt_algorithm pairwise_scatter = {.phases = {scatter_to_each}, .at_once = true};
static const prt_algorithm pairwise_reduce = {.phases = {scatter_to_each, gather_from_each}, .at_once = true};
static const prt_algorithm doubling = {.phases = {redouble}};
static const prt_algorithm halving = {.phases = {halve}};
static const prt_algorithm whole_doubling = {.phases = {add_whole}};
static const prt_algorithm rabenseifner = {.phases = {halve, redouble}};
static const prt_algorithm gather_broadcast = {.phases = {gather_to_first, tree_from}};
static const prt_algorithm tree = {.phases = {tree_from}};
static const prt_algorithm scatter_gather = {.phases = {scatter, gather_around}};
static const prt_algorithm pairwise = {.indirect = false};
static const prt_algorithm bruck = {.indirect = true};
static const prt_algorithm message = {.indirect = false};

const prt_algorithm *prt_algorithm_of(prt_collective op, const char *name)
{
    static const struct {
        prt_collective op;
        const char *name;
        const prt_algorithm *run;
    } rows[] = {
#define ALGORITHM(collective, way, name, cost, run) {PRT_##collective, name, &run},
#include "base/algorithm.def"
#undef ALGORITHM
    };
    for (size_t i = 0; name != NULL && i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == op && strcmp(rows[i].name, name) == 0)
            return rows[i].run;
    return NULL;
}
