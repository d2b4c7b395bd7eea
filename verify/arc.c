/* arc.c - arithmetic of arcs, modulo the size of their axis (verify/arc.h). */
#include "verify/arc.h"

/* Normal form: a rank's own part is no arc, and arcs begin within the axis. */
Arc arc_make(int axis, int64_t size, int64_t first, int64_t count)
{
    first = (first % size + size) % size;
    return first == 0 && count == 1 ? (Arc){0} : (Arc){axis, (int32_t)size, (int32_t)first, (int32_t)count};
}

Arc arc_moved(Arc arc, Arc turn)
{
    if (turn.count == 0)
        return arc;
    return arc_make(turn.axis, turn.size, (int64_t)arc.first + turn.first, arc.count > 0 ? arc.count : 1);
}

/* Normal form: joins b to a if b's parts follow a's directly; false otherwise. */
bool arc_join(Arc *a, Arc b)
{
    Arc known = a->count > 0 ? *a : b;
    int64_t count = a->count > 0 ? a->count : 1, more = b.count > 0 ? b.count : 1;
    if ((b.count > 0 && b.axis != known.axis) || (a->first + count) % known.size != b.first ||
        count + more > known.size)
        return false;
    *a = (Arc){known.axis, known.size, a->first, (int32_t)(count + more)};
    return true;
}
