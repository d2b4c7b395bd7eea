/* live.h - which buffers are live at which points of a program; used only to place buffers in the arena.
 *
 * A point is an operator. Inside a loop a buffer is live at every point at which any iteration needs its contents: a
 * value that the next iteration reads is live through the whole body. The operands and the result of an operation that
 * was only started are live until the wait.
 */
#ifndef PLACE_LOWER_LIVE_H
#define PLACE_LOWER_LIVE_H

#include "step/step.h"

typedef uint64_t LiveWord; /* a set of buffers, one bit each */

/* Points from `first` to `last`. */
typedef struct LiveSpan {
    int first, last;
} LiveSpan;
typedef Vec(LiveSpan) LiveSpans;

typedef struct Liveness {
    Ctx *ctx;
    const Program *program;
    int buffer_words, point_count;
    LiveSpans *at;        /* per buffer: the spans in which it is live, in order, with points between them */
    NodeList *starts;     /* per event: the operators that start it */
    struct LiveUse *uses; /* scratch, per buffer */
    /* While it is found: the point that was reached last, the buffers live there, and per such buffer since which
     * point, the last of its span; a set to work with. */
    int point, *since;
    LiveWord *marked, *here;
} Liveness;

Liveness *live_find(Ctx *ctx, const Program *program);

/* Does it overwrite a whole slot, instead of adding to it? */
static inline bool live_defines_slot(const Op *op)
{
    return !op->accumulate && op->out.member < 0;
}

#endif
