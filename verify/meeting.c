/* meeting.c - plays out the messages and collectives of ranks whose control flow differs (verify/meeting.h).
 *
 * Every rank goes through its trace. What it starts is appended to the queues of its stream and of its communicator;
 * what is the head of both is active. A message completes when its send and its receive are both active, a collective
 * when it is active on all its ranks, and anything else as soon as it is active: nothing may rely on a message being
 * buffered. An operator without an event blocks the rank until it is done, and so does a wait, whatever stream it is
 * on: the runtime may have no other way. The dataflow proof has shown that the k-th receive of a channel gets its k-th
 * send, and that groups call the same collectives; a communicator that pairs them differently, because its ranks issue
 * them in different orders, never completes them here.
 *
 * Cycles that arise even if sends never wait are reported earlier, by machine_stuck.c.
 *
 * tests/sim/equality.c damages the conditions of this file one at a time, and every condition counts: a test must
 * notice, or tests/sim/implied.txt must say why none can.
 */
#include "verify/meeting_internal.h"

#include "verify/ranks.h"
#include "verify/table.h"

#include <string.h>

Traces traces_new(Arena *arena, const Program *program, AxisMask enumerated)
{
    const Decls *decls = program->decls;
    Traces traces = {.decls = decls, .enumerated = enumerated, .count = (int)ranks_along(decls, enumerated)};
    traces.communicators = program->communicators.data;
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

/* NULL if the item goes through none. */
static Connection *connection_of(Play *play, Rank *rank, const Task *task)
{
    int communicator = task->item->op->communicator, from = 0, to = 0;
    if (communicator < 0 || !play->issued)
        return NULL;
    if (play->traces->communicators[communicator].edges) {
        from = task->encounter->of.from;
        to = task->encounter->of.to;
    }
    for (int i = 0; i < rank->connections.count; i++) {
        Connection *connection = rank->connections.data[i];
        if (connection->communicator == communicator && connection->from == from && connection->to == to)
            return connection;
    }
    Connection *connection = arena_make(play->arena, Connection);
    *connection = (Connection){communicator, from, to, NULL, NULL};
    vec_push(play->arena, &rank->connections, connection);
    return connection;
}

static void issue(Task *task)
{
    Connection *connection = task->connection;
    if (connection == NULL)
        return;
    if (connection->first == NULL)
        connection->first = task;
    else
        connection->last->next_issued = task;
    connection->last = task;
}

static Task *put(Play *play, Rank *rank, const TraceItem *item)
{
    int stream = item->stream < STREAMS ? item->stream : STREAMS - 1;
    Task *task = arena_make(play->arena, Task);
    *task = (Task){.item = item, .encounter = encounter_of(play, rank, item)};
    task->connection = connection_of(play, rank, task);
    issue(task);
    if (rank->first[stream] == NULL)
        rank->first[stream] = task;
    else
        rank->last[stream]->next = task;
    rank->last[stream] = task;
    vec_push(play->arena, &task->encounter->tasks, task);
    return task;
}

/* Where the most recent start in this slot of an event is; NULL if there is none. */
static Task **task_of_event(const Rank *rank, int at)
{
    for (int i = 0; i < rank->by_event.count; i++)
        if (rank->by_event.data[i]->item->at == at)
            return &rank->by_event.data[i];
    return NULL;
}

static void start(Play *play, Rank *rank, const TraceItem *item)
{
    Task *task = put(play, rank, item), **before = task_of_event(rank, item->at);
    if (item->at < 0)
        rank->holds = task;
    else if (before != NULL)
        *before = task;
    else
        vec_push(play->arena, &rank->by_event, task);
}

/* Begins the items before this one once more, if that is left to do. */
static void go_back(Play *play, Rank *rank, const TraceItem *item)
{
    int index = rank->at - 1;
    bool new = rank->again.count == 0 || rank->again.data[rank->again.count - 1].item != index;
    if (new)
        vec_push(play->arena, &rank->again, ((Again){index, item->again}));
    Again *again = &rank->again.data[rank->again.count - 1];
    if (again->left-- > 0) {
        rank->at = item->from;
        rank->paused = rank->again.count == 1;
    } else {
        rank->again.count--;
    }
}

/* Runs the rank until it blocks, or has gone back in its trace. */
static void run_control(Play *play, Rank *rank)
{
    while ((rank->holds == NULL || rank->holds->done) && rank->at < rank->trace->items.count && !rank->paused) {
        const TraceItem *item = &rank->trace->items.data[rank->at++];
        play->moved = true;
        rank->holds = NULL;
        if (item->op != NULL) {
            start(play, rank, item);
        } else if (item->node != NULL) {
            Task **task = task_of_event(rank, item->at);
            rank->holds = task != NULL ? *task : NULL;
        } else {
            go_back(play, rank, item);
        }
    }
}

/* Has its communicator done everything that was issued before it? */
static bool is_next(const Task *task)
{
    return task->connection == NULL || task->connection->first == task;
}

static void run_streams(Play *play, Rank *rank)
{
    for (int s = 0; s < STREAMS; s++)
        while (rank->first[s] != NULL) {
            Task *task = rank->first[s];
            if (!task->active && is_next(task)) {
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
            if (task->connection != NULL)
                task->connection->first = task->next_issued;
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

/* What every rank waits for, as a list; `skip`: a task that has its own label. */
static const char *waiting_text(Play *play, Diagnostic *d, const Task *skip)
{
    Text circle = {.arena = play->arena};
    int labels = 0;
    for (int i = 0; i < play->traces->count && circle.length < 400; i++) {
        const Rank *rank = &play->ranks[i];
        const Task *task = blocked_task(rank);
        if (task == NULL)
            continue;
        const Op *op = task->item->op;
        if (skip == NULL && labels++ > 0 && circle.length < 100)
            diag_label(d, op->span, "%s waits here", name_of(play, rank));
        text_add(&circle, "%s%s waits in '%s'", circle.length > 0 ? "\n" : "", name_of(play, rank),
                 op_info[op->kind].name);
        if (op_is_message(op->kind))
            text_add(&circle, " for coordinate %lld", (long long)task->item->peer);
    }
    return circle.data;
}

static void report_cycle(Play *play)
{
    const Task *task = NULL;
    for (int i = 0; i < play->traces->count && task == NULL; i++)
        task = blocked_task(&play->ranks[i]);
    if (task == NULL)
        BUG("ranks that wait for nothing");
    Diagnostic *d = diag_report(play->ctx->diag, P0336, task->item->op->span, "ranks wait for each other in a cycle");
    diag_why(d, "A message is done when both its ranks have come to it, and a stream does one thing after another.");
    diag_counter_example(d, "%s", waiting_text(play, d, NULL));
}

/* A task that could begin but for its communicator, where that is with one that its stream has come to. */
static const Task *task_held_up(const Play *play, const Rank **whose)
{
    const Task *found = NULL;
    for (int i = 0; i < play->traces->count; i++)
        for (int s = 0; s < STREAMS; s++) {
            const Task *task = play->ranks[i].first[s];
            if (task == NULL || is_next(task) || (found != NULL && !task->connection->first->active))
                continue;
            found = task;
            *whose = &play->ranks[i];
            if (task->connection->first->active)
                return found;
        }
    return found;
}

static void report_order(Play *play)
{
    const Rank *rank = NULL;
    const Task *task = task_held_up(play, &rank);
    if (task == NULL)
        BUG("communicators that hold nothing up");
    const Op *op = task->item->op, *ahead = task->connection->first->item->op;
    const Communicator *communicator = &play->traces->communicators[op->communicator];
    Diagnostic *d =
        diag_report(play->ctx->diag, P0337, op->span, "'%s' of %s waits behind '%s' on communicator '%s'",
                    op_info[op->kind].name, name_of(play, rank), op_info[ahead->kind].name, communicator->name);
    diag_label(d, ahead->span, "was issued before it, and waits for a rank that waits in turn");
    diag_why(d, "A communicator does one thing after another, in the order in which each rank issues it, whatever "
                "streams they are on; here these orders wait for each other.");
    diag_help(d,
              "Put them on different communicators. In a program that declares none, every directed edge and channel "
              "has its own.");
    diag_counter_example(d, "%s", waiting_text(play, d, task));
}

/* Plays until no rank continues, each of them no further than once around; false if none has to continue after that. */
static bool play_round(Play *play)
{
    bool more = false;
    for (int i = 0; i < play->traces->count; i++)
        play->ranks[i].paused = false;
    do {
        play->moved = false;
        for (int i = 0; i < play->traces->count; i++) {
            run_control(play, &play->ranks[i]);
            run_streams(play, &play->ranks[i]);
        }
    } while (play->moved);
    for (int i = 0; i < play->traces->count; i++)
        more |= play->ranks[i].paused;
    return more;
}

/* Plays to the end; false if some ranks do not get there. */
static bool play_ends(Play *play)
{
    const Traces *traces = play->traces;
    play->ranks = arena_array(play->arena, Rank, traces->count);
    play->keep_at = 1;
    play->buckets = 1024;
    for (int i = 0; i < traces->count; i++)
        play->buckets += (uint64_t)traces->trace[i].items.count / 2;
    play->encounters = arena_array(play->arena, Encounter *, play->buckets);
    for (int i = 0; i < traces->count; i++) {
        play->ranks[i].index = i;
        play->ranks[i].trace = &traces->trace[i];
    }
    while (play_round(play))
        meeting_skip(play);
    for (int i = 0; i < traces->count; i++)
        if (blocked_task(&play->ranks[i]) != NULL) /* the task it waits for stays in a stream until it is done */
            return false;
    return true;
}

void meeting_check(Ctx *ctx, Arena *arena, const Traces *traces)
{
    Play play = {.ctx = ctx, .arena = arena, .traces = traces, .issued = true};
    if (play_ends(&play))
        return;
    Play unordered = {.ctx = ctx, .arena = arena, .traces = traces};
    if (play_ends(&unordered))
        report_order(&play);
    else
        report_cycle(&unordered);
}
