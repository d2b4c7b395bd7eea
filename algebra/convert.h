/* convert.h - the cheapest conversion from one placement to another.
 *
 * A conversion is a path of steps, each one collective over one axis or over several at once (as one axis of their
 * product), or local work. Over n ranks of a tensor whose local value has T elements (R replicated, S sharded, P
 * partial, A at a coordinate), the busiest rank sends or receives
 *
 *     slice R>S, mask R>P, pad S>P A>P, retag R>P(avg,max,min), scale P(sum)>P(avg), drop R>A      0
 *     all_gather S>R, reduce_scatter P>S                                                (n-1)/n T
 *     all_reduce P>R                                                                   2(n-1)/n T
 *     all_to_all S(i)>S(j)                                                              (n-1)/n of its shard
 *     reorder: the axes that cut a dim, in another order                                its shard
 *     scatter A>S, gather S>A (n-1)/n T;  broadcast A>R, reduce P>A, send A>A                     T
 *
 * rounded up to equal parts. Only the innermost cuts of a dim move: the outer ones have no contiguous collective. The
 * cheapest path has the fewest elements, then the fewest collectives, then the fewest steps. It touches only axes that
 * differ, and those that cut inside one that does. One or two such axes take microseconds, five take a second.
 *
 *     Conversion c;
 *     if (convert(arena, &mesh, sizes, &from, &to, &c)) bytes = c.elements * dtype_bytes(dtype);
 */
#ifndef PLACE_ALGEBRA_CONVERT_H
#define PLACE_ALGEBRA_CONVERT_H

#include "algebra/placement.h"

typedef enum ConvertKind {
    CONVERT_SLICE,
    CONVERT_MASK,
    CONVERT_PAD,
    CONVERT_RETAG,
    CONVERT_SCALE,
    CONVERT_DROP,
    CONVERT_ALL_GATHER,
    CONVERT_REDUCE_SCATTER,
    CONVERT_ALL_REDUCE,
    CONVERT_ALL_TO_ALL,
    CONVERT_REORDER,
    CONVERT_SCATTER,
    CONVERT_GATHER,
    CONVERT_BROADCAST,
    CONVERT_REDUCE,
    CONVERT_SEND
} ConvertKind;

typedef struct ConvertStep {
    ConvertKind kind;
    int axis_count;
    int8_t axis[STEP_MAX_AXES]; /* outer to inner */
    Placement before, after;
    int64_t elements; /* of the busiest rank */
    bool collective;
} ConvertStep;

typedef Vec(ConvertStep) ConvertSteps;

typedef struct Conversion {
    ConvertSteps steps;
    int64_t elements; /* of all steps */
    int collectives;
} Conversion;

/* Is conversion x less work than y? */
bool conversion_less(const Conversion *x, const Conversion *y);

/* Every step that starts at `from` and moves only these axes (as bits), with coordinates and partial ops as in `to`.
 * The edges of the search. */
ConvertSteps convert_steps(Arena *arena, const Mesh *mesh, const int64_t *sizes, const Placement *from,
                           const Placement *to, unsigned axes);

/* The axes that a conversion touches. */
unsigned convert_axes(const Placement *from, const Placement *to);

/* False if there is no path: to and from varying values. */
bool convert(Arena *arena, const Mesh *mesh, const int64_t *sizes, const Placement *from, const Placement *to,
             Conversion *conversion);

const char *convert_kind_name(ConvertKind kind);
/* "all_gather over data -> tensor: sharded(1)" */
const char *convert_step_print(Arena *arena, const Mesh *mesh, const ConvertStep *step, const char *const *dim_names);

/* ---- Between two meshes ------------------------------------------------------------------------------------- */

/* From the ranks of one mesh to those of a disjoint one: first within the source, until nothing is partial; then every
 * element crosses once per copy that the target receives; then within the target. */
typedef struct Crossing {
    Conversion before, after;
    Placement sent, received;
    int64_t elements; /* elements that cross, over all ranks */
    int64_t busiest;  /* elements that the busiest rank of either side sends or receives */
} Crossing;

/* Minimises the elements that cross, then the work within the meshes. */
bool convert_across(Arena *arena, const Mesh *source, const Placement *from, const Mesh *target, const Placement *to,
                    const int64_t *sizes, Crossing *crossing);

#endif
