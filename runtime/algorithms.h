/* algorithms.h - what hosts do with each other in a collective: pure functions that say, for each host and round, which
 * blocks it sends to which other host, and which it gets from where. The row between hosts (comm_hosts.c) moves them.
 *
 * An array has one block for each host, in their order. A phase is one of these:
 *
 *   - scatter of sums: every host has all blocks; then host i has the sum of block i.
 *   - gather: host i has block i; then every host has all.
 *   - whole sum: every host has all blocks; then all have their sums.
 *   - scatter from a root: it has all blocks; then host i has block i.
 *   - gather to the first: host i has block i; then host 0 has all.
 *   - tree from a root: it has all blocks; then every host has all.
 *
 * Any number of hosts will do. A ring of h hosts and pairs of them have h - 1 rounds, the others log2 h, rounded up;
 * the whole sum has one more before and after it where h is no power of two.
 *
 * Each block is added up at one host and then passed on; only in the whole sum all hosts add up the same, that of the
 * hosts with lower numbers first. The order is the same in every run; with s[i] the sum of host i, modulo h, block i
 * is:
 *
 *   - by a ring (hierarchical, too): ((s[i+1] + s[i+2]) + ...) + s[i];
 *   - pairwise: ((s[i-1] + s[i]) + s[i-2]) + ..., and in an all_reduce s[i] first;
 *   - by halving (rabenseifner, too): in every round what the other host has added up before is added to what is there:
 *     of four hosts (s[i+2] + s[i]) + (s[i+1] + s[i+3]);
 *   - by doubling: pairs of neighbours, pairs of these, and so on, of four hosts (s[0] + s[1]) + (s[2] + s[3]). Hosts
 *     beyond the last power of two are first added to the hosts from 0 on. */
#ifndef PRT_ALGORITHMS_H
#define PRT_ALGORITHMS_H

#include "runtime/place_rt.h"

enum { PRT_NO_HOST = -1 };

/* One round of one host. Blocks are consecutive, the first after the last. */
typedef struct prt_turn {
    int to, from; /* hosts, or PRT_NO_HOST */
    int sent, sent_count, got, got_count;
    bool adds;   /* what it gets to what it has */
    bool shared; /* the other host adds up the same */
} prt_turn;

/* What `host` of `hosts` does in a round, from 0; false: it is over. */
typedef bool prt_schedule(int hosts, int host, int root, int round, prt_turn *turn);

/* One phase or two; `at_once`: all rounds of a phase are started before any has ended. Of exchanges and messages there
 * are no blocks that all ranks have: every rank sends each other what is for it, or, `indirect`, in rounds (prt_bruck).
 */
typedef struct prt_algorithm {
    prt_schedule *phases[2];
    bool at_once;
    bool indirect;
} prt_algorithm;

/* NULL: there is no such row in base/algorithm.def. */
const prt_algorithm *prt_algorithm_of(prt_collective op, const char *name);

/* Of an exchange: in round r a host sends everything that still has to go a distance with bit r on by 2^r. */
prt_schedule prt_bruck;

#endif
