/* places.h - where a dense value is: its placement on every axis; sets of axes.
 *
 *     Place place = place_whole();
 *     place.on[tensor] = 1;                          // sharded along dim 1 over the axis `tensor`
 *     AxisSet summed = place_axes(decls, &place, ON_PARTIAL);
 */
#ifndef PLACE_DERIVE_PLACES_H
#define PLACE_DERIVE_PLACES_H

#include "algebra/placement.h"

/* The placement of a dense value on one axis: sharded by a dim (its number), or one of these. Several axes that shard
 * one dim nest in the order of the mesh, inside the microbatches. */
enum { ON_WHOLE = -1, ON_PARTIAL = -2, ON_ANY = -3 };

typedef struct Place {
    int8_t on[STEP_MAX_AXES];
} Place;

/* A placement of the algebra, on one axis. */
int place_on(OnAxis on);
Place place_whole(void);
bool place_equal(const Place *x, const Place *y);
/* The placement of the whole value where this one is a part of a sum: both have the same shape on a rank. */
Place place_layout(Place place);
/* The axes whose placement is `on`: ON_PARTIAL, ON_WHOLE, or a dim that they shard (outermost first). */
AxisSet place_axes(const Decls *decls, const Place *place, int on);
/* The bytes that a rank has of a value in this placement, not counting a cut over axis `but`. */
double place_bytes(const Decls *decls, const Buffer *buffer, const Place *place, int but);
/* What a rank sends on one axis to convert a value of `bytes`; INFINITY if there is no such conversion. */
double place_cost_on(const Decls *decls, int axis, int from, int to, double bytes);
double place_cost(const Decls *decls, const Buffer *buffer, const Place *from, const Place *to);

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
