/* placement.h - where a tensor is, on every axis of a mesh (docs/algebra.md).
 *
 * What a placement means: every rank holds a local value x; over one axis of size n, the others held fixed, the logical
 * tensor T is
 *
 * - replicated: all x_i are T;
 * - sharded(d): x_i is part i of T, cut balanced along dim d; several axes may cut one dim, outer to inner: the inner
 *   one cuts each piece of the outer;
 * - partial(op): sum: x_0 + ... + x_{n-1} = T; avg: that sum divided by n; max, min: the elementwise one is T;
 * - at(k): x_k is T, the others hold nothing;
 * - varying: there is no logical value except as a declared operator defines it.
 *
 * Partial on several axes means one op over all of them (sum and avg may mix, as they commute). A replicated value is
 * also partial(avg), partial(max) and partial(min), never partial(sum).
 *
 * A unit (step.h) has one dim, its flat range: there `flat` is set, and the cut is into equal ranges of ceil(elements /
 * parts) over all cutting axes together, the last one padded.
 *
 * A mesh may have derived axes, each of which stands for an ordered list of its finest axes: data = expert_data x
 * expert. A placement only has the finest ones; a placement on a derived axis applies to its list.
 *
 *     Placement p;
 *     placement_read(&mesh, "data: sharded(batch), tensor: partial(sum)", dim_names, 2, &p);
 *     placement_print(arena, &mesh, &p, dim_names);
 */
#ifndef PLACE_ALGEBRA_PLACEMENT_H
#define PLACE_ALGEBRA_PLACEMENT_H

#include "step/step.h"

enum { MESH_MAX_DERIVED = 4 };

typedef struct MeshAxis {
    const char *name;
    int64_t size;
} MeshAxis;

typedef struct DerivedAxis {
    const char *name;
    int count;
    int8_t axis[STEP_MAX_AXES]; /* outer to inner */
} DerivedAxis;

typedef struct Mesh {
    int axis_count, derived_count;
    MeshAxis axis[STEP_MAX_AXES];
    DerivedAxis derived[MESH_MAX_DERIVED];
} Mesh;

/* The mesh of a program, without derived axes. */
Mesh mesh_of(const Decls *decls);
int64_t mesh_ranks(const Mesh *mesh);

typedef enum PlacedKind { PLACED_REPLICATED, PLACED_SHARDED, PLACED_PARTIAL, PLACED_AT, PLACED_VARYING } PlacedKind;
typedef enum PartialOp { PARTIAL_SUM, PARTIAL_AVG, PARTIAL_MAX, PARTIAL_MIN, PARTIAL_COUNT } PartialOp;

/* On one axis. Fields that the kind does not use are 0. */
typedef struct OnAxis {
    int8_t kind;        /* a PlacedKind */
    int8_t op;          /* PARTIAL: a PartialOp */
    int8_t dim;         /* SHARDED */
    int32_t coordinate; /* AT; -1 in a signature: any coordinate, the same for all operands that are at one */
} OnAxis;

/* Small, because the deriver has one for every operand of every operator. The cuts of a dim outer to inner; what is
 * beyond their count is 0. */
typedef struct Placement {
    bool flat;
    int8_t axis_count, dim_count;
    int8_t cut_count[STEP_MAX_DIMS];
    int8_t cut[STEP_MAX_DIMS][STEP_MAX_AXES];
    OnAxis axis[STEP_MAX_AXES];
} Placement;

_Static_assert(sizeof(Placement) <= 128, "a placement is copied often");

static inline OnAxis on_replicated(void)
{
    return (OnAxis){.kind = PLACED_REPLICATED};
}
static inline OnAxis on_sharded(int dim)
{
    return (OnAxis){.kind = PLACED_SHARDED, .dim = (int8_t)dim};
}
static inline OnAxis on_partial(PartialOp op)
{
    return (OnAxis){.kind = PLACED_PARTIAL, .op = (int8_t)op};
}
static inline OnAxis on_coordinate(int32_t coordinate)
{
    return (OnAxis){.kind = PLACED_AT, .coordinate = coordinate};
}
static inline bool on_axis_equal(OnAxis x, OnAxis y)
{
    return x.kind == y.kind && x.op == y.op && x.dim == y.dim && x.coordinate == y.coordinate;
}

/* Replicated everywhere. */
Placement placement_replicated(const Mesh *mesh, int dim_count);
/* Sets one axis; a shard becomes the innermost cut of its dim. */
void placement_set(Placement *p, int axis, OnAxis on);
/* The same, where the axes that cut a dim nest in the order of the mesh. */
void placement_set_in_order(Placement *p, int axis, OnAxis on);
bool placement_equal(const Placement *x, const Placement *y);

/* The dim that an axis cuts; -1: none. */
static inline int placement_dim_on(const Placement *p, int axis)
{
    return p->axis[axis].kind == PLACED_SHARDED ? p->axis[axis].dim : -1;
}
/* The axes on which it is of a kind, in the order of the mesh; the cuts of a dim, outer to inner: all, or without the
 * outermost ones. */
AxisSet placement_axes_of(const Placement *p, PlacedKind kind);
AxisSet placement_cuts(const Placement *p, int dim);
AxisSet placement_cuts_inside(const Placement *p, int dim, int outermost);
/* How a rank stores it: a partial value takes the room of a whole one. */
Placement placement_layout(Placement p);

/* NULL, or why this is not a placement of a tensor with these dims: mixed partial ops, a coordinate outside its axis,
 * an axis that cuts twice. */
const char *placement_fault(const Mesh *mesh, const Placement *p);

/* ---- Extents ------------------------------------------------------------------------------------------------ */

/* The extent of a dim of `size` on the rank with these coordinates, and where it starts; 0 if the value is at another
 * coordinate. Includes the padding of a flat cut. */
int64_t placement_extent(const Mesh *mesh, const Placement *p, int dim, int64_t size, const int64_t *coordinates,
                         int64_t *start);

/* Elements on the rank with the most. */
int64_t placement_elements(const Mesh *mesh, const Placement *p, const int64_t *sizes);
int64_t placement_elements_at(const Mesh *mesh, const Placement *p, const int64_t *sizes, const int64_t *coordinates);

/* Are all shards of the dim equally large? */
bool placement_even(const Mesh *mesh, const Placement *p, int dim, int64_t size);

/* ---- Text --------------------------------------------------------------------------------------------------- */

/* "data: sharded(batch), tensor: partial(sum)"; axes in mesh order, except that those that cut one dim go outer to
 * inner; "replicated" if no axis is anything else. Without names, dims are numbers. */
const char *placement_print(Arena *arena, const Mesh *mesh, const Placement *p, const char *const *dim_names);
const char *on_axis_print(Arena *arena, OnAxis on, const char *const *dim_names);
const char *partial_op_name(PartialOp op);
/* Sums and averages commute; a local factor turns one into the other. */
static inline bool partial_op_is_linear(int op)
{
    return op == PARTIAL_SUM || op == PARTIAL_AVG;
}

/* Parses that text; axes may be derived, those not named are replicated; a single dim named "flat" makes it flat. NULL,
 * or what is wrong with the text. */
const char *placement_read(Arena *arena, const Mesh *mesh, const char *text, const char *const *dim_names,
                           int dim_count, Placement *p);

#endif
