/* meeting_repeat.c - rounds of the play that are like those before are not played.
 *
 * In a round, every rank goes around once in a part of its trace that comes again and again, unless something holds it.
 * The state after some rounds is kept: where every rank is, and what is still in its queues. If a later round ends in
 * that state, the rounds from one to the other come again and again, until a rank that goes around in it has done so
 * often enough: until then, rounds do nothing but count. How often ranks still go around and the numbers of meetings
 * are not in the state; everything else follows (docs/semantics.md 8.7).
 *
 * tests/sim/equality.c damages the conditions of this file one at a time, and every condition counts: a test must
 * notice, or tests/sim/implied.txt must say why none can.
 */
#include "verify/meeting_internal.h"

#include <string.h>

static void note(const Play *play, Rank *rank, int64_t number)
{
    vec_push(play->arena, &rank->state, number);
}

static void note_state(const Play *play, Rank *rank)
{
    note(play, rank, rank->at);
    note(play, rank, rank->again.count);
    for (int i = 0; i < rank->again.count; i++) {
        note(play, rank, rank->again.data[i].item);
        note(play, rank, i > 0 ? rank->again.data[i].left : 0);
    }
    for (int s = 0; s < STREAMS; s++)
        for (const Task *task = rank->first[s]; task != NULL; task = task->next)
            note(play, rank, task->item - rank->trace->items.data);
}

static bool is_back(const Rank *rank)
{
    return rank->state.count == rank->kept.count &&
           memcmp(rank->state.data, rank->kept.data, sizeof(int64_t) * (size_t)rank->kept.count) == 0;
}

/* How often the rank still goes around. */
static int64_t left_of(const Rank *rank)
{
    return rank->again.count > 0 ? rank->again.data[0].left : 0;
}

/* Keeps this state, after 1, 2, 4, 8 ... rounds: in the end the one kept comes again if any does. */
static void keep(Play *play)
{
    play->keep_at *= 2;
    for (int i = 0; i < play->traces->count; i++) {
        Rank *rank = &play->ranks[i];
        RankState kept = rank->kept;
        rank->kept = rank->state;
        rank->state = kept;
        rank->kept_left = left_of(rank);
    }
}

void meeting_skip(Play *play)
{
    int64_t times = INT64_MAX;
    for (int i = 0; i < play->traces->count; i++) {
        Rank *rank = &play->ranks[i];
        rank->state.count = 0;
        note_state(play, rank);
        int64_t around = rank->kept_left - left_of(rank);
        if (!is_back(rank))
            times = 0;
        if (around > 0 && left_of(rank) / around < times)
            times = left_of(rank) / around;
    }
    for (int i = 0; i < play->traces->count && times > 0; i++) {
        Rank *rank = &play->ranks[i];
        if (rank->again.count > 0)
            rank->again.data[0].left -= times * (rank->kept_left - left_of(rank));
    }
    if (++play->rounds == play->keep_at || times > 0)
        keep(play);
}
