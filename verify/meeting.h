/* meeting.h - do ranks that wait for each other ever go on? (verify/meeting.c) */
#ifndef PLACE_VERIFY_MEETING_H
#define PLACE_VERIFY_MEETING_H

#include "verify/value.h"

/* A message or collective that ranks start, or a wait for an event. */
typedef struct TraceItem {
    const Op *op; /* NULL: a wait, */
    const Node *node;
    AxisMask axes; /* enumerated ones that it goes over */
    int64_t peer;  /* SEND, RECV: the coordinate */
    int event, stream;
} TraceItem;

/* What the ranks with these coordinates on enumerated axes do together with others, in their order. */
typedef struct Trace {
    int64_t coordinate[STEP_MAX_AXES];
    Vec(TraceItem) items;
} Trace;

typedef struct Traces {
    const Decls *decls;
    AxisMask enumerated;
    int count;
    Trace *trace; /* the last axis innermost */
} Traces;

Traces traces_new(Arena *arena, const Decls *decls, AxisMask enumerated);

/* Plays them out: a message or collective is done when all its ranks have come to it, streams do one thing after
 * another. Reports P0336 where ranks wait in a circle. */
void meeting_check(Ctx *ctx, Arena *arena, const Traces *traces);

#endif
