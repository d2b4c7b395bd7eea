/* finding.h - the place where what was found first differs from what one device has, and in which way.
 *
 * Two combinations are compared term by term; where both have one unmatched term made by the same operator, the search
 * goes on in the operand that differs. So a wrong norm is found below the clipping factor, a wrong read below
 * everything.
 */
#ifndef PLACE_VERIFY_FINDING_H
#define PLACE_VERIFY_FINDING_H

#include "verify/demand.h"

typedef enum FindingKind {
    FINDING_PARTIAL,  /* parts not summed over `axes` */
    FINDING_LATE,     /* some microbatches' parts summed over `axes`, the rest not */
    FINDING_TIME,     /* not all microbatches, or with unlike weights */
    FINDING_WEIGHT,   /* `ratio` times too large */
    FINDING_COUNTS,   /* weights that depend on the rank's count, summed as if they were equal */
    FINDING_GUARDED,  /* only some ranks' */
    FINDING_REPEATED, /* ranks along `axes` read the same examples */
    FINDING_SEED,     /* initial values that differ along `axes`, or from one device's */
    FINDING_STALE,    /* the state as the step found it */
    FINDING_PLACE,    /* each rank's own part of the new value, the old value elsewhere */
    FINDING_JOINED,   /* a sum over copies of what each should have for itself */
    FINDING_APART,    /* what a copy has for itself, or less of it, instead of the sum over copies */
    FINDING_POISON,   /* an operator that has no meaning here */
    FINDING_OTHER
} FindingKind;

typedef struct Finding {
    FindingKind kind;
    AxisMask axes;
    Rational ratio;
    Time low, high; /* TIME, LATE: the microbatches that are there, or late */
    const Poison *poison;
    bool in_norm; /* below a clipping factor */
    const Value *found, *expected;
    const Term *term;  /* that differs, if there is one */
    bool covered;      /* TIME: every microbatch is there, with unlike weights */
    bool sliced;       /* judged where a piece of parts is taken, before what is done with the piece */
    const Op *squared; /* the gradient was in parts when this squared it for the norm */
    int part_dim;      /* part_end > 0: it differs in elements part_first .. part_end - 1 of this dim, of part_of */
    int64_t part_first, part_end, part_of;
    const Combo *level; /* the combination in which it does, and how often one device has its value there */
    Rational wanted;
    const Combo *aim; /* JOINED, APART: what one device has in the place of `level` */
} Finding;

/* The axes over which a value is the sum of what copies have; none: it is no such sum. */
AxisMask finding_joins(const Value *value);

/* `faults`: of the same run; what one device has of a gradient may be known from another one's fault only. */
Finding finding_of(Table *table, const Faults *faults, const Fault *fault, bool in_norm);

#endif
