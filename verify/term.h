/* term.h - coefficient * monomial * part of a value: what combinations are sums of (verify/combo.h). */
#ifndef PLACE_VERIFY_TERM_H
#define PLACE_VERIFY_TERM_H

#include "verify/arc.h"
#include "verify/table.h"

typedef struct Term {
    Value *value;
    Decomp *decomp; /* NULL where mask is empty */
    Mono *mono;
    Rational coefficient;
    AxisMask mask;
    Time low, high; /* if mask has time */
    Arc arc;        /* if mask has its axis */
} Term;

#endif
