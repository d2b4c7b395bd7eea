/* places.h - what the deriver asks of placements (algebra/placement.h), axis by axis; sets of axes.
 *
 *     Placement place = facts_whole(facts, ref);
 *     facts_place(facts, ref, &place, tensor, 1);         // sharded along dim 1 over the axis `tensor`
 *     AxisSet summed = place_axes(&place, ON_PARTIAL);
 */
#ifndef PLACE_DERIVE_PLACES_H
#define PLACE_DERIVE_PLACES_H

#include "algebra/placement.h"

/* A placement on one axis as a number: sharded by a dim (its number), or one of these. Several axes that shard one dim
 * nest in the order of the mesh, inside the microbatches. */
enum { ON_WHOLE = -1, ON_PARTIAL = -2, ON_ANY = -3 };

int place_on(OnAxis on);
static inline int place_at(const Placement *p, int axis)
{
    return p->axis[axis].kind == PLACED_REPLICATED ? ON_WHOLE : place_on(p->axis[axis]);
}
/* `op`: of a partial value. */
OnAxis place_of(int on, PartialOp op);
/* The axes whose placement is `on`: ON_PARTIAL, ON_WHOLE, or a dim that they shard (outermost first). */
AxisSet place_axes(const Placement *p, int on);
/* The bytes that a rank has of a value of `whole` bytes in this placement, not counting a cut over axis `but`. */
double place_bytes(const Decls *decls, double whole, const Placement *p, int but);
/* What a rank sends on one axis to convert a value of `bytes`; INFINITY if there is no such conversion. */
double place_cost_on(const Decls *decls, int axis, int from, int to, double bytes);

/* In the order of the mesh. */
AxisSet axes_union(const Decls *decls, AxisSet set, AxisSet other);
AxisSet axes_without(AxisSet set, AxisSet removed);
AxisSet axes_common(AxisSet set, AxisSet other);
bool axes_equal(AxisSet x, AxisSet y);
int64_t axes_size(const Decls *decls, AxisSet set);
AxisSet axes_larger_than_one(const Decls *decls, AxisSet set);
static inline AxisSet axes_one(int axis)
{
    return (AxisSet){1, {(int8_t)axis}};
}
/* "data" or "node_data": for names of buffers. */
const char *axes_name(Arena *arena, const Decls *decls, AxisSet set);
/* "data, other": for messages. */
const char *axes_words(Arena *arena, const Decls *decls, AxisSet set);

#endif
