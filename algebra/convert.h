/* convert.h - the conversion of a value from one placement to another: the one planner of conversions.
 *
 * A conversion is a few steps, each one collective over one axis or over several at once (as one axis of their
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
 * rounded up to equal parts. Only the innermost cuts of a dim move: the outer ones have no contiguous collective.
 *
 * First comes what shrinks the value, then what moves it, then what enlarges it; of a few routes of this kind, which
 * differ in what they do where cuts are in each other's way, the one that sends least is taken, and the deriver's own
 * order among equals (docs/algebra.md, section 3). Routes are in convert.c, prices of steps in convert_step.c. It takes
 * microseconds and no memory, and is called for every operand.
 *
 *     Mesh mesh = mesh_of(decls);
 *     ConvertLimits limits = {.kinds = CONVERT_EMITTED, .in_order = true};
 *     Conversion c;
 *     if (!convert(&mesh, sizes, &from, &to, &limits, &c))
 *         ... // no conversion leads there
 *     for (int i = 0; i < c.count; i++)
 *         emit(c.step[i].kind, c.step[i].axes, &c.step[i].after); // each starts where the one before it ends
 *
 * Placements whose cuts nest in the order of the mesh are made with placement_set_in_order. A partial value is stored
 * like a whole one (placement_layout), so a step between two placements of one layout can be done in place. The op of a
 * reduction is that of its axes before the step. CONVERT_PAD puts shards over all its axes in their places among zeros,
 * or whatever does not change the op: `fill` and `place_shard`.
 *
 * For a choice between signatures, axis by axis, convert_price_on has the price of one axis alone: of a direct step, in
 * the unit of `whole`, for instance bytes.
 */
#ifndef PLACE_ALGEBRA_CONVERT_H
#define PLACE_ALGEBRA_CONVERT_H

#include "algebra/placement.h"

typedef enum ConvertKind {
    CONVERT_SLICE,
    CONVERT_MASK,
    CONVERT_PAD, /* in their places among what does not change the op: zeros, for a sum */
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

/* Sets of kinds: all, and those for which there are operators in step programs. */
enum {
    CONVERT_ALL = (1 << (CONVERT_SEND + 1)) - 1,
    CONVERT_EMITTED = 1 << CONVERT_SLICE | 1 << CONVERT_PAD | 1 << CONVERT_ALL_GATHER | 1 << CONVERT_REDUCE_SCATTER |
                      1 << CONVERT_ALL_REDUCE | 1 << CONVERT_ALL_TO_ALL,
};

enum { CONVERT_MAX_STEPS = 32 };

typedef struct ConvertStep {
    ConvertKind kind;
    bool collective; /* false: nothing is sent */
    AxisSet axes;    /* outer to inner */
    Placement after;
    int64_t elements; /* that the busiest rank sends or receives */
} ConvertStep;

typedef struct Conversion {
    int count;
    ConvertStep step[CONVERT_MAX_STEPS]; /* those beyond the count are not set */
    int64_t elements;                    /* of all steps */
    int collectives;
} Conversion;

/* What a conversion may do: steps of these kinds (a set of 1 << CONVERT_X), and on these axes (a set of 1 << axis)
 * nothing but slices. A maximum that must not be reduced into shards is one without CONVERT_REDUCE_SCATTER; an axis on
 * which explicit syncs replace all conversions is one of slices only. */
typedef struct ConvertLimits {
    unsigned kinds, slices_only;
    bool in_order; /* the cuts of a dim nest in the order of the mesh, after every step */
} ConvertLimits;

extern const ConvertLimits convert_unlimited;

/* False if there is none within the limits; of varying values there is none. `sizes`: of the dims, unsharded. */
bool convert(const Mesh *mesh, const int64_t *sizes, const Placement *from, const Placement *to,
             const ConvertLimits *limits, Conversion *conversion);

/* What the busiest of n ranks sends or receives in a step of this kind, if the value has `whole` elements (or bytes)
 * where no axis of the step cuts it. */
double convert_price(ConvertKind kind, int64_t ranks, double whole);

/* The step that leads from one placement on an axis to another, no matter what the other axes do; -1 if there is none
 * (partial by one op to partial by another). */
int convert_kind_on(OnAxis from, OnAxis to);

/* The price of that step over an axis of n ranks; 0 if nothing changes, INFINITY if there is none within the limits. */
double convert_price_on(int64_t ranks, OnAxis from, OnAxis to, unsigned kinds, double whole);

/* ---- Steps -------------------------------------------------------------------------------------------------- */

/* A step from `before`, with its price. */
ConvertStep convert_step(const Mesh *mesh, const int64_t *sizes, ConvertKind kind, AxisSet axes,
                         const Placement *before, const Placement *after);

/* Do the ranges of a flat placement nest in those of another, or both have the same cuts? Ranges nest only if they are
 * equally long without padding. Other placements always do. */
bool convert_flat_nests(const Mesh *mesh, const int64_t *sizes, const Placement *x, const Placement *y);

const char *convert_kind_name(ConvertKind kind);
/* "all_gather over data -> tensor: sharded(1)" */
const char *convert_step_print(Arena *arena, const Mesh *mesh, const ConvertStep *step, const char *const *dim_names);

#endif
