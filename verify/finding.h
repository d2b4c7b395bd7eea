/* finding.h - where a value first differs from one device's, and how.
 *
 * Two combinations are compared term by term. Where each has one unmatched term and both were made by the same
 * operator, the search continues in the operand that differs. So a wrong norm is found below the clipping factor, and a
 * wrong read below everything.
 */
#ifndef PLACE_VERIFY_FINDING_H
#define PLACE_VERIFY_FINDING_H

#include "verify/demand.h"

typedef enum FindingKind {
    FINDING_PARTIAL,  /* partial sums, not reduced over `axes` */
    FINDING_LATE,     /* reduced over `axes` for some microbatches only */
    FINDING_TIME,     /* microbatches missing, or with different weights */
    FINDING_WEIGHT,   /* too large by the factor `ratio` */
    FINDING_COUNTS,   /* weights that depend on each rank's own count, summed as if they were equal */
    FINDING_GUARDED,  /* from some ranks only */
    FINDING_REPEATED, /* ranks along `axes` read the same examples */
    FINDING_SEED,     /* initial values that differ along `axes`, or from one device's */
    FINDING_STALE,    /* the state as it was at the start of the step */
    FINDING_PLACE,    /* the new value for each rank's own shard, the old value elsewhere */
    FINDING_JOINED,   /* summed over copies, though each copy should have its own */
    FINDING_APART,    /* a copy's own value, or a sum over some copies, instead of the sum over all */
    FINDING_POISON,   /* an operator without a meaning here */
    FINDING_OTHER
} FindingKind;

typedef struct Finding {
    FindingKind kind;
    AxisMask axes;
    Rational ratio;
    Time low, high; /* TIME, LATE: the microbatches present, or late */
    const Poison *poison;
    bool in_norm; /* below a clipping factor */
    const Value *found, *expected;
    const Term *term;  /* the term that differs, if there is one */
    bool covered;      /* TIME: every microbatch is present, with different weights */
    bool sliced;       /* judged where a partial value is sliced, before the slice is used */
    const Op *squared; /* the operator that squared the gradient for the norm while it was partial */
    int part_dim;      /* part_end > 0: differs in elements part_first .. part_end - 1 of this dim, of part_of */
    int64_t part_first, part_end, part_of;
    const Combo *level; /* where it differs, and the coefficient that one device's value has there */
    Rational wanted;
    const Combo *aim; /* JOINED, APART: one device's counterpart of `level` */
} Finding;

/* The axes over which a value is the sum of the copies' values; empty if it is no such sum. */
AxisMask finding_joins(const Value *value);

/* `faults`: those of the same run; one device's value of a gradient may be known only from another fault. */
Finding finding_of(Table *table, const Faults *faults, const Fault *fault, bool in_norm);

#endif
