/* meeting_internal.h - between the files of the play: what every rank has started, and what it waits for. */
#ifndef PLACE_VERIFY_MEETING_INTERNAL_H
#define PLACE_VERIFY_MEETING_INTERNAL_H

#include "verify/meeting.h"

enum { STREAMS = 8 };

typedef struct Rank Rank;
typedef struct Task Task;

/* One of a rank's communicators: that of its group, or of an edge that it is an end of. */
typedef struct Connection {
    int communicator, from, to; /* not an edge: 0, 0 */
    Task *first, *last;         /* issued and not done */
} Connection;

/* An item that was started. */
struct Task {
    const TraceItem *item;
    struct Encounter *encounter;
    Connection *connection; /* NULL: it has none, or their order does not count */
    bool active, done;
    Task *next, *next_issued; /* on its stream, on its communicator */
};

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

/* Items of a trace that are being gone through again. */
typedef struct Again {
    int item;     /* the one that says so */
    int64_t left; /* how many times more, after this one */
} Again;

/* What decides how a rank continues (meeting_repeat.c). */
typedef Vec(int64_t) RankState;

struct Rank {
    int index;
    const Trace *trace;
    int at;
    Vec(Again) again; /* innermost last */
    bool paused;      /* it has begun the outermost of these once more, and continues in the next round */
    Task *holds;      /* the task it is blocked on */
    Task *first[STREAMS], *last[STREAMS];
    Vec(Task *) by_event; /* the most recent start in each slot of an event */
    Vec(Started) started;
    Vec(Connection *) connections;
    RankState state, kept; /* after this round, and after one before, */
    int64_t kept_left;     /* when it was still to go around so often */
};

typedef struct Play {
    Ctx *ctx;
    Arena *arena;
    const Traces *traces;
    Rank *ranks;
    Encounter **encounters; /* hashed */
    uint64_t buckets;
    bool issued; /* do communicators complete things in the order of their issue? */
    bool moved;
    int64_t rounds, keep_at; /* rounds played, and after how many the state is kept */
} Play;

/* ---- meeting_repeat.c --------------------------------------------------------------------------------------- */

/* After a round: leaves out those that follow, if they are like those before. */
void meeting_skip(Play *play);

#endif
