/* cuts.h - axes as bits, moments on the time axis, and what divides an index.
 *
 * Time, the loop over microbatches, is one more axis after those of the mesh.
 */
#ifndef PLACE_VERIFY_CUTS_H
#define PLACE_VERIFY_CUTS_H

#include "step/step.h"

/* Axes as bits, one more than the mesh has: time, the microbatch axis. */
enum { TIME_BIT = STEP_MAX_AXES };
#define TIME_MASK ((AxisMask)1 << TIME_BIT)
/* In a term's mask: the maximum of the parts is the value, not their sum. */
#define MAX_MASK ((AxisMask)2 << TIME_BIT)
/* The mesh's axes. */
#define MESH_MASK (((AxisMask)1 << STEP_MAX_AXES) - 1)

/* coefficient * v + constant, where v is the microbatch loop's variable, known to whoever holds the combination. */
typedef struct Time {
    int32_t coefficient, constant;
} Time;

static inline Time time_at(int32_t constant)
{
    return (Time){0, constant};
}

static inline bool time_equal(Time a, Time b)
{
    return a.coefficient == b.coefficient && a.constant == b.constant;
}

/* The axes that divide an index, outermost first, except those of size 1. */
typedef struct Cuts {
    int count;
    const Segments *segments;                   /* of a fused dim that is cut: so is each of these; else NULL */
    int8_t axis[STEP_MAX_CUTS + STEP_MAX_AXES]; /* an axis, or TIME_BIT */
} Cuts;

static inline bool cuts_equal(const Cuts *a, const Cuts *b)
{
    if (a->count != b->count || !segments_equal(a->segments, b->segments))
        return false;
    for (int i = 0; i < a->count; i++)
        if (a->axis[i] != b->axis[i])
            return false;
    return true;
}

static inline AxisMask cuts_mask(const Cuts *cuts)
{
    AxisMask mask = 0;
    for (int i = 0; i < cuts->count; i++)
        mask |= (AxisMask)1 << cuts->axis[i];
    return mask;
}

/* Is `inner` `outer` with further cuts, all innermost and over exactly the axes `over`? Takes these out of *over. */
bool cuts_extend(const Cuts *outer, const Cuts *inner, AxisMask *over);
bool cuts_differ_by(const Cuts *a, const Cuts *b, AxisMask over);
/* "data", or "node and data". */
const char *axes_text(Arena *arena, const Decls *decls, AxisMask axes);

#endif
