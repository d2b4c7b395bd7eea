/* meeting.c - plays out the messages and collectives of ranks whose control flow differs (verify/meeting.h).
 *
 * Every rank goes through its trace. What it starts is appended to its stream's queue; the head of each queue is
 * active. A message completes when its send and its receive are both active, a collective when it is active on all its
 * ranks, and anything else as soon as it is active: nothing may rely on a message being buffered. An operator without
 * an event blocks the rank until it is done, and so does a wait, whatever stream it is on: the runtime may have no
 * other way. The dataflow proof has shown that the k-th receive gets the k-th send, and that groups call the same
 * collectives.
 *
 * Cycles that arise even if sends never wait are reported earlier, by machine_stuck.c.
 *
 * tests/sim/equality.c damages the conditions of this file one at a time, and every condition counts: a test must
 * notice, or tests/sim/implied.txt must say why none can.
 */
#include "verify/meeting.h"

#include "verify/ranks.h"
#include "verify/table.h"

#include <string.h>

enum { STREAMS = 8 };

typedef struct Rank Rank;

/* An item that was started. */
typedef struct Task {
    const TraceItem *item;
    struct Encounter *encounter;
    bool active, done;
    struct Task *next; /* the next on its stream */
} Task;

/* Identifies the ranks that meet: a message's channel, or a collective's enumerated axes and first rank. */
typedef struct MeetingId {
    int channel; /* -1: no message */
    int from, to;
    AxisMask axes; /* of a collective. `from`: the first of its ranks, or the only one if there are no axes */
} MeetingId;

/* What must come together: the k-th message of a channel, or the k-th collective of a group. */
typedef struct Encounter {
    MeetingId of;
    int64_t number; /* k, among those with the same MeetingId */
    int wanted, active;
    Vec(Task *) tasks;
    struct Encounter *next;
} Encounter;

typedef struct Started {
    MeetingId of;
    int64_t count;
} Started;

struct Rank {
    int index;
    const Trace *trace;
    int at;
    Task *holds; /* the task it is blocked on */
    Task *first[STREAMS], *last[STREAMS];
    Vec(Task *) by_event; /* the most recent start of each event */
    Vec(Started) started;
};

typedef struct Play {
    Ctx *ctx;
    Arena *arena;
    const Traces *traces;
    Rank *ranks;
    Encounter **encounters; /* hashed */
    uint64_t buckets;
    bool moved;
} Play;

Traces traces_new(Arena *arena, const Decls *decls, AxisMask enumerated)
{
    Traces traces = {.decls = decls, .enumerated = enumerated, .count = (int)ranks_along(decls, enumerated)};
    traces.trace = arena_array(arena, Trace, traces.count);
    for (int i = 0; i < traces.count; i++)
        rank_coordinates(decls, enumerated, i, traces.trace[i].coordinate);
    return traces;
}

/* The index of the rank with these coordinates. */
static int rank_index(const Traces *traces, const int64_t *coordinate)
{
    return (int)rank_number(traces->decls, traces->enumerated, coordinate);
}

static bool meeting_equal(const MeetingId *a, const MeetingId *b)
{
    return a->channel == b->channel && a->from == b->from && a->to == b->to && a->axes == b->axes;
}

/* How many such tasks the rank has started before. For messages the rank is always at the same end. */
static int64_t count_started(Play *play, Rank *rank, const MeetingId *of)
{
    for (int i = 0; i < rank->started.count; i++) {
        Started *started = &rank->started.data[i];
        if (meeting_equal(&started->of, of))
            return started->count++;
    }
    Started started = {*of, 1};
    vec_push(play->arena, &rank->started, started);
    return 0;
}

/* Whom the item meets; *wanted: the number of participants. */
static MeetingId meeting_id(const Play *play, const Rank *rank, const TraceItem *item, int *wanted)
{
    int64_t other[STEP_MAX_AXES];
    memcpy(other, rank->trace->coordinate, sizeof other);
    if (op_is_message(item->op->kind)) {
        int axis = 0;
        while (!(item->axes >> axis & 1))
            axis++;
        other[axis] = item->peer;
        int peer = rank_index(play->traces, other);
        bool sends = !op_has_result(item->op->kind);
        *wanted = 2;
        return (MeetingId){item->op->peer.channel, sends ? rank->index : peer, sends ? peer : rank->index, 0};
    }
    *wanted = 1;
    for (int a = 0; a < play->traces->decls->axes.count; a++)
        if (item->axes >> a & 1) {
            other[a] = 0;
            *wanted *= (int)play->traces->decls->axes.data[a].size;
        }
    return (MeetingId){-1, rank_index(play->traces, other), 0, item->axes};
}

static Encounter *encounter_of(Play *play, Rank *rank, const TraceItem *item)
{
    int wanted;
    MeetingId of = meeting_id(play, rank, item, &wanted);
    int64_t number = count_started(play, rank, &of);
    uint64_t hash = hash_mix(hash_mix((uint64_t)of.channel, (uint64_t)of.from), (uint64_t)of.to);
    hash = hash_mix(hash_mix(hash, of.axes), (uint64_t)number);
    Encounter **bucket = &play->encounters[(hash >> 32) % play->buckets];
    for (Encounter *encounter = *bucket; encounter != NULL; encounter = encounter->next)
        if (meeting_equal(&encounter->of, &of) && encounter->number == number)
            return encounter;
    Encounter *encounter = arena_make(play->arena, Encounter);
    encounter->of = of;
    encounter->number = number;
    encounter->wanted = wanted;
    encounter->next = *bucket;
    return *bucket = encounter;
}

