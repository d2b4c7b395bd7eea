/* arc.h - parts and pieces of other coordinates than the rank's own, on one axis. */
#ifndef PLACE_VERIFY_ARC_H
#define PLACE_VERIFY_ARC_H

#include "verify/cuts.h"

/* Which parts a rank holds of those that the coordinates of one axis have: the rank with coordinate c holds parts c +
 * first .. c + first + count - 1, modulo the axis' size. Count 0: only its own. */
typedef struct Arc {
    int axis;
    int32_t size, first, count;
} Arc;

/* The arc or turn in normal form. */
Arc arc_make(int axis, int64_t size, int64_t first, int64_t count);
/* The arc of the ranks that `turn` selects, as seen from this rank. */
Arc arc_moved(Arc arc, Arc turn);
static inline bool arc_equal(Arc a, Arc b)
{
    return a.count == b.count && (a.count == 0 || (a.axis == b.axis && a.first == b.first));
}
/* Normal form: joins b to a if b's parts follow a's directly; false otherwise. */
bool arc_join(Arc *a, Arc b);

#endif
