/* meeting.h - do ranks that wait for each other ever continue? (verify/meeting.c) */
#ifndef PLACE_VERIFY_MEETING_H
#define PLACE_VERIFY_MEETING_H

#include "verify/cuts.h"

/* A message or collective that ranks start, a wait for an event, or: some items before it once more. */
typedef struct TraceItem {
    const Op *op;     /* NULL: a wait, */
    const Node *node; /* NULL: items `from` up to this one come `again` times more */
    int64_t again;
    int from;
    AxisMask axes; /* the enumerated axes it goes over */
    int64_t peer;  /* SEND, RECV: the peer's coordinate */
    int at;        /* the slot of its event (event_at); -1: it is complete before the rank continues */
    int stream;
} TraceItem;

/* What the ranks with these coordinates on the enumerated axes do together with others, in order. */
typedef struct Trace {
    int64_t coordinate[STEP_MAX_AXES];
    Vec(TraceItem) items;
} Trace;

typedef struct Traces {
    const Decls *decls;
    const Communicator *communicators; /* the program's */
    AxisMask enumerated;
    int count;
    Trace *trace; /* the last axis innermost */
} Traces;

Traces traces_new(Arena *arena, const Program *program, AxisMask enumerated);

/* Plays the traces: a message or collective completes when all its ranks have reached it, and a stream does one thing
 * after another, and so does a communicator. Reports where ranks wait for each other in a cycle: P0337 if they would
 * not without communicators, else P0336. */
void meeting_check(Ctx *ctx, Arena *arena, const Traces *traces);

#endif