static Task *put(Play *play, Rank *rank, const TraceItem *item)
{
    int stream = item->stream < STREAMS ? item->stream : STREAMS - 1;
    Task *task = arena_make(play->arena, Task);
    *task = (Task){.item = item, .encounter = encounter_of(play, rank, item)};
    if (rank->first[stream] == NULL)
        rank->first[stream] = task;
    else
        rank->last[stream]->next = task;
    rank->last[stream] = task;
    vec_push(play->arena, &task->encounter->tasks, task);
    return task;
}

/* The most recent start of the event; NULL if there is none. */
static Task *task_of_event(const Rank *rank, int event)
{
    for (int i = rank->by_event.count - 1; i >= 0; i--)
        if (rank->by_event.data[i]->item->event == event)
            return rank->by_event.data[i];
    return NULL;
}

/* Runs the rank until it blocks. */
static void run_control(Play *play, Rank *rank)
{
    while ((rank->holds == NULL || rank->holds->done) && rank->at < rank->trace->items.count) {
        const TraceItem *item = &rank->trace->items.data[rank->at++];
        play->moved = true;
        rank->holds = NULL;
        if (item->op == NULL) {
            rank->holds = task_of_event(rank, item->event);
            continue;
        }
        Task *task = put(play, rank, item);
        if (item->event < 0) {
            rank->holds = task;
            continue;
        }
        for (int i = 0; i < rank->by_event.count; i++)
            if (rank->by_event.data[i]->item->event == item->event)
                rank->by_event.data[i] = rank->by_event.data[--rank->by_event.count];
        vec_push(play->arena, &rank->by_event, task);
    }
}

static void run_streams(Play *play, Rank *rank)
{
    for (int s = 0; s < STREAMS; s++)
        while (rank->first[s] != NULL) {
            Task *task = rank->first[s];
            if (!task->active) {
                task->active = true;
                Encounter *encounter = task->encounter;
                play->moved = true;
                if (++encounter->active == encounter->wanted)
                    for (int i = 0; i < encounter->tasks.count; i++)
                        encounter->tasks.data[i]->done = true;
            }
            if (!task->done)
                break;
            play->moved = true;
            rank->first[s] = task->next;
        }
}

static const char *name_of(const Play *play, const Rank *rank)
{
    return rank_text(play->arena, play->traces->decls, play->traces->enumerated, rank->trace->coordinate);
}

/* A task that blocks the rank itself or one of its streams. */
static const Task *blocked_task(const Rank *rank)
{
    for (int s = 0; s < STREAMS; s++)
        if (rank->first[s] != NULL)
            return rank->first[s];
    return NULL;
}

static void report(Play *play)
{
    Diagnostic *d = NULL;
    Text circle = {.arena = play->arena};
    for (int i = 0; i < play->traces->count && circle.length < 400; i++) {
        const Rank *rank = &play->ranks[i];
        const Task *task = blocked_task(rank);
        if (task == NULL)
            continue;
        const Op *op = task->item->op;
        if (d == NULL)
            d = diag_report(play->ctx->diag, P0336, op->span, "ranks wait for each other in a cycle");
        else if (circle.length < 100)
            diag_label(d, op->span, "%s waits here", name_of(play, rank));
        text_add(&circle, "%s%s waits in '%s'", circle.length > 0 ? "\n" : "", name_of(play, rank),
                 op_info[op->kind].name);
        if (op_is_message(op->kind))
            text_add(&circle, " for coordinate %lld", (long long)task->item->peer);
    }
    if (d == NULL)
        BUG("ranks that wait for nothing");
    diag_why(d, "A message is done when both its ranks have come to it, and a stream does one thing after another.");
    diag_counter_example(d, "%s", circle.data);
}

void meeting_check(Ctx *ctx, Arena *arena, const Traces *traces)
{
    Play play = {.ctx = ctx, .arena = arena, .traces = traces};
    play.ranks = arena_array(arena, Rank, traces->count);
    play.buckets = 1024;
    for (int i = 0; i < traces->count; i++)
        play.buckets += (uint64_t)traces->trace[i].items.count / 2;
    play.encounters = arena_array(arena, Encounter *, play.buckets);
    for (int i = 0; i < traces->count; i++) {
        play.ranks[i].index = i;
        play.ranks[i].trace = &traces->trace[i];
    }
    do {
        play.moved = false;
        for (int i = 0; i < traces->count; i++) {
            run_control(&play, &play.ranks[i]);
            run_streams(&play, &play.ranks[i]);
        }
    } while (play.moved);
    for (int i = 0; i < traces->count; i++) {
        if (blocked_task(&play.ranks[i]) != NULL) { /* the task it waits for stays in a stream until it is done */
            report(&play);
            return;
        }
    }
}
