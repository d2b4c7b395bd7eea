/* weight.h - monomials: weights that depend on the rank's coordinates. */
#ifndef PLACE_VERIFY_WEIGHT_H
#define PLACE_VERIFY_WEIGHT_H

#include "verify/table.h"

/* A factor of a weight that depends on coordinates: 1 / extent of a dim, or 1 where a guard holds and 0 elsewhere. */
typedef struct Factor {
    bool is_guard;
    int64_t length; /* of the dim, in this microbatch */
    Cuts cuts;
    Affine value; /* of coordinates only */
    int64_t low, high;
    AxisMask axes; /* on which it depends; follows from the fields above */
} Factor;

struct Mono { /* NULL is 1 */
    int count;
    Factor *factor;
    AxisMask axes; /* on which it depends */
    uint32_t id;
    uint64_t hash;
    Mono *next;
};

Mono *mono_factor(Table *table, const Factor *factor, AxisMask axes);
Mono *mono_multiply(Table *table, Mono *a, Mono *b);
/* Divides *mono by `by`, which has no guards; false if no monomial is the quotient. */
bool mono_divide(Table *table, Mono **mono, const Mono *by);

/* The monomial's value on the rank with these coordinates. */
Rational mono_at(const Decls *decls, const Mono *mono, const int64_t *coordinate);

#endif
